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
// What a screen is told, 8 bits for each part, back into L*a*b* by formulas of its own (IEC 61966-2-1, CIE 15): lightness rises,
// in steps that are equal, and so do colours. Over 51 of 256 colours: single ones are rounded by as much as they differ.
function labOf(bytes) {
    const [r, g, b] = bytes.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    const white = [0.3127 / 0.329, 1, 0.3583 / 0.329]; // D65: x = 0.3127, y = 0.3290
    const xyz = [0.4124 * r + 0.3576 * g + 0.1805 * b, 0.2126 * r + 0.7152 * g + 0.0722 * b, 0.0193 * r + 0.1192 * g + 0.9505 * b];
    const [fx, fy, fz] = xyz.map((v, k) => v / white[k]).map((v) => (v > 216 / 24389 ? Math.cbrt(v) : (24389 / 27 * v + 16) / 116));
    return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}
const evenness = (steps) => Math.max(...steps) / Math.min(...steps);
for (const name of Object.keys(labMaps)) {
    const row = colorRow(name), at = (i) => labOf([...row.slice(4 * i, 4 * i + 3)]), places = Array.from({ length: 6 }, (_, k) => 51 * k);
    const steps = places.slice(1).map((i) => [at(i - 51), at(i)]);
    const [light, whole] = [steps.map(([p, q]) => q[0] - p[0]), steps.map(([p, q]) => Math.hypot(...p.map((v, k) => q[k] - v)))];
    if (name === "diverging") { // down from the middle on both sides, alike; the middle step holds both
        assert.ok(light.slice(0, 2).every((v) => v > 0) && light.slice(3).every((v) => v < 0), `${name}: lightest in the middle`);
        assert.ok(evenness([...light.slice(0, 2), ...light.slice(3).map((v) => -v)]) < 1.05, `${name}: lightness in equal steps: ${light}`);
        assert.ok(evenness(whole.filter((_, k) => k !== 2)) < 1.2, `${name}: equal steps: ${whole}`);
        continue;
    }
    for (let i = 1; i < 256; i++) assert.ok(at(i)[0] >= at(i - 1)[0] - 0.25, `${name}: lightness of colour ${i}`); // half a byte, where it weighs most
    assert.ok(evenness(light) < 1.05, `${name}: lightness in equal steps: ${light}`);
    assert.ok(evenness(whole) < 1.2, `${name}: equal steps: ${whole}`);
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
