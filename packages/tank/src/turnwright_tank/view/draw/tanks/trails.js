/** Trails of tanks: their positions in the last turns. Older parts are fainter. */
import { botsOf } from "../motion.js";
import { withAlpha } from "../color.js";

/** @typedef {import("../draw_target.js").DrawTarget} DrawTarget */
/** @typedef {import("../../model.js").Frame} Frame */
/** @typedef {import("../motion.js").Pose} Pose */

export const TRAIL_TURNS = 90;
const PARTS = 5;
const LEAP = 60;

/**
 * Return the places of a tank, newest first, beginning with its current place.
 * @param {(index: number) => Frame | null} at
 * @param {Frame} frame
 * @param {Pose} pose
 * @param {number} turns
 * @returns {{ x: number, y: number }[]}
 */
export function trailOf(at, frame, pose, turns) {
  const trail = [{ x: pose.x, y: pose.y }];
  for (let index = frame.index; index > frame.index - turns && index >= 0; index--) {
    const before = at(index);
    const bot = before?.roundNumber === frame.roundNumber ? botsOf(before).get(pose.bot.id) : null;
    const last = trail[trail.length - 1];
    if (!bot || !last || Math.abs(bot.x - last.x) + Math.abs(bot.y - last.y) > LEAP) {
      break;
    }
    trail.push({ x: bot.x, y: bot.y });
  }
  return trail;
}

/**
 * @param {DrawTarget} target
 * @param {{ x: number, y: number }[]} trail newest first
 * @param {string} color
 */
export function drawTrail(target, trail, color) {
  const { context } = target;
  const long = Math.ceil(TRAIL_TURNS / PARTS);
  context.lineCap = "round";
  context.lineJoin = "round";
  for (let part = PARTS - 1; part >= 0; part--) {
    const points = trail.slice(part * long, (part + 1) * long + 1);
    context.strokeStyle = withAlpha(color, 0.62 * (1 - part / PARTS));
    context.lineWidth = Math.max(1.2, 2.4 - part * 0.25);
    context.beginPath();
    points.forEach((point, order) => {
      const x = target.x(point.x);
      const y = target.y(point.y);
      if (order === 0) {
        context.moveTo(x, y);
      } else {
        context.lineTo(x, y);
      }
    });
    context.stroke();
  }
}
