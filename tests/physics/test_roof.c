/* SPDX-License-Identifier: Apache-2.0
 *
 * A flat box comes down on a shallow roof of three sides, turned at random: its face lands on the apex, or rests on
 * it and a ridge. The roof is a grain that is held, or a mesh; both must stop it in time and let it come to rest.
 */
#include "physics/shapes.h"

enum { SIDES = 3, DROPS = 20 };

static const double half[3] = {0.25, 0.15, 0.06}; /* m, of the box */
static const double rim = 0.6;                    /* m, radius of the roof */

static void roof_vertices(double apex, vec3 vertices[SIDES + 1]) {
    vertices[0] = vec(0, 0, apex);
    for (int k = 0; k < SIDES; k++) {
        double angle = 2.0 * pi * k / SIDES + 0.3;
        vertices[1 + k] = vec(rim * cos(angle), rim * sin(angle), 0);
    }
}

static void add_mesh_roof(talus_sim *sim, double apex) {
    vec3 vertices[SIDES + 1];
    int32_t triangles[SIDES][3];
    roof_vertices(apex, vertices);
    for (int k = 0; k < SIDES; k++) {
        triangles[k][0] = 0;
        triangles[k][1] = 1 + k;
        triangles[k][2] = 1 + (k + 1) % SIDES;
    }
    talus_boundary_def def = talus_boundary_def_default();
    def.name = "roof";
    def.shape = TALUS_MESH;
    def.vertices = vertices;
    def.vertex_count = SIDES + 1;
    def.triangles = (const int32_t(*)[3])triangles;
    def.triangle_count = SIDES;
    assert_ok(talus_boundary_add(sim, &def, NULL));
}

static void add_grain_roof(talus_sim *sim, double apex) {
    vec3 vertices[SIDES + 2];
    roof_vertices(apex, vertices);
    vertices[SIDES + 1] = vec(0, 0, -0.5);
    talus_shape_part part = {.points = vertices, .count = SIDES + 2};
    assert_ok(talus_shape_add(sim, "roof", &part, 1, NULL));
    talus_shape_view shape;
    assert_true(talus_shape_find(sim, "roof", &shape));
    talus_body_def def = shaped(sim, "roof", shape.centre);
    def.locks = TALUS_LOCK_X | TALUS_LOCK_Y | TALUS_LOCK_Z | TALUS_LOCK_ROTATION;
    add_body(sim, &def);
}

/* A number in [0, 1) that looks random. */
static double scatter(int drop, int stream) {
    double x = sin(12.9898 * drop + 78.233 * stream) * 43758.5453;
    return x - floor(x);
}

static talus_index add_falling_box(talus_sim *sim, int drop) {
    vec3 corners[8];
    box_corners(2 * half[0], 2 * half[1], 2 * half[2], vec(0, 0, 0), corners);
    talus_shape_part part = {.points = corners, .count = 8};
    assert_ok(talus_shape_add(sim, "box", &part, 1, NULL));
    talus_body_def def = shaped(
        sim, "box", vec(0.2 * (scatter(drop, 1) - 0.5), 0.2 * (scatter(drop, 2) - 0.5), 0.2));
    def.orientation = quat_turn(quat_identity(), vec(0, 0, 2.0 * pi * scatter(drop, 3)));
    def.orientation = quat_turn(
        def.orientation, vec(0.6 * (scatter(drop, 4) - 0.5), 0.6 * (scatter(drop, 5) - 0.5), 0));
    def.velocity = vec(0, 0, -1);
    return add_body(sim, &def);
}

/* m, how deep the apex is inside the box. */
static double apex_depth(const talus_sim *sim, talus_index box, double apex) {
    talus_body_view view = talus_sim_bodies(sim);
    quat q = view.orientation[box], back = {q.w, -q.x, -q.y, -q.z};
    vec3 x = quat_rotate(back, vec3_sub(vec(0, 0, apex), view.position[box]));
    return fmin(half[0] - fabs(x.x), fmin(half[1] - fabs(x.y), half[2] - fabs(x.z)));
}

static talus_sim *make(bool mesh, double apex, double dt, talus_gap gap, int drop,
                       talus_index *box) {
    talus_config config = support_config(3, dt);
    config.gravity = vec(0, 0, -g);
    config.solver.tolerance = 1e-9;
    config.solver.max_sweeps = 3000;
    config.solver.gap = gap;
    talus_sim *sim = support_sim(&config, 0.5);
    if (mesh)
        add_mesh_roof(sim, apex);
    else
        add_grain_roof(sim, apex);
    *box = add_falling_box(sim, drop);
    return sim;
}

/* The way of a step at the apex is 1e-3 m; none of it may be inside. */
static void test_face_lands_on_apex(void **state) {
    (void)state;
    for (int k = 0; k < 2 * DROPS; k++) {
        bool mesh = k % 2 == 1;
        double apex = k % 4 < 2 ? 0.005 : 0.02, deepest = -HUGE_VAL;
        talus_index box;
        talus_sim *sim = make(mesh, apex, 1e-3, TALUS_GAP_PROJECTED, k / 2, &box);
        for (int step = 0; step < 500; step++) {
            support_steps(sim, 1);
            deepest = fmax(deepest, apex_depth(sim, box, apex));
        }
        assert_true(deepest < 1e-5);
        support_ledger(sim);
        talus_sim_destroy(sim);
    }
}

/* It lies still in the end, and has not sunk in. */
static void test_box_rests_on_roof(void **state) {
    (void)state;
    for (int k = 0; k < 2 * DROPS; k++) {
        bool mesh = k % 2 == 1;
        talus_gap gap = k % 4 < 2 ? TALUS_GAP_POSITIVE : TALUS_GAP_PROJECTED;
        talus_index box;
        talus_sim *sim = make(mesh, 0.005, 5e-4, gap, k / 2, &box);
        support_steps(sim, 5000);
        talus_observables now = talus_sim_observe(sim);
        assert_true(now.energy.kinetic_rotation + now.energy.kinetic_translation < 1e-15);
        if (gap == TALUS_GAP_PROJECTED) assert_true(now.overlap_max < 1e-8);
        talus_sim_destroy(sim);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_face_lands_on_apex),
        cmocka_unit_test(test_box_rests_on_roof),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
