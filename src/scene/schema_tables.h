/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tables of the language of scenes share: short forms of common fields, and the maps that other files refer to. */
#ifndef SCENE_SCHEMA_TABLES_H
#define SCENE_SCHEMA_TABLES_H

#include "scene/schema.h"

#define POSITIVE .range = RANGE_POSITIVE
#define NOT_NEGATIVE .range = RANGE_NOT_NEGATIVE
#define BETWEEN(a, b) .range = RANGE_BETWEEN, .low = (a), .high = (b)
#define KEYS(table) .keys = (table), .count = sizeof(table) / sizeof((table)[0])
#define AXES "x y z"
#define SIDES "x- x+ y- y+ z- z+"

extern const struct schema_map schema_boundary;
extern const struct schema_map schema_cell;
extern const struct schema_map schema_force;
extern const struct schema_map schema_free;
extern const struct schema_map schema_grain;
extern const struct schema_map schema_limit;
extern const struct schema_map schema_material;
extern const struct schema_map schema_membrane;
extern const struct schema_map schema_motion;
extern const struct schema_map schema_output;
extern const struct schema_map schema_pair;
extern const struct schema_map schema_phase;
extern const struct schema_map schema_shape;
extern const struct schema_map schema_solver;
extern const struct schema_map schema_source;
extern const struct schema_map schema_time;
extern const struct schema_map schema_turn;

#endif
