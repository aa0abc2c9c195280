/* SPDX-License-Identifier: Apache-2.0
 *
 * The batched sweep for contacts of all kinds: spheres with plain friction, the same bed with every law at once, a heap of
 * boxes. What counts is components: three for a contact with friction, six with torques. The three are stepped in turns, so that
 * whatever else the machine does happens to all of them; rates are the best of their steps.
 */
#include "bench/sweep_kinds.h"

#include <math.h>

#include "bench/pile.h"

enum { SWEEPS = 50, STEPS = 12, SETTLE = 500, SETTLE_SWEEPS = 60, RACERS = 3 };

static const talus_pair_law laws = {
    .mu_static = 0.5,
    .mu_sliding = 0.5,
    .rolling = {.coefficient = 0.1},
    .torsion = {.coefficient = 0.05},
    .cohesion = {.force = 0.05, .range = 0.01},
    .restitution = {.normal = 0.5, .tangential = 0.2},
};

struct racer {
    const char *name;
    int components;
    int64_t grains;
    talus_sim *sim;
    double best; /* M contacts/s */
    talus_step_report report;
};

static talus_solver_config batched(bool warm) {
    talus_solver_config solver = talus_solver_plain();
    solver.sweep = TALUS_SWEEP_BATCHED;
    solver.sweeps = SWEEPS;
    solver.warm_start = warm;
    return solver;
}

/* A heap at rest, or nearly so. */
static talus_status settle_boxes(struct pile *start, talus_sim **out, talus_error *err) {
    talus_solver_config solver = batched(true);
    solver.name = "nnsgs";
    solver.sweeps = SETTLE_SWEEPS;
    talus_status status = pile_heap(start, 10, err);
    if (status >= 0) status = pile_make(start, &solver, out, err);
    for (int step = 0; step < SETTLE && status >= 0; step++)
        status = talus_sim_step(*out, NULL, err);
    return status;
}

static talus_status race(struct racer racers[RACERS], talus_error *err) {
    talus_status status = TALUS_OK;
    for (int step = 0; step < STEPS; step++)
        for (int k = 0; k < RACERS && status >= 0; k++) {
            struct racer *racer = &racers[k];
            status = talus_sim_step(racer->sim, &racer->report, err);
            double updates = (double)racer->report.contacts * SWEEPS * racer->report.rounds;
            racer->best = fmax(racer->best, 1e-6 * updates / racer->report.seconds_solve);
        }
    return status;
}

static void print(struct bench_run *run, const struct racer racers[RACERS], bool warm) {
    double plain = racers[0].components * racers[0].best;
    for (int k = 0; k < RACERS; k++) {
        const struct racer *racer = &racers[k];
        double components = racer->components * racer->best;
        bench_case(run, racer->name, racer->grains, racer->report.contacts, racer->report.residual);
        bench_figure(run, warm ? "batched, in a run" : "batched, cold", racer->best,
                     "M contacts/s");
        bench_figure(run, warm ? "components, in a run" : "components, cold", components,
                     "M components/s");
        if (k > 0)
            bench_ratio(run, warm ? "ratio_plain_component" : "ratio_plain_component_cold",
                        components / plain, "plain contacts, batched");
    }
}

static talus_status measure(struct bench_run *run, const struct bed *bed, int tiles,
                            const struct pile *boxes, bool warm, talus_error *err) {
    talus_solver_config solver = batched(warm);
    int64_t grains = (int64_t)BED_GRAINS * tiles * tiles;
    struct racer racers[RACERS] = {{"bed of spheres", 3, grains, NULL, 0.0, {0}},
                                   {"bed of spheres, all laws", 6, grains, NULL, 0.0, {0}},
                                   {"heap of boxes", 3, (int64_t)boxes->count, NULL, 0.0, {0}}};
    talus_status status = bed_tile(bed, tiles, &solver, &racers[0].sim, err);
    if (status >= 0) status = bed_tile(bed, tiles, &solver, &racers[1].sim, err);
    if (status >= 0) status = talus_pair_set(racers[1].sim, 0, 0, &laws, err);
    if (status >= 0) status = pile_make(boxes, &solver, &racers[2].sim, err);
    if (status >= 0) status = race(racers, err);
    if (status >= 0) print(run, racers, warm);
    for (int k = 0; k < RACERS; k++) talus_sim_destroy(racers[k].sim);
    return status;
}

talus_status sweep_kinds_measure(struct bench_run *run, const struct bed *bed, talus_error *err) {
    const int tiles[] = {1, 4, 10}, copies[] = {1, 2, 5};
    struct pile start = {0};
    talus_sim *settled = NULL;
    talus_status status = settle_boxes(&start, &settled, err);
    for (size_t k = 0; k < sizeof tiles / sizeof *tiles && status >= 0; k++) {
        struct pile boxes = {0};
        status = pile_copy(&boxes, &start, settled, (int[2]){copies[k], copies[k]}, err);
        if (status >= 0) status = measure(run, bed, tiles[k], &boxes, false, err);
        if (status >= 0) status = measure(run, bed, tiles[k], &boxes, true, err);
        pile_free(&boxes);
    }
    talus_sim_destroy(settled);
    pile_free(&start);
    return status;
}
