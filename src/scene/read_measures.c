/* SPDX-License-Identifier: Apache-2.0
 * output: {measures: ...}: which ones, with what parameters, under which names. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "scene/measure_values.h"
#include "scene/read.h"

enum { PAIR_TEXT = 400 };

/* "key=a, b, c" of a scalar or of a list. */
static bool write_pair(const struct node *child, char text[PAIR_TEXT]) {
    size_t length = (size_t)snprintf(text, PAIR_TEXT, "%s=", child->key);
    const struct node *element = child->kind == NODE_LIST ? child->first : child;
    for (; element != NULL && length < PAIR_TEXT; element = element->next) {
        length += (size_t)snprintf(text + length, PAIR_TEXT - length, "%s", element->text);
        if (child->kind != NODE_LIST) break;
        if (element->next != NULL && length < PAIR_TEXT)
            length += (size_t)snprintf(text + length, PAIR_TEXT - length, ", ");
    }
    return length < PAIR_TEXT;
}

/* Where the first of these keys is written, else the measure itself. */
static struct place place_of(const struct node *map, const char *keys) {
    while (*keys != '\0') {
        size_t length = strcspn(keys, " ");
        for (const struct node *child = map->first; child != NULL; child = child->next)
            if (strlen(child->key) == length && strncmp(child->key, keys, length) == 0)
                return child->place;
        keys += length + (keys[length] == ' ');
    }
    return map->place;
}

static const char *group_of(const struct talus_scene *scene, size_t k) {
    return k < scene->generator_count ? scene->generators[k].group
                                      : scene->sources[k - scene->generator_count].group;
}

/* 0: not known, as grains of another run bring their own, and a list with a mistake may lack some. */
static int count_groups(const struct reader *reader) {
    const struct talus_scene *scene = reader->scene;
    int count = 0;
    if (scene->from != NULL || reader->problems->count > 0) return 0;
    for (size_t k = 0; k < scene->generator_count + scene->source_count; k++) {
        size_t earlier = 0;
        while (earlier < k && strcmp(group_of(scene, earlier), group_of(scene, k)) != 0) earlier++;
        count += earlier == k;
    }
    return count;
}

/* Parameters that are right by themselves may not fit each other, the dimension or the cell. */
static void check_parameters(struct reader *reader, const struct node *map,
                             const struct scene_measure *measure) {
    const struct talus_scene *scene = reader->scene;
    const struct node *root = reader->root;
    struct measure_world world = {.dim = scene->config.dim,
                                  .cell = cell_make(&scene->config.cell),
                                  .types = reader->bad_materials ? 0 : (int)scene->material_count,
                                  .groups = count_groups(reader)};
    const char *keys;
    talus_error err;
    bool known = (get(root, "dimension") != NULL || !get_has(root, "dimension")) &&
                 (get(root, "cell") != NULL || !get_has(root, "cell"));
    if (known && measure_check(&measure->values, &world, &keys, &err) < 0)
        problem_at(reader->problems, place_of(map, keys), "%s", err.text);
}

/* Each parameter by itself, so that each mistake is told where it is. */
static void read_parameters(struct reader *reader, const struct node *map,
                            struct scene_measure *measure) {
    const char *none = NULL;
    talus_error err;
    if (measure_values_read(&measure->values, measure->name, &none, 0, &err) < 0) {
        problem_at(reader->problems, map->place, "%s", err.text);
        return;
    }
    size_t before = reader->problems->count;
    for (const struct node *child = map->first; child != NULL; child = child->next) {
        char text[PAIR_TEXT];
        if (child->bad || strcmp(child->key, "name") == 0 || strcmp(child->key, "as") == 0)
            continue;
        if (!write_pair(child, text))
            problem_at(reader->problems, child->place, "'%s' is too long", child->key);
        else if (measure_values_set(&measure->values, text, &err) < 0)
            problem_at(reader->problems, child->place, "%s", err.text);
    }
    if (reader->problems->count == before) check_parameters(reader, map, measure);
}

/* The label becomes the name of a file. */
static void check_label(struct reader *reader, const struct node *map,
                        const struct scene_measure *measures, size_t number) {
    const char *label = measures[number].label;
    if (strpbrk(label, "/[]") != NULL || label[0] == '.')
        problem_at(reader->problems, place_of(map, "as"),
                   "measure '%s': as '%.60s' cannot name a file or a column: none of / [ ], and no "
                   "'.' at its start",
                   measures[number].name, label);
    for (size_t k = 0; k < number; k++)
        if (measures[k].label != NULL && strcmp(measures[k].label, label) == 0)
            problem_at(reader->problems, map->place,
                       "there are two measures called '%.60s'; give one of them another name, `as`",
                       label);
}

void read_measures(struct reader *reader, struct node *list) {
    struct scene_output *output = &reader->scene->output;
    if (list == NULL || list->count == 0) return;
    struct scene_measure *measures = read_array(reader, list->count, sizeof *measures);
    if (measures == NULL) return;
    size_t number = 0;
    for (struct node *map = list->first; map != NULL; map = map->next) {
        const char *name = map->bad ? NULL : get_text(map, "name", NULL);
        if (name == NULL) continue;
        struct scene_measure *measure = &measures[number];
        *measure = (struct scene_measure){.name = name, .label = get_text(map, "as", name)};
        if (strcmp(name, "msd") == 0)
            problem_at(reader->problems, map->place,
                       "msd compares stored frames: `talus measure DIR msd` after the run");
        read_parameters(reader, map, measure);
        check_label(reader, map, measures, number);
        number++;
    }
    output->measures = measures;
    output->measure_count = number;
}
