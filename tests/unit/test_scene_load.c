/* SPDX-License-Identifier: Apache-2.0
 * Good scenes: what is read is what was written; references, includes, overrides. */
#define _POSIX_C_SOURCE 200809L
#include "scene_support.h"

#include "scene_samples.h"

static void assert_vector(talus_vec3 v, double x, double y, double z) {
    assert_near(v.x, x, 1e-15);
    assert_near(v.y, y, 1e-15);
    assert_near(v.z, z, 1e-15);
}

/* The defaults in the table are those of the engine. */
static void test_defaults(void **state) {
    (void)state;
    talus_scene *scene = scene_ok(SMALL_GRAINS "time: { end: 1 }\n");
    talus_config wanted = talus_config_default();
    const talus_config *config = &scene->config;
    assert_string_equal(talus_scene_title(scene), "");
    assert_int_equal(config->dim, wanted.dim);
    assert_int_equal(config->seed, wanted.seed);
    assert_true(config->dt == wanted.dt && scene->dt_auto);
    assert_string_equal(config->solver.name, wanted.solver.name);
    assert_int_equal(config->solver.sweep, wanted.solver.sweep);
    assert_int_equal(config->solver.stop, wanted.solver.stop);
    assert_int_equal(config->solver.sweeps, wanted.solver.sweeps);
    assert_int_equal(config->solver.max_sweeps, wanted.solver.max_sweeps);
    assert_int_equal(config->solver.check_every, wanted.solver.check_every);
    assert_int_equal(config->solver.window, wanted.solver.window);
    assert_true(config->solver.tolerance == wanted.solver.tolerance);
    assert_true(config->solver.cutoff == wanted.solver.cutoff);
    assert_true(config->solver.momentum_cap == wanted.solver.momentum_cap);
    assert_int_equal(config->solver.warm_start, wanted.solver.warm_start);
    assert_int_equal(config->solver.gap, wanted.solver.gap);
    talus_picture_config picture = talus_picture_config_default();
    const talus_picture_config *own = &scene->output.picture_config;
    assert_true(scene->output.picture && scene->output.boundaries);
    assert_string_equal(own->color, picture.color);
    assert_true(own->width == picture.width && own->height == picture.height);
    assert_true(own->forces == picture.forces && own->boundaries == picture.boundaries);
    assert_true(own->legend == picture.legend && own->azimuth == picture.azimuth);
    assert_true(own->elevation == picture.elevation);
    assert_true(scene->output.every == 0.01 && scene->overlap_limit == 0.01);
    assert_int_equal(scene->material_count, 1);
    assert_true(scene->materials[0].density == 2500.0);
    assert_string_equal(scene->generators[0].shape, "sphere");
    assert_int_equal(scene->phase_count, 1);
    assert_true(scene->phases[0].duration == 1.0 && scene->phases[0].steps == 0);
    talus_scene_free(scene);
    talus_scene_free(NULL);
}

static void test_film_and_view(void **state) {
    (void)state;
    talus_scene *scene = scene_ok(SMALL_GRAINS "time: { end: 1 }\n");
    assert_true(scene->output.film == 0.0);
    assert_vector(scene->output.picture_config.low, 0, 0, 0);
    assert_vector(scene->output.picture_config.high, 0, 0, 0);
    talus_scene_free(scene);
    scene = scene_ok(SMALL_GRAINS
                     "time: { end: 1 }\n"
                     "output: { film: 40 ms, picture: { view: { low: [-1 cm, 0, 0], high: [1, 2, "
                     "3] } } }\n");
    assert_near(scene->output.film, 0.04, 1e-15);
    assert_vector(scene->output.picture_config.low, -0.01, 0, 0);
    assert_vector(scene->output.picture_config.high, 1, 2, 3);
    talus_scene_free(scene);
    scene_refused(SMALL_GRAINS "time: { end: 1 }\n"
                               "output: { picture: { view: { low: [0, 0, 0], high: [1, 0, 3] } } }",
                  "view: high is 0 along y, but must be greater than low, 0");
}

