// SPDX-License-Identifier: Apache-2.0
//
// Which spheres can be seen: in a packing few of them. Before they are drawn they are looked at one by one, from front to back, on
// a raster of cells of the size of a pixel or a few, which remembers how far off it is closed. A sphere all of whose cells are closed nearer
// than its own front is hidden. Nothing is hidden that could be seen: cells are closed only where a sphere covers them for
// certain, so the picture is the same with and without those that are left out. No WebGL here.

const SHELVES = 4096; // in which grains are sorted by their distance

/** The places of numbers in the order of their size, nearly: as good as needed, and quick. */
export function orderOf(numbers) {
    let low = Infinity, high = -Infinity;
    for (const v of numbers) { low = Math.min(low, v); high = Math.max(high, v); }
    const scale = (SHELVES - 1) / Math.max(high - low, 1e-300), starts = new Uint32Array(SHELVES + 1), out = new Uint32Array(numbers.length);
    const shelf = (v) => Math.floor((v - low) * scale);
    for (const v of numbers) starts[shelf(v) + 1]++;
    for (let k = 0; k < SHELVES; k++) starts[k + 1] += starts[k];
    numbers.forEach((v, k) => { out[starts[shelf(v)]++] = k; });
    return out;
}

const TILE = 8; // cells along a side

/** Cells that remember the distance beyond which nothing is seen through them; of each tile of cells the largest, when last surveyed. */
class Raster {
    resize(width, height) {
        Object.assign(this, { width, height, across: Math.ceil(width / TILE), down: Math.ceil(height / TILE) });
        if (!(this.far?.length >= width * height)) this.far = new Float32Array(width * height);
        this.far.fill(Infinity, 0, width * height);
        this.tiles = new Float32Array(this.across * this.down).fill(Infinity);
    }
    survey() {
        for (let tile = 0; tile < this.tiles.length; tile++) this.tiles[tile] = this.#farthest(TILE * (tile % this.across), TILE * Math.floor(tile / this.across));
    }
    #farthest(left, low) {
        const { far, width, height } = this, right = Math.min(width, left + TILE), top = Math.min(height, low + TILE);
        let most = 0;
        for (let j = low; j < top && most < Infinity; j++)
            for (let at = j * width + left, end = j * width + right; at < end; at++) if (far[at] > most) most = far[at];
        return most;
    }
    /** Are all tiles about this square closed at this distance? */
    closed(x, y, radius, distance) {
        const { tiles, across, down } = this, right = Math.min(across - 1, Math.floor((x + radius) / TILE));
        const top = Math.min(down - 1, Math.floor((y + radius) / TILE)), left = Math.max(0, Math.floor((x - radius) / TILE));
        for (let j = Math.max(0, Math.floor((y - radius) / TILE)); j <= top; j++)
            for (let i = left; i <= right; i++) if (tiles[j * across + i] > distance) return false;
        return true;
    }
    /** Is any cell that touches the disc open at this distance? Places in cells. */
    open(x, y, radius, distance) {
        const { far, width, height } = this;
        const top = Math.min(height - 1, Math.floor(y + radius));
        for (let j = Math.max(0, Math.floor(y - radius)); j <= top; j++) {
            const off = Math.max(0, Math.abs(j + 0.5 - y) - 0.5), half = Math.sqrt(Math.max(0, radius * radius - off * off));
            const end = j * width + Math.min(width - 1, Math.floor(x + half));
            for (let at = j * width + Math.max(0, Math.floor(x - half)); at <= end; at++) if (far[at] > distance) return true;
        }
        return false;
    }
    /** Closes the cells whose centres lie in the disc. */
    close(x, y, radius, distance) {
        const { far, width, height } = this;
        const top = Math.min(height - 1, Math.floor(y + radius - 0.5));
        for (let j = Math.max(0, Math.ceil(y - radius - 0.5)); j <= top; j++) {
            const off = j + 0.5 - y, half = Math.sqrt(Math.max(0, radius * radius - off * off));
            const end = j * width + Math.min(width - 1, Math.floor(x + half - 0.5));
            for (let at = j * width + Math.max(0, Math.ceil(x - half - 0.5)); at <= end; at++) if (far[at] > distance) far[at] = distance;
        }
    }
}

