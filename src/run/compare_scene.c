/* SPDX-License-Identifier: Apache-2.0
 *
 * The scene of the other method, said as overrides of the file: what is run can be run again with talus run --set, and
 * scene.yaml in the results is what was run.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "law/soft_parameters.h"
#include "run/compare.h"
#include "scene/tree.h"

static const double least_restitution = 0.1; /* of springs that stand for e = 0 */
static const double slip_ratio = 2.0 / 7.0;  /* k_t/k_n */

void compare_note(char *notes, const char *format, ...) {
    size_t used = strlen(notes);
    va_list arguments;
    va_start(arguments, format);
    if (used + 1 < TALUS_COMPARE_NOTES) {
        if (used > 0) notes[used++] = '\n';
        notes[used] = '\0';
        vsnprintf(notes + used, TALUS_COMPARE_NOTES - used, format, arguments);
    }
    va_end(arguments);
}

void compare_set(struct compare_plan *plan, const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (plan->count >= COMPARE_OVERRIDES) {
        plan->full = true;
        return;
    }
    plan->text[plan->count] = pool_text(plan->pool, text, strlen(text));
    plan->full = plan->full || plan->text[plan->count] == NULL;
    plan->count++;
}

/* key=[a, b, ...] of lines that may be long */
static void set_list(struct compare_plan *plan, const char *key, const char *items) {
    if (items == NULL || plan->count >= COMPARE_OVERRIDES) {
        plan->full = true;
        return;
    }
    plan->text[plan->count] = pool_format(plan->pool, "%s=[%s]", key, items);
    plan->full = plan->full || plan->text[plan->count] == NULL;
    plan->count++;
}

static const char *append(struct pool *pool, const char *list, const char *item) {
    if (list == NULL || item == NULL) return NULL;
    return pool_format(pool, "%s%s%s", list, list[0] != '\0' ? ", " : "", item);
}

/* ---- laws --------------------------------------------------------------------------------------------- */

static const struct scene_pair *find_pair(const struct scene_pair *pairs, size_t count, int a,
                                          int b) {
    const struct scene_pair *found = NULL; /* the last entry of a pair counts */
    for (size_t i = 0; i < count; i++)
        if ((pairs[i].a == a && pairs[i].b == b) || (pairs[i].a == b && pairs[i].b == a))
            found = &pairs[i];
    return found;
}

bool compare_has_soft_laws(const talus_scene *scene) {
    for (size_t i = 0; i < scene->pair_count; i++)
        if (!soft_is_on(&scene->pairs[i].law.soft)) return false;
    return scene->pair_count > 0;
}

/* Linear springs with the friction, torques and cohesion of the rigid pair. */
static talus_pair_law soften(const talus_pair_law *rigid, double stiffness) {
    talus_pair_law law = *rigid;
    double e = soft_is_on(&rigid->soft) ? rigid->soft.restitution : 0.0;
    if (e == 0.0) e = rigid->restitution.normal;
    law.restitution = (talus_restitution_law){.normal = 0.0};
    law.soft = (talus_soft_law){.stiffness = stiffness, .restitution = fmax(e, least_restitution)};
    if (law.mu_static > 0.0) law.soft.tangential_ratio = slip_ratio;
    return law;
}

static talus_pair_law stiffen(const talus_pair_law *soft, const struct compare_grain *grain) {
    talus_pair_law law = *soft;
    if (soft_is_on(&soft->soft)) law.restitution.normal = compare_restitution(soft, grain);
    law.soft = (talus_soft_law){.stiffness = 0.0};
    law.rolling.stiffness = law.rolling.damping = 0.0;
    law.torsion.stiffness = law.torsion.damping = 0.0;
    return law;
}

/* Laws that phases bring: soft ones of this stiffness, or, with grains to make them of, rigid ones. */
static void set_phase_laws(struct compare_plan *plan, double stiffness,
                           const struct compare_grain *grain) {
    const talus_scene *scene = plan->scene;
    for (size_t p = 0; p < scene->phase_count; p++) {
        const struct scene_change *change = &scene->phases[p].change;
        const char *list = "";
        char key[48];
        for (size_t i = 0; i < change->pair_count; i++) {
            struct scene_pair pair = change->pairs[i];
            pair.law = grain != NULL ? stiffen(&pair.law, grain) : soften(&pair.law, stiffness);
            list = append(plan->pool, list, compare_pair_text(plan->pool, scene, &pair));
        }
        snprintf(key, sizeof key, "phases.%zu.change.pairs", p);
        if (change->pair_count > 0) set_list(plan, key, list);
    }
}

