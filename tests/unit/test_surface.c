/* SPDX-License-Identifier: Apache-2.0
 * Surfaces of triangles: welding, joining to convex facets, finding facets, and where edges are none. */
#include "support.h"

#include <stdlib.h>

#include "base/random.h"
#include "geom/mesh_weld.h"
#include "geom/surface.h"

enum { CELLS = 24, TRIANGLES = 2 * CELLS * CELLS };

/* Triangles that share no vertices, as STL files have them. */
struct soup {
    vec3 vertices[3 * TRIANGLES];
    int32_t triangles[TRIANGLES][3];
    int32_t count;
    double noise;
    struct random random;
};

static struct memory heap;

static double uniform(struct random *random, double low, double high) {
    return low + (high - low) * random_uniform(random);
}

static void add(struct soup *soup, vec3 a, vec3 b, vec3 c) {
    const vec3 corners[3] = {a, b, c};
    for (int32_t k = 0; k < 3; k++) {
        vec3 off = {uniform(&soup->random, -1.0, 1.0), uniform(&soup->random, -1.0, 1.0),
                    uniform(&soup->random, -1.0, 1.0)};
        soup->vertices[3 * soup->count + k] = vec3_add_scaled(corners[k], soup->noise, off);
        soup->triangles[soup->count][k] = 3 * soup->count + k;
    }
    soup->count++;
}

static bool in_square(double x, double y) {
    return x >= 0.0 && y >= 0.0;
}
static bool in_l(double x, double y) {
    return x < 0.5 || y < 0.5;
}
static bool in_frame(double x, double y) {
    return fabs(x - 0.5) > 0.25 || fabs(y - 0.5) > 0.25;
}
static bool in_disc(double x, double y) {
    return (x - 0.5) * (x - 0.5) + (y - 0.5) * (y - 0.5) < 0.24;
}

/* The unit square in cells of two triangles with any diagonals and windings, only where `inside`; returns the area. */
static double tile(struct soup *soup, int cells, double bend, bool (*inside)(double, double)) {
    double width = 1.0 / cells, area = 0.0;
    for (int i = 0; i < cells; i++)
        for (int j = 0; j < cells; j++) {
            if (!inside((i + 0.5) * width, (j + 0.5) * width)) continue;
            vec3 p[4];
            for (int k = 0; k < 4; k++) {
                double x = (i + (k == 1 || k == 2)) * width, y = (j + (k >= 2)) * width;
                p[k] = vec3_make(x, y, bend * (x * x + y * y));
            }
            int turn = random_uniform(&soup->random) < 0.5;
            vec3 q[4] = {p[turn], p[turn + 1], p[turn + 2], p[(turn + 3) % 4]};
            add(soup, q[0], q[1], q[2]);
            if (random_uniform(&soup->random) < 0.5)
                add(soup, q[0], q[2], q[3]);
            else
                add(soup, q[0], q[3], q[2]);
            area += width * width;
        }
    return area;
}

static struct surface make(const struct soup *soup) {
    struct surface mesh;
    assert_int_equal(surface_make(&heap, &mesh, soup->vertices, 3 * (size_t)soup->count,
                                  (const int32_t(*)[3])soup->triangles, (size_t)soup->count),
                     CONVEX_OK);
    return mesh;
}

static void give_back(struct surface *mesh) {
    surface_free(&heap, mesh);
    assert_int_equal(heap.bytes, 0);
}

static struct soup *new_soup(double noise) {
    static struct soup soup;
    heap = (struct memory){0};
    soup.count = 0;
    soup.noise = noise;
    soup.random = random_start(7, RANDOM_TEST, 0, 0);
    return &soup;
}

