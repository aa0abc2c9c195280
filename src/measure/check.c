/* SPDX-License-Identifier: Apache-2.0
 * What of a measure can be judged before anything is measured: here boxes; the rest is beside each measure. */
#include <math.h>

#include "base/error.h"
#include "measure/measure.h"

talus_status measure_check(const struct measure_values *values, const struct measure_world *world,
                           const char **key, talus_error *err) {
    *key = "";
    return values->type->check(values, world, key, err);
}

bool measure_is_near(const struct measure_world *world, int axis, double place) {
    double period = vec3_component(world->cell.size, axis);
    if (axis >= world->dim || !world->cell.periodic[axis]) return true;
    return fabs(place - vec3_component(world->cell.origin, axis)) <= MEASURE_PERIODS * period;
}

static talus_status check_axis(const struct measure_values *values,
                               const struct measure_world *world, const char *what, int axis,
                               talus_error *err) {
    const char *name = values->type->entry.name;
    double low = vec3_component(measure_value(values, "from")->vector, axis);
    double high = vec3_component(measure_value(values, "to")->vector, axis);
    if (!(low < high))
        return error_set(err, TALUS_ERR_INPUT,
                         "%s: along %c the %s goes from %g to %g m; `to` must be above `from`",
                         name, "xyz"[axis], what, low, high);
    if (!measure_is_near(world, axis, low) || !measure_is_near(world, axis, high))
        return error_set(err, TALUS_ERR_INPUT,
                         "%s: along %c the %s goes from %g to %g m; it must lie within %d periods "
                         "(%g m) of the cell",
                         name, "xyz"[axis], what, low, high, MEASURE_PERIODS,
                         vec3_component(world->cell.size, axis));
    return TALUS_OK;
}

talus_status measure_check_corners(const struct measure_values *values,
                                   const struct measure_world *world, const char *what, int free,
                                   const char **key, talus_error *err) {
    bool from = measure_value(values, "from")->given, to = measure_value(values, "to")->given;
    *key = from ? "from" : "to";
    if (from != to)
        return error_set(err, TALUS_ERR_INPUT, "%s: the %s needs both `from` and `to`",
                         values->type->entry.name, what);
    *key = "to from";
    for (int axis = 0; axis < world->dim && from; axis++)
        if (axis != free) TALUS_TRY(check_axis(values, world, what, axis, err));
    return TALUS_OK;
}

talus_status measure_check_none(const struct measure_values *values,
                                const struct measure_world *world, const char **key,
                                talus_error *err) {
    (void)values;
    (void)world;
    (void)key;
    (void)err;
    return TALUS_OK;
}

talus_status measure_check_box(const struct measure_values *values,
                               const struct measure_world *world, const char **key,
                               talus_error *err) {
    return measure_check_corners(values, world, "box", -1, key, err);
}
