/* SPDX-License-Identifier: Apache-2.0
 * The damped-sine and power-law fits: exact recovery, noise, refusals. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "talus/fit.h"

enum { POINTS = 191 };

static const talus_damped_sine truth = {
    .x0 = 49.377, .amplitude = 2.385, .tau = 63.53, .omega = 0.17673, .phase = -1.137};

static void sample(const talus_damped_sine *sine, double t_first, double dt, double *t, double *x) {
    for (int p = 0; p < POINTS; p++) {
        t[p] = t_first + dt * p;
        x[p] = sine->x0 +
               sine->amplitude * exp(-t[p] / sine->tau) * sin(sine->omega * t[p] + sine->phase);
    }
}

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) {
        print_error("%.17g is not %.17g to %g\n", value, expected, tolerance);
        fail();
    }
}

static void recovers_noise_free_data_exactly(void **state) {
    (void)state;
    double t[POINTS], x[POINTS];
    const double wrong[3] = {0.6, 1.0, 1.7}; /* factors on the start values */
    sample(&truth, 270.0, 1.0, t, x);
    for (int i = 0; i < 9; i++) {
        talus_damped_sine fit = {.tau = wrong[i / 3] * truth.tau,
                                 .omega = wrong[i % 3] * truth.omega};
        assert_int_equal(talus_fit_damped_sine(t, x, POINTS, &fit, NULL), TALUS_OK);
        assert_near(fit.x0, truth.x0, 1e-8 * truth.x0);
        assert_near(fit.amplitude, truth.amplitude, 1e-8 * truth.amplitude);
        assert_near(fit.tau, truth.tau, 1e-8 * truth.tau);
        assert_near(fit.omega, truth.omega, 1e-8 * truth.omega);
        assert_near(fit.phase, truth.phase, 1e-8);
        assert_true(fit.rms < 1e-13 * truth.x0);
    }
}

static void does_not_depend_on_the_units(void **state) {
    (void)state;
    double t[POINTS], x[POINTS];
    talus_damped_sine tiny = {
        .x0 = -3.1e-7, .amplitude = 4.7e-9, .tau = 2.9e-6, .omega = 8.3e6, .phase = 2.9};
    sample(&tiny, 1e-6, 5e-8, t, x);
    talus_damped_sine fit = {.tau = 2e-6, .omega = 7e6};
    assert_int_equal(talus_fit_damped_sine(t, x, POINTS, &fit, NULL), TALUS_OK);
    assert_near(fit.x0, tiny.x0, 1e-8 * fabs(tiny.x0));
    assert_near(fit.amplitude, tiny.amplitude, 1e-8 * tiny.amplitude);
    assert_near(fit.tau, tiny.tau, 1e-8 * tiny.tau);
    assert_near(fit.omega, tiny.omega, 1e-8 * tiny.omega);
    assert_near(fit.phase, tiny.phase, 1e-8);
}

static void finds_an_undamped_sine(void **state) {
    (void)state;
    double t[POINTS], x[POINTS];
    talus_damped_sine steady = {
        .x0 = 1.3, .amplitude = 0.7, .tau = HUGE_VAL, .omega = 0.21, .phase = 0.4};
    sample(&steady, 0.0, 1.0, t, x);
    talus_damped_sine fit = {.tau = 100.0, .omega = 0.2};
    assert_int_equal(talus_fit_damped_sine(t, x, POINTS, &fit, NULL), TALUS_OK);
    assert_near(fit.omega, 0.21, 1e-9);
    assert_true(fabs(1.0 / fit.tau) < 1e-9);
}

/* With white noise the parameters scatter by about noise/amplitude/sqrt(n). */
static void bears_noise(void **state) {
    (void)state;
    double t[POINTS], x[POINTS];
    struct random random = random_start(7, RANDOM_TEST, 0, 0);
    sample(&truth, 0.0, 1.0, t, x);
    for (int p = 0; p < POINTS; p++) x[p] += 0.02 * random_normal(&random);
    talus_damped_sine fit = {.tau = 50.0, .omega = 0.2};
    assert_int_equal(talus_fit_damped_sine(t, x, POINTS, &fit, NULL), TALUS_OK);
    assert_near(fit.x0, truth.x0, 0.01);
    assert_near(fit.omega, truth.omega, 2e-3 * truth.omega);
    assert_near(fit.tau, truth.tau, 0.03 * truth.tau);
    assert_near(fit.rms, 0.02, 0.003);
}

