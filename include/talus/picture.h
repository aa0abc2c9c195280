/* SPDX-License-Identifier: Apache-2.0
 * Pictures of a state as PNG, made by the program itself without a display. */
#ifndef TALUS_PICTURE_H
#define TALUS_PICTURE_H

#include "talus/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct talus_picture_config {
    int width, height;         /* pixels, 16..8192; default 1200 x 900 */
    const char *color;         /* what shades the grains: "speed", "radius", "height", "pressure",
                             "coordination", "spin", "group", "id"; default "speed" */
    bool forces;               /* bars along the branch, width proportional to the normal force */
    bool boundaries;           /* default true */
    double azimuth, elevation; /* deg, of the camera in 3D; default 35, 20 */
    bool legend;               /* colour bar with numbers; default true */
    bool grains;               /* default true; without them force chains are seen alone */
    const char *
        map; /* colours of numbers: "lake" (default), "grey", "tide" (blue, white, red; zero in the middle) */
    double
        range[2]; /* values of the first and the last colour; default both 0: as the values need */
    double force_widest;  /* N, of a bar of full width; default 0: the largest force */
    const char *title;    /* a line above it; default NULL */
    talus_vec3 low, high; /* m, corners of the part of space to show; default both 0: as much as
                             grains and boundaries need, which changes with them */
} talus_picture_config;

talus_picture_config talus_picture_config_default(void);

/* Written to a temporary name and renamed, so an old picture survives a failure. */
talus_status talus_picture_write(const talus_sim *sim, const talus_picture_config *config,
                                 const char *path, talus_error *err);

#ifdef __cplusplus
}
#endif
#endif
