/**
 * Unpacks gzip data piece by piece, also of a file that was cut off.
 *
 * The browser's own reader does it, up to a limit.
 *
 * When data ends too early, a DecompressionStream throws away what has not been read yet. So it gets the end only when
 * all that came out of it has been read.
 */

import { FileProblem } from "./file_problem.js";
import { turn } from "./time_slices.js";

/** The bytes that a file may hold when it is unpacked. */
export const UNPACKED_MAX = 256 * 1024 * 1024;
/** So many packed bytes are lost at most before a place where a file is damaged. */
const PIECE = 1024;

/**
 * Return whether bytes begin as gzip data does.
 * @param {Uint8Array} bytes
 * @returns {boolean}
 */
export function isGzip(bytes) {
  return bytes.length >= 2 && bytes[0] === 0x1f && bytes[1] === 0x8b;
}

export class Unpacker {
  /**
   * @param {Uint8Array} bytes of one gzip member
   * @param {number} [most] bytes when unpacked
   */
  constructor(bytes, most = UNPACKED_MAX) {
    this.bytes = bytes;
    this.most = most;
    this.unpacked = 0;
    this.at = 0;
    /** Whether the data ends too early. */
    this.cut = false;
    this.over = false;
    const { readable, writable } = new DecompressionStream("gzip");
    this.reader = readable.getReader();
    this.writer = writable.getWriter();
    /** Settles when all has been written and taken in. Its failure goes to the reader. */
    this.fed = this.feed().catch(() => {}).then(turn).then(() => null);
  }

  /** The share of the data that has been read, 0…1. */
  get progress() {
    return this.bytes.length === 0 ? 1 : this.at / this.bytes.length;
  }

  /**
   * Return the next bytes, or null at the end (`cut`: it came too early).
   *
   * Rejects with FileProblem for damaged data.
   * @returns {Promise<Uint8Array | null>}
   */
  async next() {
    if (this.over) {
      return null;
    }
    const read = this.reader.read();
    const found = (await Promise.race([read, this.fed]).catch(damaged)) ?? (await this.end(read));
    if (found.done) {
      this.over = true;
      return null;
    }
    this.unpacked += found.value.length;
    if (this.unpacked > this.most) {
      this.stop();
      throw new FileProblem(`the file holds more than ${this.most >> 20} MiB when unpacked: too large for this page`);
    }
    return found.value;
  }

  /** Read no further. */
  stop() {
    this.over = true;
    this.reader.cancel().catch(() => {});
  }

  /** Write all data. The stream takes more only while it is read. */
  async feed() {
    while (this.at < this.bytes.length) {
      const piece = this.bytes.slice(this.at, this.at + PIECE);
      await this.writer.write(piece);
      this.at += piece.length;
    }
  }

  /**
   * Tell the stream that this was all, and return what it says to that.
   * @param {Promise<ReadableStreamReadResult<Uint8Array>>} read
   * @returns {Promise<ReadableStreamReadResult<Uint8Array>>}
   */
  async end(read) {
    this.writer.close().catch(() => {});
    try {
      return await read;
    } catch {
      this.cut = true;
      return { done: true, value: undefined };
    }
  }
}

/**
 * @param {unknown} error
 * @returns {never}
 */
function damaged(error) {
  const why = error instanceof Error ? ` (${error.message})` : "";
  throw new FileProblem(`the file is damaged${why}: copy or download it again`);
}
