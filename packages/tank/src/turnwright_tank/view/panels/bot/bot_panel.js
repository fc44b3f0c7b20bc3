/**
 * The panel of the selected bot: state, intent, answer times and output.
 *
 * It also has switches for the operator.
 */
import { nameTag } from "../../../../../viewer/widgets/badge.js";
import { printedAtEnd, printedBy } from "./console.js";
import { energyText } from "../../energy_text.js";
import { failureAt } from "../../failures.js";
import { button, h, setAttribute, setText, showEach } from "../../../../../viewer/widgets/dom.js";
import { fixed, grouped, plural, shortName, signed } from "../../../../../viewer/widgets/format.js";
import { turnTimesOf, latencyText } from "./latency.js";
import { lastState, statusOf } from "./bot_view.js";
import { LastFrames } from "./last_frames.js";
import { drawLatency } from "../sparkline.js";

/** @typedef {import("../../../../../viewer/page/panel_context.js").PanelContext} PanelContext */
/** @typedef {import("../../model.js").Frame} Frame */
/** @typedef {import("../../model.js").BotState} BotState */

const LINES_MAX = 200;
const FACTS = [
  "Status",
  "Energy",
  "Gun heat",
  "Position",
  "Speed",
  "Direction",
  "Gun",
  "Radar",
  "Radar swept",
  "Turned body",
  "Turned gun",
  "Turned radar",
  "Last shot",
  "Enemies left",
  "Missed turns",
];

export class BotPanel {
  /** @param {PanelContext} shared */
  constructor(shared) {
    this.shared = shared;
    this.frames = new LastFrames(shared);
    this.title = h("h2");
    this.about = h("p", { class: "hint" });
    this.facts = new Map(FACTS.map((name) => [name, h("dd")]));
    const facts = h(
      "dl",
      { class: "facts" },
      FACTS.map((name) => h("div", {}, [h("dt", { text: name }), /** @type {HTMLElement} */ (this.facts.get(name))])),
    );
    this.latency = h("canvas", { class: "latency", role: "img" });
    this.latencyText = h("p", { class: "hint" });
    this.time = h("section", {}, [h("h3", { text: "Answer times" }), timeLegend(), this.latency, this.latencyText]);
    this.console = h("ol", { class: "console", tabindex: 0, "aria-label": "Console output" });
    this.consoleHint = h("p", { class: "hint", text: "Nothing printed in these turns." });
    this.switches = h("div", { class: "group", role: "group", "aria-label": "Debugging" });
    this.debugging = this.addSwitch("Debug graphics", (on) => ({ debugging: on }));
    this.breakpoint = this.addSwitch("Breakpoint mode", (on) => ({ breakpoint: on }));
    this.selectedId = -1;
    this.body = h("div", {}, [
      this.title,
      this.about,
      facts,
      this.switches,
      this.time,
      h("h3", { text: "Console" }),
      this.consoleHint,
      this.console,
    ]);
    this.hint = h("p", {
      class: "hint",
      text: "Select a bot: click on it, in the table or in the arena, or press its number.",
    });
    this.element = h("div", { class: "bot-panel" }, [this.hint, this.body]);
  }

  /**
   * @param {string} label
   * @param {(on: boolean) => { debugging?: boolean, breakpoint?: boolean }} policy
   * @returns {HTMLButtonElement}
   */
  addSwitch(label, policy) {
    const element = button({ class: "switch", "aria-pressed": "false", text: label }, [], () => {
      const on = element.getAttribute("aria-pressed") !== "true";
      const { selected, source } = this.shared.player;
      if (selected !== null && source?.operator) {
        source.operator.setPolicy(selected, policy(on)); // the server reports the change
      }
    });
    this.switches.append(element);
    return element;
  }

  refresh() {
    const { player } = this.shared;
    const id = player.selected;
    this.hint.hidden = id !== null;
    this.body.hidden = id === null;
    if (id === null) {
      return;
    }
    const frames = this.frames.of(id);
    this.showTitle(id);
    this.showFacts(id, frames);
    this.showTime(id, frames);
    this.showConsole(id, frames);
    this.showSwitches(id);
  }

  /** @param {number} id */
  showSwitches(id) {
    const { source } = this.shared.player;
    this.switches.hidden = !source?.operator;
    setAttribute(this.debugging, "aria-pressed", String(source?.policies?.debugging.includes(id) ?? false));
    setAttribute(this.breakpoint, "aria-pressed", String(source?.policies?.breakpoints.includes(id) ?? false));
  }

  /** @param {number} id */
  showTitle(id) {
    if (this.selectedId === id && this.title.textContent === `${id}${this.shared.plainNameOf(id)}`) {
      return;
    }
    this.selectedId = id;
    this.title.replaceChildren(nameTag(this.shared, id));
    const seat = this.shared.seats.find((entry) => entry.id === id);
    const parts = seat
      ? [
          seat.version,
          seat.teamName,
          seat.isDroid ? "droid: no radar" : "",
          seat.platform,
          seat.authors.length > 0 ? `by ${seat.authors.slice(0, 3).join(", ")}` : "",
        ]
      : [];
    setText(
      this.about,
      parts
        .filter(Boolean)
        .map((part) => shortName(String(part), 60))
        .join(" · "),
    );
  }

