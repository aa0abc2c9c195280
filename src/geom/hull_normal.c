/* SPDX-License-Identifier: Apache-2.0
 *
 * The direction of a face such that its vertices lie on it and all others behind it, to rounding. */
#include "geom/hull.h"

/* Direction of a face from its vertices of size one, summed over triangles. */
static vec3 face_normal(const struct hull_cloud *cloud, const int32_t *loop, int32_t count) {
    const vec3 *unit = cloud->points;
    vec3 sum = vec3_zero(), base = unit[loop[0]];
    for (int32_t k = 1; k + 1 < count; k++)
        sum = vec3_add(
            sum, vec3_cross(vec3_sub(unit[loop[k]], base), vec3_sub(unit[loop[k + 1]], base)));
    return vec3_scale(1.0 / vec3_norm(sum), sum);
}

/* The vertex that sticks out most above a face through `base`; *height is 0 when none does. */
static int32_t most_out(const struct hull_cloud *cloud, vec3 base, vec3 normal, double *height) {
    int32_t most = -1;
    *height = 0.0;
    for (int32_t i = 0; i < cloud->count; i++) {
        double d = cloud->number[i] < 0 ? 0.0 : vec3_dot(vec3_sub(cloud->points[i], base), normal);
        if (d > *height) {
            *height = d;
            most = i;
        }
    }
    return most;
}

/* Middle of a face, its direction of length, and half its length and width. */
struct form {
    vec3 middle, along;
    double length, width;
};

static struct form face_form(const struct hull_cloud *cloud, const int32_t *loop, int32_t count,
                             vec3 normal) {
    struct form form = {0};
    for (int32_t k = 0; k < count; k++)
        form.middle = vec3_add_scaled(form.middle, 1.0 / count, cloud->points[loop[k]]);
    for (int32_t k = 0; k < count; k++) {
        vec3 arm = vec3_tangential(vec3_sub(cloud->points[loop[k]], form.middle), normal);
        if (vec3_norm(arm) <= form.length) continue;
        form.length = vec3_norm(arm);
        form.along = vec3_scale(1.0 / form.length, arm);
    }
    vec3 across = vec3_cross(normal, form.along);
    for (int32_t k = 0; k < count; k++) {
        double d = vec3_dot(vec3_sub(cloud->points[loop[k]], form.middle), across);
        form.width = fmax(form.width, fabs(d));
    }
    return form;
}

/* Turn the normal so that a vertex at `arm` from the middle, `height` above the plane, comes down to
 * it, about the axis that moves the vertices of the face least. */
static vec3 turn_down(const struct form *form, vec3 normal, vec3 arm, double height) {
    const double least =
        1e-3; /* below this width the smallest turn counts, not the vertices' motion */
    vec3 across = vec3_cross(normal, form->along);
    double p = vec3_dot(arm, form->along), q = vec3_dot(arm, across);
    double u = p / (form->length * form->length + least * least);
    double v = q / (form->width * form->width + least * least);
    double share = height / (p * u + q * v);
    normal = vec3_add_scaled(normal, -share * u, form->along);
    normal = vec3_add_scaled(normal, -share * v, across);
    return vec3_scale(1.0 / vec3_norm(normal), normal);
}

/* The farthest vertex of a face from the plane through its middle. */
static double face_bend(const struct hull_cloud *cloud, const int32_t *loop, int32_t count,
                        vec3 middle, vec3 normal) {
    double bend = 0.0;
    for (int32_t k = 0; k < count; k++)
        bend = fmax(bend, fabs(vec3_dot(vec3_sub(cloud->points[loop[k]], middle), normal)));
    return bend;
}

/* The direction of a small or thin face is uncertain by rounding over its width, which at the far
 * end of the body can put vertices above it. Turn it, within that uncertainty, until none is; the
 * best one found counts. */
vec3 hull_normal(const struct hull_cloud *cloud, const int32_t *loop, int32_t count) {
    vec3 normal = face_normal(cloud, loop, count);
    const double safe_width = 1e-2;
    enum { TURNS = 100 };
    struct form form = face_form(cloud, loop, count, normal);
    double least = HUGE_VAL;
    vec3 best = normal;
    for (int turn = 0; turn < TURNS && form.width < safe_width; turn++) {
        double height, bend = face_bend(cloud, loop, count, form.middle, normal);
        int32_t out = most_out(cloud, form.middle, normal, &height);
        if (fmax(height, bend) < least) {
            least = fmax(height, bend);
            best = normal;
        }
        if (height <= 0.5 * cloud->tolerance) break;
        normal = turn_down(&form, normal, vec3_sub(cloud->points[out], form.middle), height);
    }
    return best;
}
