/**
 * The types that the page and the views of all games share: a battle, a frame, a source, and a game's view.
 *
 * This module contains only types and one number.
 */

/** Turns per second at speed 1×. */
export const NORMAL_TPS = 30;

/**
 * A participant. Games may add fields.
 * @typedef {object} Seat
 * @property {number} id the id in frames
 * @property {string} name
 * @property {string} version
 * @property {number | null} teamId null: it plays alone
 * @property {string | null} teamName
 * @property {string[]} authors
 * @property {string | null} platform
 */

/**
 * A battle. Games may add fields.
 * @typedef {object} Battle
 * @property {string} gameType its name, to be shown
 * @property {number | null} rounds null: the game has no rounds, and all turns are in round 1
 * @property {string | null} seed
 * @property {any[]} seats the seats
 * @property {any[] | null} results the rows of results, best first; null: the battle is not over
 */

/**
 * One turn as spectators see it.
 *
 * Games add their own fields for their views.
 * @typedef {object} Frame
 * @property {number} index its number in the whole battle, across rounds, from 0
 * @property {number} roundNumber from 1
 * @property {number} turnNumber from 1
 * @property {Map<number, SeatTiming> | null} timing by seat id; null: not known
 * @property {any[] | null} roundResults the rows of results, in the last frame of a round
 */

/** @typedef {"running" | "disabled" | "dead" | "disconnected" | "disqualified"} SeatStatus */

/**
 * The answer of a seat in a turn.
 *
 * status: the seat's status at the end of the turn; null or absent: not known.
 * @typedef {object} SeatTiming
 * @property {boolean} skipped whether the seat missed the turn
 * @property {number | null} lateUs how late a late answer came; null: it was not late, or this is not known
 * @property {number | null} answerUs how long the answer took; null: not known
 * @property {number | null} rttUs the round-trip time of a ping to the bot; null: not known
 * @property {SeatStatus | null} [status]
 */

/** @typedef {"loading" | "waiting" | "running" | "paused" | "over" | "aborted" | "failed"} Phase */

/**
 * @typedef {object} SourceStatus
 * @property {Phase} phase
 * @property {number | null} tps the server's turns per second; null: not known, or there is no server
 * @property {number | null} progress 0…1 while loading
 * @property {string} message one line to be shown; "": nothing
 */

/** @typedef {{ id: string, name: string, kind: "bot" | "team" | "house", description?: string | null }} Directory */

/** @typedef {{ name: string, version: string, host: string, port: number, [field: string]: unknown }} LobbyBot */

/**
 * The commands of a page that may operate.
 *
 * Each sends a request to the server and does nothing else.
 * @typedef {object} Operator
 * @property {() => void} pause
 * @property {() => void} resume
 * @property {() => void} step
 * @property {(tps: number) => void} setTps -1: no limit
 * @property {() => void} stop
 * @property {() => void} restart
 * @property {boolean} canRestart whether there is a battle to start again, and a bot for it
 * @property {(botId: number, policy: { debugging?: boolean, breakpoint?: boolean }) => void} setPolicy
 * @property {LobbyBot[]} bots the bots in the lobby
 * @property {Directory[]} directories
 * @property {() => void} requestDirectories
 * @property {(ids: string[]) => void} boot
 * @property {(wanted: any) => void} start starts a battle with the data of the game's dialog
 */

/**
 * The operators' settings for bots, by bot id.
 *
 * waitedFor: the bots for which the turn now waits, because of breakpoint mode or for their first answer.
 * @typedef {{ debugging: number[], breakpoints: number[], waitedFor: number[] }} Policies
 */

/**
 * The reason why a participant stopped playing.
 * @typedef {object} Failure
 * @property {string} reason crashed, exited, silent, slow, left, kicked or busy
 * @property {number} round the round in which it happened; 0: not known
 * @property {number} turn the turn of that round; 0: not known
 * @property {string} error
 * @property {string[]} printed the last lines that its program printed
 */

/** @typedef {"battle" | "frames" | "status" | "operator"} SourceEvent */

/** A "lost" server is tried again. A "refused" one needs another secret. A "gone" one has ended. */
/** @typedef {"open" | "lost" | "refused" | "gone"} Reach */

/**
 * A source of frames. A live server and a file have the same interface.
 * @typedef {object} Source
 * @property {string} kind "live", or the kind of a file
 * @property {any} battle a Battle; null: not known yet
 * @property {number} first the index of the oldest frame that is kept
 * @property {number} length one more than the index of the newest frame
 * @property {(index: number) => any} at returns a Frame or null; quickly, in any order
 * @property {SourceStatus} status
 * @property {null | "running" | "ok" | "differs" | "unchecked"} verified only for a record
 * @property {{ round: number, turn: number } | null} [endsAt] the last turn of a record that ends before its battle
 * @property {(frame: any, isLast: boolean) => void} [shown] live: called with each frame that is shown
 * @property {boolean} [apart] live: whether its turns do not wait for spectators, so that this page has its own clock
 * @property {number} [battles] live: the number of battles that have begun
 * @property {(name: SourceEvent, listener: () => void) => () => void} on
 * @property {() => void} close
 * @property {Operator | null} operator null: the page can only watch
 * @property {Policies} [policies] live: the operators' settings for bots
 * @property {Map<number, Failure>} [failures] by bot id, why bots stopped playing
 * @property {Map<number, Failure[]>} [outOfRounds] by bot id, why a bot was disqualified from rounds
 * @property {((secret: string) => void) | undefined} [claim] live: asks to become operator
 * @property {import("./sources/analysis.js").Analysis} [analysis] why participants won or lost
 * @property {any} [settings] live: the settings that the server proposes for the next battle; null: none
 * @property {Reach} [reach] live: the state of the connection to the server; absent: "open"
 */

