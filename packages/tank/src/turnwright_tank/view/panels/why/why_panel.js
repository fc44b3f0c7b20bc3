/** The reasons why a bot lost: facts about it, each with a link to its turn. */
import { badge, nameTag } from "../../../../../viewer/widgets/badge.js";
import { button, h, setText } from "../../../../../viewer/widgets/dom.js";
import { fixed, signed } from "../../../../../viewer/widgets/format.js";
import { icon } from "../../../../../viewer/widgets/icons.js";
import { dashesOf } from "../../../../../viewer/widgets/canvas_util.js";
import { drawCourses } from "../sparkline.js";
import { findTurn } from "../../../../../viewer/time/turns.js";
import { Facts, ledgerOf, sentence } from "./facts.js";
import { WhyList } from "./why_list.js";

/** @typedef {import("../../../../../viewer/page/panel_context.js").PanelContext} PanelContext */
/** @typedef {import("./facts.js").BotFact} BotFact */
/** @typedef {import("./facts.js").EnergyLoss} EnergyLoss */

const BEFORE_TURNS = 150;
const NOTES_MAX = 6;
const OVERALL_MAX = 4;
/** @type {Record<string, string>} */
const CAUSES = { ram: "collision", left: "its program left", removed: "taken out of the battle" };

/**
 * Pause and show the death of a bot in a round, or the end of the round.
 * @param {PanelContext} shared
 * @param {number} id
 * @param {number} round
 */
export function showEnd(shared, id, round) {
  /** @type {import("../history.js").RoundSpan | null} */
  const span = shared.history?.round(round) ?? null;
  if (span !== null) {
    shared.show(span.died.get(id)?.index ?? span.last);
  }
}

export class WhyPanel {
  /** @param {PanelContext} shared */
  constructor(shared) {
    this.shared = shared;
    this.list = new WhyList(shared, (id) => this.begin(id));
    this.title = h("h2");
    this.hint = h("p", { class: "hint" });
    this.rounds = h("select", { "aria-label": "Round" });
    this.rounds.addEventListener("change", () => this.choose(Number(this.rounds.value)));
    this.verdict = h("p", { class: "verdict" });
    this.overall = h("ul", { class: "reasons" });
    this.card = h("div", { class: "why-card" });
    this.canvas = h("canvas", { class: "course", role: "img" });
    this.courseHint = h("p", { class: "hint course-hint" });
    this.course = h("div", {}, [h("h3", { text: "Its energy in this round" }), this.canvas, this.courseHint]);
    this.body = h("div", {}, [
      this.title,
      this.hint,
      this.verdict,
      this.overall,
      this.rounds,
      this.card,
      this.course,
    ]);
    this.element = h("div", { class: "why-panel" }, [this.list.element, this.body]);
    this.key = "";
    /** @type {Facts | null} */
    this.facts = null;
    /** @type {Facts | null} */
    this.shown = null;
  }

  /**
   * Show the death of the bot selected in a round, or the end of the round.
   * @param {number} round
   */
  choose(round) {
    const id = this.shared.player.selected;
    if (id !== null) {
      showEnd(this.shared, id, round);
    }
  }

  /**
   * Explain a bot that was chosen in this panel, beginning with its death in the round shown.
   * @param {number} id
   */
  begin(id) {
    this.shared.player.select(id);
    this.choose(this.shared.player.frame?.roundNumber ?? 0);
  }

  refresh() {
    const { analysis, player } = this.shared;
    analysis?.refresh(player.source?.length ?? 0);
    const lines = analysis?.lines ?? null;
    if (lines !== (this.facts?.lines ?? null)) {
      this.facts = lines === null ? null : new Facts(lines);
    }
    const { facts } = this;
    const id = player.selected;
    const round = player.frame?.roundNumber ?? 0;
    this.list.element.hidden = id !== null;
    this.body.hidden = id === null || round === 0;
    if (id === null || round === 0) {
      this.list.refresh(facts);
      return;
    }
    const key = `${id} ${round} ${this.shared.seatsKey} ${analysis?.message}`;
    if (key !== this.key || facts !== this.shown) {
      this.key = key;
      this.shown = facts;
      this.title.replaceChildren("Why? ", nameTag(this.shared, id));
      this.showHint(facts, id, round);
      this.showBattle(facts, id);
      this.showRounds(facts, id);
      this.showCard(facts?.of(id, round) ?? null, facts);
    }
    if (document.activeElement !== this.rounds) {
      this.rounds.value = String(round);
    }
    this.drawCourse(id, round);
  }

