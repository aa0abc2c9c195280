/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading a scene: files -> tree -> overrides -> schema -> struct talus_scene. Each stage notes its
 * mistakes and goes on; the report at the end has them all.
 */
#include "scene/load.h"

#include <string.h>

#include "scene/include.h"
#include "scene/overrides.h"
#include "scene/plain_numbers.h"
#include "scene/read.h"
#include "scene/schema.h"
#include "scene/yaml_tree.h"

static void check_whole(struct reader *reader) {
    const struct node *root = reader->root;
    if (get(root, "grains") == NULL || get(root, "sources") == NULL) return;
    if (get_count(root, "grains") > 0 || get_count(root, "sources") > 0) return;
    if (get_has(root, "from")) return;
    problem_at(reader->problems, root->place, "the scene has no grains: give grains or sources");
}

static void read_scene(struct reader *reader) {
    struct talus_scene *scene = reader->scene;
    const struct node *pairs, *forces, *membranes;
    read_settings(reader);
    read_materials(reader);
    pairs = get(reader->root, "pairs");
    if (pairs != NULL) {
        scene->pairs = read_pairs(reader, pairs);
        scene->pair_count = scene->pairs != NULL ? pairs->count : 0;
    }
    read_shapes(reader);
    read_from(reader);
    read_grains(reader);
    read_sources(reader);
    read_boundaries(reader);
    membranes = get(reader->root, "membranes");
    if (membranes != NULL) {
        scene->membranes = read_membranes(reader, membranes);
        scene->membrane_count = scene->membranes != NULL ? membranes->count : 0;
    }
    forces = get(reader->root, "forces");
    if (forces != NULL) {
        scene->forces = read_forces(reader, forces);
        scene->force_count = scene->forces != NULL ? forces->count : 0;
    }
    read_phases(reader);
    read_output(reader);
    check_shapes(reader);
    check_soft(reader);
    check_whole(reader);
}

/* Text that was a file once: the resolved scene of a checkpoint. It includes nothing. */
static struct node *read_tree(const struct scene_source_text *from, struct problems *problems) {
    if (from->text == NULL) return include_read(from->path, problems);
    struct yaml_source source = {
        .name = from->path, .text = from->text, .length = strlen(from->text), .numbered = true};
    return yaml_tree(&source, problems);
}

static struct talus_scene *load(struct pool *pool, struct problems *problems,
                                const struct scene_source_text *from, const char *const *overrides,
                                size_t override_count) {
    struct talus_scene *scene = pool_alloc(pool, 1, sizeof *scene);
    if (scene == NULL) {
        problem_memory(problems);
        return NULL;
    }
    struct node *root = read_tree(from, problems);
    if (root == NULL) return NULL;
    for (size_t i = 0; i < override_count; i++) override_apply(root, overrides[i], problems);
    schema_check(root, problems);
    if (problems->out_of_memory) return NULL;
    struct reader reader = {.scene = scene, .problems = problems, .pool = pool, .root = root};
    read_scene(&reader);
    schema_order(root, &schema_scene);
    scene->pool = pool;
    scene->document = root;
    return scene;
}

static talus_status load_from(const struct scene_source_text *from, const char *const *overrides,
                              size_t override_count, int64_t refuse_at, talus_scene **out,
                              talus_error *err) {
    *out = NULL;
    struct pool *pool = pool_create(refuse_at);
    if (pool == NULL) return error_memory(err);
    struct problems problems = problems_start(pool);
    struct plain_numbers plain = plain_numbers_begin();
    struct talus_scene *scene = load(pool, &problems, from, overrides, override_count);
    plain_numbers_end(&plain);
    talus_status status = problems_report(&problems, err);
    if (status < 0 || scene == NULL) {
        pool_free(pool);
        return status < 0 ? status : error_memory(err);
    }
    *out = scene;
    return TALUS_OK;
}

talus_status scene_load(const char *path, const char *const *overrides, size_t override_count,
                        int64_t refuse_at, talus_scene **out, talus_error *err) {
    struct scene_source_text from = {.path = path};
    return load_from(&from, overrides, override_count, refuse_at, out, err);
}

talus_status scene_load_text(const struct scene_source_text *from, const char *const *overrides,
                             size_t override_count, talus_scene **out, talus_error *err) {
    return load_from(from, overrides, override_count, 0, out, err);
}

talus_status talus_scene_load(const char *path, const char *const *overrides, size_t override_count,
                              talus_scene **out, talus_error *err) {
    return scene_load(path, overrides, override_count, 0, out, err);
}

void talus_scene_free(talus_scene *scene) {
    if (scene != NULL) pool_free(scene->pool);
}

const char *talus_scene_title(const talus_scene *scene) {
    return scene->title;
}
