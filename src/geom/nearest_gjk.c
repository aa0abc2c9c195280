/* SPDX-License-Identifier: Apache-2.0
 *
 * Distance of convex cores by the method of Gilbert, Johnson and Keerthi: the point of b - a (Minkowski's
 * difference) nearest to the origin, from simplices of differences of vertices (IEEE J. Robotics Autom. 4,
 * 193, 1988).
 *
 * Every round gives an upper bound, the distance of the simplex, and a lower one, the slab along the
 * direction found. When they meet the distance is proven. When rounding stops progress before that the
 * caller has to look closer.
 */
#include "geom/nearest_gjk.h"

enum { ROUNDS = 64 };

/* Of the volume or area that edges of this length could span: thinner ones have no inside. */
#define FLAT 1e-12
#define THIN 1e-14

static void keep(struct simplex *simplex, int count, const int *which, const double *weights) {
    struct simplex old = *simplex;
    simplex->count = count;
    for (int k = 0; k < count; k++) {
        simplex->a[k] = old.a[which[k]];
        simplex->b[k] = old.b[which[k]];
        simplex->w[k] = old.w[which[k]];
        simplex->weight[k] = weights[k];
    }
}

static void keep_one(struct simplex *simplex, int k) {
    keep(simplex, 1, &k, (double[1]){1.0});
    simplex->nearest = simplex->w[0];
}

static void keep_two(struct simplex *simplex, int k, int l, double share) {
    keep(simplex, 2, (int[2]){k, l}, (double[2]){1.0 - share, share});
    vec3 along = vec3_sub(simplex->w[1], simplex->w[0]);
    simplex->nearest = vec3_add_scaled(simplex->w[0], share, along);
}

static void nearest_of_two(struct simplex *simplex) {
    vec3 along = vec3_sub(simplex->w[1], simplex->w[0]);
    double at = -vec3_dot(simplex->w[0], along), length2 = vec3_norm2(along);
    if (!(at > 0.0))
        keep_one(simplex, 0);
    else if (at >= length2)
        keep_one(simplex, 1);
    else
        keep_two(simplex, 0, 1, at / length2);
}

/* Inside of the triangle; the point comes from its plane and not from the weights, which are poor if the
 * triangle is thin. */
static void keep_three(struct simplex *simplex, vec3 ab, vec3 ac, const double parts[3]) {
    vec3 n = vec3_cross(ab, ac);
    double sum = parts[0] + parts[1] + parts[2];
    for (int k = 0; k < 3; k++) simplex->weight[k] = parts[k] / sum;
    simplex->count = 3;
    simplex->nearest = vec3_scale(vec3_dot(n, simplex->w[0]) / vec3_norm2(n), n);
}

/* The origin over the corners, the sides or the inside of a triangle: signs of projections tell. */
static void nearest_inside_three(struct simplex *simplex) {
    vec3 a = simplex->w[0], b = simplex->w[1], c = simplex->w[2];
    vec3 ab = vec3_sub(b, a), ac = vec3_sub(c, a);
    double d1 = -vec3_dot(ab, a), d2 = -vec3_dot(ac, a);
    double d3 = -vec3_dot(ab, b), d4 = -vec3_dot(ac, b);
    double d5 = -vec3_dot(ab, c), d6 = -vec3_dot(ac, c);
    double part_c = d1 * d4 - d3 * d2, part_b = d5 * d2 - d1 * d6, part_a = d3 * d6 - d5 * d4;
    if (d1 <= 0.0 && d2 <= 0.0)
        keep_one(simplex, 0);
    else if (d3 >= 0.0 && d4 <= d3)
        keep_one(simplex, 1);
    else if (d6 >= 0.0 && d5 <= d6)
        keep_one(simplex, 2);
    else if (part_c <= 0.0 && d1 >= 0.0 && d3 <= 0.0)
        keep_two(simplex, 0, 1, d1 / (d1 - d3));
    else if (part_b <= 0.0 && d2 >= 0.0 && d6 <= 0.0)
        keep_two(simplex, 0, 2, d2 / (d2 - d6));
    else if (part_a <= 0.0 && d4 >= d3 && d5 >= d6)
        keep_two(simplex, 1, 2, (d4 - d3) / ((d4 - d3) + (d5 - d6)));
    else
        keep_three(simplex, ab, ac, (double[3]){part_a, part_b, part_c});
}

/* A triangle without area: the nearest of its sides. */
static void nearest_of_sides(struct simplex *simplex) {
    struct simplex best = *simplex;
    double least = HUGE_VAL;
    for (int k = 0; k < 3; k++) {
        struct simplex side = *simplex;
        keep(&side, 2, (int[2]){k, (k + 1) % 3}, (double[2]){0.0, 0.0});
        nearest_of_two(&side);
        double distance2 = vec3_norm2(side.nearest);
        if (!(distance2 < least)) continue;
        least = distance2;
        best = side;
    }
    *simplex = best;
}

