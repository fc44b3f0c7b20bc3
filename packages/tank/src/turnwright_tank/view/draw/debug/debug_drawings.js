/**
 * Draws the debug graphics of bots.
 *
 * Each drawing is made safe once and becomes an image, which runs no script and loads nothing. Then the image is
 * copied.
 */
import { parseMarkup } from "./markup.js";
import { BitmapCache } from "../bitmap_cache.js";
import { SVG_CHARS_MAX, safeDrawing } from "./safe_svg.js";

/** @typedef {import("../draw_target.js").DrawTarget} DrawTarget */
/** @typedef {import("../motion.js").Pose} Pose */

/** The largest number of bots whose drawings are shown at the same time. */
const BOTS_MAX = 16;
const KEPT_MAX = 96;

/** @typedef {{ image: HTMLImageElement | null, ready: boolean }} Drawing */

export class DebugDrawings {
  /** @param {() => void} onReady called when a missing image can be drawn */
  constructor(onReady) {
    this.onReady = onReady;
    /** @type {BitmapCache<Drawing>} */
    this.cache = new BitmapCache(KEPT_MAX);
    /** @type {Map<number, Drawing>} what was drawn last for each bot: shown until the new one is ready */
    this.last = new Map();
    this.arena = "";
  }

  /**
   * Draw the debug graphics of bots.
   * @param {DrawTarget} target
   * @param {Pose[]} poses
   */
  draw(target, poses) {
    const { camera, context } = target;
    const arena = `${camera.arenaWidth} ${camera.arenaHeight}`;
    if (arena !== this.arena) {
      this.arena = arena;
      this.cache.clear();
      this.last.clear();
    }
    target.level();
    for (const { bot } of poses.filter((pose) => pose.bot.debugGraphics).slice(0, BOTS_MAX)) {
      const drawing = this.drawingOf(bot.debugGraphics ?? "", camera.arenaWidth, camera.arenaHeight);
      if (drawing.ready) {
        this.last.set(bot.id, drawing);
      }
      const image = (drawing.ready ? drawing : this.last.get(bot.id))?.image;
      if (image) {
        const width = camera.arenaWidth * camera.scale;
        context.drawImage(image, target.x(0), target.y(camera.arenaHeight), width, camera.arenaHeight * camera.scale);
      }
    }
  }

  /**
   * @param {string} text
   * @param {number} width
   * @param {number} height
   * @returns {Drawing}
   */
  drawingOf(text, width, height) {
    return this.cache.get(text, () => {
      /** @type {Drawing} */
      const drawing = { image: null, ready: false };
      const source = cleaned(text, width, height);
      if (source === null) {
        return drawing;
      }
      const image = new Image(width, height);
      image.onload = () => {
        drawing.image = image;
        drawing.ready = true;
        this.onReady();
      };
      image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(source)}`;
      return drawing;
    });
  }
}

/**
 * @param {string} text
 * @param {number} width
 * @param {number} height
 * @returns {string | null} null if nothing can be drawn
 */
function cleaned(text, width, height) {
  if (text.length > SVG_CHARS_MAX) {
    return null;
  }
  const root = parseMarkup(text);
  return root?.localName === "svg" ? safeDrawing(root, width, height) : null;
}
