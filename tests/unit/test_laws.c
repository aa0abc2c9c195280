/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of laws: each is in the catalog with a text and parameters, each parameter is a key of the
 * scene language, each key of a pair belongs to a law, and each law refuses what is out of its range.
 */
#include <math.h>
#include <string.h>

#include "law/soft_parameters.h"
#include "scene/schema.h"
#include "support.h"

static const struct schema_map *map_of(const struct schema_map *map, const char *key) {
    const struct schema_key *found = schema_find(map, key);
    assert_non_null(found);
    return found->map;
}

/* The key of a pair that a parameter "law.key" or "key" names. */
static const struct schema_key *key_of(const char *parameter) {
    const struct schema_map *pair = map_of(&schema_scene, "pairs");
    const char *dot = strchr(parameter, '.');
    if (dot == NULL) return schema_find(pair, parameter);
    char law[32] = "";
    assert_true(dot - parameter < (long)sizeof law);
    memcpy(law, parameter, (size_t)(dot - parameter));
    return schema_find(map_of(pair, law), dot + 1);
}

static void laws_and_keys_agree(void **state) {
    (void)state;
    int parameters = 0;
    for (int i = 0; i < LAW_COUNT; i++) {
        const talus_entry *entry = &law_get(i)->entry;
        assert_string_equal(entry->kind, "law");
        assert_true(entry->about != NULL && strlen(entry->about) > 100);
        assert_true(entry->citation[0] == '[');
        assert_true(entry->parameter_count > 0);
        for (size_t k = 0; k < entry->parameter_count; k++) {
            const talus_parameter *parameter = &entry->parameters[k];
            const struct schema_key *key = key_of(parameter->name);
            assert_non_null(key);
            assert_string_equal(key->unit != NULL ? key->unit : "1", parameter->unit);
            parameters++;
        }
    }
    int keys = 0;
    const struct schema_map *pair = map_of(&schema_scene, "pairs");
    for (size_t k = 0; k < pair->count; k++)
        keys += pair->keys[k].map != NULL ? (int)pair->keys[k].map->count : 1;
    /* `between`, and words: `forms` of bonds; `rigid_partner`, `damping_form`, `tangential`, `slip`, `spring` and
     * `attraction` of soft grains */
    assert_int_equal(keys, parameters + 8);
}

static void refused(const talus_pair_law *law, const char *key) {
    struct law_complaint complaint = {0};
    assert_false(law_check(law, &complaint));
    assert_string_equal(complaint.key, key);
}

static void bad_parameters_are_named(void **state) {
    (void)state;
    struct law_complaint complaint;
    assert_true(law_check(&(talus_pair_law){.mu_static = 0.0}, &complaint));
    refused(&(talus_pair_law){.mu_sliding = -1.0}, "mu");
    refused(&(talus_pair_law){.mu_static = 0.1, .mu_sliding = 0.2}, "mu_static");
    refused(&(talus_pair_law){.rolling = {.coefficient = -1.0}}, "rolling.coefficient");
    refused(&(talus_pair_law){.rolling = {.coefficient = 1.0, .scale = TALUS_TORQUE_HERTZ}},
            "rolling.modulus");
    refused(&(talus_pair_law){.torsion = {.coefficient = (double)NAN}}, "torsion.coefficient");
    refused(&(talus_pair_law){.cohesion = {.force = -1.0}}, "cohesion.force");
    refused(&(talus_pair_law){.cohesion = {.force = 1.0, .range = -1.0}}, "cohesion.range");
    refused(&(talus_pair_law){.cohesion = {.force = 1.0, .range = 1.0, .energy = 1.0}},
            "cohesion.energy");
    refused(&(talus_pair_law){.restitution = {.normal = 1.01}}, "restitution.normal");
    refused(&(talus_pair_law){.restitution = {.tangential = -1.01}}, "restitution.tangential");
    refused(&(talus_pair_law){.restitution = {.threshold = -1.0}}, "restitution.threshold");
    refused(&(talus_pair_law){.soft = {.stiffness = -1.0}}, "soft.stiffness");
    refused(&(talus_pair_law){.soft = {.exponent = 0.5}}, "soft.exponent");
    refused(&(talus_pair_law){.soft = {.tangential_damping = -1.0}}, "soft.tangential_damping");
    refused(&(talus_pair_law){.rolling = {.stiffness = -1.0}}, "rolling.stiffness");
    refused(&(talus_pair_law){.torsion = {.damping = -1.0}}, "torsion.damping");
}

static void soft_refused(const talus_soft_law *law, const char *key) {
    talus_pair_law pair = {.soft = *law};
    soft_complete(&pair, true);
    refused(&pair, key);
}

/* Forms that contradict each other or lack something. */
static void soft_forms_exclude_each_other(void **state) {
    (void)state;
    soft_refused(&(talus_soft_law){.stiffness = 1, .collision_time = 1, .restitution = 0.5},
                 "soft.collision_time");
    soft_refused(&(talus_soft_law){.stiffness = 1, .young = 1}, "soft.young");
    soft_refused(&(talus_soft_law){.young = 1, .poisson = 0.6}, "soft.poisson");
    soft_refused(&(talus_soft_law){.stiffness = 1, .poisson = 0.2}, "soft.poisson");
    soft_refused(&(talus_soft_law){.stiffness = 1, .rigid_partner = true}, "soft.rigid_partner");
    soft_refused(&(talus_soft_law){.young = 1, .exponent = 1}, "soft.exponent");
    soft_refused(&(talus_soft_law){.collision_time = 1, .restitution = 0.5, .exponent = 1.5},
                 "soft.exponent");
    soft_refused(&(talus_soft_law){.collision_time = 1}, "soft.restitution");
    soft_refused(&(talus_soft_law){.stiffness = 1, .damping = 1, .restitution = 0.5},
                 "soft.restitution");
    soft_refused(&(talus_soft_law){.stiffness = 1, .restitution = 0.005}, "soft.restitution");
    soft_refused(&(talus_soft_law){.stiffness = 1, .restitution = 1.1}, "soft.restitution");
    soft_refused(&(talus_soft_law){.young = 1, .restitution = 0.5}, "soft.at_velocity");
    soft_refused(&(talus_soft_law){.stiffness = 1, .restitution = 0.5, .at_velocity = 1},
                 "soft.at_velocity");
    soft_refused(
        &(talus_soft_law){.stiffness = 1, .tangential_stiffness = 1, .tangential_ratio = 1},
        "soft.tangential_ratio");
    soft_refused(&(talus_soft_law){.stiffness = 1, .tangential = TALUS_TANGENTIAL_MINDLIN},
                 "soft.tangential");
    soft_refused(&(talus_soft_law){.young = 1,
                                   .tangential_ratio = 1,
                                   .tangential = TALUS_TANGENTIAL_MINDLIN},
                 "soft.tangential");
}

static void a_refused_pair_changes_nothing(void **state) {
    (void)state;
    talus_config config = support_config(3, 0.01);
    talus_sim *sim = support_sim(&config, 0.3);
    talus_error err;
    talus_pair_law law = {.restitution = {.normal = 2.0}};
    assert_int_equal(talus_pair_set(sim, 0, 0, &law, &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "restitution.normal = 2, must be between 0 and 1"));
    talus_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_and_keys_agree),
        cmocka_unit_test(bad_parameters_are_named),
        cmocka_unit_test(soft_forms_exclude_each_other),
        cmocka_unit_test(a_refused_pair_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
