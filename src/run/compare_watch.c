/* SPDX-License-Identifier: Apache-2.0
 *
 * A run looked at COMPARE_LOOKS/2 times: enough for means over its tenths, too rarely to cost anything. Forces on
 * boundaries come from their impulses, so that nothing between two looks is lost.
 */
#include <math.h>

#include "math/vec3.h"
#include "run/compare.h"

static size_t boundaries(const talus_sim *sim) {
    size_t count = talus_sim_boundary_count(sim);
    return count < TALUS_COMPARE_BOUNDARIES ? count : TALUS_COMPARE_BOUNDARIES;
}

static void look(struct compare_watch *watch) {
    talus_compare_side *side = watch->side;
    if (watch->count >= COMPARE_LOOKS) return;
    talus_observables now = talus_sim_observe(watch->sim);
    watch->looks[watch->count] = (struct compare_look){
        .time = now.time,
        .kinetic = now.energy.kinetic_translation + now.energy.kinetic_rotation,
        .force = now.contacts > 0 ? now.force_mean : 0.0,
        .coordination = now.coordination,
        .overlap = now.overlap_mean};
    talus_measure_stress(watch->sim, &watch->looks[watch->count].stress, &watch->problem);
    for (size_t b = 0; b < boundaries(watch->sim); b++)
        watch->impulse[watch->count][b] = talus_sim_boundary(watch->sim, b).impulse;
    watch->count++;
    side->overlap_max = fmax(side->overlap_max, now.overlap_max);
}

void compare_watch_begun(const talus_sim *sim, void *context) {
    struct compare_watch *watch = context;
    watch->sim = sim;
    watch->count = 0;
    watch->next = 0.0;
}

bool compare_watch_step(const talus_progress *progress, void *context) {
    struct compare_watch *watch = context;
    const talus_step_report *report = progress->report;
    if (report != NULL) {
        bool rigid = watch->method == TALUS_METHOD_CD;
        double grains =
            (double)(talus_sim_bodies(watch->sim).count - talus_sim_boundary_count(watch->sim));
        watch->side->work += rigid ? (double)report->updates : grains;
        watch->side->speed = fmax(watch->side->speed, report->speed_max);
    }
    if (progress->time >= watch->next) {
        look(watch);
        watch->next = progress->time + 2.0 * progress->time_end / COMPARE_LOOKS;
    }
    if (watch->problem.status < 0) return false;
    if (watch->config->progress == NULL) return true;
    return watch->config->progress(watch->method, progress, watch->config->context);
}

/* ---- the end ----------------------------------------------------------------------------------------- */

static void add_look(const struct compare_look *from, double share, talus_compare_side *side) {
    side->kinetic += share * from->kinetic;
    side->force += share * from->force;
    side->coordination += share * from->coordination;
    side->overlap += share * from->overlap;
    side->stress.pressure += share * from->stress.pressure;
    side->stress.volume += share * from->stress.volume;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) side->stress.tensor[i][j] += share * from->stress.tensor[i][j];
}

/* Largest mean over a tenth of the run, in steps of half of that. */
static void find_worst(const struct compare_watch *watch, double duration,
                       talus_compare_side *side) {
    for (int part = 0; part < 19; part++) {
        double from = 0.05 * part * duration, to = from + 0.1 * duration, force = 0.0,
               overlap = 0.0;
        int count = 0;
        for (size_t k = 0; k < watch->count; k++) {
            if (watch->looks[k].time < from || watch->looks[k].time > to * (1.0 + 1e-9)) continue;
            force += watch->looks[k].force;
            overlap += watch->looks[k].overlap;
            count++;
        }
        if (count == 0) continue;
        side->force_worst = fmax(side->force_worst, force / count);
        side->overlap_worst = fmax(side->overlap_worst, overlap / count);
    }
}

static void boundary_forces(const struct compare_watch *watch, size_t first,
                            talus_compare_side *side) {
    size_t last = watch->count - 1;
    double passed = watch->looks[last].time - watch->looks[first].time;
    for (size_t b = 0; b < boundaries(watch->sim); b++) {
        talus_vec3 from = watch->impulse[first][b], to = watch->impulse[last][b];
        side->boundary_force[b] = passed > 0.0 ? vec3_scale(1.0 / passed, vec3_sub(to, from))
                                               : talus_sim_boundary(watch->sim, b).force;
    }
}

void compare_watch_end(struct compare_watch *watch, const talus_result *result) {
    talus_compare_side *side = watch->side;
    watch->sim = result->sim;
    if (watch->count == 0 || watch->looks[watch->count - 1].time < result->last.time) look(watch);
    double duration = result->last.time;
    size_t first = watch->count - 1;
    while (first > 0 && watch->looks[first - 1].time >= 0.9 * duration) first--;
    for (size_t k = first; k < watch->count; k++)
        add_look(&watch->looks[k], 1.0 / (double)(watch->count - first), side);
    boundary_forces(watch, first > 0 && first == watch->count - 1 ? first - 1 : first, side);
    find_worst(watch, duration, side);
    side->wall_seconds = result->wall_seconds;
    side->dt = talus_sim_dt(result->sim);
    side->last = result->last;
    side->trust = result->trust;
    side->sweeps_mean = result->trust.sweeps_mean;
}
