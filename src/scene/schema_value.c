/* SPDX-License-Identifier: Apache-2.0
 *
 * Values of a tree against the table: types, units, ranges, words.
 */
#include "scene/schema_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/suggest.h"
#include "scene/units.h"
#include "talus/catalog.h"

enum {
    NAME_BYTES = 60, /* the engine keeps 63, and box sides add 3 */
    WORD_BYTES = 64,
    WORDS_MAX = 32
};

const struct schema_key *schema_find(const struct schema_map *map, const char *name) {
    for (size_t i = 0; i < map->count; i++) {
        if (strcmp(map->keys[i].name, name) == 0) return &map->keys[i];
    }
    return NULL;
}

static bool catalog_word(const char *kind, size_t n, char *word, size_t size) {
    for (size_t i = 0; i < talus_catalog_count(); i++) {
        const talus_entry *entry = talus_catalog_entry(i);
        if (strcmp(entry->kind, kind) != 0 || n-- > 0) continue;
        snprintf(word, size, "%s", entry->name);
        return true;
    }
    return false;
}

bool schema_word(const struct schema_key *key, size_t n, char *word, size_t size) {
    if (key->catalog != NULL) return catalog_word(key->catalog, n, word, size);
    const char *at = key->words;
    for (; n > 0 && at != NULL; n--) {
        at = strchr(at, ' ');
        if (at != NULL) at++;
    }
    if (at == NULL) return false;
    size_t length = strcspn(at, " ");
    snprintf(word, size, "%.*s", (int)length, at);
    return true;
}

/* ---- what is wanted, in words ---------------------------------------------------------------- */

static void want(struct line *line, bool wanted, const char *what) {
    if (wanted) line_add(line, "%s%s", line->length > 0 ? " or " : "", what);
}

static const char *describe_wanted(const struct schema_key *key, struct line *line) {
    const unsigned types = key->types;
    char quantity[120];
    if (types & (TYPE_NUMBER | TYPE_NUMBERS | TYPE_VECTOR | TYPE_VECTORS)) {
        struct unit unit;
        const char *bad;
        size_t length;
        char name[80];
        unit_parse(key->unit != NULL ? key->unit : "", &unit, &bad, &length);
        unit_describe(unit.dimension, name, sizeof name);
        if (key->unit != NULL)
            snprintf(quantity, sizeof quantity, "%s (%s)", name, key->unit);
        else
            snprintf(quantity, sizeof quantity, "%s", name);
        want(line, types & TYPE_NUMBER, quantity);
        if (types & TYPE_NUMBERS) line_add(line, "a list, each %s", quantity);
        if (types & TYPE_VECTOR) line_add(line, "a vector such as [0, 0, 1], each %s", quantity);
        if (types & TYPE_VECTORS) line_add(line, "a list of vectors, each number %s", quantity);
    }
    want(line, types & TYPE_INTEGER, "an integer");
    want(line, types & TYPE_BOOLEAN, "true or false");
    want(line, types & TYPE_INTEGERS, "a list of integers");
    want(line, types & TYPE_NAME, "a name");
    want(line, types & TYPE_TEXT, "a text");
    want(line, types & (TYPE_NAMES | TYPE_TEXTS), "a list of names");
    want(line, types & TYPE_MAP, "a map of keys");
    want(line, types & TYPE_MAPS, "a list of maps");
    char word[WORD_BYTES];
    for (size_t i = 0; types & (TYPE_WORD | TYPE_WORDS) && schema_word(key, i, word, sizeof word);
         i++) {
        want(line, true, word);
    }
    return line->text;
}

static const char *what_it_is(const struct node *node) {
    if (node->kind == NODE_MAP) return "a map";
    if (node->kind == NODE_LIST) return "a list";
    return node->text[0] == '\0' ? "empty" : "a text";
}

static void say_wrong_type(struct schema_check *check, struct node *node,
                           const struct schema_key *key, const struct schema_path *path) {
    struct line where = {.length = 0}, wanted = {.length = 0};
    schema_path_text(path, &where);
    describe_wanted(key, &wanted);
    if (node->kind == NODE_SCALAR && node->text[0] != '\0') {
        problem_at(check->problems, node->place, "%s is '%.80s', but %s is wanted", where.text,
                   node->text, wanted.text);
    } else {
        problem_at(check->problems, node->place, "%s is %s, but %s is wanted", where.text,
                   what_it_is(node), wanted.text);
    }
    node->bad = true;
}

/* ---- scalars --------------------------------------------------------------------------------- */

static bool in_range(const struct schema_key *key, double value, struct line *allowed) {
    switch (key->range) {
    case RANGE_ANY: return true;
    case RANGE_POSITIVE: line_add(allowed, "greater than 0"); return value > 0.0;
    case RANGE_NOT_NEGATIVE: line_add(allowed, "0 or greater"); return value >= 0.0;
    case RANGE_BETWEEN:
        line_add(allowed, "between %g and %g", key->low, key->high);
        return value >= key->low && value <= key->high;
    }
    return true;
}

