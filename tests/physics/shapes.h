/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of blocks, polygons and polyhedra share: shapes and places in few lines. Many of the cases
 * are the same in the plane and in space: then x points along the floor and "up" is y in the plane, z in space.
 */
#ifndef TESTS_SHAPES_H
#define TESTS_SHAPES_H

#include <stdlib.h>

#include "base/random.h"
#include "math/vec3.h"
#include "support.h"

static const double g = 9.81, pi = 3.141592653589793;

static inline double degrees(double angle) {
    return angle * pi / 180.0;
}

/* The point x along the floor and h above it. */
static inline vec3 place(int dim, double x, double h) {
    return dim == 2 ? vec(x, h, 0) : vec(x, 0, h);
}

static inline double height(int dim, vec3 a) {
    return dim == 2 ? a.y : a.z;
}

/* How fast it turns from x towards up: counter-clockwise in the plane. */
static inline double spin(int dim, vec3 omega) {
    return dim == 2 ? omega.z : -omega.y;
}

static inline vec3 spin_vector(int dim, double rate) {
    return dim == 2 ? vec(0, 0, rate) : vec(0, -rate, 0);
}

/* Turned by an angle from x towards up. */
static inline quat tilted(int dim, double angle) {
    return quat_turn(quat_identity(), spin_vector(dim, angle));
}

static inline talus_vec3 tilted_gravity(int dim, double theta) {
    return place(dim, g * sin(theta), -g * cos(theta));
}

/* A block of width w and height h; in space as deep as wide. */
static inline void shape_block(talus_sim *sim, const char *name, double w, double h) {
    vec3 corners[8];
    bool flat = talus_sim_dim(sim) == 2;
    for (int k = 0; k < 8; k++) {
        double x = (k & 1 ? 0.5 : -0.5) * w, up = (k & 2 ? 0.5 : -0.5) * h;
        corners[k] = flat ? vec(x, up, 0) : vec(x, (k & 4 ? 0.5 : -0.5) * w, up);
    }
    talus_shape_part part = {.points = corners, .count = flat ? 4 : 8, .rounding = 0.0};
    assert_ok(talus_shape_add(sim, name, &part, 1, NULL));
}

static inline void box_corners(double a, double b, double c, vec3 centre, vec3 corners[8]) {
    for (int k = 0; k < 8; k++)
        corners[k] = vec(centre.x + (k & 1 ? 0.5 : -0.5) * a, centre.y + (k & 2 ? 0.5 : -0.5) * b,
                         centre.z + (k & 4 ? 0.5 : -0.5) * c);
}

static inline void shape_box(talus_sim *sim, const char *name, double a, double b, double c) {
    vec3 corners[8];
    box_corners(a, b, c, vec(0, 0, 0), corners);
    talus_shape_part part = {.points = corners, .count = 8, .rounding = 0.0};
    assert_ok(talus_shape_add(sim, name, &part, 1, NULL));
}

/* A regular polygon with its corners on the circle of radius r, standing on a side. */
static inline void shape_polygon(talus_sim *sim, const char *name, int n, double r) {
    vec3 corners[128];
    assert_true(n <= 128);
    for (int k = 0; k < n; k++) {
        double angle = 2.0 * pi * (k + 0.5) / n - 0.5 * pi;
        corners[k] = vec(r * cos(angle), r * sin(angle), 0);
    }
    talus_shape_part part = {.points = corners, .count = (size_t)n, .rounding = 0.0};
    assert_ok(talus_shape_add(sim, name, &part, 1, NULL));
}

static inline void shape_capsule(talus_sim *sim, const char *name, double length, double r) {
    vec3 ends[2] = {{-0.5 * length, 0, 0}, {0.5 * length, 0, 0}};
    talus_shape_part part = {.points = ends, .count = 2, .rounding = r};
    assert_ok(talus_shape_add(sim, name, &part, 1, NULL));
}

static inline talus_body_def shaped(const talus_sim *sim, const char *shape, vec3 position) {
    talus_body_def def = talus_body_def_default(sim);
    def.shape = shape;
    def.radius = 0.0;
    def.position = position;
    return def;
}

