/**
 * A file of frames as a source.
 *
 * One plain message a line, as a spectator of the battle got them.
 */
import { Emitter } from "../widgets/emitter.js";
import { FrameList, battleOf, resultsOf } from "./frames.js";

const CUT_OFF = "The record is truncated; the part before is shown.";
const NO_FRAMES = "this is not a file of frames; `turnwright replay RECORD` shows a record of this game";

export class FrameFile {
  /** @param {string} text */
  constructor(text) {
    this.kind = "frames";
    this.emitter = new Emitter();
    this.store = new FrameList(Infinity);
    /** @type {any} a Battle */
    this.battle = null;
    /** Whether the end of the battle is in it. */
    this.ended = false;
    /** Whether the server has compared the digests of the record with a new play. */
    this.verified = /** @type {"ok" | "differs" | null} */ (null);
    /** @type {import("../model.js").Operator | null} */
    this.operator = null;
    for (const line of text.split("\n")) {
      if (line !== "") {
        this.take(line, JSON.parse(line));
      }
    }
    const phase = this.battle?.results ? "over" : "aborted";
    const message = this.ended ? "" : CUT_OFF;
    this.status = { phase: /** @type {"over" | "aborted"} */ (phase), tps: null, progress: null, message };
  }

  /**
   * @param {string} text
   * @param {any} message
   */
  take(text, message) {
    if (message.type === "ready") {
      this.battle = battleOf(message);
      this.verified = message.verified === undefined ? null : message.verified ? "ok" : "differs";
    } else if (message.type === "frame") {
      this.store.put(text, message);
    } else if (message.type === "result") {
      this.ended = true;
      this.battle.results = message.ending === "over" ? resultsOf(message, this.battle.seats) : null;
    }
  }

  get first() {
    return this.store.first;
  }

  get length() {
    return this.store.length;
  }

  /**
   * @param {number} index
   * @returns {any} a frame
   */
  at(index) {
    const frame = this.store.at(index);
    return frame !== null && index === this.length - 1 && this.battle.results ? { ...frame, roundResults: this.battle.results } : frame;
  }

  /**
   * @param {import("../model.js").SourceEvent} name
   * @param {() => void} listener
   */
  on(name, listener) {
    return this.emitter.on(name, listener);
  }

  close() {
    this.emitter.listeners.clear();
  }
}

/**
 * Return the source of a file of frames.
 *
 * Rejects with an Error of one line for anything else.
 * @param {string} name
 * @param {Uint8Array} bytes
 * @returns {Promise<import("../model.js").Source>}
 */
export async function openFrames(name, bytes) {
  let source = null;
  try {
    source = new FrameFile(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    // not even text, or no JSON
  }
  if (source === null || source.battle === null) {
    throw new Error(`${name}: ${NO_FRAMES}`);
  }
  return source;
}
