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

static double mean_radius(const struct ball *balls, size_t count) {
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) sum += balls[i].radius;
    return count > 0 ? sum / (double)count : 1.0;
}

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

double light_sky(const struct light *light, vec3 point, vec3 normal) {
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
    for (size_t e = light->starts[c]; e < light->starts[c + 1]; e++)
        sky *= 1.0 - hidden_by(&light->balls[light->entries[e]], point, normal, light->reach);
    return sky;
}

/* ---- shadow map ------------------------------------------------------------------------------ */

static void size_map(struct light *light) {
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < light->count; i++) {
        const struct ball *ball = &light->balls[i];
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

static void cast(struct light *light, const struct ball *ball) {
    double p = vec3_dot(ball->center, light->across), q = vec3_dot(ball->center, light->along);
    double h = vec3_dot(ball->center, light->sun), r = ball->radius;
    int first = texel_of(light, p - r, 0), last = texel_of(light, p + r, 0);
    for (int y = texel_of(light, q - r, 1); y <= texel_of(light, q + r, 1); y++) {
        float *row = light->map + (size_t)y * (size_t)light->map_size[0];
        double dq = light->map_low[1] + light->texel * ((double)y + 0.5) - q;
        for (int x = first; x <= last; x++) {
            double dp = light->map_low[0] + light->texel * ((double)x + 0.5) - p;
            double inside = r * r - dp * dp - dq * dq;
            if (inside <= 0.0) continue;
            float top = (float)(h + sqrt(inside));
            if (top > row[x]) row[x] = top;
        }
    }
}

static talus_status create_map(struct light *light, talus_error *err) {
    vec3 other = fabs(light->sun.z) < 0.9 ? vec3_make(0.0, 0.0, 1.0) : vec3_make(1.0, 0.0, 0.0);
    vec3 across = vec3_cross(other, light->sun);
    light->across = vec3_scale(1.0 / vec3_norm(across), across);
    light->along = vec3_cross(light->sun, light->across);
    size_map(light);
    light->map = memory_resize(light->memory, NULL, 0, light->map_count, sizeof *light->map);
    if (light->map == NULL) return error_memory(err);
    for (size_t k = 0; k < light->map_count; k++) light->map[k] = -HUGE_VALF;
    for (size_t i = 0; i < light->count; i++) cast(light, &light->balls[i]);
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

talus_status light_create(struct light *light, const struct ball *balls, size_t count, vec3 sun,
                          struct memory *memory, talus_error *err) {
    double mean = mean_radius(balls, count);
    *light = (struct light){.balls = balls,
                            .count = count,
                            .sun = sun,
                            .cell = 2.0 * mean,
                            .reach = 1.2 * mean,
                            .memory = memory};
    if (count == 0) return TALUS_OK;
    TALUS_TRY(create_grid(light, err));
    return create_map(light, err);
}

void light_destroy(struct light *light) {
    memory_free(light->memory, light->starts, light->cell_count + 2, sizeof *light->starts);
    memory_free(light->memory, light->entries, light->entry_count, sizeof *light->entries);
    memory_free(light->memory, light->map, light->map_count, sizeof *light->map);
}
