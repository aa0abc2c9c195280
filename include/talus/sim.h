/* SPDX-License-Identifier: Apache-2.0
 *
 * A simulation: build it from value structs, step it, read it back through const views.
 *
 * Conventions. SI units. Inputs come first, outputs next, talus_error last (NULL is fine). A call that
 * returns a negative status had no effect. Nothing passed in is kept by reference. Views stay valid
 * until the next call that takes a non-const talus_sim. No function prints. No globals: two
 * simulations never disturb each other; one simulation must not be used by two threads at once.
 */
#ifndef TALUS_SIM_H
#define TALUS_SIM_H

#include <stdbool.h>
#include <stddef.h>

#include "talus/status.h"
#include "talus/types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct talus_sim talus_sim;

/* ---- the iterative solver -------------------------------------------------------------------- */

typedef enum talus_sweep {
    TALUS_SWEEP_RANDOM, /* every contact once, a new random order every sweep; with momentum orders are drawn
                           once for a solve */
    TALUS_SWEEP_WINDOWED,   /* random inside blocks of spatially sorted contacts: for large n */
    TALUS_SWEEP_SEQUENTIAL, /* in the order of the bodies */
    TALUS_SWEEP_SYMMETRIC,  /* forward, then backward */
    TALUS_SWEEP_PARALLEL,   /* Jacobi: all from the old forces; unstable in general */
    TALUS_SWEEP_BATCHED, /* as windowed, contacts without a common body sixteen at a time, with threads */
    TALUS_SWEEP_AUTO /* random for few contacts, batched for many */
} talus_sweep;

typedef enum talus_stop {
    TALUS_STOP_FIXED,  /* exactly `sweeps` sweeps */
    TALUS_STOP_LOCAL,  /* |dR| <= tolerance |R| + cutoff max<|R|> at every contact; the largest mean
                           force of this solve so far */
    TALUS_STOP_GLOBAL, /* |d<|R|>| <= tolerance <|R|> */
    TALUS_STOP_RESIDUAL, /* natural-map residual <= tolerance: every contact obeys its law */
    TALUS_STOP_BALANCE, /* residual and balance <= tolerance: forces are right on all scales, too */
    TALUS_STOP_SICONOS, /* natural map as Siconos scales it <= tolerance; depends on units */
    TALUS_STOP_PENETRATION, /* largest new overlap over radius <= tolerance; says nothing of forces */
    TALUS_STOP_UNBALANCED /* unbalanced force <= tolerance; for what should rest: motion never meets it */
} talus_stop;

typedef enum talus_gap {
    TALUS_GAP_POSITIVE, /* g+ law: overlaps are kept and cannot grow */
    TALUS_GAP_SIGNED,   /* g law: they are gone after a step, at the price of a velocity g/dt */
    TALUS_GAP_PROJECTED /* g+ law, then positions are moved apart without velocities */
} talus_gap;

typedef struct talus_solver_config {
    const char *name;  /* "auto" (default: "nnsgs", and others where that stalls), "nnsgs"
                          (sweeps with momentum), "nsgs", "apgd"; see the catalog */
    talus_sweep sweep; /* order of the updates; default auto */
    talus_stop stop;   /* when to stop; default balance */
    int sweeps;        /* N_I of the fixed rule, >= 1; default 50 */
    int max_sweeps;    /* cap of the other rules, >= 1; default 10000 */
    int check_every;  /* sweeps between two evaluations of residual and balance, >= 1; default 10 */
    int window;       /* contacts in one block of the windowed sweep, 2..65536; default 256 */
    double tolerance; /* of the stopping rule, > 0; default 1e-2, meant for balance */
    double cutoff;    /* local rule: share of the mean force that counts as zero, >= 0; 1e-3 */
    double momentum_cap; /* nnsgs, auto: largest momentum factor, 0..1; default 1 */
    bool warm_start;     /* first guess = impulses of the last step; default true */
    bool islands;        /* solve contacts that do not hang together separately; default true */
    talus_gap gap;       /* what happens to overlaps; kept by default */
    double
        audit; /* talus_run: share of the sweeps that audits may take, 0..1; default 0.02; 0: none */
    int substeps; /* a step of dt is made of so many of dt/substeps, 1..10000; default 1. Rigid grains
                     only */
    double
        carry; /* with warm_start: share of their last change that is added to the first guess, 0..0.5; default 0. For
                     slow flows in few sweeps */
} talus_solver_config;

/* ---- the cell -------------------------------------------------------------------------------- */

