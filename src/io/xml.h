/* SPDX-License-Identifier: Apache-2.0
 * The tags of an XML file one after the other: as much XML as our own files have. No entities, no comments. */
#ifndef IO_XML_H
#define IO_XML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "talus/status.h"

struct xml {
    const char *path; /* for messages */
    struct memory *memory;
    char *text; /* the whole file */
    size_t size, room;
    size_t at;
};

struct xml_tag {
    const char *name; /* "Piece", "/Piece" */
    size_t name_length;
    const char *attributes, *end; /* up to the closing > */
    const char *content;          /* what follows up to the next tag */
    size_t content_length;
};

talus_status xml_open(struct xml *xml, const char *path, struct memory *memory, talus_error *err);
void xml_close(struct xml *xml);

/* The next tag; false at the end of the file. A tag that does not end is an error. */
talus_status xml_next(struct xml *xml, struct xml_tag *tag, bool *found, talus_error *err);
bool xml_is(const struct xml_tag *tag, const char *name);
/* The value of an attribute; false: it is not there or longer than the room for it. */
bool xml_attribute(const struct xml_tag *tag, const char *name, char *value, size_t size);
/* A whole number >= 0 of at most 18 digits. */
bool xml_count(const struct xml_tag *tag, const char *name, size_t *value);

/* The first tags must be <?xml?> and <VTKFile type=... byte_order="LittleEndian" header_type="UInt64">. */
talus_status xml_expect_vtk(struct xml *xml, const char *type, talus_error *err);

#endif
