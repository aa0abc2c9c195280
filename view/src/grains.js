// SPDX-License-Identifier: Apache-2.0
//
// Round grains: a square for each, of all of them in one mesh (instances of so few corners are slow), on which the fragment shader finds the point where the line of sight meets the sphere,
// so that a hundred thousand of them cost two hundred thousand triangles and are round at any distance. In the plane they
// are flat discs.
//
// A shader that sets the depth itself is run for grains that are hidden, too, most of all in a packing. So the square stands at the
// front of the sphere, the depth is promised to be no less than its own (EXT_conservative_depth, where a browser has it), and
// grains are drawn from front to back: what is hidden is then thrown away before the shader.
import * as THREE from "three";
import { COMMON, COLOR, LIGHT, CUT, TURN } from "./shaders.js";

// Corner k of grain i is vertex 4 i + k; what belongs to a grain stands in textures, WIDE in a row.
const WIDE = 1024;
const ATTRIBUTES = /* glsl */ `
    precision highp sampler2D;
    uniform sampler2D spheres, turns, values;
    uniform float size;
    vec3 position, centre;
    vec4 turn;
    float radius, value;
    int grain;
    void fetch() {
        grain = gl_VertexID >> 2;
        int corner = gl_VertexID & 3;
        position = vec3(corner == 1 || corner == 2 ? 1.0 : -1.0, corner >= 2 ? 1.0 : -1.0, 0.0);
        ivec2 at = ivec2(grain % ${WIDE}, grain / ${WIDE});
        vec4 sphere = texelFetch(spheres, at, 0);
        centre = sphere.xyz;
        radius = sphere.w;
        turn = texelFetch(turns, at, 0);
        value = texelFetch(values, at, 0).r;
    }
`;

const sphereVertex = COMMON + ATTRIBUTES + /* glsl */ `
    out vec3 place;
    flat out vec3 middle;
    flat out float reach, number;
    flat out vec4 turning;
    flat out int index;
    void main() {
        fetch();
        vec3 c = (modelViewMatrix * vec4(centre, 1.0)).xyz;
        float r = radius * size, d = length(c);
        // The square stands across the line of sight, touches the front of the sphere and just holds the cone that it fills; a
        // little more for its edge.
        float front = max(d - r, 0.02 * d), half_side = 1.03 * front * r / sqrt(max(d * d - r * r, 1e-3 * d * d));
        vec3 right = normalize(cross(c, abs(c.y) < 0.9 * d ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
        vec3 up = cross(right, c / d);
        place = front / d * c + half_side * (position.x * right + position.y * up);
        middle = c; reach = r; number = value; turning = turn; index = grain;
        gl_Position = projectionMatrix * vec4(place, 1.0);
    }
`;

const PROMISE = "#extension GL_EXT_conservative_depth : require\n";
const PROMISED = "layout(depth_greater) out highp float gl_FragDepth;\n";

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
        if (index == selected) color = mix(color, vec3(0.9, 0.0, 0.16), 0.95 - 0.6 * pow(abs(dot(normal, way)), 2.0));
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
        fetch();
        vec4 c = modelViewMatrix * vec4(centre, 1.0);
        c.xy += 1.05 * radius * size * position.xy;
        place = 1.05 * position.xy; number = value; turning = turn; index = grain;
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

const CORNERS = [0, 1, 2, 0, 2, 3]; // two triangles
const SHELVES = 4096; // in which grains are sorted by their distance

/** The places of numbers in the order of their size, nearly: as good as needed, and quick. */
export function orderOf(numbers) {
    let low = Infinity, high = -Infinity;
    for (const v of numbers) { low = Math.min(low, v); high = Math.max(high, v); }
    const scale = (SHELVES - 1) / Math.max(high - low, 1e-300), starts = new Uint32Array(SHELVES + 1), out = new Uint32Array(numbers.length);
    const shelf = (v) => Math.floor((v - low) * scale);
    for (const v of numbers) starts[shelf(v) + 1]++;
    for (let k = 0; k < SHELVES; k++) starts[k + 1] += starts[k];
    numbers.forEach((v, k) => { out[starts[shelf(v)]++] = k; });
    return out;
}