/* y = t^2 (3 - 2 t) has no slope at 0 and 1, and is the spline through any points of its own. Its
 * second difference over a step is that of the cubic, not of the straight lines. */
static void test_smooth_table(void **state) {
    (void)state;
    talus_scene *scene = scene_ok(
        SMALL_GRAINS "time: { dt: 10 ms, end: 1 }\n"
                     "boundaries: [ { name: p, plane: { normal: [0, 0, 1] }, motion: { table: { "
                     "direction: [1, 0, 0], smooth: true, times: [0, 0.2, 0.5, 1], values: [0, "
                     "0.104, 0.5, 1] } } } ]\n");
    const talus_signal *signal = &scene->boundaries[0].def.motion.displacement;
    assert_int_equal(signal->kind, TALUS_SIGNAL_TABLE);
    assert_int_equal(signal->count, 801);
    for (size_t k = 0; k < signal->count; k++) {
        double t = (double)k / 800.0;
        assert_near(signal->times[k], t, 1e-12);
        assert_near(signal->values[k], t * t * (3.0 - 2.0 * t), 1e-12);
    }
    talus_scene_free(scene);
    scene_refused(SMALL_GRAINS "time: { end: 1 }\n"
                               "boundaries: [ { name: p, plane: { normal: [0, 0, 1] }, motion: { "
                               "table: { direction: [1, 0, 0], smooth: true, times: [0, 1], "
                               "values: [0, 1] } } } ]\n",
                  "smooth: needs a time step that is given");
}

static void test_grains(void **state) {
    (void)state;
    talus_scene *scene = scene_ok(scene_samples[0]);
    assert_int_equal(scene->generator_count, 7);
    const struct scene_generator *g = scene->generators;
    assert_int_equal(g[0].body_count, 2);
    assert_vector(g[0].bodies[0].velocity, 1, 2, 3);
    assert_near(g[0].bodies[0].omega.z, 6.283185307179586, 1e-15);
    assert_true(g[0].bodies[0].mass == 0.003 && g[0].bodies[0].radius == 0.001);
    assert_int_equal(g[0].bodies[0].locks, TALUS_LOCK_X | TALUS_LOCK_ROTATION);
    assert_true(g[0].bodies[1].radius == 0.0 && g[0].size.a == 0.002);
    assert_vector(g[1].direction, sqrt(0.5), sqrt(0.5), 0);
    assert_true(g[2].spacing == 0.004); /* the largest diameter */
    assert_int_equal(g[2].size.kind, SCENE_SIZE_TABLE);
    assert_int_equal(g[3].lattice, SCENE_FCC);
    assert_true(g[3].jitter == 0.2);
    assert_int_equal(g[4].locks, TALUS_LOCK_ROTATION);
    assert_int_equal(g[5].size.kind, SCENE_SIZE_LOGNORMAL);
    assert_near(g[5].size.high, 0.001 * exp(0.6), 1e-15);
    assert_true(g[5].mass == 0.001);
    assert_int_equal(g[6].region.kind, SCENE_REGION_CYLINDER);
    assert_near(g[6].size.low, 0.0007, 1e-15);
    assert_int_equal(g[6].attempts, 99);
    assert_true(scene->pairs[1].law.mu_static == 0.4 && scene->pairs[1].law.mu_sliding == 0.3);
    assert_true(scene->pairs[0].law.mu_static == 0.5 && scene->pairs[0].law.mu_sliding == 0.5);
    const talus_pair_law *law = &scene->pairs[1].law, *steel = &scene->pairs[2].law;
    assert_true(law->rolling.coefficient == 0.1 &&
                law->rolling.scale == TALUS_TORQUE_REDUCED_RADIUS);
    assert_true(law->torsion.coefficient == 0.2 && law->torsion.scale == TALUS_TORQUE_HERTZ &&
                law->torsion.modulus == 1e9);
    assert_true(law->restitution.normal == 0.9 && law->restitution.tangential == 0.0 &&
                law->restitution.threshold == 0.001);
    assert_true(law->cohesion.per_radius && law->cohesion.force == 2.0 && law->cohesion.on_command);
    assert_near(law->cohesion.energy, 3e-6, 1e-20);
    assert_true(steel->rolling.scale == TALUS_TORQUE_LENGTH && steel->rolling.coefficient == 0.001);
    assert_true(!steel->cohesion.per_radius && !steel->cohesion.on_command);
    assert_near(steel->cohesion.range, 2e-6, 1e-20);
    assert_true(scene->pairs[0].law.cohesion.force == 0.0);
    assert_true(scene->materials[0].density == 2500.0);
    assert_near(scene->output.picture_config.azimuth, 57.29577951308232, 1e-12);
    assert_int_equal(scene->output.track_count, 2);
    talus_scene_free(scene);
}

