/* SPDX-License-Identifier: Apache-2.0 */
#include "io/picture_form.h"

/* piece = part * PART + number: the faces of the part, then its edges, then one for its only vertex. */
enum { PART = 1 << 25, BEADS = 4 /* along each axis, at most */ };

static int32_t piece_of(size_t part, int32_t number) {
    return (int32_t)part * PART + number;
}

/* ---- places ---------------------------------------------------------------------------------- */

struct placed_form placed_in_world(const struct picture_grain *grain, double shrink) {
    return (struct placed_form){grain->form, grain->position, quat_matrix(grain->orientation),
                                shrink * grain->scale};
}

struct placed_form placed_in_camera(const struct picture_grain *grain, double shrink,
                                    const struct camera *camera) {
    struct placed_form placed = placed_in_world(grain, shrink);
    vec3 r = camera->right, u = camera->up, f = camera->forward;
    const mat3 axes = {{{r.x, r.y, r.z}, {u.x, u.y, u.z}, {f.x, f.y, f.z}}};
    placed.turn = mat3_product(&axes, &placed.turn);
    placed.center = camera_place(camera, placed.center);
    return placed;
}

static vec3 vertex_at(const struct placed_form *placed, const struct convex *hull, int32_t v) {
    return vec3_add_scaled(placed->center, placed->scale,
                           mat3_apply(&placed->turn, hull->vertices[v]));
}

static struct rod rod_at(const struct placed_form *placed, const struct convex *hull, int32_t a,
                         int32_t b) {
    return (struct rod){vertex_at(placed, hull, a), vertex_at(placed, hull, b),
                        placed->scale * hull->rounding};
}

/* A face moved outwards by the rounding. Too many corners come as a fan of several: the corners from
 * number `first` on, and corner 0 before them. Returns how many. */
static int face_at(const struct placed_form *placed, const struct convex *hull,
                   const struct convex_face *face, int32_t first, vec3 *corners) {
    vec3 normal = mat3_apply(&placed->turn, face->normal);
    vec3 out = vec3_scale(placed->scale * hull->rounding, normal);
    int count = 0;
    corners[count++] = vec3_add(vertex_at(placed, hull, hull->loops[face->first]), out);
    for (int32_t k = first; k < face->count && count < RASTER_CORNERS; k++)
        corners[count++] = vec3_add(vertex_at(placed, hull, hull->loops[face->first + k]), out);
    return count;
}

/* ---- raster ---------------------------------------------------------------------------------- */

/* How far the eye, at the origin, stands before a face. */
static double eye_height(const struct placed_form *placed, const struct convex *hull,
                         int32_t face) {
    const struct convex_face *f = &hull->faces[face];
    vec3 corner = vertex_at(placed, hull, hull->loops[f->first]);
    return -vec3_dot(mat3_apply(&placed->turn, f->normal), corner);
}

static void raster_part_face(struct raster *raster, const struct placed_form *placed,
                             const struct convex *hull, int32_t face, struct raster_label label) {
    if (eye_height(placed, hull, face) <= placed->scale * hull->rounding) return;
    const struct convex_face *f = &hull->faces[face];
    vec3 corners[RASTER_CORNERS], normal = mat3_apply(&placed->turn, f->normal);
    for (int32_t first = 1; first + 1 < f->count; first += RASTER_CORNERS - 2) {
        int count = face_at(placed, hull, f, first, corners);
        raster_face(raster, corners, normal, count, label);
    }
}

/* An edge whose faces both look away is behind them. */
static bool edge_shows(const struct placed_form *placed, const struct convex *hull,
                       const struct convex_edge *edge) {
    return edge->left < 0 || edge->right < 0 || eye_height(placed, hull, edge->left) > 0.0 ||
           eye_height(placed, hull, edge->right) > 0.0;
}

