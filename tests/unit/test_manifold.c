/* SPDX-License-Identifier: Apache-2.0
 * Manifolds of convex parts: what touches, where, with which names, and that nothing jumps. */
#include <stdlib.h>

#include "geom/manifold.h"
#include "support.h"

static const mat3 upright = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

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

static struct convex make(int dim, const vec3 *points, size_t count, double rounding) {
    struct convex convex;
    assert_int_equal(convex_make(&convex, dim, points, count, rounding, true), CONVEX_OK);
    return convex;
}

static struct convex make_box(double x, double y, double z, double rounding) {
    vec3 points[8];
    for (int k = 0; k < 8; k++)
        points[k] = vec3_make(k & 1 ? x : -x, k & 2 ? y : -y, k & 4 ? z : -z);
    return make(3, points, z > 0.0 ? 8 : 4, rounding);
}

static struct convex make_rectangle(double x, double y) {
    vec3 points[4] = {{-x, -y, 0}, {x, -y, 0}, {x, y, 0}, {-x, y, 0}};
    return make(2, points, 4, 0.0);
}

static struct convex make_capsule(double half, double rounding) {
    vec3 points[2] = {{-half, 0, 0}, {half, 0, 0}};
    return make(3, points, 2, rounding);
}

static struct placed put(const struct convex *shape, double x, double y, double z) {
    return (struct placed){shape, vec3_make(x, y, z), upright, 1.0};
}

static struct manifold find(const struct placed *a, const struct placed *b, double margin) {
    struct manifold out;
    struct manifold_hint hint = {{0}};
    manifold_find(a, b, margin, &hint, &out);
    return out;
}

static void assert_normal(const struct manifold *m, double x, double y, double z,
                          double tolerance) {
    assert_near(m->normal.x, x, tolerance);
    assert_near(m->normal.y, y, tolerance);
    assert_near(m->normal.z, z, tolerance);
}

static double least_gap(const struct manifold *m) {
    double least = HUGE_VAL;
    for (int k = 0; k < m->count; k++) least = fmin(least, m->points[k].gap);
    return least;
}

static vec3 lowest(const struct manifold *m) {
    vec3 low = m->points[0].point;
    for (int k = 1; k < m->count; k++) {
        low.x = fmin(low.x, m->points[k].point.x);
        low.y = fmin(low.y, m->points[k].point.y);
        low.z = fmin(low.z, m->points[k].point.z);
    }
    return low;
}

static vec3 highest(const struct manifold *m) {
    vec3 high = m->points[0].point;
    for (int k = 1; k < m->count; k++) {
        high.x = fmax(high.x, m->points[k].point.x);
        high.y = fmax(high.y, m->points[k].point.y);
        high.z = fmax(high.z, m->points[k].point.z);
    }
    return high;
}

/* ---- what touches ------------------------------------------------------------------------------ */

/* Apart, in touch and overlapping by next to nothing: always the four corners of the common rectangle. */
static void box_stands_on_box(void **state) {
    (void)state;
    struct convex box = make_box(1, 1, 1, 0.0);
    const double gaps[] = {0.01, 1e-9, 1e-15, 0.0, -1e-15, -1e-9, -0.01};
    struct manifold first = {0};
    for (size_t k = 0; k < sizeof gaps / sizeof gaps[0]; k++) {
        struct placed a = put(&box, 0, 0, 0), b = put(&box, 0.5, 0.25, 2.0 + gaps[k]);
        struct manifold m = find(&a, &b, 0.1);
        assert_int_equal(m.count, 4);
        assert_int_equal(m.kind, MANIFOLD_FACE_FACE);
        assert_near(m.gap, gaps[k], 1e-15);
        assert_normal(&m, 0, 0, 1, 0.0);
        vec3 low = lowest(&m), high = highest(&m);
        assert_near(low.x, -0.5, 1e-15);
        assert_near(high.x, 1.0, 1e-15);
        assert_near(low.y, -0.75, 1e-15);
        assert_near(high.y, 1.0, 1e-15);
        assert_near(low.z, 1.0 + 0.5 * gaps[k], 1e-15);
        assert_near(high.z, 1.0 + 0.5 * gaps[k], 1e-15);
        if (k == 0) first = m;
        for (int j = 0; j < 4; j++) {
            assert_near(m.points[j].gap, gaps[k], 1e-15);
            assert_int_equal(m.points[j].feature, first.points[j].feature);
        }
    }
    convex_free(&box);
}

