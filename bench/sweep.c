/* SPDX-License-Identifier: Apache-2.0
 *
 * The sweep of the solver against a plain loop of the same law over the same contacts in the same run.
 *
 * The plain loop is what one would write at once: scalar, contacts in their order, exact Coulomb. All do 50 sweeps from
 * zero impulses; the sequential sweep must end with the same impulses as the plain loop, the batched one, which has
 * another order, is compared by its residual.
 * Rates are the best of several alternating runs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/bed.h"
#include "bench/bench.h"
#include "bench/packing.h"
#include "bench/sweep_kinds.h"

enum { SWEEPS = 50, REPEATS = 5 };

/* What is swept: copies of the bed, or a pile. */
struct ground {
    const char *name;
    const struct bed *bed;
    const struct packing *pile; /* NULL: the bed */
    int tiles;                  /* of the bed */
};

struct times {                          /* s, the shortest of several runs that alternate */
    double plain, sequential, one, two; /* the last two: batched, threads */
    double unlike;                      /* of the first two */
};

struct plain_body {
    double v[3], inverse_mass, w[3], inverse_inertia;
};

struct plain_contact {
    int a, b;
    double n[3], arm_a, arm_b, m_n, m_t, bias, mu, p[3];
};

struct plain {
    struct plain_body *bodies;
    struct plain_contact *contacts;
    size_t body_count, contact_count;
};

static void plain_update(struct plain_contact *c, struct plain_body *a, struct plain_body *b) {
    double turn[3], u[3], t[3], d[3];
    for (int k = 0; k < 3; k++) turn[k] = c->arm_a * a->w[k] + c->arm_b * b->w[k];
    u[0] = b->v[0] - a->v[0] + c->n[1] * turn[2] - c->n[2] * turn[1];
    u[1] = b->v[1] - a->v[1] + c->n[2] * turn[0] - c->n[0] * turn[2];
    u[2] = b->v[2] - a->v[2] + c->n[0] * turn[1] - c->n[1] * turn[0];
    double u_n = u[0] * c->n[0] + u[1] * c->n[1] + u[2] * c->n[2];
    double p_n = c->p[0] * c->n[0] + c->p[1] * c->n[1] + c->p[2] * c->n[2];
    double trial = p_n - c->m_n * (u_n + c->bias), scale = 0.0;
    if (trial > 0.0) {
        double square = 0.0;
        for (int k = 0; k < 3; k++) {
            t[k] = c->p[k] - p_n * c->n[k] - c->m_t * (u[k] - u_n * c->n[k]);
            square += t[k] * t[k];
        }
        double hold = c->mu * trial;
        scale = square > hold * hold ? hold / sqrt(square) : 1.0;
    } else {
        trial = t[0] = t[1] = t[2] = 0.0;
    }
    for (int k = 0; k < 3; k++) {
        double solved = trial * c->n[k] + scale * t[k];
        d[k] = solved - c->p[k];
        c->p[k] = solved;
        a->v[k] -= a->inverse_mass * d[k];
        b->v[k] += b->inverse_mass * d[k];
    }
    double moment[3] = {c->n[1] * d[2] - c->n[2] * d[1], c->n[2] * d[0] - c->n[0] * d[2],
                        c->n[0] * d[1] - c->n[1] * d[0]};
    for (int k = 0; k < 3; k++) {
        a->w[k] -= c->arm_a * a->inverse_inertia * moment[k];
        b->w[k] -= c->arm_b * b->inverse_inertia * moment[k];
    }
}

/* The problem of the step that the simulation has just done, with zero impulses. */
static void plain_fill(struct plain *plain, const talus_sim *sim, const talus_contact *contacts) {
    talus_body_view view = talus_sim_bodies(sim);
    for (size_t i = 0; i < plain->body_count; i++) {
        bool grain = view.kind[i] == TALUS_BODY_GRAIN;
        double m = view.mass[i], r = view.radius[i];
        plain->bodies[i] = (struct plain_body){{0, 0, grain ? -9.81 * bed_dt : 0.0},
                                               grain ? 1.0 / m : 0.0,
                                               {0, 0, 0},
                                               grain ? 1.0 / (0.4 * m * r * r) : 0.0};
    }
    for (size_t k = 0; k < plain->contact_count; k++) {
        const talus_contact *from = &contacts[k];
        const struct plain_body *a = &plain->bodies[from->a], *b = &plain->bodies[from->b];
        bool wall = view.kind[from->b] == TALUS_BODY_BOUNDARY;
        double gap = from->gap, arm_a = view.radius[from->a] + 0.5 * gap;
        double arm_b = wall ? 0.0 : view.radius[from->b] + 0.5 * gap;
        double w_n = a->inverse_mass + b->inverse_mass;
        double w_t = w_n + arm_a * arm_a * a->inverse_inertia + arm_b * arm_b * b->inverse_inertia;
        plain->contacts[k] =
            (struct plain_contact){from->a,
                                   from->b,
                                   {from->normal.x, from->normal.y, from->normal.z},
                                   arm_a,
                                   arm_b,
                                   1.0 / w_n,
                                   1.0 / w_t,
                                   gap > 0.0 ? gap / bed_dt : 0.0,
                                   bed_mu,
                                   {0, 0, 0}};
    }
}

