/* SPDX-License-Identifier: Apache-2.0
 *
 * Meshes among the walls: a prism around them for the camera, and the lines worth drawing: sides that belong to one triangle only (rims) and those where the surface folds. Points
 * at the same place count as one, whether the mesh says so or not.
 */
#include <stdlib.h>

#include "base/error.h"
#include "io/picture.h"

static const double fold = 0.866; /* cos 30 deg: folds that are blunter are not drawn */

/* An upright prism with as many sides as there is room for: its sides touch the mesh, neighbouring ones
 * meet at the corners. */
static void outline_mesh(struct picture_wall *wall) {
    enum { SIDES = PICTURE_CORNERS / 2 };
    const double step = 6.283185307179586 / SIDES;
    double far[SIDES], c[SIDES], s[SIDES], low = HUGE_VAL, high = -HUGE_VAL;
    for (int k = 0; k < SIDES; k++) {
        far[k] = -HUGE_VAL;
        c[k] = cos((double)k * step);
        s[k] = sin((double)k * step);
    }
    for (size_t v = 0; v < wall->point_count; v++) {
        vec3 p = wall->points[v];
        low = fmin(low, p.z);
        high = fmax(high, p.z);
        for (int k = 0; k < SIDES; k++) far[k] = fmax(far[k], p.x * c[k] + p.y * s[k]);
    }
    wall->corner_count = 2 * SIDES;
    for (int k = 0; k < SIDES; k++) {
        double along = (far[(k + 1) % SIDES] - far[k] * c[1]) / s[1];
        double x = far[k] * c[k] - along * s[k], y = far[k] * s[k] + along * c[k];
        wall->corners[k] = vec3_make(x, y, low);
        wall->corners[SIDES + k] = vec3_make(x, y, high);
    }
}

/* ---- creases --------------------------------------------------------------------------------- */

struct spot {
    vec3 place;
    int32_t number;
};

struct side {
    int32_t low, high; /* points */
    int32_t third;     /* the point of the triangle that is not on it */
};

/* Room to find the creases of one mesh. */
struct search {
    struct spot *spots;
    int32_t *same; /* of all points at one place the first */
    struct side *sides;
    size_t point_count, side_count;
};

static int by_place(const void *a, const void *b) {
    const struct spot *p = a, *q = b;
    if (p->place.x != q->place.x) return p->place.x < q->place.x ? -1 : 1;
    if (p->place.y != q->place.y) return p->place.y < q->place.y ? -1 : 1;
    if (p->place.z != q->place.z) return p->place.z < q->place.z ? -1 : 1;
    return (p->number > q->number) - (p->number < q->number);
}

static int by_points(const void *a, const void *b) {
    const struct side *s = a, *t = b;
    if (s->low != t->low) return s->low < t->low ? -1 : 1;
    if (s->high != t->high) return s->high < t->high ? -1 : 1;
    return (s->third > t->third) - (s->third < t->third);
}

static void find_same(struct search *search, const struct picture_wall *wall) {
    size_t count = search->point_count;
    for (size_t v = 0; v < count; v++)
        search->spots[v] = (struct spot){wall->points[v], (int32_t)v};
    qsort(search->spots, count, sizeof *search->spots, by_place);
    for (size_t k = 0; k < count; k++) {
        const struct spot *here = &search->spots[k], *before = k > 0 ? here - 1 : NULL;
        bool repeats = before != NULL && here->place.x == before->place.x &&
                       here->place.y == before->place.y && here->place.z == before->place.z;
        search->same[here->number] = repeats ? search->same[before->number] : here->number;
    }
}

static void list_sides(struct search *search, const struct picture_wall *wall) {
    for (size_t t = 0; t < wall->triangle_count; t++)
        for (size_t k = 0; k < 3; k++) {
            int32_t a = search->same[wall->triangles[t][k]];
            int32_t b = search->same[wall->triangles[t][(k + 1) % 3]];
            int32_t third = search->same[wall->triangles[t][(k + 2) % 3]];
            search->sides[3 * t + k] = (struct side){a < b ? a : b, a < b ? b : a, third};
        }
    qsort(search->sides, search->side_count, sizeof *search->sides, by_points);
}

/* From the line of a side towards the third point of its triangle. */
static vec3 away_from(const struct picture_wall *wall, const struct side *side) {
    vec3 a = wall->points[side->low], axis = vec3_sub(wall->points[side->high], a);
    vec3 arm = vec3_sub(wall->points[side->third], a);
    arm = vec3_add_scaled(arm, -vec3_dot(arm, axis) / vec3_norm2(axis), axis);
    return vec3_scale(1.0 / vec3_norm(arm), arm);
}

/* On a flat surface the two triangles lie on opposite sides of what they share. */
static bool is_crease(const struct picture_wall *wall, const struct side *sides, size_t count) {
    if (count != 2) return true;
    return vec3_dot(away_from(wall, &sides[0]), away_from(wall, &sides[1])) > -fold;
}

static talus_status add_creases(struct picture *picture, const struct picture_wall *wall,
                                const struct search *search, talus_error *err) {
    size_t next;
    for (size_t k = 0; k < search->side_count; k = next) {
        const struct side *side = &search->sides[k];
        for (next = k + 1; next < search->side_count; next++)
            if (search->sides[next].low != side->low || search->sides[next].high != side->high)
                break;
        if (!is_crease(wall, side, next - k)) continue;
        struct picture_crease *grown =
            memory_reserve(picture->memory, picture->creases, &picture->crease_capacity,
                           picture->crease_count + 1, sizeof *grown);
        if (grown == NULL) return error_memory(err);
        picture->creases = grown;
        picture->creases[picture->crease_count++] =
            (struct picture_crease){wall->points[side->low], wall->points[side->high]};
    }
    return TALUS_OK;
}

static talus_status find_creases(struct picture *picture, const struct picture_wall *wall,
                                 talus_error *err) {
    struct memory *memory = picture->memory;
    struct search search = {.point_count = wall->point_count,
                            .side_count = 3 * wall->triangle_count};
    size_t points = search.point_count, sides = search.side_count;
    search.spots = memory_resize(memory, NULL, 0, points, sizeof *search.spots);
    search.same = memory_resize(memory, NULL, 0, points, sizeof *search.same);
    search.sides = memory_resize(memory, NULL, 0, sides, sizeof *search.sides);
    talus_status status = TALUS_OK;
    if (search.spots == NULL || search.same == NULL || search.sides == NULL) {
        status = error_memory(err);
    } else {
        find_same(&search, wall);
        list_sides(&search, wall);
        status = add_creases(picture, wall, &search, err);
    }
    memory_free(memory, search.spots, points, sizeof *search.spots);
    memory_free(memory, search.same, points, sizeof *search.same);
    memory_free(memory, search.sides, sides, sizeof *search.sides);
    return status;
}

talus_status picture_meshes(struct picture *picture, talus_error *err) {
    for (size_t w = 0; w < picture->wall_count; w++) {
        struct picture_wall *wall = &picture->walls[w];
        if (wall->shape != TALUS_MESH) continue;
        outline_mesh(wall);
        TALUS_TRY(find_creases(picture, wall, err));
    }
    return TALUS_OK;
}
