/**
 * A list of battles in the dialog.
 *
 * For each battle it has scores, answer times, a way to replay it, and the reason if it does not count.
 */
import { button, h } from "../widgets/dom.js";
import { amount, duration, plural } from "../widgets/format.js";
import { scrollBox } from "./scroll_box.js";
import { momentText, replayOf } from "./figures.js";
import { nameOf } from "./standings.js";

/** @typedef {import("./model.js").Tournament} Tournament */
/** @typedef {import("./figures.js").Battle} Battle */
/** @typedef {import("./figures.js").Score} Score */

const PAGE = 20;
const COPIED_MS = 2000;
/** @type {Record<string, string>} */
const STATES = { ok: "Played", forfeit: "Forfeit", void: "Void", suspect: "Suspect" };

/**
 * @param {Tournament} data
 * @param {Battle[]} battles
 * @returns {Node[]}
 */
export function battleList(data, battles) {
  const list = h("ol", { class: "battles" });
  const more = button({}, [""], () => show());
  const show = () => {
    const from = list.children.length;
    list.append(...battles.slice(from, from + PAGE).map((one) => item(data, one)));
    const left = battles.length - list.children.length;
    more.textContent = `Show ${Math.min(left, PAGE)} more of ${left}`;
    more.hidden = left <= 0;
    if (from > 0) list.children[from].querySelector("a, button")?.dispatchEvent(new Event("focus"));
  };
  show();
  const left = data.battles_more;
  const note = left
    ? [h("p", { class: "hint", text: `The page has the newest ${plural(data.battles.length, "battle")}; ${plural(left, "older one")} of the tournament: turnwright tournament show ${data.folder} --json` })]
    : [];
  return [h("p", { class: "hint", text: battles.length ? `${plural(battles.length, "battle")}, newest first` : "This page contains none of its battles." }), list, more, ...note];
}

/**
 * @param {Tournament} data
 * @param {Battle} battle
 */
function item(data, battle) {
  const state = battle.suspect.length > 0 && battle.state !== "void" ? "suspect" : battle.state;
  const facts = [
    momentText(battle.playedUs),
    `seed ${battle.seed}`,
    plural(battle.turns, "turn"),
    battle.attempts > 1 && `played ${battle.attempts} times`,
    battle.serverLate > 0 && `the server was late in ${plural(battle.serverLate, "turn")}`,
  ];
  const why = [
    ...battle.suspect.map((one) => `Does not count: ${one}.`),
    ...(battle.state === "void" ? ["Does not count: the rules or the server failed."] : []),
  ];
  return h("li", { class: `played is-${state}` }, [
    h("p", { class: "battle-head" }, [
      h("strong", { class: "state", text: STATES[state] ?? "" }),
      h("span", { class: "told", text: facts.filter(Boolean).join(" · ") }),
    ]),
    ...why.map((text) => h("p", { class: "why", text })),
    ...battle.scores.filter((row) => row.failure !== null).map((row) => failure(data, row)),
    replay(data, battle),
    scrollBox(`Scores and answer times, battle of ${momentText(battle.playedUs)}`, [scores(data, battle)]),
  ]);
}

/**
 * @param {Tournament} data
 * @param {Score} row
 */
function failure(data, row) {
  return h("p", { class: "failure" }, [nameOf(data.entries[row.entry]), ` ${row.failure}`]);
}

/**
 * @param {Tournament} data
 * @param {Battle} battle
 */
function scores(data, battle) {
  const titles = ["Entry", "Score", "Answers p50", "p99", "slowest", "Missed turns", "Late answers"];
  const rows = [...battle.scores].sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
  return h("table", { class: "scores" }, [
    h("thead", {}, [h("tr", {}, titles.map((text, nth) => h("th", { scope: "col", class: nth ? "number" : "text stays", text })))]),
    h("tbody", {}, rows.map((row) => scoreRow(data, row))),
  ]);
}

/**
 * @param {Tournament} data
 * @param {Score} row
 */
function scoreRow(data, row) {
  const times = [row.p50Us, row.p99Us, row.maxUs].map((us) => (us > 0 ? duration(us) : "–"));
  const values = [amount(row.score), ...times, amount(row.skipped), amount(row.late)];
  return h("tr", { class: row.failure === null ? null : "failed" }, [
    h("th", { scope: "row", class: "text stays" }, [nameOf(data.entries[row.entry])]),
    ...values.map((text) => h("td", { class: "number", text })),
  ]);
}

/**
 * @param {Tournament} data
 * @param {Battle} battle
 */
function replay(data, battle) {
  const way = replayOf(data, battle);
  if (way.kind === "link") {
    return h("p", { class: "replay" }, [h("a", { href: way.text, target: "_blank", rel: "noopener", text: data.explains ? "Replay and “Why?”" : "Replay" })]);
  }
  if (way.kind === "none") return h("p", { class: "replay hint", text: way.text });
  const code = h("code", { text: way.text });
  const copy = button({ "aria-label": "Copy the command" }, ["Copy"], async () => {
    try {
      await navigator.clipboard.writeText(way.text);
      copy.textContent = "Copied";
    } catch {
      getSelection()?.selectAllChildren(code);
      copy.textContent = "Selected";
    }
    setTimeout(() => (copy.textContent = "Copy"), COPIED_MS);
  });
  return h("p", { class: "replay" }, [data.explains ? "Replay and “Why?”: " : "Replay: ", code, " ", copy]);
}
