/* SPDX-License-Identifier: Apache-2.0
 *
 * Common area, centre and line of contact of convex areas, against references in long double that know of no rings: the
 * sides of each are clipped to the other one by one, and the pieces summed up in any order (Green's theorem); for discs
 * triangles and sectors about the centre. Random pairs of sizes 1e-6 to 1e6, and pairs on a small lattice, where sides fall
 * together, corners lie on sides, one lies in the other or they only touch. Then: the area's slope is the line of
 * contact, exchange turns it round, and nothing jumps where corners come and go.
 */
#include <stdlib.h>

#include "base/random.h"
#include "geom/overlap.h"
#include "support.h"

typedef long double real;
enum { MOST = 16, PAIRS = 20000, ROOM = 4 * 2 * MOST + 8 };

struct polygon {
    vec3 x[MOST];
    size_t count;
};

/* ---- reference ----------------------------------------------------------------------------------- */

struct sum {
    real twice, mx, my, nx, ny; /* about an origin of the caller's */
};

/* The part of the side p q inside b, as shares from and to; its weight, half if it lies on a side of b along with it. */
static real clip(vec3 p, vec3 q, const struct polygon *b, real *from, real *to) {
    real weight = 1.0L;
    *from = 0.0L;
    *to = 1.0L;
    for (size_t k = 0; k < b->count; k++) {
        vec3 r = b->x[k], s = b->x[(k + 1) % b->count];
        real dx = (real)s.x - (real)r.x, dy = (real)s.y - (real)r.y;
        real d = dx * ((real)p.y - (real)r.y) - dy * ((real)p.x - (real)r.x);
        real e = dx * ((real)q.y - (real)r.y) - dy * ((real)q.x - (real)r.x);
        if (d < 0.0L && e < 0.0L) return 0.0L;
        if (d == 0.0L && e == 0.0L)
            weight =
                dx * ((real)q.x - (real)p.x) + dy * ((real)q.y - (real)p.y) > 0.0L ? 0.5L : weight;
        if (d < 0.0L) *from = fmaxl(*from, d / (d - e));
        if (e < 0.0L) *to = fminl(*to, d / (d - e));
    }
    return *from < *to ? weight : 0.0L;
}

static void add_sides(struct sum *sum, const struct polygon *a, const struct polygon *b,
                      vec3 origin, real sign) {
    for (size_t k = 0; k < a->count; k++) {
        vec3 p = a->x[k], q = a->x[(k + 1) % a->count];
        real from, to, weight = clip(p, q, b, &from, &to);
        if (weight == 0.0L) continue;
        real px = (real)p.x - (real)origin.x, py = (real)p.y - (real)origin.y;
        real x = (real)q.x - (real)p.x, y = (real)q.y - (real)p.y;
        real ux = px + from * x, uy = py + from * y, vx = px + to * x, vy = py + to * y;
        real part = weight * (ux * vy - uy * vx);
        sum->twice += part;
        sum->mx += part * (ux + vx);
        sum->my += part * (uy + vy);
        if (sign < 0.0L) continue;
        sum->nx += weight * (vy - uy);
        sum->ny -= weight * (vx - ux);
    }
}

static struct sum exact(const struct polygon *a, const struct polygon *b) {
    struct sum sum = {0};
    add_sides(&sum, a, b, b->x[0], 1.0L);
    add_sides(&sum, b, a, b->x[0], -1.0L);
    return sum;
}

/* Triangles and sectors about the centre of the disc. */
static void add_fan(struct sum *sum, real ux, real uy, real vx, real vy, real radius, bool inside) {
    if (inside) {
        real part = ux * vy - uy * vx;
        sum->twice += part;
        sum->mx += part * (ux + vx);
        sum->my += part * (uy + vy);
        sum->nx += vy - uy;
        sum->ny -= vx - ux;
        return;
    }
    real start = atan2l(uy, ux), angle = atan2l(ux * vy - uy * vx, ux * vx + uy * vy);
    real cube = 2.0L * radius * radius * radius;
    sum->twice += radius * radius * angle;
    sum->mx += cube * (sinl(start + angle) - sinl(start));
    sum->my -= cube * (cosl(start + angle) - cosl(start));
}

