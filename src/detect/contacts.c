/* SPDX-License-Identifier: Apache-2.0
 * Which candidates are contacts of this step. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "detect/detect.h"
#include "detect/mesh.h"

/* Pairs nearer than this share of the smaller radius are contacts even if nothing brings them
 * together yet: an impact elsewhere may. Pairs missed all the same are found by detect_missed. */
static const double slack_share = 0.02;
/* A pair counts as missed if it would overlap by more than this share of the radius; a further point of two
 * parts that are in contact already, by more than the other share: it is first in line in the next step. */
static const double miss_share = 1e-9, miss_share_more = 1e-5;

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
                            .arm_b = radius_b + 0.5 * touch.gap,
                            .arm = vec3_scale(radius_a + 0.5 * touch.gap, touch.normal)};
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
                            .curvature = touch.curvature,
                            .arm = vec3_scale(radius + 0.5 * touch.gap, touch.normal)};
}

static struct contact form_contact(const struct world *world, const struct candidate *pair,
                                   const struct slot *slot) {
    const struct bodies *bodies = &world->bodies;
    return (struct contact){.a = pair->a,
                            .b = pair->b,
                            .wall = bodies->boundary[pair->b],
                            .normal = slot->normal,
                            .gap = slot->gap,
                            .arm_a = bodies->radius[pair->a],
                            .curvature = slot->curvature,
                            .arm = slot->arm,
                            .has_form = true};
}

struct contact detect_contact(const struct detect *detect, const struct world *world,
                              size_t candidate) {
    const struct candidate *pair = &detect->candidates[candidate];
    int32_t boundary = world->bodies.boundary[pair->b];
    bool has_form = detect->has_forms && detect->slots[candidate].count > 0;
    struct contact contact = has_form       ? form_contact(world, pair, &detect->slots[candidate])
                             : boundary < 0 ? grain_contact(world, pair)
                                            : wall_contact(detect, world, pair, boundary);
    contact.candidate = (talus_index)candidate;
    return contact;
}

/* Velocity of b's contact point relative to a, along the normal. */
static double opening_speed(const struct detect *detect, const struct world *world,
                            const struct contact *contact, const struct velocities *velocities) {
    vec3 v_a = velocities_at(velocities->velocity, velocities->stride, contact->a);
    vec3 v_b = velocities_at(velocities->velocity, velocities->stride, contact->b);
    vec3 relative = vec3_sub(v_b, v_a);
    if (contact->has_form) {
        vec3 omega = velocities_at(velocities->omega, velocities->stride, contact->a);
        relative = vec3_sub(relative, vec3_cross(omega, contact->arm));
    }
    if (contact->wall >= 0 || contact->has_form) {
        vec3 omega = velocities_at(velocities->omega, velocities->stride, contact->b);
        vec3 from = contact->wall >= 0 ? detect->walls[contact->wall].point
                                       : world->bodies.position[contact->b];
        vec3 centre = cell_branch(&world->cell, from, world->bodies.position[contact->a]);
        relative = vec3_add(relative, vec3_cross(omega, vec3_add(centre, contact->arm)));
    }
    return vec3_dot(relative, contact->normal);
}

static double smaller_radius(const struct world *world, const struct contact *contact) {
    double radius = world->bodies.radius[contact->a];
    return contact->wall >= 0 ? radius : fmin(radius, world->bodies.radius[contact->b]);
}

static double gap_after(const struct detect *detect, const struct world *world,
                        const struct contact *contact, const struct velocities *velocities,
                        double dt) {
    return contact->gap + dt * opening_speed(detect, world, contact, velocities);
}

/* Can the pair touch in this step: by its present velocities, or if one of the two is stopped? */
static bool can_touch(const struct detect *detect, const struct world *world,
                      const struct contact *contact, double gap) {
    double slack = slack_share * smaller_radius(world, contact) + detect->reach[contact->a] +
                   detect->reach[contact->b];
    return gap < slack;
}

