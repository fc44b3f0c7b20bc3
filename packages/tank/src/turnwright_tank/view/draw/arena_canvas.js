/**
 * The arena on the page: three canvases, the camera and the mouse.
 *
 * It draws when the player requests a picture and something has changed.
 */
import { Emitter } from "../../../../viewer/widgets/emitter.js";
import { TANK_RADIUS } from "../resim/rules.js";
import { ArenaView, drawArena, wipe } from "./arena.js";
import { DrawTarget } from "./draw_target.js";
import { Camera } from "./camera.js";
import { drawGround } from "./ground.js";
import { themeNamed } from "./palette.js";
import { Pointers } from "./pointer.js";

/** @typedef {import("../../../../viewer/time/player.js").Player} Player */
/** @typedef {import("./arena.js").Which} Which */
/** @typedef {import("./motion.js").Pose} Pose */

/** The largest size of a canvas, device pixels. A larger canvas is drawn a little less sharp. */
const PIXELS_MAX = 6_000_000;
/** Up to this size, that of a 4K screen, a canvas has the screen's pixels, because scaling would take more time. */
const WHOLE_PIXELS_MAX = 9_000_000;
const RATIO_MAX = 3;
/** If pictures take longer than this on average, ms, the following ones are drawn less sharp. */
const SLOW_MS = 21;
const SLOW_PICTURES = 60;
/** The lowest sharpness, device pixels for each CSS pixel. */
const RATIO_MIN = 1;
/**
 * The sharpness of wide and faint shapes, as a share.
 *
 * It is at most one device pixel for each CSS pixel.
 */
const HAZE_PART = 0.5;
/** A click within this distance selects a tank, CSS pixels. */
const CLICK_REACH = 14;

/**
 * The display options of the arena.
 * @typedef {object} Look
 * @property {Which} scans
 * @property {Which} trails
 * @property {boolean} names
 * @property {boolean} losses
 * @property {boolean} debug
 */

export class ArenaCanvas {
  /**
   * @param {Player} player
   * @param {HTMLElement} place
   * @param {{ ground: HTMLCanvasElement, haze: HTMLCanvasElement, arena: HTMLCanvasElement }} canvases the lowest first
   */
  constructor(player, place, { ground, haze, arena }) {
    this.player = player;
    this.place = place;
    this.ground = contextOf(ground);
    this.layers = { haze: contextOf(haze), main: contextOf(arena) };
    this.context = this.layers.main;
    this.camera = new Camera();
    this.view = new ArenaView(this.camera, () => this.touch());
    this.emitter = new Emitter();
    /** @type {Look} */
    this.look = { scans: "selected", trails: "selected", names: true, losses: true, debug: true };
    this.overlay = false;
    this.still = false;
    /** Whether the camera follows the selected tank. */
    this.following = false;
    /** @type {number | null} */
    this.hovered = null;
    /** @type {Pose[]} */
    this.poses = [];
    this.dirty = true;
    this.groundKey = "";
    this.drawnMs = 0;
    /** The part of the full sharpness that this machine is fast enough for. */
    this.sharpness = 1;
    this.slowMs = 0;
    this.slowCount = 0;
    this.setTheme("dark");
    new ResizeObserver(() => this.resize()).observe(place);
    player.on("source", () => this.onBattle());
    player.on("battle", () => this.onBattle());
    player.on("state", () => this.touch());
    player.on("frame", () => this.touch());
    player.on("draw", () => this.draw(performance.now()));
    new Pointers(arena, {
      pan: (dx, dy) => this.moveView(() => this.camera.pan(dx, dy), true),
      zoom: (x, y, factor) => this.moveView(() => this.camera.zoomAt(x, y, factor), false),
      click: (x, y) => this.click(x, y),
      hover: (x, y) => this.hover(this.tankAt(x, y)),
      leave: () => this.hover(null),
    });
    this.resize();
  }

  /** Draw with the next picture. */
  touch() {
    this.dirty = true;
  }

  /** @param {"dark" | "light"} name */
  setTheme(name) {
    this.theme = themeNamed(name);
    this.view.use(this.player.source, this.theme);
    this.groundKey = "";
    this.touch();
  }

  /** @param {boolean} still whether the reader wants less motion */
  setStill(still) {
    this.still = still;
    this.touch();
  }

  /** @param {Partial<Look>} look what changes */
  setLook(look) {
    Object.assign(this.look, look);
    this.touch();
    this.emitter.emit("look");
  }

  /** @param {boolean} overlay whether to draw only the arena and names, without a ground */
  setOverlay(overlay) {
    this.overlay = overlay;
    this.camera.bare = overlay;
    this.resize();
  }

  /**
   * @param {number} top CSS pixels at the upper edge that buttons cover
   * @param {number} right CSS pixels at the right edge
   */
  cover(top, right) {
    this.camera.cover(top, right);
    this.touch();
  }

  /** @param {boolean} following */
  follow(following) {
    this.following = following;
    if (!following) {
      this.camera.fit();
    }
    this.touch();
    this.emitter.emit("look");
  }

  /**
   * Move the camera by hand.
   * @param {() => void} move
   * @param {boolean} away whether this ends following
   */
  moveView(move, away) {
    if (away && this.following) {
      this.following = false;
      this.emitter.emit("look");
    }
    move();
    this.touch();
  }

