/** What radars have just swept, and where guns point. */
import { withAlpha } from "./color.js";
import { RADAR_RADIUS } from "../model.js";

/** @typedef {import("./brush.js").Brush} Brush */
/** @typedef {import("./motion.js").Pose} Pose */

/** A sweep narrower than this is drawn as a line, degrees. */
const LINE_DEG = 0.4;

/**
 * Draw a radar's sweep.
 * @param {Brush} brush
 * @param {Pose} pose
 * @param {string} color
 * @param {boolean} strong whether its tank is selected
 */
export function drawScan(brush, pose, color, strong) {
  const { context, camera } = brush;
  const x = brush.x(pose.x);
  const y = brush.y(pose.y);
  const reach = RADAR_RADIUS * camera.scale;
  const to = (-pose.radar * Math.PI) / 180;
  const from = (-(pose.radar - pose.sweep) * Math.PI) / 180;
  const light = brush.theme.name === "light";
  if (Math.abs(pose.sweep) > LINE_DEG) {
    context.fillStyle = withAlpha(color, (light ? 0.16 : 0.075) * (strong ? 1.9 : 1));
    context.beginPath();
    context.moveTo(x, y);
    context.arc(x, y, reach, from, to, pose.sweep > 0);
    context.closePath();
    context.fill();
  }
  context.strokeStyle = withAlpha(color, (light ? 0.7 : 0.34) * (strong ? 1.5 : 1));
  context.lineWidth = strong ? 1.5 : 1;
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(x + Math.cos(to) * reach, y + Math.sin(to) * reach);
  context.stroke();
}

/**
 * Draw where a gun points.
 * @param {Brush} brush
 * @param {Pose} pose
 */
export function drawAim(brush, pose) {
  const { context, camera, theme } = brush;
  const angle = (pose.gun * Math.PI) / 180;
  const reach = (camera.arenaWidth + camera.arenaHeight) * camera.scale;
  const near = 30 * brush.tankScale;
  const x = brush.x(pose.x);
  const y = brush.y(pose.y);
  context.lineWidth = 1;
  context.strokeStyle = withAlpha(theme.select, 0.3);
  context.beginPath();
  context.moveTo(x + Math.cos(angle) * near, y - Math.sin(angle) * near);
  context.lineTo(x + Math.cos(angle) * reach, y - Math.sin(angle) * reach);
  context.stroke();
}