static const talus_boundary_def *boundary(const talus_scene *scene, const char *name) {
    for (size_t i = 0; i < scene->boundary_count; i++) {
        if (strcmp(scene->boundaries[i].def.name, name) == 0) return &scene->boundaries[i].def;
    }
    fail_msg("no boundary %s", name);
    return NULL;
}

static void test_boundaries(void **state) {
    (void)state;
    talus_scene *scene = scene_ok(scene_samples[1]);
    assert_int_equal(scene->boundary_count, 11);
    const talus_boundary_def *floor_plane = boundary(scene, "floor");
    assert_vector(floor_plane->normal, 0, 0, 1);
    assert_int_equal(floor_plane->motion.displacement.kind, TALUS_SIGNAL_SINE);
    assert_true(floor_plane->motion.displacement.amplitude == 0.001);
    assert_near(floor_plane->motion.displacement.phase, 1.5707963267948966, 1e-15);
    const talus_boundary_def *lid = boundary(scene, "lid");
    assert_vector(lid->free.direction, 0, 0, -1);
    assert_true(lid->free.force.mean == 3.0 && lid->free.force.amplitude == 1.0);
    assert_true(lid->free.weightless);
    assert_vector(boundary(scene, "plate")->edge, 1, 0, 0);
    assert_vector(boundary(scene, "box.x+")->normal, -1, 0, 0);
    assert_vector(boundary(scene, "box.x+")->point, 3, 0, 0);
    assert_vector(boundary(scene, "box.z-")->normal, 0, 0, 1);
    assert_near(boundary(scene, "drum")->motion.rate, 0.5235987755982988, 1e-15);
    assert_int_equal(boundary(scene, "core")->shape, TALUS_CYLINDER_OUTSIDE);
    assert_true(boundary(scene, "core")->free.torque.values[1] == 3.0);
    assert_int_equal(boundary(scene, "belt")->motion.displacement.count, 3);
    assert_int_equal(boundary(scene, "wing")->motion.angle.kind, TALUS_SIGNAL_TABLE);
    assert_vector(boundary(scene, "wing")->motion.axis_point, 0, -1, 0);
    assert_int_equal(scene->config.solver.sweep, TALUS_SWEEP_WINDOWED);
    assert_int_equal(scene->config.solver.stop, TALUS_STOP_RESIDUAL);
    assert_true(scene->config.solver.gap == TALUS_GAP_SIGNED && !scene->config.solver.warm_start);
    talus_scene_free(scene);
}

