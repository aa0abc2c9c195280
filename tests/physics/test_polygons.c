/* SPDX-License-Identifier: Apache-2.0
 *
 * Polygons and rods in the plane: ladders, cards, dominoes, rolling polygons, rods that jam, piles. Where the words
 * are the same, in space too [validation 67, 71, 73, 74, 86, 93, 95, 131, 135, 136, 139].
 */
#include "shapes.h"

/* ---- leaving a ball -------------------------------------------------------------------------- */

/* The angle from the top at which a body of this shape, sliding without friction on a fixed ball of radius 1, loses
 * it. It does not turn, so its corner at (-s, -s) stays below and its centre moves as the corner does. */
static double leaving_angle(int dim, double start, double dt) {
    const double s = 0.05;
    talus_config config = shapes_config(dim, dt);
    config.gravity = tilted_gravity(dim, 0.0);
    talus_sim *sim = support_sim(&config, 0.0);
    talus_body_def ball = talus_body_def_default(sim);
    ball.radius = 1.0;
    ball.locks = TALUS_LOCK_X | TALUS_LOCK_Y | TALUS_LOCK_Z | TALUS_LOCK_ROTATION;
    talus_index fixed = add_body(sim, &ball);
    shape_block(sim, "block", 2 * s, 2 * s);
    talus_body_def def = shaped(sim, "block", place(dim, sin(start) + s, cos(start) + s));
    def.locks = TALUS_LOCK_ROTATION;
    talus_index block = add_body(sim, &def);
    double angle = 0.0;
    for (int step = 0; step < (int)(4.0 / dt); step++) {
        support_steps(sim, 1);
        talus_observables now = talus_sim_observe(sim);
        if (step > 2 && now.contacts == 0) break;
        vec3 at = talus_sim_bodies(sim).position[block];
        angle = atan2(at.x - s, height(dim, at) - s);
        assert_near(talus_sim_bodies(sim).position[fixed].x, 0.0, 0.0);
    }
    talus_sim_destroy(sim);
    return angle;
}

static void test_leaving_a_ball(void **state) {
    (void)state;
    const double start = 0.1, expected = acos(2.0 / 3.0 * cos(start));
    for (int dim = 2; dim <= 3; dim++)
        assert_near(leaving_angle(dim, start, 1e-3), expected, degrees(0.5));
}

/* The same for a small disc or ball that slides (mu = 0) or rolls. */
static double round_leaving_angle(int dim, double mu, double start, double dt) {
    const double r = 0.1;
    talus_config config = shapes_config(dim, dt);
    config.solver.tolerance = 1e-9; /* rolling asks for mu times more digits than there are */
    config.gravity = tilted_gravity(dim, 0.0);
    talus_sim *sim = support_sim(&config, mu);
    talus_body_def ball = talus_body_def_default(sim);
    ball.radius = 1.0;
    ball.locks = TALUS_LOCK_X | TALUS_LOCK_Y | TALUS_LOCK_Z | TALUS_LOCK_ROTATION;
    add_body(sim, &ball);
    vec3 at = place(dim, (1 + r) * sin(start), (1 + r) * cos(start));
    talus_index small = support_grain(sim, r, 0.0, at, vec(0, 0, 0));
    double angle = 0.0;
    for (int step = 0; step < (int)(4.0 / dt); step++) {
        support_steps(sim, 1);
        if (step > 2 && talus_sim_observe(sim).contacts == 0) break;
        at = talus_sim_bodies(sim).position[small];
        angle = atan2(at.x, height(dim, at));
    }
    talus_sim_destroy(sim);
    return angle;
}

/* v^2 (1 + beta)/2 = g l (cos start - cos) until v^2 = g l cos: cos = 2 cos(start)/(3 + beta), beta = I/m r^2. */
static void test_round_bodies_leave_a_ball(void **state) {
    (void)state;
    const double start = 0.1;
    for (int dim = 2; dim <= 3; dim++) {
        double beta = dim == 2 ? 0.5 : 0.4;
        assert_near(round_leaving_angle(dim, 0.0, start, 5e-4), acos(2.0 / 3.0 * cos(start)),
                    degrees(0.5));
        assert_near(round_leaving_angle(dim, 1e3, start, 5e-4),
                    acos(2.0 / (3.0 + beta) * cos(start)), degrees(0.5));
    }
}

/* ---- rods ------------------------------------------------------------------------------------ */

struct rod { /* thin, of length 2, standing on the floor with slope tan = 2, thrown to the left */
    talus_sim *sim;
    talus_index index;
};

