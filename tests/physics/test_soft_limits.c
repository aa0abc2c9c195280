/* SPDX-License-Identifier: Apache-2.0
 *
 * Soft grains: the rules for the time step, each against its number for a known scene, and the figures that tell of grains
 * too soft for what they do: raised by a row that hits a wall all at once and by spheres that pass through each other
 * [Wolf2006, sect. 2.4], not by a pile of
 * stiff grains that settles.
 */
#include "law/soft.h"
#include "math/vec3.h"
#include "support.h"

static const double pi = 3.141592653589793;

static talus_sim *soft_sim(int dim, double dt, const talus_soft_law *law, double mu) {
    talus_config config = talus_config_default();
    config.dim = dim;
    config.method = TALUS_METHOD_MD;
    config.dt = dt;
    talus_sim *sim = support_sim(&config, 0.0);
    talus_pair_law pair = {.mu_static = mu, .mu_sliding = mu, .soft = *law};
    assert_ok(talus_pair_set(sim, 0, 0, &pair, NULL));
    return sim;
}

static talus_material add_material(talus_sim *sim, const char *name) {
    talus_material out;
    assert_ok(talus_material_add(sim, name, 1.0, &out, NULL));
    return out;
}

static void set_law(talus_sim *sim, talus_material a, talus_material b, double stiffness) {
    talus_pair_law pair = {.soft = {.stiffness = stiffness}};
    assert_ok(talus_pair_set(sim, a, b, &pair, NULL));
}

static void add_grain(talus_sim *sim, talus_material material, double mass, double x,
                      unsigned locks) {
    talus_body_def def = talus_body_def_default(sim);
    def.radius = 0.4;
    def.mass = mass;
    def.material = material;
    def.position = vec(x, 0, 0);
    def.locks = locks;
    assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
}

/* ---- collision time ------------------------------------------------------------------------------ */

/* s, during which two grains of reduced mass 1 and stiffness 1 push each other; with attraction: overlap. */
static double duration(const talus_soft_law *law, double dt) {
    talus_sim *sim = soft_sim(1, dt, law, 0.0);
    for (int side = -1; side <= 1; side += 2)
        support_grain(sim, 10.0, 2.0, vec(side * 10.0, 0, 0), vec(-0.5 * side, 0, 0));
    int steps = 0;
    for (int k = 0; k < (int)(10.0 / dt); k++) {
        talus_contact contact = {.force = vec(0, 0, 0)};
        assert_ok(talus_sim_step(sim, NULL, NULL));
        size_t count = talus_sim_contacts(sim, &contact, 1);
        steps += count > 0 && (law->attracts || contact.force.x != 0.0);
    }
    talus_sim_destroy(sim);
    return steps * dt;
}

/* The rule against the collision itself, from elastic to creeping; below z = 1 e = exp(-z w_0 t_c) is known. */
static void test_damped_collision(void **state) {
    (void)state;
    const double ratios[6] = {0.0, 0.1, 0.2, 0.5, 1.0, 2.0}, dt = 1e-3;
    const double times[6] = {
        pi, -log(0.744079) / 0.1, -log(0.571740) / 0.2, -log(0.298436) / 0.5, 2.0, 1.5206919};
    for (int k = 0; k < 6; k++) {
        talus_soft_law law = {.stiffness = 1.0, .damping = 2.0 * ratios[k], .exponent = 1.0};
        talus_sim *sim = soft_sim(1, dt, &law, 0.0);
        for (int n = 0; n < 2; n++) add_grain(sim, 0, 2.0, 3.0 * n, 0);
        double rule = talus_sim_step_rules(sim).collision_time;
        talus_sim_destroy(sim);
        assert_near(rule, times[k], 1e-5); /* e has six digits */
        assert_near(duration(&law, dt), rule, 3.0 * dt);
    }
    talus_soft_law holds = {.stiffness = 1.0, .damping = 0.2, .exponent = 1.0, .attracts = true};
    talus_sim *sim = soft_sim(1, dt, &holds, 0.0);
    for (int n = 0; n < 2; n++) add_grain(sim, 0, 2.0, 3.0 * n, 0);
    assert_near(talus_sim_step_rules(sim).collision_time, 3.157419, 1e-6);
    assert_near(duration(&holds, dt), 3.157419, 3.0 * dt);
    talus_sim_destroy(sim);
}

static double time_of(const talus_sim *sim) {
    return talus_sim_step_rules(sim).collision_time / pi; /* sqrt(m_r/k) */
}

