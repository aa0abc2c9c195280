/* SPDX-License-Identifier: Apache-2.0
 *
 * A ball with a denser one inside, spinning fast on a floor with dry friction (validation case 83). Friction changes
 * its energy but not Jellett's integral L . a, L the angular momentum about the centre of mass and a the way from there
 * to the contact. With offset eps r of the centre of mass and moments I_1, I_3 about it, upside down is where the
 * energy goes if 1 - eps < I_1/I_3 < 1 + eps; rounder about the other axes it stops on the way, flatter it stays.
 */
#include "physics/shapes.h"

enum { RING = 6, PARTS = 2 + RING };

struct top {
    vec3 inner;
    double inner_radius, inner_density;
    double ring_density; /* of balls in the plane of the middle; 0: none */
};

static const double fast = 100.0, start = 0.1, mu = 0.3; /* rad/s, rad, 1 */

static talus_shape_view add_top(talus_sim *sim, const struct top *top) {
    vec3 middle = {0, 0, 0}, ring[RING];
    talus_shape_part parts[PARTS] = {{&middle, 1, 1.0, 1.0},
                                     {&top->inner, 1, top->inner_radius, top->inner_density}};
    size_t count = 2;
    for (int k = 0; k < RING && top->ring_density > 0.0; k++) {
        ring[k] = vec(0.75 * cos(k * pi / 3.0), 0.75 * sin(k * pi / 3.0), 0.0);
        parts[count++] = (talus_shape_part){&ring[k], 1, 0.2, top->ring_density};
    }
    assert_ok(talus_shape_add(sim, "top", parts, count, NULL));
    talus_shape_view shape;
    assert_true(talus_shape_find(sim, "top", &shape));
    return shape;
}

/* Turning about the vertical, its axis tilted. */
static talus_index spin_up(talus_sim *sim, const talus_shape_view *shape) {
    quat turn = quat_turn(quat_identity(), vec(start, 0, 0));
    vec3 centre = quat_rotate(turn, shape->centre);
    talus_body_def def = shaped(sim, "top", vec(centre.x, centre.y, 1.0 + centre.z));
    def.orientation = turn;
    def.omega = vec(0, 0, fast);
    return add_body(sim, &def);
}

struct tilt {
    double angle, spin; /* rad, rad/s about the vertical */
    double jellett;     /* m^2/s, for mass 1 */
};

static struct tilt tilt_of(const talus_sim *sim, talus_index body, const talus_shape_view *shape) {
    talus_body_view view = talus_sim_bodies(sim);
    quat q = view.orientation[body], back = {q.w, -q.x, -q.y, -q.z};
    vec3 w = quat_rotate(back, view.omega[body]);
    vec3 own = {shape->inertia[0][0] * w.x, shape->inertia[1][1] * w.y, shape->inertia[2][2] * w.z};
    vec3 arm = vec3_sub(vec(0, 0, -1), quat_rotate(q, shape->centre));
    return (struct tilt){acos(quat_rotate(q, vec(0, 0, 1)).z), view.omega[body].z,
                         vec3_dot(quat_rotate(q, own), arm)};
}

/* After so many seconds; the offset and I_1/I_3 have been checked by the caller. */
static struct tilt run(const struct top *top, double seconds, double dt, talus_shape_view *shape) {
    talus_sim *sim = slope(3, 0.0, mu, dt);
    *shape = add_top(sim, top);
    talus_index body = spin_up(sim, shape);
    struct tilt first = tilt_of(sim, body, shape);
    support_steps(sim, (int)lround(seconds / dt));
    struct tilt last = tilt_of(sim, body, shape);
    assert_near(last.jellett / first.jellett, 1.0, 2e-4);
    support_ledger(sim);
    talus_sim_destroy(sim);
    return last;
}

static double roundness(const talus_shape_view *shape) {
    return shape->inertia[0][0] / shape->inertia[2][2];
}

/* A ball of radius r and density rho inside one of radius 1: what it adds is a point of mass (rho - 1) r^3 and its own
 * moment, over 1 + (rho - 1) r^3. */
static void test_mass_of_eccentric_ball(void **state) {
    (void)state;
    talus_sim *sim = slope(3, 0.0, mu, 1e-3);
    const struct top top = {{0, 0, -0.3}, 0.4, 10.0, 0.0};
    talus_shape_view shape = add_top(sim, &top);
    double more = 9.0 * 0.064, share = more / (1.0 + more), ball = 4.0 / 3.0 * pi;
    double about_axis = 0.4 * (1.0 - share) + 0.4 * 0.16 * share;
    assert_near(shape.volume, ball, 1e-9 * ball);
    assert_near(shape.mass, ball * (1.0 + more), 1e-9 * ball);
    assert_near(shape.centre.z, -0.3 * share, 1e-10);
    assert_near(shape.inertia[2][2], about_axis, 1e-10);
    assert_near(shape.inertia[0][0], about_axis + share * (1.0 - share) * 0.09, 1e-10);
    talus_body_def def = shaped(sim, "top", vec(0, 0, 5));
    talus_index body = add_body(sim, &def);
    assert_near(talus_sim_bodies(sim).mass[body] / (ball * (1.0 + more)), 1.0, 1e-9);
    talus_sim_destroy(sim);
}

/* Upside down, and with the spin that Jellett's integral leaves: (1 - eps)/(1 + eps) of the first. */
static void test_turns_over(void **state) {
    (void)state;
    talus_shape_view shape;
    const struct top top = {{0, 0, -0.3}, 0.4, 10.0, 0.0};
    struct tilt end = run(&top, 40.0, 4e-4, &shape);
    double offset = -shape.centre.z;
    assert_true(roundness(&shape) > 1.0 - offset && roundness(&shape) < 1.0 + offset);
    assert_true(end.angle > degrees(170.0));
    assert_near(end.spin, fast * (1.0 - offset) / (1.0 + offset), 0.5);
}

/* The energy of turning about the vertical with the same integral has its least value at 123 degrees; dry friction
 * makes it roll without slip some degrees before. */
static void test_long_one_stops_on_the_way(void **state) {
    (void)state;
    talus_shape_view shape;
    const struct top top = {{0, 0, -0.8}, 0.15, 100.0, 0.0};
    struct tilt end = run(&top, 40.0, 4e-4, &shape);
    assert_true(roundness(&shape) > 1.0 - shape.centre.z);
    assert_near(end.angle, degrees(123.0), degrees(5.0));
}

static void test_flat_one_stays(void **state) {
    (void)state;
    talus_shape_view shape;
    const struct top top = {{0, 0, -0.3}, 0.4, 10.0, 20.0};
    struct tilt end = run(&top, 20.0, 4e-4, &shape);
    assert_true(roundness(&shape) < 1.0 + shape.centre.z);
    assert_true(end.angle < degrees(2.0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mass_of_eccentric_ball),
        cmocka_unit_test(test_turns_over),
        cmocka_unit_test(test_long_one_stops_on_the_way),
        cmocka_unit_test(test_flat_one_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