static struct rod painleve_rod(double mu, double speed, double dt) {
    const double thick = 1e-4, theta = atan(2.0);
    struct rod rod = {slope(2, 0.0, mu, dt), 0};
    shape_block(rod.sim, "rod", 2.0, thick);
    talus_body_def def = shaped(rod.sim, "rod", vec(0, 0, 0));
    def.mass = 1.0;
    def.orientation = tilted(2, theta);
    /* The lower corner of the end on the floor. */
    def.position = vec(cos(theta), sin(theta) + 0.5 * thick * cos(theta), 0);
    def.velocity = vec(-speed, 0, 0);
    rod.index = add_body(rod.sim, &def);
    return rod;
}

/* Pushed ahead of its tip, a sliding rod is pressed to the floor by its own friction: N (W_nn - mu W_nt) = m g with
 * W_nn = 1 + 3 cos^2 = 1.6, W_nt = 3 sin cos = 1.2 in units of 1/m. Friction 1.2 makes N = 6.25 m g. */
static void test_rod_slides_ahead(void **state) {
    (void)state;
    struct rod rod = painleve_rod(1.2, 5.0, 1e-5);
    support_steps(rod.sim, 1);
    talus_contact contacts[4];
    size_t n = talus_sim_contacts(rod.sim, contacts, 4);
    double normal = 0.0, friction = 0.0;
    for (size_t k = 0; k < n; k++) {
        normal += contacts[k].force.y;
        friction += contacts[k].force.x;
    }
    assert_near(fabs(normal), g / (1.6 - 1.2 * 1.2), 0.01 * g);
    assert_near(fabs(friction), 1.2 * fabs(normal), 1e-9 * g);
    steps_losing(rod.sim, 2000);
    talus_body_view view = talus_sim_bodies(rod.sim);
    /* Still sliding ahead, and faster to turn: nothing has jammed. */
    assert_true(view.velocity[rod.index].x < -1.0);
    support_ledger(rod.sim);
    talus_sim_destroy(rod.sim);
}

/* With friction 1.5 there is no force at which it could go on sliding. A finite impulse stops the tip at once, and
 * the rod goes on turning over it: angular momentum about the tip is kept, m v sin = (4/3) m omega. */
static void test_rod_jams(void **state) {
    (void)state;
    const double speed = 5.0, theta = atan(2.0);
    struct rod rod = painleve_rod(1.5, speed, 1e-5);
    support_steps(rod.sim, 1);
    double turned = -talus_sim_bodies(rod.sim).omega[rod.index].z;
    assert_true(isfinite(turned));
    assert_near(fabs(turned), 0.75 * speed * sin(theta), 0.01 * speed);
    struct rod again = painleve_rod(1.5, speed, 1e-3);
    steps_losing(again.sim, 1000);
    support_ledger(again.sim);
    talus_sim_destroy(again.sim);
    talus_sim_destroy(rod.sim);
}

/* How far a ladder, leaning at the given angle from the vertical on a wall at x = 0, slips. */
static double ladder(int dim, double angle, double mu_floor, double mu_wall) {
    const double length = 2.0, thick = 1e-3, dt = 5e-3;
    talus_config config = shapes_config(dim, dt);
    config.gravity = tilted_gravity(dim, 0.0);
    talus_sim *sim = support_sim(&config, mu_floor);
    talus_material wall;
    assert_ok(talus_material_add(sim, "wall", 1.0, &wall, NULL));
    talus_pair_law law = {.mu_static = mu_wall, .mu_sliding = mu_wall};
    assert_ok(talus_pair_set(sim, 0, wall, &law, NULL));
    add_floor(sim);
    talus_boundary_def plane = talus_boundary_def_default();
    plane.name = "wall";
    plane.normal = vec(1, 0, 0);
    plane.material = wall;
    assert_ok(talus_boundary_add(sim, &plane, NULL));
    if (dim == 2) shape_block(sim, "ladder", thick, length);
    if (dim == 3) shape_box(sim, "ladder", thick, 0.5, length);
    double x = 0.5 * (length * sin(angle) + thick * cos(angle));
    double h = 0.5 * (length * cos(angle) + thick * sin(angle));
    talus_body_def def = shaped(sim, "ladder", place(dim, x, h));
    def.orientation = tilted(dim, angle);
    talus_index index = add_body(sim, &def);
    support_steps(sim, 100);
    double slipped = talus_sim_bodies(sim).position[index].x - x;
    support_ledger(sim);
    talus_sim_destroy(sim);
    return slipped;
}

