/**
 * The event log of tanks.
 *
 * Each event is a row of numbers. It is put into words only when it is shown.
 */

import { bytes, counts, floats, integers } from "../../../../viewer/widgets/growing_arrays.js";
import { energyText } from "../energy_text.js";
import { fixed } from "../../../../viewer/widgets/format.js";
import { LOGGED, logValues } from "../events.js";

/** @typedef {import("../model.js").Frame} Frame */
/** @typedef {import("../model.js").GameEvent} GameEvent */

/** Kinds of entries in the order of their codes. Radar contacts are left out, because there are too many. */
export const KINDS = ["round", ...LOGGED.map(({ kind }) => kind), "skip", "end"];

const CODE = new Map(KINDS.map((kind, k) => [kind, k]));
const TEXT = new Map(LOGGED.map(({ kind, text }) => pair(kind, text)));
const MINOR = new Set(LOGGED.filter(({ isMinor }) => isMinor).map(({ kind }) => kind));
/** The place of "Missed turns" among the kinds that can be chosen. */
const SKIP_AT = 4;
const ENTRIES_MAX = 1_000_000;

/**
 * @param {string} one
 * @param {string} other
 * @returns {[string, string]}
 */
function pair(one, other) {
  return [one, other];
}

/**
 * @typedef {object} Entry
 * @property {string} kind
 * @property {number} index of the frame
 * @property {number} round
 * @property {number} turn
 * @property {number} bot the bot that it is about; −1 for all
 * @property {number} other another bot; −1 for none
 * @property {number} value damage, power or microseconds, by kind
 * @property {number} energy of `bot` after the event; NaN if unknown
 */

/**
 * All entries, oldest first.
 *
 * If there are too many, shots and misses are no longer added.
 */
export class EventLog {
  /** @param {number} entriesMax */
  constructor(entriesMax = ENTRIES_MAX) {
    this.entriesMax = entriesMax;
    this.kinds = bytes();
    this.indices = counts();
    this.rounds = counts();
    this.turns = counts();
    this.bots = integers();
    this.others = integers();
    this.values = floats();
    this.energies = floats();
    this.round = 0;
    /** @type {Map<number, number>} by bot: the entry of the turn that it missed last, while no answer has come to it */
    this.owed = new Map();
  }

  get length() {
    return this.kinds.length;
  }

  /** @param {Frame} frame */
  add(frame) {
    if (frame.roundNumber !== this.round) {
      this.round = frame.roundNumber;
      this.push(frame, "round", -1, -1, NaN, NaN);
      this.owed.clear();
    }
    for (const event of frame.events) this.event(frame, event);
    if (frame.timing !== null) {
      for (const [id, seat] of frame.timing) {
        this.answer(frame, id, seat);
      }
    }
    if (frame.roundResults !== null) this.end(frame);
  }

  /**
   * Add a missed turn, or the delay of a late answer to the entry of the turn that it answers.
   * @param {Frame} frame
   * @param {number} id
   * @param {import("../model.js").SeatTiming} seat
   */
  answer(frame, id, seat) {
    const owed = this.owed.get(id);
    const came = seat.lateUs !== null && owed !== undefined;
    if (came) {
      this.values.set(owed, seat.lateUs ?? NaN);
      this.owed.delete(id);
    }
    if (seat.skipped) {
      this.push(frame, "skip", id, -1, came ? NaN : (seat.lateUs ?? NaN), NaN);
      if (came || seat.lateUs === null) this.owed.set(id, this.length - 1);
    }
  }

  /**
   * Add the end of a round with this frame.
   * @param {Frame} frame
   */
  end(frame) {
    this.push(frame, "end", -1, -1, NaN, NaN);
  }

  /**
   * @param {Frame} frame
   * @param {GameEvent} event
   */
  event(frame, event) {
    const entry = logValues(event);
    if (entry !== null) this.push(frame, ...entry);
  }

  /**
   * @param {Frame} frame
   * @param {string} kind
   * @param {number} bot
   * @param {number} other
   * @param {number} value
   * @param {number} energy
   */
  push(frame, kind, bot, other, value, energy) {
    if (this.length >= this.entriesMax && MINOR.has(kind)) return;
    if (this.length >= this.entriesMax * 2) return;
    this.kinds.push(/** @type {number} */ (CODE.get(kind)));
    this.indices.push(frame.index);
    this.rounds.push(frame.roundNumber);
    this.turns.push(frame.turnNumber);
    this.bots.push(bot);
    this.others.push(other);
    this.values.push(value);
    this.energies.push(energy);
  }

