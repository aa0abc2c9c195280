/* SPDX-License-Identifier: Apache-2.0
 * The whole of a simulation, behind talus_sim. */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "base/memory.h"
#include "detect/detect.h"
#include "law/soft_parameters.h"
#include "scheme/integrator.h"
#include "sim/soft_kernel.h"
#include "solve/solver.h"
#include "world/world.h"

struct ledger { /* J; see talus_energy */
    double input, work_force, work_boundary, work_projection, step_loss;
    double impact, sliding, rolling, torsion, bonds; /* dissipation, by what did it */
    double turnover; /* sum of the sizes of everything that went in */
};

/* Displacements that undo overlaps, project.c. */
struct push {
    double room;    /* m, gap that the step leaves without them */
    double impulse; /* kg m along the normal */
};
struct projection {
    struct solve_body *shift; /* displacements in place of velocities: m, 1 */
    struct push *push;        /* of each contact */
    size_t body_capacity, push_capacity;
    bool is_needed; /* in this step */
};

/* Soft grains: soft*.c. Pairs nearer than a short range are kept in blocks of lanes, sorted by what has to be done
 * with them; `slots` number the lanes of all blocks. */
enum soft_class {
    SOFT_GRAINS_LINEAR,
    SOFT_GRAINS_HERTZ,
    SOFT_WALLS_LINEAR,
    SOFT_WALLS_HERTZ,
    SOFT_GENERAL, /* laws and walls beyond those: one by one, soft_general.c */
    SOFT_CLASSES
};
/* Work is cut into chunks of this many rows or blocks, whatever the number of threads, so that sums do not depend on it. */
enum { SOFT_CHUNK = 256, SOFT_CHUNK_BLOCKS = 64, SOFT_CHUNK_WALLS = 16 };
enum { SOFT_INCIDENT = 4 }; /* entries of a row are a multiple of this */
struct soft_general {       /* a contact of that class */
    struct soft_numbers numbers;
    double reduced_radius; /* m */
    vec3 torque;           /* N m, on b, beside that of the force */
    vec3 turns[2];         /* N m, on a and on b: all that the arms of the entry do not make */
    vec3 arm_b;            /* m, from the centre of b to the contact point */
    double tension;        /* N, F_C while bonded */
    bool touches;          /* or is held by a bond */
};
struct soft_losses { /* J, of springs that were cut back or let go, in this step */
    double slip, rolling, torsion, bonds;
    double area; /* not given back by areas of polygons that parted */
};
struct soft_seen { /* of each contact, for observers */
    vec3 torque;
    double tension;
};
struct soft_range { /* of blocks */
    size_t first, last;
};
struct soft_near {
    bool valid;
    double left;                    /* m, of relative motion until the list must be made anew */
    size_t first[SOFT_CLASSES + 1]; /* block at which each class begins */
    size_t first_chunk[SOFT_GENERAL + 1];   /* the same, chunk of blocks */
    struct soft_block *blocks, *block_room; /* the same, placed at the start of a line of cache */
    struct soft_laws *laws;                 /* one for each block at most */
    int32_t *laws_of;                       /* each block */
    size_t law_count, law_capacity, law_of_capacity;
    struct soft_entry *entries, *entry_room; /* of each slot, and one of nothing */
    talus_index *candidate;                  /* of each slot; -1: empty */
    double *slip_stiffness; /* N/m, of each slot, of Hertz's law: of its spring at the last step */
    size_t slip_capacity;
    struct soft_general *general; /* of the slots of the last class */
    size_t block_capacity, entry_capacity, candidate_capacity, general_capacity;
    uint8_t *classes; /* scratch, of each candidate; SOFT_CLASSES: not near */
    size_t class_capacity;
    /* Entries of each row: twice the slot, plus 1 where the row is b. */
    size_t *incident_first;
    uint32_t *incident;
    size_t incident_first_capacity, incident_capacity;
};
/* In which order rows are predicted, pairs pressed and rows moved on: soft_wave.c. */
struct soft_wave {
    bool on;
    size_t task_count, parts, apart_count;
    talus_index *tasks; /* chunks of pairs in their order in space */
    /* Of each chunk of rows: first and last task that looks at it; -1: several parts do, or none. */
    int32_t *first_need, *last_need;
    talus_index *predict, *move,
        *apart; /* chunks of rows by their first, by their last task; the others */
    size_t *predict_first, *move_first; /* of each task, and one more */
    size_t task_capacity, first_need_capacity, last_need_capacity, predict_capacity, move_capacity;
    size_t apart_capacity, predict_first_capacity, move_first_capacity;
};
struct soft_wall_sum { /* of a chunk of pairs on a boundary */
    vec3 force, torque;
    double power; /* W */
};
/* W, of all contacts and bodies at one moment. */
struct soft_power {
    double damping, elastic; /* taken by the normal dashpots, into the springs */
    double slip;             /* taken by tangential dashpots and slip */
    double rolling, torsion; /* taken by their dashpots and limits */
    double boundary;         /* of prescribed walls on the grains */
    double outside;          /* of external forces on the grains */
    double moving;           /* of all forces on all bodies */
};
struct soft_outside { /* external forces on a body without its weight */
    vec3 force, torque;
};
/* Contacts that began, of a window or of all windows in which they turn over: soft_limits.c. */
struct soft_collisions {
    int64_t count;
    double starts; /* the same, weighed as the others */
    double time;   /* s, spent in contacts */
    double lost;   /* J, dissipated */
    double busy;   /* J, the same times the further contacts that a grain had then, in the mean */
};
struct soft_watch {
    struct soft_collisions window, all; /* the present one; those that count */
    double end, length;                 /* s, of the window */
    double grains;
    int64_t starts;    /* seen so far */
    double dissipated; /* J, seen so far */
};
struct soft {
    const struct integrator_type *integrator;
    struct integrator_state state;
    size_t body_capacity, more_capacity;
    struct soft_outside *outside; /* of the last step */
    size_t outside_capacity;
    talus_index *order; /* body of each row */
    size_t order_capacity;
    /* All grains are round and free to move, under their weight alone, by the leapfrog: soft_rows.c. */
    bool plain;
    struct soft_row *rows, *row_room; /* in the order of space; one more, far from everything */
    size_t row_count, row_capacity;
    struct image *images; /* of each row, when it was filled */
    size_t image_capacity;
    int32_t *row_of, *wall_of; /* row of each body; boundary of each row, -1: grain */
    size_t row_of_capacity, wall_of_capacity;
    struct soft_near near;
    struct soft_wave wave;
    struct soft_sums *pair_sums; /* scratch, of each chunk of blocks */
    struct soft_wall_sum
        *wall_sums; /* scratch, of each chunk of blocks with walls and each boundary */
    struct soft_body_sums *body_sums; /* scratch, of each chunk of rows */
    size_t pair_sum_capacity, wall_sum_capacity, body_sum_capacity;
    bool ready;    /* the forces are those of the present state */
    double stored; /* J, in all springs now */
    struct soft_losses cut;
    struct soft_seen *seen; /* beside detect.contacts */
    size_t seen_capacity;
    double kinetic;               /* J, now */
    double fastest, acceleration; /* m/s, m/s^2: largest of all grains now */
    int64_t starts;               /* contacts that began, of the run */
    double start_speed;    /* m/s, largest relative velocity of two bodies at such a moment */
    struct soft_pass pass; /* of two grains that came nearest to passing through each other */
    double deepest;        /* m, largest overlap of the run */
    struct soft_watch watch;
    struct soft_power power; /* now */
    struct soft_published *published;
    size_t published_capacity;
};

