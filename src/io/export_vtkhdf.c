/* SPDX-License-Identifier: Apache-2.0
 *
 * VTKHDF 2.0: one file for each kind of block with all frames in it, NAME.particles.vtkhdf and so on. ParaView reads it
 * from 5.12 on. The arrays of all frames stand one behind the other; group Steps tells where each frame begins. A block
 * that a frame does not have is empty there.
 */
#include <string.h>

#include "base/error.h"
#include "io/export.h"

enum { CHUNK = 16384 /* tuples */, TOPOLOGIES = 4, NAME = 128 };

static const char *const topologies[TOPOLOGIES] = {"Vertices", "Lines", "Polygons", "Strips"};

static hid_t stored_type(enum frame_type type) {
    switch (type) {
    case FRAME_INT32: return H5T_STD_I32LE;
    case FRAME_INT64: return H5T_STD_I64LE;
    case FRAME_FLOAT32: return H5T_IEEE_F32LE;
    default: return H5T_IEEE_F64LE;
    }
}

static talus_status failed(const struct hdf5_file *file, talus_error *err) {
    return error_set(err, TALUS_ERR_FILE, "%s: cannot be written (disk full?)", file->path);
}

/* ---- arrays that grow ------------------------------------------------------------------------ */

static hid_t create_set(const struct hdf5_file *file, const char *name, hid_t type, int rank,
                        hsize_t components) {
    const hsize_t none[2] = {0, components}, most[2] = {H5S_UNLIMITED, components},
                  chunk[2] = {CHUNK, components};
    hid_t links = H5Pcreate(H5P_LINK_CREATE), properties = H5Pcreate(H5P_DATASET_CREATE);
    hid_t space = H5Screate_simple(rank, none, most);
    H5Pset_create_intermediate_group(links, 1);
    H5Pset_chunk(properties, rank, chunk);
    hid_t set = H5Dcreate2(file->id, name, type, space, links, properties, H5P_DEFAULT);
    H5Sclose(space);
    H5Pclose(properties);
    H5Pclose(links);
    return set;
}

static bool extend(hid_t set, hid_t type, int rank, hsize_t count, const void *values) {
    hsize_t size[2] = {0, 1}, start[2] = {0, 0}, block[2];
    hid_t space = H5Dget_space(set);
    H5Sget_simple_extent_dims(space, size, NULL);
    H5Sclose(space);
    start[0] = size[0];
    block[0] = count;
    block[1] = size[1];
    size[0] += count;
    if (count == 0) return true;
    if (H5Dset_extent(set, size) < 0) return false;
    space = H5Dget_space(set);
    hid_t here = H5Screate_simple(rank, block, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, block, NULL);
    bool good = H5Dwrite(set, type, here, space, H5P_DEFAULT, values) >= 0;
    H5Sclose(here);
    H5Sclose(space);
    return good;
}

/* Of the shape [n] or [n][components]; made at the first call. */
static talus_status append(const struct hdf5_file *file, const char *name,
                           const struct frame_array *array, talus_error *err) {
    int rank = array->components > 1 ? 2 : 1;
    hid_t type = stored_type(array->type);
    hid_t set = hdf5_has(file, name)
                    ? H5Dopen2(file->id, name, H5P_DEFAULT)
                    : create_set(file, name, type, rank, (hsize_t)array->components);
    bool good = set >= 0 && extend(set, type, rank, array->count, array->values);
    if (set >= 0) H5Dclose(set);
    return good ? TALUS_OK : failed(file, err);
}

static talus_status append_integers(const struct hdf5_file *file, const char *name, int64_t *values,
                                    size_t count, int components, talus_error *err) {
    struct frame_array array = {
        .type = FRAME_INT64, .components = components, .count = count, .values = values};
    return append(file, name, &array, err);
}

/* ---- attributes ------------------------------------------------------------------------------ */

static bool put_attribute(hid_t group, const char *name, hid_t type, hid_t space,
                          const void *value) {
    hid_t attribute = H5Acreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute < 0) return false;
    bool good = H5Awrite(attribute, type, value) >= 0;
    H5Aclose(attribute);
    return good;
}

/* The text is as long as it is, without a terminator: ParaView 5.12 compares all of it. */
static talus_status put_head(const struct hdf5_file *file, talus_error *err) {
    const int64_t version[2] = {2, 0};
    const hsize_t two = 2;
    hid_t group = H5Gcreate2(file->id, "VTKHDF", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0) return failed(file, err);
    hid_t pair = H5Screate_simple(1, &two, NULL), one = H5Screate(H5S_SCALAR);
    hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, strlen("PolyData"));
    H5Tset_strpad(text, H5T_STR_NULLPAD);
    bool good = put_attribute(group, "Version", H5T_STD_I64LE, pair, version) &&
                put_attribute(group, "Type", text, one, "PolyData");
    H5Tclose(text);
    H5Sclose(one);
    H5Sclose(pair);
    H5Gclose(group);
    return good ? TALUS_OK : failed(file, err);
}

