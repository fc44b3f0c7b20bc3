/** The pieces of a battle that a page has. Pure. */

/**
 * The new pieces.
 *
 * isAnew: whether they do not continue the earlier pieces. start: see `take`; null: they continue them.
 * @typedef {{ news: string[], isAnew: boolean, start: any }} Taken
 */

export class TakenPieces {
  constructor() {
    this.count = 0;
    /** The first piece, to recognise the battle; "": not known. */
    this.opening = "";
    /** Whether earlier pieces are lost. */
    this.isCut = false;
  }

  /**
   * Take consecutive pieces, and return the new ones.
   * @param {number} first the number of the first piece
   * @param {string[]} pieces
   * @param {any} start the server's replacement of lost pieces (then piece 0 is put in front), or null
   * @returns {Taken}
   */
  take(first, pieces, start) {
    const following = start === null ? pieces : pieces.slice(1);
    const opening = first === 0 || start !== null ? pieces[0] : this.opening;
    const isOther = this.opening !== "" && opening !== this.opening;
    if (isOther) {
      this.count = 0;
    }
    const isLost = first > this.count;
    const news = isLost ? pieces : following.slice(this.count - first);
    this.opening = opening;
    this.isCut = isLost || (this.isCut && !isOther);
    this.count = Math.max(this.count, first + following.length);
    return { news, isAnew: isOther || isLost, start: isLost ? start : null };
  }
}
