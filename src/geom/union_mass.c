/* SPDX-License-Identifier: Apache-2.0
 *
 * Which parts overlap, and the mass of those that do. Parts within others are dropped, the rest is
 * scaled to size one and handed to the way that fits.
 */
#include "geom/union_mass.h"

#include "geom/nearest.h"
#include "geom/union_mass_parts.h"

/* Cores deeper in each other than this many rounding errors of their sizes overlap. */
static const double touching = 64.0;

/* A part that sticks out of another by no more is within it; lengths in extents. */
static const double within = 2e-15;

/* ---- which overlap ------------------------------------------------------------------------------- */

static bool overlap(const struct convex *a, const struct convex *b) {
    const mat3 unturned = mat3_diagonal(vec3_make(1.0, 1.0, 1.0));
    struct placed pa = {.shape = a, .position = vec3_zero(), .rotation = unturned, .scale = 1.0};
    struct placed pb = {.shape = b, .position = vec3_zero(), .rotation = unturned, .scale = 1.0};
    struct pair pair = pair_make(&pa, &pb);
    struct manifold_hint hint = {{0}};
    struct nearest nearest;
    double margin = a->rounding + b->rounding;
    if (!nearest_find(&pair, margin, &hint, &nearest)) return false;
    return nearest.gap - margin < -touching * pair.unit;
}

void union_groups(const struct convex *const *parts, int32_t count, int32_t *group) {
    for (int32_t k = 0; k < count; k++) group[k] = k;
    for (int32_t k = 1; k < count; k++)
        for (int32_t j = 0; j < k; j++) {
            if (group[j] == group[k] || !overlap(parts[j], parts[k])) continue;
            int32_t low = group[j] < group[k] ? group[j] : group[k];
            int32_t high = group[j] < group[k] ? group[k] : group[j];
            for (int32_t i = 0; i <= k; i++)
                if (group[i] == high) group[i] = low;
        }
}

/* ---- one part ------------------------------------------------------------------------------------ */

bool union_face_covers(const struct convex *core, int32_t face, vec3 x, double tolerance) {
    const struct convex_face *f = &core->faces[face];
    const int32_t *loop = core->loops + f->first;
    vec3 a = core->vertices[loop[f->count - 1]];
    for (int32_t k = 0; k < f->count; k++) {
        vec3 b = core->vertices[loop[k]], side = vec3_sub(b, a);
        double twice = vec3_dot(vec3_cross(side, vec3_sub(x, a)), f->normal);
        if (twice < 0.0 && twice < -tolerance * vec3_norm(side)) return false;
        a = b;
    }
    return true;
}

/* The edges (2D: sides), or the lone point: distance and the vector from the nearest point to x. */
static double skeleton_gap(const struct convex *core, vec3 x, vec3 *away) {
    double least = HUGE_VAL;
    for (int32_t k = 0, n = convex_segments(core); k < n; k++) {
        int32_t ends[2];
        convex_segment(core, k, ends);
        vec3 tail = core->vertices[ends[0]], along = vec3_sub(core->vertices[ends[1]], tail);
        vec3 d = vec3_sub(x, tail);
        double length2 = vec3_norm2(along);
        double share = length2 > 0.0 ? vec3_dot(d, along) / length2 : 0.0;
        d = vec3_add_scaled(d, -fmin(fmax(share, 0.0), 1.0), along);
        if (vec3_norm2(d) >= least) continue;
        least = vec3_norm2(d);
        *away = d;
    }
    return sqrt(least);
}

double union_core_gap(const struct convex *core, vec3 x, double limit, vec3 *normal) {
    double most = -HUGE_VAL;
    int32_t top = -1;
    bool over;
    for (int32_t f = 0; f < core->face_count; f++) {
        double height = vec3_dot(core->faces[f].normal, x) - core->faces[f].offset;
        if (height > limit) return height;
        if (height <= most) continue;
        most = height;
        top = f;
    }
    /* A plane of a face below x is no farther than the core: over its face it is the nearest. */
    if (core->face_count > 2 && most <= 0.0)
        over = true;
    else
        over = core->dim == 3 && top >= 0 && union_face_covers(core, top, x, 0.0);
    vec3 away = vec3_zero();
    double gap = over ? most : skeleton_gap(core, x, &away);
    /* So close to a face the direction from the nearest point would be noise. */
    const double close = 1e-9;
    if (normal != NULL)
        *normal = over || (gap < close && top >= 0) ? core->faces[top].normal
                                                    : vec3_scale(1.0 / gap, away);
    return gap;
}

