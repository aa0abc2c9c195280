// SPDX-License-Identifier: Apache-2.0
// What grains can be coloured by: every array of a frame, lengths and components of its vectors.

const CATEGORIES = new Set(["type", "group", "shape"]);
const LENGTH_NAMES = { v: "speed |v|", omega: "spin |ω|", f: "force |f|", tq: "torque |tq|" };
const HIDDEN = new Set(["orientation"]);
const TURNING = new Set(["omega", "tq"]); // about axes: in the plane about z alone

/** Which of the components of an array have a meaning: in the plane x, y of what moves and z of what turns. */
export const axesOf = (name, components, dim) => [...Array(components).keys()].filter((k) => dim !== 2 || components !== 3 || (k === 2) === TURNING.has(name));

/** [{key, label, unit, categorical, signed, of(frame) -> Float32Array}, ...] of what this frame holds. */
export function scalarsOf(frame, run) {
    const units = Object.fromEntries(run.quantities.map((q) => [q.name, q]));
    const list = [];
    const add = (key, label, unit, of, more = {}) => list.push({ key, label, unit, of, ...more });
    for (const [name, array] of Object.entries(frame.grains)) {
        if (HIDDEN.has(name)) continue;
        const unit = name === "x" ? "m" : units[name]?.unit ?? "";
        if (array.components === 1) {
            add(name, name, unit, (f) => Float32Array.from(f.grains[name].data), { categorical: CATEGORIES.has(name) });
            continue;
        }
        if (name !== "x" && array.components === 3)
            add(`|${name}|`, LENGTH_NAMES[name] ?? `|${name}|`, unit, (f) => lengths(f.grains[name].data));
        for (const k of axesOf(name, array.components, frame.dim))
            add(`${name}.${k}`, name === "x" ? `position ${"xyz"[k]}` : `${name} ${"xyz"[k] ?? k}`, unit,
                (f) => component(f, name, k), { signed: name !== "x" });
    }
    return list;
}

function lengths(v) {
    const out = new Float32Array(v.length / 3);
    for (let i = 0; i < out.length; i++) out[i] = Math.hypot(v[3 * i], v[3 * i + 1], v[3 * i + 2]);
    return out;
}

function component(frame, name, k) {
    const array = frame.grains[name], shift = name === "x" ? frame.origin[k] : 0;
    const out = new Float32Array(array.count);
    for (let i = 0; i < out.length; i++) out[i] = array.data[array.components * i + k] + shift;
    return out;
}

export function rangeOf(values) {
    let low = Infinity, high = -Infinity;
    for (const v of values) {
        if (v < low) low = v;
        if (v > high) high = v;
    }
    return low <= high ? [low, high] : [0, 1];
}

/** What a scene's picture is coloured by, as one of ours. */
export function defaultScalar(scalars, run, frame) {
    const wish = { speed: "|v|", spin: "|omega|", height: frame.dim === 2 ? "x.1" : "x.2" }[run.color] ?? run.color;
    return (scalars.find((s) => s.key === wish) ?? scalars.find((s) => s.key === "|v|") ?? scalars[0])?.key;
}

/** The same for a field that one can type into. */
export const typed = (value, digits = 4) => (Number.isFinite(value) ? show(value, digits).replaceAll("−", "-") : "");

/** A place in something of such a size, without digits that nobody can see. */
export function placed(value, size) {
    const unit = 10 ** Math.floor(Math.log10(Math.max(size, 1e-300)) - 2.5);
    return show(Math.round(value / unit) * unit, Math.max(1, Math.ceil(Math.log10(Math.abs(value) / unit + 1))));
}

/** Four digits, without a tail of zeros. */
export function show(value, digits = 4) {
    if (!Number.isFinite(value)) return "–";
    if (value === 0) return "0";
    const size = Math.abs(value);
    const text = size >= 1e5 || size < 1e-3 ? value.toExponential(digits - 1) : value.toPrecision(digits);
    return text.replace(/(\.\d*?)0+(e|$)/, "$1$2").replace(/\.(e|$)/, "$1").replace("e+", "e").replace("-", "−").replace("e-", "e−");
}
