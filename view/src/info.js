// SPDX-License-Identifier: Apache-2.0
// Words and numbers: the verdict, the run, one grain, the legend.
import { show, axesOf } from "./scalars.js";
import { cssColor, category } from "./colors.js";

const element = (tag, text = "", className = "") => Object.assign(document.createElement(tag), { textContent: text, className });

function table(rows) {
    const out = element("table");
    for (const [name, value] of rows) {
        const row = out.insertRow();
        const head = element("th", name);
        head.scope = "row";
        row.append(head);
        row.insertCell().textContent = value;
    }
    return out;
}

const nameOf = (run, what, number) => run.names.find((n) => n.what === what && n.number === number)?.name;

/** {word, kind, text} of how far the run is to be trusted. */
export function verdictOf(run) {
    if (!run.summary) return { word: "still running, or not finished", kind: "wait", text: "no summary yet: the verdict comes with the end of the run" };
    const kind = run.summary.status !== "ok" ? "bad" : /^trust (?!with care)/.test(run.summary.verdict) ? "good" : "wait";
    return { word: run.summary.status, kind, text: run.summary.verdict };
}

export function showRun(run, place, header) {
    const { word, kind, text } = verdictOf(run), summary = run.summary;
    header.replaceChildren(element("b", word, kind), document.createTextNode(text ? `: ${text}` : ""));
    header.title = text;
    place.replaceChildren(element("p", word, kind), element("p", text));
    if (summary?.message) place.append(element("p", summary.message));
    if (run.only_final) place.append(element("p", "This run kept no frames: its final state"
        + (run.from_checkpoint ? ". " : ", without walls, masses and names, for there is no checkpoint of it; grains that are not round are shown as the spheres around them. ")
        + "For all of it: talus run SCENE --frames-every 20ms", "quiet"));
    const rows = [["directory", run.directory], ["frames", String(run.frames.length)]];
    if (summary) {
        const seen = summary.observables ?? {};
        rows.push(["time", `${show(summary.time, 6)} s in ${summary.steps} steps`], ["grains", String(summary.bodies)],
            ["contacts", String(summary.contacts)], ["coordination", show(seen.coordination)], ["packing fraction", show(seen.packing_fraction)],
            ["residual", show(summary.residual, 3)], ["largest overlap", `${show(summary.overlap_max, 3)} diameters`],
            ["energy error", show(summary.energy_error, 3)], ["computed in", `${show(summary.wall_seconds, 3)} s`], ["state", summary.state_hash]);
        for (const warning of summary.warnings ?? []) rows.push([`warning: ${warning.kind}`, `${warning.count}×, worst ${warning.measure} ${show(warning.worst, 3)}`]);
    }
    rows.push(["talus", run.version]);
    place.append(table(rows));
}

const vector = (values, unit) => `(${values.map((v) => show(v, 5)).join(", ")})${unit ? ` ${unit}` : ""}`;

/** All numbers of a grain, as its frame has them. */
export function showGrain(run, frame, place, into) {
    const rows = [], units = Object.fromEntries(run.quantities.map((q) => [q.name, q.unit]));
    const put = (name, text) => rows.push([name, text]);
    for (const [name, array] of Object.entries(frame.grains)) {
        const values = [...array.data.subarray(array.components * place, array.components * (place + 1))].map(Number);
        const unit = name === "x" ? "m" : units[name] ?? "";
        if (name === "x") put("position", vector(values.map((v, k) => v + frame.origin[k]).slice(0, frame.dim === 2 ? 2 : 3), unit));
        else if (name === "orientation" && frame.dim === 2) put("angle", `${show(2 * Math.atan2(values[3], values[0]), 5)} rad`);
        else if (array.components > 1) {
            const axes = axesOf(name, array.components, frame.dim).map((k) => values[k]);
            put(LONG[name] ?? name, axes.length > 1 ? vector(axes, unit) : `${show(axes[0], 5)} ${unit}`);
        }
        else if (array.data instanceof Float32Array) put(LONG[name] ?? name, `${show(values[0], 6)} ${unit}`);
        else {
            const given = nameOf(run, name, values[0]);
            put(LONG[name] ?? name, name === "shape" && values[0] === 0 ? "round" : given ? `${given} (${values[0]})` : String(values[0]));
        }
    }
    rows.sort(([a], [b]) => ORDER.indexOf(b) - ORDER.indexOf(a));
    const fresh = table(rows);
    fresh.dataset.place = place;
    into.replaceChildren(fresh);
}
const LONG = { v: "velocity", omega: "spin", f: "force", tq: "torque", type: "material" };
const ORDER = ["position", "mass", "radius", "id"]; // the last comes first; others as they are

