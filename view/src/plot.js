// SPDX-License-Identifier: Apache-2.0
// One column of series.tsv against time. A click or a drag asks for the moment under it.
import { show } from "./scalars.js";

/** {columns: [{name, unit}], rows: [Float64Array for each column]} */
export function readSeries(text) {
    const lines = text.split("\n").filter((line) => line.length > 0);
    const columns = (lines.shift() ?? "").split("\t").map((title) => {
        const [, name, unit] = /^(.*?)(?:\[(.*)\])?$/.exec(title);
        return { name, unit: unit ?? "" };
    });
    const rows = columns.map(() => new Float64Array(lines.length));
    lines.forEach((line, r) => line.split("\t").forEach((value, c) => { if (rows[c]) rows[c][r] = Number(value); }));
    return { columns, rows };
}

/** Round numbers that divide the way from low to high into about so many parts. */
export function ticks(low, high, about) {
    const rough = (high - low) / about, power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999) ?? rough;
    const out = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) out.push(k * step + 0); // + 0: no -0
    return out;
}

const MARGIN = { left: 58, right: 12, top: 10, bottom: 34 };

export class Plot {
    constructor(canvas, onTime) {
        Object.assign(this, { canvas, series: null, column: 0, time: 0 });
        const ask = (event) => {
            if (!this.box) return;
            const share = (event.offsetX - MARGIN.left) / this.box.width;
            onTime(this.box.from + Math.min(1, Math.max(0, share)) * (this.box.to - this.box.from));
        };
        canvas.addEventListener("pointerdown", (event) => { canvas.setPointerCapture(event.pointerId); ask(event); });
        canvas.addEventListener("pointermove", (event) => { if (event.buttons & 1) ask(event); });
        new ResizeObserver(() => this.draw()).observe(canvas);
    }
    set(changes) {
        Object.assign(this, changes);
        this.draw();
    }

    #range(values) {
        let low = Infinity, high = -Infinity;
        for (const v of values) if (Number.isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); }
        if (!(low <= high)) return [0, 1];
        const room = 0.05 * (high - low) || Math.abs(high) * 0.1 || 1;
        return [low - room, high + room];
    }

    draw() {
        const { canvas, series } = this, scale = window.devicePixelRatio, width = canvas.clientWidth, height = canvas.clientHeight;
        if (width === 0 || !series) return;
        canvas.width = width * scale;
        canvas.height = height * scale;
        const g = canvas.getContext("2d"), css = getComputedStyle(canvas);
        g.scale(scale, scale);
        g.font = "11px system-ui, sans-serif";
        const at = series.columns.findIndex((c) => c.name === "time"), times = series.rows[at] ?? [], values = series.rows[this.column] ?? [];
        if (times.length === 0) {
            this.box = null;
            g.fillStyle = css.color;
            return g.fillText("no rows yet", MARGIN.left, height / 2);
        }
        const [low, high] = this.#range(values), from = times[0], to = times.at(-1) > from ? times.at(-1) : from + 1;
        const box = this.box = { from, to, width: width - MARGIN.left - MARGIN.right, height: height - MARGIN.top - MARGIN.bottom };
        const px = (t) => MARGIN.left + (t - from) / (to - from) * box.width;
        const py = (v) => MARGIN.top + (1 - (v - low) / (high - low)) * box.height;
        this.#axes(g, css, { px, py, low, high, from, to, width, height });
        this.#curve(g, css, times, values, px, py);
        g.strokeStyle = css.getPropertyValue("--accent");
        g.lineWidth = 1.5;
        g.beginPath();
        g.moveTo(px(this.time), MARGIN.top);
        g.lineTo(px(this.time), MARGIN.top + box.height);
        g.stroke();
    }

    #axes(g, css, { px, py, low, high, from, to, width, height }) {
        g.strokeStyle = css.getPropertyValue("--line");
        g.fillStyle = css.color;
        g.lineWidth = 1;
        g.textBaseline = "middle";
        g.textAlign = "right";
        for (const v of ticks(low, high, 4)) {
            g.beginPath(); g.moveTo(MARGIN.left, py(v)); g.lineTo(width - MARGIN.right, py(v)); g.stroke();
            g.fillText(show(Math.abs(v) < 1e-9 * (high - low) ? 0 : v, 3), MARGIN.left - 5, py(v));
        }
        g.textAlign = "center";
        g.textBaseline = "top";
        for (const t of ticks(from, to, 4)) {
            g.beginPath(); g.moveTo(px(t), height - MARGIN.bottom); g.lineTo(px(t), height - MARGIN.bottom + 4); g.stroke();
            g.fillText(show(t, 3), px(t), height - MARGIN.bottom + 6);
        }
        g.fillText("time (s)", MARGIN.left + this.box.width / 2, height - 13);
    }

    #curve(g, css, times, values, px, py) {
        g.strokeStyle = css.getPropertyValue("--curve");
        g.lineWidth = 1.6;
        g.lineJoin = "round";
        g.beginPath();
        let down = false;
        for (let i = 0; i < times.length; i++) {
            if (!Number.isFinite(values[i])) { down = false; continue; }
            g[down ? "lineTo" : "moveTo"](px(times[i]), py(values[i]));
            down = true;
        }
        g.stroke();
    }
}
