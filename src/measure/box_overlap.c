/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/box_overlap.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* ---- the plane: a unit disc, x > a, y > b -------------------------------------------------------- */

/* sqrt(1 - a^2 - b^2), the same bits for (b, a): near zero its error is large, and only drops out of the sums below if it is the
 * same everywhere. */
static double root(double a, double b) {
    return sqrt(fmax(1.0 - (a * a + b * b), 0.0));
}

/* Beyond one line. */
static double segment(double a) {
    if (a >= 1.0) return 0.0;
    if (a <= -1.0) return pi;
    double s = root(a, 0.0);
    return atan2(s, a) - a * s;
}

static double flat_corner(double a, double b) {
    if (a < 0.0) return segment(b) - (a > -1.0 ? flat_corner(-a, b) : 0.0);
    if (b < 0.0) return segment(a) - (b > -1.0 ? flat_corner(a, -b) : 0.0);
    if (a * a + b * b >= 1.0) return 0.0;
    double s = root(a, 0.0), t = root(b, 0.0);
    double arc = atan2(s, a) - atan2(b, t);
    return 0.5 * (arc - a * (s - b) - b * (t - a));
}

/* ---- space: a unit ball, x > a, y > b, z > c ----------------------------------------------------- */

/* Beyond one plane. */
static double cap(double a) {
    if (a >= 1.0) return 0.0;
    if (a <= -1.0) return 4.0 / 3.0 * pi;
    return pi / 3.0 * (1.0 - a) * (1.0 - a) * (2.0 + a);
}

/* The flat face x = a and its round edge: (area, angle phi_a). */
static double face(double a, double b, double c, double *phi) {
    double s_ab = root(a, b), s_ac = root(a, c);
    *phi = atan2(s_ab, b) - atan2(c, s_ac);
    return 0.5 * ((1.0 - a * a) * *phi - b * (s_ab - c) - c * (s_ac - b));
}

/* a, b, c >= 0, and the corner lies in the ball. */
static double inner_corner(double a, double b, double c) {
    double phi_a, phi_b, phi_c;
    double area_a = face(a, b, c, &phi_a), area_b = face(b, c, a, &phi_b),
           area_c = face(c, a, b, &phi_c);
    double outer =
        atan2(root(a, b), -a * b) + atan2(root(b, c), -b * c) + atan2(root(c, a), -c * a);
    double round = 2.0 * pi - (a * phi_a + b * phi_b + c * phi_c) - outer;
    return (round - a * area_a - b * area_b - c * area_c) / 3.0;
}

/* Beyond two planes at right angles. */
static double wedge(double a, double b) {
    if (a < 0.0) return cap(b) - (a > -1.0 ? wedge(-a, b) : 0.0);
    if (b < 0.0) return cap(a) - (b > -1.0 ? wedge(a, -b) : 0.0);
    if (a * a + b * b >= 1.0) return 0.0;
    return 2.0 * inner_corner(0.0, a, b);
}

static double corner(double a, double b, double c) {
    if (a < 0.0) return wedge(b, c) - (a > -1.0 ? corner(-a, b, c) : 0.0);
    if (b < 0.0) return wedge(a, c) - (b > -1.0 ? corner(a, -b, c) : 0.0);
    if (c < 0.0) return wedge(a, b) - (c > -1.0 ? corner(a, b, -c) : 0.0);
    if (a * a + b * b + c * c >= 1.0) return 0.0;
    return inner_corner(a, b, c);
}

/* ---- boxes ----------------------------------------------------------------------------------- */

/* Is the farthest point of the box inside the unit ball? */
static bool box_is_inside(const double low[3], const double high[3], int dim) {
    double far = 0.0;
    for (int axis = 0; axis < dim; axis++) {
        double x = fmax(fabs(low[axis]), fabs(high[axis]));
        far += x * x;
    }
    return far <= 1.0;
}

static double corners_of_disc(const double low[3], const double high[3]) {
    return (flat_corner(low[0], low[1]) - flat_corner(high[0], low[1])) -
           (flat_corner(low[0], high[1]) - flat_corner(high[0], high[1]));
}

