/**
 * Explosions, sparks, puffs and flashes on the canvas. Each is a function of its age.
 */
import { withAlpha } from "./color.js";
import { lossText } from "./effects.js";

/** @typedef {import("./effects.js").Effect} Effect */
/** @typedef {import("./draw_target.js").DrawTarget} DrawTarget */
/** @typedef {import("./tanks/sprites.js").Sprites} Sprites */

const BLOBS = 8;

/**
 * @typedef {object} Show
 * @property {boolean} calm for people who prefer less motion: rings without flying parts
 * @property {boolean} losses whether lost energy is shown
 */

/**
 * Draw all effects.
 * @param {DrawTarget} target
 * @param {Sprites} sprites
 * @param {Effect[]} effects
 * @param {Show} show
 */
export function drawEffects(target, sprites, effects, show) {
  const { context } = target;
  for (const effect of effects) {
    if (effect.kind !== "loss" && target.sees(effect.x, effect.y, 110 * target.tankScale)) {
      drawOne(target, sprites, effect, show.calm);
    }
  }
  context.globalAlpha = 1;
  target.level();
}

/**
 * Write the lost energy, above everything else.
 * @param {DrawTarget} target
 * @param {Effect[]} effects
 */
export function drawLosses(target, effects) {
  const { context, theme } = target;
  target.level();
  context.font = `700 ${target.textPx + 1}px system-ui, sans-serif`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineJoin = "round";
  context.lineWidth = 3;
  for (const effect of effects) {
    const text = effect.kind === "loss" ? lossText(effect.amount) : "";
    if (text === "") {
      continue;
    }
    const t = effect.age / effect.life;
    const x = target.x(effect.x) + 26 * target.tankScale * (0.6 + 0.3 * noise(effect.seed, 1));
    const y = target.y(effect.y) - 10 - 22 * (1 - (1 - t) ** 2);
    context.globalAlpha = Math.min(1, (1 - t) * 2.2);
    context.strokeStyle = theme.name === "dark" ? "#150a05" : "#ffffff";
    context.strokeText(text, x, y);
    context.fillStyle = theme.name === "dark" ? "#ffb38a" : "#a32b00";
    context.fillText(text, x, y);
  }
  context.globalAlpha = 1;
}

/**
 * @param {DrawTarget} target
 * @param {Sprites} sprites
 * @param {Effect} effect
 * @param {boolean} calm
 */
function drawOne(target, sprites, effect, calm) {
  const t = effect.age / effect.life;
  switch (effect.kind) {
    case "death":
      explode(target, sprites, effect, t, calm);
      return;
    case "hit":
      burst(target, sprites, effect, t, calm, "#ffd27a", "#ff7a3c");
      return;
    case "clash":
      burst(target, sprites, effect, t, calm, "#d9f3ff", "#6cc6ff");
      return;
    case "puff":
      glow(target, sprites, "#9aa6ba", effect.x, effect.y, effect.size * (4 + 9 * t), 0.55 * (1 - t));
      return;
    case "flash":
      glow(target, sprites, "#fff1c4", effect.x, effect.y, effect.size * (13 - 6 * t), 1 - t);
      return;
    case "ram":
    case "scrape":
      sparks(target, effect, t, calm, effect.kind === "ram" ? "#ffe08a" : "#ffc46b");
      return;
    default:
  }
}

/**
 * @param {DrawTarget} target
 * @param {Sprites} sprites
 * @param {string} color
 * @param {number} x
 * @param {number} y
 * @param {number} radius units
 * @param {number} alpha
 */
function glow(target, sprites, color, x, y, radius, alpha) {
  if (alpha <= 0.03 || radius <= 0) {
    return;
  }
  target.context.globalAlpha = Math.min(1, alpha);
  const sprite = sprites.glow(color);
  target.stamp(sprite, x, y, 0, (target.tankScale * radius) / 16);
}

/**
 * @param {DrawTarget} target
 * @param {number} x
 * @param {number} y
 * @param {number} radius units
 * @param {string} color
 * @param {number} width units
 */
function ring(target, x, y, radius, color, width) {
  const { context } = target;
  target.level();
  context.globalAlpha = 1;
  context.strokeStyle = color;
  context.lineWidth = Math.max(0.5, width * target.tankScale);
  context.beginPath();
  context.arc(target.x(x), target.y(y), radius * target.tankScale, 0, 7);
  context.stroke();
}

/**
 * @param {DrawTarget} target
 * @param {Sprites} sprites
 * @param {Effect} effect
 * @param {number} t 0…1
 * @param {boolean} calm
 */
