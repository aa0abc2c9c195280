/* SPDX-License-Identifier: Apache-2.0
 *
 * The inertial number of a shear flow [Midi2004]:
 *     I = |gamma'| d sqrt(rho/p)
 * gamma': slope of the least-squares line through the velocities of the grains (each counts alike) over their places along
 * the gradient; d: mean diameter; rho: density of the grains themselves, mass over volume; p: trace/dim of the contact stress
 * of the box; mu = |sigma_(gradient, flow)|/sigma_(gradient, gradient). Grains are in the box if their centre is.
 */
#include <math.h>

#include "base/error.h"
#include "measure/love_weber.h"

struct line_fit {
    double n, x, y, xx, xy; /* sums; then about the means */
};

static double slope(const struct snapshot *snapshot, const struct axis_box *box, bool whole,
                    int flow, int gradient) {
    struct line_fit fit = {0.0, 0.0, 0.0, 0.0, 0.0};
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < snapshot->count; i++) {
            if (!whole && !box_holds(box, snapshot->dim, snapshot->position[i])) continue;
            double x = vec3_component(snapshot->position[i], gradient),
                   v = vec3_component(snapshot->velocity[i], flow);
            if (pass == 0) {
                fit.n += 1.0;
                fit.x += x;
                fit.y += v;
                continue;
            }
            double dx = x - fit.x / fit.n;
            fit.xx += dx * dx;
            fit.xy += dx * (v - fit.y / fit.n);
        }
    return fit.xx > 0.0 ? fit.xy / fit.xx : MEASURE_NONE;
}

static int gradient_axis(const struct measure_values *values, int dim) {
    int gradient = measure_word(values, "gradient");
    return gradient < dim ? gradient : dim - 1;
}

talus_status measure_check_inertial(const struct measure_values *values,
                                    const struct measure_world *world, const char **key,
                                    talus_error *err) {
    int flow = measure_word(values, "flow"), gradient = gradient_axis(values, world->dim);
    *key = flow >= world->dim ? "flow" : "gradient flow";
    if (world->dim < 2)
        return error_set(err, TALUS_ERR_INPUT, "inertial: there is no shear on a line");
    if (flow >= world->dim || flow == gradient)
        return error_set(err, TALUS_ERR_INPUT,
                         "inertial: flow along %c and gradient along %c; they must be two "
                         "directions of %s",
                         "xyz"[flow], "xyz"[gradient], world -> dim == 2 ? "x, y" : "x, y, z");
    return measure_check_box(values, world, key, err);
}

talus_status measure_take_inertial(const struct measure_input *input, talus_error *err) {
    const struct snapshot *snapshot = input->now;
    int dim = snapshot->dim, flow = measure_word(input->values, "flow"),
        gradient = gradient_axis(input->values, dim);
    bool whole = !measure_value(input->values, "from")->given;
    struct axis_box box = measure_box(input);
    struct stress_sums sums = stress_in_box(snapshot, &box, whole);
    double pressure = 0.0, rate = slope(snapshot, &box, whole, flow, gradient);
    for (int i = 0; i < dim; i++) pressure += sums.contact.m[i][i] / dim;
    double diameter = sums.grains > 0.0 ? sums.width / sums.grains : MEASURE_NONE;
    double density = sums.solid > 0.0 ? sums.mass / sums.solid : MEASURE_NONE;
    double number = pressure > 0.0
                        ? fabs(rate) * diameter * sqrt(density / pressure) /* [Midi2004] */
                        : MEASURE_NONE;
    double normal = sums.contact.m[gradient][gradient];
    double mu = normal > 0.0 ? fabs(sums.contact.m[gradient][flow]) / normal : MEASURE_NONE;
    const struct measure_column columns[] = {{"shear_rate", "1/s"},
                                             {"pressure", measure_stress_unit(dim)},
                                             {"diameter", "m"},
                                             {"density", measure_density_unit(dim)},
                                             {"I", ""},
                                             {"mu", ""},
                                             {NULL, NULL}};
    const double row[] = {rate, pressure, diameter, density, number, mu};
    measure_note_box(input->table, &box, dim);
    talus_table_note(input->table, "velocity along %c over places along %c of %.0f grains",
                     "xyz"[flow], "xyz"[gradient], sums.grains);
    TALUS_TRY(measure_columns(input->table, columns, err));
    return talus_table_add_row(input->table, row, err);
}
