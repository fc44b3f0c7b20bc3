/** Sides of a battle: teams, and bots that play alone; each has one row of results. */

/** @typedef {import("../model.js").Seat} Seat */
/** @typedef {import("../model.js").Frame} Frame */
/** @typedef {import("../model.js").Standing} Standing */

/**
 * @typedef {object} Side
 * @property {string} name
 * @property {string} version
 * @property {number | null} teamId null for a bot that plays alone
 * @property {number[]} ids its bots
 */

/**
 * @param {Seat[]} seats
 * @returns {Side[]} in the order of their first bots
 */
export function sidesOf(seats) {
  /** @type {Map<string, Side>} */
  const sides = new Map();
  for (const seat of seats) {
    const key = seat.teamId === null ? `bot ${seat.id}` : `team ${seat.teamId}`;
    const side = sides.get(key);
    if (side) side.ids.push(seat.id);
    else sides.set(key, newSide(seat));
  }
  return [...sides.values()];
}

/**
 * @param {Seat} seat
 * @returns {Side}
 */
function newSide(seat) {
  const name = seat.teamId === null ? seat.name : seat.teamName || `team ${seat.teamId}`;
  return { name, version: seat.teamId === null ? seat.version : "", teamId: seat.teamId, ids: [seat.id] };
}

/**
 * Return the standing of a side's first bot, whose place is that of the side.
 * @param {Side} side
 * @param {Frame} frame
 * @returns {Standing | null}
 */
export function standingOfSide(side, frame) {
  return frame.standings.get(side.ids[0]) ?? null;
}

/**
 * Return the points of a side, or null if unknown.
 * @param {Side} side
 * @param {Frame} frame
 * @returns {number | null}
 */
export function scoreOfSide(side, frame) {
  const standing = standingOfSide(side, frame);
  return (side.teamId === null ? standing?.points : standing?.teamPoints) ?? null;
}
