/* SPDX-License-Identifier: Apache-2.0
 * Observables against what can be counted by hand. */
#include "support.h"
#include "talus/measure.h"

static const double g = 9.81, pi = 3.141592653589793;

/* Two discs a little apart on the floor, one on top in the hollow, one far away in the air. */
static talus_sim *small_pile(void) {
    talus_config config = support_config(2, 1e-3);
    config.gravity = vec(0, -g, 0);
    config.solver.max_sweeps = 100000;
    talus_sim *sim = support_sim(&config, 0.5);
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 1, 0));
    support_grain(sim, 1.0, 2.0, vec(0, 1, 0), vec(0, 0, 0));
    support_grain(sim, 1.0, 2.0, vec(2.2, 1, 0), vec(0, 0, 0));
    support_grain(sim, 1.0, 2.0, vec(1.1, 1 + sqrt(4.0 - 1.1 * 1.1), 0), vec(0, 0, 0));
    support_grain(sim, 0.5, 0.5, vec(8, 7, 0), vec(0, 0, 0));
    return sim;
}

static void network_of_a_small_pile(void **state) {
    (void)state;
    talus_sim *sim = small_pile();
    support_steps(sim, 1);
    talus_observables o = talus_sim_observe(sim);
    /* Two on the floor, two under the top disc. */
    assert_int_equal(o.grains, 4);
    assert_int_equal(o.contacts, 4);
    assert_int_equal(o.rattlers, 1);
    assert_near(o.coordination, 6.0 / 4.0, 1e-12);
    assert_near(o.coordination_no_rattlers, 6.0 / 3.0, 1e-12);

    assert_near(talus_sim_boundary(sim, 0).force.y, -6 * g, 1e-6);
    talus_sim_destroy(sim);
}

static void packing_fraction_of_boxes(void **state) {
    (void)state;
    talus_sim *sim = small_pile();
    /* The box around: x from -1 to 8.5, y from 0 to 7.5. */
    assert_near(talus_sim_observe(sim).packing_fraction, (3 + 0.25) * pi / (9.5 * 7.5), 1e-12);
    talus_sim_destroy(sim);
    talus_config config = talus_config_default();
    config.cell.periodic[0] = config.cell.periodic[1] = true;
    config.cell.size = vec(10, 20, 0);
    sim = support_sim(&config, 0.0);
    support_grain(sim, 1.0, 1.0, vec(5, 5, 3), vec(0, 0, 0)); /* x, y: the period; z: 2 radii */
    assert_near(talus_sim_observe(sim).packing_fraction, 4.0 / 3.0 * pi / (10 * 20 * 2), 1e-12);
    talus_sim_destroy(sim);
}

static void energies_of_one_grain(void **state) {
    (void)state;
    talus_config config = talus_config_default();
    config.dt = 1e-3;
    config.gravity = vec(0, 0, -g);
    talus_sim *sim = support_sim(&config, 0.0);
    talus_body_def def = talus_body_def_default(sim);
    def.radius = 0.5;
    def.mass = 3.0;
    def.position = vec(0, 0, 7);
    def.velocity = vec(1, 2, 2);
    def.omega = vec(0, 4, 3);
    assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    talus_energy energy = talus_sim_observe(sim).energy;
    assert_near(energy.kinetic_translation, 0.5 * 3 * 9, 1e-12);
    assert_near(energy.kinetic_rotation, 0.5 * (0.4 * 3 * 0.25) * 25, 1e-12);
    assert_near(energy.potential, 3 * g * 7, 1e-12);
    assert_near(energy.error, 0.0, 1e-12);
    support_steps(sim, 1000);
    energy = talus_sim_observe(sim).energy;
    /* Free fall: implicit Euler loses dt/2 m g^2 t. */
    assert_near(energy.step_loss, 0.5e-3 * 3 * g * g * 1.0, 1e-9);
    assert_near(energy.error, 0.0, 1e-11);
    /* Nothing touches: all that is applied goes into motion. */
    assert_near(talus_sim_observe(sim).balance_error, 1.0, 1e-12);
    assert_true(talus_sim_observe(sim).unbalanced_force == 0.0);
    talus_sim_destroy(sim);
}

