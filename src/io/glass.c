/* SPDX-License-Identifier: Apache-2.0 */
#include "io/glass.h"

static const struct color tint = {0.42, 0.50, 0.60}; /* linear */
static const double plane_opacity = 0.10, plate_opacity = 0.22;
static const double tube_opacity = 0.05, shaft_opacity = 0.35;

struct hit {
    double depth, opacity;
    double light; /* brightness of the tint */
};

enum { HITS = 2 * GLASS_PANES + 128 /* layers of meshes; further ones are left out */ };

static vec3 turned(const struct camera *camera, vec3 a) {
    return vec3_make(vec3_dot(a, camera->right), vec3_dot(a, camera->up),
                     vec3_dot(a, camera->forward));
}

static bool add_polygon(struct pane *pane, const struct picture_wall *wall,
                        const struct camera *camera) {
    if (wall->corner_count < 3) return false;
    vec3 first = camera_place(camera, wall->corners[0]);
    if (wall->shape == TALUS_PLANE && vec3_dot(first, pane->normal) >= 0.0) return false;
    pane->opacity = wall->shape == TALUS_PLANE ? plane_opacity : plate_opacity;
    pane->point = first;
    pane->side_count = wall->corner_count;
    vec3 middle = vec3_zero();
    for (int k = 0; k < wall->corner_count; k++)
        middle = vec3_add(middle, camera_place(camera, wall->corners[k]));
    for (int k = 0; k < wall->corner_count; k++) {
        vec3 a = camera_place(camera, wall->corners[k]);
        vec3 b = camera_place(camera, wall->corners[(k + 1) % wall->corner_count]);
        vec3 side = vec3_cross(a, b);
        pane->sides[k] = vec3_scale(vec3_dot(side, middle) < 0.0 ? -1.0 : 1.0, side);
    }
    return true;
}

static void add_cylinder(struct pane *pane, const struct picture_wall *wall,
                         const struct camera *camera) {
    pane->round = true;
    pane->opacity = wall->shape == TALUS_CYLINDER_INSIDE ? tube_opacity : shaft_opacity;
    pane->point = camera_place(camera, wall->point);
    pane->radius = wall->radius;
    pane->half_length = 0.5 * wall->length;
}

void glass_make(struct glass *glass, const struct picture *picture, const struct camera *camera) {
    glass->count = 0;
    for (size_t w = 0; w < picture->wall_count && glass->count < GLASS_PANES; w++) {
        const struct picture_wall *wall = &picture->walls[w];
        if (picture_is_floor(wall) || wall->shape == TALUS_MESH) continue;
        struct pane *pane = &glass->panes[glass->count];
        *pane = (struct pane){.normal = turned(camera, wall->normal)};
        if (wall->shape == TALUS_PLANE || wall->shape == TALUS_RECTANGLE) {
            if (!add_polygon(pane, wall, camera)) continue;
        } else {
            add_cylinder(pane, wall, camera);
        }
        glass->count++;
    }
}

static int hit_polygon(const struct pane *pane, vec3 ray, struct hit *hits) {
    for (int k = 0; k < pane->side_count; k++)
        if (vec3_dot(pane->sides[k], ray) < 0.0) return 0;
    double slope = vec3_dot(pane->normal, ray);
    if (slope == 0.0) return 0;
    hits[0] = (struct hit){vec3_dot(pane->normal, pane->point) / slope, pane->opacity, 1.0};
    return hits[0].depth > 0.0 ? 1 : 0;
}

/* Glass seen at a slant is thicker: the tube shows best at its outline. */
static int hit_cylinder(const struct pane *pane, vec3 ray, struct hit *hits) {
    double ra = vec3_dot(ray, pane->normal), pa = vec3_dot(pane->point, pane->normal);
    vec3 r = vec3_add_scaled(ray, -ra, pane->normal);
    vec3 p = vec3_add_scaled(pane->point, -pa, pane->normal);
    double a = vec3_norm2(r), b = vec3_dot(r, p);
    double discriminant = b * b - a * (vec3_norm2(p) - pane->radius * pane->radius);
    if (discriminant <= 0.0 || a == 0.0) return 0;
    double root = sqrt(discriminant);
    double slant = root / (sqrt(a) * pane->radius); /* |cos| between ray and surface normal */
    double edge = 1.0 - slant;
    double opacity = fmin(1.0, pane->opacity + 0.35 * edge * edge * edge);
    int n = 0;
    for (int side = -1; side <= 1; side += 2) {
        double t = (b + (double)side * root) / a;
        if (t > 0.0 && fabs(t * ra - pa) <= pane->half_length)
            hits[n++] = (struct hit){t, opacity, 1.0};
    }
    return n;
}

static int hit_pane(const struct pane *pane, vec3 ray, struct hit *hits) {
    return pane->round ? hit_cylinder(pane, ray, hits) : hit_polygon(pane, ray, hits);
}

uint64_t glass_before(const struct glass *glass, vec3 ray, double depth) {
    uint64_t mask = 0;
    for (int k = 0; k < glass->count; k++) {
        struct hit hits[2];
        int n = hit_pane(&glass->panes[k], ray, hits);
        for (int i = 0; i < n; i++)
            if (hits[i].depth < depth) mask |= (uint64_t)1 << k;
    }
    return mask;
}

static int hit_layers(const struct glass_mesh *mesh, int32_t layer, struct hit *hits, int room) {
    int n = 0;
    for (; layer != GLASS_NO_LAYER && n < room; layer = mesh->layers[layer].next) {
        const struct glass_triangle *triangle = &mesh->triangles[mesh->layers[layer].triangle];
        hits[n++] =
            (struct hit){(double)mesh->layers[layer].depth, triangle->opacity, triangle->light};
    }
    return n;
}

struct color glass_over(const struct glass *glass, const struct glass_sight *sight,
                        struct color behind) {
    struct hit hits[HITS];
    int n = 0;
    for (int k = 0; k < glass->count; k++) n += hit_pane(&glass->panes[k], sight->ray, hits + n);
    n += hit_layers(&glass->mesh, sight->layer, hits + n, HITS - n);
    for (;;) { /* a handful: take the farthest that is left */
        int far = -1;
        for (int i = 0; i < n; i++)
            if (hits[i].depth < sight->depth && (far < 0 || hits[i].depth > hits[far].depth))
                far = i;
        if (far < 0) return behind;
        double light = hits[far].light;
        struct color color = {light * tint.r, light * tint.g, light * tint.b};
        behind = color_mix(behind, color, hits[far].opacity);
        hits[far].depth = HUGE_VAL;
    }
}
