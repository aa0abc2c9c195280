/* SPDX-License-Identifier: Apache-2.0
 *
 * Volume and moments of a union of balls and rounded parts from its surface.
 *
 *   int f dV = 1/(3 + k) int f (x . n) dS   for f homogeneous of degree k: 1, x_i, x_i x_j
 *
 * The surface of a part consists of faces, pieces of cylinders and of spheres. Each is swept by curves:
 * straight lines on faces and cylinders, circles on spheres. Of every curve the stretches outside all
 * other parts are known (union_mass_cover.c) and the integral along them is in closed form. The
 * integral across the curves is done by the rule of Gauss and Kronrod with 21 points. Its integrand
 * is smooth but where the stretches change: one appears, or ends on another surface. Such places are found
 * by bisection and the integral is split there. At them the integrand can begin like a square root;
 * with the share t^2 (3 - 2t) of the way in place of t it is smooth up to the end.
 *
 * Surfaces of two parts that coincide would be counted twice or not at all, as rounding will have it.
 * So parts that may meet get roundings that are larger by different multiples of `swelling`. What
 * this adds is taken off again to first order: int f (swelling) dS; the rest is of the order 3/2 at
 * least, below 1e-12. Balls need none of this: two of them coincide or do not, and no part lies
 * within another.
 *
 * A surface that is closed has int n dS = 0 and int x n^T dS = V 1. This is the check that nothing was
 * missed, and together with the estimates of the integrals the error that is reported.
 */
#include <float.h>
#include <stdlib.h>

#include "geom/union_mass_skin.h"

/* Errors of one integral, of the volume of all parts. */
static const double target = 1e-14;
/* A larger total is tried again. */
static const double good = 1e-10;

enum { NODES = 21, DEPTH_MOST = 60, CHANGES_MOST = 6, SPLIT_DEPTH = 12, ENDS_MOST = 32 };

/* The rule of 21 points and the one of 10 within it, for -1 ... 1; the points from the end inwards. */
static const double kronrod_node[11] = {0.995657163025808080735527280689003,
                                        0.973906528517171720077964012084452,
                                        0.930157491355708226001207180059508,
                                        0.865063366688984510732096688423493,
                                        0.780817726586416897063717578345042,
                                        0.679409568299024406234327365114874,
                                        0.562757134668604683339000099272694,
                                        0.433395394129247190799265943165784,
                                        0.294392862701460198131126603103866,
                                        0.148874338981631210884826001129720,
                                        0.0};
static const double kronrod_weight[11] = {
    0.011694638867371874278064396062192, 0.032558162307964727478818972459390,
    0.054755896574351996031381300244580, 0.075039674810919952767043140916190,
    0.093125454583697605535065465083366, 0.109387158802297641899210590325805,
    0.123491976262065851077958109585166, 0.134709217311473325928054001771707,
    0.142775938577060080797094273138717, 0.147739104901338491374841515972068,
    0.149445554002916905664936468389821};
static const double gauss_weight[5] = {
    0.066671344308688137593568809893332, 0.149451349150580593145863396957658,
    0.219086362515982043995534934228163, 0.269266719309996355091226921569469,
    0.295524224714752870173815619188769};

struct interval {
    double place[NODES + 2]; /* the points, and two more at the very ends to look at the form */
    uint64_t form[NODES + 2];
    double kronrod[INTEGRALS];
    double difference,
        size;    /* of the two rules, and of absolute values: largest of all integrals */
    int changes; /* of the form, from point to point */
};

static void add_node(struct skin *skin, int k, double length, struct interval *out, double *gauss,
                     double *size) {
    int node = k <= NODES / 2 ? k : NODES - 1 - k;
    double x = kronrod_node[node], t = 0.5 * (k <= NODES / 2 ? 1.0 - x : 1.0 + x);
    double sum[INTEGRALS], scale = 0.5 * length * 6.0 * t * (1.0 - t);
    out->form[k + 1] = skin_along(skin, out->place[k + 1], sum);
    for (int i = 0; i < INTEGRALS; i++) {
        double value = scale * sum[i];
        out->kronrod[i] += kronrod_weight[node] * value;
        size[i] += kronrod_weight[node] * fabs(value);
        if (node % 2 == 1) gauss[i] += gauss_weight[node / 2] * value;
    }
}

static void sample(struct skin *skin, double a, double b, struct interval *out) {
    double gauss[INTEGRALS] = {0.0}, size[INTEGRALS] = {0.0}, end = fmin(1e-8, 1e-6 * (b - a));
    *out = (struct interval){.changes = 0};
    out->place[0] = a + end;
    out->place[NODES + 1] = b - end;
    for (int k = 0; k < NODES; k++) {
        double x = kronrod_node[k <= NODES / 2 ? k : NODES - 1 - k];
        double t = 0.5 * (k <= NODES / 2 ? 1.0 - x : 1.0 + x);
        out->place[k + 1] = a + (b - a) * t * t * (3.0 - 2.0 * t);
        add_node(skin, k, b - a, out, gauss, size);
    }
    out->form[0] = skin_along(skin, out->place[0], NULL);
    out->form[NODES + 1] = skin_along(skin, out->place[NODES + 1], NULL);
    for (int k = 1; k < NODES + 2; k++)
        if (out->form[k] != out->form[k - 1]) out->changes++;
    for (int i = 0; i < INTEGRALS; i++) {
        out->difference = fmax(out->difference, fabs(out->kronrod[i] - gauss[i]));
        out->size = fmax(out->size, size[i]);
    }
}

