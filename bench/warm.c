/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/warm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/cold.h"

static talus_status out_of_memory(talus_error *err) {
    if (err != NULL) {
        err->status = TALUS_ERR_MEMORY;
        snprintf(err->text, sizeof err->text, "out of memory");
    }
    return TALUS_ERR_MEMORY;
}

/* Solvers that are compared. Momentum across steps is for slow flows. */
enum { PLAIN, MOMENTUM, CARRY, SOLVERS };
static const char *const solver_names[SOLVERS] = {"nsgs", "nnsgs", "nnsgs carry 0.4"};

static talus_solver_config flow_solver(int which, int sweeps) {
    talus_solver_config solver = talus_solver_plain();
    solver.name = which == PLAIN ? "nsgs" : "nnsgs";
    if (which == CARRY) solver.carry = 0.4;
    solver.sweep = TALUS_SWEEP_BATCHED;
    solver.sweeps = sweeps;
    return solver;
}

static talus_status do_steps(talus_sim *sim, int steps, talus_error *err) {
    talus_status status = TALUS_OK;
    for (int step = 0; step < steps && status >= 0; step++) status = talus_sim_step(sim, NULL, err);
    return status;
}

/* ---- three flows ----------------------------------------------------------------------------- */

enum { RUNGS = 6 };

struct flow {
    const char *name;
    struct packing_plan plan;
    double mu;
    int lead, steps;  /* well solved before the measured ones */
    double per;       /* strain or angle in these: what growth is divided by. 0: judged by forces */
    const char *unit; /* of the growth */
    const int (*rungs)[RUNGS]; /* sweeps per step of nsgs, and with momentum */
    int compared, judged;      /* accuracies are those of nsgs at these rungs */
    double goal;               /* seconds of nsgs over those of the others, at the last of them */
    talus_status (*start)(const struct flow *flow, const struct packing *packing, talus_sim **sim,
                          talus_error *err);
    talus_status (*drive)(talus_sim *sim, int step, talus_error *err); /* before a step; or NULL */
};

static const double pressure = 1.0, box_dt = 0.1, strain_rate = 1e-4; /* N/m, s, 1/s */

static talus_status add_plate(talus_sim *sim, const char *name, talus_vec3 point, talus_vec3 normal,
                              double force, talus_error *err) {
    talus_boundary_def def = talus_boundary_def_default();
    def.name = name;
    def.point = point;
    def.normal = normal;
    def.free.mass = force; /* of a layer of grains, nearly */
    def.free.direction = normal;
    def.free.force.mean = force;
    return talus_boundary_add(sim, &def, err);
}

/* Pressed from above and from the right until it rests; then the top comes down. */
static talus_status start_biaxial(const struct flow *flow, const struct packing *packing,
                                  talus_sim **out, talus_error *err) {
    talus_solver_config solver = flow_solver(MOMENTUM, 100);
    double width = packing->width, top = packing_height(packing) + 0.6;
    talus_status status = packing_make(packing, flow->mu, &solver, out, err);
    if (status < 0) return status;
    talus_sim *sim = *out;
    status = talus_sim_set_gravity(sim, (talus_vec3){0, 0, 0}, err);
    if (status >= 0) status = talus_sim_set_dt(sim, box_dt, err);
    if (status >= 0) status = talus_boundary_remove(sim, "right", err);
    if (status >= 0)
        status = add_plate(sim, "piston", (talus_vec3){width, 0, 0}, (talus_vec3){-1, 0, 0},
                           pressure * top, err);
    if (status >= 0)
        status = add_plate(sim, "top", (talus_vec3){0, top, 0}, (talus_vec3){0, -1, 0},
                           pressure * width, err);
    if (status >= 0) status = do_steps(sim, 400, err);
    if (status < 0) return status;
    talus_free_motion none = {.mass = 0.0};
    talus_motion down = {.velocity = {0, -strain_rate * top, 0}};
    status = talus_boundary_set_free(sim, "top", &none, err);
    if (status >= 0) status = talus_boundary_set_motion(sim, "top", &down, err);
    return status;
}

static talus_status start_tilt(const struct flow *flow, const struct packing *packing,
                               talus_sim **out, talus_error *err) {
    talus_solver_config solver = flow_solver(MOMENTUM, 100);
    return packing_make(packing, flow->mu, &solver, out, err);
}

static const double tilt_per_step = 0.005; /* rad */

static talus_status turn_gravity(talus_sim *sim, int step, talus_error *err) {
    double angle = tilt_per_step * step;
    talus_vec3 gravity = {packing_gravity * sin(angle), 0.0, -packing_gravity * cos(angle)};
    return talus_sim_set_gravity(sim, gravity, err);
}

