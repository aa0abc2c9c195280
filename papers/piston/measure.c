/* SPDX-License-Identifier: Apache-2.0
 *
 * The waves of the chain in a random packing: discs under a free piston, no gravity. When the force
 * on the piston is raised at once, its height follows a damped sine with omega ~ sqrt(N_I) and
 * tau ~ 1/N_I, as the effective stiffness and viscosity of the unfinished relaxation say; the
 * factors depend on the structure and have no theory.
 *
 * Right after the rise contacts slide, open and close, overtones run about, and the motion is
 * damped more and slower than the law says (as in the chain, whose first bounces do not count
 * either). After two or three tau one wave in an unchanging network is left: the fit begins there.
 * tau being what is looked for, window and fit are repeated until they agree.
 */
#include <math.h>
#include <stdlib.h>

#include "papers/papers.h"

enum { RISES = 4, ROUNDS = 6 };

static const int sweeps[RISES] = {10, 20, 40, 80};
static const double window_begin = 2.5, window_end = 7.0; /* in tau after the rise */

/* 200 discs, as high but narrow: the waves keep their length. Side walls so near would carry most
 * of the force, so the box is periodic sideways instead. */
static const char *const smaller[] = {
    "grains.0.fill.count=200", "grains.0.fill.box.high=[19, 165, 0]",  "cell.periodic=[x]",
    "cell.size=[19, 0, 0]",    "boundaries.box.box.open=[x-, x+, y+]",
};

/* The piston after one rise. */
struct ring {
    double *t;       /* s since the rise: late times would overflow exp(t/tau) */
    const double *y; /* m */
    size_t count;
    talus_damped_sine fit;
};

static talus_status fit_ring(struct ring *ring, talus_error *err) {
    for (int round = 0; round < ROUNDS; round++) {
        double from = window_begin * ring->fit.tau, to = window_end * ring->fit.tau;
        size_t first = 0, last = 0;
        while (first < ring->count && ring->t[first] < from) first++;
        for (last = first; last < ring->count && ring->t[last] <= to;) last++;
        talus_status status =
            talus_fit_damped_sine(ring->t + first, ring->y + first, last - first, &ring->fit, err);
        if (status < 0) return status;
    }
    return TALUS_OK;
}

/* Start values from the chain's law: the mean diameter 3 r for d, the height for its length. */
static talus_damped_sine first_guess(double height, int sweeps_here) {
    double k = 1.5707963267948966 / height, diffusion = 0.8 * sweeps_here * 9.0;
    return (talus_damped_sine){.tau = 2.0 / (diffusion * k * k), .omega = k * sqrt(diffusion)};
}

/* Heights from where the piston comes to rest: they differ in the sixth digit. */
static void write_ring(FILE *table, const struct ring *ring, int sweeps_here) {
    const talus_damped_sine *fit = &ring->fit;
    fprintf(table, "# N_I = %d: t since the rise, height above %.9g, fit of it\n", sweeps_here,
            fit->x0);
    for (size_t i = 0; i < ring->count; i++) {
        double t = ring->t[i];
        fprintf(table, "%.9g\t%.6e\t%.6e\n", t, ring->y[i] - fit->x0,
                fit->amplitude * exp(-t / fit->tau) * sin(fit->omega * t + fit->phase));
    }
    fputs("\n\n", table); /* gnuplot's mark of the next block */
}

/* The part of the series that belongs to one phase; t is the caller's to free. */
static talus_status cut_ring(const talus_result *result, const char *phase, struct ring *out,
                             talus_error *err) {
    const double *t, *y;
    double begin = 0.0, end = 0.0;
    size_t count, first = 0;
    talus_status status = paper_column(result, "time", &t, &count, err);
    if (status >= 0) status = paper_column(result, "piston.y", &y, &count, err);
    if (status < 0) return status;
    *out = (struct ring){.t = malloc(count * sizeof *out->t)};
    if (out->t == NULL || !talus_result_phase(result, phase, &begin, &end)) return TALUS_ERR_MEMORY;
    while (first < count && t[first] < begin) first++;
    for (size_t i = first; i < count && t[i] <= end; i++) out->t[out->count++] = t[i] - begin;
    out->y = y + first;
    return TALUS_OK;
}

