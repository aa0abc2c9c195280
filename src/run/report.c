/* SPDX-License-Identifier: Apache-2.0
 * The end-of-run report in words and numbers, for people. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "run/run.h"

enum { TEXT_WIDTH = 76 }; /* of the verdict */

static void put_run(const talus_result *result, FILE *to) {
    const talus_observables *last = &result->last;
    fprintf(to, "  run        %s: %" PRId64 " steps, t = %.6g s, %.2f s of wall time\n",
            run_status_text(result->status), last->step, last->time, result->wall_seconds);
    for (size_t p = 0; p < result->phases_begun; p++) {
        const struct run_phase *phase = &result->phases[p];
        fprintf(to, "  phase      %zu %s: %s at t = %.6g s after %" PRId64 " steps\n", p + 1,
                phase->name, run_end_name(phase->end), phase->time_end, phase->steps);
    }
    fprintf(to, "  packing    %" PRId64 " grains, %" PRId64 " contacts, packing fraction %.4f\n",
            last->grains, last->contacts, last->packing_fraction);
    fprintf(to, "             z = %.3f, without the %" PRId64 " rattlers %.3f\n",
            last->coordination, last->rattlers, last->coordination_no_rattlers);
    if (last->bonds > 0 || last->bonds_broken > 0)
        fprintf(to, "             %" PRId64 " bonds, %" PRId64 " broken so far\n", last->bonds,
                last->bonds_broken);
}

static void put_energy(const talus_energy *energy, double relative, FILE *to) {
    fprintf(to, "  energy     kinetic %.4g J (rotation %.4g), potential %.4g\n",
            energy->kinetic_translation + energy->kinetic_rotation, energy->kinetic_rotation,
            energy->potential);
    if (energy->elastic != 0.0)
        fprintf(to, "             in springs of contacts %.4g\n", energy->elastic);
    fprintf(to, "             work of forces %.4g, of boundaries %.4g, brought in %.4g\n",
            energy->work_force, energy->work_boundary, energy->input);
    if (energy->work_projection != 0.0)
        fprintf(to, "             work of undoing overlaps %.4g\n", energy->work_projection);
    fprintf(to, "             dissipated %.4g, step loss %.4g; the budget closes to %.1e\n",
            energy->dissipation, energy->step_loss, relative);
    if (energy->dissipation_rolling == 0.0 && energy->dissipation_torsion == 0.0 &&
        energy->dissipation_bonds == 0.0)
        return;
    fprintf(
        to,
        "             of it impacts %.4g, sliding %.4g, rolling %.4g, torsion %.4g, bonds %.4g\n",
        energy->dissipation_impact, energy->dissipation_sliding, energy->dissipation_rolling,
        energy->dissipation_torsion, energy->dissipation_bonds);
}

static void put_geometry(const talus_trust *trust, FILE *to) {
    fprintf(to, "  geometry   overlap mean %.2e, max %.2e d; fastest grain %.2g radii a step\n",
            trust->overlap_mean, trust->overlap_max, trust->travel_max);
}

/* V_c is that of 45 degrees; head-on it is larger by 1/cos(45 deg). */
static void put_softness(const talus_trust *trust, FILE *to) {
    const double head_on = 1.4142135623730951;
    fprintf(to, "  softness   the shortest collision takes %.4g steps\n", trust->collision_steps);
    if (trust->meeting_speed > 0.0)
        fprintf(to,
                "             grains met at %.3g m/s; their V_c %.3g m/s at 45 deg, %.3g head-on\n",
                trust->meeting_speed, trust->critical_speed, head_on * trust->critical_speed);
    if (trust->collisions > 0)
        fprintf(to, "             %" PRId64 " collisions, of %.3g t_c, %.3g t_c apart\n",
                trust->collisions, trust->contact_life / trust->collision_time,
                trust->free_time / trust->collision_time);
    if (trust->friction_error > 0.0)
        fprintf(to, "             contacts relax %.2g %% too fast\n",
                100.0 * trust->friction_error);
}

