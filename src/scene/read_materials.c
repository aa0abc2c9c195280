/* SPDX-License-Identifier: Apache-2.0
 * Materials and the contact laws between pairs of them. */
#include <string.h>

#include "law/soft_parameters.h"
#include "scene/read.h"
#include "scene/suggest.h"
#include "scene/units.h"

void read_materials(struct reader *reader) {
    const struct node *list = get(reader->root, "materials");
    if (list == NULL || list->kind != NODE_LIST) {
        reader->bad_materials = true;
        return;
    }
    struct scene_material *materials = read_array(reader, list->count, sizeof *materials);
    int *exponents = read_array(reader, list->count, sizeof *exponents);
    if (materials == NULL || exponents == NULL) return;
    size_t count = 0;
    for (const struct node *entry = list->first; entry != NULL; entry = entry->next) {
        const char *name = get_text(entry, "name", NULL);
        bool bad_density = get_has(entry, "density") && get(entry, "density") == NULL;
        if (name == NULL) reader->bad_materials = true;
        struct unit_dimension dimension = {0, 0, 0, 0};
        if (get(entry, "density") != NULL) {
            quantity_dimension(get_text(entry, "density", ""), &dimension);
        }
        exponents[count] = dimension.length;
        materials[count++] =
            (struct scene_material){name != NULL ? name : "", get_number(entry, "density", 0.0)};
        if (bad_density) materials[count - 1].density = 1.0; /* noted; do not say it is missing */
    }
    check_unique_names(reader, list, "material");
    reader->density_exponents = exponents;
    reader->scene->materials = materials;
    reader->scene->material_count = count;
}

/* -1 if there is none of this name: the scene is refused then. */
static int find_material(struct reader *reader, const struct node *name) {
    const struct talus_scene *scene = reader->scene;
    if (name->bad || reader->bad_materials) return -1;
    struct suggest suggest = suggest_start(name->text);
    for (size_t i = 0; i < scene->material_count; i++) {
        if (strcmp(scene->materials[i].name, name->text) == 0) return (int)i;
        suggest_try(&suggest, scene->materials[i].name);
    }
    struct line advice = {.length = 0};
    problem_at(reader->problems, name->place, "there is no material '%s'; %s", name->text,
               suggest_advice(&suggest, &advice));
    return -1;
}

int read_material(struct reader *reader, struct node *map) {
    const struct talus_scene *scene = reader->scene;
    const struct node *name = get(map, "material");
    if (reader->bad_materials || scene->material_count == 0) return -1;
    if (name != NULL) return find_material(reader, name);
    if (get_has(map, "material")) return -1;
    read_default_text(reader, map, "material", scene->materials[0].name);
    return 0;
}

void check_density(struct reader *reader, const struct node *map, int material, const char *shape,
                   const struct scene_shape *form) {
    if (material < 0 || map->bad) return;
    const struct scene_material *used = &reader->scene->materials[material];
    const int exponent = reader->density_exponents[material];
    bool solid = form != NULL ? reader->dimension == 3 : strcmp(shape, "sphere") == 0;
    if (used->density == 0.0) {
        problem_at(reader->problems, map->place,
                   "these grains have no mass: give material '%s' a density, or give mass here",
                   used->name);
    } else if (exponent != 0 && exponent != (solid ? -3 : -2)) {
        problem_at(reader->problems, map->place,
                   "the density of material '%s' is a mass per %s, but a %s needs a mass per %s",
                   used->name, solid ? "area" : "volume", shape, solid ? "volume" : "area");
    }
}

static void read_friction(struct reader *reader, struct node *entry, talus_pair_law *law) {
    const struct node *both = get(entry, "mu"), *rest = get(entry, "mu_static");
    if (both != NULL) {
        if (rest != NULL) {
            problem_at(reader->problems, rest->key_place,
                       "mu sets both coefficients; give mu alone, or mu_static and mu_sliding");
        }
        law->mu_static = law->mu_sliding = both->number;
        return;
    }
    law->mu_sliding = get_number(entry, "mu_sliding", 0.0);
    law->mu_static = get_number(entry, "mu_static", law->mu_sliding);
    if (rest == NULL && get(entry, "mu_sliding") != NULL) {
        read_default_number(reader, entry, "mu_static", law->mu_static);
    } else if (rest != NULL && law->mu_static < law->mu_sliding) {
        problem_at(reader->problems, rest->place,
                   "mu_static is %g, but must be at least mu_sliding, %g", law->mu_static,
                   law->mu_sliding);
    }
}

