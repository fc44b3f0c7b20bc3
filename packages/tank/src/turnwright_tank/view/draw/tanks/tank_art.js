/**
 * The shape of a tank, in units, facing east, centred on its turret.
 *
 * Callers scale and turn it.
 *
 *        ┌────────────┐   track
 *      ┌─┴──────────┐ │
 *      │  hull  (O)═╪═╪══  gun
 *      └─┬──────────┘ │
 *        └────────────┘   track
 */
import { mix, withAlpha } from "../color.js";

/** @typedef {import("../palette.js").TankColors} TankColors */
/** @typedef {import("../bitmap_cache.js").Pen} Pen */

/** Units between two treads of a track. */
export const TREAD = 5;

const TRACK_LONG = 17;
const TRACK_IN = 9.6;
const TRACK_OUT = 16.4;

/**
 * Draw one track, on the left side; `side` -1 gives the right one.
 * @param {Pen} pen
 * @param {TankColors} colors
 * @param {string} rim
 * @param {number} phase 0…1: how far the treads have moved towards the next one
 * @param {number} side 1 or -1
 */
export function drawTrack(pen, colors, rim, phase, side) {
  const top = side > 0 ? -TRACK_OUT : TRACK_IN;
  const wide = TRACK_OUT - TRACK_IN;
  pen.save();
  pen.beginPath();
  pen.roundRect(-TRACK_LONG, top, TRACK_LONG * 2, wide, 2.8);
  pen.fillStyle = mix(colors.tracks, "#000000", 0.25);
  pen.fill();
  pen.save();
  pen.clip();
  pen.fillStyle = mix(colors.tracks, "#ffffff", 0.2);
  for (let x = -TRACK_LONG - TREAD + phase * TREAD; x < TRACK_LONG + TREAD; x += TREAD) {
    pen.fillRect(x, top, TREAD * 0.44, wide);
  }
  pen.fillStyle = "rgba(0,0,0,0.28)";
  pen.fillRect(-TRACK_LONG, side > 0 ? top + wide - 1.6 : top, TRACK_LONG * 2, 1.6);
  pen.restore();
  pen.lineWidth = 0.9;
  pen.strokeStyle = withAlpha(rim, 0.4);
  pen.stroke();
  pen.restore();
}

/** @param {Pen} pen */
function hullPath(pen) {
  pen.beginPath();
  pen.moveTo(-14.5, -8.5);
  pen.quadraticCurveTo(-14.5, -11, -12, -11);
  pen.lineTo(9, -11);
  pen.lineTo(15, -6);
  pen.quadraticCurveTo(17, 0, 15, 6);
  pen.lineTo(9, 11);
  pen.lineTo(-12, 11);
  pen.quadraticCurveTo(-14.5, 11, -14.5, 8.5);
  pen.closePath();
}

/**
 * Draw the hull.
 * @param {Pen} pen
 * @param {TankColors} colors
 * @param {string} rim
 */
export function drawHull(pen, colors, rim) {
  const shade = pen.createLinearGradient(-14, 0, 17, 0);
  shade.addColorStop(0, mix(colors.body, "#000000", 0.24));
  shade.addColorStop(0.55, colors.body);
  shade.addColorStop(1, mix(colors.body, "#ffffff", 0.3));
  hullPath(pen);
  pen.fillStyle = shade;
  pen.fill();
  pen.lineWidth = 1.1;
  pen.strokeStyle = withAlpha(rim, 0.8);
  pen.stroke();
  pen.strokeStyle = "rgba(0,0,0,0.35)";
  pen.lineWidth = 0.8;
  pen.beginPath();
  for (const x of [-12.2, -10.4, -8.6]) {
    pen.moveTo(x, -6);
    pen.lineTo(x, 6);
  }
  pen.moveTo(8.8, -10.4);
  pen.lineTo(8.8, 10.4);
  pen.stroke();
  pen.fillStyle = mix(colors.body, "#ffffff", 0.75);
  pen.beginPath();
  pen.arc(12.6, -4.4, 1, 0, 7);
  pen.arc(12.6, 4.4, 1, 0, 7);
  pen.fill();
}

/**
 * Draw turret and gun.
 * @param {Pen} pen
 * @param {TankColors} colors
 * @param {string} rim
 */
export function drawTurret(pen, colors, rim) {
  const barrel = pen.createLinearGradient(0, -2.4, 0, 2.4);
  barrel.addColorStop(0, mix(colors.gun, "#ffffff", 0.35));
  barrel.addColorStop(0.5, colors.gun);
  barrel.addColorStop(1, mix(colors.gun, "#000000", 0.35));
  pen.fillStyle = barrel;
  pen.strokeStyle = withAlpha(rim, 0.75);
  pen.lineWidth = 0.9;
  pen.beginPath();
  pen.roundRect(5, -2.2, 18.5, 4.4, 0.8);
  pen.roundRect(22, -3, 4.6, 6, 1);
  pen.fill();
  pen.stroke();
  pen.fill();
  const dome = pen.createRadialGradient(-2.5, -2.5, 0.5, 0, 0, 9.4);
  dome.addColorStop(0, mix(colors.turret, "#ffffff", 0.42));
  dome.addColorStop(0.6, colors.turret);
  dome.addColorStop(1, mix(colors.turret, "#000000", 0.3));
  pen.fillStyle = dome;
  pen.beginPath();
  pen.moveTo(8.6, -3.4);
  pen.quadraticCurveTo(7.2, -8.8, 0, -8.8);
  pen.quadraticCurveTo(-9.4, -8.4, -9.4, 0);
  pen.quadraticCurveTo(-9.4, 8.4, 0, 8.8);
  pen.quadraticCurveTo(7.2, 8.8, 8.6, 3.4);
  pen.closePath();
  pen.fill();
  pen.lineWidth = 1;
  pen.stroke();
}

/**
 * Draw the radar.
 * @param {Pen} pen
 * @param {TankColors} colors
 */
export function drawRadar(pen, colors) {
  pen.lineCap = "round";
  for (const [color, width] of /** @type {[string, number][]} */ ([
    ["rgba(0,0,0,0.6)", 3.6],
    [colors.radar, 2],
  ])) {
    pen.strokeStyle = color;
    pen.fillStyle = color;
    pen.lineWidth = width;
    pen.beginPath();
    pen.arc(4.2, 0, 7.4, Math.PI - 1.02, Math.PI + 1.02);
    pen.moveTo(-3.2, 0);
    pen.lineTo(3, 0);
    pen.stroke();
    pen.beginPath();
    pen.arc(3.4, 0, width * 0.6, 0, 7);
    pen.fill();
  }
}

/**
 * Draw the mark of a droid, which has no radar.
 * @param {Pen} pen
 * @param {TankColors} colors
 */
export function drawDroidHatch(pen, colors) {
  pen.strokeStyle = colors.radar;
  pen.lineWidth = 1.6;
  pen.strokeRect(-3.6, -3.6, 7.2, 7.2);
}