static inline talus_index add_body(talus_sim *sim, const talus_body_def *def) {
    assert_ok(talus_bodies_add(sim, def, 1, NULL, NULL));
    return (talus_index)(talus_sim_bodies(sim).count - 1);
}

/* A body of a shape, at rest and not turned, with the density of the material. */
static inline talus_index add_shaped(talus_sim *sim, const char *shape, vec3 position) {
    talus_body_def def = shaped(sim, shape, position);
    return add_body(sim, &def);
}

static inline void add_floor(talus_sim *sim) {
    int dim = talus_sim_dim(sim);
    support_plane(sim, "floor", vec(0, 0, 0), place(dim, 0, 1));
}

/* Sweeps with momentum: stacks of blocks need far fewer of them than of plain ones. */
static inline talus_config shapes_config(int dim, double dt) {
    talus_config config = support_config(dim, dt);
    config.solver.name = "nnsgs";
    config.solver.tolerance = 1e-12;
    config.solver.max_sweeps = 3000;
    return config;
}

/* A floor through the origin; gravity tilted by theta so that +x is down the slope. */
static inline talus_sim *slope(int dim, double theta, double mu, double dt) {
    talus_config config = shapes_config(dim, dt);
    config.gravity = tilted_gravity(dim, theta);
    talus_sim *sim = support_sim(&config, mu);
    add_floor(sim);
    return sim;
}

/* Kinetic and potential energy. */
static inline double mechanical(const talus_sim *sim) {
    talus_energy e = talus_sim_observe(sim).energy;
    return e.kinetic_translation + e.kinetic_rotation + e.potential;
}

/* Steps during which the energy of the bodies must not grow; the largest overlap in the contacts, in m. */
static inline double steps_losing(talus_sim *sim, int steps) {
    talus_contact contacts[256];
    double deepest = 0.0, before = mechanical(sim);
    for (int k = 0; k < steps; k++) {
        support_steps(sim, 1);
        double now = mechanical(sim);
        assert_true(now <= before + 1e-10 * talus_sim_observe(sim).energy.scale);
        before = now;
        size_t n = talus_sim_contacts(sim, contacts, 256);
        for (size_t c = 0; c < n && c < 256; c++)
            if (-contacts[c].gap > deepest) deepest = -contacts[c].gap;
    }
    return deepest;
}

/* ---- piles ----------------------------------------------------------------------------------- */

enum { PILE_SHAPES = 5 };

/* Irregular polygons or polyhedra of about unit size, named "0".."4": corners at random on an ellipse or ellipsoid. */
static inline void pile_shapes(talus_sim *sim) {
    static const char *const names[PILE_SHAPES] = {"0", "1", "2", "3", "4"};
    int dim = talus_sim_dim(sim);
    struct random random = random_start(11, RANDOM_TEST, (uint64_t)dim, 0);
    for (int k = 0; k < PILE_SHAPES; k++) {
        vec3 corners[16];
        int count = dim == 2 ? 3 + k : 6 + 2 * k;
        for (int c = 0; c < count; c++) {
            double angle = 2 * pi * (c + 0.6 * random_uniform(&random)) / count;
            double z = dim == 2 ? 0.0 : 1.0 - 2.0 * (c + 0.5) / count;
            double turn = dim == 2 ? angle : 2.4 * c + 0.5 * random_uniform(&random);
            double r = 0.5 * sqrt(1.0 - z * z);
            corners[c] = vec(r * cos(turn), 0.8 * r * sin(turn), 0.5 * z);
        }
        talus_shape_part part = {.points = corners, .count = (size_t)count, .rounding = 0.0};
        assert_ok(talus_shape_add(sim, names[k], &part, 1, NULL));
    }
}

/* A box of the given width, open above. */
static inline void pile_walls(talus_sim *sim, double width) {
    int dim = talus_sim_dim(sim);
    add_floor(sim);
    support_plane(sim, "left", vec(0, 0, 0), vec(1, 0, 0));
    support_plane(sim, "right", vec(width, 0, 0), vec(-1, 0, 0));
    if (dim == 2) return;
    support_plane(sim, "front", vec(0, 0, 0), vec(0, 1, 0));
    support_plane(sim, "back", vec(0, width, 0), vec(0, -1, 0));
}

