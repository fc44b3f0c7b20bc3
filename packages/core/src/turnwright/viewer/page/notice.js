/** One line for the user, over the arena: what happened and what to do. */
import { button, h } from "../widgets/dom.js";

const SHOWN_MS = 5000;
const SHOWN_BAD_MS = 20000;

export class Notice {
  /** @param {HTMLElement} place */
  constructor(place) {
    this.place = place;
    this.text = h("span");
    this.timer = 0;
    place.append(this.text, button({ class: "tool", "aria-label": "Close this message" }, ["✕"], () => this.clear()));
  }

  /**
   * @param {string} message
   * @param {boolean} [bad] whether something went wrong
   */
  say(message, bad = false) {
    clearTimeout(this.timer);
    this.place.hidden = false;
    this.place.classList.toggle("bad", bad);
    this.text.textContent = message;
    this.timer = window.setTimeout(() => this.clear(), bad ? SHOWN_BAD_MS : SHOWN_MS);
  }

  clear() {
    clearTimeout(this.timer);
    this.place.hidden = true;
  }
}
