/* SPDX-License-Identifier: Apache-2.0
 * A set of small problems with all kinds of contacts: round grains and blocks in a box, pistons, laws. */
#ifndef TESTS_KINDS_H
#define TESTS_KINDS_H

#include "base/random.h"
#include "math/vec3.h"
#include "shapes.h"

enum kind { DISCS, SPHERES, BOXES, POLYGONS, PISTON, REBOUND, ROLLING, LAWS, KINDS };

static inline void kind_ball(talus_sim *sim, int dim, int k, struct random *random) {
    double radius = 0.46 + 0.04 * random_uniform(random);
    vec3 at = dim == 2 ? vec(1.0 + 0.96 * (k % 4), 0.46 + 0.95 * (k / 4), 0)
                       : vec(1.0 + 0.96 * (k % 2), 1.0 + 0.96 * (k / 2 % 2), 0.46 + 0.95 * (k / 4));
    talus_body_def def = talus_body_def_default(sim);
    def.radius = radius;
    def.position = at;
    def.velocity = vec(0.3 * random_uniform(random), dim == 2 ? -0.5 : 0.2, dim == 2 ? 0 : -0.5);
    add_body(sim, &def);
}

static inline void kind_walls(talus_sim *sim, double right, bool piston) {
    add_floor(sim);
    support_plane(sim, "left", vec(0.45, 0, 0), vec(1, 0, 0));
    support_plane(sim, "right", vec(right, 0, 0), vec(-1, 0, 0));
    if (!piston) return;
    talus_boundary_def def = talus_boundary_def_default();
    def.name = "piston";
    def.point = vec(0, 3.8, 0);
    def.normal = vec(0, -1, 0);
    def.free =
        (talus_free_motion){.mass = 50.0, .direction = vec(0, -1, 0), .force = {.mean = 500}};
    assert_ok(talus_boundary_add(sim, &def, NULL));
}

static inline void kind_grains(talus_sim *sim, enum kind kind) {
    int dim = talus_sim_dim(sim);
    struct random random = random_start(3, RANDOM_TEST, 0, 0);
    kind_walls(sim, dim == 3 && kind != BOXES ? 2.5 : 4.4, kind == PISTON);
    if (kind == BOXES) shape_box(sim, "block", 0.9, 0.8, 0.7);
    if (kind == POLYGONS) shape_polygon(sim, "block", 5, 0.5);
    bool shaped_grains = kind == BOXES || kind == POLYGONS;
    for (int k = 0; k < 16 && !shaped_grains; k++) kind_ball(sim, dim, k, &random);
    for (int k = 0; k < 9 && shaped_grains; k++) {
        double step = kind == BOXES ? 0.7 : 0.85;
        talus_body_def def = shaped(sim, "block", place(dim, 1.0 + k % 3, 0.36 + step * (k / 3)));
        def.velocity = place(dim, 0.1 * random_uniform(&random), -0.5);
        if (dim == 2) def.position.x = 1.0 + k % 3 * 1.02;
        add_body(sim, &def);
    }
}

static inline talus_sim *kind_sim(enum kind kind, double mu, const talus_solver_config *solver) {
    int dim = kind == SPHERES || kind == BOXES || kind == ROLLING || kind == LAWS ? 3 : 2;
    talus_config config = talus_config_default();
    config.dim = dim;
    config.dt = 5e-3;
    config.gravity = place(dim, 0.0, -g);
    config.solver = *solver;
    talus_sim *sim = support_sim(&config, mu);
    talus_pair_law law = {.mu_static = mu, .mu_sliding = mu};
    if (kind == REBOUND) law.restitution.normal = 0.6;
    if (kind == LAWS) law.torsion.coefficient = 0.03;
    if (kind == ROLLING || kind == LAWS) {
        law.rolling.coefficient = 0.05;
        law.cohesion.force = 2.0;
        law.restitution = (talus_restitution_law){.normal = 0.4, .tangential = 0.3};
    }
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    kind_grains(sim, kind);
    return sim;
}

#endif