/* Which bodies can meet decides, and with which reduced mass. */
static void test_pairs_of_materials(void **state) {
    (void)state;
    talus_soft_law law = {.stiffness = 1.0};
    talus_sim *sim = soft_sim(3, 1e-3, &law, 0.0);
    talus_material other = add_material(sim, "other"), wall = add_material(sim, "wall");
    set_law(sim, 0, other, 4.0);
    set_law(sim, other, other, 1e6);
    set_law(sim, wall, wall, 1e9); /* walls do not meet walls */
    set_law(sim, 0, wall, 1.0);
    set_law(sim, other, wall, 1.0);
    add_grain(sim, 0, 3.0, 0.0, 0);
    assert_true(!isfinite(time_of(sim))); /* alone */
    add_grain(sim, 0, 6.0, 1.0, 0);
    assert_near(time_of(sim), sqrt(2.0), 1e-12);       /* 3 and 6: 2 */
    add_grain(sim, other, 1.5, 2.0, 0);                /* does not meet its like: there is none */
    assert_near(time_of(sim), sqrt(1.0 / 4.0), 1e-12); /* 1.5 and 3: 1 */
    set_law(sim, other, wall, 100.0);
    assert_near(time_of(sim), sqrt(1.0 / 4.0), 1e-12); /* no wall yet */
    talus_boundary_def def = talus_boundary_def_default();
    def.name = "floor";
    def.normal = vec(0, 0, 1);
    def.material = wall;
    assert_ok(talus_boundary_add(sim, &def, NULL));
    assert_near(time_of(sim), sqrt(1.5 / 100.0), 1e-12); /* a wall does not give way */
    talus_free_motion free = {.mass = 3.0, .direction = vec(0, 0, 1)};
    assert_ok(talus_boundary_set_free(sim, "floor", &free, NULL));
    assert_near(time_of(sim), sqrt(1.0 / 100.0), 1e-12); /* a piston does */
    assert_ok(talus_boundary_remove(sim, "floor", NULL));
    assert_near(time_of(sim), sqrt(1.0 / 4.0), 1e-12);
    add_grain(sim, other, 1e-6, 3.0, TALUS_LOCK_X | TALUS_LOCK_Y | TALUS_LOCK_Z); /* held fast */
    assert_near(time_of(sim), sqrt(1.5 / 1e6), 1e-12);
    talus_sim_destroy(sim);
}

/* Hertz: at the largest velocity that two bodies can have against each other. */
static void test_velocity_matters(void **state) {
    (void)state;
    talus_soft_law law = {.stiffness = 1e4, .exponent = 1.5};
    talus_sim *sim = soft_sim(3, 1e-3, &law, 0.0);
    for (int n = 0; n < 2; n++)
        support_grain(sim, 0.5, 2.0, vec(2.0 * n, 0, 0), vec(n == 0 ? 0.3 : 0.0, 0, 0));
    talus_step_rules rules = talus_sim_step_rules(sim);
    assert_near(rules.speed, 0.3, 1e-12);
    assert_near(rules.collision_time, 3.21807 * pow(1.0 / (1e8 * 0.3), 0.2), 1e-6);
    assert_near(rules.collision, 0.01 * rules.collision_time, 1e-12);
    assert_near(rules.advised, rules.collision, 1e-15);
    support_grain(sim, 0.5, 2.0, vec(4, 0, 0), vec(-0.2, 0, 0)); /* 0.3 against 0.2 */
    rules = talus_sim_step_rules(sim);
    assert_near(rules.speed, 0.3, 1e-12);
    assert_near(rules.meeting_speed, 0.5, 1e-12);
    assert_near(rules.collision_time, 3.21807 * pow(1.0 / (1e8 * 0.5), 0.2), 1e-6);
    talus_boundary_def def = talus_boundary_def_default(); /* a wall counts as a body */
    def.name = "hammer";
    def.point = vec(-3, 0, 0);
    def.normal = vec(1, 0, 0);
    def.motion.velocity = vec(0.6, 0, 0);
    assert_ok(talus_boundary_add(sim, &def, NULL));
    assert_near(talus_sim_step_rules(sim).meeting_speed, 0.9, 1e-12);
    talus_sim_destroy(sim);
}

