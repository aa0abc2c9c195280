/* SPDX-License-Identifier: Apache-2.0
 * Packing fraction in a box: sum over grains of their exact volume in it (box_overlap.h) over its own. Where grains overlap
 * both count. */
#include "base/error.h"
#include "measure/box_overlap.h"
#include "measure/measure.h"

talus_status measure_take_packing(const struct measure_input *input, talus_error *err) {
    const struct snapshot *snapshot = input->now;
    struct axis_box box = measure_box(input);
    double solid = 0.0, grains = 0.0;
    double volume = box_volume(&box, snapshot->dim);
    for (size_t i = 0; i < snapshot->count; i++) {
        solid += snapshot_overlap(snapshot, i, &box);
        grains += snapshot_images_inside(snapshot, snapshot->position[i], &box);
    }
    const char *unit = measure_volume_unit(snapshot->dim);
    const struct measure_column columns[] = {
        {"fraction", ""}, {"solid", unit}, {"volume", unit}, {"grains", ""}, {NULL, NULL}};
    const double row[] = {volume > 0.0 ? solid / volume : 0.0, solid, volume, grains};
    measure_note_box(input->table, &box, snapshot->dim);
    measure_note_shapes(input->table, snapshot);
    TALUS_TRY(measure_columns(input->table, columns, err));
    return talus_table_add_row(input->table, row, err);
}
