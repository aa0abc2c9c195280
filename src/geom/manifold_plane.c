/* SPDX-License-Identifier: Apache-2.0
 *
 * Convex parts on a plane: the vertices within the margin and those of the face or edge that lies nearly
 * along the plane; well-spread ones of them if there are many.
 */
#include "geom/manifold.h"

#include "geom/manifold_clip.h"

struct ground {
    vec3 u, v, normal; /* normal out of the half space */
    double offset;     /* m, of the plane from the position of the part */
};

static struct spot spot_over(const struct ground *ground, const struct posed *posed,
                             int32_t vertex) {
    vec3 x = posed_vertex(posed, vertex);
    double height = vec3_dot(ground->normal, x);
    return (struct spot){vec3_dot(ground->u, x), vec3_dot(ground->v, x), height,
                         height - ground->offset, feature_vertex(false, vertex)};
}

/* How many points a plane can need: vertices just above it are the next to touch when the part rolls. */
static int plane_limit(const struct convex *shape) {
    return shape->dim == 2 ? MANIFOLD_PLANE_FLAT : MANIFOLD_MAX;
}

/* Those that lie on the plane are thinned out to well-spread ones, the others follow from below. */
static void keep_lowest(struct spots *spots, int limit) {
    if (spots->count <= limit) return;
    double least = HUGE_VAL;
    for (int k = 0; k < spots->count; k++) least = fmin(least, spots->at[k].gap);
    for (int done = 0; done < spots->count; done++) { /* by height, then by name */
        int next = done;
        for (int k = done + 1; k < spots->count; k++) {
            const struct spot *a = &spots->at[k], *b = &spots->at[next];
            if (a->gap < b->gap || (a->gap == b->gap && a->feature < b->feature)) next = k;
        }
        struct spot swap = spots->at[done];
        spots->at[done] = spots->at[next];
        spots->at[next] = swap;
    }
    int flat = 0;
    while (flat < spots->count && spots->at[flat].gap <= least + MANIFOLD_SAME * spots->extent)
        flat++;
    if (flat > limit) {
        spots->count = flat;
        spots_reduce(spots, limit);
        return;
    }
    spots->count = limit;
}

/* Room for one more: what a full list would be reduced to in the end is kept. */
static void add(struct spots *spots, struct spot spot, int limit) {
    if (spots->count == MANIFOLD_SPOTS) keep_lowest(spots, limit);
    for (int k = 0; k < spots->count; k++) {
        if (spots->at[k].feature == spot.feature) return;
    }
    spots->at[spots->count++] = spot;
}

static void add_face(const struct ground *ground, const struct posed *posed, int32_t face,
                     struct spots *spots) {
    const struct convex_face *f = &posed->shape->faces[face];
    for (int32_t k = 0; k < f->count; k++) {
        int32_t vertex = posed->shape->loops[f->first + k];
        add(spots, spot_over(ground, posed, vertex), plane_limit(posed->shape));
    }
}

/* The face or edge at the lowest vertex that lies nearly along the plane. */
static void add_feature(const struct ground *ground, const struct posed *posed, int32_t lowest,
                        struct spots *spots) {
    vec3 down = vec3_scale(-1.0, ground->normal);
    int32_t face = face_towards(posed, down, lowest);
    int32_t other = face < 0 && posed->shape->dim == 3 ? neighbour_across(posed, down, lowest) : -1;
    add(spots, spot_over(ground, posed, lowest), plane_limit(posed->shape));
    if (face >= 0) add_face(ground, posed, face, spots);
    if (other >= 0) add(spots, spot_over(ground, posed, other), plane_limit(posed->shape));
}

static void write_points(const struct ground *ground, const struct spots *spots, vec3 origin,
                         double radius, struct manifold *out) {
    out->count = spots->count;
    out->kind = spots->count == 1   ? MANIFOLD_VERTEX_FACE
                : spots->count == 2 ? MANIFOLD_EDGE_FACE
                                    : MANIFOLD_FACE_FACE;
    for (int k = 0; k < spots->count; k++) {
        const struct spot *spot = &spots->at[k];
        double gap = spot->gap - radius, middle = spot->height - radius - 0.5 * gap;
        vec3 x = vec3_add_scaled(vec3_scale(spot->u, ground->u), spot->v, ground->v);
        out->points[k].point = vec3_add(origin, vec3_add_scaled(x, middle, ground->normal));
        out->points[k].gap = gap;
        out->points[k].feature = spot->feature;
    }
}

static void find_points(const struct ground *ground, const struct posed *posed, int32_t lowest,
                        double margin, struct spots *spots) {
    spots->count = 0;
    spots->extent = posed->scale * posed->shape->reach;
    add_feature(ground, posed, lowest, spots);
    for (int32_t v = 0; v < posed->shape->vertex_count; v++) {
        struct spot spot = spot_over(ground, posed, v);
        if (spot.gap <= margin) add(spots, spot, plane_limit(posed->shape));
    }
    keep_lowest(spots, plane_limit(posed->shape));
}

void manifold_plane(const struct placed *a, vec3 normal, double offset, double margin,
                    struct manifold *out) {
    double height = vec3_dot(normal, a->position) - offset;
    double radius = a->scale * a->shape->rounding;
    out->count = 0;
    out->gap = height - a->scale * a->shape->reach;
    if (out->gap > margin) return;
    struct posed posed = {a->shape, vec3_zero(), a->rotation, a->scale};
    int32_t lowest = posed_support(&posed, vec3_scale(-1.0, normal), 0);
    out->gap = vec3_dot(normal, posed_vertex(&posed, lowest)) + height - radius;
    if (out->gap > margin) return;
    out->normal = vec3_scale(-1.0, normal);
    struct ground ground = {.normal = normal, .offset = -height, .u = vec3_perpendicular(normal)};
    ground.v = vec3_cross(normal, ground.u);
    struct spots spots;
    find_points(&ground, &posed, lowest, margin + radius, &spots);
    write_points(&ground, &spots, a->position, radius, out);
}
