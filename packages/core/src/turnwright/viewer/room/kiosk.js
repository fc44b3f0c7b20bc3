/**
 * A page that goes by itself through what its server shows.
 *
 * The battle that is played comes first. While none is, the server's records are played one after the other. On a
 * server of several rooms it moves to the next one that plays, when its own battle is over or takes long.
 */

/** @typedef {import("../time/player.js").Player} Player */
/** @typedef {{ kind: "live" } | { kind: "record", address: string }} Show */
/** @typedef {"busy" | "done" | "empty"} Seen busy: there is something to see; done: it has ended; empty: nothing came yet */

/** The end of a battle stays so long, ms: its winner is shown. */
const END_MS = 10_000;
/** A battle that begins, or a record that loads, is waited for so long, ms. */
const EMPTY_MS = 6_000;
const LOOK_MS = 500;
/** A battle is shown so long, ms, while another room plays, too. */
const ROOM_MS = 120_000;
/** Phases of a room that has something to show. */
const SEEN_PHASES = ["running", "paused"];

/** @typedef {{ url: string, state: string, phase?: string }} Room a room of the server, as `/rooms.json` has it */

/**
 * Return the room that is shown next, or null: no other one plays.
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
 * Return what is shown next, or null: what is shown stays.
 * @param {Show} now
 * @param {Seen} seen
 * @param {number} forMs since when it is so
 * @param {string[]} records addresses, in the order in which they are shown
 * @param {string | null} last the record that was shown last
 * @returns {Show | null}
 */
export function nextShow(now, seen, forMs, records, last) {
  if (seen === "busy" || forMs < (seen === "done" ? END_MS : EMPTY_MS)) {
    return null;
  }
  if (now.kind === "record") {
    return { kind: "live" }; // perhaps a battle has begun meanwhile
  }
  if (records.length === 0) {
    return null;
  }
  const address = records[(records.indexOf(last ?? "") + 1) % records.length];
  return { kind: "record", address };
}

/**
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
   * }} page what the page can show
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
    /** The time at which this page, its room, began to be shown. */
    this.beganMs = performance.now();
    setInterval(() => void this.look(), LOOK_MS);
  }

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
