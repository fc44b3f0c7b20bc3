/** Help: all keys, and what the marks mean. */
import { h } from "./dom.js";
import { KEY_LINES } from "./keys.js";

/** @typedef {import("./dialog.js").DialogBox} DialogBox */

const MARKS = [
  ["✕", "a bot died"],
  ["▮", "bullets hit bots; the taller, the more"],
  ["▲", "a bot missed its turn: no answer in time"],
];

/** @param {DialogBox} dialog */
export function showHelp(dialog) {
  const keys = KEY_LINES.map(({ keys: names, text }) =>
    h("div", {}, [h("dt", {}, [h("kbd", { text: names })]), h("dd", { text })]),
  );
  const marks = MARKS.map(([sign, text]) => h("div", {}, [h("dt", { text: sign }), h("dd", { text })]));
  dialog.show("Help", [
    h("p", { text: "Why did a bot lose? Select it in the table, then open Why?. Each line there leads to its turn." }),
    h("h3", { text: "Keys" }),
    h("dl", { class: "keys" }, keys),
    h("h3", { text: "Marks on the timeline" }),
    h("dl", { class: "keys" }, marks),
  ]);
}
