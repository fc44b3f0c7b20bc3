/** The matrix of pairings, with shares of points. Each cell opens its battles. */
import { button, h } from "../widgets/dom.js";
import { fixed, plural } from "../widgets/format.js";
import { scrollBox } from "./scroll_box.js";
import { mark, nameOf } from "./standings.js";

/** @typedef {import("./model.js").Tournament} Tournament */
/** @typedef {import("./model.js").Cell} Cell */

/** The strongest colour, in percent of it. */
const HEAT_MAX = 55;

/**
 * @param {Tournament} data
 * @param {(entry: number, opponent: number) => void} onCell
 * @returns {HTMLElement | null} null: no two entries have met
 */
export function matrix(data, onCell) {
  if (data.cells.length === 0) return null;
  const count = data.entries.length - data.matrix_more;
  /** @type {Map<number, Cell>} */
  const cells = new Map(data.cells.map((cell) => [cell[0] * count + cell[1], cell]));
  const all = data.entries.slice(0, count).map((_, nth) => nth);
  const head = h("tr", {}, [
    h("th", { scope: "col", class: "stays", text: "Entry" }),
    ...all.map((nth) => h("th", { scope: "col", class: "number", title: data.entries[nth].name, "aria-label": data.entries[nth].name, text: `#${nth + 1}` })),
  ]);
  const rows = all.map((nth) => h("tr", {}, [
    h("th", { scope: "row", class: "text stays" }, [h("span", { class: "place", text: `#${nth + 1}` }), mark(nth), nameOf(data.entries[nth])]),
    ...all.map((other) => cellOf(data, cells.get(nth * count + other), nth, other, onCell)),
  ]));
  const table = h("table", { class: "matrix" }, [
    h("caption", { class: "hidden-text", text: "Score share of the row's bot against the column's bot, in percent" }),
    h("thead", {}, [head]),
    h("tbody", {}, rows),
  ]);
  const left = data.matrix_more;
  return h("section", { id: "pairings", class: "part", "aria-label": "Pairings" }, [
    h("h2", { text: "Pairings" }),
    h("p", { class: "hint", text: `Score share of the row's bot against the column's bot, in percent. Each cell opens its battles.${left ? ` The best ${count} of ${data.entries.length} are shown. The names above open the battles of the other ${left}.` : ""}` }),
    scrollBox("Pairings, table", [table]),
  ]);
}

/**
 * @param {Tournament} data
 * @param {Cell | undefined} cell
 * @param {number} nth
 * @param {number} other
 * @param {(entry: number, opponent: number) => void} onCell
 */
function cellOf(data, cell, nth, other, onCell) {
  if (cell === undefined) return h("td", { class: nth === other ? "self" : "unmet", text: nth === other ? "" : "·" });
  const [, , share, low, high, wins, battles] = cell;
  const ends = low === null || high === null ? "" : `, interval ${fixed(low, 1)} to ${fixed(high, 1)}`;
  const words = `${data.entries[nth].name} against ${data.entries[other].name}: ${fixed(share)} %${ends}, wins ${fixed(wins)} %, ${plural(battles, "battle")}`;
  const press = button({ "data-key": `cell-${nth}-${other}`, "aria-label": words, title: words }, [fixed(share)], () => onCell(nth, other));
  const strength = fixed((Math.abs(share - 50) / 50) * HEAT_MAX);
  press.style.setProperty("--heat", `${strength}%`);
  press.className = share >= 50 ? "heat ahead" : "heat behind";
  return h("td", {}, [press]);
}
