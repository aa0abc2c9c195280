/* SPDX-License-Identifier: Apache-2.0
 *
 * Pictures of worlds of three dimensions. Band by band: raster what is nearest at 2 x 2 samples for
 * each pixel, then light it. A pixel whose four samples see the same thing is lit once.
 */
#include "io/picture_solid.h"

#include "base/error.h"

enum { SAMPLES = 2, BAND = 32 /* rows of pixels */ };

static vec3 page_ray(const struct camera *camera, double x, double y) {
    return vec3_make((x - camera->cx) / camera->unit, (camera->cy - y) / camera->unit, 1.0);
}

static bool same_sight(const struct solid *solid, size_t a, size_t b) {
    const struct raster_label *label = solid->raster.label;
    return label[a].thing == label[b].thing && label[a].piece == label[b].piece &&
           glass_mesh_same(&solid->glass.mesh, &solid->raster, a, b);
}

static struct color pixel_color(const struct solid *solid, int x, int y) {
    const struct raster *raster = &solid->raster;
    size_t samples[SAMPLES * SAMPLES];
    vec3 rays[SAMPLES * SAMPLES];
    uint64_t panes[SAMPLES * SAMPLES];
    bool same = true;
    for (int s = 0; s < SAMPLES * SAMPLES; s++) {
        int sx = SAMPLES * x + s % SAMPLES, sy = SAMPLES * y + s / SAMPLES;
        size_t k = (size_t)(sy - raster->first_row) * (size_t)raster->width + (size_t)sx;
        rays[s] =
            page_ray(&solid->camera, ((double)sx + 0.5) / SAMPLES, ((double)sy + 0.5) / SAMPLES);
        samples[s] = k;
        panes[s] = glass_before(&solid->glass, rays[s], (double)raster->depth[k]);
        same = same && panes[s] == panes[0] && same_sight(solid, k, samples[0]);
    }
    if (same)
        return solid_shade(solid, page_ray(&solid->camera, (double)x + 0.5, (double)y + 0.5),
                           samples[0]);
    struct color sum = {0.0, 0.0, 0.0};
    for (int s = 0; s < SAMPLES * SAMPLES; s++) {
        struct color color = solid_shade(solid, rays[s], samples[s]);
        const double weight = 1.0 / (SAMPLES * SAMPLES);
        sum = (struct color){sum.r + weight * color.r, sum.g + weight * color.g,
                             sum.b + weight * color.b};
    }
    return sum;
}

static void raster_grain(struct solid *solid, size_t i) {
    const struct ball *ball = &solid->balls[i];
    const struct picture_grain *grain = &solid->picture->grains[i];
    vec3 center = camera_place(&solid->camera, ball->center);
    if (grain->form == NULL) {
        raster_ball(&solid->raster, center, ball->radius, (struct raster_label){(int32_t)i, 0});
    } else if (raster_sees(&solid->raster, center, ball->radius)) {
        struct placed_form placed = placed_in_camera(grain, solid->shrink, &solid->camera);
        form_raster(&solid->raster, &placed, (int32_t)i);
    }
}

static talus_status draw_band(struct solid *solid, struct canvas *canvas, int top,
                              talus_error *err) {
    struct raster *raster = &solid->raster;
    raster_begin(raster, SAMPLES * top);
    size_t grains = solid->picture->grain_count;
    for (size_t i = 0; i < grains && !solid->picture->grains_hidden; i++)
        raster_grain(solid, solid->order[i].grain);
    for (size_t k = 0; k < solid->rod_count; k++)
        raster_rod(raster, &solid->rods[k], (struct raster_label){(int32_t)(grains + k), 0});
    TALUS_TRY(glass_mesh_band(&solid->glass.mesh, raster, err));
    for (int y = top; y < top + BAND && y < canvas->height; y++)
        for (int x = 0; x < canvas->width; x++)
            canvas_blend(canvas, x, y, color_coded(pixel_color(solid, x, y)), 1.0);
    return TALUS_OK;
}

static talus_status prepare(struct solid *solid, const struct canvas *canvas, double azimuth,
                            talus_error *err) {
    TALUS_TRY(solid_make(solid, azimuth, err));
    TALUS_TRY(
        raster_create(&solid->raster, SAMPLES * canvas->width, SAMPLES * BAND, solid->memory, err));
    solid->raster.unit = SAMPLES * solid->camera.unit;
    solid->raster.cx = SAMPLES * solid->camera.cx;
    solid->raster.cy = SAMPLES * solid->camera.cy;
    glass_make(&solid->glass, solid->picture, &solid->camera);
    return glass_mesh_create(&solid->glass.mesh, solid->picture, &solid->camera, solid->light.sun,
                             solid->memory, err);
}

talus_status picture_solid(struct canvas *canvas, const struct picture *picture,
                           const struct picture_frame *frame, const talus_picture_config *config,
                           talus_error *err) {
    struct solid solid = {.picture = picture, .memory = picture->memory};
    solid.light.memory = solid.raster.memory = solid.glass.mesh.memory = picture->memory;
    solid.camera = camera_fit(picture, frame, config->azimuth, config->elevation);
    talus_status status = prepare(&solid, canvas, config->azimuth, err);
    for (int top = 0; top < canvas->height && status >= 0; top += BAND)
        status = draw_band(&solid, canvas, top, err);
    raster_destroy(&solid.raster);
    glass_mesh_destroy(&solid.glass.mesh);
    solid_free(&solid);
    return status;
}
