/* SPDX-License-Identifier: Apache-2.0
 *
 * include: common.yaml, or a list of files. Later files win over earlier ones, the including file
 * over all of them.
 */
#define _POSIX_C_SOURCE 200809L
#include "scene/include.h"

#include <string.h>
#include <sys/stat.h>

#include "scene/read_text.h"
#include "scene/yaml_tree.h"

enum {
    INCLUDE_DEPTH = 16,
    INCLUDE_FILES = 64 /* in all: a few files that include each other twice grow like 2^depth */
};

struct include_stack {
    const struct include_stack *up;
    const char *path;
};

struct includer {
    struct problems *problems;
    int files;
};

static bool same_file(const char *a, const char *b) {
    struct stat info_a, info_b;
    if (strcmp(a, b) == 0) return true;
    return stat(a, &info_a) == 0 && stat(b, &info_b) == 0 && info_a.st_dev == info_b.st_dev &&
           info_a.st_ino == info_b.st_ino;
}

static struct node *read_one(struct includer *includer, const char *path, struct place from,
                             const struct include_stack *up);

/* One file that `from` asks for; NULL if it cannot be had. */
static struct node *fetch(struct includer *includer, const struct node *name,
                          const struct include_stack *stack) {
    struct problems *problems = includer->problems;
    if (name->kind != NODE_SCALAR || name->text[0] == '\0') {
        problem_at(problems, name->place, "include: a file name is wanted");
        return NULL;
    }
    const char *path = path_beside(problems->pool, name->place.file, name->text);
    if (path == NULL) {
        problem_memory(problems);
        return NULL;
    }
    int depth = 0;
    for (const struct include_stack *s = stack; s != NULL; s = s->up, depth++) {
        if (!same_file(s->path, path)) continue;
        problem_at(problems, name->place, "include: '%.200s' includes itself, %s", path,
                   s == stack ? "directly" : "through other files");
        return NULL;
    }
    if (depth >= INCLUDE_DEPTH || ++includer->files > INCLUDE_FILES) {
        problem_at(problems, name->place, "include: more than %d files or %d deep", INCLUDE_FILES,
                   INCLUDE_DEPTH);
        return NULL;
    }
    return read_one(includer, path, name->place, stack);
}

static void lay_over(struct node **base, struct node *over) {
    if (over == NULL) return;
    if (*base == NULL)
        *base = over;
    else
        tree_merge(*base, over);
}

static struct node *read_one(struct includer *includer, const char *path, struct place from,
                             const struct include_stack *up) {
    struct include_stack stack = {up, path};
    struct node *own = yaml_tree_from_file(path, from, includer->problems);
    if (own == NULL) return NULL;
    struct node *names = tree_take(own, "include"), *base = NULL;
    if (names == NULL) return own;
    if (names->kind == NODE_LIST) {
        for (struct node *name = names->first; name != NULL; name = name->next) {
            lay_over(&base, fetch(includer, name, &stack));
        }
    } else {
        lay_over(&base, fetch(includer, names, &stack));
    }
    lay_over(&base, own);
    return base;
}

struct node *include_read(const char *path, struct problems *problems) {
    struct includer includer = {.problems = problems};
    struct place nowhere = {.file = "scene"};
    return read_one(&includer, path, nowhere, NULL);
}
