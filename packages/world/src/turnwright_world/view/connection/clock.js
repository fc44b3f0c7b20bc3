/**
 * Estimates game time from the server's pongs.
 *
 * It tells the game time now, and when a ring has run out.
 *
 * `turnwright_world/client/clock.py` says how it is used and why it is so, and computes the same: change both. Times are µs;
 * `localUs` is any clock of the page's that never goes back, e.g. Math.floor(1000 * performance.now()).
 */
import { ClockOffsets, WINDOW_US } from "./clock_offsets.js";

const RATE_ONE = 1_000_000;
const LEAD_US_MIN = 10_000;
const LEAD_US_MAX = 250_000;
const BURST = 8;
const BURST_US = 150_000;
const OFTEN_US = 5_000_000;
const CALM_AFTER_US = 120_000_000;
const SELDOM_US = 10_000_000;
const AWAITED_MAX = 16;
const ROUND_TRIP_US_MAX = 10_000_000;
const SLEW = 0.005;
const STEP_US = 250_000;
const STEP_FREE_US = 1000;
const LEAD_TOLD_US = 5000;
const SPREAD_US_MIN = 1000;
const SPREADS = 4;
const ACKS_MAX = 16;

/** @typedef {{ n: number, c: number, l?: number }} TimePing */
/** @typedef {{ n: number, c: number, r: number, s: number }} TimePong */
/** @typedef {{ g: number, w: number, rate: number }} TimeSegment */

/**
 * The game time at a wall time, µs.
 *
 * In two steps: the product of both would not fit a number.
 * @param {TimeSegment} segment
 * @param {number} wallUs whole
 */
export function gameAt(segment, wallUs) {
  const since = wallUs - segment.w;
  const seconds = Math.floor(since / RATE_ONE);
  const rest = since - seconds * RATE_ONE;
  return segment.g + seconds * segment.rate + Math.floor((rest * segment.rate) / RATE_ONE);
}

/** A clock that is corrected without a step. */
export class Steady {
  constructor() {
    this.set = false;
    this.local = 0;
    this.value = 0;
    this.pace = 1;
    this.gap = 0;
  }

  /**
   * The time that it shows.
   * @param {number} localUs
   */
  at(localUs) {
    const since = localUs - this.local;
    const madeGood = Math.max(0, since) * SLEW;
    const left = this.gap > 0 ? Math.max(0, this.gap - madeGood) : Math.min(0, this.gap + madeGood);
    return this.value + since * this.pace - left;
  }

  /**
   * Let it show `value` at `localUs` and gain `pace` per µs from there.
   *
   * It comes to that by and by where it must not jump.
   * @param {number} localUs
   * @param {number} value
   * @param {number} pace
   * @param {boolean} free it may jump where it likes, because it is not visible
   */
  aim(localUs, value, pace, free) {
    let gap = value - this.at(localUs);
    if (!this.set || gap > STEP_US || (free && Math.abs(gap) > STEP_FREE_US)) {
      gap = 0;
    }
    this.set = true;
    this.local = localUs;
    this.value = value;
    this.pace = pace;
    this.gap = gap;
  }
}

export class WorldClock {
  /**
   * @param {number} leadUsMin
   * @param {number} leadUsMax 0 and 0: rings do not lead
   */
  constructor(leadUsMin = LEAD_US_MIN, leadUsMax = LEAD_US_MAX) {
    /** Whether any ring runs: then nothing jumps back. */
    this.rings = false;
    /** By how much rings run ahead, wall µs. */
    this.leadUs = leadUsMin;
    /** The time of the next ping, local µs. */
    this.pingDueUs = 0;
    /** @type {TimeSegment | null} */
    this.segment = null;
    this.bounds = [leadUsMin, leadUsMax];
    this.offsets = new ClockOffsets();
    this.wall = new Steady();
    this.ring = new Steady();
    this.number = 0;
    /** @type {number | null} */
    this.beganUs = null;
    this.burst = BURST;
    /** @type {Map<number, number>} */
    this.awaited = new Map();
    /** @type {number | null} */
    this.toldUs = null;
    /** @type {number[]} */
    this.presses = [];
    /** @type {{ atUs: number, trip: number }[]} */
    this.acks = [];
    this.nowUs = 0;
  }

  /** Whether it knows the time. */
  get ready() {
    return this.offsets.ready && this.segment !== null;
  }

  /** By how much it may be wrong, µs: half the least round trip. */
  get errorUs() {
    return this.offsets.errorUs;
  }

