/* SPDX-License-Identifier: Apache-2.0
 *
 * Soft polygons: what the parts of each pair have in common [Pena2009, sect. 2]. A pair of parts has one slot, so it keeps
 * one spring and one normal as long as the list holds it.
 *
 * The characteristic length of a contact is l_c = r_a + r_b with r = sqrt(area/pi) of each part, for discs their radius
 * [Pena2009, eq. 5]. A wall has no size: l_c = r_a.
 */
#include <math.h>

#include "base/error.h"
#include "detect/detect.h"

static const double pi = 3.14159265358979323846;

/* Below this share of the root of the area a line of contact is rounding: one part lies inside the other. */
static const double line_share = 1e-9;

/* ---- room -------------------------------------------------------------------------------------- */

static size_t corners_of(const struct world *world, size_t body) {
    const struct body_form *form = world_form(world, body);
    size_t count = 0;
    for (size_t part = 0; form != NULL && part < form->part_count; part++)
        count += (size_t)form->parts[part].hull.vertex_count;
    return count;
}

static size_t most_corners(const struct world *world) {
    size_t most = OVERLAP_LINES;
    for (size_t f = 0; f < world->form_count; f++)
        for (size_t part = 0; part < world->forms[f].part_count; part++) {
            size_t count = (size_t)world->forms[f].parts[part].hull.vertex_count;
            if (count > most) most = count;
        }
    return most;
}

talus_status detect_overlaps_reserve(struct detect *detect, const struct world *world,
                                     talus_error *err) {
    size_t bodies = world->bodies.count, total = 0, most = most_corners(world);
    size_t *first = memory_reserve(detect->memory, detect->corner_first,
                                   &detect->corner_first_capacity, bodies + 1, sizeof *first);
    if (first == NULL) return error_memory(err);
    detect->corner_first = first;
    for (size_t i = 0; i < bodies; i++) {
        first[i] = total;
        total += corners_of(world, i);
    }
    vec3 *corners = memory_reserve(detect->memory, detect->corners, &detect->corner_capacity,
                                   total + 1, sizeof *corners);
    if (corners == NULL) return error_memory(err);
    detect->corners = corners;
    struct overlap_corner *clipped =
        memory_reserve(detect->memory, detect->clipped, &detect->clipped_capacity,
                       overlap_room(most, most), sizeof *clipped);
    if (clipped == NULL) return error_memory(err);
    detect->clipped = clipped;
    return TALUS_OK;
}

void detect_overlaps_free(struct detect *detect) {
    memory_free(detect->memory, detect->corner_first, detect->corner_first_capacity,
                sizeof *detect->corner_first);
    memory_free(detect->memory, detect->corners, detect->corner_capacity, sizeof *detect->corners);
    memory_free(detect->memory, detect->clipped, detect->clipped_capacity, sizeof *detect->clipped);
}

/* ---- where everything is ----------------------------------------------------------------------- */

static void place_body(const struct detect *detect, const struct world *world, size_t body) {
    const struct body_form *form = world_form(world, body);
    if (form == NULL) return;
    vec3 *to = detect->corners + detect->corner_first[body];
    mat3 turn = quat_matrix(world->bodies.orientation[body]);
    double scale = world_scale(world, body);
    for (size_t part = 0; part < form->part_count; part++) {
        const struct convex *hull = &form->parts[part].hull;
        for (int32_t v = 0; v < hull->vertex_count; v++)
            *to++ = vec3_scale(scale, mat3_apply(&turn, hull->vertices[v]));
    }
}

/* A part as it stands, relative to the position of its body; a disc has no corners. */
struct figure {
    const vec3 *corners;
    size_t count;
    double radius; /* of the disc */
};

static struct figure figure_of(const struct detect *detect, const struct world *world,
                               talus_index body, int32_t part) {
    const struct body_form *form = world_form(world, (size_t)body);
    if (form == NULL) return (struct figure){.radius = world->bodies.radius[body]};
    const vec3 *corners = detect->corners + detect->corner_first[body];
    for (int32_t k = 0; k < part; k++) corners += form->parts[k].hull.vertex_count;
    return (struct figure){corners, (size_t)form->parts[part].hull.vertex_count, 0.0};
}

/* sqrt(area/pi) */
static double size_of(const struct figure *figure) {
    if (figure->count == 0) return figure->radius;
    return sqrt(overlap_polygon_area(figure->corners, figure->count) / pi);
}

/* ---- pairs -------------------------------------------------------------------------------------- */

/* `branch`: from the position of a to that of b. At least one of them is a polygon. */
static bool meet(const struct detect *detect, const struct figure *a, const struct figure *b,
                 vec3 branch, struct overlap *out) {
    if (a->count > 0 && b->count > 0)
        return overlap_polygons(a->corners, a->count, b->corners, b->count, branch, detect->clipped,
                                out);
    if (a->count > 0)
        return overlap_disc(a->corners, a->count, branch, b->radius, detect->clipped, out);
    if (!overlap_disc(b->corners, b->count, vec3_scale(-1.0, branch), a->radius, detect->clipped,
                      out))
        return false;
    out->centre = vec3_add(out->centre, branch);
    out->contact = vec3_scale(-1.0, out->contact);
    return true;
}

