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

class ServerSource {
    live = true;
    async #get(path) {
        const answer = await fetch(path);
        if (!answer.ok) throw new Error((await answer.text()).trim() || `${path}: ${answer.status}`);
        return answer;
    }
    async run() { return (await this.#get("run.json")).json(); }
    async series() { return (await this.#get("series.tsv")).text(); }
    async shapes() { return unpack(await (await this.#get("shapes")).arrayBuffer()); }
    async frame(number) { return unpack(await (await this.#get(`frame/${number}`)).arrayBuffer()); }
}

export const openSource = () => (document.getElementById("data-run") ? new EmbeddedSource() : new ServerSource());

/** Frames that were read, as many as fit into some room; the ones used least recently go. */
export class FrameStore {
    #kept = new Map(); // place -> promise of a frame
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
        coming.then((frame) => this.#account(frame), () => this.#kept.delete(entry.number));
        return coming;
    }
    async #account(frame) {
        this.#bytes += frame.bytes;
        for (const [number, promise] of this.#kept) {
            if (this.#bytes <= this.room || this.#kept.size <= 2) break;
            this.#kept.delete(number);
            this.#bytes -= (await promise).bytes;
        }
    }
}
