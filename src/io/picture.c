/* SPDX-License-Identifier: Apache-2.0 */
#include "io/picture.h"

#include "base/error.h"
#include "io/png_file.h"

enum { SIDE_MIN = 16, SIDE_MAX = 8192 };

talus_picture_config talus_picture_config_default(void) {
    return (talus_picture_config){.width = 1200,
                                  .height = 900,
                                  .color = "speed",
                                  .boundaries = true,
                                  .grains = true,
                                  .azimuth = 35.0,
                                  .elevation = 20.0,
                                  .legend = true};
}

static talus_status check_side(const char *name, int value, talus_error *err) {
    if (value >= SIDE_MIN && value <= SIDE_MAX) return TALUS_OK;
    return error_set(err, TALUS_ERR_INPUT, "picture.%s is %d; allowed are %d to %d pixels", name,
                     value, SIDE_MIN, SIDE_MAX);
}

bool picture_is_fixed(const talus_picture_config *config) {
    return vec3_norm2(config->low) > 0.0 || vec3_norm2(config->high) > 0.0;
}

static talus_status check_view(const talus_picture_config *config, int dim, talus_error *err) {
    vec3 low = config->low, high = config->high, size = vec3_sub(high, low);
    if (!picture_is_fixed(config)) return TALUS_OK;
    if (isfinite(vec3_norm2(low)) && isfinite(vec3_norm2(high)) && size.x > 0.0 && size.y > 0.0 &&
        (size.z > 0.0 || dim < 3))
        return TALUS_OK;
    return error_set(err, TALUS_ERR_INPUT,
                     "picture.low is [%g, %g, %g], picture.high [%g, %g, %g]; they have to be "
                     "finite, and high above low",
                     low.x, low.y, low.z, high.x, high.y, high.z);
}

static talus_status check_scales(const talus_picture_config *config, talus_error *err) {
    const double *range = config->range;
    if (config->map != NULL && colormap_find(config->map) == COLORMAPS)
        return error_set(err, TALUS_ERR_UNKNOWN_NAME,
                         "picture.map is '%s'; allowed are lake, grey, tide", config->map);
    bool given = range[0] != 0.0 || range[1] != 0.0;
    if (given && !(isfinite(range[0]) && isfinite(range[1]) && range[0] < range[1]))
        return error_set(err, TALUS_ERR_INPUT,
                         "picture.range is %g to %g; it has to be finite, and the second above the "
                         "first",
                         range[0], range[1]);
    if (!(config->force_widest >= 0.0) || !isfinite(config->force_widest))
        return error_set(err, TALUS_ERR_INPUT, "picture.force_widest is %g; it has to be 0 or more",
                         config->force_widest);
    return TALUS_OK;
}

talus_status picture_check(const talus_picture_config *config, int dim, talus_error *err) {
    TALUS_TRY(check_side("width", config->width, err));
    TALUS_TRY(check_side("height", config->height, err));
    TALUS_TRY(check_scales(config, err));
    if (!isfinite(config->azimuth))
        return error_set(err, TALUS_ERR_INPUT, "picture.azimuth is %g; it has to be finite",
                         config->azimuth);
    if (!(fabs(config->elevation) <= 90.0))
        return error_set(err, TALUS_ERR_INPUT, "picture.elevation is %g; allowed are -90 to 90 deg",
                         config->elevation);
    return check_view(config, dim, err);
}

static talus_status draw(struct canvas *canvas, const struct picture *picture,
                         const talus_picture_config *config, talus_error *err) {
    const double margin =
        0.03 * (double)(canvas->width < canvas->height ? canvas->width : canvas->height);
    struct picture_frame frame = {margin, margin, (double)canvas->width - 2.0 * margin,
                                  (double)canvas->height - 2.0 * margin};
    double right = picture_legend_width(picture, canvas), below = picture_caption_height(canvas);
    /* a stamp-sized picture has no room for words */
    bool legend = config->legend && frame.width - right > 0.5 * (double)canvas->width;
    if (legend) {
        frame.width -= right;
        frame.height -= below;
    }
    if (config->title != NULL) {
        double above = picture_caption_height(canvas);
        frame.top += above;
        frame.height -= above;
    }
    if (picture->dim < 3)
        picture_flat(canvas, picture, &frame);
    else
        TALUS_TRY(picture_solid(canvas, picture, &frame, config, err));
    if (legend) picture_legend(canvas, picture);
    if (config->title != NULL) picture_title(canvas, config->title);
    return TALUS_OK;
}

talus_status picture_draw(const struct picture *picture, const talus_picture_config *config,
                          const char *path, talus_error *err) {
    struct canvas canvas = {0};
    talus_status status =
        canvas_create(&canvas, config->width, config->height, picture->memory, err);
    if (status >= 0) status = draw(&canvas, picture, config, err);
    if (status >= 0) status = png_file_write(&canvas, path, err);
    canvas_destroy(&canvas);
    return status;
}

talus_status picture_write(const talus_sim *sim, const talus_picture_config *config,
                           const char *path, struct memory *memory, talus_error *err) {
    if (config->color == NULL || !picture_color_known(config->color))
        return error_set(err, TALUS_ERR_UNKNOWN_NAME, "picture.color is '%s'; allowed are %s",
                         config->color == NULL ? "" : config->color, picture_color_names);
    TALUS_TRY(picture_check(config, talus_sim_dim(sim), err));
    struct picture picture;
    talus_status status = picture_gather(&picture, sim, config, memory, err);
    if (status >= 0) status = picture_draw(&picture, config, path, err);
    picture_free(&picture);
    return status;
}

talus_status talus_picture_write(const talus_sim *sim, const talus_picture_config *config,
                                 const char *path, talus_error *err) {
    struct memory memory = {0};
    return picture_write(sim, config, path, &memory, err);
}
