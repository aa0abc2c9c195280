/* SPDX-License-Identifier: Apache-2.0
 *
 * The server of the page under bad will: thousands of broken requests are thrown at it, seeded; it must then still answer
 * rightly, on the loopback address alone.
 */
#define _GNU_SOURCE
#include "page_support.h"

#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/random.h"
#include "talus/page.h"

static uint32_t below(struct random *random, size_t bound) {
    return random_below(random, bound > 0 ? (uint32_t)bound : 1);
}

/* ---- a server -------------------------------------------------------------------------------- */

struct served {
    pthread_t thread;
    char directory[256];
    _Atomic int port;
    atomic_bool stop;
    talus_status status;
};

static void started(const char *address, void *context) {
    struct served *served = context;
    int port = 0;
    assert_int_equal(sscanf(address, "http://127.0.0.1:%d/", &port), 1);
    served->port = port;
}

static bool stop(void *context) {
    return ((struct served *)context)->stop;
}

static void *run_server(void *context) {
    struct served *served = context;
    talus_page_server_config config = talus_page_server_config_default();
    config.directory = served->directory;
    config.started = started;
    config.stop = stop;
    config.context = served;
    served->status = talus_page_serve(&config, NULL);
    return NULL;
}

static void start_server(struct served *served, const char *directory) {
    snprintf(served->directory, sizeof served->directory, "%s", directory);
    served->port = 0;
    served->stop = false;
    assert_int_equal(pthread_create(&served->thread, NULL, run_server, served), 0);
    for (int i = 0; i < 500 && served->port == 0; i++) usleep(10000);
    assert_int_not_equal(served->port, 0);
}

static void stop_server(struct served *served) {
    served->stop = true;
    pthread_join(served->thread, NULL);
    assert_ok(served->status);
}

static int connect_to(const struct served *served) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)served->port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    assert_true(descriptor >= 0);
    assert_int_equal(connect(descriptor, (struct sockaddr *)&address, sizeof address), 0);
    return descriptor;
}

/* What comes back until the other side ends, or nothing comes for so many milliseconds. */
static size_t receive(int descriptor, char *answer, size_t room, int patience) {
    size_t count = 0;
    struct pollfd waiting = {.fd = descriptor, .events = POLLIN};
    while (count < room - 1 && poll(&waiting, 1, patience) == 1) {
        ssize_t got = recv(descriptor, answer + count, room - 1 - count, 0);
        if (got <= 0) break;
        count += (size_t)got;
    }
    answer[count] = '\0';
    return count;
}

/* While visitors whom it has not seen go yet take all its places, the server turns others away: ask again, but not for as
 * long as it waits for silent ones (10 s): those who are gone must be seen to be. */
static size_t ask(const struct served *served, const char *request, char *answer, size_t room) {
    const double patience = 8.0; /* s */
    double start = clock_seconds();
    size_t count = 0;
    while (count == 0 && clock_seconds() - start < patience) {
        int descriptor = connect_to(served);
        (void)!send(descriptor, request, strlen(request), MSG_NOSIGNAL);
        count = receive(descriptor, answer, room, 2000);
        close(descriptor);
        if (count == 0) usleep(50000);
    }
    return count;
}

static void expect(const struct served *served, const char *line, const char *host,
                   const char *begins, const char *holds) {
    static char request[512], answer[1 << 20];
    snprintf(request, sizeof request, "%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", line,
             host);
    size_t count = ask(served, request, answer, sizeof answer);
    if (strncmp(answer, begins, strlen(begins)) != 0 ||
        memmem(answer, count, holds, strlen(holds)) == NULL)
        fail_msg("%s of %s: \"%s\" is not in \"%.300s\"", line, host, holds, answer);
    if (strstr(answer, "X-Content-Type-Options: nosniff") == NULL ||
        strstr(answer, "frame-ancestors 'none'") == NULL)
        fail_msg("%s: a header is missing in \"%.600s\"", line, answer);
}

