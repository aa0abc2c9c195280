/* SPDX-License-Identifier: Apache-2.0
 * The list of shapes. */
#include "geom/shape.h"

#include <string.h>

#define SHAPE(name) &shape_##name,
static const struct shape_type *const shapes[SHAPE_COUNT] = {
#include "geom/shapes.def"
};
#undef SHAPE

const struct shape_type *shape_get(int index) {
    return shapes[index];
}

int shape_find(const char *name) {
    for (int i = 0; i < SHAPE_COUNT; i++)
        if (strcmp(shapes[i]->entry.name, name) == 0) return i;
    return -1;
}
