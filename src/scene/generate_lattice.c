/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows and lattices. `spacing` is always the distance of nearest neighbours:
 *   square, cubic  edge of the cell = spacing
 *   hexagonal      rows in x, sqrt(3)/2 spacing apart, every other one shifted by half a spacing
 *   fcc            edge of the cubic cell = sqrt(2) spacing, 4 grains in a cell
 */
#include "base/error.h"
#include "scene/generate.h"

talus_status generate_row(const struct generate *generate, talus_error *err) {
    const struct scene_generator *generator = generate->generator;
    struct random radii = generate_random(generate, DRAW_RADIUS),
                  variants = generate_random(generate, DRAW_VARIANT);
    for (int i = 0; i < generator->count; i++) {
        vec3 at = vec3_add_scaled(generator->start, i * generator->spacing, generator->direction);
        struct grain_draw draw = grain_draw(&generator->size, generator->form, &radii, &variants);
        struct grain grain = {at, draw.radius, draw.variant};
        if (!grains_add(generate->grains, grain)) return error_memory(err);
    }
    return TALUS_OK;
}

/* Uniform in the unit ball of this dimension. */
static vec3 draw_in_ball(int dimension, struct random *random) {
    for (;;) {
        vec3 at = vec3_zero();
        for (int axis = 0; axis < dimension; axis++) {
            vec3_set_component(&at, axis, 2.0 * random_uniform(random) - 1.0);
        }
        if (vec3_norm2(at) <= 1.0) return at;
    }
}

struct lattice {
    const struct generate *generate;
    struct random radii, variants, shifts;
    double free_shift; /* every grain may move so far without touching a neighbour */
};

static bool add_site(struct lattice *lattice, vec3 site) {
    const struct scene_generator *generator = lattice->generate->generator;
    vec3 at = vec3_add_scaled(generator->start, generator->spacing, site);
    if (lattice->free_shift > 0.0) {
        vec3 shift = draw_in_ball(lattice->generate->scene->config.dim, &lattice->shifts);
        at = vec3_add_scaled(at, lattice->free_shift, shift);
    }
    struct grain_draw draw =
        grain_draw(&generator->size, generator->form, &lattice->radii, &lattice->variants);
    struct grain grain = {at, draw.radius, draw.variant};
    return grains_add(lattice->generate->grains, grain);
}

/* The grains of cell (i, j, k). */
static bool add_cell(struct lattice *lattice, double i, double j, double k) {
    static const vec3 fcc[4] = {{0.0, 0.0, 0.0}, {0.5, 0.5, 0.0}, {0.5, 0.0, 0.5}, {0.0, 0.5, 0.5}};
    const double row_height = 0.86602540378443865 /* sqrt(3)/2 */, edge = 1.4142135623730951;
    switch (lattice->generate->generator->lattice) {
    case SCENE_SQUARE:
    case SCENE_CUBIC: return add_site(lattice, vec3_make(i, j, k));
    case SCENE_HEXAGONAL: {
        double shift = fmod(j, 2.0) == 0.0 ? 0.0 : 0.5;
        return add_site(lattice, vec3_make(i + shift, j * row_height, 0.0));
    }
    case SCENE_FCC:
        for (int n = 0; n < 4; n++) {
            vec3 site = vec3_scale(edge, vec3_add(vec3_make(i, j, k), fcc[n]));
            if (!add_site(lattice, site)) return false;
        }
    }
    return true;
}

talus_status generate_lattice(const struct generate *generate, talus_error *err) {
    const struct scene_generator *generator = generate->generator;
    struct lattice lattice = {.generate = generate,
                              .radii = generate_random(generate, DRAW_RADIUS),
                              .variants = generate_random(generate, DRAW_VARIANT),
                              .shifts = generate_random(generate, DRAW_POSITION)};
    double gap = generator->spacing - 2.0 * scene_size_largest(&generator->size);
    lattice.free_shift = generator->jitter * 0.5 * gap;
    for (int k = 0; k < generator->cells[2]; k++) {
        for (int j = 0; j < generator->cells[1]; j++) {
            for (int i = 0; i < generator->cells[0]; i++) {
                if (!add_cell(&lattice, i, j, k)) return error_memory(err);
            }
        }
    }
    return TALUS_OK;
}
