/* SPDX-License-Identifier: Apache-2.0
 * JSON written key by key, indented, valid whatever the strings and numbers are. */
#ifndef IO_JSON_H
#define IO_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct json {
    FILE *to;
    int depth;
    bool first; /* nothing written yet at this depth */
};

struct json json_start(FILE *to);

/* `key` is NULL inside an array. Numbers that are not finite become null. */
void json_object(struct json *json, const char *key);
void json_object_end(struct json *json);
void json_array(struct json *json, const char *key);
void json_array_end(struct json *json);
void json_number(struct json *json, const char *key, double value);
void json_integer(struct json *json, const char *key, int64_t value);
void json_text(struct json *json, const char *key, const char *value);

#endif
