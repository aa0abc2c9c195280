/* SPDX-License-Identifier: Apache-2.0
 *
 * Convex parts of shapes: from the keys that describe one to the points of its hull.
 */
#include "geom/forms.h"
#include "scene/read_shapes.h"

/* ---- the kinds ------------------------------------------------------------------------------- */

bool outline_room(struct reader *reader, struct outline *outline, size_t count) {
    outline->points = read_array(reader, count, sizeof *outline->points);
    outline->count = outline->points != NULL ? count : 0;
    return outline->points != NULL;
}

void outline_scale(struct outline *outline, double scale) {
    for (size_t i = 0; i < outline->count; i++) {
        outline->points[i] = vec3_scale(scale, outline->points[i]);
    }
}

static bool read_ball(struct reader *reader, struct node *map, struct outline *outline) {
    outline->rounding = get_number(map, "radius", 0.0);
    return outline_room(reader, outline, 1);
}

static bool read_capsule(struct reader *reader, struct node *map, struct outline *outline) {
    double half = 0.5 * get_number(map, "length", 0.0);
    outline->rounding = get_number(map, "radius", 0.0);
    if (!outline_room(reader, outline, 2)) return false;
    outline->points[0] = vec3_make(-half, 0.0, 0.0);
    outline->points[1] = vec3_make(half, 0.0, 0.0);
    return true;
}

static bool read_box(struct reader *reader, struct node *list, struct outline *outline) {
    double sides[3] = {0.0, 0.0, 0.0};
    if (list->count != (size_t)reader->dimension) {
        problem_at(reader->problems, list->place,
                   "box has %zu side lengths, but in %d dimensions %d are wanted", list->count,
                   reader->dimension, reader->dimension);
        return false;
    }
    size_t axis = 0;
    for (const struct node *side = list->first; side != NULL; side = side->next) {
        sides[axis++] = side->number;
    }
    if (!outline_room(reader, outline, reader->dimension == 3 ? 8 : 4)) return false;
    if (reader->dimension == 3)
        form_box(outline->points, vec3_make(sides[0], sides[1], sides[2]));
    else
        form_rectangle(outline->points, sides[0], sides[1]);
    return true;
}

static bool read_polygon(struct reader *reader, struct node *map, struct outline *outline) {
    int sides = (int)get_integer(map, "sides", 3);
    if (!outline_room(reader, outline, (size_t)sides)) return false;
    form_polygon(outline->points, sides);
    outline_scale(outline, get_number(map, "radius", 0.0));
    return true;
}

static bool read_prism(struct reader *reader, struct node *map, struct outline *outline) {
    int sides = (int)get_integer(map, "sides", 3);
    double radius = get_number(map, "radius", 0.0);
    if (!outline_room(reader, outline, 2 * (size_t)sides)) return false;
    form_prism(outline->points, sides, get_number(map, "height", 0.0) / radius);
    outline_scale(outline, radius);
    return true;
}

static bool read_pyramid(struct reader *reader, struct node *map, struct outline *outline) {
    int sides = (int)get_integer(map, "sides", 3);
    double radius = get_number(map, "radius", 0.0);
    if (!outline_room(reader, outline, 1 + (size_t)sides)) return false;
    form_pyramid(outline->points, sides, get_number(map, "height", 0.0) / radius);
    outline_scale(outline, radius);
    return true;
}

/* The forms have their corners on the unit sphere; here the edge is given. */
static void scale_to_edge(struct outline *outline, const struct node *map) {
    double shortest = HUGE_VAL;
    for (size_t i = 1; i < outline->count; i++) {
        shortest = fmin(shortest, vec3_norm(vec3_sub(outline->points[i], outline->points[0])));
    }
    outline_scale(outline, get_number(map, "edge", 0.0) / shortest);
}

static bool read_tetrahedron(struct reader *reader, struct node *map, struct outline *outline) {
    if (!outline_room(reader, outline, 4)) return false;
    form_tetrahedron(outline->points);
    scale_to_edge(outline, map);
    return true;
}

static bool read_octahedron(struct reader *reader, struct node *map, struct outline *outline) {
    if (!outline_room(reader, outline, 6)) return false;
    form_octahedron(outline->points);
    scale_to_edge(outline, map);
    return true;
}

