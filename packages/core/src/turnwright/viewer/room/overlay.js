/**
 * The board next to the arena, for a room of people.
 *
 * It has scores, round, clock, events, and the winner between rounds.
 *
 * `overlay.css` makes its letters large enough for the back row.
 */
import { badge, setBadge } from "../widgets/badge.js";
import { h, setAttribute, setText, showEach } from "../widgets/dom.js";
import { grouped, shortName } from "../widgets/format.js";
import { NORMAL_TPS } from "../model.js";

/** @typedef {import("../page/panel_context.js").PanelContext} PanelContext */
/** @typedef {import("../model.js").Room} Room */
/** @typedef {import("../model.js").BoardRow} BoardRow */
/** @typedef {import("../model.js").Winner} Winner */

const ROWS_MAX = 12;
const EVENTS_MAX = 4;
/** The largest number of rows below the winner over the arena. */
const WINNER_ROWS_MAX = 5;
/** The largest number of rows below the winner on the board, which also has the current scores. */
const WINNER_ROWS_ASIDE = 3;
/** The number of turns after a round's last turn until its winner is shown, so that the last explosion is seen first. */
const AFTER_TURNS = 12;
/** The winner is shown for this number of turns of the next round, and at least for this time, ms. */
const STAY_TURNS = 90;
const STAY_MS = 4000;

/**
 * Return how long some turns take at normal speed.
 * @param {number} turns
 * @returns {string} "2:05"
 */
