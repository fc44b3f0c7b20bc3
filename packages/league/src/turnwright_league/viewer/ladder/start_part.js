/**
 * The part for people who have only a browser.
 *
 * It has a starter bot, the rules, and what happens after an upload.
 */
import { h, setText } from "../widgets/dom.js";
import { field } from "./account.js";
import { Refused, download, get } from "./api.js";

/** @typedef {import("./model.js").Start} Start */

export class StartPart {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.name = field("Name of your bot", { type: "text", autocomplete: "off", maxlength: 30, required: true, pattern: "[A-Za-z][A-Za-z0-9_]*", title: "letters a to z, digits and _, a letter first", placeholder: "TurboBot" });
    this.said = h("p", { class: "said", role: "status" });
  }

  async load() {
    const start = await get("api/start");
    const form = h("form", {}, [this.name.row, h("p", { class: "buttons" }, [h("button", { type: "submit", class: "main", text: "Download a starter bot" })]), this.said]);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.fetchBot(this.name.input.value.trim());
    });
    this.place.replaceChildren(h("h2", { text: "Start here" }), form, ...stepsOf(start));
  }

  /** @param {string} name */
  async fetchBot(name) {
    try {
      await download(`get/bot?name=${encodeURIComponent(name)}`, `${name}.py`);
      setText(this.said, `${name}.py is in your downloads. Change it with a text editor, then upload it here.`);
    } catch (error) {
      setText(this.said, error instanceof Refused ? error.message : "The ladder server does not answer. Try again.");
    }
  }
}

/**
 * @param {Start} start
 * @returns {Node[]}
 */
function stepsOf({ opponent, rules, reference, manual }) {
  const first = opponent === null ? "After the upload your bot is checked" : `After the upload your bot is checked and plays a first battle against ${opponent}`;
  return [
    h("p", { text: `${first}. “Your bots” shows how it went, with a replay. Then your bot plays on the ladder.` }),
    ...(rules.length ? [h("h3", { text: "The rules in short" }), h("ul", { class: "rules" }, rules.map((text) => h("li", { text })))] : []),
    ...(reference ? [link("get/api", "All that a bot can read and do")] : []),
    ...(manual ? [link("manual/", "Tutorials and documentation")] : []),
  ];
}

/**
 * @param {string} href
 * @param {string} text
 * @returns {HTMLElement}
 */
function link(href, text) {
  return h("p", {}, [h("a", { href, target: "_blank", rel: "noopener", text })]);
}
