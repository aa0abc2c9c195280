/* SPDX-License-Identifier: Apache-2.0
 *
 * How deep two convex cores overlap: the separating axis test.
 *
 * The smallest displacement that parts them is along the normal of a face of a - b (Minkowski's
 * difference), that is of a face of a, of a face of b, or of a parallelogram spanned by an edge of each.
 * Two edges span a face of a - b if their common perpendicular n lies in the cone of normals of the edge
 * of a and -n in that of the edge of b. The cones are tested with tolerance, since every direction that is
 * better than the best so far is judged by the true slab along it, whose gap is a lower bound whatever
 * the direction.
 *
 * Most axes are ruled out unseen. For any points x_a of a and x_b of b, the gap of the slab along n is at
 * most n . (x_b - x_a). For a face of a with x_b fixed this is the height of x_b over the face. An edge
 * can do no better than the better of its two faces: within its cone n is a sum of both normals with
 * weights whose sum is at least 1.
 */
#include "geom/nearest.h"

enum { ARCS = 24 }; /* edges looked at together; any number works */

/* Of sines: faces with one side 1e-10 of the other still have normals this good. */
#define CONE_TOLERANCE 1e-5
/* Edges more parallel than this span no face of a - b wider than rounding. */
#define PARALLEL 1e-15
/* Of pair.unit: the error of the product of three vectors, two of them of length 1; less than NEAREST_TIE, so
 * that ties are not looked at. */
#define PRODUCT_ERROR 3.0
/* Of the size: the normals of narrow faces may be wrong by this over the width of the pair. */
#define LEAN 1e-6

struct search {
    const struct pair *pair;
    double known;            /* m, no axis below this is of interest */
    double tie;              /* m */
    vec3 inside_a, inside_b; /* any points of the cores, the nearer to each other the better */
    struct nearest best;
};

/* An edge with its cone of normals: those n with n . edge = 0, n . left <= 0, n . right <= 0. */
struct arc {
    vec3 tail, along, left, right;
    int32_t edge;
};

static inline double larger(double a, double b) {
    return a > b ? a : b;
}

static inline double floor_of(const struct search *search) {
    return larger(search->known, search->best.gap) - search->tie;
}

/* ---- faces ------------------------------------------------------------------------------------ */

/* All faces of one of the two. */
static void try_faces(struct search *search, bool of_b) {
    const struct posed *owner = of_b ? &search->pair->b : &search->pair->a;
    const struct posed *other = of_b ? &search->pair->a : &search->pair->b;
    vec3 inside = of_b ? search->inside_a : search->inside_b;
    vec3 local = posed_local(owner, vec3_sub(inside, owner->shift));
    int32_t vertex = 0;
    for (int32_t f = 0; f < owner->shape->face_count; f++) {
        const struct convex_face *face = &owner->shape->faces[f];
        double bound = vec3_dot(face->normal, local) - owner->scale * face->offset;
        if (bound < floor_of(search)) continue;
        vec3 outward = posed_turn(owner, face->normal);
        vertex = posed_support(other, vec3_scale(-1.0, outward), vertex);
        vec3 over = vec3_sub(posed_vertex(other, vertex),
                             posed_vertex(owner, owner->shape->loops[face->first]));
        if (vec3_dot(outward, over) <= search->best.gap + search->tie) continue;
        nearest_on_face(search->pair, of_b, f, vertex, &search->best);
    }
}

/* A point of the triangle near x: weights that are poor because the triangle is thin still give one. */
static bool triangle_point(const vec3 corners[3], vec3 normal, vec3 x, vec3 *out) {
    double weights[3], sum = 0.0;
    for (int k = 0; k < 3; k++) {
        vec3 next = corners[(k + 1) % 3], last = corners[(k + 2) % 3];
        weights[k] = vec3_dot(normal, vec3_cross(vec3_sub(next, x), vec3_sub(last, x)));
        if (weights[k] < 0.0) return false;
        sum += weights[k];
    }
    if (!(sum > 0.0)) return false;
    *out = vec3_zero();
    for (int k = 0; k < 3; k++) *out = vec3_add_scaled(*out, weights[k] / sum, corners[k]);
    return true;
}

/* A point of the face near x that is truly one of the core. The foot of x on its plane is not: the normal
 * of a narrow face is not good enough to follow it far. */
