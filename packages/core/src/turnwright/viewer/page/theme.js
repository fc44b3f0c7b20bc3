/**
 * The theme, dark or light: the user's choice, or the system's.
 *
 * The choice is stored if the browser allows it.
 */

/** @typedef {"dark" | "light"} ThemeName */

const KEY = "turnwright.theme";

/**
 * Return a stored text, or null.
 *
 * A browser may refuse this (for a page from disk, or in a private window).
 * @param {string} key
 */
export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * Store a text, if the browser allows it.
 * @param {string} key
 * @param {string} text
 */
export function remember(key, text) {
  try {
    localStorage.setItem(key, text);
  } catch {
    // Not stored. The choice lasts until the page is closed.
  }
}

export class ThemeChoice {
  /** @param {(name: ThemeName) => void} onChange */
  constructor(onChange) {
    this.onChange = onChange;
    this.system = matchMedia("(prefers-color-scheme: light)");
    this.chosen = recall(KEY);
    this.system.addEventListener("change", () => this.apply());
    this.apply();
  }

  /** @returns {ThemeName} */
  get name() {
    if (this.chosen === "dark" || this.chosen === "light") {
      return this.chosen;
    }
    return this.system.matches ? "light" : "dark";
  }

  toggle() {
    this.chosen = this.name === "dark" ? "light" : "dark";
    remember(KEY, this.chosen);
    this.apply();
  }

  apply() {
    document.documentElement.dataset.theme = this.name;
    this.onChange(this.name);
  }
}
