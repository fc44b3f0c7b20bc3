/** Finding rounds and turns in a source: rounds and turns never decrease with the index, so halving finds them. */

/** @typedef {import("./model.js").Source} Source */
/** @typedef {import("./model.js").Frame} Frame */

/**
 * Return the smallest index whose frame is at or after what is looked for, or `source.length`.
 * @param {Source} source
 * @param {(frame: Frame) => boolean} isThere false for all frames before, true for all from there on
 */
export function findFirst(source, isThere) {
  let low = source.first;
  let high = source.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const frame = source.at(middle);
    if (frame && isThere(frame)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/**
 * Return the index of the first frame of a round, or null when it is not held.
 * @param {Source} source
 * @param {number} round from 1
 * @returns {number | null}
 */
export function findRound(source, round) {
  const index = findFirst(source, (frame) => frame.roundNumber >= round);
  return source.at(index)?.roundNumber === round ? index : null;
}

/**
 * Return the index of a turn, of the first one after it in the same round, or null when it is not held.
 * @param {Source} source
 * @param {number} round from 1
 * @param {number} turn from 1
 * @returns {number | null}
 */
export function findTurn(source, round, turn) {
  const index = findFirst(
    source,
    (frame) => frame.roundNumber > round || (frame.roundNumber === round && frame.turnNumber >= turn),
  );
  return source.at(index)?.roundNumber === round ? index : null;
}
