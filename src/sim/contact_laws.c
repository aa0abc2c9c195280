/* SPDX-License-Identifier: Apache-2.0
 *
 * The laws that look back: what a contact remembers, what it makes of it in this step, and what the
 * solution of the step says about the choices made. The laws themselves are in law/; here they meet
 * bodies and contacts.
 */
#include <math.h>

#include "base/error.h"
#include "law/restitution.h"
#include "law/soft_bond.h"
#include "law/static_friction.h"
#include "scheme/implicit_euler.h"
#include "sim/sim.h"

static const talus_pair_law *law_of(const talus_sim *sim, talus_index a, talus_index b) {
    const int32_t *material = sim->world.bodies.material;
    return world_pair(&sim->world, material[a], material[b]);
}

static bool has_torques(const talus_pair_law *law) {
    return law->rolling.coefficient > 0.0 || law->torsion.coefficient > 0.0;
}

static bool is_plain(const talus_pair_law *law) {
    return !friction_has_two(law) && !has_torques(law) && !(law->cohesion.force > 0.0) &&
           !restitution_is_on(&law->restitution);
}

/* Of any contact that can occur: two of the smallest grains, or one on the thinnest cylinder. */
static double least_reduced_radius(const struct world *world) {
    if (!(world->radius_min > 0.0)) return HUGE_VAL;
    double curvature = 1.0 / world->radius_min, sharpest = curvature;
    for (size_t k = 0; k < world->boundary_count; k++)
        if (world->boundaries[k].local.radius > 0.0)
            sharpest = fmax(sharpest, 1.0 / world->boundaries[k].local.radius);
    return 1.0 / (curvature + sharpest);
}

/* Flat or hollow walls make it larger than the radius. */
static double largest_reduced_radius(const struct world *world) {
    double curvature = 1.0 / world->radius_max, flattest = curvature;
    for (size_t k = 0; k < world->boundary_count; k++)
        if (world->boundaries[k].local.radius > 0.0)
            flattest = fmin(flattest, curvature - 1.0 / world->boundaries[k].local.radius);
    return flattest > 0.0 ? 1.0 / flattest : HUGE_VAL;
}

/* Reduced masses of any contact that can occur lie between these. */
static void find_masses(const struct bodies *bodies, double masses[2]) {
    masses[0] = HUGE_VAL;
    masses[1] = 0.0;
    for (size_t i = 0; i < bodies->count; i++) {
        if (!(bodies->mass[i] > 0.0)) continue;
        masses[0] = fmin(masses[0], 0.5 * bodies->mass[i]);
        masses[1] = fmax(masses[1], bodies->mass[i]);
    }
}

/* m, how far the spring of soft grains reaches beyond the range of their bond. */
static double bond_stretch(const talus_sim *sim, const talus_pair_law *law, double radius,
                           double force) {
    double masses[2], longest = 0.0;
    if (sim->method != TALUS_METHOD_MD || !soft_is_on(&law->soft)) return 0.0;
    find_masses(&sim->world.bodies, masses);
    for (int k = 0; k < 2; k++) {
        struct soft_numbers numbers = soft_resolve(law, masses[k], radius);
        longest = fmax(longest, soft_bond_stretch(&numbers, force));
    }
    return longest;
}

/* How far apart bonded grains can be. All of it goes up or down with radius and mass: the extremes are enough. */
static double bond_reach(const talus_sim *sim, const talus_pair_law *law) {
    const double radii[2] = {least_reduced_radius(&sim->world),
                             largest_reduced_radius(&sim->world)};
    double reach = 0.0;
    for (int k = 0; k < 2; k++) {
        if (!isfinite(radii[k])) continue;
        struct cohesion bond = cohesion_of(&law->cohesion, radii[k]);
        reach = fmax(reach, bond.range + bond_stretch(sim, law, radii[k], bond.force));
    }
    return reach;
}

