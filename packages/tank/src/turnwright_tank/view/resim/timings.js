/** Answer times, skipped turns and late answers of a record's seats in each turn. */

import { NS_PER_US } from "../model.js";

/** @typedef {import("../model.js").SeatTiming} SeatTiming */
/** @typedef {import("./simulate.js").Simulation} Simulation */
/** @typedef {import("./simulate.js").Turn} Turn */

const ASKED = 1;
const SKIPPED = 2;
/** The mark of a late answer whose delay is in `late`. */
const LATE = 4;
/** The mark of a seat whose participant has left. */
const GONE = 8;
/** A duration with code k is at least 2**(k / 2) µs. The middle of its range is shown. */
const CODES = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const MIDDLE = 2 ** 0.25;

export class Timings {
  /** @param {number} seats */
  constructor(seats) {
    this.seats = seats;
    this.length = 0;
    /** For each frame and seat, whether it got an observation, was skipped, or was late. */
    this.marks = new Uint8Array(1024 * seats);
    /** For each frame and seat, 1 + the code of the answer time, or 0 if unknown. */
    this.answers = new Uint8Array(1024 * seats);
    /** The first frame whose answer times are not known yet. */
    this.untold = 0;
    /** @type {Map<number, number>} how late an answer was, µs, by frame * seats + seat */
    this.late = new Map();
    /** @type {Map<number, number>} how late the server was, µs, by frame; where it was */
    this.server = new Map();
    this.serverKnown = false;
  }

  /**
   * Store the timings of a replayed turn in the record.
   * @param {Turn} turn
   * @param {Simulation} simulation
   */
  put(turn, simulation) {
    const base = this.length * this.seats;
    if (base + this.seats > this.marks.length) {
      this.marks = doubled(this.marks);
      this.answers = doubled(this.answers);
    }
    if (!simulation.openedRound) {
      for (const seat of simulation.started) {
        this.marks[base + seat] = ASKED | (simulation.gone.has(seat) ? GONE : 0);
      }
    }
    for (const seat of turn.skipped) {
      this.marks[base + seat] |= ASKED | SKIPPED;
    }
    for (const [seat, ns] of turn.lateNs) {
      this.marks[base + seat] |= ASKED | LATE;
      this.late.set(base + seat, ns / NS_PER_US);
    }
    if (turn.answers !== "") {
      this.putAnswers(turn.answers);
    }
    this.serverKnown ||= turn.serverLateNs !== null;
    if (turn.serverLateNs) {
      this.server.set(this.length, turn.serverLateNs / NS_PER_US);
    }
    this.length += 1;
  }

  /**
   * Store the answer times of this turn, and of earlier turns without any.
   * @param {string} codes
   */
  putAnswers(codes) {
    for (let frame = this.untold; frame <= this.length; frame++) {
      for (let seat = 0; seat < this.seats; seat++) {
        this.answers[frame * this.seats + seat] = CODES.indexOf(codes[seat]) + 1;
      }
    }
    this.untold = this.length + 1;
  }

  /**
   * Return the delay of the server itself in a turn, µs, or null if unknown.
   * @param {number} index
   * @returns {number | null}
   */
  serverLateUs(index) {
    return this.serverKnown ? (this.server.get(index) ?? 0) : null;
  }

  /**
   * Return the timings of the seats that got an observation, by bot id.
   * @param {number} index
   * @returns {Map<number, SeatTiming>}
   */
  at(index) {
    /** @type {Map<number, SeatTiming>} */
    const timing = new Map();
    const base = index * this.seats;
    for (let seat = 0; seat < this.seats; seat++) {
      const mark = this.marks[base + seat];
      if (mark === 0) {
        continue;
      }
      const skipped = (mark & SKIPPED) !== 0;
      const code = skipped ? 0 : this.answers[base + seat];
      timing.set(seat + 1, {
        skipped,
        lateUs: (mark & LATE) === 0 ? null : (this.late.get(base + seat) ?? null),
        answerUs: code === 0 ? null : 2 ** ((code - 1) / 2) * MIDDLE,
        rttUs: null,
        status: (mark & GONE) === 0 ? null : "disconnected",
      });
    }
    return timing;
  }
}

/**
 * @param {Uint8Array} before
 * @returns {Uint8Array<ArrayBuffer>}
 */
function doubled(before) {
  const after = new Uint8Array(2 * before.length);
  after.set(before);
  return after;
}
