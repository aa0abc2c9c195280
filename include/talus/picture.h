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

/* ---- pictures of what a run has stored --------------------------------------------------------- */

typedef struct talus_pictures talus_pictures;

/* `from`: directory of a run, its frames/, or one frame_N.vtm. A run without frames has the state of its checkpoint. */
talus_status talus_pictures_open(const char *from, talus_pictures **out, talus_error *err);
void talus_pictures_close(talus_pictures *pictures); /* NULL is fine */

size_t talus_pictures_count(const talus_pictures *pictures); /* states */
int talus_pictures_dim(const talus_pictures *pictures);
/* As the scene has its pictures drawn; the usual one if there is no scene beside the frames. Its texts are valid until
 * the pictures are closed. */
talus_picture_config talus_pictures_config(const talus_pictures *pictures);

/* State `number`, the first is 0. `color` may be any number of the frame, too: `mass`, the size of a vector, `|f|`, or one
 * of its components, `v.x`. */
talus_status talus_pictures_write(talus_pictures *pictures, size_t number,
                                  const talus_picture_config *config, const char *path,
                                  talus_error *err);

/* What all pictures of a film need so that it does not flicker: zero it, look at every state, then use it. */
typedef struct talus_picture_common {
    bool any;
    talus_vec3 low, high; /* m, the box around everything */
    double range[2];      /* of the values */
    double force_widest;  /* N */
} talus_picture_common;
talus_status talus_pictures_look(talus_pictures *pictures, size_t number,
                                 const talus_picture_config *config, talus_picture_common *common,
                                 talus_error *err);
/* What the config leaves open is set. */
void talus_picture_common_use(const talus_picture_common *common, talus_picture_config *config);

#ifdef __cplusplus
}
#endif
#endif