  /**
   * @param {number} id
   * @param {Frame[]} frames
   */
  showFacts(id, frames) {
    const frame = frames[frames.length - 1];
    const here = frame?.botStates.find((bot) => bot.id === id) ?? null;
    const state = here ?? lastState(frames, id);
    const set = (/** @type {string} */ name, /** @type {string} */ text) =>
      setText(/** @type {HTMLElement} */ (this.facts.get(name)), text);
    /** @type {import("../history.js").RoundSpan | null} */
    const span = frame ? (this.shared.history?.round(frame.roundNumber) ?? null) : null;
    const died = span?.died.get(id)?.turn;
    if (!state || !frame) {
      FACTS.forEach((name) => set(name, "–"));
      set("Status", frame ? statusOf(frame, id, null) : "–");
      set("Energy", died ? `✕ died, turn ${died}` : "–");
      return;
    }
    const shown = this.shared.player.frame ?? frame;
    const gone = shown.index > frame.index || !here || state.energy < 0;
    set("Status", gone ? `${statusOf(shown, id, null)} · below: its last turn` : statusOf(frame, id, here));
    set("Energy", !gone ? energyText(state.energy) : `✕ died, turn ${died ?? "?"}`);
    set("Gun heat", `${fixed(state.gunHeat, 1)}${state.gunHeat > 0 ? " hot" : " ready"}`);
    set("Position", `${fixed(state.x)}, ${fixed(state.y)}`);
    set("Speed", `${signed(state.speed, 1)} units/turn`);
    set("Direction", `${fixed(state.direction, 1)}°`);
    set("Gun", `${fixed(state.gunDirection, 1)}°`);
    set("Radar", state.isDroid ? "none" : `${fixed(state.radarDirection, 1)}°`);
    set("Radar swept", `${signed(state.radarSweep, 1)}°`);
    set("Turned body", `${signed(state.turnRate, 1)}°`);
    set("Turned gun", `${signed(state.gunTurnRate, 1)}°`);
    set("Turned radar", `${signed(state.radarTurnRate, 1)}°`);
    set("Last shot", firedText(frames, id));
    set("Enemies left", here ? grouped(state.enemyCount) : "–");
    const seat = frame.timing?.get(id);
    const now = seat?.skipped ? " ▲ now" : "";
    const told = span !== null && frame.timing !== null; // official recordings do not have them
    set("Missed turns", told ? `${grouped(span.missed.get(id) ?? 0)} · ${grouped(span.late.get(id) ?? 0)} late${now}` : "–");
  }

  /**
   * @param {number} id
   * @param {Frame[]} frames
   */
  showTime(id, frames) {
    const times = turnTimesOf(frames, id);
    const text = latencyText(times);
    const skips = times.filter((turn) => turn.skipped).length;
    this.time.hidden = text === "" && skips === 0;
    setText(this.latencyText, `${text}${skips > 0 ? ` · ▲ ${skips} missed` : ""} in the last ${times.length} turns`);
    setAttribute(this.latency, "aria-label", `Answer times: ${this.latencyText.textContent}`);
    drawLatency(this.latency, times, this.shared.trail.turns, this.shared.inks);
  }

  /**
   * @param {number} id
   * @param {Frame[]} frames
   */
  showConsole(id, frames) {
    const lines = printedBy(frames, id, LINES_MAX);
    const { source, frame } = this.shared.player;
    const failure = failureAt(source, id, frame);
    if (failure && frame) {
      lines.push(...printedAtEnd(failure, frame.index));
    }
    this.consoleHint.hidden = lines.length > 0;
    this.console.hidden = lines.length === 0;
    const atEnd = this.console.scrollTop + this.console.clientHeight >= this.console.scrollHeight - 4;
    const make = () => h("li", {}, [h("span", { class: "when" }), h("span", { class: "printed" })]);
    showEach(this.console, lines, make, (row, line) => {
      setText(/** @type {Node} */ (row.firstChild), `${line.round}.${line.turn}${line.error ? " error" : ""}`);
      setText(/** @type {Node} */ (row.lastChild), line.text);
      setAttribute(row, "class", line.error ? "error" : null);
    });
    if (atEnd) {
      this.console.scrollTop = this.console.scrollHeight;
    }
  }
}

/**
 * @param {Frame[]} frames
 * @param {number} id
 * @returns {string} its last shot in these turns
 */
function firedText(frames, id) {
  const now = frames[frames.length - 1];
  for (let k = frames.length - 1; k >= 0; k -= 1) {
    if (frames[k].roundNumber !== now.roundNumber) {
      break;
    }
    for (const event of frames[k].events) {
      if (event.type === "BulletFiredEvent" && event.bullet.ownerId === id) {
        const ago = now.index - frames[k].index;
        return `${fixed(event.bullet.power, 1)} · ${ago === 0 ? "now" : `${plural(ago, "turn")} ago`}`;
      }
    }
  }
  return "–";
}

/** @returns {HTMLElement} */
function timeLegend() {
  return h("p", { class: "legend" }, [
    h("span", { class: "swatch time-bot" }),
    "bot ",
    h("span", { class: "swatch time-network" }),
    "network ",
    h("span", { class: "swatch time-server" }),
    "server ",
    h("span", { class: "mark-death", text: "▲" }),
    " missed",
  ]);
}
