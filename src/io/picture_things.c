/* SPDX-License-Identifier: Apache-2.0
 * The things in a picture in space: grains from near to far, edges of walls, bars, and their light. */
#include <stdlib.h>

#include "base/error.h"
#include "io/picture_solid.h"

enum { RIM_SIDES = 96 };

static const double grain_shrink = 0.25; /* of the radius, where bars are to be seen */
static const double bar_widest = 0.75;   /* diameter of the strongest, in mean radii */

/* ---- grains ---------------------------------------------------------------------------------- */

static talus_status make_balls(struct solid *solid, talus_error *err) {
    const struct picture *picture = solid->picture;
    size_t count = picture->grain_count;
    solid->balls = memory_resize(solid->memory, NULL, 0, count, sizeof *solid->balls);
    solid->colors = memory_resize(solid->memory, NULL, 0, count, sizeof *solid->colors);
    if (solid->balls == NULL || solid->colors == NULL) return error_memory(err);
    solid->shrink = picture->bar_count > 0 ? grain_shrink : 1.0;
    for (size_t i = 0; i < count; i++) {
        const struct picture_grain *grain = &picture->grains[i];
        solid->balls[i] =
            (struct ball){grain->position, solid->shrink * grain->radius, solid_owner(i, 0)};
        solid->colors[i] = color_linear(grain->color);
    }
    return TALUS_OK;
}

/* The balls that hide the sky from a grain's neighbours: itself, if it is round. */
static size_t grain_beads(const struct solid *solid, size_t i, struct ball *beads) {
    const struct picture_grain *grain = &solid->picture->grains[i];
    if (grain->form == NULL) {
        if (beads != NULL) *beads = solid->balls[i];
        return 1;
    }
    struct placed_form placed = placed_in_world(grain, solid->shrink);
    return form_beads(&placed, solid_owner(i, 0), beads);
}

static talus_status make_beads(struct solid *solid, talus_error *err) {
    size_t count = 0;
    for (size_t i = 0; i < solid->picture->grain_count; i++) count += grain_beads(solid, i, NULL);
    solid->beads = memory_resize(solid->memory, NULL, 0, count, sizeof *solid->beads);
    if (solid->beads == NULL) return error_memory(err);
    solid->bead_count = count;
    size_t used = 0;
    for (size_t i = 0; i < solid->picture->grain_count; i++)
        used += grain_beads(solid, i, solid->beads + used);
    return TALUS_OK;
}

static int by_depth(const void *a, const void *b) {
    const struct ranked *p = a, *q = b;
    if (p->depth != q->depth) return p->depth < q->depth ? -1 : 1;
    return (p->grain > q->grain) - (p->grain < q->grain);
}

/* From near to far: what comes later is mostly hidden and costs little. */
static talus_status make_order(struct solid *solid, talus_error *err) {
    size_t count = solid->picture->grain_count;
    solid->order = memory_resize(solid->memory, NULL, 0, count, sizeof *solid->order);
    if (solid->order == NULL) return error_memory(err);
    for (size_t i = 0; i < count; i++) {
        vec3 center = camera_place(&solid->camera, solid->balls[i].center);
        solid->order[i] = (struct ranked){center.z, i};
    }
    qsort(solid->order, count, sizeof *solid->order, by_depth);
    return TALUS_OK;
}

/* ---- edges and bars -------------------------------------------------------------------------- */

static void add_rod(struct solid *solid, vec3 a, vec3 b, double radius) {
    solid->rods[solid->rod_count++] =
        (struct rod){camera_place(&solid->camera, a), camera_place(&solid->camera, b), radius};
}

static bool on_another_plane(const struct picture *picture, const struct picture_wall *wall,
                             vec3 a) {
    double near = 1e-6 * vec3_norm(vec3_sub(picture->high, picture->low));
    for (size_t w = 0; w < picture->wall_count; w++) {
        const struct picture_wall *other = &picture->walls[w];
        if (other == wall || other->shape != TALUS_PLANE) continue;
        if (fabs(vec3_dot(vec3_sub(a, other->point), other->normal)) < near) return true;
    }
    return false;
}

/* An open floor has no edge; between other planes it has. */
static void add_floor_edges(struct solid *solid, const struct picture_wall *wall, double radius) {
    for (int k = 0; k < wall->corner_count; k++) {
        vec3 a = wall->corners[k], b = wall->corners[(k + 1) % wall->corner_count];
        if (on_another_plane(solid->picture, wall, vec3_scale(0.5, vec3_add(a, b))))
            add_rod(solid, a, b, radius);
    }
}

static void add_edges(struct solid *solid, const struct picture_wall *wall, double radius) {
    bool plane = wall->shape == TALUS_PLANE;
    if (wall->shape == TALUS_MESH) return; /* has creases */
    if (picture_is_floor(wall)) {
        add_floor_edges(solid, wall, radius);
        return;
    }
    if (plane && vec3_dot(vec3_sub(solid->camera.eye, wall->point), wall->normal) <= 0.0) return;
    for (int k = 0; k < wall->corner_count; k++)
        add_rod(solid, wall->corners[k], wall->corners[(k + 1) % wall->corner_count], radius);
    if (plane || wall->shape == TALUS_RECTANGLE) return;
    for (int k = 0; k < 2 * RIM_SIDES; k++) {
        bool upper = k < RIM_SIDES;
        add_rod(solid, picture_rim(wall, upper, k % RIM_SIDES, RIM_SIDES),
                picture_rim(wall, upper, (k + 1) % RIM_SIDES, RIM_SIDES), radius);
    }
}

