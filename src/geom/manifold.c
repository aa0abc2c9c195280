/* SPDX-License-Identifier: Apache-2.0
 *
 * The points that carry a contact of two convex parts.
 *
 * With the normal n known, the features of both that are nearly across n (a face within 15 degrees, else
 * an edge, else a vertex) are seen along n: two convex polygons, segments or points in the tangent plane.
 * The corners of their common part are vertices of a, vertices of b and crossings of an edge of each, and
 * so are their names, whichever of the two bodies comes first. Each has its own gap along n. No gap can be
 * less than the signed distance, which is that of the slab along n; where the nearest points are not
 * among the corners (edges that cross at a small angle) they are added.
 *
 * Rounding moves both surfaces along n by their radii. For faces inclined by t this leaves out terms of
 * the order of radius t^2 / 2 at the points that are not the nearest.
 */
#include "geom/manifold.h"

#include "geom/manifold_clip.h"

struct corner {
    double u, v, height;
    int32_t vertex;
};

/* A face, an edge or a vertex seen along the normal; faces counter-clockwise in the plane of u and v. */
struct outline {
    int count;
    double slope_u, slope_v; /* of the plane of a face: height = slope . (u, v) + level */
    double level;
    struct corner at[MANIFOLD_CORNERS];
};

struct view {
    vec3 u, v, normal;
};

static struct view view_make(vec3 normal) {
    struct view view = {.normal = normal, .u = vec3_perpendicular(normal)};
    view.v = vec3_cross(normal, view.u);
    return view;
}

static struct corner see(const struct view *view, const struct posed *posed, int32_t vertex) {
    vec3 x = posed_vertex(posed, vertex);
    return (struct corner){vec3_dot(view->u, x), vec3_dot(view->v, x), vec3_dot(view->normal, x),
                           vertex};
}

/* ---- outlines --------------------------------------------------------------------------------- */

/* Faces of very many corners are thinned out evenly, which keeps every point a true one. */
static void see_face(const struct view *view, const struct posed *posed, int32_t face, bool reverse,
                     struct outline *out) {
    const struct convex_face *f = &posed->shape->faces[face];
    int64_t count = f->count < MANIFOLD_CORNERS ? f->count : MANIFOLD_CORNERS;
    for (int64_t k = 0; k < count; k++) {
        int64_t place = (reverse ? count - 1 - k : k) * f->count / count;
        out->at[k] = see(view, posed, posed->shape->loops[f->first + place]);
    }
    out->count = (int)count;
    vec3 n = posed_turn(posed, f->normal);
    double across = vec3_dot(n, view->normal);
    out->slope_u = -vec3_dot(n, view->u) / across;
    out->slope_v = -vec3_dot(n, view->v) / across;
    out->level = out->at[0].height - out->slope_u * out->at[0].u - out->slope_v * out->at[0].v;
}

static void see_edge(const struct view *view, const struct posed *posed, int32_t tail, int32_t head,
                     struct outline *out) {
    out->at[0] = see(view, posed, tail);
    out->at[1] = see(view, posed, head);
    out->count = 2;
}

/* The feature at `vertex`, the farthest along `direction`: face, edge or the vertex alone. */
static void see_feature(const struct view *view, const struct posed *posed, vec3 direction,
                        int32_t vertex, struct outline *out) {
    int32_t face = face_towards(posed, direction, vertex);
    if (face >= 0) {
        see_face(view, posed, face, vec3_dot(direction, view->normal) < 0.0, out);
        return;
    }
    int32_t other = neighbour_across(posed, direction, vertex);
    see_edge(view, posed, vertex, other >= 0 ? other : vertex, out);
    if (other < 0) out->count = 1;
}

static double outline_extent(const struct outline *outline) {
    double extent2 = 0.0;
    for (int k = 1; k < outline->count; k++) {
        double du = outline->at[k].u - outline->at[0].u, dv = outline->at[k].v - outline->at[0].v;
        extent2 = fmax(extent2, du * du + dv * dv);
    }
    return sqrt(extent2);
}

/* Height of a face, or of an edge at the nearest place. */
static double height_over(const struct outline *outline, double u, double v) {
    if (outline->count > 2) return outline->level + outline->slope_u * u + outline->slope_v * v;
    const struct corner *p = &outline->at[0], *q = &outline->at[1];
    double du = q->u - p->u, dv = q->v - p->v, length2 = du * du + dv * dv;
    double share = length2 > 0.0 ? ((u - p->u) * du + (v - p->v) * dv) / length2 : 0.0;
    share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
    return p->height + share * (q->height - p->height);
}

/* ---- common part ------------------------------------------------------------------------------ */

