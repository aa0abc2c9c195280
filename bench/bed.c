/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/bed.h"

#include <math.h>
#include <stdlib.h>

enum { SIDE = 10, SETTLE = 1500 };

/* A number in [0, 1) that looks random and is the same everywhere. */
static double scatter(int i, int stream) {
    double x = sin(12.9898 * i + 78.233 * stream) * 43758.5453;
    return x - floor(x);
}

static talus_status make_sim(double width, const talus_solver_config *solver, talus_sim **out,
                             talus_error *err) {
    talus_config config = talus_config_default();
    talus_material grain;
    talus_sim *sim = NULL;
    config.dt = bed_dt;
    config.gravity = (talus_vec3){0.0, 0.0, -9.81};
    config.cell.periodic[0] = config.cell.periodic[1] = true;
    config.cell.size = (talus_vec3){width, width, 0.0};
    config.solver = *solver;
    talus_boundary_def floor_def = talus_boundary_def_default();
    floor_def.name = "floor";
    talus_status status = talus_sim_create(&config, &sim, err);
    if (status >= 0) status = talus_material_add(sim, "grain", 1.0, &grain, err);
    if (status >= 0)
        status = talus_pair_set(sim, 0, 0,
                                &(talus_pair_law){.mu_static = bed_mu, .mu_sliding = bed_mu}, err);
    if (status >= 0) status = talus_boundary_add(sim, &floor_def, err);
    if (status < 0)
        talus_sim_destroy(sim);
    else
        *out = sim;
    return status;
}

talus_status bed_settle(struct bed *bed, talus_error *err) {
    talus_solver_config solver = talus_solver_plain();
    talus_sim *sim = NULL;
    solver.name = "nnsgs";
    solver.sweeps = 60;
    bed->width = 1.08 * SIDE;
    talus_status status = make_sim(bed->width, &solver, &sim, err);
    for (int i = 0; i < BED_GRAINS && status >= 0; i++) {
        talus_body_def def = talus_body_def_default(sim);
        int ix = i % SIDE, iy = i / SIDE % SIDE, iz = i / SIDE / SIDE;
        def.radius = 0.46 + 0.06 * scatter(i, 1);
        def.position = (talus_vec3){1.08 * ix + 0.03 * scatter(i, 2),
                                    1.08 * iy + 0.03 * scatter(i, 3), 0.54 + 1.08 * iz};
        def.velocity = (talus_vec3){scatter(i, 4) - 0.5, scatter(i, 5) - 0.5, 0.0};
        status = talus_bodies_add(sim, &def, 1, NULL, err);
    }
    for (int step = 0; step < SETTLE && status >= 0; step++)
        status = talus_sim_step(sim, NULL, err);
    if (status >= 0) {
        talus_body_view view = talus_sim_bodies(sim);
        for (int i = 0; i < BED_GRAINS; i++) { /* body 0 is the floor */
            bed->position[i] = view.position[i + 1];
            bed->radius[i] = view.radius[i + 1];
        }
        status = TALUS_OK;
    }
    talus_sim_destroy(sim);
    return status;
}

talus_status bed_tile(const struct bed *bed, int tiles, const talus_solver_config *solver,
                      talus_sim **out, talus_error *err) {
    talus_sim *sim = NULL;
    talus_status status = make_sim(tiles * bed->width, solver, &sim, err);
    talus_body_def *defs = status >= 0 ? malloc(BED_GRAINS * sizeof *defs) : NULL;
    for (int tile = 0; tile < tiles * tiles && status >= 0 && defs != NULL; tile++) {
        double x = tile % tiles * bed->width, y = tile / tiles * bed->width;
        for (int i = 0; i < BED_GRAINS; i++) {
            defs[i] = talus_body_def_default(sim);
            defs[i].radius = bed->radius[i];
            defs[i].position =
                (talus_vec3){bed->position[i].x + x, bed->position[i].y + y, bed->position[i].z};
        }
        status = talus_bodies_add(sim, defs, BED_GRAINS, NULL, err);
    }
    free(defs);
    if (status < 0)
        talus_sim_destroy(sim);
    else
        *out = sim;
    return status;
}
