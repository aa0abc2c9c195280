/* SPDX-License-Identifier: Apache-2.0
 * Contact laws as the text of a scene file, and the restitution that belongs to a soft law. */
#include <math.h>
#include <stdio.h>

#include "law/soft_collision.h"
#include "law/soft_parameters.h"
#include "run/compare.h"

/* Text that grows in the pool; NULL once memory ran out. */
struct line_text {
    struct pool *pool;
    const char *text;
};

static void put(struct line_text *line, const char *key, double value) {
    if (line->text == NULL || value == 0.0) return;
    line->text = pool_format(line->pool, "%s%s: %.17g, ", line->text, key, value);
}

static void put_text(struct line_text *line, const char *text) {
    if (line->text != NULL) line->text = pool_format(line->pool, "%s%s", line->text, text);
}

/* ---- the parts of a law -------------------------------------------------------------------------- */

static void put_torque(struct line_text *line, const char *name, const talus_torque_law *law) {
    static const char *const scales[] = {"coefficient", "length", "hertz"};
    if (law->coefficient == 0.0) return;
    put_text(line, name);
    put(line, scales[law->scale], law->coefficient);
    put(line, "modulus", law->modulus);
    put(line, "stiffness", law->stiffness);
    put(line, "damping", law->damping);
    put_text(line, "}, ");
}

static void put_cohesion(struct line_text *line, const talus_cohesion_law *law) {
    if (law->force == 0.0) return;
    put_text(line, "cohesion: {");
    put(line, law->per_radius ? "force_per_radius" : "force", law->force);
    if (law->energy > 0.0)
        put(line, "energy", law->energy);
    else if (line->text != NULL)
        line->text = pool_format(line->pool, "%srange: %.17g, ", line->text, law->range);
    if (law->on_command) put_text(line, "forms: command, ");
    put_text(line, "}, ");
}

static void put_restitution(struct line_text *line, const talus_restitution_law *law) {
    if (law->normal == 0.0 && law->tangential == 0.0) return;
    put_text(line, "restitution: {");
    put(line, "normal", law->normal);
    put(line, "tangential", law->tangential);
    put(line, "threshold", law->threshold);
    put_text(line, "}, ");
}

/* Springs that talus_compare makes: linear. */
static void put_soft(struct line_text *line, const talus_soft_law *law) {
    if (law->stiffness == 0.0) return;
    put_text(line, "soft: {");
    put(line, "stiffness", law->stiffness);
    put(line, "restitution", law->restitution);
    put(line, "tangential_ratio", law->tangential_ratio);
    put_text(line, "}, ");
}

/* A name in quotes. Names of a scene hold no control characters; quotes and backslashes are escaped. */
static void put_name(struct line_text *line, const char *name) {
    put_text(line, "\"");
    for (; *name != '\0'; name++) {
        char letter[3] = {'\\', *name, '\0'};
        put_text(line, *name == '"' || *name == '\\' ? letter : letter + 1);
    }
    put_text(line, "\"");
}

const char *compare_pair_text(struct pool *pool, const talus_scene *scene,
                              const struct scene_pair *pair) {
    struct line_text line = {pool, "{between: ["};
    const talus_pair_law *law = &pair->law;
    put_name(&line, scene->materials[pair->a].name);
    put_text(&line, ", ");
    put_name(&line, scene->materials[pair->b].name);
    put_text(&line, "], ");
    if (line.text != NULL)
        line.text = pool_format(pool, "%smu_static: %.17g, mu_sliding: %.17g, ", line.text,
                                law->mu_static, law->mu_sliding);
    put_torque(&line, "rolling: {", &law->rolling);
    put_torque(&line, "torsion: {", &law->torsion);
    put_cohesion(&line, &law->cohesion);
    put_restitution(&line, &law->restitution);
    put_soft(&line, &law->soft);
    put_text(&line, "}");
    return line.text;
}

/* ---- restitution of a soft law ------------------------------------------------------------------- */

double compare_restitution(const talus_pair_law *given, const struct compare_grain *grain) {
    talus_pair_law law = *given;
    soft_complete(&law, true);
    if (law.soft.restitution > 0.0) return law.soft.restitution;
    if (law.soft.damping == 0.0) return 1.0;
    soft_find(&law);
    double m = 0.5 * grain->mass, v = grain->speed > 0.0 ? grain->speed : 1.0;
    struct soft_numbers numbers = soft_resolve(&law, m, 0.5 * grain->radius);
    struct soft_collision collision = {numbers.exponent, numbers.damping_exponent,
                                       numbers.attracts};
    double length = pow(m * v * v / numbers.stiffness, 1.0 / (numbers.exponent + 1.0));
    double damping = numbers.damping * pow(length, numbers.damping_exponent + 1.0) / (m * v);
    return soft_restitution(&collision, damping);
}
