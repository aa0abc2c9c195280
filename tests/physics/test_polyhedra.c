/* SPDX-License-Identifier: Apache-2.0
 *
 * Polyhedra, capsules and clusters in space: cubes that fall on face, edge and corner, tables, rolling bodies that are
 * nearly round, piles of boxes, mixtures with spheres [validation 80, 81, 83, 114, 131, 135, 136, 139].
 */
#include "shapes.h"

/* ---- a cube that falls ----------------------------------------------------------------------- */

enum landing { ON_FACE, ON_EDGE, ON_CORNER };

/* A unit cube turned so that a face, an edge or a corner points down, its lowest point `gap` above the floor. A little
 * off the balance, so that it must fall over. */
static talus_sim *falling_cube(enum landing landing, double gap, const talus_pair_law *law,
                               double dt) {
    talus_sim *sim = slope(3, 0.0, 0.0, dt);
    assert_ok(talus_pair_set(sim, 0, 0, law, NULL));
    shape_box(sim, "cube", 1, 1, 1);
    quat turn = quat_identity();
    if (landing != ON_FACE) turn = quat_turn(turn, vec(0.25 * pi + 0.02, 0, 0));
    if (landing == ON_CORNER) turn = quat_turn(turn, vec(0, atan(sqrt(0.5)) + 0.03, 0));
    double lowest = 0.0;
    for (int k = 0; k < 8; k++) {
        vec3 corner = vec(k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5);
        lowest = fmin(lowest, quat_rotate(turn, corner).z);
    }
    talus_body_def def = shaped(sim, "cube", vec(0, 0, gap - lowest));
    def.orientation = turn;
    add_body(sim, &def);
    return sim;
}

/* How far the nearest face normal of the cube is from the vertical. */
static double askew(const talus_sim *sim) {
    quat q = talus_sim_bodies(sim).orientation[1];
    double best = 0.0;
    for (int k = 0; k < 3; k++) {
        vec3 axis = quat_rotate(q, vec(k == 0, k == 1, k == 2));
        best = fmax(best, fabs(axis.z));
    }
    return sqrt(fmax(0.0, 1.0 - best * best));
}

/* Without restitution it ends flat on a face, at rest, and has sunk in by less than 1e-5 of its side. */
static void test_cube_comes_to_rest(void **state) {
    (void)state;
    const talus_pair_law law = {.mu_static = 0.5, .mu_sliding = 0.5};
    for (enum landing landing = ON_FACE; landing <= ON_CORNER; landing++) {
        talus_sim *sim = falling_cube(landing, 0.1, &law, 1e-3);
        double deepest = steps_losing(sim, 2000);
        assert_true(deepest < 1e-5);
        talus_body_view view = talus_sim_bodies(sim);
        assert_near(askew(sim), 0.0, 1e-8);
        assert_near(view.position[1].z, 0.5, 1e-7);
        assert_near(vec3_norm(view.velocity[1]), 0.0, 1e-10);
        assert_near(vec3_norm(view.omega[1]), 0.0, 1e-10);
        support_ledger(sim);
        talus_sim_destroy(sim);
    }
}

/* Elastic and smooth, dropped on a corner: energy is kept to 1e-3 over many blows, and turns into spin. */
static void test_elastic_cube_keeps_energy(void **state) {
    (void)state;
    const talus_pair_law law = {.restitution = {.normal = 1.0}};
    talus_sim *sim = falling_cube(ON_CORNER, 1.0, &law, 1e-4);
    double start = mechanical(sim), spinning = 0.0;
    for (int step = 0; step < 20000; step++) {
        support_steps(sim, 1);
        spinning = fmax(spinning, talus_sim_observe(sim).energy.kinetic_rotation);
    }
    assert_near(mechanical(sim) / start, 1.0, 1e-3);
    assert_true(spinning > 0.05 * start);
    support_ledger(sim);
    talus_sim_destroy(sim);
}

/* ---- a table --------------------------------------------------------------------------------- */

