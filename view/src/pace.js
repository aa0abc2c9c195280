// SPDX-License-Identifier: Apache-2.0
//
// How well the next picture is drawn while something moves, from how long the last ones took. A machine that draws everything in
// time never leaves the first level. No WebGL here.

export const SLOW = 80;    // ms: a picture that takes longer is not smooth
const TRIES = 3;           // slow ones in a row before the level changes: one may be a hiccup
const GAIN = 0.95;         // a coarser level must have been so much quicker for the next one to be worth while
const QUICK = 0.6 * SLOW;  // ms: after many such coarse pictures less coarse ones are tried
const INSTANT = SLOW / 5;  // ms: the same before full pictures are tried
const MANY = 20, MOST = 2000;

/**
 * Whether hidden grains are left out, which changes nothing that is seen; pixels along a side, against all; how many of the force
 * bars, the strongest ones.
 */
export const LEVELS = [
    { hide: false, pixels: 1, bars: 1 },
    { hide: true, pixels: 1, bars: 1 },
    { hide: true, pixels: 1 / 2, bars: 1 },
    { hide: true, pixels: 1 / 3, bars: 1 / 2 },
    { hide: true, pixels: 1 / 4, bars: 1 / 4 },
    { hide: true, pixels: 1 / 4, bars: 1 / 16 },
];
const HIDE = 1, COARSE = 2; // where hiding and coarseness begin

export class Pace {
    at = 0;
    slow = 0;
    quick = 0;
    before = Infinity; // ms of the level that was left because it was slow
    patience = MANY;
    /** Of what there is to be drawn nothing is known yet; if it is a lot, the first picture is a coarse one. */
    begin(lot) { this.at = lot ? COARSE : 0; }
    get level() { return LEVELS[this.at]; }
    get isFull() { return this.at < COARSE; }

    /** A picture of this level took so long. */
    took(ms) {
        this.slow = ms > SLOW ? this.slow + 1 : 0;
        this.quick = ms < (this.at > COARSE ? QUICK : INSTANT) ? this.quick + 1 : 0;
        const worth = this.at <= COARSE || ms < GAIN * this.before;
        if (this.slow >= TRIES && this.at < LEVELS.length - 1 && worth) {
            if (this.tried) this.patience = Math.min(MOST, 2 * this.patience); // the better level was too much
            this.#go(this.at + 1, ms);
        } else if (this.quick >= this.patience && this.at > 0) {
            this.#go(this.at - 1, Infinity);
            this.tried = true;
        }
    }
    /** A full picture, without what is hidden, took so long, drawn at rest. */
    tookFull(ms) { if (ms < SLOW / 2 && this.at > HIDE) this.#go(HIDE, Infinity); }
    #go(at, before) { Object.assign(this, { at, before, slow: 0, quick: 0, tried: false }); }
}
