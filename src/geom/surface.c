/* SPDX-License-Identifier: Apache-2.0 */
#include "geom/surface.h"

#include "geom/mesh_weld.h"

#include <string.h>

enum { LEAF = 4, DEPTH_MAX = 256 };

/* A point this near to a side, by the size of the facet, lies on it. */
static const double on_side = 1e-6;
/* `away` may lean this much over a neighbour: rounding of normals. */
static const double lean = 1e-6;

void surface_free(struct memory *memory, struct surface *mesh) {
    size_t n = mesh->triangle_count;
    for (size_t k = 0; k < mesh->facet_count; k++) convex_free(&mesh->facets[k].hull);
    memory_free(memory, mesh->vertices, mesh->vertex_count, sizeof *mesh->vertices);
    memory_free(memory, mesh->triangles, n, sizeof *mesh->triangles);
    memory_free(memory, mesh->facets, mesh->facet_capacity, sizeof *mesh->facets);
    memory_free(memory, mesh->corners, mesh->corner_capacity, sizeof *mesh->corners);
    memory_free(memory, mesh->nodes, 2 * n, sizeof *mesh->nodes);
    memory_free(memory, mesh->order, n, sizeof *mesh->order);
    *mesh = (struct surface){.reach = 0.0};
}

static bool allocate(struct memory *memory, struct surface *mesh) {
    size_t n = mesh->triangle_count;
    mesh->vertices = memory_resize(memory, NULL, 0, mesh->vertex_count, sizeof *mesh->vertices);
    mesh->triangles = memory_resize(memory, NULL, 0, n, sizeof *mesh->triangles);
    mesh->nodes = memory_resize(memory, NULL, 0, 2 * n, sizeof *mesh->nodes);
    mesh->order = memory_resize(memory, NULL, 0, n, sizeof *mesh->order);
    return mesh->vertices != NULL && mesh->triangles != NULL && mesh->nodes != NULL &&
           mesh->order != NULL;
}

/* ---- the tree ------------------------------------------------------------------------------------ */

static void widen(vec3 *low, vec3 *high, vec3 least, vec3 most) {
    *low = vec3_make(fmin(low->x, least.x), fmin(low->y, least.y), fmin(low->z, least.z));
    *high = vec3_make(fmax(high->x, most.x), fmax(high->y, most.y), fmax(high->z, most.z));
}

static void enclose(const struct surface *mesh, struct surface_node *node) {
    const struct facet *facet = &mesh->facets[mesh->order[node->first]];
    node->low = facet->low;
    node->high = facet->high;
    for (int32_t k = 1; k < node->count; k++) {
        facet = &mesh->facets[mesh->order[node->first + k]];
        widen(&node->low, &node->high, facet->low, facet->high);
    }
}

/* The facets on the lower half of the longest axis first; returns how many. Half of them if all lie alike. */
static int32_t part(struct surface *mesh, const struct surface_node *node) {
    vec3 size = vec3_sub(node->high, node->low);
    int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    double cut = vec3_component(node->low, axis) + vec3_component(node->high, axis);
    int32_t lower = 0;
    for (int32_t k = 0; k < node->count; k++) {
        int32_t *at = &mesh->order[node->first + k], *to = &mesh->order[node->first + lower];
        const struct facet *facet = &mesh->facets[*at];
        if (vec3_component(facet->low, axis) + vec3_component(facet->high, axis) >= cut) continue;
        int32_t swap = *at;
        *at = *to;
        *to = swap;
        lower++;
    }
    bool lopsided = 8 * lower < node->count || 8 * lower > 7 * node->count;
    return lopsided ? node->count / 2 : lower; /* the tree stays shallow */
}

