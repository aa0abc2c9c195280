/* SPDX-License-Identifier: Apache-2.0
 *
 * Grains that are not round: which variant of the shape, how large, how it is turned. Proven by
 * tests/unit/test_scene_shapes.c.
 */
#include "scene/generate.h"

static const double pi = 3.14159265358979323846;

struct grain_draw grain_draw(const struct scene_size *size, const struct scene_shape *form,
                             struct random *radii, struct random *variants) {
    struct grain_draw draw = {.variant = 0};
    if (form != NULL && form->variant_count > 1) {
        draw.variant = (int32_t)random_below(variants, (uint32_t)form->variant_count);
    }
    draw.radius = size->kind == SCENE_SIZE_OWN ? form->variants[draw.variant].reach
                                               : scene_size_draw(size, radii);
    return draw;
}

/* By how much the grain is larger than its shape was given. */
static double scale_of(const struct scene_shape *form, struct grain_draw draw) {
    return draw.radius / form->variants[draw.variant].reach;
}

double grain_solid(const struct scene_shape *form, struct grain_draw draw, int dimension) {
    if (form == NULL) return grain_measure(draw.radius, dimension);
    double scale = scale_of(form, draw);
    return form->variants[draw.variant].volume * scale * scale * (dimension == 3 ? scale : 1.0);
}

const char *grain_shape(const struct scene_shape *form, int32_t variant, const char *round) {
    return form != NULL ? form->variants[variant].name : round;
}

vec3 grain_centre(const struct scene_shape *form, struct grain_draw draw, vec3 origin, quat turn) {
    if (form == NULL) return origin;
    vec3 centre = vec3_scale(scale_of(form, draw), form->variants[draw.variant].centre);
    return vec3_add(origin, quat_rotate(turn, centre));
}

/* All rotations equally likely: a point on the sphere in four dimensions, drawn by two angles and
 * the share of the two planes in them (K. Shoemake, 1992). */
static quat draw_rotation(struct random *random) {
    double share = random_uniform(random);
    double one = 2.0 * pi * random_uniform(random), two = 2.0 * pi * random_uniform(random);
    double low = sqrt(1.0 - share), high = sqrt(share);
    return (quat){high * cos(two), low * sin(one), low * cos(one), high * sin(two)};
}

quat turn_draw(const struct scene_turn *turn, int dimension, struct random *random) {
    if (!turn->random) return turn->given;
    if (dimension == 3) return draw_rotation(random);
    double half = pi * random_uniform(random);
    return (quat){cos(half), 0.0, 0.0, sin(half)};
}

quat generate_turn(const struct generate *generate, size_t i) {
    const struct scene_generator *generator = generate->generator;
    const struct scene_turn *turn =
        generator->kind == SCENE_LIST ? &generator->bodies[i].turn : &generator->turn;
    uint64_t major = ((uint64_t)generate->number << 40) + i;
    struct random random =
        random_start(generate->scene->config.seed, RANDOM_GENERATE, major, DRAW_TURN);
    return turn_draw(turn, generate->scene->config.dim, &random);
}
