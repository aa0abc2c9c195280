/* SPDX-License-Identifier: Apache-2.0
 *
 * Pictures of worlds of three dimensions. Band by band: raster what is nearest at 2 x 2 samples for
 * each pixel, then light it. A pixel whose four samples see the same thing is lit once.
 */
#include "base/error.h"
#include "io/camera.h"
#include "io/glass.h"
#include "io/light.h"
#include "io/raster.h"

enum { SAMPLES = 2, BAND = 32 /* rows of pixels */, RIM_SIDES = 96 };

/* Colours of light are linear. */
static const struct color edge_color = {0.16, 0.18, 0.22};
static const struct color bar_color = {0.45, 0.035, 0.03}; /* pressure */
static const struct color pull_color = {0.02, 0.10, 0.42}; /* tension */
static const struct color ground_color = {0.92, 0.925, 0.935};
static const struct color white = {1.0, 1.0, 1.0};

static const double grain_shrink = 0.25; /* of the radius, where bars are to be seen */
static const double bar_widest = 0.75;   /* diameter of the strongest, in mean radii */

struct solid {
    const struct picture *picture;
    struct camera camera;
    struct glass glass;
    struct light light;
    struct raster raster;
    struct ball *balls;   /* as drawn, in the world */
    struct color *colors; /* of the balls, linear */
    struct rod *rods;     /* edges of walls, then bars; camera coordinates */
    size_t rod_count, rod_capacity, edge_count;
    size_t pull_first; /* of the rods: bars of tension come last */
    const struct picture_wall *floor;
    struct memory *memory;
};

/* ---- what is in it --------------------------------------------------------------------------- */

static talus_status make_balls(struct solid *solid, talus_error *err) {
    const struct picture *picture = solid->picture;
    size_t count = picture->grain_count;
    solid->balls = memory_resize(solid->memory, NULL, 0, count, sizeof *solid->balls);
    solid->colors = memory_resize(solid->memory, NULL, 0, count, sizeof *solid->colors);
    if (solid->balls == NULL || solid->colors == NULL) return error_memory(err);
    double shrink = picture->bar_count > 0 ? grain_shrink : 1.0;
    for (size_t i = 0; i < count; i++) {
        const struct picture_grain *grain = &picture->grains[i];
        solid->balls[i] = (struct ball){grain->position, shrink * grain->radius};
        solid->colors[i] = color_linear(grain->color);
    }
    return TALUS_OK;
}

static void add_rod(struct solid *solid, vec3 a, vec3 b, double radius) {
    solid->rods[solid->rod_count++] =
        (struct rod){camera_place(&solid->camera, a), camera_place(&solid->camera, b), radius};
}

static bool on_another_plane(const struct picture *picture, const struct picture_wall *wall,
                             vec3 a) {
    double near = 1e-6 * vec3_norm(vec3_sub(picture->high, picture->low));
    for (size_t w = 0; w < picture->wall_count; w++) {
        const struct picture_wall *other = &picture->walls[w];
        if (other == wall || other->shape != TALUS_PLANE) continue;
        if (fabs(vec3_dot(vec3_sub(a, other->point), other->normal)) < near) return true;
    }
    return false;
}

/* An open floor has no edge; between other planes it has. */
static void add_floor_edges(struct solid *solid, const struct picture_wall *wall, double radius) {
    for (int k = 0; k < wall->corner_count; k++) {
        vec3 a = wall->corners[k], b = wall->corners[(k + 1) % wall->corner_count];
        if (on_another_plane(solid->picture, wall, vec3_scale(0.5, vec3_add(a, b))))
            add_rod(solid, a, b, radius);
    }
}

static void add_edges(struct solid *solid, const struct picture_wall *wall, double radius) {
    bool plane = wall->shape == TALUS_PLANE;
    if (picture_is_floor(wall)) {
        add_floor_edges(solid, wall, radius);
        return;
    }
    if (plane && vec3_dot(vec3_sub(solid->camera.eye, wall->point), wall->normal) <= 0.0) return;
    for (int k = 0; k < wall->corner_count; k++)
        add_rod(solid, wall->corners[k], wall->corners[(k + 1) % wall->corner_count], radius);
    if (plane || wall->shape == TALUS_RECTANGLE) return;
    for (int k = 0; k < 2 * RIM_SIDES; k++) {
        bool upper = k < RIM_SIDES;
        add_rod(solid, picture_rim(wall, upper, k % RIM_SIDES, RIM_SIDES),
                picture_rim(wall, upper, (k + 1) % RIM_SIDES, RIM_SIDES), radius);
    }
}

static void add_bars(struct solid *solid, bool pulls, double pixel) {
    const struct picture *picture = solid->picture;
    for (size_t k = 0; k < picture->bar_count; k++) {
        const struct picture_bar *bar = &picture->bars[k];
        double radius = 0.5 * bar_widest * picture->mean_radius * bar->force / picture->force_max;
        if (bar->pulls == pulls && radius > 0.15 * pixel)
            add_rod(solid, bar->from, bar->to, radius);
    }
}

