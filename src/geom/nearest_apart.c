/* SPDX-License-Identifier: Apache-2.0
 *
 * Nearest features of convex cores that are apart, by trying all that can matter.
 *
 * With a slab of gap s along n and a distance of at most d, the nearest points lie within d - s of its
 * two planes: along n they are no more than d apart. Only features that reach into these skins are tried:
 * vertices over faces, and segments against segments including their ends.
 */
#include "geom/nearest.h"

struct trial {
    const struct pair *pair;
    vec3 normal;            /* of the slab */
    double top_a, bottom_b; /* m, along the normal: how far features of a and b must reach */
    struct nearest best;
    double best_slab; /* m, gap of the slab along best.normal */
};

static double slab_of(const struct trial *trial, vec3 normal) {
    return slab_along(trial->pair, normal, 0, 0).gap;
}

/* Keep the nearer. Features that meet in an edge or corner tie to rounding although their directions differ
 * by the square root of that; the true direction has the widest slab. */
static void offer(struct trial *trial, struct nearest *candidate) {
    double exact = NEAREST_EXACT * trial->pair->unit;
    if (candidate->gap > trial->best.gap + exact) return;
    if (candidate->size_a != 3 && candidate->size_b != 3)
        candidate->normal = nearest_direction(trial->pair, candidate);
    if (vec3_norm2(candidate->normal) == 0.0) candidate->normal = trial->normal; /* coincident */
    double slab = slab_of(trial, candidate->normal);
    if (candidate->gap >= trial->best.gap - exact && slab <= trial->best_slab) return;
    trial->best = *candidate;
    trial->best_slab = slab;
}

/* A vertex of one against a segment of the other. */
static void try_end(struct trial *trial, bool of_b, int32_t vertex, vec3 x, const int32_t ends[2],
                    const vec3 y[2]) {
    double share = segment_share(y[0], vec3_sub(y[1], y[0]), x);
    int size = share > 0.0 && share < 1.0 ? 2 : 1;
    vec3 foot = vec3_add_scaled(y[0], share, vec3_sub(y[1], y[0]));
    struct nearest near = {.gap = vec3_norm(vec3_sub(foot, x))};
    near.point_a = of_b ? foot : x;
    near.point_b = of_b ? x : foot;
    near.size_a = of_b ? size : 1;
    near.size_b = of_b ? 1 : size;
    int32_t *segment = of_b ? near.a : near.b;
    segment[0] = share < 1.0 ? ends[0] : ends[1];
    segment[1] = ends[1];
    *(of_b ? near.b : near.a) = vertex;
    offer(trial, &near);
}

static void try_segments(struct trial *trial, const vec3 x[2], const int32_t a[2], const vec3 y[2],
                         const int32_t b[2]) {
    for (int k = 0; k < 2; k++) {
        try_end(trial, false, a[k], x[k], b, y);
        try_end(trial, true, b[k], y[k], a, x);
    }
    vec3 u = posed_step(&trial->pair->a, a[0], a[1]), v = posed_step(&trial->pair->b, b[0], b[1]);
    /* Sides that cross in a plane world are no way to be apart. */
    if (!(vec3_norm2(vec3_cross(u, v)) > 0.0) || trial->pair->a.shape->dim == 2) return;
    double shares[2];
    segments_cross(x[0], u, y[0], v, shares);
    for (int k = 0; k < 2; k++) {
        if (!(shares[k] > 0.0 && shares[k] < 1.0)) return;
    }
    struct nearest near = {.size_a = 2, .size_b = 2, .a = {a[0], a[1]}, .b = {b[0], b[1]}};
    near.point_a = vec3_add_scaled(x[0], shares[0], u);
    near.point_b = vec3_add_scaled(y[0], shares[1], v);
    near.gap = vec3_norm(vec3_sub(near.point_b, near.point_a));
    offer(trial, &near);
}

static bool vertex_matters(const struct trial *trial, bool of_b, vec3 x) {
    double height = vec3_dot(trial->normal, x);
    return of_b ? height <= trial->bottom_b : height >= trial->top_a;
}

