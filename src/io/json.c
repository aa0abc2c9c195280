/* SPDX-License-Identifier: Apache-2.0 */
#include "io/json.h"

#include <inttypes.h>
#include <math.h>

#include "io/number.h"

struct json json_start(FILE *to) {
    return (struct json){.to = to, .depth = 0, .first = true};
}

static void quoted(FILE *to, const char *text) {
    fputc('"', to);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(to, "\\%c", c);
        else if (c == '\n')
            fputs("\\n", to);
        else if (c < 0x20)
            fprintf(to, "\\u%04x", c);
        else
            fputc(c, to);
    }
    fputc('"', to);
}

/* Comma, line break, indentation and key: whatever stands before a value. */
static void before(struct json *json, const char *key) {
    if (!json->first) fputc(',', json->to);
    if (json->depth > 0) fprintf(json->to, "\n%*s", 2 * json->depth, "");
    if (key != NULL) {
        quoted(json->to, key);
        fputs(": ", json->to);
    }
    json->first = false;
}

static void open_with(struct json *json, const char *key, char bracket) {
    before(json, key);
    fputc(bracket, json->to);
    json->depth++;
    json->first = true;
}

static void close_with(struct json *json, char bracket) {
    json->depth--;
    if (!json->first) fprintf(json->to, "\n%*s", 2 * json->depth, "");
    fputc(bracket, json->to);
    json->first = false;
    if (json->depth == 0) fputc('\n', json->to);
}

void json_object(struct json *json, const char *key) {
    open_with(json, key, '{');
}

void json_object_end(struct json *json) {
    close_with(json, '}');
}

void json_array(struct json *json, const char *key) {
    open_with(json, key, '[');
}

void json_array_end(struct json *json) {
    close_with(json, ']');
}

void json_number(struct json *json, const char *key, double value) {
    char text[NUMBER_TEXT];
    before(json, key);
    fputs(isfinite(value) ? number_text(value, text) : "null", json->to);
}

void json_integer(struct json *json, const char *key, int64_t value) {
    before(json, key);
    fprintf(json->to, "%" PRId64, value);
}

void json_text(struct json *json, const char *key, const char *value) {
    before(json, key);
    quoted(json->to, value);
}
