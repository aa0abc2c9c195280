/* SPDX-License-Identifier: Apache-2.0
 *
 * What every contact law must obey, alone and together with all others, for random parameters: frame
 * indifference, no preference for one of the two grains, action = reaction, no energy from nowhere,
 * limits kept at every contact in every step, Bagnold's scaling bit for bit, one answer whatever the
 * solver.
 *
 * A draw is a small cluster of unequal grains, nearly in touch, that fly together and spin, with a
 * random law made of the parts asked for.
 */
#include <stdlib.h>

#include "base/random.h"
#include "math/vec3.h"
#include "support.h"

enum { GRAINS_MAX = 7, CONTACTS_MAX = 64 };

/* Parts of a law, to be or-ed. */
enum {
    FRICTION = 1,
    TWO_COEFFICIENTS = 2,
    ROLLING = 4,
    TORSION = 8,
    COHESION = 16,
    RESTITUTION = 32,
    ALL = 63
};

/* Every part alone or with what it needs, in pairs that work on each other, and all together. */
static const unsigned mixtures[] = {
    0,
    FRICTION,
    FRICTION | TWO_COEFFICIENTS,
    ROLLING,
    FRICTION | ROLLING,
    TORSION,
    COHESION,
    FRICTION | COHESION,
    RESTITUTION,
    FRICTION | RESTITUTION,
    FRICTION | TWO_COEFFICIENTS | ROLLING | TORSION,
    ALL - RESTITUTION,
    ALL - TWO_COEFFICIENTS,
    ALL - COHESION,
    ALL,
    ALL,
};

enum { MIXTURES = sizeof mixtures / sizeof mixtures[0], DRAWS = 15 * MIXTURES };

struct grain {
    double radius, mass;
    talus_vec3 position, velocity, omega;
};

struct draw {
    int dim, count;
    double dt;
    talus_pair_law law;
    bool floor; /* and gravity */
    struct grain grains[GRAINS_MAX];
};

/* ---- drawing -------------------------------------------------------------------------------- */

static double between(struct random *random, double low, double high) {
    return low + (high - low) * random_uniform(random);
}

static vec3 random_vector(struct random *random, int dim) {
    double x = between(random, -1, 1), y = between(random, -1, 1), z = between(random, -1, 1);
    return vec(x, y, dim == 3 ? z : 0.0);
}

static vec3 unit(vec3 a) {
    return vec3_scale(1.0 / vec3_norm(a), a);
}

/* Grains have radius 0.5, mass 1, velocity 1 and dt = 0.01 in order of magnitude, so forces are 100. */
static talus_torque_law random_torque(struct random *random) {
    talus_torque_law law = {.scale = (talus_torque_scale)random_below(random, 3)};
    double share = random_uniform(random);
    law.coefficient = law.scale == TALUS_TORQUE_LENGTH  ? 0.1 * share
                      : law.scale == TALUS_TORQUE_HERTZ ? share
                                                        : 0.4 * share;
    if (law.scale == TALUS_TORQUE_HERTZ) law.modulus = between(random, 1e3, 1e5);
    return law;
}

static talus_cohesion_law random_cohesion(struct random *random) {
    talus_cohesion_law law = {.force = between(random, 1, 60)};
    law.per_radius = random_below(random, 2) == 1;
    switch (random_below(random, 3)) {
    case 0: law.range = between(random, 1e-3, 0.05); break;
    case 1: law.energy = between(random, 0.01, 1); break;
    default: break; /* zero range */
    }
    return law;
}

static talus_restitution_law random_restitution(struct random *random) {
    return (talus_restitution_law){.normal = random_uniform(random),
                                   .tangential = between(random, -1, 1),
                                   .threshold = 0.2 * random_uniform(random)};
}

static talus_pair_law random_law(struct random *random, unsigned parts) {
    talus_pair_law law = {0};
    if (parts & FRICTION) law.mu_static = law.mu_sliding = between(random, 0, 0.8);
    if (parts & TWO_COEFFICIENTS) law.mu_sliding *= between(random, 0.5, 1);
    if (parts & ROLLING) law.rolling = random_torque(random);
    if (parts & TORSION) law.torsion = random_torque(random);
    if (parts & COHESION) law.cohesion = random_cohesion(random);
    if (parts & RESTITUTION) law.restitution = random_restitution(random);
    return law;
}

static bool is_clear(const struct draw *draw, const struct grain *grain) {
    for (int i = 0; i < draw->count; i++) {
        double distance = vec3_norm(vec3_sub(grain->position, draw->grains[i].position));
        if (distance < grain->radius + draw->grains[i].radius + 1e-3) return false;
    }
    return true;
}

