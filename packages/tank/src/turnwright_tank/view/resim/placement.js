/** Start positions of tanks: turnwright_tank/rules/placement.py in JavaScript. */

import {
  ENERGY_DROID, ENERGY_TANK, GUN_HEAT_START, PLACEMENT_CELL, TANK_DIAMETER, TANK_RADIUS, Tank, clamp,
} from "./rules.js";
import { streamOf } from "./rng.js";

/** @typedef {import("./rng.js").Stream} Stream */
/** @typedef {import("./setup.js").Setup} Setup */
/** @typedef {import("./setup.js").SeatInfo} SeatInfo */

/**
 * Return new tanks for a round, each in a random free cell of the arena unless its seat asks for a place.
 * @param {Setup} setup
 * @param {boolean[]} retired by seat, whether it is out of the battle and dies in turn 1
 * @param {number} round
 * @returns {Tank[]}
 */
export function placeTanks(setup, retired, round) {
  const stream = streamOf(setup.seed, "place", round);
  const cells = new FreeCells(setup.width, setup.height);
  return setup.seats.map((info, seat) => {
    const tank = new Tank();
    tank.alive = 1;
    tank.seat = seat;
    tank.team = setup.teams[seat];
    tank.retired = retired[seat] ? 1 : 0;
    tank.droid = info.isDroid ? 1 : 0;
    tank.energy = info.isDroid ? ENERGY_DROID : ENERGY_TANK;
    tank.gun_heat = GUN_HEAT_START;
    putIntoCell(tank, setup, cells.take(stream.below(cells.count)), stream);
    const direction = stream.uniform() * 360;
    applyWish(tank, setup, info, direction);
    tank.spare_x = TANK_RADIUS + stream.uniform() * (setup.width - TANK_DIAMETER);
    tank.spare_y = TANK_RADIUS + stream.uniform() * (setup.height - TANK_DIAMETER);
    return tank;
  });
}

/**
 * The free start cells in order, without a list of all cells, because an arena may have millions.
 */
class FreeCells {
  /**
   * @param {number} width
   * @param {number} height
   */
  constructor(width, height) {
    this.count = Math.floor(width / PLACEMENT_CELL) * Math.floor(height / PLACEMENT_CELL);
    /** @type {number[]} the cells taken, lowest first */
    this.taken = [];
  }

  /**
   * Take the free cell with this index among the free cells, and return its number.
   * @param {number} before
   * @returns {number}
   */
  take(before) {
    let cell = before;
    let at = 0;
    while (at < this.taken.length && this.taken[at] <= cell) {
      cell += 1;
      at += 1;
    }
    this.taken.splice(at, 0, cell);
    this.count -= 1;
    return cell;
  }
}

/**
 * @param {Tank} tank
 * @param {Setup} setup
 * @param {number} cell
 * @param {Stream} stream
 */
function putIntoCell(tank, setup, cell, stream) {
  const across = Math.floor(setup.width / PLACEMENT_CELL);
  const up = Math.floor(setup.height / PLACEMENT_CELL);
  const width = Math.floor(setup.width / across);
  const height = Math.floor(setup.height / up);
  const row = Math.floor(cell / across);
  const column = cell - row * across;
  tank.x = column * width + TANK_RADIUS + stream.uniform() * (width - TANK_DIAMETER);
  tank.y = row * height + TANK_RADIUS + stream.uniform() * (height - TANK_DIAMETER);
}

/**
 * Move a tank to the requested parts of its start position, and turn it.
 * @param {Tank} tank
 * @param {Setup} setup
 * @param {SeatInfo} info
 * @param {number} direction its direction without a request, degrees
 */
function applyWish(tank, setup, info, direction) {
  const wish = info.wish;
  tank.x = clamp(wish.x ?? tank.x, TANK_RADIUS, setup.width - TANK_RADIUS);
  tank.y = clamp(wish.y ?? tank.y, TANK_RADIUS, setup.height - TANK_RADIUS);
  tank.direction = tank.gun_direction = tank.radar_direction = wish.direction ?? direction;
}
