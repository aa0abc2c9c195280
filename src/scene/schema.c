/* SPDX-License-Identifier: Apache-2.0
 *
 * Every key of a scene file. To add one: a line here, and the place in read_*.c that uses it. The
 * table is long because it is the whole language; it holds no code.
 */
#include "scene/schema.h"
#include "talus/sim.h"

#define POSITIVE .range = RANGE_POSITIVE
#define NOT_NEGATIVE .range = RANGE_NOT_NEGATIVE
#define BETWEEN(a, b) .range = RANGE_BETWEEN, .low = (a), .high = (b)
#define KEYS(table) .keys = (table), .count = sizeof(table) / sizeof((table)[0])
#define AXES "x y z"
#define SIDES "x- x+ y- y+ z- z+"

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

/* ---- time, cell, solver, materials ----------------------------------------------------------- */

static const struct schema_key time_keys[] = {
    {"dt", TYPE_NUMBER | TYPE_WORD, "s", .words = "auto", .initial = "auto", POSITIVE,
     .meaning =
         "time step; `auto`: the fastest motion to be expected crosses 5 % of the smallest "
         "radius; of soft grains at most a hundredth of the shortest collision, and with `slip: "
         "velocity` so short that contacts relax at most 5 % too fast"},
    {"end", TYPE_NUMBER, "s", POSITIVE, .choice = 1,
     .meaning = "short for one phase that ends at this time"},
    {"steps", TYPE_INTEGER, POSITIVE, .wide = true, .choice = 1,
     .meaning = "short for one phase of so many steps"},
    {"integrator", TYPE_WORD, .catalog = "integrator", .initial = "leapfrog",
     .meaning = "of soft grains (`method: md`)"},
};
static const struct schema_map time_map = {"time", "The time step and, without phases, the end.",
                                           KEYS(time_keys)};

static const struct schema_key cell_keys[] = {
    {"periodic", TYPE_WORDS, .words = AXES, .initial = "[]", .most = 3,
     .meaning = "directions in which the world repeats"},
    {"origin", TYPE_VECTOR, "m", .initial = "[0, 0, 0]", .meaning = "lower corner"},
    {"size", TYPE_VECTOR, "m", .initial = "[0, 0, 0]",
     .meaning = "periods; used, and then > 0, in periodic directions"},
};
static const struct schema_map cell_map = {"cell", "The periodic cell; open if left out.",
                                           KEYS(cell_keys)};

static const struct schema_key solver_keys[] = {
    {"name", TYPE_WORD, .catalog = "solver", .initial = "nsgs",
     .meaning = "the iterative solver (`talus list solvers`)"},
    {"sweep", TYPE_WORD, .words = "random windowed sequential symmetric parallel batched",
     .initial = "random", .meaning = "order of the contact updates"},
    {"stop", TYPE_WORD, .words = "fixed local global residual", .initial = "fixed",
     .meaning = "when to stop: after `sweeps`, or when forces or residual stand still"},
    {"sweeps", TYPE_INTEGER, POSITIVE, .initial = "50", .meaning = "sweeps of the fixed rule, N_I"},
    {"max_sweeps", TYPE_INTEGER, POSITIVE, .initial = "10000", .meaning = "cap of the other rules"},
    {"check_every", TYPE_INTEGER, POSITIVE, .initial = "10",
     .meaning = "sweeps between two evaluations of the residual"},
    {"window", TYPE_INTEGER, BETWEEN(2, 65536), .initial = "256",
     .meaning = "contacts in a block of the windowed sweep"},
    {"tolerance", TYPE_NUMBER, POSITIVE, .initial = "1e-6", .meaning = "of the stopping rule"},
    {"cutoff", TYPE_NUMBER, NOT_NEGATIVE, .initial = "1e-3",
     .meaning = "local rule: share of the mean force that counts as zero"},
    {"momentum_cap", TYPE_NUMBER, BETWEEN(0, 1), .initial = "0.95",
     .meaning = "nnsgs: largest momentum factor"},
    {"warm_start", TYPE_BOOLEAN, .initial = "true",
     .meaning = "first guess: the impulses of the last step"},
    {"gap", TYPE_WORD, .words = "positive signed projected", .initial = "positive",
     .meaning = "`positive`: overlaps are kept (g+ law); `signed`: they are pushed apart, which "
                "gives grains a velocity (g law); `projected`: they are moved apart without one"},
};
static const struct schema_map solver_map = {"solver", "How the contact forces are found.",
                                             KEYS(solver_keys)};