/* A box with a ball on it, off the middle: four corners bear both. Sum and moments are exact, the parts are not unique. */
static void test_four_point_table(void **state) {
    (void)state;
    talus_sim *sim = slope(3, 0.0, 0.5, 1e-3);
    shape_box(sim, "table", 2.0, 1.0, 0.1);
    const vec3 offset = {0.4, -0.2, 0};
    talus_index table = add_shaped(sim, "table", vec(0, 0, 0.05));
    talus_index ball = support_grain(sim, 0.2, 0.7, vec(offset.x, offset.y, 0.3), vec(0, 0, 0));
    support_steps(sim, 20);
    talus_body_view view = talus_sim_bodies(sim);
    double weight = (view.mass[table] + view.mass[ball]) * g;
    talus_contact contacts[16];
    size_t n = talus_sim_contacts(sim, contacts, 16);
    vec3 sum = vec(0, 0, 0), moment = vec(0, 0, 0);
    int legs = 0;
    for (size_t k = 0; k < n; k++) {
        if (contacts[k].a != 0 && contacts[k].b != 0) continue; /* not on the floor */
        vec3 force = vec3_scale(contacts[k].a == 0 ? 1.0 : -1.0, contacts[k].force);
        sum = vec3_add(sum, force);
        moment = vec3_add(moment, vec3_cross(contacts[k].point, force));
        legs++;
    }
    assert_int_equal(legs, 4);
    assert_near(sum.z, weight, 1e-8 * weight);
    assert_near(hypot(sum.x, sum.y), 0.0, 1e-8 * weight);
    assert_near(moment.x, view.mass[ball] * g * offset.y, 1e-8 * weight);
    assert_near(moment.y, -view.mass[ball] * g * offset.x, 1e-8 * weight);
    assert_near(moment.z, 0.0, 1e-8 * weight);
    talus_sim_destroy(sim);
}

/* ---- nearly round bodies --------------------------------------------------------------------- */

/* 252 points spread over a sphere have a hull of 500 triangles. */
static void shape_many_faces(talus_sim *sim, double r) {
    enum { POINTS = 252 };
    vec3 points[POINTS];
    for (int k = 0; k < POINTS; k++) {
        double z = 1.0 - (2.0 * k + 1.0) / POINTS, angle = 2.399963229728653 * k;
        points[k] = vec(r * sqrt(1 - z * z) * cos(angle), r * sqrt(1 - z * z) * sin(angle), r * z);
    }
    talus_shape_part part = {.points = points, .count = POINTS, .rounding = 0.0};
    assert_ok(talus_shape_add(sim, "pebble", &part, 1, NULL));
    assert_int_equal(talus_sim_hull(sim, 0, 0).vertex_count, POINTS);
    assert_int_equal(talus_sim_hull(sim, 0, 0).face_count, 500);
}

/* It has the volume and inertia of the sphere to 2 %, and rolls down a slope like it: v after 1 s from a start that is fast
 * enough to pass over the edges. */
static void test_many_faces_roll_like_sphere(void **state) {
    (void)state;
    const double theta = degrees(20.0), dt = 1e-3, time = 0.5, v0 = 0.5;
    const double a = 5.0 / 7.0 * g * sin(theta);
    talus_sim *sim = slope(3, theta, 1.0, dt);
    shape_many_faces(sim, 1.0);
    talus_shape_view shape;
    assert_true(talus_shape_find(sim, "pebble", &shape));
    assert_near(shape.volume / (4.0 / 3.0 * pi), 1.0, 0.04);
    assert_near(shape.inertia[0][0] / 0.4, 1.0, 0.03);
    talus_body_def def = shaped(sim, "pebble", vec(0, 0, 1.0));
    def.velocity = vec(v0, 0, 0);
    def.omega = vec(0, v0, 0);
    talus_index pebble = add_body(sim, &def);
    support_steps(sim, (int)lround(time / dt));
    talus_body_view view = talus_sim_bodies(sim);
    assert_near(view.velocity[pebble].x / (v0 + a * time), 1.0, 0.03);
    assert_near(view.position[pebble].x / (v0 * time + 0.5 * a * time * time), 1.0, 0.02);
    support_ledger(sim);
    talus_sim_destroy(sim);
}

