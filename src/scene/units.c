/* SPDX-License-Identifier: Apache-2.0 */
#include "scene/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    EXPONENT_MAX = 12,  /* of one base unit; beyond it is a slip */
    NESTING_MAX = 8,    /* brackets */
    MANTISSA_MAX = 200, /* characters of a number */
    DECIMAL_EXPONENT_MAX = 9999
};

struct known_unit {
    const char *name;
    struct unit_dimension dimension;
    double factor;
    int decade;
    bool prefixes;
};

static const struct known_unit known_units[] = {
    {"m", {1, 0, 0, 0}, 1.0, 0, true},
    {"s", {0, 0, 1, 0}, 1.0, 0, true},
    {"g", {0, 1, 0, 0}, 1.0, -3, true},
    {"t", {0, 1, 0, 0}, 1.0, 3, false},
    {"min", {0, 0, 1, 0}, 60.0, 0, false},
    {"h", {0, 0, 1, 0}, 3600.0, 0, false},
    {"N", {1, 1, -2, 0}, 1.0, 0, true},
    {"Pa", {-1, 1, -2, 0}, 1.0, 0, true},
    {"bar", {-1, 1, -2, 0}, 1.0, 5, false},
    {"J", {2, 1, -2, 0}, 1.0, 0, true},
    {"W", {2, 1, -3, 0}, 1.0, 0, true},
    {"Hz", {0, 0, -1, 0}, 1.0, 0, true},
    {"rad", {0, 0, 0, 1}, 1.0, 0, false},
    {"deg", {0, 0, 0, 1}, 0.017453292519943295 /* pi/180 */, 0, false},
    {"rpm", {0, 0, -1, 1}, 0.10471975511965977 /* 2 pi/60 */, 0, false},
    {"%", {0, 0, 0, 0}, 1.0, -2, false},
};

static const struct {
    const char *name;
    int decade;
} prefixes[] = {{"G", 9},  {"M", 6},  {"k", 3},  {"h", 2},         {"d", -1},       {"c", -2},
                {"m", -3}, {"u", -6}, {"n", -9}, {"\xC2\xB5", -6}, {"\xCE\xBC", -6}};

static const struct {
    struct unit_dimension dimension;
    const char *name;
} quantities[] = {
    {{0, 0, 0, 0}, "a plain number"},
    {{1, 0, 0, 0}, "a length"},
    {{0, 1, 0, 0}, "a mass"},
    {{0, 0, 1, 0}, "a time"},
    {{0, 0, 0, 1}, "an angle"},
    {{2, 0, 0, 0}, "an area"},
    {{3, 0, 0, 0}, "a volume"},
    {{1, 0, -1, 0}, "a velocity"},
    {{1, 0, -2, 0}, "an acceleration"},
    {{0, 0, -1, 1}, "an angular velocity"},
    {{0, 0, -1, 0}, "a rate (1/s, Hz)"},
    {{-3, 1, 0, 0}, "a mass per volume"},
    {{-2, 1, 0, 0}, "a mass per area"},
    {{1, 1, -2, 0}, "a force"},
    {{-1, 1, -2, 0}, "a pressure"},
    {{2, 1, -2, 0}, "a torque or energy"},
    {{2, 1, 0, 0}, "a moment of inertia"},
    {{1, 1, -1, 0}, "an impulse"},
    {{0, 1, -2, 0}, "a stiffness (N/m)"},
};

bool unit_same_dimension(struct unit_dimension a, struct unit_dimension b) {
    return a.length == b.length && a.mass == b.mass && a.time == b.time && a.angle == b.angle;
}

const char *unit_describe(struct unit_dimension dimension, char *text, size_t size) {
    for (size_t i = 0; i < sizeof quantities / sizeof quantities[0]; i++) {
        if (!unit_same_dimension(quantities[i].dimension, dimension)) continue;
        snprintf(text, size, "%s", quantities[i].name);
        return text;
    }
    snprintf(text, size, "a quantity in m^%d kg^%d s^%d rad^%d", dimension.length, dimension.mass,
             dimension.time, dimension.angle);
    return text;
}

/* ---- units ----------------------------------------------------------------------------------- */

static bool names(const struct known_unit *unit, const char *name, size_t length) {
    return strlen(unit->name) == length && memcmp(unit->name, name, length) == 0;
}

static bool find_name(const char *name, size_t length, struct unit *out) {
    const size_t count = sizeof known_units / sizeof known_units[0];
    for (size_t i = 0; i < count; i++) { /* whole names first: "min" is not a milli-inch */
        const struct known_unit *unit = &known_units[i];
        if (!names(unit, name, length)) continue;
        *out = (struct unit){unit->dimension, unit->factor, unit->decade};
        return true;
    }
    for (size_t p = 0; p < sizeof prefixes / sizeof prefixes[0]; p++) {
        size_t skip = strlen(prefixes[p].name);
        if (length <= skip || memcmp(prefixes[p].name, name, skip) != 0) continue;
        for (size_t i = 0; i < count; i++) {
            const struct known_unit *unit = &known_units[i];
            if (!unit->prefixes || !names(unit, name + skip, length - skip)) continue;
            *out = (struct unit){unit->dimension, unit->factor, unit->decade + prefixes[p].decade};
            return true;
        }
    }
    return false;
}

