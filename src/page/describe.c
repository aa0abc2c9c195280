/* SPDX-License-Identifier: Apache-2.0
 * run.json: title, names, units, times of the frames, and summary.json as it is once the run is over. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/json.h"
#include "page/source.h"
#include "sim/quantities.h"
#include "talus/catalog.h"

enum { LINE = 4096 };

/* ---- scene.yaml: its resolved form has these keys on lines of their own ------------------------ */

struct words {
    char title[256], color[32];
    int dim;
};

static talus_status read_scene(const struct source *source, struct words *words, talus_error *err) {
    char line[LINE];
    FILE *from;
    *words = (struct words){.dim = 3};
    TALUS_TRY(source_open_file(source->stored.results, "scene.yaml", &from, err));
    if (from == NULL) return TALUS_OK;
    while (fgets(line, LINE, from) != NULL) {
        (void)sscanf(line, "title: \"%255[^\"\n]", words->title);
        (void)sscanf(line, "dimension: %d", &words->dim);
        const char *color = strncmp(line, "  picture: ", 11) == 0 ? strstr(line, "color: ") : NULL;
        if (color != NULL) (void)sscanf(color, "color: %31[a-z]", words->color);
    }
    fclose(from);
    return TALUS_OK;
}

/* ---- names.tsv ------------------------------------------------------------------------------- */

static void put_name(struct json *json, const char *line) {
    char what[16], number[24], name[256];
    if (sscanf(line, "%15[a-z]\t%23[0-9]\t%255[^\n]", what, number, name) != 3) return;
    json_object(json, NULL);
    json_text(json, "what", what);
    json_integer(json, "number", strtoll(number, NULL, 10));
    json_text(json, "name", name);
    json_object_end(json);
}

static talus_status put_names(struct json *json, const struct source *source, talus_error *err) {
    struct bytes names = {.count = 0};
    bool there; /* without it: numbers */
    talus_status status =
        source->has_final ? bytes_put(&names, source->names.data, source->names.count, err)
                          : source_file(source->stored.frames, "names.tsv", &there, &names, err);
    if (status >= 0) status = bytes_put(&names, "", 1, err); /* the end of a text */
    json_array(json, "names");
    char *rest = NULL, *line = status >= 0 ? strtok_r((char *)names.data, "\n", &rest) : NULL;
    for (; line != NULL; line = strtok_r(NULL, "\n", &rest)) put_name(json, line);
    json_array_end(json);
    bytes_free(&names);
    return status;
}

static void put_quantities(struct json *json) {
    json_array(json, "quantities");
    for (int i = 0; i < QUANTITY_COUNT; i++) {
        const struct quantity *quantity = quantity_get(i);
        if (quantity->of != QUANTITY_GRAIN) continue;
        json_object(json, NULL);
        json_text(json, "name", quantity->entry.name);
        json_text(json, "unit", quantity->unit);
        json_text(json, "meaning", quantity->meaning);
        json_object_end(json);
    }
    json_array_end(json);
}

/* ---- all ------------------------------------------------------------------------------------- */

static void put_frames(struct json *json, const struct source *source, const size_t *frames,
                       size_t count) {
    json_array(json, "frames");
    for (size_t i = 0; i < count; i++) {
        size_t number = frames != NULL ? frames[i] : i;
        json_object(json, NULL);
        json_integer(json, "number", (int64_t)number);
        json_number(json, "time", source->stored.list.entries[number].time);
        json_object_end(json);
    }
    json_array_end(json);
}

static talus_status find_series_size(const struct source *source, int64_t *size, talus_error *err) {
    FILE *from;
    *size = 0;
    TALUS_TRY(source_open_file(source->directory, "series.tsv", &from, err));
    if (from == NULL) return TALUS_OK;
    if (fseek(from, 0, SEEK_END) == 0) *size = (int64_t)ftell(from);
    fclose(from);
    return TALUS_OK;
}

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/* The summary goes as text: it is JSON already, and the page reads it. */
static talus_status put_summary(struct json *json, const struct source *source, talus_error *err) {
    struct bytes summary = {.count = 0};
    bool there = false;
    talus_status status = source_file(source->directory, "summary.json", &there, &summary, err);
    if (there && status >= 0) status = bytes_put(&summary, "", 1, err);
    if (there && status >= 0) json_text(json, "summary", (const char *)summary.data);
    bytes_free(&summary);
    return status;
}

talus_status source_describe(const struct source *source, const size_t *frames, size_t count,
                             struct bytes *to, talus_error *err) {
    struct words words;
    int64_t series_size;
    to->count = 0;
    TALUS_TRY(read_scene(source, &words, err));
    TALUS_TRY(find_series_size(source, &series_size, err));
    FILE *stream = bytes_stream(to);
    if (stream == NULL) return error_memory(err);
    struct json json = json_start(stream);
    json_object(&json, NULL);
    json_text(&json, "version", talus_version());
    json_text(&json, "directory", last_part(source->directory));
    json_text(&json, "title", words.title);
    json_text(&json, "color", words.color);
    json_integer(&json, "dimension", words.dim);
    json_integer(&json, "only_final", source->stored.only_final);
    json_integer(&json, "from_checkpoint", source->has_final);
    json_integer(&json, "shapes", source->has_shapes);
    json_integer(&json, "series_bytes", series_size);
    put_frames(&json, source, frames, frames != NULL ? count : source->stored.list.count);
    put_quantities(&json);
    talus_status status = put_names(&json, source, err);
    if (status >= 0) status = put_summary(&json, source, err);
    json_object_end(&json);
    talus_status arrived = bytes_stream_end(stream, err);
    return status < 0 ? status : arrived;
}
