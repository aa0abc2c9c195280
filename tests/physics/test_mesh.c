/* SPDX-License-Identifier: Apache-2.0
 *
 * Boundaries made of triangles: they act like the surface they tile, whatever the tiling. No bumps where
 * triangles meet, true edges where the surface ends or bends.
 */
#include "math/vec3.h"
#include "support.h"

enum { CELLS = 6 };

static const double g = 9.81;

/* ---- triangles one by one, as STL files have them --------------------------------------------- */

enum { SOUP_MAX = 2600 };

struct soup {
    vec3 vertices[3 * SOUP_MAX];
    int32_t triangles[SOUP_MAX][3];
    int32_t count;
    double noise; /* m, by which each corner is off, each for itself */
    uint32_t state;
};

static double shake(struct soup *soup) {
    soup->state = soup->state * 1664525u + 1013904223u;
    return soup->noise * (2.0 * soup->state / 4294967296.0 - 1.0);
}

static void soup_triangle(struct soup *soup, vec3 a, vec3 b, vec3 c) {
    const vec3 corners[3] = {a, b, c};
    assert_true(soup->count < SOUP_MAX);
    for (int32_t k = 0; k < 3; k++) {
        vec3 off = {shake(soup), shake(soup), shake(soup)};
        soup->vertices[3 * soup->count + k] = vec3_add(corners[k], off);
        soup->triangles[soup->count][k] = 3 * soup->count + k;
    }
    soup->count++;
}

/* The rectangle from `low` to `high` in z = height, in cells_x x cells_y cells of two triangles. */
static void soup_tiles(struct soup *soup, const double low[2], const double high[2], int cells_x,
                       int cells_y) {
    for (int i = 0; i < cells_x; i++)
        for (int j = 0; j < cells_y; j++) {
            vec3 p[4];
            for (int k = 0; k < 4; k++) {
                int right = k == 1 || k == 2, up = k >= 2;
                p[k] = vec3_make(low[0] + (high[0] - low[0]) * (i + right) / cells_x,
                                 low[1] + (high[1] - low[1]) * (j + up) / cells_y, 0.0);
            }
            int turn = (i + j) % 2; /* diagonals and windings differ from cell to cell */
            soup_triangle(soup, p[turn], p[turn + 1], p[(turn + 2) % 4]);
            soup_triangle(soup, p[turn], p[(turn + 3) % 4], p[(turn + 2) % 4]);
        }
}

static void soup_add(const struct soup *soup, talus_sim *sim, const char *name) {
    talus_boundary_def def = talus_boundary_def_default();
    def.name = name;
    def.shape = TALUS_MESH;
    def.vertices = soup->vertices;
    def.vertex_count = 3 * (size_t)soup->count;
    def.triangles = (const int32_t(*)[3])soup->triangles;
    def.triangle_count = (size_t)soup->count;
    assert_ok(talus_boundary_add(sim, &def, NULL));
}

/* 6 m x 6 m around the origin: in 2 cells^2 triangles, or coarser on one side of x = 0 than on the other. */
static void add_soup_floor(talus_sim *sim, int cells, bool junctions, double noise) {
    static struct soup soup;
    soup = (struct soup){.noise = noise, .state = 12345};
    if (junctions) {
        soup_tiles(&soup, (double[2]){-3, -3}, (double[2]){0, 3}, 1, cells);
        soup_tiles(&soup, (double[2]){0, -3}, (double[2]){3, 3}, cells, 2 * cells + 1);
    } else {
        soup_tiles(&soup, (double[2]){-3, -3}, (double[2]){3, 3}, cells, cells);
    }
    soup_add(&soup, sim, "floor");
}

/* An L in z = 0: it cannot be one convex facet. */
static void add_corner_plate(talus_sim *sim, int cells) {
    static struct soup soup;
    soup = (struct soup){.state = 1};
    soup_tiles(&soup, (double[2]){-3, -3}, (double[2]){0, 3}, cells, 2 * cells);
    soup_tiles(&soup, (double[2]){0, -3}, (double[2]){3, 0}, cells, cells);
    soup_add(&soup, sim, "plate");
}

