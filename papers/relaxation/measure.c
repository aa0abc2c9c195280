/* SPDX-License-Identifier: Apache-2.0
 *
 * How two grains come to rest under a constant force, and what the time step does to it [Pena2009, figs. 4-10]: the
 * kinetic energy decays as exp(-t/t_R). With Cundall's spring as it is usually written, growing by velocity times dt, t_R
 * falls with the time step long before anything looks unstable; grown by the way that the contact points went it does
 * not. With the factor printed in [Pena2009, eq. 14] the time is right and the place of rest is wrong.
 *
 * Expected: theory.c. t_R0/t_c = 119.25 held from turning, 238.5 turning, 159.0 without friction; at rest the disc has
 * gone 2 F/(k_n + k_t) held, 2 F/k_n turning, and 2 F/(k_n + k_t/2) with the printed factor.
 *
 * Polygons [Pena2009, fig. 10]: polygons.c.
 */
#include <math.h>
#include <string.h>

#include "papers/relaxation/relaxation.h"

/* ---- against the time step ----------------------------------------------------------------------- */

struct series {
    const char *name, *integrator, *slip;
    bool turns;
    double mu, stiffness;
    double least; /* smallest dt/t_c of a full run */
};

/* The blocks of times.tsv, in this order. */
static const struct series discs[] = {
    {"plain_held", "gear5", "velocity", false, 500, 400, 1e-4},
    {"plain_held_leapfrog", "leapfrog", "velocity", false, 500, 400, 1e-3},
    {"plain_held_soft", "gear5", "velocity", false, 500, 1, 1e-3},
    {"plain_held_hard", "gear5", "velocity", false, 500, 4e8, 1e-3},
    {"improved_held", "gear5", "position", false, 500, 400, 1e-4},
    {"improved_held_leapfrog", "leapfrog", "position", false, 500, 400, 1e-4},
    {"printed_held", "gear5", "pena", false, 500, 400, 1e-3},
    {"smooth", "gear5", "velocity", false, 0, 400, 1e-4},
    {"plain_turning", "gear5", "velocity", true, 500, 400, 1e-4},
    {"plain_turning_leapfrog", "leapfrog", "velocity", true, 500, 400, 1e-3},
    {"plain_turning_soft", "gear5", "velocity", true, 500, 1, 1e-3},
    {"plain_turning_hard", "gear5", "velocity", true, 500, 4e8, 1e-3},
    {"improved_turning", "gear5", "position", true, 500, 400, 1e-4},
    {"improved_turning_leapfrog", "leapfrog", "position", true, 500, 400, 1e-3},
};
enum { DISCS = sizeof discs / sizeof discs[0] };

static const double shares[] = {0.1, 0.03, 0.02, 0.01, 3e-3, 1e-3, 3e-4, 1e-4};
enum { SHARES = sizeof shares / sizeof shares[0] };

static struct trial trial_of(const struct series *series, double share) {
    struct trial trial = trial_default();
    trial.integrator = series->integrator;
    trial.slip = series->slip;
    trial.turns = series->turns;
    trial.mu = series->mu;
    trial.stiffness = series->stiffness;
    trial.share = share;
    if (series->turns) { /* until the fast mode, three times as fast, is gone */
        trial.from = 3.0;
        trial.to = 5.0;
    }
    if (share < 1e-3) trial.to = trial.from + 0.5; /* slow to compute */
    return trial;
}

/* The numbers of one series: largest relative departure from the theory (of dt -> 0 for the improved spring, of this dt
 * for the plain one), and where it came to rest. */
static talus_status against_step(struct paper_run *run, const struct series *series, FILE *table,
                                 talus_error *err) {
    double worst = 0.0, least = run->quick ? 1e-2 : series->least;
    char name[PAPER_NAME];
    fprintf(table, "# %s: dt/t_c\tt_R/t_c\ttheory\tshift k_n/F\n", series->name);
    struct decay decay = {0};
    for (int k = 0; k < SHARES && shares[k] >= 0.99 * least; k++) {
        struct trial trial = trial_of(series, shares[k]);
        double theory = theory_time(&trial);
        talus_status status = trial_run(run, &trial, &decay, err);
        if (status < 0) return status;
        fprintf(table, "%.9g\t%.9g\t%.9g\t%.9g\n", shares[k], decay.time, theory, decay.shift);
        bool coarse = strcmp(series->integrator, "leapfrog") == 0 && shares[k] > 0.05;
        if (!coarse) worst = fmax(worst, fabs(decay.time / theory - 1.0));
        snprintf(name, sizeof name, "%s_%g", series->name, shares[k]);
        if (strncmp(series->name, "plain", 5) == 0 && strchr(series->name + 6, '_') == NULL)
            paper_record(run, name, decay.time);
    }
    fputs("\n\n", table);
    snprintf(name, sizeof name, "%s_off_theory", series->name);
    paper_record(run, name, worst);
    snprintf(name, sizeof name, "%s_shift", series->name);
    paper_record(run, name, decay.shift);
    paper_note(run, "%s: at most %.2g from the theory, rest at %.4f F/k_n", series->name, worst,
               decay.shift);
    return TALUS_OK;
}

static talus_status all_steps(struct paper_run *run, talus_error *err) {
    FILE *table;
    talus_status status = paper_table_open(run, "times.tsv", &table, err);
    if (status < 0) return status;
    for (int k = 0; k < DISCS && status >= 0; k++)
        status = against_step(run, &discs[k], table, err);
    talus_status closed = paper_table_close(table, "times.tsv", status < 0 ? NULL : err);
    return status < 0 ? status : closed;
}

