/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "io/base64.h"
#include "io/bulk.h"
#include "io/number.h"
#include "io/vtk_file.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "frames are written in the byte order of the machine, which OVITO wants to be little-endian"
#endif

enum { FRAME_DIGITS = 6 /* at least */ };

#define HEAD                                                        \
    "<?xml version=\"1.0\"?>\n<VTKFile type=\"%s\" version=\"%s\" " \
    "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"

/* ---- one block ------------------------------------------------------------------------------- */

/* As text, behind the number of bytes, which is encoded together with them. */
static void put_values(struct bulk *to, const unsigned char *values, uint64_t count) {
    unsigned char first[9];
    size_t with_count = count > 0 ? 1 : 0, got;
    char text[4 * 3];
    memcpy(first, &count, sizeof count);
    if (with_count > 0) first[8] = values[0];
    base64_letters(first, 2, text);
    base64_last(first + 6, 2 + with_count, text + 8);
    bulk_put(to, text, sizeof text);
    values += with_count;
    count -= with_count;
    while (count >= 3) {
        char *room = bulk_room(to, 4 * (count / 3), &got);
        base64_letters(values, got / 4, room);
        bulk_advance(to, got / 4 * 4);
        values += got / 4 * 3;
        count -= got / 4 * 3;
        if (got >= 4 || count < 3) continue;
        base64_letters(values, 1, text); /* letters that do not fit in the buffer together */
        bulk_put(to, text, 4);
        values += 3;
        count -= 3;
    }
    if (count == 0) return;
    base64_last(values, count, text);
    bulk_put(to, text, 4);
}

static void put_array(struct bulk *to, const struct frame_array *array, bool with_count) {
    uint64_t bytes =
        array->count * (uint64_t)array->components * (uint64_t)frame_type_size(array->type);
    bulk_print(to, "<DataArray type=\"%s\" Name=\"%s\"", frame_type_name(array->type), array->name);
    if (array->components > 1) bulk_print(to, " NumberOfComponents=\"%d\"", array->components);
    if (with_count) bulk_print(to, " NumberOfTuples=\"%zu\"", array->count);
    bulk_print(to, " format=\"binary\">");
    put_values(to, array->values, bytes);
    bulk_print(to, "</DataArray>\n");
}

static void put_piece(struct bulk *to, const struct frame_block *block) {
    size_t cells = block->offsets.count;
    const char *data = block->cells == FRAME_VERTICES ? "PointData" : "CellData";
    const char *topology = frame_cells_name(block->cells);
    bulk_print(
        to,
        "<PolyData>\n<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" NumberOfLines=\"%zu\" "
        "NumberOfStrips=\"0\" NumberOfPolys=\"%zu\">\n<%s>\n",
        block->points.count, block->cells == FRAME_VERTICES ? cells : 0,
        block->cells == FRAME_LINES ? cells : 0, block->cells == FRAME_POLYGONS ? cells : 0, data);
    for (size_t i = 0; i < block->data_count; i++) put_array(to, &block->data[i], false);
    bulk_print(to, "</%s>\n<Points>\n", data);
    put_array(to, &block->points, false);
    bulk_print(to, "</Points>\n<%s>\n", topology);
    put_array(to, &block->connectivity, false);
    put_array(to, &block->offsets, false);
    bulk_print(to, "</%s>\n</Piece>\n", topology);
}

talus_status vtp_write(const struct frame_block *block, const char *directory, const char *name,
                       talus_error *err) {
    struct bulk to;
    TALUS_TRY(bulk_open(&to, directory, name, err));
    bulk_print(&to, HEAD, "PolyData", "1.0");
    put_piece(&to, block);
    /* Behind the piece: before it, OVITO does not know the file. */
    bulk_print(&to, "<FieldData>\n");
    for (size_t i = 0; i < block->fact_count; i++) put_array(&to, &block->facts[i], true);
    bulk_print(&to, "</FieldData>\n</PolyData>\n</VTKFile>\n");
    return bulk_close(&to, err);
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
    fprintf(file.stream, HEAD, "vtkMultiBlockDataSet", "1.0");
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
    fprintf(file.stream, HEAD, "Collection", "0.1");
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
