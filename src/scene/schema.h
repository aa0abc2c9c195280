/* SPDX-License-Identifier: Apache-2.0
 *
 * The language of scene files as data: tables of keys (schema*.c) with type, unit, default, range
 * and meaning. Checking, defaults, the reference page and the resolved scene all follow from it.
 */
#ifndef SCENE_SCHEMA_H
#define SCENE_SCHEMA_H

#include "scene/tree.h"

/* What a value may be; a key may allow several. */
enum schema_type {
    TYPE_NUMBER = 1 << 0, /* with or without a unit */
    TYPE_INTEGER = 1 << 1,
    TYPE_BOOLEAN = 1 << 2,
    TYPE_WORD = 1 << 3,     /* one of `words` */
    TYPE_NAME = 1 << 4,     /* given by the user: no blanks, at most 64 bytes */
    TYPE_TEXT = 1 << 5,     /* anything */
    TYPE_VECTOR = 1 << 6,   /* three numbers; in lower dimensions the last ones may be left out */
    TYPE_NUMBERS = 1 << 7,  /* list of numbers */
    TYPE_INTEGERS = 1 << 8, /* list of integers */
    TYPE_WORDS = 1 << 9,    /* list of words; a single one may stand alone */
    TYPE_NAMES = 1 << 10,   /* list of names; a single one may stand alone */
    TYPE_TEXTS = 1 << 11,   /* list of texts; a single one may stand alone */
    TYPE_MAP = 1 << 12,     /* keys of `map` */
    TYPE_MAPS = 1 << 13,    /* list of maps */
    TYPE_VECTORS = 1 << 14  /* list of vectors */
};

enum schema_range { RANGE_ANY, RANGE_POSITIVE, RANGE_NOT_NEGATIVE, RANGE_BETWEEN };

struct schema_map;

struct schema_key {
    const char *name;
    unsigned types;
    const char *unit;       /* of a bare number; NULL = plain number */
    const char *also;       /* a second unit that fits, e.g. kg/m^2 for discs */
    const char *initial;    /* default as YAML; NULL = none */
    const char *initial_is; /* a default that depends on other keys, in words */
    enum schema_range range;
    double low, high;    /* RANGE_BETWEEN */
    const char *words;   /* "one two three" */
    const char *catalog; /* the words are the catalog's entries of this kind */
    size_t least, most;  /* elements of a list; most 0 = no bound */
    bool required;
    bool wide;    /* an integer beyond 2^31 is fine (up to 2^53) */
    int choice;   /* keys of one map with the same choice > 0 exclude each other */
    bool partial; /* no defaults inside: only what is given counts */
    bool by_name; /* in a list of maps: a word alone stands for {name: word} */
    const struct schema_map *map;
    const char *meaning;
};

enum { SCHEMA_CHOICES = 5 };

struct schema_map {
    const char *name; /* heading in the reference */
    const char *meaning;
    const struct schema_key *keys;
    size_t count;
    bool needs_one[SCHEMA_CHOICES]; /* of choice i exactly one must be given, not at most one */
};

extern const struct schema_map schema_scene;

const struct schema_key *schema_find(const struct schema_map *map, const char *name);

/* The n-th allowed word of a key into `word` (at most `size` bytes); false past the last. */
bool schema_word(const struct schema_key *key, size_t n, char *word, size_t size);

/* Check the tree against the table, put values into its scalars, fill in defaults. All mistakes are
 * noted. */
void schema_check(struct node *root, struct problems *problems);

/* Bring the keys of a map and of all below it into the order of the table. */
void schema_order(struct node *map, const struct schema_map *schema);

#endif
