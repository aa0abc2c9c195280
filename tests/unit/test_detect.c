/* SPDX-License-Identifier: Apache-2.0
 *
 * Detection: the grid finds what comparing all pairs finds, whatever the sizes and the cell; walls; the
 * contacts of fast grains; impulses that move over to a new list; the spatial order.
 */
#include <stdlib.h>

#include "base/random.h"
#include "detect/grid.h"
#include "detect/spatial_order.h"
#include "geom/distance.h"
#include "support.h"

static int by_pair(const void *left, const void *right) {
    const struct pair *a = left, *b = right;
    if (a->a != b->a) return a->a < b->a ? -1 : 1;
    return (a->b > b->b) - (a->b < b->b);
}

/* n spheres with radii over a range of `ratio`, in a box of 10, against all pairs. */
static void against_brute_force(int dim, int n, double ratio, bool periodic, uint64_t seed) {
    talus_cell_config config = {.size = {10, 10, 10}};
    for (int axis = 0; axis < dim; axis++) config.periodic[axis] = periodic;
    struct cell cell = cell_make(&config);
    struct random random = random_start(seed, RANDOM_TEST, 1, 0);
    vec3 *x = malloc((size_t)n * sizeof *x);
    double *r = malloc((size_t)n * sizeof *r);
    for (int i = 0; i < n; i++) {
        x[i] = vec3_make(10 * random_uniform(&random), dim > 1 ? 10 * random_uniform(&random) : 0,
                         dim > 2 ? 10 * random_uniform(&random) : 0);
        r[i] = i % 17 == 5 ? 0.0 : 2.0 / pow(ratio, random_uniform(&random)); /* 0: left out */
    }
    x[n / 2].x = 1e7; /* a stray grain far away */
    if (periodic) x[n / 2].x = 9.99;
    struct memory memory = {0};
    struct grid grid = {.memory = &memory};
    assert_true(grid_find_pairs(&grid, &cell, x, r, (size_t)n));
    qsort(grid.pairs, grid.pair_count, sizeof *grid.pairs, by_pair);
    size_t found = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            if (r[i] == 0.0 || r[j] == 0.0) continue;
            if (vec3_norm2(cell_branch(&cell, x[i], x[j])) >= (r[i] + r[j]) * (r[i] + r[j]))
                continue;
            assert_true(found < grid.pair_count);
            assert_int_equal(grid.pairs[found].a, i);
            assert_int_equal(grid.pairs[found].b, j);
            found++;
        }
    assert_int_equal(found, grid.pair_count);
    grid_free(&grid);
    free(x);
    free(r);
}

static void grid_finds_all_pairs(void **state) {
    (void)state;
    const double ratios[4] = {1.0, 1.9, 10.0, 1000.0};
    uint64_t seed = 1;
    for (int dim = 1; dim <= 3; dim++)
        for (int k = 0; k < 4; k++)
            for (int periodic = 0; periodic < 2; periodic++)
                against_brute_force(dim, 300, ratios[k], periodic == 1, seed++);
}

/* 10^5 small grains around 100 large ones, size ratio 20: the number of distance tests would be 10^10 for
 * all pairs; the grid must do it in a moment (the time limit of the test is the assertion). */
static void grid_copes_with_size_ratios(void **state) {
    (void)state;
    enum { N = 100100 };
    struct random random = random_start(2, RANDOM_TEST, 2, 0);
    struct cell cell = cell_make(&(talus_cell_config){.periodic = {false}});
    vec3 *x = malloc(N * sizeof *x);
    double *r = malloc(N * sizeof *r);
    for (int i = 0; i < N; i++) {
        x[i] = vec3_make(random_uniform(&random), random_uniform(&random), random_uniform(&random));
        r[i] = i < 100 ? 0.1 : 0.005;
    }
    struct memory memory = {0};
    struct grid grid = {.memory = &memory};
    for (int repeat = 0; repeat < 3; repeat++) assert_true(grid_find_pairs(&grid, &cell, x, r, N));
    size_t with_large = 0, expected = 0;
    for (size_t k = 0; k < grid.pair_count; k++) with_large += grid.pairs[k].a < 100;
    for (int i = 0; i < 100; i++)
        for (int j = i + 1; j < N; j++)
            expected += vec3_norm2(vec3_sub(x[i], x[j])) < (r[i] + r[j]) * (r[i] + r[j]);
    assert_int_equal(with_large, expected);
    assert_true(grid.level_count >= 4);
    grid_free(&grid);
    free(x);
    free(r);
}

