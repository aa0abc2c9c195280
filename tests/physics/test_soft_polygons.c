/* SPDX-License-Identifier: Apache-2.0
 *
 * Soft polygons: the force of the common area, its work, the slip of the tangential spring [Pena2009], and what is
 * refused. Geometry by itself: tests/property/test_overlap.c.
 */
#include "base/random.h"
#include "math/vec3.h"
#include "support.h"

static const double pi = 3.141592653589793;

static talus_config soft_config(double dt) {
    talus_config config = talus_config_default();
    config.dim = 2;
    config.method = TALUS_METHOD_MD;
    config.dt = dt;
    return config;
}

static talus_sim *soft_sim(const talus_config *config, double mu, const talus_soft_law *soft) {
    talus_sim *sim = support_sim(config, 0.0);
    talus_pair_law law = {.mu_static = mu, .mu_sliding = mu, .soft = *soft};
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    return sim;
}

static void add_shape(talus_sim *sim, const char *name, const talus_vec3 *points, size_t count) {
    talus_shape_part part = {.points = points, .count = count};
    assert_ok(talus_shape_add(sim, name, &part, 1, NULL));
}

/* Where the centre of mass of what was given at the origin is then. */
static talus_index add_body(talus_sim *sim, const char *shape, talus_vec3 at, talus_vec3 velocity,
                            double omega, unsigned locks) {
    talus_body_def def = talus_body_def_default(sim);
    def.shape = shape;
    def.position = at;
    def.velocity = velocity;
    def.omega = vec(0, 0, omega);
    def.locks = locks;
    assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    return (talus_index)(talus_sim_bodies(sim).count - 1);
}

static const talus_vec3 square[4] = {
    {-0.5, -0.5, 0}, {0.5, -0.5, 0}, {0.5, 0.5, 0}, {-0.5, 0.5, 0}};
static const talus_vec3 diamond[4] = {{-1, 0, 0}, {0, -1, 0}, {1, 0, 0}, {0, 1, 0}};

static double kinetic(const talus_sim *sim) {
    talus_energy energy = talus_sim_observe(sim).energy;
    return energy.kinetic_translation + energy.kinetic_rotation;
}

static void assert_closed(const talus_sim *sim, double share) {
    talus_energy energy = talus_sim_observe(sim).energy;
    assert_near(energy.error, 0.0, share * energy.scale);
}

/* ---- the force ------------------------------------------------------------------------------- */

/* [Pena2009, eq. 5] with l_c = r_i + r_j; on a wall l_c = r_i. */
static void test_force(void **state) {
    (void)state;
    const double k = 400.0, r = sqrt(1.0 / pi), r_diamond = sqrt(2.0 / pi);
    talus_config config = soft_config(1e-9);
    talus_soft_law soft = {.stiffness = k};
    talus_sim *sim = soft_sim(&config, 0.0, &soft);
    talus_contact contact;
    add_shape(sim, "square", square, 4);
    add_shape(sim, "diamond", diamond, 4);
    add_body(sim, "square", vec(0, 0, 0), vec(0, 0, 0), 0, 0);
    add_body(sim, "diamond", vec(1.4, 0.1, 0), vec(0, 0, 0), 0, 0); /* a corner, 0.1 deep */
    support_steps(sim, 1);
    assert_int_equal(talus_sim_contacts(sim, &contact, 1), 1);
    assert_near(contact.force.x, k * 0.01 / (r + r_diamond), 1e-12);
    assert_near(contact.force.y, 0.0, 1e-12);
    assert_near(contact.point.x, 0.5 - 0.1 / 3.0, 1e-12);
    assert_near(contact.point.y, 0.1, 1e-12);
    assert_near(contact.gap, -0.01 / (r + r_diamond), 1e-12);
    talus_sim_destroy(sim);
    sim = soft_sim(&config, 0.0, &soft);
    add_shape(sim, "square", square, 4);
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 1, 0));
    add_body(sim, "square", vec(3, 0.48, 0), vec(0, 0, 0), 0, 0);
    support_steps(sim, 1);
    assert_int_equal(talus_sim_contacts(sim, &contact, 1), 1);
    assert_near(contact.force.y, -k * 0.02 / r, 1e-11); /* on the wall */
    assert_near(contact.point.x, 3.0, 1e-12);
    assert_near(contact.point.y, -0.01, 1e-12);
    talus_sim_destroy(sim);
}

