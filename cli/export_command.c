/* SPDX-License-Identifier: Apache-2.0
 * talus export: the frames of a run in the formats of other programs. */
#include <string.h>

#include "cli/cli.h"
#include "cli/options.h"

enum { TO = 1, OUTPUT, FRAMES };

static const struct option_def defs[] = {
    {TO, "to", 't', "FORMAT", "dump, xyz, csv, mercury, vtkhdf or vtp"},
    {OUTPUT, "output", 'o', "NAME", "name of the file; default `export` in the directory"},
    {FRAMES, "frames", 0, "A:B:STEP", "which frames: 7, -1 (the last), 10:20, ::5; default all"},
    {0}};

static int unknown_format(const char *name) {
    const char *names[16], *format;
    size_t count = 0;
    while (count < 16 && (format = talus_export_format_name(count)) != NULL)
        names[count++] = format;
    const char *near = nearest_word(name, names, count);
    if (near != NULL)
        return complain("export: there is no format \"%s\"; did you mean \"%s\"?", name, near);
    return complain("export: there is no format \"%s\"; there are dump, xyz, csv, mercury, vtkhdf, "
                    "vtp",
                    name);
}

static bool is_format(const char *name) {
    const char *format;
    for (size_t i = 0; (format = talus_export_format_name(i)) != NULL; i++)
        if (strcmp(name, format) == 0) return true;
    return false;
}

/* Of all exports only frames have names that a run gives to files, too. */
static talus_status spare_frames(const talus_export_config *config, talus_error *err) {
    static const char list[] = "/frames.pvd", part[] = ".particles.vtkhdf", ending[] = ".vtkhdf";
    char path[CLI_PATH];
    bool vtp = strcmp(config->format, "vtp") == 0, vtkhdf = strcmp(config->format, "vtkhdf") == 0;
    if (config->to == NULL || (!vtp && !vtkhdf)) return TALUS_OK;
    size_t length = strlen(config->to), cut = strlen(ending);
    if (vtkhdf && length > cut && strcmp(config->to + length - cut, ending) == 0) length -= cut;
    snprintf(path, sizeof path, "%.*s%s", (int)length, config->to, vtp ? list : part);
    return talus_run_spare(config->from, path, err);
}

static int run_export(const talus_export_config *config) {
    static talus_export_report report; /* large */
    talus_error err;
    if (config->from == NULL) return complain("export: which directory or frame?");
    if (config->format == NULL)
        return complain("export: to what? (--to dump, xyz, csv, mercury, vtkhdf or vtp)");
    if (!is_format(config->format)) return unknown_format(config->format);
    if (spare_frames(config, &err) < 0 || talus_export(config, &report, &err) < 0)
        return complain_error(&err);
    printf("%zu frame%s\n", report.frames, report.frames == 1 ? "" : "s");
    for (size_t i = 0; i < report.file_count; i++) printf("%s\n", report.files[i]);
    return CLI_OK;
}

int export_command(int argc, char **argv) {
    talus_export_config config = talus_export_config_default();
    struct options options = options_start(
        argc, argv, defs, "export DIR|FRAME --to FORMAT [OPTIONS]",
        "Writes the frames of a run (output: {frames: ...}), or its final state if it kept\n"
        "none, in the format of another program:\n"
        "  dump     LAMMPS: NAME.dump, NAME.contacts.dump   xyz      extended XYZ: NAME.xyz\n"
        "  csv      tables: NAME.csv, NAME.contacts.csv     mercury  NAME.data, NAME.fstat\n"
        "  vtkhdf   NAME.particles.vtkhdf, ...              vtp      a directory NAME of frames");
    const char *value;
    for (;;) {
        switch (options_next(&options, &value)) {
        case OPTION_END: return run_export(&config);
        case OPTION_HELP: return CLI_OK;
        case OPTION_POSITIONAL:
            if (config.from != NULL) return complain("export: one directory or frame at a time");
            config.from = value;
            break;
        case TO: config.format = value; break;
        case OUTPUT: config.to = value; break;
        case FRAMES:
            if (!choose_frames("export", value, &config.first, &config.stop, &config.step))
                return CLI_WRONG_INPUT;
            break;
        default: return CLI_WRONG_INPUT;
        }
    }
}
