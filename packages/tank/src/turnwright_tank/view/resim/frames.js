/**
 * Compact storage of a battle's frames.
 *
 * The frames are rows of numbers in a few large tables, and are read on demand.
 *
 * A frame of 20 tanks takes about 3 kB with all digits. The constant values of a bullet are stored once for each
 * bullet.
 */

import { colorText } from "./intents.js";
import { EVENT_PLACES_MAX, putEvent } from "../events.js";
import { absolute_degrees } from "./rules.js";
import { BULLET_PLACES, FACT_PLACES, HEAD_PLACES, TANK_PLACES, FrameReader } from "./frame_reader.js";

/** @typedef {import("./rules.js").Bullet} Bullet */
/** @typedef {import("./rules.js").Tank} Tank */
/** @typedef {import("./setup.js").Setup} Setup */
/** @typedef {import("./simulate.js").Simulation} Simulation */
/** @typedef {import("./frame_reader.js").Colors} Colors */
/** @typedef {import("./frame_reader.js").Picture} Picture */
/** @typedef {import("./frame_reader.js").Shown} Shown */

const CHUNK_PLACES = 1 << 17;

/** The place of a dropped chunk. */
const NOTHING = new Float64Array(0);

export class FrameTable {
  /**
   * @param {Setup} setup
   * @param {number} [chunksMax] chunks of a mebibyte that are kept; older ones are dropped with their frames
   */
  constructor(setup, chunksMax = Infinity) {
    this.setup = setup;
    this.chunksMax = chunksMax;
    /** Index of the oldest frame that is kept. */
    this.first = 0;
    this.length = 0;
    /** @type {Float64Array[]} */
    this.chunks = [];
    this.forgotten = 0;
    this.used = CHUNK_PLACES;
    /** The start of each frame: its chunk and its place in the chunk. */
    this.chunkOf = new Uint32Array(1024);
    this.placeOf = new Uint32Array(1024);
    /** For each bullet, owner (seat), power, direction and colour. */
    this.facts = new Float64Array(1024);
    this.bulletsBefore = 0;
    this.bulletsSeen = 0;
    /** @type {Colors[]} */
    this.palette = [new Array(7).fill(null)];
    /** @type {{ last: number[], at: number }[]} of each seat, the colours last seen and where they are */
    this.seen = setup.seats.map(() => ({ last: new Array(7).fill(-1), at: 0 }));
    /** @type {Map<number, Map<number, Shown>>} by frame and seat */
    this.texts = new Map();
  }

  /**
   * Store the frame of the last turn of a simulation.
   * @param {Simulation} simulation
   */
  put(simulation) {
    const { arena, tanks, bullets, events } = simulation.tables.world;
    const { started } = simulation;
    if (simulation.openedRound) {
      this.bulletsBefore += this.bulletsSeen;
      this.bulletsSeen = 0;
    }
    const rows = bullets.slice(0, arena.bullets + arena.gone);
    this.noteBullets(rows, arena.bullets_fired);
    const places =
      HEAD_PLACES + started.length * TANK_PLACES + arena.bullets * BULLET_PLACES + arena.events * EVENT_PLACES_MAX;
    const tape = this.open(places);
    let at = this.used;
    tape[at] = simulation.round;
    tape[at + 1] = simulation.turn;
    tape[at + 2] = this.bulletsBefore;
    tape[at + 3] = started.length;
    tape[at + 4] = arena.bullets;
    tape[at + 5] = arena.events;
    at += HEAD_PLACES;
    for (const seat of started) {
      at = this.putTank(tape, at, tanks[seat], enemiesOf(simulation, seat));
    }
    for (let k = 0; k < arena.bullets; k++) {
      tape[at] = rows[k].id;
      tape[at + 1] = rows[k].x;
      tape[at + 2] = rows[k].y;
      at += BULLET_PLACES;
    }
    const byId = arena.events > 0 ? new Map(rows.map((row) => [row.id, row])) : new Map();
    for (let k = 0; k < arena.events; k++) {
      at = putEvent(tape, at, events[k], byId);
    }
    this.used = at;
    if (simulation.texting) {
      this.putTexts(simulation);
    }
    this.length += 1;
  }

  /**
   * Return a table with room for the next frame.
   * @param {number} places
   * @returns {Float64Array}
   */
  open(places) {
    const last = this.chunks[this.chunks.length - 1];
    if (last === undefined || this.used + places > last.length) {
      this.chunks.push(new Float64Array(Math.max(CHUNK_PLACES, places)));
      this.used = 0;
      if (this.chunks.length - this.forgotten > this.chunksMax) {
        this.forgetOldest();
      }
    }
    if (this.length === this.chunkOf.length) {
      this.chunkOf = longer(this.chunkOf, new Uint32Array(2 * this.length));
      this.placeOf = longer(this.placeOf, new Uint32Array(2 * this.length));
    }
    this.chunkOf[this.length] = this.chunks.length - 1;
    this.placeOf[this.length] = this.used;
    return this.chunks[this.chunks.length - 1];
  }

  /** Drop the oldest chunk with its frames. */
  forgetOldest() {
    this.chunks[this.forgotten] = NOTHING;
    this.forgotten += 1;
    while (this.chunkOf[this.first] < this.forgotten && this.first < this.length) {
      this.texts.delete(this.first);
      this.first += 1;
    }
  }

