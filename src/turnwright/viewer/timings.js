/**
 * How the seats of a record did in each turn: who was skipped, whose answer came how late. Kept small.
 */

/** @typedef {import("./model.js").SeatTiming} SeatTiming */
/** @typedef {import("./simulate.js").Simulation} Simulation */
/** @typedef {import("./simulate.js").Turn} Turn */

const NS_PER_US = 1000;
const ASKED = 1;
const SKIPPED = 2;

export class Timings {
  /** @param {number} seats */
  constructor(seats) {
    this.seats = seats;
    this.length = 0;
    /** Of each frame and seat: whether it was asked, and skipped. */
    this.marks = new Uint8Array(1024 * seats);
    /** Of each frame and seat: how long its answer took, µs; NaN: not known. */
    this.answers = new Float32Array(0);
    /** @type {Map<number, number>} how late an answer was, µs, by frame * seats + seat */
    this.late = new Map();
  }

  /**
   * Keep what a record says of a turn that has been played.
   * @param {Turn} turn
   * @param {Simulation} simulation
   */
  put(turn, simulation) {
    const base = this.length * this.seats;
    if (base + this.seats > this.marks.length) {
      this.grow();
    }
    if (!simulation.openedRound) {
      for (const seat of simulation.started) {
        this.marks[base + seat] = ASKED;
      }
    }
    for (const seat of turn.skipped) {
      this.marks[base + seat] = ASKED | SKIPPED;
    }
    for (const [seat, ns] of turn.lateNs) {
      this.marks[base + seat] |= ASKED;
      this.late.set(base + seat, ns / NS_PER_US);
    }
    if (turn.answerNs.size > 0) {
      this.putAnswers(turn.answerNs, base);
    }
    this.length += 1;
  }

  /**
   * @param {Map<number, number>} answerNs
   * @param {number} base
   */
  putAnswers(answerNs, base) {
    if (this.answers.length < this.marks.length) {
      const before = this.answers;
      this.answers = new Float32Array(this.marks.length).fill(NaN);
      this.answers.set(before);
    }
    for (const [seat, ns] of answerNs) {
      this.answers[base + seat] = ns / NS_PER_US;
    }
  }

  grow() {
    const marks = new Uint8Array(2 * this.marks.length);
    marks.set(this.marks);
    this.marks = marks;
  }

  /**
   * Return how the seats that were asked did, by bot id.
   * @param {number} index
   * @returns {Map<number, SeatTiming>}
   */
  at(index) {
    /** @type {Map<number, SeatTiming>} */
    const timing = new Map();
    const base = index * this.seats;
    for (let seat = 0; seat < this.seats; seat++) {
      const mark = this.marks[base + seat];
      if (mark !== 0) {
        const answer = this.answers[base + seat];
        timing.set(seat + 1, {
          skipped: (mark & SKIPPED) !== 0,
          lateUs: this.late.get(base + seat) ?? null,
          answerUs: answer === undefined || Number.isNaN(answer) ? null : answer,
          rttUs: null,
        });
      }
    }
    return timing;
  }
}
