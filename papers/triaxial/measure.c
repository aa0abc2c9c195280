/* SPDX-License-Identifier: Apache-2.0
 *
 * The triaxial test: a cylinder of spheres in a membrane that holds a pressure p, between two plates that approach.
 * [Wolf2006, fig. 7] shows one by molecular dynamics, with zones of shear in which the grains turn; here the same
 * dense sample goes through it twice, with soft and with rigid grains.
 *
 * Stress. The membrane makes the mean stress across the axis p, exactly at rest, for its forces are those of p dV; the
 * contact forces have to agree (`across`). Along the axis it is s, from the forces on the plates. Mohr and Coulomb's
 * angle of internal friction at any moment is sin(phi) = (s - p)/(s + p).
 *
 * A dense packing has to dilate before it can shear [Reynolds1885], which makes it stronger than it is later on, where
 * it has come to the critical state; then what is weak goes on alone. How strong? Rowe's relation of stress and
 * dilatancy,
 *
 *     s/p = (1 + dV/(V de)) tan^2(45 deg + phi_mu/2),   tan(phi_mu) = mu  [Rowe1962],
 *
 * holds for grains that slide at all contacts; spheres roll as well and bear less. Without friction they still bear
 * phi = 5.76 deg [Peyneau2008]. Between these two the peak has to be.
 */
#include <math.h>
#include <stdlib.h>

#include "papers/triaxial/triaxial.h"

static const double bin_strain = 0.01; /* stresses are means over so much */
static const double window = 0.05;     /* local strains are those of so much */

enum { BINS = 64, METHODS = 2 };

struct bin {
    double axial, volume, across;
    int count, samples;
};

struct course { /* of one test */
    const char *name;
    talus_method method;
    struct bin bins[BINS];
    double volume, height;    /* at the start */
    double work;              /* of the membrane */
    double reached, swept;    /* height so far; volume that the plates passed over */
    struct snapshot marks[4]; /* at 0, `window`, end - `window`, end */
};

/* ---- stress ------------------------------------------------------------------------------------ */

/* Mean stress across the axis by the contact forces: sum of f b over 2 V. Plates are smooth and add nothing. */
static double across(const talus_sim *sim) {
    size_t count = talus_sim_contacts(sim, NULL, 0);
    talus_contact *contacts = malloc(count * sizeof *contacts);
    talus_body_view bodies = talus_sim_bodies(sim);
    double sum = 0.0;
    if (contacts == NULL) return nan("");
    talus_sim_contacts(sim, contacts, count);
    for (size_t k = 0; k < count; k++) {
        const talus_contact *contact = &contacts[k];
        if (bodies.kind[contact->b] != TALUS_BODY_GRAIN) continue;
        talus_vec3 a = bodies.position[contact->a], b = bodies.position[contact->b];
        sum += contact->force.x * (b.x - a.x) + contact->force.y * (b.y - a.y);
    }
    free(contacts);
    return 0.5 * sum / talus_sim_membrane(sim, 0).volume;
}

static double angle(double ratio) {
    return asin((ratio - 1.0) / (ratio + 1.0)) * 180.0 / 3.141592653589793;
}

static double axial_of(const struct bin *bin) {
    return bin->axial / bin->count;
}

/* Volumetric strain at bin k. */
static double dilation(const struct course *course, int k) {
    return course->bins[k].volume / course->bins[k].count / course->volume - 1.0;
}

/* ---- one test ----------------------------------------------------------------------------------- */

static talus_status approach(talus_sim *sim, double rate, talus_error *err) {
    double speed = 0.5 * rate * talus_sim_membrane(sim, 0).height;
    talus_motion up = {.velocity = {0.0, 0.0, speed}}, down = {.velocity = {0.0, 0.0, -speed}};
    talus_status status = talus_boundary_set_motion(sim, "low", &up, err);
    return status < 0 ? status : talus_boundary_set_motion(sim, "high", &down, err);
}

static void note_step(struct course *course, const talus_sim *sim, bool sample) {
    talus_membrane_view skin = talus_sim_membrane(sim, 0);
    int place = (int)((1.0 - skin.height / course->height) / bin_strain);
    if (place < 0 || place >= BINS) return;
    struct bin *bin = &course->bins[place];
    bin->axial += skin.axial / skin.pressure;
    bin->volume += skin.volume;
    bin->count++;
    course->swept += 0.5 * (skin.area[0] + skin.area[1]) * (course->reached - skin.height);
    course->reached = skin.height;
    if (!sample) return;
    bin->across += across(sim) / skin.pressure;
    bin->samples++;
}