/* A square floor of 2 CELLS^2 triangles; with alternating diagonals and lifted by height(x). */
static void add_floor(talus_sim *sim, const char *name, double size, double slope_beyond) {
    vec3 vertices[(CELLS + 1) * (CELLS + 1)];
    int32_t triangles[2 * CELLS * CELLS][3];
    for (int i = 0; i <= CELLS; i++)
        for (int j = 0; j <= CELLS; j++) {
            double x = size * (i / (double)CELLS - 0.5), y = size * (j / (double)CELLS - 0.5);
            vertices[i * (CELLS + 1) + j] = vec3_make(x, y, x > 0.0 ? slope_beyond * x : 0.0);
        }
    int count = 0;
    for (int i = 0; i < CELLS; i++)
        for (int j = 0; j < CELLS; j++) {
            int32_t p = i * (CELLS + 1) + j, q = p + CELLS + 1, r = q + 1, s = p + 1;
            int32_t both[2][3] = {{p, q, r}, {p, r, s}}, other[2][3] = {{p, q, s}, {q, r, s}};
            for (int k = 0; k < 2; k++, count++)
                for (int c = 0; c < 3; c++)
                    triangles[count][c] = (i + j) % 2 ? both[k][c] : other[k][c];
        }
    talus_boundary_def def = talus_boundary_def_default();
    def.name = name;
    def.shape = TALUS_MESH;
    def.vertices = vertices;
    def.vertex_count = sizeof vertices / sizeof *vertices;
    def.triangles = (const int32_t(*)[3])triangles;
    def.triangle_count = (size_t)count;
    assert_ok(talus_boundary_add(sim, &def, NULL));
}

static talus_sim *world_with_floor(double dt, double mu, double slope_beyond) {
    talus_config config = support_config(3, dt);
    config.gravity = vec(0, 0, -g);
    talus_sim *sim = support_sim(&config, mu);
    add_floor(sim, "floor", 6.0, slope_beyond);
    return sim;
}

static void add_box(talus_sim *sim, vec3 half, vec3 at, vec3 velocity) {
    vec3 corners[8];
    for (int k = 0; k < 8; k++)
        corners[k] =
            vec3_make(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z);
    talus_shape_part part = {.points = corners, .count = 8, .rounding = 0.0};
    assert_ok(talus_shape_add(sim, "box", &part, 1, NULL));
    talus_body_def def = talus_body_def_default(sim);
    def.shape = "box";
    def.radius = 0.0;
    def.position = at;
    def.velocity = velocity;
    assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
}

/* Without friction nothing may slow it down or lift it, across all the edges and corners of the tiling. */
static void test_sphere_glides_without_bumps(void **state) {
    (void)state;
    talus_sim *sim = world_with_floor(1e-3, 0.0, 0.0);
    support_grain(sim, 0.3, 1.0, vec(-2.5, -1.1, 0.3), vec(2.0, 0.9, 0.0));
    for (int step = 0; step < 2200; step++) {
        support_steps(sim, 1);
        talus_body_view view = talus_sim_bodies(sim);
        assert_near(view.position[1].z, 0.3, 1e-9);
        assert_near(view.velocity[1].x, 2.0, 1e-9);
        assert_near(view.velocity[1].y, 0.9, 1e-9);
    }
    talus_sim_destroy(sim);
}

/* It rolls as on a plane: v_f = 5/7 v_0 [validation 59]. */
static void test_sphere_rolls(void **state) {
    (void)state;
    talus_sim *sim = world_with_floor(5e-4, 0.3, 0.0);
    support_grain(sim, 0.3, 1.0, vec(-2.5, -0.05, 0.3), vec(2.0, 0.1, 0.0));
    support_steps(sim, 3000);
    talus_body_view view = talus_sim_bodies(sim);
    assert_near(view.velocity[1].x, 2.0 * 5.0 / 7.0, 2e-3);
    assert_near(view.position[1].z, 0.3, 1e-9);
    talus_sim_destroy(sim);
}

