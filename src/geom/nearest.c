/* SPDX-License-Identifier: Apache-2.0
 *
 * Signed distance of two convex cores: the way to it.
 *
 * The features of the last time are tried first: a vertex over a face or two crossing edges prove
 * themselves if no vertex reaches farther. Else the simplex search finds the nearest points if the cores are
 * apart and the separating axis test the smallest depth if they are not. The answer is always taken
 * from the features, so that it is good to rounding also where nearest points almost touch and the
 * difference between them has no direction. What rounding leaves undecided goes to the exhaustive search.
 */
#include "geom/nearest.h"

#include "geom/nearest_gjk.h"

/* ---- memory ----------------------------------------------------------------------------------- */

/* What data[3] of a hint says about the other three. */
enum {
    HINT_NONE,
    HINT_FACE_OF_A, /* face of a, vertex of b */
    HINT_FACE_OF_B, /* vertex of a, face of b */
    HINT_EDGES,     /* two vertices of a, two of b, two in each; */
    HINT_REVERSED,  /* the same, the normal against the product of the edges */
    HINT_SIMPLEX,   /* one vertex of a and of b in each; this plus one less than their number */
    HINT_FAR = HINT_SIMPLEX + 3 /* a direction that parts the two */
};

/* Components of a direction in whole numbers; the rounding is well below the factor that covers it. */
static const double far_steps = 0x1p30, far_bound = 1.0 - 0x1p-28;

enum { PACK_BITS = 16, PACK_MASK = (1 << PACK_BITS) - 1 };

static int32_t pack(int32_t low, int32_t high) {
    return (int32_t)((uint32_t)low | (uint32_t)high << PACK_BITS);
}

static void unpack(int32_t packed, int32_t out[2]) {
    out[0] = packed & PACK_MASK;
    out[1] = (int32_t)((uint32_t)packed >> PACK_BITS);
}

static bool can_pack(const struct pair *pair) {
    return pair->a.shape->vertex_count <= PACK_MASK && pair->b.shape->vertex_count <= PACK_MASK;
}

static void remember_far(vec3 normal, struct manifold_hint *hint) {
    hint->data[0] = (int32_t)lrint(far_steps * normal.x);
    hint->data[1] = (int32_t)lrint(far_steps * normal.y);
    hint->data[2] = (int32_t)lrint(far_steps * normal.z);
    hint->data[3] = HINT_FAR;
}

static void remember_edges(const struct pair *pair, const struct nearest *near,
                           struct manifold_hint *hint) {
    vec3 u = posed_step(&pair->a, near->a[0], near->a[1]);
    vec3 v = posed_step(&pair->b, near->b[0], near->b[1]);
    bool reversed = vec3_dot(vec3_cross(u, v), near->normal) < 0.0;
    hint->data[0] = pack(near->a[0], near->a[1]);
    hint->data[1] = pack(near->b[0], near->b[1]);
    hint->data[3] = reversed ? HINT_REVERSED : HINT_EDGES;
}

static void remember(const struct pair *pair, const struct nearest *near,
                     struct manifold_hint *hint) {
    hint->data[3] = HINT_NONE;
    if (!can_pack(pair)) return;
    if (near->size_a == 3 || near->size_b == 3) {
        hint->data[0] = near->a[0];
        hint->data[1] = near->b[0];
        hint->data[3] = near->size_a == 3 ? HINT_FACE_OF_A : HINT_FACE_OF_B;
    } else if (near->size_a == 2 && near->size_b == 2) {
        remember_edges(pair, near, hint);
    } else {
        int count = near->size_a > near->size_b ? near->size_a : near->size_b;
        for (int k = 0; k < count; k++) {
            hint->data[k] =
                pack(near->a[k < near->size_a ? k : 0], near->b[k < near->size_b ? k : 0]);
        }
        hint->data[3] = HINT_SIMPLEX + count - 1;
    }
}

/* ---- the features of the last time -------------------------------------------------------------- */

enum answer { OPEN, FOUND, BEYOND };

static bool within(int32_t index, int32_t count) {
    return index >= 0 && index < count;
}

/* Have the two enough extent that the separating axis test tells all? */
static bool has_volume(const struct pair *pair) {
    return pair->a.shape->face_count > 2 || pair->b.shape->face_count > 2;
}

/* A slab that does not part the cores: if none does they overlap. */
static enum answer try_depth(const struct pair *pair, const struct slab *slab,
                             struct nearest *out) {
    if (!has_volume(pair)) return OPEN;
    nearest_depth(pair, slab, out);
    return out->gap <= 0.0 ? FOUND : OPEN;
}

/* The slab along the normal of a face; *out is the vertex it finds, over the face or not. */
static struct slab slab_of_face(const struct pair *pair, bool of_b, int32_t face, int32_t start,
                                struct nearest *out) {
    const struct posed *owner = of_b ? &pair->b : &pair->a, *other = of_b ? &pair->a : &pair->b;
    int32_t corner = posed_corner(owner, face);
    vec3 inward = vec3_scale(-1.0, posed_normal(owner, face));
    int32_t vertex = posed_support(other, inward, start);
    nearest_on_face(pair, of_b, face, vertex, out);
    return (struct slab){out->normal, out->gap, of_b ? vertex : corner, of_b ? corner : vertex};
}

