/* SPDX-License-Identifier: Apache-2.0
 * The figures of trust in one sentence; docs/theory/trust.md explains the words and the bounds. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "sim/sim.h"

/* The bounds that separate the words. */
static const double residual_fine = 1e-3, long_wave_fine = 1e-2, balance_fine = 1e-2,
                    overlap_fine = 1e-3, overlap_bad = 0.1, energy_fine = 1e-6,
                    travel_fine = TALUS_TRAVEL_LIMIT, travel_bad = 0.5;
/* Soft grains: with a hundred steps each collision is off by some 1e-5 of its energy, either way. */
static const double steps_fine = 40.0, steps_bad = 10.0, overlap_soft = 0.01, energy_soft = 1e-3;
/* At V_c/2 two smooth spheres brake each other half as much as they should, at V_c a fifth (papers/brake-failure). */
static const double brake_fine = 0.5, brake_bad = 1.0;
static const double free_fine = 1.0; /* t_free/t_c */
/* Of audits: where single forces stop being about right; where little is right of forces or motion. */
static const double audit_fine = 0.05, audit_bad = 0.5;
static const double friction_fine = 0.05; /* share of the relaxation time */

static void append(talus_trust *trust, const char *format, ...) BASE_PRINTF(2, 3);

/* Add one clause; what does not fit is cut, never overrun. */
static void append(talus_trust *trust, const char *format, ...) {
    size_t used = strlen(trust->verdict);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(trust->verdict + used, sizeof trust->verdict - used, format, arguments);
    va_end(arguments);
}

struct judgement {
    bool soft;       /* steps were too short of sweeps for the size of the system */
    bool unfinished; /* the last forces still show it, or some are missing on long scales */
    bool blurred;    /* audits found single forces wrong by more than a few percent */
    bool astray;     /* and forces or motion wrong by half */
    bool rough, overlapping, crushed, leaking, pumping, fast, too_fast;
};

static struct judgement judge(const talus_trust *trust, int64_t contacts, double long_wave_worst) {
    struct judgement j;
    /* Where the balance of every step is known, nobody has to guess from the number of sweeps; and few are enough where
     * the first guess is right. */
    bool balanced = trust->balance_max >= 0.0;
    bool short_of_sweeps = trust->rigidity < 1.0 && long_wave_worst > long_wave_fine;
    j.soft = contacts > 0 && trust->sweeps_mean > 0.0 &&
             (balanced ? trust->balance_max > balance_fine : short_of_sweeps);
    j.unfinished = trust->balance >= 0.0 ? trust->balance > balance_fine
                                         : j.soft && trust->long_wave_error > long_wave_fine;
    j.rough = trust->residual_last > (balanced ? balance_fine : residual_fine) ||
              trust->steps_not_converged > 0;
    j.blurred = trust->audit_forces > audit_fine;
    j.astray = trust->audit_forces > audit_bad || trust->audit_motion > audit_bad;
    j.overlapping = trust->overlap_max > overlap_fine;
    j.crushed = trust->overlap_max > overlap_bad;
    j.leaking = trust->energy_error > energy_fine;
    j.pumping = trust->energy_created > (trust->collision_steps > 0.0 ? energy_soft : energy_fine);
    j.fast = trust->travel_max > travel_fine;
    j.too_fast = trust->travel_max > travel_bad;
    return j;
}

static const char *first_words(const struct judgement *j) {
    if (j->leaking || j->pumping || j->crushed || j->too_fast) return "do not trust this run";
    if (j->rough || j->overlapping || j->fast || j->astray) return "trust with care";
    if (j->unfinished) return "trust motion and local forces, not their long waves";
    if (j->soft) return "trust the final forces, and the motion but for its long waves";
    if (j->blurred) return "trust motion and mean forces, not every single one";
    return "trust motion and forces";
}

