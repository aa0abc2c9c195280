/* SPDX-License-Identifier: Apache-2.0
 * The language of scenes: sizes, regions, grains, sources. */
#include "scene/schema_tables.h"

/* ---- sizes, regions -------------------------------------------------------------------------- */

static const struct schema_key normal_keys[] = {
    {"mean", TYPE_NUMBER, "m", .required = true, POSITIVE, .meaning = "mean before the cut"},
    {"deviation", TYPE_NUMBER, "m", .required = true, POSITIVE, .meaning = "standard deviation"},
    {"low", TYPE_NUMBER, "m", POSITIVE, .initial_is = "mean - 3 deviation",
     .meaning = "draws below are repeated"},
    {"high", TYPE_NUMBER, "m", POSITIVE, .initial_is = "mean + 3 deviation",
     .meaning = "draws above are repeated"},
};
static const struct schema_map normal_map = {"radius.normal", "Normal distribution, cut.",
                                             KEYS(normal_keys)};

static const struct schema_key lognormal_keys[] = {
    {"median", TYPE_NUMBER, "m", .required = true, POSITIVE, .meaning = "median before the cut"},
    {"sigma", TYPE_NUMBER, .required = true, POSITIVE,
     .meaning = "standard deviation of the natural logarithm"},
    {"low", TYPE_NUMBER, "m", POSITIVE, .initial_is = "median exp(-3 sigma)",
     .meaning = "draws below are repeated"},
    {"high", TYPE_NUMBER, "m", POSITIVE, .initial_is = "median exp(3 sigma)",
     .meaning = "draws above are repeated"},
};
static const struct schema_map lognormal_map = {"radius.lognormal", "Log-normal distribution, cut.",
                                                KEYS(lognormal_keys)};

static const struct schema_key power_keys[] = {
    {"low", TYPE_NUMBER, "m", .required = true, POSITIVE, .meaning = "smallest radius"},
    {"high", TYPE_NUMBER, "m", .required = true, POSITIVE, .meaning = "largest radius"},
    {"exponent", TYPE_NUMBER, .required = true, BETWEEN(-50, 50),
     .meaning = "a in: number density ~ r^-a"},
};
static const struct schema_map power_map = {"radius.power", "Power law.", KEYS(power_keys)};

static const struct schema_key two_keys[] = {
    {"small", TYPE_NUMBER, "m", .required = true, POSITIVE, .meaning = "one radius"},
    {"large", TYPE_NUMBER, "m", .required = true, POSITIVE, .meaning = "the other radius"},
    {"share", TYPE_NUMBER, .required = true, BETWEEN(0, 1),
     .meaning = "probability of the small one, by number"},
};
static const struct schema_map two_map = {"radius.two", "Two sizes.", KEYS(two_keys)};

static const struct schema_key table_keys[] = {
    {"radii", TYPE_NUMBERS, "m", .required = true, POSITIVE, .least = 1, .meaning = "the radii"},
    {"weights", TYPE_NUMBERS, .required = true, NOT_NEGATIVE, .least = 1,
     .meaning = "their weights by number; any scale"},
};
static const struct schema_map size_table_map = {"radius.table", "Given sizes.", KEYS(table_keys)};

static const struct schema_key size_keys[] = {
    {"uniform", TYPE_NUMBERS, "m", .least = 2, .most = 2, POSITIVE, .choice = 1,
     .meaning = "uniform between two radii"},
    {"normal", TYPE_MAP, .choice = 1, .map = &normal_map, .meaning = "normal distribution"},
    {"lognormal", TYPE_MAP, .choice = 1, .map = &lognormal_map,
     .meaning = "log-normal distribution"},
    {"power", TYPE_MAP, .choice = 1, .map = &power_map, .meaning = "power law"},
    {"two", TYPE_MAP, .choice = 1, .map = &two_map, .meaning = "two sizes"},
    {"table", TYPE_MAP, .choice = 1, .map = &size_table_map, .meaning = "given sizes with weights"},
};
static const struct schema_map size_map = {"radius",
                                           "A distribution of radii, in place of one number.",
                                           KEYS(size_keys), .needs_one = {[1] = true}};

static const struct schema_key region_box_keys[] = {
    {"low", TYPE_VECTOR, "m", .required = true, .meaning = "lower corner"},
    {"high", TYPE_VECTOR, "m", .required = true, .meaning = "upper corner"},
};
static const struct schema_map region_box_map = {"region: box", "Grains lie inside entirely.",
                                                 KEYS(region_box_keys)};