static void test_phases(void **state) {
    (void)state;
    talus_scene *scene = scene_ok(scene_samples[2]);
    assert_int_equal(scene->phase_count, 3);
    const struct scene_phase *phase = scene->phases;
    assert_true(phase[0].duration == 0.2 && phase[0].rest_kinetic == 1e-8);
    assert_true(phase[0].rest_unbalanced == 1e-4 && phase[0].rest_minimum == 0.1);
    assert_false(phase[0].change.has_solver);
    const struct scene_change *change = &phase[1].change;
    assert_string_equal(phase[1].name, "phase2");
    assert_int_equal(phase[1].steps, 20);
    assert_int_equal(change->remove_count, 2);
    assert_string_equal(change->remove[1], "box.y+");
    assert_true(change->has_gravity && change->has_dt && change->dt == 0.002);
    assert_int_equal(change->solver.sweeps, 7);
    assert_int_equal(change->boundary_count, 3); /* the piston and two sides that are left */
    assert_true(change->boundaries[0].has_free && !change->boundaries[0].has_motion);
    assert_vector(change->boundaries[0].free.direction, 0, -1, 0);
    assert_string_equal(change->boundaries[2].name, "box.y-");
    assert_int_equal(change->force_count, 2);
    const talus_membrane_def *skin = &scene->membranes[0].def, *sock = &change->membranes[0].def;
    assert_true(scene->membrane_count == 1 && change->membrane_count == 1);
    assert_true(skin->pressure.mean == 2.0 && skin->pressure.amplitude == 1.0);
    assert_true(skin->remesh == 0.1 && sock->remesh == 0.05 && sock->group == NULL);
    assert_string_equal(skin->plates[0], "box.y-");
    assert_string_equal(skin->group, "grains");
    assert_string_equal(change->remove_membranes[0], "skin");
    assert_int_equal(scene->membrane_name_count, 2);
    assert_string_equal(scene->membrane_names[1], "sock");
    assert_true(change->pairs[0].law.mu_static == 0.1);
    assert_true(change->bond_contacts);
    assert_int_equal(phase[2].change.solver.sweeps, 7); /* still */
    assert_int_equal(phase[2].change.solver.stop, TALUS_STOP_LOCAL);
    assert_true(scene->forces[1].signal.mean == 0.0005 &&
                scene->forces[1].signal.amplitude == 0.001);
    assert_near(scene->forces[2].signal.values[1], sqrt(2.0), 1e-15);
    assert_false(scene->output.picture);
    assert_true(scene->output.every == 0.0);
    talus_scene_free(scene);
}

static void test_others(void **state) {
    (void)state;
    talus_scene *scene = scene_ok(scene_samples[3]);
    assert_true(scene->dt_auto);
    assert_true(scene->sources[0].rate == 500.0 && scene->sources[0].start == 0.005);
    assert_int_equal(scene->sources[1].locks, TALUS_LOCK_ROTATION);
    assert_true(scene->sources[1].mass == 1e-6);
    assert_true(scene->config.cell.periodic[1] && !scene->config.cell.periodic[2]);
    talus_scene_free(scene);
    scene = scene_ok(scene_samples[4]);
    assert_string_equal(scene->output.track[0], "last");
    assert_true(scene->forces[0].direction.x == -1.0 && scene->forces[0].signal.mean == 0.05);
    talus_scene_free(scene);
    scene = scene_ok(scene_samples[5]);
    assert_string_equal(talus_scene_title(scene), "folded text");
    assert_true(scene->generators[1].bodies[0].radius == 0.001);
    assert_true(scene->config.dt == 0.001);
    talus_scene_free(scene);
}

