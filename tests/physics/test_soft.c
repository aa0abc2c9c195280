/* SPDX-License-Identifier: Apache-2.0
 *
 * Soft grains: collisions of two grains against closed forms and reference integrations (validation cases 32-37),
 * the tangential spring (52, 53), conservation and the energy ledger (54).
 */
#include <stdlib.h>

#include "law/soft.h"
#include "math/vec3.h"
#include "support.h"

static const double pi = 3.141592653589793;

/* On demand all the steps that the cases 52 and 54 ask for. */
static int steps_of(int some, int all) {
    return getenv("TALUS_LONG_TESTS") != NULL ? all : some;
}

/* Two grains of mass 2 each (reduced mass 1) fly at each other along x, each with half the velocity. */
struct collision {
    talus_soft_law law;
    double velocity, dt;
};

struct outcome {
    double restitution, duration, deepest, energy_error;
};

static talus_sim *pair_of_grains(const struct collision *collision, talus_index grains[2]) {
    talus_config config = talus_config_default();
    config.method = TALUS_METHOD_MD;
    config.dt = collision->dt;
    talus_sim *sim = support_sim(&config, 0.0);
    talus_pair_law law = {.soft = collision->law};
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    for (int side = 0; side < 2; side++) {
        double sign = side == 0 ? -1.0 : 1.0;
        double away = 1.0 + 0.25 * collision->velocity * collision->dt;
        grains[side] = support_grain(sim, 1.0, 2.0, vec(sign * away, 0.3, 0),
                                     vec(-0.5 * sign * collision->velocity, 0, 0));
    }
    return sim;
}

/* Between first and last overlap time is found by the crossing of a straight line in the step. */
static struct outcome collide(const struct collision *collision) {
    talus_index grain[2];
    talus_sim *sim = pair_of_grains(collision, grain);
    struct outcome out = {0};
    double began = -1.0, before = 0.5 * collision->velocity * collision->dt;
    for (int step = 0; step < 100000; step++) {
        support_steps(sim, 1);
        talus_body_view view = talus_sim_bodies(sim);
        double gap = view.position[grain[1]].x - view.position[grain[0]].x - 2.0;
        double crossing = talus_sim_time(sim) - collision->dt * gap / (gap - before);
        if (gap < 0.0 && before >= 0.0) began = crossing;
        out.deepest = fmax(out.deepest, -gap);
        double left = view.velocity[grain[1]].x - view.velocity[grain[0]].x;
        out.restitution = left / collision->velocity;
        out.duration = crossing - began;
        if (gap > 0.0 && before < 0.0) break;
        before = gap;
    }
    talus_energy energy = talus_sim_observe(sim).energy;
    out.energy_error = fabs(energy.error) / energy.scale;
    talus_sim_destroy(sim);
    return out;
}

/* Linear spring: z = gamma/(2 sqrt(m k)), m = k = 1. */
static struct collision linear(double z, bool attracts, double steps) {
    return (struct collision){.law = {.stiffness = 1.0, .damping = 2.0 * z, .attracts = attracts},
                              .velocity = 1e-3,
                              .dt = pi / sqrt(1.0 - z * z) / steps};
}

static void test_linear_with_attraction(void **state) {
    (void)state;
    struct collision collision = linear(0.1, true, 1000);
    struct outcome out = collide(&collision);
    assert_near(out.restitution, 0.729248, 1e-4 * 0.729248); /* exp(-pi z/sqrt(1 - z^2)) */
    assert_near(out.duration, 3.157419, 1e-4 * 3.157419);
    assert_near(out.energy_error, 0.0, 1e-12);
    collision.velocity = 0.1; /* does not depend on it */
    assert_near(collide(&collision).restitution, out.restitution, 1e-4);
}

static void test_linear_without_attraction(void **state) {
    (void)state;
    const double table[][2] = {{0.01, 0.969265}, {0.05, 0.858758}, {0.1, 0.744079},
                               {0.2, 0.571740},  {0.3, 0.450975},  {0.5, 0.298436}};
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        struct collision collision = linear(table[k][0], false, 1000);
        struct outcome out = collide(&collision);
        assert_near(out.restitution, table[k][1], 2e-4);
        assert_near(out.energy_error, 0.0, 1e-12);
    }
}

/* A hundred steps in a collision: rebound and depth good to 1e-4; the error falls with dt^2. */
static void test_time_step_rule(void **state) {
    (void)state;
    double depth[2], rebound[2];
    for (int k = 0; k < 2; k++) {
        struct collision collision = linear(0.0, false, k == 0 ? 100 : 200);
        struct outcome out = collide(&collision);
        depth[k] = fabs(out.deepest / collision.velocity - 1.0);
        rebound[k] = fabs(out.restitution - 1.0);
    }
    assert_true(depth[0] < 2e-4 && rebound[0] < 2e-4);
    assert_true(rebound[1] < 0.3 * rebound[0] || rebound[1] < 1e-6);
}

