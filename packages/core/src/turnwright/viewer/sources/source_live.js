/**
 * A running server as a source of frames.
 *
 * It connects to the server, follows the battle, and reconnects when the connection is lost. A protocol defines its messages:
 * `generic/protocol.js`, or the protocol of a game.
 * It only watches, unless it has a one-time code (from the address that the server printed), a token that it got for
 * an earlier code, or a secret. A code can be used once. The token is kept for reloads of this page.
 */

import { Emitter } from "../widgets/emitter.js";
import { OperatorCommands } from "./operator_commands.js";
import { TakenPieces } from "./taken_pieces.js";
import { runsText, standsText } from "./waiting_text.js";

/** @typedef {import("../model.js").Directory} Directory */
/** @typedef {import("../model.js").LobbyBot} LobbyBot */
/** @typedef {import("../model.js").Phase} Phase */
/** @typedef {import("../model.js").Policies} Policies */
/** @typedef {import("../model.js").SourceEvent} SourceEvent */
/** @typedef {import("../model.js").SourceStatus} SourceStatus */

/** The part of a WebSocket that is used here. @typedef {{ send(text: string): void, close(): void, onmessage: ((event: { data: unknown }) => void) | null, onclose: ((event: { code: number, reason: string }) => void) | null }} Socket */
/** The part of sessionStorage that is used here. @typedef {{ getItem(key: string): string | null, setItem(key: string, value: string): void, removeItem(key: string): void }} Storage */
/**
 * @typedef {object} LiveOptions
 * @property {string} url ws:// or wss://
 * @property {string | null} [code] an operator's one-time code
 * @property {Storage | null} [storage] where the operator's token is stored; null: nowhere
 * @property {(url: string) => Socket} [connect]
 * @property {(call: () => void, ms: number) => void} [later]
 */
/** @typedef {{ type: string, [field: string]: any }} Message */
/**
 * Frames that were received.
 * @typedef {object} Store
 * @property {number} first
 * @property {number} length
 * @property {(index: number) => any} at
 * @property {() => void} [close] called when no more frames will come
 */

/**
 * A wire protocol of spectators and operators.
 * @typedef {object} Protocol
 * @property {(source: LiveSource, pieces: string[], start: any) => void} history takes pieces of a battle, in order. If the pieces before the second one are lost, `start` is what the server sent instead. Otherwise it is null
 * @property {(asked: { sessionId: string, code: string | null, secret: string | null }) => Message} handshake the page's first message
 * @property {(seats: any[]) => Store} store makes an empty store for the frames of a battle
 * @property {import("./operator_commands.js").CommandMessages<any>} commands the commands of an operator
 * @property {(source: LiveSource, message: Message, text: string) => void} take takes any other message, with its original text. Unknown types are ignored
 */
/** The key of the operator's token in the page's storage. */
export const TOKEN_KEY = "turnwright.operator";
/** The waits before each attempt to reconnect, ms. The last one is repeated. */
export const WAITS_MS = [500, 1000, 2000, 4000, 8000, 15000];
/** Close codes. FAREWELL: the server was for one battle and has ended with it. */
const [FAREWELL, REFUSED, TOO_SLOW] = [1000, 1008, 1013];

const CUT = "Earlier turns of this battle cannot be shown. The server has no record of it and keeps only the newest part.";
/** The largest number of warnings that wait until their turns are shown. The oldest are dropped. */
const WARNINGS_MAX = 100;
/** The settings for bots at the start of a battle. @type {Policies} */
const NO_POLICIES = { debugging: [], breakpoints: [], waitedFor: [] };