typedef struct talus_cell_config {
    bool periodic[3];  /* x, y, z */
    talus_vec3 origin; /* m, lower corner; used in periodic directions only */
    talus_vec3 size;   /* m, period; > 0 in periodic directions */
} talus_cell_config;

/* ---- configuration --------------------------------------------------------------------------- */

typedef enum talus_method {
    TALUS_METHOD_CD, /* rigid grains: Contact Dynamics */
    TALUS_METHOD_MD  /* soft grains: molecular dynamics; pairs need a soft law */
} talus_method;

typedef struct talus_config {
    talus_method method;        /* default CD */
    int dim;                    /* 1, 2 or 3; default 3. The unused directions are locked */
    talus_vec3 gravity;         /* m/s^2; default 0 */
    double dt;                  /* s, > 0; default 1e-3 */
    uint64_t seed;              /* of the sweep orders; default 1 */
    talus_cell_config cell;     /* default open */
    talus_solver_config solver; /* defaults above */
    const char
        *integrator; /* of soft grains: "leapfrog" (default), "gear3", ...; see the catalog */
    int threads;     /* 1..1024; default 1. The results are the same bits for any number; of soft
                    grains and of the batched sweep */
    int64_t refuse_allocation; /* testing: make this allocation fail; 0 = never */
} talus_config;

talus_config talus_config_default(void);
/* Plain Gauss-Seidel as the papers on Contact Dynamics mean it: "nsgs", random sweeps, fifty of them, whatever that
 * leaves unfinished. Tolerance 1e-6 for other rules. */
talus_solver_config talus_solver_plain(void);
/* A change of config.threads. */
talus_status talus_sim_set_threads(talus_sim *sim, int threads, talus_error *err);
talus_status talus_sim_create(const talus_config *config, talus_sim **out, talus_error *err);
void talus_sim_destroy(talus_sim *sim); /* NULL is fine */

/* ---- materials ------------------------------------------------------------------------------- */

typedef int talus_material; /* >= 0 */

/* Density in kg/m^3 (spheres) or kg/m^2 (discs); 0 if bodies of it give their mass. */
talus_status talus_material_add(talus_sim *sim, const char *name, double density,
                                talus_material *out, talus_error *err);

/* What turns the coefficient of rolling or torsion friction into a length, mu_t or mu_n. */
typedef enum talus_torque_scale {
    TALUS_TORQUE_REDUCED_RADIUS, /* coefficient (1) times r* = r1 r2/(r1 + r2); r on a plane,
                                    r R/(R - r) inside a cylinder, r R/(R + r) outside */
    TALUS_TORQUE_LENGTH,         /* coefficient in m */
    TALUS_TORQUE_HERTZ           /* coefficient (1) times the contact size a made by R_n + F_C */
} talus_torque_scale;

/* Rolling or torsion friction: a torque up to length x (R_n + F_C) against rolling or torsion. */
typedef struct talus_torque_law {
    double coefficient; /* 1 or m, >= 0; 0 = none */
    talus_torque_scale scale;
    double modulus; /* Pa, > 0, Hertz only: a = (3 r* R/4 E)^(1/3) for spheres; for discs, thought
                       1 m long, a = sqrt(4 r* R/(pi E)) */
    double
        stiffness; /* N m, >= 0, soft grains only: of the spring; 0 = normal stiffness times length^2 */
    double damping; /* N m s, >= 0, soft grains only; 0 = normal damping times length^2 */
} talus_torque_law;

/* A contact that has touched bears tension up to F_C until it has been opened by d_C = E_C/F_C. */
typedef struct talus_cohesion_law {
    double force;    /* F_C: N, or N/m if per_radius; >= 0; 0 = none */
    bool per_radius; /* F_C = force r* */
    double range;    /* d_C, m, >= 0; 0 with energy = 0: the zero-range law */
    double energy;   /* E_C, J, instead of the range: d_C = energy/F_C */
    bool on_command; /* bonds form only by talus_sim_bond_contacts, not by touching */
} talus_cohesion_law;

/* Newton's law of impact, after Moreau. Contacts that carry a load are not impacts. */
typedef struct talus_restitution_law {
    double normal;     /* e_n, 0..1 */
    double tangential; /* e_t, -1..1, limited by Coulomb friction */
    double threshold;  /* m/s, >= 0: slower impacts have e_n = e_t = 0 */
} talus_restitution_law;

/* How the tangential spring of a contact follows when the contact turns. */
typedef enum talus_spring {
    TALUS_SPRING_ROTATED,  /* it turns, its length is kept */
    TALUS_SPRING_PROJECTED /* on the new tangent plane */
} talus_spring;