/* A block that lands tilted has all its corners from the first touch, each with its own gap. */
static void tilted_box_has_all_corners(void **state) {
    (void)state;
    struct convex box = make_box(1, 1, 1, 0.0);
    double tilt = 0.1, height = cos(tilt) + sin(tilt);
    struct placed a = put(&box, 0, 0, -1), b = put(&box, 0, 0, height);
    a.scale = 1.0;
    b.rotation = turn_about(vec3_make(0, 1, 0), tilt);
    struct manifold m = find(&a, &b, 0.01);
    assert_int_equal(m.count, 4);
    assert_near(m.gap, 0.0, 1e-15);
    assert_near(least_gap(&m), 0.0, 1e-15);
    double largest = 0.0;
    for (int k = 0; k < 4; k++) largest = fmax(largest, m.points[k].gap);
    /* The far side is cut where the face of a ends, at x = -1. */
    assert_true(largest > 1.9 * sin(tilt) && largest < 2.1 * sin(tilt));
    convex_free(&box);
}

static void box_on_edge_and_corner(void **state) {
    (void)state;
    struct convex box = make_box(1, 1, 1, 0.0), floor = make_box(5, 5, 1, 0.0);
    struct placed a = put(&floor, 0, 0, -1), b = put(&box, 0, 0, sqrt(2.0) + 1e-4);
    b.rotation = turn_about(vec3_make(0, 1, 0), 0.7853981633974483);
    struct manifold m = find(&a, &b, 0.01);
    assert_int_equal(m.count, 2);
    assert_int_equal(m.kind, MANIFOLD_EDGE_FACE);
    assert_near(m.gap, 1e-4, 1e-14);
    assert_near(fabs(m.points[0].point.y - m.points[1].point.y), 2.0, 1e-14);

    vec3 diagonal = {1.0 / sqrt(3.0), 1.0 / sqrt(3.0), 1.0 / sqrt(3.0)};
    vec3 axis = {-diagonal.y / hypot(diagonal.x, diagonal.y),
                 diagonal.x / hypot(diagonal.x, diagonal.y), 0};
    b.rotation = turn_about(axis, -acos(diagonal.z));
    b.position.z = sqrt(3.0) + 1e-4;
    m = find(&a, &b, 0.01);
    assert_int_equal(m.count, 1);
    assert_int_equal(m.kind, MANIFOLD_VERTEX_FACE);
    assert_near(m.gap, 1e-4, 1e-14);
    assert_normal(&m, 0, 0, 1, 1e-15);
    assert_near(m.points[0].point.x, 0.0, 1e-14);
    convex_free(&box);
    convex_free(&floor);
}

static void edges_cross(void **state) {
    (void)state;
    struct convex box = make_box(1, 1, 1, 0.0);
    for (int sign = -1; sign <= 1; sign += 2) {
        double gap = 1e-3 * sign;
        struct placed a = put(&box, 0, 0, 0), b = put(&box, 0, 0, 2.0 * sqrt(2.0) + gap);
        a.rotation = turn_about(vec3_make(0, 1, 0), 0.7853981633974483);
        b.rotation = turn_about(vec3_make(1, 0, 0), 0.7853981633974483);
        struct manifold m = find(&a, &b, 0.01);
        assert_int_equal(m.count, 1);
        assert_int_equal(m.kind, MANIFOLD_EDGE_EDGE);
        assert_near(m.gap, gap, 1e-14);
        assert_normal(&m, 0, 0, 1, 1e-14);
        assert_near(m.points[0].point.z, sqrt(2.0) + 0.5 * gap, 1e-14);
    }
    convex_free(&box);
}

static void rounded_parts(void **state) {
    (void)state;
    vec3 origin = {0, 0, 0};
    struct convex ball = make(3, &origin, 1, 0.5), capsule = make_capsule(1.0, 0.25);
    struct convex box = make_box(1, 1, 1, 0.1);
    struct placed a = put(&ball, 1, 2, 3), b = put(&ball, 1, 2, 4.2);
    struct manifold m = find(&a, &b, 1.0);
    assert_int_equal(m.count, 1);
    assert_int_equal(m.kind, MANIFOLD_VERTEX_VERTEX);
    assert_near(m.gap, 0.2, 1e-15);
    assert_near(m.points[0].point.z, 3.6, 1e-15);

    a = put(&capsule, 0, 0, 0);
    b = put(&capsule, 0.5, 0, 0.49);
    m = find(&a, &b, 0.1);
    assert_int_equal(m.count, 2);
    assert_int_equal(m.kind, MANIFOLD_EDGE_EDGE_PARALLEL);
    assert_near(m.gap, -0.01, 1e-15);
    assert_normal(&m, 0, 0, 1, 1e-15);
    assert_near(lowest(&m).x, -0.5, 1e-15);
    assert_near(highest(&m).x, 1.0, 1e-15);

    a = put(&box, 0, 0, 0);
    b = put(&capsule, 0.5, 0, 1.36);
    m = find(&a, &b, 0.1);
    assert_int_equal(m.count, 2);
    assert_int_equal(m.kind, MANIFOLD_EDGE_FACE);
    assert_near(m.gap, 0.01, 1e-15);
    assert_near(m.points[0].point.z, 1.105, 1e-15);
    convex_free(&ball);
    convex_free(&capsule);
    convex_free(&box);
}

