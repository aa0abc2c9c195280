/* SPDX-License-Identifier: Apache-2.0
 * talus_export: which frames, which files; the formats themselves are in export_*.c. */
#include "io/export.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "io/number.h"
#include "io/stored.h"

static const struct export_format *const formats[] = {&export_dump,    &export_xyz,    &export_csv,
                                                      &export_mercury, &export_vtkhdf, &export_vtp};
enum { FORMATS = sizeof formats / sizeof formats[0] };

const char *talus_export_format_name(size_t index) {
    return index < FORMATS ? formats[index]->name : NULL;
}

const char *talus_export_format_meaning(size_t index) {
    return index < FORMATS ? formats[index]->meaning : NULL;
}

talus_export_config talus_export_config_default(void) {
    return (talus_export_config){.stop = INT64_MAX, .step = 1};
}

/* ---- for the writers ------------------------------------------------------------------------- */

void export_made(struct export *export, const char *path) {
    talus_export_report *report = export->report;
    if (report->file_count == TALUS_EXPORT_FILES) return;
    snprintf(report->files[report->file_count++], TALUS_EXPORT_PATH, "%s", path);
}

talus_status export_open(struct export *export, int file, const char *ending, talus_error *err) {
    char name[FRAME_FILE * 5];
    snprintf(name, sizeof name, "%s%s", export->stem, ending);
    return file_open(&export->files[file], export->directory, name, FILE_WHOLE, err);
}

talus_status export_close(struct export *export, talus_error *err) {
    for (int i = 0; i < 2; i++) {
        if (export->files[i].stream == NULL) continue;
        TALUS_TRY(file_close(&export->files[i], err));
        export_made(export, export->files[i].path);
    }
    return TALUS_OK;
}

void export_number(FILE *to, double value) {
    char text[NUMBER_TEXT];
    fputc(' ', to);
    fputs(number_text(value, text), to);
}

void export_value(FILE *to, const struct frame_array *array, size_t i, int k) {
    if (array->type == FRAME_INT32 || array->type == FRAME_INT64)
        fprintf(to, " %" PRId64, frame_integer(array, i, k));
    else
        export_number(to, frame_real(array, i, k));
}

/* The least and the largest place of points along an axis, with their radii if they have any. */
static void span(const struct frame_block *block, int axis, double *low, double *high) {
    const struct frame_array *radius = frame_find(block, "radius");
    for (size_t i = 0; block->present && i < block->points.count; i++) {
        double x = frame_real(&block->points, i, axis);
        double r = radius != NULL ? frame_real(radius, i, 0) : 0.0;
        *low = fmin(*low, x - r);
        *high = fmax(*high, x + r);
    }
}

/* Readers refuse a box without volume: where there are no grains it is that of the walls, or one metre. */
static void span_of_all(const struct frame *frame, int axis, double *low, double *high) {
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    span(&frame->blocks[FRAME_PARTICLES], axis, low, high);
    if (!(*low < *high)) span(&frame->blocks[FRAME_WALLS], axis, low, high);
    if (*low < *high) return;
    double middle = *low <= *high ? *low : 0.0;
    *low = middle - 0.5;
    *high = middle + 0.5;
}

struct export_box export_box(const struct frame *frame) {
    const struct frame_block *block = &frame->blocks[FRAME_PARTICLES];
    const struct frame_array *periodic = frame_find_fact(block, "cell_periodic");
    const struct frame_array *origin = frame_find_fact(block, "cell_origin");
    const struct frame_array *size = frame_find_fact(block, "cell_size");
    struct export_box box;
    for (int axis = 0; axis < 3; axis++) {
        box.periodic[axis] = periodic != NULL && origin != NULL && size != NULL &&
                             frame_real(periodic, 0, axis) != 0.0;
        span_of_all(frame, axis, &box.low[axis], &box.high[axis]);
        if (!box.periodic[axis]) continue;
        box.low[axis] = frame_real(origin, 0, axis);
        box.high[axis] = box.low[axis] + frame_real(size, 0, axis);
    }
    return box;
}

/* ---- where it goes --------------------------------------------------------------------------- */

