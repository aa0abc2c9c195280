/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/pile.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A cube that turns fills a sphere of diameter sqrt(3). */
static const double heap_spacing = 1.75;
/* Neighbours in a row do not touch, so that a row bears nothing sideways. */
static const double row_spacing = 1.05;

static talus_status fail(talus_error *err, talus_status status, const char *format, ...) {
    va_list values;
    va_start(values, format);
    if (err != NULL) {
        err->status = status;
        vsnprintf(err->text, sizeof err->text, format, values);
    }
    va_end(values);
    return status;
}

static talus_status reserve(struct pile *pile, size_t count, talus_error *err) {
    pile->count = count;
    pile->position = malloc(count * sizeof *pile->position);
    pile->orientation = malloc(count * sizeof *pile->orientation);
    if (pile->position != NULL && pile->orientation != NULL) return TALUS_OK;
    return fail(err, TALUS_ERR_MEMORY, "out of memory");
}

void pile_free(struct pile *pile) {
    free(pile->position);
    free(pile->orientation);
    *pile = (struct pile){0};
}

/* ---- where boxes start ----------------------------------------------------------------------- */

/* A number in [0, 1) that looks random and is the same everywhere. */
static double scatter(size_t i, int stream) {
    double x = sin(12.9898 * (double)i + 78.233 * stream) * 43758.5453;
    return x - floor(x);
}

/* All orientations equally likely: a point on the unit sphere in four dimensions. */
static talus_quat random_turn(size_t i) {
    const double turn = 6.283185307179586;
    double share = scatter(i, 1), a = turn * scatter(i, 2), b = turn * scatter(i, 3);
    double inner = sqrt(1.0 - share), outer = sqrt(share);
    return (talus_quat){inner * sin(a), inner * cos(a), outer * sin(b), outer * cos(b)};
}

talus_status pile_heap(struct pile *pile, int side, talus_error *err) {
    size_t s = (size_t)side;
    double width = heap_spacing * (side + 0.5);
    *pile = (struct pile){.dim = 3, .width = {width, width}};
    talus_status status = reserve(pile, s * s * s, err);
    for (size_t i = 0; i < pile->count && status >= 0; i++) {
        size_t place[3] = {i % s, i / s % s, i / s / s};
        double shift = place[2] % 2 == 0 ? 0.5 : 1.0; /* or they would fall into columns */
        pile->position[i] = (talus_vec3){heap_spacing * ((double)place[0] + shift),
                                         heap_spacing * ((double)place[1] + shift),
                                         heap_spacing * ((double)place[2] + 0.5)};
        pile->orientation[i] = random_turn(i);
    }
    return status;
}

talus_status pile_wall(struct pile *pile, int length, int layers, talus_error *err) {
    *pile = (struct pile){.dim = 3};
    talus_status status = reserve(pile, (size_t)length * (size_t)layers, err);
    for (size_t i = 0; i < pile->count && status >= 0; i++) {
        size_t layer = i / (size_t)length, place = i % (size_t)length;
        double shift = layer % 2 == 0 ? 0.2 : -0.2;
        pile->position[i] =
            (talus_vec3){row_spacing * ((double)place + shift), 0.0, (double)layer + 0.5};
        pile->orientation[i] = (talus_quat){1.0, 0.0, 0.0, 0.0};
    }
    return status;
}

talus_status pile_pyramid(struct pile *pile, int base, talus_error *err) {
    *pile = (struct pile){.dim = 2};
    talus_status status = reserve(pile, (size_t)(base * (base + 1) / 2), err);
    size_t i = 0;
    for (int layer = 0; layer < base && status >= 0; layer++)
        for (int place = 0; place < base - layer; place++, i++) {
            pile->position[i] = (talus_vec3){row_spacing * (place + 0.5 * layer), layer + 0.5, 0.0};
            pile->orientation[i] = (talus_quat){1.0, 0.0, 0.0, 0.0};
        }
    return status;
}

talus_status pile_copy(struct pile *pile, const struct pile *from, const talus_sim *sim,
                       const int times[2], talus_error *err) {
    talus_body_view view = talus_sim_bodies(sim);
    size_t walls = view.count - from->count, copies = (size_t)(times[0] * times[1]);
    *pile = (struct pile){.dim = from->dim,
                          .width = {times[0] * from->width[0], times[1] * from->width[1]}};
    talus_status status = reserve(pile, copies * from->count, err);
    for (size_t i = 0; i < pile->count && status >= 0; i++) {
        size_t body = walls + i % from->count; /* boundaries were made first */
        int copy = (int)(i / from->count);
        pile->position[i] = view.position[body];
        pile->position[i].x += copy % times[0] * from->width[0];
        pile->position[i].y += copy / times[0] * from->width[1];
        pile->orientation[i] = view.orientation[body];
    }
    return status;
}

talus_status pile_same(struct pile *pile, const struct pile *from, talus_error *err) {
    *pile = (struct pile){.dim = from->dim, .width = {from->width[0], from->width[1]}};
    talus_status status = reserve(pile, from->count, err);
    for (size_t i = 0; i < from->count && status >= 0; i++) {
        pile->position[i] = from->position[i];
        pile->orientation[i] = from->orientation[i];
    }
    return status;
}

/* ---- a simulation ---------------------------------------------------------------------------- */

