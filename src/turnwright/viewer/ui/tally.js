/** What became of each bot in a round: where its energy went and came from, who hit it, what it missed. */

import { RAM_DAMAGE } from "./scores.js";

/** @typedef {import("../model.js").Frame} Frame */
/** @typedef {import("../model.js").BotState} BotState */

const BLOWS_KEPT = 6;
const COURSE_MAX = 96;
const HIT_BONUS = 3;
const STILL = 0.1;
const NOISE = 1e-3;
const SKIPS_KEPT = 64;

/**
 * @typedef {object} Blow one thing that cost energy
 * @property {number} index of the frame
 * @property {number} turn
 * @property {"bullet" | "ram" | "wall" | "idle"} kind
 * @property {number | null} by a bot
 * @property {number} damage
 * @property {number} energy after it
 */

/**
 * @typedef {object} Course energy over a round, one point every `stride` turns
 * @property {number} stride
 * @property {number[]} points
 */

/** A bot in a round. Energies are in points; "spent" is what its own shots cost, "won" what its hits brought back. */
export class BotTally {
  /** @param {number} id */
  constructor(id) {
    this.id = id;
    this.started = NaN;
    this.energy = NaN;
    this.turns = 0;
    this.stillTurns = 0;
    this.disabledTurns = 0;
    this.fired = 0;
    this.spent = 0;
    this.won = 0;
    this.hits = 0;
    this.dealt = 0;
    this.hitsTaken = 0;
    this.taken = 0;
    /** @type {Map<number, { hits: number, damage: number }>} bullets that hit it, by owner */
    this.from = new Map();
    this.rams = 0;
    this.ramsTaken = 0;
    this.ramLoss = 0;
    this.walls = 0;
    this.wallLoss = 0;
    this.idleLoss = 0;
    this.otherLoss = 0;
    this.skips = 0;
    this.late = 0;
    /** How many turns in a row it missed last. */
    this.skipRun = 0;
    /** @type {number[]} turns of its last skips */
    this.skippedTurns = [];
    /** @type {Blow[]} the last ones */
    this.blows = [];
    /** @type {Course} */
    this.course = { stride: 1, points: [] };
    /** @type {Map<number, number>} the turn in which its radar last met another one */
    this.saw = new Map();
    /** @type {number | null} */
    this.diedTurn = null;
    /** @type {number | null} */
    this.diedIndex = null;
  }

  /** @param {Blow} blow */
  blow(blow) {
    this.blows.push(blow);
    if (this.blows.length > BLOWS_KEPT) this.blows.shift();
  }

  /**
   * A wall: no event says what it took, so it is found last in a turn, though it comes before all other blows.
   * @param {Blow} blow
   */
  wall(blow) {
    const next = this.blows.find((other) => other.turn === blow.turn);
    const at = next ? this.blows.indexOf(next) : this.blows.length;
    const energy = next ? next.energy + next.damage : blow.energy;
    this.blows.splice(at, 0, { ...blow, energy });
    if (this.blows.length > BLOWS_KEPT) this.blows.shift();
  }

  /** @param {number} energy */
  point(energy) {
    if ((this.turns - 1) % this.course.stride !== 0) return;
    this.course.points.push(energy);
    if (this.course.points.length < COURSE_MAX) return;
    this.course.points = this.course.points.filter((_, k) => k % 2 === 0);
    this.course.stride *= 2;
  }
}

/** A round: all bots in it. */
export class RoundTally {
  /**
   * @param {number} round
   * @param {number} first index of its first frame seen
   * @param {number[]} ids all bots that play, where who is not seen has died before
   */
  constructor(round, first, ids = []) {
    this.round = round;
    this.first = first;
    this.ids = ids;
    /** The first turn that was seen; more than 1: who watches came late. */
    this.from = 1;
    /** @type {number[]} who had died before it */
    this.gone = [];
    this.last = first;
    this.turns = 0;
    this.over = false;
    /** @type {Map<number, BotTally>} */
    this.bots = new Map();
    /** @type {number[][]} who died, turn by turn, the first first */
    this.deaths = [];
    /** @type {number | null} turn of the last hit of a bullet on a bot */
    this.lastHitTurn = null;
  }

  /**
   * @param {number} id
   * @returns {BotTally}
   */
  bot(id) {
    let bot = this.bots.get(id);
    if (!bot) {
      bot = new BotTally(id);
      this.bots.set(id, bot);
    }
    return bot;
  }

  /**
   * Counts a turn.
   * @param {Frame} frame
   */
  add(frame) {
    if (this.turns === 0 && frame.turnNumber > 1) this.comeLate(frame);
    this.last = frame.index;
    this.turns = frame.turnNumber;
    const known = this.events(frame);
    for (const state of frame.botStates) this.state(frame, state, known.get(state.id) ?? 0);
    this.timing(frame);
    if (frame.roundResults !== null) this.over = true;
  }

  /** @param {Frame} frame the first one that was seen */
  comeLate(frame) {
    const there = new Set(frame.botStates.map((bot) => bot.id));
    this.from = frame.turnNumber;
    this.gone = this.ids.filter((id) => !there.has(id));
  }

  /** How many bots began the round, as far as is known. */
  get size() {
    return new Set([...this.bots.keys(), ...this.gone]).size;
  }

