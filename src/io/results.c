/* SPDX-License-Identifier: Apache-2.0
 * Which files are a run's own, so that nothing that is made of it later takes their place. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "io/directory.h"
#include "io/file.h"
#include "io/frame_writer.h"
#include "talus/run.h"

struct place {
    char directory[FILE_PATH], name[FILE_PATH];
};

/* "a/b/c" is the name c in the directory a/b, which is told without links if it is there. */
static struct place place_of(const char *path) {
    struct place place = {.directory = "."};
    const char *slash = strrchr(path, '/');
    char real[PATH_MAX];
    if (slash != NULL)
        snprintf(place.directory, FILE_PATH, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    snprintf(place.name, FILE_PATH, "%s", slash != NULL ? slash + 1 : path);
    if (realpath(place.directory, real) != NULL)
        snprintf(place.directory, FILE_PATH, "%.4095s", real);
    return place;
}

static bool holds(const char *directory, const char *name) {
    char path[FILE_PATH];
    return file_path(path, directory, name, NULL) >= 0 && access(path, F_OK) == 0;
}

/* Files of these names are only there where a run was. */
static bool is_run(const char *directory) {
    return holds(directory, "series.tsv") || holds(directory, DIRECTORY_CHECKPOINT);
}

static bool is_table(const char *name) {
    size_t length = strlen(name);
    return length > 4 && strcmp(name + length - 4, ".tsv") == 0;
}

/* Frames beside those of a run, in its directory, would be taken for them. */
static bool is_own(const struct place *place) {
    bool own_name = directory_is_result(place->name) || vtk_is_frame_file(place->name);
    if (own_name && is_run(place->directory)) return true;
    struct place above = place_of(place->directory);
    bool own = (strcmp(above.name, FRAME_DIRECTORY) == 0 && vtk_is_frame_file(place->name)) ||
               (strcmp(above.name, DIRECTORY_MEASURES) == 0 && is_table(place->name));
    return own && is_run(above.directory);
}

/* Is one of the files in a directory this one, by another name? */
static bool has_twin(const char *directory, const struct stat *file) {
    struct place place;
    struct stat other;
    bool found = false;
    DIR *list = opendir(directory);
    if (list == NULL) return false;
    snprintf(place.directory, FILE_PATH, "%s", directory);
    for (struct dirent *entry = readdir(list); entry != NULL && !found; entry = readdir(list)) {
        snprintf(place.name, FILE_PATH, "%s", entry->d_name);
        found = fstatat(dirfd(list), entry->d_name, &other, 0) == 0 &&
                other.st_dev == file->st_dev && other.st_ino == file->st_ino && is_own(&place);
    }
    closedir(list);
    return found;
}

/* A link to a file of the run, symbolic or hard. */
static bool is_linked(const char *run, const char *path) {
    static const char *const parts[] = {".", FRAME_DIRECTORY, DIRECTORY_MEASURES};
    char real[PATH_MAX], directory[FILE_PATH];
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode)) return false;
    if (realpath(path, real) != NULL) {
        struct place place = place_of(real);
        if (is_own(&place)) return true;
    }
    for (size_t k = 0; k < sizeof parts / sizeof parts[0] && status.st_nlink > 1; k++)
        if (file_path(directory, run, parts[k], NULL) >= 0 && realpath(directory, real) != NULL &&
            has_twin(real, &status))
            return true;
    return false;
}

talus_status talus_run_spare(const char *run, const char *to, talus_error *err) {
    struct place place = place_of(to);
    if (!is_own(&place) && !is_linked(run, to)) return TALUS_OK;
    return error_set(err, TALUS_ERR_INPUT,
                     "%s: belongs to the results of a run and is not replaced; choose another name",
                     to);
}
