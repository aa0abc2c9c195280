/* SPDX-License-Identifier: Apache-2.0
 * A canvas as PNG file. Equal pixels give equal bytes: no time or program name is stored. */
#ifndef IO_PNG_FILE_H
#define IO_PNG_FILE_H

#include "io/canvas.h"

talus_status png_file_write(const struct canvas *canvas, const char *path, talus_error *err);

#endif
