/* SPDX-License-Identifier: Apache-2.0
 *
 * From a simulation to a frame: grains and contacts. What there is of each is the table of sim/quantities.def; here each
 * quantity has the function that takes its value.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/inlining.h"
#include "io/frame.h"
#include "io/picture.h"
#include "sim/quantities.h"
#include "sim/sim.h"

struct frame_choice frame_choice_default(void) {
    return (struct frame_choice){.contacts = true, .walls = true, .surfaces = true};
}

/* What the values are taken from. */
struct source {
    const talus_sim *sim;
    talus_body_view bodies;
    const size_t *grains; /* bodies that are grains */
    size_t grain_count;
    const talus_contact *contacts; /* those of the present block */
    size_t contact_count;
    const vec3 *force, *torque; /* on each body, by its contacts */
    const int32_t *coordination;
};

union value {
    double real[4];
    int64_t integer[4];
};

/* ---- a value of a grain ---------------------------------------------------------------------- */

static void put_vector(union value *out, vec3 a) {
    out->real[0] = a.x;
    out->real[1] = a.y;
    out->real[2] = a.z;
}

#define TAKE(name) static void take_##name(const struct source *source, size_t i, union value *out)
#define GRAIN(name, statement)           \
    TAKE(name) {                         \
        size_t body = source->grains[i]; \
        statement;                       \
    }
GRAIN(id, out->integer[0] = source->bodies.gid[body])
GRAIN(radius, out->real[0] = source->bodies.radius[body])
GRAIN(mass, out->real[0] = source->bodies.mass[body])
GRAIN(v, put_vector(out, source->bodies.velocity[body]))
GRAIN(omega, put_vector(out, source->bodies.omega[body]))
GRAIN(f, put_vector(out, source->force[body]))
GRAIN(tq, put_vector(out, source->torque[body]))
GRAIN(type, out->integer[0] = source->bodies.material[body] + 1)
GRAIN(group, out->integer[0] = source->bodies.group[body])
GRAIN(shape, out->integer[0] = source->bodies.form[body])
GRAIN(coordination, out->integer[0] = source->coordination[body])

TAKE(orientation) {
    talus_quat q = source->bodies.orientation[source->grains[i]];
    out->real[0] = q.w;
    out->real[1] = q.x;
    out->real[2] = q.y;
    out->real[3] = q.z;
}

TAKE(image) {
    struct image image = source->sim->world.bodies.image[source->grains[i]];
    out->integer[0] = image.x;
    out->integer[1] = image.y;
    out->integer[2] = image.z;
}

/* ---- a value of a contact -------------------------------------------------------------------- */

#define CONTACT(name, statement)                             \
    TAKE(name) {                                             \
        const talus_contact *contact = &source->contacts[i]; \
        statement;                                           \
    }
CONTACT(id1, out->integer[0] = source->bodies.gid[contact->a])
CONTACT(id2, out->integer[0] = source->bodies.gid[contact->b])
CONTACT(point, put_vector(out, contact->point))
CONTACT(normal, put_vector(out, contact->normal))
CONTACT(force, put_vector(out, contact->force))
CONTACT(torque, put_vector(out, contact->torque))
CONTACT(gap, out->real[0] = contact->gap)
CONTACT(fn, out->real[0] = vec3_dot(contact->force, contact->normal))
CONTACT(ft, out->real[0] = vec3_norm(vec3_tangential(contact->force, contact->normal)))
CONTACT(mu, out->real[0] = contact->mu)
CONTACT(tension, out->real[0] = contact->tension)
CONTACT(sliding, out->integer[0] = contact->sliding)
CONTACT(bonded, out->integer[0] = contact->bonded)

/* ---- the table ------------------------------------------------------------------------------- */

typedef void take_value(const struct source *source, size_t i, union value *out);

struct range {
    size_t first, end;
};

/* One loop for each type, so that it has no choice to make inside. */
#define FILL(ctype, member)                                               \
    for (size_t i = range.first; i < range.end; i++) {                    \
        take(source, i, &value);                                          \
        for (size_t k = 0; k < n; k++)                                    \
            ((ctype *)array->values)[n * i + k] = (ctype)value.member[k]; \
    }