static const struct schema_key material_keys[] = {
    {"name", TYPE_NAME, .required = true, .meaning = "what grains and boundaries call it"},
    {"density", TYPE_NUMBER, "kg/m^3", .also = "kg/m^2", .initial = "0", NOT_NEGATIVE,
     .meaning =
         "per volume for spheres and shapes in 3D, per area for discs and shapes in 2D; 0 if "
         "nothing gets its mass from it"},
};
static const struct schema_map material_map = {
    "materials", "Without this list there is one material `grain` of density 2500.",
    KEYS(material_keys)};

#define TORQUE(law, what)                                                                        \
    static const struct schema_key law##_keys[] = {                                              \
        {"coefficient", TYPE_NUMBER, .choice = 1, NOT_NEGATIVE,                                  \
         .meaning = "times the reduced radius r* it gives the length"},                          \
        {"length", TYPE_NUMBER, "m", .choice = 1, NOT_NEGATIVE, .meaning = "the length itself"}, \
        {"hertz", TYPE_NUMBER, .choice = 1, NOT_NEGATIVE,                                        \
         .meaning = "times the contact size that the force makes it gives the length"},          \
        {"modulus", TYPE_NUMBER, "Pa", POSITIVE,                                                 \
         .meaning = "with hertz: effective Young modulus for the contact size"},                 \
        {"stiffness", TYPE_NUMBER, "N m", POSITIVE, .initial_is = "k_n length^2",                \
         .meaning = "soft grains: torque over angle below the limit"},                           \
        {"damping", TYPE_NUMBER, "N m s", POSITIVE, .initial_is = "gamma_n length^2",            \
         .meaning = "soft grains: torque over angular velocity"},                                \
    };                                                                                           \
    static const struct schema_map law##_map = {"pairs: " #law, what, KEYS(law##_keys),          \
                                                .needs_one = {[1] = true}};

TORQUE(rolling, "A torque up to length (R_n + F_C) against rolling.")
TORQUE(torsion, "A torque up to length (R_n + F_C) against spinning about the normal.")

static const struct schema_key cohesion_keys[] = {
    {"force", TYPE_NUMBER, "N", .choice = 1, NOT_NEGATIVE, .meaning = "largest tension F_C"},
    {"force_per_radius", TYPE_NUMBER, "N/m", .choice = 1, NOT_NEGATIVE,
     .meaning = "F_C over the reduced radius r*"},
    {"range", TYPE_NUMBER, "m", .choice = 2, NOT_NEGATIVE,
     .meaning = "d_C, opening at which a bond breaks; 0: the zero-range law"},
    {"energy", TYPE_NUMBER, "J", .choice = 2, POSITIVE,
     .meaning = "E_C = F_C d_C, work that breaks a bond"},
    {"forms", TYPE_WORD, .words = "touch command", .initial = "touch",
     .meaning = "bonds form at the first touch, or only by `bond_contacts` of a phase"},
};
static const struct schema_map cohesion_map = {
    "pairs: cohesion", "Contacts bear tension up to F_C until the work E_C has been done.",
    KEYS(cohesion_keys), .needs_one = {[1] = true, [2] = true}};

static const struct schema_key restitution_keys[] = {
    {"normal", TYPE_NUMBER, BETWEEN(0, 1), .initial = "0",
     .meaning = "e_n, rebound over approach velocity"},
    {"tangential", TYPE_NUMBER, BETWEEN(-1, 1), .initial = "0",
     .meaning = "e_t, the same along the surface, limited by friction"},
    {"threshold", TYPE_NUMBER, "m/s", NOT_NEGATIVE, .initial = "0",
     .meaning = "slower impacts do not rebound"},
};
static const struct schema_map restitution_map = {
    "pairs: restitution", "Rebound of impacts; contacts that carry a load are none.",
    KEYS(restitution_keys)};

