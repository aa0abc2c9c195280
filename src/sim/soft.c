/* SPDX-License-Identifier: Apache-2.0
 *
 * Soft grains: the forces of all contacts that overlap now, from positions and velocities as they stand.
 *
 * A contact stands in three arrays, at the same place in each: detect.contacts (geometry), problem.contacts (its
 * force times dt, where observers look for it) and soft.contacts (what of it is elastic, for the ledger).
 */
#include "law/soft.h"

#include "base/error.h"
#include "scheme/implicit_euler.h"
#include "sim/sim.h"
#include "world/membrane.h"

static const talus_pair_law *law_of(const talus_sim *sim, const struct contact *contact) {
    const int32_t *material = sim->world.bodies.material;
    return world_pair(&sim->world, material[contact->a], material[contact->b]);
}

/* Is there a grain of one and something else of the other? Walls do not meet walls. */
static bool can_meet(const talus_sim *sim, int a, int b) {
    const struct bodies *bodies = &sim->world.bodies;
    size_t grains[2] = {0, 0}, all[2] = {0, 0};
    const int materials[2] = {a, b};
    for (size_t i = 0; i < bodies->count; i++)
        for (int side = 0; side < 2; side++) {
            if (bodies->material[i] != materials[side]) continue;
            all[side]++;
            grains[side] += bodies->kind[i] == TALUS_BODY_GRAIN;
        }
    if (a == b) return grains[0] > 0 && all[0] > 1;
    return (grains[0] > 0 && all[1] > 0) || (grains[1] > 0 && all[0] > 0);
}

static talus_status check_pair(const talus_sim *sim, int a, int b, talus_error *err) {
    const struct world *world = &sim->world;
    const talus_pair_law *law = world_pair(world, a, b);
    const char *names[2] = {world->materials[a].name.text, world->materials[b].name.text};
    if (!soft_is_on(&law->soft) && can_meet(sim, a, b))
        return error_set(err, TALUS_ERR_INPUT,
                         "materials '%s' and '%s': soft grains (method md) need a stiffness; give "
                         "the pair a soft law",
                         names[0], names[1]);
    bool rigid = law->rolling.coefficient > 0.0 || law->torsion.coefficient > 0.0 ||
                 law->cohesion.force > 0.0 || law->restitution.normal != 0.0 ||
                 law->restitution.tangential != 0.0;
    if (rigid)
        return error_set(err, TALUS_ERR_INPUT,
                         "materials '%s' and '%s': rolling, torsion, cohesion and restitution are "
                         "laws of rigid grains (method cd) so far; soft grains have their damping",
                         names[0], names[1]);
    return TALUS_OK;
}

talus_status sim_soft_check(const talus_sim *sim, talus_error *err) {
    const struct world *world = &sim->world;
    if (world->form_count > 0 || world->mesh_count > 0)
        return error_set(err, TALUS_ERR_INPUT,
                         "soft grains (method md) are discs or spheres, and their walls planes, "
                         "rectangles or cylinders, so far");
    for (int a = 0; a < (int)world->material_count; a++)
        for (int b = a; b < (int)world->material_count; b++) TALUS_TRY(check_pair(sim, a, b, err));
    return TALUS_OK;
}

/* Of two of the lightest grains. */
double sim_soft_collision_time(const talus_sim *sim, double velocity) {
    const struct bodies *bodies = &sim->world.bodies;
    double lightest = HUGE_VAL, shortest = HUGE_VAL;
    for (size_t i = 0; i < bodies->count; i++)
        if (bodies->kind[i] == TALUS_BODY_GRAIN) lightest = fmin(lightest, bodies->mass[i]);
    if (lightest == HUGE_VAL) return HUGE_VAL;
    for (int a = 0; a < (int)sim->world.material_count; a++)
        for (int b = a; b < (int)sim->world.material_count; b++) {
            const talus_soft_law *law = &world_pair(&sim->world, a, b)->soft;
            if (!soft_is_on(law) || (law->exponent > 1.0 && !(velocity > 0.0))) continue;
            shortest = fmin(shortest, soft_collision_time(law, 0.5 * lightest, velocity));
        }
    return shortest;
}

/* ---- room ------------------------------------------------------------------------------------ */

talus_status sim_soft_reserve_bodies(talus_sim *sim, talus_error *err) {
    struct soft *soft = &sim->soft;
    size_t count = sim->world.bodies.count;
    struct soft_body *bodies =
        memory_reserve(&sim->memory, soft->bodies, &soft->body_capacity, count, sizeof *bodies);
    if (bodies == NULL) return error_memory(err);
    soft->bodies = bodies;
    return TALUS_OK;
}