static void refuse(const double *t, const double *x, size_t n, double tau, double omega,
                   const char *word) {
    talus_damped_sine fit = {.x0 = 123.0, .tau = tau, .omega = omega};
    talus_error err = {.status = TALUS_OK};
    assert_int_equal(talus_fit_damped_sine(t, x, n, &fit, &err), TALUS_ERR_INPUT);
    assert_int_equal(err.status, TALUS_ERR_INPUT);
    if (strstr(err.text, word) == NULL) fail_msg("\"%s\" does not name %s", err.text, word);
    assert_true(fit.x0 == 123.0); /* no effect */
}

static void refuses_bad_input(void **state) {
    (void)state;
    double t[POINTS], x[POINTS];
    sample(&truth, 0.0, 1.0, t, x);
    refuse(t, x, 5, 60.0, 0.2, "5 points");
    refuse(t, x, POINTS, -1.0, 0.2, "tau = -1");
    refuse(t, x, POINTS, 60.0, nan(""), "omega = nan");
    x[17] = nan("");
    refuse(t, x, POINTS, 60.0, 0.2, "point 17");
    for (int p = 0; p < POINTS; p++) x[p] = 0.1;
    refuse(t, x, POINTS, 60.0, 0.2, "nothing to fit");
    sample(&truth, 0.0, 0.0, t, x);
    x[3] += 1.0;
    refuse(t, x, POINTS, 60.0, 0.2, "span");
}

static void power_law(void **state) {
    (void)state;
    const double x[4] = {10, 20, 40, 80};
    double y[4], exponent, error;
    for (int p = 0; p < 4; p++) y[p] = 3.7 * pow(x[p], -0.613);
    assert_int_equal(talus_fit_power(x, y, 4, &exponent, &error, NULL), TALUS_OK);
    assert_near(exponent, -0.613, 1e-13);
    assert_true(error < 1e-13);
    /* Residuals +d, -d, -d, +d leave the slope and give sqrt(4 d^2/2 / (5 log(2)^2)). */
    const double d = 0.01, sign[4] = {1, -1, -1, 1};
    for (int p = 0; p < 4; p++) y[p] *= exp(d * sign[p]);
    assert_int_equal(talus_fit_power(x, y, 4, &exponent, &error, NULL), TALUS_OK);
    assert_near(exponent, -0.613, 1e-13);
    assert_near(error, sqrt(2.0 * d * d / 5.0) / log(2.0), 1e-12);
    assert_int_equal(talus_fit_power(x, y, 4, &exponent, NULL, NULL), TALUS_OK);
}

static void power_law_refuses_bad_input(void **state) {
    (void)state;
    double x[3] = {1, 2, 3}, y[3] = {1, 2, 3}, exponent = 5.0, error = 5.0;
    talus_error err;
    assert_int_equal(talus_fit_power(x, y, 2, &exponent, &error, &err), TALUS_ERR_INPUT);
    y[1] = 0.0;
    assert_int_equal(talus_fit_power(x, y, 3, &exponent, &error, &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "point 1"));
    y[1] = 2.0;
    x[0] = x[1] = x[2] = 1e-9;
    assert_int_equal(talus_fit_power(x, y, 3, &exponent, &error, &err), TALUS_ERR_INPUT);
    assert_true(exponent == 5.0 && error == 5.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recovers_noise_free_data_exactly),
        cmocka_unit_test(does_not_depend_on_the_units),
        cmocka_unit_test(finds_an_undamped_sine),
        cmocka_unit_test(bears_noise),
        cmocka_unit_test(refuses_bad_input),
        cmocka_unit_test(power_law),
        cmocka_unit_test(power_law_refuses_bad_input),
    };
    return cmocka_run_group_tests_name("fit", tests, NULL, NULL);
}
