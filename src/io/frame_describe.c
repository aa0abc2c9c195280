/* SPDX-License-Identifier: Apache-2.0
 * What is in a file of frames, in a few lines: frames.pvd, .vtm, .vtp, .vtkhdf. */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "io/hdf5_file.h"
#include "io/number.h"
#include "io/vtk_file.h"
#include "sim/quantities.h"
#include "talus/frames.h"

static const char line_form[] = "  %-32s ";

static bool ends_with(const char *path, const char *end) {
    size_t n = strlen(path), m = strlen(end);
    return n >= m && strcmp(path + n - m, end) == 0;
}

static void put_number(FILE *to, const char *name, double value, const char *unit) {
    char text[NUMBER_TEXT];
    fprintf(to, line_form, name);
    fprintf(to, "%s%s\n", number_text(value, text), unit);
}

static void put_count(FILE *to, const char *name, int64_t count) {
    fprintf(to, line_form, name);
    fprintf(to, "%" PRId64 "\n", count);
}

/* ---- VTK ------------------------------------------------------------------------------------- */

/* "id radius v(3) orientation(4)" */
static void put_arrays(FILE *to, const struct frame_block *block) {
    fprintf(to, line_form, "  arrays");
    for (size_t d = 0; d < block->data_count; d++) {
        fprintf(to, "%s%s", d > 0 ? " " : "", block->data[d].name);
        if (block->data[d].components > 1) fprintf(to, "(%d)", block->data[d].components);
    }
    fputc('\n', to);
}

static void put_block(FILE *to, const char *name, const struct frame_block *block) {
    put_count(to, name, (int64_t)block->offsets.count);
    put_arrays(to, block);
}

static void put_moment(FILE *to, const struct frame_block *block) {
    const struct frame_array *time = frame_find_fact(block, "TimeValue");
    const struct frame_array *step = frame_find_fact(block, "step");
    if (time != NULL && time->count > 0) put_number(to, "time", frame_real(time, 0, 0), " s");
    if (step != NULL && step->count > 0) put_count(to, "step", frame_integer(step, 0, 0));
}

static talus_status describe_frame(const char *path, FILE *to, talus_error *err) {
    struct frame frame = {.time = 0.0};
    talus_status status = vtk_frame_read(&frame, path, err);
    if (status >= 0) {
        fprintf(to, "%s: frame of %d dimension%s\n", path, frame.dim, frame.dim == 1 ? "" : "s");
        put_moment(to, &frame.blocks[FRAME_PARTICLES]);
        for (int kind = 0; kind < FRAME_KINDS; kind++)
            if (frame.blocks[kind].present)
                put_block(to, frame_kind_name((enum frame_kind)kind), &frame.blocks[kind]);
    }
    frame_free(&frame);
    return status;
}

static talus_status describe_part(const char *path, FILE *to, talus_error *err) {
    struct frame_block block = {.present = false};
    struct memory memory = {0};
    talus_status status = vtp_read(&block, &memory, path, err);
    if (status >= 0) {
        fprintf(to, "%s: part of a frame\n", path);
        put_moment(to, &block);
        put_count(to, "points", (int64_t)block.points.count);
        put_block(to, "cells", &block);
    }
    frame_block_free(&block, &memory);
    return status;
}

static talus_status describe_list(const char *path, FILE *to, talus_error *err) {
    struct vtk_list list = {.count = 0};
    char last[FILE_PATH];
    const char *slash = strrchr(path, '/');
    talus_status status = vtk_list_read(&list, path, err);
    if (status >= 0) {
        fprintf(to, "%s: %zu frame%s\n", path, list.count, list.count == 1 ? "" : "s");
        if (list.count > 0) {
            put_number(to, "from", list.entries[0].time, " s");
            put_number(to, "to", list.entries[list.count - 1].time, " s");
            snprintf(last, sizeof last, "%.*s%s", slash != NULL ? (int)(slash - path) + 1 : 0, path,
                     list.entries[list.count - 1].file);
            status = describe_frame(last, to, err);
        }
    }
    vtk_list_free(&list);
    return status;
}