const raster = new Raster();
const SURVEYS = 8; // on the way from front to back
const CELLS = 4; // of which the radius of a usual grain has about so many, or fewer

const middleOf = (radii) => Float32Array.from(radii).sort()[radii.length >> 1] ?? 0;

/**
 * Those of `spheres` (x, y, z, radius of each) that a camera may see, in the given order, apart by their size on the screen: {small, large, hidden}.
 * `eye`: matrix (16 numbers, from the spheres' axes to the camera's, column by column), focus (pixels of a length 1 at distance 1),
 * stretch (how much more of them sideways, nearly 1), width, height (pixels), size (by which radii are multiplied), cut (a plane in the camera's axes, beyond which all is cut away; null),
 * rim (pixels by which the edge of a grain is soft), small (pixels: radius up to which a grain is small).
 */
export function seenOf(spheres, order, eye) {
    const { matrix: m, focus, stretch, size, cut, rim } = eye, small = [], large = [];
    const cell = cellOf(spheres, order, eye);
    raster.resize(Math.ceil(eye.width / cell), Math.ceil(eye.height / cell));
    const half_width = 0.5 * eye.width / cell, half_height = 0.5 * eye.height / cell, scale = focus / cell;
    const inset = rim / cell + (cell > 1 ? 0.71 : 0); // cells of many pixels have to be covered whole
    const often = Math.ceil(order.length / SURVEYS);
    for (let at = 0; at < order.length; at++) {
        const k = order[at];
        if (at % often === 0 && at > 0) raster.survey();
        const px = spheres[4 * k], py = spheres[4 * k + 1], pz = spheres[4 * k + 2], r = size * spheres[4 * k + 3];
        const x = m[0] * px + m[4] * py + m[8] * pz + m[12], y = m[1] * px + m[5] * py + m[9] * pz + m[13];
        const z = -(m[2] * px + m[6] * py + m[10] * pz + m[14]);
        const height = cut ? cut[0] * x + cut[1] * y - cut[2] * z + cut[3] : -Infinity;
        if (height > r || z < -r) continue;
        if (z < 1.01 * r) { large.push(k); continue; } // about the camera
        // What a sphere covers is an ellipse, in which there is a disc of its smaller axis, and about which one of its larger axis.
        const q = z * z - r * r, u = half_width + stretch * scale * x * z / q, v = half_height + scale * y * z / q;
        const inner = Math.min(1, stretch) * scale * r / Math.sqrt(q), outer = Math.max(1, stretch) * scale * r / q * Math.sqrt(q + x * x + y * y);
        const square = x * x + y * y + z * z;
        if (u + outer < -1 || v + outer < -1 || u - outer > raster.width + 1 || v - outer > raster.height + 1) continue;
        const front = Math.sqrt(square) - r, about = outer + rim / cell;
        if (raster.closed(u, v, about, front) || !raster.open(u, v, about, front)) continue;
        (outer * cell <= eye.small ? small : large).push(k);
        if (height < -r && inner > inset) raster.close(u, v, inner - inset, Math.sqrt(square - r * r));
    }
    return { small, large, hidden: order.length - small.length - large.length };
}

/** Pixels of a cell: few enough cells for a quick look, enough of them to see through few gaps. */
function cellOf(spheres, order, { matrix: m, focus, size }) {
    const some = [], step = Math.max(1, order.length >> 8);
    for (let i = 0; i < order.length; i += step) {
        const k = order[i], z = -(m[2] * spheres[4 * k] + m[6] * spheres[4 * k + 1] + m[10] * spheres[4 * k + 2] + m[14]);
        if (z > 0) some.push(focus * size * spheres[4 * k + 3] / z);
    }
    return Math.max(1, Math.floor(middleOf(some) / CELLS));
}
