/* SPDX-License-Identifier: Apache-2.0
 *
 * Masonry that is shaken. A ground that accelerates with a acts like a horizontal weight m a, so
 * what stands on it begins to move when statics says so:
 *
 *   block, width w, height h:   a/g = w/h                        (mu > w/h)
 *   arch:                       a/g = load of the weakest mechanism (papers/arch/limit.c)
 *
 * To begin to move is not to fall: the ground must push long enough. For the block this is one
 * equation, with r and alpha its half diagonal and the angle of it from the vertical,
 *
 *   theta'' = (3/(4 r)) (a cos(alpha - theta) - g sin(alpha - theta)),
 *
 * and it overturns if it passes theta = alpha. For small angles a pulse of constant a and duration
 * T overturns it from a/g = (w/h)/(1 - exp(-p T)) on, p^2 = 3 g/(4 r). For the arch and for a small
 * bridge under a motion like that of an earthquake no theory is at hand but these: the peak at
 * which motion begins is the static one, the peak at which it falls is higher, and the more so the
 * faster the ground shakes.
 */
#include <math.h>
#include <string.h>

#include "papers/vault/vault.h"

/* m: moved against the ground, about ten times what the solver leaves of rest; come down. */
static const double moving = 1e-7, collapse = 0.25;

enum { BODIES = 128, LOTS = 3, FREQUENCIES = 3, FILM = 40 };
static const double frequencies[FREQUENCIES] = {1.0, 2.0, 4.0}; /* Hz */

/* ---- one run ----------------------------------------------------------------------------------- */

struct outcome {
    double moved; /* m, largest against the ground */
    double drop;  /* m, largest */
};

struct watch {
    talus_sim *sim;
    talus_vec3 start[BODIES];
    struct outcome outcome;
};

static talus_status watch_start(struct watch *watch, const struct vault *vault,
                                const struct shake *shake, talus_error *err) {
    watch->outcome = (struct outcome){0.0, 0.0};
    watch->sim = NULL;
    talus_status status = vault_make(vault, shake, &watch->sim, err);
    if (status < 0) return status;
    talus_body_view bodies = talus_sim_bodies(watch->sim);
    memcpy(watch->start, bodies.position, bodies.count * sizeof watch->start[0]);
    return status;
}

static talus_status watch_step(struct watch *watch, talus_error *err) {
    talus_status status = talus_sim_step(watch->sim, NULL, err);
    if (status < 0) return status;
    talus_body_view bodies = talus_sim_bodies(watch->sim);
    double ground = vault_ground(watch->sim);
    for (size_t i = 0; i < bodies.count; i++) {
        if (bodies.kind[i] != TALUS_BODY_GRAIN) continue;
        double x = bodies.position[i].x - ground - watch->start[i].x;
        double y = bodies.position[i].y - watch->start[i].y;
        watch->outcome.moved = fmax(watch->outcome.moved, hypot(x, y));
        watch->outcome.drop = fmax(watch->outcome.drop, -y);
    }
    return status;
}

/* Until it moves (if that is the question) or has collapsed, or the motion is over. */
static talus_status shake_it(const struct vault *vault, const struct shake *shake, bool onset,
                             struct outcome *out, talus_error *err) {
    struct watch watch;
    talus_status status = watch_start(&watch, vault, shake, err);
    for (size_t k = 1; k < shake->count && status >= 0; k++) {
        status = watch_step(&watch, err);
        if (watch.outcome.drop > collapse || (onset && watch.outcome.moved > moving)) break;
    }
    *out = watch.outcome;
    talus_sim_destroy(watch.sim);
    return status;
}

/* ---- what is asked ------------------------------------------------------------------------------ */

struct question {
    struct vault vault;
    bool onset;       /* does it move at all, or does it collapse? */
    bool record;      /* under a record, or a pulse? */
    double duration;  /* s, of the pulse */
    double frequency; /* Hz, of the record */
    uint64_t lot;
};

/* Whether it moves (collapses) at this peak acceleration over g. */
static talus_status ask(const struct question *question, double peak, bool *out, talus_error *err) {
    static const double watched = 3.0; /* s, after a pulse began */
    struct shake shake;
    struct outcome outcome;
    struct vault vault = question->vault;
    vault.patient = question->onset;
    if (question->record)
        shake_record(&shake, peak * arch_gravity, question->frequency, question->lot);
    else
        shake_pulse(&shake, peak * arch_gravity, question->duration, watched);
    talus_status status = shake_it(&vault, &shake, question->onset, &outcome, err);
    *out = question->onset ? outcome.moved > moving : outcome.drop > collapse;
    return status;
}