/* What the last step left for observers. */
struct step_sums {
    double net_force_sum; /* N, sum over grains of |m dv|/dt */
    vec3 momentum_change; /* N s, sum of m dv over bodies that answer forces */
    double applied;       /* N s, sum of |F_ext| dt */
};

struct soft_published { /* soft_publish.c */
    bool current;
    bool ahead; /* rows have moved on, the world has not */
    struct step_sums sums;
};

struct run_record { /* over the whole life, for the verdict */
    int64_t steps, steps_with_contacts, sweeps, not_converged, resolved;
    int64_t not_balanced; /* steps with contacts of which nobody knows the balance */
    double residual_max, balance_max, travel_max;
    int64_t bonds_broken;
    int64_t audits, audits_unfinished, audit_updates;
    double audit_force_sum, audit_force_max, audit_motion_sum, audit_motion_max;
};

struct audit_room { /* what a step ended with: audit.c */
    struct solve_body *bodies;
    struct combined_impulse *impulses;
    size_t body_capacity, impulse_capacity;
};

struct talus_sim {
    struct memory memory;
    talus_method method;
    int threads;
    struct world world;
    double dt;      /* s, of a solve: a step, or a substep */
    double step_dt; /* s, of a step */
    uint64_t seed;
    talus_solver_config solver;
    int64_t step;   /* steps done */
    int64_t solved; /* the same, with substeps: for the random orders */
    struct detect detect;
    bool laws_look_back; /* some law has to know of the steps before */
    struct problem problem;
    size_t contact_capacity, body_capacity, general_capacity, combined_capacity, mobility_capacity;
    size_t coupling_capacity;
    int round;            /* of the solves of this step, from 0 */
    int32_t *mobility_of; /* of each body; -1: isotropic. capacity: body_capacity */
    struct solve_work work;
    struct projection projection;
    struct audit_room audit;
    struct soft soft;
    struct ledger ledger;
    struct step_sums sums;
    struct run_record record;
    talus_step_report report;
    int32_t *degree; /* scratch of the observers: contacts of each body */
    size_t degree_capacity;
};

