/* SPDX-License-Identifier: Apache-2.0 */
#include "scene/measure_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "scene/units.h"

enum { TEXT = 400 };

/* ---- names ----------------------------------------------------------------------------------- */

talus_status measure_values_find(const char *name, const struct measure_type **out,
                                 talus_error *err) {
    char names[TEXT] = "";
    size_t length = 0;
    *out = name != NULL ? measure_find(name) : NULL;
    if (*out != NULL) return TALUS_OK;
    for (size_t i = 0; i < measure_count() && length < TEXT; i++)
        length += (size_t)snprintf(names + length, TEXT - length, "%s%s", i > 0 ? ", " : "",
                                   measure_get(i)->entry.name);
    return error_set(err, TALUS_ERR_UNKNOWN_NAME, "there is no measure \"%s\"; there are %s",
                     name != NULL ? name : "", names);
}

static talus_status unknown_parameter(const struct measure_type *type, const char *name,
                                      talus_error *err) {
    char names[TEXT] = "";
    size_t length = 0, count;
    const struct measure_parameter *parameters = measure_parameters(type, &count);
    for (size_t k = 0; k < count && length < TEXT; k++)
        length += (size_t)snprintf(names + length, TEXT - length, "%s%s", k > 0 ? ", " : "",
                                   parameters[k].name);
    return error_set(err, TALUS_ERR_INPUT, "%s has no parameter \"%.60s\"; it has %s",
                     type->entry.name, name, count > 0 ? names : "none");
}

/* ---- values ---------------------------------------------------------------------------------- */

static talus_status refuse(const struct measure_type *type,
                           const struct measure_parameter *parameter, const char *text,
                           const char *why, talus_error *err) {
    return error_set(err, TALUS_ERR_INPUT, "%s: %s = %.100s: %s", type->entry.name, parameter->name,
                     text, why);
}

static talus_status read_word(const struct measure_type *type,
                              const struct measure_parameter *parameter, const char *text,
                              struct measure_value *value, talus_error *err) {
    char why[TEXT];
    const char *at = parameter->words;
    for (int word = 0; *at != '\0'; word++) {
        size_t length = strcspn(at, " ");
        if (strlen(text) == length && strncmp(at, text, length) == 0) {
            value->word = word;
            return TALUS_OK;
        }
        at += length + (at[length] == ' ');
    }
    snprintf(why, sizeof why, "must be one of: %s", parameter->words);
    return refuse(type, parameter, text, why, err);
}

static talus_status read_number(const struct measure_type *type,
                                const struct measure_parameter *parameter, const char *text,
                                double *out, talus_error *err) {
    char why[TEXT];
    if (!quantity_parse(text, parameter->unit, NULL, out, why, sizeof why))
        return refuse(type, parameter, text, why, err);
    if (!isfinite(*out)) return refuse(type, parameter, text, "must be a finite number", err);
    return TALUS_OK;
}

static talus_status read_range(const struct measure_type *type,
                               const struct measure_parameter *parameter, const char *text,
                               struct measure_value *value, talus_error *err) {
    char why[TEXT];
    TALUS_TRY(read_number(type, parameter, text, &value->number, err));
    bool whole = parameter->kind == TAKES_COUNT;
    if (whole && value->number != floor(value->number))
        return refuse(type, parameter, text, "must be a whole number", err);
    if (value->number >= parameter->low && value->number <= parameter->high) return TALUS_OK;
    snprintf(why, sizeof why, "must be %g to %g", parameter->low, parameter->high);
    return refuse(type, parameter, text, why, err);
}

/* "[1 cm, 2 cm, 0]", "1, 2": what is left out is 0. */
static talus_status read_vector(const struct measure_type *type,
                                const struct measure_parameter *parameter, const char *text,
                                struct measure_value *value, talus_error *err) {
    char copy[TEXT], *at = copy;
    double numbers[3] = {0.0, 0.0, 0.0};
    if (strlen(text) >= TEXT) return refuse(type, parameter, text, "is too long", err);
    strcpy(copy, text + (text[0] == '['));
    if (text[0] == '[' && copy[0] != '\0' && copy[strlen(copy) - 1] == ']')
        copy[strlen(copy) - 1] = '\0';
    for (int k = 0; at != NULL; k++) {
        char *comma = strchr(at, ',');
        if (k == 3) return refuse(type, parameter, text, "must be at most three numbers", err);
        if (comma != NULL) *comma = '\0';
        at += strspn(at, " ");
        TALUS_TRY(read_number(type, parameter, at, &numbers[k], err));
        at = comma != NULL ? comma + 1 : NULL;
    }
    value->vector = vec3_make(numbers[0], numbers[1], numbers[2]);
    return TALUS_OK;
}

static talus_status read_value(const struct measure_type *type,
                               const struct measure_parameter *parameter, const char *text,
                               struct measure_value *value, talus_error *err) {
    struct measure_value found = {.given = true};
    switch (parameter->kind) {
    case TAKES_WORD: TALUS_TRY(read_word(type, parameter, text, &found, err)); break;
    case TAKES_VECTOR: TALUS_TRY(read_vector(type, parameter, text, &found, err)); break;
    default: TALUS_TRY(read_range(type, parameter, text, &found, err)); break;
    }
    *value = found;
    return TALUS_OK;
}

talus_status measure_values_set(struct measure_values *values, const char *text, talus_error *err) {
    const char *equal = strchr(text, '=');
    char name[TEXT];
    size_t count;
    const struct measure_parameter *parameters = measure_parameters(values->type, &count);
    if (equal == NULL || equal - text >= TEXT)
        return error_set(err, TALUS_ERR_INPUT, "%s: \"%.100s\" must be key=value",
                         values->type->entry.name, text);
    snprintf(name, sizeof name, "%.*s", (int)(equal - text), text);
    for (size_t k = 0; k < count; k++)
        if (strcmp(parameters[k].name, name) == 0)
            return read_value(values->type, &parameters[k], equal + 1, &values->values[k], err);
    return unknown_parameter(values->type, name, err);
}

talus_status measure_values_read(struct measure_values *values, const char *name,
                                 const char *const *texts, size_t count, talus_error *err) {
    size_t parameter_count;
    memset(values, 0, sizeof *values);
    TALUS_TRY(measure_values_find(name, &values->type, err));
    const struct measure_parameter *parameters = measure_parameters(values->type, &parameter_count);
    for (size_t k = 0; k < parameter_count; k++)
        if (parameters[k].initial[0] != '\0')
            TALUS_TRY(read_value(values->type, &parameters[k], parameters[k].initial,
                                 &values->values[k], err));
    for (size_t k = 0; k < count; k++) TALUS_TRY(measure_values_set(values, texts[k], err));
    return TALUS_OK;
}
