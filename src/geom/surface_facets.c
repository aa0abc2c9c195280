/* SPDX-License-Identifier: Apache-2.0
 *
 * Joining the triangles of a surface to convex facets.
 *
 * From the largest triangles on, regions of one plane are grown over shared sides. Vertices count as lying in the
 * plane if they are off it by no more than the rounding of single precision; the corners of a facet are then put
 * into it. If the outline of a region is convex it is one facet, however many triangles it has. Else its triangles
 * are joined two by two as long as the union is convex (Hertel and Mehlhorn, 1983).
 */
#include "geom/surface_sides.h"

#include <stdlib.h>

/* Of the size of the mesh: how far a vertex may be off the plane, or a corner off a straight line; and the angle, in
 * radians, between the normals: larger ones are a shape, not rounding. */
struct flatness {
    double distance, angle;
};
static const struct flatness to_single = {3e-7, 1e-4}, to_double = {1e-13, 1e-9};
/* Triangles lower than this share of their longest side are slivers: their area means nothing. */
static const double sliver_share = 1e-6;
/* A facet has no more corners than a manifold looks at. Joining by pairs goes over all edges at most this often. */
enum { CORNERS_MAX = 64, PASSES_MAX = 16 };

struct ranked {
    double key;
    int32_t number;
};

struct making {
    struct memory *memory;
    struct surface *mesh;
    size_t count;         /* of triangles */
    struct sides sides;   /* of the triangles, later of the facets */
    vec3 *areas;          /* twice the area, along the normal; zero for slivers */
    int32_t *region;      /* of each triangle; -1: none yet */
    uint8_t *turned;      /* it runs the other way round than its region */
    int32_t *members;     /* triangles of the present region */
    int32_t *onward;      /* along the outline, from each vertex; -1: not on it */
    int32_t *loop;        /* vertices of an outline, then the corners among them */
    int32_t *joined;      /* to which triangle each was joined, itself at the end */
    int32_t *corners;     /* of the facet of that one, at most */
    struct ranked *seeds; /* triangles, large ones first */
    struct ranked *edges; /* inner ones of a region, long ones first */
};

struct region { /* of one plane */
    int32_t number, count;
    vec3 sum;            /* of the areas */
    vec3 moment;         /* of |area| times centre */
    double weight;       /* of |area| */
    vec3 normal, centre; /* from these */
};

