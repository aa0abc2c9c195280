/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

static const char temporary_suffix[] = ".part";

talus_status file_path(char path[FILE_PATH], const char *directory, const char *name,
                       talus_error *err) {
    size_t length = strlen(directory);
    const char *slash = length > 0 && directory[length - 1] == '/' ? "" : "/";
    int needed = snprintf(path, FILE_PATH, "%s%s%s", directory, slash, name);
    if (needed < 0 || (size_t)needed + sizeof temporary_suffix > FILE_PATH)
        return error_set(err, TALUS_ERR_FILE, "the path %.200s.../%s is longer than %d characters",
                         directory, name, FILE_PATH - 1);
    return TALUS_OK;
}

talus_status file_names(struct file *file, const char *directory, const char *name,
                        enum file_kind kind, talus_error *err) {
    file->stream = NULL;
    file->kind = kind;
    TALUS_TRY(file_path(file->path, directory, name, err));
    memcpy(file->written, file->path, sizeof file->path);
    if (kind != FILE_GROWING) strcat(file->written, temporary_suffix); /* file_path left room */
    return TALUS_OK;
}

talus_status file_open(struct file *file, const char *directory, const char *name,
                       enum file_kind kind, talus_error *err) {
    TALUS_TRY(file_names(file, directory, name, kind, err));
    file->stream = fopen(file->written, "w");
    if (file->stream == NULL)
        return error_set(err, TALUS_ERR_FILE, "%s: cannot be created: %s", file->path,
                         strerror(errno));
    return TALUS_OK;
}

static talus_status cut(const struct file *file, int64_t length, talus_error *err) {
    struct stat status;
    int descriptor = fileno(file->stream);
    if (fstat(descriptor, &status) == 0 && (int64_t)status.st_size < length)
        return error_set(err, TALUS_ERR_INPUT,
                         "%s: has %lld bytes, but had %lld when the run was saved: it was changed "
                         "since",
                         file->path, (long long)status.st_size, (long long)length);
    if (ftruncate(descriptor, (off_t)length) == 0 && fseeko(file->stream, 0, SEEK_END) == 0)
        return TALUS_OK;
    return error_set(err, TALUS_ERR_FILE, "%s: cannot be written: %s", file->path, strerror(errno));
}

talus_status file_reopen(struct file *file, const char *directory, const char *name, int64_t length,
                         talus_error *err) {
    file->stream = NULL;
    file->kind = FILE_GROWING;
    TALUS_TRY(file_path(file->path, directory, name, err));
    memcpy(file->written, file->path, sizeof file->path);
    file->stream = fopen(file->path, length < 0 ? "a" : "r+");
    if (file->stream == NULL)
        return error_set(err, errno == ENOENT ? TALUS_ERR_INPUT : TALUS_ERR_FILE,
                         "%s: cannot be written: %s", file->path, strerror(errno));
    talus_status status = length < 0 ? TALUS_OK : cut(file, length, err);
    if (status < 0) file_discard(file);
    return status;
}

int64_t file_sync(struct file *file) {
    if (fflush(file->stream) != 0 || ferror(file->stream)) return -1;
    if (fsync(fileno(file->stream)) != 0 && errno != EINVAL && errno != EROFS) return -1;
    return (int64_t)ftello(file->stream);
}

static talus_status write_failed(const struct file *file, int number, talus_error *err) {
    return error_set(err, TALUS_ERR_FILE, "%s: cannot be written: %s", file->path,
                     number != 0 ? strerror(number) : "write error");
}

talus_status file_flush(struct file *file, talus_error *err) {
    errno = 0;
    if (fflush(file->stream) != 0 || ferror(file->stream)) return write_failed(file, errno, err);
    return TALUS_OK;
}

talus_status file_close(struct file *file, talus_error *err) {
    errno = 0;
    bool failed = fflush(file->stream) != 0 || ferror(file->stream);
    /* A rename may reach the disk before the data: sync what replaces something. */
    if (!failed && file->kind == FILE_WHOLE)
        failed = fsync(fileno(file->stream)) != 0 && errno != EINVAL && errno != EROFS;
    int number = failed ? errno : 0;
    if (fclose(file->stream) != 0 && !failed) {
        failed = true;
        number = errno;
    }
    file->stream = NULL;
    if (!failed && file->kind != FILE_GROWING && rename(file->written, file->path) != 0) {
        failed = true;
        number = errno;
    }
    if (!failed) return TALUS_OK;
    if (file->kind != FILE_GROWING) remove(file->written);
    return write_failed(file, number, err);
}

void file_discard(struct file *file) {
    if (file->stream == NULL) return;
    fclose(file->stream);
    file->stream = NULL;
    if (file->kind != FILE_GROWING) remove(file->written);
}

FILE *file_read(const char *path, talus_error *err) {
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* no waiting for a writer */
    FILE *stream = NULL;
    if (descriptor >= 0 && fstat(descriptor, &status) == 0 && !S_ISREG(status.st_mode)) {
        error_set(err, TALUS_ERR_FILE, "%s: cannot be read: %s", path,
                  S_ISDIR(status.st_mode) ? strerror(EISDIR) : "it is not a regular file");
        close(descriptor);
        return NULL;
    }
    if (descriptor >= 0) stream = fdopen(descriptor, "rb");
    if (stream != NULL) return stream;
    error_set(err, TALUS_ERR_FILE, "%s: cannot be read: %s", path, strerror(errno));
    if (descriptor >= 0) close(descriptor);
    return NULL;
}
