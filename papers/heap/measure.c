/* SPDX-License-Identifier: Apache-2.0
 *
 * Heaps. On a smooth plane round grains cannot make one: they roll apart until none lies on
 * another. Rolling friction, a torque up to mu_t R_n, keeps the lowest grains in place and with
 * them the heap [Brendel2004, sect. 1.7], [Zhou1999]. On a rough ground there is always a heap;
 * its angle rises with the coefficients of sliding and of rolling friction, and does not depend on
 * gravity: rigid grains have no force to compare it with.
 *
 * The angle is taken from moments, for they use every grain: in a triangle of height H and half
 * width L the mean height is H/3 and the mean distance from the middle L/3, so
 * tan(angle) = <y>/<|x|>.
 */
#include <math.h>
#include <stdint.h>

#include "papers/papers.h"

enum { GRAINS = 200, GRAINS_QUICK = 80, SEEDS = 3, MUS = 3, ROLLINGS = 3 };
enum { BATCH = 10, STEPS_APART = 30, STEPS_SETTLE = 300 };

static const double mus[MUS] = {0.2, 0.4, 0.8}, rollings[ROLLINGS] = {0.0, 0.05, 0.2};
static const double diameter = 10e-3; /* mean, of the discs */

/* ---- pouring in two dimensions --------------------------------------------------------------- */

struct pile {
    double mu, rolling;
    int seed, grains;
    bool fast; /* gravity x4, dt/2 */
};

static talus_status make_ground(const struct paper_run *run, const struct pile *pile,
                                talus_sim **out, talus_error *err) {
    char text[3][64];
    talus_scene *scene = NULL;
    snprintf(text[0], sizeof text[0], "pairs.0.mu=%g", pile->mu);
    snprintf(text[1], sizeof text[1], "pairs.0.rolling.coefficient=%g", pile->rolling);
    snprintf(text[2], sizeof text[2], "seed=%d", pile->seed);
    const char *const overrides[] = {text[0], text[1], text[2], "gravity=[0, -39.24]",
                                     "time.dt=0.5 ms"};
    talus_status status =
        paper_scene(run, "repose.yaml", overrides, pile->fast ? 5 : 3, &scene, err);
    if (status >= 0) status = talus_scene_build(scene, out, err);
    talus_scene_free(scene);
    return status;
}

static bool is_disc(const talus_body_view *bodies, size_t i) {
    return bodies->kind[i] == TALUS_BODY_GRAIN;
}

/* A disc is let go a little above whatever is below it; from high up it would dig into the top. */
static talus_status drop_disc(talus_sim *sim, uint64_t *dice, talus_error *err) {
    talus_body_def def = talus_body_def_default(sim);
    talus_body_view bodies = talus_sim_bodies(sim);
    double x = (paper_random(dice) - 0.5) * 2.0 * diameter, top = 0.0;
    def.radius = (0.4 + 0.2 * paper_random(dice)) * diameter;
    for (size_t i = 0; i < bodies.count; i++)
        if (is_disc(&bodies, i) && fabs(bodies.position[i].x - x) < bodies.radius[i] + def.radius)
            top = fmax(top, bodies.position[i].y + bodies.radius[i]);
    def.position = (talus_vec3){x, top + def.radius + 0.1 * diameter, 0};
    def.group = "heap";
    return talus_bodies_add(sim, &def, 1, NULL, err);
}

static talus_status steps(talus_sim *sim, int count, talus_error *err) {
    talus_status status = TALUS_OK;
    for (int k = 0; k < count && status >= 0; k++) status = talus_sim_step(sim, NULL, err);
    return status;
}

/* ---- the angle ------------------------------------------------------------------------------- */