/* A capsule rolls across its axis like the body of revolution it is: a = g sin/(1 + I/m r^2), exactly. */
static void test_capsule_rolls(void **state) {
    (void)state;
    const double theta = degrees(15.0), r = 0.5, length = 1.0, dt = 1e-3;
    talus_sim *sim = slope(3, theta, 0.5, dt);
    vec3 ends[2] = {{0, -0.5 * length, 0}, {0, 0.5 * length, 0}};
    talus_shape_part part = {.points = ends, .count = 2, .rounding = r};
    assert_ok(talus_shape_add(sim, "capsule", &part, 1, NULL));
    talus_index capsule = add_shaped(sim, "capsule", vec(0, 0, r));
    talus_shape_view shape;
    assert_true(talus_shape_find(sim, "capsule", &shape));
    /* Cylinder and two half balls. */
    double rod = pi * r * r * length, balls = 4.0 / 3.0 * pi * r * r * r;
    double inertia = (0.5 * rod + 0.4 * balls) * r * r / (rod + balls);
    assert_near(shape.volume, rod + balls, 1e-12);
    assert_near(shape.inertia[1][1], inertia, 1e-12);
    support_steps(sim, 1000);
    double a = g * sin(theta) / (1.0 + inertia / (r * r));
    talus_body_view view = talus_sim_bodies(sim);
    assert_near(view.velocity[capsule].x, a, 1e-9);
    assert_near(view.omega[capsule].y, a / r, 1e-9);
    assert_near(view.position[capsule].z, r, 1e-12);
    support_ledger(sim);
    talus_sim_destroy(sim);
}

/* ---- clusters -------------------------------------------------------------------------------- */

/* An L of two boxes: a foot 2 x 1 x 1 and a post 1 x 1 x 2 on its end. */
static void shape_l(talus_sim *sim) {
    vec3 foot[8], post[8];
    box_corners(2, 1, 1, vec(0, 0, 0.5), foot);
    box_corners(1, 1, 2, vec(-0.5, 0, 2), post);
    talus_shape_part parts[2] = {{.points = foot, .count = 8, .rounding = 0.0},
                                 {.points = post, .count = 8, .rounding = 0.0}};
    assert_ok(talus_shape_add(sim, "L", parts, 2, NULL));
}

static void test_cluster_stands(void **state) {
    (void)state;
    talus_sim *sim = slope(3, 0.0, 0.6, 5e-3);
    shape_l(sim);
    talus_shape_view shape;
    assert_true(talus_shape_find(sim, "L", &shape));
    /* Two parts of volume 2 each, centres (0, 0, 0.5) and (-0.5, 0, 2). */
    assert_near(shape.volume, 4.0, 1e-12);
    assert_near(shape.centre.x, -0.25, 1e-12);
    assert_near(shape.centre.z, 1.25, 1e-12);
    /* About y, for mass 1: half of each part's own (5/12) and its distance, 0.25^2 + 0.75^2. */
    assert_near(shape.inertia[1][1], 5.0 / 12.0 + 0.625, 1e-12);
    assert_near(shape.inertia[0][0], 0.5 * (2.0 / 12.0 + 5.0 / 12.0) + 0.5625, 1e-12);
    assert_near(shape.inertia[2][2], 0.5 * (5.0 / 12.0 + 2.0 / 12.0) + 0.0625, 1e-12);
    assert_near(fabs(shape.inertia[0][2]), 0.25 * 0.75, 1e-12);
    talus_index body = add_shaped(sim, "L", shape.centre);
    assert_near(talus_sim_bodies(sim).mass[body], 4.0, 1e-12);
    support_steps(sim, 400);
    talus_body_view view = talus_sim_bodies(sim);
    assert_near(vec3_norm(vec3_sub(view.position[body], shape.centre)), 0.0, 1e-12);
    assert_near(height(3, talus_sim_boundary(sim, 0).force), -4.0 * g, 1e-9);
    talus_sim_destroy(sim);
}

/* Its centre of mass is 0.75 from the left edge of the foot, 1.25 high: tan = 0.6, and 1.25/1.25 to the right. */
static void test_cluster_topples(void **state) {
    (void)state;
    for (int side = -1; side <= 1; side += 2)
        for (int beyond = 0; beyond < 2; beyond++) {
            double limit = atan(side < 0 ? 0.75 / 1.25 : 1.0);
            double theta = side * (limit + degrees(beyond ? 0.4 : -0.4));
            talus_sim *sim = slope(3, theta, 1.2, 5e-3);
            shape_l(sim);
            talus_shape_view shape;
            assert_true(talus_shape_find(sim, "L", &shape));
            talus_index body = add_shaped(sim, "L", shape.centre);
            support_steps(sim, 200);
            double turned = vec3_norm(talus_sim_bodies(sim).omega[body]);
            if (beyond) assert_true(turned > 0.01);
            if (!beyond) assert_near(turned, 0.0, 1e-11);
            talus_sim_destroy(sim);
        }
}

