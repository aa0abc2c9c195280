// SPDX-License-Identifier: Apache-2.0
// Walls and membranes, translucent with lines at their edges; in the plane lines alone. The outline of a periodic cell.
import * as THREE from "three";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { COMMON, CUT } from "./shaders.js";

const vertex = COMMON + /* glsl */ `
    in vec3 position;
    out vec3 place;
    void main() {
        vec4 p = modelViewMatrix * vec4(position, 1.0);
        place = p.xyz;
        gl_Position = projectionMatrix * p;
    }
`;
const fragment = COMMON + CUT + /* glsl */ `
    uniform vec3 tint;
    uniform float opacity;
    in vec3 place;
    out vec4 result;
    void main() {
        if (isCut(place)) discard;
        vec3 normal = normalize(cross(dFdx(place), dFdy(place)));
        float glancing = 1.0 - abs(dot(normal, normalize(place)));
        float shade = 1.0 - 0.35 * max(0.0, 1.0 - abs(dot(normal, vec3(-0.397, 0.662, 0.635))) - 0.3);
        result = vec4(tint * shade, min(1.0, opacity * (0.6 + 1.6 * glancing * glancing))); // as glass is
    }
`;

const EDGE_ANGLE = 20; // degrees: facets of a cylinder meet at less

const ROUND = [2, 3]; // kinds of walls (docs/files.md): cylinders with the grains inside, outside
const SIDES = 240, SPOKES = 24;

/** Round walls in the plane: rings on the side of no grains, with short spokes that turn as the wall does. */
function ringsOf({ wall_kind, wall_point, wall_radius, wall_orientation }) {
    const rings = [], spokes = [];
    for (let w = 0; w < (wall_kind?.count ?? 0); w++) {
        if (!ROUND.includes(wall_kind.data[w])) continue;
        const [x, y] = wall_point.data.subarray(3 * w), r = wall_radius.data[w], q = wall_orientation.data.subarray(4 * w, 4 * w + 4);
        const start = 2 * Math.atan2(q[3], q[0]), out = wall_kind.data[w] === 2 ? 1 : -1;
        const at = (angle, radius) => [x + radius * Math.cos(angle), y + radius * Math.sin(angle), 0];
        for (let k = 0; k < SIDES; k++) {
            const a = 2 * Math.PI * k / SIDES, b = 2 * Math.PI * (k + 1) / SIDES, far = r * (1 + 0.012 * out);
            rings.push(...at(a, r), ...at(b, r), ...at(b, far), ...at(a, r), ...at(b, far), ...at(a, far));
        }
        for (let k = 0; k < SPOKES; k++) spokes.push(...[1, 1 + 0.04 * out].flatMap((s) => at(start + 2 * Math.PI * k / SPOKES, s * r)));
    }
    return { rings, spokes };
}

/** Triangles of walls that are not round. */
function straight({ triangles, id, wall_id, wall_kind }) {
    if (!id || !wall_id || !wall_kind) return triangles.data;
    const round = new Set([...wall_id.data].filter((_, w) => ROUND.includes(wall_kind.data[w])).map(Number));
    return triangles.data.filter((_, k) => !round.has(id.data[Math.floor(k / 3)]));
}

/** Ends of the edges of triangles as one array; in the plane those of all that is seen from above. */
function edgesOf(block, flat) {
    const x = block.x.data, triangles = flat ? straight(block) : block.triangles.data;
    if (!flat) {
        const geometry = new THREE.BufferGeometry();
        geometry.setAttribute("position", new THREE.BufferAttribute(x, 3));
        geometry.setIndex(Array.from(triangles));
        return new THREE.EdgesGeometry(geometry, EDGE_ANGLE).getAttribute("position").array;
    }
    const seen = new Set(), out = ringsOf(block).spokes;
    for (let t = 0; t < triangles.length; t += 3)
        for (let k = 0; k < 3; k++) {
            const [a, b] = [triangles[t + k], triangles[t + (k + 1) % 3]].map((i) => [x[3 * i], x[3 * i + 1]]);
            const name = [a.join(), b.join()].sort().join("|");
            if (seen.has(name) || (a[0] === b[0] && a[1] === b[1])) continue;
            seen.add(name);
            out.push(...a, 0, ...b, 0);
        }
    return new Float32Array(out);
}

