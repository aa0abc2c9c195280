/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of shapes from STL and OBJ files. Only the corners of the hull are kept.
 */
#define _POSIX_C_SOURCE 200809L
#include <string.h>
#include <strings.h>

#include "geom/convex.h"
#include "geom/mesh_text.h"
#include "scene/read_shapes.h"
#include "scene/read_text.h"

static bool ends_in(const char *path, const char *ending) {
    size_t length = strlen(path), most = strlen(ending);
    return length > most && strcasecmp(path + length - most, ending) == 0;
}

static bool say_wrong(struct reader *reader, const struct node *path, enum mesh_status status,
                      const struct mesh_problem *problem) {
    if (status == MESH_NO_MEMORY)
        problem_memory(reader->problems);
    else if (problem->where == 0)
        problem_at(reader->problems, path->place, "%s: %s", path->text, problem->text);
    else
        problem_at(reader->problems, path->place, "%s:%zu: %s", path->text, problem->where,
                   problem->text);
    return false;
}

static bool load_mesh(struct reader *reader, const struct node *path, struct pool *pool,
                      struct mesh_soup *mesh) {
    const char *why;
    size_t length;
    struct mesh_problem problem = {.where = 0};
    const bool is_obj = ends_in(path->text, ".obj");
    if (!is_obj && !ends_in(path->text, ".stl")) {
        problem_at(reader->problems, path->place, "'%s' must end in .stl or .obj", path->text);
        return false;
    }
    const char *bytes = read_text(pool, path->text, &length, &why);
    if (bytes == NULL) {
        if (*why == '\0')
            problem_memory(reader->problems);
        else
            problem_at(reader->problems, path->place, "cannot read '%s': %s", path->text, why);
        return false;
    }
    enum mesh_status status = is_obj ? mesh_from_obj(mesh, bytes, length, &problem)
                                     : mesh_from_stl(mesh, bytes, length, &problem);
    return status == MESH_OK || say_wrong(reader, path, status, &problem);
}

/* The corners of the hull; where there is none, all of them, and the engine says what is wrong. */
static bool take_corners(struct reader *reader, const struct mesh_soup *mesh,
                         struct outline *outline) {
    struct convex hull;
    size_t count = (size_t)mesh->vertex_count;
    const vec3 *corners = mesh->vertices;
    bool has_hull = convex_make(&hull, 3, corners, count, 0.0, false) == CONVEX_OK;
    if (has_hull) {
        corners = hull.vertices;
        count = (size_t)hull.vertex_count;
    }
    bool room = outline_room(reader, outline, count);
    for (size_t i = 0; i < count && room; i++) outline->points[i] = corners[i];
    if (has_hull) convex_free(&hull);
    return room;
}

/* The file of the key `path`; to be freed. */
static bool open_mesh(struct reader *reader, struct node *map, struct mesh_soup *mesh) {
    struct node *path = get(map, "path");
    if (path == NULL || read_path(reader, path) == NULL) return false;
    struct pool *pool = pool_create(0); /* the bytes of the file are not kept */
    if (pool == NULL) {
        problem_memory(reader->problems);
        return false;
    }
    bool good = load_mesh(reader, path, pool, mesh);
    pool_free(pool);
    return good;
}

/* Its triangles as they stand in the world, into the pool. */
static void place_mesh(struct reader *reader, const struct node *map, const struct mesh_soup *mesh,
                       talus_boundary_def *def) {
    double scale = get_number(map, "scale", 1.0);
    struct scene_turn turn =
        read_turn(reader, map, "turn", (struct scene_turn){.given = quat_identity()});
    size_t vertices = (size_t)mesh->vertex_count, triangles = (size_t)mesh->triangle_count;
    vec3 *placed = read_array(reader, vertices, sizeof *placed);
    int32_t(*corners)[3] = read_array(reader, triangles, sizeof *corners);
    if (placed == NULL || corners == NULL) return;
    for (size_t i = 0; i < vertices; i++)
        placed[i] =
            vec3_add(def->point, quat_rotate(turn.given, vec3_scale(scale, mesh->vertices[i])));
    memcpy(corners, mesh->triangles, triangles * sizeof *corners);
    def->vertices = placed;
    def->vertex_count = vertices;
    def->triangles = (const int32_t(*)[3])corners;
    def->triangle_count = triangles;
}

void read_mesh_wall(struct reader *reader, struct node *map, talus_boundary_def *def) {
    struct mesh_soup mesh;
    def->shape = TALUS_MESH;
    def->point = get_vector(map, "at");
    def->normal = vec3_make(0.0, 0.0, 1.0);
    if (reader->dimension < 3) {
        problem_at(reader->problems, map->place, "mesh: needs 3 dimensions; here are %d",
                   reader->dimension);
        return;
    }
    if (!open_mesh(reader, map, &mesh)) return;
    if (mesh.triangle_count == 0)
        problem_at(reader->problems, get(map, "path")->place, "'%s' has no triangles with an area",
                   get(map, "path")->text);
    else
        place_mesh(reader, map, &mesh, def);
    mesh_soup_free(&mesh);
}

bool read_mesh(struct reader *reader, struct node *map, struct outline *outline) {
    struct mesh_soup mesh;
    if (!open_mesh(reader, map, &mesh)) return false;
    bool good = take_corners(reader, &mesh, outline);
    mesh_soup_free(&mesh);
    outline_scale(outline, get_number(map, "scale", 1.0));
    return good;
}
