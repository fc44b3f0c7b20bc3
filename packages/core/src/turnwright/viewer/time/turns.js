/**
 * Finds rounds and turns in a source by binary search.
 *
 * This works because they never decrease with the index.
 */

/** @typedef {import("../model.js").Source} Source */

/**
 * Return the first index that satisfies a condition, or `source.length`.
 * @param {Source} source
 * @param {(frame: any) => boolean} isThere false for all frames before, true for all others
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
 * Return the index of the first frame of a round, or null if it is not kept.
 * @param {Source} source
 * @param {number} round from 1
 * @returns {number | null}
 */
export function findRound(source, round) {
  const index = findFirst(source, (frame) => frame.roundNumber >= round);
  return source.at(index)?.roundNumber === round ? index : null;
}

/**
 * Return the index of a turn. null: it is not kept.
 *
 * If the turn itself is missing, return the first later turn of the same round.
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

/**
 * Reads the frames that a history has not read, until it is time to stop.
 * @param {{ next: number, add: (frame: any) => void }} history
 * @param {{ first: number, length: number, at: (index: number) => any }} source
 * @param {() => boolean} enough called after every frame; returns whether to stop
 * @param {number} [end] only frames before this index
 * @returns {boolean} whether all frames are read
 */
export function catchUp(history, source, enough, end = source.length) {
  if (history.next < source.first) history.next = source.first;
  while (history.next < end) {
    const frame = source.at(history.next);
    if (frame === null) return false;
    history.add(frame);
    if (enough()) return history.next >= end;
  }
  return true;
}
