/* SPDX-License-Identifier: Apache-2.0 */
#include "law/law.h"

#define CDLAW(name) &law_##name,
static const talus_entry *const laws[LAW_COUNT] = {
#include "law/laws.def"
};
#undef CDLAW

const talus_entry *law_get(int index) {
    return laws[index];
}
