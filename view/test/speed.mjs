// SPDX-License-Identifier: Apache-2.0
// How fast a run is shown: node speed.mjs DIR [grains|both|forces], TALUS=program. Numbers of docs/page.md.
import { loadavg } from "node:os";
import { openBrowser, serve } from "./browser.mjs";

const [directory, mode = "grains"] = process.argv.slice(2);
const server = await serve(process.env.TALUS, directory);
const browser = await openBrowser();
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.goto(server.address);
await page.evaluate(() => window.talus.ready);

/** The view turns, in the plane it moves sideways, for some seconds several times; then it rests until the full picture is there. */
const turning = (name) => page.evaluate(async (choice) => {
    const { talus } = window, { stage } = talus.view, SPELLS = 7, SECONDS = 2;
    document.querySelector(`input[name=mode][value=${choice}]`).click();
    await stage.rest();
    const frame = () => new Promise(requestAnimationFrame), rates = [], rests = [], pauses = [];
    for (let spell = 0; spell < SPELLS; spell++) {
        const start = performance.now(), before = stage.pictureCount, { target } = stage.controls;
        for (let k = 0; performance.now() - start < 1000 * SECONDS; k++) {
            const off = stage.camera.position.clone().sub(target);
            if (talus.flat) {
                const by = (k % 40 < 20 ? 0.01 : -0.01) * stage.halfHeight;
                stage.camera.position.x += by;
                target.x += by;
            } else stage.camera.position.copy(target).add(off.applyAxisAngle(stage.camera.up, 0.02));
            stage.controls.update();
            stage.invalidate();
            await frame();
        }
        rates.push((stage.pictureCount - before) / SECONDS);
        const rest = performance.now();
        let last = rest, pause = 0;
        while (stage.changed || stage.busy || !stage.full) {
            await new Promise((resolve) => setTimeout(resolve, 0));
            pause = Math.max(pause, performance.now() - last);
            last = performance.now();
        }
        rests.push(Math.round(performance.now() - rest));
        pauses.push(Math.round(pause));
    }
    const median = (all) => all.sort((a, b) => a - b)[all.length >> 1];
    return {
        "pictures a second while turning": { best: Math.max(...rates), median: median(rates) }, "level at the end": stage.pace.level,
        "ms from the last move to the full picture": { best: Math.min(...rests), median: median(rests), worst: Math.max(...rests) },
        "ms for which the page heard nothing meanwhile": { worst: Math.max(...pauses) },
    };
}, name);

console.log(await page.evaluate(async () => {
    const { talus } = window, { stage } = talus.view;
    const mean = async (times, body) => {
        const start = performance.now();
        for (let i = 0; i < times; i++) await body(i);
        return Number(((performance.now() - start) / times).toFixed(1));
    };
    await stage.rest();
    const [entry] = talus.run.frames, grains = talus.frame.count;
    const contacts = (talus.frame.contacts.ends?.count ?? 0) + (talus.frame.wallContacts.ends?.count ?? 0);
    return {
        grains, contacts, bytes: talus.frame.bytes, bytesPerGrain: Number((talus.frame.bytes / grains).toFixed(1)),
        pixels: [stage.canvas.width, stage.canvas.height],
        "ms to get a frame from the server": await mean(3, () => talus.source.frame(entry.number)),
        "ms to put a frame on the stage": await mean(3, () => { talus.view.setFrame(talus.frame); talus.view.setValues(talus.values); }),
        "ms to draw everything at once, read back": await mean(3, (i) => { stage.camera.position.x *= 1 + 0.001 * i; stage.pixels(); }),
    };
}));
console.log(mode, await turning(mode), "load of the machine:", loadavg()[0]);
await browser.close();
await server.stop();
