// SPDX-License-Identifier: Apache-2.0
// How fast a run is shown: node speed.mjs DIR, TALUS=program. Numbers of docs/page.md.
import { openBrowser, serve } from "./browser.mjs";

const server = await serve(process.env.TALUS, process.argv[2]);
const browser = await openBrowser();
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
await page.goto(server.address);
await page.evaluate(() => window.talus.ready);
console.log(await page.evaluate(async () => {
    const { talus } = window, { stage } = talus.view;
    const mean = async (times, body) => {
        const start = performance.now();
        for (let i = 0; i < times; i++) await body(i);
        return Number(((performance.now() - start) / times).toFixed(1));
    };
    stage.pixels(); // all that was still to be drawn
    const [entry] = talus.run.frames, grains = talus.frame.count;
    const contacts = (talus.frame.contacts.ends?.count ?? 0) + (talus.frame.wallContacts.ends?.count ?? 0);
    return {
        grains, contacts, bytes: talus.frame.bytes, bytesPerGrain: Number((talus.frame.bytes / grains).toFixed(1)),
        pixels: [stage.canvas.width, stage.canvas.height],
        "ms to get a frame from the server": await mean(3, () => talus.source.frame(entry.number)),
        "ms to put a frame on the stage": await mean(3, () => { talus.view.setFrame(talus.frame); talus.view.setValues(talus.values); }),
        "ms to draw, read back": await mean(5, (i) => { stage.camera.position.x *= 1 + 0.001 * i; stage.pixels(); }),
    };
}));
await browser.close();
await server.stop();