static void put_audit(const talus_trust *trust, FILE *to) {
    const char *most = trust->audits_unfinished > 0 ? " or more" : "";
    fprintf(to, "  audit      %" PRId64 " %s solved again, 100 times as strictly\n", trust->audits,
            trust->audits == 1 ? "step" : "steps");
    fprintf(to, "             forces changed by %.2g %%%s in the mean, at most by %.2g %%\n",
            100.0 * trust->audit_forces, most, 100.0 * trust->audit_forces_max);
    fprintf(to, "             motion changed by %.2g %%%s in the mean, at most by %.2g %%\n",
            100.0 * trust->audit_motion, most, 100.0 * trust->audit_motion_max);
}

static void put_trust(const talus_result *result, FILE *to) {
    const talus_trust *trust = &result->trust;
    if (trust->collision_steps > 0.0) {
        put_softness(trust, to);
        put_geometry(trust, to);
        return;
    }
    fprintf(to, "  forces     residual %.2e (largest %.2e), balance error %.1e\n",
            trust->residual_last, trust->residual_max, result->last.balance_error);
    if (trust->balance >= 0.0)
        fprintf(to, "             %.2g of them missing on the scale of the system (balance)\n",
                trust->balance);
    if (trust->balance_max >= 0.0)
        fprintf(to, "             in all steps at most %.2g\n", trust->balance_max);
    fprintf(to, "             %.4g sweeps a step, unbalanced force %.2e\n", trust->sweeps_mean,
            result->last.unbalanced_force);
    if (trust->audits > 0) put_audit(trust, to);
    if (trust->q == 0.0 && trust->balance_max < 0.0) /* else the balance tells it better */
        fprintf(to, "  softness   sweeps with momentum reach over %.3g of the system in one step\n",
                trust->rigidity);
    if (trust->q != 0.0)
        fprintf(to, "  softness   stiffness %.3g N/m, sound speed %.3g m/s, l_diff/L = %.3g\n",
                trust->stiffness, trust->sound_speed, trust->rigidity);
    put_geometry(trust, to);
}

static void put_warnings(const talus_result *result, FILE *to) {
    for (int kind = 0; kind < RUN_WARNINGS; kind++) {
        const struct run_warning *warning = &result->warnings[kind];
        if (warning->count == 0) continue;
        fprintf(to,
                "  warning    %s: %" PRId64 " times, first at step %" PRId64 " (t = %.6g s)\n"
                "             worst %s %.3g\n",
                run_warning_name((enum run_warning_kind)kind), warning->count, warning->first_step,
                warning->first_time, run_warning_measure((enum run_warning_kind)kind),
                warning->worst);
    }
    for (size_t m = 0; m < result->measure_count; m++) {
        const struct run_left_out *left = &result->left_out[m];
        if (left->count > 0)
            fprintf(to,
                    "  warning    measure %s left out of %" PRId64 " rows, first at step %" PRId64
                    " (t = %.6g s)\n             %s\n",
                    left->label, left->count, left->first_step, left->first_time, left->message);
    }
    if (result->source_waiting > 0)
        fprintf(to, "  warning    %" PRId64 " grains to be poured found no room\n",
                result->source_waiting);
    for (size_t p = 0; p < result->phases_begun; p++)
        if (result->phases[p].end == RUN_END_NOT_AT_REST)
            fprintf(to, "  warning    phase %s did not come to rest in its time\n",
                    result->phases[p].name);
}

/* Words of `text` in lines that start in the column of the other entries. */
static void put_wrapped(const char *text, FILE *to) {
    fputs("  verdict   ", to);
    size_t column = 0;
    while (*text != '\0') {
        size_t length = strcspn(text, " ");
        if (column > 0 && column + length > TEXT_WIDTH) {
            fputs("\n            ", to);
            column = 0;
        }
        fprintf(to, " %.*s", (int)length, text);
        column += length + 1;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', to);
}

talus_status talus_result_report(const talus_result *result, FILE *to) {
    put_run(result, to);
    put_energy(&result->last.energy, result->trust.energy_error, to);
    put_trust(result, to);
    put_warnings(result, to);
    if (result->message[0] != '\0') fprintf(to, "  stopped    %s\n", result->message);
    put_wrapped(result->trust.verdict, to);
    return ferror(to) ? TALUS_ERR_FILE : TALUS_OK;
}