static void test_box_slides_without_bumps(void **state) {
    (void)state;
    talus_sim *sim = world_with_floor(1e-3, 0.0, 0.0);
    add_box(sim, vec3_make(0.4, 0.3, 0.2), vec3_make(-2.2, -0.9, 0.2), vec3_make(2.0, 0.7, 0.0));
    for (int step = 0; step < 2000; step++) {
        support_steps(sim, 1);
        talus_body_view view = talus_sim_bodies(sim);
        assert_near(view.position[1].z, 0.2, 1e-8);
        assert_near(view.velocity[1].x, 2.0, 1e-7);
        assert_near(vec3_norm(view.omega[1]), 0.0, 1e-7);
    }
    talus_sim_destroy(sim);
}

/* A block held by friction stays where it is; 27 degrees beyond the ridge it would slide. */
static void test_box_rests(void **state) {
    (void)state;
    talus_sim *sim = world_with_floor(1e-3, 0.5, 0.0);
    add_box(sim, vec3_make(0.7, 0.6, 0.2), vec3_make(0.13, -0.21, 0.2), vec3_zero());
    support_steps(sim, 500);
    talus_body_view view = talus_sim_bodies(sim);
    assert_near(vec3_norm(view.velocity[1]), 0.0, 1e-9);
    assert_near(view.position[1].x, 0.13, 1e-9);
    double weight = -talus_sim_boundary(sim, 0).force.z;
    assert_near(weight / (view.mass[1] * g), 1.0, 1e-7);
    talus_sim_destroy(sim);
}

/* Over a ridge the sphere falls along the slope or flies off it, up a valley it climbs: true edges act. The
 * mechanical energy is kept where nothing collides: over a convex ridge from rest, sliding down frictionless. */
static void test_sphere_goes_over_a_ridge(void **state) {
    (void)state;
    double slope = -0.2, angle = atan(0.2);
    talus_sim *sim = world_with_floor(5e-4, 0.0, slope);
    support_grain(sim, 0.3, 1.0, vec(-0.2, 0.07, 0.3), vec(0.2, 0.0, 0.0));
    double start = 0.5 * 0.04 + g * 0.3;
    while (talus_sim_bodies(sim).position[1].x < 1.5) support_steps(sim, 1);
    talus_body_view view = talus_sim_bodies(sim);
    vec3 x = view.position[1], v = view.velocity[1];
    double height = x.x * sin(angle) + x.z * cos(angle);
    assert_near(height, 0.3,
                1e-3); /* touches the slope: distance from its plane through the ridge */
    assert_near(0.5 * vec3_norm2(v) + g * x.z, start, 0.01);
    assert_near(v.z / v.x, slope, 1e-3);
    talus_sim_destroy(sim);
}

/* A tip that has dipped a little below the surface beside a seam is held by it all the same. */
static void test_tip_at_a_seam_is_held(void **state) {
    (void)state;
    for (int k = 0; k < 5; k++) {
        talus_sim *sim = world_with_floor(1e-3, 0.5, 0.0);
        double deep = pow(10.0, -8 + k), aside = 0.1 * deep * k;
        vec3 corners[5] = {
            {0, 0, -1}, {0.05, 0.05, 0}, {-0.05, 0.05, 0}, {-0.05, -0.05, 0}, {0.05, -0.05, 0}};
        talus_shape_part part = {.points = corners, .count = 5, .rounding = 0.0};
        assert_ok(talus_shape_add(sim, "spike", &part, 1, NULL));
        talus_shape_view shape;
        assert_true(talus_shape_find(sim, "spike", &shape));
        talus_body_def def = talus_body_def_default(sim);
        def.shape = "spike";
        def.radius = 0.0;
        def.position = vec(1.0 + aside, 0.37, 1.0 + shape.centre.z - deep);
        assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
        support_steps(sim, 100);
        talus_body_view view = talus_sim_bodies(sim);
        assert_true(view.position[1].z > def.position.z - 1e-3);
        talus_sim_destroy(sim);
    }
}

/* ---- whatever the tiling ------------------------------------------------------------------------- */

struct glide {
    bool box;
    int cells;
    bool junctions;
    double noise;
};

