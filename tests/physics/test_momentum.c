/* SPDX-License-Identifier: Apache-2.0
 *
 * Momentum turns the diffusion of forces into waves: a cold chain pressed at its end, docs/theory/momentum.md.
 *
 * With Nesterov's factor, 1 - beta = 3/n, a force F at the end of a long chain has after n sweeps made the forces
 *     P/F = f(x/cn),    f(s) = 1 - (2/pi)(s sqrt(1 - s^2) + arcsin s),    c = sqrt(q) d per sweep
 * and reaches the wall of a chain of length L to 1 % at n = 2.46 L/c. With a constant factor beta forces are overdamped
 * that vary more slowly than k_c d = (1 - beta)/((1 + beta) sqrt(q)).
 */
#include "base/random.h"
#include "solve/solver.h"
#include "support.h"
#include "talus/fit.h"

static const double pi = 3.141592653589793;

/* Orders of contacts, and what sweeps in them pass on. If it is drawn once, any order has the q of the one from end to end:
 * S has the same eigenvalues, cos^2 kd, for all of them (docs/theory/momentum.md). */
struct order {
    talus_sweep sweep;
    bool kept;
    double q;
};

static struct order order_get(int number) {
    const struct order orders[3] = {
        {TALUS_SWEEP_SEQUENTIAL, true, 1.0},
        {TALUS_SWEEP_RANDOM, false, 0.5 * (4.0 * sqrt(exp(1.0)) - 5.0)},
        {TALUS_SWEEP_RANDOM, true, 1.0},
    };
    return orders[number];
}
enum { ORDERS = 3 };

/* Discs of mass 1 and diameter 1 on a wall, body 0; the last one is pressed by an impulse 1. */
struct chain {
    struct problem problem;
    struct solve_work work;
    struct memory memory;
    talus_solver_config config;
    struct solve_run run;
    const struct solver_type *type;
    int n;
};

static void chain_start(struct chain *chain, int n, talus_sweep sweep, double cap) {
    *chain = (struct chain){.n = n};
    struct problem *problem = &chain->problem;
    size_t bodies = (size_t)n + 1;
    problem->bodies = calloc(bodies, sizeof *problem->bodies);
    problem->contacts = calloc((size_t)n, sizeof *problem->contacts);
    assert_non_null(problem->bodies);
    assert_non_null(problem->contacts);
    problem->body_count = bodies;
    problem->contact_count = (size_t)n;
    for (int i = 1; i <= n; i++) problem->bodies[i].inverse_mass = 1.0;
    problem->bodies[n].velocity.y = -1.0;
    for (int k = 0; k < n; k++) {
        struct solve_contact *contact = &problem->contacts[k];
        *contact = (struct solve_contact){
            .a = k, .b = k + 1, .normal = {0, 1, 0}, .general = -1, .combined = -1};
        problem_prepare(problem, contact);
    }
    chain->config = talus_solver_plain();
    chain->config.name = "nnsgs";
    chain->config.sweep = sweep;
    chain->config.momentum_cap = cap;
    chain->work = (struct solve_work){.memory = &chain->memory, .threads = 1};
    chain->run = (struct solve_run){
        .problem = problem, .config = &chain->config, .work = &chain->work, .key = {1, 1}};
    chain->type = solver_find("nnsgs");
    assert_true(solver_reserve(&chain->work, &chain->config, bodies, (size_t)n));
    problem_start(problem);
    chain->type->init(&chain->run);
}

static void chain_end(struct chain *chain) {
    free(chain->problem.bodies);
    free(chain->problem.contacts);
    solver_free(&chain->work);
}

static void sweep_to(struct chain *chain, int sweeps) {
    for (; chain->run.sweep < sweeps; chain->run.sweep++) chain->type->iterate(&chain->run);
}

/* The force x diameters below the end, as the last sweep left it, before the momentum. */
static double force_at(const struct chain *chain, int x) {
    return chain->work.scratch[chain->n - 1 - x].force.y;
}