/* Cores that coincide have no direction of their own; any that is finite and a unit vector will do. */
static void coincident_cores(void **state) {
    (void)state;
    vec3 origin = {0, 0, 0};
    struct convex ball = make(3, &origin, 1, 0.5), capsule = make_capsule(1.0, 0.25);
    struct convex box = make_box(1, 1, 1, 0.0), plate = make_box(1, 1, 0.0, 0.0);
    const struct convex *shapes[] = {&ball, &capsule, &box, &plate};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            struct placed a = put(shapes[i], 3, 4, 5), b = put(shapes[j], 3, 4, 5);
            struct manifold m = find(&a, &b, 0.1);
            double expected = -shapes[i]->rounding - shapes[j]->rounding;
            if (shapes[i] == &box || shapes[j] == &box) expected -= 1.0;
            if (shapes[i] == &box && shapes[j] == &box) expected -= 1.0;
            assert_near(m.gap, expected, 1e-14);
            assert_true(m.count >= 1);
            assert_near(vec3_norm(m.normal), 1.0, 1e-15);
            assert_true(vec3_is_finite(m.points[0].point));
        }
    }
    convex_free(&ball);
    convex_free(&capsule);
    convex_free(&box);
    convex_free(&plate);
}

/* Plates in one plane: apart there, though no face says so; and pierced by a corner. */
static void plates(void **state) {
    (void)state;
    struct convex plate = make_box(1, 1, 0.0, 0.0), box = make_box(1, 1, 1, 0.0);
    struct placed a = put(&plate, 0, 0, 0), b = put(&plate, 2.25, 0.5, 0);
    struct manifold m = find(&a, &b, 1.0);
    assert_near(m.gap, 0.25, 1e-15);
    assert_normal(&m, 1, 0, 0, 1e-15);
    b = put(&box, 0.2, 0.1, 0.9);
    m = find(&a, &b, 1.0);
    assert_near(m.gap, -0.1, 1e-15);
    assert_normal(&m, 0, 0, 1, 1e-15);
    assert_int_equal(m.count, 4);
    convex_free(&plate);
    convex_free(&box);
}

static void sides_in_a_plane(void **state) {
    (void)state;
    struct convex box = make_rectangle(1, 1);
    const double gaps[] = {0.01, 1e-15, 0.0, -1e-9, -0.01};
    for (size_t k = 0; k < sizeof gaps / sizeof gaps[0]; k++) {
        struct placed a = put(&box, 0, 0, 0), b = put(&box, 0.5, 2.0 + gaps[k], 0);
        struct manifold m = find(&a, &b, 0.1);
        assert_int_equal(m.count, 2);
        assert_int_equal(m.kind, MANIFOLD_FACE_FACE);
        assert_near(m.gap, gaps[k], 1e-15);
        assert_normal(&m, 0, 1, 0, 0.0);
        assert_near(lowest(&m).x, -0.5, 1e-15);
        assert_near(highest(&m).x, 1.0, 1e-15);
    }
    struct placed a = put(&box, 0, 0, 0), b = put(&box, 0.3, 1.0 + sqrt(2.0) + 0.001, 0);
    b.rotation = turn_about(vec3_make(0, 0, 1), 0.7853981633974483);
    struct manifold m = find(&a, &b, 0.1);
    assert_int_equal(m.count, 1);
    assert_int_equal(m.kind, MANIFOLD_VERTEX_FACE);
    assert_near(m.gap, 0.001, 1e-14);
    b = put(&box, 2.3, 2.4, 0);
    m = find(&a, &b, 1.0);
    assert_int_equal(m.kind, MANIFOLD_VERTEX_VERTEX);
    assert_near(m.gap, 0.5, 1e-15);
    assert_normal(&m, 0.6, 0.8, 0, 1e-14);
    convex_free(&box);
}

/* ---- planes ------------------------------------------------------------------------------------ */

