/* SPDX-License-Identifier: Apache-2.0
 * Mass of parts that overlap: against closed forms, against integration of another kind, and the same
 * whatever the place, the orientation and the order of the parts. */
#include "support.h"

#include <stdlib.h>

#include "base/random.h"
#include "geom/forms.h"
#include "geom/nearest.h"
#include "geom/union_mass.h"
#include "geom/union_mass_parts.h"
#include "world/world.h"

static const double pi = 3.14159265358979323846;

enum { POINTS = 24 };

/* A cluster as it is given. */
struct given {
    int dim, count;
    struct {
        vec3 points[POINTS];
        size_t count;
        double rounding;
    } part[UNION_PARTS_MAX];
};

static void add_ball(struct given *to, vec3 at, double radius) {
    to->part[to->count].points[0] = at;
    to->part[to->count].count = 1;
    to->part[to->count++].rounding = radius;
}

static void add_capsule(struct given *to, vec3 a, vec3 b, double radius) {
    add_ball(to, a, radius);
    to->part[to->count - 1].points[1] = b;
    to->part[to->count - 1].count = 2;
}

/* A box, in 2D a rectangle, about `at`, swept by `rounding`. */
static void add_box(struct given *to, vec3 at, vec3 edges, double rounding) {
    add_ball(to, at, rounding);
    vec3 *points = to->part[to->count - 1].points;
    size_t count =
        to->dim == 3 ? form_box(points, edges) : form_rectangle(points, edges.x, edges.y);
    for (size_t k = 0; k < count; k++) points[k] = vec3_add(points[k], at);
    to->part[to->count - 1].count = count;
}

struct pose {
    quat turn;
    vec3 shift;
    double scale;
    bool reversed;
};

