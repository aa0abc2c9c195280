/* SPDX-License-Identifier: Apache-2.0
 * Batches of contacts: which contact goes where. batches_make, at the end, names the steps. */
#include "solve/batch.h"

#include <stdlib.h>
#include <string.h>

enum { WINDOW_BATCHES = BATCH_WINDOW_BATCHES, KEYS = BATCH_KEYS, NONE = -1 };

struct making {
    struct batches *to;
    const struct problem *problem;
    size_t parts;
    size_t windows; /* so far, also of what did not fit */
    int lanes;      /* to be filled in a batch */
};

/* ---- bodies -------------------------------------------------------------------------------------- */

static bool is_zero(const sym3 *a) {
    return a->xx == 0.0 && a->yy == 0.0 && a->zz == 0.0 && a->xy == 0.0 && a->xz == 0.0 &&
           a->yz == 0.0;
}

/* Does its mobility, if it has one, let it move? Walls that turn as they are told have one that does not. */
static bool has_mobility(const struct problem *problem, const struct solve_general *general,
                         bool is_a) {
    int32_t slide = is_a ? general->slide_a : general->slide_b;
    int32_t turn = is_a ? general->turn_a : general->turn_b;
    return (slide >= 0 && !is_zero(&problem->mobilities[slide].inverse_mass)) ||
           (turn >= 0 && !is_zero(&problem->mobilities[turn].inverse_inertia));
}

static void meet(struct making *making, const struct solve_contact *contact, bool is_a) {
    talus_index body = is_a ? contact->a : contact->b;
    const struct solve_body *row = &making->problem->bodies[body];
    struct batch_body *known = &making->to->bodies[body];
    known->degree++;
    if (row->inverse_mass > 0.0 || row->inverse_inertia > 0.0) known->moves = true;
    if (contact->general < 0) return;
    const struct solve_general *general = &making->problem->general[contact->general];
    int32_t turn = is_a ? general->turn_a : general->turn_b;
    if (has_mobility(making->problem, general, is_a)) known->moves = true;
    if (known->turn == BATCH_UNKNOWN) known->turn = turn;
    if (known->turn != turn) known->is_mixed = true;
}

/* Rows of those that move, in the order of the contacts. */
static void number_bodies(struct making *making) {
    const struct problem *problem = making->problem;
    struct batches *to = making->to;
    for (size_t i = 0; i < problem->body_count; i++)
        to->bodies[i] = (struct batch_body){
            .row = NONE, .set = NONE, .turn = BATCH_UNKNOWN, .window = SIZE_MAX};
    for (size_t k = 0; k < problem->contact_count; k++) {
        meet(making, &problem->contacts[k], true);
        meet(making, &problem->contacts[k], false);
    }
    to->moving_count = 0;
    for (size_t k = 0; k < problem->contact_count; k++) {
        const talus_index both[2] = {problem->contacts[k].a, problem->contacts[k].b};
        for (int side = 0; side < 2; side++) {
            struct batch_body *body = &to->bodies[both[side]];
            if (!body->moves || body->row != NONE) continue;
            body->row = (int32_t)to->moving_count++;
            to->body_of[body->row] = both[side];
        }
    }
    to->row_count = to->moving_count;
}

/* ---- sets ---------------------------------------------------------------------------------------- */

static size_t part_of(const struct making *making, const struct batch_body *body) {
    return (size_t)body->row * making->parts / making->to->moving_count;
}

/* NONE: a body with very many contacts is in it. */
static int key_of(const struct making *making, const struct solve_contact *contact) {
    const struct batch_body *a = &making->to->bodies[contact->a];
    const struct batch_body *b = &making->to->bodies[contact->b];
    bool many = (a->moves && a->degree > BATCH_HUB) || (b->moves && b->degree > BATCH_HUB);
    if (many) return NONE;
    if (!a->moves && !b->moves) return 0;
    size_t p = part_of(making, a->moves ? a : b), q = part_of(making, b->moves ? b : a);
    return (int)(p < q ? p * BATCH_PARTS_MOST + q : q * BATCH_PARTS_MOST + p);
}

/* The first colour in which neither part is busy. Parts themselves have the first one. */
static void colour_pair(struct pairs_of_parts *pairs, int key) {
    int p = key / BATCH_PARTS_MOST, q = key % BATCH_PARTS_MOST;
    uint64_t both = (uint64_t)1 << p | (uint64_t)1 << q;
    int32_t colour = p == q ? 0 : 1;
    while (p != q && (pairs->busy[colour] & both) != 0) colour++;
    pairs->busy[colour] |= both;
    pairs->colour[key] = colour;
    if (colour + 1 > pairs->colours) pairs->colours = colour + 1;
}

