/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernel of one source on the lattice of the cells' centres. Lengths are in ends c of the kernel here: phi ~
 * (1 + 3 s)(1 - s)^3 = 1 - 6 s^2 + 8 s^3 - 3 s^4, s < 1. Along a line at the distance p, with s^2 = p^2 + u^2,
 *     integral phi du = u (1 - 6 (p^2 + u^2/3) + 8 s ((p^2 + u^2)/4 + 3 p^2/8) - 3 (p^4 + 2 p^2 u^2/3 + u^4/5)) + 3 p^4 asinh(u/p)
 * exactly, over the part of the line inside the ball about the lattice point.
 *
 * Only cells that the source reaches are looked at: rows along the last axis are cut to the cylinder, or the ball, about it.
 */
#include <math.h>

#include "base/error.h"
#include "measure/fields.h"

/* ---- room ------------------------------------------------------------------------------------ */

void field_brush_free(struct field_brush *brush) {
    for (int axis = 0; axis < 3; axis++) {
        memory_free(brush->memory, brush->off[axis], brush->axis_capacity[axis],
                    sizeof *brush->off[axis]);
        memory_free(brush->memory, brush->place[axis], brush->axis_capacity[axis],
                    sizeof *brush->place[axis]);
    }
    memory_free(brush->memory, brush->weights, brush->weight_capacity, sizeof *brush->weights);
    memory_free(brush->memory, brush->spans, brush->span_capacity, sizeof *brush->spans);
}

talus_status field_brush_open(struct field_brush *brush, const struct field_grid *grid,
                              double longest, talus_error *err) {
    bool made = true;
    TALUS_TRY(field_grid_check_reach(grid, longest, err));
    brush->grid = grid;
    brush->weight_capacity = brush->span_capacity = 1;
    for (int axis = 0; axis < 3; axis++) {
        size_t points = (size_t)field_grid_points(grid, axis, longest);
        brush->axis_capacity[axis] = points;
        brush->off[axis] = memory_resize(brush->memory, NULL, 0, points, sizeof *brush->off[axis]);
        brush->place[axis] =
            memory_resize(brush->memory, NULL, 0, points, sizeof *brush->place[axis]);
        made = made && brush->off[axis] != NULL && brush->place[axis] != NULL;
        brush->weight_capacity *= points;
        if (axis < 2) brush->span_capacity *= points;
    }
    brush->weights =
        memory_resize(brush->memory, NULL, 0, brush->weight_capacity, sizeof *brush->weights);
    brush->spans =
        memory_resize(brush->memory, NULL, 0, brush->span_capacity, sizeof *brush->spans);
    return made && brush->weights != NULL && brush->spans != NULL ? TALUS_OK : error_memory(err);
}

/* ---- lattice points -------------------------------------------------------------------------- */

/* A line in ends of the kernel, from the origin; a point if it has no length. */
struct stroke {
    double length;
    vec3 along; /* unit vector */
    int32_t points[3];
};

static int64_t place_of(const struct field_grid *grid, int axis, int64_t i) {
    int64_t n = grid->cells[axis];
    if (grid->periodic[axis]) return (i % n + n) % n;
    return i >= 0 && i < n ? i : -1;
}

/* Those along an axis that the line can reach: where they are, and in which cells. False: none of these is in the grid. */
static bool find_points(struct field_brush *brush, struct stroke *stroke, int axis, double from,
                        double to) {
    const struct field_grid *grid = brush->grid;
    double h = grid->spacing[axis], zero = grid->low[axis] + 0.5 * h;
    double low = (fmin(from, to) - grid->cut - zero) / h;
    double high = (fmax(from, to) + grid->cut - zero) / h;
    if (!grid->periodic[axis] && (high < -1.0 || low > (double)grid->cells[axis])) return false;
    int64_t first = (int64_t)ceil(low), last = (int64_t)floor(high);
    if (last < first) first = last = (int64_t)rint(0.5 * (low + high)); /* between two points */
    if (!grid->periodic[axis] && (last < 0 || first >= grid->cells[axis])) return false;
    stroke->points[axis] = (int32_t)(last - first + 1);
    for (int64_t i = first; i <= last; i++) {
        brush->off[axis][i - first] = (zero + (double)i * h - from) / grid->cut;
        brush->place[axis][i - first] = place_of(grid, axis, i);
    }
    return true;
}

static bool find_all_points(struct field_brush *brush, struct stroke *stroke, vec3 from, vec3 to) {
    for (int axis = 0; axis < 3; axis++) {
        if (axis < brush->grid->dim) {
            if (!find_points(brush, stroke, axis, vec3_component(from, axis),
                             vec3_component(to, axis)))
                return false;
            continue;
        }
        stroke->points[axis] = 1;
        brush->off[axis][0] = 0.0;
        brush->place[axis][0] = 0;
    }
    return true;
}

/* ---- weights --------------------------------------------------------------------------------- */

static inline double point_weight(double square) {
    if (square >= 1.0) return 0.0;
    double s = sqrt(square), t = 1.0 - s;
    return (1.0 + 3.0 * s) * t * t * t;
}

/* The polynomial part of the integral, collected; r^2 = p2 + u^2. */
static inline double line_part(double u, double r, double p2) {
    double u2 = u * u;
    return u * (1.0 - p2 * (6.0 + 3.0 * p2) - u2 * (2.0 + 2.0 * p2 + 0.6 * u2) +
                r * (5.0 * p2 + 2.0 * u2));
}

