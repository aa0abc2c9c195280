// SPDX-License-Identifier: Apache-2.0
//
// Canvas, camera and its controls. Nothing is drawn unless something changed. Where a full picture takes too long, pictures are coarse as long
// as things change (pace.js); once they rest, the full one is made in parts, each of them short, so that the page goes on
// hearing its user, and takes the place of the coarse one when it is complete. There is never more than one picture under way.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Pace, LEVELS } from "./pace.js";
import { Pictures } from "./pictures.js";
import { LAYERS } from "./layers.js";

const FIELD = 28;                              // degrees, of the perspective
const REST = 150;                              // ms without a change after which the full picture is made
const PART = 40;                               // ms that a part of it should take
const LATE = 25;                               // ms: longer than the screen takes between two pictures
const FIRST = 2000;                            // grains of the first part that counts
const ORDER = [LAYERS.grains, LAYERS.shapes, LAYERS.bars, LAYERS.rest];
const DEFAULT = { azimuth: 25, elevation: 16 }; // degrees

/** Directions from which the camera looks, towards the middle. */
export const VIEWS = {
    default: () => fromAngles(DEFAULT.azimuth, DEFAULT.elevation),
    front: () => new THREE.Vector3(0, -1, 0),
    side: () => new THREE.Vector3(1, 0, 0),
    top: () => new THREE.Vector3(0, -1e-4, 1).normalize(), // not quite: z stays up
};

function fromAngles(azimuth, elevation) {
    const a = azimuth * Math.PI / 180, e = elevation * Math.PI / 180;
    return new THREE.Vector3(Math.sin(a) * Math.cos(e), -Math.cos(a) * Math.cos(e), Math.sin(e));
}

export class Stage {
    constructor(canvas, flat) {
        Object.assign(this, { canvas, flat, changed: false, busy: false, pace: new Pace(), parts: null, full: false });
        this.renderer = new THREE.WebGLRenderer({ canvas, antialias: false, depth: false, powerPreference: "high-performance" });
        this.renderer.autoClear = false;
        this.pictures = new Pictures(this.renderer);
        this.renderer.localClippingEnabled = true;
        this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace; // the shaders code their colours themselves
        this.scene = new THREE.Scene();
        this.content = new THREE.Group();
        this.scene.add(this.content);
        this.camera = flat ? new THREE.OrthographicCamera() : new THREE.PerspectiveCamera(FIELD);
        this.camera.up.set(0, flat ? 1 : 0, flat ? 0 : 1);
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.enableDamping = false;
        this.controls.zoomToCursor = true;
        if (flat) {
            this.controls.enableRotate = false;
            this.controls.screenSpacePanning = true;
            this.controls.mouseButtons = { LEFT: THREE.MOUSE.PAN, MIDDLE: THREE.MOUSE.DOLLY, RIGHT: THREE.MOUSE.PAN };
            this.controls.touches = { ONE: THREE.TOUCH.PAN, TWO: THREE.TOUCH.DOLLY_PAN };
        }
        this.controls.addEventListener("change", () => this.invalidate());
        this.setBounds({ low: [-1, -1, -1], high: [1, 1, 1] });
        this.prepare = () => [];
        this.onQuality = () => {};
        canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
        canvas.addEventListener("webglcontextrestored", () => { this.pictures = new Pictures(this.renderer); this.invalidate(); });
        new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
        this.resize();
    }

    resize() {
        const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
        if (width === 0 || height === 0) return;
        this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
        this.renderer.setSize(width, height, false);
        if (this.fitted) this.fit();
        else this.#frustum();
        this.invalidate();
    }

