/**
 * Shows any JSON value as lines and tables.
 *
 * This is for games that do not draw their frames.
 */
import { h } from "../widgets/dom.js";

/** The largest number of table rows, list items and letters of a text that are shown. Only the number of others is shown. */
const ROWS_MAX = 200;
const ITEMS_MAX = 60;
const CHARS_MAX = 400;
const DEPTH_MAX = 6;

/**
 * @typedef {{ kind: "line", depth: number, name: string, text: string }
 *   | { kind: "table", depth: number, name: string, columns: string[], rows: string[][], more: number }} Part
 */

/**
 * Return the lines and tables that show a value.
 * @param {unknown} value
 * @param {string} [name] the name of the field with the value; "": the value is not in a field
 * @param {number} [depth] the number of values around it
 * @returns {Part[]}
 */
export function partsOf(value, name = "", depth = 0) {
  if (isTable(value)) {
    const columns = [...new Set(value.slice(0, ROWS_MAX).flatMap((row) => Object.keys(row)))];
    const rows = value.slice(0, ROWS_MAX).map((row) => columns.map((column) => short(row[column])));
    return [{ kind: "table", depth, name, columns, rows, more: Math.max(value.length - ROWS_MAX, 0) }];
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value) && depth < DEPTH_MAX) {
    const inner = Object.entries(value).flatMap(([key, field]) => partsOf(field, key, name === "" ? depth : depth + 1));
    return name === "" ? inner : [{ kind: "line", depth, name, text: "" }, ...inner];
  }
  return [{ kind: "line", depth, name, text: short(value) }];
}

/**
 * @param {unknown} value
 * @returns {value is Record<string, unknown>[]}
 */
function isTable(value) {
  const isRow = (/** @type {unknown} */ row) => typeof row === "object" && row !== null && !Array.isArray(row);
  return Array.isArray(value) && value.length > 0 && value.every(isRow);
}

/**
 * Return a value as a short text.
 * @param {unknown} value
 * @returns {string}
 */
function short(value) {
  if (value === undefined) {
    return "";
  }
  const many = Array.isArray(value) && value.length > ITEMS_MAX;
  const text = typeof value === "string" ? value : JSON.stringify(many ? value.slice(0, ITEMS_MAX) : value);
  const more = many ? ` and ${value.length - ITEMS_MAX} more` : "";
  return (text.length > CHARS_MAX ? `${text.slice(0, CHARS_MAX)}…` : text) + more;
}

/** An element that shows one value. */
export class FrameText {
  constructor() {
    this.element = h("div", { class: "frame-text" });
    this.shown = "";
  }

  /** @param {unknown} value null: nothing */
  show(value) {
    const key = JSON.stringify(value) ?? "";
    if (key !== this.shown) {
      this.shown = key;
      this.element.replaceChildren(...(value === null ? [] : partsOf(value).map(elementOf)));
    }
  }
}

/**
 * @param {Part} part
 * @returns {HTMLElement}
 */
function elementOf(part) {
  const depth = `depth-${Math.min(part.depth, DEPTH_MAX)}`;
  if (part.kind === "line") {
    const text = part.text === "" ? [] : [h("span", { class: "value", text: part.text })];
    return h("p", { class: depth }, [...(part.name === "" ? [] : [h("b", { text: part.name }), " "]), ...text]);
  }
  const head = h("tr", {}, part.columns.map((text) => h("th", { scope: "col", text })));
  const rows = part.rows.map((cells) => h("tr", {}, cells.map((text) => h("td", { text }))));
  const more = part.more > 0 ? [h("p", { class: "hint", text: `and ${part.more} more rows` })] : [];
  const table = h("table", {}, [h("caption", { text: part.name }), h("thead", {}, [head]), h("tbody", {}, rows)]);
  return h("div", { class: depth }, [table, ...more]);
}
