/**
 * Scores, ranks and results: turnwright_tank/results.py in JavaScript.
 *
 * The rounding is that of turnwright_tank/wire/royale/results.py.
 *
 * Sums have the same order, so that equal scores are exactly equal.
 */

import {
  BULLET_KILL_BONUS, LAST_SURVIVOR_BONUS, RAM_DAMAGE, RAM_DAMAGE_SCORE, RAM_KILL_BONUS, SURVIVAL_SCORE,
} from "./rules.js";

/** @typedef {import("../model.js").ResultRow} ResultRow */
/** @typedef {import("./rules.js").Duel} Duel */
/** @typedef {import("./rules.js").Tank} Tank */
/** @typedef {import("./setup.js").SeatInfo} SeatInfo */
/** @typedef {{ points: number, teamPoints: number | null, place: number }} Reached points rounded as in results */

/** The number of values of each seat's scores that are hashed. */
const FIELDS = 9;

/** Unrounded points and places of a seat or a team. */
class ScoreRow {
  /**
   * @param {number} id bot id (seat + 1) or team id
   * @param {string} name
   * @param {string} version
   * @param {boolean} isTeam
   */
  constructor(id, name, version, isTeam) {
    this.id = id;
    this.name = name;
    this.version = version;
    this.isTeam = isTeam;
    this.survival = 0;
    this.lastSurvivorBonus = 0;
    this.bulletDamage = 0;
    this.bulletKillBonus = 0;
    this.ramDamage = 0;
    this.ramKillBonus = 0;
    this.firstPlaces = 0;
    this.secondPlaces = 0;
    this.thirdPlaces = 0;
  }

  /** The sum of all six terms. */
  get total() {
    return this.bulletDamage + this.bulletKillBonus + this.ramDamage + this.ramKillBonus + this.survival + this.lastSurvivorBonus;
  }

  /**
   * Add the points and places of another row.
   * @param {ScoreRow} other
   */
  add(other) {
    this.survival += other.survival;
    this.lastSurvivorBonus += other.lastSurvivorBonus;
    this.bulletDamage += other.bulletDamage;
    this.bulletKillBonus += other.bulletKillBonus;
    this.ramDamage += other.ramDamage;
    this.ramKillBonus += other.ramKillBonus;
    this.firstPlaces += other.firstPlaces;
    this.secondPlaces += other.secondPlaces;
    this.thirdPlaces += other.thirdPlaces;
  }
}

/** The accumulated scores of a battle. */
export class Scores {
  /** @param {SeatInfo[]} seats */
  constructor(seats) {
    this.seats = seats;
    this.rows = seats.map((info, seat) => new ScoreRow(seat + 1, info.name, info.version, false));
    /** The number of 8-byte words that `write` fills. */
    this.places = FIELDS * seats.length;
  }

  /**
   * Add the scores of a round that is over.
   * @param {Tank[]} tanks
   * @param {Duel[]} duels of this round
   */
  addRound(tanks, duels) {
    /** @type {Duel[][]} */
    const attacks = tanks.map(() => []);
    for (const duel of duels) {
      attacks[duel.attacker].push(duel);
    }
    const round = tanks.map((tank) => scoreOf(tank, attacks[tank.seat])).sort((one, two) => two.total - one.total);
    const ranks = ranksOf(round);
    round.forEach((row, place) => {
      row.firstPlaces = ranks[place] === 1 ? 1 : 0;
      row.secondPlaces = ranks[place] === 2 ? 1 : 0;
      row.thirdPlaces = ranks[place] === 3 ? 1 : 0;
      this.rows[row.id - 1].add(row);
    });
  }

  /**
   * Return new scores with those of one more round.
   * @param {Tank[]} tanks
   * @param {Duel[]} duels of that round
   * @returns {Scores}
   */
  withRound(tanks, duels) {
    const after = new Scores(this.seats);
    after.rows.forEach((row, seat) => row.add(this.rows[seat]));
    after.addRound(tanks, duels);
    return after;
  }

  /**
   * Return the points of each seat and its team, and their place in the results.
   * @returns {Reached[]} by seat
   */
  reached() {
    const sides = new Map(this.results().map((row) => [`${row.isTeam} ${row.id}`, row]));
    return this.rows.map((row, seat) => {
      const { team } = this.seats[seat];
      const side = sides.get(team === null ? `false ${row.id}` : `true ${team}`);
      const teamPoints = team === null ? null : (side?.totalScore ?? null);
      return { points: halfUp(row.total), teamPoints, place: side?.rank ?? 0 };
    });
  }

