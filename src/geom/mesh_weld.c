/* SPDX-License-Identifier: Apache-2.0
 *
 * Welding the corners of loose triangles, and which triangles share edges: both by sorting. */
#include "geom/mesh_weld.h"

#include <stdlib.h>

static void *allocate(size_t count, size_t size) {
    struct memory heap = {0};
    return memory_resize(&heap, NULL, 0, count, size);
}

static void release(void *block) {
    struct memory heap = {0};
    memory_free(&heap, block, 0, 0);
}

bool mesh_corner_add(struct mesh_corners *corners, vec3 point) {
    if (corners->count >= INT32_MAX - 3) return false; /* vertices are numbered by int32_t */
    vec3 *moved = memory_reserve(&corners->heap, corners->points, &corners->capacity,
                                 corners->count + 1, sizeof *moved);
    if (moved == NULL) return false;
    corners->points = moved;
    /* Adding zero makes minus zero plain zero: they are the same place. */
    moved[corners->count++] = vec3_make(point.x + 0.0, point.y + 0.0, point.z + 0.0);
    return true;
}

void mesh_corners_free(struct mesh_corners *corners) {
    memory_free(&corners->heap, corners->points, corners->capacity, sizeof *corners->points);
    *corners = (struct mesh_corners){0};
}

void mesh_soup_free(struct mesh_soup *mesh) {
    release(mesh->vertices);
    release(mesh->triangles);
    *mesh = (struct mesh_soup){0};
}

/* ---- welding ------------------------------------------------------------------------------------- */

struct numbered {
    vec3 point;
    int32_t number;
};

static int compare_points(const void *left, const void *right) {
    const struct numbered *a = left, *b = right;
    if (a->point.x != b->point.x) return a->point.x < b->point.x ? -1 : 1;
    if (a->point.y != b->point.y) return a->point.y < b->point.y ? -1 : 1;
    if (a->point.z != b->point.z) return a->point.z < b->point.z ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static bool same_place(vec3 a, vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/* first[i]: the first corner at the place of corner i. */
static bool find_first(const vec3 *points, int32_t count, int32_t *first) {
    struct numbered *sorted = allocate((size_t)count, sizeof *sorted);
    if (sorted == NULL) return false;
    for (int32_t i = 0; i < count; i++) sorted[i] = (struct numbered){points[i], i};
    qsort(sorted, (size_t)count, sizeof *sorted, compare_points);
    for (int32_t k = 0, leader = 0; k < count; k++) {
        if (!same_place(sorted[k].point, sorted[leader].point)) leader = k;
        first[sorted[k].number] = sorted[leader].number;
    }
    release(sorted);
    return true;
}

/* Does the triangle have no area to speak of, compared to its longest edge? Coordinates are scaled
 * first, so that tiny and huge triangles do not run out of exponents. */
static bool has_no_area(const vec3 corner[3]) {
    const double flat = 1e-14, tiny = 1e-300;
    vec3 a = vec3_sub(corner[1], corner[0]), b = vec3_sub(corner[2], corner[0]);
    double scale = fmax(fmax(fabs(a.x), fabs(a.y)), fabs(a.z));
    scale = fmax(scale, fmax(fmax(fabs(b.x), fabs(b.y)), fabs(b.z)));
    if (scale < tiny) return true;
    a = vec3_scale(1.0 / scale, a);
    b = vec3_scale(1.0 / scale, b);
    return vec3_norm(vec3_cross(a, b)) <= flat * fmax(vec3_norm2(a), vec3_norm2(b));
}

/* Take the triangles with area; `number` turns from first corners into vertex numbers. */
static void fill(struct mesh_soup *out, const struct mesh_corners *corners, const int32_t *first,
                 int32_t *number) {
    int32_t count = (int32_t)(corners->count / 3);
    for (int32_t i = 0; i < 3 * count; i++) number[i] = -1;
    for (int32_t t = 0; t < count; t++) {
        if (has_no_area(corners->points + 3 * t)) {
            out->dropped++;
            continue;
        }
        for (int32_t k = 0; k < 3; k++) {
            int32_t leader = first[3 * t + k];
            if (number[leader] < 0) {
                number[leader] = out->vertex_count;
                out->vertices[out->vertex_count++] = corners->points[leader];
            }
            out->triangles[out->triangle_count][k] = number[leader];
        }
        out->triangle_count++;
    }
}

enum mesh_status mesh_weld(struct mesh_soup *out, const struct mesh_corners *corners) {
    size_t count = corners->count / 3;
    int32_t *first = allocate(3 * count, sizeof *first),
            *number = allocate(3 * count, sizeof *number);
    *out = (struct mesh_soup){.vertices = allocate(3 * count, sizeof *out->vertices),
                              .triangles = allocate(count, sizeof *out->triangles)};
    bool got = first && number && out->vertices && out->triangles;
    got = got && find_first(corners->points, (int32_t)(3 * count), first);
    if (got)
        fill(out, corners, first, number);
    else
        mesh_soup_free(out);
    release(first);
    release(number);
    return got ? MESH_OK : MESH_NO_MEMORY;
}

/* ---- neighbours ---------------------------------------------------------------------------------- */

struct side {
    int32_t low, high; /* vertices */
    int32_t triangle, edge;
};

static int compare_sides(const void *left, const void *right) {
    const struct side *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

enum mesh_status mesh_edges(const struct mesh_soup *mesh, int32_t (*neighbour)[3]) {
    size_t count = 3 * (size_t)mesh->triangle_count;
    struct side *sides = allocate(count, sizeof *sides);
    if (sides == NULL) return MESH_NO_MEMORY;
    for (size_t s = 0; s < count; s++) {
        int32_t t = (int32_t)(s / 3), k = (int32_t)(s % 3);
        int32_t a = mesh->triangles[t][k], b = mesh->triangles[t][(k + 1) % 3];
        sides[s] = (struct side){a < b ? a : b, a < b ? b : a, t, k};
    }
    qsort(sides, count, sizeof *sides, compare_sides);
    for (size_t s = 0, end; s < count; s = end) {
        for (end = s + 1; end < count && sides[end].low == sides[s].low; end++)
            if (sides[end].high != sides[s].high) break;
        for (size_t k = s; k < end; k++) {
            int32_t other = end - s > 2 ? MESH_CROWDED : MESH_BORDER;
            if (end - s == 2) other = sides[s + end - 1 - k].triangle;
            neighbour[sides[k].triangle][sides[k].edge] = other;
        }
    }
    release(sides);
    return MESH_OK;
}