static const struct schema_key soft_keys[] = {
    {"stiffness", TYPE_NUMBER, "N/m", POSITIVE, .choice = 1,
     .meaning = "k; with an exponent alpha in N/m^alpha"},
    {"collision_time", TYPE_NUMBER, "s", POSITIVE, .choice = 1,
     .meaning = "how long forces act in every collision, whatever the masses; with `restitution`, "
                "alpha = 1"},
    {"young", TYPE_NUMBER, "Pa", POSITIVE, .choice = 1,
     .meaning = "Young's modulus of both grains: Hertz's law, k = 4/3 E* sqrt(r*), "
                "E* = E/(2 (1 - nu^2)), alpha = 1.5; with `poisson`"},
    {"poisson", TYPE_NUMBER, BETWEEN(-1, 0.5), .meaning = "nu, Poisson's ratio, with `young`"},
    {"rigid_partner", TYPE_BOOLEAN, .initial = "false",
     .meaning = "`young` is that of one side, the other is rigid: E* = E/(1 - nu^2)"},
    {"exponent", TYPE_NUMBER, BETWEEN(1, 10), .initial_is = "1; with young 1.5",
     .meaning = "alpha: 1 linear, 1.5 Hertz's law for spheres"},
    {"damping", TYPE_NUMBER, "kg/s", NOT_NEGATIVE, .choice = 2,
     .meaning = "gamma; with an exponent alpha in N s/m^(beta + 1); 0 if neither is given"},
    {"restitution", TYPE_NUMBER, BETWEEN(0.01, 1), .choice = 2,
     .meaning = "e, rebound over approach velocity: gamma follows from it for each contact"},
    {"at_velocity", TYPE_NUMBER, "m/s", POSITIVE,
     .meaning = "approach velocity at which `restitution` holds; needed if it depends on it: "
                "viscoelastic and alpha > 1"},
    {"damping_form", TYPE_WORD, .words = "viscoelastic constant", .initial = "viscoelastic",
     .meaning = "beta = alpha - 1: fast impacts lose more; beta = (alpha - 1)/2: all lose the same "
                "share"},
    {"tangential_stiffness", TYPE_NUMBER, "N/m", NOT_NEGATIVE, .choice = 3,
     .meaning = "k_t; 0 if none of these is given"},
    {"tangential_ratio", TYPE_NUMBER, NOT_NEGATIVE, .choice = 3,
     .meaning = "k_t over the slope of the elastic normal force, e.g. 2/7"},
    {"tangential", TYPE_WORD, .words = "mindlin mindlin_secant", .choice = 3,
     .meaning = "k_t = 8 G* sqrt(r* xi) of Mindlin's theory, with `young`: the force grows by k_t "
                "times the slip and falls with k_t; `mindlin_secant`: it is k_t times the stretch, "
                "which can make energy, for comparison"},
    {"tangential_damping", TYPE_NUMBER, "kg/s", NOT_NEGATIVE, .choice = 4,
     .meaning = "gamma_t; 0 if none of these is given"},
    {"tangential_damping_ratio", TYPE_NUMBER, NOT_NEGATIVE, .choice = 4,
     .meaning = "gamma_t over the normal damping gamma xi^beta; if neither is given that of the "
                "stiffness, where it has one"},
    {"slip", TYPE_WORD, .words = "position velocity pena", .initial = "position",
     .meaning =
         "what the tangential spring grows by: the way gone, predicted velocity times dt, "
         "or what [Pena2009] prints: for discs the way with the factor of eq. 14, for polygons "
         "the way of the centre of their common area"},
    {"spring", TYPE_WORD, .words = "rotated projected", .initial = "rotated",
     .meaning = "how the tangential spring follows a contact that turns"},
    {"attraction", TYPE_BOOLEAN, .initial = "false",
     .meaning = "damping may hold grains that part; else forces only push"},
};
static const struct schema_map soft_map = {
    "pairs: soft",
    "Soft grains, for `method: md`: overlap xi makes the force k xi^alpha + gamma xi^beta dxi/dt; "
    "a tangential spring with a dashpot bears up to mu times it. Rolling, torsion and cohesion "
    "act as in their own maps; `restitution` of the pair counts if there is neither damping nor "
    "restitution here. Between polygons (2D) the overlap is A/l_c, the area in common over the sum "
    "of "
    "both sqrt(area/pi), and alpha is 1.",
    KEYS(soft_keys), .needs_one = {[1] = true}};

