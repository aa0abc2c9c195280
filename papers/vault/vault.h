/* SPDX-License-Identifier: Apache-2.0
 *
 * Masonry on a ground that moves to and fro: ground motions, and what stands on them.
 */
#ifndef PAPERS_VAULT_VAULT_H
#define PAPERS_VAULT_VAULT_H

#include "papers/arch/arch.h"

enum { SHAKE_POINTS = 8192 };

static const double shake_dt = 2e-3; /* s, step of the model and between the points of a motion */

/* ---- motions of the ground --------------------------------------------------------------------- */

/* Places at multiples of shake_dt. In step k the ground moves with the difference quotient, so its
 * acceleration is the second difference; `peak` is the largest, m/s^2. */
struct shake {
    double time[SHAKE_POINTS], place[SHAKE_POINTS];
    size_t count;
    double peak;
};

/* A constant acceleration towards +x for so long, a constant speed then. */
void shake_pulse(struct shake *out, double acceleration, double duration, double end);

/* Like the record of an earthquake: six sines between half and twice the frequency, with phases and
 * weights by lot, swell within 0.5 s, last 2 s and fade within 1.5 s; then 2 s of rest. */
void shake_record(struct shake *out, double peak, double frequency, uint64_t lot);

/* As a motion along x of any boundary; the shake must live until the boundary is made. */
talus_motion shake_motion(const struct shake *shake);

/* ---- what stands there ------------------------------------------------------------------------- */

enum vault_kind { VAULT_BLOCK, VAULT_ARCH, VAULT_BRIDGE };

struct vault {
    enum vault_kind kind;
    struct arch arch;
    double slenderness; /* block: w/h; it is 1 m high */
    bool patient;       /* solve to a residual of 1e-8 whatever it takes, else to 1e-6 */
};

/* Build it on the shaken ground, boundary 0. */
talus_status vault_make(const struct vault *vault, const struct shake *shake, talus_sim **out,
                        talus_error *err);

/* Where the ground is now. */
double vault_ground(const talus_sim *sim);

#endif
