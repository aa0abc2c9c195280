/* SPDX-License-Identifier: Apache-2.0
 * From the values of the grains to colours, and two values that follow from their contacts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/picture.h"

/* A third (a half in the plane) of the trace of the grain's stress, sum of arm times force over its volume. */
void picture_pressure(struct picture *picture) {
    static const char *const units[3] = {"N", "N/m", "Pa"};
    snprintf(picture->scale.unit, PICTURE_LABEL, "%s", units[picture->dim - 1]);
    for (size_t i = 0; i < picture->grain_count; i++) picture->grains[i].value = 0.0;
    for (size_t k = 0; k < picture->touch_count; k++) {
        const struct picture_touch *touch = &picture->touches[k];
        struct picture_grain *grain = &picture->grains[touch->grain];
        grain->value -= vec3_dot(touch->force, touch->arm) / ((double)picture->dim * grain->volume);
    }
}

void picture_coordination(struct picture *picture) {
    for (size_t i = 0; i < picture->grain_count; i++) picture->grains[i].value = 0.0;
    for (size_t k = 0; k < picture->touch_count; k++)
        picture->grains[picture->touches[k].grain].value += 1.0;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* From the smallest value (or zero) to the largest; if a few stand far out, to the 99th percentile,
 * so that one fast grain does not paint all others alike. */
static void set_range(struct picture_scale *scale, const double *sorted, size_t count) {
    double largest = sorted[count - 1], most = sorted[(count - 1) * 99 / 100];
    scale->low = scale->from_zero ? 0.0 : sorted[0];
    scale->more = most > scale->low && largest - scale->low > 1.5 * (most - scale->low);
    scale->high = scale->more ? most : largest;
}

static bool has_both_signs(const double *sorted, size_t count) {
    return sorted[0] < 0.0 && sorted[count - 1] > 0.0;
}

/* As far below zero as above. */
static void set_signed_range(struct picture_scale *scale, double *values, size_t count) {
    for (size_t i = 0; i < count; i++) values[i] = fabs(values[i]);
    qsort(values, count, sizeof *values, ascending);
    bool from_zero = scale->from_zero;
    scale->from_zero = true;
    set_range(scale, values, count);
    scale->from_zero = from_zero;
    scale->low = -scale->high;
}

static talus_status find_range(struct picture *picture, talus_error *err) {
    struct picture_scale *scale = &picture->scale;
    size_t count = picture->grain_count;
    if (count == 0) return TALUS_OK;
    double *sorted = memory_resize(picture->memory, NULL, 0, count, sizeof *sorted);
    if (sorted == NULL) return error_memory(err);
    for (size_t i = 0; i < count; i++) sorted[i] = picture->grains[i].value;
    qsort(sorted, count, sizeof *sorted, ascending);
    if (scale->is_signed && has_both_signs(sorted, count))
        set_signed_range(scale, sorted, count);
    else
        set_range(scale, sorted, count);
    memory_free(picture->memory, sorted, count, sizeof *sorted);
    return TALUS_OK;
}

static void take_range(struct picture *picture, const double range[2]) {
    struct picture_scale *scale = &picture->scale;
    scale->low = range[0];
    scale->high = range[1];
    scale->more = false;
    for (size_t i = 0; i < picture->grain_count; i++)
        if (picture->grains[i].value > scale->high) scale->more = true;
}

static void choose_map(struct picture_scale *scale, const char *name) {
    if (name != NULL)
        scale->map = colormap_find(name);
    else
        scale->map = scale->is_signed && scale->low < 0.0 && scale->high > 0.0 ? COLORMAP_TIDE
                                                                               : COLORMAP_LAKE;
}

static void paint(struct picture *picture) {
    const struct picture_scale *scale = &picture->scale;
    double span = scale->high - scale->low;
    for (size_t i = 0; i < picture->grain_count; i++) {
        struct picture_grain *grain = &picture->grains[i];
        double flat = scale->high > 0.0 && scale->low > 0.0 ? 0.5 : 0.0; /* all values equal */
        double t = span > 0.0 ? (grain->value - scale->low) / span : flat;
        grain->color = scale->name_count > 0 ? colormap_category((int)grain->value)
                                             : colormap_of(scale->map, t);
    }
}

talus_status picture_color(struct picture *picture, const talus_picture_config *config,
                           talus_error *err) {
    struct picture_scale *scale = &picture->scale;
    if (config->map != NULL && colormap_find(config->map) == COLORMAP_TIDE) scale->is_signed = true;
    if (config->range[0] < config->range[1])
        take_range(picture, config->range);
    else
        TALUS_TRY(find_range(picture, err));
    choose_map(scale, config->map);
    paint(picture);
    return TALUS_OK;
}
