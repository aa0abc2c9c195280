/* SPDX-License-Identifier: Apache-2.0
 *
 * Run a scene through its phases and write the results into a directory: scene.yaml (resolved),
 * series.tsv, summary.json, log.txt, final.txt, final_contacts.txt, final.png; if the scene wants a
 * film, film_0000.png, film_0001.png, ...; if it wants frames, frames/frames.pvd and what belongs to it.
 */
#ifndef TALUS_RUN_H
#define TALUS_RUN_H

#include "talus/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct talus_progress {
    const char *phase;             /* name of the present phase */
    int phase_number, phase_count; /* the first is 1 */
    double time;                   /* s, simulated */
    double time_end;               /* s, the latest moment the run can last to */
    int64_t step;
    double wall_seconds;
    double eta_seconds;              /* < 0 while unknown */
    const talus_step_report *report; /* of the last step; NULL before the first */
    const talus_observables *row;    /* not NULL when an output row was just written */
} talus_progress;

typedef struct talus_run_config {
    const char *directory; /* results; NULL = keep nothing (tests). Made if missing */
    bool overwrite;        /* replace the results of an earlier run; default false: refuse */
    /* Called before the first and after every step; return false to end cleanly. May be NULL. */
    bool (*progress)(const talus_progress *progress, void *context);
    /* Called once with the simulation as it starts. May be NULL. */
    void (*begun)(const talus_sim *sim, void *context);
    void *context;
    bool keep_series; /* keep the rows in memory for talus_result_column */
    int threads;      /* default 1 */
    int64_t
        dump_step; /* write the contact problem of this step as FCLIB files (the first is 1); 0 = none */
    /* Checkpoints: every so many seconds of wall time; 0 = as the scene says, < 0 = none at all. */
    double checkpoint_every;
    double
        wall_limit; /* s: write a checkpoint and stop, as if interrupted, a little before; 0 = none */
    bool picture;   /* write final.png and the film if the scene wants them; default true */
} talus_run_config;

typedef struct talus_result talus_result;

talus_run_config talus_run_config_default(void);

/* Run to the end. TALUS_WARN_INTERRUPTED if progress() said stop: all results are written all the
 * same. Another positive status: the run is complete and the report counts what to look at. On a
 * negative status *out may still hold what was reached; free it. TALUS_ERR_DIVERGED: the results
 * up to the last good step are written. The directory is touched only after the scene has been
 * built. */
talus_status talus_run(const talus_scene *scene, const talus_run_config *config, talus_result **out,
                       talus_error *err);
void talus_result_free(talus_result *result);

/* Go on with a run from its directory's checkpoint.h5 (docs/restart.md), to the same bits as if it had never
 * stopped. The directory of the config is not used. `overrides` may move the end of phases that are not over and change
 * output.checkpoint, nothing else. A run that is over is left alone: TALUS_OK with *out = NULL. A file that is damaged, of
 * another program, or a directory that does not belong to it: TALUS_ERR_INPUT, and nothing has changed. Rows kept in memory
 * (keep_series) begin with the resumed part. */
talus_status talus_run_resume(const char *directory, const char *const *overrides,
                              size_t override_count, const talus_run_config *config,
                              talus_result **out, talus_error *err);

/* Is there a checkpoint from which the run can be resumed? */
bool talus_result_resumable(const talus_result *result);

/* What is in a checkpoint. */
typedef struct talus_checkpoint_view {
    char program[32]; /* version that wrote it */
    char title[256], phase[64];
    int format, phase_number, phase_count; /* the first phase is 1 */
    int dim;
    bool soft;     /* method md */
    bool finished; /* the run is over */
    int64_t step, grains, boundaries, contacts, candidates, bonds_broken;
    int64_t poured, rows; /* by sources; bytes of series.tsv */
    double time, dt, wall_seconds;
    uint64_t bytes;
} talus_checkpoint_view;

/* `path`: the file, or a directory that has it. All of it is checked. */
talus_status talus_checkpoint_look(const char *path, talus_checkpoint_view *out, talus_error *err);

/* The state at the end; owned by the result. */
const talus_sim *talus_result_sim(const talus_result *result);

/* The rows of a column of series.tsv by its name without unit; NULL if there is none. */
const double *talus_result_column(const talus_result *result, const char *name, size_t *count);

/* When the phase of that name began and ended (s); false if it was not reached. */
bool talus_result_phase(const talus_result *result, const char *name, double *begin, double *end);

/* Lines of the end-of-run report: observables, trust figures, verdict. */
talus_status talus_result_report(const talus_result *result, FILE *to);

/* ---- after a run ----------------------------------------------------------------------------- */

/* TALUS_ERR_INPUT if `to` is a file that a run writes into its directory (series.tsv, checkpoint.h5, frames/..., whether it is
 * there yet or not), or another name of such a file of the run in the directory `run`. For all who write something that was
 * made from a run: nothing of it is lost then. */
talus_status talus_run_spare(const char *run, const char *to, talus_error *err);

/* ---- before a run ---------------------------------------------------------------------------- */

typedef struct talus_plan {
    int dim;
    int64_t grains;       /* at time 0 */
    int64_t grains_later; /* to be poured */
    int64_t boundaries, phases;
    double dt;              /* s, at time 0 */
    talus_step_rules rules; /* what bounds it */
    int64_t steps;          /* at most: phases that wait for rest may end sooner */
    double time_end;        /* s, at most */
    int64_t rows;           /* of series.tsv, at most */
    int64_t film;           /* pictures of the run, at most; 0 = no film */
    int64_t frames;         /* in frames/, at most; 0 = none */
    int64_t steps_tried;    /* real steps that the estimate is made from */
    int64_t contacts;       /* in the solver's problem in the last of them */
    double wall_seconds;   /* estimate of the whole run if contacts stay as few as in these steps */
    double packed_seconds; /* the same if all grains are packed from the start */
    double overlap;        /* largest at the start, in mean diameters; 0 = none */
    talus_gid overlap_a, overlap_b; /* the bodies that overlap so */
    const char *overlap_boundary;   /* name of the second if it is a boundary, else NULL; valid as
                                       long as the scene */
    char measures[512]; /* why a measure would leave out its rows from the start; "" = none does */
} talus_plan;

/* What a run would do. Does up to `trial_steps` real steps (for at most two seconds) on a scratch
 * simulation to estimate how long it would take; with none the estimates are 0. Writes nothing. */
talus_status talus_run_plan(const talus_scene *scene, int trial_steps, talus_plan *out,
                            talus_error *err);

/* One line for each phase: name, steps, how it ends. */
talus_status talus_run_plan_phases(const talus_scene *scene, const talus_plan *plan, FILE *to);

/* Soft grains: a line with the rules for the time step and dt, and a warning with numbers for each that dt breaks or
 * that the speed to be expected does. Nothing for rigid grains. */
talus_status talus_run_time_step(const talus_step_rules *rules, double dt, FILE *to);

/* A line about the largest overlap at the start; nothing if it is below 1e-6 mean diameters. */
talus_status talus_run_plan_overlap(const talus_plan *plan, FILE *to);
/* A warning if a measure of the run would have to leave out rows from the start. */
talus_status talus_run_plan_measures(const talus_plan *plan, FILE *to);

#ifdef __cplusplus
}
#endif
#endif
