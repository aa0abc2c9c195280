/* SPDX-License-Identifier: Apache-2.0
 *
 * Radial distribution function of the centres:
 *     g(r) = pairs (i, j), i != j, in the shell / (N (N - 1) w),   w = (1/V) integral over the shell of c(r)
 * c(r) = product over the open axes of (1 - |r_i|/L_i): what of the box overlaps with the box moved by r. N (N - 1) w is the
 * number of pairs that as many points thrown at random into the same box have on average. Along periodic axes c = 1, so in a
 * periodic cell w is the volume of the shell over V. The box is that of the centres, along periodic axes the period.
 */
#include <math.h>

#include "base/error.h"
#include "measure/measure.h"

struct rdf {
    struct memory *memory;
    size_t bins;
    double reach; /* m */
    double low[3], size[3];
    int cells[3];
    int32_t *head, *next; /* grains of each cell as a list */
    size_t cell_count, grain_count;
    double *count;
};

/* ---- pairs ----------------------------------------------------------------------------------- */

static void find_box(struct rdf *rdf, const struct snapshot *snapshot) {
    for (int axis = 0; axis < 3; axis++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (size_t i = 0; i < snapshot->count; i++) {
            low = fmin(low, vec3_component(snapshot->position[i], axis));
            high = fmax(high, vec3_component(snapshot->position[i], axis));
        }
        if (snapshot->cell.periodic[axis]) {
            low = vec3_component(snapshot->cell.origin, axis);
            high = low + vec3_component(snapshot->cell.size, axis);
        }
        rdf->low[axis] = low;
        rdf->size[axis] = high - low;
    }
}

static int cell_along(const struct rdf *rdf, int axis, double x) {
    if (!(rdf->size[axis] > 0.0)) return 0;
    double place = floor((x - rdf->low[axis]) / rdf->size[axis] * rdf->cells[axis]);
    return (int)fmin(fmax(place, 0.0), rdf->cells[axis] - 1.0);
}

static talus_status make_cells(struct rdf *rdf, const struct snapshot *snapshot, talus_error *err) {
    double most = cbrt(4.0 * (double)snapshot->count + 64.0);
    rdf->cell_count = 1;
    for (int axis = 0; axis < 3; axis++) {
        double cells = axis < snapshot->dim ? floor(rdf->size[axis] / rdf->reach) : 1.0;
        if (snapshot->dim < 3) most = sqrt(4.0 * (double)snapshot->count + 64.0);
        rdf->cells[axis] = (int)fmin(fmax(cells, 1.0), most);
        rdf->cell_count *= (size_t)rdf->cells[axis];
    }
    rdf->grain_count = snapshot->count;
    rdf->head = memory_resize(rdf->memory, NULL, 0, rdf->cell_count, sizeof *rdf->head);
    rdf->next = memory_resize(rdf->memory, NULL, 0, snapshot->count + 1, sizeof *rdf->next);
    rdf->count = memory_resize(rdf->memory, NULL, 0, rdf->bins, sizeof *rdf->count);
    if (rdf->head == NULL || rdf->next == NULL || rdf->count == NULL) return error_memory(err);
    for (size_t k = 0; k < rdf->cell_count; k++) rdf->head[k] = -1;
    for (size_t i = 0; i < snapshot->count; i++) {
        vec3 at = snapshot->position[i];
        size_t cell =
            (size_t)((cell_along(rdf, 0, at.x) * rdf->cells[1] + cell_along(rdf, 1, at.y)) *
                         rdf->cells[2] +
                     cell_along(rdf, 2, at.z));
        rdf->next[i] = rdf->head[cell];
        rdf->head[cell] = (int32_t)i;
    }
    return TALUS_OK;
}

/* Neighbours along an axis, each cell once; how many. */
static int neighbours(const struct rdf *rdf, const struct snapshot *snapshot, int axis, int cell,
                      int found[3]) {
    int n = rdf->cells[axis], count = 0;
    for (int step = -1; step <= 1; step++) {
        int other = cell + step;
        if (snapshot->cell.periodic[axis]) other = (other + n) % n;
        bool known = false;
        for (int k = 0; k < count; k++) known = known || found[k] == other;
        if (other >= 0 && other < n && !known) found[count++] = other;
    }
    return count;
}

static void count_with(struct rdf *rdf, const struct snapshot *snapshot, size_t i, size_t cell) {
    for (int32_t j = rdf->head[cell]; j >= 0; j = rdf->next[j]) {
        if ((size_t)j <= i) continue;
        vec3 branch = cell_branch(&snapshot->cell, snapshot->position[i], snapshot->position[j]);
        double r = vec3_norm(branch);
        size_t bin = (size_t)fmin(r / rdf->reach * (double)rdf->bins, (double)rdf->bins - 1.0);
        if (r < rdf->reach) rdf->count[bin] += 2.0;
    }
}

static void count_pairs(struct rdf *rdf, const struct snapshot *snapshot) {
    for (size_t i = 0; i < snapshot->count; i++) {
        int found[3][3], counts[3];
        for (int axis = 0; axis < 3; axis++)
            counts[axis] = neighbours(
                rdf, snapshot, axis,
                cell_along(rdf, axis, vec3_component(snapshot->position[i], axis)), found[axis]);
        for (int a = 0; a < counts[0]; a++)
            for (int b = 0; b < counts[1]; b++)
                for (int c = 0; c < counts[2]; c++)
                    count_with(
                        rdf, snapshot, i,
                        (size_t)((found[0][a] * rdf->cells[1] + found[1][b]) * rdf->cells[2] +
                                 found[2][c]));
    }
}

/* ---- what is expected of points at random -------------------------------------------------------- */

