/**
 * Flashes, explosions and numbers at a position in the battle.
 *
 * They are a pure function of the last frames, not of the clock.
 *
 * So seeking and stepping back show the same effects as playing. Each event of a frame gives effects, which last for
 * some turns.
 */
import { botsOf } from "./motion.js";
import { TANK_RADIUS } from "../resim/rules.js";

/** @typedef {import("../model.js").Frame} Frame */
/** @typedef {import("../model.js").GameEvent} GameEvent */
/** @typedef {"death" | "hit" | "clash" | "puff" | "ram" | "scrape" | "flash" | "loss"} EffectKind */

/**
 * @typedef {object} Effect
 * @property {EffectKind} kind
 * @property {number} x arena
 * @property {number} y arena
 * @property {number} angle its direction, degrees
 * @property {number} size 1 is the usual size
 * @property {number} life turns
 * @property {number} age turns, below life
 * @property {number} seed for its shape
 * @property {number} amount of energy; 0 shows no number
 */

/** @type {Record<EffectKind, number>} */
const LIFE = { death: 34, hit: 14, clash: 12, puff: 9, ram: 11, scrape: 11, flash: 4, loss: 24 };
const LIFE_MAX = Math.max(...Object.values(LIFE));
const MUZZLE = 27;
/** The smallest wall and ram damage that is shown. */
const LOSS_MIN = 0.05;

/** @type {WeakMap<Frame, Effect[]>} */
const known = new WeakMap();

/**
 * Return the effects alive at a position.
 * @param {(index: number) => Frame | null} at
 * @param {number} index of the frame shown
 * @param {number} beyond turns since that frame
 * @param {{ width: number, height: number }} arena
 * @returns {Effect[]} oldest first
 */
export function effectsAt(at, index, beyond, arena) {
  const shown = at(index);
  /** @type {Effect[]} */
  const alive = [];
  if (!shown) {
    return alive;
  }
  for (let back = Math.min(index, LIFE_MAX); back >= 0; back--) {
    const frame = at(index - back);
    const age = frame ? shown.turnNumber - frame.turnNumber + beyond : 0;
    if (!frame || frame.roundNumber !== shown.roundNumber || age < 0) {
      continue;
    }
    for (const effect of effectsOf(frame, arena)) {
      if (age < effect.life) {
        alive.push({ ...effect, age });
      }
    }
  }
  return alive;
}

/**
 * Return the effects that begin in a frame.
 * @param {Frame} frame
 * @param {{ width: number, height: number }} arena
 */
export function effectsOf(frame, arena) {
  let effects = known.get(frame);
  if (!effects) {
    effects = frame.events.flatMap((event, order) => effectsFrom(event, frame, arena, order));
    known.set(frame, effects);
  }
  return effects;
}

/**
 * @param {GameEvent} event
 * @param {Frame} frame
 * @param {{ width: number, height: number }} arena
 * @param {number} order
 * @returns {Effect[]}
 */
function effectsFrom(event, frame, arena, order) {
  const seed = frame.turnNumber * 64 + order;
  const bots = botsOf(frame);
  switch (event.type) {
    case "BotDeathEvent": {
      const bot = bots.get(event.victimId);
      return bot ? [effect("death", bot.x, bot.y, 0, 1, seed)] : [];
    }
    case "BulletFiredEvent": {
      const bot = bots.get(event.bullet.ownerId);
      return bot ? [muzzle(bot, event.bullet.direction, event.bullet.power, seed)] : [];
    }
    case "BulletHitBotEvent": {
      const { x, y, direction, power } = event.bullet;
      const bot = bots.get(event.victimId) ?? { x, y };
      return [
        effect("hit", x, y, direction + 180, 0.55 + power * 0.3, seed),
        effect("loss", bot.x, bot.y, 0, 1, seed, event.damage),
      ];
    }
    case "BulletHitBulletEvent": {
      const { bullet, hitBullet } = event;
      return [effect("clash", (bullet.x + hitBullet.x) / 2, (bullet.y + hitBullet.y) / 2, 0, 1, seed)];
    }
    case "BulletHitWallEvent":
      return [effect("puff", event.bullet.x, event.bullet.y, 0, 0.5 + event.bullet.power * 0.25, seed)];
    case "BotHitWallEvent": {
      const bot = bots.get(event.victimId);
      return bot ? [scrape(bot, arena, seed)] : [];
    }
    case "BotHitBotEvent":
      return rams(event, bots, seed);
    default:
      return [];
  }
}

/**
 * @param {EffectKind} kind
 * @param {number} x
 * @param {number} y
 * @param {number} angle
 * @param {number} size
 * @param {number} seed
 * @param {number} [amount]
 * @returns {Effect}
 */
function effect(kind, x, y, angle, size, seed, amount = 0) {
  return { kind, x, y, angle, size, life: LIFE[kind], age: 0, seed, amount };
}

/**
 * @param {{ x: number, y: number }} bot
 * @param {number} direction
 * @param {number} power
 * @param {number} seed
 */
function muzzle(bot, direction, power, seed) {
  const angle = (direction * Math.PI) / 180;
  const x = bot.x + Math.cos(angle) * MUZZLE;
  return effect("flash", x, bot.y + Math.sin(angle) * MUZZLE, direction, 0.6 + power * 0.25, seed);
}

/**
 * @param {{ x: number, y: number }} bot
 * @param {{ width: number, height: number }} arena
 * @param {number} seed
 */
function scrape(bot, arena, seed) {
  const ways = [
    { gap: bot.x, x: bot.x - TANK_RADIUS, y: bot.y, angle: 0 },
    { gap: arena.width - bot.x, x: bot.x + TANK_RADIUS, y: bot.y, angle: 180 },
    { gap: bot.y, x: bot.x, y: bot.y - TANK_RADIUS, angle: 90 },
    { gap: arena.height - bot.y, x: bot.x, y: bot.y + TANK_RADIUS, angle: 270 },
  ];
  const wall = ways.reduce((nearest, way) => (way.gap < nearest.gap ? way : nearest));
  return effect("scrape", wall.x, wall.y, wall.angle, 1, seed);
}

/**
 * Return whether a contact counts. Two tanks that touch have one event each, and only one of the events counts.
 * @param {import("../events.js").BotHitBotEvent} event
 * @param {Map<number, import("../model.js").BotState>} bots
 * @param {number} seed
 * @returns {Effect[]}
 */
function rams(event, bots, seed) {
  const one = bots.get(event.botId);
  const other = bots.get(event.victimId);
  if (!one || !other || event.botId > event.victimId) {
    return [];
  }
  const angle = (Math.atan2(other.y - one.y, other.x - one.x) * 180) / Math.PI;
  return [effect("ram", (one.x + other.x) / 2, (one.y + other.y) / 2, angle + 90, 1, seed)];
}

/**
 * Return the text of a loss of energy, or "" if it is too small.
 * @param {number} amount
 */
export function lossText(amount) {
  if (!(amount >= LOSS_MIN)) {
    return "";
  }
  return `−${amount >= 10 ? amount.toFixed(0) : amount.toFixed(1)}`;
}
