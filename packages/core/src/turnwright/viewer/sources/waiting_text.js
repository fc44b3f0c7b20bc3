/** Whom a live game waits for, in words. */

/** @typedef {import("../model.js").Policies} Policies */
/** @typedef {{ seats: { id: number, name: string }[] } | null} Battle */

/** Bots that are named in the status line; more are counted. */
const NAMED_MAX = 3;

/**
 * Return why the game stands still, or "" if it was paused.
 * @param {unknown} cause of the pause
 * @param {Policies} policies
 * @param {Battle} battle
 * @returns {string}
 */
export function standsText(cause, { waitedFor }, battle) {
  if (cause === "debug_step") {
    return "Paused after each turn: debug mode is on.";
  }
  if (cause !== "breakpoint") {
    return "";
  }
  return waitedFor.length === 0
    ? "Paused: a bot is stopped at a breakpoint."
    : `Paused: the turn waits for ${namesOf(waitedFor, battle)}, in breakpoint mode.`;
}

/**
 * Return what is unusual about a game that runs; "": nothing.
 * @param {Policies} policies
 * @param {Battle} battle
 * @returns {string}
 */
export function runsText({ breakpoints, waitedFor }, battle) {
  if (waitedFor.length > 0) {
    return `Waiting for the first answer of ${namesOf(waitedFor, battle)}.`;
  }
  return breakpoints.length === 0 ? "" : `In breakpoint mode: ${namesOf(breakpoints, battle)}.`;
}

/**
 * @param {number[]} ids
 * @param {Battle} battle
 * @returns {string}
 */
function namesOf(ids, battle) {
  const seats = battle?.seats ?? [];
  const names = ids.slice(0, NAMED_MAX).map((id) => seats.find((seat) => seat.id === id)?.name ?? `bot ${id}`);
  const more = ids.length - names.length;
  return names.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
