/**
 * Reads deflate data (RFC 1951) piece by piece, and gives all there is of data that was cut off.
 *
 * Browsers have a reader of their own, but it throws away what it has when the data ends too early, which is just when
 * a record of a battle that was killed is wanted.
 */

const WINDOW = 32768;
const PIECE = 65536;
const MATCH_MAX = 258;
const CODE_BITS_MAX = 15;
const LITERALS = 286;
const DISTANCES = 30;
const END_OF_BLOCK = 256;
const SYMBOL_MAX = 285;

/** In which order the lengths of the code for lengths are given. */
const LENGTHS_ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
const LENGTH_BASE = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258];
const LENGTH_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const DISTANCE_BASE = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145,
  8193, 12289, 16385, 24577,
];
const DISTANCE_BITS = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13];

/** The data is no deflate data from here on. */
export class Damaged extends Error {}
/** The data ends before it says that it ends. */
class CutOff extends Error {}

/** @typedef {{ table: Uint16Array, bits: number }} Code for each pattern of `bits` bits: symbol * 16 + length */

export class Inflater {
  /**
   * @param {Uint8Array} bytes
   * @param {number} at where the data begins
   */
  constructor(bytes, at) {
    this.bytes = bytes;
    /** The next byte to be read. */
    this.at = at;
    this.hold = 0;
    this.held = 0;
    this.out = new Uint8Array(WINDOW + PIECE + MATCH_MAX);
    this.begin = 0;
    this.end = 0;
    this.last = false;
    this.stored = 0;
    /** @type {Code | null} the codes of the block that is being read */
    this.literals = null;
    /** @type {Code | null} */
    this.distances = null;
    this.done = false;
    this.cut = false;
    /** @type {Error | null} */
    this.damage = null;
  }

  /**
   * Return the next bytes, or null at the end (`cut`: it came too early). Throws Damaged.
   * @returns {Uint8Array | null}
   */
  next() {
    if (this.damage !== null) {
      throw this.damage;
    }
    if (this.end > WINDOW) {
      this.out.copyWithin(0, this.end - WINDOW, this.end);
      this.end = WINDOW;
    }
    this.begin = this.end;
    try {
      while (!this.done && !this.cut && this.end - this.begin < PIECE) {
        this.block();
      }
    } catch (error) {
      if (error instanceof CutOff) {
        this.cut = true;
      } else {
        this.damage = /** @type {Error} */ (error);
      }
    }
    if (this.end > this.begin) {
      return this.out.slice(this.begin, this.end);
    }
    if (this.damage !== null) {
      throw this.damage;
    }
    return null;
  }

  /** Go on with the block that is being read, or begin the next one. */
  block() {
    if (this.stored > 0) {
      this.copyStored();
    } else if (this.literals !== null && this.distances !== null) {
      this.decode(this.literals, this.distances);
    } else if (this.last) {
      this.done = true;
      this.at -= this.held >> 3;
    } else {
      this.beginBlock();
    }
  }

  beginBlock() {
    const last = this.bits(1) === 1;
    const kind = this.bits(2);
    if (kind === 0) {
      this.beginStored();
    } else if (kind === 1) {
      [this.literals, this.distances] = FIXED;
    } else if (kind === 2) {
      [this.literals, this.distances] = this.readCodes();
    } else {
      throw new Damaged("it has a block of a kind that does not exist");
    }
    this.last = last;
  }

  beginStored() {
    this.bits(this.held & 7);
    const length = this.bits(16);
    if ((this.bits(16) ^ length) !== 0xffff) {
      throw new Damaged("the length of a block is wrong");
    }
    this.at -= this.held >> 3;
    this.hold = this.held = 0;
    this.stored = length;
  }

  copyStored() {
    const room = PIECE - (this.end - this.begin);
    const count = Math.min(this.stored, room, this.bytes.length - this.at);
    this.out.set(this.bytes.subarray(this.at, this.at + count), this.end);
    this.at += count;
    this.end += count;
    this.stored -= count;
    if (this.stored > 0 && this.at >= this.bytes.length) {
      throw new CutOff();
    }
  }

  /**
   * Read literals and matches until the block ends or the piece is full.
   * @param {Code} literals
   * @param {Code} distances
   */
  decode(literals, distances) {
    const { out } = this;
    const full = this.begin + PIECE;
    while (this.end < full) {
      const symbol = this.symbol(literals);
      if (symbol < END_OF_BLOCK) {
        out[this.end] = symbol;
        this.end += 1;
      } else if (symbol === END_OF_BLOCK) {
        this.literals = this.distances = null;
        return;
      } else if (symbol > SYMBOL_MAX) {
        throw new Damaged("it has a length that does not exist");
      } else {
        const length = LENGTH_BASE[symbol - 257] + this.bits(LENGTH_BITS[symbol - 257]);
        const way = this.symbol(distances);
        const distance = DISTANCE_BASE[way] + this.bits(DISTANCE_BITS[way]);
        this.copyMatch(length, distance);
      }
    }
  }

