/* SPDX-License-Identifier: Apache-2.0 */
#include "geom/form_kinds.h"

#define ABOUT                                                                            \
    "A kind of shape for the list `shapes` of a scene; grains then use it by its name. " \
    "Keys and units: docs/scene-reference.md, how shapes are used: docs/shapes.md, how " \
    "they touch: docs/theory/shapes.md."
#define KIND(name, summary) \
    { "shape", name, summary, "", ABOUT, NULL, 0 }

const talus_entry form_kinds[FORM_KIND_COUNT] = {
    KIND("box", "rectangle in 2D, box in 3D; edges may be rounded"),
    KIND("polygon", "regular polygon; 2D"),
    KIND("prism", "regular polygon drawn out along z; 3D"),
    KIND("pyramid", "regular polygon with a tip; 3D"),
    KIND("tetrahedron", "regular, 4 faces; 3D"),
    KIND("octahedron", "regular, 8 faces; 3D"),
    KIND("dodecahedron", "regular, 12 faces; 3D"),
    KIND("icosahedron", "regular, 20 faces; 3D"),
    KIND("facets", "polyhedron near to a sphere; 3D"),
    KIND("voussoir", "stone of an arch"),
    KIND("points", "convex hull of given points"),
    KIND("file", "convex hull of an STL or OBJ file; 3D"),
    KIND("ball", "ball, in 2D a disc: for clusters"),
    KIND("capsule", "cylinder with round ends, in 2D a stadium"),
    KIND("voronoi", "random angular grains"),
    KIND("cluster", "several convex parts that move as one"),
};
