/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of contact laws. A law is one file with a `law_type` and one line in laws.def; from that line
 * follow the catalog (`talus list laws`, `talus describe`) and the check of its parameters.
 */
#ifndef LAW_LAW_H
#define LAW_LAW_H

#include "talus/catalog.h"
#include "talus/sim.h"

struct law_complaint { /* what is wrong with a parameter */
    const char *key;
    double value;
    const char *allowed;
};

struct law_type {
    talus_entry entry;
    /* Are this law's parameters of the pair allowed? If not, which one and why. */
    bool (*check)(const talus_pair_law *pair, struct law_complaint *complaint);
};

#define CONTACT_LAW(name) extern const struct law_type law_##name;
#include "law/laws.def"
#undef CONTACT_LAW

#define CONTACT_LAW(name) LAW_##name,
enum law_index {
#include "law/laws.def"
    LAW_COUNT
};
#undef CONTACT_LAW

const struct law_type *law_get(int index);

/* Every law's check. */
bool law_check(const talus_pair_law *pair, struct law_complaint *complaint);

/* low <= value <= high and finite; otherwise the complaint is filled. */
bool law_in_range(const char *key, double value, double low, double high, const char *allowed,
                  struct law_complaint *complaint);

#endif
