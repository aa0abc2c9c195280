/* SPDX-License-Identifier: Apache-2.0
 *
 * What must not change when nothing physical changes: scaling, boost, rotation, mirror, relabelling,
 * periodic images, dimension, repetition. And what every step must obey: action = reaction, the laws of
 * contact, no energy from nowhere.
 */
#include <stdlib.h>

#include "base/random.h"
#include "support.h"

enum { GRAINS = 60, STEPS = 150 };

/* How the standard scene is changed. */
struct variant {
    double length, force, time, velocity, mass; /* factors */
    talus_vec3 boost;
    int quarter_turns; /* about z */
    bool mirror;       /* x -> -x */
    bool reversed;     /* bodies added in the opposite order */
    double mu;
    const char *solver;
    talus_sweep sweep;
    talus_stop stop;
    uint64_t seed;
};

static const struct variant standard = {.length = 1,
                                        .force = 1,
                                        .time = 1,
                                        .velocity = 1,
                                        .mass = 1,
                                        .mu = 0.4,
                                        .solver = "nsgs",
                                        .sweep = TALUS_SWEEP_RANDOM,
                                        .stop = TALUS_STOP_FIXED,
                                        .seed = 1};

static talus_vec3 turned(const struct variant *variant, talus_vec3 a) {
    if (variant->mirror) a.x = -a.x;
    for (int k = 0; k < variant->quarter_turns; k++) a = vec(-a.y, a.x, a.z);
    return a;
}

static talus_vec3 scaled(double s, talus_vec3 a) {
    return vec(s * a.x, s * a.y, s * a.z);
}

static void add_wall(talus_sim *sim, const struct variant *variant, const char *name,
                     talus_vec3 point, talus_vec3 normal) {
    talus_boundary_def def = talus_boundary_def_default();
    def.name = name;
    def.point = turned(variant, scaled(variant->length, point));
    def.normal = turned(variant, normal);
    def.motion.velocity = variant->boost;
    assert_ok(talus_boundary_add(sim, &def, NULL));
}

/* Discs or spheres falling into a box, with a sideways push. */
static talus_sim *scene(int dim, const struct variant *variant) {
    talus_config config = talus_config_default();
    config.solver = talus_solver_plain();
    config.dim = dim;
    config.dt = 0x1p-8 * variant->time;
    config.gravity = turned(
        variant, scaled(variant->force, vec(0.7, dim == 2 ? -9.81 : 0.3, dim == 2 ? 0 : -9.81)));
    config.solver.name = variant->solver;
    config.solver.sweep = variant->sweep;
    config.solver.stop = variant->stop;
    config.solver.tolerance = 1e-4;
    config.solver.max_sweeps = 300;
    config.seed = variant->seed;
    config.solver.sweeps = 30;
    talus_sim *sim = support_sim(&config, variant->mu);
    add_wall(sim, variant, "x-", vec(0, 0, 0), vec(1, 0, 0));
    add_wall(sim, variant, "x+", vec(8, 0, 0), vec(-1, 0, 0));
    add_wall(sim, variant, "y-", vec(0, 0, 0), vec(0, 1, 0));
    if (dim == 3) {
        add_wall(sim, variant, "y+", vec(0, 8, 0), vec(0, -1, 0));
        add_wall(sim, variant, "z-", vec(0, 0, 0), vec(0, 0, 1));
    }
    talus_body_def defs[GRAINS];
    struct random random = random_start(3, RANDOM_TEST, (uint64_t)dim, 0);
    for (int i = 0; i < GRAINS; i++) {
        double r = 0.4 + 0.2 * random_uniform(&random);
        int row = i / 6;
        talus_vec3 at = vec(0.7 + (i % 6) * 1.3, 0.7 + 1.25 * row, 0);
        if (dim == 3) at = vec(at.x, 0.7 + 1.3 * (row % 6), 0.7 + 1.25 * (row / 6));
        at = vec(at.x + 0.05 * random_uniform(&random), at.y, at.z);
        talus_vec3 v = vec(random_uniform(&random) - 0.5, random_uniform(&random) - 0.5, 0);
        defs[i] = talus_body_def_default(sim);
        defs[i].radius = r * variant->length;
        defs[i].mass = (dim == 2 ? r * r : r * r * r) * variant->mass;
        defs[i].position = turned(variant, scaled(variant->length, at));
        defs[i].velocity = scaled(variant->velocity, turned(variant, v));
        defs[i].velocity.x += variant->boost.x;
        defs[i].velocity.y += variant->boost.y;
        defs[i].velocity.z += variant->boost.z;
    }
    for (int i = 0; i < GRAINS; i++)
        assert_ok(
            talus_bodies_add(sim, &defs[variant->reversed ? GRAINS - 1 - i : i], 1, NULL, NULL));
    return sim;
}

