/* SPDX-License-Identifier: Apache-2.0
 * The list of contact laws. */
#ifndef LAW_LAW_H
#define LAW_LAW_H

#include "talus/catalog.h"

#define CDLAW(name) extern const talus_entry law_##name;
#include "law/laws.def"
#undef CDLAW

#define CDLAW(name) LAW_##name,
enum law_index {
#include "law/laws.def"
    LAW_COUNT
};
#undef CDLAW

const talus_entry *law_get(int index);

#endif
