/* SPDX-License-Identifier: Apache-2.0
 *
 * What a picture shows, gathered from a simulation: coloured grains, force bars, walls cut to the part
 * worth seeing. It points into the simulation, which has to stay as it is meanwhile. picture_flat.c draws it in
 * the plane, picture_solid.c in space.
 */
#ifndef IO_PICTURE_H
#define IO_PICTURE_H

#include "base/memory.h"
#include "io/canvas.h"
#include "math/vec3.h"
#include "talus/picture.h"
#include "world/world.h"

enum {
    PICTURE_CORNERS = 40, /* of a wall's outline */
    PICTURE_NAMES = 12    /* categories in the legend */
};

struct picture_grain {
    vec3 position;
    quat orientation;
    double radius;                /* of the sphere around it */
    const struct body_form *form; /* NULL: round */
    double scale;                 /* size over that of the form */
    double value;                 /* of the shading quantity */
    struct color color;
};

struct picture_bar {
    vec3 from, to;
    double force; /* N, size of the normal force */
    bool pulls;   /* tension, not pressure */
};

struct picture_wall {
    talus_boundary_shape shape;
    size_t boundary; /* its number in the simulation */
    vec3 point, normal, edge;
    double size[2], radius, length; /* length cut to the view if infinite */
    int corner_count;               /* plane and rectangle: outline, cut to the view */
    vec3 corners[PICTURE_CORNERS];  /* mesh: of a prism around it */
    const vec3 *points;             /* mesh: in the world */
    size_t point_count;
    const int32_t (*triangles)[3];
    size_t triangle_count;
};

/* A line worth drawing on a mesh: a rim, or a crease; or on a membrane. */
struct picture_crease {
    vec3 a, b;
};

/* How values become colours, and what the legend says about it. */
struct picture_scale {
    const char *quantity, *unit;
    double low, high;
    bool more; /* a few values lie above high */
    int name_count;
    const char *names[PICTURE_NAMES]; /* categories instead of a range, if name_count > 0 */
};

struct picture {
    int dim;
    double time;
    struct picture_grain *grains;
    size_t grain_count;
    struct picture_bar *bars;
    size_t bar_count, bar_capacity;
    struct picture_wall *walls;
    size_t wall_count, wall_capacity;
    vec3 *mesh_points; /* of all meshes */
    size_t mesh_point_count;
    struct picture_crease *creases;
    size_t crease_count, crease_capacity;
    struct picture_scale scale;
    vec3 low, high;     /* box around what is to be seen; walls are cut to it */
    bool fixed;         /* the box is given, whatever is there */
    double near_share;  /* a plane that is nearer, in diagonals of the box, belongs into it */
    double mean_radius; /* of the grains; of the box if there are none */
    double force_max;   /* of the bars */
    struct memory *memory;
};

/* The part of the page that a drawing may fill, in pixels. */
struct picture_frame {
    double left, top, width, height;
};

talus_status picture_gather(struct picture *picture, const talus_sim *sim,
                            const talus_picture_config *config, struct memory *memory,
                            talus_error *err);
void picture_free(struct picture *picture);

/* Low and high of a config for all pictures of a film that begins here. They hold the box between the
 * low and high given, for what comes later, if low.x <= high.x; if the config fixes its own box, that
 * is the answer. */
talus_status picture_film_view(const talus_sim *sim, const talus_picture_config *config,
                               talus_vec3 *low, talus_vec3 *high, talus_error *err);
/* The walls only, cut to what grains and near walls need: for files that show them. */
talus_status picture_gather_walls(struct picture *picture, const talus_sim *sim,
                                  struct memory *memory, talus_error *err);
bool picture_is_fixed(const talus_picture_config *config);

/* Value, scale and colour of every grain (part of gathering). */
talus_status picture_color(struct picture *picture, const talus_sim *sim,
                           const talus_contact *contacts, size_t contact_count, const char *name,
                           talus_error *err);
bool picture_color_known(const char *name);
extern const char picture_color_names[]; /* "speed, radius, ..." for messages */

/* Walls, and the box around grains and walls, widened from low and high or fixed by them (part of
 * gathering). */
talus_status picture_walls(struct picture *picture, const talus_sim *sim, bool wanted,
                           talus_error *err);

/* Lines of the membranes (part of gathering). */
talus_status picture_membranes(struct picture *picture, const talus_sim *sim, talus_error *err);

/* Points, outline and creases of the meshes among the walls (part of gathering). */
talus_status picture_meshes(struct picture *picture, const talus_sim *sim, talus_error *err);

/* From the centre of one body of a contact to the contact point. */
vec3 picture_arm(const talus_sim *sim, const talus_contact *contact, talus_index body);

/* A horizontal plane with the grains above it. */
bool picture_is_floor(const struct picture_wall *wall);

/* Point k of n on the rim of a cylinder, at its upper or lower end along the axis. */
vec3 picture_rim(const struct picture_wall *wall, bool upper, int k, int n);

void picture_flat(struct canvas *canvas, const struct picture *picture,
                  const struct picture_frame *frame);
talus_status picture_solid(struct canvas *canvas, const struct picture *picture,
                           const struct picture_frame *frame, const talus_picture_config *config,
                           talus_error *err);

/* Colour bar at the right edge, caption below; the room they take. */
double picture_legend_width(const struct picture *picture, const struct canvas *canvas);
double picture_caption_height(const struct canvas *canvas);
void picture_legend(struct canvas *canvas, const struct picture *picture);

/* talus_picture_write with its memory given, for fault tests. */
talus_status picture_write(const talus_sim *sim, const talus_picture_config *config,
                           const char *path, struct memory *memory, talus_error *err);

#endif