  /**
   * Return the results so far for spectators: a row for each solo seat and each team, best first.
   * @returns {ResultRow[]}
   */
  results() {
    /** @type {Map<string, ScoreRow>} */
    const groups = new Map();
    this.rows.forEach((row, seat) => {
      const { team, teamName, teamVersion } = this.seats[seat];
      const key = team === null ? `seat ${seat}` : `team ${team}`;
      let group = groups.get(key);
      if (group === undefined) {
        const isTeam = team !== null;
        group = isTeam ? new ScoreRow(team, teamName, teamVersion, true) : new ScoreRow(row.id, row.name, row.version, false);
        groups.set(key, group);
      }
      group.add(row);
    });
    const sorted = [...groups.values()].sort((one, two) => two.total - one.total || one.id - two.id);
    const ranks = ranksOf(sorted);
    return sorted.map((row, place) => shown(row, ranks[place]));
  }

  /**
   * Restore the scores of a saved battle.
   * @param {number[][]} saved by seat, as `write` orders them
   */
  restore(saved) {
    this.rows.forEach((row, seat) => {
      [row.survival, row.lastSurvivorBonus, row.bulletDamage, row.bulletKillBonus, row.ramDamage, row.ramKillBonus,
        row.firstPlaces, row.secondPlaces, row.thirdPlaces] = saved[seat];
    });
  }

  /**
   * Write the scores as they are in the hashed state.
   * @param {Float64Array} floats
   * @param {number} at
   * @returns {number} the place behind them
   */
  write(floats, at) {
    for (const row of this.rows) {
      floats[at] = row.survival;
      floats[at + 1] = row.lastSurvivorBonus;
      floats[at + 2] = row.bulletDamage;
      floats[at + 3] = row.bulletKillBonus;
      floats[at + 4] = row.ramDamage;
      floats[at + 5] = row.ramKillBonus;
      floats[at + 6] = row.firstPlaces;
      floats[at + 7] = row.secondPlaces;
      floats[at + 8] = row.thirdPlaces;
      at += FIELDS;
    }
    return at;
  }
}

/**
 * @param {Tank} tank
 * @param {Duel[]} mine those in which it attacked
 * @returns {ScoreRow}
 */
function scoreOf(tank, mine) {
  const row = new ScoreRow(tank.seat + 1, "", "", false);
  let ramHits = 0;
  for (const duel of mine) {
    row.bulletDamage += duel.bullet_damage;
    ramHits += duel.ram_hits;
  }
  const shot = mine.filter((duel) => duel.bullet_kill !== 0).sort((one, two) => one.bullet_kill - two.bullet_kill);
  const rammed = mine.filter((duel) => duel.ram_kill !== 0).sort((one, two) => one.ram_kill - two.ram_kill);
  row.survival = SURVIVAL_SCORE * tank.deaths_survived;
  row.lastSurvivorBonus = LAST_SURVIVOR_BONUS * tank.deaths_before;
  row.bulletKillBonus = BULLET_KILL_BONUS * damageOf(shot);
  row.ramDamage = RAM_DAMAGE_SCORE * (ramHits * RAM_DAMAGE);
  row.ramKillBonus = RAM_KILL_BONUS * damageOf(rammed);
  return row;
}

/**
 * Return the total damage to these victims.
 * @param {Duel[]} duels
 * @returns {number}
 */
function damageOf(duels) {
  let damage = 0;
  for (const duel of duels) {
    damage += duel.bullet_damage + duel.ram_hits * RAM_DAMAGE;
  }
  return damage;
}

/**
 * Return the ranks of sorted rows. Equal totals share a rank, and a best total of 0 has rank 0.
 * @param {ScoreRow[]} rows
 * @returns {number[]}
 */
function ranksOf(rows) {
  let last = 0;
  let rank = 0;
  return rows.map((row, place) => {
    if (row.total !== last) {
      last = row.total;
      rank = place + 1;
    }
    return rank;
  });
}

/**
 * Return the nearest whole number. Halves are rounded up.
 * @param {number} points
 * @returns {number}
 */
function halfUp(points) {
  const whole = Math.floor(points);
  return points - whole >= 0.5 ? whole + 1 : whole;
}

/**
 * @param {ScoreRow} row
 * @param {number} rank
 * @returns {ResultRow}
 */
function shown(row, rank) {
  return {
    id: row.id,
    name: row.name,
    version: row.version,
    isTeam: row.isTeam,
    rank,
    totalScore: halfUp(row.total),
    survival: halfUp(row.survival),
    lastSurvivorBonus: halfUp(row.lastSurvivorBonus),
    bulletDamage: halfUp(row.bulletDamage),
    bulletKillBonus: Math.trunc(row.bulletKillBonus),
    ramDamage: halfUp(row.ramDamage),
    ramKillBonus: halfUp(row.ramKillBonus),
    firstPlaces: row.firstPlaces,
    secondPlaces: row.secondPlaces,
    thirdPlaces: row.thirdPlaces,
  };
}
