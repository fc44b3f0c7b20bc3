/**
 * Values and counts by turn, over a whole battle, in limited memory.
 *
 * When a series becomes too long, every second point is dropped.
 */

import { counts, floats } from "./growing_arrays.js";

/** @typedef {import("./growing_arrays.js").Column} Column */

const POINTS_MAX = 16384;

/** Values of several lines, one point every `stride` turns. A missing value is NaN. */
export class Series {
  /**
   * @param {number} lines the number of lines
   * @param {number} pointsMax the largest number of points of a line
   */
  constructor(lines, pointsMax = POINTS_MAX) {
    this.pointsMax = pointsMax;
    this.stride = 1;
    /** @type {Column[]} */
    this.lines = [];
    for (let k = 0; k < lines; k += 1) this.lines.push(floats());
    this.length = 0;
    /** The turn of the last point; NaN: there is none, or it cannot be changed any more. */
    this.newest = NaN;
  }

  /**
   * Add the values of a turn. Turns must come in order, without gaps.
   *
   * The last turn may come again with other values, which replace the old values.
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
   * @returns {number} the value at the last point that is not after this turn; NaN: it is missing
   */
  at(line, offset) {
    const point = Math.min(Math.floor(offset / this.stride), this.length - 1);
    return this.lines[line].at(point);
  }
}

/** Counts of events by turn, in buckets of `stride` turns. */
export class Counter {
  /** @param {number} bucketsMax */
  constructor(bucketsMax = POINTS_MAX) {
    this.bucketsMax = bucketsMax;
    this.stride = 1;
    this.buckets = counts();
  }

  /**
   * Count events in a turn.
   * @param {number} offset the turn's number in this counter, from 0
   * @param {number} times the number of events
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
   * @returns {number} the number of events in all buckets that contain one of these turns
   */
  sum(from, to) {
    let total = 0;
    const last = Math.min(Math.ceil(to / this.stride), this.buckets.length);
    for (let k = Math.floor(from / this.stride); k < last; k += 1) total += this.buckets.values[k];
    return total;
  }
}
