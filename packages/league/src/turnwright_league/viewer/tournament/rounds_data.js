/** Names of rounds, and the results of an entry in each Swiss round. Pure. */

/** @typedef {import("./model.js").Tournament} Tournament */

/**
 * The result of an entry in a Swiss round.
 *
 * away: the entry had no battle, and no point for it. waiting: its battle is not played yet.
 * @typedef {object} SwissResult
 * @property {number} round
 * @property {"won" | "lost" | "drawn" | "bye" | "away" | "waiting"} kind
 * @property {number | null} opponent
 * @property {(number | null)[]} shares the entry's and the opponent's score share, percent
 * @property {number} battles
 */

/**
 * Return the results of an entry in the rounds that the page has.
 * @param {Tournament} data
 * @param {number} entry
 * @returns {SwissResult[]}
 */
export function swissResults(data, entry) {
  return data.rounds.map(({ number, groups, bye }) => {
    const group = groups.find(([entries]) => entries.includes(entry));
    if (group === undefined) {
      return { round: number, kind: bye === entry ? "bye" : "away", opponent: null, shares: [null, null], battles: 0 };
    }
    const [entries, shares, battles] = group;
    const mine = entries.indexOf(entry);
    const other = 1 - mine;
    return { round: number, kind: kindOf(shares[mine], shares[other]), opponent: entries[other], shares: [shares[mine], shares[other]], battles };
  });
}

/**
 * @param {number | null} mine
 * @param {number | null} theirs
 */
function kindOf(mine, theirs) {
  if (mine === null || theirs === null) return "waiting";
  return mine > theirs ? "won" : mine < theirs ? "lost" : "drawn";
}

/**
 * Return the name of a bracket's round.
 * @param {number} fromEnd 1: the final
 * @returns {string}
 */
export function roundName(fromEnd) {
  return ["Final", "Semi-finals", "Quarter-finals"][fromEnd - 1] ?? `Round of ${2 ** fromEnd}`;
}