static double plain_sweeps(struct plain *plain) {
    double start = bench_seconds();
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (size_t k = 0; k < plain->contact_count; k++) {
            struct plain_contact *c = &plain->contacts[k];
            plain_update(c, &plain->bodies[c->a], &plain->bodies[c->b]);
        }
    return bench_seconds() - start;
}

/* Largest difference of an impulse between the two, over the largest impulse. */
static double difference(const struct plain *plain, const talus_contact *contacts) {
    double worst = 0.0, largest = 0.0;
    for (size_t k = 0; k < plain->contact_count; k++) {
        const double *p = plain->contacts[k].p;
        talus_vec3 f = contacts[k].force;
        double dx = p[0] - bed_dt * f.x, dy = p[1] - bed_dt * f.y, dz = p[2] - bed_dt * f.z;
        worst = fmax(worst, sqrt(dx * dx + dy * dy + dz * dz));
        largest = fmax(largest, sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]));
    }
    return worst / largest;
}

static talus_solver_config sweep_solver(talus_sweep sweep) {
    talus_solver_config solver = talus_solver_plain();
    solver.sweep = sweep;
    solver.sweeps = SWEEPS;
    solver.warm_start = false;
    return solver;
}

static talus_status make(const struct ground *ground, const talus_solver_config *solver,
                         talus_sim **out, talus_error *err) {
    if (ground->pile != NULL) return packing_make(ground->pile, bed_mu, solver, out, err);
    return bed_tile(ground->bed, ground->tiles, solver, out, err);
}

static int64_t count(const struct ground *ground) {
    if (ground->pile != NULL) return (int64_t)ground->pile->count;
    return (int64_t)BED_GRAINS * ground->tiles * ground->tiles;
}

/* Seconds of the solver for the same 50 sweeps, on a new copy. */
static talus_status ours(const struct ground *ground, talus_sweep sweep, int threads,
                         talus_sim **out, talus_step_report *report, talus_error *err) {
    talus_solver_config solver = sweep_solver(sweep);
    talus_status status = make(ground, &solver, out, err);
    if (status >= 0) status = talus_sim_set_threads(*out, threads, err);
    if (status >= 0) status = talus_sim_step(*out, report, err);
    return status;
}

/* One run; `seconds` keeps the shortest. */
static talus_status time_one(const struct ground *ground, talus_sweep sweep, int threads,
                             double *seconds, talus_step_report *report, talus_error *err) {
    talus_sim *sim = NULL;
    talus_status status = ours(ground, sweep, threads, &sim, report, err);
    talus_sim_destroy(sim);
    if (status >= 0) *seconds = fmin(*seconds, report->seconds_solve);
    return status;
}

/* The batched sweep, on one thread and on two, against the plain loop. */
static void tell_batched(struct bench_run *run, const struct ground *ground,
                         const struct times *times, const talus_step_report *report) {
    double updates = 1e-6 * (double)report->contacts * SWEEPS;
    bench_case(run, ground->name, count(ground), report->contacts, report->residual);
    bench_figure(run, "batched", updates / times->one, "M contacts/s");
    bench_figure(run, "batched, 2 threads", updates / times->two, "M contacts/s");
    bench_ratio(run, "ratio_plain", times->plain / times->one, "plain loop");
    if (report->contacts <= 200000) bench_goal(run, BENCH_AT_LEAST, 2.4);
    if (report->contacts >= 900000) bench_goal(run, BENCH_AT_LEAST, 1.5);
    bench_ratio(run, "ratio_threads", times->one / times->two, "1 thread");
    if (report->contacts >= 20000) bench_goal(run, BENCH_AT_LEAST, 1.85);
}

/* The rate of another order of the sweep, as a case of its own with its own residual. */
static talus_status measure_order(struct bench_run *run, const struct ground *ground,
                                  talus_sweep sweep, const char *name, talus_error *err) {
    talus_step_report report = {0};
    double best = HUGE_VAL;
    talus_status status = TALUS_OK;
    for (int repeat = 0; repeat < REPEATS && status >= 0; repeat++)
        status = time_one(ground, sweep, 1, &best, &report, err);
    if (status < 0) return status;
    bench_case(run, ground->name, count(ground), report.contacts, report.residual);
    bench_figure(run, name, 1e-6 * (double)report.contacts * SWEEPS / best, "M contacts/s");
    return TALUS_OK;
}

