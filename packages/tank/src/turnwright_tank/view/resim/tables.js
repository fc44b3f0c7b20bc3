/**
 * The state of a battle as rows, and its step by one turn.
 *
 * It is turnwright_tank/backends/python.py in JavaScript, with the same rules.
 */

import { Blake2b } from "./blake2b.js";
import {
  Arena, Bullet, Contact, Duel, EventRow, ROOM_BULLETS, ROOM_CONTACTS, ROOM_DUELS, ROOM_EVENTS, STAGES, Tank,
  bullet_speed, clear_duels, lay_out, sincos, write_arena, write_bullet, write_duel, write_tank,
} from "./rules.js";

/** @typedef {import("./intents.js").Intent} Intent */
/** @typedef {import("./rules.js").Rows} Rows */
/** @typedef {import("./scores.js").Scores} Scores */
/** @typedef {import("./setup.js").Setup} Setup */
/** Rows of a battle that was saved, as lists of numbers. @typedef {{ arena: number[], tanks: number[][], bullets?: number[][], duels?: number[][] }} SavedRows */

/** The smallest number of tanks or bullets for which the grid is used. It changes no outcome. */
const GRID_FROM = 40;
const ROW_PLACES_MAX = 64;

/**
 * @template T
 * @param {number} count
 * @param {() => T} make
 * @returns {T[]}
 */
function rows(count, make) {
  return Array.from({ length: count }, make);
}

export class Tables {
  /** @param {Setup} setup */
  constructor(setup) {
    const arena = new Arena();
    const count = setup.seats.length;
    const room = count + 1;
    Object.assign(arena, setup.arena);
    arena.tanks = count;
    arena.grid_from = GRID_FROM;
    /** @type {Rows} */
    this.world = {
      arena,
      tanks: rows(count, () => new Tank()),
      bullets: rows(2 * room, () => new Bullet()),
      events: rows(4 * room, () => new EventRow()),
      contacts: rows(room, () => new Contact()),
      duels: rows(room, () => new Duel()),
      duel_of: rows(count * count, () => 0),
      cells: rows(lay_out(arena), () => 0),
      chain: rows(4 * count, () => 0),
    };
    this.setup = setup;
    this.tolerant = setup.tolerant;
    this.hasher = new Blake2b();
    this.buffer = new ArrayBuffer(0);
    this.floats = new Float64Array(this.buffer);
    this.halves = new Int32Array(this.buffer);
    this.bytes = new Uint8Array(this.buffer);
  }

  /**
   * Take new tanks, and clear bullets, duels and all other state of the last round.
   * @param {number} round
   * @param {Tank[]} tanks
   */
  beginRound(round, tanks) {
    const { arena } = this.world;
    this.world.tanks = tanks;
    clear_duels(this.world);
    arena.round = round;
    arena.turn = arena.round_over = arena.inactive_turns = 0;
    arena.bullets = arena.gone = arena.bullets_fired = arena.last_survivor_known = 0;
    arena.retired = tanks.filter((tank) => tank.retired !== 0).length;
  }

  /**
   * Restore the rows of a saved battle.
   * @param {SavedRows} saved
   */
  restore({ arena, tanks, bullets = [], duels = [] }) {
    const { world, setup } = this;
    fill(world.arena, arena);
    world.tanks.forEach((tank, seat) => {
      fill(tank, tanks[seat]);
      tank.seat = seat;
      tank.team = setup.teams[seat];
      tank.droid = setup.seats[seat].isDroid ? 1 : 0;
    });
    world.arena.retired = world.tanks.filter((tank) => tank.retired !== 0).length;
    while (world.bullets.length <= bullets.length) {
      grow(world, ROOM_BULLETS);
    }
    bullets.forEach((row, k) => {
      fill(world.bullets[k], row);
      complete(world.bullets[k]);
    });
    while (world.duels.length < duels.length) {
      grow(world, ROOM_DUELS);
    }
    duels.forEach((row, k) => {
      const duel = world.duels[k];
      fill(duel, row);
      world.duel_of[duel.attacker * tanks.length + duel.victim] = k + 1;
    });
  }

  /**
   * Store the intent of a seat.
   * @param {number} seat
   * @param {Intent} intent
   */
  store(seat, intent) {
    const tank = this.world.tanks[seat];
    tank.has_intent = 1;
    tank.want_speed = intent.speed;
    tank.want_turn = intent.turn;
    tank.want_gun_turn = intent.gunTurn;
    tank.want_radar_turn = intent.radarTurn;
    tank.want_power = intent.power;
    tank.adjust_gun_for_body = intent.adjustGunForBody;
    tank.adjust_radar_for_body = intent.adjustRadarForBody;
    tank.adjust_radar_for_gun = intent.adjustRadarForGun;
    tank.rescan = intent.rescan;
    tank.fire_assist = intent.fireAssist;
    if (intent.colors !== null) {
      storeColors(tank, intent.colors);
    }
  }

