/* SPDX-License-Identifier: Apache-2.0
 *
 * Distance of convex parts against an exhaustive reference in long double, for random pairs of every kind:
 * hulls, boxes, prisms, slivers, needles, plates, sizes apart by up to 1e6; far apart, touching in corners,
 * edges and faces to the last bit, tilted by next to nothing, overlapping by next to nothing and deeply;
 * far from the origin; with hints of other pairs.
 *
 * The suite tries some thousand pairs; TALUS_PAIRS=1000000 in the environment as many as it says.
 */
#include <float.h>
#include <stdlib.h>

#include "base/random.h"
#include "geom/convex.h"
#include "geom/manifold.h"
#include "support.h"

typedef long double real;

enum { POOL = 48, MOST = 32, PAIRS = 8000 };

/* ---- reference: all features, all axes --------------------------------------------------------- */

typedef struct {
    real x, y, z;
} vector;

static vector plus(vector a, real s, vector b) {
    return (vector){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static vector minus(vector a, vector b) {
    return plus(a, -1.0L, b);
}
static real dot(vector a, vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static vector cross(vector a, vector b) {
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static real norm(vector a) {
    return sqrtl(dot(a, a));
}
static vector wide(vec3 a) {
    return (vector){(real)a.x, (real)a.y, (real)a.z};
}

struct exact { /* a part in the world, relative to the position of the first */
    const struct convex *shape;
    vector rows[3], cofactors[3]; /* of scale times rotation; the latter turn normals */
    vector x[MOST];
};

static vector apply(const vector rows[3], vector x) {
    return (vector){dot(rows[0], x), dot(rows[1], x), dot(rows[2], x)};
}

static struct exact exact_make(const struct placed *placed, vec3 origin) {
    struct exact exact = {.shape = placed->shape};
    const double(*m)[3] = placed->rotation.m;
    vector shift = minus(wide(placed->position), wide(origin)), zero = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        exact.rows[k] = plus(zero, (real)placed->scale, wide(vec3_make(m[k][0], m[k][1], m[k][2])));
    for (int k = 0; k < 3; k++)
        exact.cofactors[k] = cross(exact.rows[(k + 1) % 3], exact.rows[(k + 2) % 3]);
    for (int32_t v = 0; v < placed->shape->vertex_count; v++)
        exact.x[v] = plus(shift, 1.0L, apply(exact.rows, wide(placed->shape->vertices[v])));
    return exact;
}

/* From one vertex to another, in the frame of the shape: differences of world coordinates would not be
 * good enough for the directions of parts that are 1e-6 thin. */
static vector step(const struct exact *e, int32_t from, int32_t to) {
    return minus(wide(e->shape->vertices[to]), wide(e->shape->vertices[from]));
}

static int32_t segments(const struct convex *shape) {
    int32_t count = shape->dim == 2 ? shape->face_count : shape->edge_count;
    return count > 0 ? count : 1;
}

struct segment {
    vector tail, along;
};

static struct segment segment(const struct exact *e, int32_t k) {
    const struct convex *shape = e->shape;
    int32_t tail = 0, head = 0;
    if (shape->dim == 2 && shape->face_count > 0) {
        tail = shape->loops[shape->faces[k].first];
        head = shape->loops[shape->faces[k].first + 1];
    } else if (shape->edge_count > 0) {
        tail = shape->edges[k].tail;
        head = shape->edges[k].head;
    }
    return (struct segment){e->x[tail], apply(e->rows, step(e, tail, head))};
}

static vector face_normal(const struct exact *e, int32_t f) {
    const struct convex_face *face = &e->shape->faces[f];
    const int32_t *loop = &e->shape->loops[face->first];
    vector n = {0, 0, 0};
    if (e->shape->dim == 2) {
        vector along = step(e, loop[0], loop[1]);
        n = (vector){along.y, -along.x, 0};
    }
    for (int32_t k = 1; k + 1 < face->count; k++)
        n = plus(n, 1.0L, cross(step(e, loop[0], loop[k]), step(e, loop[0], loop[k + 1])));
    n = apply(e->cofactors, n);
    return plus((vector){0, 0, 0}, 1.0L / norm(n), n);
}

static real slab(const struct exact *a, const struct exact *b, vector n) {
    real top = -HUGE_VALL, bottom = HUGE_VALL;
    for (int32_t v = 0; v < a->shape->vertex_count; v++) top = fmaxl(top, dot(n, a->x[v]));
    for (int32_t v = 0; v < b->shape->vertex_count; v++) bottom = fminl(bottom, dot(n, b->x[v]));
    return bottom - top;
}

static real widest_slab(const struct exact *a, const struct exact *b) {
    real best = -HUGE_VALL;
    for (int32_t f = 0; f < a->shape->face_count; f++)
        best = fmaxl(best, slab(a, b, face_normal(a, f)));
    for (int32_t f = 0; f < b->shape->face_count; f++)
        best = fmaxl(best, slab(b, a, face_normal(b, f)));
    for (int32_t i = 0; a->shape->dim == 3 && i < a->shape->edge_count; i++) {
        for (int32_t j = 0; j < b->shape->edge_count; j++) {
            struct segment p = segment(a, i), q = segment(b, j);
            vector u = p.along, v = q.along, n = cross(u, v);
            real size = norm(n);
            if (size <= 1e-17L * norm(u) * norm(v)) continue;
            n = plus((vector){0, 0, 0}, 1.0L / size, n);
            if (fabsl(dot(n, minus(q.tail, p.tail))) <= best) continue; /* the slab is no wider */
            best = fmaxl(best, fmaxl(slab(a, b, n), slab(b, a, n)));
        }
    }
    return best;
}

static real clamp01(real t) {
    return t > 0 ? (t < 1 ? t : 1) : 0;
}

static real point_segment(vector x, struct segment s) {
    real length2 = dot(s.along, s.along);
    real t = length2 > 0 ? clamp01(dot(s.along, minus(x, s.tail)) / length2) : 0;
    return norm(minus(plus(s.tail, t, s.along), x));
}

static real segment_segment(struct segment p, struct segment q) {
    vector p_head = plus(p.tail, 1, p.along), q_head = plus(q.tail, 1, q.along);
    real best = fminl(fminl(point_segment(p.tail, q), point_segment(p_head, q)),
                      fminl(point_segment(q.tail, p), point_segment(q_head, p)));
    vector u = p.along, v = q.along, w = minus(q.tail, p.tail), n = cross(u, v);
    real n2 = dot(n, n);
    if (n2 <= 0) return best;
    real s = dot(cross(w, v), n) / n2, t = dot(cross(w, u), n) / n2;
    if (s < 0 || s > 1 || t < 0 || t > 1) return best;
    /* Where nearly parallel lines cross is poor along them, but then also next to indifferent. */
    return fminl(best, point_segment(plus(p.tail, s, u), q));
}

/* Vertices of `b` over faces of `a`. */
static real over_faces(const struct exact *a, const struct exact *b, real best) {
    for (int32_t f = 0; a->shape->dim == 3 && f < a->shape->face_count; f++) {
        const struct convex_face *face = &a->shape->faces[f];
        const int32_t *loop = &a->shape->loops[face->first];
        vector n = face_normal(a, f);
        for (int32_t v = 0; v < b->shape->vertex_count; v++) {
            real height = dot(n, minus(b->x[v], a->x[loop[0]]));
            bool over = height >= 0 && height < best;
            for (int32_t k = 0; over && k < face->count; k++) {
                vector along = apply(a->rows, step(a, loop[k], loop[(k + 1) % face->count]));
                over = dot(cross(n, along), minus(b->x[v], a->x[loop[k]])) >= 0;
            }
            if (over) best = height;
        }
    }
    return best;
}

/* Signed distance of the cores. */
static real reference(const struct exact *a, const struct exact *b) {
    real depth = widest_slab(a, b);
    if (depth <= 0) return depth;
    real best = HUGE_VALL;
    for (int32_t i = 0; i < segments(a->shape); i++) {
        for (int32_t j = 0; j < segments(b->shape); j++) {
            best = fminl(best, segment_segment(segment(a, i), segment(b, j)));
        }
    }
    return over_faces(b, a, over_faces(a, b, best));
}

/* ---- random parts ------------------------------------------------------------------------------ */

static double between(struct random *random, double low, double high) {
    return low + (high - low) * random_uniform(random);
}

/* 10^u with u uniform. */
static double decades(struct random *random, double low, double high) {
    return pow(10.0, between(random, low, high));
}

static vec3 random_point(struct random *random, int dim) {
    double x = between(random, -1, 1), y = between(random, -1, 1);
    return vec3_make(x, y, dim == 3 ? between(random, -1, 1) : 0.0);
}

static vec3 unit(vec3 a) {
    return vec3_scale(1.0 / vec3_norm(a), a);
}

static size_t box_points(vec3 half, int dim, vec3 *points) {
    size_t count = dim == 3 ? 8 : 4;
    for (size_t k = 0; k < count; k++)
        points[k] = vec3_make(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y,
                              dim == 2 ? 0.0
                              : k & 4  ? half.z
                                       : -half.z);
    return count;
}

static size_t prism_points(struct random *random, int dim, vec3 *points) {
    size_t sides = 3 + random_below(random, 8), count = 0;
    for (size_t k = 0; k < sides; k++) {
        double angle = 6.283185307179586 * (double)k / (double)sides;
        vec3 x = vec3_make(cos(angle), sin(angle), 0.0);
        points[count++] = vec3_add(x, vec3_make(0, 0, dim == 3 ? 0.7 : 0.0));
        if (dim == 3) points[count++] = vec3_add(x, vec3_make(0, 0, -0.7));
    }
    return count;
}

static size_t draw_points(struct random *random, int dim, vec3 *points) {
    size_t count;
    switch (random_below(random, 8)) {
    case 0: return box_points(vec3_make(1, 1, 1), dim, points);
    case 1: return box_points(vec3_make(1, between(random, 0.1, 1), 0.4), dim, points);
    case 2: return box_points(vec3_make(1, 1e-6, between(random, 0.5, 1)), dim, points);
    case 3: return box_points(vec3_make(1, 1e-6, 1e-6), dim, points);
    case 4: return prism_points(random, dim, points);
    case 5: count = (size_t)dim + 1; break;
    default: count = 4 + random_below(random, random_below(random, 4) ? 8 : 27); break;
    }
    double thin = random_below(random, 8) ? 1.0 : 1e-6;
    for (size_t k = 0; k < count; k++) {
        points[k] = random_point(random, dim);
        points[k].y *= thin;
    }
    return count;
}

static void draw_shape(struct random *random, int dim, struct convex *out) {
    vec3 points[MOST];
    double rounding = random_below(random, 4) ? 0.0 : between(random, 0, 0.2);
    for (;;) {
        size_t count = draw_points(random, dim, points);
        if (convex_make(out, dim, points, count, rounding, false) == CONVEX_OK) return;
    }
}

/* How far vertices are from the planes of their faces: below that "distance" has no sharper meaning. */
static double flatness(const struct placed *placed) {
    const struct convex *c = placed->shape;
    double worst = 0.0;
    for (int32_t f = 0; f < c->face_count; f++) {
        for (int32_t k = 0; c->dim == 3 && k < c->faces[f].count; k++) {
            vec3 x = vec3_sub(c->vertices[c->loops[c->faces[f].first + k]],
                              c->vertices[c->loops[c->faces[f].first]]);
            worst = fmax(worst, fabs(vec3_dot(c->faces[f].normal, x)));
        }
    }
    return placed->scale * worst;
}

/* ---- random places ----------------------------------------------------------------------------- */

static mat3 turn_about(vec3 axis, double angle) {
    double c = cos(angle), s = sin(angle);
    mat3 m = mat3_outer(1.0 - c, axis);
    for (int k = 0; k < 3; k++) m.m[k][k] += c;
    m.m[0][1] -= s * axis.z;
    m.m[1][0] += s * axis.z;
    m.m[0][2] += s * axis.y;
    m.m[2][0] -= s * axis.y;
    m.m[1][2] -= s * axis.x;
    m.m[2][1] += s * axis.x;
    return m;
}

static mat3 product(mat3 a, mat3 b) {
    mat3 out = mat3_zero();
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++) out.m[i][j] += a.m[i][k] * b.m[k][j];
        }
    }
    return out;
}

static mat3 random_turn(struct random *random, int dim) {
    vec3 axis = dim == 2 ? vec3_make(0, 0, 1) : unit(random_point(random, 3));
    double angle = between(random, -3.1, 3.1);
    if (random_below(random, 4) == 0) return turn_about(vec3_make(0, 0, 1), 0.0);
    return turn_about(axis, angle);
}

/* Turns the unit vector `from` to `to`. */
static mat3 turn_between(vec3 from, vec3 to, int dim) {
    if (dim == 2) {
        double s = from.x * to.y - from.y * to.x, c = vec3_dot(from, to);
        return turn_about(vec3_make(0, 0, 1), atan2(s, c));
    }
    vec3 axis = vec3_cross(from, to);
    double s = vec3_norm(axis), c = vec3_dot(from, to);
    axis = s > 1e-8 ? vec3_scale(1.0 / s, axis) : vec3_perpendicular(from);
    return turn_about(axis, atan2(s, c));
}

static vec3 world(const struct placed *placed, vec3 x) {
    return vec3_add_scaled(placed->position, placed->scale, mat3_apply(&placed->rotation, x));
}

static vec3 support(const struct placed *placed, vec3 direction) {
    vec3 best = world(placed, placed->shape->vertices[0]);
    for (int32_t v = 1; v < placed->shape->vertex_count; v++) {
        vec3 x = world(placed, placed->shape->vertices[v]);
        if (vec3_dot(direction, x) > vec3_dot(direction, best)) best = x;
    }
    return best;
}

static double size_of(const struct placed *placed) {
    return placed->scale * placed->shape->reach;
}

static double random_gap(struct random *random, double size) {
    uint32_t kind = random_below(random, 8);
    double gap = kind == 0 ? 0.0 : size * decades(random, -16, 0);
    return kind < 4 ? gap : -gap;
}

/* A point in a face: a corner, on a side or inside. */
static vec3 face_point(struct random *random, const struct placed *placed, int32_t f) {
    const struct convex_face *face = &placed->shape->faces[f];
    const int32_t *loop = &placed->shape->loops[face->first];
    uint32_t count = (uint32_t)face->count, k = random_below(random, count);
    uint32_t kind = random_below(random, 3);
    vec3 x = world(placed, placed->shape->vertices[loop[k]]);
    vec3 next = world(placed, placed->shape->vertices[loop[(k + 1) % count]]);
    vec3 far = world(placed, placed->shape->vertices[loop[(k + count / 2) % count]]);
    if (kind > 0) x = vec3_add_scaled(x, random_uniform(random), vec3_sub(next, x));
    if (kind > 1) x = vec3_add_scaled(x, random_uniform(random), vec3_sub(far, x));
    return x;
}

/* Face to face, edges along each other or not, tilted by nothing to little. */
static void place_on_face(struct random *random, const struct placed *a, struct placed *b) {
    int dim = a->shape->dim;
    int32_t f = (int32_t)random_below(random, (uint32_t)a->shape->face_count);
    int32_t g = (int32_t)random_below(random, (uint32_t)b->shape->face_count);
    vec3 n = mat3_apply(&a->rotation, a->shape->faces[f].normal);
    vec3 m = mat3_apply(&b->rotation, b->shape->faces[g].normal);
    b->rotation = product(turn_between(m, vec3_scale(-1.0, n), dim), b->rotation);
    if (dim == 3 && random_below(random, 2))
        b->rotation = product(turn_about(n, between(random, -3, 3)), b->rotation);
    if (random_below(random, 2)) {
        vec3 axis = dim == 2 ? vec3_make(0, 0, 1) : unit(random_point(random, 3));
        b->rotation = product(turn_about(axis, decades(random, -16, -3)), b->rotation);
    }
    vec3 from = face_point(random, b, g), to = face_point(random, a, f);
    double gap = random_gap(random, fmin(size_of(a), size_of(b)));
    b->position = vec3_add(b->position, vec3_add_scaled(vec3_sub(to, from), gap, n));
}

/* Corners, edges or a corner over a face near each other. */
static void place_on_corner(struct random *random, const struct placed *a, struct placed *b) {
    int dim = a->shape->dim;
    uint32_t face = random_below(random, (uint32_t)a->shape->face_count);
    vec3 n = unit(random_point(random, dim)), to = support(a, n);
    if (random_below(random, 2)) {
        n = mat3_apply(&a->rotation, a->shape->faces[face].normal);
        to = face_point(random, a, (int32_t)face);
    }
    double small = fmin(size_of(a), size_of(b)), gap = random_gap(random, small);
    vec3 shift = vec3_add_scaled(vec3_sub(to, support(b, vec3_scale(-1.0, n))), gap, n);
    if (random_below(random, 2))
        shift = vec3_add_scaled(shift, small * decades(random, -16, 0), random_point(random, dim));
    b->position = vec3_add(b->position, shift);
}

static void place(struct random *random, struct placed *a, struct placed *b) {
    int dim = a->shape->dim;
    bool equal = random_below(random, 2);
    a->scale = equal ? 1.0 : decades(random, -3, 3);
    b->scale = equal ? 1.0 : decades(random, -3, 3);
    a->rotation = random_turn(random, dim);
    b->rotation = random_turn(random, dim);
    double away = random_below(random, 2) ? 0.0 : decades(random, 0, 6);
    a->position = vec3_scale(away, random_point(random, dim));
    b->position = a->position;
    uint32_t kind = random_below(random, 5);
    if (kind < 2)
        place_on_face(random, a, b);
    else if (kind < 4)
        place_on_corner(random, a, b);
    else
        b->position = vec3_add_scaled(b->position, 2.0 * (size_of(a) + size_of(b)),
                                      random_point(random, dim));
}

/* ---- checks ------------------------------------------------------------------------------------ */

struct worst {
    double gap, normal, swapped, against, turned, hinted; /* of the unit of rounding */
};

static double rounding_unit(const struct placed *a, const struct placed *b) {
    return DBL_EPSILON * (size_of(a) + size_of(b) + vec3_norm(vec3_sub(b->position, a->position)));
}

/* Point k lies on the surface of a part, half its gap away. */
static void check_surface(const struct placed *p, double half, const struct manifold *m, int k,
                          double slack) {
    vec3 x = vec3_sub(vec3_add_scaled(m->points[k].point, half, m->normal), p->position);
    for (int32_t f = 0; f < p->shape->face_count; f++) {
        vec3 n = mat3_apply(&p->rotation, p->shape->faces[f].normal);
        double offset = p->scale * (p->shape->faces[f].offset + p->shape->rounding);
        assert_true(vec3_dot(n, x) <= offset + slack);
    }
}

/* Points: named differently, none nearer than the distance, one as near, each between the surfaces. */
static void check_points(const struct placed *a, const struct placed *b, const struct manifold *m,
                         double bound) {
    double least = HUGE_VAL, small = fmin(size_of(a), size_of(b));
    double radii = a->scale * a->shape->rounding + b->scale * b->shape->rounding;
    int limit = a->shape->dim == 2 ? 2 : MANIFOLD_MAX;
    assert_true(m->count >= 1 && m->count <= limit);
    for (int k = 0; k < m->count; k++) {
        double gap = m->points[k].gap, slack = 1e-4 * small + 1e4 * bound;
        assert_true(m->points[k].feature != 0);
        for (int j = 0; j < k; j++) assert_true(m->points[j].feature != m->points[k].feature);
        assert_true(gap >= m->gap - bound);
        least = fmin(least, gap);
        /* Edges along each other are up to 15 degrees aside of the normal. */
        if (m->kind == MANIFOLD_EDGE_EDGE_PARALLEL) slack += fmax(0.0, gap + radii);
        check_surface(a, -0.5 * gap, m, k, slack);
        check_surface(b, 0.5 * gap, m, k, slack);
    }
    /* With too many to choose from, one within 1e-6 of the size of the deepest may stand for it. */
    assert_true(least <= m->gap + bound + (m->count == limit ? 1e-6 * small : 0.0));
}

static void check_swapped(const struct placed *a, const struct placed *b, const struct manifold *m,
                          double unit_length, struct worst *worst) {
    struct manifold swapped;
    struct manifold_hint hint = {{0}};
    manifold_find(b, a, HUGE_VAL, &hint, &swapped);
    worst->swapped = fmax(worst->swapped, fabs(swapped.gap - m->gap) / unit_length);
    double cores = m->gap + a->scale * a->shape->rounding + b->scale * b->shape->rounding;
    if (cores < 1e-3 * fmin(size_of(a), size_of(b))) return;
    double against = vec3_norm(vec3_add(m->normal, swapped.normal));
    /* Features that tie to rounding, as the corners of a needle do, differ by the root in direction. */
    double share = 16.0 * unit_length / cores;
    worst->against = fmax(worst->against, against / (share + sqrt(2.0 * share)));
}

static struct placed turned(const struct placed *placed, const mat3 *turn) {
    struct placed out = *placed;
    out.position = mat3_apply(turn, placed->position);
    out.rotation = product(*turn, placed->rotation);
    return out;
}

static void check_turned(struct random *random, const struct placed *a, const struct placed *b,
                         const struct manifold *m, struct worst *worst) {
    mat3 turn = random_turn(random, a->shape->dim);
    struct placed ta = turned(a, &turn), tb = turned(b, &turn);
    struct manifold other;
    struct manifold_hint hint = {{0}};
    manifold_find(&ta, &tb, HUGE_VAL, &hint, &other);
    double unit_length =
        rounding_unit(a, b) + DBL_EPSILON * (vec3_norm(a->position) + vec3_norm(b->position));
    worst->turned = fmax(worst->turned, fabs(other.gap - m->gap) / unit_length);
}

/* A hint of any other pair and a margin: the same answer, or a bound that keeps its word. */
static void check_hinted(struct random *random, const struct placed *a, const struct placed *b,
                         const struct manifold *m, struct manifold_hint *stale,
                         struct worst *worst) {
    struct manifold other;
    double unit_length = rounding_unit(a, b);
    double margin = random_below(random, 2) ? HUGE_VAL : 0.1 * size_of(a);
    for (int k = 0; k < 2; k++) {
        manifold_find(a, b, margin, stale, &other);
        if (other.count == 0) {
            assert_true(m->gap > margin - 64.0 * unit_length);
            assert_true(other.gap > margin && other.gap <= m->gap + 64.0 * unit_length);
        } else {
            worst->hinted = fmax(worst->hinted, fabs(other.gap - m->gap) / unit_length);
            assert_true(worst->hinted <= 64.0);
            check_points(a, b, &other, 64.0 * unit_length + flatness(a) + flatness(b));
        }
    }
}

static void check_pair(struct random *random, const struct placed *a, const struct placed *b,
                       struct manifold_hint *stale, struct worst *worst) {
    struct manifold m;
    struct manifold_hint hint = {{0}};
    manifold_find(a, b, HUGE_VAL, &hint, &m);
    struct exact x = exact_make(a, a->position), y = exact_make(b, a->position);
    real cores = reference(&x, &y);
    double radii = a->scale * a->shape->rounding + b->scale * b->shape->rounding;
    double unit_length = rounding_unit(a, b) + flatness(a) + flatness(b);
    double error = fabs((double)((real)m.gap - (cores - (real)radii))) / unit_length;
    double size = size_of(a) + size_of(b), near = fabs((double)cores);
    double lost = fabs((double)(slab(&x, &y, wide(m.normal)) - cores)) / unit_length;
    worst->gap = fmax(worst->gap, error);
    /* Errors of position turn the line between two corners by their ratio to the distance. */
    worst->normal = fmax(worst->normal, lost / (1.0 + size / (near + 1e-10 * size)));
    assert_true(fabs(vec3_norm(m.normal) - 1.0) < 1e-14);
    check_points(a, b, &m, 64.0 * unit_length);
    check_swapped(a, b, &m, unit_length, worst);
    check_turned(random, a, b, &m, worst);
    check_hinted(random, a, b, &m, stale, worst);
}

static void run_pairs(int dim, long pairs) {
    struct random random = random_start(20, RANDOM_TEST, (uint64_t)dim, 0);
    struct convex pool[POOL];
    struct worst worst = {0};
    struct manifold_hint stale = {{0}};
    for (int k = 0; k < POOL; k++) draw_shape(&random, dim, &pool[k]);
    for (long k = 0; k < pairs; k++) {
        struct placed a = {.shape = &pool[random_below(&random, POOL)]};
        struct placed b = {.shape = &pool[random_below(&random, POOL)]};
        place(&random, &a, &b);
        check_pair(&random, &a, &b, &stale, &worst);
        if (k % 8) continue;
        struct convex *old = &pool[random_below(&random, POOL)];
        convex_free(old);
        draw_shape(&random, dim, old);
    }
    for (int k = 0; k < POOL; k++) convex_free(&pool[k]);
    print_message(
        "%dD, %ld pairs: gap %.1f normal %.1f swapped %.1f %.1f turned %.1f hinted %.1f\n", dim,
        pairs, worst.gap, worst.normal, worst.swapped, worst.against, worst.turned, worst.hinted);
    assert_true(worst.gap <= 64.0);
    assert_true(worst.normal <= 64.0 && worst.against <= 1.0);
    assert_true(worst.swapped <= 64.0 && worst.turned <= 64.0 && worst.hinted <= 64.0);
}

static long pair_count(void) {
    const char *text = getenv("TALUS_PAIRS");
    return text ? strtol(text, NULL, 10) : PAIRS;
}

static void polygons_agree_with_reference(void **state) {
    (void)state;
    run_pairs(2, pair_count() / 4);
}

static void polyhedra_agree_with_reference(void **state) {
    (void)state;
    run_pairs(3, pair_count() - pair_count() / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(polygons_agree_with_reference),
        cmocka_unit_test(polyhedra_agree_with_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