/* Across half a period the nearest image is another one: a bond must break before. */
static talus_status check_range(const talus_sim *sim, double range, talus_error *err) {
    const struct cell *cell = &sim->world.cell;
    for (int axis = 0; axis < 3; axis++) {
        double period = vec3_component(cell->size, axis);
        if (!cell->periodic[axis] || 2.0 * sim->world.radius_max + range < 0.5 * period) continue;
        return error_set(
            err, TALUS_ERR_INPUT,
            "cohesion: the range of %g m does not fit into the cell: along %c the largest "
            "diameter and the range must be shorter than half the period, %g m",
            range, "xyz"[axis], 0.5 * period);
    }
    return TALUS_OK;
}

/* What only round grains can do. */
static talus_status check_forms(const struct world *world, talus_error *err) {
    for (size_t k = 0; k < world->boundary_count; k++) {
        const struct boundary *boundary = &world->boundaries[k];
        if (!boundary->present || !(boundary->local.length > 0.0) || world->dim == 3) continue;
        return error_set(
            err, TALUS_ERR_INPUT,
            "boundary '%s': in the plane a cylinder of finite length meets only discs; "
            "for grains of other shapes leave its length out",
            boundary->name.text);
    }
    for (size_t a = 0; a < world->material_count; a++)
        for (size_t b = a; b < world->material_count; b++) {
            const talus_pair_law *law = world_pair(world, (int)a, (int)b);
            if (!has_torques(law)) continue;
            if (!world->materials[a].has_forms && !world->materials[b].has_forms) continue;
            return error_set(
                err, TALUS_ERR_INPUT,
                "materials '%s' and '%s': rolling and torsion friction are laws for round grains; "
                "grains with faces and edges resist rolling by their shape. Give the round grains "
                "a material of their own, or leave these laws out",
                world->materials[a].name.text, world->materials[b].name.text);
        }
    return TALUS_OK;
}

talus_status sim_need_memory(talus_sim *sim, talus_error *err) {
    if (sim->world.form_count > 0) TALUS_TRY(check_forms(&sim->world, err));
    struct detect *detect = &sim->detect;
    bool needed = sim->method == TALUS_METHOD_MD;
    double range = 0.0;
    int count = (int)sim->world.material_count;
    for (int a = 0; a < count; a++)
        for (int b = a; b < count; b++) {
            const talus_pair_law *law = world_pair(&sim->world, a, b);
            if (is_plain(law)) continue;
            needed = true;
            if (law->cohesion.force > 0.0 && sim->world.grain_count > 0)
                range = fmax(range, bond_reach(sim, law));
        }
    sim->laws_look_back = needed;
    if (sim->solver.carry > 0.0) needed = true;
    if (needed != detect->remembers || range > detect->range) detect->valid = false;
    detect->remembers = needed;
    detect->range = range;
    return range > 0.0 ? check_range(sim, range, err) : TALUS_OK;
}

/* r* of [Brendel2004, eq. 1.42]; a wall counts by its curvature, negative if it is hollow. */
double sim_reduced_radius(const talus_sim *sim, const struct contact *contact) {
    const double *radius = sim->world.bodies.radius;
    double curvature = contact->wall >= 0 ? contact->curvature : 1.0 / radius[contact->b];
    double sum = 1.0 / radius[contact->a] + curvature;
    /* A grain too large for the hollow of a tube touches it at the rim: flat, as all edges. */
    return sum > 0.0 ? 1.0 / sum : radius[contact->a];
}

/* Of a body in a collision; 0: it stays where it is. */
static double inverse_mass(const talus_sim *sim, talus_index body) {
    bool held = world_is_held(&sim->world, (size_t)body);
    return held ? 0.0 : sim->world.bodies.inverse_mass[body];
}

double sim_reduced_mass(const talus_sim *sim, const struct contact *contact) {
    double sum = inverse_mass(sim, contact->a) + inverse_mass(sim, contact->b);
    return sum > 0.0 ? 1.0 / sum : sim->world.bodies.mass[contact->a];
}

static struct contact_memory *memory_of(talus_sim *sim, const struct contact *contact) {
    return &sim->detect.memories[contact->candidate];
}