struct bracket {
    double low, high; /* of the peak over g: no, yes */
    double width;     /* relative, to reach */
};

static talus_status bisect(const struct question *question, struct bracket bracket, double *out,
                           talus_error *err) {
    while (bracket.high - bracket.low > bracket.width * bracket.high) {
        double middle = 0.5 * (bracket.low + bracket.high);
        bool yes = false;
        talus_status status = ask(question, middle, &yes, err);
        if (status < 0) return status;
        if (yes)
            bracket.high = middle;
        else
            bracket.low = middle;
    }
    *out = 0.5 * (bracket.low + bracket.high);
    return TALUS_OK;
}

/* Upwards from `low` until it collapses, then between: a stronger motion need not do more harm, so
 * this is the first peak found that does. */
static talus_status climb(const struct question *question, double low, double *out,
                          talus_error *err) {
    const double factor = 1.2, highest = 20.0;
    bool yes = false;
    double high = low;
    while (!yes && high < highest) {
        low = high;
        high *= factor;
        talus_status status = ask(question, high, &yes, err);
        if (status < 0) return status;
    }
    return bisect(question, (struct bracket){low, high, 0.03}, out, err);
}

/* ---- the block ---------------------------------------------------------------------------------- */

struct tilt {
    double angle, rate;
};

static double tilt_acceleration(double width, double angle, double push) {
    double alpha = atan(width), radius = 0.5 * hypot(1.0, width);
    return 0.75 * arch_gravity / radius * (push * cos(alpha - angle) - sin(alpha - angle));
}

/* One step of the classical Runge-Kutta method. */
static struct tilt tilt_step(double width, struct tilt tilt, double push, double h) {
    double v[4], a[4];
    for (int k = 0; k < 4; k++) {
        double ahead = k == 0 ? 0.0 : k < 3 ? 0.5 * h : h;
        v[k] = tilt.rate + (k > 0 ? ahead * a[k - 1] : 0.0);
        a[k] = tilt_acceleration(width, tilt.angle + (k > 0 ? ahead * v[k - 1] : 0.0), push);
    }
    tilt.angle += h / 6.0 * (v[0] + 2.0 * v[1] + 2.0 * v[2] + v[3]);
    tilt.rate += h / 6.0 * (a[0] + 2.0 * a[1] + 2.0 * a[2] + a[3]);
    return tilt;
}

/* Energy decides at the end of the pulse: can it still pass over its corner? */
static bool tilt_overturns(double width, double push, double duration) {
    const int steps = 2000;
    double alpha = atan(width), radius = 0.5 * hypot(1.0, width);
    struct tilt tilt = {0.0, 0.0};
    for (int k = 0; k < steps && tilt.angle < alpha; k++)
        tilt = tilt_step(width, tilt, push, duration / steps);
    double needed = 1.5 * arch_gravity / radius * (1.0 - cos(alpha - tilt.angle));
    return tilt.angle >= alpha || tilt.rate * tilt.rate >= needed;
}

static double tilt_limit(double width, double duration) {
    double low = width, high = 50.0 * width;
    for (int k = 0; k < 50; k++) {
        double middle = 0.5 * (low + high);
        if (tilt_overturns(width, middle, duration))
            high = middle;
        else
            low = middle;
    }
    return high;
}

static talus_status blocks(struct paper_run *run, FILE *table, talus_error *err) {
    struct question question = {
        .vault = {.kind = VAULT_BLOCK, .arch = {.mu = 1.0}, .slenderness = 0.2},
        .onset = true,
        .duration = 3.0};
    double found = 0.0, worst = 0.0, width = question.vault.slenderness;
    int count = run->quick ? 2 : 6;
    talus_status status = bisect(&question, (struct bracket){0.05, 0.5, 1e-4}, &found, err);
    paper_note(run, "block, w/h = 0.2: moves from a/g = %.5f on", found);
    paper_record(run, "block_onset", found);
    question.onset = false;
    fputs("# duration[s]\ta/g measured\tequation of motion\n", table);
    for (int i = 0; i < count && status >= 0; i++) {
        question.duration = 0.1 * pow(2.0, 0.5 * i);
        question.duration = round(question.duration / shake_dt) * shake_dt;
        double theory = tilt_limit(width, question.duration);
        status = bisect(&question, (struct bracket){width, 20.0 * width, 1e-3}, &found, err);
        fprintf(table, "%.6g\t%.9g\t%.9g\n", question.duration, found, theory);
        worst = fmax(worst, fabs(found / theory - 1.0));
    }
    paper_note(run, "overturned by a pulse: worst departure from the equation of motion %.4f",
               worst);
    paper_record(run, "block_pulse_worst", worst);
    return status;
}

