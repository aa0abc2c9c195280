/* SPDX-License-Identifier: Apache-2.0
 * Distributions of forces, directions, contacts, distances and kinds: norms, limits, known laws. */
#include "measure_support.h"

/* A row of discs with these normal forces, and tangential ones of half their size. */
static struct snapshot row_with_forces(size_t contacts, double (*force)(size_t, struct random *)) {
    struct random random = random_start(21, RANDOM_TEST, 0, 0);
    struct snapshot row = made_state(2, contacts + 1, contacts);
    for (size_t i = 0; i <= contacts; i++)
        put_grain(&row, vec((double)i, 0, 0), 0.5, 1.0, vec(0, 0, 0));
    for (size_t c = 0; c < contacts; c++) {
        double f = force(c, &random);
        put_contact(&row, (int32_t)c, (int32_t)c + 1, vec(f, 0.25 * f, 0));
    }
    return row;
}

static double exponential(size_t c, struct random *random) {
    (void)c;
    return -7.0 * log(1.0 - random_uniform(random));
}

/* Exponential forces of any mean give P(f) = exp(-f). Chi-squared over K bins of the expected counts has the mean K - 2 (norm
 * and mean are fitted) and the variance 2 (K - 2); five sigma are allowed. */
static void exponential_forces(void **state) {
    (void)state;
    const size_t n = 100000;
    struct snapshot row = row_with_forces(n, exponential);
    talus_table table = take_measure(&row, "forces bins=20 max=4");
    double chi = 0.0, integral = 0.0, bins = (double)table.row_count;
    for (size_t k = 0; k < table.row_count; k++) {
        double from = value_at(&table, k, "from"), to = value_at(&table, k, "to");
        double expected = (double)n * (exp(-from) - exp(-to)), count = value_at(&table, k, "count");
        chi += (count - expected) * (count - expected) / expected;
        integral += value_at(&table, k, "density") * (to - from);
    }
    assert_true(fabs(chi - (bins - 2)) < 5 * sqrt(2 * (bins - 2)));
    /* Beyond the last bin there are exp(-4) of all, to five sigma. */
    assert_near(integral, 1 - exp(-4), 5 * sqrt(exp(-4) / (double)n));
    assert_non_null(strstr(table.notes, "20 bins from 0 to 4"));
    talus_table_free(&table);
    snapshot_discard(&row);
}

/* Without an end of their own bins hold everything: integral 1, mean 1, of both parts and both scales. */
static void norm_and_mean(void **state) {
    (void)state;
    struct snapshot row = row_with_forces(5000, exponential);
    static const char *const orders[] = {"forces", "forces of=tangential",
                                         "forces bins=7 scale=logarithmic min=1e-12"};
    for (int k = 0; k < 3; k++) {
        talus_table table = take_measure(&row, orders[k]);
        double integral = 0.0, mean = 0.0;
        for (size_t r = 0; r < table.row_count; r++) {
            double width = value_at(&table, r, "to") - value_at(&table, r, "from");
            integral += width * value_at(&table, r, "density");
            mean += width * value_at(&table, r, "density") * value_at(&table, r, "f_mean");
        }
        assert_near(integral, 1.0, 1e-12);
        assert_near(mean, 1.0, 1e-12);
        talus_table_free(&table);
    }
    snapshot_discard(&row);
}

static double pulling(size_t c, struct random *random) {
    (void)random;
    return c % 4 == 0 ? -1.0 : 2.0;
}

/* Contacts that pull are left out; a single force makes one bin of everything. */
static void pulling_contacts(void **state) {
    (void)state;
    struct snapshot row = row_with_forces(8, pulling);
    talus_table table = take_measure(&row, "forces bins=4");
    assert_near(value_at(&table, 3, "count"), 6, 0);
    assert_near(value_at(&table, 3, "density"), 4.0, 1e-14);
    talus_table_free(&table);
    snapshot_discard(&row);
}

