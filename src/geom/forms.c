/* SPDX-License-Identifier: Apache-2.0
 *
 * Ready-made shapes with known corners. Tests: tests/unit/test_forms.c. */
#include "geom/forms.h"

static const double pi = 3.14159265358979323846;

size_t form_polygon(vec3 *out, int sides) {
    double step = 2.0 * pi / sides, start = -0.5 * pi + 0.5 * step;
    for (int k = 0; k < sides; k++)
        out[k] = vec3_make(cos(start + k * step), sin(start + k * step), 0.0);
    return (size_t)sides;
}

size_t form_rectangle(vec3 *out, double a, double b) {
    for (int k = 0; k < 4; k++)
        out[k] = vec3_make(k == 1 || k == 2 ? 0.5 * a : -0.5 * a, k >= 2 ? 0.5 * b : -0.5 * b, 0.0);
    return 4;
}

size_t form_voussoir(vec3 *out, const struct form_voussoir *stone) {
    vec3 from = {cos(stone->from), sin(stone->from), 0.0};
    vec3 to = {cos(stone->to), sin(stone->to), 0.0};
    out[0] = vec3_scale(stone->inner, from);
    out[1] = vec3_scale(stone->outer, from);
    out[2] = vec3_scale(stone->outer, to);
    out[3] = vec3_scale(stone->inner, to);
    return 4;
}

size_t form_box(vec3 *out, vec3 edges) {
    for (int k = 0; k < 8; k++)
        out[k] = vec3_make(k & 1 ? 0.5 * edges.x : -0.5 * edges.x,
                           k & 2 ? 0.5 * edges.y : -0.5 * edges.y,
                           k & 4 ? 0.5 * edges.z : -0.5 * edges.z);
    return 8;
}

size_t form_tetrahedron(vec3 *out) {
    double a = 1.0 / sqrt(3.0); /* every other corner of a cube */
    out[0] = vec3_make(a, a, a);
    out[1] = vec3_make(a, -a, -a);
    out[2] = vec3_make(-a, a, -a);
    out[3] = vec3_make(-a, -a, a);
    return 4;
}

size_t form_octahedron(vec3 *out) {
    for (int k = 0; k < 6; k++) {
        out[k] = vec3_zero();
        vec3_set_component(&out[k], k / 2, k % 2 ? -1.0 : 1.0);
    }
    return 6;
}

/* The corners (0, +-a, +-b) and what they become when the axes are cycled: 12 points. */
static size_t cycled(vec3 *out, double a, double b) {
    for (int k = 0; k < 12; k++) {
        int axis = k / 4;
        out[k] = vec3_zero();
        vec3_set_component(&out[k], (axis + 1) % 3, k & 1 ? a : -a);
        vec3_set_component(&out[k], (axis + 2) % 3, k & 2 ? b : -b);
    }
    return 12;
}

static const double golden = 1.61803398874989484820;

size_t form_icosahedron(vec3 *out) {
    double scale = 1.0 / sqrt(1.0 + golden * golden);
    return cycled(out, scale, scale * golden);
}

size_t form_dodecahedron(vec3 *out) {
    double scale = 1.0 / sqrt(3.0);
    size_t count = cycled(out, scale / golden, scale * golden);
    return count + form_box(out + count, vec3_make(2.0 * scale, 2.0 * scale, 2.0 * scale));
}

size_t form_extrude(vec3 *out, const vec3 *plane, size_t count, double thickness) {
    for (size_t k = 0; k < count; k++) {
        out[count + k] = vec3_make(plane[k].x, plane[k].y, 0.5 * thickness);
        out[k] = vec3_make(plane[k].x, plane[k].y, -0.5 * thickness);
    }
    return 2 * count;
}

size_t form_prism(vec3 *out, int sides, double height) {
    return form_extrude(out, out, form_polygon(out, sides), height);
}

size_t form_pyramid(vec3 *out, int sides, double height) {
    size_t count = form_polygon(out, sides);
    out[count] = vec3_make(0.0, 0.0, height);
    return count + 1;
}

size_t form_sphere(vec3 *out, size_t count) {
    double turn = pi * (3.0 - sqrt(5.0)); /* the golden angle */
    for (size_t k = 0; k < count; k++) {
        double z = 1.0 - (2.0 * (double)k + 1.0) / (double)count, r = sqrt(1.0 - z * z);
        out[k] = vec3_make(r * cos(turn * (double)k), r * sin(turn * (double)k), z);
    }
    return count;
}