/* Without friction: as on a plane, and with as many contacts. The plane of a floor that is off by `noise` is inclined
 * by about noise/size. */
static void check_glide(const struct glide *glide) {
    talus_config config = support_config(3, 1e-3);
    config.gravity = vec(0, 0, -g);
    talus_sim *sim = support_sim(&config, 0.0);
    add_soup_floor(sim, glide->cells, glide->junctions, glide->noise);
    double height = glide->box ? 0.2 : 0.3, start = height + 2.0 * glide->noise;
    if (glide->box)
        add_box(sim, vec3_make(0.4, 0.3, 0.2), vec3_make(-1.3, -0.9, start), vec3_make(3, 1.7, 0));
    else
        support_grain(sim, 0.3, 1.0, vec(-1.3, -0.9, start), vec(3, 1.7, 0));
    double tolerance = 1e-10 + 30.0 * glide->noise;
    for (int step = 0; step < 800; step++) {
        talus_step_report report;
        assert_ok(talus_sim_step(sim, &report, NULL));
        talus_body_view view = talus_sim_bodies(sim);
        assert_int_equal(report.contacts, glide->box ? 4 : 1);
        assert_near(view.position[1].z, height, 1e-10 + 5.0 * glide->noise);
        assert_near(view.velocity[1].x, 3.0, tolerance);
        assert_near(view.velocity[1].y, 1.7, tolerance);
        if (step < 5) continue; /* it comes down by the noise first */
        assert_near(view.velocity[1].z, 0.0, 1e-10 + 2.0 * glide->noise);
        assert_near(vec3_norm(view.omega[1]), 0.0, 1e-10 + 2.0 * glide->noise);
    }
    talus_energy energy = talus_sim_observe(sim).energy;
    assert_near(energy.error / energy.scale, 0.0, 1e-12);
    talus_sim_destroy(sim);
}

static void test_tiling_does_not_matter(void **state) {
    (void)state;
    const int cells[3] = {1, 10, 32};
    for (int box = 0; box < 2; box++)
        for (int k = 0; k < 3; k++) {
            check_glide(&(struct glide){box, cells[k], false, 0.0});
            check_glide(&(struct glide){box, cells[k], false, 6e-7});
        }
}

static void test_junctions_do_not_matter(void **state) {
    (void)state;
    for (int box = 0; box < 2; box++)
        for (int cells = 1; cells <= 16; cells *= 4) {
            check_glide(&(struct glide){box, cells, true, 0.0});
            check_glide(&(struct glide){box, cells, true, 6e-7});
        }
}

/* Over the seam of an L the same holds, but for the number of contacts of the box. */
static void test_seam_of_two_facets(void **state) {
    (void)state;
    for (int box = 0; box < 2; box++) {
        talus_config config = support_config(3, 1e-3);
        config.gravity = vec(0, 0, -g);
        talus_sim *sim = support_sim(&config, 0.0);
        add_corner_plate(sim, 7);
        double height = box ? 0.2 : 0.3;
        vec3 at = {-2.0, -1.0, height}, velocity = {3.0, 0.2, 0.0};
        if (box)
            add_box(sim, vec3_make(0.4, 0.3, 0.2), at, velocity);
        else
            support_grain(sim, 0.3, 1.0, at, velocity);
        for (int step = 0; step < 1200; step++) {
            talus_step_report report;
            assert_ok(talus_sim_step(sim, &report, NULL));
            talus_body_view view = talus_sim_bodies(sim);
            assert_true(box ? report.contacts >= 4 && report.contacts <= 8 : report.contacts == 1);
            assert_near(view.position[1].z, height, 1e-10);
            assert_near(view.velocity[1].x, 3.0, 1e-10);
            assert_near(view.velocity[1].z, 0.0, 1e-10);
        }
        talus_sim_destroy(sim);
    }
}

/* ---- cohesion ------------------------------------------------------------------------------------ */

