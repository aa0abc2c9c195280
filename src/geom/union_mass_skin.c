/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of a union with their swelling, the patches of their surfaces and what is near to each.
 */
#include "geom/union_mass_skin.h"

static const double pi = 3.14159265358979323846;

static const double swelling = 1e-10; /* extents */

/* ---- the parts ----------------------------------------------------------------------------------- */

static bool all_balls(const struct union_parts *parts) {
    for (int32_t k = 0; k < parts->count; k++)
        if (parts->part[k].hull.vertex_count > 1) return false;
    return true;
}

/* Parts with spheres that meet get different numbers, as low as can be. */
static void swell(struct skin *skin, const struct union_parts *parts) {
    int number[UNION_PARTS_MAX];
    bool none = all_balls(parts);
    skin->parts = *parts;
    for (int32_t k = 0; k < parts->count; k++) {
        struct union_part *part = &skin->parts.part[k];
        bool taken[UNION_PARTS_MAX + 2] = {false};
        for (int32_t j = 0; j < k; j++) {
            const struct union_part *other = &skin->parts.part[j];
            double reach = 1.001 * (part->radius + other->radius);
            if (vec3_norm(vec3_sub(part->centre, other->centre)) < reach) taken[number[j]] = true;
        }
        for (number[k] = 1; taken[number[k]];) number[k]++;
        skin->sharp[k] = part->hull.rounding == 0.0;
        skin->swelling[k] = none ? 0.0 : swelling * (double)number[k];
        part->hull.rounding += skin->swelling[k];
        part->radius += skin->swelling[k];
    }
}

static struct feature feature_of(const struct union_parts *parts, int32_t part,
                                 enum feature_kind kind, int32_t index) {
    const struct convex *hull = &parts->part[part].hull;
    struct feature out = {.part = part, .index = index, .kind = kind, .radius = hull->rounding};
    if (kind == FEATURE_VERTEX) {
        out.centre = hull->vertices[index];
    } else if (kind == FEATURE_EDGE) {
        vec3 tail = hull->vertices[hull->edges[index].tail];
        vec3 head = hull->vertices[hull->edges[index].head];
        out.centre = vec3_scale(0.5, vec3_add(tail, head));
        out.length = vec3_norm(vec3_sub(head, tail));
        out.radius += 0.5 * out.length;
        out.tail = tail;
        out.axis = vec3_scale(1.0 / out.length, vec3_sub(head, tail));
    } else {
        const struct convex_face *face = &hull->faces[index];
        const int32_t *loop = hull->loops + face->first;
        vec3 mean = vec3_zero();
        double far = 0.0;
        for (int32_t k = 0; k < face->count; k++)
            mean = vec3_add_scaled(mean, 1.0 / (double)face->count, hull->vertices[loop[k]]);
        for (int32_t k = 0; k < face->count; k++)
            far = fmax(far, vec3_norm2(vec3_sub(hull->vertices[loop[k]], mean)));
        out.centre = vec3_add_scaled(mean, hull->rounding, face->normal);
        out.radius = sqrt(far);
    }
    return out;
}

void skin_free(struct skin *skin) {
    scratch_release(skin->features);
    scratch_release(skin->saved);
    scratch_release(skin->seen);
    scratch_release(skin->patch.near);
    scratch_release(skin->patch.cone);
    scratch_release(skin->patch.breaks);
    scratch_release(skin->patch.circles);
    cover_free(&skin->cover);
    memory_free(&skin->heap, skin->corners, skin->corners_most, sizeof *skin->corners);
    memory_free(&skin->heap, skin->forms, skin->forms_most, sizeof *skin->forms);
}

bool skin_make(struct skin *skin, const struct union_parts *parts) {
    size_t most = 0;
    *skin = (struct skin){.feature_count = 0};
    swell(skin, parts);
    for (int32_t k = 0; k < parts->count; k++) {
        const struct convex *hull = &parts->part[k].hull;
        most += (size_t)hull->face_count + (size_t)hull->edge_count + (size_t)hull->vertex_count;
        skin->volume += convex_mass(hull).volume;
    }
    skin->features = scratch_allocate(most, sizeof *skin->features);
    skin->saved = scratch_allocate(most, sizeof *skin->saved);
    skin->seen = scratch_allocate(most, sizeof *skin->seen);
    skin->patch.near = scratch_allocate(most, sizeof *skin->patch.near);
    skin->patch.cone = scratch_allocate(most, sizeof *skin->patch.cone);
    skin->patch.circles = scratch_allocate(2 * most, sizeof *skin->patch.circles);
    skin->patch.breaks_most = (int32_t)(16 * most + 16);
    skin->patch.breaks = scratch_allocate(16 * most + 16, sizeof *skin->patch.breaks);
    bool made = cover_make(&skin->cover, (int32_t)most) && skin->features != NULL &&
                skin->saved != NULL && skin->seen != NULL && skin->patch.near != NULL &&
                skin->patch.cone != NULL && skin->patch.breaks != NULL &&
                skin->patch.circles != NULL;
    for (int32_t k = 0; k < parts->count && made; k++) {
        const struct convex *hull = &parts->part[k].hull;
        int32_t counts[3] = {hull->face_count, hull->edge_count, hull->vertex_count};
        for (int kind = FEATURE_FACE; kind <= FEATURE_VERTEX; kind++)
            for (int32_t i = 0; i < counts[kind]; i++)
                skin->features[skin->feature_count++] =
                    feature_of(&skin->parts, k, (enum feature_kind)kind, i);
    }
    return made;
}

