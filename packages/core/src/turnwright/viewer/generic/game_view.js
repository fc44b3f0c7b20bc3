/**
 * The page's view of a game that speaks the generic protocol.
 *
 * It uses only what the game provides.
 *
 * A game's `view.js` is one module without imports that exports one value:
 *
 *     export const view = {
 *       size: (state) => ({ width: state.grid.width, height: state.grid.height }),
 *       draw(context, { state, seats, color }) { context.fillStyle = color(0); context.fillRect(0, 0, 1, 1); },
 *       status: (state, seat) => (state.snakes[seat].alive ? "" : "dead"),
 *     };
 *
 * `state` is what the game's `frame` method returns. Every field may be left out. Without `draw`, frames are shown as text.
 */
import { watchLive } from "../page/live.js";
import { LogPanel } from "../page/log_panel.js";
import { gameCanvas } from "./game_canvas.js";
import { openFrames } from "./file_source.js";
import { GenericHistory } from "./history.js";
import { FramePanel } from "./frame_panel.js";
import { Mistakes } from "./own_view.js";
import { GENERIC } from "./protocol.js";
import { ResultsBox } from "./results.js";
import { genericRoom } from "./room.js";
import { Standings } from "./standings.js";
import { StartDialog } from "./start_dialog.js";

/**
 * The argument of `draw`.
 *
 * The canvas is scaled and moved so that (0, 0) is the top left corner of the arena, and one unit is one unit of the game.
 * The arena is cleared before.
 * @typedef {object} Picture
 * @property {any} state the state of the game
 * @property {any} next the state one turn later; null: it is not known
 * @property {number} part how far the time has moved from `state` to `next`, 0 to 1
 * @property {{ id: number, name: string }[]} seats
 * @property {(seat: number) => string} color the seat's colour, as in the tables
 * @property {number | null} selected the selected seat
 * @property {number} unit CSS pixels in a unit
 * @property {(name: string) => string} ink a colour of the page: "text", "muted", "line", "good", "bad", "warn"
 */

/**
 * The value that a game's `view.js` exports.
 * @typedef {object} SimpleView
 * @property {(state: any) => { width: number, height: number }} [size] the size of the arena, in the game's units
 * @property {(context: CanvasRenderingContext2D, picture: Picture) => void} [draw] draws a frame; without it the frame is shown as text
 * @property {(state: any, seat: number) => string} [status] describes a seat in a word; "": nothing
 * @property {(event: any, nameOf: (seat: number) => string) => string} [say] describes an event in words
 * @property {(event: any) => "end" | "mark" | null} [mark] how the timeline marks an event: as a seat's end, or as a bar; without it all events are bars
 * @property {(state: any) => string} [describe] describes a frame in words, for screen readers
 */

/** The suffix of a record's frames. The server makes them by replaying the record. */
const FRAMES_SUFFIX = ".frames";
const RECORD_SUFFIX = ".twr";
const FILES = "A .frames file of this game; `turnwright replay FILE` shows a record (.twr).";

/**
 * Return the address of a record's frames on a server.
 * @param {string} address of the record, or already of its frames
 */
export function framesAddress(address) {
  return address.endsWith(RECORD_SUFFIX) ? `${address}${FRAMES_SUFFIX}` : address;
}

/**
 * @param {SimpleView} view
 * @param {Mistakes} [mistakes] mistakes of the view, which the page shows
 * @returns {import("../model.js").GameView}
 */
export function genericGameView(view, mistakes = new Mistakes()) {
  return {
    arena: (player, places, say) => {
      mistakes.onto((message) => say(message, true));
      player.on("battle", () => mistakes.tell());
      return gameCanvas(view, player, places);
    },
    history: (seats, first) => new GenericHistory(view, seats, first),
    panels: (shared, dialog) => {
      const results = new ResultsBox(shared, dialog);
      const start = new StartDialog(shared, dialog);
      const log = new LogPanel(shared, wordsOf(view));
      const frame = new FramePanel(shared);
      return {
        ranking: new Standings(shared, view).element,
        tabs: [
          { name: "bot", label: "Frame", element: frame.element, refresh: () => frame.refresh() },
          { name: "log", label: "Events", element: log.element, refresh: () => log.refresh() },
        ],
        announce: (shown) => sentencesOf(view, shown, (seat) => shared.nameOf(seat)),
        results: () => results.show(),
        close: () => results.close(),
        over: [results.card],
        room: genericRoom(view, shared, (event) => {
          const nameOf = (/** @type {number} */ seat) => shared.nameOf(seat);
          return view.say?.(event, nameOf) ?? eventText(event, nameOf);
        }),
        newBattle: () => start.show(),
        words: { death: "out", hits: "events" },
        marks: [
          ["✕", "a participant is out"],
          ["▮", "events; the taller, the more"],
        ],
      };
    },
    file: openFrames,
    live: () => watchLive(GENERIC, false),
    files: FILES,
    accept: `${FRAMES_SUFFIX},${RECORD_SUFFIX}`,
    analysed: false,
    recordAddress: framesAddress,
  };
}

/**
 * @param {SimpleView} view
 * @returns {import("../page/log_panel.js").LogWords}
 */
function wordsOf(view) {
  return {
    signs: new Map([
      ["end", "✕"],
      ["mark", "●"],
      ["other", "○"],
      ["skip", "▲"],
      ["over", "■"],
    ]),
    labels: new Map([
      ["end", "Out"],
      ["mark", "Events"],
      ["other", "Other"],
      ["skip", "Missed turns"],
    ]),
    shownFirst: ["end", "mark", "other", "skip", "over"],
    say: (entry, nameOf) => sayEntry(view, entry, nameOf),
  };
}

/**
 * Describe an entry of the list of events in words.
 * @param {SimpleView} view
 * @param {import("./history.js").GenericEntry} entry
 * @param {(seat: number) => string} nameOf
 */
export function sayEntry(view, entry, nameOf) {
  if (entry.kind === "over") {
    return "The battle is over";
  }
  if (entry.kind === "skip") {
    return `${nameOf(entry.bot)} missed the turn`;
  }
  return view.say?.(entry.event, nameOf) ?? eventText(entry.event, nameOf);
}

/**
 * Describe an unknown event by its type and fields.
 * @param {any} event
 * @param {(seat: number) => string} nameOf
 * @returns {string}
 */
export function eventText(event, nameOf) {
  if (typeof event !== "object" || event === null) {
    return String(event);
  }
  const { type, seat, ...more } = event;
  const fields = Object.entries(more).map(([key, value]) => `${key} ${JSON.stringify(value)}`);
  const who = typeof seat === "number" ? [nameOf(seat)] : [];
  return [[...who, ...(type === undefined ? [] : [String(type)])].join(": "), ...fields].filter(Boolean).join(", ");
}

/**
 * @param {SimpleView} view
 * @param {any} frame
 * @param {(seat: number) => string} nameOf
 * @returns {string[]}
 */
function sentencesOf(view, frame, nameOf) {
  if (frame.roundResults) {
    const [first] = frame.roundResults;
    return first ? [`The battle is over; ${first.name} is first.`] : ["The battle is over."];
  }
  const ends = frame.events.filter((/** @type {any} */ event) => view.mark?.(event) === "end");
  return ends.map((/** @type {any} */ event) => `${view.say?.(event, nameOf) ?? eventText(event, nameOf)}.`);
}
