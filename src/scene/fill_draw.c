/* SPDX-License-Identifier: Apache-2.0 */
#include "scene/fill_draw.h"

enum {
    WINDOW = 4096,  /* tries after which the way of drawing is judged */
    RARE = 32,      /* fewer than one place in so many is free: change to cubes */
    STALE_SHARE = 3 /* one cube in so many has been covered since: make the list anew */
};

/* List the cubes that are not covered. */
static bool list_open(struct fill_draw *draw) {
    size_t most = fill_mask_count_open(draw->mask);
    draw->open = memory_resize(draw->memory, NULL, 0, most, sizeof *draw->open);
    if (draw->open == NULL) return false;
    draw->open_capacity = most;
    draw->open_count = fill_mask_list_open(draw->mask, draw->open);
    return true;
}

/* Drop those that have been covered since. */
static void shorten(struct fill_draw *draw) {
    size_t kept = 0;
    for (size_t i = 0; i < draw->open_count; i++) {
        if (!fill_mask_is_set(draw->mask, draw->open[i])) draw->open[kept++] = draw->open[i];
    }
    draw->open_count = kept;
}

static enum fill_answer judge(struct fill_draw *draw) {
    bool rare = draw->placed * RARE < draw->tries;
    bool stale = draw->stale * STALE_SHARE > draw->tries;
    draw->tries = draw->placed = draw->stale = 0;
    if (draw->open == NULL) {
        if (rare && !list_open(draw)) return FILL_NO_MEMORY;
    } else if (stale) {
        shorten(draw);
    }
    return draw->open != NULL && draw->open_count == 0 ? FILL_FULL : FILL_NO_PLACE;
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