/* Every law at once, on the same bed: rolling, torsion, cohesion, restitution, two friction coefficients. */
static const talus_pair_law all_laws = {
    .mu_static = 0.6,
    .mu_sliding = 0.5,
    .rolling = {.coefficient = 0.1},
    .torsion = {.coefficient = 0.05},
    .cohesion = {.force = 0.05, .range = 0.01},
    .restitution = {.normal = 0.5, .tangential = 0.2},
};

/* Contact updates a second in the steps of a run: impulses carried over, best of the last steps. A step in
 * which static friction gives way is solved again, which counts as more updates. */
enum { RUN_STEPS = 30, RUN_COUNTED = 10 };

static talus_status run_rate(const struct ground *ground, const talus_pair_law *law, double *rate,
                             talus_step_report *report, talus_error *err) {
    talus_sim *sim = NULL;
    talus_solver_config solver = sweep_solver(TALUS_SWEEP_SEQUENTIAL);
    solver.warm_start = true;
    talus_status status = make(ground, &solver, &sim, err);
    if (status >= 0 && law != NULL) status = talus_pair_set(sim, 0, 0, law, err);
    for (int step = 0; step < RUN_STEPS && status >= 0; step++) {
        status = talus_sim_step(sim, report, err);
        if (step < RUN_STEPS - RUN_COUNTED) continue;
        double updates = (double)report->contacts * SWEEPS * report->rounds;
        *rate = fmax(*rate, 1e-6 * updates / report->seconds_solve);
    }
    talus_sim_destroy(sim);
    return status;
}

/* All laws against plain Coulomb friction: in the steps of a run, and from zero impulses, when nearly every
 * contact is at one of its limits. */
static talus_status measure_laws(struct bench_run *run, const struct ground *ground,
                                 double plain_cold, talus_error *err) {
    double laws_cold = 0.0, plain_warm = 0.0, laws_warm = 0.0;
    talus_pair_law cold_laws = all_laws;
    cold_laws.mu_static =
        cold_laws.mu_sliding; /* or most contacts change state, round after round */
    talus_step_report report = {0};
    talus_status status = TALUS_OK;
    for (int repeat = 0; repeat < REPEATS && status >= 0; repeat++) {
        talus_sim *sim = NULL;
        talus_solver_config solver = sweep_solver(TALUS_SWEEP_SEQUENTIAL);
        status = make(ground, &solver, &sim, err);
        if (status >= 0) status = talus_pair_set(sim, 0, 0, &cold_laws, err);
        if (status >= 0) status = talus_sim_step(sim, &report, err);
        talus_sim_destroy(sim);
        double updates = (double)report.contacts * SWEEPS * report.rounds;
        if (status >= 0) laws_cold = fmax(laws_cold, 1e-6 * updates / report.seconds_solve);
    }
    if (status < 0) return status;
    int64_t grains = count(ground);
    bench_case(run, "all laws, cold", grains, report.contacts, report.residual);
    bench_figure(run, "all laws", laws_cold, "M contacts/s");
    bench_ratio(run, "ratio_laws_cold", laws_cold / plain_cold, "plain Coulomb friction");
    status = run_rate(ground, NULL, &plain_warm, &report, err);
    if (status >= 0) status = run_rate(ground, &all_laws, &laws_warm, &report, err);
    if (status < 0) return status;
    bench_case(run, "all laws, in a run", grains, report.contacts, report.residual);
    bench_figure(run, "Coulomb friction", plain_warm, "M contacts/s");
    bench_figure(run, "all laws", laws_warm, "M contacts/s");
    bench_ratio(run, "ratio_laws", laws_warm / plain_warm, "plain Coulomb friction");
    return TALUS_OK;
}

