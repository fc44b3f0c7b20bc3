/**
 * Reads gzip data (RFC 1952) piece by piece, up to a limit, and what there is of data that was cut off.
 */

import { Damaged, Inflater } from "./inflate.js";
import { FileProblem } from "./setup.js";

/** How many bytes a file may hold when it is unpacked. */
export const UNPACKED_MAX = 256 * 1024 * 1024;
const HEAD = 10;
const TAIL = 8;
const HAS_CRC = 2;
const HAS_EXTRA = 4;
const HAS_NAME = 8;
const HAS_COMMENT = 16;

const CRC_TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let k = 0; k < 8; k++) {
    crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return crc;
});

/**
 * Return whether bytes begin as gzip data does.
 * @param {Uint8Array} bytes
 * @returns {boolean}
 */
export function isGzip(bytes) {
  return bytes.length >= 2 && bytes[0] === 0x1f && bytes[1] === 0x8b;
}

export class Gunzip {
  /**
   * @param {Uint8Array} bytes
   * @param {number} [most] bytes when unpacked
   */
  constructor(bytes, most = UNPACKED_MAX) {
    this.bytes = bytes;
    this.most = most;
    this.unpacked = 0;
    this.cut = false;
    this.crc = -1;
    /** @type {Inflater | null} the member that is being read */
    this.inflater = null;
    this.at = 0;
  }

  /** How much of the data has been read, 0…1. */
  get progress() {
    const at = this.inflater === null ? this.at : this.inflater.at;
    return this.bytes.length === 0 ? 1 : at / this.bytes.length;
  }

  /**
   * Return the next bytes, or null at the end (`cut`: it came too early). Throws FileProblem for damaged data.
   * @returns {Uint8Array | null}
   */
  next() {
    while (!this.cut && (this.inflater !== null || this.beginMember())) {
      const piece = this.inflate();
      if (piece !== null) {
        this.unpacked += piece.length;
        if (this.unpacked > this.most) {
          throw new FileProblem(`the file holds more than ${this.most >> 20} MiB when unpacked: too large for this page`);
        }
        this.crc = crcOf(piece, this.crc);
        return piece;
      }
      this.endMember();
    }
    return null;
  }

  /** @returns {Uint8Array | null} */
  inflate() {
    try {
      return this.inflater === null ? null : this.inflater.next();
    } catch (error) {
      if (error instanceof Damaged) {
        throw new FileProblem(`the file is damaged (${error.message}): copy or download it again`);
      }
      throw error;
    }
  }

  /**
   * Read the head of the next member. What follows the first member and is none is left alone.
   * @returns {boolean} whether there is one
   */
  beginMember() {
    if (!isGzip(this.bytes.subarray(this.at))) {
      return false;
    }
    const start = headEnd(this.bytes, this.at);
    if (start > this.bytes.length) {
      this.cut = true;
      return false;
    }
    this.inflater = new Inflater(this.bytes, start);
    this.crc = -1;
    return true;
  }

  endMember() {
    const { inflater, bytes } = this;
    if (inflater === null) {
      return;
    }
    this.inflater = null;
    this.at = inflater.at + TAIL;
    if (inflater.cut || this.at > bytes.length) {
      this.cut = true;
      return;
    }
    const said = new DataView(bytes.buffer, bytes.byteOffset + inflater.at, TAIL).getInt32(0, true);
    if (said !== ~this.crc) {
      throw new FileProblem("the file is damaged (its check sum is wrong): copy or download it again");
    }
  }
}

/**
 * Return where the head of a member ends; behind the data if it is cut off.
 * @param {Uint8Array} bytes
 * @param {number} at
 * @returns {number}
 */
function headEnd(bytes, at) {
  const flags = bytes[at + 3];
  let end = at + HEAD;
  if (flags & HAS_EXTRA) {
    end += 2 + bytes[end] + 256 * bytes[end + 1];
  }
  for (const flag of [HAS_NAME, HAS_COMMENT]) {
    if (flags & flag) {
      const zero = bytes.indexOf(0, end);
      end = zero < 0 ? bytes.length + 1 : zero + 1;
    }
  }
  end += flags & HAS_CRC ? 2 : 0;
  return Number.isNaN(end) ? bytes.length + 1 : end;
}

/**
 * @param {Uint8Array} bytes
 * @param {number} before
 * @returns {number}
 */
function crcOf(bytes, before) {
  let crc = before;
  for (let k = 0; k < bytes.length; k++) {
    crc = (crc >>> 8) ^ CRC_TABLE[(crc ^ bytes[k]) & 255];
  }
  return crc;
}
