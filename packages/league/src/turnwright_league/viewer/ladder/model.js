/**
 * The types of a ladder server's answers, and addresses of battles.
 *
 * `turnwright_league/app/ladder/views.py` writes the answers. Fields that end with `_us` are in µs.
 */

/**
 * @typedef {object} Start
 * @property {string | null} opponent of first battles
 * @property {string[]} rules in a few lines
 * @property {boolean} reference whether the server has the reference of the bot library
 * @property {boolean} manual whether the server has the documentation site
 */

/**
 * @typedef {object} Place
 * @property {string} entry
 * @property {string} name
 * @property {number} rank from 1
 * @property {number | null} aps percent; null: no battle counts yet
 * @property {number | null} low the lower end of the 95 % interval of `aps`
 * @property {number | null} high its upper end
 * @property {number} battles
 */

/**
 * @typedef {object} Tournament
 * @property {number} id
 * @property {string} name
 * @property {"running" | "over" | "stopped" | "failed"} state
 * @property {string} why the reason if it failed
 * @property {number | null} done
 * @property {number | null} total the number of its battles; null: not known
 */

/**
 * @typedef {object} Running
 * @property {string} id of a battle
 * @property {string} names
 * @property {boolean} live whether the battle takes spectators
 */

/**
 * @typedef {object} LadderOverview
 * @property {string} title
 * @property {string} game
 * @property {boolean} frozen whether the teacher has frozen uploads
 * @property {boolean} needs_code whether a new account needs the join word
 * @property {string} sandbox
 * @property {number} people
 * @property {number} bots
 * @property {number} waiting uploads that wait for the check or the first battle
 * @property {number} battles
 * @property {Running[]} running
 * @property {boolean} stopped whether an error has stopped the battles
 * @property {Place[]} ladder
 * @property {Tournament[]} tournaments
 * @property {string} replay the suffix of the addresses of records, for the viewer
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
 * @property {boolean} freed whether its files were deleted to make room
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
 * @returns {string | null} the address at which it is watched while it is played; null: this is not an id
 */
export function liveAddress(id) {
  return BATTLE.test(id) ? `/t/${id}/` : null;
}

/**
 * @param {string} id of a battle
 * @param {string} suffix of its record on this server
 * @returns {string | null} the address of its replay; null: this is not an id
 */
export function replayAddress(id, suffix) {
  return BATTLE.test(id) ? `/?replay=/records/${id}.twr${suffix === ".frames" ? suffix : ""}` : null;
}