/* A disc of many corners and a true one feel the same against a square: area and line differ by 1/corners^2. */
static void test_disc(void **state) {
    (void)state;
    enum { CORNERS = 400 };
    talus_vec3 points[CORNERS];
    double forces[2];
    talus_soft_law soft = {.stiffness = 400.0, .tangential_stiffness = 100.0};
    for (int k = 0; k < CORNERS; k++)
        points[k] = vec(0.5 * cos(2.0 * pi * k / CORNERS), 0.5 * sin(2.0 * pi * k / CORNERS), 0);
    for (int kind = 0; kind < 2; kind++) {
        talus_config config = soft_config(1e-9);
        talus_sim *sim = soft_sim(&config, 0.5, &soft);
        talus_contact contact;
        add_shape(sim, "square", square, 4);
        add_shape(sim, "many", points, CORNERS);
        talus_body_def def = talus_body_def_default(sim);
        def.shape = kind == 0 ? "many" : "disc";
        def.radius = 0.5;
        def.position = vec(0.8, 0.0, 0);
        if (kind == 1) assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
        add_body(sim, "square", vec(0, 0, 0), vec(0, 0, 0), 0, 0);
        if (kind == 0) assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
        support_steps(sim, 1);
        assert_int_equal(talus_sim_contacts(sim, &contact, 1), 1);
        forces[kind] = (kind == 0 ? 1.0 : -1.0) * contact.force.x;
        assert_near(contact.force.y, 0.0, 1e-6);
        talus_sim_destroy(sim);
    }
    assert_near(forces[0], forces[1], 5e-4 * forces[1]);
    assert_true(forces[0] > 10.0);
}

/* Sides that meet side by side are a linear spring, k_n L/l_c: restitution and time of the damped oscillator. */
static void test_parallel_sides(void **state) {
    (void)state;
    const double k = 400.0, l_c = 2.0 * sqrt(1.0 / pi), stiff = k / l_c, m = 0.5, z = 0.1;
    double t_c = pi / sqrt(stiff / m * (1.0 - z * z)), e[2];
    for (int fine = 0; fine < 2; fine++) {
        talus_config config = soft_config(t_c / (fine ? 400.0 : 200.0));
        talus_soft_law soft = {
            .stiffness = k, .damping = 2.0 * z * sqrt(stiff * m), .attracts = true};
        talus_sim *sim = soft_sim(&config, 0.0, &soft);
        add_shape(sim, "square", square, 4);
        add_body(sim, "square", vec(0, 0, 0), vec(0.1, 0, 0), 0, 0);
        add_body(sim, "square", vec(1.0 + 1e-9, 0, 0), vec(-0.1, 0, 0), 0, 0);
        while (talus_sim_time(sim) < 1.2 * t_c) support_steps(sim, 1);
        e[fine] = (talus_sim_bodies(sim).velocity[1].x - talus_sim_bodies(sim).velocity[0].x) / 0.2;
        talus_energy energy = talus_sim_observe(sim).energy;
        assert_near(energy.error, 0.0, 1e-13 * energy.scale);
        assert_near(energy.elastic, 0.0, 1e-18);
        talus_sim_destroy(sim);
    }
    double expected = exp(-pi * z / sqrt(1.0 - z * z));
    assert_near(e[0], expected, 4e-3);
    assert_near(e[1], expected, 2e-3); /* the step in which they part */
}

/* ---- energy and momentum ------------------------------------------------------------------------ */

/* A corner against a side, elastic: the area gives back what it took; of second order in dt. */
static void test_corner_returns(void **state) {
    (void)state;
    double lost[2];
    for (int fine = 0; fine < 2; fine++) {
        talus_config config = soft_config(fine ? 1e-3 : 2e-3);
        talus_soft_law soft = {.stiffness = 400.0};
        talus_sim *sim = soft_sim(&config, 0.0, &soft);
        add_shape(sim, "diamond", diamond, 4);
        support_plane(sim, "floor", vec(0, 0, 0), vec(0, 1, 0));
        add_body(sim, "diamond", vec(0, 1.0001, 0), vec(0, -0.3, 0), 0, 0);
        double before = kinetic(sim);
        while (talus_sim_bodies(sim).position[1].y < 1.001) {
            support_steps(sim, 1);
            assert_true(talus_sim_time(sim) < 10.0);
        }
        lost[fine] = fabs(kinetic(sim) - before) / before;
        assert_closed(sim, 1e-13);
        talus_sim_destroy(sim);
    }
    assert_true(lost[0] < 1e-4);
    assert_true(lost[1] < 0.3 * lost[0] + 1e-9);
}

