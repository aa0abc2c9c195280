/* SPDX-License-Identifier: Apache-2.0
 *
 * A scene, read and checked: plain data, no YAML left in it. schema.c says how each field is spelt in
 * a file; build.c makes a simulation of it; run/ walks through its phases.
 * All lists are arrays owned by the scene's pool; names are indices where the scene resolves them.
 */
#ifndef SCENE_SCENE_H
#define SCENE_SCENE_H

#include "measure/measure.h"
#include "scene/problems.h"
#include "talus/picture.h"
#include "talus/scene.h"

struct scene_material {
    const char *name;
    double density;
};

struct scene_pair {
    int a, b; /* materials */
    talus_pair_law law;
};

/* A shape that is not round. A random one comes in several variants. */
struct scene_variant {
    const char *name; /* in the engine */
    const talus_shape_part *parts;
    size_t part_count;
    double reach;      /* m, radius of the sphere around it */
    double volume;     /* m^3; plane worlds m^2 */
    talus_vec3 centre; /* m, of mass, in the shape's own coordinates */
};

struct scene_shape {
    const char *name;
    const struct scene_variant *variants;
    size_t variant_count; /* >= 1 */
};

struct scene_turn { /* orientation at the start */
    bool random;    /* all equally likely */
    talus_quat given;
};

enum scene_size_kind {
    SCENE_SIZE_ONE,       /* a */
    SCENE_SIZE_UNIFORM,   /* between a and b */
    SCENE_SIZE_NORMAL,    /* mean a, deviation b, cut to [low, high] */
    SCENE_SIZE_LOGNORMAL, /* median a, sigma of the logarithm b, cut to [low, high] */
    SCENE_SIZE_POWER,     /* number density ~ r^-exponent between a and b */
    SCENE_SIZE_TWO,       /* a with probability `share` (by number), else b */
    SCENE_SIZE_TABLE,     /* values[i] with weights[i] (by number) */
    SCENE_SIZE_OWN        /* as large as the shape is given: between a and b */
};

struct scene_size { /* radii in m */
    enum scene_size_kind kind;
    double a, b, low, high, exponent, share;
    const double *values, *weights;
    size_t count;
};

enum scene_region_kind { SCENE_REGION_BOX, SCENE_REGION_CYLINDER };

struct scene_region {
    enum scene_region_kind kind;
    talus_vec3 low, high;   /* box */
    talus_vec3 point, axis; /* cylinder: centre, unit axis */
    double radius, length;
};

enum scene_lattice { SCENE_SQUARE, SCENE_HEXAGONAL, SCENE_CUBIC, SCENE_FCC };

enum scene_generator_kind {
    SCENE_LIST,    /* explicit bodies */
    SCENE_ROW,     /* count bodies from start along direction, spacing centre to centre */
    SCENE_LATTICE, /* nx x ny x nz cells from start */
    SCENE_FILL,    /* random, non-overlapping, in region: `count` or `fraction` */
    SCENE_FILE     /* text file: lines "x y z r" */
};

struct scene_body { /* of a list */
    talus_vec3 position, velocity, omega;
    double radius, mass;
    unsigned locks;
    struct scene_turn turn;
    bool at_origin; /* position is where the origin of the shape's coordinates goes */
};

struct scene_generator {
    enum scene_generator_kind kind;
    const char *group;
    const char *shape;              /* NULL = by dimension */
    const struct scene_shape *form; /* NULL = round */
    struct scene_turn turn;
    int material;
    struct scene_size size;
    double mass; /* 0 = by density */
    talus_vec3 velocity, omega;
    double velocity_jitter; /* m/s: each component uniform in [-j, j] */
    unsigned locks;
    /* list */
    const struct scene_body *bodies;
    size_t body_count;
    /* row, lattice */
    talus_vec3 start, direction;
    int count, cells[3];
    double spacing; /* 0 = diameter of the largest size */
    enum scene_lattice lattice;
    double jitter; /* share of the free gap, 0..1 */
    /* fill */
    struct scene_region region;
    double fraction; /* solid fraction wanted; 0 = use count */
    int attempts;    /* tries for one grain before giving up */
    /* file */
    const char *path; /* already relative to the scene file's directory */
};

struct scene_source { /* pouring during the run */
    const char *name, *group, *shape;
    const struct scene_shape *form; /* NULL = round */
    struct scene_turn turn;
    int material;
    struct scene_size size;
    struct scene_region region;
    double rate;  /* grains per second */
    int count;    /* in all */
    double start; /* s */
    double mass;  /* 0 = by density */
    talus_vec3 velocity;
    double velocity_jitter;
    unsigned locks;
};

struct scene_boundary {
    talus_boundary_def def; /* box sides are already planes named "box.x-" ... */
};

struct scene_force {
    const char *name, *group;
    talus_vec3 direction; /* unit vector */
    talus_signal signal;  /* N */
};

