// SPDX-License-Identifier: Apache-2.0
// Canvas, camera and its controls. Nothing is drawn unless something changed.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

const FIELD = 28;                              // degrees, of the perspective
const SLOW = 70;                               // ms between two pictures: then coarser ones while the camera moves
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
        Object.assign(this, { canvas, flat, dirty: false });
        this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
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
        this.controls.addEventListener("change", () => this.#move());
        this.controls.addEventListener("end", () => this.#sharpen());
        this.setBounds({ low: [-1, -1, -1], high: [1, 1, 1] });
        this.beforeDraw = () => {};
        new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
        this.resize();
    }

    resize() {
        const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
        if (width === 0 || height === 0) return;
        this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2) * (this.coarse ? 0.5 : 1));
        this.renderer.setSize(width, height, false);
        if (this.fitted) this.fit();
        else this.#frustum();
        this.invalidate();
    }

    /** A scene that is slow to draw is drawn with a quarter of the pixels as long as the camera moves. */
    #move() {
        const now = performance.now(), pause = now - (this.moved ?? -Infinity);
        this.moved = now;
        this.slow = pause > SLOW && pause < 10 * SLOW ? (this.slow ?? 0) + 1 : this.coarse ? this.slow : 0;
        if (this.slow > 2) this.#setCoarse(true);
        clearTimeout(this.rest);
        this.rest = setTimeout(() => this.#sharpen(), 300);
        this.invalidate();
    }
    #sharpen() {
        this.slow = 0;
        this.#setCoarse(false);
    }
    #setCoarse(coarse) {
        if (Boolean(this.coarse) === coarse) return;
        this.coarse = coarse;
        const { clientWidth, clientHeight } = this.canvas.parentElement;
        this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2) * (coarse ? 0.5 : 1));
        this.renderer.setSize(clientWidth, clientHeight, false);
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

    invalidate() {
        if (this.dirty) return;
        this.dirty = true;
        requestAnimationFrame(() => this.draw());
    }

    draw() {
        this.dirty = false;
        this.#clip();
        this.camera.updateMatrixWorld();
        this.beforeDraw(this.camera);
        this.renderer.render(this.scene, this.camera);
    }

    /** Draws and gives back what was drawn: RGBA, the lowest row first. */
    pixels() {
        this.draw();
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
