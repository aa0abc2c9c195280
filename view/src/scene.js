// SPDX-License-Identifier: Apache-2.0
// A frame on the stage: grains, forces, walls, cell; colours, cut, selection. Knows nothing of panels.
import * as THREE from "three";
import { Stage, VIEWS } from "./stage.js";
import { RoundGrains } from "./grains.js";
import { makeShapes, LooseSurfaces } from "./shapes.js";
import { Forces } from "./forces.js";
import { Walls, CellOutline } from "./walls.js";
import { colorRow, STEPS } from "./colors.js";
import { theme, onTheme } from "./theme.js";
import { pick, pickNear } from "./pick.js";

const LOT = 20000;  // grains or bars: so many may be slow to draw
const RIM = 1;      // pixels that outlines reach beyond their grains
const SMALL = 0.42; // how small solid grains are shown beside their forces

export class SceneView {
    constructor(canvas, flat, shapes) {
        this.flat = flat;
        this.stage = new Stage(canvas, flat);
        this.uniforms = this.#makeUniforms();
        this.round = new RoundGrains(flat, this.uniforms, this.stage.renderer.getContext());
        this.kinds = makeShapes(shapes, flat, this.uniforms);
        this.loose = new LooseSurfaces(flat, this.uniforms);
        this.forces = new Forces(flat, this.uniforms);
        this.walls = new Walls(flat, this.uniforms, { kind: "walls", opacity: 0.13, color: theme.wall, edges: true });
        this.membranes = new Walls(flat, this.uniforms, { kind: "membranes", opacity: 0.34, color: theme.membrane, edges: flat });
        this.cell = new CellOutline(theme.cell);
        this.grainGroup = new THREE.Group();
        this.grainGroup.add(this.round.object, this.loose.object, ...[...this.kinds.values()].map((kind) => kind.object));
        this.stage.content.add(this.grainGroup, this.forces.object, this.walls.object, this.membranes.object, this.cell.object);
        this.stage.prepare = (level, eye) => this.#prepare(level, eye);
        this.cut = { on: false, axis: 0, flip: false, at: 0.5 };
        this.show = { mode: "grains", walls: true, widen: 1 };
        onTheme(() => this.stage.invalidate());
    }

