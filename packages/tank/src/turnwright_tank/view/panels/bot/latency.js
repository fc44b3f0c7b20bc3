/** Answer times of a bot in each turn, with the shares of bot, network and server. */

import { duration } from "../../../../../viewer/widgets/format.js";

/** @typedef {import("../../model.js").Frame} Frame */

/**
 * One turn. Times are in microseconds, or null if unknown.
 * @typedef {object} TurnTimes
 * @property {number} index
 * @property {number | null} bot
 * @property {number | null} network
 * @property {number | null} server
 * @property {boolean} skipped
 * @property {boolean} late whether an answer came after the deadline
 */

/**
 * @param {Frame[]} frames oldest first
 * @param {number} id
 * @returns {TurnTimes[]} one for each frame in which the bot got an observation
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
 * Return the quantile of some values.
 * @param {number[]} values
 * @param {number} part 0…1
 * @returns {number} NaN without values
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
 * Return the top of the scale.
 *
 * It is the slowest turn, unless a single slow turn would flatten all others.
 * @param {TurnTimes[]} times
 * @returns {number} microseconds
 */
export function topOf(times) {
  const sums = times.map((turn) => (turn.bot ?? 0) + (turn.network ?? 0) + (turn.server ?? 0));
  return Math.max(quantile(sums, 0.98) || 0, 1000);
}
