/* SPDX-License-Identifier: Apache-2.0
 *
 * Two irregular polygons under a constant force (validation case 49; [Pena2009, fig. 10]): the first is fixed, the second presses a
 * corner into a side of the first, can move along x and, in one test, turn; mu is so large that nothing slides.
 *
 * Linear theory. A corner in one straight side keeps its normal n (tangent t) while it moves, so about the place of rest
 *
 *     m x'' + (c_n n_x^2 + c_t t_x^2) x' + (k_n (L/l_c) n_x^2 + k_t t_x^2) x = 0,     L the line of contact,
 *
 * and the kinetic energy decays as exp(-t/t_R), t_R0 = m/(c_n n_x^2 + c_t t_x^2). A spring that grows by the velocity at
 * the end of each step is a sum over right ends, xi = x + x' dt/2 + ...: the same as a dashpot k_t dt/2 beside c_t,
 *
 *     t_R = t_R0/(1 + k_t t_x^2 dt/(2 (c_n n_x^2 + c_t t_x^2))).
 */
#include "math/vec3.h"
#include "support.h"

static const double pi = 3.141592653589793;
static const double k_n = 400.0, e_n = 0.9875;
static const double deep = 0.03; /* of the corner at the start */

/* The side with the contact has the outward normal (cos 50, sin 50 degrees); x along it the grain has its corner. */
static const talus_vec3 lower[5] = {
    {-0.6, -0.5, 0}, {0.5, -0.6, 0}, {0.77, -0.07, 0}, {0.0, 0.57, 0}, {-0.7, 0.3, 0}};
static const talus_vec3 upper[6] = {{-0.5, -0.45, 0}, {0.15, -0.4, 0}, {0.5, 0.0, 0},
                                    {0.3, 0.5, 0},    {-0.2, 0.55, 0}, {-0.55, 0.1, 0}};

struct trial {
    talus_slip slip;
    bool turns, corner_below; /* the roles changed: the fixed one has the corner */
    double mu, share;         /* dt over the time of a collision */
};

struct pair {
    talus_sim *sim;
    double t_c, mass, c_n;
    talus_vec3 normal; /* from the fixed one to the other */
};

static double damping_of(double m) { /* eq. 8 with F = - nu v */
    double ratio = -log(e_n) / pi;
    return 2.0 * sqrt(k_n * m / (1.0 + 1.0 / (ratio * ratio)));
}

static talus_vec3 centre_of(talus_sim *sim, const char *name, double *area) {
    talus_shape_view view;
    assert_true(talus_shape_find(sim, name, &view));
    *area = view.volume;
    return view.centre;
}

/* A corner of the upper one in the side of the lower one, at its middle. */
static struct pair make(const struct trial *trial) {
    struct pair pair = {.t_c = 0.0};
    talus_config config = talus_config_default();
    config.dim = 2;
    config.method = TALUS_METHOD_MD;
    config.integrator = "gear5";
    pair.sim = support_sim(&config, 0.0);
    talus_shape_part parts[2] = {{.points = lower, .count = 5}, {.points = upper, .count = 6}};
    double area[2];
    for (int k = 0; k < 2; k++)
        assert_ok(talus_shape_add(pair.sim, k == 0 ? "lower" : "upper", &parts[k], 1, NULL));
    talus_vec3 centre[2] = {centre_of(pair.sim, "lower", &area[0]),
                            centre_of(pair.sim, "upper", &area[1])};
    double m_r = area[0] * area[1] / (area[0] + area[1]);
    pair.c_n = damping_of(m_r);
    double eta = pair.c_n / (2.0 * m_r);
    pair.t_c = pi / sqrt(k_n / m_r - eta * eta);
    assert_ok(talus_sim_set_dt(pair.sim, trial->share * pair.t_c, NULL));
    talus_pair_law law = {.mu_static = trial->mu,
                          .mu_sliding = trial->mu,
                          .soft = {.stiffness = k_n,
                                   .damping = pair.c_n,
                                   .tangential_stiffness = k_n / 3.0,
                                   .tangential_damping = pair.c_n / 3.0,
                                   .slip = trial->slip}};
    assert_ok(talus_pair_set(pair.sim, 0, 0, &law, NULL));
    talus_vec3 middle = vec3_scale(0.5, vec3_add(lower[2], lower[3])),
               side = vec3_sub(lower[3], lower[2]);
    talus_vec3 n = vec3_scale(1.0 / vec3_norm(side), vec(side.y, -side.x, 0));
    talus_vec3 shift = vec3_sub(vec3_add_scaled(middle, -deep, n), upper[0]);
    const char *order[2] = {trial->corner_below ? "upper" : "lower",
                            trial->corner_below ? "lower" : "upper"};
    for (int k = 0; k < 2; k++) {
        talus_body_def def = talus_body_def_default(pair.sim);
        bool above = strcmp(order[k], "upper") == 0;
        def.shape = order[k];
        def.position = above ? vec3_add(centre[1], shift) : centre[0];
        def.group = k == 0 ? "held" : "pushed";
        def.locks = TALUS_LOCK_Y | (k == 0 || !trial->turns ? TALUS_LOCK_ROTATION : 0) |
                    (k == 0 ? TALUS_LOCK_X : 0);
        assert_ok(talus_bodies_add(pair.sim, &def, 1, NULL, NULL));
        pair.mass = area[above ? 1 : 0];
    }
    pair.normal = trial->corner_below ? vec3_scale(-1.0, n) : n;
    return pair;
}

