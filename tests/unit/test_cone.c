/* SPDX-License-Identifier: Apache-2.0
 *
 * The local problem with a full W: the law by its residual, the cone, the energy, all solutions by brute force,
 * Painleve's rod, planes, singular W, scales.
 *
 * Energy: with b the velocity without the impulse, the impulse changes the kinetic energy by p.(b + u)/2, and
 * the law makes p.u = -mu p_n |u_t| <= 0, so p.(b + u) <= 0 for every solution.
 */
#include <float.h>
#include <stdbool.h>

#include "base/random.h"
#include "law/cone.h"
#include "law/coulomb.h"
#include "support.h"

static double symmetric(struct random *random) {
    return 2.0 * random_uniform(random) - 1.0;
}

static vec3 random_vector(struct random *random) {
    return vec3_make(symmetric(random), symmetric(random), symmetric(random));
}

static void add_outer(mat3 *sum, double factor, vec3 a) {
    mat3 part = mat3_outer(factor, a);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) sum->m[i][j] += part.m[i][j];
}

/* Three random orthogonal unit vectors. */
static void random_axes(struct random *random, vec3 axes[3]) {
    vec3 a = vec3_make(random_normal(random), random_normal(random), random_normal(random));
    axes[0] = vec3_scale(1.0 / vec3_norm(a), a);
    axes[1] = vec3_perpendicular(axes[0]);
    axes[2] = vec3_cross(axes[0], axes[1]);
}

/* Eigenvalues 1, 1/condition and one between. */
static mat3 random_spd(struct random *random, double condition) {
    vec3 axes[3];
    mat3 w = mat3_zero();
    random_axes(random, axes);
    add_outer(&w, 1.0, axes[0]);
    add_outer(&w, 1.0 / condition, axes[1]);
    add_outer(&w, pow(condition, -random_uniform(random)), axes[2]);
    return w;
}

/* Two bodies, or one on a fixed floor: sum of 1/m + [r]x J^-1 [r]x^T with random arms and inertias. */
static mat3 random_contact(struct random *random) {
    mat3 w = mat3_zero();
    int bodies = random_uniform(random) < 0.3 ? 1 : 2;
    for (int k = 0; k < bodies; k++) {
        vec3 axes[3], arm = vec3_scale(2.0, random_vector(random));
        double inverse_mass = exp(2.0 * symmetric(random));
        random_axes(random, axes);
        for (int i = 0; i < 3; i++) {
            double inverse_inertia = inverse_mass * exp(3.0 * symmetric(random));
            w.m[i][i] += inverse_mass;
            add_outer(&w, inverse_inertia, vec3_cross(arm, axes[i]));
        }
    }
    return w;
}

static vec3 random_approach(struct random *random) {
    vec3 b = random_vector(random);
    b.x -= 0.7;
    if (random_uniform(random) < 0.1) b.x *= 1e-5; /* grazing, where Painleve's paradox shows */
    return b;
}

static double largest(const mat3 *w) {
    return fmax(w->m[0][0], fmax(w->m[1][1], w->m[2][2]));
}

static vec3 velocity_with(const mat3 *w, vec3 p, vec3 b) {
    return vec3_add(mat3_apply(w, p), b);
}

static double energy(const mat3 *w, vec3 p, vec3 b) {
    return 0.5 * vec3_dot(p, vec3_add(velocity_with(w, p, b), b));
}

/* Finite, in the cone and no energy made, whatever W. */
static void check_sound(const mat3 *w, vec3 b, double mu, vec3 p) {
    double rounding = 4.0 * DBL_EPSILON * vec3_norm(p) * vec3_norm(b);
    assert_true(vec3_is_finite(p));
    assert_true(p.x >= 0.0);
    assert_true(sqrt(p.y * p.y + p.z * p.z) <= mu * p.x * (1.0 + 4.0 * DBL_EPSILON));
    assert_true(energy(w, p, b) <= rounding);
}

