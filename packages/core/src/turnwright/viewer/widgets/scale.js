/**
 * Scales of charts and the timeline.
 *
 * They convert numbers to pixels and back, and find round numbers for axes.
 */

/** A linear scale from numbers to pixels. */
export class Scale {
  /**
   * @param {number} from the number at `low`
   * @param {number} to the number at `high`
   * @param {number} low pixels
   * @param {number} high pixels
   */
  constructor(from, to, low, high) {
    this.from = from;
    this.to = to === from ? from + 1 : to;
    this.low = low;
    this.high = high;
  }

  /**
   * @param {number} value
   * @returns {number} pixels
   */
  pixels(value) {
    return this.low + ((value - this.from) / (this.to - this.from)) * (this.high - this.low);
  }

  /**
   * @param {number} pixels
   * @returns {number} the value at this position
   */
  value(pixels) {
    return this.from + ((pixels - this.low) / (this.high - this.low)) * (this.to - this.from);
  }
}

/**
 * Return a round step of which at most `most` fit into `span`.
 *
 * It is 1, 2 or 5 times a power of ten.
 * @param {number} span
 * @param {number} most
 * @returns {number}
 */
export function niceStep(span, most) {
  const rough = span / Math.max(most, 1);
  if (!(rough > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  for (const factor of [1, 2, 5]) {
    if (factor * power >= rough * 0.999999) return factor * power;
  }
  return 10 * power;
}

/**
 * Return round numbers between two ends.
 * @param {number} from
 * @param {number} to
 * @param {number} most the largest count
 * @returns {number[]}
 */
export function ticks(from, to, most) {
  const step = niceStep(to - from, most);
  const result = [];
  for (let k = Math.ceil(from / step - 1e-9) + 0; k * step <= to + step * 1e-9; k += 1) result.push(k * step);
  return result;
}

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 * @returns {number} `value`, limited to low…high
 */
export function clamp(value, low, high) {
  return Math.min(Math.max(value, low), high);
}

/**
 * Move labels apart so that they do not overlap.
 *
 * Their order does not change, and they stay between the limits if possible.
 * @param {number[]} wanted pixels, in any order
 * @param {number} gap the distance between two labels in pixels
 * @param {number} low
 * @param {number} high
 * @returns {number[]} the position of each label
 */
export function spread(wanted, gap, low, high) {
  const order = wanted.map((_, k) => k).sort((a, b) => wanted[a] - wanted[b]);
  const places = wanted.slice();
  let free = low;
  for (const k of order) {
    places[k] = Math.max(places[k], free);
    free = places[k] + gap;
  }
  let limit = high;
  for (const k of order.slice().reverse()) {
    places[k] = Math.min(places[k], limit);
    limit = places[k] - gap;
  }
  return places;
}
