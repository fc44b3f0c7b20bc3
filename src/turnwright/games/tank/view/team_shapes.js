/** Shapes that tell teams apart without a colour, in the arena and in tables. */

const SHAPES = "●▲■◆★⬟✚▼";

/**
 * Return a team's shape.
 * @param {number} order of the team among the teams, by their first seats, 0-based; after the last the first comes again
 */
export function teamShape(order) {
  return SHAPES.charAt(Math.max(0, order) % SHAPES.length);
}
