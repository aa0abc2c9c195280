/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading STL and OBJ. Bytes may hold anything: nothing is trusted before it is checked, and numbers
 * are read from words of bounded length. Tests: tests/unit/test_mesh_text.c.
 */
#include "geom/mesh_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "geom/mesh_weld.h"

/* Larger coordinates than this are mistakes, and their squares would overflow. */
static const double largest_coordinate = 1e100;

enum { WORD_MOST = 64 }; /* longest number that is read */

struct reader {
    const char *at, *end;
    size_t line;
    struct mesh_corners corners;
    struct mesh_problem *problem;
};

static enum mesh_status wrong(struct mesh_problem *problem, size_t where, const char *format, ...)
    BASE_PRINTF(3, 4);

static enum mesh_status wrong(struct mesh_problem *problem, size_t where, const char *format, ...) {
    if (problem == NULL) return MESH_WRONG;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(problem->text, sizeof problem->text, format, arguments);
    va_end(arguments);
    problem->where = where;
    return MESH_WRONG;
}

/* ---- words --------------------------------------------------------------------------------------- */

struct word {
    const char *text;
    size_t length;
};

static bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* The next word on this line; of length zero at its end. A backslash before the line end continues
 * the line. */
static struct word next_word(struct reader *reader) {
    const char *p = reader->at, *end = reader->end;
    while (p < end && *p != '\n' && (is_space(*p) || *p == '\\')) {
        const char *next = p + 1;
        if (*p == '\\') {
            if (next < end && *next == '\r') next++;
            if (next >= end || *next != '\n') break; /* a word of its own */
            next++;
            reader->line++;
        }
        p = next;
    }
    struct word word = {p, 0};
    while (p < end && !is_space(*p)) p++;
    word.length = (size_t)(p - word.text);
    reader->at = p;
    return word;
}

/* To the first word of the next line; false at the end of the bytes. */
static bool next_line(struct reader *reader) {
    while (reader->at < reader->end && *reader->at != '\n') reader->at++;
    if (reader->at >= reader->end) return false;
    reader->at++;
    reader->line++;
    return true;
}

