/* SPDX-License-Identifier: Apache-2.0
 *
 * Text tables of grains: LAMMPS dump (with contacts as a local dump), extended XYZ, CSV (with contacts). Columns follow
 * the arrays of the frame; their names are those of each format where it has one, as OVITO reads them.
 */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "io/export.h"
#include "io/number.h"

/* What an array is called, and in which order its components go. */
struct naming {
    const char *array;
    const char *dump; /* names of its columns */
    const char *xyz;  /* name of its property */
    const char *csv;  /* names of its columns */
    const int xyz_order[4];
};

static const struct naming namings[] = {
    {"v", "vx vy vz", "velo", "vx vy vz", {0, 1, 2, 3}},
    {"omega", "omegax omegay omegaz", "omega", "omegax omegay omegaz", {0, 1, 2, 3}},
    {"f", "fx fy fz", "force", "fx fy fz", {0, 1, 2, 3}},
    {"tq", "tqx tqy tqz", "torque", "tqx tqy tqz", {0, 1, 2, 3}},
    {"orientation", "quatw quati quatj quatk", "orientation", "qw qx qy qz", {1, 2, 3, 0}},
    {"image", "ix iy iz", "image", "ix iy iz", {0, 1, 2, 3}},
};
static const int plain_order[4] = {0, 1, 2, 3};

static const struct naming *find_naming(const char *array) {
    for (size_t i = 0; i < sizeof namings / sizeof namings[0]; i++)
        if (strcmp(namings[i].array, array) == 0) return &namings[i];
    return NULL;
}

/* " vx vy vz", or " pointx pointy pointz", or " mass". */
static void put_columns(FILE *to, const struct frame_array *array, const char *names, char blank) {
    if (names != NULL) {
        fputc(blank, to);
        for (; *names != '\0'; names++) fputc(*names == ' ' ? blank : *names, to);
        return;
    }
    for (int k = 0; k < array->components; k++) {
        fprintf(to, "%c%s", blank, array->name);
        if (array->components > 1) fputc("xyzw"[k], to);
    }
}

/* ---- LAMMPS dump ----------------------------------------------------------------------------- */

static talus_status dump_start(struct export *export, talus_error *err) {
    TALUS_TRY(export_open(export, 0, ".dump", err));
    return export_open(export, 1, ".contacts.dump", err);
}

static void dump_head(FILE *to, const struct frame *frame, const char *what, size_t count) {
    char low[NUMBER_TEXT], high[NUMBER_TEXT];
    struct export_box box = export_box(frame);
    fprintf(to, "ITEM: TIME\n%s\n", number_text(frame->time, low));
    fprintf(to, "ITEM: TIMESTEP\n%" PRId64 "\nITEM: NUMBER OF %s\n%zu\n", frame->step, what, count);
    fputs("ITEM: BOX BOUNDS", to);
    for (int axis = 0; axis < 3; axis++) fputs(box.periodic[axis] ? " pp" : " ff", to);
    fputc('\n', to);
    for (int axis = 0; axis < 3; axis++)
        fprintf(to, "%s %s\n", number_text(box.low[axis], low), number_text(box.high[axis], high));
    fprintf(to, "ITEM: %s ", what);
}

/* Ids count from 1 there. */
static void dump_row(FILE *to, const struct frame_block *block, size_t i, int axes) {
    const struct frame_array *id = frame_find(block, "id");
    fprintf(to, "%" PRId64, id != NULL ? frame_integer(id, i, 0) + 1 : (int64_t)i + 1);
    for (int k = 0; k < axes; k++) export_value(to, &block->points, i, k);
    for (size_t d = 0; d < block->data_count; d++) {
        const struct frame_array *array = &block->data[d];
        if (array == id) continue;
        for (int k = 0; k < array->components; k++) export_value(to, array, i, k);
    }
    fputc('\n', to);
}