/* The next grain sits near a random earlier one. */
static void random_grain(struct random *random, struct draw *draw) {
    struct grain grain = {.radius = between(random, 0.3, 0.6)};
    grain.mass = pow(2 * grain.radius, draw->dim);
    do {
        const struct grain *near =
            &draw->grains[random_below(random, draw->count > 0 ? (uint32_t)draw->count : 1)];
        double distance = grain.radius + near->radius + between(random, 1e-3, 0.01);
        vec3 side = unit(random_vector(random, draw->dim));
        if (draw->count > 0) grain.position = vec3_add_scaled(near->position, distance, side);
    } while (!is_clear(draw, &grain));
    grain.velocity = random_vector(random, draw->dim);
    grain.omega = vec3_scale(2, random_vector(random, 3));
    if (draw->dim == 2) grain.omega.x = grain.omega.y = 0.0;
    draw->grains[draw->count++] = grain;
}

/* Fly together: towards the middle, on top of the random velocities. */
static void converge(struct draw *draw) {
    vec3 middle = vec3_zero();
    for (int i = 0; i < draw->count; i++)
        middle = vec3_add_scaled(middle, 1.0 / draw->count, draw->grains[i].position);
    for (int i = 0; i < draw->count; i++) {
        struct grain *grain = &draw->grains[i];
        grain->velocity = vec3_add(grain->velocity, vec3_sub(middle, grain->position));
    }
}

/* The lowest grain just over z = 0 (y = 0 in a plane world). */
static void lift(struct draw *draw) {
    int up = draw->dim - 1;
    double lowest = HUGE_VAL;
    for (int i = 0; i < draw->count; i++) {
        const struct grain *grain = &draw->grains[i];
        lowest = fmin(lowest, vec3_component(grain->position, up) - grain->radius);
    }
    for (int i = 0; i < draw->count; i++) {
        vec3 *position = &draw->grains[i].position;
        vec3_set_component(position, up, vec3_component(*position, up) - lowest + 0.003);
    }
}

/* The k-th draw of a test; `most` grains at most. */
static struct draw make_draw(int test, int k, int most, bool floor) {
    struct random random = random_start(77, RANDOM_TEST, (uint64_t)k, (uint32_t)test);
    struct draw draw = {.dim = 2 + (k / MIXTURES) % 2, .dt = 0x1p-7, .floor = floor};
    draw.law = random_law(&random, mixtures[k % MIXTURES]);
    int count = 2 + (int)random_below(&random, (uint32_t)most - 1);
    for (int i = 0; i < count; i++) random_grain(&random, &draw);
    converge(&draw);
    if (floor) lift(&draw);
    return draw;
}

/* ---- building, seen from another frame ------------------------------------------------------ */

struct frame {
    mat3 turn;   /* may be improper: a mirror */
    double hand; /* -1: mirror, axial vectors change sign */
    vec3 boost;
    bool reversed; /* grains made in the opposite order */
    double faster; /* velocities x s, times / s, forces x s^2; a power of two */
    const char *solver;
    talus_sweep sweep;
    talus_stop stop;
};

static struct frame own_frame(void) {
    return (struct frame){.turn = mat3_diagonal(vec(1, 1, 1)),
                          .hand = 1,
                          .faster = 1,
                          .solver = "nnsgs",
                          .sweep = TALUS_SWEEP_RANDOM,
                          .stop = TALUS_STOP_RESIDUAL};
}

static vec3 seen(const struct frame *frame, vec3 polar) {
    return mat3_apply(&frame->turn, polar);
}

static vec3 seen_axial(const struct frame *frame, vec3 axial) {
    return vec3_scale(frame->hand, mat3_apply(&frame->turn, axial));
}

static talus_pair_law scaled_law(talus_pair_law law, double s) {
    law.rolling.modulus *= s * s;
    law.torsion.modulus *= s * s;
    law.cohesion.force *= s * s;
    law.cohesion.energy *= s * s;
    law.restitution.threshold *= s;
    return law;
}

static talus_config draw_config(const struct draw *draw, const struct frame *frame) {
    talus_config config = talus_config_default();
    config.dim = draw->dim;
    config.dt = draw->dt / frame->faster;
    config.solver.name = frame->solver;
    config.solver.sweep = frame->sweep;
    config.solver.stop = frame->stop;
    config.solver.tolerance = 1e-12;
    config.solver.max_sweeps = 20000;
    if (draw->floor) {
        double g = -9.81 * frame->faster * frame->faster;
        config.gravity = draw->dim == 2 ? vec(0, g, 0) : vec(0, 0, g);
    }
    return config;
}