static bool same(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0 || (a == 0.0 && b == 0.0);
}

static void assert_same_scaled(double factor, talus_vec3 a, talus_vec3 b) {
    assert_true(same(a.x * factor, b.x));
    assert_true(same(a.y * factor, b.y));
    assert_true(same(a.z * factor, b.z));
}

/* Run the scene and its scaled twin; positions, velocities and forces must differ by exact factors. */
static void scaled_twin(int dim, const struct variant *plain, const struct variant *scaled_scene,
                        double force_factor) {
    talus_sim *a = scene(dim, plain), *b = scene(dim, scaled_scene);
    support_steps(a, STEPS);
    support_steps(b, STEPS);
    talus_body_view p = talus_sim_bodies(a), q = talus_sim_bodies(b);
    for (size_t i = 0; i < p.count; i++) {
        assert_same_scaled(scaled_scene->length, p.position[i], q.position[i]);
        assert_same_scaled(scaled_scene->velocity, p.velocity[i], q.velocity[i]);
    }
    talus_contact c[1000], d[1000];
    size_t n = talus_sim_contacts(a, c, 1000);
    assert_true(n > 20);
    assert_int_equal(n, talus_sim_contacts(b, d, 1000));
    for (size_t i = 0; i < n; i++) assert_same_scaled(force_factor, c[i].force, d[i].force);
    talus_sim_destroy(a);
    talus_sim_destroy(b);
}

/* Multiply forces by 4, halve dt, double velocities: the same positions, bit for bit; forces exactly
 * x4 [Wolf2006, sect. 1.3]. The same for masses x2, and for lengths x2 with gravity x2. For both solvers,
 * three orders, and all stopping rules, which are relative. */
static void bagnold_bitwise(void **state) {
    (void)state;
    const talus_sweep sweeps[3] = {TALUS_SWEEP_RANDOM, TALUS_SWEEP_WINDOWED, TALUS_SWEEP_SYMMETRIC};
    const talus_stop stops[5] = {TALUS_STOP_FIXED, TALUS_STOP_LOCAL, TALUS_STOP_GLOBAL,
                                 TALUS_STOP_RESIDUAL, TALUS_STOP_BALANCE};
    for (int k = 0; k < 30; k++) {
        struct variant plain = standard;
        plain.solver = k < 15 ? "nsgs" : "nnsgs";
        plain.sweep = sweeps[k % 3];
        plain.stop = stops[k / 3 % 5];
        struct variant faster = plain, heavier = plain, larger = plain;
        faster.force = 4;
        faster.time = 0.5;
        faster.velocity = 2;
        heavier.mass = 2;
        larger.length = larger.force = larger.velocity = 2;
        int dim = 2 + k % 2;
        scaled_twin(dim, &plain, &faster, 4);
        scaled_twin(dim, &plain, &heavier, 2);
        scaled_twin(dim, &plain, &larger, 2);
    }
}

/* A scene turned by 90 degrees about z, or mirrored: the same bits up to sign. */
static void rotation_and_mirror_bitwise(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int k = 1; k <= 4; k++) {
            struct variant variant = standard;
            variant.quarter_turns = k < 4 ? k : 0;
            variant.mirror = k == 4;
            talus_sim *a = scene(dim, &standard), *b = scene(dim, &variant);
            support_steps(a, STEPS);
            support_steps(b, STEPS);
            talus_body_view p = talus_sim_bodies(a), q = talus_sim_bodies(b);
            for (size_t i = 0; i < p.count; i++) {
                talus_vec3 expected = turned(&variant, p.position[i]);
                assert_true(same(expected.x, q.position[i].x));
                assert_true(same(expected.y, q.position[i].y));
                assert_true(same(expected.z, q.position[i].z));
            }
            talus_sim_destroy(a);
            talus_sim_destroy(b);
        }
}