/* In the plane without z: OVITO takes that for two dimensions. */
static void dump_grains(FILE *to, const struct frame *frame) {
    const struct frame_block *block = &frame->blocks[FRAME_PARTICLES];
    int axes = frame->dim < 3 ? 2 : 3;
    dump_head(to, frame, "ATOMS", block->points.count);
    fputs(axes == 2 ? "id x y" : "id x y z", to);
    for (size_t d = 0; d < block->data_count; d++) {
        const struct naming *naming = find_naming(block->data[d].name);
        if (strcmp(block->data[d].name, "id") != 0)
            put_columns(to, &block->data[d], naming != NULL ? naming->dump : NULL, ' ');
    }
    fputc('\n', to);
    for (size_t i = 0; i < block->points.count; i++) dump_row(to, block, i, axes);
}

/* Contacts of grains only: the ids must be those of grains. */
static void dump_contacts(FILE *to, const struct frame *frame) {
    const struct frame_block *block = &frame->blocks[FRAME_CONTACTS];
    size_t count = block->present ? block->offsets.count : 0;
    dump_head(to, frame, "BONDS", count);
    fputs("batom1 batom2", to);
    for (size_t d = 2; d < block->data_count; d++) put_columns(to, &block->data[d], NULL, ' ');
    fputc('\n', to);
    for (size_t i = 0; i < count; i++) {
        fprintf(to, "%" PRId64 " %" PRId64, frame_integer(&block->data[0], i, 0) + 1,
                frame_integer(&block->data[1], i, 0) + 1);
        for (size_t d = 2; d < block->data_count; d++)
            for (int k = 0; k < block->data[d].components; k++)
                export_value(to, &block->data[d], i, k);
        fputc('\n', to);
    }
}

/* The first two arrays of contacts are the ids: a file that is not ours may say otherwise. */
static talus_status check_ids(const struct frame *frame, talus_error *err) {
    for (int kind = FRAME_CONTACTS; kind <= FRAME_WALL_CONTACTS; kind++) {
        const struct frame_block *block = &frame->blocks[kind];
        if (!block->present) continue;
        if (block->data_count < 2 || strcmp(block->data[0].name, "id1") != 0 ||
            strcmp(block->data[1].name, "id2") != 0)
            return error_set(err, TALUS_ERR_INPUT,
                             "the contacts of the frame at %g s do not begin with id1, id2",
                             frame->time);
    }
    return TALUS_OK;
}

static talus_status dump_add(struct export *export, const struct frame *frame, talus_error *err) {
    TALUS_TRY(check_ids(frame, err));
    dump_grains(export->files[0].stream, frame);
    dump_contacts(export->files[1].stream, frame);
    TALUS_TRY(file_flush(&export->files[0], err));
    return file_flush(&export->files[1], err);
}

const struct export_format export_dump = {
    "dump", "LAMMPS dump: NAME.dump, contacts of grains in NAME.contacts.dump", dump_start,
    dump_add, export_close};

/* ---- extended XYZ ---------------------------------------------------------------------------- */

static talus_status xyz_start(struct export *export, talus_error *err) {
    return export_open(export, 0, ".xyz", err);
}

static void xyz_head(FILE *to, const struct frame *frame) {
    const struct frame_block *block = &frame->blocks[FRAME_PARTICLES];
    struct export_box box = export_box(frame);
    char text[NUMBER_TEXT];
    fprintf(to, "%zu\nLattice=\"", block->points.count);
    for (int k = 0; k < 9; k++)
        fprintf(to, "%s%s", k > 0 ? " " : "",
                k % 4 == 0 ? number_text(box.high[k / 4] - box.low[k / 4], text) : "0");
    fputs("\" Origin=\"", to);
    for (int k = 0; k < 3; k++)
        fprintf(to, "%s%s", k > 0 ? " " : "", number_text(box.low[k], text));
    fputs("\" pbc=\"", to);
    for (int k = 0; k < 3; k++) fprintf(to, "%s%c", k > 0 ? " " : "", box.periodic[k] ? 'T' : 'F');
    fputs("\" Properties=species:S:1:pos:R:3", to);
    for (size_t d = 0; d < block->data_count; d++) {
        const struct frame_array *array = &block->data[d];
        const struct naming *naming = find_naming(array->name);
        bool whole = array->type == FRAME_INT32 || array->type == FRAME_INT64;
        fprintf(to, ":%s:%c:%d", naming != NULL ? naming->xyz : array->name, whole ? 'I' : 'R',
                array->components);
    }
    fprintf(to, " Time=%s Step=%" PRId64 "\n", number_text(frame->time, text), frame->step);
}

