/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of the batched sweep against the laws of single contacts: the same contacts visited in the same order, with
 * momentum and without, at random contacts of every kind. Where the operations are the same the bits must be, which also says
 * that they do not depend on the width of the machine's vectors.
 */
#include "base/random.h"
#include "solve/solver.h"
#include "support.h"

enum { BODIES = 900, CONTACTS = 2400, MOBILITIES = 60, SWEEPS = 6 };

struct mixture {
    const char *name;
    double laws, skew; /* shares of contacts */
    bool plane;        /* everything in the plane z = 0 */
    bool hertz, kick;  /* limits that grow with the load; impulses thrown out of their laws */
};

static const struct mixture mixtures[] = {
    {.name = "plain"},
    {.name = "laws", .laws = 1.0},
    {.name = "laws, kicked", .laws = 1.0, .kick = true},
    {.name = "laws in the plane", .laws = 1.0, .plane = true},
    {.name = "Hertz", .laws = 1.0, .hertz = true},
    {.name = "shapes", .skew = 1.0},
    {.name = "shapes, kicked", .skew = 1.0, .kick = true},
    {.name = "shapes in the plane", .skew = 1.0, .plane = true},
    {.name = "everything", .laws = 0.3, .skew = 0.4},
};
enum { MIXTURES = sizeof mixtures / sizeof mixtures[0] };

struct setup {
    struct solve_body bodies[BODIES], copies[BODIES];
    struct solve_contact contacts[CONTACTS];
    struct combined combined[CONTACTS];
    struct solve_general general[CONTACTS];
    struct solve_mobility mobilities[MOBILITIES];
    struct combined_impulse last[CONTACTS];
    int32_t turn_of[BODIES];
    struct problem problem;
    struct random random;
};

static double unit(struct setup *s) { /* 0..1 */
    return random_uniform(&s->random);
}

static double both(struct setup *s) { /* -1..1 */
    return 2.0 * unit(s) - 1.0;
}

static vec3 vector(struct setup *s, const struct mixture *mixture) {
    double x = both(s), y = both(s), z = both(s);
    return vec3_make(x, y, mixture->plane ? 0.0 : z);
}

static vec3 axial(struct setup *s, const struct mixture *mixture) { /* spins and torques */
    vec3 a = vector(s, &mixtures[0]);
    return mixture->plane ? vec3_make(0.0, 0.0, a.z) : a;
}

static bool one_in(struct setup *s, int n) {
    return unit(s) * n < 1.0;
}

static void make_bodies(struct setup *s, const struct mixture *mixture) {
    for (int k = 0; k < MOBILITIES; k++) {
        vec3 a = vector(s, mixture), b = vector(s, mixture);
        mat3 turns = mat3_diagonal(vec3_make(1.0, 2.0, 3.0));
        mat3 more = mat3_outer(2.0, a), most = mat3_outer(1.0, b);
        sym3 sum = sym3_add(sym3_of(&turns), sym3_add(sym3_of(&more), sym3_of(&most)));
        s->mobilities[k] = (struct solve_mobility){.inverse_inertia = sum, .slides_alike = true};
    }
    for (int i = 0; i < BODIES; i++) {
        bool fixed = one_in(s, 40);
        s->turn_of[i] = mixture->plane || fixed || one_in(s, 3) ? -1 : (int32_t)(i % MOBILITIES);
        s->bodies[i] = (struct solve_body){vector(s, mixture), fixed ? 0.0 : 0.5 + unit(s),
                                           axial(s, mixture), fixed ? 0.0 : 1.0 + 2.0 * unit(s)};
        if (one_in(s, 2) && !fixed) s->bodies[i].inverse_inertia = 2.0; /* many alike: kappa = 0 */
    }
}

static struct torque_limit some_limit(struct setup *s, const struct mixture *mixture) {
    struct torque_limit limit = {one_in(s, 4) ? 0.0 : 0.2 * unit(s), 0.0};
    if (mixture->hertz && one_in(s, 2)) limit.size = both(s);
    return limit;
}

