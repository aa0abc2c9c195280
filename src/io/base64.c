/* SPDX-License-Identifier: Apache-2.0 */
#include "io/base64.h"

#include <stdint.h>
#include <string.h>

#include "base/inlining.h"

enum {
    PIECE = 3 * 1024, /* bytes turned to text at a time */
    LANES = 16        /* letters made at once, of twelve bytes; sixteen are loaded */
};

/* ---- sixteen letters at once: of a frame this was a third of the processor's time ------------- */

typedef uint8_t bytes16 __attribute__((vector_size(LANES)));
typedef uint32_t words4 __attribute__((vector_size(LANES)));

#if defined(__clang__)
#define SPREAD(v) __builtin_shufflevector(v, v, 2, 1, 0, 0, 5, 4, 3, 3, 8, 7, 6, 6, 11, 10, 9, 9)
#else
#define SPREAD(v) __builtin_shuffle(v, (bytes16){2, 1, 0, 0, 5, 4, 3, 3, 8, 7, 6, 6, 11, 10, 9, 9})
#endif

/* Six bits in each byte: from 24 bits in each word, the first of them in the lowest byte. */
IN_LOOP bytes16 sixes(bytes16 loaded) {
    words4 word = (words4)SPREAD(loaded);
    return (bytes16)((word >> 18 & 0x3f) | (word >> 4 & 0x3f00) | (word << 10 & 0x3f0000) |
                     (word << 24 & 0x3f000000));
}

/* A-Z, a-z, 0-9, +, /: what is to be added changes where the letters jump. A comparison that holds is all ones. */
IN_LOOP bytes16 letters_of(bytes16 six) {
    bytes16 letter = six + 'A';
    letter += (bytes16)(six > 25) & (uint8_t)('a' - 26 - 'A');
    letter += (bytes16)(six > 51) & (uint8_t)('0' - 52 - ('a' - 26));
    letter += (bytes16)(six > 61) & (uint8_t)('+' - 62 - ('0' - 52));
    return letter + ((bytes16)(six > 62) & (uint8_t)('/' - 63 - ('+' - 62)));
}

WIDE void base64_letters(const unsigned char *bytes, size_t triples, char *text) {
    bytes16 loaded;
    /* Four bytes more than are used are loaded: so not at the end. */
    for (; triples >= 6; triples -= 4, bytes += 12, text += LANES) {
        memcpy(&loaded, bytes, LANES);
        loaded = letters_of(sixes(loaded));
        memcpy(text, &loaded, LANES);
    }
    for (; triples > 0; triples--, bytes += 3, text += 4) {
        unsigned char few[LANES] = {bytes[0], bytes[1], bytes[2]};
        memcpy(&loaded, few, LANES);
        loaded = letters_of(sixes(loaded));
        memcpy(text, &loaded, 4);
    }
}

void base64_last(const unsigned char *bytes, size_t count, char text[4]) {
    unsigned char triple[3] = {0};
    memcpy(triple, bytes, count);
    base64_letters(triple, 1, text);
    for (size_t k = count + 1; k < 4; k++) text[k] = '=';
}

/* ---- a stream -------------------------------------------------------------------------------- */

struct base64 base64_start(FILE *to) {
    return (struct base64){.to = to};
}

static size_t encode(const unsigned char *bytes, size_t triples, char *text) {
    base64_letters(bytes, triples, text);
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
        fwrite(text, 1, encode(base64->rest, 1, text), base64->to);
        base64->rest_count = 0;
    }
    while (count >= 3) {
        size_t triples = (count < PIECE ? count : PIECE) / 3;
        fwrite(text, 1, encode(at, triples, text), base64->to);
        at += 3 * triples;
        count -= 3 * triples;
    }
    for (; count > 0; count--) base64->rest[base64->rest_count++] = *at++;
}

void base64_end(struct base64 *base64) {
    char text[4];
    if (base64->rest_count == 0) return;
    base64_last(base64->rest, base64->rest_count, text);
    fwrite(text, 1, 4, base64->to);
    base64->rest_count = 0;
}

/* ---- back --------------------------------------------------------------------------------------- */

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