IN_LOOP void fill(struct frame_array *array, take_value *take, size_t n,
                  const struct source *source, struct range range) {
    union value value;
    switch (array->type) {
    case FRAME_INT32: FILL(int32_t, integer) break;
    case FRAME_INT64: FILL(int64_t, integer) break;
    case FRAME_FLOAT32: FILL(float, real) break;
    default: FILL(double, real) break;
    }
}

/* And one function for each quantity, of which its taker becomes a part. */
#define QUANTITY(of, name, type, components, unit, wanted, meaning)                 \
    static void fill_##name(struct frame_array *array, const struct source *source, \
                            struct range range) {                                   \
        fill(array, take_##name, components, source, range);                        \
    }
#include "sim/quantities.def"
#undef QUANTITY

typedef void fill_array(struct frame_array *array, const struct source *source, struct range range);

static fill_array *const fillers[QUANTITY_COUNT] = {
#define QUANTITY(of, name, type, components, unit, wanted, meaning) fill_##name,
#include "sim/quantities.def"
#undef QUANTITY
};

static bool is_wanted(int number, const struct frame_choice *choice) {
    const struct quantity *quantity = quantity_get(number);
    if (quantity->wanted == QUANTITY_ALWAYS) return true;
    if (choice->quantity_count == 0) return quantity->wanted == QUANTITY_STANDARD;
    for (size_t i = 0; i < choice->quantity_count; i++)
        if (strcmp(choice->quantities[i], quantity->entry.name) == 0) return true;
    return false;
}

static enum frame_type stored_as(enum quantity_type type, const struct frame_choice *choice) {
    if (type == QUANTITY_REAL) return choice->float32 ? FRAME_FLOAT32 : FRAME_FLOAT64;
    return type == QUANTITY_INT64 ? FRAME_INT64 : FRAME_INT32;
}

/* Part by part, so that what all quantities of a part are taken from is read once, not once for each of them; threads share
 * the parts. The quantities of an array are told by its place among those of the block. */
static void fill_all(struct frame_block *block, const int *numbers, size_t first,
                     const struct source *source) {
    enum { PART = 512 };
    size_t count = block->data[first].count, parts = (count + PART - 1) / PART;
#pragma omp parallel for num_threads(source->sim->threads) schedule(static)
    for (size_t part = 0; part < parts; part++) {
        struct range range = {part * PART, part + 1 < parts ? (part + 1) * PART : count};
        for (size_t d = first; d < block->data_count; d++)
            fillers[numbers[d]](&block->data[d], source, range);
    }
}

static talus_status add_quantities(struct frame_block *block, struct memory *memory,
                                   enum quantity_of of, const struct source *source,
                                   const struct frame_choice *choice, talus_error *err) {
    size_t count = of == QUANTITY_GRAIN ? source->grain_count : source->contact_count;
    size_t first = block->data_count;
    int numbers[FRAME_DATA];
    for (int number = 0; number < QUANTITY_COUNT; number++) {
        const struct quantity *quantity = quantity_get(number);
        if (quantity->of != of || !is_wanted(number, choice)) continue;
        struct frame_shape_of shape = {quantity->entry.name, stored_as(quantity->type, choice),
                                       quantity->components, count};
        numbers[block->data_count] = number;
        if (frame_add_data(block, memory, shape, err) == NULL) return TALUS_ERR_MEMORY;
    }
    if (block->data_count > first) fill_all(block, numbers, first, source);
    return TALUS_OK;
}

/* ---- grains ---------------------------------------------------------------------------------- */

/* Time, step and dimension go into every block, so that each file can stand alone. */
static talus_status put_moment(struct frame *frame, struct frame_block *block, talus_error *err) {
    struct memory *memory = &frame->memory;
    TALUS_TRY(frame_put_fact(block, memory, "TimeValue", &frame->time, 1, err));
    TALUS_TRY(frame_put_count(block, memory, "step", frame->step, err));
    return frame_put_count(block, memory, "dimension", frame->dim, err);
}

static talus_status put_cell(struct frame *frame, const talus_sim *sim, talus_error *err) {
    struct frame_block *block = &frame->blocks[FRAME_PARTICLES];
    const struct cell *cell = &sim->world.cell;
    double origin[3], size[3], periodic[3];
    for (int axis = 0; axis < 3; axis++) {
        periodic[axis] = cell->periodic[axis] ? 1.0 : 0.0;
        origin[axis] = cell->periodic[axis] ? vec3_component(cell->origin, axis) : 0.0;
        size[axis] = cell->periodic[axis] ? vec3_component(cell->size, axis) : 0.0;
    }
    TALUS_TRY(frame_put_fact(block, &frame->memory, "cell_periodic", periodic, 3, err));
    TALUS_TRY(frame_put_fact(block, &frame->memory, "cell_origin", origin, 3, err));
    return frame_put_fact(block, &frame->memory, "cell_size", size, 3, err);
}

/* What measures cannot know otherwise: the volume of each shape where its radius is 1, and by how much contact points are
 * older than positions. */
static talus_status put_measures(struct frame *frame, const talus_sim *sim, talus_error *err) {
    struct frame_block *block = &frame->blocks[FRAME_PARTICLES];
    size_t count = talus_sim_shape_count(sim);
    double lag = sim_contact_lag(sim);
    TALUS_TRY(frame_put_fact(block, &frame->memory, "contact_lag", &lag, 1, err));
    if (count == 0) return TALUS_OK;
    struct frame_shape_of shape = {"shape_volume", FRAME_FLOAT64, 1, count};
    struct frame_array *volumes = frame_add_fact(block, &frame->memory, shape, err);
    if (volumes == NULL) return TALUS_ERR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        talus_shape_view view = talus_sim_shape(sim, i);
        frame_set_real(volumes, i, 0, view.volume / pow(view.reach, frame->dim));
    }
    return TALUS_OK;
}

