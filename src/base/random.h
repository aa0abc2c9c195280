/* SPDX-License-Identifier: Apache-2.0
 *
 * Counter-based random numbers (Philox 4x32-10 of Random123): a draw is a function of (seed, stream,
 * position), so a state is a few integers, runs repeat from their seed, and threads need no shared
 * generator.
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wpedantic"
#endif
#include <Random123/philox.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

/* Streams keep unrelated uses of one seed apart. */
enum random_stream { RANDOM_SWEEP = 1, RANDOM_GENERATE = 2, RANDOM_POUR = 3, RANDOM_TEST = 4 };

struct random {
    philox4x32_key_t key;
    philox4x32_ctr_t counter;
    philox4x32_ctr_t block;
    int left; /* unused words in block */
};

/* Start a sequence: (seed, stream) choose the key, (major, minor) the place, e.g. step and sweep. */
static inline struct random random_start(uint64_t seed, enum random_stream stream, uint64_t major,
                                         uint32_t minor) {
    struct random random;
    random.key.v[0] = (uint32_t)seed;
    random.key.v[1] = (uint32_t)(seed >> 32) ^ ((uint32_t)stream << 24);
    random.counter.v[0] = 0;
    random.counter.v[1] = minor;
    random.counter.v[2] = (uint32_t)major;
    random.counter.v[3] = (uint32_t)(major >> 32);
    random.left = 0;
    return random;
}

static inline uint32_t random_word(struct random *random) {
    if (random->left == 0) {
        random->block = philox4x32(random->counter, random->key);
        random->counter.v[0]++;
        random->left = 4;
    }
    return random->block.v[--random->left];
}

/* Integer in [0, bound) by multiply and shift. The bias, below bound/2^32, is harmless for orders. */
static inline uint32_t random_below(struct random *random, uint32_t bound) {
    return (uint32_t)(((uint64_t)random_word(random) * bound) >> 32);
}

/* Uniform in [0, 1) with 53 bits. */
static inline double random_uniform(struct random *random) {
    uint64_t high = random_word(random), low = random_word(random);
    return (double)(((high << 32) | low) >> 11) * 0x1p-53;
}

/* Standard normal, Box and Muller's method. */
double random_normal(struct random *random);

#endif
