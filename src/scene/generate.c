/* SPDX-License-Identifier: Apache-2.0
 * The array of grains, explicit lists, and the choice of generator. */
#include "scene/generate.h"

#include <stdlib.h>

#include "base/error.h"

bool grains_add(struct grains *grains, struct grain grain) {
    struct grain *items = memory_reserve(&grains->memory, grains->items, &grains->capacity,
                                         grains->count + 1, sizeof *items);
    if (items == NULL) return false;
    grains->items = items;
    items[grains->count++] = grain;
    return true;
}

void grains_free(struct grains *grains) {
    memory_free(&grains->memory, grains->items, grains->capacity, sizeof *grains->items);
    grains->items = NULL;
    grains->count = grains->capacity = 0;
}

struct random generate_random(const struct generate *generate, enum generate_draw draw) {
    return random_start(generate->scene->config.seed, RANDOM_GENERATE, generate->number,
                        (uint32_t)draw);
}

static talus_status generate_list(const struct generate *generate, talus_error *err) {
    const struct scene_generator *generator = generate->generator;
    struct random radii = generate_random(generate, DRAW_RADIUS),
                  variants = generate_random(generate, DRAW_VARIANT);
    for (size_t i = 0; i < generator->body_count; i++) {
        const struct scene_body *body = &generator->bodies[i];
        const struct scene_size given = {.kind = SCENE_SIZE_ONE, .a = body->radius};
        const struct scene_size *size = body->radius > 0.0 ? &given : &generator->size;
        struct grain_draw draw = grain_draw(size, generator->form, &radii, &variants);
        vec3 at = body->position;
        if (body->at_origin) {
            at = grain_centre(generator->form, draw, at, generate_turn(generate, i));
        }
        struct grain grain = {at, draw.radius, draw.variant};
        if (!grains_add(generate->grains, grain)) return error_memory(err);
    }
    return TALUS_OK;
}

talus_status generate_grains(const struct generate *generate, talus_error *err) {
    switch (generate->generator->kind) {
    case SCENE_LIST: return generate_list(generate, err);
    case SCENE_ROW: return generate_row(generate, err);
    case SCENE_LATTICE: return generate_lattice(generate, err);
    case SCENE_FILL: return generate_fill(generate, err);
    case SCENE_FILE: return generate_file(generate, err);
    }
    return TALUS_OK;
}

/* ---- spatial order --------------------------------------------------------------------------- */

struct keyed {
    uint64_t key;
    struct grain grain;
};

/* Every third bit of the result is one of the 21 of x. */
static uint64_t spread(uint64_t x) {
    x &= 0x1fffff;
    x = (x | x << 32) & 0x001f00000000ffff;
    x = (x | x << 16) & 0x001f0000ff0000ff;
    x = (x | x << 8) & 0x100f00f00f00f00f;
    x = (x | x << 4) & 0x10c30c30c30c30c3;
    return (x | x << 2) & 0x1249249249249249;
}

static int compare(const void *a, const void *b) {
    const struct keyed *left = a, *right = b;
    if (left->key != right->key) return left->key < right->key ? -1 : 1;
    /* Two grains of one cell: any fixed rule will do, places are never equal. */
    const vec3 p = left->grain.position, q = right->grain.position;
    if (p.x != q.x) return p.x < q.x ? -1 : 1;
    if (p.y != q.y) return p.y < q.y ? -1 : 1;
    return p.z < q.z ? -1 : p.z > q.z;
}

static void bounds(const struct grain *items, size_t count, vec3 *low, double *edge) {
    vec3 high = *low = items[0].position;
    double largest = 0.0;
    for (size_t i = 0; i < count; i++) {
        vec3 p = items[i].position;
        *low = vec3_make(fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z));
        high = vec3_make(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
        largest = fmax(largest, items[i].radius);
    }
    double extent = fmax(high.x - low->x, fmax(high.y - low->y, high.z - low->z));
    *edge = fmax(2.0 * largest, extent / 2e6); /* 21 bits for each axis */
}

talus_status grains_sort(struct grains *grains, size_t first, talus_error *err) {
    size_t count = grains->count - first;
    struct grain *items = grains->items + first;
    if (count < 2) return TALUS_OK;
    struct keyed *keyed = memory_resize(&grains->memory, NULL, 0, count, sizeof *keyed);
    if (keyed == NULL) return error_memory(err);
    vec3 low;
    double edge;
    bounds(items, count, &low, &edge);
    for (size_t i = 0; i < count; i++) {
        vec3 at = vec3_scale(1.0 / edge, vec3_sub(items[i].position, low));
        keyed[i].key =
            spread((uint64_t)at.x) | spread((uint64_t)at.y) << 1 | spread((uint64_t)at.z) << 2;
        keyed[i].grain = items[i];
    }
    qsort(keyed, count, sizeof *keyed, compare);
    for (size_t i = 0; i < count; i++) items[i] = keyed[i].grain;
    memory_free(&grains->memory, keyed, count, sizeof *keyed);
    return TALUS_OK;
}