/* A ball of weight `share` F_C below a plate, pressed on at first; is it still there after 0.3 s? */
static bool hangs(void (*add)(talus_sim *), talus_vec3 at, double share) {
    talus_config config = support_config(3, 1e-3);
    config.gravity = vec(0, 0, -g);
    talus_sim *sim = support_sim(&config, 0.0);
    talus_pair_law law = {.cohesion = {.force = g / share, .range = 1e-3}};
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    add(sim);
    support_grain(sim, 0.1, 1.0, vec(at.x, at.y, at.z - 0.1), vec(0.0, 0.0, 0.05));
    support_steps(sim, 300);
    bool holds = talus_sim_bodies(sim).position[1].z > at.z - 0.11;
    assert_int_equal(talus_sim_observe(sim).bonds, holds);
    talus_sim_destroy(sim);
    return holds;
}

static void add_tiled_roof(talus_sim *sim) {
    add_soup_floor(sim, 6, false, 0.0);
}

static void add_l_roof(talus_sim *sim) {
    add_corner_plate(sim, 3);
}

/* A roof that bulges down, lowest at the origin, where eight facets meet. */
static void add_bulging_roof(talus_sim *sim) {
    static struct soup soup;
    soup = (struct soup){.state = 1};
    for (int k = 0; k < 8; k++) {
        double one = k * 0.7853981633974483, other = (k + 1) * 0.7853981633974483;
        soup_triangle(&soup, vec3_zero(), vec3_make(cos(one), sin(one), 0.1),
                      vec3_make(cos(other), sin(other), 0.1));
    }
    soup_add(&soup, sim, "roof");
}

/* F_C counts once: on a facet, on its sides and corners. */
static void test_ball_hangs_by_one_bond(void **state) {
    (void)state;
    const talus_vec3 places[4] = {{0.21, 0.13, 0}, {0.5, 0.5, 0}, {0, 0.4, 0}, {0, 0, 0}};
    for (int k = 0; k < 4; k++) {
        assert_true(hangs(add_tiled_roof, places[k], 0.97));
        assert_false(hangs(add_tiled_roof, places[k], 1.03));
        vec3 aside = vec3_sub(places[k], vec3_make(0, 1, 0)); /* off the end of the L */
        assert_true(hangs(add_l_roof, aside, 0.97));
        assert_false(hangs(add_l_roof, aside, 1.03));
    }
    assert_true(hangs(add_bulging_roof, vec(0, 0, 0), 0.97));
    assert_false(hangs(add_bulging_roof, vec(0, 0, 0), 1.03));
}

/* Below an L the ball slides from facet to facet, and its bond with it: none forms anew under tension. */
static void test_bond_slides_along(void **state) {
    (void)state;
    for (int path = 0; path < 3; path++) {
        talus_config config = support_config(3, 1e-3);
        config.gravity = vec(0, 0, -g);
        talus_sim *sim = support_sim(&config, 0.0);
        talus_pair_law law = {.cohesion = {.force = 1.5 * g, .range = 1e-3}};
        assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
        add_corner_plate(sim, 3);
        vec3 from[3] = {{-2, -1, -0.1}, {-1, -2, -0.1}, {-2, 0.7, -0.1}};
        vec3 velocity[3] = {{2, 0.1, 0.05}, {0.1, 2, 0.05}, {2, -2, 0.05}};
        support_grain(sim, 0.1, 1.0, from[path], velocity[path]);
        for (int step = 0; step < 1200; step++) {
            talus_step_report report;
            assert_ok(talus_sim_step(sim, &report, NULL));
            assert_int_equal(report.contacts, 1);
            assert_near(talus_sim_bodies(sim).position[1].z, -0.1, 1e-9);
            assert_near(talus_sim_bodies(sim).velocity[1].x, velocity[path].x, 1e-9);
        }
        talus_observables seen = talus_sim_observe(sim);
        assert_int_equal(seen.bonds, 1);
        assert_int_equal(seen.bonds_broken, 0);
        assert_near(seen.energy.error / seen.energy.scale, 0.0, 1e-12);
        talus_sim_destroy(sim);
    }
}

