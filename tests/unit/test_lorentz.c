/* SPDX-License-Identifier: Apache-2.0
 * The algebra of the cone x_0 >= |(x_1, x_2)|, against what defines it. */
#include "support.h"

#include <math.h>

#include "base/random.h"
#include "math/lorentz.h"

static double draw(struct random *random) {
    return 2.0 * (double)random_word(random) / 4294967296.0 - 1.0;
}

/* Inside; every third nearly on the edge. */
static void draw_inside(struct random *random, int width, int number, double *x) {
    double sides = 0.0;
    for (int k = 1; k < width; k++) {
        x[k] = draw(random);
        sides += x[k] * x[k];
    }
    x[0] = sqrt(sides) + (number % 3 == 0 ? 1e-6 : fabs(draw(random)) + 1e-2);
}

static double distance(const double *a, const double *b, int width) {
    double sum = 0.0, size = 0.0;
    for (int k = 0; k < width; k++) {
        sum += (a[k] - b[k]) * (a[k] - b[k]);
        size += b[k] * b[k];
    }
    return sqrt(sum / size);
}

/* P x = P^-1 z and P P x = z; 1e-7: cancellation 1e-16/1e-6 at the edge, times the root of what the scaling stretches by. */
static void scaling(void **state) {
    (void)state;
    struct random random = random_start(3, RANDOM_TEST, 0, 0);
    for (int number = 0; number < 3000; number++) {
        int width = 1 + number % LORENTZ_MOST;
        double x[LORENTZ_MOST], z[LORENTZ_MOST], one[LORENTZ_MOST], two[LORENTZ_MOST];
        draw_inside(&random, width, number, x);
        draw_inside(&random, width, number / 3, z);
        struct lorentz_scaling scaling = lorentz_scale(x, z, width);
        lorentz_apply_square(&scaling, x, one);
        assert_near(distance(one, z, width), 0.0, 1e-7);
        lorentz_apply(&scaling, x, one);
        lorentz_apply_inverse(&scaling, z, two);
        assert_near(distance(one, two, width), 0.0, 1e-7);
        lorentz_apply(&scaling, one, one);
        assert_near(distance(one, z, width), 0.0, 1e-7);
    }
}

static void quotients(void **state) {
    (void)state;
    struct random random = random_start(4, RANDOM_TEST, 0, 0);
    for (int number = 0; number < 3000; number++) {
        int width = 1 + number % LORENTZ_MOST;
        double a[LORENTZ_MOST], b[LORENTZ_MOST], c[LORENTZ_MOST];
        draw_inside(&random, width, 1, a);
        for (int k = 0; k < width; k++) b[k] = draw(&random);
        lorentz_multiply(a, b, width, c);
        lorentz_divide(a, c, width, c);
        assert_near(distance(c, b, width), 0.0, 1e-10);
    }
}

/* On the edge at the end of the way, inside before it. */
static void ways_out(void **state) {
    (void)state;
    struct random random = random_start(5, RANDOM_TEST, 0, 0);
    int endless = 0;
    for (int number = 0; number < 3000; number++) {
        int width = 1 + number % LORENTZ_MOST;
        double x[LORENTZ_MOST], d[LORENTZ_MOST], end[LORENTZ_MOST], sides = 0.0;
        draw_inside(&random, width, 1, x);
        for (int k = 0; k < width; k++) d[k] = draw(&random);
        for (int k = 1; k < width; k++) sides += d[k] * d[k];
        double way = lorentz_reach(x, d, width);
        if (way == HUGE_VAL) { /* if and only if d lies in the cone */
            assert_true(d[0] >= sqrt(sides));
            endless++;
            continue;
        }
        assert_true(d[0] < sqrt(sides) && way > 0.0);
        for (int k = 0; k < width; k++) end[k] = x[k] + way * d[k];
        assert_near(lorentz_determinant(end, width) / (1.0 + end[0] * end[0]), 0.0, 1e-12);
        assert_true(end[0] >= -1e-12 * (1.0 + way));
        for (int k = 0; k < width; k++) end[k] = x[k] + 0.999 * way * d[k];
        assert_true(end[0] > 0.0 && lorentz_determinant(end, width) > 0.0);
    }
    assert_true(endless > 300);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scaling),
        cmocka_unit_test(quotients),
        cmocka_unit_test(ways_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
