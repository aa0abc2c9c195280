/* SPDX-License-Identifier: Apache-2.0
 * Friction and rolling friction at one contact in matrix form: projection and local solution. */
#include "support.h"

#include "base/random.h"
#include "law/coulomb.h"
#include "law/rolling_cone.h"

enum { MOST = ROLLING_CONE_MOST };

static double part_length(const double *p, int dim, int part) {
    int width = (dim - 1) / 2;
    return rolling_cone_length(&p[1 + part * width], width);
}

static double distance(const double *p, const double *x, int dim) {
    double sum = 0.0;
    for (int k = 0; k < dim; k++) sum += (p[k] - x[k]) * (p[k] - x[k]);
    return sqrt(sum);
}

/* The nearest point with this normal part. */
static double cost(const struct rolling_cone *cone, const double *p, double x_n) {
    double t = part_length(p, cone->dim, 0) - cone->mu * x_n;
    double s = part_length(p, cone->dim, 1) - cone->mu_r * x_n;
    return (x_n - p[0]) * (x_n - p[0]) + (t > 0.0 ? t * t : 0.0) + (s > 0.0 ? s * s : 0.0);
}

/* By thirds: the cost is convex. To about the square root of the rounding of a double. */
static double brute_force(const struct rolling_cone *cone, const double *p) {
    double low = 0.0, high = 100.0;
    for (int k = 0; k < 120; k++) {
        double a = low + (high - low) / 3.0, b = high - (high - low) / 3.0;
        if (cost(cone, p, a) < cost(cone, p, b))
            high = b;
        else
            low = a;
    }
    return 0.5 * (low + high);
}

/* Which limits the projection is at: 0 tip, 1 inside, 2 friction, 3 rolling, 4 both. */
static int kind_of(const struct rolling_cone *cone, const double *p, const double *x) {
    if (x[0] == 0.0) return 0;
    bool slides = part_length(p, cone->dim, 0) > cone->mu * x[0];
    bool rolls = part_length(p, cone->dim, 1) > cone->mu_r * x[0];
    return 1 + slides + 2 * rolls;
}

/* x is the nearest point of K to p if and only if x in K, x - p in K*, x.(x - p) = 0. */
static void projection(void **state) {
    (void)state;
    struct random random = random_start(21, RANDOM_TEST, 0, 0);
    int seen[5] = {0};
    for (int trial = 0; trial < 50000; trial++) {
        int dim = trial % 2 == 0 ? 3 : 5;
        struct rolling_cone cone = {dim, trial % 7 == 0 ? 0.0 : 2.0 * random_uniform(&random),
                                    trial % 11 == 0 ? 0.0 : 2.0 * random_uniform(&random)};
        double p[MOST] = {0.0}, x[MOST] = {0.0}, rest[MOST], dot = 0.0;
        for (int k = 0; k < dim; k++) x[k] = p[k] = random_normal(&random);
        rolling_cone_project(&cone, x);
        seen[kind_of(&cone, p, x)]++;
        for (int k = 0; k < dim; k++) {
            rest[k] = x[k] - p[k];
            dot += x[k] * rest[k];
        }
        assert_true(part_length(x, dim, 0) <= cone.mu * x[0] * (1.0 + 1e-15) + 1e-300);
        assert_true(part_length(x, dim, 1) <= cone.mu_r * x[0] * (1.0 + 1e-15) + 1e-300);
        assert_true(rest[0] >= rolling_cone_shift(&cone, rest) - 1e-14);
        assert_near(dot, 0.0, 1e-14);
        if (trial % 10 == 0) assert_near(x[0], brute_force(&cone, p), 1e-6);
        double again[MOST];
        memcpy(again, x, sizeof again);
        rolling_cone_project(&cone, again);
        assert_true(distance(again, x, dim) <= 1e-15 * (1.0 + fabs(x[0])));
    }
    for (int k = 0; k < 5; k++) assert_true(seen[k] > 1000);
}