/* The decay itself: peaks of the kinetic energy for several steps, plain and improved spring. */
static talus_status decays(struct paper_run *run, talus_error *err) {
    static const double steps[] = {0.1, 0.02, 0.01, 1e-3};
    FILE *table;
    talus_status status = paper_table_open(run, "decay.tsv", &table, err);
    if (status < 0) return status;
    for (int improved = 0; improved < 2; improved++)
        for (int k = 0; k < 4 - run->quick && status >= 0; k++) {
            struct trial trial = trial_default();
            struct decay decay;
            trial.slip = improved ? "position" : "velocity";
            trial.share = steps[k];
            trial.to = 4.0;
            trial.table = table;
            fprintf(table, "# %s, dt/t_c = %g: t/t_c\tE_k/E_first\n", trial.slip, steps[k]);
            status = trial_run(run, &trial, &decay, err);
            fputs("\n\n", table);
        }
    talus_status closed = paper_table_close(table, "decay.tsv", status < 0 ? NULL : err);
    return status < 0 ? status : closed;
}

/* ---- against the parameters ---------------------------------------------------------------------- */

struct sweep {
    const char *name;
    bool logarithmic;
    double low, high;
    int points;
    double trend; /* +1: t_R grows, -1: it falls, 0: neither is asked for */
};
static const struct sweep stiffness_ratios = {"stiffness_ratio", true, 0.03, 2.0, 19, -1.0},
                          restitution_ratios = {"restitution_ratio", false, 0.9, 1.01, 12, 1.0},
                          frictions = {"mu", true, 1e-5, 1e3, 33, 0.0};

static void set_parameter(struct trial *trial, const struct sweep *sweep, double value) {
    if (sweep == &stiffness_ratios) trial->stiffness_ratio = value;
    if (sweep == &restitution_ratios) trial->restitution_ratio = value;
    if (sweep == &frictions) trial->mu = value;
}

/* With the improved spring, which has the value of dt -> 0 at once. */
static talus_status against(struct paper_run *run, const struct sweep *sweep, bool turns,
                            FILE *table, talus_error *err) {
    double worst = 0.0, before = 0.0, steady = 1.0;
    char name[PAPER_NAME];
    const char *kind = turns ? "turning" : "held";
    int points = run->quick ? (sweep->points + 2) / 3 : sweep->points;
    fprintf(table, "# %s, %s: value\tt_R/t_c\ttheory without slip\n", sweep->name, kind);
    for (int k = 0; k < points; k++) {
        double part = (double)k / (points - 1);
        double value = sweep->logarithmic ? sweep->low * pow(sweep->high / sweep->low, part)
                                          : sweep->low + part * (sweep->high - sweep->low);
        struct trial trial = trial_default();
        struct decay decay;
        set_parameter(&trial, sweep, value);
        trial.turns = turns;
        trial.share = run->quick ? 0.05 : 0.02;
        if (turns) { /* whatever the modes are, the slowest is left */
            trial.from = 10.0;
            trial.to = 13.0;
        }
        double theory = theory_time(&trial);
        talus_status status = trial_run(run, &trial, &decay, err);
        if (status < 0) return status;
        fprintf(table, "%.9g\t%.9g\t%.9g\n", value, decay.time, theory);
        bool slips = sweep == &frictions && value < 0.5;
        if (!slips) worst = fmax(worst, fabs(decay.time / theory - 1.0));
        if (k > 0 && sweep->trend * (decay.time - before) < 0.0) steady = 0.0;
        if (k == 0 && sweep == &frictions) paper_record(run, "mu_1e-5", decay.time);
        before = decay.time;
    }
    fputs("\n\n", table);
    snprintf(name, sizeof name, "%s_%s_off_theory", sweep->name, kind);
    paper_record(run, name, worst);
    snprintf(name, sizeof name, "%s_%s_monotone", sweep->name, kind);
    if (sweep->trend != 0.0) paper_record(run, name, steady);
    paper_note(run, "t_R against %s, %s: at most %.2g from the theory", sweep->name, kind, worst);
    return TALUS_OK;
}

static talus_status all_parameters(struct paper_run *run, talus_error *err) {
    FILE *table;
    talus_status status = paper_table_open(run, "parameters.tsv", &table, err);
    if (status < 0) return status;
    status = against(run, &stiffness_ratios, false, table, err);
    if (status >= 0) status = against(run, &stiffness_ratios, true, table, err);
    if (status >= 0) status = against(run, &restitution_ratios, false, table, err);
    if (status >= 0) status = against(run, &restitution_ratios, true, table, err);
    if (status >= 0) status = against(run, &frictions, false, table, err);
    talus_status closed = paper_table_close(table, "parameters.tsv", status < 0 ? NULL : err);
    return status < 0 ? status : closed;
}

static talus_status measure(struct paper_run *run, talus_error *err) {
    talus_status status = all_parameters(run, err);
    if (status >= 0) status = decays(run, err);
    if (status >= 0) status = all_steps(run, err);
    if (status >= 0) status = polygons_measure(run, err);
    return status;
}

const struct paper relaxation_paper = {
    .name = "relaxation",
    .title =
        "Two soft grains come to rest: the time step of Cundall's spring and of the improved one",
    .source = "Pena, Lind, McNamara, Herrmann, Acta Mechanica 205 (2009), figs. 4-10",
    .measure = measure,
};
