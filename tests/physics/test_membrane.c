/* SPDX-License-Identifier: Apache-2.0
 *
 * Membranes: forces are -p dV/dx, so they leave momentum alone across the axis, do the work -p dV, and make the mean
 * stress of a packing p; in Contact Dynamics and with soft grains alike.
 */
#include <stdlib.h>

#include "math/vec3.h"
#include "sim/sim.h"
#include "support.h"
#include "world/membrane.h"

static const double pressure = 3.0;

static double dice(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

static talus_vec3 up(int dim) {
    return dim == 2 ? vec(0, 1, 0) : vec(0, 0, 1);
}

/* Between grains; the plates are smooth. */
static void set_friction(talus_sim *sim, double mu) {
    talus_pair_law law = {.mu_static = mu, .mu_sliding = mu};
    if (sim->method == TALUS_METHOD_MD)
        law.soft = (talus_soft_law){.stiffness = 3000.0,
                                    .damping = sim->world.dim == 2 ? 60.0 : 15.0,
                                    .tangential_stiffness = 1000.0,
                                    .tangential_damping = 5.0};
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    law.mu_static = law.mu_sliding = 0.0;
    law.soft.tangential_stiffness = law.soft.tangential_damping = 0.0;
    assert_ok(talus_pair_set(sim, 0, 1, &law, NULL));
}

static talus_sim *empty(int dim, talus_method method, double dt, double height) {
    talus_config config = support_config(dim, dt);
    config.method = method;
    config.solver.name = "nnsgs";
    config.solver.tolerance = 1e-6;
    talus_sim *sim = support_sim(&config, 0.0);
    talus_material smooth;
    assert_ok(talus_material_add(sim, "smooth", 1.0, &smooth, NULL));
    set_friction(sim, 0.0);
    for (int side = 0; side < 2; side++) {
        talus_boundary_def def = talus_boundary_def_default();
        def.name = side == 0 ? "low" : "high";
        def.material = smooth;
        def.point = vec3_scale(side * height, up(dim));
        def.normal = vec3_scale(1.0 - 2.0 * side, up(dim));
        assert_ok(talus_boundary_add(sim, &def, NULL));
    }
    return sim;
}

static talus_membrane_def membrane(double remesh) {
    talus_membrane_def def = talus_membrane_def_default();
    def.name = "skin";
    def.plates[0] = "low";
    def.plates[1] = "high";
    def.pressure.mean = pressure;
    def.remesh = remesh;
    return def;
}

static void wrap(talus_sim *sim, double remesh) {
    talus_membrane_def def = membrane(remesh);
    talus_error err;
    if (talus_membrane_add(sim, &def, &err) < 0) fail_msg("%s", err.text);
}

/* ---- forces ------------------------------------------------------------------------------------ */

/* Columns of five: each grain of the sides is pressed by p times the spacing, those at the plates by p times what
 * is left up to the plate and half the spacing. */
static void test_straight_side(void **state) {
    (void)state;
    talus_sim *sim = empty(2, TALUS_METHOD_CD, 1e-3, 5.2);
    for (int i = 0; i < 25; i++)
        support_grain(sim, 0.45, 1.0, vec(i % 5, 0.6 + i / 5, 0), vec(0, 0, 0));
    wrap(sim, 0.05);
    for (int i = 0; i < 25; i++) {
        vec3 force = world_force(&sim->world, 2 + i, 0.0);
        double side = i % 5 == 0 ? 1.0 : i % 5 == 4 ? -1.0 : 0.0;
        double length = i / 5 == 0 || i / 5 == 4 ? 1.1 : 1.0;
        assert_near(force.x, side * pressure * length, 1e-14);
        assert_near(force.y, 0.0, 1e-14);
    }
    talus_membrane_view view = talus_sim_membrane(sim, 0);
    assert_near(view.volume, 4.0 * 5.2, 1e-13);
    assert_near(view.height, 5.2, 1e-15);
    assert_near(view.area[0], 4.0, 1e-13);
    assert_near(view.area[1], 4.0, 1e-13);
    talus_sim_destroy(sim);
}

/* Loose grains in a column, all with a velocity of their own and none in touch. */
static talus_sim *loose(int dim, talus_method method, double dt, double speed) {
    uint64_t seed = 5;
    talus_sim *sim = empty(dim, method, dt, 9.0);
    for (int i = 0; i < (dim == 2 ? 50 : 250); i++) {
        vec3 at = dim == 2 ? vec3_make(i % 5 - 2.0, 0.9 * (i / 5) + 0.45, 0.0)
                           : vec3_make(i % 5 - 2.0, i / 5 % 5 - 2.0, 0.9 * (i / 25) + 0.45);
        vec3 jitter = vec3_make(dice(&seed) - 0.5, dice(&seed) - 0.5, dice(&seed) - 0.5);
        vec3 velocity = vec3_make(dice(&seed) - 0.5, dice(&seed) - 0.5, dice(&seed) - 0.5);
        if (dim == 2) jitter.z = velocity.z = 0.0;
        support_grain(sim, 0.2, 1.0, vec3_add_scaled(at, 0.3, jitter), vec3_scale(speed, velocity));
    }
    return sim;
}

/* Nothing across the axis, no torque about it; along it what the ends differ by. */
static void test_sums(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        talus_sim *sim = loose(dim, TALUS_METHOD_CD, 1e-3, 0.0);
        wrap(sim, 0.05);
        vec3 axis = up(dim), sum = vec3_zero(), torque = vec3_zero();
        double size = 0.0, across = 0.0;
        for (size_t i = 2; i < sim->world.bodies.count; i++) {
            vec3 force = world_force(&sim->world, (talus_index)i, 0.0);
            vec3 x = sim->world.bodies.position[i];
            sum = vec3_add(sum, force);
            torque = vec3_add(torque, vec3_cross(x, force));
            size += vec3_norm(force);
            across -= vec3_dot(vec3_tangential(x, axis), force);
        }
        talus_membrane_view view = talus_sim_membrane(sim, 0);
        assert_near(vec3_norm(vec3_tangential(sum, axis)), 0.0, 1e-13 * size);
        if (dim == 3) assert_near(vec3_dot(torque, axis), 0.0, 1e-13 * size);
        assert_near(vec3_dot(sum, axis), pressure * (view.area[1] - view.area[0]), 1e-13 * size);
        assert_near(across, (dim - 1) * pressure * view.volume, 1e-13 * size); /* virial */
        talus_sim_destroy(sim);
    }
}