/* Is every point of `small` in `large`? Swept balls lie in it if their centres lie in the core grown,
 * or shrunk, by the difference of the roundings. */
static bool swallows(const struct convex *large, const struct convex *small) {
    double most = large->rounding - small->rounding + within;
    for (int32_t v = 0; v < small->vertex_count; v++)
        if (!(union_core_gap(large, small->vertices[v], most, NULL) <= most)) return false;
    return true;
}

/* ---- size one ------------------------------------------------------------------------------------ */

struct frame {
    vec3 origin;
    double scale;
};

static void stretch_box(const struct convex *part, vec3 *low, vec3 *high) {
    double r = part->rounding;
    for (int32_t v = 0; v < part->vertex_count; v++) {
        vec3 x = part->vertices[v];
        *low = vec3_make(fmin(low->x, x.x - r), fmin(low->y, x.y - r), fmin(low->z, x.z - r));
        *high = vec3_make(fmax(high->x, x.x + r), fmax(high->y, x.y + r), fmax(high->z, x.z + r));
    }
}

static struct frame frame_of(const struct convex *const *parts, int32_t count) {
    vec3 low = vec3_make(HUGE_VAL, HUGE_VAL, HUGE_VAL), high = vec3_scale(-1.0, low);
    for (int32_t k = 0; k < count; k++) stretch_box(parts[k], &low, &high);
    vec3 size = vec3_sub(high, low);
    struct frame frame = {.origin = vec3_scale(0.5, vec3_add(low, high))};
    frame.scale = 0.5 * fmax(size.x, size.y);
    if (parts[0]->dim == 3)
        frame.scale = fmax(frame.scale, 0.5 * size.z);
    else
        frame.origin.z = 0.0;
    return frame;
}

static void surround(struct union_part *part) {
    vec3 low = vec3_make(HUGE_VAL, HUGE_VAL, HUGE_VAL), high = vec3_scale(-1.0, low);
    stretch_box(&part->hull, &low, &high);
    part->centre = vec3_scale(0.5, vec3_add(low, high));
    double far = 0.0;
    for (int32_t v = 0; v < part->hull.vertex_count; v++)
        far = fmax(far, vec3_norm2(vec3_sub(part->hull.vertices[v], part->centre)));
    part->radius = sqrt(far) + part->hull.rounding;
}

/* A copy in the frame; edges and loops stay those of the part. */
static bool copy_part(const struct convex *part, struct frame frame, struct union_part *out) {
    out->hull = *part;
    struct convex *hull = &out->hull;
    hull->vertices = scratch_allocate((size_t)part->vertex_count, sizeof *hull->vertices);
    hull->faces = part->face_count > 0
                      ? scratch_allocate((size_t)part->face_count, sizeof *hull->faces)
                      : NULL;
    if (hull->vertices == NULL || (part->face_count > 0 && hull->faces == NULL)) return false;
    for (int32_t v = 0; v < part->vertex_count; v++)
        hull->vertices[v] =
            vec3_scale(1.0 / frame.scale, vec3_sub(part->vertices[v], frame.origin));
    for (int32_t f = 0; f < part->face_count; f++) {
        hull->faces[f] = part->faces[f];
        vec3 corner = hull->vertices[part->loops[part->faces[f].first]];
        hull->faces[f].offset = vec3_dot(hull->faces[f].normal, corner);
    }
    hull->rounding = part->rounding / frame.scale;
    surround(out);
    return true;
}

static void parts_free(struct union_parts *parts) {
    for (int32_t k = 0; k < parts->count; k++) {
        scratch_release(parts->part[k].hull.vertices);
        scratch_release(parts->part[k].hull.faces);
    }
    parts->count = 0;
}