/* And the law. The natural map of rounded numbers is not below eps mu |W||p|, whoever found them. */
static void check_law(const mat3 *w, vec3 b, double mu, vec3 p, double tolerance) {
    vec3 u = velocity_with(w, p, b);
    double size = vec3_norm(b) + largest(w) * vec3_norm(p);
    check_sound(w, b, mu, p);
    assert_near(coulomb_residual(p, u, 1.0 / w->m[0][0], mu) / size, 0.0, tolerance);
    assert_true(vec3_dot(p, u) <= tolerance * vec3_norm(p) * size);
}

static const double frictions[] = {0.0, 0.01, 0.1, 0.3, 0.7, 1.0, 2.0, 5.0, 10.0, 1e3};
enum { FRICTIONS = sizeof frictions / sizeof frictions[0] };

static vec3 solve_guessed(const mat3 *w, vec3 b, double mu, vec3 guess) {
    struct cone cone;
    cone_prepare(&cone, w);
    return cone_solve(&cone, b, mu, guess);
}

/* W of contacts: 1e-10 of |b|. Guesses are random, so every second is plainly wrong. */
static void contact_geometry(void **state) {
    (void)state;
    struct random random = random_start(11, RANDOM_TEST, 0, 0);
    for (int trial = 0; trial < 50000; trial++) {
        mat3 w = random_contact(&random);
        double mu = frictions[random_below(&random, FRICTIONS)];
        vec3 b = random_approach(&random), guess = random_vector(&random);
        vec3 cold = coulomb_solve_general(&w, b, mu), warm = solve_guessed(&w, b, mu, guess);
        double rho = 1.0 / w.m[0][0], limit = 1e-10 * vec3_norm(b);
        check_law(&w, b, mu, cold, 1e-11);
        check_law(&w, b, mu, warm, 1e-11);
        assert_true(coulomb_residual(cold, velocity_with(&w, cold, b), rho, mu) <= limit);
        assert_true(coulomb_residual(warm, velocity_with(&w, warm, b), rho, mu) <= limit);
    }
}

/* Conditions to 1e8: 1e-10 of what u is the sum of. */
static void any_condition(void **state) {
    (void)state;
    struct random random = random_start(12, RANDOM_TEST, 0, 0);
    for (int trial = 0; trial < 50000; trial++) {
        mat3 w = random_spd(&random, pow(10.0, 8.0 * random_uniform(&random)));
        double mu = frictions[random_below(&random, FRICTIONS)];
        vec3 b = random_approach(&random), guess = random_vector(&random);
        check_law(&w, b, mu, coulomb_solve_general(&w, b, mu), 1e-10);
        check_law(&w, b, mu, solve_guessed(&w, b, mu, guess), 1e-10);
    }
}

/* ---- all sliding solutions by a scan of the circle, in long double ---------------------------------------- */

enum { SECTORS = 720, MOST_ROOTS = 8 };

struct roots {
    int count;
    vec3 impulse[MOST_ROOTS];
    double energy[MOST_ROOTS];
};

struct slip {
    long double across, along, stiffness; /* the slip times the stiffness W_nn + mu w.d */
};

/* Component `row` of W (1, mu d). */
static long double answer(const mat3 *w, int row, long double d_t, long double d_s) {
    const double *m = w->m[row];
    return (long double)m[0] + (long double)m[1] * d_t + (long double)m[2] * d_s;
}

static struct slip slip_at(const mat3 *w, vec3 b, double mu, long double angle) {
    long double c = cosl(angle), s = sinl(angle);
    long double d_t = (long double)mu * c, d_s = (long double)mu * s, b_n = (long double)b.x;
    long double stiffness = answer(w, 0, d_t, d_s);
    long double slip_t = (long double)b.y * stiffness - b_n * answer(w, 1, d_t, d_s);
    long double slip_s = (long double)b.z * stiffness - b_n * answer(w, 2, d_t, d_s);
    return (struct slip){c * slip_s - s * slip_t, c * slip_t + s * slip_s, stiffness};
}

