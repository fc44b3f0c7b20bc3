/**
 * The connection to the world. It logs in, sends the pings of the clock, and reconnects after a loss.
 *
 * Each WebSocket has its own clock, because the server's clock may have restarted.
 */
import { Ansi, isStatusPrompt, plain } from "../ansi.js";
import { WorldClock } from "./clock.js";
import { Login } from "./login.js";
import { fields, number, text } from "./messages.js";
import { WorldSocket, localUs, worldUrl } from "./socket.js";

/** @typedef {import("./messages.js").Message} Message */
/** @typedef {import("../ansi.js").Piece} Piece */
/**
 * @typedef {object} Ear
 * @property {() => void} fresh one plays now, over a new line
 * @property {() => void} stage where one is on the way in has changed
 * @property {(pieces: Piece[]) => void} line a line of text came
 * @property {(question: string) => void} question what the next line answers, "" = nothing
 * @property {(message: Message) => void} message
 */

const AGAIN_MS = 1000;
const PING_LATE_MS = 20;
const ROWS = 40;
const SILENT_US = 30_000_000;

export class Connection {
  /**
   * @param {Ear} ear
   * @param {() => number} columns
   */
  constructor(ear, columns) {
    this.ear = ear;
    this.columns = columns;
    this.login = new Login((line) => this.socket?.type(line));
    this.clock = new WorldClock();
    this.ansi = new Ansi();
    /** @type {WorldSocket | null} */
    this.socket = null;
    this.heardUs = 0;
  }

  connect() {
    this.clock = new WorldClock();
    this.ansi = new Ansi();
    const socket = new WorldSocket(worldUrl(), {
      open: () => this.opened(),
      message: (message) => this.message(message),
      text: (frame) => this.text(frame),
      close: (code, reason) => this.closed(socket, code, reason),
    });
    this.socket = socket;
    this.ear.stage();
  }

  opened() {
    this.heardUs = localUs();
    this.login.opened();
    this.size();
    this.ear.stage();
  }

  /** Send the width of the text to the server. */
  size() {
    this.socket?.send("Core.Size", { columns: this.columns(), rows: ROWS });
  }

  /**
   * @param {WorldSocket} socket
   * @param {number} code
   * @param {string} reason
   */
  closed(socket, code, reason) {
    if (this.socket !== socket) {
      return;
    }
    this.socket = null;
    this.login.closed(code, reason);
    this.ear.stage();
    if (this.login.stage === "lost") {
      setTimeout(() => this.socket === null && this.connect(), this.login.waitMs);
    }
  }

  /** @param {string} frame of the terminal's text */
  text(frame) {
    this.heardUs = localUs();
    const { lines, prompt } = this.ansi.read(frame);
    lines.forEach((pieces, nth) => {
      this.login.line(plain(pieces));
      if (pieces.length > 0 || nth > 0) {
        this.ear.line(pieces);
      }
    });
    if (prompt !== "") {
      this.asked(prompt);
    }
  }

  /** @param {string} prompt */
  asked(prompt) {
    if (this.login.stage === "playing") {
      this.ear.question(isStatusPrompt(prompt) ? "" : prompt);
      return;
    }
    this.login.asked();
    if (this.login.again) {
      setTimeout(() => this.login.sayAgain(), AGAIN_MS);
    }
    this.ear.stage();
  }

  /** @param {Message} message */
  message(message) {
    const atUs = localUs();
    this.heardUs = atUs;
    const { name, data } = message;
    if (name === "Time.Pong") {
      const at = (/** @type {string} */ field) => number(data[field], -1);
      this.clock.pong({ n: at("n"), c: at("c"), r: at("r"), s: at("s") }, atUs);
    } else if (name === "Time.Segment") {
      this.clock.change({ g: number(data.g), w: number(data.w), rate: number(data.rate) });
      this.ear.message(message);
    } else if (name === "Core.Secret") {
      this.login.secret = data.on === true;
      this.ear.stage();
    } else {
      this.other(message);
    }
  }

  /** @param {Message} message */
  other(message) {
    const { name, data } = message;
    if (name === "Welcome") {
      this.login.welcomed(text(data.name));
      this.ear.fresh();
      this.ear.stage();
      this.ping();
    } else if (name === "Combat.Result") {
      this.clock.acknowledged(number(fields(data).early_us, NaN));
    }
    this.ear.message(message);
  }

  /** Send pings while the connection is open. */
  ping() {
    const { socket, clock } = this;
    if (socket === null) {
      return;
    }
    const beat = () => {
      if (this.socket !== socket) {
        return;
      }
      const nowUs = localUs();
      if (nowUs - this.heardUs > SILENT_US) {
        socket.close();
        this.closed(socket, 0, "the server does not answer");
        return;
      }
      if (clock.pingDueUs <= nowUs) {
        socket.send("Time.Ping", clock.ping(nowUs));
      }
      setTimeout(beat, Math.max(PING_LATE_MS, (clock.pingDueUs - localUs()) / 1000));
    };
    beat();
  }

  /**
   * React now. Return the timestamp in µs of game time, or null while the clock is not ready.
   * @param {string} reaction
   * @param {number | null} id
   */
  react(reaction, id) {
    const stamp = this.clock.ready ? Math.floor(this.clock.press(localUs())) : null;
    const meant = id === null ? {} : { id };
    this.socket?.send("Combat.React", { reaction, ...(stamp === null ? {} : { at: stamp }), ...meant });
    return stamp;
  }
}