static void test_hertz(void **state) {
    (void)state;
    for (double velocity = 1e-3; velocity < 2e-1; velocity *= 10.0) {
        double deepest = pow(1.25 * velocity * velocity, 0.4);
        struct collision collision = {.law = {.stiffness = 1.0, .exponent = 1.5},
                                      .velocity = velocity,
                                      .dt = 2.943275 * deepest / velocity / 2000};
        struct outcome out = collide(&collision);
        assert_near(out.deepest / deepest, 1.0, 1e-4);
        assert_near(out.duration * velocity / deepest, 2.943275, 3e-4);
        assert_near(out.restitution, 1.0, 1e-5);
    }
}

/* t_c ~ v^-(alpha - 1)/(alpha + 1) */
static void test_duration_against_velocity(void **state) {
    (void)state;
    const double exponents[] = {1.0, 1.25, 1.5, 2.0};
    for (int k = 0; k < 4; k++) {
        double alpha = exponents[k], duration[2];
        for (int fast = 0; fast < 2; fast++) {
            struct collision collision = {.law = {.stiffness = 1.0, .exponent = alpha},
                                          .velocity = fast ? 1e-2 : 1e-3,
                                          .dt = fast ? 2e-3 : 4e-3};
            duration[fast] = collide(&collision).duration;
        }
        assert_near(log10(duration[1] / duration[0]), -(alpha - 1.0) / (alpha + 1.0), 2e-3);
    }
}

/* Viscoelastic spheres of Kuwabara and Kono, k = m = 1. */
static void test_viscoelastic(void **state) {
    (void)state;
    const double slow = 0.075, strong = 0.3;
    const double velocities[] = {1e-3, 1e-2, 1e-1};
    const double weak[] = {0.978562, 0.966297, 0.947270};
    const double clipped[] = {0.917765, 0.873876, 0.810148};
    const double open[] = {0.917400, 0.872803, 0.807120};
    for (int k = 0; k < 3; k++) {
        double v = velocities[k], dt = 3.2 * pow(v, -0.2) / 4000;
        struct collision soft = {{.stiffness = 1, .damping = slow, .exponent = 1.5}, v, dt};
        struct collision hard = {{.stiffness = 1, .damping = strong, .exponent = 1.5}, v, dt};
        assert_near(collide(&soft).restitution, weak[k], 2e-4);
        assert_near(collide(&hard).restitution, clipped[k], 2e-4);
        hard.law.attracts = true;
        assert_near(collide(&hard).restitution, open[k], 2e-4);
    }
}

/* ---- friction ---------------------------------------------------------------------------------- */

static const double g = 9.81, k_n = 1e4, k_t = 3e3;

/* A ball of mass 1 on a floor, gravity inclined by `angle` (rad); it does not turn. */
static talus_sim *ball_on_slope(double angle, double mu, double dt, talus_index *ball) {
    talus_config config = talus_config_default();
    config.method = TALUS_METHOD_MD;
    config.dt = dt;
    config.gravity = vec(g * sin(angle), 0, -g * cos(angle));
    talus_sim *sim = support_sim(&config, mu);
    talus_pair_law law = {.mu_static = mu,
                          .mu_sliding = mu,
                          .soft = {.stiffness = k_n,
                                   .damping = 60.0,
                                   .tangential_stiffness = k_t,
                                   .tangential_damping = 30.0}};
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 0, 1));
    talus_body_def def = talus_body_def_default(sim);
    def.radius = 0.1;
    def.mass = 1.0;
    def.position = vec(0, 0, 0.1 - g * cos(angle) / k_n);
    def.locks = TALUS_LOCK_ROTATION;
    assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    *ball = (talus_index)(talus_sim_bodies(sim).count - 1);
    return sim;
}

/* Below atan(mu) it comes to rest displaced by m g sin/k_t and sunk by m g cos/k_n, and stays. */
static void test_holds_on_slope(void **state) {
    (void)state;
    const double angle = 0.2, mu = 0.5; /* half of the limit: it swings up to twice its load */
    talus_index ball;
    talus_sim *sim = ball_on_slope(angle, mu, 1e-4, &ball);
    support_steps(sim, 50000);
    talus_vec3 rest = talus_sim_bodies(sim).position[ball];
    assert_near(rest.x, g * sin(angle) / k_t, 1e-9);
    assert_near(0.1 - rest.z, g * cos(angle) / k_n, 1e-9);
    support_steps(sim, steps_of(100000, 1000000));
    talus_vec3 still = talus_sim_bodies(sim).position[ball];
    assert_near(still.x, rest.x, 1e-15);
    assert_near(still.z, rest.z, 1e-15);
    support_ledger(sim);
    talus_sim_destroy(sim);
}