static const struct pose as_given = {{1.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, 1.0, false};

static struct convex_mass weigh_at(const struct given *given, struct pose pose, double *error) {
    struct convex hulls[UNION_PARTS_MAX];
    const struct convex *parts[UNION_PARTS_MAX];
    struct convex_mass mass;
    for (int k = 0; k < given->count; k++) {
        int from = pose.reversed ? given->count - 1 - k : k;
        vec3 points[POINTS];
        for (size_t i = 0; i < given->part[from].count; i++) {
            vec3 turned = quat_rotate(pose.turn, given->part[from].points[i]);
            points[i] = vec3_scale(pose.scale, vec3_add(turned, pose.shift));
        }
        assert_int_equal(convex_make(&hulls[k], given->dim, points, given->part[from].count,
                                     pose.scale * given->part[from].rounding, false),
                         CONVEX_OK);
        parts[k] = &hulls[k];
    }
    assert_int_equal(union_mass(parts, given->count, &mass, error), UNION_OK);
    for (int k = 0; k < given->count; k++) convex_free(&hulls[k]);
    return mass;
}

static struct convex_mass weigh(const struct given *given) {
    double error;
    struct convex_mass mass = weigh_at(given, as_given, &error);
    assert_true(error < 1e-10);
    return mass;
}

static void assert_moments(const struct convex_mass *mass, vec3 diagonal, double tolerance) {
    const double expected[3] = {diagonal.x, diagonal.y, diagonal.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_near(mass->inertia.m[i][j], i == j ? expected[i] : 0.0, tolerance);
}

static void assert_at(vec3 x, vec3 expected, double tolerance) {
    assert_near(x.x, expected.x, tolerance);
    assert_near(x.y, expected.y, tolerance);
    assert_near(x.z, expected.z, tolerance);
}

static void assert_same_mass(const struct convex_mass *a, const struct convex_mass *b,
                             double relative) {
    double moment = b->inertia.m[2][2], length = sqrt(moment / b->volume);
    assert_near(a->volume, b->volume, relative * b->volume);
    assert_at(a->centre, b->centre, relative * length);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_near(a->inertia.m[i][j], b->inertia.m[i][j], relative * moment);
}

/* ---- integration of another kind ----------------------------------------------------------------- */

/* By the double exponential rule, to rounding for what is smooth inside, whatever its ends. */
static double integral(double (*f)(double, void *), void *with, double a, double b) {
    const double step = 1.0 / 32.0;
    double sum = 0.0, half = 0.5 * (b - a);
    for (int k = -128; k <= 128; k++) {
        double t = step * (double)k, u = 0.5 * pi * sinh(t);
        double near = 1.0 / (exp(fabs(u)) * cosh(u)); /* 1 - |tanh u| */
        double x = u < 0.0 ? a + half * near : b - half * near;
        double weight = 0.5 * pi * cosh(t) / (cosh(u) * cosh(u));
        if (x > a && x < b) sum += weight * f(x, with);
    }
    return half * step * sum;
}

/* ---- balls --------------------------------------------------------------------------------------- */

struct section { /* of the body x >= 0 of two balls of radius 1 at +-d */
    double d;
    int moment;
};

static double lens_section(double x, void *with) {
    const struct section *s = with;
    double square = 1.0 - (x - s->d) * (x - s->d), area = pi * square;
    if (s->moment == 0) return area;
    return s->moment == 1 ? 0.5 * area * square : 0.25 * area * square + area * x * x;
}

static void test_two_balls(void **state) {
    (void)state;
    for (int k = 0; k < 5; k++) {
        double d = (double[]){0.01, 0.3, 0.5, 0.9, 0.999}[k];
        struct given given = {.dim = 3};
        add_ball(&given, vec3_make(-d, 0.0, 0.0), 1.0);
        add_ball(&given, vec3_make(d, 0.0, 0.0), 1.0);
        struct convex_mass mass = weigh(&given);
        double cap = 1.0 - d, lens = 2.0 * pi * cap * cap * (3.0 - cap) / 3.0;
        assert_near(mass.volume, 8.0 * pi / 3.0 - lens, 1e-12);
        assert_at(mass.centre, vec3_zero(), 1e-13);
        double along = 2.0 * integral(lens_section, &(struct section){d, 1}, 0.0, 1.0 + d);
        double across = 2.0 * integral(lens_section, &(struct section){d, 2}, 0.0, 1.0 + d);
        assert_moments(&mass, vec3_make(along, across, across), 1e-12 * across);
    }
}

/* Union of three discs of radius r about the corners of a triangle of side 1, by inclusion and
 * exclusion. */
static double three_discs(double z, void *with) {
    const double *radius = with;
    double r2 = *radius * *radius - z * z, r = sqrt(r2), area = 3.0 * pi * r2;
    if (r > 0.5) area -= 3.0 * (2.0 * r2 * acos(0.5 / r) - 0.5 * sqrt(4.0 * r2 - 1.0));
    if (r > 1.0 / sqrt(3.0)) {
        double side = sqrt(3.0) * sqrt(r2 - 0.25) - 0.5;
        area += 0.25 * sqrt(3.0) * side * side +
                3.0 * (r2 * asin(0.5 * side / r) - 0.25 * side * sqrt(4.0 * r2 - side * side));
    }
    return area;
}

static void test_three_balls(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        double radius = (double[]){0.55, 0.7, 1.0}[k], volume = 0.0, error;
        struct given given = {.dim = 3};
        add_ball(&given, vec3_make(0.0, 0.0, 0.0), radius);
        add_ball(&given, vec3_make(1.0, 0.0, 0.0), radius);
        add_ball(&given, vec3_make(0.5, sqrt(0.75), 0.0), radius);
        struct convex_mass mass = weigh_at(&given, as_given, &error);
        /* From the middle to where triples, pairs and discs end. */
        double ends[4] = {0.0, radius > 1.0 / sqrt(3.0) ? sqrt(radius * radius - 1.0 / 3.0) : 0.0,
                          sqrt(radius * radius - 0.25), radius};
        for (int i = 0; i < 3; i++)
            volume += 2.0 * integral(three_discs, &radius, ends[i], ends[i + 1]);
        assert_near(mass.volume, volume, 1e-12 * volume);
        assert_at(mass.centre, vec3_make(0.5, sqrt(0.75) / 3.0, 0.0), 1e-12);
        assert_near(mass.inertia.m[0][0], mass.inertia.m[1][1], 1e-12 * volume);
        assert_true(error < 1e-12);
    }
}

/* The largest cluster there may be: a block of balls that overlap their neighbours. */
static void test_many_balls(void **state) {
    (void)state;
    struct given given = {.dim = 3};
    double r = 0.6, cap = pi * 0.01 * (3.0 * r - 0.1) / 3.0, error;
    for (int k = 0; k < 64; k++) add_ball(&given, vec3_make(k % 4, k / 4 % 4, k / 16), r);
    struct convex_mass mass = weigh_at(&given, as_given, &error);
    /* 144 pairs of neighbours have a lens of two caps each; no lenses meet. */
    assert_near(mass.volume / (64.0 * 4.0 / 3.0 * pi * r * r * r - 288.0 * cap), 1.0, 1e-12);
    assert_at(mass.centre, vec3_make(1.5, 1.5, 1.5), 1e-12);
    assert_near(mass.inertia.m[0][1], 0.0, 1e-12 * mass.inertia.m[0][0]);
    assert_true(error < 5e-12);
}

/* ---- polyhedra ----------------------------------------------------------------------------------- */

static void add_jack(struct given *to) {
    add_box(to, vec3_zero(), vec3_make(3.0, 1.0, 1.0), 0.0);
    add_box(to, vec3_zero(), vec3_make(1.0, 3.0, 1.0), 0.0);
    add_box(to, vec3_zero(), vec3_make(1.0, 1.0, 3.0), 0.0);
}

static void test_boxes(void **state) {
    (void)state;
    struct given jack = {.dim = 3};
    add_jack(&jack);
    struct convex_mass mass = weigh(&jack);
    assert_near(mass.volume, 7.0, 7e-13);
    assert_at(mass.centre, vec3_zero(), 1e-13);
    assert_moments(&mass, vec3_make(31.0 / 6.0, 31.0 / 6.0, 31.0 / 6.0), 5e-13);

    struct given plus = {.dim = 3, .count = 0};
    add_box(&plus, vec3_zero(), vec3_make(3.0, 1.0, 1.0), 0.0);
    add_box(&plus, vec3_zero(), vec3_make(1.0, 3.0, 1.0), 0.0);
    mass = weigh(&plus); /* five cubes */
    assert_near(mass.volume, 5.0, 5e-13);
    assert_moments(&mass, vec3_make(17.0 / 6.0, 17.0 / 6.0, 29.0 / 6.0), 5e-13);
}

/* Many at one place: the pieces must not multiply without end. */
static void test_polyhedra_at_one_place(void **state) {
    (void)state;
    struct given given = {.dim = 3}, twice = {.dim = 3};
    struct random random = random_start(7, RANDOM_TEST, 0, 0);
    for (int k = 0; k < 12; k++) {
        add_box(&given, vec3_zero(), vec3_make(1.0, 1.0, 1.0), 0.0);
        vec3 turn = vec3_make(random_normal(&random), random_normal(&random), 2.0);
        quat q = quat_turn(quat_identity(), turn);
        for (int i = 0; i < 8; i++)
            given.part[k].points[i] = quat_rotate(q, given.part[k].points[i]);
    }
    for (int k = 0; k < 24; k++) twice.part[twice.count++] = given.part[(5 * k) % 12];
    struct convex_mass once = weigh(&given), again = weigh(&twice);
    assert_same_mass(&again, &once, 1e-13);
    assert_true(once.volume > 1.0 && once.volume < 0.5 * sqrt(3.0) * pi);
    assert_at(once.centre, vec3_zero(), 1e-13);
}

/* ---- both ---------------------------------------------------------------------------------------- */

static void test_within_and_twice(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int rounded = 0; rounded < 2; rounded++) {
            double r = rounded ? 0.2 : 0.0, flat = dim == 3 ? 1.0 : 0.0;
            struct given outer = {.dim = dim}, inner = {.dim = dim}, twice = {.dim = dim};
            add_box(&outer, vec3_make(1.0, 2.0, 0.0), vec3_make(2.0, 3.0, 4.0), r);
            add_box(&inner, vec3_make(1.0, 2.0, 0.0), vec3_make(2.0, 3.0, 4.0), r);
            add_box(&inner, vec3_make(1.5, 2.0, 0.2 * flat), vec3_make(1.0, 1.0, 1.0), r);
            add_ball(&inner, vec3_make(1.0, 2.0, 0.3 * flat), 0.5);
            add_box(&twice, vec3_make(1.0, 2.0, 0.0), vec3_make(2.0, 3.0, 4.0), r);
            add_box(&twice, vec3_make(1.0, 2.0, 0.0), vec3_make(2.0, 3.0, 4.0), r);
            struct convex_mass a = weigh(&outer), b = weigh(&inner), c = weigh(&twice);
            assert_memory_equal(&a, &b, sizeof a);
            assert_memory_equal(&a, &c, sizeof a);
        }
}

