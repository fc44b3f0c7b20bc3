/** Output of a bot in the last turns, limited in size. */

import { failureText } from "../../failures.js";

/** @typedef {import("../../../../../viewer/model.js").Failure} Failure */
/** @typedef {import("../../model.js").Frame} Frame */

const CHARACTERS_MAX = 20000;
const LINE_MAX = 2000;

/** @typedef {{ index: number, round: number, turn: number, error: boolean, text: string }} Printed */

/**
 * @param {Frame[]} frames oldest first
 * @param {number} id
 * @param {number} most lines
 * @returns {Printed[]} oldest first; if there are too many, the oldest are left out
 */
export function printedBy(frames, id, most) {
  /** @type {Printed[]} */
  const lines = [];
  let room = CHARACTERS_MAX;
  for (let k = frames.length - 1; k >= 0 && lines.length < most && room > 0; k -= 1) {
    const bot = [...frames[k].botStates, ...frames[k].fallen].find((each) => each.id === id);
    if (!bot) continue;
    for (const [text, error] of /** @type {[string | null, boolean][]} */ ([
      [bot.stdErr, true],
      [bot.stdOut, false],
    ])) {
      if (!text) continue;
      for (const line of lastLines(text, most - lines.length)) {
        const { index, roundNumber: round, turnNumber: turn } = frames[k];
        lines.push({ index, round, turn, error, text: line });
        room -= line.length;
      }
    }
  }
  return lines.reverse();
}

/**
 * Return a bot's failure, then the lines that its program printed last.
 * @param {Failure} failure
 * @param {number} index of the frame shown
 * @returns {Printed[]}
 */
export function printedAtEnd(failure, index) {
  const { round, turn } = failure;
  return [failureText(failure), ...failure.printed].map((text) => ({ index, round, turn, error: true, text }));
}

/**
 * @param {string} text
 * @param {number} most
 * @returns {string[]} its last lines, newest first, each limited in length
 */
function lastLines(text, most) {
  const lines = text.slice(-CHARACTERS_MAX).replace(/\r\n?/g, "\n").replace(/\n$/, "").split("\n");
  return lines
    .slice(-Math.max(most, 0))
    .reverse()
    .map((line) => (line.length > LINE_MAX ? `${line.slice(0, LINE_MAX)}…` : line));
}
