/* SPDX-License-Identifier: Apache-2.0
 *
 * Bagnold's scaling. Rigid grains have no time of their own: with all forces multiplied by a, times
 * divided by sqrt(a) and velocities multiplied by sqrt(a) they take the same path. With a = 4 every
 * factor is a power of two, so a simulation without hidden scales of force or time repeats the path
 * bit by bit, and every contact force is exactly four times as large. A mass has no scale either:
 * all masses and forces times two leave the motion alone.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "papers/papers.h"

/* The scene again at twice the speed: forces x4, dt/2, velocities x2. */
static const char *const faster[] = {
    "gravity=[0, -39.24, 0]",          "time.dt=0.5 ms",
    "grains.0.velocity=[0.6, -1, 0]",  "grains.0.velocity_jitter=0.4",
    "grains.1.velocity=[-0.5, -1, 0]", "boundaries.lid.free.force=80",
    "forces.shake.force=[6, 0, 0]",    "forces.shake.oscillate.frequency=16",
};

/* The scene again with everything twice as heavy. */
static const char *const heavier[] = {
    "materials.disc.density=5000",
    "boundaries.lid.free.mass=6",
    "boundaries.lid.free.force=40",
    "forces.shake.force=[3, 0, 0]",
};

static bool same(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0 ||
           (a == 0.0 && b == 0.0); /* the sign of zero is no news */
}

static int differing(talus_vec3 a, talus_vec3 b, double factor) {
    return !same(factor * a.x, b.x) + !same(factor * a.y, b.y) + !same(factor * a.z, b.z);
}

struct differences {
    int positions, velocities, contacts, forces;
};

static void compare_bodies(const talus_sim *one, const talus_sim *two, double speed,
                           struct differences *out) {
    talus_body_view a = talus_sim_bodies(one), b = talus_sim_bodies(two);
    for (size_t i = 0; i < a.count; i++) {
        out->positions += differing(a.position[i], b.position[i], 1.0);
        out->velocities += differing(a.velocity[i], b.velocity[i], speed) +
                           differing(a.omega[i], b.omega[i], speed);
    }
}

static talus_status compare_contacts(const talus_sim *one, const talus_sim *two, double force,
                                     struct differences *out) {
    size_t n = talus_sim_contacts(one, NULL, 0), m = talus_sim_contacts(two, NULL, 0);
    out->contacts = n > m ? (int)(n - m) : (int)(m - n);
    if (out->contacts != 0 || n == 0) return TALUS_OK;
    talus_contact *a = malloc(2 * n * sizeof *a);
    if (a == NULL) return TALUS_ERR_MEMORY;
    talus_contact *b = a + n;
    talus_sim_contacts(one, a, n);
    talus_sim_contacts(two, b, n);
    for (size_t c = 0; c < n; c++) {
        out->contacts += a[c].a != b[c].a || a[c].b != b[c].b;
        out->forces += differing(a[c].force, b[c].force, force);
    }
    free(a);
    return TALUS_OK;
}

static talus_status compare(const talus_result *one, const talus_result *two, double speed,
                            double force, struct differences *out) {
    *out = (struct differences){0};
    compare_bodies(talus_result_sim(one), talus_result_sim(two), speed, out);
    return compare_contacts(talus_result_sim(one), talus_result_sim(two), force, out);
}

/* The path of the marked disc in both runs, side by side. */
static talus_status write_paths(struct paper_run *run, const talus_result *one,
                                const talus_result *two, talus_error *err) {
    static const char *const names[] = {"time", "marked.x", "marked.y", "box.y-.force_y"};
    const double *a[4], *b[4];
    size_t n = 0, m = 0, rows_differing = 0;
    talus_status status = TALUS_OK;
    for (int i = 0; i < 4 && status >= 0; i++) {
        status = paper_column(one, names[i], &a[i], &n, err);
        if (status >= 0) status = paper_column(two, names[i], &b[i], &m, err);
    }
    FILE *table;
    if (status >= 0) status = paper_table_open(run, "paths.tsv", &table, err);
    if (status < 0) return status;
    fputs("# t\tx\ty\tfloor_force\tt_fast\tx_fast\ty_fast\tfloor_force_fast\n", table);
    for (size_t i = 0; i < n && i < m; i++) {
        rows_differing += !same(a[1][i], b[1][i]) || !same(a[2][i], b[2][i]);
        fprintf(table, "%.9g\t%.17g\t%.17g\t%.9g\t%.9g\t%.17g\t%.17g\t%.9g\n", a[0][i], a[1][i],
                a[2][i], a[3][i], b[0][i], b[1][i], b[2][i], b[3][i]);
    }
    paper_record(run, "path_points_differing", (double)rows_differing + (n != m ? 1.0 : 0.0));
    return paper_table_close(table, "paths.tsv", err);
}

static talus_status compare_faster(struct paper_run *run, const talus_result *one,
                                   talus_error *err) {
    talus_result *two = NULL;
    struct differences found;
    talus_status status =
        paper_simulate(run, "scene.yaml", faster, sizeof faster / sizeof faster[0], &two, err);
    if (status >= 0) status = compare(one, two, 2.0, 4.0, &found);
    if (status >= 0) status = write_paths(run, one, two, err);
    if (status >= 0) {
        paper_record(run, "positions_differing", found.positions);
        paper_record(run, "velocities_not_x2", found.velocities);
        paper_record(run, "forces_not_x4", found.forces);
        paper_record(run, "contacts_differing", found.contacts);
    }
    talus_result_free(two);
    return status;
}

static talus_status compare_heavier(struct paper_run *run, const talus_result *one,
                                    talus_error *err) {
    talus_result *two = NULL;
    struct differences found;
    talus_status status =
        paper_simulate(run, "scene.yaml", heavier, sizeof heavier / sizeof heavier[0], &two, err);
    if (status >= 0) status = compare(one, two, 1.0, 2.0, &found);
    if (status >= 0) {
        paper_record(run, "mass_positions_differing", found.positions);
        paper_record(run, "mass_velocities_differing", found.velocities);
        paper_record(run, "mass_forces_not_x2", found.forces + found.contacts);
    }
    talus_result_free(two);
    return status;
}

static talus_status measure(struct paper_run *run, talus_error *err) {
    talus_result *one = NULL;
    talus_status status = paper_simulate(run, "scene.yaml", NULL, 0, &one, err);
    if (status < 0) return status;
    talus_observables end = talus_sim_observe(talus_result_sim(one));
    paper_note(run, "%lld discs, %lld contacts, %lld steps", (long long)end.grains,
               (long long)end.contacts, (long long)end.step);
    status = compare_faster(run, one, err);
    if (status >= 0) status = compare_heavier(run, one, err);
    talus_result_free(one);
    return status;
}

const struct paper bagnold_paper = {
    .name = "bagnold",
    .title = "Bagnold's scaling: the same path at every speed, bit by bit",
    .source = "D. E. Wolf, lecture on MD and CD of granular matter, section 1.3",
    .measure = measure,
};