static bool immovable(const struct world *world, const struct contact *contact) {
    return world->bodies.inverse_mass[contact->a] + world->bodies.inverse_mass[contact->b] == 0.0;
}

/* A slot without a point. */
static bool is_vacant(const struct detect *detect, size_t candidate) {
    if (!detect->has_forms) return false;
    const struct slot *slot = &detect->slots[candidate];
    return slot->count > 0 && slot->feature == 0;
}

static bool is_dormant(const struct detect *detect, size_t candidate) {
    return detect->has_forms && detect->slots[candidate].count > 0 &&
           detect->slots[candidate].dormant;
}

static bool is_present(const struct world *world, const struct contact *contact) {
    if (contact->wall >= 0 && !world->boundaries[contact->wall].present) return false;
    return !immovable(world, contact);
}

/* Is it worth being a contact? `gap`: as it would be at the end of the step. */
static bool is_wanted(const struct detect *detect, const struct world *world,
                      const struct contact *contact, double gap) {
    size_t k = (size_t)contact->candidate;
    bool bonded = detect->remembers && detect->memories[k].bonded;
    if (is_dormant(detect, k) && !detect->activated[k] && !bonded) return false;
    return (detect->activated[k] || bonded || can_touch(detect, world, contact, gap)) &&
           is_present(world, contact);
}

static talus_status add_contact(struct detect *detect, const struct contact *contact,
                                talus_error *err) {
    struct contact *contacts =
        memory_reserve(detect->memory, detect->contacts, &detect->contact_capacity,
                       detect->contact_count + 1, sizeof *contacts);
    if (contacts == NULL) return error_memory(err);
    detect->contacts = contacts;
    contacts[detect->contact_count++] = *contact;
    return TALUS_OK;
}

/* The slots of a pair of parts, together. */
static talus_status add_parts(struct detect *detect, const struct world *world, size_t first,
                              const struct velocities *velocities, double dt, talus_error *err) {
    size_t count = detect->slots[first].count;
    double gaps[MANIFOLD_MAX] = {0.0};
    bool wanted[MANIFOLD_MAX] = {false};
    struct contact contacts[MANIFOLD_MAX];
    for (size_t k = 0; k < count; k++) {
        if (is_vacant(detect, first + k)) continue;
        contacts[k] = detect_contact(detect, world, first + k);
        gaps[k] = gap_after(detect, world, &contacts[k], velocities, dt);
        wanted[k] = is_wanted(detect, world, &contacts[k], gaps[k]);
    }
    talus_index a = detect->candidates[first].a;
    detect_forms_choose(detect, first, gaps, world->bodies.radius[a], wanted);
    for (size_t k = 0; k < count; k++)
        if (wanted[k]) TALUS_TRY(add_contact(detect, &contacts[k], err));
    return TALUS_OK;
}

talus_status detect_contacts(struct detect *detect, const struct world *world,
                             const struct velocities *velocities, double dt, talus_error *err) {
    detect->contact_count = 0;
    for (size_t k = 0; k < detect->candidate_count; k++) {
        if (detect->has_forms && detect->slots[k].count > 0) {
            TALUS_TRY(add_parts(detect, world, k, velocities, dt, err));
            k += detect->slots[k].count - 1u;
            continue;
        }
        struct contact contact = detect_contact(detect, world, k);
        double gap = gap_after(detect, world, &contact, velocities, dt);
        if (is_wanted(detect, world, &contact, gap)) TALUS_TRY(add_contact(detect, &contact, err));
    }
    return TALUS_OK;
}

talus_status detect_reserve_touching(struct detect *detect, talus_error *err) {
    struct contact *contacts =
        memory_reserve(detect->memory, detect->contacts, &detect->contact_capacity,
                       detect->candidate_count, sizeof *contacts);
    if (contacts == NULL) return error_memory(err);
    detect->contacts = contacts;
    return TALUS_OK;
}