/* By what the tangential spring grows in a step. */
typedef enum talus_slip {
    TALUS_SLIP_POSITION, /* the way the contact points went; first order where overlaps change while grains turn, with a small factor */
    TALUS_SLIP_VELOCITY, /* predicted velocity times dt, after Cundall and Strack */
    TALUS_SLIP_PENA /* as printed, for comparison: the way with a_i/(a_i + a_j) on the centres; polygons: the way of
                       the centre of their common area */
} talus_slip;

/* How damping grows with the overlap; without a difference for alpha = 1. */
typedef enum talus_damping_form {
    TALUS_DAMPING_VISCOELASTIC, /* gamma xi^(alpha - 1): fast impacts lose more */
    TALUS_DAMPING_CONSTANT      /* gamma xi^((alpha - 1)/2): e does not depend on the velocity */
} talus_damping_form;

typedef enum talus_tangential {
    TALUS_TANGENTIAL_GIVEN,   /* by tangential_stiffness or tangential_ratio */
    TALUS_TANGENTIAL_MINDLIN, /* the force grows by k_t times the slip, and falls with k_t */
    TALUS_TANGENTIAL_MINDLIN_SECANT /* the force is k_t times the stretch, also when k_t grows: it can make
                                       energy; for comparison */
} talus_tangential;

/* Soft grains, TALUS_METHOD_MD only: overlap xi, force R_n = k xi^alpha + gamma xi^beta dxi/dt, tangential spring and
 * dashpot up to mu R_n. How stiff: by exactly one of stiffness, collision_time and young. How much is lost: by damping,
 * or by restitution, from which gamma follows for each contact. 0 = not given. Polygons, in 2D: xi = A/l_c with the
 * area A they share and l_c the sum of both sqrt(area/pi), dxi/dt the closing velocity at the centre of A; alpha = 1. */
typedef struct talus_soft_law {
    double stiffness; /* k, N/m^alpha, > 0 */
    double
        collision_time; /* s, > 0: how long forces act in every collision of the pair, whatever the
                              masses; alpha = 1, with a restitution */
    double young,
        poisson; /* Pa, > 0; -1..0.5: Hertz, alpha = 3/2, k = 4/3 E* sqrt(r*). Of both bodies:
                              E* = E/(2 (1 - nu^2)) */
    bool rigid_partner; /* of one body, the other is rigid: E* = E/(1 - nu^2) */
    double exponent;    /* alpha, 1..10; 0 = 1, with young 1.5 */
    double damping;     /* gamma, N s/m^(beta + 1), >= 0 */
    double restitution; /* e, 0.01..1 */
    double at_velocity; /* m/s, > 0: at which e holds; needed if it depends on the velocity, that is
                           viscoelastic and alpha > 1 */
    talus_damping_form damping_form;
    double tangential_stiffness;     /* k_t, N/m, >= 0 */
    double tangential_ratio;         /* instead: k_t = ratio dR_n/dxi of the elastic force, >= 0 */
    talus_tangential tangential;     /* instead: k_t = 8 G* sqrt(r* xi), with young */
    double tangential_damping;       /* gamma_t, N s/m, >= 0 */
    double tangential_damping_ratio; /* in addition: times gamma xi^beta */
    talus_spring spring;
    talus_slip slip;
    bool attracts; /* R_n may be negative while grains part; else it is max(0, R_n) */
    struct {
        double damping, duration; /* dimensionless: law/soft_collision.h */
    } found;                      /* by talus_pair_set; not read by it */
} talus_soft_law;

typedef struct talus_pair_law {
    double mu_static;  /* static friction coefficient, >= mu_sliding */
    double mu_sliding; /* sliding friction coefficient, >= 0 */
    talus_torque_law rolling, torsion;
    talus_cohesion_law cohesion;
    talus_restitution_law restitution;
    talus_soft_law soft;
} talus_pair_law;

/* The law between two materials (order does not matter); may be changed at any time. Pairs never
 * set are frictionless. */
talus_status talus_pair_set(talus_sim *sim, talus_material a, talus_material b,
                            const talus_pair_law *law, talus_error *err);

/* Bond every contact that is closed now and whose pair has cohesion; how many in `count` (may be
 * NULL). This is how a sintered sample is made from a packing. */
talus_status talus_sim_bond_contacts(talus_sim *sim, int64_t *count, talus_error *err);

/* ---- signals: how a number depends on time ---------------------------------------------------- */

typedef enum talus_signal_kind {
    TALUS_SIGNAL_CONSTANT, /* mean */
    TALUS_SIGNAL_SINE,     /* mean + amplitude sin(2 pi frequency t + phase) */
    TALUS_SIGNAL_TABLE     /* linear between the points, constant outside */
} talus_signal_kind;

