/**
 * The page of a ladder server.
 *
 * It asks its server again and again, and each part shows what has changed.
 */
import { h, setText } from "../widgets/dom.js";
import { plural } from "../widgets/format.js";
import { ThemeChoice } from "../page/theme.js";
import { outlineIcon } from "../widgets/icons.js";
import { button } from "../widgets/dom.js";
import { AccountPart } from "./account.js";
import { get } from "./api.js";
import { battleItems, uploadItems } from "./bots.js";
import { tournamentItems, ladderTable, runningItems } from "./ladder_view.js";
import { StartPart } from "./start_part.js";
import { TeacherPart } from "./teacher.js";
import { UploadPart } from "./upload.js";

/** @typedef {import("./model.js").LadderOverview} LadderOverview */
/** @typedef {import("./model.js").Me} Me */

const ASK_MS = 2000;

/**
 * @param {string} id
 * @returns {HTMLElement}
 */
function place(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}

class LadderPage {
  constructor() {
    const theme = new ThemeChoice(() => {});
    const turn = button({ class: "tool", "aria-label": "Switch between dark and light", title: "Switch between dark and light" }, [outlineIcon("theme")], () => theme.toggle());
    place("tools").append(turn);
    const again = () => this.ask();
    this.account = new AccountPart(place("account"), again);
    this.upload = new UploadPart(place("upload"), again);
    this.teacher = new TeacherPart(place("teacher"), again);
    /** @type {Map<string, string>} what each part shows, as text */
    this.shown = new Map();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.asking = 0;
  }

  async ask() {
    clearTimeout(this.timer);
    const number = ++this.asking;
    try {
      const [overview, me] = await Promise.all([get("api/ladder"), get("api/me")]);
      if (number !== this.asking) return;
      this.show(overview, me);
      await this.teacher.look(me, overview);
      this.complain(overview.stopped ? "An error stopped the battles. Ask the teacher to start the ladder server again." : "");
    } catch {
      this.complain("The ladder server does not answer. The page shows the last known state.");
    }
    if (number === this.asking) this.timer = setTimeout(() => this.ask(), ASK_MS);
  }

  /** @param {string} text "": there is no trouble any more */
  complain(text) {
    const trouble = place("trouble");
    setText(trouble, text);
    trouble.hidden = text === "";
  }

  /**
   * @param {LadderOverview} overview
   * @param {Me} me
   */
  show(overview, me) {
    setText(place("title"), overview.title || "Ladder");
    document.title = `${overview.title || "Ladder"} · turnwright`;
    setText(place("about"), [overview.game, plural(overview.bots, "bot"), plural(overview.battles, "battle"), overview.sandbox === "full" ? "bots play in the sandbox" : "bots play without a sandbox"].join(" · "));
    this.account.show(overview, me);
    this.upload.show(overview, me);
    this.part("ladder", [overview.ladder, me.uploads], () => ladderTable(overview, me));
    this.part("running", [overview.running, overview.waiting, overview.bots > 0, overview.tournaments], () => runningItems(overview));
    this.part("tournaments", overview.tournaments, () => tournamentItems(overview));
    this.part("bots", me.uploads, () => uploadItems(me, overview.replay));
    this.part("battles", me.battles, () => battleItems(me, overview.replay));
  }

  /**
   * Make a part again if its data has changed. Opened details and the focus stay.
   * @param {string} id
   * @param {unknown} data
   * @param {() => Node[]} make makes its content; an empty list hides the part
   */
  part(id, data, make) {
    const text = JSON.stringify(data) ?? "";
    if (this.shown.get(id) === text) return;
    this.shown.set(id, text);
    const section = place(id);
    const open = new Set([...section.querySelectorAll("details[open]")].map((one) => one.getAttribute("data-key")));
    const focused = section.contains(document.activeElement) ? document.activeElement?.getAttribute("data-key") : null;
    section.replaceChildren(...make());
    section.hidden = section.childElementCount === 0;
    for (const one of section.querySelectorAll("details")) {
      if (open.has(one.getAttribute("data-key"))) one.open = true;
    }
    if (focused) {
      for (const one of section.querySelectorAll("[data-key]")) {
        if (one.getAttribute("data-key") === focused) /** @type {HTMLElement} */ (one).focus();
      }
    }
  }
}

place("running").append(h("p", { class: "hint", text: "Loading …" }));
new StartPart(place("start")).load();
new LadderPage().ask();
