/* SPDX-License-Identifier: Apache-2.0 */
#include "io/base64.h"

#include <stdint.h>
#include <string.h>

#include "base/inlining.h"

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

enum {
    PIECE = 3 * 1024, /* bytes turned to text at a time */
    LANES = 32        /* letters made at once, of two times twelve bytes */
};

#if defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define HAS_LANES
#endif
#endif

/* ---- many letters at once: a frame is a hundred million of them ------------------------------ */

#if defined(HAS_LANES)
typedef int8_t half __attribute__((vector_size(LANES / 2)));
typedef int8_t many __attribute__((vector_size(LANES)));
typedef uint8_t letters_of
    __attribute__((vector_size(LANES))); /* whose sums may pass 127 on the way */
typedef uint32_t words __attribute__((vector_size(LANES)));

/* Three bytes, the first one highest, into each word: of twelve that `low` and `high` begin with. */
#define SPREAD(low, high)                                                                        \
    __builtin_shufflevector(low, high, 2, 1, 0, 0, 5, 4, 3, 3, 8, 7, 6, 6, 11, 10, 9, 9, 18, 17, \
                            16, 16, 21, 20, 19, 19, 24, 23, 22, 22, 27, 26, 25, 25)

/* Six bits into each byte, from 24 bits in each word, the first of them in the lowest byte. Then A-Z, a-z, 0-9, +, /: what
 * is to be added changes where the letters jump. A comparison that holds is all ones. */
IN_LOOP void put_lanes(const unsigned char *bytes, char *text) {
    half low, high;
    memcpy(&low, bytes, sizeof low);
    memcpy(&high, bytes + 12, sizeof high);
    words word = (words)SPREAD(low, high);
    many six = (many)((word >> 18 & 0x3f) | (word >> 4 & 0x3f00) | (word << 10 & 0x3f0000) |
                      (word << 24 & 0x3f000000));
    letters_of letter = (letters_of)six + (uint8_t)'A';
    letter += (letters_of)(six > 25) & (uint8_t)('a' - 26 - 'A');
    letter += (letters_of)(six > 51) & (uint8_t)('0' - 52 - ('a' - 26));
    letter += (letters_of)(six > 61) & (uint8_t)('+' - 62 - ('0' - 52));
    letter += (letters_of)(six > 62) & (uint8_t)('/' - 63 - ('+' - 62));
    memcpy(text, &letter, sizeof letter);
}
#endif

WIDE_OR_LESS void base64_letters(const unsigned char *bytes, size_t triples, char *text) {
#if defined(HAS_LANES)
    /* Four bytes more than are used are loaded: so not at the end. */
    for (; triples >= 10; triples -= 8, bytes += 24, text += LANES) put_lanes(bytes, text);
#endif
    for (; triples > 0; triples--, bytes += 3, text += 4) {
        uint32_t bits = (uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2];
        for (int k = 0; k < 4; k++) text[k] = letters[bits >> (18 - 6 * k) & 63];
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
