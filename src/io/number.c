/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of the first of "%.15g", "%.16g", "%.17g" that reads back to the same bits. To print and read each of them costs several
 * times as much as one; so all 17 digits are made once, and shorter ones by rounding these. With f = value/2^x in [1/2, 1) and the
 * digits as a number D, half the distance to the neighbours of the value is H = D 2^-54/f units of the last digit, and the value
 * is within half a unit of D. What a shorter text is off by decides whether it reads back, except near H, where it is tried.
 */
#include "io/number.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = DBL_DECIMAL_DIG };

struct decimal {
    bool negative;
    char digits[DIGITS]; /* of d.ddd... */
    int exponent;        /* of 10 */
};

/* ---- one text after the other ---------------------------------------------------------------- */

static const char *try_all(double value, char text[NUMBER_TEXT]) {
    for (int digits = DBL_DIG; digits <= DIGITS; digits++) {
        snprintf(text, NUMBER_TEXT, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    return text;
}

/* ---- by rounding ----------------------------------------------------------------------------- */

static struct decimal decimal_of(double value) {
    char text[NUMBER_TEXT];
    struct decimal out = {.negative = value < 0.0};
    snprintf(text, sizeof text, "%.*e", DIGITS - 1, fabs(value));
    out.digits[0] = text[0];
    memcpy(out.digits + 1, text + 2, DIGITS - 1); /* behind the point */
    out.exponent = atoi(text + DIGITS + 2);       /* behind the e */
    return out;
}

/* The first `kept` digits, one more in the last place. */
static void count_up(struct decimal *decimal, int kept) {
    int k = kept - 1;
    while (k >= 0 && decimal->digits[k] == '9') decimal->digits[k--] = '0';
    if (k >= 0) {
        decimal->digits[k]++;
        return;
    }
    decimal->digits[0] = '1';
    decimal->exponent++;
}

/* As %g with this precision. */
static void compose(const struct decimal *decimal, int precision, char *to) {
    int kept = precision, exponent = decimal->exponent, point = exponent;
    while (kept > 1 && decimal->digits[kept - 1] == '0') kept--;
    bool scientific = exponent < -4 || exponent >= precision;
    if (scientific) point = 0;
    if (decimal->negative) *to++ = '-';
    if (point < 0) {
        *to++ = '0';
        *to++ = '.';
        for (int k = point + 1; k < 0; k++) *to++ = '0';
    }
    for (int k = 0; k < kept || k <= point; k++) {
        if (k == point + 1 && point >= 0) *to++ = '.';
        *to++ = k < kept ? decimal->digits[k] : '0';
    }
    *to = '\0';
    if (scientific) snprintf(to, 13, "e%+03d", exponent); /* behind 19 characters at most */
}

/* By how many units of the last of all digits a text of this precision is off; < 0: a tie, which the value itself decides. */
static double round_to(const struct decimal *full, int precision, struct decimal *out) {
    int tail = 0, whole = 1;
    for (int k = precision; k < DIGITS; k++, whole *= 10)
        tail = 10 * tail + (full->digits[k] - '0');
    if (2 * tail == whole) return -1.0;
    *out = *full;
    if (2 * tail > whole) count_up(out, precision);
    return 2 * tail > whole ? whole - tail : tail;
}

/* Does it read back with this precision? The text is made if so. */
static bool fits(const struct decimal *full, int precision, double value, double reach,
                 char text[NUMBER_TEXT]) {
    struct decimal rounded;
    double off = round_to(full, precision, &rounded);
    if (off < 0.0) {
        snprintf(text, NUMBER_TEXT, "%.*g", precision, value);
        return strtod(text, NULL) == value;
    }
    if (off - 0.5 > reach * (1.0 + 1e-9)) return false;
    compose(&rounded, precision, text);
    if (off + 0.5 < reach * (1.0 - 1e-9)) return true;
    return strtod(text, NULL) == value;
}

static double reach_of(const struct decimal *full, double fraction) {
    double number = 0.0;
    for (int k = 0; k < DIGITS; k++) number = 10.0 * number + (full->digits[k] - '0');
    return ldexp(number, -54) / fraction;
}

const char *number_text(double value, char text[NUMBER_TEXT]) {
    if (isnan(value) ||
        value == 0.0) { /* the sign of a nan means nothing, and printf would show it */
        strcpy(text, isnan(value) ? "nan" : signbit(value) ? "-0" : "0");
        return text;
    }
    int power;
    double fraction = frexp(fabs(value), &power);
    /* The neighbours of a power of 2 are not equally far. */
    if (!isnormal(value) || fraction == 0.5) return try_all(value, text);
    struct decimal full = decimal_of(value);
    double reach = reach_of(&full, fraction);
    for (int precision = DBL_DIG; precision < DIGITS; precision++)
        if (fits(&full, precision, value, reach, text)) return text;
    compose(&full, DIGITS, text);
    return text;
}
