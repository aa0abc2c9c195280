/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/mesh.h"

#include <math.h>
#include <stdlib.h>

#include "geom/mesh_weld.h"

/* By the radius: points this near are one in any case; a point may have come this much farther than its grain has
 * moved; and the least height from which surface_bears judges what pushes. */
static const double same_most = 1e-3, way_slack = 1e-3, height_least = 1e-3;
/* Directions within 1.4e-3 rad are the same. */
static const double same_direction = 1.0 - 1e-6;

size_t detect_spots(const struct manifold *manifold, struct spot *spots) {
    for (int k = 0; k < manifold->count; k++)
        spots[k] = (struct spot){.normal = manifold->normal,
                                 .point = manifold->points[k].point,
                                 .gap = manifold->points[k].gap,
                                 .feature = manifold->points[k].feature};
    return (size_t)manifold->count;
}

const struct surface *detect_mesh(const struct world *world, talus_index a, talus_index b) {
    int32_t boundary = world->bodies.boundary[b];
    if (boundary < 0 || world->boundaries[boundary].mesh.facet_count == 0) return NULL;
    bool is_true = world->boundaries[boundary].local.shape == TALUS_MESH;
    return is_true || world->bodies.form[a] > 0 ? &world->boundaries[boundary].mesh : NULL;
}