static void note_soft(struct compare_plan *plan, const talus_pair_law *rigid, double stiffness) {
    compare_note(plan->notes,
                 "md: springs K = %.4g N/m, e as of the rigid grains but at least %g "
                 "(e = 0 has no spring), k_t/k_n = 2/7",
                 stiffness, least_restitution);
    if (rigid->restitution.tangential != 0.0 || rigid->restitution.threshold != 0.0)
        compare_note(plan->notes,
                     "md: tangential restitution and threshold have no counterpart and "
                     "are left out");
}

void compare_make_soft(struct compare_plan *plan, double stiffness) {
    const talus_scene *scene = plan->scene;
    compare_set(plan, "method=md");
    if (scene->config.method != TALUS_METHOD_MD) compare_set(plan, "time.dt=auto");
    if (stiffness == 0.0) return;
    const char *list = "";
    talus_pair_law shown = {.mu_static = 0.0};
    for (int a = 0; a < (int)scene->material_count; a++)
        for (int b = a; b < (int)scene->material_count; b++) {
            const struct scene_pair *given = find_pair(scene->pairs, scene->pair_count, a, b);
            struct scene_pair pair = {.a = a, .b = b};
            if (given != NULL) pair.law = given->law;
            if (pair.law.restitution.tangential != 0.0 || pair.law.restitution.threshold != 0.0)
                shown = pair.law;
            pair.law = soften(&pair.law, stiffness);
            list = append(plan->pool, list, compare_pair_text(plan->pool, scene, &pair));
        }
    set_list(plan, "pairs", list);
    note_soft(plan, &shown, stiffness);
    set_phase_laws(plan, stiffness, NULL);
}

static void set_rigid_laws(struct compare_plan *plan, const struct compare_grain *grain) {
    const talus_scene *scene = plan->scene;
    const char *list = "";
    for (size_t i = 0; i < scene->pair_count; i++) {
        struct scene_pair pair = scene->pairs[i];
        pair.law = stiffen(&pair.law, grain);
        list = append(plan->pool, list, compare_pair_text(plan->pool, scene, &pair));
        compare_note(plan->notes, "cd: e = %.3g between %s and %s, that of the soft law",
                     pair.law.restitution.normal, scene->materials[pair.a].name,
                     scene->materials[pair.b].name);
    }
    if (scene->pair_count > 0) set_list(plan, "pairs", list);
    set_phase_laws(plan, 0.0, grain);
}

/* ---- settings ----------------------------------------------------------------------------------------- */

void compare_make_rigid(struct compare_plan *plan, double tolerance,
                        const struct compare_grain *grain) {
    const talus_scene *scene = plan->scene;
    compare_set(plan, "method=cd");
    compare_set(plan, "solver.stop=residual");
    compare_set(plan, "solver.tolerance=%.6g", tolerance);
    for (size_t p = 0; p < scene->phase_count; p++) {
        if (!scene->phases[p].change.has_solver) continue;
        compare_set(plan, "phases.%zu.change.solver.stop=residual", p);
        compare_set(plan, "phases.%zu.change.solver.tolerance=%.6g", p, tolerance);
    }
    if (scene->config.method == TALUS_METHOD_CD) return;
    compare_set(plan, "time.dt=auto");
    set_rigid_laws(plan, grain);
}

/* The scene may be written with time.end or time.steps instead of phases. */
static bool is_short(const talus_scene *scene) {
    const struct node *time = tree_find(scene->document, "time");
    return time != NULL && (tree_find(time, "end") != NULL || tree_find(time, "steps") != NULL);
}

void compare_keep_times(struct compare_plan *plan, double scene_dt, double dt) {
    const talus_scene *scene = plan->scene;
    for (size_t p = 0; p < scene->phase_count; p++) {
        const struct scene_phase *phase = &scene->phases[p];
        if (phase->change.has_dt) {
            scene_dt = phase->change.dt;
            compare_set(plan, "phases.%zu.change.dt=%.17g", p, dt);
        }
        double time = scene_dt * (double)phase->steps;
        if (phase->steps > 0 && is_short(scene)) compare_set(plan, "time.end=%.17g", time);
        if (phase->steps > 0 && !is_short(scene))
            compare_set(plan, "phases.%zu.until.time=%.17g", p, time);
    }
}
