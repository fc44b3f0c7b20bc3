/** The list of all bots and their fates, shown while no bot is selected. */
import { setBadge } from "../../../../../viewer/widgets/badge.js";
import { button, h, setText, showEach } from "../../../../../viewer/widgets/dom.js";
import { placeOf, rankingOf, worstFirst } from "../standings.js";

/** @typedef {import("../../../../../viewer/page/panel_context.js").PanelContext} PanelContext */
/** @typedef {import("./facts.js").Facts} Facts */
/** @typedef {import("../standings.js").RankingRow} RankingRow */

export class WhyList {
  /**
   * @param {PanelContext} shared
   * @param {(id: number) => void} choose
   */
  constructor(shared, choose) {
    this.shared = shared;
    this.choose = choose;
    this.head = h("h2", { text: "Why did it lose?" });
    this.hint = h("p", { class: "hint" });
    this.rows = h("ul", { class: "fates" });
    this.element = h("div", {}, [this.head, this.hint, this.rows]);
    this.key = "";
    /** @type {Facts | null} */
    this.facts = null;
  }

  /** @param {Facts | null} facts */
  refresh(facts) {
    const { analysis, history, player, battle, seatsKey } = this.shared;
    const rounds = history?.rounds ?? [];
    const last = rounds[rounds.length - 1];
    const key = `${seatsKey} ${rounds.length} ${last?.died.size} ${last?.over} ${battle?.results !== null} ${analysis?.message}`;
    if (key === this.key && facts === this.facts) {
      return;
    }
    this.key = key;
    this.facts = facts;
    const ranking = player.frame ? rankingOf(this.shared.seats, player.frame) : [];
    const known = facts === null ? (analysis?.message ?? "") : "Choose a bot:";
    const text = ranking.length > 0 ? known : "No bots yet.";
    setText(this.hint, text);
    const make = () => h("li", {}, [this.make()]);
    showEach(this.rows, worstFirst(battle?.results ?? null, ranking), make, (row, ranked) => this.show(row, ranked));
  }

  /** @returns {HTMLButtonElement} */
  make() {
    return button(
      {},
      [h("span"), h("span", { class: "name" }), h("span", { class: "fate" })],
      (event) => this.choose(Number(/** @type {HTMLElement} */ (event.currentTarget).dataset.bot)),
    );
  }

  /**
   * @param {HTMLElement} row
   * @param {RankingRow} ranked
   */
  show(row, { seat }) {
    const { battle } = this.shared;
    const element = /** @type {HTMLElement} */ (row.firstElementChild);
    element.dataset.bot = String(seat.id);
    const [badge, name, fate] = element.children;
    setBadge(/** @type {HTMLElement} */ (badge), this.shared, seat.id);
    setText(name, this.shared.plainNameOf(seat.id));
    const place = placeOf(battle?.results ?? null, seat);
    setText(fate, [place, this.facts?.fateOf(seat.id)].filter(Boolean).join(" · "));
  }
}
