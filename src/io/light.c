/* SPDX-License-Identifier: Apache-2.0
 *
 * Sky. Seen from a surface point, a ball of radius r at distance d covers the share
 * (r/d)^2 cos(theta) of the cosine-weighted sky when it stands wholly above the horizon, theta being
 * the angle from the normal to its centre. With s = r/d and c = cos(theta) we use
 *     s^2 c              for c >= s     (above the horizon: exact)
 *     s (c + s)^2 / 4    for |c| < s    (cut by it: smooth in value and slope)
 *     0                  for c <= -s
 * and multiply what several balls leave, as if they stood independently.
 */
#include "io/light.h"

#include <math.h>

#include "base/error.h"

enum { MAP_SIDE = 2048, CELLS_PER_BALL = 4, CELLS_PER_SIDE = 65536 };

/* ---- grid ------------------------------------------------------------------------------------ */

static int cell_of(double x, double low, double cell, int cells) {
    double k = floor((x - low) / cell);
    return k < 0.0 ? 0 : k >= (double)cells ? cells - 1 : (int)k;
}

struct cell_box {
    int low[3], high[3];
};

/* Cells from which the ball may matter. */
static struct cell_box cells_of(const struct light *light, const struct ball *ball) {
    const double x[3] = {ball->center.x, ball->center.y, ball->center.z};
    const double low[3] = {light->low.x, light->low.y, light->low.z};
    double r = ball->radius + light->reach;
    struct cell_box box;
    for (int a = 0; a < 3; a++) {
        box.low[a] = cell_of(x[a] - r, low[a], light->cell, light->cells[a]);
        box.high[a] = cell_of(x[a] + r, low[a], light->cell, light->cells[a]);
    }
    return box;
}

static size_t cell_number(const struct light *light, int i, int j, int k) {
    return ((size_t)k * (size_t)light->cells[1] + (size_t)j) * (size_t)light->cells[0] + (size_t)i;
}

/* Cells as large as a grain, larger where that would make more than a few cells for each. */
static void size_grid(struct light *light) {
    vec3 low = light->balls[0].center, high = low;
    for (size_t i = 0; i < light->count; i++) {
        vec3 x = light->balls[i].center;
        double r = light->balls[i].radius + light->reach;
        low = vec3_make(fmin(low.x, x.x - r), fmin(low.y, x.y - r), fmin(low.z, x.z - r));
        high = vec3_make(fmax(high.x, x.x + r), fmax(high.y, x.y + r), fmax(high.z, x.z + r));
    }
    vec3 size = vec3_sub(high, low);
    double volume = size.x * size.y * size.z;
    double most = CELLS_PER_BALL * (double)light->count + 64.0;
    light->low = low;
    double longest = fmax(size.x, fmax(size.y, size.z));
    light->cell = fmax(light->cell, fmax(cbrt(volume / most), longest / CELLS_PER_SIDE));
    const double sides[3] = {size.x, size.y, size.z};
    light->cell_count = 1;
    for (int a = 0; a < 3; a++) {
        light->cells[a] = 1 + (int)(sides[a] / light->cell);
        light->cell_count *= (size_t)light->cells[a];
    }
}

/* For every cell a ball may matter in: count it there, or file its number. */
static void file_balls(struct light *light, bool count_only) {
    for (size_t b = 0; b < light->count; b++) {
        struct cell_box box = cells_of(light, &light->balls[b]);
        for (int k = box.low[2]; k <= box.high[2]; k++)
            for (int j = box.low[1]; j <= box.high[1]; j++)
                for (int i = box.low[0]; i <= box.high[0]; i++) {
                    size_t place = light->starts[cell_number(light, i, j, k) + 1]++;
                    if (!count_only) light->entries[place] = (uint32_t)b;
                }
    }
}

static talus_status create_grid(struct light *light, talus_error *err) {
    size_grid(light);
    light->starts =
        memory_resize(light->memory, NULL, 0, light->cell_count + 2, sizeof *light->starts);
    if (light->starts == NULL) return error_memory(err);
    file_balls(light, true);
    /* starts[c + 1] = number of entries before cell c; filing moves it to their end. */
    size_t sum = 0;
    for (size_t c = 1; c <= light->cell_count; c++) {
        size_t count = light->starts[c];
        light->starts[c] = sum;
        sum += count;
    }
    light->entries = memory_resize(light->memory, NULL, 0, sum, sizeof *light->entries);
    if (light->entries == NULL) return error_memory(err);
    light->entry_count = sum;
    file_balls(light, false);
    return TALUS_OK;
}