static bool is_word(struct word word, const char *text) {
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

/* The same without regard to case, for STL. */
static bool is_keyword(struct word word, const char *text) {
    if (word.length != strlen(text)) return false;
    for (size_t k = 0; k < word.length; k++) {
        char c = word.text[k];
        if (c >= 'A' && c <= 'Z') c = (char)(c + ('a' - 'A'));
        if (c != text[k]) return false;
    }
    return true;
}

/* A word for a message: its beginning, with anything unprintable as a dot. */
static const char *shown(struct word word, char text[24]) {
    size_t k = 0;
    for (; k < word.length && k < 20; k++)
        text[k] = word.text[k] > ' ' && word.text[k] < 127 ? word.text[k] : '.';
    text[k] = '\0';
    return text;
}

static bool read_number(struct word word, double *value) {
    char text[WORD_MOST + 1], *stop;
    if (word.length == 0 || word.length > WORD_MOST) return false;
    memcpy(text, word.text, word.length);
    text[word.length] = '\0';
    *value = strtod(text, &stop);
    return stop == text + word.length && fabs(*value) <= largest_coordinate; /* not for nan */
}

static enum mesh_status read_point(struct reader *reader, vec3 *point) {
    for (int axis = 0; axis < 3; axis++) {
        struct word word = next_word(reader);
        double value;
        char text[24];
        if (!read_number(word, &value))
            return wrong(reader->problem, reader->line,
                         "'%s' is not a coordinate; three numbers below 1e100 must follow",
                         shown(word, text));
        vec3_set_component(point, axis, value);
    }
    return MESH_OK;
}

/* Weld what was read, and let go of it. */
static enum mesh_status finish(struct mesh_soup *out, struct reader *reader,
                               enum mesh_status status) {
    if (status == MESH_OK && reader->corners.count == 0)
        status = wrong(reader->problem, 0, "there are no triangles; at least one is needed");
    if (status == MESH_OK) status = mesh_weld(out, &reader->corners);
    mesh_corners_free(&reader->corners);
    if (status == MESH_OK && out->triangle_count == 0) {
        status = wrong(reader->problem, 0, "none of the %d triangles has an area", out->dropped);
        mesh_soup_free(out);
    }
    return status;
}

/* ---- STL, binary --------------------------------------------------------------------------------- */

enum { STL_HEAD = 84, STL_TRIANGLE = 50, STL_NORMAL = 12 };

static uint32_t little_endian(const char *bytes) {
    uint32_t value = 0;
    for (int k = 3; k >= 0; k--) value = value << 8 | (unsigned char)bytes[k];
    return value;
}

static double little_float(const char *bytes) {
    uint32_t bits = little_endian(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static bool is_binary(const char *bytes, size_t length) {
    if (length < STL_HEAD) return false;
    uint64_t count = little_endian(bytes + STL_HEAD - 4);
    return (uint64_t)length == STL_HEAD + STL_TRIANGLE * count;
}

static enum mesh_status read_binary(struct reader *reader) {
    size_t triangle = 1;
    for (const char *p = reader->at + STL_HEAD; p < reader->end; p += STL_TRIANGLE, triangle++)
        for (int corner = 0; corner < 3; corner++) {
            const char *place = p + STL_NORMAL * (1 + corner);
            vec3 point = {little_float(place), little_float(place + 4), little_float(place + 8)};
            if (!vec3_is_finite(point))
                return wrong(reader->problem, triangle, "a corner is not finite; it has to be");
            if (!mesh_corner_add(&reader->corners, point)) return MESH_NO_MEMORY;
        }
    return MESH_OK;
}

/* ---- STL, text ----------------------------------------------------------------------------------- */

static enum mesh_status skip_words(struct reader *reader, int count) {
    for (int k = 0; k < count; k++) (void)next_word(reader);
    return MESH_OK;
}

static enum mesh_status read_facet_word(struct reader *reader, struct word word, int *corners) {
    char text[24];
    if (is_keyword(word, "vertex")) {
        vec3 point;
        enum mesh_status status = read_point(reader, &point);
        if (status != MESH_OK) return status;
        if (++*corners > 3)
            return wrong(reader->problem, reader->line, "a fourth vertex; a facet has three");
        return mesh_corner_add(&reader->corners, point) ? MESH_OK : MESH_NO_MEMORY;
    }
    if (is_keyword(word, "facet")) return skip_words(reader, 4); /* normal x y z */
    if (is_keyword(word, "outer")) return skip_words(reader, 1); /* loop */
    if (is_keyword(word, "endloop")) return MESH_OK;
    if (!is_keyword(word, "endfacet"))
        return wrong(reader->problem, reader->line,
                     "'%s'; expected facet, outer loop, vertex, endloop, endfacet or endsolid",
                     shown(word, text));
    if (*corners != 3)
        return wrong(reader->problem, reader->line, "a facet of %d vertices; it has three",
                     *corners);
    *corners = 0;
    return MESH_OK;
}

/* Word by word; only the names after `solid` and `endsolid` end with their line. */
static enum mesh_status read_text(struct reader *reader) {
    bool inside = false, more = true;
    int corners = 0;
    while (more) {
        struct word word = next_word(reader);
        char text[24];
        enum mesh_status status = MESH_OK;
        if (word.length == 0) {
            more = next_line(reader);
        } else if (!inside && !is_keyword(word, "solid")) {
            status = wrong(reader->problem, reader->line, "'%s'; a text file starts with 'solid'",
                           shown(word, text));
        } else if (!inside || (corners == 0 && is_keyword(word, "endsolid"))) {
            inside = !inside;
            more = next_line(reader);
        } else {
            status = read_facet_word(reader, word, &corners);
        }
        if (status != MESH_OK) return status;
    }
    if (!inside) return MESH_OK;
    return wrong(reader->problem, reader->line,
                 "the file ends before 'endsolid'; is it cut short?");
}

static struct reader reader_start(const char *bytes, size_t length, struct mesh_problem *problem) {
    if (problem != NULL) *problem = (struct mesh_problem){0};
    return (struct reader){.at = bytes, .end = bytes + length, .line = 1, .problem = problem};
}

enum mesh_status mesh_from_stl(struct mesh_soup *out, const char *bytes, size_t length,
                               struct mesh_problem *problem) {
    struct reader reader = reader_start(bytes, length, problem);
    *out = (struct mesh_soup){0};
    if (is_binary(bytes, length)) return finish(out, &reader, read_binary(&reader));
    struct reader look = reader;
    struct word word = next_word(&look);
    while (word.length == 0 && next_line(&look)) word = next_word(&look);
    if (!is_keyword(word, "solid")) {
        unsigned count = length >= STL_HEAD ? (unsigned)little_endian(bytes + STL_HEAD - 4) : 0;
        return wrong(problem, 0,
                     "neither text, which starts with 'solid', nor binary: %zu bytes, but %u "
                     "triangles take 84 + 50 times that",
                     length, count);
    }
    return finish(out, &reader, read_text(&reader));
}

/* ---- OBJ ----------------------------------------------------------------------------------------- */

struct obj {
    struct reader reader;
    vec3 *vertices;
    size_t count, capacity;
    struct memory heap;
};

static enum mesh_status read_vertex(struct obj *obj) {
    vec3 point;
    enum mesh_status status = read_point(&obj->reader, &point);
    if (status != MESH_OK) return status;
    vec3 *moved = memory_reserve(&obj->heap, obj->vertices, &obj->capacity, obj->count + 1,
                                 sizeof *obj->vertices);
    if (moved == NULL) return MESH_NO_MEMORY;
    obj->vertices = moved;
    moved[obj->count++] = point;
    return MESH_OK;
}

/* The vertex that a corner like 7, 7/2, 7//3 or -1/4/4 names, from 0; false when it names none. */
static bool find_vertex(const struct obj *obj, struct word word, size_t *index) {
    bool negative = word.length > 0 && word.text[0] == '-';
    size_t k = negative ? 1 : 0, value = 0, digits = 0;
    for (; k < word.length && word.text[k] >= '0' && word.text[k] <= '9'; k++, digits++) {
        value = 10 * value + (size_t)(word.text[k] - '0');
        if (value > obj->count) return false;
    }
    if (digits == 0 || value == 0 || (k < word.length && word.text[k] != '/')) return false;
    *index = negative ? obj->count - value : value - 1;
    return true;
}

static bool add_triangle(struct obj *obj, size_t a, size_t b, size_t c) {
    struct mesh_corners *corners = &obj->reader.corners;
    return mesh_corner_add(corners, obj->vertices[a]) &&
           mesh_corner_add(corners, obj->vertices[b]) && mesh_corner_add(corners, obj->vertices[c]);
}

static enum mesh_status read_face(struct obj *obj) {
    struct reader *reader = &obj->reader;
    size_t first = 0, last = 0, index = 0, corners = 0;
    for (struct word word = next_word(reader); word.length > 0; word = next_word(reader)) {
        char text[24];
        if (word.text[0] == '#') break;
        if (!find_vertex(obj, word, &index))
            return wrong(reader->problem, reader->line,
                         "'%s' is no corner; 1 to %zu or -1 to -%zu, as a, a/b, a//c or a/b/c",
                         shown(word, text), obj->count, obj->count);
        if (corners == 0) first = index;
        if (corners >= 2 && !add_triangle(obj, first, last, index)) return MESH_NO_MEMORY;
        last = index;
        corners++;
    }
    if (corners < 3)
        return wrong(reader->problem, reader->line, "a face of %zu corners; it needs three or more",
                     corners);
    return MESH_OK;
}

enum mesh_status mesh_from_obj(struct mesh_soup *out, const char *bytes, size_t length,
                               struct mesh_problem *problem) {
    struct obj obj = {.reader = reader_start(bytes, length, problem)};
    enum mesh_status status = MESH_OK;
    *out = (struct mesh_soup){0};
    do {
        struct word word = next_word(&obj.reader);
        if (is_word(word, "v")) status = read_vertex(&obj);
        if (is_word(word, "f")) status = read_face(&obj);
    } while (status == MESH_OK && next_line(&obj.reader));
    status = finish(out, &obj.reader, status);
    memory_free(&obj.heap, obj.vertices, obj.capacity, sizeof *obj.vertices);
    return status;
}
