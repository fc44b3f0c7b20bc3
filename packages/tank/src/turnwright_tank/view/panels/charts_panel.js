/** Charts of scores in the battle, and of energies in a round or the battle. */
import { Chart } from "../../../../viewer/widgets/chart.js";
import { button, h, setAttribute, setText } from "../../../../viewer/widgets/dom.js";
import { plural } from "../../../../viewer/widgets/format.js";

/** @typedef {import("../../../../viewer/page/panel_context.js").PanelContext} PanelContext */
/** @typedef {import("./history.js").TankHistory} TankHistory */

export class ChartsPanel {
  /** @param {PanelContext} shared */
  constructor(shared) {
    this.shared = shared;
    this.scores = new Chart(shared, "Scores");
    this.energies = new Chart(shared, "Energies");
    this.wholeBattle = false;
    this.scope = button({ class: "switch", "aria-pressed": "false", text: "Whole battle" }, [], () => {
      this.wholeBattle = !this.wholeBattle;
      setAttribute(this.scope, "aria-pressed", String(this.wholeBattle));
      this.refresh();
    });
    this.energyTitle = h("h3");
    this.reading = h("p", { class: "hint" });
    this.element = h("div", { class: "charts-panel" }, [
      h("h2", { class: "hidden-text", text: "Charts" }),
      this.reading,
      h("section", {}, [h("h3", { text: "Score over the battle" }), this.scores.element]),
      h("section", {}, [h("div", { class: "row" }, [this.energyTitle, this.scope]), this.energies.element]),
      h("p", {
        class: "hint",
        text:
          "Each line is labelled with its bot's number. Click to go to a turn. " +
          "A Tank Royale recording has scores only at the ends of rounds.",
      }),
    ]);
    new ResizeObserver(() => shared.touch()).observe(this.element);
  }

  refresh() {
    const { history, player } = this.shared;
    const source = player.source;
    if (!history || !source || history.energies.length === 0) {
      setText(this.reading, "Nothing to draw yet.");
      this.reading.hidden = false;
      return;
    }
    const missing = source.length - history.next;
    this.reading.hidden = missing < 300;
    setText(this.reading, `Still reading: ${plural(missing, "turn")} to go.`);
    this.showScores(history, source.length - 1);
    this.showEnergies(history, source.length - 1);
  }

  /**
   * @param {TankHistory} history
   * @param {number} last index
   */
  showScores(history, last) {
    const { sides } = history;
    const { selected } = this.shared.player;
    const lines = sides.map((side, k) => ({
      line: k,
      seat: this.shared.seatOf(side.ids[0]),
      tag: side.ids.join("+"),
      name: side.teamId === null ? this.shared.nameOf(side.ids[0]) : side.name,
      strong: selected !== null && side.ids.includes(selected),
    }));
    this.scores.show(
      {
        series: history.scores,
        origin: history.first,
        from: history.first,
        to: Math.max(last, history.first + 1),
        top: history.topScore,
        least: 50,
        lines,
        rounds: roundsOf(history),
      },
      `${history.next} ${history.results.size} ${last} ${selected}`,
    );
  }

  /**
   * @param {TankHistory} history
   * @param {number} last index
   */
  showEnergies(history, last) {
    const { selected, frame } = this.shared.player;
    const round = frame?.roundNumber ?? 1;
    const tally = this.wholeBattle ? null : history.round(round);
    setText(this.energyTitle, tally ? `Energy in round ${round}` : "Energy over the battle");
    const lines = history.seats.map((seat, k) => ({
      line: k,
      seat: k,
      tag: String(seat.id),
      name: this.shared.nameOf(seat.id),
      strong: selected === seat.id,
    }));
    const from = tally ? tally.first : history.first;
    const to = Math.max(tally ? tally.last : last, from + 1);
    this.energies.show(
      {
        series: history.energies,
        origin: history.first,
        from,
        to,
        top: history.topEnergy,
        least: 100,
        lines,
        rounds: tally ? turnMarks(from, to) : roundsOf(history),
      },
      `${history.next} ${from} ${to} ${selected}`,
    );
  }
}

/** @param {TankHistory} history */
function roundsOf(history) {
  return history.marks.rounds.map(({ index, round }) => ({ index, label: `R${round}` }));
}

/**
 * @param {number} from
 * @param {number} to
 */
function turnMarks(from, to) {
  const step = Math.max(Math.ceil((to - from) / 4 / 50) * 50, 50);
  const marks = [];
  for (let turn = 0; from + turn <= to; turn += step) {
    marks.push({ index: from + turn, label: turn === 0 ? "turn 1" : String(turn) });
  }
  return marks;
}
