// SPDX-License-Identifier: Apache-2.0
// The page of a run: reads what there is, shows a frame, keeps panels, plot and scene in step.
import { openSource, FrameStore, NoAnswer } from "./source.js";
import { SceneView } from "./scene.js";
import { scalarsOf, rangeOf, defaultScalar, typed, placed } from "./scalars.js";
import { colorRow, MAPS } from "./colors.js";
import { Plot, readSeries } from "./plot.js";
import { showRun, showGrain, showLegend, showForceKey, forceLegend } from "./info.js";
import { theme } from "./theme.js";
import { connectControls } from "./controls.js";
import { Player } from "./player.js";

const $ = (id) => document.getElementById(id);
const POLL = 2000; // ms between looks at a run that is going on
const OVER = 5000; // ms between looks at one that is over: it may be resumed, or made again

export class App {
    constructor() {
        this.source = openSource();
        this.store = new FrameStore(this.source);
        this.at = -1;         // place of the frame shown, in run.frames
        this.selected = null; // id of a grain
        this.rangeMode = "frame";
        this.hand = [null, null]; // null: automatic
        this.withGrains = "grains"; // the last mode that showed them
        this.trouble = { server: "", frame: "" };
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
        if (this.source.live) this.pollLater();
    }

    complain(text) {
        $("message").textContent = text;
        $("message").hidden = text === "";
    }

