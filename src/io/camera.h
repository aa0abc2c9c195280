/* SPDX-License-Identifier: Apache-2.0
 *
 * A perspective camera with z upwards. Camera coordinates: x to the right, y up, z = depth away from
 * the eye. The ray through a place (u, v) of the image plane is the points t (u, v, 1), t = depth.
 */
#ifndef IO_CAMERA_H
#define IO_CAMERA_H

#include "io/picture.h"

struct camera {
    vec3 eye, right, up, forward;
    double unit;   /* pixels for u = 1 */
    double cx, cy; /* page coordinates of u = v = 0 */
};

/* Look from azimuth and elevation (deg), so near that grains and walls, or the box if it is
 * fixed, just fill the frame. */
struct camera camera_fit(const struct picture *picture, const struct picture_frame *frame,
                         double azimuth, double elevation);

static inline vec3 camera_place(const struct camera *camera, vec3 world) {
    vec3 d = vec3_sub(world, camera->eye);
    return vec3_make(vec3_dot(d, camera->right), vec3_dot(d, camera->up),
                     vec3_dot(d, camera->forward));
}

/* Direction of the ray (u, v) in the world, not normalised: depth t is at eye + t direction. */
static inline vec3 camera_ray(const struct camera *camera, double u, double v) {
    return vec3_add_scaled(vec3_add_scaled(camera->forward, u, camera->right), v, camera->up);
}

#endif
