/* SPDX-License-Identifier: Apache-2.0
 *
 * The integrators of soft grains on a damped oscillator, x'' = -x - 2 z x', from its true derivatives: their order
 * (validation case 45). Bodies turn by the same rule as they move.
 */
#include "scheme/integrator.h"
#include "sim/sim.h"
#include "support.h"

static const double z = 0.1;

/* x^(n)(0) for x(0) = 1, x'(0) = 0. */
static double derivative(int n) {
    double last = 1.0, now = 0.0;
    for (int k = 1; k < n; k++) {
        double next = -last - 2.0 * z * now;
        last = now;
        now = next;
    }
    return n == 0 ? last : now;
}

static double exact(double t) {
    double w = sqrt(1.0 - z * z);
    return exp(-z * t) * (cos(w * t) + z / w * sin(w * t));
}

static struct soft_rates rates_at(vec3 x, vec3 v) {
    return (struct soft_rates){vec3_add_scaled(vec3_scale(-1.0, x), -2.0 * z, v), vec3_zero()};
}

/* Largest |error| in 2.5 swings of so many steps each. */
static double error_of(const struct integrator_type *type, int steps_of_swing) {
    const double swing = 6.283185307179586;
    talus_config config = talus_config_default();
    talus_sim *sim = support_sim(&config, 0.0);
    talus_index body = support_grain(sim, 1.0, 1.0, vec(1, 0, 0), vec(0, 0, 0));
    struct world *world = &sim->world;
    assert_int_equal(body, 0);
    struct soft_body one = {0};
    struct soft_more more = {0};
    struct integrator_state state = {&one, &more};
    double dt = swing / steps_of_swing, power = dt * dt / 2.0;
    for (int n = 3; n < 3 + INTEGRATOR_MORE; n++) {
        power *= dt / n;
        more.slide[n - 3].x = power * derivative(n);
    }
    one.rates = rates_at(world->bodies.position[body], world->bodies.velocity[body]);
    double error = 0.0;
    for (int k = 1; k <= 5 * steps_of_swing / 2; k++) {
        type->predict(world, &state, &body, 1, dt);
        struct soft_rates now =
            rates_at(world->bodies.position[body], world->bodies.velocity[body]);
        type->correct(world, &state, &body, &now, 1, dt);
        error = fmax(error, fabs(world->bodies.position[body].x - exact(k * dt)));
    }
    talus_sim_destroy(sim);
    return error;
}

static void order_is(const char *name, double least) {
    const struct integrator_type *type = integrator_find(name);
    assert_non_null(type);
    double coarse = error_of(type, 40), fine = error_of(type, 160);
    assert_true(log(coarse / fine) / log(4.0) > least);
    assert_true(coarse < 0.05);
}

/* The dashpot sees a predicted velocity, which leaves the leapfrog at second order. */
static void test_orders(void **state) {
    (void)state;
    order_is("leapfrog", 1.9);
    order_is("gear3", 2.9);
    order_is("gear4", 3.9);
    order_is("gear5", 4.9);
}

static void test_names(void **state) {
    (void)state;
    talus_config config = talus_config_default();
    talus_sim *sim = NULL;
    talus_error err;
    config.integrator = "gear6";
    assert_int_equal(talus_sim_create(&config, &sim, &err), TALUS_ERR_UNKNOWN_NAME);
    assert_non_null(strstr(err.text, "there is no integrator 'gear6'"));
    for (int k = 0; k < INTEGRATOR_COUNT; k++) {
        const talus_entry *entry = &integrator_get(k)->entry;
        assert_ptr_equal(integrator_find(entry->name), integrator_get(k));
        assert_true(strlen(entry->about) > 60 && entry->citation[0] == '[');
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
