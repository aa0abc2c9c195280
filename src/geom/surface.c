/* SPDX-License-Identifier: Apache-2.0 */
#include "geom/surface.h"

#include "geom/mesh_text.h"

#include <string.h>

enum { LEAF = 4, DEPTH_MAX = 256 };

/* A point this near to a side, by the size of the triangle, lies on it. */
static const double on_side = 1e-6;
/* `away` may lean this much over a neighbour: rounding of normals. */
static const double lean = 1e-6;

void surface_free(struct memory *memory, struct surface *mesh) {
    size_t n = mesh->triangle_count;
    for (size_t k = 0; k < n && mesh->hulls != NULL; k++) convex_free(&mesh->hulls[k]);
    memory_free(memory, mesh->vertices, mesh->vertex_count, sizeof *mesh->vertices);
    memory_free(memory, mesh->triangles, n, sizeof *mesh->triangles);
    memory_free(memory, mesh->neighbours, n, sizeof *mesh->neighbours);
    memory_free(memory, mesh->normals, n, sizeof *mesh->normals);
    memory_free(memory, mesh->hulls, n, sizeof *mesh->hulls);
    memory_free(memory, mesh->nodes, 2 * n, sizeof *mesh->nodes);
    memory_free(memory, mesh->order, n, sizeof *mesh->order);
    *mesh = (struct surface){.reach = 0.0};
}

static bool allocate(struct memory *memory, struct surface *mesh) {
    size_t n = mesh->triangle_count;
    mesh->vertices = memory_resize(memory, NULL, 0, mesh->vertex_count, sizeof *mesh->vertices);
    mesh->triangles = memory_resize(memory, NULL, 0, n, sizeof *mesh->triangles);
    mesh->neighbours = memory_resize(memory, NULL, 0, n, sizeof *mesh->neighbours);
    mesh->normals = memory_resize(memory, NULL, 0, n, sizeof *mesh->normals);
    mesh->hulls = memory_resize(memory, NULL, 0, n, sizeof *mesh->hulls);
    mesh->nodes = memory_resize(memory, NULL, 0, 2 * n, sizeof *mesh->nodes);
    mesh->order = memory_resize(memory, NULL, 0, n, sizeof *mesh->order);
    return mesh->vertices != NULL && mesh->triangles != NULL && mesh->neighbours != NULL &&
           mesh->normals != NULL && mesh->hulls != NULL && mesh->nodes != NULL &&
           mesh->order != NULL;
}

/* ---- the tree ------------------------------------------------------------------------------------ */

static vec3 corner(const struct surface *mesh, int32_t triangle, int k) {
    return mesh->vertices[mesh->triangles[triangle][k]];
}

static double middle(const struct surface *mesh, int32_t triangle, int axis) {
    return vec3_component(corner(mesh, triangle, 0), axis) +
           vec3_component(corner(mesh, triangle, 1), axis) +
           vec3_component(corner(mesh, triangle, 2), axis);
}

static void enclose(const struct surface *mesh, struct surface_node *node) {
    node->low = node->high = corner(mesh, mesh->order[node->first], 0);
    for (int32_t k = 0; k < 3 * node->count; k++) {
        vec3 x = corner(mesh, mesh->order[node->first + k / 3], k % 3);
        node->low =
            vec3_make(fmin(node->low.x, x.x), fmin(node->low.y, x.y), fmin(node->low.z, x.z));
        node->high =
            vec3_make(fmax(node->high.x, x.x), fmax(node->high.y, x.y), fmax(node->high.z, x.z));
    }
}

/* The triangles on the lower half of the longest axis first; returns how many. Half of them if all lie alike. */
static int32_t part(struct surface *mesh, const struct surface_node *node) {
    vec3 size = vec3_sub(node->high, node->low);
    int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    double cut = 1.5 * (vec3_component(node->low, axis) + vec3_component(node->high, axis));
    int32_t lower = 0;
    for (int32_t k = 0; k < node->count; k++) {
        int32_t *at = &mesh->order[node->first + k], *to = &mesh->order[node->first + lower];
        if (middle(mesh, *at, axis) >= cut) continue;
        int32_t swap = *at;
        *at = *to;
        *to = swap;
        lower++;
    }
    bool lopsided = 8 * lower < node->count || 8 * lower > 7 * node->count;
    return lopsided ? node->count / 2 : lower; /* the tree stays shallow */
}

