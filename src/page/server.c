/* SPDX-License-Identifier: Apache-2.0
 *
 * The page over HTTP, to this machine alone. One thread answers; whatever a request says, the only things that come back
 * are the page, and numbers made of the files of one run (request.h).
 */
#define _POSIX_C_SOURCE 200809L
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>

#include "base/error.h"
#include "page/bundle.h"
#include "page/request.h"
#include "page/source.h"
#include "page/visitors.h"
#include "talus/page.h"

struct server {
    struct source source;
    struct bundle bundle;
    struct visitors visitors;
    int port;
    char policy[1024]; /* Content-Security-Policy */
};

talus_page_server_config talus_page_server_config_default(void) {
    return (talus_page_server_config){.port = 0};
}

/* ---- answers --------------------------------------------------------------------------------- */

struct reply {
    unsigned int status;
    const char *type;
};

static void add_headers(const struct server *server, struct MHD_Response *response,
                        struct reply reply) {
    MHD_add_response_header(response, "Content-Type", reply.type);
    MHD_add_response_header(response, "Content-Security-Policy", server->policy);
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, "X-Frame-Options", "DENY");
    MHD_add_response_header(response, "Referrer-Policy", "no-referrer");
    MHD_add_response_header(response, "Cross-Origin-Resource-Policy", "same-origin");
    MHD_add_response_header(response, "Cache-Control", "no-store");
    if (reply.status == MHD_HTTP_METHOD_NOT_ALLOWED)
        MHD_add_response_header(response, "Allow", "GET, HEAD");
}

static enum MHD_Result send_bytes(const struct server *server, struct MHD_Connection *connection,
                                  struct reply reply, const void *data, size_t count) {
    /* The constant page is not copied, and not changed either: libmicrohttpd just takes no const. */
    enum MHD_ResponseMemoryMode mode =
        data == server->bundle.html ? MHD_RESPMEM_PERSISTENT : MHD_RESPMEM_MUST_COPY;
    struct MHD_Response *response = MHD_create_response_from_buffer(count, (void *)data, mode);
    if (response == NULL) return MHD_NO;
    add_headers(server, response, reply);
    enum MHD_Result result = MHD_queue_response(connection, reply.status, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result send_text(const struct server *server, struct MHD_Connection *connection,
                                 unsigned int status, const char *text) {
    return send_bytes(server, connection, (struct reply){status, "text/plain; charset=utf-8"}, text,
                      strlen(text));
}

/* What is made of the files of the run. */
static talus_status make(struct server *server, struct page_request request, struct bytes *to,
                         talus_error *err) {
    struct source *source = &server->source;
    bool refresh =
        request.answer != PAGE_FRAME || (size_t)request.frame >= source->stored.list.count;
    if (refresh) TALUS_TRY(source_refresh(source, err));
    switch (request.answer) {
    case PAGE_RUN: return source_describe(source, NULL, 0, to, err);
    case PAGE_SERIES: return source_series(source, to, err);
    case PAGE_SHAPES: return source_shapes(source, to, err);
    default: return source_frame(source, (size_t)request.frame, to, err);
    }
}

static const char *type_of(enum page_answer answer) {
    return answer == PAGE_RUN      ? "application/json"
           : answer == PAGE_SERIES ? "text/tab-separated-values; charset=utf-8"
                                   : "application/octet-stream";
}

static enum MHD_Result send_made(struct server *server, struct MHD_Connection *connection,
                                 struct page_request request) {
    struct bytes bytes = {.count = 0};
    talus_error err = {.status = TALUS_OK};
    enum MHD_Result result;
    if (make(server, request, &bytes, &err) >= 0) {
        struct reply reply = {MHD_HTTP_OK, type_of(request.answer)};
        result = send_bytes(server, connection, reply, bytes.data, bytes.count);
    } else {
        bool missing = request.answer == PAGE_FRAME &&
                       (size_t)request.frame >= server->source.stored.list.count;
        result = send_text(server, connection,
                           missing ? MHD_HTTP_NOT_FOUND : MHD_HTTP_INTERNAL_SERVER_ERROR, err.text);
    }
    bytes_free(&bytes);
    return result;
}

/* ---- requests -------------------------------------------------------------------------------- */

/* As it was sent: a path with a % sign is none of ours. */
static size_t leave_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

struct host {
    const char *name;
    int count;
};

static enum MHD_Result find_host(void *context, enum MHD_ValueKind kind, const char *key,
                                 const char *value) {
    struct host *host = context;
    (void)kind;
    if (strcasecmp(key, MHD_HTTP_HEADER_HOST) != 0) return MHD_YES;
    host->name = value;
    host->count++;
    return MHD_YES;
}

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **state) {
    struct server *server = context;
    struct host host = {.name = NULL};
    (void)version;
    (void)upload;
    (void)state;
    *upload_size = 0; /* nobody sends us anything */
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    if (info != NULL) visitors_ask(&server->visitors, info->socket_context);
    MHD_get_connection_values(connection, MHD_HEADER_KIND, find_host, &host);
    struct page_request request =
        page_request_read(method, url, host.count == 1 ? host.name : NULL, server->port);
    switch (request.answer) {
    case PAGE_HTML:
        return send_bytes(server, connection,
                          (struct reply){MHD_HTTP_OK, "text/html; charset=utf-8"},
                          server->bundle.html, server->bundle.size);
    case PAGE_NOT_FOUND: return send_text(server, connection, MHD_HTTP_NOT_FOUND, "not found\n");
    case PAGE_NOT_ALLOWED:
        return send_text(server, connection, MHD_HTTP_METHOD_NOT_ALLOWED, "only GET and HEAD\n");
    case PAGE_NOT_OURS:
        return send_text(server, connection, MHD_HTTP_FORBIDDEN,
                         "only for 127.0.0.1 and localhost\n");
    default: return send_made(server, connection, request);
    }
}

static void notice(void *context, struct MHD_Connection *connection, void **visitor,
                   enum MHD_ConnectionNotificationCode what) {
    struct server *server = context;
    if (what == MHD_CONNECTION_NOTIFY_CLOSED) {
        visitors_leave(*visitor);
        return;
    }
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    *visitor = info != NULL ? visitors_enter(&server->visitors, info->connect_fd) : NULL;
}

/* ---- from start to end ----------------------------------------------------------------------- */

static struct MHD_Daemon *start(struct server *server, int port) {
    enum { SECONDS = 10, REQUEST_BYTES = 32768 };
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    /* Not by epoll: with all places taken by visitors that were gone, it did not notice for as long as SECONDS. */
    return MHD_start_daemon(
        MHD_USE_POLL_INTERNAL_THREAD, 0, NULL, NULL, answer, server, MHD_OPTION_SOCK_ADDR,
        (struct sockaddr *)&address, MHD_OPTION_UNESCAPE_CALLBACK, leave_escapes, NULL,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned int)VISITORS_MOST, MHD_OPTION_NOTIFY_CONNECTION,
        notice, server, MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)SECONDS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)REQUEST_BYTES, MHD_OPTION_END);
}

