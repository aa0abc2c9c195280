/* SPDX-License-Identifier: Apache-2.0
 * Grain shapes that are not round, and how grains of such shapes resist turning. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "geom/union_mass.h"
#include "world/world.h"

void body_form_free(struct world *world, struct body_form *form) {
    for (size_t k = 0; k < form->part_count; k++) convex_free(&form->parts[k].hull);
    memory_free(world->memory, form->parts, form->part_count, sizeof *form->parts);
}

int32_t world_find_form(const struct world *world, const char *name) {
    for (size_t k = 0; k < world->form_count; k++)
        if (strcmp(world->forms[k].name.text, name) == 0) return (int32_t)k;
    return -1;
}

static talus_status hull_error(const struct world *world, const char *name, size_t part,
                               enum convex_status status, talus_error *err) {
    if (status == CONVEX_NO_MEMORY) return error_memory(err);
    const char *why = status == CONVEX_NO_POINTS ? "there is no point, or one is not finite"
                      : status == CONVEX_FAILED  ? "the hull of these points could not be found"
                      : world->dim == 3          ? "the points have no volume and no rounding"
                                                 : "the points have no area and no rounding";
    return error_set(err, TALUS_ERR_INPUT, "shape '%s', part %zu: %s", name, part + 1, why);
}

static talus_status check_part(const struct world *world, const char *name, size_t number,
                               const talus_shape_part *part, talus_error *err) {
    if (!(part->rounding >= 0.0) || !isfinite(part->rounding))
        return error_set(err, TALUS_ERR_INPUT, "shape '%s', part %zu: rounding = %g, must be >= 0",
                         name, number + 1, part->rounding);
    if (!(part->density >= 0.0) || !isfinite(part->density))
        return error_set(err, TALUS_ERR_INPUT, "shape '%s', part %zu: density = %g, must be >= 0",
                         name, number + 1, part->density);
    for (size_t k = 0; k < part->count && world->dim < 3; k++)
        if (part->points[k].z != 0.0)
            return error_set(err, TALUS_ERR_INPUT,
                             "shape '%s', part %zu: point %zu has z = %g; shapes of a plane world "
                             "lie in z = 0",
                             name, number + 1, k + 1, part->points[k].z);
    return TALUS_OK;
}

/* A sphere around the part: about the middle of its box. */
static void surround(struct part *part) {
    const struct convex *hull = &part->hull;
    vec3 low = hull->vertices[0], high = low;
    for (int32_t k = 1; k < hull->vertex_count; k++) {
        vec3 x = hull->vertices[k];
        low = vec3_make(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = vec3_make(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    part->centre = vec3_scale(0.5, vec3_add(low, high));
    double far = 0.0;
    for (int32_t k = 0; k < hull->vertex_count; k++)
        far = fmax(far, vec3_norm2(vec3_sub(hull->vertices[k], part->centre)));
    part->radius = sqrt(far) + hull->rounding;
}

/* Moments about another point: Steiner's theorem for mass 1 at distance d. */
static void add_point_mass(mat3 *inertia, double mass, vec3 d) {
    double square = vec3_norm2(d);
    double x[3] = {d.x, d.y, d.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            inertia->m[i][j] += mass * ((i == j ? square : 0.0) - x[i] * x[j]);
}

static bool has_equal_moments(const mat3 *inertia) {
    double mean = (inertia->m[0][0] + inertia->m[1][1] + inertia->m[2][2]) / 3.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (fabs(inertia->m[i][j] - (i == j ? mean : 0.0)) > 1e-13 * mean) return false;
    return true;
}

/* Of a ball about the part's own centre of mass. */
static double inner_radius(const struct convex *hull, vec3 centre) {
    double least = hull->face_count > 0 ? HUGE_VAL : 0.0;
    for (int32_t k = 0; k < hull->face_count; k++)
        least = fmin(least, hull->faces[k].offset - vec3_dot(hull->faces[k].normal, centre));
    return fmax(least, 0.0) + hull->rounding;
}

/* Together, about their common centre. */
static void add_mass(struct convex_mass *sum, const struct convex_mass *more, double density) {
    double mass = density * more->volume, all = sum->volume + mass;
    if (!(mass > 0.0)) return;
    vec3 apart = vec3_sub(more->centre, sum->centre);
    vec3 centre = vec3_add_scaled(sum->centre, mass / all, apart);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) sum->inertia.m[i][j] += density * more->inertia.m[i][j];
    add_point_mass(&sum->inertia, sum->volume, vec3_sub(sum->centre, centre));
    add_point_mass(&sum->inertia, mass, vec3_sub(more->centre, centre));
    sum->centre = centre;
    sum->volume = all;
}

/* The union of the parts at least as dense as `least`: every point counts once, with this density. Parts that do not
 * overlap are weighed one by one. */
static talus_status add_union(const struct body_form *form, double least, double density,
                              struct convex_mass *sum, talus_error *err) {
    const struct convex *hulls[TALUS_SHAPE_PARTS_MAX] = {NULL};
    int32_t group[TALUS_SHAPE_PARTS_MAX], count = 0;
    for (size_t k = 0; k < form->part_count; k++)
        if (form->parts[k].density >= least) hulls[count++] = &form->parts[k].hull;
    union_groups(hulls, count, group);
    for (int32_t k = 0; k < count; k++) {
        const struct convex *members[TALUS_SHAPE_PARTS_MAX] = {NULL};
        struct convex_mass share;
        int32_t size = 0;
        double error;
        for (int32_t i = k; i < count; i++)
            if (group[i] == k) members[size++] = hulls[i];
        if (size == 0) continue;
        enum union_status status = UNION_OK;
        if (size == 1)
            share = convex_mass(hulls[k]);
        else
            status = union_mass(members, size, &share, &error);
        if (status == UNION_NO_MEMORY) return error_memory(err);
        if (status != UNION_OK)
            return error_set(err, TALUS_ERR_INPUT,
                             "shape '%s': the mass of %d overlapping parts is only known to %.1g "
                             "of it, must be %g; move them a little",
                             form->name.text, (int)size, error, UNION_ACCURACY);
        add_mass(sum, &share, density);
    }
    return TALUS_OK;
}

/* The least density of a part above this one; HUGE_VAL if there is none. */
static double next_density(const struct body_form *form, double above) {
    double least = HUGE_VAL;
    for (size_t k = 0; k < form->part_count; k++)
        if (form->parts[k].density > above) least = fmin(least, form->parts[k].density);
    return least;
}

/* Mass, centre and moments of all parts together, layer upon layer: the union of all with the least density, that of
 * the denser ones with what the next density has more, and so on. */
static talus_status weigh_layers(struct body_form *form, struct convex_mass *out,
                                 talus_error *err) {
    double below = 0.0;
    *out = (struct convex_mass){.volume = 0.0};
    for (double density = next_density(form, below); density < HUGE_VAL;
         density = next_density(form, below)) {
        TALUS_TRY(add_union(form, density, density - below, out, err));
        if (below == 0.0) form->volume = out->volume / density;
        below = density;
    }
    return TALUS_OK;
}

/* The frame moves to the centre of mass. */
static talus_status weigh(const struct world *world, struct body_form *form, talus_error *err) {
    struct convex_mass all;
    TALUS_TRY(weigh_layers(form, &all, err));
    form->mass = all.volume;
    form->centre = all.centre;
    form->reach = 0.0;
    form->inner = HUGE_VAL;
    for (size_t k = 0; k < form->part_count; k++) {
        struct part *part = &form->parts[k];
        form->inner = fmin(form->inner, inner_radius(&part->hull, convex_mass(&part->hull).centre));
        convex_shift(&part->hull, vec3_scale(-1.0, form->centre));
        surround(part);
        form->reach = fmax(form->reach, part->hull.reach);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) form->inertia.m[i][j] = all.inertia.m[i][j] / form->mass;
    form->is_isotropic = world->dim < 3 || has_equal_moments(&form->inertia);
    if (!form->is_isotropic) form->inverse_inertia = mat3_inverse(&form->inertia);
    return TALUS_OK;
}

static talus_status make_parts(struct world *world, struct body_form *form,
                               const talus_shape_part *parts, size_t count, talus_error *err) {
    form->parts = memory_resize(world->memory, NULL, 0, count, sizeof *form->parts);
    if (form->parts == NULL) return error_memory(err);
    form->part_count = count;
    for (size_t k = 0; k < count; k++) {
        enum convex_status status =
            convex_make(&form->parts[k].hull, world->dim < 3 ? 2 : 3, parts[k].points,
                        parts[k].count, parts[k].rounding, false);
        if (status != CONVEX_OK) return hull_error(world, form->name.text, k, status, err);
        form->parts[k].density = parts[k].density > 0.0 ? parts[k].density : 1.0;
    }
    return TALUS_OK;
}

talus_status world_add_form(struct world *world, const char *name, const talus_shape_part *parts,
                            size_t count, talus_error *err) {
    struct body_form form = {.part_count = 0};
    TALUS_TRY(name_check(&form.name, "shape", name, err));
    if (world_find_form(world, name) >= 0 || shape_find(name) >= 0)
        return error_set(err, TALUS_ERR_INPUT, "there is a shape '%s' already", name);
    if (world->dim < 2)
        return error_set(err, TALUS_ERR_INPUT, "shape '%s': in one dimension all grains are discs",
                         name);
    if (count < 1 || count > TALUS_SHAPE_PARTS_MAX)
        return error_set(err, TALUS_ERR_INPUT, "shape '%s': %zu parts, must be 1 to %d", name,
                         count, TALUS_SHAPE_PARTS_MAX);
    for (size_t k = 0; k < count; k++) TALUS_TRY(check_part(world, name, k, &parts[k], err));
    struct body_form *forms = memory_reserve(world->memory, world->forms, &world->form_capacity,
                                             world->form_count + 1, sizeof *forms);
    if (forms == NULL) return error_memory(err);
    world->forms = forms;
    talus_status status = make_parts(world, &form, parts, count, err);
    if (status >= 0) status = weigh(world, &form, err);
    if (status < 0) {
        body_form_free(world, &form);
        return status;
    }
    forms[world->form_count++] = form;
    return TALUS_OK;
}

/* Of mass m and of the size the grain has. */
static mat3 turned(const struct world *world, size_t body, const mat3 *unit, double factor) {
    mat3 rotation = quat_matrix(world->bodies.orientation[body]);
    mat3 out = mat3_turned(&rotation, unit);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out.m[i][j] *= factor;
    return out;
}

static double unit_inertia(const struct world *world, size_t body) {
    double scale = world_scale(world, body);
    return world->bodies.mass[body] * scale * scale;
}

mat3 world_inertia(const struct world *world, size_t body) {
    return turned(world, body, &world_form(world, body)->inertia, unit_inertia(world, body));
}

mat3 world_inverse_inertia(const struct world *world, size_t body) {
    return turned(world, body, &world_form(world, body)->inverse_inertia,
                  1.0 / unit_inertia(world, body));
}

double world_spin_energy(const struct world *world, size_t body, vec3 omega) {
    if (!world_is_anisotropic(world, body))
        return 0.5 * world->bodies.inertia[body] * vec3_norm2(omega);
    mat3 inertia = world_inertia(world, body);
    return 0.5 * vec3_dot(omega, mat3_apply(&inertia, omega));
}

double world_grain_volume(const struct world *world, size_t body) {
    double radius = world->bodies.radius[body];
    const struct body_form *form = world_form(world, body);
    if (world->dim == 1) return 2.0 * radius;
    if (form == NULL) return shape_get(world->bodies.shape[body])->volume(radius);
    double scale = world_scale(world, body);
    return form->volume * (world->dim == 2 ? scale * scale : scale * scale * scale);
}

double world_grain_mass(const struct world *world, size_t body) {
    const struct body_form *form = world_form(world, body);
    double volume = world_grain_volume(world, body);
    return form == NULL ? volume : volume * form->mass / form->volume;
}
