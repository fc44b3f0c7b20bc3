/**
 * Types of the tank's battles and frames. viewer/model.js has the types of all games.
 *
 * Names and units are those of Robocode Tank Royale's observer messages: positions in units from the bottom left
 * corner, angles in degrees counter-clockwise from east, energies in energy points.
 */

/** Records have times in nanoseconds, and the page in microseconds. */
export const NS_PER_US = 1000;

/**
 * A participant and its seat.
 * @typedef {object} Seat
 * @property {number} id the bot's id in all frames
 * @property {string} name
 * @property {string} version
 * @property {number | null} teamId null for a bot that plays alone
 * @property {string | null} teamName
 * @property {boolean} isDroid
 * @property {string[]} authors
 * @property {string | null} platform
 */

/**
 * One line of results, with the official fields. id: a bot's id, or a team's if isTeam. rank: 1 is best.
 * @typedef {{ id: number, name: string, version: string, isTeam?: boolean, rank: number, totalScore: number } &
 *   Record<import("./score_columns.js").ScoreColumn, number>} ResultRow
 */

/**
 * @typedef {object} BattleInfo
 * @property {string} gameType
 * @property {number} width arena, units
 * @property {number} height arena, units
 * @property {number} rounds
 * @property {number | null} turnTimeoutUs
 * @property {string | null} seed
 * @property {Seat[]} seats
 * @property {ResultRow[] | null} results null until the battle is over
 */

/**
 * A tank in one frame. Colours are "#RRGGBB", or null if never set.
 * @typedef {object} BotState
 * @property {number} id
 * @property {string} name
 * @property {string} version
 * @property {boolean} isDroid
 * @property {number} energy
 * @property {number} x
 * @property {number} y
 * @property {number} direction degrees
 * @property {number} gunDirection degrees
 * @property {number} radarDirection degrees
 * @property {number} radarSweep degrees that the radar turned in this turn, signed
 * @property {number} speed units per turn, signed
 * @property {number} turnRate
 * @property {number} gunTurnRate
 * @property {number} radarTurnRate
 * @property {number} gunHeat
 * @property {number} enemyCount
 * @property {string | null} bodyColor
 * @property {string | null} turretColor
 * @property {string | null} radarColor
 * @property {string | null} bulletColor
 * @property {string | null} scanColor
 * @property {string | null} tracksColor
 * @property {string | null} gunColor
 * @property {boolean} isDebuggingEnabled
 * @property {string | null} stdOut
 * @property {string | null} stdErr
 * @property {string | null} debugGraphics SVG text in the arena's coordinates
 */

/**
 * @typedef {object} BulletState
 * @property {number} bulletId
 * @property {number} ownerId
 * @property {number} power
 * @property {number} x
 * @property {number} y
 * @property {number} direction degrees
 * @property {string | null} color
 */

/** @typedef {import("./events.js").GameEvent} GameEvent */

/**
 * The standing of a bot after a turn, as the rules count it. Values are null if the source does not have them.
 * @typedef {object} Standing
 * @property {number | null} points of all rounds including this one, rounded as in results
 * @property {number | null} teamPoints points of its team; null also for a bot that plays alone
 * @property {number | null} place its own or its team's; ties share a place; 0 without points
 * @property {number | null} missed turns
 */

/** @typedef {{ id: number, stdOut: string | null, stdErr: string | null }} Prints by bot id */

/**
 * One turn as spectators see it.
 *
 * `index` counts over the whole battle, across rounds, from 0.
 * @typedef {object} Frame
 * @property {number} index
 * @property {number} roundNumber from 1
 * @property {number} turnNumber from 1
 * @property {BotState[]} botStates living tanks, and those that die in this turn
 * @property {Prints[]} fallen output of bots without a tank in this turn
 * @property {BulletState[]} bulletStates
 * @property {GameEvent[]} events
 * @property {Map<number, SeatTiming> | null} timing by bot id
 * @property {number | null} serverLateUs
 * @property {ResultRow[] | null} roundResults in the last frame of a round
 * @property {Map<number, Standing>} standings by bot id, of all bots
 */

/** @typedef {import("../../../viewer/model.js").Directory} Directory */
/** @typedef {import("../../../viewer/model.js").LobbyBot} LobbyBot */
/** @typedef {import("../../../viewer/model.js").Operator} Operator */
/** @typedef {import("../../../viewer/model.js").Page} Page */
/** @typedef {import("../../../viewer/model.js").Phase} Phase */
/** @typedef {import("../../../viewer/model.js").Places} Places */
/** @typedef {import("../../../viewer/model.js").Policies} Policies */
/** @typedef {import("../../../viewer/model.js").Rate} Rate */
/** @typedef {import("../../../viewer/model.js").Reach} Reach */
/** @typedef {import("../../../viewer/model.js").SeatStatus} SeatStatus */
/** @typedef {import("../../../viewer/model.js").SeatTiming} SeatTiming */
/** @typedef {import("../../../viewer/model.js").Source} Source */
/** @typedef {import("../../../viewer/model.js").SourceEvent} SourceEvent */
/** @typedef {import("../../../viewer/model.js").SourceStatus} SourceStatus */