function explode(target, sprites, effect, t, calm) {
  const { x, y, seed } = effect;
  const out = 1 - (1 - t) ** 3;
  ring(target, x, y, 12 + 66 * out, withAlpha("#ffd9a0", 0.75 * (1 - t) ** 1.5), 5 * (1 - t) + 0.5);
  if (calm) {
    glow(target, sprites, "#ff9a4a", x, y, 40, 0.6 * (1 - t));
    return;
  }
  const dark = target.theme.name === "dark";
  for (let blob = 0; blob < BLOBS; blob++) {
    const angle = noise(seed, blob) * 2 * Math.PI;
    const far = (8 + 40 * noise(seed, blob + 20)) * out;
    const bx = x + Math.cos(angle) * far;
    const by = y + Math.sin(angle) * far + 8 * t;
    const grow = 12 + 16 * noise(seed, blob + 40);
    const late = Math.max(0, t - 0.12 * noise(seed, blob + 60));
    glow(target, sprites, "#3a3d46", bx, by + 6 * t, grow * (0.7 + t), 0.6 * Math.min(1, late * 4) * (1 - t));
    target.context.globalCompositeOperation = dark ? "lighter" : "source-over";
    glow(target, sprites, blob % 3 === 0 ? "#ffc14a" : "#ff6a1f", bx, by, grow * (1.1 - late), 1 - late * 2.1);
    target.context.globalCompositeOperation = "source-over";
  }
  glow(target, sprites, "#fff6dc", x, y, 62 * (1 - t * 1.2), 1.1 - t * 3.2);
  debris(target, effect, out, t);
}

/**
 * @param {DrawTarget} target
 * @param {Effect} effect
 * @param {number} out
 * @param {number} t
 */
function debris(target, effect, out, t) {
  const { context } = target;
  context.globalAlpha = Math.max(0, Math.min(1, 2 - 2 * t));
  context.fillStyle = target.theme.name === "dark" ? "#c9ced8" : "#3c424e";
  const k = target.ratio;
  for (let part = 0; part < 9; part++) {
    const angle = noise(effect.seed, part + 80) * 2 * Math.PI;
    const far = (24 + 46 * noise(effect.seed, part + 100)) * out * target.tankScale;
    const turn = angle + t * 9 * (noise(effect.seed, part + 120) - 0.5);
    const size = (1.6 + 2.6 * noise(effect.seed, part + 140)) * target.tankScale;
    const cos = Math.cos(turn) * k;
    const sin = Math.sin(turn) * k;
    const x = (target.x(effect.x) + Math.cos(angle) * far) * k;
    const y = (target.y(effect.y) - Math.sin(angle) * far) * k;
    context.setTransform(cos, sin, -sin, cos, x, y);
    context.fillRect(-size, -size / 2, size * 2, size);
  }
}

/**
 * @param {DrawTarget} target
 * @param {Sprites} sprites
 * @param {Effect} effect
 * @param {number} t
 * @param {boolean} calm
 * @param {string} inner
 * @param {string} outer
 */
function burst(target, sprites, effect, t, calm, inner, outer) {
  const { x, y, size } = effect;
  const out = 1 - (1 - t) ** 2;
  glow(target, sprites, outer, x, y, size * (10 + 12 * out), 0.85 * (1 - t));
  glow(target, sprites, inner, x, y, size * 11 * (1 - t), 1 - t);
  ring(target, x, y, size * (4 + 17 * out), withAlpha(outer, 0.8 * (1 - t)), 1.6 * (1 - t) + 0.3);
  if (!calm) {
    sparks(target, { ...effect, angle: effect.angle }, t, calm, inner);
  }
}

/**
 * @param {DrawTarget} target
 * @param {Effect} effect
 * @param {number} t
 * @param {boolean} calm
 * @param {string} color
 */
function sparks(target, effect, t, calm, color) {
  const { context } = target;
  target.level();
  context.globalAlpha = 1 - t;
  context.strokeStyle = target.theme.name === "dark" ? color : "#b35a00";
  context.lineWidth = Math.max(0.8, 1.3 * target.tankScale);
  context.beginPath();
  const count = calm ? 3 : 9;
  for (let spark = 0; spark < count; spark++) {
    const spread = effect.kind === "clash" ? 360 : 150;
    const angle = ((effect.angle + (noise(effect.seed, spark) - 0.5) * spread) * Math.PI) / 180;
    const speed = (10 + 26 * noise(effect.seed, spark + 10)) * effect.size * target.tankScale;
    const head = speed * (1 - (1 - t) ** 2);
    const tail = speed * Math.max(0, t - 0.16) * 1.1;
    const x = target.x(effect.x);
    const y = target.y(effect.y);
    context.moveTo(x + Math.cos(angle) * tail, y - Math.sin(angle) * tail);
    context.lineTo(x + Math.cos(angle) * head, y - Math.sin(angle) * head);
  }
  context.stroke();
  context.globalAlpha = 1;
}

/**
 * Return a number in [0, 1) that looks random and is the same each time, for the shapes of explosions.
 * @param {number} seed a whole number
 * @param {number} place a whole number
 */
export function noise(seed, place) {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(place + 1, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 4294967296;
}
