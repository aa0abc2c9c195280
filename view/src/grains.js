// SPDX-License-Identifier: Apache-2.0
//
// Round grains: a square for each, of all of them in one mesh (squares.js), on which the fragment shader finds the point where the line of
// sight meets the sphere, so that a hundred thousand of them cost two hundred thousand triangles and are round at any distance. In
// the plane they are flat discs.
//
// A shader that sets the depth itself is run for grains that are hidden, too, most of all in a packing. So the square stands at the
// front of the sphere, the depth is promised to be no less than its own (EXT_conservative_depth, where a browser has it), and
// grains are drawn from front to back: what is hidden is then thrown away before the shader.
//
// Where pictures take long, hidden grains are left out (hidden.js), and as long as the view moves small grains are points: one corner
// instead of four, one depth for the whole grain, lines of sight that are parallel within it.
import * as THREE from "three";
import { COMMON, ENCODE, COLOR, LIGHT, CUT, TURN } from "./shaders.js";
import { Tables, Squares, CORNERS, TABLE } from "./squares.js";
import { orderOf, seenOf } from "./hidden.js";
import { LAYERS } from "./layers.js";

const ATTRIBUTES = /* glsl */ `
    uniform sampler2D spheres, turns, values;
    uniform float size;
    vec3 centre;
    vec4 turn;
    float radius, value;
    void fetch(int grain) {
        vec4 sphere = texelFetch(spheres, placeOf(grain), 0);
        centre = sphere.xyz;
        radius = sphere.w;
        turn = texelFetch(turns, placeOf(grain), 0);
        value = texelFetch(values, placeOf(grain), 0).r;
    }
`;

const sphereVertex = COMMON + CORNERS + ATTRIBUTES + /* glsl */ `
    out vec3 place;
    flat out vec3 middle;
    flat out float reach, number;
    flat out vec4 turning;
    flat out int index;
    void main() {
        int grain = squareOf();
        fetch(grain);
        vec3 c = (modelViewMatrix * vec4(centre, 1.0)).xyz;
        float r = radius * size, d = length(c);
        // The square stands across the line of sight, touches the front of the sphere and just holds the cone that it fills; a
        // little more for its edge.
        float front = max(d - r, 0.02 * d), half_side = 1.03 * front * r / sqrt(max(d * d - r * r, 1e-3 * d * d));
        vec3 right = normalize(cross(c, abs(c.y) < 0.9 * d ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0)));
        vec3 up = cross(right, c / d);
        vec2 position = corner();
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

const discVertex = COMMON + CORNERS + ATTRIBUTES + /* glsl */ `
    out vec2 place;
    flat out float number;
    flat out vec4 turning;
    flat out int index;
    void main() {
        int grain = squareOf();
        vec2 position = corner();
        fetch(grain);
        vec4 c = modelViewMatrix * vec4(centre, 1.0);
        c.xy += 1.05 * radius * size * position;
        place = 1.05 * position; number = value; turning = turn; index = grain;
        gl_Position = projectionMatrix * c;
    }
