/* SPDX-License-Identifier: Apache-2.0
 * Contacts of grains that are not round: from pairs of bodies to pairs of parts, from their manifolds to
 * slots that keep their points from step to step. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/archive.h"
#include "base/error.h"
#include "detect/detect.h"
#include "detect/mesh.h"
#include "geom/manifold_hollow.h"

/* A point whose features changed is still the same if it lies this near to where an old one was, by the radius. */
static const double same_share = 0.05;
/* Points within this share of the radius from the one that closes first are equally worth being contacts. */
static const double near_share = 0.005;

static talus_status make_ball(struct detect *detect, const struct world *world, talus_error *err) {
    if (detect->ball.vertex_count > 0) return TALUS_OK;
    vec3 origin = vec3_zero();
    enum convex_status status =
        convex_make(&detect->ball, world->dim < 3 ? 2 : 3, &origin, 1, 1.0, true);
    return status == CONVEX_OK ? TALUS_OK : error_memory(err);
}

/* The line in which a rectangle cuts the plane of the world, or all of it. Frame: see wall_place. */
static enum convex_status make_plate(struct convex *hull, const struct world *world,
                                     const struct wall *local) {
    double x = 0.5 * local->size[0], y = 0.5 * local->size[1];
    if (world->dim == 3) {
        vec3 corners[4] = {{-x, -y, 0}, {x, -y, 0}, {x, y, 0}, {-x, y, 0}};
        return convex_make(hull, 3, corners, 4, 0.0, true);
    }
    double half = fabs(local->edge.z) > 0.5 ? y : x;
    vec3 ends[2] = {{-half, 0, 0}, {half, 0, 0}};
    return convex_make(hull, 2, ends, 2, 0.0, true);
}

/* Around an endless cylinder it is enough to know the piece beside the grain: a capsule that is long enough. */
static enum convex_status make_rod(struct convex *hull, const struct world *world,
                                   const struct wall *local, double half) {
    vec3 ends[2] = {{-half, 0, 0}, {half, 0, 0}};
    if (world->dim == 3) return convex_make(hull, 3, ends, 2, local->radius, true);
    vec3 origin = vec3_zero();
    return convex_make(hull, 2, &origin, 1, local->radius, true);
}

/* A rod made for shorter grains than there are now. */
static bool is_outgrown(const struct convex *hull, const struct world *world,
                        const struct wall *local) {
    if (local->shape != TALUS_CYLINDER_OUTSIDE || world->dim < 3) return false;
    return fabs(hull->vertices[0].x) < 2.0 * (world->radius_max + local->radius);
}

static talus_status make_wall_hulls(struct detect *detect, const struct world *world,
                                    talus_error *err) {
    size_t count = world->boundary_count;
    struct convex *hulls = memory_reserve(detect->memory, detect->wall_hulls,
                                          &detect->wall_hull_capacity, count, sizeof *hulls);
    if (hulls == NULL) return error_memory(err);
    detect->wall_hulls = hulls;
    for (size_t k = 0; k < count; k++) {
        const struct wall *local = &world->boundaries[k].local;
        enum convex_status status = CONVEX_OK;
        if (hulls[k].vertex_count > 0 && !is_outgrown(&hulls[k], world, local)) continue;
        convex_free(&hulls[k]);
        if (local->shape == TALUS_RECTANGLE) status = make_plate(&hulls[k], world, local);
        double half = 4.0 * (world->radius_max + local->radius);
        if (local->shape == TALUS_CYLINDER_OUTSIDE)
            status = make_rod(&hulls[k], world, local, half);
        if (status != CONVEX_OK) return error_memory(err);
    }
    return TALUS_OK;
}

/* How long a rod is depends on the largest grain of the time when it was made. */
void detect_forms_archive(struct detect *detect, const struct world *world,
                          struct archive *archive) {
    size_t count = detect->wall_hulls == NULL ? 0 : world->boundary_count;
    ARCHIVE(archive, "contacts/rods", "", &count, 1);
    if (!archive_is_well(archive) || count != world->boundary_count) return;
    void *hulls = detect->wall_hulls;
    if (!archive_room(archive, detect->memory, &hulls, &detect->wall_hull_capacity,
                      (const size_t[2]){count, sizeof *detect->wall_hulls}))
        return;
    detect->wall_hulls = hulls;
    for (size_t k = 0; k < count && archive_is_well(archive); k++) {
        struct convex *hull = &detect->wall_hulls[k];
        const struct wall *local = &world->boundaries[k].local;
        if (local->shape != TALUS_CYLINDER_OUTSIDE || world->dim < 3) continue;
        double half = hull->vertex_count > 0 ? fabs(hull->vertices[0].x) : 0.0;
        char path[64];
        snprintf(path, sizeof path, "boundaries/%zu/rod", k);
        ARCHIVE(archive, path, "m", &half, 1);
        if (!archive->reading || !archive_is_well(archive) || half == 0.0) continue;
        convex_free(hull);
        if (make_rod(hull, world, local, half) != CONVEX_OK)
            archive->status = error_memory(archive->err);
    }
}