static struct sum exact_disc(const struct polygon *a, vec3 centre, double radius) {
    struct sum sum = {0};
    for (size_t k = 0; k < a->count; k++) {
        vec3 p = a->x[k], q = a->x[(k + 1) % a->count];
        real px = (real)p.x - (real)centre.x, py = (real)p.y - (real)centre.y;
        real x = (real)q.x - (real)p.x, y = (real)q.y - (real)p.y, r = (real)radius;
        real length2 = x * x + y * y, foot = -(px * x + py * y) / length2;
        real height = (px * y - py * x), rest = r * r - height * height / length2;
        real half = rest > 0.0L ? sqrtl(rest / length2) : 0.0L;
        real cuts[4] = {0.0L, fminl(fmaxl(foot - half, 0.0L), 1.0L),
                        fminl(fmaxl(foot + half, 0.0L), 1.0L), 1.0L};
        for (int piece = 0; piece < 3; piece++)
            if (cuts[piece] < cuts[piece + 1])
                add_fan(&sum, px + cuts[piece] * x, py + cuts[piece] * y, px + cuts[piece + 1] * x,
                        py + cuts[piece + 1] * y, r, piece == 1);
    }
    return sum;
}

/* ---- pairs --------------------------------------------------------------------------------------- */

static double between(struct random *random, double low, double high) {
    return low + (high - low) * random_uniform(random);
}

/* Corners on an ellipse, in order. */
static struct polygon draw_free(struct random *random, double size, vec3 at) {
    struct polygon out = {.count = 3 + (size_t)between(random, 0.0, 8.0)};
    double flat = pow(20.0, -random_uniform(random)), turn = between(random, 0.0, 7.0);
    for (size_t k = 0; k < out.count; k++) {
        double angle =
            6.283185307179586 * ((double)k + between(random, 0.05, 0.95)) / (double)out.count;
        double x = size * cos(angle), y = size * flat * sin(angle);
        out.x[k] = vec3_make(at.x + cos(turn) * x - sin(turn) * y,
                             at.y + sin(turn) * x + cos(turn) * y, 0.0);
    }
    return out;
}

/* Rectangles, triangles and cut rectangles with corners at whole numbers. */
static struct polygon draw_lattice(struct random *random, double size) {
    double x = floor(between(random, 0.0, 4.0)), y = floor(between(random, 0.0, 4.0));
    double a = 1.0 + floor(between(random, 0.0, 4.0)), b = 1.0 + floor(between(random, 0.0, 4.0));
    struct polygon out = {{{x, y, 0}, {x + a, y, 0}, {x + a, y + b, 0}, {x, y + b, 0}}, 4};
    size_t drop = (size_t)between(random, 0.0, 8.0);
    if (drop < 4) {
        for (size_t k = drop; k < 3; k++) out.x[k] = out.x[k + 1];
        out.count = 3;
    }
    for (size_t k = 0; k < out.count; k++) out.x[k] = vec3_scale(size, out.x[k]);
    return out;
}

static double extent(const struct polygon *a, vec3 from) {
    double far = 0.0;
    for (size_t k = 0; k < a->count; k++) far = fmax(far, vec3_norm(vec3_sub(a->x[k], from)));
    return far;
}

/* Corners are known to rounding of the largest coordinate, so an area to that times its outline; a centre to what moves
 * that much, which for thin areas is more. `grazing`: m, further doubt of the line of contact. */
static void compare(const struct overlap *found, bool touches, const struct sum *reference,
                    double size, double outline, double grazing, vec3 origin) {
    double rounding = 1e-15 * size, area = 0.5 * (double)reference->twice;
    if (!touches) {
        assert_true(area <= 8.0 * rounding * outline);
        return;
    }
    assert_near(found->area, area, 8.0 * rounding * outline);
    assert_near(found->contact.x, (double)reference->nx,
                32.0 * rounding + 1e-12 * outline + grazing);
    assert_near(found->contact.y, (double)reference->ny,
                32.0 * rounding + 1e-12 * outline + grazing);
    if (area < 1e4 * rounding * outline) return; /* no centre to speak of */
    double doubt = 32.0 * rounding * (1.0 + outline * outline / area);
    assert_near(found->centre.x - origin.x, (double)(reference->mx / (3.0L * reference->twice)),
                doubt);
    assert_near(found->centre.y - origin.y, (double)(reference->my / (3.0L * reference->twice)),
                doubt);
}

