/**
 * Decompresses gzip data piece by piece, also from a truncated file.
 *
 * It uses the browser's own decompression, up to a limit.
 *
 * If data ends too early, a DecompressionStream discards output that has not been read yet. So the stream gets the end
 * of its input only when all output has been read.
 */

import { FileProblem } from "./file_problem.js";
import { turn } from "./time_slices.js";

/** The largest size of a decompressed file, bytes. */
export const UNPACKED_MAX = 256 * 1024 * 1024;
/** The largest number of compressed bytes that are lost before the damaged place of a file. */
const PIECE = 1024;

/**
 * Return whether bytes begin like gzip data.
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
    /** Settles when all data has been written and accepted. The reader gets its errors. */
    this.fed = this.feed().catch(() => {}).then(turn).then(() => null);
  }

  /** The share of the data that has been read, 0…1. */
  get progress() {
    return this.bytes.length === 0 ? 1 : this.at / this.bytes.length;
  }

  /**
   * Return the next bytes, or null at the end. `cut` is true if the data ended too early.
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
      throw new FileProblem(`the file has more than ${this.most >> 20} MiB when unpacked: too large for this page`);
    }
    return found.value;
  }

  /** Read no further. */
  stop() {
    this.over = true;
    this.reader.cancel().catch(() => {});
  }

  /** Write all data. The stream accepts more only while its output is read. */
  async feed() {
    while (this.at < this.bytes.length) {
      const piece = this.bytes.slice(this.at, this.at + PIECE);
      await this.writer.write(piece);
      this.at += piece.length;
    }
  }

  /**
   * Close the stream's input, and return the last result of reading.
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
