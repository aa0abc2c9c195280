/* SPDX-License-Identifier: Apache-2.0
 *
 * Pouring. At time t a source has let go rate (t - start) grains, up to its count. A grain appears
 * at a random place of the region where it overlaps no grain and no boundary; if none of some tries
 * finds room, it and those behind it wait for the next step. Size, velocity and orientation of grain k depend on (seed,
 * source, k) only, its place also on the step, so a run repeats exactly, from a restart as well.
 */
#include "scene/build.h"
#include "scene/fill_walls.h"
#include "scene/generate.h"

enum {
    POUR_TRIES = 50,  /* places for one grain in one step */
    POUR_BATCH = 1024 /* grains of one source in one step */
};

struct pour_state {
    struct memory memory;
    struct grains near;      /* grains in and around the region of one source */
    struct fill_walls walls; /* as they stand in this step */
    talus_body_def *batch;   /* POUR_BATCH */
};

struct pouring {
    const talus_scene *scene;
    const struct scene_source *source;
    uint64_t number; /* of the source */
    struct region_space space;
    struct pour_state *state;
    uint32_t step;
};

/* minor 0: shape, radius, velocity and orientation; otherwise the tries of a step. */
static struct random pour_random(const struct pouring *pouring, int64_t grain, uint32_t minor) {
    uint64_t major = (pouring->number << 40) + (uint64_t)grain;
    return random_start(pouring->scene->config.seed, RANDOM_POUR, major, minor);
}

static double nearest(const talus_cell_config *cell, int axis, double difference) {
    if (!cell->periodic[axis]) return difference;
    double period = vec3_component(cell->size, axis);
    return difference - period * rint(difference / period);
}

static bool is_near(const struct pouring *pouring, vec3 position, double reach) {
    const struct region_space *space = &pouring->space;
    for (int axis = 0; axis < space->dimension; axis++) {
        double low = vec3_component(space->low, axis), high = vec3_component(space->high, axis);
        double middle = 0.5 * (low + high), half = 0.5 * (high - low);
        double away =
            nearest(&pouring->scene->config.cell, axis, vec3_component(position, axis) - middle);
        if (fabs(away) > half + reach) return false;
    }
    return true;
}

/* Everybody who could be in the way. */
static bool collect_near(struct pouring *pouring, const talus_sim *sim) {
    talus_body_view view = talus_sim_bodies(sim);
    double largest = scene_size_largest(&pouring->source->size);
    struct grains *near = &pouring->state->near;
    near->count = 0;
    if (!fill_walls_from_sim(&pouring->state->walls, pouring->scene, sim)) return false;
    for (size_t i = 0; i < view.count; i++) {
        if (view.kind[i] != TALUS_BODY_GRAIN) continue;
        if (!is_near(pouring, view.position[i], view.radius[i] + largest)) continue;
        if (!grains_add(near, (struct grain){view.position[i], view.radius[i], 0})) return false;
    }
    return true;
}

static bool is_free(const struct pouring *pouring, vec3 at, double radius) {
    const talus_cell_config *cell = &pouring->scene->config.cell;
    const struct grains *near = &pouring->state->near;
    if (fill_walls_overlap(&pouring->state->walls, at, radius)) return false;
    for (size_t i = 0; i < near->count; i++) {
        vec3 branch = vec3_sub(at, near->items[i].position);
        branch = vec3_make(nearest(cell, 0, branch.x), nearest(cell, 1, branch.y),
                           nearest(cell, 2, branch.z));
        double reach = radius + near->items[i].radius;
        if (vec3_norm2(branch) < reach * reach) return false;
    }
    return true;
}

/* A place for grain number `grain`; false if there is no room in this step. */
static bool place(const struct pouring *pouring, int64_t grain, double radius, vec3 *at) {
    struct random random = pour_random(pouring, grain, 1 + pouring->step);
    for (int attempt = 0; attempt < POUR_TRIES; attempt++) {
        *at = region_draw(&pouring->space, radius, &random);
        if (is_free(pouring, *at, radius)) return true;
    }
    return false;
}

