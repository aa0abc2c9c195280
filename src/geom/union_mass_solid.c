/* SPDX-License-Identifier: Apache-2.0
 *
 * Volume and moments of a union of sharp polyhedra, by cutting.
 *
 * What part k has and no earlier part is cut into convex pieces: a piece is split by the plane of
 * each face of an earlier part in turn; what lies outside goes on to the next part, what is inside of
 * all of them is dropped. The pieces do not overlap and fill the union, so that a vertex that is wrong by
 * rounding makes an error of the same size and no more. Large parts come first: they leave little of
 * the small ones to cut. One piece is followed to its end before the next, so memory stays small.
 */
#include <float.h>
#include <stdlib.h>

#include "geom/union_mass_parts.h"

/* Vertices this close to a plane lie on it; the extent of the union is one. */
static const double on_plane = 16.0 * DBL_EPSILON;

/* Splits that are made before giving up: about a second. */
enum { SPLITS_MOST = 1000000 };

/* A convex piece: the corners of its faces, one face after the other, counter-clockwise seen from outside. */
struct piece {
    int32_t face_count, corner_count;
    int32_t *last; /* of face f: one past its last corner */
    vec3 *corners;
};

struct cutting {
    const struct union_parts *parts;
    int32_t order[UNION_PARTS_MAX]; /* by volume, largest first */
    int32_t present;                /* the part that is cut, in this order */
    int32_t faces_most;             /* of a part */
    int32_t splits;
    enum union_status status;
    struct union_moments *sum;
};

static void piece_free(struct piece *piece) {
    scratch_release(piece->last);
    scratch_release(piece->corners);
    *piece = (struct piece){0};
}

static bool piece_make(struct piece *piece, int32_t faces, int32_t corners) {
    *piece = (struct piece){0};
    piece->last = scratch_allocate((size_t)faces, sizeof *piece->last);
    piece->corners = scratch_allocate((size_t)corners, sizeof *piece->corners);
    if (piece->last != NULL && piece->corners != NULL) return true;
    piece_free(piece);
    return false;
}

static bool piece_from(const struct convex *part, struct piece *out) {
    if (!piece_make(out, part->face_count, part->loop_count)) return false;
    for (int32_t f = 0; f < part->face_count; f++) {
        const struct convex_face *face = &part->faces[f];
        for (int32_t k = 0; k < face->count; k++)
            out->corners[out->corner_count++] = part->vertices[part->loops[face->first + k]];
        out->last[out->face_count++] = out->corner_count;
    }
    return true;
}

static void add_piece(struct union_moments *sum, const struct piece *piece) {
    int32_t first = 0;
    for (int32_t f = 0; f < piece->face_count; f++) {
        const vec3 *corner = piece->corners + first;
        for (int32_t k = 1; k + 1 < piece->last[f] - first; k++) {
            vec3 corners[3] = {corner[0], corner[k], corner[k + 1]};
            vec3 area =
                vec3_cross(vec3_sub(corners[1], corners[0]), vec3_sub(corners[2], corners[0]));
            union_add_simplex(sum, vec3_dot(area, corners[0]) / 6.0, corners, 3);
        }
        first = piece->last[f];
    }
}

/* ---- splitting ----------------------------------------------------------------------------------- */

struct plane {
    vec3 normal;
    double offset;
};

static double height_over(struct plane plane, vec3 x) {
    double height = vec3_dot(plane.normal, x) - plane.offset;
    return fabs(height) <= on_plane ? 0.0 : height;
}

static struct plane reversed(struct plane plane) {
    return (struct plane){vec3_scale(-1.0, plane.normal), -plane.offset};
}

static void heights_of(const struct piece *piece, struct plane plane, double *low, double *high) {
    *low = *high = 0.0;
    for (int32_t k = 0; k < piece->corner_count; k++) {
        double height = height_over(plane, piece->corners[k]);
        *low = fmin(*low, height);
        *high = fmax(*high, height);
    }
}