/* With mu_r = 0, or nothing in it, it is the projection on Coulomb's cone. */
static void projection_without_rolling(void **state) {
    (void)state;
    struct random random = random_start(22, RANDOM_TEST, 0, 0);
    for (int trial = 0; trial < 1000; trial++) {
        struct rolling_cone cone = {5, random_uniform(&random), trial % 2 == 0 ? 0.0 : 0.3};
        double p[MOST];
        for (int k = 0; k < 3; k++) p[k] = random_normal(&random);
        for (int k = 3; k < 5; k++) p[k] = trial % 2 == 0 ? random_normal(&random) : 0.0;
        vec3 plain = coulomb_project(vec3_make(p[0], p[1], p[2]), cone.mu);
        rolling_cone_project(&cone, p);
        assert_near(p[0], plain.x, 1e-15);
        assert_near(p[1], plain.y, 1e-15);
        assert_near(p[2], plain.z, 1e-15);
        assert_true(p[3] == 0.0 && p[4] == 0.0);
    }
}

/* ---- the local problem ----------------------------------------------------------------------- */

static void velocity(int dim, const double *w, const double *b, const double *p, double *u) {
    for (int a = 0; a < dim; a++) {
        u[a] = b[a];
        for (int c = 0; c < dim; c++) u[a] += w[a * dim + c] * p[c];
    }
}

/* W = diag(2, 1, 1, 4, 4): nothing is coupled, all by hand. p_n = 1 where it closes. */
static void by_hand(void **state) {
    (void)state;
    const struct {
        double b_n, b_t, b_r, p_n, p_t, p_r;
    } cases[] = {
        {-2.0, 0.3, 0.5, 1.0, -0.3, -0.125}, /* rests */
        {-2.0, 0.9, 0.5, 1.0, -0.5, -0.125}, /* slides */
        {-2.0, 0.3, 2.0, 1.0, -0.3, -0.25},  /* rolls */
        {-2.0, 0.9, 2.0, 1.0, -0.5, -0.25},  /* both */
        {0.1, 0.9, 2.0, 0.0, 0.0, 0.0},      /* open */
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int dim = 3; dim <= 5; dim += 2) {
            int width = (dim - 1) / 2;
            const struct rolling_cone cone = {dim, 0.5, 0.25};
            double w[MOST * MOST] = {0.0}, b[MOST] = {0.0}, p[MOST] = {0.0};
            for (int a = 0; a < dim; a++) w[a * (dim + 1)] = a == 0 ? 2.0 : a <= width ? 1.0 : 4.0;
            b[0] = cases[k].b_n;
            b[1] = cases[k].b_t;
            b[dim - 1] = cases[k].b_r;
            rolling_cone_solve(&cone, w, b, p);
            assert_near(p[0], cases[k].p_n, 1e-15);
            assert_near(p[1], cases[k].p_t, 1e-15);
            assert_near(p[dim - 1], cases[k].p_r, 1e-15);
            if (dim == 5) assert_true(p[2] == 0.0 && p[3] == 0.0);
        }
}

/* W = G G^T/rank of random G, torques in another unit. */
static void random_response(struct random *random, int dim, int rank, double unit, double *w) {
    double g[MOST][MOST + 2];
    for (int a = 0; a < dim; a++)
        for (int c = 0; c < rank; c++)
            g[a][c] = random_normal(random) * (a > (dim - 1) / 2 ? unit : 1.0);
    for (int a = 0; a < dim; a++)
        for (int c = 0; c < dim; c++) {
            w[a * dim + c] = 0.0;
            for (int k = 0; k < rank; k++) w[a * dim + c] += g[a][k] * g[c][k] / rank;
        }
}

