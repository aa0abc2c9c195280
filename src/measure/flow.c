/* SPDX-License-Identifier: Apache-2.0
 *
 * Mass through a plane at right angles to an axis, or through an opening in it.
 *     counted   mass of the grains whose centre has crossed between two states, both ways; rate = (forward - backward)/time
 *     now       sum over the grains that the plane cuts of m v_n A/V: A the area of the cut inside the opening
 * The way of a centre is taken as straight; across periodic sides by the crossings that were counted (`image`), else the short
 * way, and the plane is there once in every period. Grains that came or went in between count for nothing. In the second sum
 * grains that are not round are taken as balls of the same volume.
 */
#include <math.h>

#include "base/error.h"
#include "measure/box_overlap.h"
#include "measure/displacement.h"
#include "measure/measure.h"

struct opening {
    int axis;
    double at;
    struct axis_box box; /* without bounds along the axis */
};

struct crossings {
    double grains[2], mass[2]; /* forward, backward */
};

/* ---- counted --------------------------------------------------------------------------------- */

/* Is the place where the line from + s way meets the plane in the opening, or an image of it? */
static bool passes_opening(const struct snapshot *snapshot, const struct opening *opening,
                           vec3 from, vec3 way, double s) {
    vec3 place = vec3_add_scaled(from, s, way);
    for (int axis = 0; axis < snapshot->dim; axis++) {
        double low = opening->box.low[axis], high = opening->box.high[axis];
        double x = vec3_component(place, axis);
        if (axis == opening->axis || !isfinite(low)) continue;
        if (snapshot->cell.periodic[axis]) { /* the image next above its lower side */
            double period = vec3_component(snapshot->cell.size, axis);
            x -= period * floor((x - low) / period);
        }
        if (!(x >= low && x < high)) return false;
    }
    return true;
}

static void count_crossing(struct crossings *crossings, const struct snapshot *snapshot,
                           const struct opening *opening, size_t grain, vec3 from, vec3 way) {
    double start = vec3_component(from, opening->axis) - opening->at;
    double step = vec3_component(way, opening->axis), end = start + step;
    bool periodic = snapshot->cell.periodic[opening->axis];
    double period = periodic ? vec3_component(snapshot->cell.size, opening->axis) : 1.0;
    /* Planes at 0, and at every multiple of the period: k is on the side of the next one below or at the place. */
    double first = periodic ? floor(start / period) : start >= 0.0 ? 0.0 : -1.0;
    double last = periodic ? floor(end / period) : end >= 0.0 ? 0.0 : -1.0;
    int direction = last > first ? 0 : 1;
    for (double k = fmin(first, last) + 1.0; k <= fmax(first, last); k += 1.0) {
        double place = (k * period - start) / step;
        if (!passes_opening(snapshot, opening, from, way, place)) continue;
        crossings->grains[direction] += 1.0;
        crossings->mass[direction] += snapshot->mass[grain];
    }
}

static talus_status count_crossings(const struct measure_input *input,
                                    const struct opening *opening, struct crossings *crossings,
                                    talus_error *err) {
    const struct snapshot *now = input->now, *before = input->before;
    struct id_index index = {.memory = input->memory};
    TALUS_TRY(id_index_make(&index, before, err));
    for (size_t j = 0; j < now->count; j++) {
        int32_t i = id_index_find(&index, now->id[j]);
        if (i < 0) continue;
        count_crossing(crossings, now, opening, j, before->position[i],
                       snapshot_way(before, (size_t)i, now, j));
    }
    id_index_free(&index);
    return TALUS_OK;
}

/* ---- now ------------------------------------------------------------------------------------- */

/* The cut: a disc, a chord or a point, in the directions of the plane only. */
static double cut_area(const struct snapshot *snapshot, const struct opening *opening, vec3 centre,
                       double radius) {
    double off = opening->at - vec3_component(centre, opening->axis);
    double square = radius * radius - off * off;
    struct axis_box flat = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    vec3 place = vec3_zero();
    if (!(square > 0.0)) return 0.0;
    if (snapshot->dim == 1) return 1.0;
    for (int axis = 0, k = 0; axis < snapshot->dim; axis++) {
        if (axis == opening->axis) continue;
        flat.low[k] = opening->box.low[axis];
        flat.high[k] = opening->box.high[axis];
        vec3_set_component(&place, k++, vec3_component(centre, axis));
    }
    return box_overlap(&flat, snapshot->dim - 1, place, sqrt(square));
}

