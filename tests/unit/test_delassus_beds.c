/* SPDX-License-Identifier: Apache-2.0
 * Beds of discs at rest, from no forces: the load of the whole bed has to come down to the floor. */
#define _POSIX_C_SOURCE 200809L
#include "delassus_support.h"

#include "base/random.h"

enum { CONTACTS_MOST = 8192, BODY_NUMBERS = 3 };

/* Discs of radius 1 in rows, each on two of the row below, those at the ends of every other row on one and on a wall.
 * Masses, friction and directions are disordered: such discs would not fit, but W is that of rigid bodies all the same. */
struct bed {
    struct memory memory;
    struct delassus problem;
    double mu_least;
    size_t count;
    int32_t below[CONTACTS_MOST], above[CONTACTS_MOST]; /* discs; -1: floor or wall */
    double angle[CONTACTS_MOST], mu[CONTACTS_MOST], mass[CONTACTS_MOST];
    double q[2 * CONTACTS_MOST], r[2 * CONTACTS_MOST], u[2 * CONTACTS_MOST];
};

static const double pi = 3.14159265358979324;

static double draw(struct random *random, double low, double high) {
    return low + (high - low) * (double)random_word(random) / 4294967296.0;
}

static void touch(struct bed *bed, struct random *random, int below, int above, double angle) {
    size_t k = bed->count++;
    bed->below[k] = below;
    bed->above[k] = above;
    bed->angle[k] = angle + draw(random, -0.5, 0.5);
    bed->mu[k] = draw(random, bed->mu_least, bed->mu_least + 0.1);
}

static void touch_all(struct bed *bed, struct random *random, int wide, int high) {
    for (int row = 0; row < high; row++)
        for (int k = 0; k < wide; k++) {
            int disc = row * wide + k, left = disc - wide - (row % 2 == 0), right = left + 1;
            bed->mass[disc] = draw(random, 0.5, 1.5);
            if (row == 0) {
                touch(bed, random, -1, disc, pi / 2.0);
                continue;
            }
            bool at_left = row % 2 == 0 && k == 0, at_right = row % 2 == 1 && k == wide - 1;
            touch(bed, random, at_left ? -1 : left, disc, at_left ? 0.0 : pi / 3.0);
            touch(bed, random, at_right ? -1 : right, disc, at_right ? pi : 2.0 * pi / 3.0);
        }
}

/* What velocities of a disc do to those of a contact, normal and tangent: n goes from below to above, and a disc that
 * turns moves its surface against the tangent on both sides. */
static void rows_of(const struct bed *bed, size_t k, int32_t disc, double rows[2][BODY_NUMBERS]) {
    double side = bed->above[k] == disc ? 1.0 : -1.0, x = cos(bed->angle[k]),
           y = sin(bed->angle[k]);
    const double both[2][BODY_NUMBERS] = {{side * x, side * y, 0.0}, {-side * y, side * x, -1.0}};
    memcpy(rows, both, sizeof both);
}

static void couple(const struct bed *bed, struct triplets *w, size_t i, size_t j, int32_t disc) {
    double mine[2][BODY_NUMBERS], other[2][BODY_NUMBERS];
    if (disc < 0 || (bed->below[j] != disc && bed->above[j] != disc)) return;
    rows_of(bed, i, disc, mine);
    rows_of(bed, j, disc, other);
    for (size_t a = 0; a < 2; a++)
        for (size_t c = 0; c < 2; c++) {
            double turns = 2.0 * mine[a][2] * other[c][2]; /* inertia m/2 */
            double sum = mine[a][0] * other[c][0] + mine[a][1] * other[c][1] + turns;
            triplets_add(w, 2 * i + a, 2 * j + c, sum / bed->mass[disc]);
        }
}

