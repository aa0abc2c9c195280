/* SPDX-License-Identifier: Apache-2.0
 *
 * Merging the facets of a hull on a half-edge mesh (see hull_solid.c for why).
 */
#include "geom/hull_mesh.h"

#include <stdlib.h>

#include "geom/scratch.h"

struct half {             /* a side of an edge: it belongs to the face on its left */
    int32_t origin;       /* vertex it starts from */
    int32_t twin;         /* the other side; -1: gone */
    int32_t next, before; /* around the face */
    int32_t face;
};

struct facets {
    const vec3 *points;
    struct half *halves;
    int32_t half_count, face_count, faces_left;
    int32_t *start;  /* a half-edge of each face, -1: gone */
    int32_t *degree; /* edges at each point */
    vec3 *area;      /* of each face, times two, along its normal */
    int32_t *mark;   /* of each point: the stamp of who saw it last */
    int32_t stamp;
};

static void facets_free(struct facets *mesh) {
    void *blocks[] = {mesh->halves, mesh->start, mesh->degree, mesh->area, mesh->mark};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) scratch_release(blocks[k]);
}

static vec3 origin_of(const struct facets *mesh, int32_t half) {
    return mesh->points[mesh->halves[half].origin];
}

/* Twice the area of a face as a vector, summed from its first vertex so that distance from the
 * origin does not cost digits. */
static vec3 face_area(const struct facets *mesh, int32_t face) {
    const struct half *halves = mesh->halves;
    int32_t first = mesh->start[face];
    vec3 base = origin_of(mesh, first), sum = vec3_zero();
    for (int32_t h = halves[first].next; halves[h].next != first; h = halves[h].next) {
        vec3 a = vec3_sub(origin_of(mesh, h), base);
        vec3 b = vec3_sub(origin_of(mesh, halves[h].next), base);
        sum = vec3_add(sum, vec3_cross(a, b));
    }
    return sum;
}

/* ---- building ------------------------------------------------------------------------------------ */

struct arrow { /* a half-edge by its ends, lower number first, to be sorted */
    int32_t low, high, half;
};

static int compare_arrows(const void *left, const void *right) {
    const struct arrow *a = left, *b = right;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return (a->half > b->half) - (a->half < b->half);
}

/* Find the twin of each half-edge; false unless all come in pairs that run opposite ways. */
static bool pair_halves(struct facets *mesh, struct arrow *arrows) {
    struct half *halves = mesh->halves;
    int32_t count = mesh->half_count;
    for (int32_t h = 0; h < count; h++) {
        int32_t a = halves[h].origin, b = halves[halves[h].next].origin;
        arrows[h] = (struct arrow){a < b ? a : b, a < b ? b : a, h};
    }
    qsort(arrows, (size_t)count, sizeof *arrows, compare_arrows);
    if (count % 2 != 0) return false;
    for (int32_t k = 0; k < count; k += 2) {
        const struct arrow *a = &arrows[k], *b = &arrows[k + 1];
        if (a->low == a->high || a->low != b->low || a->high != b->high) return false;
        if (k + 2 < count && arrows[k + 2].low == a->low && arrows[k + 2].high == a->high)
            return false;
        if (halves[a->half].origin == halves[b->half].origin) return false;
        halves[a->half].twin = b->half;
        halves[b->half].twin = a->half;
    }
    return true;
}

static enum convex_status facets_allocate(struct facets *mesh, int32_t faces, int32_t halves,
                                          int32_t points) {
    mesh->halves = scratch_allocate((size_t)halves, sizeof *mesh->halves);
    mesh->start = scratch_allocate((size_t)faces, sizeof *mesh->start);
    mesh->area = scratch_allocate((size_t)faces, sizeof *mesh->area);
    mesh->degree = scratch_allocate((size_t)points, sizeof *mesh->degree);
    mesh->mark = scratch_allocate((size_t)points, sizeof *mesh->mark);
    bool got = mesh->halves && mesh->start && mesh->area && mesh->degree && mesh->mark;
    return got ? CONVEX_OK : CONVEX_NO_MEMORY;
}

static void link_loops(struct facets *mesh, const struct hull *raw) {
    for (int32_t f = 0; f < raw->face_count; f++) {
        int32_t first = raw->first[f], end = raw->first[f + 1];
        mesh->start[f] = first;
        for (int32_t h = first; h < end; h++) {
            mesh->halves[h] = (struct half){.origin = raw->loops[h],
                                            .twin = -1,
                                            .next = h + 1 < end ? h + 1 : first,
                                            .before = h > first ? h - 1 : end - 1,
                                            .face = f};
            mesh->degree[raw->loops[h]]++;
        }
        mesh->area[f] = face_area(mesh, f);
    }
}

