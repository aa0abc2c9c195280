/* SPDX-License-Identifier: Apache-2.0
 *
 * When a packing counts as at rest.
 *
 * `kinetic`: kinetic energy (translation and rotation, free boundaries included) per grain, divided
 *   by m g d, the energy it takes to lift a mean grain (mass m) by a mean diameter d. Without
 *   gravity the unit is m (d/dt)^2, twice the energy of a grain that crosses its diameter in one
 *   step: the only other energy scale that rigid grains have.
 * `unbalanced`: mean net force on the grains over the mean contact force. It means nothing while
 *   nothing touches, and is then not fulfilled.
 * Where both are given both must hold. A source that is still pouring is never at rest.
 */
#include <math.h>

#include "math/vec3.h"
#include "run/run.h"

double run_kinetic_number(const talus_sim *sim, const talus_observables *now) {
    talus_body_view view = talus_sim_bodies(sim);
    double mass = 0.0, diameter = 0.0, n = 0.0;
    for (size_t i = 0; i < view.count; i++) {
        if (view.kind[i] != TALUS_BODY_GRAIN) continue;
        mass += view.mass[i];
        diameter += 2.0 * view.radius[i];
        n += 1.0;
    }
    if (n == 0.0) return HUGE_VAL; /* an empty box is waiting for its grains */
    mass /= n;
    diameter /= n;
    double dt = talus_sim_dt(sim), g = vec3_norm(talus_sim_gravity(sim));
    double unit = g > 0.0 ? mass * g * diameter : mass * (diameter / dt) * (diameter / dt);
    return (now->energy.kinetic_translation + now->energy.kinetic_rotation) / n / unit;
}

static bool pouring(const struct run *run) {
    double time = talus_sim_time(run->result->sim);
    for (size_t s = 0; s < run->pour.count; s++) {
        const struct scene_source *source = &run->scene->sources[s];
        if (time >= source->start && run->pour.poured[s] < source->count) return true;
    }
    return false;
}

bool run_at_rest(const struct run *run, const struct scene_phase *phase,
                 const talus_observables *now) {
    if (pouring(run)) return false;
    const talus_sim *sim = run->result->sim;
    if (phase->rest_kinetic > 0.0 && !(run_kinetic_number(sim, now) < phase->rest_kinetic))
        return false;
    if (phase->rest_unbalanced > 0.0 &&
        !(now->contacts > 0 && now->unbalanced_force < phase->rest_unbalanced))
        return false;
    return true;
}
