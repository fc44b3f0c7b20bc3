/**
 * The camera, which determines the visible part of the arena and its scale.
 *
 * It is pure arithmetic without a canvas.
 *
 * Arena coordinates have their origin at the bottom left, with y up. Screen coordinates are CSS pixels from the top
 * left of the canvas, with y down.
 */

/** CSS pixels kept free around an arena that fits, for walls and their numbers. */
export const MARGIN_PX = 30;
/** CSS pixels kept free around the arena in a small view. */
const MARGIN_SMALL_PX = 15;
const SMALL_VIEW_PX = 420;
const BARE_PX = 6;
const SCALE_MAX = 14;
/** The smallest scale, as a part of the scale at which the arena fits. */
const OUT_MAX = 0.6;
/** The part of the distance to a followed tank that is left after a second. */
const FOLLOW_LEFT = 0.004;

export class Camera {
  constructor() {
    /** Centre of the view, arena units. */
    this.x = 400;
    this.y = 300;
    /** CSS pixels for each unit. */
    this.scale = 1;
    this.viewWidth = 800;
    this.viewHeight = 600;
    this.arenaWidth = 800;
    this.arenaHeight = 600;
    /** Whether the whole arena is kept in view as sizes change. */
    this.fits = true;
    /** Whether walls and their numbers need no room. */
    this.bare = false;
    /** CSS pixels at two edges that other elements cover. An arena that fits does not reach them. */
    this.covered = { top: 0, right: 0 };
  }

  /** CSS pixels kept free around an arena that fits. */
  get margin() {
    if (this.bare) {
      return BARE_PX;
    }
    return Math.min(this.viewWidth, this.viewHeight) < SMALL_VIEW_PX ? MARGIN_SMALL_PX : MARGIN_PX;
  }

  get marginTop() {
    return Math.max(this.margin, Math.min(this.covered.top, this.viewHeight / 3));
  }

  get marginRight() {
    return Math.max(this.margin, Math.min(this.covered.right, this.viewWidth / 3));
  }

  /** The scale at which the whole arena is visible, CSS pixels for each unit. */
  get fitScale() {
    const width = Math.max(40, this.viewWidth - this.margin - this.marginRight);
    const height = Math.max(40, this.viewHeight - this.margin - this.marginTop);
    return Math.min(width / this.arenaWidth, height / this.arenaHeight);
  }

  get scaleMax() {
    return Math.max(SCALE_MAX, this.fitScale);
  }

  /**
   * @param {number} width CSS pixels
   * @param {number} height CSS pixels
   */
  resize(width, height) {
    this.viewWidth = Math.max(1, width);
    this.viewHeight = Math.max(1, height);
    this.settle();
  }

  /** Show the whole arena in the middle of the uncovered part. */
  settleInside() {
    this.scale = this.fitScale;
    const free = { x: this.viewWidth - this.arenaWidth * this.scale, y: this.viewHeight - this.arenaHeight * this.scale };
    const left = Math.min(free.x / 2, free.x - this.marginRight);
    const top = Math.max(free.y / 2, this.marginTop);
    this.x = this.arenaWidth / 2 + (free.x / 2 - left) / this.scale;
    this.y = this.arenaHeight / 2 + (top - free.y / 2) / this.scale;
  }

  /**
   * @param {number} top CSS pixels at the upper edge that something else covers
   * @param {number} right CSS pixels at the right edge
   */
  cover(top, right) {
    this.covered = { top, right };
    this.settle();
  }

  /**
   * @param {number} width units
   * @param {number} height units
   */
  setArena(width, height) {
    if (width === this.arenaWidth && height === this.arenaHeight) {
      return;
    }
    this.arenaWidth = Math.max(1, width);
    this.arenaHeight = Math.max(1, height);
    this.fit();
  }

  /** Show the whole arena, and keep it in view. */
  fit() {
    this.fits = true;
    this.settle();
  }

  /** Bring scale and centre back into their limits. */
  settle() {
    if (this.fits) {
      this.settleInside();
      return;
    }
    this.scale = Math.min(this.scaleMax, Math.max(this.fitScale * OUT_MAX, this.scale));
    this.x = Math.min(this.arenaWidth, Math.max(0, this.x));
    this.y = Math.min(this.arenaHeight, Math.max(0, this.y));
  }

  /** @param {number} x arena */
  screenX(x) {
    return this.viewWidth / 2 + (x - this.x) * this.scale;
  }

  /** @param {number} y arena */
  screenY(y) {
    return this.viewHeight / 2 - (y - this.y) * this.scale;
  }

  /**
   * @param {number} screenX
   * @param {number} screenY
   * @returns {{ x: number, y: number }} arena units
   */
  toArena(screenX, screenY) {
    return {
      x: this.x + (screenX - this.viewWidth / 2) / this.scale,
      y: this.y - (screenY - this.viewHeight / 2) / this.scale,
    };
  }

  /**
   * Zoom about a point of the screen.
   * @param {number} screenX
   * @param {number} screenY
   * @param {number} factor above 1: nearer
   */
  zoomAt(screenX, screenY, factor) {
    if (!(factor > 0)) {
      return;
    }
    const before = this.toArena(screenX, screenY);
    this.fits = false;
    this.scale *= factor;
    this.settle();
    const after = this.toArena(screenX, screenY);
    this.x += before.x - after.x;
    this.y += before.y - after.y;
    this.settle();
  }

  /**
   * Zoom about the middle of the view.
   * @param {number} factor above 1: nearer
   */
  zoom(factor) {
    this.zoomAt(this.viewWidth / 2, this.viewHeight / 2, factor);
  }

  /**
   * Move the view with a drag.
   * @param {number} dx CSS pixels to the right
   * @param {number} dy CSS pixels down
   */
  pan(dx, dy) {
    this.fits = false;
    this.x -= dx / this.scale;
    this.y += dy / this.scale;
    this.settle();
  }

  /**
   * Move smoothly towards a point that is followed.
   * @param {number} x arena
   * @param {number} y arena
   * @param {number} seconds since the last call; Infinity: at once
   */
  follow(x, y, seconds) {
    if (this.fits) {
      this.fits = false;
      this.scale = Math.min(this.scaleMax, Math.max(this.fitScale * 2, 1.2));
    }
    const part = 1 - FOLLOW_LEFT ** Math.max(0, seconds);
    this.x += (x - this.x) * part;
    this.y += (y - this.y) * part;
    this.settle();
  }

  /** A number that changes when the ground must be drawn again. */
  get key() {
    const parts = [this.x, this.y, this.scale, this.viewWidth, this.viewHeight, this.arenaWidth, this.arenaHeight];
    return parts.map((part) => part.toFixed(3)).join(" ");
  }
}
