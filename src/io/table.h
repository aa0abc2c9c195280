/* SPDX-License-Identifier: Apache-2.0
 * Tables that grow in a file. */
#ifndef IO_TABLE_H
#define IO_TABLE_H

#include <stdio.h>

#include "talus/table.h"

/* Without notes and names of the columns. */
void table_print_rows(const talus_table *table, FILE *to);

#endif
