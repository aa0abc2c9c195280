/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run would do and how long it may take. The time of one step is measured on a scratch copy
 * of the scene where it starts, so it knows this machine and this solver but not the contacts that
 * form later. So there are two estimates: one with contacts as in the steps tried, which is right
 * for a gas, and one with those of a packing, to which most scenes settle.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "io/snapshot_frame.h"
#include "measure/fields.h"
#include "run/run.h"

static const double trial_seconds = 2.0;   /* of wall time at most */
static const double overlap_worth = 1e-6;  /* mention larger ones, mean diameters */
static const double adaptive_sweeps = 100; /* usual number if the solver decides itself */

/* Contacts of each grain in a packing, by dimension. */
static const double packed_contacts[4] = {0.0, 1.0, 2.0, 3.0};

/* Usual times of one contact update and of one grain's share of a step on one core, for what cannot
 * be measured because it is not there yet. */
static const double usual_update_seconds = 4e-8, usual_grain_seconds = 1e-6;
static const double updates_to_measure = 1e5; /* fewer say nothing about the time of one */

/* What the steps tried have taken. */
struct trial {
    double seconds, seconds_solve;
    double updates; /* of contacts */
};

/* How often something is done every so many seconds, 0 = in every step, after the start. */
static int64_t count_times(const talus_plan *plan, double every) {
    double times =
        every > 0.0 ? fmin(plan->time_end / every, (double)plan->steps) : (double)plan->steps;
    return (int64_t)ceil(times * (1.0 - 1e-9));
}

static void count_steps(const talus_scene *scene, talus_plan *plan) {
    double dt = plan->dt;
    for (size_t p = 0; p < scene->phase_count; p++) {
        const struct scene_phase *phase = &scene->phases[p];
        if (phase->change.has_dt) dt = phase->change.dt;
        int64_t steps = run_phase_steps(phase, dt);
        plan->steps += steps;
        plan->time_end += dt * (double)steps;
    }
    plan->rows = 1 + count_times(plan, scene->output.every);
    if (scene->output.picture && scene->output.film > 0.0)
        plan->film = 1 + count_times(plan, scene->output.film);
    const struct scene_frames *frames = &scene->output.frames;
    if (frames->every > 0.0) plan->frames = 1 + count_times(plan, frames->every);
    if (frames->steps > 0) plan->frames = 1 + plan->steps / frames->steps;
    if (frames->events != 0) plan->frames += 2 + (int64_t)scene->phase_count;
}

/* Of one step. */
static double sweeps_of(const talus_solver_config *solver) {
    bool fixed = solver->stop == TALUS_STOP_FIXED;
    return solver->substeps * (fixed ? solver->sweeps : fmin(adaptive_sweeps, solver->max_sweeps));
}

/* Sweeps of the whole run: phases may change the solver and dt. */
static double count_sweeps(const talus_scene *scene, double dt) {
    double each = sweeps_of(&scene->config.solver), all = 0.0;
    for (size_t p = 0; p < scene->phase_count; p++) {
        const struct scene_phase *phase = &scene->phases[p];
        if (phase->change.has_dt) dt = phase->change.dt;
        if (phase->change.has_solver) each = sweeps_of(&phase->change.solver);
        all += each * (double)run_phase_steps(phase, dt);
    }
    return all;
}

/* ---- overlap at the start -------------------------------------------------------------------- */

static double mean_diameter(const talus_body_view *view) {
    double sum = 0.0, count = 0.0;
    for (size_t i = 0; i < view->count; i++) {
        if (view->kind[i] != TALUS_BODY_GRAIN) continue;
        sum += 2.0 * view->radius[i];
        count += 1.0;
    }
    return count > 0.0 ? sum / count : 1.0;
}

/* The name in the scene, which outlives the simulation. */
static const char *boundary_name(const talus_scene *scene, const talus_body_view *view,
                                 talus_index body) {
    size_t number = 0;
    if (view->kind[body] != TALUS_BODY_BOUNDARY) return NULL;
    for (talus_index i = 0; i < body; i++) number += view->kind[i] == TALUS_BODY_BOUNDARY;
    return number < scene->boundary_count ? scene->boundaries[number].def.name : NULL;
}

/* After the first step, whose contacts have the gaps at its start. */
static talus_status find_overlap(const talus_scene *scene, const talus_sim *sim, talus_plan *plan,
                                 talus_error *err) {
    struct memory memory = {.calls = 0};
    size_t count = talus_sim_contacts(sim, NULL, 0);
    if (count == 0) return TALUS_OK;
    talus_contact *contacts = memory_resize(&memory, NULL, 0, count, sizeof *contacts);
    if (contacts == NULL) return error_memory(err);
    talus_sim_contacts(sim, contacts, count);
    const talus_contact *worst = &contacts[0];
    for (size_t c = 1; c < count; c++) {
        if (contacts[c].gap < worst->gap) worst = &contacts[c];
    }
    if (worst->gap < 0.0) {
        talus_body_view view = talus_sim_bodies(sim);
        plan->overlap = -worst->gap / mean_diameter(&view);
        plan->overlap_a = view.gid[worst->a];
        plan->overlap_b = view.gid[worst->b];
        plan->overlap_boundary = boundary_name(scene, &view, worst->b);
    }
    memory_free(&memory, contacts, count, sizeof *contacts);
    return TALUS_OK;
}

/* Without a trial: one step that costs little. A scene whose first step fails has worse to tell
 * than its overlaps, and will when it is run. */