/* Smooth wall: mu of the floor >= tan(a)/2. The same mu on both: tan a <= 2 mu/(1 - mu^2), mu = tan(a/2). */
static void test_ladder(void **state) {
    (void)state;
    const double angle = degrees(40.0), smooth = 0.5 * tan(angle), both = tan(0.5 * angle);
    for (int dim = 2; dim <= 3; dim++) {
        assert_near(ladder(dim, angle, 1.03 * smooth, 0.0), 0.0, 1e-10);
        assert_true(ladder(dim, angle, 0.97 * smooth, 0.0) > 1e-3);
        assert_near(ladder(dim, angle, 1.03 * both, 1.03 * both), 0.0, 1e-10);
        assert_true(ladder(dim, angle, 0.97 * both, 0.97 * both) > 1e-3);
    }
}

/* Two cards with rounded ends lean on each other; how far they sink in half a second. */
static double cards(double mu) {
    const double length = 1.0, thick = 0.01, angle = degrees(20.0), dt = 5e-3;
    talus_sim *sim = slope(2, 0.0, mu, dt);
    shape_capsule(sim, "card", length, thick);
    for (int side = -1; side <= 1; side += 2) {
        double x = side * (thick + 0.5 * length * sin(angle));
        talus_body_def def = shaped(sim, "card", vec(x, thick + 0.5 * length * cos(angle), 0));
        def.orientation = tilted(2, 0.5 * pi + side * angle);
        add_body(sim, &def);
    }
    double start = talus_sim_bodies(sim).position[1].y;
    support_steps(sim, 100);
    double sunk = start - talus_sim_bodies(sim).position[1].y;
    support_ledger(sim);
    talus_sim_destroy(sim);
    return sunk;
}

/* tan(20 degrees)/2 = 0.1820; with ends of radius r it is (l/2) sin/(l cos + r) = 0.1801. */
static void test_house_of_two_cards(void **state) {
    (void)state;
    assert_near(cards(0.20), 0.0, 1e-10);
    assert_true(cards(0.17) > 1e-3);
    const double limit = 0.5 * sin(degrees(20.0)) / (cos(degrees(20.0)) + 0.01);
    assert_near(cards(1.01 * limit), 0.0, 1e-10);
    assert_true(cards(0.99 * limit) > 1e-4);
}

/* ---- three round bodies ---------------------------------------------------------------------- */

/* Two on the floor side by side, one on top: discs, or in space long capsules lying along y. */
static double three_pile(int dim, double mu, double mu_floor) {
    talus_config config = shapes_config(dim, 5e-3);
    config.gravity = tilted_gravity(dim, 0.0);
    talus_sim *sim = support_sim(&config, mu);
    talus_material floor_stuff;
    assert_ok(talus_material_add(sim, "floor stuff", 1.0, &floor_stuff, NULL));
    talus_pair_law law = {.mu_static = mu_floor, .mu_sliding = mu_floor};
    assert_ok(talus_pair_set(sim, 0, floor_stuff, &law, NULL));
    talus_boundary_def plane = talus_boundary_def_default();
    plane.name = "floor";
    plane.normal = place(dim, 0, 1);
    plane.material = floor_stuff;
    assert_ok(talus_boundary_add(sim, &plane, NULL));
    vec3 ends[2] = {{0, -2, 0}, {0, 2, 0}};
    talus_shape_part part = {.points = ends, .count = 2, .rounding = 1.0};
    if (dim == 3) assert_ok(talus_shape_add(sim, "log", &part, 1, NULL));
    const vec3 at[3] = {place(dim, -1, 1), place(dim, 1, 1), place(dim, 0, 1 + sqrt(3.0))};
    for (int k = 0; k < 3; k++) {
        talus_body_def def = shaped(sim, dim == 3 ? "log" : "disc", at[k]);
        def.radius = dim == 3 ? 0.0 : 1.0;
        add_body(sim, &def);
    }
    support_steps(sim, 100);
    double sunk = at[2].y + at[2].z - height(dim, talus_sim_bodies(sim).position[3]);
    support_ledger(sim);
    talus_sim_destroy(sim);
    return sunk;
}

/* Stands iff mu >= tan 15 degrees = 0.26795 between them and 0.08932 on the floor. */
static void test_pile_of_three(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        assert_near(three_pile(dim, 0.28, 0.095), 0.0, 1e-9);
        assert_true(three_pile(dim, 0.255, 0.095) > 1e-3);
        assert_true(three_pile(dim, 0.28, 0.085) > 1e-3);
    }
}