/* ---- patches ------------------------------------------------------------------------------------- */

void patch_add_break(struct patch *patch, double place) {
    bool fits = patch->break_count + 1 < patch->breaks_most; /* one is kept for the end */
    if (fits && place > patch->low && place < patch->high)
        patch->breaks[patch->break_count++] = place;
}

/* Across no direction that a shape is likely to have, so that curves do not run along borders. */
static void face_frame(const struct skin *skin, struct patch *patch) {
    const struct convex *hull = &skin->parts.part[patch->feature.part].hull;
    const struct convex_face *face = &hull->faces[patch->feature.index];
    const int32_t *loop = hull->loops + face->first;
    vec3 u = vec3_perpendicular(face->normal), v = vec3_cross(face->normal, u);
    patch->origin = vec3_add_scaled(hull->vertices[loop[0]], patch->rounding, face->normal);
    patch->axis[0] = vec3_add_scaled(vec3_scale(cos(skin->slant), u), sin(skin->slant), v);
    patch->axis[1] = vec3_cross(face->normal, patch->axis[0]);
    patch->axis[2] = face->normal;
    patch->low = patch->high = 0.0;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t k = 0; k < face->count; k++) {
            vec3 d = vec3_sub(hull->vertices[loop[k]], patch->origin);
            double place = vec3_dot(d, patch->axis[1]);
            if (pass == 0) {
                patch->low = fmin(patch->low, place);
                patch->high = fmax(patch->high, place);
            } else {
                patch_add_break(patch, place);
            }
        }
}

static void edge_frame(const struct skin *skin, struct patch *patch) {
    const struct convex *hull = &skin->parts.part[patch->feature.part].hull;
    struct convex_edge edge = hull->edges[patch->feature.index];
    vec3 along = vec3_sub(hull->vertices[edge.head], hull->vertices[edge.tail]);
    patch->origin = hull->vertices[edge.tail];
    patch->length = vec3_norm(along);
    patch->axis[2] = vec3_scale(1.0 / patch->length, along);
    patch->low = 0.0;
    patch->high = 2.0 * pi;
    patch->axis[0] = vec3_perpendicular(patch->axis[2]);
    if (edge.left >= 0) patch->axis[0] = hull->faces[edge.left].normal;
    patch->axis[1] = vec3_cross(patch->axis[2], patch->axis[0]);
    if (edge.left >= 0) {
        vec3 right = hull->faces[edge.right].normal;
        double angle = atan2(vec3_dot(right, patch->axis[1]), vec3_dot(right, patch->axis[0]));
        if (angle < -0.5 * pi) angle += 2.0 * pi; /* half a turn, missed by rounding */
        patch->high = angle;
    }
    for (int k = 1; k < 4; k++) patch_add_break(patch, 0.5 * pi * (double)k);
}

bool patch_in_cone(const struct patch *patch, vec3 n) {
    for (int32_t k = 0; k < patch->cone_count; k++)
        if (vec3_dot(patch->cone[k], n) > 1e-9) return false;
    return true;
}

double patch_latitude(const struct patch *patch, vec3 direction) {
    double up = vec3_dot(direction, patch->axis[2]) / vec3_norm(direction);
    return asin(fmin(fmax(up, -1.0), 1.0));
}

/* A place where the cone of normals may begin or end. */
static void try_direction(struct patch *patch, vec3 n) {
    if (!patch_in_cone(patch, n)) return;
    double place = patch_latitude(patch, n);
    patch->low = fmin(patch->low, place);
    patch->high = fmax(patch->high, place);
    patch->breaks[patch->break_count++] = place;
}