/* Heights count from the ground. */
static double repose_angle(const talus_sim *sim) {
    talus_body_view bodies = talus_sim_bodies(sim);
    double weight = 0.0, middle = 0.0, width = 0.0, height = 0.0;
    for (size_t i = 0; i < bodies.count; i++) {
        if (!is_disc(&bodies, i)) continue;
        weight += bodies.mass[i];
        middle += bodies.mass[i] * bodies.position[i].x;
        height += bodies.mass[i] * bodies.position[i].y;
    }
    middle /= weight;
    for (size_t i = 0; i < bodies.count; i++)
        if (is_disc(&bodies, i)) width += bodies.mass[i] * fabs(bodies.position[i].x - middle);
    return atan(height / width) * 180.0 / 3.141592653589793;
}

/* From half its final size on the heap comes to rest after every batch of discs. The mean is over
 * these: the angle of one depends on how long ago the last slide was. */
static talus_status pour(const struct paper_run *run, const struct pile *pile, talus_sim **out,
                         double *angle, talus_error *err) {
    uint64_t dice = (uint64_t)pile->seed;
    int samples = 0;
    *angle = 0.0;
    talus_status status = make_ground(run, pile, out, err);
    for (int i = 1; i <= pile->grains && status >= 0; i++) {
        bool rests = 2 * i >= pile->grains && i % BATCH == 0;
        status = drop_disc(*out, &dice, err);
        if (status >= 0) status = steps(*out, rests ? STEPS_SETTLE : STEPS_APART, err);
        if (status < 0 || !rests) continue;
        *angle += repose_angle(*out);
        samples++;
    }
    *angle /= samples;
    return status;
}

static void write_heap(FILE *table, const talus_sim *sim, const struct pile *pile) {
    talus_body_view bodies = talus_sim_bodies(sim);
    fprintf(table, "# mu = %g, rolling %g: x[d]\ty[d]\tr[d]\n", pile->mu, pile->rolling);
    for (size_t i = 0; i < bodies.count; i++)
        if (is_disc(&bodies, i))
            fprintf(table, "%.5f\t%.5f\t%.4f\n", bodies.position[i].x / diameter,
                    bodies.position[i].y / diameter, bodies.radius[i] / diameter);
    fputs("\n\n", table);
}

struct angle {
    double mean, error; /* deg, with the standard error over the seeds */
};

static talus_status measure_angle(const struct paper_run *run, struct pile pile, FILE *heaps,
                                  struct angle *out, talus_error *err) {
    double sum = 0.0, squares = 0.0;
    int seeds = run->quick ? 1 : SEEDS;
    for (pile.seed = 1; pile.seed <= seeds; pile.seed++) {
        talus_sim *sim = NULL;
        double angle = 0.0;
        talus_status status = pour(run, &pile, &sim, &angle, err);
        if (status >= 0 && pile.seed == 1) write_heap(heaps, sim, &pile);
        talus_sim_destroy(sim);
        if (status < 0) return status;
        sum += angle;
        squares += angle * angle;
    }
    out->mean = sum / seeds;
    out->error =
        seeds > 1 ? sqrt(fmax(squares / seeds - out->mean * out->mean, 0.0) / (seeds - 1)) : 0.0;
    paper_note(run, "mu = %.1f, rolling %.2f: angle %.2f +- %.2f deg", pile.mu, pile.rolling,
               out->mean, out->error);
    return TALUS_OK;
}

/* Neighbours in a column (step = ROLLINGS) or row (step = 1) of the table of which the second is
 * smaller by more than twice the error of the difference. */
static int falls(const struct angle *first, int count, int step) {
    int found = 0;
    for (int i = 0; i + 1 < count; i++) {
        const struct angle *a = &first[i * step], *b = &first[(i + 1) * step];
        found += b->mean < a->mean - 2.0 * hypot(a->error, b->error);
    }
    return found;
}

/* The mean of a row (over rolling) or of a column (over mu). */
static double mean_of(const struct angle *first, int count, int step) {
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += first[i * step].mean;
    return sum / count;
}

