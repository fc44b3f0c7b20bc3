/** The pieces of a battle that a page has taken. Pure. */

/**
 * New pieces among those that came.
 *
 * isAnew: what was taken before does not continue in them. start: see `take`; null: they continue it.
 * @typedef {{ news: string[], isAnew: boolean, start: any }} Taken
 */

export class TakenPieces {
  constructor() {
    this.count = 0;
    /** The first piece, to know the battle again; "": not known. */
    this.opening = "";
    /** Whether earlier pieces are lost. */
    this.isCut = false;
  }

  /**
   * Take pieces that follow one another, and return what is new.
   * @param {number} first number of the first one
   * @param {string[]} pieces
   * @param {any} start what the server knows of lost pieces (then piece 0 is put in front), or null
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
