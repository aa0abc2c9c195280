/* SPDX-License-Identifier: Apache-2.0
 * What this build knows: shapes, laws, solvers, with their parameters and where they come from. */
#ifndef TALUS_CATALOG_H
#define TALUS_CATALOG_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct talus_parameter {
    const char *name, *unit, *meaning;
    double default_value, minimum, maximum;
} talus_parameter;

typedef struct talus_entry {
    const char *kind; /* "shape", "law", "solver" */
    const char *name;
    const char *summary;  /* one line */
    const char *citation; /* key in docs/references.bib with equation, or "" */
    const char *about;    /* a paragraph, or NULL */
    const talus_parameter *parameters;
    size_t parameter_count;
} talus_entry;

size_t talus_catalog_count(void);
const talus_entry *talus_catalog_entry(size_t index);

const char *talus_version(void); /* "0.1.0" */

#ifdef __cplusplus
}
#endif
#endif
