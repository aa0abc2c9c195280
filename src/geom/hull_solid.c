/* SPDX-License-Identifier: Apache-2.0
 *
 * Hulls in space: Qhull finds the facets, and facets that are coplanar to the tolerance become one
 * face.
 *
 * Qhull merges facets only as far as its own rounding errors ask. What is left of nearly coplanar
 * points are slivers whose normals mean nothing, so faces are merged further on a half-edge mesh:
 * two neighbours become one when all their vertices lie between two parallel planes not farther
 * apart than the tolerance. A vertex left with two edges lies on the line between its neighbours and
 * goes. Each such step keeps a closed surface of simple loops, hence Euler's V - E + F = 2.
 *
 * Qhull: Barber, Dobkin and Huhdanpaa, ACM Trans. Math. Softw. 22 (1996) 469.
 */
#define _POSIX_C_SOURCE 200809L
#include "geom/hull.h"

#include <stdlib.h>

#include "geom/hull_mesh.h"
#include "geom/qhull.h"
#include "geom/scratch.h"

/* Hulls thinner than this, relative to their length, are stretched before Qhull sees them: which
 * points span a hull does not change under affine maps, and Qhull calls thin hulls flat. */
static const double thin = 1e-3;

void hull_free(struct hull *hull) {
    scratch_release(hull->first);
    scratch_release(hull->loops);
    *hull = (struct hull){0};
}

/* The points as Qhull sees them. */
static void write_coordinates(double *out, const vec3 *points, int32_t count,
                              const struct spread *spread) {
    bool stretch = spread->extent[2] < thin * spread->extent[0];
    for (int32_t i = 0; i < count; i++, out += 3) {
        vec3 p = points[i];
        out[0] = p.x;
        out[1] = p.y;
        out[2] = p.z;
        if (!stretch) continue;
        p = vec3_sub(p, spread->origin);
        for (int k = 0; k < 3; k++) out[k] = vec3_dot(p, spread->axis[k]) / spread->extent[k];
    }
}

/* Number of facets and of their vertices in all. */
static void count_facets(qhT *qh, int32_t *faces, int32_t *corners) {
    facetT *facet;
    *faces = *corners = 0;
    FORALLfacets {
        (*faces)++;
        *corners += qh_setsize(qh, facet->vertices);
    }
}

static void copy_facets(qhT *qh, struct hull *out) {
    facetT *facet;
    vertexT *vertex, **vertexp;
    int32_t size = 0;
    out->face_count = 0;
    FORALLfacets {
        setT *vertices = qh_facet3vertex(qh, facet);
        out->first[out->face_count++] = size;
        FOREACHvertex_(vertices) out->loops[size++] = (int32_t)qh_pointid(qh, vertex->point);
        qh_settempfree(qh, &vertices);
    }
    out->first[out->face_count] = size;
}

/* Qhull leaves by longjmp when something goes wrong, here too. */
static enum convex_status read_facets(qhT *qh, struct hull *out) {
    int32_t faces, corners;
    count_facets(qh, &faces, &corners);
    out->first = scratch_allocate((size_t)faces + 1, sizeof *out->first);
    out->loops = scratch_allocate((size_t)corners, sizeof *out->loops);
    if (out->first == NULL || out->loops == NULL) return CONVEX_NO_MEMORY;
    enum convex_status status = CONVEX_FAILED;
    if (setjmp(qh->errexit) == 0) {
        qh->NOerrexit = False;
        copy_facets(qh, out);
        status = CONVEX_OK;
    }
    qh->NOerrexit = True;
    return status;
}

static vec3 corner(const double *coordinates, int32_t number) {
    const double *p = coordinates + 3 * (size_t)number;
    return vec3_make(p[0], p[1], p[2]);
}

/* Qhull's loops all turn one way, but which one is not said. Make the volume within them positive;
 * in Qhull's coordinates, where the hull is thick. */
static void turn_outward(struct hull *hull, const double *coordinates) {
    double volume = 0.0;
    vec3 base = corner(coordinates, hull->loops[0]);
    for (int32_t f = 0; f < hull->face_count; f++) {
        const int32_t *loop = hull->loops + hull->first[f];
        vec3 a = vec3_sub(corner(coordinates, loop[0]), base);
        for (int32_t k = 1; k + 1 < hull->first[f + 1] - hull->first[f]; k++) {
            vec3 b = vec3_sub(corner(coordinates, loop[k]), base);
            vec3 c = vec3_sub(corner(coordinates, loop[k + 1]), base);
            volume += vec3_dot(a, vec3_cross(b, c));
        }
    }
    if (volume >= 0.0) return;
    for (int32_t f = 0; f < hull->face_count; f++)
        for (int32_t i = hull->first[f], j = hull->first[f + 1] - 1; i < j; i++, j--) {
            int32_t swap = hull->loops[i];
            hull->loops[i] = hull->loops[j];
            hull->loops[j] = swap;
        }
}