/* problem_build.c */
talus_status sim_build_problem(talus_sim *sim, talus_error *err);
static inline int sim_substeps(const talus_sim *sim) {
    return sim->method == TALUS_METHOD_CD ? sim->solver.substeps : 1;
}
talus_status sim_reserve_bodies(talus_sim *sim, talus_error *err);
void sim_predict(talus_sim *sim);
void sim_keep_impulses(talus_sim *sim);

/* contact_laws.c */
/* Which laws need memories, and how far bonds reach; before detection. */
talus_status sim_need_memory(talus_sim *sim, talus_error *err);
/* Does the contact need the combined law in this step? */
bool sim_law_is_combined(const talus_sim *sim, const struct contact *contact);
/* Everything of the contact beyond plain Coulomb friction; `to` is prepared, bodies are free. */
void sim_law_set(talus_sim *sim, const struct contact *contact, struct solve_contact *to);
/* After a solve: contacts whose state was wrong, to be solved again; their number. */
int64_t sim_laws_look(talus_sim *sim);
/* After the last solve: what the next step has to know. */
void sim_laws_finish(talus_sim *sim);
/* r*, m: walls by their curvature; and reduced mass, kg: walls and grains that cannot slide count as infinite. */
double sim_reduced_radius(const talus_sim *sim, const struct contact *contact);
double sim_reduced_mass(const talus_sim *sim, const struct contact *contact);
/* Relative velocity and rotation at the start of the step; prescribed walls as in this step. */
struct relative_motion {
    vec3 velocity, turning;
};
struct relative_motion sim_motion_before(const talus_sim *sim, const struct solve_contact *contact);

/* project.c */
talus_status sim_reserve_projection(talus_sim *sim, talus_error *err); /* with the problem built */
void sim_free_projection(talus_sim *sim);
void sim_project(talus_sim *sim); /* with the new velocities in the problem */
void sim_apply_projection(talus_sim *sim);

/* After a call that may have changed what soft grains feel: `status`. */
static inline talus_status sim_changed(talus_sim *sim, talus_status status) {
    if (status >= 0) sim->soft.ready = false;
    return status;
}

/* soft.c */
talus_status sim_soft_check(const talus_sim *sim,
                            talus_error *err); /* what soft grains cannot do */
void sim_soft_free(talus_sim *sim);
void sim_soft_rescale(talus_sim *sim, double scale); /* dt becomes so many times as long */
/* soft_near.c */
enum soft_class sim_soft_class(const struct soft_near *near, size_t chunk); /* of pairs */
struct soft_range sim_soft_blocks(const struct soft_near *near, size_t chunk);
talus_status sim_soft_reserve(talus_sim *sim, talus_error *err);      /* for the bodies there are */
talus_status sim_soft_reserve_near(talus_sim *sim, talus_error *err); /* for its candidates */
/* The pairs nearer than `range`, from the candidates; their rows. */
talus_status sim_soft_near(talus_sim *sim, double range, talus_error *err);
/* Springs back to the memories of the candidates. */
void sim_soft_keep(const talus_sim *sim);
/* soft_general.c: one contact that the kernel cannot do. Springs are carried over a step of length dt; 0: they stay. */
struct soft_general_sums {
    struct soft_sums sums;
    struct soft_power power;
    struct soft_losses cut; /* without slip */
    int64_t broken;
};
void sim_soft_general(talus_sim *sim, size_t slot, double dt, struct soft_general_sums *sums);
/* soft_forces.c */
struct soft_body_sums {
    double outside, moving;      /* W */
    double way, force, turnover; /* J: of external forces along the way; without weight; sizes */
    double boundary;             /* J, of prescribed walls along their way */
    double kinetic;              /* J, after the step */
    double fastest2, acceleration2;
};
void sim_soft_rows(talus_sim *sim, size_t first, size_t last); /* as the bodies stand */
/* The world as the rows have left it; before anything looks at its bodies. */
void sim_soft_sync(const talus_sim *sim);
/* All pairs at the rows as they stand; springs carried over a step of length dt. */
void sim_soft_pairs(talus_sim *sim, double dt);
void sim_soft_press(talus_sim *sim, size_t chunk);   /* one chunk of pairs */
void sim_soft_pairs_done(talus_sim *sim, double dt); /* after the last */
/* What bodies make of it: rates, and with dt > 0 the corrector; sums into soft.power and `sums`. */
void sim_soft_bodies(talus_sim *sim, double dt, struct soft_body_sums *sums);
static inline size_t sim_soft_chunks(const talus_sim *sim) { /* of rows */
    return (sim->world.bodies.count + SOFT_CHUNK - 1) / SOFT_CHUNK;
}
void sim_soft_move(talus_sim *sim, size_t chunk, double dt); /* one chunk of rows */
void sim_soft_bodies_done(talus_sim *sim, double dt, struct soft_body_sums *sums);
/* soft_wave.c: when the near list is made or the threads become others; a step of all grains, walls being where they will be. */
talus_status sim_soft_plan_wave(talus_sim *sim, talus_error *err);
void sim_soft_run_wave(talus_sim *sim, struct soft_body_sums *sums);
/* soft_publish.c: contacts, impulses and sums of the present state where observers look for them. */
void sim_soft_publish(const talus_sim *sim);
/* soft_forms.c: polygons */
/* How much stiffer than k a contact can be, at least 1: sides that lie flat on something. */
double sim_soft_forms_flatness(const talus_sim *sim);
talus_status sim_soft_check_forms(const talus_sim *sim, talus_error *err);
/* m, along the tangent: the slip of the last step, not for TALUS_SLIP_VELOCITY. */
vec3 sim_soft_forms_slip(const talus_sim *sim, const struct contact *contact, talus_slip slip);
/* J, what the area holds: its work so far, after a step of length dt with this elastic force at its end. */
double sim_soft_forms_hold(talus_sim *sim, const struct contact *contact, double elastic,
                           double dt);
