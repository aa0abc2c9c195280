/* SPDX-License-Identifier: Apache-2.0
 * Making the sample: rained together without friction, then put into a membrane with it. */
#include <math.h>

#include "papers/triaxial/triaxial.h"

static const double pi = 3.141592653589793;

/* Fill at this solid fraction; it comes down to about 0.62. */
static const double loose = 0.36, dense = 0.62;

talus_status sample_prepare(const struct paper_run *run, const struct test *test, talus_sim **out,
                            talus_error *err) {
    char text[6][96];
    const char *overrides[6];
    double radius = 0.5 * test->diameter, height = 2.0 * test->diameter * dense / loose;
    talus_scene *scene = NULL;
    snprintf(text[0], sizeof text[0], "grains.0.fill.cylinder.radius=%g", radius);
    snprintf(text[1], sizeof text[1], "grains.0.fill.cylinder.length=%g", height);
    snprintf(text[2], sizeof text[2], "grains.0.fill.cylinder.point=[0, 0, %g]", 0.5 * height);
    snprintf(text[3], sizeof text[3], "boundaries.high.plane.point=[0, 0, %g]", height);
    snprintf(text[4], sizeof text[4], "boundaries.high.free.force=%g", 0.25 * pi * radius * radius);
    snprintf(text[5], sizeof text[5], "boundaries.side.cylinder.radius=%g", radius);
    for (int k = 0; k < 6; k++) overrides[k] = text[k];
    talus_status status = paper_scene(run, "scene.yaml", overrides, 6, &scene, err);
    if (status >= 0) status = talus_scene_build(scene, out, err);
    talus_scene_free(scene);
    double needed = 12.0 * test->diameter; /* time: it falls with about 1/4 of its speed of sound */
    while (status >= 0 && talus_sim_time(*out) < needed) status = talus_sim_step(*out, NULL, err);
    return status;
}

/* ---- in the membrane ---------------------------------------------------------------------------- */

static talus_status set_laws(talus_sim *sim, const struct test *test, talus_method method,
                             talus_error *err) {
    talus_material sphere, plate;
    talus_pair_law law = {.mu_static = test->mu, .mu_sliding = test->mu};
    double lightest = 0.512, k = test->stiffness;
    if (method == TALUS_METHOD_MD)
        law.soft = (talus_soft_law){.stiffness = k,
                                    .damping = sqrt(0.5 * lightest * k), /* half of critical */
                                    .tangential_stiffness = 2.0 / 7.0 * k};
    talus_status status = talus_material_add(sim, "sphere", 6.0 / pi, &sphere, err);
    if (status >= 0) status = talus_material_add(sim, "plate", 1.0, &plate, err);
    if (status >= 0) status = talus_pair_set(sim, sphere, sphere, &law, err);
    law.mu_static = law.mu_sliding = law.soft.tangential_stiffness = 0.0;
    if (status >= 0) status = talus_pair_set(sim, sphere, plate, &law, err);
    return status;
}

/* A plate where it was, free to slide up and down under the pressure for now. */
static talus_status add_plate(talus_sim *sim, const talus_boundary_view *from, bool is_free,
                              double force, talus_error *err) {
    talus_boundary_def def = talus_boundary_def_default();
    def.name = from->name;
    def.material = 1;
    def.point = from->point;
    def.normal = from->normal;
    if (is_free)
        def.free =
            (talus_free_motion){.mass = 10.0, .direction = from->normal, .force.mean = force};
    return talus_boundary_add(sim, &def, err);
}

static talus_status add_grains(talus_sim *sim, const talus_sim *from, talus_error *err) {
    talus_body_view bodies = talus_sim_bodies(from);
    talus_status status = TALUS_OK;
    for (size_t i = 0; i < bodies.count && status >= 0; i++) {
        if (bodies.kind[i] != TALUS_BODY_GRAIN) continue;
        talus_body_def def = talus_body_def_default(sim);
        def.radius = bodies.radius[i];
        def.position = bodies.position[i];
        status = talus_bodies_add(sim, &def, 1, NULL, err);
    }
    return status;
}

static talus_config configure(const struct test *test, talus_method method) {
    talus_config config = talus_config_default();
    config.solver = talus_solver_plain();
    config.method = method;
    config.solver.name = "nnsgs";
    config.solver.momentum_cap = 0.95;
    config.solver.islands = false; /* the sample and the run whose numbers are kept */
    config.solver.stop = TALUS_STOP_RESIDUAL;
    config.solver.tolerance = 5e-3;
    config.solver.max_sweeps = 400;
    config.dt = 0.1; /* of the inertial time */
    /* a fortieth of the collision of two of the lightest */
    if (method == TALUS_METHOD_MD) config.dt = pi * sqrt(0.256 / test->stiffness) / 40.0;
    return config;
}

talus_status sample_wrap(const talus_sim *from, const struct test *test, talus_method method,
                         talus_sim **out, talus_error *err) {
    talus_config config = configure(test, method);
    talus_membrane_def membrane = talus_membrane_def_default();
    const double settle = 20.0;
    talus_boundary_view plates[2] = {talus_sim_boundary(from, 0), talus_sim_boundary(from, 1)};
    membrane.name = "skin";
    membrane.plates[0] = "low";
    membrane.plates[1] = "high";
    membrane.pressure.mean = 1.0;
    talus_status status = talus_sim_create(&config, out, err);
    if (status < 0) return status;
    /* outer grains touched the wall: the membrane through their centres is about a radius farther in */
    double area = 0.25 * pi * pow(test->diameter - 1.0, 2.0);
    status = set_laws(*out, test, method, err);
    if (status >= 0) status = add_plate(*out, &plates[0], false, 0.0, err);
    if (status >= 0) status = add_plate(*out, &plates[1], true, area, err);
    if (status >= 0) status = add_grains(*out, from, err);
    if (status >= 0) status = talus_membrane_add(*out, &membrane, err);
    while (status >= 0 && talus_sim_time(*out) < settle) status = talus_sim_step(*out, NULL, err);
    return status;
}
