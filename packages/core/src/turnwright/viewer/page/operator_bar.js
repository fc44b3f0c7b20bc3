/**
 * The operator's controls.
 *
 * Other users see that this page can only watch, and can enter a secret.
 */
import { button, h, setAttribute, setText } from "../widgets/dom.js";
import { icon, setIcon } from "../widgets/icons.js";
import { stepOfTps, TPS_STEPS, tpsOfStep, tpsText } from "../time/rates.js";

/** @typedef {import("./panel_context.js").PanelContext} PanelContext */
/** @typedef {import("../widgets/dialog.js").DialogBox} DialogBox */
/** @typedef {import("../model.js").Operator} Operator */

const SECRET_MAX = 200;
const SURE_MS = 3000;

export class OperatorBar {
  /**
   * @param {PanelContext} shared
   * @param {DialogBox} dialog
   * @param {(() => void) | null} newBattle null: this page starts none
   */
  constructor(shared, dialog, newBattle) {
    this.shared = shared;
    this.dialog = dialog;
    this.pause = this.command("pause", "Pause the battle for everyone", (operator) => {
      if (this.paused) {
        operator.resume();
      } else {
        operator.pause();
      }
    });
    this.step = this.command("forward", "One turn of the battle", (operator) => operator.step());
    this.stop = this.sure("stop", "Stop the battle", (operator) => operator.stop());
    this.restart = this.sure("restart", "Restart the battle", (operator) => operator.restart());
    this.slider = h("input", {
      type: "range",
      min: 0,
      max: TPS_STEPS,
      step: 1,
      "aria-label": "Turns per second of the battle",
      class: "tps-slider",
    });
    this.slider.addEventListener("input", () => {
      const tps = tpsOfStep(Number(this.slider.value));
      this.showTps(tps);
      this.operator?.setTps(tps);
    });
    this.tps = h("output", { class: "tps" });
    this.speed = h("label", { class: "field" }, [h("span", { text: "TPS" }), this.slider, this.tps]);
    const fresh = button(
      { class: "primary", "aria-label": "New battle" },
      [icon("plus"), h("span", { class: "word", text: "New battle" })],
      () => newBattle?.(),
    );
    fresh.hidden = newBattle === null;
    this.commands = h("div", { class: "group operator", role: "group", "aria-label": "Controls for everyone" }, [
      h("span", { class: "whose", "aria-hidden": "true", title: "These controls pause, speed up or stop the battle for everyone", text: "everyone" }),
      this.pause,
      this.step,
      this.stop,
      this.restart,
      this.speed,
      fresh,
    ]);
    this.claim = button(
      {
        class: "quiet",
        "aria-label": "View only: sign in to control the battle",
        title: "Sign in to control the battle",
      },
      [icon("key"), h("span", { class: "word", text: "View only" })],
      () => this.askSecret(),
    );
    this.element = h("div", { class: "operator-bar" }, [this.commands, this.claim]);
    shared.onRefresh(() => this.refresh());
  }

  /** @returns {Operator | null} */
  get operator() {
    return this.shared.player.source?.operator ?? null;
  }

  get paused() {
    return this.shared.player.source?.status.phase === "paused";
  }

  /**
   * @param {string} name of its icon
   * @param {string} label
   * @param {(operator: Operator) => void} act
   * @returns {HTMLButtonElement}
   */
  command(name, label, act) {
    return button({ class: "icon-button", "aria-label": label, title: label }, [icon(name)], () => {
      if (this.operator) {
        act(this.operator);
      }
    });
  }

  /**
   * Return the button of a command that a second press within SURE_MS must confirm.
   * @param {string} name of its icon
   * @param {string} label
   * @param {(operator: Operator) => void} act
   * @returns {HTMLButtonElement}
   */
  sure(name, label, act) {
    let askedMs = -Infinity;
    const element = this.command(name, label, (operator) => {
      if (performance.now() - askedMs < SURE_MS) {
        askedMs = -Infinity;
        setAttribute(element, "data-said", null);
        act(operator);
        return;
      }
      askedMs = performance.now();
      setAttribute(element, "data-said", "Press again");
      setTimeout(() => setAttribute(element, "data-said", null), SURE_MS);
    });
    return element;
  }

  refresh() {
    const source = this.shared.player.source;
    const live = source?.kind === "live";
    this.commands.hidden = !this.operator;
    const reach = source?.reach ?? "open";
    const answers = reach === "open" || reach === "refused";
    this.claim.hidden = !live || this.operator !== null || !source?.claim || !answers;
    if (!this.operator || !source) {
      return;
    }
    const playing = source.status.phase === "running" || source.status.phase === "paused";
    for (const command of [this.pause, this.step, this.stop]) {
      command.disabled = !playing;
    }
    this.step.disabled = !this.paused;
    for (const element of [this.pause, this.step, this.speed]) {
      element.hidden = source.apart === true; // turns do not wait for spectators
    }
    this.restart.disabled = !this.operator.canRestart;
    setIcon(this.pause, this.paused ? "play" : "pause");
    const label = this.paused ? "Resume the battle for everyone" : "Pause the battle for everyone";
    setAttribute(this.pause, "aria-label", label);
    setAttribute(this.pause, "title", label);
    const { tps } = source.status;
    if (tps === null) {
      setText(this.tps, "–"); // the server has not sent it
    } else if (document.activeElement !== this.slider) {
      this.slider.value = String(stepOfTps(tps));
      this.showTps(tps);
    }
  }

  /** @param {number} tps */
  showTps(tps) {
    setText(this.tps, tpsText(tps));
    setAttribute(this.slider, "aria-valuetext", tps < 0 ? "as fast as possible" : `${tps} turns per second`);
  }

  askSecret() {
    const field = h("input", {
      type: "password",
      autocomplete: "off",
      maxlength: SECRET_MAX,
      "aria-label": "Operator's secret",
      required: true,
    });
    const form = h("form", {}, [
      h("p", {
        text: "Paste an operator's secret of this server (a controller secret). It is sent only to this server and is never part of a link.",
      }),
      h("div", { class: "row" }, [field, h("button", { type: "submit", class: "primary", text: "Sign in" })]),
    ]);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const secret = field.value.trim();
      if (secret !== "") {
        this.shared.player.source?.claim?.(secret);
        this.dialog.close();
      }
    });
    this.dialog.show("Sign in", [form]);
    field.focus();
  }
}
