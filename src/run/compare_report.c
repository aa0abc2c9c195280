/* SPDX-License-Identifier: Apache-2.0
 * Two runs of one scene side by side, in words. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "run/compare.h"

enum { WRAP = 96 };

static const double noticed = 0.05; /* relative differences that are named */

/* ---- the table --------------------------------------------------------------------------------------- */

struct table {
    FILE *to;
    char differs[512]; /* names of what differs noticeably */
};

static void name_difference(struct table *table, const char *name, double relative) {
    size_t used = strlen(table->differs);
    snprintf(table->differs + used, sizeof table->differs - used, "%s%s %+.0f %%",
             used > 0 ? ", " : "", name, 100.0 * relative);
}

static void put_values(struct table *table, const char *name, const char *unit, double cd,
                       double md) {
    fprintf(table->to, "  %-28s %-8s %14.5g %14.5g", name, unit, cd, md);
}

/* Sizes of which the ratio says something about physics. Differences that are small against `scale` are not named. */
static void put_row(struct table *table, const char *name, const char *unit, double cd, double md,
                    double scale) {
    put_values(table, name, unit, cd, md);
    double size = fmax(fabs(cd), fabs(md));
    if (size > 1e-3 * scale && size > 0.0 && fabs(cd) > 0.0) {
        double relative = md / cd - 1.0;
        fprintf(table->to, " %+11.3g %%", 100.0 * relative);
        if (fabs(relative) > noticed && fabs(md - cd) > noticed * scale)
            name_difference(table, name, relative);
    }
    fputc('\n', table->to);
}

static void put_ratio(struct table *table, const char *name, const char *unit, double cd,
                      double md) {
    put_values(table, name, unit, cd, md);
    if (cd > 0.0 && md > 0.0) fprintf(table->to, "      x %-8.3g", md / cd);
    fputc('\n', table->to);
}

static void put_effort(struct table *table, const talus_compare_side *cd,
                       const talus_compare_side *md) {
    put_ratio(table, "wall time", "s", cd->wall_seconds, md->wall_seconds);
    put_ratio(table, "steps", "", (double)cd->last.step, (double)md->last.step);
    put_ratio(table, "time step", "s", cd->dt, md->dt);
    put_values(table, "updates of contacts, grains", "", cd->work, md->work);
    fputc('\n', table->to);
    if (cd->work > 0.0 && md->work > 0.0) {
        put_values(table, "  nanoseconds for one", "ns", 1e9 * cd->wall_seconds / cd->work,
                   1e9 * md->wall_seconds / md->work);
        fputc('\n', table->to);
    }
    put_row(table, "simulated time", "s", cd->last.time, md->last.time, cd->last.time);
}

static void put_energies(struct table *table, const talus_compare_side *cd,
                         const talus_compare_side *md) {
    const talus_energy *c = &cd->last.energy, *m = &md->last.energy;
    double scale = fmax(c->scale, m->scale);
    put_row(table, "kinetic energy (mean)", "J", cd->kinetic, md->kinetic, scale);
    put_row(table, "potential energy", "J", c->potential, m->potential, scale);
    if (m->elastic != 0.0) put_row(table, "elastic energy", "J", c->elastic, m->elastic, scale);
    put_row(table, "dissipated", "J", c->dissipation, m->dissipation, scale);
    put_row(table, "  by normal forces", "J", c->dissipation_impact, m->dissipation_impact, scale);
    put_row(table, "  by sliding", "J", c->dissipation_sliding, m->dissipation_sliding, scale);
    if (c->dissipation_rolling != 0.0 || m->dissipation_rolling != 0.0)
        put_row(table, "  by rolling", "J", c->dissipation_rolling, m->dissipation_rolling, scale);
    if (c->dissipation_torsion != 0.0 || m->dissipation_torsion != 0.0)
        put_row(table, "  by torsion", "J", c->dissipation_torsion, m->dissipation_torsion, scale);
    if (c->dissipation_bonds != 0.0 || m->dissipation_bonds != 0.0)
        put_row(table, "  by bonds", "J", c->dissipation_bonds, m->dissipation_bonds, scale);
    put_values(table, "lost by the steps themselves", "J", c->step_loss, m->step_loss);
    fputc('\n', table->to);
}

