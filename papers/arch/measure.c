/* SPDX-License-Identifier: Apache-2.0
 *
 * The thinnest semicircular arch of dry stones that stands. With enough friction it is a matter of
 * geometry: Milankovitch found t/R = 0.1075 for infinitely thin stones in 1907; with n
 * stones hinges can form at n + 1 joints only, and the limit depends on n (limit.c). A thinner arch
 * falls as five hinges: springings and crown open on the inside, haunches on the outside. If n is
 * odd the crown is a stone, and by symmetry a hinge forms on either side of it. Thicker arches
 * need friction: below some mu no equilibrium exists and stones slide.
 *
 * The model is let go with all joints exactly closed. What has a solution without motion does not
 * move, up to the tolerance of the solver; what has none accelerates from the first step on, and
 * exponentially then. So 2 s tell them apart at a thousandth from the limit and closer. The arch
 * has fallen once a stone has moved by a tenth of the thickness; a stone that moved by less than
 * that in the end, but by more than 1e-4 of it, counts as falling too.
 */
#include <math.h>
#include <string.h>

#include "papers/arch/arch.h"

static const double dt = 2e-3, watched = 2.0;      /* s */
static const double fallen = 0.1, standing = 1e-4; /* of the thickness */

enum { SIZES = 14, FRICTIONS = 6 };
static const int sizes[SIZES] = {5, 6, 7, 8, 9, 10, 11, 12, 15, 16, 20, 21, 31, 40};
static const int sizes_quick[] = {5, 10, 21};

/* ---- one arch ---------------------------------------------------------------------------------- */

/* The residual is relative to what a step of free fall makes: what ought to stand creeps by about
 * 1e-7 g dt at most. */
static talus_status make_arch(const struct arch *arch, talus_sim **out, talus_error *err) {
    struct arch_world world = {.mu = arch->mu, .dt = dt, .tolerance = 1e-7, .max_sweeps = 500000};
    talus_status status = arch_world_make(&world, out, err);
    if (status >= 0) status = arch_stones_add(*out, arch, err);
    if (status >= 0) status = arch_ground_add(*out, NULL, err);
    return status;
}

static const talus_vec3 *positions(const talus_sim *sim) {
    return talus_sim_bodies(sim).position + arch_first(sim);
}

static double largest_move(const talus_sim *sim, const talus_vec3 *start, int stones) {
    const talus_vec3 *now = positions(sim);
    double move = 0.0;
    for (int i = 0; i < stones; i++)
        move = fmax(move, hypot(now[i].x - start[i].x, now[i].y - start[i].y));
    return move;
}

/* Until it has fallen or `longest` is over; the largest move over the thickness in *moved. */
static talus_status let_go(talus_sim *sim, const struct arch *arch, double longest, double *moved,
                           talus_error *err) {
    talus_vec3 start[ARCH_STONES];
    talus_status status = TALUS_OK;
    memcpy(start, positions(sim), (size_t)arch->stones * sizeof start[0]);
    *moved = 0.0;
    while (status >= 0 && talus_sim_time(sim) < longest && *moved < fallen) {
        status = talus_sim_step(sim, NULL, err);
        *moved = largest_move(sim, start, arch->stones) / arch->thickness;
    }
    return status;
}

static talus_status watch(const struct arch *arch, double *moved, talus_error *err) {
    talus_sim *sim = NULL;
    talus_status status = make_arch(arch, &sim, err);
    if (status >= 0) status = let_go(sim, arch, watched, moved, err);
    talus_sim_destroy(sim);
    return status;
}

/* ---- thickness --------------------------------------------------------------------------------- */

/* Both sides of the table's criterion, counted over all n; what the standing ones crept. */
struct verdicts {
    int stood, fell;
    double creep;
};

