/**
 * The frames of a live battle that are played here from the lines of its record.
 *
 * They come as they are written; each turn is compared with the record.
 */
import { RecordSource } from "../resim/source_record.js";
import { GrowingLines } from "./growing_lines.js";

/** @typedef {import("../../../../viewer/sources/source_live.js").LiveSource} LiveSource */

/** @typedef {import("../resim/source_record.js").Start} Start */

export class RecordStore {
  /**
   * @param {LiveSource} live the source whose frames these are
   * @param {Start | null} start the battle before the second line, where the lines between are lost
   */
  constructor(live, start) {
    this.live = live;
    this.lines = new GrowingLines(start);
    this.record = new RecordSource(this.lines);
    this.record.on("frames", () => this.tell());
    void this.record.loaded.then(() => this.end());
  }

  get first() {
    return this.record.first;
  }

  get length() {
    return this.record.length;
  }

  /** @param {number} index */
  at(index) {
    return this.record.at(Math.floor(index));
  }

  /** Whether the source still shows these. */
  get isShown() {
    return this.live.store === this;
  }

  /** @param {string[]} lines */
  add(lines) {
    this.lines.add(lines);
  }

  /** No more will come. */
  close() {
    this.lines.close();
  }

  /** Tell of new frames. */
  tell() {
    if (this.isShown) {
      this.live.failures = this.record.failures;
      this.live.verified = this.record.verified;
      this.live.emitter.emit("frames");
    }
  }

  /** The record has been played to its end. */
  end() {
    if (!this.isShown) {
      return;
    }
    const { status, verified, battle } = this.record;
    this.live.verified = verified;
    this.live.emitter.emit("frames");
    if (battle?.results) {
      this.live.ended(battle.results);
    } else if (status.phase === "failed" || verified === "differs") {
      this.live.say(this.length > 0 ? "over" : "failed", status.message);
    } else {
      this.live.aborted();
    }
  }

  // Frames come as lines, never as messages.

  put() {
    return false;
  }

  isOld() {
    return true;
  }

  isAnew() {
    return false;
  }
}

/**
 * Take lines of the record that a server writes.
 * @param {LiveSource} live
 * @param {string[]} lines
 * @param {Start | null} start the battle before the second of them, where the lines between are lost
 */
export function takeLines(live, lines, start) {
  if (!(live.store instanceof RecordStore)) {
    live.useStore(new RecordStore(live, start));
  }
  /** @type {RecordStore} */ (live.store).add(lines);
}
