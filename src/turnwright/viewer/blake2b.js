/**
 * BLAKE2b with a digest of 8 bytes, as records use it: for the digest of a state and for the chain of lines.
 *
 * 64-bit words are pairs of 32-bit ones, low half first. Source: RFC 7693. Browsers have no BLAKE2 of their own.
 */

const BLOCK_BYTES = 128;
const ROUNDS = 12;
/** The parameter block's first word: a digest of 8 bytes, no key, fanout and depth 1. */
const PARAMETERS = 0x01010008;

/** The initial vector, low and high half of each word. */
const START = new Int32Array([
  0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a, 0xade682d1,
  0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19,
]);

/** Which word of the block is mixed in when: ten permutations; rounds 11 and 12 use the first two again. */
const ORDER = new Uint8Array(
  [
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
    [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
    [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
    [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
    [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
    [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
    [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
    [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
    [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
    [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
  ].flat(),
);

/**
 * Mix two words of the block, at places m1 and m2, into four of the state; places count 32-bit halves.
 * @param {Int32Array} v
 * @param {Int32Array} m
 * @param {number} a
 * @param {number} b
 * @param {number} c
 * @param {number} d
 * @param {number} m1
 * @param {number} m2
 */
function mix(v, m, a, b, c, d, m1, m2) {
  let aLow = v[a], aHigh = v[a + 1], bLow = v[b], bHigh = v[b + 1];
  let cLow = v[c], cHigh = v[c + 1], dLow = v[d], dHigh = v[d + 1];
  let low = 0, high = 0;

  low = (aLow >>> 0) + (bLow >>> 0) + (m[m1] >>> 0);
  aHigh = (aHigh + bHigh + m[m1 + 1] + Math.floor(low / 4294967296)) | 0;
  aLow = low | 0;
  low = dLow ^ aLow;
  high = dHigh ^ aHigh;
  dLow = high;
  dHigh = low;
  low = (cLow >>> 0) + (dLow >>> 0);
  cHigh = (cHigh + dHigh + (low > 4294967295 ? 1 : 0)) | 0;
  cLow = low | 0;
  low = bLow ^ cLow;
  high = bHigh ^ cHigh;
  bLow = (low >>> 24) | (high << 8);
  bHigh = (high >>> 24) | (low << 8);

  low = (aLow >>> 0) + (bLow >>> 0) + (m[m2] >>> 0);
  aHigh = (aHigh + bHigh + m[m2 + 1] + Math.floor(low / 4294967296)) | 0;
  aLow = low | 0;
  low = dLow ^ aLow;
  high = dHigh ^ aHigh;
  dLow = (low >>> 16) | (high << 16);
  dHigh = (high >>> 16) | (low << 16);
  low = (cLow >>> 0) + (dLow >>> 0);
  cHigh = (cHigh + dHigh + (low > 4294967295 ? 1 : 0)) | 0;
  cLow = low | 0;
  low = bLow ^ cLow;
  high = bHigh ^ cHigh;
  bLow = (high >>> 31) | (low << 1);
  bHigh = (low >>> 31) | (high << 1);

  v[a] = aLow;
  v[a + 1] = aHigh;
  v[b] = bLow;
  v[b + 1] = bHigh;
  v[c] = cLow;
  v[c + 1] = cHigh;
  v[d] = dLow;
  v[d + 1] = dHigh;
}

/** A hasher that keeps its tables, so that hashing many short texts leaves nothing behind. */
export class Blake2b {
  constructor() {
    this.state = new Int32Array(16);
    this.work = new Int32Array(32);
    this.block = new Int32Array(BLOCK_BYTES / 4);
    this.blockBytes = new Uint8Array(this.block.buffer);
  }

  /**
   * Return the digest of the first `length` bytes as 16 hexadecimal digits.
   * @param {Uint8Array} bytes
   * @param {number} [length]
   * @returns {string}
   */
  hex(bytes, length = bytes.length) {
    this.state.set(START);
    this.state[0] ^= PARAMETERS;
    let at = 0;
    while (length - at > BLOCK_BYTES) {
      this.blockBytes.set(bytes.subarray(at, at + BLOCK_BYTES));
      at += BLOCK_BYTES;
      this.compress(at, false);
    }
    this.block.fill(0);
    this.blockBytes.set(bytes.subarray(at, length));
    this.compress(length, true);
    return hexOfHalf(this.state[0]) + hexOfHalf(this.state[1]);
  }

  /**
   * Take in one block. total: bytes up to here; last: whether it is the last block.
   * @param {number} total
   * @param {boolean} last
   */
  compress(total, last) {
    const { state, work: v, block: m } = this;
    v.set(state);
    v.set(START, 16);
    v[24] ^= total;
    v[25] ^= Math.floor(total / 4294967296);
    if (last) {
      v[28] = ~v[28];
      v[29] = ~v[29];
    }
    for (let at = 0; at < ROUNDS * 16; at += 16) {
      mix(v, m, 0, 8, 16, 24, 2 * ORDER[at], 2 * ORDER[at + 1]);
      mix(v, m, 2, 10, 18, 26, 2 * ORDER[at + 2], 2 * ORDER[at + 3]);
      mix(v, m, 4, 12, 20, 28, 2 * ORDER[at + 4], 2 * ORDER[at + 5]);
      mix(v, m, 6, 14, 22, 30, 2 * ORDER[at + 6], 2 * ORDER[at + 7]);
      mix(v, m, 0, 10, 20, 30, 2 * ORDER[at + 8], 2 * ORDER[at + 9]);
      mix(v, m, 2, 12, 22, 24, 2 * ORDER[at + 10], 2 * ORDER[at + 11]);
      mix(v, m, 4, 14, 16, 26, 2 * ORDER[at + 12], 2 * ORDER[at + 13]);
      mix(v, m, 6, 8, 18, 28, 2 * ORDER[at + 14], 2 * ORDER[at + 15]);
    }
    for (let k = 0; k < 16; k++) {
      state[k] ^= v[k] ^ v[k + 16];
    }
  }
}

/**
 * Return the four bytes of half a word, lowest first, as hexadecimal digits.
 * @param {number} half
 * @returns {string}
 */
function hexOfHalf(half) {
  let text = "";
  for (let shift = 0; shift < 32; shift += 8) {
    text += ((half >>> shift) & 255).toString(16).padStart(2, "0");
  }
  return text;
}
