/* SPDX-License-Identifier: Apache-2.0
 * talus measure: stress, forces, profiles, ... of stored frames, as a table. */
#include <string.h>

#include "cli/cli.h"
#include "cli/options.h"

enum { OUTPUT = 1, FRAME, FRAMES, SET, JSON };
enum { SETTINGS = 64 };

static const struct option_def defs[] = {
    {FRAME, "frame", 'f', "N", "which frame, -1 = the last (default)"},
    {FRAMES, "frames", 0, "A:B:STEP", "several frames: 10:20, ::5, : (all); with a column of time"},
    {SET, "set", 's', "KEY=VALUE", "a parameter of the measure, as often as needed"},
    {JSON, "json", 0, NULL, "as JSON instead of tab-separated columns"},
    {OUTPUT, "output", 'o', "FILE", "into this file instead of standard output"},
    {0}};

struct order {
    talus_measure_config config;
    const char *settings[SETTINGS];
    const char *output;
    bool json;
    bool frame, frames; /* which of these options were given */
};

/* ---- what is printed ------------------------------------------------------------------------- */

static void print_json_notes(FILE *to, const char *notes) {
    char line[TALUS_TABLE_NOTES];
    fputs("\"notes\": [", to);
    for (const char *at = notes; *at != '\0'; at += strcspn(at, "\n") + 1) {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        fputs(at == notes ? "" : ", ", to);
        put_json_text(to, line);
        if (at[strcspn(at, "\n")] == '\0') break;
    }
    fputs("]", to);
}

static void print_json_columns(FILE *to, const talus_table *table) {
    fputs("\"columns\": [", to);
    for (size_t k = 0; k < table->column_count; k++) {
        fputs(k > 0 ? ", {\"name\": " : "{\"name\": ", to);
        put_json_text(to, table->columns[k].name);
        fputs(", \"unit\": ", to);
        put_json_text(to, table->columns[k].unit);
        fputc('}', to);
    }
    fputc(']', to);
}

static void print_json(FILE *to, const char *name, const talus_table *table) {
    fputs("{\"measure\": ", to);
    put_json_text(to, name);
    fputs(",\n ", to);
    print_json_notes(to, table->notes);
    fputs(",\n ", to);
    print_json_columns(to, table);
    fputs(",\n \"rows\": [", to);
    for (size_t row = 0; row < table->row_count; row++) {
        fputs(row > 0 ? ",\n  [" : "\n  [", to);
        for (size_t k = 0; k < table->column_count; k++) {
            if (k > 0) fputs(", ", to);
            put_json_number(to, talus_table_at(table, row, k));
        }
        fputc(']', to);
    }
    fputs("]}\n", to);
}

/* ---- the command ----------------------------------------------------------------------------- */

static int write_file(const struct order *order, const talus_table *table) {
    talus_error err;
    if (!order->json)
        return talus_table_write(table, order->output, &err) < 0 ? complain_error(&err) : CLI_OK;
    char part[CLI_PATH]; /* an old file stays until the new one is whole */
    if (snprintf(part, sizeof part, "%s.part", order->output) >= (int)sizeof part)
        return complain("measure: the name %.60s... is too long", order->output);
    FILE *to = fopen(part, "w");
    if (to != NULL) print_json(to, order->config.name, table);
    bool written = to != NULL && !ferror(to);
    if (to != NULL && fclose(to) != 0) written = false;
    if (written && rename(part, order->output) == 0) return CLI_OK;
    remove(part);
    complain("measure: %s cannot be written", order->output);
    return CLI_FILES_OR_SYSTEM;
}

static int measure(struct order *order) {
    talus_table table = {.row_count = 0};
    talus_error err;
    int code = CLI_OK;
    order->config.parameters = order->settings;
    if (order->config.from == NULL) return complain("measure: which directory or frame?");
    if (order->config.name == NULL)
        return complain("measure: what? talus list measures shows the names");
    if (!one_way_of_frames("measure", order->frame, order->frames)) return CLI_WRONG_INPUT;
    if (order->output != NULL && talus_run_spare(order->config.from, order->output, &err) < 0)
        return complain_error(&err);
    if (talus_measure_stored(&order->config, &table, &err) < 0) return complain_error(&err);
    if (order->output != NULL)
        code = write_file(order, &table);
    else if (order->json)
        print_json(stdout, order->config.name, &table);
    else
        talus_table_print(&table, stdout);
    talus_table_free(&table);
    return code;
}

static bool accept(struct order *order, int option, const char *value) {
    talus_measure_config *config = &order->config;
    switch (option) {
    case OPTION_POSITIONAL:
        if (config->name != NULL) complain("measure: \"%s\": one measure at a time", value);
        if (config->name != NULL) return false;
        *(config->from == NULL ? &config->from : &config->name) = value;
        return true;
    case OUTPUT: order->output = value; return true;
    case JSON: order->json = true; return true;
    case FRAME:
        order->frame = true;
        if (strchr(value, ':') == NULL)
            return choose_frames("measure", value, &config->first, &config->stop, &config->step);
        complain("measure: --frame %s: must be one number; --frames takes several", value);
        return false;
    case FRAMES:
        order->frames = true;
        config->time = true;
        return choose_frames("measure", value, &config->first, &config->stop, &config->step);
    case SET:
        if (config->parameter_count == SETTINGS) complain("measure: more than 64 --set");
        if (config->parameter_count == SETTINGS) return false;
        order->settings[config->parameter_count++] = value;
        return true;
    default: return false;
    }
}

int measure_command(int argc, char **argv) {
    struct order order = {.config = talus_measure_config_default()};
    struct options options = options_start(
        argc, argv, defs, "measure DIR|FRAME NAME [OPTIONS]",
        "Measures stored frames of a run (output: {frames: ...}), or its final state if it kept\n"
        "none, and prints a table. talus list measures shows the names, talus describe NAME what\n"
        "each can be told; docs/measures.md has the formulas.");
    const char *value;
    for (;;) {
        int option = options_next(&options, &value);
        if (option == OPTION_END) return measure(&order);
        if (option == OPTION_HELP) return CLI_OK;
        if (!accept(&order, option, value)) return CLI_WRONG_INPUT;
    }
}