  /**
   * Store the constant values of the bullets that were fired in this turn.
   * @param {Bullet[]} rows
   * @param {number} fired the number of bullets fired in this round
   */
  noteBullets(rows, fired) {
    if (fired === this.bulletsSeen) {
      return;
    }
    const wanted = (this.bulletsBefore + fired) * FACT_PLACES;
    if (wanted > this.facts.length) {
      this.facts = longer(this.facts, new Float64Array(2 * wanted));
    }
    for (const row of rows) {
      if (row.id > this.bulletsSeen) {
        const at = (this.bulletsBefore + row.id - 1) * FACT_PLACES;
        this.facts[at] = row.owner;
        this.facts[at + 1] = row.power;
        this.facts[at + 2] = row.direction;
        this.facts[at + 3] = row.color;
      }
    }
    this.bulletsSeen = fired;
  }

  /**
   * @param {Float64Array} tape
   * @param {number} at
   * @param {Tank} tank
   * @param {number} enemies
   * @returns {number}
   */
  putTank(tape, at, tank, enemies) {
    const odd = this.setup.oddDirections;
    tape[at] = tank.seat;
    tape[at + 1] = tank.energy;
    tape[at + 2] = tank.x;
    tape[at + 3] = tank.y;
    tape[at + 4] = odd ? absolute_degrees(tank.direction) : tank.direction;
    tape[at + 5] = odd ? absolute_degrees(tank.gun_direction) : tank.gun_direction;
    tape[at + 6] = odd ? absolute_degrees(tank.radar_direction) : tank.radar_direction;
    tape[at + 7] = tank.radar_sweep;
    tape[at + 8] = tank.speed;
    tape[at + 9] = tank.turn_rate;
    tape[at + 10] = tank.gun_turn_rate;
    tape[at + 11] = tank.radar_turn_rate;
    tape[at + 12] = tank.gun_heat;
    tape[at + 13] = enemies;
    tape[at + 14] = this.colorsOf(tank);
    return at + TANK_PLACES;
  }

  /**
   * Return the place of a tank's colours in the palette.
   * @param {Tank} tank
   * @returns {number}
   */
  colorsOf(tank) {
    const seen = this.seen[tank.seat];
    const last = seen.last;
    if (
      tank.body_color !== last[0] || tank.turret_color !== last[1] || tank.radar_color !== last[2] ||
      tank.bullet_color !== last[3] || tank.scan_color !== last[4] || tank.tracks_color !== last[5] ||
      tank.gun_color !== last[6]
    ) {
      seen.last = [
        tank.body_color, tank.turret_color, tank.radar_color, tank.bullet_color, tank.scan_color, tank.tracks_color,
        tank.gun_color,
      ];
      seen.at = this.palette.length;
      this.palette.push(seen.last.map(colorText));
    }
    return seen.at;
  }

  /** @param {Simulation} simulation */
  putTexts(simulation) {
    /** @type {Map<number, Shown>} */
    const shown = new Map();
    for (const seat of simulation.started) {
      const texts = simulation.texts[seat];
      if (texts !== null && (texts.out !== null || texts.err !== null || texts.graphics !== null)) {
        shown.set(seat, { out: texts.out, err: texts.err, graphics: texts.graphics });
      }
    }
    if (shown.size > 0) {
      this.texts.set(this.length, shown);
    }
  }

  /**
   * Add the output of bots in the turn of a frame.
   * @param {number} index
   * @param {Map<number, import("./simulate.js").Printed>} [printed] by seat
   */
  addPrinted(index, printed) {
    for (const [seat, { out, err }] of printed ?? []) {
      /** @type {Map<number, Shown>} */
      const shown = this.texts.get(index) ?? new Map();
      const before = shown.get(seat) ?? { out: null, err: null, graphics: null };
      const added = { out: joined(before.out, out), err: joined(before.err, err) };
      this.texts.set(index, shown.set(seat, { ...before, ...added }));
    }
  }

  /**
   * Return a frame, or null if it does not exist.
   * @param {number} index
   * @returns {Picture | null}
   */
  at(index) {
    if (!Number.isInteger(index) || index < this.first || index >= this.length) {
      return null;
    }
    return new FrameReader(this, index).read();
  }
}

/**
 * @param {string | null} text
 * @param {string} lines
 * @returns {string | null} the text followed by the lines
 */
function joined(text, lines) {
  const end = text && lines && !text.endsWith("\n") ? "\n" : "";
  return `${text ?? ""}${end}${lines}` || null;
}

/**
 * Return the number of living tanks of other teams. For a dead tank, it is the number of all living tanks.
 * @param {Simulation} simulation
 * @param {number} seat
 * @returns {number}
 */
function enemiesOf(simulation, seat) {
  const { alive, setup } = simulation;
  if (simulation.tables.world.tanks[seat].alive === 0) {
    return alive.length;
  }
  if (!setup.hasTeams) {
    return alive.length - 1;
  }
  return alive.filter((other) => setup.teams[other] !== setup.teams[seat]).length;
}

/**
 * @template {Float64Array | Uint32Array} T
 * @param {T} before
 * @param {T} after
 * @returns {T}
 */
function longer(before, after) {
  after.set(before);
  return after;
}
