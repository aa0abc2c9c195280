/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "io/hdf5_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "io/seal.h"

static const char temporary_suffix[] = ".part";

/* HDF5 prints its stack of errors unless told not to, for each thread. And at the end of the program it closes files once
 * more that could not be closed because the disk was full, and crashes (1.10.8): everything is closed here, so
 * that it has nothing to do then. */
static void be_quiet(void) {
    H5dont_atexit(); /* heeded before its first use only, harmless later */
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

/* ---- reading --------------------------------------------------------------------------------- */

talus_status hdf5_open(struct hdf5_file *file, const char *path, talus_error *err) {
    *file = (struct hdf5_file){.id = -1};
    if (snprintf(file->path, FILE_PATH, "%s", path) >= FILE_PATH)
        return error_set(err, TALUS_ERR_FILE, "the path %.200s... is too long", path);
    FILE *stream = file_read(path, err);
    if (stream == NULL) return TALUS_ERR_FILE;
    bool readable = fgetc(stream) != EOF;
    int number = errno;
    bool failed = ferror(stream) != 0; /* e.g. a directory */
    fclose(stream);
    if (failed)
        return error_set(err, TALUS_ERR_FILE, "%s: cannot be read: %s", path, strerror(number));
    be_quiet();
    if (!readable || H5Fis_hdf5(path) <= 0)
        return error_set(err, TALUS_ERR_INPUT, "%s: is not an HDF5 file", path);
    file->id = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file->id < 0)
        return error_set(err, TALUS_ERR_INPUT, "%s: is not a whole HDF5 file (truncated?)", path);
    return TALUS_OK;
}

void hdf5_close(struct hdf5_file *file) {
    if (file->id >= 0) H5Fclose(file->id);
    file->id = -1;
}

bool hdf5_has(const struct hdf5_file *file, const char *name) {
    char part[256];
    if (strlen(name) >= sizeof part) return false;
    be_quiet();
    for (const char *slash = name; slash != NULL;) {
        slash = strchr(slash + 1, '/');
        size_t length = slash != NULL ? (size_t)(slash - name) : strlen(name);
        memcpy(part, name, length);
        part[length] = '\0';
        if (H5Lexists(file->id, part, H5P_DEFAULT) <= 0) return false;
        if (H5Oexists_by_name(file->id, part, H5P_DEFAULT) <= 0) return false;
    }
    return true;
}

static talus_status missing(const struct hdf5_file *file, const char *name, talus_error *err) {
    return error_set(err, TALUS_ERR_INPUT, "%s: %s is missing", file->path, name);
}

/* A data set of numbers and how many they are. */
static talus_status open_numbers(const struct hdf5_file *file, const char *name, bool whole,
                                 hid_t *set, size_t *count, talus_error *err) {
    if (!hdf5_has(file, name)) return missing(file, name, err);
    *set = H5Dopen2(file->id, name, H5P_DEFAULT);
    if (*set < 0)
        return error_set(err, TALUS_ERR_INPUT, "%s: %s must be a data set", file->path, name);
    hid_t type = H5Dget_type(*set), space = H5Dget_space(*set);
    H5T_class_t class = H5Tget_class(type);
    hssize_t points = H5Sget_simple_extent_npoints(space);
    H5Tclose(type);
    H5Sclose(space);
    bool good = class == H5T_INTEGER || (class == H5T_FLOAT && !whole);
    if (good && points >= 0) {
        *count = (size_t)points;
        return TALUS_OK;
    }
    H5Dclose(*set);
    return error_set(err, TALUS_ERR_INPUT, "%s: %s must hold %s", file->path, name,
                     whole ? "whole numbers" : "numbers");
}

static talus_status read_numbers(const struct hdf5_file *file, const char *name, bool whole,
                                 struct memory *memory, void **out, size_t *count,
                                 talus_error *err) {
    hid_t set, type = whole ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE;
    size_t size = whole ? sizeof(int64_t) : sizeof(double);
    TALUS_TRY(open_numbers(file, name, whole, &set, count, err));
    talus_status status = TALUS_OK;
    *out = memory_resize(memory, NULL, 0, *count, size);
    if (*out == NULL)
        status = error_memory(err);
    else if (*count > 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *out) < 0)
        status = error_set(err, TALUS_ERR_INPUT, "%s: %s cannot be read: the file is damaged",
                           file->path, name);
    H5Dclose(set);
    return status;
}

talus_status hdf5_read_doubles(const struct hdf5_file *file, const char *name,
                               struct memory *memory, double **out, size_t *count,
                               talus_error *err) {
    void *block = NULL;
    talus_status status = read_numbers(file, name, false, memory, &block, count, err);
    *out = block;
    return status;
}

talus_status hdf5_read_integers(const struct hdf5_file *file, const char *name,
                                struct memory *memory, int64_t **out, size_t *count,
                                talus_error *err) {
    void *block = NULL;
    talus_status status = read_numbers(file, name, true, memory, &block, count, err);
    *out = block;
    return status;
}

