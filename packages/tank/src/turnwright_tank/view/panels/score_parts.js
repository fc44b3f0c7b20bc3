/** Parts of a score as whole numbers that add up to the score shown. */

import { SCORE_PARTS } from "../score_columns.js";

/** @typedef {import("../model.js").ResultRow} ResultRow */
/** @typedef {Pick<ResultRow, Part>} Parts */

/** @typedef {import("../score_columns.js").ScorePart} Part */

/** Parts with a fraction: a server cuts that of the first one down, and rounds the others. @type {Part[]} */
const FRACTIONAL = ["bulletKillBonus", "bulletDamage", "ramDamage", "ramKillBonus"];

/**
 * Return the parts of a score, adjusted so that they add up to it.
 *
 * The score and each part are rounded separately. So at most one point is changed in each part that has a fraction.
 * Scores of another server that differ by more stay unchanged.
 * @param {ResultRow} row
 * @returns {Parts}
 */
export function partsOf(row) {
  const parts = /** @type {Parts} */ (Object.fromEntries(SCORE_PARTS.map(([part]) => [part, row[part]])));
  const left = row.totalScore - SCORE_PARTS.reduce((sum, [part]) => sum + row[part], 0);
  const order = left > 0 ? FRACTIONAL : FRACTIONAL.slice().reverse();
  const open = order.filter((part) => row[part] > 0).slice(0, Math.abs(left));
  if (open.length === Math.abs(left)) {
    open.forEach((part) => (parts[part] += Math.sign(left)));
  }
  return parts;
}