static void record_angles(struct paper_run *run, const struct angle angles[MUS * ROLLINGS]) {
    int with_mu = 0, with_rolling = 0;
    double row[MUS], column[ROLLINGS];
    for (int i = 0; i < ROLLINGS; i++) {
        with_mu += falls(angles + i, MUS, ROLLINGS);
        column[i] = mean_of(angles + i, MUS, ROLLINGS);
    }
    for (int i = 0; i < MUS; i++) {
        with_rolling += falls(angles + i * ROLLINGS, ROLLINGS, 1);
        row[i] = mean_of(angles + i * ROLLINGS, ROLLINGS, 1);
    }
    paper_record(run, "angle_falls_with_mu", with_mu);
    paper_record(run, "angle_falls_with_rolling", with_rolling);
    paper_record(run, "angle_rise_mu_0.2_0.8", row[2] - row[0]);
    paper_record(run, "angle_rise_rolling_0_0.05", column[1] - column[0]);
    paper_record(run, "angle_rise_rolling_0.05_0.2", column[2] - column[1]);
}

static talus_status measure_angles(struct paper_run *run, FILE *table, FILE *heaps,
                                   talus_error *err) {
    struct angle angles[MUS * ROLLINGS] = {{0}};
    fputs("# mu\trolling\tangle[deg]\terror[deg]\n", table);
    for (int i = 0; i < MUS; i++) {
        for (int j = 0; j < ROLLINGS; j++) {
            struct pile pile = {
                .mu = mus[i], .rolling = rollings[j], .grains = run->quick ? GRAINS_QUICK : GRAINS};
            struct angle *angle = &angles[i * ROLLINGS + j];
            talus_status status = measure_angle(run, pile, heaps, angle, err);
            if (status < 0) return status;
            fprintf(table, "%g\t%g\t%.6g\t%.3g\n", pile.mu, pile.rolling, angle->mean,
                    angle->error);
        }
        fputs("\n\n", table);
    }
    record_angles(run, angles);
    return TALUS_OK;
}

static talus_status repose(struct paper_run *run, talus_error *err) {
    FILE *table, *heaps;
    talus_status status = paper_table_open(run, "repose.tsv", &table, err);
    if (status < 0) return status;
    status = paper_table_open(run, "heaps.tsv", &heaps, err);
    if (status < 0) {
        fclose(table);
        return status;
    }
    status = measure_angles(run, table, heaps, err);
    talus_status first = paper_table_close(table, "repose.tsv", status < 0 ? NULL : err);
    talus_status second = paper_table_close(heaps, "heaps.tsv", status < 0 ? NULL : err);
    if (status < 0) return status;
    return first < 0 ? first : second;
}

/* The same heap under four times the gravity, in half the time: the same bits. */
static talus_status repose_any_gravity(struct paper_run *run, talus_error *err) {
    struct pile pile = {.mu = 0.4, .rolling = 0.05, .grains = 60, .seed = 1};
    talus_sim *slow = NULL, *fast = NULL;
    double angle;
    talus_status status = pour(run, &pile, &slow, &angle, err);
    pile.fast = true;
    if (status >= 0) status = pour(run, &pile, &fast, &angle, err);
    if (status >= 0) {
        talus_body_view a = talus_sim_bodies(slow), b = talus_sim_bodies(fast);
        int differing = 0;
        for (size_t i = 0; i < a.count; i++)
            differing += a.position[i].x != b.position[i].x || a.position[i].y != b.position[i].y;
        paper_record(run, "gravity_positions_differing", differing);
    }
    talus_sim_destroy(slow);
    talus_sim_destroy(fast);
    return status;
}

/* ---- three dimensions, smooth plane ---------------------------------------------------------- */

struct spread {
    int above;      /* grains that do not lie on the plane */
    double kinetic; /* J over m g d, for each grain */
};