/* Seen from a moving frame nothing changes, to rounding; chaos limits for how long. */
static void boost(void **state) {
    (void)state;
    struct variant variant = standard;
    variant.boost = vec(0.5, -0.25, 0);
    talus_sim *a = scene(2, &standard), *b = scene(2, &variant);
    support_steps(a, 60);
    support_steps(b, 60);
    double t = talus_sim_time(a);
    for (size_t i = 0; i < talus_sim_bodies(a).count; i++) {
        talus_vec3 p = talus_sim_bodies(a).position[i], q = talus_sim_bodies(b).position[i];
        assert_near(q.x - 0.5 * t, p.x, 1e-9);
        assert_near(q.y + 0.25 * t, p.y, 1e-9);
    }
    talus_sim_destroy(a);
    talus_sim_destroy(b);
}

/* Other numbers for the same grains: another sequence of updates, the same statistics. */
static void relabelling(void **state) {
    (void)state;
    struct variant variant = standard;
    variant.reversed = true;
    talus_sim *a = scene(2, &standard), *b = scene(2, &variant);
    support_steps(a, 1500);
    support_steps(b, 1500);
    talus_observables p = talus_sim_observe(a), q = talus_sim_observe(b);
    assert_near(q.packing_fraction, p.packing_fraction, 0.06 * p.packing_fraction);
    assert_near(q.coordination, p.coordination, 0.15 * p.coordination);
    assert_near(talus_sim_boundary(b, 2).force.y, talus_sim_boundary(a, 2).force.y,
                0.1 * fabs(talus_sim_boundary(a, 2).force.y));
    talus_sim_destroy(a);
    talus_sim_destroy(b);
}

/* Same seed, same bits, for every sweep and both solvers; another seed, other bits. */
static void repeated_runs(void **state) {
    (void)state;
    const talus_sweep sweeps[5] = {TALUS_SWEEP_RANDOM, TALUS_SWEEP_WINDOWED, TALUS_SWEEP_SEQUENTIAL,
                                   TALUS_SWEEP_SYMMETRIC, TALUS_SWEEP_BATCHED};
    for (int k = 0; k < 10; k++) {
        struct variant variant = standard;
        variant.sweep = sweeps[k % 5];
        variant.solver = k < 5 ? "nsgs" : "nnsgs";
        talus_sim *a = scene(3, &variant), *b = scene(3, &variant);
        support_steps(a, STEPS);
        support_steps(b, STEPS);
        assert_true(talus_sim_hash(a) == talus_sim_hash(b));
        talus_sim_destroy(b);
        bool random = variant.sweep == TALUS_SWEEP_RANDOM ||
                      variant.sweep == TALUS_SWEEP_WINDOWED || variant.sweep == TALUS_SWEEP_BATCHED;
        variant.seed = 2;
        b = scene(3, &variant);
        support_steps(b, STEPS);
        assert_true((talus_sim_hash(a) != talus_sim_hash(b)) == random);
        talus_sim_destroy(a);
        talus_sim_destroy(b);
    }
}

/* A collision across the periodic boundary equals one in the bulk; and a scene shifted by a period is the
 * same scene. */
