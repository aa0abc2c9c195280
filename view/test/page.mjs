// SPDX-License-Identifier: Apache-2.0
//
// The page in a headless browser. Run by tests/page.sh in a directory of runs: TALUS=program node page.mjs
// What is seen is compared with numbers of other origin: areas of discs and spheres, and what `talus export` says of a grain.
import assert from "node:assert/strict";
import { copyFileSync, cpSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { openBrowser, serve } from "./browser.mjs";

const talus = process.env.TALUS;
const browser = await openBrowser();
let failures = 0, passed = 0;

async function test(name, body) {
    const start = performance.now();
    try {
        await body();
        passed++;
        console.log(`ok      ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
    } catch (error) {
        failures++;
        console.log(`FAILED  ${name}: ${error.stack ?? error}`);
    }
}

/** What happens in the browser alone: a program with sanitizers gives the page the same bytes, and is not asked again. */
const testBrowser = (name, body) => (process.env.TALUS_SANITIZED ? undefined : test(name, body));

/** A page that must neither complain nor ask anybody but its own server for anything. */
async function withPage(address, options, body) {
    const { init, expected = /^$/, ...rest } = options; // expected: what the browser says of trouble that the test makes
    const context = await browser.newContext({ viewport: { width: 1100, height: 700 }, ...rest });
    if (init) await context.addInitScript(init);
    const page = await context.newPage(), trouble = [];
    const own = address.startsWith("file:") ? /^(file|data|blob):/ : new RegExp(`^(${address}|data:|blob:${address})`);
    page.on("console", (message) => { if (["error", "warning"].includes(message.type())) trouble.push(message.text()); });
    page.on("pageerror", (error) => trouble.push(error.message));
    page.on("request", (request) => { if (!own.test(request.url())) trouble.push(`asks for ${request.url()}`); });
    await page.goto(address);
    await page.evaluate(() => window.talus.ready);
    await body(page);
    await context.close();
    // Drawing by the processor makes the browser warn when pixels are read back; that is our doing.
    const real = trouble.filter((text) => !/ReadPixels|GPU stall/.test(text) && !expected.test(text));
    assert.deepEqual(real, [], "no errors, no requests to others");
}
async function withRun(run, options, body) {
    const server = await serve(talus, run);
    try { await withPage(server.address, options, body); }
    finally { assert.equal(await server.stop(), 0, "the server ends well"); }
}

/** How many pixels are not background, how many colours there are, a sum to tell pictures apart. */
const look = (page) => page.evaluate(() => {
    const { width, height, data } = window.talus.view.stage.pixels();
    const word = new Uint32Array(data.buffer), back = word[0], colors = new Set();
    let covered = 0, sum = 0;
    word.forEach((w, i) => {
        if (w !== back) covered++;
        colors.add(w);
        sum = (Math.imul(sum, 31) + w + i % 7) | 0;
    });
    return { width, height, covered, colors: colors.size, sum };
});
/** The colour at the centre of each grain. */
const centres = (page) => page.evaluate(() => {
    const { view, frame } = window.talus, { width, height, data } = view.stage.pixels();
    const scale = width / view.stage.canvas.clientWidth;
    return Array.from({ length: frame.count }, (_, i) => {
        const [x, y] = view.screenOf(i).map((v) => Math.round(v * scale));
        const at = 4 * ((height - 1 - y) * width + x);
        return [...data.slice(at, at + 3)];
    });
});
const label = (page) => page.textContent("#time-label");
const press = (page, key) => page.keyboard.press(key);
const choose = (page, name, value) => page.check(`input[name=${name}][value=${value}]`);
const near = (found, expected, tolerance, what) =>
    assert.ok(Math.abs(found - expected) <= tolerance * Math.abs(expected), `${what}: ${found}, expected ${expected} to ${tolerance}`);
const hideWalls = (page) => page.uncheck("#walls");

// ---- what is drawn ------------------------------------------------------------------------------

await test("discs cover their area, in the colours of the legend", () => withRun("plane", {}, async (page) => {
    await hideWalls(page);
    const seen = await look(page);
    const pixelsPerMetre = await page.evaluate(() => window.talus.view.stage.canvas.height / (2 * window.talus.view.stage.halfHeight));
    // 20 discs of 1 cm; their soft rims reach 1.5 pixels beyond them at most.
    const pixels = 0.01 * pixelsPerMetre;
    near(seen.covered, 20 * Math.PI * pixels ** 2, 3 / pixels, "area of the discs");
    await page.selectOption("#scalar", "id");
    const found = await centres(page), low = found[0], high = found.at(-1);
    const { ends } = await page.evaluate(() => ({ ends: [0, 255].map((i) => [...window.talus.view.colors.image.data.slice(4 * i, 4 * i + 3)]) }));
    for (const [color, end] of [[low, ends[0]], [high, ends[1]]])
        for (let k = 0; k < 3; k++) assert.ok(Math.abs(color[k] - end[k]) <= 2, `colour ${color} is that of the legend ${end}`);
}));

await test("a sphere covers its area, cut in half half of it", () => withRun("alone", {}, async (page) => {
    await press(page, "1");
    const { radius, distance } = await page.evaluate(() => {
        const { view, frame } = window.talus, { camera } = view.stage;
        const shift = view.stage.content.position, x = frame.grains.x.data;
        return { radius: frame.grains.radius.data[0], distance: Math.hypot(...camera.position.toArray().map((v, k) => v - x[k] - shift.getComponent(k))) };
    });
    const seen = await look(page);
    const pixels = Math.tan(Math.asin(radius / distance)) / Math.tan(14 * Math.PI / 180) * seen.height / 2;
    // Its rim is soft: pixels of which a part is covered reach 1.5 of them beyond it at most.
    near(seen.covered, Math.PI * pixels ** 2, 3 / pixels, "area of the sphere");
    assert.ok(seen.colors > 50, "it is shaded");
    await press(page, "c");
    near((await look(page)).covered, 0.5 * seen.covered, 0.03, "half a sphere");
    await press(page, "]");
    assert.ok((await look(page)).covered > 0.5 * seen.covered, "the cut moved");
    await press(page, "c");
    assert.equal((await look(page)).sum, seen.sum, "whole again");
}));

for (const [run, least] of [["periodic", 1000], ["shapes", 1000], ["skin", 1000], ["bare", 1000]])
    await test(`${run}: drawn at the first and the last frame`, () => withRun(run, {}, async (page) => {
        for (const key of ["End", "Home"]) {
            await press(page, key);
            await page.waitForFunction((k) => window.talus.at === (k === "End" ? window.talus.run.frames.length - 1 : 0), key);
            const seen = await look(page);
            assert.ok(seen.covered > least && seen.colors > 20, `${key}: ${JSON.stringify(seen)}`);
        }
    }));

await test("a final state has its walls", () => withRun("bare", {}, async (page) => {
    const before = await look(page);
    await hideWalls(page);
    assert.ok((await look(page)).covered < before.covered, "the floor was there");
    assert.match(await page.textContent("#run"), /kept no frames: its final state\. /);
}));

await test("a run without grains shows none and does not fail", () => withRun("empty", {}, async (page) => {
    assert.equal(await page.evaluate(() => window.talus.frame.count), 0);
}));

// ---- time ---------------------------------------------------------------------------------------

await testBrowser("scrubbing, stepping, playing", () => withRun("periodic", {}, async (page) => {
    assert.match(await label(page), /frame 4 of 4/);
    const last = await look(page);
    await page.locator("#time").fill("1");
    await page.waitForFunction(() => window.talus.at === 1);
    assert.match(await label(page), /^0\.02 s · frame 2 of 4/);
    assert.notEqual((await look(page)).sum, last.sum, "another picture");
    await press(page, "ArrowRight");
    await page.waitForFunction(() => window.talus.at === 2);
    await press(page, "ArrowLeft");
    await page.waitForFunction(() => window.talus.at === 1);
    await press(page, "Home");
    await page.waitForFunction(() => window.talus.at === 0);
    await page.selectOption("#speed", "50");
    await page.locator("#canvas").focus();
    await press(page, "Space");
    await page.waitForFunction(() => window.talus.at === 3 && !window.talus.player.playing);
    assert.equal((await look(page)).sum, last.sum, "the film ends where it began to be seen");
}));

await testBrowser("play, pause, play plays no faster than play", () => withRun("periodic", {}, async (page) => {
    await press(page, "Home");
    await page.waitForFunction(() => window.talus.at === 0);
    await page.selectOption("#speed", "2");
    const seconds = await page.evaluate(async () => {
        const { player } = window.talus, start = performance.now();
        for (let k = 0; k < 5; k++) player.toggle();
        while (player.playing) await new Promise(requestAnimationFrame);
        return (performance.now() - start) / 1000;
    });
    assert.equal(await page.evaluate(() => window.talus.at), 3);
    assert.ok(seconds >= 1.45, `3 frames at 2 a second took ${seconds} s`);
}));

await testBrowser("series and time are linked both ways", () => withRun("periodic", {}, async (page) => {
    const box = await page.locator("#plot").boundingBox();
    const plain = await page.evaluate(() => document.getElementById("plot").toDataURL());
    await page.mouse.click(box.x + 60, box.y + 80);
    await page.waitForFunction(() => window.talus.at === 0);
    assert.notEqual(await page.evaluate(() => document.getElementById("plot").toDataURL()), plain, "the mark of the time moved");
    await page.mouse.click(box.x + box.width - 14, box.y + 80);
    await page.waitForFunction(() => window.talus.at === 3);
    assert.equal(await page.evaluate(() => document.getElementById("plot").toDataURL()), plain);
    await page.selectOption("#column", "grains");
    assert.notEqual(await page.evaluate(() => document.getElementById("plot").toDataURL()), plain, "another column");
}));

// ---- numbers ------------------------------------------------------------------------------------

function readTable(path) {
    const [head, ...lines] = readFileSync(path, "utf8").trim().split("\n").map((line) => line.split(","));
    return lines.map((line) => Object.fromEntries(head.map((name, k) => [name.trim(), Number(line[k])])));
}
const rows = readTable("periodic/export.csv");
const lastTime = Math.max(...rows.map((row) => row.time));

await test("a grain that is clicked has the numbers of the export", () => withRun("periodic", {}, async (page) => {
    // The grain nearest to the camera hides behind no other.
    const { place, at } = await page.evaluate(() => {
        const { view, frame } = window.talus, { camera, content } = view.stage, x = frame.grains.x.data;
        const far = (i) => Math.hypot(...[0, 1, 2].map((k) => x[3 * i + k] + content.position.getComponent(k) - camera.position.getComponent(k)));
        let best = 0;
        for (let i = 0; i < frame.count; i++) if (far(i) < far(best)) best = i;
        return { place: best, at: view.screenOf(best) };
    });
    const before = await look(page), box = await page.locator("#canvas").boundingBox();
    await page.mouse.click(box.x + at[0], box.y + at[1]);
    await page.waitForSelector("#grain table");
    const shown = Object.fromEntries(await page.$$eval("#grain tr", (all) => all.map((row) => [row.cells[0].textContent, row.cells[1].textContent])));
    const id = await page.evaluate((i) => Number(window.talus.frame.grains.id.data[i]), place);
    const row = rows.find((r) => r.id === id && r.time === lastTime);
    const number = (text) => Number(text.replaceAll("−", "-").match(/-?[\d.]+(e-?\d+)?/)[0]);
    const three = (text) => text.replaceAll("−", "-").match(/-?[\d.]+(e-?\d+)?/g).map(Number);
    assert.equal(number(shown.id), id);
    near(number(shown.radius), row.radius, 1e-5, "radius");
    near(number(shown.mass), row.mass, 1e-5, "mass");
    ["x", "y", "z"].forEach((axis, k) => assert.ok(Math.abs(three(shown.position)[k] - row[axis]) < 1e-6, `position ${axis}: ${shown.position}`));
    ["vx", "vy", "vz"].forEach((axis, k) => near(three(shown.velocity)[k], row[axis], 1e-4, axis));
    assert.equal(number(shown.coordination), row.coordination);
    assert.match(shown.material, /^glass/);
    assert.notEqual((await look(page)).sum, before.sum, "it is marked");
    await press(page, "Home");
    await page.waitForFunction(() => window.talus.at === 0);
    assert.match(await page.textContent("#grain"), new RegExp(`^id${id}`), "it stays chosen from frame to frame");
    await press(page, "Escape");
    assert.match(await page.textContent("#grain"), /Click a grain/);
}));

await testBrowser("polygons and bricks are picked by their own outline", () => withRun("shapes", {}, async (page) => {
    const hits = await page.evaluate(() => {
        const { view, frame } = window.talus;
        return Array.from({ length: frame.count }, (_, i) => view.pick(...view.screenOf(i)));
    });
    assert.ok(hits.filter((hit, i) => hit === i).length >= 4, `most of six grains are met at their centres: ${hits}`);
}));

await testBrowser("where a polygon is drawn it is met, at its rim as well", () => withRun("chips", {}, async (page) => {
    await hideWalls(page);
    const { drawn, missed } = await page.evaluate(() => {
        const { view } = window.talus, { width, height, data } = view.stage.pixels(), word = new Uint32Array(data.buffer);
        const scale = width / view.stage.canvas.clientWidth, back = word[0];
        let drawn = 0, missed = 0;
        for (let y = 0; y < height; y += 2)
            for (let x = 0; x < width; x += 2) {
                if (word[(height - 1 - y) * width + x] === back) continue;
                drawn++;
                if (view.pick((x + 0.5) / scale, (y + 0.5) / scale) < 0) missed++;
            }
        return { drawn, missed };
    });
    assert.ok(drawn > 2000);
    assert.equal(missed, 0, `of ${drawn} places where a grain is drawn`);
}));

await testBrowser("in the plane x, y of what moves and z of what turns", () => withRun("plane", {}, async (page) => {
    const offered = await page.$$eval("#scalar option", (all) => all.map((option) => option.value));
    for (const [name, axes] of [["v", "01"], ["f", "01"], ["omega", "2"], ["tq", "2"]])
        assert.deepEqual(offered.filter((key) => key.startsWith(`${name}.`)), [...axes].map((k) => `${name}.${k}`));
    await page.evaluate(() => window.talus.selectPlace(0));
    const shown = Object.fromEntries(await page.$$eval("#grain tr", (all) => all.map((row) => [row.cells[0].textContent, row.cells[1].textContent])));
    const numbers = (name) => shown[name].replaceAll("−", "-").match(/-?\d[\d.]*(e-?\d+)?/g).length;
    assert.deepEqual(["position", "velocity", "force", "spin", "torque", "angle"].map(numbers), [2, 2, 2, 1, 1, 1]);
}));

await testBrowser("zero is in the middle of a map about zero, also where all numbers have one sign", () => withRun("periodic", {}, async (page) => {
    await press(page, "Home");
    await page.waitForFunction(() => window.talus.at === 0);
    await page.selectOption("#scalar", "v.0"); // 0.3 m/s, all of them
    const range = await page.evaluate(() => window.talus.range);
    near(range[0], -0.3, 1e-5, "lower end");
    near(range[1], 0.3, 1e-5, "upper end");
    const at = (share) => page.evaluate((s) => [...window.talus.view.colors.image.data.slice(4 * Math.round(255 * s), 4 * Math.round(255 * s) + 3)], share);
    const pale = await at(0.5);
    assert.ok(Math.min(...pale) > 215, `nearly white is in the middle: ${pale}`);
    await page.fill("#low", "-0.1");
    await page.fill("#high", "0.3");
    await press(page, "Tab");
    assert.deepEqual(await page.evaluate(() => window.talus.range), [-0.1, 0.3]);
    for (const [found, expected] of [[await at(0.25), pale], [await at(1), await page.evaluate(() => [...document.querySelector("#legend canvas").getContext("2d").getImageData(255, 0, 1, 1).data.slice(0, 3)])]])
        for (let k = 0; k < 3; k++) assert.ok(Math.abs(found[k] - expected[k]) <= 3, `by hand zero stays pale: ${found}, expected ${expected}`);
}));

await testBrowser("fields of the range: readable, empty means automatic", () => withRun("periodic", {}, async (page) => {
    for (const factor of [1, 1e-4, 1e-9, 1e7]) {
        await page.evaluate((by) => {
            const { talus } = window;
            talus.values = talus.frame.grains.mass.data.map((_, i) => by * (i === 0 ? -1.23456789 : 1.23456789));
            talus.applyColors();
        }, factor);
        for (const id of ["low", "high"]) {
            const { text, wide, room } = await page.locator(`#${id}`).evaluate((field) => {
                const css = getComputedStyle(field), g = document.createElement("canvas").getContext("2d");
                g.font = css.font;
                return { text: field.value, wide: g.measureText(field.value).width, room: field.clientWidth - parseFloat(css.paddingLeft) - parseFloat(css.paddingRight) };
            });
            near(Number(text), (id === "low" ? -1 : 1) * 1.23456789 * factor, 1e-3, "number in the field");
            assert.ok(wide <= room && text.length <= 9, `'${text}' is ${wide} wide, there is room for ${room}`);
        }
    }
    await page.selectOption("#scalar", "radius");
    const automatic = await page.evaluate(() => window.talus.range);
    await page.fill("#high", "1");
    await press(page, "Tab");
    await page.fill("#low", "");
    await press(page, "Tab");
    assert.deepEqual(await page.evaluate(() => window.talus.range), [automatic[0], 1], "an empty end is automatic");
    await page.fill("#high", "");
    await press(page, "Tab");
    assert.deepEqual(await page.evaluate(() => window.talus.range), automatic, "two of them");
    assert.ok(await page.isChecked("input[name=range][value=frame]"));
}));

