/* SPDX-License-Identifier: Apache-2.0
 * Mean squared displacement <|x(t) - x(t0)|^2> of the grains that are there in both states. Across periodic sides by counted
 * crossings only: the short way would be wrong beyond half a period without a sign of it. */
#include "base/error.h"
#include "measure/displacement.h"
#include "measure/measure.h"

static talus_status sum_ways(const struct measure_input *input, vec3 *squares, double *count,
                             talus_error *err) {
    struct id_index index = {.memory = input->memory};
    TALUS_TRY(id_index_make(&index, input->first, err));
    for (size_t j = 0; j < input->now->count; j++) {
        int32_t i = id_index_find(&index, input->now->id[j]);
        if (i < 0) continue;
        vec3 way = snapshot_way(input->first, (size_t)i, input->now, j);
        squares->x += way.x * way.x;
        squares->y += way.y * way.y;
        squares->z += way.z * way.z;
        *count += 1.0;
    }
    id_index_free(&index);
    return TALUS_OK;
}

talus_status measure_take_msd(const struct measure_input *input, talus_error *err) {
    int dim = input->now->dim;
    vec3 squares = vec3_zero();
    double count = 0.0, row[8], *at = row;
    static const struct measure_column columns[] = {
        {"interval", "s"}, {"grains", ""}, {"msd", "m^2"}, {NULL, NULL}};
    if (input->first == NULL)
        return error_set(err, TALUS_ERR_INPUT, "msd compares stored frames: talus measure DIR msd");
    if (input->now->cell.any && !(input->now->has & input->first->has & HAS_IMAGE))
        return error_set(err, TALUS_ERR_INPUT,
                         "msd needs what was not stored: image, in a periodic cell");
    TALUS_TRY(sum_ways(input, &squares, &count, err));
    vec3 mean = vec3_scale(count > 0.0 ? 1.0 / count : MEASURE_NONE, squares);
    talus_table_note(input->table, "since %.9g s", input->first->time);
    TALUS_TRY(measure_columns(input->table, columns, err));
    TALUS_TRY(measure_vector_columns(input->table, "msd_", "m^2", dim, err));
    *at++ = input->now->time - input->first->time;
    *at++ = count;
    *at++ = mean.x + mean.y + mean.z;
    measure_put_vector(at, mean, dim);
    return talus_table_add_row(input->table, row, err);
}