const MOST_NAMES = 12;

/** `values`: of grains that are shown, or null; `forces`: where bars are shown, what they mean in a few words. */
export function showLegend(place, run, { scalar, row, range, values, forces }) {
    place.replaceChildren();
    if (values) showColors(place, run, { scalar, row, range, values });
    if (forces) place.append(forces);
}
function showColors(place, run, { scalar, row, range, values }) {
    place.append(element("span", `${scalar.label}${scalar.unit ? ` (${scalar.unit})` : ""}`, "name"));
    if (scalar.categorical) {
        const there = [...new Set(values)].sort((a, b) => a - b);
        for (const number of there.slice(0, MOST_NAMES)) {
            const item = element("span"), swatch = element("i", "", "swatch");
            swatch.style.background = `rgb(${category(number).map((v) => Math.round(255 * v)).join(" ")})`;
            item.append(swatch, nameOf(run, scalar.key, number) ?? (scalar.key === "shape" && number === 0 ? "round" : String(number)));
            place.append(item);
        }
        if (there.length > MOST_NAMES) place.append(element("span", `and ${there.length - MOST_NAMES} more`, "quiet"));
        return;
    }
    const bar = Object.assign(document.createElement("canvas"), { width: 256, height: 1 });
    const g = bar.getContext("2d");
    for (let i = 0; i < 256; i++) { g.fillStyle = cssColor(row, i / 255); g.fillRect(i, 0, 1, 1); }
    bar.setAttribute("role", "img");
    bar.setAttribute("aria-label", `colours from ${show(range[0])} to ${show(range[1])} ${scalar.unit}`);
    place.append(element("span", show(range[0]), "low"), bar, element("span", show(range[1]), "high"));
}

/** Where widths end, and how much is beyond that. */
const endOf = ({ end, beyond }) => `widths end at ${show(end, 3)} N: ${beyond === 0 ? "none bears more" : beyond === 1 ? "1 contact bears more" : `${beyond} contacts bear more`}`;

/** The same in short for the legend under the scene: on a small screen panels are folded, and with forces alone it has nothing else to say. */
export function forceLegend(forces, css) {
    const swatch = (name, text) => {
        const item = element("span"), bar = element("i", "", "swatch bar");
        bar.style.background = css(name);
        item.append(bar, text);
        return item;
    };
    const whole = element("span", "", "forces");
    whole.append(swatch("strong", "strong"), swatch("weak", "weak"), ...(forces.pulls ? [swatch("pull", "tension")] : []),
        Object.assign(element("span", `widest at ${show(forces.end, 3)} N`, "quiet"), { title: endOf(forces) }));
    return whole;
}

export function showForceKey(place, forces, css) {
    place.replaceChildren();
    const put = (name, text) => {
        const swatch = element("i");
        swatch.style.background = css(name);
        place.append(swatch, element("span", text));
    };
    put("strong", `strong: above ${show(forces.limit, 3)} N, the mean between grains`);
    put("weak", "weak: below it");
    put("pull", "tension");
    place.append(element("span"), element("span", `${forces.count} contacts, largest ${show(forces.max, 3)} N`, "quiet"));
    if (forces.count > 0) place.append(element("span"), element("span", endOf(forces), "quiet"));
}
