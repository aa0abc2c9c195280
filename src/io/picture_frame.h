/* SPDX-License-Identifier: Apache-2.0
 * Pictures of frames: the data of a picture filled from a frame instead of a simulation. */
#ifndef IO_PICTURE_FRAME_H
#define IO_PICTURE_FRAME_H

#include "io/frame.h"
#include "io/picture.h"
#include "io/stored.h"

/* What a frame does not hold itself. */
struct picture_frame_source {
    const struct frame *frame;
    const char *name;           /* of the frame, for messages */
    const struct stored *names; /* where names of groups and materials are told */
    const talus_sim *sim;       /* that they are of, if it is here, else NULL */
    const struct body_form *forms;
    size_t form_count; /* shape k of a frame is forms[k - 1] */
};

talus_status picture_gather_frame(struct picture *picture,
                                  const struct picture_frame_source *source,
                                  const talus_picture_config *config, struct memory *memory,
                                  talus_error *err);

/* Walls and lines of membranes (part of gathering). */
talus_status picture_frame_walls(struct picture *picture, const struct picture_frame_source *source,
                                 talus_error *err);

/* Value of every grain, and what it is called (part of gathering): any array of the frame, as `mass`, `|v|` or `v.x`;
 * x, y, z; or what simulations are coloured by. */
talus_status picture_frame_color(struct picture *picture, const struct picture_frame_source *source,
                                 const char *name, talus_error *err);
/* Does that colour need the contacts? */
bool picture_frame_color_of_contacts(const struct picture_frame_source *source, const char *name);

/* Shapes as shapes.vtp tells them. */
struct picture_forms {
    struct memory memory;
    struct world world; /* has nothing but forms */
};
/* None if the directory has no shapes.vtp. Free it in any case. */
talus_status picture_forms_read(struct picture_forms *forms, const char *directory, int dim,
                                talus_error *err);
void picture_forms_free(struct picture_forms *forms);

#endif
