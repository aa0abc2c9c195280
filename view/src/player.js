// SPDX-License-Identifier: Apache-2.0
// Time: slider, buttons, playing.
import { show } from "./scalars.js";

const $ = (id) => document.getElementById(id);

export class Player {
    playing = false;
    #turn = 0; // of the present play: one that sleeps while another began must not go on
    constructor(app) {
        this.app = app;
        $("time").addEventListener("input", () => { this.pause(); this.go($("time").valueAsNumber); });
        $("play").addEventListener("click", () => this.toggle());
        for (const [id, where] of [["first", () => 0], ["back", () => app.wanted - 1], ["forward", () => app.wanted + 1], ["last", () => Infinity]])
            $(id).addEventListener("click", () => { this.pause(); this.go(where()); });
        this.size();
    }
    get count() { return this.app.run.frames.length; }

    size() {
        $("time").max = Math.max(0, this.count - 1);
        this.label();
    }
    /** The slider where the frame is that is shown. */
    settle() {
        this.size();
        $("time").value = Math.max(0, this.app.at);
    }
    /** To a frame by its place; what is out of range is brought into it. */
    async go(place) {
        if (this.count === 0 || !this.app.view) return;
        this.size();
        const to = Math.min(this.count - 1, Math.max(0, place));
        $("time").value = to;
        await this.app.showFrame(to);
    }
    /** To the frame nearest in time. */
    goTime(time) {
        const { frames } = this.app.run;
        let best = 0;
        frames.forEach((frame, i) => { if (Math.abs(frame.time - time) < Math.abs(frames[best].time - time)) best = i; });
        this.pause();
        return this.go(best);
    }
    label() {
        const { app } = this;
        if (!app.frame) { $("time-label").textContent = ""; return; }
        $("time-label").textContent = `${show(app.frame.time, 5)} s · frame ${app.at + 1} of ${this.count}`;
        $("time").setAttribute("aria-valuetext", $("time-label").textContent);
    }

    toggle() { this.playing ? this.pause() : this.play(); }
    pause() {
        this.playing = false;
        this.#button();
    }
    async play() {
        if (this.count < 2 || !this.app.view) return;
        const turn = ++this.#turn, goesOn = () => this.playing && turn === this.#turn;
        this.playing = true;
        this.#button();
        if (this.app.at === this.count - 1) await this.go(0);
        let due = performance.now();
        while (goesOn()) {
            due = Math.max(due + 1000 / Number($("speed").value), performance.now() - 1000);
            await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
            if (!goesOn()) break;
            await this.go(this.app.at + 1);
            await new Promise(requestAnimationFrame);
            if (goesOn() && this.app.at >= this.count - 1) this.pause();
        }
    }
    #button() {
        $("play").classList.toggle("playing", this.playing);
        $("play").setAttribute("aria-label", this.playing ? "Pause" : "Play");
    }
}
