/* SPDX-License-Identifier: Apache-2.0 */
#include "scene/fill_grid.h"

static int level_of(const struct fill_grid *grid, double radius) {
    int level = 0;
    while (level + 1 < FILL_LEVELS && radius <= grid->levels[level + 1].radius) level++;
    return level;
}

void fill_grid_start(struct fill_grid *grid, double largest) {
    for (int level = 0; level < FILL_LEVELS; level++) {
        grid->levels[level] = (struct fill_level){.radius = ldexp(largest, -level)};
    }
}

void fill_grid_expect(struct fill_grid *grid, double radius) {
    int level = level_of(grid, radius);
    grid->levels[level].expected++;
    if (level >= grid->level_count) grid->level_count = level + 1;
}

/* Cells as wide as a grain, or wider where grains are few: never many more cells than grains. */
static void divide(const struct fill_grid *grid, struct fill_level *level) {
    const struct region_space *space = grid->space;
    double measure = 1.0;
    for (int axis = 0; axis < space->dimension; axis++) {
        measure *= vec3_component(space->high, axis) - vec3_component(space->low, axis);
    }
    double sparse = pow(measure / (2.0 * (double)level->expected + 64.0), 1.0 / space->dimension);
    double width = fmax(2.0 * level->radius, sparse);
    for (int axis = 0; axis < 3; axis++) {
        level->cells[axis] = 1;
        level->width[axis] = 1.0;
        if (axis >= space->dimension) continue;
        double extent = vec3_component(space->high, axis) - vec3_component(space->low, axis);
        level->cells[axis] = extent > width ? (int64_t)(extent / width) : 1;
        level->width[axis] = extent / (double)level->cells[axis];
    }
}

bool fill_grid_open(struct fill_grid *grid, size_t most, double smallest) {
    if (!fill_mask_open(&grid->mask, grid->space, grid->walls, smallest, most, grid->memory)) {
        return false;
    }
    grid->next = memory_resize(grid->memory, NULL, 0, most, sizeof *grid->next);
    if (grid->next == NULL) return false;
    grid->next_count = most;
    for (int l = 0; l < grid->level_count; l++) {
        struct fill_level *level = &grid->levels[l];
        if (level->expected == 0) continue;
        divide(grid, level);
        size_t count = (size_t)(level->cells[0] * level->cells[1] * level->cells[2]);
        level->heads = memory_resize(grid->memory, NULL, 0, count, sizeof *level->heads);
        if (level->heads == NULL) return false;
        level->head_count = count;
        for (size_t i = 0; i < count; i++) level->heads[i].grain.radius = -1.0;
    }
    return true;
}

void fill_grid_close(struct fill_grid *grid) {
    fill_mask_close(&grid->mask, grid->memory);
    memory_free(grid->memory, grid->next, grid->next_count, sizeof *grid->next);
    for (int l = 0; l < grid->level_count; l++) {
        struct fill_level *level = &grid->levels[l];
        memory_free(grid->memory, level->heads, level->head_count, sizeof *level->heads);
    }
}

/* The cell of a coordinate; places outside count to the outermost cells, or wrap. */
static int64_t cell_of(const struct fill_grid *grid, const struct fill_level *level, int axis,
                       double coordinate) {
    double low = vec3_component(grid->space->low, axis);
    double at = floor((coordinate - low) / level->width[axis]);
    int64_t cells = level->cells[axis];
    if (!grid->space->spans[axis])
        return at < 0.0 ? 0 : at >= (double)cells ? cells - 1 : (int64_t)at;
    int64_t wrapped = (int64_t)at % cells;
    return wrapped < 0 ? wrapped + cells : wrapped;
}

/* The nearest image of a difference. */
static double nearest(const struct fill_grid *grid, int axis, double difference) {
    if (!grid->cell->periodic[axis]) return difference;
    double period = vec3_component(grid->cell->size, axis);
    return difference - period * rint(difference / period);
}

void fill_grid_add(struct fill_grid *grid, size_t index) {
    const struct grain *grain = &grid->grains->items[index];
    struct fill_level *level = &grid->levels[level_of(grid, grain->radius)];
    int64_t at[3] = {0, 0, 0};
    vec3 image = vec3_zero(); /* the one nearest to the region */
    for (int axis = 0; axis < grid->space->dimension; axis++) {
        double low = vec3_component(grid->space->low, axis);
        double middle = 0.5 * (low + vec3_component(grid->space->high, axis));
        double coordinate =
            middle + nearest(grid, axis, vec3_component(grain->position, axis) - middle);
        at[axis] = cell_of(grid, level, axis, coordinate);
        vec3_set_component(&image, axis, coordinate);
    }
    fill_mask_add(&grid->mask, image, grain->radius);
    struct fill_cell *head =
        &level->heads[(at[2] * level->cells[1] + at[1]) * level->cells[0] + at[0]];
    grid->next[index] = head->grain.radius < 0.0 ? -1 : head->last;
    head->grain = (struct fill_ball){grain->position, grain->radius};
    head->last = (int32_t)index;
}

