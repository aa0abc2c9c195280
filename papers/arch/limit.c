/* SPDX-License-Identifier: Apache-2.0
 *
 * Limit analysis, after Heyman, of an arch whose stones do not slide. A mechanism is three rigid
 * parts between four hinges A, B, C, D, the first and the last of which are on parts that do not
 * move. The first part turns about A, the last about D, the middle one about the point O in which
 * AB and DC meet. With rates w1, w2, w3 the hinges hold together if
 *
 *   w1 (B - A) = w2 (B - O),    w2 (C - O) = w3 (C - D),
 *
 * and it is possible if no joint closes further: counter-clockwise along the arch, the rate must
 * rise at a hinge on the inside (the outside opens) and fall at one on the outside. The arch falls
 * if weight and a horizontal acceleration together do positive work in some such mechanism, and
 * stands if they do not: a motion with more hinges is a sum of motions with four.
 */
#include <math.h>

#include "papers/arch/arch.h"

static const double pi = 3.141592653589793;

struct point {
    double x, y;
};

/* Ends of the joints, and areas and their first moments summed up to them. */
struct plan {
    struct point end[ARCH_STONES + 1][2];
    double area[ARCH_STONES + 1], area_x[ARCH_STONES + 1], area_y[ARCH_STONES + 1];
};

void arch_corners(const struct arch *arch, int stone, talus_vec3 out[4]) {
    double inner = 1.0 - 0.5 * arch->thickness, outer = 1.0 + 0.5 * arch->thickness;
    double from = stone * pi / arch->stones, to = (stone + 1) * pi / arch->stones;
    out[0] = (talus_vec3){inner * cos(from), inner * sin(from), 0};
    out[1] = (talus_vec3){outer * cos(from), outer * sin(from), 0};
    out[2] = (talus_vec3){outer * cos(to), outer * sin(to), 0};
    out[3] = (talus_vec3){inner * cos(to), inner * sin(to), 0};
}

static void add_stone(struct plan *plan, int stone, const talus_vec3 corner[4]) {
    double area = 0.0, area_x = 0.0, area_y = 0.0;
    for (int k = 0; k < 4; k++) {
        talus_vec3 a = corner[k], b = corner[(k + 1) % 4];
        double triangle = 0.5 * (a.x * b.y - b.x * a.y);
        area += triangle;
        area_x += triangle * (a.x + b.x) / 3.0;
        area_y += triangle * (a.y + b.y) / 3.0;
    }
    plan->area[stone + 1] = plan->area[stone] + area;
    plan->area_x[stone + 1] = plan->area_x[stone] + area_x;
    plan->area_y[stone + 1] = plan->area_y[stone] + area_y;
}

static void draw_plan(const struct arch *arch, struct plan *plan) {
    plan->area[0] = plan->area_x[0] = plan->area_y[0] = 0.0;
    for (int i = 0; i < arch->stones; i++) {
        talus_vec3 corner[4];
        arch_corners(arch, i, corner);
        add_stone(plan, i, corner);
        for (int side = 0; side < 2; side++) {
            plan->end[i][side] = (struct point){corner[side].x, corner[side].y};
            plan->end[i + 1][side] = (struct point){corner[3 - side].x, corner[3 - side].y};
        }
    }
}

static double dot(struct point a, struct point b) {
    return a.x * b.x + a.y * b.y;
}

static double cross(struct point a, struct point b) {
    return a.x * b.y - a.y * b.x;
}

static struct point minus(struct point a, struct point b) {
    return (struct point){a.x - b.x, a.y - b.y};
}

/* The three parts, each with its rate and its centre. */
struct motion {
    double rate[3];
    struct point centre[3];
};

/* False: AB and CD are parallel, so that the middle part would not turn. Among stones with joints
 * in general position this does not decide anything: the neighbours need as little. */
