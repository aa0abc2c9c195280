/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/cold.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static talus_status out_of_memory(talus_error *err) {
    if (err != NULL) {
        err->status = TALUS_ERR_MEMORY;
        snprintf(err->text, sizeof err->text, "out of memory");
    }
    return TALUS_ERR_MEMORY;
}

static talus_solver_config cold_config(const struct cold_solver *solver) {
    talus_solver_config config = talus_config_default().solver;
    config.name = solver->name;
    config.sweep = solver->sweep;
    config.momentum_cap = 1.0; /* as for any first step */
    config.warm_start = false;
    return config;
}

/* ---- the chain ------------------------------------------------------------------------------- */

/* Diameter, mass, force and step 1; overlaps are so small that they change nothing and make contacts sure. */
static talus_status make_chain(int discs, const talus_solver_config *solver, talus_sim **out,
                               talus_error *err) {
    talus_config config = talus_config_default();
    talus_boundary_def wall = talus_boundary_def_default();
    talus_material disc;
    talus_sim *sim = NULL;
    config.dim = 1;
    config.dt = 1.0;
    config.solver = *solver;
    wall.name = "wall";
    wall.normal = (talus_vec3){1, 0, 0};
    talus_status status = talus_sim_create(&config, &sim, err);
    if (status >= 0) status = talus_material_add(sim, "disc", 1.0, &disc, err);
    if (status >= 0) status = talus_boundary_add(sim, &wall, err);
    for (int i = 1; i <= discs && status >= 0; i++) {
        talus_body_def def = talus_body_def_default(sim);
        def.radius = 0.5;
        def.mass = 1.0;
        def.position.x = (i - 0.5) * (1.0 - 1e-9);
        def.group = i == discs ? "last" : "grains";
        status = talus_bodies_add(sim, &def, 1, NULL, err);
    }
    talus_signal push = {.mean = 1e-3}; /* so that no free disc travels far */
    if (status >= 0)
        status = talus_force_set(sim, "push", "last", (talus_vec3){-1, 0, 0}, &push, err);
    if (status < 0)
        talus_sim_destroy(sim);
    else
        *out = sim;
    return status;
}

static talus_status chain_error(const talus_sim *sim, double *error, talus_error *err) {
    size_t count = talus_sim_contacts(sim, NULL, 0);
    talus_contact *contacts = malloc((count + 1) * sizeof *contacts);
    if (contacts == NULL) return out_of_memory(err);
    talus_sim_contacts(sim, contacts, count);
    *error = 0.0;
    for (size_t k = 0; k < count; k++)
        *error = fmax(*error, fabs(fabs(contacts[k].force.x) / 1e-3 - 1.0));
    free(contacts);
    return TALUS_OK;
}

void cold_chain(struct cold_load *load, int discs) {
    *load = (struct cold_load){.discs = discs};
}

/* ---- the packing ----------------------------------------------------------------------------- */

static double up(const struct packing *packing, talus_vec3 x) {
    return packing->dim == 3 ? x.z : x.y;
}

struct level { /* a grain */
    double height, momentum, weight;
};

static int higher_first(const void *a, const void *b) {
    const struct level *one = a, *other = b;
    if (one->height != other->height) return one->height > other->height ? -1 : 1;
    return (one->momentum > other->momentum) - (one->momentum < other->momentum);
}

talus_status cold_error(const struct packing *packing, const talus_sim *sim,
                        const talus_vec3 *answer, double *error, talus_error *err) {
    talus_body_view view = talus_sim_bodies(sim);
    size_t walls = view.count - packing->count; /* they were made first */
    struct level *levels = malloc(packing->count * sizeof *levels);
    if (levels == NULL) return out_of_memory(err);
    for (size_t i = 0; i < packing->count; i++) {
        double mass = view.mass[walls + i], velocity = up(packing, view.velocity[walls + i]);
        if (answer != NULL) velocity -= up(packing, answer[i]);
        levels[i] = (struct level){up(packing, view.position[walls + i]), mass * velocity,
                                   mass * packing_gravity * packing_dt};
    }
    qsort(levels, packing->count, sizeof *levels, higher_first);
    double sum = 0.0, largest = 0.0, weight = 0.0;
    for (size_t i = 0; i < packing->count; i++) {
        sum += levels[i].momentum;
        weight += levels[i].weight;
        largest = fmax(largest, fabs(sum));
    }
    free(levels);
    *error = largest / weight;
    return TALUS_OK;
}

