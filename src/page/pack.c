/* SPDX-License-Identifier: Apache-2.0
 * The container: a head, a table of sections, their numbers. All little-endian, as the machines that Talus runs on. */
#include "page/pack.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"

static size_t type_size(enum pack_type type) {
    return type == PACK_FLOAT64 ? 8 : 4;
}

static void put_u32(unsigned char *at, size_t value) {
    uint32_t word = (uint32_t)value;
    memcpy(at, &word, sizeof word);
}

void *pack_add(struct pack *pack, struct pack_section section, talus_error *err) {
    struct bytes *to = pack->to;
    assert(pack->sections < PACK_SECTIONS);
    size_t padding = (PACK_ALIGN - to->count % PACK_ALIGN) % PACK_ALIGN;
    size_t tuple = type_size(section.type) * (size_t)section.components;
    size_t offset = to->count + padding;
    if (section.count > UINT32_MAX / tuple || offset + section.count * tuple > UINT32_MAX) {
        error_set(err, TALUS_ERR_INPUT, "a frame of more than 4 GB is too large for the page");
        return NULL;
    }
    if (bytes_extend(to, padding + section.count * tuple) == NULL) {
        error_memory(err);
        return NULL;
    }
    unsigned char *entry = to->data + PACK_HEAD + pack->sections * PACK_ENTRY;
    memcpy(entry, section.name, strlen(section.name)); /* the rest is zero */
    put_u32(entry + 32, (size_t)section.owner);
    put_u32(entry + 36, (size_t)section.type);
    put_u32(entry + 40, (size_t)section.components);
    put_u32(entry + 44, section.count);
    put_u32(entry + 48, offset);
    pack->sections++;
    put_u32(to->data + 52, pack->sections);
    return to->data + offset;
}
