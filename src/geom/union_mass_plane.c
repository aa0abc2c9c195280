/* SPDX-License-Identifier: Apache-2.0
 *
 * Area and moments of a union of rounded polygons and discs by Green's theorem.
 *
 * The boundary of each part is a loop of straight pieces and arcs. Every piece is cut where it meets
 * the boundary of another part, what lies within another part is dropped, and the rest is the
 * boundary of the union. A straight piece from a to b adds the triangle (0, a, b), with its sign, an
 * arc about c the triangles (0, a, c), (0, c, b) and the sector (c, a, b).
 *
 * - Two pieces cross in points that are computed once for both, so that the boundary stays closed
 *   however small the angle between them.
 * - Where boundaries run along each other on the same side, the lower-numbered part keeps the piece;
 *   where they run against each other, the material is on both sides and no one does.
 * - int dx along the boundary must be zero: if it is not, a piece was lost or counted twice.
 */
#include <stdlib.h>

#include "geom/union_mass_parts.h"

static const double pi = 3.14159265358979323846;

/* Boundaries this close run along each other (the extent of the union is one). */
static const double same = 1e-14;
/* Chords shorter than this share of the radius are none: the curves touch. What lies between them is
 * 1e-12 of the radius high at most. */
static const double grazing = 1e-6;
/* Cuts this far beyond the end of a piece are still taken: one too many does no harm. */
static const double slack = 1e-9;

struct piece {
    int32_t part;
    bool round;
    vec3 a, b;     /* ends, counter-clockwise */
    vec3 along;    /* straight: unit vector from a to b */
    double length; /* straight: m; arc: rad */
    vec3 centre;   /* arc */
    double radius; /* arc */
    double from;   /* arc: rad, of a */
    vec3 middle;   /* of a disc around it, and its radius */
    double reach;
};

struct cut {
    double t; /* from a: length or angle */
    vec3 x;
};

struct outline {
    const struct union_parts *parts;
    struct piece *pieces;
    int32_t piece_count;
    struct cut *cuts;
    int32_t cut_count;
    vec3 closure; /* int dx */
};

static double cross(vec3 a, vec3 b) {
    return a.x * b.y - a.y * b.x;
}

static vec3 unit(double angle) {
    return vec3_make(cos(angle), sin(angle), 0.0);
}

/* ---- the boundaries of the parts ----------------------------------------------------------------- */

static void add_straight(struct outline *o, int32_t part, vec3 a, vec3 b) {
    vec3 d = vec3_sub(b, a);
    double length = vec3_norm(d);
    o->pieces[o->piece_count++] = (struct piece){.part = part,
                                                 .a = a,
                                                 .b = b,
                                                 .along = vec3_scale(1.0 / length, d),
                                                 .length = length,
                                                 .middle = vec3_scale(0.5, vec3_add(a, b)),
                                                 .reach = 0.5 * length};
}

/* About `centre`, from a to b. */
static void add_arc(struct outline *o, int32_t part, vec3 centre, vec3 a, vec3 b, double angle) {
    struct piece arc = {.part = part, .round = true, .a = a, .b = b, .centre = centre};
    vec3 d = vec3_sub(a, centre);
    arc.radius = o->parts->part[part].hull.rounding;
    arc.from = atan2(d.y, d.x);
    arc.length = angle;
    arc.middle = centre;
    arc.reach = arc.radius;
    o->pieces[o->piece_count++] = arc;
}

static void add_part(struct outline *o, int32_t part) {
    const struct convex *c = &o->parts->part[part].hull;
    double r = c->rounding;
    int32_t n = c->face_count;
    for (int32_t k = 0; k < n; k++) { /* side k runs from vertex k to the next */
        vec3 normal = c->faces[k].normal, before = c->faces[k > 0 ? k - 1 : n - 1].normal;
        vec3 tail = c->vertices[k], head = c->vertices[k + 1 < n ? k + 1 : 0];
        vec3 a = vec3_add_scaled(tail, r, normal);
        double angle = atan2(cross(before, normal), vec3_dot(before, normal));
        if (angle < -0.5 * pi) angle += 2.0 * pi; /* half a turn, missed by rounding */
        if (r > 0.0) add_arc(o, part, tail, vec3_add_scaled(tail, r, before), a, angle);
        add_straight(o, part, a, vec3_add_scaled(head, r, normal));
    }
    if (n > 0) return;
    vec3 a = vec3_add(c->vertices[0], vec3_make(r, 0.0, 0.0));
    add_arc(o, part, c->vertices[0], a, a, 2.0 * pi);
}

/* ---- where pieces cross -------------------------------------------------------------------------- */

