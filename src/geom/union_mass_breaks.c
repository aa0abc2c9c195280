/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the curves of a patch may change their form. What can be known beforehand: where spheres and
 * planes touch the curves of a patch, where they cross on a sphere, where an edge comes through. Places
 * that other parts cover do not count. Cylinders are left to the integration, which finds changes by
 * itself unless they are between two of its points; such a thing is seen from one of the other patches on
 * which it borders, and told to all.
 */
#include "geom/union_mass_skin.h"

static const double pi = 3.14159265358979323846;

void skin_note_corner(struct skin *skin, vec3 x) {
    struct corner *moved = memory_reserve(&skin->heap, skin->corners, &skin->corners_most,
                                          skin->corner_count + 1, sizeof *moved);
    if (moved == NULL) return; /* it is only help for another pass */
    skin->corners = moved;
    skin->corners[skin->corner_count++] = (struct corner){x, skin->patch.number};
}

/* Is a point of the patch outside all parts but `except`? On their surfaces counts as outside. */
static bool is_exposed(const struct skin *skin, const struct patch *patch, vec3 x, int32_t except) {
    const double skin_depth = 1e-9;
    for (int32_t k = 0; k < patch->group_count; k++) {
        const struct union_part *part = &skin->parts.part[patch->groups[k].part];
        double r = part->hull.rounding;
        if (patch->groups[k].part == except) continue;
        if (vec3_norm2(vec3_sub(x, part->centre)) > part->radius * part->radius) continue;
        if (union_core_gap(&part->hull, x, r, NULL) < r - skin_depth) return false;
    }
    return true;
}

/* A place to begin a new interval, if the point for which it matters is on the surface of the union. The
 * point may lie within part `except`. */
static void break_at(struct skin *skin, struct patch *patch, double place, vec3 x, int32_t except) {
    if (!(place > patch->low && place < patch->high) || !is_exposed(skin, patch, x, except)) return;
    patch_add_break(patch, place);
    if (except < 0) skin_note_corner(skin, x);
}

static void break_at_angle(struct skin *skin, struct patch *patch, double angle, double height,
                           int32_t except) {
    vec3 x = vec3_add_scaled(patch->origin, patch->rounding * cos(angle), patch->axis[0]);
    x = vec3_add_scaled(x, patch->rounding * sin(angle), patch->axis[1]);
    x = vec3_add_scaled(x, height, patch->axis[2]);
    break_at(skin, patch, angle - 2.0 * pi * floor(angle / (2.0 * pi)), x, except);
}

static void break_at_normal(struct skin *skin, struct patch *patch, vec3 n, int32_t except) {
    vec3 x = vec3_add_scaled(patch->origin, patch->rounding, n);
    if (patch_in_cone(patch, n)) break_at(skin, patch, patch_latitude(patch, n), x, except);
}

/* The circle of unit vectors n with n . w = cosine, on the sphere of a vertex: its highest and lowest
 * point. */
static void add_circle(struct skin *skin, struct patch *patch, vec3 w, double cosine) {
    double length = vec3_norm(w);
    if (!(fabs(cosine) < 1.0) || !(length > 0.0)) return;
    w = vec3_scale(1.0 / length, w);
    patch->circles[patch->circle_count++] = (struct circle){w, cosine};
    vec3 up = vec3_tangential(patch->axis[2], w);
    double sine = sqrt(1.0 - cosine * cosine) / vec3_norm(up);
    for (int sign = -1; sign <= 1; sign += 2)
        break_at_normal(skin, patch,
                        vec3_add_scaled(vec3_scale(cosine, w), (double)sign * sine, up), -1);
}

