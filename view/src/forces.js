// SPDX-License-Identifier: Apache-2.0
//
// Contact forces as bars as wide as the normal force is large, with round ends, cut off at walls. Strong: more than the mean of contacts of two grains; weak: less; a third
// colour for tension. No bar is wider than the grains it joins: an impact may bear a thousand times the usual force, and would hide all
// others. Where widths end, the legend says. Between round grains a bar goes from centre to centre, along the branch. Where the contact point lies beside that line, as it
// does between other shapes, the bar goes from centre to contact point to centre: chains stay connected, and one sees where the
// force acts.
import * as THREE from "three";
import { COMMON, ENCODE, LIGHT, CUT } from "./shaders.js";
import { Tables, Squares, CORNERS } from "./squares.js";
import { orderOf } from "./hidden.js";
import { LAYERS } from "./layers.js";

// A square across the line of sight that holds what is seen of a cylinder with two half spheres at its ends.
const vertex = COMMON + CORNERS + /* glsl */ `
    uniform sampler2D starts, ends, faces; // x, y, z, force; x, y, z; of a wall the normal at the end, or zero, and the largest half-width
    uniform float width, flatness, pixels; // pixels of a length 1, at distance 1 or, in the plane, anywhere
    out vec3 place;
    out vec2 within;
    flat out vec3 along, side;
    flat out vec4 face;
    flat out float carried, reach, far;
    void main() {
        int bar = squareOf();
        vec4 start = texelFetch(starts, placeOf(bar), 0);
        vec3 a = (modelViewMatrix * vec4(start.xyz, 1.0)).xyz;
        vec3 b = (modelViewMatrix * vec4(texelFetch(ends, placeOf(bar), 0).xyz, 1.0)).xyz;
        vec4 bound = texelFetch(faces, placeOf(bar), 0);
        vec3 sight = flatness > 0.5 ? vec3(0.0, 0.0, -1.0) : normalize(a + b);
        vec3 step = b - a, across = cross(sight, step);
        float wide = length(across);
        side = wide > 1e-4 * length(step) ? across / wide : normalize(cross(sight, abs(sight.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
        along = cross(side, sight);
        carried = start.w;
        face.xyz = mat3(modelViewMatrix) * bound.xyz;
        face.w = dot(bound.xyz, bound.xyz) > 0.0 ? dot(face.xyz, b) : 1e30; // no wall: nowhere
        reach = min(abs(carried) * width, bound.w);
        far = dot(step, along);
        vec2 at = corner();
        float edge = reach + (flatness > 0.5 ? 1.0 : length(a + b) * 0.5) / pixels; // room for a soft rim
        within = vec2(at.x < 0.0 ? -edge : far + edge, at.y * edge);
        // The square is as steep as the bar, so that its depth is that of the axis.
        float share = far > 0.0 ? clamp(within.x / far, 0.0, 1.0) : 0.0;
        place = a + share * step + (within.x - share * far) * along + within.y * side;
        gl_Position = projectionMatrix * vec4(place, 1.0);
    }
`;

const fragment = COMMON + ENCODE + LIGHT + CUT + /* glsl */ `
    uniform float limit, flatness;
    uniform vec3 strong, weak, pull;
    in vec3 place;
    in vec2 within;
    flat in vec3 along, side;
    flat in vec4 face; // beyond it is the wall
    flat in float carried, reach, far;
    out vec4 result;
    void main() {
        vec2 off = vec2(within.x - clamp(within.x, 0.0, far), within.y);
        float pixel = fwidth(within.y) + 1e-30, inside = reach - length(off);
        float cover = clamp(0.5 + inside / pixel, 0.0, 1.0);
        vec3 color = carried < 0.0 ? pull : carried > limit ? strong : weak, surface = place;
        if (flatness < 0.5) {
            off /= max(reach, length(off));
            float ahead = sqrt(max(0.0, 1.0 - dot(off, off)));
            vec3 towards = -cross(along, side), normal = off.x * along + off.y * side + ahead * towards;
            surface += reach * ahead * towards;
            color = encode(lit(decode(color), normalize(normal), place));
        }
        float beyond = dot(face.xyz, surface) - face.w;
        if (flatness > 0.5) cover *= clamp(0.5 - beyond / pixel, 0.0, 1.0);
        if (cover <= 0.0 || (flatness < 0.5 && beyond > 0.0) || isCut(place)) discard;
        result = vec4(color, cover);
    }
`;

