/* SPDX-License-Identifier: Apache-2.0
 * Outer surfaces of columns: which points they go through, that they close, that nothing is outside. */
#include "geom/outline.h"

#include "support.h"

enum { MOST = 4000 };

static double dice(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) * 0x1p-53;
}

static struct outline_column column_of(const vec3 *points, size_t count, double height) {
    return (struct outline_column){points, count, height, 1.0, 0.5};
}

static bool uses(const struct outline *outline, int corners, int32_t point) {
    for (size_t e = 0; e < outline->count; e++)
        for (int k = 0; k < corners; k++)
            if (outline->elements[e].corner[k] == point && outline->elements[e].mirror[k] == 0)
                return true;
    return false;
}

/* ---- in the plane ---------------------------------------------------------------------------- */

/* Five columns of ten points; every outer one is a corner, no inner one. */
static void test_straight_sides(void **state) {
    (void)state;
    vec3 points[50];
    for (int i = 0; i < 50; i++) points[i] = vec3_make(i % 5 - 2.0, 0.0, i / 5 + 0.5);
    struct outline_column column = column_of(points, 50, 10.0);
    struct outline outline;
    assert_int_equal(outline_chains(&column, &outline), OUTLINE_OK);
    assert_int_equal(outline.count, 2 * 11); /* nine between points and two at plates, each side */
    for (int i = 0; i < 50; i++) assert_int_equal(uses(&outline, 2, i), i % 5 == 0 || i % 5 == 4);
    outline_free(&outline);
}

/* A gap as wide as a grain is followed to the grain behind it; a grain out of line belongs to it too. */
static void test_dent_and_bump(void **state) {
    (void)state;
    vec3 points[50];
    for (int i = 0; i < 50; i++) points[i] = vec3_make(i % 5 - 2.0, 0.0, i / 5 + 0.5);
    points[24] = vec3_make(0.5, 0.0, 5.0); /* away from the right side */
    points[23].x = 1.13;                   /* as deep as in a hexagonal packing */
    points[39].x = 3.2;
    struct outline_column column = column_of(points, 50, 10.0);
    struct outline outline;
    assert_int_equal(outline_chains(&column, &outline), OUTLINE_OK);
    assert_true(uses(&outline, 2, 23) && uses(&outline, 2, 39) && !uses(&outline, 2, 24));
    outline_free(&outline);
}

static vec3 corner_of(const struct outline_column *column, const struct outline_element *element,
                      int k) {
    vec3 p = column->points[element->corner[k]];
    if (element->mirror[k] == OUTLINE_BELOW) p.z = -p.z;
    if (element->mirror[k] == OUTLINE_ABOVE) p.z = 2.0 * column->height - p.z;
    return p;
}

/* Every height between the plates is covered once on each side, and no point lies outside. */
static void test_random_columns_in_the_plane(void **state) {
    (void)state;
    static vec3 points[400];
    uint64_t seed = 7;
    for (int run = 0; run < 200; run++) {
        for (int i = 0; i < 400; i++)
            points[i] = vec3_make(10.0 * dice(&seed) - 5.0, 0.0, 20.0 * dice(&seed));
        struct outline_column column = column_of(points, 400, 20.0);
        struct outline outline;
        assert_int_equal(outline_chains(&column, &outline), OUTLINE_OK);
        for (int i = 0; i < 400; i++) {
            int sides[2] = {0, 0};
            for (size_t e = 0; e < outline.count; e++) {
                vec3 a = corner_of(&column, &outline.elements[e], 0);
                vec3 b = corner_of(&column, &outline.elements[e], 1);
                bool right = b.z > a.z;
                if ((points[i].z - a.z) * (points[i].z - b.z) > 0.0) continue;
                double x = a.x + (b.x - a.x) * (points[i].z - a.z) / (b.z - a.z);
                assert_true(right ? points[i].x <= x + 1e-9 : points[i].x >= x - 1e-9);
                sides[right]++;
            }
            assert_true(sides[0] >= 1 && sides[0] <= 2 && sides[1] >= 1 && sides[1] <= 2);
        }
        outline_free(&outline);
    }
}

/* ---- in space --------------------------------------------------------------------------------- */

static double volume_of(const struct outline_column *column, const struct outline *outline) {
    double volume = 0.0;
    for (size_t e = 0; e < outline->count; e++) {
        const struct outline_element *element = &outline->elements[e];
        vec3 x[3], centre = vec3_zero();
        double weight = 1.0;
        for (int k = 0; k < 3; k++) {
            x[k] = corner_of(column, element, k);
            centre = vec3_add_scaled(centre, 1.0 / 3.0, x[k]);
            if (element->mirror[k] != OUTLINE_AS_IS) weight = 0.5;
        }
        centre.z = 0.0;
        vec3 area = vec3_scale(0.5, vec3_cross(vec3_sub(x[1], x[0]), vec3_sub(x[2], x[0])));
        volume += 0.5 * weight * vec3_dot(centre, area);
    }
    return volume;
}