/* The law itself, part by part, not the map: u_n p_n = 0, each part within its limit and against its slip. */
static double miss(const struct rolling_cone *cone, const double *p, const double *u, double unit) {
    int dim = cone->dim, width = (dim - 1) / 2;
    double worst = fmax(fmax(-u[0], 0.0), fmin(fabs(u[0]), fabs(p[0])));
    for (int part = 0; part < 2; part++) {
        double limit = (part == 0 ? cone->mu : cone->mu_r) * p[0];
        double slip = part_length(u, dim, part) / (part == 0 ? 1.0 : unit);
        double scale = part == 0 ? 1.0 : unit, against = 0.0;
        for (int k = 1 + part * width; k < 1 + (part + 1) * width; k++) against += p[k] * u[k];
        worst = fmax(worst, (part_length(p, dim, part) - limit) * scale);
        /* p.u = -limit |u| */
        worst = fmax(worst, fabs(against + limit * part_length(u, dim, part)) /
                                (slip + fabs(limit) * scale + 1e-300));
    }
    return worst;
}

static void local_problems(void **state) {
    (void)state;
    struct random random = random_start(23, RANDOM_TEST, 0, 0);
    double worst = 0.0;
    for (int trial = 0; trial < 30000; trial++) {
        int dim = trial % 2 == 0 ? 3 : 5, rank = dim + trial / 2 % 3;
        double unit = trial % 3 == 0 ? 1.0 : trial % 3 == 1 ? 1e-3 : 1e4; /* powder, boulders */
        struct rolling_cone cone = {dim, trial % 7 == 0 ? 0.0 : 1.5 * random_uniform(&random),
                                    trial % 5 == 0 ? 0.0 : random_uniform(&random) / unit};
        double w[MOST * MOST], b[MOST], p[MOST], u[MOST];
        random_response(&random, dim, rank, unit, w);
        for (int k = 0; k < dim; k++) {
            b[k] = random_normal(&random) * (k > (dim - 1) / 2 ? unit : 1.0);
            p[k] = trial % 4 == 0 ? 0.0 : random_normal(&random); /* any guess */
        }
        b[0] = -fabs(b[0]);
        rolling_cone_solve(&cone, w, b, p);
        velocity(dim, w, b, p, u);
        double size = 1.0 + fabs(p[0]) + part_length(p, dim, 1) * unit;
        double now = miss(&cone, p, u, unit) / size;
        if (!(now < 1e-11))
            fail_msg("trial %d, dim %d, rank %d, unit %g: misses the law by %g", trial, dim, rank,
                     unit, now);
        worst = fmax(worst, now);
    }
    print_message("30000 local problems: law missed by at most %.2g\n", worst);
}

/* Directions that nothing can move: a body that cannot turn (W_R = 0) but is turned by what drives it, friction on a
 * line only. Slips that cannot be stopped stand at their limits. */
static void held_directions(void **state) {
    (void)state;
    const struct rolling_cone cone = {5, 0.5, 0.25};
    double w[MOST * MOST] = {0.0}, p[MOST] = {0.0};
    const double b[MOST] = {-2.0, 0.3, 0.4, 0.0, 3.0};
    w[0] = 2.0;
    w[6] = 1.0; /* the first tangent alone moves */
    rolling_cone_solve(&cone, w, b, p);
    double u[MOST];
    velocity(5, w, b, p, u);
    assert_near(p[0], 1.0, 1e-12);
    assert_near(rolling_cone_residual(&cone, p, u), 0.0, 1e-9);
    assert_near(p[3], 0.0, 1e-12);
    assert_near(p[4], -0.25, 1e-12);
    assert_near(hypot(p[1], p[2]), 0.5, 1e-9);
    const double nothing[MOST * MOST] = {0.0};
    rolling_cone_solve(&cone, nothing, b, p);
    for (int k = 0; k < 5; k++) assert_true(p[k] == 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projection),      cmocka_unit_test(projection_without_rolling),
        cmocka_unit_test(by_hand),         cmocka_unit_test(local_problems),
        cmocka_unit_test(held_directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