/* The answer, good to a thousandth of what is asked of the others. */
static talus_status find_answer(struct cold_load *load, talus_error *err) {
    const struct packing *packing = load->packing;
    talus_solver_config solver =
        cold_config(&(struct cold_solver){.name = "nnsgs", .sweep = TALUS_SWEEP_BATCHED});
    talus_sim *sim = NULL;
    solver.stop = TALUS_STOP_BALANCE;
    solver.tolerance = 3e-5;
    solver.max_sweeps = 20000;
    talus_status status = packing_make(packing, load->mu, &solver, &sim, err);
    if (status >= 0) status = talus_sim_step(sim, NULL, err);
    if (status >= 0) {
        talus_body_view view = talus_sim_bodies(sim);
        for (size_t i = 0; i < packing->count; i++)
            load->answer[i] = view.velocity[view.count - packing->count + i];
        status = cold_error(packing, sim, NULL, &load->rest, err);
    }
    talus_sim_destroy(sim);
    return status;
}

talus_status cold_packing(struct cold_load *load, const struct packing *packing, double mu,
                          talus_error *err) {
    *load = (struct cold_load){.packing = packing, .mu = mu};
    load->answer = malloc(packing->count * sizeof *load->answer);
    talus_status status = load->answer != NULL ? find_answer(load, err) : out_of_memory(err);
    if (status < 0) cold_free(load);
    return status < 0 ? status : TALUS_OK;
}

void cold_free(struct cold_load *load) {
    free(load->answer);
    *load = (struct cold_load){0};
}

/* ---- solves ---------------------------------------------------------------------------------- */

talus_status cold_solve(const struct cold_load *load, const struct cold_solver *solver, int sweeps,
                        struct cold_point *point, talus_error *err) {
    talus_solver_config config = cold_config(solver);
    talus_step_report report = {0};
    talus_sim *sim = NULL;
    config.sweeps = sweeps;
    talus_status status = load->packing == NULL
                              ? make_chain(load->discs, &config, &sim, err)
                              : packing_make(load->packing, load->mu, &config, &sim, err);
    if (status >= 0) status = talus_sim_step(sim, &report, err);
    if (status >= 0) status = talus_sim_measures(sim, &point->measures, err);
    if (status >= 0 && load->packing != NULL)
        status = cold_error(load->packing, sim, load->answer, &point->error, err);
    if (status >= 0 && load->packing == NULL) status = chain_error(sim, &point->error, err);
    point->sweeps = report.sweeps;
    point->seconds = (report.seconds_build + report.seconds_solve) / fmax(1.0, report.rounds);
    point->contacts = report.contacts;
    point->restarts = report.restarts;
    point->fallbacks = report.fallbacks;
    talus_sim_destroy(sim);
    return status < 0 ? status : TALUS_OK;
}

/* ---- how many sweeps are needed -------------------------------------------------------------- */

static const double ladder = 1.07; /* from one number of sweeps to the next, with momentum */

static int next_rung(int sweeps) {
    return (int)fmax(sweeps + 1, ceil(ladder * sweeps));
}

