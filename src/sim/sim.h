/* SPDX-License-Identifier: Apache-2.0
 * The whole of a simulation, behind talus_sim. */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "base/memory.h"
#include "detect/detect.h"
#include "solve/solver.h"
#include "world/world.h"

struct ledger { /* J; see talus_energy */
    double input, work_force, work_boundary, dissipation, step_loss;
    double turnover; /* sum of the sizes of everything that went in */
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
};

struct talus_sim {
    struct memory memory;
    struct world world;
    double dt;
    uint64_t seed;
    talus_solver_config solver;
    int64_t step;
    struct detect detect;
    struct problem problem;
    size_t contact_capacity, body_capacity, general_capacity, mobility_capacity;
    int32_t *mobility_of; /* of each body; -1: isotropic. capacity: body_capacity */
    struct solve_work work;
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

/* ledger.c */
double sim_energy_kinetic(const talus_sim *sim, double *rotation);
double sim_energy_potential(const talus_sim *sim);
void ledger_step(talus_sim *sim); /* with old velocities in the world, new ones in the problem */
void ledger_boundaries(talus_sim *sim); /* forces on boundaries */

/* verdict.c */
void verdict_write(talus_trust *trust, int64_t contacts);

#endif
