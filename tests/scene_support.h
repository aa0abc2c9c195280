/* SPDX-License-Identifier: Apache-2.0
 *
 * For the tests of scene files: a directory of one's own, scenes from strings, expected messages.
 */
#ifndef TESTS_SCENE_SUPPORT_H
#define TESTS_SCENE_SUPPORT_H

#include <stdlib.h>
#include <unistd.h>

#include "scene/load.h"
#include "scene/scene.h"
#include "support.h"

/* What every scene needs; tests add their keys in front or behind. */
#define SMALL_GRAINS "grains: [ { list: [ { at: [0, 0, 0] } ], radius: 1 } ]\n"
#define SMALL_END "time: { dt: 1e-3, end: 1 }\n"
#define SMALL_SCENE SMALL_GRAINS SMALL_END

static char scene_directory[64];

static inline int scene_setup(void **state) {
    (void)state;
    strcpy(scene_directory, "/tmp/talus_scene_XXXXXX");
    return mkdtemp(scene_directory) == NULL ? -1 : 0;
}

static inline int scene_teardown(void **state) {
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", scene_directory);
    return system(command);
}

static inline const char *scene_path(const char *name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", scene_directory, name);
    return path;
}

static inline void scene_file(const char *name, const char *text) {
    FILE *file = fopen(scene_path(name), "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* Load a text as scene.yaml, with up to two overrides (NULL = none). */
static inline talus_status scene_try(const char *text, const char *one, const char *two,
                                     talus_scene **out, talus_error *err) {
    const char *overrides[2] = {one, two};
    scene_file("scene.yaml", text);
    err->text[0] = '\0';
    size_t count = (size_t)(one != NULL) + (size_t)(two != NULL);
    return talus_scene_load(scene_path("scene.yaml"), overrides, count, out, err);
}

static inline talus_scene *scene_ok(const char *text) {
    talus_scene *scene;
    talus_error err;
    if (scene_try(text, NULL, NULL, &scene, &err) != TALUS_OK) fail_msg("%s", err.text);
    return scene;
}

/* The text is refused, and the message has `part` in it ("%" stands for the scene's path). */
static inline void scene_refused_set(const char *text, const char *override, const char *part) {
    talus_scene *scene;
    talus_error err;
    char wanted[1024];
    if (part[0] == '%')
        snprintf(wanted, sizeof wanted, "%s%s", scene_path("scene.yaml"), part + 1);
    else
        snprintf(wanted, sizeof wanted, "%s", part);
    talus_status status = scene_try(text, override, NULL, &scene, &err);
    if (status >= 0) {
        talus_scene_free(scene);
        fail_msg("accepted:\n%s\nbut wanted: %s", text, wanted);
    }
    assert_null(scene);
    assert_int_equal(err.status, status);
    if (strstr(err.text, wanted) == NULL) fail_msg("wanted: %s\ngot: %s", wanted, err.text);
}

static inline void scene_refused(const char *text, const char *part) {
    scene_refused_set(text, NULL, part);
}

#endif
