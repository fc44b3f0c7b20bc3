/** Orders, lists of battles, links and texts, computed from the content of the page. Pure. */
import { fixed, plural } from "../widgets/format.js";
import { niceStep } from "../widgets/scale.js";

/** @typedef {import("./model.js").Tournament} Tournament */
/** @typedef {import("./model.js").Entry} Entry */
/** @typedef {import("./model.js").BattleRow} BattleRow */

/**
 * A BattleRow with names.
 * @typedef {object} Battle
 * @property {string} id
 * @property {string} state
 * @property {string} seed
 * @property {number} turns
 * @property {number} playedUs when it was played, µs since 1970
 * @property {number} attempts
 * @property {number} serverLate the number of turns in which the server was late
 * @property {string[]} suspect the reasons why it does not count
 * @property {boolean | "deleted"} hasRecord
 * @property {boolean} hasPage whether it has a page in replays/
 * @property {Score[]} scores
 */

/**
 * A ScoreRow with names.
 * @typedef {object} Score
 * @property {number} entry the number of the entry
 * @property {number | null} score
 * @property {number} skipped missed turns
 * @property {number} late late answers
 * @property {number} p50Us the median answer time
 * @property {number} p99Us
 * @property {number} maxUs
 * @property {string | null} failure how the bot failed, in words
 */

const ID = /^[0-9a-f]{40}$/;

/**
 * @param {BattleRow} row
 * @returns {Battle}
 */
export function battleOf([id, state, seed, turns, playedUs, attempts, serverLate, suspect, hasRecord, hasPage, rows]) {
  const scores = rows.map(([entry, score, skipped, late, p50Us, p99Us, maxUs, failure]) => ({
    entry, score, skipped, late, p50Us, p99Us, maxUs, failure,
  }));
  return { id, state, seed, turns, playedUs, attempts, serverLate, suspect, hasRecord, hasPage, scores };
}

/**
 * Return the battles in which all of these entries met, newest first.
 * @param {Tournament} data
 * @param {number[]} entries
 * @returns {Battle[]}
 */
export function battlesOf(data, entries) {
  return data.battles.map(battleOf).filter(({ scores }) => entries.every((one) => scores.some((row) => row.entry === one)));
}

/**
 * Return the battles that do not count, or that an entry forfeited.
 * @param {Tournament} data
 * @returns {Battle[]}
 */
export function problems(data) {
  return data.battles.map(battleOf).filter(({ state, suspect }) => state !== "ok" || suspect.length > 0);
}

/**
 * Return how to replay a battle: a link, a command, or the reason why this is not possible.
 * @param {Tournament} data
 * @param {Battle} battle
 * @returns {{ kind: "link" | "command" | "none", text: string }}
 */
export function replayOf(data, { id, hasRecord, hasPage }) {
  if (!ID.test(id)) return { kind: "none", text: "" };
  if (hasPage && data.replays === "files") return { kind: "link", text: `replays/${id}.html` };
  if (hasRecord === "deleted") return { kind: "none", text: "Its record was deleted to make room." };
  if (!hasRecord) return { kind: "none", text: "No record was kept." };
  const suffix = { server: "", frames: ".frames", files: null, command: null }[data.replays] ?? null;
  if (suffix !== null) return { kind: "link", text: `/?replay=/records/${id}.twr${suffix}` };
  return { kind: "command", text: `turnwright replay ${data.folder}/records/${id.slice(0, 2)}/${id}.twr` };
}

/**
 * Return the entries in the order of a value.
 *
 * Entries without a value come last in both directions. Entries with equal values keep their order.
 * @param {Entry[]} entries
 * @param {(entry: Entry) => number | string | null | undefined} value
 * @param {boolean} descending
 * @returns {number[]} numbers of entries
 */
export function inOrder(entries, value, descending) {
  const values = entries.map(value);
  const order = entries.map((_, nth) => nth);
  return order.sort((a, b) => {
    const [one, other] = [values[a] ?? null, values[b] ?? null];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    const ahead = typeof one === "string" ? one.localeCompare(String(other)) : one - Number(other);
    return descending ? -ahead : ahead;
  });
}

/**
 * Return the ends of a scale in whole tens that contains all these values.
 * @param {(number | null | undefined)[]} values percent
 * @returns {{ low: number, high: number }}
 */
export function scaleOf(values) {
  const known = values.filter((value) => typeof value === "number");
  if (known.length === 0) return { low: 0, high: 100 };
  const low = Math.max(0, Math.floor(Math.min(...known) / 10) * 10);
  const high = Math.min(100, Math.ceil(Math.max(...known) / 10) * 10);
  return high > low ? { low, high } : { low: Math.max(0, low - 10), high: Math.min(100, high + 10) };
}

/**
 * Return the ends of a scale of lines.
 *
 * Percentages have whole tens from 0 to 100. Other values have round steps.
 * @param {(number | null)[]} values
 * @param {boolean} isPercent
 * @returns {{ low: number, high: number }}
 */
export function lineScale(values, isPercent) {
  if (isPercent) return scaleOf(values);
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return { low: 0, high: 1 };
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const step = niceStep(Math.max(most - least, 1), 5);
  return { low: Math.floor(least / step) * step, high: Math.max(Math.ceil(most / step) * step, Math.floor(least / step) * step + step) };
}

/**
 * @param {number} seconds
 * @returns {string} "about 3 h 20 min left"
 */
export function leftText(seconds) {
  if (seconds < 1) return "nearly done";
  if (seconds < 90) return `about ${fixed(seconds)} s left`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `about ${minutes} min left`;
  return `about ${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}

/**
 * @param {number} us µs since 1970
 * @returns {string} "2026-11-24 03:20:11 UTC", or "–" for 0
 */
export function momentText(us) {
  return us > 0 ? `${new Date(us / 1000).toISOString().slice(0, 19).replace("T", " ")} UTC` : "–";
}

/**
 * Return the game, the format and the numbers of battles, in words.
 * @param {Tournament} data
 * @returns {string}
 */
export function aboutText(data) {
  const counts = [
    plural(data.counted, "battle"),
    ...[data.forfeits && `${plural(data.forfeits, "forfeit")} among them`],
    data.suspect && `${data.suspect} suspect, not counted`,
    data.void && `${data.void} void, not counted`,
  ];
  return [data.game, data.format, ...counts].filter(Boolean).join(" · ");
}

/**
 * Return settings in words. A text that is not JSON is returned unchanged.
 * @param {string} json
 * @returns {string} "rounds 10, game type 1v1"
 */
export function settingsText(json) {
  try {
    const words = Object.entries(JSON.parse(json)).map(([name, value]) => `${name.replaceAll("_", " ")} ${typeof value === "object" ? JSON.stringify(value) : value}`);
    return words.join(", ");
  } catch {
    return json;
  }
}
