/* SPDX-License-Identifier: Apache-2.0
 *
 * Fitting is exact. Let a ball have camera coordinates (x, y, z) relative to some point, radius r, and
 * the eye stand at distance D before that point. It is inside the right side of a frame with half
 * opening h when x + r sqrt(1 + h^2) <= h (D + z), and likewise for the other three sides. The largest
 * x - h z + r sqrt(1 + h^2) of all balls and its mirror image then give the smallest D and where the
 * middle has to be.
 */
#include "io/camera.h"

static const double half_opening = 0.26; /* of the taller or wider side: about 30 degrees in all */

struct sides { /* largest excess over the four sides */
    double right, left, top, bottom;
};

static void sides_add(struct sides *sides, vec3 p, double r, double hx, double hy) {
    double rx = r * sqrt(1.0 + hx * hx), ry = r * sqrt(1.0 + hy * hy);
    sides->right = fmax(sides->right, p.x - hx * p.z + rx);
    sides->left = fmax(sides->left, -p.x - hx * p.z + rx);
    sides->top = fmax(sides->top, p.y - hy * p.z + ry);
    sides->bottom = fmax(sides->bottom, -p.y - hy * p.z + ry);
}

static void sides_add_cylinder(struct sides *sides, const struct picture_wall *wall,
                               const struct camera *camera, double hx, double hy) {
    enum { POINTS = 24 };
    for (int k = 0; k < 2 * POINTS; k++)
        sides_add(sides, camera_place(camera, picture_rim(wall, k % 2 == 0, k / 2, POINTS)), 0.0,
                  hx, hy);
}

/* A floor may run out of the frame; all other walls count with their outlines. */
static void sides_add_walls(struct sides *sides, const struct picture *picture,
                            const struct camera *camera, double hx, double hy) {
    for (size_t w = 0; w < picture->wall_count; w++) {
        const struct picture_wall *wall = &picture->walls[w];
        if (picture_is_floor(wall)) continue;
        for (int k = 0; k < wall->corner_count; k++)
            sides_add(sides, camera_place(camera, wall->corners[k]), 0.0, hx, hy);
        if (wall->shape == TALUS_CYLINDER_INSIDE || wall->shape == TALUS_CYLINDER_OUTSIDE)
            sides_add_cylinder(sides, wall, camera, hx, hy);
    }
}

static void sides_add_box(struct sides *sides, const struct picture *picture,
                          const struct camera *camera, double hx, double hy) {
    const vec3 ends[2] = {picture->low, picture->high};
    for (int k = 0; k < 8; k++) {
        vec3 corner = vec3_make(ends[k & 1].x, ends[k >> 1 & 1].y, ends[k >> 2].z);
        sides_add(sides, camera_place(camera, corner), 0.0, hx, hy);
    }
}

static struct sides all_sides(const struct picture *picture, const struct camera *camera, double hx,
                              double hy) {
    struct sides sides = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    if (picture->fixed) {
        sides_add_box(&sides, picture, camera, hx, hy);
        return sides;
    }
    for (size_t i = 0; i < picture->grain_count; i++)
        sides_add(&sides, camera_place(camera, picture->grains[i].position),
                  picture->grains[i].radius, hx, hy);
    sides_add_walls(&sides, picture, camera, hx, hy);
    if (sides.right == -HUGE_VAL) { /* nothing to see */
        sides_add(&sides, camera_place(camera, picture->low), 0.0, hx, hy);
        sides_add(&sides, camera_place(camera, picture->high), 0.0, hx, hy);
    }
    return sides;
}

struct camera camera_fit(const struct picture *picture, const struct picture_frame *frame,
                         double azimuth, double elevation) {
    const double degree = 0.017453292519943295;
    double ca = cos(azimuth * degree), sa = sin(azimuth * degree);
    double ce = cos(elevation * degree), se = sin(elevation * degree);
    vec3 back = vec3_make(ce * ca, ce * sa, se);
    struct camera camera = {.eye = vec3_scale(0.5, vec3_add(picture->low, picture->high)),
                            .right = vec3_make(-sa, ca, 0.0),
                            .forward = vec3_scale(-1.0, back)};
    camera.up = vec3_cross(back, camera.right);

    double longer = fmax(frame->width, frame->height);
    double hx = half_opening * frame->width / longer, hy = half_opening * frame->height / longer;
    struct sides sides = all_sides(picture, &camera, hx, hy);
    double distance =
        fmax((sides.right + sides.left) / (2.0 * hx), (sides.top + sides.bottom) / (2.0 * hy));
    camera.eye = vec3_add_scaled(camera.eye, 0.5 * (sides.right - sides.left), camera.right);
    camera.eye = vec3_add_scaled(camera.eye, 0.5 * (sides.top - sides.bottom), camera.up);
    camera.eye = vec3_add_scaled(camera.eye, distance, back);
    camera.unit = 0.5 * longer / half_opening;
    camera.cx = frame->left + 0.5 * frame->width;
    camera.cy = frame->top + 0.5 * frame->height;
    return camera;
}
