/* SPDX-License-Identifier: Apache-2.0
 * Stress and fabric against what can be computed by hand; what they must not depend on. */
#include "measure_support.h"

/* ---- by hand --------------------------------------------------------------------------------- */

/* Two spheres of radius 0.5 pressed with 3 N along x and sheared with 2 N: box 2 x 1 x 1, l = (1, 0, 0). */
static void two_grains(void **state) {
    (void)state;
    struct snapshot two = made_state(3, 2, 1);
    put_grain(&two, vec(0.5, 0.5, 0.5), 0.5, 2.0, vec(1, 0, 0));
    put_grain(&two, vec(1.5, 0.5, 0.5), 0.5, 2.0, vec(3, 0, 0));
    put_contact(&two, 0, 1, vec(3, 2, 0));
    talus_table table = take_measure(&two, "stress");
    assert_near(value_at(&table, 0, "volume"), 2.0, 0);
    assert_near(value_at(&table, 0, "sigma_xx"), 1.5, 1e-15);
    assert_near(value_at(&table, 0, "sigma_xy"), 1.0, 1e-15);
    assert_near(value_at(&table, 0, "sigma_yx"), 0.0, 1e-15);
    assert_near(value_at(&table, 0, "pressure"), 0.5, 1e-15);
    /* Symmetric part: xx 1.5, xy 0.5: eigenvalues 0.75 +- sqrt(0.75^2 + 0.5^2). */
    double root = sqrt(0.8125);
    assert_near(value_at(&table, 0, "sigma_1"), 0.75 + root, 1e-14);
    assert_near(value_at(&table, 0, "sigma_2"), 0.0, 1e-14);
    assert_near(value_at(&table, 0, "sigma_3"), 0.75 - root, 1e-14);
    /* s:s = 1 + 0.25 + 0.25 + 2 0.25 = 2 */
    assert_near(value_at(&table, 0, "deviator"), sqrt(1.5 * 2.0), 1e-14);
    double x = value_at(&table, 0, "direction1_x"), y = value_at(&table, 0, "direction1_y");
    assert_near(atan2(y, x), 0.5 * atan2(0.5, 0.75), 1e-14);
    /* v' = -1 and 1: 2 x 2 kg m^2/s^2 over 2 m^3. */
    assert_near(value_at(&table, 0, "kinetic_xx"), 2.0, 1e-15);
    assert_near(value_at(&table, 0, "kinetic_pressure"), 2.0 / 3, 1e-15);
    talus_table_free(&table);
    snapshot_discard(&two);
}

/* Simple cubic spheres of diameter 1, periodic in x and y, between plates; every column bears 5 N along z. */
static struct snapshot loaded_cubic(void) {
    struct snapshot cubic = made_state(3, 27, 27 + 9);
    make_periodic(&cubic, 0, 0.0, 3.0);
    make_periodic(&cubic, 1, 0.0, 3.0);
    for (int i = 0; i < 27; i++)
        put_grain(&cubic, vec(i % 3, i / 3 % 3, 0.5 + i / 9), 0.5, 1.0, vec(0, 0, 0));
    for (int32_t i = 0; i < 18; i++) put_contact(&cubic, i, i + 9, vec(0, 0, 5));
    for (int32_t i = 0; i < 9; i++) {
        vec3 at = cubic.position[i];
        put_wall_contact(&cubic, i, vec(at.x, at.y, 0), vec(0, 0, -5));
        put_wall_contact(&cubic, i + 18, vec(at.x, at.y, 3), vec(0, 0, 5));
    }
    return cubic;
}

