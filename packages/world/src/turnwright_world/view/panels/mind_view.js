/**
 * The dialog for a player's minds.
 *
 * The player sends a Python file, sees its results, and stops it.
 */
import { button, h, setText } from "../../../../viewer/widgets/dom.js";
import { fields, list, number, text } from "../connection/messages.js";

/** @typedef {import("../connection/messages.js").Message} Message */
/** @typedef {{ turn: number, what: string, text: string }} Look */
/** @typedef {{ body: number, name: string, own: boolean, hash: string, on: boolean, bytes: number, plans: string, looks: Look[] }} Mind */

export const SOURCE_BYTES_MAX = 16384;
const SOURCE_CHARS_MAX = 16384;
const TEXT_CHARS_MAX = 400;
const EXAMPLE = `def plan(view, random):
    if view["threats"]:
        return "dodge"
    return None
`;

/**
 * @param {unknown} value a row of Mind.Status
 * @returns {Mind}
 */
export function readMind(value) {
  const data = fields(value);
  const plans = Object.entries(fields(data.plans)).slice(0, 20);
  return {
    body: number(data.body),
    name: text(data.name) || "somebody",
    own: data.own === true,
    hash: text(data.hash, 16),
    on: data.on === true,
    bytes: number(data.bytes),
    plans: plans.map(([why, count]) => `${text(why)} ${number(count)}`).join(", "),
    looks: list(data.looks).map((one) => {
      const look = fields(one);
      return { turn: number(look.turn), what: text(look.what), text: text(look.text, TEXT_CHARS_MAX) };
    }),
  };
}

/**
 * The start and end of a line in a text.
 * @param {string} source
 * @param {number} line from 1
 */
export function lineRange(source, line) {
  const lines = source.split("\n");
  const nth = Math.min(Math.max(1, line), lines.length);
  const from = lines.slice(0, nth - 1).reduce((sum, one) => sum + one.length + 1, 0);
  return { from, to: from + lines[nth - 1].length };
}

/**
 * The mistake that prevents sending a source, or "".
 * @param {string} source
 */
export function whyNot(source) {
  const bytes = new TextEncoder().encode(source).length;
  if (source.trim() === "") {
    return "There is nothing to hand over.";
  }
  return bytes > SOURCE_BYTES_MAX ? `It has ${bytes} bytes; a mind may have at most ${SOURCE_BYTES_MAX}.` : "";
}

export class MindView {
  /**
   * @param {HTMLDialogElement} dialog
   * @param {(name: string, data: object) => void} send
   */
  constructor(dialog, send) {
    this.dialog = dialog;
    this.send = send;
    /** @type {Mind[]} */
    this.minds = [];
    this.whom = /** @type {HTMLSelectElement} */ (h("select", { id: "mind-whom" }));
    this.source = /** @type {HTMLTextAreaElement} */ (
      h("textarea", { id: "mind-source", rows: "14", spellcheck: "false", autocomplete: "off", wrap: "off" })
    );
    this.file = /** @type {HTMLInputElement} */ (h("input", { id: "mind-file", type: "file", accept: ".py,text/x-python" }));
    this.said = h("p", { class: "mind-said", role: "status" });
    this.facts = h("p", { class: "mind-facts" });
    this.looks = h("ol", { class: "mind-looks" });
    this.rest = button({ class: "tool" }, ["Stop"], () => this.act(this.chosen?.on === true ? "stop" : "start"));
    this.drop = button({ class: "tool" }, ["Forget"], () => this.act("drop"));
    this.whom.addEventListener("change", () => this.choose());
    this.file.addEventListener("change", () => void this.read());
    dialog.replaceChildren(
      h("h2", { id: "mind-title", text: "Minds" }),
      h("p", { text: "A Python file that acts for you while you are away, or for one of your companions." }),
      h("p", {}, [h("label", { for: "mind-whom", text: "For " }), this.whom, " ", this.rest, this.drop]),
      this.facts,
      this.source,
      h("p", {}, [h("label", { for: "mind-file", text: "From a file: " }), this.file]),
      this.said,
      h("p", {}, [
        button({ class: "big-button" }, ["Hand over"], () => this.handOver()),
        button({ class: "tool" }, ["Look again"], () => this.send("Mind.List", {})),
        button({ class: "tool" }, ["Close"], () => dialog.close()),
      ]),
      this.looks,
    );
    this.source.setAttribute("aria-label", "The mind's source");
    this.source.value = EXAMPLE;
  }