static void put_stress(struct table *table, const talus_comparison *all) {
    static const char *const axes = "xyz";
    const char *unit = all->dim == 3 ? "Pa" : all->dim == 2 ? "N/m" : "N";
    double scale = fmax(all->cd.stress.pressure, all->md.stress.pressure);
    put_row(table, "pressure", unit, all->cd.stress.pressure, all->md.stress.pressure, scale);
    for (int i = 0; i < all->dim; i++)
        for (int j = i; j < all->dim; j++) {
            char name[24];
            snprintf(name, sizeof name, "  stress %c%c", axes[i], axes[j]);
            put_row(table, name, unit,
                    0.5 * (all->cd.stress.tensor[i][j] + all->cd.stress.tensor[j][i]),
                    0.5 * (all->md.stress.tensor[i][j] + all->md.stress.tensor[j][i]), scale);
        }
}

static void put_boundaries(struct table *table, const talus_comparison *all) {
    static const char *const axes = "xyz";
    double scale = 0.0;
    for (size_t b = 0; b < all->boundary_count && b < TALUS_COMPARE_BOUNDARIES; b++)
        scale = fmax(scale, fmax(vec3_norm(all->cd.boundary_force[b]),
                                 vec3_norm(all->md.boundary_force[b])));
    for (size_t b = 0; b < all->boundary_count && b < TALUS_COMPARE_BOUNDARIES; b++)
        for (int axis = 0; axis < all->dim; axis++) {
            char name[TALUS_COMPARE_NAME + 16];
            double cd = vec3_component(all->cd.boundary_force[b], axis),
                   md = vec3_component(all->md.boundary_force[b], axis);
            if (fmax(fabs(cd), fabs(md)) <= 1e-6 * scale) continue;
            snprintf(name, sizeof name, "force on %.14s, %c", all->boundary_name[b], axes[axis]);
            put_row(table, name, "N", cd, md, scale);
        }
    if (all->boundary_count > TALUS_COMPARE_BOUNDARIES)
        fprintf(table->to, "  ... and %zu boundaries more\n",
                all->boundary_count - TALUS_COMPARE_BOUNDARIES);
}

static void put_packing(struct table *table, const talus_compare_side *cd,
                        const talus_compare_side *md) {
    put_row(table, "mean contact force", "N", cd->force, md->force, fmax(cd->force, md->force));
    put_row(table, "contacts of a grain, z", "", cd->coordination, md->coordination, 1.0);
    put_row(table, "packing fraction", "", cd->last.packing_fraction, md->last.packing_fraction,
            1.0);
    put_values(table, "overlap, mean", "d", cd->overlap, md->overlap);
    fputc('\n', table->to);
    put_values(table, "overlap, largest of the run", "d", cd->overlap_max, md->overlap_max);
    fputc('\n', table->to);
}

/* ---- words ------------------------------------------------------------------------------------------- */

/* Words in lines that start in the column of the other entries. */
static void put_words(FILE *to, const char *label, const char *text) {
    size_t column = 0;
    fprintf(to, "  %-10s", label);
    while (*text != '\0') {
        size_t length = strcspn(text, " \n");
        if (column > 0 && column + length > WRAP) {
            fputs("\n            ", to);
            column = 0;
        }
        fprintf(to, " %.*s", (int)length, text);
        column += length + 1;
        text += length;
        if (*text == '\n') {
            fputs("\n            ", to);
            column = 0;
        }
        text += strspn(text, " \n");
    }
    fputc('\n', to);
}

static void put_accuracy(const talus_comparison *all, FILE *to) {
    char text[512];
    if (all->cd.work == 0.0 && all->md.overlap_worst == 0.0) {
        put_words(to, "accuracy", "nothing touched in either run: there is nothing to match");
        return;
    }
    snprintf(text, sizeof text,
             "both were made for a relative error of %.2e: md by overlap/diameter, which was %.2e "
             "in the "
             "worst tenth of the run; cd by a residual of %.2e, with which forces of the longest "
             "wave were "
             "off by at most %.2e in the last step",
             all->error, all->md.overlap_worst, all->tolerance, all->cd.trust.long_wave_error);
    put_words(to, "accuracy", text);
    if (all->cd.trust.long_wave_error > 2.0 * all->error)
        put_words(to, "",
                  "not matched: cd is less accurate than this; its packing is larger than it was "
                  "at the start, or its sweeps ended early");
    if (all->md.overlap_worst > 2.0 * all->error || all->md.overlap_worst < 0.5 * all->error)
        put_words(to, "",
                  "not matched within a factor of 2: md overlaps differently from what cd's "
                  "forces made expect");
}