static double corners_of_ball(const double low[3], const double high[3]) {
    double sum = 0.0;
    for (int upper = 0; upper < 8; upper++) {
        double x = upper & 1 ? high[0] : low[0], y = upper & 2 ? high[1] : low[1],
               z = upper & 4 ? high[2] : low[2];
        if (x >= 1.0 || y >= 1.0 || z >= 1.0) continue;
        int sides = (upper & 1) + (upper >> 1 & 1) + (upper >> 2 & 1);
        sum += (sides % 2 == 0 ? 1.0 : -1.0) * corner(x, y, z);
    }
    return sum;
}

double box_overlap(const struct axis_box *box, int dim, vec3 centre, double radius) {
    double low[3], high[3], scale = 1.0, inside = 1.0;
    bool whole = true;
    for (int axis = 0; axis < dim; axis++) {
        double x = vec3_component(centre, axis);
        low[axis] = fmax(-1.0, (box->low[axis] - x) / radius);
        high[axis] = fmin(1.0, (box->high[axis] - x) / radius);
        if (low[axis] >= high[axis]) return 0.0;
        whole = whole && low[axis] <= -1.0 && high[axis] >= 1.0;
        scale *= radius;
        inside *= high[axis] - low[axis];
    }
    if (dim == 1) return scale * inside;
    if (whole) return scale * (dim == 2 ? pi : 4.0 / 3.0 * pi);
    if (box_is_inside(low, high, dim)) return scale * inside;
    double part = dim == 2 ? corners_of_disc(low, high) : corners_of_ball(low, high);
    return scale * fmax(part, 0.0);
}

double box_line_share(const struct axis_box *box, int dim, vec3 from, vec3 branch) {
    double start = 0.0, end = 1.0;
    for (int axis = 0; axis < dim; axis++) {
        double x = vec3_component(from, axis), l = vec3_component(branch, axis);
        if (l == 0.0) {
            if (!(x >= box->low[axis] && x < box->high[axis])) return 0.0;
            continue;
        }
        double enter = ((l > 0.0 ? box->low[axis] : box->high[axis]) - x) / l;
        double leave = ((l > 0.0 ? box->high[axis] : box->low[axis]) - x) / l;
        start = fmax(start, enter);
        end = fmin(end, leave);
    }
    return fmax(end - start, 0.0);
}

/* ---- with images ----------------------------------------------------------------------------- */

double snapshot_overlap(const struct snapshot *snapshot, size_t grain, const struct axis_box *box) {
    bool round = snapshot_is_round(snapshot, grain);
    double radius = snapshot->radius[grain], r = round ? radius : 0.0, sum = 0.0;
    vec3 at = snapshot->position[grain];
    struct shifts shifts = snapshot_shifts(snapshot, box, vec3_make(at.x - r, at.y - r, at.z - r),
                                           vec3_make(at.x + r, at.y + r, at.z + r));
    int shift[3];
    FOR_EACH_SHIFT(shifts, shift) {
        vec3 image = snapshot_shifted(snapshot, at, shift);
        if (round)
            sum += box_overlap(box, snapshot->dim, image, radius);
        else if (box_holds(box, snapshot->dim, image))
            sum += snapshot->volume[grain];
    }
    return sum;
}

double snapshot_line_share(const struct snapshot *snapshot, const struct snapshot_contact *contact,
                           const struct axis_box *box) {
    vec3 from = contact->from, to = vec3_add(from, contact->branch);
    vec3 low = vec3_make(fmin(from.x, to.x), fmin(from.y, to.y), fmin(from.z, to.z));
    vec3 high = vec3_make(fmax(from.x, to.x), fmax(from.y, to.y), fmax(from.z, to.z));
    struct shifts shifts = snapshot_shifts(snapshot, box, low, high);
    int shift[3];
    double sum = 0.0;
    FOR_EACH_SHIFT(shifts, shift)
    sum += box_line_share(box, snapshot->dim, snapshot_shifted(snapshot, from, shift),
                          contact->branch);
    return sum;
}
