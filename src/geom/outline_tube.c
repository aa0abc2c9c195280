/* SPDX-License-Identifier: Apache-2.0
 *
 * Outer surface of a column in space: unrolled, with images around the seam and beyond both planes, it is one upper
 * hull, which Qhull finds. Of a facet and its images around the axis the one is kept whose point of lowest number lies
 * on the sheet itself.
 *
 * Qhull: Barber, Dobkin and Huhdanpaa, ACM Trans. Math. Softw. 22 (1996) 469.
 */
#define _POSIX_C_SOURCE 200809L
#include "geom/outline.h"

#include <stdlib.h>

#include "geom/qhull.h"
#include "geom/scratch.h"

static const double pi = 3.141592653589793;

/* Images reach so many grains beyond seam and planes; if that is not enough, all there are. */
static const double reach_first = 6.0, reach_all = 1e300;

/* Moves points by less than matters, but alike in all images, so that four of them are never on one paraboloid:
 * images must be cut into triangles alike. */
static const double nudge = 1e-6; /* of a grain */

/* Points nearer to the axis than this share of the radius of the column are not on its surface. */
static const double core = 0.25;

struct image {
    int32_t point;
    int8_t sheet; /* -1, 0, 1: times 2 pi around the axis */
    uint8_t mirror;
};

struct unrolled {
    struct image *images;
    double *
        coordinates; /* three of each image: along the circumference, the axis, flattened distance */
    int32_t count;
    double radius; /* of the column */
};

/* ---- unrolling --------------------------------------------------------------------------------- */

/* Between -1 and 1, the same for a point at all times. */
static double dice(uint32_t number) {
    uint32_t h = number * 2654435769u;
    h = (h ^ (h >> 15)) * 2246822519u;
    h = (h ^ (h >> 13)) * 3266489917u;
    return (double)(h ^ (h >> 16)) / 2147483648.0 - 1.0;
}

static double column_radius(const struct outline_column *column) {
    double sum = 0.0;
    for (size_t i = 0; i < column->count; i++)
        sum +=
            column->points[i].x * column->points[i].x + column->points[i].y * column->points[i].y;
    return sqrt(2.0 * sum / (double)column->count); /* of a full circle */
}

static void put_image(struct unrolled *sheet, const struct outline_column *column,
                      struct image image, const double place[3]) {
    double *to = sheet->coordinates + 3 * (size_t)sheet->count;
    double unit = 1.0 / column->size, bend = column->bend * unit;
    to[0] = unit * (place[0] + 2.0 * pi * sheet->radius * image.sheet);
    to[1] = unit * place[1];
    to[2] = unit * place[2] + nudge * dice((uint32_t)image.point) -
            0.5 * (to[0] * to[0] + to[1] * to[1]) / bend;
    sheet->images[sheet->count++] = image;
}

static void put_point(struct unrolled *sheet, const struct outline_column *column, size_t i,
                      const double reach[3]) {
    vec3 p = column->points[i];
    double distance = hypot(p.x, p.y), angle = atan2(p.y, p.x), height = column->height;
    if (distance < core * sheet->radius) return;
    for (uint8_t mirror = 0; mirror < 3; mirror++) {
        double z = mirror == OUTLINE_AS_IS   ? p.z
                   : mirror == OUTLINE_BELOW ? -p.z
                                             : 2.0 * height - p.z;
        if (mirror == OUTLINE_BELOW && p.z > reach[1]) continue;
        if (mirror == OUTLINE_ABOVE && p.z < reach[2]) continue;
        const double place[3] = {sheet->radius * angle, z, distance};
        for (int8_t around = -1; around <= 1; around++) {
            double beyond = around * angle + pi; /* from the seam, on this side of it */
            if (around != 0 && sheet->radius * beyond > reach[0]) continue;
            put_image(sheet, column, (struct image){(int32_t)i, around, mirror}, place);
        }
    }
}

