/**
 * Positions of tanks and bullets at a fraction of a turn between two frames. Pure.
 *
 * Tanks that are missing in the next frame stay. A jump (a new round, a misplaced tank) is not drawn as a movement. A
 * bullet that hits something in the next frame flies to the place of the hit.
 */

import { bullet_speed } from "../resim/rules.js";

/** @typedef {import("../model.js").Frame} Frame */
/** @typedef {import("../model.js").BotState} BotState */
/** @typedef {import("../model.js").BulletState} BulletState */

/** @typedef {{ x: number, y: number, angle: number, bullet: BulletState }} Flight angle: degrees */

/**
 * @typedef {object} Pose
 * @property {BotState} bot as it is in the frame
 * @property {number} x
 * @property {number} y
 * @property {number} body degrees
 * @property {number} gun degrees
 * @property {number} radar degrees
 * @property {number} sweep degrees; the radar has just swept from radar - sweep to radar
 * @property {boolean} dead whether it dies in this frame
 */

/** A tank drives at most 8 units per turn. A longer way is a jump. */
const LEAP = 12;
/** The largest gap between two frames with motion, turns. A slow connection loses frames. */
const GAP_MAX = 6;

/** @type {WeakMap<Frame, Map<number, BotState>>} */
const known = new WeakMap();

/**
 * Return a frame's tanks by id.
 * @param {Frame} frame
 */
export function botsOf(frame) {
  let bots = known.get(frame);
  if (!bots) {
    bots = new Map(frame.botStates.map((bot) => [bot.id, bot]));
    known.set(frame, bots);
  }
  return bots;
}

/**
 * @param {number} from
 * @param {number} to
 * @param {number} fraction
 */
export function between(from, to, fraction) {
  return from + (to - from) * fraction;
}

/**
 * Return the difference between two angles, by the shorter way.
 * @param {number} from degrees
 * @param {number} to degrees
 * @param {number} fraction
 */
export function turnBetween(from, to, fraction) {
  return from + shortest(to - from) * fraction;
}

/**
 * Return an angle as -180…180.
 * @param {number} angle degrees
 */
export function shortest(angle) {
  const turned = ((angle % 360) + 360) % 360;
  return turned > 180 ? turned - 360 : turned;
}

/**
 * Return the number of turns between two frames, or 0 if unknown.
 * @param {Frame} frame
 * @param {Frame | null} next
 */
function gapOf(frame, next) {
  const gap = next?.roundNumber === frame.roundNumber ? next.turnNumber - frame.turnNumber : 0;
  return gap > 0 && gap <= GAP_MAX ? gap : 0;
}

/**
 * Return the positions of a frame's tanks.
 * @param {Frame} frame
 * @param {Frame | null} next
 * @param {number} fraction 0…1
 * @returns {Pose[]}
 */
export function posesAt(frame, next, fraction) {
  const died = new Set(frame.events.map((event) => (event.type === "BotDeathEvent" ? event.victimId : null)));
  const gap = gapOf(frame, next);
  const later = next && gap > 0 ? botsOf(next) : null;
  return frame.botStates.map((bot) => {
    const then = died.has(bot.id) ? null : (later?.get(bot.id) ?? null);
    const leaps = then && Math.max(Math.abs(then.x - bot.x), Math.abs(then.y - bot.y)) > LEAP * gap;
    return poseOf(bot, leaps ? null : then, fraction, died.has(bot.id));
  });
}

/**
 * @param {BotState} bot
 * @param {BotState | null} then
 * @param {number} fraction
 * @param {boolean} dead
 * @returns {Pose}
 */
function poseOf(bot, then, fraction, dead) {
  if (!then) {
    const { x, y, direction, gunDirection, radarDirection, radarSweep } = bot;
    return { bot, x, y, body: direction, gun: gunDirection, radar: radarDirection, sweep: radarSweep, dead };
  }
  const turned = shortest(then.radarDirection - bot.radarDirection);
  const honest = Math.abs(shortest(turned - then.radarSweep)) < 1;
  const sweep = honest ? then.radarSweep : turned;
  return {
    bot,
    x: between(bot.x, then.x, fraction),
    y: between(bot.y, then.y, fraction),
    body: turnBetween(bot.direction, then.direction, fraction),
    gun: turnBetween(bot.gunDirection, then.gunDirection, fraction),
    radar: bot.radarDirection + sweep * fraction,
    sweep: between(bot.radarSweep, then.radarSweep, fraction),
    dead,
  };
}

/**
 * Return the positions of a frame's bullets.
 * @param {Frame} frame
 * @param {Frame | null} next
 * @param {number} fraction 0…1
 * @returns {Flight[]}
 */
export function flightsAt(frame, next, fraction) {
  if (!next || gapOf(frame, next) !== 1 || fraction === 0) {
    return frame.bulletStates.map((bullet) => flight(bullet, bullet.x, bullet.y));
  }
  /** @type {Map<number, { x: number, y: number }>} */
  const then = new Map(next.bulletStates.map((bullet) => [bullet.bulletId, bullet]));
  for (const event of next.events) {
    if (event.type === "BulletHitBulletEvent") {
      then.set(event.hitBullet.bulletId, event.hitBullet);
    }
    if (event.type !== "BulletFiredEvent" && "bullet" in event) {
      then.set(event.bullet.bulletId, event.bullet);
    }
  }
  return frame.bulletStates.map((bullet) => {
    const later = then.get(bullet.bulletId) ?? ahead(bullet);
    return flight(bullet, between(bullet.x, later.x, fraction), between(bullet.y, later.y, fraction));
  });
}

/**
 * @param {BulletState} bullet
 * @param {number} x
 * @param {number} y
 * @returns {Flight}
 */
function flight(bullet, x, y) {
  return { bullet, x, y, angle: bullet.direction };
}

/** @param {BulletState} bullet */
function ahead(bullet) {
  const speed = bullet_speed(bullet.power);
  const angle = (bullet.direction * Math.PI) / 180;
  return { x: bullet.x + Math.cos(angle) * speed, y: bullet.y + Math.sin(angle) * speed };
}
