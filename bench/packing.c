/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/packing.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double radius_least = 0.4, radius_most = 0.55; /* m; wide enough to make no crystal */

static talus_status fail(talus_error *err, talus_status status, const char *what, const char *why) {
    if (err != NULL) {
        err->status = status;
        snprintf(err->text, sizeof err->text, "%.150s: %.80s", what, why);
    }
    return status;
}

static talus_status reserve(struct packing *packing, size_t count, talus_error *err) {
    packing->count = count;
    packing->position = calloc(count, sizeof *packing->position);
    packing->radius = calloc(count, sizeof *packing->radius);
    if (packing->position != NULL && packing->radius != NULL) return TALUS_OK;
    packing_free(packing);
    return fail(err, TALUS_ERR_MEMORY, "packing", "out of memory");
}

void packing_free(struct packing *packing) {
    free(packing->position);
    free(packing->radius);
    packing->position = NULL;
    packing->radius = NULL;
}

/* ---- the deposit ----------------------------------------------------------------------------- */

/* Inside this file grains have `up` along z in any dimension, and x, y sideways. Columns of cells with the grains that lie
 * in them; a cell is as wide as the largest grain, so neighbours are in cells beside each other. */
struct columns {
    int side, depth; /* cells along x, and along y */
    double cell;     /* m */
    int32_t *first;  /* of a column, the latest grain: the highest ones come first, nearly */
    int32_t *next;
};

struct deposit {
    struct packing *packing;
    struct columns columns;
    double top; /* m, highest centre */
};

static double image(const struct packing *packing, double x) {
    return packing->periodic ? x - packing->width * nearbyint(x / packing->width) : x;
}

/* Back into the cell, or off the walls. */
static double keep_inside(const struct packing *packing, double x, double radius) {
    double width = packing->width;
    if (!packing->periodic) return fmin(fmax(x, radius), width - radius);
    x -= width * floor(x / width);
    return x < width ? x : 0.0;
}