    #frustum() {
        const size = this.renderer.getSize(new THREE.Vector2());
        if (!this.flat) this.camera.aspect = size.x / size.y;
        else {
            const half = this.halfHeight ?? 1;
            Object.assign(this.camera, { left: -half * size.x / size.y, right: half * size.x / size.y, top: half, bottom: -half });
        }
        this.camera.updateProjectionMatrix();
    }

    /** The box of all there is to be seen, in the axes of the scene; the part of it that a view shows at first. */
    setBounds(bounds, focus = bounds) { Object.assign(this, { bounds, focus }); }

    /** All of it in sight, seen from there. It stays so until the user moves. */
    fit(direction = this.direction ?? VIEWS.default()) {
        const low = new THREE.Vector3(...this.focus.low), high = new THREE.Vector3(...this.focus.high);
        const middle = low.clone().add(high).multiplyScalar(0.5);
        this.direction = direction;
        this.fitted = true;
        this.controls.target.copy(middle);
        if (this.flat) this.#fitFlat(low, high, middle);
        else this.#fitSolid(low, high, middle, direction);
        this.#frustum();
        this.controls.update();
        this.fitted = true;
        this.invalidate();
    }

    #fitFlat(low, high, middle) {
        const size = this.renderer.getSize(new THREE.Vector2());
        this.halfHeight = 0.54 * Math.max(high.y - low.y, (high.x - low.x) * size.y / size.x, 1e-30);
        this.camera.zoom = 1;
        this.camera.position.set(middle.x, middle.y, middle.z + 10 * this.halfHeight);
        this.camera.near = 0;
        this.camera.far = 20 * this.halfHeight;
    }

    /** As near as lets every corner of the box be seen: |x| <= (distance - depth) tan(half the field). */
    #fitSolid(low, high, middle, direction) {
        const size = this.renderer.getSize(new THREE.Vector2());
        const right = new THREE.Vector3(0, 0, 1).cross(direction).normalize(), up = direction.clone().cross(right);
        const upward = Math.tan(FIELD * Math.PI / 360), sideways = upward * size.x / size.y;
        let distance = 0;
        for (let bits = 0; bits < 8; bits++) {
            const corner = new THREE.Vector3(...[0, 1, 2].map((k) => (bits >> k & 1 ? high : low).getComponent(k))).sub(middle);
            const depth = corner.dot(direction);
            distance = Math.max(distance, depth + Math.abs(corner.dot(right)) / sideways, depth + Math.abs(corner.dot(up)) / upward);
        }
        this.camera.position.copy(middle).addScaledVector(direction, 1.04 * distance);
    }

    /** Near and far just hold the scene: depth has few digits. */
    #clip() {
        if (this.flat) return;
        const low = new THREE.Vector3(...this.bounds.low), high = new THREE.Vector3(...this.bounds.high);
        const middle = low.clone().add(high).multiplyScalar(0.5), radius = 1.5 * high.distanceTo(low);
        const distance = this.camera.position.distanceTo(middle);
        this.camera.near = Math.max(distance - radius, 0.002 * radius);
        this.camera.far = distance + radius;
        this.camera.updateProjectionMatrix();
    }

    // ---- pictures

    /** What is shown is no longer so. */
    invalidate() {
        this.changed = true;
        this.last = performance.now();
        this.parts = null;
        this.#wake();
    }
    #wake() {
        if (this.awake) return;
        this.awake = true;
        requestAnimationFrame(() => { this.awake = false; this.#next(); });
    }
    #next() {
        const rest = REST - (performance.now() - this.last);
        if (this.busy) return; // its end wakes
        if (this.changed) this.#draw();
        else if (!this.full && rest > 0) setTimeout(() => this.#wake(), rest);
        else if (!this.full) this.#drawPart();
    }
    /** Measures what was just asked for, and goes on when it is done. */
    #afterwards(start, measured) {
        this.busy = true;
        this.pictures.whenDone(() => {
            const ms = performance.now() - start;
            this.busy = false;
            if (!document.hidden) measured(ms);
            if (ms > LATE && (this.changed || this.parts)) this.#next(); // no need to wait for the screen
            else if (this.changed || !this.full) this.#wake();
        });
    }

    #draw() {
        const { pace } = this, start = performance.now(), full = pace.isFull;
        this.changed = false;
        this.#compose(pace.level);
        this.pictures.show();
        this.#setFull(full, pace.level);
        this.#afterwards(start, (ms) => pace.took(ms));
    }
    #setFull(full, level) {
        this.full = full;
        this.pictureCount = (this.pictureCount ?? 0) + 1;
        this.onQuality(full ? null : level);
    }
    /** A whole picture in one go. */
    #compose(level) {
        this.pictures.begin(level.pixels);
        this.#setUp(level);
        this.renderer.clear();
        for (const layer of [LAYERS.points, ...ORDER]) this.#render(layer);
    }
    #setUp(level) {
        this.#clip();
        this.camera.updateMatrixWorld();
        this.content.updateMatrixWorld();
        return this.prepare(level, this.#eye(level));
    }
    #render(layer) {
        this.camera.layers.set(layer);
        this.renderer.render(this.scene, this.camera);
    }

    /** How the camera sees it, for hidden.js: pixels are those of the picture that is being drawn. */
    #eye(level) {
        const { width, height } = this.pictures.buffer;
        const matrix = new THREE.Matrix4().multiplyMatrices(this.camera.matrixWorldInverse, this.content.matrixWorld).elements;
        const [wide, , , , , high] = this.camera.projectionMatrix.elements, focus = 0.5 * height * high;
        return { matrix, focus, stretch: 0.5 * width * wide / focus, width, height, ...(level.pixels < 1 ? { rim: 0.3, small: 12 } : { rim: 1.2, small: 0 }) };
    }

    /** The full picture in parts: first one grain, which may have to wait for shaders, then as many as take PART ms. */
    #drawPart() {
        const start = performance.now();
        if (!this.parts) this.#beginParts();
        const { parts } = this;
        this.renderer.setRenderTarget(this.pictures.buffer.target);
        const [part] = parts.left, count = Math.min(parts.count, part.count);
        part.slice?.(part.first, count);
        this.#render(part.layer);
        part.first += count;
        part.count -= count;
        if (part.count <= 0) parts.left.shift();
        if (parts.left.length === 0) {
            this.pictures.show();
            this.parts = null;
            this.#setFull(true);
        }
        this.#afterwards(start, (ms) => this.#learn(parts, ms));
    }
    #beginParts() {
        const level = { hide: true, pixels: 1, bars: 1 };
        this.pictures.begin(1);
        const left = this.#setUp(level);
        this.renderer.clear();
        this.parts = { left: [...left, { layer: LAYERS.shapes, first: 0, count: 1 }, { layer: LAYERS.rest, first: 0, count: 1 }], count: 1, ms: 0 };
        this.parts.left.sort((p, q) => ORDER.indexOf(p.layer) - ORDER.indexOf(q.layer));
    }
    #learn(parts, ms) {
        const warm = parts.count === 1;
        if (!warm) parts.ms += ms;
        parts.count = warm ? FIRST : Math.ceil(parts.count * Math.min(4, Math.max(0.25, PART / Math.max(ms, 1))));
        if (this.full && !this.changed) this.pace.tookFull(parts.ms);
    }

    /** When nothing is left to be drawn. */
    async rest() { while (this.changed || this.busy || !this.full) await new Promise((resolve) => setTimeout(resolve, 20)); }

    /** Draws all of it at once, also what is hidden, and gives back what was drawn: RGBA, the lowest row first. */
    pixels() {
        this.#compose(LEVELS[0]);
        this.pictures.show();
        const gl = this.renderer.getContext(), { drawingBufferWidth: width, drawingBufferHeight: height } = gl;
        const data = new Uint8Array(4 * width * height);
        gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, data);
        return { width, height, data };
    }

    /** Where a point of the scene is on the canvas, in CSS pixels from its upper left. */
    toScreen(point) {
        const { clientWidth, clientHeight } = this.canvas, p = new THREE.Vector3(...point).project(this.camera);
        return [0.5 * (p.x + 1) * clientWidth, 0.5 * (1 - p.y) * clientHeight];
    }

    /** The line of sight through a place on the canvas. */
    ray(x, y) {
        const caster = new THREE.Raycaster(), { clientWidth, clientHeight } = this.canvas;
        caster.setFromCamera(new THREE.Vector2(2 * x / clientWidth - 1, 1 - 2 * y / clientHeight), this.camera);
        return caster.ray;
    }
}