/* Upwards until twice the number of sweeps at which the error was last too large. */
static talus_status climb(const struct cold_load *load, const struct cold_solver *solver,
                          struct cold_search *search, struct cold_point *found, talus_error *err) {
    int sweeps = (int)fmax(2.0, search->guess), answer = 0;
    while (answer == 0 || sweeps <= 2 * answer) {
        struct cold_point point;
        talus_status status = cold_solve(load, solver, sweeps, &point, err);
        if (status < 0) return status;
        bool good = point.error <= search->goal;
        if (!good) answer = 0;
        if (good && search->first == 0) search->first = sweeps;
        if (good && answer == 0) {
            answer = sweeps;
            *found = point;
        }
        if (!good && sweeps >= search->limit) {
            search->beyond = true;
            *found = point;
            break;
        }
        sweeps = next_rung(sweeps);
    }
    return TALUS_OK;
}

/* At which number of sweeps the error crosses the goal, if its logarithm is a straight line through both. */
static double crossing(const struct cold_point *a, const struct cold_point *b, double goal) {
    double rate = log(a->error / b->error) / (b->sweeps - a->sweeps);
    return a->sweeps + log(a->error / goal) / rate;
}

/* As if it had been solved with so many sweeps: measures of the nearest solve. */
static void move_to(struct cold_point *point, double sweeps, double goal) {
    point->seconds *= sweeps / point->sweeps;
    point->sweeps = (int)ceil(sweeps);
    point->error = goal;
}

/* Errors fall like a diffusion, exponentially at last: by secants. Three or four solves if the guess is good. */
static talus_status descend(const struct cold_load *load, const struct cold_solver *solver,
                            struct cold_search *search, struct cold_point *found,
                            talus_error *err) {
    enum { TRIALS = 12 };
    struct cold_point a, b;
    double wanted = fmin(search->guess, search->limit);
    talus_status status = cold_solve(load, solver, (int)fmax(2.0, 0.7 * wanted), &a, err);
    if (status >= 0) status = cold_solve(load, solver, (int)fmax(4.0, wanted), &b, err);
    for (int trial = 0; trial < TRIALS && status >= 0; trial++) {
        bool falls = (a.error > b.error) == (a.sweeps < b.sweeps);
        wanted = falls ? crossing(&a, &b, search->goal) : 2.0 * b.sweeps;
        if (fabs(wanted - b.sweeps) < 0.1 * b.sweeps) break; /* straight enough so near */
        /* early on errors fall more slowly or faster than at last */
        wanted = fmin(fmax(wanted, 0.5 * b.sweeps), 2.5 * b.sweeps);
        if (wanted > search->limit && b.sweeps >= 0.9 * search->limit) break;
        a = b;
        status = cold_solve(load, solver, (int)fmin(wanted, search->limit), &b, err);
    }
    if (status < 0) return status;
    *found = b;
    search->first = (int)ceil(wanted);
    search->beyond = wanted > 1.1 * b.sweeps;
    move_to(found, wanted, search->goal);
    return TALUS_OK;
}

talus_status cold_reach(const struct cold_load *load, const struct cold_solver *solver,
                        struct cold_search *search, struct cold_point *point, talus_error *err) {
    search->beyond = false;
    search->first = 0;
    bool swings = strcmp(solver->name, "nsgs") != 0;
    return (swings ? climb : descend)(load, solver, search, point, err);
}

/* ---- tables ---------------------------------------------------------------------------------- */

void cold_row(FILE *table, const char *load, size_t n, const char *solver,
              const struct cold_point *point) {
    if (point == NULL) {
        fputs("load,n,contacts,solver,iterations,seconds,true_error,residual,residual_siconos,"
              "balance,penetration_new,unbalanced_force,restarts,fallbacks\n",
              table);
        return;
    }
    fprintf(table, "%s,%zu,%lld,%s,%d,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%.4g,%d,%d\n", load, n,
            (long long)point->contacts, solver, point->sweeps, point->seconds, point->error,
            point->measures.residual, point->measures.residual_siconos, point->measures.balance,
            point->measures.penetration_new, point->measures.unbalanced_force, point->restarts,
            point->fallbacks);
}
