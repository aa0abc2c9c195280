/* SPDX-License-Identifier: Apache-2.0
 * From the views of a simulation to the things a picture shows. */
#include "base/error.h"
#include "io/picture.h"
#include "sim/sim.h"

static size_t count_grains(const talus_body_view *bodies) {
    size_t count = 0;
    for (size_t i = 0; i < bodies->count; i++) count += bodies->kind[i] == TALUS_BODY_GRAIN;
    return count;
}

static void gather_grains(struct picture *picture, const talus_sim *sim) {
    talus_body_view bodies = talus_sim_bodies(sim);
    size_t k = 0;
    for (size_t i = 0; i < bodies.count; i++) {
        if (bodies.kind[i] != TALUS_BODY_GRAIN) continue;
        const struct body_form *form = world_form(&sim->world, i);
        picture->grains[k++] =
            (struct picture_grain){.position = bodies.position[i],
                                   .orientation = bodies.orientation[i],
                                   .radius = bodies.radius[i],
                                   .form = form,
                                   .scale = form != NULL ? bodies.radius[i] / form->reach : 1.0,
                                   .volume = world_grain_volume(&sim->world, i)};
    }
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

static void add_touch(struct picture *picture, const talus_sim *sim, const talus_contact *contact,
                      talus_index body, size_t grain) {
    bool first = body == contact->a;
    if (sim->world.bodies.kind[body] != TALUS_BODY_GRAIN) return;
    talus_index other = first ? contact->b : contact->a;
    picture->touches[picture->touch_count++] =
        (struct picture_touch){.grain = grain,
                               .arm = picture_arm(sim, contact, body),
                               .force = vec3_scale(first ? -1.0 : 1.0, contact->force),
                               .normal = vec3_dot(contact->force, contact->normal),
                               .with_wall = sim->world.bodies.kind[other] != TALUS_BODY_GRAIN};
}

static talus_status gather_touches(struct picture *picture, const talus_sim *sim,
                                   const talus_contact *contacts, size_t count, talus_error *err) {
    talus_body_view bodies = talus_sim_bodies(sim);
    size_t *grain = memory_resize(picture->memory, NULL, 0, bodies.count, sizeof *grain);
    if (grain == NULL) return error_memory(err);
    for (size_t i = 0, k = 0; i < bodies.count; i++) {
        grain[i] = k;
        k += bodies.kind[i] == TALUS_BODY_GRAIN;
    }
    for (size_t c = 0; c < count; c++) {
        if (vec3_dot(contacts[c].force, contacts[c].normal) == 0.0) continue;
        add_touch(picture, sim, &contacts[c], contacts[c].a, grain[contacts[c].a]);
        add_touch(picture, sim, &contacts[c], contacts[c].b, grain[contacts[c].b]);
    }
    memory_free(picture->memory, grain, bodies.count, sizeof *grain);
    return TALUS_OK;
}

/* ---- walls ----------------------------------------------------------------------------------- */

static void gather_walls(struct picture *picture, const talus_sim *sim) {
    for (size_t b = 0; b < talus_sim_boundary_count(sim); b++) {
        talus_boundary_view view = talus_sim_boundary(sim, b);
        if (!view.present) continue;
        picture->walls[picture->wall_count++] =
            (struct picture_wall){.shape = view.shape,
                                  .boundary = b,
                                  .point = view.point,
                                  .normal = view.normal,
                                  .edge = view.edge,
                                  .size = {view.size[0], view.size[1]},
                                  .radius = view.radius,
                                  .length = view.length};
    }
}

/* Cylinders have triangles, too, for grains with faces; they are drawn as what they are. */
static size_t mesh_points(const talus_sim *sim, const struct picture_wall *wall) {
    return wall->shape == TALUS_MESH ? talus_sim_boundary(sim, wall->boundary).vertex_count : 0;
}

static talus_status gather_meshes(struct picture *picture, const talus_sim *sim, talus_error *err) {
    size_t count = 0, used = 0;
    for (size_t w = 0; w < picture->wall_count; w++) count += mesh_points(sim, &picture->walls[w]);
    if (count == 0) return TALUS_OK;
    picture->mesh_points =
        memory_resize(picture->memory, NULL, 0, count, sizeof *picture->mesh_points);
    if (picture->mesh_points == NULL) return error_memory(err);
    picture->mesh_point_count = count;
    for (size_t w = 0; w < picture->wall_count; w++) {
        struct picture_wall *wall = &picture->walls[w];
        talus_boundary_view view = talus_sim_boundary(sim, wall->boundary);
        if (mesh_points(sim, wall) == 0) continue;
        wall->points = picture->mesh_points + used;
        wall->point_count = view.vertex_count;
        wall->triangles = view.triangles;
        wall->triangle_count = view.triangle_count;
        for (size_t v = 0; v < view.vertex_count; v++)
            picture->mesh_points[used++] =
                vec3_add(view.point, quat_rotate(view.orientation, view.vertices[v]));
    }
    return TALUS_OK;
}

/* ---- all ------------------------------------------------------------------------------------- */

static talus_status gather(struct picture *picture, const talus_sim *sim,
                           const talus_picture_config *config, const talus_contact *contacts,
                           size_t contact_count, talus_error *err) {
    talus_body_view bodies = talus_sim_bodies(sim);
    size_t walls = config->boundaries ? talus_sim_boundary_count(sim) : 0;
    picture->time = talus_sim_time(sim);
    TALUS_TRY(picture_reserve(picture, count_grains(&bodies), 2 * contact_count, walls, err));
    gather_grains(picture, sim);
    TALUS_TRY(gather_touches(picture, sim, contacts, contact_count, err));
    if (config->boundaries) {
        gather_walls(picture, sim);
        TALUS_TRY(gather_meshes(picture, sim, err));
        TALUS_TRY(picture_membranes(picture, sim, err));
    }
    return TALUS_OK;
}

talus_status picture_film_view(const talus_sim *sim, const talus_picture_config *config,
                               talus_vec3 *low, talus_vec3 *high, talus_error *err) {
    struct memory memory = {0};
    struct picture picture = picture_empty(talus_sim_dim(sim), config, &memory);
    if (!picture.fixed && low->x <= high->x) {
        picture.low = *low;
        picture.high = *high;
    }
    picture.near_share = 2.0; /* what is far from a floor may yet fall on it */
    talus_status status = gather(&picture, sim, config, NULL, 0, err);
    if (status >= 0) status = picture_meshes(&picture, err);
    if (status >= 0) picture_walls(&picture);
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
    *picture = picture_empty(talus_sim_dim(sim), &config, memory);
    picture->near_share = 2.0;
    for (size_t i = 0; i < bodies.count; i++) {
        vec3 x = bodies.position[i], *low = &picture->low, *high = &picture->high;
        double r = bodies.radius[i];
        if (bodies.kind[i] != TALUS_BODY_GRAIN) continue;
        *low = vec3_make(fmin(low->x, x.x - r), fmin(low->y, x.y - r), fmin(low->z, x.z - r));
        *high = vec3_make(fmax(high->x, x.x + r), fmax(high->y, x.y + r), fmax(high->z, x.z + r));
    }
    TALUS_TRY(picture_reserve(picture, 0, 0, talus_sim_boundary_count(sim), err));
    gather_walls(picture, sim);
    TALUS_TRY(gather_meshes(picture, sim, err));
    TALUS_TRY(picture_meshes(picture, err));
    picture_walls(picture);
    return TALUS_OK;
}

talus_status picture_gather(struct picture *picture, const talus_sim *sim,
                            const talus_picture_config *config, struct memory *memory,
                            talus_error *err) {
    *picture = picture_empty(talus_sim_dim(sim), config, memory);
    size_t count = talus_sim_contacts(sim, NULL, 0);
    talus_contact *contacts = memory_resize(memory, NULL, 0, count, sizeof *contacts);
    if (contacts == NULL) return error_memory(err);
    talus_sim_contacts(sim, contacts, count);
    talus_status status = gather(picture, sim, config, contacts, count, err);
    memory_free(memory, contacts, count, sizeof *contacts);
    if (status < 0) return status;
    picture_sim_color(picture, sim, config->color);
    return picture_complete(picture, config, err);
}
