/** The page of a tournament, made of its parts again when its content changes. */
import { DialogBox } from "../widgets/dialog.js";
import { button, h, setText } from "../widgets/dom.js";
import { plural } from "../widgets/format.js";
import { outlineIcon } from "../widgets/icons.js";
import { keepScrolled } from "./scroll_box.js";
import { ThemeChoice } from "../page/theme.js";
import { battleList } from "./battles.js";
import { bracket } from "./bracket.js";
import { aboutText, battlesOf, leftText, momentText, problems, settingsText } from "./figures.js";
import { lines } from "./lines.js";
import { matrix } from "./matrix.js";
import { rounds } from "./rounds.js";
import { StandingsTable } from "./standings.js";
import { swiss } from "./swiss.js";
import { trouble } from "./trouble.js";
import { versions } from "./versions.js";

/** @typedef {import("./model.js").Tournament} Tournament */

/**
 * @param {string} id
 * @returns {HTMLElement}
 */
function place(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}

export class TournamentPage {
  constructor() {
    /** @type {Tournament | null} */
    this.data = null;
    this.trouble = "";
    /** The name of the series of lines that is shown. */
    this.series = "aps";
    this.table = new StandingsTable((entry) => this.open([entry]), () => this.draw());
    this.dialog = new DialogBox(/** @type {HTMLDialogElement} */ (place("dialog")));
    const theme = new ThemeChoice(() => {});
    this.big = button({ class: "tool", "aria-pressed": "false", title: "Large, for a projector" }, [outlineIcon("full"), h("span", { text: "Projector" })], () =>
      this.setBig(!document.documentElement.classList.contains("big")),
    );
    const turn = button({ class: "tool", "aria-label": "Switch between dark and light", title: "Switch between dark and light" }, [outlineIcon("theme")], () => theme.toggle());
    place("tools").append(this.big, turn);
    this.setBig(new URLSearchParams(location.search).get("big") === "1");
  }

  /** @param {boolean} big */
  setBig(big) {
    document.documentElement.classList.toggle("big", big);
    this.big.setAttribute("aria-pressed", String(big));
  }

  /** @param {Tournament} data */
  show(data) {
    if (this.data?.at_us === data.at_us) return;
    this.data = data;
    this.draw();
  }

  /**
   * Show that the content is old.
   * @param {string} text the reason; "": the content is current
   */
  complain(text) {
    if (this.trouble === text) return;
    this.trouble = text;
    this.draw();
  }

  draw() {
    const data = this.data;
    if (data === null) {
      place("parts").replaceChildren(h("p", { class: "part", text: this.trouble || "Loading …" }));
      return;
    }
    const focused = document.activeElement?.getAttribute("data-key");
    setText(place("title"), data.title || "Tournament");
    setText(place("about"), aboutText(data));
    document.title = `${data.title || "Tournament"} · turnwright`;
    const pair = (/** @type {number} */ one, /** @type {number} */ other) => this.open([one, other]);
    const parts = [
      this.trouble ? h("p", { class: "part bad", role: "status", text: this.trouble }) : null,
      progress(data),
      this.table.make(data),
      bracket(data, pair),
      swiss(data, pair),
      rounds(data, pair),
      matrix(data, pair),
      lines(data, this.series, (name) => this.chooseSeries(name)),
      trouble(data, () => this.openProblems()),
    ];
    const scrolled = keepScrolled(place("parts"));
    place("parts").replaceChildren(...parts.filter((part) => part !== null));
    scrolled();
    place("foot").replaceChildren(...foot(data));
    if (focused) {
      /** @type {HTMLElement | null} */ (document.querySelector(`[data-key="${focused}"]`))?.focus();
    }
  }

  /** @param {string} name */
  chooseSeries(name) {
    this.series = name;
    this.draw();
  }

  /** @param {number[]} entries */
  open(entries) {
    if (this.data === null) return;
    const names = entries.map((nth) => this.data?.entries[nth].name ?? "");
    const title = names.length > 1 ? names.join(" against ") : `Battles of ${names[0]}`;
    const earlier = entries.length > 1 ? [] : versions(this.data, entries[0]);
    this.dialog.show(title, [...earlier, ...battleList(this.data, battlesOf(this.data, entries))]);
  }

  openProblems() {
    if (this.data === null) return;
    this.dialog.show("Forfeits, void and suspect battles", battleList(this.data, problems(this.data)));
  }
}

/**
 * @param {Tournament} data
 * @returns {HTMLElement | null} null: no battle is being played
 */
function progress(data) {
  const run = data.progress;
  if (run === null) return null;
  const total = run.total;
  const words = [
    total === null ? plural(run.done, "battle") : `${run.done} of ${plural(total, "battle")}`,
    run.not_counted > 0 && `${run.not_counted} played and not counted`,
    run.ending ? "ends when the running battles are over" : run.left_s === null ? "" : leftText(run.left_s),
    `${run.jobs} at a time`,
  ];
  const now = run.running.map((text) => h("li", {}, [h("bdi", { text })]));
  return h("section", { id: "progress", class: "part", "aria-label": "Progress" }, [
    h("p", { class: "run" }, [h("span", { class: "live", text: "Live" }), h("span", { text: words.filter(Boolean).join(" · ") })]),
    h("progress", { max: Math.max(1, total ?? 1), value: total === null ? null : Math.min(run.done, total), "aria-label": "Battles that count" }),
    ...(now.length ? [h("p", { class: "hint", text: "Being played:" }), h("ul", { class: "running" }, now)] : []),
  ]);
}

/**
 * @param {Tournament} data
 * @returns {Node[]}
 */
function foot(data) {
  const settings = settingsText(data.settings);
  const facts = [`As of ${momentText(data.at_us)}`, data.seed && `seed ${data.seed}`, settings, `turnwright ${data.turnwright}`];
  return [
    h("p", { text: facts.filter(Boolean).join(" · ") }),
    h("p", { text: "APS is the average percentage of score. Each opponent counts once, however many battles were played against it. Two entries may be equally strong if the 95 % interval of their difference contains 0. Ratings are computed from all battles and do not depend on their order." }),
    ...data.notes.map((text) => h("p", { text })),
  ];
}
