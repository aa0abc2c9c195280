/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "page/visitors.h"

#include <stddef.h>
#include <sys/socket.h>

/* The server then finds the connection ended, and closes it. */
static void send_away(struct visitor *visitor) {
    visitor->leaving = true;
    (void)shutdown(visitor->socket, SHUT_RDWR);
}

struct visitor *visitors_enter(struct visitors *visitors, int socket) {
    struct visitor *place = NULL, *silent = NULL;
    int staying = 0;
    for (int i = 0; i < VISITORS_MOST; i++) {
        struct visitor *visitor = &visitors->all[i];
        if (!visitor->here) {
            place = visitor;
        } else if (!visitor->leaving) {
            staying++;
            if (silent == NULL || visitor->last < silent->last) silent = visitor;
        }
    }
    if (staying >= VISITORS_STAYING) send_away(silent);
    if (place != NULL)
        *place = (struct visitor){.socket = socket, .last = ++visitors->now, .here = true};
    return place;
}

void visitors_ask(struct visitors *visitors, struct visitor *visitor) {
    if (visitor != NULL) visitor->last = ++visitors->now;
}

void visitors_leave(struct visitor *visitor) {
    if (visitor != NULL) visitor->here = false;
}