/* Apart, and the vertex over the face: then no points are nearer. */
static bool face_proves(const struct pair *pair, bool of_b, const struct nearest *near) {
    if (!(near->gap > 0.0)) return false;
    return of_b ? posed_face_covers(&pair->b, near->b[0], near->point_a, pair->unit)
                : posed_face_covers(&pair->a, near->a[0], near->point_b, pair->unit);
}

static enum answer try_face(const struct pair *pair, double margin, bool of_b,
                            const int32_t data[2], struct nearest *out) {
    const struct convex *owner = of_b ? pair->b.shape : pair->a.shape;
    const struct convex *other = of_b ? pair->a.shape : pair->b.shape;
    int32_t face = of_b ? data[1] : data[0], start = of_b ? data[0] : data[1];
    if (!within(face, owner->face_count) || !within(start, other->vertex_count)) return OPEN;
    struct slab slab = slab_of_face(pair, of_b, face, start, out);
    if (slab.gap > margin) return BEYOND;
    if (slab.gap <= 0.0) return try_depth(pair, &slab, out);
    return face_proves(pair, of_b, out) ? FOUND : OPEN;
}

/* Two edges that pass each other: the slab along their common perpendicular, and whether they are where it
 * is nearest. */
static enum answer try_edges(const struct pair *pair, double margin, const int32_t a[2],
                             const int32_t b[2], bool reversed, struct nearest *out) {
    vec3 n = edges_across(posed_step(&pair->a, a[0], a[1]), posed_step(&pair->b, b[0], b[1]));
    if (vec3_norm2(n) == 0.0) return OPEN;
    if (reversed) n = vec3_scale(-1.0, n);
    struct slab slab = slab_along(pair, n, a[0], b[0]);
    if (slab.gap > margin) {
        out->gap = slab.gap;
        return BEYOND;
    }
    if (slab.gap <= 0.0) return try_depth(pair, &slab, out);
    bool over = nearest_on_edges(pair, a, b, n, out);
    return over && out->gap - slab.gap <= NEAREST_EXACT * pair->unit ? FOUND : OPEN;
}

static enum answer try_packed_edges(const struct pair *pair, double margin, const int32_t *data,
                                    bool reversed, struct nearest *out) {
    int32_t a[2], b[2];
    unpack(data[0], a);
    unpack(data[1], b);
    for (int k = 0; k < 2; k++) {
        if (!within(a[k], pair->a.shape->vertex_count)) return OPEN;
        if (!within(b[k], pair->b.shape->vertex_count)) return OPEN;
    }
    return try_edges(pair, margin, a, b, reversed, out);
}

/* Pairs that stay apart cost no more than this: one slab. */
static enum answer try_far(const struct pair *pair, double margin, const int32_t *data,
                           struct nearest *out) {
    vec3 n = vec3_scale(1.0 / far_steps, vec3_make(data[0], data[1], data[2]));
    double gap = far_bound * slab_along(pair, n, 0, 0).gap;
    if (!(gap > margin)) return OPEN;
    out->gap = gap;
    return BEYOND;
}

static enum answer try_hint(const struct pair *pair, double margin,
                            const struct manifold_hint *hint, struct nearest *out) {
    switch (hint->data[3]) {
    case HINT_FACE_OF_A: return try_face(pair, margin, false, hint->data, out);
    case HINT_FACE_OF_B: return try_face(pair, margin, true, hint->data, out);
    case HINT_EDGES: return try_packed_edges(pair, margin, hint->data, false, out);
    case HINT_REVERSED: return try_packed_edges(pair, margin, hint->data, true, out);
    case HINT_FAR: return try_far(pair, margin, hint->data, out);
    default: return OPEN;
    }
}

/* ---- search ----------------------------------------------------------------------------------- */

/* Where to start: the last simplex, or the vertices that face each other. */
static void start_search(const struct pair *pair, const struct manifold_hint *hint,
                         struct simplex *simplex) {
    simplex->count = 0;
    bool kept = hint->data[3] >= HINT_SIMPLEX && hint->data[3] < HINT_FAR;
    int count = kept ? hint->data[3] - HINT_SIMPLEX + 1 : 0;
    for (int k = 0; k < count; k++) {
        int32_t ends[2];
        unpack(hint->data[k], ends);
        if (within(ends[0], pair->a.shape->vertex_count) &&
            within(ends[1], pair->b.shape->vertex_count))
            simplex_add(pair, simplex, ends[0], ends[1]);
    }
    if (simplex->count > 0) return;
    vec3 branch = vec3_sub(pair->b.shift, pair->a.shift);
    struct slab slab = slab_along(pair, branch, 0, 0);
    simplex_add(pair, simplex, slab.a, slab.b);
}

