/* SPDX-License-Identifier: Apache-2.0
 * Reading a simulation back: views, fingerprint, invariants, the advised time step. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "law/static_friction.h"
#include "measure/packing.h"
#include "sim/sim.h"
#include "world/membrane.h"

talus_body_view talus_sim_bodies(const talus_sim *sim) {
    sim_soft_sync(sim);
    const struct bodies *bodies = &sim->world.bodies;
    return (talus_body_view){.count = bodies->count,
                             .position = bodies->position,
                             .velocity = bodies->velocity,
                             .omega = bodies->omega,
                             .orientation = bodies->orientation,
                             .radius = bodies->radius,
                             .mass = bodies->mass,
                             .form = bodies->form,
                             .kind = bodies->kind,
                             .group = bodies->group,
                             .material = bodies->material,
                             .gid = bodies->gid};
}

const char *talus_sim_group_name(const talus_sim *sim, int group) {
    if (group < 0 || (size_t)group >= sim->world.group_count) return NULL;
    return sim->world.groups[group].text;
}

static talus_shape_view shape_view(const struct body_form *form) {
    talus_shape_view view = {.name = form->name.text,
                             .reach = form->reach,
                             .volume = form->volume,
                             .mass = form->mass,
                             .centre = form->centre,
                             .parts = form->part_count};
    memcpy(view.inertia, form->inertia.m, sizeof view.inertia);
    return view;
}

bool talus_shape_find(const talus_sim *sim, const char *name, talus_shape_view *out) {
    int32_t index = world_find_form(&sim->world, name);
    if (index >= 0 && out != NULL) *out = shape_view(&sim->world.forms[index]);
    return index >= 0;
}

size_t talus_sim_shape_count(const talus_sim *sim) {
    return sim->world.form_count;
}

talus_shape_view talus_sim_shape(const talus_sim *sim, size_t shape) {
    return shape_view(&sim->world.forms[shape]);
}

talus_hull_view talus_sim_hull(const talus_sim *sim, size_t shape, size_t part) {
    const struct convex *hull = &sim->world.forms[shape].parts[part].hull;
    return (talus_hull_view){.vertices = hull->vertices,
                             .vertex_count = (size_t)hull->vertex_count,
                             .face_count = (size_t)hull->face_count,
                             .rounding = hull->rounding};
}

size_t talus_sim_hull_face(const talus_sim *sim, size_t shape, size_t part, size_t face,
                           const int32_t **vertices, talus_vec3 *normal) {
    const struct convex *hull = &sim->world.forms[shape].parts[part].hull;
    *vertices = hull->loops + hull->faces[face].first;
    *normal = hull->faces[face].normal;
    return (size_t)hull->faces[face].count;
}

/* At the sliding limit, to rounding. */
static bool is_sliding(const talus_sim *sim, size_t k) {
    const struct solve_contact *contact = &sim->problem.contacts[k];
    double tension = sim->dt * sim_contact_tension(sim, k);
    double load = vec3_dot(contact->impulse, contact->normal) + tension;
    double tangential = vec3_norm(vec3_tangential(contact->impulse, contact->normal));
    return load > 0.0 && tangential >= contact->mu * load * (1.0 - 1e-9) && contact->mu > 0.0;
}

/* As the step ended. */
static bool is_bonded(const talus_sim *sim, const struct contact *contact) {
    return sim->detect.remembers && sim->detect.memories[contact->candidate].bonded;
}

double sim_contact_lag(const talus_sim *sim) {
    return sim->method == TALUS_METHOD_CD && sim->step > 0 ? sim->dt : 0.0;
}

static vec3 contact_point(const talus_sim *sim, const struct contact *contact) {
    const struct bodies *bodies = &sim->world.bodies;
    vec3 centre = vec3_add_scaled(bodies->position[contact->a], -sim_contact_lag(sim),
                                  bodies->velocity[contact->a]);
    return vec3_add(centre, contact->arm);
}

size_t talus_sim_contacts(const talus_sim *sim, talus_contact *out, size_t capacity) {
    sim_soft_publish(sim);
    size_t count = sim->problem.contact_count, copied = count < capacity ? count : capacity;
    if (out == NULL) return count;
#pragma omp parallel for num_threads(sim->threads) schedule(static)
    for (size_t k = 0; k < copied; k++) {
        const struct contact *from = &sim->detect.contacts[k];
        const struct solve_contact *solved = &sim->problem.contacts[k];
        out[k] = (talus_contact){.a = from->a,
                                 .b = from->b,
                                 .normal = from->normal,
                                 .point = contact_point(sim, from),
                                 .force = vec3_scale(1.0 / sim->dt, solved->impulse),
                                 .torque = sim_contact_torque(sim, k),
                                 .gap = from->gap,
                                 .mu = solved->mu,
                                 .tension = sim_contact_tension(sim, k),
                                 .sliding = is_sliding(sim, k),
                                 .bonded = is_bonded(sim, from)};
    }
    return count;
}

