/* SPDX-License-Identifier: Apache-2.0
 *
 * talus_compare: the same scene by both methods at matched accuracy (docs/theory/compare.md).
 *
 * The error of soft grains against rigid ones is their overlap over their diameter. That of rigid grains is the
 * unfinished relaxation, whose long waves hide from the residual by the factor (2L/pi d)^2. So
 *     overlap given (or nothing):    cd with residual <= error/(2L/pi d)^2, then md with K = F/(error d),
 *     stiffness or soft laws given:  md, then cd with the overlap that md had as its error.
 * F is the largest mean contact force of cd.
 */
#include "run/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "law/soft_parameters.h"
#include "measure/packing.h"
#include "sim/sim.h"

static const double usual_overlap = 1e-3;
static const double least_error = 1e-9; /* below it rounding would decide */

struct compare {
    const char *path;
    const talus_compare_config *config;
    const char *const *given;
    size_t given_count;
    struct pool *pool;
    talus_scene *scene;
    double scene_dt, wave; /* s; 2L/(pi d) of the grains at the start */
    struct compare_grain grain;
    struct compare_watch *watch;
    talus_comparison *out;
};

talus_compare_config talus_compare_config_default(void) {
    return (talus_compare_config){.threads = 1};
}

/* ---- before the runs ---------------------------------------------------------------------------- */

static talus_status check_config(const talus_compare_config *config, talus_error *err) {
    if (!(config->overlap >= 0.0 && config->overlap < 0.5))
        return error_set(err, TALUS_ERR_INPUT,
                         "the overlap, %g, must be above 0 and below 0.5 diameters",
                         config->overlap);
    if (!(config->stiffness >= 0.0 && isfinite(config->stiffness)))
        return error_set(err, TALUS_ERR_INPUT, "the stiffness, %g, must be > 0", config->stiffness);
    if (config->overlap > 0.0 && config->stiffness > 0.0)
        return error_set(err, TALUS_ERR_INPUT,
                         "overlap and stiffness exclude each other: one follows from the other");
    return TALUS_OK;
}

/* What the scene has at the start; scenes that pour have nothing yet, and then L/d counts as 1. */
static void look_at_start(struct compare *compare, const talus_sim *sim) {
    const double two_over_pi = 0.6366197723675814;
    struct packing packing = measure_packing(&sim->world);
    talus_comparison *out = compare->out;
    compare->scene_dt = talus_sim_dt(sim);
    if (packing.diameter_mean > 0.0)
        compare->wave = fmax(1.0, two_over_pi * packing.size / packing.diameter_mean);
    else {
        compare->wave = 1.0;
        compare_note(out->notes, "cd: no grains at the start, so the size of the packing is not "
                                 "known when the tolerance is chosen");
    }
    out->dim = talus_sim_dim(sim);
    out->boundary_count = talus_sim_boundary_count(sim);
    for (size_t b = 0; b < out->boundary_count && b < TALUS_COMPARE_BOUNDARIES; b++)
        snprintf(out->boundary_name[b], TALUS_COMPARE_NAME, "%.*s", TALUS_COMPARE_NAME - 1,
                 talus_sim_boundary(sim, b).name);
}

static void mean_grain(struct compare *compare, const talus_sim *sim) {
    struct packing packing = measure_packing(&sim->world);
    compare->grain.mass = compare->out->mass = packing.mass_mean;
    compare->grain.radius = compare->out->radius = 0.5 * packing.diameter_mean;
    compare->out->grains = (int64_t)sim->world.grain_count;
}

static talus_status open_scene(struct compare *compare, talus_error *err) {
    talus_sim *sim = NULL;
    TALUS_TRY(talus_scene_load(compare->path, compare->given, compare->given_count, &compare->scene,
                               err));
    TALUS_TRY(talus_scene_build(compare->scene, &sim, err));
    snprintf(compare->out->title, sizeof compare->out->title, "%.*s", 255, compare->scene->title);
    compare->out->scene_method = compare->scene->config.method;
    look_at_start(compare, sim);
    mean_grain(compare, sim);
    talus_sim_destroy(sim);
    return TALUS_OK;
}

/* ---- one run -------------------------------------------------------------------------------------- */

static struct compare_plan plan_start(struct compare *compare) {
    struct compare_plan plan = {
        .pool = compare->pool, .scene = compare->scene, .notes = compare->out->notes};
    for (size_t i = 0; i < compare->given_count && i < COMPARE_OVERRIDES; i++)
        plan.text[plan.count++] = compare->given[i];
    plan.given = plan.count;
    return plan;
}

