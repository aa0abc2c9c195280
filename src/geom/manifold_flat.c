/* SPDX-License-Identifier: Apache-2.0
 *
 * Side on side in plane worlds. Along the tangent u each side is an interval; the two ends of the common
 * part carry the contact, and each is a vertex of one of the two.
 */
#include "geom/manifold_clip.h"

struct end {
    double u, height; /* m, along the tangent and the normal */
    int32_t vertex;
};

/* The ends of a side in the order of u. */
static void side_ends(const struct posed *posed, int32_t face, vec3 normal, struct end ends[2]) {
    const int32_t *loop = &posed->shape->loops[posed->shape->faces[face].first];
    for (int k = 0; k < 2; k++) {
        vec3 x = posed_vertex(posed, loop[k]);
        ends[k] = (struct end){normal.x * x.y - normal.y * x.x, vec3_dot(normal, x), loop[k]};
    }
    if (ends[0].u <= ends[1].u) return;
    struct end swap = ends[0];
    ends[0] = ends[1];
    ends[1] = swap;
}

static double height_at(const struct end ends[2], double u) {
    double width = ends[1].u - ends[0].u;
    double share = width > 0.0 ? (u - ends[0].u) / width : 0.0;
    share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
    return ends[0].height + share * (ends[1].height - ends[0].height);
}

static void add_end(const struct end a[2], const struct end b[2], bool of_b, const struct end *end,
                    struct spots *out) {
    struct spot spot = {.u = end->u, .feature = feature_vertex(of_b, end->vertex)};
    spot.height = of_b ? height_at(a, end->u) : end->height;
    spot.gap = (of_b ? end->height : height_at(b, end->u)) - spot.height;
    spots_add(out, spot);
}

void spots_flat(const struct pair *pair, vec3 normal, const int32_t faces[2], struct spots *out) {
    struct end a[2], b[2];
    side_ends(&pair->a, faces[0], normal, a);
    side_ends(&pair->b, faces[1], normal, b);
    out->extent = fmin(a[1].u - a[0].u, b[1].u - b[0].u);
    double same = MANIFOLD_SAME * out->extent;
    if (fmin(a[1].u, b[1].u) < fmax(a[0].u, b[0].u) - same) return;
    /* Of ends at the same place that of a is taken, whichever is farther by rounding. */
    bool of_b = b[0].u > a[0].u + same;
    add_end(a, b, of_b, of_b ? &b[0] : &a[0], out);
    of_b = b[1].u < a[1].u - same;
    add_end(a, b, of_b, of_b ? &b[1] : &a[1], out);
}
