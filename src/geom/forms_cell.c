/* SPDX-License-Identifier: Apache-2.0
 *
 * Shapes given by their faces: what lies below all planes n . x = d, for d > 0.
 *
 * The corners follow from a hull by duality: the hull of the points n / d has a face for each
 * corner, and a face in the plane m . y = k is the corner m / k. Tests: tests/unit/test_forms.c.
 */
#include "geom/forms.h"
#include "geom/scratch.h"

void form_free(struct form *form) {
    scratch_release(form->points);
    *form = (struct form){0};
}

/* The corners of what lies below the planes with the dual points `duals`. */
static enum convex_status cell_make(struct form *out, int dim, const vec3 *duals, size_t count) {
    struct convex dual;
    *out = (struct form){0};
    enum convex_status status = convex_make(&dual, dim, duals, count, 0.0, false);
    if (status != CONVEX_OK) return status;
    out->points = scratch_allocate((size_t)dual.face_count, sizeof *out->points);
    if (out->points == NULL) status = CONVEX_NO_MEMORY;
    for (int32_t f = 0; f < dual.face_count && status == CONVEX_OK; f++) {
        const struct convex_face *face = &dual.faces[f];
        if (!(face->offset > 0.0)) status = CONVEX_FAILED; /* open, the planes do not close it */
        out->points[out->count++] = vec3_scale(1.0 / face->offset, face->normal);
    }
    convex_free(&dual);
    if (status != CONVEX_OK) form_free(out);
    return status;
}

/* ---- shrinking ----------------------------------------------------------------------------------- */

static double size_of(const struct convex *convex) {
    double size = 0.0;
    for (int32_t v = 0; v < convex->vertex_count; v++)
        size = fmax(size, vec3_norm(vec3_sub(convex->vertices[v], convex->vertices[0])));
    return size;
}

/* How deep `inside` lies below the nearest face when the faces are `by` farther in. */
static double depth(const struct convex *convex, vec3 inside, double by) {
    double least = HUGE_VAL;
    for (int32_t f = 0; f < convex->face_count; f++)
        least =
            fmin(least, convex->faces[f].offset - by - vec3_dot(convex->faces[f].normal, inside));
    return least;
}

/* Corners of the hull with its faces moved in by `by`; `inside` must stay inside. */
static enum convex_status inset(struct form *out, const struct convex *convex, double by,
                                vec3 inside) {
    size_t count = (size_t)convex->face_count;
    vec3 *duals = scratch_allocate(count, sizeof *duals);
    *out = (struct form){0};
    if (duals == NULL) return CONVEX_NO_MEMORY;
    for (size_t f = 0; f < count; f++) {
        const struct convex_face *face = &convex->faces[f];
        double d = face->offset - by - vec3_dot(face->normal, inside);
        duals[f] = vec3_scale(1.0 / d, face->normal);
    }
    enum convex_status status = cell_make(out, convex->dim, duals, count);
    for (size_t k = 0; k < out->count; k++) out->points[k] = vec3_add(out->points[k], inside);
    scratch_release(duals);
    return status;
}

/* Centre of mass of the hull of a form. */
static enum convex_status centre_of(const struct form *form, int dim, vec3 *centre) {
    struct convex hull;
    enum convex_status status = convex_make(&hull, dim, form->points, form->count, 0.0, false);
    if (status == CONVEX_OK) *centre = convex_mass(&hull).centre;
    if (status == CONVEX_OK) convex_free(&hull);
    return status;
}

/* A point inside the shrunk hull has to be found first, and the centre of the hull need not be one.
 * Shrink in steps that keep the centre of the step before: it is at least half as deep as the
 * deepest point (in 3D), so what is left to go to the deepest point shrinks by a fixed factor. */
static enum convex_status shrink(struct form *out, const struct convex *hull, double by) {
    const double share = 0.9, nothing = 1e-12 * size_of(hull);
    vec3 inside = convex_mass(hull).centre;
    double done = 0.0;
    while (depth(hull, inside, by) <= nothing) {
        double room = depth(hull, inside, done);
        if (room <= nothing) return CONVEX_NO_EXTENT;
        struct form step;
        done = fmin(by, done + share * room);
        enum convex_status status = inset(&step, hull, done, inside);
        if (status == CONVEX_OK) status = centre_of(&step, hull->dim, &inside);
        form_free(&step);
        if (status != CONVEX_OK) return status;
    }
    /* A point barely inside costs digits: go on from the middle of what it gave. */
    enum convex_status status = inset(out, hull, by, inside);
    for (int pass = 0; pass < 2 && status == CONVEX_OK; pass++) {
        status = centre_of(out, hull->dim, &inside);
        form_free(out);
        if (status == CONVEX_OK) status = inset(out, hull, by, inside);
    }
    return status;
}

enum convex_status form_shrink(struct form *out, int dim, const vec3 *points, size_t count,
                               double by) {
    struct convex hull;
    *out = (struct form){0};
    enum convex_status status = convex_make(&hull, dim, points, count, 0.0, false);
    if (status != CONVEX_OK) return status;
    status = shrink(out, &hull, by);
    convex_free(&hull);
    return status;
}

