/** Labels next to the tanks: number, name, and energy as a figure and as a bar. */
import { inkOn } from "./color.js";
import { BitmapCache, finished, newBitmap } from "./bitmap_cache.js";
import { apart, inside, placeLabels } from "./label_layout.js";
import { isDisabled } from "./tanks/tanks.js";
import { ENERGY_TANK, TANK_RADIUS } from "../resim/rules.js";
import { energyText } from "../energy_text.js";
import { teamShape } from "../team_shapes.js";

/** @typedef {import("./draw_target.js").DrawTarget} DrawTarget */
/** @typedef {import("./bitmap_cache.js").Picture} Picture */
/** @typedef {import("./bitmap_cache.js").Pen} Pen */
/** @typedef {import("./motion.js").Pose} Pose */
/** @typedef {import("./palette.js").Mark} Mark */
/** @typedef {import("./label_layout.js").Wish} Wish */
/** @typedef {import("./label_layout.js").Spot} Spot */

/** @typedef {{ pose: Pose, mark: Mark, first: boolean }} Named */

const NAME_CHARS_MAX = 18;
const SANS = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
const KEPT_MAX = 600;
/** With more tanks than this, only the labels that come first have names. */
const NAMED_MAX = 24;
/** The part of a label's way to its new side that is left after a second. */
const MOVE_LEFT = 0.0005;

/**
 * Return a name for display: one line, limited in length, without invisible characters.
 * @param {string} name
 */
export function shownName(name) {
  const line = name.replace(/[\p{C}\p{Z}]+/gu, " ").replace(/\p{M}{3,}/gu, "").trim();
  const signs = [...line];
  return signs.length > NAME_CHARS_MAX ? `${signs.slice(0, NAME_CHARS_MAX - 1).join("")}…` : line;
}

/**
 * Return an energy for a tank's label. A large energy is a whole number.
 * @param {number} energy
 */
export function labelEnergyText(energy) {
  if (energy < 0) {
    return "0";
  }
  return energy >= 9.95 ? energy.toFixed(0) : energyText(energy);
}

/**
 * Return the colour of an energy bar, which the bar's length also shows.
 * @param {number} energy
 */
export function energyColor(energy) {
  if (energy > 50) {
    return "#3ecf8e";
  }
  return energy > 20 ? "#f2b134" : "#ff5c5c";
}

export class Labels {
  constructor() {
    /** @type {BitmapCache<{ bitmap: Picture, width: number }>} */
    this.cache = new BitmapCache(KEPT_MAX);
    /** @type {Map<number, number>} */
    this.sides = new Map();
    /** @type {Map<number, { x: number, y: number }>} where each label is, from its tank's centre */
    this.offsets = new Map();
    this.key = "";
    this.px = 12;
    /** Whether a label is still moving. */
    this.moving = false;
  }

  /**
   * Draw the labels of some tanks.
   * @param {DrawTarget} target
   * @param {Named[]} tanks
   * @param {number} seconds since the last drawing; labels glide to new places
   */
  draw(target, tanks, seconds) {
    this.prepare(target);
    const seen = tanks.filter(({ pose }) => target.sees(pose.x, pose.y, TANK_RADIUS * target.tankScale));
    const wishes = seen.map((tank) => this.wish(target, tank, tanks.length > NAMED_MAX));
    const view = frameOf(target);
    const spots = placeLabels(wishes, this.sides, view).reverse();
    const byId = new Map(seen.map((tank) => [tank.pose.bot.id, tank]));
    target.level();
    this.moving = false;
    const going = spots.map((spot) => {
      const tank = /** @type {Named} */ (byId.get(spot.id));
      this.sides.set(spot.id, spot.side);
      const small = spot.small || this.isShort(tank, tanks);
      const size = { width: this.picture(target, tank.mark, small, tank.first).width, height: this.height };
      const place = inside({ ...this.glide(target, tank, spot, seconds), ...size }, view); // gliding may move it out of view
      return { tank, small, ...size, ...place };
    });
    const there = going.map((label, k) => ({ ...label, x: spots[k].x, y: spots[k].y }));
    for (const { tank, small, x, y } of apart(going, there)) {
      this.drawOne(target, tank, { x, y }, small);
    }
  }

  /**
   * @param {Named} tank
   * @param {Named[]} tanks
   */
  isShort(tank, tanks) {
    return tanks.length > NAMED_MAX && !tank.first;
  }

  /** @param {DrawTarget} target */
  prepare(target) {
    const px = target.textPx;
    const key = `${target.theme.name} ${target.ratio} ${px}`;
    if (key !== this.key) {
      this.cache.clear();
      this.key = key;
      this.px = px;
    }
  }

  /**
   * @param {DrawTarget} target
   * @param {Named} tank
   * @param {boolean} crowded
   * @returns {Wish}
   */
  wish(target, tank, crowded) {
    const { pose, mark, first } = tank;
    const smallWidth = this.picture(target, mark, true, first).width;
    const width = crowded && !first ? smallWidth : this.picture(target, mark, false, first).width;
    return {
      id: pose.bot.id,
      x: target.x(pose.x),
      y: target.y(pose.y),
      radius: (first ? 28 : 21) * target.tankScale,
      width,
      smallWidth,
      height: this.height,
      first,
    };
  }

  get height() {
    return Math.round(this.px * 1.75);
  }

