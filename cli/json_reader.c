/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/json_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH = 256, TEXT = 4096, DEEPEST = 32 };

struct reader {
    const char *at;
    char path[PATH], text[TEXT];
    int depth;
    json_value *value;
    void *context;
};

static bool read_value(struct reader *reader);

static void skip_space(struct reader *reader) {
    reader->at += strspn(reader->at, " \t\r\n");
}

static bool accept(struct reader *reader, char c) {
    skip_space(reader);
    if (*reader->at != c) return false;
    reader->at++;
    return true;
}

/* Escapes of more than a byte come out as '?': this program never writes them. */
static bool read_escape(struct reader *reader, char *out) {
    const char letters[] = "\"\\/bfnrt", codes[] = "\"\\/\b\f\n\r\t";
    char c = *reader->at;
    const char *found = c != '\0' ? strchr(letters, c) : NULL;
    if (found != NULL) {
        *out = codes[found - letters];
        reader->at++;
        return true;
    }
    if (c != 'u' || strlen(reader->at) < 5) return false;
    char digits[5] = {reader->at[1], reader->at[2], reader->at[3], reader->at[4], '\0'};
    long code = strtol(digits, NULL, 16);
    *out = code > 0 && code < 128 ? (char)code : '?';
    reader->at += 5;
    return true;
}

static bool read_string(struct reader *reader) {
    size_t length = 0;
    if (!accept(reader, '"')) return false;
    while (*reader->at != '"') {
        char c = *reader->at++;
        if (c == '\0' || (c == '\\' && !read_escape(reader, &c))) return false;
        if (length + 1 < TEXT) reader->text[length++] = c;
    }
    reader->text[length] = '\0';
    reader->at++;
    return true;
}

/* A member or an element: its name is appended to the path while it is read. */
static bool read_named(struct reader *reader, const char *name) {
    size_t length = strlen(reader->path);
    snprintf(reader->path + length, PATH - length, "%s%s", length > 0 ? "." : "", name);
    bool good = read_value(reader);
    reader->path[length] = '\0';
    return good;
}

static bool read_members(struct reader *reader, bool object) {
    char name[64];
    for (int i = 0;; i++) {
        if (i == 0 && accept(reader, object ? '}' : ']')) return true;
        if (object) {
            if (!read_string(reader) || !accept(reader, ':')) return false;
            snprintf(name, sizeof name, "%.63s", reader->text);
        } else {
            snprintf(name, sizeof name, "%d", i);
        }
        if (!read_named(reader, name)) return false;
        if (accept(reader, object ? '}' : ']')) return true;
        if (!accept(reader, ',')) return false;
    }
}

static bool read_word(struct reader *reader) {
    size_t length = strspn(reader->at, "+-.0123456789abcdefghijklmnopqrstuvwxyzE");
    if (length == 0 || length >= TEXT) return false;
    memcpy(reader->text, reader->at, length);
    reader->text[length] = '\0';
    reader->at += length;
    return true;
}

static bool read_value(struct reader *reader) {
    skip_space(reader);
    char first = *reader->at;
    if (first == '{' || first == '[') {
        if (reader->depth >= DEEPEST) return false;
        reader->at++;
        reader->depth++;
        bool good = read_members(reader, first == '{');
        reader->depth--;
        return good;
    }
    if (!(first == '"' ? read_string(reader) : read_word(reader))) return false;
    reader->value(reader->path, reader->text, reader->context);
    return true;
}

bool json_read(const char *text, json_value *value, void *context) {
    struct reader reader = {.at = text, .value = value, .context = context};
    if (!read_value(&reader)) return false;
    skip_space(&reader);
    return *reader.at == '\0';
}
