/* SPDX-License-Identifier: Apache-2.0
 * What build.c, apply.c and pour.c share. */
#ifndef SCENE_BUILD_H
#define SCENE_BUILD_H

#include "base/error.h"
#include "base/random.h"
#include "scene/scene.h"

/* Put "where: " before the message of a failed call and return its status. */
talus_status build_failed(talus_status status, talus_error *err, const char *format, ...)
    BASE_PRINTF(3, 4);

/* A velocity with jitter in the directions that exist. */
talus_vec3 build_velocity(talus_vec3 velocity, double jitter, int dimension, struct random *random);

/* A simulation with the materials, shapes and boundaries of the scene and nothing else: what a checkpoint is read
 * into. */
talus_status build_frame(const talus_scene *scene, talus_sim **out, talus_error *err);

/* The time step of `dt: auto`, or the engine's present one if nothing is going to move. */
double build_auto_dt(const talus_scene *scene, const talus_sim *sim);

#endif