/* In the verdict it is what was seen: a grain against a wall, two grains head-on. */
static void test_velocity_seen(void **state) {
    (void)state;
    talus_soft_law law = {.stiffness = 1e4, .exponent = 1.5};
    talus_sim *sim = soft_sim(3, 1e-4, &law, 0.0);
    for (int side = -1; side <= 1; side += 2)
        support_grain(sim, 0.5, 2.0, vec(0.5001 * side, 0, 0), vec(-0.3 * side, 0, 0));
    double at_once = 3.21807 * pow(1.0 / (1e8 * 0.6), 0.2);
    support_steps(sim, 1);
    assert_near(talus_sim_trust(sim).collision_time, at_once, 1e-6); /* may come */
    support_steps(sim, 1000);
    assert_near(talus_sim_trust(sim).collision_time, at_once, 1e-6); /* was */
    talus_sim_destroy(sim);
    sim = soft_sim(3, 1e-4, &law, 0.0);
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 0, 1));
    support_grain(sim, 0.5, 2.0, vec(0, 0, 0.5001), vec(0, 0, -0.3));
    support_steps(sim, 300); /* hardly moves now */
    assert_near(talus_sim_trust(sim).collision_time, 3.21807 * pow(4.0 / (1e8 * 0.3), 0.2), 1e-6);
    talus_sim_destroy(sim);
}

/* ---- friction bound ------------------------------------------------------------------------------ */

/* Discs of [Pena2009]: k_n = 400, k_t/k_n = c_t/c_n = 1/3, e = 0.9875: t_R = t_R0/(1 + 49.04 dt/t_c). */
static void test_friction_bound(void **state) {
    (void)state;
    double m = pi / 8.0, ratio = -log(0.9875) / pi;
    double c = 2.0 * sqrt(m * 400.0 / (1.0 + 1.0 / (ratio * ratio)));
    double t_c = pi / sqrt(400.0 / m - c * c / (4.0 * m * m));
    talus_soft_law law = {.stiffness = 400.0,
                          .damping = c,
                          .tangential_stiffness = 400.0 / 3.0,
                          .tangential_damping = c / 3.0,
                          .slip = TALUS_SLIP_VELOCITY,
                          .attracts = true};
    talus_sim *sim = soft_sim(2, 0.01 * t_c, &law, 0.5);
    for (int n = 0; n < 2; n++) support_grain(sim, 0.5, 0.0, vec(2.0 * n, 0, 0), vec(0, 0, 0));
    talus_step_rules rules = talus_sim_step_rules(sim);
    assert_near(rules.collision_time, t_c, 1e-12);
    assert_near(rules.friction / t_c, 0.05 / 49.04, 1e-6);
    assert_near(rules.advised, rules.friction, 1e-15); /* below t_c/100 */
    support_steps(sim, 1);
    talus_trust trust = talus_sim_trust(sim);
    assert_near(trust.friction_error, 0.4904 / 1.4904, 1e-4);
    assert_non_null(strstr(trust.verdict, "trust with care"));
    assert_non_null(strstr(trust.verdict, "contacts relax 33 % too fast"));
    law.slip = TALUS_SLIP_POSITION;
    assert_ok(talus_pair_set(
        sim, 0, 0, &(talus_pair_law){.mu_static = 0.5, .mu_sliding = 0.5, .soft = law}, NULL));
    rules = talus_sim_step_rules(sim);
    assert_true(!isfinite(rules.friction));
    assert_near(rules.advised, 0.01 * t_c, 1e-12);
    trust = talus_sim_trust(sim);
    assert_near(trust.friction_error, 0.0, 0.0);
    assert_null(strstr(trust.verdict, "relax"));
    law.slip = TALUS_SLIP_VELOCITY; /* without friction springs bear nothing */
    assert_ok(talus_pair_set(sim, 0, 0, &(talus_pair_law){.soft = law}, NULL));
    assert_true(!isfinite(talus_sim_step_rules(sim).friction));
    talus_sim_destroy(sim);
}

/* ---- brake failure ------------------------------------------------------------------------------- */

/* Two spheres of mass, radius and stiffness 1 meet head-on at `speed` times V_c, V_c = 4 r cos(45 deg)/t_c. */
static talus_trust meet(double speed) {
    const double t_c = pi * sqrt(0.5), v_c = 4.0 * sqrt(0.5) / t_c;
    talus_soft_law law = {.stiffness = 1.0};
    talus_sim *sim = soft_sim(3, t_c / 200.0, &law, 0.0);
    for (int side = -1; side <= 1; side += 2)
        support_grain(sim, 1.0, 1.0, vec(1.05 * side, 0, 0), vec(-0.5 * side * speed * v_c, 0, 0));
    support_steps(sim, (int)((0.1 / (speed * v_c) + 2.0 * t_c) * 200.0 / t_c));
    talus_trust trust = talus_sim_trust(sim);
    assert_near(trust.critical_speed, v_c, 1e-12);
    assert_near(trust.meeting_speed, speed * v_c, 1e-12);
    talus_sim_destroy(sim);
    return trust;
}

