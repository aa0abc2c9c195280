/* SPDX-License-Identifier: Apache-2.0
 *
 * Piles of boxes: what detection costs for a pair of polyhedra and for a contact, what the solver costs for
 * a contact update, how deep boxes lie in each other at rest, how all this grows with n; and the same of
 * Bullet and Box2D (bench/peers) in the same run, from the same start.
 *
 * One contact update is one contact point, with its normal force and its friction, treated once. An
 * overlap is that of the contact points at the start of the last step over the side of a box: the largest
 * of all, the mean of those that bear a force. Times are those on a processor, of the shortest step.
 *
 * Two settings. Speed: 10 plain sweeps, as many as Bullet does by default, on the pile at rest. Overlaps at
 * equal time per step: sweeps with momentum and overlaps undone by projection, and the other engine gets as
 * many iterations as make its step as long as ours.
 */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "bench/bench.h"
#include "bench/peer.h"
#include "bench/pile.h"

enum { SETTLE = 800, REST = 300, TIMED = 20, PATH = 1024 };
enum { SWEEPS = 10, REST_SWEEPS = 50 };

/* A step was interrupted if it took longer by the wall clock than on the processor by more than this. */
static const double undisturbed = 1.03;

struct cost {    /* of one step, s */
    double step; /* on a processor */
    double mean; /* the same, of all steps that were timed */
    double wall, detect, build, solve;
    double updates, pairs, contacts, rounds;
    int undisturbed; /* steps timed without interruption */
    double overlap_max, overlap_mean;
    talus_step_report last;
};

static talus_solver_config speed_solver(void) {
    talus_solver_config solver = talus_solver_plain();
    solver.sweep = TALUS_SWEEP_SEQUENTIAL;
    solver.sweeps = SWEEPS;
    return solver;
}

static talus_solver_config rest_solver(void) {
    talus_solver_config solver = speed_solver();
    solver.name = "nnsgs";
    solver.sweeps = REST_SWEEPS;
    solver.gap = TALUS_GAP_PROJECTED;
    return solver;
}

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- our own cost ---------------------------------------------------------------------------- */

/* Candidates that one pair of boxes makes, one for each point it may touch at: two boxes alone. */
static talus_status candidates_of_pair(int dim, double *count, talus_error *err) {
    double up = 100.0; /* far from the floor */
    talus_vec3 position[2] = {{0.0, dim == 2 ? up : 0.0, dim == 3 ? up : 0.0}};
    talus_quat orientation[2] = {{1, 0, 0, 0}, {1, 0, 0, 0}};
    struct pile two = {.dim = dim, .count = 2, .position = position, .orientation = orientation};
    talus_solver_config solver = speed_solver();
    talus_sim *sim = NULL;
    talus_step_report report = {0};
    position[1] = position[0];
    position[1].x = 1.0;
    talus_status status = pile_make(&two, &solver, &sim, err);
    if (status >= 0) status = talus_sim_step(sim, &report, err);
    talus_sim_destroy(sim);
    *count = fmax(1.0, (double)report.candidates);
    return status;
}

static talus_status find_overlaps(const talus_sim *sim, double *largest, double *mean) {
    size_t count = talus_sim_contacts(sim, NULL, 0), closed = 0;
    talus_contact *contacts = malloc((count + 1) * sizeof *contacts);
    if (contacts == NULL) return TALUS_ERR_MEMORY;
    talus_sim_contacts(sim, contacts, count);
    *largest = *mean = 0.0;
    for (size_t k = 0; k < count; k++) {
        double overlap = fmax(0.0, -contacts[k].gap);
        talus_vec3 f = contacts[k].force;
        *largest = fmax(*largest, overlap);
        if (f.x == 0.0 && f.y == 0.0 && f.z == 0.0) continue;
        *mean += overlap;
        closed++;
    }
    if (closed > 0) *mean /= (double)closed;
    free(contacts);
    return TALUS_OK;
}

static void add_cost(struct cost *sum, const struct cost *one, double weight) {
    sum->step += weight * one->step;
    sum->wall += weight * one->wall;
    sum->detect += weight * one->detect;
    sum->build += weight * one->build;
    sum->solve += weight * one->solve;
    sum->updates += weight * one->updates;
    sum->contacts += weight * one->contacts;
    sum->rounds += weight * one->rounds;
}