/* ---- a polygon that rolls -------------------------------------------------------------------- */

/* From side to side a polygon swings over a corner, which gives 4 m g r sin(theta) sin(pi/n), and loses in the blow on
 * the next corner: omega is multiplied by k = (I + m r^2 cos(2 pi/n))/(I + m r^2). So after j sides omega^2 is gain times
 * k^2 + k^4 + ... + k^2j. Largest relative error of omega over `sides` of them; the acceleration so far over that of a
 * disc, 2/3 g sin(theta), goes to `like_disc`. */
static double roll_error(int sides, double dt, double *like_disc) {
    enum { CORNERS = 64 };
    const double theta = degrees(10.0), r = 1.0, turn = 2.0 * pi / CORNERS;
    const double inertia = r * r / 6.0 * (2.0 + cos(turn)); /* of a regular polygon of mass 1 */
    const double keep = (inertia + r * r * cos(turn)) / (inertia + r * r);
    const double gain = 4.0 * g * r * sin(theta) * sin(0.5 * turn) / (inertia + r * r);
    talus_sim *sim = slope(2, theta, 1.0, dt);
    shape_polygon(sim, "wheel", CORNERS, r);
    talus_index wheel = add_shaped(sim, "wheel", vec(0, r * cos(0.5 * turn), 0));
    double turned = 0.0, square = 0.0, worst = 0.0, omega = 0.0;
    for (int side = 1; side <= sides; side++) {
        for (int past = 0; past < 3;) { /* a few steps past the blow */
            support_steps(sim, 1);
            omega = -talus_sim_bodies(sim).omega[wheel].z;
            turned += dt * omega;
            if (turned >= side * turn) past++;
        }
        square = keep * keep * (square + gain);
        worst = fmax(worst, fabs(omega / sqrt(square) - 1.0));
    }
    talus_body_view view = talus_sim_bodies(sim);
    *like_disc = vec3_norm2(view.velocity[wheel]) /
                 (2.0 * view.position[wheel].x * 2.0 / 3.0 * g * sin(theta));
    support_ledger(sim);
    talus_sim_destroy(sim);
    return worst;
}

static void test_polygon_rolls_like_disc(void **state) {
    (void)state;
    double like_disc;
    double coarse = roll_error(10, 2.5e-4, &like_disc), fine = roll_error(10, 1.25e-4, &like_disc);
    assert_near(coarse, 0.0, 0.002);
    assert_true(fine < 0.75 * coarse);
    roll_error(4, 2.5e-4, &like_disc); /* 0.984: later the blows take more */
    assert_near(like_disc, 1.0, 0.02);
}

/* ---- dominoes -------------------------------------------------------------------------------- */

enum { DOMINOES = 24 };

/* A row of dominoes, lengths multiplied by `scale`, the first pushed. */
static talus_sim *domino_row(double scale, double dt) {
    talus_config config = support_config(2, dt);
    config.solver.tolerance = 1e-7; /* the blows of many leaning dominoes at once converge slowly */
    config.gravity = vec(0, -9.8125, 0);
    talus_sim *sim = support_sim(&config, 0.25);
    talus_pair_law law = {.mu_static = 0.25, .mu_sliding = 0.25};
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    talus_material floor_stuff;
    assert_ok(talus_material_add(sim, "floor stuff", 1.0, &floor_stuff, NULL));
    talus_pair_law rough = {.mu_static = 1.0, .mu_sliding = 1.0};
    assert_ok(talus_pair_set(sim, 0, floor_stuff, &rough, NULL));
    talus_boundary_def plane = talus_boundary_def_default();
    plane.name = "floor";
    plane.normal = vec(0, 1, 0);
    plane.material = floor_stuff;
    assert_ok(talus_boundary_add(sim, &plane, NULL));
    shape_block(sim, "domino", 0.125 * scale, 1.0 * scale);
    for (int k = 0; k < DOMINOES; k++) {
        talus_body_def def = shaped(sim, "domino", vec(0.5 * scale * k, 0.5 * scale, 0));
        if (k == 0) def.omega = vec(0, 0, -2.0 / sqrt(scale));
        if (k == 0) def.velocity = vec(1.0 * sqrt(scale), 0.0625 * 2.0 * sqrt(scale), 0);
        add_body(sim, &def);
    }
    return sim;
}