static const struct schema_key region_cylinder_keys[] = {
    {"point", TYPE_VECTOR, "m", .required = true, .meaning = "centre"},
    {"axis", TYPE_VECTOR, .initial = "[0, 0, 1]", .meaning = "direction; any length but zero"},
    {"radius", TYPE_NUMBER, "m", .required = true, POSITIVE, .meaning = "radius"},
    {"length", TYPE_NUMBER, "m", POSITIVE, .initial_is = "required in 3D, unused in 2D",
     .meaning = "length along the axis"},
};
static const struct schema_map region_cylinder_map = {
    "region: cylinder", "Grains lie inside entirely; in 2D a circle.", KEYS(region_cylinder_keys)};

#define REGION(number)                                                                   \
    {"box", TYPE_MAP, .choice = (number), .map = &region_box_map, .meaning = "a box"}, { \
        "cylinder", TYPE_MAP, .choice = (number), .map = &region_cylinder_map,           \
                              .meaning = "a cylinder"                                    \
    }

/* ---- grains ---------------------------------------------------------------------------------- */

#define LOCK_KEY                                                        \
    {                                                                   \
        "lock", TYPE_WORDS, .words = "x y z rotation", .initial = "[]", \
                            .meaning = "degrees of freedom held fast"   \
    }
#define SHAPE_KEY                                                            \
    {                                                                        \
        "shape", TYPE_NAME, .initial_is = "sphere in 3D, else disc",         \
                            .meaning = "`sphere`, `disc` or one of `shapes`" \
    }
#define ORIENTATION_KEYS(number)                                                              \
    {                                                                                         \
        "orientation",                                                                        \
        TYPE_WORD | TYPE_MAP,                                                                 \
        .words = "none random",                                                               \
        .choice = (number),                                                                   \
        .map = &schema_turn,                                                                  \
        .meaning = "how the grains are turned at the start; none if left out"},               \
    {                                                                                         \
        "angle", TYPE_NUMBER, "rad", .choice = (number), .meaning = "the same in 2D, about z" \
    }

static const struct schema_key body_keys[] = {
    {"at", TYPE_VECTOR, "m", .required = true, .meaning = "centre"},
    {"origin", TYPE_WORD, .words = "mass given", .initial_is = "mass",
     .meaning = "what is at `at`: the centre of mass, or the origin of the shape's coordinates"},
    {"radius", TYPE_NUMBER, "m", POSITIVE, .initial_is = "radius of the entry",
     .meaning = "radius"},
    ORIENTATION_KEYS(1),
    {"mass", TYPE_NUMBER, "kg", POSITIVE, .initial_is = "mass of the entry", .meaning = "mass"},
    {"velocity", TYPE_VECTOR, "m/s", .initial_is = "velocity of the entry", .meaning = "velocity"},
    {"omega", TYPE_VECTOR, "rad/s", .initial_is = "omega of the entry",
     .meaning = "angular velocity"},
    {"lock", TYPE_WORDS, .words = "x y z rotation", .initial_is = "lock of the entry",
     .meaning = "degrees of freedom held fast"},
};
static const struct schema_map body_map = {"grains: list", "Grains one by one.", KEYS(body_keys)};

static const struct schema_key row_keys[] = {
    {"count", TYPE_INTEGER, .required = true, POSITIVE, .meaning = "number of grains"},
    {"start", TYPE_VECTOR, "m", .initial = "[0, 0, 0]", .meaning = "centre of the first"},
    {"direction", TYPE_VECTOR, .initial = "[1, 0, 0]", .meaning = "any length but zero"},
    {"spacing", TYPE_NUMBER, "m", POSITIVE, .initial_is = "the largest diameter",
     .meaning = "from centre to centre"},
};
static const struct schema_map row_map = {"grains: row", "Grains in a row.", KEYS(row_keys)};

static const struct schema_key lattice_keys[] = {
    {"kind", TYPE_WORD, .words = "square hexagonal cubic fcc", .required = true,
     .meaning = "square and hexagonal are layers in the x-y plane; cubic and fcc are for 3D"},
    {"cells", TYPE_INTEGERS, .required = true, .least = 1, .most = 3, POSITIVE,
     .meaning = "unit cells along x, y, z (left out: 1); an fcc cell has 4 grains"},
    {"start", TYPE_VECTOR, "m", .initial = "[0, 0, 0]", .meaning = "centre of the first grain"},
    {"spacing", TYPE_NUMBER, "m", POSITIVE, .initial_is = "the largest diameter",
     .meaning = "between nearest neighbours"},
    {"jitter", TYPE_NUMBER, BETWEEN(0, 1), .initial = "0",
     .meaning = "each grain moves at random by up to this share of the free gap"},
};
static const struct schema_map lattice_map = {"grains: lattice", "Grains on a lattice.",
                                              KEYS(lattice_keys)};