struct tables {
    FILE *rings, *scaling;
};

static talus_status measure_ring(struct paper_run *run, const talus_result *result,
                                 const struct tables *tables, int rise, talus_damped_sine *out,
                                 talus_error *err) {
    char name[24];
    struct ring ring = {0};
    snprintf(name, sizeof name, "rise%d", sweeps[rise]);
    talus_status status = cut_ring(result, name, &ring, err);
    if (status >= 0) {
        ring.fit = first_guess(ring.y[0], sweeps[rise]);
        status = fit_ring(&ring, err);
    }
    if (status >= 0) {
        *out = ring.fit;
        write_ring(tables->rings, &ring, sweeps[rise]);
        fprintf(tables->scaling, "%d\t%.9g\t%.9g\n", sweeps[rise], out->omega, out->tau);
        paper_note(run, "N_I = %2d: omega = %.5f, tau = %.2f, amplitude %.1e, rms of the fit %.1e",
                   sweeps[rise], out->omega, out->tau, out->amplitude, out->rms);
    }
    free(ring.t);
    return status;
}

static talus_status record_exponents(struct paper_run *run, const double omega[RISES],
                                     const double tau[RISES], talus_error *err) {
    double x[RISES], exponent, error;
    for (int i = 0; i < RISES; i++) x[i] = sweeps[i];
    talus_status status = talus_fit_power(x, omega, RISES, &exponent, &error, err);
    if (status < 0) return status;
    paper_note(run, "omega ~ N_I^(%.3f +- %.3f)", exponent, error);
    paper_record(run, "omega_exponent", exponent);
    status = talus_fit_power(x, tau, RISES, &exponent, &error, err);
    if (status < 0) return status;
    paper_note(run, "tau ~ N_I^(%.3f +- %.3f)", exponent, error);
    paper_record(run, "tau_exponent", exponent);
    return TALUS_OK;
}

static talus_status judge(struct paper_run *run, const talus_result *result, talus_error *err) {
    struct tables tables;
    double omega[RISES] = {0}, tau[RISES] = {0};
    talus_status status = paper_table_open(run, "rings.tsv", &tables.rings, err);
    if (status < 0) return status;
    status = paper_table_open(run, "scaling.tsv", &tables.scaling, err);
    if (status < 0) {
        fclose(tables.rings);
        return status;
    }
    fputs("# N_I\tomega\ttau\n", tables.scaling);
    for (int i = 0; i < RISES && status >= 0; i++) {
        talus_damped_sine fit = {0};
        status = measure_ring(run, result, &tables, i, &fit, err);
        omega[i] = fit.omega;
        tau[i] = fit.tau;
    }
    talus_status first = paper_table_close(tables.rings, "rings.tsv", status < 0 ? NULL : err);
    talus_status second = paper_table_close(tables.scaling, "scaling.tsv", status < 0 ? NULL : err);
    if (status < 0) return status;
    if (first < 0 || second < 0) return TALUS_ERR_FILE;
    return record_exponents(run, omega, tau, err);
}

static talus_status measure(struct paper_run *run, talus_error *err) {
    talus_result *result = NULL;
    size_t count = run->quick ? sizeof smaller / sizeof smaller[0] : 0;
    talus_status status = paper_simulate(run, "scene.yaml", smaller, count, &result, err);
    if (status >= 0) status = judge(run, result, err);
    talus_result_free(result);
    return status;
}

const struct paper piston_paper = {
    .name = "piston",
    .title = "A thousand discs under a piston ring with omega ~ sqrt(N_I), tau ~ 1/N_I",
    .source =
        "T. Unger, L. Brendel, D. E. Wolf, J. Kertesz, Elastic behavior in contact dynamics of "
        "rigid particles, fig. 6",
    .measure = measure,
};
