/**
 * Reads the spectators' stream, Keyframe and Delta, into frames.
 *
 * The twin of `games/tank/wire/stream/read.py`; the messages stand in docs/reference/spectator-stream.md. Pure.
 */

import { STATUSES } from "./model.js";
import { bullet_speed } from "./resim/rules.js";
import { TableReader, column } from "./stream_tables.js";

/** @typedef {import("./model.js").BotState} BotState */
/** @typedef {import("./model.js").BulletState} BulletState */
/** @typedef {import("./model.js").Frame} Frame */
/** @typedef {import("./model.js").GameEvent} GameEvent */
/** @typedef {import("./model.js").Seat} Seat */
/** @typedef {import("./model.js").SeatTiming} SeatTiming */
/** @typedef {import("./model.js").Standing} Standing */
/** @typedef {import("./stream_tables.js").TableKey} TableKey */
/** @typedef {import("./stream_tables.js").TableDelta} TableDelta */

/** id, owner, power, direction, x, y, colour, age @typedef {[number, number, number, number, number, number, (string | null)?, number?]} Bullet */
/** @typedef {[number, string | null, string | null, string | null]} Texts */
/** A code, then what belongs to it. @typedef {[number, ...(number | number[])[]]} Told */
/**
 * @typedef {object} Common
 * @property {number} frame
 * @property {Told[]} [events]
 * @property {number[]} [skipped]
 * @property {[number, number][]} [late]
 * @property {number} [lagUs]
 * @property {Bullet[]} [bullets]
 * @property {number[]} [gone]
 * @property {[number, (string | null)[]][]} [looks]
 * @property {Texts[]} [texts]
 * @property {number[]} [debugging]
 */
/** @typedef {Common & { type: "Keyframe", roundNumber: number, turnNumber: number, tanks: TableKey, seats: TableKey }} Keyframe */
/** @typedef {Common & { type: "Delta", tanks?: TableDelta, seats?: TableDelta }} Delta */

const PLACE = 10;
const ANGLE = 10;
const ENERGY = 100;
const CIRCLE = 3600;
const TIME_STEP_US = 50;
const POWER = 100_000;
const BULLET_ANGLE = 10_000;
const BULLET_PLACE = 100;

/** The columns of tanks, in the order of the stream. */
export const TANK_COLUMNS = [
  column("x", PLACE, { predicted: "linear" }),
  column("y", PLACE, { predicted: "linear" }),
  column("direction", ANGLE, { predicted: "linear", modulus: CIRCLE }),
  column("gunDirection", ANGLE, { predicted: "linear", modulus: CIRCLE }),
  column("radarDirection", ANGLE, { predicted: "linear", modulus: CIRCLE }),
  column("radarSweep", ANGLE, { predicted: "follows", follows: 4 }),
  column("turnRate", ANGLE, { predicted: "follows", follows: 2 }),
  column("gunTurnRate", ANGLE, { predicted: "follows", follows: 3, less: 2 }),
  column("radarTurnRate", ANGLE, { predicted: "follows", follows: 4, less: 3 }),
  column("speed", 10),
  column("energy", ENERGY),
  column("gunHeat", ENERGY, { predicted: "linear" }),
  column("enemyCount", 1),
];
const SEAT_NAMES = ["answer", "rtt", "status", "missed", "points", "teamPoints", "place"];
/** The columns of seats: times in steps of 50 µs, -1: not known; an index of STATUSES; what a Standing has. */
export const SEAT_COLUMNS = SEAT_NAMES.map((name) => column(name, 1));

const [X, Y, DIRECTION] = [0, 1, 2];
const [SPEED, ENERGY_COLUMN] = [9, 10];
const [DEATH, WALL, BOT, SCAN, FIRED, BULLET_BOT, BULLET_BULLET, BULLET_WALL] = [1, 2, 3, 4, 5, 6, 7, 8];
const NO_COLORS = [null, null, null, null, null, null, null];

/** Reads the stream of one battle; makes frames only when asked. */
export class StreamReader {
  /** @param {Map<number, Seat>} seats who plays, by bot id */
  constructor(seats) {
    this.seats = seats;
    /** Number of the turn in the game, 1…; 0: none yet. */
    this.number = 0;
    this.roundNumber = 0;
    this.turnNumber = 0;
    this.tanks = new TableReader(TANK_COLUMNS);
    this.seatTable = new TableReader(SEAT_COLUMNS);
    /** @type {Map<number, { bullet: Bullet, since: number }>} in the air, and those that ended in this turn */
    this.bullets = new Map();
    /** @type {Map<number, (string | null)[]>} */
    this.looks = new Map();
    /** @type {Map<number, Texts>} */
    this.texts = new Map();
    /** @type {number[]} */
    this.debugging = [];
    /** @type {Common} */
    this.said = { frame: 0 };
  }