static talus_status time_once(talus_sim *sim, struct cost *cost, talus_error *err) {
    double wall = bench_seconds(), start = processor_seconds();
    talus_step_report last;
    talus_status status = talus_sim_step(sim, &last, err);
    cost->step = processor_seconds() - start;
    cost->wall = bench_seconds() - wall;
    if (status < 0) return status;
    cost->detect = last.seconds_detect;
    cost->build = last.seconds_build;
    cost->solve = last.seconds_solve;
    cost->updates = (double)last.updates;
    cost->contacts = (double)last.contacts;
    cost->rounds = last.rounds;
    cost->last = last;
    return status;
}

/* The shortest step that nothing interrupted. If there is none, the mean of all with the share of the wall
 * clock that was ours. */
static talus_status time_steps(talus_sim *sim, int dim, struct cost *out, talus_error *err) {
    double candidates = 1.0;
    struct cost best = {.step = HUGE_VAL}, mean = {0};
    talus_status status = candidates_of_pair(dim, &candidates, err);
    for (int k = 0; k < TIMED && status >= 0; k++) {
        struct cost one = {0};
        status = time_once(sim, &one, err);
        add_cost(&mean, &one, 1.0 / TIMED);
        mean.last = one.last;
        if (one.wall > undisturbed * one.step) continue;
        mean.undisturbed++;
        if (one.step < best.step) best = one;
    }
    if (status < 0) return status;
    double share = mean.step / mean.wall;
    *out = mean.undisturbed > 0 ? best : mean;
    if (mean.undisturbed == 0) {
        out->detect *= share;
        out->build *= share;
        out->solve *= share;
    }
    out->undisturbed = mean.undisturbed;
    out->mean = mean.step;
    out->pairs = (double)out->last.candidates / candidates;
    return find_overlaps(sim, &out->overlap_max, &out->overlap_mean);
}

/* ---- the others ------------------------------------------------------------------------------ */

struct reference {
    const char *label, *program;
    const char *ratio_update, *ratio_max, *ratio_mean, *ratio_step;
    const char *ratio_solver; /* with what comes before and after the sweeps; may be NULL */
    int friction_rows;
};

static const struct reference bullet = {
    .label = "Bullet",
    .program = "bullet_boxes",
    .ratio_update = "ratio_bullet_update",
    .ratio_max = "ratio_bullet_penetration",
    .ratio_mean = "ratio_bullet_penetration_mean",
    .ratio_step = "ratio_bullet_step",
    .ratio_solver = "ratio_bullet_solver",
    .friction_rows = 1,
};
/* As many as our contacts have; by default Bullet makes one, along the sliding velocity. */
static const struct reference bullet_two_rows = {
    .label = "Bullet, two friction rows",
    .program = "bullet_boxes",
    .ratio_update = "ratio_bullet_update_2rows",
    .friction_rows = 2,
};
static const struct reference box2d = {
    .label = "Box2D",
    .program = "box2d_stack",
    .ratio_update = "ratio_box2d_update",
    .ratio_max = "ratio_box2d_penetration",
    .ratio_mean = "ratio_box2d_penetration_mean",
    .ratio_step = "ratio_box2d_step",
};

static void put_figure(struct bench_run *run, const struct reference *to, const char *what,
                       double value, const char *unit) {
    char name[BENCH_NAME];
    snprintf(name, sizeof name, "%s %s", to->label, what);
    bench_figure(run, name, value, unit);
}

/* With its default number of iterations: time of a contact update and of a step. */
static talus_status compare_speed(struct bench_run *run, const struct reference *to,
                                  struct peer_call call, const struct cost *ours,
                                  talus_error *err) {
    struct peer_figures found;
    call.friction_rows = to->friction_rows;
    talus_status status = peer_run(&call, &found, err);
    if (status < 0) return status;
    double update = ours->solve / ours->updates;
    put_figure(run, to, "update", 1e9 * found.update_seconds, "ns/contact update");
    bench_ratio(run, to->ratio_update, found.update_seconds / update, to->label);
    if (to->ratio_step == NULL) return TALUS_OK;
    put_figure(run, to, "contacts", found.contacts, "1");
    put_figure(run, to, "step", 1e3 * found.step_seconds, "ms");
    put_figure(run, to, "overlap_max", found.overlap_max, "of a side");
    put_figure(run, to, "overlap_mean", found.overlap_mean, "of a side");
    if (to->ratio_solver != NULL)
        bench_ratio(run, to->ratio_solver,
                    found.solver_seconds * ours->updates / (ours->build + ours->solve), to->label);
    bench_ratio(run, to->ratio_step, found.step_seconds / ours->step, to->label);
    return TALUS_OK;
}

