/**
 * The buttons of reactions.
 *
 * Each shows its key, its cost, and the server's reason why it would do nothing now.
 */
import { button, h, setAttribute, setText, showEach } from "../../../../viewer/widgets/dom.js";
import { begun, seconds, taken } from "../threat_times.js";

/** @typedef {import("../state.js").WorldState} WorldState */
/** @typedef {import("../connection/messages.js").Reaction} Reaction */
/** @typedef {import("../state.js").Threat} Threat */

const CLEARS = {
  all: "every attack",
  first: "the attack that lands first",
  id: "the attack that you choose, or the first",
  band: "attacks that land soon",
};
/** Reasons in one or two words, for small screens. @type {Record<string, string>} */
const SHORT = { dead: "dead", recovering: "recovering", tired: "too tired", kind: "wrong kind", far: "too far off" };
/** The time for which the page shows why a reaction had no effect. */
const REFUSAL_MS = 5000;

export class ReactionsView {
  /**
   * @param {HTMLElement} place
   * @param {(reaction: string) => void} onReact
   */
  constructor(place, onReact) {
    this.onReact = onReact;
    this.bar = h("div", { class: "reactions", role: "group", "aria-label": "Reactions" });
    this.lock = h("span", { class: "lock-fill" });
    this.word = h("span", { class: "lock-word" });
    place.append(h("div", { class: "lock" }, [this.lock]), this.bar, h("p", { class: "lock-line" }, [this.word]));
    this.refusal = "";
    this.refusalTimer = 0;
    this.narrow = matchMedia("(max-width: 760px), (max-height: 560px)");
    this.longestUs = 1;
    /** @type {Threat[]} */
    this.threats = [];
    /** @type {Reaction[]} */
    this.reactions = [];
    this.stamina = 0;
    /** @type {WorldState | null} */
    this.state = null;
    /** @type {Map<string, string>} */
    this.keys = new Map();
  }

  /**
   * @param {WorldState} state
   * @param {Map<string, string>} letters letter: reaction
   */
  update(state, letters) {
    this.keys = new Map([...letters].map(([letter, reaction]) => [reaction, letter]));
    this.longestUs = Math.max(1, ...state.reactions.map((reaction) => reaction.lockoutUs));
    this.threats = [...state.threats.values()].filter((threat) => threat.predicted === "");
    this.reactions = state.reactions;
    this.state = state;
    this.stamina = state.vitals.sp;
    showEach(this.bar, state.reactions, () => this.make(), (element, reaction) => this.show(element, reaction));
    this.refuse(state);
  }

  /**
   * Show for some seconds why the last reaction had no effect.
   * @param {WorldState} state
   */
  refuse(state) {
    const words = state.refusal === "" ? "" : `${begun(state.refusal)}.`;
    if (words === this.refusal) {
      return;
    }
    this.refusal = words;
    setText(this.word, words);
    clearTimeout(this.refusalTimer);
    this.refusalTimer = setTimeout(() => {
      if (words !== "") {
        state.refusal = "";
        this.refuse(state);
      }
    }, REFUSAL_MS);
  }

  make() {
    const key = h("kbd", { "aria-hidden": "true" });
    const name = h("span", { class: "reaction-name" });
    const cost = h("span", { class: "reaction-cost" });
    const why = h("span", { class: "reaction-why" });
    return button({ class: "reaction" }, [key, name, cost, why], (event) => {
      const { reaction } = /** @type {HTMLElement} */ (event.currentTarget).dataset;
      this.onReact(reaction ?? "");
    });
  }

  /**
   * @param {HTMLButtonElement} element
   * @param {Reaction} reaction
   */
  show(element, reaction) {
    const [key, name, cost] = element.children;
    const letter = this.keys.get(reaction.name) ?? "";
    element.dataset.reaction = reaction.name;
    setText(key, letter.toUpperCase());
    setText(name, reaction.name);
    setText(cost, `${reaction.stamina}\u00a0sp · ${seconds(reaction.lockoutUs)}\u00a0s`);
    const kinds = reaction.kinds.length > 0 ? ` (${reaction.kinds.join(", ")})` : "";
    element.dataset.stops = `${reaction.name}: stops ${CLEARS[reaction.clears]}${kinds}; costs ${reaction.stamina} stamina, the next reaction can begin ${seconds(reaction.lockoutUs)} s later`;
    element.classList.toggle("tired", this.stamina < reaction.stamina);
  }

  /**
   * Show the reactions that would have an effect now, and the time until a reaction is possible.
   * @param {number} lockedUs the rest of the lock, in µs of game time
   * @param {number | null} ringUs the game time that rings show, or null if unknown
   */
  draw(lockedUs, ringUs) {
    for (const [nth, element] of [...this.bar.children].entries()) {
      const reaction = this.reactions[nth];
      const meets = ringUs !== null && taken(this.threats, reaction, ringUs, null).length > 0;
      const block = this.state?.blockOf(reaction.name, ringUs ?? 0) ?? null;
      element.classList.toggle("useful", meets && block === null && this.stamina >= reaction.stamina);
      element.classList.toggle("blocked", block !== null && block.code !== "none");
      const leftUs = block !== null && block.untilUs > 0 && ringUs !== null ? block.untilUs - ringUs : 0;
      const words = block === null || block.code === "none" ? "" : block.text;
      const shown = words !== "" && this.narrow.matches ? SHORT[block?.code ?? ""] ?? words : words;
      setText(element.children[3], leftUs > 0 ? `${shown}: ${seconds(leftUs)} s` : shown);
      const stops = /** @type {HTMLElement} */ (element).dataset.stops ?? "";
      setAttribute(element, "title", words === "" ? stops : `${stops}. Now: ${words}`);
    }
    this.lock.style.transform = `scaleX(${Math.min(1, lockedUs / this.longestUs)})`;
    this.bar.classList.toggle("locked", lockedUs > 0);
  }
}
