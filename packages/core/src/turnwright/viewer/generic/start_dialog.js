/**
 * The dialog for a new generic battle.
 *
 * It lists bots of the lobby, bots to start, and the game's settings.
 */
import { button, h, setText } from "../widgets/dom.js";
import { capital, shortName } from "../widgets/format.js";
import { TIMEOUT_MS_MAX, readSettings, readTimeout, textOf } from "./settings.js";

/** @typedef {import("../page/panel_context.js").PanelContext} PanelContext */
/** @typedef {import("../model.js").LobbyBot} LobbyBot */

const SETTING_CHARS_MAX = 4000;
/** The default time for an answer, µs. */
const TIMEOUT_US = 30_000;

export class StartDialog {
  /**
   * @param {PanelContext} shared
   * @param {import("../widgets/dialog.js").DialogBox} dialog
   */
  constructor(shared, dialog) {
    this.shared = shared;
    this.dialog = dialog;
    this.lobby = h("div", { class: "choices" });
    this.directories = h("div", { class: "choices" });
    this.settings = h("div", { class: "row settings" });
    this.timeout = h("input", { type: "number", min: 0, max: TIMEOUT_MS_MAX, step: "any", "aria-label": "Turn timeout (ms)" });
    this.problem = h("p", { class: "problem", role: "status" });
    /** @type {Map<string, HTMLInputElement>} the field of each setting */
    this.fields = new Map();
    /** @type {Record<string, unknown>} the initial values of the fields */
    this.like = {};
    /** @type {Set<string>} the addresses of bots that must not play */
    this.without = new Set();
    this.key = "";
    for (const part of [this.lobby, this.directories, this.settings]) {
      part.addEventListener("input", () => this.complain(""));
      part.addEventListener("click", () => this.complain(""));
    }
    shared.onRefresh(() => this.refresh());
  }

  get operator() {
    return this.shared.player.source?.operator ?? null;
  }

  show() {
    if (!this.operator) {
      return;
    }
    this.operator.requestDirectories();
    this.key = "";
    this.fill();
    this.complain("");
    this.dialog.show("New battle", [
      h("div", { class: "two" }, [
        h("section", {}, [h("h3", { text: "1. Connected bots" }), this.lobby]),
        h("section", {}, [h("h3", { text: "Start more bots" }), this.directories]),
      ]),
      h("h3", { text: "2. Battle" }),
      this.settings,
      this.problem,
      h("footer", { class: "group" }, [button({ class: "primary" }, ["Start the battle"], () => this.start())]),
    ]);
    this.refresh();
  }

  /**
   * Make a field for each setting.
   *
   * It has the value of the last battle, or the value that the server proposes.
   */
  fill() {
    const { battle, player } = this.shared;
    this.like = battle?.settings ?? player.source?.settings ?? {};
    this.fields = new Map(Object.entries(this.like).map(([name, value]) => [name, field(titleOf(name), value)]));
    this.timeout.value = String((battle?.turnTimeoutUs ?? TIMEOUT_US) / 1000);
    const labels = [...this.fields].map(([name, input]) => labelled(titleOf(name), input));
    this.settings.replaceChildren(...labels, labelled("Turn timeout (ms)", this.timeout));
  }

  refresh() {
    const { operator } = this;
    const key = JSON.stringify([operator?.bots, operator?.directories]);
    if (!operator || !this.dialog.open || !this.lobby.isConnected || key === this.key) {
      return;
    }
    this.key = key;
    const bots = operator.bots.map((bot) => this.choice(bot));
    const none = h("p", { class: "hint", text: "No bot is connected. Start some, or connect your own to this server." });
    this.lobby.replaceChildren(...(bots.length > 0 ? bots : [none]));
    const entries = operator.directories.map(({ id, name, description }) =>
      button({ title: description ?? "" }, [`Start ${shortName(name)}`], () => operator.boot([id])),
    );
    this.directories.replaceChildren(
      ...(entries.length > 0 ? entries : [h("p", { class: "hint", text: "This server starts no bots." })]),
    );
  }

  /**
   * @param {LobbyBot} bot
   * @returns {HTMLLabelElement}
   */
  choice(bot) {
    const address = addressOf(bot);
    const box = h("input", { type: "checkbox" });
    box.checked = !this.without.has(address);
    box.addEventListener("change", () => void (box.checked ? this.without.delete(address) : this.without.add(address)));
    return h("label", { class: "chip" }, [box, `${shortName(bot.name)} ${shortName(bot.version, 12)}`]);
  }

  /** @param {string} problem "": there is no problem */
  complain(problem) {
    setText(this.problem, capital(problem));
    this.problem.hidden = problem === "";
  }

  start() {
    const { operator } = this;
    if (!operator) {
      return;
    }
    const texts = new Map([...this.fields].map(([name, input]) => [name, textIn(input)]));
    const [read, time] = [readSettings(texts, this.like), readTimeout(this.timeout.value)];
    const bots = operator.bots.filter((bot) => !this.without.has(addressOf(bot)));
    if ("problem" in read) {
      this.complain(read.problem);
    } else if ("problem" in time) {
      this.complain(time.problem);
    } else if (bots.length === 0) {
      this.complain("Choose at least one bot.");
    } else {
      operator.start({ ...read, ...time, bots });
      this.dialog.close();
    }
  }
}

/** @param {LobbyBot} bot */
function addressOf({ host, port }) {
  return `${host} ${port}`;
}

/**
 * @param {string} name the name of a setting, e.g. "food_max"
 * @returns {string} "Food max"
 */
function titleOf(name) {
  return capital(name.replaceAll("_", " "));
}

/**
 * @param {string} title
 * @param {unknown} value
 * @returns {HTMLInputElement}
 */
function field(title, value) {
  const type = typeof value === "number" ? "number" : typeof value === "boolean" ? "checkbox" : "text";
  const input = h("input", { type, "aria-label": title, maxlength: SETTING_CHARS_MAX, ...(type === "number" ? { step: "any" } : {}) });
  if (type === "checkbox") {
    input.checked = value === true;
  } else {
    input.value = textOf(value);
  }
  return input;
}

/** @param {HTMLInputElement} input */
function textIn(input) {
  return input.type === "checkbox" ? String(input.checked) : input.value;
}

/**
 * @param {string} title
 * @param {HTMLElement} input
 */
function labelled(title, input) {
  return h("label", { class: "field" }, [h("span", { text: title }), input]);
}
