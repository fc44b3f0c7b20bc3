/**
 * Shapes that the page and the views of all games agree on.
 *
 * A battle, a frame, a source, and what a game gives.
 *
 * Here are types and one number; nothing here does anything.
 */

/** Turns a second at speed 1×. */
export const NORMAL_TPS = 30;

/**
 * A participant. Games may give more fields.
 * @typedef {object} Seat
 * @property {number} id as in frames
 * @property {string} name
 * @property {string} version
 * @property {number | null} teamId null: plays alone
 * @property {string | null} teamName
 * @property {string[]} authors
 * @property {string | null} platform
 */

/**
 * A battle. Games may give more fields.
 * @typedef {object} Battle
 * @property {string} gameType its name, for people
 * @property {number | null} rounds null: the game has none, and all its turns are in round 1
 * @property {string | null} seed
 * @property {any[]} seats a Seat each
 * @property {any[] | null} results rows of results, best first; null: not over
 */

/**
 * One turn as spectators see it.
 *
 * Games add their own fields, which their views read.
 * @typedef {object} Frame
 * @property {number} index over the whole battle, across rounds, from 0
 * @property {number} roundNumber from 1
 * @property {number} turnNumber from 1
 * @property {Map<number, SeatTiming> | null} timing by seat id; null: not known
 * @property {any[] | null} roundResults rows of results in the last frame of a round
 */

/** @typedef {"running" | "disabled" | "dead" | "disconnected" | "disqualified"} SeatStatus */

/**
 * The answer of a seat in a turn.
 *
 * status: at its end; null or absent: not told.
 * @typedef {object} SeatTiming
 * @property {boolean} skipped
 * @property {number | null} lateUs
 * @property {number | null} answerUs
 * @property {number | null} rttUs
 * @property {SeatStatus | null} [status]
 */

/** @typedef {"loading" | "waiting" | "running" | "paused" | "over" | "aborted" | "failed"} Phase */

/**
 * @typedef {object} SourceStatus
 * @property {Phase} phase
 * @property {number | null} tps asked of the server; null: not known or no server
 * @property {number | null} progress 0…1 while loading
 * @property {string} message one line for people; "" when there is nothing to say
 */

/** @typedef {{ id: string, name: string, kind: "bot" | "team" | "house", description?: string | null }} Directory */

/** @typedef {{ name: string, version: string, host: string, port: number, [field: string]: unknown }} LobbyBot */

/**
 * The commands of a page that may command.
 *
 * All of it is asked of the server; nothing is done here.
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
 * @property {(wanted: any) => void} start a battle, as the game's dialog says
 */

/**
 * The settings of operators for bots, by bot id.
 *
 * waitedFor: the bots that the turn waits for now, in breakpoint mode or for their first answer.
 * @typedef {{ debugging: number[], breakpoints: number[], waitedFor: number[] }} Policies
 */

/**
 * Reason for which a participant plays no more.
 * @typedef {object} Failure
 * @property {string} reason crashed, exited, silent, slow, left, kicked or busy
 * @property {number} round in which it happened; 0: in no certain one
 * @property {number} turn of that round; 0: in no certain one
 * @property {string} error
 * @property {string[]} printed the last lines that its program printed
 */

/** @typedef {"battle" | "frames" | "status" | "operator"} SourceEvent */

/** A "lost" server is tried again, a "refused" one needs another secret, and a "gone" one has ended for good. */
/** @typedef {"open" | "lost" | "refused" | "gone"} Reach */

/**
 * A source of frames. A live server and a file look alike.
 * @typedef {object} Source
 * @property {string} kind "live", or the kind of a file
 * @property {any} battle a Battle; null: not known yet
 * @property {number} first index of the oldest frame held
 * @property {number} length one more than the index of the newest frame held
 * @property {(index: number) => any} at a Frame or null; quick, in any order
 * @property {SourceStatus} status
 * @property {null | "running" | "ok" | "differs" | "unchecked"} verified a record only
 * @property {{ round: number, turn: number } | null} [endsAt] a record that ends before its battle: its last turn
 * @property {(frame: any, isLast: boolean) => void} [shown] live: called with each frame that is shown
 * @property {boolean} [apart] live: whether its turns wait for no spectator, so that this page has its own clock
 * @property {number} [battles] live: how many battles have begun
 * @property {(name: SourceEvent, listener: () => void) => () => void} on
 * @property {() => void} close
 * @property {Operator | null} operator null: watches only
 * @property {Policies} [policies] live: what operators have set
 * @property {Map<number, Failure>} [failures] by bot id, of those that play no more
 * @property {Map<number, Failure[]>} [outOfRounds] by bot id, why it was disqualified from a round
 * @property {((secret: string) => void) | undefined} [claim] live: ask to become operator
 * @property {import("./sources/analysis.js").Analysis} [analysis] why participants won or lost
 * @property {any} [settings] live: for the next battle, as the server proposes them; null: it proposes none
 * @property {Reach} [reach] live: how its server is reached; absent: as if "open"
 */

/**
 * The rate of time.
 *
 * `speed` is relative to 30 turns per second; `tps` is turns per second, -1 as fast as it draws, 0 still.
 * @typedef {{ kind: "speed" | "tps", value: number }} Rate
 */