talus_status detect_forms_reserve(struct detect *detect, const struct world *world,
                                  talus_error *err) {
    bool has_forms = world->form_count > 0 || world->mesh_count > 0;
    if (has_forms != detect->has_forms) detect->valid = false;
    detect->has_forms = has_forms;
    if (!has_forms) return TALUS_OK;
    size_t grown = world->bodies.capacity;
    mat3 *rotation = memory_reserve(detect->memory, detect->rotation, &detect->rotation_capacity,
                                    grown, sizeof *rotation);
    if (rotation == NULL) return error_memory(err);
    detect->rotation = rotation;
    size_t most = 1; /* all facets of a mesh may be near one grain */
    for (size_t k = 0; k < world->boundary_count; k++)
        if (world->boundaries[k].mesh.facet_count > most)
            most = world->boundaries[k].mesh.facet_count;
    int32_t *facets = memory_reserve(detect->memory, detect->facets, &detect->facet_capacity, most,
                                     sizeof *facets);
    if (facets == NULL) return error_memory(err);
    detect->facets = facets;
    if (detect->soft) return detect_overlaps_reserve(detect, world, err);
    TALUS_TRY(make_ball(detect, world, err));
    return make_wall_hulls(detect, world, err);
}

void detect_forms_free(struct detect *detect) {
    detect_overlaps_free(detect);
    for (size_t k = 0; k < detect->wall_hull_capacity; k++) convex_free(&detect->wall_hulls[k]);
    convex_free(&detect->ball);
    memory_free(detect->memory, detect->wall_hulls, detect->wall_hull_capacity,
                sizeof *detect->wall_hulls);
    memory_free(detect->memory, detect->facets, detect->facet_capacity, sizeof *detect->facets);
    memory_free(detect->memory, detect->rotation, detect->rotation_capacity,
                sizeof *detect->rotation);
}

/* ---- which parts can touch ------------------------------------------------------------------- */

static size_t parts_of(const struct world *world, talus_index body) {
    const struct body_form *form = world_form(world, (size_t)body);
    return form == NULL ? 1 : form->part_count;
}

/* The hull of a part, or the ball for round grains. */
static const struct convex *hull_of(const struct detect *detect, const struct world *world,
                                    talus_index body, int32_t part) {
    const struct body_form *form = world_form(world, (size_t)body);
    return form == NULL ? &detect->ball : &form->parts[part].hull;
}

struct ball_around { /* a part, relative to the position of its body */
    vec3 centre;
    double radius;
};

static struct ball_around around(const struct world *world, talus_index body, size_t part) {
    const struct body_form *form = world_form(world, (size_t)body);
    if (form == NULL) return (struct ball_around){vec3_zero(), world->bodies.radius[body]};
    double scale = world_scale(world, (size_t)body);
    vec3 centre = quat_rotate(world->bodies.orientation[body], form->parts[part].centre);
    return (struct ball_around){vec3_scale(scale, centre), scale * form->parts[part].radius};
}

/* How many points two hulls can have in common: one for a ball, two for lines and in a plane world; b = NULL: a hull
 * and a wall. */
static size_t points_of(const struct world *world, const struct convex *a, const struct convex *b) {
    int32_t fewest = a->vertex_count;
    if (b != NULL && b->vertex_count < fewest) fewest = b->vertex_count;
    if (fewest < 2) return 1;
    if (b == NULL && fewest > 2) return world->dim < 3 ? MANIFOLD_PLANE_FLAT : MANIFOLD_MAX;
    return world->dim < 3 || fewest == 2 ? 2 : MANIFOLD_MAX;
}

static void put_slots(talus_index a, talus_index b, int32_t part_a, int32_t part_b, size_t count,
                      struct candidate *candidates, struct slot *slots) {
    for (size_t k = 0; k < count; k++) {
        candidates[k] = (struct candidate){.a = a, .b = b};
        slots[k] = (struct slot){
            .part_a = part_a, .part_b = part_b, .index = (uint8_t)k, .count = (uint8_t)count};
    }
}

