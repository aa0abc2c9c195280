/* SPDX-License-Identifier: Apache-2.0
 *
 * Volume, centre and inertia of a hull swept by a ball, exactly.
 *
 * The swept body falls apart into the hull P itself, a prism of height r on every face, a sector of
 * a cylinder along every edge and a sector of a ball at every vertex (Steiner's formula, with its
 * moments). Of each the moments
 *
 *   m0 = int 1 dV,  m1 = int x dV,  m2 = int x x^T dV
 *
 * are known in closed form. The hull: tetrahedra from the origin to the triangles of its faces. A
 * prism on a face with moments a0, a1, a2 and normal n:
 *
 *   m0 = a0 r,  m1 = a1 r + a0 n r^2/2,  m2 = a2 r + (a1 n^T + n a1^T) r^2/2 + a0 n n^T r^3/3.
 *
 * A sector sweeps the unit vectors u of an arc of angle phi around its bisector m, with q across it:
 *
 *   u1 = int u = 2 sin(phi/2) m,   u2 = int u u^T = (phi + sin phi)/2 m m^T + (phi - sin phi)/2 q q^T.
 *
 * A sector of the ball at v holds the unit vectors n of the normal cone, a spherical polygon S of
 * solid angle omega = 2 pi - (sum of the angles of the faces at v), whose sides are the arcs of the
 * edges at v. With the outward normal nu of a side within the sphere, which is the direction of its
 * edge away from v, the divergence theorem on the sphere for grad n_i (of divergence -2 n_i) and n_j
 * grad n_i (of divergence delta_ij - 3 n_i n_j) gives
 *
 *   int_S n = -1/2 sum phi nu,   int_S n n^T = (omega 1 - sum nu u1^T)/3.
 *
 * The last sum drops out in the end: both ends of an edge have the same arc and opposite nu. Nothing
 * has to be walked around a vertex. Plane worlds: the same with sectors of discs. Tests:
 * tests/unit/test_convex.c.
 */
#include "geom/convex.h"

static const double pi = 3.14159265358979323846;

struct moments {
    double m0;
    vec3 m1;
    mat3 m2;
};

/* a += s (x y^T + y x^T)/2 */
static void add_product(mat3 *a, double s, vec3 x, vec3 y) {
    const double u[3] = {x.x, x.y, x.z}, v[3] = {y.x, y.y, y.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) a->m[i][j] += s * (0.5 * (u[i] * v[j] + v[i] * u[j]));
}

static void add_scaled(mat3 *a, double s, const mat3 *b) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) a->m[i][j] += s * b->m[i][j];
}

/* Moments of a set known from `base`: those of the set x = base + y, given those of y. */
static void add_at(struct moments *sum, vec3 base, const struct moments *y) {
    sum->m0 += y->m0;
    sum->m1 = vec3_add(sum->m1, vec3_add_scaled(y->m1, y->m0, base));
    add_scaled(&sum->m2, 1.0, &y->m2);
    add_product(&sum->m2, 2.0, base, y->m1);
    add_product(&sum->m2, y->m0, base, base);
}

/* Every pair x = y + z of two sets that span directions of their own (face and height, edge and
 * section). */
static void add_swept(struct moments *sum, const struct moments *y, const struct moments *z) {
    sum->m0 += y->m0 * z->m0;
    sum->m1 = vec3_add_scaled(vec3_add_scaled(sum->m1, z->m0, y->m1), y->m0, z->m1);
    add_scaled(&sum->m2, z->m0, &y->m2);
    add_scaled(&sum->m2, y->m0, &z->m2);
    add_product(&sum->m2, 2.0, y->m1, z->m1);
}

/* ---- pieces -------------------------------------------------------------------------------------- */

static struct moments segment(vec3 a, vec3 b) {
    struct moments s = {.m0 = vec3_norm(vec3_sub(b, a))};
    s.m1 = vec3_scale(0.5 * s.m0, vec3_add(a, b));
    add_product(&s.m2, s.m0 / 3.0, a, a);
    add_product(&s.m2, s.m0 / 3.0, b, b);
    add_product(&s.m2, s.m0 / 3.0, a, b);
    return s;
}

/* The unit segment of length r along n from the origin: what a face is swept along. */
static struct moments height(vec3 n, double r) {
    struct moments s = {.m0 = r, .m1 = vec3_scale(0.5 * r * r, n)};
    add_product(&s.m2, r * r * r / 3.0, n, n);
    return s;
}

