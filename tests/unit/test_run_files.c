/* SPDX-License-Identifier: Apache-2.0
 * The parts that write results: numbers, JSON, whole and growing files, the output directory. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/random.h"
#include "io/directory.h"
#include "io/file.h"
#include "io/json.h"
#include "io/log.h"
#include "io/number.h"

/* Every test gets an empty directory and leaves it as a present to rm. */
static int make_place(void **state) {
    char *place = strdup("/tmp/talus_files_XXXXXX");
    *state = place;
    return place == NULL || mkdtemp(place) == NULL ? -1 : 0;
}

static int remove_place(void **state) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", (char *)*state);
    int result = system(command);
    free(*state);
    return result;
}

static const char *in(const char *place, const char *name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", place, name);
    return path;
}

static void put(const char *path, const char *text) {
    FILE *to = fopen(path, "w");
    assert_non_null(to);
    fputs(text, to);
    assert_int_equal(fclose(to), 0);
}

static const char *content(const char *path) {
    static char text[4096];
    FILE *from = fopen(path, "r");
    if (from == NULL) return NULL;
    text[fread(text, 1, sizeof text - 1, from)] = '\0';
    fclose(from);
    return text;
}

/* ---- numbers and JSON ------------------------------------------------------------------------ */

static void numbers_read_back_to_the_same_bits(void **state) {
    (void)state;
    char text[NUMBER_TEXT];
    struct random random = random_start(3, RANDOM_TEST, 0, 0);
    for (int i = 0; i < 10000; i++) {
        uint64_t bits = ((uint64_t)random_word(&random) << 32) | random_word(&random);
        double value, back;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        back = strtod(number_text(value, text), NULL);
        assert_memory_equal(&value, &back, sizeof value);
    }
    assert_string_equal(number_text(0.1, text), "0.1");
    assert_string_equal(number_text(-3.0, text), "-3");
    assert_string_equal(number_text(1e-300, text), "1e-300");
    assert_string_equal(number_text(nan(""), text), "nan");
    assert_string_equal(number_text(-HUGE_VAL, text), "-inf");
}

static void json_is_valid_for_awkward_values(void **state) {
    FILE *to = fopen(in(*state, "a.json"), "w");
    assert_non_null(to);
    struct json json = json_start(to);
    json_object(&json, NULL);
    json_text(&json, "say \"hi\"", "tab\t, line\nend, back\\slash, bell\a");
    json_number(&json, "nan", nan(""));
    json_number(&json, "x", 0.1);
    json_integer(&json, "big", INT64_MIN);
    json_array(&json, "none");
    json_array_end(&json);
    json_array(&json, "list");
    json_object(&json, NULL);
    json_object_end(&json);
    json_number(&json, NULL, 2);
    json_array_end(&json);
    json_object_end(&json);
    assert_int_equal(fclose(to), 0);
    assert_string_equal(
        content(in(*state, "a.json")),
        "{\n"
        "  \"say \\\"hi\\\"\": \"tab\\u0009, line\\nend, back\\\\slash, bell\\u0007\",\n"
        "  \"nan\": null,\n"
        "  \"x\": 0.1,\n"
        "  \"big\": -9223372036854775808,\n"
        "  \"none\": [],\n"
        "  \"list\": [\n"
        "    {},\n"
        "    2\n"
        "  ]\n"
        "}\n");
}

/* ---- files ----------------------------------------------------------------------------------- */

static void whole_file_appears_only_when_complete(void **state) {
    struct file file;
    talus_error err;
    put(in(*state, "a.txt"), "old");
    assert_int_equal(file_open(&file, *state, "a.txt", FILE_WHOLE, &err), TALUS_OK);
    fputs("new", file.stream);
    assert_int_equal(file_flush(&file, &err), TALUS_OK);
    assert_string_equal(content(in(*state, "a.txt")), "old");
    assert_int_equal(file_close(&file, &err), TALUS_OK);
    assert_string_equal(content(in(*state, "a.txt")), "new");
    assert_int_not_equal(access(in(*state, "a.txt.part"), F_OK), 0);
}

