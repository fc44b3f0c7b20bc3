/**
 * The command line. The arrows show earlier lines, and Tab completes words.
 *
 * Secrets are not shown or stored.
 */
import { button, h, setAttribute } from "../../../../viewer/widgets/dom.js";
import { Completion, History } from "./command_history.js";

/** @typedef {import("./command_history.js").Words} Words */

const CHARS_MAX = 500;

export class CommandView {
  /**
   * @param {HTMLElement} place
   * @param {{ send: (line: string) => void, words: () => Words, page: (pages: number) => void }} acts
   */
  constructor(place, acts) {
    this.acts = acts;
    this.history = new History();
    this.completion = new Completion();
    this.secret = false;
    this.input = h("input", {
      id: "line",
      type: "text",
      maxlength: CHARS_MAX,
      "aria-label": "Command",
      autocomplete: "off",
      autocapitalize: "off",
      autocorrect: "off",
      spellcheck: "false",
      enterkeyhint: "send",
    });
    this.input.addEventListener("keydown", (event) => this.key(event));
    const send = button({ class: "send" }, ["Send"], () => this.submit());
    place.append(h("span", { class: "caret", "aria-hidden": "true", text: ">" }), this.input, send);
    this.setSecret(false, "");
  }

  get empty() {
    return this.input.value === "";
  }

  get focused() {
    return document.activeElement === this.input;
  }

  /**
   * @param {boolean} secret
   * @param {string} question
   * @param {boolean} [watching] whether the user is a spectator
   */
  setSecret(secret, question, watching = false) {
    this.secret = secret;
    this.input.type = secret ? "password" : "text";
    const hint = question !== "" ? question : watching ? "look, who, watch PLACE …" : "look, help, north …";
    setAttribute(this.input, "placeholder", hint);
    setAttribute(this.input, "aria-label", question === "" ? "Command" : question);
  }

  submit() {
    const line = this.input.value;
    this.input.value = "";
    if (!this.secret) {
      this.history.add(line);
    }
    if (line.trim() !== "" || this.secret) {
      this.acts.send(line);
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.isComposing || event.ctrlKey || event.altKey || event.metaKey) {
      return;
    }
    const done = this.act(event.key, event.shiftKey);
    if (done) {
      event.preventDefault();
    }
  }

  /**
   * @param {string} key
   * @param {boolean} shift
   * @returns {boolean} whether the key was handled
   */
  act(key, shift) {
    if (key === "Enter") {
      this.submit();
    } else if (key === "ArrowUp" || key === "ArrowDown") {
      this.show(this.history.move(key === "ArrowUp" ? -1 : 1, this.input.value));
    } else if (key === "PageUp" || key === "PageDown") {
      this.acts.page(key === "PageUp" ? -1 : 1);
    } else if (key === "Tab" && !this.empty && !this.secret) {
      this.show(this.completion.next(this.input.value, this.acts.words(), shift ? -1 : 1));
    } else {
      return false;
    }
    return true;
  }

  /** @param {string} text */
  show(text) {
    this.input.value = text;
    this.input.setSelectionRange(text.length, text.length);
  }
}