/* A slider braked by mu_sliding on a slope that mu_static would hold goes on over the seams. */
static void test_sliding_goes_on(void **state) {
    (void)state;
    double angle = atan(0.4), along = g * sin(angle), across = g * cos(angle);
    talus_config config = support_config(3, 1e-3);
    config.gravity = vec(along, 0, -across);
    talus_sim *sim = support_sim(&config, 0.0);
    talus_pair_law law = {.mu_static = 0.6, .mu_sliding = 0.3};
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    add_corner_plate(sim, 3);
    add_box(sim, vec3_make(0.2, 0.2, 0.02), vec3_make(-2, -1, 0.02), vec3_make(1, 0, 0));
    support_steps(sim, 1500);
    double speed = 1.0 + 1.5 * (along - 0.3 * across);
    assert_near(talus_sim_bodies(sim).velocity[1].x, speed, 1e-6);
    talus_sim_destroy(sim);
}

/* A sliver changes nothing: the plate is cut along x = 0, with one between the halves. */
static void test_slivers_do_not_matter(void **state) {
    (void)state;
    for (int k = 0; k < 12; k++) {
        static struct soup soup;
        soup = (struct soup){.state = 1};
        double low = k < 11 ? pow(10.0, -6 - k) : 0.0;
        soup_tiles(&soup, (double[2]){-3, -3}, (double[2]){0, 3}, 1, 1);
        soup_tiles(&soup, (double[2]){0, -3}, (double[2]){3, 3}, 1, 2);
        soup_triangle(&soup, vec3_make(0, -3, 0), vec3_make(low, 0, 0), vec3_make(0, 3, 0));
        talus_config config = support_config(3, 1e-3);
        config.gravity = vec(0, 0, -g);
        talus_sim *sim = support_sim(&config, 0.0);
        soup_add(&soup, sim, "floor");
        support_grain(sim, 0.3, 1.0, vec(-0.5, 0.1, 0.3), vec(2.0, 0.1, 0.0));
        support_steps(sim, 500);
        talus_body_view view = talus_sim_bodies(sim);
        assert_near(view.velocity[1].x, 2.0, 1e-10);
        assert_near(view.position[1].z, 0.3, 1e-10);
        talus_sim_destroy(sim);
    }
}

static void test_bad_meshes_are_refused(void **state) {
    (void)state;
    talus_config config = support_config(3, 1e-3);
    talus_sim *sim = support_sim(&config, 0.0);
    vec3 vertices[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
    int32_t flat[1][3] = {{0, 1, 2}}, wrong[1][3] = {{0, 1, 3}};
    talus_boundary_def def = talus_boundary_def_default();
    def.name = "bad";
    def.shape = TALUS_MESH;
    def.vertices = vertices;
    def.vertex_count = 3;
    def.triangles = (const int32_t(*)[3])flat;
    def.triangle_count = 1;
    talus_error err;
    assert_int_equal(talus_boundary_add(sim, &def, &err), TALUS_ERR_INPUT);
    def.triangles = (const int32_t(*)[3])wrong;
    assert_int_equal(talus_boundary_add(sim, &def, &err), TALUS_ERR_INPUT);
    def.triangle_count = 0;
    assert_int_equal(talus_boundary_add(sim, &def, &err), TALUS_ERR_INPUT);
    assert_int_equal(talus_sim_boundary_count(sim), 0);
    talus_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sphere_glides_without_bumps),
        cmocka_unit_test(test_sphere_rolls),
        cmocka_unit_test(test_box_slides_without_bumps),
        cmocka_unit_test(test_box_rests),
        cmocka_unit_test(test_sphere_goes_over_a_ridge),
        cmocka_unit_test(test_tip_at_a_seam_is_held),
        cmocka_unit_test(test_tiling_does_not_matter),
        cmocka_unit_test(test_junctions_do_not_matter),
        cmocka_unit_test(test_seam_of_two_facets),
        cmocka_unit_test(test_ball_hangs_by_one_bond),
        cmocka_unit_test(test_bond_slides_along),
        cmocka_unit_test(test_sliding_goes_on),
        cmocka_unit_test(test_slivers_do_not_matter),
        cmocka_unit_test(test_bad_meshes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