/* Facets are convex, flat, counter-clockwise, and together as large as the surface. */
static void check_facets(const struct surface *mesh, double area, double tolerance) {
    double sum = 0.0;
    for (size_t f = 0; f < mesh->facet_count; f++) {
        const struct facet *facet = &mesh->facets[f];
        const vec3 *x = mesh->corners + facet->first;
        assert_near(vec3_norm(facet->normal), 1.0, 1e-14);
        for (int32_t k = 0; k < facet->count; k++) {
            vec3 one = vec3_sub(x[(k + 1) % facet->count], x[k]);
            vec3 other = vec3_sub(x[(k + 2) % facet->count], x[k]);
            assert_true(vec3_dot(vec3_cross(one, other), facet->normal) > 0.0);
            assert_near(vec3_dot(vec3_sub(x[k], x[0]), facet->normal), 0.0, 1e-14);
            one = vec3_sub(x[k], x[0]);
            other = vec3_sub(x[(k + 1) % facet->count], x[0]);
            sum += 0.5 * vec3_dot(vec3_cross(one, other), facet->normal);
        }
    }
    assert_near(sum, area, tolerance);
}

static void test_a_square_is_one_facet(void **state) {
    (void)state;
    const int cells[4] = {1, 2, 7, CELLS};
    for (int k = 0; k < 8; k++) {
        struct soup *soup = new_soup(k < 4 ? 0.0 : 1e-7);
        double area = tile(soup, cells[k % 4], 0.0, in_square);
        struct surface mesh = make(soup);
        assert_int_equal(mesh.facet_count, 1);
        assert_int_equal(mesh.facets[0].count, 4);
        check_facets(&mesh, area, 1e-12 + 10.0 * soup->noise);
        give_back(&mesh);
    }
}

/* Few facets, if not always the fewest. */
static void test_other_outlines_are_cut(void **state) {
    (void)state;
    bool (*shapes[3])(double, double) = {in_l, in_frame, in_disc};
    const size_t most[3] = {2, 6, 30};
    for (int k = 0; k < 6; k++) {
        struct soup *soup = new_soup(k < 3 ? 0.0 : 1e-7);
        double area = tile(soup, CELLS, 0.0, shapes[k % 3]);
        struct surface mesh = make(soup);
        assert_in_range(mesh.facet_count, 2, most[k % 3]);
        check_facets(&mesh, area, 1e-12 + 100.0 * soup->noise);
        give_back(&mesh);
    }
}

/* Curved: z = x^2 + y^2 on a grid has four corners each in one plane, and no others. */
static void test_curved_surfaces_stay(void **state) {
    (void)state;
    struct soup *soup = new_soup(0.0);
    double area = 0.0;
    tile(soup, CELLS, 0.3, in_square);
    for (int32_t t = 0; t < soup->count; t++) {
        const vec3 *x = soup->vertices + 3 * t;
        area += 0.5 * vec3_norm(vec3_cross(vec3_sub(x[1], x[0]), vec3_sub(x[2], x[0])));
    }
    struct surface mesh = make(soup);
    assert_int_equal(mesh.facet_count, CELLS * CELLS);
    check_facets(&mesh, area, 1e-12);
    give_back(&mesh);
}

static void test_a_cube_has_six(void **state) {
    (void)state;
    vec3 corners[8];
    int32_t triangles[12][3] = {{0, 1, 3}, {0, 3, 2}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                {2, 3, 7}, {2, 7, 6}, {0, 2, 6}, {0, 6, 4}, {1, 3, 7}, {1, 7, 5}};
    for (int k = 0; k < 8; k++) corners[k] = vec3_make(k & 1, k >> 1 & 1, k >> 2);
    struct surface mesh;
    assert_int_equal(surface_make(&heap, &mesh, corners, 8, (const int32_t(*)[3])triangles, 12),
                     CONVEX_OK);
    assert_int_equal(mesh.facet_count, 6);
    check_facets(&mesh, 6.0, 1e-14);
    /* An edge bears outwards, not over one of its faces; a corner likewise. */
    int32_t near[6];
    assert_int_equal(surface_near(&mesh, vec3_zero(), 0.1, near, 6), 3);
    vec3 outwards = {-0.6, -0.8, 0.0}, over = {0.6, -0.8, 0.0};
    for (int k = 0; k < 3; k++) {
        vec3 n = mesh.facets[near[k]].normal;
        assert_true(surface_bears(&mesh, near[k], vec3_zero(), outwards, 0.1));
        if (fabs(n.x) > 0.5) /* the nearer one is that in y = 0 */
            assert_false(surface_bears(&mesh, near[k], vec3_zero(), over, 0.1));
        assert_true(surface_bears(&mesh, near[k], vec3_make(0.5, 0.5, 0.0), n, 0.1));
    }
    give_back(&mesh);
}