// Widths, in mean radii: of the force that few contacts exceed, and where widths end.
const USUAL = { flat: 0.6, solid: 0.42 }, WIDEST = { flat: 0.8, solid: 0.6 };
const FEW = 0.02, SOME = 0.1, RATIO = 2; // that force: 2 % exceed it; but no more than twice what 10 % do, as exponential tails have it (1.7)
const STRAIGHT = 0.02; // of the length of a branch: how far from it the contact point may lie for one straight bar

/** Of contact c the points of its bar in a row, two or three of them; how many numbers that are. */
function lineOf({ ends, via }, c, out) {
    out.set(ends.data.subarray(6 * c, 6 * c + 6));
    if (!via) return 6;
    const p = via.data.subarray(3 * c, 3 * c + 3), step = [0, 1, 2].map((k) => out[3 + k] - out[k]), off = [0, 1, 2].map((k) => p[k] - out[k]);
    const square = Math.max(step.reduce((sum, v) => sum + v * v, 0), 1e-300), t = off.reduce((sum, v, k) => sum + v * step[k], 0) / square;
    const beside = Math.hypot(...off.map((v, k) => v - t * step[k]));
    if (beside < STRAIGHT * Math.sqrt(square) && t >= 0 && t <= 1) return 6;
    out.copyWithin(6, 3, 6);
    out.set(p, 3);
    return 9;
}

/** Of the wall that contact c meets at the end of its bar the normal, towards the wall; where it is not known, the bar is cut straight. */
function faceOf({ normal }, c, line) {
    const step = [0, 1, 2].map((k) => line[3 + k] - line[k]), given = normal?.data.subarray(3 * c, 3 * c + 3) ?? step;
    const size = Math.hypot(...given) || 1, sign = given.reduce((sum, v, k) => sum + v * step[k], 0) < 0 ? -1 : 1;
    return given.map((v) => sign * v / size);
}

function lengthOf(line, numbers) {
    let sum = 0;
    for (let at = 3; at < numbers; at += 3) sum += Math.hypot(line[at] - line[at - 3], line[at + 1] - line[at - 2], line[at + 2] - line[at - 1]);
    return sum;
}

/** Mean normal force of contacts of two grains that bear force (as snapshot_strong_force in src/measure): with more, a contact is strong. */
export function strongForce(contacts, walls) {
    const sum = { count: 0, force: 0 };
    const add = (kind, least, part) => {
        for (let c = 0; kind.ends && c < kind.ends.count; c++) {
            const normal = kind.forces.data[2 * c], size = Math.hypot(normal, kind.forces.data[2 * c + 1]);
            if (size > least) { sum.count++; sum.force += part(normal, size); }
        }
    };
    for (const kind of [contacts, walls]) add(kind, 0, (normal, size) => size);
    const least = 1e-6 * sum.force / Math.max(sum.count, 1);
    Object.assign(sum, { count: 0, force: 0 });
    add(contacts, least, (normal) => normal);
    return sum.force / Math.max(sum.count, 1);
}

