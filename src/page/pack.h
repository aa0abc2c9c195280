/* SPDX-License-Identifier: Apache-2.0
 *
 * What the page gets of a frame: arrays of numbers that a browser uses as they are, without parsing. The layout is in
 * docs/page.md; view/src/unpack.js reads it.
 */
#ifndef PAGE_PACK_H
#define PAGE_PACK_H

#include "io/frame.h"
#include "page/bytes.h"

#define PACK_MAGIC "TALUSPG1"

enum {
    PACK_HEAD = 56,    /* bytes: magic, time, step, origin, dimension, count of sections */
    PACK_ENTRY = 56,   /* bytes: name, owner, type, components, count, offset, nothing */
    PACK_ALIGN = 8,    /* sections begin at multiples of this */
    PACK_SECTIONS = 64 /* at most */
};

enum pack_type { PACK_FLOAT32, PACK_INT32, PACK_FLOAT64 };

/* To whom an array belongs: the kinds of blocks of a frame, and two more. */
enum pack_owner { PACK_SHAPES = FRAME_KINDS, PACK_CELL };

/* A frame, and the one whose contacts are shown, which is mostly the same. `surfaces`: with the polygons of grains that are
 * not round, for want of shapes. What `to` held is replaced. */
talus_status pack_frame(const struct frame *frame, const struct frame *contacts, bool surfaces,
                        struct bytes *to, talus_error *err);
/* The surfaces of all shapes (shapes.vtp). */
talus_status pack_shapes(const struct frame_block *shapes, struct bytes *to, talus_error *err);

/* ---- for the above --------------------------------------------------------------------------- */

struct pack {
    struct bytes *to;
    double origin[3];
    size_t sections;
};

/* One more section, all zero, to be filled at once; NULL with the error set. */
struct pack_section {
    const char *name;
    int owner;
    enum pack_type type;
    int components;
    size_t count;
};
void *pack_add(struct pack *pack, struct pack_section section, talus_error *err);

/* Facts of three numbers, as one tuple or as three. */
static inline bool pack_is_fact(const struct frame_array *fact) {
    return fact != NULL && fact->count * (size_t)fact->components >= 3;
}
static inline double pack_fact(const struct frame_array *fact, int k) {
    return fact->components == 3 ? frame_real(fact, 0, k) : frame_real(fact, (size_t)k, 0);
}

/* `grains`: those of the frame that is packed; `contacts` may come from another one of the same moment. */
talus_status pack_contacts(struct pack *pack, const struct frame_block *grains,
                           const struct frame *contacts, enum frame_kind kind, talus_error *err);

#endif
