/* SPDX-License-Identifier: Apache-2.0
 * Which colour a ray sees in a picture in space. */
#include "io/picture_solid.h"

/* Colours of light are linear. */
static const struct color edge_color = {0.16, 0.18, 0.22};
static const struct color bar_colors[BAR_KINDS] = {[BAR_WEAK] = {0.72, 0.30, 0.08},
                                                   [BAR_STRONG] = {0.45, 0.035, 0.03},
                                                   [BAR_PULLS] = {0.02, 0.10, 0.42}};
static const struct color ground_color = {0.92, 0.925, 0.935};
static const struct color white = {1.0, 1.0, 1.0};

static const double line_dark = 0.6; /* of the light is missing on the lines of edges */

/* A place of a surface. */
struct spot {
    vec3 point, normal, to_eye;
    int64_t owner;
};

static struct color lit(const struct solid *solid, struct color albedo, const struct spot *spot) {
    double sky = light_sky(&solid->light, spot->point, spot->normal, spot->owner);
    double slope = vec3_dot(spot->normal, solid->light.sun);
    double sun = slope > 0.0 ? light_sun(&solid->light, spot->point, spot->normal) : 0.0;
    double up = 0.5 + 0.5 * spot->normal.z;
    double ambient = sky * (0.36 + 0.28 * up);
    double diffuse = 0.74 * sun * fmax(slope, 0.0);
    vec3 half = vec3_add(solid->light.sun, spot->to_eye);
    double shine = fmax(vec3_dot(spot->normal, half) / vec3_norm(half), 0.0);
    double gloss = 0.10 * sun * pow(shine, 48.0);
    double share = ambient + diffuse;
    return (struct color){albedo.r * share + gloss, albedo.g * share + gloss,
                          albedo.b * share + gloss};
}

static double smooth(double s) {
    s = fmin(fmax(s, 0.0), 1.0);
    return s * s * (3.0 - 2.0 * s);
}

/* How much of the ground shows at a place of the floor: it ends at the other planes and fades away
 * from what stands on it. */
static double ground_share(const struct solid *solid, vec3 p) {
    const struct picture *picture = solid->picture;
    for (size_t w = 0; w < picture->wall_count; w++) {
        const struct picture_wall *wall = &picture->walls[w];
        if (wall->shape != TALUS_PLANE || wall == solid->floor) continue;
        if (vec3_dot(vec3_sub(p, wall->point), wall->normal) < 0.0) return 0.0;
    }
    double dx = fmax(fmax(picture->low.x - p.x, p.x - picture->high.x), 0.0);
    double dy = fmax(fmax(picture->low.y - p.y, p.y - picture->high.y), 0.0);
    double narrow = fmin(picture->high.x - picture->low.x, picture->high.y - picture->low.y);
    return smooth(1.0 - hypot(dx, dy) / (0.5 * narrow));
}

static struct color background(const struct solid *solid, vec3 ray, double *depth) {
    if (solid->floor == NULL) return white;
    const struct camera *camera = &solid->camera;
    vec3 direction = camera_ray(camera, ray.x, ray.y);
    if (direction.z >= 0.0) return white;
    double t = (solid->floor->point.z - camera->eye.z) / direction.z;
    vec3 p = vec3_add_scaled(camera->eye, t, direction);
    double share = ground_share(solid, p);
    if (share <= 0.0) return white;
    vec3 up = vec3_make(0.0, 0.0, 1.0);
    double sky = light_sky(&solid->light, p, up, LIGHT_NOBODY),
           sun = light_sun(&solid->light, p, up);
    double light = 0.55 * sky + 0.45 * sun;
    struct color ground = {ground_color.r * light, ground_color.g * light, ground_color.b * light};
    *depth = t;
    return color_mix(white, ground, share);
}

/* A direction in camera coordinates, in the world. */
static vec3 to_world(const struct camera *camera, vec3 a) {
    return vec3_add(vec3_scale(a.x, camera->right),
                    vec3_add(vec3_scale(a.y, camera->up), vec3_scale(a.z, camera->forward)));
}

static struct spot spot_at(const struct camera *camera, vec3 ray, double depth, vec3 normal) {
    vec3 direction = camera_ray(camera, ray.x, ray.y);
    return (struct spot){.point = vec3_add_scaled(camera->eye, depth, direction),
                         .normal = normal,
                         .to_eye = vec3_scale(-1.0 / vec3_norm(direction), direction),
                         .owner = LIGHT_NOBODY};
}

static struct color shade_ball(const struct solid *solid, vec3 ray, size_t k, double *depth) {
    const struct ball *ball = &solid->balls[k];
    *depth = ray_ball(camera_place(&solid->camera, ball->center), ball->radius, ray);
    struct spot spot = spot_at(&solid->camera, ray, *depth, vec3_zero());
    spot.normal = vec3_scale(1.0 / ball->radius, vec3_sub(spot.point, ball->center));
    spot.owner = ball->owner;
    return lit(solid, solid->colors[k], &spot);
}

static struct color shade_form(const struct solid *solid, vec3 ray, struct raster_label label,
                               double *depth) {
    const struct camera *camera = &solid->camera;
    size_t k = (size_t)label.thing;
    struct placed_form placed = placed_in_camera(&solid->picture->grains[k], solid->shrink, camera);
    struct form_hit hit = form_meet(&placed, label.piece, ray, 1.0 / camera->unit);
    struct spot spot = spot_at(camera, ray, hit.depth, to_world(camera, hit.normal));
    spot.owner = solid_owner(k, hit.part);
    struct color color = lit(solid, solid->colors[k], &spot);
    double share = 1.0 - line_dark * hit.line;
    *depth = hit.depth;
    return (struct color){share * color.r, share * color.g, share * color.b};
}

static struct color shade_rod(const struct solid *solid, vec3 ray, size_t k, double *depth) {
    const struct rod *rod = &solid->rods[k];
    *depth = ray_rod(rod, ray);
    if (k < solid->bar_first[0]) return edge_color;
    vec3 normal = to_world(&solid->camera, rod_normal(rod, vec3_scale(*depth, ray)));
    struct spot spot = spot_at(&solid->camera, ray, *depth, normal);
    int kind = BAR_KINDS - 1;
    while (k < solid->bar_first[kind]) kind--;
    return lit(solid, bar_colors[kind], &spot);
}

struct color solid_shade(const struct solid *solid, vec3 ray, size_t sample) {
    struct raster_label label = solid->raster.label[sample];
    double depth = HUGE_VAL;
    struct color color;
    size_t k = (size_t)label.thing, grains = solid->picture->grain_count;
    if (label.thing == RASTER_NOTHING)
        color = background(solid, ray, &depth);
    else if (k >= grains)
        color = shade_rod(solid, ray, k - grains, &depth);
    else if (solid->picture->grains[k].form == NULL)
        color = shade_ball(solid, ray, k, &depth);
    else
        color = shade_form(solid, ray, label, &depth);
    const struct glass_sight sight = {ray, depth, glass_mesh_first(&solid->glass.mesh, sample)};
    return glass_over(&solid->glass, &sight, color);
}
