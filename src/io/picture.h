/* SPDX-License-Identifier: Apache-2.0
 *
 * What a picture shows, as plain data: coloured grains, what acts on them, walls cut to the part worth seeing. A
 * simulation (picture_sim.c) or a stored frame (picture_frame.c) fills it and has to stay as it is meanwhile; the rest
 * does not know which of them it was: picture_complete.c finds colours, bars and the view, picture_flat.c draws it in
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
    PICTURE_NAMES = 12,   /* categories in the legend */
    PICTURE_LABEL = 64
};

struct picture_grain {
    vec3 position;
    quat orientation;
    double radius;                /* of the sphere around it */
    const struct body_form *form; /* NULL: round */
    double scale;                 /* size over that of the form */
    double volume;                /* m^3; in the plane m^2, on the line m */
    double value;                 /* of the shading quantity */
    struct color color;
};

/* What a contact does to one of its grains. */
struct picture_touch {
    size_t grain;
    vec3 arm;      /* m, from its centre to the contact point */
    vec3 force;    /* N, on the grain */
    double normal; /* N, < 0: tension; never 0 */
    bool with_wall;
};

struct picture_bar {
    vec3 from, to;
    double force; /* N, size of the normal force */
    bool pulls;   /* tension, not pressure */
    bool weak;    /* not above the mean of contacts of two grains */
};

struct picture_wall {
    talus_boundary_shape shape;
    size_t boundary; /* its number among the walls of a simulation or of a frame */
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
    char quantity[PICTURE_LABEL], unit[PICTURE_LABEL];
    enum colormap map;
    bool from_zero; /* the range starts at zero, not at the smallest value */
    bool
        is_signed; /* both signs are possible: zero is the middle, unless another map is asked for */
    double low, high;
    bool more, less; /* a few values lie above high, below low */
    int name_count;
    char names[PICTURE_NAMES]
              [PICTURE_LABEL]; /* categories instead of a range, if name_count > 0; "": not there */
};

struct picture {
    int dim;
    double time;
    struct picture_grain *grains;
    size_t grain_count;
    bool grains_hidden;
    struct picture_touch *touches; /* at most two for each contact */
    size_t touch_count, touch_capacity;
    struct picture_bar *bars; /* the strongest last */
    size_t bar_count, bar_capacity;
    struct picture_wall *walls;
    size_t wall_count, wall_capacity;
    vec3 *mesh_points; /* of all meshes */
    size_t mesh_point_count;
    int32_t (*mesh_triangles)[3]; /* of meshes that were stored */
    size_t mesh_triangle_count, mesh_triangle_used;
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

/* ---- filled from a simulation: picture_sim.c, picture_sim_color.c, picture_membrane.c ------------ */

talus_status picture_gather(struct picture *picture, const talus_sim *sim,
                            const talus_picture_config *config, struct memory *memory,
                            talus_error *err);
/* Low and high of a config for all pictures of a film that begins here. They hold the box between the
 * low and high given, for what comes later, if low.x <= high.x; if the config fixes its own box, that
 * is the answer. */
talus_status picture_film_view(const talus_sim *sim, const talus_picture_config *config,
                               talus_vec3 *low, talus_vec3 *high, talus_error *err);
/* The walls only, cut to what grains and near walls need: for files that show them. */
talus_status picture_gather_walls(struct picture *picture, const talus_sim *sim,
                                  struct memory *memory, talus_error *err);
/* Value of every grain, and what it is called (part of gathering). */
void picture_sim_color(struct picture *picture, const talus_sim *sim, const char *name);
/* Lines of the membranes (part of gathering). */
talus_status picture_membranes(struct picture *picture, const talus_sim *sim, talus_error *err);
/* From the centre of one body of a contact to the contact point. */
vec3 picture_arm(const talus_sim *sim, const talus_contact *contact, talus_index body);
bool picture_color_known(const char *name);
extern const char picture_color_names[]; /* "speed, radius, ..." for messages */

/* ---- what is common to both: picture_complete.c, picture_color.c, picture_walls.c, picture_mesh.c - */

/* Nothing in it yet: the box is what holds nothing, or what the config says. */
struct picture picture_empty(int dim, const talus_picture_config *config, struct memory *memory);
/* Room for what is filled in; zeroed. */
talus_status picture_reserve(struct picture *picture, size_t grains, size_t touches, size_t walls,
                             talus_error *err);
/* Grains, values, touches, walls (planes and cylinders not yet cut, meshes with their points) are there: the rest. */
talus_status picture_complete(struct picture *picture, const talus_picture_config *config,
                              talus_error *err);
void picture_free(struct picture *picture);
bool picture_is_fixed(const talus_picture_config *config);

/* Pressure of the grains, or how many contacts carry each, from the touches. */
void picture_pressure(struct picture *picture);
void picture_coordination(struct picture *picture);
/* Range and colours of values that are known. */
talus_status picture_color(struct picture *picture, const talus_picture_config *config,
                           talus_error *err);

/* Walls, and the box around grains and walls, widened from low and high or fixed by them. */
void picture_walls(struct picture *picture);
/* Outline and creases of the meshes among the walls. */
talus_status picture_meshes(struct picture *picture, talus_error *err);

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
/* A line at the top; as high as a caption. */
void picture_title(struct canvas *canvas, const char *text);

/* Check a config for a world of so many dimensions; but not its colour, which the source knows. */
talus_status picture_check(const talus_picture_config *config, int dim, talus_error *err);
/* What is complete, as a file. */
talus_status picture_draw(const struct picture *picture, const talus_picture_config *config,
                          const char *path, talus_error *err);

/* talus_picture_write with its memory given, for fault tests. */
talus_status picture_write(const talus_sim *sim, const talus_picture_config *config,
                           const char *path, struct memory *memory, talus_error *err);

#endif