static void given_up_file_leaves_nothing(void **state) {
    struct file file;
    put(in(*state, "a.txt"), "old");
    assert_int_equal(file_open(&file, *state, "a.txt", FILE_WHOLE, NULL), TALUS_OK);
    fputs("new", file.stream);
    file_discard(&file);
    file_discard(&file);
    assert_string_equal(content(in(*state, "a.txt")), "old");
    assert_int_not_equal(access(in(*state, "a.txt.part"), F_OK), 0);
}

static void full_disk_is_noticed_and_the_old_file_survives(void **state) {
    struct file file;
    talus_error err;
    put(in(*state, "a.txt"), "old");
    assert_int_equal(symlink("/dev/full", in(*state, "a.txt.part")), 0);
    assert_int_equal(file_open(&file, *state, "a.txt", FILE_WHOLE, &err), TALUS_OK);
    fputs("new", file.stream);
    assert_int_equal(file_close(&file, &err), TALUS_ERR_FILE);
    assert_non_null(strstr(err.text, "a.txt: cannot be written: No space left on device"));
    assert_string_equal(content(in(*state, "a.txt")), "old");
}

static void growing_file_notices_a_full_disk_at_once(void **state) {
    struct file file;
    talus_error err;
    assert_int_equal(symlink("/dev/full", in(*state, "rows.tsv")), 0);
    assert_int_equal(file_open(&file, *state, "rows.tsv", FILE_GROWING, &err), TALUS_OK);
    fputs("row\n", file.stream);
    assert_int_equal(file_flush(&file, &err), TALUS_ERR_FILE);
    assert_int_equal(file_close(&file, &err), TALUS_ERR_FILE);
}

static void log_reports_a_full_disk_when_closed(void **state) {
    struct log log;
    talus_error err;
    assert_int_equal(symlink("/dev/full", in(*state, "log.txt")), 0);
    assert_int_equal(log_open(&log, *state, &err), TALUS_OK);
    log_line(&log, "%d", 1);
    assert_int_equal(log_close(&log, &err), TALUS_ERR_FILE);
    log_line(&log, "%d", 2); /* closed: goes nowhere */
    assert_int_equal(log_close(&log, &err), TALUS_OK);
}

static void missing_directory_and_long_path_are_errors(void **state) {
    struct file file;
    talus_error err;
    char name[FILE_PATH + 10];
    assert_int_equal(file_open(&file, in(*state, "no/where"), "a", FILE_WHOLE, &err),
                     TALUS_ERR_FILE);
    assert_non_null(strstr(err.text, "no/where/a: cannot be created"));
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(file_open(&file, *state, name, FILE_WHOLE, &err), TALUS_ERR_FILE);
    assert_int_equal(directory_prepare(name, false, &err), TALUS_ERR_FILE);
}

static void refused_to_read(const char *path, const char *why) {
    talus_error err;
    alarm(10); /* who waits for a writer is ended */
    assert_null(file_read(path, &err));
    alarm(0);
    if (strstr(err.text, why) == NULL) fail_msg("'%s' does not say '%s'", err.text, why);
}

static void only_regular_files_are_read(void **state) {
    put(in(*state, "a.txt"), "text");
    FILE *from = file_read(in(*state, "a.txt"), NULL);
    assert_non_null(from);
    assert_int_equal(fgetc(from), 't');
    fclose(from);
    assert_int_equal(mkfifo(in(*state, "pipe"), 0600), 0);
    refused_to_read(in(*state, "pipe"), "pipe: cannot be read: it is not a regular file");
    refused_to_read("/dev/null", "/dev/null: cannot be read: it is not a regular file");
    refused_to_read(*state, ": cannot be read: Is a directory");
    refused_to_read(in(*state, "nothing"), "nothing: cannot be read: No such file");
}

/* ---- the directory --------------------------------------------------------------------------- */

