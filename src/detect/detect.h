/* SPDX-License-Identifier: Apache-2.0
 *
 * From bodies to contacts, in two stages.
 *
 * Candidates are pairs nearer than the sum of their skins; the list serves as long as no body has
 * left its own skin. A candidate remembers the impulse of the last step, so keeping the list is the
 * matching of contacts from step to step; when the list is made anew the impulses move over.
 * Contacts are the candidates that can touch in this step. The step pipeline checks afterwards that
 * no other candidate would have closed (detect_missed) and no body has left its skin
 * (detect_covers); if not, the step is solved again with them.
 */
#ifndef DETECT_DETECT_H
#define DETECT_DETECT_H

#include "detect/grid.h"
#include "geom/overlap.h"
#include "talus/status.h"
#include "world/world.h"

struct candidate {
    talus_index a, b; /* a < b; for a boundary b is its body */
    vec3 impulse;     /* N s on b, of the last step; zero if there was no contact */
};

/* What a contact law has to know of a pair from one step to the next; kept beside the candidates if any
 * law of the world needs it. */
struct contact_memory {
    vec3 torque;  /* N m s on b, of the last step */
    vec3 older;   /* N s on b, impulse of the step before the last; only with solver.carry */
    vec3 stretch; /* m, tangential spring of soft grains, and the normal it belongs to */
    vec3 normal;
    vec3 angle; /* rad, springs against rolling, and along the normal against torsion */
    double slip_stiffness, roll_stiffness, twist_stiffness; /* N/m, N m, N m, of these springs */
    double opening;                                         /* m, of the bond */
    double held,
        pressed; /* J, work of the area of soft polygons since they touched; N, their force */
    double
        tension; /* N s, in this step: what is left for the bond to bear; HUGE_VAL: all of F_C dt */
    uint8_t bonded;
    uint8_t broken;        /* the bond broke, and the two have not yet been clear of each other */
    uint8_t friction;      /* law/static_friction.h */
    uint8_t softened;      /* in this step: how often restitution was halved */
    uint8_t softened_slip; /* the same for its tangential part alone */
    uint8_t impact;        /* in this step: restitution acts */
    uint8_t rebounded;     /* in the last step it did */
    uint8_t waits;         /* in this step: left out, to be an impact in the next */
};

/* A candidate whose grains are not both round is one possible point of contact between two of their parts.
 * Several of them, one after the other, share a pair of parts; in each step its manifold is put into
 * them, every point where the same point was the step before. */
struct slot {
    vec3 normal;      /* from a to b */
    vec3 arm;         /* m, from the centre of a to the contact point */
    double gap;       /* m */
    double curvature; /* 1/m, of a wall */
    uint32_t feature; /* names the point; 0: there is none now */
    int32_t part_a, part_b;
    uint8_t
        dormant; /* on a mesh, where the surface goes on nearer to the grain: no contact, unless the grain turns
                        so that it is one before the step is over */
    uint8_t index, count;      /* of this slot among those of its parts; count 0: both are round */
    vec3 before;               /* m, soft grains: the arm as it was a step ago */
    double depth;              /* m, soft grains: common area over length of the contact line */
    struct manifold_hint hint; /* in the first of them */
};

struct contact {
    talus_index a, b;
    talus_index candidate;
    int32_t wall; /* boundary of b, -1: grain */
    vec3 normal;  /* from a to b */
    double gap;   /* m */
    double arm_a; /* m, from the centre of a along the normal to the contact point */
    double arm_b; /* m, from the contact point along the normal to the centre of b; 0 for walls */
    double curvature; /* 1/m, of the wall's surface: > 0 convex, < 0 concave; 0 for grains */
    vec3 arm;      /* m, from the centre of a to the contact point; arm_a normal for round grains */
    bool has_form; /* the grains are not both round: arms do not lie along the normal */
};

/* Candidates follow their first bodies: by number, along a curve in space, slab by slab through it. */
enum detect_sort { DETECT_NUMBERS, DETECT_CURVE, DETECT_SLABS };
enum { DETECT_SLAB = 4000 }; /* bodies at most */

