/* SPDX-License-Identifier: Apache-2.0 */
#include "scene/fill_draw.h"

enum {
    WINDOW = 4096,   /* tries after which the way of drawing is judged */
    RARE = 32,       /* fewer than one place in so many is free: change to cubes */
    STALE_SHARE = 3  /* one cube in so many has been covered since: make the list anew */
};

/* List the cubes that are not covered; there are fewer of them every time. */
static bool list_open(struct fill_draw *draw) {
    size_t count = fill_mask_open_cubes(draw->mask, NULL);
    if (draw->open == NULL) {
        draw->open = memory_resize(draw->memory, NULL, 0, count, sizeof *draw->open);
        if (draw->open == NULL) return false;
        draw->open_capacity = count;
    }
    draw->open_count = fill_mask_open_cubes(draw->mask, draw->open);
    return true;
}

static enum fill_answer judge(struct fill_draw *draw) {
    bool rare = draw->placed * RARE < draw->tries;
    bool stale = draw->stale * STALE_SHARE > draw->tries;
    bool renew = draw->open == NULL ? rare : stale;
    draw->tries = draw->placed = draw->stale = 0;
    if (!renew) return FILL_NO_PLACE;
    if (!list_open(draw)) return FILL_NO_MEMORY;
    return draw->open_count == 0 ? FILL_FULL : FILL_NO_PLACE;
}

enum fill_answer fill_draw_next(struct fill_draw *draw, double radius, vec3 *at) {
    if (draw->tries == WINDOW) {
        enum fill_answer answer = judge(draw);
        if (answer != FILL_NO_PLACE) return answer;
    }
    draw->tries++;
    if (draw->open == NULL) {
        *at = region_draw(draw->space, radius, &draw->random);
        return FILL_PLACE;
    }
    size_t cube = draw->open[random_below(&draw->random, (uint32_t)draw->open_count)];
    if (fill_mask_is_set(draw->mask, cube)) {
        draw->stale++;
        return FILL_NO_PLACE;
    }
    *at = fill_mask_place(draw->mask, cube, &draw->random);
    return region_holds(draw->space, *at, radius) ? FILL_PLACE : FILL_NO_PLACE;
}

void fill_draw_taken(struct fill_draw *draw) {
    draw->placed++;
}

void fill_draw_close(struct fill_draw *draw) {
    memory_free(draw->memory, draw->open, draw->open_capacity, sizeof *draw->open);
}
