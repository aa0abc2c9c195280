// SPDX-License-Identifier: Apache-2.0
// The page of a run: reads what there is, shows a frame, keeps panels, plot and scene in step.
import { openSource, FrameStore } from "./source.js";
import { SceneView } from "./scene.js";
import { scalarsOf, rangeOf, defaultScalar } from "./scalars.js";
import { colorRow, MAPS } from "./colors.js";
import { Plot, readSeries } from "./plot.js";
import { showRun, showGrain, showLegend, showForceKey } from "./info.js";
import { theme } from "./theme.js";
import { connectControls } from "./controls.js";
import { Player } from "./player.js";

const $ = (id) => document.getElementById(id);
const POLL = 2000; // ms between looks at a run that is going on

export class App {
    constructor() {
        this.source = openSource();
        this.store = new FrameStore(this.source);
        this.at = -1;         // place of the frame shown, in run.frames
        this.selected = null; // id of a grain
        this.rangeMode = "frame";
        this.hand = [0, 1];
        this.map = "talus";
        this.runRanges = new Map(); // frame number -> {key: [low, high]}
    }

    async start() {
        if (!document.createElement("canvas").getContext("webgl2"))
            return this.complain("This browser shows no WebGL 2, which the page draws with. A newer one does, or this one once its graphics acceleration is turned on.");
        await this.readRun();
        this.plot = new Plot($("plot"), (time) => this.player.goTime(time));
        this.player = new Player(this);
        connectControls(this);
        await this.readSeries();
        await this.begin();
        if (this.source.live && !this.run.summary) setTimeout(() => this.poll(), POLL);
    }

    complain(text) {
        $("message").textContent = text;
        $("message").hidden = text === "";
    }

    async readRun() {
        const run = await this.source.run();
        run.summary = run.summary ? JSON.parse(run.summary) : null;
        this.run = run;
        const title = run.summary?.title || run.title || run.directory;
        document.title = `${title} – Talus`;
        $("title").textContent = title;
        showRun(run, $("run"), $("verdict"));
    }

    async readSeries() {
        const series = readSeries(await this.source.series());
        const wish = $("column").value || "kinetic_translation";
        if ($("column").options.length !== series.columns.length) {
            $("column").replaceChildren(...series.columns.map((c) => new Option(c.unit ? `${c.name} (${c.unit})` : c.name, c.name)));
            if (series.columns.some((c) => c.name === wish)) $("column").value = wish;
        }
        this.plot.set({ series });
        this.applyColumn();
    }
    applyColumn() { this.plot.set({ column: Math.max(0, $("column").selectedIndex) }); }

    /** The first frame there is makes the scene; before that there is nothing to see. */
    async begin() {
        const { frames } = this.run;
        if (frames.length === 0) return this.complain("No frame yet. A run keeps frames with: talus run SCENE --frames-every 20ms");
        this.complain("");
        const some = await Promise.all([0, 0.5, 1].map((share) => this.store.get(frames[Math.floor(share * (frames.length - 1))])));
        const last = some.at(-1);
        this.flat = last.dim === 2;
        document.body.classList.toggle("flat", this.flat);
        for (const button of document.querySelectorAll(".solid")) button.hidden = this.flat;
        $("cut-panel").hidden = this.flat;
        this.view = new SceneView($("canvas"), this.flat, await this.source.shapes());
        this.view.stage.onQuality = (level) => this.showQuality(level);
        this.view.setBounds(some);
        this.scalars = scalarsOf(last, this.run);
        this.scalar = this.scalars.find((s) => s.key === defaultScalar(this.scalars, this.run, last));
        $("scalar").replaceChildren(...this.scalars.map((s) => new Option(s.unit ? `${s.label} (${s.unit})` : s.label, s.key)));
        $("scalar").value = this.scalar.key;
        $("map").replaceChildren(...Object.entries(MAPS).map(([name, meaning]) => new Option(`${name}: ${meaning}`, name)));
        this.view.stage.fit();
        this.applyShow();
        await this.player.go(frames.length - 1);
    }

    /** A picture that is not the full one says so: null is the full one. */
    showQuality(level) {
        const forces = level && level.bars < 1 && this.view.show.mode !== "grains" ? `, the strongest 1/${Math.round(1 / level.bars)} of the forces` : "";
        $("quality").textContent = level ? `coarse while moving${forces}` : "";
        $("quality").hidden = !level;
    }

    /** Shows a frame; later calls win over earlier ones that are still being read. */
    async showFrame(place) {
        const entry = this.run.frames[place];
        this.wanted = place;
        const frame = await this.store.get(entry);
        if (this.wanted !== place) return;
        this.at = place;
        this.frame = frame;
        this.view.setFrame(frame);
        this.values = this.scalar.of(frame);
        this.view.setValues(this.values);
        this.applyColors();
        this.applySelection();
        this.applyForceKey();
        this.plot.set({ time: frame.time });
        this.player.label();
    }

