/**
 * The rows of the ranking in a frame: places, points, energies, deaths and missed turns.
 */

import { grouped, ordinal } from "../../../../viewer/widgets/format.js";
import { scoreOfSide, sidesOf, standingOfSide } from "./teams.js";

/** @typedef {import("../model.js").Frame} Frame */
/** @typedef {import("../model.js").Seat} Seat */
/** @typedef {import("../model.js").ResultRow} ResultRow */
/** @typedef {import("../model.js").BotState} BotState */

/**
 * @typedef {object} RankingRow
 * @property {Seat} seat
 * @property {number | null} place of its side; ties share a place; null if unknown or without points
 * @property {boolean} leads whether it is the first row of its side
 * @property {number | null} score of the bot; null if unknown
 * @property {number | null} sideScore
 * @property {string | null} team its name
 * @property {number} teamOrder of the team among the teams, from 0; −1 for a bot that plays alone
 * @property {boolean} alive
 * @property {BotState | null} state in this frame
 * @property {number | null} missed turns so far; null if unknown
 */

/**
 * Return the rows of the ranking in a frame, in the order of its standings.
 * @param {Seat[]} seats
 * @param {Frame} frame
 * @returns {RankingRow[]} best side first; in a side the best bot first
 */
export function rankingOf(seats, frame) {
  const all = sidesOf(seats);
  const teams = all.filter((side) => side.teamId !== null);
  const sides = all.map((side) => ({ side, score: scoreOfSide(side, frame), place: standingOfSide(side, frame)?.place || null }));
  sides.sort((a, b) => (a.place ?? Infinity) - (b.place ?? Infinity) || 0);
  const seatOf = new Map(seats.map((seat) => [seat.id, seat]));
  const states = new Map(frame.botStates.map((bot) => [bot.id, bot]));
  const died = new Set();
  for (const event of frame.events) if (event.type === "BotDeathEvent") died.add(event.victimId);
  return sides.flatMap(({ side, score: sideScore, place }) => {
    const pointsOf = (/** @type {number} */ id) => frame.standings.get(id)?.points ?? null;
    const ids = side.ids.slice().sort((a, b) => (pointsOf(b) ?? 0) - (pointsOf(a) ?? 0));
    return ids.map((id, nth) => ({
      seat: /** @type {Seat} */ (seatOf.get(id)),
      place,
      leads: nth === 0,
      score: pointsOf(id),
      sideScore,
      team: side.teamId === null ? null : side.name,
      teamOrder: teams.indexOf(side),
      alive: states.has(id) && !died.has(id),
      state: states.get(id) ?? null,
      missed: frame.standings.get(id)?.missed ?? null,
    }));
  });
}

/**
 * Return rows with the first one of each side marked.
 *
 * They may be in any order.
 * @param {RankingRow[]} rows
 * @returns {RankingRow[]}
 */
export function leadersIn(rows) {
  const seen = new Set();
  return rows.map((row) => {
    const side = row.seat.teamId ?? `alone ${row.seat.id}`;
    const leads = !seen.has(side);
    seen.add(side);
    return { ...row, leads };
  });
}

/**
 * Return a round's outcome in one line, for screen readers.
 * @param {number} round
 * @param {ResultRow[]} rows best first
 * @param {(row: ResultRow) => string} nameOf
 * @returns {string}
 */
export function roundText(round, rows, nameOf) {
  const told = rows.slice(0, 3).map((row) => `${nameOf(row)} ${grouped(row.totalScore)}`);
  return `Round ${round} is over. ${told.join(", ")}.`;
}

/**
 * @param {ResultRow[] | null} rows best first; null: the battle is not over
 * @param {Seat} seat
 * @returns {string} the place and points of a bot or its team, "" while they are unknown
 */
export function placeOf(rows, seat) {
  const row = rowOf(rows, seat);
  return row ? `${ordinal(row.rank)}, ${grouped(row.totalScore)} points` : "";
}

/**
 * @param {ResultRow[] | null} rows
 * @param {RankingRow[]} ranking best first
 * @returns {RankingRow[]} the worst first: by the results where they are known
 */
export function worstFirst(rows, ranking) {
  const rank = (/** @type {RankingRow} */ { seat }) => rowOf(rows, seat)?.rank ?? 0;
  return ranking.slice().reverse().sort((a, b) => rank(b) - rank(a));
}

/**
 * @param {ResultRow[] | null} rows
 * @param {Seat} seat
 * @returns {ResultRow | undefined}
 */
function rowOf(rows, { id, teamId }) {
  return rows?.find((row) => row.id === (teamId ?? id) && (row.isTeam ?? false) === (teamId !== null));
}