/* One closed surface without handles or pinched points? */
static bool euler_holds(const struct facets *mesh, int32_t point_count) {
    int32_t used = 0;
    for (int32_t i = 0; i < point_count; i++) used += mesh->degree[i] > 0;
    return used - mesh->half_count / 2 + mesh->face_count == 2;
}

static enum convex_status facets_make(struct facets *mesh, const struct hull *raw,
                                      const vec3 *points, int32_t point_count) {
    int32_t count = raw->first[raw->face_count];
    *mesh = (struct facets){.points = points,
                            .half_count = count,
                            .face_count = raw->face_count,
                            .faces_left = raw->face_count};
    enum convex_status status = facets_allocate(mesh, raw->face_count, count, point_count);
    struct arrow *arrows = scratch_allocate((size_t)count, sizeof *arrows);
    if (arrows == NULL) status = CONVEX_NO_MEMORY;
    if (status == CONVEX_OK) {
        link_loops(mesh, raw);
        bool closed = pair_halves(mesh, arrows) && euler_holds(mesh, point_count);
        if (!closed) status = CONVEX_FAILED;
    }
    scratch_release(arrows);
    return status;
}

/* ---- taking away --------------------------------------------------------------------------------- */

static void join(struct half *halves, int32_t first, int32_t second) {
    halves[first].next = second;
    halves[second].before = first;
}

static void remove_face(struct facets *mesh, int32_t face) {
    mesh->start[face] = -1;
    mesh->faces_left--;
}

/* A face of two edges has no area: what lies on both sides of it becomes neighbours. */
static void remove_sliver(struct facets *mesh, int32_t half) {
    struct half *halves = mesh->halves;
    int32_t other = halves[half].next;
    int32_t out = halves[half].twin, back = halves[other].twin;
    halves[out].twin = back;
    halves[back].twin = out;
    mesh->degree[halves[half].origin]--;
    mesh->degree[halves[other].origin]--;
    remove_face(mesh, halves[half].face);
    halves[half].twin = halves[other].twin = -1;
}

/* Take away the vertex that `half` starts from, which has two edges: they become one, from the
 * vertex before to the one after. */
static void remove_vertex(struct facets *mesh, int32_t half) {
    struct half *halves = mesh->halves;
    int32_t before = halves[half].before, twin = halves[half].twin;
    int32_t gone = halves[twin].next; /* twin of `before` */
    mesh->degree[halves[half].origin] = 0;
    join(halves, before, halves[half].next);
    join(halves, twin, halves[gone].next);
    halves[before].twin = twin;
    halves[twin].twin = before;
    halves[half].twin = halves[gone].twin = -1;
    mesh->start[halves[before].face] = before;
    mesh->start[halves[twin].face] = twin;
    mesh->area[halves[before].face] = face_area(mesh, halves[before].face);
    mesh->area[halves[twin].face] = face_area(mesh, halves[twin].face);
}

/* Has this face only two edges left? */
static bool is_sliver(const struct facets *mesh, int32_t half) {
    return mesh->halves[mesh->halves[half].next].next == half;
}

/* Take away vertices with two edges and faces with two, which may make new ones. Stops when nothing
 * solid is left. */
static void tidy(struct facets *mesh) {
    bool again = true;
    while (again && mesh->faces_left >= 4) {
        again = false;
        for (int32_t h = 0; h < mesh->half_count && mesh->faces_left >= 4; h++) {
            if (mesh->halves[h].twin < 0) continue;
            if (is_sliver(mesh, h)) {
                remove_sliver(mesh, h);
                again = true;
            } else if (mesh->degree[mesh->halves[h].origin] == 2) {
                remove_vertex(mesh, h);
                again = true;
            }
        }
    }
}

/* ---- merging ------------------------------------------------------------------------------------- */

/* Do the faces on both sides of `half` meet in this edge only? Then together they have a simple
 * loop. */
static bool meet_in_one_edge(struct facets *mesh, int32_t half) {
    const struct half *halves = mesh->halves;
    int32_t twin = halves[half].twin, stamp = ++mesh->stamp, shared = 0;
    int32_t h = half;
    do {
        mesh->mark[halves[h].origin] = stamp;
        h = halves[h].next;
    } while (h != half);
    h = twin;
    do {
        shared += mesh->mark[halves[h].origin] == stamp;
        h = halves[h].next;
    } while (h != twin);
    return shared == 2;
}

/* Widen [low, high] to the positions along `normal` of a face; false as soon as it is wider than
 * allowed. */