static double hidden_by(const struct ball *ball, vec3 point, vec3 normal, double reach) {
    vec3 to = vec3_sub(ball->center, point);
    double d2 = vec3_norm2(to), far = ball->radius + reach;
    if (d2 >= far * far) return 0.0;
    double d = sqrt(d2), c = vec3_dot(to, normal) / d, s = fmin(ball->radius / d, 1.0);
    if (c <= -s) return 0.0;
    double share = c >= s ? s * s * c : 0.25 * s * (c + s) * (c + s);
    double near_share = fmin((far - d) / reach, 1.0); /* fades, so that the reach does not show */
    return share * near_share;
}

double light_sky(const struct light *light, vec3 point, vec3 normal, int64_t owner) {
    if (light->count == 0) return 1.0;
    const double x[3] = {point.x, point.y, point.z};
    const double low[3] = {light->low.x, light->low.y, light->low.z};
    int cell[3];
    for (int a = 0; a < 3; a++) {
        double k = floor((x[a] - low[a]) / light->cell);
        if (k < 0.0 || k >= (double)light->cells[a]) return 1.0;
        cell[a] = (int)k;
    }
    size_t c = cell_number(light, cell[0], cell[1], cell[2]);
    double sky = 1.0;
    for (size_t e = light->starts[c]; e < light->starts[c + 1]; e++) {
        const struct ball *ball = &light->balls[light->entries[e]];
        if (ball->owner != owner || owner == LIGHT_NOBODY)
            sky *= 1.0 - hidden_by(ball, point, normal, light->reach);
    }
    return sky;
}

/* ---- shadow map ------------------------------------------------------------------------------ */

static void size_map(struct light *light, const struct ball *around, size_t count) {
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < count; i++) {
        const struct ball *ball = &around[i];
        const double s[2] = {vec3_dot(ball->center, light->across),
                             vec3_dot(ball->center, light->along)};
        for (int a = 0; a < 2; a++) {
            low[a] = fmin(low[a], s[a] - ball->radius);
            high[a] = fmax(high[a], s[a] + ball->radius);
        }
    }
    light->texel = fmax(high[0] - low[0], high[1] - low[1]) / (MAP_SIDE - 2);
    light->map_count = 1;
    for (int a = 0; a < 2; a++) {
        light->map_low[a] = low[a] - light->texel;
        light->map_size[a] = 2 + (int)ceil((high[a] - low[a]) / light->texel);
        light->map_count *= (size_t)light->map_size[a];
    }
}

static int texel_of(const struct light *light, double s, int axis) {
    double k = floor((s - light->map_low[axis]) / light->texel);
    return k < 0.0 ? 0 : k >= (double)light->map_size[axis] ? light->map_size[axis] - 1 : (int)k;
}

/* Seen from the sun: coordinates in the raster, and height towards the sun. */
static vec3 sun_place(const struct light *light, vec3 a) {
    return vec3_make(vec3_dot(a, light->across), vec3_dot(a, light->along),
                     vec3_dot(a, light->sun));
}

struct texels {
    int left, right, low, high;
};

static struct texels texels_between(const struct light *light, vec3 low, vec3 high) {
    return (struct texels){texel_of(light, low.x, 0), texel_of(light, high.x, 0),
                           texel_of(light, low.y, 1), texel_of(light, high.y, 1)};
}

static double texel_middle(const struct light *light, int k, int axis) {
    return light->map_low[axis] + light->texel * ((double)k + 0.5);
}

static void raise_texel(struct light *light, int x, int y, double height) {
    float *top = &light->map[(size_t)y * (size_t)light->map_size[0] + (size_t)x];
    if ((float)height > *top) *top = (float)height;
}

/* Highest point over a place of the raster of a ball, or -HUGE_VAL. */
static double ball_height(vec3 center, double radius, vec3 place) {
    double dx = place.x - center.x, dy = place.y - center.y;
    double inside = radius * radius - dx * dx - dy * dy;
    return inside > 0.0 ? center.z + sqrt(inside) : -HUGE_VAL;
}