/* In this step: bonded before, or touching when it begins. Nothing is written down until the step is done. */
static bool is_bonded(const talus_sim *sim, const struct contact *contact) {
    const talus_cohesion_law *law = &law_of(sim, contact->a, contact->b)->cohesion;
    const struct contact_memory *memory = &sim->detect.memories[contact->candidate];
    if (!(law->force > 0.0)) return false;
    return memory->bonded || (!law->on_command && !memory->broken && detect_is_closed(contact));
}

static double opening_of(const talus_sim *sim, const struct contact *contact) {
    return contact->gap <= 0.0 ? 0.0 : sim->detect.memories[contact->candidate].opening;
}

bool sim_law_is_combined(const talus_sim *sim, const struct contact *contact) {
    const talus_pair_law *law = law_of(sim, contact->a, contact->b);
    if (is_plain(law)) return false;
    return has_torques(law) || is_bonded(sim, contact) || law->restitution.tangential != 0.0;
}

struct relative_motion sim_motion_before(const talus_sim *sim,
                                         const struct solve_contact *contact) {
    const struct bodies *bodies = &sim->world.bodies;
    struct solve_body rows[2] = {sim->problem.bodies[contact->a], sim->problem.bodies[contact->b]};
    talus_index index[2] = {contact->a, contact->b};
    for (int side = 0; side < 2; side++) {
        if (!world_answers_forces(&sim->world, (size_t)index[side])) continue;
        rows[side].velocity = bodies->velocity[index[side]];
        rows[side].omega = bodies->omega[index[side]];
    }
    struct problem two = sim->problem;
    struct solve_contact moved = *contact;
    two.bodies = rows;
    moved.a = 0;
    moved.b = 1;
    return (struct relative_motion){problem_velocity(&two, &moved), problem_turning(&two, &moved)};
}

/* What external forces do to the velocity of a body in this step. */
static vec3 jolt_of(const talus_sim *sim, talus_index body) {
    if (!world_answers_forces(&sim->world, (size_t)body)) return vec3_zero();
    vec3 force = euler_predict(&sim->world, body, sim->dt).force;
    return vec3_scale(sim->dt * sim->world.bodies.inverse_mass[body], force);
}

static double jolts(const talus_sim *sim, const struct contact *contact) {
    return vec3_norm(jolt_of(sim, contact->a)) + vec3_norm(jolt_of(sim, contact->b));
}

/* ---- before the sweeps ------------------------------------------------------------------------ */

/* Slips slower than this in a new contact count as rest: a share of the radius per step. */
static const double rest_share = 1e-12;

static void set_friction(talus_sim *sim, const struct contact *contact, struct solve_contact *to,
                         const struct relative_motion *before) {
    const talus_pair_law *law = law_of(sim, contact->a, contact->b);
    struct contact_memory *memory = memory_of(sim, contact);
    if (sim->round == 0) {
        double speed = vec3_norm(vec3_tangential(before->velocity, to->normal));
        double tiny = rest_share * sim->world.bodies.radius[contact->a] / sim->dt;
        bool carried = vec3_norm2(sim->detect.candidates[contact->candidate].impulse) > 0.0;
        memory->friction = (uint8_t)friction_begin(memory->friction, carried, speed, tiny);
    }
    to->mu = friction_coefficient(law, memory->friction);
}

/* Of a coefficient of restitution that was reduced so often. */
static double share_left(int times) {
    return times > 2 ? 0.0 : 1.0 / (double)(1 << times);
}