/* The scene of this folder: shaken beyond the limit of statics, the block rocks and does not fall.
 * Recorded is the largest tilt over that from which it would not come back. */
static talus_status rocking(struct paper_run *run, talus_error *err) {
    talus_scene *scene = NULL;
    talus_sim *sim = NULL;
    double widest = 0.0;
    talus_status status = paper_scene(run, "scene.yaml", NULL, 0, &scene, err);
    if (status >= 0) status = talus_scene_build(scene, &sim, err);
    talus_scene_free(scene);
    while (status >= 0 && talus_sim_time(sim) < 3.0) {
        status = talus_sim_step(sim, NULL, err);
        talus_quat turn = talus_sim_bodies(sim).orientation[arch_first(sim)];
        widest = fmax(widest, fabs(2.0 * atan2(turn.z, turn.w)));
    }
    talus_sim_destroy(sim);
    paper_record(run, "block_rocks", widest / atan(0.2));
    return status;
}

/* ---- the arch on an accelerated ground ---------------------------------------------------------- */

static talus_status loads(struct paper_run *run, FILE *table, talus_error *err) {
    static const struct arch arches[] = {
        {11, 0.15, 1.0}, {11, 0.12, 1.0}, {11, 0.20, 1.0}, {21, 0.15, 1.0}, {21, 0.20, 1.0}};
    int count = run->quick ? 1 : 5;
    talus_status status = TALUS_OK;
    fputs("# n\tt/R\ta/g measured\tlimit analysis\n", table);
    for (int i = 0; i < count && status >= 0; i++) {
        char name[PAPER_NAME];
        double found = 0.0;
        struct question question = {
            .vault = {.kind = VAULT_ARCH, .arch = arches[i]}, .onset = true, .duration = 3.0};
        double limit = arch_weakest(&arches[i]).load;
        status = bisect(&question, (struct bracket){0.02, 0.5, 4e-4}, &found, err);
        fprintf(table, "%d\t%g\t%.9g\t%.9g\n", arches[i].stones, arches[i].thickness, found, limit);
        paper_note(run,
                   "arch, %d stones, t/R = %.2f: moves from a/g = %.5f on, limit analysis "
                   "%.5f",
                   arches[i].stones, arches[i].thickness, found, limit);
        snprintf(name, sizeof name, "arch_onset_n%d_t%.2f", arches[i].stones, arches[i].thickness);
        paper_record(run, name, found);
    }
    return status;
}

/* ---- records ------------------------------------------------------------------------------------ */

static const struct arch shaken = {.stones = 11, .thickness = 0.15, .mu = 1.0};

static talus_status first_motion(struct paper_run *run, talus_error *err) {
    double limit = arch_weakest(&shaken).load, found = 0.0;
    struct question question = {.vault = {.kind = VAULT_ARCH, .arch = shaken},
                                .onset = true,
                                .record = true,
                                .frequency = 2.0,
                                .lot = 1};
    talus_status status = bisect(&question, (struct bracket){0.1, 0.3, 2e-3}, &found, err);
    if (status < 0) return status;
    paper_note(run, "arch under a record of 2 Hz: moves from a peak of %.4f g on, static %.4f g",
               found, limit);
    paper_record(run, "record_onset_over_static", found / limit);
    return status;
}

/* Peaks at which the arch collapses, over the static limit; their mean for each frequency. */
static talus_status falls(struct paper_run *run, FILE *table, double mean[FREQUENCIES],
                          talus_error *err) {
    double limit = arch_weakest(&shaken).load, found = 0.0;
    fputs("# frequency[Hz]\tlot\tpeak of collapse over static limit\n", table);
    for (int f = 0; f < FREQUENCIES; f++) {
        mean[f] = 0.0;
        for (int lot = 1; lot <= LOTS; lot++) {
            struct question question = {.vault = {.kind = VAULT_ARCH, .arch = shaken},
                                        .record = true,
                                        .frequency = frequencies[f],
                                        .lot = (uint64_t)lot};
            talus_status status = climb(&question, limit, &found, err);
            if (status < 0) return status;
            fprintf(table, "%g\t%d\t%.6g\n", frequencies[f], lot, found / limit);
            mean[f] += found / limit / LOTS;
        }
        paper_note(run, "arch under records of %g Hz: falls at %.2f times the static limit",
                   frequencies[f], mean[f]);
    }
    return TALUS_OK;
}

