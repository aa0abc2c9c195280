/* SPDX-License-Identifier: Apache-2.0
 * The language of scenes: time, cell, solver, output, limits. */
#include "scene/schema_tables.h"

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
const struct schema_map schema_time = {"time", "The time step and, without phases, the end.",
                                       KEYS(time_keys)};

static const struct schema_key cell_keys[] = {
    {"periodic", TYPE_WORDS, .words = AXES, .initial = "[]", .most = 3,
     .meaning = "directions in which the world repeats"},
    {"origin", TYPE_VECTOR, "m", .initial = "[0, 0, 0]", .meaning = "lower corner"},
    {"size", TYPE_VECTOR, "m", .initial = "[0, 0, 0]",
     .meaning = "periods; used, and then > 0, in periodic directions"},
};
const struct schema_map schema_cell = {"cell", "The periodic cell; open if left out.",
                                       KEYS(cell_keys)};

static const struct schema_key solver_keys[] = {
    {"name", TYPE_WORD, .catalog = "solver", .initial = "auto",
     .meaning = "the iterative solver (`talus list solvers`); `auto`: nnsgs, and apgd where that "
                "makes no progress"},
    {"sweep", TYPE_WORD, .words = "random windowed sequential symmetric parallel batched auto",
     .initial = "auto",
     .meaning = "order of the contact updates; `auto`: random for few contacts, batched for many"},
    {"stop", TYPE_WORD,
     .words = "fixed local global residual balance siconos penetration unbalanced",
     .meaning =
         "when to stop: after `sweeps`; when forces stand still, `local` or `global`; when every "
         "contact obeys its law, `residual`; when also no force is missing on the scale of "
         "the system, `balance`; when the natural map as Siconos scales it, `siconos`, or the "
         "largest new overlap over radius, `penetration`, is small; when the mean net force on "
         "grains over "
         "the mean contact force is, `unbalanced`, which only what rests can meet. By default "
         "`fixed` if `sweeps` "
         "is given, else `balance`"},
    {"sweeps", TYPE_INTEGER, POSITIVE, .meaning = "sweeps of the fixed rule, N_I; by default 50"},
    {"max_sweeps", TYPE_INTEGER, POSITIVE, .initial = "10000", .meaning = "cap of the other rules"},
    {"check_every", TYPE_INTEGER, POSITIVE, .initial = "10",
     .meaning = "sweeps between two evaluations of residual and balance"},
    {"window", TYPE_INTEGER, BETWEEN(2, 65536), .initial = "256",
     .meaning = "contacts in a block of the windowed sweep"},
    {"tolerance", TYPE_NUMBER, POSITIVE,
     .meaning = "of the stopping rule; by default 1e-2 for `balance`, 1e-6 for the others"},
    {"cutoff", TYPE_NUMBER, NOT_NEGATIVE, .initial = "1e-3",
     .meaning = "local rule: share of the mean force that counts as zero"},
    {"momentum_cap", TYPE_NUMBER, BETWEEN(0, 1), .initial = "1",
     .meaning = "nnsgs, auto: largest momentum factor"},
    {"warm_start", TYPE_BOOLEAN, .initial = "true",
     .meaning = "first guess: the impulses of the last step"},
    {"carry", TYPE_NUMBER, BETWEEN(0, 0.5), .initial = "0",
     .meaning = "share of their last change that is added to the first guess: momentum across "
                "steps, for slow flows in few sweeps"},
    {"islands", TYPE_BOOLEAN, .initial = "true",
     .meaning = "contacts that do not hang together are solved separately, each island to its own "
                "stop"},
    {"gap", TYPE_WORD, .words = "positive signed projected", .initial = "positive",
     .meaning = "`positive`: overlaps are kept (g+ law); `signed`: they are pushed apart, which "
                "gives grains a velocity (g law); `projected`: they are moved apart without one"},
    {"audit", TYPE_NUMBER, BETWEEN(0, 1), .initial = "0.02",
     .meaning =
         "share of the sweeps that may go into audits: steps solved again, a hundred times as "
         "strictly, to tell how wrong their forces were; nothing else changes. The last step "
         "is audited besides; 0: none"},
    {"substeps", TYPE_INTEGER, BETWEEN(1, 10000), .initial = "1",
     .meaning =
         "a step of `dt` is made of so many shorter ones of equal length; rigid grains only"},
};
const struct schema_map schema_solver = {"solver", "How the contact forces are found.",
                                         KEYS(solver_keys)};

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