double sim_soft_forms_release(talus_sim *sim, size_t candidate); /* J, what it held */
/* soft_undo.c: after a step that ended in numbers that are none. */
struct soft_before { /* of it */
    double time, stored, kinetic;
    struct soft_power power;
};
void sim_soft_undo(talus_sim *sim, const struct soft_before *before);
/* soft_step.c */
talus_status sim_soft_step(talus_sim *sim, talus_error *err);

/* soft_limits.c */
/* Two grains that will be poured. */
struct soft_newcomers {
    int material[2];
    double mass[2]; /* kg */
};
struct soft_limits {            /* HUGE_VAL: no such limit */
    double collision_time;      /* s, of the shortest collision at this velocity */
    double collision, friction; /* s, for dt */
    double critical_speed;      /* m/s, V_c at 45 degrees */
};
/* `velocity`: largest of two bodies against each other; `newcomers` may be NULL. */
struct soft_limits sim_soft_limits(const talus_sim *sim, double velocity,
                                   const struct soft_newcomers *newcomers);
void sim_soft_watch(talus_sim *sim); /* after every step */
void sim_soft_trust(const talus_sim *sim, double speed, talus_trust *trust);
/* view.c: by how much contact points, normals and gaps are older than positions, s: of rigid grains they refer to the start
 * of the last step, of soft ones to now. */
double sim_contact_lag(const talus_sim *sim);
/* Of contact k in the last step, N m on b and N. */
static inline vec3 sim_contact_torque(const talus_sim *sim, size_t k) {
    if (sim->method == TALUS_METHOD_MD) return sim->soft.seen[k].torque;
    return vec3_scale(1.0 / sim->dt, problem_torque(&sim->problem, &sim->problem.contacts[k]));
}
static inline double sim_contact_tension(const talus_sim *sim, size_t k) {
    int32_t combined = sim->problem.contacts[k].combined;
    if (sim->method == TALUS_METHOD_MD) return sim->soft.seen[k].tension;
    return combined < 0 ? 0.0 : sim->problem.combined[combined].tension / sim->dt;
}

/* sim.c: the pairs as they stand now, for calls between steps. */
talus_status sim_look_at_pairs(talus_sim *sim, talus_error *err);

/* start_contacts.c: what grains bring along; impulses and torques are to be scaled. The list is sorted. */
struct sim_contact_start {
    struct candidate pair;
    const struct contact_memory *memory; /* NULL: none */
};
talus_status sim_start_contacts(talus_sim *sim, struct sim_contact_start *list, size_t count,
                                double scale, talus_error *err);

/* ledger.c */
double sim_energy_kinetic(const talus_sim *sim, double *rotation);
double sim_energy_potential(const talus_sim *sim);
double ledger_step_loss(const talus_sim *sim); /* of this step, J */
void ledger_step(talus_sim *sim); /* with old velocities in the world, new ones in the problem */
void ledger_boundaries(talus_sim *sim); /* forces on boundaries */

/* verdict.c */
/* `long_wave_worst`: long_wave_error of the worst step. */
void verdict_write(talus_trust *trust, int64_t contacts, double long_wave_worst);

#endif
