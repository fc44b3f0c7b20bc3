/**
 * Intents of a record. Each is read and checked once, and stored in each turn.
 */

import { FileProblem, objectOf, text } from "../files/file_problem.js";

const COLOR_CHARS_MAX = 32;
const BLANK = /^(?:[^\S\ufeff]|[\x1c-\x1f\x85])*$/;
const BLANK_ENDS = /^(?:[^\S\ufeff]|[\x1c-\x1f\x85])+|(?:[^\S\ufeff]|[\x1c-\x1f\x85])+$/g;
const DIGITS = /^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;

const RATES = ["targetSpeed", "turnRate", "gunTurnRate", "radarTurnRate", "firepower"];
const SWITCHES = ["adjustGunForBodyTurn", "adjustRadarForBodyTurn", "adjustRadarForGunTurn", "rescan", "fireAssist"];
const COLORS = ["bodyColor", "turretColor", "radarColor", "bulletColor", "scanColor", "tracksColor", "gunColor"];

/**
 * An intent with defaults for fields that are not set. Colours that are not set or invalid are -1.
 * @typedef {object} Intent
 * @property {number} speed
 * @property {number} turn
 * @property {number} gunTurn
 * @property {number} radarTurn
 * @property {number} power
 * @property {number} adjustGunForBody 0 or 1, like the next four
 * @property {number} adjustRadarForBody
 * @property {number} adjustRadarForGun
 * @property {number} rescan
 * @property {number} fireAssist
 * @property {number[] | null} colors seven, 0xRRGGBB; null if none is set
 * @property {string | null} out
 * @property {string | null} err
 * @property {string | null} graphics
 */

/**
 * Return the intent of JSON values.
 *
 * Throws FileProblem for values of a wrong type.
 * @param {unknown} value
 * @returns {Intent}
 */
export function readIntent(value) {
  const said = objectOf(value, "intent");
  const [speed, turn, gunTurn, radarTurn, power] = RATES.map((name) => rateOf(said[name], name));
  const [gunForBody, radarForBody, radarForGun, rescan, fireAssist] = SWITCHES.map((name) => switchOf(said[name], name));
  const colors = COLORS.map((name) => colorOf(said[name], name));
  return {
    speed,
    turn,
    gunTurn,
    radarTurn,
    power,
    adjustGunForBody: gunForBody ?? 0,
    adjustRadarForBody: radarForBody ?? 0,
    adjustRadarForGun: radarForGun ?? 0,
    rescan: rescan ?? 0,
    fireAssist: fireAssist ?? 1,
    colors: colors.some((color) => color >= 0) ? colors : null,
    out: textOf(said.stdOut, "stdOut"),
    err: textOf(said.stdErr, "stdErr"),
    graphics: textOf(said.debugGraphics, "debugGraphics"),
  };
}

/** The empty intent. */
export const IDLE = readIntent({});

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {number}
 */
function rateOf(value, name) {
  if (value === undefined || value === null) {
    return 0;
  }
  if (typeof value !== "number") {
    throw wrong(value, name, "a number");
  }
  return Number.isFinite(value) ? value : 0;
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {number | null}
 */
function switchOf(value, name) {
  if (value === undefined || value === null) {
    return null;
  }
  if (typeof value !== "boolean") {
    throw wrong(value, name, "true or false");
  }
  return value ? 1 : 0;
}

/**
 * @param {unknown} value
 * @param {string} name
 * @returns {string | null}
 */
function wordOf(value, name) {
  if (value === undefined || value === null) {
    return null;
  }
  if (typeof value !== "string") {
    throw wrong(value, name, "a text");
  }
  return value;
}

/**
 * Return a text to show, or null for a blank text.
 * @param {unknown} value
 * @param {string} name
 * @returns {string | null}
 */
function textOf(value, name) {
  const word = wordOf(value, name);
  return word === null || BLANK.test(word) ? null : word;
}

/**
 * Return a colour as 0xRRGGBB, or -1 if it is not a colour.
 * @param {unknown} value
 * @param {string} name
 * @returns {number}
 */
function colorOf(value, name) {
  const word = wordOf(value, name);
  if (word === null || word.length > COLOR_CHARS_MAX) {
    return -1;
  }
  const color = word.replace(BLANK_ENDS, "");
  if (!DIGITS.test(color)) {
    return -1;
  }
  const digits = color.slice(1);
  return parseInt(digits.length === 6 ? digits : [...digits].map((digit) => digit + digit).join(""), 16);
}

/**
 * @param {unknown} value
 * @param {string} name
 * @param {string} wanted
 * @returns {FileProblem}
 */
function wrong(value, name, wanted) {
  return new FileProblem(`an intent's ${name} is ${text(value, 40)}; expected ${wanted}`);
}

/**
 * Return "#RRGGBB", or null for a colour never set.
 * @param {number} color
 * @returns {string | null}
 */
export function colorText(color) {
  return color < 0 ? null : `#${color.toString(16).toUpperCase().padStart(6, "0")}`;
}
