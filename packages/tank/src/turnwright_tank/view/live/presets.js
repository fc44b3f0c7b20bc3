/** The presets of new games. */

import { GAME_TYPES } from "../settings.js";

/** @typedef {Record<string, string | number | boolean>} GameSetup the official GameSetup */

/**
 * Return the settings of a game type.
 *
 * An unknown game type has the settings of `custom`, under its own name.
 * @param {string} gameType
 * @returns {GameSetup}
 */
export function preset(gameType) {
  const kinds = new Map(GAME_TYPES);
  return { ...(kinds.get(gameType) ?? kinds.get("custom")), gameType };
}