static talus_status make_rods(struct solid *solid, talus_error *err) {
    const struct picture *picture = solid->picture;
    size_t most = 2 * RIM_SIDES * picture->wall_count + picture->bar_count;
    solid->rods = memory_resize(solid->memory, NULL, 0, most, sizeof *solid->rods);
    if (solid->rods == NULL) return error_memory(err);
    solid->rod_capacity = most;
    vec3 middle = vec3_scale(0.5, vec3_add(picture->low, picture->high));
    double pixel =
        camera_place(&solid->camera, middle).z / solid->camera.unit; /* m, in the middle */
    for (size_t w = 0; w < picture->wall_count; w++)
        add_edges(solid, &picture->walls[w], 0.6 * pixel);
    solid->edge_count = solid->rod_count;
    add_bars(solid, false, pixel);
    solid->pull_first = solid->rod_count;
    add_bars(solid, true, pixel);
    return TALUS_OK;
}

static const struct picture_wall *find_floor(const struct solid *solid) {
    for (size_t w = 0; w < solid->picture->wall_count; w++) {
        const struct picture_wall *wall = &solid->picture->walls[w];
        if (picture_is_floor(wall) && solid->camera.eye.z > wall->point.z) return wall;
    }
    return NULL;
}

/* The sun stands over the left shoulder of who looks. */
static vec3 sun_direction(double azimuth) {
    const double degree = 0.017453292519943295;
    const double left = -48.0 * degree, elevation = 52.0 * degree;
    double angle = azimuth * degree + left;
    return vec3_make(cos(elevation) * cos(angle), cos(elevation) * sin(angle), sin(elevation));
}

/* ---- light ----------------------------------------------------------------------------------- */

static struct color lit(const struct solid *solid, struct color albedo, vec3 point, vec3 normal,
                        vec3 to_eye) {
    double sky = light_sky(&solid->light, point, normal);
    double slope = vec3_dot(normal, solid->light.sun);
    double sun = slope > 0.0 ? light_sun(&solid->light, point, normal) : 0.0;
    double up = 0.5 + 0.5 * normal.z;
    double ambient = sky * (0.36 + 0.28 * up);
    double diffuse = 0.74 * sun * fmax(slope, 0.0);
    vec3 half = vec3_add(solid->light.sun, to_eye);
    double shine = fmax(vec3_dot(normal, half) / vec3_norm(half), 0.0);
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
    double sky = light_sky(&solid->light, p, up), sun = light_sun(&solid->light, p, up);
    double light = 0.55 * sky + 0.45 * sun;
    struct color ground = {ground_color.r * light, ground_color.g * light, ground_color.b * light};
    *depth = t;
    return color_mix(white, ground, share);
}

/* Outward normal of a rod at a place on it (camera coordinates), in the world. */
static vec3 rod_normal(const struct camera *camera, const struct rod *rod, vec3 place) {
    vec3 axis = vec3_sub(rod->b, rod->a), from_a = vec3_sub(place, rod->a);
    double s = fmin(fmax(vec3_dot(from_a, axis) / vec3_norm2(axis), 0.0), 1.0);
    vec3 n = vec3_scale(1.0 / rod->radius, vec3_add_scaled(from_a, -s, axis));
    return vec3_add(vec3_scale(n.x, camera->right),
                    vec3_add(vec3_scale(n.y, camera->up), vec3_scale(n.z, camera->forward)));
}

/* Colour (linear) of what the ray meets, glass before it included. */
static struct color shade(const struct solid *solid, vec3 ray, int32_t thing) {
    double depth = HUGE_VAL;
    struct color color;
    if (thing == RASTER_NOTHING) {
        color = background(solid, ray, &depth);
        return glass_over(&solid->glass, ray, depth, color);
    }
    const struct camera *camera = &solid->camera;
    vec3 direction = camera_ray(camera, ray.x, ray.y);
    vec3 to_eye = vec3_scale(-1.0 / vec3_norm(direction), direction);
    size_t k = (size_t)thing, grains = solid->picture->grain_count;
    if (k < grains) {
        const struct ball *ball = &solid->balls[k];
        depth = ray_ball(camera_place(camera, ball->center), ball->radius, ray);
        vec3 p = vec3_add_scaled(camera->eye, depth, direction);
        vec3 normal = vec3_scale(1.0 / ball->radius, vec3_sub(p, ball->center));
        color = lit(solid, solid->colors[k], p, normal, to_eye);
    } else if (k - grains < solid->edge_count) {
        depth = ray_rod(&solid->rods[k - grains], ray);
        color = edge_color;
    } else {
        const struct rod *rod = &solid->rods[k - grains];
        depth = ray_rod(rod, ray);
        vec3 p = vec3_add_scaled(camera->eye, depth, direction);
        vec3 normal = rod_normal(camera, rod, vec3_scale(depth, ray));
        bool pulls = k - grains >= solid->pull_first;
        color = lit(solid, pulls ? pull_color : bar_color, p, normal, to_eye);
    }
    return glass_over(&solid->glass, ray, depth, color);
}

