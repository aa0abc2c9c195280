/* SPDX-License-Identifier: Apache-2.0
 * The language of scenes: shapes of grains. */
#include "scene/schema_tables.h"
#include "talus/sim.h"

/* ---- shapes ---------------------------------------------------------------------------------- */

static const struct schema_key turn_keys[] = {
    {"axis", TYPE_VECTOR, .initial = "[0, 0, 1]",
     .meaning = "any length but zero; in 2D along z, and may be left out"},
    {"angle", TYPE_NUMBER, "rad", .required = true, .meaning = "angle, counter-clockwise"},
};
const struct schema_map schema_turn = {"orientation", "A rotation about an axis.", KEYS(turn_keys)};

static const struct schema_key shape_ball_keys[] = {
    {"radius", TYPE_NUMBER, "m", .required = true, POSITIVE, .meaning = "radius"},
};
static const struct schema_map shape_ball_map = {
    "shapes: ball", "For clusters of balls; in 2D a disc.", KEYS(shape_ball_keys)};

static const struct schema_key shape_capsule_keys[] = {
    {"length", TYPE_NUMBER, "m", .required = true, POSITIVE,
     .meaning = "between the centres of the round ends"},
    {"radius", TYPE_NUMBER, "m", .required = true, POSITIVE, .meaning = "radius of the ends"},
};
static const struct schema_map shape_capsule_map = {
    "shapes: capsule", "A rod along x with round ends.", KEYS(shape_capsule_keys)};

#define SIDES_KEY                                                  \
    {                                                              \
        "sides", TYPE_INTEGER, .required = true, BETWEEN(3, 1000), \
                               .meaning = "corners of the polygon" \
    }
#define CORNER_RADIUS_KEY \
    { "radius", TYPE_NUMBER, "m", .required = true, POSITIVE, .meaning = "centre to the corners" }

static const struct schema_key shape_polygon_keys[] = {SIDES_KEY, CORNER_RADIUS_KEY};
static const struct schema_map shape_polygon_map = {"shapes: polygon", "A regular polygon, for 2D.",
                                                    KEYS(shape_polygon_keys)};

static const struct schema_key shape_prism_keys[] = {
    SIDES_KEY,
    CORNER_RADIUS_KEY,
    {"height", TYPE_NUMBER, "m", .required = true, POSITIVE, .meaning = "along z"},
};
static const struct schema_map shape_prism_map = {
    "shapes: prism", "A regular polygon drawn out along z, for 3D.", KEYS(shape_prism_keys)};

static const struct schema_key shape_solid_keys[] = {
    {"edge", TYPE_NUMBER, "m", .required = true, POSITIVE, .meaning = "length of the edges"},
};
static const struct schema_map shape_solid_map = {"shapes: regular solids", "For 3D.",
                                                  KEYS(shape_solid_keys)};

static const struct schema_key shape_pyramid_keys[] = {
    SIDES_KEY,
    CORNER_RADIUS_KEY,
    {"height", TYPE_NUMBER, "m", .required = true, POSITIVE, .meaning = "of the tip, along z"},
};
static const struct schema_map shape_pyramid_map = {
    "shapes: pyramid", "A regular polygon in z = 0 and a tip above its centre, for 3D.",
    KEYS(shape_pyramid_keys)};

static const struct schema_key shape_facets_keys[] = {
    {"points", TYPE_INTEGER, .required = true, BETWEEN(4, 10000),
     .meaning = "corners; n of them make 2 n - 4 triangles"},
    CORNER_RADIUS_KEY,
};
static const struct schema_map shape_facets_map = {
    "shapes: facets", "A polyhedron near to a sphere, for 3D.", KEYS(shape_facets_keys)};

static const struct schema_key shape_voussoir_keys[] = {
    {"inner", TYPE_NUMBER, "m", .required = true, POSITIVE, .meaning = "inner radius of the arch"},
    {"outer", TYPE_NUMBER, "m", .required = true, POSITIVE, .meaning = "outer radius of the arch"},
    {"from", TYPE_NUMBER, "rad", .required = true, .meaning = "angle of one joint, from x"},
    {"to", TYPE_NUMBER, "rad", .required = true,
     .meaning = "angle of the other joint; less than half a turn further"},
    {"depth", TYPE_NUMBER, "m", POSITIVE, .initial_is = "required in 3D, none in 2D",
     .meaning = "along z"},
};
static const struct schema_map shape_voussoir_map = {
    "shapes: voussoir",
    "A stone of an arch about the origin in the x-y plane: its four corners lie on the two joints. "
    "Place it with `origin: given` at the centre of the arch.",
    KEYS(shape_voussoir_keys)};

static const struct schema_key shape_file_keys[] = {
    {"path", TYPE_TEXT, .required = true,
     .meaning = "STL (text or binary) or OBJ file, seen from the directory of the scene file"},
    {"scale", TYPE_NUMBER, POSITIVE, .initial = "1", .meaning = "its numbers times this are m"},
};
static const struct schema_map shape_file_map = {
    "shapes: file", "The convex hull of a file's corners.", KEYS(shape_file_keys)};