/* Of the line of contact, from the depth of the corner. */
static double line_length(talus_vec3 n) {
    talus_vec3 ends[2];
    const talus_vec3 *next[2] = {&upper[1], &upper[5]};
    for (int k = 0; k < 2; k++) {
        talus_vec3 side = vec3_sub(*next[k], upper[0]);
        ends[k] = vec3_scale(deep / vec3_dot(side, n), side);
    }
    return vec3_norm(vec3_sub(ends[0], ends[1]));
}

/* The constant force: what balances the area at the start, and a little more. */
static double load(struct pair *pair, const struct trial *trial) {
    talus_contact contact;
    struct pair probe = make(trial);
    assert_ok(talus_sim_set_dt(probe.sim, 1e-9 * probe.t_c, NULL));
    support_steps(probe.sim, 1);
    assert_int_equal(talus_sim_contacts(probe.sim, &contact, 1), 1);
    assert_near(contact.normal.x, pair->normal.x, 1e-9);
    talus_sim_destroy(probe.sim);
    double more = 1e-3 * vec3_norm(contact.force);
    talus_signal push = {.kind = TALUS_SIGNAL_CONSTANT, .mean = -contact.force.x - more};
    assert_ok(talus_force_set(pair->sim, "push", "pushed", vec(1, 0, 0), &push, NULL));
    return more;
}

struct decay {
    double time, shift; /* t_R in units of t_c; displacement times k_n over the force */
};

/* Largest kinetic energy in windows, from `first` to `last` (in t_c); a straight line through their logarithms. */
static struct decay relax(struct pair *pair, const struct trial *trial, double first, double last) {
    const double window = 4.0;
    double more = load(pair, trial), start = talus_sim_bodies(pair->sim).position[1].x;
    double sums[4] = {0}, count = 0.0, largest = 0.0, left = first, where = 0.0;
    talus_shape_view shape;
    assert_true(talus_shape_find(pair->sim, trial->corner_below ? "lower" : "upper", &shape));
    while (talus_sim_time(pair->sim) < last * pair->t_c) {
        support_steps(pair->sim, 1);
        talus_body_view view = talus_sim_bodies(pair->sim);
        double time = talus_sim_time(pair->sim) / pair->t_c;
        double kinetic =
            vec3_norm2(view.velocity[1]) + shape.inertia[2][2] * vec3_norm2(view.omega[1]);
        where += (view.position[1].x - start) * trial->share / (last - first) * (time > first);
        if (time < left) continue;
        largest = fmax(largest, kinetic);
        if (time < left + window) continue;
        double y = log(largest);
        sums[0] += left, sums[1] += y, sums[2] += left * left, sums[3] += left * y;
        count++;
        left += window;
        largest = 0.0;
    }
    talus_energy energy = talus_sim_observe(pair->sim).energy;
    assert_near(energy.error, 0.0, 1e-9 * energy.scale);
    talus_sim_destroy(pair->sim);
    double slope = (count * sums[3] - sums[0] * sums[1]) / (count * sums[2] - sums[0] * sums[0]);
    return (struct decay){-1.0 / slope, -where * k_n / more};
}

/* In the same units; `slope`: with the velocity rule the time is shorter by 1 + slope dt/t_c. */
struct theory {
    double time, shift, slope;
};

