/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "page/source.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "io/directory.h"
#include "page/pack.h"

static bool exists(const char *directory, const char *name) {
    char path[FILE_PATH];
    return file_path(path, directory, name, NULL) >= 0 && access(path, F_OK) == 0;
}

/* A link would bring files of elsewhere into the page, and a pipe would make it wait. That the name still leads to what was
 * opened shows that there was no link in between. */
talus_status source_open_file(const char *directory, const char *name, FILE **from,
                              talus_error *err) {
    char path[FILE_PATH];
    struct stat named, opened;
    *from = NULL;
    TALUS_TRY(file_path(path, directory, name, err));
    if (lstat(path, &named) != 0 && (errno == ENOENT || errno == ENOTDIR)) return TALUS_OK;
    FILE *stream = file_read(path, err);
    if (stream == NULL) return TALUS_ERR_FILE;
    if (lstat(path, &named) == 0 && S_ISREG(named.st_mode) && fstat(fileno(stream), &opened) == 0 &&
        opened.st_ino == named.st_ino && opened.st_dev == named.st_dev) {
        *from = stream;
        return TALUS_OK;
    }
    fclose(stream);
    return error_set(err, TALUS_ERR_FILE, "%s: cannot be read: it is a link, not a file of the run",
                     path);
}

talus_status source_file(const char *directory, const char *name, bool *there, struct bytes *to,
                         talus_error *err) {
    char piece[65536];
    size_t got;
    FILE *from;
    to->count = 0;
    TALUS_TRY(source_open_file(directory, name, &from, err));
    *there = from != NULL;
    if (from == NULL) return TALUS_OK;
    talus_status status = TALUS_OK;
    while (status >= 0 && (got = fread(piece, 1, sizeof piece, from)) > 0)
        status = bytes_put(to, piece, got, err);
    if (status >= 0 && ferror(from))
        status = error_set(err, TALUS_ERR_FILE, "%s/%s: cannot be read", directory, name);
    fclose(from);
    return status;
}

/* The text files tell all contacts, the checkpoint all but the forces: together they are a frame. Where there is no
 * checkpoint, or it is of another moment or cannot be read (a mesh that is gone), the page says what is missing. */
static void read_final(struct source *source) {
    final_state_free(&source->final);
    source->final = (struct final_state){0};
    source->names.count = 0;
    FILE *names = bytes_stream(&source->names);
    if (names == NULL) return;
    talus_status status = final_state_read(&source->final, source->directory, names, NULL);
    talus_status arrived = bytes_stream_end(names, NULL);
    if (status >= 0) status = stored_read_final(&source->frame, source->directory, NULL);
    source->has_final = status >= 0 && arrived >= 0 &&
                        source->final.frame.step == source->frame.step &&
                        source->final.frame.blocks[FRAME_PARTICLES].points.count ==
                            source->frame.blocks[FRAME_PARTICLES].points.count;
}

static struct source_mark mark_of(const char *directory, const char *name) {
    char path[FILE_PATH];
    struct stat status;
    if (file_path(path, directory, name, NULL) < 0 || stat(path, &status) != 0)
        return (struct source_mark){0};
    return (struct source_mark){(uint64_t)status.st_dev, (uint64_t)status.st_ino,
                                (uint64_t)status.st_size, (int64_t)status.st_mtim.tv_sec,
                                (int64_t)status.st_mtim.tv_nsec};
}

/* Is the final state another one than that which was read? A run may be made again, or go on. */
static bool final_is_new(struct source *source) {
    struct source_mark marks[2] = {mark_of(source->directory, "final.txt"),
                                   mark_of(source->directory, DIRECTORY_CHECKPOINT)};
    if (memcmp(marks, source->final_marks, sizeof marks) == 0) return false;
    memcpy(source->final_marks, marks, sizeof marks);
    return true;
}

talus_status source_refresh(struct source *source, talus_error *err) {
    struct stored *stored = &source->stored;
    stored->list.count = 0;
    if (exists(source->directory, "frames/" VTK_LIST_NAME) ||
        exists(source->directory, VTK_LIST_NAME) || exists(source->directory, "final.txt"))
        TALUS_TRY(stored_find(stored, source->directory, err));
    if (stored->only_final && final_is_new(source)) read_final(source);
    source->has_shapes = stored->only_final
                             ? source->has_final && source->final.shapes.present
                             : stored->list.count > 0 && exists(stored->frames, "shapes.vtp");
    return TALUS_OK;
}

talus_status source_open(struct source *source, const char *directory, talus_error *err) {
    struct stat status;
    TALUS_TRY(file_path(source->directory, directory, "", err));
    source->directory[strlen(source->directory) - 1] = '\0';
    if (stat(directory, &status) != 0)
        return error_set(err, TALUS_ERR_FILE, "%s: there is no such directory", directory);
    if (!S_ISDIR(status.st_mode))
        return error_set(err, TALUS_ERR_INPUT, "%s: must be a directory of results", directory);
    TALUS_TRY(source_refresh(source, err));
    if (source->stored.list.count == 0 && !exists(directory, "series.tsv"))
        return error_set(err, TALUS_ERR_INPUT,
                         "%s: holds no results: neither frames/" VTK_LIST_NAME
                         " nor final.txt nor series.tsv",
                         directory);
    return TALUS_OK;
}

void source_close(struct source *source) {
    frame_free(&source->frame);
    final_state_free(&source->final);
    bytes_free(&source->names);
    stored_free(&source->stored);
}

talus_status source_frame(struct source *source, size_t number, struct bytes *to,
                          talus_error *err) {
    if (number >= source->stored.list.count)
        return error_set(err, TALUS_ERR_INPUT, "%s: has %zu frames, but not number %zu",
                         source->directory, source->stored.list.count, number);
    TALUS_TRY(stored_read(&source->stored, number, &source->frame, err));
    const struct frame *frame =
        source->stored.only_final && source->has_final ? &source->final.frame : &source->frame;
    return pack_frame(frame, &source->frame, !source->has_shapes, to, err);
}

talus_status source_shapes(const struct source *source, struct bytes *to, talus_error *err) {
    char path[FILE_PATH];
    struct frame_block block = {.cells = FRAME_POLYGONS};
    struct memory memory = {0};
    if (!source->has_shapes) return pack_shapes(&block, to, err);
    if (source->stored.only_final) return pack_shapes(&source->final.shapes, to, err);
    TALUS_TRY(file_path(path, source->stored.frames, "shapes.vtp", err));
    talus_status status = vtp_read(&block, &memory, path, err);
    if (status >= 0) status = pack_shapes(&block, to, err);
    frame_block_free(&block, &memory);
    return status;
}

talus_status source_series(const struct source *source, struct bytes *to, talus_error *err) {
    bool there;
    TALUS_TRY(source_file(source->directory, "series.tsv", &there, to, err));
    return there ? TALUS_OK : bytes_put(to, "time[s]\n", 8, err); /* frames alone have no series */
}