typedef struct talus_signal {
    talus_signal_kind kind;
    double mean, amplitude, frequency /* 1/s */, phase /* rad */;
    const double *times, *values; /* of the table; copied by the call that takes the signal */
    size_t count;
} talus_signal;

/* ---- bodies ---------------------------------------------------------------------------------- */

enum { /* locked degrees of freedom, to be or-ed */
       TALUS_LOCK_X = 1,
       TALUS_LOCK_Y = 2,
       TALUS_LOCK_Z = 4,
       TALUS_LOCK_ROTATION = 8
};

/* One convex part of a shape: the hull of the points, swept by a sphere (in a plane world a disc) of radius
 * `rounding`. One point is a ball, two are a capsule. */
typedef struct talus_shape_part {
    const talus_vec3 *points; /* m; in a plane world z = 0 */
    size_t count;
    double rounding; /* m, >= 0 */
    double density;  /* of that of the material, > 0; 0 = 1 */
} talus_shape_part;

#define TALUS_SHAPE_PARTS_MAX 64

/* A shape for grains: one convex part, or several that move as one. Where parts overlap the densest of them counts,
 * once. Points not on the hull are dropped. Copied. */
talus_status talus_shape_add(talus_sim *sim, const char *name, const talus_shape_part *parts,
                             size_t count, talus_error *err);

typedef struct talus_shape_view {
    const char *name;
    double reach;         /* m, radius of the sphere around it, about its centre of mass */
    double volume;        /* m^3; plane worlds m^2 */
    double mass;          /* kg, with a material of density 1 */
    talus_vec3 centre;    /* m, of mass, in the coordinates in which the shape was given */
    double inertia[3][3]; /* m^2, about that centre for mass 1, axes as given */
    size_t parts;
} talus_shape_view;

/* False: there is no such shape. */
bool talus_shape_find(const talus_sim *sim, const char *name, talus_shape_view *out);

/* Shapes by number, in order of creation; for drawing. Vertices are relative to the centre of mass; a grain of
 * radius r shows them r/reach times as large, turned by its orientation. */
typedef struct talus_hull_view {
    const talus_vec3 *vertices; /* m; in a plane world counter-clockwise */
    size_t vertex_count, face_count;
    double rounding; /* m */
} talus_hull_view;
size_t talus_sim_shape_count(const talus_sim *sim);
talus_shape_view talus_sim_shape(const talus_sim *sim, size_t shape);
talus_hull_view talus_sim_hull(const talus_sim *sim, size_t shape, size_t part);
/* The vertices of a face, counter-clockwise seen from outside; returns how many. */
size_t talus_sim_hull_face(const talus_sim *sim, size_t shape, size_t part, size_t face,
                           const int32_t **vertices, talus_vec3 *normal);

typedef struct talus_body_def {
    const char
        *shape;    /* "sphere", "disc" or a shape that was added; default sphere in 3D, disc in 1D
                          and 2D */
    double radius; /* m, > 0, of the sphere around it; 0: added shapes as large as given */
    double mass;   /* kg; 0 = from the density of the material */
    talus_material material;              /* default 0 */
    talus_vec3 position, velocity, omega; /* of the centre of mass */
    talus_quat orientation; /* of the axes in which the shape was given; default none */
    const char *group;      /* name for forces and changes; default "grains" */
    unsigned locks;         /* TALUS_LOCK_* */
} talus_body_def;

talus_body_def talus_body_def_default(const talus_sim *sim);

/* All or none; first_gid (may be NULL) receives the id of the first, the others follow. */
talus_status talus_bodies_add(talus_sim *sim, const talus_body_def *defs, size_t count,
                              talus_gid *first_gid, talus_error *err);

/* ---- boundaries ------------------------------------------------------------------------------ */

typedef enum talus_boundary_shape {
    TALUS_PLANE,            /* infinite, grains on the side of the normal */
    TALUS_RECTANGLE,        /* thin plate, both sides; point = its centre */
    TALUS_CYLINDER_INSIDE,  /* infinite: grains inside; of given length: a tube, both sides */
    TALUS_CYLINDER_OUTSIDE, /* grains outside */
    TALUS_MESH              /* thin surface of triangles, both sides; 3D only */
} talus_boundary_shape;

/* Prescribed motion: translation velocity t + direction s(t), rotation about `axis` through
 * `axis_point` by rate t + angle(t). Signals count from the moment the motion is set. */