  get chosen() {
    return this.minds.find((one) => String(one.body) === this.whom.value) ?? null;
  }

  get target() {
    return this.whom.value === "" ? "" : `#${this.whom.value}`;
  }

  open() {
    setText(this.said, "");
    this.send("Mind.List", {});
    this.dialog.showModal();
  }

  /** @param {Message} message */
  take(message) {
    const data = message.data;
    if (message.name === "Mind.Status") {
      this.minds = list(data.minds).map(readMind);
      this.fill();
    } else if (message.name === "Mind.Mistakes") {
      const found = fields(list(data.mistakes)[0]);
      this.mistake(number(found.line), text(found.text, TEXT_CHARS_MAX));
    } else if (message.name === "Mind.Refused" || message.name === "Mind.Fault") {
      setText(this.said, text(data.text, TEXT_CHARS_MAX));
    } else if (message.name === "Mind.Source" && typeof data.source === "string") {
      this.source.value = data.source.slice(0, SOURCE_CHARS_MAX);
    }
  }

  fill() {
    const before = this.whom.value;
    const options = this.minds.map((one) => {
      const option = h("option", { text: one.own ? "yourself, while you are away" : `${one.name} (#${one.body})` });
      option.setAttribute("value", String(one.body));
      return option;
    });
    this.whom.replaceChildren(...options);
    if (this.minds.some((one) => String(one.body) === before)) {
      this.whom.value = before;
    }
    this.show();
  }

  choose() {
    this.show();
    if (this.chosen?.hash) {
      this.send("Mind.Show", { target: this.target });
    }
  }

  show() {
    const mind = this.chosen;
    const has = mind !== null && mind.hash !== "";
    setText(
      this.facts,
      has ? `${mind.hash}, ${mind.bytes} bytes, ${mind.on ? "on" : "stopped"}. Plans: ${mind.plans || "none yet"}.` : "It has no mind from you.",
    );
    setText(this.rest, has && !mind.on ? "Start" : "Stop");
    this.rest.toggleAttribute("disabled", !has);
    this.drop.toggleAttribute("disabled", !has);
    const looks = has ? [...mind.looks].reverse() : [];
    this.looks.replaceChildren(...looks.map((one) => h("li", { text: `turn ${one.turn}, ${one.what}: ${one.text}` })));
  }

  handOver() {
    const problem = whyNot(this.source.value);
    setText(this.said, problem === "" ? "It is being read …" : problem);
    if (problem === "") {
      this.taken = this.chosen?.hash;
      this.send("Mind.Put", { source: this.source.value, target: this.target });
    }
  }

  /** @param {string} line of the story */
  hear(line) {
    if (this.dialog.open && line.startsWith("The mind is ")) {
      setText(this.said, line);
    }
  }

  /** @param {"stop" | "start" | "drop"} what */
  act(what) {
    this.send("Mind.Do", { what, target: this.target });
  }

  /**
   * @param {number} line
   * @param {string} why
   */
  mistake(line, why) {
    setText(this.said, line > 0 ? `Line ${line}: ${why}` : why);
    if (line > 0) {
      const { from, to } = lineRange(this.source.value, line);
      this.source.focus();
      this.source.setSelectionRange(from, to);
    }
  }

  async read() {
    const file = this.file.files?.[0];
    if (file === undefined) {
      return;
    }
    if (file.size > SOURCE_BYTES_MAX) {
      setText(this.said, `It has ${file.size} bytes; a mind may have at most ${SOURCE_BYTES_MAX}.`);
      return;
    }
    this.source.value = await file.text();
  }
}