static bool read_icosahedron(struct reader *reader, struct node *map, struct outline *outline) {
    if (!outline_room(reader, outline, 12)) return false;
    form_icosahedron(outline->points);
    scale_to_edge(outline, map);
    return true;
}

static bool read_dodecahedron(struct reader *reader, struct node *map, struct outline *outline) {
    if (!outline_room(reader, outline, 20)) return false;
    form_dodecahedron(outline->points);
    scale_to_edge(outline, map);
    return true;
}

static bool read_facets(struct reader *reader, struct node *map, struct outline *outline) {
    if (!outline_room(reader, outline, (size_t)get_integer(map, "points", 4))) return false;
    form_sphere(outline->points, outline->count);
    outline_scale(outline, get_number(map, "radius", 0.0));
    return true;
}

static bool check_voussoir(struct reader *reader, const struct node *map,
                           const struct form_voussoir *stone) {
    const double pi = 3.14159265358979323846;
    double span = stone->to - stone->from;
    bool good = false;
    if (stone->outer <= stone->inner)
        problem_at(reader->problems, map->place,
                   "voussoir: outer is %g, but must be above inner, %g", stone->outer,
                   stone->inner);
    else if (!(span > 0.0 && span < pi))
        problem_at(reader->problems, map->place,
                   "voussoir: from %g to %g rad; to must be above from by less than half a turn",
                   stone->from, stone->to);
    else if (reader->dimension == 3 && !get_has(map, "depth"))
        problem_at(reader->problems, map->place, "'depth' is missing in voussoir: in 3 dimensions");
    else if (reader->dimension == 2 && get_has(map, "depth"))
        problem_at(reader->problems, get(map, "depth")->key_place,
                   "voussoir: in 2 dimensions it has no depth");
    else
        good = true;
    return good;
}

static bool read_voussoir(struct reader *reader, struct node *map, struct outline *outline) {
    struct form_voussoir stone = {.inner = get_number(map, "inner", 0.0),
                                  .outer = get_number(map, "outer", 0.0),
                                  .from = get_number(map, "from", 0.0),
                                  .to = get_number(map, "to", 0.0)};
    if (!check_voussoir(reader, map, &stone)) return false;
    if (!outline_room(reader, outline, reader->dimension == 3 ? 8 : 4)) return false;
    size_t count = form_voussoir(outline->points, &stone);
    if (reader->dimension == 3) {
        form_extrude(outline->points, outline->points, count, get_number(map, "depth", 0.0));
    }
    return true;
}

static bool read_points(struct reader *reader, struct node *list, struct outline *outline) {
    if (!outline_room(reader, outline, list->count)) return false;
    size_t i = 0;
    for (const struct node *point = list->first; point != NULL; point = point->next, i++) {
        const struct node *x = point->first, *y = x->next, *z = y->next;
        outline->points[i] = vec3_make(x->number, y->number, z->number);
        if (reader->dimension == 3 || z->number == 0.0) continue;
        problem_at(reader->problems, point->place,
                   "points: in 2 dimensions a shape lies in z = 0, but here z is %g", z->number);
        return false;
    }
    return true;
}

/* ---- rounding -------------------------------------------------------------------------------- */

/* Of a form that could not be made. */
static bool say_failed(struct reader *reader, enum convex_status status, const struct node *where) {
    if (status == CONVEX_NO_MEMORY)
        problem_memory(reader->problems);
    else if (status == CONVEX_NO_EXTENT)
        problem_at(reader->problems, where->place,
                   "a rounding of %g is too much: faces moved in by it leave nothing of the shape",
                   where->number);
    else
        problem_at(reader->problems, where->place, "the hull of this shape could not be found");
    return false;
}

static bool copy_form(struct reader *reader, const struct form *form, struct outline *outline) {
    if (!outline_room(reader, outline, form->count)) return false;
    for (size_t i = 0; i < form->count; i++) outline->points[i] = form->points[i];
    return true;
}

/* Faces move in and are swept out again: the outer size stays. */
static bool round_off(struct reader *reader, const struct node *map, struct outline *outline) {
    const struct node *rounding = get(map, "rounding");
    if (rounding == NULL || rounding->number == 0.0) return rounding != NULL;
    struct form shrunk;
    enum convex_status status =
        form_shrink(&shrunk, reader->dimension, outline->points, outline->count, rounding->number);
    if (status != CONVEX_OK) return say_failed(reader, status, rounding);
    bool copied = copy_form(reader, &shrunk, outline);
    form_free(&shrunk);
    outline->rounding = rounding->number;
    return copied;
}