    #makeUniforms() {
        const row = new THREE.DataTexture(colorRow("talus"), STEPS, 1);
        row.needsUpdate = true;
        this.colors = row;
        const { ink, paper, accent, strong, weak, pull } = theme;
        return {
            map: { value: row }, range: { value: new THREE.Vector2(0, 1) }, categories: { value: 0 }, size: { value: 1 },
            marks: { value: 0 }, pale: { value: 0 }, cut: { value: new THREE.Vector4() }, cutting: { value: 0 },
            toWorld: { value: new THREE.Matrix3() }, ink: { value: ink }, paper: { value: paper }, accent: { value: accent },
            strong: { value: strong }, weak: { value: weak }, pull: { value: pull },
        };
    }

    /** What depends on the camera, and on how well it is to be drawn; gives back what can be drawn in parts. */
    #prepare({ hide, bars }, eye) {
        const { camera, renderer } = this.stage, direction = camera.getWorldDirection(new THREE.Vector3());
        renderer.setClearColor(theme.back, 1);
        this.uniforms.toWorld.value.setFromMatrix4(camera.matrixWorld);
        this.#setPlane(camera);
        const cut = this.cut.on && !this.flat ? this.uniforms.cut.value.toArray() : null;
        if (this.grainGroup.visible && hide) this.round.chooseSeen(direction, { ...eye, cut, size: this.uniforms.size.value });
        else if (this.grainGroup.visible) this.round.chooseAll(direction);
        this.forces.choose(bars, eye.focus);
        return [this.grainGroup.visible && this.round.squares, this.forces.object.visible && this.forces.squares].filter((squares) => squares?.count > 0)
            .map((squares) => ({ layer: squares.layer, first: 0, count: squares.count, slice: (first, count) => squares.slice(first, count) }));
    }
    #setPlane(camera) {
        this.uniforms.cutting.value = this.cut.on ? 1 : 0;
        if (!this.cut.on) return this.setLinePlanes([]);
        const { normal, offset } = this.plane(), world = new THREE.Plane(new THREE.Vector3(...normal), offset);
        this.setLinePlanes([world.clone().negate()]);
        const inView = world.applyMatrix4(camera.matrixWorldInverse);
        this.uniforms.cut.value.set(...inView.normal.toArray(), inView.constant);
    }
    setLinePlanes(planes) { for (const part of [this.walls, this.membranes, this.cell]) part.lines.material.clippingPlanes = planes; }

    /** In the axes of the scene: cut away where normal.x + offset > 0. */
    plane() {
        const { axis, flip, at } = this.cut, { low, high } = this.stage.bounds;
        const normal = [0, 0, 0], place = low[axis] + at * (high[axis] - low[axis]);
        normal[axis] = flip ? -1 : 1;
        return { normal, offset: flip ? place : -place, place: place + this.base[axis] };
    }

    setFrame(frame) {
        this.base ??= frame.origin;
        if (!this.frame) this.stage.pace.begin(frame.count > LOT);
        this.frame = frame;
        this.stage.content.position.set(...frame.origin.map((v, k) => v - this.base[k]));
        const { shape } = frame.grains, places = new Map([[0, []]]);
        const loose = Boolean(frame.surfaces.triangles);
        for (const number of this.kinds.keys()) places.set(number, []);
        for (let i = 0; i < frame.count; i++) {
            const number = shape ? shape.data[i] : 0;
            if (number > 0 && loose && !this.kinds.has(number)) continue;
            places.get(this.kinds.has(number) ? number : 0).push(i);
        }
        this.round.set(frame, places.get(0));
        for (const [number, kind] of this.kinds) kind.set(frame, places.get(number));
        this.loose.set(frame);
        this.forces.set(frame);
        this.walls.set(frame);
        this.membranes.set(frame);
        this.cell.set(frame, boundsOf(frame));
        this.stage.invalidate();
    }

    /** Of a run that was made again. */
    setShapes(shapes) {
        for (const { object } of this.kinds.values()) this.grainGroup.remove(object);
        this.kinds = makeShapes(shapes, this.flat, this.uniforms);
        for (const { object } of this.kinds.values()) this.grainGroup.add(object);
    }

    setValues(values) {
        for (const part of [this.round, this.loose, ...this.kinds.values()]) part.setValues(values);
        this.stage.invalidate();
    }
    setColors(row, [low, high], categorical) {
        this.colors.image.data.set(row);
        this.colors.needsUpdate = true;
        this.uniforms.range.value.set(low, high);
        this.uniforms.categories.value = categorical ? 1 : 0;
        this.stage.invalidate();
    }
    setShow(show) {
        Object.assign(this.show, show);
        const both = this.show.mode === "both";
        this.grainGroup.visible = this.show.mode !== "forces";
        this.forces.show(this.show.mode !== "grains");
        this.walls.object.visible = this.show.walls;
        this.uniforms.size.value = both && !this.flat ? SMALL : 1;
        this.uniforms.pale.value = both ? 0.82 : 0;
        this.uniforms.marks.value = this.show.marks ? 1 : 0;
        this.forces.widen(this.show.widen);
        this.stage.invalidate();
    }
    setCut(cut) {
        Object.assign(this.cut, cut);
        this.stage.invalidate();
    }
    select(place) {
        for (const part of [this.round, ...this.kinds.values()]) part.select(place);
        this.stage.invalidate();
    }
    /** The grain at a place on the canvas, -1: there is none. */
    pick(x, y) { return this.show.mode === "forces" ? -1 : pickNear((px, py) => this.#pickAt(px, py), x, y, RIM); }
    #pickAt(x, y) {
        const ray = this.stage.ray(x, y), shift = this.stage.content.position;
        const origin = ray.origin.clone().sub(shift).toArray(), direction = ray.direction.toArray();
        const plane = this.cut.on && !this.flat ? this.plane() : null;
        if (plane) plane.offset += plane.normal.reduce((sum, v, k) => sum + v * shift.getComponent(k), 0);
        return pick(this.frame, { origin, direction }, { kinds: this.kinds, size: this.uniforms.size.value, plane });
    }
    /** Where the centre of a grain is on the canvas. */
    screenOf(place) {
        const { data } = this.frame.grains.x, shift = this.stage.content.position.toArray();
        return this.stage.toScreen([0, 1, 2].map((k) => data[3 * place + k] + shift[k]));
    }

    /** Bounds of some frames, the last of which is shown. A view shows all of them, or the last alone where it would be lost in the
     * room of the others. */
    setBounds(frames) {
        this.base ??= frames.at(-1).origin;
        const boxes = frames.map((frame) => this.#boxOf(frame)), all = united(boxes), last = boxes.at(-1);
        if (Number.isFinite(sizeOf(all))) this.stage.setBounds(all, sizeOf(last) > 0.5 * sizeOf(all) ? all : last);
    }
    #boxOf(frame) { return shifted(boundsOf(frame), frame.origin.map((v, k) => v - this.base[k])); }

    /** All of the frame that is shown, seen from there. */
    view(name) {
        const box = this.#boxOf(this.frame);
        if (Number.isFinite(sizeOf(box))) this.stage.setBounds(united([box, this.stage.bounds]), box);
        this.stage.fit(VIEWS[name]());
    }
}

const sizeOf = ({ low, high }) => Math.hypot(...low.map((v, k) => high[k] - v));
const united = (boxes) => ({
    low: [0, 1, 2].map((k) => Math.min(...boxes.map((box) => box.low[k]))), high: [0, 1, 2].map((k) => Math.max(...boxes.map((box) => box.high[k]))),
});
const shifted = ({ low, high }, by) => ({ low: low.map((v, k) => v + by[k]), high: high.map((v, k) => v + by[k]) });

/** In the axes of the frame: grains, walls, cell. */
function boundsOf(frame) {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    const grow = (k, from, to) => { low[k] = Math.min(low[k], from); high[k] = Math.max(high[k], to); };
    const { x, radius } = frame.grains, cell = frame.cell.cell?.data;
    for (let i = 0; i < frame.count; i++)
        for (let k = 0; k < 3; k++) grow(k, x.data[3 * i + k] - radius.data[i], x.data[3 * i + k] + radius.data[i]);
    for (const kind of ["walls", "membranes"])
        frame[kind].x?.data.forEach((v, i) => grow(i % 3, v, v));
    for (let k = 0; k < 3 && cell; k++)
        if (cell[k]) grow(k, cell[3 + k] - frame.origin[k], cell[3 + k] - frame.origin[k] + cell[6 + k]);
    return { low, high };
}
