/**
 * A running server as a source of frames.
 *
 * Joins it, follows it, comes back when the connection is lost. A protocol has its messages:
 * `generic/protocol.js`, or the one of a game.
 * It watches only, unless it has a one-time code (from the address that the server printed), a token that it got for
 * one earlier, or a secret. A code is used once; the token is kept for reloads of this page.
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
 * @property {string | null} [code] one-time code of an operator
 * @property {Storage | null} [storage] where the operator's token is kept; null: nowhere
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
 * @property {() => void} [close] no more will come
 */

/**
 * A wire protocol of spectators and operators.
 * @typedef {object} Protocol
 * @property {(source: LiveSource, pieces: string[], start: any) => void} history take pieces of a battle, in order. `start` is what the server sent in place of the pieces lost before the second one, or null
 * @property {(asked: { sessionId: string, code: string | null, secret: string | null }) => Message} handshake
 * @property {(seats: any[]) => Store} store
 * @property {import("./operator_commands.js").CommandMessages<any>} commands of an operator
 * @property {(source: LiveSource, message: Message, text: string) => void} take any other message, with its text as it came. Unknown types are skipped
 */
/** Key of the operator's token in the page's storage. */
export const TOKEN_KEY = "turnwright.operator";
/** The waits before each try to connect again, ms; the last one is kept. */
export const WAITS_MS = [500, 1000, 2000, 4000, 8000, 15000];
/** Codes of a close; FAREWELL: the server of this one battle has ended with it. */
const [FAREWELL, REFUSED, TOO_SLOW] = [1000, 1008, 1013];

const CUT = "Earlier turns of this battle cannot be shown. The server has no record of it and keeps only the newest part.";
/** Warnings that wait for their turns to be shown; the oldest are lost. */
const WARNINGS_MAX = 100;
/** The settings for bots when a game begins. @type {Policies} */
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
    /** @type {import("./analysis.js").Analysis | undefined} why participants won or lost */
    this.analysis = undefined;
    /** @type {any} settings for the next battle, as the server proposes them; null: it proposes none */
    this.settings = null;
    /** @type {OperatorCommands<any> | null} */
    this.operator = null;
    /** @type {import("../model.js").Reach} */
    this.reach = "lost";
    /** Whether turns wait for no spectator, so that each page has its own clock. */
    this.apart = false;
    /** Battles that have begun. */
    this.battles = 0;
    this.pieces = new TakenPieces();
    this.emitter = new Emitter();
    this.options = options;
    this.code = options.code ?? null;
    /** @type {string | null} */
    this.secret = options.storage?.getItem(TOKEN_KEY) ?? null;
    /** @type {string} what the server said of the game that is shown, to know it again */
    this.game = "";
    this.store = protocol.store([]);
    /** @type {LobbyBot[]} */
    this.lobby = [];
    /** @type {Policies} what operators have set for bots */
    this.policies = NO_POLICIES;
    /** @type {Map<number, import("../model.js").Failure>} of participants that play no more, by id */
    this.failures = new Map();
    /** @type {Map<number, import("../model.js").Failure[]>} why participants were out of rounds, by id */
    this.outOfRounds = new Map();
    /** Warnings about turns that this page has not shown yet, oldest first. @type {{ text: string, round: number, turn: number }[]} */
    this.warnings = [];
    /** @type {unknown} why the game stands still, while it does */
    this.pauseCause = null;
    this.tries = 0;
    /** Said when this page watches only though it wanted more. */
    this.notice = "";
    this.closed = false;
    /** @type {Socket | null} */
    this.socket = null;
    this.connect();
  }

  /** Index of the oldest frame held. */
  get first() {
    return this.store.first;
  }

  /** One more than the index of the newest frame. */
  get length() {
    return this.store.length;
  }

  /**
   * Return a frame, or null for one that is not held.
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

  /** Leave the server for good. */
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
   * The connection has ended.
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
      this.say(this.status.phase === "aborted" ? "aborted" : "over", "The battle has ended. You can keep reviewing it on this page.");
    } else if (code === REFUSED && asked) {
      this.notice =
        this.code !== null
          ? "The code in the address was used before or is too old: this page watches only."
          : "The server does not know this secret: this page watches only.";
      this.code = this.secret = null;
      this.options.storage?.removeItem(TOKEN_KEY);
      this.connect();
    } else if (code === REFUSED) {
      this.reach = "refused";
      const why = reason === "Invalid secret" ? "This server asks for a secret; enter it to watch." : reason;
      this.say("failed", this.notice === "" ? why : `${this.notice} ${why}`);
    } else {
      const wait = WAITS_MS[Math.min(this.tries, WAITS_MS.length - 1)];
      this.tries += 1;
      const what = code === TOO_SLOW ? "This page was too slow to follow" : "The connection is lost";
      this.say("waiting", `${what}; trying again in ${wait < 1000 ? "a moment" : `${wait / 1000} s`}.`);
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
      // as good as nothing
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
   * Those that are here already are skipped.
   * @param {number} first number of the first one
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

  /** Forget the frames: those of another battle follow. */
  anew() {
    this.pieces = new TakenPieces();
    this.forget();
  }

  forget() {
    this.useStore(this.protocol.store(this.battle?.seats ?? []));
    this.verified = null;
    this.warnings = [];
    this.battles += 1;
  }

  /** @param {Store} store takes the place of the one before */
  useStore(store) {
    const before = this.store;
    this.store = store;
    before.close?.();
  }

  /** @param {string} sessionId */
  hello(sessionId) {
    this.reach = "open";
    this.send(this.protocol.handshake({ sessionId, code: this.code, secret: this.secret }));
  }

  /** @param {string} token */
  trusted(token) {
    this.code = null;
    this.secret = token;
    this.options.storage?.setItem(TOKEN_KEY, token);
  }

  /** @param {LobbyBot[]} bots */
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
   * A battle has begun.
   * @param {any} battle a Battle
   * @param {string} key tells it from other battles
   * @param {any} again what the operator needs to begin it again
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
   * An operator has set something for a bot, or a turn waits for other bots.
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

  /** @param {Directory[]} entries */
  listed(entries) {
    if (this.operator !== null) {
      this.operator.directories = entries;
      this.emitter.emit("operator");
    }
  }

  // ---- what is said ----

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
   * Say a warning, once the turn that it is about is shown.
   * @param {string} text
   * @param {number} [round]
   * @param {number} [turn] absent: it is about none
   */
  warn(text, round = 0, turn = 0) {
    if (turn > 0) {
      this.warnings = [...this.warnings, { text, round, turn }].slice(-WARNINGS_MAX);
    } else {
      this.say(this.status.phase, text);
    }
  }

  /**
   * A frame is shown.
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
   * @param {boolean} apart whether turns wait for no spectator; tps is then the speed at which a page begins
   */
  setTps(tps, apart) {
    if (apart !== this.apart) {
      this.game = ""; // the next battle is another one, though it may have the same bots and settings
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