/* Coarse on one side of a line, fine on the other. */
static void test_junctions_are_joined(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct soup *soup = new_soup(k == 0 ? 0.0 : 1e-7);
        vec3 a = {-1, 0, 0}, b = {0, 0, 0}, c = {0, 1, 0}, d = {-1, 1, 0};
        double area = 1.0 + tile(soup, 5, 0.0, in_square);
        add(soup, a, b, c);
        add(soup, a, c, d);
        struct surface mesh = make(soup);
        assert_int_equal(mesh.facet_count, 1);
        assert_int_equal(mesh.facets[0].count, 4);
        check_facets(&mesh, area, 1e-12 + 10.0 * soup->noise);
        give_back(&mesh);
    }
}

/* The end of a wall on a floor is no edge, though they share no vertices. */
static void test_a_wall_on_a_floor(void **state) {
    (void)state;
    struct soup *soup = new_soup(0.0);
    tile(soup, 1, 0.0, in_square);
    add(soup, vec3_make(0.5, 0.2, 0), vec3_make(0.5, 0.8, 0), vec3_make(0.5, 0.5, 1));
    struct surface mesh = make(soup);
    assert_int_equal(mesh.facet_count, 2);
    assert_true(fabs(mesh.facets[1].normal.x) > 0.5);
    vec3 end = {0.5, 0.4, 0.0}, aslant = {0.6, 0.0, 0.8}, below = {0.0, 0.0, -1.0};
    assert_false(surface_bears(&mesh, 1, end, aslant, 0.1));
    assert_true(surface_bears(&mesh, 1, end, below, 0.1)); /* as near as the floor, no nearer */
    assert_true(surface_bears(&mesh, 1, vec3_make(0.5, 0.5, 1.0), aslant, 0.1));
    give_back(&mesh);
}

/* Files are welded alike: a grid of n cells has (n + 1)^2 vertices, whatever the seventh digit says. */
static void test_files_are_welded(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct soup *soup = new_soup(k == 0 ? 0.0 : 1e-7);
        tile(soup, 9, 0.3, in_square);
        struct mesh_corners corners = {0};
        struct mesh_soup mesh;
        for (int32_t v = 0; v < 3 * soup->count; v++)
            assert_true(mesh_corner_add(&corners, soup->vertices[v]));
        assert_int_equal(mesh_weld(&mesh, &corners), MESH_OK);
        assert_int_equal(mesh.vertex_count, 100);
        assert_int_equal(mesh.triangle_count, soup->count);
        for (int32_t t = 0; t < mesh.triangle_count; t++)
            for (int c = 0; c < 3; c++) {
                vec3 off = vec3_sub(mesh.vertices[mesh.triangles[t][c]], soup->vertices[3 * t + c]);
                assert_true(vec3_norm(off) <= 4.0 * soup->noise);
            }
        mesh_soup_free(&mesh);
        mesh_corners_free(&corners);
    }
}

/* Small triangles are not welded away, however small beside the whole. */
static void test_small_triangles_survive(void **state) {
    (void)state;
    struct soup *soup = new_soup(0.0);
    double small = 1e-8;
    add(soup, vec3_make(0, 0, 0), vec3_make(1, 0, 0), vec3_make(0, 1, 0));
    add(soup, vec3_make(0, 0, 1), vec3_make(small, 0, 1), vec3_make(0, small, 1));
    add(soup, vec3_make(small, 0, 1), vec3_make(0, small, 1), vec3_make(small, small, 1 + small));
    struct surface mesh = make(soup);
    assert_int_equal(mesh.facet_count, 3);
    assert_int_equal(mesh.sliver_count, 0);
    double area = 0.0;
    for (int k = 0; k < 3; k++) {
        int32_t v = soup->triangles[1][k];
        assert_true(vec3_norm(vec3_sub(mesh.vertices[v], soup->vertices[v])) == 0.0);
        area = fmax(area, vec3_norm(mesh.vertices[v]));
    }
    assert_near(area, 1.0, 1e-7);
    give_back(&mesh);
}

