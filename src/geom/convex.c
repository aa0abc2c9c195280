/* SPDX-License-Identifier: Apache-2.0
 *
 * Making convex parts: points are moved to the origin and scaled to size one, so that every
 * tolerance is relative to the size; the hull is found there (hull_plane.c, hull_solid.c); the
 * vertices that remain are the given points, unchanged. Tests: tests/unit/test_convex.c.
 */
#include "geom/convex.h"

#include <stdlib.h>

#include "geom/hull.h"
#include "geom/scratch.h"

/* What counts as coplanar, collinear or the same point, relative to the extent: a few hundred
 * rounding errors. Smaller, and the normals of slivers would be noise; larger, and vertices would
 * leave their faces. */
static const double flatness = 5e-14;

/* Solids that came to nothing are tried as plates with this many times the tolerance, so that what made
 * them narrow goes too. */
static const double narrow = 20.0;

/* Fewer vertices than this are looked through faster than climbed. */
enum { CLIMB_FROM = 32 };

struct making {    /* what convex_make passes around */
    int32_t count; /* points given */
    vec3 *unit;    /* the points, moved and scaled to size one */
    struct hull_place *places;
    int32_t *ring; /* 2 count numbers */
    double tolerance;
    struct spread spread;
    struct hull hull;
};

void convex_free(struct convex *convex) {
    scratch_release(convex->vertices);
    scratch_release(convex->faces);
    scratch_release(convex->edges);
    scratch_release(convex->loops);
    scratch_release(convex->near_first);
    scratch_release(convex->near);
    *convex = (struct convex){0};
}

static void making_free(struct making *making) {
    scratch_release(making->unit);
    scratch_release(making->places);
    scratch_release(making->ring);
    hull_free(&making->hull);
}

/* ---- points of size one -------------------------------------------------------------------------- */

static void bounds(const vec3 *points, size_t count, vec3 *low, vec3 *high) {
    *low = *high = points[0];
    for (size_t i = 1; i < count; i++) {
        vec3 p = points[i];
        *low = vec3_make(fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z));
        *high = vec3_make(fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z));
    }
}

static double largest(vec3 a) {
    return fmax(fabs(a.x), fmax(fabs(a.y), fabs(a.z)));
}

static enum convex_status making_allocate(struct making *making, size_t count) {
    making->count = (int32_t)count;
    making->unit = scratch_allocate(count, sizeof *making->unit);
    making->places = scratch_allocate(count, sizeof *making->places);
    making->ring = scratch_allocate(2 * count, sizeof *making->ring);
    bool got = making->unit && making->places && making->ring;
    return got ? CONVEX_OK : CONVEX_NO_MEMORY;
}

/* Only powers of two scale, so that scaling rounds nothing. */
static vec3 scaled(vec3 a, int exponent) {
    return vec3_make(ldexp(a.x, exponent), ldexp(a.y, exponent), ldexp(a.z, exponent));
}

static enum convex_status making_start(struct making *making, int dim, const vec3 *points,
                                       size_t count) {
    *making = (struct making){0};
    if (count == 0 || count > INT32_MAX / 8) return CONVEX_NO_POINTS;
    for (size_t i = 0; i < count; i++)
        if (!vec3_is_finite(points[i])) return CONVEX_NO_POINTS;
    vec3 low, high;
    bounds(points, count, &low, &high);
    if (dim == 2) low.z = high.z = 0.0;
    vec3 middle = vec3_add(vec3_scale(0.5, low), vec3_scale(0.5, high));
    double extent = largest(vec3_sub(high, low)), far = fmax(largest(low), largest(high));
    if (!isfinite(extent)) return CONVEX_NO_POINTS;
    enum convex_status status = making_allocate(making, count);
    if (status != CONVEX_OK) return status;
    int exponent = 0;
    frexp(extent, &exponent);
    for (size_t i = 0; i < count; i++) {
        making->unit[i] = scaled(vec3_sub(points[i], middle), -exponent);
        if (dim == 2) making->unit[i].z = 0.0;
    }
    /* Far from the origin the points themselves are known less well. */
    double blur = ldexp(far, -exponent) * 0x1p-50;
    making->tolerance = fmax(flatness * ldexp(extent, -exponent), blur);
    making->spread = hull_spread(making->unit, count, making->tolerance);
    return CONVEX_OK;
}

/* ---- loops --------------------------------------------------------------------------------------- */