/* When each of them has turned by 0.1 rad: the wave has a constant speed after the first ten or so. */
static void test_domino_wave(void **state) {
    (void)state;
    const double dt = 0x1p-9;
    talus_sim *sim = domino_row(1.0, dt);
    double when[DOMINOES] = {0}, before[DOMINOES] = {0};
    for (int step = 0; step < 2500 && when[DOMINOES - 1] == 0.0; step++) {
        support_steps(sim, 1);
        talus_body_view view = talus_sim_bodies(sim);
        for (int k = 0; k < DOMINOES; k++) {
            double now = -quat_rotate(view.orientation[k + 1], vec(1, 0, 0)).y;
            if (when[k] == 0.0 && now > 0.1)
                when[k] = talus_sim_time(sim) - dt * (now - 0.1) / (now - before[k]);
            before[k] = now;
        }
    }
    double middle = (when[17] - when[12]) / 5.0, late = (when[22] - when[17]) / 5.0;
    assert_true(middle > 0.0);
    assert_near(late / middle, 1.0, 0.02);
    support_ledger(sim);
    talus_sim_destroy(sim);
}

/* Lengths x4, times x2, velocities x2 are the same row: bit for bit. */
static void test_domino_scaling(void **state) {
    (void)state;
    const double dt = 0x1p-8;
    talus_sim *small = domino_row(1.0, dt), *large = domino_row(4.0, 2.0 * dt);
    support_steps(small, 400);
    support_steps(large, 400);
    talus_body_view p = talus_sim_bodies(small), q = talus_sim_bodies(large);
    for (int k = 1; k <= DOMINOES; k++) {
        assert_true(same_bits(4.0 * p.position[k].x, q.position[k].x));
        assert_true(same_bits(4.0 * p.position[k].y, q.position[k].y));
        assert_true(same_bits(2.0 * p.velocity[k].x, q.velocity[k].x));
        assert_true(same_bits(p.omega[k].z, 2.0 * q.omega[k].z));
        assert_true(same_bits(p.orientation[k].z, q.orientation[k].z));
    }
    talus_sim_destroy(small);
    talus_sim_destroy(large);
}

/* ---- piles ----------------------------------------------------------------------------------- */

static void test_pile_of_polygons_books(void **state) {
    (void)state;
    for (int k = 0; k < PILE_LAWS; k++) {
        talus_pair_law law = pile_law(k);
        bool sticky = law.cohesion.force > 0.0; /* a visit to a bond takes many times longer */
        check_pile(2, sticky ? 24 : 100, &law, sticky ? 200 : 240);
    }
}

static void test_polygon_momenta(void **state) {
    (void)state;
    check_momenta(2);
}

/* Turned about z, or mirrored. */
static void test_polygon_views(void **state) {
    (void)state;
    for (int quarters = 1; quarters < 4; quarters++)
        assert_near(view_difference(2, (struct view){false, quarters}, 95), 0.0, 1e-9);
    assert_near(view_difference(2, (struct view){true, 0}, 95), 0.0, 1e-9);
}

/* ---- forces that are unique, and forces that are not ------------------------------------------- */

enum { PACKED = 40, MOST_CONTACTS = 400 };

/* A pile after a while, as it stands; then one step of the same grains at rest, with any seed of the sweeps. */
static size_t forces_of_pile(const talus_sim *settled, double mu, uint64_t seed,
                             talus_contact *contacts) {
    talus_config config = shapes_config(2, 5e-3);
    config.gravity = talus_sim_gravity(settled);
    config.seed = seed;
    config.solver.name = mu > 0.0 ? "nsgs" : "nnsgs";
    config.solver.max_sweeps = 20000;
    talus_sim *sim = support_sim(&config, mu);
    pile_shapes(sim);
    pile_walls(sim, 0.1 + 1.1 * 8);
    talus_body_view view = talus_sim_bodies(settled);
    for (size_t i = 0; i < view.count; i++) {
        if (view.kind[i] != TALUS_BODY_GRAIN) continue;
        talus_shape_view shape = talus_sim_shape(settled, (size_t)view.form[i] - 1);
        talus_body_def def = shaped(sim, shape.name, view.position[i]);
        def.orientation = view.orientation[i];
        add_body(sim, &def);
    }
    support_steps(sim, 1);
    size_t n = talus_sim_contacts(sim, contacts, MOST_CONTACTS);
    assert_true(n <= MOST_CONTACTS);
    talus_sim_destroy(sim);
    return n;
}

