/* SPDX-License-Identifier: Apache-2.0
 *
 * The page and all its data in one file: each piece of data compressed (zlib), as base64 in an element of its own that no
 * browser runs. Where all frames would be too much, every second one goes, and again, until they fit.
 */
#include <inttypes.h>
#include <string.h>
#include <zlib.h>

#include "base/error.h"
#include "io/base64.h"
#include "io/file.h"
#include "page/bundle.h"
#include "page/source.h"
#include "talus/page.h"

talus_page_file_config talus_page_file_config_default(void) {
    const uint64_t megabyte = 1000000;
    return (talus_page_file_config){.stop = INT64_MAX, .step = 1, .limit = 100 * megabyte};
}

/* ---- one piece ------------------------------------------------------------------------------- */

static talus_status compress_bytes(const struct bytes *from, struct bytes *to, talus_error *err) {
    uLongf size = compressBound((uLong)from->count);
    to->count = 0;
    unsigned char *out = bytes_extend(to, size);
    if (out == NULL) return error_memory(err);
    if (compress2(out, &size, from->data, (uLong)from->count, Z_DEFAULT_COMPRESSION) != Z_OK)
        return error_memory(err); /* the only thing that can be missing */
    to->count = size;
    return TALUS_OK;
}

static void put_piece(FILE *to, const char *name, const struct bytes *bytes) {
    struct base64 base64 = base64_start(to);
    fprintf(to, "<script type=\"application/octet-stream\" id=\"data-%s\">", name);
    base64_put(&base64, bytes->data, bytes->count);
    base64_end(&base64);
    fputs("</script>\n", to);
}

/* In letters, with the element around them. */
static uint64_t size_in_file(const struct bytes *bytes) {
    const uint64_t element = 76;
    return ((uint64_t)bytes->count + 2) / 3 * 4 + element;
}

/* ---- the frames ------------------------------------------------------------------------------ */

struct kept {
    size_t number; /* of the frame */
    struct bytes bytes;
};

struct book {
    struct source source;
    struct memory memory;
    struct kept *frames;
    size_t count, capacity;
    int64_t step; /* of those asked for, one of so many is kept */
    uint64_t size, limit;
    struct bytes whole, packed; /* room for one piece */
};

static talus_status keep(struct book *book, size_t number, talus_error *err) {
    struct kept *frames = memory_reserve(&book->memory, book->frames, &book->capacity,
                                         book->count + 1, sizeof *frames);
    if (frames == NULL) return error_memory(err);
    book->frames = frames;
    TALUS_TRY(source_frame(&book->source, number, &book->whole, err));
    TALUS_TRY(compress_bytes(&book->whole, &book->packed, err));
    struct kept *frame = &book->frames[book->count];
    *frame = (struct kept){.number = number};
    TALUS_TRY(bytes_put(&frame->bytes, book->packed.data, book->packed.count, err));
    book->count++;
    book->size += size_in_file(&frame->bytes);
    return TALUS_OK;
}

static void drop(struct book *book, size_t at) {
    book->size -= size_in_file(&book->frames[at].bytes);
    bytes_free(&book->frames[at].bytes);
    memmove(book->frames + at, book->frames + at + 1,
            (book->count - at - 1) * sizeof *book->frames);
    book->count--;
}

static void thin(struct book *book) {
    book->step *= 2;
    for (size_t i = 1; i < book->count; i++) drop(book, i);
}

static talus_status too_large(const struct book *book, talus_error *err) {
    return error_set(err, TALUS_ERR_INPUT,
                     "one frame of %s makes a page of %.1f MB, but at most %.1f MB are allowed "
                     "(--limit)",
                     book->source.directory, (double)book->size * 1e-6, (double)book->limit * 1e-6);
}

/* The last one in any case: it is the result. */
static talus_status keep_last(struct book *book, size_t last, talus_error *err) {
    if (book->count > 0 && book->frames[book->count - 1].number == last) return TALUS_OK;
    TALUS_TRY(keep(book, last, err));
    while (book->size > book->limit && book->count > 1) drop(book, book->count - 2);
    return TALUS_OK;
}

static talus_status keep_all(struct book *book, const struct stored_range *range, int64_t asked,
                             int64_t step, talus_error *err) {
    for (int64_t k = 0; k < asked; k++) {
        if (k % book->step != 0) continue;
        TALUS_TRY(keep(book, (size_t)(range->first + k * step), err));
        while (book->size > book->limit && book->count > 1) thin(book);
        if (book->size > book->limit) return too_large(book, err);
    }
    TALUS_TRY(keep_last(book, (size_t)(range->first + (asked - 1) * step), err));
    return book->size > book->limit ? too_large(book, err) : TALUS_OK;
}

