/** Why a side won or lost a whole battle: where the points were made, and round by round. */

import { fixed, grouped, ordinal, plural } from "./format.js";
import { deadlyBlow } from "./why.js";

/** @typedef {import("../model.js").ResultRow} ResultRow */
/** @typedef {import("./tally.js").RoundTally} RoundTally */

/** Parts of a score, as people call them. */
export const TERMS = /** @type {const} */ ([
  ["survival", "survival"],
  ["lastSurvivorBonus", "last survivor"],
  ["bulletDamage", "bullet damage"],
  ["bulletKillBonus", "bullet kills"],
  ["ramDamage", "ram damage"],
  ["ramKillBonus", "ram kills"],
]);

/**
 * Compares a row of results with the best one.
 * @param {ResultRow[]} rows best first
 * @param {ResultRow} row
 * @param {(row: ResultRow) => string} nameOf
 * @returns {string[]} sentences
 */
export function compare(rows, row, nameOf) {
  const best = rows[0];
  if (best === row || row.totalScore === best.totalScore) return aheadOf(rows, row, nameOf);
  const behind = best.totalScore - row.totalScore;
  const gaps = TERMS.map(([key, name]) => ({ name, gap: best[key] - row[key], mine: row[key], its: best[key] }));
  gaps.sort((a, b) => b.gap - a.gap);
  const told = gaps.filter((part) => part.gap > 0).slice(0, 2);
  const parts = told.map((part) => `${part.name} (${grouped(part.mine)} against ${grouped(part.its)})`);
  const sentences = [`${nameOf(row)} came ${ordinal(row.rank)}, ${plural(behind, "point")} behind ${nameOf(best)}.`];
  if (parts.length > 0) sentences.push(`Most of that is ${parts.join(" and ")}.`);
  return sentences;
}

/**
 * @param {ResultRow[]} rows
 * @param {ResultRow} row
 * @param {(row: ResultRow) => string} nameOf
 * @returns {string[]}
 */
function aheadOf(rows, row, nameOf) {
  const second = rows.find((other) => other !== row);
  if (!second) return [];
  if (second.totalScore === row.totalScore)
    return [`${nameOf(row)} shares the best score, ${grouped(row.totalScore)}.`];
  const ahead = row.totalScore - second.totalScore;
  return [`${nameOf(row)} won, ${plural(ahead, "point")} ahead of ${nameOf(second)}.`];
}

/**
 * How a bot's rounds ended.
 * @typedef {object} RoundLine
 * @property {number} round
 * @property {string} text
 * @property {number | null} seek index of its death, else of the round's end
 */

/**
 * @param {RoundTally[]} rounds
 * @param {number} id
 * @param {(id: number) => string} nameOf
 * @returns {RoundLine[]}
 */
export function roundLines(rounds, id, nameOf) {
  /** @type {RoundLine[]} */
  const lines = [];
  for (const tally of rounds) {
    const bot = tally.bots.get(id);
    if (tally.gone.includes(id)) {
      lines.push({ round: tally.round, text: `died before turn ${tally.from}`, seek: null });
    }
    if (!bot || bot.turns === 0) continue;
    if (bot.diedTurn === null) {
      const end = tally.over ? "survived" : "alive";
      lines.push({ round: tally.round, text: `${end}, ${fixed(bot.energy, 1)} energy`, seek: tally.last });
      continue;
    }
    const last = deadlyBlow(bot);
    const by = last && last.by !== null ? ` by ${nameOf(last.by)}` : "";
    lines.push({ round: tally.round, text: `died in turn ${bot.diedTurn}${by}`, seek: bot.diedIndex });
  }
  return lines;
}

/**
 * A round's outcome in one line, for those who hear the page.
 * @param {number} round
 * @param {ResultRow[]} rows best first
 * @param {(row: ResultRow) => string} nameOf
 * @returns {string}
 */
export function roundText(round, rows, nameOf) {
  const told = rows.slice(0, 3).map((row) => `${nameOf(row)} ${grouped(row.totalScore)}`);
  return `Round ${round} is over. ${told.join(", ")}.`;
}
