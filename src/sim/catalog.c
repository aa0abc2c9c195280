/* SPDX-License-Identifier: Apache-2.0
 * Everything that is registered in a list, as one catalog. */
#include "talus/catalog.h"

#include "geom/form_kinds.h"
#include "geom/shape.h"
#include "law/law.h"
#include "measure/measure.h"
#include "scheme/integrator.h"
#include "sim/quantities.h"
#include "solve/delassus_solver.h"
#include "solve/solver.h"

size_t talus_catalog_count(void) {
    return SHAPE_COUNT + FORM_KIND_COUNT + LAW_COUNT + SOLVER_COUNT + INTEGRATOR_COUNT +
           delassus_solver_count() + 1 + QUANTITY_COUNT + measure_count();
}

const talus_entry *talus_catalog_entry(size_t index) {
    int i = (int)index;
    if (i < SHAPE_COUNT) return &shape_get(i)->entry;
    i -= SHAPE_COUNT;
    if (i < FORM_KIND_COUNT) return &form_kinds[i];
    i -= FORM_KIND_COUNT;
    if (i < LAW_COUNT) return &law_get(i)->entry;
    i -= LAW_COUNT;
    if (i < SOLVER_COUNT) return &solver_get(i)->entry;
    i -= SOLVER_COUNT;
    if (i < INTEGRATOR_COUNT) return &integrator_get(i)->entry;
    i -= INTEGRATOR_COUNT;
    if (i == 0) return &delassus_auto_entry;
    i -= 1;
    if ((size_t)i < delassus_solver_count()) return &delassus_solver_get((size_t)i)->entry;
    i -= (int)delassus_solver_count();
    if (i < QUANTITY_COUNT) return &quantity_get(i)->entry;
    i -= QUANTITY_COUNT;
    return (size_t)i < measure_count() ? &measure_get((size_t)i)->entry : NULL;
}

#ifndef TALUS_VERSION
#define TALUS_VERSION "0.1.0"
#endif

const char *talus_version(void) {
    return TALUS_VERSION;
}