/* `count` of these shapes (of blocks, if `shape` is not NULL) above the floor, `across` in a row, turned at random. */
static inline void pile_bodies(talus_sim *sim, int count, int across, const char *shape) {
    static const char *const names[PILE_SHAPES] = {"0", "1", "2", "3", "4"};
    int dim = talus_sim_dim(sim);
    struct random random = random_start(12, RANDOM_TEST, (uint64_t)dim, 0);
    for (int k = 0; k < count; k++) {
        int row = k / across;
        double x = 0.6 + 1.1 * (k % across), h = 0.6 + 1.1 * (dim == 2 ? row : row / across);
        vec3 at = dim == 2 ? vec(x, h, 0) : vec(x, 0.6 + 1.1 * (row % across), h);
        talus_body_def def = shaped(sim, shape == NULL ? names[k % PILE_SHAPES] : shape, at);
        vec3 turn; /* drawn one by one: the order of arguments is the compiler's */
        turn.x = random_uniform(&random);
        turn.y = random_uniform(&random);
        turn.z = random_uniform(&random);
        if (dim == 2) turn = vec(0, 0, 6.0 * turn.z);
        def.orientation = quat_turn(quat_identity(), turn);
        add_body(sim, &def);
    }
}

/* A pile of `count` that falls into a box under this law. */
static inline talus_sim *pile(int dim, int count, const talus_pair_law *law, double dt) {
    talus_config config = talus_config_default();
    config.solver = talus_solver_plain();
    int across = dim == 2 ? 16 : 4;
    config.dim = dim;
    config.dt = dt;
    config.gravity = tilted_gravity(dim, 0.05);
    config.solver.name = "nnsgs";
    config.solver.stop = TALUS_STOP_RESIDUAL;
    config.solver.tolerance = 1e-4;
    config.solver.max_sweeps = 200;
    talus_sim *sim = support_sim(&config, 0.0);
    assert_ok(talus_pair_set(sim, 0, 0, law, NULL));
    pile_shapes(sim);
    if (dim == 3) shape_box(sim, "box", 0.7, 0.5, 0.4);
    pile_walls(sim, 0.1 + 1.1 * across);
    pile_bodies(sim, count, across, dim == 3 ? "box" : NULL);
    return sim;
}

enum { PILE_LAWS = 6 };

/* Rolling and torsion friction are not for grains with faces (test_blocks.c). */
static inline talus_pair_law pile_law(int k) {
    const talus_restitution_law bouncy = {.normal = 0.5, .threshold = 0.01};
    const talus_restitution_law grazing = {.normal = 0.5, .tangential = 0.2, .threshold = 0.01};
    const talus_cohesion_law sticky = {.force = 1.0, .range = 0.01};
    const talus_pair_law laws[PILE_LAWS] = {
        {.mu_static = 0.5, .mu_sliding = 0.5},
        {.mu_static = 0.0, .mu_sliding = 0.0},
        {.mu_static = 0.6, .mu_sliding = 0.3},
        {.mu_static = 0.4, .mu_sliding = 0.4, .restitution = bouncy},
        {.mu_static = 0.4, .mu_sliding = 0.4, .cohesion = sticky},
        {.mu_static = 0.5, .mu_sliding = 0.4, .cohesion = sticky, .restitution = grazing},
    };
    return laws[k];
}

/* Momentum of all grains, and what the walls have taken so far. */
static inline vec3 momentum_with_walls(const talus_sim *sim, double *mass) {
    talus_body_view view = talus_sim_bodies(sim);
    vec3 sum = vec(0, 0, 0);
    *mass = 0.0;
    for (size_t i = 0; i < view.count; i++) {
        if (view.kind[i] != TALUS_BODY_GRAIN) continue;
        sum = vec3_add_scaled(sum, view.mass[i], view.velocity[i]);
        *mass += view.mass[i];
    }
    for (size_t k = 0; k < talus_sim_boundary_count(sim); k++)
        sum = vec3_add(sum, talus_sim_boundary(sim, k).impulse);
    return sum;
}

/* One pile under one law: energy never grows, the books close to 1e-6 of what was put in, momentum comes from outside
 * alone, and nothing sinks into anything. */
