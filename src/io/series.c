/* SPDX-License-Identifier: Apache-2.0 */
#include "io/series.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "io/number.h"
#include "math/vec3.h"

/* ---- the columns ----------------------------------------------------------------------------- */

enum field_type { REAL, INTEGER_32, INTEGER_64 };

/* A field of talus_observables and the column it becomes. */
struct field {
    const char *name, *unit;
    size_t offset;
    enum field_type type;
};

#define REAL_FIELD(name, unit, member) \
    { name, unit, offsetof(talus_observables, member), REAL }
#define LONG_FIELD(name, member) \
    { name, "", offsetof(talus_observables, member), INTEGER_64 }

static const struct field fields[] = {
    REAL_FIELD("time", "s", time),
    LONG_FIELD("step", step),
    REAL_FIELD("kinetic_translation", "J", energy.kinetic_translation),
    REAL_FIELD("kinetic_rotation", "J", energy.kinetic_rotation),
    REAL_FIELD("potential", "J", energy.potential),
    REAL_FIELD("elastic", "J", energy.elastic),
    REAL_FIELD("input", "J", energy.input),
    REAL_FIELD("work_force", "J", energy.work_force),
    REAL_FIELD("work_boundary", "J", energy.work_boundary),
    REAL_FIELD("work_projection", "J", energy.work_projection),
    REAL_FIELD("dissipation", "J", energy.dissipation),
    REAL_FIELD("dissipation_impact", "J", energy.dissipation_impact),
    REAL_FIELD("dissipation_sliding", "J", energy.dissipation_sliding),
    REAL_FIELD("dissipation_rolling", "J", energy.dissipation_rolling),
    REAL_FIELD("dissipation_torsion", "J", energy.dissipation_torsion),
    REAL_FIELD("dissipation_bonds", "J", energy.dissipation_bonds),
    REAL_FIELD("step_loss", "J", energy.step_loss),
    REAL_FIELD("energy_error", "J", energy.error),
    REAL_FIELD("energy_scale", "J", energy.scale),
    LONG_FIELD("grains", grains),
    LONG_FIELD("contacts", contacts),
    LONG_FIELD("rattlers", rattlers),
    LONG_FIELD("bonds", bonds),
    LONG_FIELD("bonds_broken", bonds_broken),
    REAL_FIELD("coordination", "", coordination),
    REAL_FIELD("coordination_no_rattlers", "", coordination_no_rattlers),
    REAL_FIELD("packing_fraction", "", packing_fraction),
    REAL_FIELD("overlap_mean", "", overlap_mean),
    REAL_FIELD("overlap_max", "", overlap_max),
    REAL_FIELD("unbalanced_force", "", unbalanced_force),
    REAL_FIELD("balance_error", "", balance_error),
    REAL_FIELD("residual", "", residual),
    {"sweeps", "", offsetof(talus_observables, sweeps), INTEGER_32},
    REAL_FIELD("speed_max", "m/s", speed_max),
    REAL_FIELD("force_mean", "N", force_mean),
};

enum {
    FIELDS = sizeof fields / sizeof fields[0],
    PER_BOUNDARY = 9,
    PER_GROUP = 6,
    PER_MEMBRANE = 4
};

struct suffix {
    const char *text, *unit;
};

static const struct suffix boundary_suffixes[PER_BOUNDARY] = {
    {"force_x", "N"},    {"force_y", "N"},    {"force_z", "N"},
    {"torque_x", "N m"}, {"torque_y", "N m"}, {"torque_z", "N m"},
    {"x", "m"},          {"y", "m"},          {"z", "m"}};

static const struct suffix group_suffixes[PER_GROUP] = {
    {"x", "m"}, {"y", "m"}, {"z", "m"}, {"vx", "m/s"}, {"vy", "m/s"}, {"vz", "m/s"}};

/* In space and in the plane. */
static const struct suffix membrane_suffixes[2][PER_MEMBRANE] = {
    {{"pressure", "Pa"}, {"volume", "m^3"}, {"height", "m"}, {"axial", "Pa"}},
    {{"pressure", "N/m"}, {"volume", "m^2"}, {"height", "m"}, {"axial", "N/m"}}};

static double field_value(const struct field *field, const talus_observables *observables) {
    const char *at = (const char *)observables + field->offset;
    int32_t small;
    int64_t large;
    double real;
    switch (field->type) {
    case INTEGER_32: memcpy(&small, at, sizeof small); return small;
    case INTEGER_64: memcpy(&large, at, sizeof large); return (double)large;
    default: memcpy(&real, at, sizeof real); return real;
    }
}

