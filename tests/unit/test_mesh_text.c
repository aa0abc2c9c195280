/* SPDX-License-Identifier: Apache-2.0
 * STL and OBJ: what is read, what is refused and how that is said, and that nothing crashes. */
#include "support.h"

#include <stdlib.h>

#include "base/random.h"
#include "geom/mesh_text.h"

enum format { STL, OBJ };

/* From a block of exactly this size, so that a sanitizer sees reading past its end. */
static enum mesh_status read_bytes(enum format format, const char *bytes, size_t length,
                                   struct mesh_soup *mesh, struct mesh_problem *problem) {
    char *copy = malloc(length > 0 ? length : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, length);
    enum mesh_status status = format == STL ? mesh_from_stl(mesh, copy, length, problem)
                                            : mesh_from_obj(mesh, copy, length, problem);
    free(copy);
    return status;
}

static struct mesh_soup read_good(enum format format, const char *text) {
    struct mesh_soup mesh;
    struct mesh_problem problem;
    enum mesh_status status = read_bytes(format, text, strlen(text), &mesh, &problem);
    if (status != MESH_OK) print_error("%zu: %s\n", problem.where, problem.text);
    assert_int_equal(status, MESH_OK);
    return mesh;
}

static void assert_refused(enum format format, const char *text, size_t where, const char *part) {
    struct mesh_soup mesh;
    struct mesh_problem problem;
    assert_int_equal(read_bytes(format, text, strlen(text), &mesh, &problem), MESH_WRONG);
    if (problem.where != where || strstr(problem.text, part) == NULL) {
        print_error("%zu: %s\nexpected %zu: ...%s...\n", problem.where, problem.text, where, part);
        fail();
    }
    assert_null(mesh.vertices);
    assert_int_equal(read_bytes(format, text, strlen(text), &mesh, NULL), MESH_WRONG);
}

/* ---- OBJ ----------------------------------------------------------------------------------------- */

static const char cube_obj[] = "# a cube\n"
                               "mtllib cube.mtl\no cube\n"
                               "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
                               "v 0 0 1 1.0\nv 1.0 0 1 0.5 0.5 0.5\nv 1e0 1 1\r\nv +0 1 1\n"
                               "vt 0 0\nvn 0 0 1\ng sides\ns off\n"
                               "f 4 3 2 1\nf 5//1 6//1 7//1 8//1\nf 1/1 2/1 6/1 5/1\n"
                               "f 2/1/1 3/1/1 7/1/1 6/1/1\nf -6 -5 -1 -2\n"
                               "f 4 1 \\\n 5 8 # last";

static void obj_is_read(void **state) {
    (void)state;
    struct mesh_soup mesh = read_good(OBJ, cube_obj);
    assert_int_equal(mesh.vertex_count, 8);
    assert_int_equal(mesh.triangle_count, 12);
    assert_int_equal(mesh.dropped, 0);
    int32_t neighbour[12][3];
    assert_int_equal(mesh_edges(&mesh, neighbour), MESH_OK);
    double volume = 0.0;
    for (int t = 0; t < 12; t++) {
        vec3 corner[3];
        for (int k = 0; k < 3; k++) {
            corner[k] = mesh.vertices[mesh.triangles[t][k]];
            int32_t other = neighbour[t][k];
            assert_in_range(other, 0, 11);
            assert_true(neighbour[other][0] == t || neighbour[other][1] == t ||
                        neighbour[other][2] == t);
        }
        volume += vec3_dot(corner[0], vec3_cross(corner[1], corner[2])) / 6.0;
    }
    assert_near(volume, 1.0, 1e-15);
    mesh_soup_free(&mesh);
}

