/** Tournament rounds, side by side: who met whom, and who was ahead. */
import { button, h } from "../widgets/dom.js";
import { fixed } from "../widgets/format.js";
import { scrollBox } from "./scroll_box.js";
import { nameOf } from "./standings.js";

/** @typedef {import("./model.js").Tournament} Tournament */
/** @typedef {import("./model.js").Group} Group */

/**
 * @param {Tournament} data
 * @param {(entry: number, opponent: number) => void} onPair
 * @returns {HTMLElement | null} null in formats without rounds
 */
export function rounds(data, onPair) {
  if (data.rounds.length === 0) return null;
  const columns = data.rounds.map(({ number, groups, idle }) =>
    h("li", {}, [
      h("h3", { text: `Round ${number}` }),
      h("ul", { class: "groups" }, groups.map((group, nth) => card(data, group, `round-${number}-${nth}`, onPair))),
      ...(idle.length
        ? [h("p", { class: "hint" }, ["Without a battle: ", ...idle.slice(0, 8).flatMap((one, nth) => [nth ? ", " : "", nameOf(data.entries[one])]), idle.length > 8 ? ` and ${idle.length - 8} more` : ""])]
        : []),
    ]),
  );
  return h("section", { id: "rounds", class: "part", "aria-label": "Rounds" }, [
    h("h2", { text: data.format === "swiss" ? "Swiss rounds" : "Rounds" }),
    scrollBox("Rounds, list", [h("ol", { class: "rounds" }, columns)]),
  ]);
}

/**
 * @param {Tournament} data
 * @param {Group} group
 * @param {string} key
 * @param {(entry: number, opponent: number) => void} onPair
 */
function card(data, [entries, shares, battles], key, onPair) {
  const best = Math.max(...shares.map((share) => share ?? -1));
  const rows = entries.map((nth, k) => {
    const ahead = shares[k] !== null && shares[k] === best;
    return h("span", { class: ahead ? "side ahead" : "side" }, [
      h("span", { class: "place", text: `#${data.entries[nth].rank}` }),
      nameOf(data.entries[nth]),
      h("span", { class: "number", text: shares[k] === null ? "–" : `${fixed(shares[k], 1)}${ahead ? " ✓" : ""}` }),
    ]);
  });
  const state = battles === 0 ? [h("span", { class: "hint", text: "Not played yet" })] : [];
  return h("li", {}, [button({ "data-key": key, class: "card" }, [...rows, ...state], () => onPair(entries[0], entries[1]))]);
}
