/** The history of a generic battle: marks, events, results. Pure. */
import { Marks } from "../time/timeline_marks.js";

/** @typedef {import("./game_view.js").SimpleView} SimpleView */
/** @typedef {{ kind: string, index: number, round: number, turn: number, bot: number, event: any }} GenericEntry `bot` −1: all */

const ENTRIES_MAX = 200_000;
/** The fields of an event that may contain a seat. */
const SEAT_FIELDS = ["seat", "bot", "player", "victim"];

/** All events, oldest first, up to a limit. */
export class GenericLog {
  /** @param {SimpleView} view */
  constructor(view) {
    this.view = view;
    /** @type {GenericEntry[]} */
    this.entries = [];
    this.indices = { at: (/** @type {number} */ k) => this.entries[k].index };
  }

  get length() {
    return this.entries.length;
  }

  /** @param {any} frame */
  add(frame) {
    for (const event of frame.events) {
      this.push(frame, markOf(this.view, event) ?? "other", seatOf(event), event);
    }
    for (const [seat, { skipped }] of frame.timing ?? []) {
      if (skipped) {
        this.push(frame, "skip", seat, null);
      }
    }
  }

  /** @param {any} frame the last one */
  end(frame) {
    this.push(frame, "over", -1, null);
  }

  /**
   * @param {any} frame
   * @param {string} kind
   * @param {number} bot
   * @param {any} event
   */
  push(frame, kind, bot, event) {
    if (this.entries.length < ENTRIES_MAX) {
      this.entries.push({ kind, index: frame.index, round: frame.roundNumber, turn: frame.turnNumber, bot, event });
    }
  }

  /** @param {number} k */
  at(k) {
    return this.entries[k];
  }

  /**
   * Return the numbers of the entries from `from` to before `to` that match a filter.
   * @param {import("../page/log_panel.js").Filter} filter
   * @param {(seat: number) => string} nameOf
   * @param {number} from
   * @param {number} to
   */
  find(filter, nameOf, from, to) {
    const text = filter.text.trim().toLowerCase();
    const found = [];
    for (let k = from; k < Math.min(to, this.length); k += 1) {
      const { kind, bot, event, turn } = this.entries[k];
      const isBot = filter.bot === null || bot === filter.bot || bot < 0;
      const words = text === "" ? "" : `${turn} ${bot < 0 ? "" : nameOf(bot)} ${JSON.stringify(event)}`.toLowerCase();
      if (filter.kinds.has(kind) && isBot && words.includes(text)) {
        found.push(k);
      }
    }
    return found;
  }
}

/** @typedef {import("../model.js").History} History */

/** @implements {History} */
export class GenericHistory {
  /**
   * @param {SimpleView} view
   * @param {any[]} seats
   * @param {number} first
   */
  constructor(view, seats, first) {
    this.next = first;
    this.order = new Map(seats.map((seat, k) => [seat.id, k]));
    this.marks = new Marks((frame) => marksOf(view, frame));
    this.log = new GenericLog(view);
    /** @type {Map<number, any[]>} */
    this.results = new Map();
    /** @type {Map<number, { first: number, last: number }>} */
    this.rounds = new Map();
    /** @type {Map<number, number>} turns missed by seat */
    this.missed = new Map();
  }

  /** @param {any} frame */
  add(frame) {
    this.next = frame.index + 1;
    const round = this.rounds.get(frame.roundNumber) ?? { first: frame.index, last: frame.index };
    this.rounds.set(frame.roundNumber, { ...round, last: frame.index });
    this.marks.add(frame);
    this.log.add(frame);
    for (const [seat, { skipped }] of frame.timing ?? []) {
      this.missed.set(seat, (this.missed.get(seat) ?? 0) + (skipped ? 1 : 0));
    }
    this.settle(frame);
  }

  /** @param {any} frame */
  settle(frame) {
    if (!frame?.roundResults || this.results.has(frame.roundNumber)) {
      return false;
    }
    this.results.set(frame.roundNumber, frame.roundResults);
    this.log.end(frame);
    return true;
  }

  /** @param {number} round */
  round(round) {
    return this.rounds.get(round) ?? null;
  }
}

/**
 * @param {SimpleView} view
 * @param {any} frame
 * @returns {import("../time/timeline_marks.js").TurnMarks}
 */
function marksOf(view, frame) {
  const kinds = frame.events.map((/** @type {any} */ event) => [markOf(view, event), seatOf(event)]);
  return {
    deaths: kinds.flatMap((/** @type {[string, number]} */ [kind, seat]) => (kind === "end" ? [seat] : [])),
    hits: kinds.filter((/** @type {[string, number]} */ [kind]) => kind === "mark").length,
  };
}

/**
 * Return how the timeline marks an event. If the view has no `mark`, every event is a bar.
 * @param {SimpleView} view
 * @param {any} event
 */
function markOf(view, event) {
  return view.mark ? view.mark(event) : "mark";
}

/**
 * Return the seat that an event is about. −1: not known.
 * @param {any} event
 * @returns {number}
 */
export function seatOf(event) {
  const field = SEAT_FIELDS.find((name) => Number.isInteger(event?.[name]));
  return field === undefined ? -1 : event[field];
}
