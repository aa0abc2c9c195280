/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "scene/plain_numbers.h"

#include <locale.h>
#include <stddef.h>

struct plain_numbers plain_numbers_begin(void) {
    struct plain_numbers numbers = {NULL, NULL};
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0) return numbers; /* out of memory: go on with what there is */
    numbers.plain = (void *)plain;
    numbers.before = (void *)uselocale(plain);
    return numbers;
}

void plain_numbers_end(struct plain_numbers *numbers) {
    if (numbers->plain == NULL) return;
    uselocale((locale_t)numbers->before);
    freelocale((locale_t)numbers->plain);
    numbers->plain = NULL;
}