static void raster_part(struct raster *raster, const struct placed_form *placed, size_t part,
                        int32_t thing) {
    const struct convex *hull = &placed->form->parts[part].hull;
    for (int32_t k = 0; k < hull->face_count; k++)
        raster_part_face(raster, placed, hull, k, (struct raster_label){thing, piece_of(part, k)});
    if (hull->rounding == 0.0) return;
    for (int32_t k = 0; k < hull->edge_count; k++) {
        const struct convex_edge *edge = &hull->edges[k];
        if (!edge_shows(placed, hull, edge)) continue;
        struct rod rod = rod_at(placed, hull, edge->tail, edge->head);
        raster_rod(raster, &rod,
                   (struct raster_label){thing, piece_of(part, hull->face_count + k)});
    }
    if (hull->vertex_count == 1)
        raster_ball(raster, vertex_at(placed, hull, 0), placed->scale * hull->rounding,
                    (struct raster_label){thing, piece_of(part, 0)});
}

void form_raster(struct raster *raster, const struct placed_form *placed, int32_t thing) {
    for (size_t part = 0; part < placed->form->part_count; part++)
        raster_part(raster, placed, part, thing);
}

/* ---- light ----------------------------------------------------------------------------------- */

/* Edges between faces that both look away from the sun are behind these. */
static bool edge_is_lit(const struct placed_form *placed, const struct convex *hull,
                        const struct convex_edge *edge, vec3 sun) {
    if (edge->left < 0 || edge->right < 0) return true;
    vec3 left = mat3_apply(&placed->turn, hull->faces[edge->left].normal);
    vec3 right = mat3_apply(&placed->turn, hull->faces[edge->right].normal);
    return vec3_dot(left, sun) > 0.0 || vec3_dot(right, sun) > 0.0;
}

static void cast_part(struct light *light, const struct placed_form *placed,
                      const struct convex *hull) {
    vec3 corners[RASTER_CORNERS];
    for (int32_t k = 0; k < hull->face_count; k++) {
        const struct convex_face *face = &hull->faces[k];
        vec3 normal = mat3_apply(&placed->turn, face->normal);
        for (int32_t first = 1; first + 1 < face->count; first += RASTER_CORNERS - 2) {
            int count = face_at(placed, hull, face, first, corners);
            light_cast_face(light, corners, normal, count);
        }
    }
    if (hull->rounding == 0.0) return;
    for (int32_t k = 0; k < hull->edge_count; k++) {
        const struct convex_edge *edge = &hull->edges[k];
        if (!edge_is_lit(placed, hull, edge, light->sun)) continue;
        struct rod rod = rod_at(placed, hull, edge->tail, edge->head);
        light_cast_rod(light, rod.a, rod.b, rod.radius);
    }
    if (hull->vertex_count == 1)
        light_cast_ball(light, vertex_at(placed, hull, 0), placed->scale * hull->rounding);
}

void form_cast(struct light *light, const struct placed_form *placed) {
    for (size_t part = 0; part < placed->form->part_count; part++)
        cast_part(light, placed, &placed->form->parts[part].hull);
}

/* ---- beads ----------------------------------------------------------------------------------- */

struct bead_grid {
    vec3 low, cell; /* m, in the frame of the form */
    int counts[3];
};

