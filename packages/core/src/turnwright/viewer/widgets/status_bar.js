/** The status bar: the battle, the round, live or record, verified or not. */
import { h, setAttribute, setText } from "./dom.js";
import { grouped, plural, shortName } from "./format.js";
import { messageOf, stateOf, verifiedOf } from "./state_text.js";

/** @typedef {import("../page/panel_context.js").PanelContext} PanelContext */
/** @typedef {import("./state_text.js").StateText} StateText */

export class StatusBar {
  /** @param {PanelContext} shared */
  constructor(shared) {
    this.shared = shared;
    this.name = h("span", { class: "battle-name" });
    this.round = h("span", { class: "battle-round" });
    this.battle = h("span", { class: "battle" }, [this.name, this.round]);
    this.state = chip();
    this.verified = chip();
    this.detail = h("span", { class: "detail", role: "status" });
    this.element = h("div", { class: "status-bar" }, [this.state, this.verified, this.battle, this.detail]);
    /** A line below the bar, because the bar may have little space. */
    this.message = h("p", { class: "status-message", role: "status" });
    shared.onTurn(() => this.refresh());
    shared.onReset(() => this.refresh());
  }

  refresh() {
    const { player, battle } = this.shared;
    const state = stateOf(player.source, player.atEdge);
    showState(this.state, state);
    showState(this.verified, verifiedOf(player.source));
    this.verified.classList.add("verified");
    setText(this.name, battle ? shortName(battle.gameType, 20) : "");
    setAttribute(this.name, "title", battle ? shortName(battle.gameType, 80) : null);
    setText(this.round, battle ? roundText(battle, player.frame) : "");
    const waits = player.source?.status.phase === "waiting" && player.frame === null; // the arena says what it waits for
    const message = waits ? null : messageOf(player.source);
    setText(this.detail, waits || message !== null ? "" : this.shared.note || state.detail);
    setAttribute(this.detail, "title", state.detail);
    this.message.hidden = message === null;
    setText(this.message, message?.text ?? "");
    setAttribute(this.message, "class", `status-message ${message?.kind ?? ""}`);
  }
}

/** @returns {HTMLSpanElement} */
function chip() {
  return h("span", { class: "chip-state" }, [h("span", { "aria-hidden": "true" }), h("span", { class: "word" })]);
}

/**
 * @param {HTMLElement} element
 * @param {StateText | null} state
 */
function showState(element, state) {
  element.hidden = state === null;
  if (state) {
    setText(/** @type {Node} */ (element.firstChild), state.sign);
    setText(/** @type {Node} */ (element.lastChild), ` ${state.label}`);
    setAttribute(element, "class", `chip-state ${state.kind}`);
    setAttribute(element, "title", state.detail);
  }
}

/**
 * @param {import("../model.js").Battle} battle
 * @param {import("../model.js").Frame | null} frame
 * @returns {string}
 */
function roundText(battle, frame) {
  if (battle.rounds === null) {
    return "";
  }
  return frame
    ? ` · round ${grouped(frame.roundNumber)} of ${grouped(battle.rounds)}`
    : ` · ${plural(battle.rounds, "round")}`;
}
