/* SPDX-License-Identifier: Apache-2.0
 *
 * Soft grains: how long a step may be, and whether the grains are too soft for what they do.
 *
 * Before the run, the rules for dt:
 *   collision   t_c/100 [Wolf2006, sect. 2.1], t_c the shortest collision of any two bodies that can meet
 *   friction    with springs that grow by velocity times dt, t_R = t_R0/(1 + x), x = k_t dt/(2 (c_n + c_t)):
 *               dt = 2 share (c_n + c_t)/k_t for x = share (docs/theory/soft.md; papers/relaxation)
 *
 * During the run, what no dt cures [Wolf2006, sect. 2.4]:
 *   brake failure   grains met at a speed near V_c = 4 r cos(psi)/t_c [Wolf2006, eq. 26]
 *   detachment      the time between collisions was shorter than t_c, so that collisions were not of two
 *
 * Detachment concerns collisions only: a network of contacts that last is no artefact. So the run is cut into windows of
 * ten t_c, and a window counts if contacts turn over in it: if the mean life of a contact, the time spent in contacts over
 * their starts, is shorter than the window. In those, z is the mean number of further contacts of a grain, 2 (n_c - 1)/n,
 * weighed by the energy dissipated at that moment, and windows by the power dissipated in them: neither the time in which
 * nothing happens nor the last chatter of grains that come to rest decides. z is the share of its time in which a grain
 * is busy with another collision, and t_free = (1 - z)/z times the mean life goes by between two of them.
 */
#include "law/soft.h"

#include "sim/sim.h"

static const double pi = 3.141592653589793;
static const double share_of_collision = 0.01; /* [Wolf2006, sect. 2.1] */
static const double share_of_relaxation = 0.05;
static const double share_of_damping = 0.1;               /* of m/gamma */
static const double cosine_typical = 0.70710678118654752; /* psi = 45 degrees */
static const double window_collisions = 10.0;             /* t_c in a window */

/* ---- collision time ---------------------------------------------------------------------------- */

/* Linear spring with dashpot, z = gamma/(2 sqrt(m k)): until the force would pull, or with attraction and z < 1 until the
 * overlap is zero. */
static double linear_time(const struct soft_numbers *law, double m) {
    double omega = sqrt(law->stiffness / m), z = 0.5 * law->damping / sqrt(m * law->stiffness);
    double w = sqrt(fabs(1.0 - z * z));
    if (w < 1e-6) return 2.0 / omega;                     /* z = 1 */
    if (z > 1.0) return 2.0 * atanh(w / z) / (w * omega); /* creeps out */
    if (law->attracts) return pi / (w * omega);           /* [Pena2009, eq. 10] */
    return (pi - atan2(2.0 * z * w, w * w - z * z)) / (w * omega);
}

/* HUGE_VAL: it depends on a velocity that is not known. */
static double time_of(const struct soft_numbers *law, double m, double velocity) {
    if (law->exponent == 1.0) return linear_time(law, m);
    return velocity > 0.0 ? soft_collision_time(law, m, velocity) : HUGE_VAL;
}

static double pair_time(const talus_pair_law *pair, double m, double radius, double velocity) {
    struct soft_numbers numbers = soft_resolve(pair, m, radius);
    return time_of(&numbers, m, velocity);
}

/* What of a material is there: 1/kg, so that a wall that does not give way is 0. */
struct partners {
    double light[2]; /* of the lightest grains; 0: none */
    double held;     /* of the lightest wall, or 0 if all are held fast; < 0: none */
    int grains;
};

static void add_grain(struct partners *partners, double inverse_mass) {
    partners->grains++;
    if (inverse_mass > partners->light[0]) {
        partners->light[1] = partners->light[0];
        partners->light[0] = inverse_mass;
    } else {
        partners->light[1] = fmax(partners->light[1], inverse_mass);
    }
}