export class Forces {
    constructor(flat, uniforms) {
        this.flat = flat;
        [this.usual, this.widest] = [USUAL, WIDEST].map((width) => width[flat ? "flat" : "solid"]);
        this.tables = new Tables({ starts: 4, ends: 4, faces: 4 });
        this.uniforms = { ...uniforms, ...this.tables.uniforms, width: { value: 0 }, pixels: { value: 1 }, limit: { value: 0 }, flatness: { value: flat ? 1 : 0 } };
        this.squares = new Squares(new THREE.RawShaderMaterial({
            glslVersion: THREE.GLSL3, uniforms: this.uniforms, vertexShader: vertex, fragmentShader: fragment,
            depthTest: !flat, depthWrite: !flat, transparent: flat, alphaToCoverage: !flat, side: THREE.DoubleSide,
        }), { layer: LAYERS.bars, order: flat ? 3 : 0 });
        this.object = new THREE.Group().add(this.squares.object);
        Object.assign(this, { count: 0, scale: 0, limit: 0, max: 0, factor: 1, end: 0, beyond: 0 });
    }
    /** Of a frame; its bars are made when they are to be seen. */
    set(frame) {
        Object.assign(this, { frame, share: null });
        if (this.object.visible) this.make();
    }
    make() {
        if (!this.frame) return;
        const { frame } = this, kinds = [frame.contacts, frame.wallContacts].filter((kind) => kind.ends);
        this.frame = null;
        const forces = Float32Array.from(kinds.flatMap((kind) => Array.from({ length: kind.ends.count }, (_, c) => kind.forces.data[2 * c])));
        const strength = forces.map((force) => -Math.abs(force)); // strongest first
        this.count = strength.reduce((sum, v) => sum + (v < 0 ? 1 : 0), 0);
        this.pulls = forces.some((force) => force < 0);
        this.max = strength.reduce((most, v) => Math.max(most, -v), 0);
        this.radius = frame.count > 0 ? frame.grains.radius.data.reduce((a, b) => a + b, 0) / frame.count : 0;
        this.limit = strongForce(frame.contacts, frame.wallContacts);
        this.uniforms.limit.value = this.limit;
        this.sorted = strength.filter((v) => v < 0).sort().map((v) => -v);
        const exceeded = (share) => this.sorted[Math.floor(share * this.count)] ?? 0;
        this.scale = Math.min(exceeded(FEW), RATIO * exceeded(SOME));
        this.#fill(kinds, frame.wallContacts, forces, orderOf(strength));
        this.widen(this.factor);
    }
    #fill(kinds, walls, forces, order) {
        const first = kinds[0]?.ends.count ?? 0, line = new Float32Array(9);
        this.tables.makeRoom(2 * order.length);
        const { starts, ends, faces } = this.tables.data;
        let bars = 0;
        for (const place of order) {
            if (forces[place] === 0) continue;
            const second = place >= first, kind = kinds[second ? 1 : 0], numbers = lineOf(kind, second ? place - first : place, line);
            const face = kind === walls ? faceOf(walls, place - (second ? first : 0), line) : [0, 0, 0];
            const size = lengthOf(line, numbers) / (kind === walls ? 1 : 2); // about the radius of a grain
            for (let from = 0; from + 3 < numbers; from += 3, bars++) {
                for (let k = 0; k < 3; k++) {
                    starts[4 * bars + k] = line[from + k];
                    ends[4 * bars + k] = line[from + 3 + k];
                }
                starts[4 * bars + 3] = forces[place];
                faces.set(face, 4 * bars);
                faces[4 * bars + 3] = 0.5 * this.widest * Math.min(this.radius, size);
            }
        }
        for (const name of ["starts", "ends", "faces"]) this.tables.fill(name, () => {});
        Object.assign(this, { bars, share: null });
    }
    /** The strongest of them, such a share of all; in the plane they lie on top. */
    choose(share, pixels) {
        this.uniforms.pixels.value = pixels;
        if (!this.object.visible) return;
        if (share === this.share) return this.squares.slice(0, this.squares.count); // a part of them may have been drawn alone
        const n = Math.ceil(share * (this.bars ?? 0));
        this.squares.choose(Uint32Array.from({ length: n }, (_, k) => (this.flat ? n - 1 - k : k)));
        this.share = share;
    }
    show(visible) {
        this.object.visible = visible;
        if (visible) this.make();
    }
    /** By how much wider than usual the bars are; `end`: the force at which widths end, `beyond`: how many contacts bear more. */
    widen(factor) {
        this.factor = factor;
        this.uniforms.width.value = this.scale > 0 ? 0.5 * factor * this.usual * this.radius / this.scale : 0;
        this.end = this.widest * this.scale / (this.usual * factor);
        const within = this.sorted?.findIndex((force) => force <= this.end) ?? 0;
        this.beyond = within < 0 ? this.count : within;
    }
}
