/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/love_weber.h"

#include <math.h>

#include "base/error.h"
#include "measure/box_overlap.h"
#include "measure/tensor.h"

/* ---- sums ------------------------------------------------------------------------------------ */

static double weight_of(const struct snapshot *snapshot, size_t grain, const struct axis_box *box,
                        bool whole) {
    return whole ? 1.0 : snapshot_images_inside(snapshot, snapshot->position[grain], box);
}

static void sum_grains(struct stress_sums *sums, const struct snapshot *snapshot,
                       const struct axis_box *box, bool whole) {
    vec3 momentum = vec3_zero();
    for (size_t i = 0; i < snapshot->count; i++) {
        double weight = weight_of(snapshot, i, box, whole);
        sums->grains += weight;
        sums->mass += weight * snapshot->mass[i];
        sums->solid += weight * snapshot->volume[i];
        sums->width += weight * 2.0 * snapshot->radius[i];
        momentum = vec3_add_scaled(momentum, weight * snapshot->mass[i], snapshot->velocity[i]);
    }
    if (sums->mass > 0.0) sums->velocity = vec3_scale(1.0 / sums->mass, momentum);
    for (size_t i = 0; i < snapshot->count && sums->volume > 0.0; i++) {
        double weight = weight_of(snapshot, i, box, whole);
        vec3 v = vec3_sub(snapshot->velocity[i], sums->velocity);
        if (weight > 0.0)
            tensor_add(&sums->kinetic, weight * snapshot->mass[i] / sums->volume, v, v);
    }
}

struct stress_sums stress_in_box(const struct snapshot *snapshot, const struct axis_box *box,
                                 bool whole) {
    struct stress_sums sums = {.volume = box_volume(box, snapshot->dim)};
    for (size_t c = 0; c < snapshot->contact_count && sums.volume > 0.0; c++) {
        const struct snapshot_contact *contact = &snapshot->contacts[c];
        double share = whole ? 1.0 : snapshot_line_share(snapshot, contact, box);
        if (share > 0.0) /* [Weber1966] */
            tensor_add(&sums.contact, share / sums.volume, contact->branch, contact->force);
    }
    sum_grains(&sums, snapshot, box, whole);
    return sums;
}

/* ---- the system ------------------------------------------------------------------------------ */

static talus_status system_columns(talus_table *table, int dim, talus_error *err) {
    const char *unit = measure_stress_unit(dim);
    const struct measure_column kinetic[] = {{"kinetic_pressure", unit}, {NULL, NULL}};
    const struct measure_column scalars[] = {{"pressure", unit}, {"deviator", unit}, {NULL, NULL}};
    TALUS_TRY(measure_tensor_columns(table, "sigma_", unit, dim, err));
    TALUS_TRY(measure_columns(table, scalars, err));
    TALUS_TRY(principal_columns(table, "sigma_", unit, dim, err));
    TALUS_TRY(measure_tensor_columns(table, "kinetic_", unit, dim, err));
    TALUS_TRY(measure_columns(table, kinetic, err));
    return talus_table_add_column(table, "volume", measure_volume_unit(dim), err);
}

/* q: in the plane (sigma_1 - sigma_2)/2, in space sqrt(3/2 s:s). */
static double deviator_q(const struct principal *principal, int dim) {
    return dim == 2 ? 0.5 * principal->deviation : principal->deviation;
}

