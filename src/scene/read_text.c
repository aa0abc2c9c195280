/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of the user's as text, and yaml_tree_from_file.
 */
#define _POSIX_C_SOURCE 200809L
#include "scene/read_text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "scene/yaml_tree.h"

/* A scene is written by hand or by a script; what is longer is the wrong file. */
static const long long text_max = 256LL * 1024 * 1024;

static char *read_open(struct pool *pool, FILE *file, size_t *length, const char **why) {
    struct stat info;
    if (fstat(fileno(file), &info) != 0) {
        *why = strerror(errno);
        return NULL;
    }
    if (!S_ISREG(info.st_mode)) {
        *why = S_ISDIR(info.st_mode) ? "it is a directory" : "it is not a regular file";
        return NULL;
    }
    if (info.st_size > text_max) {
        *why = "it is larger than 256 MB";
        return NULL;
    }
    size_t size = (size_t)info.st_size;
    char *text = pool_alloc(pool, size + 1, 1);
    if (text == NULL) return NULL;
    *length = fread(text, 1, size, file);
    if (ferror(file)) {
        *why = strerror(errno);
        return NULL;
    }
    text[*length] = '\0';
    return text;
}

char *read_text(struct pool *pool, const char *path, size_t *length, const char **why) {
    *why = "";
    struct stat info; /* before opening: a named pipe would make us wait for ever */
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
        *why = S_ISDIR(info.st_mode) ? "it is a directory" : "it is not a regular file";
        return NULL;
    }
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        *why = strerror(errno);
        return NULL;
    }
    char *text = read_open(pool, file, length, why);
    fclose(file);
    return text;
}

char *path_beside(struct pool *pool, const char *from, const char *path) {
    const char *slash = strrchr(from, '/');
    if (path[0] == '/' || slash == NULL) return pool_format(pool, "%s", path);
    return pool_format(pool, "%.*s/%s", (int)(slash - from), from, path);
}

struct node *yaml_tree_from_file(const char *path, struct place from, struct problems *problems) {
    const char *why;
    struct yaml_source source = {.name = path, .numbered = true};
    source.text = read_text(problems->pool, path, &source.length, &why);
    if (source.text == NULL) {
        if (*why == '\0')
            problem_memory(problems);
        else
            problem_file(problems, from, "cannot read '%s': %s", path, why);
        return NULL;
    }
    size_t before = problems->count;
    struct node *root = yaml_tree(&source, problems);
    struct place start = {path, 1, 1};
    if (root == NULL && problems->count == before && !problems->out_of_memory) {
        problem_at(problems, start, "the file is empty; a scene needs at least grains and an end");
    } else if (root != NULL && root->kind != NODE_MAP) {
        problem_at(problems, root->place, "a scene is a map of keys, such as 'dimension: 3'");
        root = NULL;
    }
    return root;
}
