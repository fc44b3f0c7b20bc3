/**
 * A file of frames as a source.
 *
 * Each line is a message of the generic protocol, as a spectator of the battle got it.
 */
import { Emitter } from "../widgets/emitter.js";
import { shortName } from "../widgets/format.js";
import { FrameList, battleOf, resultsOf } from "./frames.js";

const TRUNCATED = "The record is truncated. The existing part is shown.";
/** The first line of an unpacked record ends within this number of bytes. */
const HEADER_BYTES_MAX = 1 << 20;
const GAME_CHARS_MAX = 40;

export class FrameFile {
  /** @param {string} text */
  constructor(text) {
    this.kind = "frames";
    this.emitter = new Emitter();
    this.store = new FrameList(Infinity);
    /** @type {any} a Battle */
    this.battle = null;
    /** Whether the file contains the end of the battle. */
    this.ended = false;
    /** Whether the server has replayed the record and compared its digests. */
    this.verified = /** @type {"ok" | "differs" | null} */ (null);
    /** @type {import("../model.js").Operator | null} */
    this.operator = null;
    for (const line of text.split("\n")) {
      if (line !== "") {
        this.take(line, JSON.parse(line));
      }
    }
    const phase = this.battle?.results ? "over" : "aborted";
    const message = this.ended ? "" : TRUNCATED;
    this.status = { phase: /** @type {"over" | "aborted"} */ (phase), tps: null, progress: null, message };
  }

  /**
   * Take a line of the file.
   * @param {string} text
   * @param {any} message the same line as JSON values
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
 * For any other file it rejects with an Error of one line, which says how turnwright can show the file.
 * @param {string} name
 * @param {Uint8Array} bytes
 * @returns {Promise<import("../model.js").Source>}
 */
export async function openFrames(name, bytes) {
  let source = null;
  try {
    source = new FrameFile(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    // not text, or not JSON
  }
  if (source === null || source.battle === null) {
    const game = await gameOfRecord(bytes);
    const what = game === null ? "not a file of frames" : `a record of ${shortName(game, GAME_CHARS_MAX)}, which this page cannot play`;
    const folder = game === null ? "" : " (and `--game FOLDER` if its game is in a folder)";
    throw new Error(`${shortName(name, 80)}: this is ${what}; run \`turnwright replay ${wordOf(name)}\` to see it${folder}`);
  }
  return source;
}

/**
 * Return the game that the header of a record names. null: this is not a record.
 * @param {Uint8Array} bytes of a `.twr` file
 * @returns {Promise<string | null>}
 */
export async function gameOfRecord(bytes) {
  try {
    const header = JSON.parse(await firstLine(bytes));
    return header.kind === "header" && typeof header.game === "string" ? header.game : null;
  } catch {
    return null;
  }
}

/**
 * Return the first line of a gzipped text. A line of more than HEADER_BYTES_MAX is cut.
 *
 * It rejects if the data cannot be unpacked.
 * @param {Uint8Array} bytes
 */
async function firstLine(bytes) {
  const reader = new Blob([bytes.slice()]).stream().pipeThrough(new DecompressionStream("gzip")).getReader();
  const decoder = new TextDecoder();
  let [text, size] = ["", 0];
  try {
    while (!text.includes("\n") && size < HEADER_BYTES_MAX) {
      const { value, done } = await reader.read();
      if (done) {
        break;
      }
      size += value.length;
      text += decoder.decode(value, { stream: true });
    }
  } finally {
    reader.cancel().catch(() => {});
  }
  return text.split("\n", 1)[0];
}

/**
 * Return a file's name as a word of a command line.
 * @param {string} name
 */
function wordOf(name) {
  const text = shortName(name, 80);
  return /^[\w.][\w.-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
