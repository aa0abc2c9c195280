/* SPDX-License-Identifier: Apache-2.0
 * talus info: a directory of results, or one of its files, in a few lines. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/json_reader.h"
#include "cli/options.h"

static int file_failed(const char *path) {
    complain("%s: %s", path, strerror(errno));
    return CLI_FILES_OR_SYSTEM;
}

/* ---- summary.json ---------------------------------------------------------------------------- */

static void put_value(const char *path, const char *text, void *context) {
    (void)context;
    if (text[0] != '\0') printf("  %-32s %s\n", path, text);
}

static char *read_whole(const char *path) {
    FILE *from = fopen(path, "r");
    if (from == NULL) return NULL;
    size_t size = 0, room = 65536;
    char *text = malloc(room);
    while (text != NULL) {
        size += fread(text + size, 1, room - 1 - size, from);
        if (size < room - 1) break;
        room *= 2;
        char *grown = realloc(text, room);
        if (grown == NULL) free(text);
        text = grown;
    }
    if (text != NULL) text[size] = '\0';
    fclose(from);
    return text;
}

static int info_summary(const char *path) {
    char *text = read_whole(path);
    if (text == NULL) return file_failed(path);
    bool good = json_read(text, put_value, NULL);
    free(text);
    return good ? CLI_OK : complain("%s: is not a whole JSON file", path);
}

/* ---- series.tsv ------------------------------------------------------------------------------ */

static void put_columns(char *header, const char *last) {
    char *saved_name, *name = strtok_r(header, "\t\n", &saved_name);
    const char *value = last;
    for (; name != NULL; name = strtok_r(NULL, "\t\n", &saved_name)) {
        size_t length = strcspn(value, "\t\n");
        printf("  %-32s %.*s\n", name, (int)length, value);
        value += length + (value[length] == '\t');
    }
}

static int info_series(const char *path) {
    FILE *from = fopen(path, "r");
    char *header = NULL, *line = NULL, *last = NULL;
    size_t header_size = 0, line_size = 0, last_size = 0, rows = 0;
    if (from == NULL) return file_failed(path);
    if (getline(&header, &header_size, from) > 0)
        for (; getline(&line, &line_size, from) > 0; rows++) {
            /* The two buffers change places, so that the last line stays when the file ends. */
            char *text = last;
            size_t size = last_size;
            last = line;
            last_size = line_size;
            line = text;
            line_size = size;
        }
    fclose(from);
    printf("%s: %zu rows; the last one:\n", path, rows);
    if (header != NULL) put_columns(header, last != NULL ? last : "");
    free(header);
    free(line);
    free(last);
    return CLI_OK;
}

/* ---- measures/NAME.tsv ------------------------------------------------------------------------- */

/* A table of blocks has several rows at each time. */
static void put_times(const talus_table *table) {
    size_t time = talus_table_find(table, "time"), times = 0;
    if (time == table->column_count || table->row_count == 0) return;
    for (size_t r = 0; r < table->row_count; r++)
        times += r == 0 || talus_table_at(table, r, time) != talus_table_at(table, r - 1, time);
    printf("  %-32s %zu, from %.9g to %.9g s\n", "times", times, talus_table_at(table, 0, time),
           talus_table_at(table, table->row_count - 1, time));
}

static int info_table(const char *path) {
    talus_table table = {.row_count = 0};
    talus_error err;
    if (talus_table_read(path, &table, &err) < 0) {
        talus_table_free(&table);
        return info_series(path); /* names.tsv: not of numbers */
    }
    bool noted = table.notes[0] != '\0';
    if (noted) {
        fputs(table.notes, stdout);
        printf("%s: %zu rows\n", path, table.row_count);
        put_times(&table);
        printf("  %-32s", "columns");
        for (size_t c = 0; c < table.column_count; c++)
            printf(table.columns[c].unit[0] != '\0' ? " %s[%s]" : " %s", table.columns[c].name,
                   table.columns[c].unit);
        putchar('\n');
    }
    talus_table_free(&table);
    return noted ? CLI_OK : info_series(path);
}

/* ---- frames ------------------------------------------------------------------------------------ */

static int info_frames(const char *path) {
    talus_error err;
    return talus_frames_describe(path, stdout, &err) < 0 ? complain_error(&err) : CLI_OK;
}

/* ---- checkpoint.h5 --------------------------------------------------------------------------- */

static void put_checkpoint(const char *path, const talus_checkpoint_view *view) {
    printf("%s: checkpoint of talus %s, format %d, %" PRIu64 " bytes, whole\n", path, view->program,
           view->format, view->bytes);
    if (view->title[0] != '\0') printf("  %-32s %s\n", "title", view->title);
    printf("  %-32s %dD, %s grains\n", "scene", view->dim, view->soft ? "soft" : "rigid");
    printf("  %-32s %s\n", "run",
           view->finished ? "over" : "to be resumed (talus run --resume DIR)");
    printf("  %-32s %d/%d %s\n", "phase", view->phase_number, view->phase_count, view->phase);
    printf("  %-32s %" PRId64 "\n", "step", view->step);
    printf("  %-32s %.9g s, dt = %.6g s\n", "time", view->time, view->dt);
    printf("  %-32s %" PRId64 "\n", "grains", view->grains);
    if (view->poured > 0) printf("  %-32s %" PRId64 "\n", "poured", view->poured);
    printf("  %-32s %" PRId64 "\n", "boundaries", view->boundaries);
    printf("  %-32s %" PRId64 ", kept of %" PRId64 " near pairs\n", "contacts", view->contacts,
           view->candidates);
    if (view->bonds_broken > 0) printf("  %-32s %" PRId64 "\n", "bonds broken", view->bonds_broken);
    printf("  %-32s %.3f\n", "wall_seconds", view->wall_seconds);
}

