/* SPDX-License-Identifier: Apache-2.0
 *
 * Profiles along an axis. In a slab k of volume V_k, with the exact share V_ik of each ball in it and w_ik = m_i V_ik/V_i:
 *     packing fraction   sum V_ik/V_k            mean velocity   V = sum w_ik v_i / sum w_ik, rotation the same
 *     temperature        sum w_ik |v_i - V|^2 / (dim sum w_ik)
 *     stress             (1/V_k) sum over contacts of s_ck l (x) f, s_ck the share of the branch l inside [Weber1966]
 *     coordination       mean of the grains whose centres are inside
 * Grains that are not round are where their centre is.
 */
#include "measure/profile.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "measure/box_overlap.h"
#include "measure/tensor.h"

enum { AXIS_RADIAL = 3 }; /* of the words of `axis` */

/* ---- bins ------------------------------------------------------------------------------------ */

static struct axis_box slab_of(const struct profile *profile, size_t k) {
    struct axis_box box = profile->box;
    box.low[profile->axis] = profile->bin[k].from;
    box.high[profile->axis] = profile->bin[k].to;
    return box;
}

/* For lines the box around all grains has no end: contact points on walls may lie a gap outside. */
static struct axis_box line_slab(const struct profile *profile, const struct snapshot *snapshot,
                                 size_t k) {
    struct axis_box box = slab_of(profile, k);
    if (profile->box_given) return box;
    for (int axis = 0; axis < snapshot->dim; axis++) {
        if (snapshot->cell.periodic[axis]) continue;
        if (axis != profile->axis || k == 0) box.low[axis] = -HUGE_VAL;
        if (axis != profile->axis || k + 1 == profile->bins) box.high[axis] = HUGE_VAL;
    }
    return box;
}

static void make_slabs(struct profile *profile, int dim) {
    double low = profile->box.low[profile->axis], high = profile->box.high[profile->axis];
    for (size_t k = 0; k < profile->bins; k++) {
        struct profile_bin *bin = &profile->bin[k];
        bin->from = low + (high - low) * (double)k / (double)profile->bins;
        bin->to = k + 1 == profile->bins
                      ? high
                      : low + (high - low) * (double)(k + 1) / (double)profile->bins;
        struct axis_box slab = slab_of(profile, k);
        bin->volume = box_volume(&slab, dim);
    }
}

/* Bins that an interval along the axis, or one of its images, can touch, in rising order and each once. */
struct touched {
    const struct profile *profile;
    double low, high, period; /* 0: open */
    int shift, last_shift;
    size_t next, end;
    size_t done; /* bins below were given out */
};

static size_t bin_at(const struct profile *profile, double x) {
    double low = profile->bin[0].from, high = profile->bin[profile->bins - 1].to;
    double place = floor((x - low) / (high - low) * (double)profile->bins);
    if (!(place > 0.0)) return 0;
    return place < (double)profile->bins ? (size_t)place : profile->bins - 1;
}

static struct touched touched_start(const struct profile *profile, const struct snapshot *snapshot,
                                    double low, double high) {
    struct touched touched = {.profile = profile, .low = low, .high = high};
    if (!snapshot->cell.periodic[profile->axis]) return touched;
    double first = profile->bin[0].from, last = profile->bin[profile->bins - 1].to;
    touched.period = vec3_component(snapshot->cell.size, profile->axis);
    touched.shift = (int)ceil((first - high) / touched.period);
    touched.last_shift = (int)floor((last - low) / touched.period);
    return touched;
}

static bool touched_next(struct touched *touched, size_t *bin) {
    const struct profile *profile = touched->profile;
    while (touched->next >= touched->end) {
        if (touched->shift > touched->last_shift) return false;
        double way = touched->period * touched->shift++;
        /* One more on each side, for rounding. */
        size_t from = bin_at(profile, touched->low + way),
               to = bin_at(profile, touched->high + way);
        touched->next = from > 0 ? from - 1 : 0;
        if (touched->next < touched->done) touched->next = touched->done;
        touched->end = to + 2 < profile->bins ? to + 2 : profile->bins;
    }
    *bin = touched->next++;
    touched->done = touched->next;
    return true;
}

/* ---- sums ------------------------------------------------------------------------------------ */

void profile_add_share(const struct profile *profile, const struct snapshot *snapshot, size_t grain,
                       struct profile_bin *bin, struct profile_share share) {
    double w = snapshot->mass[grain] * share.part;
    vec3 v = vec3_sub(share.velocity, profile->drift);
    bin->solid += snapshot->volume[grain] * share.part;
    bin->mass += w;
    bin->moment += w * share.place;
    bin->momentum = vec3_add_scaled(bin->momentum, w, v);
    bin->spin = vec3_add_scaled(bin->spin, w, share.omega);
    bin->square += w * vec3_norm2(v);
}

/* Where its image nearest to the bin is, for the moment. */
static double place_near(const struct snapshot *snapshot, int axis, double x, double centre) {
    if (!snapshot->cell.periodic[axis]) return x;
    return centre + cell_nearest(x - centre, vec3_component(snapshot->cell.size, axis));
}