/* The overlaps of boxes that another engine has left, found by our own detection. */
static talus_status measure_left(const struct pile *left, double *largest, talus_error *err) {
    talus_solver_config solver = speed_solver();
    talus_sim *sim = NULL;
    double mean;
    talus_status status = pile_make(left, &solver, &sim, err);
    if (status >= 0) status = talus_sim_step(sim, NULL, err);
    if (status >= 0) status = find_overlaps(sim, largest, &mean);
    talus_sim_destroy(sim);
    return status;
}

/* With as many iterations as make its step as long as ours: overlaps. */
static talus_status compare_overlap(struct bench_run *run, const struct reference *to,
                                    struct peer_call call, const struct cost *ours,
                                    talus_error *err) {
    struct peer_figures found;
    double largest = 0.0;
    call.friction_rows = to->friction_rows;
    call.seconds = ours->mean; /* the shortest step may have fewer rounds than others */
    talus_status status = peer_run(&call, &found, err);
    if (status >= 0) status = measure_left(call.end, &largest, err);
    if (status < 0) return status;
    put_figure(run, to, "iterations, equal time", found.iterations, "1");
    put_figure(run, to, "step, equal time", 1e3 * found.step_seconds, "ms");
    put_figure(run, to, "overlap_max, equal time", found.overlap_max, "of a side");
    put_figure(run, to, "overlap_mean, equal time", found.overlap_mean, "of a side");
    put_figure(run, to, "overlap_max, by Talus", largest, "of a side");
    put_figure(run, to, "speed_max, equal time", found.speed_max, "m/s");
    bench_ratio(run, to->ratio_max, found.overlap_max / ours->overlap_max, to->label);
    bench_ratio(run, to->ratio_mean, found.overlap_mean / ours->overlap_mean, to->label);
    return TALUS_OK;
}

/* ---- the piles ------------------------------------------------------------------------------- */

struct timed_pile {
    const char *scene;
    const struct pile *start;
    int settle; /* steps before the rest; 0: a stack */
    talus_sim *sim;
};

static void begin_case(struct bench_run *run, const struct timed_pile *pile,
                       const struct cost *cost) {
    bench_case(run, pile->scene, (int64_t)pile->start->count, cost->last.contacts,
               cost->last.residual);
}

static void print_speed(struct bench_run *run, const struct timed_pile *pile,
                        const struct cost *cost) {
    begin_case(run, pile, cost);
    bench_figure(run, "step", 1e3 * cost->step, "ms");
    bench_figure(run, "undisturbed", cost->undisturbed, "of 20 steps");
    bench_figure(run, "rounds of a step", cost->rounds, "1");
    bench_figure(run, "detect_pair", 1e9 * cost->detect / cost->pairs, "ns/candidate pair");
    bench_figure(run, "detect_contact", 1e9 * cost->detect / cost->contacts, "ns/contact");
    bench_figure(run, "update", 1e9 * cost->solve / cost->updates, "ns/contact update");
    bench_ratio(run, "share of detect", cost->detect / cost->step, "step");
    bench_ratio(run, "share of build", cost->build / cost->step, "step");
    bench_ratio(run, "share of solve", cost->solve / cost->step, "step");
}

static void print_rest(struct bench_run *run, const struct timed_pile *pile,
                       const struct cost *cost) {
    begin_case(run, pile, cost);
    bench_figure(run, "step, at rest, mean", 1e3 * cost->mean, "ms");
    bench_figure(run, "rounds of a step, at rest", cost->rounds, "1");
    bench_figure(run, "overlap_max", cost->overlap_max, "of a side");
    bench_figure(run, "overlap_mean", cost->overlap_mean, "of a side");
    bench_figure(run, "speed_max", cost->last.speed_max, "m/s");
}

static talus_status compare(struct bench_run *run, const struct timed_pile *pile,
                            const struct cost *rest, const struct cost *speed, talus_error *err) {
    const struct reference *to = pile->start->dim == 3 ? &bullet : &box2d;
    char path[PATH];
    struct pile end = {0};
    if (!peer_find(to->program, run->data, path, sizeof path)) {
        fprintf(stderr, "bench shapes: no %s; tools/setup peers && make -C bench/peers\n",
                to->label);
        return TALUS_OK;
    }
    struct peer_call call = {.path = path, .start = pile->start, .steps = pile->settle + REST};
    begin_case(run, pile, speed);
    talus_status status = compare_speed(run, to, call, speed, err);
    if (status >= 0 && to == &bullet)
        status = compare_speed(run, &bullet_two_rows, call, speed, err);
    if (status >= 0) status = pile_same(&end, pile->start, err);
    call.end = &end;
    begin_case(run, pile, rest);
    if (status >= 0) status = compare_overlap(run, to, call, rest, err);
    pile_free(&end);
    return status;
}

