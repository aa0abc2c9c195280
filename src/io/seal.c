/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "io/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "io/file.h"
#include "talus/catalog.h"

static const char magic[] = "talus checkpoint";

enum { READ_BYTES = 1 << 18, LANES = 4 };

/* ---- the sum ----------------------------------------------------------------------------------- */

/* Multiplication by an odd number and this shift can both be undone, so two different words never give the same. */
static uint64_t mix(uint64_t sum, uint64_t word) {
    sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
    return sum ^ (sum >> 29);
}

/* Four sums side by side: one would wait for its own multiplications. */
uint64_t seal_sum(uint64_t sum, const void *data, size_t bytes) {
    const unsigned char *at = data;
    uint64_t lanes[LANES] = {sum, 1, 2, 3}, words[LANES];
    size_t left = bytes;
    for (; left >= sizeof words; left -= sizeof words, at += sizeof words) {
        memcpy(words, at, sizeof words);
        for (int k = 0; k < LANES; k++) lanes[k] = mix(lanes[k], words[k]);
    }
    memset(words, 0, sizeof words);
    memcpy(words, at, left);
    for (int k = 0; k < LANES; k++) lanes[k] = mix(lanes[k], words[k]);
    for (int k = 1; k < LANES; k++) lanes[0] = mix(lanes[0], lanes[k]);
    return mix(lanes[0], bytes);
}

/* All after the seal, in pieces of a fixed size, and how many bytes there are in all; false: a read failed. */
static bool sum_file(int descriptor, uint64_t *sum, uint64_t *length) {
    unsigned char block[READ_BYTES];
    uint64_t offset = SEAL_BYTES;
    *sum = 0;
    for (;;) {
        size_t filled = 0;
        while (filled < sizeof block) {
            ssize_t got =
                pread(descriptor, block + filled, sizeof block - filled, (off_t)(offset + filled));
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) return false;
            if (got == 0) break;
            filled += (size_t)got;
        }
        if (filled > 0) *sum = seal_sum(*sum, block, filled);
        offset += filled;
        if (filled < sizeof block) break;
    }
    *length = offset;
    return true;
}

/* With what the seal says itself. */
static uint64_t sum_seal(uint64_t sum, const struct seal *seal) {
    const uint64_t numbers[2] = {(uint64_t)seal->version, seal->length};
    return seal_sum(seal_sum(sum, seal->program, strlen(seal->program)), numbers, sizeof numbers);
}

/* ---- the text ---------------------------------------------------------------------------------- */

static void write_text(char text[SEAL_BYTES], const struct seal *seal) {
    memset(text, '\n', SEAL_BYTES);
    int length = snprintf(
        text, SEAL_BYTES,
        "%s %d\n"
        "program %s\n"
        "length %" PRIu64 "\n"
        "checksum %016" PRIx64 "\n"
        "An HDF5 file begins after these %d bytes; h5py, h5dump and h5ls read it as it is.\n",
        magic, seal->version, seal->program, seal->length, seal->checksum, SEAL_BYTES);
    text[length] = '\n'; /* over the end of the string */
}

talus_status seal_file(int descriptor, const char *path, int version, talus_error *err) {
    struct seal seal = {.version = version};
    char text[SEAL_BYTES];
    snprintf(seal.program, sizeof seal.program, "%s", talus_version());
    errno = 0;
    bool good = sum_file(descriptor, &seal.checksum, &seal.length);
    seal.checksum = sum_seal(seal.checksum, &seal);
    write_text(text, &seal);
    good = good && pwrite(descriptor, text, sizeof text, 0) == (ssize_t)sizeof text;
    /* Systems of files that know no fsync say EINVAL. */
    good = good && (fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS);
    if (good) return TALUS_OK;
    return error_set(err, TALUS_ERR_FILE, "%s: cannot be written: %s", path,
                     errno != 0 ? strerror(errno) : "write error");
}

/* ---- checking ---------------------------------------------------------------------------------- */

static talus_status say_foreign(const char *path, const char *text, size_t got, talus_error *err) {
    static const char hdf5[] = "\211HDF\r\n\032\n";
    bool other = got >= sizeof hdf5 - 1 && memcmp(text, hdf5, sizeof hdf5 - 1) == 0;
    return error_set(err, TALUS_ERR_INPUT, "%s: is no checkpoint of talus%s", path,
                     other      ? ", but some other HDF5 file"
                     : got == 0 ? ": it is empty"
                                : "");
}

static talus_status say_damaged(const char *path, const char *what, talus_error *err) {
    return error_set(err, TALUS_ERR_INPUT, "%s: is damaged: %s", path, what);
}

static talus_status read_seal(int descriptor, const char *path, int version, struct seal *seal,
                              talus_error *err) {
    char text[SEAL_BYTES + 1] = "", again[SEAL_BYTES];
    ssize_t got = pread(descriptor, text, SEAL_BYTES, 0);
    if (got < 0)
        return error_set(err, TALUS_ERR_FILE, "%s: cannot be read: %s", path, strerror(errno));
    if ((size_t)got < sizeof magic || memcmp(text, magic, sizeof magic - 1) != 0)
        return say_foreign(path, text, (size_t)got, err);
    int found =
        sscanf(text + sizeof magic - 1, " %d program %31s length %" SCNu64 " checksum %" SCNx64,
               &seal->version, seal->program, &seal->length, &seal->checksum);
    if (found >= 2 && seal->version != version)
        return error_set(err, TALUS_ERR_INPUT,
                         "%s: is a checkpoint of format %d, written by talus %s; this is talus %s, "
                         "which reads format %d",
                         path, seal->version, seal->program, talus_version(), version);
    if (found == 4) write_text(again, seal);
    if (found != 4 || got != SEAL_BYTES || memcmp(text, again, SEAL_BYTES) != 0)
        return say_damaged(path, "its first 512 bytes are not as they were written", err);
    return TALUS_OK;
}

static talus_status check_bytes(int descriptor, const char *path, const struct seal *seal,
                                talus_error *err) {
    uint64_t sum, length;
    char what[160];
    if (!sum_file(descriptor, &sum, &length))
        return error_set(err, TALUS_ERR_FILE, "%s: cannot be read: %s", path, strerror(errno));
    if (length != seal->length) {
        snprintf(what, sizeof what, "it has %" PRIu64 " bytes, but %" PRIu64 " were written (%s)",
                 length, seal->length,
                 length < seal->length ? "truncated?" : "something was added");
        return say_damaged(path, what, err);
    }
    sum = sum_seal(sum, seal);
    if (sum == seal->checksum) return TALUS_OK;
    snprintf(what, sizeof what,
             "its bytes sum up to %016" PRIx64 ", but %016" PRIx64 " was written", sum,
             seal->checksum);
    return say_damaged(path, what, err);
}

talus_status seal_check(const char *path, int version, struct seal *out, talus_error *err) {
    FILE *from = file_read(path, err);
    if (from == NULL) return TALUS_ERR_FILE;
    talus_status status = read_seal(fileno(from), path, version, out, err);
    if (status >= 0) status = check_bytes(fileno(from), path, out, err);
    fclose(from);
    return status;
}