static void cubic_lattice(void **state) {
    (void)state;
    struct snapshot cubic = loaded_cubic();
    talus_table table = take_measure(&cubic, "stress");
    assert_near(value_at(&table, 0, "volume"), 27.0, 1e-13);
    assert_near(value_at(&table, 0, "sigma_zz"), 5.0, 1e-14); /* 5 N on each 1 m^2 */
    assert_near(value_at(&table, 0, "sigma_xx"), 0.0, 1e-15);
    assert_near(value_at(&table, 0, "pressure"), 5.0 / 3, 1e-14);
    assert_near(value_at(&table, 0, "deviator"), 5.0, 1e-14);
    assert_near(value_at(&table, 0, "direction1_z"), 1.0, 1e-15);
    talus_table_free(&table);
    assert_near(take_value(&cubic, "packing", "fraction"), support_pi / 6, 1e-13);
    /* All normals along z: F = zz, a = 5/2. Walls change nothing in it. */
    assert_near(take_value(&cubic, "fabric", "F_zz"), 1.0, 1e-15);
    assert_near(take_value(&cubic, "fabric", "anisotropy"), 2.5, 1e-14);
    assert_near(take_value(&cubic, "fabric", "contacts"), 18, 0);
    assert_near(take_value(&cubic, "fabric contacts=all of=branches", "contacts"), 36, 0);
    assert_near(take_value(&cubic, "fabric contacts=all of=branches", "F_zz"), 1.0, 1e-15);
    /* Slabs across the load, of any thickness, all bear it. */
    table = take_measure(&cubic, "profile axis=z bins=7");
    for (size_t k = 0; k < 7; k++) assert_near(value_at(&table, k, "sigma_zz"), 5.0, 1e-12);
    talus_table_free(&table);
    snapshot_discard(&cubic);
}

/* A square lattice of discs with 4 N along x and 1 N along y; hexagonal with equal forces is isotropic. */
static void flat_lattices(void **state) {
    (void)state;
    struct snapshot square = made_state(2, 16, 32);
    make_periodic(&square, 0, 0, 4);
    make_periodic(&square, 1, 0, 4);
    for (int i = 0; i < 16; i++) put_grain(&square, vec(i % 4, i / 4, 0), 0.5, 1.0, vec(0, 0, 0));
    for (int32_t i = 0; i < 16; i++) {
        put_contact(&square, i, i / 4 * 4 + (i + 1) % 4, vec(4, 0, 0));
        put_contact(&square, i, (i + 4) % 16, vec(0, 1, 0));
    }
    assert_near(take_value(&square, "stress", "sigma_xx"), 4.0, 1e-14);
    assert_near(take_value(&square, "stress", "sigma_yy"), 1.0, 1e-14);
    assert_near(take_value(&square, "stress", "deviator"), 1.5, 1e-14); /* (4 - 1)/2 */
    assert_near(take_value(&square, "packing", "fraction"), support_pi / 4, 1e-14);
    assert_near(take_value(&square, "fabric", "anisotropy"), 0.0, 1e-15);
    assert_near(take_value(&square, "fabric of=normal", "F_xx"), 0.8, 1e-15); /* 4/(4 + 1) */
    assert_near(take_value(&square, "fabric of=normal", "anisotropy"), 2 * 0.6, 1e-14);
    assert_near(take_value(&square, "fabric network=strong", "F_xx"), 1.0, 1e-15);
    assert_near(take_value(&square, "fabric network=strong", "anisotropy"), 2.0, 1e-15);
    assert_near(take_value(&square, "fabric network=weak", "F_yy"), 1.0, 1e-15);
    assert_near(take_value(&square, "fabric network=weak", "contacts"), 16, 0);
    assert_near(take_value(&square, "fabric", "fn_mean"), 2.5, 1e-15);
    assert_near(take_value(&square, "coordination of=mean", "Z"), 4.0, 1e-15);
    snapshot_discard(&square);

    struct snapshot hexagonal = made_state(2, 24, 72);
    double row = 0.5 * sqrt(3.0);
    make_periodic(&hexagonal, 0, 0, 4);
    make_periodic(&hexagonal, 1, 0, 6 * row);
    for (int i = 0; i < 24; i++)
        put_grain(&hexagonal, vec(i % 4 + 0.5 * (i / 4 % 2), i / 4 * row, 0), 0.5, 1.0,
                  vec(0, 0, 0));
    for (int32_t i = 0; i < 24; i++) {
        int32_t line = i / 4, up = (line + 1) % 6 * 4, left = i % 4 - 1 + line % 2;
        put_contact(&hexagonal, i, line * 4 + (i + 1) % 4, vec(2, 0, 0));
        put_contact(&hexagonal, i, up + (left + 1) % 4, vec(1, sqrt(3), 0));
        put_contact(&hexagonal, i, up + (left + 4) % 4, vec(-1, sqrt(3), 0));
    }
    /* Three contacts of each disc, l = 1, f = 2, area row: trace 6/row, isotropic. */
    assert_near(take_value(&hexagonal, "stress", "pressure"), 3.0 / row, 1e-13);
    assert_near(take_value(&hexagonal, "stress", "deviator"), 0.0, 1e-13);
    assert_near(take_value(&hexagonal, "fabric", "anisotropy"), 0.0, 1e-13);
    assert_near(take_value(&hexagonal, "coordination of=mean", "Z"), 6.0, 1e-15);
    snapshot_discard(&hexagonal);
}