/* |f_t|/(mu f_n) = 0.25/0.5 for all; sliding ones are counted. */
static void mobilised_friction(void **state) {
    (void)state;
    struct snapshot row = row_with_forces(10, exponential);
    row.contacts[3].sliding = true;
    talus_table table = take_measure(&row, "mobilisation bins=10");
    assert_near(value_at(&table, 5, "count"), 10, 0);
    assert_near(value_at(&table, 5, "sliding"), 1, 0);
    assert_near(value_at(&table, 5, "density"), 10.0, 1e-13);
    assert_non_null(strstr(table.notes, "sliding contacts: 0.1"));
    talus_table_free(&table);
    row.has &= ~(unsigned)HAS_MU;
    talus_error err;
    assert_int_equal(try_measure(&row, NULL, "mobilisation", &table, &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "`mu`"));
    table = take_measure(&row, "mobilisation mu=1 bins=4");
    assert_near(value_at(&table, 1, "count"), 10, 0);
    talus_table_free(&table);
    snapshot_discard(&row);
}

/* ---- contacts -------------------------------------------------------------------------------- */

/* A star: one disc with three contacts, three with one, one rattler; one of the contacts bears next to nothing. */
static void degrees(void **state) {
    (void)state;
    struct snapshot star = made_state(2, 6, 5);
    for (int i = 0; i < 6; i++) put_grain(&star, vec(cos(i), sin(i), 0), 0.5, 1, vec(0, 0, 0));
    for (int32_t i = 1; i < 4; i++) put_contact(&star, 0, i, vec(1, 1, 0));
    put_contact(&star, 0, 4, vec(1e-9, 0, 0));
    put_wall_contact(&star, 1, vec(0, 0, 0), vec(2, 0, 0));
    talus_table table = take_measure(&star, "coordination");
    const double expected[4] = {2, 2, 1, 1}; /* grains with 0, 1, 2, 3 contacts */
    assert_int_equal(table.row_count, 4);
    for (size_t k = 0; k < 4; k++) {
        assert_near(value_at(&table, k, "grains"), expected[k], 0);
        assert_near(value_at(&table, k, "share"), expected[k] / 6, 1e-15);
    }
    talus_table_free(&table);
    assert_near(take_value(&star, "coordination of=mean", "Z"), 7.0 / 6, 1e-15);
    assert_near(take_value(&star, "coordination of=mean", "Z_no_rattlers"), 7.0 / 4, 1e-15);
    assert_near(take_value(&star, "coordination of=mean", "rattlers"), 2, 0);
    snapshot_discard(&star);
}

/* ---- directions ------------------------------------------------------------------------------ */

static double integral_of(const talus_table *table, bool polar) {
    double sum = 0.0;
    for (size_t k = 0; k < table->row_count; k++) {
        double from = value_at(table, k, "from"), to = value_at(table, k, "to");
        double size = polar ? 2 * support_pi * (cos(from) - cos(to)) : to - from;
        sum += size * value_at(table, k, "density");
    }
    return sum;
}

/* The norms; n and -n; and that isotropic directions are isotropic: chi-squared as above, K/2 independent bins. */
static void roses(void **state) {
    (void)state;
    struct random random = random_start(22, RANDOM_TEST, 0, 0);
    const size_t n = 40000;
    static const char *const orders[] = {"rose bins=12", "rose bins=12 by=azimuth axis=x",
                                         "rose bins=12 axis=y"};
    struct snapshot star = made_state(3, n + 1, n);
    put_grain(&star, vec(0, 0, 0), 0.5, 1, vec(0, 0, 0));
    for (size_t c = 0; c < n; c++) {
        double z = 2 * random_uniform(&random) - 1, a = 2 * support_pi * random_uniform(&random);
        vec3 at = vec(sqrt(1 - z * z) * cos(a), sqrt(1 - z * z) * sin(a), z);
        put_contact(&star, 0, put_grain(&star, at, 0.5, 1, vec(0, 0, 0)), vec3_scale(3.0, at));
    }
    for (int k = 0; k < 3; k++) {
        bool polar = k != 1;
        talus_table table = take_measure(&star, orders[k]);
        assert_near(integral_of(&table, polar), 1.0, 1e-12);
        double chi = 0.0;
        for (size_t r = 0; r < 12; r++) {
            size_t opposite = polar ? 11 - r : (r + 6) % 12;
            double from = value_at(&table, r, "from"), to = value_at(&table, r, "to");
            double share = polar ? 0.5 * (cos(from) - cos(to)) : (to - from) / (2 * support_pi);
            double count = value_at(&table, r, "count"), expected = 2 * (double)n * share;
            assert_near(count, value_at(&table, opposite, "count"), 0);
            assert_near(value_at(&table, r, "fn_mean"), 3.0, 1e-12);
            /* Each contact is in two bins, so every independent count is met twice. */
            chi += (count - expected) * (count - expected) / expected / 2;
        }
        assert_true(chi < 5 + 5 * sqrt(2 * 5));
        talus_table_free(&table);
    }
    snapshot_discard(&star);
}

