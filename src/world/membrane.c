/* SPDX-License-Identifier: Apache-2.0 */
#include "world/membrane.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

static struct membrane *find(const struct world *world, const char *name) {
    for (size_t i = 0; i < world->membrane_count; i++)
        if (strcmp(world->membranes[i].name.text, name) == 0) return &world->membranes[i];
    return NULL;
}

static bool belongs(const struct world *world, const struct membrane *membrane, size_t body) {
    return world->bodies.kind[body] == TALUS_BODY_GRAIN &&
           (membrane->group < 0 || world->bodies.group[body] == membrane->group);
}

/* ---- where it is -------------------------------------------------------------------------------- */

struct membrane_ends membrane_ends(const struct world *world, const struct membrane *membrane) {
    struct wall low = boundary_wall(world, &world->boundaries[membrane->plates[0]]);
    struct wall high = boundary_wall(world, &world->boundaries[membrane->plates[1]]);
    double height = vec3_dot(vec3_sub(high.point, low.point), low.normal);
    double sign = height < 0.0 ? -1.0 : 1.0;
    return (struct membrane_ends){low.point, vec3_scale(sign, low.normal), sign * height};
}

vec3 membrane_corner(const struct world *world, const struct membrane_ends *ends,
                     const struct outline_element *element, int corner) {
    vec3 x = world->bodies.position[element->corner[corner]];
    if (element->mirror[corner] == OUTLINE_AS_IS) return x;
    double plane = element->mirror[corner] == OUTLINE_BELOW ? 0.0 : ends->height;
    double z = vec3_dot(vec3_sub(x, ends->point), ends->axis);
    return vec3_add_scaled(x, 2.0 * (plane - z), ends->axis);
}

/* ---- finding the outer grains ------------------------------------------------------------------- */

/* Its grains as points of a column about its axis; `number` says which body each is. */
struct column {
    struct outline_column outline;
    vec3 *points;
    int32_t *number;
    size_t capacity;
};

static talus_status column_reserve(struct column *column, size_t count, talus_error *err) {
    struct memory heap = {0};
    column->points = memory_resize(&heap, NULL, 0, count, sizeof *column->points);
    column->number = memory_resize(&heap, NULL, 0, count, sizeof *column->number);
    column->capacity = count;
    return column->points == NULL || column->number == NULL ? error_memory(err) : TALUS_OK;
}

static void column_free(struct column *column) {
    struct memory heap = {0};
    memory_free(&heap, column->points, column->capacity, sizeof *column->points);
    memory_free(&heap, column->number, column->capacity, sizeof *column->number);
}

static void column_fill(struct column *column, const struct world *world,
                        const struct membrane *membrane) {
    const struct bodies *bodies = &world->bodies;
    struct membrane_ends ends = membrane_ends(world, membrane);
    vec3 across =
        world->dim == 2 ? vec3_make(ends.axis.y, -ends.axis.x, 0.0) : vec3_perpendicular(ends.axis);
    vec3 other = vec3_cross(ends.axis, across), middle = vec3_zero();
    double largest = 0.0;
    size_t count = 0;
    for (size_t i = 0; i < bodies->count; i++) {
        if (!belongs(world, membrane, i)) continue;
        vec3 x = vec3_sub(bodies->position[i], ends.point);
        vec3 p = vec3_make(vec3_dot(x, across), vec3_dot(x, other), vec3_dot(x, ends.axis));
        column->points[count] = p;
        column->number[count++] = (int32_t)i;
        middle = vec3_add(middle, vec3_make(p.x, p.y, 0.0));
        largest = fmax(largest, 2.0 * bodies->radius[i]);
    }
    for (size_t k = 0; k < count; k++)
        column->points[k] = vec3_add_scaled(column->points[k], -1.0 / (double)count, middle);
    column->outline =
        (struct outline_column){column->points, count, ends.height, largest, 0.5 * largest};
}

static talus_status explain(const struct membrane *membrane, enum outline_status status,
                            size_t grains, talus_error *err) {
    if (status == OUTLINE_OK) return TALUS_OK;
    if (status == OUTLINE_NO_MEMORY) return error_memory(err);
    if (grains == 0)
        return error_set(err, TALUS_ERR_INPUT, "membrane '%s': there are no grains for it to hold",
                         membrane->name.text);
    return error_set(err, TALUS_ERR_INPUT,
                     "membrane '%s': its %zu grains make no column between its plates that a "
                     "surface could go around; %s",
                     membrane->name.text, grains,
                     status == OUTLINE_THIN ? "there are too few" : "is the column hollow?");
}