/* The two points farthest apart along the first axis. */
static int32_t find_ends(const struct making *making, int32_t ring[2]) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int32_t i = 0; i < making->count; i++) {
        double d = vec3_dot(making->unit[i], making->spread.axis[0]);
        if (d < low) {
            low = d;
            ring[0] = i;
        }
        if (d > high) {
            high = d;
            ring[1] = i;
        }
    }
    return 2;
}

/* Point numbers of the vertices of a spot, a line or a polygon, counter-clockwise as
 * seen with x_axis to the right and y_axis up. */
static int32_t find_ring(struct making *making, vec3 x_axis, vec3 y_axis) {
    if (making->spread.rank == 0) {
        making->ring[0] = 0;
        return 1;
    }
    if (making->spread.rank == 1) return find_ends(making, making->ring);
    for (int32_t i = 0; i < making->count; i++) {
        vec3 p = making->unit[i];
        making->places[i] = (struct hull_place){vec3_dot(p, x_axis), vec3_dot(p, y_axis), i};
    }
    int32_t size = hull_ring(making->places, making->count, making->tolerance, making->ring);
    for (int32_t k = 0; k < size; k++) making->ring[k] = making->places[making->ring[k]].number;
    return size;
}

/* ---- putting it together ------------------------------------------------------------------------- */

static enum convex_status convex_allocate(struct convex *out, int32_t edges, int32_t nears) {
    out->vertices = scratch_allocate((size_t)out->vertex_count, sizeof *out->vertices);
    out->faces = scratch_allocate((size_t)out->face_count, sizeof *out->faces);
    out->loops = scratch_allocate((size_t)out->loop_count, sizeof *out->loops);
    out->edges = scratch_allocate((size_t)edges, sizeof *out->edges);
    out->near_first = scratch_allocate((size_t)out->vertex_count + 1, sizeof *out->near_first);
    out->near = scratch_allocate((size_t)nears, sizeof *out->near);
    bool got =
        out->vertices && out->faces && out->loops && out->edges && out->near_first && out->near;
    return got ? CONVEX_OK : CONVEX_NO_MEMORY;
}

/* Halfway between the vertices that stick out least and most, which differ by rounding. */
static void set_offset(const struct convex *convex, struct convex_face *face) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int32_t k = 0; k < face->count; k++) {
        double d = vec3_dot(face->normal, convex->vertices[convex->loops[face->first + k]]);
        low = fmin(low, d);
        high = fmax(high, d);
    }
    face->offset = 0.5 * low + 0.5 * high;
}

static void set_reach(struct convex *convex) {
    double reach = 0.0;
    for (int32_t v = 0; v < convex->vertex_count; v++)
        reach = fmax(reach, vec3_norm(convex->vertices[v]));
    convex->reach = reach + convex->rounding;
}

/* A polygon of the plane; a segment has two sides, a spot has none. */
static enum convex_status make_plane(struct convex *out, struct making *making,
                                     const vec3 *points) {
    int32_t n = find_ring(making, vec3_make(1.0, 0.0, 0.0), vec3_make(0.0, 1.0, 0.0));
    out->vertex_count = n;
    out->face_count = n > 1 ? n : 0;
    out->loop_count = 2 * out->face_count;
    enum convex_status status = convex_allocate(out, 0, 2 * n);
    if (status != CONVEX_OK) return status;
    for (int32_t k = 0; k < n; k++) {
        vec3 p = points[making->ring[k]];
        out->vertices[k] = vec3_make(p.x, p.y, 0.0);
    }
    for (int32_t k = 0; k < out->face_count; k++) {
        int32_t next = k + 1 < n ? k + 1 : 0;
        vec3 side = vec3_sub(making->unit[making->ring[next]], making->unit[making->ring[k]]);
        double length = hypot(side.x, side.y);
        out->loops[2 * k] = k;
        out->loops[2 * k + 1] = next;
        out->faces[k] = (struct convex_face){
            .normal = {side.y / length, -side.x / length, 0.0}, .first = 2 * k, .count = 2};
        set_offset(out, &out->faces[k]);
        out->near_first[k + 1] = out->near_first[k];
        out->near[out->near_first[k + 1]++] = next;
        if (n > 2) out->near[out->near_first[k + 1]++] = k > 0 ? k - 1 : n - 1;
    }
    return CONVEX_OK;
}

