/* SPDX-License-Identifier: Apache-2.0
 * Items of an archive as data sets of an HDF5 file. */
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "io/hdf5_file.h"

enum { DIMENSIONS = 2 };

/* ---- types ------------------------------------------------------------------------------------- */

static hid_t number_type(enum archive_kind kind) {
    switch (kind) {
    case ARCHIVE_DOUBLE: return H5T_NATIVE_DOUBLE;
    case ARCHIVE_INT64: return H5T_NATIVE_INT64;
    case ARCHIVE_INT32: return H5T_NATIVE_INT32;
    case ARCHIVE_UINT64: return H5T_NATIVE_UINT64;
    case ARCHIVE_UINT32: return H5T_NATIVE_UINT32;
    default: return H5T_NATIVE_UINT8;
    }
}

static hid_t text_type(size_t bytes) {
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, bytes);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    return type;
}

static hid_t record_type(const struct archive_item *item) {
    hid_t type = H5Tcreate(H5T_COMPOUND, item->size);
    for (size_t k = 0; k < item->member_count; k++) {
        const struct archive_member *member = &item->members[k];
        hsize_t columns = member->columns;
        hid_t own = member->kind == ARCHIVE_TEXT ? text_type(member->columns)
                    : columns > 1 ? H5Tarray_create2(number_type(member->kind), 1, &columns)
                                  : H5Tcopy(number_type(member->kind));
        H5Tinsert(type, member->name, member->offset, own);
        H5Tclose(own);
    }
    return type;
}

static hid_t opaque_type(size_t bytes) {
    hid_t type = H5Tcreate(H5T_OPAQUE, bytes);
    H5Tset_tag(type, "as in the memory of this version of talus");
    return type;
}

/* Of one element, or of one number of it; to be closed. */
static hid_t type_of(const struct archive_item *item) {
    switch (item->kind) {
    case ARCHIVE_TEXT: return text_type(item->columns);
    case ARCHIVE_BYTES: return opaque_type(item->size);
    case ARCHIVE_RECORD: return record_type(item);
    default: return H5Tcopy(number_type(item->kind));
    }
}

static bool is_number(const struct archive_item *item) {
    return item->kind != ARCHIVE_TEXT && item->kind != ARCHIVE_BYTES &&
           item->kind != ARCHIVE_RECORD;
}

/* ---- writing ----------------------------------------------------------------------------------- */

static void write_unit(hid_t set, const char *unit) {
    if (unit[0] == '\0') return;
    hid_t type = text_type(strlen(unit)), space = H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(set, "unit", type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute >= 0) {
        H5Awrite(attribute, type, unit);
        H5Aclose(attribute);
    }
    H5Sclose(space);
    H5Tclose(type);
}

static hid_t space_of(const struct archive_item *item) {
    hsize_t sizes[DIMENSIONS] = {item->count, item->columns};
    return H5Screate_simple(is_number(item) && item->columns > 1 ? 2 : 1, sizes, NULL);
}

talus_status hdf5_write_item(const struct hdf5_file *file, const struct archive_item *item,
                             talus_error *err) {
    hid_t type = type_of(item), space = space_of(item), links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    errno = 0;
    hid_t set = H5Dcreate2(file->id, item->name, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    bool failed = set < 0;
    if (!failed && item->count > 0)
        failed = H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, item->data) < 0;
    int number = errno;
    if (set >= 0) {
        write_unit(set, item->unit);
        H5Dclose(set);
    }
    H5Pclose(links);
    H5Sclose(space);
    H5Tclose(type);
    if (!failed) return TALUS_OK;
    return error_set(err, TALUS_ERR_FILE, "%s: cannot be written: %s", file->path,
                     number != 0 ? strerror(number) : "write error");
}

/* ---- reading ----------------------------------------------------------------------------------- */

static talus_status say_other(const struct hdf5_file *file, const struct archive_item *item,
                              talus_error *err) {
    return error_set(err, TALUS_ERR_INPUT,
                     "%s: %s is not what this version of talus wants: the file is of another one",
                     file->path, item->name);
}

/* As many numbers, of the same size, as there is room for? */
static bool fits(hid_t set, hid_t type, const struct archive_item *item) {
    hid_t stored = H5Dget_type(set), space = H5Dget_space(set);
    bool same =
        H5Tget_class(stored) == H5Tget_class(type) && H5Tget_size(stored) == H5Tget_size(type);
    hssize_t points = H5Sget_simple_extent_npoints(space);
    size_t wanted = item->count * (is_number(item) ? item->columns : 1);
    if (item->kind == ARCHIVE_RECORD) same = same && H5Tequal(stored, type) > 0;
    H5Sclose(space);
    H5Tclose(stored);
    return same && points >= 0 && (size_t)points == wanted;
}

talus_status hdf5_read_item(const struct hdf5_file *file, const struct archive_item *item,
                            talus_error *err) {
    if (!hdf5_has(file, item->name)) return say_other(file, item, err);
    hid_t set = H5Dopen2(file->id, item->name, H5P_DEFAULT);
    if (set < 0) return say_other(file, item, err);
    hid_t type = type_of(item);
    talus_status status = TALUS_OK;
    if (!fits(set, type, item))
        status = say_other(file, item, err);
    else if (item->count > 0 && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, item->data) < 0)
        status = error_set(err, TALUS_ERR_INPUT, "%s: %s cannot be read: the file is damaged",
                           file->path, item->name);
    H5Tclose(type);
    H5Dclose(set);
    return status;
}
