/* SPDX-License-Identifier: Apache-2.0
 *
 * Radii from distributions. By number, not by mass: the share of grains, not of material.
 * Proven by tests/unit/test_scene_size.c.
 */
#include <math.h>

#include "scene/generate.h"

/* Number density ~ r^-a between two radii, by inversion of the cumulated density. */
static double draw_power(const struct scene_size *size, double u) {
    const double low = size->a, ratio = size->b / size->a, power = 1.0 - size->exponent;
    /* In the variable ln r: near power = 0 the usual formula loses all digits. */
    const double span = log(ratio);
    if (fabs(power * span) < 1e-8) return low * exp(u * span);
    return low * exp(log1p(u * expm1(power * span)) / power);
}

static double draw_table(const struct scene_size *size, double u) {
    double sum = 0.0;
    for (size_t i = 0; i < size->count; i++) sum += size->weights[i];
    double target = u * sum, so_far = 0.0;
    size_t last = 0;
    for (size_t i = 0; i < size->count; i++) {
        if (size->weights[i] == 0.0) continue;
        last = i;
        so_far += size->weights[i];
        if (target < so_far) break;
    }
    return size->values[last];
}

/* Draws outside the cut are repeated; the reader has made sure that enough lie inside. */
static double draw_cut(const struct scene_size *size, struct random *random) {
    for (;;) {
        double normal = random_normal(random);
        double radius = size->kind == SCENE_SIZE_NORMAL ? size->a + size->b * normal
                                                        : size->a * exp(size->b * normal);
        if (radius >= size->low && radius <= size->high) return radius;
    }
}

double scene_size_draw(const struct scene_size *size, void *random) {
    struct random *numbers = random;
    switch (size->kind) {
    case SCENE_SIZE_ONE:
    case SCENE_SIZE_OWN: return size->a; /* grain_draw knows better */
    case SCENE_SIZE_UNIFORM: return size->a + (size->b - size->a) * random_uniform(numbers);
    case SCENE_SIZE_NORMAL:
    case SCENE_SIZE_LOGNORMAL: return draw_cut(size, numbers);
    case SCENE_SIZE_POWER:
        return fmin(size->b, fmax(size->a, draw_power(size, random_uniform(numbers))));
    case SCENE_SIZE_TWO: return random_uniform(numbers) < size->share ? size->a : size->b;
    case SCENE_SIZE_TABLE: return draw_table(size, random_uniform(numbers));
    }
    return size->a;
}

double scene_size_largest(const struct scene_size *size) {
    double largest = 0.0;
    switch (size->kind) {
    case SCENE_SIZE_ONE: return size->a;
    case SCENE_SIZE_UNIFORM:
    case SCENE_SIZE_POWER:
    case SCENE_SIZE_OWN:
    case SCENE_SIZE_TWO: return fmax(size->a, size->b);
    case SCENE_SIZE_NORMAL:
    case SCENE_SIZE_LOGNORMAL: return size->high;
    case SCENE_SIZE_TABLE:
        for (size_t i = 0; i < size->count; i++) {
            if (size->weights[i] > 0.0) largest = fmax(largest, size->values[i]);
        }
    }
    return largest;
}

double scene_size_smallest(const struct scene_size *size) {
    double smallest = HUGE_VAL;
    switch (size->kind) {
    case SCENE_SIZE_ONE: return size->a;
    case SCENE_SIZE_UNIFORM:
    case SCENE_SIZE_POWER:
    case SCENE_SIZE_OWN:
    case SCENE_SIZE_TWO: return fmin(size->a, size->b);
    case SCENE_SIZE_NORMAL:
    case SCENE_SIZE_LOGNORMAL: return size->low;
    case SCENE_SIZE_TABLE:
        for (size_t i = 0; i < size->count; i++) {
            if (size->weights[i] > 0.0) smallest = fmin(smallest, size->values[i]);
        }
    }
    return smallest;
}
