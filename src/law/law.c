/* SPDX-License-Identifier: Apache-2.0 */
#include "law/law.h"

#include <math.h>

#define CONTACT_LAW(name) &law_##name,
static const struct law_type *const laws[LAW_COUNT] = {
#include "law/laws.def"
};
#undef CONTACT_LAW

const struct law_type *law_get(int index) {
    return laws[index];
}

bool law_check(const talus_pair_law *pair, struct law_complaint *complaint) {
    for (int i = 0; i < LAW_COUNT; i++)
        if (!laws[i]->check(pair, complaint)) return false;
    return true;
}

bool law_in_range(const char *key, double value, double low, double high, const char *allowed,
                  struct law_complaint *complaint) {
    if (isfinite(value) && value >= low && value <= high) return true;
    *complaint = (struct law_complaint){key, value, allowed};
    return false;
}