/* Simplex of content `content` and `n` corners; a corner at the origin may be counted but left out. */
static void add_simplex(struct moments *sum, double content, const vec3 *corners, int given,
                        int n) {
    vec3 total = vec3_zero();
    double share = content / ((double)n * (double)(n + 1));
    for (int k = 0; k < given; k++) {
        total = vec3_add(total, corners[k]);
        add_product(&sum->m2, share, corners[k], corners[k]);
    }
    add_product(&sum->m2, share, total, total);
    sum->m1 = vec3_add_scaled(sum->m1, content / (double)n, total);
    sum->m0 += content;
}

/* An arc of unit vectors that starts at `from` and turns by phi towards `side`, perpendicular to it. */
struct arc {
    double phi;
    vec3 u1;
    mat3 u2;
};

static struct arc arc_between(vec3 from, vec3 side, vec3 to) {
    double phi = atan2(vec3_dot(to, side), vec3_dot(to, from));
    if (phi < -0.5 * pi) phi += 2.0 * pi; /* half a turn, missed by rounding */
    double c = cos(0.5 * phi), s = sin(0.5 * phi);
    vec3 middle = vec3_add_scaled(vec3_scale(c, from), s, side);
    vec3 across = vec3_add_scaled(vec3_scale(-s, from), c, side);
    struct arc arc = {.phi = phi, .u1 = vec3_scale(2.0 * s, middle)};
    add_product(&arc.u2, 0.5 * (phi + 2.0 * s * c), middle, middle);
    add_product(&arc.u2, 0.5 * (phi - 2.0 * s * c), across, across);
    return arc;
}

/* The full circle around a unit vector. */
static struct arc arc_full(vec3 axis) {
    struct arc arc = {.phi = 2.0 * pi, .u2 = mat3_diagonal(vec3_make(pi, pi, pi))};
    add_product(&arc.u2, -pi, axis, axis);
    return arc;
}

/* The sector of a disc of radius r over an arc, seen from its centre. */
static struct moments sector(const struct arc *arc, double r) {
    struct moments s = {.m0 = 0.5 * r * r * arc->phi, .m1 = vec3_scale(r * r * r / 3.0, arc->u1)};
    add_scaled(&s.m2, 0.25 * r * r * r * r, &arc->u2);
    return s;
}

/* What a part of a ball of radius r contributes that has solid angle omega and int n = n1. */
static struct moments cone(double r, double omega, vec3 n1) {
    double r3 = r * r * r;
    struct moments s = {.m0 = omega * r3 / 3.0, .m1 = vec3_scale(0.25 * r3 * r, n1)};
    double part = omega / 3.0 * r3 * r * r / 5.0;
    s.m2 = mat3_diagonal(vec3_make(part, part, part));
    return s;
}

/* ---- plane worlds -------------------------------------------------------------------------------- */

static struct moments plane_moments(const struct convex *c, vec3 origin) {
    const vec3 z = {0.0, 0.0, 1.0};
    struct moments sum = {0};
    double r = c->rounding;
    int32_t n = c->face_count;
    for (int32_t k = 0; k < n; k++) { /* side k runs from vertex k to the next */
        vec3 normal = c->faces[k].normal;
        vec3 corners[2] = {vec3_sub(c->vertices[k], origin),
                           vec3_sub(c->vertices[k + 1 < n ? k + 1 : 0], origin)};
        double area = 0.5 * vec3_dot(vec3_cross(corners[0], corners[1]), z);
        if (n > 2) add_simplex(&sum, area, corners, 2, 3);
        if (r == 0.0) continue;
        struct moments side = segment(corners[0], corners[1]), up = height(normal, r);
        add_swept(&sum, &side, &up);
        vec3 before = c->faces[k > 0 ? k - 1 : n - 1].normal;
        struct arc arc = arc_between(before, vec3_cross(z, before), normal);
        struct moments round = sector(&arc, r);
        add_at(&sum, corners[0], &round);
    }
    if (n == 0) {
        struct arc arc = arc_full(z);
        struct moments disc = sector(&arc, r);
        add_at(&sum, vec3_sub(c->vertices[0], origin), &disc);
    }
    return sum;
}

/* ---- space --------------------------------------------------------------------------------------- */

/* A face by triangles from its first vertex: the tetrahedra below it and, with rounding, the prism
 * above it. */
static void add_face(struct moments *sum, const struct convex *c, int32_t f, vec3 origin) {
    const int32_t *loop = c->loops + c->faces[f].first;
    struct moments flat = {0}, up = height(c->faces[f].normal, c->rounding);
    vec3 corners[3] = {vec3_sub(c->vertices[loop[0]], origin)};
    for (int32_t k = 1; k + 1 < c->faces[f].count; k++) {
        corners[1] = vec3_sub(c->vertices[loop[k]], origin);
        corners[2] = vec3_sub(c->vertices[loop[k + 1]], origin);
        vec3 area = vec3_cross(vec3_sub(corners[1], corners[0]), vec3_sub(corners[2], corners[0]));
        if (c->face_count > 2) add_simplex(sum, vec3_dot(area, corners[0]) / 6.0, corners, 3, 4);
        add_simplex(&flat, 0.5 * vec3_dot(area, c->faces[f].normal), corners, 3, 3);
    }
    add_swept(sum, &flat, &up);
}

