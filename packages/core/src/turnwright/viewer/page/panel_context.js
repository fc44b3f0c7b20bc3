/**
 * State that all panels share.
 *
 * It has the player, the battle's history, names, and the last turns, and it decides when to refresh.
 *
 * A panel adds its functions with these methods:
 * - `onRefresh`: called at most ten times per second, when something has changed.
 * - `onTurn`: called like `onRefresh`, and also with each new frame, in the picture that shows it. It must be fast.
 * - `onDraw`: called with each picture. It must be fast.
 * - `onReset`: called with another battle.
 *
 * The history is read in the background, for a few milliseconds in each picture.
 */
import { shortName, titlesOf } from "../widgets/format.js";
import { Inks } from "../widgets/canvas_util.js";
import { catchUp } from "../time/turns.js";
import { RecentFrames } from "./recent_frames.js";

/** @typedef {import("../time/player.js").Player} Player */
/** @typedef {import("../model.js").Places} Places */
/** @typedef {import("../model.js").History} History */

const REFRESH_MS = 100;
const READ_MS_PLAYING = 2;
const READ_MS_STILL = 8;
const TRAIL_TURNS = 150;

export class PanelContext {
  /**
   * @param {Player} player
   * @param {Places} places
   * @param {(seats: any[], first: number) => History} history makes an empty one
   */
  constructor(player, places, history) {
    this.player = player;
    this.places = places;
    this.newHistory = history;
    this.inks = new Inks();
    /** @type {any} a History with the additions of the game */
    this.history = null;
    this.trail = new RecentFrames(TRAIL_TURNS);
    /** @type {Map<string, (() => void)[]>} */
    this.listeners = new Map();
    /** @type {Map<number, string>} */
    this.names = new Map();
    /** @type {Map<number, string>} the names, with a number if several bots have the same name */
    this.titles = new Map();
    this.seatsKey = "";
    /** A temporary text next to the battle's name. */
    this.note = "";
    this.dirty = true;
    /** Whether the frame is another one than in the previous picture. */
    this.turned = false;
    this.refreshedMs = -Infinity;
    this.read = 0;
    /** Stops listening to the previous source. */
    this.leave = () => {};
    player.on("source", () => this.follow());
    player.on("battle", () => this.begin(false));
    player.on("frame", () => {
      this.turned = true;
      this.touch();
    });
    player.on("state", () => this.touch());
    player.on("draw", () => this.tick());
    this.follow();
  }

  // ---- listeners -----------------------------------------------------------------------------------------------

  /** @param {() => void} listener */
  onRefresh(listener) {
    this.listen("refresh", listener);
  }

  /** @param {() => void} listener */
  onTurn(listener) {
    this.listen("turn", listener);
  }

  /** @param {() => void} listener */
  onDraw(listener) {
    this.listen("draw", listener);
  }

  /** @param {() => void} listener */
  onReset(listener) {
    this.listen("reset", listener);
  }

  /**
   * @param {string} name
   * @param {() => void} listener
   */
  listen(name, listener) {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]);
  }

  /** @param {string} name */
  tell(name) {
    for (const listener of this.listeners.get(name) ?? []) {
      listener();
    }
  }

  /** Let the panels refresh soon. */
  touch() {
    this.dirty = true;
  }

  // ---- the battle --------------------------------------------------------------------------------------------

  /** @returns {any} a Battle; its results are hidden until its last turn has been shown */
  get battle() {
    const { source, reached, last } = this.player;
    const battle = source?.battle ?? null;
    return source?.apart && battle?.results && reached < last ? { ...battle, results: null } : battle;
  }

  /** @returns {any[]} the seats */
  get seats() {
    return this.battle?.seats ?? [];
  }

  /** @returns {import("../sources/analysis.js").Analysis | null} the explanation of the battle, as far as it is known */
  get analysis() {
    return this.player.source?.analysis ?? null;
  }

  /** @returns {number} the index of the current frame; −1: none */
  get index() {
    return this.player.frame?.index ?? -1;
  }

  /** Follow another source. */
  follow() {
    this.leave();
    const { source } = this.player;
    const again = () => {
      if (this.history !== null && source !== null && source.length < this.history.next) {
        this.begin(true);
      }
    };
    const ends = source ? [source.on("frames", again)] : [];
    if (source?.analysis) {
      ends.push(source.analysis.emitter.on("change", () => this.touch()));
    }
    this.leave = () => ends.forEach((end) => end());
    this.begin(true);
  }

  /**
   * Begin a history if this is another battle.
   * @param {boolean} sure whether it is certainly another battle
   */
  begin(sure) {
    const source = this.player.source;
    const key = JSON.stringify(this.seats.map((seat) => [seat.id, seat.name, seat.teamId]));
    const shrunk = this.history !== null && source !== null && source.length < this.history.next;
    if (sure || shrunk || key !== this.seatsKey) {
      this.seatsKey = key;
      this.history = null;
      this.trail.clear();
      this.names = new Map(this.seats.map((seat) => [seat.id, shortName(seat.name)]));
      this.titles = titlesOf(this.names);
      this.tell("reset");
    }
    this.touch();
  }

  /** In each picture: read on, and refresh the panels when it is time. */
  tick() {
    this.readOn();
    this.tell("draw");
    const now = performance.now();
    const due = this.dirty && now - this.refreshedMs >= REFRESH_MS;
    if (this.turned || due) {
      this.turned = false;
      this.tell("turn"); // panels must show the same turn as the arena
    }
    if (due) {
      this.dirty = false;
      this.refreshedMs = now;
      this.tell("refresh");
    }
  }

  /** Let the history read frames of the source for a few milliseconds. */
  readOn() {
    const source = this.player.source;
    if (!source || !source.battle) {
      return;
    }
    if (this.history !== null && source.length < this.history.next) {
      this.begin(true);
    }
    if (source.length <= source.first) {
      return;
    }
    this.history ??= this.newHistory(this.seats, source.first);
    if (source.kind === "live") {
      this.dirty = this.history.settle(source.at(this.history.next - 1)) || this.dirty;
    }
    const told = source.apart ? Math.min(source.length, this.player.reached + 1) : source.length;
    if (this.history.next >= told) {
      return;
    }
    const end = performance.now() + (this.player.playing ? READ_MS_PLAYING : READ_MS_STILL);
    catchUp(this.history, source, () => performance.now() >= end, told);
    this.dirty = true;
  }

  /** @returns {any[]} Frames: the last turns up to the current one, the oldest first */
  lastFrames() {
    const source = this.player.source;
    if (source && this.index >= 0) {
      this.trail.moveTo(source, this.index);
    }
    return this.trail.frames;
  }

  /**
   * @param {number} id
   * @returns {string} a bot's name, for sentences; no two bots have the same
   */
  nameOf(id) {
    return this.titles.get(id) ?? `bot ${id}`;
  }

  /**
   * @param {number} id
   * @returns {string} a bot's name, for places where its number is shown next to it
   */
  plainNameOf(id) {
    return this.names.get(id) ?? `bot ${id}`;
  }

  /**
   * @param {number} id
   * @returns {number} the number of its seat, from 0; 0 if the bot is not known
   */
  seatOf(id) {
    const k = this.history?.order.get(id) ?? this.seats.findIndex((seat) => seat.id === id);
    return Math.max(k, 0);
  }

  // ---- requests of panels --------------------------------------------------------------------------------------

  /**
   * Pause and show a frame.
   * @param {number} index
   */
  show(index) {
    this.player.pause();
    this.player.seek(index);
  }
}
