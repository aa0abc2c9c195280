/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/quantities.h"

#include <string.h>

#define TEXT_GRAIN "grain"
#define TEXT_CONTACT "contact"

/* "grain, m/s: velocity" and "grain: type", by what the unit is. */
#define QUANTITY(of_, name_, type_, components_, unit_, wanted_, meaning_)           \
    {.of = QUANTITY_##of_,                                                           \
     .type = QUANTITY_##type_,                                                       \
     .components = components_,                                                      \
     .wanted = QUANTITY_##wanted_,                                                   \
     .unit = unit_,                                                                  \
     .meaning = meaning_,                                                            \
     .entry = {.kind = "quantity",                                                   \
               .name = #name_,                                                       \
               .summary = sizeof(unit_) > 1 ? TEXT_##of_ ", in " unit_ ": " meaning_ \
                                            : TEXT_##of_ ": " meaning_,              \
               .citation = ""}},
static const struct quantity quantities[QUANTITY_COUNT] = {
#include "sim/quantities.def"
};
#undef QUANTITY

const struct quantity *quantity_get(int number) {
    return &quantities[number];
}

int quantity_find(const char *name) {
    for (int i = 0; i < QUANTITY_COUNT; i++)
        if (strcmp(quantities[i].entry.name, name) == 0) return i;
    return -1;
}
