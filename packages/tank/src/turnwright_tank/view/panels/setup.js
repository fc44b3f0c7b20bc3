/** Presets of a new battle, and a check of the chosen settings. */

import { GAME_TYPES } from "../settings.js";

/** @typedef {import("../model.js").LobbyBot} LobbyBot */

const ROUNDS_USUAL = 10;
const ROUNDS_MAX = 10000;
const SIZE_MIN = 400;
const SIZE_MAX = 5000;

/**
 * @typedef {object} Preset
 * @property {string} gameType
 * @property {string} label
 * @property {number} width
 * @property {number} height
 * @property {number} least the smallest number of bots
 * @property {number | null} most the largest number of bots, null for any
 * @property {number} rounds
 */

/** @type {Preset[]} */
export const PRESETS = GAME_TYPES.map(([gameType, setup]) => {
  const [width, height, rounds] = [Number(setup.arenaWidth), Number(setup.arenaHeight), Number(setup.numberOfRounds)];
  const least = Number(setup.minNumberOfParticipants);
  const most = setup.maxNumberOfParticipants === undefined ? null : Number(setup.maxNumberOfParticipants);
  const bots = most === least ? `exactly ${least}` : `${least} or more`;
  const size = `${width} × ${height}, ${bots}${rounds === ROUNDS_USUAL ? "" : `, ${rounds} rounds`}`;
  return { gameType, label: `${gameType}: ${gameType === "custom" ? "choose sizes" : size}`, width, height, least, most, rounds };
});

/** @typedef {{ gameType: string, rounds: number, width: number, height: number, bots: number }} Wish */

/**
 * @param {string} gameType
 * @returns {Preset} classic for an unknown one
 */
export function presetOf(gameType) {
  return PRESETS.find((preset) => preset.gameType === gameType) ?? PRESETS[0];
}

/**
 * Return the mistake in the chosen settings, in one line.
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
 * Bots in the lobby that differ only in their addresses.
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
