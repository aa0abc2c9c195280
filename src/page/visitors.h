/* SPDX-License-Identifier: Apache-2.0
 * Who is connected to the server, and who has been silent for longest. Where all places are taken, the silent one goes: nobody can
 * keep others out by staying without asking. For one thread. */
#ifndef PAGE_VISITORS_H
#define PAGE_VISITORS_H

#include <stdbool.h>
#include <stdint.h>

/* Those who were told to go take a place until they are gone. */
enum { VISITORS_STAYING = 64, VISITORS_MOST = 2 * VISITORS_STAYING };

struct visitor {
    int socket;
    uint64_t last; /* when it came or asked, in visits and requests */
    bool here, leaving;
};

struct visitors {
    struct visitor all[VISITORS_MOST];
    uint64_t now;
};

/* NULL: there is no place, even for those who go. */
struct visitor *visitors_enter(struct visitors *visitors, int socket);
/* It asks for something. */
void visitors_ask(struct visitors *visitors, struct visitor *visitor);
void visitors_leave(struct visitor *visitor);

#endif