typedef struct talus_motion {
    talus_vec3 velocity;       /* m/s */
    talus_vec3 direction;      /* unit vector of the displacement signal */
    talus_signal displacement; /* m */
    talus_vec3 axis;           /* unit vector; zero = no rotation */
    talus_vec3 axis_point;     /* m */
    double rate;               /* rad/s */
    talus_signal angle;        /* rad */
} talus_motion;

/* A boundary that answers forces: it slides along `direction` with `mass` under `force(t)` (and
 * gravity), and turns about `axis` through its point with `inertia` under `torque(t)`. */
typedef struct talus_free_motion {
    double mass;          /* kg; 0 = does not slide */
    talus_vec3 direction; /* unit vector */
    talus_signal force;   /* N along direction */
    double inertia;       /* kg m^2; 0 = does not turn */
    talus_vec3 axis;      /* unit vector */
    talus_signal torque;  /* N m about axis */
    bool weightless;      /* gravity does not act on it */
} talus_free_motion;

typedef struct talus_boundary_def {
    const char *name; /* unique */
    talus_boundary_shape shape;
    talus_material material;
    talus_vec3
        point; /* plane: a point on it; rectangle: centre; cylinder: on the axis, mid-length */
    talus_vec3 normal; /* plane, rectangle: unit vector; cylinder: the axis */
    talus_vec3 edge;   /* rectangle: unit vector along its first side, perpendicular to normal */
    double size[2];    /* rectangle: side lengths, m */
    double radius;     /* cylinder, m */
    double length;     /* cylinder, m; 0 = infinite */
    const talus_vec3 *vertices; /* mesh: m, where they stand now; copied */
    size_t vertex_count;
    const int32_t (*triangles)[3]; /* mesh: three vertices each; copied */
    size_t triangle_count;
    talus_motion motion;
    talus_free_motion free;
} talus_boundary_def;

talus_boundary_def talus_boundary_def_default(void);
talus_status talus_boundary_add(talus_sim *sim, const talus_boundary_def *def, talus_error *err);
talus_status talus_boundary_remove(talus_sim *sim, const char *name, talus_error *err);
talus_status talus_boundary_set_motion(talus_sim *sim, const char *name, const talus_motion *motion,
                                       talus_error *err);
talus_status talus_boundary_set_free(talus_sim *sim, const char *name,
                                     const talus_free_motion *free_motion, talus_error *err);

/* ---- forces ---------------------------------------------------------------------------------- */

/* A force (N, on every body of the group), along `direction` with size signal(t). Setting a name
 * again replaces that force. */
talus_status talus_force_set(talus_sim *sim, const char *name, const char *group,
                             talus_vec3 direction, const talus_signal *signal, talus_error *err);
talus_status talus_force_remove(talus_sim *sim, const char *name, talus_error *err);

/* ---- membranes ------------------------------------------------------------------------------- */

/* A flexible surface around a column of grains between two plates that holds a pressure: in the plane two chains, in
 * space a tube, through the centres of the outer grains, from plate to plate. It has no bodies: each grain of it gets
 * the force -p dV/dx, with V the volume that it encloses (docs/theory/membrane.md). */
typedef struct talus_membrane_def {
    const char *name;      /* unique */
    const char *plates[2]; /* boundaries: parallel planes or rectangles at the ends of the column */
    const char *group;     /* grains that it holds; NULL: all */
    talus_signal pressure; /* Pa, in the plane N/m; >= 0 */
    double remesh; /* outer grains are found anew when one has moved by this share of the mean
                      diameter, 0..1; default 0.05 */
} talus_membrane_def;

talus_membrane_def talus_membrane_def_default(void);
/* The grains must be there. */
talus_status talus_membrane_add(talus_sim *sim, const talus_membrane_def *def, talus_error *err);
talus_status talus_membrane_set_pressure(talus_sim *sim, const char *name,
                                         const talus_signal *pressure, talus_error *err);
talus_status talus_membrane_remove(talus_sim *sim, const char *name, talus_error *err);

/* ---- changes between steps ------------------------------------------------------------------- */

talus_status talus_sim_set_gravity(talus_sim *sim, talus_vec3 gravity, talus_error *err);
talus_status talus_sim_set_dt(talus_sim *sim, double dt, talus_error *err);
talus_status talus_sim_set_solver(talus_sim *sim, const talus_solver_config *solver,
                                  talus_error *err);
talus_status talus_group_set_velocity(talus_sim *sim, const char *group, talus_vec3 velocity,
                                      talus_error *err);

/* Give every present contact this normal impulse as the first guess of the next step (N s). Makes
 * an exact equilibrium to start a mode test from. */
talus_status talus_sim_preload(talus_sim *sim, double normal_impulse, talus_error *err);