/**
 * The rate of time.
 *
 * `speed` is relative to 30 turns per second. `tps` is turns per second; -1: as fast as it draws; 0: paused.
 * @typedef {{ kind: "speed" | "tps", value: number }} Rate
 */

/**
 * The places of the page for panels.
 * @typedef {{ top: HTMLElement, side: HTMLElement, bottom: HTMLElement, dialog: HTMLDialogElement }} Places
 */

/**
 * The requests that panels send to the page.
 * @typedef {object} Page
 * @property {() => void} toggleTheme dark or light
 * @property {() => void} toggleDebug whether bots' own drawings are shown
 * @property {() => void} toggleSide shows or hides the side panel
 * @property {() => void} openFile asks the user for a file to replay
 * @property {boolean} board whether the board for a room is shown
 * @property {(toggle: () => boolean) => void} offerSound takes a function that switches the sounds on or off and returns the new state
 * @property {() => void} toggleSound
 * @property {(message: string) => void} say shows one line for a moment
 */

/**
 * The arena of a game, made by its view.
 * @typedef {object} Arena
 * @property {(name: "dark" | "light") => void} setTheme
 * @property {(still: boolean) => void} setStill sets whether the user wants less motion
 * @property {() => void} setOverlay shows only the arena, without a background
 * @property {() => void} follow lets the view follow the selected seat
 * @property {() => void} toggleDebug shows or hides participants' own drawings
 * @property {Record<string, () => void>} keys the actions of keys in the arena
 * @property {(frame: any) => string} describe describes a frame in words, for screen readers
 */

/**
 * The elements into which an arena is drawn. The canvases are stacked in this order.
 * @typedef {{ place: HTMLElement, ground: HTMLCanvasElement, haze: HTMLCanvasElement, arena: HTMLCanvasElement, buttons: HTMLElement }} ArenaPlaces
 */

/**
 * The history of a battle, built frame by frame.
 * @typedef {object} History
 * @property {number} next the index of the next frame that it needs
 * @property {Map<number, number>} order the number of each seat, from 0, by seat id
 * @property {import("./time/timeline_marks.js").Marks} marks
 * @property {any} log the data for the list of events (see `page/log_panel.js`)
 * @property {Map<number, any[]>} results the rows of results by round
 * @property {(frame: any) => void} add takes frame `next`, or a later one
 * @property {(frame: any) => boolean} settle takes results that came after their frame; returns whether there were any
 * @property {(round: number) => any} round returns what is known of a round, with its `first` and `last` frames; null: not seen
 */

/**
 * A line of the board for a room.
 * @typedef {{ id: number, name: string, value: string, note: string, out: boolean }} BoardRow out: dead, or it left
 */

/**
 * The end of a round, or of the battle.
 * @typedef {{ title: string, rows: { id: number | null, name: string, value: string, place: string }[] }} Winner
 */

/** @typedef {"shot" | "hit" | "out" | "end"} SoundName */

/**
 * Data of a game for a display in a room.
 * @typedef {object} Room
 * @property {{ note: string, value: string }} heads the headings of the board's columns
 * @property {(frame: any) => BoardRow[]} board the rows, best first
 * @property {(round: number) => Winner | null} winner the winner of a round that is over; null: not known
 * @property {(frame: any) => string[]} ticker the important events of a turn, in few words
 * @property {(frame: any) => SoundName[]} sounds the sounds of a turn
 */

/**
 * The panels of a game.
 * @typedef {object} GamePanels
 * @property {HTMLElement} ranking the table of seats
 * @property {import("./widgets/tabs.js").Tab[]} tabs
 * @property {(frame: any) => string[]} announce the sentences about a frame for screen readers
 * @property {() => void} results shows the results in the dialog
 * @property {() => boolean} close closes what is in front of the arena; returns whether something was open
 * @property {HTMLElement[]} over the elements in front of the arena
 * @property {Room} room
 * @property {(() => void) | null} newBattle asks for a new battle; null: not possible here
 * @property {{ death: string, hits: string }} words the meaning of the timeline's crosses and bars
 * @property {[string, string][]} [marks] the signs of the timeline and their meaning, for the help
 * @property {import("./widgets/keys.js").KeyLine[]} [keys] the keys of the arena, for the help
 * @property {string} [help] a line for the help
 * @property {(tabs: import("./widgets/tabs.js").Tabs) => void} [ready]
 */

/**
 * The view of a game.
 *
 * `packages/tank/src/turnwright_tank/view/game_view.js` is an example. `generic/game_view.js` makes one for games with a simple view.
 * @typedef {object} GameView
 * @property {(player: import("./time/player.js").Player, places: ArenaPlaces, say: (message: string, bad?: boolean) => void) => Arena} arena
 * @property {(seats: any[], first: number) => History} history
 * @property {((shared: import("./page/panel_context.js").PanelContext, dialog: import("./widgets/dialog.js").DialogBox) => GamePanels) | null} panels null: the page has only the arena
 * @property {(name: string, bytes: Uint8Array) => Promise<Source>} file returns a file as a source; rejects with an Error of one line
 * @property {(() => Source) | null} live returns the server of this page as a source; null: this page cannot watch
 * @property {string} files a description of the files that this page plays
 * @property {string} accept their suffixes, in the form of `<input accept>`
 * @property {boolean} analysed whether turnwright can explain why participants won or lost in this game
 * @property {((address: string) => string)} [recordAddress] returns the address of a record in the form that this page
 *   plays; absent: the record's own address
 */