static talus_status records(struct paper_run *run, FILE *table, talus_error *err) {
    static const char *const names[FREQUENCIES] = {
        "arch_fall_over_static_1Hz", "arch_fall_over_static_2Hz", "arch_fall_over_static_4Hz"};
    double mean[FREQUENCIES];
    talus_status status = first_motion(run, err);
    if (status < 0 || run->quick) return status;
    status = falls(run, table, mean, err);
    if (status < 0) return status;
    for (int f = 0; f < FREQUENCIES; f++) paper_record(run, names[f], mean[f]);
    paper_record(run, "arch_fall_rises_with_frequency", mean[0] < mean[1] && mean[1] < mean[2]);
    return status;
}

/* ---- the bridge --------------------------------------------------------------------------------- */

static const struct vault bridge = {.kind = VAULT_BRIDGE,
                                    .arch = {.stones = 11, .thickness = 0.15, .mu = 0.6}};

static talus_status picture(const struct paper_run *run, const talus_sim *sim, int number,
                            talus_error *err) {
    char path[PAPER_PATH];
    talus_picture_config config = talus_picture_config_default();
    config.color = "group";
    config.legend = false;
    config.low = (talus_vec3){-2.2, -0.2, 0}; /* the same for all, with room around the bridge */
    config.high = (talus_vec3){2.2, 1.8, 0};
    snprintf(path, sizeof path, "%s/film_%03d.png", run->output, number);
    return talus_picture_write(sim, &config, path, err);
}

/* FILM pictures of it under the record, and its stones at the end in the table. */
static talus_status film(const struct paper_run *run, const struct shake *shake, FILE *table,
                         talus_error *err) {
    struct watch watch;
    talus_status status = watch_start(&watch, &bridge, shake, err);
    size_t every = shake->count / FILM;
    for (size_t k = 1; k < shake->count && status >= 0; k++) {
        status = watch_step(&watch, err);
        if (status >= 0 && !run->quick && k % every == 0)
            status = picture(run, watch.sim, (int)(k / every), err);
    }
    if (status >= 0) arch_write(table, watch.sim, "after the shaking");
    talus_sim_destroy(watch.sim);
    return status;
}

/* Twice the static limit of the arch brings it down; the bridge built on the same arch stands, and
 * is filmed under three times that. */
static talus_status bridges(struct paper_run *run, FILE *table, talus_error *err) {
    struct shake shake;
    struct outcome arch, small;
    double limit = arch_weakest(&shaken).load;
    struct vault bare = {.kind = VAULT_ARCH, .arch = bridge.arch};
    shake_record(&shake, 2.0 * limit * arch_gravity, 2.0, 1);
    talus_status status = shake_it(&bare, &shake, false, &arch, err);
    if (status >= 0) status = shake_it(&bridge, &shake, false, &small, err);
    if (status < 0) return status;
    paper_note(run, "peak %.2f g, 2 Hz: the bare arch comes down by %.3f m, the bridge by %.4f m",
               2.0 * limit, arch.drop, small.drop);
    paper_record(run, "bare_arch_collapses", arch.drop > collapse);
    paper_record(run, "bridge_drop", small.drop);
    if (run->quick) return status;
    shake_record(&shake, 6.0 * limit * arch_gravity, 2.0, 1);
    return film(run, &shake, table, err);
}

static talus_status in_table(struct paper_run *run, const char *file,
                             talus_status (*fill)(struct paper_run *, FILE *, talus_error *),
                             talus_error *err) {
    FILE *table;
    talus_status status = paper_table_open(run, file, &table, err);
    if (status < 0) return status;
    status = fill(run, table, err);
    talus_status closed = paper_table_close(table, file, status < 0 ? NULL : err);
    return status < 0 ? status : closed;
}

static talus_status measure(struct paper_run *run, talus_error *err) {
    talus_status status = in_table(run, "block.tsv", blocks, err);
    if (status >= 0) status = rocking(run, err);
    if (status >= 0) status = in_table(run, "load.tsv", loads, err);
    if (status >= 0) status = in_table(run, "record.tsv", records, err);
    if (status >= 0) status = in_table(run, "bridge.tsv", bridges, err);
    return status;
}

const struct paper vault_paper = {
    .name = "vault",
    .title = "Block, arch and arch bridge on a shaken ground: when they move, when they fall",
    .source = "G. W. Housner, 1963 (block); limit analysis (arch)",
    .measure = measure,
};
