/* SPDX-License-Identifier: Apache-2.0 */
#include "io/base64.h"

#include <stdint.h>
#include <string.h>

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

enum { PIECE = 3 * 1024 }; /* bytes turned to text at a time */

struct base64 base64_start(FILE *to) {
    struct base64 base64 = {.to = to};
    for (size_t k = 0; k < 4096; k++) {
        base64.pairs[k][0] = letters[k >> 6];
        base64.pairs[k][1] = letters[k & 63];
    }
    return base64;
}

static size_t encode(const struct base64 *base64, const unsigned char *bytes, size_t triples,
                     char *text) {
    for (size_t t = 0; t < triples; t++, bytes += 3, text += 4) {
        uint32_t bits = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];
        memcpy(text, base64->pairs[bits >> 12], 2);
        memcpy(text + 2, base64->pairs[bits & 4095], 2);
    }
    return 4 * triples;
}

void base64_put(struct base64 *base64, const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    char text[4 * PIECE / 3];
    while (count > 0 && base64->rest_count > 0 && base64->rest_count < 3) {
        base64->rest[base64->rest_count++] = *at++;
        count--;
    }
    if (base64->rest_count == 3) {
        fwrite(text, 1, encode(base64, base64->rest, 1, text), base64->to);
        base64->rest_count = 0;
    }
    while (count >= 3) {
        size_t triples = (count < PIECE ? count : PIECE) / 3;
        fwrite(text, 1, encode(base64, at, triples, text), base64->to);
        at += 3 * triples;
        count -= 3 * triples;
    }
    for (; count > 0; count--) base64->rest[base64->rest_count++] = *at++;
}

void base64_end(struct base64 *base64) {
    char text[4];
    size_t count = base64->rest_count;
    if (count == 0) return;
    memset(base64->rest + count, 0, 3 - count);
    encode(base64, base64->rest, 1, text);
    for (size_t k = count + 1; k < 4; k++) text[k] = '=';
    fwrite(text, 1, 4, base64->to);
    base64->rest_count = 0;
}

bool base64_size(const char *text, size_t length, size_t *bytes) {
    if (length % 4 != 0) return false;
    size_t padding = length > 0 && text[length - 1] == '=' ? 1u + (text[length - 2] == '=') : 0u;
    *bytes = length / 4 * 3 - padding;
    return true;
}

static int value_of(char letter) {
    if (letter >= 'A' && letter <= 'Z') return letter - 'A';
    if (letter >= 'a' && letter <= 'z') return letter - 'a' + 26;
    if (letter >= '0' && letter <= '9') return letter - '0' + 52;
    return letter == '+' ? 62 : letter == '/' ? 63 : -1;
}

bool base64_read(const char *text, size_t length, unsigned char *out) {
    size_t bytes, at = 0;
    if (!base64_size(text, length, &bytes)) return false;
    for (size_t i = 0; i < length; i += 4) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 4; k++) {
            bool padding = i + 4 == length && text[i + k] == '=' && k >= 2 && text[i + 3] == '=';
            int value = padding ? 0 : value_of(text[i + k]);
            if (value < 0) return false;
            bits = bits << 6 | (uint32_t)value;
        }
        for (int k = 0; k < 3 && at < bytes; k++) out[at++] = (unsigned char)(bits >> (16 - 8 * k));
    }
    return true;
}
