/* SPDX-License-Identifier: Apache-2.0
 *
 * from: DIR. The scene starts with the grains of another run, where and as fast as they were: same sizes, masses,
 * shapes, groups and locks. Materials, shapes and boundaries are those of this scene, by the same names. Forces between
 * grains, and on boundaries that have kept their names, are the first guess of the first step; what laws remember
 * (bonds, springs) goes on if the method is the same.
 */
#include "scene/from.h"

#include <string.h>

#include "geom/shape.h"
#include "scene/build.h"
#include "sim/sim.h"

enum { CHUNK = 4096 };

/* ---- names ------------------------------------------------------------------------------------- */

static talus_status find_materials(const struct from *from, int *number, talus_error *err) {
    const talus_scene *scene = from->scene;
    for (size_t i = 0; i < from->grains.count; i++) {
        if (from->grains.kind[i] != TALUS_BODY_GRAIN) continue;
        int32_t old = from->grains.material[i];
        if (number[old] >= 0) continue;
        const char *name = from->grains.materials[old].text;
        for (size_t m = 0; m < scene->material_count; m++)
            if (strcmp(scene->materials[m].name, name) == 0) number[old] = (int)m;
        if (number[old] < 0)
            return error_set(err, TALUS_ERR_INPUT,
                             "from: grains of %s are of material '%s', which this scene does not "
                             "have; add it to materials",
                             scene->from, name);
    }
    return TALUS_OK;
}

static talus_status check_shapes(const struct from *from, const talus_sim *sim, talus_error *err) {
    for (size_t i = 0; i < from->grains.count; i++) {
        int32_t form = from->grains.form[i];
        if (from->grains.kind[i] != TALUS_BODY_GRAIN || form == 0) continue;
        const char *name = from->grains.forms[form - 1].text;
        if (!talus_shape_find(sim, name, NULL))
            return error_set(err, TALUS_ERR_INPUT,
                             "from: grains of %s have the shape '%s', which this scene does not "
                             "have; add it to shapes",
                             from->scene->from, name);
    }
    return TALUS_OK;
}

/* Groups that only the grains of the other run have could not be checked when the scene was read. */
static talus_status check_group(const talus_scene *scene, const talus_sim *sim, const char *name,
                                talus_error *err) {
    for (int g = 0; talus_sim_group_name(sim, g) != NULL; g++)
        if (strcmp(talus_sim_group_name(sim, g), name) == 0) return TALUS_OK;
    for (size_t s = 0; s < scene->source_count; s++)
        if (strcmp(scene->sources[s].group, name) == 0) return TALUS_OK;
    return error_set(err, TALUS_ERR_INPUT, "there is no group '%s', neither here nor in %s", name,
                     scene->from);
}

talus_status from_check_groups(const talus_scene *scene, const talus_sim *sim, talus_error *err) {
    for (size_t k = 0; k < scene->force_count; k++)
        TALUS_TRY(check_group(scene, sim, scene->forces[k].group, err));
    for (size_t k = 0; k < scene->output.track_count; k++)
        TALUS_TRY(check_group(scene, sim, scene->output.track[k], err));
    return TALUS_OK;
}

/* ---- grains ------------------------------------------------------------------------------------ */

static talus_body_def define(const struct from *from, const talus_sim *sim, size_t i) {
    const struct checkpoint_grains *grains = &from->grains;
    talus_body_def def = talus_body_def_default(sim);
    int32_t form = grains->form[i];
    def.shape = form > 0 ? grains->forms[form - 1].text : shape_get(grains->shape[i])->entry.name;
    def.radius = grains->radius[i];
    def.mass = grains->mass[i];
    def.position = grains->position[i];
    def.orientation = grains->orientation[i];
    def.velocity = grains->velocity[i];
    def.omega = grains->omega[i];
    def.locks = grains->locks[i];
    def.group = grains->groups[grains->group[i]].text;
    def.material = from->material[grains->material[i]];
    return def;
}

