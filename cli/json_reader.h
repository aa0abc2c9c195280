/* SPDX-License-Identifier: Apache-2.0
 * Reads JSON as a stream of values with their paths: "energy.potential", "phases.0.name". */
#ifndef CLI_JSON_READER_H
#define CLI_JSON_READER_H

#include <stdbool.h>

/* Called for each number, text, true, false and null; `text` is the value as text, unescaped. */
typedef void json_value(const char *path, const char *text, void *context);

/* False if the text is not JSON. */
bool json_read(const char *text, json_value *value, void *context);

#endif