/* The half of a ball that sticks out of the face z = 1 of a body with known moments. */
static void add_half_ball(struct convex_mass *to, vec3 at, double r) {
    double mass = 2.0 / 3.0 * pi * r * r * r, all = to->volume + mass;
    vec3 lift = vec3_make(at.x, at.y, at.z + 0.375 * r), apart = vec3_sub(lift, to->centre);
    double reduced = to->volume * mass / all, square = vec3_norm2(apart);
    double x[3] = {apart.x, apart.y, apart.z};
    /* About the middle of its plane 2/5 m r^2; its own centre is 3/8 r above. */
    double own[3] = {0.4 - 0.140625, 0.4 - 0.140625, 0.4};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            to->inertia.m[i][j] +=
                (i == j ? own[i] * mass * r * r + reduced * square : 0.0) - reduced * x[i] * x[j];
    to->centre = vec3_add_scaled(to->centre, mass / all, apart);
    to->volume = all;
}

static void test_half_sunk_ball(void **state) {
    (void)state;
    struct given box = {.dim = 3}, both, jack = {.dim = 3};
    vec3 at = {0.2, 0.3, 1.0}, top = {0.1, -0.05, 1.5};
    add_box(&box, vec3_zero(), vec3_make(2.0, 2.0, 2.0), 0.0);
    both = box;
    add_ball(&both, at, 0.5);
    struct convex_mass expected = weigh(&box), mass = weigh(&both);
    add_half_ball(&expected, at, 0.5);
    assert_same_mass(&mass, &expected, 1e-11);
    /* Sharp parts by their surface instead of by cutting, because of the ball. */
    add_jack(&jack);
    expected = weigh(&jack);
    add_half_ball(&expected, top, 0.3);
    add_ball(&jack, top, 0.3);
    mass = weigh(&jack);
    assert_same_mass(&mass, &expected, 1e-10);
}

