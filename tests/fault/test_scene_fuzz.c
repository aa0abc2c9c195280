/* SPDX-License-Identifier: Apache-2.0
 *
 * Six good scenes, mutated 20,000 times with a fixed seed: bytes changed, inserted and removed,
 * lines dropped, doubled and exchanged, pieces of one scene put into another. Loading must end with
 * a scene or a message, never otherwise; the sanitizers watch for the rest. What still loads must
 * survive being written and read again.
 */
#define _POSIX_C_SOURCE 200809L
#include "scene_support.h"

#include "base/random.h"
#include "scene_samples.h"

enum { MUTATIONS = 20000, ROOM = 8192 };

struct text {
    char bytes[ROOM];
    size_t length;
};

static uint32_t below(struct random *random, size_t bound) {
    return random_below(random, bound > 0 ? (uint32_t)bound : 1);
}

static void splice(struct text *text, size_t at, size_t remove, const char *bytes, size_t length) {
    if (at > text->length) at = text->length;
    if (remove > text->length - at) remove = text->length - at;
    if (text->length - remove + length >= ROOM) return;
    memmove(text->bytes + at + length, text->bytes + at + remove, text->length - at - remove);
    memcpy(text->bytes + at, bytes, length);
    text->length += length - remove;
}

static void change_byte(struct text *text, struct random *random) {
    /* Characters that mean something to YAML or to numbers come often. */
    static const char special[] = "{}[]:,-\n \"'#&*!|>%@`?.0123456789eE+/^\t\\\x7f\xc3\xff";
    size_t at = below(random, text->length);
    char byte =
        below(random, 4) > 0 ? special[below(random, sizeof special)] : (char)below(random, 256);
    switch (below(random, 3)) {
    case 0: splice(text, at, 1, &byte, 1); break;
    case 1: splice(text, at, 0, &byte, 1); break;
    default: splice(text, at, 1 + below(random, 8), &byte, 0);
    }
}

/* The line that holds a place. */
static void line_at(const struct text *text, size_t at, size_t *start, size_t *length) {
    *start = at;
    while (*start > 0 && text->bytes[*start - 1] != '\n') --*start;
    *length = 0;
    while (*start + *length < text->length && text->bytes[*start + *length] != '\n') ++*length;
    if (*start + *length < text->length) ++*length;
}

static void change_line(struct text *text, struct random *random) {
    size_t start, length, other, other_length;
    char copy[ROOM];
    line_at(text, below(random, text->length), &start, &length);
    memcpy(copy, text->bytes + start, length);
    switch (below(random, 3)) {
    case 0: splice(text, start, length, copy, 0); break;
    case 1: splice(text, start, 0, copy, length); break;
    default:
        splice(text, start, length, copy, 0);
        if (text->length == 0) return;
        line_at(text, below(random, text->length), &other, &other_length);
        splice(text, other, 0, copy, length);
    }
}

/* A word of the language, or a number that is out of the way, at a random place. */
static void insert_word(struct text *text, struct random *random) {
    static const char *const words[] = {" 1e999 ",   " -1 ",
                                        " 0 ",       " 99999999999999999999 ",
                                        " .nan ",    " auto ",
                                        " true ",    " {} ",
                                        " [] ",      " [0,0,0] ",
                                        " *r ",      " &r ",
                                        " 1 mm ",    " 3 kg ",
                                        " grains: ", " include: scene.yaml ",
                                        "\n- ",      ": ",
                                        " fill: ",   " box: ",
                                        " name: x ", " \"\\u0000\" ",
                                        " ~ ",       " 1e308 ",
                                        " 4.9e-324 "};
    const char *word = words[below(random, sizeof words / sizeof words[0])];
    splice(text, below(random, text->length), below(random, 6), word, strlen(word));
}

static void cross(struct text *text, struct random *random) {
    const char *other = scene_samples[below(random, SCENE_SAMPLES)];
    size_t length = strlen(other), from = below(random, length);
    size_t take = below(random, length - from);
    splice(text, below(random, text->length), below(random, 200), other + from, take);
}

static void mutate(struct text *text, struct random *random) {
    for (uint32_t n = 1 + below(random, 4); n > 0 && text->length > 0; n--) {
        switch (below(random, 8)) {
        case 0:
        case 1:
        case 2:
        case 3: change_byte(text, random); break;
        case 4:
        case 5: change_line(text, random); break;
        case 6: insert_word(text, random); break;
        default: cross(text, random);
        }
    }
}

static void write_text(const char *path, const struct text *text) {
    unlink(path); /* writing over a file makes some file systems wait for the disk */
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text->bytes, 1, text->length, file), text->length);
    fclose(file);
}

static void reload(const talus_scene *scene) {
    talus_scene *again;
    talus_error err;
    char path[128];
    snprintf(path, sizeof path, "%s", scene_path("again.yaml"));
    unlink(path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(talus_scene_write(scene, file, NULL), TALUS_OK);
    fclose(file);
    if (talus_scene_load(path, NULL, 0, &again, &err) < 0) fail_msg("not read again: %s", err.text);
    talus_scene_free(again);
}

static void test_fuzz(void **state) {
    (void)state;
    int accepted = 0;
    char path[128];
    snprintf(path, sizeof path, "%s", scene_path("scene.yaml"));
    for (int k = 0; k < MUTATIONS; k++) {
        struct random random = random_start(20261116, RANDOM_TEST, (uint64_t)k, 0);
        struct text text;
        const char *sample = scene_samples[k % SCENE_SAMPLES];
        text.length = strlen(sample);
        memcpy(text.bytes, sample, text.length);
        mutate(&text, &random);
        write_text(path, &text);
        talus_scene *scene;
        talus_error err = {.status = TALUS_OK};
        talus_status status = talus_scene_load(path, NULL, 0, &scene, &err);
        if (status < 0) {
            assert_null(scene);
            assert_true(err.text[0] != '\0' && strlen(err.text) < sizeof err.text);
            assert_int_equal(err.status, status);
        } else {
            if (accepted++ % 8 == 0) reload(scene);
            talus_scene_free(scene);
        }
    }
    /* Neither is everything refused nor everything taken. */
    assert_true(accepted > MUTATIONS / 50 && accepted < MUTATIONS * 9 / 10);
}

/* Overrides are the user's text too. */
static void test_overrides(void **state) {
    (void)state;
    static const char *const goods[] = {
        "boundaries.floor.motion.velocity=[0,0,1]", "grains.0.radius={uniform: [1, 2]}",
        "output.picture.width=640", "materials=[{name: x, density: 3}]"};
    scene_file("scene.yaml", scene_samples[1]);
    for (int k = 0; k < 2000; k++) {
        struct random random = random_start(7, RANDOM_TEST, (uint64_t)k, 1);
        struct text text;
        const char *good = goods[k % 4];
        text.length = strlen(good);
        memcpy(text.bytes, good, text.length);
        for (uint32_t n = 1 + below(&random, 3); n > 0 && text.length > 0; n--)
            change_byte(&text, &random);
        text.bytes[text.length] = '\0';
        const char *override = text.bytes;
        talus_scene *scene;
        talus_error err;
        if (talus_scene_load(scene_path("scene.yaml"), &override, 1, &scene, &err) >= 0) {
            talus_scene_free(scene);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fuzz),
                                       cmocka_unit_test(test_overrides)};
    return cmocka_run_group_tests(tests, scene_setup, scene_teardown);
}