static talus_sim *build(const struct draw *draw, const struct frame *frame) {
    talus_config config = draw_config(draw, frame);
    talus_sim *sim = support_sim(&config, 0.0);
    talus_pair_law law = scaled_law(draw->law, frame->faster);
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    for (int k = 0; k < draw->count; k++) {
        const struct grain *grain = &draw->grains[frame->reversed ? draw->count - 1 - k : k];
        talus_body_def def = talus_body_def_default(sim);
        def.radius = grain->radius;
        def.mass = grain->mass;
        def.position = seen(frame, grain->position);
        def.velocity =
            vec3_add(frame->boost, vec3_scale(frame->faster, seen(frame, grain->velocity)));
        def.omega = vec3_scale(frame->faster, seen_axial(frame, grain->omega));
        assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    }
    if (draw->floor)
        support_plane(sim, "floor", vec(0, 0, 0), draw->dim == 2 ? vec(0, 1, 0) : vec(0, 0, 1));
    return sim;
}

/* The residual is relative to the velocities that contacts have to stop; where these are a
 * millionth of the velocities of the grains, rounding keeps it above the 1e-12 asked for. */
static void solved_step(talus_sim *sim, talus_step_report *report) {
    assert_ok(talus_sim_step(sim, report, NULL));
    if (report->residual > 1e-8) fail_msg("residual %g", report->residual);
}

/* ---- frames --------------------------------------------------------------------------------- */

static bool vec_near(vec3 a, vec3 b, double tolerance) {
    return vec3_norm(vec3_sub(a, b)) <= tolerance;
}

/* The bodies of `other` are those of `sim` seen from `frame`. */
static bool looks_alike(const talus_sim *sim, const talus_sim *other, const struct frame *frame,
                        double tolerance) {
    talus_body_view p = talus_sim_bodies(sim), q = talus_sim_bodies(other);
    vec3 way = vec3_scale(talus_sim_time(sim), frame->boost);
    for (size_t i = 0; i < p.count; i++) {
        size_t j = frame->reversed ? p.count - 1 - i : i;
        vec3 position = vec3_add(way, seen(frame, p.position[i]));
        vec3 velocity = vec3_add(frame->boost, seen(frame, p.velocity[i]));
        if (!vec_near(q.position[j], position, tolerance) ||
            !vec_near(q.velocity[j], velocity, tolerance) ||
            !vec_near(q.omega[j], seen_axial(frame, p.omega[i]), tolerance))
            return false;
    }
    return true;
}

static mat3 random_turn(struct random *random, int dim) {
    vec3 axis = dim == 3 ? unit(random_vector(random, 3)) : vec(0, 0, 1);
    quat q = quat_turn(quat_identity(), vec3_scale(between(random, 0.1, 3), axis));
    mat3 turn;
    for (int k = 0; k < 3; k++) {
        vec3 column = quat_rotate(q, vec(k == 0, k == 1, k == 2));
        for (int i = 0; i < 3; i++) turn.m[i][k] = vec3_component(column, i);
    }
    return turn;
}

/* Compare a draw with itself in another frame, step by step. */
static void compare_frames(const struct draw *draw, const struct frame *frame, int number) {
    struct frame own = own_frame();
    talus_sim *sim = build(draw, &own), *other = build(draw, frame);
    for (int step = 0; step < 12; step++) {
        talus_step_report report;
        solved_step(sim, &report);
        solved_step(other, &report);
        if (looks_alike(sim, other, frame, 1e-9)) continue;
        fail_msg("draw %d (parts %u), step %d: not the same", number, mixtures[number % MIXTURES],
                 step + 1);
    }
    talus_sim_destroy(sim);
    talus_sim_destroy(other);
}

/* From a moving frame. */
static void galilean_boost(void **state) {
    (void)state;
    for (int k = 0; k < DRAWS; k++) {
        struct draw draw = make_draw(1, k, GRAINS_MAX, false);
        struct frame frame = own_frame();
        frame.boost = vec(1.7, -0.9, draw.dim == 3 ? 0.6 : 0.0);
        compare_frames(&draw, &frame, k);
    }
}

