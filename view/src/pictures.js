// SPDX-License-Identifier: Apache-2.0
//
// Where pictures are drawn before they are shown: the full one, with four samples for each pixel, can be made in parts while the canvas
// still shows another; a coarse one has fewer pixels and is stretched.
import * as THREE from "three";

const SAMPLES = 4;

class Buffer {
    constructor(gl, samples) {
        Object.assign(this, { gl, samples: Math.min(samples, gl.getParameter(gl.MAX_SAMPLES)), width: 0, height: 0 });
        this.frame = gl.createFramebuffer();
        this.color = gl.createRenderbuffer();
        this.depth = gl.createRenderbuffer();
        this.target = new THREE.WebGLRenderTarget(1, 1);
    }
    resize(renderer, width, height) {
        if (width === this.width && height === this.height) return;
        const { gl } = this;
        Object.assign(this, { width, height });
        for (const [buffer, format] of [[this.color, gl.RGBA8], [this.depth, gl.DEPTH_COMPONENT24]]) {
            gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
            gl.renderbufferStorageMultisample(gl.RENDERBUFFER, this.samples, format, width, height);
        }
        gl.bindRenderbuffer(gl.RENDERBUFFER, null);
        renderer.state.bindFramebuffer(gl.FRAMEBUFFER, this.frame);
        gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.RENDERBUFFER, this.color);
        gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, this.depth);
        this.target.setSize(width, height);
        renderer.setRenderTargetFramebuffer(this.target, this.frame);
    }
}

export class Pictures {
    constructor(renderer) {
        const gl = renderer.getContext();
        Object.assign(this, { renderer, gl, full: new Buffer(gl, SAMPLES), coarse: new Buffer(gl, 0) });
    }
    /** What is drawn next goes into the full picture, or one with so many of its pixels along a side. */
    begin(share) {
        const { width, height } = this.renderer.domElement, buffer = share === 1 ? this.full : this.coarse;
        buffer.resize(this.renderer, Math.ceil(share * width), Math.ceil(share * height));
        this.renderer.setRenderTarget(buffer.target);
        this.buffer = buffer;
    }
    /** Brings it to the canvas. */
    show() {
        const { gl, buffer, renderer } = this, { width, height } = renderer.domElement;
        renderer.setRenderTarget(null);
        gl.bindFramebuffer(gl.READ_FRAMEBUFFER, buffer.frame);
        gl.disable(gl.SCISSOR_TEST);
        gl.blitFramebuffer(0, 0, buffer.width, buffer.height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, buffer === this.full ? gl.NEAREST : gl.LINEAR);
        gl.bindFramebuffer(gl.READ_FRAMEBUFFER, null);
    }
    /** Calls `then` once all that was asked for is drawn, without waiting for it. */
    whenDone(then) {
        const { gl } = this, fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
        gl.flush();
        const look = () => {
            if (fence && gl.clientWaitSync(fence, 0, 0) === gl.TIMEOUT_EXPIRED) return setTimeout(look, LOOK);
            if (fence) gl.deleteSync(fence);
            return then();
        };
        setTimeout(look, 0);
    }
}
const LOOK = 2; // ms
