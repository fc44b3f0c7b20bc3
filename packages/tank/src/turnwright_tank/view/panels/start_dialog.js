/**
 * The dialog for a new battle.
 *
 * The operator chooses bots from the lobby, bots to start from the bot directories, and a preset.
 */
import { button, h, setAttribute, setText } from "../../../../viewer/widgets/dom.js";
import { plural, shortName } from "../../../../viewer/widgets/format.js";
import { groupsOf, presetOf, PRESETS, problemOf } from "./setup.js";

/** @typedef {import("../../../../viewer/page/panel_context.js").PanelContext} PanelContext */
/** @typedef {import("../../../../viewer/widgets/dialog.js").DialogBox} DialogBox */
/** @typedef {import("../model.js").Operator} Operator */
/** @typedef {import("./setup.js").Group} Group */

const COUNT_MAX = 100;

export class StartDialog {
  /**
   * @param {PanelContext} shared
   * @param {DialogBox} dialog
   */
  constructor(shared, dialog) {
    this.shared = shared;
    this.dialog = dialog;
    /** @type {Map<string, number>} how many of each group play */
    this.counts = new Map();
    /** @type {Map<string, number>} how many of each group there were */
    this.there = new Map();
    /** @type {Map<string, number>} how many of each directory to boot */
    this.boots = new Map();
    this.lobby = h("div", { class: "choices" });
    this.directories = h("div", { class: "choices" });
    this.preset = h(
      "select",
      { "aria-label": "Preset" },
      PRESETS.map(({ gameType, label }) => h("option", { value: gameType, text: label })),
    );
    this.rounds = numberField("Rounds", 10, 10000);
    this.width = numberField("Arena width", 800, 5000);
    this.height = numberField("Arena height", 600, 5000);
    this.sizes = h("div", { class: "row" }, [labelled("width", this.width), labelled("height", this.height)]);
    this.problem = h("p", { class: "problem", role: "status" });
    this.startButton = button({ class: "primary" }, ["Start the battle"], () => this.start());
    this.bootButton = button({}, ["Start these bots"], () => this.boot());
    this.lobbyKey = "";
    this.directoriesKey = "";
    for (const field of [this.rounds, this.width, this.height]) {
      field.addEventListener("input", () => this.check());
    }
    this.preset.addEventListener("change", () => this.takePreset());
    shared.onRefresh(() => this.refresh());
  }

  /** @returns {Operator | null} */
  get operator() {
    return this.shared.player.source?.operator ?? null;
  }

  show() {
    if (!this.operator) {
      return;
    }
    this.operator.requestDirectories();
    this.lobbyKey = "";
    this.directoriesKey = "";
    this.takePreset();
    this.dialog.show("New battle", [
      h("div", { class: "two" }, [
        h("section", {}, [h("h3", { text: "1. Connected bots" }), this.lobby]),
        h("section", {}, [h("h3", { text: "Start more bots" }), this.directories, this.bootButton]),
      ]),
      h("h3", { text: "2. Battle" }),
      h("div", { class: "row" }, [labelled("preset", this.preset), labelled("rounds", this.rounds), this.sizes]),
      this.problem,
      h("footer", { class: "group" }, [this.startButton]),
    ]);
    this.refresh();
  }

  refresh() {
    const { operator } = this;
    if (!this.dialog.open || !operator || !this.startButton.isConnected) {
      return;
    }
    const groups = groupsOf(operator.bots);
    const lobbyKey = JSON.stringify(groups);
    if (lobbyKey !== this.lobbyKey) {
      this.lobbyKey = lobbyKey;
      this.showLobby(groups);
    }
    const directoriesKey = JSON.stringify(operator.directories);
    if (directoriesKey !== this.directoriesKey) {
      this.directoriesKey = directoriesKey;
      this.showDirectories(operator);
    }
    this.check();
  }

  /** @param {Group[]} groups */
  showLobby(groups) {
    const rows = groups.map((group) => {
      const key = keyOf(group);
      const most = group.addresses.length;
      const all = this.counts.get(key) === this.there.get(key); // if all played, new ones play, too
      this.counts.set(key, all ? most : Math.min(this.counts.get(key) ?? most, most));
      this.there.set(key, most);
      return this.choice(
        `${shortName(group.name)} ${group.version === "" ? "" : shortName(group.version, 12)}`,
        `of ${most}`,
        most,
        this.counts,
        key,
      );
    });
    const none = h("p", {
      class: "hint",
      text: "No bot is connected. Start some, or connect your own to this server.",
    });
    this.lobby.replaceChildren(...(rows.length > 0 ? rows : [none]));
  }

