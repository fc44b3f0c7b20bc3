/**
 * Positions of the wrecks of this round: the last position of each missing seat.
 */
import { findFirst, findRound } from "../../../../../viewer/time/turns.js";
import { botsOf } from "../motion.js";

/** @typedef {import("../../model.js").Source} Source */
/** @typedef {import("../../model.js").Frame} Frame */
/** @typedef {{ id: number, x: number, y: number, direction: number, index: number }} Wreck */

export class Wrecks {
  constructor() {
    /** @type {Map<string, Wreck>} */
    this.found = new Map();
    /** @type {Source | null} */
    this.source = null;
  }

  /** Clear all wrecks for another battle. */
  clear() {
    this.found.clear();
  }

  /**
   * Return the wrecks that lie in the arena at a frame.
   * @param {Source} source
   * @param {Frame} frame
   * @returns {Wreck[]}
   */
  at(source, frame) {
    if (source !== this.source) {
      this.clear();
      this.source = source;
    }
    const here = botsOf(frame);
    const dying = frame.events.flatMap((event) => (event.type === "BotDeathEvent" ? [event.victimId] : []));
    /** @type {number[]} */
    const ids = (source.battle?.seats ?? []).map((/** @type {{ id: number }} */ seat) => seat.id);
    const missing = ids.filter((id) => !here.has(id) || dying.includes(id));
    return missing.flatMap((id) => {
      const key = `${frame.roundNumber} ${id}`;
      const wreck = this.found.get(key) ?? lastSeen(source, frame, id);
      if (wreck) {
        this.found.set(key, wreck);
      }
      return wreck ? [wreck] : [];
    });
  }
}

/**
 * Return where a tank was last seen in a round.
 *
 * A tank that is gone does not come back, so halving finds it.
 * @param {Source} source
 * @param {Frame} frame
 * @param {number} id
 * @returns {Wreck | null}
 */
function lastSeen(source, frame, id) {
  const begin = findRound(source, frame.roundNumber) ?? source.first;
  const gone = findFirst(
    source,
    (other) =>
      other.index > frame.index ||
      other.roundNumber > frame.roundNumber ||
      (other.index >= begin && !botsOf(other).has(id)),
  );
  const last = source.at(gone - 1);
  const bot = last && last.roundNumber === frame.roundNumber ? botsOf(last).get(id) : null;
  return bot ? { id, x: bot.x, y: bot.y, direction: bot.direction, index: gone - 1 } : null;
}