static int compare_ranked(const void *left, const void *right) {
    const struct ranked *a = left, *b = right;
    if (a->key != b->key) return a->key > b->key ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* ---- regions of one plane ------------------------------------------------------------------------ */

static vec3 vertex(const struct making *making, int32_t triangle, int k) {
    return making->mesh->vertices[making->mesh->triangles[triangle][k]];
}

static vec3 signed_area(const struct making *making, int32_t triangle) {
    return vec3_scale(making->turned[triangle] ? -1.0 : 1.0, making->areas[triangle]);
}

static void region_add(struct making *making, struct region *region, int32_t triangle) {
    double weight = vec3_norm(making->areas[triangle]);
    vec3 sum = vec3_add(vec3_add(vertex(making, triangle, 0), vertex(making, triangle, 1)),
                        vertex(making, triangle, 2));
    making->members[region->count++] = triangle;
    making->region[triangle] = region->number;
    region->sum = vec3_add(region->sum, signed_area(making, triangle));
    region->moment = vec3_add_scaled(region->moment, weight / 3.0, sum);
    region->weight += weight;
    region->normal = vec3_scale(1.0 / vec3_norm(region->sum), region->sum);
    region->centre = vec3_scale(1.0 / region->weight, region->moment);
}

static bool lies_in(const struct making *making, const struct region *region, int32_t triangle,
                    const struct flatness *flat) {
    vec3 area = signed_area(making, triangle);
    double size = vec3_norm(area), along = vec3_dot(area, region->normal);
    if (size > 0.0 && !(along > 0.0)) return false;
    if (vec3_norm(vec3_cross(area, region->normal)) > flat->angle * size) return false;
    double most = flat->distance * making->mesh->size;
    for (int k = 0; k < 3; k++) {
        vec3 from = vec3_sub(vertex(making, triangle, k), region->centre);
        if (fabs(vec3_dot(from, region->normal)) > most) return false;
    }
    return true;
}

/* Take in the triangles beyond the sides of this one, if they lie in the plane. */
static void grow_from(struct making *making, struct region *region, int32_t triangle,
                      const struct flatness *flat) {
    const struct side *sides = making->sides.at;
    for (int32_t s = making->sides.first[triangle]; s < making->sides.first[triangle + 1]; s++) {
        if (sides[s].twin < 0) continue;
        const struct side *twin = &sides[sides[s].twin];
        int32_t other = twin->triangle;
        if (making->region[other] >= 0) continue;
        bool against = twin->from == sides[s].from; /* both would run the same way otherwise */
        making->turned[other] = against != (making->turned[triangle] != 0);
        if (lies_in(making, region, other, flat)) region_add(making, region, other);
    }
}

static struct region grow(struct making *making, int32_t number, int32_t seed,
                          const struct flatness *flat) {
    struct region region = {.number = number};
    making->turned[seed] = 0;
    region_add(making, &region, seed);
    for (int32_t at = 0; at < region.count; at++)
        grow_from(making, &region, making->members[at], flat);
    return region;
}

/* The plane has moved a little while the region grew: those that do not lie in it now are left to others. If the
 * first is one of them, only those remain that lie in its plane exactly. */
static struct region take_region(struct making *making, int32_t number, int32_t seed) {
    struct region region = grow(making, number, seed, &to_single);
    bool good = lies_in(making, &region, seed, &to_single);
    int32_t kept = 0;
    for (int32_t k = 0; k < region.count; k++) {
        int32_t triangle = making->members[k];
        if (good && lies_in(making, &region, triangle, &to_single))
            making->members[kept++] = triangle;
        else
            making->region[triangle] = -1;
    }
    region.count = kept;
    return good ? region : grow(making, number, seed, &to_double);
}

/* ---- polygons ------------------------------------------------------------------------------------ */

/* How far b lies to the left of the way from a to c, seen against the normal; negative: a left turn at b. */
static double dent(const struct making *making, vec3 normal, int32_t a, int32_t b, int32_t c) {
    const vec3 *at = making->mesh->vertices;
    vec3 way = vec3_sub(at[c], at[a]), from = vec3_sub(at[b], at[a]);
    double length = vec3_norm(way);
    if (!(length > 0.0)) return HUGE_VAL;
    return vec3_dot(vec3_cross(way, from), normal) / length;
}

/* Is b on the way from a to c, to rounding? */
static bool is_straight(const struct making *making, vec3 normal, int32_t a, int32_t b, int32_t c) {
    const vec3 *at = making->mesh->vertices;
    double same = to_single.distance * making->mesh->size;
    if (fabs(dent(making, normal, a, b, c)) > same) return false;
    vec3 way = vec3_sub(at[c], at[a]), from = vec3_sub(at[b], at[a]);
    double share = vec3_dot(from, way);
    return share > 0.0 && share < vec3_norm2(way);
}

/* Leave the corners of a loop of vertices; returns how many. */
static int32_t leave_corners(const struct making *making, vec3 normal, int32_t *loop,
                             int32_t count) {
    for (int32_t before = count + 1; count < before && count > 3;) {
        before = count;
        int32_t kept = 0;
        for (int32_t k = 0; k < before; k++) {
            int32_t last = kept > 0 ? loop[kept - 1] : loop[before - 1];
            int32_t next = k + 1 < before ? loop[k + 1] : loop[0];
            int32_t left = kept + before - k - 1; /* if this one goes */
            if (left >= 3 && is_straight(making, normal, last, loop[k], next)) continue;
            loop[kept++] = loop[k];
        }
        count = kept;
    }
    return count;
}

/* Twice the area of a polygon, along its normal. */
static vec3 polygon_area(const struct making *making, const int32_t *loop, int32_t count) {
    const vec3 *at = making->mesh->vertices;
    vec3 sum = vec3_zero();
    for (int32_t k = 1; k + 1 < count; k++) {
        vec3 one = vec3_sub(at[loop[k]], at[loop[0]]);
        vec3 other = vec3_sub(at[loop[k + 1]], at[loop[0]]);
        sum = vec3_add(sum, vec3_cross(one, other));
    }
    return sum;
}

/* Turns to the left everywhere. */
static bool is_convex(const struct making *making, vec3 normal, const int32_t *loop,
                      int32_t count) {
    for (int32_t k = 0; k < count; k++) {
        int32_t a = loop[k], b = loop[(k + 1) % count], c = loop[(k + 2) % count];
        if (!(dent(making, normal, a, b, c) < 0.0)) return false;
    }
    return true;
}

/* Is the polygon as large as its region? A convex one then goes round just once. */
static bool fills(const struct making *making, const struct region *region, const int32_t *loop,
                  int32_t count) {
    const vec3 *at = making->mesh->vertices;
    double same = to_single.distance * making->mesh->size, around = 0.0;
    for (int32_t k = 0; k < count; k++)
        around += vec3_norm(vec3_sub(at[loop[(k + 1) % count]], at[loop[k]]));
    vec3 apart = vec3_sub(polygon_area(making, loop, count), region->sum);
    return fabs(vec3_dot(apart, region->normal)) <= 8.0 * same * around;
}

/* Has a polygon no area to speak of? */
static bool is_low(const struct making *making, const int32_t *loop, int32_t count) {
    const vec3 *at = making->mesh->vertices;
    double longest2 = 0.0;
    for (int32_t k = 0; k < count; k++)
        longest2 = fmax(longest2, vec3_norm2(vec3_sub(at[loop[(k + 1) % count]], at[loop[k]])));
    return !(vec3_norm(polygon_area(making, loop, count)) > sliver_share * longest2);
}

/* A facet with these corners, put into the plane of its region. */
static enum convex_status add_facet(struct making *making, const struct region *region,
                                    const int32_t *loop, int32_t count) {
    vec3 corners[CORNERS_MAX];
    for (int32_t k = 0; k < count; k++) {
        vec3 x = making->mesh->vertices[loop[k]];
        double off = vec3_dot(vec3_sub(x, region->centre), region->normal);
        corners[k] = vec3_add_scaled(x, -off, region->normal);
    }
    return surface_add_facet(making->memory, making->mesh, region->normal, corners, count);
}

/* A triangle of its own keeps its corners. */
static enum convex_status add_triangle(struct making *making, int32_t triangle) {
    vec3 corners[3] = {vertex(making, triangle, 0), vertex(making, triangle, 1),
                       vertex(making, triangle, 2)};
    double size = vec3_norm(making->areas[triangle]);
    vec3 normal = vec3_scale(1.0 / size, making->areas[triangle]);
    return surface_add_facet(making->memory, making->mesh, normal, corners, 3);
}

/* ---- the outline of a region --------------------------------------------------------------------- */

static bool is_outer(const struct making *making, const struct side *side) {
    if (side->twin < 0) return true;
    int32_t other = making->sides.at[side->twin].triangle;
    return making->region[other] != making->region[side->triangle];
}

/* Note the outer sides of a triangle in `onward`; returns how many, or -1 if a vertex is met twice. */
static int32_t note_outline(struct making *making, int32_t triangle, int32_t *start) {
    const struct side *sides = making->sides.at;
    int32_t count = 0;
    bool simple = true;
    for (int32_t s = making->sides.first[triangle]; s < making->sides.first[triangle + 1]; s++) {
        if (!is_outer(making, &sides[s])) continue;
        int32_t next = sides[sides[s].after].from;
        int32_t from = making->turned[triangle] ? next : sides[s].from;
        simple = simple && making->onward[from] < 0;
        making->onward[from] = making->turned[triangle] ? sides[s].from : next;
        *start = from;
        count++;
    }
    return simple ? count : -1;
}

static void clear_outline(struct making *making, const struct region *region) {
    for (int32_t m = 0; m < region->count; m++) {
        int32_t triangle = making->members[m], end = making->sides.first[triangle + 1];
        for (int32_t s = making->sides.first[triangle]; s < end; s++)
            making->onward[making->sides.at[s].from] = -1;
    }
}

/* The vertices around a region into `loop`; 0 if there is not just one way round. */
static int32_t find_outline(struct making *making, const struct region *region) {
    int32_t count = 0, start = -1, length = 0;
    bool simple = true;
    for (int32_t m = 0; m < region->count && simple; m++) {
        int32_t found = note_outline(making, making->members[m], &start);
        simple = found >= 0;
        count += found;
    }
    for (int32_t at = start; simple && length < count && at >= 0; at = making->onward[at]) {
        if (length > 0 && at == start) break;
        making->loop[length++] = at;
    }
    clear_outline(making, region);
    return simple && length == count ? count : 0;
}

/* ---- joining by pairs ---------------------------------------------------------------------------- */

/* Let the sides run the way round of the region; only those within it have twins. */
static void align_sides(struct making *making, int32_t triangle) {
    struct side *sides = making->sides.at;
    int32_t first = making->sides.first[triangle], end = making->sides.first[triangle + 1];
    int32_t start = first < end ? sides[first].from : -1;
    making->joined[triangle] = triangle;
    making->corners[triangle] = end - first;
    for (int32_t s = first; s < end; s++) {
        if (is_outer(making, &sides[s])) sides[s].twin = -1;
        if (!making->turned[triangle]) continue;
        sides[s].from = s + 1 < end ? sides[s + 1].from : start;
        int32_t after = sides[s].after;
        sides[s].after = sides[s].before;
        sides[s].before = after;
    }
}

/* Turning from side `in` to side `out`: convex, or straight to rounding? */
static bool may_turn(const struct making *making, vec3 normal, int32_t in, int32_t out) {
    const struct side *sides = making->sides.at;
    int32_t a = sides[in].from, b = sides[out].from, c = sides[sides[out].after].from;
    if (a == c) return false;
    return dent(making, normal, a, b, c) <= to_single.distance * making->mesh->size;
}

/* The triangle that stands for the facet of a side. */
static int32_t facet_of(struct making *making, int32_t side) {
    int32_t *joined = making->joined, at = making->sides.at[side].triangle;
    while (joined[at] != at) at = joined[at] = joined[joined[at]];
    return at;
}

/* The corners around the facet of a side, up to CORNERS_MAX + 1. */
static int32_t count_corners(const struct making *making, vec3 normal, int32_t start) {
    const struct side *sides = making->sides.at;
    int32_t count = 0, s = start;
    do {
        int32_t next = sides[s].after;
        if (!is_straight(making, normal, sides[s].from, sides[next].from,
                         sides[sides[next].after].from))
            count++;
        s = next;
    } while (s != start && count <= CORNERS_MAX);
    return count;
}

/* May the facets on both sides of an edge become one with no more corners than allowed? If so they are counted as one.
 * Each end of the edge is a corner of both, and at most one of the union; looking closely is only needed
 * when that bound is too large. */
static bool has_room(struct making *making, vec3 normal, int32_t edge) {
    int32_t one = facet_of(making, edge), twin = making->sides.at[edge].twin;
    int32_t other = facet_of(making, twin), *corners = making->corners;
    if (corners[one] + corners[other] - 2 > CORNERS_MAX) {
        corners[one] = count_corners(making, normal, edge);
        corners[other] = count_corners(making, normal, twin);
    }
    if (corners[one] + corners[other] - 2 > CORNERS_MAX) return false;
    making->joined[other] = one;
    corners[one] += corners[other] - 2;
    return true;
}

/* Take out the sides from `first` to `last` and their twins. */
static void drop_sides(struct side *sides, int32_t first, int32_t last) {
    for (int32_t s = first, next;; s = next) {
        struct side *own = &sides[s], *other = &sides[own->twin];
        next = own->after;
        own->from = other->from = -1;
        own->twin = other->twin = -1;
        if (s == last) return;
    }
}

/* Take away the edge of two facets, with all that they share beside it, if the union is convex. */
static bool join_across(struct making *making, vec3 normal, int32_t edge) {
    struct side *sides = making->sides.at;
    int32_t first = edge, last = edge; /* the shared sides, on this side of the edge */
    if (sides[edge].twin < 0) return false;
    while (sides[sides[last].after].twin >= 0 && sides[last].after != first &&
           sides[sides[last].after].twin == sides[sides[last].twin].before)
        last = sides[last].after;
    while (sides[sides[first].before].twin >= 0 && sides[first].before != last &&
           sides[sides[first].before].twin == sides[sides[first].twin].after)
        first = sides[first].before;
    int32_t in = sides[first].before, out = sides[sides[first].twin].after;
    int32_t other_in = sides[sides[last].twin].before, other_out = sides[last].after;
    if (!may_turn(making, normal, in, out) || !may_turn(making, normal, other_in, other_out))
        return false;
    if (!has_room(making, normal, edge)) return false;
    sides[in].after = out;
    sides[out].before = in;
    sides[other_in].after = other_out;
    sides[other_out].before = other_in;
    drop_sides(sides, first, last);
    return true;
}

/* A number with three digits left: what differs by rounding is equal. */
static double coarse(double x) {
    int exponent;
    double share = frexp(x, &exponent);
    return ldexp(rint(1000.0 * share), exponent);
}

/* Long edges first; those of equal length in the order of the triangles, which mostly lie in rows. */
static int32_t rank_edges(struct making *making, const struct region *region) {
    const struct side *sides = making->sides.at;
    int32_t count = 0;
    for (int32_t m = 0; m < region->count; m++) {
        int32_t triangle = making->members[m], end = making->sides.first[triangle + 1];
        for (int32_t s = making->sides.first[triangle]; s < end; s++) {
            if (sides[s].twin < s) continue;
            vec3 along = vec3_sub(making->mesh->vertices[sides[sides[s].after].from],
                                  making->mesh->vertices[sides[s].from]);
            making->edges[count++] = (struct ranked){coarse(vec3_norm2(along)), s};
        }
    }
    qsort(making->edges, (size_t)count, sizeof *making->edges, compare_ranked);
    return count;
}

/* The triangles of a facet, each for itself. */
static enum convex_status take_apart(struct making *making, const struct region *region,
                                     int32_t facet) {
    for (int32_t m = 0; m < region->count; m++) {
        int32_t triangle = making->members[m], first = making->sides.first[triangle];
        bool has_area = vec3_norm2(making->areas[triangle]) > 0.0;
        if (!has_area || facet_of(making, first) != facet) continue;
        enum convex_status status = add_triangle(making, triangle);
        if (status != CONVEX_OK) return status;
    }
    return CONVEX_OK;
}

/* Dents within rounding may have added up (a fine arc): then joining was no good. */
static enum convex_status take_polygon(struct making *making, const struct region *region,
                                       int32_t start) {
    struct side *sides = making->sides.at;
    int32_t count = 0, s = start;
    do {
        making->loop[count++] = sides[s].from;
        sides[s].from = -1;
        s = sides[s].after;
    } while (s != start);
    count = leave_corners(making, region->normal, making->loop, count);
    if (is_low(making, making->loop, count)) return CONVEX_OK;
    if (count > CORNERS_MAX || !is_convex(making, region->normal, making->loop, count))
        return take_apart(making, region, facet_of(making, start));
    return add_facet(making, region, making->loop, count);
}

static enum convex_status take_polygons(struct making *making, const struct region *region) {
    for (int32_t m = 0; m < region->count; m++) {
        int32_t triangle = making->members[m], end = making->sides.first[triangle + 1];
        for (int32_t s = making->sides.first[triangle]; s < end; s++) {
            if (making->sides.at[s].from < 0) continue;
            enum convex_status status = take_polygon(making, region, s);
            if (status != CONVEX_OK) return status;
        }
    }
    return CONVEX_OK;
}

static enum convex_status join_pairs(struct making *making, const struct region *region) {
    for (int32_t m = 0; m < region->count; m++) align_sides(making, making->members[m]);
    int32_t count = rank_edges(making, region);
    bool joined = true;
    for (int pass = 0; pass < PASSES_MAX && joined; pass++) {
        joined = false;
        for (int32_t k = 0; k < count; k++)
            joined = join_across(making, region->normal, making->edges[k].number) || joined;
    }
    return take_polygons(making, region);
}

/* ---- all of it ----------------------------------------------------------------------------------- */

static enum convex_status make_region(struct making *making, const struct region *region) {
    if (region->count == 1) return add_triangle(making, making->members[0]);
    int32_t count = find_outline(making, region);
    if (count > 0) count = leave_corners(making, region->normal, making->loop, count);
    if (count >= 3 && count <= CORNERS_MAX &&
        is_convex(making, region->normal, making->loop, count) &&
        fills(making, region, making->loop, count))
        return add_facet(making, region, making->loop, count);
    return join_pairs(making, region);
}

/* Areas, and which triangles are slivers. */
static void weigh(struct making *making) {
    for (size_t t = 0; t < making->count; t++) {
        making->areas[t] = polygon_area(making, making->mesh->triangles[t], 3);
        if (is_low(making, making->mesh->triangles[t], 3)) {
            making->areas[t] = vec3_zero();
            making->mesh->sliver_count++;
        }
        making->region[t] = -1;
        making->seeds[t] = (struct ranked){vec3_norm2(making->areas[t]), (int32_t)t};
    }
    for (size_t k = 0; k < making->mesh->vertex_count; k++) making->onward[k] = -1;
    qsort(making->seeds, making->count, sizeof *making->seeds, compare_ranked);
}

static enum convex_status make_facets(struct making *making) {
    int32_t number = 0;
    weigh(making);
    for (size_t k = 0; k < making->count && making->seeds[k].key > 0.0; k++) {
        if (making->region[making->seeds[k].number] >= 0) continue;
        struct region region = take_region(making, number++, making->seeds[k].number);
        enum convex_status status = make_region(making, &region);
        if (status != CONVEX_OK) return status;
    }
    return CONVEX_OK;
}

/* What making needs besides, got and given back. */
#define SCRATCH                       \
    BLOCK(areas, making.count)        \
    BLOCK(region, making.count)       \
    BLOCK(turned, making.count)       \
    BLOCK(members, making.count)      \
    BLOCK(onward, mesh->vertex_count) \
    BLOCK(loop, making.sides.count)   \
    BLOCK(joined, making.count)       \
    BLOCK(corners, making.count)      \
    BLOCK(seeds, making.count)        \
    BLOCK(edges, making.sides.count)

enum convex_status surface_join_facets(struct memory *memory, struct surface *mesh) {
    struct making making = {.memory = memory, .mesh = mesh, .count = mesh->triangle_count};
    bool got = sides_make(memory, mesh, &making.sides);
#define BLOCK(field, n)                                                                    \
    making.field = got ? memory_resize(memory, NULL, 0, (n), sizeof *making.field) : NULL; \
    got = got && making.field != NULL;
    SCRATCH
#undef BLOCK
    enum convex_status status = got ? make_facets(&making) : CONVEX_NO_MEMORY;
#define BLOCK(field, n) memory_free(memory, making.field, (n), sizeof *making.field);
    SCRATCH
#undef BLOCK
    sides_free(memory, mesh, &making.sides);
    return status;
}