/* Where phases set dt or count steps the scene is made twice: the time step of the method comes with the first. */
static talus_status load_for(struct compare *compare, talus_method method,
                             struct compare_plan *plan, talus_scene **out, talus_error *err) {
    if (plan->full) return error_memory(err);
    TALUS_TRY(talus_scene_load(compare->path, plan->text, plan->count, out, err));
    if (method == compare->scene->config.method) return TALUS_OK;
    talus_sim *sim = NULL;
    TALUS_TRY(talus_scene_build(*out, &sim, err));
    double dt = talus_sim_dt(sim);
    talus_sim_destroy(sim);
    size_t before = plan->count;
    compare_keep_times(plan, compare->scene_dt, dt);
    if (plan->full) return error_memory(err);
    if (plan->count == before) return TALUS_OK;
    talus_scene_free(*out);
    *out = NULL;
    return talus_scene_load(compare->path, plan->text, plan->count, out, err);
}

static talus_status run_scene_of(struct compare *compare, talus_method method,
                                 const talus_scene *scene, talus_error *err) {
    bool rigid = method == TALUS_METHOD_CD;
    talus_run_config config = talus_run_config_default();
    talus_result *result = NULL;
    char directory[FILE_PATH];
    *compare->watch = (struct compare_watch){.method = method,
                                             .config = compare->config,
                                             .side = rigid ? &compare->out->cd : &compare->out->md};
    if (compare->config->directory != NULL) {
        TALUS_TRY(file_path(directory, compare->config->directory, rigid ? "cd" : "md", err));
        config.directory = directory;
    }
    config.overwrite = compare->config->overwrite;
    config.threads = rigid ? 1 : compare->config->threads;
    config.progress = compare_watch_step;
    config.begun = compare_watch_begun;
    config.context = compare->watch;
    talus_status status = talus_run(scene, &config, &result, err);
    const talus_error *problem = &compare->watch->problem;
    if (status >= 0 && problem->status < 0)
        status = error_set(err, problem->status, "%s", problem->text);
    compare->watch->side->status = status;
    if (result != NULL && result->last.step > 0) {
        compare_watch_end(compare->watch, result);
        mean_grain(compare, result->sim);
    }
    talus_result_free(result);
    return status;
}

/* Mistakes that only one of the methods sees. */
static talus_status name_method(const struct compare *compare, talus_method method,
                                talus_status status, talus_error *err) {
    talus_error inner = *err;
    return error_set(err, status, "%.500s: by %s: %.3400s", compare->path,
                     method == TALUS_METHOD_CD ? "cd" : "md", inner.text);
}

static talus_status run_side(struct compare *compare, talus_method method,
                             struct compare_plan *plan, talus_error *err) {
    talus_scene *scene = NULL;
    talus_status status = load_for(compare, method, plan, &scene, err);
    if (status < 0)
        name_method(compare, method, status, err);
    else
        status = run_scene_of(compare, method, scene, err);
    talus_scene_free(scene);
    return status;
}

static talus_status run_rigid(struct compare *compare, talus_error *err) {
    struct compare_plan plan = plan_start(compare);
    talus_comparison *out = compare->out;
    out->tolerance = out->error / (compare->wave * compare->wave);
    compare->grain.speed = out->md.trust.meeting_speed;
    compare_make_rigid(&plan, out->tolerance, &compare->grain);
    return run_side(compare, TALUS_METHOD_CD, &plan, err);
}

static talus_status run_soft(struct compare *compare, double stiffness, talus_error *err) {
    struct compare_plan plan = plan_start(compare);
    compare_make_soft(&plan, stiffness);
    return run_side(compare, TALUS_METHOD_MD, &plan, err);
}

/* ---- both ----------------------------------------------------------------------------------------- */

static bool goes_on(talus_status status) {
    return status >= 0 && status != TALUS_WARN_INTERRUPTED;
}

/* Can soft grains do this scene at all? Better known before the other method has run for an hour. */
static talus_status try_soft(struct compare *compare, talus_error *err) {
    char notes[TALUS_COMPARE_NOTES] = "";
    struct compare_plan plan = plan_start(compare);
    talus_scene *scene = NULL;
    talus_sim *sim = NULL;
    plan.notes = notes;
    compare_make_soft(&plan, 1.0);
    talus_status status = load_for(compare, TALUS_METHOD_MD, &plan, &scene, err);
    if (status >= 0) status = talus_scene_build(scene, &sim, err);
    talus_sim_destroy(sim);
    talus_scene_free(scene);
    return status < 0 ? name_method(compare, TALUS_METHOD_MD, status, err) : TALUS_OK;
}

