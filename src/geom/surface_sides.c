/* SPDX-License-Identifier: Apache-2.0 */
#include "geom/surface_sides.h"

#include "geom/mesh_weld.h"

#include <stdlib.h>

/* Of the length of a side: how far off it a vertex may be at most to lie on it. */
static const double off_most = 0.01;

/* The vertices at open sides, sorted along one axis. */
struct rim {
    int axis;
    double same; /* m */
    const vec3 *vertices;
    struct rim_vertex {
        double at;
        int32_t number;
    } * sorted;
    size_t count;
};

struct cutting {
    struct memory *memory;
    struct surface *mesh;
    struct sides *sides;
    int32_t (*corners)[3]; /* welded */
    int32_t (*neighbours)[3];
    int32_t *leader; /* of each vertex */
    uint8_t *open;   /* it has an open side */
    struct rim rim;
    struct rim_vertex *on_side; /* scratch: vertices on one side */
};

static bool weld(struct cutting *cutting) {
    struct surface *mesh = cutting->mesh;
    const int32_t(*given)[3] = (const int32_t(*)[3])mesh->triangles;
    int32_t *leader = cutting->leader;
    if (mesh_join(mesh->vertices, (int32_t)mesh->vertex_count, given, (int32_t)mesh->triangle_count,
                  leader) != MESH_OK)
        return false;
    for (size_t k = 0; k < mesh->vertex_count; k++) mesh->vertices[k] = mesh->vertices[leader[k]];
    for (size_t s = 0; s < 3 * mesh->triangle_count; s++)
        cutting->corners[s / 3][s % 3] = leader[given[s / 3][s % 3]];
    struct mesh_soup soup = {.vertices = mesh->vertices,
                             .triangles = cutting->corners,
                             .vertex_count = (int32_t)mesh->vertex_count,
                             .triangle_count = (int32_t)mesh->triangle_count};
    return mesh_edges(&soup, cutting->neighbours) == MESH_OK;
}

/* ---- T-junctions --------------------------------------------------------------------------------- */