static inline void check_pile(int dim, int count, const talus_pair_law *law, int steps) {
    talus_sim *sim = pile(dim, count, law, 4e-3);
    double before = mechanical(sim);
    for (int step = 0; step < steps; step++) {
        support_steps(sim, 1);
        double now = mechanical(sim);
        assert_true(now <= before + 1e-10 * talus_sim_observe(sim).energy.scale);
        before = now;
        assert_true(talus_sim_observe(sim).overlap_max < 0.025);
    }
    double mass, time = talus_sim_time(sim);
    vec3 momentum = momentum_with_walls(sim, &mass);
    vec3 missing = vec3_add_scaled(momentum, -mass * time, talus_sim_gravity(sim));
    assert_near(vec3_norm(missing), 0.0, 1e-11 * mass * g * time);
    talus_energy e = support_ledger(sim);
    assert_near(e.error, 0.0, 1e-6 * e.input);
    assert_ok(talus_sim_validate(sim, NULL));
    talus_sim_destroy(sim);
}

static inline bool same_bits(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0 || (a == 0.0 && b == 0.0);
}

/* ---- the same scene seen in another way -------------------------------------------------------- */

struct view { /* mirrored in x first, then turned by quarters about z */
    bool mirror;
    int quarters;
};

static inline vec3 viewed(struct view view, vec3 a) {
    if (view.mirror) a.x = -a.x;
    for (int k = 0; k < view.quarters; k++) a = vec(-a.y, a.x, a.z);
    return a;
}

/* Angular velocities: a mirror turns their sense around. */
static inline vec3 viewed_spin(struct view view, vec3 omega) {
    if (view.mirror) omega = vec3_scale(-1.0, omega);
    return viewed(view, omega);
}

enum { VIEWED = 24 };

static inline vec3 viewed_start(int dim, int k) {
    int row = k / 4;
    double x = 1.2 * (k % 4) + 0.1 * row - 2.0, h = 0.7 + 1.1 * (dim == 2 ? row : row / 4);
    return dim == 2 ? vec(x, h, 0) : vec(x, 1.2 * (row % 4) - 1.0, h);
}

/* A shape of its own for every grain, so that none has to be turned; they start spinning. */
static inline void viewed_grain(talus_sim *sim, int k, struct view view) {
    int dim = talus_sim_dim(sim), count = dim == 2 ? 3 + k % 5 : 6 + k % 7;
    struct random random = random_start(17, RANDOM_TEST, (uint64_t)k, 0);
    vec3 corners[16];
    for (int c = 0; c < count; c++) {
        double z = dim == 2 ? 0.0 : 1.0 - 2.0 * (c + 0.5) / count, r = sqrt(1.0 - z * z);
        double turn = (dim == 2 ? 2 * pi / count : 2.4) * (c + 0.5 * random_uniform(&random));
        corners[c] = viewed(view, vec(0.5 * r * cos(turn), 0.4 * r * sin(turn), 0.45 * z));
    }
    char name[16];
    snprintf(name, sizeof name, "shape %d", k);
    talus_shape_part part = {.points = corners, .count = (size_t)count, .rounding = 0.0};
    assert_ok(talus_shape_add(sim, name, &part, 1, NULL));
    talus_body_def def = shaped(sim, name, viewed(view, viewed_start(dim, k)));
    vec3 start = viewed_start(dim, k); /* towards the middle, more or less */
    double aside = random_uniform(&random) - 0.5;
    def.velocity = viewed(view, vec(aside - start.x, 1.5 - start.y, 0));
    def.omega = viewed_spin(view, dim == 2 ? vec(0, 0, 1) : vec(0.5, -1, 0.7));
    add_body(sim, &def);
}

static inline talus_sim *viewed_pile(int dim, struct view view) {
    talus_config config = shapes_config(dim, 0x1p-8);
    config.gravity = viewed(view, dim == 2 ? vec(0.3, -9.81, 0) : vec(0.3, 0.2, -9.81));
    talus_sim *sim = support_sim(&config, 0.4);
    support_plane(sim, "floor", vec(0, 0, 0), viewed(view, place(dim, 0, 1)));
    support_plane(sim, "left", viewed(view, vec(-3, 0, 0)), viewed(view, vec(1, 0, 0)));
    support_plane(sim, "right", viewed(view, vec(3, 0, 0)), viewed(view, vec(-1, 0, 0)));
    for (int k = 0; k < VIEWED; k++) viewed_grain(sim, k, view);
    return sim;
}

