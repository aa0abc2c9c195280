/* SPDX-License-Identifier: Apache-2.0
 * What the files of talus_compare share. */
#ifndef RUN_COMPARE_H
#define RUN_COMPARE_H

#include "run/run.h"
#include "scene/pool.h"
#include "talus/compare.h"

/* ---- compare_scene.c: the scene for the other method, as overrides of the file ----------------- */

enum { COMPARE_OVERRIDES = 512 };

struct compare_plan {
    struct pool *pool;
    const talus_scene *scene; /* as written */
    const char *text[COMPARE_OVERRIDES];
    size_t count, given; /* the first are the caller's own */
    bool full;           /* out of memory or too many */
    char *notes;         /* of the comparison */
};

/* What the soft laws and the restitution of rigid grains are made of. */
struct compare_grain {
    double mass, radius; /* means */
    double speed;        /* m/s, of impacts, for laws that depend on it */
};

BASE_PRINTF(2, 3) void compare_note(char *notes, const char *format, ...);
BASE_PRINTF(2, 3) void compare_set(struct compare_plan *plan, const char *format, ...);

/* Rigid grains, stopped at this residual. */
void compare_make_rigid(struct compare_plan *plan, double tolerance,
                        const struct compare_grain *grain);
/* Soft grains with springs of this stiffness; 0: the scene's own soft laws. */
void compare_make_soft(struct compare_plan *plan, double stiffness);
/* Phases that change dt or count steps: the same times with the time step of the other method. */
void compare_keep_times(struct compare_plan *plan, double scene_dt, double dt);
/* Do all pairs that can meet have soft laws of their own? */
bool compare_has_soft_laws(const talus_scene *scene);

/* compare_laws.c: a pair as one line of YAML */
const char *compare_pair_text(struct pool *pool, const talus_scene *scene,
                              const struct scene_pair *pair);
/* e of a soft law between two such grains. */
double compare_restitution(const talus_pair_law *law, const struct compare_grain *grain);

/* ---- compare_watch.c: looking at a run as it goes ------------------------------------------------ */

enum { COMPARE_LOOKS = 400 };

struct compare_look {
    double time, kinetic, force, coordination, overlap;
    talus_stress stress;
};

struct compare_watch {
    talus_method method;
    const talus_compare_config *config;
    const talus_sim *sim;
    talus_compare_side *side;
    double next;
    size_t count;
    talus_error problem; /* of looking; status 0: none */
    struct compare_look looks[COMPARE_LOOKS];
    talus_vec3 impulse[COMPARE_LOOKS][TALUS_COMPARE_BOUNDARIES];
};

void compare_watch_begun(const talus_sim *sim, void *watch);
bool compare_watch_step(const talus_progress *progress, void *watch);
/* The means of the end and the worst tenths. */
void compare_watch_end(struct compare_watch *watch, const talus_result *result);

#endif
