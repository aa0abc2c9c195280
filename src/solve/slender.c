/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/slender.h"

#include <math.h>
#include <stdint.h>

#include "solve/measures.h"

/* Contacts: larger problems are not asked. And how many there are for each level of something one block wide: in the plane two and
 * those with a neighbour, in space four and more. Round grains in a packing have half as many contacts
 * as neighbours, of which there are about four in the plane and six in space. */
enum { CONTACTS_MOST = 16384, CONTACTS_IN_PLANE = 4, CONTACTS_IN_SPACE = 8 };
enum { ROUND_IN_PLANE = 2, ROUND_IN_SPACE = 3 };
/* Levels: below it nothing bends that sweeps would not see. And height over width: heaps and beds are below it. */
enum { DEPTH_LEAST = 6, SLENDER = 2 };

static bool bears_moment(const struct problem *problem, const struct solve_contact *contact) {
    return contact->combined >= 0 && problem->combined[contact->combined].rolling.factor > 0.0;
}

/* Round grains have one contact with each other, which bears no moment unless it resists rolling: others bend nothing. */
static bool is_level(const struct problem *problem, const struct solve_contact *contact) {
    return contact_counts(contact) && (contact->general >= 0 || bears_moment(problem, contact));
}

/* What cannot turn stands: walls, also those that slide. */
static bool stands(const struct problem *problem, const struct solve_contact *contact, bool is_a) {
    int32_t turn = -1;
    if (contact->general >= 0) {
        const struct solve_general *general = &problem->general[contact->general];
        turn = is_a ? general->turn_a : general->turn_b;
    }
    if (turn < 0) return problem->bodies[is_a ? contact->a : contact->b].inverse_inertia == 0.0;
    const sym3 *inertia = &problem->mobilities[turn].inverse_inertia;
    return inertia->xx + inertia->yy + inertia->zz == 0.0; /* the trace of what is not negative */
}

static bool lower(talus_index *depth, talus_index from) {
    if (from == INT32_MAX || *depth <= from + 1) return false;
    *depth = from + 1;
    return true;
}

/* Once through all contacts, to and fro: those in the order of space need few rounds. */
static bool pass_on(const struct problem *problem, talus_index *depth) {
    bool changed = false;
    size_t count = problem->contact_count;
    for (size_t k = 0; k < 2 * count; k++) {
        const struct solve_contact *contact = &problem->contacts[k < count ? k : 2 * count - 1 - k];
        if (!is_level(problem, contact)) continue;
        changed = lower(&depth[contact->b], depth[contact->a]) || changed;
        changed = lower(&depth[contact->a], depth[contact->b]) || changed;
    }
    return changed;
}

double slender_share(const struct problem *problem, talus_index *depth) {
    size_t count = problem->contact_count;
    if (count > CONTACTS_MOST) return 1.0;
    for (size_t i = 0; i < problem->body_count; i++) depth[i] = INT32_MAX;
    size_t edges = 0, hinges = 0; /* contacts of shapes; round ones */
    bool plane = true;
    for (size_t k = 0; k < count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        if (!is_level(problem, contact)) continue;
        if (stands(problem, contact, true)) depth[contact->a] = 0;
        if (stands(problem, contact, false)) depth[contact->b] = 0;
        plane = plane && contact->normal.z == 0.0;
        if (contact->general >= 0)
            edges++;
        else
            hinges++;
    }
    talus_index deepest = 0;
    while (pass_on(problem, depth)) continue;
    for (size_t i = 0; i < problem->body_count; i++)
        if (depth[i] != INT32_MAX && depth[i] > deepest) deepest = depth[i];
    if (deepest < DEPTH_LEAST) return 1.0;
    double edges_wide = (double)edges / (plane ? CONTACTS_IN_PLANE : CONTACTS_IN_SPACE);
    double hinges_wide = (double)hinges / (plane ? ROUND_IN_PLANE : ROUND_IN_SPACE);
    double width = fmax(1.0, (edges_wide + hinges_wide) / deepest);
    double slenderness = deepest / width;
    return slenderness > SLENDER ? 0.25 / (slenderness * slenderness) : 1.0;
}