static void check_range(struct schema_check *check, struct node *node, const struct schema_key *key,
                        double value, const struct schema_path *path) {
    struct line allowed = {.length = 0}, where = {.length = 0};
    if (in_range(key, value, &allowed)) return;
    problem_at(check->problems, node->place, "%s is %.80s, but must be %s",
               schema_path_text(path, &where), node->text, allowed.text);
    node->bad = true;
}

static void check_magnitude(struct schema_check *check, struct node *node,
                            const struct schema_key *key, const struct schema_path *path) {
    struct line where = {.length = 0};
    const char *unit = key->unit != NULL ? key->unit : "";
    bool counts = key->range == RANGE_POSITIVE || key->range == RANGE_NOT_NEGATIVE;
    bool tiny =
        key->unit != NULL && counts && node->number != 0.0 && node->number < quantity_smallest;
    if (!tiny && fabs(node->number) <= quantity_largest) return;
    problem_at(check->problems, node->place, "%s is %.80s, but must be at %s %g%s%s",
               schema_path_text(path, &where), node->text, tiny ? "least" : "most",
               tiny ? quantity_smallest : quantity_largest, *unit != '\0' ? " " : "", unit);
    node->bad = true;
}

static void check_number(struct schema_check *check, struct node *node,
                         const struct schema_key *key, const struct schema_path *path) {
    char message[320];
    const char *unit = key->unit != NULL ? key->unit : "";
    node->value = VALUE_NUMBER;
    if (!quantity_parse(node->text, unit, key->also, &node->number, message, sizeof message)) {
        struct line where = {.length = 0};
        problem_at(check->problems, node->place, "%s: %s", schema_path_text(path, &where), message);
        node->bad = true;
        return;
    }
    check_range(check, node, key, node->number, path);
    if (!node->bad) check_magnitude(check, node, key, path);
}

/* Integers are read as numbers too ("1e6" is a fine count), but exactly. */
static void check_integer(struct schema_check *check, struct node *node,
                          const struct schema_key *key, const struct schema_path *path) {
    char message[320];
    double number;
    struct line where = {.length = 0};
    node->value = VALUE_INTEGER;
    if (!quantity_parse(node->text, "", NULL, &number, message, sizeof message)) {
        problem_at(check->problems, node->place, "%s: %s", schema_path_text(path, &where), message);
        node->bad = true;
    } else if (number != floor(number)) {
        problem_at(check->problems, node->place, "%s is %.80s, but an integer is wanted",
                   schema_path_text(path, &where), node->text);
        node->bad = true;
    } else if (fabs(number) > (key->wide ? 0x1p53 : 2147483647.0)) {
        problem_at(check->problems, node->place, "%s is %.80s, but at most %s is allowed",
                   schema_path_text(path, &where), node->text,
                   key->wide ? "9007199254740992 (2^53)" : "2147483647");
        node->bad = true;
    } else {
        node->integer = (int64_t)number;
        check_range(check, node, key, number, path);
    }
}

static bool read_boolean(struct node *node) {
    static const char *const yes[] = {"true", "True", "yes", "on"};
    static const char *const no[] = {"false", "False", "no", "off"};
    for (size_t i = 0; i < 4; i++) {
        if (strcmp(node->text, yes[i]) != 0 && strcmp(node->text, no[i]) != 0) continue;
        node->value = VALUE_BOOLEAN;
        node->integer = strcmp(node->text, yes[i]) == 0;
        return true;
    }
    return false;
}

static bool is_word(const struct schema_key *key, const char *text) {
    char word[WORD_BYTES];
    for (size_t i = 0; schema_word(key, i, word, sizeof word); i++) {
        if (strcmp(word, text) == 0) return true;
    }
    return false;
}

static void say_unknown_word(struct schema_check *check, struct node *node,
                             const struct schema_key *key, const struct schema_path *path) {
    struct line where = {.length = 0};
    node->bad = true;
    struct suggest suggest = suggest_start(node->text);
    char words[WORDS_MAX][WORD_BYTES]; /* the suggestion points into it */
    for (size_t i = 0; i < WORDS_MAX && schema_word(key, i, words[i], WORD_BYTES); i++) {
        suggest_try(&suggest, words[i]);
    }
    struct line advice = {.length = 0};
    problem_at(check->problems, node->place, "%s: '%.80s' is not known; %s",
               schema_path_text(path, &where), node->text, suggest_advice_all(&suggest, &advice));
}

static void check_name(struct schema_check *check, struct node *node,
                       const struct schema_path *path) {
    struct line where = {.length = 0};
    bool plain = strlen(node->text) <= NAME_BYTES;
    for (const char *at = node->text; *at != '\0'; at++) {
        if ((unsigned char)*at <= ' ' || *at == 0x7f || *at == '"' || *at == '\\') plain = false;
    }
    if (plain) return;
    problem_at(check->problems, node->place,
               "%s: '%.80s' is no name: no blanks, quotes or backslashes, at most %d bytes",
               schema_path_text(path, &where), node->text, NAME_BYTES);
    node->bad = true;
}