/* A resting column is balanced; taking the floor away unbalances it. */
static void balance(void **state) {
    (void)state;
    talus_config config = support_config(2, 1e-3);
    config.gravity = vec(0, -g, 0);
    config.solver.max_sweeps = 100000;
    talus_sim *sim = support_sim(&config, 0.0);
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 1, 0));
    for (int i = 0; i < 4; i++) support_grain(sim, 0.5, 1.0, vec(0, i + 0.5, 0), vec(0, 0, 0));
    support_steps(sim, 2);
    talus_observables o = talus_sim_observe(sim);
    assert_near(o.balance_error, 0.0, 1e-10);
    assert_near(o.unbalanced_force, 0.0, 1e-10);
    assert_near(o.force_mean, (1 + 2 + 3 + 4) * g / 4, 1e-8);
    assert_near(o.overlap_max, 0.0, 1e-12);
    assert_ok(talus_boundary_remove(sim, "floor", NULL));
    support_steps(sim, 1);
    assert_near(talus_sim_observe(sim).balance_error, 1.0, 1e-10);
    talus_sim_destroy(sim);
}

/* Six discs pressed by a piston: the mean stress is that on the walls, and the same for soft discs.
 * Between walls at x = 0 and W a column under the force F has sigma_yy = F/W of the box around it. */
static void stress_of_a_column(void **state) {
    (void)state;
    const double load = 7.0, stiffness = 1e5;
    for (int soft = 0; soft < 2; soft++) {
        talus_config config = support_config(2, soft ? 1e-4 : 1e-2);
        config.method = soft ? TALUS_METHOD_MD : TALUS_METHOD_CD;
        config.solver.max_sweeps = 100000;
        talus_sim *sim = support_sim(&config, 0.0);
        talus_pair_law law = {.soft = {.stiffness = stiffness, .restitution = 0.05}};
        assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
        support_plane(sim, "floor", vec(0, 0, 0), vec(0, 1, 0));
        for (int i = 0; i < 6; i++) support_grain(sim, 0.5, 1.0, vec(0, i + 0.5, 0), vec(0, 0, 0));
        talus_boundary_def piston = talus_boundary_def_default();
        piston.name = "piston";
        piston.point = vec(0, 6, 0);
        piston.normal = vec(0, -1, 0);
        piston.free =
            (talus_free_motion){.mass = 1.0, .direction = vec(0, -1, 0), .force = {.mean = load}};
        assert_ok(talus_boundary_add(sim, &piston, NULL));
        support_steps(sim, soft ? 20000 : 5);
        talus_stress stress;
        assert_ok(talus_measure_stress(sim, &stress, NULL));
        double overlap = soft ? load / stiffness : 0.0; /* branches end at the middle of the gap */
        double height = 6.0 - 6.0 * overlap;            /* 5 + 2/2 of them lie between the walls */
        double volume = 1.0 * (6.0 - 5.0 * overlap);
        assert_near(stress.volume, volume, 1e-9);
        assert_near(stress.tensor[1][1], load * height / volume, 1e-6);
        assert_near(stress.tensor[0][0], 0.0, 1e-9);
        assert_near(stress.tensor[0][1], 0.0, 1e-9);
        assert_near(stress.pressure, 0.5 * load * height / volume, 1e-6);
        talus_sim_destroy(sim);
    }
}

/* Across a periodic border, and pressed askew: the tensor of one contact is l f/V, friction makes it skew. */
static void stress_of_one_contact(void **state) {
    (void)state;
    talus_config config = support_config(2, 1e-2);
    config.cell.periodic[0] = true;
    config.cell.size = vec(10, 0, 0);
    talus_sim *sim = support_sim(&config, 0.3);
    support_grain(sim, 1.0, 1.0, vec(9.5, 0, 0), vec(1, 0.2, 0));
    support_grain(sim, 1.0, 1.0, vec(1.5, 0, 0), vec(-1, -0.2, 0));
    support_steps(sim, 1);
    talus_contact contact;
    assert_int_equal(talus_sim_contacts(sim, &contact, 1), 1);
    double sign = contact.a == 0 ? 1.0 : -1.0; /* the first grain lies to the left of the border */
    talus_stress stress;
    assert_ok(talus_measure_stress(sim, &stress, NULL));
    assert_near(sign * contact.force.x, 1.0 / 0.01, 1e-6); /* impulse m v: they stop */
    assert_near(stress.volume, 10.0 * 2.0, 0.1);
    assert_near(stress.tensor[0][0] * stress.volume, 2.0 * fabs(contact.force.x), 1e-3);
    assert_near(stress.tensor[0][1] * stress.volume, 2.0 * sign * contact.force.y, 1e-3);
    /* m_t = m/6, relative 0.4 along the contact: 0.4/6 of the normal impulse */
    assert_near(fabs(stress.tensor[0][1]) / stress.tensor[0][0], 0.4 / 6.0, 1e-6);
    assert_near(stress.tensor[1][0] * stress.volume, 0.0, 1.0);
    talus_sim_destroy(sim);
}