static double profile(double s) {
    return s < 1.0 ? 1.0 - 2.0 / pi * (s * sqrt(1.0 - s * s) + asin(s)) : 0.0;
}

/* How far below the end the force has fallen to `level`. */
static double place_of(const struct chain *chain, double level) {
    int x = 0;
    while (force_at(chain, x + 1) > level) x++;
    double here = force_at(chain, x), next = force_at(chain, x + 1);
    return x + (here - level) / (here - next);
}

/* The whole profile behind the front, and the speeds at which its parts travel. No constant is fitted. */
static void forces_travel(void **state) {
    (void)state;
    const double levels[3] = {0.9, 0.5, 0.1}, s[3] = {0.078621, 0.403973, 0.805384};
    for (int k = 0; k < ORDERS; k++) {
        struct order order = order_get(k);
        double c = sqrt(order.q), before[3], worst = 0.0;
        struct chain chain;
        chain_start(&chain, 1200, order.sweep, 1.0);
        chain.run.keeps_order = order.kept;
        sweep_to(&chain, 500);
        for (int i = 0; i < 3; i++) before[i] = place_of(&chain, levels[i]);
        sweep_to(&chain, 1000);
        for (int x = 0; x < 1199; x++)
            worst = fmax(worst, fabs(force_at(&chain, x) - profile((x + 0.5) / (c * 1000.0))));
        print_message("c = %.4f: profile within %.4f; speeds", c, worst);
        assert_true(worst < 0.01);
        for (int i = 0; i < 3; i++) {
            double speed = (place_of(&chain, levels[i]) - before[i]) / 500.0;
            print_message(" %.4f (%.4f)", speed, s[i] * c);
            assert_near(speed / (s[i] * c), 1.0, 0.02);
        }
        print_message(" d per sweep\n");
        assert_int_equal(chain.run.restarts, 0);
        chain_end(&chain);
    }
}

/* Largest error of a force. */
static double worst_force(const struct chain *chain) {
    double worst = 0.0;
    for (int x = 0; x < chain->n; x++) worst = fmax(worst, fabs(force_at(chain, x) - 1.0));
    return worst;
}

/* Sweeps until every force is within 5 %: at 2.349 L/c, so they grow as L. */
static void sweeps_grow_as_length(void **state) {
    (void)state;
    for (int k = 0; k < ORDERS; k++) {
        struct order order = order_get(k);
        double c = sqrt(order.q), n[4], sweeps[4], exponent, error;
        for (int i = 0; i < 4; i++) {
            struct chain chain;
            int discs = 50 << i;
            chain_start(&chain, discs, order.sweep, 1.0);
            chain.run.keeps_order = order.kept;
            while (worst_force(&chain) > 0.05) sweep_to(&chain, chain.run.sweep + 1);
            n[i] = discs;
            sweeps[i] = chain.run.sweep;
            assert_int_equal(chain.run.restarts, 0);
            assert_near(sweeps[i] * c / discs, 2.349, 0.12);
            chain_end(&chain);
        }
        assert_ok(talus_fit_power(n, sweeps, 4, &exponent, &error, NULL));
        print_message("c = %.4f: %g %g %g %g sweeps, L^(%.4f +- %.4f)\n", c, sweeps[0], sweeps[1],
                      sweeps[2], sweeps[3], exponent, error);
        assert_near(exponent, 1.0, 0.05);
    }
}

/* Forces are nearest to being the same everywhere at 2.44 L/c, soon after which the wall is pressed too much: there the
 * momentum is dropped, when at most 2 % is missing. */
static void restart_when_all_is_there(void **state) {
    (void)state;
    for (int n = 100; n <= 400; n *= 2) {
        struct chain chain;
        chain_start(&chain, n, TALUS_SWEEP_SEQUENTIAL, 1.0);
        while (chain.run.restarts == 0) sweep_to(&chain, chain.run.sweep + 1);
        assert_near(chain.run.sweep / (double)n, 2.46, 0.06);
        assert_true(worst_force(&chain) < 0.02);
        chain_end(&chain);
    }
}