static const struct schema_key fill_keys[] = {
    REGION(1),
    {"count", TYPE_INTEGER, POSITIVE, .choice = 2, .meaning = "number of grains"},
    {"fraction", TYPE_NUMBER, BETWEEN(0, 1), .choice = 2,
     .meaning = "solid fraction of the region to reach"},
    {"attempts", TYPE_INTEGER, POSITIVE, .initial = "10000",
     .meaning = "places tried for one grain before giving up"},
};
static const struct schema_map fill_map = {
    "grains: fill",
    "Random places without overlap with grains or boundaries (random sequential addition, large "
    "grains first). Equal grains reach a fraction of about 0.38 in 3D and 0.54 in 2D. Of `shapes` "
    "the spheres around them are kept apart.",
    KEYS(fill_keys), .needs_one = {[1] = true, [2] = true}};

static const struct schema_key file_keys[] = {
    {"path", TYPE_TEXT, .required = true,
     .meaning = "text file, seen from the directory of the scene file"},
};
static const struct schema_map file_map = {"grains: file",
                                           "Grains from lines `x y z r` in metres. `#` begins a "
                                           "comment; a first line `N dim L` is allowed.",
                                           KEYS(file_keys)};

static const struct schema_key grain_keys[] = {
    {"list", TYPE_MAPS, .choice = 1, .map = &body_map, .least = 1, .meaning = "one by one"},
    {"row", TYPE_MAP, .choice = 1, .map = &row_map, .meaning = "in a row"},
    {"lattice", TYPE_MAP, .choice = 1, .map = &lattice_map, .meaning = "on a lattice"},
    {"fill", TYPE_MAP, .choice = 1, .map = &fill_map, .meaning = "at random in a region"},
    {"file", TYPE_MAP, .choice = 1, .map = &file_map, .meaning = "from a text file"},
    {"radius", TYPE_NUMBER | TYPE_MAP, "m", POSITIVE, .map = &size_map,
     .initial_is = "required, unless list, file or `shapes` give it",
     .meaning = "one radius or a distribution; for one of `shapes` that of the sphere around it"},
    {"material", TYPE_NAME, .initial_is = "the first material", .meaning = "one of materials"},
    {"group", TYPE_NAME, .initial = "grains", .meaning = "name for forces, changes and output"},
    SHAPE_KEY,
    ORIENTATION_KEYS(2),
    {"mass", TYPE_NUMBER, "kg", POSITIVE, .initial_is = "from the density",
     .meaning = "mass of each grain"},
    {"velocity", TYPE_VECTOR, "m/s", .initial = "[0, 0, 0]", .meaning = "velocity at the start"},
    {"omega", TYPE_VECTOR, "rad/s", .initial = "[0, 0, 0]",
     .meaning = "angular velocity at the start"},
    {"velocity_jitter", TYPE_NUMBER, "m/s", NOT_NEGATIVE, .initial = "0",
     .meaning = "added to each component of the velocity: uniform within plus and minus this"},
    LOCK_KEY,
};
const struct schema_map schema_grain = {
    "grains", "What is there at the start; each entry makes a set of grains.", KEYS(grain_keys),
    .needs_one = {[1] = true}};

static const struct schema_key source_keys[] = {
    {"name", TYPE_NAME, .required = true, .meaning = "name"},
    REGION(1),
    {"rate", TYPE_NUMBER, "1/s", .required = true, POSITIVE, .meaning = "grains per second"},
    {"count", TYPE_INTEGER, .required = true, POSITIVE, .meaning = "grains in all"},
    {"start", TYPE_NUMBER, "s", NOT_NEGATIVE, .initial = "0", .meaning = "when it begins"},
    {"radius", TYPE_NUMBER | TYPE_MAP, "m", POSITIVE, .map = &size_map,
     .initial_is = "required, unless `shapes` give it",
     .meaning = "one radius or a distribution; for one of `shapes` that of the sphere around it"},
    {"material", TYPE_NAME, .initial_is = "the first material", .meaning = "one of materials"},
    {"group", TYPE_NAME, .initial = "grains", .meaning = "name for forces, changes and output"},
    SHAPE_KEY,
    ORIENTATION_KEYS(2),
    {"mass", TYPE_NUMBER, "kg", POSITIVE, .initial_is = "from the density",
     .meaning = "mass of each grain"},
    {"velocity", TYPE_VECTOR, "m/s", .initial = "[0, 0, 0]", .meaning = "velocity on leaving"},
    {"velocity_jitter", TYPE_NUMBER, "m/s", NOT_NEGATIVE, .initial = "0",
     .meaning = "added to each component of the velocity: uniform within plus and minus this"},
    LOCK_KEY,
};
const struct schema_map schema_source = {
    "sources",
    "Pouring during the run: grains appear at places of the region free of grains and boundaries; "
    "where there is no room they wait.",
    KEYS(source_keys), .needs_one = {[1] = true}};