static void set_restitution(talus_sim *sim, const struct contact *contact, struct solve_contact *to,
                            const struct relative_motion *before) {
    const talus_restitution_law *law = &law_of(sim, contact->a, contact->b)->restitution;
    struct contact_memory *memory = memory_of(sim, contact);
    if (sim->round == 0) {
        memory->softened = memory->softened_slip = 0;
        memory->waits = false;
    }
    memory->impact = false;
    if (!restitution_is_on(law) || !(to->m_n > 0.0)) return;
    if (memory->waits) {
        to->bias = HUGE_VAL;
        to->impulse = vec3_zero();
        if (to->combined >= 0) sim->problem.combined[to->combined].torque = vec3_zero();
        return;
    }
    double share = share_left(memory->softened);
    double carried = vec3_dot(sim->detect.candidates[contact->candidate].impulse, to->normal);
    struct approach approach = {
        .before = vec3_dot(before->velocity, to->normal),
        .free = vec3_dot(problem_velocity(&sim->problem, to), to->normal),
        .jolt = jolts(sim, contact),
        .carried = memory->rebounded ? 0.0 : fmax(0.0, carried) / to->m_n,
        .gap = contact->gap,
    };
    double rebound;
    if (!restitution_impact(law, &approach, sim->dt, share, &rebound)) return;
    memory->impact = true;
    to->bias = fmin(to->bias, -rebound);
    if (to->combined < 0) return;
    if (law->tangential == 0.0) return;
    vec3 slip = vec3_tangential(before->velocity, to->normal);
    vec3 free = vec3_tangential(problem_velocity(&sim->problem, to), to->normal);
    vec3 shift = restitution_shift(law, slip, vec3_sub(free, slip),
                                   share_left(memory->softened + memory->softened_slip));
    struct combined *combined = &sim->problem.combined[to->combined];
    combined->shift_t = vec3_dot(shift, combined->tangent);
    combined->shift_s = vec3_dot(shift, vec3_cross(to->normal, combined->tangent));
}

static void set_combined(talus_sim *sim, const struct contact *contact, struct solve_contact *to) {
    const talus_pair_law *law = law_of(sim, contact->a, contact->b);
    const struct contact_memory *memory = memory_of(sim, contact);
    struct combined *combined = &sim->problem.combined[to->combined];
    double radius = sim_reduced_radius(sim, contact);
    bool discs = sim->world.dim < 3;
    combined->rolling = torque_limit_make(&law->rolling, radius, discs, sim->dt);
    combined->torsion = torque_limit_make(&law->torsion, radius, discs, sim->dt);
    if (sim->solver.warm_start) combined->torque = memory->torque;
    if (!is_bonded(sim, contact) || !(to->m_n > 0.0)) return;
    struct contact_memory *bond_memory = memory_of(sim, contact);
    if (sim->round == 0) bond_memory->tension = HUGE_VAL;
    double full = cohesion_of(&law->cohesion, radius).force * sim->dt;
    combined->tension = fmin(full, bond_memory->tension);
}

void sim_law_set(talus_sim *sim, const struct contact *contact, struct solve_contact *to) {
    const talus_pair_law *law = law_of(sim, contact->a, contact->b);
    to->mu = law->mu_sliding;
    if (is_plain(law)) return;
    struct relative_motion before = sim_motion_before(sim, to);
    if (friction_has_two(law)) set_friction(sim, contact, to, &before);
    if (to->combined >= 0) set_combined(sim, contact, to);
    set_restitution(sim, contact, to, &before);
}

/* ---- after a solve ---------------------------------------------------------------------------- */

static double tension_of(const talus_sim *sim, const struct solve_contact *contact) {
    return contact->combined < 0 ? 0.0 : sim->problem.combined[contact->combined].tension;
}

/* A bond that closes freely bears friction and no normal force, but the sum of their components along n is zero
 * only to rounding; its sign would decide what the bond remembers. */
static const double no_push = 1e-12;

static struct cohesion_end bond_end(const talus_sim *sim, const struct solve_contact *contact) {
    vec3 n = contact->normal;
    double push = vec3_dot(contact->impulse, n), tension = tension_of(sim, contact);
    if (fabs(push) <= no_push * (vec3_norm(contact->impulse) + tension)) push = 0.0;
    return (struct cohesion_end){
        .impulse = push,
        .tension = tension,
        .before = vec3_dot(sim_motion_before(sim, contact).velocity, n),
        .after = vec3_dot(problem_velocity(&sim->problem, contact), n),
    };
}

