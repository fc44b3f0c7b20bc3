/**
 * The history of a tank battle: rounds, results, charts, events.
 *
 * It is built frame by frame in the order of turns.
 */

import { EventLog, marksOf } from "./log.js";
import { Marks } from "../../../../viewer/time/timeline_marks.js";
import { Series } from "../../../../viewer/widgets/turn_series.js";
import { scoreOfSide, sidesOf } from "./teams.js";

/** @typedef {import("../model.js").Frame} Frame */
/** @typedef {import("../model.js").Seat} Seat */
/** @typedef {import("../model.js").ResultRow} ResultRow */

const ROUNDS_KEPT = 2000;

/** The number of points of a line for one round. */
const COURSE_POINTS = 96;

/**
 * The part of a round that was seen.
 *
 * It has the turns, the deaths, and the number of missed turns and late answers of each bot.
 */
export class RoundSpan {
  /**
   * @param {number} round
   * @param {number} first index of its first frame seen
   */
  constructor(round, first) {
    this.round = round;
    this.first = first;
    this.last = first;
    this.turns = 0;
    this.over = false;
    /** @type {Map<number, { turn: number, index: number }>} by bot id */
    this.died = new Map();
    /** @type {Map<number, number>} */
    this.missed = new Map();
    /** @type {Map<number, number>} */
    this.late = new Map();
  }

  /** @param {Frame} frame */
  add(frame) {
    this.last = frame.index;
    this.turns = frame.turnNumber;
    for (const event of frame.events) {
      if (event.type === "BotDeathEvent") this.died.set(event.victimId, { turn: frame.turnNumber, index: frame.index });
    }
    for (const [id, seat] of frame.timing ?? []) {
      if (!seat.skipped) continue;
      this.missed.set(id, (this.missed.get(id) ?? 0) + 1);
      if (seat.lateUs !== null) this.late.set(id, (this.late.get(id) ?? 0) + 1);
    }
    if (frame.roundResults !== null) this.over = true;
  }
}

/**
 * The history of one battle.
 *
 * `next` is the index of the next frame that it needs.
 */
export class TankHistory {
  /**
   * @param {Seat[]} seats
   * @param {number} first index of the first frame that is available
   */
  constructor(seats, first = 0) {
    this.seats = seats;
    this.first = first;
    this.next = first;
    this.ids = seats.map((seat) => seat.id);
    this.order = new Map(seats.map((seat, k) => [seat.id, k]));
    this.marks = new Marks(marksOf);
    this.log = new EventLog();
    this.sides = sidesOf(seats);
    this.energies = new Series(seats.length);
    this.scores = new Series(this.sides.length);
    this.topScore = 0;
    this.topEnergy = 100;
    /** @type {RoundSpan[]} */
    this.rounds = [];
    /** @type {Map<number, ResultRow[]>} */
    this.results = new Map();
  }

  /**
   * Take the frame `next`.
   *
   * If a later frame comes, the frames between are lost. A frame of the same turn as the one before replaces a lost
   * frame and adds nothing.
   * @param {Frame} frame
   */
  add(frame) {
    this.next = frame.index + 1;
    const current = this.rounds[this.rounds.length - 1];
    if (current?.round === frame.roundNumber && current.turns === frame.turnNumber) {
      this.lines(frame);
      return;
    }
    if (!current || current.round !== frame.roundNumber) this.beginRound(frame);
    this.marks.add(frame);
    this.log.add(frame);
    this.rounds[this.rounds.length - 1].add(frame);
    if (frame.roundResults !== null) this.results.set(frame.roundNumber, frame.roundResults);
    this.lines(frame);
  }

  /** @param {Frame} frame */
  beginRound(frame) {
    this.rounds.push(new RoundSpan(frame.roundNumber, frame.index));
    if (this.rounds.length > ROUNDS_KEPT) this.rounds.shift();
  }

  /**
   * Take the results of a round, which a live server sends just after the round's last frame.
   * @param {Frame | null} frame the one added last, as it is now
   * @returns {boolean} whether there was something new
   */
  settle(frame) {
    const current = this.rounds[this.rounds.length - 1];
    if (!frame || frame.roundResults === null || frame.index !== this.next - 1) return false;
    if (current?.round !== frame.roundNumber || this.results.has(frame.roundNumber)) return false;
    this.results.set(frame.roundNumber, frame.roundResults);
    current.over = true;
    this.log.end(frame);
    return true;
  }

  /**
   * Add a turn to all lines, or change the last one.
   * @param {Frame} frame
   */
  lines(frame) {
    const energies = this.ids.map(() => NaN);
    for (const bot of frame.botStates) {
      const k = this.order.get(bot.id);
      if (k === undefined) continue;
      energies[k] = Math.max(bot.energy, 0);
      this.topEnergy = Math.max(this.topEnergy, bot.energy);
    }
    const scores = this.sides.map((side) => scoreOfSide(side, frame) ?? NaN);
    for (const score of scores) if (score > this.topScore) this.topScore = score;
    const offset = frame.index - this.first;
    this.energies.add(offset, energies);
    this.scores.add(offset, scores);
  }

  /**
   * @param {number} round
   * @returns {RoundSpan | null}
   */
  round(round) {
    return this.rounds.find((span) => span.round === round) ?? null;
  }

  /**
   * @param {RoundSpan} span
   * @param {number} id
   * @returns {number | null} who of the others lived longest in a round, or has the most energy
   */
  longestLived(span, id) {
    const others = this.ids.filter((other) => other !== id);
    const end = (/** @type {number} */ bot) => span.died.get(bot)?.turn ?? Infinity;
    const energy = (/** @type {number} */ bot) => this.energies.at(this.order.get(bot) ?? 0, span.last - this.first) || 0;
    others.sort((a, b) => (end(a) === end(b) ? energy(b) - energy(a) : end(b) - end(a)));
    return others[0] ?? null;
  }

  /**
   * @param {RoundSpan} span
   * @param {number} id
   * @returns {import("./sparkline.js").Course} its energy over a round
   */
  courseOf(span, id) {
    const seat = this.order.get(id) ?? 0;
    const last = span.died.get(id)?.index ?? span.last;
    const stride = Math.max(1, Math.ceil((span.last - span.first + 1) / COURSE_POINTS), this.energies.stride);
    const points = [];
    for (let index = span.first; index <= last; index += stride) {
      points.push(this.energies.at(seat, index - this.first) || 0);
    }
    return { stride, points };
  }
}