static talus_status gather_grains(struct frame *frame, const struct source *source,
                                  const struct frame_choice *choice, talus_error *err) {
    struct frame_block *block = &frame->blocks[FRAME_PARTICLES];
    size_t n = source->grain_count;
    enum frame_type real = choice->float32 ? FRAME_FLOAT32 : FRAME_FLOAT64;
    TALUS_TRY(frame_block_size(block, &frame->memory, FRAME_VERTICES, real,
                               (struct frame_sizes){n, n, n}, err));
    int64_t *connectivity = block->connectivity.values, *offsets = block->offsets.values;
    for (size_t i = 0; i < n; i++) {
        frame_set_vector(&block->points, i, source->bodies.position[source->grains[i]]);
        connectivity[i] = (int64_t)i;
        offsets[i] = (int64_t)i + 1;
    }
    TALUS_TRY(put_moment(frame, block, err));
    TALUS_TRY(put_cell(frame, source->sim, err));
    TALUS_TRY(put_measures(frame, source->sim, err));
    return add_quantities(block, &frame->memory, QUANTITY_GRAIN, source, choice, err);
}

/* ---- contacts -------------------------------------------------------------------------------- */

static bool is_grain(const talus_sim *sim, talus_index body) {
    return sim->world.bodies.kind[body] == TALUS_BODY_GRAIN;
}

/* Contacts that are open and without force are only the solver's precaution. */
static bool is_shown(const talus_contact *contact) {
    return contact->gap <= 0.0 || contact->bonded || vec3_norm2(contact->force) > 0.0 ||
           vec3_norm2(contact->torque) > 0.0;
}

/* Zeros stay positive. */
static vec3 opposite(vec3 a) {
    return vec3_make(0.0 - a.x, 0.0 - a.y, 0.0 - a.z);
}

/* The grain first, the wall second. */
static talus_contact turned(talus_contact contact) {
    talus_index a = contact.a;
    contact.a = contact.b;
    contact.b = a;
    contact.normal = opposite(contact.normal);
    contact.force = opposite(contact.force);
    contact.torque = opposite(contact.torque);
    return contact;
}

/* Those of two grains that are worth showing to the front, those with walls to `with_walls`; how many of each. */
static talus_status sort_contacts(const talus_sim *sim, struct frame_room *room, size_t *count,
                                  size_t *wall_count, talus_error *err) {
    size_t all = *count;
    *count = *wall_count = 0;
    for (size_t c = 0; c < all; c++) {
        const talus_contact *from = &room->contacts[c];
        if (!is_shown(from)) continue;
        if (is_grain(sim, from->a) && is_grain(sim, from->b)) {
            if (*count < c) room->contacts[*count] = *from;
            (*count)++;
            continue;
        }
        talus_contact *grown = memory_reserve(&room->memory, room->with_walls, &room->wall_capacity,
                                              *wall_count + 1, sizeof *grown);
        if (grown == NULL) return error_memory(err);
        room->with_walls = grown;
        grown[(*wall_count)++] = is_grain(sim, from->a) ? *from : turned(*from);
    }
    return TALUS_OK;
}