/* The residual adds up the errors of all contacts; that of one may still be larger, because the natural map
 * only bounds it up to a factor. */
static const double noise_factor = 30.0;

static struct friction_end end_of(const talus_sim *sim, const struct solve_contact *contact) {
    vec3 n = contact->normal;
    vec3 now = problem_velocity(&sim->problem, contact);
    vec3 before = sim_motion_before(sim, contact).velocity;
    double tension = tension_of(sim, contact), load = vec3_dot(contact->impulse, n) + tension;
    if (load <= 1e-12 * tension) load = 0.0; /* pulled with all of L, to rounding */
    return (struct friction_end){
        .impulse = vec3_tangential(contact->impulse, n),
        .slip_before = vec3_tangential(before, n),
        .slip_now = vec3_tangential(now, n),
        .noise = noise_factor * sim->report.residual * sim->problem.q_norm,
        .load = load,
        .m_t = contact->m_t,
    };
}

static int64_t look_at_friction(talus_sim *sim) {
    int64_t switched = 0;
    for (size_t k = 0; k < sim->problem.contact_count; k++) {
        const struct contact *contact = &sim->detect.contacts[k];
        const talus_pair_law *law = law_of(sim, contact->a, contact->b);
        if (!friction_has_two(law)) continue;
        struct friction_end end = end_of(sim, &sim->problem.contacts[k]);
        struct contact_memory *memory = memory_of(sim, contact);
        unsigned state = friction_look(law, memory->friction, &end);
        if (state != memory->friction) switched++;
        memory->friction = (uint8_t)state;
    }
    return switched;
}

struct impact_energy { /* J */
    double gained;     /* by contacts, less what the step itself loses */
    double scale;      /* sum over impacts of P_n v */
};

/* P_n v */
static double impact_scale(const talus_sim *sim, const struct solve_contact *contact) {
    return -vec3_dot(contact->impulse, contact->normal) *
           vec3_dot(sim_motion_before(sim, contact).velocity, contact->normal);
}

static struct impact_energy impact_energy(const talus_sim *sim) {
    struct impact_energy energy = {.gained = -ledger_step_loss(sim)};
    for (size_t k = 0; k < sim->problem.contact_count; k++) {
        const struct solve_contact *contact = &sim->problem.contacts[k];
        struct relative_motion before = sim_motion_before(sim, contact);
        vec3 after = problem_velocity(&sim->problem, contact);
        vec3 turning = problem_turning(&sim->problem, contact);
        energy.gained += 0.5 * vec3_dot(contact->impulse, vec3_add(before.velocity, after)) +
                         0.5 * vec3_dot(problem_torque(&sim->problem, contact),
                                        vec3_add(before.turning, turning));
        if (sim->detect.memories[sim->detect.contacts[k].candidate].impact)
            energy.scale += impact_scale(sim, contact);
    }
    return energy;
}

static void count_forces(talus_sim *sim) {
    for (size_t i = 0; i < sim->problem.body_count; i++) sim->degree[i] = 0;
    for (size_t k = 0; k < sim->problem.contact_count; k++) {
        const struct solve_contact *contact = &sim->problem.contacts[k];
        if (vec3_norm2(contact->impulse) == 0.0) continue;
        sim->degree[contact->a]++;
        sim->degree[contact->b]++;
    }
}

/* No other force acts on its two bodies, as far as they answer forces. */
static bool is_alone(const talus_sim *sim, const struct contact *contact) {
    bool answers_b = world_answers_forces(&sim->world, (size_t)contact->b);
    return sim->degree[contact->a] <= 1 && (!answers_b || sim->degree[contact->b] <= 1);
}