/* Where two such circles cross. */
static void break_at_crossings(struct skin *skin, struct patch *patch) {
    for (int32_t i = 1; i < patch->circle_count; i++)
        for (int32_t j = 0; j < i; j++) {
            struct circle p = patch->circles[i], q = patch->circles[j];
            double d = vec3_dot(p.w, q.w), square = 1.0 - d * d;
            if (square < 1e-12) continue;
            double a = (p.cosine - q.cosine * d) / square, b = (q.cosine - p.cosine * d) / square;
            double rest = (1.0 - a * p.cosine - b * q.cosine) / square;
            if (!(rest > 0.0)) continue;
            vec3 middle = vec3_add_scaled(vec3_scale(a, p.w), b, q.w), off = vec3_cross(p.w, q.w);
            break_at_normal(skin, patch, vec3_add_scaled(middle, sqrt(rest), off), -1);
            break_at_normal(skin, patch, vec3_add_scaled(middle, -sqrt(rest), off), -1);
        }
}

static void break_at_ball(struct skin *skin, struct patch *patch, int32_t part, vec3 centre) {
    vec3 d = vec3_sub(centre, patch->origin);
    double distance = vec3_norm(d), r = patch->rounding;
    double radius = skin->parts.part[part].hull.rounding;
    if (patch->feature.kind == FEATURE_VERTEX) {
        double square = (distance - radius) * (distance + radius) + r * r;
        add_circle(skin, patch, d, square / (2.0 * distance * r));
    } else if (patch->feature.kind == FEATURE_FACE) {
        double height = vec3_dot(d, patch->axis[2]), place = vec3_dot(d, patch->axis[1]);
        vec3 foot = vec3_add_scaled(centre, -height, patch->axis[2]);
        if (!(fabs(height) < radius)) return;
        double half = sqrt((radius - height) * (radius + height));
        break_at(skin, patch, place, foot, part);
        for (int sign = -1; sign <= 1; sign += 2)
            break_at(skin, patch, place + (double)sign * half,
                     vec3_add_scaled(foot, (double)sign * half, patch->axis[1]), -1);
    } else {
        double angle = atan2(vec3_dot(d, patch->axis[1]), vec3_dot(d, patch->axis[0]));
        break_at_angle(skin, patch, angle, vec3_dot(d, patch->axis[2]), part);
    }
}

/* Where the middle line of an edge passes through the patch: something thin may be there. */
static void break_at_edge(struct skin *skin, struct patch *patch, int32_t part, vec3 tail,
                          vec3 head) {
    enum feature_kind kind = patch->feature.kind;
    vec3 from = vec3_sub(tail, patch->origin), along = vec3_sub(head, tail), d = from, u = along;
    double roots[2] = {-1.0, -1.0}, r = patch->rounding;
    if (kind == FEATURE_FACE) {
        roots[0] = -vec3_dot(d, patch->axis[2]) / vec3_dot(u, patch->axis[2]);
    } else {
        if (kind == FEATURE_EDGE) {
            d = vec3_tangential(d, patch->axis[2]);
            u = vec3_tangential(u, patch->axis[2]);
        }
        double a = vec3_norm2(u), b = vec3_dot(u, d), square = b * b - a * (vec3_norm2(d) - r * r);
        if (!(square > 0.0) || !(a > 0.0)) return;
        roots[0] = (-b - sqrt(square)) / a;
        roots[1] = (-b + sqrt(square)) / a;
    }
    for (int k = 0; k < 2; k++) {
        if (!(roots[k] > 0.0 && roots[k] < 1.0)) continue;
        vec3 x = vec3_add_scaled(from, roots[k], along);
        double y = vec3_dot(x, patch->axis[1]);
        if (kind == FEATURE_VERTEX)
            break_at_normal(skin, patch, vec3_scale(1.0 / vec3_norm(x), x), part);
        else if (kind == FEATURE_FACE)
            break_at(skin, patch, y, vec3_add(x, patch->origin), part);
        else
            break_at_angle(skin, patch, atan2(y, vec3_dot(x, patch->axis[0])),
                           vec3_dot(x, patch->axis[2]), part);
    }
}