static talus_status judge_sides(int stones, double limit, struct verdicts *verdicts,
                                talus_error *err) {
    struct arch arch = {.stones = stones, .thickness = 1.05 * limit, .mu = 1.0};
    double moved = 0.0;
    talus_status status = watch(&arch, &moved, err);
    if (status < 0) return status;
    verdicts->stood += moved < standing;
    verdicts->creep = fmax(verdicts->creep, moved);
    arch.thickness = 0.95 * limit;
    status = watch(&arch, &moved, err);
    verdicts->fell += moved >= fallen;
    return status;
}

/* The bracket does not know the answer; it ends a 1e-4th wide. */
static talus_status bisect_thickness(int stones, double *out, talus_error *err) {
    double low = 0.08, high = 0.12;
    while (high - low > 1e-4 * low) {
        struct arch arch = {.stones = stones, .thickness = 0.5 * (low + high), .mu = 1.0};
        double moved = 0.0;
        talus_status status = watch(&arch, &moved, err);
        if (status < 0) return status;
        if (moved < standing)
            high = arch.thickness;
        else
            low = arch.thickness;
    }
    *out = 0.5 * (low + high);
    return TALUS_OK;
}

static bool among(const int *list, size_t count, int stones) {
    for (size_t i = 0; i < count; i++)
        if (list[i] == stones) return true;
    return false;
}

static talus_status measure_thickness(struct paper_run *run, int stones, FILE *table,
                                      talus_error *err) {
    char name[PAPER_NAME];
    double limit = arch_thinnest(stones), found = 0.0;
    talus_status status = bisect_thickness(stones, &found, err);
    if (status < 0) return status;
    fprintf(table, "%d\t%.9g\t%.9g\n", stones, found, limit);
    snprintf(name, sizeof name, "thinnest_n%d", stones);
    paper_note(run, "%d stones: stands from t/R = %.6f on, limit analysis %.6f", stones, found,
               limit);
    paper_record(run, name, found);
    return TALUS_OK;
}

static talus_status measure_sizes(struct paper_run *run, FILE *table, talus_error *err) {
    struct verdicts verdicts = {0};
    fputs("# n\tt/R measured\tlimit analysis\n", table);
    for (int i = 0; i < SIZES; i++) {
        bool wanted = !run->quick || among(sizes_quick, 3, sizes[i]);
        talus_status status = judge_sides(sizes[i], arch_thinnest(sizes[i]), &verdicts, err);
        if (status >= 0 && wanted) status = measure_thickness(run, sizes[i], table, err);
        if (status < 0) return status;
    }
    paper_note(run, "of %d arches %d stand at +5 %% of the limit, %d fall at -5 %%", SIZES,
               verdicts.stood, verdicts.fell);
    paper_record(run, "standing_at_+5_percent", verdicts.stood);
    paper_record(run, "falling_at_-5_percent", verdicts.fell);
    paper_record(run, "standing_moved", verdicts.creep);
    return TALUS_OK;
}

/* ---- hinges ------------------------------------------------------------------------------------ */

/* How far a joint has opened, rad: > 0 with the hinge inside, < 0 with the hinge outside. */
static double joint_turn(const talus_sim *sim, int joint, int stones) {
    const talus_quat *turn = talus_sim_bodies(sim).orientation + arch_first(sim);
    double before = joint > 0 ? 2.0 * atan2(turn[joint - 1].z, turn[joint - 1].w) : 0.0;
    double after = joint < stones ? 2.0 * atan2(turn[joint].z, turn[joint].w) : 0.0;
    double drawn = 3.141592653589793 / stones;
    if (joint > 0) before -= drawn * (joint - 1);
    if (joint < stones) after -= drawn * joint;
    return after - before;
}

struct hinges {
    int count;
    int inside, outside;
    int joint[ARCH_STONES + 1];
};

/* A joint is a hinge if it has opened by more than a hundredth of the widest one. */
static struct hinges read_hinges(const talus_sim *sim, int stones) {
    struct hinges hinges = {0};
    double widest = 0.0;
    for (int i = 0; i <= stones; i++) widest = fmax(widest, fabs(joint_turn(sim, i, stones)));
    for (int i = 0; i <= stones; i++) {
        double turn = joint_turn(sim, i, stones);
        if (fabs(turn) < 0.01 * widest) continue;
        hinges.joint[hinges.count++] = i;
        hinges.inside += turn > 0.0;
        hinges.outside += turn < 0.0;
    }
    return hinges;
}

