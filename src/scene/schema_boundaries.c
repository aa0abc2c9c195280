/* SPDX-License-Identifier: Apache-2.0
 * The language of scenes: walls and their motion, membranes; their signals. */
#include "scene/schema_tables.h"

/* ---- signals --------------------------------------------------------------------------------- */

/* One table for each unit a signal can have. */
#define SIGNAL(prefix, of_unit, other_unit, what)                                                  \
    static const struct schema_key prefix##_oscillate_keys[] = {                                   \
        {"amplitude", TYPE_NUMBER, of_unit, .also = other_unit, .required = true,                  \
         .meaning = "amplitude"},                                                                  \
        {"frequency", TYPE_NUMBER, "1/s", .required = true, NOT_NEGATIVE, .meaning = "frequency"}, \
        {"phase", TYPE_NUMBER, "rad", .initial = "0", .meaning = "phase at t = 0"},                \
    };                                                                                             \
    static const struct schema_map prefix##_oscillate = {                                          \
        what " signal: oscillate", "mean + amplitude sin(2 pi frequency t + phase).",              \
        KEYS(prefix##_oscillate_keys)};                                                            \
    static const struct schema_key prefix##_table_keys[] = {                                       \
        {"times", TYPE_NUMBERS, "s", .required = true, .least = 1, .meaning = "rising times"},     \
        {"values", TYPE_NUMBERS, of_unit, .also = other_unit, .required = true, .least = 1,        \
         .meaning = "the value at each time"},                                                     \
    };                                                                                             \
    static const struct schema_map prefix##_table = {                                              \
        what " signal: table", "Linear between the points, constant before and after.",            \
        KEYS(prefix##_table_keys)};                                                                \
    static const struct schema_key prefix##_signal_keys[] = {                                      \
        {"mean", TYPE_NUMBER, of_unit, .also = other_unit, .initial = "0",                         \
         .meaning = "constant part"},                                                              \
        {"oscillate", TYPE_MAP, .choice = 1, .map = &prefix##_oscillate,                           \
         .meaning = "sine added to the mean"},                                                     \
        {"table", TYPE_MAP, .choice = 1, .map = &prefix##_table,                                   \
         .meaning = "points in time, added to the mean"},                                          \
    };                                                                                             \
    static const struct schema_map prefix##_signal = {                                             \
        what " signal", "A " what " that depends on the time of the simulation.",                  \
        KEYS(prefix##_signal_keys)};

SIGNAL(force, "N", NULL, "force")
SIGNAL(torque, "N m", NULL, "torque")
SIGNAL(pressure, "Pa", "N/m", "pressure")

/* ---- boundaries ------------------------------------------------------------------------------ */

static const struct schema_key plane_keys[] = {
    {"point", TYPE_VECTOR, "m", .initial = "[0, 0, 0]", .meaning = "a point on it"},
    {"normal", TYPE_VECTOR, .required = true, .meaning = "towards the grains; any length but zero"},
};
static const struct schema_map plane_map = {"boundaries: plane", "Without end.", KEYS(plane_keys)};

static const struct schema_key rectangle_keys[] = {
    {"center", TYPE_VECTOR, "m", .required = true, .meaning = "centre"},
    {"normal", TYPE_VECTOR, .required = true, .meaning = "any length but zero"},
    {"edge", TYPE_VECTOR, .initial_is = "some direction in the plate",
     .meaning = "direction of the first side"},
    {"size", TYPE_NUMBERS, "m", .required = true, POSITIVE, .least = 1, .most = 2,
     .meaning = "lengths of the sides; in 2D the first alone is enough"},
};
static const struct schema_map rectangle_map = {
    "boundaries: rectangle", "A thin plate with grains on both sides; in 2D a segment.",
    KEYS(rectangle_keys)};

static const struct schema_key box_keys[] = {
    {"low", TYPE_VECTOR, "m", .required = true, .meaning = "lower corner"},
    {"high", TYPE_VECTOR, "m", .required = true, .meaning = "upper corner"},
    {"open", TYPE_WORDS, .words = SIDES, .initial = "[]", .meaning = "sides left out"},
};
static const struct schema_map box_map = {
    "boundaries: box",
    "Six planes (four in 2D, two in 1D) around the grains, named `NAME.x-`, `NAME.x+`, ...; NAME "
    "alone means all of them.",
    KEYS(box_keys)};

static const struct schema_key cylinder_keys[] = {
    {"point", TYPE_VECTOR, "m", .initial = "[0, 0, 0]", .meaning = "middle of the axis"},
    {"axis", TYPE_VECTOR, .initial = "[0, 0, 1]", .meaning = "any length but zero"},
    {"radius", TYPE_NUMBER, "m", .required = true, POSITIVE, .meaning = "radius"},
    {"length", TYPE_NUMBER, "m", NOT_NEGATIVE, .initial = "0", .meaning = "0 = without end"},
    {"side", TYPE_WORD, .words = "inside outside", .initial = "inside",
     .meaning = "where the grains are"},
};
static const struct schema_map cylinder_map = {"boundaries: cylinder", "In 2D a circle.",
                                               KEYS(cylinder_keys)};

static const struct schema_key mesh_keys[] = {
    {"path", TYPE_TEXT, .required = true,
     .meaning = "STL (text or binary) or OBJ file, seen from the directory of the scene file"},
    {"scale", TYPE_NUMBER, POSITIVE, .initial = "1",
     .meaning = "metres in a unit of the file, e.g. 0.001 for millimetres"},
    {"turn", TYPE_MAP, .map = &schema_turn,
     .meaning = "turned about the origin of the file; none if left out"},
    {"at", TYPE_VECTOR, "m", .initial = "[0, 0, 0]",
     .meaning = "where the origin of the file goes; also what the boundary turns about by default"},
};
static const struct schema_map mesh_map = {"boundaries: mesh",
                                           "A thin surface of triangles with grains on both sides, "
                                           "such as a hopper, a mixer or a blade; 3D only. Edges "
                                           "between triangles of one plane are not felt.",
                                           KEYS(mesh_keys)};

static const struct schema_key oscillate_keys[] = {
    {"direction", TYPE_VECTOR, .required = true, .meaning = "any length but zero"},
    {"amplitude", TYPE_NUMBER, "m", .required = true, .meaning = "amplitude"},
    {"frequency", TYPE_NUMBER, "1/s", .required = true, NOT_NEGATIVE, .meaning = "frequency"},
    {"phase", TYPE_NUMBER, "rad", .initial = "0", .meaning = "phase at t = 0"},
};
static const struct schema_map oscillate_map = {
    "motion: oscillate",
    "Displacement amplitude sin(2 pi frequency t + phase), less its value at t = 0.",
    KEYS(oscillate_keys)};

#define SMOOTH_KEY                                                                             \
    {                                                                                          \
        "smooth", TYPE_BOOLEAN,                                                                \
            .initial = "false",                                                                \
            .meaning =                                                                         \
                "a cubic spline instead of straight lines, at rest at both ends: for records " \
                "with points farther apart than the time step"                                 \
    }

static const struct schema_key motion_table_keys[] = {
    {"direction", TYPE_VECTOR, .required = true, .meaning = "any length but zero"},
    {"times", TYPE_NUMBERS, "s", .required = true, .least = 1, .meaning = "rising times"},
    {"values", TYPE_NUMBERS, "m", .required = true, .least = 1, .meaning = "displacements"},
    SMOOTH_KEY,
};
static const struct schema_map motion_table_map = {
    "motion: table", "Displacement, linear between the points, less its value at t = 0.",
    KEYS(motion_table_keys)};

#define AXIS_KEYS                                                                                 \
    {"axis", TYPE_VECTOR, .initial = "[0, 0, 1]", .meaning = "any length but zero"}, {            \
        "point", TYPE_VECTOR, "m", .initial_is = "the boundary's point", .meaning = "on the axis" \
    }

static const struct schema_key rotate_keys[] = {
    AXIS_KEYS,
    {"rate", TYPE_NUMBER, "rad/s", .required = true, .meaning = "angular velocity"},
};
static const struct schema_map rotate_map = {"motion: rotate", "Steady rotation.",
                                             KEYS(rotate_keys)};

static const struct schema_key swing_keys[] = {
    AXIS_KEYS,
    {"amplitude", TYPE_NUMBER, "rad", .required = true, .meaning = "largest angle"},
    {"frequency", TYPE_NUMBER, "1/s", .required = true, NOT_NEGATIVE, .meaning = "frequency"},
    {"phase", TYPE_NUMBER, "rad", .initial = "0", .meaning = "phase at t = 0"},
};
static const struct schema_map swing_map = {
    "motion: swing", "Angle amplitude sin(2 pi frequency t + phase), less its value at t = 0.",
    KEYS(swing_keys)};

static const struct schema_key angle_table_keys[] = {
    AXIS_KEYS,
    {"times", TYPE_NUMBERS, "s", .required = true, .least = 1, .meaning = "rising times"},
    {"values", TYPE_NUMBERS, "rad", .required = true, .least = 1, .meaning = "angles"},
    SMOOTH_KEY,
};
static const struct schema_map angle_table_map = {
    "motion: angle_table", "Angle, linear between the points, less its value at t = 0.",
    KEYS(angle_table_keys)};

static const struct schema_key motion_keys[] = {
    {"velocity", TYPE_VECTOR, "m/s", .initial = "[0, 0, 0]", .meaning = "steady translation"},
    {"oscillate", TYPE_MAP, .choice = 1, .map = &oscillate_map, .meaning = "vibration"},
    {"table", TYPE_MAP, .choice = 1, .map = &motion_table_map, .meaning = "displacement by table"},
    {"rotate", TYPE_MAP, .choice = 2, .map = &rotate_map, .meaning = "steady rotation"},
    {"swing", TYPE_MAP, .choice = 2, .map = &swing_map, .meaning = "rotation to and fro"},
    {"angle_table", TYPE_MAP, .choice = 2, .map = &angle_table_map, .meaning = "rotation by table"},
};
const struct schema_map schema_motion = {
    "motion", "Prescribed motion of a boundary; time counts from when the motion is set.",
    KEYS(motion_keys)};

static const struct schema_key free_keys[] = {
    {"mass", TYPE_NUMBER, "kg", NOT_NEGATIVE, .initial = "0", .meaning = "0 = does not slide"},
    {"direction", TYPE_VECTOR, .initial_is = "the boundary's normal",
     .meaning = "it slides along this; any length but zero"},
    {"force", TYPE_NUMBER | TYPE_MAP, "N", .initial = "0", .map = &force_signal,
     .meaning = "along `direction`; a number or a signal"},
    {"inertia", TYPE_NUMBER, "kg m^2", NOT_NEGATIVE, .initial = "0",
     .meaning = "about the axis; 0 = does not turn"},
    {"axis", TYPE_VECTOR, .initial = "[0, 0, 1]", .meaning = "any length but zero"},
    {"torque", TYPE_NUMBER | TYPE_MAP, "N m", .initial = "0", .map = &torque_signal,
     .meaning = "about `axis`; a number or a signal"},
    {"weightless", TYPE_BOOLEAN, .initial = "false", .meaning = "gravity does not act on it"},
};
const struct schema_map schema_free = {
    "free", "A boundary that answers to forces, such as a piston.", KEYS(free_keys)};

static const struct schema_key boundary_keys[] = {
    {"name", TYPE_NAME, .required = true, .meaning = "name for changes and output"},
    {"plane", TYPE_MAP, .choice = 1, .map = &plane_map, .meaning = "a plane"},
    {"rectangle", TYPE_MAP, .choice = 1, .map = &rectangle_map, .meaning = "a plate"},
    {"box", TYPE_MAP, .choice = 1, .map = &box_map, .meaning = "a box of planes"},
    {"cylinder", TYPE_MAP, .choice = 1, .map = &cylinder_map, .meaning = "a cylinder"},
    {"mesh", TYPE_MAP, .choice = 1, .map = &mesh_map, .meaning = "a surface of triangles"},
    {"material", TYPE_NAME, .initial_is = "the first material", .meaning = "one of materials"},
    {"motion", TYPE_MAP, .choice = 2, .map = &schema_motion, .meaning = "prescribed motion"},
    {"free", TYPE_MAP, .choice = 2, .map = &schema_free, .meaning = "motion under forces"},
};
const struct schema_map schema_boundary = {"boundaries", "Walls, pistons, drums.",
                                           KEYS(boundary_keys), .needs_one = {[1] = true}};

/* ---- membranes ------------------------------------------------------------------------------- */

static const struct schema_key membrane_keys[] = {
    {"name", TYPE_NAME, .required = true, .meaning = "name for changes and output"},
    {"plates", TYPE_NAMES, .required = true, .least = 2, .most = 2,
     .meaning = "the boundaries at the ends of the column: parallel planes or rectangles"},
    {"group", TYPE_NAME, .initial_is = "all grains", .meaning = "grains that it goes around"},
    {"pressure", TYPE_NUMBER | TYPE_MAP, "Pa", .also = "N/m", .required = true,
     .map = &pressure_signal, .meaning = "that it holds, never below 0; in 2D in N/m"},
    {"remesh", TYPE_NUMBER, BETWEEN(0, 1), .initial = "0.05",
     .meaning = "outer grains are found anew when one has moved by this share of the mean "
                "diameter"},
};
const struct schema_map schema_membrane = {
    "membranes",
    "A flexible surface through the centres of the outer grains of a column between two plates: it "
    "holds a pressure (biaxial and triaxial tests).",
    KEYS(membrane_keys)};