static bool segment_matters(const struct trial *trial, bool of_b, const vec3 x[2]) {
    return vertex_matters(trial, of_b, x[0]) || vertex_matters(trial, of_b, x[1]);
}

static void try_all_segments(struct trial *trial) {
    const struct pair *pair = trial->pair;
    int32_t a[2], b[2];
    for (int32_t i = 0; i < convex_segments(pair->a.shape); i++) {
        convex_segment(pair->a.shape, i, a);
        vec3 x[2] = {posed_vertex(&pair->a, a[0]), posed_vertex(&pair->a, a[1])};
        if (!segment_matters(trial, false, x)) continue;
        for (int32_t j = 0; j < convex_segments(pair->b.shape); j++) {
            convex_segment(pair->b.shape, j, b);
            vec3 y[2] = {posed_vertex(&pair->b, b[0]), posed_vertex(&pair->b, b[1])};
            if (segment_matters(trial, true, y)) try_segments(trial, x, a, y, b);
        }
    }
}

static bool face_matters(const struct trial *trial, bool of_b, int32_t face) {
    const struct posed *owner = of_b ? &trial->pair->b : &trial->pair->a;
    const struct convex_face *f = &owner->shape->faces[face];
    for (int32_t k = 0; k < f->count; k++) {
        int32_t vertex = owner->shape->loops[f->first + k];
        if (vertex_matters(trial, of_b, posed_vertex(owner, vertex))) return true;
    }
    return false;
}

/* Vertices of one over the faces of the other; also just under them, by rounding. */
static void try_all_faces(struct trial *trial, bool of_b) {
    const struct pair *pair = trial->pair;
    const struct posed *owner = of_b ? &pair->b : &pair->a, *other = of_b ? &pair->a : &pair->b;
    double exact = NEAREST_EXACT * pair->unit;
    for (int32_t f = 0; f < owner->shape->face_count; f++) {
        if (!face_matters(trial, of_b, f)) continue;
        vec3 outward = posed_normal(owner, f);
        vec3 corner = posed_vertex(owner, posed_corner(owner, f));
        for (int32_t v = 0; v < other->shape->vertex_count; v++) {
            vec3 x = posed_vertex(other, v);
            double height = vec3_dot(outward, vec3_sub(x, corner));
            if (height < -exact || height > trial->best.gap + exact) continue;
            if (!vertex_matters(trial, !of_b, x)) continue;
            if (!posed_face_covers(owner, f, x, pair->unit)) continue;
            struct nearest near;
            nearest_on_face(pair, of_b, f, v, &near);
            offer(trial, &near);
        }
    }
}

/* Nearest points so close that their direction is rounding: the widest slab has a better one. */
static void settle(struct trial *trial) {
    if (trial->best_slab >= trial->best.gap - NEAREST_EXACT * trial->pair->unit) return;
    struct nearest widest;
    nearest_depth(trial->pair, NULL, &widest);
    if (widest.gap > trial->best_slab) trial->best.normal = widest.normal;
}

void nearest_apart(const struct pair *pair, const struct slab *slab, struct nearest *out) {
    vec3 x = posed_vertex(&pair->a, slab->a), y = posed_vertex(&pair->b, slab->b);
    struct trial trial = {.pair = pair, .normal = slab->normal, .best_slab = slab->gap};
    trial.best = (struct nearest){.gap = vec3_norm(vec3_sub(y, x)), .normal = slab->normal};
    trial.best.point_a = x;
    trial.best.point_b = y;
    trial.best.size_a = trial.best.size_b = 1;
    trial.best.a[0] = slab->a;
    trial.best.b[0] = slab->b;
    double skin = trial.best.gap - slab->gap + NEAREST_EXACT * pair->unit;
    trial.top_a = vec3_dot(slab->normal, x) - skin;
    trial.bottom_b = vec3_dot(slab->normal, y) + skin;
    try_all_segments(&trial);
    try_all_faces(&trial, false);
    try_all_faces(&trial, true);
    settle(&trial);
    *out = trial.best;
}