static void keep_root(const mat3 *w, vec3 b, double mu, long double angle, struct roots *roots) {
    struct slip slip = slip_at(w, b, mu, angle);
    if (!(slip.stiffness > 0.0L) || slip.along > 0.0L) return;
    double p_n = -b.x / (double)slip.stiffness;
    assert_true(roots->count < MOST_ROOTS);
    vec3 p = {p_n, mu * p_n * (double)cosl(angle), mu * p_n * (double)sinl(angle)};
    roots->impulse[roots->count] = p;
    roots->energy[roots->count++] = energy(w, p, b);
}

static struct roots all_roots(const mat3 *w, vec3 b, double mu) {
    const long double sector = 6.283185307179586476925L / SECTORS;
    struct roots roots = {0};
    long double before = slip_at(w, b, mu, 0.0L).across;
    for (int k = 0; k < SECTORS; k++) {
        long double low = k * sector, high = (k + 1) * sector;
        long double after = slip_at(w, b, mu, high).across;
        bool has_root = (before < 0.0L) != (after < 0.0L);
        for (int bit = 0; has_root && bit < 60; bit++) {
            long double middle = 0.5L * (low + high);
            if ((slip_at(w, b, mu, middle).across < 0.0L) == (before < 0.0L))
                low = middle;
            else
                high = middle;
        }
        if (has_root) keep_root(w, b, mu, 0.5L * (low + high), &roots);
        before = after;
    }
    return roots;
}

static double distance_to(vec3 p, vec3 other) {
    return vec3_norm(vec3_sub(p, other)) / vec3_norm(other);
}

static bool sticks(const mat3 *w, vec3 b, vec3 p) {
    return p.x > 0.0 &&
           vec3_norm(velocity_with(w, p, b)) <= 1e-11 * (vec3_norm(b) + largest(w) * vec3_norm(p));
}

/* Ours is one of them, and without a guess the one that dissipates most; with a guess near the first or the
 * last of three it is that one. Of the three the scan finds the middle one has the middle energy. */
static void check_roots(const mat3 *w, vec3 b, double mu, const struct roots *roots) {
    vec3 cold = coulomb_solve_general(w, b, mu);
    int first = 0, last = 0;
    assert_true(roots->count > 0);
    for (int k = 1; k < roots->count; k++) {
        if (roots->energy[k] < roots->energy[first]) first = k;
        if (roots->energy[k] > roots->energy[last]) last = k;
    }
    assert_near(distance_to(cold, roots->impulse[first]), 0.0, 1e-8);
    vec3 low = roots->impulse[first], high = roots->impulse[last];
    assert_near(distance_to(solve_guessed(w, b, mu, low), low), 0.0, 1e-8);
    assert_near(distance_to(solve_guessed(w, b, mu, high), high), 0.0, 1e-8);
}

/* A problem that is likely to have three sliding solutions. Any positive S and w make a positive W. With the
 * axes 1, 2 of S the friction of the roots turns from 2 to 1 as nu grows; N exceeds |q| on the way, but at
 * neither end, if mu w/W_nn is longer than 1 with both components below 1, and b_n is small. */
static void make_ambiguous(struct random *random, double mu, mat3 *w, vec3 *b) {
    double angle = 3.2 * symmetric(random), c = cos(angle), s = sin(angle);
    double small = pow(10.0, -2.0 - 2.0 * random_uniform(random)), slow = sqrt(small);
    double w_1 = (0.65 + 0.35 * random_uniform(random)) / mu;
    double w_2 = (0.65 + 0.35 * random_uniform(random)) / mu;
    double bare = pow(10.0, -1.0 - 2.0 * random_uniform(random)) / mu;
    double b_1 = 1.0 - w_1 * bare, b_2 = slow - w_2 * bare;
    *w = mat3_zero();
    add_outer(w, 1.0, vec3_make(1.0, w_1 * c - w_2 * s, w_1 * s + w_2 * c));
    add_outer(w, 1.0, vec3_make(0.0, c, s));
    add_outer(w, small, vec3_make(0.0, -s, c));
    *b = vec3_make(-bare, b_1 * c - b_2 * s, b_1 * s + b_2 * c);
}

