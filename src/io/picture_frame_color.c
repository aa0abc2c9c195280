/* SPDX-License-Identifier: Apache-2.0
 * The quantity of a frame that shades its grains: a number, the size of a vector, or one of its components. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "io/picture_frame.h"
#include "sim/quantities.h"
#include "sim/sim.h"

enum { WHOLE = -1 /* component: the size of the vector */, TEXT = 512 };

struct asked {
    const struct frame_array *array;
    int component;
};

/* The words of scenes for what frames call otherwise. */
static const char *plain_name(const char *name, int dim) {
    static const char *const heights[3] = {"x", "y", "z"};
    if (strcmp(name, "speed") == 0) return "|v|";
    if (strcmp(name, "spin") == 0) return "|omega|";
    if (strcmp(name, "height") == 0) return heights[dim - 1];
    return name;
}

/* "|v|" is v, as a whole; "v.x" its first component. */
static bool read_name(const char *name, char array[FRAME_NAME], int *component, bool *whole) {
    size_t length = strlen(name);
    const char *dot = strrchr(name, '.');
    const char *letters = "xyz";
    *component = 0;
    *whole = length > 2 && name[0] == '|' && name[length - 1] == '|';
    if (*whole) {
        *component = WHOLE;
        name++;
        length -= 2;
    } else if (dot != NULL && dot > name && dot[1] != '\0' && dot[2] == '\0' &&
               strchr(letters, dot[1]) != NULL) {
        *component = (int)(strchr(letters, dot[1]) - letters);
        length = (size_t)(dot - name);
    }
    if (length >= FRAME_NAME) return false;
    memcpy(array, name, length);
    array[length] = '\0';
    return true;
}

/* Every array as it can be asked for. */
static void list_names(const struct frame_block *block, char text[TEXT]) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t d = 0; d < block->data_count && used < TEXT - FRAME_NAME; d++) {
        const struct frame_array *array = &block->data[d];
        const char *bar = array->components == 3 ? "|" : "";
        if (array->components != 1 && array->components != 3) continue;
        used += (size_t)snprintf(text + used, TEXT - used, "%s%s%s%s", used > 0 ? ", " : "", bar,
                                 array->name, bar);
    }
}

static talus_status find_asked(const struct picture_frame_source *source, const char *name,
                               struct asked *asked, talus_error *err) {
    const struct frame_block *block = &source->frame->blocks[FRAME_PARTICLES];
    char array[FRAME_NAME], known[TEXT];
    bool whole;
    const char *plain = plain_name(name, source->frame->dim);
    if (read_name(plain, array, &asked->component, &whole)) {
        static const char *const axes[3] = {"x", "y", "z"};
        asked->array = frame_find(block, array);
        for (int axis = 0; axis < 3; axis++)
            if (strcmp(plain, axes[axis]) == 0) *asked = (struct asked){&block->points, axis};
        bool component = strchr(plain, '.') != NULL;
        if (asked->array != NULL && (asked->array == &block->points ||
                                     (asked->array->components == 1 && !whole && !component) ||
                                     (asked->array->components == 3 && (whole || component))))
            return TALUS_OK;
    }
    list_names(block, known);
    return error_set(
        err, TALUS_ERR_UNKNOWN_NAME,
        "%s: has no quantity \"%.60s\"; it has speed, spin, height, pressure, x, y, z, "
        "%s, and components of vectors like v.x",
        source->name, name, known);
}

static double value_of(const struct asked *asked, size_t i) {
    if (asked->component != WHOLE) return frame_real(asked->array, i, asked->component);
    return vec3_norm(frame_vector(asked->array, i));
}

static bool is_category(const char *name) {
    return strcmp(name, "group") == 0 || strcmp(name, "type") == 0 || strcmp(name, "shape") == 0;
}

static bool find_category(const struct picture_frame_source *source, const char *what, int number,
                          char name[STORED_NAME]) {
    const char *text = NULL;
    if (source->sim == NULL) return stored_name(source->names, what, number, name);
    const struct world *world = &source->sim->world;
    if (strcmp(what, "group") == 0)
        text = world->groups[number].text;
    else if (number > 0)
        text = strcmp(what, "type") == 0 ? world->materials[number - 1].name.text
                                         : world->forms[number - 1].name.text;
    if (text != NULL) snprintf(name, STORED_NAME, "%.90s", text);
    return text != NULL;
}

static void name_categories(struct picture *picture, const struct picture_frame_source *source,
                            const char *what) {
    struct picture_scale *scale = &picture->scale;
    for (size_t i = 0; i < picture->grain_count; i++) {
        double value = picture->grains[i].value;
        char name[STORED_NAME] = "";
        if (!(value >= 0.0 && value < (double)PICTURE_NAMES)) continue;
        int k = (int)value;
        if (k >= scale->name_count) scale->name_count = k + 1;
        if (scale->names[k][0] != '\0') continue;
        if (find_category(source, what, k, name))
            snprintf(scale->names[k], PICTURE_LABEL, "%.63s", name);
        else if (strcmp(what, "shape") == 0 && k == 0)
            snprintf(scale->names[k], PICTURE_LABEL, "round");
        else
            snprintf(scale->names[k], PICTURE_LABEL, "%.20s %d", what, k);
    }
}

static const char *unit_of(const struct asked *asked, const struct frame_block *block) {
    int number = quantity_find(asked->array->name);
    if (asked->array == &block->points) return "m";
    return number >= 0 ? quantity_get(number)->unit : "";
}

bool picture_frame_color_of_contacts(const struct picture_frame_source *source, const char *name) {
    if (strcmp(name, "pressure") == 0) return true;
    return strcmp(name, "coordination") == 0 &&
           frame_find(&source->frame->blocks[FRAME_PARTICLES], name) == NULL;
}

talus_status picture_frame_color(struct picture *picture, const struct picture_frame_source *source,
                                 const char *name, talus_error *err) {
    const struct frame_block *block = &source->frame->blocks[FRAME_PARTICLES];
    struct picture_scale *scale = &picture->scale;
    struct asked asked;
    snprintf(scale->quantity, PICTURE_LABEL, "%.63s", name);
    scale->from_zero = strcmp(name, "coordination") == 0 || strcmp(name, "pressure") == 0;
    if (picture_frame_color_of_contacts(source, name)) {
        if (strcmp(name, "pressure") == 0)
            picture_pressure(picture);
        else
            picture_coordination(picture);
        return TALUS_OK;
    }
    TALUS_TRY(find_asked(source, name, &asked, err));
    snprintf(scale->unit, PICTURE_LABEL, "%s", unit_of(&asked, block));
    scale->from_zero = scale->from_zero || asked.component == WHOLE || is_category(name);
    scale->is_signed =
        asked.array->components == 3 && asked.component != WHOLE && asked.array != &block->points;
    if (picture->dim == 1 && strcmp(name, "height") == 0)
        snprintf(scale->quantity, PICTURE_LABEL, "position");
    for (size_t i = 0; i < picture->grain_count; i++)
        picture->grains[i].value = value_of(&asked, i);
    if (is_category(name)) name_categories(picture, source, name);
    return TALUS_OK;
}