  /** @param {Operator} operator */
  showDirectories(operator) {
    const rows = operator.directories.map(({ id, name, kind }) =>
      this.choice(
        shortName(name),
        kind === "team" ? "a team" : kind === "house" ? "built-in bot" : "",
        COUNT_MAX,
        this.boots,
        id,
      ),
    );
    const none = h("p", { class: "hint", text: "No bots were found: give bot directories when you start the server." });
    this.directories.replaceChildren(...(rows.length > 0 ? rows : [none]));
    this.bootButton.hidden = rows.length === 0;
  }

  /**
   * @param {string} name
   * @param {string} note
   * @param {number} most
   * @param {Map<string, number>} counts
   * @param {string} key
   * @returns {HTMLElement}
   */
  choice(name, note, most, counts, key) {
    const field = h("input", {
      type: "number",
      min: 0,
      max: most,
      step: 1,
      value: counts.get(key) ?? 0,
      "aria-label": `How many ${name}`,
    });
    const change = (/** @type {number} */ value) => {
      const count = Math.min(Math.max(Math.round(value) || 0, 0), most);
      counts.set(key, count);
      field.value = String(count);
      this.check();
    };
    field.addEventListener("change", () => change(Number(field.value)));
    const step = (/** @type {number} */ by, /** @type {string} */ label) =>
      button({ class: "icon-button", "aria-label": `${label} ${name}` }, [by < 0 ? "−" : "+"], () =>
        change(Number(field.value) + by),
      );
    return h("div", { class: "choice" }, [
      h("span", { class: "name", text: name, title: name }),
      h("span", { class: "hint", text: note }),
      step(-1, "One fewer"),
      field,
      step(1, "One more"),
    ]);
  }

  // ---- choosing ----------------------------------------------------------------------------------------------

  takePreset() {
    const preset = presetOf(this.preset.value);
    this.rounds.value = String(preset.rounds);
    this.width.value = String(preset.width);
    this.height.value = String(preset.height);
    this.sizes.hidden = preset.gameType !== "custom";
    this.check();
  }

  /** @returns {{ host: string, port: number }[]} */
  chosen() {
    const groups = groupsOf(this.operator?.bots ?? []);
    return groups.flatMap((group) => group.addresses.slice(0, this.counts.get(keyOf(group)) ?? 0));
  }

  check() {
    const problem = problemOf({
      gameType: this.preset.value,
      rounds: numberOf(this.rounds),
      width: numberOf(this.width),
      height: numberOf(this.height),
      bots: this.chosen().length,
    });
    setText(this.problem, problem === "" ? `${plural(this.chosen().length, "bot")} will play.` : problem);
    setAttribute(this.problem, "class", problem === "" ? "hint" : "problem");
    this.startButton.disabled = problem !== "";
    const wanted = [...this.boots.values()].reduce((sum, count) => sum + count, 0);
    this.bootButton.disabled = wanted === 0;
    setText(this.bootButton, wanted === 0 ? "Start these bots" : `Start ${plural(wanted, "bot")}`);
  }

  boot() {
    const ids = [...this.boots].flatMap(([id, count]) => Array.from({ length: count }, () => id));
    this.operator?.boot(ids);
    this.boots.clear();
    this.directoriesKey = "";
    this.refresh();
  }

  start() {
    const gameType = this.preset.value;
    const sizes = gameType === "custom" ? { width: numberOf(this.width), height: numberOf(this.height) } : {};
    this.operator?.start({ gameType, rounds: numberOf(this.rounds), ...sizes, addresses: this.chosen() });
    this.dialog.close();
  }
}

/** @param {Group} group */
function keyOf(group) {
  return JSON.stringify([group.name, group.version]);
}

/** @param {HTMLInputElement} field */
function numberOf(field) {
  return field.value === "" ? NaN : Number(field.value);
}

/**
 * @param {string} label
 * @param {number} value
 * @param {number} most
 */
function numberField(label, value, most) {
  return h("input", { type: "number", min: 1, max: most, step: 1, value, "aria-label": label });
}

/**
 * @param {string} text
 * @param {HTMLElement} field
 */
function labelled(text, field) {
  return h("label", { class: "field" }, [h("span", { text }), field]);
}