/* Force and torque on a body by a contact, and that it has one more. */
static void add_force(const talus_sim *sim, const talus_contact *contact, talus_index body,
                      vec3 *force, vec3 *torque, int32_t *coordination) {
    double sign = body == contact->b ? 1.0 : -1.0;
    vec3 f = vec3_scale(sign, contact->force);
    vec3 t = vec3_cross(picture_arm(sim, contact, body), f);
    force[body] = vec3_add(force[body], f);
    torque[body] = vec3_add(torque[body], vec3_add_scaled(t, sign, contact->torque));
    if (vec3_norm2(f) > 0.0) coordination[body]++;
}

static talus_status gather_contacts(struct frame *frame, enum frame_kind kind,
                                    const struct source *source, const struct frame_choice *choice,
                                    talus_error *err) {
    struct frame_block *block = &frame->blocks[kind];
    size_t n = source->contact_count;
    enum frame_type real = choice->float32 ? FRAME_FLOAT32 : FRAME_FLOAT64;
    TALUS_TRY(frame_block_size(block, &frame->memory, FRAME_LINES, real,
                               (struct frame_sizes){2 * n, n, 2 * n}, err));
    int64_t *connectivity = block->connectivity.values, *offsets = block->offsets.values;
#pragma omp parallel for num_threads(source->sim->threads) schedule(static)
    for (size_t c = 0; c < n; c++) {
        const talus_contact *contact = &source->contacts[c];
        vec3 from = source->bodies.position[contact->a];
        vec3 to = kind == FRAME_CONTACTS ? source->bodies.position[contact->b] : contact->point;
        to = vec3_add(from, cell_branch(&source->sim->world.cell, from, to));
        frame_set_vector(&block->points, 2 * c, from);
        frame_set_vector(&block->points, 2 * c + 1, to);
        connectivity[2 * c] = (int64_t)(2 * c);
        connectivity[2 * c + 1] = (int64_t)(2 * c + 1);
        offsets[c] = (int64_t)(2 * c + 2);
    }
    TALUS_TRY(put_moment(frame, block, err));
    return add_quantities(block, &frame->memory, QUANTITY_CONTACT, source, choice, err);
}

/* ---- all ------------------------------------------------------------------------------------- */

void frame_room_free(struct frame_room *room) {
    struct memory *memory = &room->memory;
    size_t bodies = room->body_capacity;
    memory_free(memory, room->grains, bodies, sizeof *room->grains);
    memory_free(memory, room->force, bodies, sizeof *room->force);
    memory_free(memory, room->torque, bodies, sizeof *room->torque);
    memory_free(memory, room->coordination, bodies, sizeof *room->coordination);
    memory_free(memory, room->contacts, room->contact_capacity, sizeof *room->contacts);
    memory_free(memory, room->with_walls, room->wall_capacity, sizeof *room->with_walls);
    *room = (struct frame_room){.memory = *memory, .shapes = room->shapes};
}

/* Anew: nothing in it has to be kept. */
static bool renew_bodies(struct frame_room *room, size_t count) {
    struct frame_room fresh = {.memory = room->memory, .body_capacity = count};
    struct memory *memory = &fresh.memory;
    fresh.grains = memory_resize(memory, NULL, 0, count, sizeof *fresh.grains);
    fresh.force = memory_resize(memory, NULL, 0, count, sizeof *fresh.force);
    fresh.torque = memory_resize(memory, NULL, 0, count, sizeof *fresh.torque);
    fresh.coordination = memory_resize(memory, NULL, 0, count, sizeof *fresh.coordination);
    bool made = fresh.grains != NULL && fresh.force != NULL && fresh.torque != NULL &&
                fresh.coordination != NULL;
    struct frame_room old = {.grains = made ? room->grains : fresh.grains,
                             .force = made ? room->force : fresh.force,
                             .torque = made ? room->torque : fresh.torque,
                             .coordination = made ? room->coordination : fresh.coordination,
                             .body_capacity = made ? room->body_capacity : count,
                             .memory = fresh.memory};
    frame_room_free(&old);
    room->memory = old.memory;
    if (!made) return false;
    room->grains = fresh.grains;
    room->force = fresh.force;
    room->torque = fresh.torque;
    room->coordination = fresh.coordination;
    room->body_capacity = count;
    return true;
}

