/**
 * Follows the newest frame of a live source smoothly.
 *
 * A little behind it, at the rate at which frames come.
 *
 * Frames come unevenly. The shown position stays a moment behind the newest frame, runs at the measured rate of
 * arrival, and a little faster or slower as it is too far behind or too near. It never goes back. Too far behind (a
 * hidden tab), it jumps to the front.
 */
import { NORMAL_TPS } from "../model.js";

/** The distance to the newest frame, s: two turns at 30 turns per second. */
const DELAY_S = 2 / NORMAL_TPS;
/** Part of the error that is made good in a second. */
const GAIN_PER_S = 4;
/** The rate of arrival is averaged over about this long, s. */
const AVERAGE_S = 1;
/** A burst counts as at most so many times the average. */
const BURST = 4;
/** Behind by more than this, s of frames, it jumps. */
const JUMP_S = 2.5;
/** … but never for less than so many turns. */
const JUMP_TURNS_MIN = 90;
/** The last frames before a pause are shown at least this fast, turns per second. */
const DRAIN_TPS = 15;

/** @typedef {import("../model.js").Source} Source */

export class LiveBuffer {
  constructor() {
    /** Frames a second, averaged; 0: not known yet. */
    this.arrivals = 0;
    /** @type {number | null} */
    this.newest = null;
  }

  /**
   * Note how many frames have come.
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
   * Say how to continue from a position.
   * @param {Source} source
   * @param {number} position
   * @param {number} seconds
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