static talus_status look_at_start(const talus_scene *scene, talus_sim *sim, talus_plan *plan,
                                  talus_error *err) {
    talus_solver_config solver = scene->config.solver;
    solver.stop = TALUS_STOP_FIXED;
    solver.sweeps = solver.substeps = 1;
    TALUS_TRY(scene_apply_change(&scene->phases[0].change, sim, err));
    TALUS_TRY(talus_sim_set_solver(sim, &solver, err));
    if (talus_sim_step(sim, NULL, NULL) < 0) return TALUS_OK;
    return find_overlap(scene, sim, plan, err);
}

talus_status talus_run_plan_overlap(const talus_plan *plan, FILE *to) {
    if (!(plan->overlap > overlap_worth)) return TALUS_OK;
    fprintf(to, "largest overlap at the start: %.3g mean diameters (", plan->overlap);
    if (plan->overlap_boundary != NULL)
        fprintf(to, "grain %" PRId64 " and boundary %s)\n", plan->overlap_a,
                plan->overlap_boundary);
    else
        fprintf(to, "grains %" PRId64 " and %" PRId64 ")\n", plan->overlap_a, plan->overlap_b);
    return ferror(to) ? TALUS_ERR_FILE : TALUS_OK;
}

/* ---- trial ----------------------------------------------------------------------------------- */

static talus_status try_step(const talus_scene *scene, talus_sim *sim, struct scene_pour *pour,
                             struct trial *trial, talus_plan *plan, talus_error *err) {
    talus_step_report report;
    double start = clock_seconds();
    TALUS_TRY(scene_pour_step(scene, pour, sim, err));
    TALUS_TRY(talus_sim_step(sim, &report, err));
    trial->seconds += clock_seconds() - start;
    trial->seconds_solve += report.seconds_solve;
    trial->updates += (double)report.updates;
    plan->contacts = report.contacts;
    return plan->steps_tried++ == 0 ? find_overlap(scene, sim, plan, err) : TALUS_OK;
}

static talus_status try_steps(const talus_scene *scene, talus_sim *sim, int trial_steps,
                              struct trial *trial, talus_plan *plan, talus_error *err) {
    struct scene_pour pour = {0};
    TALUS_TRY(scene_pour_start(scene, &pour, err));
    talus_status status = scene_apply_change(&scene->phases[0].change, sim, err);
    while (status >= 0 && plan->steps_tried < trial_steps && plan->steps_tried < plan->steps &&
           trial->seconds < trial_seconds) {
        status = try_step(scene, sim, &pour, trial, plan, err);
    }
    scene_pour_free(&pour);
    return status < 0 ? status : TALUS_OK;
}

/* Grains poured at a rate are there for half of the run on average. */
static void extrapolate(const talus_scene *scene, const struct trial *trial, talus_plan *plan) {
    if (plan->steps_tried == 0) return;
    double steps = (double)plan->steps, tried = (double)plan->steps_tried;
    double grains = (double)plan->grains, later = 0.5 * (double)plan->grains_later;
    double one = trial->seconds / tried, other = (trial->seconds - trial->seconds_solve) / tried;
    if (grains > 0.0) {
        one *= (grains + later) / grains;
        other *= (grains + later) / grains;
    } else {
        one += later * usual_grain_seconds;
        other += later * usual_grain_seconds;
    }
    double update = trial->updates >= updates_to_measure ? trial->seconds_solve / trial->updates
                                                         : usual_update_seconds;
    double contacts = packed_contacts[plan->dim] * (grains + later);
    plan->wall_seconds = steps * one;
    plan->packed_seconds =
        fmax(plan->wall_seconds, steps * other + contacts * count_sweeps(scene, plan->dt) * update);
}

/* The grid of fields without corners follows the grains: how large it is can only be told once they are there. */
static talus_status look_at_fields(const talus_scene *scene, const talus_sim *sim, talus_plan *plan,
                                   talus_error *err) {
    const struct scene_output *output = &scene->output;
    struct live live = {.frame.time = 0.0};
    struct snapshot snapshot = {.count = 0};
    struct memory memory = {0};
    talus_status status = TALUS_OK;
    if (plan->grains == 0) return TALUS_OK;
    for (size_t k = 0; k < output->measure_count && status >= 0; k++) {
        struct measure_input input = {.now = &snapshot,
                                      .values = &output->measures[k].values,
                                      .memory = &memory,
                                      .running = true};
        struct field_grid grid;
        talus_error why;
        if (input.values->type != measure_find("fields") || plan->measures[0] != '\0') continue;
        if (snapshot.count == 0) status = snapshot_from_sim(&snapshot, &live, sim, err);
        if (status >= 0 && field_grid_make(&grid, &input, &why) < 0)
            snprintf(plan->measures, sizeof plan->measures, "%.500s", why.text);
    }
    snapshot_discard(&snapshot);
    live_free(&live);
    return status;
}

talus_status talus_run_plan_measures(const talus_plan *plan, FILE *to) {
    if (plan->measures[0] != '\0')
        fprintf(to, "warning: rows will be left out: %s\n", plan->measures);
    return ferror(to) ? TALUS_ERR_FILE : TALUS_OK;
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
        .rules = talus_sim_step_rules(sim),
    };
    for (size_t s = 0; s < scene->source_count; s++) plan.grains_later += scene->sources[s].count;
    count_steps(scene, &plan);
    struct trial trial = {0};
    talus_status status = look_at_fields(scene, sim, &plan, err);
    if (status >= 0)
        status = trial_steps > 0 ? try_steps(scene, sim, trial_steps, &trial, &plan, err)
                                 : look_at_start(scene, sim, &plan, err);
    talus_sim_destroy(sim);
    if (status < 0) return status;
    extrapolate(scene, &trial, &plan);
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
