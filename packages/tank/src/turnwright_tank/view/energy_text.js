/** Energies as texts with one digit after the point. */

/** Less than this is written as 0.0. */
const SHOWN_MIN = 0.05;

/**
 * Return an energy as a text that is not 0.0 for a little more than nothing.
 * @param {number} energy
 * @returns {string} "94.5", "<0.1"
 */
export function energyText(energy) {
  return energy > 0 && energy < SHOWN_MIN ? "<0.1" : Math.max(energy, 0).toFixed(1);
}