static double momentum_rate(const struct snapshot *snapshot, const struct opening *opening) {
    static const double pi = 3.14159265358979323846;
    double sum = 0.0;
    struct axis_box reach = opening->box;
    reach.low[opening->axis] = reach.high[opening->axis] = opening->at;
    for (size_t i = 0; i < snapshot->count; i++) {
        double volume = snapshot->volume[i], r = snapshot->radius[i], area = 0.0;
        if (!snapshot_is_round(snapshot, i))
            r = snapshot->dim == 3 ? cbrt(volume * 0.75 / pi) : sqrt(volume / pi);
        vec3 at = snapshot->position[i];
        struct shifts shifts =
            snapshot_shifts(snapshot, &reach, vec3_make(at.x - r, at.y - r, at.z - r),
                            vec3_make(at.x + r, at.y + r, at.z + r));
        int shift[3];
        FOR_EACH_SHIFT(shifts, shift)
        area += cut_area(snapshot, opening, snapshot_shifted(snapshot, at, shift), r);
        sum += snapshot->mass[i] * vec3_component(snapshot->velocity[i], opening->axis) * area /
               volume;
    }
    return sum;
}

/* ---- all ------------------------------------------------------------------------------------- */

static int plane_axis(const struct measure_values *values, int dim) {
    int axis = measure_word(values, "axis");
    return axis < dim ? axis : dim - 1;
}

talus_status measure_check_flow(const struct measure_values *values,
                                const struct measure_world *world, const char **key,
                                talus_error *err) {
    int axis = plane_axis(values, world->dim);
    *key = "at";
    if (!measure_is_near(world, axis, measure_number(values, "at")))
        return error_set(err, TALUS_ERR_INPUT,
                         "flow: at = %g m is more than %d periods from the cell, which begins at "
                         "%g m and is %g m long along %c",
                         measure_number(values, "at"), MEASURE_PERIODS,
                         vec3_component(world->cell.origin, axis),
                         vec3_component(world->cell.size, axis), "xyz"[axis]);
    return measure_check_corners(values, world, "opening", axis, key, err);
}

static struct opening read_opening(const struct measure_input *input) {
    const struct measure_value *from = measure_value(input->values, "from"),
                               *to = measure_value(input->values, "to");
    int dim = input->now->dim;
    struct opening opening = {.axis = plane_axis(input->values, dim),
                              .at = measure_number(input->values, "at")};
    for (int k = 0; k < 3; k++) {
        bool bounded = from->given && k < dim && k != opening.axis;
        opening.box.low[k] = bounded ? vec3_component(from->vector, k) : -HUGE_VAL;
        opening.box.high[k] = bounded ? vec3_component(to->vector, k) : HUGE_VAL;
    }
    return opening;
}

talus_status measure_take_flow(const struct measure_input *input, talus_error *err) {
    static const struct measure_column columns[] = {
        {"interval", "s"},         {"grains_forward", ""},
        {"grains_backward", ""},   {"mass_forward", "kg"},
        {"mass_backward", "kg"},   {"rate", "kg/s"},
        {"momentum_rate", "kg/s"}, {NULL, NULL}};
    struct opening opening = read_opening(input);
    struct crossings crossings = {{0.0, 0.0}, {0.0, 0.0}};
    if (input->before != NULL) TALUS_TRY(count_crossings(input, &opening, &crossings, err));
    double none = input->before == NULL ? MEASURE_NONE : 0.0;
    double interval = input->before != NULL ? input->now->time - input->before->time : none;
    double net = crossings.mass[0] - crossings.mass[1];
    const double row[] = {interval,
                          crossings.grains[0] + none,
                          crossings.grains[1] + none,
                          crossings.mass[0] + none,
                          crossings.mass[1] + none,
                          interval > 0.0 ? net / interval : MEASURE_NONE,
                          momentum_rate(input->now, &opening)};
    talus_table_note(
        input->table,
        "centres that crossed %c = %.9g m since the state before; momentum_rate: of the "
        "grains cut by it now",
        "xyz"[opening.axis], opening.at);
    talus_table_note(input->table, "ways across periodic sides: %s",
                     input->now->has & HAS_IMAGE ? "by counted crossings (image)"
                                                 : "the short way (image was not stored)");
    if (input->before == NULL)
        talus_table_note(input->table,
                         "there is no state before this one: what was counted is nan");
    TALUS_TRY(measure_columns(input->table, columns, err));
    return talus_table_add_row(input->table, row, err);
}
