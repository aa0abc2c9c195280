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
static void set_range(struct picture_scale *scale, const double *sorted, size_t count, bool zero) {
    double largest = sorted[count - 1], most = sorted[(count - 1) * 99 / 100];
    scale->low = zero ? 0.0 : sorted[0];
    bool far_out = most > scale->low && largest - scale->low > 1.5 * (most - scale->low);
    scale->high = far_out ? most : largest;
}

/* A map whose middle is zero goes as far below it as above, also where all values have one sign: so the ranges of several
 * states, put together, have zero in the middle, too. */
static talus_status find_range(struct picture *picture, talus_error *err) {
    struct picture_scale *scale = &picture->scale;
    size_t count = picture->grain_count;
    if (count == 0) return TALUS_OK;
    bool both_ways = scale->map == COLORMAP_TIDE;
    double *sorted = memory_resize(picture->memory, NULL, 0, count, sizeof *sorted);
    if (sorted == NULL) return error_memory(err);
    for (size_t i = 0; i < count; i++) {
        double value = picture->grains[i].value;
        sorted[i] = both_ways ? fabs(value) : value;
    }
    qsort(sorted, count, sizeof *sorted, ascending);
    set_range(scale, sorted, count, both_ways || scale->from_zero);
    if (both_ways) scale->low = -scale->high;
    memory_free(picture->memory, sorted, count, sizeof *sorted);
    return TALUS_OK;
}

/* A range that is given without zero in it has no use for a map with two sides. */
static enum colormap choose_map(const struct picture_scale *scale,
                                const talus_picture_config *config) {
    if (config->map != NULL) return colormap_find(config->map);
    bool given = config->range[0] < config->range[1];
    bool has_zero = !given || (config->range[0] < 0.0 && config->range[1] > 0.0);
    return scale->is_signed && has_zero ? COLORMAP_TIDE : COLORMAP_LAKE;
}

static void find_beyond(struct picture *picture) {
    struct picture_scale *scale = &picture->scale;
    for (size_t i = 0; i < picture->grain_count; i++) {
        scale->more = scale->more || picture->grains[i].value > scale->high;
        scale->less = scale->less || picture->grains[i].value < scale->low;
    }
}

static void paint(struct picture *picture) {
    const struct picture_scale *scale = &picture->scale;
    double span = scale->high - scale->low;
    bool middle = scale->low > 0.0 || scale->map == COLORMAP_TIDE;
    for (size_t i = 0; i < picture->grain_count; i++) {
        struct picture_grain *grain = &picture->grains[i];
        double flat = middle ? 0.5 : 0.0; /* all values equal */
        double t = span > 0.0 ? (grain->value - scale->low) / span : flat;
        grain->color = scale->name_count > 0 ? colormap_category((int)grain->value)
                                             : colormap_of(scale->map, t);
    }
}

talus_status picture_color(struct picture *picture, const talus_picture_config *config,
                           talus_error *err) {
    struct picture_scale *scale = &picture->scale;
    scale->map = choose_map(scale, config);
    scale->low = config->range[0];
    scale->high = config->range[1];
    if (!(scale->low < scale->high)) {
        scale->low = scale->high = 0.0;
        TALUS_TRY(find_range(picture, err));
    }
    find_beyond(picture);
    paint(picture);
    return TALUS_OK;
}
