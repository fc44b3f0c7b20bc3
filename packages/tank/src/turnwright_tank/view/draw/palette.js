/**
 * Colours of the two themes, of seats, teams and tanks.
 *
 * Numbers, names and places distinguish seats, and colours only help. The first eight colours are those of Okabe and
 * Ito, which people with the usual kinds of colour blindness can distinguish.
 */
import { colorOr, mix, parseColor } from "./color.js";

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
 * @property {string} shade under tanks
 * @property {string} bullet if a bot has set no colour
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
  shade: "rgba(0,0,0,0.24)",
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
  shade: "rgba(20,30,60,0.11)",
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

/** The colours of seats in order, which repeat after the last. They equal --line-1 … --line-8 in app.css. */
const SEATS = {
  dark: ["#56b4e9", "#e69f00", "#17b384", "#e58bc0", "#e8dc3c", "#8aa0ff", "#f0753f", "#b6c0d0"],
  light: ["#1673a8", "#9c6400", "#067a55", "#b0447f", "#7a7000", "#4356c9", "#c4420a", "#5b6678"],
};

/**
 * Return the colour of a seat.
 * @param {number} order 0-based
 * @param {"dark" | "light"} theme
 */
export function seatColor(order, theme) {
  const colors = SEATS[theme];
  return colors[Math.max(0, order) % colors.length] ?? "#8aa0ff";
}

/**
 * The mark that distinguishes a bot from the others.
 * @typedef {object} Mark
 * @property {number} id
 * @property {number} order of its seat, from 0
 * @property {string} color of its seat
 * @property {string} paint the seat's colour for the tank itself, bright in both themes
 * @property {number | null} team from 0; null for a bot that plays alone
 * @property {string} teamColor that of its seat if it plays alone
 * @property {boolean} painted whether its tank has its seat's paint instead of the bot's own colours
 * @property {string} name
 */

/**
 * Return each seat's mark.
 * @param {BattleInfo | null} battle
 * @param {"dark" | "light"} theme
 * @returns {Map<number, Mark>} by bot id
 */
export function marksOf(battle, theme) {
  const seats = battle?.seats ?? [];
  const teams = [...new Set(seats.map((seat) => seat.teamId).filter((id) => id !== null))];
  return new Map(
    seats.map((seat, order) => {
      const color = seatColor(order, theme);
      const team = seat.teamId === null ? null : teams.indexOf(seat.teamId);
      const teamColor = team === null ? color : seatColor(team, theme);
      const paint = seatColor(order, "dark");
      return [seat.id, { id: seat.id, order, color, paint, team, teamColor, painted: false, name: seat.name }];
    }),
  );
}

/**
 * The colours of one tank, each "#RRGGBB".
 * @typedef {{ body: string, turret: string, gun: string, radar: string, tracks: string }} TankColors
 */

/** Body colours nearer to each other, or to the floor, count as equal, 0…765. */
const SAME_BODY = 160;
/** The floor of the dark theme, on which a dark body is not visible. */
const FLOOR = "#182133";

/**
 * Return the distance of two colours, 0…765.
 *
 * It is a sum that weights red, green and blue by how well eyes see them.
 * @param {string} one
 * @param {string} other
 */
function apart(one, other) {
  const [a, b] = [parseColor(one), parseColor(other)];
  if (a === null || b === null) {
    return Infinity;
  }
  const red = (a.r + b.r) / 2;
  const parts = [(2 + red / 256) * (a.r - b.r) ** 2, 4 * (a.g - b.g) ** 2, (2 + (255 - red) / 256) * (a.b - b.b) ** 2];
  return Math.sqrt(parts[0] + parts[1] + parts[2]);
}

/**
 * Return the bots that are drawn in their seats' paint, so that no two tanks look alike.
 *
 * They have no body colour, a colour like the floor, or a colour near that of another tank.
 * @param {{ id: number, bodyColor: string | null }[]} bots
 * @param {Map<number, Mark>} marks
 * @returns {Set<number>} ids
 */
export function paintedBots(bots, marks) {
  const own = bots.filter(({ bodyColor }) => parseColor(bodyColor) !== null);
  const painted = new Set(bots.filter((bot) => !own.includes(bot)).map(({ id }) => id));
  const clashes = (/** @type {{ id: number, bodyColor: string | null }} */ bot) =>
    apart(String(bot.bodyColor), FLOOR) < SAME_BODY ||
    bots.some(({ id, bodyColor }) => {
      const other = painted.has(id) ? marks.get(id)?.paint : bodyColor;
      return id !== bot.id && apart(String(bot.bodyColor), String(other)) < SAME_BODY;
    });
  for (let left = own; left.length > 0; ) {
    const alike = left.filter(clashes); // all at once, so neither of two equal tanks keeps its colour
    alike.forEach(({ id }) => painted.add(id));
    left = alike.length > 0 ? left.filter(({ id }) => !painted.has(id)) : [];
  }
  return painted;
}

/**
 * Return a tank's colours: its own, or shades of its mark's colour if it has set none.
 * @param {BotState} bot
 * @param {string} seat the paint of its mark
 * @param {boolean} painted whether its own body colour is ignored
 * @returns {TankColors}
 */
export function tankColors(bot, seat, painted = false) {
  const body = colorOr(painted ? null : bot.bodyColor, mix(seat, "#26324a", 0.16));
  const turret = colorOr(painted ? null : bot.turretColor, mix(body, "#0a0f18", 0.34));
  return {
    body,
    turret,
    gun: colorOr(painted ? null : bot.gunColor, mix(turret, "#cfd8e6", 0.28)),
    radar: colorOr(bot.radarColor, mix(seat, "#ffffff", 0.55)),
    tracks: colorOr(bot.tracksColor, "#343b48"),
  };
}

/**
 * Return the colour of a radar's sweep, the bot's own or its mark's.
 * @param {BotState} bot
 * @param {string} seat
 */
export function scanColor(bot, seat) {
  return colorOr(bot.scanColor, seat);
}
