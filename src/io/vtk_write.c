/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "io/base64.h"
#include "io/number.h"
#include "io/vtk_file.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "frames are written in the byte order of the machine, which OVITO wants to be little-endian"
#endif

enum { FRAME_DIGITS = 6 /* at least */ };

static void put_head(FILE *to, const char *type, const char *version) {
    fprintf(to,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"%s\" version=\"%s\" "
            "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n",
            type, version);
}

/* ---- one block ------------------------------------------------------------------------------- */

static void put_array(struct base64 *base64, const struct frame_array *array, bool with_count) {
    FILE *to = base64->to;
    uint64_t bytes =
        array->count * (uint64_t)array->components * (uint64_t)frame_type_size(array->type);
    fprintf(to, "<DataArray type=\"%s\" Name=\"%s\"", frame_type_name(array->type), array->name);
    if (array->components > 1) fprintf(to, " NumberOfComponents=\"%d\"", array->components);
    if (with_count) fprintf(to, " NumberOfTuples=\"%zu\"", array->count);
    fputs(" format=\"binary\">", to);
    base64_put(base64, &bytes, sizeof bytes);
    base64_put(base64, array->values, bytes);
    base64_end(base64);
    fputs("</DataArray>\n", to);
}

static void put_piece(struct base64 *base64, const struct frame_block *block) {
    FILE *to = base64->to;
    size_t cells = block->offsets.count;
    const char *data = block->cells == FRAME_VERTICES ? "PointData" : "CellData";
    const char *topology = frame_cells_name(block->cells);
    fprintf(to,
            "<PolyData>\n<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" NumberOfLines=\"%zu\" "
            "NumberOfStrips=\"0\" NumberOfPolys=\"%zu\">\n<%s>\n",
            block->points.count, block->cells == FRAME_VERTICES ? cells : 0,
            block->cells == FRAME_LINES ? cells : 0, block->cells == FRAME_POLYGONS ? cells : 0,
            data);
    for (size_t i = 0; i < block->data_count; i++) put_array(base64, &block->data[i], false);
    fprintf(to, "</%s>\n<Points>\n", data);
    put_array(base64, &block->points, false);
    fprintf(to, "</Points>\n<%s>\n", topology);
    put_array(base64, &block->connectivity, false);
    put_array(base64, &block->offsets, false);
    fprintf(to, "</%s>\n</Piece>\n", topology);
}

talus_status vtp_write(const struct frame_block *block, const char *directory, const char *name,
                       talus_error *err) {
    struct file file;
    TALUS_TRY(file_open(&file, directory, name, FILE_QUICK, err));
    struct base64 base64 = base64_start(file.stream);
    put_head(file.stream, "PolyData", "1.0");
    put_piece(&base64, block);
    /* Behind the piece: before it, OVITO does not know the file. */
    fputs("<FieldData>\n", file.stream);
    for (size_t i = 0; i < block->fact_count; i++) put_array(&base64, &block->facts[i], true);
    fputs("</FieldData>\n</PolyData>\n</VTKFile>\n", file.stream);
    return file_close(&file, err);
}

/* ---- one frame ------------------------------------------------------------------------------- */

void vtk_frame_name(char name[FRAME_FILE], int64_t number) {
    snprintf(name, FRAME_FILE, "frame_%0*" PRId64 ".vtm", FRAME_DIGITS, number);
}

static void block_name(char name[FRAME_FILE], enum frame_kind kind, int64_t number) {
    snprintf(name, FRAME_FILE, "%s_%0*" PRId64 ".vtp", frame_kind_name(kind), FRAME_DIGITS, number);
}

static talus_status write_index(const struct frame *frame, const char *directory, int64_t number,
                                talus_error *err) {
    char name[FRAME_FILE];
    struct file file;
    int index = 0;
    vtk_frame_name(name, number);
    TALUS_TRY(file_open(&file, directory, name, FILE_QUICK, err));
    put_head(file.stream, "vtkMultiBlockDataSet", "1.0");
    fputs("<vtkMultiBlockDataSet>\n", file.stream);
    for (int kind = 0; kind < FRAME_KINDS; kind++) {
        if (!frame->blocks[kind].present) continue;
        block_name(name, (enum frame_kind)kind, number);
        fprintf(file.stream, "<DataSet index=\"%d\" name=\"%s\" file=\"%s\"/>\n", index++,
                frame_kind_name((enum frame_kind)kind), name);
    }
    fputs("</vtkMultiBlockDataSet>\n</VTKFile>\n", file.stream);
    return file_close(&file, err);
}

talus_status vtk_frame_write(const struct frame *frame, const char *directory, int64_t number,
                             talus_error *err) {
    char name[FRAME_FILE];
    for (int kind = 0; kind < FRAME_KINDS; kind++) {
        if (!frame->blocks[kind].present) continue;
        block_name(name, (enum frame_kind)kind, number);
        TALUS_TRY(vtp_write(&frame->blocks[kind], directory, name, err));
    }
    return write_index(frame, directory, number, err);
}

/* ---- all frames ------------------------------------------------------------------------------ */

talus_status vtk_list_add(struct vtk_list *list, double time, const char *file, talus_error *err) {
    struct vtk_list_entry *grown = memory_reserve(&list->memory, list->entries, &list->capacity,
                                                  list->count + 1, sizeof *grown);
    if (grown == NULL) return error_memory(err);
    list->entries = grown;
    struct vtk_list_entry *entry = &grown[list->count++];
    entry->time = time;
    snprintf(entry->file, FRAME_FILE, "%s", file);
    return TALUS_OK;
}

talus_status vtk_list_write(const struct vtk_list *list, const char *directory, talus_error *err) {
    struct file file;
    char text[NUMBER_TEXT];
    TALUS_TRY(file_open(&file, directory, VTK_LIST_NAME, FILE_QUICK, err));
    put_head(file.stream, "Collection", "0.1");
    fputs("<Collection>\n", file.stream);
    for (size_t i = 0; i < list->count; i++)
        fprintf(file.stream, "<DataSet timestep=\"%s\" part=\"0\" file=\"%s\"/>\n",
                number_text(list->entries[i].time, text), list->entries[i].file);
    fputs("</Collection>\n</VTKFile>\n", file.stream);
    return file_close(&file, err);
}

void vtk_list_free(struct vtk_list *list) {
    memory_free(&list->memory, list->entries, list->capacity, sizeof *list->entries);
    list->entries = NULL;
    list->count = list->capacity = 0;
}

/* "particles_000007.vtp", without what comes before the number. */
static bool is_numbered(const char *name, const char *start, const char *end) {
    size_t length = strlen(start);
    int digits = 0;
    if (strncmp(name, start, length) != 0 || name[length] != '_') return false;
    for (name += length + 1; isdigit((unsigned char)*name); name++) digits++;
    return digits >= FRAME_DIGITS && strcmp(name, end) == 0;
}

bool vtk_is_frame_file(const char *name) {
    if (strcmp(name, VTK_LIST_NAME) == 0 || strcmp(name, "shapes.vtp") == 0 ||
        strcmp(name, "names.tsv") == 0 || is_numbered(name, "frame", ".vtm"))
        return true;
    for (int kind = 0; kind < FRAME_KINDS; kind++) {
        char whole[FRAME_FILE];
        snprintf(whole, sizeof whole, "frames.%s.vtkhdf", frame_kind_name((enum frame_kind)kind));
        if (strcmp(name, whole) == 0) return true;
        if (is_numbered(name, frame_kind_name((enum frame_kind)kind), ".vtp")) return true;
    }
    return false;
}
