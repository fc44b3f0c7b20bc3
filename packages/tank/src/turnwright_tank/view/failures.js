/** Failures of bots as text: reason, place, error and last printed lines. Pure. */

/** @typedef {import("../../../viewer/model.js").Failure} Failure */
/** @typedef {import("./model.js").Frame} Frame */

/** The beginning of the error of a bot whose answers were refused, as in kernel/failure.py. */
const REFUSED = "refused:";
/** The beginning of the error of a bot that gave no answer in time, as in kernel/failure.py. */
const UNANSWERED = "no answer in time for";

/**
 * Return a failure in one line, like `full_text` in kernel/failure.py.
 * @param {Failure} failure
 * @returns {string}
 */
export function failureText({ reason, round, turn, error }) {
  const place = turn > 0 ? ` in turn ${turn} of round ${round}` : "";
  let text = `${reason}${place}`;
  if (reason === "silent" && error.startsWith(REFUSED)) {
    text = place === "" ? "gave no valid answer" : `disqualified${place}: no valid answers`;
  } else if (reason === "silent") {
    if (place !== "" && error.startsWith(UNANSWERED)) {
      return `disqualified${place}: ${error}`;
    }
    text = place === "" ? "never answered a turn" : `disqualified${place}: no answers`;
  } else if (reason === "slow") {
    text = `disqualified${place}: too slow`;
  } else if (reason === "busy") {
    text = `disqualified${place}: the machine was busy`;
  }
  return error === "" || error === REFUSED ? text : `${text}: ${error}`;
}

/** Words of the ranking for reasons. @type {Record<string, string>} */
const WORDS = {
  crashed: "crashed",
  exited: "exited",
  silent: "no answers",
  slow: "too slow",
  busy: "machine busy",
  left: "left",
  kicked: "removed",
};

/**
 * Return a failure in one or two words.
 * @param {Failure} failure
 * @returns {string}
 */
export function failureWord({ reason, error }) {
  return reason === "silent" && error.startsWith(REFUSED) ? "no valid answers" : (WORDS[reason] ?? "out");
}

/**
 * Return the failure of a bot at a frame: that of the battle, or otherwise that of the frame's round.
 * @param {import("../../../viewer/model.js").Source | null} source
 * @param {number} id
 * @param {Frame | null} frame
 * @returns {Failure | null}
 */
export function failureAt(source, id, frame) {
  if (!frame) {
    return null;
  }
  const { roundNumber, turnNumber } = frame;
  const failure = source?.failures?.get(id);
  if (failure && (roundNumber > failure.round || (roundNumber === failure.round && turnNumber >= failure.turn))) {
    return failure;
  }
  return source?.outOfRounds?.get(id)?.find(({ round, turn }) => round === roundNumber && turn <= turnNumber) ?? null;
}

/**
 * Read the failure of a bot from a server or a record.
 *
 * Both leave out empty values.
 * @param {any} told
 * @returns {Failure}
 */
export function failureOf({ reason, round = 0, turn = 0, error = "", printed = [] }) {
  return {
    reason: String(reason),
    round: Number(round),
    turn: Number(turn),
    error: String(error),
    printed: Array.isArray(printed) ? printed.map(String) : [],
  };
}