static void box_on_plane(void **state) {
    (void)state;
    struct convex box = make_box(1, 2, 1, 0.125), square = make_rectangle(1, 1);
    struct placed a = put(&box, 5, 6, 1.125 - 1e-6 + 3.0);
    struct manifold m;
    manifold_plane(&a, vec3_make(0, 0, 1), 3.0, 0.01, &m);
    assert_int_equal(m.count, 4);
    assert_int_equal(m.kind, MANIFOLD_FACE_FACE);
    assert_near(m.gap, -1e-6, 1e-15);
    assert_normal(&m, 0, 0, -1, 0.0);
    assert_near(m.points[0].point.z, 3.0 - 0.5e-6, 1e-14);
    a.rotation = turn_about(vec3_make(0, 1, 0), 0.05);
    a.position.z = 3.125 + cos(0.05) + sin(0.05);
    manifold_plane(&a, vec3_make(0, 0, 1), 3.0, 0.01, &m);
    assert_int_equal(m.count, 4);
    assert_near(m.gap, 0.0, 1e-14);
    a.position.z += 0.011;
    manifold_plane(&a, vec3_make(0, 0, 1), 3.0, 0.01, &m);
    assert_int_equal(m.count, 0);
    a = put(&square, 0, 1.0, 0);
    manifold_plane(&a, vec3_make(0, 1, 0), 0.0, 0.01, &m);
    assert_int_equal(m.count, 2);
    assert_near(m.gap, 0.0, 0.0);
    convex_free(&box);
    convex_free(&square);
}

/* ---- continuity -------------------------------------------------------------------------------- */

/* One box slides and turns past another: the normal turns no faster than the nearest points can move. */
static void normal_does_not_jump(void **state) {
    (void)state;
    struct convex box = make_box(1, 1, 1, 0.0);
    struct placed a = put(&box, 0, 0, 0), b = put(&box, 0, 0, 0);
    struct manifold_hint hint = {{0}};
    struct manifold last = {0}, m;
    const int steps = 20000;
    for (int k = 0; k <= steps; k++) {
        double s = (double)k / steps, angle = 4.0 * s;
        b.rotation = turn_about(vec3_make(0.6, 0.48, 0.64), angle);
        b.position = vec3_make(3.0 * cos(5.0 * s), 3.0 * sin(5.0 * s), 2.0 * sin(9.0 * s));
        manifold_find(&a, &b, 10.0, &hint, &m);
        assert_true(m.gap > 0.0);
        /* Points of b move by less than 25 / steps in each step. */
        if (k > 0) {
            double turn = vec3_norm(vec3_sub(m.normal, last.normal)), move = 25.0 / steps;
            assert_true(turn <= 2.0 * move / m.gap);
            assert_true(fabs(m.gap - last.gap) <= move);
        }
        assert_near(least_gap(&m), m.gap, 1e-14);
        last = m;
    }
    convex_free(&box);
}

/* Through the touch of two faces, at any turn about the normal and with a hint: not at all. */
static void normal_stays_through_touch(void **state) {
    (void)state;
    struct convex box = make_box(1, 1, 1, 0.0);
    struct placed a = put(&box, 0, 0, 0), b = put(&box, 0.2, 0.1, 0);
    a.rotation = turn_about(vec3_make(0.6, 0.48, 0.64), 0.7);
    vec3 up = mat3_apply(&a.rotation, vec3_make(0, 0, 1));
    b.rotation = turn_about(up, 0.4);
    mat3 inner = a.rotation, product = mat3_zero();
    for (int i = 0; i < 9; i++) {
        for (int k = 0; k < 3; k++)
            product.m[i / 3][i % 3] += b.rotation.m[i / 3][k] * inner.m[k][i % 3];
    }
    b.rotation = product;
    struct manifold_hint hint = {{0}};
    for (int k = -400; k <= 400; k++) {
        double gap = k == 0 ? 0.0 : (k < 0 ? -1.0 : 1.0) * pow(10.0, -17.0 + 0.04 * abs(k));
        b.position = vec3_scale(2.0 + gap, up);
        struct manifold m;
        manifold_find(&a, &b, 2.0, &hint, &m);
        assert_near(m.gap, gap, 4e-15);
        assert_true(vec3_norm(vec3_sub(m.normal, up)) < 4e-15);
        assert_int_equal(m.count, 8);
    }
    convex_free(&box);
}

/* ---- names and swapping ------------------------------------------------------------------------ */

static uint32_t swapped_name(uint32_t name) {
    uint32_t kind = name >> 30, rest = name & 0x3fffffffu;
    if (kind == 1) return 2u << 30 | rest;
    if (kind == 2) return 1u << 30 | rest;
    return 3u << 30 | (rest & 0x3fffu) << 14 | rest >> 14;
}

