/* SPDX-License-Identifier: Apache-2.0
 *
 * The resolved scene as YAML: the checked tree, with every default in it and every number in SI (or
 * the unit the reference names), printed so that reading gives the same bits.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/number.h"
#include "scene/plain_numbers.h"
#include "scene/scene.h"
#include "scene/tree.h"

enum { FLOW_LEAVES = 8 /* scalars in a map that still fits on a line */ };

/* ---- scalars --------------------------------------------------------------------------------- */

static void write_number(double number, FILE *to) {
    char text[NUMBER_TEXT];
    fputs(number_text(number, text), to);
}

static bool is_plain(const char *text) {
    static const char *const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char *const others = "0123456789-+./";
    if (*text == '\0' || strchr(letters, *text) == NULL) return false;
    for (; *text != '\0'; text++) {
        if (strchr(letters, *text) == NULL && strchr(others, *text) == NULL) return false;
    }
    return true;
}

/* Code point of a UTF-8 sequence (libyaml has checked it) and its length. */
static uint32_t decode(const unsigned char *at, int *length) {
    *length = at[0] < 0x80 ? 1 : at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
    static const unsigned char masks[5] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t code = at[0] & masks[*length];
    for (int i = 1; i < *length; i++) code = code << 6 | (at[i] & 0x3fu);
    return code;
}

static bool is_printable(uint32_t code) {
    if (code < 0x20 || code == '"' || code == '\\') return false;
    if (code >= 0x7f && code < 0xa0) return false;
    return code != 0x2028 && code != 0x2029 && code != 0xfeff && code != 0xfffe && code != 0xffff;
}

static void write_quoted(const char *text, FILE *to) {
    fputc('"', to);
    int length;
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at += length) {
        uint32_t code = decode(at, &length);
        if (is_printable(code))
            fwrite(at, 1, (size_t)length, to);
        else
            fprintf(to, "\\U%08" PRIX32, code);
    }
    fputc('"', to);
}

static void write_scalar(const struct node *node, FILE *to) {
    switch (node->value) {
    case VALUE_NUMBER: write_number(node->number, to); break;
    case VALUE_INTEGER: fprintf(to, "%" PRId64, node->integer); break;
    case VALUE_BOOLEAN: fputs(node->integer != 0 ? "true" : "false", to); break;
    case VALUE_TEXT:
        if (is_plain(node->text))
            fputs(node->text, to);
        else
            write_quoted(node->text, to);
    }
}

/* ---- on one line ----------------------------------------------------------------------------- */

static bool is_flat_list(const struct node *node) {
    if (node->kind != NODE_LIST) return false;
    for (const struct node *child = node->first; child != NULL; child = child->next) {
        if (child->kind != NODE_SCALAR) return false;
    }
    return true;
}

/* A map of a few scalars and vectors goes on one line. */
static bool is_small(const struct node *map) {
    size_t leaves = 0;
    for (const struct node *child = map->first; child != NULL; child = child->next) {
        if (child->kind == NODE_MAP || (child->kind == NODE_LIST && !is_flat_list(child)))
            return false;
        leaves += child->kind == NODE_LIST ? child->count : 1;
    }
    return leaves <= FLOW_LEAVES;
}

static void write_flow(const struct node *node, FILE *to) {
    if (node->kind == NODE_SCALAR) {
        write_scalar(node, to);
        return;
    }
    const bool map = node->kind == NODE_MAP;
    fputs(map ? "{" : "[", to);
    for (const struct node *child = node->first; child != NULL; child = child->next) {
        if (child != node->first) fputs(", ", to);
        if (map) fprintf(to, "%s: ", child->key);
        write_flow(child, to);
    }
    fputs(map ? "}" : "]", to);
}

/* ---- on several lines ------------------------------------------------------------------------ */

static void write_map(const struct node *map, int indent, bool first_is_placed, FILE *to);

static void write_list(const struct node *list, int indent, FILE *to) {
    for (const struct node *child = list->first; child != NULL; child = child->next) {
        fprintf(to, "%*s- ", indent, "");
        if (child->kind == NODE_MAP && !is_small(child)) {
            write_map(child, indent + 2, true, to);
        } else {
            write_flow(child, to);
            fputc('\n', to);
        }
    }
}

static void write_map(const struct node *map, int indent, bool first_is_placed, FILE *to) {
    for (const struct node *child = map->first; child != NULL; child = child->next) {
        bool placed = first_is_placed && child == map->first;
        fprintf(to, "%*s%s:", placed ? 0 : indent, "", child->key);
        bool flow = child->kind == NODE_SCALAR || is_flat_list(child) ||
                    (child->kind == NODE_MAP && is_small(child));
        if (flow) {
            fputc(' ', to);
            write_flow(child, to);
            fputc('\n', to);
        } else {
            fputc('\n', to);
            if (child->kind == NODE_MAP)
                write_map(child, indent + 2, false, to);
            else
                write_list(child, indent + 2, to);
        }
    }
}

talus_status talus_scene_write(const talus_scene *scene, FILE *to, talus_error *err) {
    struct plain_numbers plain = plain_numbers_begin();
    fputs("# The scene with includes, overrides and defaults resolved; numbers in SI units.\n", to);
    write_map(scene->document, 0, false, to);
    plain_numbers_end(&plain);
    if (ferror(to))
        return error_set(err, TALUS_ERR_FILE, "the resolved scene could not be written");
    return TALUS_OK;
}
