/** Radar sweeps of this turn, and the lines of guns. */
import { withAlpha } from "./color.js";
import { RADAR_RADIUS } from "../resim/rules.js";

/** @typedef {import("./draw_target.js").DrawTarget} DrawTarget */
/** @typedef {import("./motion.js").Pose} Pose */

/** A sweep narrower than this is drawn as a line, degrees. */
const LINE_DEG = 0.4;

/**
 * Draw the sector that a radar has swept.
 *
 * This wide faint wedge takes most time of all shapes, and looks the same on a coarse canvas.
 * @param {DrawTarget} target
 * @param {Pose} pose
 * @param {string} color
 * @param {boolean} strong whether its tank is selected
 */
export function drawSweep(target, pose, color, strong) {
  if (Math.abs(pose.sweep) <= LINE_DEG) {
    return;
  }
  const { context, camera, theme } = target;
  const x = target.x(pose.x);
  const y = target.y(pose.y);
  const to = (-pose.radar * Math.PI) / 180;
  const from = (-(pose.radar - pose.sweep) * Math.PI) / 180;
  context.fillStyle = withAlpha(color, (theme.name === "light" ? 0.16 : 0.075) * (strong ? 1.9 : 1));
  context.beginPath();
  context.moveTo(x, y);
  context.arc(x, y, RADAR_RADIUS * camera.scale, from, to, pose.sweep > 0);
  context.closePath();
  context.fill();
}

/**
 * Draw the direction of a radar.
 * @param {DrawTarget} target
 * @param {Pose} pose
 * @param {string} color
 * @param {boolean} strong whether its tank is selected
 */
export function drawBeam(target, pose, color, strong) {
  const { context, theme } = target;
  const angle = (pose.radar * Math.PI) / 180;
  const far = Math.min(RADAR_RADIUS, wayToWall(target.camera, pose, angle));
  context.strokeStyle = withAlpha(color, (theme.name === "light" ? 0.7 : 0.34) * (strong ? 1.5 : 1));
  context.lineWidth = strong ? 1.5 : 1;
  line(target, pose, angle, 0, far);
}

/**
 * Draw the direction of a gun.
 * @param {DrawTarget} target
 * @param {Pose} pose
 */
export function drawAim(target, pose) {
  const { context, camera, theme } = target;
  const angle = (pose.gun * Math.PI) / 180;
  context.lineWidth = 1;
  context.strokeStyle = withAlpha(theme.select, 0.3);
  line(target, pose, angle, (30 * target.tankScale) / camera.scale, wayToWall(camera, pose, angle));
}

/**
 * @param {DrawTarget} target
 * @param {{ x: number, y: number }} from arena
 * @param {number} angle radians counter-clockwise
 * @param {number} near distance at which it begins, units
 * @param {number} far distance at which it ends, units
 */
function line(target, from, angle, near, far) {
  if (!(far > near)) {
    return;
  }
  const { context } = target;
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  context.beginPath();
  context.moveTo(target.x(from.x + cos * near), target.y(from.y + sin * near));
  context.lineTo(target.x(from.x + cos * far), target.y(from.y + sin * far));
  context.stroke();
}

/**
 * Return the distance from a point to the wall.
 * @param {{ arenaWidth: number, arenaHeight: number }} arena
 * @param {{ x: number, y: number }} from arena
 * @param {number} angle radians counter-clockwise
 * @returns {number} units; 0 for a point outside
 */
export function wayToWall({ arenaWidth, arenaHeight }, from, angle) {
  const along = (/** @type {number} */ step, /** @type {number} */ at, /** @type {number} */ side) =>
    step > 0 ? (side - at) / step : step < 0 ? -at / step : Infinity;
  const way = Math.min(along(Math.cos(angle), from.x, arenaWidth), along(Math.sin(angle), from.y, arenaHeight));
  return Math.max(0, way);
}