/* ---- Voronoi cells ------------------------------------------------------------------------------- */

/* Each lattice point is moved by up to this along each axis, in lattice constants: neighbours keep a
 * distance of 1 - 2 jitter or more, and no place is farther than sqrt(dim) (1/2 + jitter) from a
 * point. */
static const double jitter = 0.3;
enum { CELL_REACH = 3, CELL_WIDTH = 2 * CELL_REACH + 1, CELL_DRAWS = 1000 };

/* Dual points of the planes halfway to the lattice points around one; returns how many. */
static size_t draw_planes(vec3 *duals, int dim, struct random *random) {
    vec3 points[CELL_WIDTH * CELL_WIDTH * CELL_WIDTH], self = vec3_zero();
    size_t count = 0, kept = 0;
    int depth_reach = dim == 3 ? CELL_REACH : 0;
    for (int z = -depth_reach; z <= depth_reach; z++)
        for (int y = -CELL_REACH; y <= CELL_REACH; y++)
            for (int x = -CELL_REACH; x <= CELL_REACH; x++) {
                vec3 p = {x + jitter * (2.0 * random_uniform(random) - 1.0),
                          y + jitter * (2.0 * random_uniform(random) - 1.0), z};
                if (dim == 3) p.z += jitter * (2.0 * random_uniform(random) - 1.0);
                if (x == 0 && y == 0 && z == 0)
                    self = p;
                else
                    points[count++] = p;
            }
    double farthest = 2.0 * sqrt(dim) * (0.5 + jitter); /* planes beyond this cannot cut the cell */
    for (size_t k = 0; k < count; k++) {
        vec3 to = vec3_sub(points[k], self);
        if (vec3_norm(to) < farthest) duals[kept++] = vec3_scale(2.0 / vec3_norm2(to), to);
    }
    return kept;
}

/* Turn all points by a random rotation: a random unit quaternion, in plane worlds about z. */
static void turn_at_random(vec3 *points, size_t count, int dim, struct random *random) {
    double q[4], norm = 0.0;
    for (int k = 0; k < 4; k++) {
        q[k] = dim == 2 && (k == 1 || k == 2) ? 0.0 : random_normal(random);
        norm += q[k] * q[k];
    }
    norm = sqrt(norm);
    quat turn = {q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm};
    for (size_t k = 0; k < count; k++) points[k] = quat_rotate(turn, points[k]);
}

/* Centre of mass to the origin and volume to that of the unit ball; *inner becomes the distance of
 * the nearest face. */
static enum convex_status normalise(struct form *form, int dim, double *inner) {
    const double pi = 3.14159265358979323846;
    struct convex hull;
    enum convex_status status = convex_make(&hull, dim, form->points, form->count, 0.0, false);
    if (status != CONVEX_OK) return status;
    struct convex_mass mass = convex_mass(&hull);
    double scale = dim == 2 ? sqrt(pi / mass.volume) : cbrt(4.0 / 3.0 * pi / mass.volume);
    *inner = scale * depth(&hull, mass.centre, 0.0);
    for (size_t k = 0; k < form->count; k++)
        form->points[k] = vec3_scale(scale, vec3_sub(form->points[k], mass.centre));
    convex_free(&hull);
    return CONVEX_OK;
}

/* Neither pointed nor with corners too close to each other? */
static bool is_sound(const struct form *form, double inner) {
    for (size_t i = 0; i < form->count; i++) {
        if (vec3_norm(form->points[i]) > FORM_VORONOI_OUTER) return false;
        for (size_t j = 0; j < i; j++)
            if (vec3_norm(vec3_sub(form->points[i], form->points[j])) < FORM_VORONOI_EDGE)
                return false;
    }
    return inner >= FORM_VORONOI_INNER;
}

static enum convex_status draw_cell(struct form *out, int dim, struct random *random) {
    vec3 duals[CELL_WIDTH * CELL_WIDTH * CELL_WIDTH];
    double inner = 0.0;
    size_t count = draw_planes(duals, dim, random);
    enum convex_status status = cell_make(out, dim, duals, count);
    if (status == CONVEX_OK) status = normalise(out, dim, &inner);
    return status == CONVEX_OK && !is_sound(out, inner) ? CONVEX_FAILED : status;
}

enum convex_status form_voronoi(struct form *out, int dim, double aspect, struct random *random) {
    enum convex_status status = CONVEX_FAILED;
    double inner;
    *out = (struct form){0};
    for (int draw = 0; draw < CELL_DRAWS && status == CONVEX_FAILED; draw++) {
        form_free(out);
        status = draw_cell(out, dim, random);
    }
    if (status == CONVEX_OK) {
        turn_at_random(out->points, out->count, dim, random);
        for (size_t k = 0; k < out->count; k++) out->points[k].x *= aspect;
        status = normalise(out, dim, &inner);
    }
    if (status != CONVEX_OK) form_free(out);
    return status;
}
