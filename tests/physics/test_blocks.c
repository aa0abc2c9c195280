/* SPDX-License-Identifier: Apache-2.0
 *
 * Blocks on slopes, in stacks and towers, on belts and shaken tables: what friction and the place of the centre
 * of mass decide. Rectangles in the plane and boxes in space, mostly by the same words [validation 56, 57, 63, 64,
 * 88, 94, 114].
 */
#include "shapes.h"

/* ---- on a slope ------------------------------------------------------------------------------ */

/* Just below the angle of friction a block put on the plane never moves, not by a bit. */
static void test_block_sticks(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        talus_sim *sim = slope(dim, degrees(26.0), 0.5, 1e-2);
        shape_block(sim, "block", 1.0, 0.5);
        talus_index block = add_shaped(sim, "block", place(dim, 0, 0.25));
        support_steps(sim, 1000);
        talus_body_view view = talus_sim_bodies(sim);
        assert_near(view.position[block].x, 0.0, 1e-14);
        assert_near(height(dim, view.position[block]), 0.25, 1e-14);
        assert_near(vec3_norm(view.velocity[block]), 0.0, 1e-13);
        assert_near(vec3_norm(view.omega[block]), 0.0, 1e-13);
        support_ledger(sim);
        talus_sim_destroy(sim);
    }
}

/* Above it the acceleration is g (sin - mu cos): exact in the velocity, x of first order in dt. */
static double slide(int dim, double dt) {
    const double theta = degrees(27.0), a = g * (sin(theta) - 0.5 * cos(theta));
    talus_sim *sim = slope(dim, theta, 0.5, dt);
    shape_block(sim, "block", 1.0, 0.5);
    talus_index block = add_shaped(sim, "block", place(dim, 0, 0.25));
    int steps = (int)lround(1.0 / dt);
    support_steps(sim, steps);
    talus_body_view view = talus_sim_bodies(sim);
    assert_near(view.velocity[block].x, a, 1e-10);
    assert_near(a, 0.0833, 5e-5);
    assert_near(vec3_norm(view.omega[block]), 0.0, 1e-12);
    double error = view.position[block].x - 0.5 * a;
    support_ledger(sim);
    talus_sim_destroy(sim);
    return error;
}

static void test_block_slides(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        double coarse = slide(dim, 1e-2), fine = slide(dim, 5e-3);
        assert_near(fine, 0.0, 0.01 * 0.5 * 0.0833);
        assert_near(coarse / fine, 2.0, 0.01);
    }
}

/* Static friction 0.6 holds at 30 degrees; a push makes it slide with 0.4 until the end. */
static void test_static_and_sliding_friction(void **state) {
    (void)state;
    const double theta = degrees(30.0), dt = 2e-3;
    for (int dim = 2; dim <= 3; dim++)
        for (int pushed = 0; pushed < 2; pushed++) {
            talus_sim *sim = slope(dim, theta, 0.6, dt);
            talus_pair_law law = {.mu_static = 0.6, .mu_sliding = 0.4};
            assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
            shape_block(sim, "block", 1.0, 0.25);
            talus_index block = add_shaped(sim, "block", place(dim, 0, 0.125));
            support_steps(sim, 100);
            assert_near(talus_sim_bodies(sim).velocity[block].x, 0.0, 1e-13);
            double v0 = pushed ? 0.5 : 0.0;
            if (pushed) assert_ok(talus_group_set_velocity(sim, "grains", vec(v0, 0, 0), NULL));
            support_steps(sim, 250);
            double a = pushed ? g * (sin(theta) - 0.4 * cos(theta)) : 0.0;
            assert_near(talus_sim_bodies(sim).velocity[block].x, v0 + a * 0.5, 1e-9);
            support_ledger(sim);
            talus_sim_destroy(sim);
        }
}

/* ---- toppling -------------------------------------------------------------------------------- */