static talus_status add_plane(talus_sim *sim, const char *name, talus_vec3 point, talus_vec3 normal,
                              talus_error *err) {
    talus_boundary_def def = talus_boundary_def_default();
    def.name = name;
    def.point = point;
    def.normal = normal;
    return talus_boundary_add(sim, &def, err);
}

static talus_status add_walls(talus_sim *sim, const struct pile *pile, talus_error *err) {
    double x = pile->width[0], y = pile->width[1];
    talus_vec3 origin = {0, 0, 0}, up = {0, pile->dim == 2, pile->dim == 3};
    talus_status status = add_plane(sim, "floor", origin, up, err);
    if (x == 0.0) return status;
    if (status >= 0) status = add_plane(sim, "left", origin, (talus_vec3){1, 0, 0}, err);
    if (status >= 0)
        status = add_plane(sim, "right", (talus_vec3){x, 0, 0}, (talus_vec3){-1, 0, 0}, err);
    if (status >= 0) status = add_plane(sim, "front", origin, (talus_vec3){0, 1, 0}, err);
    if (status >= 0)
        status = add_plane(sim, "back", (talus_vec3){0, y, 0}, (talus_vec3){0, -1, 0}, err);
    return status;
}

static talus_status add_shape(talus_sim *sim, int dim, talus_error *err) {
    talus_vec3 corners[8];
    for (int k = 0; k < 8; k++)
        corners[k] = (talus_vec3){k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5};
    for (int k = 0; k < 8 && dim == 2; k++) corners[k].z = 0.0;
    talus_shape_part part = {.points = corners, .count = dim == 2 ? 4 : 8};
    return talus_shape_add(sim, "box", &part, 1, err);
}

static talus_status add_boxes(talus_sim *sim, const struct pile *pile, talus_error *err) {
    talus_body_def *defs = malloc(pile->count * sizeof *defs);
    if (defs == NULL) return fail(err, TALUS_ERR_MEMORY, "out of memory");
    for (size_t i = 0; i < pile->count; i++) {
        defs[i] = talus_body_def_default(sim);
        defs[i].shape = "box";
        defs[i].radius = 0.0;
        defs[i].position = pile->position[i];
        defs[i].orientation = pile->orientation[i];
    }
    talus_status status = talus_bodies_add(sim, defs, pile->count, NULL, err);
    free(defs);
    return status;
}

talus_status pile_make(const struct pile *pile, const talus_solver_config *solver, talus_sim **out,
                       talus_error *err) {
    talus_config config = talus_config_default();
    talus_pair_law law = {.mu_static = pile_mu, .mu_sliding = pile_mu};
    talus_material stone;
    talus_sim *sim = NULL;
    config.dim = pile->dim;
    config.dt = pile_dt;
    config.gravity.y = pile->dim == 2 ? -pile_gravity : 0.0;
    config.gravity.z = pile->dim == 3 ? -pile_gravity : 0.0;
    config.solver = *solver;
    talus_status status = talus_sim_create(&config, &sim, err);
    if (status >= 0) status = talus_material_add(sim, "stone", 1.0, &stone, err);
    if (status >= 0) status = talus_pair_set(sim, 0, 0, &law, err);
    if (status >= 0) status = add_shape(sim, pile->dim, err);
    if (status >= 0) status = add_walls(sim, pile, err);
    if (status >= 0) status = add_boxes(sim, pile, err);
    if (status < 0)
        talus_sim_destroy(sim);
    else
        *out = sim;
    return status;
}

/* ---- for other engines ----------------------------------------------------------------------- */

talus_status pile_write(const struct pile *pile, const char *path, talus_error *err) {
    FILE *to = fopen(path, "w");
    if (to == NULL) return fail(err, TALUS_ERR_FILE, "%s: %s", path, strerror(errno));
    fprintf(to, "%d %zu %.17g %.17g %.17g %.17g %.17g\n", pile->dim, pile->count, pile->width[0],
            pile->width[1], pile_dt, pile_mu, pile_gravity);
    for (size_t i = 0; i < pile->count; i++) {
        talus_vec3 x = pile->position[i];
        talus_quat q = pile->orientation[i];
        fprintf(to, "%.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", x.x, x.y, x.z, q.w, q.x, q.y,
                q.z);
    }
    bool failed = ferror(to) != 0;
    if (fclose(to) == 0 && !failed) return TALUS_OK;
    return fail(err, TALUS_ERR_FILE, "%s: cannot be written: %s", path, strerror(errno));
}

talus_status pile_read(struct pile *pile, const char *path, talus_error *err) {
    FILE *from = fopen(path, "r");
    if (from == NULL) return fail(err, TALUS_ERR_FILE, "%s: %s", path, strerror(errno));
    bool good = true;
    for (size_t i = 0; i < pile->count && good; i++) {
        talus_vec3 *x = &pile->position[i];
        talus_quat *q = &pile->orientation[i];
        good = fscanf(from, "%lf %lf %lf %lf %lf %lf %lf", &x->x, &x->y, &x->z, &q->w, &q->x, &q->y,
                      &q->z) == 7;
    }
    fclose(from);
    if (good) return TALUS_OK;
    return fail(err, TALUS_ERR_FILE, "%s: not a list of %zu boxes", path, pile->count);
}