/* ---- one part -------------------------------------------------------------------------------- */

static const struct part_kind {
    const char *key;
    int dimension; /* the only one it is for; 0 = both */
    bool round;    /* it has no edges to be rounded */
    bool (*read)(struct reader *reader, struct node *node, struct outline *outline);
} part_kinds[] = {
    {"ball", 0, true, read_ball},
    {"capsule", 0, true, read_capsule},
    {"box", 0, false, read_box},
    {"polygon", 2, false, read_polygon},
    {"prism", 3, false, read_prism},
    {"pyramid", 3, false, read_pyramid},
    {"tetrahedron", 3, false, read_tetrahedron},
    {"octahedron", 3, false, read_octahedron},
    {"dodecahedron", 3, false, read_dodecahedron},
    {"icosahedron", 3, false, read_icosahedron},
    {"facets", 3, false, read_facets},
    {"voussoir", 0, false, read_voussoir},
    {"points", 0, false, read_points},
    {"file", 3, false, read_mesh},
};

static const struct part_kind *find_kind(const struct node *map, struct node **node) {
    for (size_t k = 0; k < sizeof part_kinds / sizeof part_kinds[0]; k++) {
        *node = get(map, part_kinds[k].key);
        if (*node != NULL) return &part_kinds[k];
    }
    return NULL;
}

static bool fits(struct reader *reader, const struct part_kind *kind, const struct node *map,
                 const struct node *node) {
    const struct node *rounding = get(map, "rounding");
    if (kind->dimension != 0 && kind->dimension != reader->dimension) {
        problem_at(reader->problems, node->key_place, "a %s is for %d dimensions; here are %d",
                   kind->key, kind->dimension, reader->dimension);
        return false;
    }
    if (kind->round && rounding != NULL && rounding->number > 0.0) {
        problem_at(reader->problems, rounding->key_place,
                   "a %s is round already: it takes no rounding", kind->key);
        return false;
    }
    return true;
}

static bool read_outline(struct reader *reader, const struct node *map, struct outline *outline) {
    struct node *node;
    if (map->bad) return false;
    const struct part_kind *kind = find_kind(map, &node);
    if (kind == NULL || !fits(reader, kind, map, node)) return false;
    if (!kind->read(reader, node, outline)) return false;
    return kind->round || round_off(reader, map, outline);
}

bool read_part(struct shapes_reader *shapes, const struct node *map, talus_shape_part *part) {
    struct outline outline = {.count = 0};
    if (!read_outline(shapes->reader, map, &outline)) return false;
    *part = (talus_shape_part){outline.points, outline.count, outline.rounding, 1.0};
    return true;
}

bool read_placed_part(struct shapes_reader *shapes, const struct node *map,
                      talus_shape_part *part) {
    static const struct scene_turn none = {.given = {1.0, 0.0, 0.0, 0.0}};
    struct outline outline = {.count = 0};
    if (!read_outline(shapes->reader, map, &outline)) return false;
    vec3 at = read_world_vector(shapes->reader, map, "at");
    quat turn = read_turn(shapes->reader, map, "turn", none).given;
    for (size_t i = 0; i < outline.count; i++) {
        outline.points[i] = vec3_add(at, quat_rotate(turn, outline.points[i]));
    }
    *part = (talus_shape_part){outline.points, outline.count, outline.rounding,
                               get_number(map, "density", 1.0)};
    return true;
}

bool read_random_part(struct shapes_reader *shapes, const struct node *map, struct random *random,
                      talus_shape_part *part) {
    struct reader *reader = shapes->reader;
    const struct node *voronoi = get(map, "voronoi");
    struct outline outline = {.count = 0};
    struct form cell;
    enum convex_status status =
        form_voronoi(&cell, reader->dimension, get_number(voronoi, "aspect", 1.0), random);
    if (status != CONVEX_OK) return say_failed(reader, status, voronoi);
    bool copied = copy_form(reader, &cell, &outline);
    form_free(&cell);
    if (!copied) return false;
    outline_scale(&outline, get_number(voronoi, "radius", 0.0));
    if (!round_off(reader, map, &outline)) return false;
    *part = (talus_shape_part){outline.points, outline.count, outline.rounding, 1.0};
    return true;
}
