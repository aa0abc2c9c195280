/* SPDX-License-Identifier: Apache-2.0
 *
 * A final state (final.txt, final_contacts.txt) made like a frame, for those who write it down again: with its cell, and
 * contacts as lines from centre to centre, the short way.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/stored.h"
#include "world/cell.h"

enum { LINE = 512 };

/* Grains by their ids, to find the place of one. */
struct place {
    int64_t id;
    size_t at;
};

static int compare_places(const void *left, const void *right) {
    const struct place *a = left, *b = right;
    return a->id < b->id ? -1 : a->id > b->id;
}

static struct cell cell_of(const struct frame_block *grains) {
    const struct frame_array *periodic = frame_find_fact(grains, "cell_periodic");
    talus_cell_config config = {.periodic = {false, false, false}};
    if (periodic == NULL) return cell_make(&config);
    config.origin = frame_vector(frame_find_fact(grains, "cell_origin"), 0);
    config.size = frame_vector(frame_find_fact(grains, "cell_size"), 0);
    for (int axis = 0; axis < 3; axis++)
        config.periodic[axis] = frame_real(periodic, 0, axis) != 0.0;
    return cell_make(&config);
}

/* The centre of a grain; false: there is none with this id, it is a wall. */
static bool find_centre(const struct frame_block *grains, const struct place *places, int64_t id,
                        talus_vec3 *centre) {
    struct place key = {.id = id};
    const struct place *found =
        bsearch(&key, places, grains->points.count, sizeof key, compare_places);
    if (found != NULL) *centre = frame_vector(&grains->points, found->at);
    return found != NULL;
}

static void draw_lines(struct frame_block *contacts, const struct frame_block *grains,
                       const struct place *places) {
    const struct frame_array *first = frame_find(contacts, "id1"),
                             *second = frame_find(contacts, "id2"),
                             *point = frame_find(contacts, "point");
    struct cell cell = cell_of(grains);
    for (size_t c = 0; c < contacts->offsets.count; c++) {
        talus_vec3 from, to;
        if (!find_centre(grains, places, frame_integer(first, c, 0), &from)) continue;
        if (!find_centre(grains, places, frame_integer(second, c, 0), &to))
            to = frame_vector(point, c);
        frame_set_vector(&contacts->points, 2 * c, from);
        frame_set_vector(&contacts->points, 2 * c + 1,
                         vec3_add(from, cell_branch(&cell, from, to)));
    }
}

talus_status stored_complete_final(struct frame *frame, const char *directory, talus_error *err) {
    const struct frame_block *grains = &frame->blocks[FRAME_PARTICLES];
    size_t count = grains->points.count;
    TALUS_TRY(stored_add_final_cell(frame, directory, err));
    if (count == 0) return TALUS_OK;
    const struct frame_array *id = frame_find(grains, "id");
    struct place *places = memory_resize(&frame->memory, NULL, 0, count, sizeof *places);
    if (places == NULL) return error_memory(err);
    for (size_t i = 0; i < count; i++) places[i] = (struct place){frame_integer(id, i, 0), i};
    qsort(places, count, sizeof *places, compare_places);
    draw_lines(&frame->blocks[FRAME_CONTACTS], grains, places);
    draw_lines(&frame->blocks[FRAME_WALL_CONTACTS], grains, places);
    memory_free(&frame->memory, places, count, sizeof *places);
    return TALUS_OK;
}

/* scene.yaml of a run: "materials:", then one line "  - {name: NAME, ...}" for each. */
bool stored_only_material(const char *directory, char name[STORED_NAME]) {
    char path[FILE_PATH], line[LINE], found[STORED_NAME];
    size_t count = 0;
    bool inside = false;
    FILE *from = file_path(path, directory, "scene.yaml", NULL) < 0 ? NULL : file_read(path, NULL);
    while (from != NULL && fgets(line, sizeof line, from) != NULL) {
        if (line[0] != ' ' && line[0] != '\n') inside = strncmp(line, "materials:", 10) == 0;
        if (inside && sscanf(line, " - {name: %95[^,}\n]", found) == 1 && count++ == 0)
            snprintf(name, STORED_NAME, "%s", found);
    }
    if (from != NULL) fclose(from);
    if (count != 1) name[0] = '\0';
    return count == 1;
}
