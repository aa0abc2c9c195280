/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run would do and how long it may take. The time of one step is measured on a scratch copy
 * of the scene where it starts, so it knows this machine and this solver but not the contacts that
 * form later: an estimate, good to a factor of a few for scenes that start loose.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/error.h"
#include "run/run.h"

static const double trial_seconds = 2.0; /* of wall time at most */

/* For grains that cannot be timed because they are not there yet: contacts of a loose packing, and
 * a usual time of one contact update and of one grain's share of a step on one core. */
static const double contacts_per_grain = 2.5, seconds_per_update = 4e-8, seconds_per_grain = 1e-6;

static void count_steps(const talus_scene *scene, talus_plan *plan) {
    double dt = plan->dt, every = scene->output.every;
    for (size_t p = 0; p < scene->phase_count; p++) {
        const struct scene_phase *phase = &scene->phases[p];
        if (phase->change.has_dt) dt = phase->change.dt;
        int64_t steps = run_phase_steps(phase, dt);
        plan->steps += steps;
        plan->time_end += dt * (double)steps;
    }
    double rows =
        every > 0.0 ? fmin(plan->time_end / every, (double)plan->steps) : (double)plan->steps;
    plan->rows = 1 + (int64_t)ceil(rows * (1.0 - 1e-9));
}

static talus_status try_steps(const talus_scene *scene, talus_sim *sim, int trial_steps,
                              talus_plan *plan, talus_error *err) {
    struct scene_pour pour = {0};
    talus_step_report report = {0};
    TALUS_TRY(scene_pour_start(scene, &pour, err));
    talus_status status = scene_apply_change(&scene->phases[0].change, sim, err);
    double start = clock_seconds(), taken = 0.0;
    while (status >= 0 && plan->steps_tried < trial_steps && plan->steps_tried < plan->steps &&
           taken < trial_seconds) {
        status = scene_pour_step(scene, &pour, sim, err);
        if (status >= 0) status = talus_sim_step(sim, &report, err);
        if (status >= 0) plan->steps_tried++;
        taken = clock_seconds() - start;
    }
    plan->contacts = report.contacts;
    plan->wall_seconds = taken; /* of the trial; extrapolated by the caller */
    scene_pour_free(&pour);
    return status < 0 ? status : TALUS_OK;
}

/* Grains poured at a rate are there for half of the run on average. */
static void extrapolate(const talus_scene *scene, talus_plan *plan) {
    double steps = (double)plan->steps, grains = (double)plan->grains;
    double later = 0.5 * (double)plan->grains_later;
    double one = plan->steps_tried > 0 ? plan->wall_seconds / (double)plan->steps_tried : 0.0;
    if (grains > 0.0) {
        plan->wall_seconds = steps * one * (grains + later) / grains;
        return;
    }
    const talus_solver_config *solver = &scene->config.solver;
    double sweeps = solver->stop == TALUS_STOP_FIXED ? solver->sweeps : 100.0;
    plan->wall_seconds =
        steps *
        (one + later * (seconds_per_grain + contacts_per_grain * sweeps * seconds_per_update));
}

talus_status talus_run_plan(const talus_scene *scene, int trial_steps, talus_plan *out,
                            talus_error *err) {
    talus_sim *sim = NULL;
    TALUS_TRY(talus_scene_build(scene, &sim, err));
    talus_plan plan = {
        .dim = scene->config.dim,
        .grains = talus_sim_observe(sim).grains,
        .boundaries = (int64_t)talus_sim_boundary_count(sim),
        .phases = (int64_t)scene->phase_count,
        .dt = talus_sim_dt(sim),
    };
    for (size_t s = 0; s < scene->source_count; s++) plan.grains_later += scene->sources[s].count;
    count_steps(scene, &plan);
    talus_status status = try_steps(scene, sim, trial_steps, &plan, err);
    talus_sim_destroy(sim);
    if (status < 0) return status;
    extrapolate(scene, &plan);
    *out = plan;
    return TALUS_OK;
}

talus_status talus_run_plan_phases(const talus_scene *scene, const talus_plan *plan, FILE *to) {
    double dt = plan->dt;
    for (size_t p = 0; p < scene->phase_count; p++) {
        const struct scene_phase *phase = &scene->phases[p];
        if (phase->change.has_dt) dt = phase->change.dt;
        int64_t steps = run_phase_steps(phase, dt);
        bool rest = phase->rest_kinetic > 0.0 || phase->rest_unbalanced > 0.0;
        fprintf(to, "  phase %zu %-12s %s%" PRId64 " steps of %.4g s (%.6g s)", p + 1, phase->name,
                rest ? "until at rest, at most " : "", steps, dt, dt * (double)steps);
        fputc('\n', to);
    }
    return ferror(to) ? TALUS_ERR_FILE : TALUS_OK;
}