static bool is_round(const struct world *world, talus_index a, talus_index b) {
    return world->bodies.form[a] == 0 && world->bodies.form[b] == 0 &&
           detect_mesh(world, a, b) == NULL;
}

/* The facets that a part of a can meet, in its present list. */
static size_t list_facets(const struct detect *detect, const struct world *world, talus_index a,
                          talus_index b, size_t part, struct candidate *candidates,
                          struct slot *slots) {
    const struct surface *mesh = detect_mesh(world, a, b);
    struct ball_around ball = around(world, a, part);
    double margin = detect->skin[a] + detect->skin[b] + detect->range;
    size_t found = detect_mesh_near(detect, world, a, b, ball.centre, ball.radius + margin);
    const struct convex *hull = hull_of(detect, world, a, (int32_t)part);
    size_t total = 0;
    for (size_t k = 0; k < found; k++) {
        int32_t facet = detect->facets[k];
        size_t count = points_of(world, hull, &mesh->facets[facet].hull);
        if (candidates != NULL)
            put_slots(a, b, (int32_t)part, facet, count, candidates + total, slots + total);
        total += count;
    }
    return total;
}

/* Parts nearer than the skins of their bodies; a wall counts as one part. */
static bool parts_can_meet(const struct detect *detect, const struct world *world, talus_index a,
                           talus_index b, size_t part_a, size_t part_b) {
    if (world->bodies.boundary[b] >= 0) return true;
    if (parts_of(world, a) == 1 && parts_of(world, b) == 1) return true;
    struct ball_around one = around(world, a, part_a), other = around(world, b, part_b);
    vec3 branch = cell_branch(&world->cell, world->bodies.position[a], world->bodies.position[b]);
    double distance = vec3_norm(vec3_sub(vec3_add(branch, other.centre), one.centre));
    return distance < one.radius + other.radius + detect->skin[a] + detect->skin[b] + detect->range;
}

size_t detect_forms_list(const struct detect *detect, const struct world *world, talus_index a,
                         talus_index b, struct candidate *candidates, struct slot *slots) {
    if (is_round(world, a, b)) {
        if (candidates != NULL) put_slots(a, b, 0, 0, 1, candidates, slots);
        if (candidates != NULL) slots[0].count = 0;
        return 1;
    }
    bool wall = world->bodies.boundary[b] >= 0;
    if (detect_mesh(world, a, b) != NULL) {
        size_t total = 0;
        for (size_t i = 0; i < parts_of(world, a); i++)
            total +=
                list_facets(detect, world, a, b, i, candidates == NULL ? NULL : candidates + total,
                            slots == NULL ? NULL : slots + total);
        return total;
    }
    size_t total = 0, parts_b = wall ? 1 : parts_of(world, b);
    for (size_t i = 0; i < parts_of(world, a); i++)
        for (size_t j = 0; j < parts_b; j++) {
            if (!parts_can_meet(detect, world, a, b, i, j)) continue;
            const struct convex *other = wall ? NULL : hull_of(detect, world, b, (int32_t)j);
            size_t count =
                detect->soft ? 1 : points_of(world, hull_of(detect, world, a, (int32_t)i), other);
            if (candidates != NULL)
                put_slots(a, b, (int32_t)i, (int32_t)j, count, candidates + total, slots + total);
            total += count;
        }
    return total;
}

/* ---- where they touch ------------------------------------------------------------------------ */

static struct placed place_grain(const struct detect *detect, const struct world *world,
                                 talus_index body, int32_t part, vec3 position) {
    bool round = world->bodies.form[body] == 0;
    return (struct placed){
        .shape = hull_of(detect, world, body, part),
        .position = position,
        .rotation = round ? mat3_diagonal(vec3_make(1, 1, 1)) : detect->rotation[body],
        .scale = round ? world->bodies.radius[body] : world_scale(world, (size_t)body)};
}