static int compare_pairs(const void *a, const void *b) {
    const struct pair_of_parts *left = a, *right = b;
    if (left->contacts != right->contacts) return left->contacts > right->contacts ? -1 : 1;
    return (left->key > right->key) - (left->key < right->key);
}

/* Threads wait for the largest set of a colour. So those that are large share colours: they choose first. */
static void colour_pairs(const struct making *making, struct pairs_of_parts *pairs) {
    const struct problem *problem = making->problem;
    memset(pairs->busy, 0, sizeof pairs->busy);
    for (int key = 0; key < KEYS; key++) {
        pairs->largest_first[key] = (struct pair_of_parts){key, 0};
        pairs->colour[key] = NONE;
    }
    pairs->colours = 0;
    for (size_t k = 0; k < problem->contact_count; k++) {
        int key = key_of(making, &problem->contacts[k]);
        making->to->set_of[k] = key;
        if (key != NONE) pairs->largest_first[key].contacts++;
    }
    qsort(pairs->largest_first, KEYS, sizeof *pairs->largest_first, compare_pairs);
    for (int k = 0; k < KEYS && pairs->largest_first[k].contacts > 0; k++)
        colour_pair(pairs, pairs->largest_first[k].key);
}

/* Sets in the order of their colours; the last colour has one set, of bodies with many contacts. */
static bool make_sets(struct making *making, struct pairs_of_parts *pairs) {
    struct batches *to = making->to;
    size_t count = 0;
    colour_pairs(making, pairs);
    if (!batches_reserve_colours(to, (size_t)pairs->colours + 2)) return false;
    for (int32_t colour = 0; colour < pairs->colours; colour++) {
        to->colour_first[colour] = count;
        for (int key = 0; key < KEYS; key++)
            if (pairs->colour[key] == colour) pairs->set[key] = (int32_t)count++;
    }
    to->colour_first[pairs->colours] = count++;
    to->colour_count = (size_t)pairs->colours + 1;
    to->colour_first[to->colour_count] = to->set_count = count;
    for (size_t k = 0; k < making->problem->contact_count; k++)
        to->set_of[k] = to->set_of[k] == NONE ? (int32_t)count - 1 : pairs->set[to->set_of[k]];
    return batches_reserve_sets(to, count + 1);
}

/* Contacts by set, in their order. */
static void sort_contacts(const struct making *making) {
    struct batches *to = making->to;
    size_t count = making->problem->contact_count, *first = to->set_first;
    memset(first, 0, (to->set_count + 1) * sizeof *first);
    for (size_t k = 0; k < count; k++) first[to->set_of[k] + 1]++;
    for (size_t set = 0; set < to->set_count; set++) first[set + 1] += first[set];
    for (size_t k = 0; k < count; k++) to->sorted[first[to->set_of[k]]++] = (talus_index)k;
    memmove(first + 1, first, to->set_count * sizeof *first);
    first[0] = 0;
}

/* ---- copies of bodies that do not move -------------------------------------------------------------- */

static size_t copy_body(struct batches *to, talus_index i, size_t set, bool count_only) {
    struct batch_body *body = &to->bodies[i];
    if (body->moves || body->set == (int32_t)set) return 0;
    body->set = (int32_t)set;
    if (count_only) return 1;
    to->body_of[to->row_count] = i;
    body->row = (int32_t)to->row_count++;
    return 1;
}

/* How many copies the sets need. */
static size_t count_copies(const struct making *making) {
    struct batches *to = making->to;
    size_t count = 0;
    for (size_t set = 0; set < to->set_count; set++)
        for (size_t k = to->set_first[set]; k < to->set_first[set + 1]; k++) {
            const struct solve_contact *contact = &making->problem->contacts[to->sorted[k]];
            count += copy_body(to, contact->a, set, true) + copy_body(to, contact->b, set, true);
        }
    for (size_t i = 0; i < making->problem->body_count; i++) to->bodies[i].set = NONE;
    return count;
}

/* ---- kinds ----------------------------------------------------------------------------------------- */

/* Its mass is that of its row, in all directions. */
static bool slides_alike(const struct problem *problem, talus_index body, int32_t slide) {
    if (slide < 0) return true;
    const sym3 *w = &problem->mobilities[slide].inverse_mass;
    double row = problem->bodies[body].inverse_mass;
    return w->xx == row && w->yy == row && w->zz == row && w->xy == 0.0 && w->xz == 0.0 &&
           w->yz == 0.0;
}

