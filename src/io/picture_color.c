/* SPDX-License-Identifier: Apache-2.0
 *
 * The quantity that shades the grains. Each is a name, a unit and a rule for the lower end of the
 * range; to add one, add a line to `quantities` and its formula to `values_of_bodies` or
 * `values_of_contacts`.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "io/picture.h"
#include "sim/sim.h"

enum quantity { SPEED, RADIUS, HEIGHT, PRESSURE, COORDINATION, SPIN, GROUP, ID, QUANTITIES };

static const struct {
    const char *name, *unit;
    bool from_zero; /* the range starts at zero, not at the smallest value */
} quantities[QUANTITIES] = {
    [SPEED] = {"speed", "m/s", true},
    [RADIUS] = {"radius", "m", false},
    [HEIGHT] = {"height", "m", false},
    [PRESSURE] = {"pressure", "Pa", true},
    [COORDINATION] = {"coordination", "", true},
    [SPIN] = {"spin", "rad/s", true},
    [GROUP] = {"group", "", true},
    [ID] = {"id", "", false},
};

const char picture_color_names[] = "speed, radius, height, pressure, coordination, spin, group, id";

static int find(const char *name) {
    for (int q = 0; q < QUANTITIES; q++)
        if (strcmp(quantities[q].name, name) == 0) return q;
    return -1;
}

bool picture_color_known(const char *name) {
    return find(name) >= 0;
}

static double height(vec3 position, int dim) {
    return dim == 3 ? position.z : dim == 2 ? position.y : position.x;
}

static double body_value(const talus_body_view *bodies, size_t i, enum quantity quantity, int dim) {
    switch (quantity) {
    case SPEED: return vec3_norm(bodies->velocity[i]);
    case RADIUS: return bodies->radius[i];
    case HEIGHT: return height(bodies->position[i], dim);
    case SPIN: return vec3_norm(bodies->omega[i]);
    case GROUP: return (double)bodies->group[i];
    case ID: return (double)bodies->gid[i];
    default: return 0.0;
    }
}

static void values_of_bodies(struct picture *picture, const talus_body_view *bodies,
                             enum quantity quantity) {
    size_t k = 0;
    for (size_t i = 0; i < bodies->count; i++)
        if (bodies->kind[i] == TALUS_BODY_GRAIN)
            picture->grains[k++].value = body_value(bodies, i, quantity, picture->dim);
}

/* Length, area or volume of a grain. */
static double grain_volume(const struct world *world, talus_index body) {
    const double pi = 3.141592653589793;
    const struct body_form *form = world_form(world, (size_t)body);
    double radius = world->bodies.radius[body];
    int dim = world->dim;
    if (form != NULL) return form->volume * pow(radius / form->reach, (double)dim);
    if (dim == 1) return 2.0 * radius;
    if (dim == 2) return pi * radius * radius;
    return 4.0 / 3.0 * pi * radius * radius * radius;
}

/* Pressure is a third (a half in the plane) of the trace of the grain's stress sum f l / volume;
 * coordination counts the contacts that carry a force. */
static void add_contact(double *sums, const talus_sim *sim, const talus_contact *contact,
                        enum quantity quantity) {
    const struct world *world = &sim->world;
    if (vec3_dot(contact->force, contact->normal) == 0.0) return;
    const talus_index ends[2] = {contact->a, contact->b};
    for (int e = 0; e < 2; e++) {
        if (world->bodies.kind[ends[e]] != TALUS_BODY_GRAIN) continue;
        double work = vec3_dot(contact->force, picture_arm(sim, contact, ends[e]));
        double pressure =
            (e == 0 ? work : -work) / ((double)world->dim * grain_volume(world, ends[e]));
        sums[ends[e]] += quantity == PRESSURE ? pressure : 1.0;
    }
}