/* Irregular grains that collide and turn: momentum and angular momentum to rounding, the budget closed. */
static void test_gas(void **state) {
    (void)state;
    enum { GRAINS = 30 };
    struct random random = random_start(5, RANDOM_TEST, 0, 0);
    talus_config config = soft_config(1e-3);
    talus_soft_law soft = {.stiffness = 400.0,
                           .damping = 1.0,
                           .tangential_stiffness = 130.0,
                           .tangential_damping = 0.3};
    talus_sim *sim = soft_sim(&config, 0.5, &soft);
    for (int g = 0; g < GRAINS; g++) {
        talus_vec3 points[6];
        char name[32];
        snprintf(name, sizeof name, "grain%d", g);
        for (int k = 0; k < 6; k++) {
            double angle = 2.0 * pi * (k + 0.6 * random_uniform(&random)) / 6.0;
            points[k] = vec(0.5 * cos(angle), 0.4 * sin(angle), 0);
        }
        add_shape(sim, name, points, 6);
        talus_vec3 at = vec(g % 6, g / 6, 0);
        add_body(sim, name, at, vec3_scale(-0.3, vec3_sub(at, vec(2.5, 2.0, 0))),
                 random_uniform(&random) - 0.5, 0);
    }
    talus_vec3 p[2] = {vec(0, 0, 0), vec(0, 0, 0)}, l[2] = {vec(0, 0, 0), vec(0, 0, 0)};
    for (int end = 0; end < 2; end++) {
        talus_body_view view = talus_sim_bodies(sim);
        for (size_t i = 0; i < view.count; i++) {
            double inertia = view.mass[i];
            talus_vec3 push = vec3_scale(view.mass[i], view.velocity[i]);
            talus_shape_view shape = talus_sim_shape(sim, (size_t)view.form[i] - 1);
            inertia *= shape.inertia[2][2];
            p[end] = vec3_add(p[end], push);
            l[end] = vec3_add(l[end], vec3_cross(view.position[i], push));
            l[end] = vec3_add_scaled(l[end], inertia, view.omega[i]);
        }
        if (end == 0) support_steps(sim, 4000);
    }
    talus_energy energy = talus_sim_observe(sim).energy;
    assert_true(energy.dissipation_impact > 0.05 * energy.input); /* they did collide */
    assert_true(energy.dissipation_sliding > 0.0);
    assert_near(energy.error, 0.0, 1e-12 * energy.scale);
    assert_near(p[1].x, p[0].x, 1e-12);
    assert_near(p[1].y, p[0].y, 1e-12);
    assert_near(l[1].z, l[0].z, 1e-11);
    talus_sim_destroy(sim);
}

