/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "cli/machine.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if defined(__has_include)
#if __has_include("talus_commit.h")
#include "talus_commit.h" /* written by the build */
#endif
#endif
#ifndef TALUS_COMMIT
#define TALUS_COMMIT "unknown"
#endif
#ifndef TALUS_FLAGS
#define TALUS_FLAGS ""
#endif

static void read_processor(char *out, size_t size) {
    char line[256];
    FILE *from = fopen("/proc/cpuinfo", "r");
    snprintf(out, size, "unknown processor");
    if (from == NULL) return;
    while (fgets(line, sizeof line, from) != NULL) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || colon == NULL) continue;
        line[strcspn(line, "\n")] = '\0';
        snprintf(out, size, "%s", colon + 1 + strspn(colon + 1, " "));
        break;
    }
    fclose(from);
}

struct machine machine_look(void) {
    struct machine machine = {.cores = (int)sysconf(_SC_NPROCESSORS_ONLN)};
    read_processor(machine.processor, sizeof machine.processor);
#if defined(__clang__)
    const char *compiler = "clang " __clang_version__;
#elif defined(__VERSION__)
    const char *compiler = "gcc " __VERSION__;
#else
    const char *compiler = "unknown compiler";
#endif
#ifdef __OPTIMIZE__
    const char *optimised = "optimised";
#else
    const char *optimised = "NOT optimised";
#endif
    snprintf(machine.compiler, sizeof machine.compiler, "%.60s, %s%s%s", compiler, optimised,
             TALUS_FLAGS[0] != '\0' ? ": " : "", TALUS_FLAGS);
    snprintf(machine.commit, sizeof machine.commit, "%s", TALUS_COMMIT);
    return machine;
}
