/**
 * The position in time: which frame is shown, how fast time passes, and which bot is selected.
 *
 * Panels and drawings use only the player, never a source. It has no clock. The function that requests the next
 * animation frame is an argument, and each call gets the time. Position 12.25 is a quarter of the way from frame 12
 * to frame 13. At the end of a round the time continues for a moment (`overtime`), so that the last explosion is visible.
 */
import { Emitter } from "../widgets/emitter.js";
import { NORMAL_TPS } from "../model.js";
import { findRound, findTurn } from "./turns.js";
import { LiveBuffer } from "./live_buffer.js";

export const SPEED_MIN = 0.1;
export const SPEED_MAX = 16;
export const TPS_MAX = 1000;
/** The number of turns for which the last frame of a round stays, at any speed except "as fast as it draws". */
export const ROUND_HOLD_TURNS = 40;
/** A longer pause between two animation frames (in a hidden tab) counts as this time, ms. */
const ELAPSED_MS_MAX = 100;

/** @typedef {import("../model.js").Source} Source */
/** @typedef {import("../model.js").Rate} Rate */
/** @typedef {"source" | "battle" | "frame" | "draw" | "state" | "nowhere"} PlayerEvent */
/** @typedef {(callback: (timeMs: number) => void) => void} RequestFrame */

export class Player {
  /** @param {RequestFrame} requestFrame calls back once, with the time in ms, when the next picture is due */
  constructor(requestFrame) {
    this.requestFrame = requestFrame;
    this.emitter = new Emitter();
    /** @type {Source | null} */
    this.source = null;
    /** @type {(() => void)[]} */
    this.subscriptions = [];
    this.position = 0;
    /** The number of turns that time has continued after the last frame of a round, 0…ROUND_HOLD_TURNS. */
    this.overtime = 0;
    /** @type {any} a Frame */
    this.frame = null;
    /** @type {any} a Frame */
    this.next = null;
    this.playing = false;
    /** Whether the position follows the newest frame of a live source. */
    this.atEdge = false;
    /** @type {Rate} */
    this.rate = { kind: "speed", value: 1 };
    /** Whether the user or the address has set the rate. */
    this.hasRate = false;
    /** @type {number | null} */
    this.selected = null;
    this.liveBuffer = new LiveBuffer();
    /** The last frame of this battle that was shown. Nothing after it is revealed. */
    this.reached = -1;
    /** The number of the source's battle that is shown. */
    this.battles = 0;
    /** @type {number | null} */
    this.lastMs = null;
    /** @type {(() => boolean) | null} a seek that waits until its frame is loaded; it returns true when it is done */
    this.wish = null;
  }

  /**
   * Listen to an event.
   *
   * "source" (another source), "battle" (its data), "frame" (another frame), "draw" (each picture), "state", "nowhere"
   * (the battle does not contain what was looked for).
   * @param {PlayerEvent} name
   * @param {() => void} listener
   * @returns {() => void} stops listening
   */
  on(name, listener) {
    return this.emitter.on(name, listener);
  }

  /** Start to request animation frames. */
  start() {
    this.requestFrame((timeMs) => this.tick(timeMs));
  }

  /**
   * Show another source from its beginning. A live source is shown from its newest frame.
   *
   * The previous source is closed.
   * @param {Source} source
   */
  setSource(source) {
    for (const end of this.subscriptions) {
      end();
    }
    this.source?.close();
    this.source = source;
    this.wish = null;
    this.selected = null;
    this.playing = true;
    this.atEdge = this.follows;
    this.reached = -1;
    this.battles = 0;
    this.liveBuffer = new LiveBuffer();
    this.position = this.atEdge ? Math.max(source.first, source.length - 1) : source.first;
    this.overtime = 0;
    this.frame = null;
    this.subscriptions = [
      source.on("battle", () => this.onBattle()),
      source.on("frames", () => this.onFrames()),
      source.on("status", () => void (this.giveUp(), this.emitter.emit("state"))),
      source.on("operator", () => this.emitter.emit("state")),
    ];
    this.emitter.emit("source");
    this.emitter.emit("battle");
    this.refresh();
    this.emitter.emit("state");
  }

  /** Whether the position follows the source's newest frame until the user goes elsewhere. */
  get follows() {
    return this.source?.kind === "live" && this.source.apart !== true;
  }

  /** The index of the newest frame that is kept, or -1. */
  get last() {
    return this.source ? this.source.length - 1 : -1;
  }

  /** Whether no frame will ever be added. */
  get finished() {
    const source = this.source;
    if (!source) {
      return false;
    }
    const phase = source.status.phase;
    return source.kind === "live" ? ["over", "aborted", "failed"].includes(phase) : phase !== "loading";
  }