/* n blocks on each other on a slope; how far the topmost has turned in the given time. */
static double topple(int dim, int n, double w, double h, double mu, double theta, double time) {
    const double dt = 5e-3;
    talus_sim *sim = slope(dim, theta, mu, dt);
    shape_block(sim, "block", w, h);
    talus_index top = 0;
    for (int k = 0; k < n; k++) top = add_shaped(sim, "block", place(dim, 0, (k + 0.5) * h));
    support_steps(sim, (int)lround(time / dt));
    talus_body_view view = talus_sim_bodies(sim);
    vec3 up = quat_rotate(view.orientation[top], place(dim, 0, 1));
    double turned = hypot(atan2(up.x, height(dim, up)), view.position[top].x);
    talus_sim_destroy(sim);
    return turned;
}

/* w/h = 0.4: the centre of mass is above the lower edge at 21.80 degrees. */
static void test_toppling(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        assert_near(topple(dim, 1, 0.4, 1.0, 0.8, degrees(21.5), 2.0), 0.0, 1e-12);
        assert_true(topple(dim, 1, 0.4, 1.0, 0.8, degrees(22.1), 2.0) > 0.1);
        for (int n = 2; n <= 5; n++) {
            assert_near(topple(dim, n, 0.4, 1.0 / n, 0.8, degrees(21.5), 1.0), 0.0, 1e-9);
            assert_true(topple(dim, n, 0.4, 1.0 / n, 0.8, degrees(22.1), 1.0) > 0.02);
        }
    }
}

/* Five blocks of 1 x 0.5: they topple together at tan = 0.4 if friction is larger, else they slide at atan mu. */
static void test_column_on_slope(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        assert_near(topple(dim, 5, 1.0, 0.5, 0.6, degrees(21.5), 1.0), 0.0, 1e-9);
        assert_true(topple(dim, 5, 1.0, 0.5, 0.6, degrees(22.1), 1.0) > 0.02);
        double slip = atan(0.3); /* 16.70 degrees */
        assert_near(topple(dim, 5, 1.0, 0.5, 0.3, slip - degrees(0.3), 1.0), 0.0, 1e-9);
        double a = g * (sin(slip + degrees(0.3)) - 0.3 * cos(slip + degrees(0.3)));
        assert_near(topple(dim, 5, 1.0, 0.5, 0.3, slip + degrees(0.3), 1.0), 0.5 * a, 0.01 * a);
    }
}

/* The rate of toppling just after the start, about the lower edge: omega' = r g sin(theta - theta_c)/(k^2 + r^2). */
static void test_toppling_rate(void **state) {
    (void)state;
    const double w = 0.4, h = 1.0, theta = degrees(30.0), r = hypot(w, h) / 2;
    const double torque = g * r * sin(theta - atan(w / h));
    const double rate = torque / ((w * w + h * h) / 12 + r * r);
    for (int dim = 2; dim <= 3; dim++) {
        double error[2];
        for (int k = 0; k < 2; k++) {
            const double dt = k == 0 ? 1e-3 : 5e-4;
            talus_sim *sim = slope(dim, theta, 2.0, dt);
            shape_block(sim, "block", w, h);
            talus_index block = add_shaped(sim, "block", place(dim, 0, 0.5 * h));
            support_steps(sim, 1);
            double first = -spin(dim, talus_sim_bodies(sim).omega[block]) / dt;
            assert_near(first, rate, 1e-9);
            support_steps(sim, (int)lround(0.2 / dt) - 1);
            error[k] = -spin(dim, talus_sim_bodies(sim).omega[block]);
            talus_sim_destroy(sim);
        }
        /* Energy about the edge: omega^2/2 (k^2 + r^2) = g r (cos a0 - cos a). Fourth-order Runge-Kutta here. */
        double angle = theta - atan(w / h), omega = 0.0, step = 1e-4;
        const double c = g * r / ((w * w + h * h) / 12 + r * r);
        for (int k = 0; k < 2000; k++) {
            double k1 = c * sin(angle), k2 = c * sin(angle + 0.5 * step * omega),
                   k3 = c * sin(angle + 0.5 * step * omega + 0.25 * step * step * k1),
                   k4 = c * sin(angle + step * omega + 0.5 * step * step * k2);
            angle += step * omega + step * step * (k1 + k2 + k3) / 6;
            omega += step * (k1 + 2 * k2 + 2 * k3 + k4) / 6;
        }
        assert_near(error[1], omega, 0.01 * omega);
        assert_near((error[0] - omega) / (error[1] - omega), 2.0, 0.2);
    }
}

