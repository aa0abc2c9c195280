/* SPDX-License-Identifier: Apache-2.0
 * Coarse-grained fields: what they must sum up to, and the balance of forces at rest. */
#include "measure_support.h"

static double cell_volume_of(const talus_table *table) {
    double volume = 0.0;
    const char *at = strstr(table->notes, "cell volume ");
    assert_non_null(at);
    assert_int_equal(sscanf(at, "cell volume %lf", &volume), 1);
    return volume;
}

static double integral(const talus_table *table, const char *column) {
    double sum = 0.0;
    for (size_t k = 0; k < table->row_count; k++) sum += value_at(table, k, column);
    return sum * cell_volume_of(table);
}

/* For any width and spacing, open and periodic, in all dimensions. Kernels narrower than a cell are included. */
static void sums(void **state) {
    (void)state;
    static const char *const orders[] = {"fields width=0.7 spacing=0.5",
                                         "fields width=0.3 spacing=1.1",
                                         "fields width=0.01 spacing=1.3", "fields"};
    for (int dim = 1; dim <= 3; dim++)
        for (int periodic = 0; periodic < 2; periodic++)
            for (size_t k = 0; k < 4; k++) {
                struct snapshot any = random_state(dim, 20, 60, 41);
                for (int axis = 0; axis < dim && periodic; axis++)
                    make_periodic(&any, axis, -3.0, 8.0);
                double mass = 0.0, momentum = 0.0, stress = 0.0, wall = 0.0, energy = 0.0;
                for (size_t i = 0; i < any.count; i++) {
                    mass += any.mass[i];
                    momentum += any.mass[i] * any.velocity[i].x;
                    energy += any.mass[i] * any.velocity[i].x * any.velocity[i].x;
                }
                for (size_t c = 0; c < any.contact_count; c++) {
                    stress += any.contacts[c].branch.x * any.contacts[c].force.x;
                    if (any.contacts[c].b < 0) wall += any.contacts[c].force.x;
                }
                talus_table table = take_measure(&any, orders[k]);
                assert_near(integral(&table, "density"), mass, 1e-12 * mass);
                assert_near(integral(&table, "momentum_x"), momentum, 1e-12 * mass);
                assert_near(integral(&table, "sigma_xx"), stress, 1e-11);
                assert_near(integral(&table, "wall_x"), wall, 1e-12 * 60);
                /* sum of m v v = kinetic + rho V V */
                double both = integral(&table, "kinetic_xx"), volume = cell_volume_of(&table);
                for (size_t r = 0; r < table.row_count; r++)
                    if (value_at(&table, r, "density") > 0.0)
                        both +=
                            volume * value_at(&table, r, "momentum_x") * value_at(&table, r, "vx");
                assert_near(both, energy, 1e-12 * 20);
                talus_table_free(&table);
                snapshot_discard(&any);
            }
}

/* Without walls the mean stress is Love and Weber's. */
static void love_weber(void **state) {
    (void)state;
    struct snapshot any = random_state(3, 20, 60, 42);
    size_t kept = 0;
    for (size_t c = 0; c < any.contact_count; c++)
        if (any.contacts[c].b >= 0) any.contacts[kept++] = any.contacts[c];
    any.contact_count = kept;
    double volume = take_value(&any, "stress", "volume");
    talus_table table = take_measure(&any, "fields width=1 spacing=1");
    assert_near(integral(&table, "sigma_xy"), volume * take_value(&any, "stress", "sigma_xy"),
                1e-11);
    assert_near(integral(&table, "sigma_zz"), volume * take_value(&any, "stress", "sigma_zz"),
                1e-11);
    talus_table_free(&table);
    snapshot_discard(&any);
}

/* A uniform flow has its velocity everywhere and is not warm, to all digits. */
static void uniform_flow(void **state) {
    (void)state;
    struct snapshot flow = random_state(2, 30, 20, 43);
    for (size_t i = 0; i < 30; i++) flow.velocity[i] = vec(1e6, -3, 0);
    talus_table table = take_measure(&flow, "fields width=1 spacing=1");
    for (size_t k = 0; k < table.row_count; k++) {
        if (!(value_at(&table, k, "density") > 0.0)) continue;
        assert_near(value_at(&table, k, "vx"), 1e6, 1e-9);
        assert_near(value_at(&table, k, "kinetic_xx"), 0.0, 1e-9);
    }
    talus_table_free(&table);
    snapshot_discard(&flow);
}

/* The kernel is as wide as it says: one grain's density has the variance width^2 along each axis. The sum over the grid is
 * the integral up to the error of the trapezoid rule for a function with two derivatives. */
static void width(void **state) {
    (void)state;
    for (int dim = 1; dim <= 3; dim++) {
        struct snapshot one = made_state(dim, 1, 0);
        put_grain(&one, vec(0.013, dim > 1 ? 0.04 : 0, dim > 2 ? -0.02 : 0), 0.1, 1.0,
                  vec(0, 0, 0));
        talus_table table = take_measure(&one, "fields width=0.5 spacing=0.1");
        double sum = 0.0, volume = cell_volume_of(&table);
        for (size_t k = 0; k < table.row_count; k++) {
            double x = value_at(&table, k, "x") - 0.013;
            sum += volume * x * x * value_at(&table, k, "density");
        }
        assert_near(sum, 0.25, 1e-4);
        talus_table_free(&table);
        snapshot_discard(&one);
    }
}