static talus_status values_of_contacts(struct picture *picture, const talus_sim *sim,
                                       const talus_contact *contacts, size_t contact_count,
                                       enum quantity quantity, talus_error *err) {
    const struct bodies *bodies = &sim->world.bodies;
    double *sums = memory_resize(picture->memory, NULL, 0, bodies->count, sizeof *sums);
    if (sums == NULL) return error_memory(err);
    for (size_t c = 0; c < contact_count; c++) add_contact(sums, sim, &contacts[c], quantity);
    size_t k = 0;
    for (size_t i = 0; i < bodies->count; i++)
        if (bodies->kind[i] == TALUS_BODY_GRAIN) picture->grains[k++].value = sums[i];
    memory_free(picture->memory, sums, bodies->count, sizeof *sums);
    return TALUS_OK;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* From the smallest value (or zero) to the largest; if a few stand far out, to the 99th percentile,
 * so that one fast grain does not paint all others alike. */
static talus_status set_range(struct picture *picture, bool from_zero, talus_error *err) {
    size_t count = picture->grain_count;
    if (count == 0) return TALUS_OK;
    double *sorted = memory_resize(picture->memory, NULL, 0, count, sizeof *sorted);
    if (sorted == NULL) return error_memory(err);
    for (size_t i = 0; i < count; i++) sorted[i] = picture->grains[i].value;
    qsort(sorted, count, sizeof *sorted, ascending);
    struct picture_scale *scale = &picture->scale;
    double largest = sorted[count - 1], most = sorted[(count - 1) * 99 / 100];
    scale->low = from_zero ? 0.0 : sorted[0];
    scale->more = most > scale->low && largest - scale->low > 1.5 * (most - scale->low);
    scale->high = scale->more ? most : largest;
    memory_free(picture->memory, sorted, count, sizeof *sorted);
    return TALUS_OK;
}

static void name_groups(struct picture *picture, const talus_sim *sim) {
    struct picture_scale *scale = &picture->scale;
    bool seen[PICTURE_NAMES] = {false};
    for (size_t i = 0; i < picture->grain_count; i++) {
        double group = picture->grains[i].value;
        if (group < (double)PICTURE_NAMES) seen[(int)group] = true;
    }
    for (int g = 0; g < PICTURE_NAMES; g++) {
        scale->names[g] = seen[g] ? talus_sim_group_name(sim, g) : NULL;
        if (seen[g]) scale->name_count = g + 1;
    }
}

static void paint(struct picture *picture) {
    const struct picture_scale *scale = &picture->scale;
    double span = scale->high - scale->low;
    for (size_t i = 0; i < picture->grain_count; i++) {
        struct picture_grain *grain = &picture->grains[i];
        double flat = scale->high > 0.0 && scale->low > 0.0 ? 0.5 : 0.0; /* all values equal */
        double t = span > 0.0 ? (grain->value - scale->low) / span : flat;
        grain->color =
            scale->name_count > 0 ? colormap_category((int)grain->value) : colormap_at(t);
    }
}

talus_status picture_color(struct picture *picture, const talus_sim *sim,
                           const talus_contact *contacts, size_t contact_count, const char *name,
                           talus_error *err) {
    static const char *const pressure_units[3] = {"N", "N/m", "Pa"};
    talus_body_view bodies = talus_sim_bodies(sim);
    int quantity = find(name);
    picture->scale = (struct picture_scale){.quantity = quantities[quantity].name,
                                            .unit = quantities[quantity].unit};
    if (quantity == PRESSURE) picture->scale.unit = pressure_units[picture->dim - 1];
    if (quantity == HEIGHT && picture->dim == 1) picture->scale.quantity = "position";

    if (quantity == PRESSURE || quantity == COORDINATION)
        TALUS_TRY(values_of_contacts(picture, sim, contacts, contact_count, (enum quantity)quantity,
                                     err));
    else
        values_of_bodies(picture, &bodies, (enum quantity)quantity);
    TALUS_TRY(set_range(picture, quantities[quantity].from_zero, err));
    if (quantity == GROUP) name_groups(picture, sim);
    paint(picture);
    return TALUS_OK;
}