static void make_law(struct setup *s, const struct mixture *mixture, struct combined *law) {
    *law = (struct combined){.torque = one_in(s, 3) ? vec3_zero() : axial(s, mixture),
                             .tension = one_in(s, 2) ? 0.0 : 0.3 * unit(s),
                             .rolling = some_limit(s, mixture),
                             .torsion = some_limit(s, mixture)};
    if (mixture->plane) law->torque.x = law->torque.y = 0.0;
    if (one_in(s, 5)) law->shift_t = 0.1 * both(s), law->shift_s = mixture->plane ? 0.0 : 0.1;
}

static void make_shape(struct setup *s, const struct mixture *mixture,
                       const struct solve_contact *contact, struct solve_general *general) {
    *general = (struct solve_general){.arm_a = vector(s, mixture),
                                      .arm_b = vector(s, mixture),
                                      .slide_a = -1,
                                      .slide_b = -1,
                                      .turn_a = s->turn_of[contact->a],
                                      .turn_b = s->turn_of[contact->b],
                                      .coupling = -1,
                                      .tangent = vec3_perpendicular(contact->normal)};
}

static void make_contacts(struct setup *s, const struct mixture *mixture) {
    for (int k = 0; k < CONTACTS; k++) {
        struct solve_contact *contact = &s->contacts[k];
        int a = (int)(unit(s) * BODIES), b = (a + 1 + (int)(unit(s) * 40)) % BODIES;
        vec3 n = vector(s, mixture);
        *contact = (struct solve_contact){.a = a,
                                          .b = b,
                                          .normal = vec3_scale(1.0 / vec3_norm(n), n),
                                          .arm_a = 0.5,
                                          .arm_b = one_in(s, 2) ? 0.5 : 0.5 * unit(s),
                                          .bias = one_in(s, 3) ? unit(s) : 0.0,
                                          .mu = one_in(s, 10) ? 0.0 : unit(s),
                                          .impulse = vec3_scale(0.2, vector(s, mixture)),
                                          .general = -1,
                                          .combined = -1};
        if (one_in(s, 20)) contact->bias = HUGE_VAL;
        if (one_in(s, 4)) contact->impulse = vec3_zero();
        double kind = unit(s);
        if (kind < mixture->laws) {
            make_law(s, mixture, &s->combined[k]);
            contact->combined = k;
        } else if (kind < mixture->laws + mixture->skew) {
            make_shape(s, mixture, contact, &s->general[k]);
            contact->general = k;
        }
        problem_prepare(&s->problem, contact);
    }
}

static void make(struct setup *s, const struct mixture *mixture) {
    s->random = random_start(7, RANDOM_SWEEP, 1, 1);
    s->problem = (struct problem){.bodies = s->bodies,
                                  .body_count = BODIES,
                                  .contacts = s->contacts,
                                  .contact_count = CONTACTS,
                                  .general = s->general,
                                  .general_count = CONTACTS,
                                  .combined = s->combined,
                                  .combined_count = CONTACTS,
                                  .mobilities = s->mobilities,
                                  .mobility_count = MOBILITIES};
    make_bodies(s, mixture);
    make_contacts(s, mixture);
    for (int k = 0; k < CONTACTS; k++) s->last[k] = problem_impulses(&s->problem, &s->contacts[k]);
}

/* Shapes in the frame of the contact, as the kernel does it; all others as the other sweeps do. */
static void visit_skew(struct setup *s, struct solve_contact *contact) {
    const struct solve_general *general = &s->general[contact->general];
    struct solve_body *a = &s->bodies[contact->a], *b = &s->bodies[contact->b];
    vec3 solved = general_solve_cone(contact, general, general_velocity(a, b, general));
    general_apply(&s->problem, a, b, general, vec3_sub(solved, contact->impulse));
    contact->impulse = solved;
}

struct check {
    struct setup *s;
    struct solve_run run;
    bool exact; /* the same operations */
    enum batch_watch watch;
    double beta;
};

static void visit_single(struct check *check, size_t at, struct sweep_change *change) {
    struct solve_contact *contact = &check->s->contacts[at];
    if (check->watch == BATCH_HISTORY) momentum_of_contact(&check->run, at, check->beta);
    if (check->exact && contact->general >= 0)
        visit_skew(check->s, contact);
    else
        sweep_visit(&check->run, &check->s->problem, contact, at, check->watch == BATCH_HISTORY,
                    change);
}

typedef struct batch_sums kernel(const struct batches *batches, const struct batch_order *order,
                                 enum batch_watch watch, const struct batch_rule *rule);