export class LiveSource {
  /**
   * @param {LiveOptions} options
   * @param {Protocol} protocol
   */
  constructor(options, protocol) {
    this.protocol = protocol;
    /** @type {"live"} */
    this.kind = "live";
    /** @type {any} a Battle */
    this.battle = null;
    /** @type {SourceStatus} */
    this.status = { phase: "loading", tps: null, progress: null, message: "Connecting …" };
    /** @type {import("../model.js").Source["verified"]} */
    this.verified = null;
    /** @type {import("./analysis.js").Analysis | undefined} explains why participants won or lost */
    this.analysis = undefined;
    /** @type {any} the settings that the server proposes for the next battle; null: none */
    this.settings = null;
    /** @type {OperatorCommands<any> | null} */
    this.operator = null;
    /** @type {import("../model.js").Reach} */
    this.reach = "lost";
    /** Whether turns do not wait for spectators. Then each page has its own clock. */
    this.apart = false;
    /** The number of battles that have begun. */
    this.battles = 0;
    this.pieces = new TakenPieces();
    this.emitter = new Emitter();
    this.options = options;
    this.code = options.code ?? null;
    /** @type {string | null} */
    this.secret = options.storage?.getItem(TOKEN_KEY) ?? null;
    /** @type {string} identifies the battle that is shown */
    this.game = "";
    this.store = protocol.store([]);
    /** @type {LobbyBot[]} */
    this.lobby = [];
    /** @type {Policies} the operators' settings for bots */
    this.policies = NO_POLICIES;
    /** @type {Map<number, import("../model.js").Failure>} the failures of participants that stopped playing, by id */
    this.failures = new Map();
    /** @type {Map<number, import("../model.js").Failure[]>} why participants were disqualified from rounds, by id */
    this.outOfRounds = new Map();
    /** Warnings about turns that are not shown yet, the oldest first. @type {{ text: string, round: number, turn: number }[]} */
    this.warnings = [];
    /** @type {unknown} why the battle is paused, if it is */
    this.pauseCause = null;
    this.tries = 0;
    /** The notice if this page wanted to operate but can only watch. */
    this.notice = "";
    this.closed = false;
    /** @type {Socket | null} */
    this.socket = null;
    this.connect();
  }

  /** The index of the oldest frame that is kept. */
  get first() {
    return this.store.first;
  }

  /** One more than the index of the newest frame. */
  get length() {
    return this.store.length;
  }

  /**
   * Return a frame, or null if it is not kept.
   * @param {number} index
   * @returns {any} a Frame
   */
  at(index) {
    return this.store.at(index);
  }

  /**
   * @param {SourceEvent} name
   * @param {() => void} listener
   * @returns {() => void}
   */
  on(name, listener) {
    return this.emitter.on(name, listener);
  }

  /** Leave the server and do not reconnect. */
  close() {
    this.closed = true;
    this.socket?.close();
  }

  /**
   * Ask to become operator, with an operator's secret.
   * @param {string} secret
   */
  claim(secret) {
    this.secret = secret;
    this.code = null;
    this.notice = "";
    this.again();
  }

  // ---- the connection ----

  connect() {
    const open = this.options.connect ?? ((url) => /** @type {Socket} */ (new WebSocket(url)));
    const socket = open(this.options.url);
    socket.onmessage = ({ data }) => {
      if (socket === this.socket && typeof data === "string") {
        this.take(data);
      }
    };
    socket.onclose = ({ code, reason }) => {
      if (socket === this.socket) {
        this.lost(code, reason);
      }
    };
    this.socket = socket;
  }

  /** Connect again at once. */
  again() {
    const old = this.socket;
    this.socket = null;
    old?.close();
    this.setOperator(null);
    this.connect();
  }

