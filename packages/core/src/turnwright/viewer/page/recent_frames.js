/** The last frames up to the current one. */

/** @typedef {{ first: number, at: (index: number) => any }} Frames */

/**
 * Follows the position and keeps up to `turns` frames, the oldest first.
 *
 * If `sameRound`, all are of the same round.
 */
export class RecentFrames {
  /**
   * @param {number} turns
   * @param {boolean} sameRound
   */
  constructor(turns, sameRound = false) {
    this.turns = turns;
    this.sameRound = sameRound;
    /** @type {any[]} */
    this.frames = [];
    /** @type {Frames | null} */
    this.source = null;
  }

  /** @returns {number} the index of the newest frame that is kept; −1: none */
  get newest() {
    return this.frames.length > 0 ? this.frames[this.frames.length - 1].index : -1;
  }

  /**
   * Go to a frame.
   *
   * A move forward by at most `turns` frames reads only the new frames. Any other move reads all frames again.
   * @param {Frames} source
   * @param {number} index
   */
  moveTo(source, index) {
    if (source !== this.source || index < this.newest || index - this.newest > this.turns) {
      this.frames = [];
      this.source = source;
    }
    const from = this.frames.length > 0 ? this.newest + 1 : Math.max(index - this.turns + 1, source.first);
    for (let k = from; k <= index; k += 1) {
      const frame = source.at(k);
      if (frame !== null) this.push(frame);
    }
  }

  /** @param {any} frame */
  push(frame) {
    const last = this.frames[this.frames.length - 1];
    if (this.sameRound && last && last.roundNumber !== frame.roundNumber) this.frames = [];
    this.frames.push(frame);
    if (this.frames.length > this.turns) this.frames.shift();
  }

  /** Forget all frames, e.g. because another battle has begun in the same source. */
  clear() {
    this.frames = [];
  }
}