static void add_bars(struct solid *solid, enum bar_kind kind, double pixel) {
    const struct picture *picture = solid->picture;
    for (size_t k = 0; k < picture->bar_count; k++) {
        const struct picture_bar *bar = &picture->bars[k];
        double radius = 0.5 * bar_widest * picture->mean_radius * bar->force / picture->force_max;
        enum bar_kind own = bar->pulls ? BAR_PULLS : bar->weak ? BAR_WEAK : BAR_STRONG;
        if (own == kind && radius > 0.15 * pixel) add_rod(solid, bar->from, bar->to, radius);
    }
}

static talus_status make_rods(struct solid *solid, talus_error *err) {
    const struct picture *picture = solid->picture;
    size_t most = 2 * RIM_SIDES * picture->wall_count + picture->crease_count + picture->bar_count;
    solid->rods = memory_resize(solid->memory, NULL, 0, most, sizeof *solid->rods);
    if (solid->rods == NULL) return error_memory(err);
    solid->rod_capacity = most;
    vec3 middle = vec3_scale(0.5, vec3_add(picture->low, picture->high));
    double pixel =
        camera_place(&solid->camera, middle).z / solid->camera.unit; /* m, in the middle */
    for (size_t w = 0; w < picture->wall_count; w++)
        add_edges(solid, &picture->walls[w], 0.6 * pixel);
    for (size_t k = 0; k < picture->crease_count; k++)
        add_rod(solid, picture->creases[k].a, picture->creases[k].b, 0.6 * pixel);
    for (int kind = 0; kind < BAR_KINDS; kind++) {
        solid->bar_first[kind] = solid->rod_count;
        add_bars(solid, (enum bar_kind)kind, pixel);
    }
    return TALUS_OK;
}

static const struct picture_wall *find_floor(const struct solid *solid) {
    for (size_t w = 0; w < solid->picture->wall_count; w++) {
        const struct picture_wall *wall = &solid->picture->walls[w];
        if (picture_is_floor(wall) && solid->camera.eye.z > wall->point.z) return wall;
    }
    return NULL;
}

/* ---- light ----------------------------------------------------------------------------------- */

/* The sun stands over the left shoulder of who looks. */
static vec3 sun_direction(double azimuth) {
    const double degree = 0.017453292519943295;
    const double left = -48.0 * degree, elevation = 52.0 * degree;
    double angle = azimuth * degree + left;
    return vec3_make(cos(elevation) * cos(angle), cos(elevation) * sin(angle), sin(elevation));
}

/* Mean radius of the grains, of others than round ones that of a ball of their volume. */
static double mean_size(const struct picture *picture) {
    double sum = 0.0;
    for (size_t i = 0; i < picture->grain_count; i++) {
        const struct picture_grain *grain = &picture->grains[i];
        sum += grain->form == NULL ? grain->radius
                                   : grain->scale * cbrt(grain->form->volume / 4.18879020478639);
    }
    return picture->grain_count > 0 ? sum / (double)picture->grain_count : 1.0;
}

static void cast_shadows(struct solid *solid) {
    for (size_t i = 0; i < solid->picture->grain_count; i++) {
        const struct picture_grain *grain = &solid->picture->grains[i];
        struct placed_form placed = placed_in_world(grain, solid->shrink);
        if (grain->form == NULL)
            light_cast_ball(&solid->light, solid->balls[i].center, solid->balls[i].radius);
        else
            form_cast(&solid->light, &placed);
    }
}

/* Shrunken grains cast no shadows: they would lie on nothing. */
static talus_status make_light(struct solid *solid, double azimuth, talus_error *err) {
    bool casting = solid->picture->bar_count == 0 && solid->picture->grain_count > 0 &&
                   !solid->picture->grains_hidden;
    if (casting) TALUS_TRY(make_beads(solid, err));
    const struct light_scene scene = {.balls = solid->beads,
                                      .count = solid->bead_count,
                                      .around = solid->balls,
                                      .around_count = solid->picture->grain_count,
                                      .size = mean_size(solid->picture),
                                      .sun = sun_direction(azimuth)};
    TALUS_TRY(light_create(&solid->light, &scene, solid->memory, err));
    if (casting) cast_shadows(solid);
    return TALUS_OK;
}

talus_status solid_make(struct solid *solid, double azimuth, talus_error *err) {
    TALUS_TRY(make_balls(solid, err));
    TALUS_TRY(make_order(solid, err));
    TALUS_TRY(make_rods(solid, err));
    TALUS_TRY(make_light(solid, azimuth, err));
    solid->floor = find_floor(solid);
    return TALUS_OK;
}

void solid_free(struct solid *solid) {
    size_t grains = solid->picture->grain_count;
    light_destroy(&solid->light);
    memory_free(solid->memory, solid->rods, solid->rod_capacity, sizeof *solid->rods);
    memory_free(solid->memory, solid->balls, grains, sizeof *solid->balls);
    memory_free(solid->memory, solid->order, grains, sizeof *solid->order);
    memory_free(solid->memory, solid->beads, solid->bead_count, sizeof *solid->beads);
    memory_free(solid->memory, solid->colors, grains, sizeof *solid->colors);
}