/* Turned by any angle about any axis. */
static void rotated_scene(void **state) {
    (void)state;
    struct random random = random_start(2, RANDOM_TEST, 0, 0);
    for (int k = 0; k < DRAWS; k++) {
        struct draw draw = make_draw(2, k, GRAINS_MAX, false);
        struct frame frame = own_frame();
        frame.turn = random_turn(&random, draw.dim);
        compare_frames(&draw, &frame, k);
    }
}

/* In a mirror: forces are mirrored, spins and torques turn the other way. */
static void mirror_image(void **state) {
    (void)state;
    for (int k = 0; k < DRAWS; k++) {
        struct draw draw = make_draw(3, k, GRAINS_MAX, false);
        struct frame frame = own_frame();
        frame.turn.m[0][0] = -1;
        frame.hand = -1;
        compare_frames(&draw, &frame, k);
    }
}

/* Grains made in the opposite order: in every contact a and b change places. */
static void swapped_grains(void **state) {
    (void)state;
    for (int k = 0; k < DRAWS; k++) {
        struct draw draw = make_draw(4, k, GRAINS_MAX, false);
        struct frame frame = own_frame();
        frame.reversed = true;
        compare_frames(&draw, &frame, k);
    }
}

/* ---- conservation --------------------------------------------------------------------------- */

struct motion {
    vec3 momentum, moment;
    double size, size_moment; /* of the single terms */
};

static struct motion total_motion(const talus_sim *sim) {
    talus_body_view view = talus_sim_bodies(sim);
    double shape = talus_sim_dim(sim) == 2 ? 0.5 : 0.4;
    struct motion sum = {{0, 0, 0}, {0, 0, 0}, 0, 0};
    for (size_t i = 0; i < view.count; i++) {
        vec3 p = vec3_scale(view.mass[i], view.velocity[i]);
        vec3 orbital = vec3_cross(view.position[i], p);
        double inertia = shape * view.mass[i] * view.radius[i] * view.radius[i];
        sum.momentum = vec3_add(sum.momentum, p);
        sum.moment = vec3_add_scaled(vec3_add(sum.moment, orbital), inertia, view.omega[i]);
        sum.size += vec3_norm(p);
        sum.size_moment += vec3_norm(orbital) + inertia * vec3_norm(view.omega[i]);
    }
    return sum;
}

/* A free cluster keeps its momentum and angular momentum, contact torques included. */
static void action_is_reaction(void **state) {
    (void)state;
    for (int k = 0; k < DRAWS; k++) {
        struct draw draw = make_draw(5, k, GRAINS_MAX, false);
        struct frame own = own_frame();
        talus_sim *sim = build(&draw, &own);
        struct motion start = total_motion(sim);
        talus_step_report report;
        for (int step = 0; step < 20; step++) solved_step(sim, &report);
        struct motion end = total_motion(sim);
        assert_true(vec_near(end.momentum, start.momentum, 1e-13 * start.size));
        assert_true(vec_near(end.moment, start.moment, 1e-12 * start.size_moment));
        talus_sim_destroy(sim);
    }
}

/* ---- energy --------------------------------------------------------------------------------- */

static double mechanical_energy(const talus_energy *energy) {
    return energy->kinetic_translation + energy->kinetic_rotation + energy->potential;
}

/* In each step contacts take energy and never give any, together; the ledger closes and its parts
 * add up. */
static void energy_is_only_lost(void **state) {
    (void)state;
    for (int k = 0; k < 2 * DRAWS; k++) {
        struct draw draw = make_draw(6, k, GRAINS_MAX, k >= DRAWS);
        struct frame own = own_frame();
        talus_sim *sim = build(&draw, &own);
        talus_energy before = talus_sim_observe(sim).energy;
        for (int step = 0; step < 20; step++) {
            talus_step_report report;
            solved_step(sim, &report);
            talus_energy now = talus_sim_observe(sim).energy;
            double tolerance = 1e-10 * now.scale;
            if (mechanical_energy(&now) > mechanical_energy(&before) + tolerance)
                fail_msg("draw %d (parts %u), step %d: energy grew by %g of %g", k,
                         mixtures[k % MIXTURES], step + 1,
                         mechanical_energy(&now) - mechanical_energy(&before), now.scale);
            if (!draw.floor) assert_true(now.dissipation >= before.dissipation - tolerance);
            assert_near(now.error, 0.0, 1e-12 * now.scale);
            assert_near(now.dissipation_impact + now.dissipation_sliding + now.dissipation_rolling +
                            now.dissipation_torsion + now.dissipation_bonds,
                        now.dissipation, 1e-12 * now.scale);
            before = now;
        }
        talus_sim_destroy(sim);
    }
}