static bool within(const struct facets *mesh, int32_t half, vec3 normal, double range[2],
                   double allowed) {
    vec3 base = origin_of(mesh, half);
    int32_t h = half;
    do {
        double d = vec3_dot(vec3_sub(origin_of(mesh, h), base), normal);
        range[0] = fmin(range[0], d);
        range[1] = fmax(range[1], d);
        if (range[1] - range[0] > allowed) return false;
        h = mesh->halves[h].next;
    } while (h != half);
    return true;
}

/* Are the faces on both sides of `half` one plane to within the tolerance? */
static bool coplanar(const struct facets *mesh, int32_t half, double tolerance) {
    const struct half *halves = mesh->halves;
    int32_t twin = halves[half].twin;
    vec3 normal = vec3_add(mesh->area[halves[half].face], mesh->area[halves[twin].face]);
    double length = vec3_norm(normal), range[2] = {0.0, 0.0};
    double allowed = tolerance * length; /* the normal is not of unit length */
    /* Both start at the same vertex, so that positions are relative to the same point. */
    return within(mesh, halves[half].next, normal, range, allowed) &&
           within(mesh, twin, normal, range, allowed);
}

/* Where `half` starts, would the loop without it turn right by more than the tolerance? */
static bool dents(const struct facets *mesh, int32_t half, double tolerance) {
    const struct half *halves = mesh->halves;
    int32_t twin = halves[half].twin;
    vec3 here = origin_of(mesh, half), before = origin_of(mesh, halves[half].before);
    vec3 after = origin_of(mesh, halves[halves[twin].next].next), chord = vec3_sub(after, before);
    vec3 normal = vec3_add(mesh->area[halves[half].face], mesh->area[halves[twin].face]);
    double turn = vec3_dot(vec3_cross(vec3_sub(here, before), chord), normal);
    return turn < -tolerance * vec3_norm(normal) * vec3_norm(chord);
}

/* May the faces on both sides of `half` become one? */
static bool mergeable(struct facets *mesh, int32_t half, double tolerance) {
    return coplanar(mesh, half, tolerance) && meet_in_one_edge(mesh, half) &&
           !dents(mesh, half, tolerance) && !dents(mesh, mesh->halves[half].twin, tolerance);
}

/* Join the faces on both sides of `half`. */
static void merge(struct facets *mesh, int32_t half) {
    struct half *halves = mesh->halves;
    int32_t twin = halves[half].twin, face = halves[half].face, gone = halves[twin].face;
    int32_t h = twin;
    do {
        halves[h].face = face;
        h = halves[h].next;
    } while (h != twin);
    join(halves, halves[half].before, halves[twin].next);
    join(halves, halves[twin].before, halves[half].next);
    mesh->start[face] = halves[half].next;
    mesh->degree[halves[half].origin]--;
    mesh->degree[halves[twin].origin]--;
    halves[half].twin = halves[twin].twin = -1;
    remove_face(mesh, gone);
    mesh->area[face] = face_area(mesh, face);
}

/* One round over all edges; false when there was nothing to merge. */
static bool merge_round(struct facets *mesh, double tolerance) {
    bool any = false;
    for (int32_t h = 0; h < mesh->half_count && mesh->faces_left >= 4; h++) {
        if (mesh->halves[h].twin < h) continue; /* gone, or seen from the other side */
        if (!mergeable(mesh, h, tolerance)) continue;
        merge(mesh, h);
        any = true;
    }
    tidy(mesh);
    return any;
}

static enum convex_status write_loops(struct hull *out, const struct facets *mesh) {
    out->first = scratch_allocate((size_t)mesh->faces_left + 1, sizeof *out->first);
    out->loops = scratch_allocate((size_t)mesh->half_count, sizeof *out->loops);
    if (out->first == NULL || out->loops == NULL) return CONVEX_NO_MEMORY;
    int32_t size = 0;
    for (int32_t f = 0; f < mesh->face_count; f++) {
        int32_t start = mesh->start[f], h = start;
        if (start < 0) continue;
        out->first[out->face_count++] = size;
        do {
            out->loops[size++] = mesh->halves[h].origin;
            h = mesh->halves[h].next;
        } while (h != start);
    }
    out->first[out->face_count] = size;
    return CONVEX_OK;
}

enum convex_status hull_merge(struct hull *out, const struct hull *raw, const vec3 *points,
                              int32_t point_count, double tolerance) {
    struct facets mesh;
    enum convex_status status = facets_make(&mesh, raw, points, point_count);
    if (status == CONVEX_OK) {
        tidy(&mesh);
        /* What is coplanar to rounding comes first, so that slivers join the face they belong to. */
        for (double part = 0.01; part <= 1.0; part *= 10.0)
            while (mesh.faces_left >= 4 && merge_round(&mesh, part * tolerance)) continue;
        status = mesh.faces_left < 4 ? CONVEX_NO_EXTENT : write_loops(out, &mesh);
    }
    facets_free(&mesh);
    return status;
}

