/* SPDX-License-Identifier: Apache-2.0
 * Files that are no scenes: one clear message each, whatever is in them. */
#define _POSIX_C_SOURCE 200809L
#include "scene_support.h"

#include <sys/stat.h>

static void load_refused(const char *path, talus_status wanted, const char *part) {
    talus_scene *scene;
    talus_error err;
    assert_int_equal(talus_scene_load(path, NULL, 0, &scene, &err), wanted);
    assert_null(scene);
    if (strstr(err.text, part) == NULL) fail_msg("wanted: %s\ngot: %s", part, err.text);
}

static void test_unreadable(void **state) {
    (void)state;
    load_refused(scene_path("none.yaml"), TALUS_ERR_FILE, "No such file");
    load_refused(scene_directory, TALUS_ERR_FILE, "it is a directory");
    assert_int_equal(mkfifo(scene_path("pipe.yaml"), 0600), 0);
    load_refused(scene_path("pipe.yaml"), TALUS_ERR_FILE, "it is not a regular file");
    if (geteuid() != 0) {
        scene_file("secret.yaml", SMALL_SCENE);
        assert_int_equal(chmod(scene_path("secret.yaml"), 0), 0);
        load_refused(scene_path("secret.yaml"), TALUS_ERR_FILE, "Permission denied");
    }
}

static void test_not_yaml(void **state) {
    (void)state;
    scene_refused("", "%:1:1: the file is empty");
    scene_refused("# only a comment\n", "the file is empty");
    scene_refused("just words\n", "a scene is a map of keys");
    scene_refused("- a\n- b\n", "a scene is a map of keys");
    scene_refused("a: [1, 2\nb: 3\n", "not YAML");
    scene_refused("solver:\n\tsweeps: 3\n", "a tab indents this line: use blanks");
    scene_refused("title: \"open\n", "not YAML");
    scene_refused("title: \xff\xfe\n", "%:1:8: not a UTF-8 text");
    scene_refused("title: \x01\n", "not a UTF-8 text: control characters are not allowed");
    scene_refused("a: 1\n---\nb: 2\n", "a second document begins here");
    scene_refused("? [a, b]\n: 3\n", "a key must be a single word");
    scene_refused("title: !!binary abc\n" SMALL_SCENE, "scenes use no tags");
    scene_refused("title: *nobody\n", "alias '*nobody' names no anchor");
    scene_refused("grains: &a [*a]\n", "alias '*a' stands inside its own anchor");
    scene_refused("*a : 3\n", "a key must be a single word");
    scene_refused("title: \"a\\0b\"\n", "a text with a zero byte");
}

/* Nested deeper than any stack should go. */
static void test_deep(void **state) {
    (void)state;
    static char text[60000];
    strcpy(text, "grains: ");
    memset(text + 8, '[', 50);
    text[58] = '\0';
    scene_refused(text, "not YAML"); /* shallow enough, but never closed */
    memset(text + 8, '[', 500);
    text[508] = '\0';
    scene_refused(text, "nested more than 64 deep");
    memset(text + 8, '[', 50000);
    text[50008] = '\0';
    scene_refused(text, "deep");
    char *at = text;
    for (int depth = 0; depth < 100; depth++) at += sprintf(at, "%*sa:\n", depth, "");
    scene_refused(text, "nested more than 64 deep");
}

/* Ten lines that unfold to 10^9 nodes. */
static void test_bomb(void **state) {
    (void)state;
    char text[2000];
    char *at = text + sprintf(text, "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int level = 1; level < 10; level++) {
        at += sprintf(at, "a%d: &a%d [", level, level);
        for (int k = 0; k < 10; k++) at += sprintf(at, "%s*a%d", k > 0 ? ", " : "", level - 1);
        at += sprintf(at, "]\n");
    }
    scene_refused(text, "aliases unfold to too much");
    static char many[40000];
    strcpy(many, "t:\n");
    for (int k = 0; k < 300; k++) sprintf(many + strlen(many), "- &b%d x\n", k);
    scene_refused(many, "more than 256 anchors");
    strcpy(many, SMALL_SCENE);
    for (int k = 0; k < 300; k++) sprintf(many + strlen(many), "b%d: 1\n", k);
    scene_refused(many, "a map with more than 256 keys");
}

static void test_many_includes(void **state) {
    (void)state;
    /* Each of 7 files includes the next one four times: 4^7 readings if nothing stops them. */
    for (int k = 0; k < 7; k++) {
        char name[32], text[160];
        snprintf(name, sizeof name, "level%d.yaml", k);
        snprintf(text, sizeof text,
                 "include: [level%d.yaml, level%d.yaml, level%d.yaml, level%d.yaml]\n", k + 1,
                 k + 1, k + 1, k + 1);
        scene_file(name, text);
    }
    scene_file("level7.yaml", "seed: 1\n");
    scene_refused("include: level0.yaml\n", "include: more than 64 files");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unreadable),    cmocka_unit_test(test_not_yaml),
        cmocka_unit_test(test_deep),          cmocka_unit_test(test_bomb),
        cmocka_unit_test(test_many_includes),
    };
    return cmocka_run_group_tests(tests, scene_setup, scene_teardown);
}