  /**
   * Whether the last frame is shown and none will follow.
   *
   * The time may still run, for the last explosion.
   */
  get ended() {
    return this.finished && this.last >= 0 && this.position >= this.last;
  }

  play() {
    if (this.ended && this.source) {
      this.moveTo(this.source.first);
      this.atEdge = false;
    }
    this.playing = true;
    this.emitter.emit("state");
  }

  pause() {
    this.playing = false;
    this.atEdge = false;
    this.emitter.emit("state");
  }

  toggle() {
    if (this.playing && !this.ended) {
      this.pause();
    } else {
      this.play();
    }
  }

  /**
   * Show a position. Playing continues from there.
   * @param {number} index 0-based over the whole battle, limited to the frames that are kept. A fraction is between two frames
   */
  seek(index) {
    this.wish = null;
    this.playing &&= !this.ended; // at the end it seems to be paused, so it must not start to play elsewhere
    this.moveTo(index);
    this.atEdge = this.follows && !this.finished && this.playing && this.position >= this.last;
    this.emitter.emit("state");
  }

  /**
   * Pause and move some frames forward or back.
   * @param {number} count
   */
  step(count) {
    this.playing = false;
    this.seek((count < 0 ? Math.ceil(this.position) : Math.floor(this.position)) + count);
  }

  /**
   * Show the first frame of a round, now or as soon as it is loaded.
   * @param {number} round from 1
   */
  toRound(round) {
    this.wishFor(() => (this.source ? findRound(this.source, round) : null));
  }

  /**
   * Show a turn, now or as soon as it is loaded.
   * @param {number} round from 1
   * @param {number} turn from 1
   */
  toTurn(round, turn) {
    this.wishFor(() => (this.source ? findTurn(this.source, round, turn) : null));
  }

  /**
   * Show a frame, now or as soon as it is loaded.
   * @param {number} index
   */
  toIndex(index) {
    this.wishFor(() => (index <= this.last ? index : null));
  }

  /** Live: follow the newest frame. Otherwise: go to the end. */
  toEdge() {
    this.moveTo(this.last);
    if (this.source?.kind === "live" && !this.finished) {
      this.playing = true;
      this.atEdge = true;
    }
    this.emitter.emit("state");
  }

  /**
   * Set how fast time passes. Values outside the limits are changed to the nearest limit.
   *
   * At a speed below that of the live battle, the page no longer follows the newest frame.
   * @param {Rate} rate
   */
  setRate(rate) {
    const { kind, value } = rate;
    if (!Number.isFinite(value)) {
      return;
    }
    this.hasRate = true;
    if (kind === "speed") {
      this.rate = { kind, value: Math.min(SPEED_MAX, Math.max(SPEED_MIN, value)) };
    } else {
      this.rate = { kind, value: value < 0 ? -1 : Math.min(TPS_MAX, Math.round(value)) };
    }
    if ((kind === "speed" && value < 1) || this.source?.apart) {
      this.atEdge = false;
    }
    this.emitter.emit("state");
  }

  /**
   * Select a bot, or clear the selection.
   * @param {number | null} id
   */
  select(id) {
    this.selected = id;
    this.emitter.emit("state");
  }

  /**
   * Advance to a time and report that it is time to draw.
   * @param {number} timeMs
   */
  tick(timeMs) {
    this.start();
    const elapsed = this.lastMs === null ? 0 : Math.min(ELAPSED_MS_MAX, Math.max(0, timeMs - this.lastMs));
    this.lastMs = timeMs;
    if (this.source && this.last >= this.source.first) {
      this.advance(elapsed / 1000);
      this.refresh();
      if (this.frame !== null) {
        this.source.shown?.(this.frame, this.ended);
      }
    }
    this.emitter.emit("draw");
  }

  /** @param {number} seconds since the last picture */
  advance(seconds) {
    const source = /** @type {Source} */ (this.source);
    this.liveBuffer.note(source, seconds);
    if (!this.playing) {
      return;
    }
    if (this.atEdge) {
      const move = this.liveBuffer.move(source, this.position, seconds);
      if (move.jump) {
        this.position = Math.max(this.position, move.to);
        this.overtime = 0;
      } else {
        this.run(move.turns);
      }
    } else if (this.rate.kind === "tps" && this.rate.value < 0) {
      this.position = Math.min(this.last, Math.floor(this.position) + 1);
      this.overtime = 0;
    } else {
      this.run(seconds * this.rate.value * (this.rate.kind === "speed" ? NORMAL_TPS : 1));
    }
    this.arrive(source);
  }

