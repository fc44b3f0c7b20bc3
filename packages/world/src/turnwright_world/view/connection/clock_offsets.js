/**
 * Estimates the offset of the server's clock from the shortest delays in both directions.
 *
 * `turnwright_world/client/clock.py` computes exactly the same numbers and explains them. Change both.
 */

/** The time for which samples are kept, in µs. */
export const WINDOW_US = 90_000_000;
const SAMPLES_MAX = 64;
/** The drift is fitted through one point per span. These are the length of a span in µs and the number of spans. */
const SPAN_US = 30_000_000;
const SPANS_MAX = 20;
/** The drift of two clocks: the usual size, the smallest uncertainty, and the limit of an estimate. */
const DRIFT = 50e-6;
const DRIFT_MIN = 3e-6;
const DRIFT_MAX = 500e-6;
/** If samples contradict each other by more than this and the drift, a clock was set or the computer slept. */
const JUMP_US = 2000;

/** @typedef {{ atUs: number, up: number, down: number }} Sample */
/** @typedef {{ number: number, up: Sample, down: Sample }} Span */

export class ClockOffsets {
  constructor() {
    /** Whether there is an estimate. */
    this.ready = false;
    /** The change of the offset per µs. */
    this.rate = 0;
    /** The largest possible error in µs. */
    this.errorUs = Infinity;
    /** @type {Sample[]} */
    this.samples = [];
    /** @type {Span[]} */
    this.spans = [];
    this.zero = 0;
    this.base = 0;
    this.atUs = 0;
  }

  /**
   * Use the times of one message, in µs.
   * @param {number} c sent by us
   * @param {number} r received by the server
   * @param {number} s answered
   * @param {number} t received by us
   */
  add(c, r, s, t) {
    if (this.samples.length === 0) {
      this.zero = r - c;
    }
    const sample = { atUs: (c + t) / 2, up: r - c - this.zero, down: s - t - this.zero };
    this.samples = this.samples.filter((x) => sample.atUs - x.atUs <= WINDOW_US).slice(1 - SAMPLES_MAX);
    this.samples.push(sample);
    this.intoSpan(sample);
    if (!this.estimate(sample.atUs)) {
      this.samples = [sample];
      this.spans = [];
      this.rate = 0;
      this.intoSpan(sample);
      this.estimate(sample.atUs);
    }
    this.ready = true;
  }

  /**
   * The offset of the server's clock when our clock shows `oursUs`.
   * @param {number} oursUs
   */
  offsetUs(oursUs) {
    return this.zero + (this.base + this.rate * (oursUs - this.atUs));
  }

  /** The estimated delays to the server in µs, the newest last. */
  tripsUs() {
    return this.samples.map((x) => x.up - (this.base + this.rate * (x.atUs - this.atUs)));
  }

  /** @param {Sample} sample */
  intoSpan(sample) {
    const number = Math.floor(sample.atUs / SPAN_US);
    const last = this.spans[this.spans.length - 1];
    if (last === undefined || last.number !== number) {
      this.spans = this.spans.slice(1 - SPANS_MAX);
      this.spans.push({ number, up: sample, down: sample });
      return;
    }
    last.up = sample.up < last.up.up ? sample : last.up;
    last.down = sample.down > last.down.down ? sample : last.down;
  }

  /**
   * Find the offset at `atUs`. Return false if the samples contradict each other.
   * @param {number} atUs
   */
  estimate(atUs) {
    const doubt = this.fit();
    let [up, down, least, greatest] = [Infinity, -Infinity, Infinity, -Infinity];
    for (const x of this.samples) {
      const age = atUs - x.atUs;
      const moved = this.rate * age;
      if (x.up + moved + doubt * age < least) {
        least = x.up + moved + doubt * age;
        up = x.up + moved;
      }
      if (x.down + moved - doubt * age > greatest) {
        greatest = x.down + moved - doubt * age;
        down = x.down + moved;
      }
    }
    this.base = (up + down) / 2;
    this.atUs = atUs;
    this.errorUs = Math.max(0, (least - greatest) / 2);
    return greatest - least <= JUMP_US;
  }

  /** Fit the rate through the spans. Return its largest possible error per µs. */
  fit() {
    const noise = this.noise();
    const widths = this.spans.map((x) => x.up.up - x.down.down);
    const least = Math.min(...widths);
    const weights = widths.map((width) => 1 / (noise * noise + ((width - least) * (width - least)) / 4));
    const times = this.spans.map((x) => (x.up.atUs + x.down.atUs) / 2);
    const offsets = this.spans.map((x) => (x.up.up + x.down.down) / 2);
    const meanTime = mean(times, weights);
    const meanOffset = mean(offsets, weights);
    let wide = 1 / (DRIFT * DRIFT);
    let cross = 0;
    for (let k = 0; k < weights.length; k++) {
      const away = times[k] - meanTime;
      wide += weights[k] * away * away;
      cross += weights[k] * away * (offsets[k] - meanOffset);
    }
    this.rate = Math.min(DRIFT_MAX, Math.max(-DRIFT_MAX, cross / wide));
    return Math.max(DRIFT_MIN, 1 / Math.sqrt(wide));
  }

  /** The uncertainty of the point of a span, in µs. */
  noise() {
    const delays = this.samples.map((x) => x.up - x.down);
    const ones = delays.map(() => 1);
    return Math.max(20, (mean(delays, ones) - Math.min(...delays)) / 4);
  }
}

/**
 * @param {number[]} values
 * @param {number[]} weights
 */
function mean(values, weights) {
  let total = 0;
  let weight = 0;
  for (let k = 0; k < values.length; k++) {
    total += values[k] * weights[k];
    weight += weights[k];
  }
  return total / weight;
}