struct detect {
    struct memory *memory;
    struct grid grid;
    bool valid;
    enum detect_sort sorted, sort; /* how the candidates are; how they are wanted */
    struct candidate *candidates, *previous;
    size_t candidate_count, candidate_capacity, previous_count, previous_capacity;
    bool remembers, remembered; /* memories are wanted; the present list has them */
    struct contact_memory *memories, *previous_memories; /* of each candidate */
    size_t memory_capacity, previous_memory_capacity;
    bool has_forms,
        had_forms; /* some grains are not round: candidates have slots; the present list has */
    bool soft;     /* grains overlap: one slot for each pair of parts, filled by detect_overlaps */
    vec3 *
        corners; /* soft grains: of all parts of all grains, relative to the position of the grain */
    size_t *corner_first;           /* of each body */
    struct overlap_corner *clipped; /* scratch */
    size_t corner_capacity, corner_first_capacity, clipped_capacity;
    struct slot *slots, *previous_slots; /* of each candidate */
    size_t slot_capacity, previous_slot_capacity;
    mat3 *rotation; /* of each body that is not round, in this step */
    size_t rotation_capacity;
    double *turned;            /* m, way of its farthest point by turning since the list was made */
    struct convex ball;        /* of radius 1, for round grains against others */
    struct convex *wall_hulls; /* of flat walls, by boundary */
    size_t wall_hull_capacity;
    int32_t *facets; /* scratch: those of a mesh near a grain */
    size_t facet_capacity;
    double range;       /* m, how far bonds reach across a gap */
    uint8_t *activated; /* candidates that must be contacts in this step */
    size_t activated_capacity;
    talus_index *first, *count; /* candidates of each body, as their a */
    talus_index *order;         /* of the bodies */
    uint64_t *keys;             /* scratch of the spatial sort */
    vec3 *reference;            /* positions when the list was made */
    double *skin;               /* m, of each body */
    double *reach;              /* m, |v| dt of each body in this step */
    double skin_steps;          /* skins are wide enough for so many of them; 0: 8 */
    double *inflated;           /* m, radius + skin, of boundaries 0 */
    size_t body_capacity;
    struct wall *walls; /* as they stand in this step, by boundary */
    size_t wall_capacity;
    double *
        way; /* m, gone by each boundary since the list was made: it may turn, so it is summed up */
    size_t way_capacity;
    struct contact *contacts;
    size_t contact_count, contact_capacity;
    size_t listed_bodies; /* bodies known to the present list */
};

void detect_free(struct detect *detect);

/* Room for what the world has now; to be called before the rest of a step. */
talus_status detect_reserve(struct detect *detect, const struct world *world, talus_error *err);
/* Does the list hold every pair that can meet when each body moves by reach[] in this step? */
bool detect_covers(const struct detect *detect, const struct world *world);
talus_status detect_rebuild(struct detect *detect, const struct world *world, talus_error *err);

/* Walls as they stand now. */
void detect_place_walls(struct detect *detect, const struct world *world);
/* forms.c: grains that are not round. Room for them; what a pair of bodies can touch with, into lists (which
 * may be NULL) of that many candidates; and, once in a step, where they touch. */
talus_status detect_forms_reserve(struct detect *detect, const struct world *world,
                                  talus_error *err);
void detect_forms_free(struct detect *detect);
/* For a restart: what they were made for. */
struct archive;
void detect_forms_archive(struct detect *detect, const struct world *world,
                          struct archive *archive);
size_t detect_forms_list(const struct detect *detect, const struct world *world, talus_index a,
                         talus_index b, struct candidate *candidates, struct slot *slots);
void detect_forms_place(struct detect *detect, const struct world *world);
/* overlaps.c: soft polygons. Room, and what the parts of each pair have in common now, into their slots: the gap is
 * - A/l_c, so that a linear spring makes the force of [Pena2009, eq. 5] from it; the arm leads to the centre of A. */
enum {
    OVERLAP_NEW = 1,
    OVERLAP_OLD = 2
}; /* the feature of their slots: since this step, or longer */
talus_status detect_overlaps_reserve(struct detect *detect, const struct world *world,
                                     talus_error *err);
void detect_overlaps_free(struct detect *detect);
void detect_overlaps(struct detect *detect, const struct world *world);
/* Of the slots of one pair of parts, from `first` on, those worth being contacts: of those wanted four that bear a force
 * already or are well spread, and in any case the one that closes first, if need be as a fifth. `gaps`: as the step
 * would end. The others are looked at after the solve like all candidates. */
enum { CONTACTS_OF_PARTS = 4 };
void detect_forms_choose(const struct detect *detect, size_t first, const double *gaps,
                         double radius, bool *wanted);
/* Distance, normal, arms of one candidate now. */
struct contact detect_contact(const struct detect *detect, const struct world *world,
                              size_t candidate);

/* Touching or overlapping, to rounding. */
static inline bool detect_is_closed(const struct contact *contact) {
    return contact->gap <= 1e-9 * contact->arm_a;
}

/* Velocities of all bodies, wherever they are kept. */
struct velocities {
    const vec3 *velocity, *omega; /* of body 0 */
    size_t stride;                /* bytes from body to body */
};
static inline vec3 velocities_at(const vec3 *first, size_t stride, talus_index body) {
    return *(const vec3 *)(const void *)((const char *)first + stride * (size_t)body);
}
/* reach[] from these velocities; `widen` never makes it smaller. */
void detect_set_reach(struct detect *detect, const struct world *world,
                      const struct velocities *velocities, double dt, bool widen);
/* reach[] of one boundary from its velocities. */
void detect_set_wall_reach(struct detect *detect, const struct world *world, size_t boundary,
                           vec3 velocity, vec3 omega, double dt);
/* The bodies have moved by reach[]: add up the way of the walls. */
void detect_walls_moved(struct detect *detect, const struct world *world);
/* Make the contacts of this step, in the order of the candidates. */
talus_status detect_contacts(struct detect *detect, const struct world *world,
                             const struct velocities *velocities, double dt, talus_error *err);
/* Candidates outside the contacts that these velocities would push into each other: they are marked
 * to be contacts next time; returns how many. */
size_t detect_missed(struct detect *detect, const struct world *world,
                     const struct velocities *velocities, double dt);
void detect_clear_activated(struct detect *detect);

#endif
