/** The table of a Swiss tournament: points, Buchholz, the opponents by round. */
import { button, h } from "../widgets/dom.js";
import { fixed, plural } from "../widgets/format.js";
import { scrollBox } from "./scroll_box.js";
import { swissResults } from "./rounds_data.js";
import { mark, nameOf } from "./standings.js";

/** @typedef {import("./model.js").Tournament} Tournament */
/** @typedef {import("./rounds_data.js").SwissResult} SwissResult */

const SIGNS = { won: "✓", lost: "✗", drawn: "=", bye: "bye", away: "–", waiting: "…" };
const WORDS = { won: "beat", lost: "lost to", drawn: "drew with", bye: "", away: "", waiting: "meets" };

/**
 * @param {Tournament} data
 * @param {(entry: number, opponent: number) => void} onPair
 * @returns {HTMLElement | null} null in other formats
 */
export function swiss(data, onPair) {
  const points = data.swiss;
  if (points === null || data.rounds.length === 0) return null;
  const head = h("tr", {}, [
    h("th", { scope: "col", class: "number", text: "#" }),
    h("th", { scope: "col", class: "text stays", text: "Entry" }),
    h("th", { scope: "col", class: "number", text: "Points", title: "1 for a won pairing, ½ for a draw, 1 for a bye" }),
    h("th", { scope: "col", class: "number", text: "Buchholz", title: "The sum of the opponents' points, which decides between equal points" }),
    ...data.rounds.map(({ number }) => h("th", { scope: "col", class: "text", text: `R${number}`, "aria-label": `Round ${number}` })),
  ]);
  const rows = data.entries.map((entry, nth) =>
    h("tr", {}, [
      h("td", { class: "number", text: String(entry.rank) }),
      h("th", { scope: "row", class: "text name-cell stays" }, [mark(nth), nameOf(entry)]),
      h("td", { class: "number is-aps", text: fixed(points[nth][0], 1) }),
      h("td", { class: "number", text: fixed(points[nth][1], 1) }),
      ...swissResults(data, nth).map((result) => cell(data, nth, result, onPair)),
    ]),
  );
  return h("section", { id: "swiss", class: "part", "aria-label": "Swiss table" }, [
    h("h2", { text: "Swiss table" }),
    h("p", { class: "hint", text: "Each round's opponent by place: ✓ won, ✗ lost, = drawn, … not played yet. A cell opens the battles of the two." }),
    scrollBox("Swiss table, rounds", [
      h("table", { class: "swiss" }, [h("caption", { class: "hidden-text", text: "Points and opponents by round" }), h("thead", {}, [head]), h("tbody", {}, rows)]),
    ]),
  ]);
}

/**
 * @param {Tournament} data
 * @param {number} nth
 * @param {SwissResult} result
 * @param {(entry: number, opponent: number) => void} onPair
 */
function cell(data, nth, { round, kind, opponent, shares, battles }, onPair) {
  if (opponent === null) return h("td", { class: "text unmet", text: SIGNS[kind] });
  const other = data.entries[opponent];
  const numbers = shares[0] === null ? "" : `, ${fixed(shares[0], 1)} to ${fixed(shares[1], 1)} %, ${plural(battles, "battle")}`;
  const words = `Round ${round}: ${data.entries[nth].name} ${WORDS[kind]} ${other.name}${numbers}`;
  const shown = [h("span", { "aria-hidden": "true", text: `${SIGNS[kind]} ` }), `#${other.rank}`, h("span", { class: "hidden-text", text: ` ${words}` })];
  const press = button({ "data-key": `swiss-${nth}-${round}`, class: `result is-${kind}`, title: words }, shown, () => onPair(nth, opponent));
  return h("td", { class: "text" }, [press]);
}
