/* SPDX-License-Identifier: Apache-2.0
 * What the files of run/ share: the state of a run in progress and what remains of it. */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "base/memory.h"
#include "io/log.h"
#include "io/series.h"
#include "run/frames.h"
#include "run/measures.h"
#include "scene/scene.h"
#include "talus/run.h"

enum { RUN_NAME = 64, RUN_MESSAGE = 512 };

/* ---- warnings: counted, never a line for each step ------------------------------------------ */

enum run_warning_kind { RUN_NOT_CONVERGED, RUN_OVERLAP, RUN_TIME_STEP, RUN_WARNINGS };

struct run_warning {
    int64_t count; /* steps (overlap: observations) it was seen at */
    int64_t first_step;
    double first_time;
    double worst; /* residual, overlap in mean diameters, travel in radii */
};

/* A measure whose row could not be made: the run goes on without it. */
struct run_left_out {
    char label[RUN_NAME];
    int64_t count, first_step;
    double first_time, last_time;
    char message[RUN_MESSAGE]; /* of the first time */
};

/* ---- what became of a phase ------------------------------------------------------------------ */

enum run_end {
    RUN_END_NONE,        /* still going on */
    RUN_END_DURATION,    /* ran for its time or its steps, as asked */
    RUN_END_REST,        /* came to rest */
    RUN_END_NOT_AT_REST, /* should have come to rest, ran out of time */
    RUN_END_INTERRUPTED,
    RUN_END_FAILED
};

const char *run_end_name(enum run_end end);

struct run_phase {
    char name[RUN_NAME];
    enum run_end end;
    double time_start, time_end;
    int64_t steps;
};

/* ---- the result ------------------------------------------------------------------------------ */

struct talus_result {
    struct memory memory; /* of this struct and `phases` */
    talus_sim *sim;
    struct series series;
    struct run_phase *phases;
    size_t phase_count; /* of the scene */
    size_t phases_begun;
    struct run_warning warnings[RUN_WARNINGS];
    struct run_left_out *left_out; /* of each measure */
    size_t measure_count;
    double overlap_limit; /* in mean diameters */
    int64_t sweeps_total, updates_total, audit_updates;
    int64_t handovers_total, handover_sweeps_total, factor_turns_total,
        factor_steps_total; /* of solver auto */
    int64_t source_waiting; /* poured grains that found no room by the end */
    double wall_seconds;
    uint64_t seed;
    talus_observables last;    /* at the end */
    talus_measures measures;   /* of the last step */
    talus_trust trust;         /* at the end */
    talus_status status;       /* how it ended */
    char message[RUN_MESSAGE]; /* the error that ended it, or "" */
    char title[RUN_MESSAGE];
    bool resumable; /* the last checkpoint that was tried is there */
};

/* ---- a run in progress ----------------------------------------------------------------------- */

/* With its end. */
struct run_text {
    char *text;
    size_t length;
};

struct run {
    const talus_scene *scene;
    const talus_run_config *config;
    talus_result *result;
    struct log log;
    struct scene_pour pour;
    double clock_start;
    double time_end; /* s, the latest */
    double next_row; /* s, when the next row is due */
    int64_t last_row_step;
    struct run_film {
        talus_picture_config config; /* its view is fixed by the first picture */
        double next;                 /* s, when the next picture is due */
        int count;                   /* written so far */
    } film;
    struct run_frames frames;
    struct run_measures *measures; /* NULL: none */
    int rest_count;                /* checks in a row that found rest */
    struct run_pace {              /* for the estimate of the time left */
        double clock, time;        /* of the last look: wall seconds, s */
        double rate;               /* simulated over wall time, lately; 0 = not known yet */
    } pace;
    talus_step_report report;
    bool dumped;          /* the problem of config->dump_step is written */
    int64_t overlap_step; /* after which an overlap was last counted, + 1 */
    int lock;             /* of the directory; -1: none */
    bool begun;           /* its files are open */
    bool resumed;         /* it goes on in the middle of a phase */
    bool finished;        /* all phases are over and the results are written */
    double process_start; /* clock when this process began with it */
    double wall_before;   /* s, of wall time up to the checkpoint */
    int64_t series_bytes; /* of series.tsv up to the checkpoint; < 0: not known */
    struct run_checkpoint {
        struct memory memory;
        struct run_text scene;    /* resolved */
        int64_t count, last_step; /* written; after which step the last one was */
        double seconds, longest,
            last_clock; /* spent on all, on one; when the last one was written */
        double bytes;   /* of all that were written */
        double step_clock, step_longest;
    } checkpoint;
};