static talus_status put_step_count(const struct hdf5_file *file, int64_t count, talus_error *err) {
    hid_t group = H5Gopen2(file->id, "VTKHDF/Steps", H5P_DEFAULT);
    if (group < 0) return failed(file, err);
    hid_t one = H5Screate(H5S_SCALAR);
    bool good = put_attribute(group, "NSteps", H5T_STD_I64LE, one, &count);
    H5Sclose(one);
    H5Gclose(group);
    return good ? TALUS_OK : failed(file, err);
}

/* ---- one frame ------------------------------------------------------------------------------- */

static talus_status start(struct export *export, talus_error *err) {
    (void)export;
    (void)err;
    return TALUS_OK;
}

static const char *topology_of(const struct frame_block *block) {
    return topologies[block->cells == FRAME_VERTICES ? 0 : block->cells == FRAME_LINES ? 1 : 2];
}

/* A file that begins late: its cells were none so far. */
static talus_status begin_file(struct export *export, enum frame_kind kind, talus_error *err) {
    char path[FILE_PATH], name[FRAME_FILE * 5];
    snprintf(name, sizeof name, "%s.%s.vtkhdf", export->stem, frame_kind_name(kind));
    TALUS_TRY(file_path(path, export->directory, name, err));
    TALUS_TRY(hdf5_create(&export->hdf5[kind], path, err));
    return put_head(&export->hdf5[kind], err);
}

/* Where each cell begins, and where the last one ends: one more than cells. */
static talus_status append_cells(const struct hdf5_file *file, const struct frame_block *block,
                                 size_t empty_before, talus_error *err) {
    char name[NAME];
    int64_t zero = 0;
    snprintf(name, sizeof name, "VTKHDF/%s/Connectivity", topology_of(block));
    TALUS_TRY(append(file, name, &block->connectivity, err));
    snprintf(name, sizeof name, "VTKHDF/%s/Offsets", topology_of(block));
    for (size_t k = 0; k <= empty_before; k++)
        TALUS_TRY(append_integers(file, name, &zero, 1, 1, err));
    return append(file, name, &block->offsets, err);
}

static talus_status append_block(struct export *export, enum frame_kind kind,
                                 const struct frame_block *block, talus_error *err) {
    const struct hdf5_file *file = &export->hdf5[kind];
    char name[NAME];
    size_t empty = 0; /* frames since the last one that had such a block */
    while (empty < export->frames && export->steps[export->frames - 1 - empty].points[kind] < 0)
        empty++;
    TALUS_TRY(append(file, "VTKHDF/Points", &block->points, err));
    TALUS_TRY(append_cells(file, block, empty, err));
    for (size_t d = 0; d < block->data_count; d++) {
        snprintf(name, sizeof name, "VTKHDF/%s/%s",
                 block->cells == FRAME_VERTICES ? "PointData" : "CellData", block->data[d].name);
        TALUS_TRY(append(file, name, &block->data[d], err));
    }
    return TALUS_OK;
}

static talus_status add(struct export *export, const struct frame *frame, talus_error *err) {
    struct export_step *steps = memory_reserve(
        &export->memory, export->steps, &export->step_capacity, export->frames + 1, sizeof *steps);
    if (steps == NULL) return error_memory(err);
    export->steps = steps;
    struct export_step *step = &steps[export->frames];
    step->time = frame->time;
    step->step = frame->step;
    for (int kind = 0; kind < FRAME_KINDS; kind++) {
        const struct frame_block *block = &frame->blocks[kind];
        step->points[kind] = block->present ? (int64_t)block->points.count : -1;
        step->cells[kind] = block->present ? (int64_t)block->offsets.count : 0;
        step->corners[kind] = block->present ? (int64_t)block->connectivity.count : 0;
        if (!block->present) continue;
        if (export->hdf5[kind].id < 0) TALUS_TRY(begin_file(export, (enum frame_kind)kind, err));
        TALUS_TRY(append_block(export, (enum frame_kind)kind, block, err));
    }
    return TALUS_OK;
}

/* ---- where each frame begins ----------------------------------------------------------------- */

/* Number and place of what a frame has, by what is asked of it. */
struct counted {
    int64_t points, cells, corners;
};

static struct counted counted(const struct export_step *step, enum frame_kind kind) {
    int64_t points = step->points[kind] < 0 ? 0 : step->points[kind];
    return (struct counted){points, step->cells[kind], step->corners[kind]};
}

/* The four topologies of a frame: only one of them has cells in our files. */
static talus_status put_topologies(const struct hdf5_file *file, int used, struct counted now,
                                   struct counted before, talus_error *err) {
    int64_t cells[TOPOLOGIES] = {0}, corners[TOPOLOGIES] = {0};
    char name[NAME];
    for (int t = 0; t < TOPOLOGIES; t++) {
        int64_t n = t == used ? now.cells : 0, ids = t == used ? now.corners : 0, zero = 0;
        snprintf(name, sizeof name, "VTKHDF/%s/NumberOfCells", topologies[t]);
        TALUS_TRY(append_integers(file, name, &n, 1, 1, err));
        snprintf(name, sizeof name, "VTKHDF/%s/NumberOfConnectivityIds", topologies[t]);
        TALUS_TRY(append_integers(file, name, &ids, 1, 1, err));
        if (t == used) continue;
        snprintf(name, sizeof name, "VTKHDF/%s/Offsets", topologies[t]);
        TALUS_TRY(append_integers(file, name, &zero, 1, 1, err));
        snprintf(name, sizeof name, "VTKHDF/%s/Connectivity", topologies[t]);
        TALUS_TRY(append_integers(file, name, &zero, 0, 1, err));
    }
    cells[used] = before.cells;
    corners[used] = before.corners;
    TALUS_TRY(append_integers(file, "VTKHDF/Steps/CellOffsets", cells, 1, TOPOLOGIES, err));
    return append_integers(file, "VTKHDF/Steps/ConnectivityIdOffsets", corners, 1, TOPOLOGIES, err);
}