/* ---- size ------------------------------------------------------------------------------------ */

/* Cut to corners, what is far outside does not matter; around all grains the grid is refused, in a run sooner. */
static void far_grain(void **state) {
    (void)state;
    struct snapshot any = random_state(2, 20, 30, 44);
    const char *order = "fields width=1 spacing=1 from=-4,-4 to=6,6";
    for (size_t c = 0; c < any.contact_count; c++) any.contacts[c].force = vec(0, 0, 0);
    any.mass[7] = 0.0;
    talus_table before = take_measure(&any, order), after, none;
    any.mass[7] = 3.0;
    any.position[7] = vec(-1e30, 2e25, 0);
    any.velocity[7] = vec(0, 0, 0);
    after = take_measure(&any, order);
    assert_int_equal(before.row_count, 100);
    for (size_t r = 0; r < 100; r++)
        assert_near(value_at(&after, r, "density"), value_at(&before, r, "density"), 0);
    talus_table_free(&before);
    talus_table_free(&after);
    talus_error err;
    assert_int_equal(try_measure(&any, NULL, "fields width=1", &none, &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "at most 20000000 are possible"));
    any.position[7] = vec(1000, 300, 0);
    after = take_measure(&any, "fields width=1");
    assert_true(after.row_count > 300000);
    talus_table_free(&after);
    struct measure_values values;
    assert_ok(measure_values_read(&values, "fields", (const char *[]){"width=1"}, 1, NULL));
    struct measure_input row = {
        .now = &any, .values = &values, .table = &none, .memory = &support_memory, .running = true};
    assert_int_equal(measure_take(&row, &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "at most 100400 are possible in a run"));
    snapshot_discard(&any);
}

/* ---- balance --------------------------------------------------------------------------------- */

/* Columns of discs under g on a floor, periodic across: each contact bears the weight above it. */
static struct snapshot column_at_rest(int height, double g) {
    struct snapshot column = made_state(2, (size_t)(4 * height), (size_t)(4 * height));
    make_periodic(&column, 0, 0.0, 4.0);
    for (int i = 0; i < 4 * height; i++)
        put_grain(&column, vec(i % 4 + 0.5, i / 4 + 0.5, 0), 0.5, 2.0, vec(0, 0, 0));
    for (int32_t i = 0; i < 4 * height; i++) {
        double weight = 2.0 * g * (height - i / 4);
        vec3 at = column.position[i];
        if (i < 4)
            put_wall_contact(&column, i, vec(at.x, 0, 0), vec(0, -weight, 0));
        else
            put_contact(&column, i, i - 4, vec(0, -weight, 0));
    }
    return column;
}

/* Largest |div sigma - rho g + t| by central differences, over the largest rho g. */
static double imbalance(const struct snapshot *state, double spacing, double g) {
    char order[100];
    snprintf(order, sizeof order, "fields width=0.6 spacing=%.17g", spacing);
    talus_table table = take_measure(state, order);
    int nx = 0, ny = 0;
    assert_int_equal(sscanf(strstr(table.notes, "grid: ") + 6, "%d x %d", &nx, &ny), 2);
    double worst = 0.0, scale = 0.0;
    double dx = 4.0 / nx, dy = value_at(&table, 1, "y") - value_at(&table, 0, "y");
    for (int i = 0; i < nx; i++)
        for (int j = 1; j + 1 < ny; j++) {
            size_t here = (size_t)(i * ny + j), up = here + 1, down = here - 1;
            size_t right = (size_t)((i + 1) % nx * ny + j),
                   left = (size_t)((i + nx - 1) % nx * ny + j);
            double divergence =
                (value_at(&table, up, "sigma_yy") - value_at(&table, down, "sigma_yy")) / (2 * dy) +
                (value_at(&table, right, "sigma_xy") - value_at(&table, left, "sigma_xy")) /
                    (2 * dx);
            double weight = -g * value_at(&table, here, "density");
            worst = fmax(worst, fabs(divergence - weight + value_at(&table, here, "wall_y")));
            scale = fmax(scale, fabs(weight));
        }
    talus_table_free(&table);
    return worst / scale;
}

/* At rest div sigma = rho g - t everywhere, the floor included, up to the differences: second order in the spacing. */
static void forces_balance(void **state) {
    (void)state;
    struct snapshot column = column_at_rest(6, 9.81);
    double coarse = imbalance(&column, 0.1, 9.81), fine = imbalance(&column, 0.05, 9.81);
    assert_true(coarse < 0.03);
    assert_true(fine < 0.01);
    double order = log2(coarse / fine);
    assert_true(order > 1.8 && order < 2.2);
    snapshot_discard(&column);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums),  cmocka_unit_test(love_weber), cmocka_unit_test(uniform_flow),
        cmocka_unit_test(width), cmocka_unit_test(far_grain),  cmocka_unit_test(forces_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
