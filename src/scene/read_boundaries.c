/* SPDX-License-Identifier: Apache-2.0
 * Boundaries; a box becomes its planes. */
#include <string.h>

#include "scene/read.h"
#include "scene/read_shapes.h"

struct wall_list {
    struct scene_boundary *walls;
    const char **owners; /* of a box side the name of the box, else NULL */
    size_t count;
};

static void read_plane(struct reader *reader, const struct node *map, talus_boundary_def *def) {
    def->shape = TALUS_PLANE;
    def->point = get_vector(map, "point");
    def->normal = read_world_direction(reader, map, "normal");
}

/* The first side lies in the plate, and in 2D in the plane. */
static vec3 read_edge(struct reader *reader, const struct node *map, vec3 normal) {
    if (vec3_norm2(normal) == 0.0) return vec3_zero(); /* already complained about */
    if (!get_has(map, "edge")) return vec3_perpendicular(normal);
    vec3 edge = read_world_direction(reader, map, "edge");
    if (vec3_norm2(edge) == 0.0) return edge;
    vec3 inside = vec3_tangential(edge, normal);
    double length = vec3_norm(inside);
    if (length < 1e-6) {
        problem_at(reader->problems, get(map, "edge")->place,
                   "edge is parallel to normal: it must lie in the plate");
        return vec3_zero();
    }
    return length == 1.0 ? inside : vec3_scale(1.0 / length, inside);
}

static void read_rectangle(struct reader *reader, const struct node *map, talus_boundary_def *def) {
    def->shape = TALUS_RECTANGLE;
    def->point = read_world_vector(reader, map, "center");
    def->normal = read_world_direction(reader, map, "normal");
    def->edge = read_edge(reader, map, def->normal);
    const struct node *size = get(map, "size");
    if (reader->dimension == 1) {
        problem_at(reader->problems, map->place, "rectangle: in one dimension use a plane");
    }
    if (size == NULL) return;
    def->size[0] = size->first->number;
    def->size[1] = size->last->number;
    if (reader->dimension == 3 && size->count != 2) {
        problem_at(reader->problems, size->place, "rectangle: two sizes are wanted in 3D");
    }
}

static void read_cylinder(struct reader *reader, const struct node *map, talus_boundary_def *def) {
    bool inside = strcmp(get_text(map, "side", "inside"), "inside") == 0;
    def->shape = inside ? TALUS_CYLINDER_INSIDE : TALUS_CYLINDER_OUTSIDE;
    def->point = get_vector(map, "point");
    def->normal = read_axis(reader, map, "axis");
    def->radius = get_number(map, "radius", 0.0);
    def->length = get_number(map, "length", 0.0);
    if (reader->dimension == 1) {
        problem_at(reader->problems, map->place, "cylinder: in one dimension use planes");
    }
}

static void read_moves(struct reader *reader, const struct node *entry, talus_boundary_def *def) {
    struct node *motion = get(entry, "motion"), *free_motion = get(entry, "free");
    if (motion != NULL) def->motion = read_motion(reader, motion, def->point);
    if (free_motion != NULL) def->free = read_free(reader, free_motion, def->normal);
}

static void add_wall(struct wall_list *list, const talus_boundary_def *def, const char *owner) {
    list->walls[list->count].def = *def;
    list->owners[list->count++] = owner;
}

static void add_box_side(struct reader *reader, const struct node *map, int axis, bool upper,
                         talus_boundary_def def, struct wall_list *list) {
    const char *owner = def.name;
    char side[3] = {"xyz"[axis], upper ? '+' : '-', '\0'};
    if (get_contains(map, "open", side)) return;
    def.name = pool_format(reader->pool, "%s.%s", owner, side);
    if (def.name == NULL) {
        problem_memory(reader->problems);
        return;
    }
    def.shape = TALUS_PLANE;
    def.point = vec3_zero();
    def.normal = vec3_zero();
    vec3 corner = get_vector(map, upper ? "high" : "low");
    vec3_set_component(&def.point, axis, vec3_component(corner, axis));
    vec3_set_component(&def.normal, axis, upper ? -1.0 : 1.0);
    add_wall(list, &def, owner);
}