  /**
   * Handle the end of the connection.
   * @param {number} code
   * @param {string} reason
   */
  lost(code, reason) {
    this.socket = null;
    this.setOperator(null);
    if (this.closed) {
      return;
    }
    const asked = this.code !== null || this.secret !== null;
    this.reach = "lost";
    if (code === FAREWELL) {
      this.reach = "gone";
      this.store.close?.();
      this.say(this.status.phase === "aborted" ? "aborted" : "over", "The battle has ended. You can still review it on this page.");
    } else if (code === REFUSED && asked) {
      this.notice =
        this.code !== null
          ? "The code in the address was already used or is too old. You can only watch."
          : "The server does not know this secret. You can only watch.";
      this.code = this.secret = null;
      this.options.storage?.removeItem(TOKEN_KEY);
      this.connect();
    } else if (code === REFUSED) {
      this.reach = "refused";
      const why = reason === "Invalid secret" ? "This server needs a secret. Enter it to watch." : reason;
      this.say("failed", this.notice === "" ? why : `${this.notice} ${why}`);
    } else {
      const wait = WAITS_MS[Math.min(this.tries, WAITS_MS.length - 1)];
      this.tries += 1;
      const what = code === TOO_SLOW ? "This page could not keep up" : "The connection is lost";
      this.say("waiting", `${what}. Reconnecting in ${wait < 1000 ? "a moment" : `${wait / 1000} s`}.`);
      (this.options.later ?? setTimeout)(() => this.closed || this.socket !== null || this.connect(), wait);
    }
  }

  /** @param {Message} message */
  send(message) {
    this.socket?.send(JSON.stringify(message));
  }

  // ---- messages ----

  /** @param {string} text */
  take(text) {
    /** @type {Message | null} */
    let message = null;
    const end = text.indexOf("\n");
    try {
      message = JSON.parse(end < 0 ? text : text.slice(0, end));
    } catch {
      // ignore it
    }
    if (message === null) {
      return;
    }
    if (end >= 0) {
      this.takeHistory(message.first, text.slice(end + 1).split("\n").slice(0, -1), message.start ?? null);
    } else {
      this.protocol.take(this, message, text);
    }
  }

  /**
   * Take pieces of a battle.
   *
   * Pieces that are already here are ignored.
   * @param {number} first the number of the first piece
   * @param {string[]} pieces
   * @param {any} start see `TakenPieces`
   */
  takeHistory(first, pieces, start) {
    const taken = this.pieces.take(first, pieces, start);
    if (taken.isAnew) {
      this.forget();
      this.emitter.emit("battle");
      this.say(this.status.phase, runsText(this.policies, this.battle));
    }
    if (taken.news.length > 0) {
      this.protocol.history(this, taken.news, taken.start);
    }
  }

  /** Forget the frames, because another battle follows. */
  anew() {
    this.pieces = new TakenPieces();
    this.forget();
  }

  /** Drop all frames and warnings. */
  forget() {
    this.useStore(this.protocol.store(this.battle?.seats ?? []));
    this.verified = null;
    this.warnings = [];
    this.battles += 1;
  }

  /** @param {Store} store replaces the store before */
  useStore(store) {
    const before = this.store;
    this.store = store;
    before.close?.();
  }

  /**
   * Answer the server's first message.
   * @param {string} sessionId
   */
  hello(sessionId) {
    this.reach = "open";
    this.send(this.protocol.handshake({ sessionId, code: this.code, secret: this.secret }));
  }

  /**
   * Keep the secret that the server has sent for the one-time code.
   * @param {string} token
   */
  trusted(token) {
    this.code = null;
    this.secret = token;
    this.options.storage?.setItem(TOKEN_KEY, token);
  }

  /**
   * Take the list of connected bots. The list shows that the server has accepted this page, also as operator if it asked.
   * @param {LobbyBot[]} bots
   */
  gathered(bots) {
    this.lobby = bots;
    this.tries = 0;
    if (this.operator === null && (this.code !== null || this.secret !== null)) {
      this.setOperator(new OperatorCommands((message) => this.send(message), this.protocol.commands));
    }
    if (this.operator !== null) {
      this.operator.bots = bots;
      this.emitter.emit("operator");
    }
    if (this.status.phase === "loading" || this.status.phase === "waiting" || this.status.phase === "failed") {
      const here = bots.length === 1 ? "1 bot is" : `${bots.length || "No"} bots are`;
      this.say("waiting", `${here} connected.`);
    }
  }

