/* SPDX-License-Identifier: Apache-2.0
 *
 * Random sequential addition: all grains are drawn first and sorted by radius, then every grain, the largest
 * first, gets the first of a sequence of uniform places where it overlaps no grain and no boundary.
 */
#include <stdlib.h>

#include "base/error.h"
#include "scene/fill_draw.h"
#include "scene/fill_grid.h"
#include "scene/generate.h"

/* More than this is a slip in a unit. */
static const double grains_most = 5e8;

struct radii {
    struct memory *memory;
    struct grain_draw *values;
    size_t count, capacity;
    double measure; /* of all of them */
};

static bool radii_add(struct radii *radii, struct grain_draw draw, double measure) {
    struct grain_draw *values = memory_reserve(radii->memory, radii->values, &radii->capacity,
                                               radii->count + 1, sizeof *values);
    if (values == NULL) return false;
    radii->values = values;
    values[radii->count++] = draw;
    radii->measure += measure;
    return true;
}

/* Equal ones in a fixed order too, so that the result does not depend on how qsort works. */
static int compare_descending(const void *a, const void *b) {
    const struct grain_draw *left = a, *right = b;
    if (left->radius != right->radius) return left->radius > right->radius ? -1 : 1;
    return left->variant < right->variant ? -1 : left->variant > right->variant;
}

/* By number, or until the solid fraction is reached. */
static talus_status draw_radii(const struct generate *generate, struct radii *radii,
                               talus_error *err) {
    const struct scene_generator *generator = generate->generator;
    const int dimension = generate->scene->config.dim;
    struct random random = generate_random(generate, DRAW_RADIUS),
                  variants = generate_random(generate, DRAW_VARIANT);
    double wanted = generator->fraction * region_measure(&generator->region, dimension);
    bool by_count = generator->fraction == 0.0;
    while (by_count ? radii->count < (size_t)generator->count : radii->measure < wanted) {
        struct grain_draw draw = grain_draw(&generator->size, generator->form, &random, &variants);
        double measure = grain_solid(generator->form, draw, dimension);
        if (!radii_add(radii, draw, measure)) return error_memory(err);
        double foreseen = by_count ? 0.0 : wanted / radii->measure * (double)radii->count;
        if (radii->count == 1000 && foreseen > grains_most) {
            return error_set(err, TALUS_ERR_INPUT,
                             "grains[%zu]: fraction %g of the region needs about %.2g grains; is a "
                             "unit wrong?",
                             generate->number, generator->fraction, foreseen);
        }
    }
    qsort(radii->values, radii->count, sizeof *radii->values, compare_descending);
    return TALUS_OK;
}

/* The grains of earlier entries count too. */
static bool open_grid(struct fill_grid *grid, const struct radii *radii) {
    const struct grains *grains = grid->grains;
    double largest = radii->values[0].radius;
    for (size_t i = 0; i < grains->count; i++) largest = fmax(largest, grains->items[i].radius);
    fill_grid_start(grid, largest);
    for (size_t i = 0; i < grains->count; i++) fill_grid_expect(grid, grains->items[i].radius);
    for (size_t i = 0; i < radii->count; i++) fill_grid_expect(grid, radii->values[i].radius);
    double smallest = radii->values[radii->count - 1].radius;
    if (!fill_grid_open(grid, grains->count + radii->count, smallest)) return false;
    for (size_t i = 0; i < grains->count; i++) fill_grid_add(grid, i);
    return true;
}

static talus_status say_full(const struct generate *generate, const struct radii *radii,
                             size_t placed, bool walled, talus_error *err) {
    const int dimension = generate->scene->config.dim;
    double measure = 0.0, all = region_measure(&generate->generator->region, dimension);
    for (size_t i = 0; i < placed; i++) {
        measure += grain_solid(generate->generator->form, radii->values[i], dimension);
    }
    return error_set(
        err, TALUS_ERR_INPUT,
        "grains[%zu]: no room found in %d attempts for one grain: %zu of %zu placed, "
        "solid fraction %.4f of %.4f%s; use a larger region, fewer grains or more attempts",
        generate->number, generate->generator->attempts, placed, radii->count, measure / all,
        radii->measure / all, walled ? "; boundaries exclude part of the region" : "");
}

/* The first free place of the sequence. `walled` becomes true when a boundary refuses one. */
static enum fill_answer find_place(const struct generate *generate, struct fill_draw *draw,
                                   const struct fill_grid *grid, double radius, vec3 *at,
                                   bool *walled) {
    for (int attempt = 0; attempt < generate->generator->attempts; attempt++) {
        enum fill_answer answer = fill_draw_next(draw, radius, at);
        if (answer == FILL_FULL || answer == FILL_NO_MEMORY) return answer;
        if (answer != FILL_PLACE || fill_grid_overlaps(grid, *at, radius)) continue;
        if (!fill_walls_overlap(grid->walls, *at, radius)) return FILL_PLACE;
        *walled = true;
    }
    return FILL_FULL;
}

static talus_status place_all(const struct generate *generate, const struct radii *radii,
                              struct fill_grid *grid, struct fill_draw *draw, talus_error *err) {
    struct grains *grains = generate->grains;
    bool walled = false;
    for (size_t k = 0; k < radii->count; k++) {
        double radius = radii->values[k].radius;
        vec3 at;
        enum fill_answer answer = find_place(generate, draw, grid, radius, &at, &walled);
        if (answer == FILL_FULL) return say_full(generate, radii, k, walled, err);
        if (answer == FILL_NO_MEMORY) return error_memory(err);
        if (!grains_add(grains, (struct grain){at, radius, radii->values[k].variant})) {
            return error_memory(err);
        }
        fill_grid_add(grid, grains->count - 1);
        fill_draw_taken(draw);
    }
    return TALUS_OK;
}

static talus_status place(const struct generate *generate, const struct radii *radii,
                          talus_error *err) {
    struct grains *grains = generate->grains;
    struct region_space space =
        region_space(&generate->generator->region, &generate->scene->config);
    struct fill_walls walls = {.memory = &grains->memory};
    struct fill_grid grid = {.space = &space,
                             .walls = &walls,
                             .cell = &generate->scene->config.cell,
                             .memory = &grains->memory,
                             .grains = grains};
    struct fill_draw draw = {.space = &space,
                             .mask = &grid.mask,
                             .memory = &grains->memory,
                             .random = generate_random(generate, DRAW_POSITION)};
    bool ready = fill_walls_from_scene(&walls, generate->scene) && open_grid(&grid, radii);
    talus_status status = ready ? place_all(generate, radii, &grid, &draw, err) : error_memory(err);
    fill_draw_close(&draw);
    fill_grid_close(&grid);
    fill_walls_free(&walls);
    return status;
}

talus_status generate_fill(const struct generate *generate, talus_error *err) {
    struct grains *grains = generate->grains;
    const size_t first = grains->count;
    struct radii radii = {.memory = &grains->memory};
    talus_status status = draw_radii(generate, &radii, err);
    if (status >= 0 && radii.count > 0) status = place(generate, &radii, err);
    memory_free(&grains->memory, radii.values, radii.capacity, sizeof *radii.values);
    return status < 0 ? status : grains_sort(grains, first, err);
}