static vec3 face_point(const struct posed *posed, int32_t face, vec3 x) {
    const struct convex_face *f = &posed->shape->faces[face];
    const int32_t *loop = &posed->shape->loops[f->first];
    vec3 normal = posed_normal(posed, face), best = posed_vertex(posed, loop[0]), point;
    vec3 corners[3] = {best, posed_vertex(posed, loop[1]), best};
    for (int32_t k = 2; k < f->count; k++) {
        corners[2] = posed_vertex(posed, loop[k]);
        if (triangle_point(corners, normal, x, &point)) return point;
        corners[1] = corners[2];
    }
    for (int32_t k = 1; k < f->count; k++) {
        point = posed_vertex(posed, loop[k]);
        if (vec3_norm2(vec3_sub(point, x)) < vec3_norm2(vec3_sub(best, x))) best = point;
    }
    return best;
}

static vec3 face_centre(const struct posed *posed, int32_t face) {
    const struct convex_face *f = &posed->shape->faces[face];
    vec3 sum = vec3_zero();
    for (int32_t k = 0; k < f->count; k++)
        sum = vec3_add(sum, posed_vertex(posed, posed->shape->loops[f->first + k]));
    return vec3_scale(1.0 / f->count, sum);
}

/* Better points inside from the best face of a: where its middle lies over the face of b that meets it. */
static void move_inside(struct search *search) {
    const struct nearest *best = &search->best;
    const struct pair *pair = search->pair;
    if (best->gap == -HUGE_VAL) return;
    search->inside_a = face_centre(&pair->a, best->a[0]);
    int32_t face = posed_face_along(&pair->b, vec3_scale(-1.0, best->normal));
    if (face < 0) {
        search->inside_b = best->point_b;
    } else {
        search->inside_b = face_point(&pair->b, face, search->inside_a);
    }
    search->inside_a = face_point(&pair->a, best->a[0], search->inside_b);
}

/* ---- edges ------------------------------------------------------------------------------------ */

/* Can an edge carry an axis above the floor? `local` is the point inside the other core. */
static bool edge_matters(const struct posed *posed, const struct convex_edge *edge, vec3 local,
                         double floor) {
    if (edge->left < 0 || edge->right < 0) return true;
    const struct convex_face *left = &posed->shape->faces[edge->left];
    const struct convex_face *right = &posed->shape->faces[edge->right];
    double least = floor < 0.0 ? floor : 0.0;
    if (vec3_dot(left->normal, local) - posed->scale * left->offset >= least) return true;
    if (vec3_dot(right->normal, local) - posed->scale * right->offset >= least) return true;
    /* The two sides of a plate: no sum of their normals gives those in between. */
    return vec3_dot(left->normal, right->normal) < -1.0 + 1e-6;
}

static struct arc make_arc(const struct posed *posed, int32_t index) {
    const struct convex_edge *edge = &posed->shape->edges[index];
    struct arc arc = {.edge = index, .tail = posed_vertex(posed, edge->tail)};
    vec3 along = posed_step(posed, edge->tail, edge->head);
    arc.along = vec3_scale(1.0 / vec3_norm(along), along);
    if (edge->left >= 0) arc.left = vec3_cross(posed_normal(posed, edge->left), arc.along);
    if (edge->right >= 0) arc.right = vec3_cross(arc.along, posed_normal(posed, edge->right));
    return arc;
}

/* The next edges that matter, from *next on; returns how many. */
static int gather_arcs(const struct posed *posed, vec3 inside, double floor, int32_t *next,
                       struct arc arcs[ARCS]) {
    vec3 local = posed_local(posed, vec3_sub(inside, posed->shift));
    int count = 0;
    while (*next < posed->shape->edge_count && count < ARCS) {
        if (edge_matters(posed, &posed->shape->edges[*next], local, floor))
            arcs[count++] = make_arc(posed, *next);
        ++*next;
    }
    return count;
}

/* value <= limit * root of norm2, without the root. */
static inline bool below(double value, double limit, double norm2) {
    if ((value > 0.0) != (limit > 0.0)) return value <= 0.0;
    bool less = value * value <= limit * limit * norm2;
    return value > 0.0 ? less : !less;
}

/* Is n, of any length, in the cone of the arc? */
static inline bool in_cone(const struct arc *arc, vec3 n, double norm2) {
    return below(vec3_dot(n, arc->left), CONE_TOLERANCE, norm2) &&
           below(vec3_dot(n, arc->right), CONE_TOLERANCE, norm2);
}

static void judge_edges(struct search *search, const struct arc *a, const struct arc *b, vec3 n) {
    const struct convex_edge *edge_a = &search->pair->a.shape->edges[a->edge];
    const struct convex_edge *edge_b = &search->pair->b.shape->edges[b->edge];
    struct slab slab = slab_along(search->pair, n, edge_a->tail, edge_b->tail);
    if (slab.gap <= search->best.gap + search->tie) return;
    nearest_on_edges(search->pair, (int32_t[2]){edge_a->tail, edge_a->head},
                     (int32_t[2]){edge_b->tail, edge_b->head}, n, &search->best);
    search->best.gap = slab.gap;
}

