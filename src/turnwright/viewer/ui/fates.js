/** What became of a bot, in half a line: what a reader who asks "why did it lose?" reads first. */

import { grouped, ordinal } from "./format.js";
import { deaths } from "./campaign.js";
import { roundLines } from "./verdict.js";

/** @typedef {import("../model.js").ResultRow} ResultRow */
/** @typedef {import("./tally.js").RoundTally} RoundTally */
/** @typedef {import("./standings.js").Standing} Standing */
/** @typedef {import("./why.js").NameOf} NameOf */

/**
 * @param {RoundTally[]} rounds those seen so far
 * @param {number} id
 * @param {NameOf} nameOf
 * @returns {string} of one round how it ended, of several how often it died and by whom
 */
export function fateOf(rounds, id, nameOf) {
  const over = rounds.filter((tally) => tally.over && (tally.bots.get(id)?.turns ?? 0) > 0);
  if (over.length > 1) return deaths(over, id, nameOf).replace(/^It was |^It |\.$/g, "");
  const line = roundLines(rounds, id, nameOf).pop();
  return line ? line.text : "not seen yet";
}

/**
 * @param {ResultRow[] | null} rows best first; null: the battle is not over
 * @param {number} id of a bot or its team
 * @param {boolean} isTeam
 * @returns {string} its place and points, "" while nobody knows
 */
export function placeOf(rows, id, isTeam) {
  const row = rowOf(rows, id, isTeam);
  return row ? `${ordinal(row.rank)}, ${grouped(row.totalScore)} points` : "";
}

/**
 * @param {ResultRow[] | null} rows
 * @param {Standing[]} standings best first
 * @returns {Standing[]} the worst first: by the results where they are known
 */
export function worstFirst(rows, standings) {
  const rank = (/** @type {Standing} */ { seat }) => rowOf(rows, seat.teamId ?? seat.id, seat.teamId !== null)?.rank ?? 0;
  return standings.slice().reverse().sort((a, b) => rank(b) - rank(a));
}

/**
 * @param {ResultRow[] | null} rows
 * @param {number} id of a bot or its team
 * @param {boolean} isTeam
 * @returns {ResultRow | undefined}
 */
function rowOf(rows, id, isTeam) {
  return rows?.find((entry) => entry.id === id && (entry.isTeam ?? false) === isTeam);
}
