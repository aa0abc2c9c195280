/* SPDX-License-Identifier: Apache-2.0
 * Which candidates are contacts of this step. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "detect/detect.h"

/* Pairs nearer than this share of the smaller radius are contacts even if nothing brings them
 * together yet: an impact elsewhere may. Pairs missed all the same are found by detect_missed. */
static const double slack_share = 0.02;
/* A pair counts as missed if it would overlap by more than this share of the radius. */
static const double miss_share = 1e-9;

void detect_place_walls(struct detect *detect, const struct world *world) {
    for (size_t k = 0; k < world->boundary_count; k++)
        detect->walls[k] = boundary_wall(world, &world->boundaries[k]);
}

static struct contact grain_contact(const struct world *world, const struct candidate *pair) {
    const struct bodies *bodies = &world->bodies;
    double radius_a = bodies->radius[pair->a], radius_b = bodies->radius[pair->b];
    vec3 branch = cell_branch(&world->cell, bodies->position[pair->a], bodies->position[pair->b]);
    struct touch touch = touch_spheres(branch, radius_a, radius_b);
    return (struct contact){.a = pair->a,
                            .b = pair->b,
                            .wall = -1,
                            .normal = touch.normal,
                            .gap = touch.gap,
                            .arm_a = radius_a + 0.5 * touch.gap,
                            .arm_b = radius_b + 0.5 * touch.gap};
}

static struct contact wall_contact(const struct detect *detect, const struct world *world,
                                   const struct candidate *pair, int32_t boundary) {
    const struct bodies *bodies = &world->bodies;
    const struct wall *wall = &detect->walls[boundary];
    double radius = bodies->radius[pair->a];
    vec3 at = cell_branch(&world->cell, wall->point, bodies->position[pair->a]);
    struct touch touch = touch_wall(wall, at, radius);
    return (struct contact){.a = pair->a,
                            .b = pair->b,
                            .wall = boundary,
                            .normal = touch.normal,
                            .gap = touch.gap,
                            .arm_a = radius + 0.5 * touch.gap,
                            .arm_b = 0.0,
                            .curvature = touch.curvature};
}

struct contact detect_contact(const struct detect *detect, const struct world *world,
                              size_t candidate) {
    const struct candidate *pair = &detect->candidates[candidate];
    int32_t boundary = world->bodies.boundary[pair->b];
    struct contact contact =
        boundary < 0 ? grain_contact(world, pair) : wall_contact(detect, world, pair, boundary);
    contact.candidate = (talus_index)candidate;
    return contact;
}

/* Velocity of b's contact point relative to a, along the normal. */
static double opening_speed(const struct detect *detect, const struct world *world,
                            const struct contact *contact, const struct velocities *velocities) {
    vec3 v_a = velocities_at(velocities->velocity, velocities->stride, contact->a);
    vec3 v_b = velocities_at(velocities->velocity, velocities->stride, contact->b);
    vec3 relative = vec3_sub(v_b, v_a);
    if (contact->wall >= 0) {
        vec3 omega = velocities_at(velocities->omega, velocities->stride, contact->b);
        vec3 centre = cell_branch(&world->cell, detect->walls[contact->wall].point,
                                  world->bodies.position[contact->a]);
        vec3 arm = vec3_add_scaled(centre, contact->arm_a, contact->normal);
        relative = vec3_add(relative, vec3_cross(omega, arm));
    }
    return vec3_dot(relative, contact->normal);
}

static double smaller_radius(const struct world *world, const struct contact *contact) {
    double radius = world->bodies.radius[contact->a];
    return contact->wall >= 0 ? radius : fmin(radius, world->bodies.radius[contact->b]);
}

/* Can the pair touch in this step: by its present velocities, or if one of the two is stopped? */
static bool can_touch(const struct detect *detect, const struct world *world,
                      const struct contact *contact, const struct velocities *velocities,
                      double dt) {
    double slack = slack_share * smaller_radius(world, contact) + detect->reach[contact->a] +
                   detect->reach[contact->b];
    return contact->gap + dt * opening_speed(detect, world, contact, velocities) < slack;
}

static bool immovable(const struct world *world, const struct contact *contact) {
    return world->bodies.inverse_mass[contact->a] + world->bodies.inverse_mass[contact->b] == 0.0;
}

talus_status detect_contacts(struct detect *detect, const struct world *world,
                             const struct velocities *velocities, double dt, talus_error *err) {
    detect->contact_count = 0;
    for (size_t k = 0; k < detect->candidate_count; k++) {
        struct contact contact = detect_contact(detect, world, k);
        bool wanted = detect->activated[k] || can_touch(detect, world, &contact, velocities, dt) ||
                      (detect->remembers && detect->memories[k].bonded);
        if (contact.wall >= 0 && !world->boundaries[contact.wall].present) wanted = false;
        if (!wanted || immovable(world, &contact)) continue;
        struct contact *contacts =
            memory_reserve(detect->memory, detect->contacts, &detect->contact_capacity,
                           detect->contact_count + 1, sizeof *contacts);
        if (contacts == NULL) return error_memory(err);
        detect->contacts = contacts;
        contacts[detect->contact_count++] = contact;
    }
    return TALUS_OK;
}

size_t detect_missed(struct detect *detect, const struct world *world,
                     const struct velocities *velocities, double dt) {
    size_t missed = 0, next = 0;
    for (size_t k = 0; k < detect->candidate_count; k++) {
        if (next < detect->contact_count && (size_t)detect->contacts[next].candidate == k) {
            next++;
            continue;
        }
        struct contact contact = detect_contact(detect, world, k);
        if (contact.wall >= 0 && !world->boundaries[contact.wall].present) continue;
        if (immovable(world, &contact)) continue;
        double gap = contact.gap + dt * opening_speed(detect, world, &contact, velocities);
        if (gap >= -miss_share * smaller_radius(world, &contact)) continue;
        detect->activated[k] = 1;
        missed++;
    }
    return missed;
}

void detect_clear_activated(struct detect *detect) {
    memset(detect->activated, 0, detect->candidate_count);
}
