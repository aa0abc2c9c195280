/* SPDX-License-Identifier: Apache-2.0
 * Soft grains: no allocation in a settled step, every refused allocation is survived, and a simulation whose step was
 * refused memory goes on as if nothing had happened. */
#include "support.h"

enum kind { PLAIN, ROLLING, BONDED, POLYGONS, GEAR, KINDS };

static talus_pair_law law_of(enum kind kind) {
    talus_pair_law law = {.mu_static = 0.5,
                          .mu_sliding = 0.4,
                          .soft = {.stiffness = 1e4,
                                   .damping = 20.0,
                                   .tangential_stiffness = 3e3,
                                   .tangential_damping = 5.0}};
    if (kind == ROLLING) law.rolling = law.torsion = (talus_torque_law){.coefficient = 0.1};
    if (kind == BONDED) law.cohesion = (talus_cohesion_law){.force = 0.1, .range = 1e-3};
    return law;
}

static talus_config config_of(enum kind kind) {
    talus_config config = talus_config_default();
    config.method = TALUS_METHOD_MD;
    config.dim = kind == POLYGONS ? 2 : 3;
    config.dt = 5e-4;
    config.gravity = kind == POLYGONS ? vec(0, -9.81, 0) : vec(0, 0, -9.81);
    if (kind == GEAR) config.integrator = "gear5";
    return config;
}

static talus_status add_walls(talus_sim *sim, enum kind kind) {
    const char *names[4] = {"floor", "left", "right", "piston"};
    bool flat = kind == POLYGONS;
    const talus_vec3 up = flat ? vec(0, 1, 0) : vec(0, 0, 1),
                     down = flat ? vec(0, -1, 0) : vec(0, 0, -1);
    const talus_vec3 normals[4] = {up, vec(1, 0, 0), vec(-1, 0, 0), down};
    const talus_vec3 points[4] = {vec(0, 0, 0), vec(-0.55, 0, 0), vec(2.6, 0, 0),
                                  flat ? vec(0, 15, 0) : vec(0, 0, 6)};
    talus_status status = TALUS_OK;
    for (int k = 0; k < 4 && status >= 0; k++) {
        talus_boundary_def wall = talus_boundary_def_default();
        wall.name = names[k];
        wall.point = points[k];
        wall.normal = normals[k];
        if (k == 3) wall.free = (talus_free_motion){.mass = 1.0, .direction = down};
        status = talus_boundary_add(sim, &wall, NULL);
    }
    return status;
}

static talus_status add_grains(talus_sim *sim, enum kind kind) {
    static const talus_vec3 corners[5] = {
        {-0.4, -0.3, 0}, {0.3, -0.45, 0}, {0.5, 0.1, 0}, {0.1, 0.45, 0}, {-0.45, 0.2, 0}};
    talus_shape_part part = {.points = corners, .count = 5};
    talus_status status = TALUS_OK;
    if (kind == POLYGONS) status = talus_shape_add(sim, "grain", &part, 1, NULL);
    for (int i = 0; i < 40 && status >= 0; i++) {
        talus_body_def def = talus_body_def_default(sim);
        def.radius = 0.5;
        if (kind == POLYGONS) def.shape = "grain";
        def.position = kind == POLYGONS ? vec(i % 3 * 1.01, 0.45 + 0.92 * (i / 3), 0)
                                        : vec(i % 3 * 1.01, i / 3 % 3 * 1.01, 0.5 + i / 9);
        status = talus_bodies_add(sim, &def, 1, NULL, NULL);
    }
    return status;
}

static talus_status step(talus_sim *sim, int steps) {
    talus_status status = TALUS_OK;
    for (int k = 0; k < steps && status >= 0; k++) status = talus_sim_step(sim, NULL, NULL);
    return status;
}

/* NULL and an error, or a simulation that has done its steps. */
static talus_status build_and_step(const talus_config *config, enum kind kind, int steps,
                                   talus_sim **out) {
    talus_pair_law law = law_of(kind);
    talus_material material;
    *out = NULL;
    talus_sim *sim = NULL;
    talus_status status = talus_sim_create(config, &sim, NULL);
    if (status < 0) return status;
    status = talus_material_add(sim, "stuff", 1.0, &material, NULL);
    if (status >= 0) status = talus_pair_set(sim, 0, 0, &law, NULL);
    if (status >= 0) status = add_walls(sim, kind);
    if (status >= 0) status = add_grains(sim, kind);
    if (status >= 0) status = step(sim, steps);
    if (status < 0)
        talus_sim_destroy(sim);
    else
        *out = sim;
    return status;
}