/* The plates must face each other, and be there. */
static talus_status check_plates(const struct world *world, const struct membrane *membrane,
                                 talus_error *err) {
    const double parallel = 1e-9;
    struct wall walls[2];
    for (int k = 0; k < 2; k++) {
        const struct boundary *plate = &world->boundaries[membrane->plates[k]];
        walls[k] = boundary_wall(world, plate);
        if (walls[k].shape == TALUS_PLANE || walls[k].shape == TALUS_RECTANGLE) continue;
        return error_set(err, TALUS_ERR_INPUT,
                         "membrane '%s': boundary '%s' is no plane or rectangle",
                         membrane->name.text, plate->name.text);
    }
    if (vec3_norm(vec3_cross(walls[0].normal, walls[1].normal)) > parallel)
        return error_set(err, TALUS_ERR_INPUT, "membrane '%s': its plates are not parallel",
                         membrane->name.text);
    if (membrane_ends(world, membrane).height > 0.0) return TALUS_OK;
    return error_set(err, TALUS_ERR_INPUT, "membrane '%s': its plates lie in one plane",
                     membrane->name.text);
}

static talus_status keep_elements(struct world *world, struct membrane *membrane,
                                  const struct column *column, const struct outline *outline,
                                  talus_error *err) {
    struct outline_element *elements = memory_reserve(
        world->memory, membrane->elements, &membrane->capacity, outline->count, sizeof *elements);
    if (elements == NULL) return error_memory(err);
    membrane->elements = elements;
    membrane->count = outline->count;
    for (size_t e = 0; e < outline->count; e++) {
        elements[e] = outline->elements[e];
        for (int k = 0; k < world->dim; k++)
            elements[e].corner[k] = column->number[outline->elements[e].corner[k]];
    }
    return TALUS_OK;
}

static talus_status keep_positions(struct world *world, struct membrane *membrane,
                                   talus_error *err) {
    const struct bodies *bodies = &world->bodies;
    vec3 *positions = memory_reserve(world->memory, membrane->meshed_at, &membrane->meshed_capacity,
                                     bodies->count, sizeof *positions);
    if (positions == NULL) return error_memory(err);
    membrane->meshed_at = positions;
    memcpy(positions, bodies->position, bodies->count * sizeof *positions);
    membrane->meshed_count = bodies->count;
    double sum = 0.0, grains = 0.0;
    for (size_t i = 0; i < bodies->count; i++) {
        if (!belongs(world, membrane, i)) continue;
        sum += 2.0 * bodies->radius[i];
        grains += 1.0;
    }
    membrane->size = sum / grains;
    return TALUS_OK;
}

static talus_status mesh(struct world *world, struct membrane *membrane, talus_error *err) {
    struct column column = {.capacity = 0};
    struct outline outline = {.count = 0};
    TALUS_TRY(check_plates(world, membrane, err));
    talus_status status = column_reserve(&column, world->bodies.count, err);
    if (status >= 0) {
        column_fill(&column, world, membrane);
        enum outline_status made = world->dim == 2 ? outline_chains(&column.outline, &outline)
                                                   : outline_tube(&column.outline, &outline);
        status = explain(membrane, made, column.outline.count, err);
    }
    if (status >= 0) status = keep_positions(world, membrane, err);
    if (status >= 0) status = keep_elements(world, membrane, &column, &outline, err);
    if (status >= 0) membrane->meshings++;
    outline_free(&outline);
    column_free(&column);
    return status;
}

static bool has_moved(const struct world *world, const struct membrane *membrane) {
    double most = membrane->remesh * membrane->size;
    if (membrane->meshed_count != world->bodies.count) return true;
    for (size_t i = 0; i < world->bodies.count; i++) {
        vec3 way = vec3_sub(world->bodies.position[i], membrane->meshed_at[i]);
        if (vec3_norm2(way) > most * most && belongs(world, membrane, i)) return true;
    }
    return false;
}

static talus_status reserve_forces(struct world *world, talus_error *err) {
    vec3 *forces =
        memory_reserve(world->memory, world->membrane_forces, &world->membrane_force_capacity,
                       world->bodies.count, sizeof *forces);
    if (forces == NULL) return error_memory(err);
    world->membrane_forces = forces;
    return TALUS_OK;
}

talus_status membranes_prepare(struct world *world, talus_error *err) {
    if (world->membrane_count == 0) return TALUS_OK;
    for (size_t m = 0; m < world->membrane_count; m++)
        if (has_moved(world, &world->membranes[m]))
            TALUS_TRY(mesh(world, &world->membranes[m], err));
    return reserve_forces(world, err);
}

/* ---- pressing ----------------------------------------------------------------------------------- */

