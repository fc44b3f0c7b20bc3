/** Growing lists of numbers in typed arrays. A million numbers need a few megabytes. */

/** @typedef {Float32Array | Uint32Array | Int32Array | Uint8Array} Numbers */

const FIRST_SIZE = 256;

/** A growing list of numbers. */
export class Column {
  /** @param {(size: number) => Numbers} make makes an array of a size, e.g. (n) => new Uint8Array(n) */
  constructor(make) {
    this.make = make;
    /** @type {Numbers} */
    this.values = make(FIRST_SIZE);
    this.length = 0;
  }

  /** @param {number} value */
  push(value) {
    if (this.length === this.values.length) {
      const bigger = this.make(this.length * 2);
      bigger.set(this.values);
      this.values = bigger;
    }
    this.values[this.length] = value;
    this.length += 1;
  }

  /**
   * Change an existing number.
   * @param {number} index
   * @param {number} value
   */
  set(index, value) {
    if (index >= 0 && index < this.length) this.values[index] = value;
  }

  /**
   * @param {number} index
   * @returns {number} NaN: there is none
   */
  at(index) {
    return index >= 0 && index < this.length ? this.values[index] : NaN;
  }

  /**
   * Keep every second number, or join each pair with `join`.
   * @param {(a: number, b: number) => number} join
   */
  halve(join) {
    const half = Math.ceil(this.length / 2);
    for (let k = 0; k < half; k += 1) {
      const a = this.values[2 * k];
      this.values[k] = 2 * k + 1 < this.length ? join(a, this.values[2 * k + 1]) : a;
    }
    this.length = half;
  }
}

/** @returns {Column} of 32-bit floats */
export function floats() {
  return new Column((size) => new Float32Array(size));
}

/** @returns {Column} of whole numbers from 0 to 4,294,967,295 */
export function counts() {
  return new Column((size) => new Uint32Array(size));
}

/** @returns {Column} of whole numbers, also below 0 */
export function integers() {
  return new Column((size) => new Int32Array(size));
}

/** @returns {Column} of whole numbers from 0 to 255 */
export function bytes() {
  return new Column((size) => new Uint8Array(size));
}

/**
 * Return the index of the last number that is not above `value`, in an ascending list.
 * @param {number} length the number of entries
 * @param {(index: number) => number} at returns an entry
 * @param {number} value
 * @returns {number} −1 if all are above
 */
export function lastNotAbove(length, at, value) {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(middle) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
