/* SPDX-License-Identifier: Apache-2.0 */
#include "detect/grid.h"

#include <math.h>
#include <string.h>

static const int64_t cells_max = 1 << 20; /* along one axis; three of them fit in a 64-bit key */

struct cell_index {
    int64_t x, y, z;
};

static int64_t cell_along(double offset, double width, int64_t cells) {
    double index = floor(offset / width);
    if (!(index > 0.0)) return 0;
    if (index >= (double)cells) return cells - 1;
    return (int64_t)index;
}

/* Positions beyond the last cell count as in it: neighbours stay neighbours, so nothing is missed. */
static struct cell_index cell_of(const struct grid_level *level, vec3 position) {
    return (struct cell_index){
        cell_along(position.x - level->origin.x, level->width.x, level->cells[0]),
        cell_along(position.y - level->origin.y, level->width.y, level->cells[1]),
        cell_along(position.z - level->origin.z, level->width.z, level->cells[2])};
}

static uint64_t key_of(const struct grid_level *level, struct cell_index index) {
    return (uint64_t)(index.x + level->cells[0] * (index.y + level->cells[1] * index.z));
}

/* Cells of at least `width`; along periodic axes a whole number of them. */
static void level_shape(struct grid_level *level, const struct cell *cell, double width, vec3 low,
                        vec3 high) {
    for (int axis = 0; axis < 3; axis++) {
        double origin = vec3_component(low, axis), size = vec3_component(high, axis) - origin;
        double along = width;
        level->periodic[axis] = cell->periodic[axis];
        if (cell->periodic[axis]) {
            origin = vec3_component(cell->origin, axis);
            size = vec3_component(cell->size, axis);
        }
        double fit = floor(size / width);
        int64_t cells = fit < (double)cells_max ? (int64_t)fit : cells_max;
        if (cell->periodic[axis]) {
            if (cells < 1) cells = 1;
            along = size / (double)cells;
        } else if (cells < cells_max) {
            cells += 1;
        }
        level->cells[axis] = cells;
        vec3_set_component(&level->origin, axis, origin);
        vec3_set_component(&level->width, axis, along);
    }
}

static size_t bucket_count(const struct grid_level *level) {
    double cells = (double)level->cells[0] * (double)level->cells[1] * (double)level->cells[2];
    size_t wanted = 2 * level->count;
    if (cells < 4.0 * (double)level->count) wanted = (size_t)cells;
    size_t buckets = 1;
    while (buckets < wanted) buckets *= 2;
    return buckets;
}

struct extent {
    vec3 low, high;
    double radius_min, radius_max;
    size_t count;
};

static struct extent measure(const vec3 *position, const double *radius, size_t count) {
    struct extent extent = {.count = 0};
    for (size_t i = 0; i < count; i++) {
        if (!(radius[i] > 0.0)) continue;
        vec3 x = position[i];
        if (extent.count++ == 0) {
            extent.low = extent.high = x;
            extent.radius_min = extent.radius_max = radius[i];
        }
        extent.low =
            vec3_make(fmin(extent.low.x, x.x), fmin(extent.low.y, x.y), fmin(extent.low.z, x.z));
        extent.high =
            vec3_make(fmax(extent.high.x, x.x), fmax(extent.high.y, x.y), fmax(extent.high.z, x.z));
        extent.radius_min = fmin(extent.radius_min, radius[i]);
        extent.radius_max = fmax(extent.radius_max, radius[i]);
    }
    return extent;
}

/* Level 0 is the coarsest, each further one has cells half as wide. */
static int level_for(double radius, double radius_max, int levels) {
    int level = 0;
    for (double width = 0.5 * radius_max; level + 1 < levels && radius <= width; width *= 0.5)
        level++;
    return level;
}

static void choose_levels(struct grid *grid, const struct cell *cell, const double *radius,
                          size_t count, const struct extent *extent) {
    grid->level_count = 1;
    for (double width = 0.5 * extent->radius_max;
         extent->radius_min <= width && grid->level_count < GRID_LEVELS; width *= 0.5)
        grid->level_count++;
    memset(grid->levels, 0, sizeof grid->levels);
    for (size_t i = 0; i < count; i++) {
        if (!(radius[i] > 0.0)) continue;
        int level = level_for(radius[i], extent->radius_max, grid->level_count);
        grid->level_of[i] = (uint8_t)level;
        grid->levels[level].count++;
    }
    size_t first = 0, table = 0;
    for (int l = 0; l < grid->level_count; l++) {
        struct grid_level *level = &grid->levels[l];
        double width = ldexp(2.0 * extent->radius_max, -l);
        level_shape(level, cell, width, extent->low, extent->high);
        level->first = first;
        level->table = table;
        size_t buckets = bucket_count(level);
        level->mask = buckets - 1;
        first += level->count;
        table += buckets + 1;
    }
}

static bool reserve(struct grid *grid, size_t count) {
    void *block = memory_reserve(grid->memory, grid->entries, &grid->entry_capacity, count,
                                 sizeof *grid->entries);
    if (block == NULL) return false;
    grid->entries = block;
    block = memory_reserve(grid->memory, grid->level_of, &grid->level_capacity, count,
                           sizeof *grid->level_of);
    if (block == NULL) return false;
    grid->level_of = block;
    return true;
}

static bool reserve_buckets(struct grid *grid) {
    const struct grid_level *last = &grid->levels[grid->level_count - 1];
    size_t needed = last->table + (size_t)last->mask + 2;
    void *block = memory_reserve(grid->memory, grid->buckets, &grid->bucket_capacity, needed,
                                 sizeof *grid->buckets);
    if (block == NULL) return false;
    grid->buckets = block;
    memset(grid->buckets, 0, needed * sizeof *grid->buckets);
    return true;
}