static talus_torque_law read_torque(struct reader *reader, const struct node *map) {
    talus_torque_law law = {.coefficient = 0.0};
    if (map == NULL) return law;
    const struct node *modulus = get(map, "modulus"), *hertz = get(map, "hertz");
    law.coefficient = get_number(map, "coefficient", 0.0);
    if (get(map, "length") != NULL) {
        law.scale = TALUS_TORQUE_LENGTH;
        law.coefficient = get_number(map, "length", 0.0);
    } else if (hertz != NULL) {
        law.scale = TALUS_TORQUE_HERTZ;
        law.coefficient = hertz->number;
        law.modulus = get_number(map, "modulus", 0.0);
    }
    if (hertz != NULL && !get_has(map, "modulus"))
        problem_at(reader->problems, hertz->key_place, "hertz needs a modulus beside it");
    if (hertz == NULL && modulus != NULL)
        problem_at(reader->problems, modulus->key_place, "modulus goes with hertz only");
    law.stiffness = get_number(map, "stiffness", 0.0);
    law.damping = get_number(map, "damping", 0.0);
    return law;
}

static talus_cohesion_law read_cohesion(const struct node *map) {
    talus_cohesion_law law = {.force = 0.0};
    if (map == NULL) return law;
    law.per_radius = get(map, "force_per_radius") != NULL;
    law.force = get_number(map, law.per_radius ? "force_per_radius" : "force", 0.0);
    law.range = get_number(map, "range", 0.0);
    law.energy = get_number(map, "energy", 0.0);
    law.on_command = strcmp(get_text(map, "forms", "touch"), "command") == 0;
    return law;
}

static talus_restitution_law read_restitution(const struct node *map) {
    talus_restitution_law law = {.normal = 0.0};
    if (map == NULL) return law;
    law.normal = get_number(map, "normal", 0.0);
    law.tangential = get_number(map, "tangential", 0.0);
    law.threshold = get_number(map, "threshold", 0.0);
    return law;
}

static void read_slip(struct reader *reader, struct node *map, talus_soft_law *law) {
    law->tangential_stiffness = get_number(map, "tangential_stiffness", 0.0);
    law->tangential_ratio = get_number(map, "tangential_ratio", 0.0);
    if (get(map, "tangential") != NULL)
        law->tangential = (talus_tangential)(1 + read_word(get_text(map, "tangential", "mindlin"),
                                                           "mindlin mindlin_secant"));
    bool mindlin = law->tangential != TALUS_TANGENTIAL_GIVEN;
    law->tangential_damping = get_number(map, "tangential_damping", 0.0);
    double ratio = mindlin ? soft_mindlin_ratio(law) : law->tangential_ratio;
    if (ratio > 0.0 && !get_has(map, "tangential_damping") &&
        !get_has(map, "tangential_damping_ratio"))
        read_default_number(reader, map, "tangential_damping_ratio", ratio);
    law->tangential_damping_ratio = get_number(map, "tangential_damping_ratio", 0.0);
    law->slip = (talus_slip)read_word(get_text(map, "slip", "position"), "position velocity pena");
    law->spring = (talus_spring)read_word(get_text(map, "spring", "rotated"), "rotated projected");
}

static talus_soft_law read_soft(struct reader *reader, struct node *map) {
    talus_soft_law law = {.stiffness = 0.0};
    if (map == NULL) return law;
    law.stiffness = get_number(map, "stiffness", 0.0);
    law.collision_time = get_number(map, "collision_time", 0.0);
    law.young = get_number(map, "young", 0.0);
    law.poisson = get_number(map, "poisson", 0.0);
    law.rigid_partner = get_boolean(map, "rigid_partner", false);
    if (!get_has(map, "exponent"))
        read_default_number(reader, map, "exponent", law.young > 0.0 ? 1.5 : 1.0);
    law.exponent = get_number(map, "exponent", 1.0);
    law.damping = get_number(map, "damping", 0.0);
    law.restitution = get_number(map, "restitution", 0.0);
    law.at_velocity = get_number(map, "at_velocity", 0.0);
    law.damping_form = (talus_damping_form)read_word(get_text(map, "damping_form", "viscoelastic"),
                                                     "viscoelastic constant");
    law.attracts = get_boolean(map, "attraction", false);
    read_slip(reader, map, &law);
    return law;
}

