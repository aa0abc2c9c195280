/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "papers/arch/arch.h"

/* A sweep from stone to stone with much momentum is what carries the thrust around an arch soonest. */
talus_status arch_world_make(const struct arch_world *world, talus_sim **out, talus_error *err) {
    talus_config config = talus_config_default();
    config.solver = talus_solver_plain();
    talus_pair_law law = {.mu_static = world->mu, .mu_sliding = world->mu};
    config.dim = 2;
    config.gravity = (talus_vec3){0, -arch_gravity, 0};
    config.dt = world->dt;
    config.solver.name = "nnsgs";
    config.solver.sweep = TALUS_SWEEP_SEQUENTIAL;
    config.solver.stop = TALUS_STOP_RESIDUAL;
    config.solver.tolerance = world->tolerance;
    config.solver.max_sweeps = world->max_sweeps;
    config.solver.momentum_cap = 0.99;
    talus_status status = talus_sim_create(&config, out, err);
    if (status >= 0) status = talus_material_add(*out, "stone", 2400.0, &(talus_material){0}, err);
    if (status >= 0) status = talus_pair_set(*out, 0, 0, &law, err);
    return status;
}

static talus_vec3 turned(talus_vec3 v, double angle) {
    return (talus_vec3){v.x * cos(angle) - v.y * sin(angle), v.x * sin(angle) + v.y * cos(angle),
                        0};
}

/* All are the first one, turned. */
talus_status arch_stones_add(talus_sim *sim, const struct arch *arch, talus_error *err) {
    const double turn = 3.141592653589793 / arch->stones;
    talus_vec3 corner[4];
    talus_shape_part part = {.points = corner, .count = 4};
    talus_shape_view shape;
    talus_body_def stone[ARCH_STONES];
    arch_corners(arch, 0, corner);
    talus_status status = talus_shape_add(sim, "voussoir", &part, 1, err);
    if (status < 0) return status;
    talus_shape_find(sim, "voussoir", &shape);
    for (int i = 0; i < arch->stones; i++) {
        stone[i] = talus_body_def_default(sim);
        stone[i].shape = "voussoir";
        stone[i].radius = 0.0;
        stone[i].group = "arch";
        stone[i].position = turned(shape.centre, i * turn);
        stone[i].orientation = (talus_quat){cos(0.5 * i * turn), 0, 0, sin(0.5 * i * turn)};
    }
    return talus_bodies_add(sim, stone, (size_t)arch->stones, NULL, err);
}

talus_status arch_ground_add(talus_sim *sim, const talus_motion *motion, talus_error *err) {
    talus_boundary_def ground = talus_boundary_def_default();
    ground.name = "ground";
    ground.shape = TALUS_PLANE;
    ground.normal = (talus_vec3){0, 1, 0};
    if (motion != NULL) ground.motion = *motion;
    return talus_boundary_add(sim, &ground, err);
}

size_t arch_first(const talus_sim *sim) {
    talus_body_view bodies = talus_sim_bodies(sim);
    size_t i = 0;
    while (i < bodies.count && bodies.kind[i] != TALUS_BODY_GRAIN) i++;
    return i;
}

void arch_write(FILE *table, const talus_sim *sim, const char *title) {
    talus_body_view bodies = talus_sim_bodies(sim);
    fprintf(table, "# %s: x[m]\ty[m]\n", title);
    for (size_t i = 0; i < bodies.count; i++) {
        if (bodies.form[i] == 0 || bodies.kind[i] != TALUS_BODY_GRAIN) continue;
        talus_hull_view hull = talus_sim_hull(sim, (size_t)bodies.form[i] - 1, 0);
        double angle = 2.0 * atan2(bodies.orientation[i].z, bodies.orientation[i].w);
        for (size_t k = 0; k <= hull.vertex_count; k++) {
            talus_vec3 arm = turned(hull.vertices[k % hull.vertex_count], angle);
            fprintf(table, "%.6f\t%.6f\n", bodies.position[i].x + arm.x,
                    bodies.position[i].y + arm.y);
        }
        fputc('\n', table);
    }
    fputc('\n', table);
}