/* In the last set contacts share a body: a batch would have one lane. */
static enum batch_kind kind_of(const struct making *making, const struct solve_contact *contact,
                               size_t set) {
    const struct problem *problem = making->problem;
    if (set + 1 == making->to->set_count) return BATCH_SINGLE;
    if (contact_is_plain(contact)) return BATCH_COULOMB;
    if (contact->general < 0) return BATCH_LAWS;
    const struct solve_general *general = &problem->general[contact->general];
    bool is_mixed =
        making->to->bodies[contact->a].is_mixed || making->to->bodies[contact->b].is_mixed;
    if (contact->combined >= 0 || is_mixed) return BATCH_SINGLE;
    return slides_alike(problem, contact->a, general->slide_a) &&
                   slides_alike(problem, contact->b, general->slide_b)
               ? BATCH_SKEW
               : BATCH_SINGLE;
}

/* ---- windows --------------------------------------------------------------------------------------- */

struct window {
    uint64_t open[WINDOW_BATCHES / 64]; /* batches with an empty lane */
    uint8_t filled[WINDOW_BATCHES];
    size_t used;
};

static void forget_window(struct batch_body *body, size_t window) {
    if (body->window == window) return;
    body->window = window;
    memset(body->taken, 0, sizeof body->taken);
}

/* The first batch with an empty lane and neither body; NONE: there is no such. */
static int find_batch(const struct window *window, const struct batch_body *a,
                      const struct batch_body *b) {
    for (int word = 0; word < WINDOW_BATCHES / 64; word++) {
        uint64_t taken = (a->moves ? a->taken[word] : 0) | (b->moves ? b->taken[word] : 0);
        uint64_t free = window->open[word] & ~taken;
        if (free != 0) return 64 * word + __builtin_ctzll(free);
    }
    return NONE;
}

static bool place(struct making *making, struct window *window, talus_index contact) {
    struct batches *to = making->to;
    struct batch_body *a = &to->bodies[making->problem->contacts[contact].a];
    struct batch_body *b = &to->bodies[making->problem->contacts[contact].b];
    forget_window(a, making->windows);
    forget_window(b, making->windows);
    int batch = find_batch(window, a, b);
    if (batch == NONE) return false;
    uint64_t bit = (uint64_t)1 << (batch % 64);
    talus_index *lanes = to->contact_of + (to->batch_count + (size_t)batch) * BATCH_LANES;
    if ((size_t)batch >= window->used) {
        window->used = (size_t)batch + 1;
        for (int l = 0; l < BATCH_LANES; l++) lanes[l] = NONE;
    }
    lanes[window->filled[batch]++] = contact;
    if (window->filled[batch] == making->lanes) window->open[batch / 64] &= ~bit;
    a->taken[batch / 64] |= bit;
    b->taken[batch / 64] |= bit;
    return true;
}

/* Neighbours in line would go to two batches in turns, and no disturbance could run through three contacts in one sweep. */
static void shuffle(talus_index *list, size_t count, uint64_t state) {
    for (size_t k = count; k > 1; k--) {
        size_t other = batch_below(&state, k);
        talus_index swap = list[k - 1];
        list[k - 1] = list[other];
        list[other] = swap;
    }
}

struct list { /* contacts of one kind that wait for their window */
    talus_index contacts[BATCH_WINDOW];
    size_t count;
};

/* What a contact will probably do: it has no impulse; it slides; it rests. */
enum state { STATE_OPEN, STATE_SLIDES, STATE_RESTS, STATES };

/* By the first guess. */
static enum state state_of(const struct problem *problem, const struct solve_contact *contact) {
    vec3 p = contact->impulse;
    double push = vec3_dot(p, contact->normal), tension = 0.0;
    if (vec3_norm2(p) == 0.0) return STATE_OPEN;
    if (contact->combined >= 0) tension = problem->combined[contact->combined].tension;
    double limit = 0.999 * contact->mu * (push + tension);
    return vec3_norm2(p) - push * push > limit * limit ? STATE_SLIDES : STATE_RESTS;
}

/* Those that find no place go first into the next window. Contacts that will do the same go together: what only some
 * contacts need is then needed in few batches. */
static void fill_window(struct making *making, enum batch_kind kind, struct list *list) {
    struct batches *to = making->to;
    struct window window = {.open = {UINT64_MAX, UINT64_MAX}};
    size_t left = 0, open = 0;
    shuffle(list->contacts, list->count, batch_seed(to->seed, 0, making->windows));
    uint8_t states[BATCH_WINDOW];
    for (size_t k = 0; k < list->count; k++)
        states[k] =
            (uint8_t)state_of(making->problem, &making->problem->contacts[list->contacts[k]]);
    talus_index unplaced[BATCH_WINDOW];
    for (int state = 0; state < STATES; state++) {
        for (size_t k = 0; k < list->count; k++)
            if (states[k] == state && !place(making, &window, list->contacts[k]))
                unplaced[left++] = list->contacts[k];
        if (state == STATE_OPEN) open = window.used;
    }
    memcpy(list->contacts, unplaced, left * sizeof *unplaced);
    to->windows[to->window_count] = (struct batch_window){kind, to->record_count[kind], open};
    to->window_first[to->window_count++] = to->batch_count;
    to->batch_count += window.used;
    to->record_count[kind] += window.used;
    making->windows++;
    list->count = left;
}

