/* SPDX-License-Identifier: Apache-2.0 */
#include "papers/papers.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define PAPER(name) extern const struct paper name##_paper;
#include "papers/papers.def"
#undef PAPER

#define PAPER(name) &name##_paper,
static const struct paper *const papers[] = {
#include "papers/papers.def"
};
#undef PAPER

size_t paper_count(void) {
    return sizeof papers / sizeof papers[0];
}

const struct paper *paper_at(size_t index) {
    return papers[index];
}

const struct paper *paper_find(const char *name) {
    for (size_t i = 0; i < paper_count(); i++)
        if (strcmp(papers[i]->name, name) == 0) return papers[i];
    return NULL;
}

static talus_status fail(talus_error *err, talus_status status, const char *path,
                         const char *problem) {
    if (err == NULL) return status;
    err->status = status;
    snprintf(err->text, sizeof err->text, "%.2000s: %.2000s", path, problem);
    return status;
}

/* ---- for measure() --------------------------------------------------------------------------- */

talus_status paper_scene(const struct paper_run *run, const char *file,
                         const char *const *overrides, size_t override_count, talus_scene **out,
                         talus_error *err) {
    char path[PAPER_PATH];
    snprintf(path, sizeof path, "%s/%s", run->data, file);
    return talus_scene_load(path, overrides, override_count, out, err);
}

talus_status paper_simulate(const struct paper_run *run, const char *file,
                            const char *const *overrides, size_t override_count, talus_result **out,
                            talus_error *err) {
    talus_scene *scene = NULL;
    talus_run_config config = talus_run_config_default();
    *out = NULL;
    talus_status status = paper_scene(run, file, overrides, override_count, &scene, err);
    if (status < 0) return status;
    config.keep_series = true;
    config.picture = false;
    status = talus_run(scene, &config, out, err);
    talus_scene_free(scene);
    if (status >= 0) return status;
    talus_result_free(*out);
    *out = NULL;
    return status;
}

talus_status paper_column(const talus_result *result, const char *name, const double **values,
                          size_t *count, talus_error *err) {
    *values = talus_result_column(result, name, count);
    if (*values != NULL) return TALUS_OK;
    return fail(err, TALUS_ERR_UNKNOWN_NAME, name, "no such column in the series of the scene");
}

double paper_random(uint64_t *state) { /* splitmix64 */
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

void paper_record(struct paper_run *run, const char *name, double measured) {
    if (run->number_count >= PAPER_NUMBERS) return;
    struct paper_number *number = &run->numbers[run->number_count++];
    snprintf(number->name, sizeof number->name, "%s", name);
    number->measured = measured;
}

void paper_note(const struct paper_run *run, const char *text, ...) {
    if (run->notes == NULL) return;
    va_list arguments;
    va_start(arguments, text);
    vfprintf(run->notes, text, arguments);
    fputc('\n', run->notes);
    fflush(run->notes);
    va_end(arguments);
}

talus_status paper_table_open(const struct paper_run *run, const char *file, FILE **out,
                              talus_error *err) {
    char path[PAPER_PATH];
    snprintf(path, sizeof path, "%s/%s", run->output, file);
    *out = fopen(path, "w");
    return *out != NULL ? TALUS_OK : fail(err, TALUS_ERR_FILE, path, strerror(errno));
}

talus_status paper_table_close(FILE *table, const char *file, talus_error *err) {
    bool failed = fflush(table) != 0 || ferror(table);
    int number = errno;
    if (fclose(table) != 0 && !failed) {
        failed = true;
        number = errno;
    }
    return failed ? fail(err, TALUS_ERR_FILE, file, strerror(number)) : TALUS_OK;
}

/* ---- for the command ------------------------------------------------------------------------- */

/* name <tab> expected <tab> tolerance <tab> source; comments begin with #. */
static bool parse(char *line, struct paper_expectation *out) {
    char *field[4], *end;
    for (int i = 0; i < 4; i++) {
        field[i] = line;
        line = strchr(line, i < 3 ? '\t' : '\n');
        if (line == NULL && i < 3) return false;
        if (line != NULL) *line++ = '\0';
    }
    snprintf(out->name, sizeof out->name, "%.*s", PAPER_NAME - 1, field[0]);
    out->expected = strtod(field[1], &end);
    if (end == field[1] || *end != '\0') return false;
    out->tolerance = strtod(field[2], &end);
    if (end == field[2] || *end != '\0') return false;
    snprintf(out->source, sizeof out->source, "%.*s", PAPER_SOURCE - 1, field[3]);
    return true;
}

static FILE *open_expected(const char *data, bool quick, char path[PAPER_PATH]) {
    FILE *from = NULL;
    if (quick) {
        snprintf(path, PAPER_PATH, "%s/expected-quick.tsv", data);
        from = fopen(path, "r");
    }
    if (from == NULL) {
        snprintf(path, PAPER_PATH, "%s/expected.tsv", data);
        from = fopen(path, "r");
    }
    return from;
}

talus_status paper_expected(const char *data, bool quick, struct paper_expectation *out, int *count,
                            talus_error *err) {
    char path[PAPER_PATH], line[512];
    FILE *from = open_expected(data, quick, path);
    if (from == NULL) return fail(err, TALUS_ERR_FILE, path, strerror(errno));
    *count = 0;
    while (fgets(line, sizeof line, from) != NULL && *count < PAPER_NUMBERS) {
        if (line[0] == '#' || line[0] == '\n') continue;
        if (parse(line, &out[*count])) {
            (*count)++;
            continue;
        }
        fclose(from);
        return fail(err, TALUS_ERR_INPUT, path, "a line is not name, expected, tolerance, source");
    }
    fclose(from);
    return TALUS_OK;
}

double paper_measured(const struct paper_run *run, const char *name) {
    for (int i = 0; i < run->number_count; i++)
        if (strcmp(run->numbers[i].name, name) == 0) return run->numbers[i].measured;
    return nan("");
}
