// SPDX-License-Identifier: Apache-2.0
// The binary form of a frame (docs/page.md, src/page/pack.h): views into one buffer, nothing is copied.

const MAGIC = "TALUSPG1";
const HEAD = 56, ENTRY = 56;
const OWNERS = ["grains", "contacts", "wallContacts", "walls", "surfaces", "membranes", "shapes", "cell"];
const TYPES = [Float32Array, Int32Array, Float64Array];

/** {time, step, origin, dim, grains: {x: {data, components, count}, ...}, contacts: {...}, ...} */
export function unpack(buffer) {
    const view = new DataView(buffer);
    const text = (at, length) => new TextDecoder().decode(new Uint8Array(buffer, at, length)).replace(/\0.*$/s, "");
    if (buffer.byteLength < HEAD || text(0, 8) !== MAGIC) throw new Error("this is not a frame of this version of the page");
    const frame = {
        time: view.getFloat64(8, true),
        step: Number(view.getBigInt64(16, true)),
        origin: [24, 32, 40].map((at) => view.getFloat64(at, true)),
        dim: view.getUint32(48, true),
        bytes: buffer.byteLength,
    };
    for (const owner of OWNERS) frame[owner] = {};
    const sections = view.getUint32(52, true);
    for (let s = 0; s < sections; s++) {
        const entry = HEAD + s * ENTRY;
        const [owner, type, components, count, offset] = [32, 36, 40, 44, 48].map((at) => view.getUint32(entry + at, true));
        frame[OWNERS[owner]][text(entry, 32)] = {
            data: new TYPES[type](buffer, offset, components * count),
            components, count,
        };
    }
    frame.count = frame.grains.x ? frame.grains.x.count : 0;
    return frame;
}