/* A spot or a line in space. */
static enum convex_status make_thread(struct convex *out, struct making *making,
                                      const vec3 *points) {
    int32_t n = find_ring(making, vec3_zero(), vec3_zero());
    out->vertex_count = n;
    out->edge_count = n - 1;
    enum convex_status status = convex_allocate(out, out->edge_count, n);
    if (status != CONVEX_OK) return status;
    for (int32_t k = 0; k < n; k++) out->vertices[k] = points[making->ring[k]];
    if (n == 1) return CONVEX_OK;
    out->edges[0] = (struct convex_edge){.tail = 0, .head = 1, .left = -1, .right = -1};
    out->near[0] = 1;
    out->near[1] = 0;
    out->near_first[1] = 1;
    out->near_first[2] = 2;
    return CONVEX_OK;
}

/* A polygon in space as two faces back to back. */
static enum convex_status plate_loops(struct making *making) {
    int32_t n = find_ring(making, making->spread.axis[0], making->spread.axis[1]);
    struct hull *hull = &making->hull;
    *hull = (struct hull){.face_count = 2};
    hull->first = scratch_allocate(3, sizeof *hull->first);
    hull->loops = scratch_allocate(2 * (size_t)n, sizeof *hull->loops);
    if (hull->first == NULL || hull->loops == NULL) return CONVEX_NO_MEMORY;
    hull->first[1] = n;
    hull->first[2] = 2 * n;
    for (int32_t k = 0; k < n; k++) hull->loops[k] = hull->loops[2 * n - 1 - k] = making->ring[k];
    return CONVEX_OK;
}

/* Number the points that are used, in the order in which they were given; the rest get -1. */
static int32_t number_vertices(struct making *making) {
    const struct hull *hull = &making->hull;
    int32_t *number = making->ring, used = 0;
    for (int32_t i = 0; i < making->count; i++) number[i] = -1;
    for (int32_t k = 0; k < hull->first[hull->face_count]; k++) number[hull->loops[k]] = 0;
    for (int32_t i = 0; i < making->count; i++)
        if (number[i] == 0) number[i] = used++;
    return used;
}

static void set_faces(struct convex *out, const struct making *making, const vec3 *points) {
    const struct hull *hull = &making->hull;
    const int32_t *number = making->ring;
    for (int32_t i = 0; i < making->count; i++)
        if (number[i] >= 0) out->vertices[number[i]] = points[i];
    for (int32_t k = 0; k < out->loop_count; k++) out->loops[k] = number[hull->loops[k]];
    struct hull_cloud cloud = {making->unit, number, making->count, making->tolerance};
    for (int32_t f = 0; f < out->face_count; f++) {
        int32_t first = hull->first[f], count = hull->first[f + 1] - first;
        vec3 normal = hull_normal(&cloud, hull->loops + first, count);
        if (f == 1 && out->face_count == 2) normal = vec3_scale(-1.0, out->faces[0].normal);
        out->faces[f] = (struct convex_face){.normal = normal, .first = first, .count = count};
        set_offset(out, &out->faces[f]);
    }
}

/* Around every vertex as many edges leave as faces meet: lists of their other ends, and in `owner`
 * the face whose loop runs that way. */
static void set_near(struct convex *out, int32_t *owner) {
    int32_t *first = out->near_first;
    for (int32_t k = 0; k < out->loop_count; k++) first[out->loops[k] + 1]++;
    for (int32_t v = 0; v < out->vertex_count; v++) first[v + 1] += first[v];
    for (int32_t f = 0; f < out->face_count; f++) {
        const int32_t *loop = out->loops + out->faces[f].first;
        for (int32_t k = 0, n = out->faces[f].count; k < n; k++) {
            int32_t slot = first[loop[k]]++; /* first is used up and shifted back below */
            out->near[slot] = loop[k + 1 < n ? k + 1 : 0];
            owner[slot] = f;
        }
    }
    for (int32_t v = out->vertex_count; v > 0; v--) first[v] = first[v - 1];
    first[0] = 0;
}

static void set_edges(struct convex *out, const int32_t *owner) {
    int32_t edges = 0;
    for (int32_t tail = 0; tail < out->vertex_count; tail++)
        for (int32_t k = out->near_first[tail]; k < out->near_first[tail + 1]; k++) {
            int32_t head = out->near[k];
            if (head < tail) continue;
            int32_t back = out->near_first[head];
            while (out->near[back] != tail) back++;
            out->edges[edges++] = (struct convex_edge){
                .tail = tail, .head = head, .left = owner[k], .right = owner[back]};
        }
}