static int info_checkpoint(const char *path) {
    talus_checkpoint_view view;
    talus_error err;
    if (talus_checkpoint_look(path, &view, &err) < 0) return complain_error(&err);
    put_checkpoint(path, &view);
    return CLI_OK;
}

/* Sealed files begin with a line of text. */
static bool is_checkpoint(const char *path) {
    static const char magic[] = "talus checkpoint";
    char first[sizeof magic] = "";
    FILE *from = fopen(path, "rb");
    if (from == NULL) return false;
    size_t got = fread(first, 1, sizeof magic - 1, from);
    fclose(from);
    return got == sizeof magic - 1 && memcmp(first, magic, got) == 0;
}

/* ---- anything -------------------------------------------------------------------------------- */

/* A text table with comment lines: final.txt, final_contacts.txt. */
static int info_text(const char *path) {
    FILE *from = fopen(path, "r");
    char *line = NULL;
    size_t size = 0, lines = 0;
    if (from == NULL) return file_failed(path);
    while (getline(&line, &size, from) > 0) {
        if (line[0] == '#')
            fputs(line, stdout);
        else
            lines++;
    }
    printf("%s: %zu lines\n", path, lines);
    free(line);
    fclose(from);
    return CLI_OK;
}

static bool ends_with(const char *path, const char *end) {
    size_t n = strlen(path), m = strlen(end);
    return n >= m && strcmp(path + n - m, end) == 0;
}

static int info_file(const char *path) {
    if (ends_with(path, ".json")) return info_summary(path);
    if (ends_with(path, ".tsv")) return info_table(path);
    if (ends_with(path, ".pvd") || ends_with(path, ".vtm") || ends_with(path, ".vtp") ||
        ends_with(path, ".vtkhdf"))
        return info_frames(path);
    if (ends_with(path, ".txt")) return info_text(path);
    if (ends_with(path, ".yaml") || ends_with(path, ".yml")) {
        char name[] = "check";
        char *argv[] = {name, (char *)path, NULL};
        return check_command(2, argv);
    }
    if (is_checkpoint(path) || ends_with(path, "checkpoint.h5")) return info_checkpoint(path);
    if (ends_with(path, ".hdf5") || ends_with(path, ".h5")) return describe_problem(path);
    return complain("%s: must be a directory of results, a contact problem (.hdf5) or one of a "
                    "run's .h5, .json, .tsv, .txt, .yaml, .pvd, .vtm, .vtp, .vtkhdf files",
                    path);
}

static int info_directory(const char *path) {
    char file[CLI_PATH];
    struct stat status;
    if (!join_path(file, path, "summary.json")) return complain("the path is too long");
    if (stat(file, &status) != 0) {
        if (join_path(file, path, "frames.pvd") && stat(file, &status) == 0)
            return info_frames(file);
        if (!join_path(file, path, "series.tsv") || stat(file, &status) != 0)
            return complain("%s: holds no results (no summary.json)", path);
        printf("%s: no summary.json: the run has not ended or was killed\n", path);
        char checkpoint[CLI_PATH];
        if (join_path(checkpoint, path, "checkpoint.h5") && stat(checkpoint, &status) == 0) {
            int code = info_checkpoint(checkpoint);
            if (code != CLI_OK) return code;
        }
        return info_series(file);
    }
    printf("%s\n", path);
    return info_summary(file);
}

static int info_one(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) return file_failed(path);
    if (S_ISDIR(status.st_mode)) return info_directory(path);
    if (S_ISREG(status.st_mode)) return info_file(path);
    /* Whoever opened a pipe would wait for ever. */
    complain("%s: cannot be read: it is not a regular file", path);
    return CLI_FILES_OR_SYSTEM;
}

int info_command(int argc, char **argv) {
    static const struct option_def defs[] = {{0}};
    struct options options = options_start(
        argc, argv, defs, "info DIR|FILE...",
        "Summarises a directory of results (its summary.json), a series, a table of a measure,\n"
        "a state, a scene, frames (their directory, .pvd, .vtm, .vtp, .vtkhdf), a checkpoint\n"
        "(all of it is checked) or a contact problem (FCLIB).");
    const char *value;
    bool any = false;
    for (;;) {
        switch (options_next(&options, &value)) {
        case OPTION_END: return any ? CLI_OK : complain("info: which directory or file?");
        case OPTION_HELP: return CLI_OK;
        case OPTION_POSITIONAL: {
            int code = info_one(value);
            if (code != CLI_OK) return code;
            any = true;
            break;
        }
        default: return CLI_WRONG_INPUT;
        }
    }
}