/* ---- stacks ---------------------------------------------------------------------------------- */

/* The k-th block from the top juts out by s/2k over the next: s = 1 is the most that n of them bear. */
static double overhang(int dim, int n, double share, double time) {
    const double dt = 5e-3, h = 0.25;
    talus_sim *sim = slope(dim, 0.0, 0.8, dt);
    shape_block(sim, "block", 1.0, h);
    double x = 0.0;
    talus_index top = 0;
    for (int k = n; k >= 1; k--) { /* from the bottom; the lowest stands on a fixed one */
        if (k == n) {
            talus_body_def base = shaped(sim, "block", place(dim, 0, 0.5 * h));
            base.locks = TALUS_LOCK_X | TALUS_LOCK_Y | TALUS_LOCK_Z | TALUS_LOCK_ROTATION;
            add_body(sim, &base);
        }
        x += share / (2.0 * k);
        top = add_shaped(sim, "block", place(dim, x, (n - k + 1.5) * h));
    }
    double start = height(dim, talus_sim_bodies(sim).position[top]);
    support_steps(sim, (int)lround(time / dt));
    double sunk = start - height(dim, talus_sim_bodies(sim).position[top]);
    talus_sim_destroy(sim);
    return sunk;
}

static void test_overhang(void **state) {
    (void)state;
    const int counts[4] = {2, 3, 4, 6};
    for (int dim = 2; dim <= 3; dim++)
        for (int k = 0; k < 4; k++) {
            assert_near(overhang(dim, counts[k], 0.98, 0.5), 0.0, 1e-9);
            assert_true(overhang(dim, counts[k], 1.02, 0.5) > 1e-3);
        }
}

/* A tower of ten: it stands for 10 s, and nothing creeps; floor and contacts bear the weight above them. */
static void test_tower_stands(void **state) {
    (void)state;
    enum { BLOCKS = 10 };
    const double h = 0.5;
    for (int dim = 2; dim <= 3; dim++) {
        talus_sim *sim = slope(dim, 0.0, 0.5, 1e-2);
        shape_block(sim, "block", 1.0, h);
        for (int k = 0; k < BLOCKS; k++)
            add_shaped(sim, "block", place(dim, 0.01 * (k % 3), (k + 0.5) * h));
        support_steps(sim, 10);
        int64_t allocations = talus_sim_allocations(sim);
        support_steps(sim, 990);
        assert_int_equal(talus_sim_allocations(sim), allocations);
        talus_body_view view = talus_sim_bodies(sim);
        for (int k = 0; k < BLOCKS; k++) {
            assert_near(view.position[k + 1].x, 0.01 * (k % 3), 1e-11);
            assert_near(height(dim, view.position[k + 1]), (k + 0.5) * h, 1e-11);
            assert_near(vec3_norm(view.velocity[k + 1]), 0.0, 1e-10);
        }
        double weight = g * BLOCKS * view.mass[1];
        assert_near(height(dim, talus_sim_boundary(sim, 0).force), -weight, 1e-8 * weight);
        support_ledger(sim);
        talus_sim_destroy(sim);
    }
}

/* ---- belts, tables, plates, posts and drums -------------------------------------------------- */