struct scene_membrane {
    talus_membrane_def def;
};

/* What a phase changes when it begins. has_* says which. */
struct scene_change {
    const char *const *remove; /* boundaries */
    size_t remove_count;
    const char *const *remove_forces;
    size_t remove_force_count;
    const char *const *remove_membranes;
    size_t remove_membrane_count;
    bool has_gravity;
    talus_vec3 gravity;
    bool has_dt;
    double dt;
    bool bond_contacts;
    bool has_solver;
    talus_solver_config solver; /* complete: the previous one with the phase's keys changed */
    const struct scene_pair *pairs;
    size_t pair_count;
    const struct scene_force *forces;
    size_t force_count;
    const struct scene_membrane *membranes;
    size_t membrane_count;
    const struct scene_boundary_change {
        const char *name;
        bool has_motion, has_free;
        talus_motion motion;
        talus_free_motion free;
    } * boundaries;
    size_t boundary_count;
    const struct scene_velocity_change {
        const char *group;
        talus_vec3 velocity;
    } * velocities;
    size_t velocity_count;
};

struct scene_phase {
    const char *name;
    struct scene_change change;
    double duration;     /* s from the start of the phase: the latest end; > 0 */
    int64_t steps;       /* > 0: ends after so many steps (instead of duration) */
    double rest_kinetic; /* > 0: ends when kinetic energy per grain < this x (m g d or m v_dt^2) */
    double rest_unbalanced; /* > 0: ends when the unbalanced force is below this */
    double rest_minimum;    /* s: not before */
};

struct scene_checkpoint {
    bool wanted;   /* any at all */
    double every;  /* s, on the clock */
    int64_t steps; /* > 0: in addition after so many */
    bool end;      /* also when the run is over */
};

enum scene_frame_event { SCENE_FRAME_START = 1, SCENE_FRAME_PHASE = 2, SCENE_FRAME_END = 4 };

struct scene_frames {
    bool wanted;
    double every;    /* s; 0 = not by time */
    int64_t steps;   /* 0 = not by steps */
    unsigned events; /* enum scene_frame_event, or-ed */
    const char *const *quantities;
    size_t quantity_count; /* 0 = the standard ones */
    bool contacts, surfaces, float32;
    bool vtkhdf; /* at the end also in this form */
};

/* A measure of a run, and what it was told. */
struct scene_measure {
    const char *name;
    const char *label; /* of its columns or its file */
    struct measure_values values;
};

struct scene_output {
    double every;             /* s between rows; 0 = every step */
    const char *const *track; /* groups whose mean position and velocity become columns */
    size_t track_count;
    bool boundaries; /* force, torque, position of each boundary as columns; default true */
    bool picture;    /* any at all */
    double film;     /* s between pictures of the run; 0 = only the final one */
    talus_picture_config picture_config;
    struct scene_checkpoint checkpoint;
    struct scene_frames frames;
    const struct scene_measure *measures;
    size_t measure_count;
};

struct talus_scene {
    const char *title;
    talus_config config;
    bool dt_auto;
    double overlap_limit; /* warn above, in mean diameters */
    const struct scene_material *materials;
    size_t material_count;
    const struct scene_pair *pairs;
    size_t pair_count;
    const struct scene_shape *shapes;
    size_t shape_count;
    const char *from;        /* checkpoint whose grains it starts with; NULL: none */
    struct place from_place; /* where the scene says so, for messages */
    const struct scene_generator *generators;
    size_t generator_count;
    const struct scene_source *sources;
    size_t source_count;
    const struct scene_boundary *boundaries;
    size_t boundary_count;
    const struct scene_membrane *membranes;
    size_t membrane_count;
    const char *const *membrane_names; /* all that are ever there */
    size_t membrane_name_count;
    const struct scene_force *forces;
    size_t force_count;
    const struct scene_phase *phases;
    size_t phase_count; /* >= 1 */
    struct scene_output output;
    void *pool;     /* owns every array and string above */
    void *document; /* the resolved tree, for talus_scene_write */
};

/* Radii by counter-based draws: position k of stream (seed, generator number). */
double scene_size_draw(const struct scene_size *size, void *random);
double scene_size_largest(const struct scene_size *size);

/* Pouring: where a source stands. Called by run/ before each step. */
struct scene_pour {
    int64_t *poured;  /* one for each source */
    int64_t *waiting; /* grains due but not placed yet for lack of room */
    size_t count;
    void *state; /* memory of pour.c */
};
talus_status scene_pour_start(const talus_scene *scene, struct scene_pour *pour, talus_error *err);
talus_status scene_pour_step(const talus_scene *scene, struct scene_pour *pour, talus_sim *sim,
                             talus_error *err);
void scene_pour_free(struct scene_pour *pour);

/* Apply what a phase changes. */
talus_status scene_apply_change(const struct scene_change *change, talus_sim *sim,
                                talus_error *err);

#endif
