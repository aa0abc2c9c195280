/* SPDX-License-Identifier: Apache-2.0
 *
 * A seal before an HDF5 file: 512 bytes that say in plain text what it is, how long it is and what its bytes
 * sum up to. HDF5 allows such a block before a file (a "user block") and its readers skip it. Damage is found
 * before HDF5 looks at anything, whatever byte it has hit.
 */
#ifndef IO_SEAL_H
#define IO_SEAL_H

#include <stddef.h>
#include <stdint.h>

#include "talus/status.h"

enum { SEAL_BYTES = 512, SEAL_PROGRAM = 32 };

struct seal {
    int version;                /* of the format */
    char program[SEAL_PROGRAM]; /* version of the program that wrote it */
    uint64_t length;            /* bytes of the whole file */
    uint64_t checksum;          /* of all bytes after the seal, and of the numbers above */
};

/* Write the seal of an open file and sync it; `path` names it in messages. */
talus_status seal_file(int descriptor, const char *path, int version, talus_error *err);

/* Is the file what it was when it was sealed? TALUS_ERR_INPUT: no, or it is something else. */
talus_status seal_check(const char *path, int version, struct seal *out, talus_error *err);

/* The sum: any change of eight neighbouring bytes changes it. */
uint64_t seal_sum(uint64_t sum, const void *data, size_t bytes);

#endif
