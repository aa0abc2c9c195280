/* SPDX-License-Identifier: Apache-2.0
 *
 * Cohesion of finite range [Brendel2004, sect. 1.8]: a contact bears tension up to F_C and takes
 * the energy E_C = F_C d_C to break. Two touching grains, reduced mass m_n, that are torn apart
 * with the speed v part iff v > v_c = sqrt(2 E_C/m_n), with sqrt(v^2 - v_c^2); slower ones stop at
 * the gap m_n v^2/(2 F_C) and stay there. None of this depends on the time step. With the law of
 * zero range (force only, no energy) the contact takes the momentum F_C dt in the one step in which
 * it opens: the grains part iff v > F_C dt/m_n, which tends to nought with dt.
 *
 * Units: m = F_C = 1, m_n = 1/2, d_C = 0.01, so v_c = 0.2.
 */
#include <math.h>

#include "papers/papers.h"

static const double strength = 1.0, reduced_mass = 0.5; /* of the scene */

/* ---- the pair -------------------------------------------------------------------------------- */

/* Bodies 0 and 1 of the scene, touching and bonded after one step at rest. */
static talus_status make_pair(const struct paper_run *run, double dt, bool zero_range,
                              talus_sim **out, talus_error *err) {
    char step[64];
    talus_scene *scene = NULL;
    snprintf(step, sizeof step, "time.dt=%.17g", dt);
    const char *const overrides[] = {step, "pairs.0.cohesion.range=0"};
    talus_status status =
        paper_scene(run, "scene.yaml", overrides, zero_range ? 2 : 1, &scene, err);
    if (status >= 0) status = talus_scene_build(scene, out, err);
    if (status >= 0) status = talus_sim_step(*out, NULL, err);
    talus_scene_free(scene);
    return status;
}

/* Move apart (> 0) or together (< 0) with this relative speed from now on. */
static talus_status set_speed(talus_sim *sim, double speed, talus_error *err) {
    talus_status status =
        talus_group_set_velocity(sim, "left", (talus_vec3){-0.5 * speed, 0, 0}, err);
    if (status < 0) return status;
    return talus_group_set_velocity(sim, "right", (talus_vec3){0.5 * speed, 0, 0}, err);
}

static double speed_of(const talus_sim *sim) {
    talus_body_view bodies = talus_sim_bodies(sim);
    return bodies.velocity[1].x - bodies.velocity[0].x;
}

static double gap_of(const talus_sim *sim) {
    talus_body_view bodies = talus_sim_bodies(sim);
    return bodies.position[1].x - bodies.position[0].x - bodies.radius[0] - bodies.radius[1];
}

static talus_status run_for(talus_sim *sim, double duration, talus_error *err) {
    talus_status status = TALUS_OK;
    long count = (long)(duration / talus_sim_dt(sim)) + 2;
    for (long k = 0; k < count && status >= 0; k++) status = talus_sim_step(sim, NULL, err);
    return status;
}

struct outcome {
    double speed, gap; /* at the end, m/s and m */
    double bond_loss;  /* J, taken by the bond */
    bool parted;
};

/* Tear the pair apart at this speed and wait until it has parted or stopped. The longest a bond can
 * last is the time in which F_C takes the momentum m_n v. */
static talus_status tear(talus_sim *sim, double speed, struct outcome *out, talus_error *err) {
    talus_status status = set_speed(sim, speed, err);
    double before = talus_sim_observe(sim).energy.dissipation_bonds;
    if (status >= 0) status = run_for(sim, 1.1 * reduced_mass * speed / strength, err);
    if (status < 0) return status;
    out->speed = speed_of(sim);
    out->gap = gap_of(sim);
    out->bond_loss = talus_sim_observe(sim).energy.dissipation_bonds - before;
    out->parted = out->speed > 1e-9;
    return TALUS_OK;
}

static talus_status tear_new(const struct paper_run *run, double dt, bool zero_range, double speed,
                             struct outcome *out, talus_error *err) {
    talus_sim *sim = NULL;
    talus_status status = make_pair(run, dt, zero_range, &sim, err);
    if (status >= 0) status = tear(sim, speed, out, err);
    talus_sim_destroy(sim);
    return status;
}

/* ---- pull-off force -------------------------------------------------------------------------- */

struct pull {
    bool zero_range;
    double force;
    int steps;
    bool opened;  /* out: a gap shows */
    double error; /* out: largest |R_n + F| */
};

static talus_status set_pull(talus_sim *sim, double force, talus_error *err) {
    talus_signal signal = {.kind = TALUS_SIGNAL_CONSTANT, .mean = force};
    talus_status status = talus_force_set(sim, "one", "left", (talus_vec3){-1, 0, 0}, &signal, err);
    if (status < 0) return status;
    return talus_force_set(sim, "two", "right", (talus_vec3){1, 0, 0}, &signal, err);
}