static void check_pair(const struct polygon *a, const struct polygon *b) {
    struct overlap_corner scratch[ROOM];
    struct overlap one = {0}, other = {0};
    vec3 zero = vec3_zero();
    bool touches = overlap_polygons(a->x, a->count, b->x, b->count, zero, scratch, &one);
    struct sum reference = exact(a, b);
    double size = fmax(extent(a, zero), extent(b, zero));
    double outline = 8.0 * fmin(extent(a, a->x[0]), extent(b, b->x[0]));
    compare(&one, touches, &reference, size, outline, 0.0, b->x[0]);
    bool again = overlap_polygons(b->x, b->count, a->x, a->count, zero, scratch, &other);
    if (!touches || !again) return;
    assert_near(other.area, one.area, 16e-15 * size * outline);
    assert_near(other.contact.x, -one.contact.x, 1e-12 * outline + 64e-15 * size);
    assert_near(other.contact.y, -one.contact.y, 1e-12 * outline + 64e-15 * size);
}

static void test_random_pairs(void **state) {
    (void)state;
    struct random random = random_start(11, RANDOM_TEST, 0, 0);
    int touching = 0;
    for (int k = 0; k < PAIRS; k++) {
        double size = pow(10.0, between(&random, -6.0, 6.0));
        double other = size * pow(10.0, between(&random, -2.0, 0.0));
        vec3 at =
            vec3_make(size * between(&random, -1.0, 1.0), size * between(&random, -1.0, 1.0), 0);
        struct polygon a = draw_free(&random, size, vec3_zero()), b = draw_free(&random, other, at);
        check_pair(&a, &b);
        touching += exact(&a, &b).twice > 0.0L;
    }
    assert_true(touching > PAIRS / 5);
}

static void test_lattice_pairs(void **state) {
    (void)state;
    struct random random = random_start(12, RANDOM_TEST, 0, 0);
    for (int k = 0; k < PAIRS; k++) {
        double size = pow(10.0, floor(between(&random, -6.0, 6.99)));
        struct polygon a = draw_lattice(&random, size), b = draw_lattice(&random, size);
        check_pair(&a, &b);
    }
}

static void test_random_discs(void **state) {
    (void)state;
    struct random random = random_start(13, RANDOM_TEST, 0, 0);
    struct overlap_corner scratch[ROOM];
    int touching = 0;
    for (int k = 0; k < PAIRS; k++) {
        double size = pow(10.0, between(&random, -6.0, 6.0));
        double radius = size * pow(10.0, between(&random, -1.5, 1.0)), far = size + radius;
        vec3 at =
            vec3_make(far * between(&random, -1.0, 1.0), far * between(&random, -1.0, 1.0), 0);
        struct polygon a = draw_free(&random, size, vec3_zero());
        struct overlap found = {0};
        bool touches = overlap_disc(a.x, a.count, at, radius, scratch, &found);
        struct sum reference = exact_disc(&a, at, radius);
        touching += touches;
        compare(&found, touches, &reference, far, 8.0 * fmin(radius, size), 0.0, at);
    }
    assert_true(touching > PAIRS / 5);
}

/* Corners on the circle to the last bit (3, 4, 5), sides that touch it, one in the other. */
static void test_lattice_discs(void **state) {
    (void)state;
    struct random random = random_start(15, RANDOM_TEST, 0, 0);
    struct overlap_corner scratch[ROOM];
    for (int k = 0; k < PAIRS; k++) {
        double size = pow(10.0, floor(between(&random, -6.0, 6.99)));
        struct polygon a = draw_lattice(&random, size);
        double radius = size * floor(between(&random, 1.0, 6.0));
        vec3 at = vec3_make(size * floor(between(&random, -3.0, 10.0)),
                            size * floor(between(&random, -3.0, 10.0)), 0.0);
        struct overlap found = {0};
        bool touches = overlap_disc(a.x, a.count, at, radius, scratch, &found);
        struct sum reference = exact_disc(&a, at, radius);
        /* A side that is 1e-15 r deep in the circle by rounding cuts off a chord of 2 sqrt(2e-15) r. */
        double grazing = 2.0 * sqrt(2e-15) * radius;
        compare(&found, touches, &reference, 12.0 * size, 8.0 * fmin(radius, 6.0 * size), grazing,
                at);
    }
}

