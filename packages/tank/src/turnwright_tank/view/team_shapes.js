/** Shapes that tell teams apart without a colour, in the arena and in tables. */

const SHAPES = "●▲■◆★⬟✚▼";

/**
 * Return a team's shape.
 *
 * After the last the first comes again, but for another of the eight colours, so that up to 64 sides differ.
 * @param {number} order of the team among the teams, by their first seats, 0-based
 */
export function teamShape(order) {
  const nth = Math.max(0, order);
  return SHAPES.charAt((nth + Math.floor(nth / SHAPES.length)) % SHAPES.length);
}
