/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* fopencookie */
#include "page/bytes.h"

#include <string.h>

#include "base/error.h"

void *bytes_extend(struct bytes *bytes, size_t more) {
    if (more > SIZE_MAX - bytes->count) return NULL;
    size_t needed = bytes->count + more;
    if (needed > bytes->capacity) {
        /* Doubled: large ones grow piece by piece through the stream. */
        size_t room = needed > 2 * bytes->capacity ? needed : 2 * bytes->capacity;
        unsigned char *data = memory_resize(&bytes->memory, bytes->data, bytes->capacity, room, 1);
        if (data == NULL) return NULL;
        bytes->data = data;
        bytes->capacity = room;
    }
    unsigned char *place = bytes->data + bytes->count;
    memset(place, 0, more);
    bytes->count = needed;
    return place;
}

talus_status bytes_put(struct bytes *bytes, const void *data, size_t count, talus_error *err) {
    if (count == 0) return TALUS_OK;
    void *place = bytes_extend(bytes, count);
    if (place == NULL) return error_memory(err);
    memcpy(place, data, count);
    return TALUS_OK;
}

void bytes_free(struct bytes *bytes) {
    memory_free(&bytes->memory, bytes->data, bytes->capacity, 1);
    bytes->data = NULL;
    bytes->count = bytes->capacity = 0;
}

static ssize_t write_bytes(void *cookie, const char *data, size_t count) {
    return bytes_put(cookie, data, count, NULL) < 0 ? 0 : (ssize_t)count;
}

FILE *bytes_stream(struct bytes *bytes) {
    return fopencookie(bytes, "w", (cookie_io_functions_t){.write = write_bytes});
}

talus_status bytes_stream_end(FILE *stream, talus_error *err) {
    bool failed = ferror(stream) != 0;
    failed = fclose(stream) != 0 || failed;
    return failed ? error_memory(err) : TALUS_OK;
}