  /**
   * Return another reader that goes on from here.
   * @returns {StreamReader}
   */
  clone() {
    const other = new StreamReader(this.seats);
    other.number = this.number;
    other.roundNumber = this.roundNumber;
    other.turnNumber = this.turnNumber;
    other.tanks = this.tanks.clone();
    other.seatTable = this.seatTable.clone();
    other.bullets = new Map(this.bullets);
    other.looks = new Map(this.looks);
    other.texts = new Map(this.texts);
    other.debugging = this.debugging;
    other.said = this.said;
    return other;
  }

  /**
   * Take a message.
   *
   * Throws for what does not fit together; then only a Keyframe helps.
   * @param {Keyframe | Delta} message
   * @returns {boolean} false: a Delta to another turn than the one held, which changes nothing
   */
  read(message) {
    if (message.type === "Keyframe") {
      this.begin(message);
    } else if (this.number === 0 || message.frame !== this.number + 1) {
      return false;
    } else {
      this.forgetGone();
      this.turnNumber += 1;
      this.tanks.read(message.tanks);
      this.seatTable.read(message.seats);
    }
    this.number = message.frame;
    this.said = message;
    for (const bullet of message.bullets ?? []) {
      this.bullets.set(bullet[0], { bullet, since: this.number - (bullet[7] ?? 0) });
    }
    for (const [id, colors] of message.looks ?? []) {
      this.looks.set(id, colors);
    }
    for (const texts of message.texts ?? []) {
      this.texts.set(texts[0], texts);
    }
    this.debugging = message.debugging ?? this.debugging;
    return true;
  }

  /** @param {Keyframe} message */
  begin(message) {
    this.roundNumber = message.roundNumber;
    this.turnNumber = message.turnNumber;
    this.tanks.begin(message.tanks);
    this.seatTable.begin(message.seats);
    this.bullets = new Map();
    this.looks = new Map();
    this.texts = new Map();
    this.debugging = [];
  }

  /** Forget the bullets that ended in the turn before. */
  forgetGone() {
    for (const id of this.said.gone ?? []) {
      this.bullets.delete(id);
    }
  }

  /**
   * Return the turn that is held.
   * @returns {Frame}
   */
  frame() {
    const gone = new Set(this.said.gone ?? []);
    const bullets = new Map([...this.bullets.keys()].map((id) => [id, this.flown(id, 0)]));
    const botStates = this.tanks.ids.map((id, row) => this.tank(id, row));
    return {
      index: this.number - 1,
      roundNumber: this.roundNumber,
      turnNumber: this.turnNumber,
      botStates,
      bulletStates: [...bullets.values()].filter((bullet) => !gone.has(bullet.bulletId)),
      events: (this.said.events ?? []).flatMap((told) => this.events(told, bullets)),
      timing: this.timing(),
      serverLateUs: this.said.lagUs ?? null,
      fallen: this.fallen(),
      roundResults: null,
      standings: this.standings(),
    };
  }

  /** @returns {import("./model.js").Prints[]} what bots without a tank printed */
  fallen() {
    const gone = [...this.texts.values()].filter(([id, ...said]) => said.some(Boolean) && !this.tanks.ids.includes(id));
    return gone.map(([id, stdOut, stdErr]) => ({ id, stdOut, stdErr }));
  }

  /**
   * Return the standing of each bot, by its id.
   * @returns {Map<number, Standing>}
   */
  standings() {
    const [, , , missed, points, teamPoints, place] = this.seatTable.values;
    return new Map(
      this.seatTable.ids.map((id, row) => {
        const inTeam = (this.seats.get(id)?.teamId ?? null) !== null;
        const ofTeam = inTeam ? teamPoints[row] : null;
        return [id, { points: points[row], teamPoints: ofTeam, place: place[row], missed: missed[row] }];
      }),
    );
  }

  /**
   * Return a value of a tank.
   * @param {number} k of the column
   * @param {number} row
   * @returns {number}
   */
  value(k, row) {
    return this.tanks.values[k][row] / TANK_COLUMNS[k].perUnit;
  }

  /**
   * @param {number} id
   * @param {number} row
   * @returns {BotState}
   */
  tank(id, row) {
    const seat = this.seats.get(id);
    const [body, turret, radar, bullet, scan, tracks, gun] = this.looks.get(id) ?? NO_COLORS;
    const [, stdOut, stdErr, debugGraphics] = this.texts.get(id) ?? [id, null, null, null];
    return {
      id,
      name: seat?.name ?? `bot ${id}`,
      version: seat?.version ?? "",
      isDroid: seat?.isDroid ?? false,
      energy: this.value(ENERGY_COLUMN, row),
      x: this.value(X, row),
      y: this.value(Y, row),
      direction: this.value(DIRECTION, row),
      gunDirection: this.value(3, row),
      radarDirection: this.value(4, row),
      radarSweep: this.value(5, row),
      turnRate: this.value(6, row),
      gunTurnRate: this.value(7, row),
      radarTurnRate: this.value(8, row),
      speed: this.value(SPEED, row),
      gunHeat: this.value(11, row),
      enemyCount: this.value(12, row),
      isDebuggingEnabled: this.debugging.includes(id),
      bodyColor: body,
      turretColor: turret,
      radarColor: radar,
      bulletColor: bullet,
      scanColor: scan,
      tracksColor: tracks,
      gunColor: gun,
      stdOut,
      stdErr,
      debugGraphics,
    };
  }