/* product of a and b^power; false if an exponent leaves the bounds. */
static bool multiply(struct unit *a, const struct unit *b, int power) {
    a->dimension.length += power * b->dimension.length;
    a->dimension.mass += power * b->dimension.mass;
    a->dimension.time += power * b->dimension.time;
    a->dimension.angle += power * b->dimension.angle;
    a->decade += power * b->decade;
    a->factor *= power == 1 ? b->factor : pow(b->factor, power);
    const int exponents[4] = {a->dimension.length, a->dimension.mass, a->dimension.time,
                              a->dimension.angle};
    for (int i = 0; i < 4; i++) {
        if (abs(exponents[i]) > EXPONENT_MAX) return false;
    }
    return abs(a->decade) <= 300 && isfinite(a->factor) && a->factor > 0.0;
}

struct unit_reader {
    const char *at;
    const char *bad; /* set on failure */
    int nesting;
};

static void skip_blanks(struct unit_reader *reader) {
    while (*reader->at == ' ' || *reader->at == '\t') reader->at++;
}

static bool fail(struct unit_reader *reader, const char *at) {
    reader->bad = at;
    return false;
}

/* "^2", "^-1", "2" or nothing. */
static bool read_power(struct unit_reader *reader, int *power) {
    *power = 1;
    bool marked = *reader->at == '^';
    if (marked) reader->at++;
    int sign = 1;
    if (marked && (*reader->at == '-' || *reader->at == '+')) sign = *reader->at++ == '-' ? -1 : 1;
    if (!isdigit((unsigned char)*reader->at)) return !marked || fail(reader, reader->at);
    int value = 0;
    while (isdigit((unsigned char)*reader->at) && value <= EXPONENT_MAX) {
        value = 10 * value + (*reader->at++ - '0');
    }
    if (value > EXPONENT_MAX) return fail(reader, reader->at - 1);
    *power = sign * value;
    return true;
}

static bool is_letter(char c) {
    return isalpha((unsigned char)c) || c == '%' || (unsigned char)c >= 0x80;
}

static bool read_product(struct unit_reader *reader, struct unit *out);

static bool read_factor(struct unit_reader *reader, struct unit *out) {
    skip_blanks(reader);
    const char *start = reader->at;
    if (*start == '(') {
        if (++reader->nesting > NESTING_MAX) return fail(reader, start);
        reader->at++;
        if (!read_product(reader, out)) return false;
        if (*reader->at != ')') return fail(reader, start);
        reader->at++;
        reader->nesting--;
        return true;
    }
    if (*start == '1' && !isdigit((unsigned char)start[1])) {
        reader->at++;
        *out = (struct unit){{0, 0, 0, 0}, 1.0, 0};
        return true;
    }
    while (is_letter(*reader->at)) reader->at++;
    size_t length = (size_t)(reader->at - start);
    if (length == 0 || !find_name(start, length, out)) return fail(reader, start);
    return true;
}

static bool read_product(struct unit_reader *reader, struct unit *out) {
    *out = (struct unit){{0, 0, 0, 0}, 1.0, 0};
    int sign = 1;
    for (;;) {
        struct unit factor;
        int power;
        const char *start = reader->at;
        if (!read_factor(reader, &factor) || !read_power(reader, &power)) return false;
        if (!multiply(out, &factor, sign * power)) return fail(reader, start);
        skip_blanks(reader);
        if (*reader->at == '\0' || *reader->at == ')') return true;
        sign = *reader->at == '/' ? -1 : 1;
        if (*reader->at == '/' || *reader->at == '*' || *reader->at == '.') reader->at++;
    }
}

bool unit_parse(const char *text, struct unit *out, const char **bad, size_t *bad_length) {
    *out = (struct unit){{0, 0, 0, 0}, 1.0, 0};
    struct unit_reader reader = {.at = text};
    skip_blanks(&reader);
    if (*reader.at == '\0') return true;
    if (read_product(&reader, out)) {
        if (*reader.at == '\0') return true;
        reader.bad = reader.at; /* a bracket too many */
    }
    *bad = reader.bad;
    *bad_length = 0;
    while (is_letter(reader.bad[*bad_length])) ++*bad_length;
    if (*bad_length == 0) *bad_length = strlen(reader.bad);
    return false;
}

/* ---- quantities ------------------------------------------------------------------------------ */

bool quantity_looks_like_number(const char *text) {
    if (*text == '+' || *text == '-') text++;
    if (*text == '.') text++;
    return isdigit((unsigned char)*text);
}