/* ---- stepping -------------------------------------------------------------------------------- */

/* A step is called too long if a grain crosses more than this share of the smallest radius in it. */
#define TALUS_TRAVEL_LIMIT 0.1

/* With substeps counts are sums over them, errors, speed and travel those of the worst one, and the state (time to
 * closed, islands) that of the last. */
typedef struct talus_step_report {
    int64_t step;       /* steps done since creation */
    double time;        /* s */
    int64_t candidates; /* pairs in the neighbour list */
    int64_t contacts;   /* contacts in the solver's problem */
    int64_t closed;     /* of these with a force */
    int sweeps;         /* of the solve that counts; of the island that had the most */
    int64_t updates;    /* of contacts, in all rounds: the sum over islands of sweeps x contacts */
    int64_t islands;    /* solved separately; 0 without contacts */
    int rounds;         /* solves of this step: > 1 if contacts had to be added or changed state */
    int restarts, fallbacks; /* nnsgs: momentum restarts; steps redone with plain nsgs */
    int64_t switched;        /* contacts whose friction went from static to sliding or back in this
                                step, found by solving it again */
    int64_t impacts;         /* contacts at which restitution acted */
    int64_t softened; /* contacts with less or no restitution, because many at once made energy */
    bool converged;   /* the stopping rule was met (always true for the fixed rule) */
    double residual;  /* natural-map residual over ||q|| */
    double balance;   /* share of the forces that is missing on the scale of the system, if the
                          stopping rule asks for it: of the island where it is largest; else -1, see
                          talus_sim_measures */
    double penetration_new; /* largest overlap made in this step, over the smaller radius */
    double speed_max;       /* m/s, fastest body */
    double travel_max;      /* largest max|v| dt / radius of a body in this step */
    bool rebuilt;           /* the neighbour list was made anew */
    double seconds_detect, seconds_build, seconds_solve, seconds_other;
    int64_t handovers;       /* auto: solves, of islands and in all rounds, in which sweeps with
                                momentum made no progress and projected gradients went on */
    int64_t handover_sweeps; /* iterations that these made */
    int64_t factor_turns;    /* auto: times that an island was factorised because of it */
    int64_t factor_steps;    /* of Newton's method in these; `sweeps` counts a turn as the sweeps
                                that are about as much work */
} talus_step_report;

/* Do one step. Positive status: see the report. TALUS_ERR_DIVERGED: the state is that before the step; of soft grains
 * as far as rounding allows, with the mean velocities of the step and without contacts; with substeps it is that before
 * the substep that failed. */
talus_status talus_sim_step(talus_sim *sim, talus_step_report *report, talus_error *err);

/* ---- reading back ---------------------------------------------------------------------------- */

typedef enum talus_body_kind { TALUS_BODY_GRAIN = 0, TALUS_BODY_BOUNDARY = 1 } talus_body_kind;

typedef struct talus_body_view {
    size_t count; /* grains and boundaries, in order of creation */
    const talus_vec3 *position, *velocity, *omega;
    const talus_quat *orientation;
    const double *radius, *mass;
    const int32_t *form;  /* 0: round; else 1 + number for talus_sim_shape */
    const int32_t *kind;  /* talus_body_kind */
    const int32_t *group; /* for talus_sim_group_name */
    const int32_t *material;
    const talus_gid *gid;
} talus_body_view;

talus_body_view talus_sim_bodies(const talus_sim *sim);
const char *talus_sim_group_name(const talus_sim *sim, int group); /* NULL past the last */

typedef struct talus_contact {
    talus_index a, b; /* bodies, indices into the view; the normal points from a to b */
    talus_vec3 normal;
    talus_vec3 point;  /* m */
    talus_vec3 force;  /* N, on b */
    talus_vec3 torque; /* N m, on b: rolling and torsion friction */
    double gap;        /* m, at the start of the last step; negative = overlap */
    double mu;         /* friction coefficient in force: static or sliding */
    double tension;    /* N, that it can bear: F_C while bonded */
    bool sliding, bonded;
} talus_contact;

/* Contacts of the last step's problem, open ones (force 0) included. Copies up to `capacity` into
 * `out` (may be NULL) and returns how many there are. */
size_t talus_sim_contacts(const talus_sim *sim, talus_contact *out, size_t capacity);

