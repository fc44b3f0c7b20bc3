/** Tabs. Only one of several panels is shown. The others are not refreshed. */
import { freshId, h, setAttribute } from "./dom.js";

/**
 * @typedef {object} Tab
 * @property {string} name
 * @property {string} label
 * @property {HTMLElement} element
 * @property {() => void} refresh shows the current data; called only while the tab is visible
 */

export class Tabs {
  /**
   * @param {string} label the label of all tabs together
   * @param {Tab[]} tabs
   */
  constructor(label, tabs) {
    this.tabs = tabs;
    this.list = h("div", { role: "tablist", class: "tabs", "aria-label": label });
    this.element = h("section", { class: "tabbed" }, [this.list]);
    /** @type {Map<string, HTMLButtonElement>} */
    this.buttons = new Map();
    for (const tab of tabs) {
      this.add(tab);
    }
    this.current = tabs[0];
    /** Whether the user has chosen a tab. */
    this.chosen = false;
    this.list.addEventListener("keydown", (event) => this.key(event));
  }

  /** @param {Tab} tab */
  add(tab) {
    const panelId = freshId("panel");
    const tabId = freshId("tab");
    const opener = h("button", { type: "button", role: "tab", id: tabId, "aria-controls": panelId, text: tab.label });
    opener.addEventListener("click", () => this.choose(tab.name));
    this.buttons.set(tab.name, opener);
    this.list.append(opener);
    tab.element.id = panelId;
    setAttribute(tab.element, "role", "tabpanel");
    setAttribute(tab.element, "aria-labelledby", tabId);
    setAttribute(tab.element, "tabindex", "0"); // so that it can be scrolled if nothing in it can be focused
    tab.element.classList.add("tab-panel");
    this.element.append(tab.element);
  }

  /**
   * Open the tab that the user asked for.
   *
   * If the panels are below each other, it is scrolled into view.
   * @param {string} name
   */
  choose(name) {
    this.chosen = true;
    this.open(name);
    this.element.scrollIntoView({ block: "start" });
  }

  /** @param {string} name */
  open(name) {
    for (const tab of this.tabs) {
      const chosen = tab.name === name;
      const opener = this.buttons.get(tab.name);
      tab.element.hidden = !chosen;
      opener?.setAttribute("aria-selected", String(chosen));
      opener?.setAttribute("tabindex", chosen ? "0" : "-1");
      if (chosen) {
        this.current = tab;
      }
    }
    this.refresh();
  }

  refresh() {
    this.current.refresh();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const way = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (way === 0) {
      return;
    }
    const here = this.tabs.indexOf(this.current);
    const tab = this.tabs[(here + way + this.tabs.length) % this.tabs.length];
    this.choose(tab.name);
    this.buttons.get(tab.name)?.focus();
    event.preventDefault();
    event.stopPropagation();
  }
}