  /**
   * Show why there are no facts, or the turn up to which they go.
   * @param {Facts | null} facts
   * @param {number} id
   * @param {number} round
   */
  showHint(facts, id, round) {
    const told = facts?.rounds.get(round);
    let text = "";
    if (facts === null) {
      text = this.shared.analysis?.message ?? "";
    } else if (!told) {
      text = `Round ${round} is not analysed yet.`;
    } else if (facts.of(id, round) === null) {
      text = `It was not in round ${round}.`;
    } else if (!told.complete) {
      text = `As of turn ${told.turns} of round ${round}.`;
    }
    setText(this.hint, text);
    this.hint.hidden = text === "";
  }

  /**
   * Show its fate in the whole battle.
   * @param {Facts | null} facts
   * @param {number} id
   */
  showBattle(facts, id) {
    const seat = this.shared.seats.find((entry) => entry.id === id);
    const verdict = this.shared.battle?.results ? (facts?.verdictOf(seat?.teamId ?? id, (seat?.teamId ?? null) !== null) ?? "") : "";
    setText(this.verdict, `Whole battle: ${verdict}`);
    this.verdict.hidden = verdict === "";
    const several = facts !== null && facts.roundsOf(id).length > 1;
    const lines = several ? [sentence(`it ${facts.fateOf(id)}`), ...facts.notesOf(id, null).slice(0, OVERALL_MAX)] : [];
    this.overall.replaceChildren(...lines.map((text) => h("li", { text })));
    this.overall.hidden = lines.length === 0;
  }

  /**
   * @param {Facts | null} facts
   * @param {number} id
   */
  showRounds(facts, id) {
    const options = (facts?.roundsOf(id) ?? []).map((line) =>
      h("option", { value: line.round, text: `Round ${line.round}: ${line.fate}` }),
    );
    this.rounds.replaceChildren(...options);
    this.rounds.hidden = options.length === 0;
  }

  /**
   * @param {BotFact | null} line
   * @param {Facts | null} facts
   */
  showCard(line, facts) {
    if (line === null || facts === null) {
      this.card.replaceChildren();
      return;
    }
    const notes = facts.notesOf(line.bot, line.round).slice(0, NOTES_MAX);
    this.card.replaceChildren(
      h("p", { class: "headline", text: `Round ${line.round}: ${this.shared.nameOf(line.bot)} ${line.fate}.` }),
      h("ul", { class: "reasons" }, notes.map((text) => h("li", { text }))),
      this.buttons(line),
      h("div", { class: "two" }, [this.ledger(line), this.blows(line)]),
      this.printed(line),
    );
  }

  /**
   * @param {BotFact} line
   * @returns {HTMLElement | string} what it printed last in the round
   */
  printed(line) {
    const printed = line.printed ?? [];
    if (printed.length === 0) {
      return "";
    }
    const rows = printed.map(({ turn, text, error }) =>
      h("li", error ? { class: "error" } : {}, [
        h("span", { class: "when" }, [this.turnButton(line.round, turn, `${line.round}.${turn}`)]),
        h("span", { class: "printed", text }),
      ]),
    );
    return h("div", {}, [h("h3", { text: "What it printed last" }), h("ol", { class: "console" }, rows)]);
  }

  /**
   * @param {number} round
   * @param {number} turn
   * @returns {number | null} index of a turn's frame, null: it is not here
   */
  indexOf(round, turn) {
    const { source } = this.shared.player;
    return source === null ? null : findTurn(source, round, turn);
  }

  /**
   * @param {BotFact} line
   * @returns {HTMLElement}
   */
  buttons(line) {
    const { player } = this.shared;
    const seek = this.indexOf(line.round, line.died ?? this.shown?.rounds.get(line.round)?.turns ?? 1);
    const begin = this.indexOf(line.round, 1) ?? seek;
    if (seek === null || begin === null) {
      return h("div");
    }
    return h("div", { class: "group" }, [
      button({ class: "primary" }, [icon("play"), "Watch its last 5 s"], () => {
        player.setRate({ kind: "speed", value: 1 });
        player.seek(Math.max(seek - BEFORE_TURNS, begin));
        player.play();
      }),
      button({}, ["Go there"], () => this.shared.show(seek)),
    ]);
  }