static void check_scalar(struct schema_check *check, struct node *node,
                         const struct schema_key *key, const struct schema_path *path) {
    const unsigned types = key->types;
    if (node->text[0] == '\0' && !((types & TYPE_TEXT) && node->quoted)) {
        say_wrong_type(check, node, key, path);
    } else if ((types & TYPE_WORD) && is_word(key, node->text)) {
        node->value = VALUE_TEXT;
    } else if (types & TYPE_INTEGER) {
        check_integer(check, node, key, path);
    } else if ((types & TYPE_BOOLEAN) && read_boolean(node)) {
        return;
    } else if (types & TYPE_NUMBER) {
        if (types & TYPE_WORD && !quantity_looks_like_number(node->text)) {
            say_wrong_type(check, node, key, path);
        } else {
            check_number(check, node, key, path);
        }
    } else if (types & TYPE_WORD) {
        say_unknown_word(check, node, key, path);
    } else if (types & TYPE_NAME) {
        check_name(check, node, path);
    } else if (!(types & TYPE_TEXT)) {
        say_wrong_type(check, node, key, path);
    }
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* The type of one element of a list type. */
static unsigned element_type(unsigned types) {
    if (types & TYPE_VECTORS) return TYPE_VECTOR;
    if (types & (TYPE_VECTOR | TYPE_NUMBERS)) return TYPE_NUMBER;
    if (types & TYPE_INTEGERS) return TYPE_INTEGER;
    if (types & TYPE_WORDS) return TYPE_WORD;
    if (types & TYPE_NAMES) return TYPE_NAME;
    if (types & TYPE_TEXTS) return TYPE_TEXT;
    if (types & TYPE_MAPS) return TYPE_MAP;
    return 0;
}

static void check_length(struct schema_check *check, struct node *node,
                         const struct schema_key *key, const struct schema_path *path) {
    size_t least = key->least, most = key->most;
    if (key->types & TYPE_VECTOR) {
        least = (size_t)check->dimension;
        most = 3;
    }
    if (node->count >= least && (most == 0 || node->count <= most)) return;
    struct line where = {.length = 0}, wanted = {.length = 0};
    line_add(&wanted, "%s%zu", most == 0 ? "at least " : "", least);
    if (most > least) line_add(&wanted, " to %zu", most);
    problem_at(check->problems, node->place, "%s has %zu elements, but %s are wanted",
               schema_path_text(path, &where), node->count, wanted.text);
    node->bad = true;
}

/* Vectors always have three components from here on. */
static void complete_vector(struct schema_check *check, struct node *node) {
    while (node->count < 3) {
        struct node *zero = tree_new(check->pool, NODE_SCALAR, node->place);
        if (zero == NULL) {
            problem_memory(check->problems);
            node->bad = true;
            return;
        }
        zero->text = "0";
        zero->value = VALUE_NUMBER;
        tree_append(node, zero);
    }
}

static void check_list(struct schema_check *check, struct node *node, const struct schema_key *key,
                       const struct schema_path *path) {
    struct schema_key element = *key;
    element.types = element_type(key->types);
    if (element.types == 0) {
        say_wrong_type(check, node, key, path);
        return;
    }
    check_length(check, node, key, path);
    long index = 0;
    for (struct node *child = node->first; child != NULL; child = child->next) {
        struct schema_path below = {path, NULL, index++};
        schema_check_value(check, child, &element, &below);
        if (child->bad && !(element.types & TYPE_MAP)) node->bad = true;
    }
    if ((key->types & TYPE_VECTOR) && !node->bad) complete_vector(check, node);
}

/* `lock: rotation` is `lock: [rotation]`. */
static void wrap_in_list(struct schema_check *check, struct node *node) {
    struct node *element = tree_new(check->pool, NODE_SCALAR, node->place);
    if (element == NULL) {
        problem_memory(check->problems);
        node->bad = true;
        return;
    }
    element->text = node->text;
    element->quoted = node->quoted;
    node->kind = NODE_LIST;
    tree_append(node, element);
}

/* `measures: [stress]` is `measures: [{name: stress}]`. */
static void wrap_in_map(struct schema_check *check, struct node *node) {
    if (!tree_put_text(check->pool, node, "name", node->text)) {
        problem_memory(check->problems);
        node->bad = true;
        return;
    }
    node->first->place = node->place;
    node->kind = NODE_MAP;
}

void schema_check_value(struct schema_check *check, struct node *node, const struct schema_key *key,
                        const struct schema_path *path) {
    bool alone = node->kind == NODE_SCALAR && (key->types & (TYPE_WORDS | TYPE_NAMES | TYPE_TEXTS));
    if (alone && node->text[0] != '\0') {
        wrap_in_list(check, node);
        if (node->bad) return;
    }
    if (node->kind == NODE_SCALAR && key->by_name && key->types & TYPE_MAP &&
        node->text[0] != '\0') {
        wrap_in_map(check, node);
        if (node->bad) return;
    }
    if (node->kind == NODE_SCALAR) {
        check_scalar(check, node, key, path);
    } else if (node->kind == NODE_LIST) {
        check_list(check, node, key, path);
    } else if (key->types & TYPE_MAP) {
        schema_check_map(check, node, key->map, path, key->partial);
    } else {
        say_wrong_type(check, node, key, path);
    }
}