/* A constant factor beta: errors shrink as the larger root of z^2 - (1 + beta) S z + beta S = 0, where S = cos^2 kd,
 * k = pi/2L, is what one sweep in order leaves of the longest wave (1 - k^2 d^2, nearly). Long waves are overdamped and diffuse, 1/(1 - beta) times as fast as without momentum. */
static void cap_makes_long_waves_diffuse(void **state) {
    (void)state;
    const double caps[2] = {0.9, 0.95};
    for (int i = 0; i < 2; i++) {
        const int n = 200, from = 4000, to = 8000;
        double beta = caps[i], k = pi / (2 * n), shrink = cos(k) * cos(k);
        double half = 0.5 * (1.0 + beta) * shrink;
        double root = half + sqrt(half * half - beta * shrink);
        struct chain chain;
        chain_start(&chain, n, TALUS_SWEEP_SEQUENTIAL, beta);
        sweep_to(&chain, from);
        double before = worst_force(&chain);
        sweep_to(&chain, to);
        double rate = log(before / worst_force(&chain)) / (to - from);
        print_message("cap %g: %.6g a sweep, %.6g expected, %.3f of diffusion\n", beta, rate,
                      -log(root), rate * (1.0 - beta) / (k * k));
        assert_int_equal(chain.run.restarts, 0);
        assert_near(rate / -log(root), 1.0, 1e-5);
        assert_near(rate * (1.0 - beta) / (k * k), 1.0, 0.03);
        chain_end(&chain);
    }
}

/* Every disc is pressed alike, and nearly all of the error is in the longest wave, k = pi/2L: it arrives at c k n =
 * 3.8317, and the sum of P.dP says so. Then it is damped by 1/sqrt(2) of what is critical, 1 - beta = sqrt(2) c k. */
static void longest_wave_arrives(void **state) {
    (void)state;
    const int sizes[2] = {100, 300};
    for (int k = 0; k < 2; k++) {
        struct chain chain;
        int n = sizes[k], arrival = (int)(3.8317 * 2.0 * n / pi);
        chain_start(&chain, n, TALUS_SWEEP_SEQUENTIAL, 1.0);
        for (int i = 1; i <= n; i++) chain.problem.bodies[i].velocity.y = -1.0;
        sweep_to(&chain, (int)(0.97 * arrival));
        assert_int_equal(chain.run.damped_until, 0);
        sweep_to(&chain, (int)(1.03 * arrival));
        assert_true(chain.run.damped_until > 0);
        double damping = (1.0 - chain.run.damped_cap) / (sqrt(2.0) * pi / (2.0 * n));
        print_message("%d discs: 1 - beta is %.3f of what it should be\n", n, damping);
        assert_near(damping, 1.0, 0.03);
        assert_near((double)chain.run.damped_until / arrival, 3.0, 0.1);
        chain_end(&chain);
    }
}

/* Nesterov's factors, and what n sweeps with them add up to if each of them alone would add 1: (n^2 + 5n)/8, nearly. */
static double worth_of(int sweeps) {
    double theta = 1.0, beta = 0.0, change = 0.0, sum = 0.0;
    for (int n = 0; n < sweeps; n++) {
        change = 1.0 + beta * change;
        sum += change;
        beta = nesterov_share(&theta);
    }
    return sum;
}

/* The mean force in the middle half of a chain that is pressed together slowly and everywhere, long before any wave has crossed it. */
static double force_in_the_middle(int sweeps, talus_sweep sweep, double cap) {
    enum { DISCS = 4000 };
    struct chain chain;
    chain_start(&chain, DISCS, sweep, cap);
    for (int i = 1; i <= DISCS; i++)
        chain.problem.bodies[i].velocity.y = 1e-3 * cos(pi * i / DISCS);
    sweep_to(&chain, sweeps);
    double sum = 0.0;
    for (int x = DISCS / 4; x < 3 * DISCS / 4; x++) sum += force_at(&chain, x);
    chain_end(&chain);
    return sum / (DISCS / 2);
}