static void directory_is_made_with_its_parents(void **state) {
    struct stat status;
    assert_int_equal(directory_prepare(in(*state, "a/b//c/"), false, NULL), TALUS_OK);
    assert_int_equal(stat(in(*state, "a/b/c"), &status), 0);
    assert_true(S_ISDIR(status.st_mode));
    assert_int_equal(directory_prepare(in(*state, "a/b/c"), false, NULL), TALUS_OK);
}

static void directory_with_results_is_refused_or_cleared(void **state) {
    talus_error err;
    put(in(*state, "notes.md"), "mine");
    assert_int_equal(directory_prepare(*state, false, &err), TALUS_OK); /* not of a run */
    put(in(*state, "series.tsv"), "rows");
    assert_int_equal(directory_prepare(*state, false, &err), TALUS_ERR_FILE);
    assert_non_null(strstr(err.text, "series.tsv"));
    assert_non_null(strstr(err.text, "--force"));
    assert_string_equal(content(in(*state, "series.tsv")), "rows");
    assert_int_equal(directory_prepare(*state, true, &err), TALUS_OK);
    assert_int_not_equal(access(in(*state, "series.tsv"), F_OK), 0);
    assert_string_equal(content(in(*state, "notes.md")), "mine");
}

static void film_belongs_to_the_results(void **state) {
    talus_error err;
    char name[DIRECTORY_FILM_NAME];
    directory_film_name(name, 7);
    assert_string_equal(name, "film_0007.png");
    directory_film_name(name, 12345);
    assert_string_equal(name, "film_12345.png");
    static const char *const others[] = {"film_007.png", "film_0001.png.txt", "film_00a1.png",
                                         "myfilm_0001.png"};
    for (int i = 0; i < 4; i++) put(in(*state, others[i]), "mine");
    assert_int_equal(directory_prepare(*state, false, &err), TALUS_OK);
    put(in(*state, name), "old");
    assert_int_equal(directory_prepare(*state, false, &err), TALUS_ERR_FILE);
    assert_non_null(strstr(err.text, "film_12345.png"));
    assert_int_equal(directory_check(*state, false, &err), TALUS_ERR_FILE);
    put(in(*state, "film_0000.png"), "old");
    assert_int_equal(directory_prepare(*state, true, &err), TALUS_OK);
    assert_int_not_equal(access(in(*state, name), F_OK), 0);
    assert_int_not_equal(access(in(*state, "film_0000.png"), F_OK), 0);
    for (int i = 0; i < 4; i++) assert_string_equal(content(in(*state, others[i])), "mine");
}

static void directory_below_a_file_is_refused(void **state) {
    talus_error err;
    put(in(*state, "file"), "");
    assert_int_equal(directory_prepare(in(*state, "file"), false, &err), TALUS_ERR_FILE);
    assert_int_equal(directory_prepare(in(*state, "file/below"), false, &err), TALUS_ERR_FILE);
    assert_non_null(strstr(err.text, "file"));
    assert_int_equal(directory_prepare("", false, &err), TALUS_ERR_FILE);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_place, remove_place)
    const struct CMUnitTest tests[] = {
        TEST(numbers_read_back_to_the_same_bits),
        TEST(json_is_valid_for_awkward_values),
        TEST(whole_file_appears_only_when_complete),
        TEST(given_up_file_leaves_nothing),
        TEST(full_disk_is_noticed_and_the_old_file_survives),
        TEST(growing_file_notices_a_full_disk_at_once),
        TEST(log_reports_a_full_disk_when_closed),
        TEST(missing_directory_and_long_path_are_errors),
        TEST(only_regular_files_are_read),
        TEST(directory_is_made_with_its_parents),
        TEST(directory_with_results_is_refused_or_cleared),
        TEST(film_belongs_to_the_results),
        TEST(directory_below_a_file_is_refused),
    };
    return cmocka_run_group_tests_name("run files", tests, NULL, NULL);
}