static void put_map(const talus_comparison *all, FILE *to) {
    char text[512];
    snprintf(text, sizeof text,
             "N = %" PRId64
             ", d = %d, m = %.3g kg, r = %.3g m (means), v = %.3g m/s (the fastest grain of "
             "both runs), K = %.4g N/m",
             all->grains, all->dim, all->mass, all->radius, all->speed, all->stiffness);
    put_words(to, "map", text);
    snprintf(
        text, sizeof text,
        "N^(2/d) sqrt(m v^2/(K r^2)) = %.3g; measured T_CD/T_MD = %.3g: %s was %.3g times faster. "
        "The "
        "factor between the two is %.3g for this scene on this machine (talus papers cd-md-border)",
        all->map, all->ratio, all->ratio < 1.0 ? "cd" : "md",
        all->ratio < 1.0 ? 1.0 / all->ratio : all->ratio, all->ratio / all->map);
    put_words(to, "", text);
}

static void put_hidden(const talus_comparison *all, FILE *to) {
    char text[640];
    const talus_trust *cd = &all->cd.trust, *md = &all->md.trust;
    snprintf(text, sizeof text,
             "sound: its grains are rigid, and what waves there are come from unfinished sweeps "
             "(l_diff/L = %.3g, residual at most %.1e, %" PRId64 " of %" PRId64
             " steps not converged). Grains moved at most %.2g radii in a step",
             cd->rigidity, cd->residual_max, cd->steps_not_converged, cd->steps, cd->travel_max);
    put_words(to, "cd hides", text);
    put_words(to, "cd says", cd->verdict);
    int used =
        snprintf(text, sizeof text,
                 "that its grains are softer than real ones: overlaps up to %.1e d, %.3g steps "
                 "in a collision",
                 all->md.overlap_max, md->collision_steps);
    if (md->meeting_speed > 0.0)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         ", grains met at %.2g of the speed at which they pass through each other",
                         md->meeting_speed / md->critical_speed);
    if (md->collisions > 0 && isfinite(md->free_time))
        snprintf(text + used, sizeof text - (size_t)used, ", collisions %.3g t_c apart",
                 md->free_time / md->collision_time);
    put_words(to, "md hides", text);
    put_words(to, "md says", md->verdict);
}

static void put_differences(const struct table *table, const talus_comparison *all) {
    char text[900];
    if (table->differs[0] == '\0')
        snprintf(text, sizeof text, "nothing by more than %.0f %%", 100.0 * noticed);
    else
        snprintf(text, sizeof text,
                 "md against cd: %s. Of a state that is unique expect about the error, %.0e; more "
                 "where grains "
                 "rearrange, since every grain then goes its own way in each run, and in forces of "
                 "packings "
                 "with friction, which are not unique",
                 table->differs, all->error);
    put_words(table->to, "differs", text);
}

talus_status talus_comparison_report(const talus_comparison *all, FILE *to) {
    struct table table = {.to = to};
    fprintf(to, "  %-28s %-8s %14s %14s %13s\n", "", "", "rigid (cd)", "soft (md)",
            "md against cd");
    put_effort(&table, &all->cd, &all->md);
    put_energies(&table, &all->cd, &all->md);
    put_stress(&table, all);
    put_packing(&table, &all->cd, &all->md);
    put_boundaries(&table, all);
    fputs("  means are over the last tenth of each run; stress: compression positive\n\n", to);
    if (all->notes[0] != '\0') put_words(to, "chosen", all->notes);
    put_accuracy(all, to);
    put_map(all, to);
    put_differences(&table, all);
    put_hidden(all, to);
    return ferror(to) ? TALUS_ERR_FILE : TALUS_OK;
}
