/**
 * The answers of a ladder server's server, as types alone.
 *
 * `turnwright_league/app/ladder/views.py` writes it.
 */

/**
 * @typedef {object} Start
 * @property {string | null} opponent of first battles
 * @property {string[]} rules in a few lines
 * @property {boolean} reference whether the server has that of the bot library
 * @property {boolean} manual whether the server has the documentation site
 */

/**
 * @typedef {object} Place
 * @property {string} entry
 * @property {string} name
 * @property {number} rank
 * @property {number | null} aps percent
 * @property {number | null} low
 * @property {number | null} high
 * @property {number} battles
 */

/**
 * @typedef {object} Tournament
 * @property {number} id
 * @property {string} name
 * @property {"running" | "over" | "stopped" | "failed"} state
 * @property {string} why
 * @property {number | null} done
 * @property {number | null} total
 */

/**
 * @typedef {object} Running
 * @property {string} id of a battle
 * @property {string} names
 * @property {boolean} live whether it takes spectators
 */

/**
 * @typedef {object} LadderOverview
 * @property {string} title
 * @property {string} game
 * @property {boolean} frozen
 * @property {boolean} needs_code
 * @property {string} sandbox
 * @property {number} people
 * @property {number} bots
 * @property {number} waiting
 * @property {number} battles
 * @property {Running[]} running
 * @property {boolean} stopped
 * @property {Place[]} ladder
 * @property {Tournament[]} tournaments
 * @property {string} replay
 */

/**
 * @typedef {object} Problem
 * @property {string} text
 * @property {string} file
 * @property {number | null} line
 * @property {boolean} is_note
 */

/**
 * @typedef {object} FirstCheck
 * @property {string} opponent
 * @property {string} why
 * @property {number} score
 * @property {number} opponent_score
 * @property {number} turns
 * @property {number} skipped
 * @property {number} p99_us
 * @property {string[]} printed
 * @property {string} sandbox
 * @property {string | null} record
 * @property {boolean} record_deleted to make room
 */

/**
 * @typedef {object} Upload
 * @property {number} id
 * @property {string} file
 * @property {string} bot
 * @property {number} number
 * @property {"received" | "refused" | "checked" | "failed" | "plays" | "replaced" | "removed"} state
 * @property {number} at_us
 * @property {boolean} freed its files were deleted, to make room
 * @property {Problem[]} problems
 * @property {FirstCheck | null} first_check
 * @property {Place | null} place
 */

/**
 * @typedef {object} Score
 * @property {string} name
 * @property {boolean} own
 * @property {number} score
 * @property {number | null} share percent
 * @property {number} [skipped]
 * @property {number} [late]
 * @property {number} [p99_us]
 * @property {string | null} [failure]
 */

/**
 * @typedef {object} Battle
 * @property {string} id
 * @property {number} at_us
 * @property {string} state
 * @property {string[]} suspect
 * @property {boolean} record
 * @property {boolean} record_deleted to make room
 * @property {string[]} printed
 * @property {Score[]} scores
 */

/**
 * @typedef {object} Me
 * @property {string | null} name
 * @property {boolean} teacher
 * @property {Upload[]} [uploads]
 * @property {Battle[]} [battles]
 */

/**
 * @typedef {object} Pupil
 * @property {string} folded
 * @property {string} name
 * @property {number} uploads
 * @property {number} bytes of all their files
 * @property {{ id: number, bot: string, number: number, state: string }[]} bots
 */

const BATTLE = /^[0-9a-f]{40}$/;

/**
 * @param {string} id of a battle
 * @returns {string | null} where it is watched while it is played
 */
export function liveAddress(id) {
  return BATTLE.test(id) ? `/t/${id}/` : null;
}

/**
 * @param {string} id of a battle
 * @param {string} suffix of its record on this server
 * @returns {string | null} where it is played again
 */
export function replayAddress(id, suffix) {
  return BATTLE.test(id) ? `/?replay=/records/${id}.twr${suffix === ".frames" ? suffix : ""}` : null;
}
