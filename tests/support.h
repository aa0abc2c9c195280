/* SPDX-License-Identifier: Apache-2.0
 * What the tests share: building small simulations in few lines, and asserting numbers. */
#ifndef TESTS_SUPPORT_H
#define TESTS_SUPPORT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "talus/sim.h"

/* With sanitizers everything takes five to ten times as long. They look for mistakes of the code: numbers, which are the same
 * without them, need fewer repetitions there. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif
#else
enum { SANITIZED = 0 };
#endif

/* |measured - expected| <= tolerance, with both numbers in the message. */
#define assert_near(measured, expected, tolerance) \
    support_near((measured), (expected), (tolerance), #measured, __FILE__, __LINE__)

static inline void support_near(double measured, double expected, double tolerance,
                                const char *text, const char *file, int line) {
    if (fabs(measured - expected) <= tolerance) return;
    print_error("%s = %.17g, expected %.17g +- %.3g\n", text, measured, expected, tolerance);
    _fail(file, line);
}

#define assert_ok(call) support_ok((call), #call, __FILE__, __LINE__)

static inline void support_ok(talus_status status, const char *text, const char *file, int line) {
    if (status >= 0) return;
    print_error("%s: %s\n", text, talus_status_name(status));
    _fail(file, line);
}

static inline talus_vec3 vec(double x, double y, double z) {
    return (talus_vec3){x, y, z};
}

/* One material, "stuff", of density 1 with friction mu against itself. */
static inline talus_sim *support_sim(const talus_config *config, double mu) {
    talus_sim *sim = NULL;
    talus_material stuff;
    assert_ok(talus_sim_create(config, &sim, NULL));
    assert_ok(talus_material_add(sim, "stuff", 1.0, &stuff, NULL));
    assert_ok(
        talus_pair_set(sim, 0, 0, &(talus_pair_law){.mu_static = mu, .mu_sliding = mu}, NULL));
    return sim;
}

/* One grain; mass 0 takes the density. Returns its index. */
static inline talus_index support_grain(talus_sim *sim, double radius, double mass,
                                        talus_vec3 position, talus_vec3 velocity) {
    talus_body_def def = talus_body_def_default(sim);
    def.radius = radius;
    def.mass = mass;
    def.position = position;
    def.velocity = velocity;
    assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    return (talus_index)(talus_sim_bodies(sim).count - 1);
}

static inline void support_plane(talus_sim *sim, const char *name, talus_vec3 point,
                                 talus_vec3 normal) {
    talus_boundary_def def = talus_boundary_def_default();
    def.name = name;
    def.point = point;
    def.normal = normal;
    assert_ok(talus_boundary_add(sim, &def, NULL));
}

static inline void support_steps(talus_sim *sim, int steps) {
    for (int k = 0; k < steps; k++) assert_ok(talus_sim_step(sim, NULL, NULL));
}

/* Config of d dimensions with a solver that converges to rounding on small problems. */
static inline talus_config support_config(int dim, double dt) {
    talus_config config = talus_config_default();
    config.solver = talus_solver_plain();
    config.dim = dim;
    config.dt = dt;
    config.solver.stop = TALUS_STOP_RESIDUAL;
    config.solver.tolerance = 1e-13;
    config.solver.max_sweeps = 2000;
    return config;
}

/* The energy ledger, which must close and whose parts must add up. */
static inline talus_energy support_ledger(const talus_sim *sim) {
    talus_energy e = talus_sim_observe(sim).energy;
    double parts = e.dissipation_impact + e.dissipation_sliding + e.dissipation_rolling +
                   e.dissipation_torsion + e.dissipation_bonds;
    assert_near(e.error, 0.0, 1e-10 * e.scale);
    assert_near(parts, e.dissipation, 1e-12 * e.scale);
    return e;
}

#endif
