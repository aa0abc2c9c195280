/* SPDX-License-Identifier: Apache-2.0
 *
 * Soft polygons: what of a contact differs from that of discs [Pena2009].
 *
 * The force comes from the common area, R_n = k A/l_c (detect/overlaps.c makes a gap of it), acts at the centre of that
 * area, and has no potential in general: its work is summed up for each contact, and what has not come back when it
 * opens is a loss (or gain) of its own. The slip of a step is that of the material at the contact, with the mean
 * of the arms at its two ends. docs/theory/soft_polygons.md.
 */
#include <math.h>

#include "base/error.h"
#include "sim/sim.h"

/* ---- what cannot be done --------------------------------------------------------------------- */

static talus_status check_form(const struct body_form *form, talus_error *err) {
    for (size_t part = 0; part < form->part_count; part++)
        if (form->parts[part].hull.rounding > 0.0)
            return error_set(err, TALUS_ERR_INPUT,
                             "shape '%s', part %zu: rounding = %g; soft polygons (method md) have "
                             "sharp corners, leave the rounding out",
                             form->name.text, part + 1, form->parts[part].hull.rounding);
    return TALUS_OK;
}

static talus_status check_walls(const struct world *world, talus_error *err) {
    for (size_t k = 0; k < world->boundary_count; k++) {
        const struct boundary *boundary = &world->boundaries[k];
        talus_boundary_shape shape = boundary->local.shape;
        if (!boundary->present || shape == TALUS_PLANE || shape == TALUS_RECTANGLE) continue;
        return error_set(err, TALUS_ERR_INPUT,
                         "boundary '%s': walls of soft polygons (method md) are planes or "
                         "rectangles; a cylinder meets only discs",
                         boundary->name.text);
    }
    return TALUS_OK;
}

static talus_status check_laws(const struct world *world, talus_error *err) {
    for (int a = 0; a < (int)world->material_count; a++)
        for (int b = a; b < (int)world->material_count; b++) {
            const talus_pair_law *pair = world_pair(world, a, b);
            const talus_soft_law *law = &pair->soft;
            bool polygons = world->materials[a].has_forms || world->materials[b].has_forms;
            if (!polygons || !soft_is_on(law)) continue;
            if (pair->cohesion.force > 0.0)
                return error_set(
                    err, TALUS_ERR_INPUT,
                    "materials '%s' and '%s': soft polygons (method md) know no cohesion",
                    world->materials[a].name.text, world->materials[b].name.text);
            if (law->exponent == 1.0) continue;
            return error_set(err, TALUS_ERR_INPUT,
                             "materials '%s' and '%s': soft.exponent = %g, must be 1: the force "
                             "between polygons is k A/l_c with the area A they share",
                             world->materials[a].name.text, world->materials[b].name.text,
                             law->exponent);
        }
    return TALUS_OK;
}

talus_status sim_soft_check_forms(const talus_sim *sim, talus_error *err) {
    const struct world *world = &sim->world;
    if (world->mesh_count > 0)
        return error_set(err, TALUS_ERR_INPUT,
                         "walls of soft grains (method md) are planes, rectangles or cylinders; "
                         "meshes are for rigid grains (method cd)");
    if (world->form_count == 0) return TALUS_OK;
    if (world->dim == 3)
        return error_set(err, TALUS_ERR_INPUT,
                         "shape '%s': soft grains (method md) are spheres in three dimensions; "
                         "polygons are soft in two, polyhedra are rigid (method cd)",
                         world->forms[0].name.text);
    for (size_t f = 0; f < world->form_count; f++) TALUS_TRY(check_form(&world->forms[f], err));
    TALUS_TRY(check_walls(world, err));
    return check_laws(world, err);
}

/* ---- how stiff ---------------------------------------------------------------------------------- */

/* A side of length L that lies flat on something has the stiffness k L/l_c; of a cluster all its parts may. */
static double flatness_of(const struct body_form *form) {
    double sides = 0.0, size = HUGE_VAL;
    for (size_t part = 0; part < form->part_count; part++) {
        const struct convex *hull = &form->parts[part].hull;
        double longest = 0.0,
               area = overlap_polygon_area(hull->vertices, (size_t)hull->vertex_count);
        for (int32_t v = 0; v < hull->vertex_count; v++)
            longest = fmax(longest, vec3_norm(vec3_sub(hull->vertices[(v + 1) % hull->vertex_count],
                                                       hull->vertices[v])));
        sides += longest;
        size = fmin(size, sqrt(area / 3.141592653589793));
    }
    return sides / size;
}

double sim_soft_forms_flatness(const talus_sim *sim) {
    double most = 1.0;
    for (size_t f = 0; f < sim->world.form_count && sim->world.dim < 3; f++)
        most = fmax(most, flatness_of(&sim->world.forms[f]));
    return most;
}

/* ---- the way of a step ------------------------------------------------------------------------- */