/* Contacts of 2 N and 4 N, and one of 30 N with the floor: what is strong is told by the two, with walls counted or not. */
static void walls_do_not_make_contacts_weak(void **state) {
    (void)state;
    struct snapshot row = made_state(2, 3, 3);
    for (int i = 0; i < 3; i++) put_grain(&row, vec(i, 0, 0), 0.5, 1, vec(0, 0, 0));
    put_contact(&row, 0, 1, vec(2, 0, 0));
    put_contact(&row, 1, 2, vec(4, 0, 0));
    put_wall_contact(&row, 0, vec(0, -0.5, 0), vec(0, -30, 0));
    const char *const walls[] = {"", " contacts=all"};
    for (int k = 0; k < 2; k++) {
        char text[64];
        snprintf(text, sizeof text, "fabric network=strong%s", walls[k]);
        assert_near(take_value(&row, text, "fn_mean"), 3.0, 1e-15);
        assert_near(take_value(&row, text, "contacts"), 1 + k, 0);
        snprintf(text, sizeof text, "rose bins=4%s", walls[k]);
        talus_table rose = take_measure(&row, text); /* bins: of x, y, -x, -y */
        double each = 1.0 / support_pi;              /* all of them in two bins of pi/2 */
        assert_near(talus_table_at(&rose, 0, talus_table_find(&rose, "density_weak")), each, 1e-15);
        assert_near(talus_table_at(&rose, 0, talus_table_find(&rose, "density_strong")),
                    each / (1 + k), 1e-15);
        talus_table_free(&rose);
    }
    snapshot_discard(&row);
}

/* Tangential forces: n (x) f_t over the normal ones. */
static void tangential_fabric(void **state) {
    (void)state;
    struct snapshot two = made_state(2, 2, 1);
    put_grain(&two, vec(0, 0, 0), 0.5, 1, vec(0, 0, 0));
    put_grain(&two, vec(1, 0, 0), 0.5, 1, vec(0, 0, 0));
    put_contact(&two, 0, 1, vec(4, 3, 0));
    assert_near(take_value(&two, "fabric of=tangential", "F_xy"), 0.75, 1e-15);
    assert_near(take_value(&two, "fabric of=tangential", "F_xx"), 0.0, 1e-15);
    snapshot_discard(&two);
}

/* ---- what must add up ------------------------------------------------------------------------ */

static void sum_tensor(const talus_table *table, size_t row, double weight, double sum[3][3]) {
    static const char *const names[3][3] = {{"sigma_xx", "sigma_xy", "sigma_xz"},
                                            {"sigma_yx", "sigma_yy", "sigma_yz"},
                                            {"sigma_zx", "sigma_zy", "sigma_zz"}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) sum[i][j] += weight * value_at(table, row, names[i][j]);
}

static void assert_same_tensor(double a[3][3], double b[3][3], double tolerance) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) assert_near(a[i][j], b[i][j], tolerance);
}