/* c(r) averaged over directions; they are taken at equal solid angles of the first octant or quadrant. */
static double mean_overlap(const struct rdf *rdf, const struct snapshot *snapshot, double r) {
    enum { STEPS = 64 };
    static const double half_pi = 1.57079632679489661923;
    double sum = 0.0;
    int rows = snapshot->dim == 3 ? STEPS : 1, columns = snapshot->dim == 1 ? 1 : STEPS;
    for (int a = 0; a < rows; a++)
        for (int b = 0; b < columns; b++) {
            double z = snapshot->dim == 3 ? (a + 0.5) / STEPS : 0.0, flat = sqrt(1.0 - z * z);
            double angle = snapshot->dim == 1 ? 0.0 : half_pi * (b + 0.5) / STEPS;
            const double part[3] = {flat * cos(angle), flat * sin(angle), z};
            double share = 1.0;
            for (int axis = 0; axis < snapshot->dim; axis++)
                if (!snapshot->cell.periodic[axis])
                    share *= rdf->size[axis] > 0.0
                                 ? fmax(0.0, 1.0 - r * part[axis] / rdf->size[axis])
                                 : 0.0;
            sum += share;
        }
    return sum / (rows * columns);
}

static double shell_volume(int dim, double from, double to) {
    static const double pi = 3.14159265358979323846;
    if (dim == 1) return 2.0 * (to - from);
    if (dim == 2) return pi * (to - from) * (to + from);
    return 4.0 / 3.0 * pi * (to - from) * (to * to + to * from + from * from);
}

/* Integral of c over the shell, by Gauss's rule along the radius. */
static double shell_overlap(const struct rdf *rdf, const struct snapshot *snapshot, double from,
                            double to) {
    static const double place[3] = {0.11270166537925831, 0.5, 0.88729833462074169};
    static const double share[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
    double sum = 0.0, weights = 0.0;
    for (int k = 0; k < 3; k++) {
        double r = from + place[k] * (to - from), weight = share[k] * pow(r, snapshot->dim - 1);
        sum += weight * mean_overlap(rdf, snapshot, r);
        weights += weight;
    }
    return shell_volume(snapshot->dim, from, to) * sum / weights;
}

static talus_status put_rdf(const struct rdf *rdf, const struct measure_input *input,
                            talus_error *err) {
    const struct snapshot *snapshot = input->now;
    double n = (double)snapshot->count, volume = 1.0;
    bool open = false;
    for (int axis = 0; axis < snapshot->dim; axis++) {
        volume *= rdf->size[axis];
        open = open || !snapshot->cell.periodic[axis];
    }
    for (size_t k = 0; k < rdf->bins; k++) {
        double from = rdf->reach * (double)k / (double)rdf->bins;
        double to = rdf->reach * (double)(k + 1) / (double)rdf->bins, r = 0.5 * (from + to);
        double shell =
            open ? shell_overlap(rdf, snapshot, from, to) : shell_volume(snapshot->dim, from, to);
        double expected = n * (n - 1.0) * shell / volume;
        const double row[] = {r, expected > 0.0 ? rdf->count[k] / expected : 0.0,
                              0.5 * rdf->count[k], from, to};
        TALUS_TRY(talus_table_add_row(input->table, row, err));
    }
    talus_table_note(input->table, "%.0f grains in %.9g %s%s", n, volume,
                     measure_volume_unit(snapshot->dim),
                     open ? ", the box of their centres; corrected for its open sides" : "");
    return TALUS_OK;
}

/* Half the smallest one. */
static double half_period(const struct cell *cell, int dim) {
    double most = HUGE_VAL;
    for (int axis = 0; axis < dim; axis++)
        if (cell->periodic[axis]) most = fmin(most, 0.5 * vec3_component(cell->size, axis));
    return most;
}

talus_status measure_check_rdf(const struct measure_values *values,
                               const struct measure_world *world, const char **key,
                               talus_error *err) {
    const struct measure_value *max = measure_value(values, "max");
    double most = half_period(&world->cell, world->dim);
    *key = "max";
    if (!max->given || max->number <= most) return TALUS_OK;
    return error_set(err, TALUS_ERR_INPUT,
                     "rdf: max = %g m; in this periodic cell at most %g m, half a period",
                     max->number, most);
}

talus_status measure_take_rdf(const struct measure_input *input, talus_error *err) {
    const struct snapshot *snapshot = input->now;
    const struct measure_value *max = measure_value(input->values, "max");
    static const struct measure_column columns[] = {{"r", "m"},    {"g", ""},   {"pairs", ""},
                                                    {"from", "m"}, {"to", "m"}, {NULL, NULL}};
    struct rdf rdf = {.memory = input->memory, .bins = measure_size(input->values, "bins")};
    double most = half_period(&snapshot->cell, snapshot->dim);
    rdf.reach = max->given ? max->number : fmin(most, 5.0 * snapshot_diameter(snapshot));
    TALUS_TRY(measure_columns(input->table, columns, err));
    if (snapshot->count == 0) {
        talus_table_note(input->table, "there are no grains");
        return TALUS_OK;
    }
    find_box(&rdf, snapshot);
    talus_status status = make_cells(&rdf, snapshot, err);
    if (status >= 0) {
        count_pairs(&rdf, snapshot);
        status = put_rdf(&rdf, input, err);
    }
    memory_free(rdf.memory, rdf.head, rdf.cell_count, sizeof *rdf.head);
    memory_free(rdf.memory, rdf.next, rdf.grain_count + 1, sizeof *rdf.next);
    memory_free(rdf.memory, rdf.count, rdf.bins, sizeof *rdf.count);
    return status;
}