/* A name as part of a column heading: a tab or line break in it would tear the table. */
static void name_column(struct series_column *column, const char *owner,
                        const struct suffix *suffix) {
    snprintf(column->name, SERIES_NAME, "%.*s.%s", SERIES_NAME - 16, owner, suffix->text);
    for (char *c = column->name; *c != '\0'; c++)
        if (*c == '\t' || *c == '\n' || *c == '\r') *c = '_';
    snprintf(column->unit, SERIES_UNIT, "%s", suffix->unit);
}

static void name_columns(struct series *series, const talus_sim *sim, const talus_column *extra) {
    struct series_column *next = series->columns;
    for (size_t i = 0; i < FIELDS; i++, next++) {
        snprintf(next->name, SERIES_NAME, "%s", fields[i].name);
        snprintf(next->unit, SERIES_UNIT, "%s", fields[i].unit);
    }
    for (size_t b = 0; b < series->boundary_count; b++)
        for (size_t i = 0; i < PER_BOUNDARY; i++)
            name_column(next++, talus_sim_boundary(sim, b).name, &boundary_suffixes[i]);
    for (size_t m = 0; m < series->membrane_count; m++)
        for (size_t i = 0; i < PER_MEMBRANE; i++)
            name_column(next++, series->membranes[m],
                        &membrane_suffixes[talus_sim_dim(sim) == 2][i]);
    for (size_t g = 0; g < series->track_count; g++)
        for (size_t i = 0; i < PER_GROUP; i++)
            name_column(next++, series->track[g], &group_suffixes[i]);
    for (size_t i = 0; i < series->extra_count; i++, next++) {
        snprintf(next->name, SERIES_NAME, "%s", extra[i].name);
        snprintf(next->unit, SERIES_UNIT, "%s", extra[i].unit);
    }
}

/* ---- the values ------------------------------------------------------------------------------ */

static double *put(double *row, vec3 value) {
    row[0] = value.x;
    row[1] = value.y;
    row[2] = value.z;
    return row + 3;
}

/* Mean position and velocity of a group, nan while it has no grains (not poured yet). */
static double *put_group(double *row, const talus_sim *sim, const char *name) {
    talus_body_view view = talus_sim_bodies(sim);
    vec3 position = vec3_zero(), velocity = vec3_zero();
    int group = -1;
    double n = 0.0;
    for (int g = 0; talus_sim_group_name(sim, g) != NULL; g++)
        if (strcmp(talus_sim_group_name(sim, g), name) == 0) group = g;
    for (size_t i = 0; i < view.count; i++) {
        if (view.group[i] != group || view.kind[i] != TALUS_BODY_GRAIN) continue;
        position = vec3_add(position, view.position[i]);
        velocity = vec3_add(velocity, view.velocity[i]);
        n += 1.0;
    }
    double share = n > 0.0 ? 1.0 / n : nan("");
    return put(put(row, vec3_scale(share, position)), vec3_scale(share, velocity));
}

/* nan while it is not there. */
static double *put_membrane(double *row, const talus_sim *sim, const char *name) {
    for (int i = 0; i < PER_MEMBRANE; i++) row[i] = nan("");
    for (size_t m = 0; m < talus_sim_membrane_count(sim); m++) {
        talus_membrane_view view = talus_sim_membrane(sim, m);
        if (strcmp(view.name, name) != 0) continue;
        const double values[PER_MEMBRANE] = {view.pressure, view.volume, view.height, view.axial};
        memcpy(row, values, sizeof values);
    }
    return row + PER_MEMBRANE;
}

static void fill_row(struct series *series, const talus_sim *sim,
                     const talus_observables *observables, const double *extra) {
    double *next = series->row;
    for (size_t i = 0; i < FIELDS; i++) *next++ = field_value(&fields[i], observables);
    for (size_t b = 0; b < series->boundary_count; b++) {
        talus_boundary_view view = talus_sim_boundary(sim, b);
        next = put(put(put(next, view.force), view.torque), view.point);
    }
    for (size_t m = 0; m < series->membrane_count; m++)
        next = put_membrane(next, sim, series->membranes[m]);
    for (size_t g = 0; g < series->track_count; g++) next = put_group(next, sim, series->track[g]);
    if (series->extra_count > 0) memcpy(next, extra, series->extra_count * sizeof *next);
}