/* How far (u, v) lies to the left of the line from p to q, times the length of p q. */
static double left_of(const struct corner *p, const struct corner *q, double u, double v) {
    return (q->u - p->u) * (v - p->v) - (q->v - p->v) * (u - p->u);
}

static bool covers(const struct outline *face, const struct corner *x, double tolerance) {
    const struct corner *p = &face->at[face->count - 1];
    for (int k = 0; k < face->count; k++) {
        const struct corner *q = &face->at[k];
        double du = q->u - p->u, dv = q->v - p->v, left = left_of(p, q, x->u, x->v);
        if (left < 0.0 && left * left > tolerance * tolerance * (du * du + dv * dv)) return false;
        p = q;
    }
    return true;
}

/* The corners of one outline that lie over the face of the other; returns whether all do. */
static bool add_corners(const struct outline *own, bool of_b, const struct outline *face,
                        struct spots *out) {
    bool all = true;
    if (face->count < 3) return false;
    for (int k = 0; k < own->count; k++) {
        const struct corner *x = &own->at[k];
        if (!covers(face, x, MANIFOLD_SAME * out->extent)) {
            all = false;
            continue;
        }
        double other = height_over(face, x->u, x->v);
        struct spot spot = {x->u, x->v, of_b ? other : x->height, 0.0,
                            feature_vertex(of_b, x->vertex)};
        spot.gap = of_b ? x->height - other : other - x->height;
        spots_add(out, spot);
    }
    return all;
}

static double length_of(const struct corner *p, const struct corner *q) {
    return hypot(q->u - p->u, q->v - p->v);
}

/* Where the edges p q of a and r s of b cross. Edges on one line cross anywhere: corners tell their common
 * part. */
static void add_crossing(const struct corner *p, const struct corner *q, const struct corner *r,
                         const struct corner *s, struct spots *out) {
    double from = left_of(r, s, p->u, p->v), to = left_of(r, s, q->u, q->v);
    if ((from < 0.0) == (to < 0.0)) return;
    double start = left_of(p, q, r->u, r->v), end = left_of(p, q, s->u, s->v);
    if ((start < 0.0) == (end < 0.0)) return;
    double same = MANIFOLD_SAME * out->extent;
    if (fabs(from - to) <= same * length_of(r, s) || fabs(start - end) <= same * length_of(p, q))
        return;
    double share = from / (from - to), other = start / (start - end);
    struct spot spot = {.u = p->u + share * (q->u - p->u), .v = p->v + share * (q->v - p->v)};
    spot.height = p->height + share * (q->height - p->height);
    spot.gap = r->height + other * (s->height - r->height) - spot.height;
    spot.feature =
        feature_crossing((int32_t[2]){p->vertex, q->vertex}, (int32_t[2]){r->vertex, s->vertex});
    spots_add(out, spot);
}

/* An edge has one side, a face as many as corners. */
static int side_count(const struct outline *outline) {
    return outline->count > 2 ? outline->count : outline->count - 1;
}

static void add_crossings(const struct outline *a, const struct outline *b, struct spots *out) {
    for (int i = 0; i < side_count(a); i++) {
        const struct corner *p = &a->at[i], *q = &a->at[i + 1 < a->count ? i + 1 : 0];
        for (int j = 0; j < side_count(b); j++)
            add_crossing(p, q, &b->at[j], &b->at[j + 1 < b->count ? j + 1 : 0], out);
    }
}

/* Edges along each other: the ends of the part they share, with their true distance there, if that is within
 * the margin and its direction within 15 degrees of the normal. */
static void add_ends(const struct outline *own, bool of_b, const struct outline *other,
                     double farthest, struct spots *out) {
    const struct corner *p = &other->at[0], *q = &other->at[1];
    double du = q->u - p->u, dv = q->v - p->v, length2 = du * du + dv * dv;
    for (int k = 0; k < 2; k++) {
        const struct corner *x = &own->at[k];
        double share = ((x->u - p->u) * du + (x->v - p->v) * dv) / length2;
        if (!(share >= -MANIFOLD_SAME && share <= 1.0 + MANIFOLD_SAME)) continue;
        double u = p->u + share * du, v = p->v + share * dv;
        double rise = p->height + share * (q->height - p->height) - x->height;
        double gap = of_b ? -rise : rise;
        double aside = hypot(x->u - u, x->v - v), distance = hypot(gap, aside);
        if (distance > farthest ||
            aside > MANIFOLD_TAN * fmax(gap, 0.0) + MANIFOLD_SAME * out->extent)
            continue;
        struct spot spot = {0.5 * (x->u + u), 0.5 * (x->v + v), of_b ? x->height + rise : x->height,
                            gap < 0.0 ? gap : distance, feature_vertex(of_b, x->vertex)};
        spots_add(out, spot);
    }
}

