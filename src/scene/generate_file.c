/* SPDX-License-Identifier: Apache-2.0
 *
 * Text files of grains: one line `x y z r` for each, in metres. Blank lines and what follows a '#'
 * do not count. The first line may be `N dim L` (number of grains, dimension, size), as many codes
 * write it; then N is checked.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "scene/generate.h"
#include "scene/units.h"

enum { LINE_BYTES = 512 };

struct grain_file {
    const char *path;
    int dimension;
    long line;
    double announced; /* N of the first line; < 0 = there is none */
    struct grain_file_summary summary;
    struct grains *grains;          /* where the grains go; NULL = only check */
    const struct scene_shape *form; /* of the grains */
    struct random variants;
};

static talus_status wrong(const struct grain_file *file, talus_error *err, const char *what) {
    return error_set(err, TALUS_ERR_INPUT, "%s:%ld: %s", file->path, file->line, what);
}

/* Up to five numbers of a line; -1 if something else is in it. */
static int split(char *text, double numbers[5]) {
    int count = 0;
    text[strcspn(text, "#\r\n")] = '\0';
    for (char *at = text; count < 5; count++) {
        at += strspn(at, " \t,");
        if (*at == '\0') return count;
        char *end;
        numbers[count] = strtod(at, &end);
        bool sane = fabs(numbers[count]) <= quantity_largest; /* and finite */
        if (end == at || strchr(" \t,", *end) == NULL || !sane) return -1;
        at = end;
    }
    return count;
}

static talus_status take_header(struct grain_file *file, const double numbers[5],
                                talus_error *err) {
    bool sensible = numbers[0] >= 1.0 && numbers[0] == floor(numbers[0]) && numbers[1] >= 1.0 &&
                    numbers[1] <= 3.0 && numbers[1] == floor(numbers[1]);
    if (!sensible) return wrong(file, err, "three numbers on the first line must be N, dim, L");
    file->announced = numbers[0];
    return TALUS_OK;
}

static talus_status take_grain(struct grain_file *file, const double numbers[5], talus_error *err) {
    struct grain grain = {vec3_make(numbers[0], numbers[1], numbers[2]), numbers[3], 0};
    if (!(grain.radius > 0.0)) return wrong(file, err, "the radius must be greater than 0");
    if (grain.radius < quantity_smallest)
        return wrong(file, err, "the radius must be at least 1e-40 m");
    if (file->dimension < 3 && grain.position.z != 0.0) {
        return wrong(file, err, "z must be 0 in a world of fewer than 3 dimensions");
    }
    if (file->dimension < 2 && grain.position.y != 0.0) {
        return wrong(file, err, "y must be 0 in a 1-dimensional world");
    }
    file->summary.count++;
    file->summary.radius_max = fmax(file->summary.radius_max, grain.radius);
    if (file->grains == NULL) return TALUS_OK;
    const struct scene_size size = {.kind = SCENE_SIZE_ONE, .a = grain.radius};
    grain.variant = grain_draw(&size, file->form, &file->variants, &file->variants).variant;
    return grains_add(file->grains, grain) ? TALUS_OK : error_memory(err);
}

static talus_status take_line(struct grain_file *file, char *text, talus_error *err) {
    double numbers[5];
    int count = split(text, numbers);
    if (count == 0) return TALUS_OK;
    if (count == 3 && file->summary.count == 0 && file->announced < 0.0) {
        return take_header(file, numbers, err);
    }
    if (count != 4)
        return wrong(file, err, "a line must have four finite numbers, at most 1e30: x y z r");
    return take_grain(file, numbers, err);
}

static talus_status read_lines(struct grain_file *file, FILE *stream, talus_error *err) {
    char text[LINE_BYTES];
    while (fgets(text, sizeof text, stream) != NULL) {
        file->line++;
        bool whole = strchr(text, '\n') != NULL || feof(stream);
        if (!whole) return wrong(file, err, "the line is longer than 510 bytes or has a zero byte");
        TALUS_TRY(take_line(file, text, err));
    }
    if (ferror(stream)) {
        return error_set(err, TALUS_ERR_FILE, "cannot read '%s': %s", file->path, strerror(errno));
    }
    if (file->summary.count == 0) {
        return error_set(err, TALUS_ERR_INPUT, "%s: there are no grains in it", file->path);
    }
    if (file->announced >= 0.0 && file->announced != (double)file->summary.count) {
        return error_set(err, TALUS_ERR_INPUT,
                         "%s: the first line says %.0f grains, but there are %zu", file->path,
                         file->announced, file->summary.count);
    }
    return TALUS_OK;
}

static talus_status read_file(struct grain_file *file, talus_error *err) {
    struct stat info; /* before opening: a named pipe would make us wait for ever */
    if (stat(file->path, &info) == 0 && !S_ISREG(info.st_mode)) {
        return error_set(err, TALUS_ERR_FILE, "cannot read '%s': it is not a regular file",
                         file->path);
    }
    FILE *stream = fopen(file->path, "r");
    if (stream == NULL) {
        return error_set(err, TALUS_ERR_FILE, "cannot read '%s': %s", file->path, strerror(errno));
    }
    talus_status status = read_lines(file, stream, err);
    fclose(stream);
    return status;
}

talus_status grain_file_check(const char *path, int dimension, struct grain_file_summary *summary,
                              talus_error *err) {
    struct grain_file file = {.path = path, .dimension = dimension, .announced = -1.0};
    talus_status status = read_file(&file, err);
    *summary = file.summary;
    return status;
}

talus_status generate_file(const struct generate *generate, talus_error *err) {
    struct grain_file file = {.path = generate->generator->path,
                              .dimension = generate->scene->config.dim,
                              .announced = -1.0,
                              .grains = generate->grains,
                              .form = generate->generator->form,
                              .variants = generate_random(generate, DRAW_VARIANT)};
    return read_file(&file, err);
}
