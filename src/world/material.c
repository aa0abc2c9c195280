/* SPDX-License-Identifier: Apache-2.0
 * Materials, the laws between pairs of them, and the names of groups. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "world/world.h"

talus_status name_check(struct name *to, const char *what, const char *text, talus_error *err) {
    if (text == NULL || text[0] == '\0')
        return error_set(err, TALUS_ERR_INPUT, "%s: the name must not be empty", what);
    if (strlen(text) >= sizeof to->text)
        return error_set(err, TALUS_ERR_INPUT,
                         "%s '%.20s...': the name is longer than %zu characters", what, text,
                         sizeof to->text - 1);
    memset(to, 0, sizeof *to);
    memcpy(to->text, text, strlen(text));
    return TALUS_OK;
}

/* The table of pairs is square in the capacity, so growing moves its rows. */
static talus_status grow(struct world *world, talus_error *err) {
    size_t old = world->material_capacity, grown = old == 0 ? 4 : 2 * old;
    struct material *materials =
        memory_resize(world->memory, world->materials, old, grown, sizeof *materials);
    if (materials == NULL) return error_memory(err);
    world->materials = materials;
    talus_pair_law *pairs = memory_resize(world->memory, NULL, 0, grown * grown, sizeof *pairs);
    if (pairs == NULL) return error_memory(err);
    for (size_t row = 0; row < old; row++)
        memcpy(pairs + row * grown, world->pairs + row * old, old * sizeof *pairs);
    memory_free(world->memory, world->pairs, old * old, sizeof *pairs);
    world->pairs = pairs;
    world->material_capacity = grown;
    return TALUS_OK;
}

talus_status world_add_material(struct world *world, const char *name, double density, int *out,
                                talus_error *err) {
    struct material material = {.density = density};
    TALUS_TRY(name_check(&material.name, "material", name, err));
    if (!(density >= 0.0) || !isfinite(density))
        return error_set(err, TALUS_ERR_INPUT,
                         "material '%s': density = %g, must be >= 0 and finite", name, density);
    for (size_t i = 0; i < world->material_count; i++)
        if (strcmp(world->materials[i].name.text, name) == 0)
            return error_set(err, TALUS_ERR_INPUT, "material '%s' exists already", name);
    if (world->material_count == world->material_capacity) TALUS_TRY(grow(world, err));
    world->materials[world->material_count] = material;
    *out = (int)world->material_count++;
    return TALUS_OK;
}

talus_status world_set_pair(struct world *world, int a, int b, const talus_pair_law *law,
                            talus_error *err) {
    int count = (int)world->material_count;
    if (a < 0 || b < 0 || a >= count || b >= count)
        return error_set(err, TALUS_ERR_INPUT, "pair (%d, %d): there are %d materials", a, b,
                         count);
    world->pairs[(size_t)a * world->material_capacity + (size_t)b] = *law;
    world->pairs[(size_t)b * world->material_capacity + (size_t)a] = *law;
    return TALUS_OK;
}

int32_t world_find_group(const struct world *world, const char *name) {
    for (size_t i = 0; i < world->group_count; i++)
        if (strcmp(world->groups[i].text, name) == 0) return (int32_t)i;
    return -1;
}

talus_status world_group(struct world *world, const char *name, int32_t *out, talus_error *err) {
    int32_t found = world_find_group(world, name);
    if (found < 0) {
        struct name text;
        TALUS_TRY(name_check(&text, "group", name, err));
        struct name *groups = memory_reserve(world->memory, world->groups, &world->group_capacity,
                                             world->group_count + 1, sizeof *groups);
        if (groups == NULL) return error_memory(err);
        world->groups = groups;
        groups[world->group_count] = text;
        found = (int32_t)world->group_count++;
    }
    *out = found;
    return TALUS_OK;
}
