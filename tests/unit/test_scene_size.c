/* SPDX-License-Identifier: Apache-2.0
 *
 * Size distributions against theory: mean and cumulated distribution of 200,000 draws with a fixed
 * seed. Bounds are 4.5 standard errors, so a right generator fails one comparison in 100,000.
 */
#define _POSIX_C_SOURCE 200809L
#include "scene_support.h"

#include "scene/generate.h"

enum { DRAWS = 200000, POINTS = 20, PANELS = 2000 };

static const double errors = 4.5;

typedef double (*distribution)(const struct scene_size *size, double r);

static double gauss(double x) {
    return 0.5 * erfc(-x / sqrt(2.0));
}

static double uniform_share(const struct scene_size *size, double r) {
    return (r - size->a) / (size->b - size->a);
}

static double cut_share(double x, double low, double high) {
    return (gauss(x) - gauss(low)) / (gauss(high) - gauss(low));
}

static double normal_share(const struct scene_size *size, double r) {
    return cut_share((r - size->a) / size->b, (size->low - size->a) / size->b,
                     (size->high - size->a) / size->b);
}

static double lognormal_share(const struct scene_size *size, double r) {
    return cut_share(log(r / size->a) / size->b, log(size->low / size->a) / size->b,
                     log(size->high / size->a) / size->b);
}

static double power_share(const struct scene_size *size, double r) {
    double p = 1.0 - size->exponent;
    if (p == 0.0) return log(r / size->a) / log(size->b / size->a);
    return (pow(r, p) - pow(size->a, p)) / (pow(size->b, p) - pow(size->a, p));
}

/* Mean = high - integral of the cumulated distribution, by Simpson's rule. */
static double mean_of(const struct scene_size *size, distribution share, double low, double high) {
    double sum = 0.0, h = (high - low) / PANELS;
    for (int i = 0; i <= PANELS; i++) {
        double weight = i == 0 || i == PANELS ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
        sum += weight * share(size, low + i * h);
    }
    return high - sum * h / 3.0;
}

static void check(const struct scene_size *size, distribution share, double low, double high) {
    static double draws[DRAWS];
    struct random random = random_start(2385, RANDOM_TEST, 17, 1);
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < DRAWS; i++) {
        draws[i] = scene_size_draw(size, &random);
        assert_true(draws[i] >= low && draws[i] <= high);
        sum += draws[i];
        squares += draws[i] * draws[i];
    }
    double mean = sum / DRAWS, variance = squares / DRAWS - mean * mean;
    assert_near(mean, mean_of(size, share, low, high), errors * sqrt(variance / DRAWS));
    for (int p = 1; p < POINTS; p++) {
        double r = low + (high - low) * p / POINTS, wanted = share(size, r);
        int below = 0;
        for (int i = 0; i < DRAWS; i++) below += draws[i] <= r;
        double error = sqrt(fmax(wanted * (1.0 - wanted), 1.0 / DRAWS) / DRAWS);
        assert_near((double)below / DRAWS, wanted, errors * error);
    }
    assert_near(scene_size_largest(size), high, 1e-15 * high);
    assert_near(scene_size_smallest(size), low, 1e-15 * low);
}

static void test_uniform(void **state) {
    (void)state;
    struct scene_size size = {.kind = SCENE_SIZE_UNIFORM, .a = 0.731, .b = 1.385};
    check(&size, uniform_share, size.a, size.b);
}

static void test_normal(void **state) {
    (void)state;
    struct scene_size size = {
        .kind = SCENE_SIZE_NORMAL, .a = 1.1, .b = 0.31, .low = 0.4, .high = 1.3};
    check(&size, normal_share, size.low, size.high);
}

static void test_lognormal(void **state) {
    (void)state;
    struct scene_size size = {
        .kind = SCENE_SIZE_LOGNORMAL, .a = 0.0021, .b = 0.47, .low = 0.001, .high = 0.006};
    check(&size, lognormal_share, size.low, size.high);
}

static void test_power(void **state) {
    (void)state;
    static const double exponents[] = {-2.3, 0.0, 0.9999, 1.0, 1.0 + 1e-10, 2.7, 3.5, 40.0};
    for (size_t i = 0; i < sizeof exponents / sizeof exponents[0]; i++) {
        struct scene_size size = {
            .kind = SCENE_SIZE_POWER, .a = 0.5, .b = 2.9, .exponent = exponents[i]};
        distribution share = power_share;
        if (fabs(size.exponent - 1.0) < 1e-6) size.exponent = 1.0; /* for the theory */
        struct scene_size drawn = size;
        drawn.exponent = exponents[i];
        check(&size, share, size.a, size.b);
        struct random a = random_start(1, RANDOM_TEST, 1, 1), b = a;
        assert_near(scene_size_draw(&size, &a), scene_size_draw(&drawn, &b), 1e-9);
    }
}

static double share_of(const struct scene_size *size, double radius) {
    struct random random = random_start(99, RANDOM_TEST, 3, 1);
    int hits = 0;
    for (int i = 0; i < DRAWS; i++) hits += scene_size_draw(size, &random) == radius;
    return (double)hits / DRAWS;
}

static void test_discrete(void **state) {
    (void)state;
    struct scene_size one = {.kind = SCENE_SIZE_ONE, .a = 0.37};
    assert_true(share_of(&one, 0.37) == 1.0);
    assert_true(scene_size_largest(&one) == 0.37 && scene_size_smallest(&one) == 0.37);
    struct scene_size two = {.kind = SCENE_SIZE_TWO, .a = 1.0, .b = 1.4, .share = 0.317};
    assert_near(share_of(&two, 1.0), 0.317, errors * sqrt(0.317 * 0.683 / DRAWS));
    assert_true(share_of(&two, 1.0) + share_of(&two, 1.4) == 1.0);
    assert_true(scene_size_largest(&two) == 1.4 && scene_size_smallest(&two) == 1.0);
    const double radii[] = {3.0, 1.0, 2.0, 9.0}, weights[] = {2.0, 5.0, 3.0, 0.0};
    struct scene_size table = {
        .kind = SCENE_SIZE_TABLE, .values = radii, .weights = weights, .count = 4};
    assert_near(share_of(&table, 3.0), 0.2, errors * sqrt(0.2 * 0.8 / DRAWS));
    assert_near(share_of(&table, 1.0), 0.5, errors * sqrt(0.5 * 0.5 / DRAWS));
    assert_true(share_of(&table, 9.0) == 0.0);
    assert_true(scene_size_largest(&table) == 3.0 && scene_size_smallest(&table) == 1.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uniform),   cmocka_unit_test(test_normal),
        cmocka_unit_test(test_lognormal), cmocka_unit_test(test_power),
        cmocka_unit_test(test_discrete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