static void test_references(void **state) {
    (void)state;
#define GLASS "materials: [ { name: glass, density: 1 }, { name: air } ]\n"
    scene_refused(GLASS SMALL_SCENE "pairs: [ { between: [glas, glass], mu: 1 } ]\n",
                  "there is no material 'glas'; did you mean 'glass'?");
    scene_refused(SMALL_SCENE "pairs: [ { between: [grain], mu: 1 } ]\n", "has 1 elements, but 2");
    scene_refused(SMALL_SCENE "pairs: [ { between: [grain, grain], mu: 1, mu_static: 2 } ]\n",
                  "mu sets both coefficients");
    scene_refused(SMALL_SCENE
                  "pairs: [ { between: [grain, grain], mu_static: 0.1, mu_sliding: 0.2 } ]\n",
                  "mu_static is 0.1, but must be at least mu_sliding, 0.2");
#define PAIR(law) SMALL_SCENE "pairs: [ { between: [grain, grain], mu: 1, " law " } ]\n"
    scene_refused(PAIR("rolling: { hertz: 1 }"), "hertz needs a modulus beside it");
    scene_refused(PAIR("torsion: { length: 1 mm, modulus: 1 Pa }"), "modulus goes with hertz only");
    scene_refused(PAIR("rolling: { coefficient: 1, length: 1 }"), "length");
    scene_refused(PAIR("rolling: { coefficient: -1 }"), "coefficient");
    scene_refused(PAIR("cohesion: { force: 1 N }"), "range");
    scene_refused(PAIR("cohesion: { range: 1 mm }"), "force");
    scene_refused(PAIR("cohesion: { force: 1 N, range: 1 mm, energy: 1 J }"), "energy");
    scene_refused(PAIR("cohesion: { force: 1 mm, range: 1 mm }"), "force");
    scene_refused(PAIR("restitution: { normal: 1.5 }"), "normal");
    scene_refused(PAIR("restitution: { bounce: 0.5 }"), "bounce");
    scene_refused(SMALL_SCENE "output: { track: grain }\n",
                  "there is no group 'grain'; did you mean 'grains'?");
    scene_refused(GLASS "grains: [ { row: { count: 2 }, radius: 1, material: air } ]\n" SMALL_END,
                  "these grains have no mass: give material 'air' a density");
    scene_refused("dimension: 2\nmaterials: [ { name: a, density: 3 kg/m^3 } ]\n"
                  "grains: [ { row: { count: 2 }, radius: 1 } ]\n" SMALL_END,
                  "is a mass per volume, but a disc needs a mass per area");
    scene_refused(SMALL_SCENE "boundaries: [ { name: a, plane: { normal: [0, 0, 1] } }, { name: a, "
                              "plane: { normal: [0, 0, 1] } } ]\n",
                  "boundary 'a' exists already");
    scene_refused(SMALL_SCENE
                  "boundaries: [ { name: b, box: { low: [0, 0, 0], high: [1, 1, 1] } }, "
                  "{ name: b.x-, plane: { normal: [0, 0, 1] } } ]\n",
                  "'b.x-' exists already, as a side of 'b'");
    scene_refused(SMALL_SCENE "forces: [ { name: f, on: grains, force: [1, 0, 0] }, { name: f, on: "
                              "grains, force: [1, 0, 0] } ]\n",
                  "force 'f' exists already");
}

#define WALLED SMALL_GRAINS "boundaries: [ { name: lid, plane: { normal: [0, 0, 1] } } ]\n"

#define PLATES(extra)                                                                        \
    SMALL_GRAINS "boundaries:\n- { name: low, plane: { normal: [0, 0, 1] } }\n"              \
                 "- { name: high, plane: { normal: [0, 0.6, -0.8], point: [0, 0, 5] }" extra \
                 " }\n"                                                                      \
                 "phases: [ { until: { time: 1 } } ]\n"                                      \
                 "membranes:\n- { name: skin, pressure: 1, plates: [low, high] }\n"

/* Plates that do not face each other are known when the scene is read, if they stand as they were given. */
static void test_plates(void **state) {
    (void)state;
    scene_refused(PLATES(""),
                  ": plates: 'low' and 'high' must be parallel, but are inclined by 36.9 deg");
    scene_refused(PLATES(""), "%:7:38: plates");
    talus_scene_free(scene_ok(
        PLATES(", motion: { rotate: { axis: [1, 0, 0], rate: 1 } }"))); /* may come right */
}