static talus_sim *settled_pile(double mu, int steps) {
    talus_config config = shapes_config(2, 5e-3);
    config.gravity = vec(0, -g, 0);
    config.solver.tolerance = 1e-6;
    config.solver.max_sweeps = 500;
    talus_sim *sim = support_sim(&config, mu);
    pile_shapes(sim);
    pile_walls(sim, 0.1 + 1.1 * 8);
    pile_bodies(sim, PACKED, 8, NULL);
    support_steps(sim, steps);
    return sim;
}

/* Largest difference of forces between two seeds, over the largest force. */
static double spread(const talus_contact *a, const talus_contact *b, size_t n) {
    double most = 0.0, scale = 0.0;
    for (size_t k = 0; k < n; k++) {
        most = fmax(most, vec3_norm(vec3_sub(a[k].force, b[k].force)));
        scale = fmax(scale, vec3_norm(a[k].force));
    }
    return most / scale;
}

/* Without friction there are no more forces than equations, whether the pile is at rest or, as here, still gliding: they
 * do not depend on the order of the sweeps. */
static void test_smooth_forces_are_unique(void **state) {
    (void)state;
    static talus_contact one[MOST_CONTACTS], other[MOST_CONTACTS];
    talus_sim *sim = settled_pile(0.0, 500);
    size_t n = forces_of_pile(sim, 0.0, 1, one);
    for (uint64_t seed = 2; seed < 4; seed++) {
        assert_int_equal(forces_of_pile(sim, 0.0, seed, other), n);
        assert_near(spread(one, other, n), 0.0, 1e-9);
    }
    talus_sim_destroy(sim);
}

/* With friction there are more: every seed gives others, and each of them holds the pile within the law. At most
 * 2 M - 3 N of M contacts can be at the limit of friction. */
static void test_rough_forces_are_not(void **state) {
    (void)state;
    static talus_contact one[MOST_CONTACTS], other[MOST_CONTACTS];
    talus_sim *sim = settled_pile(0.5, 600);
    double apart = 0.0;
    size_t n = forces_of_pile(sim, 0.5, 1, one);
    for (uint64_t seed = 2; seed < 4; seed++) {
        assert_int_equal(forces_of_pile(sim, 0.5, seed, other), n);
        apart = fmax(apart, spread(one, other, n));
        int closed = 0, limit = 0;
        for (size_t k = 0; k < n; k++) {
            double normal = vec3_dot(other[k].force, other[k].normal);
            double across = vec3_norm(vec3_tangential(other[k].force, other[k].normal));
            assert_true(normal >= 0.0 && across <= 0.5 * normal * (1.0 + 1e-9));
            if (normal > 0.0) closed++;
            if (normal > 0.0 && across > 0.5 * normal * (1.0 - 1e-9)) limit++;
        }
        assert_true(limit <= 2 * closed - 3 * PACKED);
    }
    assert_true(apart > 1e-3);
    talus_sim_destroy(sim);
}

/* A pile at rest stays where it is, and costs no memory. */
static void test_pile_rests(void **state) {
    (void)state;
    talus_sim *sim = settled_pile(0.5, 1200);
    int64_t allocations = talus_sim_allocations(sim);
    vec3 before[PACKED + 3];
    talus_body_view view = talus_sim_bodies(sim);
    memcpy(before, view.position, sizeof before);
    support_steps(sim, 400);
    assert_int_equal(talus_sim_allocations(sim), allocations);
    view = talus_sim_bodies(sim);
    for (int k = 0; k < PACKED + 3; k++)
        assert_near(vec3_norm(vec3_sub(view.position[k], before[k])), 0.0, 1e-8);
    talus_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaving_a_ball),
        cmocka_unit_test(test_round_bodies_leave_a_ball),
        cmocka_unit_test(test_rod_slides_ahead),
        cmocka_unit_test(test_rod_jams),
        cmocka_unit_test(test_ladder),
        cmocka_unit_test(test_house_of_two_cards),
        cmocka_unit_test(test_pile_of_three),
        cmocka_unit_test(test_polygon_rolls_like_disc),
        cmocka_unit_test(test_domino_wave),
        cmocka_unit_test(test_domino_scaling),
        cmocka_unit_test(test_pile_of_polygons_books),
        cmocka_unit_test(test_polygon_momenta),
        cmocka_unit_test(test_polygon_views),
        cmocka_unit_test(test_smooth_forces_are_unique),
        cmocka_unit_test(test_rough_forces_are_not),
        cmocka_unit_test(test_pile_rests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
