/* SPDX-License-Identifier: Apache-2.0
 *
 * dt: auto. The engine knows the grains that are there; what sources will pour later is known here
 * only. The rule is the same: the fastest motion to be expected crosses 5 % of the smallest radius.
 */
#include "geom/shape.h"
#include "scene/build.h"
#include "scene/generate.h"
#include "sim/sim.h"

static const double share = 0.05; /* of the smallest radius, in one step; as talus_sim_advise_dt */

struct box {
    vec3 low, high;
};

static void include_point(struct box *box, vec3 at) {
    box->low = vec3_make(fmin(box->low.x, at.x), fmin(box->low.y, at.y), fmin(box->low.z, at.z));
    box->high =
        vec3_make(fmax(box->high.x, at.x), fmax(box->high.y, at.y), fmax(box->high.z, at.z));
}

/* How far poured grains may fall: the diagonal of the box around regions and boundary points. */
static double fall_height(const talus_scene *scene) {
    struct region_space first = region_space(&scene->sources[0].region, &scene->config);
    struct box box = {first.low, first.high};
    for (size_t s = 0; s < scene->source_count; s++) {
        struct region_space space = region_space(&scene->sources[s].region, &scene->config);
        include_point(&box, space.low);
        include_point(&box, space.high);
    }
    for (size_t i = 0; i < scene->boundary_count; i++) {
        include_point(&box, scene->boundaries[i].def.point);
    }
    return vec3_norm(vec3_sub(box.high, box.low));
}

/* Speed squared of the fastest grain that a source makes. */
static double source_speed2(const struct scene_source *source, int dimension) {
    double speed = vec3_norm(source->velocity) + source->velocity_jitter * sqrt(dimension);
    return speed * speed;
}

static double poured_dt(const talus_scene *scene) {
    double g = vec3_norm(scene->config.gravity), fall2 = 2.0 * g * fall_height(scene),
           dt = HUGE_VAL;
    for (size_t s = 0; s < scene->source_count; s++) {
        const struct scene_source *source = &scene->sources[s];
        double speed = sqrt(source_speed2(source, scene->config.dim) + fall2);
        if (speed > 0.0) dt = fmin(dt, share * scene_size_smallest(&source->size) / speed);
    }
    return dt;
}

/* kg, of the lightest grain that a source makes. */
static double source_mass(const struct scene_source *source, const talus_sim *sim) {
    double r = scene_size_smallest(&source->size), least = HUGE_VAL; /* of density 1 */
    if (source->mass > 0.0) return source->mass;
    if (source->form == NULL) least = shape_get(shape_find(source->shape))->volume(r);
    for (size_t k = 0; source->form != NULL && k < source->form->variant_count; k++) {
        talus_shape_view shape;
        if (!talus_shape_find(sim, source->form->variants[k].name, &shape)) continue;
        least = fmin(least, shape.mass * pow(r / shape.reach, sim->world.dim));
    }
    return sim->world.materials[source->material].density * least;
}

/* Soft grains: the rules of the engine with the lightest grains that any two sources make. */
static double poured_soft_dt(const talus_scene *scene, const talus_sim *sim) {
    double g = vec3_norm(scene->config.gravity), fall2 = 2.0 * g * fall_height(scene),
           dt = HUGE_VAL;
    for (size_t s = 0; s < scene->source_count; s++)
        for (size_t t = s; t < scene->source_count; t++) {
            const struct scene_source *pair[2] = {&scene->sources[s], &scene->sources[t]};
            struct soft_newcomers newcomers;
            double speed = 0.0; /* of both against each other */
            for (int k = 0; k < 2; k++) {
                newcomers.material[k] = pair[k]->material;
                newcomers.mass[k] = source_mass(pair[k], sim);
                speed += sqrt(fall2 + source_speed2(pair[k], scene->config.dim));
            }
            struct soft_limits limits = sim_soft_limits(sim, speed, &newcomers);
            dt = fmin(dt, fmin(limits.collision, limits.friction));
        }
    return dt;
}

double build_auto_dt(const talus_scene *scene, const talus_sim *sim) {
    double dt =
        scene->generator_count > 0 || scene->from != NULL ? talus_sim_advise_dt(sim) : HUGE_VAL;
    if (scene->source_count > 0) dt = fmin(dt, poured_dt(scene));
    if (scene->source_count > 0 && scene->config.method == TALUS_METHOD_MD)
        dt = fmin(dt, poured_soft_dt(scene, sim));
    return isfinite(dt) && dt > 0.0 ? dt : talus_sim_dt(sim);
}