static bool unroll(struct unrolled *sheet, const struct outline_column *column, double grains) {
    double lowest = column->height, highest = 0.0;
    for (size_t i = 0; i < column->count; i++) {
        lowest = fmin(lowest, column->points[i].z);
        highest = fmax(highest, column->points[i].z);
    }
    const double margin = grains * column->size;
    const double reach[3] = {margin, lowest + margin, highest - margin};
    sheet->radius = column_radius(column);
    sheet->images = scratch_allocate(9 * column->count, sizeof *sheet->images);
    sheet->coordinates = scratch_allocate(27 * column->count, sizeof *sheet->coordinates);
    if (sheet->images == NULL || sheet->coordinates == NULL) return false;
    for (size_t i = 0; i < column->count; i++) put_point(sheet, column, i, reach);
    return true;
}

/* ---- facets ------------------------------------------------------------------------------------- */

/* Counter-clockwise on the sheet is counter-clockwise from outside. */
static bool is_clockwise(const struct unrolled *sheet, const int32_t at[3]) {
    const double *a = sheet->coordinates + 3 * (size_t)at[0],
                 *b = sheet->coordinates + 3 * (size_t)at[1],
                 *c = sheet->coordinates + 3 * (size_t)at[2];
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) < 0.0;
}

/* Of the images of a facet this one, if it is not all beyond a plane? */
static bool is_wanted(const struct unrolled *sheet, const int32_t at[3], bool *spans) {
    const struct image *lowest = &sheet->images[at[0]];
    bool any[3] = {false, false, false};
    for (int k = 0; k < 3; k++) {
        const struct image *image = &sheet->images[at[k]];
        if (image->point < lowest->point) lowest = image;
        any[image->mirror] = true;
    }
    if (lowest->sheet != 0) return false;
    if (any[OUTLINE_BELOW] && any[OUTLINE_ABOVE]) *spans = true;
    return any[OUTLINE_AS_IS];
}

static void add_facet(const struct unrolled *sheet, int32_t at[3], struct outline *out) {
    struct outline_element *element = &out->elements[out->count++];
    if (is_clockwise(sheet, at)) {
        int32_t swap = at[1];
        at[1] = at[2];
        at[2] = swap;
    }
    for (int k = 0; k < 3; k++) {
        element->corner[k] = sheet->images[at[k]].point;
        element->mirror[k] = sheet->images[at[k]].mirror;
    }
}

/* Qhull may leave by longjmp in what reads its facets, but nothing of that is called here. */
static enum outline_status read_facets(qhT *qh, const struct unrolled *sheet, struct outline *out) {
    facetT *facet;
    vertexT *vertex, **vertexp;
    bool spans = false;
    out->elements = scratch_allocate((size_t)qh->num_facets, sizeof *out->elements);
    if (out->elements == NULL) return OUTLINE_NO_MEMORY;
    FORALLfacets {
        int32_t at[3] = {0, 0, 0};
        int corners = 0;
        if (facet->normal[2] <= 0.0) continue;
        FOREACHvertex_(facet->vertices) {
            if (corners < 3) at[corners] = (int32_t)((vertex->point - sheet->coordinates) / 3);
            corners++;
        }
        if (corners != 3) return OUTLINE_FAILED;
        if (is_wanted(sheet, at, &spans)) add_facet(sheet, at, out);
    }
    return spans ? OUTLINE_THIN : OUTLINE_OK;
}

static enum outline_status meaning(int exit_code) {
    if (exit_code == qh_ERRnone) return OUTLINE_OK;
    return exit_code == qh_ERRmem ? OUTLINE_NO_MEMORY : OUTLINE_FAILED;
}

