/* SPDX-License-Identifier: Apache-2.0
 * Convex parts: hulls that are closed, convex and complete whatever the points; mass against closed
 * forms. */
#include "support.h"

#include <stdlib.h>

#include "base/random.h"
#include "geom/convex.h"

static const double pi = 3.141592653589793;

enum { MOST = 1200 }; /* points in a test */

static double uniform(struct random *random, double low, double high) {
    return low + (high - low) * random_uniform(random);
}

static vec3 random_point(struct random *random) {
    double x = uniform(random, -1.0, 1.0), y = uniform(random, -1.0, 1.0);
    return vec3_make(x, y, uniform(random, -1.0, 1.0));
}

static vec3 random_direction(struct random *random) {
    double x = random_normal(random), y = random_normal(random), z = random_normal(random);
    double length = sqrt(x * x + y * y + z * z);
    return vec3_make(x / length, y / length, z / length);
}

static double extent_of(const vec3 *points, size_t count) {
    vec3 low = points[0], high = points[0];
    for (size_t i = 1; i < count; i++) {
        vec3 p = points[i];
        low = vec3_make(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = vec3_make(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    vec3 d = vec3_sub(high, low);
    return fmax(d.x, fmax(d.y, d.z));
}

/* ---- what holds for every hull ------------------------------------------------------------------- */

/* How far the loop of a face is from turning left everywhere: the largest distance by which a vertex
 * lies inside the line of the two around it. */
static double dent(const struct convex *c, const struct convex_face *face) {
    double worst = 0.0;
    for (int32_t k = 0; k < face->count; k++) {
        const int32_t *loop = c->loops + face->first;
        vec3 a = c->vertices[loop[k]], b = c->vertices[loop[(k + 1) % face->count]];
        vec3 d = c->vertices[loop[(k + 2) % face->count]];
        vec3 ac = vec3_sub(d, a);
        double area = vec3_dot(vec3_cross(vec3_sub(b, a), ac), face->normal);
        worst = fmax(worst, -area / vec3_norm(ac));
    }
    return worst;
}

/* Largest violation of "vertices lie on their faces and behind the others". */
static double face_error(const struct convex *c) {
    double worst = 0.0;
    for (int32_t f = 0; f < c->face_count; f++) {
        const struct convex_face *face = &c->faces[f];
        assert_near(vec3_norm(face->normal), 1.0, 4e-16);
        assert_true(face->count >= (c->dim == 2 ? 2 : 3));
        for (int32_t v = 0; v < c->vertex_count; v++)
            worst = fmax(worst, vec3_dot(face->normal, c->vertices[v]) - face->offset);
        for (int32_t k = 0; k < face->count; k++) {
            vec3 p = c->vertices[c->loops[face->first + k]];
            worst = fmax(worst, fabs(vec3_dot(face->normal, p) - face->offset));
        }
        if (c->dim == 3) worst = fmax(worst, dent(c, face));
    }
    return worst;
}

/* Does the loop of `face` run from a to b? */
static bool runs(const struct convex *c, int32_t face, int32_t a, int32_t b) {
    const int32_t *loop = c->loops + c->faces[face].first;
    for (int32_t k = 0, n = c->faces[face].count; k < n; k++)
        if (loop[k] == a && loop[(k + 1) % n] == b) return true;
    return false;
}

static bool is_near(const struct convex *c, int32_t a, int32_t b) {
    for (int32_t k = c->near_first[a]; k < c->near_first[a + 1]; k++)
        if (c->near[k] == b) return true;
    return false;
}

static void check_edges(const struct convex *c) {
    assert_int_equal(c->near_first[0], 0);
    assert_int_equal(c->near_first[c->vertex_count], 2 * c->edge_count);
    for (int32_t e = 0; e < c->edge_count; e++) {
        struct convex_edge edge = c->edges[e];
        assert_true(edge.tail != edge.head);
        assert_true(is_near(c, edge.tail, edge.head) && is_near(c, edge.head, edge.tail));
        if (c->face_count == 0) continue;
        assert_true(edge.left != edge.right);
        assert_true(runs(c, edge.left, edge.tail, edge.head));
        assert_true(runs(c, edge.right, edge.head, edge.tail));
    }
}

/* How far a given point is outside the hull. */
static double left_out(const struct convex *c, const vec3 *points, size_t count) {
    double worst = 0.0;
    for (size_t i = 0; i < count; i++)
        for (int32_t f = 0; f < c->face_count; f++)
            worst = fmax(worst, vec3_dot(c->faces[f].normal, points[i]) - c->faces[f].offset);
    return worst;
}

static void check_support(const struct convex *c, struct random *random, double tolerance) {
    for (int k = 0; k < 4; k++) {
        vec3 d = random_direction(random);
        if (c->dim == 2) d.z = 0.0;
        if (k == 3 && c->face_count > 0) d = c->faces[c->face_count / 2].normal;
        int32_t start = (int32_t)random_below(random, (uint32_t)c->vertex_count);
        double found = vec3_dot(d, c->vertices[convex_support(c, d, start)]), most = -HUGE_VAL;
        for (int32_t v = 0; v < c->vertex_count; v++)
            most = fmax(most, vec3_dot(d, c->vertices[v]));
        assert_near(found, most, tolerance);
    }
}

/* All that must hold; given points and farthest points may be missed by `slack` of the extent. */
static void check_solid(const struct convex *c, const vec3 *points, size_t count,
                        struct random *random, double slack) {
    double size = extent_of(points, count), error = face_error(c);
    assert_int_equal(c->vertex_count - c->edge_count + c->face_count, 2);
    assert_int_equal(2 * c->edge_count, c->loop_count);
    check_edges(c);
    assert_near(error, 0.0, 1e-13 * size);
    assert_near(left_out(c, points, count), 0.0, slack * size);
    double reach = 0.0;
    for (int32_t v = 0; v < c->vertex_count; v++) reach = fmax(reach, vec3_norm(c->vertices[v]));
    assert_near(c->reach, reach + c->rounding, 1e-15 * size);
    check_support(c, random, slack * size);
}

/* ---- hulls --------------------------------------------------------------------------------------- */

static void random_hulls_are_consistent(void **state) {
    (void)state;
    struct random random = random_start(1, RANDOM_TEST, 1, 0);
    vec3 points[100];
    for (int trial = 0; trial < 1500; trial++) {
        size_t n = 4 + random_below(&random, 97);
        double size = pow(10.0, uniform(&random, -9.0, 9.0));
        for (size_t i = 0; i < n; i++) {
            vec3 p = trial % 2 ? random_point(&random) : random_direction(&random);
            points[i] = vec3_scale(size, p);
        }
        struct convex c;
        assert_int_equal(convex_make(&c, 3, points, n, trial % 3 ? 0.0 : size, false), CONVEX_OK);
        check_solid(&c, points, n, &random, 1e-14);
        assert_int_equal(2 * c.edge_count, 3 * c.face_count); /* all triangles */
        convex_free(&c);
    }
}

enum near {
    NEAR_PLATE,
    NEAR_CUBE,
    NEAR_LATTICE,
    NEAR_CYLINDER,
    NEAR_LINE,
    NEAR_CLUSTERS,
    NEAR_KINDS
};

/* A point that is degenerate but for `noise`. */
static vec3 nearly_degenerate(struct random *random, enum near kind, double noise) {
    vec3 p = random_point(random), shake = vec3_scale(noise, random_point(random));
    double angle = 0.1 * pi * random_below(random, 20);
    switch (kind) {
    case NEAR_PLATE: p.z = 0.0; break;
    case NEAR_CUBE:
        vec3_set_component(&p, (int)random_below(random, 3), p.x < 0.0 ? -1.0 : 1.0);
        break;
    case NEAR_LATTICE: p = vec3_make(floor(3.0 * p.x), floor(3.0 * p.y), floor(3.0 * p.z)); break;
    case NEAR_CYLINDER: p = vec3_make(cos(angle), sin(angle), p.z < 0.0 ? -1.0 : 1.0); break;
    case NEAR_LINE: p.y = p.z = 0.0; break;
    case NEAR_CLUSTERS:
        p = vec3_make(floor(1.9 * p.x), floor(1.6 * p.y), sin(floor(2.0 * p.z)));
        break;
    default: break;
    }
    return vec3_add(p, shake);
}

/* About z, then about x. */
static vec3 turned(vec3 p, double angle) {
    double c = cos(angle), s = sin(angle);
    p = vec3_make(c * p.x - s * p.y, s * p.x + c * p.y, p.z);
    return vec3_make(p.x, c * p.y - s * p.z, s * p.y + c * p.z);
}

static void nearly_degenerate_hulls_are_consistent(void **state) {
    (void)state;
    const double noises[] = {1e-5, 1e-8, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-16, 0.0};
    struct random random = random_start(1, RANDOM_TEST, 2, 0);
    vec3 points[100];
    for (int trial = 0; trial < 9 * NEAR_KINDS * 40; trial++) {
        size_t n = 4 + random_below(&random, 97);
        double noise = noises[trial % 9], angle = trial % 4 ? uniform(&random, 0.0, 6.0) : 0.0;
        double size = pow(10.0, uniform(&random, -9.0, 9.0));
        for (size_t i = 0; i < n; i++) {
            vec3 p = nearly_degenerate(&random, (enum near)(trial / 9 % NEAR_KINDS), noise);
            points[i] = vec3_scale(size, turned(p, angle));
        }
        struct convex c;
        assert_int_equal(convex_make(&c, 3, points, n, 0.0, true), CONVEX_OK);
        if (c.face_count > 0) check_solid(&c, points, n, &random, 1e-11);
        check_edges(&c);
        convex_free(&c);
    }
}

static size_t fill_box(vec3 *points, vec3 half) {
    for (int k = 0; k < 8; k++)
        points[k] =
            vec3_make(k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z);
    return 8;
}

static size_t fill_prism(vec3 *points, int sides, double height) {
    for (int k = 0; k < sides; k++) {
        double angle = 2.0 * pi * k / sides;
        points[2 * k] = vec3_make(cos(angle), sin(angle), 0.0);
        points[2 * k + 1] = vec3_make(cos(angle), sin(angle), height);
    }
    return 2 * (size_t)sides;
}

static void coplanar_facets_become_one_face(void **state) {
    (void)state;
    struct random random = random_start(1, RANDOM_TEST, 3, 0);
    vec3 points[MOST];
    struct convex c;
    for (int trial = 0; trial < 100; trial++) { /* boxes with points on and in them, turned */
        size_t n = fill_box(points, vec3_make(1.0, 0.5 + random_uniform(&random), 0.02));
        for (int k = 0; k < 30; k++, n++) {
            uint32_t one = random_below(&random, 8), two = (one + 1 + random_below(&random, 7)) % 8;
            vec3 a = points[one], b = points[two];
            double t = random_uniform(&random);
            points[n] = vec3_add(vec3_scale(t, a), vec3_scale(1.0 - t, b));
        }
        double angle = uniform(&random, 0.0, 6.0);
        for (size_t i = 0; i < n; i++) points[i] = turned(points[i], angle);
        assert_int_equal(convex_make(&c, 3, points, n, 0.0, false), CONVEX_OK);
        check_solid(&c, points, n, &random, 1e-14);
        assert_int_equal(c.vertex_count, 8);
        assert_int_equal(c.edge_count, 12);
        assert_int_equal(c.face_count, 6);
        for (int32_t v = 0; v < 8; v++)
            assert_memory_equal(&c.vertices[v], &points[v], sizeof(vec3));
        convex_free(&c);
    }
    for (int sides = 3; sides <= 600; sides += sides < 20 ? 1 : 97) {
        size_t n = fill_prism(points, sides, 0.7);
        assert_int_equal(convex_make(&c, 3, points, n, 0.0, false), CONVEX_OK);
        check_solid(&c, points, n, &random, 1e-14);
        assert_int_equal(c.face_count, sides + 2);
        assert_int_equal(c.vertex_count, 2 * sides);
        convex_free(&c);
    }
}

static void points_lines_and_plates(void **state) {
    (void)state;
    struct random random = random_start(1, RANDOM_TEST, 4, 0);
    struct convex c;
    vec3 points[30];
    for (int i = 0; i < 30; i++) points[i] = vec3_make(1.0, 2.0, 3.0);
    assert_int_equal(convex_make(&c, 3, points, 30, 0.0, false), CONVEX_NO_EXTENT);
    assert_int_equal(convex_make(&c, 3, points, 30, 0.5, false), CONVEX_OK);
    assert_int_equal(c.vertex_count, 1);
    assert_int_equal(c.edge_count + c.face_count, 0);
    assert_near(c.reach, sqrt(14.0) + 0.5, 1e-15);
    assert_int_equal(convex_support(&c, vec3_make(1.0, 0.0, 0.0), 7), 0);
    convex_free(&c);
    for (int i = 0; i < 30; i++) points[i] = vec3_scale(i % 7, vec3_make(0.1, -0.2, 0.3));
    assert_int_equal(convex_make(&c, 3, points, 30, 0.0, false), CONVEX_NO_EXTENT);
    assert_int_equal(convex_make(&c, 3, points, 30, 0.0, true), CONVEX_OK);
    assert_int_equal(c.vertex_count, 2);
    assert_int_equal(c.edge_count, 1);
    assert_int_equal(c.face_count, 0);
    assert_int_equal(c.edges[0].left, -1);
    assert_int_equal(c.edges[0].right, -1);
    assert_near(vec3_norm(vec3_sub(c.vertices[0], c.vertices[1])), 0.6 * sqrt(14.0), 1e-15);
    check_edges(&c);
    convex_free(&c);
    for (int i = 0; i < 30; i++)
        points[i] = turned(vec3_make(random_uniform(&random), i % 2, 0.0), 1.0);
    assert_int_equal(convex_make(&c, 3, points, 30, 0.0, false), CONVEX_NO_EXTENT);
    assert_int_equal(convex_make(&c, 3, points, 30, 0.1, false), CONVEX_OK);
    assert_int_equal(c.vertex_count, 4);
    assert_int_equal(c.face_count, 2);
    assert_near(vec3_dot(c.faces[0].normal, c.faces[1].normal), -1.0, 1e-15);
    check_solid(&c, points, 30, &random, 1e-14);
    convex_free(&c);
}

static void bad_points_are_refused(void **state) {
    (void)state;
    struct convex c;
    vec3 points[2] = {{0.0, 0.0, 0.0}, {nan(""), 0.0, 0.0}};
    assert_int_equal(convex_make(&c, 3, points, 0, 1.0, true), CONVEX_NO_POINTS);
    assert_int_equal(convex_make(&c, 2, points, 2, 1.0, true), CONVEX_NO_POINTS);
    points[1].x = HUGE_VAL;
    assert_int_equal(convex_make(&c, 3, points, 2, 1.0, true), CONVEX_NO_POINTS);
    points[0].x = -1.7e308;
    points[1].x = 1.7e308;
    assert_int_equal(convex_make(&c, 3, points, 2, 1.0, true), CONVEX_NO_POINTS);
    assert_null(c.vertices);
}

static void polygons_are_consistent(void **state) {
    (void)state;
    const double noises[] = {1.0, 1e-8, 1e-12, 1e-13, 1e-16, 0.0};
    struct random random = random_start(1, RANDOM_TEST, 5, 0);
    vec3 points[100];
    for (int trial = 0; trial < 3000; trial++) {
        size_t n = 3 + random_below(&random, 98);
        double noise = noises[trial % 6], size = pow(10.0, uniform(&random, -9.0, 9.0));
        for (size_t i = 0; i < n; i++) { /* a square with noisy sides */
            double along = uniform(&random, -1.0, 1.0), off = 1.0 - noise * random_uniform(&random);
            double side = i % 4 < 2 ? off : -off;
            points[i] =
                vec3_scale(size, i % 2 ? vec3_make(along, side, 0.0) : vec3_make(side, along, 0.0));
            points[i].z = 5.0; /* is ignored */
        }
        struct convex c;
        assert_int_equal(convex_make(&c, 2, points, n, 0.0, trial % 2), CONVEX_OK);
        assert_int_equal(c.face_count, c.vertex_count);
        assert_int_equal(c.edge_count, 0);
        assert_int_equal(c.near_first[c.vertex_count], 2 * c.vertex_count);
        for (int32_t k = 0; k < c.face_count; k++) {
            assert_int_equal(c.loops[c.faces[k].first], k);
            assert_int_equal(c.loops[c.faces[k].first + 1], (k + 1) % c.vertex_count);
            assert_true(is_near(&c, k, (k + 1) % c.vertex_count));
            assert_true(is_near(&c, (k + 1) % c.vertex_count, k));
        }
        assert_near(face_error(&c), 0.0, 1e-13 * size);
        assert_near(left_out(&c, points, n), 0.0, 2e-13 * size);
        check_support(&c, &random, 1e-13 * size);
        if (noise == 0.0) assert_true(c.vertex_count <= 8);
        convex_free(&c);
    }
}

static void flat_polygons(void **state) {
    (void)state;
    struct convex c;
    vec3 points[5] = {{0, 0, 0}, {3, 1, 0}, {-3, -1, 0}, {0.3, 0.1, 0}, {-0.6, -0.2, 0}};
    assert_int_equal(convex_make(&c, 2, points, 5, 0.0, false), CONVEX_NO_EXTENT);
    assert_int_equal(convex_make(&c, 2, points, 5, 0.0, true), CONVEX_OK);
    assert_int_equal(c.vertex_count, 2);
    assert_int_equal(c.face_count, 2);
    assert_int_equal(c.near_first[2], 2);
    assert_near(vec3_dot(c.faces[0].normal, c.faces[1].normal), -1.0, 1e-15);
    assert_near(face_error(&c), 0.0, 1e-15);
    convex_free(&c);
    assert_int_equal(convex_make(&c, 2, points, 1, 0.5, false), CONVEX_OK);
    assert_int_equal(c.vertex_count, 1);
    assert_int_equal(c.face_count, 0);
    convex_free(&c);
}

static void shifting_moves_everything(void **state) {
    (void)state;
    struct random random = random_start(1, RANDOM_TEST, 6, 0);
    vec3 points[20], by = {3.0, -2.0, 0.7};
    for (int i = 0; i < 20; i++) points[i] = random_point(&random);
    struct convex c;
    assert_int_equal(convex_make(&c, 3, points, 20, 0.1, false), CONVEX_OK);
    convex_shift(&c, by);
    for (int i = 0; i < 20; i++) points[i] = vec3_add(points[i], by);
    check_solid(&c, points, 20, &random, 1e-14);
    convex_free(&c);
}

/* ---- mass ---------------------------------------------------------------------------------------- */

static struct convex_mass mass_of(int dim, const vec3 *points, size_t count, double rounding) {
    struct convex c;
    assert_int_equal(convex_make(&c, dim, points, count, rounding, false), CONVEX_OK);
    struct convex_mass mass = convex_mass(&c);
    convex_free(&c);
    return mass;
}

/* Volume, centre and diagonal of inertia to `tolerance` of their size, nothing off the diagonal. */
static void assert_mass(struct convex_mass mass, double volume, vec3 centre, vec3 inertia,
                        double tolerance) {
    double size = cbrt(volume), most = fmax(inertia.x, fmax(inertia.y, inertia.z));
    assert_near(mass.volume, volume, tolerance * volume);
    for (int i = 0; i < 3; i++) {
        assert_near(vec3_component(mass.centre, i), vec3_component(centre, i), tolerance * size);
        for (int j = 0; j < 3; j++)
            assert_near(mass.inertia.m[i][j], i == j ? vec3_component(inertia, i) : 0.0,
                        tolerance * most);
    }
}

static void mass_of_polyhedra(void **state) {
    (void)state;
    vec3 points[40], none = vec3_zero();
    double a = 0.7, b = 1.1, c = 0.2, m = 8.0 * a * b * c;
    size_t n = fill_box(points, vec3_make(a, b, c));
    vec3 inertia = vec3_scale(m / 3.0, vec3_make(b * b + c * c, a * a + c * c, a * a + b * b));
    assert_mass(mass_of(3, points, n, 0.0), m, none, inertia, 1e-14);
    for (size_t i = 0; i < n; i++) points[i] = vec3_add(points[i], vec3_make(5.0, -9.0, 2.0));
    assert_mass(mass_of(3, points, n, 0.0), m, vec3_make(5.0, -9.0, 2.0), inertia, 1e-13);

    const vec3 regular[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}}; /* edge^2 = 8 */
    double volume = 8.0 / 3.0, moment = volume * 8.0 / 20.0;
    assert_mass(mass_of(3, regular, 4, 0.0), volume, none, vec3_make(moment, moment, moment),
                1e-14);

    n = fill_prism(points, 6, 0.7); /* circumradius 1 */
    double area = 1.5 * sqrt(3.0), polar = area * 5.0 / 12.0, h = 0.7;
    double across = 0.5 * polar * h + area * h * h * h / 12.0;
    assert_mass(mass_of(3, points, n, 0.0), area * h, vec3_make(0.0, 0.0, 0.35),
                vec3_make(across, across, polar * h), 1e-14);
}

static void mass_of_spheres_and_capsules(void **state) {
    (void)state;
    for (double size = 1e-9; size < 1e10; size *= 1e3) {
        vec3 points[2] = {{0.0, 0.0, -size}, {0.0, 0.0, size}};
        double r = 0.5 * size, l = 2.0 * size, ball = 4.0 / 3.0 * pi * r * r * r;
        double i = 0.4 * ball * r * r;
        assert_mass(mass_of(3, points, 1, r), ball, points[0], vec3_make(i, i, i), 1e-14);
        double rod = pi * r * r * l;
        double along = 0.5 * rod * r * r + i;
        double across =
            rod * (r * r / 4.0 + l * l / 12.0) + i + ball * (l * l / 4.0 + 0.375 * l * r);
        assert_mass(mass_of(3, points, 2, r), rod + ball, vec3_zero(),
                    vec3_make(across, across, along), 1e-14);
    }
}

/* Second moment about its middle, along one axis, of a box (half sizes a, b, c; a along the axis)
 * rounded by r: box, slabs, quarter cylinders, eighths of a ball. */
static double rounded_box_second(double a, double b, double c, double r) {
    double sum = 8.0 * a * a * a * b * c / 3.0;
    double quarter = pi * r * r / 4.0, centroid = 4.0 * r / (3.0 * pi),
           around = pi * r * r * r * r / 16.0;
    sum += 2.0 * 4.0 * b * c * r * (a * a + a * r + r * r / 3.0); /* slabs across the axis */
    sum += 8.0 * a * a * a * (b + c) * r / 3.0;                   /* slabs along it */
    sum += 4.0 * 2.0 * a * a * a / 3.0 * quarter;                 /* edges along the axis */
    sum +=
        4.0 * 2.0 * (b + c) * (quarter * a * (a + 2.0 * centroid) + around); /* the other eight */
    double ball = 4.0 / 3.0 * pi * r * r * r;
    sum += ball * (a * a + 2.0 * a * 0.375 * r + r * r / 5.0);
    return sum;
}

static void mass_of_rounded_box(void **state) {
    (void)state;
    vec3 points[8];
    for (double r = 1e-6; r < 100.0; r *= 10.0) {
        double a = 0.7, b = 1.1, c = 0.2;
        size_t n = fill_box(points, vec3_make(a, b, c));
        double volume = 8.0 * a * b * c + 8.0 * (a * b + b * c + c * a) * r +
                        2.0 * pi * (a + b + c) * r * r + 4.0 / 3.0 * pi * r * r * r;
        double x = rounded_box_second(a, b, c, r), y = rounded_box_second(b, a, c, r);
        double z = rounded_box_second(c, a, b, r);
        assert_mass(mass_of(3, points, n, r), volume, vec3_zero(), vec3_make(y + z, x + z, x + y),
                    1e-13);
    }
}

static void mass_of_plane_shapes(void **state) {
    (void)state;
    vec3 points[40], none = vec3_zero();
    double r = 0.3, l = 1.4, disc = pi * r * r, bar = 2.0 * r * l;
    points[0] = vec3_make(-0.5 * l, 0.0, 0.0);
    points[1] = vec3_make(0.5 * l, 0.0, 0.0);
    double i = 0.25 * disc * r * r;
    assert_mass(mass_of(2, points, 1, r), disc, points[0], vec3_make(i, i, 2.0 * i), 1e-14);
    double x = i + bar * r * r / 3.0;
    double y = i + disc * (l * l / 4.0 + 4.0 * r * l / (3.0 * pi)) + bar * l * l / 12.0;
    assert_mass(mass_of(2, points, 2, r), disc + bar, none, vec3_make(x, y, x + y), 1e-14);
    for (int n = 3; n < 40; n++) { /* regular n-gon, centred elsewhere */
        vec3 centre = {2.0, -1.0, 0.0};
        for (int k = 0; k < n; k++)
            points[k] =
                vec3_add(centre, vec3_make(cos(2.0 * pi * k / n), sin(2.0 * pi * k / n), 0.0));
        double area = 0.5 * n * sin(2.0 * pi / n), polar = area / 6.0 * (2.0 + cos(2.0 * pi / n));
        assert_mass(mass_of(2, points, (size_t)n, 0.0), area, centre,
                    vec3_make(0.5 * polar, 0.5 * polar, polar), 1e-13);
        double round = area + 2.0 * n * sin(pi / n) * r + disc; /* Steiner */
        assert_near(mass_of(2, points, (size_t)n, r).volume, round, 1e-14 * round);
    }
}

/* Does the rounded hull hold the point? Nearest point on faces, edges, vertices in turn. */
static double distance_to(const struct convex *c, vec3 p) {
    double best = HUGE_VAL, deepest = -HUGE_VAL;
    for (int32_t f = 0; f < c->face_count; f++) {
        const int32_t *loop = c->loops + c->faces[f].first;
        vec3 normal = c->faces[f].normal;
        double d = vec3_dot(normal, p) - c->faces[f].offset;
        bool over = d > 0.0;
        for (int32_t k = 0, n = c->faces[f].count; k < n && over; k++) {
            vec3 a = c->vertices[loop[k]], b = c->vertices[loop[(k + 1) % n]];
            over = vec3_dot(vec3_cross(normal, vec3_sub(b, a)), vec3_sub(p, a)) >= 0.0;
        }
        if (over) best = fmin(best, d);
        deepest = fmax(deepest, d);
    }
    for (int32_t e = 0; e < c->edge_count && deepest > 0.0; e++) {
        vec3 a = c->vertices[c->edges[e].tail], ab = vec3_sub(c->vertices[c->edges[e].head], a);
        double t = fmin(1.0, fmax(0.0, vec3_dot(vec3_sub(p, a), ab) / vec3_norm2(ab)));
        best = fmin(best, vec3_norm(vec3_sub(p, vec3_add_scaled(a, t, ab))));
    }
    return deepest > 0.0 ? best : 0.0;
}

/* On a cubic lattice of points; cells cut by the surface are shared by a linear ramp across one
 * cell, which leaves an error of second order in the spacing. */
static struct convex_mass mass_by_lattice(const struct convex *c, double spacing) {
    struct convex_mass sum = {0};
    double low = -c->reach - spacing, high = c->reach + spacing, second[3][3] = {{0}};
    for (double x = low; x < high; x += spacing)
        for (double y = low; y < high; y += spacing)
            for (double z = low; z < high; z += spacing) {
                vec3 p = {x, y, z};
                double cell =
                    fmin(1.0, fmax(0.0, 0.5 - (distance_to(c, p) - c->rounding) / spacing));
                sum.volume += cell;
                sum.centre = vec3_add_scaled(sum.centre, cell, p);
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++)
                        second[i][j] += cell * vec3_component(p, i) * vec3_component(p, j);
            }
    sum.centre = vec3_scale(1.0 / sum.volume, sum.centre);
    double volume = spacing * spacing * spacing;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double product = vec3_component(sum.centre, i) * vec3_component(sum.centre, j);
            second[i][j] = volume * (second[i][j] - sum.volume * product);
        }
    double trace = second[0][0] + second[1][1] + second[2][2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) sum.inertia.m[i][j] = (i == j ? trace : 0.0) - second[i][j];
    sum.volume *= volume;
    return sum;
}