/* With one contact each part must lose by itself, but for sliding and rolling, which drive each
 * other. */
static void every_part_loses(void **state) {
    (void)state;
    for (int k = 0; k < 2 * DRAWS; k++) {
        struct draw draw = make_draw(7, k, 2, false);
        struct frame own = own_frame();
        talus_sim *sim = build(&draw, &own);
        talus_energy before = talus_sim_observe(sim).energy;
        for (int step = 0; step < 12; step++) {
            talus_step_report report;
            solved_step(sim, &report);
            talus_energy now = talus_sim_observe(sim).energy;
            double least = -1e-12 * now.scale;
            assert_true(now.dissipation_impact - before.dissipation_impact >= least);
            assert_true(now.dissipation_torsion - before.dissipation_torsion >= least);
            assert_true(now.dissipation_bonds - before.dissipation_bonds >= least);
            assert_true(now.dissipation_sliding + now.dissipation_rolling -
                            before.dissipation_sliding - before.dissipation_rolling >=
                        least);
            before = now;
        }
        talus_sim_destroy(sim);
    }
}

/* ---- limits --------------------------------------------------------------------------------- */

static double reduced_radius(const talus_sim *sim, const talus_contact *contact) {
    talus_body_view view = talus_sim_bodies(sim);
    double r = view.radius[contact->a], s = view.radius[contact->b];
    return view.kind[contact->b] == TALUS_BODY_BOUNDARY ? r : r * s / (r + s);
}

static double torque_limit(const talus_torque_law *law, double radius, double load, int dim) {
    const double pi = 3.14159265358979323846;
    if (law->scale == TALUS_TORQUE_LENGTH) return law->coefficient * load;
    if (law->scale == TALUS_TORQUE_REDUCED_RADIUS) return law->coefficient * radius * load;
    if (load <= 0.0) return 0.0;
    double a = dim == 3 ? cbrt(0.75 * radius * load / law->modulus)
                        : sqrt(4 * radius * load / (pi * law->modulus));
    return law->coefficient * a * load;
}

static double bond_force(const talus_cohesion_law *law, double radius) {
    return law->per_radius ? law->force * radius : law->force;
}

static void check_contact(const talus_sim *sim, const struct draw *draw, const talus_contact *c) {
    const talus_pair_law *law = &draw->law;
    double radius = reduced_radius(sim, c), more = 1 + 1e-9, less = 1e-9;
    double normal = vec3_dot(c->force, c->normal), load = normal + c->tension;
    double tangential = vec3_norm(vec3_tangential(c->force, c->normal));
    double torsion = fabs(vec3_dot(c->torque, c->normal));
    double rolling = vec3_norm(vec3_tangential(c->torque, c->normal));
    assert_true(c->mu == law->mu_static || c->mu == law->mu_sliding);
    assert_true(c->tension <= bond_force(&law->cohesion, radius) * (1 + 1e-15));
    assert_true(normal >= -c->tension * more);
    assert_true(tangential <= c->mu * load * more + less);
    assert_true(rolling <= torque_limit(&law->rolling, radius, load, draw->dim) * more + less);
    assert_true(torsion <= torque_limit(&law->torsion, radius, load, draw->dim) * more + less);
    if (draw->dim == 2) assert_true(c->torque.x == 0.0 && c->torque.y == 0.0 && c->force.z == 0.0);
}

/* Forces and torques stay within their limits, however far the step is solved. */
static void limits_are_kept(void **state) {
    (void)state;
    int bonds = 0, pulls = 0, impacts = 0;
    for (int k = 0; k < 2 * DRAWS; k++) {
        struct draw draw = make_draw(8, k, GRAINS_MAX, k >= DRAWS);
        struct frame own = own_frame();
        talus_sim *sim = build(&draw, &own);
        int64_t broken = 0;
        for (int step = 0; step < 20; step++) {
            talus_step_report report;
            assert_ok(talus_sim_step(sim, &report, NULL));
            talus_contact contacts[CONTACTS_MAX];
            size_t count = talus_sim_contacts(sim, contacts, CONTACTS_MAX);
            assert_true(count <= CONTACTS_MAX);
            int64_t broken_before = broken, broken_now = 0;
            broken = talus_sim_observe(sim).bonds_broken;
            for (size_t i = 0; i < count; i++) {
                check_contact(sim, &draw, &contacts[i]);
                broken_now += contacts[i].tension > 0.0 && !contacts[i].bonded;
                bonds += contacts[i].bonded;
                pulls += vec3_dot(contacts[i].force, contacts[i].normal) < 0.0;
            }
            impacts += (int)report.impacts;
            assert_true(broken_now <= broken - broken_before); /* else no bond, no tension */
            assert_ok(talus_sim_validate(sim, NULL));
        }
        talus_sim_destroy(sim);
    }
    assert_true(bonds > 1000 && pulls > 300 && impacts > 300);
}