`;

const discFragment = COMMON + COLOR + TURN + /* glsl */ `
    uniform float marks, pale;
    uniform int selected;
    uniform vec3 ink, paper, accent;
    IN_PLACE
    flat in float number;
    flat in vec4 turning;
    flat in int index;
    out vec4 result;
    void main() {
        SET_PLACE
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

// ---- points -------------------------------------------------------------------------------------

const POINT = /* glsl */ `
    uniform float pixels; // of a length 1, at distance 1 or, in the plane, anywhere
    flat out float number, reach;
    flat out vec4 turning;
    flat out vec3 middle, color;
    flat out int index;
`;

const spherePointVertex = COMMON + COLOR + TABLE + ATTRIBUTES + POINT + /* glsl */ `
    void main() {
        index = gl_VertexID;
        fetch(index);
        middle = (modelViewMatrix * vec4(centre, 1.0)).xyz;
        reach = radius * size;
        number = value; turning = turn;
        color = colorOf(value);
        gl_Position = projectionMatrix * vec4(middle, 1.0);
        gl_PointSize = max(1.0, 2.0 * pixels * reach * inversesqrt(max(middle.z * middle.z - reach * reach, 1e-30)));
    }
`;

const spherePointFragment = COMMON + ENCODE + LIGHT + CUT + TURN + /* glsl */ `
    uniform float marks;
    uniform int selected;
    uniform mat3 toWorld;
    flat in float reach;
    flat in vec4 turning;
    flat in vec3 middle, color;
    flat in int index;
    out vec4 result;
    void main() {
        vec2 off = vec2(2.0, -2.0) * gl_PointCoord + vec2(-1.0, 1.0);
        float inside = 1.0 - dot(off, off);
        if (inside <= 0.0) discard;
        vec3 normal = vec3(off, sqrt(inside)), hit = middle + reach * normal, shade = color;
        bool face = false;
        if (isCut(hit)) {
            vec3 way = normalize(middle);
            float far = -(dot(cut.xyz, hit) + cut.w) / dot(cut.xyz, way);
            if (far < 0.0 || far > 2.0 * reach * normal.z) discard;
            face = true;
        }
        if (marks > 0.5 && !face) {
            vec3 own = turnedBack(turning, toWorld * normal);
            shade *= own.x * own.y < 0.0 ? 0.74 : 1.0;
        }
        if (index == selected) shade = mix(shade, vec3(0.9, 0.0, 0.16), 0.95 - 0.6 * inside);
        result = vec4(encode(face ? shade * 0.80 : lit(shade, normal, hit)), 1.0);
    }
`;

const discPointVertex = COMMON + TABLE + ATTRIBUTES + POINT + /* glsl */ `
    void main() {
        index = gl_VertexID;
        fetch(index);
        number = value; turning = turn; reach = 0.0; middle = color = vec3(0.0);
        gl_Position = projectionMatrix * modelViewMatrix * vec4(centre, 1.0);
        gl_PointSize = max(1.0, 2.1 * pixels * radius * size);
    }
`;
const discOf = (declared, set) => discFragment.replace("IN_PLACE", declared).replace("SET_PLACE", set);
const discSquareFragment = discOf("in vec2 place;", "");
const discPointFragment = discOf("", "vec2 place = 1.05 * (vec2(2.0, -2.0) * gl_PointCoord + vec2(-1.0, 1.0));");

// ---- both ---------------------------------------------------------------------------------------

const MANY = 4000;   // grains that are worth sorting from front to back
const TURNED = 0.99; // cosine: after such a turn of the camera they are sorted again

export class RoundGrains {
    constructor(flat, uniforms, gl) {
        const promise = !flat && Boolean(gl.getExtension("EXT_conservative_depth"));
        this.flat = flat;
        this.tables = new Tables({ spheres: 4, turns: 4, values: 1 });
        this.uniforms = { ...uniforms, ...this.tables.uniforms, selected: { value: -1 }, pixels: { value: 1 } };
        const common = {
            glslVersion: THREE.GLSL3, uniforms: this.uniforms, transparent: flat, depthTest: !flat, depthWrite: !flat,
        };
        this.squares = new Squares(new THREE.RawShaderMaterial({
            ...common, vertexShader: flat ? discVertex : sphereVertex,
            fragmentShader: flat ? discSquareFragment : promise ? PROMISE + sphereFragment.replace("out vec4 result;", PROMISED + "out vec4 result;") : sphereFragment,
            alphaToCoverage: !flat,
        }), { layer: LAYERS.grains, order: flat ? 2 : 0 });
        this.points = new Squares(new THREE.RawShaderMaterial({
            ...common, vertexShader: flat ? discPointVertex : spherePointVertex, fragmentShader: flat ? discPointFragment : spherePointFragment,
        }), { layer: LAYERS.points, order: flat ? 2 : 0, points: true });
        this.object = new THREE.Group().add(this.squares.object, this.points.object);
        this.places = [];
    }
    /** Those of the frame with these places in it. */
    set(frame, places) {
        const { x, radius, orientation } = frame.grains;
        this.tables.makeRoom(places.length);
        this.places = places;
        this.tables.fill("spheres", (to) => places.forEach((i, k) => {
            for (let c = 0; c < 3; c++) to[4 * k + c] = x.data[3 * i + c];
            to[4 * k + 3] = radius.data[i];
        }));
        this.tables.fill("turns", (to) => places.forEach((i, k) => {
            for (let c = 0; c < 4; c++) to[4 * k + c] = orientation ? orientation.data[4 * i + c] : c === 0 ? 1 : 0;
        }));
        this.order = Uint32Array.from(places, (_, k) => k);
        this.sorted = null;
        this.all = false;
    }
    setValues(values) { this.tables.fill("values", (to) => this.places.forEach((i, k) => { to[k] = values[i]; })); }
    select(place) { this.uniforms.selected.value = place < 0 ? -1 : this.places.indexOf(place); }

    /** From front to back, seen along this direction; discs lie side by side. */
    #sort(direction) {
        if (this.flat || this.places.length < MANY || this.sorted?.dot(direction) > TURNED) return;
        const { spheres } = this.tables.data, n = this.places.length, depth = new Float32Array(n), { x, y, z } = direction;
        for (let k = 0; k < n; k++) depth[k] = spheres[4 * k] * x + spheres[4 * k + 1] * y + spheres[4 * k + 2] * z;
        this.order = orderOf(depth);
        this.sorted = direction.clone();
        this.all = false;
    }
    /** All of them as squares. */
    chooseAll(direction) {
        this.#sort(direction);
        if (!this.all) this.squares.choose(this.order);
        this.points.choose([]);
        this.all = true;
    }
    /** Those alone that may be seen: `eye` as in hidden.js; small ones as points. */
    chooseSeen(direction, eye) {
        this.#sort(direction);
        this.uniforms.pixels.value = eye.focus;
        const { small, large } = this.flat ? this.#inPlane(eye) : seenOf(this.tables.data.spheres, this.order, eye);
        this.squares.choose(large);
        this.points.choose(small);
        this.all = false;
    }
    /** Discs hide no others: those within the picture. */
    #inPlane({ matrix: m, focus, width, height, size, small: limit }) {
        const { spheres } = this.tables.data, small = [], large = [];
        for (let k = 0; k < this.places.length; k++) {
            const r = 1.1 * focus * size * spheres[4 * k + 3];
            const u = focus * (spheres[4 * k] + m[12]), v = focus * (spheres[4 * k + 1] + m[13]);
            if (Math.abs(u) - r > 0.5 * width || Math.abs(v) - r > 0.5 * height) continue;
            (r <= limit ? small : large).push(k);
        }
        return { small, large };
    }
}