/* V_g sigma_g over all grains, and V sigma over boxes that tile space, are V sigma of the whole. */
static void parts_are_the_whole(void **state) {
    (void)state;
    for (int periodic = 0; periodic < 2; periodic++) {
        struct snapshot any = random_state(3, 40, 200, 11);
        for (int axis = 0; axis < 3 && periodic; axis++) make_periodic(&any, axis, -3.0, 8.0);
        for (size_t c = 0; c < any.contact_count && periodic; c++)
            if (any.contacts[c].b >= 0)
                any.contacts[c].branch = cell_branch(&any.cell, any.position[any.contacts[c].a],
                                                     any.position[any.contacts[c].b]);
        double whole[3][3] = {{0}}, grains[3][3] = {{0}}, boxes[3][3] = {{0}};
        talus_table table = take_measure(&any, "stress");
        sum_tensor(&table, 0, value_at(&table, 0, "volume"), whole);
        talus_table_free(&table);
        table = take_measure(&any, "stress of=grains");
        for (size_t i = 0; i < table.row_count; i++)
            sum_tensor(&table, i, value_at(&table, i, "volume"), grains);
        talus_table_free(&table);
        static const double cut[4] = {-4.0, -0.71, 1.93, 6.0};
        double low = periodic ? -3.0 : cut[0], high = periodic ? 5.0 : cut[3];
        for (int k = 0; k < 27; k++) {
            char order[200];
            double edge[4] = {low, cut[1], cut[2], high};
            int i[3] = {k % 3, k / 3 % 3, k / 9};
            snprintf(order, sizeof order, "stress from=%.17g,%.17g,%.17g to=%.17g,%.17g,%.17g",
                     edge[i[0]], edge[i[1]], edge[i[2]], edge[i[0] + 1], edge[i[1] + 1],
                     edge[i[2] + 1]);
            table = take_measure(&any, order);
            sum_tensor(&table, 0, value_at(&table, 0, "volume"), boxes);
            talus_table_free(&table);
        }
        assert_same_tensor(grains, whole, 1e-11); /* sums of 200 terms of about 10 */
        assert_same_tensor(boxes, whole, 1e-11);
        snapshot_discard(&any);
    }
}

/* ---- what must not matter -------------------------------------------------------------------- */

static mat3 tensor_of(const struct snapshot *state, const char *order, const char *prefix) {
    talus_table table = take_measure(state, order);
    mat3 out;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            char name[40];
            snprintf(name, sizeof name, "%s%c%c", prefix, "xyz"[i], "xyz"[j]);
            out.m[i][j] = value_at(&table, 0, name);
        }
    talus_table_free(&table);
    return out;
}

/* A packing turned by any rotation has turned tensors. The box around it changes, so V sigma is compared. */
static void rotation(void **state) {
    (void)state;
    static const char *const orders[][2] = {
        {"stress", "sigma_"},           {"stress", "kinetic_"},     {"fabric", "F_"},
        {"fabric of=branches", "F_"},   {"fabric of=normal", "F_"}, {"fabric of=tangential", "F_"},
        {"fabric network=strong", "F_"}};
    for (size_t k = 0; k < sizeof orders / sizeof orders[0]; k++) {
        struct snapshot any = random_state(3, 30, 80, 12);
        bool extensive = strncmp(orders[k][0], "stress", 6) == 0;
        double volume = extensive ? take_value(&any, "stress", "volume") : 1.0;
        mat3 before = tensor_of(&any, orders[k][0], orders[k][1]);
        quat q = quat_turn(quat_identity(), vec(0.7, -1.9, 0.4));
        mat3 r = quat_matrix(q), back = mat3_transposed(&r);
        for (size_t i = 0; i < any.count; i++) {
            any.position[i] = quat_rotate(q, any.position[i]);
            any.velocity[i] = quat_rotate(q, any.velocity[i]);
        }
        for (size_t c = 0; c < any.contact_count; c++) {
            struct snapshot_contact *contact = &any.contacts[c];
            contact->from = quat_rotate(q, contact->from);
            contact->branch = quat_rotate(q, contact->branch);
            contact->arm = quat_rotate(q, contact->arm);
            contact->normal = quat_rotate(q, contact->normal);
            contact->force = quat_rotate(q, contact->force);
        }
        double volume_after = extensive ? take_value(&any, "stress", "volume") : 1.0;
        mat3 after = tensor_of(&any, orders[k][0], orders[k][1]);
        mat3 half = mat3_product(&r, &before), expected = mat3_product(&half, &back);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                assert_near(volume_after * after.m[i][j], volume * expected.m[i][j],
                            1e-12 * (extensive ? 300.0 : 1.0)); /* V sigma is about 300 N m */
        snapshot_discard(&any);
    }
}

