/**
 * A page that shows its server's battles one after the other.
 *
 * A running battle comes first. While there is none, the server's records are played one after the other. On a
 * server with several rooms the page moves to the next room with a running battle when its own battle is over or long.
 */

/** @typedef {import("../time/player.js").Player} Player */
/** @typedef {{ kind: "live" } | { kind: "record", address: string }} Show */
/** @typedef {"busy" | "done" | "empty"} Seen busy: there is something to see; done: it has ended; empty: nothing came yet */

/** The time for which the end of a battle is shown with its winner, ms. */
const END_MS = 10_000;
/** The time that the page waits for a battle to begin or a record to load, ms. */
const EMPTY_MS = 6_000;
const LOOK_MS = 500;
/** The time for which a battle is shown while another room has a running battle, ms. */
const ROOM_MS = 120_000;
/** The phases of a room in which there is something to see. */
const SEEN_PHASES = ["running", "paused"];

/** @typedef {{ url: string, state: string, phase?: string }} Room a room of the server, as `/rooms.json` has it */

/**
 * Return the room that is shown next. null: no other room has a running battle.
 * @param {Room[]} rooms in their order
 * @param {string} here the path of this page
 * @returns {Room | null}
 */
export function nextRoom(rooms, here) {
  const at = rooms.findIndex((room) => here.startsWith(room.url));
  const others = [...rooms.slice(at + 1), ...rooms.slice(0, Math.max(at, 0))];
  return others.find(({ state, phase }) => state === "on" && SEEN_PHASES.includes(phase ?? "")) ?? null;
}

/**
 * Return what is shown next. null: the page does not change.
 * @param {Show} now
 * @param {Seen} seen
 * @param {number} forMs how long `seen` has been the same, ms
 * @param {string[]} records addresses, in the order in which they are shown
 * @param {string | null} last the record that was shown last
 * @returns {Show | null}
 */
export function nextShow(now, seen, forMs, records, last) {
  if (seen === "busy" || forMs < (seen === "done" ? END_MS : EMPTY_MS)) {
    return null;
  }
  if (now.kind === "record") {
    return { kind: "live" }; // a battle may have begun in the meantime
  }
  if (records.length === 0) {
    return null;
  }
  const address = records[(records.indexOf(last ?? "") + 1) % records.length];
  return { kind: "record", address };
}

/**
 * Return whether the page shows a battle, and whether that battle continues.
 * @param {Player} player
 * @returns {Seen}
 */
export function seenIn(player) {
  const { source, frame } = player;
  if (source === null || frame === null) {
    return "empty";
  }
  if (source.kind === "live") {
    return SEEN_PHASES.includes(source.status.phase) ? "busy" : "done";
  }
  return player.playing ? "busy" : "done";
}

export class Kiosk {
  /**
   * @param {Player} player
   * @param {{
   *   live: () => void,
   *   record: (address: string) => void,
   *   list: () => Promise<string[]>,
   *   rooms: () => Promise<Room[]>,
   *   goTo: (room: Room) => void,
   * }} page the actions of the page
   */
  constructor(player, page) {
    this.player = player;
    this.page = page;
    /** @type {Show} */
    this.now = { kind: "live" };
    /** @type {Seen} */
    this.seen = "empty";
    this.sinceMs = performance.now();
    /** @type {string | null} */
    this.last = null;
    this.busy = false;
    /** The time at which this page, or its room, was opened. */
    this.beganMs = performance.now();
    setInterval(() => void this.look(), LOOK_MS);
  }

  /** Show another battle, or go to another room, if it is time. */
  async look() {
    const seen = seenIn(this.player);
    const nowMs = performance.now();
    if (seen !== this.seen) {
      this.seen = seen;
      this.sinceMs = nowMs;
    }
    const forMs = nowMs - this.sinceMs;
    const isLong = nowMs - this.beganMs >= ROOM_MS;
    if (this.busy || (seen === "busy" && !isLong)) {
      return;
    }
    this.busy = true;
    try {
      if (isLong || forMs >= (seen === "done" ? END_MS : EMPTY_MS)) {
        const room = nextRoom(await this.page.rooms(), location.pathname);
        this.beganMs = nowMs;
        if (room !== null) {
          this.page.goTo(room);
          return;
        }
      }
      const records = this.now.kind === "live" && forMs >= EMPTY_MS ? await this.page.list() : [];
      const next = nextShow(this.now, seen, forMs, records, this.last);
      if (next !== null) {
        this.show(next);
      }
    } finally {
      this.busy = false;
    }
  }

  /** @param {Show} next */
  show(next) {
    this.now = next;
    this.seen = "empty";
    this.sinceMs = performance.now();
    if (next.kind === "live") {
      this.page.live();
    } else {
      this.last = next.address;
      this.page.record(next.address);
    }
  }
}
