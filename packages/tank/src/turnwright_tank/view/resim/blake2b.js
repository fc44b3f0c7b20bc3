/**
 * BLAKE2b with a digest of 8 bytes, for the states and the chain of lines in records.
 *
 * 64-bit words are pairs of 32-bit words, low half first. Source: RFC 7693. Browsers do not have BLAKE2. The mixing is
 * written out eight times because it takes most of the time. A function would take two and a half times as long, and a
 * record of 20 tanks has 500 MB of states to hash.
 */

const BLOCK_BYTES = 128;
/** The parameter block's first word: a digest of 8 bytes, no key, fanout and depth 1. */
const PARAMETERS = 0x01010008;

/** The initial vector, low and high half of each word. */
const START = new Int32Array([
  0xf3bcc908, 0x6a09e667, 0x84caa73b, 0xbb67ae85, 0xfe94f82b, 0x3c6ef372, 0x5f1d36f1, 0xa54ff53a, 0xade682d1,
  0x510e527f, 0x2b3e6c1f, 0x9b05688c, 0xfb41bd6b, 0x1f83d9ab, 0x137e2179, 0x5be0cd19,
]);

/**
 * The order in which the words of a block are mixed: ten permutations of 16 words.
 *
 * Rounds 11 and 12 use the first two again.
 */
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
  ]
    .flat()
    .map((word) => 2 * word),
);

