/**
 * The last lines of text, bounded in number.
 *
 * The oldest lines are dropped, and the caller learns how many.
 */

/** @typedef {import("../ansi.js").Piece} Piece */
/** kind: "text", "typed" (by the player), "note" (by the page), "talk" or "threat". @typedef {{ pieces: Piece[], kind: string }} LogLine */

const LINES_MAX = 1500;

export class Scrollback {
  /** @param {number} [most] */
  constructor(most = LINES_MAX) {
    this.most = most;
    /** Lines that have not been shown yet. @type {LogLine[]} */
    this.fresh = [];
    /** The number of shown lines. */
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
   * Return the lines to show now, and how many of the oldest lines to drop.
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