/* Put on a belt of speed U, a block has reached it after U/(mu g) and lies U^2/(2 mu g) behind. */
static void test_conveyor(void **state) {
    (void)state;
    const double speed = 1.0, mu = 0.3, time = speed / (mu * g), behind = 0.5 * speed * time;
    for (int dim = 2; dim <= 3; dim++) {
        double error[2];
        for (int k = 0; k < 2; k++) {
            const double dt = k == 0 ? 2e-3 : 1e-3;
            talus_config config = shapes_config(dim, dt);
            config.gravity = tilted_gravity(dim, 0.0);
            talus_sim *sim = support_sim(&config, mu);
            talus_boundary_def belt = talus_boundary_def_default();
            belt.name = "belt";
            belt.normal = place(dim, 0, 1);
            belt.motion.velocity = vec(speed, 0, 0);
            assert_ok(talus_boundary_add(sim, &belt, NULL));
            shape_block(sim, "block", 1.0, 0.4);
            talus_index block = add_shaped(sim, "block", place(dim, 0, 0.2));
            int half = (int)(0.5 * time / dt);
            support_steps(sim, half);
            assert_near(talus_sim_bodies(sim).velocity[block].x, mu * g * half * dt, 1e-10);
            support_steps(sim, (int)lround(0.5 / dt) - half);
            talus_body_view view = talus_sim_bodies(sim);
            assert_near(view.velocity[block].x, speed, 1e-12);
            error[k] = speed * 0.5 - view.position[block].x - behind;
            talus_energy e = support_ledger(sim);
            /* The belt works mu m g U for the time of sliding: half becomes motion, half heat. */
            double mass = view.mass[block];
            assert_near(e.dissipation_sliding + e.step_loss, 0.5 * mass * speed * speed,
                        1e-10 * mass);
            assert_near(e.work_boundary, mass * speed * speed, 1e-10 * mass);
            talus_sim_destroy(sim);
        }
        assert_near(error[1], 0.0, 0.005 * behind);
        assert_true(fabs(error[1]) < 0.75 * fabs(error[0]));
    }
}

/* How far a block slips at most on a table that is shaken along x with this largest acceleration. */
static double slip_on_table(int dim, double acceleration) {
    const double frequency = 1.0, dt = 1e-3, w = 2.0 * pi * frequency;
    const double amplitude = acceleration / (w * w);
    talus_config config = shapes_config(dim, dt);
    config.gravity = tilted_gravity(dim, 0.0);
    talus_sim *sim = support_sim(&config, 0.3);
    talus_boundary_def table = talus_boundary_def_default();
    table.name = "table";
    table.normal = place(dim, 0, 1);
    table.motion.direction = vec(1, 0, 0);
    table.motion.displacement =
        (talus_signal){.kind = TALUS_SIGNAL_SINE, .amplitude = amplitude, .frequency = frequency};
    assert_ok(talus_boundary_add(sim, &table, NULL));
    shape_block(sim, "block", 1.0, 0.4);
    talus_body_def def = shaped(sim, "block", place(dim, 0, 0.2));
    def.velocity = vec(amplitude * w, 0, 0);
    talus_index block = add_body(sim, &def);
    double slip = 0.0;
    for (int step = 0; step < 2000; step++) {
        support_steps(sim, 1);
        double relative =
            talus_sim_bodies(sim).position[block].x - amplitude * sin(w * talus_sim_time(sim));
        slip = fmax(slip, fabs(relative));
    }
    support_ledger(sim);
    talus_sim_destroy(sim);
    return slip;
}

/* mu g = 2.943: below it the table takes the block along. */
static void test_shaken_table(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        assert_near(slip_on_table(dim, 2.90), 0.0, 1e-11);
        assert_true(slip_on_table(dim, 3.00) > 1e-6);
    }
}

