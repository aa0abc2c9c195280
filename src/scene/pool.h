/* SPDX-License-Identifier: Apache-2.0
 *
 * A pool: many small allocations with one owner and one end. A scene's tree, strings and arrays
 * live in one, so reading needs no clean-up paths: whatever happens, the pool is freed once.
 */
#ifndef SCENE_POOL_H
#define SCENE_POOL_H

#include <stddef.h>

#include "base/error.h"
#include "base/memory.h"

struct pool;

/* `refuse_at`: fail that allocation (fault tests); 0 = never. NULL when out of memory. */
struct pool *pool_create(int64_t refuse_at);
void pool_free(struct pool *pool); /* NULL is fine */

/* Zeroed room for count elements; NULL when out of memory. Zero elements give a valid pointer. */
void *pool_alloc(struct pool *pool, size_t count, size_t size);

/* Copies; NULL when out of memory. */
char *pool_text(struct pool *pool, const char *text, size_t length);
char *pool_format(struct pool *pool, const char *format, ...) BASE_PRINTF(2, 3);

#endif