static bool ends_with(const char *text, const char *end) {
    size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

/* Directory and stem of "a/b.dump": "a", "b". The ending goes only if it is that of the format. */
static talus_status split(struct export *export, const char *path, const char *format,
                          talus_error *err) {
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    char ending[32];
    snprintf(ending, sizeof ending, ".%s", strcmp(format, "mercury") == 0 ? "data" : format);
    size_t length = strlen(name) - (ends_with(name, ending) ? strlen(ending) : 0);
    if (length == 0 || length >= sizeof export->stem || slash - path >= FILE_PATH - 1)
        return error_set(err, TALUS_ERR_INPUT, "\"%.200s\" is no name for a file", path);
    memcpy(export->stem, name, length);
    export->stem[length] = '\0';
    if (slash == NULL)
        snprintf(export->directory, FILE_PATH, ".");
    else
        snprintf(export->directory, FILE_PATH, "%.*s", slash == path ? 1 : (int)(slash - path),
                 path);
    return TALUS_OK;
}

/* ---- where it comes from --------------------------------------------------------------------- */

/* Materials whose names are not told have numbers. */
static void read_types(struct export *export, const struct stored *origin) {
    if (origin->only_final) {
        stored_only_material(origin->results, export->types[0]);
        return;
    }
    for (int number = 1; number <= EXPORT_TYPES; number++)
        if (!stored_name(origin, "type", number, export->types[number - 1])) break;
}

/* ---- all frames ------------------------------------------------------------------------------ */

static talus_status each_frame(struct export *export, const struct export_format *format,
                               const talus_export_config *config, const struct stored *origin,
                               talus_error *err) {
    struct stored_range range;
    struct frame frame = {.time = 0.0};
    talus_status status = TALUS_OK;
    TALUS_TRY(stored_choose(origin, config->first, config->stop, &range, err));
    for (int64_t i = range.first; i < range.stop && status >= 0; i += config->step) {
        status = stored_read(origin, (size_t)i, &frame, err);
        if (status >= 0 && origin->only_final)
            status = stored_complete_final(&frame, origin->results, err);
        if (status >= 0) status = format->add(export, &frame, err);
        if (status >= 0) export->frames++;
        if (config->step > range.stop - i) break;
    }
    frame_free(&frame);
    return status;
}

static const struct export_format *find_format(const char *name) {
    for (int i = 0; name != NULL && i < FORMATS; i++)
        if (strcmp(formats[i]->name, name) == 0) return formats[i];
    return NULL;
}

static talus_status write_all(struct export *export, const struct export_format *format,
                              const talus_export_config *config, struct stored *origin,
                              talus_error *err) {
    char beside[FILE_PATH];
    TALUS_TRY(stored_find(origin, config->from, err));
    TALUS_TRY(file_path(beside, origin->results, "export", err));
    TALUS_TRY(split(export, config->to != NULL ? config->to : beside, format->name, err));
    read_types(export, origin);
    TALUS_TRY(format->start(export, err));
    TALUS_TRY(each_frame(export, format, config, origin, err));
    return format->finish(export, err);
}

static void clean_up(struct export *export, struct stored *origin) {
    for (int i = 0; i < 2; i++) file_discard(&export->files[i]);
    for (int i = 0; i < FRAME_KINDS; i++) hdf5_discard(&export->hdf5[i]);
    memory_free(&export->memory, export->index, export->index_capacity, sizeof *export->index);
    memory_free(&export->memory, export->steps, export->step_capacity, sizeof *export->steps);
    vtk_list_free(&export->list);
    stored_free(origin);
}

talus_status talus_export(const talus_export_config *config, talus_export_report *report,
                          talus_error *err) {
    talus_export_report unwanted;
    const struct export_format *format = find_format(config->format);
    if (report == NULL) report = &unwanted;
    *report = (talus_export_report){.frames = 0};
    if (format == NULL)
        return error_set(
            err, TALUS_ERR_UNKNOWN_NAME,
            "there is no format \"%s\"; there are dump, xyz, csv, mercury, vtkhdf, vtp",
            config->format != NULL ? config->format : "");
    if (config->from == NULL || config->step < 1)
        return error_set(err, TALUS_ERR_INPUT, "step is %" PRId64 ", but must be 1 or more",
                         config->step);
    struct export export = {.report = report};
    struct stored origin = {.only_final = false};
    for (int i = 0; i < FRAME_KINDS; i++) export.hdf5[i].id = -1;
    talus_status status = write_all(&export, format, config, &origin, err);
    report->frames = export.frames;
    clean_up(&export, &origin);
    return status;
}
