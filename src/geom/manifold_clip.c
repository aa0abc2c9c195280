/* SPDX-License-Identifier: Apache-2.0
 * Names, choice and collection of the points of a manifold. */
#include "geom/manifold_clip.h"

/* ---- names ------------------------------------------------------------------------------------ */

enum { NAME_SHIFT = 30, VERTEX_OF_A = 1, VERTEX_OF_B = 2, CROSSING = 3 };

static const uint32_t name_mask = ((uint32_t)1 << NAME_SHIFT) - 1;

uint32_t feature_vertex(bool of_b, int32_t vertex) {
    uint32_t kind = of_b ? VERTEX_OF_B : VERTEX_OF_A;
    return kind << NAME_SHIFT | ((uint32_t)vertex & name_mask);
}

/* The four vertices, each in 7 bits; of larger hulls a mixture of them. */
uint32_t feature_crossing(const int32_t a[2], const int32_t b[2]) {
    uint32_t ends[4] = {
        (uint32_t)(a[0] < a[1] ? a[0] : a[1]), (uint32_t)(a[0] < a[1] ? a[1] : a[0]),
        (uint32_t)(b[0] < b[1] ? b[0] : b[1]), (uint32_t)(b[0] < b[1] ? b[1] : b[0])};
    uint32_t name = 0, large = 0;
    for (int k = 0; k < 4; k++) {
        large |= ends[k] >> 7;
        name = name << 7 | (ends[k] & 127);
    }
    if (large) {
        name = 0x811c9dc5u; /* Fowler, Noll and Vo's hash by words */
        for (int k = 0; k < 4; k++) name = (name ^ ends[k]) * 0x01000193u ^ name >> 15;
        name &= name_mask;
    }
    return (uint32_t)CROSSING << NAME_SHIFT | name;
}

/* ---- collection ------------------------------------------------------------------------------- */

static double distance2(const struct spot *p, const struct spot *q) {
    double du = p->u - q->u, dv = p->v - q->v;
    return du * du + dv * dv;
}

/* Has a spot other than number k this name? */
static bool is_taken(const struct spots *spots, uint32_t feature, int k) {
    for (int j = 0; j < spots->count; j++) {
        if (j != k && spots->at[j].feature == feature) return true;
    }
    return false;
}

/* One place with two names: the deeper of both spots, with the smaller name if that is free. */
static void join(struct spots *spots, int k, struct spot spot) {
    struct spot *other = &spots->at[k];
    uint32_t feature = other->feature;
    if (spot.feature < feature && !is_taken(spots, spot.feature, k)) feature = spot.feature;
    if (spot.gap < other->gap) *other = spot;
    other->feature = feature;
}

void spots_add(struct spots *spots, struct spot spot) {
    double same = MANIFOLD_SAME * spots->extent;
    for (int k = 0; k < spots->count; k++) {
        if (distance2(&spots->at[k], &spot) <= same * same) {
            join(spots, k, spot);
            return;
        }
    }
    if (spots->count == MANIFOLD_SPOTS) return;
    while (is_taken(spots, spot.feature, -1)) /* mixed names may collide */
        spot.feature = (spot.feature & ~name_mask) | ((spot.feature + 1) & name_mask);
    spots->at[spots->count++] = spot;
}

/* ---- choice ----------------------------------------------------------------------------------- */

/* The index of the largest score; among nearly equal ones that of the smallest name. */
static int choose(const struct spots *spots, const double *scores) {
    double largest = 0.0;
    for (int k = 0; k < spots->count; k++) largest = fmax(largest, scores[k]);
    int best = -1;
    for (int k = 0; k < spots->count; k++) {
        if (scores[k] <= 0.0 || scores[k] < (1.0 - MANIFOLD_EVEN) * largest) continue;
        if (best < 0 || spots->at[k].feature < spots->at[best].feature) best = k;
    }
    return best;
}

static int choose_deepest(const struct spots *spots) {
    double least = HUGE_VAL, even = MANIFOLD_SAME * spots->extent;
    for (int k = 0; k < spots->count; k++) least = fmin(least, spots->at[k].gap);
    int best = -1;
    for (int k = 0; k < spots->count; k++) {
        if (spots->at[k].gap > least + even) continue;
        if (best < 0 || spots->at[k].feature < spots->at[best].feature) best = k;
    }
    return best;
}