static bool parts_make(const struct convex *const *parts, int32_t count, struct frame frame,
                       struct union_parts *out) {
    out->count = 0;
    for (int32_t k = 0; k < count; k++) {
        out->count++;
        if (copy_part(parts[k], frame, &out->part[k])) continue;
        parts_free(out);
        return false;
    }
    return true;
}

/* Returns the number of one of those that remain. */
static int32_t drop_swallowed(struct union_parts *parts) {
    bool gone[UNION_PARTS_MAX] = {false};
    int32_t left = 0, number = 0;
    for (int32_t k = 0; k < parts->count; k++)
        for (int32_t j = 0; j < parts->count && !gone[k]; j++)
            gone[k] = j != k && !gone[j] && swallows(&parts->part[j].hull, &parts->part[k].hull);
    for (int32_t k = 0; k < parts->count; k++) {
        if (gone[k]) {
            scratch_release(parts->part[k].hull.vertices);
            scratch_release(parts->part[k].hull.faces);
        } else {
            number = k;
            parts->part[left++] = parts->part[k];
        }
    }
    parts->count = left;
    return number;
}

/* ---- together ------------------------------------------------------------------------------------ */

/* a += s (x y^T + y x^T)/2 */
static void add_product(mat3 *a, double s, vec3 x, vec3 y) {
    const double u[3] = {x.x, x.y, x.z}, v[3] = {y.x, y.y, y.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) a->m[i][j] += s * (0.5 * (u[i] * v[j] + v[i] * u[j]));
}

void union_add_simplex(struct union_moments *sum, double content, const vec3 *corners, int given) {
    vec3 total = vec3_zero();
    double n = (double)(given + 1), share = content / (n * (n + 1.0));
    for (int k = 0; k < given; k++) {
        total = vec3_add(total, corners[k]);
        add_product(&sum->m2, share, corners[k], corners[k]);
    }
    add_product(&sum->m2, share, total, total);
    sum->m1 = vec3_add_scaled(sum->m1, content / n, total);
    sum->m0 += content;
}

static struct convex_mass mass_of(struct union_moments *sum, struct frame frame, int dim) {
    double length = frame.scale, content = dim == 2 ? length * length : length * length * length;
    vec3 centre = vec3_scale(1.0 / sum->m0, sum->m1);
    struct convex_mass mass = {.volume = content * sum->m0,
                               .centre = vec3_add_scaled(frame.origin, length, centre)};
    add_product(&sum->m2, -sum->m0, centre, centre);
    double trace = sum->m2.m[0][0] + sum->m2.m[1][1] + sum->m2.m[2][2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            mass.inertia.m[i][j] =
                content * length * length * ((i == j ? trace : 0.0) - sum->m2.m[i][j]);
    return mass;
}

static bool all_sharp(const struct union_parts *parts) {
    for (int32_t k = 0; k < parts->count; k++)
        if (parts->part[k].hull.rounding > 0.0) return false;
    return true;
}

static enum union_status integrate(const struct union_parts *parts, struct union_moments *sum,
                                   double *error) {
    if (parts->part[0].hull.dim == 2) return union_plane(parts, sum, error);
    if (all_sharp(parts)) {
        enum union_status status = union_solid(parts, sum);
        if (status != UNION_INACCURATE) return status;
    }
    return union_round(parts, sum, error);
}

enum union_status union_mass(const struct convex *const *parts, int32_t count,
                             struct convex_mass *out, double *error) {
    struct union_parts unit;
    struct union_moments sum = {0};
    struct frame frame = frame_of(parts, count);
    double absolute = 0.0, relative = 0.0;
    if (!parts_make(parts, count, frame, &unit)) return UNION_NO_MEMORY;
    int32_t number = drop_swallowed(&unit);
    enum union_status status = UNION_OK;
    if (unit.count == 1) {
        *out = convex_mass(parts[number]);
    } else {
        status = integrate(&unit, &sum, &absolute);
        if (status == UNION_OK) {
            relative = sum.m0 > 0.0 ? absolute / sum.m0 : HUGE_VAL;
            if (!(relative <= UNION_ACCURACY)) status = UNION_INACCURATE;
            *out = mass_of(&sum, frame, parts[0]->dim);
        }
    }
    if (error != NULL) *error = relative;
    parts_free(&unit);
    return status;
}