static enum convex_status meaning(int exit_code) {
    if (exit_code == qh_ERRnone) return CONVEX_OK;
    if (exit_code == qh_ERRmem) return CONVEX_NO_MEMORY;
    return exit_code == qh_ERRsingular ? CONVEX_NO_EXTENT : CONVEX_FAILED;
}

/* Qhull's facets of `count` points as loops, counter-clockwise from outside. */
static enum convex_status run_qhull(struct hull *out, double *coordinates, int32_t count,
                                    char *options) {
    char said[16]; /* nobody reads Qhull's messages; what does not fit is lost */
    FILE *nowhere = fmemopen(said, sizeof said, "w");
    qhT *qh = scratch_allocate(1, sizeof *qh);
    *out = (struct hull){0};
    enum convex_status status = CONVEX_NO_MEMORY;
    if (nowhere != NULL && qh != NULL) {
        setvbuf(nowhere, NULL, _IONBF, 0);
        qh_zero(qh, nowhere);
        status = meaning(qh_new_qhull(qh, 3, count, coordinates, False, options, nowhere, nowhere));
        if (status == CONVEX_OK) status = read_facets(qh, out);
        if (status == CONVEX_OK) turn_outward(out, coordinates);
        qh->NOerrexit = True;
        int left, bytes;
        qh_freeqhull(qh, !qh_ALL);
        qh_memfreeshort(qh, &left, &bytes);
    }
    if (nowhere != NULL) fclose(nowhere);
    scratch_release(qh);
    return status;
}

/* The points still in play: their coordinates for Qhull, and their numbers. */
struct field {
    double *coordinates;
    int32_t *number;
    int32_t *needless; /* of all points */
    int32_t count;
};

static enum convex_status field_make(struct field *field, const vec3 *points, int32_t count,
                                     const struct spread *spread) {
    field->coordinates = scratch_allocate(3 * (size_t)count, sizeof *field->coordinates);
    field->number = scratch_allocate((size_t)count, sizeof *field->number);
    field->needless = scratch_allocate((size_t)count, sizeof *field->needless);
    field->count = count;
    if (!field->coordinates || !field->number || !field->needless) return CONVEX_NO_MEMORY;
    write_coordinates(field->coordinates, points, count, spread);
    for (int32_t i = 0; i < count; i++) field->number[i] = i;
    return CONVEX_OK;
}

static void field_free(struct field *field) {
    scratch_release(field->coordinates);
    scratch_release(field->number);
    scratch_release(field->needless);
}

/* Take the needless points out; false when there were none. */
static bool field_thin(struct field *field) {
    int32_t kept = 0, all = field->count;
    for (int32_t i = 0; i < all; i++) {
        if (field->needless[field->number[i]]) continue;
        for (int k = 0; k < 3; k++)
            field->coordinates[3 * kept + k] = field->coordinates[3 * i + k];
        field->number[kept++] = field->number[i];
    }
    field->count = kept;
    return kept < all;
}

/* Facets of the points in play such that every vertex sticks out by the tolerance or more. */
static enum convex_status find_facets(struct hull *raw, struct field *field, const vec3 *points,
                                      int32_t count, double tolerance, char *options) {
    for (;;) {
        if (field->count < 4) return CONVEX_NO_EXTENT;
        hull_free(raw);
        enum convex_status status = run_qhull(raw, field->coordinates, field->count, options);
        if (status != CONVEX_OK) return status;
        for (int32_t k = 0; k < raw->first[raw->face_count]; k++)
            raw->loops[k] = field->number[raw->loops[k]];
        status = hull_needless(raw, points, count, tolerance, field->needless);
        if (status != CONVEX_OK || !field_thin(field)) return status;
    }
}

/* One attempt: Qhull, then merging. */
static enum convex_status attempt(struct hull *out, const vec3 *points, int32_t count,
                                  const struct spread *spread, double tolerance, char *options) {
    struct field field = {0};
    struct hull raw = {0};
    enum convex_status status = field_make(&field, points, count, spread);
    if (status == CONVEX_OK) status = find_facets(&raw, &field, points, count, tolerance, options);
    if (status == CONVEX_OK) status = hull_merge(out, &raw, points, count, tolerance);
    field_free(&field);
    hull_free(&raw);
    return status;
}

enum convex_status hull_solid(struct hull *out, const vec3 *points, int32_t count,
                              const struct spread *spread, double tolerance) {
    char plain[] = "qhull Pp", joggled[] = "qhull QJ Pp";
    *out = (struct hull){0};
    enum convex_status status = attempt(out, points, count, spread, tolerance, plain);
    /* Moving the points by a few rounding errors always gives triangles that fit together. */
    if (status == CONVEX_FAILED) {
        hull_free(out);
        status = attempt(out, points, count, spread, tolerance, joggled);
    }
    if (status != CONVEX_OK) hull_free(out);
    return status;
}
