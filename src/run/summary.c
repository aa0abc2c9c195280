/* SPDX-License-Identifier: Apache-2.0
 * summary.json: what programs read of a run. Its first keys are kept stable (docs: For programs
 * that read us); tests/unit/test_run.c holds them. */
#include <inttypes.h>
#include <stdio.h>

#include "io/file.h"
#include "io/json.h"
#include "run/run.h"
#include "talus/catalog.h"

void run_json_losses(struct json *json, const talus_energy *energy) {
    json_number(json, "dissipation", energy->dissipation);
    json_number(json, "dissipation_impact", energy->dissipation_impact);
    json_number(json, "dissipation_sliding", energy->dissipation_sliding);
    json_number(json, "dissipation_rolling", energy->dissipation_rolling);
    json_number(json, "dissipation_torsion", energy->dissipation_torsion);
    json_number(json, "dissipation_bonds", energy->dissipation_bonds);
    json_number(json, "step_loss", energy->step_loss);
}

static void put_energy(struct json *json, const talus_energy *energy) {
    json_object(json, "energy");
    json_number(json, "kinetic_translation", energy->kinetic_translation);
    json_number(json, "kinetic_rotation", energy->kinetic_rotation);
    json_number(json, "potential", energy->potential);
    json_number(json, "elastic", energy->elastic);
    json_number(json, "input", energy->input);
    json_number(json, "work_force", energy->work_force);
    json_number(json, "work_boundary", energy->work_boundary);
    json_number(json, "work_projection", energy->work_projection);
    run_json_losses(json, energy);
    json_number(json, "error", energy->error);
    json_number(json, "scale", energy->scale);
    json_object_end(json);
}

/* The keys that programs rely on. */
static void put_stable(struct json *json, const talus_result *result) {
    const talus_observables *last = &result->last;
    char hash[20];
    snprintf(hash, sizeof hash, "%016" PRIx64, talus_sim_hash(result->sim));
    json_text(json, "status", run_status_text(result->status));
    json_integer(json, "steps", last->step);
    json_number(json, "time", last->time);
    json_number(json, "wall_seconds", result->wall_seconds);
    json_integer(json, "bodies", last->grains);
    json_integer(json, "contacts", last->contacts);
    json_integer(json, "sweeps_total", result->sweeps_total);
    json_integer(json, "updates_total", result->updates_total);
    json_integer(json, "handovers_total", result->handovers_total);
    json_integer(json, "handover_sweeps_total", result->handover_sweeps_total);
    json_integer(json, "factor_turns_total", result->factor_turns_total);
    json_integer(json, "factor_steps_total", result->factor_steps_total);
    json_number(json, "residual", last->residual);
    json_number(json, "balance_error", last->balance_error);
    json_number(json, "overlap_mean", last->overlap_mean);
    json_number(json, "overlap_max", last->overlap_max);
    put_energy(json, &last->energy);
    json_number(json, "energy_error", result->trust.energy_error);
    json_text(json, "state_hash", hash);
    json_text(json, "verdict", result->trust.verdict);
}

static void put_soft(struct json *json, const talus_trust *trust) {
    json_number(json, "collision_steps", trust->collision_steps);
    json_number(json, "collision_time", trust->collision_time);
    json_number(json, "friction_error", trust->friction_error);
    json_number(json, "meeting_speed", trust->meeting_speed);
    json_number(json, "critical_speed", trust->critical_speed);
    json_integer(json, "collisions", trust->collisions);
    json_number(json, "contact_life", trust->contact_life);
    json_number(json, "free_time", trust->free_time);
}

static void put_trust(struct json *json, const talus_trust *trust) {
    json_object(json, "trust");
    json_number(json, "q", trust->q);
    json_number(json, "sweeps_mean", trust->sweeps_mean);
    json_number(json, "stiffness", trust->stiffness);
    json_number(json, "sound_speed", trust->sound_speed);
    json_number(json, "diffusion_length", trust->diffusion_length);
    json_number(json, "system_size", trust->system_size);
    json_number(json, "rigidity", trust->rigidity);
    json_number(json, "balance_max", trust->balance_max);
    json_number(json, "sweeps_rigid", trust->sweeps_rigid);
    json_number(json, "long_wave_error", trust->long_wave_error);
    json_number(json, "energy_created", trust->energy_created);
    json_number(json, "residual_last", trust->residual_last);
    json_number(json, "residual_max", trust->residual_max);
    json_number(json, "overlap_mean", trust->overlap_mean);
    json_number(json, "overlap_max", trust->overlap_max);
    json_number(json, "travel_max", trust->travel_max);
    if (trust->collision_steps > 0.0) put_soft(json, trust);
    json_integer(json, "steps_not_converged", trust->steps_not_converged);
    json_integer(json, "steps_resolved", trust->steps_resolved);
    json_object_end(json);
}