  /**
   * Let some turns pass, with a pause at the end of each round.
   * @param {number} turns
   */
  run(turns) {
    let left = turns;
    while (left > 0) {
      const here = Math.floor(this.position);
      if (this.position === here && this.endsRound(here)) {
        const hold = Math.min(left, ROUND_HOLD_TURNS - this.overtime);
        this.overtime += hold;
        left -= hold;
        if (this.overtime < ROUND_HOLD_TURNS || here >= this.last) {
          return;
        }
        this.moveTo(here + 1);
      } else if (here >= this.last) {
        return;
      } else {
        const way = Math.min(left, here + 1 - this.position);
        left -= way;
        this.position = way === here + 1 - this.position ? here + 1 : this.position + way;
      }
    }
  }

  /**
   * Return whether a frame is the last one of its round.
   * @param {number} index
   */
  endsRound(index) {
    const frame = this.source?.at(index);
    const next = this.source?.at(index + 1);
    return next ? frame?.roundNumber !== next.roundNumber : this.finished;
  }

  /**
   * Follow, wait, or stop at the newest frame.
   * @param {Source} source
   */
  arrive(source) {
    if (this.position < this.last) {
      return;
    }
    if (this.finished) {
      const unlimited = this.rate.kind === "tps" && this.rate.value < 0 && !this.atEdge;
      if (unlimited || this.overtime >= ROUND_HOLD_TURNS) {
        this.pause();
      }
    } else if (this.follows && !this.atEdge && !(this.rate.kind === "tps" && this.rate.value === 0)) {
      this.atEdge = true;
      this.emitter.emit("state");
    }
  }

  /** @param {number} index */
  moveTo(index) {
    const first = this.source ? this.source.first : 0;
    this.position = Math.max(first, Math.min(this.last, Number.isFinite(index) ? index : first));
    this.overtime = 0;
    this.refresh();
  }

  /**
   * Seek a frame, now or as soon as it is loaded.
   * @param {() => number | null} find returns the frame's index; null: it is not loaded
   */
  wishFor(find) {
    const tryIt = () => {
      const index = find();
      if (index !== null) {
        this.seek(index);
      }
      return index !== null;
    };
    this.wish = tryIt() ? null : tryIt;
    this.giveUp();
  }

  /** Drop a wish that cannot be fulfilled any more. */
  giveUp() {
    if (this.wish !== null && this.finished) {
      const found = this.wish();
      this.wish = null;
      if (!found) {
        this.emitter.emit("nowhere");
      }
    }
  }

  /** Take `frame` and `next` from the position. Notify listeners if the frame is another one. */
  refresh() {
    const source = this.source;
    if (!source) {
      return;
    }
    this.position = Math.max(source.first, this.position);
    const here = Math.floor(this.position);
    const frame = source.at(here);
    this.next = source.at(here + 1);
    const before = this.frame;
    this.frame = frame;
    this.reached = Math.max(this.reached, frame === null ? -1 : here);
    if (!isSame(frame, before)) {
      this.emitter.emit("frame");
    }
  }

  onBattle() {
    this.frame = null;
    if (this.source?.apart && this.source.battles !== this.battles) {
      this.watchFromBeginning(this.source);
    }
    if (this.position > Math.max(0, this.last)) {
      this.position = Math.max(this.source ? this.source.first : 0, this.last);
      this.overtime = 0;
      this.selected = null;
      this.atEdge = this.follows;
      this.playing = this.playing || this.atEdge;
    }
    this.emitter.emit("battle");
    this.refresh();
    this.emitter.emit("state");
  }

  /**
   * Show a battle that does not wait for spectators from its first turn.
   *
   * The initial speed is the one that its server proposes.
   * @param {Source} source
   */
  watchFromBeginning(source) {
    const { tps } = source.status;
    const known = this.battles > 0;
    this.battles = source.battles ?? 0;
    this.reached = -1;
    this.position = source.first;
    this.overtime = 0;
    this.atEdge = false;
    this.playing = true;
    if (!known && tps !== null && !this.hasRate) {
      this.rate = tps === NORMAL_TPS ? { kind: "speed", value: 1 } : { kind: "tps", value: tps };
    }
  }

  onFrames() {
    if (this.wish?.()) {
      this.wish = null;
    }
    if (this.frame === null) {
      this.refresh();
    }
  }
}

/**
 * Return whether two objects are the same frame.
 *
 * A source may make a new object each time, and add a round's results later.
 * @param {any} one
 * @param {any} other
 */
function isSame(one, other) {
  return (
    one?.index === other?.index &&
    one?.roundNumber === other?.roundNumber &&
    one?.turnNumber === other?.turnNumber &&
    one?.roundResults === other?.roundResults
  );
}