/* Grains of two parts in a box with a plate in it: everything that has a budget, periodic sideways. */
static void test_clusters_and_plates(void **state) {
    (void)state;
    talus_config config = soft_config(5e-4);
    config.gravity = vec(0, -1, 0);
    config.cell = (talus_cell_config){.periodic = {true, false, false}, .size = {6, 0, 0}};
    talus_soft_law soft = {.stiffness = 4000.0,
                           .damping = 20.0,
                           .tangential_stiffness = 1300.0,
                           .tangential_damping = 7.0};
    talus_sim *sim = soft_sim(&config, 0.4, &soft);
    const talus_vec3 down[4] = {{0, 0, 0}, {1.4, 0, 0}, {1.4, 0.4, 0}, {0, 0.4, 0}};
    const talus_vec3 aside[4] = {{0, 0.4, 0}, {0.4, 0.4, 0}, {0.4, 1.2, 0}, {0, 1.2, 0}};
    talus_shape_part parts[2] = {{.points = down, .count = 4}, {.points = aside, .count = 4}};
    assert_ok(talus_shape_add(sim, "hook", parts, 2, NULL));
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 1, 0));
    talus_boundary_def plate = talus_boundary_def_default();
    plate.name = "plate";
    plate.shape = TALUS_RECTANGLE;
    plate.point = vec(3, 2.5, 0);
    plate.normal = vec(0, 1, 0);
    plate.edge = vec(1, 0, 0);
    plate.size[0] = 2.0;
    plate.size[1] = 1.0;
    assert_ok(talus_boundary_add(sim, &plate, NULL));
    for (int k = 0; k < 6; k++) /* two over the plate, two beside it, two on these */
        add_body(sim, "hook", vec(k % 2 == 0 ? 2.9 : 5.9, 3.2 + 0.8 * k, 0), vec(0, 0, 0), 0.02, 0);
    support_steps(sim, 60000);
    talus_observables seen = talus_sim_observe(sim);
    talus_body_view view = talus_sim_bodies(sim);
    int on_plate = 0;
    for (size_t i = 0; i < view.count; i++) {
        if (view.kind[i] != TALUS_BODY_GRAIN) continue;
        assert_true(view.position[i].y > 0.1);
        on_plate += view.position[i].y > 2.5;
    }
    assert_true(on_plate > 0 && on_plate < 6);
    assert_near(seen.energy.error, 0.0, 1e-12 * seen.energy.scale);
    assert_true(kinetic(sim) < 1e-3 * seen.energy.dissipation);
    double weight = 0.0;
    for (size_t i = 0; i < view.count; i++)
        weight += view.kind[i] == TALUS_BODY_GRAIN ? view.mass[i] : 0.0;
    double borne = -talus_sim_boundary(sim, 0).force.y - talus_sim_boundary(sim, 1).force.y;
    assert_near(borne, weight, 0.02 * weight);
    assert_ok(talus_sim_validate(sim, NULL));
    int64_t calls = talus_sim_allocations(sim);
    support_steps(sim, 100);
    assert_int_equal(talus_sim_allocations(sim), calls);
    talus_sim_destroy(sim);
}

/* Two chips that meet, rub and part: in the bulk, across the periodic side, in the other order, from a moving frame. */
static void meet_and_part(double start, double boost, bool exchanged, double scale, double out[4]) {
    talus_config config = soft_config(1e-3);
    config.cell = (talus_cell_config){.periodic = {true, false, false}, .size = {16, 0, 0}};
    talus_soft_law soft = {.stiffness = 400.0,
                           .damping = 0.5,
                           .tangential_stiffness = 130.0,
                           .tangential_damping = 0.2};
    talus_sim *sim = soft_sim(&config, 0.3, &soft);
    talus_vec3 half[4];
    for (int k = 0; k < 4; k++) half[k] = vec3_scale(1.0 / scale, diamond[k]);
    add_shape(sim, "diamond", half, 4); /* grains as large as the diamond, whatever the shape */
    for (int k = 0; k < 2; k++) {
        bool left = (k == 0) != exchanged;
        talus_body_def def = talus_body_def_default(sim);
        def.shape = "diamond";
        def.radius = 1.0;
        def.position = vec(left ? start : start + 2.05, left ? 0.0 : 0.13, 0);
        def.velocity = vec(boost + (left ? 0.3 : -0.2), 0, 0);
        def.omega = vec(0, 0, left ? 0.1 : 0.4);
        assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    }
    support_steps(sim, 2000);
    talus_index left = exchanged ? 1 : 0;
    talus_body_view view = talus_sim_bodies(sim);
    out[0] = view.velocity[left].x - boost;
    out[1] = view.velocity[left].y;
    out[2] = view.omega[left].z;
    out[3] = view.omega[1 - left].z;
    assert_closed(sim, 1e-12);
    talus_sim_destroy(sim);
}

static void test_same_from_everywhere(void **state) {
    (void)state;
    double bulk[4], other[4];
    meet_and_part(5.0, 0.0, false, 1.0, bulk);
    assert_true(bulk[0] < 0.1); /* they did meet */
    assert_true(fabs(bulk[2] - 0.1) > 0.01);
    for (int k = 0; k < 4; k++) {
        meet_and_part(k == 0 ? 15.0 : 5.0, k == 1 ? 1.0 : 0.0, k == 2, k == 3 ? 2.0 : 1.0, other);
        for (int i = 0; i < 4; i++) assert_near(other[i], bulk[i], 1e-10);
    }
}

