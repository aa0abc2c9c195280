/* SPDX-License-Identifier: Apache-2.0
 * The language of scenes: materials and the laws between pairs of them. */
#include "scene/schema_tables.h"

static const struct schema_key material_keys[] = {
    {"name", TYPE_NAME, .required = true, .meaning = "what grains and boundaries call it"},
    {"density", TYPE_NUMBER, "kg/m^3", .also = "kg/m^2", .initial = "0", NOT_NEGATIVE,
     .meaning =
         "per volume for spheres and shapes in 3D, per area for discs and shapes in 2D; 0 if "
         "nothing gets its mass from it"},
};
const struct schema_map schema_material = {
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
const struct schema_map schema_pair = {
    "pairs",
    "The contact law between two materials (`talus list laws`); pairs not listed are frictionless. "
    "An entry is the whole law of its pair, also when a phase changes it.",
    KEYS(pair_keys), .needs_one = {[1] = true}};
