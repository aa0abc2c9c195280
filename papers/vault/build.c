/* SPDX-License-Identifier: Apache-2.0
 *
 * The bridge: an arch between two piers, filled up to a level deck; nothing holds it from outside.
 * Over every stone of the arch stands a column as wide as that stone from above, cut into courses.
 * Its lowest block has the slope of the stone below it; the others, and the piers, are rectangles.
 * The joints of neighbouring columns are at different heights, but no block reaches over two
 * columns, so the arch and friction alone hold them together.
 */
#include <math.h>

#include "papers/vault/vault.h"

static const double deck = 1.45, course = 0.3,
                    pier = 0.5; /* m: height, largest of a block, width */

/* A block with these corners, where they are. */
static talus_status add_block(talus_sim *sim, const char *name, const talus_vec3 corner[4],
                              const char *group, talus_error *err) {
    talus_shape_part part = {.points = corner, .count = 4};
    talus_shape_view shape;
    talus_status status = talus_shape_add(sim, name, &part, 1, err);
    if (status < 0) return status;
    talus_shape_find(sim, name, &shape);
    talus_body_def def = talus_body_def_default(sim);
    def.shape = name;
    def.radius = 0.0;
    def.group = group;
    def.position = shape.centre;
    return talus_bodies_add(sim, &def, 1, NULL, err);
}

/* Blocks up to the deck on the line from left to right. */
static talus_status add_column(talus_sim *sim, const char *name, talus_vec3 left, talus_vec3 right,
                               talus_error *err) {
    talus_status status = TALUS_OK;
    double top = fmax(left.y, right.y);
    int count = (int)ceil((deck - top) / course);
    for (int k = 0; k < count && status >= 0; k++) {
        char block[48];
        double level = top + (deck - top) * (k + 1) / count;
        talus_vec3 corner[4] = {left, right, {right.x, level, 0}, {left.x, level, 0}};
        snprintf(block, sizeof block, "%s.%d", name, k);
        status = add_block(sim, block, corner, "fill", err);
        left.y = right.y = level;
    }
    return status;
}

static talus_status add_fill(talus_sim *sim, const struct arch *arch, talus_error *err) {
    double half = 1.0 + 0.5 * arch->thickness;
    talus_status status = TALUS_OK;
    for (int i = 0; i < arch->stones && status >= 0; i++) {
        char name[16];
        talus_vec3 below[4];
        arch_corners(arch, i, below);
        snprintf(name, sizeof name, "fill%d", i);
        status = add_column(sim, name, below[2], below[1], err);
    }
    for (int side = -1; side <= 1 && status >= 0; side += 2) {
        talus_vec3 left = {side < 0 ? -half - pier : half, 0, 0};
        talus_vec3 right = {left.x + pier, 0, 0};
        status = add_column(sim, side < 0 ? "left pier" : "right pier", left, right, err);
    }
    return status;
}

/* What is at rest can be solved well, and must be where the question is whether it moves. The low
 * cap for the others matters after impacts, when stones that have nearly closed make steps that
 * converge slowly: a few in a thousand are cut short. */
talus_status vault_make(const struct vault *vault, const struct shake *shake, talus_sim **out,
                        talus_error *err) {
    talus_motion motion = shake_motion(shake);
    double half = 0.5 * vault->slenderness;
    talus_vec3 corner[4] = {{-half, 0, 0}, {half, 0, 0}, {half, 1, 0}, {-half, 1, 0}};
    struct arch_world world = {.mu = vault->arch.mu,
                               .dt = shake_dt,
                               .tolerance = vault->patient ? 1e-8 : 1e-6,
                               .max_sweeps = vault->patient ? 500000 : 5000};
    talus_status status = arch_world_make(&world, out, err);
    if (status >= 0) status = arch_ground_add(*out, &motion, err);
    if (status < 0) return status;
    if (vault->kind == VAULT_BLOCK) return add_block(*out, "block", corner, "block", err);
    status = arch_stones_add(*out, &vault->arch, err);
    if (status < 0 || vault->kind == VAULT_ARCH) return status;
    return add_fill(*out, &vault->arch, err);
}

double vault_ground(const talus_sim *sim) {
    return talus_sim_boundary(sim, 0).point.x;
}