await testBrowser("the cut tells its place to a share of the size", () => withRun("alone", {}, async (page) => {
    await page.evaluate(() => { const { low, high } = window.talus.view.stage.bounds; high[0] += 4e-5 * (high[0] - low[0]); }); // not quite the middle
    await press(page, "c");
    assert.equal(await page.textContent("#cut-place"), "x = 0 m");
    await page.locator("#cut-at").fill("0.7");
    assert.equal(await page.textContent("#cut-place"), "x = 0.004 m", "2/5 of the radius");
}));

await testBrowser("colours, ranges, legend", () => withRun("periodic", {}, async (page) => {
    const before = await look(page);
    await page.selectOption("#scalar", "radius");
    assert.notEqual((await look(page)).sum, before.sum);
    const radii = rows.filter((row) => row.time === lastTime).map((row) => row.radius);
    near(Number(await page.textContent("#legend .low")), Math.min(...radii), 1e-3, "lower end of the legend");
    near(Number(await page.textContent("#legend .high")), Math.max(...radii), 1e-3, "upper end of the legend");
    assert.match(await page.textContent("#legend"), /^radius \(m\)/);
    await page.selectOption("#scalar", "v.2");
    await choose(page, "range", "run");
    await page.waitForFunction(() => document.getElementById("range-note").textContent === "" && window.talus.runRanges.size === 4);
    const most = Math.max(...rows.map((row) => Math.abs(row.vz)));
    near(await page.evaluate(() => window.talus.range[1]), most, 1e-3, "range over the run");
    await page.fill("#high", "0.5");
    await press(page, "Tab");
    assert.equal(await page.evaluate(() => window.talus.range[1]), 0.5, "by hand");
    await page.selectOption("#scalar", "type");
    assert.match(await page.textContent("#legend"), /glass/);
}));

