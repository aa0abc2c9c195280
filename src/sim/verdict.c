/* SPDX-License-Identifier: Apache-2.0
 * The figures of trust in one sentence; docs/theory/trust.md explains the words and the bounds. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "sim/sim.h"

/* The bounds that separate the words. */
static const double residual_fine = 1e-3, long_wave_fine = 1e-2, overlap_fine = 1e-3,
                    overlap_bad = 0.1, energy_fine = 1e-6, travel_fine = TALUS_TRAVEL_LIMIT,
                    travel_bad = 0.5;
static const double steps_fine = 40.0, steps_bad = 10.0, overlap_soft = 0.01; /* soft grains */

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
    bool unfinished; /* and the last forces still show it */
    bool rough, overlapping, crushed, leaking, pumping, fast, too_fast;
};

static struct judgement judge(const talus_trust *trust, int64_t contacts) {
    struct judgement j;
    j.soft = contacts > 0 && trust->sweeps_mean > 0.0 && trust->rigidity < 1.0;
    j.unfinished = j.soft && trust->long_wave_error > long_wave_fine;
    j.rough = trust->residual_last > residual_fine || trust->steps_not_converged > 0;
    j.overlapping = trust->overlap_max > overlap_fine;
    j.crushed = trust->overlap_max > overlap_bad;
    j.leaking = trust->energy_error > energy_fine;
    j.pumping = trust->energy_created > energy_fine;
    j.fast = trust->travel_max > travel_fine;
    j.too_fast = trust->travel_max > travel_bad;
    return j;
}

static const char *first_words(const struct judgement *j) {
    if (j->leaking || j->pumping || j->crushed || j->too_fast) return "do not trust this run";
    if (j->rough || j->overlapping || j->fast) return "trust with care";
    if (j->unfinished) return "trust motion and local forces, not their long waves";
    if (j->soft) return "trust the final forces, and the motion but for its long waves";
    return "trust motion and forces";
}

/* Soft grains: are collisions resolved, and are they far from flat? */
static void write_soft(talus_trust *trust, const struct judgement *j) {
    bool coarse = trust->collision_steps < steps_fine, lost = trust->collision_steps < steps_bad;
    bool soft = trust->overlap_max > overlap_soft;
    append(trust, "%s: ",
           j->leaking || j->pumping || j->crushed || lost ? "do not trust this run"
           : coarse || soft                               ? "trust with care"
                                                          : "trust motion and forces");
    append(trust, "the shortest collision takes %.3g steps, ", trust->collision_steps);
    append(trust, "largest overlap %.1e diameters, energy budget closes to %.0e",
           trust->overlap_max, trust->energy_error);
    if (soft) append(trust, ": grains are far from rigid, take them stiffer");
    if (coarse) append(trust, ", take a smaller dt");
    if (j->pumping) append(trust, ", steps created %.1e of the energy", trust->energy_created);
}

void verdict_write(talus_trust *trust, int64_t contacts) {
    struct judgement j = judge(trust, contacts);
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
    if (trust->steps_not_converged > 0)
        append(trust, "%lld of %lld steps stopped early, ", (long long)trust->steps_not_converged,
               (long long)trust->steps);
    if (j.soft)
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