static void try_edges(struct search *search, const struct arc *a, const struct arc *b) {
    vec3 n = vec3_cross(a->along, b->along), across = vec3_sub(b->tail, a->tail);
    double norm2 = vec3_norm2(n), gap = vec3_dot(n, across);
    if (norm2 < PARALLEL * PARALLEL) return;
    double least = larger(search->known - search->tie, search->best.gap + search->tie);
    /* The product of nearly parallel edges is poor; edges_across makes it good for those that are left. */
    double poor = PRODUCT_ERROR * search->pair->unit;
    for (int sign = 0; sign < 2; sign++, n = vec3_scale(-1.0, n), gap = -gap) {
        if (below(gap + poor, least, norm2) || !in_cone(a, n, norm2)) continue;
        if (!in_cone(b, vec3_scale(-1.0, n), norm2)) continue;
        vec3 unit = edges_across(a->along, b->along);
        judge_edges(search, a, b, sign == 0 ? unit : vec3_scale(-1.0, unit));
    }
}

static void try_all_edges(struct search *search) {
    const struct pair *pair = search->pair;
    struct arc arcs_a[ARCS], arcs_b[ARCS];
    int32_t next_a = 0;
    while (next_a < pair->a.shape->edge_count) {
        double floor = floor_of(search) - LEAN / DBL_EPSILON * pair->unit;
        int count_a = gather_arcs(&pair->a, search->inside_b, floor, &next_a, arcs_a);
        int32_t next_b = 0;
        while (count_a > 0 && next_b < pair->b.shape->edge_count) {
            int count_b = gather_arcs(&pair->b, search->inside_a, floor, &next_b, arcs_b);
            for (int i = 0; i < count_a; i++) {
                for (int j = 0; j < count_b; j++) try_edges(search, &arcs_a[i], &arcs_b[j]);
            }
        }
    }
}

/* ---- points and segments ---------------------------------------------------------------------- */

/* A direction across the segment or point, towards b if that has a meaning. */
static vec3 across(const struct pair *pair, const struct posed *posed) {
    int32_t ends[2];
    convex_segment(posed->shape, 0, ends);
    vec3 branch = vec3_sub(posed_vertex(&pair->b, 0), posed_vertex(&pair->a, 0));
    vec3 along = vec3_sub(posed_vertex(posed, ends[1]), posed_vertex(posed, ends[0]));
    double length = vec3_norm(along);
    if (length > 0.0) {
        along = vec3_scale(1.0 / length, along);
        branch = vec3_tangential(branch, along);
    }
    double distance = vec3_norm(branch);
    if (distance > NEAREST_EXACT * pair->unit) return vec3_scale(1.0 / distance, branch);
    return length > 0.0 ? vec3_perpendicular(along) : vec3_make(1.0, 0.0, 0.0);
}

/* Cores without faces that touch have only their edges, and no direction at all if these are parallel;
 * then any across will do. */
static void try_across(struct search *search, const struct posed *posed) {
    if (posed->shape->face_count > 0) return;
    vec3 n = across(search->pair, posed);
    struct slab slab = slab_along(search->pair, n, 0, 0);
    if (slab.gap <= search->best.gap + search->tie) return;
    struct nearest *best = &search->best;
    *best = (struct nearest){.gap = slab.gap, .normal = n, .size_a = 1, .size_b = 1};
    best->a[0] = slab.a;
    best->b[0] = slab.b;
    best->point_b = posed_vertex(&search->pair->b, slab.b);
    best->point_a = vec3_add_scaled(best->point_b, -slab.gap, n);
}

void nearest_depth(const struct pair *pair, const struct slab *known, struct nearest *out) {
    struct search search = {.pair = pair, .tie = NEAREST_TIE * pair->unit};
    search.known = known ? known->gap : -HUGE_VAL;
    search.best.gap = -HUGE_VAL;
    search.inside_a = posed_vertex(&pair->a, known ? known->a : 0);
    search.inside_b = posed_vertex(&pair->b, known ? known->b : 0);
    try_faces(&search, false);
    move_inside(&search);
    try_faces(&search, true);
    if (search.best.gap <= NEAREST_TIE * pair->unit) {
        try_all_edges(&search);
        try_across(&search, &pair->a);
        try_across(&search, &pair->b);
    }
    *out = search.best;
}