static struct partners partners_of(const talus_sim *sim, int material,
                                   const struct soft_newcomers *newcomers) {
    const struct bodies *bodies = &sim->world.bodies;
    struct partners out = {.held = -1.0};
    for (size_t i = 0; i < bodies->count; i++) {
        if (bodies->material[i] != material) continue;
        int32_t wall = bodies->boundary[i];
        if (wall >= 0 && sim->world.boundaries[wall].present)
            out.held = fmax(out.held, bodies->inverse_mass[i]);
        if (wall >= 0) continue;
        if (world_is_held(&sim->world, i))
            out.held = fmax(out.held, 0.0);
        else
            add_grain(&out, bodies->inverse_mass[i]);
    }
    for (int k = 0; newcomers != NULL && k < 2; k++)
        if (newcomers->material[k] == material) add_grain(&out, 1.0 / newcomers->mass[k]);
    return out;
}

/* The smallest reduced mass with which bodies of both can meet; 0: they cannot. */
static double reduced_mass(const struct partners *a, const struct partners *b) {
    bool same = a == b;
    double other = same ? a->light[1] : b->light[0], largest = 0.0; /* 1/kg */
    if (a->light[0] > 0.0 && other > 0.0) largest = a->light[0] + other;
    if (a->light[0] > 0.0 && b->held >= 0.0) largest = fmax(largest, a->light[0] + b->held);
    if (b->light[0] > 0.0 && a->held >= 0.0) largest = fmax(largest, b->light[0] + a->held);
    return largest > 0.0 ? 1.0 / largest : 0.0;
}

/* ---- other springs and dashpots ----------------------------------------------------------------- */

/* m, the largest that a contact can have: with it a collision by Hertz's law is shortest. */
static double largest_reduced_radius(const talus_sim *sim) {
    double radius = sim->world.radius_max, largest = 0.5 * radius;
    for (size_t k = 0; k < sim->world.boundary_count; k++) {
        const struct boundary *boundary = &sim->world.boundaries[k];
        const struct wall *wall = &boundary->local;
        if (!boundary->present) continue;
        largest = fmax(largest, radius);
        if (wall->shape == TALUS_CYLINDER_INSIDE && wall->radius > radius)
            largest = fmax(largest, radius * wall->radius / (wall->radius - radius));
    }
    return largest;
}

/* s: a fiftieth of half a swing, and a tenth of the time in which the dashpot stops the motion. */
static double swing_bound(double inertia, double stiffness, double damping) {
    double bound = HUGE_VAL;
    if (stiffness > 0.0) bound = 2.0 * share_of_collision * pi * sqrt(inertia / stiffness);
    if (damping > 0.0) bound = fmin(bound, share_of_damping * inertia / damping);
    return bound;
}

/* dt by the springs along the surface and against turning, and by all dashpots, of a contact at the depth of an impact
 * with this velocity. Of a sphere 2/7 of the mass answers a tangential force, of a disc 1/3. */
static double spring_bound(const talus_sim *sim, const talus_pair_law *pair, double m,
                           double radius, double velocity) {
    struct soft_numbers law = soft_resolve(pair, m, radius);
    double p = law.exponent + 1.0, linear = law.exponent == 1.0, bound;
    double depth =
        linear > 0.0 ? 1.0 : pow(0.5 * p * m * velocity * velocity / law.stiffness, 1.0 / p);
    double slope = law.exponent * law.stiffness * pow(depth, law.exponent - 1.0);
    double drag = law.damping * pow(depth, law.damping_exponent);
    double rim = m * (sim->world.dim == 3 ? 2.0 / 7.0 : 1.0 / 3.0);
    double turn = 0.4 * m * sim->world.radius_min * sim->world.radius_min;
    bound = swing_bound(m, 0.0, drag);
    if (pair->mu_static > 0.0)
        bound = fmin(bound, swing_bound(rim, law.slip_stiffness + law.slip_ratio * slope,
                                        law.slip_damping + law.slip_damping_ratio * drag));
    if (pair->rolling.coefficient > 0.0)
        bound = fmin(bound, swing_bound(turn, pair->rolling.stiffness, pair->rolling.damping));
    if (pair->torsion.coefficient > 0.0)
        bound = fmin(bound, swing_bound(turn, pair->torsion.stiffness, pair->torsion.damping));
    return bound;
}

