/* SPDX-License-Identifier: Apache-2.0
 *
 * The keys at the top of a scene file. Those of its maps are in schema_*.c. To add one: a line in its table, and the place in
 * read_*.c that uses it. The tables are long because they are the whole language; they hold no code.
 */
#include "scene/schema_tables.h"

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
    {"time", TYPE_MAP, .initial = "{}", .map = &schema_time, .meaning = "time step and end"},
    {"cell", TYPE_MAP, .initial = "{}", .map = &schema_cell, .meaning = "periodic directions"},
    {"solver", TYPE_MAP, .initial = "{}", .map = &schema_solver, .meaning = "the contact solver"},
    {"materials", TYPE_MAPS, .initial = "[{name: grain, density: 2500}]", .map = &schema_material,
     .least = 1, .meaning = "materials"},
    {"pairs", TYPE_MAPS, .initial = "[]", .map = &schema_pair, .meaning = "friction"},
    {"shapes", TYPE_MAPS, .initial = "[]", .map = &schema_shape,
     .meaning = "shapes of grains that are not round"},
    {"from", TYPE_TEXT,
     .meaning =
         "directory of results, or a checkpoint.h5, whose grains are there at the start, as they "
         "were: see docs/restart.md; materials and shapes of the same names must be given here"},
    {"grains", TYPE_MAPS, .initial = "[]", .map = &schema_grain, .meaning = "grains at the start"},
    {"sources", TYPE_MAPS, .initial = "[]", .map = &schema_source,
     .meaning = "grains poured later"},
    {"boundaries", TYPE_MAPS, .initial = "[]", .map = &schema_boundary, .meaning = "walls"},
    {"membranes", TYPE_MAPS, .initial = "[]", .map = &schema_membrane,
     .meaning = "membranes that hold a pressure"},
    {"forces", TYPE_MAPS, .initial = "[]", .map = &schema_force, .meaning = "forces on groups"},
    {"phases", TYPE_MAPS, .map = &schema_phase, .least = 1, .initial_is = "one, from `time`",
     .meaning = "the programme of the run"},
    {"output", TYPE_MAP, .initial = "{}", .map = &schema_output, .meaning = "what is written"},
    {"limits", TYPE_MAP, .initial = "{}", .map = &schema_limit, .meaning = "when to warn"},
    {"include", TYPE_TEXTS,
     .meaning = "scene files to start from, seen from this file's directory; keys given here win, "
                "maps merge, lists replace"},
};

const struct schema_map schema_scene = {"the scene", "Keys at the top of a scene file.",
                                        KEYS(scene_keys)};