/* dump.c */
talus_status run_dump_problem(struct run *run, talus_error *err);
/* Was the step reached whose problem was asked for? */
talus_status run_check_dump(const struct run *run, talus_error *err);

/* audit.c: of the step just made, if one is due; of the last one. */
talus_status run_audit(struct run *run, talus_error *err);
talus_status run_audit_last(struct run *run, talus_error *err);

/* run.c: a run from its beginning or from where it stopped. */
struct run_origin {
    const talus_scene *scene;
    int64_t refuse_at;
    /* Makes result->sim and the rest of the state; NULL: the scene does. */
    talus_status (*restore)(struct run *run, void *context, talus_error *err);
    void *context;
};
talus_status run_from(const struct run_origin *origin, const talus_run_config *config,
                      talus_result **out, talus_error *err);
/* talus_run, made to fail at the n-th allocation of its own for the fault tests. */
talus_status run_scene(const talus_scene *scene, const talus_run_config *config, int64_t refuse_at,
                       talus_result **out, talus_error *err);

/* checkpoint.c */
talus_status run_keep_scene(struct run *run, talus_error *err); /* scene.yaml, which is there */
talus_status run_read_scene(const char *directory, struct memory *memory, struct run_text *out,
                            talus_error *err);
void run_checkpoint(struct run *run);       /* if one is due */
bool run_write_checkpoint(struct run *run); /* now; is it there? */
bool run_out_of_time(struct run *run);      /* after every step */
/* What is written at the end, and how long that takes at most, unless the machine is very slow. */
struct run_results_size {
    double grains, contacts, pixels, converted_frames;
};
double run_results_seconds(const struct run_results_size *size);
/* s, that a limit must leave: for the longest step, the longest checkpoint and the results. */
double run_reserve(double limit, double step, double checkpoint, double results);
void run_checkpoint_free(struct run *run);

/* phase.c */
talus_status run_one_phase(struct run *run, size_t number, talus_error *err);
talus_status run_row(struct run *run, talus_observables *row, talus_error *err);

/* The first multiple of `every` that is later than now. */
double run_next_time(const talus_sim *sim, double every);
int64_t run_phase_steps(const struct scene_phase *phase, double dt);

/* rest.c */
bool run_at_rest(const struct run *run, const struct scene_phase *phase,
                 const talus_observables *now);
double run_kinetic_number(const talus_sim *sim, const talus_observables *now);

/* warnings.c */
void run_warn_step(struct run *run);
void run_warn_overlap(struct run *run, const talus_observables *now);
void run_warn_left_out(struct run *run, size_t measure, const talus_error *err);
void run_warn_totals(struct run *run);
talus_status run_warning_status(const talus_result *result);
const char *run_warning_name(enum run_warning_kind kind);
const char *run_warning_measure(enum run_warning_kind kind);

/* film.c: a picture if the scene wants a film and one is due. */
talus_status run_film(struct run *run, talus_error *err);

/* output.c, summary.c */
talus_status run_open(struct run *run, talus_error *err);
talus_status run_write_results(struct run *run, talus_error *err);
talus_status run_write_summary(const talus_result *result, const char *directory, talus_error *err);
struct json;
void run_json_losses(struct json *json, const talus_energy *energy); /* what went where */

/* Text of a status in summary.json: "ok" also for a complete run with warnings. */
const char *run_status_text(talus_status status);

#endif