static void grow_tree(struct surface *mesh) {
    for (size_t k = 0; k < mesh->facet_count; k++) mesh->order[k] = (int32_t)k;
    mesh->nodes[0] = (struct surface_node){.first = 0, .count = (int32_t)mesh->facet_count};
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

static bool meets(vec3 low, vec3 high, vec3 centre, double radius) {
    double x = outside(centre.x, low.x, high.x);
    double y = outside(centre.y, low.y, high.y);
    double z = outside(centre.z, low.z, high.z);
    return x * x + y * y + z * z <= radius * radius;
}

static bool facet_meets(const struct surface *mesh, int32_t number, vec3 centre, double radius) {
    const struct facet *facet = &mesh->facets[number];
    double height = vec3_dot(vec3_sub(centre, mesh->corners[facet->first]), facet->normal);
    return fabs(height) <= radius && meets(facet->low, facet->high, centre, radius);
}

/* A walk through the tree, to the facets that a ball meets. */
struct walk {
    const struct surface *mesh;
    vec3 centre;
    double radius;
    const struct surface_node *leaf;
    int32_t next, depth; /* in the leaf; of the stack */
    int32_t stack[2 * DEPTH_MAX];
};

static void walk_start(struct walk *walk, const struct surface *mesh, vec3 centre, double radius) {
    walk->mesh = mesh;
    walk->centre = centre;
    walk->radius = radius;
    walk->leaf = NULL;
    walk->stack[0] = 0;
    walk->depth = 1;
}

/* The next leaf, or NULL. */
static const struct surface_node *walk_leaf(struct walk *walk) {
    while (walk->depth > 0) {
        const struct surface_node *node = &walk->mesh->nodes[walk->stack[--walk->depth]];
        if (!meets(node->low, node->high, walk->centre, walk->radius)) continue;
        if (node->count > 0) return node;
        walk->stack[walk->depth++] = node->first;
        walk->stack[walk->depth++] = node->first + 1;
    }
    return NULL;
}

/* The next facet; -1 at the end. */
static int32_t walk_on(struct walk *walk) {
    for (;;) {
        if (walk->leaf == NULL || walk->next == walk->leaf->count) {
            walk->leaf = walk_leaf(walk);
            walk->next = 0;
            if (walk->leaf == NULL) return -1;
        }
        int32_t facet = walk->mesh->order[walk->leaf->first + walk->next++];
        if (facet_meets(walk->mesh, facet, walk->centre, walk->radius)) return facet;
    }
}

size_t surface_near(const struct surface *mesh, vec3 centre, double radius, int32_t *out,
                    size_t capacity) {
    struct walk walk;
    size_t found = 0;
    walk_start(&walk, mesh, centre, radius);
    for (int32_t facet; (facet = walk_on(&walk)) >= 0; found++)
        if (found < capacity) out[found] = facet;
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

enum convex_status surface_add_facet(struct memory *memory, struct surface *mesh, vec3 normal,
                                     const vec3 *corners, int32_t count) {
    struct facet *facets = memory_reserve(memory, mesh->facets, &mesh->facet_capacity,
                                          mesh->facet_count + 1, sizeof *facets);
    if (facets == NULL) return CONVEX_NO_MEMORY;
    mesh->facets = facets;
    vec3 *all = memory_reserve(memory, mesh->corners, &mesh->corner_capacity,
                               mesh->corner_count + (size_t)count, sizeof *all);
    if (all == NULL) return CONVEX_NO_MEMORY;
    mesh->corners = all;
    struct facet facet = {.normal = normal,
                          .low = corners[0],
                          .high = corners[0],
                          .first = (int32_t)mesh->corner_count,
                          .count = count};
    enum convex_status status = convex_make(&facet.hull, 3, corners, (size_t)count, 0.0, true);
    if (status != CONVEX_OK) return status;
    memcpy(all + mesh->corner_count, corners, (size_t)count * sizeof *corners);
    for (int32_t k = 1; k < count; k++) widen(&facet.low, &facet.high, corners[k], corners[k]);
    mesh->corner_count += (size_t)count;
    facets[mesh->facet_count++] = facet;
    return CONVEX_OK;
}

enum convex_status surface_make(struct memory *memory, struct surface *mesh, const vec3 *vertices,
                                size_t vertex_count, const int32_t (*triangles)[3],
                                size_t triangle_count) {
    vec3 low;
    *mesh = (struct surface){.vertex_count = vertex_count, .triangle_count = triangle_count};
    if (vertex_count == 0 || triangle_count == 0) return CONVEX_NO_POINTS;
    if (!allocate(memory, mesh)) return CONVEX_NO_MEMORY;
    memcpy(mesh->vertices, vertices, vertex_count * sizeof *vertices);
    memcpy(mesh->triangles, triangles, triangle_count * sizeof *triangles);
    mesh->size = mesh_size(vertices, triangles, (int32_t)triangle_count, &low);
    for (size_t k = 0; k < vertex_count; k++)
        mesh->reach = fmax(mesh->reach, vec3_norm(mesh->vertices[k]));
    enum convex_status status = surface_join_facets(memory, mesh);
    if (status != CONVEX_OK) return status;
    if (mesh->facet_count == 0) return CONVEX_NO_EXTENT;
    grow_tree(mesh);
    return CONVEX_OK;
}

/* ---- ghosts -------------------------------------------------------------------------------------- */

static vec3 nearest_on_segment(vec3 point, vec3 a, vec3 b) {
    vec3 along = vec3_sub(b, a);
    double length2 = vec3_norm2(along);
    double at = length2 > 0.0 ? vec3_dot(vec3_sub(point, a), along) / length2 : 0.0;
    return at <= 0.0 ? a : at >= 1.0 ? b : vec3_add_scaled(a, at, along);
}

vec3 surface_nearest(const struct surface *mesh, int32_t number, vec3 point) {
    const struct facet *facet = &mesh->facets[number];
    const vec3 *corners = mesh->corners + facet->first;
    double least = HUGE_VAL;
    vec3 best = point;
    for (int32_t k = 0; k < facet->count; k++) {
        vec3 a = corners[k], b = corners[k + 1 < facet->count ? k + 1 : 0];
        vec3 inward = vec3_cross(facet->normal, vec3_sub(b, a));
        if (vec3_dot(vec3_sub(point, a), inward) >= 0.0) continue;
        vec3 place = nearest_on_segment(point, a, b);
        double distance2 = vec3_norm2(vec3_sub(place, point));
        if (distance2 >= least) continue;
        least = distance2;
        best = place;
    }
    if (least < HUGE_VAL) return best;
    double height = vec3_dot(vec3_sub(point, corners[0]), facet->normal);
    return vec3_add_scaled(point, -height, facet->normal);
}

/* With c at `height` h from p along n, the place q of a facet is nearer to c than p if 2 h n . (q - p) > |q - p|^2.
 * Which of two facets is the nearer one depends on c alone, so never do both leave it to each other, not even
 * over a crack as wide as rounding makes it. */
bool surface_bears(const struct surface *mesh, int32_t facet, vec3 point, vec3 away,
                   double height) {
    if (fabs(vec3_dot(away, mesh->facets[facet].normal)) > 1.0 - 0.5 * lean * lean) return true;
    vec3 pushing = vec3_add_scaled(point, height, away);
    double same = MESH_SAME * mesh->size;
    struct walk walk;
    walk_start(&walk, mesh, point, same);
    for (int32_t other; (other = walk_on(&walk)) >= 0;) {
        if (other == facet) continue;
        vec3 step = vec3_sub(surface_nearest(mesh, other, pushing), point);
        double nearer = 2.0 * height * vec3_dot(away, step) - vec3_norm2(step);
        if (nearer <= lean * lean * height * height) continue;
        vec3 aside = vec3_sub(surface_nearest(mesh, other, point), point);
        if (vec3_norm2(aside) <= same * same) return false;
    }
    return true;
}

bool surface_covers(const struct surface *mesh, int32_t number, vec3 point) {
    const struct facet *facet = &mesh->facets[number];
    const vec3 *corners = mesh->corners + facet->first;
    for (int32_t k = 0; k < facet->count; k++) {
        vec3 from = corners[k];
        vec3 along = vec3_sub(corners[k + 1 < facet->count ? k + 1 : 0], from);
        vec3 inside = vec3_cross(facet->normal, along);
        if (vec3_dot(vec3_sub(point, from), inside) < -on_side * vec3_norm2(along)) return false;
    }
    return true;
}
