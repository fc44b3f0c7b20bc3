/**
 * Storage of many lines as bytes in large blocks, without overhead.
 */

const BLOCK_BYTES = 1 << 22;

export class LineStore {
  constructor() {
    this.length = 0;
    /** @type {Uint8Array[]} */
    this.blocks = [];
    this.used = BLOCK_BYTES;
    /** For each line, its block, its offset in the block and its length. */
    this.places = new Uint32Array(3 * 1024);
  }

  /**
   * Store a copy of a line.
   * @param {Uint8Array} line
   */
  add(line) {
    const last = this.blocks[this.blocks.length - 1];
    if (last === undefined || this.used + line.length > last.length) {
      this.blocks.push(new Uint8Array(Math.max(BLOCK_BYTES, line.length)));
      this.used = 0;
    }
    if (3 * this.length === this.places.length) {
      const longer = new Uint32Array(2 * this.places.length);
      longer.set(this.places);
      this.places = longer;
    }
    this.blocks[this.blocks.length - 1].set(line, this.used);
    this.places.set([this.blocks.length - 1, this.used, line.length], 3 * this.length);
    this.used += line.length;
    this.length += 1;
  }

  /**
   * Return a line, or null if there is none.
   * @param {number} index
   * @returns {Uint8Array | null}
   */
  at(index) {
    if (!Number.isInteger(index) || index < 0 || index >= this.length) {
      return null;
    }
    const [block, start, length] = this.places.subarray(3 * index, 3 * index + 3);
    return this.blocks[block].subarray(start, start + length);
  }
}
