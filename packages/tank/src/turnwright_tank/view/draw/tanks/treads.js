/** The movement of each track since the tank was last drawn. */
import { shortest } from "../motion.js";
import { TREAD } from "./tank_art.js";

/** @typedef {import("../motion.js").Pose} Pose */

/** The distance from the centre of a tank to the middle of a track, units. */
const ARM = 13;
/** A tank that has moved further was placed, and did not drive. */
const LEAP = 60;

export class Treads {
  constructor() {
    /** @type {Map<number, { x: number, y: number, body: number, left: number, right: number }>} */
    this.tracks = new Map();
  }

  /**
   * Return the phase of each track on its way to the next tread, 0…1.
   * @param {Pose} pose
   */
  roll(pose) {
    const { x, y, body } = pose;
    const before = this.tracks.get(pose.bot.id) ?? { x, y, body, left: 0, right: 0 };
    const angle = (body * Math.PI) / 180;
    const along = (x - before.x) * Math.cos(angle) + (y - before.y) * Math.sin(angle);
    const turned = (shortest(body - before.body) * Math.PI) / 180;
    const went = Math.abs(along) < LEAP ? along : 0;
    const now = {
      x,
      y,
      body,
      left: part(before.left + (went - turned * ARM) / TREAD),
      right: part(before.right + (went + turned * ARM) / TREAD),
    };
    this.tracks.set(pose.bot.id, now);
    return now;
  }
}

/** @param {number} value */
function part(value) {
  return value - Math.floor(value);
}