static void test_brake_failure(void **state) {
    (void)state;
    talus_trust trust = meet(0.05);
    assert_null(strstr(trust.verdict, "brake failure"));
    trust = meet(0.7);
    assert_non_null(strstr(trust.verdict, "0.7 of the V_c"));
    assert_non_null(strstr(trust.verdict, "do not trust")); /* they overlap by more than a tenth */
    trust = meet(2.0);
    assert_non_null(strstr(trust.verdict, "brake failure"));
    assert_non_null(strstr(trust.verdict, "do not trust"));
}

/* Large grains have the lower V_c: t_c grows faster than the radius. */
static void test_largest_pass_first(void **state) {
    (void)state;
    talus_soft_law law = {.stiffness = 1.0};
    talus_sim *sim = soft_sim(3, 1e-3, &law, 0.0);
    support_grain(sim, 0.1, 1e-3, vec(0, 0, 0), vec(0, 0, 0));
    support_grain(sim, 1.0, 1.0, vec(3, 0, 0), vec(0, 0, 0));
    assert_near(talus_sim_step_rules(sim).critical_speed, 4.0 / pi, 1e-12);
    talus_sim_destroy(sim);
}

/* Two unequal spheres meet at a quarter of their own V_c; a third, small and heavy, has a tenth of it and is far away: whether it
 * rests, or meets nobody, does not matter. By the kernel of blocks and one by one (`attracts`). */
static void meet_unequal(const talus_soft_law *law, double t_c) {
    double v_c = 2.0 * (1.0 + 0.5) * sqrt(0.5) / t_c, v = 0.25 * v_c;
    talus_sim *sim = soft_sim(3, t_c / 200.0, law, 0.0);
    support_grain(sim, 1.0, 1.0, vec(0, 0, 0), vec(v, 0, 0));
    support_grain(sim, 0.5, 3.0, vec(1.55, 0, 0), vec(0, 0, 0));
    support_grain(sim, 0.2, 100.0, vec(0, 30, 0), vec(0, 0, 0));
    assert_true(talus_sim_trust(sim).critical_speed < 0.2 * v_c); /* nothing is known yet */
    support_steps(sim, (int)((0.05 / v + 2.0 * t_c) * 200.0 / t_c));
    talus_trust trust = talus_sim_trust(sim);
    assert_near(trust.meeting_speed, v, 1e-12);
    assert_near(trust.critical_speed / v_c, 1.0, 1e-9);
    assert_null(strstr(trust.verdict, "brake failure"));
    talus_sim_destroy(sim);
}

static void test_own_critical_speed(void **state) {
    (void)state;
    const double m = 0.75, k = 1.0;
    meet_unequal(&(talus_soft_law){.stiffness = k}, pi * sqrt(m / k));
    meet_unequal(&(talus_soft_law){.stiffness = k, .attracts = true}, pi * sqrt(m / k));
    /* Hertz: t_c = T v^(-1/5) at v = V_c/4, V_c = d/t_c, so t_c^4 = 4 T^5/d */
    struct soft_numbers numbers = {.stiffness = k, .exponent = 1.5};
    double unit = soft_collision_time(&numbers, m, 1.0), d = 3.0 * sqrt(0.5);
    double t_c = pow(4.0 * pow(unit, 5.0) / d, 0.25);
    meet_unequal(&(talus_soft_law){.stiffness = k, .exponent = 1.5}, t_c);
    meet_unequal(&(talus_soft_law){.stiffness = k, .exponent = 1.5, .attracts = true}, t_c);
}

/* ---- detachment ---------------------------------------------------------------------------------- */

/* N grains with e = 0.9, at distances of `spacing` v t_c, against a wall; see test_soft_artefacts.c for the energies. */
static talus_trust hit_wall(int count, double spacing) {
    const double z = 0.0335183, t_c = pi * sqrt(0.5), gap = spacing * t_c;
    talus_soft_law law = {.stiffness = 1.0, .damping = 2.0 * z * sqrt(0.5)};
    talus_sim *sim = soft_sim(1, t_c / 100.0, &law, 0.0);
    support_plane(sim, "wall", vec(0, 0, 0), vec(1, 0, 0));
    for (int k = 0; k < count; k++)
        support_grain(sim, 50.0, 1.0, vec((2 * k + 1) * 50.0 + (k + 1) * gap, 0, 0), vec(-1, 0, 0));
    support_steps(sim, (int)(3.0 * count * (spacing + 2.0) + 10.0) * 100);
    talus_trust trust = talus_sim_trust(sim);
    talus_sim_destroy(sim);
    return trust;
}