/* A vertex that no triangle has, far away, is none of the mesh. */
static void test_stray_vertices(void **state) {
    (void)state;
    struct soup *soup = new_soup(0.0);
    tile(soup, 5, 0.0, in_l);
    soup->vertices[3 * soup->count] = vec3_make(1e9, -1e200, 0.0);
    struct surface mesh;
    assert_int_equal(surface_make(&heap, &mesh, soup->vertices, 3 * (size_t)soup->count + 1,
                                  (const int32_t(*)[3])soup->triangles, (size_t)soup->count),
                     CONVEX_OK);
    assert_near(mesh.size, sqrt(2.0), 1e-14);
    assert_in_range(mesh.facet_count, 2, 3);
    check_facets(&mesh, soup->count / 50.0, 1e-12);
    give_back(&mesh);
}

static void test_slivers(void **state) {
    (void)state;
    for (int k = 0; k < 14; k++) {
        double low = k < 13 ? pow(10.0, -4 - k) : 0.0;
        struct soup *soup = new_soup(0.0);
        struct surface mesh;
        add(soup, vec3_make(0, 0, 0), vec3_make(0.5, low, 0), vec3_make(1, 0, 0));
        enum convex_status status =
            surface_make(&heap, &mesh, soup->vertices, 3, (const int32_t(*)[3])soup->triangles, 1);
        assert_int_equal(status, k < 2 ? CONVEX_OK : CONVEX_NO_EXTENT);
        assert_int_equal(mesh.sliver_count, k < 2 ? 0 : 1);
        give_back(&mesh);
        add(soup, vec3_make(0, 0, 0), vec3_make(1, 0, 0), vec3_make(0.5, -1, 0));
        add(soup, vec3_make(0, 0, 0), vec3_make(0.5, low, 0), vec3_make(0, 1, 0));
        add(soup, vec3_make(1, 0, 0), vec3_make(0.5, low, 0), vec3_make(1, 1, 0));
        mesh = make(soup);
        check_facets(&mesh, 1.0, 1e-3);
        assert_false(surface_bears(&mesh, 0, vec3_make(0.3, 0, 0), vec3_make(0, 0.6, 0.8), 0.1) &&
                     surface_bears(&mesh, 1, vec3_make(0.3, 0, 0), vec3_make(0, 0.6, 0.8), 0.1));
        give_back(&mesh);
    }
}

/* The tree finds what looking at every facet finds. */
static void test_near(void **state) {
    (void)state;
    struct soup *soup = new_soup(0.01);
    tile(soup, CELLS, 0.5, in_disc);
    struct surface mesh = make(soup);
    static int32_t found[TRIANGLES];
    for (int n = 0; n < 300; n++) {
        struct random *random = &soup->random;
        vec3 centre = {uniform(random, -0.2, 1.2), uniform(random, -0.2, 1.2),
                       uniform(random, -0.2, 1.0)};
        double radius = pow(10.0, uniform(random, -3.0, 0.0));
        size_t count = surface_near(&mesh, centre, radius, found, TRIANGLES), touching = 0;
        for (size_t f = 0; f < mesh.facet_count; f++) {
            vec3 place = surface_nearest(&mesh, (int32_t)f, centre);
            if (vec3_norm(vec3_sub(place, centre)) > radius) continue;
            bool listed = false;
            for (size_t k = 0; k < count; k++) listed = listed || found[k] == (int32_t)f;
            assert_true(listed);
            touching++;
        }
        assert_true(count >= touching);
    }
    give_back(&mesh);
}