/* Of such a key the law does not know what was meant, and would complain of others. */
static bool has_bad_key(const struct node *map) {
    for (const struct node *child = map->first; child != NULL; child = child->next)
        if (child->bad) return true;
    return false;
}

/* What does not fit together, where it is written: one mistake at a time. */
static void check_soft_law(struct reader *reader, const struct node *map, talus_pair_law law) {
    struct law_complaint complaint;
    if (map == NULL || map->bad || has_bad_key(map)) return;
    const struct node *young = get(map, "young");
    if (young != NULL && !get_has(map, "poisson")) {
        problem_at(reader->problems, young->key_place, "young needs poisson beside it");
        return;
    }
    soft_complete(&law, reader->scene->config.method == TALUS_METHOD_MD);
    if (law_soft_push.check(&law, &complaint) && law_soft_drag.check(&law, &complaint)) return;
    const char *key = strchr(complaint.key, '.') + 1;
    const struct node *child = get(map, key);
    if (child == NULL)
        problem_at(reader->problems, map->place, "soft: %s %s", key, complaint.allowed);
    else if (child->kind == NODE_SCALAR && strcmp(key, "tangential") == 0)
        problem_at(reader->problems, child->key_place, "soft: tangential: %s %s", child->text,
                   complaint.allowed);
    else
        problem_at(reader->problems, child->key_place, "soft: %s = %g, %s", key, complaint.value,
                   complaint.allowed);
}

/* Restitution of rigid grains, where soft ones cannot follow. */
static void check_rebound(struct reader *reader, const struct node *map,
                          const talus_pair_law *law) {
    if (map == NULL || reader->scene->config.method != TALUS_METHOD_MD) return;
    const struct node *normal = get(map, "normal");
    if (law->restitution.tangential != 0.0 || law->restitution.threshold != 0.0)
        problem_at(reader->problems, map->place,
                   "restitution: soft grains (method md) know no tangential restitution and no "
                   "threshold");
    else if (law->restitution.normal != 0.0 && normal != NULL &&
             (law->soft.damping != 0.0 || law->soft.restitution != 0.0))
        problem_at(reader->problems, normal->key_place,
                   "restitution.normal: with `method: md` it counts only if `soft` gives neither "
                   "damping nor restitution");
}

static talus_pair_law read_law(struct reader *reader, struct node *entry) {
    talus_pair_law law = {.rolling = read_torque(reader, get(entry, "rolling")),
                          .torsion = read_torque(reader, get(entry, "torsion")),
                          .cohesion = read_cohesion(get(entry, "cohesion")),
                          .restitution = read_restitution(get(entry, "restitution")),
                          .soft = read_soft(reader, get(entry, "soft"))};
    read_friction(reader, entry, &law);
    check_soft_law(reader, get(entry, "soft"), law);
    check_rebound(reader, get(entry, "restitution"), &law);
    return law;
}

const struct scene_pair *read_pairs(struct reader *reader, const struct node *list) {
    struct scene_pair *pairs = read_array(reader, list->count, sizeof *pairs);
    if (pairs == NULL) return NULL;
    size_t count = 0;
    for (struct node *entry = list->first; entry != NULL; entry = entry->next) {
        const struct node *between = get(entry, "between");
        struct scene_pair *pair = &pairs[count++];
        pair->law = read_law(reader, entry);
        if (reader->scene->config.method == TALUS_METHOD_MD && !get_has(entry, "soft"))
            problem_at(reader->problems, entry->place,
                       "pairs: with `method: md` every pair needs `soft`, how soft its grains are");
        if (between == NULL || between->count != 2) continue;
        pair->a = find_material(reader, between->first);
        pair->b = find_material(reader, between->last);
    }
    return pairs;
}