/* A rod seen from the sun. */
struct sun_rod {
    vec3 a, b, e; /* e: unit vector from a to b */
    double length, radius;
    vec3 q; /* part of the sun's direction across e */
};

static struct sun_rod sun_rod(const struct light *light, vec3 a, vec3 b, double radius) {
    struct sun_rod rod = {.a = sun_place(light, a), .b = sun_place(light, b), .radius = radius};
    vec3 axis = vec3_sub(rod.b, rod.a);
    rod.length = vec3_norm(axis);
    if (rod.length > 0.0) rod.e = vec3_scale(1.0 / rod.length, axis);
    rod.q = vec3_tangential(vec3_make(0.0, 0.0, 1.0), rod.e);
    return rod;
}

/* Highest point of a rod over a place: on the mantle |w - (w.e) e| = r with w = place + h sun - a, the
 * larger root h; beyond an end the ball there. Outside the endless mantle there is nothing. */
static double rod_height(const struct sun_rod *rod, vec3 place) {
    vec3 a = rod->a, w = vec3_make(place.x - a.x, place.y - a.y, 0.0);
    vec3 p = vec3_tangential(w, rod->e);
    double k = vec3_norm2(rod->q), m = vec3_dot(p, rod->q);
    double root = m * m - k * (vec3_norm2(p) - rod->radius * rod->radius);
    if (root < 0.0) return -HUGE_VAL;
    double h = k > 1e-14 ? (sqrt(root) - m) / k : 0.0;
    double s = vec3_dot(w, rod->e) + h * rod->e.z;
    if (k > 1e-14 && s >= 0.0 && s <= rod->length) return a.z + h;
    return fmax(ball_height(a, rod->radius, place), ball_height(rod->b, rod->radius, place));
}

void light_cast_rod(struct light *light, vec3 a, vec3 b, double radius) {
    struct sun_rod rod = sun_rod(light, a, b, radius);
    vec3 from = rod.a, to = rod.b;
    vec3 low = vec3_make(fmin(from.x, to.x) - radius, fmin(from.y, to.y) - radius, 0.0);
    vec3 high = vec3_make(fmax(from.x, to.x) + radius, fmax(from.y, to.y) + radius, 0.0);
    float top = (float)(fmax(from.z, to.z) + radius);
    struct texels texels = texels_between(light, low, high);
    for (int y = texels.low; y <= texels.high; y++) {
        const float *row = light->map + (size_t)y * (size_t)light->map_size[0];
        for (int x = texels.left; x <= texels.right; x++) {
            vec3 place = {texel_middle(light, x, 0), texel_middle(light, y, 1), 0.0};
            if (row[x] < top) raise_texel(light, x, y, rod_height(&rod, place));
        }
    }
}

void light_cast_ball(struct light *light, vec3 center, double radius) {
    vec3 middle = sun_place(light, center);
    vec3 low = vec3_make(middle.x - radius, middle.y - radius, 0.0);
    vec3 high = vec3_make(middle.x + radius, middle.y + radius, 0.0);
    struct texels texels = texels_between(light, low, high);
    for (int y = texels.low; y <= texels.high; y++)
        for (int x = texels.left; x <= texels.right; x++) {
            vec3 place = {texel_middle(light, x, 0), texel_middle(light, y, 1), 0.0};
            raise_texel(light, x, y, ball_height(middle, radius, place));
        }
}

/* Where a row of texels at y crosses the face, seen from the sun. */
static bool face_row(const vec3 *places, int count, double y, double *left, double *right) {
    *left = HUGE_VAL;
    *right = -HUGE_VAL;
    for (int k = 0; k < count; k++) {
        vec3 a = places[k], b = places[k + 1 < count ? k + 1 : 0];
        if ((y < a.y) == (y < b.y)) continue;
        double x = a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
        *left = fmin(*left, x);
        *right = fmax(*right, x);
    }
    return *left <= *right;
}