static void brute_force(void **state) {
    (void)state;
    struct random random = random_start(13, RANDOM_TEST, 0, 0);
    int sliding = 0, several = 0;
    for (int trial = 0; trial < 2500; trial++) {
        mat3 w = random_contact(&random);
        double mu = 3.0 * random_uniform(&random);
        vec3 b = random_approach(&random);
        if (trial % 2) make_ambiguous(&random, mu, &w, &b);
        if (b.x >= 0.0 || sticks(&w, b, coulomb_solve_general(&w, b, mu))) continue;
        struct roots roots = all_roots(&w, b, mu);
        check_roots(&w, b, mu, &roots);
        sliding++;
        if (roots.count > 1) several++;
    }
    assert_true(sliding > 1000);
    assert_true(several > 500);
}

/* ---- Painleve --------------------------------------------------------------------------------------------- */

/* The lower end of a uniform rod of mass 1, tan(theta) = 2, ahead of its centre: W_nn = 1 + 3 cos^2 = 1.6,
 * W_tt = 1 + 3 sin^2 = 3.4, W_nt = 3 sin cos = 1.2, W_ss = 4. Sliding forward, friction backward, has the
 * stiffness W_nn - mu W_nt, which is negative for mu > 4/3. */
static const mat3 rod = {{{1.6, 1.2, 0.0}, {1.2, 3.4, 0.0}, {0.0, 0.0, 4.0}}};

static void rod_slides_on(void **state) {
    (void)state;
    const double mu = 1.2, fall = 1e-3;
    vec3 b = {-fall, 1.0, 0.0}, p = coulomb_solve_general(&rod, b, mu);
    double p_n = fall / (1.6 - mu * 1.2);
    assert_near(p.x, p_n, 1e-14);
    assert_near(p.y, -mu * p_n, 1e-14);
    vec3 u = velocity_with(&rod, p, b);
    assert_near(u.x, 0.0, 1e-16);
    assert_near(u.y, 1.0 + 1.2 * p_n - 3.4 * mu * p_n, 1e-14);
    check_law(&rod, b, mu, p, 1e-15);
}

/* Beyond the limit no sliding forward can carry the rod: it jams, with the impulse that stops the end. It
 * does not vanish with the step: the impact without collision. */
static void rod_jams(void **state) {
    (void)state;
    const double mu = 1.5;
    for (double fall = 1e-3; fall > 1e-19; fall *= 1e-2) {
        vec3 b = {-fall, 1.0, 0.0}, p = coulomb_solve_general(&rod, b, mu);
        assert_near(p.x, (3.4 * fall + 1.2) / 4.0, 1e-14);
        assert_near(p.y, -(1.2 * fall + 1.6) / 4.0, 1e-14);
        assert_near(energy(&rod, p, b), 0.5 * (p.x * b.x + p.y * b.y), 1e-15);
        check_law(&rod, b, mu, p, 1e-14);
    }
    vec3 open = coulomb_solve_general(&rod, vec3_make(0.0, 1.0, 0.0), mu);
    assert_true(vec3_norm(open) == 0.0);
}

/* The end moves across, too, and the mobility across may be so small that it does not stop. */
static void rod_in_space(void **state) {
    (void)state;
    struct random random = random_start(14, RANDOM_TEST, 0, 0);
    for (int trial = 0; trial < 20000; trial++) {
        mat3 w = rod;
        w.m[2][2] = 4.0 * pow(10.0, -4.0 * random_uniform(&random));
        double mu = 1.2 + random_uniform(&random);
        double fall = pow(10.0, -16.0 * random_uniform(&random));
        vec3 b = {-fall, 1.0, symmetric(&random)};
        check_law(&w, b, mu, coulomb_solve_general(&w, b, mu), 1e-12);
        check_law(&w, b, mu, solve_guessed(&w, b, mu, random_vector(&random)), 1e-12);
    }
}