/* Capsules across each other: what they share is the body of Steinmetz, 16/3 r^3. */
static void test_crossing_capsules(void **state) {
    (void)state;
    struct given one = {.dim = 3}, two = {.dim = 3};
    double r = 0.5, r3 = r * r * r, r5 = r3 * r * r;
    add_capsule(&one, vec3_make(-1.0, 0.0, 0.0), vec3_make(1.0, 0.0, 0.0), r);
    add_capsule(&two, vec3_make(-1.0, 0.0, 0.0), vec3_make(1.0, 0.0, 0.0), r);
    add_capsule(&two, vec3_make(0.0, -1.0, 0.0), vec3_make(0.0, 1.0, 0.0), r);
    struct convex_mass single = weigh(&one), mass = weigh(&two);
    double along = single.inertia.m[0][0], across = single.inertia.m[1][1];
    assert_near(mass.volume, 2.0 * single.volume - 16.0 / 3.0 * r3, 1e-11);
    double side = along + across - 112.0 / 45.0 * r5;
    assert_moments(&mass, vec3_make(side, side, 2.0 * across - 128.0 / 45.0 * r5), 1e-11);
}

/* Surfaces that coincide over an area: capsules in one line, rounded bricks flush with each other. */
static void test_flush(void **state) {
    (void)state;
    struct given parts = {.dim = 3}, whole = {.dim = 3};
    add_capsule(&parts, vec3_make(-1.0, 0.3, 0.0), vec3_make(1.0, 0.3, 0.0), 0.5);
    add_capsule(&parts, vec3_make(0.0, 0.3, 0.0), vec3_make(2.0, 0.3, 0.0), 0.5);
    add_capsule(&whole, vec3_make(-1.0, 0.3, 0.0), vec3_make(2.0, 0.3, 0.0), 0.5);
    struct convex_mass a = weigh(&parts), b = weigh(&whole);
    assert_same_mass(&a, &b, 1e-10);

    struct given bricks = {.dim = 3}, wall = {.dim = 3};
    add_box(&bricks, vec3_make(0.0, 0.0, 0.0), vec3_make(2.0, 1.0, 1.0), 0.25);
    add_box(&bricks, vec3_make(1.0, 0.0, 0.0), vec3_make(2.0, 1.0, 1.0), 0.25);
    add_box(&bricks, vec3_make(2.0, 0.0, 0.0), vec3_make(1.0, 1.0, 1.0), 0.25);
    add_box(&wall, vec3_make(0.75, 0.0, 0.0), vec3_make(3.5, 1.0, 1.0), 0.25);
    a = weigh(&bricks);
    b = weigh(&wall);
    assert_same_mass(&a, &b, 1e-10);

    /* Three rounded bars through each other: in the middle they share a cube. */
    struct given bars = {.dim = 3}, bar = {.dim = 3};
    add_box(&bars, vec3_zero(), vec3_make(3.0, 1.0, 1.0), 0.1);
    add_box(&bars, vec3_zero(), vec3_make(1.0, 3.0, 1.0), 0.1);
    add_box(&bar, vec3_zero(), vec3_make(3.0, 1.0, 1.0), 0.1);
    a = weigh(&bars);
    b = weigh(&bar);
    /* The sections of both along z are squares of 1.2 with the corners of a rounded square cut off:
     * at height h above the flat part all four sides draw back by s = 0.1 - sqrt(0.01 - h^2). */
    double s1 = 0.1 * (1.0 - 0.25 * pi) * 0.1, s2 = (2.0 - 0.5 * pi - 1.0 / 3.0) * 0.001;
    double shared = 1.2 * 1.2 * 1.2 - 2.0 * (4.0 * 1.2 * s1 - 4.0 * s2);
    assert_near(a.volume, 2.0 * b.volume - shared, 1e-10);
}