static const struct schema_key pair_keys[] = {
    {"between", TYPE_NAMES, .required = true, .least = 2, .most = 2,
     .meaning = "two materials; the order does not matter"},
    {"mu", TYPE_NUMBER, NOT_NEGATIVE, .choice = 1, .meaning = "both friction coefficients at once"},
    {"mu_static", TYPE_NUMBER, NOT_NEGATIVE, .initial_is = "mu_sliding",
     .meaning = "static friction coefficient, not below mu_sliding"},
    {"mu_sliding", TYPE_NUMBER, NOT_NEGATIVE, .choice = 1,
     .meaning = "sliding friction coefficient"},
    {"rolling", TYPE_MAP, .map = &rolling_map, .meaning = "rolling friction; none if left out"},
    {"torsion", TYPE_MAP, .map = &torsion_map, .meaning = "torsion friction; none if left out"},
    {"cohesion", TYPE_MAP, .map = &cohesion_map, .meaning = "cohesion; none if left out"},
    {"soft", TYPE_MAP, .map = &soft_map, .meaning = "soft grains; needed by `method: md`"},
    {"restitution", TYPE_MAP, .map = &restitution_map,
     .meaning = "rebound of impacts; none if left out"},
};
static const struct schema_map pair_map = {
    "pairs",
    "The contact law between two materials (`talus list laws`); pairs not listed are frictionless. "
    "An entry is the whole law of its pair, also when a phase changes it.",
    KEYS(pair_keys), .needs_one = {[1] = true}};

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

/* ---- shapes ---------------------------------------------------------------------------------- */