static void periodic_images(void **state) {
    (void)state;
    talus_vec3 result[3][2];
    for (int k = 0; k < 3; k++) {
        talus_config config = support_config(2, 0.01);
        config.cell.periodic[0] = true;
        config.cell.size = vec(16, 0, 0);
        talus_sim *sim = support_sim(&config, 0.3);
        double shift = k == 0   ? 8.0
                       : k == 1 ? 0.0
                                : 16.0; /* bulk; across; across, a period further */
        support_grain(sim, 1.0, 1.0, vec(shift - 1.25, 0, 0), vec(1, 0, 0));
        support_grain(sim, 1.0, 1.0, vec(shift + 1.25, 0.5, 0), vec(-1, 0, 0));
        support_steps(sim, 100);
        for (int i = 0; i < 2; i++) {
            result[k][i] = talus_sim_bodies(sim).velocity[i];
            assert_true(talus_sim_bodies(sim).position[i].x >= 0.0);
            assert_true(talus_sim_bodies(sim).position[i].x < 16.0);
        }
        talus_sim_destroy(sim);
    }
    for (int i = 0; i < 2; i++) {
        assert_true(result[0][i].x != (i == 0 ? 1.0 : -1.0)); /* they did meet */
        assert_near(result[1][i].x, result[0][i].x, 1e-13);
        assert_near(result[1][i].y, result[0][i].y, 1e-13);
        assert_true(same(result[2][i].x, result[1][i].x));
        assert_true(same(result[2][i].y, result[1][i].y));
    }
}

/* Frictionless discs in a plane world and spheres in one plane move alike. Not bit for bit: n x (s n) is
 * zero only to rounding, and discs and spheres turn differently under it. */
static void plane_world_is_a_slice(void **state) {
    (void)state;
    struct variant variant = standard;
    variant.mu = 0.0;
    talus_sim *flat = scene(2, &variant);
    talus_config config = talus_config_default();
    config.solver = talus_solver_plain();
    config.dt = 0x1p-8;
    config.gravity = vec(0.7, -9.81, 0);
    config.solver.sweeps = 30;
    talus_sim *deep = support_sim(&config, 0.0);
    add_wall(deep, &variant, "x-", vec(0, 0, 0), vec(1, 0, 0));
    add_wall(deep, &variant, "x+", vec(8, 0, 0), vec(-1, 0, 0));
    add_wall(deep, &variant, "y-", vec(0, 0, 0), vec(0, 1, 0));
    talus_body_view discs = talus_sim_bodies(flat);
    for (size_t i = 3; i < discs.count; i++)
        support_grain(deep, discs.radius[i], discs.mass[i], discs.position[i], discs.velocity[i]);
    support_steps(flat, STEPS);
    support_steps(deep, STEPS);
    for (size_t i = 0; i < talus_sim_bodies(flat).count; i++) {
        assert_near(talus_sim_bodies(deep).position[i].x, talus_sim_bodies(flat).position[i].x,
                    1e-11);
        assert_near(talus_sim_bodies(deep).position[i].y, talus_sim_bodies(flat).position[i].y,
                    1e-11);
        assert_true(talus_sim_bodies(deep).position[i].z == 0.0);
    }
    talus_sim_destroy(flat);
    talus_sim_destroy(deep);
}

/* Grains without walls or gravity: momentum and angular momentum stay. */
static void action_is_reaction(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        talus_config config = talus_config_default();
        config.solver = talus_solver_plain();
        config.dim = dim;
        config.dt = 0.01;
        config.solver.sweeps = 20;
        talus_sim *sim = support_sim(&config, 0.5);
        struct random random = random_start(9, RANDOM_TEST, (uint64_t)dim, 0);
        for (int i = 0; i < 40; i++) {
            talus_vec3 at = vec(i % 4 * 1.1, i / 4 % 4 * 1.1, dim == 3 ? i / 16 * 1.1 : 0);
            if (dim == 2) at = vec(i % 6 * 1.1, i / 6 * 1.1, 0);
            support_grain(
                sim, 0.4 + 0.15 * random_uniform(&random), 0.0, at,
                vec(2 - at.x + random_uniform(&random), 2 - at.y, dim == 3 ? 1 - at.z : 0));
        }
        talus_vec3 momentum[2] = {{0, 0, 0}, {0, 0, 0}}, moment[2] = {{0, 0, 0}, {0, 0, 0}};
        double scale = 0.0;
        for (int when = 0; when < 2; when++) {
            if (when == 1) support_steps(sim, 200);
            talus_body_view view = talus_sim_bodies(sim);
            for (size_t i = 0; i < view.count; i++) {
                talus_vec3 x = view.position[i], v = view.velocity[i], w = view.omega[i];
                double m = view.mass[i],
                       inertia = (dim == 2 ? 0.5 : 0.4) * m * view.radius[i] * view.radius[i];
                momentum[when].x += m * v.x;
                momentum[when].y += m * v.y;
                momentum[when].z += m * v.z;
                moment[when].x += m * (x.y * v.z - x.z * v.y) + inertia * w.x;
                moment[when].y += m * (x.z * v.x - x.x * v.z) + inertia * w.y;
                moment[when].z += m * (x.x * v.y - x.y * v.x) + inertia * w.z;
                scale += m * (fabs(v.x) + fabs(v.y) + fabs(v.z));
            }
        }
        assert_true(talus_sim_observe(sim).energy.dissipation > 0.0); /* there were collisions */
        assert_near(momentum[1].x, momentum[0].x, 1e-12 * scale);
        assert_near(momentum[1].y, momentum[0].y, 1e-12 * scale);
        assert_near(momentum[1].z, momentum[0].z, 1e-12 * scale);
        assert_near(moment[1].x, moment[0].x, 1e-12 * scale);
        assert_near(moment[1].y, moment[0].y, 1e-12 * scale);
        assert_near(moment[1].z, moment[0].z, 1e-12 * scale);
        talus_sim_destroy(sim);
    }
}

