/** The help dialog, with all keys and the meaning of the marks. */
import { h } from "./dom.js";
import { keyLines } from "./keys.js";

/** @typedef {import("./dialog.js").DialogBox} DialogBox */

/** @type {[string, string][]} */
const MARKS = [["▲", "a bot missed its turn: no answer in time"]];

/**
 * @param {DialogBox} dialog
 * @param {import("../model.js").GamePanels} panels
 */
export function showHelp(dialog, panels) {
  const keys = [...keyLines(panels.words), ...(panels.keys ?? [])].map(({ keys: names, text }) =>
    h("div", {}, [h("dt", {}, [h("kbd", { text: names })]), h("dd", { text })]),
  );
  const marks = [...(panels.marks ?? []), ...MARKS].map(([sign, text]) => h("div", {}, [h("dt", { text: sign }), h("dd", { text })]));
  dialog.show("Help", [
    h("p", { text: panels.help ?? "" }),
    h("h3", { text: "Keys" }),
    h("dl", { class: "keys" }, keys),
    h("h3", { text: "Marks on the timeline" }),
    h("dl", { class: "keys" }, marks),
  ]);
}