  /**
   * Return a bullet where it is, or was some turns ago.
   * @param {number} id
   * @param {number} back
   * @returns {BulletState}
   */
  flown(id, back) {
    const known = this.bullets.get(id);
    if (known === undefined) {
      throw new Error(`bullet ${id} was never told`);
    }
    const [, ownerId, powered, turned, x, y, color] = known.bullet;
    const power = powered / POWER;
    const direction = turned / BULLET_ANGLE;
    const way = (this.number - known.since - back) * bullet_speed(power);
    const angle = (direction * Math.PI) / 180;
    return {
      bulletId: id,
      ownerId,
      power,
      x: x / BULLET_PLACE + way * Math.cos(angle),
      y: y / BULLET_PLACE + way * Math.sin(angle),
      direction,
      color: color ?? null,
    };
  }

  /**
   * Return what one entry of `events` tells.
   * @param {Told} told
   * @param {Map<number, BulletState>} bullets
   * @returns {GameEvent[]}
   */
  events([code, ...rest], bullets) {
    if (code === SCAN) {
      const [pairs, energies] = /** @type {number[][]} */ (rest);
      return this.scans(pairs, energies ?? []);
    }
    const [a, b, c, d, e, f] = /** @type {number[]} */ (rest);
    const turnNumber = this.turnNumber;
    const bullet = (/** @type {number} */ id) => bullets.get(id) ?? this.flown(id, 0);
    switch (code) {
      case DEATH:
        return [{ type: "BotDeathEvent", turnNumber, victimId: a }];
      case WALL:
        return [{ type: "BotHitWallEvent", turnNumber, victimId: a }];
      case BOT: {
        const where = { energy: d / ENERGY, x: e / PLACE, y: f / PLACE };
        return [{ type: "BotHitBotEvent", turnNumber, botId: a, victimId: b, ...where, rammed: c === 1 }];
      }
      case FIRED:
        return [{ type: "BulletFiredEvent", turnNumber, bullet: this.flown(a, 1) }];
      case BULLET_BOT: {
        const after = { damage: c / ENERGY, energy: d / ENERGY };
        return [{ type: "BulletHitBotEvent", turnNumber, victimId: a, bullet: bullet(b), ...after }];
      }
      case BULLET_BULLET:
        return [{ type: "BulletHitBulletEvent", turnNumber, bullet: bullet(a), hitBullet: bullet(b) }];
      case BULLET_WALL:
        return [{ type: "BulletHitWallEvent", turnNumber, bullet: bullet(a) }];
      default:
        return []; // of a newer server
    }
  }

  /**
   * @param {number[]} pairs scanner and scanned as one number, each less the one before
   * @param {number[]} energies rows and energies by turns, of tanks that were hit after they were seen
   * @returns {GameEvent[]}
   */
  scans(pairs, energies) {
    const { ids } = this.tanks;
    /** @type {Map<number, number>} */
    const other = new Map();
    for (let k = 0; k + 1 < energies.length; k += 2) {
      other.set(energies[k], energies[k + 1] / ENERGY);
    }
    let pair = 0;
    return pairs.map((step) => {
      pair += step;
      const row = pair % ids.length;
      return {
        type: "ScannedBotEvent",
        turnNumber: this.turnNumber,
        scannedByBotId: ids[Math.floor(pair / ids.length)],
        scannedBotId: ids[row],
        energy: other.get(row) ?? this.value(ENERGY_COLUMN, row),
        x: this.value(X, row),
        y: this.value(Y, row),
        direction: this.value(DIRECTION, row),
        speed: this.value(SPEED, row),
      };
    });
  }

  /** @returns {Map<number, SeatTiming>} */
  timing() {
    const skipped = new Set(this.said.skipped ?? []);
    const late = new Map(this.said.late ?? []);
    const [answers, trips, statuses] = this.seatTable.values;
    return new Map(
      this.seatTable.ids.map((id, row) => [
        id,
        {
          skipped: skipped.has(id),
          lateUs: microseconds(late.get(id) ?? -1),
          answerUs: microseconds(answers[row]),
          rttUs: microseconds(trips[row]),
          status: STATUSES[statuses[row]] ?? null,
        },
      ]),
    );
  }
}

/**
 * @param {number} steps
 * @returns {number | null}
 */
function microseconds(steps) {
  return steps < 0 ? null : steps * TIME_STEP_US;
}
