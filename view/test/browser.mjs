// SPDX-License-Identifier: Apache-2.0
// A headless browser, and `talus view` beside it.
import { chromium } from "playwright-core";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";

export const findBrowser = () => [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
    .find((path) => path && existsSync(path));

/** Drawn by the processor: the machines that test have no other. */
export const openBrowser = () => chromium.launch({
    executablePath: findBrowser(),
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
});

/** {address, stop} of a server for a directory. */
export async function serve(talus, directory, ...more) {
    const child = spawn(talus, ["view", directory, ...more], { stdio: ["ignore", "pipe", "inherit"] });
    const address = await new Promise((resolve, reject) => {
        let text = "";
        child.stdout.on("data", (piece) => {
            text += piece;
            if (text.includes("\n")) resolve(text.split("\n")[0]);
        });
        child.on("exit", (code) => reject(new Error(`talus view ended with code ${code}`)));
    });
    const ended = new Promise((resolve) => child.on("exit", resolve));
    return { address, stop: () => { child.kill("SIGINT"); return ended; } };
}