/* Each force is the slope of the volume, by central differences. */
static void test_gradient(void **state) {
    (void)state;
    const double h = 1e-4;
    for (int dim = 2; dim <= 3; dim++) {
        talus_sim *sim = loose(dim, TALUS_METHOD_CD, 1e-3, 0.0);
        wrap(sim, 1.0);
        for (size_t i = 2; i < sim->world.bodies.count; i += 3)
            for (int axis = 0; axis < dim; axis++) {
                vec3 *x = &sim->world.bodies.position[i], start = *x;
                double force = vec3_component(world_force(&sim->world, (talus_index)i, 0.0), axis);
                double volume[2];
                for (int side = 0; side < 2; side++) {
                    vec3_set_component(x, axis, vec3_component(start, axis) + (side - 0.5) * h);
                    membranes_press(&sim->world, 0.0);
                    volume[side] = talus_sim_membrane(sim, 0).volume;
                }
                *x = start;
                membranes_press(&sim->world, 0.0);
                assert_near(force, -pressure * (volume[1] - volume[0]) / h, 1e-8);
            }
        talus_sim_destroy(sim);
    }
}

/* ---- work -------------------------------------------------------------------------------------- */

/* Work over the pressure and the loss of volume, of grains that fly freely; the ledger closes. */
static double work_error(int dim, talus_method method, double dt) {
    talus_sim *sim = loose(dim, method, dt, 0.5);
    wrap(sim, 1.0);
    double start = talus_sim_membrane(sim, 0).volume;
    support_steps(sim, (int)(0.1 / dt + 0.5));
    talus_energy energy = support_ledger(sim);
    assert_int_equal(talus_sim_membrane(sim, 0).meshings, 1);
    assert_int_equal(talus_sim_observe(sim).contacts, 0);
    membranes_press(&sim->world, 0.0); /* rigid grains: where they are now */
    double change = talus_sim_membrane(sim, 0).volume - start;
    assert_true(fabs(change) > 1e-3 * start);
    double error = energy.work_force / (-pressure * change) - 1.0;
    talus_sim_destroy(sim);
    return error;
}

