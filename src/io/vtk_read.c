/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/base64.h"
#include "io/vtk_file.h"
#include "io/xml.h"

static talus_status wrong(const struct xml *xml, talus_error *err, const char *what) {
    return error_set(err, TALUS_ERR_INPUT, "%s: %s", xml->path, what);
}

/* ---- arrays ---------------------------------------------------------------------------------- */

static bool read_type(const struct xml_tag *tag, enum frame_type *type) {
    char text[16];
    if (!xml_attribute(tag, "type", text, sizeof text)) return false;
    for (int i = 0; i < FRAME_TYPES; i++) {
        if (strcmp(text, frame_type_name((enum frame_type)i)) != 0) continue;
        *type = (enum frame_type)i;
        return true;
    }
    return false;
}

/* The bytes behind their count, which is encoded together with them. */
static talus_status read_bytes(const struct xml *xml, const struct xml_tag *tag,
                               struct frame_array *array, struct frame_shape_of shape,
                               talus_error *err) {
    size_t size, tuple = frame_type_size(shape.type) * (size_t)shape.components;
    uint64_t told;
    if (!base64_size(tag->content, tag->content_length, &size) || size < sizeof told)
        return error_set(err, TALUS_ERR_INPUT, "%s: array \"%s\" is not whole", xml->path,
                         shape.name);
    unsigned char *bytes = memory_resize(xml->memory, NULL, 0, size, 1);
    if (bytes == NULL) return error_memory(err);
    bool good = base64_read(tag->content, tag->content_length, bytes);
    memcpy(&told, bytes, sizeof told);
    good = good && told == size - sizeof told && told % tuple == 0;
    talus_status status = TALUS_OK;
    if (good) {
        shape.count = (size_t)told / tuple;
        status = frame_array_size(array, xml->memory, shape, err);
        if (status >= 0 && told > 0) memcpy(array->values, bytes + sizeof told, (size_t)told);
    } else {
        status = error_set(err, TALUS_ERR_INPUT, "%s: array \"%s\" is damaged or not whole",
                           xml->path, shape.name);
    }
    memory_free(xml->memory, bytes, size, 1);
    return status;
}

/* Which array of the block this is, by the part of the file it stands in. */
static struct frame_array *place_of(struct frame_block *block, const char *part, const char *name) {
    if (strcmp(part, "Points") == 0) return &block->points;
    if (strcmp(part, "PointData") == 0 || strcmp(part, "CellData") == 0)
        return block->data_count < FRAME_DATA ? &block->data[block->data_count++] : NULL;
    if (strcmp(part, "FieldData") == 0)
        return block->fact_count < FRAME_FACTS ? &block->facts[block->fact_count++] : NULL;
    if (strcmp(part, "Verts") != 0 && strcmp(part, "Lines") != 0 && strcmp(part, "Polys") != 0)
        return NULL;
    if (strcmp(name, "connectivity") == 0) return &block->connectivity;
    return strcmp(name, "offsets") == 0 ? &block->offsets : NULL;
}

static talus_status read_array(const struct xml *xml, const struct xml_tag *tag, const char *part,
                               struct frame_block *block, talus_error *err) {
    char name[FRAME_NAME], format[16];
    size_t components = 1;
    enum frame_type type;
    if (!xml_attribute(tag, "Name", name, sizeof name) || !read_type(tag, &type))
        return wrong(xml, err, "an array has no name or a type that talus does not write");
    if (!xml_attribute(tag, "format", format, sizeof format) || strcmp(format, "binary") != 0)
        return error_set(err, TALUS_ERR_INPUT,
                         "%s: array \"%s\" is not in the form \"binary\" that talus writes",
                         xml->path, name);
    xml_count(tag, "NumberOfComponents", &components);
    struct frame_array *array = place_of(block, part, name);
    if (array == NULL || components < 1 || components > 16)
        return error_set(err, TALUS_ERR_INPUT, "%s: array \"%s\" is not one that talus writes",
                         xml->path, name);
    struct frame_shape_of shape = {name, type, (int)components, 0};
    return read_bytes(xml, tag, array, shape, err);
}

/* ---- a block --------------------------------------------------------------------------------- */

struct counts {
    bool seen;
    size_t points, verts, lines, strips, polys;
};

