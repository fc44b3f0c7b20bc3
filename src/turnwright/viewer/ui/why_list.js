/** All bots with what became of them: where the reader has not yet said whose loss is to be explained. */
import { setBadge } from "./badge.js";
import { button, h, setText, showEach } from "./dom.js";
import { fateOf, placeOf, worstFirst } from "./fates.js";
import { standingsAt } from "./standings.js";

/** @typedef {import("./desk.js").Desk} Desk */
/** @typedef {import("./standings.js").Standing} Standing */

export class WhyList {
  /**
   * @param {Desk} desk
   * @param {(id: number) => void} choose
   */
  constructor(desk, choose) {
    this.desk = desk;
    this.choose = choose;
    this.head = h("h2", { text: "Why did it lose?" });
    this.hint = h("p", { class: "hint" });
    this.rows = h("ul", { class: "fates" });
    this.element = h("div", {}, [this.head, this.hint, this.rows]);
    this.key = "";
  }

  refresh() {
    const { chronicle, player, battle, seatsKey } = this.desk;
    const rounds = chronicle?.rounds ?? [];
    const last = rounds[rounds.length - 1];
    const dead = last ? last.deaths.length : 0;
    const key = `${seatsKey} ${rounds.length} ${dead} ${last?.over} ${battle?.results !== null}`;
    if (key === this.key) {
      return;
    }
    this.key = key;
    const standings = chronicle && player.frame ? standingsAt(chronicle, player.frame) : [];
    const text = standings.length > 0 ? "Choose a bot:" : "No bots yet.";
    setText(this.hint, text);
    const make = () => h("li", {}, [this.make()]);
    showEach(this.rows, worstFirst(battle?.results ?? null, standings), make, (row, standing) => this.show(row, standing));
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
   * @param {Standing} standing
   */
  show(row, { seat }) {
    const { battle, chronicle } = this.desk;
    const element = /** @type {HTMLElement} */ (row.firstElementChild);
    element.dataset.bot = String(seat.id);
    const [badge, name, fate] = element.children;
    setBadge(/** @type {HTMLElement} */ (badge), this.desk, seat.id);
    setText(name, this.desk.plainNameOf(seat.id));
    const place = placeOf(battle?.results ?? null, seat.teamId ?? seat.id, seat.teamId !== null);
    const told = fateOf(chronicle?.rounds ?? [], seat.id, (id) => this.desk.nameOf(id));
    setText(fate, [place, told].filter(Boolean).join(" · "));
  }
}