/* What no time step cures: grains too soft for their speed, and for how often they meet. */
static void write_artefacts(talus_trust *trust, double brake, bool detached) {
    if (brake > brake_fine)
        append(trust,
               ", grains met at %.3g m/s, %.2g of the V_c at which they pass through each other "
               "(brake failure)",
               trust->meeting_speed, brake);
    if (detached)
        append(trust,
               ", %.2g t_c go by between collisions: several grains collide at once and dissipate "
               "too little (detachment)",
               trust->free_time / trust->collision_time);
    if (brake > brake_fine || detached) append(trust, ": take stiffer grains");
}

/* Soft grains: are collisions resolved, are they far from flat, and do grains collide like grains? */
static void write_soft(talus_trust *trust, const struct judgement *j) {
    bool coarse = trust->collision_steps < steps_fine, lost = trust->collision_steps < steps_bad;
    bool soft = trust->overlap_max > overlap_soft, creeps = trust->friction_error > friction_fine;
    double brake = trust->meeting_speed / trust->critical_speed;
    bool detached = trust->free_time < free_fine * trust->collision_time;
    bool bad = j->leaking || j->pumping || j->crushed || lost || brake > brake_bad;
    bool care = coarse || soft || creeps || detached || brake > brake_fine;
    append(trust, "%s: ",
           bad    ? "do not trust this run"
           : care ? "trust with care"
                  : "trust motion and forces");
    if (isfinite(trust->collision_steps))
        append(trust, "the shortest collision takes %.3g steps, ", trust->collision_steps);
    else
        append(trust, "nothing can collide, ");
    append(trust, "largest overlap %.1e diameters, energy budget closes to %.0e",
           trust->overlap_max, trust->energy_error);
    if (soft) append(trust, ": grains are far from rigid, take them stiffer");
    if (coarse) append(trust, ", take a smaller dt");
    write_artefacts(trust, brake, detached);
    if (creeps)
        append(trust,
               ", contacts relax %.2g %% too fast: take a smaller dt or let springs grow by "
               "positions",
               100.0 * trust->friction_error);
    if (j->pumping) append(trust, ", steps created %.1e of the energy", trust->energy_created);
}

void verdict_write(talus_trust *trust, int64_t contacts, double long_wave_worst) {
    struct judgement j = judge(trust, contacts, long_wave_worst);
    trust->verdict[0] = '\0';
    if (trust->steps == 0) {
        append(trust, "nothing was run");
        return;
    }
    if (trust->collision_steps > 0.0) {
        write_soft(trust, &j);
        return;
    }
    append(trust, "%s: ", first_words(&j));
    if (trust->sweeps_mean == 0.0)
        append(trust, "nothing came near to touching, ");
    else
        append(trust, "forces are %s (residual %.1e), ", j.rough ? "not converged" : "converged",
               trust->residual_last);
    if (trust->balance > balance_fine || trust->balance_max > balance_fine)
        append(trust, "%.2g %% of them are missing on the scale of the system, ",
               100.0 * trust->balance);
    if (trust->steps_not_converged > 0)
        append(trust, "%lld of %lld steps stopped early, ", (long long)trust->steps_not_converged,
               (long long)trust->steps);
    if (trust->balance_max > balance_fine)
        append(trust, "in some steps up to %.2g %%, ", 100.0 * trust->balance_max);
    if (trust->audits > 0)
        append(
            trust,
            "audited steps changed their forces by %.2g %% and their motion by %.2g %% when solved "
            "100 times as strictly, ",
            100.0 * trust->audit_forces, 100.0 * trust->audit_motion);
    if (j.soft && trust->balance_max < 0.0)
        append(trust,
               "in one step they cross %.2g of the system and rigid motion on all scales needs "
               "about %.3g sweeps, ",
               trust->rigidity, trust->sweeps_rigid);
    append(trust, "largest overlap %.1e diameters, energy budget closes to %.0e",
           trust->overlap_max, trust->energy_error);
    if (j.pumping) append(trust, ", contacts created %.1e of the energy", trust->energy_created);
    if (j.fast)
        append(trust, ", grains cross %.2g radii in one step: take a smaller dt",
               trust->travel_max);
}