/**
 * The places of the page that panels are put into.
 * @typedef {{ top: HTMLElement, side: HTMLElement, bottom: HTMLElement, dialog: HTMLDialogElement }} Places
 */

/**
 * The requests of panels to the page itself.
 * @typedef {object} Page
 * @property {() => void} toggleTheme dark or light
 * @property {() => void} toggleDebug whether bots' own drawings are shown
 * @property {() => void} toggleSide whether the side panel is shown
 * @property {() => void} openFile ask for a file to replay
 * @property {boolean} board whether the board for a room is shown
 * @property {(toggle: () => boolean) => void} offerSound take what switches the sounds on or off, and returns which
 * @property {() => void} toggleSound
 * @property {(message: string) => void} say show one line for a moment
 */

/**
 * The arena of a game, made by its view.
 * @typedef {object} Arena
 * @property {(name: "dark" | "light") => void} setTheme
 * @property {(still: boolean) => void} setStill whether the reader wants less motion
 * @property {() => void} setOverlay show the arena alone, on nothing
 * @property {() => void} follow let the view follow the seat selected
 * @property {() => void} toggleDebug show or hide participants' own drawings
 * @property {Record<string, () => void>} keys what keys do in the arena
 * @property {(frame: any) => string} describe a frame in words, for those who do not see it
 */

/**
 * The elements that an arena is drawn into; the canvases lie over each other in this order.
 * @typedef {{ place: HTMLElement, ground: HTMLCanvasElement, haze: HTMLCanvasElement, arena: HTMLCanvasElement, buttons: HTMLElement }} ArenaPlaces
 */

/**
 * The history of a battle beyond the frame shown, built frame by frame.
 * @typedef {object} History
 * @property {number} next index of the frame that it takes next
 * @property {Map<number, number>} order seat id: which seat it is, from 0
 * @property {import("./time/timeline_marks.js").Marks} marks
 * @property {any} log for the list of events, see `page/log_panel.js`
 * @property {Map<number, any[]>} results rows of results by round
 * @property {(frame: any) => void} add take frame `next`, or a later one
 * @property {(frame: any) => boolean} settle take results that came after their frame; whether there were any
 * @property {(round: number) => any} round what is known of a round, with `first` and `last` of its frames; null: not seen
 */

/**
 * A line of the board for a room.
 * @typedef {{ id: number, name: string, value: string, note: string, out: boolean }} BoardRow out: dead, or gone
 */

/**
 * The end of a round, or of the battle.
 * @typedef {{ title: string, rows: { id: number | null, name: string, value: string, place: string }[] }} Winner
 */

/** @typedef {"shot" | "hit" | "out" | "end"} SoundName */

/**
 * Facts of a game for a room of people.
 * @typedef {object} Room
 * @property {{ note: string, value: string }} heads of the board's columns
 * @property {(frame: any) => BoardRow[]} board best first
 * @property {(round: number) => Winner | null} winner of a round that is over; null: not known
 * @property {(frame: any) => string[]} ticker the events of a turn in few words, those that a room wants to hear of
 * @property {(frame: any) => SoundName[]} sounds of a turn
 */

/**
 * The panels of a game.
 * @typedef {object} GamePanels
 * @property {HTMLElement} ranking the table of seats
 * @property {import("./widgets/tabs.js").Tab[]} tabs
 * @property {(frame: any) => string[]} announce what of a frame is said to those who hear the page
 * @property {() => void} results show the results in the dialog
 * @property {() => boolean} close close what lies over the arena; whether something did
 * @property {HTMLElement[]} over what lies over the arena
 * @property {Room} room
 * @property {(() => void) | null} newBattle ask for a new battle; null: it cannot be done here
 * @property {{ death: string, hits: string }} words of the timeline's crosses and bars
 * @property {[string, string][]} [marks] signs of the timeline and their meaning, for the help
 * @property {import("./widgets/keys.js").KeyLine[]} [keys] keys of the arena, for the help
 * @property {string} [help] a line for the help
 * @property {(tabs: import("./widgets/tabs.js").Tabs) => void} [ready]
 */

/**
 * The view of a game, given to the page.
 *
 * `games/tank/view/game_view.js` is one; `generic/game_view.js` makes one for games that say less.
 * @typedef {object} GameView
 * @property {(player: import("./time/player.js").Player, places: ArenaPlaces, say: (message: string, bad?: boolean) => void) => Arena} arena
 * @property {(seats: any[], first: number) => History} history
 * @property {((shared: import("./page/panel_context.js").PanelContext, dialog: import("./widgets/dialog.js").DialogBox) => GamePanels) | null} panels null: the arena alone
 * @property {(name: string, bytes: Uint8Array) => Promise<Source>} file a file as a source; rejects with an Error of one line
 * @property {(() => Source) | null} live the server of this page as a source; null: this page cannot watch
 * @property {string} files which files this page plays, for people
 * @property {string} accept their suffixes, as `<input accept>` has them
 * @property {boolean} analysed whether turnwright says of this game why participants won or lost
 * @property {((address: string) => string)} [recordAddress] where a server has a record in the form that this page
 *   plays; absent: at the record's own address
 */