/** A texture with room for so many tuples, of 1 or 4 numbers. */
function tableOf(room, components) {
    const high = Math.max(1, Math.ceil(room / WIDE));
    const format = components === 1 ? THREE.RedFormat : THREE.RGBAFormat;
    return new THREE.DataTexture(new Float32Array(WIDE * high * components), WIDE, high, format, THREE.FloatType);
}

export class RoundGrains {
    constructor(flat, uniforms, gl) {
        const promise = !flat && Boolean(gl.getExtension("EXT_conservative_depth"));
        this.geometry = new THREE.BufferGeometry();
        this.uniforms = { ...uniforms, selected: { value: -1 }, spheres: { value: null }, turns: { value: null }, values: { value: null } };
        this.#makeRoom(1);
        const material = new THREE.RawShaderMaterial({
            glslVersion: THREE.GLSL3, uniforms: this.uniforms,
            vertexShader: flat ? discVertex : sphereVertex,
            fragmentShader: flat ? discFragment : promise ? PROMISE + sphereFragment.replace("out vec4 result;", PROMISED + "out vec4 result;") : sphereFragment,
            transparent: flat, depthTest: !flat, depthWrite: !flat, alphaToCoverage: !flat,
        });
        this.object = new THREE.Mesh(this.geometry, material);
        this.object.frustumCulled = false;
        this.object.renderOrder = flat ? 2 : 0;
    }
    #makeRoom(count) {
        if (count <= (this.room ?? 0)) return;
        this.room = this.room ? Math.ceil(1.25 * count) : count;
        for (const [name, components] of [["spheres", 4], ["turns", 4], ["values", 1]]) {
            this.uniforms[name].value?.dispose();
            this.uniforms[name].value = tableOf(this.room, components);
        }
        this.geometry.dispose();
        this.geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(6 * this.room), 1).setUsage(THREE.DynamicDrawUsage));
    }
    #fill(name, write) {
        write(this.uniforms[name].value.image.data);
        this.uniforms[name].value.needsUpdate = true;
    }
    /** Those of the frame with these places in it. */
    set(frame, places) {
        const n = places.length, { x, radius, orientation } = frame.grains;
        this.#makeRoom(n);
        this.places = places;
        this.#fill("spheres", (to) => places.forEach((i, k) => {
            for (let c = 0; c < 3; c++) to[4 * k + c] = x.data[3 * i + c];
            to[4 * k + 3] = radius.data[i];
        }));
        this.#fill("turns", (to) => places.forEach((i, k) => {
            for (let c = 0; c < 4; c++) to[4 * k + c] = orientation ? orientation.data[4 * i + c] : c === 0 ? 1 : 0;
        }));
        this.#draw(Array.from(places, (_, k) => k));
    }
    /** The squares in this order. */
    #draw(order) {
        const { index } = this.geometry;
        order.forEach((k, at) => { for (let c = 0; c < 6; c++) index.array[6 * at + c] = 4 * k + CORNERS[c]; });
        index.needsUpdate = true;
        this.geometry.setDrawRange(0, 6 * order.length);
    }
    setValues(values) { this.#fill("values", (to) => this.places.forEach((i, k) => { to[k] = values[i]; })); }
    select(place) { this.uniforms.selected.value = place < 0 ? -1 : this.places.indexOf(place); }
    /** From front to back, seen along this direction. */
    sort(direction) {
        const to = this.uniforms.spheres.value.image.data, n = this.places.length, depth = new Float32Array(n);
        for (let k = 0; k < n; k++) depth[k] = to[4 * k] * direction[0] + to[4 * k + 1] * direction[1] + to[4 * k + 2] * direction[2];
        this.#draw(orderOf(depth));
    }
}
