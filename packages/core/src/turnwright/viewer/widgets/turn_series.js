/**
 * Values and counts by turn, over a whole battle, in bounded space.
 *
 * When a series grows too long, every second point goes.
 */

import { counts, floats } from "./growing_arrays.js";

/** @typedef {import("./growing_arrays.js").Column} Column */

const POINTS_MAX = 16384;

/** Values of several lines, one point every `stride` turns. A missing value is NaN. */
export class Series {
  /**
   * @param {number} lines how many
   * @param {number} pointsMax how many points a line holds at most
   */
  constructor(lines, pointsMax = POINTS_MAX) {
    this.pointsMax = pointsMax;
    this.stride = 1;
    /** @type {Column[]} */
    this.lines = [];
    for (let k = 0; k < lines; k += 1) this.lines.push(floats());
    this.length = 0;
    /** The turn of the last point; NaN: none, or it is not to be changed. */
    this.newest = NaN;
  }

  /**
   * Adds the values of a turn; turns must come in order, without gaps.
   *
   * The last one may come again, with others.
   * @param {number} offset the turn's number in this series, from 0
   * @param {ArrayLike<number>} values one for each line
   */
  add(offset, values) {
    if (offset % this.stride !== 0) return;
    if (offset === this.newest) {
      this.lines.forEach((line, k) => line.set(this.length - 1, values[k]));
      return;
    }
    this.newest = offset;
    this.lines.forEach((line, k) => line.push(values[k]));
    this.length += 1;
    if (this.length < this.pointsMax) return;
    for (const line of this.lines) line.halve((a) => a);
    this.length = this.lines.length > 0 ? this.lines[0].length : Math.ceil(this.length / 2);
    this.stride *= 2;
    this.newest = NaN; // its point may be gone
  }

  /**
   * @param {number} line
   * @param {number} offset a turn's number in this series
   * @returns {number} the value at the last point not after it
   */
  at(line, offset) {
    const point = Math.min(Math.floor(offset / this.stride), this.length - 1);
    return this.lines[line].at(point);
  }
}

/** Counts of something that happens, in buckets of `stride` turns. */
export class Counter {
  /** @param {number} bucketsMax */
  constructor(bucketsMax = POINTS_MAX) {
    this.bucketsMax = bucketsMax;
    this.stride = 1;
    this.buckets = counts();
  }

  /**
   * Counts something in a turn.
   * @param {number} offset the turn's number, not before the last one
   * @param {number} times
   */
  add(offset, times) {
    if (times === 0) return;
    while (Math.floor(offset / this.stride) >= this.bucketsMax) this.halve();
    const bucket = Math.floor(offset / this.stride);
    while (this.buckets.length <= bucket) this.buckets.push(0);
    this.buckets.values[bucket] += times;
  }

  halve() {
    this.buckets.halve((a, b) => a + b);
    this.stride *= 2;
  }

  /**
   * @param {number} from first turn
   * @param {number} to the turn after the last one
   * @returns {number} how often in these turns (whole buckets)
   */
  sum(from, to) {
    let total = 0;
    const last = Math.min(Math.ceil(to / this.stride), this.buckets.length);
    for (let k = Math.floor(from / this.stride); k < last; k += 1) total += this.buckets.values[k];
    return total;
  }
}
