/** Draws threats as rings that run out, and one line of text for all threats. */
import { button, h, setAttribute, setText } from "../../../../viewer/widgets/dom.js";
import { byLanding, part, remainingUs, seconds, takes, urgency } from "../threat_times.js";

/** @typedef {import("../state.js").Threat} Threat */
/** @typedef {import("../state.js").WorldState} WorldState */
/**
 * @typedef {object} Card
 * @property {HTMLLIElement} item
 * @property {HTMLButtonElement} card
 * @property {SVGElement} arc
 * @property {HTMLElement} bar
 * @property {HTMLElement} left
 * @property {HTMLElement} answers
 * @property {Threat} threat
 */

const SVG = "http://www.w3.org/2000/svg";
const GONE_MS = 1100;
const STEP_US = 100_000;
const QUIET_MS = 6000;

export class RingsView {
  /**
   * @param {HTMLElement} place
   * @param {(id: number) => void} onAim called when the player selects a threat
   */
  constructor(place, onAim) {
    this.onAim = onAim;
    /** @type {Map<number, Card>} */
    this.cards = new Map();
    this.calm = h("p", { class: "calm-word", text: "Nothing is coming at you." });
    this.list = h("ol", { class: "rings", "aria-label": "Threats, the next to land first" });
    this.frozen = h("p", { class: "frozen", text: "Time stands still", hidden: true });
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.row = h("div", { class: "ring-row quiet" }, [this.calm, this.list, this.frozen]);
    this.quietTimer = 0;
    place.append(this.row);
  }

  /**
   * Show the current threats, and the outcomes of ended threats.
   * @param {WorldState} state
   * @param {number | null} aimed
   */
  update(state, aimed) {
    const answers = new Set(state.reactions.map((reaction) => reaction.why));
    for (const { threat, why, damage } of state.gone.splice(0)) {
      if (why === "landed" || why === "overflow") {
        this.leave(threat, why, `−${damage}`, "hit");
      } else if (answers.has(why)) {
        this.leave(threat, why, "✓", "met");
      } else {
        this.leave(threat, why, "–", "lapsed");
      }
    }
    for (const id of [...this.cards.keys()].filter((known) => !state.threats.has(known))) {
      this.cards.get(id)?.item.remove();
      this.cards.delete(id);
    }
    const ordered = byLanding(state.threats.values());
    for (const threat of ordered) {
      const card = this.cards.get(threat.id) ?? this.enter(/** @type {Threat} */ (threat));
      card.threat = /** @type {Threat} */ (threat);
      card.card.classList.toggle("predicted", card.threat.predicted !== "");
      setAttribute(card.card, "aria-pressed", String(aimed === threat.id));
      const answers = state.reactions.filter((reaction) => takes(reaction, threat)).map((reaction) => reaction.name);
      setText(card.answers, card.threat.predicted !== "" ? `${card.threat.predicted}?` : answers.join(" · "));
    }
    this.arrange(ordered.map((threat) => threat.id));
    this.rest();
  }

  /**
   * Sort the rings, after the rings that are ending.
   * @param {number[]} ids
   */
  arrange(ids) {
    const wanted = ids.flatMap((id) => this.cards.get(id)?.item ?? []);
    const shown = [...this.list.children].filter((item) => !item.classList.contains("gone"));
    if (wanted.some((item, nth) => item !== shown[nth])) {
      this.list.append(...wanted);
    }
  }

  /**
   * Show that no attack is coming. After a while the story gets the space of the rings.
   */
  rest() {
    const empty = this.list.children.length === 0;
    this.calm.hidden = !empty;
    clearTimeout(this.quietTimer);
    if (!empty) {
      this.row.classList.remove("quiet");
    } else {
      this.quietTimer = setTimeout(() => this.row.classList.add("quiet"), QUIET_MS);
    }
  }

  /**
   * Create the ring of a new threat.
   * @param {Threat} threat
   * @returns {Card}
   */
  enter(threat) {
    const arc = circle("arc");
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", "0 0 100 100");
    svg.setAttribute("aria-hidden", "true");
    svg.setAttribute("class", "ring");
    svg.append(circle("track"), arc);
    const left = h("span", { class: "left" });
    const bar = h("span", { class: "bar-fill" });
    const answers = h("span", { class: "answers" });
    const card = button(
      { class: "threat calm", "data-id": threat.id },
      [
        h("span", { class: "dial" }, [svg, left]),
        h("span", { class: "bar", "aria-hidden": "true" }, [bar]),
        h("span", { class: "what", text: threat.kind }),
        h("span", { class: "who", title: threat.name, text: `${threat.name} · ${threat.id}` }),
        answers,
      ],
      () => this.onAim(threat.id),
    );
    const item = h("li", {}, [card]);
    const made = { item, card, arc, bar, left, answers, threat };
    this.cards.set(threat.id, made);
    this.list.append(item);
    return made;
  }

  /**
   * Remove a ring, after showing its outcome for a moment.
   * @param {Threat} threat
   * @param {string} why
   * @param {string} sign
   * @param {"hit" | "met" | "lapsed"} how
   */
  leave(threat, why, sign, how) {
    const card = this.cards.get(threat.id);
    if (card === undefined) {
      return;
    }
    this.cards.delete(threat.id);
    card.item.classList.add("gone");
    card.card.classList.remove("calm", "near", "now", "landing", "predicted");
    card.card.classList.add(how);
    card.card.disabled = true;
    setText(card.left, sign);
    setText(card.answers, why);
    setTimeout(() => {
      card.item.remove();
      this.rest();
    }, GONE_MS);
  }

  /** Remove all rings after a lost connection. */
  clear() {
    this.cards.clear();
    this.list.replaceChildren();
    this.rest();
  }

  /**
   * Draw a frame. ringUs: the game time that rings show, or null if unknown.
   * @param {number | null} ringUs
   * @param {boolean} frozen whether game time is paused
   */
  draw(ringUs, frozen) {
    this.frozen.hidden = !frozen || this.cards.size === 0;
    for (const { card, arc, bar, left, threat } of this.cards.values()) {
      if (ringUs === null) {
        setText(left, "…");
        continue;
      }
      const shownUs = this.still.matches ? Math.ceil(ringUs / STEP_US) * STEP_US : ringUs;
      const fraction = part(threat, shownUs);
      arc.style.strokeDashoffset = String(1 - fraction);
      bar.style.transform = `scaleX(${fraction})`;
      setText(left, seconds(remainingUs(threat, ringUs)));
      const now = urgency(threat, ringUs);
      if (!card.classList.contains(now)) {
        card.classList.remove("calm", "near", "now", "landing");
        card.classList.add(now);
      }
    }
  }
}

/** @param {string} name */
function circle(name) {
  const shape = document.createElementNS(SVG, "circle");
  for (const [key, value] of Object.entries({ class: name, cx: 50, cy: 50, r: 43, pathLength: 1 })) {
    shape.setAttribute(key, String(value));
  }
  return shape;
}
