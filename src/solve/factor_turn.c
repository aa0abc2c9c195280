/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/factor_turn.h"

#include <limits.h>
#include <math.h>

#include "math/block_lu.h"
#include "solve/delassus_proximal.h"
#include "solve/step_matrix.h"

/* Operations of a factorisation in the time that the visit of a contact takes. */
static const double flops_per_visit = 40.0;
/* It takes more than one proximal step to begin with, and each some of Newton's. */
enum { STEPS_LEAST = 8 };
/* No matrix is made to find that it is too large: neither with so many blocks, nor of so many contacts for each sweep. */
enum { BLOCKS_PER_CONTACT = 64, CONTACTS_PER_SWEEP = 50 };

static int sweeps_of(double sweeps) {
    return sweeps < INT_MAX / 2 ? (int)ceil(sweeps) : INT_MAX / 2;
}

static void walk_on(struct delassus_walk *walk, const struct step_matrix *form,
                    struct problem *problem, struct factor_limits limits,
                    struct factor_report *report) {
    const struct block_lu *lu = delassus_proximal_lu(&walk->run);
    if (lu == NULL) return;
    double step = lu->flops / (flops_per_visit * (double)form->count) + 2.0;
    if (STEPS_LEAST * step > limits.sweeps) return;
    delassus_proximal_start(&walk->run, form->impulses);
    talus_solve_config config = talus_solve_config_default();
    struct delassus_limits turn = {.tolerance = limits.tolerance,
                                   .deadline = HUGE_VAL, /* or the bits would depend on the clock */
                                   .iterations = (int64_t)(limits.sweeps / step),
                                   .config = &config};
    delassus_go_on(walk, &turn);
    if (walk->run.iterations == 0) return;
    report->steps = (int)walk->run.iterations;
    report->sweeps = sweeps_of(step * report->steps);
    if (!walk->lost || isfinite(walk->measure.rank)) step_matrix_put(form, problem, walk->best);
}

struct factor_report factor_turn(struct problem *problem, struct factor_limits limits) {
    struct memory memory = {0};
    struct step_matrix form = {0};
    struct delassus_walk walk = {0};
    struct factor_report report = {0};
    size_t most = BLOCKS_PER_CONTACT * problem->contact_count;
    if (limits.sweeps < STEPS_LEAST ||
        problem->contact_count / CONTACTS_PER_SWEEP > (size_t)limits.sweeps)
        return report;
    bool good = step_matrix_make(&form, &memory, problem, most) && form.fits;
    if (good && delassus_begin(&walk, &delassus_proximal, &form.matrix, &memory, NULL))
        walk_on(&walk, &form, problem, limits, &report);
    delassus_end(&walk);
    step_matrix_free(&form);
    return report;
}
