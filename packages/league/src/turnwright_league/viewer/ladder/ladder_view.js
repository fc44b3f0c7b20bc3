/** The part for everybody: the ladder, running battles, tournaments. */
import { h } from "../widgets/dom.js";
import { fixed, plural, shortName } from "../widgets/format.js";
import { liveAddress } from "./model.js";

/** @typedef {import("./model.js").LadderOverview} LadderOverview */
/** @typedef {import("./model.js").Me} Me */
/** @typedef {import("./model.js").Tournament} Tournament */
/** @typedef {import("./model.js").Place} Place */
/** @typedef {import("./model.js").Running} Running */

const SHOWN = 15;

/**
 * @param {LadderOverview} overview
 * @param {Me} me
 * @returns {Node[]}
 */
export function ladderTable(overview, me) {
  const own = new Set((me.uploads ?? []).map((one) => one.place?.entry));
  const rows = overview.ladder.filter((row, nth) => nth < SHOWN || own.has(row.entry));
  const titles = ["Place", "Bot", "APS", "± 95 %", "Battles"];
  const table = h("table", { class: "ladder" }, [
    h("thead", {}, [h("tr", {}, titles.map((text, nth) => h("th", { scope: "col", class: nth === 1 ? "text" : "number", text })))]),
    h("tbody", {}, rows.map((row) => place(row, own.has(row.entry)))),
  ]);
  const left = overview.ladder.length - rows.length;
  return [h("h2", { text: "Ladder" }), h("div", { class: "scroll" }, [table]), ...(left > 0 ? [h("p", { class: "hint", text: `And ${plural(left, "bot")} more: see Standings.` })] : [])];
}

/**
 * @param {Place} row
 * @param {boolean} own
 * @returns {HTMLElement}
 */
function place(row, own) {
  const half = row.low === null || row.high === null ? null : (row.high - row.low) / 2;
  return h("tr", { class: own ? "own" : null }, [
    h("td", { class: "number", text: row.aps === null ? "–" : String(row.rank) }),
    h("th", { scope: "row", class: "text" }, [h("bdi", { text: shortName(row.name, 40) })]),
    h("td", { class: "number", text: fixed(row.aps, 1) }),
    h("td", { class: "number", text: fixed(half, 1) }),
    h("td", { class: "number", text: String(row.battles) }),
  ]);
}

/**
 * @param {LadderOverview} overview
 * @returns {Node[]}
 */
export function runningItems(overview) {
  const waiting = overview.waiting > 0 ? [h("p", { class: "hint", text: `${plural(overview.waiting, "upload")} waiting for the check or the first battle.` })] : [];
  const now = overview.running.length ? h("ul", { class: "now" }, overview.running.map(played)) : h("p", { class: "hint", text: overview.tournaments.some((one) => one.state === "running") ? "A tournament is being played. The ladder is paused." : overview.bots > 0 ? "No battle is being played." : "No bot has been uploaded yet." });
  return [h("h2", { text: "Being played" }), now, ...waiting];
}

/**
 * @param {Running} battle
 * @returns {HTMLElement}
 */
function played({ id, names, live }) {
  const address = live ? liveAddress(id) : null;
  const link = address === null ? [] : [" ", h("a", { href: address, target: "_blank", rel: "noopener", "data-key": `live-${id}`, "aria-label": `Watch ${names}`, text: "Watch" })];
  return h("li", {}, [h("bdi", { text: shortName(names, 90) }), ...link]);
}

/**
 * @param {LadderOverview} overview
 * @returns {Node[]}
 */
export function tournamentItems(overview) {
  if (overview.tournaments.length === 0) return [];
  return [h("h2", { text: "Tournaments" }), h("ul", { class: "tournaments" }, overview.tournaments.map(tournament))];
}

/**
 * @param {Tournament} one
 * @returns {HTMLElement}
 */
function tournament(one) {
  const state = {
    running: one.total === null ? "begins" : `is played: ${one.done ?? 0} of ${plural(one.total ?? 0, "battle")}`,
    over: "is over",
    stopped: "was stopped",
    failed: `failed: ${one.why}`,
  }[one.state];
  return h("li", {}, [h("a", { href: `tournaments/${one.id}/tournament`, target: "_blank", rel: "noopener", "data-key": `cup-${one.id}` }, [h("bdi", { text: shortName(one.name, 40) })]), ` ${state}`]);
}
