/**
 * The standings of a record's bots after each turn, as the rules count them.
 *
 * Only changes are stored.
 */

import { BULLET_TANK, DEATH, HIT_TANK } from "./rules.js";

/** @typedef {import("../model.js").Standing} Standing */
/** @typedef {import("./setup.js").SeatInfo} SeatInfo */
/** @typedef {import("./simulate.js").Simulation} Simulation */

/** The number of values for each seat: points, points of its team, place, missed turns. */
const FIELDS = 4;

export class StandingTable {
  /** @param {SeatInfo[]} seats */
  constructor(seats) {
    this.seats = seats;
    this.length = 0;
    /** @type {{ first: number, numbers: Int32Array }[]} from which frame on which numbers hold */
    this.changes = [];
    this.numbers = new Int32Array(FIELDS * seats.length);
    /** @type {{ change: number, standings: Map<number, Standing> }} the ones made last */
    this.made = { change: -1, standings: new Map() };
  }

  /**
   * Store the standings after the last turn of a simulation.
   * @param {Simulation} simulation
   */
  put(simulation) {
    const now = this.numbers.slice();
    if (this.length === 0 || scored(simulation)) {
      simulation.scoresSoFar().reached().forEach(({ points, teamPoints, place }, seat) => {
        now.set([points, teamPoints ?? 0, place], FIELDS * seat);
      });
    }
    simulation.missed.forEach((turns, seat) => {
      now[FIELDS * seat + 3] = turns;
    });
    if (this.length === 0 || now.some((number, k) => number !== this.numbers[k])) {
      this.changes.push({ first: this.length, numbers: now });
      this.numbers = now;
    }
    this.length += 1;
  }

  /**
   * Return the standings in an existing frame, by bot id.
   * @param {number} index
   * @returns {Map<number, Standing>}
   */
  at(index) {
    const change = this.changeAt(index);
    if (this.made.change !== change) {
      const { numbers } = this.changes[change];
      const standings = new Map(this.seats.map(({ team }, seat) => [seat + 1, standingIn(numbers, seat, team !== null)]));
      this.made = { change, standings };
    }
    return this.made.standings;
  }

  /**
   * Return the last change up to a frame.
   * @param {number} index
   * @returns {number}
   */
  changeAt(index) {
    let low = 0;
    let high = this.changes.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.changes[middle].first <= index) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}

/**
 * @param {Int32Array} numbers
 * @param {number} seat
 * @param {boolean} inTeam
 * @returns {Standing}
 */
function standingIn(numbers, seat, inTeam) {
  const [points, teamPoints, place, missed] = numbers.subarray(FIELDS * seat, FIELDS * (seat + 1));
  return { points, teamPoints: inTeam ? teamPoints : null, place, missed };
}

/**
 * Return whether any points may have changed in the last turn.
 * @param {Simulation} simulation
 * @returns {boolean}
 */
function scored({ roundOver, tables }) {
  const { arena, events } = tables.world;
  for (let k = 0; k < arena.events; k++) {
    const { kind } = events[k];
    if (kind === BULLET_TANK || kind === HIT_TANK || kind === DEATH) {
      return true;
    }
  }
  return roundOver;
}
