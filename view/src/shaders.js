// SPDX-License-Identifier: Apache-2.0
// Pieces of shaders that all things share. Light is added up in linear colours, then coded for the screen (sRGB).

export const COMMON = /* glsl */ `
    precision highp float;
    uniform mat4 modelViewMatrix, projectionMatrix;
`;

/** To linear colours from those of the screen (sRGB), and back. */
export const ENCODE = /* glsl */ `
    vec3 decode(vec3 c) { return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)); }
    vec3 encode(vec3 c) {
        c = clamp(c, 0.0, 1.0);
        return mix(12.92 * c, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c));
    }
`;

/** The colour of a number, or of a category. */
export const COLOR = ENCODE + /* glsl */ `
    uniform sampler2D map;
    uniform vec2 range;      // numbers: from, to
    uniform float categories; // 1: numbers are categories
    vec3 colorOf(float value) {
        float t = clamp((value - range.x) / max(range.y - range.x, 1e-37), 0.0, 1.0);
        float index = mix(t * 255.0, mod(value, 256.0), categories);
        return decode(texture(map, vec2((index + 0.5) / 256.0, 0.5)).rgb);
    }
`;

/** A lamp over the viewer's left shoulder, a softer one from the right, light from all sides; points, normals as the camera has them. */
export const LIGHT = /* glsl */ `
    vec3 lit(vec3 color, vec3 normal, vec3 point) {
        const vec3 key = vec3(-0.397, 0.662, 0.635), fill = vec3(0.802, 0.100, 0.589);
        vec3 eye = normalize(-point);
        float facing = max(dot(normal, eye), 0.0);
        float diffuse = 0.70 * max(dot(normal, key), 0.0) + 0.18 * max(dot(normal, fill), 0.0);
        float around = 0.34 + 0.10 * normal.y;
        float edge = mix(0.55, 1.0, smoothstep(0.0, 0.55, facing)); // darker rims tell grains apart
        float shine = 0.16 * pow(max(dot(normal, normalize(key + eye)), 0.0), 42.0);
        return color * (diffuse + around) * edge + shine;
    }
`;

/** Half of space cut away: where dot(cut.xyz, p) + cut.w > 0, in the camera's axes. */
export const CUT = /* glsl */ `
    uniform vec4 cut;
    uniform float cutting;
    bool isCut(vec3 p) { return cutting > 0.5 && dot(cut.xyz, p) + cut.w > 0.0; }
`;

/** Quaternions w x y z. */
export const TURN = /* glsl */ `
    vec3 turned(vec4 q, vec3 v) { return v + 2.0 * cross(q.yzw, cross(q.yzw, v) + q.x * v); }
    vec3 turnedBack(vec4 q, vec3 v) { return turned(vec4(q.x, -q.yzw), v); }
`;