/* ---- pixels ---------------------------------------------------------------------------------- */

static vec3 page_ray(const struct camera *camera, double x, double y) {
    return vec3_make((x - camera->cx) / camera->unit, (camera->cy - y) / camera->unit, 1.0);
}

static struct color pixel_color(const struct solid *solid, int x, int y) {
    const struct raster *raster = &solid->raster;
    int32_t things[SAMPLES * SAMPLES];
    vec3 rays[SAMPLES * SAMPLES];
    uint64_t panes[SAMPLES * SAMPLES];
    bool same = true;
    for (int s = 0; s < SAMPLES * SAMPLES; s++) {
        int sx = SAMPLES * x + s % SAMPLES, sy = SAMPLES * y + s / SAMPLES;
        size_t k = (size_t)(sy - raster->first_row) * (size_t)raster->width + (size_t)sx;
        rays[s] =
            page_ray(&solid->camera, ((double)sx + 0.5) / SAMPLES, ((double)sy + 0.5) / SAMPLES);
        things[s] = raster->thing[k];
        panes[s] = glass_before(&solid->glass, rays[s], (double)raster->depth[k]);
        same = same && things[s] == things[0] && panes[s] == panes[0];
    }
    if (same)
        return shade(solid, page_ray(&solid->camera, (double)x + 0.5, (double)y + 0.5), things[0]);
    struct color sum = {0.0, 0.0, 0.0};
    for (int s = 0; s < SAMPLES * SAMPLES; s++) {
        struct color color = shade(solid, rays[s], things[s]);
        const double weight = 1.0 / (SAMPLES * SAMPLES);
        sum = (struct color){sum.r + weight * color.r, sum.g + weight * color.g,
                             sum.b + weight * color.b};
    }
    return sum;
}

static void draw_band(struct solid *solid, struct canvas *canvas, int top) {
    struct raster *raster = &solid->raster;
    raster_begin(raster, SAMPLES * top);
    size_t grains = solid->picture->grain_count;
    for (size_t i = 0; i < grains; i++) {
        const struct ball *ball = &solid->balls[i];
        raster_ball(raster, camera_place(&solid->camera, ball->center), ball->radius, (int32_t)i);
    }
    for (size_t k = 0; k < solid->rod_count; k++)
        raster_rod(raster, &solid->rods[k], (int32_t)(grains + k));
    for (int y = top; y < top + BAND && y < canvas->height; y++)
        for (int x = 0; x < canvas->width; x++)
            canvas_blend(canvas, x, y, color_coded(pixel_color(solid, x, y)), 1.0);
}

static talus_status prepare(struct solid *solid, const struct canvas *canvas, double azimuth,
                            talus_error *err) {
    TALUS_TRY(make_balls(solid, err));
    TALUS_TRY(make_rods(solid, err));
    /* Shrunken grains cast no shadows: they would lie on nothing. */
    size_t casting = solid->picture->bar_count > 0 ? 0 : solid->picture->grain_count;
    TALUS_TRY(light_create(&solid->light, solid->balls, casting, sun_direction(azimuth),
                           solid->memory, err));
    TALUS_TRY(
        raster_create(&solid->raster, SAMPLES * canvas->width, SAMPLES * BAND, solid->memory, err));
    solid->raster.unit = SAMPLES * solid->camera.unit;
    solid->raster.cx = SAMPLES * solid->camera.cx;
    solid->raster.cy = SAMPLES * solid->camera.cy;
    glass_make(&solid->glass, solid->picture, &solid->camera);
    solid->floor = find_floor(solid);
    return TALUS_OK;
}

talus_status picture_solid(struct canvas *canvas, const struct picture *picture,
                           const struct picture_frame *frame, const talus_picture_config *config,
                           talus_error *err) {
    struct solid solid = {.picture = picture, .memory = picture->memory};
    solid.light.memory = solid.raster.memory = picture->memory;
    solid.camera = camera_fit(picture, frame, config->azimuth, config->elevation);
    talus_status status = prepare(&solid, canvas, config->azimuth, err);
    if (status >= 0)
        for (int top = 0; top < canvas->height; top += BAND) draw_band(&solid, canvas, top);
    raster_destroy(&solid.raster);
    light_destroy(&solid.light);
    memory_free(solid.memory, solid.rods, solid.rod_capacity, sizeof *solid.rods);
    memory_free(solid.memory, solid.balls, picture->grain_count, sizeof *solid.balls);
    memory_free(solid.memory, solid.colors, picture->grain_count, sizeof *solid.colors);
    return status;
}
