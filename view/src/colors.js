// SPDX-License-Identifier: Apache-2.0
// Colours for numbers and for names, chosen in CIE L*a*b* so that equal steps look equal: the formulas of src/io/colormap.c
// for `talus` and the categories; the others are curves of the same kind.

const clamp = (v) => Math.min(1, Math.max(0, v));
const encode = (v) => { const c = clamp(v); return c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055; };
const inverse = (f) => (f > 6 / 29 ? f ** 3 : 3 * (6 / 29) ** 2 * (f - 4 / 29));

/** CIE 1976 L*a*b*, white D65, to linear RGB; outside [0, 1] no screen shows it. */
export function linearFromLab([l, a, b]) {
    const fy = (l + 16) / 116;
    const x = 0.95047 * inverse(fy + a / 500), y = inverse(fy), z = 1.08883 * inverse(fy - b / 200);
    return [3.2406 * x - 1.5372 * y - 0.4986 * z, -0.9689 * x + 1.8758 * y + 0.0415 * z,
        0.0557 * x - 0.204 * y + 1.057 * z];
}
/** sRGB in [0, 1]. */
export const fromLab = (lab) => linearFromLab(lab).map(encode);

/** The cubic through values at 0, 1/3, 2/3, 1. */
function cubic(t, y) {
    const u = 3 * t;
    return y[0] * (u - 1) * (u - 2) * (u - 3) / -6 + y[1] * u * (u - 2) * (u - 3) / 2
        + y[2] * u * (u - 1) * (u - 3) / -2 + y[3] * u * (u - 1) * (u - 2) / 6;
}

// L* from and to, and a*, b* at four places. Lightness rises linearly; the speed |d(L*, a*, b*)/dt| is constant to 12 %, 4 % and
// 1 %, and every colour can be shown by a screen: view/test/colors.mjs holds both.
const curves = {
    talus: { l: [36, 93], a: [27, -21, -41, -17], b: [-50, -23, 30, 79] },
    ember: { l: [22, 94], a: [31, 41, 26, -6], b: [-40, -6, 27, 42] },
    slate: { l: [22, 92], a: [11, 4, -3, -10], b: [-25, -2, 21, 44] },
};

const onCurve = (c) => (t) => [c.l[0] + (c.l[1] - c.l[0]) * t, cubic(t, c.a), cubic(t, c.b)];

/** Name -> (t from 0 to 1 -> L*a*b*). */
export const labMaps = {
    ...Object.fromEntries(Object.entries(curves).map(([name, curve]) => [name, onCurve(curve)])),
    // Blue, nearly white in the middle, red: lightness and chroma symmetric about zero.
    diverging: (t) => {
        const side = 2 * t - 1, far = Math.abs(side);
        return side < 0 ? [93 - 53 * far, 10 * far, -48 * far] : [93 - 53 * far, 45 * far, 22 * far];
    },
    grey: (t) => [25 + 65 * t, 0, 0],
};

export const MAPS = {
    talus: "blue to yellow", ember: "violet to orange", slate: "blue to yellow, for colour-blind readers",
    diverging: "blue, white, red about zero", grey: "grey",
};

/** A colour for category k = 0, 1, 2, ...: equal lightness, hues far apart. */
export function category(k) {
    const hue = 4.45 + 2.399963229728653 * k;
    return fromLab([62, 42 * Math.cos(hue), 42 * Math.sin(hue)]);
}

export const STEPS = 256;

/** Where in a map the number lies that is such a share of the way along a range: of the diverging one the middle is zero, whatever the range. */
function placeIn(name, share, [low, high]) {
    const far = Math.max(Math.abs(low), Math.abs(high));
    return name !== "diverging" ? share : far > 0 ? 0.5 + 0.5 * (low + share * (high - low)) / far : 0.5;
}

/** A row of 256 colours as RGBA bytes for a range of numbers: a map, or one colour for each category. */
export function colorRow(name, range = [-1, 1]) {
    const row = new Uint8Array(4 * STEPS);
    for (let i = 0; i < STEPS; i++) {
        const rgb = name === "categories" ? category(i) : fromLab(labMaps[name](placeIn(name, i / (STEPS - 1), range)));
        row.set([...rgb.map((v) => Math.round(255 * v)), 255], 4 * i);
    }
    return row;
}

export const cssColor = (row, t) => {
    const i = 4 * Math.round(clamp(t) * (STEPS - 1));
    return `rgb(${row[i]} ${row[i + 1]} ${row[i + 2]})`;
};
