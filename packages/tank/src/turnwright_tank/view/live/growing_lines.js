/** The lines of a record that is still being written. Pure. */

/** The beginning of the last line of a record. */
const FOOTER = '{"kind":';
const ENCODER = new TextEncoder();

/** @typedef {import("../resim/source_record.js").Start} Start */

export class GrowingLines {
  /** @param {Start | null} [start] the battle before the second line, if the lines between are lost */
  constructor(start = null) {
    this.start = start;
    /** @type {string[]} */
    this.waiting = [];
    this.at = 0;
    /** Whether no line will be added. */
    this.ended = false;
    /** @type {((more: boolean) => void) | null} */
    this.wake = null;
  }

  /** The share that has been read, which is unknown. */
  get progress() {
    return 0;
  }

  /** @param {string[]} lines without their newlines */
  add(lines) {
    this.waiting = [...this.waiting.slice(this.at), ...lines];
    this.at = 0;
    this.ended ||= lines.at(-1)?.startsWith(FOOTER) ?? false;
    this.rouse();
  }

  /** End the record with the lines so far. */
  close() {
    this.ended = true;
    this.rouse();
  }

  /**
   * Return the next line with its newline, or null if there is none yet.
   * @returns {Uint8Array | null}
   */
  next() {
    const line = this.waiting[this.at];
    if (line === undefined) {
      return null;
    }
    this.at += 1;
    return ENCODER.encode(`${line}\n`);
  }

  /**
   * Wait for more lines.
   * @returns {Promise<boolean>} whether there may be more
   */
  fill() {
    if (this.ended || this.at < this.waiting.length) {
      return Promise.resolve(this.at < this.waiting.length);
    }
    return new Promise((resolve) => {
      this.wake = resolve;
    });
  }

  rouse() {
    const wake = this.wake;
    this.wake = null;
    wake?.(this.at < this.waiting.length);
  }
}