static talus_status start_dam(const struct flow *flow, const struct packing *packing,
                              talus_sim **out, talus_error *err) {
    talus_solver_config solver = flow_solver(MOMENTUM, 100);
    talus_status status = packing_make(packing, flow->mu, &solver, out, err);
    if (status >= 0) status = do_steps(*out, 10, err);
    return status < 0 ? status : talus_boundary_remove(*out, "right", err);
}

/* ---- one run --------------------------------------------------------------------------------- */

struct outcome {
    double seconds;  /* of a step */
    double accuracy; /* growth of the mean overlap, or error of the forces */
    struct cold_point last;
};

static talus_status flow_step(const struct flow *flow, talus_sim *sim, int step,
                              talus_step_report *report, talus_error *err) {
    talus_status status = TALUS_OK;
    if (flow->drive != NULL) status = flow->drive(sim, step, err);
    return status < 0 ? status : talus_sim_step(sim, report, err);
}

/* Well solved up to where the measurement starts, then by the solver that is measured. */
static talus_status begin(const struct flow *flow, const struct packing *packing,
                          const talus_solver_config *solver, talus_sim **sim, talus_error *err) {
    talus_status status = flow->start(flow, packing, sim, err);
    for (int step = 0; step < flow->lead && status >= 0; step++)
        status = flow_step(flow, *sim, step, NULL, err);
    return status < 0 ? status : talus_sim_set_solver(*sim, solver, err);
}

/* One of the `steps` measured ones. */
static talus_status measured_step(const struct flow *flow, talus_sim *sim, int step, int steps,
                                  struct outcome *out, talus_error *err) {
    talus_step_report report = {0};
    talus_status status = flow_step(flow, sim, flow->lead + step, &report, err);
    out->seconds += (report.seconds_build + report.seconds_solve) / steps;
    out->last.fallbacks += report.fallbacks;
    out->last.restarts += report.restarts;
    out->last.sweeps = report.sweeps;
    out->last.contacts = report.contacts;
    return status;
}

static talus_status run_steps(const struct flow *flow, talus_sim *sim, int steps,
                              struct outcome *out, talus_error *err) {
    talus_status status = TALUS_OK;
    for (int step = 0; step < steps && status >= 0; step++)
        status = measured_step(flow, sim, step, steps, out, err);
    return status;
}

/* ---- overlaps -------------------------------------------------------------------------------- */

/* By how much the overlaps of contacts that press have grown in the last step, in the mean: by nothing if forces were exact. The
 * mean overlap itself also changes with contacts that open and new ones. */
static double growth_of(const talus_sim *sim, double dt, talus_contact *contacts, size_t count) {
    talus_body_view bodies = talus_sim_bodies(sim);
    double sum = 0.0;
    size_t pressing = 0;
    talus_sim_contacts(sim, contacts, count);
    for (size_t k = 0; k < count; k++) {
        const talus_contact *at = &contacts[k];
        talus_vec3 n = at->normal, va = bodies.velocity[at->a], vb = bodies.velocity[at->b];
        if (!(at->force.x * n.x + at->force.y * n.y + at->force.z * n.z > 0.0)) continue;
        double opening = (vb.x - va.x) * n.x + (vb.y - va.y) * n.y + (vb.z - va.z) * n.z;
        sum -= opening * dt + fmax(at->gap, 0.0);
        pressing++;
    }
    return pressing > 0 ? sum / (double)pressing : 0.0;
}

static talus_status add_growth(const talus_sim *sim, double dt, double *growth, talus_error *err) {
    size_t count = talus_sim_contacts(sim, NULL, 0);
    talus_contact *contacts = malloc((count + 1) * sizeof *contacts);
    if (contacts == NULL) return out_of_memory(err);
    *growth += growth_of(sim, dt, contacts, count);
    free(contacts);
    return TALUS_OK;
}

static talus_status run_slow(const struct flow *flow, const struct packing *packing,
                             const talus_solver_config *solver, struct outcome *out,
                             talus_error *err) {
    talus_sim *sim = NULL;
    talus_status status = begin(flow, packing, solver, &sim, err);
    for (int step = 0; step < flow->steps && status >= 0; step++) {
        double start = talus_sim_time(sim);
        status = measured_step(flow, sim, step, flow->steps, out, err);
        if (status >= 0) status = add_growth(sim, talus_sim_time(sim) - start, &out->accuracy, err);
    }
    if (status >= 0) status = talus_sim_measures(sim, &out->last.measures, err);
    out->accuracy /= flow->per * packing_diameter(packing);
    talus_sim_destroy(sim);
    return status;
}

/* ---- forces ---------------------------------------------------------------------------------- */

static talus_solver_config best_solver(void) {
    talus_solver_config best = flow_solver(MOMENTUM, 50);
    best.stop = TALUS_STOP_BALANCE;
    best.tolerance = 1e-5;
    best.max_sweeps = 5000;
    return best;
}

