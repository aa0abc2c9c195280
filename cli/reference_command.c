/* SPDX-License-Identifier: Apache-2.0
 * talus reference: the keys of a scene file, from the table that checks them. */
#include "cli/cli.h"
#include "cli/options.h"

int reference_command(int argc, char **argv) {
    static const struct option_def defs[] = {{0}};
    struct options options = options_start(
        argc, argv, defs, "reference",
        "Prints the reference of all keys of a scene file as Markdown (docs/scene-reference.md).");
    const char *value;
    switch (options_next(&options, &value)) {
    case OPTION_END: break;
    case OPTION_HELP: return CLI_OK;
    case OPTION_POSITIONAL: return complain("reference: takes no argument, got \"%s\"", value);
    default: return CLI_WRONG_INPUT;
    }
    talus_scene_reference(stdout);
    return CLI_OK;
}