/* The surface of a face: a circle on a sphere, two places at each end of an edge. */
static void break_at_face(struct skin *skin, struct patch *patch, vec3 normal, double offset) {
    double height = offset - vec3_dot(normal, patch->origin), r = patch->rounding;
    if (patch->feature.kind == FEATURE_VERTEX) add_circle(skin, patch, normal, height / r);
    if (patch->feature.kind != FEATURE_EDGE) return;
    double x = vec3_dot(normal, patch->axis[0]), y = vec3_dot(normal, patch->axis[1]);
    double most = r * hypot(x, y), rise = patch->length * vec3_dot(normal, patch->axis[2]);
    for (int end = 0; end < 2; end++) {
        double up = (double)end * patch->length, left = height - (double)end * rise;
        if (!(fabs(left) < most)) continue;
        double middle = atan2(y, x), half = acos(left / most);
        break_at_angle(skin, patch, middle - half, up, -1);
        break_at_angle(skin, patch, middle + half, up, -1);
    }
}

static void break_at_feature(struct skin *skin, struct patch *patch,
                             const struct feature *feature) {
    const struct convex *hull = &skin->parts.part[feature->part].hull;
    if (feature->kind == FEATURE_VERTEX) {
        break_at_ball(skin, patch, feature->part, hull->vertices[feature->index]);
    } else if (feature->kind == FEATURE_EDGE) {
        struct convex_edge edge = hull->edges[feature->index];
        break_at_edge(skin, patch, feature->part, hull->vertices[edge.tail],
                      hull->vertices[edge.head]);
    } else {
        const struct convex_face *face = &hull->faces[feature->index];
        break_at_face(skin, patch, face->normal, face->offset + hull->rounding);
    }
}

void skin_find_breaks(struct skin *skin, struct patch *patch) {
    patch->circle_count = 0;
    for (int32_t k = 0; k < skin->feature_count; k++) {
        const struct feature *feature = &skin->features[k];
        if (feature->part != patch->feature.part && patch_is_near(patch, feature))
            break_at_feature(skin, patch, feature);
    }
    for (int32_t k = 0; k < patch->cone_count && patch->near_count > 0; k++)
        patch->circles[patch->circle_count++] = (struct circle){patch->cone[k], 0.0};
    break_at_crossings(skin, patch);
}

/* ---- what others have found ---------------------------------------------------------------------- */

/* Is a corner found elsewhere on this patch, and at which place? */
static bool on_patch(const struct patch *patch, vec3 x, double *place) {
    const double off = 1e-6;
    vec3 d = vec3_sub(x, patch->origin);
    double up = vec3_dot(d, patch->axis[2]), reach = patch->feature.radius + off;
    if (vec3_norm2(vec3_sub(x, patch->feature.centre)) > reach * reach) return false;
    if (patch->feature.kind == FEATURE_FACE) {
        *place = vec3_dot(d, patch->axis[1]);
        return fabs(up) < off;
    }
    if (patch->feature.kind == FEATURE_VERTEX) {
        *place = patch_latitude(patch, d);
        return fabs(vec3_norm(d) - patch->rounding) < off &&
               patch_in_cone(patch, vec3_scale(1.0 / vec3_norm(d), d));
    }
    double u = vec3_dot(d, patch->axis[0]), v = vec3_dot(d, patch->axis[1]), angle = atan2(v, u);
    *place = angle < 0.0 ? angle + 2.0 * pi : angle;
    return fabs(hypot(u, v) - patch->rounding) < off && up > -off && up < patch->length + off;
}

/* Has the integration seen the form that the curve at this place has, in the interval around it? */
static bool has_seen(struct skin *skin, double place) {
    uint64_t form = skin_along(skin, place, NULL);
    struct range range = skin->seen[skin->patch.number];
    for (size_t k = range.first; k < range.first + range.count; k++) {
        const struct form_seen *seen = &skin->forms[k];
        if (seen->form == form && seen->from <= place && place <= seen->to) return true;
    }
    return false;
}

int32_t skin_break_at_corners(struct skin *skin, struct patch *patch) {
    const double beside = 1e-6;
    int32_t count = 0;
    double place;
    for (size_t k = 0; k < skin->corners_known; k++) {
        struct corner corner = skin->corners[k];
        if (corner.owner == patch->number || !on_patch(patch, corner.x, &place)) continue;
        if (!(place > patch->low + beside && place < patch->high - beside)) continue;
        if (has_seen(skin, place - beside) && has_seen(skin, place + beside)) continue;
        patch_add_break(patch, place);
        count++;
    }
    return count;
}