/* The velocities after so many steps, the last one solved to the end. */
static talus_status find_answer(const struct flow *flow, const struct packing *packing,
                                const talus_solver_config *solver, int steps, talus_vec3 *answer,
                                talus_error *err) {
    talus_solver_config best = best_solver();
    talus_sim *sim = NULL;
    struct outcome ignored = {0};
    talus_status status = begin(flow, packing, solver, &sim, err);
    if (status >= 0) status = run_steps(flow, sim, steps - 1, &ignored, err);
    if (status >= 0) status = talus_sim_set_solver(sim, &best, err);
    if (status >= 0) status = run_steps(flow, sim, 1, &ignored, err);
    if (status >= 0) {
        talus_body_view view = talus_sim_bodies(sim);
        memcpy(answer, view.velocity + (view.count - packing->count),
               packing->count * sizeof *answer);
    }
    talus_sim_destroy(sim);
    return status;
}

/* One step against the same step, from the same state and first guess, solved to the end. */
static talus_status judge_step(const struct flow *flow, const struct packing *packing,
                               const talus_solver_config *solver, int steps, struct outcome *out,
                               talus_error *err) {
    talus_sim *sim = NULL;
    talus_vec3 *answer = malloc(packing->count * sizeof *answer);
    if (answer == NULL) return out_of_memory(err);
    talus_status status = find_answer(flow, packing, solver, steps, answer, err);
    if (status >= 0) status = begin(flow, packing, solver, &sim, err);
    if (status >= 0) status = run_steps(flow, sim, steps, out, err);
    if (status >= 0) status = talus_sim_measures(sim, &out->last.measures, err);
    if (status >= 0) status = cold_error(packing, sim, answer, &out->accuracy, err);
    free(answer);
    talus_sim_destroy(sim);
    return status;
}

enum { INSTANTS = 8 }; /* with four the noise of single steps decides */

static talus_status run_fast(const struct flow *flow, const struct packing *packing,
                             const talus_solver_config *solver, struct outcome *out,
                             talus_error *err) {
    double square = 0.0;
    talus_status status = TALUS_OK;
    for (int k = 1; k <= INSTANTS && status >= 0; k++) {
        *out = (struct outcome){0};
        status = judge_step(flow, packing, solver, k * flow->steps / INSTANTS, out, err);
        square += out->accuracy * out->accuracy / INSTANTS;
    }
    out->accuracy = sqrt(square);
    return status;
}

/* ---- costs at equal accuracy ----------------------------------------------------------------- */

/* Of the costs at the rungs, the one at which the accuracy is as wanted for good: straight in logarithms from the last rung
 * that is worse to the next. False: no rung is good enough, or the first one is already. */
static bool cost_at(const double accuracy[RUNGS], const double cost[RUNGS], double wanted,
                    double *out) {
    int worse = -1;
    for (int k = 0; k < RUNGS; k++)
        if (accuracy[k] > wanted) worse = k;
    if (worse < 0 || worse == RUNGS - 1) return false;
    double better = fmax(accuracy[worse + 1], 0.1 * wanted); /* growth may come out negative */
    double share = log(accuracy[worse] / wanted) / log(accuracy[worse] / better);
    *out = cost[worse] * pow(cost[worse + 1] / cost[worse], share);
    return true;
}

struct ladder {
    double accuracy[RUNGS], sweeps[RUNGS], seconds[RUNGS];
};

static talus_status climb(struct bench_run *run, const struct flow *flow,
                          const struct packing *packing, int which, struct ladder *ladder,
                          talus_error *err) {
    for (int k = 0; k < RUNGS; k++) {
        struct outcome found = {0};
        talus_solver_config solver = flow_solver(which, flow->rungs[which == PLAIN ? 0 : 1][k]);
        talus_status status =
            (flow->per > 0.0 ? run_slow : run_fast)(flow, packing, &solver, &found, err);
        if (status < 0) return status;
        ladder->accuracy[k] = found.last.error = found.accuracy;
        ladder->seconds[k] = found.last.seconds = found.seconds;
        ladder->sweeps[k] = found.last.sweeps;
        bench_case(run, flow->name, (int64_t)packing->count, found.last.contacts,
                   found.last.measures.residual);
        if (run->convergence != NULL)
            cold_row(run->convergence, flow->name, packing->count, solver_names[which],
                     &found.last);
    }
    return TALUS_OK;
}