/* A block on the edge of a table top falls as soon as its middle is not above it. */
static double tip_over_plate(int dim, double x) {
    const double dt = 5e-3;
    talus_config config = shapes_config(dim, dt);
    config.gravity = tilted_gravity(dim, 0.0);
    talus_sim *sim = support_sim(&config, 0.5);
    talus_boundary_def top = talus_boundary_def_default();
    top.name = "top";
    top.shape = TALUS_RECTANGLE;
    top.normal = place(dim, 0, 1);
    top.edge = vec(1, 0, 0);
    top.size[0] = 2.0; /* edge at x = 1 */
    top.size[1] = 3.0;
    assert_ok(talus_boundary_add(sim, &top, NULL));
    shape_block(sim, "block", 1.0, 0.5);
    talus_index block = add_shaped(sim, "block", place(dim, x, 0.25));
    support_steps(sim, 200);
    double sunk = 0.25 - height(dim, talus_sim_bodies(sim).position[block]);
    support_ledger(sim);
    talus_sim_destroy(sim);
    return sunk;
}

static void test_plate_edge(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        assert_near(tip_over_plate(dim, 0.98), 0.0, 1e-12);
        assert_true(tip_over_plate(dim, 1.02) > 0.01);
    }
}

/* A plank laid across a fixed log of radius R, turned a little: the time of its first four zeros, or 0 if it
 * falls. It rolls, so its weight turns it back by m g (R - h/2) angle. */
static double rocking_period(int dim, double radius, double h, double dt) {
    const double length = 2.0, angle = 0.02;
    talus_config config = shapes_config(dim, dt);
    config.gravity = tilted_gravity(dim, 0.0);
    talus_sim *sim = support_sim(&config, 2.0);
    talus_boundary_def log = talus_boundary_def_default();
    log.name = "log";
    log.shape = TALUS_CYLINDER_OUTSIDE;
    log.normal = dim == 2 ? vec(0, 0, 1) : vec(0, 1, 0);
    log.radius = radius;
    assert_ok(talus_boundary_add(sim, &log, NULL));
    shape_block(sim, "plank", length, h);
    /* Rolled by `angle`: the contact is at (sin, cos) R turned clockwise, and R angle along the plank. */
    vec3 normal = place(dim, -sin(angle), cos(angle)), along = place(dim, cos(angle), sin(angle));
    vec3 at = vec3_add_scaled(vec3_scale(radius + 0.5 * h, normal), radius * angle, along);
    talus_body_def def = shaped(sim, "plank", at);
    def.orientation = tilted(dim, angle);
    talus_index plank = add_body(sim, &def);
    double before = angle, first = 0.0, now = angle;
    int zeros = 0;
    for (int step = 0; step < (int)(10.0 / dt) && zeros < 5; step++) {
        support_steps(sim, 1);
        vec3 x = quat_rotate(talus_sim_bodies(sim).orientation[plank], vec(1, 0, 0));
        now = height(dim, x);
        if (fabs(now) > 0.3) break;
        if ((now < 0.0) != (before < 0.0)) {
            double t = talus_sim_time(sim) - dt * now / (now - before);
            if (zeros++ == 0) first = t;
            if (zeros == 5) first = (t - first) / 2.0;
        }
        before = now;
    }
    talus_sim_destroy(sim);
    return zeros == 5 ? first : 0.0;
}

static void test_plank_on_log(void **state) {
    (void)state;
    const double radius = 0.5, h = 0.2, length = 2.0;
    const double arm2 = (length * length + h * h) / 12 + 0.25 * h * h;
    const double period = 2.0 * pi * sqrt(arm2 / (g * (radius - 0.5 * h)));
    for (int dim = 2; dim <= 3; dim++) {
        assert_near(rocking_period(dim, radius, h, 2e-3), period, 0.005 * period);
        assert_near(rocking_period(dim, radius, 1.1, 2e-3), 0.0, 0.0); /* R < h/2 */
    }
}