/** A hasher that reuses its tables, for many short texts. */
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
   * Take one block. `total` is the number of bytes so far, and `last` whether it is the last block.
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
    let v0l = v[0], v0h = v[1], v1l = v[2], v1h = v[3], v2l = v[4], v2h = v[5], v3l = v[6], v3h = v[7];
    let v4l = v[8], v4h = v[9], v5l = v[10], v5h = v[11], v6l = v[12], v6h = v[13], v7l = v[14], v7h = v[15];
    let v8l = v[16], v8h = v[17], v9l = v[18], v9h = v[19], v10l = v[20], v10h = v[21], v11l = v[22], v11h = v[23];
    let v12l = v[24], v12h = v[25], v13l = v[26], v13h = v[27], v14l = v[28], v14h = v[29], v15l = v[30], v15h = v[31];
    let low = 0, high = 0, m1 = 0;
    for (let at = 0; at < ORDER.length; at += 16) {
      // words 0, 4, 8, 12
      m1 = ORDER[at + 0];
      low = (v0l + v4l) | 0;
      v0h = (v0h + v4h + m[m1 + 1] + (low >>> 0 < v0l >>> 0 ? 1 : 0)) | 0;
      v0l = (low + m[m1]) | 0;
      v0h = (v0h + (v0l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v12l ^ v0l, v12l = v12h ^ v0h, v12h = low;
      low = v8l;
      v8l = (low + v12l) | 0;
      v8h = (v8h + v12h + (v8l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v4l ^ v8l, high = v4h ^ v8h;
      v4l = (low >>> 24) | (high << 8), v4h = (high >>> 24) | (low << 8);
      m1 = ORDER[at + 1];
      low = (v0l + v4l) | 0;
      v0h = (v0h + v4h + m[m1 + 1] + (low >>> 0 < v0l >>> 0 ? 1 : 0)) | 0;
      v0l = (low + m[m1]) | 0;
      v0h = (v0h + (v0l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v12l ^ v0l, high = v12h ^ v0h;
      v12l = (low >>> 16) | (high << 16), v12h = (high >>> 16) | (low << 16);
      low = v8l;
      v8l = (low + v12l) | 0;
      v8h = (v8h + v12h + (v8l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v4l ^ v8l, high = v4h ^ v8h;
      v4l = (high >>> 31) | (low << 1), v4h = (low >>> 31) | (high << 1);
      // words 1, 5, 9, 13
      m1 = ORDER[at + 2];
      low = (v1l + v5l) | 0;
      v1h = (v1h + v5h + m[m1 + 1] + (low >>> 0 < v1l >>> 0 ? 1 : 0)) | 0;
      v1l = (low + m[m1]) | 0;
      v1h = (v1h + (v1l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v13l ^ v1l, v13l = v13h ^ v1h, v13h = low;
      low = v9l;
      v9l = (low + v13l) | 0;
      v9h = (v9h + v13h + (v9l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v5l ^ v9l, high = v5h ^ v9h;
      v5l = (low >>> 24) | (high << 8), v5h = (high >>> 24) | (low << 8);
      m1 = ORDER[at + 3];
      low = (v1l + v5l) | 0;
      v1h = (v1h + v5h + m[m1 + 1] + (low >>> 0 < v1l >>> 0 ? 1 : 0)) | 0;
      v1l = (low + m[m1]) | 0;
      v1h = (v1h + (v1l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v13l ^ v1l, high = v13h ^ v1h;
      v13l = (low >>> 16) | (high << 16), v13h = (high >>> 16) | (low << 16);
      low = v9l;
      v9l = (low + v13l) | 0;
      v9h = (v9h + v13h + (v9l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v5l ^ v9l, high = v5h ^ v9h;
      v5l = (high >>> 31) | (low << 1), v5h = (low >>> 31) | (high << 1);
      // words 2, 6, 10, 14
      m1 = ORDER[at + 4];
      low = (v2l + v6l) | 0;
      v2h = (v2h + v6h + m[m1 + 1] + (low >>> 0 < v2l >>> 0 ? 1 : 0)) | 0;
      v2l = (low + m[m1]) | 0;
      v2h = (v2h + (v2l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v14l ^ v2l, v14l = v14h ^ v2h, v14h = low;
      low = v10l;
      v10l = (low + v14l) | 0;
      v10h = (v10h + v14h + (v10l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v6l ^ v10l, high = v6h ^ v10h;
      v6l = (low >>> 24) | (high << 8), v6h = (high >>> 24) | (low << 8);
      m1 = ORDER[at + 5];
      low = (v2l + v6l) | 0;
      v2h = (v2h + v6h + m[m1 + 1] + (low >>> 0 < v2l >>> 0 ? 1 : 0)) | 0;
      v2l = (low + m[m1]) | 0;
      v2h = (v2h + (v2l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v14l ^ v2l, high = v14h ^ v2h;
      v14l = (low >>> 16) | (high << 16), v14h = (high >>> 16) | (low << 16);
      low = v10l;
      v10l = (low + v14l) | 0;
      v10h = (v10h + v14h + (v10l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v6l ^ v10l, high = v6h ^ v10h;
      v6l = (high >>> 31) | (low << 1), v6h = (low >>> 31) | (high << 1);
      // words 3, 7, 11, 15
      m1 = ORDER[at + 6];
      low = (v3l + v7l) | 0;
      v3h = (v3h + v7h + m[m1 + 1] + (low >>> 0 < v3l >>> 0 ? 1 : 0)) | 0;
      v3l = (low + m[m1]) | 0;
      v3h = (v3h + (v3l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v15l ^ v3l, v15l = v15h ^ v3h, v15h = low;
      low = v11l;
      v11l = (low + v15l) | 0;
      v11h = (v11h + v15h + (v11l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v7l ^ v11l, high = v7h ^ v11h;
      v7l = (low >>> 24) | (high << 8), v7h = (high >>> 24) | (low << 8);
      m1 = ORDER[at + 7];
      low = (v3l + v7l) | 0;
      v3h = (v3h + v7h + m[m1 + 1] + (low >>> 0 < v3l >>> 0 ? 1 : 0)) | 0;
      v3l = (low + m[m1]) | 0;
      v3h = (v3h + (v3l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v15l ^ v3l, high = v15h ^ v3h;
      v15l = (low >>> 16) | (high << 16), v15h = (high >>> 16) | (low << 16);
      low = v11l;
      v11l = (low + v15l) | 0;
      v11h = (v11h + v15h + (v11l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v7l ^ v11l, high = v7h ^ v11h;
      v7l = (high >>> 31) | (low << 1), v7h = (low >>> 31) | (high << 1);
      // words 0, 5, 10, 15
      m1 = ORDER[at + 8];
      low = (v0l + v5l) | 0;
      v0h = (v0h + v5h + m[m1 + 1] + (low >>> 0 < v0l >>> 0 ? 1 : 0)) | 0;
      v0l = (low + m[m1]) | 0;
      v0h = (v0h + (v0l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v15l ^ v0l, v15l = v15h ^ v0h, v15h = low;
      low = v10l;
      v10l = (low + v15l) | 0;
      v10h = (v10h + v15h + (v10l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v5l ^ v10l, high = v5h ^ v10h;
      v5l = (low >>> 24) | (high << 8), v5h = (high >>> 24) | (low << 8);
      m1 = ORDER[at + 9];
      low = (v0l + v5l) | 0;
      v0h = (v0h + v5h + m[m1 + 1] + (low >>> 0 < v0l >>> 0 ? 1 : 0)) | 0;
      v0l = (low + m[m1]) | 0;
      v0h = (v0h + (v0l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v15l ^ v0l, high = v15h ^ v0h;
      v15l = (low >>> 16) | (high << 16), v15h = (high >>> 16) | (low << 16);
      low = v10l;
      v10l = (low + v15l) | 0;
      v10h = (v10h + v15h + (v10l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v5l ^ v10l, high = v5h ^ v10h;
      v5l = (high >>> 31) | (low << 1), v5h = (low >>> 31) | (high << 1);
      // words 1, 6, 11, 12
      m1 = ORDER[at + 10];
      low = (v1l + v6l) | 0;
      v1h = (v1h + v6h + m[m1 + 1] + (low >>> 0 < v1l >>> 0 ? 1 : 0)) | 0;
      v1l = (low + m[m1]) | 0;
      v1h = (v1h + (v1l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v12l ^ v1l, v12l = v12h ^ v1h, v12h = low;
      low = v11l;
      v11l = (low + v12l) | 0;
      v11h = (v11h + v12h + (v11l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v6l ^ v11l, high = v6h ^ v11h;
      v6l = (low >>> 24) | (high << 8), v6h = (high >>> 24) | (low << 8);
      m1 = ORDER[at + 11];
      low = (v1l + v6l) | 0;
      v1h = (v1h + v6h + m[m1 + 1] + (low >>> 0 < v1l >>> 0 ? 1 : 0)) | 0;
      v1l = (low + m[m1]) | 0;
      v1h = (v1h + (v1l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v12l ^ v1l, high = v12h ^ v1h;
      v12l = (low >>> 16) | (high << 16), v12h = (high >>> 16) | (low << 16);
      low = v11l;
      v11l = (low + v12l) | 0;
      v11h = (v11h + v12h + (v11l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v6l ^ v11l, high = v6h ^ v11h;
      v6l = (high >>> 31) | (low << 1), v6h = (low >>> 31) | (high << 1);
      // words 2, 7, 8, 13
      m1 = ORDER[at + 12];
      low = (v2l + v7l) | 0;
      v2h = (v2h + v7h + m[m1 + 1] + (low >>> 0 < v2l >>> 0 ? 1 : 0)) | 0;
      v2l = (low + m[m1]) | 0;
      v2h = (v2h + (v2l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v13l ^ v2l, v13l = v13h ^ v2h, v13h = low;
      low = v8l;
      v8l = (low + v13l) | 0;
      v8h = (v8h + v13h + (v8l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v7l ^ v8l, high = v7h ^ v8h;
      v7l = (low >>> 24) | (high << 8), v7h = (high >>> 24) | (low << 8);
      m1 = ORDER[at + 13];
      low = (v2l + v7l) | 0;
      v2h = (v2h + v7h + m[m1 + 1] + (low >>> 0 < v2l >>> 0 ? 1 : 0)) | 0;
      v2l = (low + m[m1]) | 0;
      v2h = (v2h + (v2l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v13l ^ v2l, high = v13h ^ v2h;
      v13l = (low >>> 16) | (high << 16), v13h = (high >>> 16) | (low << 16);
      low = v8l;
      v8l = (low + v13l) | 0;
      v8h = (v8h + v13h + (v8l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v7l ^ v8l, high = v7h ^ v8h;
      v7l = (high >>> 31) | (low << 1), v7h = (low >>> 31) | (high << 1);
      // words 3, 4, 9, 14
      m1 = ORDER[at + 14];
      low = (v3l + v4l) | 0;
      v3h = (v3h + v4h + m[m1 + 1] + (low >>> 0 < v3l >>> 0 ? 1 : 0)) | 0;
      v3l = (low + m[m1]) | 0;
      v3h = (v3h + (v3l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v14l ^ v3l, v14l = v14h ^ v3h, v14h = low;
      low = v9l;
      v9l = (low + v14l) | 0;
      v9h = (v9h + v14h + (v9l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v4l ^ v9l, high = v4h ^ v9h;
      v4l = (low >>> 24) | (high << 8), v4h = (high >>> 24) | (low << 8);
      m1 = ORDER[at + 15];
      low = (v3l + v4l) | 0;
      v3h = (v3h + v4h + m[m1 + 1] + (low >>> 0 < v3l >>> 0 ? 1 : 0)) | 0;
      v3l = (low + m[m1]) | 0;
      v3h = (v3h + (v3l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v14l ^ v3l, high = v14h ^ v3h;
      v14l = (low >>> 16) | (high << 16), v14h = (high >>> 16) | (low << 16);
      low = v9l;
      v9l = (low + v14l) | 0;
      v9h = (v9h + v14h + (v9l >>> 0 < low >>> 0 ? 1 : 0)) | 0;
      low = v4l ^ v9l, high = v4h ^ v9h;
      v4l = (high >>> 31) | (low << 1), v4h = (low >>> 31) | (high << 1);
    }
    v[0] = v0l, v[1] = v0h, v[2] = v1l, v[3] = v1h;
    v[4] = v2l, v[5] = v2h, v[6] = v3l, v[7] = v3h;
    v[8] = v4l, v[9] = v4h, v[10] = v5l, v[11] = v5h;
    v[12] = v6l, v[13] = v6h, v[14] = v7l, v[15] = v7h;
    v[16] = v8l, v[17] = v8h, v[18] = v9l, v[19] = v9h;
    v[20] = v10l, v[21] = v10h, v[22] = v11l, v[23] = v11h;
    v[24] = v12l, v[25] = v12h, v[26] = v13l, v[27] = v13h;
    v[28] = v14l, v[29] = v14h, v[30] = v15l, v[31] = v15h;
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
