/** Numbers that look random and are the same each time, for shapes of explosions. */

/**
 * Return a number from 0 to below 1 for a seed and a place in its row.
 * @param {number} seed a whole number
 * @param {number} place a whole number
 */
export function noise(seed, place) {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(place + 1, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 4294967296;
}
