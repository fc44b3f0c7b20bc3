/** The bots for which a live battle waits, in words. */

/** @typedef {import("../model.js").Policies} Policies */
/** @typedef {{ seats: { id: number, name: string }[] } | null} Battle */

/** The largest number of bots that the status line names. Only the number of others is shown. */
const NAMED_MAX = 3;

/**
 * Return why the battle is paused, or "" if an operator paused it.
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
 * Return what is unusual about a running battle; "": nothing.
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