/* One sweep over all windows, first by the kernels, then contact by contact. */
static void sweep_both(struct check *check, struct batches *batches, const char *name) {
    static kernel *const kernels[BATCH_KINDS] = {batch_solve, batch_solve_laws, batch_solve_skew};
    const struct batch_rule rule = {check->run.config->tolerance, check->run.cutoff, check->beta,
                                    true};
    struct batch_order order;
    for (size_t window = 0; window < batches->window_count; window++) {
        const struct batch_window *place = &batches->windows[window];
        size_t first = batches->window_first[window];
        size_t count = batches->window_first[window + 1] - first, unmet = 0;
        struct sweep_change change = {0};
        for (size_t k = 0; k < count; k++) order.record[k] = (uint32_t)(place->record + k);
        order.count = order.known = count;
        struct batch_sums sums = kernels[place->kind](batches, &order, check->watch, &rule);
        for (size_t slot = first * BATCH_LANES; slot < (first + count) * BATCH_LANES; slot++) {
            if (batches->contact_of[slot] < 0) continue;
            change.local_met = true;
            visit_single(check, (size_t)batches->contact_of[slot], &change);
            if (!change.local_met) unmet++;
        }
        if (check->watch == BATCH_PLAIN || check->exact) continue;
        assert_near(sums.impulse, change.impulse_sum, 1e-12 * change.impulse_sum);
        assert_near(sums.change2, change.change2_sum, 1e-12 * change.change2_sum);
        if (sums.unmet != (double)unmet) fail_msg("%s: %g and %zu", name, sums.unmet, unmet);
        if (check->watch == BATCH_HISTORY)
            assert_near(sums.turn, change.turn_sum, 1e-11 * change.change2_sum);
    }
}

static double apart(vec3 a, vec3 b) {
    return vec3_norm(vec3_sub(a, b));
}

/* Largest difference of a velocity or an impulse; all are of the order of 1. */
static double differ(struct check *check, struct batches *batches) {
    struct setup *s = check->s;
    static struct combined_impulse own[CONTACTS];
    double worst = 0.0;
    memcpy(s->copies, s->bodies, sizeof s->bodies);
    for (int k = 0; k < CONTACTS; k++) own[k] = problem_impulses(&s->problem, &s->contacts[k]);
    batches_store(batches, &s->problem, NULL);
    for (int k = 0; k < CONTACTS; k++) {
        struct combined_impulse there = problem_impulses(&s->problem, &s->contacts[k]);
        worst = fmax(worst, apart(own[k].force, there.force));
        worst = fmax(worst, apart(own[k].torque, there.torque));
        problem_set_impulses(&s->problem, &s->contacts[k], &own[k]);
    }
    for (int i = 0; i < BODIES; i++) {
        worst = fmax(worst, apart(s->copies[i].velocity, s->bodies[i].velocity));
        worst = fmax(worst, apart(s->copies[i].omega, s->bodies[i].omega));
    }
    memcpy(s->bodies, s->copies, sizeof s->bodies);
    return worst;
}

/* Impulses outside of their laws and against the last friction: the ways that are rarely taken. */
static void kick(struct setup *s, const struct mixture *mixture, struct batches *batches) {
    for (int k = 0; k < CONTACTS; k++) {
        struct solve_contact *contact = &s->contacts[k];
        if (one_in(s, 3)) contact->impulse = vec3_scale(0.3, vector(s, mixture));
    }
    for (int i = 0; i < BODIES; i++)
        s->bodies[i].velocity = vec3_add(s->bodies[i].velocity, vector(s, mixture));
    batches_load(batches, &s->problem, NULL);
    for (int k = 0; k < CONTACTS; k++) s->last[k] = problem_impulses(&s->problem, &s->contacts[k]);
}

static void compare(const struct mixture *mixture, enum batch_watch watch, bool exact) {
    static struct setup s;
    struct memory memory = {0};
    talus_solver_config config = talus_solver_plain();
    struct solve_work work = {.memory = &memory, .scratch = s.last};
    struct batches batches = {.memory = &memory};
    config.tolerance = 1e-2;
    make(&s, mixture);
    assert_true(batches_make(&batches, &s.problem, true, 3));
    assert_true(batches.single_count == 0);
    batches_load(&batches, &s.problem, NULL);
    struct check check = {.s = &s,
                          .run = {.problem = &s.problem, .config = &config, .work = &work},
                          .exact = exact,
                          .watch = watch,
                          .beta = watch == BATCH_HISTORY ? 0.3 : 0.0};
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        sweep_both(&check, &batches, mixture->name);
        double worst = differ(&check, &batches);
        if (worst > (exact ? 0.0 : 1e-12)) fail_msg("%s: %g apart", mixture->name, worst);
        if (mixture->kick) kick(&s, mixture, &batches);
    }
    batches_free(&batches);
}