/* The different vertices of one of the two in a simplex of up to three corners; returns how many. */
static int distinct(const int32_t *corners, int count, int32_t out[3]) {
    int found = 0;
    for (int k = 0; k < count; k++) {
        bool is_new = true;
        for (int j = 0; j < found; j++) is_new = is_new && out[j] != corners[k];
        if (is_new) out[found++] = corners[k];
    }
    return found;
}

/* A vertex and another, or an edge: the corners and weights of the simplex are the answer. */
static void nearest_on_simplex(const struct pair *pair, const struct gjk *gjk, const int32_t a[3],
                               int size_a, const int32_t b[3], int size_b, struct nearest *out) {
    const struct simplex *simplex = &gjk->simplex;
    *out = (struct nearest){.gap = gjk->distance, .size_a = size_a, .size_b = size_b};
    for (int k = 0; k < simplex->count; k++) {
        vec3 x = posed_vertex(&pair->a, simplex->a[k]);
        out->point_a = vec3_add_scaled(out->point_a, simplex->weight[k], x);
    }
    out->point_b = vec3_add(out->point_a, simplex->nearest);
    for (int k = 0; k < size_a; k++) out->a[k] = a[k];
    for (int k = 0; k < size_b; k++) out->b[k] = b[k];
    out->normal = nearest_direction(pair, out);
    /* Short edges are not what the simplex took for them; the wider slab decides. */
    if (slab_along(pair, out->normal, a[0], b[0]).gap < gjk->slab.gap)
        out->normal = gjk->slab.normal;
}

/* A vertex over the face that looks most along the direction n, of a or of b. */
static bool name_face(const struct pair *pair, vec3 n, int32_t a, int32_t b, struct nearest *out) {
    int32_t face = posed_face_along(&pair->a, n);
    if (face >= 0) {
        slab_of_face(pair, false, face, b, out);
        if (face_proves(pair, false, out)) return true;
    }
    face = posed_face_along(&pair->b, vec3_scale(-1.0, n));
    if (face < 0) return false;
    slab_of_face(pair, true, face, a, out);
    return face_proves(pair, true, out);
}

/* Name the features of the nearest points and take the answer from them. */
static bool name_features(const struct pair *pair, const struct gjk *gjk, bool proven,
                          struct nearest *out) {
    int32_t a[3], b[3];
    const struct simplex *simplex = &gjk->simplex;
    if (simplex->count > 3) return false;
    int size_a = distinct(simplex->a, simplex->count, a);
    int size_b = distinct(simplex->b, simplex->count, b);
    vec3 n = vec3_scale(1.0 / gjk->distance, simplex->nearest);
    /* Two vertices may be an edge, a side of a polygon or a diagonal of a face. */
    bool corners = proven && size_a + size_b == 2;
    if (!corners && name_face(pair, n, a[0], b[0], out)) return true;
    if (proven && size_a + size_b <= 3) {
        nearest_on_simplex(pair, gjk, a, size_a, b, size_b, out);
        return true;
    }
    if (size_a != 2 || size_b != 2) return false;
    vec3 u = posed_step(&pair->a, a[0], a[1]), v = posed_step(&pair->b, b[0], b[1]);
    bool reversed = vec3_dot(vec3_cross(u, v), n) < 0.0;
    return try_edges(pair, HUGE_VAL, a, b, reversed, out) == FOUND && out->gap > 0.0;
}

/* Cores that touch or overlap, and those that are apart after all. `distance` (m) is an upper bound. */
static void find_depth(const struct pair *pair, double distance, struct nearest *out) {
    double exact = NEAREST_EXACT * pair->unit;
    nearest_depth(pair, NULL, out);
    /* Corners can be apart by more than the widest slab; two plates in one plane have none at all. */
    bool apart = out->gap > exact || (distance > exact && out->gap > -exact);
    if (!apart) return;
    struct slab slab = slab_along(pair, out->normal, 0, 0);
    nearest_apart(pair, &slab, out);
}

static enum answer search(const struct pair *pair, double margin, struct manifold_hint *hint,
                          struct nearest *out) {
    struct gjk gjk;
    start_search(pair, hint, &gjk.simplex);
    enum gjk_end end = gjk_run(pair, margin, &gjk);
    if (end == GJK_BEYOND) {
        out->gap = gjk.slab.gap;
        remember_far(gjk.slab.normal, hint);
        return BEYOND;
    }
    if (end == GJK_TOUCH)
        find_depth(pair, gjk.distance, out);
    else if (!name_features(pair, &gjk, end == GJK_PROVEN, out)) {
        if (gjk.slab.gap > 0.0)
            nearest_apart(pair, &gjk.slab, out);
        else
            find_depth(pair, gjk.distance, out);
    }
    return FOUND;
}

bool nearest_find(const struct pair *pair, double margin, struct manifold_hint *hint,
                  struct nearest *out) {
    enum answer answer = try_hint(pair, margin, hint, out);
    if (answer == OPEN) answer = search(pair, margin, hint, out);
    if (answer == BEYOND) return false;
    remember(pair, out, hint);
    return out->gap <= margin;
}