/* Impulses of the walls over time = weight x time + change of momentum. */
static void momentum_theorem(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        talus_sim *sim = scene(dim, &standard);
        talus_vec3 before = {0, 0, 0}, after = {0, 0, 0}, wall = {0, 0, 0};
        double mass = 0.0;
        for (size_t i = 0; i < talus_sim_bodies(sim).count; i++) {
            mass += talus_sim_bodies(sim).mass[i];
            before.x += talus_sim_bodies(sim).mass[i] * talus_sim_bodies(sim).velocity[i].x;
            before.y += talus_sim_bodies(sim).mass[i] * talus_sim_bodies(sim).velocity[i].y;
            before.z += talus_sim_bodies(sim).mass[i] * talus_sim_bodies(sim).velocity[i].z;
        }
        support_steps(sim, 1000);
        for (size_t i = 0; i < talus_sim_bodies(sim).count; i++) {
            after.x += talus_sim_bodies(sim).mass[i] * talus_sim_bodies(sim).velocity[i].x;
            after.y += talus_sim_bodies(sim).mass[i] * talus_sim_bodies(sim).velocity[i].y;
            after.z += talus_sim_bodies(sim).mass[i] * talus_sim_bodies(sim).velocity[i].z;
        }
        for (size_t k = 0; k < talus_sim_boundary_count(sim); k++) {
            wall.x += talus_sim_boundary(sim, k).impulse.x;
            wall.y += talus_sim_boundary(sim, k).impulse.y;
            wall.z += talus_sim_boundary(sim, k).impulse.z;
        }
        double t = talus_sim_time(sim), scale = mass * 9.81 * t;
        talus_vec3 gravity = talus_sim_gravity(sim);
        assert_near(wall.x, mass * gravity.x * t - (after.x - before.x), 1e-8 * scale);
        assert_near(wall.y, mass * gravity.y * t - (after.y - before.y), 1e-8 * scale);
        assert_near(wall.z, mass * gravity.z * t - (after.z - before.z), 1e-8 * scale);
        talus_sim_destroy(sim);
    }
}

