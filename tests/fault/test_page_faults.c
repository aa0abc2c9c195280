/* SPDX-License-Identifier: Apache-2.0
 * The data of the page under bad luck: refused memory, damaged frames, requests of any text. */
#define _POSIX_C_SOURCE 200809L
#include "page_support.h"

#include "base/random.h"
#include "page/request.h"
#include "page/source.h"

static uint32_t below(struct random *random, size_t bound) {
    return random_below(random, bound > 0 ? (uint32_t)bound : 1);
}

/* ---- memory and files ------------------------------------------------------------------------ */

static void refused_memory_is_told(void **state) {
    (void)state;
    struct source source = {.has_shapes = false};
    int64_t n = 1;
    assert_ok(source_open(&source, page_run("memory", true), NULL));
    for (talus_status status = TALUS_ERR_MEMORY; status < 0; n++) {
        struct bytes bytes = {.memory.refuse_at = n};
        talus_error err = {.status = TALUS_OK};
        status = source_frame(&source, 2, &bytes, &err);
        assert_true(status >= 0 || err.status == TALUS_ERR_MEMORY);
        bytes_free(&bytes);
        assert_int_equal(bytes.memory.bytes, 0);
    }
    assert_true(n > 3); /* the bytes grow, contacts are sorted */
    n = 1;
    for (talus_status status = TALUS_ERR_MEMORY; status < 0; n++) {
        struct bytes bytes = {.memory.refuse_at = n};
        status = source_describe(&source, NULL, 0, &bytes, NULL);
        bytes_free(&bytes);
        assert_int_equal(bytes.memory.bytes, 0);
    }
    assert_true(n > 2);
    source_close(&source);
}

/* Any byte of a frame another one: an answer or a refusal, never more bytes than there are. */
static void damaged_frames_are_survived(void **state) {
    (void)state;
    static const char *const names[] = {"particles_000002.vtp", "wall_contacts_000002.vtp",
                                        "walls_000002.vtp"};
    struct source source = {.has_shapes = false};
    struct bytes bytes = {.count = 0}, file = {.count = 0};
    struct random random = random_start(11, RANDOM_TEST, 0, 0);
    char frames[512], path[600];
    size_t refused = 0;
    snprintf(frames, sizeof frames, "%s/frames", page_run("damaged", true));
    assert_ok(source_open(&source, scene_path("damaged"), NULL));
    for (int f = 0; f < 3; f++) {
        snprintf(path, sizeof path, "%s/%s", frames, names[f]);
        bool there = false;
        assert_ok(source_file(frames, names[f], &there, &file, NULL));
        assert_true(there);
        for (int k = 0; k < 300; k++) {
            size_t at = below(&random, file.count);
            unsigned char before = file.data[at];
            file.data[at] = (unsigned char)below(&random, 256);
            FILE *to = fopen(path, "wb");
            assert_non_null(to);
            assert_int_equal(fwrite(file.data, 1, file.count, to), file.count);
            fclose(to);
            refused += source_frame(&source, 2, &bytes, NULL) < 0;
            file.data[at] = before;
        }
        FILE *to = fopen(path, "wb");
        assert_int_equal(fwrite(file.data, 1, file.count, to), file.count);
        fclose(to);
        assert_ok(source_frame(&source, 2, &bytes, NULL));
    }
    assert_true(refused > 100);
    bytes_free(&bytes);
    bytes_free(&file);
    source_close(&source);
}

/* ---- requests as text ------------------------------------------------------------------------ */

static void spoil(struct random *random, char *text, size_t room) {
    static const char special[] = "/%.:0123456789-+?#&= \t\r\n\\abcGET\x01\x7f\xc3\xff";
    for (uint32_t changes = below(random, 4); changes > 0; changes--) {
        size_t length = strlen(text), at = below(random, length + 1);
        char byte = special[below(random, sizeof special - 1)];
        switch (below(random, 4)) {
        case 0:
            if (at < length) text[at] = byte;
            break;
        case 1:
            if (length + 1 >= room) break;
            memmove(text + at + 1, text + at, length - at + 1);
            text[at] = byte;
            break;
        case 2:
            if (at < length) memmove(text + at, text + at + 1, length - at);
            break;
        default: text[at] = '\0'; break;
        }
    }
}

/* Whatever is asked: one of the answers; a frame has a number of nine digits at most, and only a path of digits has one. */
static void any_text_gets_an_answer(void **state) {
    (void)state;
    enum { TRIES = 200000, ROOM = 64 };
    static const char *const methods[] = {"GET", "HEAD", "POST", "OPTIONS", ""};
    static const char *const paths[] = {
        "/", "/run.json", "/frame/12", "/frame/999999999", "/../../etc/passwd", "/frame/%00"};
    static const char *const hosts[] = {"127.0.0.1:8000", "localhost", "localhost:8000",
                                        "evil.example"};
    struct random random = random_start(5, RANDOM_TEST, 0, 0);
    size_t given = 0;
    for (int i = 0; i < TRIES; i++) {
        char method[ROOM], path[ROOM], host[ROOM];
        strcpy(method, methods[below(&random, 5)]);
        strcpy(path, paths[below(&random, 6)]);
        strcpy(host, hosts[below(&random, 4)]);
        spoil(&random,
              below(&random, 2) == 0   ? path
              : below(&random, 2) == 0 ? host
                                       : method,
              ROOM);
        struct page_request found = page_request_read(method, path, host, 8000);
        assert_in_range(found.answer, PAGE_HTML, PAGE_NOT_OURS);
        assert_in_range(found.frame, 0, 999999999);
        if (found.answer > PAGE_FRAME) continue;
        given++;
        assert_true(strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0);
        assert_true(strncmp(host, "localhost", 9) == 0 || strncmp(host, "127.0.0.1", 9) == 0);
        assert_null(strpbrk(path, "%?#\\ \r\n"));
        if (found.answer == PAGE_FRAME) assert_int_equal(atoll(path + 7), found.frame);
    }
    assert_true(given > TRIES / 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_memory_is_told),
        cmocka_unit_test(damaged_frames_are_survived),
        cmocka_unit_test(any_text_gets_an_answer),
    };
    return cmocka_run_group_tests_name("page faults", tests, scene_setup, scene_teardown);
}