/* ---- all pairs of materials -------------------------------------------------------------------- */

/* dt at which a plain spring makes relaxation that much too fast; HUGE_VAL: there is no such spring. Without any dashpot
 * there is no relaxation time to be spoilt. With exponents other than 1 the normal dashpot depends on the load and is
 * left out. */
static double friction_bound(const talus_pair_law *pair, double m, double radius) {
    struct soft_numbers law = soft_resolve(pair, m, radius);
    bool linear = law.exponent == 1.0;
    double stiffness = law.slip_stiffness + (linear ? law.slip_ratio * law.stiffness : 0.0);
    double damping = law.slip_damping;
    if (linear) damping += (1.0 + law.slip_damping_ratio) * law.damping;
    bool plain = pair->soft.slip == TALUS_SLIP_VELOCITY && stiffness > 0.0;
    if (!plain || !(pair->mu_static > 0.0) || !(damping > 0.0)) return HUGE_VAL;
    return 2.0 * share_of_relaxation * damping / stiffness;
}

/* Before anything has met: 4 r/t_c of equal grains of the sizes that are there; pairs of unequal grains of one density have more. Walls are thick,
 * grains do not pass through them. */
static double passing_speed(const talus_sim *sim, int a, int b, double velocity) {
    const struct bodies *bodies = &sim->world.bodies;
    const talus_pair_law *law = world_pair(&sim->world, a, b);
    double least = HUGE_VAL;
    for (size_t i = 0; i < bodies->count; i++) {
        bool is_one = bodies->material[i] == a || bodies->material[i] == b;
        if (!is_one || bodies->kind[i] != TALUS_BODY_GRAIN) continue;
        if (world_is_held(&sim->world, i)) continue;
        double time = pair_time(law, 0.5 * bodies->mass[i], 0.5 * bodies->radius[i], velocity);
        least = fmin(least, 4.0 * bodies->radius[i] / time); /* [Wolf2006, eq. 26], psi = 0 */
    }
    return least;
}

struct soft_limits sim_soft_limits(const talus_sim *sim, double velocity,
                                   const struct soft_newcomers *newcomers) {
    const struct world *world = &sim->world;
    struct soft_limits out = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
    double radius = largest_reduced_radius(sim), flatness = sim_soft_forms_flatness(sim);
    double springs = HUGE_VAL;
    for (int a = 0; a < (int)world->material_count; a++) {
        struct partners of_a = partners_of(sim, a, newcomers);
        for (int b = a; b < (int)world->material_count; b++) {
            struct partners of_b = partners_of(sim, b, newcomers);
            const talus_pair_law *pair = world_pair(world, a, b);
            double m = reduced_mass(&of_a, a == b ? &of_a : &of_b);
            if (!soft_is_on(&pair->soft) || m == 0.0) continue;
            out.collision_time = fmin(out.collision_time, pair_time(pair, m, radius, velocity));
            springs = fmin(springs, spring_bound(sim, pair, m, radius, velocity));
            out.friction = fmin(out.friction, friction_bound(pair, m, radius));
            bool meet = of_a.grains > (a == b) && of_b.grains > 0;
            if (meet)
                out.critical_speed = fmin(out.critical_speed, passing_speed(sim, a, b, velocity));
        }
    }
    out.collision = fmin(share_of_collision * out.collision_time / sqrt(flatness), springs);
    out.critical_speed *= cosine_typical;
    return out;
}

/* ---- what happens in the run --------------------------------------------------------------------- */

/* No linear collision without attraction is longer than the elastic one: most pairs need no look at their own time. The
 * way through each other is the sum of both diameters, for equal grains the 4 r of [Wolf2006, eq. 26]. */
