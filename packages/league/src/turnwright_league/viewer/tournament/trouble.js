/** Failures of entries, by kind, and their late answers. */
import { button, h } from "../widgets/dom.js";
import { amount, capital, duration, plural } from "../widgets/format.js";
import { scrollBox } from "./scroll_box.js";
import { problems } from "./figures.js";
import { FAILURES } from "./model.js";
import { nameOf } from "./standings.js";

/** @typedef {import("./model.js").Tournament} Tournament */

const ROWS_MAX = 100;

/**
 * @param {Tournament} data
 * @param {() => void} onProblems
 * @returns {HTMLElement | null} null: there was no failure, missed turn or late answer
 */
export function trouble(data, onProblems) {
  const has = data.entries.map((_, nth) => nth).filter((nth) => data.entries[nth].trouble.slice(0, -1).some((count) => count > 0));
  const found = problems(data).length;
  if (has.length === 0 && found === 0) return null;
  const titles = ["Entry", ...FAILURES.map(capital), "Missed turns", "Late answers", "Slowest p99"];
  const table = h("table", { class: "trouble" }, [
    h("caption", { class: "hidden-text", text: "Failures of entries: number of battles, and of turns" }),
    h("thead", {}, [h("tr", {}, titles.map((text, nth) => h("th", { scope: "col", class: nth ? "number" : "text stays", text })))]),
    h("tbody", {}, has.slice(0, ROWS_MAX).map((nth) => row(data, nth))),
  ]);
  const left = has.length - ROWS_MAX;
  return h("section", { id: "trouble", class: "part", "aria-label": "Failures" }, [
    h("h2", { text: "Failures and late answers" }),
    ...(has.length ? [scrollBox("Failures, table", [table])] : []),
    ...(left > 0 ? [h("p", { class: "hint", text: `And ${left} more.` })] : []),
    ...(found
      ? [button({ "data-key": "problems" }, [`Show ${plural(found, "forfeited, void or suspect battle")}`], onProblems)]
      : []),
  ]);
}

/**
 * @param {Tournament} data
 * @param {number} nth
 */
function row(data, nth) {
  const counts = data.entries[nth].trouble;
  const p99 = counts[counts.length - 1];
  const texts = [...counts.slice(0, -1).map((count) => (count ? amount(count) : "–")), p99 > 0 ? duration(p99) : "–"];
  return h("tr", {}, [
    h("th", { scope: "row", class: "text stays" }, [nameOf(data.entries[nth])]),
    ...texts.map((text) => h("td", { class: "number", text })),
  ]);
}