/* A ball with a smaller one on each side, lower than its own centre, swings about its lowest position as a physical
 * pendulum: on a rolling ball T = 2 pi sqrt((I + m (r - s)^2)/(m g s)), s the depth of the centre of mass. */
static double wobble_period(double angle, double dt) {
    talus_sim *sim = slope(3, 0.0, 1.0, dt);
    const double low = 0.45, r = 0.5;
    vec3 middle = {0, 0, 0}, left = {0, -1.6, -low}, right = {0, 1.6, -low};
    talus_shape_part parts[3] = {{.points = &middle, .count = 1, .rounding = 1.0},
                                 {.points = &left, .count = 1, .rounding = r},
                                 {.points = &right, .count = 1, .rounding = r}};
    assert_ok(talus_shape_add(sim, "wobbler", parts, 3, NULL));
    talus_shape_view shape;
    assert_true(talus_shape_find(sim, "wobbler", &shape));
    const double share = 0.25 / 1.25; /* of the small balls in volume */
    assert_near(-shape.centre.z, low * share, 1e-12);
    double s = -shape.centre.z;
    double own = 0.4 * (1.0 - share) + 0.4 * r * r * share + share * (1.0 - share) * low * low;
    assert_near(shape.inertia[1][1], own, 1e-12);
    quat turn = quat_turn(quat_identity(), vec(0, angle, 0));
    vec3 centre = quat_rotate(turn, vec(0, 0, -s));
    talus_body_def def = shaped(sim, "wobbler", vec(centre.x, 0, 1.0 + centre.z));
    def.orientation = turn;
    talus_index body = add_body(sim, &def);
    double before = angle, first = 0.0, last = 0.0;
    for (int zeros = 0; zeros < 5;) {
        support_steps(sim, 1);
        double now = quat_rotate(talus_sim_bodies(sim).orientation[body], vec(0, 0, 1)).x;
        if ((now < 0) != (before < 0)) {
            last = talus_sim_time(sim) - dt * now / (now - before);
            if (zeros++ == 0) first = last;
        }
        before = now;
        assert_true(talus_sim_time(sim) < 40.0);
    }
    talus_sim_destroy(sim);
    return 0.5 * (last - first) / (2.0 * pi * sqrt((own + (1 - s) * (1 - s)) / (g * s)));
}

static void test_wobbling_ball(void **state) {
    (void)state;
    double coarse = wobble_period(0.02, 4e-3), fine = wobble_period(0.02, 2e-3);
    assert_near(fine, 1.0, 0.005);
    assert_near(2.0 * fine - coarse, 1.0, 2e-3);
}

/* Jellett's integral of a ball with a knob, spinning on the ball: whatever friction does, L . a is kept, L the angular
 * momentum about the centre of mass and a the way from there to the contact. Largest change in one second, over its value. */
static double jellett_drift(double mu, double dt) {
    talus_sim *sim = slope(3, 0.0, mu, dt);
    vec3 middle = {0, 0, 0}, knob = {0, 0, 1.6};
    talus_shape_part parts[2] = {{.points = &middle, .count = 1, .rounding = 1.0},
                                 {.points = &knob, .count = 1, .rounding = 0.5}};
    assert_ok(talus_shape_add(sim, "top", parts, 2, NULL));
    talus_shape_view shape;
    assert_true(talus_shape_find(sim, "top", &shape));
    quat turn = quat_turn(quat_identity(), vec(0.5, 0, 0));
    vec3 centre = quat_rotate(turn, shape.centre);
    talus_body_def def = shaped(sim, "top", vec(centre.x, centre.y, 1.0 + centre.z));
    def.orientation = turn;
    def.omega = quat_rotate(turn, vec(0, 0, 20.0));
    talus_index top = add_body(sim, &def);
    double first = 0.0, drift = 0.0;
    for (int step = 0; step <= (int)lround(1.0 / dt); step++) {
        talus_body_view view = talus_sim_bodies(sim);
        quat q = view.orientation[top], back = {q.w, -q.x, -q.y, -q.z};
        vec3 w = quat_rotate(back, view.omega[top]);
        vec3 own =
            vec(shape.inertia[0][0] * w.x, shape.inertia[1][1] * w.y, shape.inertia[2][2] * w.z);
        vec3 arm = vec3_sub(vec(0, 0, -1), quat_rotate(q, shape.centre));
        double jellett = vec3_dot(quat_rotate(q, own), arm);
        if (step == 0) first = jellett;
        drift = fmax(drift, fabs(jellett / first - 1.0));
        support_steps(sim, 1);
    }
    assert_true(vec3_norm(talus_sim_bodies(sim).omega[top]) < 21.0);
    support_ledger(sim);
    talus_sim_destroy(sim);
    return drift;
}