static void test_detachment(void **state) {
    (void)state;
    const double together[3] = {0.001, 0.1, 1.0};
    const int counts[2] = {5, 10};
    for (int n = 0; n < 2; n++) {
        for (int k = 0; k < 3; k++) {
            talus_trust trust = hit_wall(counts[n], together[k]);
            assert_true(trust.free_time < trust.collision_time);
            assert_non_null(strstr(trust.verdict, "(detachment)"));
        }
        talus_trust apart = hit_wall(counts[n], 10.0);
        assert_true(apart.free_time > 3.0 * apart.collision_time);
        assert_null(strstr(apart.verdict, "(detachment)"));
    }
    talus_trust alone = hit_wall(1, 1.0);
    assert_int_equal(alone.collisions, 1);
    assert_near(alone.contact_life / alone.collision_time, 1.0,
                0.03); /* to the end of the overlap */
    assert_null(strstr(alone.verdict, "(detachment)"));
}

/* ---- a pile that settles ------------------------------------------------------------------------- */

enum { SIDE = 5 };

/* Spheres of diameter 1 and density 1 fall from a loose lattice into a box; e = 0.74. */
static talus_sim *falling_grains(double k) {
    const double width = 1.1 * SIDE, c = sqrt(0.26 * k);
    talus_soft_law law = {.stiffness = k,
                          .damping = 0.2 * c,
                          .tangential_stiffness = 0.3 * k,
                          .tangential_damping = 0.1 * c};
    talus_sim *sim = soft_sim(3, pi * sqrt(0.26 / k) / 50.0, &law, 0.4);
    assert_ok(talus_sim_set_gravity(sim, vec(0, 0, -9.81), NULL));
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 0, 1));
    support_plane(sim, "left", vec(0, 0, 0), vec(1, 0, 0));
    support_plane(sim, "right", vec(width, 0, 0), vec(-1, 0, 0));
    support_plane(sim, "front", vec(0, 0, 0), vec(0, 1, 0));
    support_plane(sim, "back", vec(0, width, 0), vec(0, -1, 0));
    for (int n = 0; n < SIDE * SIDE * SIDE; n++) {
        int x = n % SIDE, y = n / SIDE % SIDE, z = n / SIDE / SIDE;
        double turn = 2.4 * n; /* sideways, in all directions */
        support_grain(sim, 0.5, 0.0, vec(1.1 * (x + 0.5), 1.1 * (y + 0.5), 1.1 * (z + 0.5)),
                      vec(0.2 * cos(turn), 0.2 * sin(turn), 0));
    }
    return sim;
}

static double run_until(talus_sim *sim, double time) { /* J, dissipated */
    while (talus_sim_time(sim) < time) assert_ok(talus_sim_step(sim, NULL, NULL));
    return talus_sim_observe(sim).energy.dissipation;
}

/* From the first fall to a network of contacts that last nothing is raised. */
static void test_settling_pile(void **state) {
    (void)state;
    talus_sim *sim = falling_grains(1e6);
    for (int part = 1; part <= 8; part++) {
        run_until(sim, 0.25 * part);
        talus_trust trust = talus_sim_trust(sim);
        assert_null(strstr(trust.verdict, "detachment"));
        assert_null(strstr(trust.verdict, "brake failure"));
    }
    assert_true(talus_sim_observe(sim).coordination > 3.0);
    talus_trust trust = talus_sim_trust(sim);
    assert_true(trust.collisions > 10000);
    assert_near(trust.free_time / trust.collision_time, 4.0, 1.0); /* four times the bound */
    talus_sim_destroy(sim);
}

/* A hundred times softer it is, and there is something to it: a tenth less is dissipated by the same time. */
static void test_soft_pile(void **state) {
    (void)state;
    talus_sim *soft = falling_grains(1e4), *stiff = falling_grains(1e6);
    double ratio = run_until(soft, 0.6) / run_until(stiff, 0.6);
    assert_non_null(strstr(talus_sim_trust(soft).verdict, "(detachment)"));
    assert_near(ratio, 0.89, 0.03);
    talus_sim_destroy(soft);
    talus_sim_destroy(stiff);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damped_collision),   cmocka_unit_test(test_pairs_of_materials),
        cmocka_unit_test(test_velocity_matters),   cmocka_unit_test(test_velocity_seen),
        cmocka_unit_test(test_friction_bound),     cmocka_unit_test(test_brake_failure),
        cmocka_unit_test(test_largest_pass_first), cmocka_unit_test(test_own_critical_speed),
        cmocka_unit_test(test_detachment),         cmocka_unit_test(test_settling_pile),
        cmocka_unit_test(test_soft_pile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