static void xyz_row(FILE *to, const struct export *export, const struct frame_block *block,
                    size_t i) {
    const struct frame_array *type = frame_find(block, "type");
    int64_t number = type != NULL ? frame_integer(type, i, 0) : 1;
    bool known = number >= 1 && number <= EXPORT_TYPES && export->types[number - 1][0] != '\0';
    if (known)
        fputs(export->types[number - 1], to);
    else
        fprintf(to, "type%" PRId64, number);
    for (int k = 0; k < 3; k++) export_value(to, &block->points, i, k);
    for (size_t d = 0; d < block->data_count; d++) {
        const struct frame_array *array = &block->data[d];
        const struct naming *naming = find_naming(array->name);
        for (int k = 0; k < array->components; k++)
            export_value(to, array, i, (naming != NULL ? naming->xyz_order : plain_order)[k]);
    }
    fputc('\n', to);
}

static talus_status xyz_add(struct export *export, const struct frame *frame, talus_error *err) {
    const struct frame_block *block = &frame->blocks[FRAME_PARTICLES];
    FILE *to = export->files[0].stream;
    xyz_head(to, frame);
    for (size_t i = 0; i < block->points.count; i++) xyz_row(to, export, block, i);
    return file_flush(&export->files[0], err);
}

const struct export_format export_xyz = {"xyz", "extended XYZ: NAME.xyz", xyz_start, xyz_add,
                                         export_close};

/* ---- CSV ------------------------------------------------------------------------------------- */

static talus_status csv_start(struct export *export, talus_error *err) {
    TALUS_TRY(export_open(export, 0, ".csv", err));
    return export_open(export, 1, ".contacts.csv", err);
}

static void csv_value(FILE *to, const struct frame_array *array, size_t i, int k) {
    char text[NUMBER_TEXT];
    if (array->type == FRAME_INT32 || array->type == FRAME_INT64)
        fprintf(to, ",%" PRId64, frame_integer(array, i, k));
    else
        fprintf(to, ",%s", number_text(frame_real(array, i, k), text));
}

static void csv_rows(FILE *to, const struct frame *frame, const struct frame_block *block,
                     bool positions) {
    char time[NUMBER_TEXT];
    number_text(frame->time, time);
    for (size_t i = 0; i < block->offsets.count; i++) {
        fprintf(to, "%s,%" PRId64, time, frame->step);
        for (int k = 0; k < 3 && positions; k++) csv_value(to, &block->points, i, k);
        for (size_t d = 0; d < block->data_count; d++)
            for (int k = 0; k < block->data[d].components; k++)
                csv_value(to, &block->data[d], i, k);
        fputc('\n', to);
    }
}

static void csv_head(FILE *to, const struct frame_block *block, bool positions) {
    fputs(positions ? "time,step,x,y,z" : "time,step", to);
    for (size_t d = 0; d < block->data_count; d++) {
        const struct naming *naming = find_naming(block->data[d].name);
        put_columns(to, &block->data[d], naming != NULL ? naming->csv : NULL, ',');
    }
    fputc('\n', to);
}

/* Contacts of grains and with walls in one table: names.tsv tells the ids of walls. */
static talus_status csv_add(struct export *export, const struct frame *frame, talus_error *err) {
    FILE *grains = export->files[0].stream, *contacts = export->files[1].stream;
    if (export->frames == 0) {
        csv_head(grains, &frame->blocks[FRAME_PARTICLES], true);
        csv_head(contacts, &frame->blocks[FRAME_CONTACTS], false);
    }
    csv_rows(grains, frame, &frame->blocks[FRAME_PARTICLES], true);
    for (int kind = FRAME_CONTACTS; kind <= FRAME_WALL_CONTACTS; kind++)
        if (frame->blocks[kind].present) csv_rows(contacts, frame, &frame->blocks[kind], false);
    TALUS_TRY(file_flush(&export->files[0], err));
    return file_flush(&export->files[1], err);
}

const struct export_format export_csv = {"csv", "tables: NAME.csv, contacts in NAME.contacts.csv",
                                         csv_start, csv_add, export_close};