/* For as many contacts as there are candidates. */
talus_status sim_soft_reserve_contacts(talus_sim *sim, talus_error *err) {
    struct soft *soft = &sim->soft;
    size_t count = sim->detect.candidate_count;
    TALUS_TRY(detect_reserve_touching(&sim->detect, err));
    struct solve_contact *seen = memory_reserve(&sim->memory, sim->problem.contacts,
                                                &sim->contact_capacity, count, sizeof *seen);
    if (seen == NULL) return error_memory(err);
    sim->problem.contacts = seen;
    struct soft_contact *contacts = memory_reserve(
        &sim->memory, soft->contacts, &soft->contact_capacity, count, sizeof *contacts);
    if (contacts == NULL) return error_memory(err);
    soft->contacts = contacts;
    return TALUS_OK;
}

void sim_soft_rescale(talus_sim *sim, double scale) {
    for (size_t i = 0; i < sim->soft.body_capacity; i++) {
        struct soft_body *body = &sim->soft.bodies[i];
        double power = scale * scale * scale;
        for (int n = 0; n < INTEGRATOR_MORE; n++, power *= scale) {
            body->more_slide[n] = vec3_scale(power, body->more_slide[n]);
            body->more_turn[n] = vec3_scale(power, body->more_turn[n]);
        }
    }
}

void sim_soft_free(talus_sim *sim) {
    struct soft *soft = &sim->soft;
    memory_free(&sim->memory, soft->bodies, soft->body_capacity, sizeof *soft->bodies);
    memory_free(&sim->memory, soft->contacts, soft->contact_capacity, sizeof *soft->contacts);
}

/* ---- one contact ------------------------------------------------------------------------------- */

/* From the centre of each body to the contact point; walls by their own point. */
static void find_arms(const talus_sim *sim, const struct contact *contact, vec3 arms[2]) {
    const vec3 *position = sim->world.bodies.position;
    vec3 branch =
        cell_branch(&sim->world.cell, position[contact->b], position[contact->a]); /* b to a */
    arms[0] = contact->arm;
    arms[1] = vec3_add(branch, contact->arm);
}

static vec3 velocity_at(vec3 velocity, vec3 omega, vec3 arm) {
    return vec3_add(velocity, vec3_cross(omega, arm));
}

/* Of b against a at the contact point. */
static vec3 relative_velocity(const talus_sim *sim, const struct contact *contact,
                              const vec3 arms[2]) {
    const vec3 *velocity = sim->world.bodies.velocity, *omega = sim->world.bodies.omega;
    return vec3_sub(velocity_at(velocity[contact->b], omega[contact->b], arms[1]),
                    velocity_at(velocity[contact->a], omega[contact->a], arms[0]));
}

/* The way of b against a at the contact point in the last step: how the bodies went, to the order of the integrator
 * [Pena2009, sect. 4]; or the velocity at its end times dt. The paper's own factor on the sliding of the centres is
 * there for comparison: with it static displacements are wrong. */
static vec3 relative_way(const talus_sim *sim, const struct contact *contact, const vec3 arms[2],
                         talus_slip slip, double dt) {
    if (slip == TALUS_SLIP_VELOCITY) return vec3_scale(dt, relative_velocity(sim, contact, arms));
    const struct soft_body *a = &sim->soft.bodies[contact->a], *b = &sim->soft.bodies[contact->b];
    vec3 slide = vec3_sub(b->shift, a->shift);
    vec3 turn = vec3_sub(vec3_cross(b->turn, arms[1]), vec3_cross(a->turn, arms[0]));
    if (slip == TALUS_SLIP_PENA && contact->wall < 0) {
        const double *radius = sim->world.bodies.radius;
        double share = radius[contact->a] / (radius[contact->a] + radius[contact->b]);
        slide = vec3_scale(share, slide);
    }
    return vec3_add(slide, turn);
}

/* The spring of the last step, turned with the contact. */
static vec3 carry(const talus_sim *sim, const struct contact *contact, const talus_soft_law *law,
                  double dt) {
    const struct contact_memory *memory = &sim->detect.memories[contact->candidate];
    const vec3 *omega = sim->world.bodies.omega;
    vec3 n = contact->normal;
    if (dt == 0.0 || vec3_norm2(memory->stretch) == 0.0) return memory->stretch;
    double twist = 0.5 * dt * vec3_dot(vec3_add(omega[contact->a], omega[contact->b]), n);
    return soft_carry(law, memory->stretch, memory->normal, n, twist);
}

/* Springs are carried over a step of length dt; 0: they stay. */
static struct soft_drag drag_of(talus_sim *sim, const struct contact *contact, const vec3 arms[2],
                                double push, vec3 velocity, double dt) {
    const talus_pair_law *pair = law_of(sim, contact);
    struct contact_memory *memory = &sim->detect.memories[contact->candidate];
    vec3 n = contact->normal, carried = carry(sim, contact, &pair->soft, dt);
    vec3 way = vec3_zero();
    if (dt > 0.0) way = vec3_tangential(relative_way(sim, contact, arms, pair->soft.slip, dt), n);
    const double mu[2] = {pair->mu_static, pair->mu_sliding};
    memory->stretch = vec3_add(carried, way); /* [Wolf2006, eq. 21] */
    memory->normal = n;
    return soft_drag(&pair->soft, mu, push, vec3_tangential(velocity, n), carried,
                     &memory->stretch);
}