/* At a point whose foot on the line is `foot` from its start and whose distance from the line is p. */
static inline double line_weight(double foot, double p2, double length) {
    if (p2 >= 1.0) return 0.0;
    double from = -foot, to = length - foot, r_from = 1.0, r_to = 1.0;
    double near = p2 + from * from, far = p2 + to * to;
    if ((near >= 1.0 && from > 0.0) || (far >= 1.0 && to < 0.0)) return 0.0; /* past an end */
    double half = near >= 1.0 || far >= 1.0 ? sqrt(1.0 - p2) : 0.0;
    if (near >= 1.0)
        from = -half;
    else
        r_from = sqrt(near);
    if (far >= 1.0)
        to = half;
    else
        r_to = sqrt(far);
    double sum = line_part(to, r_to, p2) - line_part(from, r_from, p2);
    /* asinh: what it loses where p is small does not matter, for p^4 */
    double ratio = (to + r_to) / (from + r_from);
    if (p2 > 0.0 && ratio > 0.0 && isfinite(ratio)) sum += 3.0 * p2 * p2 * log(ratio);
    return sum > 0.0 ? sum : 0.0;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Points of a row whose distance from the endless line is below 1: a z^2 - 2 b z + c < 0. */
static bool cut_row(const struct stroke *stroke, double x, double y, double *low, double *high) {
    vec3 l = stroke->along;
    double lean = stroke->length > 0.0 ? l.x * x + l.y * y : 0.0;
    double slope = stroke->length > 0.0 ? l.z : 0.0;
    double a = 1.0 - slope * slope, b = lean * slope, c = x * x + y * y - lean * lean - 1.0;
    *low = -HUGE_VAL;
    *high = HUGE_VAL;
    if (a < 1e-6)
        return c < 1.0; /* along the row; nearly all of a row is then inside, or nothing */
    double root = b * b - a * c;
    if (!(root > 0.0)) return false;
    *low = (b - sqrt(root)) / a;
    *high = (b + sqrt(root)) / a;
    return true;
}

/* The weights of a row; they return their sum. */
static double fill_point_row(const double *off, double square, int32_t count, double *weight) {
    double sum = 0.0;
    for (int32_t k = 0; k < count; k++) {
        weight[k] = point_weight(square + off[k] * off[k]);
        sum += weight[k];
    }
    return sum;
}

static double fill_line_row(const struct stroke *stroke, const double *off, double x, double y,
                            int32_t count, double *weight) {
    double sum = 0.0, square = x * x + y * y, lean = stroke->along.x * x + stroke->along.y * y;
    for (int32_t k = 0; k < count; k++) {
        double foot = lean + stroke->along.z * off[k];
        double p2 = square + off[k] * off[k] - foot * foot;
        weight[k] = line_weight(foot, p2 > 0.0 ? p2 : 0.0, stroke->length);
        sum += weight[k];
    }
    return sum;
}

static int64_t row_base(const struct field_brush *brush, int32_t i, int32_t j) {
    int64_t a = brush->place[0][i], b = brush->place[1][j];
    return a < 0 || b < 0 ? -1 : (a * brush->grid->cells[1] + b) * brush->grid->cells[2];
}

static double fill_rows(struct field_brush *brush, const struct stroke *stroke) {
    const double *off = brush->off[2];
    size_t used = 0;
    double sum = 0.0;
    brush->span_count = 0;
    for (int32_t i = 0; i < stroke->points[0]; i++)
        for (int32_t j = 0; j < stroke->points[1]; j++) {
            double x = brush->off[0][i], y = brush->off[1][j], low, high;
            if (!cut_row(stroke, x, y, &low, &high)) continue;
            int32_t first = 0, end = stroke->points[2];
            while (first < end && off[first] < low) first++;
            while (first < end && off[end - 1] > high) end--;
            if (first >= end) continue;
            struct field_span *span = &brush->spans[brush->span_count++];
            *span = (struct field_span){row_base(brush, i, j), first, end - first, used};
            used += (size_t)(end - first);
            double *weight = &brush->weights[span->weight];
            sum += stroke->length > 0.0
                       ? fill_line_row(stroke, off + first, x, y, span->count, weight)
                       : fill_point_row(off + first, x * x + y * y, span->count, weight);
        }
    return sum;
}

/* No lattice point is inside the kernel: all goes to those that were looked at, the nearest ones. */
static double fill_evenly(struct field_brush *brush, const struct stroke *stroke) {
    size_t used = 0;
    brush->span_count = 0;
    for (int32_t i = 0; i < stroke->points[0]; i++)
        for (int32_t j = 0; j < stroke->points[1]; j++) {
            struct field_span *span = &brush->spans[brush->span_count++];
            *span = (struct field_span){row_base(brush, i, j), 0, stroke->points[2], used};
            for (int32_t k = 0; k < span->count; k++) brush->weights[used++] = 1.0;
        }
    return (double)used;
}

double field_brush_put(struct field_brush *brush, vec3 from, vec3 branch) {
    double length = vec3_norm(branch), cut = brush->grid->cut;
    struct stroke stroke = {.length = length / cut};
    if (length > 0.0) stroke.along = vec3_scale(1.0 / length, branch);
    brush->span_count = 0;
    if (!find_all_points(brush, &stroke, from, vec3_add(from, branch))) return 0.0;
    double sum = fill_rows(brush, &stroke);
    if (!(sum > 0.0)) sum = fill_evenly(brush, &stroke);
    return 1.0 / (sum * brush->grid->cell_volume);
}