/* q: gravity 1 during a step of 1. */
static void make(struct bed *bed, int wide, double mu) {
    struct random random = random_start(7, RANDOM_TEST, 0, 0);
    struct triplets triplets;
    struct sparse w;
    memset(bed, 0, sizeof *bed);
    bed->mu_least = mu;
    touch_all(bed, &random, wide, wide);
    size_t size = 2 * bed->count;
    assert_true(bed->count <= CONTACTS_MOST);
    assert_true(triplets_make(&triplets, &bed->memory, size, size, 40 * bed->count));
    for (size_t i = 0; i < bed->count; i++) {
        size_t near = (size_t)(4 * wide);
        for (size_t j = i < near ? 0 : i - near; j < bed->count && j < i + near; j++) {
            couple(bed, &triplets, i, j, bed->below[i]);
            couple(bed, &triplets, i, j, bed->above[i]);
        }
        double still = bed->below[i] < 0 ? 1.0 : 0.0; /* else both fall alike */
        bed->q[2 * i] = -still * sin(bed->angle[i]);
        bed->q[2 * i + 1] = -still * cos(bed->angle[i]);
    }
    assert_true(sparse_make(&w, &bed->memory, &triplets));
    struct delassus_friction friction = {.mu = bed->mu};
    assert_true(delassus_make(&bed->problem, &bed->memory, 2, bed->count, &w, bed->q, friction));
    triplets_free(&triplets, &bed->memory);
    sparse_free(&w, &bed->memory);
}

static void destroy(struct bed *bed) {
    delassus_free(&bed->problem);
    assert_int_equal(bed->memory.bytes, 0);
}

static talus_solve_report solve(struct bed *bed, const char *solver, double tolerance,
                                int64_t iterations) {
    talus_solve_config config = talus_solve_config_default();
    talus_solve_report report;
    config.solver = solver;
    config.tolerance = tolerance;
    config.max_iterations = iterations;
    config.max_seconds = 100.0;
    assert_true(
        delassus_solve(&bed->problem, &bed->memory, &config, bed->r, bed->u, &report, NULL) >= 0);
    return report;
}

/* Floor and walls bear the weight, as nothing moves. */
static void assert_borne(const struct bed *bed, int wide) {
    double borne = 0.0, weight = 0.0;
    for (int k = 0; k < wide * wide; k++) weight += bed->mass[k];
    for (size_t k = 0; k < bed->count; k++)
        if (bed->below[k] < 0)
            borne += bed->r[2 * k] * sin(bed->angle[k]) + bed->r[2 * k + 1] * cos(bed->angle[k]);
    assert_near(borne, weight, 1e-5 * weight);
}

/* Without interior points `auto` was at 2.7e-4 after 33,000 iterations; now it takes 1,700. */
static void bed_at_rest(void **state) {
    (void)state;
    enum { ROWS = 30 };
    struct bed *bed = test_calloc(1, sizeof *bed);
    make(bed, ROWS, 0.2);
    talus_solve_report report = solve(bed, "auto", 1e-8, 12000);
    if (!report.converged)
        fail_msg("residual %g after %ld iterations", report.residual_q, (long)report.iterations);
    assert_borne(bed, ROWS);
    destroy(bed);
    test_free(bed);
}

/* Interior points take about as many steps for a large bed as for a small one: found are 9 to 13. */
static void steps_do_not_grow(void **state) {
    (void)state;
    struct bed *bed = test_calloc(1, sizeof *bed);
    for (int wide = 10; wide <= 40; wide *= 2) {
        make(bed, wide, 0.4);
        talus_solve_report report = solve(bed, "interior", 1e-8, 18);
        if (!report.converged)
            fail_msg("%d rows: residual %g after %ld steps", wide, report.residual_q,
                     (long)report.iterations);
        assert_borne(bed, wide);
        destroy(bed);
    }
    test_free(bed);
}

/* Where discs slide interior points end beside the solution: they have one round, and sweeps go on from there. */
static void bed_that_slides(void **state) {
    (void)state;
    struct bed *bed = test_calloc(1, sizeof *bed);
    make(bed, 30, 0.05);
    talus_solve_report report = solve(bed, "auto", 1e-8, 20000);
    int rounds = 0;
    assert_true(report.stage_count > 5); /* far enough for its turn */
    for (int k = 0; k < report.stage_count; k++) {
        bool interior = strcmp(report.stages[k].solver, "interior") == 0;
        rounds += interior && report.stages[k].iterations <= 60 ? 1 : 0; /* the most of a round */
    }
    assert_int_equal(rounds, 1);
    destroy(bed);
    test_free(bed);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bed_at_rest),
        cmocka_unit_test(steps_do_not_grow),
        cmocka_unit_test(bed_that_slides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