static talus_status read_piece(const struct xml *xml, const struct xml_tag *tag,
                               struct counts *counts, struct frame_block *block, talus_error *err) {
    bool complete = xml_count(tag, "NumberOfPoints", &counts->points) &&
                    xml_count(tag, "NumberOfVerts", &counts->verts) &&
                    xml_count(tag, "NumberOfLines", &counts->lines) &&
                    xml_count(tag, "NumberOfStrips", &counts->strips) &&
                    xml_count(tag, "NumberOfPolys", &counts->polys);
    if (!complete || counts->strips != 0) return wrong(xml, err, "the piece has no proper counts");
    counts->seen = true;
    block->present = true;
    return TALUS_OK;
}

static talus_status check_cells(const struct xml *xml, const struct frame_block *block,
                                const struct counts *counts, talus_error *err) {
    size_t cells = counts->verts + counts->lines + counts->polys;
    const int64_t *ends = block->offsets.values, *corners = block->connectivity.values;
    int64_t before = 0;
    if (block->offsets.type != FRAME_INT64 || block->connectivity.type != FRAME_INT64 ||
        block->offsets.count != cells)
        return wrong(xml, err, "its cells are not as many as the file says");
    for (size_t c = 0; c < cells; before = ends[c++])
        if (ends[c] < before || (uint64_t)ends[c] > block->connectivity.count)
            return wrong(xml, err, "its offsets are damaged");
    if ((size_t)before != block->connectivity.count)
        return wrong(xml, err, "its offsets do not fit its connectivity");
    for (size_t k = 0; k < block->connectivity.count; k++)
        if (corners[k] < 0 || (uint64_t)corners[k] >= counts->points)
            return wrong(xml, err, "a cell has a point that is not there");
    return TALUS_OK;
}

static talus_status check_block(const struct xml *xml, const struct frame_block *block,
                                const struct counts *counts, talus_error *err) {
    if (!counts->seen || block->points.values == NULL) return wrong(xml, err, "is not whole");
    bool real = block->points.type == FRAME_FLOAT32 || block->points.type == FRAME_FLOAT64;
    if (!real || block->points.components != 3 || block->points.count != counts->points)
        return wrong(xml, err, "its points are not as many as the file says");
    TALUS_TRY(check_cells(xml, block, counts, err));
    for (size_t i = 0; i < block->data_count; i++)
        if (block->data[i].count != block->offsets.count)
            return error_set(err, TALUS_ERR_INPUT, "%s: array \"%s\" has %zu values for %zu cells",
                             xml->path, block->data[i].name, block->data[i].count,
                             block->offsets.count);
    return TALUS_OK;
}

static talus_status read_parts(struct xml *xml, struct frame_block *block, talus_error *err) {
    struct xml_tag tag;
    struct counts counts = {.seen = false};
    char part[16] = "";
    bool found, ended = false;
    for (;;) {
        TALUS_TRY(xml_next(xml, &tag, &found, err));
        if (!found) break;
        if (xml_is(&tag, "Piece"))
            TALUS_TRY(read_piece(xml, &tag, &counts, block, err));
        else if (xml_is(&tag, "DataArray"))
            TALUS_TRY(read_array(xml, &tag, part, block, err));
        else if (xml_is(&tag, "/VTKFile"))
            ended = true;
        else if (tag.name[0] != '/')
            snprintf(part, sizeof part, "%.*s", (int)(tag.name_length < 15 ? tag.name_length : 15),
                     tag.name);
    }
    if (!ended) return wrong(xml, err, "is not whole: its end is missing");
    block->cells = counts.verts > 0   ? FRAME_VERTICES
                   : counts.lines > 0 ? FRAME_LINES
                   : counts.polys > 0 ? FRAME_POLYGONS
                                      : block->cells;
    return check_block(xml, block, &counts, err);
}

talus_status vtp_read(struct frame_block *block, struct memory *memory, const char *path,
                      talus_error *err) {
    struct xml xml;
    block->present = false;
    block->data_count = block->fact_count = 0;
    TALUS_TRY(xml_open(&xml, path, memory, err));
    talus_status status = xml_expect_vtk(&xml, "PolyData", err);
    if (status >= 0) status = read_parts(&xml, block, err);
    xml_close(&xml);
    if (status < 0) block->present = false;
    return status;
}

/* ---- a frame --------------------------------------------------------------------------------- */

/* A name beside the file that names it: no way out of its directory. */
static bool beside(char path[FILE_PATH], const char *of, const char *name) {
    const char *slash = strrchr(of, '/');
    int length = slash != NULL ? (int)(slash - of) + 1 : 0;
    if (strchr(name, '/') != NULL) return false;
    int needed = snprintf(path, FILE_PATH, "%.*s%s", length, of, name);
    return needed > 0 && needed < FILE_PATH;
}

