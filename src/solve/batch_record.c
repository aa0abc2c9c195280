/* SPDX-License-Identifier: Apache-2.0
 * Batches of contacts: what the record of each kind says of a contact. Impulses: batches_load. */
#include "solve/batch.h"

static void set_vec3(double to[3][BATCH_LANES], int l, vec3 from) {
    for (int k = 0; k < 3; k++) to[k][l] = vec3_component(from, k);
}

static void fill_plain(struct batch *to, int l, const struct solve_contact *contact) {
    set_vec3(to->normal, l, contact->normal);
    to->arm_a[l] = contact->arm_a;
    to->arm_b[l] = contact->arm_b;
    to->m_n[l] = contact->m_n;
    to->m_t[l] = contact->m_t;
    to->bias[l] = contact->bias;
    to->mu[l] = contact->mu;
}

static void fill_laws(struct batch_laws *to, int l, const struct solve_contact *contact,
                      const struct combined *law) {
    const struct rolling_block *block = &law->block;
    set_vec3(to->normal, l, contact->normal);
    set_vec3(to->tangent, l, law->tangent);
    to->arm_a[l] = contact->arm_a;
    to->arm_b[l] = contact->arm_b;
    to->m_n[l] = contact->m_n;
    to->bias[l] = contact->bias;
    to->mu[l] = contact->mu;
    to->tension[l] = law->tension;
    to->rolling[l] = law->rolling.factor;
    to->torsion[l] = law->torsion.factor;
    to->rolling_size[l] = law->rolling.size;
    to->torsion_size[l] = law->torsion.size;
    to->m_pp[l] = block->m_pp;
    to->m_ps[l] = block->m_ps;
    to->m_ss[l] = block->m_ss;
    to->m_r[l] = block->m_r;
    to->per_t[l] = block->per_t;
    to->per_r[l] = block->per_r;
    to->w_t[l] = block->w_t;
    to->w_r[l] = block->w_r;
    to->kappa[l] = block->kappa;
    to->shift_t[l] = law->shift_t;
    to->shift_s[l] = law->shift_s;
}

static void fill_skew(struct batch_skew *to, int l, const struct solve_contact *contact,
                      const struct solve_general *general) {
    const struct cone *cone = &general->cone;
    set_vec3(to->normal, l, contact->normal);
    set_vec3(to->tangent, l, general->tangent);
    set_vec3(to->arm_a, l, general->arm_a);
    set_vec3(to->arm_b, l, general->arm_b);
    to->bias[l] = contact->bias;
    to->mu[l] = contact->mu;
    to->w_nn[l] = cone->w_nn;
    to->w_nt[l] = cone->w_nt;
    to->w_ns[l] = cone->w_ns;
    to->inverse_nn[l] = cone->inverse_nn;
    to->s_tt[l] = cone->s_tt;
    to->s_ts[l] = cone->s_ts;
    to->s_ss[l] = cone->s_ss;
    to->per_det[l] = cone->s_det > 0.0 ? 1.0 / cone->s_det : 0.0;
}

static void set_turn(struct batches *batches, const struct problem *problem, int32_t row,
                     talus_index body, int32_t turn) {
    double w = problem->bodies[body].inverse_inertia;
    struct batch_turn *to = &batches->turns[row];
    *to = (struct batch_turn){{w, w, w}};
    if (turn < 0) return;
    const sym3 *inertia = &problem->mobilities[turn].inverse_inertia;
    *to = (struct batch_turn){
        {inertia->xx, inertia->yy, inertia->zz, inertia->xy, inertia->xz, inertia->yz}};
    batches->turns_alike = false;
}

void batch_fill_lane(struct batches *batches, const struct problem *problem,
                     const struct batch_window *window, size_t record, int lane, talus_index at) {
    const struct solve_contact *contact = &problem->contacts[at];
    int32_t rows[2] = {batches->row_a[at], batches->row_b[at]};
    batch_set_rows(batches, window->kind, record, lane, rows);
    if (window->kind == BATCH_COULOMB) {
        fill_plain(&batches->batches[record], lane, contact);
    } else if (window->kind == BATCH_LAWS) {
        const struct combined *law = &problem->combined[contact->combined];
        fill_laws(&batches->laws[record], lane, contact, law);
        if (law->rolling.size != 0.0 || law->torsion.size != 0.0) batches->has_sizes = true;
    } else {
        const struct solve_general *general = &problem->general[contact->general];
        fill_skew(&batches->skew[record], lane, contact, general);
        set_turn(batches, problem, rows[0], contact->a, general->turn_a);
        set_turn(batches, problem, rows[1], contact->b, general->turn_b);
    }
}

/* A contact of a body with itself that nothing presses. */
void batch_empty_lane(struct batches *batches, const struct batch_window *window, size_t record,
                      int lane, int32_t row) {
    static const struct solve_contact none = {.a = 0};
    static const struct combined no_law = {.tension = 0.0};
    static const struct solve_general no_shape = {.coupling = -1};
    batch_set_rows(batches, window->kind, record, lane, (int32_t[2]){row, row});
    if (window->kind == BATCH_COULOMB) fill_plain(&batches->batches[record], lane, &none);
    if (window->kind == BATCH_LAWS) fill_laws(&batches->laws[record], lane, &none, &no_law);
    if (window->kind != BATCH_SKEW) return;
    fill_skew(&batches->skew[record], lane, &none, &no_shape);
    batches->turns[row] = (struct batch_turn){{0.0}};
}
