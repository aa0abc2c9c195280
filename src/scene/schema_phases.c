/* SPDX-License-Identifier: Apache-2.0
 * The language of scenes: forces, and what phases change. */
#include "scene/schema_tables.h"

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
const struct schema_map schema_force = {"forces", "Forces on groups of grains.", KEYS(force_keys)};

static const struct schema_key boundary_change_keys[] = {
    {"name", TYPE_NAME, .required = true, .meaning = "which boundary"},
    {"motion", TYPE_MAP, .choice = 1, .map = &schema_motion, .meaning = "moves so from now on"},
    {"free", TYPE_MAP, .choice = 1, .map = &schema_free,
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
    {"solver", TYPE_MAP, .partial = true, .map = &schema_solver,
     .meaning = "solver keys to change; the others stay as they are"},
    {"pairs", TYPE_MAPS, .initial = "[]", .map = &schema_pair, .meaning = "new contact laws"},
    {"forces", TYPE_MAPS, .initial = "[]", .map = &schema_force,
     .meaning = "forces to add or to replace"},
    {"membranes", TYPE_MAPS, .initial = "[]", .map = &schema_membrane,
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
const struct schema_map schema_phase = {"phases", "The programme of the run, one after another.",
                                        KEYS(phase_keys)};
