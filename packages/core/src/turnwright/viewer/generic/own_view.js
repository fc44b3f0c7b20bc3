/** A game's own view. The page shows its mistakes in one line each. */

/** @typedef {import("./game_view.js").SimpleView} SimpleView */
/** @typedef {{ message: string, filename: string, lineno: number }} ScriptError */

const FIELDS = /** @type {const} */ (["size", "draw", "status", "say", "mark", "describe"]);
const FILE = "own_view.js";
const AS_TEXT = "frames are shown as text";
const LINE_CHARS = 300;

/** The mistakes of a view: the first of each kind. */
export class Mistakes {
  constructor() {
    /** @type {Map<string, string>} the line of each field */
    this.lines = new Map();
    /** @type {(message: string) => void} */
    this.say = () => {};
  }

  /**
   * @param {string} field
   * @param {string} line
   */
  add(field, line) {
    if (!this.lines.has(field)) {
      this.lines.set(field, `view.js: ${line}`.replaceAll(/\s+/g, " ").slice(0, LINE_CHARS));
      this.tell();
    }
  }

  /**
   * Show all mistakes, those so far and later ones.
   * @param {(message: string) => void} say
   */
  onto(say) {
    this.say = say;
    this.tell();
  }

  /** Show the mistakes again, because another message has replaced them. */
  tell() {
    if (this.lines.size > 0) {
      this.say([...this.lines.values()].join("; "));
    }
  }
}

/**
 * Return a view that never throws. If a method throws, the view behaves as if the method returned nothing.
 * @param {unknown} view
 * @param {Mistakes} mistakes
 * @returns {SimpleView}
 */
export function checkedView(view, mistakes) {
  if (typeof view !== "object" || view === null) {
    mistakes.add("view", `\`view\` is ${view === null ? "null" : `a ${typeof view}`}; expected an object; ${AS_TEXT}`);
    return {};
  }
  /** @type {Record<string, unknown>} */
  const checked = {};
  for (const field of FIELDS) {
    const method = /** @type {Record<string, unknown>} */ (view)[field];
    if (typeof method === "function") {
      checked[field] = guarded(view, field, method, mistakes);
    } else if (method !== undefined) {
      mistakes.add(field, `${field} is a ${typeof method}; expected a function`);
    }
  }
  return /** @type {SimpleView} */ (checked);
}

/**
 * @param {object} view
 * @param {string} field
 * @param {Function} method
 * @param {Mistakes} mistakes
 */
function guarded(view, field, method, mistakes) {
  return (/** @type {any[]} */ ...given) => {
    try {
      const returned = method.apply(view, given);
      if (field === "size" && !isSize(returned)) {
        mistakes.add(field, `size() returned ${shown(returned)}; expected { width, height }, numbers above 0`);
        return undefined;
      }
      return returned;
    } catch (error) {
      if (!mistakes.lines.has(field)) {
        console.error(`view.js: ${field}() failed`, error);
      }
      mistakes.add(field, `${field}() threw ${error}`);
      return undefined;
    }
  };
}

/** @param {any} size */
function isSize(size) {
  return [size?.width, size?.height].every((length) => Number.isFinite(length) && length > 0);
}

/** @param {any} size */
function shown(size) {
  return typeof size === "object" && size !== null ? `{ width: ${size.width}, height: ${size.height} }` : `${size}`;
}

/**
 * Return the view that the page's own script has stored.
 *
 * It is empty if that script failed.
 * @param {{ turnwrightView?: unknown, turnwrightErrors?: ScriptError[] }} page
 * @param {Mistakes} mistakes
 * @returns {SimpleView}
 */
export function viewOf(page, mistakes) {
  if ("turnwrightView" in page) {
    return checkedView(page.turnwrightView, mistakes);
  }
  const errors = page.turnwrightErrors ?? [];
  const found = errors.find(({ filename }) => filename.endsWith(FILE));
  const first = found ?? errors[0];
  const where = found === undefined ? "" : ` (line ${found.lineno})`;
  mistakes.add("view", `${first === undefined ? "it did not load" : first.message + where}; ${AS_TEXT}`);
  return {};
}