static void kernels_are_the_laws(void **state) {
    (void)state;
    for (int k = 0; k < MIXTURES; k++) {
        compare(&mixtures[k], BATCH_PLAIN, true);
        compare(&mixtures[k], BATCH_HISTORY, true);
        compare(&mixtures[k], BATCH_WATCH, false);
        compare(&mixtures[k], BATCH_HISTORY, false);
    }
}

/* ---- contacts that stay open ----------------------------------------------------------------------- */

enum { ROW = 60, WAVE = 20 };

/* Grains in a row at rest, in contact; the first one runs into them, the last one is away from the others. */
struct row {
    struct solve_body bodies[ROW];
    struct solve_contact contacts[ROW - 1];
    struct problem problem;
};

static void make_row(struct row *row) {
    for (int i = 0; i < ROW; i++)
        row->bodies[i] = (struct solve_body){.inverse_mass = 1.0, .inverse_inertia = 2.5};
    row->bodies[0].velocity.x = 1.0;
    row->problem = (struct problem){.bodies = row->bodies,
                                    .body_count = ROW,
                                    .contacts = row->contacts,
                                    .contact_count = ROW - 1};
    for (int k = 0; k < ROW - 1; k++) {
        row->contacts[k] = (struct solve_contact){.a = k,
                                                  .b = k + 1,
                                                  .normal = {1.0, 0.0, 0.0},
                                                  .arm_a = 1.0,
                                                  .arm_b = 1.0,
                                                  .bias = k == ROW - 2 ? 10.0 : 0.0,
                                                  .general = -1,
                                                  .combined = -1};
        problem_prepare(&row->problem, &row->contacts[k]);
    }
}

/* Sweeps; how many visits were left out. */
static size_t sweep_row(struct row *row, bool everyone, int sweeps) {
    struct memory memory = {0};
    talus_solver_config config = talus_solver_plain();
    struct solve_work work = {.memory = &memory, .threads = 1};
    config.sweep = TALUS_SWEEP_BATCHED;
    struct solve_run run = {.problem = &row->problem,
                            .config = &config,
                            .work = &work,
                            .key = {5, 1},
                            .everyone = everyone};
    assert_true(solver_prepare(&work, &config, &row->problem, run.key));
    batches_load(&work.batches, &row->problem, NULL);
    size_t left_out = 0;
    for (run.sweep = 0; run.sweep < sweeps; run.sweep++) {
        for (size_t k = 0; k < work.batches.batch_count && !everyone; k++)
            left_out +=
                work.batches.idle[k] >= BATCH_IDLE && ((size_t)run.sweep + k) % BATCH_REST != 0;
        sweep_once(&run, false);
    }
    batches_store(&work.batches, &row->problem, NULL);
    solver_free(&work);
    return left_out;
}

/* The wave of impulses runs through the row while contacts ahead of it rest: it finds them all, and the answer is the
 * same: all but the last move with the common velocity. */
static void contacts_that_rest_are_found(void **state) {
    (void)state;
    static struct row row;
    make_row(&row);
    assert_int_equal(sweep_row(&row, true, WAVE), 0);
    double all = row.bodies[WAVE / 4].velocity.x;
    make_row(&row);
    assert_true(sweep_row(&row, false, WAVE) > 200); /* of 20 x 59: many are ahead of the wave */
    assert_near(row.bodies[WAVE / 4].velocity.x, all, 0.2 * all);
    make_row(&row);
    assert_true(sweep_row(&row, false, 30000) > 15000); /* the last contact is always open */
    for (int i = 0; i < ROW - 1; i++) assert_near(row.bodies[i].velocity.x, 1.0 / (ROW - 1), 1e-9);
    assert_true(row.bodies[ROW - 1].velocity.x == 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_are_the_laws),
        cmocka_unit_test(contacts_that_rest_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