static void test_programme(void **state) {
    (void)state;
    scene_refused(SMALL_GRAINS, "the scene has no end");
    scene_refused(SMALL_END, "the scene has no grains");
    scene_refused(SMALL_SCENE "phases: [ { until: { time: 1 } } ]\n",
                  "time.end and phases exclude each other");
    scene_refused(SMALL_GRAINS "phases: []\n", "phases has 0 elements");
    scene_refused(SMALL_GRAINS "phases: [ { until: { rest: { kinetic: 1 } } } ]\n",
                  "phases[0].until needs one of: time, steps");
    scene_refused(SMALL_GRAINS "phases: [ { until: { time: 1, rest: { } } } ]\n",
                  "rest needs kinetic or unbalanced");
    scene_refused(WALLED "phases: [ { until: { time: 1 }, change: { remove: lit } } ]\n",
                  "there is no boundary 'lit'; did you mean 'lid'?");
    scene_refused(WALLED
                  "phases: [ { until: { time: 1 }, change: { remove: lid } }, { until: { time: "
                  "1 }, change: { remove: lid } } ]\n",
                  "boundary 'lid' was removed before");
    scene_refused(WALLED "phases: [ { until: { time: 1 }, change: { remove_forces: f } } ]\n",
                  "there is no force 'f' in this phase; there are none");
    scene_refused(WALLED "phases: [ { until: { time: 1 }, change: { remove_membranes: f } } ]\n",
                  "there is no membrane 'f' in this phase; there are none");
    scene_refused(WALLED
                  "phases: [ { until: { time: 1 }, change: { boundaries: [ { name: lid } ] } } ]\n",
                  "needs one of: motion, free");
    scene_refused(WALLED
                  "phases: [ { until: { time: 1 }, change: { velocities: [ { group: q, velocity: "
                  "[0, 0, 0] } ] } } ]\n",
                  "there is no group 'q'");
    scene_refused(SMALL_GRAINS
                  "boundaries: [ { name: b, box: { low: [0, 0, 0], high: [1, 1, 1] }, free: "
                  "{ mass: 1 } } ]\n" SMALL_END,
                  "the sides of a box would move apart");
    scene_refused(
        SMALL_GRAINS
        "boundaries: [ { name: b, plane: { normal: [0, 0, 1] }, free: { } } ]\n" SMALL_END,
        "free: give a mass (to slide) or an inertia (to turn)");
}