size_t talus_sim_boundary_count(const talus_sim *sim) {
    return sim->world.boundary_count;
}

talus_boundary_view talus_sim_boundary(const talus_sim *sim, size_t index) {
    const struct boundary *boundary = &sim->world.boundaries[index];
    struct wall wall = boundary_wall(&sim->world, boundary);
    return (talus_boundary_view){.name = boundary->name.text,
                                 .shape = wall.shape,
                                 .present = boundary->present,
                                 .point = wall.point,
                                 .normal = wall.normal,
                                 .edge = wall.edge,
                                 .size = {wall.size[0], wall.size[1]},
                                 .radius = wall.radius,
                                 .length = wall.length,
                                 .orientation = sim->world.bodies.orientation[boundary->body],
                                 .vertices = boundary->mesh.vertices,
                                 .triangles = (const int32_t(*)[3])boundary->mesh.triangles,
                                 .vertex_count = boundary->mesh.vertex_count,
                                 .triangle_count = boundary->mesh.triangle_count,
                                 .velocity = sim->world.bodies.velocity[boundary->body],
                                 .omega = sim->world.bodies.omega[boundary->body],
                                 .force = boundary->force,
                                 .torque = boundary->torque,
                                 .impulse = boundary->impulse};
}

double talus_sim_time(const talus_sim *sim) {
    return sim->world.time;
}

double talus_sim_dt(const talus_sim *sim) {
    return sim->step_dt;
}

int talus_sim_dim(const talus_sim *sim) {
    return sim->world.dim;
}

talus_vec3 talus_sim_gravity(const talus_sim *sim) {
    return sim->world.gravity;
}

int64_t talus_sim_step_count(const talus_sim *sim) {
    return sim->step;
}

int64_t talus_sim_allocations(const talus_sim *sim) {
    return sim->memory.calls;
}

size_t talus_sim_memory(const talus_sim *sim) {
    return sim->memory.bytes;
}

/* FNV-1a, byte by byte, 64 bits. */
static uint64_t hash_bytes(uint64_t hash, const void *data, size_t bytes) {
    const unsigned char *at = data;
    for (size_t k = 0; k < bytes; k++) hash = (hash ^ at[k]) * 0x100000001b3u;
    return hash;
}

/* What the next step depends on; the rest is made anew by it. */
static uint64_t hash_memories(uint64_t hash, const struct detect *detect) {
    for (size_t k = 0; k < detect->candidate_count && detect->remembered; k++) {
        const struct contact_memory *memory = &detect->memories[k];
        uint8_t states[] = {memory->bonded, memory->broken, memory->rebounded,
                            memory->friction & FRICTION_AT_REST};
        bool any = states[0] || states[1] || states[2] || states[3];
        if (!any && vec3_norm2(memory->torque) == 0.0 && vec3_norm2(memory->stretch) == 0.0 &&
            vec3_norm2(memory->angle) == 0.0)
            continue;
        hash = hash_bytes(hash, &detect->candidates[k].a, 2 * sizeof(talus_index));
        hash = hash_bytes(hash, &memory->torque, sizeof memory->torque);
        hash = hash_bytes(hash, &memory->opening, sizeof memory->opening);
        hash = hash_bytes(hash, &memory->stretch, sizeof memory->stretch);
        hash = hash_bytes(hash, &memory->angle, sizeof memory->angle);
        hash = hash_bytes(hash, states, sizeof states);
    }
    return hash;
}

uint64_t talus_sim_hash(const talus_sim *sim) {
    sim_soft_publish(sim);
    sim_soft_keep(sim); /* springs, which only files and this look at */
    const struct bodies *bodies = &sim->world.bodies;
    size_t n = bodies->count;
    uint64_t hash = 0xcbf29ce484222325u;
    hash = hash_bytes(hash, bodies->position, n * sizeof *bodies->position);
    hash = hash_bytes(hash, bodies->velocity, n * sizeof *bodies->velocity);
    hash = hash_bytes(hash, bodies->omega, n * sizeof *bodies->omega);
    hash = hash_bytes(hash, bodies->orientation, n * sizeof *bodies->orientation);
    hash = hash_bytes(hash, bodies->image, n * sizeof *bodies->image);
    for (size_t k = 0; k < sim->detect.candidate_count; k++) {
        const struct candidate *candidate = &sim->detect.candidates[k];
        if (vec3_norm2(candidate->impulse) == 0.0) continue;
        hash = hash_bytes(hash, &candidate->a, sizeof candidate->a);
        hash = hash_bytes(hash, &candidate->b, sizeof candidate->b);
        hash = hash_bytes(hash, &candidate->impulse, sizeof candidate->impulse);
    }
    for (size_t m = 0; m < sim->world.membrane_count; m++) {
        const struct membrane *membrane = &sim->world.membranes[m];
        for (size_t e = 0; e < membrane->count; e++)
            hash = hash_bytes(hash, membrane->elements[e].corner,
                              (size_t)sim->world.dim * sizeof membrane->elements[e].corner[0]);
    }
    return hash_memories(hash, &sim->detect);
}

