/**
 * The score while a battle is played, from its events, as Tank Royale counts it: damage, kills, survival.
 *
 * At each round's end the server says what is right; from then on that counts. Until then this is provisional: the
 * server rounds only at the end, and a spectator sees neither disconnections nor a bot's energy to the last bit.
 */

import { sideOfRow, sidesOf } from "./sides.js";

/** @typedef {import("../model.js").Seat} Seat */
/** @typedef {import("../model.js").Frame} Frame */
/** @typedef {import("../model.js").ResultRow} ResultRow */
/** @typedef {import("./sides.js").Side} Side */

export const RAM_DAMAGE = 0.6;
const SURVIVAL = 50;
const LAST_SURVIVOR = 10;
const BULLET_KILL_PART = 0.2;
const RAM_FACTOR = 2;
const RAM_KILL_PART = 0.3;

/**
 * What one bot did to another one in this round. A kill counts once, with all the damage of the round, also when its
 * victim came back to life in the same turn by the energy of a hit of its own.
 * @typedef {{ damage: number, rams: number, bulletKill: boolean, ramKill: boolean }} Duel
 */

/** The score of each bot and each side, turn by turn. */
export class ScoreKeeper {
  /** @param {Seat[]} seats */
  constructor(seats) {
    this.seats = seats;
    this.sides = sidesOf(seats);
    /** @type {Map<number, number>} of bots, in this round */
    this.inRound = new Map();
    /** @type {Map<number, number>} of bots, in the rounds before */
    this.before = new Map();
    /** @type {number[]} of sides, in the rounds before, as the server said where it has */
    this.sidesBefore = this.sides.map(() => 0);
    /** @type {Map<string, Duel>} */
    this.duels = new Map();
    this.settled = false;
  }

  /** Begins a round; a round whose end was not seen counts with what was seen of it. */
  beginRound() {
    if (!this.settled) this.settle(null);
    this.settled = false;
    this.inRound.clear();
    this.duels.clear();
  }

  /**
   * Counts the events of a turn; then the results where the round ends with it.
   * @param {Frame} frame
   */
  turn(frame) {
    const died = [];
    for (const event of frame.events) {
      if (event.type === "BulletHitBotEvent") {
        this.bulletHit(event.bullet.ownerId, event.victimId, event.damage, event.energy);
      } else if (event.type === "BotHitBotEvent" && event.rammed) {
        this.ram(event.botId, event.victimId, event.energy);
      } else if (event.type === "BotDeathEvent") {
        died.push(event.victimId);
      }
    }
    if (died.length > 0) {
      const began = frame.botStates.map((bot) => bot.id);
      this.deaths(new Set(died), began);
    }
    if (frame.roundResults !== null) this.settle(frame.roundResults);
  }

  /**
   * @param {number} owner
   * @param {number} victim
   * @param {number} damage before any cap
   * @param {number} energy the victim's, after it
   */
  bulletHit(owner, victim, damage, energy) {
    const had = energy + damage;
    const duel = this.duel(owner, victim);
    const before = worth(duel);
    duel.damage += Math.min(damage, Math.max(had, 0));
    duel.bulletKill ||= had >= 0 && energy < 0;
    this.add(owner, worth(duel) - before);
  }

  /**
   * @param {number} rammer
   * @param {number} victim
   * @param {number} energy the victim's, after it
   */
  ram(rammer, victim, energy) {
    const duel = this.duel(rammer, victim);
    const before = worth(duel);
    duel.rams += 1;
    duel.ramKill ||= energy + RAM_DAMAGE >= 0 && energy < 0;
    this.add(rammer, worth(duel) - before);
  }

  /**
   * @param {Set<number>} died in this turn
   * @param {number[]} began the bots that lived when the turn began
   */
  deaths(died, began) {
    const left = began.filter((id) => !died.has(id));
    for (const id of left) this.add(id, SURVIVAL);
    const all = this.seats.length;
    if (left.length === 1) this.add(left[0], LAST_SURVIVOR * (all - 1));
    if (left.length === 0) began.forEach((id) => this.add(id, LAST_SURVIVOR * all));
  }

  /**
   * Takes what the server has counted, after turns that were not seen.
   * @param {import("../model.js").SoFar[]} soFar of all bots, in the order of the seats
   * @param {import("../model.js").DuelSoFar[]} duels of this round: kills that come are worth a part of their damage
   */
  know(soFar, duels) {
    this.seats.forEach(({ id }, k) => {
      this.before.set(id, soFar[k]?.before ?? 0);
      this.inRound.set(id, soFar[k]?.now ?? 0);
    });
    this.sides.forEach((side, k) => {
      this.sidesBefore[k] = side.ids.reduce((sum, id) => sum + (this.before.get(id) ?? 0), 0);
    });
    this.duels.clear();
    for (const { attacker, victim, ...done } of duels) Object.assign(this.duel(attacker, victim), done);
  }

  /**
   * Ends a round.
   * @param {ResultRow[] | null} rows the results so far, as the server gives them; null: not known
   */
  settle(rows) {
    this.sides.forEach((side, k) => {
      this.sidesBefore[k] += side.ids.reduce((sum, id) => sum + (this.inRound.get(id) ?? 0), 0);
    });
    for (const [id, score] of this.inRound) this.before.set(id, (this.before.get(id) ?? 0) + score);
    for (const row of rows ?? []) {
      const k = sideOfRow(this.sides, row);
      if (k < 0) continue;
      this.sidesBefore[k] = row.totalScore;
      if (this.sides[k].teamId === null) this.before.set(this.sides[k].ids[0], row.totalScore);
    }
    this.inRound.clear();
    this.settled = true;
  }

  /**
   * @param {number} id a bot
   * @returns {number} its score so far
   */
  of(id) {
    return (this.before.get(id) ?? 0) + (this.inRound.get(id) ?? 0);
  }

  /**
   * @param {number} k a side
   * @returns {number} its score so far
   */
  ofSide(k) {
    return this.sides[k].ids.reduce((sum, id) => sum + (this.inRound.get(id) ?? 0), this.sidesBefore[k]);
  }

  /**
   * @param {number} id
   * @param {number} points
   */
  add(id, points) {
    this.inRound.set(id, (this.inRound.get(id) ?? 0) + points);
  }

  /**
   * @param {number} attacker
   * @param {number} victim
   * @returns {Duel}
   */
  duel(attacker, victim) {
    const key = `${attacker} ${victim}`;
    let duel = this.duels.get(key);
    if (!duel) {
      duel = { damage: 0, rams: 0, bulletKill: false, ramKill: false };
      this.duels.set(key, duel);
    }
    return duel;
  }
}

/**
 * @param {Duel} duel
 * @returns {number} its points
 */
function worth(duel) {
  const all = duel.damage + RAM_DAMAGE * duel.rams;
  const kills = (duel.bulletKill ? BULLET_KILL_PART : 0) + (duel.ramKill ? RAM_KILL_PART : 0);
  return duel.damage + RAM_FACTOR * RAM_DAMAGE * duel.rams + kills * all;
}

/**
 * Places with ties: 1, 2, 2, 4.
 * @param {number[]} scores best first
 * @returns {number[]}
 */
export function placesOf(scores) {
  /** @type {number[]} */
  const places = [];
  scores.forEach((score, k) => places.push(k > 0 && score === scores[k - 1] ? places[k - 1] : k + 1));
  return places;
}
