/* SPDX-License-Identifier: Apache-2.0 */
#include "page/request.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* A whole number of at most so many digits, and nothing behind it; -1: it is none. */
static int64_t read_digits(const char *text, size_t most) {
    int64_t value = 0;
    size_t digits = strspn(text, "0123456789");
    if (digits == 0 || digits > most || text[digits] != '\0') return -1;
    for (size_t i = 0; i < digits; i++) value = 10 * value + (text[i] - '0');
    return value;
}

static bool is_port(const char *text, int port) {
    enum { DIGITS = 5 };
    return *text == '\0' || (*text == ':' && read_digits(text + 1, DIGITS) == port);
}

static bool is_our_host(const char *host, int port) {
    static const char *const names[] = {"127.0.0.1", "localhost"};
    for (size_t i = 0; host != NULL && i < sizeof names / sizeof names[0]; i++) {
        size_t length = strlen(names[i]);
        if (strncmp(host, names[i], length) == 0 && is_port(host + length, port)) return true;
    }
    return false;
}

static struct page_request find(const char *path) {
    static const char frame[] = "/frame/";
    static const struct {
        const char *path;
        enum page_answer answer;
    } fixed[] = {{"/", PAGE_HTML},
                 {"/run.json", PAGE_RUN},
                 {"/series.tsv", PAGE_SERIES},
                 {"/shapes", PAGE_SHAPES}};
    enum { DIGITS = 9 };
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        if (strcmp(path, fixed[i].path) == 0) return (struct page_request){fixed[i].answer, 0};
    if (strncmp(path, frame, sizeof frame - 1) == 0) {
        int64_t number = read_digits(path + sizeof frame - 1, DIGITS);
        if (number >= 0) return (struct page_request){PAGE_FRAME, number};
    }
    return (struct page_request){PAGE_NOT_FOUND, 0};
}

struct page_request page_request_read(const char *method, const char *path, const char *host,
                                      int port) {
    if (!is_our_host(host, port)) return (struct page_request){PAGE_NOT_OURS, 0};
    if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
        return (struct page_request){PAGE_NOT_ALLOWED, 0};
    return find(path);
}