export function clockText(turns) {
  const seconds = Math.floor(Math.max(0, turns) / NORMAL_TPS);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/**
 * Return the round whose winner must be shown at a frame; null: none.
 * @param {{ frame: any, playing: boolean, overtime: number }} player
 * @param {Map<number, any[]> | null} results of rounds that are over, by round
 * @returns {number | null}
 */
export function roundToTell({ frame, playing, overtime }, results) {
  if (frame === null) {
    return null;
  }
  if (frame.roundResults !== null) {
    return !playing || overtime >= AFTER_TURNS ? frame.roundNumber : null;
  }
  return playing && frame.turnNumber <= STAY_TURNS && results?.has(frame.roundNumber - 1) ? frame.roundNumber - 1 : null;
}

export class Overlay {
  /**
   * @param {PanelContext} shared
   * @param {Room} room
   * @param {HTMLElement} stage the place of the arena
   */
  constructor(shared, room, stage) {
    this.shared = shared;
    this.stage = stage;
    this.room = room;
    this.round = h("p", { class: "room-round" });
    this.clock = h("p", { class: "room-clock" });
    this.rows = h("ol", { class: "room-scores" });
    this.more = h("p", { class: "room-more" });
    this.events = h("ul", { class: "room-events" });
    this.heads = h("p", { class: "room-heads", "aria-hidden": "true" }, [
      h("span", { class: "name", text: "Bot" }),
      h("span", { class: "note", text: room.heads.note }),
      h("span", { class: "score", text: room.heads.value }),
    ]);
    this.board = h("aside", { id: "room-board", "aria-label": "Scores" }, [
      h("header", {}, [this.round, this.clock]),
      this.heads,
      this.rows,
      this.more,
      this.events,
    ]);
    this.winner = h("section", { class: "room-winner", "aria-label": "Winner" });
    this.winner.hidden = true;
    this.told = -1;
    this.untilMs = 0;
    /** The number of rows of scores that fit. */
    this.fitting = ROWS_MAX;
    this.total = 0;
    new ResizeObserver(() => this.fit()).observe(this.rows);
    shared.onTurn(() => this.refresh());
    shared.onRefresh(() => this.showEvents());
    shared.onReset(() => this.refresh());
  }

  refresh() {
    const { player, battle } = this.shared;
    const { frame } = player;
    this.board.hidden = frame === null;
    this.tell();
    if (frame === null) {
      return;
    }
    const rounds = battle?.rounds ?? null;
    const name = shortName(battle?.gameType ?? "", 20);
    setText(this.round, rounds === null ? name : `Round ${grouped(frame.roundNumber)} of ${grouped(rounds)}`);
    // Deaths do not matter any more when the scores show the winner.
    setAttribute(this.rows, "class", `room-scores${frame.roundResults === null ? "" : " ended"}`);
    setText(this.clock, `${clockText(frame.turnNumber)} · turn ${grouped(frame.turnNumber)}`);
    const rows = this.room.board(frame);
    this.total = rows.length;
    showEach(this.rows, rows.slice(0, ROWS_MAX), () => rowElement(), (row, told) => this.showRow(row, told));
    this.tellMore();
  }

  /**
   * Count the visible rows.
   *
   * Rows that do not fit have moved into a column next to them.
   */
  fit() {
    const rows = /** @type {HTMLElement[]} */ ([...this.rows.children]);
    const seen = rows.filter((row) => row.offsetLeft === rows[0].offsetLeft).length;
    this.fitting = seen < rows.length ? seen : ROWS_MAX;
    this.tellMore();
  }

  tellMore() {
    const more = this.total - Math.min(this.fitting, this.total);
    setText(this.more, more > 0 ? `and ${grouped(more)} more` : "");
  }

  showEvents() {
    const { frame } = this.shared.player;
    if (frame === null) {
      return;
    }
    const frames = this.shared.lastFrames().filter((shown) => shown.roundNumber === frame.roundNumber);
    const events = frames.flatMap((shown) => this.room.ticker(shown)).slice(-EVENTS_MAX).reverse();
    showEach(this.events, events, () => h("li"), (item, text) => setText(item, text));
  }

  /**
   * @param {HTMLElement} row
   * @param {BoardRow} told
   */
  showRow(row, { id, name, value, note, out }) {
    const [mark, who, more, score] = row.children;
    setBadge(/** @type {HTMLElement} */ (mark), this.shared, id);
    setText(who, name);
    setText(more, note);
    setText(score, value);
    setAttribute(row, "class", `${out ? "out" : ""}${this.shared.player.selected === id ? " selected" : ""}`.trim());
  }

  /** Show the winner of the finished round for a while. */
  tell() {
    const { player, history } = this.shared;
    const round = roundToTell(player, history?.results ?? null);
    const now = performance.now();
    if (round !== null && round !== this.told) {
      const winner = this.room.winner(round);
      this.told = winner === null ? -1 : round;
      this.untilMs = now + STAY_MS;
      this.winner.replaceChildren(...(winner === null ? [] : this.card(winner)));
    }
    if (round === null && (now > this.untilMs || !player.playing)) {
      this.told = -1;
    }
    this.winner.hidden = this.told < 0;
    this.place(player.frame?.roundNumber ?? this.told);
  }

  /**
   * Put the winner over the arena, or onto the board when another round is shown.
   * @param {number} round that the arena shows
   */
  place(round) {
    const aside = this.told >= 0 && round !== this.told;
    const place = aside ? this.board : this.stage;
    if (this.winner.parentElement !== place) {
      place.insertBefore(this.winner, aside ? this.events : null);
      this.winner.classList.toggle("aside", aside);
      [...(this.winner.lastElementChild?.children ?? [])].slice(WINNER_ROWS_ASIDE).forEach((row) => setAttribute(row, "hidden", aside ? "" : null));
    }
  }

  /**
   * @param {Winner} winner
   * @returns {HTMLElement[]}
   */
  card({ title, rows }) {
    const items = rows.slice(0, WINNER_ROWS_MAX).map(({ id, name, value, place }) =>
      h("li", {}, [
        h("span", { class: "place", text: place }),
        ...(id === null ? [] : [badge(this.shared, id)]),
        h("span", { class: "name", text: name }),
        h("span", { class: "score", text: value }),
      ]),
    );
    return [h("h2", { text: title }), h("ol", {}, items)];
  }
}

/** @returns {HTMLElement} */
function rowElement() {
  return h("li", {}, [h("span"), h("span", { class: "name" }), h("span", { class: "note" }), h("span", { class: "score" })]);
}
