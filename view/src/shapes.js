// SPDX-License-Identifier: Apache-2.0
// Grains that are not round: the surface of each shape once (shapes.vtp), drawn for each grain where it is and as it is turned.
import * as THREE from "three";
import { toCreasedNormals } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { COMMON, COLOR, LIGHT, CUT, TURN } from "./shaders.js";
import { LAYERS } from "./layers.js";

const CREASE = 0.5; // rad: rounded parts are cut into facets that meet at less

const vertex = COMMON + TURN + /* glsl */ `
    in vec3 position, normal, centre;
    in vec4 turn;
    in float scale, value;
    uniform float size;
    out vec3 place, across;
    flat out float number;
    flat out int index;
    void main() {
        vec4 p = modelViewMatrix * vec4(centre + turned(turn, position * scale * size), 1.0);
        place = p.xyz;
        across = mat3(modelViewMatrix) * turned(turn, normal);
        number = value; index = gl_InstanceID;
        gl_Position = projectionMatrix * p;
    }
`;

const fragment = COMMON + COLOR + LIGHT + CUT + /* glsl */ `
    uniform int selected;
    uniform float flatness, pale;
    uniform vec3 paper, accent;
    in vec3 place, across;
    flat in float number;
    flat in int index;
    out vec4 result;
    void main() {
        if (isCut(place)) discard;
        vec3 color = colorOf(number);
        if (flatness > 0.5) {
            vec3 shown = mix(encode(color), paper, pale);
            result = vec4(index == selected ? mix(shown, accent, 0.6) : shown, 1.0);
            return;
        }
        if (index == selected) color = mix(color, vec3(0.9, 0.0, 0.16), 0.7);
        vec3 normal = normalize(across);
        // What is seen from behind is the inside of a solid that was cut: shown as the face of the cut.
        vec3 shown = gl_FrontFacing ? lit(color, dot(normal, place) > 0.0 ? -normal : normal, place) : color * (cutting > 0.5 ? 0.8 : 0.5);
        result = vec4(encode(shown), 1.0);
    }
`;

const lineFragment = COMMON + /* glsl */ `
    uniform vec3 ink;
    out vec4 result;
    void main() { result = vec4(ink, 0.75); }
`;

/** Triangles with normals of their own; outlines of flat shapes. */
function surfaceOf(points, triangles) {
    const soup = new Float32Array(3 * triangles.length);
    triangles.forEach((corner, k) => { for (let c = 0; c < 3; c++) soup[3 * k + c] = points[3 * corner + c]; });
    const plain = new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(soup, 3));
    return toCreasedNormals(plain, CREASE);
}

/** Edges that only one triangle has. */
export function outlineOf(points, triangles) {
    const key = (i) => [0, 1, 2].map((c) => points[3 * i + c].toPrecision(6)).join();
    const seen = new Map();
    for (let t = 0; t < triangles.length; t += 3)
        for (let k = 0; k < 3; k++) {
            const a = triangles[t + k], b = triangles[t + (k + 1) % 3];
            const name = [key(a), key(b)].sort().join("|");
            seen.set(name, seen.has(name) ? null : [a, b]);
        }
    const out = [];
    for (const edge of seen.values())
        if (edge) for (const i of edge) out.push(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
    return new Float32Array(out);
}

/** Arrays of one number or more for each instance; grown as needed, so that a film makes no garbage. */
function setInstances(geometry, arrays, count) {
    for (const [name, [data, components]] of Object.entries(arrays)) {
        const old = geometry.getAttribute(name);
        if (old && old.array.length >= data.length) {
            old.array.set(data);
            old.needsUpdate = true;
        } else {
            const room = new Float32Array(Math.ceil(data.length * (old ? 1.25 : 1)) || components);
            room.set(data);
            if (old) geometry.dispose();
            geometry.setAttribute(name, new THREE.InstancedBufferAttribute(room, components).setUsage(THREE.DynamicDrawUsage));
        }
    }
    geometry.instanceCount = count;
}

class ShapeKind {
    constructor(flat, uniforms, points, triangles, reach) {
        Object.assign(this, { flat, points, triangles, reach });
        this.geometry = this.#instanced(surfaceOf(points, triangles));
        this.uniforms = { ...uniforms, selected: { value: -1 }, flatness: { value: flat ? 1 : 0 } };
        const material = new THREE.RawShaderMaterial({
            glslVersion: THREE.GLSL3, uniforms: this.uniforms, vertexShader: vertex, fragmentShader: fragment,
            side: THREE.DoubleSide, depthTest: !flat, depthWrite: !flat, transparent: flat,
        });
        this.object = new THREE.Group();
        this.#add(new THREE.Mesh(this.geometry, material), flat ? 2 : 0);
        if (!flat) return;
        const rim = new THREE.BufferGeometry().setAttribute("position", new THREE.BufferAttribute(outlineOf(points, triangles), 3));
        this.rim = this.#instanced(rim);
        this.#add(new THREE.LineSegments(this.rim, new THREE.RawShaderMaterial({
            glslVersion: THREE.GLSL3, uniforms: this.uniforms, vertexShader: vertex, fragmentShader: lineFragment,
            transparent: true, depthTest: false, depthWrite: false,
        })), 2.5);
    }
    #add(object, order) {
        object.frustumCulled = false;
        object.renderOrder = order;
        object.layers.set(LAYERS.shapes);
        this.object.add(object);
    }
    #instanced(geometry) {
        const out = new THREE.InstancedBufferGeometry();
        for (const name of Object.keys(geometry.attributes)) out.setAttribute(name, geometry.attributes[name]);
        if (!geometry.attributes.normal) out.setAttribute("normal", geometry.attributes.position);
        return out;
    }
    #share(arrays, n) {
        setInstances(this.geometry, arrays, n);
        if (this.rim) setInstances(this.rim, arrays, n);
    }
    set(frame, places) {
        const n = places.length, { x, radius, orientation } = frame.grains;
        const centre = new Float32Array(3 * n), scale = new Float32Array(n), turn = new Float32Array(4 * n);
        for (let k = 0; k < n; k++) {
            const i = places[k];
            for (let c = 0; c < 3; c++) centre[3 * k + c] = x.data[3 * i + c];
            for (let c = 0; c < 4; c++) turn[4 * k + c] = orientation ? orientation.data[4 * i + c] : c === 0 ? 1 : 0;
            scale[k] = radius.data[i] / this.reach;
        }
        this.places = places;
        this.#share({ centre: [centre, 3], scale: [scale, 1], turn: [turn, 4] }, n);
    }
    setValues(values) { this.#share({ value: [Float32Array.from(this.places, (i) => values[i]), 1] }, this.places.length); }
    select(place) { this.uniforms.selected.value = place < 0 ? -1 : this.places.indexOf(place); }
}

