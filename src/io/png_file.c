/* SPDX-License-Identifier: Apache-2.0
 * By libpng's simplified interface: it returns a code where the full one would need longjmp. */
#include "io/png_file.h"

#include <errno.h>
#include <png.h>
#include <string.h>

#include "base/error.h"
#include "io/file.h"

static talus_status open_for(struct file *file, const char *path, talus_error *err) {
    char directory[FILE_PATH] = ".";
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    size_t length = (size_t)(name - path); /* the slash included: "/" stays "/" */
    if (length >= sizeof directory)
        return error_set(err, TALUS_ERR_FILE, "%.200s...: the path is longer than %d characters",
                         path, FILE_PATH - 1);
    if (length > 0) {
        memcpy(directory, path, length);
        directory[length] = '\0';
    }
    return file_open(file, directory, name, FILE_WHOLE, err);
}

talus_status png_file_write(const struct canvas *canvas, const char *path, talus_error *err) {
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .width = (png_uint_32)canvas->width,
                       .height = (png_uint_32)canvas->height,
                       .format = PNG_FORMAT_RGB};
    struct file file;
    TALUS_TRY(open_for(&file, path, err));
    errno = 0;
    if (png_image_write_to_stdio(&image, file.stream, 0, canvas->pixels, 0, NULL) == 0) {
        const char *reason = errno != 0 ? strerror(errno) : image.message;
        talus_status status =
            error_set(err, TALUS_ERR_FILE, "%s: cannot be written: %s", path, reason);
        file_discard(&file);
        return status;
    }
    return file_close(&file, err);
}