static void test_geometry(void **state) {
    (void)state;
    scene_refused("dimension: 2\ngravity: [0, 0, -9.81]\n" SMALL_SCENE,
                  "gravity points out of the 2-dimensional world: its z must be 0");
    scene_refused("dimension: 1\ngravity: [0, -9.81]\n" SMALL_SCENE, "its y and z must be 0");
    scene_refused(
        "dimension: 2\ngrains: [ { row: { count: 2 }, radius: 1, omega: [1, 0, 0] } ]\n" SMALL_END,
        "omega: in a 2-dimensional world it must be along z");
    scene_refused(SMALL_SCENE "cell: { periodic: [x], size: [0, 1, 1] }\n",
                  "cell.size is 0 along x, but must be greater than 0");
    scene_refused("dimension: 2\n" SMALL_SCENE "cell: { periodic: z, size: [1, 1, 1] }\n",
                  "there is no z in a 2-dimensional world");
    scene_refused(SMALL_SCENE "cell: { periodic: z, size: [1, 1, 4] }\n",
                  "the period along z is 4; it must be at least 5 radii");
    scene_refused("grains: [ { fill: { box: { low: [0, 0, 0], high: [1, 1, 1] }, count: 1 }, "
                  "radius: 1 } ]\n" SMALL_END,
                  "box: 1 wide along x, but the largest grain has the diameter 2");
    scene_refused("grains: [ { fill: { box: { low: [0, 0, 0], high: [9, 0, 9] }, fraction: 0 }, "
                  "radius: 1 } ]\n" SMALL_END,
                  "high must be above low along y");
    scene_refused("grains: [ { fill: { cylinder: { point: [0, 0, 0], radius: 3 }, count: 1 }, "
                  "radius: 1 } ]\n" SMALL_END,
                  "'length' is missing in cylinder");
    scene_refused("grains: [ { lattice: { kind: fcc, cells: [1, 1] }, radius: 1 } ]\ndimension: "
                  "2\n" SMALL_END,
                  "a fcc lattice needs 3 dimensions");
    scene_refused(
        "grains: [ { lattice: { kind: square, cells: [1, 1, 2] }, radius: 1 } ]\n" SMALL_END,
        "a square lattice is one layer");
    scene_refused("grains: [ { row: { count: 2 } } ]\n" SMALL_END, "'radius' is missing");
    scene_refused("grains: [ { list: [ { at: [0, 0, 0] } ] } ]\n" SMALL_END,
                  "give it here or for every grain of the list");
    scene_refused("grains: [ { row: { count: 2 }, radius: { normal: { mean: 1, deviation: 0.5 } } "
                  "} ]\n" SMALL_END,
                  "'low' would be -0.5 by default");
    scene_refused(
        "grains: [ { row: { count: 2 }, radius: { normal: { mean: 1, deviation: 0.1, low: 2, "
        "high: 3 } } } ]\n" SMALL_END,
        "of the distribution lies between low and high");
    scene_refused("grains: [ { row: { count: 2 }, radius: { uniform: [2, 1] } } ]\n" SMALL_END,
                  "the lower bound 2 is above the upper bound 1");
    scene_refused("grains: [ { row: { count: 2 }, radius: { table: { radii: [1], weights: [0] } } "
                  "} ]\n" SMALL_END,
                  "the weights add up to 0");
    scene_refused(SMALL_SCENE
                  "boundaries: [ { name: p, rectangle: { center: [0, 0, 0], normal: [0, 0, "
                  "1], edge: [0, 0, 2], size: [1, 1] } } ]\n",
                  "edge is parallel to normal");
    scene_refused(SMALL_SCENE
                  "boundaries: [ { name: p, plane: { normal: [0, 0, 1] }, motion: { table: { "
                  "direction: [1, 0, 0], times: [0, 0], values: [1, 1] } } } ]\n",
                  "times must rise, but 0 follows 0");
}

static void test_include(void **state) {
    (void)state;
    char command[160];
    snprintf(command, sizeof command, "mkdir -p %s/sub", scene_directory);
    assert_int_equal(system(command), 0);
    scene_file("sub/base.yaml",
               "include: deeper.yaml\nsolver: { sweeps: 11, window: 99 }\nseed: 4\n");
    scene_file("sub/deeper.yaml", SMALL_SCENE
               "seed: 3\ntitle: deep\nmaterials: [ { name: a, density: 1 }, { name: b } ]\n");
    scene_file("other.yaml", "seed: 5\nsolver: { sweeps: 12 }\n");
    talus_scene *scene =
        scene_ok("include: [sub/base.yaml, other.yaml]\nmaterials: [ { name: c, density: 2 } ]\n"
                 "solver: { tolerance: 1e-3 }\n");
    assert_string_equal(talus_scene_title(scene), "deep");
    assert_int_equal(scene->config.seed, 5);
    assert_int_equal(scene->config.solver.sweeps, 12);
    assert_int_equal(scene->config.solver.window, 99);
    assert_true(scene->config.solver.tolerance == 1e-3);
    assert_int_equal(scene->material_count, 1); /* lists replace */
    talus_scene_free(scene);
    scene_file("sub/deeper.yaml", "include: ../scene.yaml\n");
    scene_refused("include: sub/base.yaml\n", "includes itself, through other files");
    scene_refused("include: scene.yaml\n", "includes itself, directly");
    scene_refused("include: gone.yaml\n" SMALL_SCENE, "cannot read");
    scene_refused("include: { a: b }\n" SMALL_SCENE, "a file name is wanted");
    scene_file("other.yaml", "seed: x\n");
    scene_refused("include: other.yaml\n" SMALL_SCENE, "other.yaml:1:7: seed: 'x' is not a number");
}