/* ---- planes, singular W ----------------------------------------------------------------------------------- */

/* Third row zero, skew up to the limit of a positive W, mu far into Painleve's range. With b_n < 0 the
 * solution in a plane is unique: the multiplier enters F/nu linearly. */
static void plane(void **state) {
    (void)state;
    struct random random = random_start(15, RANDOM_TEST, 0, 0);
    for (int trial = 0; trial < 50000; trial++) {
        double w_n = exp(2.0 * symmetric(&random)), w_t = exp(2.0 * symmetric(&random));
        double skew = 0.999 * symmetric(&random) * sqrt(w_n * w_t);
        mat3 w = {{{w_n, skew, 0.0}, {skew, w_t, 0.0}, {0.0, 0.0, 0.0}}};
        double mu = frictions[random_below(&random, FRICTIONS)];
        vec3 b = random_approach(&random);
        b.z = 0.0;
        vec3 p = coulomb_solve_general(&w, b, mu), guess = {1.0, symmetric(&random), 0.0};
        check_law(&w, b, mu, p, 1e-11);
        assert_true(p.z == 0.0);
        assert_near(vec3_norm(vec3_sub(p, solve_guessed(&w, b, mu, guess))), 0.0, 0.0);
        w.m[2][2] = 1.0; /* a direction that could move but is not asked to */
        vec3 in_space = coulomb_solve_general(&w, b, mu);
        assert_true(in_space.z == 0.0);
        assert_near(vec3_norm(vec3_sub(p, in_space)), 0.0, 1e-10 * vec3_norm(p));
    }
}

/* W of rank 1 or 2, in any frame. If b = W a, the law has a solution and it is found; if b has a part that
 * nothing can change, then as well unless mu |w| > W_nn; and nothing breaks ever. */
static void singular(void **state) {
    (void)state;
    struct random random = random_start(16, RANDOM_TEST, 0, 0);
    for (int trial = 0; trial < 50000; trial++) {
        vec3 axes[3];
        mat3 w = mat3_zero();
        random_axes(&random, axes);
        add_outer(&w, exp(symmetric(&random)), axes[0]);
        if (trial % 2) add_outer(&w, exp(symmetric(&random)), axes[1]);
        if (w.m[0][0] < 1e-3) continue;
        double mu = frictions[random_below(&random, FRICTIONS)];
        vec3 outside = random_approach(&random), inside = mat3_apply(&w, random_vector(&random));
        vec3 p = coulomb_solve_general(&w, outside, mu);
        check_sound(&w, outside, mu, p);
        if (mu * sqrt(w.m[0][1] * w.m[0][1] + w.m[0][2] * w.m[0][2]) < 0.99 * w.m[0][0])
            check_law(&w, outside, mu, p, 1e-10);
        check_law(&w, inside, mu, coulomb_solve_general(&w, inside, mu), 1e-9);
    }
}

/* What cannot move at all, or not along the normal, gets nothing; a locked tangent only friction. */
static void locked(void **state) {
    (void)state;
    vec3 b = {-1.0, 0.3, 0.4};
    mat3 w = mat3_zero();
    assert_true(vec3_norm(coulomb_solve_general(&w, b, 0.5)) == 0.0);
    w.m[1][1] = 1.0;
    w.m[0][0] = 1e-18;
    assert_true(vec3_norm(coulomb_solve_general(&w, b, 0.5)) == 0.0);
    w = mat3_diagonal(vec3_make(2.0, 0.0, 0.0));
    vec3 p = coulomb_solve_general(&w, b, 0.5);
    assert_near(p.x, 0.5, 1e-15);
    assert_near(p.y, -0.25 * 0.6, 1e-15);
    assert_near(p.z, -0.25 * 0.8, 1e-15);
}