/* ---- Bagnold's scaling ---------------------------------------------------------------------- */

static bool same(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0 || (a == 0.0 && b == 0.0);
}

static bool same_scaled(double factor, vec3 a, vec3 b) {
    return same(a.x * factor, b.x) && same(a.y * factor, b.y) && same(a.z * factor, b.z);
}

/* Forces and torques of all contacts and the motion of all bodies differ by exact factors. */
static bool scaled_alike(const talus_sim *sim, const talus_sim *other, double s) {
    talus_body_view p = talus_sim_bodies(sim), q = talus_sim_bodies(other);
    for (size_t i = 0; i < p.count; i++)
        if (!same_scaled(1, p.position[i], q.position[i]) ||
            !same_scaled(s, p.velocity[i], q.velocity[i]) ||
            !same_scaled(s, p.omega[i], q.omega[i]))
            return false;
    talus_contact c[CONTACTS_MAX], d[CONTACTS_MAX];
    size_t count = talus_sim_contacts(sim, c, CONTACTS_MAX);
    if (talus_sim_contacts(other, d, CONTACTS_MAX) != count) return false;
    for (size_t i = 0; i < count; i++)
        if (!same_scaled(s * s, c[i].force, d[i].force) ||
            !same_scaled(s * s, c[i].torque, d[i].torque) ||
            !same(s * s * c[i].tension, d[i].tension))
            return false;
    return true;
}

/* Twice as fast with four times the forces (weight, F_C, E_C, moduli), half the time step and twice the
 * threshold: the same way, bit for bit [Wolf2006, sect. 1.3]. */
static void bagnold_bitwise(void **state) {
    (void)state;
    for (int k = 0; k < 2 * DRAWS; k++) {
        struct draw draw = make_draw(9, k, GRAINS_MAX, k % 3 > 0);
        struct frame own = own_frame(), fast = own;
        fast.faster = 2;
        own.stop = fast.stop = k % 2 == 0 ? TALUS_STOP_FIXED : TALUS_STOP_RESIDUAL;
        own.solver = fast.solver = k % 5 < 2 ? "nsgs" : k % 5 == 2 ? "apgd" : "nnsgs";
        talus_sim *sim = build(&draw, &own), *other = build(&draw, &fast);
        for (int step = 0; step < 15; step++) {
            assert_ok(talus_sim_step(sim, NULL, NULL));
            assert_ok(talus_sim_step(other, NULL, NULL));
            if (!scaled_alike(sim, other, fast.faster))
                fail_msg("draw %d (parts %u), step %d: not the same bits", k,
                         mixtures[k % MIXTURES], step + 1);
        }
        talus_sim_destroy(sim);
        talus_sim_destroy(other);
    }
}

/* ---- solvers -------------------------------------------------------------------------------- */

/* Solved as far as they go, all solvers and all orders give the same motion, whatever the law. */
static void solvers_agree(void **state) {
    (void)state;
    const talus_sweep sweeps[4] = {TALUS_SWEEP_SEQUENTIAL, TALUS_SWEEP_SYMMETRIC,
                                   TALUS_SWEEP_WINDOWED, TALUS_SWEEP_RANDOM};
    const char *solvers[4] = {"nnsgs", "nsgs", "apgd", "auto"};
    for (int k = 0; k < 2 * DRAWS; k++) {
        struct draw draw = make_draw(10, k, GRAINS_MAX, k % 2 == 1);
        struct frame frame = own_frame();
        frame.sweep = sweeps[k % 4];
        frame.solver = k < DRAWS ? solvers[k % 3] : solvers[2 + k % 2];
        compare_frames(&draw, &frame, k);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(galilean_boost),     cmocka_unit_test(rotated_scene),
        cmocka_unit_test(mirror_image),       cmocka_unit_test(swapped_grains),
        cmocka_unit_test(action_is_reaction), cmocka_unit_test(energy_is_only_lost),
        cmocka_unit_test(every_part_loses),   cmocka_unit_test(limits_are_kept),
        cmocka_unit_test(bagnold_bitwise),    cmocka_unit_test(solvers_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
