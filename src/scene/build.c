/* SPDX-License-Identifier: Apache-2.0
 * From a scene to a simulation, through the public interface only. */
#include "scene/build.h"

#include <stdarg.h>
#include <stdio.h>

#include "scene/from.h"
#include "scene/generate.h"
#include "scene/plain_numbers.h"

enum { CHUNK = 4096 }; /* bodies handed over at once: definitions are larger than bodies */

talus_status build_failed(talus_status status, talus_error *err, const char *format, ...) {
    if (err == NULL) return status;
    char where[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(where, sizeof where, format, arguments);
    va_end(arguments);
    talus_error inner = *err;
    return error_set(err, status, "%s: %.3800s", where, inner.text);
}

talus_vec3 build_velocity(talus_vec3 velocity, double jitter, int dimension,
                          struct random *random) {
    if (jitter == 0.0) return velocity;
    for (int axis = 0; axis < dimension; axis++) {
        double shift = jitter * (2.0 * random_uniform(random) - 1.0);
        vec3_set_component(&velocity, axis, vec3_component(velocity, axis) + shift);
    }
    return velocity;
}

static talus_status add_materials(const talus_scene *scene, talus_sim *sim, talus_error *err) {
    for (size_t i = 0; i < scene->material_count; i++) {
        talus_material id; /* the i-th material gets the number i */
        TALUS_TRY(talus_material_add(sim, scene->materials[i].name, scene->materials[i].density,
                                     &id, err));
    }
    for (size_t i = 0; i < scene->pair_count; i++) {
        const struct scene_pair *pair = &scene->pairs[i];
        TALUS_TRY(talus_pair_set(sim, pair->a, pair->b, &pair->law, err));
    }
    return TALUS_OK;
}

/* The definition of grain i of a generator. */
static talus_body_def define(const struct generate *generate, const talus_body_def *usual,
                             const struct grain *grain, size_t i, struct random *random) {
    const struct scene_generator *generator = generate->generator;
    const struct scene_body *own = generator->kind == SCENE_LIST ? &generator->bodies[i] : NULL;
    talus_body_def def = *usual;
    def.shape = grain_shape(generator->form, grain->variant, generator->shape);
    def.radius = grain->radius;
    def.position = grain->position;
    def.orientation = generate_turn(generate, i);
    def.mass = own != NULL ? own->mass : generator->mass;
    def.omega = own != NULL ? own->omega : generator->omega;
    def.locks = own != NULL ? own->locks : generator->locks;
    def.velocity = build_velocity(own != NULL ? own->velocity : generator->velocity,
                                  generator->velocity_jitter, generate->scene->config.dim, random);
    return def;
}

/* Hand over the grains from `first` on. */
static talus_status add_bodies(const struct generate *generate, size_t first, talus_sim *sim,
                               talus_error *err) {
    struct grains *grains = generate->grains;
    struct random random = generate_random(generate, DRAW_VELOCITY);
    talus_body_def usual = talus_body_def_default(sim);
    usual.group = generate->generator->group;
    usual.material = generate->generator->material;
    talus_body_def *defs = memory_resize(&grains->memory, NULL, 0, CHUNK, sizeof *defs);
    if (defs == NULL) return error_memory(err);
    talus_status status = TALUS_OK;
    for (size_t done = first; done < grains->count && status >= 0; done += CHUNK) {
        size_t count = grains->count - done < CHUNK ? grains->count - done : CHUNK;
        for (size_t k = 0; k < count; k++) {
            defs[k] = define(generate, &usual, &grains->items[done + k], done + k - first, &random);
        }
        status = talus_bodies_add(sim, defs, count, NULL, err);
    }
    memory_free(&grains->memory, defs, CHUNK, sizeof *defs);
    return status < 0 ? build_failed(status, err, "grains[%zu]", generate->number) : TALUS_OK;
}

static talus_status add_grains(const talus_scene *scene, struct from *from, talus_sim *sim,
                               talus_error *err) {
    struct grains grains = {.count = 0};
    talus_status status = scene->from != NULL ? from_add_grains(from, sim, &grains, err) : TALUS_OK;
    for (size_t g = 0; g < scene->generator_count && status >= 0; g++) {
        struct generate generate = {scene, &scene->generators[g], g, &grains};
        size_t first = grains.count;
        status = generate_grains(&generate, err);
        if (status >= 0) status = add_bodies(&generate, first, sim, err);
    }
    grains_free(&grains);
    return status;
}

static bool is_used(const talus_scene *scene, const struct scene_shape *shape) {
    if (scene->from != NULL) return true; /* perhaps */
    for (size_t g = 0; g < scene->generator_count; g++) {
        if (scene->generators[g].form == shape) return true;
    }
    for (size_t s = 0; s < scene->source_count; s++) {
        if (scene->sources[s].form == shape) return true;
    }
    return false;
}

/* Those that grains have: a world of round grains alone may do more. */
static talus_status add_shapes(const talus_scene *scene, talus_sim *sim, talus_error *err) {
    for (size_t i = 0; i < scene->shape_count; i++) {
        const struct scene_shape *shape = &scene->shapes[i];
        for (size_t k = 0; k < shape->variant_count && is_used(scene, shape); k++) {
            const struct scene_variant *variant = &shape->variants[k];
            TALUS_TRY(
                talus_shape_add(sim, variant->name, variant->parts, variant->part_count, err));
        }
    }
    return TALUS_OK;
}

static talus_status add_forces(const talus_scene *scene, talus_sim *sim, talus_error *err) {
    for (size_t i = 0; i < scene->force_count; i++) {
        const struct scene_force *force = &scene->forces[i];
        TALUS_TRY(
            talus_force_set(sim, force->name, force->group, force->direction, &force->signal, err));
    }
    return TALUS_OK;
}

/* What the scene alone knows: a checkpoint has the rest. */
static talus_status fill_frame(const talus_scene *scene, talus_sim *sim, talus_error *err) {
    TALUS_TRY(add_materials(scene, sim, err));
    TALUS_TRY(add_shapes(scene, sim, err));
    for (size_t i = 0; i < scene->boundary_count; i++) {
        TALUS_TRY(talus_boundary_add(sim, &scene->boundaries[i].def, err));
    }
    return TALUS_OK;
}

static talus_status fill_all(const talus_scene *scene, struct from *from, talus_sim *sim,
                             talus_error *err) {
    TALUS_TRY(fill_frame(scene, sim, err));
    TALUS_TRY(add_grains(scene, from, sim, err));
    if (scene->from != NULL) TALUS_TRY(from_check_groups(scene, sim, err));
    TALUS_TRY(add_forces(scene, sim, err));
    for (size_t i = 0; i < scene->membrane_count; i++) {
        TALUS_TRY(talus_membrane_add(sim, &scene->membranes[i].def, err));
    }
    TALUS_TRY(talus_sim_check(sim, err));
    if (scene->from != NULL) TALUS_TRY(from_start_contacts(from, sim, err));
    if (!scene->dt_auto) return TALUS_OK;
    return talus_sim_set_dt(sim, build_auto_dt(scene, sim), err);
}

static talus_status fill(const talus_scene *scene, talus_sim *sim, talus_error *err) {
    struct from from = {.scene = scene};
    talus_status status = scene->from != NULL ? from_read(&from, scene, err) : TALUS_OK;
    if (status >= 0) status = fill_all(scene, &from, sim, err);
    from_free(&from);
    return status;
}

typedef talus_status (*filler)(const talus_scene *, talus_sim *, talus_error *);

static talus_status build(const talus_scene *scene, filler fill_it, talus_sim **out,
                          talus_error *err) {
    *out = NULL;
    talus_sim *sim;
    TALUS_TRY(talus_sim_create(&scene->config, &sim, err));
    struct plain_numbers plain = plain_numbers_begin();
    talus_status status = fill_it(scene, sim, err);
    plain_numbers_end(&plain);
    if (status < 0) {
        talus_sim_destroy(sim);
        return status;
    }
    *out = sim;
    return TALUS_OK;
}

talus_status talus_scene_build(const talus_scene *scene, talus_sim **out, talus_error *err) {
    return build(scene, fill, out, err);
}

talus_status build_frame(const talus_scene *scene, talus_sim **out, talus_error *err) {
    return build(scene, fill_frame, out, err);
}