await testBrowser("forces alone, with grains, none; walls; marks", () => withRun("periodic", {}, async (page) => {
    const grains = await look(page);
    await press(page, "f");
    const both = await look(page);
    await press(page, "f");
    const forces = await look(page);
    await press(page, "g");
    assert.equal((await look(page)).sum, both.sum, "g brings the grains back");
    assert.equal(new Set([grains.sum, both.sum, forces.sum]).size, 3, "three pictures");
    await choose(page, "mode", "grains");
    assert.equal((await look(page)).sum, grains.sum);
    await press(page, "g");
    assert.equal((await look(page)).sum, forces.sum, "g takes the grains away");
    await press(page, "g");
    assert.equal((await look(page)).sum, grains.sum, "and brings them back as they were");
    await press(page, "w");
    assert.ok((await look(page)).covered < grains.covered, "the floor is gone");
    await press(page, "w");
    await press(page, "m");
    assert.notEqual((await look(page)).sum, grains.sum, "marks");
}));

/** Ends of all bars, in the axes of the scene. */
const barsOf = (page) => page.evaluate(() => {
    const { forces } = window.talus.view, { starts, ends } = forces.tables.data, { origin } = window.talus.frame;
    return Array.from({ length: forces.bars }, (_, b) => [starts, ends].map((list) => origin.map((v, k) => v + list[4 * b + k])));
});
await test("force bars pass through the contact points, straight between spheres", async () => {
    await withRun("shapes", {}, async (page) => {
        await choose(page, "mode", "forces");
        const grains = await page.evaluate(() => [...window.talus.frame.grains.id.data].map(Number));
        const contacts = readTable("shapes/export.contacts.csv").filter((row) => grains.includes(row.id1) && grains.includes(row.id2) && row.fn !== 0);
        const last = contacts.filter((row) => row.time === Math.max(...contacts.map((other) => other.time)));
        assert.ok(last.length >= 3, `${last.length} contacts of bricks`);
        const bars = await barsOf(page), apart = (p, q) => Math.hypot(...p.map((v, k) => v - q[k]));
        for (const row of last) {
            const point = [row.pointx, row.pointy, row.pointz];
            const through = bars.filter((bar) => bar.some((end) => apart(end, point) < 1e-7)).length;
            assert.equal(through, 2, `bars that end at the contact point ${point}`);
        }
    });
    await withRun("periodic", {}, async (page) => {
        await choose(page, "mode", "forces");
        assert.equal((await barsOf(page)).length, await page.evaluate(() => window.talus.view.forces.count), "one bar for each contact of spheres");
        const limit = await page.evaluate(() => window.talus.view.forces.limit), { columns, rows: [fabric] } = JSON.parse(readFileSync("fabric.json", "utf8"));
        const mean = fabric[columns.findIndex(({ name }) => name === "fn_mean")];
        assert.ok(mean > 0 && Math.abs(limit / mean - 1) < 1e-6, `strong: more than ${limit} N; fabric says ${mean} N`);
        assert.match(await page.textContent("#force-key"), /mean between grains/);
    });
});

