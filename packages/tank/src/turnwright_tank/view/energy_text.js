/** Energies as texts with one decimal place. */

/** The smallest energy that is not written as 0.0. */
const SHOWN_MIN = 0.05;

/**
 * Return an energy as a text, which is never 0.0 for a small positive energy.
 * @param {number} energy
 * @returns {string} "94.5", "<0.1"
 */
export function energyText(energy) {
  return energy > 0 && energy < SHOWN_MIN ? "<0.1" : Math.max(energy, 0).toFixed(1);
}