/* Every step: E_kin + E_pot never grows (no driving), the budget closes, every contact obeys its law. */
static void laws_hold_in_every_step(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        talus_sim *sim = scene(dim, &standard);
        talus_solver_config solver = talus_solver_plain();
        solver.stop = TALUS_STOP_RESIDUAL;
        solver.tolerance = 1e-8;
        solver.max_sweeps = 20000;
        assert_ok(talus_sim_set_solver(sim, &solver, NULL));
        talus_energy start = talus_sim_observe(sim).energy;
        double total = start.kinetic_translation + start.kinetic_rotation + start.potential;
        for (int step = 0; step < 300; step++) {
            talus_step_report report;
            assert_int_equal(talus_sim_step(sim, &report, NULL), TALUS_OK);
            assert_true(report.residual <= 1e-8);
            talus_observables now = talus_sim_observe(sim);
            double sum =
                now.energy.kinetic_translation + now.energy.kinetic_rotation + now.energy.potential;
            assert_true(sum <= total + 1e-10 * now.energy.scale);
            assert_near(now.energy.error, 0.0, 1e-12 * now.energy.scale);
            total = sum;
            assert_true(now.overlap_max < 1e-3);
            talus_contact contacts[1000];
            size_t count = talus_sim_contacts(sim, contacts, 1000);
            for (size_t k = 0; k < count; k++) {
                talus_vec3 f = contacts[k].force, n = contacts[k].normal;
                double normal = f.x * n.x + f.y * n.y + f.z * n.z;
                talus_vec3 t = vec(f.x - normal * n.x, f.y - normal * n.y, f.z - normal * n.z);
                double tangential = sqrt(t.x * t.x + t.y * t.y + t.z * t.z);
                assert_true(normal >= 0.0);
                assert_true(tangential <= contacts[k].mu * normal * (1 + 1e-9));
            }
            assert_ok(talus_sim_validate(sim, NULL));
        }
        talus_sim_destroy(sim);
    }
}

/* Driven by a shaken floor: E_kin + E_pot - work never grows. */
static void driven_energy_never_grows(void **state) {
    (void)state;
    talus_sim *sim = scene(2, &standard);
    talus_solver_config solver = talus_solver_plain();
    solver.stop = TALUS_STOP_RESIDUAL;
    solver.tolerance = 1e-8;
    solver.max_sweeps = 20000;
    assert_ok(talus_sim_set_solver(sim, &solver, NULL));
    talus_motion shake = {
        .direction = vec(0, 1, 0),
        .displacement = {.kind = TALUS_SIGNAL_SINE, .amplitude = 0.05, .frequency = 2}};
    assert_ok(talus_boundary_set_motion(sim, "y-", &shake, NULL));
    double last = HUGE_VAL;
    for (int step = 0; step < 400; step++) {
        support_steps(sim, 1);
        talus_energy now = talus_sim_observe(sim).energy;
        double sum =
            now.kinetic_translation + now.kinetic_rotation + now.potential - now.work_boundary;
        assert_true(sum <= last + 1e-10 * now.scale);
        last = sum;
    }
    assert_true(fabs(talus_sim_observe(sim).energy.work_boundary) > 0.0);
    talus_sim_destroy(sim);
}

/* Rolling under a constant force converges with order 1 in dt. */
static void first_order_in_dt(void **state) {
    (void)state;
    double error[3];
    for (int k = 0; k < 3; k++) {
        int steps = 100 << k;
        talus_config config = support_config(2, 1.0 / steps);
        config.gravity = vec(3, -9.81, 0);
        talus_sim *sim = support_sim(&config, 0.5);
        support_plane(sim, "floor", vec(0, 0, 0), vec(0, 1, 0));
        support_grain(sim, 0.5, 1.0, vec(0, 0.5, 0), vec(0, 0, 0));
        support_steps(sim, steps);
        error[k] = talus_sim_bodies(sim).position[1].x - 0.5 * (2.0 / 3.0) * 3.0; /* rolls: 2/3 a */
        talus_sim_destroy(sim);
    }
    assert_near(log2(error[0] / error[1]), 1.0, 0.02);
    assert_near(log2(error[1] / error[2]), 1.0, 0.02);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bagnold_bitwise),
        cmocka_unit_test(rotation_and_mirror_bitwise),
        cmocka_unit_test(boost),
        cmocka_unit_test(relabelling),
        cmocka_unit_test(repeated_runs),
        cmocka_unit_test(periodic_images),
        cmocka_unit_test(plane_world_is_a_slice),
        cmocka_unit_test(action_is_reaction),
        cmocka_unit_test(momentum_theorem),
        cmocka_unit_test(laws_hold_in_every_step),
        cmocka_unit_test(driven_energy_never_grows),
        cmocka_unit_test(first_order_in_dt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