static void add_contact(struct making *making, size_t set, talus_index at,
                        struct list lists[BATCH_KINDS]) {
    struct batches *to = making->to;
    const struct solve_contact *contact = &making->problem->contacts[at];
    copy_body(to, contact->a, set, false);
    copy_body(to, contact->b, set, false);
    to->row_a[at] = to->bodies[contact->a].row;
    to->row_b[at] = to->bodies[contact->b].row;
    enum batch_kind kind = kind_of(making, contact, set);
    if (kind == BATCH_SINGLE) {
        to->singles[to->single_count++] =
            (struct batch_single){at, to->bodies[contact->a].row, to->bodies[contact->b].row};
        return;
    }
    struct list *list = &lists[kind];
    list->contacts[list->count++] = at;
    if (list->count == BATCH_WINDOW) fill_window(making, kind, list);
}

static void fill_set(struct making *making, size_t set) {
    struct batches *to = making->to;
    struct list lists[BATCH_KINDS];
    for (int kind = 0; kind < BATCH_KINDS; kind++) lists[kind].count = 0;
    to->sets[set].first_window = to->window_count;
    to->sets[set].first_single = to->single_count;
    for (size_t k = to->set_first[set]; k < to->set_first[set + 1]; k++)
        add_contact(making, set, to->sorted[k], lists);
    for (int kind = 0; kind < BATCH_KINDS; kind++)
        while (lists[kind].count > 0) fill_window(making, (enum batch_kind)kind, &lists[kind]);
    to->sets[set].last_window = to->window_count;
    to->sets[set].last_single = to->single_count;
    to->sets[set].empty_row = (int32_t)to->row_count; /* for its empty lanes */
    for (int l = 0; l < BATCH_LANES; l++) to->body_of[to->row_count++] = NONE;
}

/* ---- records ------------------------------------------------------------------------------------- */

static void fill_records(const struct making *making, size_t at, int32_t empty_row) {
    struct batches *to = making->to;
    const struct batch_window *window = &to->windows[at];
    size_t first = to->window_first[at], count = to->window_first[at + 1] - first;
    for (size_t k = 0; k < count; k++)
        for (int l = 0; l < BATCH_LANES; l++) {
            talus_index contact = to->contact_of[(first + k) * BATCH_LANES + (size_t)l];
            if (contact != NONE)
                batch_fill_lane(to, making->problem, window, window->record + k, l, contact);
            else
                batch_empty_lane(to, window, window->record + k, l, empty_row + (int32_t)l);
        }
}

/* Few contacts in few batches would not be in a random order any more: many would be visited at once with their
 * neighbours' neighbours. Of so few nobody minds the time. */
static int lanes_for(size_t contacts) {
    size_t lanes = contacts / 32;
    return lanes < 1 ? 1 : lanes < BATCH_LANES ? (int)lanes : BATCH_LANES;
}

/* An even number: most machines have as many processors. */
static size_t parts_for(size_t contacts) {
    size_t pairs = (contacts + BATCH_PART) / (2 * BATCH_PART);
    if (contacts < BATCH_PARTED) return 1;
    if (pairs < 1) pairs = 1;
    return 2 * pairs < BATCH_PARTS_MOST ? 2 * pairs : BATCH_PARTS_MOST;
}

bool batches_make(struct batches *batches, const struct problem *problem, bool with_history,
                  uint64_t seed) {
    struct making making = {.to = batches, .problem = problem};
    batches->seed = seed;
    batches->has_history = with_history;
    if (!batches_reserve(batches, problem)) return false;
    making.parts = parts_for(problem->contact_count);
    batches->batch_count = batches->window_count = batches->single_count = 0;
    memset(batches->record_count, 0, sizeof batches->record_count);
    batches->turns_alike = true;
    batches->has_sizes = false;
    making.lanes = lanes_for(problem->contact_count);
    number_bodies(&making);
    if (!make_sets(&making, batches->pairs)) return false;
    sort_contacts(&making);
    size_t copies = count_copies(&making);
    size_t more = copies + batches->set_count * BATCH_LANES;
    if (!batches_reserve_rows(batches, more, with_history, problem->general_count > 0))
        return false;
    for (size_t set = 0; set < batches->set_count; set++) fill_set(&making, set);
    batches->window_first[batches->window_count] = batches->batch_count;
    if (!batches_reserve_records(batches, with_history)) return false;
    for (size_t set = 0; set < batches->set_count; set++)
        for (size_t k = batches->sets[set].first_window; k < batches->sets[set].last_window; k++)
            fill_records(&making, k, batches->sets[set].empty_row);
    return true;
}
