/**
 * The shapes that everything in the viewer agrees on: what a battle is, what a frame is, what a source offers.
 *
 * Names and units are those of Robocode Tank Royale's observer messages: positions in units from the bottom left
 * corner, angles in degrees counter-clockwise from east, energies in energy points. Here are types and the few numbers
 * of the rules that drawing needs; nothing here does anything.
 */

/** Radius of a tank, units. */
export const TANK_RADIUS = 18;
/** How far a radar sees, units. */
export const RADAR_RADIUS = 1200;
/** Turns a second at speed 1×. */
export const NORMAL_TPS = 30;

/**
 * Who sits where.
 * @typedef {object} Seat
 * @property {number} id the bot's id in all frames
 * @property {string} name
 * @property {string} version
 * @property {number | null} teamId null: plays alone
 * @property {string | null} teamName
 * @property {boolean} isDroid
 * @property {string[]} authors
 * @property {string | null} platform
 */

/**
 * One line of results; the official fields.
 * @typedef {object} ResultRow
 * @property {number} id a bot's id, or a team's where isTeam
 * @property {string} name
 * @property {string} version
 * @property {boolean} [isTeam]
 * @property {number} rank 1 is best
 * @property {number} totalScore
 * @property {number} survival
 * @property {number} lastSurvivorBonus
 * @property {number} bulletDamage
 * @property {number} bulletKillBonus
 * @property {number} ramDamage
 * @property {number} ramKillBonus
 * @property {number} firstPlaces
 * @property {number} secondPlaces
 * @property {number} thirdPlaces
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
 * @property {ResultRow[] | null} results null: not over
 */

/**
 * A tank in one frame. Colours are "#RRGGBB"; null: never set.
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
 * @property {number} speed units a turn, signed
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

/** @typedef {{ type: "BotDeathEvent", turnNumber: number, victimId: number }} BotDeathEvent */
/** @typedef {{ type: "BotHitWallEvent", turnNumber: number, victimId: number }} BotHitWallEvent */
/**
 * @typedef {{ type: "BotHitBotEvent", turnNumber: number, botId: number, victimId: number, energy: number,
 *   x: number, y: number, rammed: boolean }} BotHitBotEvent
 */
/** @typedef {{ type: "BulletFiredEvent", turnNumber: number, bullet: BulletState }} BulletFiredEvent */
/**
 * @typedef {{ type: "BulletHitBotEvent", turnNumber: number, victimId: number, bullet: BulletState, damage: number,
 *   energy: number }} BulletHitBotEvent
 */
/**
 * @typedef {{ type: "BulletHitBulletEvent", turnNumber: number, bullet: BulletState,
 *   hitBullet: BulletState }} BulletHitBulletEvent
 */
/** @typedef {{ type: "BulletHitWallEvent", turnNumber: number, bullet: BulletState }} BulletHitWallEvent */
/**
 * @typedef {{ type: "ScannedBotEvent", turnNumber: number, scannedByBotId: number, scannedBotId: number,
 *   energy: number, x: number, y: number, direction: number, speed: number }} ScannedBotEvent
 */
/**
 * @typedef {BotDeathEvent | BotHitWallEvent | BotHitBotEvent | BulletFiredEvent | BulletHitBotEvent
 *   | BulletHitBulletEvent | BulletHitWallEvent | ScannedBotEvent} GameEvent
 */

/** @typedef {"running" | "disabled" | "dead" | "disconnected" | "disqualified"} SeatStatus */
/**
 * How a seat did in a turn. status: at its end; null or absent: not told.
 * @typedef {object} SeatTiming
 * @property {boolean} skipped
 * @property {number | null} lateUs
 * @property {number | null} answerUs
 * @property {number | null} rttUs
 * @property {SeatStatus | null} [status]
 */

/**
 * What a bot has reached when a turn is over.
 * @typedef {object} SoFar
 * @property {number} before points in the rounds that are over
 * @property {number} now points in this round
 * @property {number} missed turns
 */

/**
 * What one bot has done to another one, who lives, in this round.
 * @typedef {object} DuelSoFar
 * @property {number} attacker bot id
 * @property {number} victim bot id
 * @property {number} damage by bullets
 * @property {number} rams
 * @property {boolean} bulletKill
 * @property {boolean} ramKill
 */