/* Hinges that are not those of the mechanism at the limit, nor their mirror images. Further below
 * there is more than one that the weight drives. */
static int misplaced(const struct hinges *hinges, const struct arch *arch) {
    struct arch limit = *arch;
    limit.thickness = arch_thinnest(arch->stones) * (1.0 - 1e-6);
    struct arch_mechanism weakest = arch_weakest(&limit);
    int count = 0;
    for (int i = 0; i < hinges->count; i++) {
        int joint = hinges->joint[i];
        count += !among(weakest.joint, 4, joint) && !among(weakest.joint, 4, arch->stones - joint);
    }
    return count;
}

static talus_status draw_fall(const struct paper_run *run, const talus_sim *sim, const char *file,
                              talus_error *err) {
    char path[PAPER_PATH];
    talus_picture_config config = talus_picture_config_default();
    snprintf(path, sizeof path, "%s/%s", run->output, file);
    return talus_picture_write(sim, &config, path, err);
}

static void record_hinges(struct paper_run *run, const talus_sim *sim, const struct arch *arch) {
    char name[PAPER_NAME];
    struct hinges hinges = read_hinges(sim, arch->stones);
    paper_note(run,
               "%d stones, 5 %% too thin: %d hinges inside, %d outside; the first at %g deg, "
               "the second at %g deg",
               arch->stones, hinges.inside, hinges.outside, hinges.joint[0] * 180.0 / arch->stones,
               hinges.joint[1] * 180.0 / arch->stones);
    snprintf(name, sizeof name, "hinges_inside_n%d", arch->stones);
    paper_record(run, name, hinges.inside);
    snprintf(name, sizeof name, "hinges_outside_n%d", arch->stones);
    paper_record(run, name, hinges.outside);
    snprintf(name, sizeof name, "hinges_misplaced_n%d", arch->stones);
    paper_record(run, name, misplaced(&hinges, arch));
}

/* The fall of ten stones, from the scene, and of eleven. */
static talus_status watch_fall(struct paper_run *run, int stones, FILE *table, talus_error *err) {
    struct arch arch = {.stones = stones, .thickness = 0.95 * arch_thinnest(stones), .mu = 1.0};
    talus_scene *scene = NULL;
    talus_sim *sim = NULL;
    double moved;
    talus_status status = TALUS_OK;
    if (stones == 10) {
        status = paper_scene(run, "scene.yaml", NULL, 0, &scene, err);
        if (status >= 0) status = talus_scene_build(scene, &sim, err);
        talus_scene_free(scene);
    } else {
        status = make_arch(&arch, &sim, err);
    }
    if (status >= 0) status = let_go(sim, &arch, watched, &moved, err);
    if (status >= 0) record_hinges(run, sim, &arch);
    while (status >= 0 && talus_sim_time(sim) < 0.5) status = talus_sim_step(sim, NULL, err);
    if (status >= 0) arch_write(table, sim, "5 % too thin, after 0.5 s");
    if (status >= 0) status = draw_fall(run, sim, stones == 10 ? "fall10.png" : "fall11.png", err);
    talus_sim_destroy(sim);
    return status;
}

/* ---- friction ---------------------------------------------------------------------------------- */

static const struct {
    int stones;
    double thickness, mu; /* mu: from the linear programme */
} frictions[FRICTIONS] = {{11, 0.12, 0.379}, {11, 0.15, 0.349},  {11, 0.2, 0.307},
                          {21, 0.12, 0.381}, {21, 0.15, 0.3505}, {21, 0.2, 0.309}};

