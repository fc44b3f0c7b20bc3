/** Data about any game for a room display: scores, winner, events, sounds. */
import { amount, shortName } from "../widgets/format.js";
import { seatOf } from "./history.js";
import { standingsAt } from "./standings.js";

/** @typedef {import("../page/panel_context.js").PanelContext} PanelContext */
/** @typedef {import("./game_view.js").SimpleView} SimpleView */

/**
 * @param {SimpleView} view
 * @param {PanelContext} shared
 * @param {(event: any) => string} say describes an event in words
 * @returns {import("../model.js").Room}
 */
export function genericRoom(view, shared, say) {
  /** @param {any} frame */
  const ends = (frame) => frame.events.filter((/** @type {any} */ event) => view.mark?.(event) === "end");
  return {
    heads: { note: "State", value: "Score" },
    board: (frame) => {
      const out = new Set(/** @type {any[]} */ (shared.history?.log.entries ?? []).filter(({ kind, index }) => kind === "end" && index <= frame.index).map(({ bot }) => bot));
      return standingsAt(view, shared.seats, frame).map(({ seat, score, status }) => ({
        id: seat.id,
        name: shared.plainNameOf(seat.id),
        value: score === null ? "–" : amount(score),
        note: shortStatus(status),
        out: out.has(seat.id),
      }));
    },
    winner: (round) => {
      const rows = shared.history?.results.get(round) ?? shared.player.frame?.roundResults ?? null;
      return rows === null ? null : winnerOf(rows);
    },
    ticker: (frame) => frame.events.filter((/** @type {any} */ event) => view.mark === undefined || view.mark(event) !== null).map(say),
    sounds: (frame) => [
      ...(frame.roundResults ? /** @type {const} */ (["end"]) : []),
      ...(ends(frame).length > 0 ? /** @type {const} */ (["out"]) : []),
      ...(frame.events.some((/** @type {any} */ event) => view.mark?.(event) === "mark" && seatOf(event) >= 0) ? /** @type {const} */ (["hit"]) : []),
    ],
  };
}

/** @param {string} status */
function shortStatus(status) {
  return status === "" ? "" : shortName(status, 12);
}

/**
 * Return the winners of a battle. It is a draw if all participants have rank 1.
 * @param {any[]} rows as `resultsOf` returns them
 * @returns {import("../model.js").Winner}
 */
export function winnerOf(rows) {
  const first = rows.filter(({ rank }) => rank === 1).map(({ name }) => shortName(name));
  const names = first.slice(0, 3).join(" and ");
  return {
    title: first.length === 0 || first.length === rows.length ? "Draw" : `${names} ${first.length > 1 ? "win" : "wins"}!`,
    rows: rows.map(({ id, name, rank, score }) => ({ id, name: shortName(name), value: amount(score), place: `${rank}.` })),
  };
}