/* Whatever allocation is refused, nothing is lost. */
static void test_refused_memory(void **state) {
    (void)state;
    int64_t refuse = 1;
    for (talus_status status = TALUS_ERR_MEMORY; status < 0; refuse++) {
        talus_sim *sim = NULL;
        talus_config config = soft_config(1e-3);
        talus_shape_part part = {.points = square, .count = 4};
        talus_pair_law law = {.mu_static = 0.5, .mu_sliding = 0.5, .soft = {.stiffness = 400.0}};
        config.refuse_allocation = refuse;
        status = talus_sim_create(&config, &sim, NULL);
        if (status >= 0) status = talus_material_add(sim, "stuff", 1.0, &(talus_material){0}, NULL);
        if (status >= 0) status = talus_pair_set(sim, 0, 0, &law, NULL);
        if (status >= 0) status = talus_shape_add(sim, "square", &part, 1, NULL);
        for (int k = 0; k < 9 && status >= 0; k++) {
            talus_body_def def = talus_body_def_default(sim);
            def.shape = "square";
            def.position = vec(0.99 * (k % 3), 0.99 * (k / 3), 0);
            status = talus_bodies_add(sim, &def, 1, NULL, NULL);
        }
        for (int k = 0; k < 3 && status >= 0; k++) status = talus_sim_step(sim, NULL, NULL);
        assert_true(status >= 0 || status == TALUS_ERR_MEMORY);
        talus_sim_destroy(sim);
    }
    assert_true(refuse > 20);
}

/* A grain that slips past the end of a plate is pushed aside by it, up before it has passed, down after, and then let go. */
static void test_end_of_plate(void **state) {
    (void)state;
    talus_config config = soft_config(0.01);
    talus_soft_law soft = {.stiffness = 1.0};
    talus_sim *sim = soft_sim(&config, 0.0, &soft);
    talus_boundary_def plate = talus_boundary_def_default();
    add_shape(sim, "square", square, 4);
    plate.name = "plate";
    plate.shape = TALUS_RECTANGLE;
    plate.normal = vec(0, 1, 0);
    plate.edge = vec(1, 0, 0);
    plate.point = vec(1.45, 0, 0); /* from x = 0.45 on */
    plate.size[0] = 2.0;
    plate.size[1] = 1.0;
    assert_ok(talus_boundary_add(sim, &plate, NULL));
    talus_body_def def = talus_body_def_default(sim);
    def.shape = "square";
    def.mass = 1e9; /* nothing stops it */
    def.position = vec(0, 0.8, 0);
    def.velocity = vec(0, -1, 0);
    assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    int before = 0, after = 0;
    while (talus_sim_time(sim) < 1.6) {
        talus_contact contact;
        support_steps(sim, 1);
        double y = talus_sim_bodies(sim).position[1].y, below = fmin(0.5 - y, 0.5 + y);
        size_t count = talus_sim_contacts(sim, &contact, 1);
        if (fabs(below) < 1e-9) continue; /* just touching */
        assert_int_equal(count, below > 0.0 ? 1 : 0);
        if (count == 0) continue;
        before += y > 0.0;
        after += y < 0.0;
        double push = 0.05 * below / sqrt(1.0 / pi), length = hypot(below, 0.05);
        assert_near(contact.force.x, push * below / length, 1e-9); /* on the plate */
        assert_near(contact.force.y, (y > 0.0 ? -1.0 : 1.0) * push * 0.05 / length, 1e-9);
    }
    assert_true(before > 40 && after > 40);
    talus_sim_destroy(sim);
}

/* ---- slip -------------------------------------------------------------------------------------- */

/* An irregular grain turns about its fixed centre against a fixed one: the spring by the angle of 0.2 rad. With mean arms of
 * second order in dt, with the velocity at the end of the step of first. */