    // ---- colours

    setScalar(key) {
        this.scalar = this.scalars.find((s) => s.key === key) ?? this.scalar;
        this.map = this.scalar.signed ? "diverging" : this.map === "diverging" ? "talus" : this.map;
        $("map").value = this.map;
        this.values = this.scalar.of(this.frame);
        this.view.setValues(this.values);
        this.applyColors();
        if (this.rangeMode === "run") this.readRanges();
    }

    currentRange() {
        if (this.rangeMode === "hand") return this.hand;
        let range = rangeOf(this.values);
        if (this.rangeMode === "run")
            for (const known of this.runRanges.values()) {
                const other = known[this.scalar.key];
                if (other) range = [Math.min(range[0], other[0]), Math.max(range[1], other[1])];
            }
        if (this.map !== "diverging") return range;
        const far = Math.max(Math.abs(range[0]), Math.abs(range[1]));
        return range[0] < 0 ? [-far, far] : range;
    }

    applyColors() {
        const range = this.currentRange(), row = colorRow(this.scalar.categorical ? "categories" : this.map);
        this.range = range;
        this.view.setColors(row, range, this.scalar.categorical);
        showLegend($("legend"), this.run, { scalar: this.scalar, row, range, values: this.values });
        if (this.rangeMode !== "hand") {
            $("low").value = Number(range[0].toPrecision(4));
            $("high").value = Number(range[1].toPrecision(4));
        }
    }

    /** The range over all frames needs all of them: read one by one, with word of how far that is. */
    async readRanges() {
        const key = this.scalar.key, scalar = this.scalar, { frames } = this.run;
        for (let i = 0; i < frames.length; i++) {
            if (this.rangeMode !== "run" || this.scalar.key !== key) return;
            const known = this.runRanges.get(frames[i].number) ?? {};
            if (!known[key]) {
                known[key] = rangeOf(scalar.of(await this.store.get(frames[i])));
                this.runRanges.set(frames[i].number, known);
                $("range-note").textContent = `${i + 1} of ${frames.length} frames`;
            }
        }
        $("range-note").textContent = "";
        this.applyColors();
    }

    // ---- what is shown

    applyShow() {
        const mode = document.querySelector("input[name=mode]:checked").value;
        this.view.setShow({ mode, walls: $("walls").checked, marks: $("marks").checked, widen: 10 ** (0.7 * $("widen").valueAsNumber) });
        this.applyForceKey();
    }
    applyForceKey() {
        $("force-key").hidden = this.view.show.mode === "grains";
        if (this.frame) showForceKey($("force-key"), this.view.forces, (name) => `#${theme[name].getHexString("srgb-linear")}`);
    }
    applyCut() {
        this.view.setCut({ on: $("cut").checked, axis: Number($("cut-axis").value), at: $("cut-at").valueAsNumber, flip: $("cut-flip").checked });
        $("cut-place").textContent = $("cut").checked ? `${"xyz"[this.view.cut.axis]} = ${this.view.plane().place.toPrecision(4)} m` : "";
    }

    // ---- one grain

    selectPlace(place) {
        this.selected = place < 0 ? null : Number(this.frame.grains.id.data[place]);
        this.applySelection();
    }
    applySelection() {
        const place = this.selected === null ? -1 : this.frame.grains.id.data.indexOf(this.selected);
        this.view.select(place);
        if (place >= 0) showGrain(this.run, this.frame, place, $("grain"));
        else $("grain").replaceChildren(Object.assign(document.createElement("p"), { className: "quiet",
            textContent: this.selected === null ? "Click a grain to read its numbers." : `Grain ${this.selected} is not in this frame.` }));
    }

    // ---- a run that goes on

    async poll() {
        try {
            const before = this.run, follow = this.at === before.frames.length - 1;
            await this.readRun();
            if (this.run.series_bytes !== before.series_bytes) await this.readSeries();
            if (!this.view) await this.begin();
            else if (this.run.frames.length !== before.frames.length) {
                this.player.size();
                if (follow && !this.player.playing) await this.player.go(this.run.frames.length - 1);
            }
            if (this.run.summary) return;
        } catch (error) {
            console.warn(`talus: ${error.message}`); // the server is gone, or a file was just being replaced
        }
        setTimeout(() => this.poll(), POLL);
    }
}

const app = new App();
window.talus = app; // for scripts and tests
app.ready = app.start().catch((error) => {
    app.complain(`The run cannot be shown: ${error.message}`);
    throw error;
});
