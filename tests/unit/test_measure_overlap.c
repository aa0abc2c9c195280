/* SPDX-License-Identifier: Apache-2.0
 * The exact overlap of balls and boxes, and packing fractions made of it. */
#include "measure_support.h"

static const double whole = 4.0 / 3.0 * 3.14159265358979323846;

static struct axis_box make_box(double x0, double x1, double y0, double y1, double z0, double z1) {
    return (struct axis_box){{x0, y0, z0}, {x1, y1, z1}};
}

static double ball_in(struct axis_box box) {
    return box_overlap(&box, 3, vec(0, 0, 0), 1.0);
}

static void limits(void **state) {
    (void)state;
    const double far = 7.0;
    assert_near(ball_in(make_box(-far, far, -far, far, -far, far)), whole, 1e-15 * whole);
    assert_near(ball_in(make_box(0, far, -far, far, -far, far)), whole / 2, 1e-14);
    assert_near(ball_in(make_box(0, far, -far, 0, -far, far)), whole / 4, 1e-14);
    assert_near(ball_in(make_box(0, far, -far, 0, 0, far)), whole / 8, 1e-14);
    assert_true(ball_in(make_box(1, far, -far, far, -far, far)) == 0.0); /* touches a side */
    assert_near(ball_in(make_box(sqrt(0.5), far, sqrt(0.5), far, -far, far)), 0.0, 1e-15);
    assert_near(ball_in(make_box(1 / sqrt(3), far, 1 / sqrt(3), far, 1 / sqrt(3), far)), 0.0,
                1e-15); /* touches a corner */
    /* A cap of height h: pi h^2 (3 - h)/3. */
    assert_near(ball_in(make_box(0.7, far, -far, far, -far, far)), support_pi * 0.09 * 2.7 / 3,
                1e-15);
    /* A small box inside a huge ball is as large as it is. */
    struct axis_box tiny = make_box(0.3, 0.3 + 1e-5, -0.2, -0.2 + 2e-5, 0.5, 0.5 + 3e-5);
    double exact =
        (tiny.high[0] - tiny.low[0]) * (tiny.high[1] - tiny.low[1]) * (tiny.high[2] - tiny.low[2]);
    assert_near(ball_in(tiny), exact, 1e-15 * exact);
    assert_near(box_overlap(&tiny, 3, vec(0, 0, 0), 1e3), exact, 1e-10 * exact);
}

/* By Simpson's rule over x of the exact area of the disc there; its ends have square roots, so it converges slowly. */
static double by_quadrature(struct axis_box box) {
    enum { STEPS = 4000 };
    double low = fmax(box.low[0], -1.0), high = fmin(box.high[0], 1.0), sum = 0.0;
    if (low >= high) return 0.0;
    struct axis_box flat = {{box.low[1], box.low[2], 0}, {box.high[1], box.high[2], 0}};
    for (int k = 0; k < STEPS; k++) { /* x = cos: smooth at the ends of the ball */
        double from = acos(high), to = acos(low), width = (to - from) / STEPS;
        static const double place[3] = {0.11270166537925831, 0.5, 0.88729833462074169};
        static const double share[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
        for (int q = 0; q < 3; q++) {
            double t = from + (k + place[q]) * width;
            sum += share[q] * width * sin(t) * box_overlap(&flat, 2, vec(0, 0, 0), sin(t));
        }
    }
    return sum;
}

static void against_quadrature(void **state) {
    (void)state;
    struct random random = random_start(5, RANDOM_TEST, 0, 0);
    for (int n = 0; n < 200; n++) {
        talus_vec3 a = random_vec(&random, -1.3, 1.3), b = random_vec(&random, -1.3, 1.3);
        struct axis_box box = make_box(fmin(a.x, b.x), fmax(a.x, b.x), fmin(a.y, b.y),
                                       fmax(a.y, b.y), fmin(a.z, b.z), fmax(a.z, b.z));
        /* Kinks of the area cost 1/STEPS^2 at the worst. */
        assert_near(ball_in(box), by_quadrature(box), 2e-7);
    }
}

/* The disc, against sums of strips of which each is exact along one axis. */
static void disc_against_quadrature(void **state) {
    (void)state;
    struct random random = random_start(6, RANDOM_TEST, 0, 0);
    enum { STEPS = 20000 };
    for (int n = 0; n < 100; n++) {
        talus_vec3 a = random_vec(&random, -1.3, 1.3), b = random_vec(&random, -1.3, 1.3);
        struct axis_box box =
            make_box(fmin(a.x, b.x), fmax(a.x, b.x), fmin(a.y, b.y), fmax(a.y, b.y), 0, 0);
        double from = acos(fmin(box.high[0], 1.0)), to = acos(fmax(box.low[0], -1.0)), sum = 0.0;
        for (int k = 0; k < STEPS && to > from; k++) {
            double t = from + (k + 0.5) * (to - from) / STEPS, s = sin(t);
            double strip = fmin(box.high[1], s) - fmax(box.low[1], -s);
            sum += fmax(strip, 0.0) * s * (to - from) / STEPS;
        }
        assert_near(box_overlap(&box, 2, vec(0, 0, 0), 1.0), sum, 1e-7);
    }
}

/* Boxes that tile space share a ball, a disc, a piece of line and a branch to rounding. */
static void tiles_add_up(void **state) {
    (void)state;
    struct random random = random_start(7, RANDOM_TEST, 0, 0);
    for (int n = 0; n < 50; n++) {
        double cut[3][5];
        vec3 centre = random_vec(&random, -0.5, 0.5), l = random_vec(&random, -2, 2);
        for (int axis = 0; axis < 3; axis++) {
            cut[axis][0] = -10;
            cut[axis][4] = 10;
            for (int k = 1; k < 4; k++)
                cut[axis][k] = -1.5 + 0.75 * k + 0.7 * random_uniform(&random);
        }
        if (n % 7 == 0) l.x = 0.0; /* along a side */
        if (n % 7 == 0) centre.x = cut[0][2];
        for (int dim = 1; dim <= 3; dim++) {
            double ball = 0.0, line = 0.0;
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < (dim > 1 ? 4 : 1); j++)
                    for (int k = 0; k < (dim > 2 ? 4 : 1); k++) {
                        struct axis_box box = make_box(cut[0][i], cut[0][i + 1], cut[1][j],
                                                       cut[1][j + 1], cut[2][k], cut[2][k + 1]);
                        ball += box_overlap(&box, dim, centre, 1.1);
                        line += box_line_share(&box, dim, centre, l);
                    }
            assert_near(ball, ball_volume(dim, 1.1), 1e-12 * ball_volume(dim, 1.1));
            assert_near(line, 1.0, 1e-13);
        }
    }
}