typedef struct talus_boundary_view {
    const char *name;
    talus_boundary_shape shape;
    bool present;                   /* false after removal */
    talus_vec3 point, normal, edge; /* now */
    double size[2], radius, length;
    talus_quat orientation;     /* how far it has turned */
    const talus_vec3 *vertices; /* mesh: m, relative to point before it turned */
    const int32_t (*triangles)[3];
    size_t vertex_count, triangle_count;
    talus_vec3 velocity, omega;
    talus_vec3 force, torque; /* N, N m about point: by the grains, in the last step */
    talus_vec3 impulse;       /* N s: by the grains, since creation */
} talus_boundary_view;

size_t talus_sim_boundary_count(const talus_sim *sim);
talus_boundary_view talus_sim_boundary(const talus_sim *sim, size_t index);

/* As it pressed in the last step. */
typedef struct talus_membrane_view {
    const char *name;
    double pressure; /* Pa; in the plane N/m, and lengths for areas, areas for volumes */
    double volume;   /* m^3, between membrane and plates */
    double height;   /* m, from plate to plate */
    double area[2];  /* m^2, at each plate: what the volume changes by if the plate moves */
    double axial; /* Pa, mean stress along the axis: p + (F - p area) height/volume, F the force on
                        a plate, mean of both */
    talus_vec3 axis; /* from the first plate to the second */
    int64_t meshings;
    size_t count; /* of its segments or triangles */
} talus_membrane_view;

size_t talus_sim_membrane_count(const talus_sim *sim);
talus_membrane_view talus_sim_membrane(const talus_sim *sim, size_t index);
/* The corners of an element, two in the plane, else three counter-clockwise from outside; how many. Those of elements
 * that cross a plate may lie behind it: there the membrane is continued by its mirror image. */
int talus_sim_membrane_element(const talus_sim *sim, size_t index, size_t element,
                               talus_vec3 corners[3]);

/* The energy ledger (J). All work and dissipation counts from creation. */
typedef struct talus_energy {
    double kinetic_translation, kinetic_rotation;
    double potential;  /* of gravity, zero at the origin */
    double elastic;    /* in the springs of soft contacts; of polygons the work done against them */
    double input;      /* brought in by added bodies and changes between steps */
    double work_force; /* of external forces other than gravity */
    double work_boundary;   /* of prescribed boundaries on the grains */
    double work_projection; /* of moving grains out of overlaps, against gravity */
    double dissipation; /* in contacts, from the work of each contact; the sum of the next five */
    double dissipation_impact;  /* by normal forces that push */
    double dissipation_sliding; /* by tangential forces */
    double dissipation_rolling, dissipation_torsion;
    double dissipation_bonds; /* by normal forces that pull: opening of cohesive contacts */
    double step_loss;         /* by the steps of finite length themselves */
    double error;             /* what does not close */
    double scale; /* what the error is measured against: all energy put in and turned over so
                             far, at least the weight of the grains times their diameters */
} talus_energy;

typedef struct talus_observables {
    double time;
    int64_t step;
    talus_energy energy;
    int64_t grains, contacts /* closed */, rattlers;
    int64_t bonds, bonds_broken; /* cohesive contacts now, and broken since creation */
    double coordination;         /* 2 x grain-grain contacts + grain-wall contacts, over grains */
    double
        coordination_no_rattlers; /* the same over grains with at least one force-bearing contact */
    double packing_fraction;      /* solid volume over the box around all grains */
    double overlap_mean, overlap_max; /* over the mean diameter; mean over closed contacts, largest
                                         over all, also those without force */
    double unbalanced_force;          /* mean net force on grains over mean contact force */
    double balance_error;             /* |sum of m dv| over the impulse applied from outside */
    double residual;
    int sweeps;
    double speed_max;
    double force_mean; /* N, mean |contact force| over closed contacts */
} talus_observables;

talus_observables talus_sim_observe(const talus_sim *sim);

/* How well the last step was solved, by name (docs/theory/convergence.md); all 0 for soft grains but the last. */
typedef struct talus_measures {
    double residual;         /* natural map over ||q||: are all contacts lawful? */
    double residual_siconos; /* natural map with rho = 1, over max(||q||, ||P||, ||u||) */
    double balance;          /* share of the forces that is missing on the scale of the system */
    double penetration_new;  /* largest overlap made in the step, over the smaller radius */
    double unbalanced_force; /* mean net force on grains over mean contact force */
} talus_measures;

/* Costs as much as a few sweeps. TALUS_ERR_MEMORY at the first call only. */
talus_status talus_sim_measures(talus_sim *sim, talus_measures *out, talus_error *err);

/* The last step solved again, a hundred times as strictly as its rule (or as 1e-2), from where it ended, and compared;
 * the state stays as it is, to the last bit. All 0 without contacts and for soft grains. */
