/** The picture of the arena between two frames, drawn layer by layer. */
import { DrawTarget } from "./draw_target.js";
import { DebugDrawings } from "./debug/debug_drawings.js";
import { effectsAt } from "./effects.js";
import { drawEffects, drawLosses } from "./effects_art.js";
import { Labels } from "./labels.js";
import { flightsAt, posesAt } from "./motion.js";
import { marksOf, paintedBots, scanColor, seatColor } from "./palette.js";
import { drawAim, drawBeam, drawSweep } from "./scans.js";
import { Sprites } from "./tanks/sprites.js";
import { drawBullet, drawSelection, drawTank, drawWreck } from "./tanks/tanks.js";
import { TRAIL_TURNS, drawTrail, trailOf } from "./tanks/trails.js";
import { Treads } from "./tanks/treads.js";
import { Wrecks } from "./tanks/wrecks.js";

/** @typedef {import("../model.js").Frame} Frame */
/** @typedef {import("../model.js").Source} Source */
/** @typedef {import("./camera.js").Camera} Camera */
/** @typedef {import("./motion.js").Pose} Pose */
/** @typedef {import("./palette.js").Mark} Mark */
/** @typedef {import("./palette.js").Theme} Theme */

/** @typedef {"all" | "selected" | "none"} Which */

/**
 * @typedef {object} ArenaOptions
 * @property {Which} scans
 * @property {Which} trails
 * @property {boolean} names
 * @property {boolean} losses whether lost energy is shown
 * @property {boolean} debug whether bots' own drawings are shown
 * @property {boolean} calm less motion
 * @property {number | null} selected bot id
 * @property {number | null} hovered bot id
 * @property {number} overtime turns since the frame
 * @property {number} seconds since the last picture
 */

/** Turns after a death until the wreck is visible, when the explosion has nearly ended. */
const WRECK_AFTER = 11;

/** With more tanks than this, losses of energy are not shown, because there would be too many figures. */
const LOSSES_TANKS_MAX = 24;

/** The memory from one picture to the next; one for each canvas. */
export class ArenaView {
  /**
   * @param {Camera} camera
   * @param {() => void} onReady called when something that was missing (an image) can now be drawn
   */
  constructor(camera, onReady) {
    this.camera = camera;
    /** Device pixels for each CSS pixel. */
    this.ratio = 1;
    /** Device pixels for each CSS pixel on the coarse canvas, whose shapes have no sharp edges. */
    this.hazeRatio = 0.5;
    /** Whether the coarse canvas shows anything. */
    this.hazy = false;
    /** @type {Theme | null} */
    this.theme = null;
    this.sprites = new Sprites();
    this.treads = new Treads();
    this.wrecks = new Wrecks();
    this.labels = new Labels();
    this.drawings = new DebugDrawings(onReady);
    /** @type {Source | null} */
    this.source = null;
    /** @type {Map<number, Mark>} */
    this.marks = new Map();
    /** @type {Map<number, string | null>} body colours that bots have set, by id */
    this.bodies = new Map();
  }

  /**
   * Take a source whose battle is now known, another source, or another theme.
   * @param {Source | null} source
   * @param {Theme} theme
   */
  use(source, theme) {
    this.source = source;
    this.theme = theme;
    this.marks = marksOf(source?.battle ?? null, theme.name);
    this.bodies.clear();
    this.wrecks.clear();
  }

  /**
   * @param {number} id
   * @param {string} name
   * @returns {Mark}
   */
  markOf(id, name) {
    const known = this.marks.get(id);
    if (known) {
      return known;
    }
    const order = this.marks.size;
    const color = seatColor(order, this.theme?.name ?? "dark");
    const paint = seatColor(order, "dark");
    const mark = { id, order, color, paint, team: null, teamColor: color, painted: false, name };
    this.marks.set(id, mark);
    return mark;
  }

  /**
   * Take the colours that bots have set.
   *
   * Tanks that look alike get their seats' paint. Dead tanks count, too, so that no tank changes its colour at a death.
   * @param {Frame} frame
   */
  paint(frame) {
    let changed = false;
    for (const { id, name, bodyColor } of frame.botStates) {
      changed = this.bodies.get(id) !== bodyColor || changed;
      this.bodies.set(id, bodyColor);
      this.markOf(id, name);
    }
    if (changed) {
      const bots = [...this.bodies].map(([id, bodyColor]) => ({ id, bodyColor }));
      const painted = paintedBots(bots, this.marks);
      for (const mark of this.marks.values()) {
        mark.painted = painted.has(mark.id);
      }
    }
  }
}

/**
 * Draw the arena between two frames.
 *
 * Both canvases are cleared first. The ground is on a separate canvas.
 * @param {{ haze: CanvasRenderingContext2D, main: CanvasRenderingContext2D }} layers
 * @param {ArenaView} view
 * @param {Frame} frame
 * @param {Frame | null} next
 * @param {number} fraction 0…1 of the way from frame to next
 * @param {ArenaOptions} options
 * @returns {Pose[]} where the living tanks were drawn
 */
