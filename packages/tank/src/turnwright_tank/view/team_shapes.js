/** Shapes that distinguish teams without a colour, in the arena and in tables. */

const SHAPES = "●▲■◆★⬟✚▼";

/**
 * Return a team's shape.
 *
 * The shapes repeat after the last, each time for another of the eight colours, so that up to 64 sides differ.
 * @param {number} order of the team among the teams, by their first seats, 0-based
 */
export function teamShape(order) {
  const nth = Math.max(0, order);
  return SHAPES.charAt((nth + Math.floor(nth / SHAPES.length)) % SHAPES.length);
}
