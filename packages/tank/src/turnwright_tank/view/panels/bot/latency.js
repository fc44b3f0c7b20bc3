/** Answer times of a bot in each turn: shares of the bot, network and server. */

import { duration } from "../../../../../viewer/widgets/format.js";

/** @typedef {import("../../model.js").Frame} Frame */

/**
 * One turn. Times in microseconds; null: not known.
 * @typedef {object} TurnTimes
 * @property {number} index
 * @property {number | null} bot
 * @property {number | null} network
 * @property {number | null} server
 * @property {boolean} skipped
 * @property {boolean} late an answer came, too late
 */

/**
 * @param {Frame[]} frames oldest first
 * @param {number} id
 * @returns {TurnTimes[]} one for each frame in which the bot was asked
 */
export function turnTimesOf(frames, id) {
  const times = [];
  for (const frame of frames) {
    const seat = frame.timing?.get(id);
    if (!seat) continue;
    const late = seat.lateUs !== null;
    times.push({
      index: frame.index,
      bot: seat.answerUs,
      network: seat.rttUs,
      server: frame.serverLateUs,
      skipped: seat.skipped,
      late,
    });
  }
  return times;
}

/**
 * The value below which a part of some values lies.
 * @param {number[]} values
 * @param {number} part 0…1
 * @returns {number} NaN of none
 */
export function quantile(values, part) {
  if (values.length === 0) return NaN;
  const sorted = values.slice().sort((a, b) => a - b);
  return sorted[Math.min(Math.floor(part * sorted.length), sorted.length - 1)];
}

/**
 * @param {TurnTimes[]} times
 * @returns {string} one line; "" when nothing is known
 */
export function latencyText(times) {
  const parts = [];
  for (const [name, key] of /** @type {const} */ ([
    ["bot", "bot"],
    ["network", "network"],
    ["server", "server"],
  ])) {
    const values = times.map((turn) => turn[key]).filter((value) => value !== null);
    if (values.length === 0) continue;
    parts.push(`${name} ${duration(quantile(values, 0.5))} (99 %: ${duration(quantile(values, 0.99))})`);
  }
  return parts.join(" · ");
}

/**
 * The top of the scale.
 *
 * The slowest turn, but one slow turn must not flatten all others.
 * @param {TurnTimes[]} times
 * @returns {number} microseconds
 */
export function topOf(times) {
  const sums = times.map((turn) => (turn.bot ?? 0) + (turn.network ?? 0) + (turn.server ?? 0));
  return Math.max(quantile(sums, 0.98) || 0, 1000);
}