static int compare_places(const void *left, const void *right) {
    const struct rim_vertex *a = left, *b = right;
    if (a->at != b->at) return a->at < b->at ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

static void sort_rim(struct cutting *cutting) {
    const struct surface *mesh = cutting->mesh;
    struct rim *rim = &cutting->rim;
    vec3 low = mesh->vertices[0], high = low;
    for (size_t s = 0; s < 3 * mesh->triangle_count; s++) {
        if (cutting->neighbours[s / 3][s % 3] != MESH_BORDER) continue;
        size_t next = s % 3 < 2 ? s + 1 : s - 2;
        cutting->open[cutting->corners[s / 3][s % 3]] = 1;
        cutting->open[cutting->corners[next / 3][next % 3]] = 1;
    }
    for (size_t k = 0; k < mesh->vertex_count; k++) {
        vec3 x = mesh->vertices[k];
        low = vec3_make(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = vec3_make(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    vec3 size = vec3_sub(high, low);
    rim->axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    rim->same = MESH_SAME * mesh->size;
    rim->vertices = mesh->vertices;
    for (size_t k = 0; k < mesh->vertex_count; k++)
        if (cutting->open[k])
            rim->sorted[rim->count++] =
                (struct rim_vertex){vec3_component(mesh->vertices[k], rim->axis), (int32_t)k};
    qsort(rim->sorted, rim->count, sizeof *rim->sorted, compare_places);
}

/* The first vertex at or beyond a place along the axis. */
static size_t rim_from(const struct rim *rim, double at) {
    size_t low = 0, high = rim->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (rim->sorted[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The vertices on the side from a to b, in this order; returns how many. */
static size_t find_on_side(const struct rim *rim, int32_t a, int32_t b, struct rim_vertex *out) {
    vec3 from = rim->vertices[a], way = vec3_sub(rim->vertices[b], from);
    double length = vec3_norm(way), same = fmin(rim->same, off_most * length);
    double one = vec3_component(from, rim->axis), other = one + vec3_component(way, rim->axis);
    size_t count = 0;
    way = vec3_scale(1.0 / length, way);
    for (size_t k = rim_from(rim, fmin(one, other) - same); k < rim->count; k++) {
        if (rim->sorted[k].at > fmax(one, other) + same) break;
        vec3 x = vec3_sub(rim->vertices[rim->sorted[k].number], from);
        double along = vec3_dot(x, way);
        if (!(along > same && along < length - same)) continue;
        if (vec3_norm2(vec3_add_scaled(x, -along, way)) > same * same) continue;
        out[count++] = (struct rim_vertex){along, rim->sorted[k].number};
    }
    qsort(out, count, sizeof *out, compare_places);
    return count;
}

/* ---- the list ------------------------------------------------------------------------------------ */

static bool add_side(struct cutting *cutting, int32_t from, size_t triangle) {
    struct sides *sides = cutting->sides;
    struct side *at =
        memory_reserve(cutting->memory, sides->at, &sides->capacity, sides->count + 1, sizeof *at);
    if (at == NULL) return false;
    sides->at = at;
    int32_t number = (int32_t)sides->count++;
    at[number] = (struct side){from, number + 1, number - 1, -1, (int32_t)triangle};
    return true;
}

static bool list_triangle(struct cutting *cutting, size_t triangle) {
    struct sides *sides = cutting->sides;
    int32_t first = (int32_t)sides->count;
    const int32_t *corners = cutting->corners[triangle];
    sides->first[triangle] = first;
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0])
        return true; /* only a line: it has no sides, its neighbours meet without it */
    for (int k = 0; k < 3; k++) {
        int32_t a = corners[k], b = corners[(k + 1) % 3];
        if (!add_side(cutting, a, triangle)) return false;
        if (cutting->neighbours[triangle][k] != MESH_BORDER) continue;
        size_t count = find_on_side(&cutting->rim, a, b, cutting->on_side);
        for (size_t j = 0; j < count; j++)
            if (!add_side(cutting, cutting->on_side[j].number, triangle)) return false;
    }
    sides->at[first].before = (int32_t)sides->count - 1;
    sides->at[sides->count - 1].after = first;
    return true;
}

struct half {
    int32_t low, high, side;
};

static int compare_halves(const void *left, const void *right) {
    const struct half *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return (a->side > b->side) - (a->side < b->side);
}

static bool find_twins(struct cutting *cutting) {
    struct sides *sides = cutting->sides;
    size_t count = sides->count;
    struct half *halves = memory_resize(cutting->memory, NULL, 0, count, sizeof *halves);
    if (halves == NULL) return false;
    for (size_t s = 0; s < count; s++) {
        int32_t a = sides->at[s].from, b = sides->at[sides->at[s].after].from;
        halves[s] = (struct half){a < b ? a : b, a < b ? b : a, (int32_t)s};
    }
    qsort(halves, count, sizeof *halves, compare_halves);
    for (size_t s = 0, end; s < count; s = end) {
        for (end = s + 1; end < count && halves[end].low == halves[s].low; end++)
            if (halves[end].high != halves[s].high) break;
        if (end - s != 2) continue;
        sides->at[halves[s].side].twin = halves[s + 1].side;
        sides->at[halves[s + 1].side].twin = halves[s].side;
    }
    memory_free(cutting->memory, halves, count, sizeof *halves);
    return true;
}

static bool cut(struct cutting *cutting) {
    if (!weld(cutting)) return false;
    sort_rim(cutting);
    size_t count = cutting->mesh->triangle_count;
    for (size_t t = 0; t < count; t++)
        if (!list_triangle(cutting, t)) return false;
    cutting->sides->first[count] = (int32_t)cutting->sides->count;
    return find_twins(cutting);
}

/* What is needed besides, got and given back. */
#define SCRATCH                  \
    BLOCK(cutting.corners, n)    \
    BLOCK(cutting.neighbours, n) \
    BLOCK(cutting.leader, m)     \
    BLOCK(cutting.open, m)       \
    BLOCK(cutting.rim.sorted, m) \
    BLOCK(cutting.on_side, m)

bool sides_make(struct memory *memory, struct surface *mesh, struct sides *sides) {
    size_t n = mesh->triangle_count, m = mesh->vertex_count;
    struct cutting cutting = {.memory = memory, .mesh = mesh, .sides = sides};
    *sides = (struct sides){.count = 0};
    sides->first = memory_resize(memory, NULL, 0, n + 1, sizeof *sides->first);
    bool got = sides->first != NULL;
#define BLOCK(field, count)                                                    \
    field = got ? memory_resize(memory, NULL, 0, count, sizeof *field) : NULL; \
    got = got && field != NULL;
    SCRATCH
#undef BLOCK
    bool done = got && cut(&cutting);
#define BLOCK(field, count) memory_free(memory, field, count, sizeof *field);
    SCRATCH
#undef BLOCK
    return done;
}

void sides_free(struct memory *memory, const struct surface *mesh, struct sides *sides) {
    memory_free(memory, sides->at, sides->capacity, sizeof *sides->at);
    memory_free(memory, sides->first, mesh->triangle_count + 1, sizeof *sides->first);
    *sides = (struct sides){.count = 0};
}
