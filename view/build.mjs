// SPDX-License-Identifier: Apache-2.0
// Makes dist/page.html, one file that needs nothing else, of src/. `--check` only compares.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readFile, writeFile, mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import path from "node:path";

const here = path.dirname(fileURLToPath(import.meta.url));
const common = { absWorkingDir: here, bundle: true, minify: true, write: false, legalComments: "inline", target: "es2022" };

const bundled = await build({ ...common, entryPoints: ["src/main.js"], format: "iife" });
const styled = await build({ ...common, entryPoints: ["src/page.css"] });
// Inside an element its end may not occur.
const script = bundled.outputFiles[0].text.replaceAll("</script", "<\\/script");
const style = styled.outputFiles[0].text;
const license = await readFile(path.join(here, "node_modules/three/LICENSE"), "utf8");

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
// Only this script and this style; data from where the page comes from; nothing else from anywhere.
const policy = ["default-src 'none'", `script-src ${hash(script)}`, `style-src ${hash(style)}`, "connect-src 'self'",
    "img-src data: blob:", "base-uri 'none'", "form-action 'none'"].join("; ");

const template = await readFile(path.join(here, "src/page.html"), "utf8");
const page = template
    .replace("{{license}}", () => license.trim())
    .replace("{{policy}}", () => policy)
    .replace("{{style}}", () => style)
    .replace("{{script}}", () => script);

const target = path.join(here, "dist/page.html");
if (process.argv.includes("--check")) {
    const old = await readFile(target, "utf8").catch(() => "");
    if (old !== page) {
        console.error("view/dist/page.html is not what view/src gives: run `npm run build` in view/");
        process.exit(1);
    }
} else {
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, page);
    console.log(`dist/page.html: ${(page.length / 1000).toFixed(0)} kB`);
}
