/** A person's uploads and battles: what was wrong, what was printed, replays. */
import { h } from "../widgets/dom.js";
import { amount, capital, duration, fixed, plural, shortName } from "../widgets/format.js";
import { replayAddress } from "./model.js";

/** @typedef {import("./model.js").Me} Me */
/** @typedef {import("./model.js").Upload} Upload */
/** @typedef {import("./model.js").Battle} Battle */
/** @typedef {import("./model.js").Problem} Problem */
/** @typedef {import("./model.js").FirstCheck} FirstCheck */

const SHOWN = 8;
const STATES = {
  received: "Waits to be checked",
  refused: "Refused",
  checked: "Its first battle comes next",
  failed: "Failed in its first battle",
  plays: "Plays on the ladder",
  replaced: "Replaced by a newer version",
  removed: "Removed by the teacher",
};

/**
 * @param {{ bot: string, number: number, file?: string }} one
 * @returns {string} "Bot, version 2", or the name of its file if it has no name
 */
export function titleOf({ bot, number, file }) {
  if (!bot) return file ? `File ${shortName(file, 40)}` : "An upload";
  return number ? `${shortName(bot)}, version ${number}` : shortName(bot);
}

/**
 * @param {string} state
 * @returns {string}
 */
export function stateText(state) {
  return STATES[/** @type {keyof typeof STATES} */ (state)] ?? state;
}

/**
 * @param {Me} me
 * @param {string} suffix of the addresses of records, for the viewer
 * @returns {Node[]}
 */
export function uploadItems(me, suffix) {
  const uploads = me.uploads ?? [];
  if (uploads.length === 0) return [];
  const [newest, older] = [uploads.slice(0, SHOWN), uploads.slice(SHOWN)];
  const list = (/** @type {Upload[]} */ some) => h("ol", { class: "uploads" }, some.map((one) => upload(one, suffix)));
  const rest = older.length ? [h("details", { "data-key": "older" }, [h("summary", { text: plural(older.length, "older upload") }), list(older)])] : [];
  return [h("h2", { text: "Your bots" }), list(newest), ...rest];
}

/**
 * @param {Upload} one
 * @param {string} suffix
 * @returns {HTMLElement}
 */
function upload(one, suffix) {
  const where = one.place === null ? "" : one.place.aps === null ? "no battle yet" : `place ${one.place.rank}, APS ${fixed(one.place.aps, 1)}, ${plural(one.place.battles, "battle")}`;
  return h("li", { class: `upload is-${one.state}` }, [
    h("p", { class: "upload-head" }, [
      h("strong", {}, [h("bdi", { text: titleOf(one) })]),
      h("span", { class: "state", text: stateText(one.state) }),
      h("span", { class: "told", text: [timeText(one.at_us), where, one.freed && "its files were deleted to make room"].filter(Boolean).join(" · ") }),
    ]),
    ...(one.problems.length ? [h("ul", { class: "problems" }, one.problems.map(problem))] : []),
    ...(one.first_check === null ? [] : firstCheck(one, one.first_check, suffix)),
  ]);
}

/**
 * @param {Problem} one
 * @returns {HTMLElement}
 */
function problem(one) {
  const where = [one.file, one.line === null ? "" : `line ${one.line}`].filter(Boolean).join(", ");
  return h("li", { class: one.is_note ? "note" : "error" }, [...(where ? [h("code", { text: where }), ": "] : []), h("span", { text: where ? one.text : capital(one.text) })]);
}

/**
 * @param {Upload} one
 * @param {FirstCheck} result
 * @param {string} suffix
 * @returns {Node[]}
 */
function firstCheck(one, result, suffix) {
  const facts = [
    `First battle${result.opponent ? ` against ${shortName(result.opponent)}` : ""}`,
    result.why || `${amount(result.score)} : ${amount(result.opponent_score)} points`,
    result.turns > 0 && plural(result.turns, "turn"),
    result.skipped > 0 && `${plural(result.skipped, "turn")} missed`,
    result.p99_us > 0 && `answers within ${duration(result.p99_us)} (p99)`,
  ];
  return [
    h("p", { class: "first-check" }, [h("span", { text: facts.filter(Boolean).join(" · ") }), ...replay(result.record, result.record_deleted, suffix)]),
    ...printed(result.printed, `upload-${one.id}`),
  ];
}

/**
 * @param {string | null} id of a battle that has a record
 * @param {boolean} isDeleted whether the battle had a record that was deleted
 * @param {string} suffix
 * @returns {(Node | string)[]}
 */
function replay(id, isDeleted, suffix) {
  if (isDeleted) return [" ", h("span", { class: "hint", text: "Its record was deleted to make room." })];
  const address = id === null ? null : replayAddress(id, suffix);
  return address === null ? [] : [" ", h("a", { href: address, target: "_blank", rel: "noopener", text: suffix === "" ? "Replay and “Why?”" : "Replay" })];
}

/**
 * @param {string[]} lines
 * @param {string} key
 * @returns {Node[]}
 */
function printed(lines, key) {
  if (lines.length === 0) return [];
  return [h("details", { "data-key": `printed-${key}` }, [h("summary", { text: `It printed ${plural(lines.length, "line")}` }), h("pre", { class: "printed", tabindex: 0, text: lines.join("\n") })])];
}

/**
 * @param {Me} me
 * @param {string} suffix
 * @returns {Node[]}
 */
export function battleItems(me, suffix) {
  const battles = me.battles ?? [];
  if (battles.length === 0) return [];
  return [
    h("h2", { text: "Battles of your bots" }),
    h("p", { class: "hint", text: "Only you can see what your bots' processes printed, and the error with which a bot failed. What a bot sends to spectators is in the replay, for everybody." }),
    h("ol", { class: "battles" }, battles.map((one) => battle(one, suffix))),
  ];
}

/**
 * @param {Battle} one
 * @param {string} suffix
 * @returns {HTMLElement}
 */
function battle(one, suffix) {
  const names = one.scores.flatMap((row, nth) => [...(nth ? [" v "] : []), h("bdi", { class: row.own ? "own" : null, text: shortName(row.name, 40) }), ` ${fixed(row.share, 0)} %`]);
  const own = one.scores.filter((row) => row.own);
  const faults = own.map((row) => ownFacts(row, own.length > 1));
  const counts = one.state === "void" || one.suspect.length > 0 ? ["does not count and is played again"] : [];
  return h("li", {}, [
    h("p", { class: "battle-head" }, [h("span", {}, names), ...replay(one.record ? one.id : null, one.record_deleted, suffix)]),
    h("p", { class: "told", text: [timeText(one.at_us), ...faults, ...counts].filter(Boolean).join(" · ") }),
    ...printed(one.printed, one.id),
  ]);
}

/**
 * @param {import("./model.js").Score} row of an own bot
 * @param {boolean} isNamed whether the text names the bot, because several own bots met
 * @returns {string}
 */
function ownFacts({ name, failure, skipped, late, p99_us: p99Us }, isNamed) {
  const facts = [
    failure,
    skipped && `${plural(skipped, "turn")} missed`,
    late && plural(late, "late answer"),
    p99Us && `answers within ${duration(p99Us)} (p99)`,
  ].filter(Boolean);
  return isNamed && facts.length > 0 ? `${shortName(name, 40)}: ${facts.join(", ")}` : facts.join(" · ");
}

/**
 * @param {number} us µs since 1970
 * @returns {string} the time of day
 */
function timeText(us) {
  return new Date(us / 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });
}
