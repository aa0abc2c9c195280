/* SPDX-License-Identifier: Apache-2.0
 *
 * Vertices, faces, edges and slabs of two convex cores in common coordinates.
 */
#include "geom/nearest.h"

enum { SCAN = 32 }; /* vertices up to which looking at all is quicker than climbing */

struct pair pair_make(const struct placed *a, const struct placed *b) {
    struct pair pair;
    vec3 branch = vec3_sub(b->position, a->position);
    pair.a = (struct posed){a->shape, vec3_zero(), a->rotation, a->scale};
    pair.b = (struct posed){b->shape, branch, b->rotation, b->scale};
    pair.unit =
        DBL_EPSILON * (a->scale * a->shape->reach + b->scale * b->shape->reach + vec3_norm(branch));
    return pair;
}

static int32_t highest_of_all(const struct convex *shape, vec3 direction) {
    int32_t best = 0;
    double highest = vec3_dot(direction, shape->vertices[0]);
    for (int32_t v = 1; v < shape->vertex_count; v++) {
        double height = vec3_dot(direction, shape->vertices[v]);
        if (height > highest) {
            highest = height;
            best = v;
        }
    }
    return best;
}

/* What an edge rises along the direction, less what this may be wrong by: without that a climber could go
 * round a level face for ever. The error is relative to the edge and not to the shape, so short edges do not
 * stop it early. */
static double sure_rise(vec3 edge, vec3 direction) {
    double x = edge.x * direction.x, y = edge.y * direction.y, z = edge.z * direction.z;
    return x + y + z - 4.0 * DBL_EPSILON * (fabs(x) + fabs(y) + fabs(z));
}

static int32_t climb(const struct convex *shape, vec3 direction, int32_t start) {
    int32_t here = start;
    for (int32_t next = here;; here = next) {
        double most = 0.0;
        for (int32_t k = shape->near_first[here]; k < shape->near_first[here + 1]; k++) {
            vec3 edge = vec3_sub(shape->vertices[shape->near[k]], shape->vertices[here]);
            double rise = sure_rise(edge, direction);
            if (rise > most) {
                most = rise;
                next = shape->near[k];
            }
        }
        if (next == here) return here;
    }
}

int32_t posed_support(const struct posed *posed, vec3 direction, int32_t start) {
    vec3 local = posed_local(posed, direction);
    return posed->shape->vertex_count <= SCAN ? highest_of_all(posed->shape, local)
                                              : climb(posed->shape, local, start);
}

vec3 edges_across(vec3 u, vec3 v) {
    vec3 n = vec3_cross(u, v);
    double norm = vec3_norm(n);
    if (!(norm > 0.0)) return vec3_zero();
    n = vec3_scale(1.0 / norm, n);
    /* The product of nearly parallel vectors leans along them by rounding over their angle. */
    n = vec3_add_scaled(n, -vec3_dot(n, u) / vec3_norm2(u), u);
    return vec3_scale(1.0 / vec3_norm(n), n);
}

static bool side_covers(const struct posed *posed, const int32_t *ends, vec3 point,
                        double tolerance) {
    vec3 tail = posed_vertex(posed, ends[0]);
    vec3 along = posed_step(posed, ends[0], ends[1]);
    double length = vec3_norm(along), at = vec3_dot(along, vec3_sub(point, tail));
    return at >= -tolerance * length && at <= (length + tolerance) * length;
}

bool posed_face_covers(const struct posed *posed, int32_t face, vec3 point, double tolerance) {
    const struct convex_face *f = &posed->shape->faces[face];
    const int32_t *loop = &posed->shape->loops[f->first];
    if (posed->shape->dim == 2) return side_covers(posed, loop, point, tolerance);
    vec3 normal = posed_normal(posed, face);
    int32_t last = loop[f->count - 1];
    for (int32_t k = 0; k < f->count; k++) {
        vec3 inward = vec3_cross(normal, posed_step(posed, last, loop[k]));
        double depth = vec3_dot(inward, vec3_sub(point, posed_vertex(posed, last)));
        if (depth < 0.0 && depth * depth > tolerance * tolerance * vec3_norm2(inward)) return false;
        last = loop[k];
    }
    return true;
}

int32_t posed_face_along(const struct posed *posed, vec3 direction) {
    vec3 local = posed_local(posed, direction);
    double highest = 0.5;
    int32_t best = -1;
    for (int32_t f = 0; f < posed->shape->face_count; f++) {
        double cosine = vec3_dot(posed->shape->faces[f].normal, local);
        if (cosine <= highest) continue;
        highest = cosine;
        best = f;
    }
    return best;
}

