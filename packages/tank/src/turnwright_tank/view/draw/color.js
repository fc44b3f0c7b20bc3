/**
 * Colours: reading, mixing and contrast.
 *
 * Only "#RGB" and "#RRGGBB" are valid colours.
 */

/** @typedef {{ r: number, g: number, b: number }} Rgb 0…255 each */

const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

/**
 * Return a colour's parts, or null for an invalid colour.
 * @param {unknown} text
 * @returns {Rgb | null}
 */
export function parseColor(text) {
  if (typeof text !== "string" || !HEX.test(text)) {
    return null;
  }
  const digits = text.length === 4 ? [...text.slice(1)].map((digit) => digit + digit).join("") : text.slice(1);
  const number = Number.parseInt(digits, 16);
  return { r: number >> 16, g: (number >> 8) & 255, b: number & 255 };
}

/**
 * Return a valid colour for a canvas: the given colour, or the other one if it is invalid.
 * @param {unknown} text
 * @param {string} otherwise
 * @returns {string}
 */
export function colorOr(text, otherwise) {
  return typeof text === "string" && HEX.test(text) ? text : otherwise;
}

/** @param {Rgb} color */
function hex({ r, g, b }) {
  return `#${[r, g, b].map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
}

/**
 * Return a mix of two colours, "#rrggbb".
 * @param {string} from a colour
 * @param {string} to a colour
 * @param {number} part 0: `from`, 1: `to`
 */
export function mix(from, to, part) {
  const a = parseColor(from) ?? { r: 0, g: 0, b: 0 };
  const b = parseColor(to) ?? { r: 0, g: 0, b: 0 };
  return hex({
    r: a.r + (b.r - a.r) * part,
    g: a.g + (b.g - a.g) * part,
    b: a.b + (b.b - a.b) * part,
  });
}

/**
 * Return a colour with transparency, for a canvas.
 * @param {string} color a colour
 * @param {number} alpha 0…1
 */
export function withAlpha(color, alpha) {
  const { r, g, b } = parseColor(color) ?? { r: 128, g: 128, b: 128 };
  return `rgba(${r},${g},${b},${alpha})`;
}

/** @param {number} part 0…255 */
function linear(part) {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/**
 * Return how bright a colour is, 0…1. Source: WCAG 2.2, relative luminance.
 * @param {string} color
 */
export function luminance(color) {
  const { r, g, b } = parseColor(color) ?? { r: 0, g: 0, b: 0 };
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

/**
 * Return the contrast of two colours, 1…21. Source: WCAG 2.2, contrast ratio.
 * @param {string} one
 * @param {string} other
 */
export function contrast(one, other) {
  const a = luminance(one);
  const b = luminance(other);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

/**
 * Return black or white, whichever is readable on a colour.
 * @param {string} background
 */
export function inkOn(background) {
  return contrast(background, "#0b0f17") >= contrast(background, "#ffffff") ? "#0b0f17" : "#ffffff";
}