static talus_status pull_pair(const struct paper_run *run, struct pull *pull, talus_error *err) {
    talus_sim *sim = NULL;
    talus_status status = make_pair(run, 1e-3, pull->zero_range, &sim, err);
    if (status >= 0) status = set_pull(sim, pull->force, err);
    pull->error = 0.0;
    for (int k = 0; k < pull->steps && status >= 0; k++) {
        talus_contact contact = {0};
        status = talus_sim_step(sim, NULL, err);
        talus_sim_contacts(sim, &contact, 1);
        pull->error = fmax(pull->error, fabs(contact.force.x + pull->force));
    }
    if (status >= 0) pull->opened = gap_of(sim) > 1e-12;
    talus_sim_destroy(sim);
    return status;
}

/* The largest force that does not open the contact, by bisection. */
static talus_status pull_off(const struct paper_run *run, bool zero_range, double *out,
                             talus_error *err) {
    double holds = 0.0, opens = 2.0;
    while (opens - holds > 1e-7) {
        struct pull pull = {zero_range, 0.5 * (holds + opens), 100, false, 0.0};
        talus_status status = pull_pair(run, &pull, err);
        if (status < 0) return status;
        *(pull.opened ? &opens : &holds) = pull.force;
    }
    *out = 0.5 * (holds + opens);
    return TALUS_OK;
}

static talus_status pull_offs(struct paper_run *run, talus_error *err) {
    double finite = 0.0, zero = 0.0;
    struct pull below = {false, 0.99 * strength, 10000, true, 0.0};
    struct pull above = {false, 1.01 * strength, 10000, false, 0.0};
    talus_status status = pull_off(run, false, &finite, err);
    if (status >= 0) status = pull_off(run, true, &zero, err);
    if (status >= 0) status = pull_pair(run, &below, err);
    if (status >= 0) status = pull_pair(run, &above, err);
    if (status < 0) return status;
    paper_note(run, "pull-off force %.7f F_C (zero range %.7f F_C)", finite, zero);
    paper_record(run, "pull_off_force", finite);
    paper_record(run, "pull_off_force_zero_range", zero);
    paper_record(run, "opened_at_0.99", below.opened);
    paper_record(run, "opened_at_1.01", above.opened);
    paper_record(run, "force_error_at_0.99", below.error);
    return TALUS_OK;
}

/* ---- independence of the time step ----------------------------------------------------------- */

/* The smallest speed that parts them, by bisection. */
static talus_status critical_speed(const struct paper_run *run, double dt, bool zero_range,
                                   double *out, talus_error *err) {
    double holds = 0.0, parts = 0.4;
    while (parts - holds > 1e-6) {
        struct outcome outcome = {0};
        double speed = 0.5 * (holds + parts);
        talus_status status = tear_new(run, dt, zero_range, speed, &outcome, err);
        if (status < 0) return status;
        *(outcome.parted ? &parts : &holds) = speed;
    }
    *out = 0.5 * (holds + parts);
    return TALUS_OK;
}

static void record_at(struct paper_run *run, const char *what, int decade, double value) {
    char name[PAPER_NAME];
    snprintf(name, sizeof name, "%s_dt_1e-%d", what, decade);
    paper_record(run, name, value);
}

/* One time step: speed after 0.25, gap after 0.19, speed after 0.25 with zero range, and both
 * critical speeds: not with the shortest step, which takes a while, and with zero range as long as
 * a slow opening can be told from none (a gap below 1e-9 radii counts as closed, and bonds). */
static talus_status one_time_step(struct paper_run *run, int decade, FILE *table,
                                  talus_error *err) {
    struct outcome fast = {0}, slow = {0}, zero = {0};
    double dt = pow(10.0, -decade), critical = nan(""), critical_zero = nan("");
    bool bisect = decade <= 5, bisect_zero = decade <= 4;
    talus_status status = tear_new(run, dt, false, 0.25, &fast, err);
    if (status >= 0) status = tear_new(run, dt, false, 0.19, &slow, err);
    if (status >= 0) status = tear_new(run, dt, true, 0.25, &zero, err);
    if (status >= 0 && bisect) status = critical_speed(run, dt, false, &critical, err);
    if (status >= 0 && bisect_zero) status = critical_speed(run, dt, true, &critical_zero, err);
    if (status < 0) return status;
    paper_note(run, "dt = %.0e: 0.25 -> %.10f, 0.19 -> gap %.7f; v_c = %.6f (zero range %.6f)", dt,
               fast.speed, slow.gap, critical, critical_zero);
    record_at(run, "speed", decade, fast.speed);
    record_at(run, "gap", decade, slow.gap);
    record_at(run, "bond_energy", decade, fast.bond_loss);
    if (bisect) record_at(run, "critical", decade, critical);
    if (bisect_zero) record_at(run, "critical_zero_range", decade, critical_zero);
    record_at(run, "speed_zero_range", decade, zero.speed);
    fprintf(table, "%.9g\t%.12g\t%.12g\t%.12g\t%.9g\t%.9g\n", dt, fast.speed, slow.gap, zero.speed,
            critical, critical_zero);
    return TALUS_OK;
}

