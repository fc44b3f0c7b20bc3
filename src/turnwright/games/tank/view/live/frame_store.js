/**
 * The frames of a live battle, kept as the messages they came in. Pure.
 *
 * A message is read again when somebody looks.
 *
 * Messages stand in blocks. A block begins where the reader's state is kept (or with a Keyframe), so that any frame is
 * at most BLOCK messages away; the frames of the blocks looked at last are kept.
 */

import { StreamReader } from "../stream.js";

/** @typedef {import("../model.js").Frame} Frame */
/** @typedef {import("../model.js").Seat} Seat */
/** @typedef {import("../stream.js").Delta} Delta */
/** @typedef {import("../stream.js").Keyframe} Keyframe */

/**
 * @typedef {object} Block
 * @property {number} first index of its first frame
 * @property {string[]} texts
 * @property {StreamReader} start as it was before the first message
 * @property {StreamReader | null} reader null: nobody looks at it
 * @property {Frame[]} frames those read so far
 */

/** Messages in a block. */
export const BLOCK = 64;
/** Frames that are kept; then the oldest block is forgotten. */
export const FRAMES_MAX = 20_000;
/** Characters of all messages that are kept. */
export const CHARS_MAX = 128 * 1024 * 1024;
/** Blocks whose frames are kept. */
const WARM_MAX = 4;

export class FrameStore {
  /** @param {Map<number, Seat>} seats who plays, by bot id */
  constructor(seats) {
    this.reader = new StreamReader(seats);
    /** @type {Block[]} */
    this.blocks = [];
    /** @type {Block[]} the one looked at last is the last */
    this.warm = [];
    this.chars = 0;
    /** Whether a message did not fit together: then only a Keyframe helps. */
    this.broken = false;
  }

  /** Index of the oldest frame. */
  get first() {
    return this.blocks.length === 0 ? 0 : this.blocks[0].first;
  }

  /** One more than the index of the newest frame; 0: there is none. */
  get length() {
    return this.reader.number;
  }

  /**
   * Keep a message.
   *
   * Throws, and keeps nothing until the next Keyframe, for one that does not fit together.
   * @param {string} text
   * @param {Keyframe | Delta} message the same, parsed
   * @returns {boolean} whether it fits to what is here
   */
  put(text, message) {
    const last = this.blocks.at(-1);
    const anew = message.type === "Keyframe" || last === undefined || last.texts.length >= BLOCK;
    const start = anew ? this.reader.clone() : null;
    if (message.type !== "Keyframe" && this.broken) {
      return false;
    }
    this.broken = true;
    const fits = this.reader.read(message);
    this.broken = false;
    if (!fits) {
      return false;
    }
    if (start !== null) {
      this.blocks.push({ first: message.frame - 1, texts: [text], start, reader: null, frames: [] });
    } else {
      last?.texts.push(text);
    }
    this.chars += text.length;
    this.forget();
    return true;
  }

  /**
   * @param {Keyframe | Delta} message
   * @returns {boolean} whether it is the newest turn, which is here
   */
  isOld(message) {
    return message.type === "Keyframe" && message.frame === this.length && !this.broken;
  }

  /**
   * @param {Keyframe | Delta} message
   * @returns {boolean} whether the same bots play the same game again
   */
  isAnew(message) {
    return message.type === "Keyframe" && message.frame <= this.length;
  }

  /** Forget the oldest blocks while there is too much. */
  forget() {
    while (this.blocks.length > 1 && (this.length - this.first > FRAMES_MAX || this.chars > CHARS_MAX)) {
      const [old] = this.blocks.splice(0, 1);
      this.chars -= old.texts.reduce((sum, text) => sum + text.length, 0);
      this.warm = this.warm.filter((block) => block !== old);
    }
  }

  /**
   * Return a frame; for one that was lost on the way, the one before it.
   * @param {number} index
   * @returns {Frame | null}
   */
  at(index) {
    if (!(index >= this.first && index < this.length)) {
      return null;
    }
    const block = this.blocks[this.blockOf(Math.floor(index))];
    const offset = Math.min(Math.floor(index) - block.first, block.texts.length - 1);
    this.warmUp(block);
    while (block.frames.length <= offset) {
      const reader = (block.reader ??= block.start.clone());
      reader.read(JSON.parse(block.texts[block.frames.length]));
      block.frames.push(frameOf(reader));
    }
    const frame = block.frames[offset];
    return frame.index === index ? frame : { ...frame, index: Math.floor(index) };
  }

  /**
   * Return which block holds an index, or the last one before it.
   * @param {number} index
   * @returns {number}
   */
  blockOf(index) {
    let low = 0;
    let high = this.blocks.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.blocks[middle].first <= index) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /**
   * Keep the frames of this block, and forget those of the block looked at last.
   * @param {Block} block
   */
  warmUp(block) {
    if (this.warm.at(-1) === block) {
      return;
    }
    this.warm = [...this.warm.filter((other) => other !== block), block];
    const cold = this.warm.length > WARM_MAX ? this.warm.shift() : undefined;
    if (cold !== undefined) {
      cold.reader = null;
      cold.frames = [];
    }
  }
}

/**
 * Return the frame that a reader holds.
 *
 * Of one whose events name what is not there, without events.
 * @param {StreamReader} reader
 * @returns {Frame}
 */
function frameOf(reader) {
  try {
    return reader.frame();
  } catch {
    const quiet = reader.clone();
    quiet.said = { ...reader.said, events: [] };
    return quiet.frame();
  }
}