await testBrowser("an impact leaves the other forces to be seen, and is no wider than a grain", () => withRun("periodic", {}, async (page) => {
    await hideWalls(page);
    await choose(page, "mode", "forces");
    const before = await look(page);
    const impact = (by) => page.evaluate((factor) => {
        const { frame, view } = window.talus, { data } = frame.contacts.forces;
        let most = 0;
        for (let c = 0; c < data.length; c += 2) if (Math.abs(data[c]) > Math.abs(data[most])) most = c;
        data[most] *= factor;
        view.forces.set(frame);
        window.talus.applyForceKey();
        view.stage.invalidate();
    }, by);
    await impact(1000);
    const after = await look(page);
    near(after.covered, before.covered, 0.1, "what the bars cover");
    assert.match(await page.textContent("#force-key"), /widths end at [\d.e−]+ N: (1 contact bears|\d+ contacts bear) more/);
    assert.match(await page.textContent("#legend"), /^strongweakwidest at [\d.e−]+ N$/);
    await page.locator("#widen").fill("1");
    const wide = await page.evaluate(() => {
        const { forces } = window.talus.view, { starts, faces } = forces.tables.data, { width } = forces.uniforms;
        return Math.max(...Array.from({ length: forces.bars }, (_, b) => 2 * Math.min(Math.abs(starts[4 * b + 3]) * width.value, faces[4 * b + 3]))) / forces.radius;
    });
    assert.ok(wide > 0.3 && wide <= 1, `the widest bar: ${wide} mean radii, also if bars are widened`);
}));

