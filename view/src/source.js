// SPDX-License-Identifier: Apache-2.0
// Where the data come from: the server that served this page, or elements of the page itself (talus view --html).
import { unpack } from "./unpack.js";

/** Data inside the page: zlib in base64. */
class EmbeddedSource {
    live = false;
    async #bytes(name) {
        const element = document.getElementById(`data-${name}`);
        if (!element) throw new Error(`this page holds no ${name}`);
        const letters = atob(element.textContent);
        const packed = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
        const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
        return new Response(stream).arrayBuffer();
    }
    async run() { return JSON.parse(new TextDecoder().decode(await this.#bytes("run"))); }
    async series() { return new TextDecoder().decode(await this.#bytes("series")); }
    async shapes() { return unpack(await this.#bytes("shapes")); }
    async frame(number) { return unpack(await this.#bytes(`frame-${number}`)); }
}

/** No answer, or half of one: nobody is there. All else is an answer, if only that something cannot be read. */
export class NoAnswer extends Error {
    constructor() { super("the server does not answer"); }
}

class ServerSource {
    live = true;
    async #get(path) {
        let answer, bytes;
        try {
            answer = await fetch(path);
            bytes = await answer.arrayBuffer();
        } catch { throw new NoAnswer(); }
        if (!answer.ok) throw new Error(textOf(bytes).trim() || `${path}: ${answer.status}`);
        return bytes;
    }
    async run() { return JSON.parse(textOf(await this.#get("run.json"))); }
    async series() { return textOf(await this.#get("series.tsv")); }
    async shapes() { return unpack(await this.#get("shapes")); }
    async frame(number) { return unpack(await this.#get(`frame/${number}`)); }
}
const textOf = (bytes) => new TextDecoder().decode(bytes);

export const openSource = () => (document.getElementById("data-run") ? new EmbeddedSource() : new ServerSource());

/** Frames that were read, as many as fit into some room; the ones used least recently go. */
export class FrameStore {
    #kept = new Map(); // number -> promise of a frame
    #sizes = new Map(); // number -> bytes of those that have arrived
    #bytes = 0;
    constructor(source, room = 400e6) { Object.assign(this, { source, room }); }

    get(entry) {
        const old = this.#kept.get(entry.number);
        if (old) { // to the end: used last
            this.#kept.delete(entry.number);
            this.#kept.set(entry.number, old);
            return old;
        }
        const coming = this.source.frame(entry.number);
        this.#kept.set(entry.number, coming);
        const isKept = () => this.#kept.get(entry.number) === coming;
        coming.then((frame) => { if (isKept()) this.#account(frame, entry.number); }, () => { if (isKept()) this.#kept.delete(entry.number); });
        return coming;
    }
    /** What was read is of a run that is no more. */
    clear() {
        this.#kept.clear();
        this.#sizes.clear();
        this.#bytes = 0;
    }
    #account(frame, number) {
        this.#sizes.set(number, frame.bytes);
        this.#bytes += frame.bytes;
        for (const [old, bytes] of this.#oldest()) {
            if (this.#bytes <= this.room || this.#kept.size <= 2) break;
            this.#kept.delete(old);
            this.#sizes.delete(old);
            this.#bytes -= bytes;
        }
    }
    /** Those that have arrived: [number, bytes], in the order of their use. */
    #oldest() { return [...this.#kept.keys()].filter((number) => this.#sizes.has(number)).map((number) => [number, this.#sizes.get(number)]); }
}