static void answers_rightly(const struct served *served) {
    char host[32];
    snprintf(host, sizeof host, "127.0.0.1:%d", served->port);
    expect(served, "GET /", host, "HTTP/1.1 200 ", "<!doctype html>");
    expect(served, "GET /?x=1", host, "HTTP/1.1 200 ", "<!doctype html>");
    expect(served, "HEAD /", host, "HTTP/1.1 200 ", "Content-Length: ");
    expect(served, "GET /run.json", host, "HTTP/1.1 200 ", "\"title\": \"two discs\"");
    expect(served, "GET /series.tsv", "localhost", "HTTP/1.1 200 ", "time[s]\t");
    expect(served, "GET /shapes", host, "HTTP/1.1 200 ", PACK_MAGIC);
    expect(served, "GET /frame/2", host, "HTTP/1.1 200 ", PACK_MAGIC);
    expect(served, "GET /frame/3", host, "HTTP/1.1 404 ", "has 3 frames, but not number 3");
    expect(served, "GET /scene.yaml", host, "HTTP/1.1 404 ", "not found");
    expect(served, "GET /../../etc/passwd", host, "HTTP/1.1 404 ", "not found");
    expect(served, "GET /frame/2%00", host, "HTTP/1.1 404 ", "not found");
    expect(served, "POST /", host, "HTTP/1.1 405 ", "Allow: GET, HEAD");
    expect(served, "DELETE /frame/1", host, "HTTP/1.1 405 ", "only GET and HEAD");
    expect(served, "GET /run.json", "evil.example", "HTTP/1.1 403 ", "only for 127.0.0.1");
}

/* Every socket that listens at this port listens at 127.0.0.1 (/proc/net/tcp: address in hexadecimal, state 0A). */
static void listens_on_loopback_only(int port) {
    static const char *const tables[] = {"/proc/net/tcp", "/proc/net/tcp6"};
    int found = 0;
    for (int t = 0; t < 2; t++) {
        char line[512], address[64];
        unsigned int at, status;
        FILE *from = fopen(tables[t], "r");
        while (from != NULL && fgets(line, sizeof line, from) != NULL) {
            if (sscanf(line, " %*d: %63[0-9A-F]:%x %*[0-9A-F]:%*x %x", address, &at, &status) != 3)
                continue;
            if (at != (unsigned int)port || status != 0x0A) continue;
            assert_string_equal(address, "0100007F");
            found++;
        }
        if (from != NULL) fclose(from);
    }
    assert_int_equal(found, 1);
}

/* ---- bad will -------------------------------------------------------------------------------- */

enum { ROOM = 1 << 18 };

struct attack {
    char bytes[ROOM];
    size_t count;
};

static void add(struct attack *attack, const void *bytes, size_t count) {
    if (attack->count + count > ROOM) return;
    memcpy(attack->bytes + attack->count, bytes, count);
    attack->count += count;
}

static void add_text(struct attack *attack, const char *text) {
    add(attack, text, strlen(text));
}

static void add_request(struct attack *attack, struct random *random, int port) {
    static const char *const lines[] = {"GET / HTTP/1.1",
                                        "GET /frame/1 HTTP/1.1",
                                        "GET /frame/-1 HTTP/1.1",
                                        "GET /frame/99999999999999999999 HTTP/1.1",
                                        "GET /frame/1%00/../secret.txt HTTP/1.1",
                                        "GET /../secret.txt HTTP/1.1",
                                        "GET /%2e%2e/secret.txt HTTP/1.1",
                                        "GET //etc/passwd HTTP/1.0",
                                        "GET http://127.0.0.1/run.json HTTP/1.1",
                                        "HEAD /run.json HTTP/1.1",
                                        "POST /frame/0 HTTP/1.1",
                                        "PUT / HTTP/9.9",
                                        "GET",
                                        "",
                                        "CONNECT 127.0.0.1:1 HTTP/1.1",
                                        "GET /series.tsv HTTP/1.1",
                                        "PRI * HTTP/2.0"};
    static const char *const headers[] = {"Content-Length: 5\r\n\r\nhello",
                                          "Content-Length: -5\r\n",
                                          "Content-Length: 99999999999999999999\r\n",
                                          "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n",
                                          "Range: bytes=0-5,7-\r\n",
                                          "Expect: 100-continue\r\n",
                                          "Host: evil.example\r\n",
                                          "Connection: close\r\n",
                                          "\r\n",
                                          " folded\r\n",
                                          ": empty\r\n",
                                          "Upgrade: websocket\r\n",
                                          "Cookie: a=b; =; ;;\r\n"};
    char host[64];
    add_text(attack, lines[below(random, sizeof lines / sizeof lines[0])]);
    add_text(attack, "\r\n");
    snprintf(host, sizeof host, "Host: 127.0.0.1:%d\r\n", port);
    if (below(random, 8) > 0) add_text(attack, host);
    for (uint32_t k = below(random, 4); k > 0; k--)
        add_text(attack, headers[below(random, sizeof headers / sizeof headers[0])]);
    if (below(random, 40) == 0) { /* a header that fits nowhere */
        add_text(attack, "X: ");
        for (int k = 0; k < 3000; k++) add_text(attack, "0123456789abcdef0123456789abcdef");
        add_text(attack, "\r\n");
    }
    if (below(random, 10) > 0) add_text(attack, "\r\n");
}

static void spoil_bytes(struct attack *attack, struct random *random) {
    for (uint32_t k = below(random, 6); k > 0 && attack->count > 0; k--)
        attack->bytes[below(random, attack->count)] = (char)below(random, 256);
    if (below(random, 5) == 0) attack->count = below(random, attack->count + 1);
}

