/* SPDX-License-Identifier: Apache-2.0
 * Where the ready scenes and the papers lie. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

#ifndef TALUS_SOURCE_DIR
#define TALUS_SOURCE_DIR ""
#endif
#ifndef TALUS_DATA_DIR
#define TALUS_DATA_DIR ""
#endif

bool join_path(char path[CLI_PATH], const char *directory, const char *name) {
    int needed = snprintf(path, CLI_PATH, "%s/%s", directory, name);
    return needed > 0 && needed < CLI_PATH;
}

static bool holds_data(const char *path) {
    char papers[CLI_PATH];
    struct stat status;
    return path[0] != '\0' && join_path(papers, path, "papers/chain/expected.tsv") &&
           stat(papers, &status) == 0;
}

/* The directory of this program, without a slash at its end. */
static bool program_directory(char path[CLI_PATH]) {
    ssize_t length = readlink("/proc/self/exe", path, CLI_PATH - 1);
    if (length <= 0) return false;
    path[length] = '\0';
    char *slash = strrchr(path, '/');
    if (slash == NULL) return false;
    *slash = '\0';
    return true;
}

bool find_data(char path[CLI_PATH]) {
    char program[CLI_PATH];
    const char *given = getenv("TALUS_DATA");
    if (given != NULL) {
        snprintf(path, CLI_PATH, "%s", given);
        return holds_data(path); /* whoever sets it means it: no search elsewhere */
    }
    if (program_directory(program)) {
        if (join_path(path, program, "..") && holds_data(path)) return true;
        if (join_path(path, program, "../share/talus") && holds_data(path)) return true;
    }
    snprintf(path, CLI_PATH, "%s", TALUS_SOURCE_DIR);
    if (holds_data(path)) return true;
    snprintf(path, CLI_PATH, "%s", TALUS_DATA_DIR);
    return holds_data(path);
}

bool make_directories(const char *path) {
    char part[CLI_PATH];
    for (size_t i = 1;; i++) {
        if (i >= CLI_PATH) break;
        if (path[i] != '/' && path[i] != '\0') continue;
        memcpy(part, path, i);
        part[i] = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST) break;
        if (path[i] == '\0') return true;
    }
    complain("%s: the directory cannot be created: %s", path, strerror(errno));
    return false;
}