static void add_grains(struct profile *profile, const struct snapshot *snapshot) {
    for (size_t i = 0; i < snapshot->count; i++) {
        double x = vec3_component(snapshot->position[i], profile->axis), r = snapshot->radius[i];
        struct touched touched = touched_start(profile, snapshot, x - r, x + r);
        size_t k;
        while (touched_next(&touched, &k)) {
            struct profile_bin *bin = &profile->bin[k];
            struct axis_box slab = slab_of(profile, k);
            double volume = snapshot_overlap(snapshot, i, &slab);
            if (!(volume > 0.0)) continue;
            double place = place_near(snapshot, profile->axis, x, 0.5 * (bin->from + bin->to));
            profile_add_share(profile, snapshot, i, bin,
                              (struct profile_share){.part = volume / snapshot->volume[i],
                                                     .place = place,
                                                     .velocity = snapshot->velocity[i],
                                                     .omega = snapshot->omega[i]});
        }
        vec3 at = snapshot->position[i];
        k = bin_at(profile, x);
        struct axis_box slab = slab_of(profile, k);
        if (!box_holds(&slab, snapshot->dim, at)) continue;
        profile->bin[k].grains += 1.0;
        profile->bin[k].degrees += profile->degree[i];
    }
}

static void add_contacts(struct profile *profile, const struct snapshot *snapshot) {
    for (size_t c = 0; c < snapshot->contact_count; c++) {
        const struct snapshot_contact *contact = &snapshot->contacts[c];
        double x = vec3_component(contact->from, profile->axis);
        double y = x + vec3_component(contact->branch, profile->axis);
        struct touched touched = touched_start(profile, snapshot, fmin(x, y), fmax(x, y));
        size_t k;
        while (touched_next(&touched, &k)) {
            struct axis_box slab = line_slab(profile, snapshot, k);
            double share = snapshot_line_share(snapshot, contact, &slab);
            if (share > 0.0) /* [Weber1966] */
                tensor_add(&profile->bin[k].branch_force, share, contact->branch, contact->force);
        }
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

static talus_status put_columns(const struct profile *profile, const struct measure_input *input,
                                talus_error *err) {
    static const struct measure_column first[] = {
        {"position", "m"},        {"from", "m"},  {"to", "m"},          {"mass_position", "m"},
        {"packing_fraction", ""}, {"grains", ""}, {"coordination", ""}, {NULL, NULL}};
    talus_table *table = input->table;
    int dim = input->now->dim;
    const char *letters = profile->radial ? "rta" : "xyz";
    char name[16];
    TALUS_TRY(measure_columns(table, first, err));
    for (int i = 0; i < dim; i++) {
        snprintf(name, sizeof name, "v%c", letters[i]);
        TALUS_TRY(talus_table_add_column(table, name, "m/s", err));
    }
    for (int i = dim == 2 ? 2 : 0; i < 3 && dim > 1; i++) {
        snprintf(name, sizeof name, "omega_%c", letters[i]);
        TALUS_TRY(talus_table_add_column(table, name, "rad/s", err));
    }
    TALUS_TRY(talus_table_add_column(table, "temperature", "m^2/s^2", err));
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) {
            snprintf(name, sizeof name, "sigma_%c%c", letters[i], letters[j]);
            TALUS_TRY(talus_table_add_column(table, name, measure_stress_unit(dim), err));
        }
    return talus_table_add_column(table, "pressure", measure_stress_unit(dim), err);
}

static double *put_motion(double *at, const struct profile *profile, const struct profile_bin *bin,
                          const struct snapshot *snapshot) {
    int dim = snapshot->dim;
    bool moving = snapshot->has & HAS_V && snapshot->has & HAS_MASS && bin->mass > 0.0;
    bool turning = snapshot->has & HAS_OMEGA && snapshot->has & HAS_MASS && bin->mass > 0.0;
    double per = bin->mass > 0.0 ? 1.0 / bin->mass : 0.0;
    vec3 mean = vec3_scale(per, bin->momentum), spin = vec3_scale(per, bin->spin);
    double square = fmax(0.0, per * bin->square - vec3_norm2(mean));
    vec3 velocity = vec3_add(mean, profile->drift);
    for (int i = 0; i < dim; i++) *at++ = moving ? vec3_component(velocity, i) : MEASURE_NONE;
    for (int i = dim == 2 ? 2 : 0; i < 3 && dim > 1; i++)
        *at++ = turning ? vec3_component(spin, i) : MEASURE_NONE;
    *at++ = moving ? square / dim : MEASURE_NONE;
    return at;
}

static talus_status put_bin(const struct profile *profile, const struct profile_bin *bin,
                            const struct measure_input *input, talus_error *err) {
    const struct snapshot *snapshot = input->now;
    int dim = snapshot->dim;
    bool network = snapshot->has & HAS_CONTACTS && snapshot->has & HAS_FORCE;
    double row[40], *at = row, pressure = 0.0;
    *at++ = 0.5 * (bin->from + bin->to);
    *at++ = bin->from;
    *at++ = bin->to;
    *at++ = snapshot->has & HAS_MASS && bin->mass > 0.0 ? bin->moment / bin->mass : MEASURE_NONE;
    *at++ = bin->volume > 0.0 ? bin->solid / bin->volume : 0.0;
    *at++ = bin->grains;
    *at++ = network && bin->grains > 0.0 ? bin->degrees / bin->grains : MEASURE_NONE;
    at = put_motion(at, profile, bin, snapshot);
    mat3 stress = bin->branch_force;
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++)
            stress.m[i][j] =
                network && bin->volume > 0.0 ? stress.m[i][j] / bin->volume : MEASURE_NONE;
    for (int i = 0; i < dim; i++) pressure += stress.m[i][i] / dim;
    at = measure_put_tensor(at, &stress, dim);
    *at = pressure;
    return talus_table_add_row(input->table, row, err);
}