/* The force at the start of a step (cd) is off in the first order, the mean of both ends (md) in the second; in the
 * plane V is a quadratic form and the mean is exact. */
static void test_work(void **state) {
    (void)state;
    assert_near(work_error(2, TALUS_METHOD_MD, 1e-2), 0.0, 1e-12);
    for (int dim = 2; dim <= 3; dim++) {
        double coarse = work_error(dim, TALUS_METHOD_CD, 1e-2);
        double fine = work_error(dim, TALUS_METHOD_CD, 5e-3);
        assert_near(coarse / fine, 2.0, 0.2);
        assert_near(fine, 0.0, 0.05);
    }
    double coarse = work_error(3, TALUS_METHOD_MD, 1e-2);
    double fine = work_error(3, TALUS_METHOD_MD, 5e-3);
    assert_near(coarse / fine, 4.0, 0.2);
    assert_near(fine, 0.0, 1e-4);
}

/* ---- packings ---------------------------------------------------------------------------------- */

struct stress {
    double across, along; /* over p; mean over the directions across the axis */
};

/* From the contact forces alone: sum of f b over the volume; of a contact with a plate b reaches from the centre of
 * the grain to the plate. */
static struct stress virial(const talus_sim *sim) {
    size_t count = talus_sim_contacts(sim, NULL, 0);
    talus_contact *contacts = calloc(count, sizeof *contacts);
    talus_sim_contacts(sim, contacts, count);
    vec3 axis = up(talus_sim_dim(sim));
    struct stress sum = {0.0, 0.0};
    for (size_t k = 0; k < count; k++) {
        talus_body_view bodies = talus_sim_bodies(sim);
        bool wall = bodies.kind[contacts[k].b] == TALUS_BODY_BOUNDARY;
        vec3 branch = vec3_sub(wall ? contacts[k].point : bodies.position[contacts[k].b],
                               bodies.position[contacts[k].a]);
        vec3 force = contacts[k].force;
        double along = vec3_dot(force, axis) * vec3_dot(branch, axis);
        sum.along += along;
        sum.across += vec3_dot(force, branch) - along;
    }
    free(contacts);
    talus_membrane_view view = talus_sim_membrane(sim, 0);
    sum.along /= view.volume * pressure;
    sum.across /= view.volume * pressure * (talus_sim_dim(sim) - 1);
    return sum;
}

/* The upper plate is a piston that presses with p times its area, as the membrane has it now. */
static void load_plate(talus_sim *sim) {
    talus_free_motion law = {.mass = 5.0, .direction = up(talus_sim_dim(sim)), .weightless = true};
    law.force.mean = -pressure * talus_sim_membrane(sim, 0).area[1];
    assert_ok(talus_boundary_set_free(sim, "high", &law, NULL));
}

/* Discs or spheres of many sizes, pressed from all sides, first without friction, until they rest. */
static talus_sim *packing(int dim) {
    uint64_t seed = 1;
    int wide = dim == 2 ? 6 : 4, high = dim == 2 ? 12 : 6;
    talus_sim *sim = empty(dim, TALUS_METHOD_CD, 2e-2, high);
    for (int i = 0; i < high * (dim == 2 ? wide : wide * wide); i++) {
        vec3 at = dim == 2 ? vec3_make(i % wide, i / wide + 0.5, 0.0)
                           : vec3_make(i % wide, i / wide % wide, i / (wide * wide) + 0.5);
        double size = 0.49 - 0.15 * dice(&seed);
        vec3 jitter = vec3_make(dice(&seed) - 0.5, dice(&seed) - 0.5, dice(&seed) - 0.5);
        if (dim == 2) jitter.z = 0.0;
        support_grain(sim, size, 0.0, vec3_add_scaled(at, 0.02, jitter), vec(0, 0, 0));
    }
    wrap(sim, 0.05);
    for (int stage = 0; stage < 5; stage++) {
        if (stage == 2) set_friction(sim, 0.5);
        load_plate(sim);
        support_steps(sim, 150);
    }
    return sim;
}