  /**
   * @param {BotFact} line
   * @returns {HTMLElement}
   */
  ledger(line) {
    const ledger = ledgerOf(line);
    const most = Math.max(...ledger.map(({ value }) => Math.abs(value)), 1);
    const rows = ledger.map(({ label, value, kind }) => {
      const fill = h("span", { class: value < 0 ? "fill loss" : "fill" });
      fill.style.transform = `scaleX(${Math.abs(value) / most})`;
      return h("tr", { class: kind }, [
        h("th", { scope: "row", text: label }),
        h("td", { class: "number", text: kind === "left" ? fixed(value, 1) : signed(value, 1) }),
        h("td", { class: "bar-cell" }, [h("span", { class: "bar" }, [fill])]),
      ]);
    });
    return h("table", { class: "ledger" }, [
      h("caption", { text: "Energy gained and lost" }),
      h("tbody", {}, rows),
    ]);
  }

  /**
   * @param {BotFact} line
   * @returns {HTMLElement}
   */
  blows(line) {
    if (line.blows.length === 0) {
      return h("p", { class: "hint", text: "It was not hit." });
    }
    const rows = line.blows.slice().reverse().map((blow) => {
      const left = blow.energy_before - blow.damage;
      const over = left < 0 && blow.energy_before >= 0 ? h("span", { class: "over", text: ` +${fixed(-left, 1)} overkill` }) : "";
      const taken = over === "" ? blow.damage : blow.energy_before;
      return h("tr", {}, [
        h("td", {}, [this.turnButton(line.round, blow.turn)]),
        h("td", {}, this.blowText(blow)),
        h("td", { class: "number" }, [`−${fixed(taken, 1)}`, over]),
        h("td", { class: "number", text: left < 0 ? "✕" : fixed(left, 1) }),
      ]);
    });
    const heads = ["when", "hit", "took", "left"].map((text) => h("th", { scope: "col", text }));
    return h("table", { class: "blows" }, [
      h("caption", { text: "Last hits (newest first)" }),
      h("thead", {}, [h("tr", {}, heads)]),
      h("tbody", {}, rows),
    ]);
  }

  /**
   * @param {number} round
   * @param {number} turn
   * @param {string} [text]
   * @returns {HTMLElement}
   */
  turnButton(round, turn, text = `turn ${turn}`) {
    return button({ class: "plain when", text }, [], () => {
      const index = this.indexOf(round, turn);
      if (index !== null) {
        this.shared.show(index);
      }
    });
  }

  /**
   * @param {EnergyLoss} blow
   * @returns {(Node | string)[]}
   */
  blowText({ cause, by }) {
    const name = CAUSES[cause] ?? cause;
    return by === null ? [name] : [`${name} `, badge(this.shared, by), ` ${this.shared.plainNameOf(by)}`];
  }

  /**
   * Draw its energy, and the energy of the other bot that lived longest.
   * @param {number} id
   * @param {number} round
   */
  drawCourse(id, round) {
    /** @type {import("../history.js").TankHistory | null} */
    const history = this.shared.history;
    const span = history?.round(round) ?? null;
    this.course.hidden = history === null || span === null;
    if (history === null || span === null) {
      return;
    }
    const rival = history.longestLived(span, id);
    const lines = (rival === null ? [id] : [rival, id]).map((bot) => ({
      course: history.courseOf(span, bot),
      color: this.shared.inks.line(this.shared.seatOf(bot)),
      dashes: bot === id ? dashesOf(this.shared.seatOf(bot)) : [4, 3],
      died: span.died.has(bot),
    }));
    drawCourses(this.canvas, lines, span.turns, this.shared.inks);
    const hint =
      rival === null ? "" : `Thick line: ${this.shared.nameOf(id)}. Dashed line: ${this.shared.nameOf(rival)}, which lived longest of the others.`;
    setText(this.courseHint, hint);
    this.canvas.setAttribute("aria-label", `Energy in round ${round}. ${hint}`);
  }
}