typedef struct talus_audit {
    double
        forces; /* sqrt(sum |P* - P|^2/sum |P*|^2) over contacts: how far their forces still went */
    double motion;    /* the same of velocities, by mass, over what contacts did to them */
    double tolerance; /* of the audit, rule `balance` */
    int sweeps;       /* it took */
    int64_t updates;  /* of contacts */
    bool converged;   /* within max_sweeps; else the figures are what was seen by then */
} talus_audit;

/* Right after a step, before bodies come or go. */
talus_status talus_sim_audit(talus_sim *sim, int max_sweeps, talus_audit *out, talus_error *err);

/* How far to trust the answer: physics of the unfinished relaxation (docs/theory/trust.md). */
typedef struct talus_trust {
    double q;                /* efficiency of one sweep; 0 if no theory exists for the sweep */
    double sweeps_mean;      /* N_I, mean over the steps with contacts so far */
    double stiffness;        /* N/m, kappa = q m N_I/dt^2 */
    double sound_speed;      /* m/s, c = sqrt(q N_I) d/dt */
    double diffusion_length; /* m, l_diff = sqrt(4 q N_I) d; with momentum N_I d/4 */
    double system_size;      /* m, longest side of the box around the grains */
    double rigidity;         /* l_diff over system size; > 1: rigid */
    double sweeps_rigid;     /* N_I that would make it 1 */
    double residual_last, residual_max;
    double balance;         /* of the last step; -1: nobody has asked for it */
    double balance_max;     /* of all steps; -1: not known of all */
    double long_wave_error; /* residual_last (2L/pi d)^2: what the residual does not see */
    double overlap_mean, overlap_max;
    double energy_error;   /* relative to the scale */
    double energy_created; /* what contacts and step gave instead of took, relative to the scale */
    double travel_max;     /* largest |v| dt/r of the run */
    double
        collision_steps; /* soft grains: steps in the shortest collision; else 0, as all of these */
    double collision_time; /* s, t_c */
    double friction_error; /* `slip: velocity`: share by which contacts relax too fast */
    double meeting_speed;  /* m/s, relative velocity of the two grains that came nearest to passing
                              through each other, as they began to touch */
    double critical_speed; /* m/s, their V_c, at 45 degrees; the lowest of all if none has met */
    int64_t collisions;    /* contacts that began while contacts turned over */
    double contact_life;   /* s, mean duration of these */
    double
        free_time; /* s, from the end of one of them to the start of the next of a grain; HUGE_VAL:
                         none, or always alone */
    int64_t steps, steps_not_converged, steps_resolved;
    int64_t audits, audits_unfinished, audit_updates; /* talus_sim_audit so far */
    double audit_forces, audit_forces_max, audit_motion, audit_motion_max; /* mean, worst */
    char verdict[768]; /* one sentence in words */
} talus_trust;

talus_trust talus_sim_trust(const talus_sim *sim);

double talus_sim_time(const talus_sim *sim);
double talus_sim_dt(const talus_sim *sim);
int talus_sim_dim(const talus_sim *sim);
talus_vec3 talus_sim_gravity(const talus_sim *sim);
int64_t talus_sim_step_count(const talus_sim *sim);
uint64_t talus_sim_hash(const talus_sim *sim);       /* bit-exact fingerprint of the state */
int64_t talus_sim_allocations(const talus_sim *sim); /* allocator calls so far */
size_t talus_sim_memory(const talus_sim *sim);       /* bytes in use */

/* What bounds the time step now, s; HUGE_VAL: this rule has nothing to say (docs/theory/soft.md). */
typedef struct talus_step_rules {
    double travel;    /* the fastest motion to be expected crosses 5 % of the smallest radius */
    double collision; /* soft grains: a hundredth of the shortest collision */
    double friction;  /* soft grains with `slip: velocity`: contacts relax 5 % too fast */
    double advised;   /* the smallest of these; the present dt if there is none */
    double collision_time; /* s, t_c: the shortest collision of two bodies that can meet */
    double speed;          /* m/s, fastest motion to be expected */
    double meeting_speed;  /* m/s, of two bodies against each other */
    double critical_speed; /* m/s, V_c at 45 degrees: faster grains pass through each other */
} talus_step_rules;
talus_step_rules talus_sim_step_rules(const talus_sim *sim);
double talus_sim_advise_dt(const talus_sim *sim); /* its `advised` */

/* Can the method step what is there now? Soft grains need their laws and cannot do everything yet. */
talus_status talus_sim_check(const talus_sim *sim, talus_error *err);

/* Every invariant of the state; slow. */
talus_status talus_sim_validate(const talus_sim *sim, talus_error *err);

#ifdef __cplusplus
}
#endif
#endif