await testBrowser("bars end at walls", () => withRun("chips", {}, async (page) => {
    await hideWalls(page);
    await choose(page, "mode", "forces");
    await page.locator("#widen").fill("1");
    const { box, found } = await page.evaluate(() => {
        const { view } = window.talus, { width, height, data } = view.stage.pixels(), word = new Uint32Array(data.buffer), back = word[0];
        const scale = width / view.stage.canvas.clientWidth, at = (x, y) => view.stage.toScreen([x - view.base[0], y - view.base[1], 0]).map((v) => v * scale);
        const found = { left: Infinity, right: -Infinity, low: -Infinity };
        word.forEach((w, i) => {
            if (w === back) return;
            const x = i % width, y = height - 1 - Math.floor(i / width);
            Object.assign(found, { left: Math.min(found.left, x), right: Math.max(found.right, x + 1), low: Math.max(found.low, y + 1) });
        });
        return { found, box: { left: at(0, 0)[0], right: at(0.2, 0)[0], low: at(0, 0)[1] } };
    });
    // Contact points are as old as a step, rims are soft: 2 pixels.
    for (const [side, sign] of [["left", -1], ["right", 1], ["low", 1]]) {
        const beyond = sign * (found[side] - box[side]);
        assert.ok(beyond <= 2 && beyond > -20, `${side}: bars end ${beyond} pixels beyond the wall`);
    }
}));

