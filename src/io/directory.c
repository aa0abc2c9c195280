/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* flock */
#include "io/directory.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "io/file.h"
#include "io/frame_writer.h"

enum { FILM_DIGITS = 4 /* at least: more once they are used up */ };

/* What a run writes; summary.json comes last in a run and so first here: it goes first. */
static const char *const result_names[] = {"summary.json", "series.tsv",         "log.txt",
                                           "final.txt",    "final_contacts.txt", "final.png",
                                           "scene.yaml",   DIRECTORY_CHECKPOINT};
enum { RESULT_NAMES = sizeof result_names / sizeof result_names[0] };

/* A picture of a film, as directory_film_name names it. */
static bool is_film(const char *name) {
    int digits = 0;
    if (strncmp(name, "film_", 5) != 0) return false;
    name += 5;
    for (; isdigit((unsigned char)*name); name++) digits++;
    return digits >= FILM_DIGITS && strcmp(name, ".png") == 0;
}

/* A contact problem that a run was asked to keep: problem_STEP_local.hdf5, problem_STEP_global.hdf5. */
static bool is_problem(const char *name) {
    if (strncmp(name, "problem_", 8) != 0 || !isdigit((unsigned char)name[8])) return false;
    for (name += 8; isdigit((unsigned char)*name); name++) continue;
    return strcmp(name, "_local.hdf5") == 0 || strcmp(name, "_global.hdf5") == 0;
}

bool directory_is_result(const char *name) {
    for (int i = 0; i < RESULT_NAMES; i++)
        if (strcmp(name, result_names[i]) == 0) return true;
    return is_film(name) || is_problem(name);
}

void directory_film_name(char name[DIRECTORY_FILM_NAME], int number) {
    snprintf(name, DIRECTORY_FILM_NAME, "film_%0*d.png", FILM_DIGITS, number);
}

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

static talus_status refuse(const char *path, const char *name, talus_error *err) {
    return error_set(err, TALUS_ERR_FILE,
                     "%s: holds the results of an earlier run (%s); choose another directory "
                     "or allow it to be overwritten (--force)",
                     path, name);
}

static talus_status remove_old(const char *path, const char *name, talus_error *err) {
    char file[FILE_PATH];
    TALUS_TRY(file_path(file, path, name, err));
    if (remove(file) == 0 || errno == ENOENT) return TALUS_OK;
    return error_set(err, TALUS_ERR_FILE, "%s: the old file cannot be removed: %s", file,
                     strerror(errno));
}

/* The tables of an old run; the directory goes if nothing else is in it. */
static talus_status clear_measures(const char *path, talus_error *err) {
    char tables[FILE_PATH];
    talus_status status = TALUS_OK;
    TALUS_TRY(file_path(tables, path, DIRECTORY_MEASURES, err));
    DIR *directory = opendir(tables);
    if (directory == NULL) return TALUS_OK;
    for (struct dirent *entry = readdir(directory); entry != NULL && status >= 0;
         entry = readdir(directory)) {
        size_t length = strlen(entry->d_name);
        if (length > 4 && strcmp(entry->d_name + length - 4, ".tsv") == 0)
            status = remove_old(tables, entry->d_name, err);
    }
    closedir(directory);
    if (status >= 0) (void)rmdir(tables);
    return status;
}

talus_status directory_make_measures(const char *path, talus_error *err) {
    char tables[FILE_PATH];
    TALUS_TRY(file_path(tables, path, DIRECTORY_MEASURES, err));
    return make_one(tables, err);
}

/* Do this with the pictures of an old film and with old problems, up to the first that fails. A directory that is not there,
 * or cannot be looked into, has none that a run would write over. */
static talus_status each_numbered(const char *path,
                                  talus_status (*act)(const char *, const char *, talus_error *),
                                  talus_error *err) {
    talus_status status = TALUS_OK;
    DIR *directory = opendir(path);
    if (directory == NULL) return TALUS_OK;
    for (struct dirent *entry = readdir(directory); entry != NULL && status >= 0;
         entry = readdir(directory))
        if (is_film(entry->d_name) || is_problem(entry->d_name))
            status = act(path, entry->d_name, err);
    closedir(directory);
    return status;
}

talus_status directory_check(const char *path, bool overwrite, talus_error *err) {
    char file[FILE_PATH];
    struct stat status;
    if (path[0] == '\0')
        return error_set(err, TALUS_ERR_FILE, "the name of the output directory is empty");
    if (stat(path, &status) == 0 && !S_ISDIR(status.st_mode))
        return error_set(err, TALUS_ERR_FILE, "%s: is a file, results need a directory", path);
    if (overwrite) return TALUS_OK;
    for (int i = 0; i < RESULT_NAMES; i++) {
        TALUS_TRY(file_path(file, path, result_names[i], err));
        if (access(file, F_OK) == 0) return refuse(path, result_names[i], err);
    }
    TALUS_TRY(file_path(file, path, FRAME_DIRECTORY "/" VTK_LIST_NAME, err));
    if (access(file, F_OK) == 0) return refuse(path, FRAME_DIRECTORY, err);
    return each_numbered(path, refuse, err);
}

talus_status directory_prepare(const char *path, bool overwrite, talus_error *err) {
    TALUS_TRY(directory_check(path, overwrite, err));
    TALUS_TRY(make_all(path, err));
    if (!overwrite) return TALUS_OK;
    for (int i = 0; i < RESULT_NAMES; i++) TALUS_TRY(remove_old(path, result_names[i], err));
    TALUS_TRY(frame_directory_clear(path, err));
    TALUS_TRY(clear_measures(path, err));
    return each_numbered(path, remove_old, err);
}

talus_status directory_remove_summary(const char *path, talus_error *err) {
    return remove_old(path, "summary.json", err);
}

talus_status directory_lock(const char *path, int *lock, talus_error *err) {
    *lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*lock < 0 || flock(*lock, LOCK_EX | LOCK_NB) == 0) return TALUS_OK;
    bool taken = errno == EWOULDBLOCK;
    directory_unlock(lock);
    if (!taken) return TALUS_OK; /* a system of files without locks */
    return error_set(err, TALUS_ERR_FILE, "%s: another run is at work there", path);
}

void directory_unlock(int *lock) {
    if (*lock >= 0) close(*lock);
    *lock = -1;
}