/* ---- by hand ------------------------------------------------------------------------------------- */

static const struct polygon square = {{{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}}, 4};

static struct overlap meet(const struct polygon *a, const struct polygon *b, vec3 shift,
                           bool *touches) {
    struct overlap_corner scratch[ROOM];
    struct overlap out = {0};
    *touches = overlap_polygons(a->x, a->count, b->x, b->count, shift, scratch, &out);
    return out;
}

static void assert_overlap(const struct overlap *found, double area, vec3 centre, vec3 contact) {
    assert_near(found->area, area, 1e-15 * 8);
    assert_near(found->centre.x, centre.x, 1e-15 * 8);
    assert_near(found->centre.y, centre.y, 1e-15 * 8);
    assert_near(found->contact.x, contact.x, 1e-15 * 8);
    assert_near(found->contact.y, contact.y, 1e-15 * 8);
}

static void test_known(void **state) {
    (void)state;
    bool touches;
    struct overlap found = meet(&square, &square, vec(1.5, 0.5, 0), &touches);
    assert_true(touches); /* corner in corner: the line from (1.5, 2) to (2, 0.5) */
    assert_overlap(&found, 0.75, vec(1.75, 1.25, 0), vec(1.5, 0.5, 0));
    found = meet(&square, &square, vec(1.75, 0.0, 0),
                 &touches); /* side in side, sides above and below in line */
    assert_overlap(&found, 0.5, vec(1.875, 1.0, 0), vec(2.0, 0.0, 0));
    struct polygon diamond = {{{-1, 0, 0}, {0, -1, 0}, {1, 0, 0}, {0, 1, 0}}, 4};
    found = meet(&square, &diamond, vec(2.5, 1.0, 0), &touches); /* corner in side */
    assert_overlap(&found, 0.25, vec(2.0 - 0.5 / 3.0, 1.0, 0), vec(1.0, 0.0, 0));
    found = meet(&square, &diamond, vec(1.0, 1.0, 0),
                 &touches); /* four corners on four sides: contained */
    assert_overlap(&found, 2.0, vec(1.0, 1.0, 0), vec(0.0, 0.0, 0));
    struct polygon bar = {{{-3, -0.25, 0}, {3, -0.25, 0}, {3, 0.25, 0}, {-3, 0.25, 0}}, 4};
    found = meet(&square, &bar, vec(1.0, 1.0, 0),
                 &touches); /* a cross: four crossings, no preferred side */
    assert_overlap(&found, 1.0, vec(1.0, 1.0, 0), vec(0.0, 0.0, 0));
    meet(&square, &square, vec(2.0, 0.3, 0), &touches);
    assert_false(touches); /* side on side */
    meet(&square, &square, vec(2.0, 2.0, 0), &touches);
    assert_false(touches);
    meet(&square, &diamond, vec(3.0, 1.0, 0), &touches);
    assert_false(touches);
}

static void test_walls(void **state) {
    (void)state;
    struct overlap_corner scratch[ROOM];
    struct overlap found = {0};
    struct overlap_line below = {0, 0.5, -1, 0}, plate[3];
    assert_true(overlap_lines(square.x, 4, &below, 1, scratch, &found));
    assert_overlap(&found, 1.0, vec(1.0, 0.25, 0), vec(0.0, -2.0, 0));
    below.y = 0.0;
    assert_false(overlap_lines(square.x, 4, &below, 1, scratch, &found));
    overlap_plate(vec(-1, 0.5, 0), vec(3, 0.5, 0), true, plate); /* all across, seen from above */
    assert_true(overlap_lines(square.x, 4, plate, 3, scratch, &found));
    assert_overlap(&found, 1.0, vec(1.0, 0.25, 0), vec(0.0, -2.0, 0));
    overlap_plate(vec(3, 0.5, 0), vec(-1, 0.5, 0), false, plate);
    assert_true(overlap_lines(square.x, 4, plate, 3, scratch, &found));
    assert_overlap(&found, 1.0, vec(1.0, 0.25, 0), vec(0.0, -2.0, 0));
    overlap_plate(vec(1.9, 0.5, 0), vec(5, 0.5, 0), true, plate); /* its end: pushes aside, too */
    assert_true(overlap_lines(square.x, 4, plate, 3, scratch, &found));
    assert_overlap(&found, 0.05, vec(1.95, 0.25, 0), vec(0.5, -0.1, 0));
    assert_near(overlap_polygon_area(square.x, 4), 4.0, 1e-15);
}