static void grow_tree(struct surface *mesh) {
    for (size_t k = 0; k < mesh->triangle_count; k++) mesh->order[k] = (int32_t)k;
    mesh->nodes[0] = (struct surface_node){.first = 0, .count = (int32_t)mesh->triangle_count};
    mesh->node_count = 1;
    for (size_t k = 0; k < mesh->node_count; k++) {
        struct surface_node *node = &mesh->nodes[k];
        enclose(mesh, node);
        if (node->count <= LEAF) continue;
        int32_t lower = part(mesh, node);
        int32_t child = (int32_t)mesh->node_count;
        mesh->nodes[child] = (struct surface_node){.first = node->first, .count = lower};
        mesh->nodes[child + 1] =
            (struct surface_node){.first = node->first + lower, .count = node->count - lower};
        node->first = child;
        node->count = 0;
        mesh->node_count += 2;
    }
}

static double outside(double x, double low, double high) {
    return x < low ? low - x : x > high ? x - high : 0.0;
}

static bool meets(const struct surface_node *node, vec3 centre, double radius) {
    double x = outside(centre.x, node->low.x, node->high.x);
    double y = outside(centre.y, node->low.y, node->high.y);
    double z = outside(centre.z, node->low.z, node->high.z);
    return x * x + y * y + z * z <= radius * radius;
}

static bool triangle_meets(const struct surface *mesh, int32_t triangle, vec3 centre,
                           double radius) {
    vec3 x = corner(mesh, triangle, 0);
    double height = vec3_dot(vec3_sub(centre, x), mesh->normals[triangle]);
    struct surface_node box = {x, x, 0, 0};
    for (int k = 1; k < 3; k++) {
        x = corner(mesh, triangle, k);
        box.low = vec3_make(fmin(box.low.x, x.x), fmin(box.low.y, x.y), fmin(box.low.z, x.z));
        box.high = vec3_make(fmax(box.high.x, x.x), fmax(box.high.y, x.y), fmax(box.high.z, x.z));
    }
    return fabs(height) <= radius && meets(&box, centre, radius);
}

size_t surface_near(const struct surface *mesh, vec3 centre, double radius, int32_t *out,
                    size_t capacity) {
    int32_t stack[2 * DEPTH_MAX];
    size_t depth = 0, found = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const struct surface_node *node = &mesh->nodes[stack[--depth]];
        if (!meets(node, centre, radius)) continue;
        if (node->count == 0) {
            stack[depth++] = node->first;
            stack[depth++] = node->first + 1;
            continue;
        }
        for (int32_t k = 0; k < node->count; k++) {
            int32_t triangle = mesh->order[node->first + k];
            if (!triangle_meets(mesh, triangle, centre, radius)) continue;
            if (found < capacity) out[found] = triangle;
            found++;
        }
    }
    return found;
}

static double segment_distance(vec3 point, vec3 a, vec3 b) {
    vec3 along = vec3_sub(b, a), from = vec3_sub(point, a);
    double length2 = vec3_norm2(along), at = length2 > 0.0 ? vec3_dot(from, along) / length2 : 0.0;
    at = at < 0.0 ? 0.0 : at > 1.0 ? 1.0 : at;
    return vec3_norm(vec3_add_scaled(from, -at, along));
}

double triangle_distance(vec3 point, vec3 a, vec3 b, vec3 c) {
    vec3 normal = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
    const vec3 corners[4] = {a, b, c, a};
    double least = HUGE_VAL;
    bool over = true; /* the point stands over the inside */
    for (int k = 0; k < 3; k++) {
        vec3 side = vec3_sub(corners[k + 1], corners[k]);
        vec3 from = vec3_sub(point, corners[k]);
        over = over && vec3_dot(vec3_cross(side, from), normal) >= 0.0;
        least = fmin(least, segment_distance(point, corners[k], corners[k + 1]));
    }
    double size = vec3_norm(normal);
    return over && size > 0.0 ? fabs(vec3_dot(vec3_sub(point, a), normal)) / size : least;
}

/* ---- making -------------------------------------------------------------------------------------- */