/* Energy that one contact gave, less the share of external forces acting in the same step. */
static double gained_by(const talus_sim *sim, const struct solve_contact *contact) {
    struct relative_motion before = sim_motion_before(sim, contact);
    vec3 after = problem_velocity(&sim->problem, contact);
    vec3 turned = vec3_add(before.turning, problem_turning(&sim->problem, contact));
    vec3 jolt_a = jolt_of(sim, contact->a), jolt_b = jolt_of(sim, contact->b);
    vec3 sum = vec3_sub(vec3_add(before.velocity, after), vec3_sub(jolt_b, jolt_a));
    return 0.5 * vec3_dot(contact->impulse, sum) +
           0.5 * vec3_dot(problem_torque(&sim->problem, contact), turned);
}

/* Newton's law with friction can make energy when a body has several impacts at once. Then those impacts
 * rebound with half, a quarter, none of their restitution. */
static int64_t look_at_restitution(talus_sim *sim) {
    const double rounding = 1e-6;
    bool any = false;
    for (size_t k = 0; k < sim->problem.contact_count && !any; k++) {
        const struct contact *contact = &sim->detect.contacts[k];
        if (!is_plain(law_of(sim, contact->a, contact->b))) any = memory_of(sim, contact)->impact;
    }
    if (!any) return 0;
    struct impact_energy energy = impact_energy(sim);
    bool gains = energy.gained > rounding * energy.scale;
    int64_t softened = 0;
    count_forces(sim);
    for (size_t k = 0; k < sim->problem.contact_count; k++) {
        const struct contact *contact = &sim->detect.contacts[k];
        const struct solve_contact *solved = &sim->problem.contacts[k];
        struct contact_memory *memory = memory_of(sim, contact);
        if (!memory->impact || memory->softened > 2 || memory->softened_slip > 2) continue;
        /* A lone impact of free spheres cannot gain, but that of a guided body can, and one with e_t
         * and rolling friction: each is judged by itself. */
        bool alone = is_alone(sim, contact);
        bool gains_alone = alone && !contact_is_plain(solved) &&
                           gained_by(sim, solved) > rounding * impact_scale(sim, solved);
        if (alone ? !gains_alone : !gains) continue;
        if (alone && solved->general < 0)
            memory->softened_slip++; /* e_t against rolling friction; the normal part is innocent */
        else
            memory->softened++;
        softened++;
    }
    return softened;
}

/* Was it closed by forces of this step alone, and should it rather wait for the next? */
static bool closes_early(const talus_sim *sim, const struct contact *contact,
                         const struct solve_contact *solved) {
    const talus_restitution_law *law = &law_of(sim, contact->a, contact->b)->restitution;
    const struct contact_memory *memory = &sim->detect.memories[contact->candidate];
    const struct candidate *pair = &sim->detect.candidates[contact->candidate];
    double push = vec3_dot(solved->impulse, solved->normal);
    if (!restitution_is_on(law) || memory->impact || memory->waits || memory->softened ||
        is_bonded(sim, contact))
        return false;
    bool carried = vec3_norm2(pair->impulse) > 0.0 && !memory->rebounded;
    if (!(push > 0.0) || carried) return false;
    double before = vec3_dot(sim_motion_before(sim, solved).velocity, solved->normal);
    if (detect_is_closed(contact) && before <= 0.0) return false; /* touching: all at once */
    double after = vec3_dot(problem_velocity(&sim->problem, solved), solved->normal);
    return restitution_waits(law, push / solved->m_n - after, jolts(sim, contact), contact->gap,
                             sim->dt);
}

static int64_t look_at_early(talus_sim *sim) {
    int64_t waiting = 0;
    for (size_t k = 0; k < sim->problem.contact_count; k++) {
        const struct contact *contact = &sim->detect.contacts[k];
        if (!closes_early(sim, contact, &sim->problem.contacts[k])) continue;
        memory_of(sim, contact)->waits = true;
        waiting++;
    }
    return waiting;
}