  /**
   * @param {Frame} frame
   * @returns {Map<number, number>} by how much each energy changed for a reason that is known
   */
  events(frame) {
    /** @type {Map<number, number>} */
    const known = new Map();
    const change = (/** @type {number} */ id, /** @type {number} */ by) => known.set(id, (known.get(id) ?? 0) + by);
    const lives = new Set(frame.botStates.map((bot) => bot.id));
    const died = [];
    for (const event of frame.events) {
      if (event.type === "BulletFiredEvent") {
        const bot = this.bot(event.bullet.ownerId);
        bot.fired += 1;
        bot.spent += event.bullet.power;
        change(bot.id, -event.bullet.power);
      } else if (event.type === "BulletHitBotEvent") {
        this.bulletHit(frame, event, change, lives);
      } else if (event.type === "BotHitBotEvent") {
        this.ram(frame, event, change);
      } else if (event.type === "BotHitWallEvent") {
        this.bot(event.victimId).walls += 1;
      } else if (event.type === "ScannedBotEvent") {
        this.bot(event.scannedByBotId).saw.set(event.scannedBotId, frame.turnNumber);
      } else if (event.type === "BotDeathEvent") {
        died.push(event.victimId);
        this.bot(event.victimId).diedTurn = frame.turnNumber;
        this.bot(event.victimId).diedIndex = frame.index;
      }
    }
    if (died.length > 0) this.deaths.push(died);
    return known;
  }

  /**
   * @param {Frame} frame
   * @param {import("../model.js").BulletHitBotEvent} event
   * @param {(id: number, by: number) => void} change
   * @param {Set<number>} lives who gets energy for a hit
   */
  bulletHit(frame, event, change, lives) {
    const victim = this.bot(event.victimId);
    const shooter = this.bot(event.bullet.ownerId);
    this.lastHitTurn = frame.turnNumber;
    shooter.hits += 1;
    shooter.dealt += event.damage;
    victim.hitsTaken += 1;
    victim.taken += event.damage;
    change(victim.id, -event.damage);
    if (lives.has(shooter.id)) {
      shooter.won += HIT_BONUS * event.bullet.power;
      change(shooter.id, HIT_BONUS * event.bullet.power);
    }
    const from = victim.from.get(shooter.id) ?? { hits: 0, damage: 0 };
    victim.from.set(shooter.id, { hits: from.hits + 1, damage: from.damage + event.damage });
    victim.blow({
      index: frame.index,
      turn: frame.turnNumber,
      kind: "bullet",
      by: shooter.id,
      damage: event.damage,
      energy: event.energy,
    });
  }

  /**
   * @param {Frame} frame
   * @param {import("../model.js").BotHitBotEvent} event the one that `botId` was told
   * @param {(id: number, by: number) => void} change
   */
  ram(frame, event, change) {
    const victim = this.bot(event.victimId);
    if (event.rammed) this.bot(event.botId).rams += 1;
    victim.ramsTaken += 1;
    victim.ramLoss += RAM_DAMAGE;
    change(victim.id, -RAM_DAMAGE);
    const last = victim.blows[victim.blows.length - 1];
    if (last && last.kind === "ram" && last.by === event.botId && last.turn >= frame.turnNumber - 2) {
      last.damage += RAM_DAMAGE;
      last.energy = event.energy;
      last.turn = frame.turnNumber;
      last.index = frame.index;
    } else {
      victim.blow({
        index: frame.index,
        turn: frame.turnNumber,
        kind: "ram",
        by: event.botId,
        damage: RAM_DAMAGE,
        energy: event.energy,
      });
    }
  }

  /**
   * @param {Frame} frame
   * @param {BotState} state
   * @param {number} known change of its energy for reasons that are known
   */
  state(frame, state, known) {
    const bot = this.bot(state.id);
    bot.turns += 1;
    if (Number.isNaN(bot.started)) bot.started = state.energy - known;
    else this.unexplained(frame, bot, bot.energy + known - state.energy, state.energy);
    bot.energy = state.energy;
    if (Math.abs(state.speed) < STILL) bot.stillTurns += 1;
    if (state.energy >= 0 && state.energy < 1e-6) bot.disabledTurns += 1;
    bot.point(Math.max(state.energy, 0));
  }

  /**
   * Energy that went without an event that says how much: walls, and the punishment of a field that does not fight.
   * @param {Frame} frame
   * @param {BotTally} bot
   * @param {number} loss
   * @param {number} energy
   */
  unexplained(frame, bot, loss, energy) {
    if (loss < NOISE) return;
    const wall = frame.events.some((event) => event.type === "BotHitWallEvent" && event.victimId === bot.id);
    const { index, turnNumber: turn } = frame;
    if (wall) {
      bot.wallLoss += loss;
      bot.wall({ index, turn, kind: "wall", by: null, damage: loss, energy });
    } else if (Math.abs(loss - 0.1) < NOISE) {
      bot.idleLoss += loss;
      const last = bot.blows[bot.blows.length - 1];
      if (last && last.kind === "idle") {
        Object.assign(last, { index, turn, damage: last.damage + loss, energy });
      } else {
        bot.blow({ index, turn, kind: "idle", by: null, damage: loss, energy });
      }
    } else {
      bot.otherLoss += loss;
    }
  }

  /** @param {Frame} frame */
  timing(frame) {
    if (frame.timing === null) return;
    for (const [id, seat] of frame.timing) {
      if (!seat.skipped) continue;
      const bot = this.bot(id);
      bot.skips += 1;
      if (seat.lateUs !== null) bot.late += 1;
      const before = bot.skippedTurns[bot.skippedTurns.length - 1];
      bot.skipRun = before === frame.turnNumber - 1 ? bot.skipRun + 1 : 1;
      bot.skippedTurns.push(frame.turnNumber);
      if (bot.skippedTurns.length > SKIPS_KEPT) bot.skippedTurns.shift();
    }
  }
}