/* ---- plane worlds -------------------------------------------------------------------------------- */

static void test_discs(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        double d = (double[]){0.02, 0.7, 1.0, 1.99}[k], half = acos(0.5 * d);
        struct given given = {.dim = 2};
        add_ball(&given, vec3_make(3.0 - 0.5 * d, 0.0, 0.0), 1.0);
        add_ball(&given, vec3_make(3.0 + 0.5 * d, 0.0, 0.0), 1.0);
        struct convex_mass mass = weigh(&given);
        assert_near(mass.volume, 2.0 * pi - 2.0 * half + sin(2.0 * half), 1e-13 * 6.0);
        assert_at(mass.centre, vec3_make(3.0, 0.0, 0.0), 1e-13);
        /* Of the lens about its middle: two segments, each about the centre of its disc, moved. */
        double area = half - 0.5 * sin(2.0 * half), sine = sin(half);
        double polar = 0.5 * half - 0.25 * sin(2.0 * half) * (1.0 - 2.0 / 3.0 * sine * sine);
        double first = 2.0 / 3.0 * sine * sine * sine, c = 0.5 * d;
        double lens = 2.0 * (polar - 2.0 * c * first + c * c * area);
        assert_near(mass.inertia.m[2][2], 2.0 * (0.5 * pi + pi * c * c) - lens, 1e-12);
    }
    struct given given = {.dim = 2};
    add_box(&given, vec3_zero(), vec3_make(2.0, 2.0, 0.0), 0.0);
    add_ball(&given, vec3_make(1.0, 0.2, 0.0), 0.5);
    struct convex_mass mass = weigh(&given);
    assert_near(mass.volume, 4.0 + 0.125 * pi, 4e-13);
    assert_near(mass.centre.x, (0.125 * pi + 2.0 / 3.0 * 0.125) / mass.volume, 1e-13);
    assert_near(mass.centre.y, 0.025 * pi / mass.volume, 1e-13);
}