/* The sequential sweep and the plain loop on the same contacts. */
static talus_status time_plain(const struct ground *ground, struct times *times,
                               talus_step_report *report, talus_error *err) {
    talus_sim *sim = NULL;
    talus_status status = ours(ground, TALUS_SWEEP_SEQUENTIAL, 1, &sim, report, err);
    if (status < 0) {
        talus_sim_destroy(sim);
        return status;
    }
    struct plain plain = {.body_count = talus_sim_bodies(sim).count,
                          .contact_count = talus_sim_contacts(sim, NULL, 0)};
    talus_contact *contacts = malloc(plain.contact_count * sizeof *contacts);
    plain.bodies = malloc(plain.body_count * sizeof *plain.bodies);
    plain.contacts = malloc(plain.contact_count * sizeof *plain.contacts);
    bool good = contacts != NULL && plain.bodies != NULL && plain.contacts != NULL;
    if (good) {
        talus_sim_contacts(sim, contacts, plain.contact_count);
        plain_fill(&plain, sim, contacts);
        times->plain = fmin(times->plain, plain_sweeps(&plain));
        times->sequential = fmin(times->sequential, report->seconds_solve);
        times->unlike = difference(&plain, contacts);
    }
    free(contacts);
    free(plain.bodies);
    free(plain.contacts);
    talus_sim_destroy(sim);
    return good ? TALUS_OK : TALUS_ERR_MEMORY;
}

/* Small ones are over in milliseconds, in which anything may come between. */
enum { SMALL = 100000, REPEATS_SMALL = 20 };

/* `with_others`: also other orders, and other laws. */
static talus_status compare(struct bench_run *run, const struct ground *ground, bool with_others,
                            talus_error *err) {
    struct times times = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL, 0.0};
    talus_step_report report = {0}, batched = {0};
    int repeats = count(ground) < SMALL ? REPEATS_SMALL : REPEATS;
    talus_status status = TALUS_OK;
    for (int repeat = 0; repeat < repeats && status >= 0; repeat++) {
        status = time_plain(ground, &times, &report, err);
        if (status >= 0)
            status = time_one(ground, TALUS_SWEEP_BATCHED, 1, &times.one, &batched, err);
        if (status >= 0)
            status = time_one(ground, TALUS_SWEEP_BATCHED, 2, &times.two, &batched, err);
    }
    if (status < 0) return status;
    double updates = 1e-6 * (double)report.contacts * SWEEPS;
    bench_case(run, ground->name, count(ground), report.contacts, report.residual);
    bench_figure(run, "sequential", updates / times.sequential, "M contacts/s");
    bench_figure(run, "plain loop", updates / times.plain, "M contacts/s");
    bench_figure(run, "difference of impulses", times.unlike, "of the largest");
    bench_ratio(run, "ratio_sequential", times.plain / times.sequential, "plain loop");
    tell_batched(run, ground, &times, &batched);
    if (!with_others) return TALUS_OK;
    status = measure_laws(run, ground, updates / times.sequential, err);
    if (status < 0) return status;
    status = measure_order(run, ground, TALUS_SWEEP_WINDOWED, "windowed", err);
    if (status < 0) return status;
    return measure_order(run, ground, TALUS_SWEEP_RANDOM, "random", err);
}

static talus_status measure_beds(struct bench_run *run, talus_error *err) {
    static struct bed bed;
    const int tiles[] = {1, 4, 10, 20};
    talus_status status = bed_settle(&bed, err);
    for (size_t k = 0; k < (run->quick ? 2 : 4) && status >= 0; k++) {
        const struct ground ground = {.name = "bed at rest, cold", .bed = &bed, .tiles = tiles[k]};
        status = compare(run, &ground, tiles[k] < 20, err);
    }
    return status < 0 ? status : sweep_kinds_measure(run, &bed, err);
}

static talus_status measure_pile(struct bench_run *run, const char *file, int tiles,
                                 talus_error *err) {
    char path[1024];
    struct packing pile, many = {0};
    snprintf(path, sizeof path, "%s/%s", run->data, file);
    talus_status status = packing_read(&pile, path, err);
    if (status < 0) return status;
    status = packing_tile(&many, &pile, tiles, err);
    const struct ground ground = {.name = "pile, cold", .pile = &many};
    if (status >= 0) status = compare(run, &ground, false, err);
    packing_free(&pile);
    packing_free(&many);
    return status;
}

/* Piles of the directory of --data, the last one also in copies side by side. */
static talus_status measure(struct bench_run *run, talus_error *err) {
    const struct {
        const char *file;
        int tiles;
    } piles[] = {{"pile_1000.txt", 1},
                 {"pile_8000.txt", 1},
                 {"pile_27000.txt", 1},
                 {"pile_27000.txt", 2},
                 {"pile_27000.txt", 4}};
    talus_status status = TALUS_OK;
    for (size_t k = 0; run->data != NULL && k < 5 && status >= 0; k++)
        status = measure_pile(run, piles[k].file, piles[k].tiles, err);
    return status < 0 ? status : measure_beds(run, err);
}

const struct bench sweep_bench = {
    .name = "sweep",
    .summary =
        "contact updates a second of the solver's sweep, and of a plain loop of the same law",
    .measure = measure,
};