static enum outline_status find_facets(struct unrolled *sheet, struct outline *out) {
    char options[] = "qhull Qt Pp"; /* triangles */
    char said[16];                  /* nobody reads Qhull's messages; what does not fit is lost */
    FILE *nowhere = fmemopen(said, sizeof said, "w");
    qhT *qh = scratch_allocate(1, sizeof *qh);
    enum outline_status status = OUTLINE_NO_MEMORY;
    if (nowhere != NULL && qh != NULL) {
        setvbuf(nowhere, NULL, _IONBF, 0);
        qh_zero(qh, nowhere);
        status = meaning(qh_new_qhull(qh, 3, sheet->count, sheet->coordinates, False, options,
                                      nowhere, nowhere));
        if (status == OUTLINE_OK) status = read_facets(qh, sheet, out);
        qh->NOerrexit = True;
        int left, bytes;
        qh_freeqhull(qh, !qh_ALL);
        qh_memfreeshort(qh, &left, &bytes);
    }
    if (nowhere != NULL) fclose(nowhere);
    scratch_release(qh);
    return status;
}

/* ---- does it close? ------------------------------------------------------------------------------ */

struct edge { /* of two corners, each point and mirror in one number; lower first */
    int64_t low, high;
    int turn; /* which way it is walked */
};

static int compare_edges(const void *left, const void *right) {
    const struct edge *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return a->turn - b->turn;
}

static size_t list_edges(const struct outline *outline, struct edge *edges) {
    size_t count = 0;
    for (size_t e = 0; e < outline->count; e++)
        for (int k = 0; k < 3; k++) {
            const struct outline_element *element = &outline->elements[e];
            int next = (k + 1) % 3;
            if (element->mirror[k] != OUTLINE_AS_IS && element->mirror[next] != OUTLINE_AS_IS)
                continue;
            int64_t a = 4 * (int64_t)element->corner[k] + element->mirror[k];
            int64_t b = 4 * (int64_t)element->corner[next] + element->mirror[next];
            edges[count++] = (struct edge){a < b ? a : b, a < b ? b : a, a < b ? 1 : -1};
        }
    return count;
}

/* Each edge that is not wholly beyond a plane is walked once either way, and there are three or more
 * grains around. */
static enum outline_status check_closed(const struct outline *outline) {
    struct edge *edges = scratch_allocate(3 * outline->count + 1, sizeof *edges);
    if (edges == NULL) return OUTLINE_NO_MEMORY;
    size_t count = list_edges(outline, edges);
    qsort(edges, count, sizeof *edges, compare_edges);
    bool closed = count >= 6 && count % 2 == 0;
    for (size_t k = 0; k + 1 < count && closed; k += 2) {
        const struct edge *a = &edges[k], *b = &edges[k + 1];
        closed = a->low == b->low && a->high == b->high && a->low != a->high && a->turn == -1 &&
                 b->turn == 1;
        if (k + 2 < count && edges[k + 2].low == a->low && edges[k + 2].high == a->high)
            closed = false;
    }
    scratch_release(edges);
    return closed ? OUTLINE_OK : OUTLINE_FAILED;
}

/* ---- together ------------------------------------------------------------------------------------ */

static enum outline_status attempt(const struct outline_column *column, double reach,
                                   struct outline *out) {
    struct unrolled sheet = {0};
    enum outline_status status = OUTLINE_NO_MEMORY;
    if (unroll(&sheet, column, reach))
        status = sheet.count < 4 ? OUTLINE_THIN : find_facets(&sheet, out);
    if (status == OUTLINE_OK) status = check_closed(out);
    scratch_release(sheet.images);
    scratch_release(sheet.coordinates);
    return status;
}

enum outline_status outline_tube(const struct outline_column *column, struct outline *out) {
    *out = (struct outline){0};
    if (column->count < 4) return OUTLINE_THIN;
    enum outline_status status = attempt(column, reach_first, out);
    if (status == OUTLINE_FAILED || status == OUTLINE_THIN) {
        outline_free(out);
        status = attempt(column, reach_all, out);
    }
    if (status != OUTLINE_OK) outline_free(out);
    return status;
}
