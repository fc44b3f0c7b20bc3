/**
 * The login dialog. It asks for a name, guest, or a place to watch, and for the passphrase of a registered name.
 *
 * It also shows why the game has ended.
 */
import { button, h, setText } from "../../../../viewer/widgets/dom.js";

/** @typedef {import("../connection/login.js").Login} Login */

export class LoginView {
  /**
   * @param {HTMLDialogElement} dialog
   * @param {{ enter: (name: string) => void, watch: (what: string) => void, unlock: (passphrase: string) => void, again: () => void }} acts
   */
  constructor(dialog, acts) {
    this.dialog = dialog;
    this.title = h("h2", { id: "door-title", text: "Come in" });
    this.word = h("p", { class: "door-word" });
    this.problem = h("p", { class: "door-problem", role: "alert" });
    this.name = h("input", { name: "username", autocomplete: "username", maxlength: 20, spellcheck: "false" });
    this.nameRow = h("label", { class: "door-row" }, ["Your name", this.name]);
    this.passphrase = h("input", { name: "password", type: "password", autocomplete: "current-password", maxlength: 200 });
    this.passRow = h("label", { class: "door-row" }, ["Passphrase", this.passphrase]);
    this.go = h("button", { class: "big-button", type: "submit" }, ["Come in"]);
    this.guest = button({ class: "big-button second" }, ["As a guest"], () => acts.enter("guest"));
    this.again = button({ class: "big-button" }, ["Come in again"], () => acts.again());
    this.what = h("input", { name: "watch", autocomplete: "off", maxlength: 40, spellcheck: "false", placeholder: "where most players are" });
    this.what.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.isComposing) {
        event.preventDefault();
        acts.watch(this.what.value);
      }
    });
    this.watch = button({ class: "big-button second" }, ["Watch"], () => acts.watch(this.what.value));
    this.watchRow = h("div", { class: "door-watch" }, [h("label", { class: "door-row" }, ["Or only watch a place or a player", this.what]), this.watch]);
    const buttons = h("div", { class: "door-buttons" }, [this.go, this.guest, this.again]);
    const form = h("form", {}, [this.title, this.word, this.nameRow, this.passRow, this.problem, buttons, this.watchRow]);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.passRow.hidden) {
        acts.enter(this.name.value.trim() || "guest");
      } else {
        acts.unlock(this.passphrase.value);
      }
    });
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    dialog.append(form);
    this.stage = "";
  }

  /**
   * @param {Login} login
   * @param {string} banner the welcome text of the world
   */
  update(login, banner) {
    const { stage } = login;
    const asks = stage === "name" || stage === "entering" || stage === "passphrase" || stage === "checking";
    const wanted = (asks && !login.returning) || stage === "over" || stage === "passphrase";
    this.nameRow.hidden = stage !== "name" && stage !== "entering";
    this.passRow.hidden = stage !== "passphrase" && stage !== "checking";
    this.guest.hidden = this.watchRow.hidden = this.nameRow.hidden;
    this.go.hidden = stage === "over";
    this.again.hidden = stage !== "over";
    this.go.disabled = this.guest.disabled = this.watch.disabled = stage === "entering" || stage === "checking";
    setText(this.title, stage === "over" ? "You are not in the world" : "Come in");
    const kept = `${login.name} has an account: enter its passphrase.`;
    const greeting = stage === "over" ? "" : banner;
    setText(this.word, this.passRow.hidden ? greeting : kept);
    setText(this.problem, login.problem);
    this.show(wanted, stage);
  }

  /**
   * @param {boolean} wanted
   * @param {string} stage
   */
  show(wanted, stage) {
    if (wanted && !this.dialog.open) {
      this.dialog.showModal();
    } else if (!wanted && this.dialog.open) {
      this.dialog.close();
      this.passphrase.value = "";
    }
    if (wanted && stage !== this.stage) {
      const field = stage === "passphrase" ? this.passphrase : stage === "over" ? this.again : this.name;
      field.focus();
    }
    this.stage = stage;
  }
}
