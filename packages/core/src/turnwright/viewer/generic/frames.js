/** Battles and frames of the generic protocol, in the form that the page uses. Pure. */

/** The protocol version of this page (see packages/core/docs/generic-protocol.md). */
export const PROTOCOL = 1;
/** The largest number of frames of a live battle that are kept. The oldest are dropped. */
export const FRAMES_MAX = 20_000;
/** The largest number of characters of frames that are kept. */
export const CHARS_MAX = 128 * 1024 * 1024;

/** @typedef {{ type: string, [field: string]: any }} Message */

/**
 * Return the battle that a "ready" message describes.
 * @param {Message} message
 */
export function battleOf({ game, seats = [], settings = {}, turnTimeoutUs, seed }) {
  return {
    gameType: String(game ?? "battle"),
    rounds: null,
    seed: seed ?? null,
    turnTimeoutUs: turnTimeoutUs ?? null,
    settings,
    seats: seats.map(seatOf),
    results: null,
  };
}

/**
 * @param {any} seat
 * @param {number} nth
 */
function seatOf(seat, nth) {
  return {
    id: nth,
    name: String(seat.name ?? `seat ${nth}`),
    version: String(seat.version ?? ""),
    teamId: seat.team ?? null,
    teamName: null,
    authors: seat.authors ?? [],
    platform: null,
  };
}

/**
 * Return the frame of a "frame" message.
 * @param {Message} message
 * @param {number} index
 */
export function frameOf({ turn, frame, events = [], skipped = [], scores = null }, index) {
  return {
    index,
    roundNumber: 1,
    turnNumber: turn,
    state: frame,
    events,
    scores,
    timing: new Map(skipped.map((/** @type {number} */ seat) => [seat, SKIPPED])),
    roundResults: null,
  };
}

/** @type {import("../model.js").SeatTiming} */
const SKIPPED = { skipped: true, lateUs: null, answerUs: null, rttUs: null };

/**
 * Return the rows of results in a "result" message, best first.
 *
 * `headings`: the headings of the game's own columns.
 * @param {Message} message
 * @param {{ id: number, version: string }[]} seats
 */
export function resultsOf({ rows = [], headings = [], details = null }, seats) {
  const versions = new Map(seats.map(({ id, version }) => [id, version]));
  const shown = rows.map((/** @type {any} */ { rank, seat, name, score, columns = [], skipped = 0, left = false, disqualified = false }) => ({
    rank: Number(rank),
    id: seat,
    name: String(name),
    version: versions.get(seat) ?? "",
    score: Number(score),
    columns,
    skipped: Number(skipped),
    marks: [...(disqualified ? ["disqualified"] : []), ...(left ? ["left"] : [])],
  }));
  return Object.assign(shown, { headings: headings.map(String), details });
}

/**
 * The frames that have arrived, as texts, the oldest first.
 *
 * A frame is parsed again each time it is shown.
 */
export class FrameList {
  /** @param {number} [framesMax] */
  constructor(framesMax = FRAMES_MAX) {
    this.framesMax = framesMax;
    /** @type {string[]} */
    this.texts = [];
    this.first = 0;
    this.chars = 0;
    this.newestTurn = 0;
    /** @type {any} the newest parsed frame */
    this.seen = null;
    /** @type {any[] | null} the results of the battle, which its last frame has; null while the battle runs */
    this.results = null;
  }

  get length() {
    return this.first + this.texts.length;
  }

  /**
   * Add a frame. The oldest frames beyond the limits are dropped.
   * @param {string} text the "frame" message
   * @param {Message} message the same as JSON values
   */
  put(text, message) {
    this.texts.push(text);
    this.chars += text.length;
    this.newestTurn = message.turn;
    while (this.texts.length > 1 && (this.texts.length > this.framesMax || this.chars > CHARS_MAX)) {
      this.chars -= this.texts.shift()?.length ?? 0;
      this.first += 1;
    }
  }

  /**
   * Return whether a "frame" message has the newest turn, which is already here.
   * @param {Message} message
   */
  isOld({ turn }) {
    return this.texts.length > 0 && turn === this.newestTurn;
  }

  /**
   * Return whether a "frame" message has an earlier turn, with which the same battle begins again.
   * @param {Message} message
   */
  isAnew({ turn }) {
    return this.texts.length > 0 && turn < this.newestTurn;
  }

  /**
   * @param {number} index
   * @returns {any} a frame; null: it is not kept
   */
  at(index) {
    const text = this.texts[Math.floor(index) - this.first];
    if (text === undefined) {
      return null;
    }
    if (this.seen?.index !== index) {
      this.seen = frameOf(JSON.parse(text), Math.floor(index));
    }
    const isLast = this.results !== null && this.seen.index === this.length - 1;
    return isLast ? { ...this.seen, roundResults: this.results } : this.seen;
  }
}