static talus_status rigid_first(struct compare *compare, talus_error *err) {
    talus_comparison *out = compare->out;
    TALUS_TRY(try_soft(compare, err));
    out->error = compare->config->overlap > 0.0 ? compare->config->overlap : usual_overlap;
    talus_status status = run_rigid(compare, err);
    if (!goes_on(status)) return status;
    if (!(out->cd.force_worst > 0.0))
        return error_set(err, TALUS_ERR_INPUT,
                         "%s: by cd no grain touched another, so there is no force to make springs "
                         "for; give a stiffness",
                         compare->path);
    out->stiffness = out->cd.force_worst / (out->error * 2.0 * out->radius);
    compare_note(out->notes,
                 "md: K makes the mean overlap %.3g of a diameter under %.4g N, the largest mean "
                 "contact force of cd (over a tenth of the run)",
                 out->error, out->cd.force_worst);
    return run_soft(compare, out->stiffness, err);
}

static talus_status soft_first(struct compare *compare, talus_error *err) {
    talus_comparison *out = compare->out;
    talus_status status = run_soft(compare, compare->config->stiffness, err);
    if (!goes_on(status)) return status;
    out->stiffness = compare->config->stiffness;
    out->error = fmax(out->md.overlap_worst, least_error);
    if (!(out->md.overlap_worst > 0.0)) out->error = usual_overlap;
    compare_note(
        out->notes,
        out->md.overlap_worst > 0.0
            ? "cd: its error is %.3g, the largest mean overlap of md (over a tenth of the run)"
            : "cd: its error is %.3g, because no grains of md were seen to overlap",
        out->error);
    return run_rigid(compare, err);
}

/* Of the scene's own laws: that of two mean grains of the first pair, for laws that are not linear the one with the
 * same collision time, K = (m/2) (pi/t_c)^2. */
static double own_stiffness(const struct compare *compare) {
    const double pi = 3.141592653589793;
    const talus_comparison *out = compare->out;
    talus_pair_law law = compare->scene->pairs[0].law;
    double v = out->md.trust.meeting_speed > 0.0 ? out->md.trust.meeting_speed : 1.0;
    soft_complete(&law, true);
    soft_find(&law);
    struct soft_numbers numbers = soft_resolve(&law, 0.5 * out->mass, 0.5 * out->radius);
    if (numbers.exponent == 1.0) return numbers.stiffness;
    double rate = pi / soft_collision_time(&numbers, 0.5 * out->mass, v);
    return 0.5 * out->mass * rate * rate;
}

static void place_on_map(const struct compare *compare) {
    talus_comparison *out = compare->out;
    if (out->stiffness == 0.0) out->stiffness = own_stiffness(compare);
    out->speed = fmax(out->cd.speed, out->md.speed);
    double soft =
        out->mass * out->speed * out->speed / (out->stiffness * out->radius * out->radius);
    out->map = pow((double)out->grains, 2.0 / out->dim) * sqrt(soft); /* [Wolf2006, eq. 52] */
    out->ratio = out->cd.wall_seconds / out->md.wall_seconds;
}

static talus_status compare_both(struct compare *compare, talus_error *err) {
    const talus_compare_config *config = compare->config;
    TALUS_TRY(check_config(config, err));
    TALUS_TRY(open_scene(compare, err));
    bool own =
        compare->scene->config.method == TALUS_METHOD_MD || compare_has_soft_laws(compare->scene);
    bool soft = config->stiffness > 0.0 || (own && config->overlap == 0.0);
    talus_status status = soft ? soft_first(compare, err) : rigid_first(compare, err);
    if (goes_on(status)) place_on_map(compare);
    return status;
}

static talus_status write_results(const struct compare *compare, talus_error *err) {
    const char *directory = compare->config->directory;
    struct file file;
    TALUS_TRY(file_open(&file, directory, "compare.txt", FILE_WHOLE, err));
    talus_comparison_report(compare->out, file.stream);
    TALUS_TRY(file_close(&file, err));
    TALUS_TRY(file_open(&file, directory, "compare.json", FILE_WHOLE, err));
    talus_comparison_json(compare->out, file.stream);
    return file_close(&file, err);
}

talus_status talus_compare(const char *path, const char *const *overrides, size_t override_count,
                           const talus_compare_config *config, talus_comparison *out,
                           talus_error *err) {
    struct memory memory = {.refuse_at = 0};
    const talus_compare_config standard = talus_compare_config_default();
    talus_error own;
    if (err == NULL) err = &own;
    *out = (talus_comparison){.error = 0.0};
    struct compare compare = {.path = path,
                              .config = config != NULL ? config : &standard,
                              .given = overrides,
                              .given_count = override_count,
                              .pool = pool_create(0),
                              .out = out};
    compare.watch = memory_resize(&memory, NULL, 0, 1, sizeof *compare.watch);
    talus_status status = compare.pool == NULL || compare.watch == NULL
                              ? error_memory(err)
                              : compare_both(&compare, err);
    if (goes_on(status) && compare.config->directory != NULL) {
        talus_status written = write_results(&compare, err);
        if (written < 0) status = written;
    }
    talus_scene_free(compare.scene);
    pool_free(compare.pool);
    memory_free(&memory, compare.watch, 1, sizeof *compare.watch);
    return status;
}