/* A block in a turning drum slides at both ends of its foot. Two such forces, each turned by the angle of
 * friction f from the radius, meet on the circle through the axis and both ends, and the weight must pass
 * there: with 2a the angle that the foot spans and d the distance of the centre of mass from the axis,
 * tan(theta) = sin f cos f/(d cos a/R - sin^2 f). Put there, it stays while the drum turns below it. */
static void test_block_in_drum(void **state) {
    (void)state;
    const double radius = 1.0, w = 0.6, h = 0.2, mu = 0.4, dt = 1e-3;
    const double f = atan(mu), a = asin(0.5 * w / radius), d = radius * cos(a) - 0.5 * h;
    const double theta = atan(sin(f) * cos(f) / (d * cos(a) / radius - sin(f) * sin(f)));
    for (int dim = 2; dim <= 3; dim++) {
        talus_config config = shapes_config(dim, dt);
        config.gravity = tilted_gravity(dim, 0.0);
        talus_sim *sim = support_sim(&config, mu);
        talus_boundary_def drum = talus_boundary_def_default();
        drum.name = "drum";
        drum.shape = TALUS_CYLINDER_INSIDE;
        drum.radius = radius;
        drum.normal = dim == 2 ? vec(0, 0, 1) : vec(0, 1, 0);
        drum.motion.axis = spin_vector(dim, 1.0);
        drum.motion.rate = 0.5;
        assert_ok(talus_boundary_add(sim, &drum, NULL));
        shape_block(sim, "block", w, h);
        vec3 start = place(dim, d * sin(theta), -d * cos(theta));
        talus_body_def def = shaped(sim, "block", start);
        def.orientation = tilted(dim, theta);
        talus_index block = add_body(sim, &def);
        support_steps(sim, 1000);
        talus_body_view view = talus_sim_bodies(sim);
        assert_near(vec3_norm(vec3_sub(view.position[block], start)), 0.0, 1e-9);
        assert_near(vec3_norm(view.velocity[block]), 0.0, 1e-9);
        support_ledger(sim);
        talus_sim_destroy(sim);
    }
}

/* ---- impacts, bonds, periodic cells ---------------------------------------------------------- */

/* A block that falls flat bounces flat: v+ = -e v- at every corner (gravity goes on in that step), heights e^2n. */
static void test_flat_bounces(void **state) {
    (void)state;
    const double e = 0.6, dt = 5e-4, drop = 0.5, h = 0.5;
    for (int dim = 2; dim <= 3; dim++) {
        talus_sim *sim = slope(dim, 0.0, 0.3, dt);
        talus_pair_law law = {
            .mu_static = 0.3, .mu_sliding = 0.3, .restitution = {.normal = e, .threshold = 0.02}};
        assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
        shape_block(sim, "block", 1.0, h);
        talus_index block = add_shaped(sim, "block", place(dim, 0, 0.5 * h + drop));
        double top = drop, last = 0.0;
        int bounces = 0;
        for (int step = 0; step < 3200; step++) {
            double before = height(dim, talus_sim_bodies(sim).velocity[block]);
            steps_losing(sim, 1);
            talus_body_view view = talus_sim_bodies(sim);
            double now = height(dim, view.velocity[block]);
            if (before < -0.02 && now > 0.0) assert_near(now, -e * before - g * dt, 1e-10);
            if (before > 0.0 && now <= 0.0 && ++bounces <= 3) {
                top *= e * e;
                assert_near(height(dim, view.position[block]) - 0.5 * h, top, 0.02 * top);
            }
            assert_near(vec3_norm(view.omega[block]), 0.0, 1e-10);
            last = now;
        }
        assert_true(bounces >= 3);
        assert_near(last, 0.0, 1e-13);
        support_ledger(sim);
        talus_sim_destroy(sim);
    }
}