  /**
   * @param {number} length
   * @param {number} distance
   */
  copyMatch(length, distance) {
    const { out } = this;
    let to = this.end;
    let from = to - distance;
    if (!(from >= 0)) {
      throw new Damaged("it points to before its beginning");
    }
    for (const stop = to + length; to < stop; to++, from++) {
      out[to] = out[from];
    }
    this.end = to;
  }

  /**
   * Return the next `count` bits (0…16), lowest first.
   * @param {number} count
   * @returns {number}
   */
  bits(count) {
    while (this.held < count) {
      if (this.at >= this.bytes.length) {
        throw new CutOff();
      }
      this.hold |= this.bytes[this.at] << this.held;
      this.at += 1;
      this.held += 8;
    }
    const value = this.hold & ((1 << count) - 1);
    this.hold >>>= count;
    this.held -= count;
    return value;
  }

  /**
   * Return the next symbol of a code.
   * @param {Code} code
   * @returns {number}
   */
  symbol(code) {
    while (this.held < CODE_BITS_MAX && this.at < this.bytes.length) {
      this.hold |= this.bytes[this.at] << this.held;
      this.at += 1;
      this.held += 8;
    }
    const entry = code.table[this.hold & ((1 << code.bits) - 1)];
    const length = entry & 15;
    if (length > this.held || (length === 0 && this.held < CODE_BITS_MAX)) {
      throw new CutOff();
    }
    if (length === 0) {
      throw new Damaged("it has a pattern that means nothing");
    }
    this.hold >>>= length;
    this.held -= length;
    return entry >> 4;
  }

  /**
   * Read the two codes that a block begins with.
   * @returns {[Code, Code]}
   */
  readCodes() {
    const literals = this.bits(5) + 257;
    const distances = this.bits(5) + 1;
    const count = this.bits(4) + 4;
    if (literals > LITERALS || distances > DISTANCES) {
      throw new Damaged("a block has too many symbols");
    }
    const short = new Uint8Array(LENGTHS_ORDER.length);
    for (let k = 0; k < count; k++) {
      short[LENGTHS_ORDER[k]] = this.bits(3);
    }
    const lengths = this.readLengths(codeOf(short), literals + distances);
    return [codeOf(lengths.subarray(0, literals)), codeOf(lengths.subarray(literals))];
  }

  /**
   * @param {Code} code
   * @param {number} count
   * @returns {Uint8Array}
   */
  readLengths(code, count) {
    const lengths = new Uint8Array(count);
    let at = 0;
    while (at < count) {
      const symbol = this.symbol(code);
      if (symbol < 16) {
        lengths[at] = symbol;
        at += 1;
        continue;
      }
      const value = symbol === 16 && at > 0 ? lengths[at - 1] : 0;
      const times = symbol === 16 ? 3 + this.bits(2) : symbol === 17 ? 3 + this.bits(3) : 11 + this.bits(7);
      if (at + times > count || (symbol === 16 && at === 0)) {
        throw new Damaged("the lengths of a block's symbols are wrong");
      }
      lengths.fill(value, at, at + times);
      at += times;
    }
    return lengths;
  }
}

/**
 * Return the code in which each symbol has the given length (0: it does not occur).
 * @param {Uint8Array} lengths
 * @returns {Code}
 */
function codeOf(lengths) {
  const counts = new Uint16Array(CODE_BITS_MAX + 2);
  let bits = 1;
  for (const length of lengths) {
    counts[length] += 1;
    bits = Math.max(bits, length);
  }
  counts[0] = 0;
  const next = new Uint32Array(CODE_BITS_MAX + 2);
  for (let length = 1; length <= CODE_BITS_MAX; length++) {
    next[length + 1] = (next[length] + counts[length]) << 1;
    if (next[length] + counts[length] > 1 << length) {
      throw new Damaged("a block has more symbols than patterns");
    }
  }
  const table = new Uint16Array(1 << bits);
  lengths.forEach((length, symbol) => {
    if (length > 0) {
      const entry = symbol * 16 + length;
      for (let pattern = mirrored(next[length], length); pattern < table.length; pattern += 1 << length) {
        table[pattern] = entry;
      }
      next[length] += 1;
    }
  });
  return { table, bits };
}

/**
 * Return the lowest `count` bits of a number in the other order.
 * @param {number} value
 * @param {number} count
 * @returns {number}
 */
function mirrored(value, count) {
  let result = 0;
  for (let k = 0; k < count; k++) {
    result = (result << 1) | ((value >> k) & 1);
  }
  return result;
}

/** @type {[Code, Code]} the codes of blocks that bring none */
const FIXED = [
  codeOf(new Uint8Array(288).map((_, k) => (k < 144 ? 8 : k < 256 ? 9 : k < 280 ? 7 : 8))),
  codeOf(new Uint8Array(30).fill(5)),
];