static struct spread read_spread(const talus_sim *sim) {
    struct spread spread = {0};
    talus_body_view bodies = talus_sim_bodies(sim);
    talus_energy energy = talus_sim_observe(sim).energy;
    double weight = 0.0;
    for (size_t i = 0; i < bodies.count; i++) {
        if (bodies.kind[i] != TALUS_BODY_GRAIN) continue;
        spread.above += bodies.position[i].z > 1.2 * bodies.radius[i];
        weight += bodies.mass[i] * 9.81 * 2.0 * bodies.radius[i];
    }
    spread.kinetic = (energy.kinetic_translation + energy.kinetic_rotation) / weight;
    return spread;
}

static void write_spheres(FILE *table, const talus_sim *sim, double rolling) {
    talus_body_view bodies = talus_sim_bodies(sim);
    fprintf(table, "# rolling %g: distance from the middle[m]\theight[m]\n", rolling);
    for (size_t i = 0; i < bodies.count; i++)
        if (bodies.kind[i] == TALUS_BODY_GRAIN)
            fprintf(table, "%.6g\t%.6g\n", hypot(bodies.position[i].x, bodies.position[i].y),
                    bodies.position[i].z);
    fputs("\n\n", table);
}

static talus_status draw_spheres(const struct paper_run *run, const talus_sim *sim,
                                 const char *file, talus_error *err) {
    char path[PAPER_PATH];
    talus_picture_config config = talus_picture_config_default();
    config.color = "height";
    config.elevation = 30.0;
    snprintf(path, sizeof path, "%s/%s", run->output, file);
    return talus_picture_write(sim, &config, path, err);
}

/* Without rolling friction there is no rest to wait for: 1.5 s are enough to spread. */
static talus_status pour_spheres(const struct paper_run *run, double rolling, FILE *table,
                                 struct spread *out, talus_error *err) {
    char text[64];
    const char *const overrides[] = {text, "phases.settle.until.time=1.5 s"};
    talus_result *result = NULL;
    snprintf(text, sizeof text, "pairs.0.rolling.coefficient=%g", rolling);
    talus_status status =
        paper_simulate(run, "scene.yaml", overrides, rolling > 0.0 ? 1 : 2, &result, err);
    if (status < 0) return status;
    *out = read_spread(talus_result_sim(result));
    paper_note(run, "200 spheres, rolling %g: %d lie on others, kinetic energy %.1e m g d", rolling,
               out->above, out->kinetic);
    write_spheres(table, talus_result_sim(result), rolling);
    status = draw_spheres(run, talus_result_sim(result), rolling > 0.0 ? "heap.png" : "no_heap.png",
                          err);
    talus_result_free(result);
    return status;
}

static talus_status smooth_plane(struct paper_run *run, talus_error *err) {
    struct spread heap = {0}, flat = {0};
    FILE *table;
    talus_status status = paper_table_open(run, "spheres.tsv", &table, err);
    if (status < 0) return status;
    status = pour_spheres(run, 0.2, table, &heap, err);
    if (status >= 0) status = pour_spheres(run, 0.0, table, &flat, err);
    talus_status closed = paper_table_close(table, "spheres.tsv", status < 0 ? NULL : err);
    if (status < 0) return status;
    paper_record(run, "heap_grains_above", heap.above);
    paper_record(run, "heap_kinetic", heap.kinetic);
    paper_record(run, "no_rolling_grains_above", flat.above);
    return closed;
}

static talus_status measure(struct paper_run *run, talus_error *err) {
    talus_status status = smooth_plane(run, err);
    if (status >= 0) status = repose(run, err);
    if (status >= 0) status = repose_any_gravity(run, err);
    return status;
}

const struct paper heap_paper = {
    .name = "heap",
    .title = "Heaps: kept on a smooth plane by rolling friction; angles of repose",
    .source = "L. Brendel, T. Unger, D. E. Wolf, Contact dynamics for beginners, section 1.7",
    .measure = measure,
};
