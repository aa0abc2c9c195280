/* SPDX-License-Identifier: Apache-2.0
 *
 * Fabric tensors over force-bearing contacts [Rothenburg1989]:
 *     contacts     F = <n (x) n>                          branches     F = <b (x) b>, b = l/|l|
 *     normal       F = sum f_n n (x) n / sum f_n          tangential   F = sum n (x) f_t / sum f_n
 * The anisotropy a is that of the lowest harmonic with this tensor, from the deviator d of its symmetric part:
 *     in the plane P = (1 + a cos 2(theta - theta_c))/(2 pi):    a = 2 sqrt(2 d:d) = 2 (F_1 - F_2)
 *     in space     P = (1 + a (3 cos^2 theta - 1))/(4 pi):       a = (5/2) sqrt(3/2 d:d)
 * Strong contacts bear more than the mean normal force of those of two grains [Radjai1998].
 */
#include <math.h>

#include "base/error.h"
#include "measure/tensor.h"

enum { CONTACTS, BRANCHES, NORMAL, TANGENTIAL };
enum { ALL, STRONG, WEAK };

static bool is_counted(const struct measure_input *input, const struct snapshot_contact *contact,
                       double least) {
    bool walls = measure_word(input->values, "contacts") == 1;
    return (walls || contact->b >= 0) && vec3_norm(contact->force) > least;
}

struct fabric {
    mat3 sum;
    double weight, contacts, mean; /* mean normal force of contacts of two grains, N */
};

static void add_contact(struct fabric *fabric, const struct snapshot_contact *contact, int of) {
    double force = contact_normal_force(contact), length = vec3_norm(contact->branch);
    fabric->contacts += 1.0;
    fabric->weight += of == NORMAL || of == TANGENTIAL ? force : 1.0;
    if (of == CONTACTS) tensor_add(&fabric->sum, 1.0, contact->normal, contact->normal);
    if (of == BRANCHES && length > 0.0)
        tensor_add(&fabric->sum, 1.0 / (length * length), contact->branch, contact->branch);
    if (of == NORMAL) tensor_add(&fabric->sum, force, contact->normal, contact->normal);
    if (of == TANGENTIAL)
        tensor_add(&fabric->sum, 1.0, contact->normal,
                   vec3_tangential(contact->force, contact->normal));
}

static struct fabric sum_contacts(const struct measure_input *input) {
    double least = snapshot_bearing_force(input->now);
    struct fabric fabric = {.mean = snapshot_strong_force(input->now)};
    int network = measure_word(input->values, "network"), of = measure_word(input->values, "of");
    for (size_t c = 0; c < input->now->contact_count; c++) {
        const struct snapshot_contact *contact = &input->now->contacts[c];
        if (!is_counted(input, contact, least)) continue;
        bool strong = contact_normal_force(contact) > fabric.mean; /* [Radjai1998] */
        if (network != ALL && strong != (network == STRONG)) continue;
        add_contact(&fabric, contact, of);
    }
    return fabric;
}

talus_status measure_take_fabric(const struct measure_input *input, talus_error *err) {
    int dim = input->now->dim;
    struct fabric fabric = sum_contacts(input);
    double row[32], *at = row;
    static const struct measure_column scalars[] = {
        {"anisotropy", ""}, {"contacts", ""}, {"fn_mean", "N"}, {NULL, NULL}};
    mat3 tensor = tensor_scaled(&fabric.sum, fabric.weight > 0.0 ? 1.0 / fabric.weight : 0.0);
    struct principal principal = tensor_principal(&tensor, dim);
    talus_table_note(input->table,
                     "over force-bearing contacts%s; fn_mean: of all of two grains, above "
                     "it a contact is strong",
                     measure_word(input->values, "contacts") == 1 ? ", walls included"
                                                                  : " of two grains");
    TALUS_TRY(measure_tensor_columns(input->table, "F_", "", dim, err));
    TALUS_TRY(measure_columns(input->table, scalars, err));
    TALUS_TRY(principal_columns(input->table, "F_", "", dim, err));
    at = measure_put_tensor(at, &tensor, dim);
    *at++ = (dim == 3 ? 2.5 : 2.0) * principal.deviation; /* [Rothenburg1989] */
    *at++ = fabric.contacts;
    *at++ = fabric.mean;
    principal_put(at, &principal, dim);
    return talus_table_add_row(input->table, row, err);
}