  /**
   * @param {DrawTarget} target
   * @param {Named} tank
   * @param {Spot} spot
   * @param {number} seconds
   */
  glide(target, tank, spot, seconds) {
    const x = target.x(tank.pose.x);
    const y = target.y(tank.pose.y);
    const before = this.offsets.get(spot.id) ?? { x: spot.x - x, y: spot.y - y };
    const part = 1 - MOVE_LEFT ** seconds;
    const offset = {
      x: before.x + (spot.x - x - before.x) * part,
      y: before.y + (spot.y - y - before.y) * part,
    };
    this.offsets.set(spot.id, offset);
    this.moving ||= Math.abs(spot.x - x - offset.x) + Math.abs(spot.y - y - offset.y) > 0.5;
    return { x: x + offset.x, y: y + offset.y };
  }

  /**
   * @param {DrawTarget} target
   * @param {Named} tank
   * @param {{ x: number, y: number }} place
   * @param {boolean} small
   */
  drawOne(target, tank, place, small) {
    const { context, theme, ratio } = target;
    const { bot } = tank.pose;
    const { bitmap, width } = this.picture(target, tank.mark, small, tank.first);
    const [left, top] = [Math.round(place.x * ratio), Math.round(place.y * ratio)];
    const [x, y] = [left / ratio, top / ratio];
    const height = this.height;
    context.setTransform(1, 0, 0, 1, 0, 0); // aligned to pixels: ten times as fast
    context.drawImage(bitmap, left, top);
    target.level();
    const long = width - 4;
    const share = Math.min(1, Math.max(0, bot.energy / ENERGY_TANK));
    context.fillStyle = theme.name === "dark" ? "#2a3448" : "#d5dce7";
    context.fillRect(x + 2, y + height - 5, long, 3);
    context.fillStyle = energyColor(bot.energy);
    context.fillRect(x + 2, y + height - 5, long * share, 3);
    if (!small) {
      context.font = `600 ${this.px - 1}px ${SANS}`;
      context.textAlign = "right";
      context.textBaseline = "middle";
      context.fillStyle = theme.ink;
      const text = isDisabled(bot) ? "off" : labelEnergyText(bot.energy);
      context.fillText(text, x + width - 5, y + (height - 4) / 2 + 0.5);
    }
  }

  /**
   * @param {DrawTarget} target
   * @param {Mark} mark
   * @param {boolean} small
   * @param {boolean} first
   */
  picture(target, mark, small, first) {
    return this.cache.get(`${mark.id} ${mark.color} ${mark.team} ${small} ${first} ${mark.name}`, () =>
      this.paint(target, mark, small, first),
    );
  }

  /**
   * @param {DrawTarget} target
   * @param {Mark} mark
   * @param {boolean} small
   * @param {boolean} first
   */
  paint(target, mark, small, first) {
    const { theme, ratio } = target;
    const { px, height } = this;
    const number = `${mark.team === null ? "" : teamShape(mark.team)}${mark.id}`;
    const name = shownName(mark.name);
    const measure = newBitmap(1, 1).pen;
    measure.font = `700 ${px - 2}px ${SANS}`;
    const chip = Math.ceil(Math.max(height - 8, measure.measureText(number).width + 8));
    measure.font = `600 ${px}px ${SANS}`;
    const room = Math.min(px * 13, Math.ceil(measure.measureText(name).width));
    const width = small ? chip + 4 : chip + room + Math.ceil(px * 2.7) + 10;
    const { bitmap, pen } = newBitmap(width * ratio, height * ratio);
    pen.scale(ratio, ratio);
    pen.globalAlpha = first ? 0.96 : 0.8;
    pen.fillStyle = theme.pill;
    pen.beginPath();
    pen.roundRect(0.5, 0.5, width - 1, height - 1, 4);
    pen.fill();
    pen.globalAlpha = 1;
    pen.strokeStyle = first ? theme.select : theme.pillLine;
    pen.lineWidth = first ? 1.5 : 1;
    pen.stroke();
    pen.fillStyle = mark.color;
    pen.beginPath();
    pen.roundRect(2, 2, chip, height - 8, 3);
    pen.fill();
    write(pen, number, 2 + chip / 2, (height - 4) / 2, inkOn(mark.color), `700 ${px - 2}px ${SANS}`, "center");
    if (!small) {
      pen.beginPath();
      pen.rect(chip + 6, 0, room + 1, height - 5);
      pen.clip();
      write(pen, name, chip + 7, (height - 4) / 2, theme.ink, `600 ${px}px ${SANS}`, "left");
    }
    return { bitmap: finished(bitmap), width };
  }
}

/**
 * Return the visible part of the arena. Labels stay inside it.
 * @param {DrawTarget} target
 * @returns {import("./label_layout.js").View}
 */
function frameOf(target) {
  const { viewWidth, viewHeight, covered, arenaWidth, arenaHeight } = target.camera;
  return {
    left: Math.max(0, target.x(0)),
    top: Math.max(covered.top, target.y(arenaHeight)),
    width: Math.min(viewWidth - covered.right, target.x(arenaWidth)),
    height: Math.min(viewHeight, target.y(0)),
  };
}

/**
 * @param {Pen} pen
 * @param {string} text
 * @param {number} x
 * @param {number} y
 * @param {string} color
 * @param {string} font
 * @param {CanvasTextAlign} align
 */
function write(pen, text, x, y, color, font, align) {
  pen.font = font;
  pen.textAlign = align;
  pen.textBaseline = "middle";
  pen.fillStyle = color;
  pen.fillText(text, x, y + 0.5);
}