  /**
   * @param {number} k
   * @returns {Entry}
   */
  at(k) {
    return {
      kind: KINDS[this.kinds.at(k)],
      index: this.indices.at(k),
      round: this.rounds.at(k),
      turn: this.turns.at(k),
      bot: this.bots.at(k),
      other: this.others.at(k),
      value: this.values.at(k),
      energy: this.energies.at(k),
    };
  }

  /**
   * Return the entries in the range [from, to) that a filter accepts.
   * @param {Filter} filter
   * @param {(id: number) => string} nameOf
   * @param {number} from
   * @param {number} to
   * @returns {number[]}
   */
  find(filter, nameOf, from, to) {
    const wanted = KINDS.map((kind) => filter.kinds.has(kind));
    const text = filter.text.trim().toLowerCase();
    const result = [];
    for (let k = from; k < Math.min(to, this.length); k += 1) {
      if (!wanted[this.kinds.values[k]]) continue;
      if (filter.bot !== null && !this.concerns(k, filter.bot)) continue;
      if (text !== "" && !this.matches(k, text, nameOf)) continue;
      result.push(k);
    }
    return result;
  }

  /**
   * @param {number} k
   * @param {number} bot
   */
  concerns(k, bot) {
    return this.bots.values[k] === bot || this.others.values[k] === bot || this.bots.values[k] < 0;
  }

  /**
   * @param {number} k
   * @param {string} text in small letters
   * @param {(id: number) => string} nameOf
   */
  matches(k, text, nameOf) {
    const entry = this.at(k);
    return `${entry.round}.${entry.turn} ${say(entry, nameOf)}`.toLowerCase().includes(text);
  }
}

/** @typedef {{ kinds: Set<string>, bot: number | null, text: string }} Filter */

/**
 * Return an entry in words.
 * @param {Entry} entry
 * @param {(id: number) => string} nameOf
 * @returns {string}
 */
export function say(entry, nameOf) {
  const bot = nameOf(entry.bot);
  const other = nameOf(entry.other);
  const left = entry.energy < 0 ? "none left" : entry.energy === 0 ? "0 left, disabled" : `${energyText(entry.energy)} left`;
  switch (entry.kind) {
    case "round":
      return entry.turn > 1 ? `Round ${entry.round}, watched from here` : `Round ${entry.round} begins`;
    case "end":
      return `Round ${entry.round} is over`;
    case "skip":
      return Number.isNaN(entry.value)
        ? `${bot} missed the turn: no answer`
        : `${bot} missed the turn: late by ${fixed(entry.value / 1000, 1)} ms`;
    default:
      return filled(TEXT.get(entry.kind) ?? "", { bot, other, value: fixed(entry.value, 1), left });
  }
}

/**
 * Return a text in which values replace the names in braces.
 * @param {string} text
 * @param {Record<string, string>} values
 */
function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/**
 * The marks of a turn in the timeline.
 * @param {Frame} frame
 * @returns {import("../../../../viewer/time/timeline_marks.js").TurnMarks}
 */
export function marksOf(frame) {
  const deaths = [];
  let hits = 0;
  for (const event of frame.events) {
    if (event.type === "BotDeathEvent") deaths.push(event.victimId);
    else if (event.type === "BulletHitBotEvent") hits += 1;
  }
  return { deaths, hits };
}

/** Signs and labels of the kinds of events, and the kinds that are shown at first. */
export const LOG_WORDS = {
  signs: new Map([["round", "▶"], ...LOGGED.map(({ kind, sign }) => pair(kind, sign)), ["skip", "▲"], ["end", "■"]]),
  labels: new Map([...LOGGED.slice(0, SKIP_AT), { kind: "skip", label: "Missed turns" }, ...LOGGED.slice(SKIP_AT)].map(({ kind, label }) => pair(kind, label))),
  shownFirst: ["round", "end", ...LOGGED.filter(({ isShownFirst }) => isShownFirst).map(({ kind }) => kind), "skip"],
  say,
};
