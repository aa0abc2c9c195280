/* SPDX-License-Identifier: Apache-2.0
 *
 * A packing of N polydisperse grains in a box: floor, left (and, in 3D, back and front) stand still, the right wall
 * is a piston under the pressure 1, the top one first too, then it is driven downwards with velocity v: slow biaxial
 * compression of a dense packing.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "papers/cd-md-border/border.h"

const double border_speed = 0.2;
static const double pi = 3.141592653589793, wall_mass = 0.25;
enum { FLOOR, TOP, LEFT, RIGHT, BACK, FRONT };
static const char *const names[BORDER_WALLS] = {"floor", "top", "left", "right", "back", "front"};

static talus_vec3 vector(double x, double y, double z) {
    return (talus_vec3){x, y, z};
}

static double area(const struct border_packing *packing, int wall) { /* that is pressed on */
    double depth = packing->dim == 3 ? packing->wall[FRONT] - packing->wall[BACK] : 1.0;
    return depth * (wall == TOP ? packing->wall[RIGHT] - packing->wall[LEFT]
                                : packing->wall[TOP] - packing->wall[FLOOR]);
}

/* ---- a simulation of it ------------------------------------------------------------------------ */

static talus_vec3 inwards(int wall) {
    double sign = wall % 2 == 0 ? 1.0 : -1.0;
    return wall <= TOP     ? vector(0, sign, 0)
           : wall <= RIGHT ? vector(sign, 0, 0)
                           : vector(0, 0, sign);
}

static talus_status add_wall(const struct border_packing *packing, int wall, talus_sim *sim,
                             talus_error *err) {
    talus_boundary_def def = talus_boundary_def_default();
    double at = packing->wall[wall];
    def.name = names[wall];
    def.normal = inwards(wall);
    def.material = 1;
    def.point = vector(fabs(def.normal.x) * at, fabs(def.normal.y) * at, fabs(def.normal.z) * at);
    if (wall == TOP || wall == RIGHT) { /* as heavy as a layer of grains */
        double force = area(packing, wall);
        def.free = (talus_free_motion){.mass = fmax(1.0, wall_mass * force),
                                       .direction = def.normal,
                                       .force = {.mean = force}};
    }
    return talus_boundary_add(sim, &def, err);
}

static talus_status add_grains(const struct border_packing *packing, talus_sim *sim,
                               talus_error *err) {
    talus_body_def def = talus_body_def_default(sim);
    for (size_t i = 0; i < packing->count; i++) {
        def.position = packing->position[i];
        def.radius = packing->radius[i];
        talus_status status = talus_bodies_add(sim, &def, 1, NULL, err);
        if (status < 0) return status;
    }
    return TALUS_OK;
}

/* Without friction forces are unique, and sweeps converge without exception. Soft grains: e = 0.3. */
static talus_status add_laws(talus_sim *sim, int dim, double stiffness, talus_error *err) {
    double density = dim == 3 ? 6.0 / pi : 4.0 / pi; /* diameter 1: mass 1 */
    talus_material grain, wall;
    talus_pair_law law = {.mu_static = 0.0};
    if (stiffness > 0.0) law.soft = (talus_soft_law){.stiffness = stiffness, .restitution = 0.3};
    talus_status status = talus_material_add(sim, "grain", density, &grain, err);
    if (status >= 0) status = talus_material_add(sim, "wall", density, &wall, err);
    if (status >= 0) status = talus_pair_set(sim, grain, grain, &law, err);
    if (status >= 0) status = talus_pair_set(sim, grain, wall, &law, err);
    return status;
}

static talus_status build(const struct border_packing *packing, const talus_config *config,
                          double stiffness, talus_sim **out, talus_error *err) {
    talus_sim *sim = NULL;
    talus_status status = talus_sim_create(config, &sim, err);
    if (status >= 0) status = add_laws(sim, packing->dim, stiffness, err);
    for (int wall = 0; wall < 2 * packing->dim && status >= 0; wall++)
        status = add_wall(packing, wall, sim, err);
    if (status >= 0) status = add_grains(packing, sim, err);
    if (status < 0) {
        talus_sim_destroy(sim);
        sim = NULL;
    }
    *out = sim;
    return status;
}

static talus_status squeeze(talus_sim *sim, talus_error *err) {
    talus_motion motion = {.velocity = vector(0, -border_speed, 0)};
    return talus_boundary_set_motion(sim, names[TOP], &motion, err);
}

/* ---- made once ----------------------------------------------------------------------------------- */

/* On a lattice that is wide enough, grains of 0.8 to 1.2 mean diameters, each a little aside. */
static void place(struct border_packing *packing, int across) {
    const double spacing = 1.22;
    uint64_t state = 1000 * packing->seed + packing->count;
    int deep = packing->dim == 3 ? across : 1;
    for (size_t i = 0; i < packing->count; i++) {
        int k = (int)i, x = k % across, z = k / across % deep, y = k / (across * deep);
        packing->radius[i] = 0.4 + 0.2 * paper_random(&state);
        double room = 0.5 * spacing - packing->radius[i];
        double shift[3];
        for (int axis = 0; axis < 3; axis++)
            shift[axis] = room * (2.0 * paper_random(&state) - 1.0);
        packing->position[i] =
            vector((x + 0.5) * spacing + shift[0], (y + 0.5) * spacing + shift[1],
                   packing->dim == 3 ? (z + 0.5) * spacing + shift[2] : 0.0);
        packing->wall[TOP] = fmax(packing->wall[TOP], (y + 1) * spacing);
    }
    packing->wall[RIGHT] = across * spacing;
    packing->wall[FRONT] = deep * spacing;
}

