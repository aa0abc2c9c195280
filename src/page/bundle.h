/* SPDX-License-Identifier: Apache-2.0
 * The page itself: view/dist/page.html, which `npm run build` makes of view/src, as bytes of the program. */
#ifndef PAGE_BUNDLE_H
#define PAGE_BUNDLE_H

#include <stddef.h>

struct bundle {
    const char *html; /* not ended by zero */
    size_t size;
    const char *policy; /* its Content-Security-Policy, part of it */
    size_t policy_size;
    size_t data_place; /* where a file that holds its data has them, in bytes from the start */
};

struct bundle bundle_get(void);

#endif