/* Largest difference of positions and velocities between the pile and its other view after some steps. The points of a
 * contact come in another order then, so it is the same to rounding and only if the forces have converged; every blow
 * makes the difference some times larger. */
static inline double view_difference(int dim, struct view view, int steps) {
    talus_sim *plain = viewed_pile(dim, (struct view){false, 0});
    talus_sim *other = viewed_pile(dim, view);
    int64_t touched = 0;
    for (int step = 0; step < steps; step++) {
        support_steps(plain, 1);
        support_steps(other, 1);
        touched += talus_sim_observe(plain).contacts;
    }
    assert_true(touched > 200);
    talus_body_view p = talus_sim_bodies(plain), q = talus_sim_bodies(other);
    double most = 0.0;
    for (size_t i = 0; i < p.count; i++) {
        if (p.kind[i] != TALUS_BODY_GRAIN) continue;
        vec3 position = vec3_sub(viewed(view, p.position[i]), q.position[i]);
        vec3 velocity = vec3_sub(viewed(view, p.velocity[i]), q.velocity[i]);
        vec3 omega = vec3_sub(viewed_spin(view, p.omega[i]), q.omega[i]);
        most = fmax(most, fmax(vec3_norm(position), fmax(vec3_norm(velocity), vec3_norm(omega))));
    }
    talus_sim_destroy(plain);
    talus_sim_destroy(other);
    return most;
}

/* Momentum, and angular momentum about the origin, of grains that meet far from any wall. */
static inline void free_momenta(const talus_sim *sim, vec3 *linear, vec3 *angular) {
    talus_body_view view = talus_sim_bodies(sim);
    *linear = *angular = vec(0, 0, 0);
    for (size_t i = 0; i < view.count; i++) {
        vec3 p = vec3_scale(view.mass[i], view.velocity[i]);
        *linear = vec3_add(*linear, p);
        *angular = vec3_add(*angular, vec3_cross(view.position[i], p));
        talus_shape_view shape = talus_sim_shape(sim, (size_t)view.form[i] - 1);
        double size = view.radius[i] / shape.reach;
        quat q = view.orientation[i], back = {q.w, -q.x, -q.y, -q.z};
        vec3 w = quat_rotate(back, view.omega[i]);
        double(*m)[3] = shape.inertia;
        vec3 own = vec(m[0][0] * w.x + m[0][1] * w.y + m[0][2] * w.z,
                       m[1][0] * w.x + m[1][1] * w.y + m[1][2] * w.z,
                       m[2][0] * w.x + m[2][1] * w.y + m[2][2] * w.z);
        *angular = vec3_add_scaled(*angular, view.mass[i] * size * size, quat_rotate(q, own));
    }
}

/* Grains thrown at each other in empty space: forces between them come in pairs, and on one line. */
static inline void check_momenta(int dim) {
    talus_config config = support_config(dim, 0x1p-8);
    talus_sim *sim = support_sim(&config, 0.5);
    for (int k = 0; k < VIEWED; k++) viewed_grain(sim, k, (struct view){false, 0});
    vec3 linear, angular, linear_end, angular_end;
    free_momenta(sim, &linear, &angular);
    talus_body_view view = talus_sim_bodies(sim);
    double scale = 0.0, mass = 0.0;
    int64_t touched = 0;
    for (size_t i = 0; i < view.count; i++) mass += view.mass[i];
    scale = 5.0 * mass;
    for (int step = 0; step < 400; step++) {
        support_steps(sim, 1);
        touched += talus_sim_observe(sim).contacts;
    }
    assert_true(touched > 200);
    free_momenta(sim, &linear_end, &angular_end);
    assert_near(vec3_norm(vec3_sub(linear_end, linear)), 0.0, 1e-12 * scale);
    assert_near(vec3_norm(vec3_sub(angular_end, angular)), 0.0, 1e-12 * scale);
    talus_sim_destroy(sim);
}

#endif