/* Positions and walls as they stand now. */
static void take(const talus_sim *sim, struct border_packing *packing) {
    talus_body_view bodies = talus_sim_bodies(sim);
    size_t first = bodies.count - packing->count;
    memcpy(packing->position, bodies.position + first, packing->count * sizeof(talus_vec3));
    for (int wall = 0; wall < 2 * packing->dim; wall++) {
        talus_vec3 at = talus_sim_boundary(sim, (size_t)wall).point;
        packing->wall[wall] = wall <= TOP ? at.y : wall <= RIGHT ? at.x : at.z;
    }
    packing->size = talus_sim_trust(sim).system_size;
}

static talus_status press(struct border_packing *packing, talus_error *err) {
    talus_config config = talus_config_default();
    config.solver = talus_solver_plain();
    talus_sim *sim;
    config.dim = packing->dim;
    config.dt = 0.05;
    config.solver.name = "nnsgs";
    config.solver.momentum_cap = 0.95;
    config.solver.sweeps = 60;
    talus_status status = build(packing, &config, 0.0, &sim, err);
    int longest = 1000;
    for (int step = 1; step <= longest && status >= 0; step++) {
        status = talus_sim_step(sim, NULL, err);
        if (step % 20 != 0 || step < 200) continue;
        if (talus_sim_observe(sim).unbalanced_force < 0.01) break;
    }
    if (status >= 0) take(sim, packing);
    talus_sim_destroy(sim);
    return status < 0 ? status : TALUS_OK;
}

talus_status border_prepare(int dim, int count, uint64_t seed, struct border_packing *out,
                            talus_error *err) {
    int across = (int)ceil(pow(count, 1.0 / dim) - 1e-9);
    *out = (struct border_packing){.dim = dim, .count = (size_t)count, .seed = seed};
    out->position = calloc((size_t)count, sizeof *out->position);
    out->radius = calloc((size_t)count, sizeof *out->radius);
    if (out->position == NULL || out->radius == NULL) {
        border_free(out);
        *err = (talus_error){.status = TALUS_ERR_MEMORY, .text = "out of memory"};
        return TALUS_ERR_MEMORY;
    }
    place(out, across);
    talus_status status = press(out, err);
    if (status < 0) border_free(out);
    return status;
}

void border_free(struct border_packing *packing) {
    free(packing->position);
    free(packing->radius);
    *packing = (struct border_packing){.count = 0};
}

/* ---- what a unit of time costs ------------------------------------------------------------------- */

static double seconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* [Wolf2006, sect. 4.1]: dt a fraction of r/v, here as `dt: auto` has it. */
static double rigid_step(void) {
    return 0.05 * 0.5 / border_speed;
}

static talus_config rigid_config(const struct border_packing *packing, const char *solver,
                                 double error) {
    talus_config config = talus_config_default();
    config.solver = talus_solver_plain();
    double wave = 2.0 / pi * packing->size; /* 1/(k d) of the longest wave, k = pi/(2 L) */
    config.dim = packing->dim;
    config.dt = rigid_step();
    config.solver.name = solver;
    config.solver.stop = TALUS_STOP_RESIDUAL;
    config.solver.tolerance = error / (wave * wave);
    config.solver.max_sweeps = 200000;
    config.solver.momentum_cap = 1.0; /* else long waves would be diffusion again */
    return config;
}

talus_status border_run_cd(const struct border_packing *packing, const char *solver, double error,
                           int steps, struct border_cd *out, talus_error *err) {
    talus_config config = rigid_config(packing, solver, error);
    const int lost = 2; /* at first without a guess of the forces */
    talus_step_report report;
    talus_sim *sim;
    *out = (struct border_cd){.dt = config.dt};
    talus_status status = build(packing, &config, 0.0, &sim, err);
    if (status >= 0) status = squeeze(sim, err);
    double start = seconds(), updates = 0.0;
    for (int step = 0; step < lost + steps && status >= 0; step++) {
        if (step == lost) start = seconds();
        status = talus_sim_step(sim, &report, err);
        if (status < 0 || step < lost) continue;
        out->sweeps += (double)report.sweeps / steps;
        out->contacts += (double)report.contacts / steps;
        updates += (double)report.updates;
        out->residual = fmax(out->residual, report.residual);
        out->unconverged += report.converged ? 0.0 : 1.0 / steps;
    }
    out->update_cost = (seconds() - start) / updates;
    out->updates = updates / steps / config.dt;
    if (status >= 0) out->force = talus_sim_observe(sim).force_mean;
    talus_sim_destroy(sim);
    return status < 0 ? status : TALUS_OK;
}

talus_status border_run_md(const struct border_packing *packing, double stiffness, int64_t steps,
                           struct border_md *out, talus_error *err) {
    talus_config config = talus_config_default();
    config.solver = talus_solver_plain();
    talus_sim *sim;
    config.dim = packing->dim;
    config.method = TALUS_METHOD_MD;
    *out = (struct border_md){0};
    talus_status status = build(packing, &config, stiffness, &sim, err);
    if (status >= 0) status = squeeze(sim, err);
    if (status >= 0) {
        out->dt = talus_sim_step_rules(sim).collision;
        status = talus_sim_set_dt(sim, out->dt, err);
    }
    double start = seconds();
    for (int64_t step = 0; step < steps && status >= 0; step++)
        status = talus_sim_step(sim, NULL, err);
    if (status >= 0) {
        out->update_cost = (seconds() - start) / ((double)steps * (double)packing->count);
        out->steps = 1.0 / out->dt;
        out->particles = (double)packing->count / out->dt;
        out->overlap = talus_sim_observe(sim).overlap_mean;
    }
    talus_sim_destroy(sim);
    return status < 0 ? status : TALUS_OK;
}