static talus_status run_steps(talus_sim *sim, int steps, talus_error *err) {
    talus_status status = TALUS_OK;
    for (int k = 0; k < steps && status >= 0; k++) status = talus_sim_step(sim, NULL, err);
    return status;
}

/* From the start to rest, what the rest costs, then what plain sweeps cost. */
static talus_status run_pile(struct timed_pile *pile, struct cost *rest, struct cost *speed,
                             talus_error *err) {
    talus_solver_config resting = rest_solver(), plain = speed_solver();
    talus_status status = pile_make(pile->start, &resting, &pile->sim, err);
    int steps = pile->settle + REST - TIMED;
    if (status >= 0) status = run_steps(pile->sim, steps, err);
    if (status >= 0) status = time_steps(pile->sim, pile->start->dim, rest, err);
    if (status >= 0) status = talus_sim_set_solver(pile->sim, &plain, err);
    if (status >= 0) status = time_steps(pile->sim, pile->start->dim, speed, err);
    return status;
}

/* The simulation is left for others to use. */
static talus_status measure_pile(struct bench_run *run, struct timed_pile *pile, talus_error *err) {
    struct cost rest = {0}, speed = {0};
    talus_status status = run_pile(pile, &rest, &speed, err);
    if (status < 0) return status;
    print_speed(run, pile, &speed);
    print_rest(run, pile, &rest);
    return compare(run, pile, &rest, &speed, err);
}

/* Copies of the heap side by side: the same packing with more boxes. */
static talus_status measure_growth(struct bench_run *run, const struct pile *heap,
                                   const talus_sim *settled, talus_error *err) {
    const int times[][2] = {{1, 1}, {4, 2}, {9, 3}};
    double first = 0.0;
    talus_status status = TALUS_OK;
    for (size_t k = 0; k < sizeof times / sizeof *times && status >= 0; k++) {
        struct pile copies = {0};
        struct cost cost = {0};
        talus_solver_config solver = speed_solver();
        talus_sim *sim = NULL;
        status = pile_copy(&copies, heap, settled, times[k], err);
        if (status >= 0) status = pile_make(&copies, &solver, &sim, err);
        if (status >= 0) status = time_steps(sim, heap->dim, &cost, err);
        if (status >= 0) {
            double n = (double)copies.count, each = (cost.detect + cost.build) / n;
            if (k == 0) first = each;
            bench_case(run, "heaps side by side", (int64_t)copies.count, cost.last.contacts,
                       cost.last.residual);
            bench_figure(run, "detect", 1e6 * cost.detect / n, "us/box");
            bench_figure(run, "build", 1e6 * cost.build / n, "us/box");
            bench_figure(run, "step", 1e6 * cost.step / n, "us/box");
            bench_ratio(run, "ratio_growth", each / first, "1000 boxes");
        }
        talus_sim_destroy(sim);
        pile_free(&copies);
    }
    return status;
}

static talus_status measure_heap(struct bench_run *run, talus_error *err) {
    struct pile start = {0};
    struct timed_pile pile = {.scene = "heap of boxes", .start = &start, .settle = SETTLE};
    talus_status status = pile_heap(&start, 10, err);
    if (status >= 0) status = measure_pile(run, &pile, err);
    if (status >= 0) status = measure_growth(run, &start, pile.sim, err);
    talus_sim_destroy(pile.sim);
    pile_free(&start);
    return status;
}

static talus_status measure_stack(struct bench_run *run, int dim, talus_error *err) {
    struct pile start = {0};
    struct timed_pile pile = {.scene = dim == 2 ? "pyramid, 2D" : "wall of boxes", .start = &start};
    talus_status status = dim == 2 ? pile_pyramid(&start, 44, err) : pile_wall(&start, 50, 20, err);
    if (status >= 0) status = measure_pile(run, &pile, err);
    talus_sim_destroy(pile.sim);
    pile_free(&start);
    return status;
}

static talus_status measure(struct bench_run *run, talus_error *err) {
    talus_status status = measure_heap(run, err);
    if (status >= 0) status = measure_stack(run, 3, err);
    if (status >= 0) status = measure_stack(run, 2, err);
    return status;
}

const struct bench shapes_bench = {
    .name = "shapes",
    .summary = "piles of boxes: detection, contact updates, overlaps; against Bullet and Box2D",
    .measure = measure,
};