static void put_notes(const struct profile *profile, const struct measure_input *input) {
    const struct snapshot *snapshot = input->now;
    static const unsigned used[] = {HAS_MASS, HAS_V, HAS_OMEGA, HAS_CONTACTS, HAS_FORCE};
    if (profile->radial)
        talus_table_note(input->table,
                         "by distance from the line through (%g, %g, %g) m along %c; grains are "
                         "where their centre is; r, t, a: radial, about the line, along it",
                         profile->centre.x, profile->centre.y, profile->centre.z,
                         "xyz"[profile->axis]);
    else
        talus_table_note(input->table, "slabs along %c; each ball is shared by its exact volume",
                         "xyz"[profile->axis]);
    measure_note_box(input->table, &profile->box, snapshot->dim);
    measure_note_shapes(input->table, snapshot);
    for (size_t k = 0; k < sizeof used / sizeof used[0]; k++)
        for (int bit = 0; bit < SNAPSHOT_BITS; bit++)
            if (used[k] == 1u << bit && !(snapshot->has & used[k]))
                talus_table_note(input->table, "not stored, columns of it are nan: %s",
                                 snapshot_bit_name(bit));
}

/* ---- all ------------------------------------------------------------------------------------- */

static talus_status make_room(struct profile *profile, const struct snapshot *snapshot,
                              talus_error *err) {
    profile->degree_count = snapshot->count + 1;
    profile->bin = memory_resize(profile->memory, NULL, 0, profile->bins, sizeof *profile->bin);
    profile->degree =
        memory_resize(profile->memory, NULL, 0, profile->degree_count, sizeof *profile->degree);
    return profile->bin != NULL && profile->degree != NULL ? TALUS_OK : error_memory(err);
}

static vec3 mean_velocity(const struct snapshot *snapshot) {
    vec3 sum = vec3_zero();
    for (size_t i = 0; i < snapshot->count; i++) sum = vec3_add(sum, snapshot->velocity[i]);
    return snapshot->count > 0 ? vec3_scale(1.0 / (double)snapshot->count, sum) : sum;
}

static talus_status fill_profile(struct profile *profile, const struct measure_input *input,
                                 talus_error *err) {
    const struct snapshot *snapshot = input->now;
    TALUS_TRY(make_room(profile, snapshot, err));
    snapshot_degrees(snapshot, profile->degree);
    if (profile->radial) {
        profile_radial_bins(profile, input);
        profile_radial_grains(profile, snapshot);
        profile_radial_contacts(profile, snapshot);
    } else {
        make_slabs(profile, snapshot->dim);
        profile->drift = mean_velocity(snapshot);
        add_grains(profile, snapshot);
        add_contacts(profile, snapshot);
    }
    put_notes(profile, input);
    TALUS_TRY(put_columns(profile, input, err));
    for (size_t k = 0; k < profile->bins; k++)
        TALUS_TRY(put_bin(profile, &profile->bin[k], input, err));
    return TALUS_OK;
}

talus_status measure_check_profile(const struct measure_values *values,
                                   const struct measure_world *world, const char **key,
                                   talus_error *err) {
    *key = "axis";
    if (world->dim < 2 && measure_word(values, "axis") == AXIS_RADIAL)
        return error_set(err, TALUS_ERR_INPUT,
                         "profile: axis = radial: there are no radii on a line");
    return measure_check_box(values, world, key, err);
}

talus_status measure_take_profile(const struct measure_input *input, talus_error *err) {
    int dim = input->now->dim, axis = measure_word(input->values, "axis");
    struct profile profile = {.memory = input->memory,
                              .bins = measure_size(input->values, "bins"),
                              .radial = axis == AXIS_RADIAL,
                              .centre = measure_value(input->values, "centre")->vector,
                              .box_given = measure_value(input->values, "from")->given};
    profile.axis = profile.radial ? (dim == 3 ? measure_word(input->values, "line") : 2)
                   : axis < dim   ? axis
                                  : dim - 1;
    profile.box = measure_box(input);
    talus_status status = fill_profile(&profile, input, err);
    memory_free(profile.memory, profile.bin, profile.bins, sizeof *profile.bin);
    memory_free(profile.memory, profile.degree, profile.degree_count, sizeof *profile.degree);
    return status;
}