/* The law of bonds is one of contact points: a block on a ceiling hangs by as many F_C as it has corners there. */
static void test_bonded_block_hangs(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int heavy = 0; heavy < 2; heavy++) {
            talus_config config = shapes_config(dim, 1e-3);
            config.gravity = tilted_gravity(dim, 0.0);
            talus_sim *sim = support_sim(&config, 0.5);
            talus_pair_law law = {.mu_static = 0.5, .mu_sliding = 0.5, .cohesion = {.force = 10.0}};
            assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
            support_plane(sim, "ceiling", vec(0, 0, 0), place(dim, 0, -1));
            shape_block(sim, "block", 1.0, 0.5);
            double most = (dim == 2 ? 2.0 : 4.0) * 10.0;
            talus_body_def def = shaped(sim, "block", place(dim, 0, -0.25));
            def.mass = (heavy ? 1.01 : 0.99) * most / g;
            talus_index block = add_body(sim, &def);
            support_steps(sim, 500);
            double sunk = -0.25 - height(dim, talus_sim_bodies(sim).position[block]);
            if (heavy) assert_true(sunk > 1e-4);
            if (!heavy) assert_near(sunk, 0.0, 1e-13);
            double force = height(dim, talus_sim_boundary(sim, 0).force);
            assert_near(force, heavy ? 0.0 : -0.99 * most, 1e-9 * most);
            support_ledger(sim);
            talus_sim_destroy(sim);
        }
}

/* The same between two blocks, face to face, the lower one 0.1 to the right of the one that is held: they touch from
 * -0.4 to 0.5, so the right end bears 5/9 of the weight, and all hangs by 0.9 of what both ends could bear. */
static void test_block_hangs_from_block(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++)
        for (int heavy = 0; heavy < 2; heavy++) {
            talus_config config = shapes_config(dim, 1e-3);
            config.gravity = tilted_gravity(dim, 0.0);
            talus_sim *sim = support_sim(&config, 0.5);
            talus_pair_law law = {.mu_static = 0.5, .mu_sliding = 0.5, .cohesion = {.force = 10.0}};
            assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
            shape_block(sim, "block", 1.0, 0.5);
            talus_body_def held = shaped(sim, "block", place(dim, 0, 0.25));
            held.locks = TALUS_LOCK_X | TALUS_LOCK_Y | TALUS_LOCK_Z | TALUS_LOCK_ROTATION;
            add_body(sim, &held);
            talus_body_def def = shaped(sim, "block", place(dim, 0.1, -0.25));
            def.mass = (heavy ? 0.91 : 0.89) * (dim == 2 ? 2.0 : 4.0) * 10.0 / g;
            talus_index block = add_body(sim, &def);
            support_steps(sim, 200);
            double sunk = -0.25 - height(dim, talus_sim_bodies(sim).position[block]);
            if (heavy) assert_true(sunk > 1e-5);
            if (!heavy) assert_near(sunk, 0.0, 1e-12);
            support_ledger(sim);
            talus_sim_destroy(sim);
        }
}

/* On a vertical wall it holds iff m g <= mu times the sum of F_C; its torque is borne by tension above. */
static void test_bonded_block_on_wall(void **state) {
    (void)state;
    const double mu = 0.5;
    for (int dim = 2; dim <= 3; dim++)
        for (int heavy = 0; heavy < 2; heavy++) {
            talus_config config = shapes_config(dim, 1e-3);
            config.gravity = tilted_gravity(dim, 0.0);
            talus_sim *sim = support_sim(&config, mu);
            talus_pair_law law = {.mu_static = mu, .mu_sliding = mu, .cohesion = {.force = 10.0}};
            assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
            support_plane(sim, "wall", vec(0, 0, 0), vec(1, 0, 0));
            shape_block(sim, "block", 0.2, 1.0);
            double most = mu * (dim == 2 ? 2.0 : 4.0) * 10.0;
            talus_body_def def = shaped(sim, "block", place(dim, 0.1, 0));
            def.mass = (heavy ? 1.01 : 0.99) * most / g;
            talus_index block = add_body(sim, &def);
            support_steps(sim, 500);
            double sunk = -height(dim, talus_sim_bodies(sim).position[block]);
            if (heavy) assert_near(sunk, 0.5 * (0.01 / 1.01) * g * 0.25, 0.01 * 0.0122);
            if (!heavy) assert_near(sunk, 0.0, 1e-12);
            support_ledger(sim);
            talus_sim_destroy(sim);
        }
}

