/* SPDX-License-Identifier: Apache-2.0
 *
 * Walls, cut to what is worth seeing, or to the box that is given. An infinite plane is shown as far as
 * the box around the grains reaches and as far as the other planes let grains come, so that six planes
 * show as a box.
 */
#include "io/picture.h"

struct half_space { /* normal . x >= offset */
    vec3 normal;
    double offset;
};

struct box {
    vec3 low, high;
};

static double component(vec3 a, int axis) {
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

static vec3 axis_vector(int axis) {
    return vec3_make(axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0);
}

static vec3 low_of(vec3 a, vec3 b) {
    return vec3_make(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}

static vec3 high_of(vec3 a, vec3 b) {
    return vec3_make(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
}

static void box_add(struct box *box, vec3 low, vec3 high) {
    box->low = low_of(box->low, low);
    box->high = high_of(box->high, high);
}

static double box_diagonal(const struct box *box) {
    return vec3_norm(vec3_sub(box->high, box->low));
}

static vec3 box_corner(const struct box *box, int k) {
    return vec3_make(k & 1 ? box->high.x : box->low.x, k & 2 ? box->high.y : box->low.y,
                     k & 4 ? box->high.z : box->low.z);
}

/* Lowest and highest (x - point) . direction over the box. */
static void box_extent(const struct box *box, vec3 point, vec3 direction, double *low,
                       double *high) {
    *low = HUGE_VAL;
    *high = -HUGE_VAL;
    for (int k = 0; k < 8; k++) {
        double s = vec3_dot(vec3_sub(box_corner(box, k), point), direction);
        *low = fmin(*low, s);
        *high = fmax(*high, s);
    }
}

static struct box grains_box(const struct picture *picture) {
    struct box box = {picture->low, picture->high};
    if (picture->fixed) return box;
    for (size_t i = 0; i < picture->grain_count; i++) {
        vec3 x = picture->grains[i].position;
        double r = picture->grains[i].radius;
        box_add(&box, vec3_make(x.x - r, x.y - r, x.z - r), vec3_make(x.x + r, x.y + r, x.z + r));
    }
    return box.low.x <= box.high.x ? box : (struct box){vec3_zero(), vec3_zero()};
}

static int clip(vec3 *corners, int count, struct half_space half) {
    vec3 kept[PICTURE_CORNERS];
    int n = 0;
    for (int i = 0; i < count; i++) {
        vec3 a = corners[i], b = corners[(i + 1) % count];
        double da = vec3_dot(half.normal, a) - half.offset;
        double db = vec3_dot(half.normal, b) - half.offset;
        if (da >= 0.0 && n < PICTURE_CORNERS) kept[n++] = a;
        if ((da >= 0.0) != (db >= 0.0) && n < PICTURE_CORNERS)
            kept[n++] = vec3_add_scaled(a, da / (da - db), vec3_sub(b, a));
    }
    for (int i = 0; i < n; i++) corners[i] = kept[i];
    return n;
}

static void set_corners(struct picture_wall *wall, vec3 center, vec3 half_u, vec3 half_v) {
    wall->corner_count = 4;
    for (int k = 0; k < 4; k++) {
        double su = k == 0 || k == 3 ? -1.0 : 1.0, sv = k < 2 ? -1.0 : 1.0;
        wall->corners[k] = vec3_add_scaled(vec3_add_scaled(center, su, half_u), sv, half_v);
    }
}

static void outline_rectangle(struct picture_wall *wall) {
    vec3 other = vec3_cross(wall->normal, wall->edge);
    set_corners(wall, wall->point, vec3_scale(0.5 * wall->size[0], wall->edge),
                vec3_scale(0.5 * wall->size[1], other));
}

static vec3 any_perpendicular(vec3 n) {
    vec3 other = fabs(n.z) < 0.9 ? axis_vector(2) : axis_vector(0);
    vec3 u = vec3_cross(other, n);
    return vec3_scale(1.0 / vec3_norm(u), u);
}

static void outline_plane(struct picture *picture, struct picture_wall *wall,
                          const struct box *box) {
    double reach = 4.0 * box_diagonal(box);
    vec3 middle = vec3_scale(0.5, vec3_add(box->low, box->high));
    double off = vec3_dot(vec3_sub(middle, wall->point), wall->normal);
    vec3 u = any_perpendicular(wall->normal), v = vec3_cross(wall->normal, u);
    set_corners(wall, vec3_add_scaled(middle, -off, wall->normal), vec3_scale(reach, u),
                vec3_scale(reach, v));
    int n = 4;
    for (int axis = 0; axis < 3; axis++) {
        vec3 e = axis_vector(axis);
        n = clip(wall->corners, n, (struct half_space){e, component(box->low, axis)});
        n = clip(wall->corners, n,
                 (struct half_space){vec3_scale(-1.0, e), -component(box->high, axis)});
    }
    for (size_t w = 0; w < picture->wall_count; w++) {
        const struct picture_wall *other = &picture->walls[w];
        if (other == wall || other->shape != TALUS_PLANE) continue;
        if (fabs(vec3_dot(other->normal, wall->normal)) > 0.999) continue;
        double offset = vec3_dot(other->normal, other->point) - 1e-9 * reach;
        n = clip(wall->corners, n, (struct half_space){other->normal, offset});
    }
    wall->corner_count = n;
}

bool picture_is_floor(const struct picture_wall *wall) {
    return wall->shape == TALUS_PLANE && wall->normal.z > 0.999;
}

vec3 picture_rim(const struct picture_wall *wall, bool upper, int k, int n) {
    double angle = 6.283185307179586 * (double)k / (double)n;
    vec3 u = any_perpendicular(wall->normal), v = vec3_cross(wall->normal, u);
    vec3 end = vec3_add_scaled(wall->point, (upper ? 0.5 : -0.5) * wall->length, wall->normal);
    return vec3_add_scaled(vec3_add_scaled(end, wall->radius * cos(angle), u),
                           wall->radius * sin(angle), v);
}

/* A finite wall widens the view, but not to more than twice the size of what is in it. */
static void add_clamped(struct box *box, const struct box *grains, vec3 low, vec3 high) {
    double reach = box_diagonal(grains);
    if (reach == 0.0) {
        box_add(box, low, high);
        return;
    }
    vec3 wide = vec3_make(reach, reach, reach);
    low = high_of(low, vec3_sub(grains->low, wide));
    high = low_of(high, vec3_add(grains->high, wide));
    box_add(box, low_of(low, grains->high), high_of(high, grains->low));
}

static void view_cylinder(struct picture_wall *wall, struct box *box, const struct box *grains) {
    if (!(wall->length > 0.0)) { /* infinite: as long as the grains reach */
        double low, high;
        box_extent(grains, wall->point, wall->normal, &low, &high);
        wall->length = high - low;
        wall->point = vec3_add_scaled(wall->point, 0.5 * (low + high), wall->normal);
    }
    vec3 a = wall->normal;
    double h = 0.5 * wall->length, r = wall->radius;
    vec3 half = vec3_make(h * fabs(a.x) + r * sqrt(fmax(0.0, 1.0 - a.x * a.x)),
                          h * fabs(a.y) + r * sqrt(fmax(0.0, 1.0 - a.y * a.y)),
                          h * fabs(a.z) + r * sqrt(fmax(0.0, 1.0 - a.z * a.z)));
    add_clamped(box, grains, vec3_sub(wall->point, half), vec3_add(wall->point, half));
}

/* A plane that is near belongs into the picture: a lid, the far side of a box. */
static void view_plane(const struct picture_wall *wall, double near_share, struct box *box) {
    double low, high;
    box_extent(box, wall->point, wall->normal, &low, &high);
    if (low <= 0.0 || low > near_share * box_diagonal(box)) return;
    vec3 shift = vec3_scale(-low, wall->normal);
    box_add(box, vec3_add(box->low, shift), vec3_add(box->high, shift));
}

static void size_view(struct picture *picture, const struct box *grains, struct box *box) {
    for (size_t w = 0; w < picture->wall_count; w++) {
        struct picture_wall *wall = &picture->walls[w];
        if (wall->shape == TALUS_RECTANGLE) {
            outline_rectangle(wall);
            for (int k = 0; k < 4; k++)
                add_clamped(box, grains, wall->corners[k], wall->corners[k]);
        } else if (wall->shape == TALUS_MESH) {
            for (size_t v = 0; v < wall->point_count; v++)
                add_clamped(box, grains, wall->points[v], wall->points[v]);
        } else if (wall->shape != TALUS_PLANE) {
            view_cylinder(wall, box, grains);
        }
    }
    for (size_t w = 0; w < picture->wall_count; w++)
        if (picture->walls[w].shape == TALUS_PLANE)
            view_plane(&picture->walls[w], picture->near_share, box);
}

void picture_walls(struct picture *picture) {
    struct box grains = grains_box(picture), box = grains;
    size_view(picture, &grains, &box);
    if (picture->fixed) box = grains;
    if (!(box_diagonal(&box) > 0.0)) /* nothing at all: show a unit of empty space */
        box = (struct box){vec3_make(-0.5, -0.5, -0.5), vec3_make(0.5, 0.5, 0.5)};
    if (picture->mean_radius == 0.0) picture->mean_radius = 0.02 * box_diagonal(&box);
    picture->low = box.low;
    picture->high = box.high;

    double margin = (picture->dim < 3 ? 0.01 : 0.02) * box_diagonal(&box);
    vec3 wide = vec3_make(margin, margin, margin);
    struct box around = {vec3_sub(box.low, wide), vec3_add(box.high, wide)};
    for (size_t w = 0; w < picture->wall_count; w++)
        if (picture->walls[w].shape == TALUS_PLANE)
            outline_plane(picture, &picture->walls[w], &around);
}