static bool touches(const struct fill_grid *grid, struct fill_ball ball, vec3 at, double radius) {
    double dx = nearest(grid, 0, at.x - ball.position.x);
    double dy = nearest(grid, 1, at.y - ball.position.y);
    double dz = nearest(grid, 2, at.z - ball.position.z);
    double reach = radius + ball.radius;
    return dx * dx + dy * dy + dz * dz < reach * reach;
}

static bool cell_touches(const struct fill_grid *grid, const struct fill_cell *cell, vec3 at,
                         double radius) {
    if (cell->grain.radius < 0.0) return false;
    if (touches(grid, cell->grain, at, radius)) return true;
    for (int32_t i = grid->next[cell->last]; i >= 0; i = grid->next[i]) {
        const struct grain *grain = &grid->grains->items[i];
        if (touches(grid, (struct fill_ball){grain->position, grain->radius}, at, radius))
            return true;
    }
    return false;
}

/* Distance from a coordinate to the cell that is `step` cells after the one it lies in. */
static double distance_to(const struct fill_grid *grid, const struct fill_level *level, int axis,
                          double coordinate, int64_t step) {
    if (axis >= grid->space->dimension || step == 0) return 0.0;
    double at = (coordinate - vec3_component(grid->space->low, axis)) / level->width[axis];
    double inside = at - floor(at);
    double cells = step > 0 ? (double)step - inside : inside - (double)step - 1.0;
    /* Rounding must not lose a cell. */
    return fmax(0.0, cells - 1e-6) * level->width[axis];
}

struct fill_span {
    int64_t first, last; /* steps from the own cell */
    int64_t own, cells;
    bool all; /* every cell once; steps mean nothing then */
    bool upper_is_nearer;
};

static struct fill_span span_of(const struct fill_grid *grid, const struct fill_level *level,
                                int axis, double coordinate, double reach) {
    struct fill_span span = {0, 0, 0, level->cells[axis], false, false};
    if (axis >= grid->space->dimension) return span;
    double at = (coordinate - vec3_component(grid->space->low, axis)) / level->width[axis];
    span.own = cell_of(grid, level, axis, coordinate);
    span.upper_is_nearer = at - floor(at) > 0.5;
    span.first = (int64_t)(floor(at - reach / level->width[axis]) - floor(at));
    span.last = (int64_t)(floor(at + reach / level->width[axis]) - floor(at));
    if (grid->space->spans[axis]) {
        if (span.last - span.first + 1 < span.cells) return span;
        span.all = true;
        span.first = -span.own;
        span.last = span.cells - 1 - span.own;
        return span;
    }
    if (span.own + span.first < 0) span.first = -span.own;
    if (span.own + span.last >= span.cells) span.last = span.cells - 1 - span.own;
    return span;
}

static int64_t cell_at(const struct fill_span *span, int64_t step) {
    int64_t cell = span->own + step;
    return cell < 0 ? cell + span->cells : cell >= span->cells ? cell - span->cells : cell;
}

/* Steps 0, 1, -1, 2, -2, ... or the other way round, towards the nearer side first: most places are
 * refused, and soonest by the nearest cells. */
static int64_t outward(const struct fill_span *span, int64_t n) {
    int64_t step = (n + 1) / 2;
    return (n % 2 == 1) == span->upper_is_nearer ? step : -step;
}

static int64_t outward_count(const struct fill_span *span) {
    return 2 * (span->last > -span->first ? span->last : -span->first) + 1;
}

static bool row_touches(const struct fill_grid *grid, const struct fill_cell *row,
                        const struct fill_span *x, vec3 at, double radius) {
    for (int64_t i = x->first; i <= x->last; i++) {
        if (cell_touches(grid, &row[cell_at(x, i)], at, radius)) return true;
    }
    return false;
}

static bool level_touches(const struct fill_grid *grid, const struct fill_level *level, vec3 at,
                          double radius) {
    const double reach = radius + level->radius;
    const struct fill_span x = span_of(grid, level, 0, at.x, reach),
                           y = span_of(grid, level, 1, at.y, reach),
                           z = span_of(grid, level, 2, at.z, reach);
    for (int64_t n = 0; n < outward_count(&z); n++) {
        int64_t k = outward(&z, n);
        double dz = z.all ? 0.0 : distance_to(grid, level, 2, at.z, k);
        if (k < z.first || k > z.last || dz >= reach) continue;
        for (int64_t m = 0; m < outward_count(&y); m++) {
            int64_t j = outward(&y, m);
            double dy = y.all ? 0.0 : distance_to(grid, level, 1, at.y, j);
            if (j < y.first || j > y.last || dy * dy + dz * dz >= reach * reach) continue;
            int64_t row = (cell_at(&z, k) * level->cells[1] + cell_at(&y, j)) * level->cells[0];
            if (row_touches(grid, &level->heads[row], &x, at, radius)) return true;
        }
    }
    return false;
}

bool fill_grid_overlaps(const struct fill_grid *grid, vec3 at, double radius) {
    if (fill_mask_covers(&grid->mask, at)) return true;
    for (int l = 0; l < grid->level_count; l++) {
        const struct fill_level *level = &grid->levels[l];
        if (level->heads != NULL && level_touches(grid, level, at, radius)) return true;
    }
    return false;
}