/**
 * What spectators see of one turn. `index` counts over the whole battle, across rounds, from 0.
 * @typedef {object} Frame
 * @property {number} index
 * @property {number} roundNumber from 1
 * @property {number} turnNumber from 1
 * @property {BotState[]} botStates living tanks, and those that die in this turn
 * @property {BulletState[]} bulletStates
 * @property {GameEvent[]} events
 * @property {Map<number, SeatTiming> | null} timing by bot id
 * @property {number | null} serverLateUs
 * @property {ResultRow[] | null} roundResults in the last frame of a round
 * @property {SoFar[] | null} [soFar] of all bots in order, in frames that a live server tells as a whole
 * @property {DuelSoFar[]} [duels] in the same frames
 */

/** @typedef {"loading" | "waiting" | "running" | "paused" | "over" | "aborted" | "failed"} Phase */

/**
 * @typedef {object} SourceStatus
 * @property {Phase} phase
 * @property {number | null} tps asked of the server; null: not known or no server
 * @property {number | null} progress 0…1 while loading
 * @property {string} message one line for people; "" when there is nothing to say
 */

/** @typedef {{ id: string, name: string, kind: "bot" | "team" | "house" }} Directory */

/** @typedef {{ name: string, version: string, host: string, port: number, [field: string]: unknown }} LobbyBot */

/**
 * What a page that may command can do. All of it is asked of the server; nothing is done here.
 * @typedef {object} Operator
 * @property {() => void} pause
 * @property {() => void} resume
 * @property {() => void} step
 * @property {(tps: number) => void} setTps -1: no limit
 * @property {() => void} stop
 * @property {() => void} restart
 * @property {boolean} canRestart whether there is a game to begin again, and a bot for it
 * @property {(botId: number, policy: { debugging?: boolean, breakpoint?: boolean }) => void} setPolicy
 * @property {LobbyBot[]} bots in the lobby
 * @property {Directory[]} directories
 * @property {() => void} requestDirectories
 * @property {(ids: string[]) => void} boot
 * @property {(wanted: { gameType: string, rounds: number, width?: number, height?: number,
 *   addresses: { host: string, port: number }[] }) => void} start
 */

/**
 * What operators have set for bots, by bot id. waitedFor: of those in breakpoint mode, for whom the turn waits now.
 * @typedef {{ debugging: number[], breakpoints: number[], waitedFor: number[] }} Policies
 */

/** @typedef {"battle" | "frames" | "status" | "operator"} SourceEvent */

/** "lost": trying again; "refused": without another secret it does not let us in; "gone": it has said farewell. */
/** @typedef {"open" | "lost" | "refused" | "gone"} Reach */

/**
 * Where frames come from. A live server, our record and an official recording look alike.
 * @typedef {object} Source
 * @property {"live" | "record" | "royale"} kind
 * @property {BattleInfo | null} battle null: not known yet
 * @property {number} first index of the oldest frame held
 * @property {number} length one more than the index of the newest frame held
 * @property {(index: number) => Frame | null} at quick, in any order
 * @property {SourceStatus} status
 * @property {null | "running" | "ok" | "differs" | "unchecked"} verified a record only
 * @property {(name: SourceEvent, listener: () => void) => () => void} on
 * @property {() => void} close
 * @property {Operator | null} operator null: watches only
 * @property {Policies} [policies] live: what operators have set
 * @property {((secret: string) => void) | undefined} [claim] live: ask to become operator
 * @property {Reach} [reach] live: how its server is reached; absent: as if "open"
 */

/**
 * How fast time goes: `speed` is relative to 30 turns a second; `tps` is turns a second, -1 as fast as it draws, 0 still.
 * @typedef {{ kind: "speed" | "tps", value: number }} Rate
 */

/**
 * What panels may ask of the page itself: main.js gives it to them, `mountUi(player, places, page)`.
 * @typedef {object} Page
 * @property {() => void} toggleTheme dark or light
 * @property {() => void} toggleDebug whether bots' own drawings are shown
 * @property {() => void} toggleSide whether the side panel is shown
 * @property {() => void} openFile ask for a file to replay
 * @property {(message: string) => void} say show one line for a moment
 */

/**
 * The places of the page that panels are put into.
 * @typedef {{ top: HTMLElement, side: HTMLElement, bottom: HTMLElement, dialog: HTMLDialogElement }} Places
 */