static talus_status time_steps(struct paper_run *run, talus_error *err) {
    FILE *table;
    talus_status status = paper_table_open(run, "time_steps.tsv", &table, err);
    if (status < 0) return status;
    fputs("# dt\tspeed(0.25)\tgap(0.19)\tspeed(0.25) zero range\tv_c\tv_c zero range\n", table);
    for (int decade = 2; decade <= 6 && status >= 0; decade++)
        status = one_time_step(run, decade, table, err);
    talus_status closed = paper_table_close(table, "time_steps.tsv", status < 0 ? NULL : err);
    return status < 0 ? status : closed;
}

/* The stopping gap is the only number that feels the step: by half a step's travel. */
static void record_gap_order(struct paper_run *run) {
    double exact = reduced_mass * 0.19 * 0.19 / (2.0 * strength);
    double coarse = paper_measured(run, "gap_dt_1e-3"), fine = paper_measured(run, "gap_dt_1e-4");
    paper_record(run, "gap_order", log10(fabs(coarse - exact) / fabs(fine - exact)));
}

/* The gap stays: nothing pulls the grains back. */
static talus_status stays(struct paper_run *run, talus_error *err) {
    talus_sim *sim = NULL;
    struct outcome stopped = {0};
    talus_status status = make_pair(run, 1e-3, false, &sim, err);
    if (status >= 0) status = tear(sim, 0.19, &stopped, err);
    if (status >= 0) status = run_for(sim, 10.0, err);
    if (status >= 0) paper_record(run, "gap_change_in_10_s", gap_of(sim) - stopped.gap);
    talus_sim_destroy(sim);
    return status;
}

/* The figure: speed after against speed before, blocks of one time step each. */
static talus_status speeds(struct paper_run *run, talus_error *err) {
    static const double steps[] = {1e-2, 1e-3, 1e-4};
    FILE *table;
    talus_status status = paper_table_open(run, "speeds.tsv", &table, err);
    if (status < 0) return status;
    for (int i = 0; i < 3 && status >= 0; i++) {
        fprintf(table, "# dt = %g: speed before\tspeed after\tspeed after, zero range\n", steps[i]);
        for (int k = 1; k <= 40 && status >= 0; k++) {
            struct outcome finite = {0}, zero = {0};
            double speed = 0.01 * k;
            status = tear_new(run, steps[i], false, speed, &finite, err);
            if (status >= 0) status = tear_new(run, steps[i], true, speed, &zero, err);
            fprintf(table, "%.9g\t%.9g\t%.9g\n", speed, finite.speed, zero.speed);
        }
        fputs("\n\n", table);
    }
    talus_status closed = paper_table_close(table, "speeds.tsv", status < 0 ? NULL : err);
    return status < 0 ? status : closed;
}

/* ---- closing again --------------------------------------------------------------------------- */

/* Open with 0.19, push together until the gap is closed, and tear again. */
static talus_status reclose(const struct paper_run *run, double speed, struct outcome *out,
                            talus_error *err) {
    talus_sim *sim = NULL;
    talus_status status = make_pair(run, 1e-4, false, &sim, err);
    if (status >= 0) status = tear(sim, 0.19, out, err);
    if (status >= 0) status = set_speed(sim, -0.1, err);
    if (status >= 0) status = run_for(sim, 2.0 * out->gap / 0.1, err);
    double closed = status >= 0 ? gap_of(sim) : 0.0;
    if (status >= 0) status = tear(sim, speed, out, err);
    out->gap -= closed;
    talus_sim_destroy(sim);
    return status;
}

/* Open with 0.19 twice without closing in between: what is left of E_C does not hold. */
static talus_status again(const struct paper_run *run, struct outcome *out, talus_error *err) {
    talus_sim *sim = NULL;
    talus_status status = make_pair(run, 1e-4, false, &sim, err);
    if (status >= 0) status = tear(sim, 0.19, out, err);
    if (status >= 0) status = tear(sim, 0.19, out, err);
    talus_sim_destroy(sim);
    return status;
}

static talus_status reclosing(struct paper_run *run, talus_error *err) {
    struct outcome slow = {0}, fast = {0}, twice = {0};
    talus_status status = reclose(run, 0.19, &slow, err);
    if (status >= 0) status = reclose(run, 0.25, &fast, err);
    if (status >= 0) status = again(run, &twice, err);
    if (status < 0) return status;
    paper_note(run, "closed again: 0.19 -> gap %.6f, 0.25 -> %.6f; not closed, 0.19 -> %.6f",
               slow.gap, fast.speed, twice.speed);
    paper_record(run, "closed_again_gap", slow.gap);
    paper_record(run, "closed_again_speed", fast.speed);
    paper_record(run, "not_closed_speed", twice.speed);
    return TALUS_OK;
}

static talus_status measure(struct paper_run *run, talus_error *err) {
    talus_status status = pull_offs(run, err);
    if (status >= 0) status = time_steps(run, err);
    if (status < 0) return status;
    record_gap_order(run);
    status = stays(run, err);
    if (status >= 0) status = reclosing(run, err);
    if (status >= 0) status = speeds(run, err);
    return status;
}

const struct paper cohesion_paper = {
    .name = "cohesion",
    .title = "A cohesive pair breaks by energy, at every time step",
    .source = "L. Brendel, T. Unger, D. E. Wolf, Contact dynamics for beginners, section 1.8",
    .measure = measure,
};