/* Above it slides with mu R_n to rounding, and the spring stays at its limit. */
static void test_slides_on_slope(void **state) {
    (void)state;
    const double angle = 0.6, mu = 0.5;
    talus_index ball;
    talus_sim *sim = ball_on_slope(angle, mu, 1e-4, &ball);
    support_steps(sim, 20000);
    double before = talus_sim_bodies(sim).velocity[ball].x;
    support_steps(sim, 10000);
    double rate = talus_sim_bodies(sim).velocity[ball].x - before;
    assert_near(rate, g * (sin(angle) - mu * cos(angle)), 1e-9);
    talus_contact contact;
    assert_int_equal(talus_sim_contacts(sim, &contact, 1), 1);
    assert_near(fabs(contact.force.x), mu * fabs(contact.force.z), 1e-12 * fabs(contact.force.z));
    support_ledger(sim);
    talus_sim_destroy(sim);
}

/* Pulled and let go below the limit: back where it was. */
static void test_elastic_loop(void **state) {
    (void)state;
    talus_index ball;
    talus_sim *sim = ball_on_slope(0.0, 0.5, 1e-4, &ball);
    const double times[4] = {0.0, 2.0, 4.0, 10.0}, forces[4] = {0.0, 4.0, 0.0, 0.0}; /* limit 4.9 */
    talus_signal pull = {.kind = TALUS_SIGNAL_TABLE, .times = times, .values = forces, .count = 4};
    assert_ok(talus_force_set(sim, "pull", "grains", vec(1, 0, 0), &pull, NULL));
    support_steps(sim, 20000);
    assert_near(talus_sim_bodies(sim).position[ball].x, 4.0 / k_t, 1e-5);
    support_steps(sim, 40000);
    assert_near(talus_sim_bodies(sim).position[ball].x, 0.0, 1e-12);
    support_ledger(sim);
    talus_sim_destroy(sim);
}

/* Two grains joined by a tangential load turn together about an axis that is not along their normal nor across it:
 * the spring turns with them. Seen from outside: the rotated state has the rotated force. */
static void test_spring_turns_with_contact(void **state) {
    (void)state;
    talus_soft_law law = {.stiffness = k_n, .tangential_stiffness = k_t};
    vec3 n = {1, 0, 0}, stretch = {0, 3e-4, -1e-4}, axis = {0.48, 0.6, 0.64};
    quat turn = quat_identity();
    const int steps = 1000;
    const double angle = 0.5 * pi / steps;
    vec3 now = stretch, before = n;
    for (int k = 0; k < steps; k++) {
        turn = quat_turn(turn, vec3_scale(angle, axis));
        vec3 next = quat_rotate(turn, n);
        now = soft_carry(&law, now, before, next, angle * vec3_dot(axis, next));
        before = next;
    }
    vec3 expected = quat_rotate(turn, stretch);
    assert_near(vec3_norm(now) / vec3_norm(stretch), 1.0, 1e-12);
    assert_near(vec3_norm(vec3_sub(now, expected)) / vec3_norm(stretch), 0.0, 1e-5);
    law.spring = TALUS_SPRING_PROJECTED;
    assert_near(vec3_dot(soft_carry(&law, stretch, n, before, 0.0), before), 0.0, 1e-18);
}

/* ---- many ------------------------------------------------------------------------------------ */

enum { SIDE = 5, GRAINS = SIDE * SIDE * SIDE };