static void vertex_frame(const struct skin *skin, struct patch *patch) {
    const struct convex *hull = &skin->parts.part[patch->feature.part].hull;
    int32_t v = patch->feature.index;
    const vec3 skew = {0.52 * cos(skin->slant), 0.8 * sin(skin->slant), 0.73};
    patch->origin = hull->vertices[v];
    patch->axis[2] = vec3_scale(1.0 / vec3_norm(skew), skew);
    patch->axis[0] = vec3_perpendicular(patch->axis[2]);
    patch->axis[1] = vec3_cross(patch->axis[2], patch->axis[0]);
    for (int32_t e = 0; e < hull->edge_count; e++) {
        struct convex_edge edge = hull->edges[e];
        if (edge.tail != v && edge.head != v) continue;
        vec3 d = vec3_sub(hull->vertices[edge.tail == v ? edge.head : edge.tail], patch->origin);
        patch->cone[patch->cone_count++] = vec3_scale(1.0 / vec3_norm(d), d);
    }
    patch->low = 0.5 * pi;
    patch->high = -0.5 * pi;
    for (int sign = -1; sign <= 1; sign += 2) {
        try_direction(patch, vec3_scale((double)sign, patch->axis[2]));
        for (int32_t k = 0; k < patch->cone_count; k++) { /* where its great circle is highest */
            vec3 top = vec3_tangential(patch->axis[2], patch->cone[k]);
            try_direction(patch, vec3_scale((double)sign / vec3_norm(top), top));
        }
    }
    for (int32_t f = 0; f < hull->face_count; f++) {
        const struct convex_face *face = &hull->faces[f];
        for (int32_t k = 0; k < face->count; k++)
            if (hull->loops[face->first + k] == v) try_direction(patch, face->normal);
    }
}

void skin_set_patch(struct skin *skin, int32_t number) {
    struct patch *patch = &skin->patch;
    patch->number = number;
    patch->feature = skin->features[number];
    patch->rounding = skin->parts.part[patch->feature.part].hull.rounding;
    patch->swelling = skin->swelling[patch->feature.part];
    patch->break_count = patch->cone_count = 0;
    if (patch->feature.kind == FEATURE_FACE) face_frame(skin, patch);
    if (patch->feature.kind == FEATURE_EDGE) edge_frame(skin, patch);
    if (patch->feature.kind == FEATURE_VERTEX) vertex_frame(skin, patch);
}

/* ---- what is near ------------------------------------------------------------------------------- */

/* Sharp parts have no cylinders and spheres to cut others with; those of the swelling are too thin to
 * matter. */
static bool can_cut(const struct skin *skin, const struct feature *feature) {
    return feature->kind == FEATURE_FACE || !skin->sharp[feature->part];
}

/* Edges can be long: by the distance from the edge itself. */
bool patch_is_near(const struct patch *patch, const struct feature *other) {
    double reach = patch->feature.radius + other->radius + 1e-8;
    vec3 d = vec3_sub(patch->feature.centre, other->centre);
    if (vec3_norm2(d) > reach * reach) return false;
    if (other->kind != FEATURE_EDGE) return true;
    double half = 0.5 * other->length;
    double along = fmin(fmax(vec3_dot(d, other->axis), -half), half);
    reach -= half;
    return vec3_norm2(vec3_add_scaled(d, -along, other->axis)) <= reach * reach;
}

/* And a part, with its inside? */
static bool is_part_near(const struct skin *skin, const struct patch *patch, int32_t part) {
    const struct union_part *other = &skin->parts.part[part];
    double reach = patch->feature.radius + 1e-8;
    vec3 centre = patch->feature.centre;
    if (part == patch->feature.part) return false;
    if (vec3_norm(vec3_sub(centre, other->centre)) > other->radius + reach) return false;
    reach += other->hull.rounding;
    return union_core_gap(&other->hull, centre, reach, NULL) <= reach;
}

void skin_find_near(const struct skin *skin, struct patch *patch) {
    int32_t k = 0;
    patch->near_count = patch->group_count = 0;
    for (int32_t part = 0; part < skin->parts.count; part++) {
        bool meets = is_part_near(skin, patch, part);
        struct group group = {.part = part, .first = patch->near_count};
        for (; k < skin->feature_count && skin->features[k].part == part; k++) {
            const struct feature *feature = &skin->features[k];
            if (meets && can_cut(skin, feature) && patch_is_near(patch, feature))
                patch->near[patch->near_count++] = *feature;
        }
        group.count = patch->near_count - group.first;
        if (meets) patch->groups[patch->group_count++] = group;
    }
}

bool skin_is_swallowed(const struct skin *skin, const struct patch *patch) {
    const struct convex *own = &skin->parts.part[patch->feature.part].hull;
    int32_t index = patch->feature.index;
    for (int32_t k = 0; k < patch->group_count; k++) {
        const struct convex *hull = &skin->parts.part[patch->groups[k].part].hull;
        double most = hull->rounding - patch->rounding - 1e-12;
        vec3 ends[2] = {patch->origin, patch->origin};
        bool inside = true;
        if (patch->feature.kind == FEATURE_EDGE) ends[1] = own->vertices[own->edges[index].head];
        for (int i = 0; i < 2 && patch->feature.kind != FEATURE_FACE; i++)
            inside = inside && union_core_gap(hull, ends[i], fmax(most, 0.0), NULL) <= most;
        for (int32_t i = 0; patch->feature.kind == FEATURE_FACE && i < own->faces[index].count;
             i++) {
            vec3 corner = own->vertices[own->loops[own->faces[index].first + i]];
            vec3 x = vec3_add_scaled(corner, patch->rounding, patch->axis[2]);
            inside = inside && union_core_gap(hull, x, hull->rounding, NULL) < hull->rounding;
        }
        if (inside) return true;
    }
    return false;
}
