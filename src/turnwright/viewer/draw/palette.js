/**
 * Which colours things have: the two themes, the colours of seats and teams, and a tank's own colours.
 *
 * Seats are told apart by number, name and place first; their colours only help. The first eight are Okabe and Ito's,
 * which people with the usual kinds of colour blindness can tell apart.
 */
import { colorOr, mix } from "./color.js";

/** @typedef {import("../model.js").BotState} BotState */
/** @typedef {import("../model.js").BattleInfo} BattleInfo */

/**
 * @typedef {object} Theme
 * @property {"dark" | "light"} name
 * @property {string} outside around the arena
 * @property {string} floor
 * @property {string} floorEdge
 * @property {string} grid
 * @property {string} gridStrong
 * @property {string} wall
 * @property {string} wallLight
 * @property {string} scale numbers along the walls
 * @property {string} pill behind names
 * @property {string} pillLine
 * @property {string} ink names
 * @property {string} mutedInk
 * @property {string} rim around tanks
 * @property {string} bullet where a bot has set no colour
 * @property {string} select
 * @property {string} wreck
 */

/** @type {Theme} */
const DARK = {
  name: "dark",
  outside: "#0b0f17",
  floor: "#182133",
  floorEdge: "#111827",
  grid: "rgba(160,185,230,0.055)",
  gridStrong: "rgba(160,185,230,0.12)",
  wall: "#3a4864",
  wallLight: "#6d80a6",
  scale: "#8391ac",
  pill: "#0b111d",
  pillLine: "#33415c",
  ink: "#f2f5fb",
  mutedInk: "#aeb9cd",
  rim: "#c9d6ee",
  bullet: "#ffe3a3",
  select: "#ffffff",
  wreck: "#05070c",
};

/** @type {Theme} */
const LIGHT = {
  name: "light",
  outside: "#e3e7ee",
  floor: "#fbfcfe",
  floorEdge: "#eff2f7",
  grid: "rgba(30,50,90,0.07)",
  gridStrong: "rgba(30,50,90,0.14)",
  wall: "#8d9ab1",
  wallLight: "#5d6b85",
  scale: "#56627a",
  pill: "#ffffff",
  pillLine: "#b4bfd0",
  ink: "#141a26",
  mutedInk: "#4d586c",
  rim: "#1d2534",
  bullet: "#8a3d00",
  select: "#10151f",
  wreck: "#2c3342",
};

/**
 * @param {"dark" | "light"} name
 * @returns {Theme}
 */
export function themeNamed(name) {
  return name === "light" ? LIGHT : DARK;
}

const SEATS = [
  "#56b4e9",
  "#e69f00",
  "#17b384",
  "#e58bc0",
  "#e8dc3c",
  "#3b82d6",
  "#e5622b",
  "#a9b4c6",
  "#9d7bf2",
  "#8fd14f",
  "#f2a6a0",
  "#c58a5a",
];

/**
 * Return the colour of a seat or a team, "#rrggbb"; more than twelve get hues of their own.
 * @param {number} order 0-based
 */
export function seatColor(order) {
  if (order < SEATS.length) {
    return SEATS[Math.max(0, order)] ?? "#56b4e9";
  }
  const hue = (order * 137.508) % 360;
  return fromHue(hue, order % 2 === 0 ? 0.62 : 0.74);
}

/**
 * @param {number} hue degrees
 * @param {number} light 0…1
 */
function fromHue(hue, light) {
  const reach = 0.55 * Math.min(light, 1 - light);
  /** @param {number} shift */
  const part = (shift) => {
    const place = (shift + hue / 30) % 12;
    return light - reach * Math.max(-1, Math.min(place - 3, 9 - place, 1));
  };
  return `#${[0, 8, 4]
    .map((shift) => Math.round(part(shift) * 255).toString(16).padStart(2, "0"))
    .join("")}`;
}

/**
 * How a bot is told apart from the others.
 * @typedef {{ order: number, color: string, team: number | null, teamName: string | null, name: string }} Mark
 */

/**
 * Return each seat's mark: its number, its colour (its team's, where teams play) and its team's number.
 * @param {BattleInfo | null} battle
 * @returns {Map<number, Mark>} by bot id
 */
export function marksOf(battle) {
  /** @type {Map<number, Mark>} */
  const marks = new Map();
  const teams = [...new Set((battle?.seats ?? []).map((seat) => seat.teamId).filter((id) => id !== null))];
  (battle?.seats ?? []).forEach((seat, order) => {
    const team = seat.teamId === null ? null : teams.indexOf(seat.teamId);
    const color = seatColor(team === null ? order + (teams.length > 0 ? teams.length : 0) : team);
    marks.set(seat.id, { order, color, team, teamName: seat.teamName, name: seat.name });
  });
  return marks;
}

/**
 * The colours of one tank, each "#RRGGBB".
 * @typedef {{ body: string, turret: string, gun: string, radar: string, tracks: string, scan: string }} TankColors
 */

/**
 * Return a tank's colours: its own where it has set them, else shades of its mark's colour.
 * @param {BotState} bot
 * @param {string} seat the colour of its mark
 * @returns {TankColors}
 */
export function tankColors(bot, seat) {
  const body = colorOr(bot.bodyColor, mix(seat, "#26324a", 0.22));
  const turret = colorOr(bot.turretColor, mix(body, "#0a0f18", 0.34));
  return {
    body,
    turret,
    gun: colorOr(bot.gunColor, mix(turret, "#cfd8e6", 0.28)),
    radar: colorOr(bot.radarColor, mix(seat, "#ffffff", 0.55)),
    tracks: colorOr(bot.tracksColor, "#343b48"),
    scan: colorOr(bot.scanColor, mix(seat, "#ffffff", 0.25)),
  };
}