/* At the accuracy of a rung of nsgs. False: not within the rungs of the other. */
static bool report(struct bench_run *run, const struct flow *flow, const struct ladder ladders[],
                   int which, int rung) {
    const struct ladder *plain = &ladders[PLAIN], *other = &ladders[which];
    double wanted = plain->accuracy[rung], sweeps, seconds;
    bench_figure(run, flow->per > 0.0 ? "overlap growth" : "force error", wanted,
                 flow->per > 0.0 ? flow->unit : "1");
    bench_figure(run, "nsgs sweeps", plain->sweeps[rung], "per step");
    char name[BENCH_NAME];
    if (!cost_at(other->accuracy, other->sweeps, wanted, &sweeps) ||
        !cost_at(other->accuracy, other->seconds, wanted, &seconds)) {
        bool at_once = other->accuracy[0] <= wanted;
        snprintf(name, sizeof name, "%s sweeps, %s than", solver_names[which],
                 at_once ? "less" : "more");
        bench_figure(run, name, other->sweeps[at_once ? 0 : RUNGS - 1], "per step");
        return false;
    }
    snprintf(name, sizeof name, "%s sweeps", solver_names[which]);
    bench_figure(run, name, sweeps, "per step");
    bench_ratio(run, "ratio_sweeps", plain->sweeps[rung] / sweeps, "nsgs");
    bench_ratio(run, "ratio_seconds", plain->seconds[rung] / seconds, "nsgs");
    return true;
}

static talus_status measure_flow(struct bench_run *run, const struct flow *flow, talus_error *err) {
    struct packing packing = {0};
    struct ladder ladders[SOLVERS];
    int solvers = flow->per > 0.0 ? SOLVERS : CARRY;
    talus_status status = packing_deposit(&packing, &flow->plan, err);
    if (status >= 0) status = packing_settle(&packing, 0.3, err);
    for (int which = PLAIN; which < solvers && status >= 0; which++)
        status = climb(run, flow, &packing, which, &ladders[which], err);
    for (int which = MOMENTUM; which < solvers && status >= 0; which++)
        for (int rung = flow->compared; rung <= flow->judged; rung++)
            if (report(run, flow, ladders, which, rung) && rung == flow->judged)
                bench_goal(run, BENCH_AT_LEAST, flow->goal);
    packing_free(&packing);
    return status;
}

static const int all_rungs[2][RUNGS] = {{20, 40, 80, 160, 320, 640}, {10, 20, 40, 60, 80, 160}};
/* With fewer a column of discs is not near its forces. */
static const int many_rungs[2][RUNGS] = {{40, 80, 160, 320, 640, 1280},
                                         {20, 40, 80, 160, 240, 320}};
/* Discs need long. */
enum { TILT_STEPS = 60, BIAXIAL_STEPS = 300 };

static struct flow biaxial(size_t discs) {
    return (struct flow){.name = "biaxial",
                         .plan = {2, discs, 1, true},
                         .mu = 0.5,
                         .lead = 50,
                         .steps = BIAXIAL_STEPS,
                         .per = BIAXIAL_STEPS * box_dt * strain_rate,
                         .unit = "d per unit strain",
                         .rungs = all_rungs,
                         .compared = 2,
                         .judged = 5,
                         .goal = 4.0,
                         .start = start_biaxial};
}

static struct flow tilt(size_t spheres) {
    return (struct flow){.name = "tilt",
                         .plan = {3, spheres, 1, true},
                         .mu = 0.5,
                         .lead = 10,
                         .steps = TILT_STEPS,
                         .per = TILT_STEPS * tilt_per_step,
                         .unit = "d per radian",
                         .rungs = all_rungs,
                         .compared = 2,
                         .judged = 5,
                         .goal = 4.0,
                         .start = start_tilt,
                         .drive = turn_gravity};
}

static struct flow dam_break(int dim, size_t grains) {
    return (struct flow){.name = dim == 2 ? "dam break of discs" : "dam break of spheres",
                         .plan = {dim, grains, 1, true},
                         .mu = 0.5,
                         .lead = 60,
                         .steps = 40,
                         .rungs = dim == 2 ? many_rungs : all_rungs,
                         .compared = dim == 2 ? 4 : 3,
                         .judged = dim == 2 ? 4 : 3,
                         .goal = 2.0,
                         .start = start_dam};
}

talus_status warm_measure(struct bench_run *run, talus_error *err) {
    const struct flow few[] = {biaxial(1000), tilt(1000), dam_break(3, 1000)};
    /* What momentum gains grows with the size. */
    const struct flow all[] = {biaxial(2000), biaxial(8000),      tilt(8000),
                               tilt(27000),   dam_break(2, 1000), dam_break(3, 2000)};
    const struct flow *flows = run->quick ? few : all;
    size_t count = run->quick ? sizeof few / sizeof few[0] : sizeof all / sizeof all[0];
    talus_status status = TALUS_OK;
    for (size_t k = 0; k < count && status >= 0; k++) status = measure_flow(run, &flows[k], err);
    return status;
}