static int compare_numbers(const void *left, const void *right) {
    const int32_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

size_t detect_mesh_near(const struct detect *detect, const struct world *world, talus_index a,
                        talus_index b, vec3 centre, double radius) {
    vec3 from = cell_branch(&world->cell, world->bodies.position[b], world->bodies.position[a]);
    quat turn = world->bodies.orientation[b], back = {turn.w, -turn.x, -turn.y, -turn.z};
    size_t found = surface_near(detect_mesh(world, a, b), quat_rotate(back, vec3_add(from, centre)),
                                radius, detect->facets, detect->facet_capacity);
    qsort(detect->facets, found, sizeof *detect->facets, compare_numbers);
    return found;
}

/* ---- where they touch ------------------------------------------------------------------------ */

/* A tip that has dipped below the surface beside a seam is nearer to the side of each facet than to its face, and
 * each would leave it to the other. It is pushed out across the face it has passed instead. */
static size_t find_pierced(const struct surface *mesh, int32_t facet, const struct placed *a,
                           const struct placed *b, double margin, struct spot *spots) {
    vec3 corner = mesh->corners[mesh->facets[facet].first];
    vec3 at = vec3_add(b->position, mat3_apply(&b->rotation, corner));
    vec3 normal = mat3_apply(&b->rotation, mesh->facets[facet].normal);
    if (vec3_dot(normal, at) > 0.0)
        normal = vec3_scale(-1.0, normal); /* to the centre of the grain */
    mat3 back = mat3_transposed(&b->rotation);
    struct manifold manifold = {.count = 0};
    manifold_plane(a, normal, vec3_dot(normal, at), margin, &manifold);
    struct spot found[MANIFOLD_MAX];
    size_t count = detect_spots(&manifold, found), kept = 0;
    for (size_t k = 0; k < count; k++) {
        vec3 surface = vec3_add_scaled(found[k].point, 0.5 * found[k].gap, found[k].normal);
        vec3 point = mat3_apply(&back, vec3_sub(surface, b->position));
        if (found[k].gap < 0.0 && surface_covers(mesh, facet, point)) spots[kept++] = found[k];
    }
    return kept;
}

/* A point of the surface as the mesh sees it, and the direction from there to the grain. */
struct mesh_place {
    vec3 point, away;
};

static struct mesh_place place_on_mesh(const struct spot *spot, vec3 mesh_position, quat turn) {
    quat back = {turn.w, -turn.x, -turn.y, -turn.z};
    vec3 surface = vec3_add_scaled(spot->point, 0.5 * spot->gap, spot->normal);
    return (struct mesh_place){quat_rotate(back, vec3_sub(surface, mesh_position)),
                               quat_rotate(back, vec3_scale(-1.0, spot->normal))};
}

/* Points on sides where the surface goes on are left to the neighbour if that is nearer. */
size_t detect_mesh_spots(const struct world *world, const struct placed *a,
                         const struct candidate *pair, struct slot *first, double margin,
                         struct spot *spots) {
    const struct surface *mesh = detect_mesh(world, pair->a, pair->b);
    const struct bodies *bodies = &world->bodies;
    quat turn = bodies->orientation[pair->b];
    struct placed b = {.shape = &mesh->facets[first->part_b].hull, .scale = 1.0};
    b.rotation = quat_matrix(turn);
    b.position = cell_branch(&world->cell, bodies->position[pair->a], bodies->position[pair->b]);
    struct manifold manifold = {.count = 0};
    manifold_find(a, &b, margin, &first->hint, &manifold);
    struct spot found[MANIFOLD_MAX];
    size_t count = detect_spots(&manifold, found), bearing = 0;
    double rounding = a->scale * a->shape->rounding;
    double least = height_least * bodies->radius[pair->a];
    for (size_t k = 0; k < count; k++) {
        struct mesh_place place = place_on_mesh(&found[k], b.position, turn);
        double height = fmax(found[k].gap + rounding, least);
        found[k].dormant = !surface_bears(mesh, first->part_b, place.point, place.away, height);
        bearing += !found[k].dormant;
        spots[k] = found[k];
    }
    if (bearing == 0 && count > 0 && manifold.gap < 0.0) {
        size_t pierced = find_pierced(mesh, first->part_b, a, &b, margin, spots);
        if (pierced > 0) return pierced;
        for (size_t k = 0; k < count; k++) spots[k] = found[k];
    }
    return count;
}

/* ---- points that are none yet ------------------------------------------------------------------ */

struct pose {
    vec3 position;
    quat turn;
};

static struct pose pose_after(const struct world *world, const struct velocities *velocities,
                              talus_index body, double dt) {
    vec3 v = velocities_at(velocities->velocity, velocities->stride, body);
    vec3 w = velocities_at(velocities->omega, velocities->stride, body);
    return (struct pose){vec3_scale(dt, v), /* how far from where it is */
                         quat_turn(world->bodies.orientation[body], vec3_scale(dt, w))};
}

/* m, how deep a point of the grain's own frame is inside the part; negative: it is not. */
static double depth_in(const struct convex *hull, vec3 point) {
    double depth = hull->face_count > 0 ? HUGE_VAL : -HUGE_VAL;
    for (int32_t f = 0; f < hull->face_count; f++)
        depth = fmin(depth, hull->faces[f].offset - vec3_dot(hull->faces[f].normal, point));
    return depth + hull->rounding;
}

double detect_mesh_depth(const struct detect *detect, const struct world *world, size_t candidate,
                         const struct velocities *velocities, double dt) {
    const struct candidate *pair = &detect->candidates[candidate];
    const struct slot *slot = &detect->slots[candidate];
    const struct bodies *bodies = &world->bodies;
    const struct body_form *form = world_form(world, (size_t)pair->a);
    if (form == NULL) return -HUGE_VAL; /* a ball touches where it is nearest */
    vec3 branch = cell_branch(&world->cell, bodies->position[pair->a], bodies->position[pair->b]);
    struct spot spot = {.normal = slot->normal, .point = slot->arm, .gap = slot->gap};
    struct mesh_place place = place_on_mesh(&spot, branch, bodies->orientation[pair->b]);
    struct pose grain = pose_after(world, velocities, pair->a, dt);
    struct pose wall = pose_after(world, velocities, pair->b, dt);
    vec3 apart = vec3_add(branch, vec3_sub(wall.position, grain.position));
    vec3 seen = vec3_add(apart, quat_rotate(wall.turn, place.point));
    quat back = {grain.turn.w, -grain.turn.x, -grain.turn.y, -grain.turn.z};
    double scale = world_scale(world, (size_t)pair->a);
    vec3 own = vec3_scale(1.0 / scale, quat_rotate(back, seen));
    return scale * depth_in(&form->parts[slot->part_a].hull, own);
}

/* ---- from facet to facet --------------------------------------------------------------------- */

bool mesh_run_goes_on(const struct mesh_run *run, const struct candidate *pair,
                      const struct slot *slot) {
    return run->a == pair->a && run->b == pair->b && run->part == slot->part_a;
}

void mesh_run_start(struct mesh_run *run, struct detect *detect, const struct world *world,
                    size_t candidate) {
    mesh_run_end(run, detect);
    const struct candidate *pair = &detect->candidates[candidate];
    double radius = world->bodies.radius[pair->a],
           size = detect_mesh(world, pair->a, pair->b)->size;
    run->a = pair->a;
    run->b = pair->b;
    run->part = detect->slots[candidate].part_a;
    run->same = fmin(MESH_SAME * size, same_most * radius);
    run->way = detect->reach[pair->a] + detect->reach[pair->b] + way_slack * radius;
    run->spot_count = 0;
}

/* What is dormant stands back for all others. */
static bool is_known(const struct mesh_run *run, const struct spot *spot) {
    int count = run->spot_count < MESH_RUN_SPOTS ? run->spot_count : MESH_RUN_SPOTS;
    for (int k = 0; k < count; k++) {
        vec3 apart = vec3_sub(run->points[k], spot->point);
        if (run->dormant[k] && !spot->dormant) continue;
        if (vec3_norm2(apart) <= run->same * run->same &&
            vec3_dot(run->normals[k], spot->normal) > same_direction)
            return true;
    }
    return false;
}

/* If there are very many the oldest are forgotten. */
size_t mesh_run_take(struct mesh_run *run, struct spot *spots, size_t count) {
    size_t kept = 0;
    for (size_t k = 0; k < count; k++)
        if (!is_known(run, &spots[k])) spots[kept++] = spots[k];
    for (size_t k = 0; k < kept; k++) { /* points of one facet are all its own */
        int place = run->spot_count++ % MESH_RUN_SPOTS;
        run->points[place] = spots[k].point;
        run->normals[place] = spots[k].normal;
        run->dormant[place] = spots[k].dormant;
    }
    return kept;
}

void mesh_run_leave(struct mesh_run *run, const struct detect *detect, size_t candidate) {
    if (run->left_count == MESH_RUN_MOVES) return;
    struct mesh_left *left = &run->left[run->left_count++];
    left->arm = detect->slots[candidate].arm;
    left->impulse = detect->candidates[candidate].impulse;
    if (detect->remembers && detect->remembered) left->memory = detect->memories[candidate];
}

void mesh_run_enter(struct mesh_run *run, size_t candidate) {
    if (run->entered_count < MESH_RUN_MOVES) run->entered[run->entered_count++] = candidate;
}

static int nearest_left(const struct mesh_run *run, vec3 arm) {
    int best = -1;
    double least = run->way * run->way;
    for (int k = 0; k < run->left_count; k++) {
        double distance2 = vec3_norm2(vec3_sub(run->left[k].arm, arm));
        if (distance2 > least) continue;
        best = k;
        least = distance2;
    }
    return best;
}

void mesh_run_end(struct mesh_run *run, struct detect *detect) {
    for (int k = 0; k < run->entered_count; k++) {
        size_t candidate = run->entered[k];
        int from = nearest_left(run, detect->slots[candidate].arm);
        if (from < 0) continue;
        detect->candidates[candidate].impulse = run->left[from].impulse;
        if (detect->remembers && detect->remembered)
            detect->memories[candidate] = run->left[from].memory;
        run->left[from] = run->left[--run->left_count];
    }
    run->left_count = run->entered_count = 0;
    run->a = -1;
}
