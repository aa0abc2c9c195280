/* SPDX-License-Identifier: Apache-2.0
 * For the tests of the page: a small run with frames, packed frames looked into. */
#ifndef TESTS_PAGE_SUPPORT_H
#define TESTS_PAGE_SUPPORT_H

#include "frame_support.h"
#include "page/pack.h"
#include "talus/run.h"

/* Into scene_directory/NAME: three frames of two discs on a floor, 20 steps apart. */
static inline const char *page_run(const char *name, bool frames) {
    static const char yaml[] =
        "title: two discs\ndimension: 2\ngravity: [0, -9.81, 0]\n"
        "materials: [{name: disc, density: 1000}]\ntime: {dt: 1e-3, steps: 40}\n"
        "grains: [{list: [{at: [1000, 0.01, 0]}, {at: [1000.0205, 0.013, 0]}], radius: 0.01}]\n"
        "boundaries: [{name: floor, plane: {normal: [0, 1, 0]}}]\n"
        "output: {every: 10 ms, picture: false, frames: {steps: 20}}\n";
    static char out[256];
    talus_scene *scene = NULL;
    talus_result *result = NULL;
    talus_error err;
    talus_run_config config = talus_run_config_default();
    const char *none[] = {"output.frames=false"};
    FILE *to = fopen(scene_path("given.yaml"), "w");
    assert_non_null(to);
    fputs(yaml, to);
    fclose(to);
    if (talus_scene_load(scene_path("given.yaml"), none, frames ? 0 : 1, &scene, &err) < 0)
        fail_msg("%s", err.text);
    snprintf(out, sizeof out, "%s", scene_path(name));
    config.directory = out;
    if (talus_run(scene, &config, &result, &err) < 0) fail_msg("%s", err.text);
    talus_result_free(result);
    talus_scene_free(scene);
    return out;
}

static inline uint32_t packed_word(const struct bytes *bytes, size_t at) {
    uint32_t word;
    memcpy(&word, bytes->data + at, sizeof word);
    return word;
}

/* The numbers of a section and how many tuples it has; NULL: there is none. */
static inline const void *packed(const struct bytes *bytes, int owner, const char *name,
                                 size_t *count) {
    assert_true(bytes->count >= PACK_HEAD);
    assert_memory_equal(bytes->data, PACK_MAGIC, 8);
    for (size_t s = 0; s < packed_word(bytes, 52); s++) {
        size_t entry = PACK_HEAD + s * PACK_ENTRY;
        if (strcmp((const char *)bytes->data + entry, name) != 0 ||
            packed_word(bytes, entry + 32) != (uint32_t)owner)
            continue;
        size_t size = packed_word(bytes, entry + 36) == PACK_FLOAT64 ? 8 : 4;
        *count = packed_word(bytes, entry + 44);
        size_t offset = packed_word(bytes, entry + 48);
        assert_int_equal(offset % PACK_ALIGN, 0);
        assert_true(offset + *count * packed_word(bytes, entry + 40) * size <= bytes->count);
        return bytes->data + offset;
    }
    return NULL;
}

#endif
