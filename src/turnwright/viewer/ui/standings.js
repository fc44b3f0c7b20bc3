/** The ranking table at a moment: who leads, with which energy, who is dead, who missed turns. */

import { placesOf } from "./scores.js";

/** @typedef {import("./chronicle.js").Chronicle} Chronicle */
/** @typedef {import("../model.js").Frame} Frame */
/** @typedef {import("../model.js").Seat} Seat */
/** @typedef {import("../model.js").BotState} BotState */

/**
 * @typedef {object} Standing
 * @property {Seat} seat
 * @property {number} place of its side; ties share
 * @property {boolean} leads whether it is the first row of its side
 * @property {number} score of the bot
 * @property {number} sideScore
 * @property {string | null} team its name
 * @property {number} teamOrder of the team among the teams, 0-based; −1: plays alone
 * @property {boolean} alive
 * @property {BotState | null} state in this frame
 * @property {number} skips so far
 */

/**
 * @param {Chronicle} chronicle
 * @param {Frame} frame
 * @returns {Standing[]} best side first; in a side the best bot first
 */
export function standingsAt(chronicle, frame) {
  const offset = frame.index - chronicle.first;
  const sides = chronicle.keeper.sides.map((side, k) => ({ side, score: number(chronicle.scores.at(k, offset)) }));
  sides.sort((a, b) => b.score - a.score);
  const teams = chronicle.keeper.sides.filter((side) => side.teamId !== null);
  const places = placesOf(sides.map((entry) => entry.score));
  const states = new Map(frame.botStates.map((bot) => [bot.id, bot]));
  const died = new Set();
  for (const event of frame.events) if (event.type === "BotDeathEvent") died.add(event.victimId);
  /** @type {Standing[]} */
  const rows = [];
  sides.forEach(({ side, score: sideScore }, place) => {
    const members = side.ids.map((id) => /** @type {number} */ (chronicle.order.get(id)));
    const scored = members.map((k) => ({ k, score: number(chronicle.botScores.at(k, offset)) }));
    scored.sort((a, b) => b.score - a.score);
    scored.forEach(({ k, score }, nth) => {
      const seat = chronicle.seats[k];
      const state = states.get(seat.id) ?? null;
      rows.push({
        seat,
        place: places[place],
        leads: nth === 0,
        score,
        sideScore,
        team: side.teamId === null ? null : side.name,
        teamOrder: teams.indexOf(side),
        alive: state !== null && !died.has(seat.id),
        state,
        skips: number(chronicle.skips.at(k, offset)),
      });
    });
  });
  return rows;
}

/** @param {number} value */
function number(value) {
  return Number.isNaN(value) ? 0 : value;
}