/* ---- slope and continuity ------------------------------------------------------------------------ */

/* The area's slope by central differences along x and y, on the moved one: -N. */
static void test_slope(void **state) {
    (void)state;
    struct random random = random_start(14, RANDOM_TEST, 0, 0);
    struct overlap_corner scratch[ROOM];
    for (int k = 0; k < 500; k++) {
        vec3 at = vec3_make(between(&random, -1.0, 1.0), between(&random, -1.0, 1.0), 0.0);
        struct polygon a = draw_free(&random, 1.0, vec3_zero()), b = draw_free(&random, 1.0, at);
        const double h = 1e-5;
        bool touches;
        struct overlap here = meet(&a, &b, vec3_zero(), &touches), sides[4];
        if (!touches || here.area < 0.05) continue;
        for (int way = 0; way < 4; way++)
            sides[way] = meet(
                &a, &b, vec(way < 2 ? h - 2 * h * way : 0, way > 1 ? 5 * h - 2 * h * way : 0, 0),
                &touches);
        /* the area is quadratic but where a corner passes: there the slope has a kink */
        assert_near((sides[0].area - sides[1].area) / (2 * h), -here.contact.x, 1e-4);
        assert_near((sides[2].area - sides[3].area) / (2 * h), -here.contact.y, 1e-4);
        struct overlap disc = {0}, disc_sides[2];
        if (!overlap_disc(a.x, a.count, at, 0.7, scratch, &disc) || disc.area < 0.05) continue;
        for (int way = 0; way < 2; way++)
            overlap_disc(a.x, a.count, vec3_add(at, vec(h - 2 * h * way, 0, 0)), 0.7, scratch,
                         &disc_sides[way]);
        assert_near((disc_sides[0].area - disc_sides[1].area) / (2 * h), -disc.contact.x, 1e-4);
    }
}

/* Along a way on which corners come and go: steps of the way give steps of everything. Sides are at least 0.1 rad from
 * parallel, so the crossings run at most about ten times as fast; parallel sides in line would be a kink of the area. */
static void test_continuity(void **state) {
    (void)state;
    struct polygon hexagon = {.count = 6};
    const double h = 1e-4;
    for (int k = 0; k < 6; k++)
        hexagon.x[k] = vec(cos(1.0471975511965976 * k + 0.1), sin(1.0471975511965976 * k + 0.1), 0);
    struct overlap last = {0};
    bool touches, touched = false;
    int seen = 0;
    for (double s = -1.9; s < 1.9; s += h, touched = touches) {
        struct overlap now = meet(&square, &hexagon, vec(2.2 + 0.1 * s, 1.0 + s, 0), &touches);
        vec3 step = vec3_sub(now.contact, last.contact), moved = vec3_sub(now.centre, last.centre);
        seen += touches;
        if (touches && touched) {
            assert_true(fabs(now.area - last.area) <= 2.0 * h);
            assert_true(vec3_norm(step) <= 25.0 * h);
            if (now.area > 1e-3) assert_true(vec3_norm(moved) <= 25.0 * h);
        }
        last = now;
    }
    assert_true(seen > 20000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_pairs), cmocka_unit_test(test_lattice_pairs),
        cmocka_unit_test(test_random_discs), cmocka_unit_test(test_lattice_discs),
        cmocka_unit_test(test_known),        cmocka_unit_test(test_walls),
        cmocka_unit_test(test_slope),        cmocka_unit_test(test_continuity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