static void add_box(struct reader *reader, const struct node *entry, const struct node *map,
                    talus_boundary_def def, struct wall_list *list) {
    vec3 low = get_vector(map, "low"), high = get_vector(map, "high");
    const struct node *free_motion = tree_find(entry, "free");
    bool known = get(map, "low") != NULL && get(map, "high") != NULL;
    def.point = vec3_scale(0.5, vec3_add(low, high)); /* what a rotation turns about by default */
    if (free_motion != NULL) {
        problem_at(reader->problems, free_motion->key_place,
                   "free: the sides of a box would move apart; use a plane of its own");
    } else {
        read_moves(reader, entry, &def);
    }
    for (int axis = 0; axis < reader->dimension; axis++) {
        if (known && !(vec3_component(high, axis) > vec3_component(low, axis))) {
            problem_at(reader->problems, map->place, "box: high must be above low along %c",
                       "xyz"[axis]);
        }
        add_box_side(reader, map, axis, false, def, list);
        add_box_side(reader, map, axis, true, def, list);
    }
}

static void read_boundary(struct reader *reader, struct node *entry, struct wall_list *list) {
    talus_boundary_def def = talus_boundary_def_default();
    const struct node *plane = get(entry, "plane"), *rectangle = get(entry, "rectangle");
    const struct node *box = get(entry, "box"), *cylinder = get(entry, "cylinder");
    struct node *mesh = get(entry, "mesh");
    def.name = get_text(entry, "name", "");
    def.material = read_material(reader, entry);
    if (box != NULL) {
        add_box(reader, entry, box, def, list);
        return;
    }
    if (plane != NULL) read_plane(reader, plane, &def);
    if (rectangle != NULL) read_rectangle(reader, rectangle, &def);
    if (cylinder != NULL) read_cylinder(reader, cylinder, &def);
    if (mesh != NULL) read_mesh_wall(reader, mesh, &def);
    read_moves(reader, entry, &def);
    add_wall(list, &def, NULL);
}

/* A plane called "box.x-" next to a box called "box". */
static void check_side_names(struct reader *reader, const struct node *list,
                             const struct wall_list *walls) {
    for (const struct node *entry = list->first; entry != NULL; entry = entry->next) {
        const struct node *name = get(entry, "name");
        for (size_t i = 0; name != NULL && i < walls->count; i++) {
            if (walls->owners[i] == NULL || strcmp(walls->walls[i].def.name, name->text) != 0)
                continue;
            problem_at(reader->problems, name->place,
                       "boundary '%s' exists already, as a side of '%s'", name->text,
                       walls->owners[i]);
        }
    }
}

void read_boundaries(struct reader *reader) {
    struct node *list = get(reader->root, "boundaries");
    if (list == NULL || list->kind != NODE_LIST) return;
    const size_t most = 6 * list->count; /* if all are boxes */
    struct wall_list walls = {.walls = read_array(reader, most, sizeof *walls.walls),
                              .owners = read_array(reader, most, sizeof *walls.owners)};
    reader->wall_turns = read_array(reader, most, sizeof *reader->wall_turns);
    if (walls.walls == NULL || walls.owners == NULL || reader->wall_turns == NULL) return;
    reader->wall_gone = read_array(reader, most, sizeof *reader->wall_gone);
    if (reader->wall_gone == NULL) return;
    for (struct node *entry = list->first; entry != NULL; entry = entry->next) {
        if (entry->kind == NODE_MAP) read_boundary(reader, entry, &walls);
    }
    for (size_t i = 0; i < walls.count; i++) {
        const talus_boundary_def *def = &walls.walls[i].def;
        reader->wall_turns[i] = vec3_norm2(def->motion.axis) > 0.0 || def->free.inertia > 0.0;
    }
    check_unique_names(reader, list, "boundary");
    check_side_names(reader, list, &walls);
    reader->wall_owners = walls.owners;
    reader->scene->boundaries = walls.walls;
    reader->scene->boundary_count = walls.count;
}