static const struct schema_key turn_keys[] = {
    {"axis", TYPE_VECTOR, .initial = "[0, 0, 1]",
     .meaning = "any length but zero; in 2D along z, and may be left out"},
    {"angle", TYPE_NUMBER, "rad", .required = true, .meaning = "angle, counter-clockwise"},
};
static const struct schema_map turn_map = {"orientation", "A rotation about an axis.",
                                           KEYS(turn_keys)};

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
    {"turn", TYPE_MAP, .choice = 2, .map = &turn_map, .meaning = "turned before; none if left out"},
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
static const struct schema_map shape_map = {
    "shapes",
    "Grains that are not round, for 2D and 3D (docs/shapes.md). Grains are placed by their centre "
    "of mass, wherever the origin of the shape lies.",
    KEYS(shape_keys), .needs_one = {[1] = true}};

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
        .map = &turn_map,                                                                     \
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
static const struct schema_map grain_map = {
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
static const struct schema_map source_map = {
    "sources",
    "Pouring during the run: grains appear at places of the region free of grains and boundaries; "
    "where there is no room they wait.",
    KEYS(source_keys), .needs_one = {[1] = true}};

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
    {"turn", TYPE_MAP, .map = &turn_map,
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
static const struct schema_map motion_map = {
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
static const struct schema_map free_map = {
    "free", "A boundary that answers to forces, such as a piston.", KEYS(free_keys)};

static const struct schema_key boundary_keys[] = {
    {"name", TYPE_NAME, .required = true, .meaning = "name for changes and output"},
    {"plane", TYPE_MAP, .choice = 1, .map = &plane_map, .meaning = "a plane"},
    {"rectangle", TYPE_MAP, .choice = 1, .map = &rectangle_map, .meaning = "a plate"},
    {"box", TYPE_MAP, .choice = 1, .map = &box_map, .meaning = "a box of planes"},
    {"cylinder", TYPE_MAP, .choice = 1, .map = &cylinder_map, .meaning = "a cylinder"},
    {"mesh", TYPE_MAP, .choice = 1, .map = &mesh_map, .meaning = "a surface of triangles"},
    {"material", TYPE_NAME, .initial_is = "the first material", .meaning = "one of materials"},
    {"motion", TYPE_MAP, .choice = 2, .map = &motion_map, .meaning = "prescribed motion"},
    {"free", TYPE_MAP, .choice = 2, .map = &free_map, .meaning = "motion under forces"},
};
static const struct schema_map boundary_map = {"boundaries", "Walls, pistons, drums.",
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
static const struct schema_map membrane_map = {
    "membranes",
    "A flexible surface through the centres of the outer grains of a column between two plates: it "
    "holds a pressure (biaxial and triaxial tests).",
    KEYS(membrane_keys)};

/* ---- forces, phases, output ------------------------------------------------------------------ */

static const struct schema_key force_oscillate_factor_keys[] = {
    {"frequency", TYPE_NUMBER, "1/s", .required = true, NOT_NEGATIVE, .meaning = "frequency"},
    {"phase", TYPE_NUMBER, "rad", .initial = "0", .meaning = "phase at t = 0"},
    {"mean", TYPE_NUMBER, .initial = "0", .meaning = "added to the sine"},
};
static const struct schema_map force_oscillate_factor = {
    "forces: oscillate",
    "`force` times (mean + sin(2 pi frequency t + phase)), t = time of the simulation.",
    KEYS(force_oscillate_factor_keys)};

static const struct schema_key force_table_factor_keys[] = {
    {"times", TYPE_NUMBERS, "s", .required = true, .least = 1, .meaning = "rising times"},
    {"values", TYPE_NUMBERS, .required = true, .least = 1, .meaning = "factors of `force`"},
};
static const struct schema_map force_table_factor = {
    "forces: table",
    "`force` times a factor, linear between the points in the time of the simulation.",
    KEYS(force_table_factor_keys)};

static const struct schema_key force_keys[] = {
    {"name", TYPE_NAME, .required = true, .meaning = "name for changes"},
    {"on", TYPE_NAME, .required = true, .meaning = "group; the force acts on each of its grains"},
    {"force", TYPE_VECTOR, "N", .required = true, .meaning = "the force"},
    {"oscillate", TYPE_MAP, .choice = 1, .map = &force_oscillate_factor, .meaning = "as a sine"},
    {"table", TYPE_MAP, .choice = 1, .map = &force_table_factor, .meaning = "by table"},
};
static const struct schema_map force_map = {"forces", "Forces on groups of grains.",
                                            KEYS(force_keys)};

static const struct schema_key boundary_change_keys[] = {
    {"name", TYPE_NAME, .required = true, .meaning = "which boundary"},
    {"motion", TYPE_MAP, .choice = 1, .map = &motion_map, .meaning = "moves so from now on"},
    {"free", TYPE_MAP, .choice = 1, .map = &free_map,
     .meaning = "answers these forces from now on"},
};
static const struct schema_map boundary_change_map = {
    "change: boundaries", "One entry for each boundary.", KEYS(boundary_change_keys),
    .needs_one = {[1] = true}};

static const struct schema_key velocity_change_keys[] = {
    {"group", TYPE_NAME, .required = true, .meaning = "which grains"},
    {"velocity", TYPE_VECTOR, "m/s", .required = true, .meaning = "their new velocity"},
};
static const struct schema_map velocity_change_map = {
    "change: velocities", "One entry for each group.", KEYS(velocity_change_keys)};

static const struct schema_key change_keys[] = {
    {"remove", TYPE_NAMES, .initial = "[]", .meaning = "boundaries to take away"},
    {"remove_forces", TYPE_NAMES, .initial = "[]", .meaning = "forces to end"},
    {"remove_membranes", TYPE_NAMES, .initial = "[]", .meaning = "membranes to take away"},
    {"gravity", TYPE_VECTOR, "m/s^2", .meaning = "new gravity"},
    {"dt", TYPE_NUMBER, "s", POSITIVE, .meaning = "new time step"},
    {"solver", TYPE_MAP, .partial = true, .map = &solver_map,
     .meaning = "solver keys to change; the others stay as they are"},
    {"pairs", TYPE_MAPS, .initial = "[]", .map = &pair_map, .meaning = "new contact laws"},
    {"forces", TYPE_MAPS, .initial = "[]", .map = &force_map,
     .meaning = "forces to add or to replace"},
    {"membranes", TYPE_MAPS, .initial = "[]", .map = &membrane_map,
     .meaning = "membranes to add or to replace"},
    {"boundaries", TYPE_MAPS, .initial = "[]", .map = &boundary_change_map,
     .meaning = "boundaries to move otherwise"},
    {"velocities", TYPE_MAPS, .initial = "[]", .map = &velocity_change_map,
     .meaning = "groups to set in motion"},
    {"bond_contacts", TYPE_BOOLEAN, .initial = "false",
     .meaning = "bond all closed contacts whose pair has cohesion"},
};
static const struct schema_map change_map = {"change", "What a phase changes when it begins.",
                                             KEYS(change_keys)};

static const struct schema_key rest_keys[] = {
    {"kinetic", TYPE_NUMBER, POSITIVE,
     .meaning =
         "kinetic energy per grain, over m g d (without gravity: over m (d/dt)^2), is below"},
    {"unbalanced", TYPE_NUMBER, POSITIVE,
     .meaning = "mean net force on grains over mean contact force is below"},
    {"not_before", TYPE_NUMBER, "s", NOT_NEGATIVE, .initial = "0",
     .meaning = "earliest end, from the start of the phase"},
};
static const struct schema_map rest_map = {
    "rest",
    "The phase also ends at rest; of `kinetic` and `unbalanced` all that are given must hold.",
    KEYS(rest_keys)};

static const struct schema_key until_keys[] = {
    {"time", TYPE_NUMBER, "s", POSITIVE, .choice = 1,
     .meaning = "longest duration, from the start of the phase"},
    {"steps", TYPE_INTEGER, POSITIVE, .wide = true, .choice = 1,
     .meaning = "most steps of the phase"},
    {"rest", TYPE_MAP, .map = &rest_map, .meaning = "ends earlier when at rest"},
};
static const struct schema_map until_map = {"until", "When a phase ends.", KEYS(until_keys),
                                            .needs_one = {[1] = true}};

static const struct schema_key phase_keys[] = {
    {"name", TYPE_NAME, .initial_is = "`phase1`, `phase2`, ...", .meaning = "name"},
    {"change", TYPE_MAP, .initial = "{}", .map = &change_map, .meaning = "changes when it begins"},
    {"until", TYPE_MAP, .required = true, .map = &until_map, .meaning = "when it ends"},
};
static const struct schema_map phase_map = {
    "phases", "The programme of the run, one after another.", KEYS(phase_keys)};

static const struct schema_key view_keys[] = {
    {"low", TYPE_VECTOR, "m", .required = true, .meaning = "lower corner"},
    {"high", TYPE_VECTOR, "m", .required = true, .meaning = "upper corner"},
};
static const struct schema_map view_map = {
    "view",
    "The box that fills a picture. What is outside shows as far as there is room for it; infinite "
    "boundaries end there.",
    KEYS(view_keys)};

static const struct schema_key picture_keys[] = {
    {"color", TYPE_WORD, .words = "speed radius height pressure coordination spin group id",
     .initial = "speed", .meaning = "what shades the grains"},
    {"forces", TYPE_BOOLEAN, .initial = "false",
     .meaning = "contact forces as bars of proportional width, red pressure, blue tension"},
    {"boundaries", TYPE_BOOLEAN, .initial = "true", .meaning = "draw the boundaries"},
    {"legend", TYPE_BOOLEAN, .initial = "true", .meaning = "colour bar with numbers"},
    {"width", TYPE_INTEGER, BETWEEN(16, 8192), .initial = "1200", .meaning = "pixels"},
    {"height", TYPE_INTEGER, BETWEEN(16, 8192), .initial = "900", .meaning = "pixels"},
    {"azimuth", TYPE_NUMBER, "deg", .initial = "35", .meaning = "of the camera, in 3D"},
    {"elevation", TYPE_NUMBER, "deg", BETWEEN(-90, 90), .initial = "20",
     .meaning = "of the camera, in 3D"},
    {"view", TYPE_MAP, .map = &view_map,
     .initial_is = "what there is; for a film what there is at the start, and the sources",
     .meaning = "part of space to show"},
};
static const struct schema_map picture_map = {
    "picture", "The picture of the final state, and those of a film.", KEYS(picture_keys)};

static const struct schema_key output_keys[] = {
    {"every", TYPE_NUMBER, "s", NOT_NEGATIVE,
     .initial_is = "a hundredth of the run; 0 if that counts in steps",
     .meaning = "time between rows of the series; 0 = every step"},
    {"track", TYPE_NAMES, .initial = "[]",
     .meaning = "groups whose mean position and velocity become columns"},
    {"boundaries", TYPE_BOOLEAN, .initial = "true",
     .meaning = "force, torque and position of each boundary become columns"},
    {"picture", TYPE_MAP | TYPE_BOOLEAN, .initial = "{}", .map = &picture_map,
     .meaning = "how the final picture looks, and those of a film; `false` = none"},
    {"film", TYPE_NUMBER, "s", NOT_NEGATIVE, .initial = "0",
     .meaning = "time between numbered pictures of the run, film_0000.png at its start; 0 = none"},
};
static const struct schema_map output_map = {"output", "What is written.", KEYS(output_keys)};

static const struct schema_key limit_keys[] = {
    {"overlap", TYPE_NUMBER, POSITIVE, .initial = "0.01",
     .meaning = "overlap, in mean diameters, above which the run warns"},
};
static const struct schema_map limit_map = {"limits", "When to warn.", KEYS(limit_keys)};

/* ---- the scene ------------------------------------------------------------------------------- */

static const struct schema_key scene_keys[] = {
    {"title", TYPE_TEXT, .initial = "\"\"", .meaning = "one line about the scene"},
    {"dimension", TYPE_INTEGER, BETWEEN(1, 3), .initial = "3",
     .meaning = "1, 2 or 3; the unused directions are locked"},
    {"seed", TYPE_INTEGER, NOT_NEGATIVE, .wide = true, .initial = "1",
     .meaning = "of all random numbers: same seed, same run"},
    {"method", TYPE_WORD, .words = "cd md", .initial = "cd",
     .meaning = "`cd`: rigid grains by Contact Dynamics; `md`: soft grains by molecular dynamics"},
    {"gravity", TYPE_VECTOR, "m/s^2", .initial = "[0, 0, 0]", .meaning = "gravity"},
    {"time", TYPE_MAP, .initial = "{}", .map = &time_map, .meaning = "time step and end"},
    {"cell", TYPE_MAP, .initial = "{}", .map = &cell_map, .meaning = "periodic directions"},
    {"solver", TYPE_MAP, .initial = "{}", .map = &solver_map, .meaning = "the contact solver"},
    {"materials", TYPE_MAPS, .initial = "[{name: grain, density: 2500}]", .map = &material_map,
     .least = 1, .meaning = "materials"},
    {"pairs", TYPE_MAPS, .initial = "[]", .map = &pair_map, .meaning = "friction"},
    {"shapes", TYPE_MAPS, .initial = "[]", .map = &shape_map,
     .meaning = "shapes of grains that are not round"},
    {"grains", TYPE_MAPS, .initial = "[]", .map = &grain_map, .meaning = "grains at the start"},
    {"sources", TYPE_MAPS, .initial = "[]", .map = &source_map, .meaning = "grains poured later"},
    {"boundaries", TYPE_MAPS, .initial = "[]", .map = &boundary_map, .meaning = "walls"},
    {"membranes", TYPE_MAPS, .initial = "[]", .map = &membrane_map,
     .meaning = "membranes that hold a pressure"},
    {"forces", TYPE_MAPS, .initial = "[]", .map = &force_map, .meaning = "forces on groups"},
    {"phases", TYPE_MAPS, .map = &phase_map, .least = 1, .initial_is = "one, from `time`",
     .meaning = "the programme of the run"},
    {"output", TYPE_MAP, .initial = "{}", .map = &output_map, .meaning = "what is written"},
    {"limits", TYPE_MAP, .initial = "{}", .map = &limit_map, .meaning = "when to warn"},
    {"include", TYPE_TEXTS,
     .meaning = "scene files to start from, seen from this file's directory; keys given here win, "
                "maps merge, lists replace"},
};

const struct schema_map schema_scene = {"the scene", "Keys at the top of a scene file.",
                                        KEYS(scene_keys)};
