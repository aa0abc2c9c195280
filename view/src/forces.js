// SPDX-License-Identifier: Apache-2.0
// Contact forces as bars along the branches, as wide as the normal force is large. Strong: more than the mean; weak: less;
// a third colour for tension.
import * as THREE from "three";
import { COMMON, LIGHT, CUT } from "./shaders.js";
import { setInstances } from "./grains.js";

const vertex = COMMON + /* glsl */ `
    in vec3 position, normal, from, to;
    in float force;
    uniform float width, flatness;
    out vec3 place, across;
    flat out float carried;
    void main() {
        vec3 a = (modelViewMatrix * vec4(from, 1.0)).xyz, b = (modelViewMatrix * vec4(to, 1.0)).xyz;
        vec3 along = b - a, axis = length(along) > 0.0 ? normalize(along) : vec3(1.0, 0.0, 0.0);
        vec3 side = normalize(cross(abs(axis.z) < 0.95 ? vec3(0.0, 0.0, 1.0) : vec3(0.0, 1.0, 0.0), axis));
        vec3 up = cross(axis, side);
        float half_width = abs(force) * width;
        place = a + position.x * along + half_width * (position.y * side + position.z * up);
        across = normal.y * side + normal.z * up;
        carried = force;
        gl_Position = projectionMatrix * vec4(place, 1.0);
    }
`;

const fragment = COMMON + LIGHT + CUT + /* glsl */ `
    uniform float mean, flatness;
    uniform vec3 strong, weak, pull;
    in vec3 place, across;
    flat in float carried;
    out vec4 result;
    vec3 decode(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }
    vec3 encode(vec3 c) {
        c = clamp(c, 0.0, 1.0);
        return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
    }
    void main() {
        if (isCut(place)) discard;
        vec3 color = carried < 0.0 ? pull : carried > mean ? strong : weak;
        vec3 normal = normalize(across); // of an open end the inside is seen: as bright as the outside
        if (dot(normal, place) > 0.0) normal = -normal;
        result = vec4(flatness > 0.5 ? color : encode(lit(decode(color), normal, place)), 1.0);
    }
`;

/** x from 0 to 1 along the bar; y, z across it, of size 1. */
function barGeometry(flat) {
    const geometry = new THREE.InstancedBufferGeometry(), position = [], normal = [];
    const put = (x, y, z) => { position.push(x, y, z); normal.push(0, y, z); };
    const sides = flat ? [[-1, 0], [1, 0]] : Array.from({ length: 9 }, (_, k) => [Math.cos(k * Math.PI / 4), Math.sin(k * Math.PI / 4)]);
    for (let k = 0; k + 1 < sides.length; k++) {
        const [p, q] = [sides[k], sides[k + 1]];
        put(0, ...p); put(1, ...p); put(1, ...q);
        put(0, ...p); put(1, ...q); put(0, ...q);
    }
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(position), 3));
    geometry.setAttribute("normal", new THREE.BufferAttribute(new Float32Array(normal), 3));
    return geometry;
}

const MEAN_WIDTH = { flat: 0.16, solid: 0.085 }; // half-width of a bar of mean force, in mean radii

export class Forces {
    constructor(flat, uniforms) {
        this.usual = flat ? MEAN_WIDTH.flat : MEAN_WIDTH.solid;
        this.geometry = barGeometry(flat);
        this.uniforms = { ...uniforms, width: { value: 0 }, mean: { value: 0 }, flatness: { value: flat ? 1 : 0 } };
        this.object = new THREE.Mesh(this.geometry, new THREE.RawShaderMaterial({
            glslVersion: THREE.GLSL3, uniforms: this.uniforms, vertexShader: vertex, fragmentShader: fragment,
            side: THREE.DoubleSide, depthTest: !flat, depthWrite: !flat, transparent: flat,
        }));
        this.object.frustumCulled = false;
        this.object.renderOrder = flat ? 3 : 0;
    }
    /** `frame`, and how much wider than usual the bars are. */
    set(frame, factor) {
        const kinds = [frame.contacts, frame.wallContacts].filter((kind) => kind.ends);
        const all = kinds.flatMap((kind) => Array.from({ length: kind.ends.count }, (_, c) => [kind, c]))
            .filter(([kind, c]) => kind.forces.data[2 * c] !== 0);
        const of = ([kind, c]) => kind.forces.data[2 * c];
        all.sort((p, q) => Math.abs(of(p)) - Math.abs(of(q))); // in the plane strong ones lie on top
        const n = all.length, from = new Float32Array(3 * n), to = new Float32Array(3 * n), force = new Float32Array(n);
        let sum = 0;
        all.forEach((contact, k) => {
            const [kind, c] = contact;
            from.set(kind.ends.data.subarray(6 * c, 6 * c + 3), 3 * k);
            to.set(kind.ends.data.subarray(6 * c + 3, 6 * c + 6), 3 * k);
            force[k] = of(contact);
            sum += Math.abs(force[k]);
        });
        setInstances(this.geometry, { from: [from, 3], to: [to, 3], force: [force, 1] }, n);
        this.count = n;
        this.mean = n > 0 ? sum / n : 0;
        this.max = n > 0 ? Math.abs(force[n - 1]) : 0;
        this.radius = frame.count > 0 ? frame.grains.radius.data.reduce((a, b) => a + b, 0) / frame.count : 0;
        this.uniforms.mean.value = this.mean;
        this.widen(factor);
    }
    widen(factor) { this.uniforms.width.value = this.mean > 0 ? factor * this.usual * this.radius / this.mean : 0; }
}