static void add_force(talus_sim *sim, talus_index body, vec3 force, vec3 arm) {
    struct soft_motion *motion = &sim->soft.bodies[body].now;
    motion->acceleration = vec3_add(motion->acceleration, force); /* divided by the mass later */
    motion->spin_rate = vec3_add(motion->spin_rate, vec3_cross(arm, force));
}

static void press(talus_sim *sim, size_t k, double dt) {
    const struct contact *contact = &sim->detect.contacts[k];
    const talus_pair_law *pair = law_of(sim, contact);
    const talus_soft_law *law = &pair->soft;
    vec3 arms[2], n = contact->normal;
    find_arms(sim, contact, arms);
    vec3 velocity = relative_velocity(sim, contact, arms);
    double opening = vec3_dot(velocity, n);
    struct soft_push push = soft_push(law, -contact->gap, -opening);
    struct soft_drag drag = {.lost = 0.0};
    if (sim->detect.remembers) drag = drag_of(sim, contact, arms, push.force, velocity, dt);
    vec3 force = vec3_add_scaled(drag.force, push.force, n);
    add_force(sim, contact->b, force, arms[1]);
    add_force(sim, contact->a, vec3_scale(-1.0, force), arms[0]);
    struct soft *soft = &sim->soft;
    soft->contacts[k] = (struct soft_contact){push.elastic, drag.spring};
    double spring2 = vec3_norm2(drag.spring), k_t = law->tangential_stiffness;
    soft->stored += push.energy + (spring2 > 0.0 ? 0.5 * spring2 / k_t : 0.0);
    soft->cut += drag.lost;
    vec3 impulse = vec3_scale(sim->dt, force);
    sim->problem.contacts[k] = (struct solve_contact){.a = contact->a,
                                                      .b = contact->b,
                                                      .normal = n,
                                                      .arm_a = contact->arm_a,
                                                      .arm_b = contact->arm_b,
                                                      .mu = pair->mu_sliding,
                                                      .impulse = impulse,
                                                      .general = -1,
                                                      .combined = -1};
    sim->detect.candidates[contact->candidate].impulse = impulse;
}

/* ---- all of them ------------------------------------------------------------------------------ */

/* Springs of pairs that no longer touch are gone, with what they held. */
static void release(talus_sim *sim) {
    struct detect *detect = &sim->detect;
    size_t next = 0;
    for (size_t k = 0; k < detect->candidate_count; k++) {
        if (next < detect->contact_count && (size_t)detect->contacts[next].candidate == k) {
            next++;
            continue;
        }
        struct candidate *pair = &detect->candidates[k];
        pair->impulse = vec3_zero();
        if (!detect->remembers || vec3_norm2(detect->memories[k].stretch) == 0.0) continue;
        const int32_t *material = sim->world.bodies.material;
        const talus_pair_law *law = world_pair(&sim->world, material[pair->a], material[pair->b]);
        sim->soft.cut +=
            0.5 * law->soft.tangential_stiffness * vec3_norm2(detect->memories[k].stretch);
        detect->memories[k].stretch = vec3_zero();
    }
}

static void accelerate(talus_sim *sim, talus_index i) {
    struct soft_motion *now = &sim->soft.bodies[i].now;
    if (!world_answers_forces(&sim->world, (size_t)i)) {
        *now = (struct soft_motion){0};
        return;
    }
    struct free_motion free = euler_predict(&sim->world, i, 0.0); /* forces of this moment */
    now->force = free.force;
    now->torque = free.torque;
    now->weight = free.weight;
    now->acceleration =
        integrator_acceleration(&sim->world, i, vec3_add(now->acceleration, free.force));
    now->spin_rate = integrator_spin_rate(&sim->world, i, vec3_add(now->spin_rate, free.torque));
}

void sim_soft_forces(talus_sim *sim, double dt) {
    size_t count = sim->world.bodies.count;
    for (size_t i = 0; i < count; i++) sim->soft.bodies[i].now = (struct soft_motion){0};
    sim->soft.stored = sim->soft.cut = 0.0;
    detect_place_walls(&sim->detect, &sim->world);
    detect_touching(&sim->detect, &sim->world);
    sim->problem.contact_count = sim->detect.contact_count;
    for (size_t k = 0; k < sim->detect.contact_count; k++) press(sim, k, dt);
    release(sim);
    membranes_press(&sim->world, sim->world.time);
    for (size_t i = 0; i < count; i++) accelerate(sim, (talus_index)i);
}