talus_status hdf5_read_integer(const struct hdf5_file *file, const char *name, int64_t *out,
                               talus_error *err) {
    hid_t set;
    size_t count = 0;
    TALUS_TRY(open_numbers(file, name, true, &set, &count, err));
    talus_status status = TALUS_OK;
    if (count != 1)
        status = error_set(err, TALUS_ERR_INPUT, "%s: %s must be one number, not %zu", file->path,
                           name, count);
    else if (H5Dread(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0)
        status = error_set(err, TALUS_ERR_INPUT, "%s: %s cannot be read: the file is damaged",
                           file->path, name);
    H5Dclose(set);
    return status;
}

void hdf5_read_text(const struct hdf5_file *file, const char *name, char *text, size_t size) {
    memset(text, 0, size);
    if (!hdf5_has(file, name)) return;
    hid_t set = H5Dopen2(file->id, name, H5P_DEFAULT);
    if (set < 0) return;
    hid_t kind = H5Dget_type(set), space = H5Dget_space(set), type = H5Tcopy(H5T_C_S1);
    bool fixed = H5Tget_class(kind) == H5T_STRING && H5Tis_variable_str(kind) == 0 &&
                 H5Sget_simple_extent_npoints(space) == 1;
    H5Tset_size(type, size);
    if (fixed && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0) text[0] = '\0';
    text[size - 1] = '\0';
    H5Tclose(kind);
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(set);
}

/* ---- writing --------------------------------------------------------------------------------- */

static talus_status write_failed(const struct hdf5_file *file, talus_error *err) {
    return error_set(err, TALUS_ERR_FILE, "%s: cannot be written: %s", file->path,
                     errno != 0 ? strerror(errno) : "write error");
}

talus_status hdf5_create(struct hdf5_file *file, const char *path, talus_error *err) {
    return hdf5_create_sealed(file, path, 0, err);
}

talus_status hdf5_create_sealed(struct hdf5_file *file, const char *path, int version,
                                talus_error *err) {
    *file = (struct hdf5_file){.id = -1, .writing = true, .seal = version};
    int length = snprintf(file->path, FILE_PATH, "%s", path);
    if (length < 0 || (size_t)length + sizeof temporary_suffix > FILE_PATH)
        return error_set(err, TALUS_ERR_FILE, "the path %.200s... is too long", path);
    memcpy(file->written, file->path, sizeof file->path);
    strcat(file->written, temporary_suffix);
    be_quiet();
    hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    if (version > 0) H5Pset_userblock(creation, SEAL_BYTES);
    errno = 0;
    file->id = H5Fcreate(file->written, H5F_ACC_TRUNC, creation, H5P_DEFAULT);
    H5Pclose(creation);
    if (file->id < 0)
        return error_set(err, TALUS_ERR_FILE, "%s: cannot be created: %s", path,
                         errno != 0 ? strerror(errno) : "unknown reason");
    return TALUS_OK;
}

static talus_status write_set(const struct hdf5_file *file, const char *name, hid_t stored,
                              hid_t given, const void *values, size_t count, talus_error *err) {
    hsize_t size = count;
    hid_t links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(1, &size, NULL);
    H5Pset_create_intermediate_group(links, 1);
    errno = 0;
    hid_t set = H5Dcreate2(file->id, name, stored, space, links, H5P_DEFAULT, H5P_DEFAULT);
    bool failed = set < 0;
    if (!failed && count > 0)
        failed = H5Dwrite(set, given, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0;
    talus_status status = failed ? write_failed(file, err) : TALUS_OK;
    if (set >= 0) H5Dclose(set);
    H5Sclose(space);
    H5Pclose(links);
    return status;
}

talus_status hdf5_write_doubles(const struct hdf5_file *file, const char *name,
                                const double *values, size_t count, talus_error *err) {
    return write_set(file, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values, count, err);
}

talus_status hdf5_write_integers(const struct hdf5_file *file, const char *name,
                                 const int32_t *values, size_t count, talus_error *err) {
    return write_set(file, name, H5T_STD_I32LE, H5T_NATIVE_INT32, values, count, err);
}

talus_status hdf5_write_text(const struct hdf5_file *file, const char *name, const char *text,
                             talus_error *err) {
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(text) + 1);
    talus_status status = write_set(file, name, type, type, text, 1, err);
    H5Tclose(type);
    return status;
}

/* A new name is safe once the directory is. Systems of files that cannot sync one have no need to. */
static void sync_directory(const char *path) {
    char directory[FILE_PATH];
    const char *slash = strrchr(path, '/');
    size_t length = slash != NULL ? (size_t)(slash - path) + 1 : 0;
    memcpy(directory, path, length);
    strcpy(directory + length, length == 0 ? "." : "");
    int descriptor = open(directory, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return;
    (void)fsync(descriptor);
    close(descriptor);
}

/* Sealed, if it is to be, and on the disk: a rename may reach that before the data. */
static talus_status settle(const struct hdf5_file *file, talus_error *err) {
    int descriptor = open(file->written, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return write_failed(file, err);
    talus_status status = TALUS_OK;
    if (file->seal > 0)
        status = seal_file(descriptor, file->path, file->seal, err);
    else
        (void)fsync(descriptor);
    close(descriptor);
    return status;
}

talus_status hdf5_finish(struct hdf5_file *file, talus_error *err) {
    errno = 0;
    bool failed = H5Fclose(file->id) < 0;
    file->id = -1;
    talus_status status = failed ? write_failed(file, err) : settle(file, err);
    if (status >= 0 && rename(file->written, file->path) != 0) status = write_failed(file, err);
    if (status < 0) remove(file->written);
    if (status >= 0) sync_directory(file->path);
    return status;
}

void hdf5_discard(struct hdf5_file *file) {
    if (file->id < 0) return;
    H5Fclose(file->id);
    file->id = -1;
    if (file->writing) remove(file->written);
}