/* The angle of a face at each of its corners, taken from the solid angle 2 pi of the vertex. */
static void add_corners(struct moments *sum, const struct convex *c, int32_t f, vec3 origin) {
    const int32_t *loop = c->loops + c->faces[f].first;
    for (int32_t k = 0, n = c->faces[f].count; k < n; k++) {
        vec3 here = c->vertices[loop[k]];
        vec3 a = vec3_sub(c->vertices[loop[k + 1 < n ? k + 1 : 0]], here);
        vec3 b = vec3_sub(c->vertices[loop[k > 0 ? k - 1 : n - 1]], here);
        double angle = atan2(vec3_norm(vec3_cross(a, b)), vec3_dot(a, b));
        struct moments part = cone(c->rounding, -angle, vec3_zero());
        add_at(sum, vec3_sub(here, origin), &part);
    }
}

/* What an edge that leaves the ball at `end` along nu gives to it. */
static void add_arc(struct moments *sum, const struct arc *arc, vec3 end, vec3 nu, double r) {
    struct moments part = cone(r, 0.0, vec3_scale(-0.5 * arc->phi, nu));
    add_at(sum, end, &part);
}

static void add_edge(struct moments *sum, const struct convex *c, int32_t e, vec3 origin) {
    struct convex_edge edge = c->edges[e];
    vec3 tail = vec3_sub(c->vertices[edge.tail], origin);
    vec3 head = vec3_sub(c->vertices[edge.head], origin), along = vec3_sub(head, tail);
    vec3 nu = vec3_scale(1.0 / vec3_norm(along), along);
    struct arc arc = arc_full(nu);
    if (edge.left >= 0) { /* from the left face the arc turns away from that face */
        vec3 left = c->faces[edge.left].normal;
        arc = arc_between(left, vec3_cross(nu, left), c->faces[edge.right].normal);
    }
    struct moments line = segment(tail, head), round = sector(&arc, c->rounding);
    add_swept(sum, &line, &round);
    add_arc(sum, &arc, tail, nu, c->rounding);
    add_arc(sum, &arc, head, vec3_scale(-1.0, nu), c->rounding);
}

static struct moments space_moments(const struct convex *c, vec3 origin) {
    struct moments sum = {0};
    for (int32_t f = 0; f < c->face_count; f++) add_face(&sum, c, f, origin);
    if (c->rounding == 0.0) return sum;
    for (int32_t f = 0; f < c->face_count; f++) add_corners(&sum, c, f, origin);
    for (int32_t e = 0; e < c->edge_count; e++) add_edge(&sum, c, e, origin);
    for (int32_t v = 0; v < c->vertex_count; v++) {
        double omega = c->vertex_count > 1 ? 2.0 * pi : 4.0 * pi;
        struct moments part = cone(c->rounding, omega, vec3_zero());
        add_at(&sum, vec3_sub(c->vertices[v], origin), &part);
    }
    return sum;
}

/* ---- together ------------------------------------------------------------------------------------ */

static vec3 vertex_mean(const struct convex *c) {
    vec3 mean = vec3_zero();
    for (int32_t v = 0; v < c->vertex_count; v++)
        mean = vec3_add_scaled(mean, 1.0 / (double)c->vertex_count, c->vertices[v]);
    return mean;
}

struct convex_mass convex_mass(const struct convex *convex) {
    struct convex_mass mass = {.centre = vertex_mean(convex)};
    struct moments sum = {0};
    /* The second time from the centre itself, so that the inertia is no difference of large numbers. */
    for (int pass = 0; pass < 2; pass++) {
        sum = convex->dim == 2 ? plane_moments(convex, mass.centre)
                               : space_moments(convex, mass.centre);
        if (!(sum.m0 > 0.0)) return mass;
        mass.volume = sum.m0;
        mass.centre = vec3_add_scaled(mass.centre, 1.0 / sum.m0, sum.m1);
    }
    add_product(&sum.m2, -1.0 / sum.m0, sum.m1, sum.m1);
    double trace = sum.m2.m[0][0] + sum.m2.m[1][1] + sum.m2.m[2][2];
    mass.inertia = mat3_diagonal(vec3_make(trace, trace, trace));
    add_scaled(&mass.inertia, -1.0, &sum.m2);
    return mass;
}