static void test_rectangles(void **state) {
    (void)state;
    struct given corner = {.dim = 2}, plus = {.dim = 2}, bar = {.dim = 2}, square = {.dim = 2};
    add_box(&corner, vec3_zero(), vec3_make(3.0, 1.0, 0.0), 0.0);
    add_box(&corner, vec3_make(1.0, 1.0, 0.0), vec3_make(1.0, 3.0, 0.0), 0.0);
    struct convex_mass mass = weigh(&corner);
    assert_near(mass.volume, 5.0, 5e-13);
    assert_at(mass.centre, vec3_make(0.4, 0.6, 0.0), 1e-13);
    assert_near(mass.inertia.m[2][2], 217.0 / 30.0, 1e-12);
    /* Rounded bars across each other share a sharp square. */
    add_box(&plus, vec3_zero(), vec3_make(3.0, 1.0, 0.0), 0.1);
    add_box(&plus, vec3_zero(), vec3_make(1.0, 3.0, 0.0), 0.1);
    add_box(&bar, vec3_zero(), vec3_make(3.0, 1.0, 0.0), 0.1);
    add_box(&square, vec3_zero(), vec3_make(1.2, 1.2, 0.0), 0.0);
    struct convex_mass one = weigh(&bar), shared = weigh(&square);
    mass = weigh(&plus);
    assert_near(mass.volume, 2.0 * one.volume - shared.volume, 1e-12);
    assert_near(mass.inertia.m[2][2], 2.0 * one.inertia.m[2][2] - shared.inertia.m[2][2], 1e-12);
    /* Flush: a row of rounded squares is a rounded rectangle; a disc may touch from inside. */
    struct given row = {.dim = 2}, all = {.dim = 2};
    add_box(&row, vec3_make(0.0, 0.0, 0.0), vec3_make(1.0, 1.0, 0.0), 0.5);
    add_box(&row, vec3_make(0.5, 0.0, 0.0), vec3_make(1.0, 1.0, 0.0), 0.5);
    add_box(&row, vec3_make(1.0, 0.0, 0.0), vec3_make(1.0, 1.0, 0.0), 0.5);
    add_ball(&row, vec3_make(0.5, 0.0, 0.0), 1.0);
    add_box(&all, vec3_make(0.5, 0.0, 0.0), vec3_make(2.0, 1.0, 0.0), 0.5);
    struct convex_mass a = weigh(&row), b = weigh(&all);
    assert_same_mass(&a, &b, 1e-13);
}

/* ---- whatever the parts -------------------------------------------------------------------------- */

static double uniform(struct random *random, double low, double high) {
    return low + (high - low) * random_uniform(random);
}

static vec3 random_place(struct random *random, int dim, double size) {
    double x = uniform(random, 0.0, size), y = uniform(random, 0.0, size);
    return vec3_make(x, y, dim == 3 ? uniform(random, 0.0, size) : 0.0);
}