/* Two grains closing at 3 radii a step from outside any margin, and one hit by the other in the same
 * step: nothing passes through. */
static void fast_grains_are_not_missed(void **state) {
    (void)state;
    for (int k = 0; k < 40; k++) {
        talus_config config = support_config(2, 0.01);
        talus_sim *sim = support_sim(&config, 0.0);
        double gap = 0.01 + 0.1 * k;
        support_grain(sim, 1.0, 1.0, vec(0, 0, 0), vec(0, 0, 0));
        support_grain(sim, 1.0, 1.0, vec(2.3, 0, 0), vec(0, 0, 0));
        support_grain(sim, 1.0, 100.0, vec(-2 - gap, 0, 0), vec(150, 0, 0));
        support_steps(sim, 30);
        const talus_vec3 *x = talus_sim_bodies(sim).position;
        assert_true(x[0].x - x[2].x > 2.0 - 1e-9);
        assert_true(x[1].x - x[0].x > 2.0 - 1e-9);
        talus_sim_destroy(sim);
    }
}

static void wall_distances(void **state) {
    (void)state;
    struct wall wall = {.shape = TALUS_PLANE, .normal = {0, 0, 1}};
    struct touch touch = touch_wall(&wall, vec3_make(3, 4, 0.7), 0.5);
    assert_near(touch.gap, 0.2, 1e-15);
    assert_near(touch.normal.z, -1.0, 1e-15);
    wall = (struct wall){
        .shape = TALUS_RECTANGLE, .normal = {0, 0, 1}, .edge = {1, 0, 0}, .size = {2, 4}};
    touch = touch_wall(&wall, vec3_make(0.3, 1.9, -0.7), 0.5); /* from below: both sides count */
    assert_near(touch.gap, 0.2, 1e-15);
    assert_near(touch.normal.z, 1.0, 1e-15);
    touch = touch_wall(&wall, vec3_make(1.3, 2.4, 1.2),
                       0.5); /* beyond a corner: 0.3, 0.4, 1.2 -> 1.3 */
    assert_near(touch.gap, 0.8, 1e-15);
    wall = (struct wall){.shape = TALUS_CYLINDER_INSIDE, .normal = {0, 0, 1}, .radius = 2.0};
    touch = touch_wall(&wall, vec3_make(0.6, 0.8, 77), 0.5);
    assert_near(touch.gap, 0.5, 1e-15);
    assert_near(touch.normal.x, 0.6, 1e-15);
    touch = touch_wall(&wall, vec3_make(0, 0, 0), 0.5); /* on the axis any direction is as good */
    assert_near(touch.gap, 1.5, 1e-15);
    assert_near(vec3_norm(touch.normal), 1.0, 1e-15);
    wall.length = 2.0; /* past the end of the tube: its rim */
    touch = touch_wall(&wall, vec3_make(1.7, 0, 1.4), 0.1);
    assert_near(touch.gap, 0.5 - 0.1, 1e-15);
    touch =
        touch_wall(&wall, vec3_make(2.5, 0, 0.3), 0.1); /* outside the tube: a shell, not a rock */
    assert_near(touch.gap, 0.4, 1e-15);
    assert_near(touch.normal.x, -1.0, 1e-15);
    wall.shape = TALUS_CYLINDER_OUTSIDE; /* above the lid of the solid cylinder */
    touch = touch_wall(&wall, vec3_make(1.7, 0, 1.4), 0.1);
    assert_near(touch.gap, 0.3, 1e-15);
    assert_near(touch.normal.z, -1.0, 1e-15);
    touch = touch_wall(&wall, vec3_make(0, 2.5, 0.3), 0.1);
    assert_near(touch.gap, 0.4, 1e-15);
    assert_near(touch.normal.y, -1.0, 1e-15);
}