static void nearest_of_three(struct simplex *simplex) {
    vec3 ab = vec3_sub(simplex->w[1], simplex->w[0]), ac = vec3_sub(simplex->w[2], simplex->w[0]);
    double area2 = vec3_norm2(vec3_cross(ab, ac));
    if (area2 > THIN * THIN * vec3_norm2(ab) * vec3_norm2(ac))
        nearest_inside_three(simplex);
    else
        nearest_of_sides(simplex);
}

/* Is the origin beyond the side i, j, k of the tetrahedron, seen from its fourth corner? Flat ones have
 * no inside: all their sides count. */
static bool beyond(const struct simplex *simplex, const int side[4]) {
    const vec3 *w = simplex->w;
    vec3 ab = vec3_sub(w[side[1]], w[side[0]]), ac = vec3_sub(w[side[2]], w[side[0]]);
    vec3 ad = vec3_sub(w[side[3]], w[side[0]]), n = vec3_cross(ab, ac);
    double corner = vec3_dot(n, ad), origin = -vec3_dot(n, w[side[0]]);
    double scale2 = vec3_norm2(ab) * vec3_norm2(ac) * vec3_norm2(ad);
    if (corner * corner <= FLAT * FLAT * scale2) return true;
    return (origin < 0.0) != (corner < 0.0);
}

static void nearest_of_four(struct simplex *simplex) {
    static const int sides[4][4] = {{0, 1, 2, 3}, {0, 1, 3, 2}, {0, 2, 3, 1}, {1, 2, 3, 0}};
    struct simplex best = *simplex;
    double least = HUGE_VAL;
    for (int k = 0; k < 4; k++) {
        if (!beyond(simplex, sides[k])) continue;
        struct simplex side = *simplex;
        keep(&side, 3, sides[k], (double[3]){0.0, 0.0, 0.0});
        nearest_of_three(&side);
        double distance2 = vec3_norm2(side.nearest);
        if (!(distance2 < least)) continue;
        least = distance2;
        best = side;
    }
    if (best.count == 4) best.nearest = vec3_zero();
    *simplex = best;
}

static void find_nearest(struct simplex *simplex) {
    switch (simplex->count) {
    case 1: keep_one(simplex, 0); break;
    case 2: nearest_of_two(simplex); break;
    case 3: nearest_of_three(simplex); break;
    default: nearest_of_four(simplex); break;
    }
}

void simplex_add(const struct pair *pair, struct simplex *simplex, int32_t a, int32_t b) {
    int k = simplex->count++;
    simplex->a[k] = a;
    simplex->b[k] = b;
    simplex->w[k] = vec3_sub(posed_vertex(&pair->b, b), posed_vertex(&pair->a, a));
}

static bool has(const struct simplex *simplex, const struct slab *slab) {
    for (int k = 0; k < simplex->count; k++) {
        if (simplex->a[k] == slab->a && simplex->b[k] == slab->b) return true;
    }
    return false;
}

/* Bounds that agree to rounding end the search only when it cannot go on: the direction may still be wrong by
 * the square root of that. */
enum gjk_end gjk_run(const struct pair *pair, double margin, struct gjk *gjk) {
    double exact = NEAREST_EXACT * pair->unit;
    struct simplex next = gjk->simplex;
    enum gjk_end end = GJK_UNSURE;
    gjk->distance = HUGE_VAL;
    gjk->slab.gap = -HUGE_VAL;
    for (int round = 0; round < ROUNDS; round++) {
        find_nearest(&next);
        double distance = vec3_norm(next.nearest);
        if (!(distance < gjk->distance)) return end;
        gjk->simplex = next;
        gjk->distance = distance;
        /* A thin triangle may seem to touch although a slab has shown that the cores do not. */
        if (distance <= exact) return gjk->slab.gap > exact ? GJK_UNSURE : GJK_TOUCH;
        vec3 n = vec3_scale(1.0 / distance, next.nearest);
        struct slab slab = slab_along(pair, n, next.a[0], next.b[0]);
        if (slab.gap > gjk->slab.gap) gjk->slab = slab;
        if (slab.gap > margin) return GJK_BEYOND;
        end = slab.gap >= distance - exact ? GJK_PROVEN : GJK_UNSURE;
        if (next.count == 4 || has(&next, &slab)) return end;
        simplex_add(pair, &next, slab.a, slab.b);
    }
    return end;
}