struct slab slab_along(const struct pair *pair, vec3 normal, int32_t start_a, int32_t start_b) {
    struct slab slab = {.normal = normal};
    slab.a = posed_support(&pair->a, normal, start_a);
    slab.b = posed_support(&pair->b, vec3_scale(-1.0, normal), start_b);
    slab.gap =
        vec3_dot(normal, vec3_sub(posed_vertex(&pair->b, slab.b), posed_vertex(&pair->a, slab.a)));
    return slab;
}

void nearest_on_face(const struct pair *pair, bool of_b, int32_t face, int32_t vertex,
                     struct nearest *out) {
    const struct posed *owner = of_b ? &pair->b : &pair->a, *other = of_b ? &pair->a : &pair->b;
    vec3 outward = posed_normal(owner, face), x = posed_vertex(other, vertex);
    double height = vec3_dot(outward, vec3_sub(x, posed_vertex(owner, posed_corner(owner, face))));
    vec3 foot = vec3_add_scaled(x, -height, outward);
    *out = (struct nearest){.gap = height, .size_a = of_b ? 1 : 3, .size_b = of_b ? 3 : 1};
    out->normal = of_b ? vec3_scale(-1.0, outward) : outward;
    out->point_a = of_b ? x : foot;
    out->point_b = of_b ? foot : x;
    out->a[0] = of_b ? vertex : face;
    out->b[0] = of_b ? face : vertex;
}

static double clamp01(double t) {
    return t > 0.0 ? (t < 1.0 ? t : 1.0) : 0.0;
}

double segment_share(vec3 tail, vec3 along, vec3 point) {
    double length2 = vec3_norm2(along);
    return length2 > 0.0 ? clamp01(vec3_dot(along, vec3_sub(point, tail)) / length2) : 0.0;
}

/* Rounding moves the crossing of nearly parallel lines far along both, and not by the same on both: so only
 * the first share is taken from it, and the others from the points already found. */
void segments_cross(vec3 x, vec3 u, vec3 y, vec3 v, double shares[2]) {
    vec3 n = vec3_cross(u, v);
    double s = clamp01(vec3_dot(vec3_cross(vec3_sub(y, x), v), n) / vec3_norm2(n));
    shares[1] = segment_share(y, v, vec3_add_scaled(x, s, u));
    shares[0] = segment_share(x, u, vec3_add_scaled(y, shares[1], v));
}

bool nearest_on_edges(const struct pair *pair, const int32_t a[2], const int32_t b[2], vec3 normal,
                      struct nearest *out) {
    vec3 x = posed_vertex(&pair->a, a[0]), y = posed_vertex(&pair->b, b[0]);
    vec3 u = posed_step(&pair->a, a[0], a[1]), v = posed_step(&pair->b, b[0], b[1]);
    double shares[2];
    segments_cross(x, u, y, v, shares);
    *out = (struct nearest){.gap = vec3_dot(normal, vec3_sub(y, x)), .normal = normal};
    out->size_a = out->size_b = 2;
    out->point_a = vec3_add_scaled(x, shares[0], u);
    out->point_b = vec3_add_scaled(y, shares[1], v);
    for (int k = 0; k < 2; k++) {
        out->a[k] = a[k];
        out->b[k] = b[k];
    }
    double distance = vec3_norm(vec3_sub(out->point_b, out->point_a));
    return distance <= fabs(out->gap) + NEAREST_EXACT * pair->unit;
}

/* The unit vector along an edge; zero for a vertex. */
static vec3 edge_along(const struct posed *posed, const int32_t ends[2], int size) {
    if (size != 2) return vec3_zero();
    vec3 along = posed_step(posed, ends[0], ends[1]);
    double length = vec3_norm(along);
    return length > 0.0 ? vec3_scale(1.0 / length, along) : vec3_zero();
}

vec3 nearest_direction(const struct pair *pair, const struct nearest *near) {
    vec3 u = edge_along(&pair->a, near->a, near->size_a);
    vec3 v = edge_along(&pair->b, near->b, near->size_b);
    vec3 between = vec3_sub(near->point_b, near->point_a);
    if (vec3_norm2(vec3_cross(u, v)) > DBL_EPSILON) {
        vec3 across = edges_across(u, v);
        return vec3_dot(across, between) < 0.0 ? vec3_scale(-1.0, across) : across;
    }
    between = vec3_tangential(vec3_tangential(between, u), v);
    double norm = vec3_norm(between);
    if (!(norm > 0.0)) return vec3_zero();
    between = vec3_scale(1.0 / norm, between);
    /* Once more: what was left of a short vector had its own rounding. */
    between = vec3_tangential(vec3_tangential(between, u), v);
    return vec3_scale(1.0 / vec3_norm(between), between);
}