/* The same points whichever comes first, with the names of vertices exchanged. */
static void swapping_changes_nothing(void **state) {
    (void)state;
    struct convex small = make_box(1, 0.7, 1, 0.05), large = make_box(1.2, 0.6, 0.5, 0.0);
    struct placed a = put(&small, 0.1, 0.2, 0.3), b = put(&large, 0.3, 0.1, 1.849);
    b.rotation = turn_about(vec3_make(0, 0, 1), 0.5);
    struct manifold m = find(&a, &b, 0.1), w = find(&b, &a, 0.1);
    assert_int_equal(m.count, w.count);
    assert_true(m.count > 4);
    assert_near(m.gap, w.gap, 1e-15);
    assert_true(vec3_norm(vec3_add(m.normal, w.normal)) < 1e-15);
    for (int k = 0; k < m.count; k++) {
        int found = -1;
        for (int j = 0; j < w.count; j++) {
            if (w.points[j].feature == swapped_name(m.points[k].feature)) found = j;
        }
        assert_true(found >= 0);
        assert_true(vec3_norm(vec3_sub(m.points[k].point, w.points[found].point)) < 4e-15);
        assert_near(m.points[k].gap, w.points[found].gap, 4e-15);
    }
    convex_free(&small);
    convex_free(&large);
}

/* Aligned boxes that shift by rounding keep the names of their points. */
static void names_stay(void **state) {
    (void)state;
    struct convex box = make_box(1, 1, 1, 0.0);
    struct placed a = put(&box, 0, 0, 0), b = put(&box, 0, 0, 2);
    struct manifold first = find(&a, &b, 0.1);
    struct manifold_hint hint = {{0}};
    assert_int_equal(first.count, 4);
    for (int k = 0; k < 64; k++) {
        b.position = vec3_make((k & 3) * 1e-12 - 1e-12, (k >> 2 & 3) * 1e-12 - 1e-12,
                               2.0 + (k >> 4) * 1e-12 - 1e-12);
        b.rotation = turn_about(vec3_make(0, 0, 1), 1e-13 * (k % 7 - 3));
        struct manifold m;
        manifold_find(&a, &b, 0.1, &hint, &m);
        assert_int_equal(m.count, 4);
        for (int j = 0; j < 4; j++) assert_int_equal(m.points[j].feature, first.points[j].feature);
    }
    convex_free(&box);
}

/* Faces of many corners are thinned out, the points stay well spread. */
static void round_faces(void **state) {
    (void)state;
    enum { CORNERS = 200 };
    vec3 points[2 * CORNERS];
    for (int k = 0; k < CORNERS; k++) {
        double angle = 6.283185307179586 * k / CORNERS;
        points[2 * k] = vec3_make(cos(angle), sin(angle), 0.25);
        points[2 * k + 1] = vec3_make(cos(angle), sin(angle), -0.25);
    }
    struct convex coin = make(3, points, 2 * CORNERS, 0.0);
    struct placed a = put(&coin, 0, 0, 0), b = put(&coin, 0.1, 0, 0.5 + 1e-9);
    struct manifold m = find(&a, &b, 0.1);
    assert_int_equal(m.count, MANIFOLD_MAX);
    assert_near(m.gap, 1e-9, 1e-15);
    assert_true(highest(&m).y - lowest(&m).y > 1.9);
    assert_true(highest(&m).x - lowest(&m).x > 1.8);
    convex_free(&coin);
}

static void far_pairs_are_refused(void **state) {
    (void)state;
    struct convex box = make_box(1, 1, 1, 0.1);
    struct placed a = put(&box, 0, 0, 0), b = put(&box, 3, 3, 3);
    struct manifold_hint hint = {{0}};
    for (int k = 0; k < 3; k++) {
        struct manifold m;
        manifold_find(&a, &b, 0.5, &hint, &m);
        assert_int_equal(m.count, 0);
        assert_true(m.gap > 0.5 && m.gap <= sqrt(3.0) - 0.2 + 1e-15);
    }
    convex_free(&box);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_stands_on_box),
        cmocka_unit_test(tilted_box_has_all_corners),
        cmocka_unit_test(box_on_edge_and_corner),
        cmocka_unit_test(edges_cross),
        cmocka_unit_test(rounded_parts),
        cmocka_unit_test(coincident_cores),
        cmocka_unit_test(plates),
        cmocka_unit_test(sides_in_a_plane),
        cmocka_unit_test(box_on_plane),
        cmocka_unit_test(normal_does_not_jump),
        cmocka_unit_test(normal_stays_through_touch),
        cmocka_unit_test(swapping_changes_nothing),
        cmocka_unit_test(names_stay),
        cmocka_unit_test(round_faces),
        cmocka_unit_test(far_pairs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
