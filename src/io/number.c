/* SPDX-License-Identifier: Apache-2.0 */
#include "io/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *number_text(double value, char text[NUMBER_TEXT]) {
    if (isnan(value)) { /* the sign of a nan means nothing, and printf would show it */
        snprintf(text, NUMBER_TEXT, "nan");
        return text;
    }
    for (int digits = DBL_DIG; digits <= DBL_DECIMAL_DIG; digits++) {
        snprintf(text, NUMBER_TEXT, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    return text;
}