static double uniform(uint64_t *state) { /* splitmix64, [0, 1) */
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

enum { NEAR_MOST = 256 };

/* Grains that could touch one at `at` that moves by no more than `reach`. */
static int find_near(const struct deposit *deposit, talus_vec3 at, double radius, double reach,
                     int32_t near[NEAR_MOST]) {
    const struct columns *columns = &deposit->columns;
    const struct packing *packing = deposit->packing;
    int count = 0, ix = (int)floor(at.x / columns->cell), iy = (int)floor(at.y / columns->cell);
    int across = packing->dim == 3 ? 1 : 0;
    for (int dy = -across; dy <= across; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            int x = (ix + dx + columns->side) % columns->side;
            int y = (iy + dy + columns->depth) % columns->depth;
            for (int32_t k = columns->first[y * columns->side + x]; k >= 0 && count < NEAR_MOST;
                 k = columns->next[k]) {
                double dz = at.z - packing->position[k].z;
                if (fabs(dz) < radius + packing->radius[k] + reach) near[count++] = k;
            }
        }
    return count;
}

/* Out of all others by the shortest way, one after the other, again and again. */
static void push_out(const struct packing *packing, talus_vec3 *at, double radius,
                     const int32_t *near, int count, int rounds) {
    for (int round = 0; round < rounds; round++) {
        bool moved = false;
        for (int k = 0; k < count; k++) {
            talus_vec3 other = packing->position[near[k]];
            double x = image(packing, at->x - other.x), y = 0.0, z = at->z - other.z;
            if (packing->dim == 3) y = image(packing, at->y - other.y);
            double distance = sqrt(x * x + y * y + z * z);
            double overlap = radius + packing->radius[near[k]] - distance;
            if (!(overlap > 1e-12)) continue;
            double push = overlap / distance;
            at->x += push * x;
            at->y += push * y;
            at->z += push * z;
            moved = true;
        }
        at->z = fmax(at->z, radius);
        at->x = keep_inside(packing, at->x, radius);
        if (packing->dim == 3) at->y = keep_inside(packing, at->y, radius);
        if (!moved) return;
    }
}

/* Down by short ways, out of what is in between after each, until it gets no lower. */
static talus_vec3 roll_down(const struct deposit *deposit, talus_vec3 at, double radius) {
    enum { WAYS = 4000 };
    const struct packing *packing = deposit->packing;
    const double way = 0.05 * radius, least = 1e-3 * way;
    int32_t near[NEAR_MOST];
    for (int k = 0; k < WAYS; k++) {
        talus_vec3 before = at;
        int count = find_near(deposit, at, radius, way, near);
        at.z -= count > 0 || at.z < 2.0 * radius ? way : 0.5 * radius;
        push_out(packing, &at, radius, near, count, 10);
        if (before.z - at.z < least) break;
    }
    push_out(packing, &at, radius, near, find_near(deposit, at, radius, way, near), 100);
    return at;
}

static void lay(struct deposit *deposit, int32_t i, talus_vec3 at) {
    struct columns *columns = &deposit->columns;
    int x = (int)floor(at.x / columns->cell), y = (int)floor(at.y / columns->cell);
    int column = (y % columns->depth) * columns->side + x % columns->side;
    deposit->packing->position[i] = at;
    columns->next[i] = columns->first[column];
    columns->first[column] = i;
    deposit->top = fmax(deposit->top, at.z);
}

/* From z up to the world's own axes: y is up in the plane. */
static void stand_up(struct packing *packing) {
    if (packing->dim == 3) return;
    for (size_t i = 0; i < packing->count; i++)
        packing->position[i] = (talus_vec3){packing->position[i].x, packing->position[i].z, 0.0};
}

static bool columns_make(struct columns *columns, const struct packing *packing) {
    columns->side = (int)floor(packing->width / (2.0 * radius_most));
    columns->cell = packing->width / columns->side;
    columns->depth = packing->dim == 3 ? columns->side : 1;
    size_t count = (size_t)columns->side * (size_t)columns->depth;
    columns->first = malloc(count * sizeof *columns->first);
    columns->next = malloc(packing->count * sizeof *columns->next);
    if (columns->first == NULL || columns->next == NULL) return false;
    for (size_t k = 0; k < count; k++) columns->first[k] = -1;
    return true;
}

talus_status packing_deposit(struct packing *packing, const struct packing_plan *plan,
                             talus_error *err) {
    const int dim = plan->dim;
    const size_t count = plan->count;
    const double side = dim == 2 ? sqrt((double)count) : cbrt((double)count);
    uint64_t seed = plan->seed;
    *packing = (struct packing){.dim = dim, .periodic = !plan->walls, .width = fmax(5.0, side)};
    talus_status status = reserve(packing, count, err);
    if (status < 0) return status;
    struct deposit deposit = {.packing = packing};
    if (!columns_make(&deposit.columns, packing))
        status = fail(err, TALUS_ERR_MEMORY, "packing", "out of memory");
    for (size_t i = 0; i < count && status >= 0; i++) {
        double radius = radius_least + (radius_most - radius_least) * uniform(&seed);
        talus_vec3 at = {packing->width * uniform(&seed), 0.0, deposit.top + 2.0 * radius_most};
        if (dim == 3) at.y = packing->width * uniform(&seed);
        packing->radius[i] = radius;
        lay(&deposit, (int32_t)i, roll_down(&deposit, at, radius));
    }
    free(deposit.columns.first);
    free(deposit.columns.next);
    stand_up(packing);
    return status;
}

/* ---- a simulation ---------------------------------------------------------------------------- */

double packing_height(const struct packing *packing) {
    double height = 0.0;
    for (size_t i = 0; i < packing->count; i++)
        height = fmax(height, packing->dim == 3 ? packing->position[i].z : packing->position[i].y);
    return height;
}

double packing_diameter(const struct packing *packing) {
    double sum = 0.0;
    for (size_t i = 0; i < packing->count; i++) sum += 2.0 * packing->radius[i];
    return sum / (double)packing->count;
}

static talus_status add_walls(talus_sim *sim, const struct packing *packing, talus_error *err) {
    static const char *const names[5] = {"floor", "left", "right", "front", "back"};
    const talus_vec3 up = {0, packing->dim == 2, packing->dim == 3};
    const talus_vec3 normals[5] = {up, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    talus_status status = TALUS_OK;
    for (int w = 0; w < (packing->periodic ? 1 : 2 * packing->dim - 1) && status >= 0; w++) {
        talus_boundary_def def = talus_boundary_def_default();
        def.name = names[w];
        def.normal = normals[w];
        def.point.x = w == 2 ? packing->width : 0.0;
        def.point.y = w == 4 ? packing->width : 0.0;
        status = talus_boundary_add(sim, &def, err);
    }
    return status;
}

static talus_status add_grains(talus_sim *sim, const struct packing *packing, talus_error *err) {
    talus_body_def *defs = malloc(packing->count * sizeof *defs);
    if (defs == NULL) return fail(err, TALUS_ERR_MEMORY, "packing", "out of memory");
    for (size_t i = 0; i < packing->count; i++) {
        defs[i] = talus_body_def_default(sim);
        defs[i].radius = packing->radius[i];
        defs[i].position = packing->position[i];
    }
    talus_status status = talus_bodies_add(sim, defs, packing->count, NULL, err);
    free(defs);
    return status;
}

talus_status packing_make(const struct packing *packing, double mu,
                          const talus_solver_config *solver, talus_sim **out, talus_error *err) {
    talus_config config = talus_config_default();
    talus_pair_law law = {.mu_static = mu, .mu_sliding = mu};
    talus_material grain;
    talus_sim *sim = NULL;
    config.dim = packing->dim;
    config.dt = packing_dt;
    config.gravity.y = packing->dim == 2 ? -packing_gravity : 0.0;
    config.gravity.z = packing->dim == 3 ? -packing_gravity : 0.0;
    config.cell.periodic[0] = packing->periodic;
    config.cell.periodic[1] = packing->periodic && packing->dim == 3;
    config.cell.size = (talus_vec3){packing->width, packing->width, 0.0};
    config.solver = *solver;
    talus_status status = talus_sim_create(&config, &sim, err);
    if (status >= 0) status = talus_material_add(sim, "grain", 1.0, &grain, err);
    if (status >= 0) status = talus_pair_set(sim, 0, 0, &law, err);
    if (status >= 0) status = add_walls(sim, packing, err);
    if (status >= 0) status = add_grains(sim, packing, err);
    if (status < 0)
        talus_sim_destroy(sim);
    else
        *out = sim;
    return status;
}

/* What the deposit has too little friction to bear falls in, fast and only roughly solved. */
enum { FALL_BLOCK = 20, FALL_BLOCKS = 25, FALL_SWEEPS = 40 };
static const double slow = 0.005; /* J, mean kinetic energy of a grain: that of a fall of d/1000 */

/* Then kinetic energy is taken out again and again, with good forces, until nothing is left to move. */
enum { CALM_BLOCK = 10, CALM_BLOCKS = 30 };
static const double at_rest = 3e-4; /* unbalanced force */

static talus_status do_steps(talus_sim *sim, int steps, talus_error *err) {
    talus_status status = TALUS_OK;
    for (int step = 0; step < steps && status >= 0; step++) status = talus_sim_step(sim, NULL, err);
    return status;
}

static talus_status fall_in(talus_sim *sim, talus_error *err) {
    talus_status status = talus_sim_set_dt(sim, 2.0 * packing_dt, err);
    for (int block = 0; block < FALL_BLOCKS && status >= 0; block++) {
        status = do_steps(sim, FALL_BLOCK, err);
        talus_observables seen = talus_sim_observe(sim);
        if (block > 2 && seen.energy.kinetic_translation < slow * (double)seen.grains) break;
    }
    return status < 0 ? status : talus_sim_set_dt(sim, packing_dt, err);
}

static talus_status calm_down(talus_sim *sim, talus_solver_config solver, double height,
                              talus_error *err) {
    solver.sweeps = (int)fmax(60.0, 1.5 * height);
    talus_status status = talus_sim_set_solver(sim, &solver, err);
    for (int block = 0; block < CALM_BLOCKS && status >= 0; block++) {
        status = talus_group_set_velocity(sim, "grains", (talus_vec3){0, 0, 0}, err);
        if (status >= 0) status = do_steps(sim, CALM_BLOCK, err);
        if (talus_sim_observe(sim).unbalanced_force < at_rest) break;
    }
    return status;
}

talus_status packing_settle(struct packing *packing, double mu, talus_error *err) {
    talus_solver_config solver = talus_solver_plain();
    talus_sim *sim = NULL;
    solver.name = "nnsgs";
    solver.sweep = TALUS_SWEEP_BATCHED;
    solver.sweeps = FALL_SWEEPS;
    talus_status status = packing_make(packing, mu, &solver, &sim, err);
    if (status >= 0) status = fall_in(sim, err);
    if (status >= 0) status = calm_down(sim, solver, packing_height(packing), err);
    if (status >= 0) {
        talus_body_view view = talus_sim_bodies(sim);
        size_t walls = view.count - packing->count; /* they were made first */
        memcpy(packing->position, view.position + walls,
               packing->count * sizeof *packing->position);
    }
    talus_sim_destroy(sim);
    return status < 0 ? status : TALUS_OK;
}

/* ---- files ----------------------------------------------------------------------------------- */

talus_status packing_read(struct packing *packing, const char *path, talus_error *err) {
    FILE *from = fopen(path, "r");
    size_t count = 0;
    *packing = (struct packing){.dim = 0};
    if (from == NULL) return fail(err, TALUS_ERR_FILE, path, strerror(errno));
    bool good = fscanf(from, "%zu %d %lf", &count, &packing->dim, &packing->width) == 3 &&
                packing->dim == 3 && count > 0 && count < 100000000;
    talus_status status = good ? reserve(packing, count, err) : TALUS_OK;
    for (size_t i = 0; i < count && good && status >= 0; i++) {
        talus_vec3 *x = &packing->position[i];
        good = fscanf(from, "%lf %lf %lf %lf", &x->x, &x->y, &x->z, &packing->radius[i]) == 4;
    }
    fclose(from);
    if (good) return status;
    packing_free(packing);
    return fail(err, TALUS_ERR_FILE, path, "not a pile of spheres");
}

talus_status packing_tile(struct packing *packing, const struct packing *from, int tiles,
                          talus_error *err) {
    *packing = *from;
    packing->width = tiles * from->width;
    talus_status status = reserve(packing, (size_t)(tiles * tiles) * from->count, err);
    for (size_t k = 0; k < packing->count && status >= 0; k++) {
        size_t tile = k / from->count, i = k % from->count;
        packing->radius[k] = from->radius[i];
        packing->position[k] = from->position[i];
        packing->position[k].x += (double)(tile % (size_t)tiles) * from->width;
        packing->position[k].y += (double)(tile / (size_t)tiles) * from->width;
    }
    return status;
}
