/** The buttons of reactions: their key, what they cost, and for how long none is possible. */
import { button, h, setText, showEach } from "../ui/dom.js";
import { seconds, takes } from "./rings.js";

/** @typedef {import("./state.js").WorldState} WorldState */
/** @typedef {import("./messages.js").Reaction} Reaction */

const CLEARS = { all: "all", first: "the first", id: "one", band: "all soon" };

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
    this.longestUs = 1;
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
    const threats = [...state.threats.values()].filter((threat) => threat.predicted === "");
    showEach(this.bar, state.reactions, () => this.make(), (element, reaction) => {
      this.show(element, reaction, state.vitals.sp, threats.some((threat) => takes(reaction, threat)));
    });
    setText(this.word, state.refusal === "" ? "" : `No: ${state.refusal}.`);
  }

  make() {
    const key = h("kbd", { "aria-hidden": "true" });
    const name = h("span", { class: "reaction-name" });
    const cost = h("span", { class: "reaction-cost" });
    return button({ class: "reaction" }, [key, name, cost], (event) => {
      const { reaction } = /** @type {HTMLElement} */ (event.currentTarget).dataset;
      this.onReact(reaction ?? "");
    });
  }

  /**
   * @param {HTMLButtonElement} element
   * @param {Reaction} reaction
   * @param {number} stamina
   * @param {boolean} useful
   */
  show(element, reaction, stamina, useful) {
    const [key, name, cost] = element.children;
    const letter = this.keys.get(reaction.name) ?? "";
    element.dataset.reaction = reaction.name;
    setText(key, letter.toUpperCase());
    setText(name, reaction.name);
    setText(cost, `${reaction.stamina} sp · ${seconds(reaction.lockoutUs)} s`);
    const kinds = reaction.kinds.length > 0 ? reaction.kinds.join(", ") : "everything";
    element.title = `${reaction.name}: takes ${CLEARS[reaction.clears]} of ${kinds}`;
    element.classList.toggle("useful", useful && stamina >= reaction.stamina);
    element.classList.toggle("tired", stamina < reaction.stamina);
  }

  /**
   * Show for how long no reaction is possible.
   * @param {number} lockedUs what is left of it, game µs
   */
  draw(lockedUs) {
    this.lock.style.transform = `scaleX(${Math.min(1, lockedUs / this.longestUs)})`;
    this.bar.classList.toggle("locked", lockedUs > 0);
  }
}