/* The same with soft grains, from where it is. */
static talus_sim *softened(const talus_sim *rigid) {
    int dim = talus_sim_dim(rigid);
    talus_sim *sim = empty(dim, TALUS_METHOD_MD, 1e-3, 1.0);
    talus_body_view bodies = talus_sim_bodies(rigid);
    for (size_t i = 0; i < bodies.count; i++)
        if (bodies.kind[i] == TALUS_BODY_GRAIN)
            support_grain(sim, bodies.radius[i], 0.0, bodies.position[i], vec(0, 0, 0));
    for (size_t side = 0; side < 2; side++) {
        sim->world.bodies.position[side] = talus_sim_boundary(rigid, side).point;
    }
    set_friction(sim, 0.5);
    wrap(sim, 0.05);
    for (int stage = 0; stage < 2; stage++) {
        load_plate(sim);
        support_steps(sim, dim == 2 ? 8000 : 6000);
    }
    return sim;
}

static void check_packing(const talus_sim *sim) {
    int dim = talus_sim_dim(sim);
    struct stress stress = virial(sim);
    talus_membrane_view view = talus_sim_membrane(sim, 0);
    double force = -vec3_dot(talus_sim_boundary(sim, 0).force, up(dim));
    print_message("%dd %s: across %.5f along %.5f axial %.5f force/(p area) %.5f unbalanced %.1e "
                  "meshings %d\n",
                  dim, sim->method == TALUS_METHOD_MD ? "md" : "cd", stress.across, stress.along,
                  view.axial / pressure, force / (pressure * view.area[0]),
                  talus_sim_observe(sim).unbalanced_force, (int)view.meshings);
    assert_near(stress.across, 1.0, 0.01);
    assert_near(stress.along, 1.0, 0.01);
    assert_near(view.axial / pressure, 1.0, 0.01);
    assert_near(force / (pressure * view.area[0]), 1.0, 0.01);
    support_ledger(sim);
}

/* Another surface through the same grains: by how much its volume and the size of its forces differ. */
static double remesh_jump(talus_sim *sim, double *force_jump) {
    double volume[2], force[2] = {0.0, 0.0};
    int64_t meshings = talus_sim_membrane(sim, 0).meshings;
    for (int after = 0; after < 2; after++) {
        if (after == 1) assert_ok(membranes_prepare(&sim->world, NULL));
        membranes_press(&sim->world, sim->world.time);
        volume[after] = talus_sim_membrane(sim, 0).volume;
        for (size_t i = 0; i < sim->world.bodies.count; i++)
            force[after] += vec3_norm(sim->world.membrane_forces[i]);
    }
    if (talus_sim_membrane(sim, 0).meshings == meshings) return 0.0;
    *force_jump = fmax(*force_jump, fabs(force[1] / force[0] - 1.0));
    return fabs(volume[1] / volume[0] - 1.0);
}

/* A column that is compressed by a tenth: the surface is found anew all the time, and the stress stays. */
static void check_remeshing(talus_sim *sim) {
    int dim = talus_sim_dim(sim);
    double speed = 0.02 * talus_sim_membrane(sim, 0).height, jump = 0.0, force = 0.0, stress = 0.0;
    int64_t meshings = talus_sim_membrane(sim, 0).meshings;
    talus_motion down = {.velocity = vec3_scale(-speed, up(dim))};
    assert_ok(talus_boundary_set_motion(sim, "high", &down, NULL));
    for (int k = 0; k < 250; k++) {
        support_steps(sim, 1);
        jump = fmax(jump, remesh_jump(sim, &force));
        stress += virial(sim).across / 250.0;
    }
    meshings = talus_sim_membrane(sim, 0).meshings - meshings;
    print_message("%dd: %d meshings, jump of V %.4f, of the sum of forces %.4f; stress across "
                  "%.4f\n",
                  dim, (int)meshings, jump, force, stress);
    assert_true(meshings > 10);
    assert_near(jump, 0.0, 0.02);
    assert_near(force, 0.0, 0.1);
    assert_near(stress, 1.0, 0.02);
    support_ledger(sim);
}