static void make_attack(struct attack *attack, struct random *random, int port) {
    attack->count = 0;
    if (below(random, 10) == 0) { /* noise */
        for (uint32_t k = below(random, 4000); k > 0; k--) {
            char byte = (char)below(random, 256);
            add(attack, &byte, 1);
        }
        return;
    }
    uint32_t requests = below(random, 5) == 0 ? 1 + below(random, 8) : 1; /* pipelined */
    for (; requests > 0; requests--) add_request(attack, random, port);
    if (below(random, 2) == 0) spoil_bytes(attack, random);
}

static void throw_it(const struct served *served, const struct attack *attack,
                     struct random *random) {
    static char answer[1 << 20];
    int descriptor = connect_to(served);
    size_t sent = 0;
    while (sent < attack->count) { /* the other side may have had enough */
        ssize_t went = send(descriptor, attack->bytes + sent, attack->count - sent,
                            MSG_NOSIGNAL | MSG_DONTWAIT);
        if (went <= 0) break;
        sent += (size_t)went;
    }
    uint32_t end = below(random, 4);
    if (end == 0) { /* gone without a word */
        struct linger linger = {.l_onoff = 1, .l_linger = 0};
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
    } else {
        if (end == 1) shutdown(descriptor, SHUT_WR);
        size_t count = receive(descriptor, answer, sizeof answer, 2);
        if (count >= 5) assert_memory_equal(answer, "HTTP/", 5);
        assert_null(memmem(answer, count, "do not tell", 11));
    }
    close(descriptor);
}

static void broken_requests_do_no_harm(void **state) {
    (void)state;
    enum { ATTACKS = 4000, BETWEEN = 1000 };
    static struct served served;
    static struct attack attack;
    struct random random = random_start(3, RANDOM_TEST, 0, 0);
    start_server(&served, page_run("served", true));
    FILE *secret = fopen(scene_path("served/secret.txt"), "w");
    assert_non_null(secret);
    fputs("do not tell\n", secret);
    fclose(secret);
    listens_on_loopback_only(served.port);
    answers_rightly(&served);
    for (int i = 0; i < ATTACKS; i++) {
        make_attack(&attack, &random, served.port);
        throw_it(&served, &attack, &random);
        if (i % BETWEEN == BETWEEN - 1) answers_rightly(&served);
    }
    listens_on_loopback_only(served.port);
    stop_server(&served);
}

/* Hundreds that connect and say nothing, or half of something, or do not take what they asked for, and stay: others are
 * answered at once, not when the server has had enough of waiting (10 s). */
static void silent_visitors_do_no_harm(void **state) {
    (void)state;
    enum { VISITORS = 600 };
    const double at_once = 4.0; /* s, for all questions, on a machine with other work */
    static const char whole[] = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    static struct served served;
    int descriptors[VISITORS];
    start_server(&served, page_run("silent", true));
    for (int i = 0; i < VISITORS; i++) {
        descriptors[i] = connect_to(&served);
        if (i % 3 == 0) (void)!send(descriptors[i], "GET / HT", 8, MSG_NOSIGNAL);
        if (i % 3 == 1) (void)!send(descriptors[i], whole, sizeof whole - 1, MSG_NOSIGNAL);
    }
    double start = clock_seconds();
    answers_rightly(&served);
    assert_true(clock_seconds() - start < at_once);
    for (int i = 0; i < VISITORS; i++) close(descriptors[i]);
    answers_rightly(&served);
    stop_server(&served);
}

static void mistakes_are_told(void **state) {
    (void)state;
    talus_page_server_config config = talus_page_server_config_default();
    talus_error err;
    config.directory = "/nowhere";
    assert_int_equal(talus_page_serve(&config, &err), TALUS_ERR_FILE);
    config.directory = scene_directory;
    assert_int_equal(talus_page_serve(&config, &err), TALUS_ERR_INPUT);
    config.port = 70000;
    assert_int_equal(talus_page_serve(&config, &err), TALUS_ERR_INPUT);
    static struct served served;
    start_server(&served, page_run("mistakes", true));
    config.directory = served.directory;
    config.port = served.port; /* taken */
    assert_int_equal(talus_page_serve(&config, &err), TALUS_ERR_FILE);
    assert_non_null(strstr(err.text, "of 127.0.0.1 cannot be listened on"));
    stop_server(&served);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_requests_do_no_harm),
        cmocka_unit_test(silent_visitors_do_no_harm),
        cmocka_unit_test(mistakes_are_told),
    };
    return cmocka_run_group_tests_name("page server", tests, scene_setup, scene_teardown);
}