/* The part of a face below the plane; points on the plane also go to `rim`. */
static void clip_face(const vec3 *corner, int32_t count, struct plane plane, struct piece *out,
                      vec3 *rim, int32_t *rim_count) {
    int32_t begin = out->corner_count;
    vec3 a = corner[count - 1];
    double height_a = height_over(plane, a);
    for (int32_t k = 0; k < count; k++) {
        vec3 b = corner[k];
        double height_b = height_over(plane, b);
        if (height_a * height_b < 0.0) {
            /* From the kept end, so that both faces of the edge get the same point. */
            vec3 kept = height_a < 0.0 ? a : b, lost = height_a < 0.0 ? b : a;
            double low = fmin(height_a, height_b), high = fmax(height_a, height_b);
            vec3 x = vec3_add_scaled(kept, low / (low - high), vec3_sub(lost, kept));
            out->corners[out->corner_count++] = rim[(*rim_count)++] = x;
        }
        if (height_b <= 0.0) out->corners[out->corner_count++] = b;
        if (height_b == 0.0) rim[(*rim_count)++] = b;
        a = b;
        height_a = height_b;
    }
    if (out->corner_count - begin < 3)
        out->corner_count = begin;
    else
        out->last[out->face_count++] = out->corner_count;
}

struct rim_point {
    double angle;
    vec3 x;
};

static int angle_order(const void *a, const void *b) {
    double x = ((const struct rim_point *)a)->angle, y = ((const struct rim_point *)b)->angle;
    return (x > y) - (x < y);
}

/* The cut itself: its corners, in any order and more than once, become a face. */
static bool close_rim(const vec3 *rim, int32_t count, struct plane plane, struct piece *out) {
    if (count < 3) return true;
    struct rim_point *points = scratch_allocate((size_t)count, sizeof *points);
    if (points == NULL) return false;
    vec3 centre = vec3_zero(), u = vec3_perpendicular(plane.normal);
    vec3 v = vec3_cross(plane.normal, u);
    for (int32_t k = 0; k < count; k++)
        centre = vec3_add_scaled(centre, 1.0 / (double)count, rim[k]);
    for (int32_t k = 0; k < count; k++) {
        vec3 d = vec3_sub(rim[k], centre);
        points[k] = (struct rim_point){atan2(vec3_dot(v, d), vec3_dot(u, d)), rim[k]};
    }
    qsort(points, (size_t)count, sizeof *points, angle_order);
    int32_t begin = out->corner_count;
    for (int32_t k = 0; k < count; k++) {
        vec3 step = vec3_sub(points[k].x, points[k > 0 ? k - 1 : count - 1].x);
        if (vec3_norm2(step) > on_plane * on_plane) out->corners[out->corner_count++] = points[k].x;
    }
    if (out->corner_count - begin < 3)
        out->corner_count = begin;
    else
        out->last[out->face_count++] = out->corner_count;
    scratch_release(points);
    return true;
}

/* The part of a piece below a plane that passes through it. */
static bool clip(const struct piece *piece, struct plane plane, struct piece *out) {
    int32_t first = 0, rim_count = 0, rim_most = piece->corner_count + 2 * piece->face_count;
    vec3 *rim = scratch_allocate((size_t)rim_most, sizeof *rim);
    bool done = rim != NULL && piece_make(out, piece->face_count + 1, 2 * rim_most);
    for (int32_t f = 0; f < piece->face_count && done; f++) {
        clip_face(piece->corners + first, piece->last[f] - first, plane, out, rim, &rim_count);
        first = piece->last[f];
    }
    if (done && !close_rim(rim, rim_count, plane, out)) {
        piece_free(out);
        done = false;
    }
    scratch_release(rim);
    return done;
}

/* ---- part by part -------------------------------------------------------------------------------- */

/* A face, and how far the piece reaches over it. */
struct blade {
    double high;
    struct plane plane;
};

