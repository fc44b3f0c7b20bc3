/**
 * A recording of Tank Royale (`.battle.gz`, or plain text) as a source of frames.
 *
 * Each line is a message to a spectator. Each tick is a frame, and the messages up to the next tick belong to it. Like
 * the official viewer, the source leaves out lines that cannot be read, and counts them.
 */

import { FileSource } from "./file_source.js";
import { LineStore } from "./line_store.js";
import { Lines, parseLine } from "./lines.js";
import { messageOf } from "./file_problem.js";
import { battleOf, isTick, number, object, pictureOf, resultsOf, seatOf, standingsOf } from "./royale_messages.js";
import { TANK_RADIUS } from "../resim/rules.js";
import { inSlices } from "./time_slices.js";

/** @typedef {import("../model.js").Frame} Frame */
/** @typedef {import("./royale_messages.js").Json} Json */

const NEWLINE = 10;
const SEATS_MAX = 1000;
/** The step to which an unknown arena size is rounded up. */
const ARENA_STEP = 100;

export class RoyaleSource extends FileSource {
  /** @param {Uint8Array} bytes of a file */
  constructor(bytes) {
    super();
    /** @type {"royale"} */
    this.kind = "royale";
    this.verified = null;
    this.ticks = new LineStore();
    /** @type {Set<number>} ids of the tanks in the list of seats */
    this.known = new Set();
    /** Whether the file has the start of the battle. */
    this.announced = false;
    /** @type {"" | "over" | "aborted"} how the battle ended, according to the file */
    this.ending = "";
    this.unreadable = 0;
    this.more = false;
    this.right = 0;
    this.top = 0;
    this.lastRound = 0;
    /** Settles when all has been read. */
    this.loaded = this.load(bytes);
  }

  /**
   * Return a frame, or null if it does not exist (yet).
   * @param {number} index
   * @returns {Frame | null}
   */
  at(index) {
    const line = this.ticks.at(index);
    const picture = line === null ? null : pictureOf(parseLine(line));
    if (picture === null) {
      return null;
    }
    const roundResults = this.roundResults.get(index) ?? null;
    return { index, ...picture, timing: null, serverLateUs: null, roundResults, standings: this.standingsAt(index) };
  }

  /**
   * Return the standings after the last round that was over.
   *
   * The file has no standings within a round.
   * @param {number} index of a frame
   * @returns {Map<number, import("../model.js").Standing>}
   */
  standingsAt(index) {
    let known = null;
    for (const [last, results] of this.roundResults) {
      known = last <= index ? results : known;
    }
    return standingsOf(this.battle?.seats ?? [], known);
  }

  /** @param {Uint8Array} bytes */
  async load(bytes) {
    let problem = "";
    try {
      const lines = (this.lines = new Lines(bytes));
      await inSlices(() => this.step(lines), () => this.report(), () => !this.closed);
      problem = lines.cut ? "the recording is truncated" : "";
    } catch (error) {
      problem = messageOf(error);
    }
    this.lines?.close();
    this.lines = null;
    if (!this.closed) {
      this.end(problem);
      this.tell();
    }
  }

  /**
   * Read one line.
   * @param {Lines} lines
   * @returns {boolean | Promise<boolean>} whether there may be more
   */
  step(lines) {
    const line = lines.next();
    if (line === null) {
      return lines.fill();
    }
    const message = messageIn(line);
    if (message === null) {
      this.unreadable += line[line.length - 1] === NEWLINE ? 1 : 0; // a last line without a newline is truncated
    } else if (isTick(message)) {
      return this.tick(message, line);
    } else {
      return this.take(message);
    }
    return true;
  }

  /**
   * @param {Json} message
   * @param {Uint8Array} line
   * @returns {boolean} whether to continue
   */
  tick(message, line) {
    if (this.ending !== "") {
      this.more = true;
      return false;
    }
    this.battle ??= battleOf({});
    for (const said of /** @type {unknown[]} */ (message.botStates)) {
      this.meet(object(said));
    }
    this.lastRound = Math.max(this.lastRound, number(message.roundNumber));
    this.ticks.add(line);
    this.length = this.ticks.length;
    return true;
  }

