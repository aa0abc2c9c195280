/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "io/directory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "io/file.h"

/* What a run writes; summary.json comes last in a run and so first here: it goes first. */
static const char *const result_names[] = {"summary.json", "series.tsv",         "log.txt",
                                           "final.txt",    "final_contacts.txt", "final.png",
                                           "scene.yaml"};
enum { RESULT_NAMES = sizeof result_names / sizeof result_names[0] };

static talus_status make_one(const char *path, talus_error *err) {
    struct stat status;
    if (mkdir(path, 0777) == 0) return TALUS_OK;
    int number = errno;
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode)) return TALUS_OK;
        return error_set(err, TALUS_ERR_FILE, "%s: is a file, results need a directory", path);
    }
    return error_set(err, TALUS_ERR_FILE, "%s: the directory cannot be created: %s", path,
                     strerror(number));
}

static talus_status make_all(const char *path, talus_error *err) {
    char part[FILE_PATH];
    size_t length = strlen(path);
    if (length >= sizeof part)
        return error_set(err, TALUS_ERR_FILE, "the path %.200s... is longer than %d characters",
                         path, FILE_PATH - 1);
    for (size_t i = 1; i < length; i++) {
        if (path[i] != '/') continue;
        memcpy(part, path, i);
        part[i] = '\0';
        TALUS_TRY(make_one(part, err));
    }
    return make_one(path, err);
}

talus_status directory_check(const char *path, bool overwrite, talus_error *err) {
    char file[FILE_PATH];
    struct stat status;
    if (path[0] == '\0')
        return error_set(err, TALUS_ERR_FILE, "the name of the output directory is empty");
    if (stat(path, &status) == 0 && !S_ISDIR(status.st_mode))
        return error_set(err, TALUS_ERR_FILE, "%s: is a file, results need a directory", path);
    for (int i = 0; i < RESULT_NAMES && !overwrite; i++) {
        TALUS_TRY(file_path(file, path, result_names[i], err));
        if (access(file, F_OK) == 0)
            return error_set(
                err, TALUS_ERR_FILE,
                "%s: holds the results of an earlier run (%s); choose another directory "
                "or allow it to be overwritten (--force)",
                path, result_names[i]);
    }
    return TALUS_OK;
}

talus_status directory_prepare(const char *path, bool overwrite, talus_error *err) {
    char file[FILE_PATH];
    TALUS_TRY(directory_check(path, overwrite, err));
    TALUS_TRY(make_all(path, err));
    for (int i = 0; i < RESULT_NAMES && overwrite; i++) {
        TALUS_TRY(file_path(file, path, result_names[i], err));
        if (remove(file) != 0 && errno != ENOENT)
            return error_set(err, TALUS_ERR_FILE, "%s: the old file cannot be removed: %s", file,
                             strerror(errno));
    }
    return TALUS_OK;
}