/* Rigid grains, the same ones soft, and the rigid ones compressed. */
static void test_packings(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        talus_sim *rigid = packing(dim), *soft = softened(rigid);
        check_packing(rigid);
        check_packing(soft);
        check_remeshing(rigid);
        talus_sim_destroy(soft);
        talus_sim_destroy(rigid);
    }
}

/* ---- what is refused ---------------------------------------------------------------------------- */

static void refuse(talus_sim *sim, const talus_membrane_def *def, const char *part) {
    talus_error err;
    assert_true(talus_membrane_add(sim, def, &err) < 0);
    if (strstr(err.text, part) == NULL) fail_msg("'%s' does not say '%s'", err.text, part);
    assert_int_equal(talus_sim_membrane_count(sim), 0);
}

static void test_bad_input(void **state) {
    (void)state;
    talus_sim *sim = empty(2, TALUS_METHOD_CD, 1e-3, 5.0);
    talus_membrane_def def = membrane(0.05), bad;
    refuse(sim, &def, "no grains");
    for (int i = 0; i < 2; i++) support_grain(sim, 0.4, 1.0, vec(i, 1, 0), vec(0, 0, 0));
    refuse(sim, &def, "too few");
    for (int i = 0; i < 8; i++)
        support_grain(sim, 0.4, 1.0, vec(i % 2, 2 + i / 2, 0), vec(0, 0, 0));
    bad = def, bad.pressure.mean = -1.0;
    refuse(sim, &bad, "pressure = -1");
    bad = def, bad.pressure.kind = TALUS_SIGNAL_SINE, bad.pressure.amplitude = 4.0;
    refuse(sim, &bad, "pressure = -1");
    bad = def, bad.group = "sand";
    refuse(sim, &bad, "no group 'sand'");
    bad = def, bad.plates[1] = "lid";
    refuse(sim, &bad, "no boundary 'lid'");
    bad = def, bad.plates[1] = "low";
    refuse(sim, &bad, "both its plates");
    bad = def, bad.remesh = 2.0;
    refuse(sim, &bad, "remesh = 2");
    support_plane(sim, "tilted", vec(0, 9, 0), vec(0.6, -0.8, 0));
    bad = def, bad.plates[1] = "tilted";
    refuse(sim, &bad, "not parallel");
    talus_error err;
    assert_ok(talus_membrane_add(sim, &def, NULL));
    assert_int_equal(talus_membrane_add(sim, &def, &err), TALUS_ERR_INPUT); /* again */
    assert_int_equal(talus_boundary_remove(sim, "high", &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "membrane 'skin'"));
    assert_int_equal(talus_membrane_remove(sim, "other", &err), TALUS_ERR_UNKNOWN_NAME);
    assert_int_equal(talus_membrane_set_pressure(sim, "other", &def.pressure, &err),
                     TALUS_ERR_UNKNOWN_NAME);
    assert_ok(talus_membrane_set_pressure(sim, "skin", &(talus_signal){.mean = 7.0}, NULL));
    support_steps(sim, 1);
    assert_near(talus_sim_membrane(sim, 0).pressure, 7.0, 0.0);
    assert_ok(talus_membrane_remove(sim, "skin", NULL));
    assert_near(vec3_norm(world_force(&sim->world, 3, 0.0)), 0.0, 0.0);
    assert_ok(talus_boundary_remove(sim, "high", NULL));
    talus_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight_side), cmocka_unit_test(test_sums),
        cmocka_unit_test(test_gradient),      cmocka_unit_test(test_work),
        cmocka_unit_test(test_packings),      cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