/* The same value for every array of a group, under its name. */
static talus_status put_data_offsets(const struct hdf5_file *file, const char *group, int64_t value,
                                     talus_error *err) {
    char path[NAME], name[FRAME_NAME];
    H5G_info_t info;
    snprintf(path, sizeof path, "VTKHDF/%s", group);
    if (!hdf5_has(file, path)) return TALUS_OK;
    if (H5Gget_info_by_name(file->id, path, &info, H5P_DEFAULT) < 0) return failed(file, err);
    for (hsize_t k = 0; k < info.nlinks; k++) {
        char to[NAME];
        if (H5Lget_name_by_idx(file->id, path, H5_INDEX_NAME, H5_ITER_INC, k, name, sizeof name,
                               H5P_DEFAULT) < 0)
            return failed(file, err);
        snprintf(to, sizeof to, "VTKHDF/Steps/%sOffsets/%s", group, name);
        TALUS_TRY(append_integers(file, to, &value, 1, 1, err));
    }
    return TALUS_OK;
}

static talus_status put_step(struct export *export, enum frame_kind kind, size_t number, int used,
                             struct counted *before, talus_error *err) {
    const struct hdf5_file *file = &export->hdf5[kind];
    struct export_step *step = &export->steps[number];
    struct counted now = counted(step, kind);
    int64_t part = (int64_t)number, one = 1;
    struct frame_array time = {
        .type = FRAME_FLOAT64, .components = 1, .count = 1, .values = &step->time};
    TALUS_TRY(append(file, "VTKHDF/Steps/Values", &time, err));
    TALUS_TRY(append_integers(file, "VTKHDF/Steps/PartOffsets", &part, 1, 1, err));
    TALUS_TRY(append_integers(file, "VTKHDF/Steps/NumberOfParts", &one, 1, 1, err));
    TALUS_TRY(append_integers(file, "VTKHDF/Steps/PointOffsets", &before->points, 1, 1, err));
    TALUS_TRY(append_integers(file, "VTKHDF/NumberOfPoints", &now.points, 1, 1, err));
    TALUS_TRY(append_integers(file, "talus/step", &step->step, 1, 1, err));
    TALUS_TRY(put_topologies(file, used, now, *before, err));
    TALUS_TRY(put_data_offsets(file, "PointData", before->points, err));
    TALUS_TRY(put_data_offsets(file, "CellData", before->cells, err));
    before->points += now.points;
    before->cells += now.cells;
    before->corners += now.corners;
    return TALUS_OK;
}

/* Frames at the end without such a block have no cells either. */
static talus_status complete_cells(struct export *export, enum frame_kind kind, int used,
                                   talus_error *err) {
    char name[NAME];
    int64_t zero = 0;
    snprintf(name, sizeof name, "VTKHDF/%s/Offsets", topologies[used]);
    for (size_t k = export->frames; k > 0 && export->steps[k - 1].points[kind] < 0; k--)
        TALUS_TRY(append_integers(&export->hdf5[kind], name, &zero, 1, 1, err));
    return TALUS_OK;
}

static talus_status finish_file(struct export *export, enum frame_kind kind, talus_error *err) {
    struct hdf5_file *file = &export->hdf5[kind];
    struct counted before = {0};
    int used = 0;
    while (used < TOPOLOGIES) {
        char name[NAME];
        snprintf(name, sizeof name, "VTKHDF/%s", topologies[used]);
        if (hdf5_has(file, name)) break;
        used++;
    }
    TALUS_TRY(complete_cells(export, kind, used, err));
    for (size_t k = 0; k < export->frames; k++)
        TALUS_TRY(put_step(export, kind, k, used, &before, err));
    TALUS_TRY(put_step_count(file, (int64_t) export->frames, err));
    TALUS_TRY(hdf5_finish(file, err));
    export_made(export, file->path);
    return TALUS_OK;
}

static talus_status finish(struct export *export, talus_error *err) {
    for (int kind = 0; kind < FRAME_KINDS; kind++)
        if (export->hdf5[kind].id >= 0) TALUS_TRY(finish_file(export, (enum frame_kind)kind, err));
    return TALUS_OK;
}

const struct export_format export_vtkhdf = {
    "vtkhdf",
    "VTKHDF, for ParaView 5.12 and later: NAME.particles.vtkhdf, NAME.contacts.vtkhdf, ...", start,
    add, finish};
