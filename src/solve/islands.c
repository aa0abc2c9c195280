/* SPDX-License-Identifier: Apache-2.0
 * Islands: joined by a forest of bodies, numbered by their first contacts. */
#include "solve/islands.h"

#include "solve/batch.h"

enum { NONE = -1 };

#define RESERVE(field, capacity, needed)                                                 \
    {                                                                                    \
        void *block = memory_reserve(memory, islands->field, &islands->capacity, needed, \
                                     sizeof *islands->field);                            \
        if (block == NULL) return false;                                                 \
        islands->field = block;                                                          \
    }

/* ---- which bodies hang together ------------------------------------------------------------------- */

static bool is_zero(const sym3 *m) { /* none of them is negative */
    return m->xx == 0.0 && m->yy == 0.0 && m->zz == 0.0;
}

/* Pistons and hinges. */
static bool has_mobility(const struct problem *problem, int32_t slide, int32_t turn) {
    return (slide >= 0 && !is_zero(&problem->mobilities[slide].inverse_mass)) ||
           (turn >= 0 && !is_zero(&problem->mobilities[turn].inverse_inertia));
}

static void start_bodies(struct island_body *nodes, const struct problem *problem) {
    for (size_t i = 0; i < problem->body_count; i++) {
        const struct solve_body *row = &problem->bodies[i];
        nodes[i] = (struct island_body){
            (int32_t)i, NONE, NONE, row->inverse_mass > 0.0 || row->inverse_inertia > 0.0, false};
    }
    if (problem->mobility_count == 0) return;
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        if (contact->general < 0) continue;
        const struct solve_general *general = &problem->general[contact->general];
        if (has_mobility(problem, general->slide_a, general->turn_a))
            nodes[contact->a].moves = true;
        if (has_mobility(problem, general->slide_b, general->turn_b))
            nodes[contact->b].moves = true;
    }
}

/* With halved paths, so that they stay short. */
static int32_t root_of(struct island_body *nodes, int32_t i) {
    while (nodes[i].parent != i) {
        nodes[i].parent = nodes[nodes[i].parent].parent;
        i = nodes[i].parent;
    }
    return i;
}

/* Were they apart? */
static bool join(struct island_body *nodes, talus_index a, talus_index b) {
    if (nodes[a].parent == nodes[b].parent) return false;
    int32_t root_a = root_of(nodes, a), root_b = root_of(nodes, b);
    if (root_a < root_b)
        nodes[root_b].parent = root_a;
    else
        nodes[root_a].parent = root_b;
    return root_a != root_b;
}

static bool is_new(struct island_body *node) {
    bool new = node->moves && !node->met;
    node->met = true;
    return new;
}

/* How many islands there are: bodies that move, less the joints between them. Contacts between bodies that do not move are
 * islands of their own. */
static size_t join_all(struct island_body *nodes, const struct problem *problem) {
    size_t count = 0;
    for (size_t k = 0; k < problem->contact_count; k++) {
        talus_index a = problem->contacts[k].a, b = problem->contacts[k].b;
        count += is_new(&nodes[a]);
        count += is_new(&nodes[b]);
        if (nodes[a].moves && nodes[b].moves)
            count -= join(nodes, a, b);
        else if (!nodes[a].moves && !nodes[b].moves)
            count++;
    }
    return count;
}

/* In the order of their first contacts. */
static void number_islands(struct islands *islands, const struct problem *problem) {
    struct island_body *nodes = islands->nodes;
    int32_t count = 0;
    for (size_t k = 0; k < problem->contact_count; k++) {
        const struct solve_contact *contact = &problem->contacts[k];
        talus_index body = nodes[contact->a].moves ? contact->a : contact->b;
        int32_t root = root_of(nodes, body), island = nodes[body].moves ? nodes[root].island : NONE;
        if (island == NONE) {
            island = count++;
            islands->list[island] = (struct island){.identity = (talus_index)k, .batches = NONE};
            nodes[root].island = island;
        }
        islands->island_of[k] = island;
        islands->list[island].contact_count++;
    }
}

bool islands_reserve(struct islands *islands, struct memory *memory, size_t contacts) {
    size_t bodies = 2 * contacts;
    RESERVE(list, list_capacity, contacts)
    RESERVE(island_of, island_of_capacity, contacts)
    RESERVE(contact_of, contact_of_capacity, contacts)
    RESERVE(contacts, contact_capacity, contacts)
    RESERVE(body_of, body_of_capacity, bodies)
    RESERVE(bodies, body_capacity, bodies)
    RESERVE(positions, position_capacity, bodies)
    return true;
}

bool islands_find(struct islands *islands, struct memory *memory, const struct problem *problem) {
    islands->count = 0;
    RESERVE(nodes, node_capacity, problem->body_count)
    start_bodies(islands->nodes, problem);
    size_t count = join_all(islands->nodes, problem);
    if (count > 1) {
        RESERVE(list, list_capacity, count)
        RESERVE(island_of, island_of_capacity, problem->contact_count)
        number_islands(islands, problem);
    }
    islands->count = count;
    return true;
}

bool islands_are_nearly_one(const struct islands *islands) {
    size_t contacts = 0, most = 0;
    for (size_t i = 0; i < islands->count && islands->count > 1; i++) {
        contacts += islands->list[i].contact_count;
        if (islands->list[i].contact_count > most) most = islands->list[i].contact_count;
    }
    return islands->count > 1 && most * 20 >= contacts * 19;
}

/* ---- copies ---------------------------------------------------------------------------------------- */