/* The nearest place of a facet: on it, and no corner or mixture of corners is nearer. */
static void test_nearest(void **state) {
    (void)state;
    struct soup *soup = new_soup(0.0);
    tile(soup, 3, 0.0, in_square);
    struct surface mesh = make(soup);
    for (int n = 0; n < 1000; n++) {
        struct random *random = &soup->random;
        vec3 x = {uniform(random, -1, 2), uniform(random, -1, 2), uniform(random, -1, 1)};
        vec3 want = {fmin(fmax(x.x, 0.0), 1.0), fmin(fmax(x.y, 0.0), 1.0), 0.0};
        vec3 got = surface_nearest(&mesh, 0, x);
        assert_near(vec3_norm(vec3_sub(got, want)), 0.0, 1e-14);
        assert_true(surface_covers(&mesh, 0, want));
        if (want.x != x.x) assert_false(surface_covers(&mesh, 0, vec3_make(x.x, x.y, 0.0)));
    }
    give_back(&mesh);
}

/* Over a seam one of two facets bears, whichever way and however far the ball has come: never none. */
static void test_somebody_bears(void **state) {
    (void)state;
    for (int n = 0; n < 4000; n++) {
        struct soup *soup = new_soup(0.0);
        soup->random = random_start(11, RANDOM_TEST, (uint64_t)n, 0);
        struct random *random = &soup->random;
        double rise = n % 2 ? 0.0 : uniform(random, -1.0, 1.0) * pow(10.0, uniform(random, -7, 0));
        double crack = n % 4 < 2 ? 0.0 : 3e-7;
        add(soup, vec3_make(-1, -1, 0), vec3_make(-1, 1, 0), vec3_make(0, 0, 0));
        add(soup, vec3_make(-1, 1, 0), vec3_make(1, 1, rise), vec3_make(0, 0, 0));
        add(soup, vec3_make(-1, -1, 0), vec3_make(1, -1, rise), vec3_make(0, 0, 0));
        add(soup, vec3_make(1 + crack, -1, rise), vec3_make(1 + crack, 1, rise),
            vec3_make(crack, 0, 0));
        struct surface mesh = make(soup);
        double aside = pow(10.0, uniform(random, -9.0, -1.0)), r = uniform(random, 0.01, 0.3);
        vec3 c = {aside * uniform(random, -1, 1), aside * uniform(random, -1, 1), r};
        int bearing = 0;
        for (size_t f = 0; f < mesh.facet_count; f++) {
            vec3 p = surface_nearest(&mesh, (int32_t)f, c), to = vec3_sub(c, p);
            double height = vec3_norm(to);
            vec3 away = vec3_scale(1.0 / height, to);
            bearing += surface_bears(&mesh, (int32_t)f, p, away, height);
        }
        assert_true(bearing >= 1);
        give_back(&mesh);
    }
}

/* When memory is refused at any point nothing is left behind. */
static void test_memory_refused(void **state) {
    (void)state;
    struct soup *soup = new_soup(0.0);
    tile(soup, 4, 0.0, in_l);
    for (int64_t n = 1;; n++) {
        struct memory memory = {.refuse_at = n};
        struct surface mesh;
        enum convex_status status =
            surface_make(&memory, &mesh, soup->vertices, 3 * (size_t)soup->count,
                         (const int32_t(*)[3])soup->triangles, (size_t)soup->count);
        surface_free(&memory, &mesh);
        assert_int_equal(memory.bytes, 0);
        if (status == CONVEX_OK) break;
        assert_int_equal(status, CONVEX_NO_MEMORY);
        assert_true(n < 1000);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_square_is_one_facet),
        cmocka_unit_test(test_other_outlines_are_cut),
        cmocka_unit_test(test_curved_surfaces_stay),
        cmocka_unit_test(test_a_cube_has_six),
        cmocka_unit_test(test_junctions_are_joined),
        cmocka_unit_test(test_a_wall_on_a_floor),
        cmocka_unit_test(test_files_are_welded),
        cmocka_unit_test(test_small_triangles_survive),
        cmocka_unit_test(test_stray_vertices),
        cmocka_unit_test(test_slivers),
        cmocka_unit_test(test_near),
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_somebody_bears),
        cmocka_unit_test(test_memory_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