/* Grains and contacts in another order, contacts seen from the other side: the same numbers to rounding. */
static void order_of_things(void **state) {
    (void)state;
    static const char *const orders[] = {"stress",           "fabric of=tangential",
                                         "packing",          "coordination of=mean",
                                         "inertial",         "flow at=0.3",
                                         "profile bins=4",   "rose bins=8",
                                         "forces bins=6",    "fields width=2 spacing=2",
                                         "rdf bins=8 max=3", "mobilisation bins=4"};
    for (size_t k = 0; k < sizeof orders / sizeof orders[0]; k++) {
        struct snapshot any = random_state(3, 30, 80, 13), other = random_state(3, 30, 80, 13);
        for (size_t i = 0; i < 30; i++) { /* grain i goes to place 29 - i */
            size_t to = 29 - i;
#define FIELD(type, name) other.name[to] = any.name[i];
            SNAPSHOT_GRAIN_FIELDS(FIELD)
#undef FIELD
        }
        for (size_t c = 0; c < any.contact_count; c++) {
            struct snapshot_contact contact = any.contacts[c];
            contact.a = 29 - contact.a;
            if (contact.b >= 0) {
                contact.from = vec3_add(contact.from, contact.branch);
                contact.arm = vec3_sub(contact.arm, contact.branch);
                contact.b = contact.a;
                contact.a = 29 - any.contacts[c].b;
                contact.branch = vec3_scale(-1, contact.branch);
                contact.normal = vec3_scale(-1, contact.normal);
                contact.force = vec3_scale(-1, contact.force);
            }
            other.contacts[any.contact_count - 1 - c] = contact;
        }
        talus_table a = take_measure(&any, orders[k]), b = take_measure(&other, orders[k]);
        assert_int_equal(a.row_count, b.row_count);
        for (size_t n = 0; n < a.row_count * a.column_count; n++)
            if (!isnan(a.values[n]) || !isnan(b.values[n]))
                assert_near(a.values[n], b.values[n], 1e-12 * (1.0 + fabs(a.values[n])));
        talus_table_free(&a);
        talus_table_free(&b);
        snapshot_discard(&any);
        snapshot_discard(&other);
    }
}

/* Lengths 1e-3, masses 1e-6, times 10 times as large: numbers without unit stay, others follow their unit. */
static void units(void **state) {
    (void)state;
    static const struct {
        const char *order, *column;
        double factor;
    } cases[] = {
        {"stress", "sigma_xy", 1e-6 / 1e-3 / 100}, /* kg/(m s^2) */
        {"stress", "kinetic_zz", 1e-6 / 1e-3 / 100},
        {"stress", "volume", 1e-9},
        {"fabric of=normal", "anisotropy", 1},
        {"packing", "fraction", 1},
        {"coordination of=mean", "Z", 1},
        {"inertial", "I", 1},
        {"inertial", "shear_rate", 0.1},
        {"flow", "momentum_rate", 1e-6 / 10},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        struct snapshot any = random_state(3, 30, 80, 14);
        for (size_t c = 0; c < any.contact_count; c++) { /* such that p > 0 */
            struct snapshot_contact *contact = &any.contacts[c];
            contact->force = vec3_scale(1.0 + (double)(c % 3), contact->normal);
        }
        double before = take_value(&any, cases[k].order, cases[k].column);
        for (size_t i = 0; i < any.count; i++) {
            any.position[i] = vec3_scale(1e-3, any.position[i]);
            any.velocity[i] = vec3_scale(1e-4, any.velocity[i]);
            any.radius[i] *= 1e-3;
            any.volume[i] *= 1e-9;
            any.mass[i] *= 1e-6;
        }
        for (size_t c = 0; c < any.contact_count; c++) {
            struct snapshot_contact *contact = &any.contacts[c];
            contact->from = vec3_scale(1e-3, contact->from);
            contact->branch = vec3_scale(1e-3, contact->branch);
            contact->arm = vec3_scale(1e-3, contact->arm);
            contact->force = vec3_scale(1e-6 * 1e-3 / 100, contact->force);
        }
        double after = take_value(&any, cases[k].order, cases[k].column);
        assert_true(isfinite(before) && before != 0.0);
        assert_near(after, cases[k].factor * before, 1e-12 * fabs(cases[k].factor * before));
        snapshot_discard(&any);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_grains),
        cmocka_unit_test(cubic_lattice),
        cmocka_unit_test(flat_lattices),
        cmocka_unit_test(walls_do_not_make_contacts_weak),
        cmocka_unit_test(tangential_fabric),
        cmocka_unit_test(parts_are_the_whole),
        cmocka_unit_test(rotation),
        cmocka_unit_test(order_of_things),
        cmocka_unit_test(units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
