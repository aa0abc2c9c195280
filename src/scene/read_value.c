/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "scene/read.h"
#include "scene/suggest.h"

struct node *get(const struct node *map, const char *key) {
    struct node *node = tree_find(map, key);
    return node != NULL && !node->bad ? node : NULL;
}

bool get_has(const struct node *map, const char *key) {
    return tree_find(map, key) != NULL;
}

double get_number(const struct node *map, const char *key, double otherwise) {
    const struct node *node = get(map, key);
    return node != NULL && node->value == VALUE_NUMBER ? node->number : otherwise;
}

int64_t get_integer(const struct node *map, const char *key, int64_t otherwise) {
    const struct node *node = get(map, key);
    return node != NULL && node->value == VALUE_INTEGER ? node->integer : otherwise;
}

bool get_boolean(const struct node *map, const char *key, bool otherwise) {
    const struct node *node = get(map, key);
    return node != NULL && node->value == VALUE_BOOLEAN ? node->integer != 0 : otherwise;
}

const char *get_text(const struct node *map, const char *key, const char *otherwise) {
    const struct node *node = get(map, key);
    return node != NULL && node->kind == NODE_SCALAR ? node->text : otherwise;
}

vec3 get_vector(const struct node *map, const char *key) {
    const struct node *list = get(map, key);
    if (list == NULL || list->kind != NODE_LIST || list->count != 3) return vec3_zero();
    const struct node *x = list->first, *y = x->next, *z = y->next;
    return vec3_make(x->number, y->number, z->number);
}

size_t get_count(const struct node *map, const char *key) {
    const struct node *list = get(map, key);
    return list != NULL && list->kind == NODE_LIST ? list->count : 0;
}

bool get_contains(const struct node *map, const char *key, const char *word) {
    const struct node *list = get(map, key);
    if (list == NULL) return false;
    for (const struct node *child = list->first; child != NULL; child = child->next) {
        if (child->kind == NODE_SCALAR && strcmp(child->text, word) == 0) return true;
    }
    return false;
}

void *read_array(struct reader *reader, size_t count, size_t size) {
    void *array = pool_alloc(reader->pool, count, size);
    if (array == NULL) problem_memory(reader->problems);
    return array;
}

const double *read_numbers(struct reader *reader, const struct node *list) {
    double *numbers = read_array(reader, list->count, sizeof *numbers);
    if (numbers == NULL) return NULL;
    size_t i = 0;
    for (const struct node *child = list->first; child != NULL; child = child->next) {
        numbers[i++] = child->number;
    }
    return numbers;
}

const char *const *read_names(struct reader *reader, const struct node *list) {
    const char **names = read_array(reader, list->count, sizeof *names);
    if (names == NULL) return NULL;
    size_t i = 0;
    for (const struct node *child = list->first; child != NULL; child = child->next) {
        names[i++] = child->text;
    }
    return names;
}

int read_word(const char *word, const char *words) {
    size_t length = strlen(word);
    for (int position = 0; words != NULL; position++) {
        if (strncmp(words, word, length) == 0 && (words[length] == ' ' || words[length] == '\0')) {
            return position;
        }
        words = strchr(words, ' ');
        if (words != NULL) words++;
    }
    return 0;
}

/* ---- vectors --------------------------------------------------------------------------------- */

vec3 read_direction(struct reader *reader, const struct node *map, const char *key) {
    const struct node *node = get(map, key);
    if (node == NULL) return vec3_zero();
    vec3 vector = get_vector(map, key);
    double largest = fmax(fabs(vector.x), fmax(fabs(vector.y), fabs(vector.z)));
    if (largest == 0.0) {
        problem_at(reader->problems, node->place, "%s is the zero vector: it has no direction",
                   key);
        return vec3_zero();
    }
    /* First by the largest component: squares of very small or large ones leave the range. */
    vector = vec3_make(vector.x / largest, vector.y / largest, vector.z / largest);
    double norm = vec3_norm(vector);
    return vec3_make(vector.x / norm, vector.y / norm, vector.z / norm);
}