static mat3 columns(vec3 x, vec3 y, vec3 z) {
    return (mat3){{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
}

/* A plate with its first side along x and its normal along z; a rod along x. */
static struct placed place_wall(const struct detect *detect, const struct world *world,
                                int32_t boundary, vec3 grain) {
    const struct wall *wall = &detect->walls[boundary];
    struct placed placed = {.shape = &detect->wall_hulls[boundary], .scale = 1.0};
    vec3 from = cell_branch(&world->cell, grain, wall->point); /* the wall as the grain sees it */
    if (wall->shape == TALUS_RECTANGLE) {
        vec3 side = vec3_cross(wall->normal, wall->edge);
        bool flat = world->dim < 3;
        vec3 along = flat && fabs(wall->edge.z) > 0.5 ? side : wall->edge;
        placed.rotation =
            flat ? columns(along, vec3_make(-along.y, along.x, 0.0), vec3_make(0.0, 0.0, 1.0))
                 : columns(along, side, wall->normal);
        if (flat) from.z = 0.0;
    } else {
        vec3 across = vec3_perpendicular(wall->normal);
        placed.rotation = columns(wall->normal, across, vec3_cross(wall->normal, across));
        from = vec3_add_scaled(from, -vec3_dot(from, wall->normal), wall->normal);
        if (world->dim < 3) placed.rotation = mat3_diagonal(vec3_make(1, 1, 1));
    }
    placed.position = from;
    return placed;
}

static size_t find_hollow(const struct wall *wall, const struct placed *a, vec3 from, double margin,
                          struct spot *spots) {
    struct hollow_point points[MANIFOLD_MAX];
    int count = manifold_hollow(a, from, wall->normal, wall->radius, margin, points);
    for (int k = 0; k < count; k++)
        spots[k] = (struct spot){.normal = points[k].normal,
                                 .point = points[k].point,
                                 .gap = points[k].gap,
                                 .curvature = -1.0 / wall->radius,
                                 .feature = points[k].feature};
    return (size_t)count;
}

static size_t find_wall_spots(const struct detect *detect, const struct world *world,
                              const struct placed *a, talus_index body, int32_t boundary,
                              struct slot *first, double margin, struct spot *spots) {
    const struct wall *wall = &detect->walls[boundary];
    vec3 grain = world->bodies.position[body];
    vec3 from = cell_branch(&world->cell, grain, wall->point);
    struct manifold manifold = {.count = 0};
    if (wall->shape == TALUS_CYLINDER_INSIDE) return find_hollow(wall, a, from, margin, spots);
    if (wall->shape == TALUS_PLANE) {
        manifold_plane(a, wall->normal, vec3_dot(from, wall->normal), margin, &manifold);
        return detect_spots(&manifold, spots);
    }
    struct placed b = place_wall(detect, world, boundary, grain);
    manifold_find(a, &b, margin, &first->hint, &manifold);
    size_t count = detect_spots(&manifold, spots);
    for (size_t k = 0; k < count && wall->shape == TALUS_CYLINDER_OUTSIDE; k++)
        spots[k].curvature = 1.0 / wall->radius;
    return count;
}

static size_t find_spots(const struct detect *detect, const struct world *world,
                         const struct candidate *pair, struct slot *first, struct spot *spots) {
    double margin = detect->skin[pair->a] + detect->skin[pair->b] + detect->range;
    struct placed a = place_grain(detect, world, pair->a, first->part_a, vec3_zero());
    int32_t boundary = world->bodies.boundary[pair->b];
    if (detect_mesh(world, pair->a, pair->b) != NULL)
        return detect_mesh_spots(world, &a, pair, first, margin, spots);
    if (boundary >= 0)
        return find_wall_spots(detect, world, &a, pair->a, boundary, first, margin, spots);
    vec3 branch =
        cell_branch(&world->cell, world->bodies.position[pair->a], world->bodies.position[pair->b]);
    struct placed b = place_grain(detect, world, pair->b, first->part_b, branch);
    struct manifold manifold = {.count = 0};
    manifold_find(&a, &b, margin, &first->hint, &manifold);
    return detect_spots(&manifold, spots);
}

static void fill_slot(struct slot *slot, const struct spot *spot) {
    slot->normal = spot->normal;
    slot->arm = spot->point;
    slot->gap = spot->gap;
    slot->curvature = spot->curvature;
    slot->feature = spot->feature;
    slot->dormant = spot->dormant;
}

static void forget(struct detect *detect, size_t candidate) {
    detect->candidates[candidate].impulse = vec3_zero();
    if (detect->remembers && detect->remembered)
        detect->memories[candidate] = (struct contact_memory){.tension = 0.0};
}

/* The point that the slot had is there no more. On a mesh it may have gone on to another facet. */
static void vacate(struct detect *detect, size_t candidate, struct mesh_run *run) {
    if (run != NULL && detect->slots[candidate].feature != 0)
        mesh_run_leave(run, detect, candidate);
    detect->slots[candidate].feature = 0;
    forget(detect, candidate);
}

/* The slot whose old point was nearest, of those not taken; a vacant one if all old points are far. */
static size_t nearest_slot(const struct slot *slots, size_t count, const bool *taken, vec3 point,
                           double *distance) {
    size_t best = count;
    *distance = HUGE_VAL;
    for (size_t k = 0; k < count; k++) {
        if (taken[k]) continue;
        double away = slots[k].feature == 0 ? 1e300 : vec3_norm(vec3_sub(slots[k].arm, point));
        if (best < count && away >= *distance) continue;
        best = k;
        *distance = away;
    }
    return best;
}

/* What a point that falls asleep remembers belongs to where the contact has gone on. */
static void change_sleep(struct detect *detect, size_t candidate, bool dormant,
                         struct mesh_run *run) {
    bool was_dormant = detect->slots[candidate].dormant;
    if (dormant == was_dormant) return;
    if (dormant) {
        mesh_run_leave(run, detect, candidate);
        forget(detect, candidate);
    } else {
        mesh_run_enter(run, candidate);
    }
}

/* Each point into the slot that had it; new ones where there is room. `run`: on a mesh, else NULL. */
static void match(struct detect *detect, size_t first, const struct spot *spots, size_t spot_count,
                  double radius, struct mesh_run *run) {
    struct slot *slots = &detect->slots[first];
    size_t count = slots[0].count;
    bool taken[MANIFOLD_MAX] = {false}, placed[MANIFOLD_MAX] = {false};
    if (spot_count > count) spot_count = count;
    for (size_t s = 0; s < spot_count; s++)
        for (size_t k = 0; k < count && !placed[s]; k++) {
            if (taken[k] || slots[k].feature != spots[s].feature) continue;
            if (run != NULL) change_sleep(detect, first + k, spots[s].dormant, run);
            fill_slot(&slots[k], &spots[s]);
            taken[k] = placed[s] = true;
        }
    for (size_t s = 0; s < spot_count; s++) {
        if (placed[s]) continue;
        double distance;
        size_t k = nearest_slot(slots, count, taken, spots[s].point, &distance);
        if (distance > same_share * radius) {
            vacate(detect, first + k, run);
            if (run != NULL && !spots[s].dormant) mesh_run_enter(run, first + k);
        }
        fill_slot(&slots[k], &spots[s]);
        taken[k] = true;
    }
    for (size_t k = 0; k < count; k++)
        if (!taken[k]) vacate(detect, first + k, run);
}

void detect_forms_place(struct detect *detect, const struct world *world) {
    for (size_t i = 0; i < world->bodies.count; i++)
        if (world->bodies.form[i] > 0)
            detect->rotation[i] = quat_matrix(world->bodies.orientation[i]);
    struct mesh_run run = {.a = -1};
    for (size_t k = 0; k < detect->candidate_count; k++) {
        struct slot *first = &detect->slots[k];
        if (first->count == 0 || first->index > 0) continue;
        const struct candidate *pair = &detect->candidates[k];
        double radius = world->bodies.radius[pair->a];
        bool on_mesh = detect_mesh(world, pair->a, pair->b) != NULL;
        struct spot spots[MANIFOLD_MAX];
        size_t count = find_spots(detect, world, pair, first, spots);
        if (on_mesh) {
            if (!mesh_run_goes_on(&run, pair, first)) mesh_run_start(&run, detect, world, k);
            count = mesh_run_take(&run, spots, count);
        }
        match(detect, k, spots, count, radius, on_mesh ? &run : NULL);
    }
    mesh_run_end(&run, detect);
}

/* ---- which points become contacts -------------------------------------------------------------- */

struct choice {
    const struct slot *slots;
    const bool *open; /* may be chosen */
    size_t count;
    size_t chosen[CONTACTS_OF_PARTS + 1];
    size_t chosen_count;
};

/* Twice the area of three contact points. */
static double area(const struct choice *choice, size_t p, size_t q, size_t r) {
    const struct slot *slots = choice->slots;
    vec3 one = vec3_sub(slots[q].arm, slots[p].arm), other = vec3_sub(slots[r].arm, slots[p].arm);
    return vec3_dot(vec3_cross(one, other), slots[p].normal);
}

/* What the point adds to those chosen: distance, then area. */
static double gain(const struct choice *choice, size_t k) {
    const size_t *c = choice->chosen;
    if (choice->chosen_count == 1)
        return vec3_norm2(vec3_sub(choice->slots[k].arm, choice->slots[c[0]].arm));
    if (choice->chosen_count == 2) return fabs(area(choice, c[0], c[1], k));
    double sign = area(choice, c[0], c[1], c[2]) < 0.0 ? -1.0 : 1.0;
    double outside = fmax(-sign * area(choice, c[0], c[1], k), -sign * area(choice, c[1], c[2], k));
    return fmax(outside, -sign * area(choice, c[2], c[0], k));
}

static bool is_chosen(const struct choice *choice, size_t k) {
    for (size_t j = 0; j < choice->chosen_count; j++)
        if (choice->chosen[j] == k) return true;
    return false;
}

/* Among nearly equal gains the smallest name, so that the choice stays from step to step. */
static bool choose_next(struct choice *choice) {
    double largest = 0.0;
    size_t best = choice->count;
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < choice->count; k++) {
            if (!choice->open[k] || is_chosen(choice, k)) continue;
            double value = gain(choice, k);
            if (pass == 0) largest = fmax(largest, value);
            if (pass == 0 || !(value > 0.0) || value < (1.0 - 1e-6) * largest) continue;
            if (best == choice->count || choice->slots[k].feature < choice->slots[best].feature)
                best = k;
        }
    if (best == choice->count) return false;
    choice->chosen[choice->chosen_count++] = best;
    return true;
}

static size_t closes_first(const struct choice *choice, const double *gaps, double even) {
    double least = HUGE_VAL;
    size_t best = choice->count;
    for (size_t k = 0; k < choice->count; k++)
        if (choice->open[k]) least = fmin(least, gaps[k]);
    for (size_t k = 0; k < choice->count; k++) {
        if (!choice->open[k] || gaps[k] > least + even) continue;
        if (best == choice->count || choice->slots[k].feature < choice->slots[best].feature)
            best = k;
    }
    return best;
}

/* Points that close much later than the first need not be contacts, as long as four are left. */
static void keep_near(const double *gaps, size_t count, double share, bool *open, bool *wanted) {
    size_t left = 0;
    double least = HUGE_VAL;
    for (size_t k = 0; k < count; k++) {
        left += open[k];
        if (open[k]) least = fmin(least, gaps[k]);
    }
    while (left > CONTACTS_OF_PARTS) {
        size_t last = count;
        for (size_t k = 0; k < count; k++)
            if (open[k] && (last == count || gaps[k] > gaps[last])) last = k;
        if (gaps[last] <= fmax(least, 0.0) + share) return;
        open[last] = wanted[last] = false;
        left--;
    }
}

/* Points that bore a force go on bearing it: without them the step would often be solved in vain. */
static void keep_loaded(struct choice *choice, const struct candidate *candidates) {
    for (size_t k = 0; k < choice->count && choice->chosen_count < CONTACTS_OF_PARTS; k++)
        if (choice->open[k] && vec3_norm2(candidates[k].impulse) > 0.0)
            choice->chosen[choice->chosen_count++] = k;
}

void detect_forms_choose(const struct detect *detect, size_t first, const double *gaps,
                         double radius, bool *wanted) {
    size_t count = detect->slots[first].count, open_count = 0;
    bool open[MANIFOLD_MAX];
    for (size_t k = 0; k < count; k++) {
        bool bonded = detect->remembers && detect->memories[first + k].bonded;
        open[k] = wanted[k] && !detect->activated[first + k] && !bonded;
        open_count += open[k];
    }
    if (open_count <= CONTACTS_OF_PARTS) return;
    keep_near(gaps, count, near_share * radius, open, wanted);
    struct choice choice = {.slots = &detect->slots[first], .open = open, .count = count};
    open_count = 0;
    for (size_t k = 0; k < count; k++) open_count += open[k];
    if (open_count <= CONTACTS_OF_PARTS) return;
    keep_loaded(&choice, &detect->candidates[first]);
    size_t deepest = closes_first(&choice, gaps, 1e-6 * radius);
    if (!is_chosen(&choice, deepest)) choice.chosen[choice.chosen_count++] = deepest;
    while (choice.chosen_count < CONTACTS_OF_PARTS && choose_next(&choice)) continue;
    for (size_t k = 0; k < count; k++)
        if (open[k]) wanted[k] = is_chosen(&choice, k);
}
