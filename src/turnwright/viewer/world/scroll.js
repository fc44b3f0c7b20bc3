/** The text that was shown, bounded: what is too old is dropped, and who shows it is told how much. */

/** @typedef {import("./ansi.js").Piece} Piece */
/** kind: "text", or whose line it is: "typed" (the player's own), "note" (the page's), "talk", "threat". @typedef {{ pieces: Piece[], kind: string }} LogLine */

const LINES_MAX = 1500;

export class Scroll {
  /** @param {number} [most] */
  constructor(most = LINES_MAX) {
    this.most = most;
    /** Lines that nobody has shown yet. @type {LogLine[]} */
    this.fresh = [];
    /** How many are shown. */
    this.shown = 0;
  }

  /**
   * @param {Piece[]} pieces
   * @param {string} [kind]
   */
  add(pieces, kind = "text") {
    this.fresh.push({ pieces, kind });
    if (this.fresh.length > 2 * this.most) {
      this.fresh.splice(0, this.fresh.length - this.most);
    }
  }

  /**
   * What to show now, and how many of the oldest that are shown to drop.
   * @returns {{ lines: LogLine[], drop: number }}
   */
  take() {
    const lines = this.fresh.slice(-this.most);
    this.fresh = [];
    const drop = Math.min(this.shown, Math.max(0, this.shown + lines.length - this.most));
    this.shown += lines.length - drop;
    return { lines, drop };
  }
}