/* In slow flow a step has too few sweeps for the long waves. There n sweeps with momentum are worth n^2/8 plain ones, whatever the
 * size of the system. */
static void sweeps_are_worth_their_square(void **state) {
    (void)state;
    const talus_sweep orders[2] = {TALUS_SWEEP_SEQUENTIAL, TALUS_SWEEP_RANDOM};
    const int sweeps[3] = {20, 40, 80};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) {
            double worth = worth_of(sweeps[i]);
            int whole = (int)(worth + 0.5);
            double plain = force_in_the_middle(whole, orders[k], 0.0) * worth / whole;
            double ratio = force_in_the_middle(sweeps[i], orders[k], 1.0) / plain;
            print_message("%d sweeps are worth %.1f: %.4f\n", sweeps[i], worth, ratio);
            assert_near(ratio, 1.0, 0.01);
            assert_near(worth / (0.125 * (sweeps[i] * sweeps[i] + 5.0 * sweeps[i])), 1.0, 0.06);
        }
}

/* A column pressed by a force that grows evenly, eight plain sweeps a step: the share of it that is missing at the wall. */
static double lag_under_growing_force(double carry, int steps) {
    const double times[2] = {0.0, 1000.0}, values[2] = {1.0, 11.0};
    talus_signal push = {.kind = TALUS_SIGNAL_TABLE, .times = times, .values = values, .count = 2};
    talus_config config = talus_config_default();
    config.dim = 1;
    config.dt = 1.0;
    config.solver = talus_solver_plain();
    config.solver.sweep = TALUS_SWEEP_SEQUENTIAL;
    config.solver.sweeps = 8;
    config.solver.carry = carry;
    talus_sim *sim = support_sim(&config, 0.0);
    support_plane(sim, "wall", vec(0, 0, 0), vec(1, 0, 0));
    for (int i = 0; i < 30; i++) {
        talus_body_def disc = talus_body_def_default(sim);
        disc.radius = 0.5;
        disc.mass = 1e6; /* so heavy that nothing moves far */
        disc.position = vec((i + 0.5) * (1.0 - 1e-9), 0, 0);
        disc.group = i == 29 ? "last" : "grains";
        assert_ok(talus_bodies_add(sim, &disc, 1, NULL, NULL));
    }
    assert_ok(talus_force_set(sim, "push", "last", (talus_vec3){-1, 0, 0}, &push, NULL));
    support_steps(sim, steps);
    talus_contact contacts[40];
    size_t count = talus_sim_contacts(sim, contacts, 40);
    double at_wall = 0.0, load = 1.0 + 0.01 * steps;
    for (size_t k = 0; k < count; k++)
        if (contacts[k].a == 0 || contacts[k].b == 0) at_wall += fabs(contacts[k].force.x);
    talus_sim_destroy(sim);
    return 1.0 - at_wall / load;
}

/* Unfinished sweeps make the column swing. What is carried on from step to step works against its damping, and takes it away at
 * 1/2 (docs/theory/sweeps.md): below that the swings die out, more slowly; with 0.6 they would grow. */
static void carry_is_stable(void **state) {
    (void)state;
    const double carry[3] = {0.0, 0.3, 0.45}, early[3] = {0.03, 0.1, 0.2},
                 late[3] = {1e-4, 1e-3, 2e-2};
    for (int k = 0; k < 3; k++) {
        double first = fabs(lag_under_growing_force(carry[k], 250));
        double last = fabs(lag_under_growing_force(carry[k], 750));
        print_message("carry %.2f: wrong at the wall by %.2g, later %.2g\n", carry[k], first, last);
        assert_true(first < early[k] && last < late[k]);
        if (k == 2) assert_true(first > 0.02); /* it acts */
    }
}

/* In batches too, from which the guard may cut momentum in the first sweeps: the cut heals, and forces arrive as waves do, 3.1
 * L/d sweeps, instead of diffusing. */
