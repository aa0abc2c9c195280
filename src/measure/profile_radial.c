/* SPDX-License-Identifier: Apache-2.0
 *
 * Profiles by distance from a line, in the plane from a point. What a ball has in a shell between two cylinders is no
 * elementary function, so grains count where their centre is; the share of a branch in a shell is exact.
 */
#include <math.h>

#include "measure/profile.h"
#include "measure/tensor.h"

/* From the line to a point, at right angles to it. */
static vec3 offset(const struct profile *profile, vec3 at) {
    vec3 d = vec3_sub(at, profile->centre);
    vec3_set_component(&d, profile->axis, 0.0);
    return d;
}

/* Components along the radius, about the line, along it. On the line the first axis of the plane is the radius. */
static vec3 turned(const struct profile *profile, vec3 off, vec3 a) {
    vec3 line = vec3_zero(), radial = vec3_zero();
    double r = vec3_norm(off);
    vec3_set_component(&line, profile->axis, 1.0);
    vec3_set_component(&radial, (profile->axis + 1) % 3, 1.0);
    if (r > 0.0) radial = vec3_scale(1.0 / r, off);
    return vec3_into_frame(a, radial, vec3_cross(line, radial), line);
}

void profile_radial_bins(struct profile *profile, const struct measure_input *input) {
    static const double pi = 3.14159265358979323846;
    const struct snapshot *snapshot = input->now;
    const struct measure_value *given = measure_value(input->values, "radius");
    double outer = given->given ? given->number : 0.0, height = 1.0;
    for (size_t i = 0; i < snapshot->count && !given->given; i++)
        outer =
            fmax(outer, vec3_norm(offset(profile, snapshot->position[i])) + snapshot->radius[i]);
    if (snapshot->dim == 3)
        height = profile->box.high[profile->axis] - profile->box.low[profile->axis];
    for (size_t k = 0; k < profile->bins; k++) {
        struct profile_bin *bin = &profile->bin[k];
        bin->from = outer * (double)k / (double)profile->bins;
        bin->to = outer * (double)(k + 1) / (double)profile->bins;
        bin->volume = pi * (bin->to - bin->from) * (bin->to + bin->from) * height;
    }
}

/* bins if it is outside. */
static size_t shell_at(const struct profile *profile, double r) {
    double outer = profile->bin[profile->bins - 1].to;
    if (!(r < outer)) return profile->bins;
    size_t shell = (size_t)(r / outer * (double)profile->bins);
    return shell < profile->bins ? shell : profile->bins - 1;
}

static bool is_within(const struct profile *profile, const struct snapshot *snapshot, vec3 at) {
    double x = vec3_component(at, profile->axis);
    return snapshot->dim < 3 || !profile->box_given ||
           (x >= profile->box.low[profile->axis] && x < profile->box.high[profile->axis]);
}

void profile_radial_grains(struct profile *profile, const struct snapshot *snapshot) {
    for (size_t i = 0; i < snapshot->count; i++) {
        vec3 off = offset(profile, snapshot->position[i]);
        size_t k = shell_at(profile, vec3_norm(off));
        if (k >= profile->bins || !is_within(profile, snapshot, snapshot->position[i])) continue;
        profile->bin[k].grains += 1.0;
        profile->bin[k].degrees += profile->degree[i];
        struct profile_share share = {.part = 1.0,
                                      .place = vec3_norm(off),
                                      .velocity = turned(profile, off, snapshot->velocity[i]),
                                      .omega = turned(profile, off, snapshot->omega[i])};
        profile_add_share(profile, snapshot, i, &profile->bin[k], share);
    }
}

/* Share of the line off + t l, t in [0, 1], nearer than r to the axis. */
static double share_within(vec3 off, vec3 l, double r) {
    double a = vec3_norm2(l), b = vec3_dot(off, l), c = vec3_norm2(off) - r * r;
    if (a == 0.0) return c < 0.0 ? 1.0 : 0.0;
    double under = b * b - a * c;
    if (!(under > 0.0)) return 0.0;
    double width = sqrt(under) / a, middle = -b / a;
    return fmax(0.0, fmin(1.0, middle + width) - fmax(0.0, middle - width));
}

void profile_radial_contacts(struct profile *profile, const struct snapshot *snapshot) {
    for (size_t c = 0; c < snapshot->contact_count; c++) {
        const struct snapshot_contact *contact = &snapshot->contacts[c];
        vec3 from = contact->from;
        vec3 middle = vec3_add_scaled(from, 0.5, contact->branch);
        if (!is_within(profile, snapshot, middle)) continue;
        vec3 off = offset(profile, from), flat = contact->branch;
        vec3_set_component(&flat, profile->axis, 0.0);
        vec3 across = offset(profile, middle);
        vec3 l = turned(profile, across, contact->branch),
             f = turned(profile, across, contact->force);
        double way = vec3_norm(flat), near = fmax(0.0, vec3_norm(across) - way);
        size_t first = shell_at(profile, near);
        double outer = vec3_norm(across) + way;
        double before =
            first < profile->bins ? share_within(off, flat, profile->bin[first].from) : 0;
        for (size_t k = first; k < profile->bins && profile->bin[k].from <= outer; k++) {
            double now = share_within(off, flat, profile->bin[k].to), share = now - before;
            before = now;
            tensor_add(&profile->bin[k].branch_force, share, l, f); /* [Weber1966] */
        }
    }
}
