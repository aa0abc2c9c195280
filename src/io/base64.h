/* SPDX-License-Identifier: Apache-2.0
 * Bytes as text (RFC 4648). */
#ifndef IO_BASE64_H
#define IO_BASE64_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Three bytes become four letters, `triples` times. */
void base64_letters(const unsigned char *bytes, size_t triples, char *text);
/* The last one or two bytes, with their padding. */
void base64_last(const unsigned char *bytes, size_t count, char text[4]);

/* In a stream. What is left over of the last piece waits for the next one. */
struct base64 {
    FILE *to;
    unsigned char rest[3];
    size_t rest_count;
};

struct base64 base64_start(FILE *to);
void base64_put(struct base64 *base64, const void *bytes, size_t count);
void base64_end(struct base64 *base64); /* with its padding; the next piece begins anew */

/* Bytes of a text of so many characters, padding included; the text has no blanks. False: it is no such text. */
bool base64_size(const char *text, size_t length, size_t *bytes);
bool base64_read(const char *text, size_t length, unsigned char *out);

#endif
