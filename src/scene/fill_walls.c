/* SPDX-License-Identifier: Apache-2.0 */
#include "scene/fill_walls.h"

#include "geom/surface.h"

/* A grain that stands exactly on a wall must not be refused for the rounding of its place. */
static const double rounding = 1e-9; /* of its radius */

static bool start(struct fill_walls *walls, const talus_scene *scene, size_t most) {
    walls->cell = cell_make(&scene->config.cell);
    walls->count = 0;
    if (most == 0) return true;
    struct fill_wall *items =
        memory_reserve(walls->memory, walls->items, &walls->capacity, most, sizeof *items);
    if (items == NULL) return false;
    walls->items = items;
    return true;
}

bool fill_walls_from_scene(struct fill_walls *walls, const talus_scene *scene) {
    if (!start(walls, scene, scene->boundary_count)) return false;
    for (size_t i = 0; i < scene->boundary_count; i++) {
        const talus_boundary_def *def = &scene->boundaries[i].def;
        walls->items[walls->count++] =
            (struct fill_wall){.wall = {.shape = def->shape,
                                        .point = def->point,
                                        .normal = def->normal,
                                        .edge = def->edge,
                                        .size = {def->size[0], def->size[1]},
                                        .radius = def->radius,
                                        .length = def->length},
                               .orientation = quat_identity(),
                               .origin = def->point,
                               .vertices = def->vertices,
                               .triangles = def->triangles,
                               .triangle_count = def->triangle_count};
    }
    return true;
}

bool fill_walls_from_sim(struct fill_walls *walls, const talus_scene *scene, const talus_sim *sim) {
    size_t most = talus_sim_boundary_count(sim);
    if (!start(walls, scene, most)) return false;
    for (size_t i = 0; i < most; i++) {
        talus_boundary_view view = talus_sim_boundary(sim, i);
        if (!view.present) continue;
        walls->items[walls->count++] =
            (struct fill_wall){.wall = {.shape = view.shape,
                                        .point = view.point,
                                        .normal = view.normal,
                                        .edge = view.edge,
                                        .size = {view.size[0], view.size[1]},
                                        .radius = view.radius,
                                        .length = view.length},
                               .orientation = view.orientation,
                               .vertices = view.vertices,
                               .triangles = view.triangles,
                               .triangle_count = view.triangle_count};
    }
    return true;
}

void fill_walls_free(struct fill_walls *walls) {
    memory_free(walls->memory, walls->items, walls->capacity, sizeof *walls->items);
    walls->items = NULL;
    walls->count = walls->capacity = 0;
}

/* `branch` leads from the wall's point to the grain. */
static double mesh_gap(const struct fill_wall *wall, vec3 branch, double radius) {
    quat turn = wall->orientation, back = {turn.w, -turn.x, -turn.y, -turn.z};
    vec3 at = vec3_add(quat_rotate(back, branch), wall->origin);
    double least = HUGE_VAL;
    for (size_t k = 0; k < wall->triangle_count; k++) {
        const int32_t *corner = wall->triangles[k];
        least =
            fmin(least, triangle_distance(at, wall->vertices[corner[0]], wall->vertices[corner[1]],
                                          wall->vertices[corner[2]]));
    }
    return least - radius;
}

bool fill_walls_overlap(const struct fill_walls *walls, vec3 at, double radius) {
    for (size_t i = 0; i < walls->count; i++) {
        const struct fill_wall *item = &walls->items[i];
        vec3 branch = cell_branch(&walls->cell, item->wall.point, at);
        double gap = item->wall.shape == TALUS_MESH ? mesh_gap(item, branch, radius)
                                                    : touch_wall(&item->wall, branch, radius).gap;
        if (gap < -rounding * fabs(radius)) return true;
    }
    return false;
}
