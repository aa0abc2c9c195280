/* SPDX-License-Identifier: Apache-2.0
 * The kinds of shapes that a scene can make besides sphere and disc, for the catalog. Their keys are in the
 * scene reference, the point sets in geom/forms.h. */
#ifndef GEOM_FORM_KINDS_H
#define GEOM_FORM_KINDS_H

#include "talus/catalog.h"

enum { FORM_KIND_COUNT = 16 };
extern const talus_entry form_kinds[FORM_KIND_COUNT];

#endif