static int straight_straight(const struct piece *p, const struct piece *q, vec3 out[2]) {
    double sine = cross(p->along, q->along);
    if (fabs(sine) < same) return 0;
    double t = cross(vec3_sub(q->a, p->a), q->along) / sine;
    out[0] = vec3_add_scaled(p->a, t, p->along);
    return 1;
}

static int straight_round(const struct piece *p, const struct piece *q, vec3 out[2]) {
    vec3 d = vec3_sub(q->centre, p->a);
    double height = cross(p->along, d), t = vec3_dot(p->along, d);
    double half2 = (q->radius - height) * (q->radius + height);
    if (half2 <= grazing * grazing * q->radius * q->radius) return 0;
    out[0] = vec3_add_scaled(p->a, t - sqrt(half2), p->along);
    out[1] = vec3_add_scaled(p->a, t + sqrt(half2), p->along);
    return 2;
}

static int round_round(const struct piece *p, const struct piece *q, vec3 out[2]) {
    vec3 d = vec3_sub(q->centre, p->centre);
    double distance = vec3_norm(d), difference = fabs(p->radius - q->radius);
    if (distance < same || distance <= difference || distance >= p->radius + q->radius) return 0;
    vec3 u = vec3_scale(1.0 / distance, d);
    /* From the centre of p to the chord, and half the chord. */
    double t = 0.5 * (distance + (p->radius - q->radius) * (p->radius + q->radius) / distance);
    double half2 = (p->radius - t) * (p->radius + t), least = grazing * fmin(p->radius, q->radius);
    if (half2 <= least * least) return 0;
    vec3 foot = vec3_add_scaled(p->centre, t, u), side = vec3_make(-u.y, u.x, 0.0);
    out[0] = vec3_add_scaled(foot, -sqrt(half2), side);
    out[1] = vec3_add_scaled(foot, sqrt(half2), side);
    return 2;
}

/* The same points to the last bit whichever comes first. */
static int crossings(const struct piece *p, const struct piece *q, vec3 out[2]) {
    const struct piece *first = p < q ? p : q, *second = p < q ? q : p;
    if (!first->round && !second->round) return straight_straight(first, second, out);
    if (first->round && second->round) return round_round(first, second, out);
    return first->round ? straight_round(second, first, out) : straight_round(first, second, out);
}

/* Length or angle from the beginning of a piece to the point of it that is nearest to x. Angles a
 * little before the beginning are negative. */
static double place_on(const struct piece *p, vec3 x) {
    if (!p->round) return vec3_dot(p->along, vec3_sub(x, p->a));
    vec3 d = vec3_sub(x, p->centre);
    double angle = atan2(d.y, d.x) - p->from;
    while (angle < -0.5 * (2.0 * pi - p->length) - slack) angle += 2.0 * pi;
    while (angle >= 2.0 * pi - 0.5 * (2.0 * pi - p->length)) angle -= 2.0 * pi;
    return angle;
}

static double distance_from(const struct piece *p, vec3 x) {
    if (!p->round) return fabs(cross(p->along, vec3_sub(x, p->a)));
    return fabs(vec3_norm(vec3_sub(x, p->centre)) - p->radius);
}

static void add_cut(struct outline *o, const struct piece *p, vec3 x) {
    double t = place_on(p, x);
    if (t > 0.0 && t < p->length) o->cuts[o->cut_count++] = (struct cut){.t = t, .x = x};
}

/* Where q crosses p, and where q ends if it runs along p. At most four. */
static void cut_by(struct outline *o, const struct piece *p, const struct piece *q) {
    vec3 x[2];
    int count = crossings(p, q, x);
    for (int k = 0; k < count; k++) {
        double t = place_on(q, x[k]);
        if (t > -slack && t < q->length + slack) add_cut(o, p, x[k]);
    }
    if (distance_from(p, q->a) < same) add_cut(o, p, q->a);
    if (distance_from(p, q->b) < same) add_cut(o, p, q->b);
}

static int cut_order(const void *a, const void *b) {
    double x = ((const struct cut *)a)->t, y = ((const struct cut *)b)->t;
    return (x > y) - (x < y);
}

static void cut_piece(struct outline *o, const struct piece *p) {
    o->cut_count = 0;
    o->cuts[o->cut_count++] = (struct cut){.t = 0.0, .x = p->a};
    o->cuts[o->cut_count++] = (struct cut){.t = p->length, .x = p->b};
    for (int32_t k = 0; k < o->piece_count; k++) {
        const struct piece *q = &o->pieces[k];
        double reach = p->reach + q->reach + slack;
        if (q->part == p->part) continue;
        if (vec3_norm2(vec3_sub(p->middle, q->middle)) < reach * reach) cut_by(o, p, q);
    }
    qsort(o->cuts, (size_t)o->cut_count, sizeof *o->cuts, cut_order);
}