/* Is there a strip at an end that none of the points sees? */
static bool has_strip(const struct interval *interval) {
    return interval->form[0] != interval->form[1] ||
           interval->form[NODES] != interval->form[NODES + 1];
}

/* Where the form changes first, by bisection. */
static double find_change(struct skin *skin, const struct interval *interval) {
    int k = 0;
    while (k < NODES && interval->form[k] == interval->form[k + 1]) k++;
    double low = interval->place[k], high = interval->place[k + 1];
    for (;;) {
        double middle = 0.5 * (low + high);
        if (high - low < 2e-16 || !(middle > low && middle < high)) return middle;
        if (skin_along(skin, middle, NULL) == interval->form[k])
            low = middle;
        else
            high = middle;
    }
}

/* ---- corners ------------------------------------------------------------------------------------- */

/* The end of a stretch, and what bounds it. */
struct end {
    vec3 x;
    int32_t surface;
};

/* All ends on the curve at a place, at most `most` of them. */
static int32_t find_ends(struct skin *skin, double place, struct end *out, int32_t most) {
    struct curve curve;
    double area;
    int32_t count = 0;
    if (skin_along(skin, place, NULL) == 0) return 0;
    skin_draw(skin, place, &curve, &area);
    for (int32_t k = 0; k < skin->gap_count && count + 2 <= most; k++) {
        const struct stretch *gap = &skin->cover.gaps[k];
        out[count++] = (struct end){curve_point(&curve, gap->from), gap->from_surface};
        out[count++] = (struct end){curve_point(&curve, gap->to), gap->to_surface};
    }
    return count;
}

/* Keep the ends that have no like among the others. */
static void note_ends(struct skin *skin, const struct end *ends, int32_t count,
                      const struct end *others, int32_t other_count) {
    const double like = 1e-5;
    for (int32_t k = 0; k < count; k++) {
        bool found = false;
        for (int32_t i = 0; i < other_count && !found; i++)
            found = ends[k].surface == others[i].surface &&
                    vec3_norm2(vec3_sub(ends[k].x, others[i].x)) < like * like;
        if (!found) skin_note_corner(skin, ends[k].x);
    }
}

static void note_corners(struct skin *skin, double place, double step) {
    struct end low[ENDS_MOST], high[ENDS_MOST];
    int32_t low_count = find_ends(skin, place - step, low, ENDS_MOST);
    int32_t high_count = find_ends(skin, place + step, high, ENDS_MOST);
    note_ends(skin, low, low_count, high, high_count);
    note_ends(skin, high, high_count, low, low_count);
}

/* The ends on the border of a patch, which is one of its neighbour too. */
static void note_border(struct skin *skin, double place) {
    struct end ends[ENDS_MOST];
    int32_t count = find_ends(skin, place, ends, ENDS_MOST);
    for (int32_t k = 0; k < count; k++)
        if (ends[k].surface >= 0) skin_note_corner(skin, ends[k].x);
}

/* ---- intervals ----------------------------------------------------------------------------------- */

static void note_forms(struct skin *skin, const struct interval *interval, double a, double b) {
    struct range *range = &skin->seen[skin->patch.number];
    for (int k = 0; k < NODES + 2; k++) {
        if (k > 0 && interval->form[k] == interval->form[k - 1]) continue;
        struct form_seen *moved = memory_reserve(&skin->heap, skin->forms, &skin->forms_most,
                                                 skin->form_count + 1, sizeof *moved);
        if (moved == NULL) return; /* a form not noted only costs time */
        skin->forms = moved;
        skin->forms[skin->form_count++] = (struct form_seen){a, b, interval->form[k]};
        range->count++;
    }
}

static void integrate(struct skin *skin, double a, double b, int depth) {
    struct interval interval;
    sample(skin, a, b, &interval);
    /* The usual estimate: the rule of 21 points is far better than the difference if both are good. */
    double ratio = interval.size > 0.0 ? 200.0 * interval.difference / interval.size : 0.0;
    double error = interval.size * fmin(1.0, ratio * sqrt(ratio));
    double tolerance = target * skin->volume;
    bool enough = interval.changes == 0 ? error <= tolerance : interval.difference <= tolerance;
    bool few = interval.changes > 0 && interval.changes <= CHANGES_MOST;
    bool split =
        few && depth < SPLIT_DEPTH && b - a > 1e-6 && (skin->thorough || has_strip(&interval));
    bool rounding = interval.difference <= 50.0 * DBL_EPSILON * interval.size;
    if (!split && (enough || rounding || depth >= DEPTH_MOST || b - a < 1e-14)) {
        for (int i = 0; i < INTEGRALS; i++) skin->total[i] += interval.kronrod[i];
        skin->error += interval.changes == 0 ? error : interval.difference;
        note_forms(skin, &interval, a, b);
        return;
    }
    double middle = 0.5 * (a + b), change = middle, end = 1e-12 * (b - a);
    /* Many changes are the whim of rounding where surfaces coincide. */
    if (few) {
        change = find_change(skin, &interval);
        note_corners(skin, change, 1e-14);
    }
    if (change - a < end || b - change < end) change = middle;
    integrate(skin, a, change, depth + 1);
    integrate(skin, change, b, depth + 1);
}