static void mass_of_rounded_hull_by_counting(void **state) {
    (void)state;
    struct random random = random_start(1, RANDOM_TEST, 7, 0);
    vec3 points[6];
    struct convex c;
    for (int i = 0; i < 6; i++) points[i] = random_point(&random);
    assert_int_equal(convex_make(&c, 3, points, 6, 0.4, false), CONVEX_OK);
    struct convex_mass exact = convex_mass(&c), counted = mass_by_lattice(&c, 0.04);
    assert_near(exact.volume, counted.volume, 4e-3 * exact.volume);
    for (int i = 0; i < 3; i++) {
        assert_near(vec3_component(exact.centre, i), vec3_component(counted.centre, i), 1e-3);
        for (int j = 0; j < 3; j++)
            assert_near(exact.inertia.m[i][j], counted.inertia.m[i][j],
                        5e-3 * exact.inertia.m[0][0]);
    }
    convex_free(&c);
}

/* Moved and turned shapes have moved and turned mass. */
static void mass_turns_with_the_shape(void **state) {
    (void)state;
    struct random random = random_start(1, RANDOM_TEST, 8, 0);
    vec3 points[20], moved[20], by = {0.3, -0.2, 0.9};
    for (int trial = 0; trial < 100; trial++) {
        size_t n = trial % 10 == 0 ? 3 : 20; /* plates too */
        double angle = uniform(&random, 0.0, 6.0);
        for (size_t i = 0; i < n; i++) {
            points[i] = random_point(&random);
            moved[i] = vec3_add(turned(points[i], angle), by);
        }
        double r = n == 3 ? 0.2 : 0.3 * random_uniform(&random);
        struct convex_mass a = mass_of(3, points, n, r), b = mass_of(3, moved, n, r);
        assert_near(b.volume, a.volume, 1e-13 * a.volume);
        vec3 centre = vec3_add(turned(a.centre, angle), by);
        assert_near(vec3_norm(vec3_sub(b.centre, centre)), 0.0, 1e-13);
        for (int k = 0; k < 6; k++) { /* moments of inertia about axes */
            vec3 axis = random_direction(&random), axis_moved = turned(axis, angle);
            double before = vec3_dot(axis, mat3_apply(&a.inertia, axis));
            double after = vec3_dot(axis_moved, mat3_apply(&b.inertia, axis_moved));
            assert_near(after, before, 1e-13 * (a.inertia.m[0][0] + a.inertia.m[1][1]));
        }
    }
}

