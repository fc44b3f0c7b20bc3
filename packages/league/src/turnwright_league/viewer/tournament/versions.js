/** The versions of a bot, each measured against the bots that play now. */
import { h } from "../widgets/dom.js";
import { amount, fixed, plural } from "../widgets/format.js";
import { momentText } from "./figures.js";
import { scrollBox } from "./scroll_box.js";

/** @typedef {import("./model.js").Tournament} Tournament */
/** @typedef {import("./model.js").VersionRow} VersionRow */

/**
 * @param {Tournament} data
 * @param {number} nth number of the bot's entry
 * @returns {Node[]} empty if the bot has only one version
 */
export function versions(data, nth) {
  const { versions: rows, versions_more: left } = data.entries[nth];
  if (rows.length === 0) return [];
  const titles = ["Version", "First battle", "Last battle", "APS", "Opponents", "Battles"];
  const table = h("table", { class: "scores versions" }, [
    h("thead", {}, [h("tr", {}, titles.map((text, place) => h("th", { scope: "col", class: place > 2 ? "number" : "text", text })))]),
    h("tbody", {}, rows.map((row) => versionRow(row))),
  ]);
  return [
    h("h3", { text: "Versions" }),
    scrollBox("Versions, table", [table]),
    h("p", { class: "hint", text: "APS of each version against those current versions of other bots that it has met. Only the current version is in the standings." }),
    ...(left > 0 ? [h("p", { class: "hint", text: `And ${plural(left, "earlier version")}.` })] : []),
    h("h3", { text: "Battles of the current version" }),
  ];
}

/** @param {VersionRow} row */
function versionRow([version, id, isCurrent, firstUs, lastUs, aps, opponents, battles]) {
  return h("tr", {}, [
    h("th", { scope: "row", class: "text stays" }, [h("bdi", { text: version }), ` #${id}${isCurrent ? " (current)" : ""}`]),
    h("td", { class: "text", text: momentText(firstUs) }),
    h("td", { class: "text", text: momentText(lastUs) }),
    h("td", { class: "number", text: fixed(aps, 1) }),
    h("td", { class: "number", text: amount(opponents) }),
    h("td", { class: "number", text: amount(battles) }),
  ]);
}