class Lines {
    constructor(color, width, order) {
        this.material = new LineMaterial({ linewidth: width, transparent: true, depthWrite: false, clipping: true });
        this.material.uniforms.diffuse.value = color;
        this.object = new LineSegments2(new LineSegmentsGeometry(), this.material);
        this.object.frustumCulled = false;
        this.object.renderOrder = order;
        this.object.visible = false;
    }
    set(ends) {
        this.object.visible = ends.length > 0;
        if (ends.length === 0) return;
        this.object.geometry.dispose();
        this.object.geometry = new LineSegmentsGeometry().setPositions(ends);
    }
}

export class Walls {
    constructor(flat, uniforms, { kind, opacity, color, edges }) {
        Object.assign(this, { flat, kind, edges });
        this.object = new THREE.Group();
        this.lines = new Lines(color, flat ? 2.2 : 1.3, flat ? 4 : 5);
        this.object.add(this.lines.object);
        this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), new THREE.RawShaderMaterial({
            glslVersion: THREE.GLSL3, vertexShader: vertex, fragmentShader: fragment,
            uniforms: { ...uniforms, tint: { value: color }, opacity: { value: flat ? 1.0 / 0.6 : opacity } },
            side: THREE.DoubleSide, transparent: true, depthWrite: false,
        }));
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = flat ? 4 : 6;
        this.object.add(this.mesh);
    }
    set(frame) {
        const { x, triangles, segments } = frame[this.kind];
        if (segments) this.lines.set(endsOf(x.data, segments.data));
        else this.lines.set(x && this.edges ? edgesOf(frame[this.kind], this.flat) : []);
        if (this.flat) this.#setMesh(new Float32Array(ringsOf(frame[this.kind]).rings), null);
        else this.#setMesh(x?.data ?? [], triangles?.data);
    }
    #setMesh(points, triangles) {
        this.mesh.visible = points.length > 0;
        if (!this.mesh.visible) return;
        this.mesh.geometry.dispose();
        this.mesh.geometry = new THREE.BufferGeometry();
        this.mesh.geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
        if (triangles) this.mesh.geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(triangles), 1));
    }
}

function endsOf(x, segments) {
    const out = new Float32Array(3 * segments.length);
    segments.forEach((corner, k) => out.set(x.subarray(3 * corner, 3 * corner + 3), 3 * k));
    return out;
}

/** The edges of the box that repeats; open sides reach as far as the grains do. */
export class CellOutline {
    constructor(color) {
        this.lines = new Lines(color, 1.2, 5);
        this.object = this.lines.object;
    }
    set(frame, bounds) {
        const cell = frame.cell.cell?.data;
        if (!cell || !(cell[0] || cell[1] || cell[2])) return this.lines.set([]);
        const low = [0, 1, 2].map((k) => (cell[k] ? cell[3 + k] - frame.origin[k] : bounds.low[k]));
        const high = [0, 1, 2].map((k) => (cell[k] ? low[k] + cell[6 + k] : bounds.high[k]));
        if (frame.dim === 2) low[2] = high[2] = 0;
        const corner = (bits) => [0, 1, 2].map((k) => (bits >> k & 1 ? high[k] : low[k]));
        const out = [];
        for (let bits = 0; bits < 8; bits++)
            for (let k = 0; k < (frame.dim === 2 ? 2 : 3); k++)
                if (!(bits >> k & 1) && !(frame.dim === 2 && bits >> 2 & 1)) out.push(...corner(bits), ...corner(bits | 1 << k));
        this.lines.set(new Float32Array(out));
    }
}