void soft_begin(const struct soft_numbers *law, double m, double reach, double speed,
                struct soft_sums *sums) {
    double per_time = 0.5 * speed / (reach * cosine_typical);
    sums->start_speed = fmax(sums->start_speed, speed);
    if (law->exponent == 1.0 && !law->attracts &&
        pi * sqrt(m / law->stiffness) * per_time <= sums->pass.share)
        return;
    double share = speed > 0.0 ? time_of(law, m, speed) * per_time : 0.0;
    if (share > sums->pass.share) sums->pass = (struct soft_pass){share, speed};
}

static int64_t grains_of(const talus_sim *sim) {
    int64_t count = 0;
    for (size_t i = 0; i < sim->world.bodies.count; i++)
        count += sim->world.bodies.kind[i] == TALUS_BODY_GRAIN;
    return count;
}

/* With the present window, if contacts turn over in it, weighed by the power dissipated in it. */
static struct soft_collisions with_window(const struct soft_watch *watch) {
    struct soft_collisions all = watch->all, window = watch->window;
    if (!(window.time < window.starts * watch->length)) return all;
    double power = window.lost / watch->length;
    all.starts += power * window.starts;
    all.time += power * window.time;
    all.lost += power * window.lost;
    all.busy += power * window.busy;
    all.count += window.count;
    return all;
}

/* m/s, of two bodies against each other, the fastest grain having `speed`: what was seen, or what may come. */
static double meeting_speed(const struct soft *soft, double speed) {
    return soft->start_speed > 0.0 ? fmax(soft->start_speed, speed) : 2.0 * speed;
}

static void open_window(talus_sim *sim) {
    struct soft_watch *watch = &sim->soft.watch;
    double speed = meeting_speed(&sim->soft, sim->report.speed_max);
    watch->all = with_window(watch);
    watch->window = (struct soft_collisions){0};
    watch->grains = (double)grains_of(sim);
    watch->length = window_collisions * sim_soft_limits(sim, speed, NULL).collision_time;
    watch->end = sim->world.time;
    if (isfinite(watch->length)) watch->end += watch->length; /* else: nothing moves yet */
}

void sim_soft_watch(talus_sim *sim) {
    struct soft_watch *watch = &sim->soft.watch;
    struct soft_collisions *window = &watch->window;
    if (sim->world.time >= watch->end) open_window(sim);
    double contacts = (double)sim->detect.contact_count;
    double dissipated = sim->ledger.impact + sim->ledger.sliding;
    double lost = fmax(0.0, dissipated - watch->dissipated);
    window->count += sim->soft.starts - watch->starts;
    window->starts = (double)window->count;
    window->time += contacts * sim->dt;
    window->lost += lost;
    if (contacts > 1.0) window->busy += lost * 2.0 * (contacts - 1.0) / watch->grains;
    watch->starts = sim->soft.starts;
    watch->dissipated = dissipated;
}

void sim_soft_trust(const talus_sim *sim, double speed, talus_trust *trust) {
    const struct soft *soft = &sim->soft;
    const struct soft_watch *watch = &soft->watch;
    struct soft_limits limits = sim_soft_limits(sim, meeting_speed(soft, speed), NULL);
    double plain = share_of_relaxation * sim->dt / limits.friction; /* k_t dt/(2 (c_n + c_t)) */
    trust->collision_time = limits.collision_time;
    trust->collision_steps = limits.collision_time / sim->dt;
    trust->friction_error = plain / (1.0 + plain);
    trust->meeting_speed = soft->pass.speed;
    trust->critical_speed = limits.critical_speed;
    if (soft->pass.share > 0.0) trust->critical_speed = soft->pass.speed / soft->pass.share;
    trust->free_time = HUGE_VAL;
    /* a window cut short by the end: only if it had time to see contacts end */
    bool whole = watch->end - sim->world.time < 0.5 * watch->length;
    struct soft_collisions all = whole ? with_window(watch) : watch->all;
    trust->collisions = all.count;
    if (all.starts > 0.0) trust->contact_life = all.time / all.starts;
    if (!(all.busy > 0.0)) return;
    trust->free_time = trust->contact_life * fmax(0.0, all.lost - all.busy) / all.busy;
}