static void rounding_adds_no_mass_for_radius_zero(void **state) {
    (void)state;
    struct random random = random_start(1, RANDOM_TEST, 9, 0);
    vec3 points[12];
    for (int i = 0; i < 12; i++) points[i] = random_point(&random);
    struct convex_mass sharp = mass_of(3, points, 12, 0.0), round = mass_of(3, points, 12, 1e-300);
    assert_near(round.volume, sharp.volume, 1e-15);
    assert_near(round.inertia.m[0][1], sharp.inertia.m[0][1], 1e-15);
    vec3 flat[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    struct convex c;
    assert_int_equal(convex_make(&c, 3, flat, 3, 0.0, true), CONVEX_OK);
    assert_true(convex_mass(&c).volume == 0.0);
    convex_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_hulls_are_consistent),
        cmocka_unit_test(nearly_degenerate_hulls_are_consistent),
        cmocka_unit_test(coplanar_facets_become_one_face),
        cmocka_unit_test(points_lines_and_plates),
        cmocka_unit_test(bad_points_are_refused),
        cmocka_unit_test(polygons_are_consistent),
        cmocka_unit_test(flat_polygons),
        cmocka_unit_test(shifting_moves_everything),
        cmocka_unit_test(mass_of_polyhedra),
        cmocka_unit_test(mass_of_spheres_and_capsules),
        cmocka_unit_test(mass_of_rounded_box),
        cmocka_unit_test(mass_of_plane_shapes),
        cmocka_unit_test(mass_of_rounded_hull_by_counting),
        cmocka_unit_test(mass_turns_with_the_shape),
        cmocka_unit_test(rounding_adds_no_mass_for_radius_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