/* The line in which a rectangle cuts the plane of the world, relative to the grain. */
static void plate_ends(const struct wall *wall, vec3 from, vec3 ends[2]) {
    bool upright = fabs(wall->edge.z) > 0.5;
    vec3 along = upright ? vec3_cross(wall->normal, wall->edge) : wall->edge;
    double half = 0.5 * (upright ? wall->size[1] : wall->size[0]);
    ends[0] = vec3_add_scaled(from, -half, along);
    ends[1] = vec3_add_scaled(from, half, along);
    ends[0].z = ends[1].z = 0.0;
}

static vec3 middle_of(const struct figure *figure) {
    vec3 sum = vec3_zero();
    for (size_t k = 0; k < figure->count; k++) sum = vec3_add(sum, figure->corners[k]);
    return vec3_scale(1.0 / (double)figure->count, sum);
}

/* A plate has two sides; the grain is on the one where its middle is. To remember the side of the first touch would hold grains
 * that slip past an end: what is behind the plate then would be all of them. */
static bool meet_wall(const struct detect *detect, const struct world *world,
                      const struct candidate *pair, const struct figure *a, struct overlap *out) {
    const struct wall *wall = &detect->walls[world->bodies.boundary[pair->b]];
    vec3 from = cell_branch(&world->cell, world->bodies.position[pair->a], wall->point);
    struct overlap_line lines[3] = {{from.x, from.y, -wall->normal.y, wall->normal.x}};
    if (wall->shape == TALUS_PLANE)
        return overlap_lines(a->corners, a->count, lines, 1, detect->clipped, out);
    vec3 ends[2];
    plate_ends(wall, from, ends);
    vec3 side = vec3_sub(ends[1], ends[0]), to = vec3_sub(middle_of(a), ends[0]);
    overlap_plate(ends[0], ends[1], side.x * to.y - side.y * to.x >= 0.0, lines);
    return overlap_lines(a->corners, a->count, lines, 3, detect->clipped, out);
}

/* Where there is no line of contact any direction from centre to centre parts them. */
static vec3 normal_of(const struct overlap *overlap, vec3 branch, double *length) {
    *length = vec3_norm(overlap->contact);
    if (*length > line_share * sqrt(overlap->area))
        return vec3_scale(1.0 / *length, overlap->contact);
    *length = sqrt(overlap->area);
    double apart = vec3_norm(branch);
    return apart > 0.0 ? vec3_scale(1.0 / apart, branch) : vec3_make(1.0, 0.0, 0.0);
}

static void fill(struct slot *slot, const struct overlap *overlap, vec3 branch, double length_c) {
    double length;
    slot->normal = normal_of(overlap, branch, &length);
    slot->before = slot->feature != 0 ? slot->arm : overlap->centre;
    slot->arm = overlap->centre;
    slot->gap = -overlap->area / length_c;
    slot->depth = overlap->area / length;
    slot->feature = slot->feature == 0 ? OVERLAP_NEW : OVERLAP_OLD;
}

/* Spheres around grains that are apart need no further look. */
static bool are_apart(const struct world *world, const struct candidate *pair, vec3 branch) {
    double reach = world->bodies.radius[pair->a] + world->bodies.radius[pair->b];
    return vec3_norm2(branch) > reach * reach;
}

static bool look(const struct detect *detect, const struct world *world,
                 const struct candidate *pair, struct slot *slot) {
    struct figure a = figure_of(detect, world, pair->a, slot->part_a), b = {.count = 0};
    bool wall = world->bodies.boundary[pair->b] >= 0;
    struct overlap overlap;
    vec3 branch =
        cell_branch(&world->cell, world->bodies.position[pair->a], world->bodies.position[pair->b]);
    if (wall) {
        if (!meet_wall(detect, world, pair, &a, &overlap)) return false;
        fill(slot, &overlap, branch, size_of(&a));
        return true;
    }
    if (are_apart(world, pair, branch)) return false;
    b = figure_of(detect, world, pair->b, slot->part_b);
    if (!meet(detect, &a, &b, branch, &overlap)) return false;
    fill(slot, &overlap, branch, size_of(&a) + size_of(&b));
    return true;
}

void detect_overlaps(struct detect *detect, const struct world *world) {
    for (size_t i = 0; i < world->bodies.count; i++) place_body(detect, world, i);
    for (size_t k = 0; k < detect->candidate_count; k++) {
        struct slot *slot = &detect->slots[k];
        if (slot->count == 0 || look(detect, world, &detect->candidates[k], slot)) continue;
        slot->feature = 0;
        slot->gap = HUGE_VAL;
    }
}
