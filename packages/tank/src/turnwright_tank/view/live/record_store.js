/**
 * The frames of a live battle, which the page plays from the lines of its record.
 *
 * The lines come while the server writes them. Each turn is compared with the record.
 */
import { RecordSource } from "../resim/source_record.js";
import { GrowingLines } from "./growing_lines.js";

/** @typedef {import("../../../../viewer/sources/source_live.js").LiveSource} LiveSource */

/** @typedef {import("../resim/source_record.js").Start} Start */

/** The store of a battle before its first line. @type {import("../../../../viewer/sources/source_live.js").Store} */
export const NO_FRAMES = { first: 0, length: 0, at: () => null };
/** Mebibytes of frames that are kept, because a battle may be endless. They last for more than an hour of ten tanks. */
const CHUNKS_MAX = 256;
/** The number of round-trip measurements that are kept. Older ones are dropped. */
export const TRIPS_MAX = 1000;

export class RecordStore {
  /**
   * @param {LiveSource} live the source whose frames these are
   * @param {Start | null} start the battle before the second line, where the lines between are lost
   */
  constructor(live, start) {
    this.live = live;
    this.lines = new GrowingLines(start);
    /** @type {{ from: number, us: Map<number, number> }[]} round trips from a frame on, by bot id, oldest first */
    this.trips = [];
    this.record = new RecordSource(this.lines, CHUNKS_MAX);
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
    const frame = this.record.at(Math.floor(index));
    const trips = this.tripsAt(index);
    frame?.timing?.forEach((seat, id) => {
      seat.rttUs = trips?.get(id) ?? null;
    });
    return frame;
  }

  /** Whether the source still shows these frames. */
  get isShown() {
    return this.live.store === this;
  }

  /** @param {string[]} lines */
  add(lines) {
    this.lines.add(lines);
  }

  /**
   * Return the newest round trips at a frame.
   * @param {number} index
   * @returns {Map<number, number> | undefined}
   */
  tripsAt(index) {
    let k = this.trips.length - 1;
    while (k >= 0 && this.trips[k].from > index) {
      k -= 1;
    }
    return this.trips[k]?.us;
  }

  /** @param {[number, number][]} trips the newest round trips, µs, by bot id */
  addTrips(trips) {
    this.trips = [...this.trips, { from: this.length, us: new Map(trips) }].slice(-TRIPS_MAX);
  }

  /** Note that no more lines will come. */
  close() {
    this.lines.close();
  }

  /** Report new frames. */
  tell() {
    if (this.isShown) {
      this.live.failures = this.record.failures;
      this.live.outOfRounds = this.record.outOfRounds;
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

/**
 * Take the newest round trips of bots.
 * @param {LiveSource} live
 * @param {[number, number][]} trips
 */
export function takeTrips(live, trips) {
  if (live.store instanceof RecordStore && Array.isArray(trips)) {
    live.store.addTrips(trips);
  }
}