static enum manifold_kind add_common(const struct outline *a, const struct outline *b,
                                     double farthest, struct spots *out) {
    if (a->count == 2 && b->count == 2) {
        double du = a->at[1].u - a->at[0].u, dv = a->at[1].v - a->at[0].v;
        double eu = b->at[1].u - b->at[0].u, ev = b->at[1].v - b->at[0].v;
        double sine = fabs(du * ev - dv * eu) / (hypot(du, dv) * hypot(eu, ev));
        if (!(sine < MANIFOLD_SIN)) return MANIFOLD_EDGE_EDGE;
        add_ends(a, false, b, farthest, out);
        add_ends(b, true, a, farthest, out);
        return MANIFOLD_EDGE_EDGE_PARALLEL;
    }
    bool inside = add_corners(a, false, b, out);
    if (!inside && !add_corners(b, true, a, out)) add_crossings(a, b, out);
    return a->count > 2 && b->count > 2 ? MANIFOLD_FACE_FACE : MANIFOLD_EDGE_FACE;
}

/* ---- what would touch next --------------------------------------------------------------------- */

/* The lowest neighbour of `vertex` over the face of the other body, above all taken so far. */
static bool find_next(const struct view *view, const struct posed *posed, bool of_b, int32_t vertex,
                      const struct outline *face, double above, double farthest, struct spot *out) {
    const struct convex *shape = posed->shape;
    bool found = false;
    for (int32_t k = shape->near_first[vertex]; k < shape->near_first[vertex + 1]; k++) {
        struct corner x = see(view, posed, shape->near[k]);
        double other = height_over(face, x.u, x.v),
               gap = of_b ? x.height - other : other - x.height;
        if (!(gap > above) || gap > farthest || (found && gap >= out->gap)) continue;
        if (!covers(face, &x, 0.0)) continue;
        *out =
            (struct spot){x.u, x.v, of_b ? other : x.height, gap, feature_vertex(of_b, x.vertex)};
        found = true;
    }
    return found;
}

/* A body that rolls over a face comes down on the neighbours of the vertex that is lowest now: they are points, too,
 * as far as there is room. */
static void add_next(const struct view *view, const struct posed *posed, bool of_b, int32_t vertex,
                     const struct outline *face, double farthest, struct spots *out) {
    double above = -HUGE_VAL;
    struct spot spot;
    if (face->count < 3) return;
    while (out->count < MANIFOLD_MAX &&
           find_next(view, posed, of_b, vertex, face, above, farthest, &spot)) {
        spots_add(out, spot);
        above = spot.gap;
    }
}

/* ---- the nearest points ----------------------------------------------------------------------- */

static enum manifold_kind kind_of(const struct nearest *near) {
    int larger = near->size_a > near->size_b ? near->size_a : near->size_b;
    if (near->size_a == 2 && near->size_b == 2) return MANIFOLD_EDGE_EDGE;
    return larger == 3   ? MANIFOLD_VERTEX_FACE
           : larger == 2 ? MANIFOLD_VERTEX_EDGE
                         : MANIFOLD_VERTEX_VERTEX;
}

static uint32_t feature_of(const struct nearest *near) {
    if (near->size_a == 1) return feature_vertex(false, near->a[0]);
    if (near->size_b == 1) return feature_vertex(true, near->b[0]);
    return feature_crossing(near->a, near->b);
}

/* Do the nearest points face each other: the vertex over its face, the edges where they cross? */
static bool points_meet(const struct pair *pair, const struct nearest *near) {
    double same = MANIFOLD_SAME / DBL_EPSILON * pair->unit;
    if (near->size_a == 3) return posed_face_covers(&pair->a, near->a[0], near->point_b, same);
    if (near->size_b == 3) return posed_face_covers(&pair->b, near->b[0], near->point_a, same);
    vec3 foot = vec3_add_scaled(near->point_a, near->gap, near->normal);
    return vec3_norm(vec3_sub(near->point_b, foot)) <= same;
}

/* No spot is nearer than the nearest points; returns the nearest, or -1. */
static int nearest_spot(struct spots *spots, double gap) {
    int least = -1;
    for (int k = 0; k < spots->count; k++) {
        struct spot *spot = &spots->at[k];
        if (spot->gap < gap) spot->gap = gap;
        if (least < 0 || spot->gap < spots->at[least].gap) least = k;
    }
    return least;
}

static void add_nearest(const struct view *view, const struct nearest *near, struct spots *spots) {
    struct spot spot = {vec3_dot(view->u, near->point_a), vec3_dot(view->v, near->point_a),
                        vec3_dot(view->normal, near->point_a), near->gap, feature_of(near)};
    if (spots->count == MANIFOLD_SPOTS) spots->count--;
    spots_add(spots, spot);
}