static void put_audit(struct json *json, const talus_trust *trust) {
    json_object(json, "audit");
    json_integer(json, "steps", trust->audits);
    json_integer(json, "unfinished", trust->audits_unfinished);
    json_number(json, "forces_mean", trust->audit_forces);
    json_number(json, "forces_max", trust->audit_forces_max);
    json_number(json, "motion_mean", trust->audit_motion);
    json_number(json, "motion_max", trust->audit_motion_max);
    json_integer(json, "updates", trust->audit_updates);
    json_object_end(json);
}

static void put_measures(struct json *json, const talus_measures *measures) {
    json_object(json, "convergence");
    json_number(json, "residual", measures->residual);
    json_number(json, "residual_siconos", measures->residual_siconos);
    json_number(json, "balance", measures->balance);
    json_number(json, "penetration_new", measures->penetration_new);
    json_number(json, "unbalanced_force", measures->unbalanced_force);
    json_object_end(json);
}

static void put_state(struct json *json, const talus_observables *last) {
    json_object(json, "observables");
    json_integer(json, "rattlers", last->rattlers);
    json_number(json, "coordination", last->coordination);
    json_number(json, "coordination_no_rattlers", last->coordination_no_rattlers);
    json_number(json, "packing_fraction", last->packing_fraction);
    json_number(json, "unbalanced_force", last->unbalanced_force);
    json_number(json, "speed_max", last->speed_max);
    json_number(json, "force_mean", last->force_mean);
    json_object_end(json);
}

/* With the keys of the others. */
static void put_left_out(struct json *json, const struct run_left_out *left) {
    char kind[RUN_NAME + 32];
    snprintf(kind, sizeof kind, "measure %s left out", left->label);
    json_object(json, NULL);
    json_text(json, "kind", kind);
    json_integer(json, "count", left->count);
    json_integer(json, "first_step", left->first_step);
    json_number(json, "first_time", left->first_time);
    json_text(json, "measure", "time of the last one in s");
    json_number(json, "worst", left->last_time);
    json_text(json, "message", left->message);
    json_object_end(json);
}

static void put_warnings(struct json *json, const talus_result *result) {
    json_array(json, "warnings");
    for (int kind = 0; kind < RUN_WARNINGS; kind++) {
        const struct run_warning *warning = &result->warnings[kind];
        if (warning->count == 0) continue;
        json_object(json, NULL);
        json_text(json, "kind", run_warning_name((enum run_warning_kind)kind));
        json_integer(json, "count", warning->count);
        json_integer(json, "first_step", warning->first_step);
        json_number(json, "first_time", warning->first_time);
        json_text(json, "measure", run_warning_measure((enum run_warning_kind)kind));
        json_number(json, "worst", warning->worst);
        json_object_end(json);
    }
    for (size_t m = 0; m < result->measure_count; m++)
        if (result->left_out[m].count > 0) put_left_out(json, &result->left_out[m]);
    json_array_end(json);
}

static void put_phases(struct json *json, const talus_result *result) {
    json_array(json, "phases");
    for (size_t p = 0; p < result->phases_begun; p++) {
        const struct run_phase *phase = &result->phases[p];
        json_object(json, NULL);
        json_text(json, "name", phase->name);
        json_text(json, "end", run_end_name(phase->end));
        json_number(json, "time_start", phase->time_start);
        json_number(json, "time_end", phase->time_end);
        json_integer(json, "steps", phase->steps);
        json_object_end(json);
    }
    json_array_end(json);
}

talus_status run_write_summary(const talus_result *result, const char *directory,
                               talus_error *err) {
    struct file file;
    char seed[24];
    TALUS_TRY(file_open(&file, directory, "summary.json", FILE_WHOLE, err));
    struct json json = json_start(file.stream);
    snprintf(seed, sizeof seed, "%" PRIu64, result->seed);
    json_object(&json, NULL);
    put_stable(&json, result);
    json_text(&json, "message", result->message);
    json_text(&json, "title", result->title);
    json_text(&json, "version", talus_version());
    json_text(&json, "seed", seed); /* as text: 64 bits do not fit a JSON reader's double */
    json_integer(&json, "boundaries", (int64_t)talus_sim_boundary_count(result->sim));
    put_state(&json, &result->last);
    if (result->trust.audits > 0) put_audit(&json, &result->trust);
    put_measures(&json, &result->measures);
    put_trust(&json, &result->trust);
    put_phases(&json, result);
    put_warnings(&json, result);
    json_integer(&json, "source_waiting", result->source_waiting);
    json_object_end(&json);
    return file_close(&file, err);
}
