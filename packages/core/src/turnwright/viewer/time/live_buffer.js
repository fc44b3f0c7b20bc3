/**
 * Follows the newest frame of a live source smoothly.
 *
 * Frames do not arrive evenly. The position that is shown stays a little behind the newest frame and moves at the measured
 * rate of arrival. It moves a little faster if it is too far behind, and slower if it is too near. It never moves back.
 * If it is much too far behind (in a hidden tab), it jumps to the newest frame.
 */
import { NORMAL_TPS } from "../model.js";

/** The distance to the newest frame, s: two turns at 30 turns per second. */
const DELAY_S = 2 / NORMAL_TPS;
/** The part of the error that is corrected in a second. */
const GAIN_PER_S = 4;
/** The rate of arrival is averaged over about this time, s. */
const AVERAGE_S = 1;
/** A burst counts as at most this many times the average. */
const BURST = 4;
/** If the position is further behind the newest frame than this time, s, it jumps. */
const JUMP_S = 2.5;
/** If the position is fewer turns than this behind the newest frame, it does not jump. */
const JUMP_TURNS_MIN = 90;
/** The last frames before a pause are shown at least at this speed, turns per second. */
const DRAIN_TPS = 15;

/** @typedef {import("../model.js").Source} Source */

export class LiveBuffer {
  constructor() {
    /** Frames per second, averaged; 0: not known yet. */
    this.arrivals = 0;
    /** @type {number | null} */
    this.newest = null;
  }

  /**
   * Note how many frames have arrived.
   * @param {Source} source
   * @param {number} seconds since the last note
   */
  note(source, seconds) {
    const newest = source.length - 1;
    if (this.newest === null || newest < this.newest || this.arrivals === 0) {
      this.arrivals = source.status.tps && source.status.tps > 0 ? source.status.tps : NORMAL_TPS;
    } else if (seconds > 0 && source.status.phase === "running") {
      const part = 1 - Math.exp(-seconds / AVERAGE_S);
      const now = Math.min((newest - this.newest) / seconds, BURST * this.arrivals + NORMAL_TPS);
      this.arrivals += (now - this.arrivals) * part;
    }
    this.newest = newest;
  }

  /**
   * Return how to continue from a position: with a jump to the frame `to`, or by `turns` turns.
   * @param {Source} source
   * @param {number} position
   * @param {number} seconds since the last picture
   * @returns {{ jump: boolean, to: number, turns: number }}
   */
  move(source, position, seconds) {
    const flowing = source.status.phase === "running";
    const to = source.length - 1 - (flowing ? this.arrivals * DELAY_S : 0);
    const error = to - position;
    if (error > Math.max(JUMP_TURNS_MIN, this.arrivals * JUMP_S)) {
      return { jump: true, to: Math.floor(to), turns: 0 };
    }
    const rate = flowing ? this.arrivals + GAIN_PER_S * error : Math.max(DRAIN_TPS, GAIN_PER_S * error);
    return { jump: false, to, turns: Math.max(0, rate * seconds) };
  }
}