  onBattle() {
    const battle = this.player.source?.battle;
    if (battle) {
      this.camera.setArena(battle.width, battle.height);
    }
    this.view.use(this.player.source, this.theme ?? themeNamed("dark"));
    this.groundKey = "";
    this.touch();
  }

  resize() {
    const width = this.place.clientWidth;
    const height = this.place.clientHeight;
    const wanted = Math.min(RATIO_MAX, window.devicePixelRatio || 1);
    const fits = Math.sqrt(PIXELS_MAX / Math.max(1, width * height));
    const most = Math.min(wanted, Math.max(width * height <= WHOLE_PIXELS_MAX ? 1 : 0, fits));
    const ratio = Math.max(Math.min(RATIO_MIN, most), most * this.sharpness);
    this.view.ratio = ratio;
    this.view.hazeRatio = Math.min(1, ratio * HAZE_PART);
    for (const [context, fine] of /** @type {const} */ ([
      [this.ground, ratio],
      [this.layers.main, ratio],
      [this.layers.haze, this.view.hazeRatio],
    ])) {
      context.canvas.width = Math.max(1, Math.round(width * fine));
      context.canvas.height = Math.max(1, Math.round(height * fine));
      onWholePixels(context.canvas, this.place, width, height);
    }
    this.camera.resize(width, height);
    this.groundKey = "";
    this.touch();
  }

  /** @param {number} nowMs */
  draw(nowMs) {
    const { player, camera } = this;
    const seconds = Math.min(0.1, (nowMs - this.drawnMs) / 1000);
    const moves = player.playing || this.following;
    if (!this.dirty && !moves) {
      return;
    }
    this.watchSpeed(nowMs - this.drawnMs);
    this.drawnMs = nowMs;
    this.dirty = false;
    this.goAfter(seconds);
    this.drawGroundIfMoved();
    const { frame, next } = player;
    if (!frame) {
      this.poses = [];
      wipe(this.layers.main);
      wipe(this.layers.haze);
      return;
    }
    this.poses = drawArena(this.layers, this.view, frame, next, player.position - Math.floor(player.position), {
      ...this.look,
      calm: this.still,
      selected: player.selected,
      hovered: this.hovered,
      overtime: player.overtime,
      seconds,
    });
    this.layers.haze.canvas.hidden = !this.view.hazy; // without a GPU an empty canvas takes as much time as a full one
    if (this.view.labels.moving || camera.key !== this.groundKey) {
      this.touch();
    }
  }

  /**
   * Reduce the sharpness when this machine is too slow for smooth pictures.
   * @param {number} elapsedMs since the last picture
   */
  watchSpeed(elapsedMs) {
    if (!this.player.playing || elapsedMs > 250) {
      return;
    }
    this.slowMs += elapsedMs;
    this.slowCount += 1;
    if (this.slowCount === SLOW_PICTURES) {
      const slow = this.slowMs / SLOW_PICTURES > SLOW_MS;
      this.slowMs = 0;
      this.slowCount = 0;
      if (slow && this.view.ratio > RATIO_MIN) {
        this.sharpness *= 0.8;
        this.resize();
      }
    }
  }

  /** @param {number} seconds */
  goAfter(seconds) {
    const tank = this.following ? this.poses.find((pose) => pose.bot.id === this.player.selected) : null;
    if (tank) {
      this.camera.follow(tank.x, tank.y, seconds);
    }
  }

  drawGroundIfMoved() {
    const key = this.camera.key;
    if (key !== this.groundKey && this.theme) {
      this.groundKey = key;
      drawGround(new DrawTarget(this.ground, this.view.ratio, this.camera, this.theme), this.overlay);
    }
  }

  /**
   * @param {number} x CSS pixels
   * @param {number} y CSS pixels
   * @returns {number | null} a bot's id
   */
  tankAt(x, y) {
    const { camera } = this;
    const near = this.poses
      .map((pose) => ({
        id: pose.bot.id,
        gap: Math.hypot(camera.screenX(pose.x) - x, camera.screenY(pose.y) - y) - TANK_RADIUS * camera.scale,
      }))
      .sort((a, b) => a.gap - b.gap)[0];
    return near && near.gap < CLICK_REACH ? near.id : null;
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  click(x, y) {
    const id = this.tankAt(x, y);
    this.player.select(id === this.player.selected ? null : id);
  }

  /** @param {number | null} id */
  hover(id) {
    if (id !== this.hovered) {
      this.hovered = id;
      this.context.canvas.classList.toggle("over-unit", id !== null);
      this.touch();
    }
  }
}

/**
 * Align a canvas to whole pixels.
 *
 * Between two pixels, a browser without a GPU blends each picture again, which takes three times as long.
 * @param {HTMLCanvasElement} canvas
 * @param {HTMLElement} place
 * @param {number} width CSS pixels
 * @param {number} height CSS pixels
 */
function onWholePixels(canvas, place, width, height) {
  const { left, top } = place.getBoundingClientRect();
  canvas.style.left = `${Math.round(left) - left}px`;
  canvas.style.top = `${Math.round(top) - top}px`;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
}

/**
 * @param {HTMLCanvasElement} canvas
 * @returns {CanvasRenderingContext2D}
 */
function contextOf(canvas) {
  const context = canvas.getContext("2d");
  if (!context) {
    throw new Error("This browser has no 2D canvas. Use a newer browser.");
  }
  return context;
}
