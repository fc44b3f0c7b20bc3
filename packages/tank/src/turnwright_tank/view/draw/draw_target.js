/** A canvas to draw on, with its camera and its device pixels per CSS pixel. */

import { TANK_RADIUS } from "../resim/rules.js";

/** @typedef {import("./camera.js").Camera} Camera */
/** @typedef {import("./tanks/sprites.js").Sprite} Sprite */
/** @typedef {import("./palette.js").Theme} Theme */

/** The smallest scale of a tank, CSS pixels for each unit: 7 pixels from its centre to its edge. */
const TANK_SCALE_MIN = 7 / TANK_RADIUS;
const BULLET_SCALE_MIN = 0.62;
/** A canvas is fine from this ratio on, device pixels for each CSS pixel. */
const SOFT_RATIO_MIN = 1.5;
/** The size of letters in an arena that is shown to a room: 30 pixels on a screen of 1080, and 28 in badges. */
const ROOM_TEXT_PART = 36;

export class DrawTarget {
  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} ratio device pixels a CSS pixel
   * @param {Camera} camera
   * @param {Theme} theme
   */
  constructor(context, ratio, camera, theme) {
    this.context = context;
    this.ratio = ratio;
    this.camera = camera;
    this.theme = theme;
    this.tankScale = Math.max(camera.scale, TANK_SCALE_MIN);
    this.bulletScale = Math.max(camera.scale, BULLET_SCALE_MIN);
  }

  /**
   * The size of texts, CSS pixels. It is larger on a large view, so that people can read a projection from afar.
   */
  get textPx() {
    const side = Math.min(this.camera.viewWidth, this.camera.viewHeight);
    if (this.camera.bare) {
      return Math.round(Math.max(13, side / ROOM_TEXT_PART));
    }
    return Math.round(Math.min(26, Math.max(11, side / 62)));
  }

  /**
   * Set whether the next pictures are soft.
   *
   * On a fine canvas, soft pictures are copied without interpolation, which takes half the time and is not visible.
   * @param {boolean} soft
   */
  soften(soft) {
    this.context.imageSmoothingEnabled = !(soft && this.ratio >= SOFT_RATIO_MIN);
  }

  /** Return to drawing in CSS pixels. */
  level() {
    this.context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
  }

  /** @param {number} x arena */
  x(x) {
    return this.camera.screenX(x);
  }

  /** @param {number} y arena */
  y(y) {
    return this.camera.screenY(y);
  }

  /**
   * Copy a picture to a place of the arena. The context stays turned.
   * @param {Sprite} sprite
   * @param {number} x arena
   * @param {number} y arena
   * @param {number} angle degrees counter-clockwise
   * @param {number} scale CSS pixels a unit
   */
  stamp(sprite, x, y, angle, scale) {
    const turn = (angle * Math.PI) / 180;
    const k = this.ratio;
    const cos = Math.cos(turn) * k;
    const sin = Math.sin(turn) * k;
    const { context } = this;
    context.setTransform(cos, -sin, sin, cos, this.x(x) * k, this.y(y) * k);
    context.drawImage(
      sprite.bitmap,
      sprite.left * scale,
      sprite.top * scale,
      sprite.width * scale,
      sprite.height * scale,
    );
  }

  /**
   * Return whether something near a point of the arena is visible.
   * @param {number} x arena
   * @param {number} y arena
   * @param {number} reach CSS pixels
   */
  sees(x, y, reach) {
    const sx = this.x(x);
    const sy = this.y(y);
    const { viewWidth, viewHeight } = this.camera;
    return sx > -reach && sy > -reach && sx < viewWidth + reach && sy < viewHeight + reach;
  }
}