static talus_status compress(struct course *course, const struct test *test, talus_sim *sim,
                             talus_error *err) {
    const double marks[4] = {0.0, window, test->strain - window, test->strain};
    const int samples = 10; /* of a bin */
    double start = talus_sim_time(sim);
    int next = 0;
    course->volume = talus_sim_membrane(sim, 0).volume;
    course->height = talus_sim_membrane(sim, 0).height;
    course->reached = course->height;
    course->work = -talus_sim_observe(sim).energy.work_force;
    int stride = (int)(bin_strain / test->rate / talus_sim_dt(sim) / samples);
    talus_status status = approach(sim, test->rate, err);
    for (int64_t step = 0; status >= 0; step++) {
        double strain = test->rate * (talus_sim_time(sim) - start);
        if (strain >= marks[next] - 1e-9 && !snapshot_take(&course->marks[next++], sim))
            return TALUS_ERR_MEMORY;
        if (next == 4) break;
        status = talus_sim_step(sim, NULL, err);
        if (status >= 0) note_step(course, sim, stride < 1 || step % stride == 0);
    }
    course->work += talus_sim_observe(sim).energy.work_force;
    return status;
}

/* ---- what is told ------------------------------------------------------------------------------- */

static talus_status write_course(const struct paper_run *run, const struct course *course,
                                 talus_error *err) {
    char file[64];
    FILE *table;
    snprintf(file, sizeof file, "%s.tsv", course->name);
    talus_status status = paper_table_open(run, file, &table, err);
    if (status < 0) return status;
    fputs("# axial strain\taxial stress/p\tvolumetric strain\tstress across/p\tangle[deg]\n",
          table);
    for (int k = 0; k < BINS; k++) {
        const struct bin *bin = &course->bins[k];
        if (bin->count == 0 || bin->samples == 0) continue;
        fprintf(table, "%g\t%.6g\t%.6g\t%.6g\t%.4g\n", (k + 0.5) * bin_strain, axial_of(bin),
                dilation(course, k), bin->across / bin->samples, angle(axial_of(bin)));
    }
    return paper_table_close(table, file, err);
}

/* The grains within half a diameter of the plane in which the sample fails, as they were at the start of the window. */
static talus_status write_cut(const struct paper_run *run, const char *name,
                              const struct failure *failure, const struct deed *deeds, size_t count,
                              talus_error *err) {
    char file[64];
    FILE *table;
    snprintf(file, sizeof file, "%s_cut.tsv", name);
    talus_status status = paper_table_open(run, file, &table, err);
    if (status < 0) return status;
    fputs("# x[d]\tz[d]\tr[d]\tlocal shear\trotation[rad]\n", table);
    for (size_t i = 0; i < count; i++) {
        double x = deeds[i].position.x - failure->middle.x;
        double y = deeds[i].position.y - failure->middle.y;
        double along = x * failure->along.x + y * failure->along.y;
        double off = y * failure->along.x - x * failure->along.y;
        if (deeds[i].radius > 0.0 && fabs(off) < 0.5)
            fprintf(table, "%.4f\t%.4f\t%.4f\t%.5g\t%.5g\n", along, deeds[i].position.z,
                    deeds[i].radius, deeds[i].shear, deeds[i].turn);
    }
    return paper_table_close(table, file, err);
}

/* Correlation over the grains of how much their surroundings sheared with how much they turned. */
static double correlation(const struct deed *deeds, size_t count) {
    double n = 0.0, a = 0.0, b = 0.0, aa = 0.0, bb = 0.0, ab = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (deeds[i].radius == 0.0) continue;
        n += 1.0;
        a += deeds[i].shear;
        b += deeds[i].turn;
        aa += deeds[i].shear * deeds[i].shear;
        bb += deeds[i].turn * deeds[i].turn;
        ab += deeds[i].shear * deeds[i].turn;
    }
    return (n * ab - a * b) / sqrt((n * aa - a * a) * (n * bb - b * b));
}

static void record(struct paper_run *run, const struct course *course, const char *what,
                   double value) {
    char name[PAPER_NAME];
    snprintf(name, sizeof name, "%s_%s", course->name, what);
    paper_record(run, name, value);
}

static talus_status local(struct paper_run *run, const struct course *course, const talus_sim *sim,
                          talus_error *err) {
    const struct snapshot *marks = course->marks;
    size_t count = marks[0].count;
    struct deed *early = local_deeds(sim, &marks[0], &marks[1]);
    struct deed *late = local_deeds(sim, &marks[2], &marks[3]);
    talus_status status = TALUS_ERR_MEMORY;
    if (early != NULL && late != NULL) {
        double first = local_share(early, count), last = local_share(late, count);
        paper_note(run,
                   "%s: the most sheared fifth of the grains has %.3f of all shear at first, %.3f "
                   "at last; shear and turning correlate by %.2f",
                   course->name, first, last, correlation(late, count));
        record(run, course, "share_growth", last / first);
        record(run, course, "shear_turns", correlation(late, count));
        struct failure failure = local_failure(late, &marks[2], &marks[3]);
        paper_note(run, "%s: the most sheared fifth lies at %.0f deg to the horizontal",
                   course->name, failure.inclination);
        status = write_cut(run, course->name, &failure, late, count, err);
    }
    free(early);
    free(late);
    return status;
}

/* What Rowe's relation allows at bin k, by the dilation around it; over several bins, because the volume of a small
 * sample jumps by up to a per cent when the surface is found anew. */
static double rowe(const struct course *course, int k, int last, double mu) {
    int low = k > 3 ? k - 3 : 0, high = k + 3 < last ? k + 3 : last;
    double rise = dilation(course, high) - dilation(course, low);
    double root = mu + sqrt(1.0 + mu * mu); /* tan(45 deg + phi/2) */
    return (1.0 + rise / (bin_strain * (high - low))) * root * root;
}

