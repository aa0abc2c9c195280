/* SPDX-License-Identifier: Apache-2.0
 *
 * Audits: the error that they find is the true one where that is known, and they leave no trace in the state.
 */
#include "support.h"

/* Discs of mass 1, one on the other on a floor: contact k bears the weight of n - k. */
static talus_sim *column(int n, const talus_solver_config *solver) {
    talus_config config = talus_config_default();
    config.dim = 2;
    config.gravity = vec(0, -10, 0);
    config.dt = 1e-3;
    config.solver = *solver;
    talus_sim *sim = support_sim(&config, 0.5);
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 1, 0));
    for (int i = 0; i < n; i++) support_grain(sim, 0.5, 1.0, vec(0, i + 0.5, 0), vec(0, 0, 0));
    return sim;
}

/* Of |P - P*|/|P*| over all contacts. */
static double true_error(const talus_sim *sim, int n) {
    talus_contact contacts[256];
    size_t count = talus_sim_contacts(sim, contacts, 256);
    double error = 0.0, all = 0.0;
    assert_int_equal(count, n);
    for (size_t k = 0; k < count; k++) {
        double height = fmin(fabs(contacts[k].point.y), n), right = 10.0 * (n - round(height));
        double missing = fabs(contacts[k].force.y) - right;
        error += missing * missing;
        all += right * right;
    }
    return sqrt(error / all);
}

/* A cold column after few plain sweeps: the audit tells the error to 1 % of it, and the velocity that should not be there: what
 * contacts have not yet taken of g dt. */
static void audit_is_the_error(void **state) {
    (void)state;
    const int n = 40, sweeps[] = {20, 200, 1000, 4000};
    for (int k = 0; k < 4; k++) {
        talus_solver_config solver = talus_solver_plain();
        solver.sweeps = sweeps[k];
        talus_sim *sim = column(n, &solver);
        assert_ok(talus_sim_step(sim, NULL, NULL));
        double error = true_error(sim, n), moving = 0.0, taken = 0.0;
        talus_body_view bodies = talus_sim_bodies(sim);
        for (size_t i = 0; i < bodies.count; i++) {
            if (bodies.kind[i] != TALUS_BODY_GRAIN) continue;
            moving += pow(bodies.velocity[i].y, 2);
            taken += pow(bodies.velocity[i].y + 10.0 * 1e-3, 2);
        }
        talus_audit audit;
        assert_ok(talus_sim_audit(sim, 100000, &audit, NULL));
        assert_true(audit.converged);
        assert_near(audit.tolerance, 1e-4, 1e-18);
        assert_near(audit.forces, error, 0.01 * error);
        assert_near(audit.motion, fmin(sqrt(moving / taken), 1.0), 0.01 * audit.motion);
        talus_trust trust = talus_sim_trust(sim);
        assert_int_equal(trust.audits, 1);
        assert_near(trust.audit_forces, audit.forces, 0.0);
        talus_sim_destroy(sim);
    }
}

/* What was right to rounding does not change. */
static void nothing_to_find(void **state) {
    (void)state;
    talus_solver_config solver = talus_config_default().solver;
    solver.tolerance = 1e-10;
    talus_sim *sim = column(10, &solver);
    support_steps(sim, 3);
    talus_audit audit;
    assert_ok(talus_sim_audit(sim, 1000, &audit, NULL));
    assert_true(audit.forces < 1e-8 && audit.motion < 1e-8);
    talus_sim_destroy(sim);
}

static void add_pile(talus_sim *sim) {
    talus_pair_law law = {.mu_static = 0.5,
                          .mu_sliding = 0.4,
                          .rolling = {.coefficient = 0.1},
                          .cohesion = {.force = 0.5, .range = 0.01},
                          .restitution = {.normal = 0.3}};
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 1, 0));
    for (int i = 0; i < 60; i++)
        support_grain(sim, 0.4 + 0.001 * (i % 7), 0.0,
                      vec(0.85 * (i % 6) + 0.05 * (i / 6 % 3), 0.83 * (i / 6) + 0.42, 0),
                      vec(0, 0, 0));
}

/* Bit by bit the same steps with audits and without, with all laws that remember something, by every solver. */
static void audits_leave_no_trace(void **state) {
    (void)state;
    for (int plain = 0; plain < 2; plain++) {
        talus_config config = talus_config_default();
        config.dim = 2;
        config.gravity = vec(0, -10, 0);
        if (plain == 1) config.solver = talus_solver_plain();
        talus_sim *audited = support_sim(&config, 0.5), *other = support_sim(&config, 0.5);
        add_pile(audited);
        add_pile(other);
        double most = 0.0;
        for (int step = 0; step < 200; step++) {
            talus_audit audit;
            assert_true(talus_sim_step(audited, NULL, NULL) >= 0);
            assert_true(talus_sim_step(other, NULL, NULL) >= 0);
            assert_ok(talus_sim_audit(audited, 50, &audit, NULL));
            most = fmax(most, audit.forces);
            assert_int_equal(talus_sim_hash(audited), talus_sim_hash(other));
        }
        assert_true(most > 0.0);
        talus_sim_destroy(audited);
        talus_sim_destroy(other);
    }
}

/* Where there is nothing to audit, and where nobody knows what. */
static void without_a_step(void **state) {
    (void)state;
    talus_solver_config solver = talus_config_default().solver;
    talus_sim *sim = column(3, &solver);
    talus_audit audit = {.forces = 1.0};
    talus_error err;
    assert_ok(talus_sim_audit(sim, 10, &audit, &err));
    assert_near(audit.forces, 0.0, 0.0);
    assert_int_equal(talus_sim_trust(sim).audits, 0);
    assert_ok(talus_sim_step(sim, NULL, NULL));
    assert_int_equal(talus_sim_audit(sim, 0, &audit, &err), TALUS_ERR_INPUT);
    support_grain(sim, 0.5, 1.0, vec(5, 5, 0), vec(0, 0, 0));
    assert_int_equal(talus_sim_audit(sim, 10, &audit, &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "bodies came or went"));
    talus_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(audit_is_the_error),
        cmocka_unit_test(nothing_to_find),
        cmocka_unit_test(audits_leave_no_trace),
        cmocka_unit_test(without_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