static talus_status take_system(const struct measure_input *input, talus_error *err) {
    const struct snapshot *snapshot = input->now;
    int dim = snapshot->dim;
    struct axis_box box = measure_box(input);
    double row[48], *at = row;
    bool whole = !measure_value(input->values, "from")->given;
    bool moving = snapshot->has & HAS_MASS && snapshot->has & HAS_V;
    struct stress_sums sums = stress_in_box(snapshot, &box, whole);
    struct principal principal = tensor_principal(&sums.contact, dim);
    if (!moving) sums.kinetic = tensor_scaled(&sums.kinetic, MEASURE_NONE);
    measure_note_box(input->table, &box, dim);
    talus_table_note(input->table,
                     "sigma: contacts, compression positive; kinetic: sum of m v' v', "
                     "not in sigma");
    if (!moving)
        talus_table_note(input->table,
                         "mass or v were not stored: kinetic parts are nan; without v arms and "
                         "branches are taken from where centres are now");
    TALUS_TRY(system_columns(input->table, dim, err));
    at = measure_put_tensor(at, &sums.contact, dim);
    *at++ = principal.mean;
    *at++ = deviator_q(&principal, dim);
    at = principal_put(at, &principal, dim);
    at = measure_put_tensor(at, &sums.kinetic, dim);
    *at++ = tensor_principal(&sums.kinetic, dim).mean;
    *at = sums.volume;
    return talus_table_add_row(input->table, row, err);
}

/* ---- grains ---------------------------------------------------------------------------------- */

/* sigma_g = (1/V_g) sum over its contacts of r_i f_j: r from its centre to the contact point, f the force that it exerts
 * there. As branch = arm of a - arm of b, the sum of V_g sigma_g is V sigma. */
static void sum_per_grain(const struct snapshot *snapshot, mat3 *sums) {
    for (size_t c = 0; c < snapshot->contact_count; c++) {
        const struct snapshot_contact *contact = &snapshot->contacts[c];
        tensor_add(&sums[contact->a], 1.0, contact->arm, contact->force); /* [Weber1966] */
        if (contact->b < 0) continue;
        vec3 arm = vec3_sub(contact->arm, contact->branch);
        tensor_add(&sums[contact->b], -1.0, arm, contact->force);
    }
}

static talus_status put_grains(const struct measure_input *input, const mat3 *sums,
                               talus_error *err) {
    const struct snapshot *snapshot = input->now;
    int dim = snapshot->dim;
    const char *unit = measure_stress_unit(dim);
    const struct measure_column scalars[] = {{"pressure", unit}, {"deviator", unit}, {NULL, NULL}};
    TALUS_TRY(talus_table_add_column(input->table, "id", "", err));
    TALUS_TRY(measure_vector_columns(input->table, "", "m", dim, err));
    TALUS_TRY(talus_table_add_column(input->table, "volume", measure_volume_unit(dim), err));
    TALUS_TRY(measure_tensor_columns(input->table, "sigma_", unit, dim, err));
    TALUS_TRY(measure_columns(input->table, scalars, err));
    for (size_t i = 0; i < snapshot->count; i++) {
        double row[24], *at = row;
        mat3 stress = tensor_scaled(&sums[i], 1.0 / snapshot->volume[i]);
        struct principal principal = tensor_principal(&stress, dim);
        *at++ = (double)snapshot->id[i];
        at = measure_put_vector(at, snapshot->position[i], dim);
        *at++ = snapshot->volume[i];
        at = measure_put_tensor(at, &stress, dim);
        *at++ = principal.mean;
        *at = deviator_q(&principal, dim);
        TALUS_TRY(talus_table_add_row(input->table, row, err));
    }
    return TALUS_OK;
}

static talus_status take_grains(const struct measure_input *input, talus_error *err) {
    size_t count = input->now->count;
    mat3 *sums = memory_resize(input->memory, NULL, 0, count + 1, sizeof *sums);
    if (sums == NULL) return error_memory(err);
    sum_per_grain(input->now, sums);
    talus_table_note(input->table, "of each grain over its own volume, contacts only, compression "
                                   "positive");
    if (!(input->now->has & HAS_SHAPE)) measure_note_shapes(input->table, input->now);
    talus_status status = put_grains(input, sums, err);
    memory_free(input->memory, sums, count + 1, sizeof *sums);
    return status;
}

talus_status measure_take_stress(const struct measure_input *input, talus_error *err) {
    return (measure_word(input->values, "of") == 0 ? take_system : take_grains)(input, err);
}