/* ---- limits ----------------------------------------------------------------------------------------------- */

/* mu = 0 and mu so large that the natural map, which multiplies the rounding of u_t by mu, says nothing. */
static void extreme_friction(void **state) {
    (void)state;
    struct random random = random_start(17, RANDOM_TEST, 0, 0);
    for (int trial = 0; trial < 20000; trial++) {
        mat3 w = random_contact(&random);
        vec3 b = random_approach(&random), p = coulomb_solve_general(&w, b, 0.0);
        assert_near(p.x, b.x < 0.0 ? -b.x / w.m[0][0] : 0.0, 4.0 * DBL_EPSILON * p.x);
        assert_true(p.y == 0.0 && p.z == 0.0);
        p = coulomb_solve_general(&w, b, 1e30);
        check_sound(&w, b, 1e30, p);
        vec3 u = velocity_with(&w, p, b);
        double rounding = 1e-12 * (vec3_norm(b) + largest(&w) * vec3_norm(p));
        if (p.x == 0.0) continue;
        assert_near(u.x, 0.0, rounding);
        double slip = sqrt(u.y * u.y + u.z * u.z), p_t = sqrt(p.y * p.y + p.z * p.z);
        if (slip > rounding) assert_near(u.y * p.y + u.z * p.z, -slip * p_t, p_t * rounding);
        if (slip > rounding) assert_near(p_t, 1e30 * p.x, 1e-12 * p_t);
    }
}

static mat3 times(double factor, const mat3 *w) {
    mat3 result;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) result.m[i][j] = factor * w->m[i][j];
    return result;
}

/* In other units the same bits, for factors that are powers of two; close for powers of ten. */
static void scales(void **state) {
    (void)state;
    struct random random = random_start(18, RANDOM_TEST, 0, 0);
    for (int trial = 0; trial < 20000; trial++) {
        mat3 w = random_contact(&random);
        double mu = frictions[random_below(&random, FRICTIONS)];
        vec3 b = random_approach(&random), p = coulomb_solve_general(&w, b, mu);
        double of_w = ldexp(1.0, (int)random_below(&random, 81) - 40);
        double of_b = ldexp(1.0, (int)random_below(&random, 81) - 40);
        mat3 scaled_w = times(of_w, &w);
        vec3 other = coulomb_solve_general(&scaled_w, vec3_scale(of_b, b), mu);
        other = vec3_scale(of_w / of_b, other);
        assert_true(other.x == p.x && other.y == p.y && other.z == p.z);
        double decade = trial % 2 ? 1e12 : 1e-12;
        scaled_w = times(decade, &w);
        vec3 scaled_b = vec3_scale(1.0 / decade, b);
        check_law(&scaled_w, scaled_b, mu, coulomb_solve_general(&scaled_w, scaled_b, mu), 1e-11);
    }
}

/* The struct holds all of W. */
static void remembers_w(void **state) {
    (void)state;
    struct random random = random_start(19, RANDOM_TEST, 0, 0);
    assert_true(sizeof(struct cone) == 64);
    for (int trial = 0; trial < 1000; trial++) {
        mat3 w = random_contact(&random);
        vec3 p = random_vector(&random), direct = mat3_apply(&w, p);
        struct cone cone;
        cone_prepare(&cone, &w);
        vec3 difference = vec3_sub(cone_apply(&cone, p), direct);
        assert_near(vec3_norm(difference), 0.0, 1e-13 * largest(&w));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contact_geometry),
        cmocka_unit_test(any_condition),
        cmocka_unit_test(brute_force),
        cmocka_unit_test(rod_slides_on),
        cmocka_unit_test(rod_jams),
        cmocka_unit_test(rod_in_space),
        cmocka_unit_test(plane),
        cmocka_unit_test(singular),
        cmocka_unit_test(locked),
        cmocka_unit_test(extreme_friction),
        cmocka_unit_test(scales),
        cmocka_unit_test(remembers_w),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
