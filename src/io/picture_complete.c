/* SPDX-License-Identifier: Apache-2.0
 * What a picture needs beside what its source has filled in: colours, bars, walls cut to the view. */
#include <stdlib.h>

#include "base/error.h"
#include "io/picture.h"

struct picture picture_empty(int dim, const talus_picture_config *config, struct memory *memory) {
    bool fixed = picture_is_fixed(config);
    return (struct picture){.dim = dim,
                            .low = fixed ? config->low : vec3_make(HUGE_VAL, HUGE_VAL, HUGE_VAL),
                            .high =
                                fixed ? config->high : vec3_make(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL),
                            .fixed = fixed,
                            .grains_hidden = !config->grains,
                            .near_share = 0.4,
                            .memory = memory};
}

talus_status picture_reserve(struct picture *picture, size_t grains, size_t touches, size_t walls,
                             talus_error *err) {
    struct memory *memory = picture->memory;
    picture->grains = memory_resize(memory, NULL, 0, grains, sizeof *picture->grains);
    if (picture->grains == NULL) return error_memory(err);
    picture->grain_count = grains;
    picture->touches = memory_resize(memory, NULL, 0, touches, sizeof *picture->touches);
    if (picture->touches == NULL) return error_memory(err);
    picture->touch_capacity = touches;
    picture->walls = memory_resize(memory, NULL, 0, walls, sizeof *picture->walls);
    if (picture->walls == NULL) return error_memory(err);
    picture->wall_capacity = walls;
    return TALUS_OK;
}

static double mean_radius(const struct picture *picture) {
    double sum = 0.0;
    for (size_t i = 0; i < picture->grain_count; i++) sum += picture->grains[i].radius;
    return picture->grain_count > 0 ? sum / (double)picture->grain_count : 0.0;
}

/* Mean normal force of contacts of two grains that bear force, as snapshot_strong_force; each touches twice. */
static double strong_force(const struct picture *picture) {
    double all = 0.0, weight = 0.0, sum = 0.0, count = 0.0;
    for (size_t k = 0; k < picture->touch_count; k++) {
        double half = picture->touches[k].with_wall ? 1.0 : 0.5;
        all += half * vec3_norm(picture->touches[k].force);
        weight += half;
    }
    for (size_t k = 0; k < picture->touch_count; k++) {
        const struct picture_touch *touch = &picture->touches[k];
        if (touch->with_wall || !(vec3_norm(touch->force) * weight > 1e-6 * all)) continue;
        sum += touch->normal;
        count += 1.0;
    }
    return count > 0.0 ? sum / count : 0.0;
}

static int by_force(const void *a, const void *b) {
    const struct picture_bar *p = a, *q = b;
    if (p->force != q->force) return p->force < q->force ? -1 : 1;
    const double here[3] = {p->from.x, p->from.y, p->from.z};
    const double there[3] = {q->from.x, q->from.y, q->from.z};
    for (int k = 0; k < 3; k++)
        if (here[k] != there[k]) return here[k] < there[k] ? -1 : 1;
    return 0;
}

/* A bar is drawn in two halves, each from its grain's centre to the contact point, so that contacts
 * across a periodic side show at both sides. Forces above the mean of contacts of two grains are the strong network, which carries the
 * load; the others support it [Radjai1998]. The strongest come last, to lie on top; so the order of the contacts
 * does not show. */
static talus_status make_bars(struct picture *picture, double widest, talus_error *err) {
    size_t count = picture->touch_count;
    double strong = strong_force(picture);
    picture->bars = memory_resize(picture->memory, NULL, 0, count, sizeof *picture->bars);
    if (picture->bars == NULL) return error_memory(err);
    picture->bar_count = picture->bar_capacity = count;
    for (size_t k = 0; k < count; k++) {
        const struct picture_touch *touch = &picture->touches[k];
        vec3 center = picture->grains[touch->grain].position;
        double force = fabs(touch->normal);
        picture->bars[k] = (struct picture_bar){center, vec3_add(center, touch->arm), force,
                                                touch->normal < 0.0, !(touch->normal > strong)};
        picture->force_max = fmax(picture->force_max, force);
    }
    qsort(picture->bars, count, sizeof *picture->bars, by_force);
    if (widest > 0.0) picture->force_max = widest;
    return TALUS_OK;
}

talus_status picture_complete(struct picture *picture, const talus_picture_config *config,
                              talus_error *err) {
    picture->mean_radius = mean_radius(picture);
    TALUS_TRY(picture_color(picture, config, err));
    if (config->forces) TALUS_TRY(make_bars(picture, config->force_widest, err));
    TALUS_TRY(picture_meshes(picture, err));
    picture_walls(picture);
    return TALUS_OK;
}

void picture_free(struct picture *picture) {
    struct memory *memory = picture->memory;
    memory_free(memory, picture->grains, picture->grain_count, sizeof *picture->grains);
    memory_free(memory, picture->touches, picture->touch_capacity, sizeof *picture->touches);
    memory_free(memory, picture->bars, picture->bar_capacity, sizeof *picture->bars);
    memory_free(memory, picture->walls, picture->wall_capacity, sizeof *picture->walls);
    memory_free(memory, picture->mesh_points, picture->mesh_point_count,
                sizeof *picture->mesh_points);
    memory_free(memory, picture->mesh_triangles, picture->mesh_triangle_count,
                sizeof *picture->mesh_triangles);
    memory_free(memory, picture->creases, picture->crease_capacity, sizeof *picture->creases);
    *picture = (struct picture){0};
}
