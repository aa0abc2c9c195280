// SPDX-License-Identifier: Apache-2.0
// What is drawn together, so that a picture can be made in parts; later ones are drawn over earlier ones in the plane. Layers of three.js.
export const LAYERS = { rest: 0, grains: 1, points: 2, shapes: 3, bars: 4 };