/* Everything that follows from the loops. */
static enum convex_status make_solid(struct convex *out, struct making *making,
                                     const vec3 *points) {
    out->vertex_count = number_vertices(making);
    out->face_count = making->hull.face_count;
    out->loop_count = making->hull.first[out->face_count];
    out->edge_count = out->loop_count / 2;
    enum convex_status status = convex_allocate(out, out->edge_count, out->loop_count);
    int32_t *owner = scratch_allocate((size_t)out->loop_count, sizeof *owner);
    if (owner == NULL) status = CONVEX_NO_MEMORY;
    if (status == CONVEX_OK) {
        set_faces(out, making, points);
        set_near(out, owner);
        set_edges(out, owner);
    }
    scratch_release(owner);
    return status;
}

static enum convex_status make_space(struct convex *out, struct making *making, const vec3 *points,
                                     bool flat) {
    enum convex_status status = CONVEX_OK;
    if (making->spread.rank == 3) {
        status = hull_solid(&making->hull, making->unit, making->count, &making->spread,
                            making->tolerance);
        if (status == CONVEX_NO_EXTENT) { /* too thin after all, or too narrow somewhere */
            making->spread.rank = 2;
            making->tolerance *= narrow;
        }
    }
    if (making->spread.rank < 3 && !flat) return CONVEX_NO_EXTENT;
    if (making->spread.rank < 2) return make_thread(out, making, points);
    if (making->spread.rank == 2) status = plate_loops(making);
    return status == CONVEX_OK ? make_solid(out, making, points) : status;
}

enum convex_status convex_make(struct convex *out, int dim, const vec3 *points, size_t count,
                               double rounding, bool flat) {
    struct making making;
    *out = (struct convex){.dim = dim, .rounding = rounding};
    enum convex_status status = making_start(&making, dim, points, count);
    flat = flat || rounding > 0.0;
    if (status == CONVEX_OK && dim == 3) status = make_space(out, &making, points, flat);
    if (status == CONVEX_OK && dim == 2)
        status =
            making.spread.rank < 2 && !flat ? CONVEX_NO_EXTENT : make_plane(out, &making, points);
    making_free(&making);
    if (status == CONVEX_OK)
        set_reach(out);
    else
        convex_free(out);
    return status;
}

/* ---- using it ------------------------------------------------------------------------------------ */

void convex_shift(struct convex *convex, vec3 by) {
    for (int32_t v = 0; v < convex->vertex_count; v++)
        convex->vertices[v] = vec3_add(convex->vertices[v], by);
    for (int32_t f = 0; f < convex->face_count; f++) set_offset(convex, &convex->faces[f]);
    set_reach(convex);
}

static int32_t look_through(const struct convex *convex, vec3 direction) {
    int32_t best = 0;
    double most = vec3_dot(convex->vertices[0], direction);
    for (int32_t v = 1; v < convex->vertex_count; v++) {
        double d = vec3_dot(convex->vertices[v], direction);
        if (d > most) {
            most = d;
            best = v;
        }
    }
    return best;
}

/* How much farther `to` is than `from`, less what rounding may have added: a positive gain is one
 * also in exact arithmetic, so that climbing never comes back to where it was. */
static double sure_gain(vec3 from, vec3 to, vec3 direction) {
    const double rounding = 0x1p-50; /* four operations and some room */
    vec3 edge = vec3_sub(to, from);
    double x = edge.x * direction.x, y = edge.y * direction.y, z = edge.z * direction.z;
    return x + y + z - rounding * (fabs(x) + fabs(y) + fabs(z));
}

/* A vertex none of whose neighbours is farther is the farthest of a convex body, since the body lies
 * in the cone of the edges that leave it. Gains are taken from edge vectors, not from differences of
 * positions: rounding is then relative to the edge, and many short edges cannot hide a slope. */
int32_t convex_support(const struct convex *convex, vec3 direction, int32_t start) {
    if (convex->vertex_count < CLIMB_FROM) return look_through(convex, direction);
    int32_t here = start >= 0 && start < convex->vertex_count ? start : 0;
    for (int32_t next = here;; here = next) {
        double most = 0.0;
        for (int32_t k = convex->near_first[here]; k < convex->near_first[here + 1]; k++) {
            int32_t near = convex->near[k];
            double gain = sure_gain(convex->vertices[here], convex->vertices[near], direction);
            if (gain > most) {
                most = gain;
                next = near;
            }
        }
        if (next == here) return here;
    }
}