/* ---- VTKHDF ---------------------------------------------------------------------------------- */

/* The sum over all frames. */
static talus_status put_sum(const struct hdf5_file *file, const char *name, const char *label,
                            FILE *to, talus_error *err) {
    struct memory memory = {0};
    int64_t *values = NULL, sum = 0;
    size_t count = 0;
    if (!hdf5_has(file, name)) return TALUS_OK;
    TALUS_TRY(hdf5_read_integers(file, name, &memory, &values, &count, err));
    for (size_t i = 0; i < count; i++) sum += values[i];
    if (sum > 0) put_count(to, label, sum);
    memory_free(&memory, values, count, sizeof *values);
    return TALUS_OK;
}

static void put_known_arrays(const struct hdf5_file *file, FILE *to) {
    static const char *const places[] = {"VTKHDF/PointData", "VTKHDF/CellData"};
    fprintf(to, line_form, "arrays");
    for (int place = 0; place < 2; place++)
        for (int i = 0; i < QUANTITY_COUNT; i++) {
            char name[128];
            snprintf(name, sizeof name, "%s/%s", places[place], quantity_get(i)->entry.name);
            /* Some quantities of grains and contacts have the same name. */
            bool told = false;
            for (int k = 0; k < i; k++)
                told =
                    told || strcmp(quantity_get(k)->entry.name, quantity_get(i)->entry.name) == 0;
            if (!told && hdf5_has(file, name)) fprintf(to, "%s ", quantity_get(i)->entry.name);
        }
    fputc('\n', to);
}

static talus_status put_hdf5(const struct hdf5_file *file, const char *path, FILE *to,
                             talus_error *err) {
    struct memory memory = {0};
    double *times = NULL;
    size_t count = 0;
    if (!hdf5_has(file, "VTKHDF/Steps/Values"))
        return error_set(err, TALUS_ERR_INPUT, "%s: is no VTKHDF file with time steps", path);
    TALUS_TRY(hdf5_read_doubles(file, "VTKHDF/Steps/Values", &memory, &times, &count, err));
    fprintf(to, "%s: %zu frame%s\n", path, count, count == 1 ? "" : "s");
    if (count > 0) {
        put_number(to, "from", times[0], " s");
        put_number(to, "to", times[count - 1], " s");
    }
    memory_free(&memory, times, count, sizeof *times);
    TALUS_TRY(put_sum(file, "VTKHDF/NumberOfPoints", "points of all frames", to, err));
    TALUS_TRY(put_sum(file, "VTKHDF/Vertices/NumberOfCells", "particles of all frames", to, err));
    TALUS_TRY(put_sum(file, "VTKHDF/Lines/NumberOfCells", "lines of all frames", to, err));
    TALUS_TRY(put_sum(file, "VTKHDF/Polygons/NumberOfCells", "polygons of all frames", to, err));
    put_known_arrays(file, to);
    return TALUS_OK;
}

static talus_status describe_hdf5(const char *path, FILE *to, talus_error *err) {
    struct hdf5_file file;
    TALUS_TRY(hdf5_open(&file, path, err));
    talus_status status = put_hdf5(&file, path, to, err);
    hdf5_close(&file);
    return status;
}

talus_status talus_frames_describe(const char *path, FILE *to, talus_error *err) {
    if (ends_with(path, ".pvd")) return describe_list(path, to, err);
    if (ends_with(path, ".vtm")) return describe_frame(path, to, err);
    if (ends_with(path, ".vtp")) return describe_part(path, to, err);
    if (ends_with(path, ".vtkhdf")) return describe_hdf5(path, to, err);
    return error_set(err, TALUS_ERR_INPUT, "%s: must be a .pvd, .vtm, .vtp or .vtkhdf file", path);
}
