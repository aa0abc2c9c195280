/* SPDX-License-Identifier: Apache-2.0
 *
 * Places for a filling. First uniform in the region; once few of them are free, uniform in the
 * cubes of the mask that are not covered yet. Both give every free place the same chance.
 */
#ifndef SCENE_FILL_DRAW_H
#define SCENE_FILL_DRAW_H

#include "scene/fill_mask.h"

struct fill_draw {
    const struct region_space *space;
    const struct fill_mask *mask;
    struct memory *memory;
    struct random random;
    uint32_t *open; /* cubes not covered when the list was made; NULL = draw from the region */
    size_t open_count, open_capacity;
    long tries, placed, stale; /* of the present window */
};

enum fill_answer { FILL_PLACE, FILL_NO_PLACE /* this time */, FILL_FULL, FILL_NO_MEMORY };

/* The next place to try for a grain; FILL_FULL: there is no room anywhere. */
enum fill_answer fill_draw_next(struct fill_draw *draw, double radius, vec3 *at);
/* Tell that the last place was taken. */
void fill_draw_taken(struct fill_draw *draw);
void fill_draw_close(struct fill_draw *draw);

#endif