// ---- slow machines ------------------------------------------------------------------------------

/** As if every picture took so much longer, or no time at all; what qualities were shown is kept. */
const pretend = (page, more) => page.evaluate((ms) => {
    const { stage } = window.talus.view, { pace } = stage, { took, tookFull } = Object.getPrototypeOf(pace), show = stage.onQuality;
    pace.took = (time) => took.call(pace, ms > 0 ? time + ms : 1);
    pace.tookFull = (time) => tookFull.call(pace, ms > 0 ? time + ms : 1);
    window.qualities = [];
    stage.onQuality = (level) => { window.qualities.push(level ? "coarse" : "full"); show(level); };
}, more);
const restOf = (page) => page.evaluate(() => window.talus.view.stage.rest());
async function drag(page, steps) {
    const box = await page.locator("#canvas").boundingBox();
    await page.mouse.move(box.x + 200, box.y + 200);
    await page.mouse.down();
    for (let k = 1; k <= steps; k++) {
        await page.mouse.move(box.x + 200 + 4 * k, box.y + 200 + k);
        await page.waitForTimeout(30);
    }
}
/** What the browser shows of the scene at rest is, byte by byte, what is drawn at once with all that is hidden. */
async function isFull(page, what) {
    await restOf(page);
    assert.ok(await page.isHidden("#quality"), `${what}: says nothing of coarse`);
    const two = () => page.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(done)); }));
    await two();
    const shown = await page.locator("#canvas").screenshot();
    await page.evaluate(() => window.talus.view.stage.pixels());
    await two();
    assert.ok(shown.equals(await page.locator("#canvas").screenshot()), `${what}: the full picture, and no older one`);
    return shown;
}

await testBrowser("a slow machine draws coarsely while things move, fully at rest", () => withRun("many", {}, async (page) => {
    const first = await isFull(page, "the first picture");
    await pretend(page, 300);
    await drag(page, 20);
    assert.ok((await page.evaluate(() => window.qualities)).includes("coarse"), "coarse while it turns");
    assert.match(await page.textContent("#quality"), /^coarse while moving/);
    assert.ok(await page.isVisible("#quality"));
    await page.mouse.up();
    const second = await isFull(page, "turned");
    assert.ok(!second.equals(first), "it was turned");
    await page.evaluate(() => { window.qualities.length = 0; });
    for (const key of ["c", "]", "]"]) await press(page, key);
    const cut = await isFull(page, "cut");
    assert.deepEqual((await page.evaluate(() => [window.qualities[0], window.qualities.at(-1)])), ["coarse", "full"]);
    assert.ok(!cut.equals(second), "it was cut");
    await press(page, "c");
    await page.waitForFunction(() => window.talus.view.stage.parts); // the full picture is being made
    await press(page, "3");
    assert.ok(!(await isFull(page, "changed meanwhile")).equals(second));
    const [drawn, grains] = await page.evaluate(() => [window.talus.view.round.squares.count, window.talus.frame.count]);
    assert.equal(drawn, grains, "all of them were drawn to compare");
}));

await testBrowser("a fast machine draws nothing coarsely", () => withRun("many", {}, async (page) => {
    await restOf(page);
    await pretend(page, 0);
    await page.evaluate(() => window.talus.view.stage.pace.tookFull(1));
    await drag(page, 6);
    await page.mouse.up();
    await isFull(page, "turned");
    assert.deepEqual([...new Set(await page.evaluate(() => window.qualities))], ["full"]);
}));

// ---- the page as such ---------------------------------------------------------------------------

await testBrowser("views, help, verdict", () => withRun("periodic", {}, async (page) => {
    const pictures = new Set();
    for (const key of ["1", "2", "3", "r"]) {
        await press(page, key);
        pictures.add((await look(page)).sum);
    }
    assert.equal(pictures.size, 4, "four views");
    await press(page, "?");
    assert.ok(await page.isVisible("#help"));
    await press(page, "Escape");
    assert.ok(!await page.isVisible("#help"));
    const summary = JSON.parse(readFileSync("periodic/summary.json", "utf8"));
    assert.ok((await page.textContent("#verdict")).includes(summary.verdict));
    assert.ok((await page.textContent("#run")).includes(summary.state_hash));
}));