/* Of one body, and of two against each other. */
struct expected {
    double speed, meeting; /* m/s */
};

/* The two fastest. */
static void add_speed(double fastest[2], double speed) {
    fastest[1] = fmax(fastest[1], fmin(fastest[0], speed));
    fastest[0] = fmax(fastest[0], speed);
}

static double boundary_speed(const struct boundary *boundary, double size) {
    const talus_motion *motion = &boundary->motion;
    double sway = signal_steepest(&motion->displacement);
    double turn = (fabs(motion->rate) + signal_steepest(&motion->angle)) * size;
    double speed = vec3_norm(motion->velocity) + sway + turn;
    if (!boundary->present || !boundary->is_free || !(boundary->free.mass > 0.0)) return speed;
    double push = signal_largest(&boundary->free.force) / boundary->free.mass;
    return fmax(speed, sqrt(2.0 * push * size));
}

/* The fastest motion to be expected: what moves now, walls included, or a fall through the system. What has fallen may meet
 * what comes back from below as fast. */
static struct expected expected_speed(const talus_sim *sim) {
    const struct bodies *bodies = &sim->world.bodies;
    const struct world *world = &sim->world;
    double fastest[2] = {0.0, 0.0}, acceleration = vec3_norm(world->gravity);
    struct packing packing = measure_packing(world);
    for (size_t i = 0; i < bodies->count; i++) {
        if (bodies->kind[i] != TALUS_BODY_GRAIN) continue;
        add_speed(fastest, vec3_norm(bodies->velocity[i]));
        vec3 force = world_force(world, (talus_index)i, world->time);
        acceleration = fmax(acceleration, bodies->inverse_mass[i] * vec3_norm(force));
    }
    for (size_t k = 0; k < world->boundary_count; k++)
        add_speed(fastest, boundary_speed(&world->boundaries[k], packing.size));
    double fall = sqrt(2.0 * acceleration * packing.size);
    return (struct expected){fmax(fastest[0], fall), fmax(fastest[0] + fastest[1], 2.0 * fall)};
}

talus_step_rules talus_sim_step_rules(const talus_sim *sim) {
    const double share = 0.05; /* of the smallest radius or half thickness, in one step */
    sim_soft_sync(sim);
    struct expected expected = expected_speed(sim);
    talus_step_rules rules = {.travel = HUGE_VAL,
                              .collision_time = HUGE_VAL,
                              .collision = HUGE_VAL,
                              .friction = HUGE_VAL,
                              .critical_speed = HUGE_VAL};
    if (expected.speed > 0.0) rules.travel = share * sim->world.thinnest / expected.speed;
    if (sim->method == TALUS_METHOD_MD) {
        struct soft_limits limits = sim_soft_limits(sim, expected.meeting, NULL);
        rules.collision_time = limits.collision_time;
        rules.collision = limits.collision;
        rules.friction = limits.friction;
        rules.critical_speed = limits.critical_speed;
    }
    rules.speed = expected.speed;
    rules.meeting_speed = expected.meeting;
    rules.advised = fmin(rules.travel, fmin(rules.collision, rules.friction));
    if (rules.advised == HUGE_VAL) rules.advised = sim->step_dt;
    return rules;
}

double talus_sim_advise_dt(const talus_sim *sim) {
    return talus_sim_step_rules(sim).advised;
}

static talus_status validate_body(const talus_sim *sim, size_t i, talus_error *err) {
    const struct bodies *bodies = &sim->world.bodies;
    quat q = bodies->orientation[i];
    double norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    bool finite = vec3_is_finite(bodies->position[i]) && vec3_is_finite(bodies->velocity[i]) &&
                  vec3_is_finite(bodies->omega[i]);
    bool plane = sim->world.dim == 3 || bodies->kind[i] == TALUS_BODY_BOUNDARY ||
                 (bodies->position[i].z == 0.0 && bodies->velocity[i].z == 0.0);
    if (finite && plane && fabs(norm - 1.0) < 1e-12) return TALUS_OK;
    return error_set(err, TALUS_ERR_DIVERGED, "body %lld: %s", (long long)bodies->gid[i],
                     !finite  ? "not finite"
                     : !plane ? "left the plane of its world"
                              : "orientation is not of unit length");
}

talus_status talus_sim_validate(const talus_sim *sim, talus_error *err) {
    sim_soft_sync(sim);
    for (size_t i = 0; i < sim->world.bodies.count; i++) TALUS_TRY(validate_body(sim, i, err));
    for (size_t k = 0; k < sim->detect.candidate_count; k++) {
        const struct candidate *candidate = &sim->detect.candidates[k];
        bool wall = sim->world.bodies.boundary[candidate->b] >= 0;
        if (wall || candidate->a < candidate->b) continue;
        return error_set(err, TALUS_ERR_DIVERGED, "candidate %zu: bodies %d, %d out of order", k,
                         candidate->a, candidate->b);
    }
    return TALUS_OK;
}
