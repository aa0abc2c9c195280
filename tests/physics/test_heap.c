/* SPDX-License-Identifier: Apache-2.0
 *
 * A column of spheres let go on a smooth plane: with rolling friction it ends as a heap at rest, without
 * it every sphere ends on the plane [Brendel2004, sect. 1.7]. And the heap is the higher the larger the
 * friction: sliding or rolling, the angle of repose grows with both.
 */
#include <math.h>

#include "support.h"

enum { SIDE = 3, LAYERS = 5, GRAINS = SIDE * SIDE * LAYERS };

static const double radius = 0.5;

/* Lengths in diameters, g = 1. */
static talus_sim *column(double mu, double rolling) {
    talus_config config = support_config(3, 0.015);
    config.gravity = vec(0, 0, -1);
    config.solver.stop = TALUS_STOP_FIXED;
    config.solver.sweeps = 40;
    talus_sim *sim = support_sim(&config, mu);
    talus_pair_law law = {.mu_static = mu,
                          .mu_sliding = mu,
                          .rolling = {.coefficient = rolling},
                          .torsion = {.coefficient = 0.05}};
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 0, 1));
    for (int i = 0; i < GRAINS; i++) {
        int x = i % SIDE, y = i / SIDE % SIDE, z = i / SIDE / SIDE;
        double turn = 0.4 * z; /* layers turned against each other */
        double u = 1.05 * (x - 1), v = 1.05 * (y - 1);
        support_grain(
            sim, radius, 0.0,
            vec(cos(turn) * u - sin(turn) * v, sin(turn) * u + cos(turn) * v, 0.5 + 1.02 * z),
            vec(0, 0, 0));
    }
    return sim;
}

struct heap {
    int above;     /* spheres that do not lie on the plane */
    double height; /* of the centres above those on the plane, mean, in diameters */
    double kinetic;
};

static struct heap let_go(double mu, double rolling, int steps) {
    talus_sim *sim = column(mu, rolling);
    support_steps(sim, steps);
    talus_body_view view = talus_sim_bodies(sim);
    struct heap heap = {0};
    for (size_t i = 0; i < view.count; i++) {
        if (view.kind[i] != TALUS_BODY_GRAIN) continue;
        double rise = view.position[i].z - radius;
        heap.height += rise / GRAINS;
        if (rise > 0.1) heap.above++;
    }
    talus_energy energy = support_ledger(sim);
    heap.kinetic = energy.kinetic_translation + energy.kinetic_rotation;
    talus_sim_destroy(sim);
    return heap;
}

static void stands_with_rolling_friction(void **state) {
    (void)state;
    struct heap stands = let_go(0.5, 0.2, 1200), spreads = let_go(0.5, 0.0, 2500);
    assert_true(stands.above >= GRAINS / 4);
    assert_true(stands.kinetic < 1e-8);
    assert_int_equal(spreads.above, 0);
}

static void higher_with_more_friction(void **state) {
    (void)state;
    double little = let_go(0.5, 0.02, 1200).height, some = let_go(0.5, 0.1, 1200).height;
    double much = let_go(0.5, 0.4, 1200).height, smooth = let_go(0.1, 0.4, 1200).height;
    assert_true(little < some && some < much);
    assert_true(smooth < much);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stands_with_rolling_friction),
        cmocka_unit_test(higher_with_more_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