static void batches_are_waves(void **state) {
    (void)state;
    enum { DISCS = 800 };
    talus_config config = talus_config_default();
    config.dim = 1;
    config.dt = 1.0;
    config.solver = talus_solver_plain();
    config.solver.name = "nnsgs";
    config.solver.sweep = TALUS_SWEEP_BATCHED;
    config.solver.sweeps = 2500;
    talus_sim *sim = support_sim(&config, 0.0);
    support_plane(sim, "wall", vec(0, 0, 0), vec(1, 0, 0));
    for (int i = 0; i < DISCS; i++) {
        talus_body_def disc = talus_body_def_default(sim);
        disc.radius = 0.5;
        disc.mass = 1.0;
        disc.position = vec((i + 0.5) * (1.0 - 1e-9), 0, 0);
        disc.group = i + 1 == DISCS ? "last" : "grains";
        assert_ok(talus_bodies_add(sim, &disc, 1, NULL, NULL));
    }
    talus_signal push = {.mean = 1e-3}; /* so that no free disc travels far */
    assert_ok(talus_force_set(sim, "push", "last", (talus_vec3){-1, 0, 0}, &push, NULL));
    support_steps(sim, 1);
    static talus_contact contacts[DISCS + 8];
    size_t count = talus_sim_contacts(sim, contacts, DISCS + 8);
    double worst = 0.0;
    for (size_t k = 0; k < count; k++)
        worst = fmax(worst, fabs(fabs(contacts[k].force.x) / 1e-3 - 1.0));
    print_message("%zu contacts: forces within %.4f\n", count, worst);
    assert_int_equal(count, DISCS);
    assert_true(worst < 0.01);
    talus_sim_destroy(sim);
}

/* A chain that bears its load but for noise, that is for short waves: sweeps soon only repair what momentum does, dP.(P - P') <= 1.2
 * |dP|^2, before they turn against it. Momentum is dropped then, in the 8th sweep of its life, after that in the 16th, ... at the earliest. */
static void momentum_wears_out(void **state) {
    (void)state;
    enum { DISCS = 300, SWEEPS = 600 };
    struct chain chain;
    struct random random = random_start(2, RANDOM_TEST, 0, 0);
    chain_start(&chain, DISCS, TALUS_SWEEP_SEQUENTIAL, 1.0);
    for (int k = 0; k < DISCS; k++) {
        struct solve_contact *contact = &chain.problem.contacts[k];
        contact->impulse.y = 0.9 + 0.2 * random_uniform(&random);
        problem_apply(&chain.problem, contact, contact->impulse);
    }
    chain.type->init(&chain.run);
    int worn = 0, turned = 0;
    for (int k = 1; k <= SWEEPS; k++) {
        int age = chain.run.age + 1, patience = chain.run.patience;
        sweep_to(&chain, k);
        const struct sweep_change *change = &chain.run.change;
        bool idle = -change->turn_sum <= 1.2 * change->change2_sum;
        if (change->turn_sum > 0.0) turned++;
        if (chain.run.patience > patience) {
            assert_true(idle && age >= patience);
            assert_int_equal(chain.run.patience, 2 * patience);
            assert_int_equal(chain.run.age, 0);
            if (!(change->turn_sum > 0.0)) worn++;
        } else if (idle && age >= patience && !(change->turn_sum > 0.0)) {
            assert_true(momentum_is_building_up(&chain.run));
        }
    }
    print_message("%d times worn out, %d turns, %d restarts\n", worn, turned, chain.run.restarts);
    assert_true(worn >= 1);
    chain_end(&chain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_travel),
        cmocka_unit_test(sweeps_grow_as_length),
        cmocka_unit_test(restart_when_all_is_there),
        cmocka_unit_test(cap_makes_long_waves_diffuse),
        cmocka_unit_test(longest_wave_arrives),
        cmocka_unit_test(sweeps_are_worth_their_square),
        cmocka_unit_test(carry_is_stable),
        cmocka_unit_test(batches_are_waves),
        cmocka_unit_test(momentum_wears_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