/* Definitions of as many of the grains [first, first + most) as find room; -1: out of memory. */
static int64_t fill_batch(struct pouring *pouring, const talus_sim *sim, int64_t first,
                          int64_t most) {
    const struct scene_source *source = pouring->source;
    int64_t count = 0;
    for (; count < most; count++) {
        struct random random = pour_random(pouring, first + count, 0);
        talus_body_def def = talus_body_def_default(sim);
        struct grain_draw draw = grain_draw(&source->size, source->form, &random, &random);
        def.radius = draw.radius;
        if (!place(pouring, first + count, def.radius, &def.position)) break;
        def.shape = grain_shape(source->form, draw.variant, source->shape);
        def.group = source->group;
        def.material = source->material;
        def.mass = source->mass;
        def.locks = source->locks;
        def.velocity = build_velocity(source->velocity, source->velocity_jitter,
                                      pouring->space.dimension, &random);
        def.orientation = turn_draw(&source->turn, pouring->space.dimension, &random);
        pouring->state->batch[count] = def;
        struct grain grain = {def.position, def.radius, draw.variant};
        if (!grains_add(&pouring->state->near, grain)) return -1;
    }
    return count;
}

/* Grains due by now: the small addend forgives the rounding of a time summed up from steps. */
static int64_t due(const struct scene_source *source, double time) {
    if (time < source->start) return 0;
    double amount = floor(source->rate * (time - source->start) + 1e-6);
    return amount < source->count ? (int64_t)amount : source->count;
}

static talus_status pour_source(const talus_scene *scene, size_t number, struct scene_pour *pour,
                                talus_sim *sim, talus_error *err) {
    const struct scene_source *source = &scene->sources[number];
    int64_t wanted = due(source, talus_sim_time(sim)) - pour->poured[number];
    pour->waiting[number] = wanted;
    if (wanted <= 0) return TALUS_OK;
    struct pouring pouring = {.scene = scene,
                              .source = source,
                              .number = number,
                              .space = region_space(&source->region, &scene->config),
                              .state = pour->state,
                              .step = (uint32_t)(talus_sim_step_count(sim) % UINT32_MAX)};
    if (!collect_near(&pouring, sim)) return error_memory(err);
    int64_t count =
        fill_batch(&pouring, sim, pour->poured[number], wanted < POUR_BATCH ? wanted : POUR_BATCH);
    if (count < 0) return error_memory(err);
    if (count == 0) return TALUS_OK;
    talus_status status = talus_bodies_add(sim, pouring.state->batch, (size_t)count, NULL, err);
    if (status < 0) return build_failed(status, err, "source '%s'", source->name);
    pour->poured[number] += count;
    pour->waiting[number] -= count;
    return TALUS_OK;
}

talus_status scene_pour_step(const talus_scene *scene, struct scene_pour *pour, talus_sim *sim,
                             talus_error *err) {
    for (size_t s = 0; s < pour->count; s++) TALUS_TRY(pour_source(scene, s, pour, sim, err));
    return TALUS_OK;
}

talus_status scene_pour_start(const talus_scene *scene, struct scene_pour *pour, talus_error *err) {
    struct memory memory = {.calls = 0};
    size_t count = scene->source_count;
    *pour = (struct scene_pour){.count = 0};
    if (count == 0) return TALUS_OK;
    struct pour_state *state = memory_resize(&memory, NULL, 0, 1, sizeof *state);
    if (state == NULL) return error_memory(err);
    pour->state = state;
    pour->count = count;
    state->batch = memory_resize(&memory, NULL, 0, POUR_BATCH, sizeof *state->batch);
    pour->poured = memory_resize(&memory, NULL, 0, count, sizeof *pour->poured);
    pour->waiting = memory_resize(&memory, NULL, 0, count, sizeof *pour->waiting);
    state->memory = memory;
    state->walls.memory = &state->memory;
    if (state->batch != NULL && pour->poured != NULL && pour->waiting != NULL) return TALUS_OK;
    scene_pour_free(pour);
    return error_memory(err);
}

void scene_pour_free(struct scene_pour *pour) {
    struct pour_state *state = pour->state;
    if (state == NULL) return;
    grains_free(&state->near);
    fill_walls_free(&state->walls);
    struct memory memory = state->memory; /* it frees its own holder */
    memory_free(&memory, state->batch, POUR_BATCH, sizeof *state->batch);
    memory_free(&memory, pour->poured, pour->count, sizeof *pour->poured);
    memory_free(&memory, pour->waiting, pour->count, sizeof *pour->waiting);
    memory_free(&memory, state, 1, sizeof *state);
    *pour = (struct scene_pour){.count = 0};
}