export function drawArena(layers, view, frame, next, fraction, options) {
  const { camera, ratio, theme, sprites, source } = view;
  wipe(layers.main);
  if (!theme) {
    return [];
  }
  const target = new DrawTarget(layers.main, ratio, camera, theme);
  sprites.use(target.tankScale * ratio, theme);
  const beyond = fraction + options.overtime;
  const at = (/** @type {number} */ index) => (index === frame.index ? frame : (source?.at(index) ?? null));
  view.paint(frame);
  const poses = posesAt(frame, next, fraction);
  const living = poses.filter((pose) => !pose.dead);
  drawHaze(new DrawTarget(layers.haze, view.hazeRatio, camera, theme), view, living, options);
  drawWrecks(target, view, frame, beyond);
  target.level();
  drawBeams(target, view, living, options);
  drawTrailsOf(target, view, frame, living, at, options);
  target.soften(true);
  for (const flight of flightsAt(frame, next, fraction)) {
    drawBullet(target, sprites, flight, view.markOf(flight.bullet.ownerId, ""));
  }
  target.soften(false);
  for (const pose of living) {
    drawTank(target, sprites, view.treads, pose, view.markOf(pose.bot.id, pose.bot.name));
  }
  target.level();
  const chosen = living.find((pose) => pose.bot.id === options.selected);
  if (chosen) {
    drawSelection(target, chosen);
  }
  const arena = { width: camera.arenaWidth, height: camera.arenaHeight };
  const effects = effectsAt(at, frame.index, beyond, arena);
  target.soften(true);
  drawEffects(target, sprites, effects, options);
  target.soften(false);
  if (options.debug) {
    view.drawings.draw(target, living);
  }
  if (options.names) {
    drawNames(target, view, living, options);
  }
  if (options.losses && living.length <= LOSSES_TANKS_MAX) {
    drawLosses(target, effects);
  }
  return living;
}

/**
 * Clear a canvas.
 * @param {CanvasRenderingContext2D} context
 */
export function wipe(context) {
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
}

/**
 * Draw the sectors that radars have swept, up to the walls.
 * @param {DrawTarget} target of the coarse canvas
 * @param {ArenaView} view
 * @param {Pose[]} living
 * @param {ArenaOptions} options
 */
function drawHaze(target, view, living, options) {
  const { context } = target;
  const seeing = living.filter((pose) => wanted(options.scans, options.selected, pose) && !pose.bot.isDroid);
  if (view.hazy || seeing.length > 0) {
    wipe(context);
  }
  view.hazy = seeing.length > 0;
  if (!view.hazy) {
    return;
  }
  context.save();
  clipToWalls(target);
  target.level();
  for (const pose of seeing) {
    const mark = view.markOf(pose.bot.id, pose.bot.name);
    drawSweep(target, pose, scanColor(pose.bot, mark.color), pose.bot.id === options.selected);
  }
  context.restore();
}

/**
 * Clip drawing at the walls.
 *
 * The bounds are whole pixels, because a bound between two pixels makes all filling slow.
 * @param {DrawTarget} target
 */
function clipToWalls(target) {
  const { context, camera, ratio } = target;
  const left = Math.round(target.x(0) * ratio);
  const top = Math.round(target.y(camera.arenaHeight) * ratio);
  const right = Math.round(target.x(camera.arenaWidth) * ratio);
  const bottom = Math.round(target.y(0) * ratio);
  context.beginPath();
  context.rect(left, top, right - left, bottom - top);
  context.clip();
}

/**
 * @param {DrawTarget} target
 * @param {ArenaView} view
 * @param {Frame} frame
 * @param {number} beyond
 */
function drawWrecks(target, view, frame, beyond) {
  if (!view.source) {
    return;
  }
  for (const wreck of view.wrecks.at(view.source, frame)) {
    const age = frame.index - wreck.index + beyond - WRECK_AFTER;
    drawWreck(target, view.sprites, wreck, view.markOf(wreck.id, ""), Math.min(1, age / 8));
  }
}

/**
 * @param {Which} which
 * @param {number | null} selected
 * @param {Pose} pose
 */
function wanted(which, selected, pose) {
  return which === "all" || (which === "selected" && pose.bot.id === selected);
}

/**
 * @param {DrawTarget} target
 * @param {ArenaView} view
 * @param {Pose[]} living
 * @param {ArenaOptions} options
 */
function drawBeams(target, view, living, options) {
  for (const pose of living) {
    const chosen = pose.bot.id === options.selected;
    if (wanted(options.scans, options.selected, pose) && !pose.bot.isDroid) {
      const mark = view.markOf(pose.bot.id, pose.bot.name);
      drawBeam(target, pose, scanColor(pose.bot, mark.color), chosen);
    }
    if (chosen) {
      drawAim(target, pose);
    }
  }
}

/**
 * @param {DrawTarget} target
 * @param {ArenaView} view
 * @param {Frame} frame
 * @param {Pose[]} living
 * @param {(index: number) => Frame | null} at
 * @param {ArenaOptions} options
 */
function drawTrailsOf(target, view, frame, living, at, options) {
  for (const pose of living) {
    if (wanted(options.trails, options.selected, pose)) {
      const mark = view.markOf(pose.bot.id, pose.bot.name);
      drawTrail(target, trailOf(at, frame, pose, TRAIL_TURNS), mark.color);
    }
  }
}

/**
 * @param {DrawTarget} target
 * @param {ArenaView} view
 * @param {Pose[]} living
 * @param {ArenaOptions} options
 */
function drawNames(target, view, living, options) {
  const tanks = living.map((pose) => ({
    pose,
    mark: view.markOf(pose.bot.id, pose.bot.name),
    first: pose.bot.id === options.selected || pose.bot.id === options.hovered,
  }));
  view.labels.draw(target, tanks, options.seconds);
}
