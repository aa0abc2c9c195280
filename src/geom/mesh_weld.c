/* SPDX-License-Identifier: Apache-2.0
 *
 * Welding the corners of loose triangles, and which triangles share edges: by sorting; vertices that differ by
 * rounding are found through a table of cells. */
#include "geom/mesh_weld.h"

#include <stdlib.h>
#include <string.h>

#include "geom/scratch.h"

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
    scratch_release(mesh->vertices);
    scratch_release(mesh->triangles);
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
    struct numbered *sorted = scratch_allocate((size_t)count, sizeof *sorted);
    if (sorted == NULL) return false;
    for (int32_t i = 0; i < count; i++) sorted[i] = (struct numbered){points[i], i};
    qsort(sorted, (size_t)count, sizeof *sorted, compare_points);
    for (int32_t k = 0, leader = 0; k < count; k++) {
        if (!same_place(sorted[k].point, sorted[leader].point)) leader = k;
        first[sorted[k].number] = sorted[leader].number;
    }
    scratch_release(sorted);
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

/* ---- joining what rounding has parted ------------------------------------------------------------ */

/* Of the shortest edge at a vertex: it is never moved by more. Two corners of a triangle that met at one
 * place would both have moved, together by less than the edge between them. */
static const double edge_share = 0.1;

/* Leaders by cells of twice the tolerance; cells with the same place in the table share a chain. */
struct places {
    const vec3 *points;
    double *range; /* m, how far each vertex may be moved */
    vec3 low;
    double tolerance;
    size_t mask;
    int32_t *heads, *after;
};

static size_t cell_of(const struct places *places, int64_t x, int64_t y, int64_t z) {
    uint64_t key = (uint64_t)x * 0x9e3779b97f4a7c15u ^ (uint64_t)y * 0xc2b2ae3d27d4eb4fu ^
                   (uint64_t)z * 0x165667b19e3779f9u;
    return (size_t)(key ^ key >> 29) & places->mask;
}

static int64_t floor_of(const struct places *places, double along) {
    return (int64_t)floor(along / (2.0 * places->tolerance));
}

/* The first leader in this cell that is near enough, or -1. */
static int32_t find_in_cell(const struct places *places, size_t cell, int32_t i) {
    int32_t best = -1;
    for (int32_t j = places->heads[cell]; j >= 0; j = places->after[j]) {
        double most = fmin(places->range[i], places->range[j]);
        vec3 apart = vec3_sub(places->points[i], places->points[j]);
        if (vec3_norm2(apart) <= most * most && (best < 0 || j < best)) best = j;
    }
    return best;
}

/* The cells around vertex i are at most two along each axis. */
static int32_t find_leader(const struct places *places, int32_t i) {
    vec3 at = vec3_sub(places->points[i], places->low);
    double most = places->tolerance;
    int64_t from[3] = {floor_of(places, at.x - most), floor_of(places, at.y - most),
                       floor_of(places, at.z - most)};
    int64_t to[3] = {floor_of(places, at.x + most), floor_of(places, at.y + most),
                     floor_of(places, at.z + most)};
    int32_t best = -1;
    for (int64_t x = from[0]; x <= to[0]; x++)
        for (int64_t y = from[1]; y <= to[1]; y++)
            for (int64_t z = from[2]; z <= to[2]; z++) {
                int32_t found = find_in_cell(places, cell_of(places, x, y, z), i);
                if (found >= 0 && (best < 0 || found < best)) best = found;
            }
    return best;
}

static void put_leader(struct places *places, int32_t i) {
    vec3 at = vec3_sub(places->points[i], places->low);
    size_t cell =
        cell_of(places, floor_of(places, at.x), floor_of(places, at.y), floor_of(places, at.z));
    places->after[i] = places->heads[cell];
    places->heads[cell] = i;
}

/* Vertices of no triangle stay where they are: theirs is -1. */
static void limit_ranges(struct places *places, int32_t count, const int32_t (*triangles)[3],
                         int32_t triangle_count) {
    for (int32_t i = 0; i < count; i++) places->range[i] = -1.0;
    for (int32_t s = 0; s < 3 * triangle_count; s++)
        places->range[triangles[s / 3][s % 3]] = places->tolerance;
    for (int32_t s = 0; s < 3 * triangle_count; s++) {
        int32_t a = triangles[s / 3][s % 3], b = triangles[s / 3][(s + 1) % 3];
        double most = edge_share * vec3_norm(vec3_sub(places->points[a], places->points[b]));
        places->range[a] = fmin(places->range[a], most);
        places->range[b] = fmin(places->range[b], most);
    }
}