  /**
   * Store the tanks of a frame, and the size of the arena that they need.
   * @param {Json} said
   */
  meet(said) {
    const id = number(said.id);
    this.right = Math.max(this.right, number(said.x));
    this.top = Math.max(this.top, number(said.y));
    if (this.battle !== null && !this.known.has(id) && this.known.size < SEATS_MAX) {
      this.known.add(id);
      this.battle = { ...this.battle, seats: [...this.battle.seats, seatOf(said)] };
      this.emitter.emit("battle");
    }
  }

  /**
   * Take a message other than a tick.
   *
   * Messages without effect on the page are left out.
   * @param {Json} message
   * @returns {boolean} whether to continue
   */
  take(message) {
    switch (message.type) {
      case "GameStartedEventForObserver":
        return this.begin(message);
      case "RoundEndedEventForObserver":
        if (this.length > 0) {
          this.roundResults.set(this.length - 1, resultsOf(message.results));
        }
        return true;
      case "GameEndedEventForObserver":
        this.ending = "over";
        if (this.battle !== null) {
          this.battle = { ...this.battle, results: resultsOf(message.results) };
          this.emitter.emit("battle");
        }
        return true;
      case "GameAbortedEvent":
        this.ending = "aborted";
        return true;
      default:
        this.unreadable += typeof message.type === "string" && message.type !== "TickEventForObserver" ? 0 : 1;
        return true;
    }
  }

  /**
   * @param {Json} message
   * @returns {boolean} whether to continue
   */
  begin(message) {
    if (this.length > 0 || this.ending !== "") {
      this.more = true;
      return false;
    }
    this.announced = true;
    this.battle = battleOf(message);
    this.known = new Set(this.battle.seats.map((seat) => seat.id));
    this.emitter.emit("battle");
    return true;
  }

  /**
   * Finish reading. `problem` is why the file could not be read completely, or "".
   * @param {string} problem
   */
  end(problem) {
    if (this.length === 0 || this.battle === null) {
      const message = problem === "" ? "there is no turn of a battle in this file" : problem;
      this.setStatus({ phase: "failed", progress: null, message });
      return;
    }
    if (!this.announced) {
      const width = Math.max(this.battle.width, Math.ceil((this.right + TANK_RADIUS) / ARENA_STEP) * ARENA_STEP);
      const height = Math.max(this.battle.height, Math.ceil((this.top + TANK_RADIUS) / ARENA_STEP) * ARENA_STEP);
      this.battle = { ...this.battle, width, height, rounds: Math.max(1, this.lastRound) };
      this.emitter.emit("battle");
    }
    const message = this.remarks(problem).join("; ");
    this.setStatus({ phase: this.ending === "aborted" ? "aborted" : "over", progress: null, message });
  }

  /**
   * Return the notes about the file for the reader.
   * @param {string} problem
   * @returns {string[]}
   */
  remarks(problem) {
    const remarks = problem === "" ? [] : [`${problem}; the readable part is shown`];
    if (this.ending === "" && problem === "") {
      remarks.push("the recording is truncated");
    }
    if (this.ending === "aborted") {
      remarks.push("the battle was stopped");
    }
    if (!this.announced) {
      remarks.push("the start of the battle is missing: the size of the arena is a guess");
    }
    if (this.unreadable > 0) {
      remarks.push(`${this.unreadable} lines could not be read`);
    }
    if (this.more) {
      remarks.push("the file contains a second battle, which is not shown");
    }
    return remarks;
  }
}

/**
 * Return the JSON object of a line, or null if the line has none.
 *
 * A blank line gives an empty object.
 * @param {Uint8Array} line
 * @returns {Json | null}
 */
export function messageIn(line) {
  if (line.every((byte) => byte === 32 || (byte >= 9 && byte <= 13))) {
    return { type: "" };
  }
  try {
    const value = parseLine(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? /** @type {Json} */ (value) : null;
  } catch {
    return null;
  }
}