/* Corners and edges in touch at one end of features that lie in one plane: several directions part the two
 * equally well, and the one taken need not belong to the place where they touch. */
static void find_place(const struct pair *pair, const struct slab *slab, struct nearest *near) {
    struct nearest place;
    nearest_apart(pair, slab, &place);
    place.gap = near->gap;
    place.normal = near->normal;
    *near = place;
}

/* One spot is as near as the nearest points. */
static void keep_nearest(const struct pair *pair, const struct view *view, const struct slab *slab,
                         struct nearest *near, struct spots *spots) {
    int least = nearest_spot(spots, near->gap);
    if (least >= 0 && spots->at[least].gap <= near->gap + NEAREST_EXACT * pair->unit) return;
    if (points_meet(pair, near)) {
        add_nearest(view, near, spots);
    } else if (least >= 0) {
        spots->at[least].gap = near->gap;
    } else {
        find_place(pair, slab, near);
        add_nearest(view, near, spots);
    }
}

/* ---- the manifold ----------------------------------------------------------------------------- */

static enum manifold_kind find_solid(const struct pair *pair, const struct view *view,
                                     const struct slab *slab, double farthest, struct spots *out) {
    struct outline a, b;
    see_feature(view, &pair->a, view->normal, slab->a, &a);
    see_feature(view, &pair->b, vec3_scale(-1.0, view->normal), slab->b, &b);
    enum manifold_kind kind = MANIFOLD_VERTEX_FACE;
    out->extent = fmin(outline_extent(&a), outline_extent(&b));
    if (a.count > 1 && b.count > 1) kind = add_common(&a, &b, farthest, out);
    if (a.count == 1 || b.count == 1) out->extent = fmax(outline_extent(&a), outline_extent(&b));
    add_next(view, &pair->a, false, slab->a, &b, farthest, out);
    add_next(view, &pair->b, true, slab->b, &a, farthest, out);
    return kind;
}

static enum manifold_kind find_flat(const struct pair *pair, vec3 normal, const struct slab *slab,
                                    struct spots *out) {
    int32_t faces[2] = {face_towards(&pair->a, normal, slab->a),
                        face_towards(&pair->b, vec3_scale(-1.0, normal), slab->b)};
    if (faces[0] >= 0 && faces[1] >= 0) spots_flat(pair, normal, faces, out);
    return MANIFOLD_FACE_FACE;
}

static void write_points(const struct view *view, const struct spots *spots, vec3 origin,
                         const double radii[2], struct manifold *out) {
    out->count = spots->count;
    for (int k = 0; k < spots->count; k++) {
        const struct spot *spot = &spots->at[k];
        double middle = spot->height + 0.5 * (spot->gap + radii[0] - radii[1]);
        vec3 x = vec3_add_scaled(vec3_scale(spot->u, view->u), spot->v, view->v);
        out->points[k].point = vec3_add(origin, vec3_add_scaled(x, middle, view->normal));
        out->points[k].gap = spot->gap - radii[0] - radii[1];
        out->points[k].feature = spot->feature;
    }
}

static void find_points(const struct pair *pair, struct nearest *near, double farthest, vec3 origin,
                        const double radii[2], struct manifold *out) {
    struct spots spots;
    spots.count = 0;
    spots.extent = 0.0;
    bool flat = pair->a.shape->dim == 2;
    struct view view = view_make(near->normal);
    struct slab slab = slab_along(pair, near->normal, 0, 0);
    enum manifold_kind kind = flat ? find_flat(pair, near->normal, &slab, &spots)
                                   : find_solid(pair, &view, &slab, farthest, &spots);
    keep_nearest(pair, &view, &slab, near, &spots);
    out->kind = spots.count > 1 ? kind : kind_of(near);
    int limit_a = spots_limit(pair->a.shape), limit_b = spots_limit(pair->b.shape);
    spots_reduce(&spots, limit_a < limit_b ? limit_a : limit_b);
    write_points(&view, &spots, origin, radii, out);
}

void manifold_find(const struct placed *a, const struct placed *b, double margin,
                   struct manifold_hint *hint, struct manifold *out) {
    double radii[2] = {a->scale * a->shape->rounding, b->scale * b->shape->rounding};
    struct pair pair = pair_make(a, b);
    struct nearest near;
    out->count = 0;
    bool close = nearest_find(&pair, margin + radii[0] + radii[1], hint, &near);
    out->gap = near.gap - radii[0] - radii[1];
    if (!close) return;
    out->normal = near.normal;
    double farthest = fmax(margin + radii[0] + radii[1], near.gap);
    find_points(&pair, &near, farthest, a->position, radii, out);
}
