/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "io/stored.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "io/frame_writer.h"

static bool exists(const char *directory, const char *name) {
    char path[FILE_PATH];
    return file_path(path, directory, name, NULL) >= 0 && access(path, F_OK) == 0;
}

static talus_status one_frame(struct stored *stored, const char *path, talus_error *err) {
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    if (strlen(name) >= FRAME_FILE || strlen(path) >= FILE_PATH)
        return error_set(err, TALUS_ERR_INPUT, "%.200s: is not the name of a frame", path);
    snprintf(stored->frames, FILE_PATH, "%.*s", slash != NULL ? (int)(slash - path) : 1,
             slash != NULL ? path : ".");
    snprintf(stored->results, FILE_PATH, "%s", stored->frames);
    return vtk_list_add(&stored->list, 0.0, name, err);
}

static bool is_frame(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot != NULL && strcmp(dot, ".vtm") == 0;
}

talus_status stored_find(struct stored *stored, const char *from, talus_error *err) {
    struct stat status;
    char path[FILE_PATH];
    if (stat(from, &status) != 0)
        return error_set(err, TALUS_ERR_FILE, "%s: there is no such file or directory", from);
    if (!S_ISDIR(status.st_mode)) {
        if (is_frame(from)) return one_frame(stored, from, err);
        return error_set(err, TALUS_ERR_INPUT,
                         "%s: must be a directory of results or one of its frames (.vtm)", from);
    }
    TALUS_TRY(file_path(stored->results, from, "", err));
    stored->results[strlen(stored->results) - 1] = '\0';
    if (exists(from, VTK_LIST_NAME))
        memcpy(stored->frames, stored->results, FILE_PATH);
    else
        TALUS_TRY(file_path(stored->frames, from, FRAME_DIRECTORY, err));
    stored->only_final = !exists(stored->frames, VTK_LIST_NAME) && exists(from, "final.txt");
    if (stored->only_final) return vtk_list_add(&stored->list, 0.0, "final.txt", err);
    if (!exists(stored->frames, VTK_LIST_NAME))
        return error_set(err, TALUS_ERR_INPUT,
                         "%s: holds no frames: neither frames/" VTK_LIST_NAME " nor final.txt",
                         from);
    TALUS_TRY(file_path(path, stored->frames, VTK_LIST_NAME, err));
    return vtk_list_read(&stored->list, path, err);
}

void stored_free(struct stored *stored) {
    vtk_list_free(&stored->list);
}

static int64_t from_end(int64_t number, int64_t count) {
    return number >= 0 ? number : number + count < 0 ? 0 : number + count;
}

talus_status stored_choose(const struct stored *stored, int64_t first, int64_t stop,
                           struct stored_range *range, talus_error *err) {
    int64_t count = (int64_t)stored->list.count;
    *range = (struct stored_range){from_end(first, count), from_end(stop, count)};
    if (range->stop > count) range->stop = count;
    if (range->first < range->stop) return TALUS_OK;
    return error_set(err, TALUS_ERR_INPUT, "%s: has %" PRId64 " frames, none of which is asked for",
                     stored->results, count);
}

talus_status stored_read(const struct stored *stored, size_t number, struct frame *frame,
                         talus_error *err) {
    char path[FILE_PATH];
    if (stored->only_final) return stored_read_final(frame, stored->results, err);
    TALUS_TRY(file_path(path, stored->frames, stored->list.entries[number].file, err));
    return vtk_frame_read(frame, path, err);
}

bool stored_name(const struct stored *stored, const char *what, int64_t number,
                 char name[STORED_NAME]) {
    char path[FILE_PATH], line[256], kind[32];
    long long found;
    bool known = false;
    FILE *from =
        file_path(path, stored->frames, "names.tsv", NULL) < 0 ? NULL : file_read(path, NULL);
    while (from != NULL && !known && fgets(line, sizeof line, from) != NULL)
        known = sscanf(line, "%31[^\t]\t%lld\t%95[^\n]", kind, &found, name) == 3 &&
                strcmp(kind, what) == 0 && found == number;
    if (from != NULL) fclose(from);
    if (!known) name[0] = '\0';
    return known;
}