/* Simple cubic: pi/6 in the whole cell; in any smaller period of it, cut anywhere, too. Hexagonal discs: pi/(2 sqrt 3). */
static void lattices(void **state) {
    (void)state;
    struct snapshot cubic = made_state(3, 64, 0);
    for (int axis = 0; axis < 3; axis++) make_periodic(&cubic, axis, 0.0, 4.0);
    for (int i = 0; i < 64; i++)
        put_grain(&cubic, vec(i % 4, i / 4 % 4, i / 16), 0.5, 1.0, vec(0, 0, 0));
    assert_near(take_value(&cubic, "packing", "fraction"), support_pi / 6, 1e-13);
    assert_near(take_value(&cubic, "packing from=0.3,1.7,-0.4 to=1.3,3.7,2.6", "fraction"),
                support_pi / 6, 1e-13);
    assert_near(take_value(&cubic, "packing from=0.3,1.7,-0.4 to=1.3,3.7,2.6", "grains"), 6, 0);
    snapshot_discard(&cubic);

    struct snapshot hexagonal = made_state(2, 24, 0);
    double row = 0.5 * sqrt(3.0);
    make_periodic(&hexagonal, 0, -1.0, 4.0);
    make_periodic(&hexagonal, 1, 0.0, 6 * row);
    for (int i = 0; i < 24; i++)
        put_grain(&hexagonal, vec(-1.0 + i % 4 + 0.5 * (i / 4 % 2), i / 4 * row, 0), 0.5, 1.0,
                  vec(0, 0, 0));
    assert_near(take_value(&hexagonal, "packing", "fraction"), support_pi / (2 * sqrt(3.0)), 1e-13);
    /* Every unit cell of two rows has two discs. */
    char order[100];
    snprintf(order, sizeof order, "packing from=0.1,0.2 to=1.1,%.17g", 0.2 + 2 * row);
    assert_near(take_value(&hexagonal, order, "fraction"), support_pi / (2 * sqrt(3.0)), 1e-13);
    snapshot_discard(&hexagonal);
}

/* Slabs: the parts of a profile are the whole, and one of them is a zone of the ball. */
static void slabs(void **state) {
    (void)state;
    struct snapshot one = made_state(3, 1, 0);
    put_grain(&one, vec(0.5, 0.5, 0.1), 0.25, 2.0, vec(1, 2, 3));
    make_periodic(&one, 2, 0.0, 1.0); /* reaches through the side */
    talus_table table = take_measure(&one, "profile axis=z bins=10");
    double solid = 0.0, area = 0.25, slab = area * 0.1;
    for (size_t k = 0; k < 10; k++) solid += slab * value_at(&table, k, "packing_fraction");
    assert_near(solid, ball_volume(3, 0.25), 1e-15);
    /* From 0.1 to 0.2 it has pi (r^2 h - h^3/3), from 0.9 to 1 what its image has between -0.1 and 0. */
    double zone = support_pi * (0.0625 * 0.1 - 0.001 / 3);
    assert_near(slab * value_at(&table, 1, "packing_fraction"), zone, 1e-15);
    double below = support_pi * (0.0625 * 0.1 - (0.008 - 0.001) / 3);
    assert_near(slab * value_at(&table, 9, "packing_fraction"), below, 1e-15);
    assert_near(value_at(&table, 9, "vy"), 2.0, 1e-14);
    assert_near(value_at(&table, 9, "mass_position"), 1.1, 1e-14); /* of the image */
    assert_near(value_at(&table, 1, "grains") + value_at(&table, 0, "grains"), 1.0, 0);
    talus_table_free(&table);
    snapshot_discard(&one);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits),
        cmocka_unit_test(against_quadrature),
        cmocka_unit_test(disc_against_quadrature),
        cmocka_unit_test(tiles_add_up),
        cmocka_unit_test(lattices),
        cmocka_unit_test(slabs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