static talus_sim *box_of_grains(const talus_pair_law *law, talus_vec3 gravity, double dt) {
    talus_config config = talus_config_default();
    config.method = TALUS_METHOD_MD;
    config.dt = dt;
    config.gravity = gravity;
    talus_sim *sim = support_sim(&config, 0.0);
    assert_ok(talus_pair_set(sim, 0, 0, law, NULL));
    const double width = 1.3 * SIDE;
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 0, 1));
    support_plane(sim, "left", vec(0, 0, 0), vec(1, 0, 0));
    support_plane(sim, "right", vec(width, 0, 0), vec(-1, 0, 0));
    support_plane(sim, "front", vec(0, 0, 0), vec(0, 1, 0));
    support_plane(sim, "back", vec(0, width, 0), vec(0, -1, 0));
    support_plane(sim, "lid", vec(0, 0, 1.5 * width), vec(0, 0, -1));
    for (int k = 0; k < GRAINS; k++) {
        int x = k % SIDE, y = k / SIDE % SIDE, z = k / SIDE / SIDE;
        talus_vec3 at =
            vec(0.65 + 1.3 * x + 0.01 * z, 0.65 + 1.3 * y + 0.02 * (z % 2), 0.65 + 1.3 * z);
        double spread = sin(12.9898 * k) * 43758.5453;
        spread -= floor(spread);
        support_grain(sim, 0.45 + 0.1 * spread, 0.0, at,
                      vec(spread - 0.5, 0.5 - spread * spread, sin(40.0 * spread)));
    }
    return sim;
}

/* 100 elastic discs without friction, in a box or in a periodic cell; `cell`: room for each, m; `speed`: m/s. */
static talus_sim *gas_of_discs(bool periodic, double cell, double speed, double dt) {
    enum { ACROSS = 10 };
    const double width = ACROSS * cell, stiffness = 1e4;
    talus_config config = talus_config_default();
    config.method = TALUS_METHOD_MD;
    config.dim = 2;
    config.dt = dt;
    if (periodic) {
        config.cell.periodic[0] = config.cell.periodic[1] = true;
        config.cell.size = vec(width, width, 0);
    }
    talus_sim *sim = support_sim(&config, 0.0);
    assert_ok(talus_pair_set(sim, 0, 0, &(talus_pair_law){.soft.stiffness = stiffness}, NULL));
    for (int side = 0; side < 2 && !periodic; side++) {
        double at = side == 0 ? 0.0 : width, sign = side == 0 ? 1.0 : -1.0;
        support_plane(sim, side == 0 ? "left" : "right", vec(at, at, 0), vec(sign, 0, 0));
        support_plane(sim, side == 0 ? "floor" : "lid", vec(at, at, 0), vec(0, sign, 0));
    }
    for (int k = 0; k < ACROSS * ACROSS; k++) {
        double angle = 2.399963229728653 * k, x = cell * (0.5 + k % ACROSS),
               y = cell * (0.5 + (double)(k / ACROSS));
        support_grain(sim, 0.5, 1.0, vec(x, y, 0), vec(speed * cos(angle), speed * sin(angle), 0));
    }
    return sim;
}

static double energy_of(const talus_sim *sim) {
    talus_energy now = support_ledger(sim);
    assert_near(now.dissipation, 0.0, 1e-12 * now.scale);
    return now.kinetic_translation + now.kinetic_rotation + now.elastic;
}

static const double collision_of_discs = 0.022214414690791832; /* s, pi sqrt(0.5 kg/1e4 N/m) */

/* Case 54: a hundred steps in a collision. The energy stays within what the finite step makes of it, and does not drift:
 * means over the first and the last tenth of the run.
 *
 * The leapfrog keeps an energy that differs from the true one by terms of dt^2 k v^2, which appear where a contact begins and
 * go where it ends; how much is left depends on where in a step that is. Each collision so changes the energy by some
 * (omega dt)^2/8 = 1.2e-4 of its own, up or down and zero in the mean: two discs do so to 1e-14 as an independent
 * leapfrog does. N collisions of n discs add up to a walk of about 1e-4 sqrt(2 N)/n. For 1e-4 in 10^6 steps it must not be
 * many thousand collisions, so the discs are slow; test_energy_walks has fast ones. */
static void test_energy_is_kept(void **state) {
    (void)state;
    enum { TENTHS = 10, LOOKS = 100 };
    talus_sim *sim = gas_of_discs(false, 3.0, 0.1, collision_of_discs / 100.0);
    double start = energy_of(sim), mean[TENTHS] = {0}, farthest = 0.0;
    int steps = steps_of(200000, 1000000);
    for (int k = 0; k < TENTHS * LOOKS; k++) {
        support_steps(sim, steps / (TENTHS * LOOKS));
        double energy = energy_of(sim) / start - 1.0;
        mean[k / LOOKS] += energy / LOOKS;
        farthest = fmax(farthest, fabs(energy));
    }
    assert_near(mean[TENTHS - 1] - mean[0], 0.0, 1e-4);
    assert_near(farthest, 0.0, 1e-4);
    assert_true(talus_sim_trust(sim).collisions > steps / 10000);
    talus_sim_destroy(sim);
}

