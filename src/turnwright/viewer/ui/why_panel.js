/** "Why did it lose?": a round's account of the bot selected, in words and figures, with ways to look at it. */
import { badge, nameTag } from "./badge.js";
import { button, h, setText } from "./dom.js";
import { fixed, shortName, signed } from "./format.js";
import { icon } from "./icons.js";
import { dashesOf } from "./paint.js";
import { drawCourses } from "./spark.js";
import { compare, roundLines } from "./verdict.js";
import { overall } from "./campaign.js";
import { explain } from "./why.js";
import { WhyList } from "./why_list.js";

/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("./why.js").Account} Account */
/** @typedef {import("./tally.js").Blow} Blow */
/** @typedef {import("./tally.js").RoundTally} RoundTally */

const BEFORE_TURNS = 150;
const BLOW_NAMES = { bullet: "bullet", ram: "collision", wall: "wall", idle: "nobody hit anybody" };

export class WhyPanel {
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    this.list = new WhyList(desk, (id) => this.begin(id));
    this.title = h("h2");
    this.rounds = h("select", { "aria-label": "Round" });
    this.rounds.addEventListener("change", () => this.choose(Number(this.rounds.value)));
    this.verdict = h("p", { class: "verdict" });
    this.overall = h("ul", { class: "reasons" });
    this.overallKey = "";
    this.card = h("div", { class: "why-card" });
    this.canvas = h("canvas", { class: "course", role: "img" });
    this.body = h("div", {}, [
      this.title,
      this.verdict,
      this.overall,
      this.rounds,
      this.card,
      h("h3", { text: "Its energy in this round" }),
      this.canvas,
      h("p", { class: "hint course-hint" }),
    ]);
    this.element = h("div", { class: "why-panel" }, [this.list.element, this.body]);
    this.key = "";
    this.roundsKey = "";
  }

  /**
   * Show the start of a round's end: the death of the bot selected in it.
   * @param {number} round
   */
  choose(round) {
    const id = this.desk.player.selected;
    const bot = id === null ? null : this.desk.chronicle?.round(round)?.bots.get(id);
    const tally = this.desk.chronicle?.round(round);
    if (tally && bot) {
      this.desk.show(bot.diedIndex ?? tally.last);
    }
  }

  /**
   * Explain a bot that was chosen here, from its death in the round shown on.
   * @param {number} id
   */
  begin(id) {
    this.desk.player.select(id);
    this.choose(this.desk.player.frame?.roundNumber ?? 0);
  }

  refresh() {
    const { chronicle, player } = this.desk;
    const id = player.selected;
    const tally = chronicle?.round(player.frame?.roundNumber ?? 0) ?? null;
    this.list.element.hidden = id !== null;
    this.body.hidden = id === null || tally === null;
    if (id === null || tally === null) {
      this.list.refresh();
      return;
    }
    this.showRounds(id, tally.round);
    this.showOverall(id);
    const { battle, seatsKey } = this.desk;
    const key = `${id} ${tally.round} ${tally.last} ${tally.over} ${battle?.results !== null} ${seatsKey}`;
    if (key !== this.key) {
      this.key = key;
      this.showAccount(id, tally);
    }
    this.drawCourse(id, tally);
  }

  /**
   * @param {number} id
   * @param {number} now the round shown
   */
  showRounds(id, now) {
    const lines = roundLines(this.desk.chronicle?.rounds ?? [], id, (other) => this.desk.nameOf(other));
    const key = `${id} ${lines.map((line) => line.text).join()}`;
    if (key !== this.roundsKey && document.activeElement !== this.rounds) {
      this.roundsKey = key;
      const options = lines.map((line) =>
        h("option", { value: line.round, text: `Round ${line.round}: ${line.text}` }),
      );
      this.rounds.replaceChildren(...options);
    }
    if (this.rounds.value !== String(now) && document.activeElement !== this.rounds) {
      this.rounds.value = String(now);
    }
  }

  /**
   * @param {number} id
   * @param {RoundTally} tally
   */
  showAccount(id, tally) {
    this.title.replaceChildren("Why? ", nameTag(this.desk, id));
    this.showVerdict(id);
    const account = explain(tally, id, (other) => this.desk.nameOf(other));
    if (!account) {
      const died = `It had died before turn ${tally.from} of round ${tally.round}, in which this page came.`;
      const text = tally.gone.includes(id) ? died : `It was not seen in round ${tally.round}.`;
      this.card.replaceChildren(h("p", { class: "hint", text }));
      return;
    }
    this.card.replaceChildren(
      h("p", { class: "headline", text: account.headline }),
      h(
        "ul",
        { class: "reasons" },
        account.reasons.map((text) => h("li", { text })),
      ),
      this.buttons(account, tally),
      h("div", { class: "two" }, [this.ledger(account), this.blows(account)]),
    );
  }

  /**
   * Say what became of it in all rounds that are over.
   * @param {number} id
   */
  showOverall(id) {
    const rounds = (this.desk.chronicle?.rounds ?? []).filter((tally) => tally.over);
    const key = `${id} ${rounds.length} ${rounds[0]?.round} ${this.desk.seatsKey}`;
    if (key !== this.overallKey) {
      this.overallKey = key;
      const lines = overall(rounds, id, (other) => this.desk.nameOf(other));
      this.overall.hidden = lines.length === 0;
      this.overall.replaceChildren(...lines.map((text) => h("li", { text })));
    }
  }

  /** @param {number} id */
  showVerdict(id) {
    const rows = this.desk.battle?.results ?? null;
    const side = this.desk.chronicle?.keeper.sides.find((entry) => entry.ids.includes(id));
    const wanted = side ? (side.teamId ?? id) : id;
    const row = rows?.find((entry) => entry.id === wanted && (entry.isTeam ?? false) === (side?.teamId !== null));
    this.verdict.hidden = !rows || !row;
    if (rows && row) {
      setText(this.verdict, `Whole battle: ${compare(rows, row, (entry) => this.rowName(entry)).join(" ")}`);
    }
  }

  /**
   * @param {import("../model.js").ResultRow} row
   * @returns {string}
   */
  rowName(row) {
    return row.isTeam ? shortName(row.name, 40) : this.desk.nameOf(row.id);
  }

  /**
   * @param {Account} account
   * @param {RoundTally} tally
   * @returns {HTMLElement}
   */
  buttons(account, tally) {
    const { seek } = account;
    if (seek === null) {
      return h("div");
    }
    const { player } = this.desk;
    return h("div", { class: "group" }, [
      button({ class: "primary" }, [icon("play"), "Watch its last 5 s"], () => {
        player.setRate({ kind: "speed", value: 1 });
        player.seek(Math.max(seek - BEFORE_TURNS, tally.first));
        player.play();
      }),
      button({}, ["Go there"], () => this.desk.show(seek)),
    ]);
  }

  /**
   * @param {Account} account
   * @returns {HTMLElement}
   */
  ledger(account) {
    const most = Math.max(...account.ledger.map((line) => Math.abs(line.value)), 1);
    const rows = account.ledger.map((line) => {
      const fill = h("span", { class: line.value < 0 ? "fill loss" : "fill" });
      fill.style.transform = `scaleX(${Math.abs(line.value) / most})`;
      return h("tr", {}, [
        h("th", { scope: "row", text: line.label }),
        h("td", { class: "number", text: signed(line.value, 1) }),
        h("td", { class: "bar-cell" }, [h("span", { class: "bar" }, [fill])]),
      ]);
    });
    return h("table", { class: "ledger" }, [
      h("caption", { text: "Where its energy came from and went" }),
      h("tbody", {}, rows),
    ]);
  }

  /**
   * @param {Account} account
   * @returns {HTMLElement}
   */
  blows(account) {
    if (account.blows.length === 0) {
      return h("p", { class: "hint", text: "Nothing has hit it." });
    }
    const rows = account.blows.map((blow) =>
      h("tr", {}, [
        h("td", {}, [button({ class: "plain when", text: `turn ${blow.turn}` }, [], () => this.desk.show(blow.index))]),
        h("td", {}, this.blowText(blow)),
        h("td", { class: "number", text: `−${fixed(blow.damage, 1)}` }),
        h("td", { class: "number", text: blow.energy < 0 ? "✕" : fixed(blow.energy, 1) }),
      ]),
    );
    const head = h(
      "tr",
      {},
      ["when", "blow", "took", "left"].map((text) => h("th", { scope: "col", text })),
    );
    return h("table", { class: "blows" }, [
      h("caption", { text: "Its last blows, the last first" }),
      h("thead", {}, [head]),
      h("tbody", {}, rows),
    ]);
  }

  /**
   * @param {Blow} blow
   * @returns {(Node | string)[]}
   */
  blowText(blow) {
    return blow.by === null
      ? [BLOW_NAMES[blow.kind]]
      : [`${BLOW_NAMES[blow.kind]} `, badge(this.desk, blow.by), ` ${this.desk.plainNameOf(blow.by)}`];
  }

  /**
   * @param {number} id
   * @param {RoundTally} tally
   */
  drawCourse(id, tally) {
    const mine = tally.bots.get(id);
    if (!mine) {
      return;
    }
    const others = [...tally.bots.values()].filter((bot) => bot !== mine);
    others.sort((a, b) => (b.diedTurn ?? Infinity) - (a.diedTurn ?? Infinity) || b.energy - a.energy);
    const rival = others[0];
    const lines = (rival ? [rival, mine] : [mine]).map((bot) => ({
      course: bot.course,
      color: this.desk.inks.line(this.desk.seatOf(bot.id)),
      dashes: bot === mine ? dashesOf(this.desk.seatOf(bot.id)) : [4, 3],
      died: bot.diedTurn !== null,
    }));
    drawCourses(this.canvas, lines, tally.turns, this.desk.inks);
    const hint = rival
      ? `Strong: ${this.desk.nameOf(id)}. Dashed: ${this.desk.nameOf(rival.id)}, who lived longest.`
      : "";
    const note = /** @type {Element} */ (this.body.lastElementChild);
    setText(note, hint);
    this.canvas.setAttribute("aria-label", `Energy in round ${tally.round}. ${hint}`);
  }
}