/* Balls, capsules, boxes, hulls of points; on a lattice, so that faces and edges coincide, or not. */
static struct given random_cluster(struct random *random, int dim, bool lattice) {
    struct given given = {.dim = dim};
    for (int k = 0; k < 5; k++) {
        vec3 at = random_place(random, dim, 1.5);
        if (lattice)
            at = vec3_make(0.5 * floor(2.0 * at.x), 0.5 * floor(2.0 * at.y),
                           0.5 * floor(2.0 * at.z));
        double r = lattice ? 0.25 : uniform(random, 0.1, 0.4);
        int kind = (int)uniform(random, 0.0, 4.0);
        if (kind == 0) add_ball(&given, at, 2.0 * r);
        if (kind == 1) add_capsule(&given, at, vec3_add(at, vec3_make(0.5, 1.0, 0.0)), r);
        if (kind >= 2) add_box(&given, at, vec3_make(1.0, 0.5, 1.5), kind == 2 ? r : 0.0);
        if (kind >= 2 && !lattice)
            for (size_t i = 0; i < given.part[k].count; i++)
                given.part[k].points[i] = vec3_add(at, random_place(random, dim, 1.0));
    }
    return given;
}

static struct pose random_pose(struct random *random, int dim) {
    vec3 turn = vec3_make(0.0, 0.0, uniform(random, 0.5, 3.0));
    if (dim == 3) turn.x = uniform(random, 0.5, 2.0);
    return (struct pose){quat_turn(quat_identity(), turn), random_place(random, dim, 3.0), 0.01,
                         true};
}

/* Also parts that do not overlap may be given to union_mass: all that is asked is the union. */
static void check_invariance(struct random *random, int dim, bool lattice, double tolerance) {
    struct given given = random_cluster(random, dim, lattice);
    struct pose pose = random_pose(random, dim);
    double error;
    struct convex_mass a = weigh_at(&given, as_given, &error), b = weigh_at(&given, pose, &error);
    double s = pose.scale, content = dim == 3 ? s * s * s : s * s;
    mat3 turn = quat_matrix(pose.turn), back = mat3_transposed(&turn);
    b.volume /= content;
    b.centre = mat3_apply(&back, vec3_sub(vec3_scale(1.0 / s, b.centre), pose.shift));
    b.inertia = mat3_turned(&back, &b.inertia);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) b.inertia.m[i][j] /= content * s * s;
    assert_same_mass(&b, &a, tolerance);
}

static void test_invariance(void **state) {
    (void)state;
    struct random random = random_start(3, RANDOM_TEST, 0, 0);
    for (int k = 0; k < 200; k++) check_invariance(&random, 2, k % 2 == 0, 1e-13);
    for (int k = 0; k < 4; k++) check_invariance(&random, 3, k % 2 == 0, 1e-9);
}

/* A sanity check of everything at once, to some 4.5 standard deviations. */
static void check_by_chance(struct random *random, int dim) {
    enum { SAMPLES = 20000 };
    struct given given = random_cluster(random, dim, false);
    struct convex hulls[8];
    double error, low = -1.0, high = 3.5, all = pow(high - low, dim);
    struct convex_mass mass = weigh_at(&given, as_given, &error);
    for (int k = 0; k < given.count; k++)
        assert_int_equal(convex_make(&hulls[k], dim, given.part[k].points, given.part[k].count,
                                     given.part[k].rounding, false),
                         CONVEX_OK);
    int hits = 0;
    for (int i = 0; i < SAMPLES; i++) {
        vec3 x = random_place(random, dim, high - low);
        x = vec3_add(x, vec3_make(low, low, dim == 3 ? low : 0.0));
        bool hit = false;
        for (int k = 0; k < given.count && !hit; k++)
            hit = union_core_gap(&hulls[k], x, HUGE_VAL, NULL) <= hulls[k].rounding;
        hits += hit;
    }
    for (int k = 0; k < given.count; k++) convex_free(&hulls[k]);
    double share = mass.volume / all, sigma = sqrt(share * (1.0 - share) / SAMPLES);
    assert_near((double)hits / SAMPLES, share, 4.5 * sigma);
}

