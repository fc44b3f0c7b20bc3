/** Small charts inside panels: answer times by turn, energies. */
import { sheetOf } from "../../../../viewer/widgets/canvas_util.js";
import { topOf } from "./bot/latency.js";
import { duration } from "../../../../viewer/widgets/format.js";

/** @typedef {import("../../../../viewer/widgets/canvas_util.js").Inks} Inks */
/** @typedef {import("./bot/latency.js").TurnTimes} TurnTimes */
/** Energy over a round, one point every `stride` turns. @typedef {{ stride: number, points: number[] }} Course */

/**
 * Draw one column for each turn: the bot's time below, the network's above it, and the server's on top.
 *
 * A missed turn is a triangle.
 * @param {HTMLCanvasElement} canvas
 * @param {TurnTimes[]} times oldest first
 * @param {number} turns how many columns
 * @param {Inks} inks
 */
export function drawLatency(canvas, times, turns, inks) {
  const sheet = sheetOf(canvas);
  if (!sheet) {
    return;
  }
  const { context, width, height } = sheet;
  const top = topOf(times);
  const wide = width / turns;
  const room = height - 8;
  context.fillStyle = inks.of("band-odd");
  context.fillRect(0, 0, width, height);
  times.forEach((turn, k) => {
    const x = (turns - times.length + k) * wide;
    let y = height;
    for (const [us, ink] of /** @type {[number | null, string][]} */ ([
      [turn.bot, "time-bot"],
      [turn.network, "time-network"],
      [turn.server, "time-server"],
    ])) {
      const tall = (Math.min(us ?? 0, top) / top) * room;
      context.fillStyle = inks.of(ink);
      context.fillRect(x, y - tall, Math.max(wide - 0.5, 0.5), tall);
      y -= tall;
    }
    if (turn.skipped) {
      drawTriangle(context, x + wide / 2, inks.of("bad"));
    }
  });
  context.fillStyle = inks.of("muted");
  context.font = "10px system-ui, sans-serif";
  context.textBaseline = "top";
  context.fillText(duration(top), 3, 2);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {string} color
 */
function drawTriangle(context, x, color) {
  context.fillStyle = color;
  context.beginPath();
  context.moveTo(x, 1);
  context.lineTo(x + 3.5, 7);
  context.lineTo(x - 3.5, 7);
  context.fill();
}

/**
 * Draw the energies of two bots over a round, to compare them.
 * @param {HTMLCanvasElement} canvas
 * @param {{ course: Course, color: string, dashes: number[], died: boolean }[]} lines the main one last
 * @param {number} turns of the round
 * @param {Inks} inks
 */
export function drawCourses(canvas, lines, turns, inks) {
  const sheet = sheetOf(canvas);
  if (!sheet) {
    return;
  }
  const { context, width, height } = sheet;
  const top = Math.max(100, ...lines.map((line) => Math.max(...line.course.points, 0)));
  context.strokeStyle = inks.of("line");
  context.fillStyle = inks.of("muted");
  context.font = "10px system-ui, sans-serif";
  context.strokeRect(0.5, 0.5, width - 1, height - 1);
  context.fillText("100", 3, height - (100 / top) * (height - 12) + 8);
  lines.forEach((line, k) => {
    context.strokeStyle = line.color;
    context.lineWidth = k === lines.length - 1 ? 2.5 : 1.5;
    context.setLineDash(line.dashes);
    context.beginPath();
    let [x, y] = [0, 0];
    line.course.points.forEach((energy, nth) => {
      x = Math.min((nth * line.course.stride) / Math.max(turns, 1), 1) * (width - 10) + 3;
      y = height - 3 - (energy / top) * (height - 12);
      context.lineTo(x, y);
    });
    context.stroke();
    context.setLineDash([]);
    if (line.died) {
      drawCross(context, x, y);
    }
  });
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y
 */
function drawCross(context, x, y) {
  context.beginPath();
  context.moveTo(x - 3, y - 3);
  context.lineTo(x + 3, y + 3);
  context.moveTo(x + 3, y - 3);
  context.lineTo(x - 3, y + 3);
  context.stroke();
}
