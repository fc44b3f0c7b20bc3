/** The presets of new games. */

import { GAME_TYPES } from "../settings.js";

/** @typedef {Record<string, string | number | boolean>} GameSetup the official GameSetup */

/**
 * Return the settings of a game type.
 *
 * Of an unknown one those of `custom`, under its name.
 * @param {string} gameType
 * @returns {GameSetup}
 */
export function preset(gameType) {
  const kinds = new Map(GAME_TYPES);
  return { ...(kinds.get(gameType) ?? kinds.get("custom")), gameType };
}