static void wait_for_stop(const talus_page_server_config *config) {
    const struct timespec tenth = {.tv_nsec = 100000000};
    while (config->stop == NULL || !config->stop(config->context)) nanosleep(&tenth, NULL);
}

static talus_status serve(struct server *server, const talus_page_server_config *config,
                          talus_error *err) {
    char address[64];
    errno = 0;
    struct MHD_Daemon *daemon = start(server, config->port);
    if (daemon == NULL)
        return error_set(err, TALUS_ERR_FILE, "port %d of 127.0.0.1 cannot be listened on: %s",
                         config->port, errno != 0 ? strerror(errno) : "the server did not start");
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    server->port = info != NULL ? info->port : config->port;
    snprintf(address, sizeof address, "http://127.0.0.1:%d/", server->port);
    if (config->started != NULL) config->started(address, config->context);
    wait_for_stop(config);
    MHD_stop_daemon(daemon);
    return TALUS_OK;
}

talus_status talus_page_serve(const talus_page_server_config *config, talus_error *err) {
    struct server server = {.bundle = bundle_get()};
    if (config->directory == NULL)
        return error_set(err, TALUS_ERR_INPUT, "a page needs the directory of a run");
    if (config->port < 0 || config->port > 65535)
        return error_set(err, TALUS_ERR_INPUT, "port is %d, but must be 0 to 65535", config->port);
    /* No other site may show the page inside its own: a page cannot say this of itself. */
    snprintf(server.policy, sizeof server.policy, "%.*s; frame-ancestors 'none'",
             (int)server.bundle.policy_size, server.bundle.policy);
    talus_status status = source_open(&server.source, config->directory, err);
    if (status >= 0) status = serve(&server, config, err);
    source_close(&server.source);
    return status;
}
