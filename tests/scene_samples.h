/* SPDX-License-Identifier: Apache-2.0
 * Six good scenes that between them use every key of the language. */
#ifndef TESTS_SCENE_SAMPLES_H
#define TESTS_SCENE_SAMPLES_H

static const char *const scene_samples[] = {
    /* 0: everything about grains */
    "title: 'Every kind: of grain'\n"
    "dimension: 3\n"
    "seed: 17\n"
    "method: cd\n"
    "gravity: [0, 0, -9.81 m/s^2]\n"
    "time: { dt: 1.3 ms, end: 0.02 s }\n"
    "materials:\n"
    "  - { name: glass, density: 2.5 g/cm^3 }\n"
    "  - { name: steel }\n"
    "pairs:\n"
    "  - { between: [glass, glass], mu: 0.5 }\n"
    "  - { between: [glass, steel], mu_static: 0.4, mu_sliding: 0.3 }\n"
    "grains:\n"
    "  - { list: [ { at: [0, 0, 0], radius: 1 mm, velocity: [1, 2, 3], omega: [0, 0, 60 rpm], mass: 3 g,\n"
    "              lock: [x, rotation] }, { at: [0, 0, 1 cm] } ], radius: 2 mm, group: probe }\n"
    "  - { row: { count: 5, start: [0, 5 cm, 0], direction: [1, 1, 0], spacing: 5 mm }, radius: 2 mm }\n"
    "  - { row: { count: 3, start: [0, 9 cm, 0] }, radius: { table: { radii: [1 mm, 2 mm], weights: [3, 1] } } }\n"
    "  - { lattice: { kind: fcc, cells: [2, 2, 2], start: [0, 0, 5 cm], spacing: 3 mm, jitter: 20 % },\n"
    "      radius: 1 mm, velocity_jitter: 1 mm/s }\n"
    "  - { lattice: { kind: cubic, cells: [2, 2, 2], start: [0, 0, 9 cm] }, radius: { power: { low: 1 mm, high: 2 mm,\n"
    "      exponent: 2.5 } }, lock: rotation }\n"
    "  - { fill: { box: { low: [10 cm, 0, 0], high: [13 cm, 3 cm, 3 cm] }, fraction: 0.2 },\n"
    "      radius: { lognormal: { median: 1 mm, sigma: 0.2 } }, mass: 1 g }\n"
    "  - { fill: { cylinder: { point: [20 cm, 0, 0], axis: [0, 1, 1], radius: 1 cm, length: 4 cm }, count: 50, attempts: 99 },\n"
    "      radius: { normal: { mean: 1 mm, deviation: 0.1 mm } }, shape: sphere }\n"
    "output: { every: 2 ms, track: [probe, grains], picture: { color: radius, azimuth: 1 rad } }\n",

    /* 1: boundaries and their motions */
    "dimension: 3\n"
    "time: { dt: 1e-3, steps: 12 }\n"
    "solver: { name: nnsgs, sweep: windowed, stop: residual, sweeps: 12, max_sweeps: 300, check_every: 5,\n"
    "          window: 64, tolerance: 1e-4, cutoff: 1e-2, momentum_cap: 0.9, warm_start: false, gap: signed }\n"
    "grains: [ { lattice: { kind: square, cells: [4, 4] }, radius: 5 mm } ]\n"
    "boundaries:\n"
    "  - { name: floor, plane: { point: [0, 0, -1], normal: [0, 0, 2] }, motion: { velocity: [0, 0, 1 mm/s],\n"
    "      oscillate: { direction: [1, 0, 0], amplitude: 1 mm, frequency: 50 Hz, phase: 90 deg } } }\n"
    "  - { name: lid, plane: { point: [0, 0, 1], normal: [0, 0, -1] }, free: { mass: 1 kg, force: { mean: 3 N,\n"
    "      oscillate: { amplitude: 1 N, frequency: 10 Hz } }, weightless: yes } }\n"
    "  - { name: plate, rectangle: { center: [0, 1, 0], normal: [0, 1, 0], edge: [1, 1, 0], size: [1 cm, 2 cm] },\n"
    "      motion: { swing: { axis: [0, 0, 1], point: [0, 1, 0], amplitude: 3 deg, frequency: 2 } } }\n"
    "  - { name: box, box: { low: [-3, -3, -3], high: [3, 3, 3], open: [z+, y-] } }\n"
    "  - { name: drum, cylinder: { axis: [1, 0, 0], radius: 2, length: 4 }, motion: { rotate: { axis: [1, 0, 0], rate: 5 rpm } } }\n"
    "  - { name: core, cylinder: { point: [0, 2, 0], radius: 0.5, side: outside },\n"
    "      free: { inertia: 2 kg m^2, torque: { mean: 1, table: { times: [0, 1 s], values: [0, 2 N m] } } } }\n"
    "  - { name: belt, plane: { point: [0, 0, -2], normal: [0, 0, 1] }, motion: { table: { direction: [1, 0, 0],\n"
    "      times: [0, 1, 2], values: [0, 1 mm, 0] } } }\n"
    "  - { name: wing, rectangle: { center: [0, -1, 0], normal: [0, 1, 0], size: [1 cm, 2 cm] }, motion: { angle_table: {\n"
    "      times: [0 s, 2 s], values: [0, 1 rad] } } }\n",

    /* 2: phases */
    "title: \"phases \\u00e4 \\t\"\n"
    "dimension: 2\n"
    "gravity: [0, -9.81]\n"
    "time: { dt: 1 ms }\n"
    "materials: [ { name: disc, density: 2000 kg/m^2 }, { name: wall } ]\n"
    "grains:\n"
    "  - { lattice: { kind: hexagonal, cells: [6, 6], start: [1 cm, 1 cm], spacing: 1.1 cm, jitter: 0.5 }, radius: 5 mm }\n"
    "  - { list: [ { at: [0.5, 0.5] } ], radius: 1 cm, group: probe }\n"
    "boundaries:\n"
    "  - { name: box, box: { low: [0, 0], high: [1, 1] }, material: wall }\n"
    "  - { name: piston, plane: { point: [0, 0.9], normal: [0, -1] }, material: wall }\n"
    "forces:\n"
    "  - { name: push, on: probe, force: [1 N, 0] }\n"
    "  - { name: shake, on: grains, force: [0, 1 mN], oscillate: { frequency: 3 Hz, phase: 1, mean: 0.5 } }\n"
    "  - { name: ramp, on: grains, force: [1, 1], table: { times: [0, 1], values: [0, 1] } }\n"
    "phases:\n"
    "  - { name: settle, until: { time: 0.2 s, rest: { kinetic: 1e-8, unbalanced: 1e-4, not_before: 0.1 s } } }\n"
    "  - until: { steps: 20 }\n"
    "    change:\n"
    "      remove: [box.x+, box.y+]\n"
    "      remove_forces: push\n"
    "      gravity: [0, 0]\n"
    "      dt: 2 ms\n"
    "      solver: { sweeps: 7 }\n"
    "      pairs: [ { between: [disc, wall], mu_sliding: 0.1 } ]\n"
    "      forces: [ { name: pull, on: probe, force: [-1, 0] }, { name: ramp, on: probe, force: [0, 0] } ]\n"
    "      boundaries: [ { name: piston, free: { mass: 1, force: 2 } }, { name: box, motion: { velocity: [0, 1] } } ]\n"
    "      velocities: [ { group: probe, velocity: [1, 0] } ]\n"
    "  - { name: last, change: { remove_forces: [pull], solver: { stop: local } }, until: { time: 10 ms } }\n"
    "output: { picture: false, boundaries: false }\n"
    "limits: { overlap: 0.1 }\n",

    /* 3: pouring, periodic, automatic time step */
    "dimension: 3\n"
    "gravity: [0, 0, -9.81]\n"
    "time: { dt: auto, end: 0.1 s }\n"
    "cell: { periodic: [x, y], origin: [-1 cm, -1 cm, 0], size: [2 cm, 2 cm, 0] }\n"
    "sources:\n"
    "  - { name: hose, box: { low: [-1 cm, -1 cm, 5 cm], high: [1 cm, 1 cm, 6 cm] }, rate: 500 1/s, count: 30, start: 5 ms,\n"
    "      radius: { two: { small: 1 mm, large: 2 mm, share: 0.7 } }, velocity: [0, 0, -1], velocity_jitter: 0.1, group: rain }\n"
    "  - { name: tap, cylinder: { point: [0, 0, 4 cm], radius: 5 mm, length: 1 cm }, rate: 100 Hz, count: 10,\n"
    "      radius: { uniform: [1 mm, 1.5 mm] }, mass: 1 mg, lock: [rotation], shape: sphere }\n"
    "boundaries: [ { name: floor, plane: { normal: [0, 0, 1] } } ]\n",

    /* 4: one dimension */
    "dimension: 1\n"
    "time: { dt: 1, steps: 46 }\n"
    "solver: { sweeps: 40 }\n"
    "grains:\n"
    "  - { row: { count: 9, start: [1.5], direction: [1], spacing: 1 }, radius: 0.5, mass: 1, group: chain }\n"
    "  - { list: [ { at: [10.5] } ], radius: 0.5, mass: 1, group: last }\n"
    "  - { fill: { box: { low: [20], high: [40] }, count: 5 }, radius: { uniform: [0.5, 1] } }\n"
    "boundaries: [ { name: wall, plane: { normal: [1] } } ]\n"
    "forces: [ { name: push, on: last, force: [-0.05] } ]\n"
    "output: { every: 0, track: last }\n",

    /* 5: YAML at large: anchors, comments, styles */
    "# comment\n"
    "---\n"
    "title: >-\n"
    "  folded\n"
    "  text\n"
    "dimension: 2 # two\n"
    "time:\n"
    "    dt: \"1 ms\"\n"
    "    end: '5 ms'\n"
    "grains:\n"
    "- &one\n"
    "  row: { count: 2, start: &here [0, 0] }\n"
    "  radius: &r 1 mm\n"
    "- list:\n"
    "  - at: [0, 1]\n"
    "    radius: *r\n"
    "    velocity: *here\n"
    "- fill:\n"
    "    cylinder: {point: [5, 5], radius: 1}\n"
    "    fraction: 0.3\n"
    "  radius: {uniform: [4 cm, 5 cm]}\n"
    "...\n",
};

enum { SCENE_SAMPLES = sizeof scene_samples / sizeof scene_samples[0] };

#endif
