/* SPDX-License-Identifier: Apache-2.0
 * What the parts that read FCLIB files share. */
#ifndef IO_FCLIB_READER_H
#define IO_FCLIB_READER_H

#include "io/fclib.h"

enum { FCLIB_NAME = 128 };

struct fclib_reader {
    struct hdf5_file file;
    struct fclib *to;
    const char *group; /* fclib_local, fclib_global, or one of those with rolling friction */
    talus_error *err;
};

/* fclib_matrix.c: as triplets, and as rows of the size the matrix must have (SIZE_MAX: any). */
talus_status fclib_read_triplets(struct fclib_reader *reader, const char *matrix,
                                 struct triplets *triplets);
talus_status fclib_read_matrix(struct fclib_reader *reader, const char *matrix, size_t rows,
                               size_t columns, struct sparse *out);
talus_status fclib_wrong_matrix(const struct fclib_reader *reader, const char *matrix,
                                const char *what);

#endif