/* A bond that would take more energy than is left to it gets a smaller tension for this step. */
static int64_t look_at_bonds(talus_sim *sim) {
    int64_t limited = 0;
    for (size_t k = 0; k < sim->problem.contact_count; k++) {
        const struct contact *contact = &sim->detect.contacts[k];
        const struct solve_contact *solved = &sim->problem.contacts[k];
        const talus_pair_law *law = law_of(sim, contact->a, contact->b);
        double pull = -vec3_dot(solved->impulse, solved->normal);
        if (solved->combined < 0 || !(pull > 0.0) || !is_bonded(sim, contact)) continue;
        struct cohesion bond = cohesion_of(&law->cohesion, sim_reduced_radius(sim, contact));
        struct cohesion_end end = bond_end(sim, solved);
        double limit = cohesion_limit(&bond, opening_of(sim, contact), &end, solved->m_n);
        struct contact_memory *memory = memory_of(sim, contact);
        if (!(limit < end.tension)) continue;
        memory->tension = limit;
        limited++;
    }
    return limited;
}

int64_t sim_laws_look(talus_sim *sim) {
    if (!sim->laws_look_back) return 0;
    sim->report.residual = problem_residual(&sim->problem);
    int64_t waiting = look_at_early(sim);
    if (waiting > 0) return waiting; /* the rest is judged without them */
    int64_t limited = look_at_bonds(sim);
    int64_t switched = look_at_friction(sim), softened = look_at_restitution(sim);
    sim->report.switched += switched;
    return limited + switched + softened;
}

/* ---- after the last solve --------------------------------------------------------------------- */

static void finish_bond(talus_sim *sim, const struct contact *contact,
                        const struct solve_contact *solved) {
    const talus_pair_law *law = law_of(sim, contact->a, contact->b);
    struct contact_memory *memory = memory_of(sim, contact);
    double impulse = vec3_dot(solved->impulse, solved->normal);
    double after = vec3_dot(problem_velocity(&sim->problem, solved), solved->normal);
    if (!detect_is_closed(contact)) memory->broken = false;
    if (!(law->cohesion.force > 0.0)) memory->bonded = false;
    if (!(law->cohesion.force > 0.0)) return;
    if (!is_bonded(sim, contact)) {
        struct contact moved = *contact;
        moved.gap += sim->dt * after;
        bool touched = memory->impact || detect_is_closed(&moved);
        memory->bonded = impulse > 0.0 && touched && !law->cohesion.on_command;
        if (memory->bonded) memory->broken = false;
        memory->opening = 0.0;
        return;
    }
    struct cohesion bond = cohesion_of(&law->cohesion, sim_reduced_radius(sim, contact));
    struct cohesion_end end = bond_end(sim, solved);
    memory->opening = cohesion_open(&bond, opening_of(sim, contact), &end, sim->dt);
    memory->broken = cohesion_breaks(&bond, memory->opening, &end);
    memory->bonded = !memory->broken;
    if (!memory->broken) return;
    sim->record.bonds_broken++;
}

static void finish_contact(talus_sim *sim, const struct contact *contact,
                           const struct solve_contact *solved) {
    const talus_pair_law *law = law_of(sim, contact->a, contact->b);
    struct contact_memory *memory = memory_of(sim, contact);
    memory->torque = problem_torque(&sim->problem, solved);
    if (friction_has_two(law)) {
        struct friction_end end = end_of(sim, solved);
        memory->friction = (uint8_t)friction_finish(law, memory->friction, &end);
    }
    finish_bond(sim, contact, solved);
    memory->rebounded = memory->impact;
    if (memory->impact) sim->report.impacts++;
    if (memory->softened + memory->softened_slip > 0) sim->report.softened++;
}

/* Contacts stand in the order of the candidates; the others have nothing to remember. */
void sim_laws_finish(talus_sim *sim) {
    struct detect *detect = &sim->detect;
    size_t next = 0;
    if (!sim->laws_look_back) return;
    for (size_t k = 0; k < detect->candidate_count; k++) {
        if (next < detect->contact_count && (size_t)detect->contacts[next].candidate == k) {
            finish_contact(sim, &detect->contacts[next], &sim->problem.contacts[next]);
            next++;
        } else {
            detect->memories[k] = (struct contact_memory){.opening = 0.0};
        }
    }
}