/* ---- what remains -------------------------------------------------------------------------------- */

static vec3 normal_at(const struct piece *p, double t) {
    return p->round ? unit(p->from + t) : vec3_make(p->along.y, -p->along.x, 0.0);
}

static vec3 point_at(const struct piece *p, double t) {
    return p->round ? vec3_add_scaled(p->centre, p->radius, unit(p->from + t))
                    : vec3_add_scaled(p->a, t, p->along);
}

/* Does a part cover a piece between two cuts? It is inside, outside or along its boundary as a whole; a
 * point of it may touch the boundary by chance, two points do only if all do. */
static bool covers(const struct outline *o, int32_t number, const struct piece *p, double from,
                   double to) {
    static const double shares[2] = {0.4142, 0.6318};
    const struct union_part *part = &o->parts->part[number];
    double r = part->hull.rounding, reach = part->radius + same;
    vec3 theirs = vec3_zero();
    double t = from;
    for (int k = 0; k < 2; k++) {
        t = from + shares[k] * (to - from);
        vec3 x = point_at(p, t);
        if (vec3_norm2(vec3_sub(x, part->centre)) > reach * reach) return false;
        double gap = union_core_gap(&part->hull, x, r + same, &theirs) - r;
        if (fabs(gap) > same) return gap < 0.0;
    }
    return number < p->part || vec3_dot(theirs, normal_at(p, t)) < 0.0;
}

static void add_triangle(struct union_moments *sum, vec3 a, vec3 b) {
    vec3 corners[2] = {a, b};
    union_add_simplex(sum, 0.5 * cross(a, b), corners, 2);
}

/* Of a disc about c, from angle t by phi. */
static void add_sector(struct union_moments *sum, vec3 c, double r, double t, double phi) {
    double s = sin(0.5 * phi), r2 = r * r, m0 = 0.5 * r2 * phi;
    vec3 middle = unit(t + 0.5 * phi);
    vec3 m1 = vec3_scale(2.0 / 3.0 * r2 * r * s, middle);
    double along = 0.125 * r2 * r2 * (phi + sin(phi)), across = 0.125 * r2 * r2 * (phi - sin(phi));
    double u[2] = {middle.x, middle.y}, v[2] = {-middle.y, middle.x};
    double base[2] = {c.x, c.y}, first[2] = {m1.x, m1.y};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            sum->m2.m[i][j] += along * u[i] * u[j] + across * v[i] * v[j] + base[i] * first[j] +
                               first[i] * base[j] + m0 * base[i] * base[j];
    sum->m1 = vec3_add(sum->m1, vec3_add_scaled(m1, m0, c));
    sum->m0 += m0;
}

static void add_between(struct outline *o, const struct piece *p, struct cut a, struct cut b,
                        struct union_moments *sum) {
    if (!(b.t - a.t > 0.0)) return;
    for (int32_t k = 0; k < o->parts->count; k++)
        if (k != p->part && covers(o, k, p, a.t, b.t)) return;
    o->closure = vec3_add(o->closure, vec3_sub(b.x, a.x));
    if (!p->round) {
        add_triangle(sum, a.x, b.x);
        return;
    }
    add_triangle(sum, a.x, p->centre);
    add_triangle(sum, p->centre, b.x);
    add_sector(sum, p->centre, p->radius, p->from + a.t, b.t - a.t);
}

static bool outline_make(const struct union_parts *parts, struct outline *o) {
    int32_t most = 0;
    for (int32_t k = 0; k < parts->count; k++) most += 2 * parts->part[k].hull.face_count + 1;
    *o = (struct outline){.parts = parts};
    o->pieces = scratch_allocate((size_t)most, sizeof *o->pieces);
    o->cuts = scratch_allocate(4 * (size_t)most + 2, sizeof *o->cuts);
    if (o->pieces == NULL || o->cuts == NULL) return false;
    for (int32_t k = 0; k < parts->count; k++) add_part(o, k);
    return true;
}

enum union_status union_plane(const struct union_parts *parts, struct union_moments *out,
                              double *error) {
    struct outline o;
    *out = (struct union_moments){0};
    bool made = outline_make(parts, &o);
    for (int32_t k = 0; made && k < o.piece_count; k++) {
        cut_piece(&o, &o.pieces[k]);
        for (int32_t i = 1; i < o.cut_count; i++)
            add_between(&o, &o.pieces[k], o.cuts[i - 1], o.cuts[i], out);
    }
    *error = vec3_norm(o.closure);
    scratch_release(o.pieces);
    scratch_release(o.cuts);
    return made ? UNION_OK : UNION_NO_MEMORY;
}