    /** Something is wrong that does not keep one from looking at what there is: of the server or of a frame; "": no longer. */
    warn(what, text) {
        this.trouble[what] = text;
        const all = this.trouble.server || this.trouble.frame;
        if ($("notice").textContent !== all) $("notice").textContent = all;
        $("notice").hidden = all === "";
    }
    #warnOf(error, what, text) {
        if (error instanceof NoAnswer)
            this.warn("server", `The server does not answer. What was read can still be seen; new frames come when it answers again (talus view ${this.run.directory} --port ${location.port}).`);
        else this.warn(what, `${text}: ${error.message}`);
    }

    async readRun() {
        const run = await this.source.run();
        run.verdict = run.summary; // its text, to see whether it is another one
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
        const { some, last, place } = await this.#readSome();
        this.flat = last.dim === 2;
        document.body.classList.toggle("flat", this.flat);
        for (const button of document.querySelectorAll(".solid")) button.hidden = this.flat;
        $("cut-panel").hidden = this.flat;
        this.view = new SceneView($("canvas"), this.flat, await this.source.shapes());
        this.view.stage.onQuality = (level) => this.showQuality(level);
        this.view.setBounds(some);
        this.#offerScalars(last);
        $("map").replaceChildren(...Object.entries(MAPS).map(([name, meaning]) => new Option(`${name}: ${meaning}`, name)));
        this.view.stage.fit();
        this.applyShow();
        const said = this.trouble.frame;
        await this.player.go(place);
        if (said) this.warn("frame", said); // that another one is shown says why
        this.taken = this.run; // what the page shows
    }
    /** The first frame, one in the middle, the last; of those that cannot be read others stand in. */
    async #readSome() {
        const { frames } = this.run, places = [...new Set([0, 0.5, 1].map((share) => Math.floor(share * (frames.length - 1))))];
        const read = await Promise.allSettled(places.map((place) => this.store.get(frames[place])));
        const good = places.filter((_, k) => read[k].status === "fulfilled"), bad = read.findIndex(({ status }) => status === "rejected");
        if (good.length === 0) throw read.at(-1).reason;
        if (bad >= 0) this.#warnOf(read[bad].reason, "frame", `Frame ${places[bad] + 1} cannot be read`);
        const some = read.filter(({ status }) => status === "fulfilled").map(({ value }) => value);
        return { some, last: some.at(-1), place: good.at(-1) };
    }
    /** What grains can be coloured by; what they are coloured by stays. */
    #offerScalars(frame) {
        const wish = this.scalar?.key;
        this.scalars = scalarsOf(frame, this.run);
        this.scalar = this.scalars.find((s) => s.key === wish) ?? this.scalars.find((s) => s.key === defaultScalar(this.scalars, this.run, frame));
        $("scalar").replaceChildren(...this.scalars.map((s) => new Option(s.unit ? `${s.label} (${s.unit})` : s.label, s.key)));
        $("scalar").value = this.scalar.key;
    }

    /** A picture that is not the full one says so: null is the full one. */
    showQuality(level) {
        const forces = level && level.bars < 1 && this.view.show.mode !== "grains" ? `, the strongest 1/${Math.round(1 / level.bars)} of the forces` : "";
        $("quality").textContent = level ? `coarse while moving${forces}` : "";
        $("quality").hidden = !level;
    }

    /** Shows a frame; later calls win over earlier ones that are still being read. One that cannot be read leaves all as it was. */
    async showFrame(place) {
        const entry = this.run.frames[place];
        this.wanted = place;
        let frame;
        try {
            frame = await this.store.get(entry);
        } catch (error) {
            if (this.wanted !== place) return;
            this.wanted = this.at;
            this.#warnOf(error, "frame", `Frame ${place + 1} cannot be read`);
            this.player.pause();
            this.player.settle();
            return;
        }
        if (this.wanted !== place) return;
        this.warn("frame", "");
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
        if (!this.frame) return;
        this.values = this.scalar.of(this.frame);
        this.view.setValues(this.values);
        this.applyColors();
        if (this.rangeMode === "run") this.readRanges();
    }

    currentRange() {
        const range = this.#automaticRange();
        if (this.rangeMode !== "hand") return range;
        let [low, high] = this.hand;
        if (this.map === "diverging") [low, high] = [low ?? (high > 0 ? -high : null), high ?? (low < 0 ? -low : null)];
        [low, high] = [low ?? range[0], high ?? range[1]];
        return low <= high ? [low, high] : [high, low];
    }
    /** That of a map about zero goes as far below it as above, also where all numbers have one sign, as in talus picture (src/io/picture_color.c). */
    #automaticRange() {
        let range = rangeOf(this.values);
        if (this.rangeMode === "run")
            for (const known of this.runRanges.values()) {
                const other = known[this.scalar.key];
                if (other) range = [Math.min(range[0], other[0]), Math.max(range[1], other[1])];
            }
        if (this.map !== "diverging") return range;
        const far = Math.max(Math.abs(range[0]), Math.abs(range[1]));
        return [-far, far];
    }

    applyColors() {
        if (!this.frame) return;
        const range = this.currentRange(), row = colorRow(this.scalar.categorical ? "categories" : this.map, range);
        this.range = range;
        this.view.setColors(row, range, this.scalar.categorical);
        this.applyLegend(row);
        for (const [k, id] of ["low", "high"].entries()) {
            $(id).placeholder = typed(range[k]);
            if (this.rangeMode !== "hand") $(id).value = typed(range[k]);
        }
    }
    applyLegend(row = this.view.colors.image.data) {
        const { mode } = this.view.show, { scalar, range } = this;
        showLegend($("legend"), this.run, { scalar, row, range, values: mode === "forces" ? null : this.values,
            forces: mode === "grains" ? null : forceLegend(this.view.forces, cssOf) });
    }

    /** The range over all frames needs all of them: read one by one, with word of how far that is. */
    async readRanges() {
        const key = this.scalar.key, scalar = this.scalar, { frames } = this.run;
        let missing = 0;
        for (let i = 0; i < frames.length; i++) {
            if (this.rangeMode !== "run" || this.scalar.key !== key) return;
            const known = this.runRanges.get(frames[i].number) ?? {};
            if (known[key]) continue;
            try {
                known[key] = rangeOf(scalar.of(await this.store.get(frames[i])));
            } catch (error) {
                missing++;
                this.#warnOf(error, "frame", `Frame ${i + 1} cannot be read`);
                if (error instanceof NoAnswer) { missing = frames.length - i; break; }
                continue;
            }
            this.runRanges.set(frames[i].number, known);
            $("range-note").textContent = `${i + 1} of ${frames.length} frames`;
        }
        $("range-note").textContent = missing > 0 ? `without ${missing} of ${frames.length} frames` : "";
        this.applyColors();
    }

    // ---- what is shown

    applyShow() {
        const mode = document.querySelector("input[name=mode]:checked").value;
        if (mode !== "forces") this.withGrains = mode;
        this.view.setShow({ mode, walls: $("walls").checked, marks: $("marks").checked, widen: 10 ** (0.7 * $("widen").valueAsNumber) });
        this.applyForceKey();
    }
    applyForceKey() {
        $("force-key").hidden = this.view.show.mode === "grains";
        if (!this.frame) return;
        showForceKey($("force-key"), this.view.forces, cssOf);
        this.applyLegend();
    }
    applyCut() {
        this.view.setCut({ on: $("cut").checked, axis: Number($("cut-axis").value), at: $("cut-at").valueAsNumber, flip: $("cut-flip").checked });
        const { axis } = this.view.cut, { low, high } = this.view.stage.bounds;
        $("cut-place").textContent = $("cut").checked ? `${"xyz"[axis]} = ${placed(this.view.plane().place, high[axis] - low[axis])} m` : "";
    }

    // ---- one grain

    selectPlace(place) {
        if (!this.frame) return;
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

    pollLater() { setTimeout(() => this.poll(), this.run.summary && !this.trouble.server ? OVER : POLL); }

    /** Also of a run that is over: it may be resumed, or made again. Camera, colours and the chosen grain stay as they are. */
    async poll() {
        try {
            await this.readRun();
            this.failed = 0;
            this.warn("server", "");
            if (!this.taken || this.run.series_bytes !== this.taken.series_bytes || isAnother(this.run, this.taken)) await this.readSeries();
            if (!this.view) await this.begin();
            else await this.#takeUp();
        } catch (error) {
            this.failed = (this.failed ?? 0) + 1; // once: a file was just being replaced
            if (error instanceof NoAnswer || this.failed > 1) this.#warnOf(error, "server", "The run cannot be read");
        }
        this.pollLater();
    }
    async #takeUp() {
        const { run, taken } = this, another = isAnother(run, taken), follow = !this.frame || this.at >= taken.frames.length - 1;
        if (run.frames.length === 0) return this.complain("No frame yet: the run was begun again.");
        if (another) await this.#takeAnother();
        if (another || run.frames.length !== taken.frames.length) {
            this.player.size();
            const place = follow && !this.player.playing ? run.frames.length - 1 : another ? Math.min(this.at, run.frames.length - 1) : this.at;
            if (another || place !== this.at) await this.player.go(place);
        }
        this.complain("");
        this.taken = run;
    }
    /** What was read is not of this run. */
    async #takeAnother() {
        this.store.clear();
        this.runRanges.clear();
        const { some, last } = await this.#readSome();
        if ((last.dim === 2) !== this.flat) return location.reload();
        this.view.setShapes(await this.source.shapes());
        this.view.setBounds(some);
        this.#offerScalars(last);
        if (this.rangeMode === "run") this.readRanges();
    }
}

/** Is it not the run that was read, a part further on? Where there was a summary and there is another one, or none, frames may be others, too. */
const isAnother = (run, taken) => (taken.verdict && taken.verdict !== run.verdict) || run.frames.length < taken.frames.length
    || taken.frames.some(({ number, time }, k) => run.frames[k].number !== number || run.frames[k].time !== time);

const cssOf = (name) => `#${theme[name].getHexString("srgb-linear")}`;

const app = new App();
window.talus = app; // for scripts and tests
app.ready = app.start().catch((error) => {
    app.complain(`The run cannot be shown: ${error.message}`);
    throw error;
});
