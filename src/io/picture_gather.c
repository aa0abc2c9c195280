/* SPDX-License-Identifier: Apache-2.0
 * From the views of a simulation to the things a picture shows. */
#include "base/error.h"
#include "io/picture.h"
#include "sim/sim.h"

static talus_status gather_grains(struct picture *picture, const talus_sim *sim, talus_error *err) {
    talus_body_view bodies = talus_sim_bodies(sim);
    size_t count = 0;
    for (size_t i = 0; i < bodies.count; i++)
        if (bodies.kind[i] == TALUS_BODY_GRAIN) count++;
    picture->grains = memory_resize(picture->memory, NULL, 0, count, sizeof *picture->grains);
    if (picture->grains == NULL) return error_memory(err);
    picture->grain_count = count;

    size_t k = 0;
    double radius_sum = 0.0;
    for (size_t i = 0; i < bodies.count; i++) {
        if (bodies.kind[i] != TALUS_BODY_GRAIN) continue;
        const struct body_form *form = world_form(&sim->world, i);
        picture->grains[k++] =
            (struct picture_grain){.position = bodies.position[i],
                                   .orientation = bodies.orientation[i],
                                   .radius = bodies.radius[i],
                                   .form = form,
                                   .scale = form != NULL ? bodies.radius[i] / form->reach : 1.0};
        radius_sum += bodies.radius[i];
    }
    picture->mean_radius = count > 0 ? radius_sum / (double)count : 0.0;
    return TALUS_OK;
}

static double normal_force(const talus_contact *contact) {
    return vec3_dot(contact->force, contact->normal);
}

/* Contact points refer to the start of the last step, so the centre does too. */
vec3 picture_arm(const talus_sim *sim, const talus_contact *contact, talus_index body) {
    const struct bodies *bodies = &sim->world.bodies;
    if (bodies->form[body] == 0) {
        double arm = bodies->radius[body] + 0.5 * contact->gap;
        return vec3_scale(body == contact->a ? arm : -arm, contact->normal);
    }
    vec3 center = vec3_add_scaled(bodies->position[body], -sim->dt, bodies->velocity[body]);
    return cell_branch(&sim->world.cell, center, contact->point);
}

/* A bar is drawn in two halves, each from its grain's centre to the contact point, so that contacts
 * across a periodic side show at both sides. */
static void add_half(struct picture *picture, const talus_sim *sim, talus_index body,
                     const talus_contact *contact) {
    if (sim->world.bodies.kind[body] != TALUS_BODY_GRAIN) return;
    vec3 center = sim->world.bodies.position[body];
    vec3 arm = picture_arm(sim, contact, body);
    double normal = normal_force(contact), force = fabs(normal);
    picture->bars[picture->bar_count++] =
        (struct picture_bar){center, vec3_add(center, arm), force, normal < 0.0};
    picture->force_max = fmax(picture->force_max, force);
}

static talus_status gather_bars(struct picture *picture, const talus_sim *sim,
                                const talus_contact *contacts, size_t count, talus_error *err) {
    picture->bars = memory_resize(picture->memory, NULL, 0, 2 * count, sizeof *picture->bars);
    if (picture->bars == NULL) return error_memory(err);
    picture->bar_capacity = 2 * count;
    for (size_t c = 0; c < count; c++) {
        const talus_contact *contact = &contacts[c];
        if (normal_force(contact) == 0.0) continue;
        add_half(picture, sim, contact->a, contact);
        add_half(picture, sim, contact->b, contact);
    }
    return TALUS_OK;
}

static talus_status gather(struct picture *picture, const talus_sim *sim,
                           const talus_picture_config *config, const talus_contact *contacts,
                           size_t contact_count, talus_error *err) {
    TALUS_TRY(gather_grains(picture, sim, err));
    TALUS_TRY(picture_color(picture, sim, contacts, contact_count, config->color, err));
    if (config->forces) TALUS_TRY(gather_bars(picture, sim, contacts, contact_count, err));
    TALUS_TRY(picture_walls(picture, sim, config->boundaries, err));
    return config->boundaries ? picture_membranes(picture, sim, err) : TALUS_OK;
}

/* Nothing in it yet: the box is what holds nothing, or what the config says. */
static struct picture empty(const talus_sim *sim, const talus_picture_config *config,
                            struct memory *memory) {
    bool fixed = picture_is_fixed(config);
    return (struct picture){.dim = talus_sim_dim(sim),
                            .time = talus_sim_time(sim),
                            .low = fixed ? config->low : vec3_make(HUGE_VAL, HUGE_VAL, HUGE_VAL),
                            .high =
                                fixed ? config->high : vec3_make(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL),
                            .fixed = fixed,
                            .near_share = 0.4,
                            .memory = memory};
}

talus_status picture_film_view(const talus_sim *sim, const talus_picture_config *config,
                               talus_vec3 *low, talus_vec3 *high, talus_error *err) {
    struct memory memory = {0};
    struct picture picture = empty(sim, config, &memory);
    if (!picture.fixed && low->x <= high->x) {
        picture.low = *low;
        picture.high = *high;
    }
    picture.near_share = 2.0; /* what is far from a floor may yet fall on it */
    talus_status status = gather_grains(&picture, sim, err);
    if (status >= 0) status = picture_walls(&picture, sim, config->boundaries, err);
    *low = picture.low;
    *high = picture.high;
    picture_free(&picture);
    return status;
}

/* Their box is all that walls need of the grains. */
talus_status picture_gather_walls(struct picture *picture, const talus_sim *sim,
                                  struct memory *memory, talus_error *err) {
    const talus_picture_config config = talus_picture_config_default();
    talus_body_view bodies = talus_sim_bodies(sim);
    *picture = empty(sim, &config, memory);
    picture->near_share = 2.0;
    for (size_t i = 0; i < bodies.count; i++) {
        vec3 x = bodies.position[i], *low = &picture->low, *high = &picture->high;
        double r = bodies.radius[i];
        if (bodies.kind[i] != TALUS_BODY_GRAIN) continue;
        *low = vec3_make(fmin(low->x, x.x - r), fmin(low->y, x.y - r), fmin(low->z, x.z - r));
        *high = vec3_make(fmax(high->x, x.x + r), fmax(high->y, x.y + r), fmax(high->z, x.z + r));
    }
    return picture_walls(picture, sim, true, err);
}

talus_status picture_gather(struct picture *picture, const talus_sim *sim,
                            const talus_picture_config *config, struct memory *memory,
                            talus_error *err) {
    *picture = empty(sim, config, memory);
    size_t count = talus_sim_contacts(sim, NULL, 0);
    talus_contact *contacts = memory_resize(memory, NULL, 0, count, sizeof *contacts);
    if (contacts == NULL) return error_memory(err);
    talus_sim_contacts(sim, contacts, count);
    talus_status status = gather(picture, sim, config, contacts, count, err);
    memory_free(memory, contacts, count, sizeof *contacts);
    return status;
}

void picture_free(struct picture *picture) {
    memory_free(picture->memory, picture->grains, picture->grain_count, sizeof *picture->grains);
    memory_free(picture->memory, picture->bars, picture->bar_capacity, sizeof *picture->bars);
    memory_free(picture->memory, picture->walls, picture->wall_capacity, sizeof *picture->walls);
    memory_free(picture->memory, picture->mesh_points, picture->mesh_point_count,
                sizeof *picture->mesh_points);
    memory_free(picture->memory, picture->creases, picture->crease_capacity,
                sizeof *picture->creases);
    *picture = (struct picture){0};
}
