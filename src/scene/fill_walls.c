/* SPDX-License-Identifier: Apache-2.0 */
#include "scene/fill_walls.h"

/* A grain that stands exactly on a wall must not be refused for the rounding of its place. */
static const double rounding = 1e-9; /* of its radius */

static bool start(struct fill_walls *walls, const talus_scene *scene, size_t most) {
    walls->cell = cell_make(&scene->config.cell);
    walls->count = 0;
    if (most == 0) return true;
    struct wall *items =
        memory_reserve(walls->memory, walls->items, &walls->capacity, most, sizeof *items);
    if (items == NULL) return false;
    walls->items = items;
    return true;
}

bool fill_walls_from_scene(struct fill_walls *walls, const talus_scene *scene) {
    if (!start(walls, scene, scene->boundary_count)) return false;
    for (size_t i = 0; i < scene->boundary_count; i++) {
        const talus_boundary_def *def = &scene->boundaries[i].def;
        walls->items[walls->count++] = (struct wall){.shape = def->shape,
                                                     .point = def->point,
                                                     .normal = def->normal,
                                                     .edge = def->edge,
                                                     .size = {def->size[0], def->size[1]},
                                                     .radius = def->radius,
                                                     .length = def->length};
    }
    return true;
}

bool fill_walls_from_sim(struct fill_walls *walls, const talus_scene *scene, const talus_sim *sim) {
    size_t most = talus_sim_boundary_count(sim);
    if (!start(walls, scene, most)) return false;
    for (size_t i = 0; i < most; i++) {
        talus_boundary_view view = talus_sim_boundary(sim, i);
        if (!view.present) continue;
        walls->items[walls->count++] = (struct wall){.shape = view.shape,
                                                     .point = view.point,
                                                     .normal = view.normal,
                                                     .edge = view.edge,
                                                     .size = {view.size[0], view.size[1]},
                                                     .radius = view.radius,
                                                     .length = view.length};
    }
    return true;
}

void fill_walls_free(struct fill_walls *walls) {
    memory_free(walls->memory, walls->items, walls->capacity, sizeof *walls->items);
    walls->items = NULL;
    walls->count = walls->capacity = 0;
}

bool fill_walls_overlap(const struct fill_walls *walls, vec3 at, double radius) {
    for (size_t i = 0; i < walls->count; i++) {
        const struct wall *wall = &walls->items[i];
        vec3 branch = cell_branch(&walls->cell, wall->point, at);
        if (touch_wall(wall, branch, radius).gap < -rounding * fabs(radius)) return true;
    }
    return false;
}
