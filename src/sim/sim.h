/* SPDX-License-Identifier: Apache-2.0
 * The whole of a simulation, behind talus_sim. */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "base/memory.h"
#include "detect/detect.h"
#include "scheme/integrator.h"
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

/* Soft grains: soft.c, soft_step.c. */
struct soft_contact {
    double elastic; /* N, of the normal force */
    vec3 spring;    /* N, of the tangential force */
};
/* W, of all contacts and bodies at one moment. */
struct soft_power {
    double damping, elastic; /* taken by the normal dashpots, into the springs */
    double slip;             /* taken by tangential dashpots and slip */
    double boundary;         /* of prescribed walls on the grains */
    double outside;          /* of external forces on the grains */
    double moving;           /* of all forces on all bodies */
};
struct soft {
    const struct integrator_type *integrator;
    struct soft_body *bodies;
    struct soft_contact *contacts; /* beside detect.contacts */
    size_t body_capacity, contact_capacity;
    bool ready;              /* the forces are those of the present state */
    double stored, cut;      /* J, in all springs now; lost by cutting them in this step */
    double kept;             /* J, not given back by areas of polygons that parted in this step */
    struct soft_power power; /* now */
};

/* What the last step left for observers. */
struct step_sums {
    double net_force_sum; /* N, sum over grains of |m dv|/dt */
    vec3 momentum_change; /* N s, sum of m dv over bodies that answer forces */
    double applied;       /* N s, sum of |F_ext| dt */
};

struct run_record { /* over the whole life, for the verdict */
    int64_t steps, steps_with_contacts, sweeps, not_converged, resolved;
    double residual_max, travel_max;
    int64_t bonds_broken;
};

struct talus_sim {
    struct memory memory;
    talus_method method;
    struct world world;
    double dt;
    uint64_t seed;
    talus_solver_config solver;
    int64_t step;
    struct detect detect;
    struct problem problem;
    size_t contact_capacity, body_capacity, general_capacity, combined_capacity, mobility_capacity;
    size_t coupling_capacity;
    int round;            /* of the solves of this step, from 0 */
    int32_t *mobility_of; /* of each body; -1: isotropic. capacity: body_capacity */
    struct solve_work work;
    struct projection projection;
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

/* soft.c */
talus_status sim_soft_check(const talus_sim *sim,
                            talus_error *err); /* what soft grains cannot do */
talus_status sim_soft_reserve_bodies(talus_sim *sim, talus_error *err);
talus_status sim_soft_reserve_contacts(talus_sim *sim, talus_error *err); /* with the list made */
void sim_soft_free(talus_sim *sim);
void sim_soft_rescale(talus_sim *sim, double scale); /* dt becomes so many times as long */
/* Accelerations now; springs are carried over a step of length dt, 0: they stay. */
void sim_soft_forces(talus_sim *sim, double dt);
/* s, the shortest collision at this velocity; HUGE_VAL without soft laws */
double sim_soft_collision_time(const talus_sim *sim, double velocity);
/* soft_forms.c: polygons */
talus_status sim_soft_check_forms(const talus_sim *sim, talus_error *err);
/* m, along the tangent: the slip of the last step, not for TALUS_SLIP_VELOCITY. */
vec3 sim_soft_forms_slip(const talus_sim *sim, const struct contact *contact, talus_slip slip);
/* J, what the area holds: its work so far, after a step of length dt with this elastic force at its end. */
double sim_soft_forms_hold(talus_sim *sim, const struct contact *contact, double elastic,
                           double dt);
double sim_soft_forms_release(talus_sim *sim, size_t candidate); /* J, what it held */
/* soft_step.c */
talus_status sim_soft_step(talus_sim *sim, talus_error *err);

/* ledger.c */
double sim_energy_kinetic(const talus_sim *sim, double *rotation);
double sim_energy_potential(const talus_sim *sim);
double ledger_step_loss(const talus_sim *sim); /* of this step, J */
void ledger_step(talus_sim *sim); /* with old velocities in the world, new ones in the problem */
void ledger_boundaries(talus_sim *sim); /* forces on boundaries */

/* verdict.c */
void verdict_write(talus_trust *trust, int64_t contacts);

#endif
