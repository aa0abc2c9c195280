// SPDX-License-Identifier: Apache-2.0
//
// Round grains: one square for each, on which the fragment shader finds the point where the line of sight meets the sphere,
// so that a hundred thousand of them cost two hundred thousand triangles and are round at any distance. In the plane they
// are flat discs.
import * as THREE from "three";
import { COMMON, COLOR, LIGHT, CUT, TURN } from "./shaders.js";

const ATTRIBUTES = /* glsl */ `
    in vec3 position;
    in vec3 centre;
    in float radius;
    in vec4 turn;
    in float value;
    uniform float size;
`;

const sphereVertex = COMMON + ATTRIBUTES + /* glsl */ `
    out vec3 place;
    flat out vec3 middle;
    flat out float reach, number;
    flat out vec4 turning;
    flat out int index;
    void main() {
        vec3 c = (modelViewMatrix * vec4(centre, 1.0)).xyz;
        float r = radius * size, d = length(c);
        // The square stands across the line of sight and just holds the cone that the sphere fills; a little more for its edge.
        float half_side = 1.03 * r * d / sqrt(max(d * d - r * r, 1e-3 * d * d));
        vec3 right = normalize(cross(c, abs(c.y) < 0.9 * d ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
        vec3 up = cross(right, c / d);
        place = c + half_side * (position.x * right + position.y * up);
        middle = c; reach = r; number = value; turning = turn; index = gl_InstanceID;
        gl_Position = projectionMatrix * vec4(place, 1.0);
    }
`;

const sphereFragment = COMMON + COLOR + LIGHT + CUT + TURN + /* glsl */ `
    uniform float marks;
    uniform int selected;
    uniform mat3 toWorld;
    in vec3 place;
    flat in vec3 middle;
    flat in float reach, number;
    flat in vec4 turning;
    flat in int index;
    out vec4 result;
    void main() {
        vec3 way = normalize(place);
        float along = dot(way, middle);
        vec3 off = middle - along * way; // from the line of sight to the centre: no difference of large numbers
        float inside = reach * reach - dot(off, off);
        float cover = clamp(0.5 + inside / max(fwidth(inside), 1e-30), 0.0, 1.0);
        if (cover <= 0.0) discard;
        float half_chord = sqrt(max(inside, 0.0)), far = along - half_chord;
        vec3 hit = way * far, normal = (hit - middle) / reach;
        bool face = false;
        if (isCut(hit)) { // the sphere is solid: its cut face, if the line of sight meets it
            far = -cut.w / dot(cut.xyz, way);
            if (far < along - half_chord || far > along + half_chord) discard;
            hit = way * far;
            normal = cut.xyz;
            face = true;
        }
        vec3 color = colorOf(number);
        if (marks > 0.5 && !face) {
            vec3 own = turnedBack(turning, toWorld * normal);
            float side = own.x * own.y;
            color *= mix(0.74, 1.0, smoothstep(-0.02, 0.02, side));
        }
        if (index == selected) color = mix(color, vec3(1.0, 0.16, 0.02), 0.75 - 0.45 * abs(dot(normal, way)));
        vec3 shown = face ? color * 0.80 : lit(color, normal, hit);
        vec4 clip = projectionMatrix * vec4(hit, 1.0);
        gl_FragDepth = clamp(0.5 * clip.z / clip.w + 0.5, 0.0, 1.0);
        result = vec4(encode(shown), cover);
    }
`;

const discVertex = COMMON + ATTRIBUTES + /* glsl */ `
    out vec2 place;
    flat out float number;
    flat out vec4 turning;
    flat out int index;
    void main() {
        vec4 c = modelViewMatrix * vec4(centre, 1.0);
        c.xy += 1.05 * radius * size * position.xy;
        place = 1.05 * position.xy; number = value; turning = turn; index = gl_InstanceID;
        gl_Position = projectionMatrix * c;
    }
`;

const discFragment = COMMON + COLOR + TURN + /* glsl */ `
    uniform float marks, pale;
    uniform int selected;
    uniform vec3 ink, paper, accent;
    in vec2 place;
    flat in float number;
    flat in vec4 turning;
    flat in int index;
    out vec4 result;
    void main() {
        float r = length(place), pixel = fwidth(r);
        float cover = clamp((1.0 - r) / pixel + 0.5, 0.0, 1.0);
        if (cover <= 0.0) discard;
        vec3 color = mix(encode(colorOf(number)), paper, pale);
        if (marks > 0.5) { // a radius, and a paler half
            vec2 own = turnedBack(turning, vec3(place, 0.0)).xy;
            color = mix(color, ink, 0.10 * smoothstep(-pixel, pixel, own.y));
            color = mix(color, ink, 0.45 * clamp((0.05 + 0.7 * pixel - abs(own.y)) / pixel, 0.0, 1.0) * step(0.0, own.x));
        }
        float wide = index == selected ? 0.20 : 0.06;
        float line = clamp((r - (1.0 - max(wide, (index == selected ? 2.5 : 0.9) * pixel))) / pixel + 0.5, 0.0, 1.0);
        color = mix(color, index == selected ? accent : ink, line * (index == selected ? 1.0 : 0.55));
        result = vec4(color, cover);
    }
`;

const square = new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, -1, 0, 1, 1, 0, -1, 1, 0]);

/** Arrays of one number or more for each instance; grown as needed, so that a film makes no garbage. */
export function setInstances(geometry, arrays, count) {
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

export class RoundGrains {
    constructor(flat, uniforms) {
        this.geometry = new THREE.InstancedBufferGeometry();
        this.geometry.setAttribute("position", new THREE.BufferAttribute(square, 3));
        this.uniforms = { ...uniforms, selected: { value: -1 } };
        const material = new THREE.RawShaderMaterial({
            glslVersion: THREE.GLSL3, uniforms: this.uniforms,
            vertexShader: flat ? discVertex : sphereVertex,
            fragmentShader: flat ? discFragment : sphereFragment,
            transparent: flat, depthTest: !flat, depthWrite: !flat, alphaToCoverage: !flat,
        });
        this.object = new THREE.Mesh(this.geometry, material);
        this.object.frustumCulled = false;
        this.object.renderOrder = flat ? 2 : 0;
    }
    /** Those of the frame with these places in it. */
    set(frame, places) {
        const n = places.length, { x, radius, orientation } = frame.grains;
        const centre = new Float32Array(3 * n), radii = new Float32Array(n), turn = new Float32Array(4 * n);
        for (let k = 0; k < n; k++) {
            const i = places[k];
            for (let c = 0; c < 3; c++) centre[3 * k + c] = x.data[3 * i + c];
            radii[k] = radius.data[i];
            if (orientation) for (let c = 0; c < 4; c++) turn[4 * k + c] = orientation.data[4 * i + c];
            else turn[4 * k] = 1;
        }
        this.places = places;
        setInstances(this.geometry, { centre: [centre, 3], radius: [radii, 1], turn: [turn, 4] }, n);
    }
    setValues(values) { setInstances(this.geometry, { value: [Float32Array.from(this.places, (i) => values[i]), 1] }, this.places.length); }
    select(place) { this.uniforms.selected.value = place < 0 ? -1 : this.places.indexOf(place); }
}
