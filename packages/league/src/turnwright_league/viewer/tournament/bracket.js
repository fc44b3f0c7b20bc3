/** The bracket of a knockout: rounds from left to right, the final last. */
import { button, h } from "../widgets/dom.js";
import { fixed, plural } from "../widgets/format.js";
import { scrollBox } from "./scroll_box.js";
import { roundName } from "./rounds_data.js";
import { nameOf } from "./standings.js";

/** @typedef {import("./model.js").Tournament} Tournament */
/** @typedef {import("./model.js").Match} Match */

/** The number of rounds that a projector shows, from the round of 16 at the earliest. More matches would be too small. */
const PROJECTED = 3;
const PROJECTED_FROM_END = 4;

/**
 * @param {Tournament} data
 * @param {(entry: number, opponent: number) => void} onPair
 * @returns {HTMLElement | null} null in other formats
 */
export function bracket(data, onPair) {
  if (data.bracket === null) return null;
  const { first, rounds } = data.bracket;
  const begin = firstOnProjector(rounds);
  const columns = rounds.map((matches, nth) =>
    h("li", { class: nth < begin || nth >= begin + PROJECTED ? "bracket-round small" : "bracket-round" }, [
      h("h3", { text: roundName(rounds.length - nth) }),
      h("ul", { class: "matches" }, matches.map((match, k) => h("li", { class: "match" }, [card(data, match, `match-${first + nth}-${k}`, onPair)]))),
    ]),
  );
  return h("section", { id: "bracket", class: "part", "aria-label": "Bracket" }, [
    h("h2", { text: "Bracket" }),
    ...(first > 1 ? [h("p", { class: "hint", text: `From round ${first} on. Click a name in the standings for the battles of earlier rounds.` })] : []),
    scrollBox("Bracket, rounds", [
      h("ol", { class: "bracket" }, [...columns, winner(data, begin + PROJECTED < rounds.length)]),
    ]),
  ]);
}

/**
 * Return the first round that a projector shows.
 *
 * It is the round that is being played, or an earlier one if the final is near.
 * @param {Match[][]} rounds
 * @returns {number}
 */
function firstOnProjector(rounds) {
  const now = rounds.findIndex((matches) => matches.some(([, , , best]) => best === null));
  const last = Math.max(0, rounds.length - PROJECTED);
  return now < 0 ? last : Math.min(Math.max(now, rounds.length - PROJECTED_FROM_END), last);
}

/**
 * @param {Tournament} data
 * @param {boolean} isFar whether a projector does not show the final yet
 */
function winner(data, isFar) {
  const [final] = data.bracket?.rounds[data.bracket.rounds.length - 1] ?? [];
  const best = final?.[3] ?? null;
  return h("li", { class: isFar ? "bracket-round champion small" : "bracket-round champion" }, [
    h("h3", { text: "Winner" }),
    h("p", { class: best === null ? "match hint" : "match" }, [best === null ? "not known yet" : nameOf(data.entries[best])]),
  ]);
}

/**
 * @param {Tournament} data
 * @param {Match} match
 * @param {string} key
 * @param {(entry: number, opponent: number) => void} onPair
 */
function card(data, [sides, shares, battles, best, isBye], key, onPair) {
  const rows = sides.map((entry, k) => side(data, entry, shares[k], best !== null && entry === best, isBye));
  const [one, other] = sides;
  if (one === null || other === null) return h("div", { class: isBye ? "card bye" : "card open" }, rows);
  const state = best === null ? [h("span", { class: "hint", text: battles === 0 ? "to be played" : `${plural(battles, "battle")} so far` })] : [];
  return button({ "data-key": key, class: "card", title: "Show the battles" }, [...rows, ...state], () => onPair(one, other));
}

/**
 * @param {Tournament} data
 * @param {number | null} entry
 * @param {number | null} share
 * @param {boolean} ahead
 * @param {boolean} isBye
 */
function side(data, entry, share, ahead, isBye) {
  if (entry === null) return h("span", { class: "side hint", text: isBye ? "bye" : "–" });
  const number = share === null ? "" : `${fixed(share, 1)}${ahead ? " ✓" : ""}`;
  return h("span", { class: ahead ? "side ahead" : "side" }, [nameOf(data.entries[entry]), h("span", { class: "number", text: number })]);
}