static struct theory theory_of(const struct pair *pair, double mu) {
    double n2 = pair->normal.x * pair->normal.x, t2 = mu > 0.0 ? 1.0 - n2 : 0.0;
    double damping = pair->c_n * (n2 + t2 / 3.0), l_c = 0.0, area;
    for (int k = 0; k < 2; k++) {
        (void)centre_of(pair->sim, k == 0 ? "lower" : "upper", &area);
        l_c += sqrt(area / pi);
    }
    talus_vec3 n = pair->normal.y > 0.0 ? pair->normal : vec3_scale(-1.0, pair->normal);
    double stiff = line_length(n) / l_c * n2 + t2 / 3.0; /* over k_n */
    return (struct theory){pair->mass / damping / pair->t_c, 1.0 / stiff,
                           k_n / 3.0 * t2 * pair->t_c / (2.0 * damping)};
}

static struct decay run(const struct trial *trial, double first, double last,
                        struct theory *theory) {
    struct pair pair = make(trial);
    *theory = theory_of(&pair, trial->mu);
    return relax(&pair, trial, first, last);
}

enum { SHARES = SANITIZED ? 3 : 4 }; /* the smallest step takes longest */

/* The improved spring: time and place of rest by theory, whatever the step. */
static void test_improved(void **state) {
    (void)state;
    const double shares[4] = {0.1, 0.01, 1e-3, 1e-4}, last[4] = {300.0, 300.0, 150.0, 108.0};
    for (int k = 0; k < SHARES; k++) {
        struct trial trial = {.slip = TALUS_SLIP_POSITION, .mu = 500.0, .share = shares[k]};
        struct theory theory;
        struct decay decay = run(&trial, 8.0, last[k], &theory);
        assert_near(decay.time, theory.time, 0.004 * theory.time);
        assert_near(decay.shift, theory.shift, 0.01 * theory.shift);
    }
}

/* The standard one: falls with the step as the theory says. */
static void test_standard(void **state) {
    (void)state;
    const double shares[4] = {0.1, 0.01, 1e-3, 1e-4};
    for (int k = 0; k < SHARES; k++) {
        struct trial trial = {.slip = TALUS_SLIP_VELOCITY, .mu = 500.0, .share = shares[k]};
        struct pair pair = make(&trial);
        struct theory theory = theory_of(&pair, trial.mu);
        double expected = theory.time / (1.0 + theory.slope * shares[k]);
        struct decay decay = relax(&pair, &trial, 8.0, fmin(8.0 + 3.0 * expected, 108.0));
        assert_near(decay.time, expected, 0.02 * expected);
    }
}

/* Without friction the step does not matter. */
static void test_frictionless(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct trial trial = {.slip = TALUS_SLIP_VELOCITY, .share = k == 0 ? 0.1 : 0.01};
        struct theory theory;
        struct decay decay = run(&trial, 8.0, 500.0, &theory);
        assert_near(decay.time, theory.time, 0.01 * theory.time);
    }
}

/* As printed, the displacement of the centre of the common area is the slip if the moving one has the corner, and
 * none if it has the side: there the place of rest is nearly that without friction. */
static void test_printed(void **state) {
    (void)state;
    for (int below = 0; below < 2; below++) {
        struct theory theory;
        struct trial trial = {
            .slip = TALUS_SLIP_PENA, .corner_below = below, .mu = 500.0, .share = 0.02};
        struct decay printed = run(&trial, 8.0, 300.0, &theory);
        trial.slip = TALUS_SLIP_POSITION;
        struct decay right = run(&trial, 8.0, 300.0, &theory);
        assert_near(right.shift, theory.shift, 0.01 * theory.shift);
        if (below == 0) assert_near(printed.shift, theory.shift, 0.02 * theory.shift);
        if (below == 1) assert_true(printed.shift > 9.0 * theory.shift);
    }
}

/* Also when it can turn. */
static void test_turning(void **state) {
    (void)state;
    double times[2];
    for (int k = 0; k < 2; k++) {
        struct trial trial = {
            .slip = TALUS_SLIP_POSITION, .turns = true, .mu = 500.0, .share = k == 0 ? 0.1 : 0.01};
        struct theory theory;
        times[k] = run(&trial, 200.0, 1000.0, &theory).time;
    }
    assert_near(times[0], times[1], 0.01 * times[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_improved),     cmocka_unit_test(test_standard),
        cmocka_unit_test(test_frictionless), cmocka_unit_test(test_printed),
        cmocka_unit_test(test_turning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
