/* SPDX-License-Identifier: Apache-2.0
 * Outer chains of a column in the plane: one upper hull on each side, by Andrew's monotone chain. */
#include "geom/outline.h"

#include <stdlib.h>

#include "base/memory.h"

void outline_free(struct outline *outline) {
    struct memory heap = {0};
    memory_free(&heap, outline->elements, 0, 0);
    *outline = (struct outline){0};
}

/* A point or mirror image: its height, and how far out it is after the paraboloid has been made flat. */
struct place {
    double z, out;
    int32_t point;
    uint8_t mirror;
};

static int by_height(const void *left, const void *right) {
    const struct place *a = left, *b = right;
    if (a->z != b->z) return a->z < b->z ? -1 : 1;
    if (a->out != b->out) return a->out < b->out ? -1 : 1;
    return (a->point > b->point) - (a->point < b->point);
}

/* Each point and its two images, seen from the side (+1: right, -1: left). */
static void place_all(const struct outline_column *column, double side, struct place *places) {
    for (size_t i = 0; i < column->count; i++) {
        vec3 p = column->points[i];
        const double heights[3] = {p.z, -p.z, 2.0 * column->height - p.z};
        for (uint8_t mirror = 0; mirror < 3; mirror++) {
            double z = heights[mirror];
            places[3 * i + mirror] =
                (struct place){z, side * p.x - 0.5 * z * z / column->bend, (int32_t)i, mirror};
        }
    }
    qsort(places, 3 * column->count, sizeof *places, by_height);
}

/* Is b on or below the line from a to c? */
static bool is_below(const struct place *a, const struct place *b, const struct place *c) {
    return (b->out - a->out) * (c->z - a->z) <= (c->out - a->out) * (b->z - a->z);
}

/* The upper hull, in place; how many are left. */
static size_t keep_hull(struct place *places, size_t count) {
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        while (kept > 0 && places[kept - 1].z == places[i].z)
            kept--; /* of equal height: the outer */
        while (kept > 1 && is_below(&places[kept - 2], &places[kept - 1], &places[i])) kept--;
        places[kept++] = places[i];
    }
    return kept;
}

/* False: a segment from mirror image to mirror image. */
static bool add_segment(struct outline *out, const struct place *low, const struct place *high,
                        bool right) {
    if (low->mirror != OUTLINE_AS_IS && low->mirror == high->mirror) return true;
    if (low->mirror != OUTLINE_AS_IS && high->mirror != OUTLINE_AS_IS) return false;
    const struct place *first = right ? low : high, *second = right ? high : low;
    out->elements[out->count++] = (struct outline_element){{first->point, second->point, -1},
                                                           {first->mirror, second->mirror, 0}};
    return true;
}

static enum outline_status make_chains(const struct outline_column *column, struct place *places,
                                       struct outline *out) {
    for (int side = 1; side >= -1; side -= 2) {
        place_all(column, side, places);
        size_t kept = keep_hull(places, 3 * column->count);
        for (size_t k = 0; k + 1 < kept; k++)
            if (!add_segment(out, &places[k], &places[k + 1], side > 0)) return OUTLINE_THIN;
    }
    return OUTLINE_OK;
}

enum outline_status outline_chains(const struct outline_column *column, struct outline *out) {
    struct memory heap = {0};
    size_t images = 3 * column->count;
    *out = (struct outline){0};
    if (column->count < 3) return OUTLINE_THIN;
    struct place *places = memory_resize(&heap, NULL, 0, images, sizeof *places);
    out->elements = memory_resize(&heap, NULL, 0, 2 * images, sizeof *out->elements);
    enum outline_status status = OUTLINE_NO_MEMORY;
    if (places != NULL && out->elements != NULL) status = make_chains(column, places, out);
    memory_free(&heap, places, images, sizeof *places);
    if (status != OUTLINE_OK) outline_free(out);
    return status;
}
