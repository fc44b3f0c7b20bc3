/** A table of results, with a "Why?" button for each bot. */
import { badge } from "../../../../viewer/widgets/badge.js";
import { button, h } from "../../../../viewer/widgets/dom.js";
import { grouped, ordinal, shortName } from "../../../../viewer/widgets/format.js";
import { SCORE_PARTS } from "../score_columns.js";
import { partsOf } from "./score_parts.js";

/** @typedef {import("../../../../viewer/page/panel_context.js").PanelContext} PanelContext */
/** @typedef {import("../model.js").ResultRow} ResultRow */

const MEDALS = new Map([
  [1, "①"],
  [2, "②"],
  [3, "③"],
]);

/**
 * @param {PanelContext} shared
 * @param {ResultRow[]} rows
 * @param {(id: number) => void} why
 * @param {boolean} detailed with all parts of the score
 * @param {boolean} short only place, name and score
 * @returns {HTMLTableElement}
 */
export function resultsTable(shared, rows, why, detailed, short = false) {
  const terms = detailed ? SCORE_PARTS : [];
  const last = short ? [] : ["1st / 2nd / 3rd"];
  const names = ["Place", "Bot", "Score", ...terms.map(([, name]) => name), ...last];
  const head = h(
    "tr",
    {},
    names.map((text) => h("th", { scope: "col", text })),
  );
  if (!short) {
    head.append(h("td")); // above the buttons
  }
  const body = rows.map((row) => {
    const parts = partsOf(row);
    return h("tr", { class: row.rank === 1 ? "winner" : null }, [
      h("td", { class: "place-cell", text: MEDALS.get(row.rank) ?? String(row.rank) }),
      h("td", {}, [h("div", { class: "who" }, whoOf(shared, row))]),
      h("td", { class: "number score", text: grouped(row.totalScore) }),
      ...terms.map(([key]) => h("td", { class: "number", text: grouped(parts[key]) })),
      ...(short
        ? []
        : [
            h("td", { class: "number", text: `${row.firstPlaces} / ${row.secondPlaces} / ${row.thirdPlaces}` }),
            h("td", {}, [whyButton(shared, row, why)]),
          ]),
    ]);
  });
  return h("table", { class: "results" }, [h("thead", {}, [head]), h("tbody", {}, body)]);
}

/**
 * @param {PanelContext} shared
 * @param {ResultRow} row
 * @returns {(Node | string)[]}
 */
function whoOf(shared, row) {
  const ids = botsOf(shared, row);
  return [...ids.slice(0, 6).map((id) => badge(shared, id)), ` ${shortName(row.name)}`];
}

/**
 * @param {PanelContext} shared
 * @param {ResultRow} row
 * @returns {number[]} the bots that a row is about
 */
function botsOf(shared, row) {
  if (row.isTeam) {
    return shared.seats.filter((seat) => seat.teamId === row.id).map((seat) => seat.id);
  }
  return [row.id];
}

/**
 * @param {PanelContext} shared
 * @param {ResultRow} row
 * @param {(id: number) => void} why
 * @returns {Node}
 */
function whyButton(shared, row, why) {
  const [first] = botsOf(shared, row);
  if (first === undefined) {
    return h("span");
  }
  const label = `Why did ${shortName(row.name)} finish in ${ordinal(row.rank)} place?`;
  return button({ class: "why-button", "aria-label": label, title: label }, ["Why?"], () => why(first));
}