await test("a run that is not finished says so and is followed", () => withRun("growing", {}, async (page) => {
    assert.match(await page.textContent("#verdict"), /still running, or not finished/);
    assert.match(await label(page), /frame 2 of 2/);
    copyFileSync("periodic/frames/frames.pvd", "growing/frames/frames.pvd");
    await page.waitForFunction(() => window.talus.at === 3, null, { timeout: 8000 });
    assert.match(await label(page), /frame 4 of 4/);
}));

const REPLACED = /Failed to load resource.* 500/; // files may be read while the test replaces them
await test("a run that was stopped is followed when it is resumed", () => withRun("stopped", { expected: REPLACED }, async (page) => {
    assert.match(await page.textContent("#verdict"), /^interrupted/);
    await page.selectOption("#scalar", "radius");
    await page.evaluate(() => { window.talus.view.stage.camera.position.x += 0.01; });
    const place = await page.evaluate(() => window.talus.view.stage.camera.position.toArray());
    rmSync("stopped/summary.json");
    await page.waitForFunction(() => /still running/.test(document.getElementById("verdict").textContent), null, { timeout: 12000 });
    for (const file of ["frames/frames.pvd", "summary.json", "final.txt"]) copyFileSync(`periodic/${file}`, `stopped/${file}`);
    await page.waitForFunction(() => window.talus.at === 3 && /^ok/.test(document.getElementById("verdict").textContent), null, { timeout: 12000 });
    assert.match(await label(page), /frame 4 of 4/);
    assert.equal(await page.inputValue("#scalar"), "radius");
    assert.deepEqual(await page.evaluate(() => window.talus.view.stage.camera.position.toArray()), place, "the camera stays");
}));

await testBrowser("a run that is made again is shown as it is now", () => withRun("again", { expected: REPLACED }, async (page) => {
    await page.locator("#time").fill("1");
    await page.waitForFunction(() => window.talus.at === 1);
    const first = () => page.evaluate(() => window.talus.frame.grains.radius.data[0]), before = await first();
    const series = await page.evaluate(() => window.talus.plot.series.rows.flatMap((row) => [...row]));
    const place = await page.evaluate(() => window.talus.view.stage.camera.position.toArray());
    cpSync("other", "again", { recursive: true });
    await page.waitForFunction((old) => window.talus.frame.grains.radius.data[0] !== old, before, { timeout: 12000 });
    assert.equal(await page.evaluate(() => window.talus.at), 1, "the same moment");
    const id = await page.evaluate(() => Number(window.talus.frame.grains.id.data[0]));
    near(await first(), readTable("other/export.csv").find((row) => row.id === id).radius, 1e-6, "its radius");
    assert.notDeepEqual(await page.evaluate(() => window.talus.plot.series.rows.flatMap((row) => [...row])), series, "its series");
    assert.ok((await page.textContent("#run")).includes(JSON.parse(readFileSync("other/summary.json", "utf8")).state_hash));
    assert.deepEqual(await page.evaluate(() => window.talus.view.stage.camera.position.toArray()), place, "the camera stays");
}));

await testBrowser("a server that is gone is told, and found again", async () => {
    let server = await serve(talus, "periodic");
    await withPage(server.address, { expected: /Failed to load resource/ }, async (page) => {
        const consistent = async (at) => {
            assert.match(await label(page), new RegExp(`frame ${at + 1} of 4`));
            assert.equal(await page.inputValue("#time"), String(at));
            assert.equal(await page.evaluate(() => window.talus.at), at);
        };
        const before = await look(page);
        assert.equal(await server.stop(), 0);
        await page.locator("#time").fill("1"); // was not read before: 0, 1 and 3 were
        await page.waitForFunction(() => window.talus.at === 1);
        await page.locator("#time").fill("2");
        await page.waitForSelector("#notice:not([hidden])");
        assert.match(await page.textContent("#notice"), /The server does not answer/);
        await consistent(1);
        await press(page, "End");
        await page.waitForFunction(() => window.talus.at === 3);
        assert.equal((await look(page)).sum, before.sum);
        assert.ok(await page.isVisible("#notice"), "it is still gone");
        server = await serve(talus, "periodic", "--port", new URL(server.address).port);
        await page.waitForSelector("#notice", { state: "hidden", timeout: 12000 });
        await page.locator("#time").fill("2");
        await page.waitForFunction(() => window.talus.at === 2);
        await consistent(2);
    });
    assert.equal(await server.stop(), 0);
});

