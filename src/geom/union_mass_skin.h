/* SPDX-License-Identifier: Apache-2.0
 *
 * The surface of a union of rounded parts, patch by patch, for union_mass_round.c.
 */
#ifndef GEOM_UNION_MASS_SKIN_H
#define GEOM_UNION_MASS_SKIN_H

#include "base/memory.h"
#include "geom/union_mass_cover.h"

/* The places of the integrals in an array. */
enum { VOLUME = 0, FIRST = 1, SECOND = 4, NORMAL = 10, CLOSURE = 13, INTEGRALS = 22 };

struct group { /* features of one part that a patch may meet */
    int32_t part, first, count;
};

struct circle { /* unit vectors n with n . w = cosine */
    vec3 w;
    double cosine;
};

/* A piece of the surface of a part, and what is near it. */
struct patch {
    struct feature feature;
    int32_t number; /* of the feature */
    double rounding, swelling;
    vec3 origin, axis[3]; /* face: in its plane, axis[2] the normal; edge: axis[2] along it */
    double length;        /* edge: m */
    double low, high;     /* of the place of a curve: face m, edge angle, sphere latitude */
    vec3 *cone;           /* vertex: unit vectors along its edges; normals have none along them */
    int32_t cone_count;
    struct feature *near;
    int32_t near_count, group_count;
    struct group groups[UNION_PARTS_MAX];
    double *breaks; /* places at which to begin new intervals */
    int32_t break_count, breaks_most;
    struct circle *circles; /* vertex: where planes and spheres cut it */
    int32_t circle_count;
};

/* A form that a curve in an interval of a patch has had. */
struct form_seen {
    double from, to;
    uint64_t form;
};

struct range {
    size_t first, count;
};

/* A point of the surface of the union where its form changes, found on the patch of a feature: it may be
 * one of others too. */
struct corner {
    vec3 x;
    int32_t owner;
};

struct skin {
    struct union_parts parts; /* swollen */
    bool sharp[UNION_PARTS_MAX];
    double swelling[UNION_PARTS_MAX];
    struct feature *features;
    int32_t feature_count;
    double (*saved)[INTEGRALS + 1]; /* integrals and error of each patch */
    struct patch patch;
    struct cover cover;
    int32_t gap_count; /* of the last curve */
    double volume;     /* of all parts, overlaps counted twice */
    double error;
    bool thorough; /* find all changes of the form, also those that do no harm */
    double slant;  /* rad, by which the curves run across the axes of the shapes */
    double total[INTEGRALS];
    struct memory heap;
    struct corner *corners;
    size_t corner_count, corners_most, corners_known; /* the latter when the pass began */
    struct form_seen *forms;                          /* patch by patch */
    size_t form_count, forms_most;
    struct range *seen; /* of each patch */
};

bool skin_make(struct skin *skin,
               const struct union_parts *parts); /* free it also when it failed */
void skin_free(struct skin *skin);

/* Make this feature the patch: its frame, the range of its curves, the places where its own outline
 * bends. */
void skin_set_patch(struct skin *skin, int32_t number);
/* What the patch can meet. */
void skin_find_near(const struct skin *skin, struct patch *patch);
/* May a feature of another part meet it? */
bool patch_is_near(const struct patch *patch, const struct feature *other);
/* Does another part hold all of the patch, by the hull that it lies in? */
bool skin_is_swallowed(const struct skin *skin, const struct patch *patch);

void patch_add_break(struct patch *patch, double place);
/* Vertices: is n one of the normals there? And its latitude. */
bool patch_in_cone(const struct patch *patch, vec3 n);
double patch_latitude(const struct patch *patch, vec3 direction);

/* union_mass_breaks.c: where to begin new intervals, from the features near by */
void skin_find_breaks(struct skin *skin, struct patch *patch);
/* The same at the corners that other patches have found; returns how many of them have a form beside
 * them that this patch has not seen. */
int32_t skin_break_at_corners(struct skin *skin, struct patch *patch);
void skin_note_corner(struct skin *skin, vec3 x);

/* union_mass_flux.c: the curve at a place of the patch, what its outline covers of it, the area for each unit
 * of its parameter, and a number for its ends. */
uint64_t skin_draw(struct skin *skin, double place, struct curve *curve, double *area);
/* The integrals along the curve at a place; `sum` may be NULL. Returns a number for the form of it: which
 * surfaces bound its stretches; 0: there are none. */
uint64_t skin_along(struct skin *skin, double place, double *sum);

#endif
