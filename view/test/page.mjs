// SPDX-License-Identifier: Apache-2.0
//
// The page in a headless browser. Run by tests/page.sh in a directory of runs: TALUS=program node page.mjs
// What is seen is compared with numbers of other origin: areas of discs and spheres, and what `talus export` says of a grain.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
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
    const { init, ...rest } = options;
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
    const real = trouble.filter((text) => !/ReadPixels|GPU stall/.test(text));
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
    await import("node:fs").then((fs) => { fs.copyFileSync("periodic/frames/frames.pvd", "growing/frames/frames.pvd"); });
    await page.waitForFunction(() => window.talus.at === 3, null, { timeout: 8000 });
    assert.match(await label(page), /frame 4 of 4/);
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
