/* SPDX-License-Identifier: Apache-2.0 */
#include "io/xml.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "io/file.h"

talus_status xml_open(struct xml *xml, const char *path, struct memory *memory, talus_error *err) {
    *xml = (struct xml){.path = path, .memory = memory};
    FILE *from = file_read(path, err);
    if (from == NULL) return TALUS_ERR_FILE;
    for (;;) {
        char *grown = memory_reserve(memory, xml->text, &xml->room, xml->size + (1 << 16), 1);
        if (grown == NULL) {
            fclose(from);
            xml_close(xml);
            return error_memory(err);
        }
        xml->text = grown;
        size_t got = fread(xml->text + xml->size, 1, xml->room - xml->size, from);
        xml->size += got;
        if (got == 0) break;
    }
    bool failed = ferror(from) != 0; /* e.g. a directory */
    int number = errno;
    fclose(from);
    if (!failed) return TALUS_OK;
    xml_close(xml);
    return error_set(err, TALUS_ERR_FILE, "%s: cannot be read: %s", path, strerror(number));
}

void xml_close(struct xml *xml) {
    memory_free(xml->memory, xml->text, xml->room, 1);
    xml->text = NULL;
}

talus_status xml_next(struct xml *xml, struct xml_tag *tag, bool *found, talus_error *err) {
    const char *from = xml->text + xml->at;
    const char *open = memchr(from, '<', xml->size - xml->at);
    *found = open != NULL;
    if (open == NULL) return TALUS_OK;
    size_t left = (size_t)(xml->text + xml->size - open);
    const char *close = memchr(open, '>', left);
    if (close == NULL)
        return error_set(err, TALUS_ERR_INPUT, "%s: is not whole: it ends within a tag", xml->path);
    tag->name = open + 1;
    tag->name_length = 0;
    while (tag->name + tag->name_length < close &&
           !isspace((unsigned char)tag->name[tag->name_length]))
        tag->name_length++;
    tag->attributes = tag->name + tag->name_length;
    tag->end = close;
    tag->content = close + 1;
    left = (size_t)(xml->text + xml->size - tag->content);
    const char *next = memchr(tag->content, '<', left);
    tag->content_length = next != NULL ? (size_t)(next - tag->content) : left;
    xml->at = (size_t)(tag->content - xml->text);
    return TALUS_OK;
}

bool xml_is(const struct xml_tag *tag, const char *name) {
    return tag->name_length == strlen(name) && memcmp(tag->name, name, tag->name_length) == 0;
}

bool xml_attribute(const struct xml_tag *tag, const char *name, char *value, size_t size) {
    size_t length = strlen(name);
    for (const char *at = tag->attributes; at < tag->end;) {
        while (at < tag->end && isspace((unsigned char)*at)) at++;
        const char *equal = memchr(at, '=', (size_t)(tag->end - at));
        if (equal == NULL || equal + 1 >= tag->end || equal[1] != '"') return false;
        const char *quote = memchr(equal + 2, '"', (size_t)(tag->end - equal - 2));
        if (quote == NULL) return false;
        size_t bytes = (size_t)(quote - equal - 2);
        if ((size_t)(equal - at) == length && memcmp(at, name, length) == 0) {
            if (bytes >= size) return false;
            memcpy(value, equal + 2, bytes);
            value[bytes] = '\0';
            return true;
        }
        at = quote + 1;
    }
    return false;
}

bool xml_count(const struct xml_tag *tag, const char *name, size_t *value) {
    char text[20];
    size_t count = 0;
    if (!xml_attribute(tag, name, text, sizeof text) || text[0] == '\0') return false;
    if (strlen(text) > 18 || strspn(text, "0123456789") != strlen(text)) return false;
    for (const char *at = text; *at != '\0'; at++) count = 10 * count + (size_t)(*at - '0');
    *value = count;
    return true;
}

talus_status xml_expect_vtk(struct xml *xml, const char *type, talus_error *err) {
    struct xml_tag tag;
    char found_type[64] = "", order[32] = "", header[32] = "";
    bool found;
    TALUS_TRY(xml_next(xml, &tag, &found, err));
    if (found && xml_is(&tag, "?xml")) TALUS_TRY(xml_next(xml, &tag, &found, err));
    if (!found || !xml_is(&tag, "VTKFile"))
        return error_set(err, TALUS_ERR_INPUT, "%s: is no VTK file: it does not begin with VTKFile",
                         xml->path);
    xml_attribute(&tag, "type", found_type, sizeof found_type);
    xml_attribute(&tag, "byte_order", order, sizeof order);
    xml_attribute(&tag, "header_type", header, sizeof header);
    if (strcmp(found_type, type) != 0)
        return error_set(err, TALUS_ERR_INPUT, "%s: is a VTK file of type \"%s\", \"%s\" is wanted",
                         xml->path, found_type, type);
    if (strcmp(order, "LittleEndian") != 0 || strcmp(header, "UInt64") != 0 ||
        xml_attribute(&tag, "compressor", order, sizeof order))
        return error_set(err, TALUS_ERR_INPUT,
                         "%s: is not as talus writes it: little-endian, UInt64 headers, not "
                         "compressed",
                         xml->path);
    return TALUS_OK;
}