static void check_locked(struct reader *reader, const struct node *map, const char *key,
                         vec3 vector) {
    const struct node *node = get(map, key);
    if (node == NULL) return;
    bool out =
        (reader->dimension < 3 && vector.z != 0.0) || (reader->dimension < 2 && vector.y != 0.0);
    if (!out) return;
    problem_at(reader->problems, node->place,
               "%s points out of the %d-dimensional world: %s must be 0", key, reader->dimension,
               reader->dimension == 2 ? "its z" : "its y and z");
}

vec3 read_world_vector(struct reader *reader, const struct node *map, const char *key) {
    vec3 vector = get_vector(map, key);
    check_locked(reader, map, key, vector);
    return vector;
}

vec3 read_world_direction(struct reader *reader, const struct node *map, const char *key) {
    vec3 vector = read_direction(reader, map, key);
    check_locked(reader, map, key, vector);
    return vector;
}

static void check_turns(struct reader *reader, const struct node *map, const char *key,
                        vec3 vector) {
    const struct node *node = get(map, key);
    if (node == NULL || reader->dimension == 3 || (vector.x == 0.0 && vector.y == 0.0)) return;
    problem_at(reader->problems, node->place, "%s: in a %d-dimensional world it must be along z",
               key, reader->dimension);
}

vec3 read_axis(struct reader *reader, const struct node *map, const char *key) {
    vec3 axis = read_direction(reader, map, key);
    check_turns(reader, map, key, axis);
    return axis;
}

vec3 read_omega(struct reader *reader, const struct node *map, const char *key) {
    vec3 omega = get_vector(map, key);
    check_turns(reader, map, key, omega);
    return omega;
}

unsigned read_locks(const struct node *map) {
    unsigned locks = 0;
    if (get_contains(map, "lock", "x")) locks |= TALUS_LOCK_X;
    if (get_contains(map, "lock", "y")) locks |= TALUS_LOCK_Y;
    if (get_contains(map, "lock", "z")) locks |= TALUS_LOCK_Z;
    if (get_contains(map, "lock", "rotation")) locks |= TALUS_LOCK_ROTATION;
    return locks;
}

/* ---- references ------------------------------------------------------------------------------ */

void read_default_number(struct reader *reader, struct node *map, const char *key, double value) {
    if (!tree_put_number(reader->pool, map, key, value)) problem_memory(reader->problems);
}

void read_default_text(struct reader *reader, struct node *map, const char *key, const char *text) {
    if (!tree_put_text(reader->pool, map, key, text)) problem_memory(reader->problems);
}

static bool find_group(const struct reader *reader, const char *list, const char *group,
                       struct suggest *suggest) {
    const struct node *entries = get(reader->root, list);
    if (entries == NULL || entries->kind != NODE_LIST) return false;
    for (const struct node *entry = entries->first; entry != NULL; entry = entry->next) {
        const char *name = get_text(entry, "group", NULL);
        if (name == NULL) continue;
        if (strcmp(name, group) == 0) return true;
        suggest_try(suggest, name);
    }
    return false;
}

void check_group(struct reader *reader, const struct node *name) {
    if (name == NULL || name->bad || name->kind != NODE_SCALAR) return;
    struct suggest suggest = suggest_start(name->text);
    if (find_group(reader, "grains", name->text, &suggest)) return;
    if (find_group(reader, "sources", name->text, &suggest)) return;
    if (get_has(reader->root, "from")) return; /* from_check_groups looks, when grains are known */
    struct line advice = {.length = 0};
    problem_at(reader->problems, name->place, "there is no group '%s'; %s", name->text,
               suggest_advice(&suggest, &advice));
}

void check_unique_names(struct reader *reader, const struct node *list, const char *what) {
    if (list == NULL) return;
    for (const struct node *later = list->first; later != NULL; later = later->next) {
        const struct node *name = get(later, "name");
        for (const struct node *earlier = list->first; name != NULL && earlier != later;
             earlier = earlier->next) {
            const char *other = get_text(earlier, "name", NULL);
            if (other == NULL || strcmp(other, name->text) != 0) continue;
            problem_at(reader->problems, name->place, "%s '%s' exists already", what, name->text);
            break;
        }
    }
}