static void test_spinning_top(void **state) {
    (void)state;
    for (int rough = 0; rough < 2; rough++) {
        double mu = rough ? 0.5 : 0.05;
        double coarse = jellett_drift(mu, 5e-4), fine = jellett_drift(mu, 2.5e-4);
        assert_near(fine, 0.0, 1e-7);
        assert_near(coarse / fine, 2.0, 0.1);
    }
}

/* Sizes whose moments of inertia are no numbers. */
static void test_absurd_sizes_are_refused(void **state) {
    (void)state;
    talus_sim *sim = slope(3, 0.0, 0.5, 1e-3);
    const double sizes[2] = {1e-60, 1e60};
    for (int k = 0; k < 2; k++) {
        talus_body_def def = talus_body_def_default(sim);
        talus_error err;
        def.radius = sizes[k];
        def.position = vec(0, 0, 2e60);
        assert_int_equal(talus_bodies_add(sim, &def, 1, NULL, &err), TALUS_ERR_INPUT);
        assert_non_null(strstr(err.text, "must be between 1e-50 and 1e+50 m"));
    }
    assert_int_equal(talus_sim_bodies(sim).count, 1);
    talus_sim_destroy(sim);
}

/* ---- many ------------------------------------------------------------------------------------ */

static void test_pile_of_boxes_books(void **state) {
    (void)state;
    for (int k = 0; k < PILE_LAWS; k++) {
        talus_pair_law law = pile_law(k);
        bool sticky = law.cohesion.force > 0.0; /* a visit to a bond takes many times longer */
        check_pile(3, sticky ? 12 : 50, &law, sticky ? 120 : 200);
    }
}

static void test_polyhedron_momenta(void **state) {
    (void)state;
    check_momenta(3);
}

/* Turned about z, or mirrored. */
static void test_polyhedron_views(void **state) {
    (void)state;
    assert_near(view_difference(3, (struct view){false, 1}, 95), 0.0, 1e-9);
    assert_near(view_difference(3, (struct view){true, 0}, 95), 0.0, 1e-9);
}

/* Balls and boxes in one bin: they end at rest, and the floor bears them all. */
static void test_balls_and_boxes(void **state) {
    (void)state;
    talus_config config = shapes_config(3, 5e-3);
    config.gravity = vec(0, 0, -g);
    config.solver.tolerance = 1e-8;
    config.solver.max_sweeps = 500;
    talus_sim *sim = support_sim(&config, 0.5);
    pile_walls(sim, 2.4);
    shape_box(sim, "box", 0.7, 0.6, 0.5);
    double weight = 0.0;
    for (int k = 0; k < 16; k++) {
        vec3 at = vec(0.6 + 1.1 * (k % 2), 0.6 + 1.1 * (k / 2 % 2), 0.5 + 0.9 * (k / 4));
        if (k % 2 == k / 4 % 2)
            add_shaped(sim, "box", at);
        else
            support_grain(sim, 0.35, 0.0, at, vec(0, 0, 0));
        weight += g * talus_sim_bodies(sim).mass[talus_sim_bodies(sim).count - 1];
    }
    support_steps(sim, 600);
    assert_true(talus_sim_observe(sim).speed_max < 1e-4);
    assert_true(talus_sim_observe(sim).overlap_max < 0.01);
    double borne = 0.0;
    for (size_t k = 0; k < talus_sim_boundary_count(sim); k++)
        borne -= talus_sim_boundary(sim, k).force.z;
    assert_near(borne, weight, 1e-4 * weight);
    support_ledger(sim);
    talus_sim_destroy(sim);
}

/* 144 planks in 48 layers of three, crosswise: it stands, and no plank creeps by 1e-4 of its width in 10 s. Takes minutes, so
 * only on demand. */