/* In the plane: directions 30 degrees from x with 2 N, 120 degrees with 6 N, as many of each. */
static void flat_rose(void **state) {
    (void)state;
    struct snapshot star = made_state(2, 9, 8);
    put_grain(&star, vec(0, 0, 0), 0.5, 1, vec(0, 0, 0));
    for (int c = 0; c < 8; c++) {
        double a = (c % 2 ? 120.5 : 30.5) * support_pi / 180;
        vec3 at = vec(cos(a), sin(a), 0);
        put_contact(&star, 0, put_grain(&star, at, 0.5, 1, vec(0, 0, 0)),
                    vec3_scale(c % 2 ? 6 : 2, at));
    }
    talus_table table = take_measure(&star, "rose bins=36");
    assert_near(integral_of(&table, false), 1.0, 1e-14);
    for (size_t k = 0; k < 36; k++) {
        bool first = k == 3 || k == 21, second = k == 12 || k == 30;
        assert_near(value_at(&table, k, "count"), first || second ? 4 : 0, 0);
        assert_near(value_at(&table, k, "fn_mean"), first ? 2 : second ? 6 : 0, 1e-14);
        /* Half of the contacts are above the mean of 4 N; all of them in two bins of 10 degrees. */
        double all = 0.5 / (10 * support_pi / 180);
        assert_near(value_at(&table, k, "density_strong"), second ? all : 0, 1e-14 * all);
        assert_near(value_at(&table, k, "density_weak"), first ? all : 0, 1e-14 * all);
    }
    talus_table_free(&table);
    talus_error err;
    assert_int_equal(try_measure(&star, NULL, "rose bins=5", &table, &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "even"));
    snapshot_discard(&star);
}

/* ---- distances ------------------------------------------------------------------------------- */

/* Points at random have g = 1, in a periodic cell and in an open box: the mean of many throws to five of its sigmas. The box
 * of an open system is that of its outermost points, which is smaller than the true one by 2/N of its side: g by 6/N. */
static void random_points(void **state) {
    (void)state;
    enum { THROWS = 30, BINS = 6, POINTS = 1000 };
    for (int open = 0; open < 2; open++) {
        struct random random = random_start(23, RANDOM_TEST, 0, 0);
        double sum[BINS] = {0}, square[BINS] = {0};
        for (int n = 0; n < THROWS; n++) {
            struct snapshot gas = made_state(3, POINTS, 0);
            for (int axis = 0; axis < 3 && !open; axis++) make_periodic(&gas, axis, 0.0, 1.0);
            for (int i = 0; i < POINTS; i++)
                put_grain(&gas, random_vec(&random, 0, 1), 0.01, 1, vec(0, 0, 0));
            talus_table table = take_measure(&gas, "rdf bins=6 max=0.3");
            double pairs = 0.0, slow = 0.0;
            for (size_t k = 0; k < BINS; k++) {
                double g = value_at(&table, k, "g");
                sum[k] += g / THROWS;
                square[k] += g * g / THROWS;
                pairs += value_at(&table, k, "pairs");
            }
            for (size_t i = 0; i < gas.count && n == 0; i++) /* counted in another way */
                for (size_t j = 0; j < i; j++)
                    slow +=
                        vec3_norm(cell_branch(&gas.cell, gas.position[i], gas.position[j])) < 0.3;
            if (n == 0) assert_near(pairs, slow, 0);
            talus_table_free(&table);
            snapshot_discard(&gas);
        }
        for (size_t k = 0; k < BINS; k++) {
            double sigma = sqrt(fmax(square[k] - sum[k] * sum[k], 0.0) / THROWS);
            assert_near(sum[k], 1.0, 5 * sigma + (open ? 6.0 / POINTS : 0.0));
            if (k > 0) assert_true(sigma < 0.01); /* so that this can fail */
        }
    }
}

