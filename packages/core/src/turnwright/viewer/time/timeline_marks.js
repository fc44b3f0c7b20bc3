/**
 * Marks of the timeline: rounds, deaths, hits and skipped turns.
 *
 * They are collected frame by frame and need little memory.
 */

import { lastNotAbove } from "../widgets/growing_arrays.js";
import { placeText } from "../widgets/format.js";
import { Counter } from "../widgets/turn_series.js";

/** @typedef {import("../model.js").Frame} Frame */

/** @typedef {{ index: number, round: number, turn: number }} RoundStart `turn` is 1, or the first turn that the page got */
/** @typedef {{ index: number, ids: number[] }} Death */

/**
 * One pixel column of the timeline.
 * @typedef {object} Bin
 * @property {number} hits
 * @property {number} skips
 */

/** @typedef {{ deaths: number[], hits: number }} TurnMarks deaths: the seats whose part in the round ended; hits: the number of events in the bar */

/** All marks of a battle. */
export class Marks {
  /** @param {(frame: any) => TurnMarks} marksOf */
  constructor(marksOf) {
    this.marksOf = marksOf;
    /** @type {RoundStart[]} */
    this.rounds = [];
    /** @type {Death[]} */
    this.deaths = [];
    this.hits = new Counter();
    this.skips = new Counter();
    this.origin = NaN;
  }

  /** @param {Frame} frame */
  add(frame) {
    if (Number.isNaN(this.origin)) this.origin = frame.index;
    const last = this.rounds[this.rounds.length - 1];
    if (!last || last.round !== frame.roundNumber) {
      this.rounds.push({ index: frame.index, round: frame.roundNumber, turn: frame.turnNumber });
    }
    const { deaths, hits } = this.marksOf(frame);
    if (deaths.length > 0) this.deaths.push({ index: frame.index, ids: deaths });
    this.hits.add(frame.index - this.origin, hits);
    if (frame.timing !== null) this.skips.add(frame.index - this.origin, skipsIn(frame.timing));
  }

  /**
   * @param {number} index
   * @returns {{ round: number, turn: number } | null} null before the first frame seen
   */
  turnAt(index) {
    const k = lastNotAbove(this.rounds.length, (i) => this.rounds[i].index, index);
    if (k < 0) return null;
    const start = this.rounds[k];
    return { round: start.round, turn: start.turn + (index - start.index) };
  }

  /**
   * @param {number} round
   * @param {number} turn
   * @returns {number | null} the frame's index; null: that round was not seen
   */
  indexOf(round, turn) {
    const start = this.rounds.find((entry) => entry.round === round);
    return start ? Math.max(start.index + turn - start.turn, start.index) : null;
  }

  /**
   * Return hits and skips by pixel columns.
   * @param {number} from the index at the left end
   * @param {number} to the index after the right end
   * @param {number} columns
   * @returns {Bin[]}
   */
  bins(from, to, columns) {
    const result = [];
    const width = (to - from) / columns;
    for (let k = 0; k < columns; k += 1) {
      const a = Math.floor(from + k * width) - this.origin;
      const b = Math.max(Math.floor(from + (k + 1) * width) - this.origin, a + 1);
      result.push({ hits: this.hits.sum(Math.max(a, 0), b), skips: this.skips.sum(Math.max(a, 0), b) });
    }
    return result;
  }

  /**
   * Return the next death after a frame, or the last death before it.
   * @param {number} index
   * @param {1 | -1} way
   * @returns {number | null} its frame's index; null: there is none
   */
  deathFrom(index, way) {
    const before = lastNotAbove(this.deaths.length, (i) => this.deaths[i].index, way > 0 ? index : index - 1);
    const found = this.deaths[way > 0 ? before + 1 : before];
    return found ? found.index : null;
  }

  /**
   * Return the place of a frame, and the deaths near it, for the timeline's preview. "": the frame was not seen.
   * @param {number} index
   * @param {number} near the largest distance of a death, in frames
   * @param {(id: number) => string} nameOf
   * @param {{ rounds: number | null } | null} [battle]
   * @returns {string}
   */
  preview(index, near, nameOf, battle = null) {
    const at = this.turnAt(index);
    if (at === null) return "";
    const parts = [placeText(at.round, at.turn, battle)];
    const first = lastNotAbove(this.deaths.length, (i) => this.deaths[i].index, index - near - 1) + 1;
    const names = [];
    for (let k = first; k < this.deaths.length && this.deaths[k].index <= index + near; k += 1) {
      names.push(...this.deaths[k].ids.map(nameOf));
    }
    if (names.length > 0) parts.push(`✕ ${names.slice(0, 3).join(", ")}${names.length > 3 ? " …" : ""}`);
    return parts.join(" · ");
  }
}

/**
 * @param {Map<number, import("../model.js").SeatTiming>} timing
 * @returns {number}
 */
function skipsIn(timing) {
  let skips = 0;
  for (const seat of timing.values()) if (seat.skipped) skips += 1;
  return skips;
}