/* All of them; body_of says where each went. */
static talus_status add_grains(struct from *from, talus_sim *sim, struct grains *all,
                               talus_error *err) {
    struct memory *memory = &from->grains.memory;
    talus_body_def *defs = memory_resize(memory, NULL, 0, CHUNK, sizeof *defs);
    if (defs == NULL) return error_memory(err);
    talus_status status = TALUS_OK;
    size_t filled = 0, next = talus_sim_bodies(sim).count;
    for (size_t i = 0; i <= from->grains.count && status >= 0; i++) {
        if (filled == CHUNK || (i == from->grains.count && filled > 0)) {
            status = talus_bodies_add(sim, defs, filled, NULL, err);
            filled = 0;
        }
        if (i == from->grains.count || from->grains.kind[i] != TALUS_BODY_GRAIN) continue;
        defs[filled++] = define(from, sim, i);
        from->body_of[i] = (talus_index)next++;
        if (!grains_add(all, (struct grain){from->grains.position[i], from->grains.radius[i], 0}))
            status = error_memory(err);
    }
    memory_free(memory, defs, CHUNK, sizeof *defs);
    return status < 0 ? build_failed(status, err, "from %s", from->scene->from) : TALUS_OK;
}

/* Boundaries with names that are still there. */
static void find_boundaries(struct from *from, const talus_sim *sim) {
    const struct checkpoint_grains *grains = &from->grains;
    for (size_t i = 0; i < grains->count; i++) {
        if (grains->kind[i] != TALUS_BODY_BOUNDARY) continue;
        struct boundary *wall =
            world_find_boundary(&sim->world, grains->boundaries[grains->boundary[i]].text, NULL);
        if (wall != NULL) from->body_of[i] = wall->body;
    }
}

/* The file is looked at when the simulation is made, long after the scene was read: here its place is told after all. */
static talus_status name_place(const talus_scene *scene, talus_status status, talus_error *err) {
    const struct place *place = &scene->from_place;
    if (err == NULL || status == TALUS_ERR_MEMORY || place->file == NULL) return status;
    talus_error inner = *err;
    return error_set(err, status, "%s:%d:%d: from: %.3000s", place->file, place->line,
                     place->column, inner.text);
}

talus_status from_read(struct from *from, const talus_scene *scene, talus_error *err) {
    *from = (struct from){.scene = scene};
    talus_status status = checkpoint_grains_read(&from->grains, scene->from, err);
    if (status < 0) return name_place(scene, status, err);
    struct memory *memory = &from->grains.memory;
    from->body_of = memory_resize(memory, NULL, 0, from->grains.count, sizeof *from->body_of);
    from->material =
        memory_resize(memory, NULL, 0, from->grains.material_count, sizeof *from->material);
    if (from->body_of == NULL || from->material == NULL) return error_memory(err);
    for (size_t i = 0; i < from->grains.count; i++) from->body_of[i] = -1;
    for (size_t m = 0; m < from->grains.material_count; m++) from->material[m] = -1;
    if (from->grains.dim == scene->config.dim) return find_materials(from, from->material, err);
    return error_set(err, TALUS_ERR_INPUT, "from: %s has %d dimensions, this scene %d", scene->from,
                     from->grains.dim, scene->config.dim);
}

talus_status from_add_grains(struct from *from, talus_sim *sim, struct grains *all,
                             talus_error *err) {
    TALUS_TRY(check_shapes(from, sim, err));
    find_boundaries(from, sim);
    return add_grains(from, sim, all, err);
}

/* ---- contacts ---------------------------------------------------------------------------------- */

talus_status from_start_contacts(struct from *from, talus_sim *sim, talus_error *err) {
    const struct checkpoint_grains *grains = &from->grains;
    struct memory *memory = &from->grains.memory;
    size_t count = 0, room = grains->pair_count;
    bool same = grains->soft == (from->scene->config.method == TALUS_METHOD_MD);
    struct sim_contact_start *list = memory_resize(memory, NULL, 0, room, sizeof *list);
    if (list == NULL) return error_memory(err);
    for (size_t k = 0; k < room; k++) {
        const struct candidate *pair = &grains->pairs[k];
        talus_index a = from->body_of[pair->a], b = from->body_of[pair->b];
        if (a < 0 || b < 0) continue;
        list[count++] = (struct sim_contact_start){
            .pair = {a, b, pair->impulse},
            .memory = same && grains->memories != NULL ? &grains->memories[k] : NULL};
    }
    double scale = grains->dt > 0.0 ? sim->dt / grains->dt : 1.0;
    talus_status status = sim_start_contacts(sim, list, count, scale, err);
    memory_free(memory, list, room, sizeof *list);
    return status;
}

void from_free(struct from *from) {
    struct memory *memory = &from->grains.memory;
    memory_free(memory, from->body_of, from->grains.count, sizeof *from->body_of);
    memory_free(memory, from->material, from->grains.material_count, sizeof *from->material);
    checkpoint_grains_free(&from->grains);
}