/* kappa, c and l_diff by the formulas, for a chain of known mass, size and sweeps. */
static void trust_figures(void **state) {
    (void)state;
    const double q = 0.5 * (4 * sqrt(exp(1.0)) - 5);
    talus_config config = talus_config_default();
    config.solver = talus_solver_plain();
    config.dim = 1;
    config.dt = 0.5;
    config.solver.sweeps = 40;
    talus_sim *sim = support_sim(&config, 0.0);
    assert_string_equal(talus_sim_trust(sim).verdict, "nothing was run");
    for (int i = 0; i < 10; i++) support_grain(sim, 1.0, 3.0, vec(2 * i, 0, 0), vec(0, 0, 0));
    support_steps(sim, 3);
    talus_trust trust = talus_sim_trust(sim);
    assert_near(trust.q, q, 1e-12);
    assert_near(trust.sweeps_mean, 40.0, 1e-12);
    assert_near(trust.stiffness, q * 3.0 * 40 / 0.25, 1e-9);
    assert_near(trust.sound_speed, sqrt(q * 40) * 2.0 / 0.5, 1e-9);
    assert_near(trust.diffusion_length, sqrt(4 * q * 40) * 2.0, 1e-9);
    assert_near(trust.system_size, 20.0, 1e-12);
    assert_near(trust.rigidity, sqrt(4 * q * 40) * 2.0 / 20.0, 1e-9);
    talus_sim_destroy(sim);
}

/* What rests is not condemned for rounding; overlaps count without a force; energy from nowhere is said. */
static void verdicts(void **state) {
    (void)state;
    talus_config config = support_config(3, 1e-3);
    config.gravity = vec(0, 0, -g);
    talus_sim *sim = support_sim(&config, 0.5);
    support_plane(sim, "floor", vec(0, 0, 1000), vec(0, 0, 1));
    for (int i = 0; i < 3; i++) support_grain(sim, 0.5, 1.0, vec(2 * i, 0, 1000.5), vec(0, 0, 0));
    support_steps(sim, 100);
    talus_trust trust = talus_sim_trust(sim);
    assert_true(trust.energy_error < 1e-9);
    assert_non_null(strstr(trust.verdict, "trust motion"));
    talus_sim_destroy(sim);
    for (int signed_gap = 0; signed_gap < 2; signed_gap++) {
        config = support_config(3, 1e-3);
        config.solver.gap = signed_gap ? TALUS_GAP_SIGNED : TALUS_GAP_POSITIVE;
        sim = support_sim(&config, 0.0);
        support_grain(sim, 1.0, 1.0, vec(0, 0, 0), vec(0, 0, 0));
        support_grain(sim, 1.0, 1.0, vec(1.99, 0, 0), vec(0, 0, 0));
        support_steps(sim, 1);
        trust = talus_sim_trust(sim);
        assert_near(trust.overlap_max, 0.005, 1e-12);
        const char *expected = signed_gap ? "do not trust" : "trust with care";
        assert_non_null(strstr(trust.verdict, expected));
        if (signed_gap) assert_near(trust.energy_created, 1.0, 1e-9);
        talus_sim_destroy(sim);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(network_of_a_small_pile), cmocka_unit_test(packing_fraction_of_boxes),
        cmocka_unit_test(energies_of_one_grain),   cmocka_unit_test(balance),
        cmocka_unit_test(stress_of_a_column),      cmocka_unit_test(stress_of_one_contact),
        cmocka_unit_test(trust_figures),           cmocka_unit_test(verdicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
