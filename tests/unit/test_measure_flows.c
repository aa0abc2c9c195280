/* SPDX-License-Identifier: Apache-2.0
 * Profiles, inertial number, flow and displacement of states whose motion is known. */
#include "measure_support.h"

/* A cubic lattice of spheres of diameter 1 that moves with v = (gamma z + u, 0, 0). */
static struct snapshot shear_flow(double gamma, double u, int side) {
    struct snapshot flow = made_state(3, (size_t)(side * side * side), 1000);
    for (int i = 0; i < side * side * side; i++) {
        vec3 at = vec(i % side + 0.5, i / side % side + 0.5, i / side / side + 0.5);
        int32_t grain =
            put_grain(&flow, at, 0.5, 2.5 * support_pi / 6, vec(gamma * at.z + u, 0, 0));
        flow.omega[grain] = vec(0, 0.5 * gamma, 0);
    }
    return flow;
}

/* Means by mass lie on the line exactly, whatever the slabs cut; nothing is warm if each slab has one layer. */
static void shear_profile(void **state) {
    (void)state;
    struct snapshot flow = shear_flow(0.3, 100.0, 4);
    talus_table table = take_measure(&flow, "profile axis=z bins=7");
    for (size_t k = 0; k < 7; k++) {
        double place = value_at(&table, k, "mass_position");
        assert_near(value_at(&table, k, "vx"), 0.3 * place + 100.0, 1e-12);
        assert_near(value_at(&table, k, "vz"), 0.0, 1e-13);
        assert_near(value_at(&table, k, "omega_y"), 0.15, 1e-15);
    }
    talus_table_free(&table);
    table = take_measure(&flow, "profile axis=z bins=4");
    for (size_t k = 0; k < 4; k++) {
        assert_near(value_at(&table, k, "vx"), 0.3 * ((double)k + 0.5) + 100.0, 1e-12);
        assert_near(value_at(&table, k, "packing_fraction"), support_pi / 6, 1e-13);
        assert_near(value_at(&table, k, "temperature"), 0.0, 1e-13);
        assert_near(value_at(&table, k, "grains"), 16, 0);
    }
    talus_table_free(&table);
    /* One slab of all: <v'^2> = gamma^2 (16 - 1)/12 for four layers, over three dimensions. */
    table = take_measure(&flow, "profile axis=z bins=1");
    assert_near(value_at(&table, 0, "temperature"), 0.09 * 15.0 / 12.0 / 3.0, 1e-13);
    talus_table_free(&table);
    snapshot_discard(&flow);
}

/* Rigid rotation about z through (1, 2): v_t = omega r in every shell. Radial contacts carry sigma_rr. */
static void radial_profile(void **state) {
    (void)state;
    struct snapshot wheel = made_state(2, 60, 20);
    for (int i = 0; i < 60; i++) {
        double r = 0.25 + i / 20, a = 2 * support_pi * (i % 20) / 20;
        vec3 off = vec(r * cos(a), r * sin(a), 0);
        put_grain(&wheel, vec(1 + off.x, 2 + off.y, 0), 0.1, 1.0, vec(-3 * off.y, 3 * off.x, 0));
    }
    for (int32_t i = 0; i < 20; i++) {
        vec3 out = vec3_sub(wheel.position[40 + i], wheel.position[i]);
        put_contact(&wheel, i, 40 + i, vec3_scale(4.0 / vec3_norm(out), out));
    }
    talus_table table = take_measure(&wheel, "profile axis=radial centre=1,2 radius=3 bins=3");
    for (size_t k = 0; k < 3; k++) {
        double r = 0.25 + (double)k, from = (double)k, area = support_pi * (2 * from + 1);
        double share = k == 0 ? 0.75 : k == 1 ? 1.0 : 0.25; /* of branches from 0.25 to 2.25 */
        assert_near(value_at(&table, k, "grains"), 20, 0);
        assert_near(value_at(&table, k, "vt"), 3 * r, 1e-13);
        assert_near(value_at(&table, k, "vr"), 0, 1e-14);
        assert_near(value_at(&table, k, "sigma_rr"), 20 * share * 4.0 / area, 1e-12);
        assert_near(value_at(&table, k, "sigma_tt"), 0, 1e-13);
    }
    talus_table_free(&table);
    snapshot_discard(&wheel);
}

/* I = gamma d sqrt(rho/p) with gamma = 0.3, d = 1, rho = 2.5, p = 8 from one layer of contacts through all columns. */
static void inertial_number(void **state) {
    (void)state;
    struct snapshot flow = shear_flow(0.3, -5.0, 4);
    for (int32_t i = 0; i < 64; i++) {
        vec3 at = flow.position[i];
        /* Each box of one grain bears 8 N along all axes, and 2 N of shear along x through its z side. */
        put_wall_contact(&flow, i, vec(at.x + 1, at.y, at.z), vec(8, 0, 0));
        put_wall_contact(&flow, i, vec(at.x, at.y + 1, at.z), vec(0, 8, 0));
        put_wall_contact(&flow, i, vec(at.x, at.y, at.z + 1), vec(-2, 0, 8));
    }
    talus_table table = take_measure(&flow, "inertial");
    assert_near(value_at(&table, 0, "shear_rate"), 0.3, 1e-14);
    assert_near(value_at(&table, 0, "pressure"), 8.0, 1e-13);
    assert_near(value_at(&table, 0, "density"), 2.5, 1e-14);
    assert_near(value_at(&table, 0, "I"), 0.3 * sqrt(2.5 / 8), 1e-14);
    assert_near(value_at(&table, 0, "mu"), 0.25, 1e-14);
    talus_table_free(&table);
    talus_error err;
    assert_int_equal(try_measure(&flow, NULL, "inertial flow=z", &table, &err), TALUS_ERR_INPUT);
    snapshot_discard(&flow);
}

