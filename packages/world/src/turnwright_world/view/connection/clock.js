/**
 * Estimates game time from the server's pongs.
 *
 * `turnwright_world/client/clock.py` implements the same clock and explains it. Change both. Times are in µs. `localUs`
 * is the time of a clock of the page that never goes back, e.g. Math.floor(1000 * performance.now()).
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
 * It is computed in two steps, because the product would be too large for a number.
 * @param {TimeSegment} segment
 * @param {number} wallUs whole
 */
export function gameAt(segment, wallUs) {
  const since = wallUs - segment.w;
  const seconds = Math.floor(since / RATE_ONE);
  const rest = since - seconds * RATE_ONE;
  return segment.g + seconds * segment.rate + Math.floor((rest * segment.rate) / RATE_ONE);
}

/** A clock that is corrected without visible steps. */
export class Steady {
  constructor() {
    this.set = false;
    this.local = 0;
    this.value = 0;
    this.pace = 1;
    this.gap = 0;
  }

  /**
   * The time that the clock shows.
   * @param {number} localUs
   */
  at(localUs) {
    const since = localUs - this.local;
    const madeGood = Math.max(0, since) * SLEW;
    const left = this.gap > 0 ? Math.max(0, this.gap - madeGood) : Math.min(0, this.gap + madeGood);
    return this.value + since * this.pace - left;
  }

  /**
   * Set the clock to `value` at `localUs`, with a gain of `pace` per µs from then on.
   *
   * If the clock must not jump, it approaches the value gradually.
   * @param {number} localUs
   * @param {number} value
   * @param {number} pace
   * @param {boolean} free whether the clock may jump, because nobody sees it
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
   * @param {number} leadUsMax if both are 0, rings have no lead
   */
  constructor(leadUsMin = LEAD_US_MIN, leadUsMax = LEAD_US_MAX) {
    /** Whether any ring runs. The clock then never jumps back. */
    this.rings = false;
    /** The lead of the rings, in µs of wall time. */
    this.leadUs = leadUsMin;
    /** The local time of the next ping, in µs. */
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

  /** Whether the clock knows the time. */
  get ready() {
    return this.offsets.ready && this.segment !== null;
  }

  /** The largest possible error in µs, which is half the shortest round trip. */
  get errorUs() {
    return this.offsets.errorUs;
  }

  /**
   * Return a ping to send now.
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
   * Use a pong that arrived at `localUs`. Return whether it was useful.
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
   * Use a new segment of game time.
   * @param {TimeSegment} segment
   */
  change(segment) {
    this.segment = segment;
  }

  /**
   * Note how long before its timestamp the oldest unanswered press arrived, in µs of game time.
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
   * The shown time of the server's wall clock.
   * @param {number} localUs
   */
  wallUs(localUs) {
    return Math.floor(this.wall.at(localUs));
  }

  /**
   * Game time, or 0 before the clock is ready.
   * @param {number} localUs
   */
  gameUs(localUs) {
    return this.gameAt(this.wallUs(localUs));
  }

  /**
   * The game time that rings show, which is ahead by the lead. It is 0 before the clock is ready.
   * @param {number} localUs
   */
  ringUs(localUs) {
    return this.gameAt(Math.floor(this.ring.at(localUs)));
  }

  /**
   * The time left on the ring of a threat, in µs.
   * @param {number} insertedUs
   * @param {number} windowUs
   * @param {number} localUs
   */
  remainingUs(insertedUs, windowUs, localUs) {
    return Math.max(0, insertedUs + windowUs - this.ringUs(localUs));
  }

  /**
   * The timestamp of a reaction that is pressed now, in µs of game time.
   * @param {number} localUs
   */
  press(localUs) {
    this.presses = this.presses.slice(1 - ACKS_MAX);
    this.presses.push(this.ring.at(localUs) - this.wall.at(localUs));
    return this.ringUs(localUs);
  }

  /**
   * Game time at a time of the server's wall clock. It is unknown before the first pong.
   * @param {number} wallUs
   */
  gameAt(wallUs) {
    return this.offsets.ready && this.segment !== null ? gameAt(this.segment, wallUs) : 0;
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
   * The delay to the server plus four times its variation.
   *
   * They are measured with pings and with answered presses.
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
