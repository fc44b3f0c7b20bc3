/** Who plays together: a side is a team, or a bot that plays alone. Results have one row for each side. */

/** @typedef {import("../model.js").Seat} Seat */
/** @typedef {import("../model.js").ResultRow} ResultRow */

/**
 * @typedef {object} Side
 * @property {string} name
 * @property {string} version
 * @property {number | null} teamId null: a bot that plays alone
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
 * Which side a row of results is about. A team and a bot may have the same number; then the name decides.
 * @param {Side[]} sides
 * @param {ResultRow} row
 * @returns {number} −1: none
 */
export function sideOfRow(sides, row) {
  /** @type {number[]} */
  const found = [];
  sides.forEach((side, k) => {
    if ((side.teamId ?? side.ids[0]) === row.id) found.push(k);
  });
  const sure = found.find((k) => row.isTeam !== undefined && row.isTeam === (sides[k].teamId !== null));
  const named = found.find((k) => sides[k].name === row.name);
  return sure ?? named ?? found[0] ?? -1;
}