await test("a frame that cannot be read is told, the others are shown", () => withRun("broken", { expected: /Failed to load resource/ }, async (page) => {
    assert.match(await page.textContent("#notice"), /^Frame 4 cannot be read: .*particles_000003/);
    assert.match(await label(page), /frame 2 of 4/); // the one in the middle
    await press(page, "ArrowRight");
    await page.waitForFunction(() => window.talus.at === 2);
    assert.ok(await page.isHidden("#notice"));
    await press(page, "ArrowRight");
    await page.waitForSelector("#notice:not([hidden])");
    assert.match(await label(page), /frame 3 of 4/);
    assert.equal(await page.inputValue("#time"), "2");
    await choose(page, "range", "run");
    await page.waitForFunction(() => /^without 1 of 4 frames/.test(document.getElementById("range-note").textContent));
}));

for (const [width, height] of [[360, 640], [667, 375], [820, 1180]])
    await testBrowser(`a screen of ${width} x ${height}: scene, legend and time are there at once`, () => withRun("periodic", { viewport: { width, height }, hasTouch: true, isMobile: true },
        async (page) => {
            const seen = (id) => page.evaluate((name) => {
                const box = document.getElementById(name).getBoundingClientRect(), middle = [0.5 * (box.left + box.right), 0.5 * (box.top + box.bottom)];
                const top = document.elementFromPoint(...middle);
                return { within: box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight, wide: box.width, high: box.height,
                    top: Boolean(top?.closest(`#${name}`) || top?.querySelector(`#${name}`)) };
            }, id);
            for (const mode of ["grains", "both"]) {
                await page.evaluate((m) => document.querySelector(`input[name=mode][value=${m}]`).click(), mode);
                for (const id of ["title", "canvas", "legend", "time", "time-label", "play", "speed"]) {
                    const { within, top, wide, high } = await seen(id);
                    assert.ok(within && top && wide > 20 && high > 10, `${id} is seen whole: ${JSON.stringify({ within, top, wide, high })}`);
                }
                const { wide, high } = await seen("canvas");
                assert.ok(wide > 0.6 * width && high > 0.45 * height, `canvas of ${wide} x ${high}`);
            }
            await page.selectOption("#speed", "50");
            assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, "nothing sticks out");
            await page.evaluate(() => document.querySelector("#data summary").scrollIntoView());
            await page.locator("#data summary").first().tap();
            assert.ok(await page.isVisible("#column"), "panels can be reached");
        }));

await testBrowser("a telephone held upright: nothing sticks out", () => withRun("periodic", { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    async (page) => {
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.equal(wide, 390, "as wide as the screen");
        assert.ok((await look(page)).covered > 1000);
        const sticking = await page.evaluate(() => [...document.querySelectorAll("button, select, input, canvas")]
            .filter((e) => e.offsetParent !== null && e.getBoundingClientRect().right > 391).map((e) => e.id));
        assert.deepEqual(sticking, []);
    }));

const noWebGL = () => {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = function (kind, ...more) { return kind.startsWith("webgl") ? null : getContext.call(this, kind, ...more); };
};
await testBrowser("a browser without WebGL 2 is told", () => withRun("plane", { init: noWebGL }, async (page) => {
    assert.match(await page.textContent("#message"), /shows no WebGL 2/);
    assert.ok(await page.isVisible("#message"));
}));

await testBrowser("dark screens are dark", () => withRun("plane", { colorScheme: "dark" }, async (page) => {
    const back = await page.evaluate(() => [...window.talus.view.stage.pixels().data.slice(0, 3)]);
    assert.ok(Math.max(...back) < 64, `background ${back}`);
}));

await testBrowser("every control has a name, text stands out", () => withRun("periodic", {}, async (page) => {
    const nameless = await page.evaluate(() => [...document.querySelectorAll("button, select, input")]
        .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || [...(e.labels ?? [])].some((l) => l.textContent.trim()))).map((e) => e.outerHTML));
    assert.deepEqual(nameless, []);
    for (const id of ["verdict", "time-label", "legend", "run"]) {
        const ratio = await page.evaluate((name) => {
            const light = (css) => css.match(/[\d.]+/g).slice(0, 3).map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
                .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
            let box = document.getElementById(name);
            const text = light(getComputedStyle(box).color);
            while (getComputedStyle(box).backgroundColor === "rgba(0, 0, 0, 0)") box = box.parentElement;
            const back = light(getComputedStyle(box).backgroundColor);
            return (Math.max(text, back) + 0.05) / (Math.min(text, back) + 0.05);
        }, id);
        assert.ok(ratio >= 4.5, `${id}: contrast ${ratio.toFixed(1)}, at least 4.5 (WCAG 2.1, 1.4.3)`);
    }
}));

await test("the page as one file does the same", () => withPage(pathToFileURL(path.resolve("periodic.html")).href, {}, async (page) => {
    assert.match(await label(page), /frame 4 of 4/);
    const last = await look(page);
    assert.ok(last.covered > 1000);
    await press(page, "Home");
    await page.waitForFunction(() => window.talus.at === 0);
    assert.notEqual((await look(page)).sum, last.sum);
    assert.equal(await page.locator("#column option").count() > 20, true, "its series");
}));

await browser.close();
console.log(`${passed} parts of the page are right, ${failures} are not`);
process.exit(failures > 0 ? 1 : 0);
