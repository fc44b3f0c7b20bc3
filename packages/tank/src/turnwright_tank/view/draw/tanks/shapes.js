/**
 * Shapes of bullets, and below tanks, that distinguish sides without a colour.
 *
 * They are those of `team_shapes.js` in the same order, so that a sign in a table means the same as a shape in the
 * arena.
 */
import { teamShape } from "../../team_shapes.js";

/** @typedef {{ arc: Function, moveTo: Function, lineTo: Function, closePath: Function, beginPath: Function }} Path */
/** @typedef {import("../palette.js").Mark} Mark */

const TAU = 2 * Math.PI;

/**
 * Return corners at even angles. With `inner`, a nearer corner is between every two corners.
 * @param {number} corners
 * @param {number} from degrees of the first corner, counter-clockwise from ahead
 * @param {number} outer radius
 * @param {number} [inner] radius of the corners between two corners, if any
 * @returns {[number, number][]}
 */
function star(corners, from, outer, inner) {
  const count = inner === undefined ? corners : 2 * corners;
  return Array.from({ length: count }, (_, k) => {
    const angle = (from * Math.PI) / 180 + (k * TAU) / count;
    const radius = inner !== undefined && k % 2 === 1 ? inner : outer;
    return [radius * Math.cos(angle), -radius * Math.sin(angle)];
  });
}

const ARM = 0.45;
/** @type {[number, number][]} */
const CROSS = [
  [ARM, -1.1], [ARM, -ARM], [1.1, -ARM], [1.1, ARM], [ARM, ARM], [ARM, 1.1],
  [-ARM, 1.1], [-ARM, ARM], [-1.1, ARM], [-1.1, -ARM], [-ARM, -ARM], [-ARM, -1.1],
];

/** By sign, corners around the centre, with about the area of a circle of radius 1. A missing sign is a circle. */
const CORNERS = new Map([
  ["▲", star(3, 90, 1.6)],
  ["■", star(4, 45, 1.28)],
  ["◆", star(4, 90, 1.3)],
  ["★", star(5, 90, 1.5, 0.72)],
  ["⬟", star(5, 90, 1.15)],
  ["✚", CROSS],
  ["▼", star(3, 270, 1.6)],
]);

/**
 * Return the sign of a tank's side: that of its team, or that of its seat.
 * @param {Mark} mark
 */
export function signOf(mark) {
  return teamShape(mark.team ?? mark.order);
}

/**
 * Make a path in the form of a sign.
 * @param {Path} pen
 * @param {string} sign
 * @param {number} x centre
 * @param {number} y centre
 * @param {number} radius of a circle of about the same area
 */
export function tracePath(pen, sign, x, y, radius) {
  const corners = CORNERS.get(sign);
  pen.beginPath();
  if (corners === undefined) {
    pen.arc(x, y, radius, 0, TAU);
    return;
  }
  for (const [nth, [dx, dy]] of corners.entries()) {
    if (nth === 0) {
      pen.moveTo(x + dx * radius, y + dy * radius);
    } else {
      pen.lineTo(x + dx * radius, y + dy * radius);
    }
  }
  pen.closePath();
}