static const struct schema_key shape_voronoi_keys[] = {
    {"radius", TYPE_NUMBER, "m", .required = true, POSITIVE,
     .meaning = "of the ball (in 2D the disc) of the same volume; before rounding"},
    {"aspect", TYPE_NUMBER, BETWEEN(1, 10), .initial = "1",
     .meaning = "stretched along one axis by about this"},
    {"variety", TYPE_INTEGER, BETWEEN(1, 1000), .initial = "8",
     .meaning = "so many different grains, shared out at random among those of an entry"},
};
static const struct schema_map shape_voronoi_map = {
    "shapes: voronoi", "Random angular grains, made with the seed of the scene.",
    KEYS(shape_voronoi_keys)};

/* What one convex part can be: of a shape, and of each part of a cluster. */
#define PART_KEYS(number)                                                                        \
    {"ball", TYPE_MAP, .choice = (number), .map = &shape_ball_map, .meaning = "a ball"},         \
        {"capsule", TYPE_MAP, .choice = (number), .map = &shape_capsule_map,                     \
         .meaning = "a rod with round ends"},                                                    \
        {"box",    TYPE_NUMBERS, "m",       .choice = (number),                                  \
         POSITIVE, .least = 2,   .most = 3, .meaning = "side lengths along x, y and, in 3D, z"}, \
        {"polygon", TYPE_MAP, .choice = (number), .map = &shape_polygon_map,                     \
         .meaning = "a regular polygon"},                                                        \
        {"prism", TYPE_MAP, .choice = (number), .map = &shape_prism_map, .meaning = "a prism"},  \
        {"pyramid", TYPE_MAP, .choice = (number), .map = &shape_pyramid_map,                     \
         .meaning = "a pyramid"},                                                                \
        {"tetrahedron", TYPE_MAP, .choice = (number), .map = &shape_solid_map,                   \
         .meaning = "four triangles"},                                                           \
        {"octahedron", TYPE_MAP, .choice = (number), .map = &shape_solid_map,                    \
         .meaning = "eight triangles"},                                                          \
        {"dodecahedron", TYPE_MAP, .choice = (number), .map = &shape_solid_map,                  \
         .meaning = "twelve pentagons"},                                                         \
        {"icosahedron", TYPE_MAP, .choice = (number), .map = &shape_solid_map,                   \
         .meaning = "twenty triangles"},                                                         \
        {"facets", TYPE_MAP, .choice = (number), .map = &shape_facets_map,                       \
         .meaning = "nearly a sphere"},                                                          \
        {"voussoir", TYPE_MAP, .choice = (number), .map = &shape_voussoir_map,                   \
         .meaning = "a stone of an arch"},                                                       \
        {"points",           TYPE_VECTORS, "m",                                                  \
         .choice = (number), .least = 1,   .meaning = "the convex hull of these"},               \
        {"file", TYPE_MAP, .choice = (number), .map = &shape_file_map,                           \
         .meaning = "the convex hull of an STL or OBJ file"},                                    \
    {                                                                                            \
        "rounding", TYPE_NUMBER, "m", NOT_NEGATIVE,                                              \
            .initial = "0",                                                                      \
            .meaning = "edges and corners are rounded with this radius, faces stay where they "  \
                       "are; not for ball and capsule"                                           \
    }

static const struct schema_key part_keys[] = {
    PART_KEYS(1),
    {"density", TYPE_NUMBER, .initial = "1", POSITIVE,
     .meaning = "times that of the material; where parts overlap the densest counts"},
    {"at", TYPE_VECTOR, "m", .initial = "[0, 0, 0]", .meaning = "where its origin goes"},
    {"turn", TYPE_MAP, .choice = 2, .map = &schema_turn,
     .meaning = "turned before; none if left out"},
    {"angle", TYPE_NUMBER, "rad", .choice = 2, .meaning = "the same in 2D, about z"},
};
static const struct schema_map part_map = {
    "shapes: cluster", "The parts move as one. Where they overlap every point counts once.",
    KEYS(part_keys), .needs_one = {[1] = true}};

static const struct schema_key shape_keys[] = {
    {"name", TYPE_NAME, .required = true, .meaning = "what `shape` of grains and sources calls it"},
    PART_KEYS(1),
    {"voronoi", TYPE_MAP, .choice = 1, .map = &shape_voronoi_map, .meaning = "random grains"},
    {"cluster", TYPE_MAPS, .choice = 1, .map = &part_map, .least = 1, .most = TALUS_SHAPE_PARTS_MAX,
     .meaning = "several convex parts"},
};
const struct schema_map schema_shape = {
    "shapes",
    "Grains that are not round, for 2D and 3D (docs/shapes.md). Grains are placed by their centre "
    "of mass, wherever the origin of the shape lies.",
    KEYS(shape_keys), .needs_one = {[1] = true}};