/* Twice the area of p, q, r; positive if counter-clockwise. */
static double area(const struct spot *p, const struct spot *q, const struct spot *r) {
    return (q->u - p->u) * (r->v - p->v) - (q->v - p->v) * (r->u - p->u);
}

/* Chosen points; from three on counter-clockwise. */
struct ring {
    int count;
    int at[MANIFOLD_MAX];
};

/* What point k adds to the ring: a distance, an area, from three on the largest area outside one of the
 * sides; *after is the place in the ring it comes after. */
static double added(const struct spots *spots, const struct ring *ring, int k, int *after) {
    const struct spot *x = &spots->at[k], *first = &spots->at[ring->at[0]];
    *after = ring->count - 1;
    if (ring->count == 1) return distance2(first, x);
    if (ring->count == 2) {
        double left = area(first, &spots->at[ring->at[1]], x);
        *after = left < 0.0 ? 0 : 1;
        return fabs(left);
    }
    double most = 0.0;
    for (int j = 0; j < ring->count; j++) {
        int next = j + 1 < ring->count ? j + 1 : 0;
        double outside = -area(&spots->at[ring->at[j]], &spots->at[ring->at[next]], x);
        if (outside <= most) continue;
        most = outside;
        *after = j;
    }
    return most;
}

static void insert(struct ring *ring, int after, int k) {
    for (int j = ring->count; j > after + 1; j--) ring->at[j] = ring->at[j - 1];
    ring->at[after + 1] = k;
    ring->count++;
}

/* Add the point that spans most; false if none adds anything. */
static bool grow(const struct spots *spots, struct ring *ring) {
    double scores[MANIFOLD_SPOTS];
    int after;
    for (int k = 0; k < spots->count; k++) scores[k] = added(spots, ring, k, &after);
    for (int j = 0; j < ring->count; j++) scores[ring->at[j]] = 0.0;
    int next = choose(spots, scores);
    if (next < 0) return false;
    added(spots, ring, next, &after);
    insert(ring, after, next);
    return true;
}

void spots_reduce(struct spots *spots, int limit) {
    if (spots->count <= limit) return;
    struct ring ring = {.count = 1};
    ring.at[0] = choose_deepest(spots);
    while (ring.count < limit && grow(spots, &ring)) continue;
    struct spot kept[MANIFOLD_MAX];
    for (int j = 0; j < ring.count; j++) kept[j] = spots->at[ring.at[j]];
    for (int j = 0; j < ring.count; j++) spots->at[j] = kept[j];
    spots->count = ring.count;
}

int spots_limit(const struct convex *shape) {
    int32_t count = shape->vertex_count, most = shape->dim == 2 ? 2 : MANIFOLD_MAX;
    return count < 3 ? (int)count : (int)most;
}

/* ---- features --------------------------------------------------------------------------------- */

static bool has_vertex(const struct convex *shape, int32_t face, int32_t vertex) {
    const struct convex_face *f = &shape->faces[face];
    for (int32_t k = 0; k < f->count; k++) {
        if (shape->loops[f->first + k] == vertex) return true;
    }
    return false;
}

int32_t face_towards(const struct posed *posed, vec3 direction, int32_t vertex) {
    vec3 local = posed_local(posed, direction);
    double highest = MANIFOLD_COS;
    int32_t best = -1;
    for (int32_t f = 0; f < posed->shape->face_count; f++) {
        double cosine = vec3_dot(posed->shape->faces[f].normal, local);
        if (cosine <= highest || !has_vertex(posed->shape, f, vertex)) continue;
        highest = cosine;
        best = f;
    }
    return best;
}

int32_t neighbour_across(const struct posed *posed, vec3 direction, int32_t vertex) {
    const struct convex *shape = posed->shape;
    vec3 local = posed_local(posed, direction), x = shape->vertices[vertex];
    double least = MANIFOLD_SIN;
    int32_t best = -1;
    for (int32_t k = shape->near_first[vertex]; k < shape->near_first[vertex + 1]; k++) {
        vec3 along = vec3_sub(shape->vertices[shape->near[k]], x);
        double sine = fabs(vec3_dot(local, along)) / vec3_norm(along);
        if (sine >= least) continue;
        least = sine;
        best = shape->near[k];
    }
    return best;
}