static void test_tower_of_planks(void **state) {
    (void)state;
    if (getenv("TALUS_LONG_TESTS") == NULL) skip();
    enum { LAYERS = 48 };
    const double length = 1.2, width = 0.24, thick = 0.08;
    talus_config config = shapes_config(3, 5e-3);
    config.gravity = vec(0, 0, -g);
    config.solver.tolerance = 1e-6;
    config.solver.max_sweeps = 2000;
    talus_sim *sim = support_sim(&config, 0.5);
    add_floor(sim);
    shape_box(sim, "plank", length, width, thick);
    vec3 start[3 * LAYERS];
    for (int k = 0; k < 3 * LAYERS; k++) {
        double across = 0.4 * (k % 3 - 1), z = (k / 3 + 0.5) * thick;
        bool turned = k / 3 % 2 == 1;
        start[k] = turned ? vec(across, 0, z) : vec(0, across, z);
        talus_body_def def = shaped(sim, "plank", start[k]);
        if (turned) def.orientation = quat_turn(quat_identity(), vec(0, 0, 0.5 * pi));
        add_body(sim, &def);
    }
    double slowest = 0.0, sweeps = 0.0;
    for (int step = 0; step < 2000; step++) {
        talus_step_report report;
        assert_ok(talus_sim_step(sim, &report, NULL));
        sweeps += report.sweeps;
        slowest = fmax(slowest, report.seconds_solve);
    }
    double creep = 0.0;
    talus_body_view view = talus_sim_bodies(sim);
    for (int k = 0; k < 3 * LAYERS; k++)
        creep = fmax(creep, vec3_norm(vec3_sub(view.position[k + 1], start[k])));
    print_message("creep %.2e m, mean sweeps %.0f, slowest solve %.2f s\n", creep, sweeps / 2000,
                  slowest);
    assert_true(creep < 1e-4 * width);
    support_ledger(sim);
    talus_sim_destroy(sim);
}

/* A plank lies along an endless log, a ball sits near its end: it stays level, also if the log was there before any
 * grain as long as the plank. */
static void test_log_serves_grains_that_come_later(void **state) {
    (void)state;
    talus_config config = shapes_config(3, 2e-3);
    config.gravity = vec(0, 0, -g);
    talus_sim *sim = support_sim(&config, 0.8);
    talus_boundary_def log = talus_boundary_def_default();
    log.name = "log";
    log.shape = TALUS_CYLINDER_OUTSIDE;
    log.normal = vec(0, 1, 0);
    log.radius = 0.2;
    assert_ok(talus_boundary_add(sim, &log, NULL));
    shape_box(sim, "box", 0.05, 0.05, 0.05);
    shape_box(sim, "plank", 0.3, 6.0, 0.1);
    add_shaped(sim, "box", vec(5, 0, 0.0));
    support_steps(sim, 1);
    talus_index plank = add_shaped(sim, "plank", vec(0, 0, 0.25));
    talus_body_def ball = talus_body_def_default(sim);
    ball.radius = 0.1;
    ball.mass = 5.0;
    ball.position = vec(0, 2.8, 0.4);
    add_body(sim, &ball);
    support_steps(sim, 200);
    talus_quat turned = talus_sim_bodies(sim).orientation[plank];
    assert_near(quat_rotate(turned, vec(0, 1, 0)).z, 0.0, 1e-6);
    talus_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_log_serves_grains_that_come_later),
        cmocka_unit_test(test_cube_comes_to_rest),
        cmocka_unit_test(test_elastic_cube_keeps_energy),
        cmocka_unit_test(test_four_point_table),
        cmocka_unit_test(test_many_faces_roll_like_sphere),
        cmocka_unit_test(test_capsule_rolls),
        cmocka_unit_test(test_cluster_stands),
        cmocka_unit_test(test_cluster_topples),
        cmocka_unit_test(test_wobbling_ball),
        cmocka_unit_test(test_spinning_top),
        cmocka_unit_test(test_absurd_sizes_are_refused),
        cmocka_unit_test(test_pile_of_boxes_books),
        cmocka_unit_test(test_polyhedron_momenta),
        cmocka_unit_test(test_polyhedron_views),
        cmocka_unit_test(test_balls_and_boxes),
        cmocka_unit_test(test_tower_of_planks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