/* ---- the file -------------------------------------------------------------------------------- */

static talus_status write_header(struct series *series, talus_error *err) {
    FILE *to = series->file.stream;
    for (size_t i = 0; i < series->count; i++) {
        const struct series_column *column = &series->columns[i];
        fprintf(to, "%s%s", i > 0 ? "\t" : "", column->name);
        if (column->unit[0] != '\0') fprintf(to, "[%s]", column->unit);
    }
    fputc('\n', to);
    return file_flush(&series->file, err);
}

static talus_status write_row(struct series *series, talus_error *err) {
    char text[NUMBER_TEXT];
    for (size_t i = 0; i < series->count; i++) {
        if (i > 0) fputc('\t', series->file.stream);
        fputs(number_text(series->row[i], text), series->file.stream);
    }
    fputc('\n', series->file.stream);
    return file_flush(&series->file, err);
}

/* ---- the life of a series -------------------------------------------------------------------- */

talus_status series_start(struct series *series, const talus_sim *sim,
                          const struct series_config *config, talus_error *err) {
    series->boundary_count = config->boundaries ? talus_sim_boundary_count(sim) : 0;
    series->track = config->track;
    series->track_count = config->track_count;
    series->membranes = config->membranes;
    series->membrane_count = config->membrane_count;
    series->keep = config->keep;
    series->extra_count = config->extra_count;
    size_t count = FIELDS + PER_BOUNDARY * series->boundary_count +
                   PER_MEMBRANE * series->membrane_count + PER_GROUP * series->track_count +
                   series->extra_count;
    series->columns = memory_resize(&series->memory, NULL, 0, count, sizeof *series->columns);
    if (series->columns == NULL) return error_memory(err);
    series->count = count;
    series->row = memory_resize(&series->memory, NULL, 0, count, sizeof *series->row);
    if (series->row == NULL) return error_memory(err);
    name_columns(series, sim, config->extra);
    if (config->directory == NULL) return TALUS_OK;
    if (config->resume_at > 0)
        return file_reopen(&series->file, config->directory, "series.tsv", config->resume_at, err);
    TALUS_TRY(file_open(&series->file, config->directory, "series.tsv", FILE_GROWING, err));
    return write_header(series, err);
}

/* All columns grow together. After a failure some have more room than row_capacity says, which does
 * no harm: the run ends and they are freed. */
static talus_status keep_row(struct series *series, talus_error *err) {
    if (series->rows == series->row_capacity) {
        size_t grown = series->row_capacity < 32 ? 64 : 2 * series->row_capacity;
        for (size_t i = 0; i < series->count; i++) {
            double *moved = memory_resize(&series->memory, series->columns[i].kept,
                                          series->row_capacity, grown, sizeof(double));
            if (moved == NULL) return error_memory(err);
            series->columns[i].kept = moved;
        }
        series->row_capacity = grown;
    }
    for (size_t i = 0; i < series->count; i++)
        series->columns[i].kept[series->rows] = series->row[i];
    series->rows++;
    return TALUS_OK;
}

talus_status series_add(struct series *series, const talus_sim *sim,
                        const talus_observables *observables, const double *extra,
                        talus_error *err) {
    fill_row(series, sim, observables, extra);
    if (series->keep) TALUS_TRY(keep_row(series, err));
    if (series->file.stream == NULL) return TALUS_OK;
    return write_row(series, err);
}

talus_status series_finish(struct series *series, talus_error *err) {
    if (series->file.stream == NULL) return TALUS_OK;
    return file_close(&series->file, err);
}

void series_free(struct series *series) {
    file_discard(&series->file);
    for (size_t i = 0; i < series->count; i++)
        memory_free(&series->memory, series->columns[i].kept, series->row_capacity, sizeof(double));
    memory_free(&series->memory, series->row, series->count, sizeof *series->row);
    memory_free(&series->memory, series->columns, series->count, sizeof *series->columns);
    series->columns = NULL;
    series->count = 0;
}

const double *series_find(const struct series *series, const char *name, size_t *count) {
    for (size_t i = 0; i < series->count; i++) {
        if (strcmp(series->columns[i].name, name) != 0) continue;
        if (count != NULL) *count = series->rows;
        return series->columns[i].kept;
    }
    return NULL;
}