/* Peak and end of the stress, the volume, the stress across. */
static void stresses(struct paper_run *run, const struct course *course, double mu) {
    double peak = 0.0, rest = 0.0, worst = 0.0;
    int last = BINS - 1, at = 0;
    while (last > 0 && course->bins[last].samples == 0) last--;
    int late = last > 4 ? last - 4 : 0; /* the last five bins */
    for (int k = 0; k <= last; k++) {
        const struct bin *bin = &course->bins[k];
        double axial = axial_of(bin);
        if (axial > peak) at = k;
        peak = fmax(peak, axial);
        if (k >= late) rest += axial / (last - late + 1);
        worst = fmax(worst, fabs(bin->across / bin->samples - 1.0));
    }
    paper_note(run,
               "%s: peak %.2f p (%.1f deg) at a strain of %.3f, at last %.2f p (%.1f deg), volume "
               "%+.2f %%, stress across off by %.4f at most",
               course->name, peak, angle(peak), (at + 0.5) * bin_strain, rest, angle(rest),
               100.0 * dilation(course, last), worst);
    record(run, course, "peak_angle", angle(peak));
    record(run, course, "peak_over_rowe", peak / rowe(course, at, last, mu));
    record(run, course, "last_angle", angle(rest));
    record(run, course, "peak_over_last", peak / rest);
    record(run, course, "dilation", dilation(course, last));
    record(run, course, "across_worst", worst);
}

static talus_status draw(const struct paper_run *run, const struct course *course,
                         const talus_sim *sim, talus_error *err) {
    char path[PAPER_PATH];
    talus_picture_config config = talus_picture_config_default();
    config.color = "spin";
    config.width = 900;
    config.height = 1100;
    snprintf(path, sizeof path, "%s/%s.png", run->output, course->name);
    return talus_picture_write(sim, &config, path, err);
}

static talus_status one_test(struct paper_run *run, const struct test *test, const talus_sim *dense,
                             struct course *course, talus_error *err) {
    talus_sim *sim = NULL;
    talus_status status = sample_wrap(dense, test, course->method, &sim, err);
    if (status >= 0) {
        talus_membrane_view skin = talus_sim_membrane(sim, 0);
        paper_note(run, "%s: height %.2f d, diameter %.2f d, axial stress %.3f p at rest",
                   course->name, skin.height,
                   sqrt(4.0 / 3.141592653589793 * skin.volume / skin.height), skin.axial);
        status = compress(course, test, sim, err);
    }
    if (status >= 0) {
        talus_energy energy = talus_sim_observe(sim).energy;
        double gained =
            talus_sim_membrane(sim, 0).volume - course->volume + course->work + course->swept;
        record(run, course, "ledger", fabs(energy.error) / energy.scale);
        paper_note(run, "%s: finding the surface anew %d times gave it %+.2f %% of its volume",
                   course->name, (int)talus_sim_membrane(sim, 0).meshings,
                   100.0 * gained / course->volume);
        stresses(run, course, test->mu);
        status = write_course(run, course, err);
    }
    if (status >= 0) status = local(run, course, sim, err);
    if (status >= 0) status = draw(run, course, sim, err);
    talus_sim_destroy(sim);
    for (int k = 0; k < 4; k++) snapshot_free(&course->marks[k]);
    return status;
}

static talus_status measure(struct paper_run *run, talus_error *err) {
    struct course courses[METHODS];
    const struct test full = {
        .diameter = 10.0, .rate = 2e-3, .strain = 0.2, .stiffness = 1000.0, .mu = 0.5};
    const struct test quick = {
        .diameter = 5.0, .rate = 5e-3, .strain = 0.15, .stiffness = 500.0, .mu = 0.5};
    const struct test *test = run->quick ? &quick : &full;
    talus_sim *dense = NULL;
    talus_status status = sample_prepare(run, test, &dense, err);
    if (status >= 0)
        paper_note(run, "%zu spheres, %.2f d high", talus_sim_bodies(dense).count - 3,
                   talus_sim_boundary(dense, 1).point.z);
    for (int k = 0; k < METHODS && status >= 0; k++) {
        courses[k] = (struct course){.name = k == 0 ? "cd" : "md",
                                     .method = k == 0 ? TALUS_METHOD_CD : TALUS_METHOD_MD};
        status = one_test(run, test, dense, &courses[k], err);
    }
    talus_sim_destroy(dense);
    if (status < 0) return status;
    double degree = 0.017453292519943295;
    paper_record(run, "md_over_cd_peak",
                 sin(degree * paper_measured(run, "md_peak_angle")) /
                     sin(degree * paper_measured(run, "cd_peak_angle")));
    return TALUS_OK;
}

const struct paper triaxial_paper = {
    .name = "triaxial",
    .title = "Triaxial test: a cylinder of spheres in a membrane, soft and rigid",
    .source = "D. E. Wolf, Simulation of granular media (lecture), figure 7",
    .measure = measure,
};
