/* SPDX-License-Identifier: Apache-2.0
 * What a frame can hold of each grain and each contact, as a table (quantities.def). */
#ifndef SIM_QUANTITIES_H
#define SIM_QUANTITIES_H

#include "talus/catalog.h"

enum quantity_of { QUANTITY_GRAIN, QUANTITY_CONTACT };
enum quantity_type { QUANTITY_INT32, QUANTITY_INT64, QUANTITY_REAL };
/* Whether a frame holds it: in any case; unless other ones are chosen; only when chosen. */
enum quantity_wanted { QUANTITY_ALWAYS, QUANTITY_STANDARD, QUANTITY_ASKED };

enum quantity_number {
#define QUANTITY(of, name, type, components, unit, wanted, meaning) QUANTITY_NUMBER_##name,
#include "sim/quantities.def"
#undef QUANTITY
    QUANTITY_COUNT
};

struct quantity {
    enum quantity_of of;
    enum quantity_type type;
    int components;
    enum quantity_wanted wanted;
    const char *unit; /* "" = none */
    const char *meaning;
    talus_entry entry; /* kind "quantity", its name, and a line with unit and meaning */
};

const struct quantity *quantity_get(int number);
int quantity_find(const char *name); /* -1: there is none */

#endif