/* Simple cubic, periodic: 6 neighbours at 1, 12 at sqrt 2; the norm is exact. */
static void cubic_distances(void **state) {
    (void)state;
    struct snapshot cubic = made_state(3, 64, 0);
    for (int axis = 0; axis < 3; axis++) make_periodic(&cubic, axis, 0.0, 4.0);
    for (int i = 0; i < 64; i++)
        put_grain(&cubic, vec(i % 4, i / 4 % 4, i / 16), 0.5, 1.0, vec(0, 0, 0));
    talus_table table = take_measure(&cubic, "rdf bins=19 max=1.9");
    for (size_t k = 0; k < 19; k++) {
        double expected = k == 10 ? 6 : k == 14 ? 12 : k == 17 ? 8 : 0;
        double from = value_at(&table, k, "from"), to = value_at(&table, k, "to");
        double shell = 4.0 / 3 * support_pi * (to * to * to - from * from * from);
        assert_near(value_at(&table, k, "pairs"), 32 * expected, 0);
        assert_near(value_at(&table, k, "g"), expected / (63.0 / 64.0 * shell), 1e-12 * 100);
    }
    talus_table_free(&table);
    talus_error err;
    assert_int_equal(try_measure(&cubic, NULL, "rdf max=2.1", &table, &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "half a period"));
    snapshot_discard(&cubic);
}

/* ---- mixing ---------------------------------------------------------------------------------- */

/* Segregated: 0. Every cell alike: above 1, s^2 = 0. By chance: 1 on average; the sigma of M is measured over many deals. */
static void lacey(void **state) {
    (void)state;
    struct random random = random_start(24, RANDOM_TEST, 0, 0);
    struct snapshot box = made_state(2, 400, 0);
    for (int i = 0; i < 400; i++)
        put_grain(&box, vec(i % 20 + 0.5, i / 20 + 0.5, 0), 0.5, 1, vec(0, 0, 0));
    for (size_t i = 0; i < 400; i++) box.group[i] = box.position[i].x < 10;
    static const char order[] = "mixing cell=5 from=0,0 to=20,20";
    assert_near(take_value(&box, order, "M"), 0.0, 1e-13);
    assert_near(take_value(&box, order, "s2_random"), 0.25 * 15 / 399, 1e-15);
    assert_near(take_value(&box, order, "cells"), 16, 0);
    assert_near(take_value(&box, order, "first_x"), 15.0, 1e-13); /* group 0 */
    assert_near(take_value(&box, order, "second_x"), 5.0, 1e-13);
    for (size_t i = 0; i < 400; i++) box.group[i] = (i % 20 + i / 20) % 2 != 0;
    assert_true(take_value(&box, order, "M") > 1.0);
    double sum = 0.0, square = 0.0;
    enum { DEALS = 400 };
    for (int deal = 0; deal < DEALS; deal++) {
        for (uint32_t i = 399; i > 0; i--) { /* a shuffle keeps how many there are */
            uint32_t j = random_below(&random, i + 1);
            int32_t group = box.group[i];
            box.group[i] = box.group[j];
            box.group[j] = group;
        }
        double m = take_value(&box, order, "M");
        sum += m;
        square += m * m;
    }
    double mean = sum / DEALS, sigma = sqrt(square / DEALS - mean * mean);
    assert_near(mean, 1.0, 4 * sigma / sqrt(DEALS));
    /* s^2/sR^2 is about chi-squared of 15 over 15: sigma of M = sqrt(2/15) 15/399/(1 - 15/399). */
    double expected = sqrt(2.0 / 15) * 15.0 / 399 / (1 - 15.0 / 399);
    assert_near(sigma, expected, 5 * expected / sqrt(2.0 * DEALS) + 0.05 * expected);
    snapshot_discard(&box);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exponential_forces),
        cmocka_unit_test(norm_and_mean),
        cmocka_unit_test(pulling_contacts),
        cmocka_unit_test(mobilised_friction),
        cmocka_unit_test(degrees),
        cmocka_unit_test(roses),
        cmocka_unit_test(flat_rose),
        cmocka_unit_test(random_points),
        cmocka_unit_test(cubic_distances),
        cmocka_unit_test(lacey),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