  /**
   * A ping to be sent now.
   * @param {number} localUs whole
   * @returns {TimePing}
   */
  ping(localUs) {
    this.beganUs = this.beganUs ?? localUs;
    this.number += 1;
    this.burst = Math.max(0, this.burst - 1);
    const calm = localUs - this.beganUs >= CALM_AFTER_US;
    this.pingDueUs = localUs + (this.burst > 0 ? BURST_US : calm ? SELDOM_US : OFTEN_US);
    this.awaited.set(this.number, localUs);
    if (this.awaited.size > AWAITED_MAX) {
      this.awaited.delete(Math.min(...this.awaited.keys()));
    }
    /** @type {TimePing} */
    const ping = { n: this.number, c: localUs };
    if (this.ready && (this.toldUs === null || Math.abs(this.leadUs - this.toldUs) > LEAD_TOLD_US)) {
      ping.l = this.toldUs = this.leadUs;
    }
    return ping;
  }

  /**
   * Take in an answer that came at `localUs`; false for one that is of no use.
   * @param {TimePong} message
   * @param {number} localUs whole
   */
  pong(message, localUs) {
    const sentUs = this.awaited.get(message.n);
    this.awaited.delete(message.n);
    const tookUs = localUs - message.c;
    const heldUs = message.s - message.r;
    if (sentUs !== message.c || !(heldUs >= 0 && heldUs <= tookUs && tookUs <= ROUND_TRIP_US_MAX)) {
      return false;
    }
    this.offsets.add(message.c, message.r, message.s, localUs);
    if (this.offsets.samples.length === 1 && this.burst === 0) {
      this.burst = BURST - 1;
      this.pingDueUs = localUs;
    }
    this.nowUs = localUs;
    this.aim(localUs);
    return true;
  }

  /**
   * Take in how game time runs from now on.
   * @param {TimeSegment} segment
   */
  change(segment) {
    this.segment = segment;
  }

  /**
   * Take in by how much the oldest open press came before its stamp, game µs.
   * @param {number} earlyUs
   */
  acknowledged(earlyUs) {
    const lead = this.presses.shift();
    const rate = this.segment === null ? 0 : this.segment.rate;
    if (lead === undefined || rate === 0 || !(Math.abs(earlyUs) <= ROUND_TRIP_US_MAX)) {
      return;
    }
    this.acks = this.acks.slice(1 - ACKS_MAX);
    this.acks.push({ atUs: this.nowUs, trip: lead - (earlyUs * RATE_ONE) / rate });
  }

  /**
   * The server's wall clock as it is shown.
   * @param {number} localUs
   */
  wallUs(localUs) {
    return Math.floor(this.wall.at(localUs));
  }

  /**
   * Game time; 0 before it is ready.
   * @param {number} localUs
   */
  gameUs(localUs) {
    return this.segment === null ? 0 : gameAt(this.segment, this.wallUs(localUs));
  }

  /**
   * The game time on which rings run: ahead by the lead; 0 before it is ready.
   * @param {number} localUs
   */
  ringUs(localUs) {
    return this.segment === null ? 0 : gameAt(this.segment, Math.floor(this.ring.at(localUs)));
  }

  /**
   * The rest of a threat's window on its ring, µs.
   * @param {number} insertedUs
   * @param {number} windowUs
   * @param {number} localUs
   */
  remainingUs(insertedUs, windowUs, localUs) {
    return Math.max(0, insertedUs + windowUs - this.ringUs(localUs));
  }

  /**
   * The stamp of a reaction that is pressed now, game µs.
   * @param {number} localUs
   */
  press(localUs) {
    this.presses = this.presses.slice(1 - ACKS_MAX);
    this.presses.push(this.ring.at(localUs) - this.wall.at(localUs));
    return this.ringUs(localUs);
  }

  /** @param {number} localUs */
  aim(localUs) {
    this.leadUs = this.wantedLeadUs(localUs);
    const value = localUs + this.offsets.offsetUs(localUs);
    const pace = 1 + this.offsets.rate;
    this.wall.aim(localUs, value, pace, !this.rings);
    this.ring.aim(localUs, value + this.leadUs, pace, !this.rings);
  }

  /**
   * The time of the way up and four times its spread.
   *
   * It comes from pings and from presses that were judged.
   * @param {number} localUs
   */
  wantedLeadUs(localUs) {
    const fresh = this.acks.filter((ack) => localUs - ack.atUs <= WINDOW_US);
    const trips = [...this.offsets.tripsUs(), ...fresh.map((ack) => ack.trip)];
    const middle = median(trips);
    const spread = Math.max(SPREAD_US_MIN, median(trips.map((trip) => Math.abs(trip - middle))));
    const [least, most] = this.bounds;
    return Math.floor(Math.min(most, Math.max(least, middle + SPREADS * spread)));
  }
}

/** @param {number[]} values */
function median(values) {
  const ordered = [...values].sort((a, b) => a - b);
  const half = Math.floor(ordered.length / 2);
  return ordered.length % 2 === 1 ? ordered[half] : (ordered[half - 1] + ordered[half]) / 2;
}
