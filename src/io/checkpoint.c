/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "io/checkpoint.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "io/directory.h"
#include "talus/catalog.h"

static void move(struct archive *archive, const struct archive_item *item) {
    struct checkpoint *checkpoint = (struct checkpoint *)(void *)archive;
    archive->status = archive->reading ? hdf5_read_item(&checkpoint->file, item, archive->err)
                                       : hdf5_write_item(&checkpoint->file, item, archive->err);
}

/* What the file is, for those who find it: also as attributes of its root. */
static void write_attribute(hid_t file, const char *name, const char *text) {
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, strlen(text));
    hid_t attribute = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute >= 0) {
        H5Awrite(attribute, type, text);
        H5Aclose(attribute);
    }
    H5Sclose(space);
    H5Tclose(type);
}

talus_status checkpoint_create(struct checkpoint *checkpoint, const char *path, talus_error *err) {
    char version[16];
    *checkpoint = (struct checkpoint){.archive = {.err = err, .move = move}};
    TALUS_TRY(hdf5_create_sealed(&checkpoint->file, path, CHECKPOINT_VERSION, err));
    snprintf(version, sizeof version, "%d", CHECKPOINT_VERSION);
    write_attribute(checkpoint->file.id, "format", "talus checkpoint");
    write_attribute(checkpoint->file.id, "format_version", version);
    write_attribute(checkpoint->file.id, "program_version", talus_version());
    return TALUS_OK;
}

talus_status checkpoint_finish(struct checkpoint *checkpoint, talus_error *err) {
    if (archive_is_well(&checkpoint->archive)) return hdf5_finish(&checkpoint->file, err);
    hdf5_discard(&checkpoint->file);
    return checkpoint->archive.status;
}

talus_status checkpoint_open(struct checkpoint *checkpoint, const char *path, talus_error *err) {
    char file[FILE_PATH];
    struct stat status;
    *checkpoint = (struct checkpoint){.archive = {.reading = true, .err = err, .move = move},
                                      .file = {.id = -1}};
    if (snprintf(file, sizeof file, "%s", path) >= (int)sizeof file)
        return error_set(err, TALUS_ERR_FILE, "the path %.200s... is too long", path);
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        TALUS_TRY(file_path(file, path, DIRECTORY_CHECKPOINT, err));
        if (access(file, F_OK) != 0)
            return error_set(
                err, TALUS_ERR_INPUT,
                "%s: holds no %s: the run was stopped before it wrote one, or was told "
                "to write none; it has to be started again (--force)",
                path, DIRECTORY_CHECKPOINT);
    }
    TALUS_TRY(seal_check(file, CHECKPOINT_VERSION, &checkpoint->seal, err));
    return hdf5_open(&checkpoint->file, file, err);
}

void checkpoint_close(struct checkpoint *checkpoint) {
    hdf5_close(&checkpoint->file);
}
