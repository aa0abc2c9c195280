// SPDX-License-Identifier: Apache-2.0
// Which grain a line of sight meets first: spheres exactly, other shapes by their triangles.

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const sub = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

function turnedBack([w, x, y, z], v) {
    const q = [-x, -y, -z], t = cross(q, v).map((c, k) => c + w * v[k]), u = cross(q, t);
    return v.map((c, k) => c + 2 * u[k]);
}

/** The ray o + t d meets the triangle at t, or Infinity (Möller and Trumbore). */
function triangle(o, d, a, b, c) {
    const e = sub(b, a), f = sub(c, a), p = cross(d, f), det = dot(e, p);
    if (Math.abs(det) < 1e-300) return Infinity;
    const s = sub(o, a), u = dot(s, p) / det, q = cross(s, e), v = dot(d, q) / det;
    return u < 0 || v < 0 || u + v > 1 ? Infinity : dot(f, q) / det;
}

function shapeHit(kind, frame, i, o, d, size) {
    const { x, radius, orientation } = frame.grains, scale = size * radius.data[i] / kind.reach;
    const q = orientation ? [...orientation.data.subarray(4 * i, 4 * i + 4)] : [1, 0, 0, 0];
    const own = turnedBack(q, sub(o, x.data.subarray(3 * i, 3 * i + 3))).map((v) => v / scale);
    const way = turnedBack(q, d).map((v) => v / scale);
    const corner = (k) => kind.points.subarray(3 * kind.triangles[k], 3 * kind.triangles[k] + 3);
    const hits = [];
    for (let k = 0; k < kind.triangles.length; k += 3) {
        const t = triangle(own, way, corner(k), corner(k + 1), corner(k + 2));
        if (t < Infinity) hits.push(t);
    }
    return hits.length ? [Math.min(...hits), Math.max(...hits)] : null;
}

/**
 * The place of the grain in the frame, or -1. `ray`: {origin, direction} in the axes of the frame; `kinds`: shape -> its surface;
 * `size`: how much smaller grains are shown; `removed(point)`: cut away.
 */
export function pick(frame, ray, { kinds, size, plane }) {
    const o = ray.origin, d = ray.direction, { x, radius, shape } = frame.grains;
    let best = -1, nearest = Infinity;
    for (let i = 0; i < frame.count; i++) {
        const r = radius.data[i] * size;
        const c = [x.data[3 * i] - o[0], x.data[3 * i + 1] - o[1], x.data[3 * i + 2] - o[2]];
        const along = dot(c, d), inside = r * r - (dot(c, c) - along * along);
        if (inside < 0 || along - r > nearest) continue;
        const kind = shape && shape.data[i] > 0 ? kinds.get(shape.data[i]) : null;
        const half = Math.sqrt(inside);
        const span = kind ? shapeHit(kind, frame, i, o, d, size) : [along - half, along + half];
        if (!span) continue;
        const t = plane ? visible(span, o, d, plane) : span[0];
        if (t < nearest) { nearest = t; best = i; }
    }
    return best;
}

const AROUND = [[0, 0], ...Array.from({ length: 8 }, (_, k) => [Math.cos(k * Math.PI / 4), Math.sin(k * Math.PI / 4)])];

/** The grain at a place on the canvas, or the one whose drawn rim, which has a width, reaches there: `rim` pixels. */
export function pickNear(pickAt, x, y, rim) {
    for (const [dx, dy] of AROUND) {
        const place = pickAt(x + rim * dx, y + rim * dy);
        if (place >= 0) return place;
    }
    return -1;
}

/** Where a solid that the ray passes from span[0] to span[1] is met when the part beyond the plane is cut away. */
function visible([enter, leave], o, d, { normal, offset }) {
    const height = (t) => dot(normal, o) + t * dot(normal, d) + offset;
    if (height(enter) <= 0) return enter;
    const t = -(dot(normal, o) + offset) / dot(normal, d);
    return t >= enter && t <= leave ? t : Infinity;
}
