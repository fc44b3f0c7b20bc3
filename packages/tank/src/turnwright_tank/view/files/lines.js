/**
 * Reads the lines of a compressed or plain file piece by piece.
 *
 * It takes bytes and returns lines, each with its newline.
 */

import { UNPACKED_MAX, Unpacker, isGzip } from "./unpack.js";
import { FileProblem } from "./file_problem.js";

/** The longest line of a record, bytes. */
export const LINE_BYTES_MAX = 67108864;
const NEWLINE = 10;
const PIECE = 65536;

export class Lines {
  /** @param {Uint8Array} bytes */
  constructor(bytes) {
    this.bytes = bytes;
    this.unpacker = isGzip(bytes) ? new Unpacker(bytes) : null;
    this.at = 0;
    /** Whether all pieces have been read. */
    this.ended = false;
    /** @type {Uint8Array} */
    this.piece = new Uint8Array(0);
    this.place = 0;
    /** @type {Uint8Array[]} the beginning of a line whose end has not been read */
    this.pending = [];
    this.pendingBytes = 0;
    if (this.unpacker === null && bytes.length > UNPACKED_MAX) {
      throw new FileProblem(`the file has more than ${UNPACKED_MAX >> 20} MiB: too large for this page`);
    }
  }

  /** The share of the file that has been read, 0…1. */
  get progress() {
    return this.unpacker === null ? this.at / Math.max(1, this.bytes.length) : this.unpacker.progress;
  }

  /** Whether a compressed file is truncated. */
  get cut() {
    return this.unpacker !== null && this.unpacker.cut;
  }

  /**
   * Return the next line. The last line may lack its newline.
   *
   * null means that no line is left if `ended`, and otherwise that `fill` must read more. Throws FileProblem.
   * @returns {Uint8Array | null}
   */
  next() {
    const end = this.piece.indexOf(NEWLINE, this.place) + 1;
    if (end > 0) {
      const line = this.whole(this.piece.subarray(this.place, end));
      this.place = end;
      return line;
    }
    this.keep(this.piece.subarray(this.place));
    this.piece = this.piece.subarray(0, 0);
    this.place = 0;
    return this.ended && this.pendingBytes > 0 ? this.whole(this.piece) : null;
  }

  /**
   * Read the next piece. Call it when `next` has returned null.
   *
   * Rejects with FileProblem if the file is damaged.
   * @returns {Promise<boolean>} whether there may be more lines
   */
  async fill() {
    if (this.ended) {
      return false;
    }
    const piece = this.unpacker === null ? this.nextPiece() : await this.unpacker.next();
    this.ended = piece === null;
    this.piece = piece ?? this.piece;
    return true;
  }

  /** Stop reading. */
  close() {
    this.unpacker?.stop();
  }

  /** @returns {Uint8Array | null} */
  nextPiece() {
    if (this.at >= this.bytes.length) {
      return null;
    }
    const piece = this.bytes.subarray(this.at, this.at + PIECE);
    this.at += piece.length;
    return piece;
  }

  /** @param {Uint8Array} part */
  keep(part) {
    if (part.length > 0) {
      this.pending.push(part);
      this.pendingBytes += part.length;
      if (this.pendingBytes > LINE_BYTES_MAX) {
        throw new FileProblem(`the file has a line of more than ${LINE_BYTES_MAX >> 20} MiB`);
      }
    }
  }

  /**
   * @param {Uint8Array} end
   * @returns {Uint8Array}
   */
  whole(end) {
    if (this.pendingBytes === 0) {
      return end;
    }
    const line = new Uint8Array(this.pendingBytes + end.length);
    let at = 0;
    for (const part of [...this.pending, end]) {
      line.set(part, at);
      at += part.length;
    }
    this.pending = [];
    this.pendingBytes = 0;
    return line;
  }
}

const DECODER = new TextDecoder("utf-8", { fatal: true });

/**
 * Return the JSON value of a line. Throws if the line is not JSON.
 * @param {Uint8Array} line
 * @returns {unknown}
 */
export function parseLine(line) {
  return JSON.parse(DECODER.decode(line));
}