static double stretch_after(talus_slip slip, int steps) {
    const double k_t = 1e-6, turn = 0.2;
    talus_config config = soft_config(turn / steps);
    talus_soft_law soft = {.stiffness = 1e-6, .tangential_stiffness = k_t, .slip = slip};
    talus_sim *sim = soft_sim(&config, 1e9, &soft);
    const talus_vec3 low[5] = {
        {-2, -1, 0}, {2, -1.2, 0}, {2.5, 0.1, 0}, {0, 0.6, 0}, {-2.4, 0.2, 0}};
    const talus_vec3 high[5] = {
        {0.1, -1, 0}, {1, -0.3, 0}, {0.8, 0.9, 0}, {-0.7, 1, 0}, {-0.9, -0.1, 0}};
    add_shape(sim, "low", low, 5);
    add_shape(sim, "high", high, 5);
    unsigned held = TALUS_LOCK_X | TALUS_LOCK_Y;
    add_body(sim, "low", vec(0, 0, 0), vec(0, 0, 0), 0, held | TALUS_LOCK_ROTATION);
    talus_index top = add_body(sim, "high", vec(-0.3, 1.5, 0), vec(0, 0, 0), 1.0, held);
    support_steps(sim, steps);
    talus_contact contact;
    assert_int_equal(talus_sim_contacts(sim, &contact, 1), 1);
    assert_near(talus_sim_bodies(sim).omega[top].z, 1.0, 1e-6);
    talus_sim_destroy(sim);
    return (contact.force.x * -contact.normal.y + contact.force.y * contact.normal.x) / k_t;
}

static void test_order_of_slip(void **state) {
    (void)state;
    for (int rule = 0; rule < 2; rule++) {
        talus_slip slip = rule == 0 ? TALUS_SLIP_POSITION : TALUS_SLIP_VELOCITY;
        double fine = stretch_after(TALUS_SLIP_POSITION, 4000);
        double errors[2] = {fabs(stretch_after(slip, 50) - fine),
                            fabs(stretch_after(slip, 200) - fine)};
        double order = log(errors[0] / errors[1]) / log(4.0);
        assert_true(fabs(fine) > 0.1);
        assert_near(order, rule == 0 ? 2.0 : 1.0, 0.25);
    }
}

/* ---- refused ----------------------------------------------------------------------------------- */

static void assert_refused(talus_sim *sim, const char *words) {
    talus_error err;
    assert_int_equal(talus_sim_check(sim, &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, words));
    assert_int_equal(talus_sim_step(sim, NULL, &err), TALUS_ERR_INPUT);
    talus_sim_destroy(sim);
}

static void test_refused(void **state) {
    (void)state;
    talus_config config = soft_config(1e-3);
    talus_soft_law soft = {.stiffness = 400.0};
    talus_sim *sim = soft_sim(&config, 0.0, &soft);
    talus_shape_part round = {.points = square, .count = 4, .rounding = 0.1};
    assert_ok(talus_shape_add(sim, "pebble", &round, 1, NULL));
    assert_refused(sim, "shape 'pebble', part 1: rounding");
    sim = soft_sim(&config, 0.0, &soft);
    add_shape(sim, "square", square, 4);
    talus_boundary_def drum = talus_boundary_def_default();
    drum.name = "drum";
    drum.shape = TALUS_CYLINDER_INSIDE;
    drum.normal = vec(0, 0, 1);
    drum.radius = 10.0;
    assert_ok(talus_boundary_add(sim, &drum, NULL));
    assert_refused(sim, "boundary 'drum'");
    soft.exponent = 1.5;
    sim = soft_sim(&config, 0.0, &soft);
    add_shape(sim, "square", square, 4);
    add_body(sim, "square", vec(0, 0, 0), vec(0, 0, 0), 0, 0);
    assert_refused(sim, "soft.exponent = 1.5, must be 1");
    config.dim = 3;
    soft.exponent = 1.0;
    sim = soft_sim(&config, 0.0, &soft);
    const talus_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    add_shape(sim, "rock", corners, 4);
    assert_refused(sim, "shape 'rock': soft grains (method md) are spheres in three dimensions");
    sim = soft_sim(&config, 0.0, &soft);
    const int32_t triangles[1][3] = {{0, 1, 2}};
    talus_boundary_def mesh = talus_boundary_def_default();
    mesh.name = "mesh";
    mesh.shape = TALUS_MESH;
    mesh.vertices = corners;
    mesh.vertex_count = 3;
    mesh.triangles = triangles;
    mesh.triangle_count = 1;
    assert_ok(talus_boundary_add(sim, &mesh, NULL));
    assert_refused(sim, "meshes are for rigid grains");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_force),
        cmocka_unit_test(test_disc),
        cmocka_unit_test(test_parallel_sides),
        cmocka_unit_test(test_corner_returns),
        cmocka_unit_test(test_gas),
        cmocka_unit_test(test_clusters_and_plates),
        cmocka_unit_test(test_order_of_slip),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_same_from_everywhere),
        cmocka_unit_test(test_refused_memory),
        cmocka_unit_test(test_end_of_plate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