  /**
   * Mark a seat as out of the battle.
   * @param {number} seat
   */
  retire(seat) {
    const tank = this.world.tanks[seat];
    if (tank.retired === 0) {
      tank.retired = 1;
      this.world.arena.retired += 1;
    }
  }

  /**
   * Run all stages once, except the stages that failed when the battle was played.
   * @param {Set<string>} failed
   */
  step(failed) {
    const { arena } = this.world;
    if (this.tolerant) {
      arena.events = arena.moved = arena.tanks_filled = 0;
      arena.contacts = arena.bullet_contacts = arena.hits = arena.deaths = 0;
    }
    for (const [title, stage] of STAGES) {
      if (failed.size > 0 && failed.has(title)) {
        continue;
      }
      for (let need = stage(this.world); need !== 0; need = stage(this.world)) {
        grow(this.world, need);
      }
    }
  }

  /**
   * Return the digest of all fields that decide the future.
   * @param {Scores} scores
   * @returns {string}
   */
  digest(scores) {
    const { arena, tanks, bullets, duels } = this.world;
    this.makeRoom(1 + tanks.length + arena.bullets + arena.duels, scores.places);
    const { floats, halves } = this;
    let at = write_arena(arena, floats, halves, 0);
    for (const tank of tanks) {
      at = write_tank(tank, floats, halves, at);
    }
    for (let k = 0; k < arena.bullets; k++) {
      at = write_bullet(bullets[k], floats, halves, at);
    }
    for (let k = 0; k < arena.duels; k++) {
      at = write_duel(duels[k], floats, halves, at);
    }
    at = scores.write(floats, at);
    return this.hasher.hex(this.bytes, 8 * at);
  }

  /**
   * @param {number} count rows
   * @param {number} places more, 8 bytes each
   */
  makeRoom(count, places) {
    const wanted = 8 * (count * ROW_PLACES_MAX + places);
    if (this.buffer.byteLength < wanted) {
      this.buffer = new ArrayBuffer(2 * wanted);
      this.floats = new Float64Array(this.buffer);
      this.halves = new Int32Array(this.buffer);
      this.bytes = new Uint8Array(this.buffer);
    }
  }
}

/**
 * Put saved values into a row. Its other fields do not decide the future.
 * @param {object} row
 * @param {number[]} saved in the order of its fields
 */
function fill(row, saved) {
  Object.assign(row, Object.fromEntries(Object.keys(row).slice(0, saved.length).map((name, k) => [name, saved[k]])));
}

/**
 * Compute the fields of a bullet that follow from the others.
 * @param {Bullet} bullet
 */
function complete(bullet) {
  bullet.speed = bullet_speed(bullet.power);
  [bullet.sin, bullet.cos] = sincos(bullet.direction);
  const ahead = bullet.speed * (bullet.ticks + 1);
  bullet.next_x = bullet.start_x + bullet.cos * ahead;
  bullet.next_y = bullet.start_y + bullet.sin * ahead;
}

/**
 * Store the colours of an intent, where -1 means not set.
 *
 * They are shown when the intent is executed.
 * @param {Tank} tank
 * @param {number[]} colors
 */
function storeColors(tank, colors) {
  const after = [
    tank.want_body_color, tank.want_turret_color, tank.want_radar_color, tank.want_bullet_color, tank.want_scan_color,
    tank.want_tracks_color, tank.want_gun_color,
  ];
  let changed = false;
  for (let k = 0; k < after.length; k++) {
    if (colors[k] >= 0 && colors[k] !== after[k]) {
      after[k] = colors[k];
      changed = true;
    }
  }
  if (changed) {
    tank.repaint = 1;
    tank.want_body_color = after[0];
    tank.want_turret_color = after[1];
    tank.want_radar_color = after[2];
    tank.want_bullet_color = after[3];
    tank.want_scan_color = after[4];
    tank.want_tracks_color = after[5];
    tank.want_gun_color = after[6];
  }
}

/**
 * Double the table that was too short for a stage.
 * @param {Rows} world
 * @param {number} need
 */
function grow(world, need) {
  const { bullets, events, contacts, duels } = world;
  if (need === ROOM_BULLETS) {
    bullets[bullets.length - 1] = new Bullet(); // the spare row may be the same object as another row: see `remove_bullets`
    extend(bullets, () => new Bullet());
  } else if (need === ROOM_EVENTS) {
    extend(events, () => new EventRow());
  } else if (need === ROOM_CONTACTS) {
    extend(contacts, () => new Contact());
  } else {
    extend(duels, () => new Duel());
  }
}

/**
 * @template T
 * @param {T[]} table
 * @param {() => T} make
 */
function extend(table, make) {
  for (let k = table.length; k > 0; k--) {
    table.push(make());
  }
}
