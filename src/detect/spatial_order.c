/* SPDX-License-Identifier: Apache-2.0
 * Morton keys of 10 bits an axis over the box around the points, sorted by radix. */
#include "detect/spatial_order.h"

#include <math.h>
#include <string.h>

enum { BITS = 10, DIGIT = 10, DIGITS = 3 };

static uint64_t spread(uint64_t value) { /* two zero bits between each two bits */
    uint64_t spread_value = 0;
    for (int bit = 0; bit < BITS; bit++) spread_value |= ((value >> bit) & 1u) << (3 * bit);
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

void spatial_order(const vec3 *position, size_t count, talus_index *order, uint64_t *keys) {
    if (count == 0) return;
    vec3 low = position[0], high = position[0];
    for (size_t i = 1; i < count; i++) {
        vec3 x = position[i];
        low = vec3_make(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = vec3_make(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    double side = fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
    double scale = side > 0.0 ? (1 << BITS) / side : 0.0;
    uint64_t *from = keys, *to = keys + count;
    for (size_t i = 0; i < count; i++) {
        uint64_t key = spread(quantise(position[i].x, low.x, scale)) |
                       spread(quantise(position[i].y, low.y, scale)) << 1 |
                       spread(quantise(position[i].z, low.z, scale)) << 2;
        from[i] = key << 32 | i;
    }
    for (int digit = 0; digit < DIGITS; digit++) {
        radix_pass(from, to, count, 32 + digit * DIGIT);
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    for (size_t k = 0; k < count; k++) order[k] = (talus_index)(from[k] & 0xffffffffu);
}
