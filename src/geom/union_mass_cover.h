/* SPDX-License-Identifier: Apache-2.0
 *
 * Which stretches of a straight line or a circle lie in none of several rounded parts.
 */
#ifndef GEOM_UNION_MASS_COVER_H
#define GEOM_UNION_MASS_COVER_H

#include "geom/union_mass_parts.h"

/* x = at + t along (a unit vector), or x = at + cos t along + sin t across (both as long as the radius). */
struct curve {
    bool round;
    vec3 at, along, across;
    double from, to; /* of t; circles: 0 and 2 pi */
};

vec3 curve_point(const struct curve *curve, double t);

enum feature_kind { FEATURE_FACE, FEATURE_EDGE, FEATURE_VERTEX };

/* A piece of the surface of a part. */
struct feature {
    int32_t part, index;
    enum feature_kind kind;
    vec3 centre; /* of a sphere around it, and its radius */
    double radius;
    vec3 tail, axis; /* edge: where it begins, the unit vector along it and its length */
    double length;
};

/* A stretch of a curve, and the surfaces that bound it. */
struct stretch {
    double from, to;
    int32_t from_surface, to_surface;
};

/* Room for a curve and what crosses it. */
struct crossing {
    double t;
    int32_t surface;
};
struct cover {
    struct crossing *crossings;
    struct stretch *stretches; /* covered */
    int32_t count;
    struct stretch *gaps; /* between them, when all is done */
};

bool cover_make(struct cover *cover, int32_t features);
void cover_free(struct cover *cover);

/* Begin anew: nothing is covered. */
void cover_clear(struct cover *cover);
/* Cover what lies in part `part`; `features` are those of it that the curve can meet, `surface` is the
 * number of the first. True: that is all of the curve. */
bool cover_by_part(struct cover *cover, const struct curve *curve, const struct union_part *part,
                   const struct feature *features, int32_t count, int32_t surface);
/* Cover the part of a circle on the far side of a plane, n . x > offset. */
void cover_by_plane(struct cover *cover, const struct curve *circle, vec3 normal, double offset,
                    int32_t surface);
/* What is left goes to cover->gaps, in order; returns how many stretches there are. */
int32_t cover_gaps(struct cover *cover, const struct curve *curve);

#endif