static vec3 mirrored(vec3 a, vec3 axis) {
    return vec3_add_scaled(a, -2.0 * vec3_dot(a, axis), axis);
}

/* Area (length) times outward normal. */
static vec3 element_area(const vec3 x[3], int dim) {
    vec3 a = vec3_sub(x[1], x[0]);
    if (dim == 2) return vec3_make(a.y, -a.x, 0.0);
    return vec3_scale(0.5, vec3_cross(a, vec3_sub(x[2], x[0])));
}

/* What dV/dx_i sums up to along the axis, for the areas at the plates. */
struct along {
    double sum, moment;
};

/* V = sum of w c_t S/(dim - 1) with c_t the part of the centre across the axis and S the area; w = 1/2 of elements
 * that cross a plate, for the other half is the mirror image. Its gradient is w S/dim at each corner, as the
 * surface is closed; mirrored corners move as in a mirror. */
static void press(struct world *world, struct membrane *membrane, const struct membrane_ends *ends,
                  struct along *along) {
    const int dim = world->dim;
    membrane->volume = 0.0;
    for (size_t e = 0; e < membrane->count; e++) {
        const struct outline_element *element = &membrane->elements[e];
        vec3 x[3], centre = vec3_zero();
        double weight = 1.0;
        for (int k = 0; k < dim; k++) {
            x[k] = membrane_corner(world, ends, element, k);
            centre = vec3_add_scaled(centre, 1.0 / dim, vec3_sub(x[k], ends->point));
            if (element->mirror[k] != OUTLINE_AS_IS) weight = 0.5;
        }
        vec3 area = vec3_scale(weight, element_area(x, dim));
        membrane->volume += vec3_dot(vec3_tangential(centre, ends->axis), area) / (dim - 1);
        for (int k = 0; k < dim; k++) {
            talus_index body = element->corner[k];
            vec3 slope = vec3_scale(1.0 / dim, area); /* dV/dx */
            if (element->mirror[k] != OUTLINE_AS_IS) slope = mirrored(slope, ends->axis);
            vec3 *force = &world->membrane_forces[body];
            *force = vec3_add_scaled(*force, -membrane->pressure, slope);
            double rise = vec3_dot(slope, ends->axis);
            along->sum += rise;
            along->moment +=
                rise * vec3_dot(vec3_sub(world->bodies.position[body], ends->point), ends->axis);
        }
    }
}

void membranes_press(struct world *world, double time) {
    if (world->membrane_count == 0) return;
    world->membrane_force_count = world->bodies.count;
    memset(world->membrane_forces, 0, world->bodies.count * sizeof *world->membrane_forces);
    for (size_t m = 0; m < world->membrane_count; m++) {
        struct membrane *membrane = &world->membranes[m];
        struct membrane_ends ends = membrane_ends(world, membrane);
        struct along along = {0.0, 0.0};
        membrane->pressure = signal_value(&membrane->signal, time);
        membrane->height = ends.height;
        press(world, membrane, &ends, &along);
        /* V is of the first order in all lengths along the axis, and does not change if all is moved along it. */
        membrane->area[1] = (membrane->volume - along.moment) / ends.height;
        membrane->area[0] = membrane->area[1] + along.sum;
    }
}

/* ---- adding and changing ------------------------------------------------------------------------ */

static talus_status check_pressure(const char *name, const talus_signal *signal, talus_error *err) {
    double lowest = signal->mean;
    if (signal->kind == TALUS_SIGNAL_SINE) lowest -= fabs(signal->amplitude);
    if (signal->kind == TALUS_SIGNAL_TABLE) {
        lowest = HUGE_VAL;
        for (size_t k = 0; k < signal->count; k++) lowest = fmin(lowest, signal->values[k]);
    }
    if (lowest >= 0.0) return TALUS_OK;
    return error_set(err, TALUS_ERR_INPUT,
                     "membrane '%s': pressure = %g, must be >= 0 at all times", name, lowest);
}

static talus_status find_plates(const struct world *world, const talus_membrane_def *def,
                                struct membrane *membrane, talus_error *err) {
    for (int k = 0; k < 2; k++) {
        if (def->plates[k] == NULL)
            return error_set(err, TALUS_ERR_INPUT,
                             "membrane '%s': it needs two plates between which it spans",
                             def->name);
        const struct boundary *plate = world_find_boundary(world, def->plates[k], err);
        if (plate == NULL) return TALUS_ERR_UNKNOWN_NAME;
        membrane->plates[k] = (int32_t)(plate - world->boundaries);
    }
    if (membrane->plates[0] != membrane->plates[1]) return TALUS_OK;
    return error_set(err, TALUS_ERR_INPUT, "membrane '%s': both its plates are '%s'", def->name,
                     def->plates[0]);
}

