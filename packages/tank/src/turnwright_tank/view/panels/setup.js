/** Presets of a new battle, and a check of the chosen settings. */

/** @typedef {import("../model.js").LobbyBot} LobbyBot */

/**
 * @typedef {object} Preset
 * @property {string} gameType
 * @property {string} label
 * @property {number} width
 * @property {number} height
 * @property {number} least how many bots
 * @property {number | null} most null: any number
 * @property {number} rounds
 */

/** @type {Preset[]} */
export const PRESETS = [
  {
    gameType: "classic",
    label: "classic: 800 × 600, 2 or more",
    width: 800,
    height: 600,
    least: 2,
    most: null,
    rounds: 10,
  },
  { gameType: "1v1", label: "1v1: 800 × 600, exactly 2", width: 800, height: 600, least: 2, most: 2, rounds: 10 },
  {
    gameType: "melee",
    label: "melee: 1000 × 1000, 10 or more",
    width: 1000,
    height: 1000,
    least: 10,
    most: null,
    rounds: 10,
  },
  {
    gameType: "twinduel",
    label: "twinduel: 800 × 800, exactly 4, 75 rounds",
    width: 800,
    height: 800,
    least: 4,
    most: 4,
    rounds: 75,
  },
  { gameType: "custom", label: "custom: choose sizes", width: 800, height: 600, least: 2, most: null, rounds: 10 },
];

const ROUNDS_MAX = 10000;
const SIZE_MIN = 400;
const SIZE_MAX = 5000;

/** @typedef {{ gameType: string, rounds: number, width: number, height: number, bots: number }} Wish */

/**
 * @param {string} gameType
 * @returns {Preset} classic for an unknown one
 */
export function presetOf(gameType) {
  return PRESETS.find((preset) => preset.gameType === gameType) ?? PRESETS[0];
}

/**
 * The mistake in a wish, in one line.
 * @param {Wish} wish
 * @returns {string} "" when it can be played
 */
export function problemOf(wish) {
  const preset = presetOf(wish.gameType);
  if (!Number.isInteger(wish.rounds) || wish.rounds < 1 || wish.rounds > ROUNDS_MAX) {
    return `Rounds: give a whole number from 1 to ${ROUNDS_MAX}.`;
  }
  if (wish.gameType === "custom") {
    for (const [name, size] of /** @type {[string, number][]} */ ([
      ["width", wish.width],
      ["height", wish.height],
    ])) {
      if (!Number.isInteger(size) || size < SIZE_MIN || size > SIZE_MAX) {
        return `Arena ${name}: give a whole number from ${SIZE_MIN} to ${SIZE_MAX}.`;
      }
    }
  }
  if (wish.bots < preset.least) {
    const wanted = preset.most === preset.least ? "exactly" : "at least";
    const needs = `${preset.gameType} needs ${wanted} ${preset.least}`;
    return `${counted(wish.bots)} chosen; ${needs}: choose ${preset.least - wish.bots} more.`;
  }
  if (preset.most !== null && wish.bots > preset.most) {
    const excess = wish.bots - preset.most;
    return `${wish.bots} bots are chosen; ${preset.gameType} is for ${preset.most}: remove ${excess}.`;
  }
  return "";
}

/** @param {number} bots */
function counted(bots) {
  if (bots === 0) return "No bot is";
  return bots === 1 ? "1 bot is" : `${bots} bots are`;
}

/**
 * Bots in the lobby that are the same but for where they call from.
 * @typedef {object} Group
 * @property {string} name
 * @property {string} version
 * @property {{ host: string, port: number }[]} addresses
 */

/**
 * @param {LobbyBot[]} bots
 * @returns {Group[]} by name
 */
export function groupsOf(bots) {
  /** @type {Map<string, Group>} */
  const groups = new Map();
  for (const bot of bots) {
    const key = JSON.stringify([bot.name, bot.version]);
    const group = groups.get(key) ?? { name: bot.name, version: bot.version, addresses: [] };
    group.addresses.push({ host: bot.host, port: bot.port });
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