double mesh_size(const vec3 *points, const int32_t (*triangles)[3], int32_t triangle_count,
                 vec3 *low) {
    vec3 high = *low = points[triangles[0][0]];
    for (int32_t s = 1; s < 3 * triangle_count; s++) {
        vec3 x = points[triangles[s / 3][s % 3]];
        *low = vec3_make(fmin(low->x, x.x), fmin(low->y, x.y), fmin(low->z, x.z));
        high = vec3_make(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    return vec3_norm(vec3_sub(high, *low));
}

enum mesh_status mesh_join(const vec3 *points, int32_t count, const int32_t (*triangles)[3],
                           int32_t triangle_count, int32_t *leader) {
    struct places places = {.points = points, .mask = 1};
    for (int32_t i = 0; i < count; i++) leader[i] = i;
    if (triangle_count == 0) return MESH_OK;
    places.tolerance = MESH_SAME * mesh_size(points, triangles, triangle_count, &places.low);
    if (!(places.tolerance > 0.0) || !isfinite(places.tolerance)) return MESH_OK;
    while (places.mask < 2 * (size_t)count) places.mask *= 2;
    places.heads = scratch_allocate(places.mask, sizeof *places.heads);
    places.after = scratch_allocate((size_t)count, sizeof *places.after);
    places.range = scratch_allocate((size_t)count, sizeof *places.range);
    bool got = places.heads != NULL && places.after != NULL && places.range != NULL;
    if (got) {
        memset(places.heads, -1, places.mask * sizeof *places.heads);
        places.mask--;
        limit_ranges(&places, count, triangles, triangle_count);
        for (int32_t i = 0; i < count; i++) {
            if (places.range[i] < 0.0) continue;
            int32_t found = find_leader(&places, i);
            if (found >= 0)
                leader[i] = found;
            else
                put_leader(&places, i);
        }
    }
    scratch_release(places.heads);
    scratch_release(places.after);
    scratch_release(places.range);
    return got ? MESH_OK : MESH_NO_MEMORY;
}

/* Leave only the leaders. */
static bool join(struct mesh_soup *mesh) {
    int32_t count = mesh->vertex_count, kept = 0;
    if (count == 0) return true;
    int32_t *leader = scratch_allocate((size_t)count, sizeof *leader);
    if (leader == NULL || mesh_join(mesh->vertices, count, (const int32_t(*)[3])mesh->triangles,
                                    mesh->triangle_count, leader) != MESH_OK) {
        scratch_release(leader);
        return false;
    }
    for (int32_t i = 0; i < count; i++) { /* leaders come before those that follow them */
        if (leader[i] != i) {
            leader[i] = leader[leader[i]];
            continue;
        }
        mesh->vertices[kept] = mesh->vertices[i];
        leader[i] = kept++;
    }
    mesh->vertex_count = kept;
    for (int32_t s = 0; s < 3 * mesh->triangle_count; s++)
        mesh->triangles[s / 3][s % 3] = leader[mesh->triangles[s / 3][s % 3]];
    scratch_release(leader);
    return true;
}

enum mesh_status mesh_weld(struct mesh_soup *out, const struct mesh_corners *corners) {
    size_t count = corners->count / 3;
    int32_t *first = scratch_allocate(3 * count, sizeof *first),
            *number = scratch_allocate(3 * count, sizeof *number);
    *out = (struct mesh_soup){.vertices = scratch_allocate(3 * count, sizeof *out->vertices),
                              .triangles = scratch_allocate(count, sizeof *out->triangles)};
    bool got = first && number && out->vertices && out->triangles;
    got = got && find_first(corners->points, (int32_t)(3 * count), first);
    if (got) {
        fill(out, corners, first, number);
        got = join(out);
    }
    if (!got) mesh_soup_free(out);
    scratch_release(first);
    scratch_release(number);
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
    struct side *sides = scratch_allocate(count, sizeof *sides);
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
    scratch_release(sides);
    return MESH_OK;
}