static enum convex_status make_triangle(struct surface *mesh, int32_t k) {
    vec3 points[3] = {corner(mesh, k, 0), corner(mesh, k, 1), corner(mesh, k, 2)};
    vec3 normal = vec3_cross(vec3_sub(points[1], points[0]), vec3_sub(points[2], points[0]));
    double size = vec3_norm(normal);
    if (!(size > 0.0)) return CONVEX_NO_EXTENT;
    mesh->normals[k] = vec3_scale(1.0 / size, normal);
    enum convex_status status = convex_make(&mesh->hulls[k], 3, points, 3, 0.0, true);
    if (status == CONVEX_OK && mesh->hulls[k].vertex_count < 3) return CONVEX_NO_EXTENT;
    return status;
}

enum convex_status surface_make(struct memory *memory, struct surface *mesh, const vec3 *vertices,
                                size_t vertex_count, const int32_t (*triangles)[3],
                                size_t triangle_count) {
    *mesh = (struct surface){.vertex_count = vertex_count, .triangle_count = triangle_count};
    if (vertex_count == 0 || triangle_count == 0) return CONVEX_NO_POINTS;
    if (!allocate(memory, mesh)) return CONVEX_NO_MEMORY;
    memcpy(mesh->vertices, vertices, vertex_count * sizeof *vertices);
    memcpy(mesh->triangles, triangles, triangle_count * sizeof *triangles);
    for (size_t k = 0; k < vertex_count; k++)
        mesh->reach = fmax(mesh->reach, vec3_norm(vertices[k]));
    struct mesh_soup soup = {.vertices = mesh->vertices,
                             .triangles = mesh->triangles,
                             .vertex_count = (int32_t)vertex_count,
                             .triangle_count = (int32_t)triangle_count};
    if (mesh_edges(&soup, mesh->neighbours) != MESH_OK) return CONVEX_NO_MEMORY;
    for (size_t k = 0; k < triangle_count; k++) {
        enum convex_status status = make_triangle(mesh, (int32_t)k);
        if (status != CONVEX_OK) return status;
    }
    grow_tree(mesh);
    return CONVEX_OK;
}

/* ---- ghosts -------------------------------------------------------------------------------------- */

/* From the side of a triangle into it, unit. */
static vec3 inward(const struct surface *mesh, int32_t triangle, vec3 from, vec3 along) {
    for (int k = 0; k < 3; k++) { /* the corner off the side decides which way in is */
        vec3 into = vec3_tangential(vec3_sub(corner(mesh, triangle, k), from), along);
        double length = vec3_norm(into),
               size = vec3_norm(vec3_sub(corner(mesh, triangle, k), from));
        if (length > on_side * size && size > 0.0) return vec3_scale(1.0 / length, into);
    }
    return vec3_zero();
}

/* On a side where the surface goes on, what pushes along `away` must not stand over the neighbour: it would be nearer
 * to that one. Corners lie on two sides. */
bool surface_bears(const struct surface *mesh, int32_t triangle, vec3 point, vec3 away) {
    if (fabs(vec3_dot(away, mesh->normals[triangle])) > 1.0 - 0.5 * lean * lean) return true;
    for (int k = 0; k < 3; k++) {
        int32_t neighbour = mesh->neighbours[triangle][k];
        vec3 from = corner(mesh, triangle, k),
             along = vec3_sub(corner(mesh, triangle, (k + 1) % 3), from);
        double length = vec3_norm(along);
        along = vec3_scale(1.0 / length, along);
        vec3 off = vec3_tangential(vec3_sub(point, from), along);
        if (neighbour < 0 || vec3_norm(off) > on_side * length) continue;
        if (vec3_dot(away, inward(mesh, neighbour, from, along)) > lean) return false;
    }
    return true;
}

bool surface_covers(const struct surface *mesh, int32_t triangle, vec3 point) {
    for (int k = 0; k < 3; k++) {
        vec3 from = corner(mesh, triangle, k);
        vec3 along = vec3_sub(corner(mesh, triangle, (k + 1) % 3), from);
        vec3 inside = vec3_cross(mesh->normals[triangle], along);
        if (vec3_dot(vec3_sub(point, from), inside) < -on_side * vec3_norm2(along)) return false;
    }
    return true;
}