/* ---- together ------------------------------------------------------------------------------------ */

static int break_order(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void integrate_patch(struct skin *skin) {
    struct patch *patch = &skin->patch;
    double *saved = skin->saved[patch->number], last = patch->low;
    skin->error = 0.0;
    for (int i = 0; i < INTEGRALS; i++) skin->total[i] = 0.0;
    skin->seen[patch->number] = (struct range){skin->form_count, 0};
    if (!skin_is_swallowed(skin, patch)) {
        skin_find_breaks(skin, patch);
        patch->breaks[patch->break_count++] = patch->high;
        qsort(patch->breaks, (size_t)patch->break_count, sizeof *patch->breaks, break_order);
        for (int32_t k = 0; k < patch->break_count; k++) {
            if (patch->breaks[k] - last < 1e-13) continue;
            integrate(skin, last, patch->breaks[k], 0);
            last = patch->breaks[k];
        }
        note_border(skin, patch->low + 1e-12);
        note_border(skin, patch->high - 1e-12);
    }
    for (int i = 0; i < INTEGRALS; i++) saved[i] = skin->total[i];
    saved[INTEGRALS] = skin->error;
}

/* How far the surface is from closed: the largest of int n dS and int x n^T dS - V 1. */
static double opening(const double *total) {
    const double *c = total + CLOSURE;
    double volume = (c[0] + c[4] + c[8]) / 3.0, worst = 0.0;
    for (int i = 0; i < 3; i++) {
        worst = fmax(worst, fabs(total[NORMAL + i]));
        for (int j = 0; j < 3; j++)
            worst = fmax(worst, fabs(c[3 * i + j] - (i == j ? volume : 0.0)));
    }
    return worst;
}

/* All patches, or only those on which others have found corners that they have not. Returns whether
 * anything was new. */
static bool add_all(struct skin *skin, bool all) {
    bool any = false;
    double total[INTEGRALS] = {0.0}, error = 0.0;
    skin->corners_known = skin->corner_count;
    for (int32_t k = 0; k < skin->feature_count; k++) {
        const struct feature *feature = &skin->features[k];
        /* Corners of sharp parts swell to nothing. */
        if (feature->kind == FEATURE_VERTEX && skin->sharp[feature->part]) continue;
        skin_set_patch(skin, k);
        skin_find_near(skin, &skin->patch);
        if (skin_break_at_corners(skin, &skin->patch) > 0 || all) {
            integrate_patch(skin);
            any = true;
        }
        for (int i = 0; i < INTEGRALS; i++) total[i] += skin->saved[k][i];
        error += skin->saved[k][INTEGRALS];
    }
    for (int i = 0; i < INTEGRALS; i++) skin->total[i] = total[i];
    skin->error = error + opening(total);
    return any;
}

static void collect(const double *total, struct union_moments *out) {
    out->m0 = total[VOLUME];
    out->m1 = vec3_make(total[FIRST], total[FIRST + 1], total[FIRST + 2]);
    for (int i = 0, place = SECOND; i < 3; i++)
        for (int j = i; j < 3; j++, place++) out->m2.m[i][j] = out->m2.m[j][i] = total[place];
}

/* Pass after pass, as long as there are corners to tell; if this is not enough, once more with those in
 * which the integrand is smooth. */
static void add_up(struct skin *skin) {
    enum { PASSES = 8 };
    bool all = true;
    skin->thorough = false;
    for (int pass = 0; pass < PASSES; pass++) {
        bool any = add_all(skin, all);
        if (skin->error <= good * skin->total[VOLUME]) return;
        all = false;
        if (any) continue;
        if (skin->thorough) return;
        skin->thorough = all = true;
    }
}

enum union_status union_round(const struct union_parts *parts, struct union_moments *out,
                              double *error) {
    /* Where curves happen to run along borders rounding can win; other curves do not. */
    static const double slants[3] = {0.7549, 0.4321, 1.1234};
    struct skin *skin = scratch_allocate(1, sizeof *skin);
    if (skin == NULL) return UNION_NO_MEMORY;
    bool made = skin_make(skin, parts);
    *error = HUGE_VAL;
    for (int k = 0; made && k < 3; k++) {
        skin->slant = slants[k];
        add_up(skin);
        if (skin->error < *error) {
            *error = skin->error;
            collect(skin->total, out);
        }
        if (*error <= good * skin->total[VOLUME]) break;
    }
    skin_free(skin);
    scratch_release(skin);
    return made ? UNION_OK : UNION_NO_MEMORY;
}