/* Also if somebody looks. */
static void settled_steps_allocate_nothing(void **state) {
    (void)state;
    for (enum kind kind = 0; kind < KINDS; kind++) {
        talus_config config = config_of(kind);
        config.threads = 2;
        talus_sim *sim;
        assert_ok(build_and_step(&config, kind, 4000, &sim));
        int64_t before = talus_sim_allocations(sim);
        assert_ok(step(sim, 200));
        assert_int_equal(talus_sim_allocations(sim), before);
        for (int k = 0; k < 200; k++) {
            assert_ok(step(sim, 1));
            assert_true(talus_sim_observe(sim).contacts > 0);
            assert_true(talus_sim_contacts(sim, NULL, 0) > 0 && talus_sim_hash(sim) != 0);
        }
        assert_int_equal(talus_sim_allocations(sim), before);
        talus_sim_destroy(sim);
    }
}

static void every_refused_allocation_is_survived(void **state) {
    (void)state;
    for (enum kind kind = 0; kind < KINDS; kind++) {
        int refused = 0;
        for (int64_t at = 1;; at++) {
            talus_config config = config_of(kind);
            config.refuse_allocation = at;
            talus_sim *sim;
            talus_status status = build_and_step(&config, kind, 400, &sim);
            if (status >= 0) {
                talus_sim_destroy(sim);
                break;
            }
            assert_int_equal(status, TALUS_ERR_MEMORY);
            refused++;
        }
        assert_true(refused > 30);
    }
}

/* One allocation of the first steps is refused: the step has not happened, the grains are where they were, and can be
 * looked at. The same simulation then goes on to the bits and energies of one that was never refused anything. */
static void go_on(talus_sim *sim, const talus_sim *calm, int steps) {
    int refused = 0;
    while (talus_sim_step_count(sim) < steps) {
        talus_body_view view = talus_sim_bodies(sim);
        talus_vec3 place = view.position[view.count - 1], speed = view.velocity[view.count - 1];
        int64_t count = talus_sim_step_count(sim);
        talus_status status = talus_sim_step(sim, NULL, NULL);
        if (status >= 0) continue;
        assert_int_equal(status, TALUS_ERR_MEMORY);
        assert_int_equal(talus_sim_step_count(sim), count);
        view = talus_sim_bodies(sim);
        assert_memory_equal(&place, &view.position[view.count - 1], sizeof place);
        assert_memory_equal(&speed, &view.velocity[view.count - 1], sizeof speed);
        assert_true(isfinite(talus_sim_observe(sim).energy.error));
        refused++;
    }
    assert_int_equal(refused, 1);
    assert_true(talus_sim_hash(sim) == talus_sim_hash(calm));
    talus_energy one = talus_sim_observe(sim).energy, other = talus_sim_observe(calm).energy;
    assert_memory_equal(&one, &other, sizeof one);
}

static void a_refused_step_changes_nothing(void **state) {
    (void)state;
    enum { STEPS = 400 };
    for (enum kind kind = 0; kind < KINDS; kind++) {
        talus_config config = config_of(kind);
        talus_sim *calm, *sim;
        assert_ok(build_and_step(&config, kind, 0, &calm));
        int64_t built = talus_sim_allocations(calm);
        assert_ok(step(calm, STEPS));
        int64_t last = talus_sim_allocations(calm);
        assert_true(last > built + 10 && talus_sim_observe(calm).contacts > 0);
        for (int64_t at = built + 1; at <= last; at++) {
            config.refuse_allocation = at;
            assert_ok(build_and_step(&config, kind, 0, &sim));
            go_on(sim, calm, STEPS);
            talus_sim_destroy(sim);
        }
        talus_sim_destroy(calm);
    }
}

/* Nobody has looked before the refused step: contacts are those of the last step that was done. */
static void contacts_after_a_refused_step(void **state) {
    (void)state;
    talus_config config = config_of(PLAIN);
    talus_sim *sim, *calm;
    assert_ok(build_and_step(&config, PLAIN, 1, &sim));
    int64_t first = talus_sim_allocations(sim);
    talus_sim_destroy(sim);
    config.refuse_allocation = first + 1; /* when a list is made anew, some steps later */
    assert_ok(build_and_step(&config, PLAIN, 1, &sim));
    while (talus_sim_step(sim, NULL, NULL) >= 0) continue;
    config.refuse_allocation = 0;
    assert_ok(build_and_step(&config, PLAIN, (int)talus_sim_step_count(sim), &calm));
    assert_int_equal(talus_sim_observe(sim).contacts, talus_sim_observe(calm).contacts);
    assert_true(talus_sim_observe(sim).force_mean == talus_sim_observe(calm).force_mean);
    talus_sim_destroy(sim);
    talus_sim_destroy(calm);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settled_steps_allocate_nothing),
        cmocka_unit_test(every_refused_allocation_is_survived),
        cmocka_unit_test(a_refused_step_changes_nothing),
        cmocka_unit_test(contacts_after_a_refused_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