/** shape number -> ShapeKind */
export function makeShapes(shapes, flat, uniforms) {
    const { x, triangles, shape, reach } = shapes.shapes;
    const kinds = new Map();
    if (!triangles || !shape || !reach) return kinds;
    for (const number of new Set(shape.data)) {
        const corners = [];
        for (let t = 0; t < shape.count; t++)
            if (shape.data[t] === number) corners.push(...triangles.data.subarray(3 * t, 3 * t + 3));
        kinds.set(number, new ShapeKind(flat, uniforms, x.data, corners, reach.data[number - 1]));
    }
    return kinds;
}

/** The polygons that a frame holds itself, for want of shapes: as one grain of one shape that stands still. */
export class LooseSurfaces {
    constructor(flat, uniforms) {
        this.object = new THREE.Group();
        Object.assign(this, { flat, uniforms });
    }
    set(frame) {
        this.frame = frame;
        for (const child of [...this.object.children]) { child.geometry.dispose(); this.object.remove(child); }
        const { x, triangles, id } = frame.surfaces;
        if (!x || !triangles) return;
        const surface = surfaceOf(x.data, triangles.data), n = 3 * triangles.count;
        const constant = (components, first) => {
            const data = new Float32Array(components * n);
            for (let i = 0; i < n; i++) data[components * i] = first;
            return new THREE.BufferAttribute(data, components);
        };
        surface.setAttribute("centre", constant(3, 0));
        surface.setAttribute("turn", constant(4, 1));
        surface.setAttribute("scale", constant(1, 1));
        surface.setAttribute("value", constant(1, 0));
        const places = new Map();
        frame.grains.id.data.forEach((number, i) => places.set(Number(number), i));
        this.owner = Int32Array.from(id.data, (number) => places.get(number) ?? 0);
        this.mesh = new THREE.Mesh(surface, new THREE.RawShaderMaterial({
            glslVersion: THREE.GLSL3, vertexShader: vertex, fragmentShader: fragment, side: THREE.DoubleSide,
            uniforms: { ...this.uniforms, size: { value: 1 }, selected: { value: -1 }, flatness: { value: this.flat ? 1 : 0 } },
            depthTest: !this.flat, depthWrite: !this.flat, transparent: this.flat,
        }));
        this.mesh.frustumCulled = false;
        this.mesh.renderOrder = this.flat ? 2 : 0;
        this.mesh.layers.set(LAYERS.shapes);
        this.object.add(this.mesh);
    }
    setValues(values) {
        if (!this.object.children.length) return;
        const attribute = this.mesh.geometry.getAttribute("value");
        for (let i = 0; i < attribute.array.length; i++) attribute.array[i] = values[this.owner[Math.floor(i / 3)]];
        attribute.needsUpdate = true;
    }
}
