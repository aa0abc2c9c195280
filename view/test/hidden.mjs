// SPDX-License-Identifier: Apache-2.0
// Nothing is left out that can be seen, much is left out of a packing; pictures are as good as the time that they take allows.
import assert from "node:assert/strict";
import { seenOf, orderOf } from "../src/hidden.js";
import { Pace, LEVELS, SLOW } from "../src/pace.js";

let state = 12345;
const random = () => { state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff; return state / 0x80000000; };

/** A loose lattice of spheres of many sizes, which all lie within 1 of the origin in each direction. */
function packing(cells, least) {
    const out = [], side = 2 / cells;
    for (let i = 0; i < cells ** 3; i++) {
        const r = 0.5 * side * (least + (1 - least) * random()), place = [i % cells, Math.floor(i / cells) % cells, Math.floor(i / cells ** 2)];
        out.push(...place.map((k) => (k + 0.5) * side - 1 + (side - 2 * r) * (random() - 0.5)), r);
    }
    return Float32Array.from(out);
}

/** Seen from this direction at this distance, up to 40 degrees aslant. */
function eyeOf(azimuth, elevation, distance, width, height) {
    const [ca, sa, ce, se] = [Math.cos(azimuth), Math.sin(azimuth), Math.cos(elevation), Math.sin(elevation)];
    const rows = [[ca, sa, 0], [-sa * se, ca * se, ce], [sa * ce, -ca * ce, se]]; // right, up, towards the camera
    const matrix = [0, 1, 2].flatMap((k) => [rows[0][k], rows[1][k], rows[2][k], 0]).concat([0.1, -0.05, -distance, 1]);
    return { matrix, focus: 1.2 * height, stretch: 1, width, height, size: 1, cut: null, rim: 0, small: 3 };
}
const inView = (m, s, k) => [0, 1, 2].map((row) => m[row] * s[4 * k] + m[4 + row] * s[4 * k + 1] + m[8 + row] * s[4 * k + 2] + m[12 + row]);

/** The sphere that a line of sight meets first, or -1; solid ones, cut where the plane is. */
function firstHit(centres, spheres, way, cut) {
    const height = (t) => cut[0] * way[0] * t + cut[1] * way[1] * t + cut[2] * way[2] * t + cut[3];
    let best = -1, nearest = Infinity;
    centres.forEach((c, k) => {
        const along = c[0] * way[0] + c[1] * way[1] + c[2] * way[2];
        const inside = spheres[4 * k + 3] ** 2 - (c[0] ** 2 + c[1] ** 2 + c[2] ** 2 - along ** 2);
        if (inside < 0) return;
        let t = along - Math.sqrt(inside);
        if (cut && height(t) > 0) {
            t = -cut[3] / (cut[0] * way[0] + cut[1] * way[1] + cut[2] * way[2]);
            if (t < along - Math.sqrt(inside) || t > along + Math.sqrt(inside)) return;
        }
        if (t < nearest) { nearest = t; best = k; }
    });
    return best;
}

let rays = 0, share = 0;
const views = [[0.4, 0.3, 5, null], [0, 0, 6, null], [2.5, -0.8, 4, [0, 0, 1, 4.1]], [1, 1.2, 3, [0.6, 0, -0.8, -2.6]], [3.6, 0.2, 1.6, null]];
for (const [azimuth, elevation, distance, cut] of views)
    for (const [cells, least] of [[12, 0.97], [9, 0.4]]) {
        const spheres = packing(cells, least), eye = { ...eyeOf(azimuth, elevation, distance, 90, 70), cut };
        const centres = Array.from({ length: cells ** 3 }, (_, k) => inView(eye.matrix, spheres, k));
        const seen = seenOf(spheres, orderOf(Float32Array.from(centres, (c) => -c[2])), eye), kept = new Set([...seen.small, ...seen.large]);
        assert.equal(kept.size + seen.hidden, cells ** 3);
        for (let j = 0; j < eye.height; j++)
            for (let i = 0; i < eye.width; i++) {
                const way = [(i + 0.5 - 0.5 * eye.width) / eye.focus, (j + 0.5 - 0.5 * eye.height) / eye.focus, -1], size = Math.hypot(...way);
                const hit = firstHit(centres, spheres, way.map((v) => v / size), cut);
                if (hit < 0) continue;
                rays++;
                assert.ok(kept.has(hit), `sphere ${hit} is seen from ${azimuth}, ${elevation} at ${distance}, but left out`);
            }
        if (least > 0.9 && !cut) share = Math.max(share, seen.hidden / cells ** 3);
    }
assert.ok(rays > 10000, `${rays} lines of sight`);
assert.ok(share > 0.5, `of a packing ${share} is hidden`);
console.log(`${rays} lines of sight meet no grain that was left out; of a packing up to ${Math.round(100 * share)} % are`);

// ---- how well pictures are drawn ----------------------------------------------------------------

const tell = (pace, ms, times) => { for (let k = 0; k < times; k++) pace.took(typeof ms === "function" ? ms() : ms); };
const fast = new Pace();
tell(fast, 10, 1000);
tell(fast, 400, 1);
tell(fast, 10, 5);
tell(fast, 400, 2);
assert.equal(fast.at, 0, "a fast machine draws everything, hiccups or not");

const many = new Pace();
many.begin(true);
assert.ok(!many.isFull, "a lot is first drawn coarsely");
many.tookFull(10);
assert.ok(many.isFull, "and fully, as soon as that was seen to be quick");
tell(many, 5, 25);
assert.equal(many.level, LEVELS[0]);

const slow = new Pace();
tell(slow, () => 1000 * slow.level.pixels ** 2, 100);
assert.ok(!slow.isFull && 1000 * slow.level.pixels ** 2 <= 1.5 * SLOW, `a slow machine draws coarsely: ${slow.level.pixels}`);
slow.tookFull(1000);
assert.ok(!slow.isFull, "and goes on so");
const stubborn = new Pace();
stubborn.begin(true);
tell(stubborn, 200, 100);
assert.ok(stubborn.at <= 3, "where fewer pixels help nothing, there are no fewer");
console.log("pictures are as good as time allows");