static void sort_contacts(struct islands *islands, size_t contacts) {
    size_t first = 0;
    for (size_t i = 0; i < islands->count; i++) {
        islands->list[i].first_contact = first;
        first += islands->list[i].contact_count;
        islands->list[i].contact_count = 0;
    }
    for (size_t k = 0; k < contacts; k++) {
        struct island *island = &islands->list[islands->island_of[k]];
        islands->contact_of[island->first_contact + island->contact_count++] = (talus_index)k;
    }
}

static bool copy_body(struct islands *islands, struct memory *memory, const struct problem *problem,
                      talus_index *body, int32_t number) {
    struct island_body *node = &islands->nodes[*body];
    struct island *island = &islands->list[number];
    if (node->row == NONE || node->island != number) {
        size_t at = islands->body_count;
        RESERVE(body_of, body_of_capacity, at + 1)
        RESERVE(bodies, body_capacity, at + 1)
        islands->body_of[at] = node->moves ? *body : ~*body;
        islands->bodies[at] = problem->bodies[*body];
        if (problem->positions != NULL) {
            RESERVE(positions, position_capacity, at + 1)
            islands->positions[at] = problem->positions[*body];
        }
        node->island = number;
        node->row = (int32_t)island->body_count++;
        islands->body_count++;
    }
    *body = node->row;
    return true;
}

static bool copy_island(struct islands *islands, struct memory *memory,
                        const struct problem *problem, int32_t number) {
    struct island *island = &islands->list[number];
    island->first_body = islands->body_count;
    for (size_t k = 0; k < island->contact_count; k++) {
        struct solve_contact *contact = &islands->contacts[island->first_contact + k];
        *contact = problem->contacts[islands->contact_of[island->first_contact + k]];
        if (!copy_body(islands, memory, problem, &contact->a, number)) return false;
        if (!copy_body(islands, memory, problem, &contact->b, number)) return false;
        island->general_count += contact->general >= 0;
        island->combined_count += contact->combined >= 0;
    }
    return true;
}

static double free_norm(const struct islands *islands, const struct problem *whole,
                        const struct island *island) {
    struct problem problem = island_problem(islands, whole, island);
    return problem_free_norm(&problem);
}

bool islands_copy(struct islands *islands, struct memory *memory, const struct problem *problem,
                  bool with_norms) {
    RESERVE(contact_of, contact_of_capacity, problem->contact_count)
    RESERVE(contacts, contact_capacity, problem->contact_count)
    sort_contacts(islands, problem->contact_count);
    islands->body_count = 0;
    for (size_t i = 0; i < islands->count; i++) {
        if (!copy_island(islands, memory, problem, (int32_t)i)) return false;
        if (with_norms) islands->list[i].q_norm = free_norm(islands, problem, &islands->list[i]);
    }
    return true;
}

void island_shuffle(struct islands *islands, const struct island *island, uint64_t seed) {
    talus_index *contact_of = islands->contact_of + island->first_contact;
    struct solve_contact *contacts = islands->contacts + island->first_contact;
    for (size_t k = island->contact_count; k > 1; k--) {
        size_t other = batch_below(&seed, k);
        struct solve_contact contact = contacts[k - 1];
        talus_index number = contact_of[k - 1];
        contacts[k - 1] = contacts[other];
        contact_of[k - 1] = contact_of[other];
        contacts[other] = contact;
        contact_of[other] = number;
    }
}

#define FREE(field, capacity) \
    memory_free(memory, islands->field, islands->capacity, sizeof *islands->field);

void islands_free(struct islands *islands, struct memory *memory) {
    FREE(list, list_capacity)
    FREE(nodes, node_capacity)
    FREE(island_of, island_of_capacity)
    FREE(contact_of, contact_of_capacity)
    FREE(contacts, contact_capacity)
    FREE(body_of, body_of_capacity)
    FREE(bodies, body_capacity)
    FREE(positions, position_capacity)
}

/* ---- in and out ------------------------------------------------------------------------------------ */

struct problem island_problem(const struct islands *islands, const struct problem *whole,
                              const struct island *island) {
    struct problem problem = *whole;
    problem.contacts = islands->contacts + island->first_contact;
    problem.contact_count = island->contact_count;
    problem.bodies = islands->bodies + island->first_body;
    problem.body_count = island->body_count;
    if (whole->positions != NULL) problem.positions = islands->positions + island->first_body;
    problem.general_count = island->general_count;
    problem.combined_count = island->combined_count;
    problem.q_norm = island->q_norm;
    return problem;
}

void island_load(struct islands *islands, const struct problem *whole,
                 const struct island *island) {
    for (size_t k = 0; k < island->contact_count; k++) {
        size_t at = island->first_contact + k;
        islands->contacts[at].impulse = whole->contacts[islands->contact_of[at]].impulse;
    }
    for (size_t k = 0; k < island->body_count; k++) {
        size_t at = island->first_body + k;
        talus_index body = islands->body_of[at];
        islands->bodies[at] = whole->bodies[body >= 0 ? body : ~body];
    }
}

void island_store(const struct islands *islands, struct problem *whole,
                  const struct island *island) {
    for (size_t k = 0; k < island->contact_count; k++) {
        size_t at = island->first_contact + k;
        whole->contacts[islands->contact_of[at]].impulse = islands->contacts[at].impulse;
    }
    for (size_t k = 0; k < island->body_count; k++) {
        size_t at = island->first_body + k;
        if (islands->body_of[at] >= 0) whole->bodies[islands->body_of[at]] = islands->bodies[at];
    }
}
