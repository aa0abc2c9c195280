/* SPDX-License-Identifier: Apache-2.0
 *
 * A bit for each small cube of a region: set when the whole cube is out of reach for the centre of
 * any grain to come, because one grain alone covers it. Near saturation nearly all places are
 * refused by one bit; which places are refused does not change.
 */
#ifndef SCENE_FILL_MASK_H
#define SCENE_FILL_MASK_H

#include "scene/fill_walls.h"
#include "scene/generate.h"

struct fill_mask {
    const struct region_space *space;
    const struct fill_walls *walls;
    double width[3];
    int64_t cells[3];
    uint64_t *rows; /* bits along x */
    size_t row_words, word_count;
    double radius; /* smallest of the grains to come */
};

/* Room for about `grains` grains; false: out of memory. */
bool fill_mask_open(struct fill_mask *mask, const struct region_space *space,
                    const struct fill_walls *walls, double radius, size_t grains,
                    struct memory *memory);
void fill_mask_close(struct fill_mask *mask, struct memory *memory);

void fill_mask_add(struct fill_mask *mask, vec3 at, double radius);
bool fill_mask_covers(const struct fill_mask *mask, vec3 at);

/* Cubes by number, x fastest. How many are not set; which of them can hold a centre. */
size_t fill_mask_count_open(const struct fill_mask *mask);
size_t fill_mask_list_open(const struct fill_mask *mask, uint32_t *cubes);
bool fill_mask_is_set(const struct fill_mask *mask, size_t cube);
/* A uniform place in a cube. */
vec3 fill_mask_place(const struct fill_mask *mask, size_t cube, struct random *random);

#endif