/* ---- flow ------------------------------------------------------------------------------------ */

/* A cubic lattice, all of it moving with v along z through a plane: rho A v, counted over a way of whole layers, and at once
 * on average over one period of the lattice. */
static void block_through_a_plane(void **state) {
    (void)state;
    const double v = 2.0, m = 0.7;
    double momentum = 0.0;
    enum { PHASES = 400 };
    for (int phase = 0; phase < PHASES; phase++) {
        struct snapshot block = made_state(3, 64, 0);
        for (int i = 0; i < 64; i++)
            put_grain(&block, vec(i % 4, i / 4 % 4, i / 16 + (phase + 0.5) / PHASES), 0.5, m,
                      vec(0, 0, v));
        momentum += take_value(&block, "flow at=2", "momentum_rate") / PHASES;
        snapshot_discard(&block);
    }
    /* 16 columns with m v for each length 1. The mean over phases is the midpoint rule of a smooth function. */
    assert_near(momentum, 16 * m * v, 1e-4 * 16 * m * v);
    struct snapshot before = made_state(3, 64, 0), now = made_state(3, 64, 0);
    for (int i = 0; i < 64; i++) {
        vec3 at = vec(i % 4, i / 4 % 4, i / 16 + 0.3);
        put_grain(&before, at, 0.5, m, vec(0, 0, v));
        put_grain(&now, vec(at.x, at.y, at.z + 2.0), 0.5, m, vec(0, 0, v));
    }
    now.time = 1.0; /* two lengths at v = 2 */
    talus_table table;
    assert_ok(try_measure(&now, &before, "flow at=2", &table, NULL));
    assert_near(value_at(&table, 0, "rate"), 16 * m * v, 1e-12);
    assert_near(value_at(&table, 0, "grains_forward"), 32, 0);
    talus_table_free(&table);
    /* Through an opening over four columns; backwards. */
    assert_ok(try_measure(&before, &now, "flow at=2 from=0.5,0.5 to=2.5,2.5", &table, NULL));
    assert_near(value_at(&table, 0, "mass_backward"), 8 * m, 1e-13);
    assert_near(value_at(&table, 0, "mass_forward"), 0, 0);
    talus_table_free(&table);
    snapshot_discard(&before);
    snapshot_discard(&now);
}

/* Through the periodic side the short way is taken, or the counted one: once forward, or three times backwards. */
static void periodic_crossings(void **state) {
    (void)state;
    struct snapshot before = made_state(2, 1, 0), now = made_state(2, 1, 0);
    put_grain(&before, vec(9.5, 5, 0), 0.5, 3.0, vec(1, 0, 0));
    put_grain(&now, vec(0.5, 5, 0), 0.5, 3.0, vec(1, 0, 0));
    make_periodic(&before, 0, 0, 10);
    make_periodic(&now, 0, 0, 10);
    now.time = 1.0;
    talus_table table;
    for (int images = 0; images < 2; images++) {
        before.has = now.has = images ? ~0u : ~(unsigned)HAS_IMAGE;
        now.image[0].x = -2;
        assert_ok(try_measure(&now, &before, "flow axis=x at=0", &table, NULL));
        assert_near(value_at(&table, 0, "grains_forward"), images ? 0 : 1, 0);
        assert_near(value_at(&table, 0, "grains_backward"), images ? 2 : 0, 0);
        assert_near(value_at(&table, 0, "rate"), images ? -6 : 3, 1e-15);
        talus_table_free(&table);
    }
    /* At 9.9 too: it is passed by the image that leaves, and by the one that comes in at -0.1. */
    before.has = now.has = ~(unsigned)HAS_IMAGE;
    assert_ok(try_measure(&now, &before, "flow axis=x at=9.9", &table, NULL));
    assert_near(value_at(&table, 0, "grains_forward"), 1, 0);
    talus_table_free(&table);
    /* A chord of the disc at 0.1 from its centre, reached by its image. */
    double chord = 2 * sqrt(0.25 - 0.01);
    assert_near(take_value(&before, "flow axis=x at=-0.4", "momentum_rate"),
                3.0 * chord / ball_volume(2, 0.5), 1e-13);
    snapshot_discard(&before);
    snapshot_discard(&now);
}

static void displacement(void **state) {
    (void)state;
    struct snapshot before = random_state(3, 20, 10, 31), now = random_state(3, 20, 10, 31);
    for (size_t i = 0; i < 20; i++) now.position[i] = vec3_add(now.position[i], vec(1, 2, -3));
    now.id[7] = 12345; /* one that was not there */
    talus_table table;
    talus_error err;
    assert_ok(try_measure(&now, &before, "msd", &table, NULL));
    assert_near(value_at(&table, 0, "msd"), 14.0, 1e-13);
    assert_near(value_at(&table, 0, "msd_z"), 9.0, 1e-13);
    assert_near(value_at(&table, 0, "grains"), 19, 0);
    talus_table_free(&table);
    make_periodic(&now, 0, -3, 8);
    now.has &= ~(unsigned)HAS_IMAGE;
    assert_int_equal(try_measure(&now, &before, "msd", &table, &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "image"));
    snapshot_discard(&before);
    snapshot_discard(&now);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shear_profile),      cmocka_unit_test(radial_profile),
        cmocka_unit_test(inertial_number),    cmocka_unit_test(block_through_a_plane),
        cmocka_unit_test(periodic_crossings), cmocka_unit_test(displacement),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