static bool make_room(struct frame_room *room, size_t bodies, size_t contacts) {
    if (room->grains == NULL || bodies > room->body_capacity)
        if (!renew_bodies(room, bodies + bodies / 4)) return false;
    memset(room->force, 0, bodies * sizeof *room->force);
    memset(room->torque, 0, bodies * sizeof *room->torque);
    memset(room->coordination, 0, bodies * sizeof *room->coordination);
    talus_contact *grown = memory_reserve(&room->memory, room->contacts, &room->contact_capacity,
                                          contacts, sizeof *grown);
    if (grown != NULL) room->contacts = grown;
    return grown != NULL;
}

/* Grains, contacts of grains, contacts with walls. */
static talus_status gather_in(struct frame *frame, struct frame_room *room, struct source *source,
                              const struct frame_choice *choice, talus_error *err) {
    const talus_sim *sim = source->sim;
    size_t count = talus_sim_contacts(sim, room->contacts, room->contact_capacity), wall_count;
    for (size_t i = 0; i < source->bodies.count; i++)
        if (source->bodies.kind[i] == TALUS_BODY_GRAIN) room->grains[source->grain_count++] = i;
    TALUS_TRY(sort_contacts(sim, room, &count, &wall_count, err));
    for (size_t c = 0; c < count; c++) {
        add_force(sim, &room->contacts[c], room->contacts[c].a, room->force, room->torque,
                  room->coordination);
        add_force(sim, &room->contacts[c], room->contacts[c].b, room->force, room->torque,
                  room->coordination);
    }
    for (size_t c = 0; c < wall_count; c++)
        add_force(sim, &room->with_walls[c], room->with_walls[c].a, room->force, room->torque,
                  room->coordination);
    TALUS_TRY(gather_grains(frame, source, choice, err));
    if (!choice->contacts) return TALUS_OK;
    source->contacts = room->contacts;
    source->contact_count = count;
    TALUS_TRY(gather_contacts(frame, FRAME_CONTACTS, source, choice, err));
    source->contacts = room->with_walls;
    source->contact_count = wall_count;
    return gather_contacts(frame, FRAME_WALL_CONTACTS, source, choice, err);
}

static talus_status gather_rest(struct frame *frame, const talus_sim *sim,
                                const struct frame_choice *choice, struct frame_shapes *shapes,
                                talus_error *err) {
    enum frame_type real = choice->float32 ? FRAME_FLOAT32 : FRAME_FLOAT64;
    if (choice->walls && talus_sim_boundary_count(sim) > 0)
        TALUS_TRY(frame_gather_walls(frame, sim, real, err));
    if (choice->walls && talus_sim_membrane_count(sim) > 0)
        TALUS_TRY(frame_gather_membranes(frame, sim, real, err));
    if (choice->surfaces && shapes != NULL && talus_sim_shape_count(sim) > 0)
        TALUS_TRY(frame_gather_surfaces(frame, sim, shapes, real, err));
    for (int kind = FRAME_WALLS; kind < FRAME_KINDS; kind++)
        if (frame->blocks[kind].present) TALUS_TRY(put_moment(frame, &frame->blocks[kind], err));
    return TALUS_OK;
}

talus_status frame_gather(struct frame *frame, const talus_sim *sim,
                          const struct frame_choice *choice, struct frame_room *room,
                          talus_error *err) {
    struct source source = {.sim = sim, .bodies = talus_sim_bodies(sim)};
    frame_clear(frame);
    frame->time = talus_sim_time(sim);
    frame->step = talus_sim_step_count(sim);
    frame->dim = talus_sim_dim(sim);
    if (!make_room(room, source.bodies.count, talus_sim_contacts(sim, NULL, 0)))
        return error_memory(err);
    source.grains = room->grains;
    source.force = room->force;
    source.torque = room->torque;
    source.coordination = room->coordination;
    TALUS_TRY(gather_in(frame, room, &source, choice, err));
    return gather_rest(frame, sim, choice, room->shapes, err);
}