static talus_status bisect_friction(struct arch arch, double *out, talus_error *err) {
    double low = 0.25, high = 0.45;
    while (high - low > 1e-4) {
        double moved = 0.0;
        arch.mu = 0.5 * (low + high);
        talus_status status = watch(&arch, &moved, err);
        if (status < 0) return status;
        if (moved < standing)
            high = arch.mu;
        else
            low = arch.mu;
    }
    *out = 0.5 * (low + high);
    return TALUS_OK;
}

/* How far the stones on both sides of a joint have slid along it. */
static double joint_slip(const talus_sim *sim, const struct arch *arch, const talus_vec3 *start,
                         int joint) {
    const talus_vec3 *now = positions(sim);
    double angle = joint * 3.141592653589793 / arch->stones, slip = 0.0;
    if (joint < arch->stones)
        slip += (now[joint].x - start[joint].x) * cos(angle) +
                (now[joint].y - start[joint].y) * sin(angle);
    if (joint > 0)
        slip -= (now[joint - 1].x - start[joint - 1].x) * cos(angle) +
                (now[joint - 1].y - start[joint - 1].y) * sin(angle);
    return slip;
}

/* The largest slip over the largest move of a stone, 2 % below the limit of friction. */
static talus_status slip_share(struct arch arch, double *out, talus_error *err) {
    talus_sim *sim = NULL;
    double moved = 0.0, slip = 0.0;
    talus_vec3 start[ARCH_STONES];
    talus_status status = make_arch(&arch, &sim, err);
    if (status >= 0) memcpy(start, positions(sim), (size_t)arch.stones * sizeof start[0]);
    if (status >= 0) status = let_go(sim, &arch, watched, &moved, err);
    for (int i = 0; i <= arch.stones && status >= 0; i++)
        slip = fmax(slip, fabs(joint_slip(sim, &arch, start, i)));
    *out = moved >= fallen ? slip / (moved * arch.thickness) : 0.0;
    talus_sim_destroy(sim);
    return status;
}

static talus_status measure_frictions(struct paper_run *run, FILE *table, talus_error *err) {
    int count = run->quick ? FRICTIONS / 2 : FRICTIONS;
    double least = HUGE_VAL;
    fputs("# n\tt/R\tmu measured\tlinear programme\n", table);
    for (int i = 0; i < count; i++) {
        char name[PAPER_NAME];
        struct arch arch = {.stones = frictions[i].stones, .thickness = frictions[i].thickness};
        double found = 0.0, share = 0.0;
        talus_status status = bisect_friction(arch, &found, err);
        arch.mu = 0.98 * found;
        if (status >= 0) status = slip_share(arch, &share, err);
        if (status < 0) return status;
        least = fmin(least, share);
        fprintf(table, "%d\t%g\t%.9g\t%.9g\n", arch.stones, arch.thickness, found, frictions[i].mu);
        paper_note(run,
                   "%d stones, t/R = %.2f: stands from mu = %.5f on; 2 %% below, slip is %.2f "
                   "of the motion",
                   arch.stones, arch.thickness, found, share);
        snprintf(name, sizeof name, "mu_n%d_t%.2f", arch.stones, arch.thickness);
        paper_record(run, name, found);
    }
    paper_record(run, "slip_share_least", least);
    return TALUS_OK;
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

static talus_status measure_falls(struct paper_run *run, FILE *table, talus_error *err) {
    talus_status status = watch_fall(run, 10, table, err);
    return status >= 0 ? watch_fall(run, 11, table, err) : status;
}

static talus_status measure(struct paper_run *run, talus_error *err) {
    talus_status status = in_table(run, "thickness.tsv", measure_sizes, err);
    if (status >= 0) status = in_table(run, "fall.tsv", measure_falls, err);
    if (status >= 0) status = in_table(run, "friction.tsv", measure_frictions, err);
    return status;
}

const struct paper arch_paper = {
    .name = "arch",
    .title = "The thinnest arch of dry stones that stands, and the least friction it needs",
    .source = "J. Heyman, The stone skeleton; limit analysis for n stones; M. Milankovitch, 1907",
    .measure = measure,
};
