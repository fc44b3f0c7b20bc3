/**
 * Named random streams from one seed.
 *
 * They are SplitMix64 with a hash of the seed, the purpose and numbers as the key.
 *
 * The numbers equal those of the server, bit for bit.
 */

import { Blake2b } from "./blake2b.js";

const MASK = 0xffffffffffffffffn;
const GOLDEN = 0x9e3779b97f4a7c15n;
/** The largest seed. */
export const SEED_MAX = 2n ** 63n - 1n;

/** A sequence of random numbers that depends only on its key. */
export class Stream {
  /** @param {bigint} key */
  constructor(key) {
    this.state = key & MASK;
  }

  /**
   * Return the next whole number below 2**64.
   * @returns {bigint}
   */
  bits64() {
    this.state = (this.state + GOLDEN) & MASK;
    let z = this.state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK;
    return z ^ (z >> 31n);
  }

  /**
   * Return the next number from 0 to below 1, a multiple of 2**-53.
   * @returns {number}
   */
  uniform() {
    return Number(this.bits64() >> 11n) * 2 ** -53;
  }

  /**
   * Return the next whole number below `limit` (1 or more). All numbers are equally likely.
   * @param {number} limit
   * @returns {number}
   */
  below(limit) {
    const wide = BigInt(limit);
    const ceiling = ((MASK + 1n) / wide) * wide;
    for (;;) {
      const value = this.bits64();
      if (value < ceiling) {
        return Number(value % wide);
      }
    }
  }
}

/**
 * Return the stream for a purpose, e.g. ("place", round). The same name gives the same numbers.
 * @param {bigint} seed
 * @param {string} purpose
 * @param {...number} numbers
 * @returns {Stream}
 */
export function streamOf(seed, purpose, ...numbers) {
  const text = `${seed}/${purpose}/${numbers.join("/")}`;
  const digest = new Blake2b().hex(new TextEncoder().encode(text));
  let key = 0n;
  for (let at = 14; at >= 0; at -= 2) {
    key = (key << 8n) | BigInt(parseInt(digest.slice(at, at + 2), 16));
  }
  return new Stream(key);
}