static talus_scene *overridden(const char *text, const char *one, const char *two) {
    talus_scene *scene;
    talus_error err;
    if (scene_try(text, one, two, &scene, &err) < 0) fail_msg("%s", err.text);
    return scene;
}

static void test_overrides_good(void **state) {
    (void)state;
    talus_scene *scene = overridden(
        scene_samples[1], "boundaries.floor.motion.velocity=[0,0,7 cm/s]", "solver.sweeps=100");
    assert_true(boundary(scene, "floor")->motion.velocity.z == 0.07);
    assert_int_equal(scene->config.solver.sweeps, 100);
    talus_scene_free(scene);
    scene = overridden(scene_samples[4], "grains.last.radius=0.25", "grains.0.row.count=3");
    assert_true(scene->generators[1].size.a == 0.25);
    assert_int_equal(scene->generators[0].count, 3);
    talus_scene_free(scene);
    scene =
        overridden(SMALL_SCENE, "time.steps=5", "output.picture.width=640"); /* replaces time.end */
    assert_int_equal(scene->phases[0].steps, 5);
    assert_int_equal(scene->output.picture_config.width, 640);
    talus_scene_free(scene);
    scene = overridden("output: { picture: false }\n" SMALL_SCENE, "output.picture.forces=true",
                       "gravity=[0, 0, -1]");
    assert_true(scene->output.picture && scene->output.picture_config.forces);
    talus_scene_free(scene);
    scene = overridden("gravity: [0, 0, 1]\n" SMALL_SCENE, "gravity.2=-3", "seed=1");
    assert_true(scene->config.gravity.z == -3.0);
    talus_scene_free(scene);
    scene = overridden(SMALL_SCENE, "seed=8", "seed=9"); /* later ones win */
    assert_int_equal(scene->config.seed, 9);
    talus_scene_free(scene);
}

static void test_overrides_bad(void **state) {
    (void)state;
    scene_refused_set(
        SMALL_SCENE, "solver.sweps=3",
        "override 'solver.sweps=3': unknown key 'sweps' in solver; did you mean 'sweeps'?");
    scene_refused_set(SMALL_SCENE, "solver.sweeps=many",
                      "override 'solver.sweeps=many': solver.sweeps: 'many' is not a number");
    scene_refused_set(SMALL_SCENE, "seed", "an override is written key=value");
    scene_refused_set(SMALL_SCENE, "=3", "an override is written key=value");
    scene_refused_set(SMALL_SCENE, "a..b=3", "keys joined by dots");
    scene_refused_set(SMALL_SCENE, "seed=", "there is no value behind '='");
    scene_refused_set(SMALL_SCENE, "seed=[", "override 'seed=[': not YAML");
    scene_refused_set(SMALL_SCENE, "include=x.yaml", "include cannot be set");
    scene_refused_set(scene_samples[1], "boundaries.flor.material=x",
                      "the list has no element 'flor'; did you mean 'floor'?");
    scene_refused_set(scene_samples[1], "boundaries.77.material=x",
                      "there is no element 77: the list has");
    scene_refused_set(SMALL_SCENE, "a.b.c.d.e.f.g.h.i.j.k.l.m.n=1", "at most 12");
    scene_refused_set(scene_samples[2], "boundaries.0.name=walls", "there is no boundary 'box.x+'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),       cmocka_unit_test(test_grains),
        cmocka_unit_test(test_boundaries),     cmocka_unit_test(test_phases),
        cmocka_unit_test(test_others),         cmocka_unit_test(test_references),
        cmocka_unit_test(test_plates),         cmocka_unit_test(test_programme),
        cmocka_unit_test(test_geometry),       cmocka_unit_test(test_include),
        cmocka_unit_test(test_overrides_good), cmocka_unit_test(test_overrides_bad),
        cmocka_unit_test(test_film_and_view),  cmocka_unit_test(test_smooth_table),
    };
    return cmocka_run_group_tests(tests, scene_setup, scene_teardown);
}
