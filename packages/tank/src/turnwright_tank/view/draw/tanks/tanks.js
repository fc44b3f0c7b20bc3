/** Draws tanks, wrecks and bullets at the positions that motion.js computes. */
import { withAlpha } from "../color.js";
import { tankColors } from "../palette.js";
import { shortest } from "../motion.js";
import { signOf, tracePath } from "./shapes.js";
import { faded } from "./sprites.js";
import { DISABLED_BELOW } from "../../resim/rules.js";

/** @typedef {import("../draw_target.js").DrawTarget} DrawTarget */
/** @typedef {import("./sprites.js").Sprites} Sprites */
/** @typedef {import("../motion.js").Pose} Pose */
/** @typedef {import("../motion.js").Flight} Flight */
/** @typedef {import("../palette.js").Mark} Mark */
/** @typedef {import("./treads.js").Treads} Treads */
/** @typedef {import("./wrecks.js").Wreck} Wreck */

/** A radar within this angle of its gun is drawn together with the gun, degrees. */
const SAME_DEG = 0.5;
/** Smaller tanks have no shadow, CSS pixels for each unit. */
const SHADOW_SCALE_MIN = 0.55;
/** The radius of the base below a tank, units. It is visible on all sides of the tank. */
const BASE_RADIUS = 23.5;
const BASE_ALPHA = 0.3;

/**
 * Whether a tank has too little energy to do anything.
 * @param {{ energy: number }} bot
 */
export function isDisabled(bot) {
  return bot.energy < DISABLED_BELOW;
}

/**
 * @param {DrawTarget} target
 * @param {Sprites} sprites
 * @param {Treads} treads
 * @param {Pose} pose
 * @param {Mark} mark
 */
export function drawTank(target, sprites, treads, pose, mark) {
  const { x, y, bot } = pose;
  const scale = target.tankScale;
  const rolled = treads.roll(pose);
  if (!target.sees(x, y, 40 * scale)) {
    return;
  }
  const own = tankColors(bot, mark.paint, mark.painted);
  const colors = isDisabled(bot) ? faded(own) : own;
  drawFoot(target, x, y, mark);
  for (const sprite of sprites.body(colors, rolled.left, rolled.right)) {
    target.stamp(sprite, x, y, pose.body, scale);
  }
  if (bot.isDroid || Math.abs(shortest(pose.radar - pose.gun)) < SAME_DEG) {
    target.stamp(sprites.head(colors, bot.isDroid), x, y, pose.gun, scale);
  } else {
    target.stamp(sprites.turret(colors), x, y, pose.gun, scale);
    target.stamp(sprites.radar(colors), x, y, pose.radar, scale);
  }
}

/**
 * Draw a tank's shadow and base.
 *
 * The base has the shape and colour of the tank's side. Both are plain shapes, which take less time than pictures.
 * @param {DrawTarget} target
 * @param {number} x arena
 * @param {number} y arena
 * @param {Mark} mark
 */
function drawFoot(target, x, y, mark) {
  const { context, theme } = target;
  const color = mark.teamColor;
  const scale = target.tankScale;
  const sx = target.x(x);
  const sy = target.y(y);
  target.level();
  context.fillStyle = theme.shade;
  for (const radius of scale > SHADOW_SCALE_MIN ? [21.5, 17.5] : []) {
    context.beginPath();
    context.arc(sx + 2, sy + 2.5, radius * scale, 0, 7);
    context.fill();
  }
  tracePath(context, signOf(mark), sx, sy, BASE_RADIUS * scale);
  context.fillStyle = withAlpha(color, BASE_ALPHA);
  context.fill();
  context.strokeStyle = color;
  context.lineWidth = Math.max(1.6, 2 * scale);
  context.stroke();
}

/**
 * Draw a bullet in the colour and shape of its owner's side.
 *
 * The bullet's own colour does not identify its owner.
 * @param {DrawTarget} target
 * @param {Sprites} sprites
 * @param {Flight} flight
 * @param {Mark} owner
 */
export function drawBullet(target, sprites, flight, owner) {
  if (target.sees(flight.x, flight.y, 40 * target.bulletScale)) {
    const picture = sprites.bullet(owner.teamColor, flight.bullet.power, signOf(owner));
    target.stamp(picture, flight.x, flight.y, flight.angle, target.bulletScale);
  }
}

/**
 * Draw a burnt place with a cross where a tank has died.
 * @param {DrawTarget} target
 * @param {Sprites} sprites
 * @param {Wreck} wreck
 * @param {Mark} mark
 * @param {number} alpha 0…1
 */
export function drawWreck(target, sprites, wreck, mark, alpha) {
  if (alpha <= 0 || !target.sees(wreck.x, wreck.y, 40 * target.tankScale)) {
    return;
  }
  const { theme, context } = target;
  const sprite = sprites.make(`wreck ${mark.color}`, [-24, -24, 24, 24], (pen) => {
    const burn = pen.createRadialGradient(0, 0, 3, 0, 0, 23);
    burn.addColorStop(0, withAlpha(theme.wreck, 0.75));
    burn.addColorStop(0.65, withAlpha(theme.wreck, 0.42));
    burn.addColorStop(1, withAlpha(theme.wreck, 0));
    pen.fillStyle = burn;
    pen.fillRect(-24, -24, 48, 48);
    for (const [color, width] of /** @type {[string, number][]} */ ([
      [withAlpha(theme.wreck, 0.9), 6],
      [mark.color, 2.8],
    ])) {
      pen.strokeStyle = color;
      pen.lineWidth = width;
      pen.lineCap = "round";
      pen.beginPath();
      pen.moveTo(-8, -8);
      pen.lineTo(8, 8);
      pen.moveTo(8, -8);
      pen.lineTo(-8, 8);
      pen.stroke();
    }
  });
  context.globalAlpha = alpha * 0.8;
  target.stamp(sprite, wreck.x, wreck.y, 0, target.tankScale);
  context.globalAlpha = 1;
}

/**
 * Draw the ring around the selected tank.
 * @param {DrawTarget} target
 * @param {Pose} pose
 */
export function drawSelection(target, pose) {
  const { context, theme } = target;
  const x = target.x(pose.x);
  const y = target.y(pose.y);
  const radius = 27 * target.tankScale + 2;
  const quarter = Math.PI / 2;
  context.lineCap = "round";
  for (const [color, width] of /** @type {[string, number][]} */ ([
    [theme.name === "dark" ? "rgba(0,0,0,0.6)" : "rgba(255,255,255,0.8)", 4.5],
    [theme.select, 2.2],
  ])) {
    context.strokeStyle = color;
    context.lineWidth = width;
    for (let corner = 0; corner < 4; corner++) {
      const middle = quarter / 2 + corner * quarter;
      context.beginPath();
      context.arc(x, y, radius, middle - 0.42, middle + 0.42);
      context.stroke();
    }
  }
}
