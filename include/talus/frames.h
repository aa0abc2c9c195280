/* SPDX-License-Identifier: Apache-2.0
 * Frames: states of a simulation as files for ParaView and OVITO (docs/files.md), and what was stored so in the formats
 * of other programs. talus_run keeps frames by itself if the scene asks for them. */
#ifndef TALUS_FRAMES_H
#define TALUS_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "talus/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- keeping frames -------------------------------------------------------------------------- */

typedef struct talus_frames_config {
    const char *const
        *quantities; /* names of the catalog's kind "quantity"; none: the usual ones */
    size_t quantity_count;
    bool contacts, walls, surfaces; /* default true */
    bool float32;                   /* half the size, seven digits; default false */
} talus_frames_config;

typedef struct talus_frames talus_frames;

talus_frames_config talus_frames_config_default(void);

/* Into directory/frames, which is made; the directory must be there. `config` may be NULL. */
talus_status talus_frames_open(const char *directory, const talus_frames_config *config,
                               talus_frames **out, talus_error *err);
/* The state now. Files are written by a thread while the caller goes on; what went wrong with them is told by the next
 * call. */
talus_status talus_frames_take(talus_frames *frames, const talus_sim *sim, talus_error *err);
/* Waits until the last one is written. NULL is fine. */
talus_status talus_frames_close(talus_frames *frames, talus_error *err);

/* What is in a .pvd, .vtm, .vtp or .vtkhdf file that a run or an export has written, in a few lines: times, grains, contacts,
 * arrays. */
talus_status talus_frames_describe(const char *path, FILE *to, talus_error *err);

/* ---- frames for other programs --------------------------------------------------------------- */

typedef struct talus_export_config {
    const char *
        from; /* directory of a run, its frames/, or one frame_N.vtm. A run without frames has its final state */
    const char *format; /* talus_export_format_name */
    const char *
        to; /* name of the file; NULL: `export` beside the results, with the ending of the format */
    int64_t first; /* frames from this one, the first is 0, negative: from the end; default 0 */
    int64_t stop;  /* up to before this one; default INT64_MAX: all */
    int64_t step;  /* only every so many; default 1 */
} talus_export_config;

enum { TALUS_EXPORT_FILES = 8, TALUS_EXPORT_PATH = 4096 };

typedef struct talus_export_report {
    size_t frames;     /* written */
    size_t file_count; /* what was made */
    char files[TALUS_EXPORT_FILES][TALUS_EXPORT_PATH];
} talus_export_report;

talus_export_config talus_export_config_default(void);

/* All frames that are asked for, into one file where the format does that. Old files of these names are replaced when
 * the new ones are complete. */
talus_status talus_export(const talus_export_config *config, talus_export_report *report,
                          talus_error *err);

const char *talus_export_format_name(size_t index); /* NULL past the last */
const char *talus_export_format_meaning(size_t index);

#ifdef __cplusplus
}
#endif
#endif