/* ---- vertices that hardly stick out -------------------------------------------------------------- */

/* Neighbours nearer than this many tolerances are one vertex: what would lie between has no
 * direction. */
static const double weld_at = 20.0;

/* More neighbours than this are not tried in all triples. */
enum { TRIPLES_UP_TO = 24 };

/* Distance of the origin from the segment a b; the square of it. */
static double segment_distance2(vec3 a, vec3 b) {
    vec3 ab = vec3_sub(b, a);
    double length2 = vec3_norm2(ab), t = length2 > 0.0 ? -vec3_dot(a, ab) / length2 : 0.0;
    return vec3_norm2(vec3_add_scaled(a, fmax(0.0, fmin(1.0, t)), ab));
}

/* The same from the inside of the triangle a b c; its edges are tried elsewhere. Always the distance
 * of some point of the triangle, however thin it is, hence never too small. */
static double triangle_distance2(vec3 a, vec3 b, vec3 c) {
    vec3 normal = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
    double u = vec3_dot(vec3_cross(b, c), normal), v = vec3_dot(vec3_cross(c, a), normal);
    double w = vec3_dot(vec3_cross(a, b), normal), sum = u + v + w;
    if (!(u > 0.0 && v > 0.0 && w > 0.0)) return HUGE_VAL;
    vec3 foot = vec3_add_scaled(vec3_scale(u / sum, a), v / sum, b);
    return vec3_norm2(vec3_add_scaled(foot, w / sum, c));
}

/* Distance from the vertex to the hull of its neighbours, given relative to it: the nearest point of
 * that hull is in a triangle of neighbours. */
static double height2(const vec3 *around, int32_t count) {
    double least = HUGE_VAL;
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = 0; j < i; j++) {
            least = fmin(least, segment_distance2(around[i], around[j]));
            for (int32_t k = 0; k < j && count <= TRIPLES_UP_TO; k++)
                least = fmin(least, triangle_distance2(around[i], around[j], around[k]));
        }
    return least;
}

/* Collect the neighbours of the vertex that `half` starts from, relative to it, and the sum of the
 * normals. */
static int32_t look_around(const struct facets *mesh, int32_t half, vec3 *around, vec3 *up) {
    const struct half *halves = mesh->halves;
    vec3 here = origin_of(mesh, half);
    int32_t count = 0, h = half;
    *up = vec3_zero();
    do {
        vec3 area = mesh->area[halves[h].face];
        double length = vec3_norm(area);
        if (length > 0.0) *up = vec3_add_scaled(*up, 1.0 / length, area);
        around[count++] = vec3_sub(origin_of(mesh, halves[h].next), here);
        h = halves[halves[h].before].twin;
    } while (h != half);
    return count;
}

/* Does this vertex stick out of the hull of the others by less than the tolerance? One direction in
 * which it sticks out more settles it nearly always. */
static bool hardly_out(const struct facets *mesh, int32_t half, vec3 *around, double tolerance) {
    vec3 up;
    int32_t count = look_around(mesh, half, around, &up);
    double least = HUGE_VAL, weld = weld_at * tolerance;
    for (int32_t k = 0; k < count; k++)
        if (vec3_norm2(around[k]) < weld * weld) return true;
    for (int32_t k = 0; k < count; k++) least = fmin(least, -vec3_dot(around[k], up));
    if (least > tolerance * vec3_norm(up)) return false;
    return height2(around, count) <= tolerance * tolerance;
}

static void mark_around(struct facets *mesh, int32_t half) {
    const struct half *halves = mesh->halves;
    int32_t h = half;
    do {
        mesh->mark[halves[halves[h].next].origin] = 1;
        h = halves[halves[h].before].twin;
    } while (h != half);
}

enum convex_status hull_needless(const struct hull *raw, const vec3 *points, int32_t point_count,
                                 double tolerance, int32_t *needless) {
    struct facets mesh;
    enum convex_status status = facets_make(&mesh, raw, points, point_count);
    vec3 *around = scratch_allocate((size_t)point_count, sizeof *around);
    if (around == NULL) status = CONVEX_NO_MEMORY;
    for (int32_t h = 0; status == CONVEX_OK && h < mesh.half_count; h++) {
        int32_t v = mesh.halves[h].origin;
        if (mesh.mark[v] != 0) continue; /* seen, or next to one that goes and kept for now */
        mesh.mark[v] = 1;
        if (!hardly_out(&mesh, h, around, tolerance)) continue;
        needless[v] = 1;
        mark_around(&mesh, h);
    }
    scratch_release(around);
    facets_free(&mesh);
    return status;
}
