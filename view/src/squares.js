// SPDX-License-Identifier: Apache-2.0
//
// Many things, each drawn as one square or one point, all of them in one mesh: instances of so few corners are slow. What belongs
// to a thing stands in textures, from which the vertex shader takes it; the index tells which of them are drawn, and in which order.
import * as THREE from "three";

const WIDE = 1024; // things in a row of a texture
const SIX = [0, 1, 2, 0, 2, 3]; // corners of two triangles

export const TABLE = /* glsl */ `
    precision highp sampler2D;
    ivec2 placeOf(int thing) { return ivec2(thing % ${WIDE}, thing / ${WIDE}); }
`;
/** Corner k of square i is vertex 4 i + k. */
export const CORNERS = TABLE + /* glsl */ `
    int squareOf() { return gl_VertexID >> 2; }
    vec2 corner() {
        int k = gl_VertexID & 3;
        return vec2(k == 1 || k == 2 ? 1.0 : -1.0, k >= 2 ? 1.0 : -1.0);
    }
`;

/** A texture with room for so many tuples, of 1 or 4 numbers. */
function tableOf(room, components) {
    const high = Math.max(1, Math.ceil(room / WIDE));
    const format = components === 1 ? THREE.RedFormat : THREE.RGBAFormat;
    return new THREE.DataTexture(new Float32Array(WIDE * high * components), WIDE, high, format, THREE.FloatType);
}

/** Numbers of the things, by name. They grow as needed, so that a film makes no garbage. */
export class Tables {
    room = 0;
    constructor(components) {
        this.components = components;
        this.uniforms = Object.fromEntries(Object.keys(components).map((name) => [name, { value: null }]));
        this.makeRoom(1);
    }
    makeRoom(count) {
        if (count <= this.room) return;
        this.room = this.room > 1 ? Math.ceil(1.25 * count) : count;
        for (const [name, components] of Object.entries(this.components)) {
            this.uniforms[name].value?.dispose();
            this.uniforms[name].value = tableOf(this.room, components);
        }
        this.data = Object.fromEntries(Object.keys(this.components).map((name) => [name, this.uniforms[name].value.image.data]));
    }
    fill(name, write) {
        write(this.data[name]);
        this.uniforms[name].value.needsUpdate = true;
    }
}

/** The mesh of them. */
export class Squares {
    constructor(material, { layer, order, points = false }) {
        this.layer = layer;
        this.each = points ? 1 : SIX.length;
        this.geometry = new THREE.BufferGeometry();
        this.object = points ? new THREE.Points(this.geometry, material) : new THREE.Mesh(this.geometry, material);
        this.object.frustumCulled = false;
        this.object.renderOrder = order;
        this.object.layers.set(layer);
        this.choose([]);
    }
    /** These are drawn, in this order. */
    choose(chosen) {
        this.#makeRoom(chosen.length);
        const { index } = this.geometry, { array } = index;
        if (this.each === 1) array.set(chosen);
        else for (let at = 0; at < chosen.length; at++) for (let c = 0; c < 6; c++) array[6 * at + c] = 4 * chosen[at] + SIX[c];
        index.clearUpdateRanges();
        index.addUpdateRange(0, this.each * chosen.length);
        if (chosen.length > 0) index.needsUpdate = true;
        this.count = chosen.length;
        this.slice(0, this.count);
    }
    /** Of the chosen ones only so many. */
    slice(first, count) {
        this.geometry.setDrawRange(this.each * first, this.each * count);
        this.object.visible = count > 0;
    }
    #makeRoom(count) {
        if (this.geometry.index && count <= this.room) return;
        this.room = Math.max(1, Math.ceil((this.room ? 1.25 : 1) * count));
        this.geometry.dispose();
        this.geometry.setIndex(new THREE.BufferAttribute(new Uint32Array(this.each * this.room), 1).setUsage(THREE.DynamicDrawUsage));
    }
}