/* Two blocks that hit each other and the floor; their way, in the middle of the cell or across its border. */
static void collide_in_cell(int dim, double shift, vec3 way[2]) {
    talus_config config = shapes_config(dim, 1e-3);
    config.gravity = tilted_gravity(dim, 0.0);
    config.cell.periodic[0] = true;
    config.cell.size = vec(8, 0, 0);
    talus_sim *sim = support_sim(&config, 0.4);
    add_floor(sim);
    shape_block(sim, "block", 1.0, 0.5);
    vec3 start[2];
    for (int k = 0; k < 2; k++) {
        start[k] = place(dim, shift + (k == 0 ? -0.75 : 0.75), k == 0 ? 0.9 : 0.7);
        talus_body_def def = shaped(sim, "block", start[k]);
        def.velocity = vec(k == 0 ? 1.5 : -1.0, 0, 0);
        def.orientation = tilted(dim, k == 0 ? 0.3 : -0.2);
        add_body(sim, &def);
    }
    support_steps(sim, 400);
    talus_body_view view = talus_sim_bodies(sim);
    for (int k = 0; k < 2; k++) {
        way[k] = vec3_sub(view.position[k + 1], start[k]);
        way[k].x -= 8.0 * round(way[k].x / 8.0);
    }
    support_ledger(sim);
    talus_sim_destroy(sim);
}

static void test_blocks_across_border(void **state) {
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        vec3 bulk[2], border[2];
        collide_in_cell(dim, 4.0, bulk);
        collide_in_cell(dim, 8.0, border);
        for (int k = 0; k < 2; k++)
            assert_near(vec3_norm(vec3_sub(bulk[k], border[k])), 0.0, 1e-12);
        assert_true(fabs(bulk[0].x) > 0.05 && fabs(bulk[0].x) < 0.5);
    }
}

/* Rolling and torsion friction stand for what faces and edges do: they are refused, with a reason. */
static void test_no_rolling_law_for_blocks(void **state) {
    (void)state;
    talus_sim *sim = slope(3, 0.0, 0.5, 1e-3);
    talus_pair_law law = {.mu_static = 0.5, .mu_sliding = 0.5, .rolling = {.coefficient = 0.1}};
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    shape_block(sim, "block", 1.0, 0.5);
    add_shaped(sim, "block", place(3, 0, 0.25));
    talus_error err;
    assert_true(talus_sim_step(sim, NULL, &err) == TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "rolling"));
    talus_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_block_sticks),
        cmocka_unit_test(test_block_slides),
        cmocka_unit_test(test_static_and_sliding_friction),
        cmocka_unit_test(test_toppling),
        cmocka_unit_test(test_column_on_slope),
        cmocka_unit_test(test_toppling_rate),
        cmocka_unit_test(test_overhang),
        cmocka_unit_test(test_tower_stands),
        cmocka_unit_test(test_conveyor),
        cmocka_unit_test(test_shaken_table),
        cmocka_unit_test(test_plate_edge),
        cmocka_unit_test(test_plank_on_log),
        cmocka_unit_test(test_block_in_drum),
        cmocka_unit_test(test_flat_bounces),
        cmocka_unit_test(test_bonded_block_hangs),
        cmocka_unit_test(test_block_hangs_from_block),
        cmocka_unit_test(test_bonded_block_on_wall),
        cmocka_unit_test(test_blocks_across_border),
        cmocka_unit_test(test_no_rolling_law_for_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