/* Arms of both bodies in the mean of the step: exact for the turning of a step but for its third power. Of a new contact
 * only the end is known. */
static void mean_arms(const talus_sim *sim, const struct contact *contact, vec3 arms[2]) {
    const struct soft_body *a = &sim->soft.state.bodies[contact->a],
                           *b = &sim->soft.state.bodies[contact->b];
    const struct slot *slot = &sim->detect.slots[contact->candidate];
    const vec3 *position = sim->world.bodies.position;
    vec3 branch = cell_branch(&sim->world.cell, position[contact->b], position[contact->a]);
    vec3 opened = vec3_sub(b->shift, a->shift); /* the branch was longer by this */
    if (slot->feature == OVERLAP_NEW) opened = vec3_zero();
    arms[0] = vec3_scale(0.5, vec3_add(slot->before, contact->arm));
    arms[1] = vec3_add(vec3_add_scaled(branch, 0.5, opened), arms[0]);
}

/* Of the material of b against that of a, at the contact. */
static vec3 material_way(const talus_sim *sim, const struct contact *contact) {
    const struct soft_body *a = &sim->soft.state.bodies[contact->a],
                           *b = &sim->soft.state.bodies[contact->b];
    vec3 arms[2];
    mean_arms(sim, contact, arms);
    vec3 slide = vec3_sub(b->shift, a->shift);
    return vec3_add(slide, vec3_sub(vec3_cross(b->turn, arms[1]), vec3_cross(a->turn, arms[0])));
}

/* As printed [Pena2009, sect. 4]: the displacement of the centre of the common area, seen from a, and the angle by
 * which the branch of b turns times half the difference (!) of its lengths. For comparison only. */
static vec3 printed_way(const talus_sim *sim, const struct contact *contact, vec3 along) {
    const struct soft_body *a = &sim->soft.state.bodies[contact->a],
                           *b = &sim->soft.state.bodies[contact->b];
    const struct slot *slot = &sim->detect.slots[contact->candidate];
    const vec3 *position = sim->world.bodies.position;
    vec3 branch = cell_branch(&sim->world.cell, position[contact->b], position[contact->a]);
    vec3 opened = vec3_sub(b->shift, a->shift), arms[2];
    mean_arms(sim, contact, arms);
    vec3 now = vec3_add(branch, contact->arm);
    vec3 before = vec3_add(vec3_add(branch, opened), slot->before);
    double angle = atan2(vec3_norm(vec3_cross(before, now)), vec3_dot(before, now));
    vec3 way = vec3_sub(vec3_sub(contact->arm, slot->before), vec3_cross(a->turn, arms[0]));
    return vec3_add_scaled(way, 0.5 * angle * (vec3_norm(now) - vec3_norm(before)), along);
}

vec3 sim_soft_forms_slip(const talus_sim *sim, const struct contact *contact, talus_slip slip) {
    const struct contact_memory *memory = &sim->detect.memories[contact->candidate];
    vec3 n = contact->normal, tangent = vec3_make(-n.y, n.x, 0.0), middle = tangent;
    bool is_new = vec3_norm2(memory->normal) == 0.0;
    if (!is_new) { /* the way belongs to the middle of the step: along the mean tangent */
        vec3 sum = vec3_add(n, memory->normal);
        double length = vec3_norm(sum);
        if (length > 1.0) middle = vec3_make(-sum.y / length, sum.x / length, 0.0);
    }
    vec3 way =
        slip == TALUS_SLIP_PENA ? printed_way(sim, contact, middle) : material_way(sim, contact);
    return vec3_scale(vec3_dot(way, middle), tangent);
}

/* ---- the work of the area ---------------------------------------------------------------------- */

/* A contact that was there before its time was counted, put in from outside, holds what parallel sides would. */
static void take_over(struct contact_memory *memory, const struct slot *slot, double elastic) {
    if (memory->pressed > 0.0)
        memory->held *= elastic / memory->pressed; /* the law has changed, or sizes */
    else
        memory->held = 0.5 * elastic * slot->depth;
}

double sim_soft_forms_hold(talus_sim *sim, const struct contact *contact, double elastic,
                           double dt) {
    struct contact_memory *memory = &sim->detect.memories[contact->candidate];
    const struct slot *slot = &sim->detect.slots[contact->candidate];
    if (dt == 0.0) {
        take_over(memory, slot, elastic);
    } else {
        vec3 twice = vec3_scale(elastic, contact->normal);
        twice = vec3_add_scaled(twice, memory->pressed, memory->normal);
        memory->held -= 0.5 * vec3_dot(twice, material_way(sim, contact));
    }
    memory->pressed = elastic;
    return memory->held;
}

double sim_soft_forms_release(talus_sim *sim, size_t candidate) {
    struct contact_memory *memory = &sim->detect.memories[candidate];
    double left = memory->held;
    memory->held = memory->pressed = 0.0;
    memory->normal = vec3_zero();
    return left;
}