static talus_status check(const struct world *world, const talus_membrane_def *def,
                          struct membrane *membrane, talus_error *err) {
    TALUS_TRY(name_check(&membrane->name, "membrane", def->name, err));
    if (find(world, def->name) != NULL)
        return error_set(err, TALUS_ERR_INPUT, "there is already a membrane '%s'", def->name);
    if (world->dim == 1)
        return error_set(err, TALUS_ERR_INPUT,
                         "membrane '%s': in one dimension nothing goes around", def->name);
    if (world->cell.any)
        return error_set(err, TALUS_ERR_INPUT, "membrane '%s': the cell must not be periodic",
                         def->name);
    if (!(def->remesh >= 0.0 && def->remesh <= 1.0))
        return error_set(err, TALUS_ERR_INPUT, "membrane '%s': remesh = %g, must be 0 to 1",
                         def->name, def->remesh);
    TALUS_TRY(find_plates(world, def, membrane, err));
    membrane->remesh = def->remesh;
    membrane->group = -1;
    if (def->group == NULL) return TALUS_OK;
    membrane->group = world_find_group(world, def->group);
    if (membrane->group >= 0) return TALUS_OK;
    return error_set(err, TALUS_ERR_UNKNOWN_NAME, "membrane '%s': there is no group '%s'",
                     def->name, def->group);
}

static void release(struct world *world, struct membrane *membrane) {
    signal_free(world->memory, &membrane->signal);
    memory_free(world->memory, membrane->elements, membrane->capacity, sizeof *membrane->elements);
    memory_free(world->memory, membrane->meshed_at, membrane->meshed_capacity,
                sizeof *membrane->meshed_at);
}

talus_status membrane_add(struct world *world, const talus_membrane_def *def, talus_error *err) {
    struct membrane membrane = {.count = 0};
    TALUS_TRY(check(world, def, &membrane, err));
    struct membrane *all =
        memory_reserve(world->memory, world->membranes, &world->membrane_capacity,
                       world->membrane_count + 1, sizeof *all);
    if (all == NULL) return error_memory(err);
    world->membranes = all;
    TALUS_TRY(signal_copy(world->memory, &def->pressure, def->name, &membrane.signal, err));
    talus_status status = check_pressure(def->name, &membrane.signal, err);
    if (status >= 0) status = mesh(world, &membrane, err);
    if (status >= 0) status = reserve_forces(world, err);
    if (status < 0) {
        release(world, &membrane);
        return status;
    }
    world->membranes[world->membrane_count++] = membrane;
    membranes_press(world, world->time);
    return TALUS_OK;
}

static talus_status say_unknown(const char *name, talus_error *err) {
    return error_set(err, TALUS_ERR_UNKNOWN_NAME, "there is no membrane '%s'", name);
}

talus_status membrane_remove(struct world *world, const char *name, talus_error *err) {
    struct membrane *membrane = find(world, name);
    if (membrane == NULL) return say_unknown(name, err);
    release(world, membrane);
    struct membrane *last = &world->membranes[--world->membrane_count];
    memmove(membrane, membrane + 1, (size_t)(last - membrane) * sizeof *membrane);
    if (world->membrane_count == 0) world->membrane_force_count = 0;
    return TALUS_OK;
}

talus_status membrane_set_pressure(struct world *world, const char *name,
                                   const talus_signal *pressure, talus_error *err) {
    struct membrane *membrane = find(world, name);
    talus_signal copy;
    if (membrane == NULL) return say_unknown(name, err);
    TALUS_TRY(signal_copy(world->memory, pressure, name, &copy, err));
    talus_status status = check_pressure(name, &copy, err);
    signal_free(world->memory, status < 0 ? &copy : &membrane->signal);
    if (status >= 0) membrane->signal = copy;
    return status;
}

const struct membrane *membrane_at(const struct world *world, const struct boundary *boundary) {
    int32_t index = (int32_t)(boundary - world->boundaries);
    for (size_t m = 0; m < world->membrane_count; m++)
        for (int k = 0; k < 2; k++)
            if (world->membranes[m].plates[k] == index) return &world->membranes[m];
    return NULL;
}

void membranes_free(struct world *world) {
    for (size_t m = 0; m < world->membrane_count; m++) release(world, &world->membranes[m]);
    memory_free(world->memory, world->membranes, world->membrane_capacity,
                sizeof *world->membranes);
    memory_free(world->memory, world->membrane_forces, world->membrane_force_capacity,
                sizeof *world->membrane_forces);
}