void detect_touching(struct detect *detect, const struct world *world) {
    detect->contact_count = 0;
    for (size_t k = 0; k < detect->candidate_count; k++) {
        struct contact contact = detect_contact(detect, world, k);
        bool bonded = detect->remembers && detect->memories[k].bonded;
        if ((contact.gap < 0.0 || bonded) && is_present(world, &contact))
            detect->contacts[detect->contact_count++] = contact;
    }
}

/* The deepest that the contacts of the same parts would end; HUGE_VAL if none is a contact. They stand beside each
 * other; `next` is the first contact after candidate k. */
static double sibling_gap(const struct detect *detect, const struct world *world, size_t next,
                          size_t k, const struct velocities *velocities, double dt) {
    if (!detect->has_forms || detect->slots[k].count == 0) return HUGE_VAL;
    talus_index first = (talus_index)k - detect->slots[k].index;
    talus_index end = first + detect->slots[k].count;
    while (next > 0 && detect->contacts[next - 1].candidate >= first) next--;
    double least = HUGE_VAL;
    for (; next < detect->contact_count && detect->contacts[next].candidate < end; next++)
        least = fmin(least, gap_after(detect, world, &detect->contacts[next], velocities, dt));
    return least;
}

/* A gap at the end of the step that makes a candidate missed. A further point of parts in contact must be deeper
 * than those: what the solver left of the others is not its fault. */
static double missed_gap(const struct detect *detect, const struct world *world, size_t next,
                         const struct contact *contact, const struct velocities *velocities,
                         double dt) {
    size_t k = (size_t)contact->candidate;
    double radius = smaller_radius(world, contact);
    double sibling = sibling_gap(detect, world, next, k, velocities, dt);
    if (sibling == HUGE_VAL) return -miss_share * radius;
    return fmin(sibling, 0.0) - miss_share_more * radius;
}

/* A dormant point becomes a contact if it ends deeper in the grain than all that bear it on this mesh: where the surface
 * is flat it cannot. Their ends are linear in dt, its own is not; the difference is the square of the turn. */
static bool wakes(const struct detect *detect, const struct world *world, size_t next, size_t k,
                  const struct velocities *velocities, double dt) {
    const struct candidate *pair = &detect->candidates[k];
    const struct contact *contacts = detect->contacts;
    double radius = world->bodies.radius[pair->a], deepest = 0.0;
    double turn = dt * vec3_norm(velocities_at(velocities->omega, velocities->stride, pair->a));
    while (next > 0 && contacts[next - 1].a == pair->a && contacts[next - 1].b == pair->b) next--;
    for (; next < detect->contact_count && contacts[next].a == pair->a; next++)
        if (contacts[next].b == pair->b)
            deepest = fmax(deepest, -gap_after(detect, world, &contacts[next], velocities, dt));
    double depth = detect_mesh_depth(detect, world, k, velocities, dt);
    return depth > deepest + (miss_share_more + turn * turn) * radius;
}

size_t detect_missed(struct detect *detect, const struct world *world,
                     const struct velocities *velocities, double dt) {
    size_t missed = 0, next = 0;
    for (size_t k = 0; k < detect->candidate_count; k++) {
        if (next < detect->contact_count && (size_t)detect->contacts[next].candidate == k) {
            next++;
            continue;
        }
        if (is_vacant(detect, k)) continue;
        struct contact contact = detect_contact(detect, world, k);
        if (!is_present(world, &contact)) continue;
        double gap = gap_after(detect, world, &contact, velocities, dt);
        if (gap >= 0.0 || gap >= missed_gap(detect, world, next, &contact, velocities, dt))
            continue;
        if (is_dormant(detect, k) && !wakes(detect, world, next, k, velocities, dt)) continue;
        detect->activated[k] = 1;
        missed++;
    }
    return missed;
}

void detect_clear_activated(struct detect *detect) {
    memset(detect->activated, 0, detect->candidate_count);
}