  /**
   * Note that a battle has begun.
   * @param {any} battle a Battle
   * @param {string} key distinguishes it from other battles
   * @param {any} again the data that the operator needs to start it again
   */
  began(battle, key, again) {
    if (key !== this.game || this.status.phase === "over" || this.status.phase === "aborted") {
      this.game = key;
      this.battle = battle;
      this.anew();
    }
    this.policies = NO_POLICIES;
    this.failures = new Map();
    this.outOfRounds = new Map();
    this.operator?.began(again);
    this.say("running", "");
    this.emitter.emit("battle");
    this.emitter.emit("frames");
  }

  /** @param {unknown} cause */
  paused(cause) {
    this.pauseCause = cause;
    this.say("paused", standsText(cause, this.policies, this.battle));
  }

  resumed() {
    this.say("running", runsText(this.policies, this.battle));
  }

  /**
   * Take an operator's settings for bots, and the bots for which the turn waits.
   * @param {Message} message BotPolicies
   */
  ruled({ debugging = [], breakpoints = [], waitedFor = [] }) {
    this.policies = { debugging, breakpoints, waitedFor };
    const { phase, message } = this.status;
    if (phase === "paused") this.paused(this.pauseCause);
    else if (phase === "running") this.resumed();
    else this.say(phase, message);
  }

  /** @param {any[]} results */
  ended(results) {
    if (this.battle !== null) {
      this.battle = { ...this.battle, results };
    }
    this.say("over", "");
    this.emitter.emit("battle");
    this.operator?.ended();
  }

  aborted() {
    if (this.battle !== null && this.status.phase !== "over") {
      this.say("aborted", "The battle was stopped.");
    }
    this.operator?.ended();
  }

  /**
   * Take the list of bots that the server can start.
   * @param {Directory[]} entries
   */
  listed(entries) {
    if (this.operator !== null) {
      this.operator.directories = entries;
      this.emitter.emit("operator");
    }
  }

  // ---- messages for the user ----

  /**
   * @param {Phase} phase
   * @param {string} message
   */
  say(phase, message) {
    const said = message || this.notice || (this.apart && this.pieces.isCut ? CUT : "");
    this.status = { ...this.status, phase, message: said };
    this.emitter.emit("status");
  }

  /**
   * Show a warning when its turn is shown.
   * @param {string} text
   * @param {number} [round]
   * @param {number} [turn] absent: it is not about a turn
   */
  warn(text, round = 0, turn = 0) {
    if (turn > 0) {
      this.warnings = [...this.warnings, { text, round, turn }].slice(-WARNINGS_MAX);
    } else {
      this.say(this.status.phase, text);
    }
  }

  /**
   * Note that a frame is shown.
   * @param {any} frame a Frame
   * @param {boolean} isLast whether none will follow
   */
  shown({ roundNumber, turnNumber }, isLast) {
    const isDue = (/** @type {{ round: number, turn: number }} */ { round, turn }) =>
      isLast || roundNumber > round || (roundNumber === round && turnNumber >= turn);
    const due = this.warnings.filter(isDue);
    if (due.length > 0) {
      this.warnings = this.warnings.filter((one) => !isDue(one));
      this.say(this.status.phase, due[due.length - 1].text);
    }
  }

  /**
   * @param {number} tps
   * @param {boolean} apart whether turns do not wait for spectators; tps is then the initial speed of a page
   */
  setTps(tps, apart) {
    if (apart !== this.apart) {
      this.game = ""; // the next battle is a new one, even with the same bots and settings
    }
    this.apart = apart;
    this.status = { ...this.status, tps };
    this.emitter.emit("status");
  }

  /** @param {OperatorCommands<any> | null} operator */
  setOperator(operator) {
    if (operator !== this.operator) {
      this.operator = operator;
      this.emitter.emit("operator");
    }
  }
}