static int blade_order(const void *a, const void *b) {
    double x = ((const struct blade *)a)->high, y = ((const struct blade *)b)->high;
    return (x < y) - (x > y);
}

/* The faces of a part that cut a piece, the deepest cuts first: they take most of it away, so that the
 * others find little to do. Returns their number, -1 if the two do not overlap. */
static int32_t find_blades(const struct convex *part, const struct piece *piece,
                           struct blade *out) {
    int32_t count = 0;
    for (int32_t f = 0; f < part->face_count; f++) {
        double low, high;
        struct plane plane = {part->faces[f].normal, part->faces[f].offset};
        heights_of(piece, plane, &low, &high);
        if (low >= 0.0) return -1;
        if (high > 0.0) out[count++] = (struct blade){high, plane};
    }
    qsort(out, (size_t)count, sizeof *out, blade_order);
    return count;
}

static void cut_away(struct cutting *cutting, struct piece *piece, int32_t next);

/* Send on what lies above the plane and keep what lies below; false: nothing is left, or it failed. */
static bool split(struct cutting *cutting, struct piece *rest, struct plane plane, int32_t next) {
    double low, high;
    struct piece outer = {0}, inner = {0};
    heights_of(rest, plane, &low, &high);
    if (high <= 0.0) return true;
    if (++cutting->splits > SPLITS_MOST) {
        cutting->status = UNION_INACCURATE;
        return false;
    }
    if (!clip(rest, reversed(plane), &outer)) {
        cutting->status = UNION_NO_MEMORY;
        return false;
    }
    cut_away(cutting, &outer, next);
    piece_free(&outer);
    if (cutting->status != UNION_OK || low >= 0.0) return false;
    if (!clip(rest, plane, &inner)) {
        cutting->status = UNION_NO_MEMORY;
        return false;
    }
    piece_free(rest);
    *rest = inner;
    return inner.face_count > 3;
}

/* Add what the parts from `next` on, up to the present one, leave of a piece, which is used up. */
static void cut_away(struct cutting *cutting, struct piece *piece, int32_t next) {
    struct blade *blades = scratch_allocate((size_t)cutting->faces_most, sizeof *blades);
    int32_t count = -1;
    if (blades == NULL) {
        cutting->status = UNION_NO_MEMORY;
        return;
    }
    for (; next < cutting->present && count < 0; next++)
        count = find_blades(&cutting->parts->part[cutting->order[next]].hull, piece, blades);
    if (count < 0) add_piece(cutting->sum, piece);
    for (int32_t k = 0; k < count; k++)
        if (!split(cutting, piece, blades[k].plane, next)) break;
    scratch_release(blades);
}

static void sort_parts(struct cutting *cutting) {
    double volume[UNION_PARTS_MAX];
    for (int32_t k = 0; k < cutting->parts->count; k++) {
        const struct convex *hull = &cutting->parts->part[k].hull;
        double mine = convex_mass(hull).volume;
        if (hull->face_count > cutting->faces_most) cutting->faces_most = hull->face_count;
        int32_t place = k;
        for (; place > 0 && volume[place - 1] < mine; place--) {
            volume[place] = volume[place - 1];
            cutting->order[place] = cutting->order[place - 1];
        }
        volume[place] = mine;
        cutting->order[place] = k;
    }
}

enum union_status union_solid(const struct union_parts *parts, struct union_moments *out) {
    struct cutting cutting = {.parts = parts, .sum = out};
    *out = (struct union_moments){0};
    sort_parts(&cutting);
    for (int32_t k = 0; k < parts->count && cutting.status == UNION_OK; k++) {
        struct piece piece;
        cutting.present = k;
        if (!piece_from(&parts->part[cutting.order[k]].hull, &piece)) return UNION_NO_MEMORY;
        cut_away(&cutting, &piece, 0);
        piece_free(&piece);
    }
    return cutting.status;
}
