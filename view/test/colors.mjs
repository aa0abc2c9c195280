// SPDX-License-Identifier: Apache-2.0
// Colour maps: every colour can be shown, lightness rises evenly, equal steps look equal. And numbers as text.
import assert from "node:assert/strict";
import { labMaps, linearFromLab, fromLab, category, colorRow } from "../src/colors.js";
import { show } from "../src/scalars.js";
import { ticks, readSeries } from "../src/plot.js";

const STEPS = 200;
for (const [name, map] of Object.entries(labMaps)) {
    const speeds = [];
    for (let i = 0; i <= STEPS; i++) {
        for (const v of linearFromLab(map(i / STEPS))) assert.ok(v > -0.005 && v < 1.005, `${name} at ${i / STEPS}: ${v} cannot be shown`);
        if (i === 0) continue;
        const [p, q] = [map((i - 1) / STEPS), map(i / STEPS)];
        speeds.push(STEPS * Math.hypot(...p.map((v, k) => q[k] - v)));
        if (name !== "diverging") assert.ok(q[0] > p[0], `${name}: lightness rises`);
    }
    const ratio = Math.max(...speeds) / Math.min(...speeds);
    assert.ok(ratio < 1.2, `${name}: the largest step is ${ratio.toFixed(2)} of the smallest`);
}
// The same colours as src/io/colormap.c makes: L* = 36, a* = 27, b* = -50 at the dark end.
assert.deepEqual([...colorRow("talus").slice(0, 3)], fromLab([36, 27, -50]).map((v) => Math.round(255 * v)));
assert.ok(Math.hypot(...category(0).map((v, k) => v - category(1)[k])) > 0.3, "the first two categories differ");

assert.equal(show(0.00123456, 3), "0.00123");
assert.equal(show(-0.000123456, 3), "−1.23e−4");
assert.equal(show(1.5e7, 3), "1.5e7");
assert.equal(show(100), "100");
assert.equal(show(2500), "2500");
assert.equal(show(NaN), "–");
assert.deepEqual(ticks(0, 1, 4), [0, 0.25, 0.5, 0.75, 1]);
const series = readSeries("time[s]\tgrains\n0\t3\n0.5\t4\n");
assert.deepEqual(series.columns, [{ name: "time", unit: "s" }, { name: "grains", unit: "" }]);
assert.deepEqual(series.rows.map((row) => [...row]), [[0, 0.5], [3, 4]]);
console.log("colours, numbers, ticks are right");