/* Root of the summed squares of all that the energy changed by between moments without contacts, in 22 s. */
static double energy_walk(int parts) {
    talus_sim *sim = gas_of_discs(false, 1.3, 0.7, collision_of_discs / parts);
    double start = energy_of(sim), last = start, sum = 0.0;
    for (int k = 0; k < 1000 * parts; k++) {
        talus_step_report report;
        assert_ok(talus_sim_step(sim, &report, NULL));
        if (report.contacts > 0) continue;
        double now = energy_of(sim);
        sum += (now - last) * (now - last);
        last = now;
    }
    talus_sim_destroy(sim);
    return sqrt(sum) / start;
}

/* In a dense gas: of second order in dt. */
static void test_energy_walks(void **state) {
    (void)state;
    double coarse = energy_walk(50), fine = energy_walk(200);
    assert_true(coarse < 5e-4);
    assert_near(log2(coarse / fine) / 2.0, 2.0, 0.5); /* of some hundred jumps */
}

/* Without walls nothing changes the momentum, whatever collides. */
static void test_momentum_is_kept(void **state) {
    (void)state;
    talus_sim *sim = gas_of_discs(true, 1.3, 0.7, collision_of_discs / 100.0);
    double sum[2][3] = {{0}};
    int steps = steps_of(200000, 1000000);
    for (int end = 0; end < 2; end++) {
        talus_body_view bodies = talus_sim_bodies(sim);
        for (size_t i = 0; i < bodies.count; i++) {
            sum[end][0] += bodies.mass[i] * bodies.velocity[i].x;
            sum[end][1] += bodies.mass[i] * bodies.velocity[i].y;
            sum[end][2] += bodies.mass[i] * vec3_norm(bodies.velocity[i]);
        }
        if (end == 0) support_steps(sim, steps);
    }
    for (int axis = 0; axis < 2; axis++)
        assert_near((sum[1][axis] - sum[0][axis]) / sum[0][2], 0.0, 1e-12);
    talus_sim_destroy(sim);
}

/* A pile that settles with friction and damping: the ledger closes, losses are positive. */
static void test_ledger_of_settling_pile(void **state) {
    (void)state;
    talus_pair_law law = {.mu_static = 0.4,
                          .mu_sliding = 0.4,
                          .soft = {.stiffness = 1e5,
                                   .damping = 100.0,
                                   .tangential_stiffness = 3e4,
                                   .tangential_damping = 20.0}};
    double collision = pi * sqrt(0.5 * 0.38 / 1e5);
    talus_sim *sim = box_of_grains(&law, vec(0, 0, -g), collision / 100.0);
    support_steps(sim, 60000);
    talus_energy energy = support_ledger(sim);
    assert_true(energy.dissipation_impact > 0.0 && energy.dissipation_sliding > 0.0);
    assert_near(energy.step_loss / energy.scale, 0.0, 1e-3);
    assert_true(energy.kinetic_translation < 5e-3 * energy.scale);
    talus_sim_destroy(sim);
}

/* What is not there is refused with a word, and nothing happens. */
static void test_refusals(void **state) {
    (void)state;
    talus_config config = talus_config_default();
    config.method = TALUS_METHOD_MD;
    talus_error err = {0};
    talus_sim *sim = support_sim(&config, 0.5);
    support_grain(sim, 1.0, 0.0, vec(0, 0, 0), vec(0, 0, 0));
    support_grain(sim, 1.0, 0.0, vec(3, 0, 0), vec(0, 0, 0));
    assert_int_equal(talus_sim_step(sim, NULL, &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "need a stiffness"));
    talus_pair_law law = {.soft = {.stiffness = 1.0}, .restitution = {.tangential = 0.5}};
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    assert_int_equal(talus_sim_step(sim, NULL, &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "restitution"));
    law = (talus_pair_law){.soft = {.stiffness = 1.0, .exponent = 0.5}};
    assert_int_equal(talus_pair_set(sim, 0, 0, &law, &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "soft.exponent"));
    assert_int_equal(talus_sim_step_count(sim), 0);
    talus_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_with_attraction),
        cmocka_unit_test(test_linear_without_attraction),
        cmocka_unit_test(test_time_step_rule),
        cmocka_unit_test(test_hertz),
        cmocka_unit_test(test_duration_against_velocity),
        cmocka_unit_test(test_viscoelastic),
        cmocka_unit_test(test_holds_on_slope),
        cmocka_unit_test(test_slides_on_slope),
        cmocka_unit_test(test_elastic_loop),
        cmocka_unit_test(test_spring_turns_with_contact),
        cmocka_unit_test(test_energy_is_kept),
        cmocka_unit_test(test_energy_walks),
        cmocka_unit_test(test_momentum_is_kept),
        cmocka_unit_test(test_ledger_of_settling_pile),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
