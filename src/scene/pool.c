/* SPDX-License-Identifier: Apache-2.0 */
#include "scene/pool.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { POOL_ALIGN = 16, POOL_BLOCK = 16 * 1024 };

struct pool_block {
    struct pool_block *previous;
    size_t size, used; /* bytes after this header */
};

struct pool {
    struct memory memory;
    struct pool_block *last;
};

static const size_t pool_header =
    (sizeof(struct pool_block) + POOL_ALIGN - 1) / POOL_ALIGN * POOL_ALIGN;

struct pool *pool_create(int64_t refuse_at) {
    struct memory memory = {.refuse_at = refuse_at};
    struct pool *pool = memory_resize(&memory, NULL, 0, 1, sizeof *pool);
    if (pool != NULL) pool->memory = memory;
    return pool;
}

void pool_free(struct pool *pool) {
    if (pool == NULL) return;
    struct memory memory = pool->memory;
    struct pool_block *block = pool->last;
    while (block != NULL) {
        struct pool_block *previous = block->previous;
        memory_free(&memory, block, pool_header + block->size, 1);
        block = previous;
    }
    memory_free(&memory, pool, 1, sizeof *pool);
}

static struct pool_block *add_block(struct pool *pool, size_t bytes) {
    size_t size = bytes > POOL_BLOCK ? bytes : POOL_BLOCK;
    struct pool_block *block = memory_resize(&pool->memory, NULL, 0, pool_header + size, 1);
    if (block == NULL) return NULL;
    block->size = size;
    /* A block for one large request goes below the current one, whose room is still useful. */
    if (bytes > POOL_BLOCK && pool->last != NULL) {
        block->previous = pool->last->previous;
        pool->last->previous = block;
    } else {
        block->previous = pool->last;
        pool->last = block;
    }
    return block;
}

void *pool_alloc(struct pool *pool, size_t count, size_t size) {
    if (size != 0 && count > (SIZE_MAX / 2) / size) return NULL;
    size_t bytes = (count * size + POOL_ALIGN - 1) / POOL_ALIGN * POOL_ALIGN;
    if (bytes == 0) bytes = POOL_ALIGN;
    struct pool_block *block = pool->last;
    if (block == NULL || block->size - block->used < bytes) block = add_block(pool, bytes);
    if (block == NULL) return NULL;
    void *room = (char *)block + pool_header + block->used;
    block->used += bytes;
    return room;
}

char *pool_text(struct pool *pool, const char *text, size_t length) {
    char *copy = pool_alloc(pool, length + 1, 1);
    if (copy != NULL && length > 0) memcpy(copy, text, length);
    return copy;
}

char *pool_format(struct pool *pool, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0) return NULL;
    char *text = pool_alloc(pool, (size_t)length + 1, 1);
    if (text == NULL) return NULL;
    va_start(arguments, format);
    vsnprintf(text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return text;
}
