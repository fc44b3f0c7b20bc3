/** Logging in, making an account, logging out. */
import { button, freshId, h, setText } from "../widgets/dom.js";
import { capital } from "../widgets/format.js";
import { Refused, post } from "./api.js";

/** @typedef {import("./model.js").LadderOverview} LadderOverview */
/** @typedef {import("./model.js").Me} Me */

/**
 * A field with its label.
 * @param {string} label
 * @param {import("../widgets/dom.js").Props} props
 * @returns {{ row: HTMLElement, input: HTMLInputElement }}
 */
export function field(label, props) {
  const id = freshId("field");
  const input = h("input", { id, ...props });
  return { row: h("p", { class: "field" }, [h("label", { for: id, text: label }), input]), input };
}

export class AccountPart {
  /**
   * @param {HTMLElement} place
   * @param {() => void} changed
   */
  constructor(place, changed) {
    this.place = place;
    this.changed = changed;
    /** @type {string | null | undefined} undefined: nothing is shown yet */
    this.name = undefined;
    this.said = h("p", { class: "said", role: "status" });
    this.user = field("Name", { type: "text", autocomplete: "username", maxlength: 20, required: true });
    this.word = field("Passphrase (8 characters or more)", { type: "password", autocomplete: "current-password", maxlength: 200, required: true });
    this.code = field("Join word (for a new account)", { type: "text", autocomplete: "off", maxlength: 100 });
    this.code.row.hidden = true;
  }

  /**
   * @param {LadderOverview} overview
   * @param {Me} me
   */
  show(overview, me) {
    this.code.row.hidden = !overview.needs_code;
    if (this.name === me.name) return;
    this.name = me.name;
    setText(this.said, "");
    this.place.replaceChildren(...(me.name === null ? this.forms() : this.greeting(me.name)));
  }

  /** @returns {Node[]} */
  forms() {
    const form = h("form", {}, [
      h("h2", { text: "Log in" }),
      h("p", { class: "hint", text: "New here? Choose a name and a passphrase, and make an account." }),
      this.user.row,
      this.word.row,
      this.code.row,
      h("p", { class: "buttons" }, [
        h("button", { type: "submit", class: "main", text: "Log in" }),
        button({}, ["Make an account"], () => this.enter("api/register")),
      ]),
      this.said,
    ]);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.enter("api/login");
    });
    return [form];
  }

  /**
   * @param {string} name
   * @returns {Node[]}
   */
  greeting(name) {
    return [
      h("p", { class: "greeting" }, [h("span", {}, ["You are ", h("bdi", { class: "name", text: name })]), button({}, ["Log out"], () => this.leave())]),
      this.said,
    ];
  }

  /** @param {string} path */
  async enter(path) {
    try {
      await post(path, { name: this.user.input.value, word: this.word.input.value, code: this.code.input.value });
      this.word.input.value = "";
      this.changed();
    } catch (error) {
      setText(this.said, error instanceof Refused ? `${capital(error.message)}.` : "The ladder server does not answer.");
    }
  }

  async leave() {
    try {
      await post("api/logout", {});
      this.changed();
    } catch {
      setText(this.said, "The ladder server does not answer.");
    }
  }
}
