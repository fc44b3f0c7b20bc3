/**
 * The types of the content of a tournament's page.
 *
 * `turnwright_league/app/page/content.py` writes the content.
 */

/**
 * A column of the standings. An entry has its value under its name. For the kinds, see
 * `turnwright_league/tournament/columns.py`.
 * @typedef {object} Column
 * @property {string} name
 * @property {string} kind
 * @property {string} title
 * @property {string} hint the meaning of the column, in a sentence
 * @property {number} digits decimals
 * @property {string} spread the name of the rating that is shown as the ± of this column
 * @property {boolean} is_optional whether it is left out if no entry has a value
 * @property {boolean} is_small whether a projector leaves it out
 */

/**
 * An entry. In addition to these fields it has the values of columns.
 * @typedef {object} Entry
 * @property {string} name
 * @property {string} version
 * @property {number} rank from 1
 * @property {number | null} aps percent
 * @property {number | null} aps_low
 * @property {number | null} aps_high
 * @property {number} battles
 * @property {Record<string, number>} ratings
 * @property {[number, number][]} alike ranges of the ranks of entries that may be equally strong
 * @property {number} alike_count the number of these entries
 * @property {string} why why none of its battles counts; "": some battles count
 * @property {number[]} trouble how often it failed in each of FAILURES, then missed turns, late answers, slowest p99
 * @property {VersionRow[]} versions of a bot that has more than one, the newest first
 * @property {number} versions_more how many more there are
 */

/**
 * Version, beginning of its id, whether it is the current one, when its first and its last battle were played
 * (µs, 0: never), APS against the current versions of other bots, how many of these it has met, battles.
 * @typedef {[string, string, boolean, number, number, number | null, number, number]} VersionRow
 */

/**
 * One entry against another: both numbers, share, its interval's ends, win share, battles.
 * @typedef {[number, number, number, number | null, number | null, number, number]} Cell
 */

/**
 * Entry, score, missed turns, late answers, p50, p99 and slowest answer in µs, how it failed.
 * @typedef {[number, number | null, number, number, number, number, number, string | null]} ScoreRow
 */

/**
 * Id, state, seed, turns, when it was played (µs), attempts, turns in which the server was late, why it does
 * not count, whether it has a record or had one that was deleted, whether it has a page in replays/, scores.
 * @typedef {[string, string, string, number, number, number, number, string[], boolean | "deleted", boolean, ScoreRow[]]} BattleRow
 */

/**
 * @typedef {object} RunState
 * @property {number} done battles that count
 * @property {number} not_counted battles that were played and do not count
 * @property {number | null} total the number of battles; null: not known
 * @property {number | null} left_s the estimated time until the end, s; null: not known
 * @property {number} jobs the number of battles at a time
 * @property {string[]} running the battles that are being played, in words
 * @property {boolean} ending whether no further battle begins
 */

/**
 * Entries, their mean shares or null, battles.
 * @typedef {[number[], (number | null)[], number]} Group
 */

/**
 * Both sides (null: not known, or missing), their mean shares, battles, the winner, whether it is a bye.
 * @typedef {[(number | null)[], (number | null)[], number, number | null, boolean]} Match
 */

/**
 * @typedef {object} Series
 * @property {"aps" | "glicko2" | "openskill"} name
 * @property {number[]} at numbers of battles that count
 * @property {(number | null)[][]} lines for each of the best entries, its value after each number of battles in `at`
 */

/**
 * @typedef {object} Tournament
 * @property {string} title
 * @property {string} folder quoted for a shell
 * @property {string} turnwright version
 * @property {string} game
 * @property {string} format
 * @property {string} seed
 * @property {string} settings JSON
 * @property {number} at_us
 * @property {number} counted
 * @property {number} forfeits
 * @property {number} void
 * @property {number} suspect
 * @property {RunState | null} progress
 * @property {Column[]} columns of the standings
 * @property {Entry[]} entries best first
 * @property {Cell[]} cells
 * @property {number} matrix_more
 * @property {BattleRow[]} battles newest first
 * @property {number} battles_more
 * @property {Series[]} series of APS, then of the ratings that there are
 * @property {{ number: number, groups: Group[], idle: number[], bye: number | null }[]} rounds
 * @property {[number, number][] | null} swiss points and opponents' points of each entry
 * @property {{ first: number, rounds: Match[][] } | null} bracket first: the number of the first round that is shown
 * @property {"server" | "frames" | "files" | "command"} replays
 * @property {boolean} explains whether a replay of its game has "Why?"
 * @property {string[]} notes
 */

export const FAILURES = ["crashed", "exited", "silent", "slow", "left", "kicked", "busy"];
