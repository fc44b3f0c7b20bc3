/** All that panels know of a battle beyond the frame shown, built frame by frame in the order of turns. */

import { EventLog } from "./log.js";
import { Marks } from "./marks.js";
import { ScoreKeeper } from "./scores.js";
import { Series } from "./series.js";
import { RoundTally } from "./tally.js";

/** @typedef {import("../model.js").Frame} Frame */
/** @typedef {import("../model.js").Seat} Seat */
/** @typedef {import("../model.js").ResultRow} ResultRow */

const ROUNDS_KEPT = 2000;

/** The account of one battle. `next`: the index of the frame that it wants to see next. */
export class Chronicle {
  /**
   * @param {Seat[]} seats
   * @param {number} first index of the first frame that can be had
   */
  constructor(seats, first = 0) {
    this.seats = seats;
    this.first = first;
    this.next = first;
    /** Index up to which no turn is missing: what comes after a gap needs to be told what had happened. */
    this.seen = 0;
    this.ids = seats.map((seat) => seat.id);
    this.order = new Map(seats.map((seat, k) => [seat.id, k]));
    this.marks = new Marks();
    this.log = new EventLog();
    this.keeper = new ScoreKeeper(seats);
    this.energies = new Series(seats.length);
    this.scores = new Series(this.keeper.sides.length);
    this.botScores = new Series(seats.length);
    this.skips = new Series(seats.length);
    this.skipped = seats.map(() => 0);
    this.topScore = 0;
    this.topEnergy = 100;
    /** @type {RoundTally[]} */
    this.rounds = [];
    /** @type {Map<number, ResultRow[]>} */
    this.results = new Map();
  }

  /**
   * Takes in the frame `next`. A frame later than that means that those between are lost; one of the same turn as the
   * one before stands for a frame that was lost on its way, and tells nothing.
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
    this.keeper.turn(frame);
    if (frame.index !== this.seen && frame.soFar) this.keeper.know(frame.soFar, frame.duels ?? []);
    if (frame.roundResults !== null) this.results.set(frame.roundNumber, frame.roundResults);
    for (const [id, seat] of frame.timing ?? []) {
      const k = this.order.get(id);
      if (k !== undefined && seat.skipped) this.skipped[k] += 1;
    }
    if (frame.index !== this.seen && frame.soFar) this.skipped = frame.soFar.map(({ missed }) => missed);
    this.seen = frame.index + 1;
    this.lines(frame);
  }

  /** @param {Frame} frame */
  beginRound(frame) {
    if (this.rounds.length > 0) this.keeper.beginRound();
    this.rounds.push(new RoundTally(frame.roundNumber, frame.index, this.ids));
    if (this.rounds.length > ROUNDS_KEPT) this.rounds.shift();
  }

  /**
   * Takes in the results of a round that came after its last frame: a live server says them a moment later.
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
    this.keeper.settle(frame.roundResults);
    this.lines(frame);
    return true;
  }

  /**
   * Adds a turn to all lines, or changes the last one.
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
    const scores = this.keeper.sides.map((_, k) => this.keeper.ofSide(k));
    this.topScore = Math.max(this.topScore, ...scores);
    const offset = frame.index - this.first;
    this.energies.add(offset, energies);
    this.scores.add(offset, scores);
    this.botScores.add(
      offset,
      this.ids.map((id) => this.keeper.of(id)),
    );
    this.skips.add(offset, this.skipped);
  }

  /**
   * @param {number} round
   * @returns {RoundTally | null}
   */
  round(round) {
    return this.rounds.find((tally) => tally.round === round) ?? null;
  }
}

/**
 * Takes in the frames that a source has and the chronicle has not seen, until it is time to stop.
 * @param {Chronicle} chronicle
 * @param {{ first: number, length: number, at: (index: number) => Frame | null }} source
 * @param {() => boolean} enough asked after every frame
 * @returns {boolean} whether all is seen
 */
export function catchUp(chronicle, source, enough) {
  if (chronicle.next < source.first) chronicle.next = source.first;
  while (chronicle.next < source.length) {
    const frame = source.at(chronicle.next);
    if (frame === null) return false;
    chronicle.add(frame);
    if (enough()) return chronicle.next >= source.length;
  }
  return true;
}