static void spatial_order_is_a_permutation(void **state) {
    (void)state;
    enum { N = 1000 };
    static vec3 x[N];
    static talus_index order[N];
    static uint64_t keys[2 * N];
    static int seen[N];
    struct random random = random_start(4, RANDOM_TEST, 3, 0);
    for (int i = 0; i < N; i++)
        x[i] = vec3_make(random_uniform(&random), random_uniform(&random), random_uniform(&random));
    spatial_order(x, N, order, keys);
    double near = 0.0, unsorted = 0.0;
    for (int k = 0; k < N; k++) {
        seen[order[k]]++;
        if (k == 0) continue;
        near += vec3_norm(vec3_sub(x[order[k]], x[order[k - 1]])) / N;
        unsorted += vec3_norm(vec3_sub(x[k], x[k - 1])) / N;
    }
    for (int k = 0; k < N; k++) assert_int_equal(seen[k], 1);
    assert_true(near < 0.3 * unsorted);
}

/* Points less than a slab apart along the longest side are less than three slabs apart in the order; a wall far away changes
 * nothing, and slabs that would be too full are not made. */
static void slabs_keep_neighbours_together(void **state) {
    (void)state;
    enum { N = 4000 }; /* in a box of 1 x 2 x 0.8: (N/(0.5 0.4))^(1/3) = 27.1, so 28 slabs */
    static vec3 x[N];
    static talus_index order[N], curve[N];
    static uint64_t keys[2 * N];
    static int32_t boundary[N];
    static int place[N];
    struct random random = random_start(5, RANDOM_TEST, 3, 0);
    for (int i = 0; i < N; i++) {
        x[i] = vec3_make(random_uniform(&random), 2.0 * random_uniform(&random),
                         0.8 * random_uniform(&random));
        boundary[i] = -1;
        place[i] = -1;
    }
    boundary[7] = 0;
    x[7] = vec3_make(1e6, -1e6, 1e6);
    spatial_order_slabs(x, boundary, N, 300, order, keys);
    for (int k = 0; k < N; k++) place[order[k]] = k;
    for (int i = 0; i < N; i++) assert_true(place[i] >= 0);
    int farthest = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (i != 7 && j != 7 && fabs(x[i].y - x[j].y) < 2.0 / 28.0)
                farthest =
                    abs(place[i] - place[j]) > farthest ? abs(place[i] - place[j]) : farthest;
    assert_true(farthest < 3 * N / 28 + 60); /* slabs hold N/28 each but for chance */
    spatial_order_slabs(x, boundary, N, 100, order, keys);
    spatial_order(x, N, curve, keys);
    assert_memory_equal(order, curve, sizeof order);
}

/* A list made anew keeps the impulses: a resting pile stays at rest although grains are added and walls
 * come and go, which forces new lists. */
static void impulses_survive_new_lists(void **state) {
    (void)state;
    talus_config config = talus_config_default();
    config.solver = talus_solver_plain();
    config.dim = 2;
    config.dt = 0.01;
    config.gravity = vec(0, -9.81, 0);
    config.solver.sweeps = 400;
    talus_sim *sim = support_sim(&config, 0.3);
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 1, 0));
    for (int i = 0; i < 8; i++) support_grain(sim, 0.5, 1.0, vec(0, i + 0.5, 0), vec(0, 0, 0));
    support_steps(sim, 20);
    assert_true(talus_sim_observe(sim).speed_max < 1e-12);
    support_grain(sim, 0.3, 1.0, vec(9, 0.3, 0), vec(0, 0, 0));
    support_plane(sim, "side", vec(-3, 0, 0), vec(1, 0, 0));
    talus_solver_config one_sweep = config.solver;
    one_sweep.sweeps = 1; /* lost impulses would show: one sweep cannot find them again */
    assert_ok(talus_sim_set_solver(sim, &one_sweep, NULL));
    support_steps(sim, 1);
    for (int i = 1; i <= 8; i++) assert_near(talus_sim_bodies(sim).velocity[i].y, 0.0, 1e-11);
    talus_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grid_finds_all_pairs),
        cmocka_unit_test(grid_copes_with_size_ratios),
        cmocka_unit_test(fast_grains_are_not_missed),
        cmocka_unit_test(wall_distances),
        cmocka_unit_test(spatial_order_is_a_permutation),
        cmocka_unit_test(slabs_keep_neighbours_together),
        cmocka_unit_test(impulses_survive_new_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