/* ---- the file -------------------------------------------------------------------------------- */

static talus_status put_made(struct book *book, FILE *to, const char *name, talus_error *err) {
    TALUS_TRY(compress_bytes(&book->whole, &book->packed, err));
    put_piece(to, name, &book->packed);
    return TALUS_OK;
}

static talus_status put_data(struct book *book, FILE *to, talus_error *err) {
    struct bytes numbers = {.count = 0};
    size_t *all = bytes_extend(&numbers, (book->count + 1) * sizeof *all);
    if (all == NULL) return error_memory(err);
    for (size_t i = 0; i < book->count; i++) all[i] = book->frames[i].number;
    talus_status status = source_describe(&book->source, all, book->count, &book->whole, err);
    bytes_free(&numbers);
    TALUS_TRY(status);
    TALUS_TRY(put_made(book, to, "run", err));
    TALUS_TRY(source_series(&book->source, &book->whole, err));
    TALUS_TRY(put_made(book, to, "series", err));
    TALUS_TRY(source_shapes(&book->source, &book->whole, err));
    TALUS_TRY(put_made(book, to, "shapes", err));
    for (size_t i = 0; i < book->count; i++) {
        char name[32];
        snprintf(name, sizeof name, "frame-%zu", book->frames[i].number);
        put_piece(to, name, &book->frames[i].bytes);
    }
    return TALUS_OK;
}

static talus_status put_file(struct book *book, const char *path, talus_page_file_report *report,
                             talus_error *err) {
    struct file file;
    struct bundle bundle = bundle_get();
    TALUS_TRY(file_open(&file, path[0] == '/' ? "/" : ".", path[0] == '/' ? path + 1 : path,
                        FILE_WHOLE, err));
    fwrite(bundle.html, 1, bundle.data_place, file.stream);
    talus_status status = put_data(book, file.stream, err);
    if (status < 0) {
        file_discard(&file);
        return status;
    }
    fwrite(bundle.html + bundle.data_place, 1, bundle.size - bundle.data_place, file.stream);
    long size = ftell(file.stream);
    report->bytes = size > 0 ? (uint64_t)size : 0;
    return file_close(&file, err);
}

static talus_status count_piece(struct book *book, talus_status made, talus_error *err) {
    TALUS_TRY(made);
    TALUS_TRY(compress_bytes(&book->whole, &book->packed, err));
    book->size += size_in_file(&book->packed);
    return TALUS_OK;
}

/* As if all frames were told of: with fewer it is a little less. */
static talus_status count_all_but_frames(struct book *book, talus_error *err) {
    struct source *source = &book->source;
    struct bytes *whole = &book->whole;
    book->size = bundle_get().size;
    TALUS_TRY(count_piece(book, source_describe(source, NULL, 0, whole, err), err));
    TALUS_TRY(count_piece(book, source_series(source, whole, err), err));
    return count_piece(book, source_shapes(source, whole, err), err);
}

static talus_status write_book(struct book *book, const talus_page_file_config *config,
                               talus_page_file_report *report, talus_error *err) {
    struct stored_range range;
    TALUS_TRY(source_open(&book->source, config->directory, err));
    TALUS_TRY(stored_choose(&book->source.stored, config->first, config->stop, &range, err));
    TALUS_TRY(count_all_but_frames(book, err));
    /* A step beyond the last frame is one to the last frame. */
    int64_t step =
        config->step < range.stop - range.first ? config->step : range.stop - range.first;
    report->asked = (range.stop - range.first + step - 1) / step;
    TALUS_TRY(keep_all(book, &range, report->asked, step, err));
    report->frames = (int64_t)book->count;
    report->step = book->step;
    return put_file(book, config->path, report, err);
}

talus_status talus_page_write(const talus_page_file_config *config, talus_page_file_report *report,
                              talus_error *err) {
    talus_page_file_report unwanted;
    if (report == NULL) report = &unwanted;
    *report = (talus_page_file_report){.frames = 0};
    if (config->directory == NULL || config->path == NULL || config->path[0] == '\0')
        return error_set(err, TALUS_ERR_INPUT, "a page needs a directory and the name of a file");
    if (config->step < 1)
        return error_set(err, TALUS_ERR_INPUT, "step is %" PRId64 ", but must be 1 or more",
                         config->step);
    struct book book = {.step = 1, .limit = config->limit};
    talus_status status = write_book(&book, config, report, err);
    for (size_t i = 0; i < book.count; i++) bytes_free(&book.frames[i].bytes);
    memory_free(&book.memory, book.frames, book.capacity, sizeof *book.frames);
    bytes_free(&book.whole);
    bytes_free(&book.packed);
    source_close(&book.source);
    return status;
}