static void test_by_chance(void **state) {
    (void)state;
    struct random random = random_start(11, RANDOM_TEST, 0, 0);
    for (int k = 0; k < 3; k++) {
        check_by_chance(&random, 2);
        check_by_chance(&random, 3);
    }
}

/* ---- shapes of a world --------------------------------------------------------------------------- */

/* Three cubes in a row that touch, or not quite: the sum of the parts, to the last bit. */
static void test_apart(void **state) {
    (void)state;
    struct memory memory = {0};
    struct world world = {.memory = &memory, .dim = 3};
    struct convex_mass masses[3];
    vec3 points[3][8], centre = vec3_zero();
    talus_shape_part parts[3];
    double volume = 0.0, moment = 0.0;
    for (int k = 0; k < 3; k++) {
        struct convex hull;
        form_box(points[k], vec3_make(0.3, 0.3, 0.3));
        for (int i = 0; i < 8; i++)
            points[k][i] = vec3_add(points[k][i], vec3_make(0.7 * k, 0.1 * k, 0.0));
        parts[k] = (talus_shape_part){.points = points[k], .count = 8, .rounding = 0.2};
        assert_int_equal(convex_make(&hull, 3, points[k], 8, 0.2, false), CONVEX_OK);
        masses[k] = convex_mass(&hull);
        convex_free(&hull);
        volume += masses[k].volume;
        centre = vec3_add_scaled(centre, masses[k].volume, masses[k].centre);
    }
    centre = vec3_scale(1.0 / volume, centre);
    for (int k = 0; k < 3; k++) {
        vec3 d = vec3_sub(masses[k].centre, centre);
        moment += masses[k].inertia.m[0][0];
        moment += masses[k].volume * (vec3_norm2(d) - d.x * d.x);
    }
    assert_ok(world_add_form(&world, "row", parts, 3, NULL));
    assert_true(world.forms[0].volume == volume);
    assert_true(world.forms[0].centre.x == centre.x && world.forms[0].centre.y == centre.y);
    assert_true(world.forms[0].inertia.m[0][0] == moment / volume);
    world_free(&world);
}

/* Two cubes that share half of each other and one that stands by itself. */
static void test_world(void **state) {
    (void)state;
    struct memory memory = {0};
    struct world world = {.memory = &memory, .dim = 3};
    vec3 points[3][8];
    talus_shape_part parts[3];
    const double at[3] = {0.0, 4.0, 0.5};
    for (int k = 0; k < 3; k++) {
        form_box(points[k], vec3_make(1.0, 1.0, 1.0));
        for (int i = 0; i < 8; i++) points[k][i].x += at[k];
        parts[k] = (talus_shape_part){.points = points[k], .count = 8};
    }
    assert_ok(world_add_form(&world, "pair", parts, 3, NULL));
    const struct body_form *form = &world.forms[0];
    assert_near(form->volume, 2.5, 1e-15);
    assert_near(form->centre.x, (1.5 * 0.25 + 4.0) / 2.5, 1e-15);
    assert_near(form->inertia.m[0][0], 1.0 / 6.0, 1e-15);
    assert_near(form->inner, 0.5, 1e-15);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_balls),
        cmocka_unit_test(test_three_balls),
        cmocka_unit_test(test_many_balls),
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_polyhedra_at_one_place),
        cmocka_unit_test(test_within_and_twice),
        cmocka_unit_test(test_half_sunk_ball),
        cmocka_unit_test(test_crossing_capsules),
        cmocka_unit_test(test_flush),
        cmocka_unit_test(test_discs),
        cmocka_unit_test(test_rectangles),
        cmocka_unit_test(test_invariance),
        cmocka_unit_test(test_by_chance),
        cmocka_unit_test(test_apart),
        cmocka_unit_test(test_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