/* Rings on top of each other, where every square could be cut either way: a prism. */
static void test_prism(void **state) {
    (void)state;
    const double pi = 3.141592653589793;
    for (int around = 5; around < 30; around += 3) {
        vec3 points[400];
        double radius = 0.5 / sin(pi / around);
        for (int i = 0; i < 8 * around; i++) {
            double angle = 2.0 * pi * (i % around) / around;
            points[i] = vec3_make(radius * cos(angle), radius * sin(angle), i / around + 0.5);
        }
        struct outline_column column = column_of(points, (size_t)(8 * around), 8.0);
        struct outline outline;
        assert_int_equal(outline_tube(&column, &outline), OUTLINE_OK);
        assert_int_equal(outline.count, 2 * around * 7 + 4 * around);
        double area = 0.5 * around * radius * radius * sin(2.0 * pi / around);
        assert_near(volume_of(&column, &outline), 8.0 * area, 1e-12 * area);
        outline_free(&outline);
    }
}

/* Where the ray from the axis through p meets the triangle; negative: nowhere. */
static double ray_length(const struct outline_column *column, const struct outline_element *element,
                         vec3 p) {
    vec3 x[3], d = vec3_make(p.x, p.y, 0.0), from = vec3_make(0.0, 0.0, p.z);
    for (int k = 0; k < 3; k++) x[k] = vec3_sub(corner_of(column, element, k), from);
    vec3 n = vec3_cross(vec3_sub(x[1], x[0]), vec3_sub(x[2], x[0]));
    double slope = vec3_dot(n, d), t = vec3_dot(n, x[0]) / slope;
    if (fabs(slope) < 1e-14 || t <= 0.0) return -1.0;
    vec3 hit = vec3_scale(t, d);
    for (int k = 0; k < 3; k++) {
        vec3 side = vec3_cross(vec3_sub(x[(k + 1) % 3], x[k]), vec3_sub(hit, x[k]));
        if (vec3_dot(side, n) < -1e-9 * vec3_norm2(n)) return -1.0;
    }
    return t; /* in distances of p from the axis */
}

static size_t random_column(vec3 *points, double radius, double height, uint64_t *seed) {
    size_t count = (size_t)(0.8 * 3.14 * radius * radius * height);
    for (size_t i = 0; i < count; i++) {
        double r = radius * sqrt(dice(seed)), angle = 6.2832 * dice(seed);
        points[i] = vec3_make(r * cos(angle), r * sin(angle), 0.3 + (height - 0.6) * dice(seed));
    }
    return count;
}

/* Loose random points are far rougher than any packing; one is thrown out of the side in addition. */
static void test_random_columns_in_space(void **state) {
    (void)state;
    static vec3 points[MOST];
    uint64_t seed = 3;
    for (int run = 0; run < 60; run++) {
        double radius = 2.5 + 0.05 * run, height = 4.0 + 0.2 * run;
        size_t count = random_column(points, radius, height, &seed);
        assert_true(count <= MOST);
        points[0] = vec3_make(radius + 2.0, 0.1, 0.5 * height);
        struct outline_column column = column_of(points, count, height);
        struct outline outline;
        assert_int_equal(outline_tube(&column, &outline), OUTLINE_OK);
        assert_true(uses(&outline, 3, 0));
        for (size_t i = 0; i < count; i += 7) {
            double farthest = -1.0;
            for (size_t e = 0; e < outline.count; e++)
                farthest = fmax(farthest, ray_length(&column, &outline.elements[e], points[i]));
            assert_true(farthest >= 1.0 - 1e-9);
        }
        outline_free(&outline);
    }
}

/* The seam is nowhere: a column that is turned has the same surface. */
static void test_turned_column(void **state) {
    (void)state;
    static vec3 points[MOST], turned[MOST];
    uint64_t seed = 11;
    size_t count = random_column(points, 4.0, 8.0, &seed);
    struct outline first, second;
    for (size_t i = 0; i < count; i++)
        turned[i] = vec3_make(0.6 * points[i].x - 0.8 * points[i].y,
                              0.8 * points[i].x + 0.6 * points[i].y, points[i].z);
    struct outline_column column = column_of(points, count, 8.0),
                          other = column_of(turned, count, 8.0);
    assert_int_equal(outline_tube(&column, &first), OUTLINE_OK);
    assert_int_equal(outline_tube(&other, &second), OUTLINE_OK);
    assert_int_equal(first.count, second.count);
    assert_near(volume_of(&column, &first), volume_of(&other, &second), 1e-9);
    outline_free(&first);
    outline_free(&second);
}

static void test_too_few(void **state) {
    (void)state;
    const vec3 points[6] = {{1, 0, 1}, {-1, 0, 1}, {1, 0.1, 2}, {-1, 0, 2}, {0, 1, 1}, {0, -1, 1}};
    struct outline outline;
    struct outline_column column = column_of(points, 2, 3.0);
    assert_int_equal(outline_chains(&column, &outline), OUTLINE_THIN);
    assert_int_equal(outline_tube(&column, &outline), OUTLINE_THIN);
    column.count = 4; /* nothing goes around these */
    assert_int_not_equal(outline_tube(&column, &outline), OUTLINE_OK);
    assert_null(outline.elements);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight_sides),
        cmocka_unit_test(test_dent_and_bump),
        cmocka_unit_test(test_random_columns_in_the_plane),
        cmocka_unit_test(test_prism),
        cmocka_unit_test(test_random_columns_in_space),
        cmocka_unit_test(test_turned_column),
        cmocka_unit_test(test_too_few),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