/* Counting sort of the bodies into the buckets of their levels. */
static void sort_into_buckets(struct grid *grid, const vec3 *position, const double *radius,
                              size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!(radius[i] > 0.0)) continue;
        const struct grid_level *level = &grid->levels[grid->level_of[i]];
        uint64_t key = key_of(level, cell_of(level, position[i]));
        grid->buckets[level->table + (key & level->mask) + 1]++;
    }
    for (int l = 0; l < grid->level_count; l++) {
        const struct grid_level *level = &grid->levels[l];
        uint32_t *bucket = grid->buckets + level->table;
        bucket[0] = (uint32_t)level->first;
        for (size_t k = 0; k <= level->mask; k++) bucket[k + 1] += bucket[k];
    }
    for (size_t i = 0; i < count; i++) {
        if (!(radius[i] > 0.0)) continue;
        const struct grid_level *level = &grid->levels[grid->level_of[i]];
        uint64_t key = key_of(level, cell_of(level, position[i]));
        uint32_t *start = &grid->buckets[level->table + (key & level->mask)];
        grid->entries[(*start)++] =
            (struct grid_entry){position[i], radius[i], key, (talus_index)i};
    }
    /* Every bucket's start has moved to its end, which is the start of the next: shift back. */
    for (int l = 0; l < grid->level_count; l++) {
        const struct grid_level *level = &grid->levels[l];
        uint32_t *bucket = grid->buckets + level->table;
        memmove(bucket + 1, bucket, (size_t)(level->mask + 1) * sizeof *bucket);
        bucket[0] = (uint32_t)level->first;
    }
}

bool grid_add_pair(struct grid *grid, talus_index a, talus_index b) {
    struct pair *pairs = memory_reserve(grid->memory, grid->pairs, &grid->pair_capacity,
                                        grid->pair_count + 1, sizeof *pairs);
    if (pairs == NULL) return false;
    grid->pairs = pairs;
    pairs[grid->pair_count++] = (struct pair){a, b};
    return true;
}

static bool search_cell(struct grid *grid, const struct cell *cell, const struct grid_level *level,
                        uint64_t key, const struct grid_entry *self, bool same_level) {
    const uint32_t *bucket = grid->buckets + level->table + (key & level->mask);
    for (uint32_t k = bucket[0]; k < bucket[1]; k++) {
        const struct grid_entry *other = &grid->entries[k];
        if (other->key != key || (same_level && other->body <= self->body)) continue;
        double reach = self->radius + other->radius;
        vec3 branch = cell_branch(cell, self->position, other->position);
        if (vec3_norm2(branch) >= reach * reach) continue;
        bool ordered = self->body < other->body;
        if (!grid_add_pair(grid, ordered ? self->body : other->body,
                           ordered ? other->body : self->body))
            return false;
    }
    return true;
}

struct span { /* up to three cells along one axis, each once */
    int64_t cell[3];
    int count;
};

static struct span span_around(int64_t centre, int64_t cells, bool periodic) {
    struct span span = {.count = 0};
    for (int64_t d = -1; d <= 1; d++) {
        int64_t at = centre + d;
        if (periodic) at = (at + cells) % cells;
        if (at < 0 || at >= cells) continue;
        if (span.count > 0 && (span.cell[0] == at || span.cell[span.count - 1] == at)) continue;
        span.cell[span.count++] = at;
    }
    return span;
}

static bool search_level(struct grid *grid, const struct cell *cell, const struct grid_level *level,
                         const struct grid_entry *self, bool same_level) {
    struct cell_index at = cell_of(level, self->position);
    struct span xs = span_around(at.x, level->cells[0], level->periodic[0]);
    struct span ys = span_around(at.y, level->cells[1], level->periodic[1]);
    struct span zs = span_around(at.z, level->cells[2], level->periodic[2]);
    for (int k = 0; k < zs.count; k++)
        for (int j = 0; j < ys.count; j++)
            for (int i = 0; i < xs.count; i++) {
                struct cell_index index = {xs.cell[i], ys.cell[j], zs.cell[k]};
                if (!search_cell(grid, cell, level, key_of(level, index), self, same_level))
                    return false;
            }
    return true;
}

bool grid_find_pairs(struct grid *grid, const struct cell *cell, const vec3 *position,
                     const double *radius, size_t count) {
    grid->pair_count = 0;
    struct extent extent = measure(position, radius, count);
    if (extent.count == 0) return true;
    if (!reserve(grid, count)) return false;
    choose_levels(grid, cell, radius, count, &extent);
    if (!reserve_buckets(grid)) return false;
    sort_into_buckets(grid, position, radius, count);
    for (int l = 0; l < grid->level_count; l++) {
        const struct grid_level *level = &grid->levels[l];
        for (size_t k = level->first; k < level->first + level->count; k++)
            for (int coarser = l; coarser >= 0; coarser--) {
                if (grid->levels[coarser].count == 0) continue;
                if (!search_level(grid, cell, &grid->levels[coarser], &grid->entries[k],
                                  coarser == l))
                    return false;
            }
    }
    return true;
}

void grid_free(struct grid *grid) {
    struct memory *memory = grid->memory;
    memory_free(memory, grid->entries, grid->entry_capacity, sizeof *grid->entries);
    memory_free(memory, grid->level_of, grid->level_capacity, sizeof *grid->level_of);
    memory_free(memory, grid->buckets, grid->bucket_capacity, sizeof *grid->buckets);
    memory_free(memory, grid->pairs, grid->pair_capacity, sizeof *grid->pairs);
}
