/* SPDX-License-Identifier: Apache-2.0
 * Keys of 30 bits over the box around the points, sorted by radix. */
#include "detect/spatial_order.h"

#include <math.h>
#include <string.h>

enum { BITS = 10, DIGIT = 10, DIGITS = 3 };

static uint64_t spread(uint64_t value) { /* two zero bits between each two bits */
    uint64_t spread_value = 0;
    for (int bit = 0; bit < BITS; bit++) spread_value |= ((value >> bit) & 1u) << (3 * bit);
    return spread_value;
}

static uint64_t spread_plane(uint64_t value) { /* one zero bit between each two */
    uint64_t spread_value = 0;
    for (int bit = 0; bit < BITS; bit++) spread_value |= ((value >> bit) & 1u) << (2 * bit);
    return spread_value;
}

static uint64_t quantise(double value, double low, double scale) {
    double level = (value - low) * scale;
    if (!(level > 0.0)) return 0;
    return level >= (1 << BITS) ? (1 << BITS) - 1 : (uint64_t)level;
}

/* One pass over a digit; key in the upper half of a word, index in the lower. */
static void radix_pass(const uint64_t *from, uint64_t *to, size_t count, int shift) {
    size_t start[(1 << DIGIT) + 1];
    memset(start, 0, sizeof start);
    const uint64_t mask = (1u << DIGIT) - 1;
    for (size_t k = 0; k < count; k++) start[((from[k] >> shift) & mask) + 1]++;
    for (size_t d = 0; d < (1u << DIGIT); d++) start[d + 1] += start[d];
    for (size_t k = 0; k < count; k++) to[start[(from[k] >> shift) & mask]++] = from[k];
}

/* Indices in the order of the keys, which stand in the upper half of the first `count` words. */
static void sort_keys(uint64_t *keys, size_t count, talus_index *order) {
    uint64_t *from = keys, *to = keys + count;
    for (int digit = 0; digit < DIGITS; digit++) {
        radix_pass(from, to, count, 32 + digit * DIGIT);
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    for (size_t k = 0; k < count; k++) order[k] = (talus_index)(from[k] & 0xffffffffu);
}

struct box {
    double low[3], side[3]; /* m */
    double widest;
};

/* Walls can stand anywhere: they do not count, if `boundary` says which they are. */
static struct box box_around(const vec3 *position, const int32_t *boundary, size_t count) {
    struct box box = {{0.0}, {0.0}, 0.0};
    for (int axis = 0; axis < 3; axis++) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (size_t i = 0; i < count; i++) {
            double x = vec3_component(position[i], axis);
            if (boundary != NULL && boundary[i] >= 0) continue;
            low = fmin(low, x);
            high = fmax(high, x);
        }
        box.low[axis] = low;
        box.side[axis] = fmax(high - low, 0.0);
        box.widest = fmax(box.widest, box.side[axis]);
    }
    return box;
}

static uint64_t level(const struct box *box, vec3 x, int axis) {
    double scale = box->widest > 0.0 ? (1 << BITS) / box->widest : 0.0;
    return quantise(vec3_component(x, axis), box->low[axis], scale);
}

void spatial_order(const vec3 *position, size_t count, talus_index *order, uint64_t *keys) {
    if (count == 0) return;
    struct box box = box_around(position, NULL, count);
    for (size_t i = 0; i < count; i++) {
        uint64_t key = spread(level(&box, position[i], 0)) |
                       spread(level(&box, position[i], 1)) << 1 |
                       spread(level(&box, position[i], 2)) << 2;
        keys[i] = key << 32 | i;
    }
    sort_keys(keys, count, order);
}

/* How many slabs across its longest side cut the box into layers about one point thick. */
static size_t count_slabs(const struct box *box, size_t count) {
    double volume = 1.0;
    int dimensions = 0;
    for (int axis = 0; axis < 3; axis++)
        if (box->side[axis] > 1e-3 * box->widest) {
            volume *= box->side[axis] / box->widest;
            dimensions++;
        }
    if (dimensions == 0) return 1;
    double slabs = pow((double)count / volume, 1.0 / dimensions);
    return slabs < (1 << BITS) ? (size_t)ceil(slabs) : (size_t)1 << BITS;
}

void spatial_order_slabs(const vec3 *position, const int32_t *boundary, size_t count, size_t most,
                         talus_index *order, uint64_t *keys) {
    if (count == 0) return;
    struct box box = box_around(position, boundary, count);
    size_t slabs = count_slabs(&box, count);
    if (count / slabs > most) {
        spatial_order(position, count, order, keys);
        return;
    }
    int axis = 0;
    for (int k = 1; k < 3; k++)
        if (box.side[k] > box.side[axis]) axis = k;
    double scale = box.widest > 0.0 ? (double)slabs / box.widest : 0.0;
    for (size_t i = 0; i < count; i++) {
        vec3 x = position[i];
        uint64_t slab = quantise(vec3_component(x, axis), box.low[axis], scale);
        if (slab >= slabs) slab = slabs - 1;
        uint64_t key = slab << (2 * BITS) | spread_plane(level(&box, x, (axis + 1) % 3)) |
                       spread_plane(level(&box, x, (axis + 2) % 3)) << 1;
        keys[i] = key << 32 | i;
    }
    sort_keys(keys, count, order);
}
