// SPDX-License-Identifier: Apache-2.0
// Pictures of the page for the manual: node screenshots.mjs OUT DEMO DRUM FORCES (directories of runs), TALUS=program.
import { openBrowser, serve } from "./browser.mjs";

const [out, demo, drum, forces] = process.argv.slice(2);
const browser = await openBrowser();

async function shoot(run, name, options, prepare) {
    const server = await serve(process.env.TALUS, run);
    const page = await browser.newPage({ viewport: { width: 1120, height: 660 }, ...options });
    await page.goto(server.address);
    await page.evaluate(() => window.talus.ready);
    await page.evaluate(prepare);
    await page.waitForTimeout(800);
    await page.screenshot({ path: `${out}/${name}.png` });
    await page.close();
    await server.stop();
}

await shoot(demo, "page-demo", {}, async () => {
    const { talus } = window;
    await talus.player.goTime(0.3);
    talus.view.view("default");
    talus.selectPlace(talus.view.pick(talus.view.stage.canvas.clientWidth / 2, talus.view.stage.canvas.clientHeight * 0.72));
});
await shoot(drum, "page-drum", { colorScheme: "dark" }, async () => {
    document.getElementById("marks").click();
    await window.talus.player.goTime(1.2);
});
await shoot(forces, "page-forces", { viewport: { width: 920, height: 530 } }, () => {
    document.querySelector("input[value=both]").click();
    window.talus.view.view("default");
});
await browser.close();