/* The box around a part, in cells of about its smallest side. */
static struct bead_grid bead_grid(const struct convex *hull) {
    vec3 low = hull->vertices[0], high = low;
    for (int32_t v = 0; v < hull->vertex_count; v++) {
        vec3 x = hull->vertices[v];
        low = vec3_make(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = vec3_make(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    vec3 wide = vec3_make(hull->rounding, hull->rounding, hull->rounding);
    struct bead_grid grid = {.low = vec3_sub(low, wide)};
    vec3 size = vec3_sub(vec3_add(high, wide), grid.low);
    double smallest = fmin(size.x, fmin(size.y, size.z));
    for (int axis = 0; axis < 3; axis++) {
        double side = vec3_component(size, axis);
        grid.counts[axis] = (int)fmin(fmax(rint(side / smallest), 1.0), (double)BEADS);
        vec3_set_component(&grid.cell, axis, side / (double)grid.counts[axis]);
    }
    return grid;
}

/* How deep a place lies under the faces moved outwards by the rounding; < 0 outside. */
static double depth_under_faces(const struct convex *hull, vec3 p) {
    double depth = HUGE_VAL;
    for (int32_t k = 0; k < hull->face_count; k++)
        depth = fmin(depth, hull->faces[k].offset - vec3_dot(hull->faces[k].normal, p));
    return depth + hull->rounding;
}

static vec3 bead_at(const struct bead_grid *grid, int k) {
    int i = k % grid->counts[0], j = k / grid->counts[0] % grid->counts[1];
    int l = k / (grid->counts[0] * grid->counts[1]);
    return vec3_make(grid->low.x + grid->cell.x * ((double)i + 0.5),
                     grid->low.y + grid->cell.y * ((double)j + 0.5),
                     grid->low.z + grid->cell.z * ((double)l + 0.5));
}

/* As large as the cells, but not out of the faces. */
static size_t part_beads(const struct placed_form *placed, const struct convex *hull, int64_t owner,
                         struct ball *balls) {
    struct bead_grid grid = bead_grid(hull);
    double largest = 0.5 * fmin(grid.cell.x, fmin(grid.cell.y, grid.cell.z));
    size_t count = 0;
    for (int k = 0; k < grid.counts[0] * grid.counts[1] * grid.counts[2]; k++) {
        vec3 p = bead_at(&grid, k);
        double radius = fmin(largest, depth_under_faces(hull, p));
        if (radius <= 0.0) continue;
        vec3 center = vec3_add_scaled(placed->center, placed->scale, mat3_apply(&placed->turn, p));
        if (balls != NULL) balls[count] = (struct ball){center, placed->scale * radius, owner};
        count++;
    }
    return count;
}

size_t form_beads(const struct placed_form *placed, int64_t first_owner, struct ball *balls) {
    size_t count = 0;
    for (size_t part = 0; part < placed->form->part_count; part++)
        count += part_beads(placed, &placed->form->parts[part].hull, first_owner + (int64_t)part,
                            balls != NULL ? balls + count : NULL);
    return count;
}

/* ---- what a ray meets ------------------------------------------------------------------------ */

vec3 rod_normal(const struct rod *rod, vec3 place) {
    vec3 axis = vec3_sub(rod->b, rod->a), from_a = vec3_sub(place, rod->a);
    double length2 = vec3_norm2(axis);
    double s = length2 > 0.0 ? fmin(fmax(vec3_dot(from_a, axis) / length2, 0.0), 1.0) : 0.0;
    return vec3_scale(1.0 / rod->radius, vec3_add_scaled(from_a, -s, axis));
}

/* The face on the other side of the edge between two vertices of a face, or -1. */
static int32_t face_across(const struct convex *hull, int32_t face, int32_t a, int32_t b) {
    for (int32_t k = 0; k < hull->edge_count; k++) {
        const struct convex_edge *edge = &hull->edges[k];
        if (edge->left == face && edge->tail == a && edge->head == b) return edge->right;
        if (edge->right == face && edge->tail == b && edge->head == a) return edge->left;
    }
    return -1;
}

/* Is a place in the frame of the form in another part than this? Parts that touch count. */
static bool in_another_part(const struct body_form *form, size_t part, vec3 p) {
    for (size_t k = 0; k < form->part_count; k++) {
        const struct convex *hull = &form->parts[k].hull;
        if (k == part) continue;
        vec3 from_middle = vec3_sub(p, form->parts[k].centre);
        double room = 1e-9 * form->reach;
        if (vec3_norm(from_middle) > form->parts[k].radius + room) continue;
        if (hull->face_count > 2 && depth_under_faces(hull, p) >= -room) return true;
    }
    return false;
}

/* How strongly the edge between two faces is drawn: the blunter, the less. A cluster has no line where
 * another part begins just across the edge. */
static double crease(const struct placed_form *placed, size_t part, int32_t face, int32_t other,
                     vec3 place, double step) {
    const struct convex *hull = &placed->form->parts[part].hull;
    const double full = 0.134; /* 1 - cos 30 deg */
    vec3 across = hull->faces[other].normal;
    double strength = fmin((1.0 - vec3_dot(hull->faces[face].normal, across)) / full, 1.0);
    if (placed->form->part_count == 1) return strength;
    mat3 back = mat3_transposed(&placed->turn);
    vec3 p = vec3_scale(1.0 / placed->scale, mat3_apply(&back, vec3_sub(place, placed->center)));
    p = vec3_add_scaled(p, step / placed->scale, across);
    return in_another_part(placed->form, part, p) ? 0.0 : strength;
}

/* Half the width of the lines, in pixels: thinner on grains that look small, and gone where the
 * rounding can be seen by itself. */
static double line_half(const struct placed_form *placed, const struct convex *hull, double pixel) {
    const double widest = 0.75, share = 0.03, seen = 2.0 /* pixels */;
    double size = placed->scale / pixel; /* pixels for 1 m */
    double sharp = fmax(1.0 - size * hull->rounding / seen, 0.0);
    return sharp * fmin(widest, share * size * placed->form->reach);
}

/* A side of a face and the eye span a plane with normal m = a x b; the distance of the ray (u, v, 1)
 * from the side on the page is m.(u, v, 1) / hypot(m.x, m.y). */
static double face_line(const struct placed_form *placed, size_t part, int32_t face, vec3 place,
                        double pixel) {
    const struct convex *hull = &placed->form->parts[part].hull;
    const struct convex_face *f = &hull->faces[face];
    double here = pixel * place.z, half = line_half(placed, hull, here);
    double line = 0.0, strength = fmin(2.0 * half, 1.0);
    if (half == 0.0) return 0.0;
    vec3 out = vec3_scale(placed->scale * hull->rounding, mat3_apply(&placed->turn, f->normal));
    int32_t first = hull->loops[f->first + f->count - 1];
    vec3 a = vec3_add(vertex_at(placed, hull, first), out);
    for (int32_t k = 0; k < f->count; k++) {
        int32_t second = hull->loops[f->first + k];
        vec3 b = vec3_add(vertex_at(placed, hull, second), out), m = vec3_cross(a, b);
        double off = fabs(vec3_dot(m, place)) / (hypot(m.x, m.y) * here);
        double cover = strength * fmin(half + 0.5 - off, 1.0);
        int32_t other = cover > line ? face_across(hull, face, first, second) : -1;
        if (other >= 0)
            line = fmax(line, cover * crease(placed, part, face, other, place, 3.0 * here));
        a = b;
        first = second;
    }
    return line;
}

struct form_hit form_meet(const struct placed_form *placed, int32_t piece, vec3 ray, double pixel) {
    size_t part = (size_t)(piece / PART);
    int32_t number = piece % PART;
    const struct convex *hull = &placed->form->parts[part].hull;
    struct form_hit hit = {.part = (int)part};
    if (number < hull->face_count) {
        double height = eye_height(placed, hull, number) - placed->scale * hull->rounding;
        hit.normal = mat3_apply(&placed->turn, hull->faces[number].normal);
        hit.depth = -height / vec3_dot(hit.normal, ray);
        hit.line = face_line(placed, part, number, vec3_scale(hit.depth, ray), pixel);
        return hit;
    }
    bool is_edge = number - hull->face_count < hull->edge_count;
    int32_t tail = is_edge ? hull->edges[number - hull->face_count].tail : 0;
    int32_t head = is_edge ? hull->edges[number - hull->face_count].head : 0;
    struct rod rod = rod_at(placed, hull, tail, head);
    hit.depth = ray_rod(&rod, ray);
    hit.normal = rod_normal(&rod, vec3_scale(hit.depth, ray));
    return hit;
}