static void obj_mistakes_are_named(void **state) {
    (void)state;
    assert_refused(OBJ, "", 0, "no triangles");
    assert_refused(OBJ, "v 0 0 0\nv 1 0 0\n", 0, "no triangles");
    assert_refused(OBJ, "v 0 0\n", 1, "not a coordinate");
    assert_refused(OBJ, "v 0 0 zero\n", 1, "'zero' is not a coordinate");
    assert_refused(OBJ, "\nv 0 nan 0\n", 2, "'nan' is not a coordinate");
    assert_refused(OBJ, "v 0 inf 0\n", 1, "not a coordinate");
    assert_refused(OBJ, "v 0 1e200 0\n", 1, "below 1e100");
    assert_refused(OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", 4, "1 to 3");
    assert_refused(OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", 4, "'0' is no corner");
    assert_refused(OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n", 4, "-1 to -3");
    assert_refused(OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999999999999999999\n", 4,
                   "is no corner");
    assert_refused(OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3x\n", 4, "'3x' is no corner");
    assert_refused(OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", 4, "three or more");
    assert_refused(OBJ, "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", 0, "has an area");
}

static void polygons_become_fans(void **state) {
    (void)state;
    struct mesh_soup mesh =
        read_good(OBJ, "v 0 0 0\nv 2 0 0\nv 3 1 0\nv 2 2 0\nv 0 2 0\nf 1 2 3 4 5\n");
    const int32_t fan[3][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}};
    assert_int_equal(mesh.triangle_count, 3);
    assert_memory_equal(mesh.triangles, fan, sizeof fan);
    int32_t neighbour[3][3];
    const int32_t expected[3][3] = {{-1, -1, 1}, {0, -1, 2}, {1, -1, -1}};
    assert_int_equal(mesh_edges(&mesh, neighbour), MESH_OK);
    assert_memory_equal(neighbour, expected, sizeof expected);
    mesh_soup_free(&mesh);
}

static void crowded_edges_are_marked(void **state) {
    (void)state;
    struct mesh_soup mesh = read_good(OBJ, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 -1 0\n"
                                           "f 1 2 3\nf 1 2 4\nf 2 1 5\n");
    int32_t neighbour[3][3];
    assert_int_equal(mesh_edges(&mesh, neighbour), MESH_OK);
    for (int t = 0; t < 3; t++) {
        assert_int_equal(neighbour[t][0], MESH_CROWDED);
        assert_int_equal(neighbour[t][1], MESH_BORDER);
        assert_int_equal(neighbour[t][2], MESH_BORDER);
    }
    mesh_soup_free(&mesh);
}

/* ---- STL ----------------------------------------------------------------------------------------- */

#define FACET(a, b, c)                                                                  \
    " facet normal 0 0 0\n  outer loop\n   vertex " a "\n   vertex " b "\n   vertex " c \
    "\n  endloop\n endfacet\n"
#define O "0 0 0"
#define X "1 0 0"
#define Y "0 1.0 0"
#define Z "-0 0 1e0"

static const char tetrahedron_stl[] = "solid a tetrahedron\n" FACET(O, Y, X) FACET(O, X, Z)
    FACET(O, Z, Y) FACET(X, Y, Z) "endsolid\n";

static void assert_tetrahedron(const struct mesh_soup *mesh) {
    assert_int_equal(mesh->vertex_count, 4);
    assert_int_equal(mesh->triangle_count, 4);
    double volume = 0.0;
    for (int t = 0; t < 4; t++) {
        const int32_t *v = mesh->triangles[t];
        volume +=
            vec3_dot(mesh->vertices[v[0]], vec3_cross(mesh->vertices[v[1]], mesh->vertices[v[2]]));
    }
    assert_near(volume / 6.0, 1.0 / 6.0, 1e-15);
}

static void stl_text_is_read(void **state) {
    (void)state;
    struct mesh_soup mesh = read_good(STL, tetrahedron_stl);
    assert_tetrahedron(&mesh);
    mesh_soup_free(&mesh);
    /* one line, capitals, two solids */
    mesh = read_good(
        STL, "\n SOLID\nFACET NORMAL 0 0 1 OUTER LOOP VERTEX 0 0 0 VERTEX 1 0 0 VERTEX 0 1 0 "
             "ENDLOOP ENDFACET ENDSOLID x\nsolid two\n" FACET(X, Y, Z) "endsolid two\n");
    assert_int_equal(mesh.triangle_count, 2);
    assert_int_equal(mesh.vertex_count, 4);
    mesh_soup_free(&mesh);
    /* triangles without area */
    mesh = read_good(STL, "solid\n" FACET(O, O, X) FACET(O, X, "2 0 0") FACET(O, X, Y)
                              FACET(X, "0.1 0 0", "0.3 0 0")
                                  FACET("1e-9 0 0", "2e-9 0 0", "1e-9 1e-9 0") "endsolid");
    assert_int_equal(mesh.triangle_count, 2);
    assert_int_equal(mesh.dropped, 3);
    assert_int_equal(mesh.vertex_count, 6);
    mesh_soup_free(&mesh);
}

static void stl_mistakes_are_named(void **state) {
    (void)state;
    assert_refused(STL, "", 0, "neither text");
    assert_refused(STL, "# not STL\n", 0, "neither text");
    assert_refused(STL, "solid\nendsolid\n", 0, "no triangles");
    assert_refused(STL, "solid\n" FACET(O, X, Y), 9, "ends before 'endsolid'");
    assert_refused(STL, "solid\n" FACET(O, X, "0 1") "endsolid\n", 6, "not a coordinate");
    assert_refused(STL, "solid\n" FACET(O, X, "0 1 nan") "endsolid\n", 6, "'nan'");
    assert_refused(STL, "solid\nfacet normal 0 0 1\nvertex 0 0 0\nvertex 1 0 0\nendfacet\n", 5,
                   "of 2 vertices");
    assert_refused(STL, "solid\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nvertex 1 1 0\n", 5,
                   "fourth vertex");
    assert_refused(STL, "solid\nfaced\n", 2, "'faced'; expected facet");
    assert_refused(STL, "solid\n" FACET(O, X, Y) "endsolid\nrest\n", 10, "starts with 'solid'");
}

static void put_word(char *bytes, uint32_t value) {
    for (int k = 0; k < 4; k++) bytes[k] = (char)(value >> (8 * k) & 255u);
}

static void put_float(char *bytes, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_word(bytes, bits);
}

/* A mesh as binary STL; the header starts with `head`. Returns the length. */
static size_t write_binary(char *bytes, const struct mesh_soup *mesh, const char *head) {
    size_t length = 84;
    memset(bytes, ' ', 84);
    memcpy(bytes, head, strlen(head));
    put_word(bytes + 80, (uint32_t)mesh->triangle_count);
    for (int32_t t = 0; t < mesh->triangle_count; t++, length += 50) {
        memset(bytes + length, 0, 50);
        for (int k = 0; k < 9; k++)
            put_float(bytes + length + 12 + 4 * k,
                      (float)vec3_component(mesh->vertices[mesh->triangles[t][k / 3]], k % 3));
    }
    return length;
}

static void stl_binary_is_read(void **state) {
    (void)state;
    char bytes[84 + 50 * 4 + 1];
    struct mesh_soup text = read_good(STL, tetrahedron_stl), mesh;
    struct mesh_problem problem;
    size_t length = write_binary(bytes, &text, "solid, although it is binary");
    mesh_soup_free(&text);
    assert_int_equal(read_bytes(STL, bytes, length, &mesh, &problem), MESH_OK);
    assert_tetrahedron(&mesh);
    mesh_soup_free(&mesh);
    put_word(bytes + 84 + 50 * 2 + 12, 0x7fc00000u); /* not a number, in the third triangle */
    assert_int_equal(read_bytes(STL, bytes, length, &mesh, &problem), MESH_WRONG);
    assert_int_equal(problem.where, 3);
    bytes[0] = 'b'; /* now only its length can tell, and that is wrong */
    for (size_t cut = 0; cut <= length + 1; cut++) {
        if (cut == length) continue;
        bytes[length] = 0;
        assert_int_equal(read_bytes(STL, bytes, cut, &mesh, &problem), MESH_WRONG);
    }
    put_word(bytes + 80, 0xffffffffu);
    assert_int_equal(read_bytes(STL, bytes, length, &mesh, &problem), MESH_WRONG);
    assert_non_null(strstr(problem.text, "4294967295 triangles"));
    put_word(bytes + 80, 0);
    assert_int_equal(read_bytes(STL, bytes, 84, &mesh, &problem), MESH_WRONG);
    assert_non_null(strstr(problem.text, "no triangles"));
}

/* ---- anything ------------------------------------------------------------------------------------ */

/* Whatever comes out has to hold together. */
static void assert_sane(enum format format, const char *bytes, size_t length) {
    struct mesh_soup mesh;
    struct mesh_problem problem;
    enum mesh_status status = read_bytes(format, bytes, length, &mesh, &problem);
    if (status != MESH_OK) {
        assert_int_equal(status, MESH_WRONG);
        assert_true(problem.text[0] != '\0' && strlen(problem.text) < sizeof problem.text);
        assert_null(mesh.vertices);
        return;
    }
    assert_true(mesh.triangle_count > 0 && mesh.vertex_count >= 3);
    for (int32_t t = 0; t < mesh.triangle_count; t++)
        for (int k = 0; k < 3; k++) assert_in_range(mesh.triangles[t][k], 0, mesh.vertex_count - 1);
    for (int32_t v = 0; v < mesh.vertex_count; v++) assert_true(vec3_is_finite(mesh.vertices[v]));
    mesh_soup_free(&mesh);
}

static void broken_files_do_no_harm(void **state) {
    (void)state;
    struct random random = random_start(1, RANDOM_TEST, 1, 0);
    const char *texts[2] = {tetrahedron_stl, cube_obj};
    char bytes[2048];
    for (int format = 0; format < 2; format++) {
        size_t all = strlen(texts[format]);
        for (size_t cut = 0; cut <= all; cut++)
            assert_sane((enum format)format, texts[format], cut);
        for (int trial = 0; trial < 20000; trial++) { /* some bytes changed, some left out */
            memcpy(bytes, texts[format], all);
            for (uint32_t k = 1 + random_below(&random, 6); k > 0; k--) {
                uint32_t at = random_below(&random, (uint32_t)all);
                bytes[at] = (char)random_below(&random, 256);
                if (random_below(&random, 2))
                    bytes[at] = "0123456789-+.eE/ \n\\fv"[random_below(&random, 21)];
            }
            size_t cut = random_below(&random, 4) ? all : random_below(&random, (uint32_t)all);
            assert_sane((enum format)format, bytes, cut);
        }
        for (int trial = 0; trial < 5000; trial++) { /* noise, with and without a good beginning */
            size_t length = random_below(&random, sizeof bytes);
            for (size_t k = 0; k < length; k++) bytes[k] = (char)random_below(&random, 256);
            if (trial % 2 && length > 6) memcpy(bytes, format == STL ? "solid\n" : "v 1 1\n", 6);
            if (trial % 3 == 0 && length >= 84) { /* a length that fits binary */
                length -= (length - 84) % 50;
                put_word(bytes + 80, (uint32_t)((length - 84) / 50));
            }
            assert_sane((enum format)format, bytes, length);
        }
    }
}

/* A large mesh in reasonable time: a torus-like grid in which each vertex is written six times. */
static void large_meshes_are_welded(void **state) {
    (void)state;
    enum { N = 100 };
    struct mesh_soup grid = {.vertex_count = N * N, .triangle_count = 2 * N * N}, mesh;
    grid.vertices = malloc(sizeof(vec3) * N * N);
    grid.triangles = malloc(sizeof(int32_t[3]) * 2 * N * N);
    char *bytes = malloc(84 + 50 * 2 * N * N);
    int32_t(*neighbour)[3] = malloc(sizeof(int32_t[3]) * 2 * N * N);
    for (int32_t i = 0; i < N; i++)
        for (int32_t j = 0; j < N; j++) {
            int32_t a = N * i + j, b = N * ((i + 1) % N) + j, right = (j + 1) % N - j;
            grid.vertices[a] = vec3_make(i, j, (i * i + 3 * j) % 7);
            int32_t two[2][3] = {{a, b, b + right}, {a, b + right, a + right}};
            memcpy(grid.triangles + 2 * a, two, sizeof two);
        }
    size_t length = write_binary(bytes, &grid, "grid");
    assert_int_equal(mesh_from_stl(&mesh, bytes, length, NULL), MESH_OK);
    assert_int_equal(mesh.vertex_count, N * N);
    assert_int_equal(mesh.triangle_count + mesh.dropped, 2 * N * N);
    assert_int_equal(mesh.dropped, 0);
    assert_int_equal(mesh_edges(&mesh, neighbour), MESH_OK);
    for (int32_t t = 0; t < mesh.triangle_count; t++)
        for (int k = 0; k < 3; k++) assert_true(neighbour[t][k] >= 0);
    mesh_soup_free(&mesh);
    free(grid.vertices);
    free(grid.triangles);
    free(bytes);
    free(neighbour);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obj_is_read),
        cmocka_unit_test(obj_mistakes_are_named),
        cmocka_unit_test(polygons_become_fans),
        cmocka_unit_test(crowded_edges_are_marked),
        cmocka_unit_test(stl_text_is_read),
        cmocka_unit_test(stl_mistakes_are_named),
        cmocka_unit_test(stl_binary_is_read),
        cmocka_unit_test(broken_files_do_no_harm),
        cmocka_unit_test(large_meshes_are_welded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