static bool join(const struct point hinge[4], struct motion *out) {
    struct point first = minus(hinge[1], hinge[0]), last = minus(hinge[2], hinge[3]);
    double area = cross(first, last);
    if (fabs(area) <= 1e-12 * sqrt(dot(first, first) * dot(last, last))) return false;
    double along = cross(minus(hinge[3], hinge[0]), last) / area;
    struct point middle = {hinge[0].x + along * first.x, hinge[0].y + along * first.y};
    struct point arm = minus(hinge[1], middle);
    if (dot(arm, arm) <= 1e-24 * dot(first, first)) return false;
    out->centre[0] = hinge[0];
    out->centre[1] = middle;
    out->centre[2] = hinge[3];
    out->rate[0] = 1.0;
    out->rate[1] = dot(first, arm) / dot(arm, arm);
    out->rate[2] = out->rate[1] * dot(minus(hinge[2], middle), last) / dot(last, last);
    return true;
}

/* +1 or -1, times which the motion only opens joints; 0 if neither does. */
static int opening(const struct motion *motion, const enum arch_side side[4]) {
    double before = 0.0;
    int falls = 0, rises = 0;
    for (int h = 0; h < 4; h++) {
        double after = h < 3 ? motion->rate[h] : 0.0;
        double opens = side[h] == ARCH_INSIDE ? after - before : before - after;
        rises += opens >= 0.0;
        falls += opens <= 0.0;
        before = after;
    }
    return rises == 4 ? 1 : falls == 4 ? -1 : 0;
}

/* Work rates over the density and g: of the weight, and of the same acceleration towards -x. */
static struct point work(const struct plan *plan, const struct motion *motion, const int joint[4]) {
    struct point sum = {0.0, 0.0};
    for (int part = 0; part < 3; part++) {
        int from = joint[part], to = joint[part + 1];
        double area = plan->area[to] - plan->area[from];
        struct point centre = motion->centre[part];
        double x = plan->area_x[to] - plan->area_x[from] - area * centre.x;
        double y = plan->area_y[to] - plan->area_y[from] - area * centre.y;
        sum.x += motion->rate[part] * y; /* velocity (-w y, w x), acceleration (-1, 0) */
        sum.y -= motion->rate[part] * x; /* acceleration (0, -1) */
    }
    return sum;
}

/* Take the mechanism with hinges at these joints, from this side on alternately, if it needs less
 * than the best so far. */
static void try_hinges(const struct plan *plan, const int joint[4], enum arch_side first,
                       struct arch_mechanism *best) {
    struct arch_mechanism found;
    struct point hinge[4];
    struct motion motion;
    for (int h = 0; h < 4; h++) {
        found.joint[h] = joint[h];
        found.side[h] = h % 2 == 0 ? first : 1 - first;
        hinge[h] = plan->end[joint[h]][found.side[h]];
    }
    if (!join(hinge, &motion)) return;
    int sign = opening(&motion, found.side);
    if (sign == 0) return;
    struct point rate = work(plan, &motion, joint);
    double weight = sign * rate.y, push = sign * rate.x;
    if (weight >= 0.0)
        found.load = -1.0;
    else if (push > 0.0)
        found.load = -weight / push;
    else
        return;
    if (found.load < best->load) *best = found;
}

struct arch_mechanism arch_weakest(const struct arch *arch) {
    struct plan plan;
    struct arch_mechanism best = {.load = HUGE_VAL};
    int joint[4], n = arch->stones;
    draw_plan(arch, &plan);
    for (joint[0] = 0; joint[0] < n; joint[0]++)
        for (joint[1] = joint[0] + 1; joint[1] < n; joint[1]++)
            for (joint[2] = joint[1] + 1; joint[2] < n; joint[2]++)
                for (joint[3] = joint[2] + 1; joint[3] <= n; joint[3]++)
                    for (int side = 0; side < 2; side++)
                        try_hinges(&plan, joint, (enum arch_side)side, &best);
    return best;
}

double arch_thinnest(int stones) {
    double low = 0.01, high = 0.5;
    for (int k = 0; k < 30; k++) {
        struct arch arch = {.stones = stones, .thickness = 0.5 * (low + high)};
        if (arch_weakest(&arch).load < 0.0)
            low = arch.thickness;
        else
            high = arch.thickness;
    }
    return 0.5 * (low + high);
}