static talus_status read_block(struct xml *xml, const struct xml_tag *tag, struct frame *frame,
                               talus_error *err) {
    char name[FRAME_NAME], file[FRAME_FILE], path[FILE_PATH];
    if (!xml_attribute(tag, "name", name, sizeof name) ||
        !xml_attribute(tag, "file", file, sizeof file) || !beside(path, xml->path, file))
        return wrong(xml, err, "a data set has no proper name or file");
    for (int kind = 0; kind < FRAME_KINDS; kind++) {
        if (strcmp(name, frame_kind_name((enum frame_kind)kind)) != 0) continue;
        struct frame_block *block = &frame->blocks[kind];
        /* Without cells the file does not say what they would be. */
        block->cells = kind == FRAME_PARTICLES                                 ? FRAME_VERTICES
                       : kind == FRAME_CONTACTS || kind == FRAME_WALL_CONTACTS ? FRAME_LINES
                                                                               : FRAME_POLYGONS;
        return vtp_read(block, &frame->memory, path, err);
    }
    return error_set(err, TALUS_ERR_INPUT, "%s: there is no block \"%s\" in a frame", xml->path,
                     name);
}

static talus_status read_blocks(struct xml *xml, struct frame *frame, talus_error *err) {
    struct xml_tag tag;
    bool found;
    TALUS_TRY(xml_expect_vtk(xml, "vtkMultiBlockDataSet", err));
    for (;;) {
        TALUS_TRY(xml_next(xml, &tag, &found, err));
        if (!found) return TALUS_OK;
        if (xml_is(&tag, "DataSet")) TALUS_TRY(read_block(xml, &tag, frame, err));
    }
}

static talus_status read_moment(struct frame *frame, const char *path, talus_error *err) {
    const struct frame_block *block = &frame->blocks[FRAME_PARTICLES];
    if (!block->present)
        return error_set(err, TALUS_ERR_INPUT, "%s: the frame has no particles", path);
    const struct frame_array *time = frame_find_fact(block, "TimeValue");
    const struct frame_array *step = frame_find_fact(block, "step");
    const struct frame_array *dim = frame_find_fact(block, "dimension");
    if (time == NULL || step == NULL || dim == NULL || time->count != 1 || step->count != 1 ||
        dim->count != 1)
        return error_set(err, TALUS_ERR_INPUT, "%s: the frame has no time, step or dimension",
                         path);
    frame->time = frame_real(time, 0, 0);
    frame->step = frame_integer(step, 0, 0);
    frame->dim = (int)frame_integer(dim, 0, 0);
    return TALUS_OK;
}

talus_status vtk_frame_read(struct frame *frame, const char *path, talus_error *err) {
    struct xml xml;
    frame_clear(frame);
    TALUS_TRY(xml_open(&xml, path, &frame->memory, err));
    talus_status status = read_blocks(&xml, frame, err);
    xml_close(&xml);
    return status < 0 ? status : read_moment(frame, path, err);
}

/* ---- all frames ------------------------------------------------------------------------------ */

static talus_status read_entries(struct xml *xml, struct vtk_list *list, talus_error *err) {
    struct xml_tag tag;
    bool found;
    TALUS_TRY(xml_expect_vtk(xml, "Collection", err));
    for (;;) {
        char file[FRAME_FILE], text[40], *end;
        TALUS_TRY(xml_next(xml, &tag, &found, err));
        if (!found) return TALUS_OK;
        if (!xml_is(&tag, "DataSet")) continue;
        if (!xml_attribute(&tag, "file", file, sizeof file) ||
            !xml_attribute(&tag, "timestep", text, sizeof text) || strchr(file, '/') != NULL)
            return wrong(xml, err, "a data set has no proper time or file");
        double time = strtod(text, &end);
        if (end == text || *end != '\0' || !isfinite(time))
            return wrong(xml, err, "a data set has no proper time");
        TALUS_TRY(vtk_list_add(list, time, file, err));
    }
}

talus_status vtk_list_read(struct vtk_list *list, const char *path, talus_error *err) {
    struct xml xml;
    list->count = 0;
    TALUS_TRY(xml_open(&xml, path, &list->memory, err));
    talus_status status = read_entries(&xml, list, err);
    xml_close(&xml);
    return status;
}