static bool is_not_finite_word(const char *text) {
    static const char *const words[] = {"inf",  ".inf", "infinity", "nan",
                                        ".nan", ".Inf", ".NaN",     "Infinity"};
    if (*text == '+' || *text == '-') text++;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(text, words[i]) == 0) return true;
    }
    return false;
}

struct number_text {
    const char *mantissa;
    size_t mantissa_length;
    long exponent;
    const char *rest;
};

/* Decimal digits, point and exponent; no hexadecimal numbers, no words. */
static bool split_number(const char *text, struct number_text *out) {
    const char *at = text;
    if (*at == '+' || *at == '-') at++;
    size_t digits = 0;
    for (; isdigit((unsigned char)*at); at++) digits++;
    if (*at == '.') at++;
    for (; isdigit((unsigned char)*at); at++) digits++;
    if (digits == 0) return false;
    *out = (struct number_text){text, (size_t)(at - text), 0, at};
    const char *e = at;
    if (*e != 'e' && *e != 'E') return true;
    e++;
    long sign = 1;
    if (*e == '+' || *e == '-') sign = *e++ == '-' ? -1 : 1;
    if (!isdigit((unsigned char)*e)) return true; /* a unit that begins with e */
    long value = 0;
    for (; isdigit((unsigned char)*e); e++) {
        if (value <= DECIMAL_EXPONENT_MAX) value = 10 * value + (*e - '0');
    }
    out->exponent = sign * value;
    out->rest = e;
    return true;
}

/* mantissa 10^(exponent + decade) factor, with one rounding when the factor is 1. */
static bool evaluate(const struct number_text *number, const struct unit *unit, double *out) {
    char text[MANTISSA_MAX + 32];
    if (number->mantissa_length > MANTISSA_MAX) return false;
    snprintf(text, sizeof text, "%.*se%ld", (int)number->mantissa_length, number->mantissa,
             number->exponent + unit->decade);
    char *end;
    *out = strtod(text, &end);
    if (*end != '\0') return false;
    if (unit->factor != 1.0) *out *= unit->factor;
    return isfinite(*out);
}

static bool fits(const struct unit *unit, const char *wanted, struct unit *target) {
    const char *bad;
    size_t length;
    return wanted != NULL && unit_parse(wanted, target, &bad, &length) &&
           unit_same_dimension(unit->dimension, target->dimension);
}

static void say_wrong_unit(const char *text, const struct unit *unit, const char *wanted,
                           const char *also, char *message, size_t size) {
    char is[80], should[80];
    struct unit target = {{0, 0, 0, 0}, 1.0, 0};
    fits(unit, wanted, &target);
    unit_describe(unit->dimension, is, sizeof is);
    unit_describe(target.dimension, should, sizeof should);
    const char *open = *wanted != '\0' ? " (" : "", *close = *wanted != '\0' ? ")" : "";
    snprintf(message, size, "'%.100s' is %s, %s%s%s%s%s%s is wanted", text, is, should, open,
             wanted, also != NULL ? " or " : "", also != NULL ? also : "", close);
}

/* The value in the wanted unit: SI keys have factor 1 and decade 0, so nothing is rounded twice. */
static double in_target(double si, const struct unit *target) {
    if (target->decade != 0) si /= pow(10.0, target->decade);
    return target->factor != 1.0 ? si / target->factor : si;
}

bool quantity_parse(const char *text, const char *wanted, const char *also, double *out,
                    char *message, size_t size) {
    struct number_text number;
    if (is_not_finite_word(text)) {
        snprintf(message, size, "'%s' is not a finite number", text);
        return false;
    }
    if (!split_number(text, &number)) {
        snprintf(message, size, "'%.100s' is not a number", text);
        return false;
    }
    struct unit unit, target = {{0, 0, 0, 0}, 1.0, 0};
    const char *bad;
    size_t bad_length;
    if (!unit_parse(number.rest, &unit, &bad, &bad_length)) {
        if (bad_length == 0)
            snprintf(message, size, "'%.100s' ends inside its unit", text);
        else
            snprintf(message, size, "'%.100s': '%.*s' is not a unit", text,
                     bad_length > 40 ? 40 : (int)bad_length, bad);
        return false;
    }
    /* A bare number is already in the wanted unit, whatever that is. */
    bool bare = number.rest[strspn(number.rest, " \t")] == '\0';
    if (!bare && !fits(&unit, wanted, &target) && !fits(&unit, also, &target)) {
        say_wrong_unit(text, &unit, wanted, also, message, size);
        return false;
    }
    if (!evaluate(&number, &unit, out)) {
        snprintf(message, size, "'%.100s' is not a finite number", text);
        return false;
    }
    if (!bare) *out = in_target(*out, &target);
    return true;
}

bool quantity_dimension(const char *text, struct unit_dimension *out) {
    struct number_text number;
    struct unit unit;
    const char *bad;
    size_t length;
    if (!split_number(text, &number) || number.rest[strspn(number.rest, " \t")] == '\0')
        return false;
    if (!unit_parse(number.rest, &unit, &bad, &length)) return false;
    *out = unit.dimension;
    return true;
}
