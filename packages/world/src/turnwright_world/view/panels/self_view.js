/**
 * The panel of the player's body.
 *
 * It shows health, stamina, the action, queued commands and items.
 */
import { button, h, setText, showEach } from "../../../../viewer/widgets/dom.js";

/** @typedef {import("../state.js").WorldState} WorldState */

export class SelfView {
  /**
   * @param {HTMLElement} place
   * @param {() => void} onStop
   */
  constructor(place, onStop) {
    this.health = meter("Health", "hp");
    this.stamina = meter("Stamina", "sp");
    this.money = h("span", { class: "money" });
    this.doing = h("span", { class: "doing" });
    this.stop = button({ class: "stop", title: "Empty the queue and stop" }, ["Stop"], onStop);
    this.queue = h("ol", { class: "queue", "aria-label": "Commands that wait" });
    this.items = h("ul", { class: "items" });
    this.itemsWord = h("summary", {});
    place.append(
      h("div", { class: "meters" }, [this.health.element, this.stamina.element]),
      h("div", { class: "busy" }, [this.doing, this.queue, this.stop]),
      h("details", { class: "pack" }, [this.itemsWord, this.items]),
    );
  }

  /** @param {WorldState} state */
  update(state) {
    const { vitals, status, queue } = state;
    this.health.show(vitals.hp, vitals.maxhp);
    this.stamina.show(vitals.sp, vitals.maxsp);
    const doing = status.state === "busy" ? status.action : status.state;
    setText(this.doing, doing === "free" || doing === "" ? "idle" : doing);
    showEach(this.queue, queue.commands, () => h("li", {}), (item, line) => {
      setText(item, line);
      item.title = line;
    });
    this.queue.title = queue.max > 0 ? `${queue.commands.length} of ${queue.max} wait` : "";
    this.stop.disabled = queue.commands.length === 0 && status.state !== "busy";
    setText(this.itemsWord, `Pack: ${state.items.length}, coins: ${vitals.money}`);
    showEach(this.items, state.items, () => h("li", {}), (item, thing) => setText(item, thing.name));
  }
}

/**
 * A bar with its number.
 * @param {string} label
 * @param {string} kind
 */
function meter(label, kind) {
  const fill = h("span", { class: "meter-fill" });
  const number = h("span", { class: "meter-number" });
  const bar = h("span", { class: `meter-bar ${kind}`, role: "meter", "aria-label": label, "aria-valuemin": 0 }, [fill]);
  const element = h("div", { class: "meter" }, [h("span", { class: "meter-word", text: label }), bar, number]);
  return {
    element,
    /** @param {number} value @param {number} most */
    show(value, most) {
      const full = Math.max(1, most);
      fill.style.transform = `scaleX(${Math.min(1, Math.max(0, value / full))})`;
      bar.classList.toggle("low", value * 3 < full);
      bar.setAttribute("aria-valuemax", String(full));
      bar.setAttribute("aria-valuenow", String(value));
      setText(number, `${value}/${most}`);
    },
  };
}
