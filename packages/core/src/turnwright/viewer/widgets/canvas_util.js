/** Canvases of panels. They are sharp on every screen and use the page's colours. */

/** The number of line colours in panels.css: --line-1 … --line-8. */
const COLORS = 8;
const DASHES = [[], [6, 3], [2, 3], [8, 3, 2, 3]];

/** The size of the page's letters on most screens, CSS pixels. Drawings have the same scale. */
const LETTERS = 14;

/**
 * A canvas that fills its place on the page. Its drawing units grow with the letters of the page, so that drawings are as
 * large as the letters on a projector, too.
 * @typedef {object} Sheet
 * @property {CanvasRenderingContext2D} context cleared
 * @property {number} width in units
 * @property {number} height in units
 * @property {number} unit CSS pixels in a unit
 */

/** @returns {number} the unit in which canvases of panels are drawn, in CSS pixels; 1 on most screens */
export function unitOf() {
  return parseFloat(getComputedStyle(document.body).fontSize) / LETTERS || 1;
}

/**
 * Give a canvas the size of its place on the page, and clear it for the next picture.
 * @param {HTMLCanvasElement} canvas
 * @returns {Sheet | null} null: the canvas is not visible
 */
export function sheetOf(canvas) {
  const unit = unitOf();
  const width = canvas.clientWidth / unit;
  const height = canvas.clientHeight / unit;
  const context = canvas.getContext("2d");
  if (context === null || width === 0 || height === 0) {
    return null;
  }
  const ratio = Math.min(window.devicePixelRatio || 1, 3);
  const [w, h] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
  if (canvas.width !== w || canvas.height !== h) {
    canvas.width = w;
    canvas.height = h;
  }
  context.setTransform(w / width, 0, 0, h / height, 0, 0);
  context.clearRect(0, 0, width, height);
  return { context, width, height, unit };
}

/**
 * The page's colours by their names in app.css and panels.css.
 *
 * They are read once, and again when the theme changes.
 */
export class Inks {
  constructor() {
    /** @type {Map<string, string>} */
    this.known = new Map();
    /** Increases when the colours have changed. */
    this.version = 0;
    const forget = () => {
      this.known.clear();
      this.version += 1;
    };
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", forget);
    new MutationObserver(forget).observe(document.documentElement, { attributes: true });
  }

  /**
   * @param {string} name such as "muted"
   * @returns {string} a colour
   */
  of(name) {
    let color = this.known.get(name);
    if (color === undefined) {
      color = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim() || "gray";
      this.known.set(name, color);
    }
    return color;
  }

  /**
   * @param {number} nth the number of a bot's seat
   * @returns {string} the colour of its lines
   */
  line(nth) {
    return this.of(`line-${(nth % COLORS) + 1}`);
  }
}

/**
 * @param {number} nth the number of a bot's seat
 * @returns {number[]} the dashes of its lines; up to 32 bots differ in colour or dashes
 */
export function dashesOf(nth) {
  return DASHES[Math.floor(nth / COLORS) % DASHES.length];
}

/**
 * @param {number} nth the number of a bot's seat
 * @returns {string} the class of its badge in panels.css
 */
export function lineClass(nth) {
  return `ink-${(nth % COLORS) + 1}`;
}
