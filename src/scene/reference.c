/* SPDX-License-Identifier: Apache-2.0
 *
 * The reference page of the scene language, from the table that checks scenes.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "scene/schema.h"
#include "talus/scene.h"

enum { SECTIONS_MAX = 96 };

struct sections {
    const struct schema_map *maps[SECTIONS_MAX];
    size_t count;
};

static const char *const preamble =
    "# Scene files: every key\n"
    "\n"
    "This page is made by `talus reference` from the table in `src/scene/schema.c` that checks "
    "scene\n"
    "files; a test keeps it up to date. A scene is a YAML map.\n"
    "\n"
    "- **Numbers** are in SI units, or in the unit given here. With a unit behind them they are\n"
    "  converted and checked: `1.5 mm`, `30 deg`, `9.81 m/s^2`, `500 1/s`, `2 N m`, `60 rpm`, `20 "
    "%`.\n"
    "  Units: m, s, min, h, g, kg, t, N, Pa, bar, J, W, Hz, rad, deg, rpm, %, with the prefixes\n"
    "  G M k h d c m u n, and products, quotients and powers of them. No number may exceed 1e30; "
    "those\n"
    "  with a unit that cannot be negative are 0 (where that is allowed) or at least 1e-40.\n"
    "- **Vectors** are lists `[x, y, z]`; in a 2-dimensional scene `[x, y]` will do, in a "
    "1-dimensional\n"
    "  one `[x]`. Directions may have any length but zero.\n"
    "- **Overrides** on the command line, `--set solver.sweeps=100`, name a key by its path; "
    "elements of\n"
    "  lists by number from 0 or by name: `--set boundaries.floor.motion.velocity=[0,0,1]`.\n"
    "- **Mistakes** are all reported at once, with file, line and column.\n"
    "\n"
    "Keys marked *one of* (a), (b) exclude the others with the same letter.\n";

/* The anchor that Markdown gives a heading. */
static void write_anchor(const char *heading, FILE *to) {
    for (; *heading != '\0'; heading++) {
        if (isalnum((unsigned char)*heading))
            fputc(tolower((unsigned char)*heading), to);
        else if (*heading == ' ')
            fputc('-', to);
        else if (*heading == '-' || *heading == '_')
            fputc(*heading, to);
    }
}

static void write_part(FILE *to, int *parts, const char *text) {
    fprintf(to, "%s%s", (*parts)++ > 0 ? " or " : "", text);
}

static void write_link(FILE *to, int *parts, const struct schema_key *key) {
    write_part(to, parts, key->types & TYPE_MAPS ? "list of [" : "[");
    fprintf(to, "%s](#", key->map->name);
    write_anchor(key->map->name, to);
    fputc(')', to);
}

static void write_words(FILE *to, int *parts, const struct schema_key *key) {
    char word[64];
    if (key->types & TYPE_WORDS) write_part(to, parts, "list of ");
    for (size_t i = 0; schema_word(key, i, word, sizeof word); i++) {
        if (!(key->types & TYPE_WORDS))
            write_part(to, parts, "");
        else if (i > 0)
            fputs(", ", to);
        fprintf(to, "`%s`", word);
    }
}

static void write_type(FILE *to, const struct schema_key *key) {
    static const struct {
        unsigned type;
        const char *text;
    } simple[] = {{TYPE_NUMBER, "number"},
                  {TYPE_INTEGER, "integer"},
                  {TYPE_BOOLEAN, "`true`, `false`"},
                  {TYPE_NAME, "name"},
                  {TYPE_TEXT, "text"},
                  {TYPE_VECTOR, "vector"},
                  {TYPE_NUMBERS, "numbers"},
                  {TYPE_INTEGERS, "integers"},
                  {TYPE_NAMES, "names"},
                  {TYPE_TEXTS, "texts"},
                  {TYPE_VECTORS, "list of vectors"}};
    int parts = 0;
    for (size_t i = 0; i < sizeof simple / sizeof simple[0]; i++) {
        if (key->types & simple[i].type) write_part(to, &parts, simple[i].text);
    }
    if (key->types & (TYPE_WORD | TYPE_WORDS)) write_words(to, &parts, key);
    if (key->types & (TYPE_MAP | TYPE_MAPS)) write_link(to, &parts, key);
}

static void write_range(FILE *to, const struct schema_key *key) {
    switch (key->range) {
    case RANGE_ANY: break;
    case RANGE_POSITIVE: fputs("> 0", to); break;
    case RANGE_NOT_NEGATIVE: fputs(">= 0", to); break;
    case RANGE_BETWEEN: fprintf(to, "%g ... %g", key->low, key->high); break;
    }
    if (key->least > 1 && key->least == key->most)
        fprintf(to, " (%zu)", key->least);
    else if (key->most > 0)
        fprintf(to, " (%zu to %zu)", key->least, key->most);
}

static void write_default(FILE *to, const struct schema_key *key, const struct schema_map *map) {
    if (key->required)
        fputs("**required**", to);
    else if (key->choice > 0) {
        fprintf(to, "%s (%c)", map->needs_one[key->choice] ? "one of" : "at most one of",
                'a' + key->choice - 1);
    } else if (key->partial)
        fputs("none", to);
    else if (key->initial != NULL)
        fprintf(to, "`%s`", key->initial);
    else if (key->initial_is != NULL)
        fputs(key->initial_is, to);
    else
        fputs("none", to);
}

static void write_section(const struct schema_map *map, FILE *to) {
    fprintf(to, "\n## %s\n\n%s\n\n", map->name, map->meaning);
    fputs("| key | value | unit | default | range | meaning |\n|---|---|---|---|---|---|\n", to);
    for (size_t i = 0; i < map->count; i++) {
        const struct schema_key *key = &map->keys[i];
        fprintf(to, "| `%s` | ", key->name);
        write_type(to, key);
        fprintf(to, " | %s%s%s | ", key->unit != NULL ? key->unit : "",
                key->also != NULL ? " or " : "", key->also != NULL ? key->also : "");
        write_default(to, key, map);
        fputs(" | ", to);
        write_range(to, key);
        fprintf(to, " | %s |\n", key->meaning);
    }
}

/* Sections in the order in which the keys lead to them, each once. */
static void collect(struct sections *sections, const struct schema_map *map) {
    for (size_t i = 0; i < sections->count; i++) {
        if (sections->maps[i] == map) return;
    }
    if (sections->count == SECTIONS_MAX) return;
    sections->maps[sections->count++] = map;
    for (size_t i = 0; i < map->count; i++) {
        if (map->keys[i].map != NULL) collect(sections, map->keys[i].map);
    }
}

talus_status talus_scene_reference(FILE *to) {
    struct sections sections = {.count = 0};
    collect(&sections, &schema_scene);
    fputs(preamble, to);
    for (size_t i = 0; i < sections.count; i++) write_section(sections.maps[i], to);
    return ferror(to) ? TALUS_ERR_FILE : TALUS_OK;
}
