/* SPDX-License-Identifier: Apache-2.0
 *
 * Gear's predictor-corrector for r'' = f(r, r'), of order 3, 4 and 5 [Pena2009, appendix]. Kept are the derivatives
 * q_n = r^(n) dt^n/n!. The predictor is Taylor's series; with D = f dt^2/2 - q_2 predicted, the corrector adds
 * c_n D to each. The coefficients are those for forces that depend on the velocity.
 */
#include "scheme/implicit_euler.h"
#include "scheme/integrator.h"

enum { GEAR_TERMS = 3 + INTEGRATOR_MORE }; /* q_0 ... q_5 */

static const double coefficients[3][GEAR_TERMS] = {
    {1.0 / 6, 5.0 / 6, 1.0, 1.0 / 3, 0.0, 0.0},
    {19.0 / 90, 3.0 / 4, 1.0, 1.0 / 2, 1.0 / 12, 0.0},
    {3.0 / 16, 251.0 / 360, 1.0, 11.0 / 18, 1.0 / 6, 1.0 / 60},
};

/* q_n on from the old ones: binomial sums. q_0 is the way gone. */
static void taylor(vec3 q[GEAR_TERMS], int order) {
    for (int pass = 0; pass < order; pass++)
        for (int n = order - 1; n >= pass; n--) q[n] = vec3_add(q[n], q[n + 1]);
}

static void load(vec3 q[GEAR_TERMS], vec3 rate, vec3 second, const vec3 more[INTEGRATOR_MORE],
                 double dt) {
    q[0] = vec3_zero();
    q[1] = vec3_scale(dt, rate);
    q[2] = vec3_scale(0.5 * dt * dt, second);
    for (int n = 3; n < GEAR_TERMS; n++) q[n] = more[n - 3];
}

static void predict_one(struct world *world, talus_index body, struct soft_body *state,
                        struct soft_more *more, double dt, int order) {
    struct bodies *bodies = &world->bodies;
    struct soft_rates *rates = &state->rates;
    vec3 slide[GEAR_TERMS], turn[GEAR_TERMS];
    load(slide, bodies->velocity[body], rates->acceleration, more->slide, dt);
    load(turn, bodies->omega[body], rates->spin_rate, more->turn, dt);
    taylor(slide, order);
    taylor(turn, order);
    /* From where the last forces were found: the corrector has moved the body since. */
    state->shift = vec3_add(slide[0], more->slide_fix);
    state->turn = vec3_add(turn[0], more->turn_fix);
    bodies->velocity[body] = vec3_scale(1.0 / dt, slide[1]);
    bodies->omega[body] = vec3_scale(1.0 / dt, turn[1]);
    rates->acceleration = vec3_scale(2.0 / (dt * dt), slide[2]); /* to compare with */
    rates->spin_rate = vec3_scale(2.0 / (dt * dt), turn[2]);
    for (int n = 3; n < GEAR_TERMS; n++) {
        more->slide[n - 3] = slide[n];
        more->turn[n - 3] = turn[n];
    }
    euler_shift(world, body, slide[0], turn[0]);
}

static vec3 miss(vec3 now, vec3 predicted, double dt) {
    return vec3_scale(0.5 * dt * dt, vec3_sub(now, predicted));
}

static void correct_one(struct world *world, talus_index body, struct soft_body *state,
                        struct soft_more *more, const struct soft_rates *now, double dt,
                        int order) {
    struct bodies *bodies = &world->bodies;
    const double *c = coefficients[order - 3];
    vec3 slide = miss(now->acceleration, state->rates.acceleration, dt);
    vec3 turn = miss(now->spin_rate, state->rates.spin_rate, dt);
    vec3 shift = vec3_scale(c[0], slide), turned = vec3_scale(c[0], turn);
    bodies->velocity[body] = vec3_add_scaled(bodies->velocity[body], c[1] / dt, slide);
    bodies->omega[body] = vec3_add_scaled(bodies->omega[body], c[1] / dt, turn);
    for (int n = 3; n <= order; n++) {
        more->slide[n - 3] = vec3_add_scaled(more->slide[n - 3], c[n], slide);
        more->turn[n - 3] = vec3_add_scaled(more->turn[n - 3], c[n], turn);
    }
    state->shift = vec3_add(vec3_sub(state->shift, more->slide_fix), shift);
    state->turn = vec3_add(vec3_sub(state->turn, more->turn_fix), turned);
    more->slide_fix = shift;
    more->turn_fix = turned;
    state->rates = *now;
    euler_shift(world, body, shift, turned);
}

#define GEAR(number)                                                                              \
    static void predict_##number(struct world *world, const struct integrator_state *state,       \
                                 const talus_index *bodies, size_t count, double dt) {            \
        for (size_t k = 0; k < count; k++)                                                        \
            predict_one(world, bodies[k], &state->bodies[bodies[k]], &state->more[bodies[k]], dt, \
                        number);                                                                  \
    }                                                                                             \
    static void correct_##number(struct world *world, const struct integrator_state *state,       \
                                 const talus_index *bodies, const struct soft_rates *rates,       \
                                 size_t count, double dt) {                                       \
        for (size_t k = 0; k < count; k++)                                                        \
            correct_one(world, bodies[k], &state->bodies[bodies[k]], &state->more[bodies[k]],     \
                        &rates[k], dt, number);                                                   \
    }                                                                                             \
    const struct integrator_type integrator_gear##number = {                                      \
        .entry =                                                                                  \
            {"integrator", "gear" #number,                                                        \
             "Gear's predictor-corrector with derivatives up to order " #number,                  \
             "[Pena2009, appendix]",                                                              \
             "Positions and all derivatives are predicted by Taylor's series and corrected by "   \
             "what the accelerations turn out to be. Of high order while forces are smooth; "     \
             "each first touch is not.",                                                          \
             NULL, 0},                                                                            \
        .needs_more = true,                                                                       \
        .predict = predict_##number,                                                              \
        .correct = correct_##number,                                                              \
    };

GEAR(3)
GEAR(4)
GEAR(5)