void light_cast_face(struct light *light, const vec3 *corners, vec3 normal, int count) {
    vec3 places[LIGHT_CORNERS], n = sun_place(light, normal);
    if (n.z <= 0.0 || count > LIGHT_CORNERS) return; /* turned away from the sun */
    vec3 low = vec3_make(HUGE_VAL, HUGE_VAL, 0.0), high = vec3_scale(-1.0, low);
    double top =
        -HUGE_VAL; /* a steep face must not rise higher at the middle of a texel beside it */
    for (int k = 0; k < count; k++) {
        places[k] = sun_place(light, corners[k]);
        low = vec3_make(fmin(low.x, places[k].x), fmin(low.y, places[k].y), 0.0);
        high = vec3_make(fmax(high.x, places[k].x), fmax(high.y, places[k].y), 0.0);
        top = fmax(top, places[k].z);
    }
    double left, right;
    for (int y = texel_of(light, low.y, 1); y <= texel_of(light, high.y, 1); y++) {
        double middle = texel_middle(light, y, 1);
        if (!face_row(places, count, middle, &left, &right)) continue;
        for (int x = texel_of(light, left, 0); x <= texel_of(light, right, 0); x++) {
            double dx = texel_middle(light, x, 0) - places[0].x, dy = middle - places[0].y;
            double height = places[0].z - (n.x * dx + n.y * dy) / n.z;
            raise_texel(light, x, y, fmin(height, top));
        }
    }
}

static talus_status create_map(struct light *light, const struct light_scene *scene,
                               talus_error *err) {
    vec3 other = fabs(light->sun.z) < 0.9 ? vec3_make(0.0, 0.0, 1.0) : vec3_make(1.0, 0.0, 0.0);
    vec3 across = vec3_cross(other, light->sun);
    light->across = vec3_scale(1.0 / vec3_norm(across), across);
    light->along = vec3_cross(light->sun, light->across);
    size_map(light, scene->around, scene->around_count);
    light->map = memory_resize(light->memory, NULL, 0, light->map_count, sizeof *light->map);
    if (light->map == NULL) return error_memory(err);
    for (size_t k = 0; k < light->map_count; k++) light->map[k] = -HUGE_VALF;
    return TALUS_OK;
}

/* The mean over a small square of the map makes the edge of a shadow soft. */
double light_sun(const struct light *light, vec3 point, vec3 normal) {
    enum { TAPS = 4 };
    if (light->count == 0) return 1.0;
    double spread = 0.22 * light->reach;
    vec3 p = vec3_add_scaled(point, 0.06 * light->reach, normal); /* out of its own shadow */
    double h = vec3_dot(p, light->sun) + 0.10 * light->reach;
    double s = vec3_dot(p, light->across), t = vec3_dot(p, light->along);
    int lit = 0;
    for (int j = 0; j < TAPS; j++)
        for (int i = 0; i < TAPS; i++) {
            double ds = spread * (((double)i + 0.5) / TAPS - 0.5);
            double dt = spread * (((double)j + 0.5) / TAPS - 0.5);
            double x = floor((s + ds - light->map_low[0]) / light->texel);
            double y = floor((t + dt - light->map_low[1]) / light->texel);
            bool outside = x < 0.0 || y < 0.0 || x >= (double)light->map_size[0] ||
                           y >= (double)light->map_size[1];
            if (outside ||
                (double)light->map[(size_t)y * (size_t)light->map_size[0] + (size_t)x] <= h)
                lit++;
        }
    return (double)lit / (double)(TAPS * TAPS);
}

/* ---- both ------------------------------------------------------------------------------------ */

talus_status light_create(struct light *light, const struct light_scene *scene,
                          struct memory *memory, talus_error *err) {
    *light = (struct light){.balls = scene->balls,
                            .count = scene->count,
                            .sun = scene->sun,
                            .cell = 2.0 * scene->size,
                            .reach = 1.2 * scene->size,
                            .memory = memory};
    if (scene->count == 0) return TALUS_OK;
    TALUS_TRY(create_grid(light, err));
    return create_map(light, scene, err);
}

void light_destroy(struct light *light) {
    memory_free(light->memory, light->starts, light->cell_count + 2, sizeof *light->starts);
    memory_free(light->memory, light->entries, light->entry_count, sizeof *light->entries);
    memory_free(light->memory, light->map, light->map_count, sizeof *light->map);
}