static const struct schema_key checkpoint_keys[] = {
    {"every", TYPE_NUMBER, "s", POSITIVE, .initial = "600",
     .meaning = "time on the clock, not of the simulation, between two"},
    {"steps", TYPE_INTEGER, POSITIVE, .wide = true, .meaning = "in addition after so many steps"},
    {"end", TYPE_BOOLEAN, .initial = "true",
     .meaning = "also at the end, to go on from or to start other scenes with `from`"},
};
static const struct schema_map checkpoint_map = {
    "checkpoint",
    "The whole state in checkpoint.h5, from which `talus run --resume` goes on with the same bits. "
    "It is "
    "also written when a run is interrupted.",
    KEYS(checkpoint_keys)};

static const struct schema_key frames_keys[] = {
    {"every", TYPE_NUMBER, "s", POSITIVE, .choice = 1,
     .initial_is = "that of the rows of the series, if there are neither steps nor events",
     .meaning = "time between frames, the first at the start"},
    {"steps", TYPE_INTEGER, POSITIVE, .wide = true, .choice = 1,
     .meaning = "steps between frames, instead"},
    {"events", TYPE_WORDS, .words = "start phase end", .initial = "[]",
     .meaning = "frames at the start, at the end of each phase, at the end of the run"},
    {"quantities", TYPE_WORDS, .catalog = "quantity", .initial = "[]",
     .meaning = "what to keep of grains and contacts beside positions, ids and radii (`talus list "
                "quantities`); none named: all that is usual"},
    {"contacts", TYPE_BOOLEAN, .initial = "true", .meaning = "keep the contacts, too"},
    {"surfaces", TYPE_BOOLEAN, .initial = "true",
     .meaning = "keep the surfaces of grains that are not round as polygons, for ParaView"},
    {"format", TYPE_WORD, .words = "vtp vtkhdf", .initial = "vtp",
     .meaning = "`vtkhdf`: when the run ends all frames also as VTKHDF, a file for each block, for "
                "ParaView 5.12 and later"},
    {"float32", TYPE_BOOLEAN, .initial = "false",
     .meaning = "half the size, seven digits instead of all"},
};
static const struct schema_map frames_map = {
    "frames",
    "States in the course of the run, in `frames/`, for ParaView, OVITO and `talus export`.",
    KEYS(frames_keys)};

/* The parameters of all measures: what each one takes is judged when the scene is read. */
#define TEXT_FOR_NUMBER TYPE_TEXT
#define TEXT_FOR_COUNT TYPE_TEXT
#define TEXT_FOR_WORD TYPE_TEXT
#define TEXT_FOR_VECTOR TYPE_TEXTS
static const struct schema_key measure_keys[] = {
    {"name", TYPE_WORD, .catalog = "measure", .required = true,
     .meaning = "which one (`talus list measures`)"},
    {"as", TYPE_NAME, .initial_is = "the name of the measure",
     .meaning = "name of its file, or of its columns, to have one measure several times"},
#define PARAMETER(measure_, name_, kind_, unit_, initial_, low_, high_, words_, meaning_) \
    {#name_, TEXT_FOR_##kind_, sizeof(unit_) > 1 ? unit_ : NULL,                          \
     .initial_is = sizeof(initial_) > 1 ? initial_ : NULL,                                \
     .meaning = sizeof(words_) > 1 ? "of " #measure_ ": " meaning_ " (" words_ ")"        \
                                   : "of " #measure_ ": " meaning_},
#include "measure/measures.def"
};
static const struct schema_map measure_map = {
    "measures",
    "Measures taken with each row of the series (docs/measures.md). Those with one row become its "
    "columns, the others tables in `measures/`. A name alone will do: `[stress, {name: profile, "
    "axis: x}]`.",
    KEYS(measure_keys)};

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
    {"checkpoint", TYPE_MAP | TYPE_BOOLEAN, .initial = "{}", .map = &checkpoint_map,
     .meaning = "when the whole state is written, to be resumed; `false` = never"},
    {"frames", TYPE_MAP | TYPE_BOOLEAN, .initial = "false", .map = &frames_map,
     .meaning = "states of the run to be looked at and exported later; `true` = `{}`"},
    {"measures", TYPE_MAPS, .initial = "[]", .map = &measure_map, .by_name = true,
     .meaning = "measures taken with each row of the series"},
};
const struct schema_map schema_output = {"output", "What is written.", KEYS(output_keys)};

static const struct schema_key limit_keys[] = {
    {"overlap", TYPE_NUMBER, POSITIVE, .initial = "0.01",
     .meaning = "overlap, in mean diameters, above which the run warns"},
};
const struct schema_map schema_limit = {"limits", "When to warn.", KEYS(limit_keys)};
