/** Creates the tank's panels next to and over the arena. */
import { LogPanel } from "../../../../viewer/page/log_panel.js";
import { shortName } from "../../../../viewer/widgets/format.js";
import { BotViewPanel } from "./bot/bot_view_panel.js";
import { BotPanel } from "./bot/bot_panel.js";
import { ChartsPanel } from "./charts_panel.js";
import { LOG_WORDS } from "./log.js";
import { Ranking } from "./ranking.js";
import { ResultsCard, showResults } from "./results_card.js";
import { tankRoom } from "./room.js";
import { StartDialog } from "./start_dialog.js";
import { roundText } from "./standings.js";
import { WhyPanel, showEnd } from "./why/why_panel.js";

/** @typedef {import("../../../../viewer/page/panel_context.js").PanelContext} PanelContext */
/** @typedef {import("../../../../viewer/widgets/dialog.js").DialogBox} DialogBox */
/** @typedef {import("../../../../viewer/widgets/tabs.js").Tabs} Tabs */
/** @typedef {import("../model.js").Frame} Frame */

/**
 * @param {PanelContext} shared
 * @param {DialogBox} dialog
 * @returns {import("../../../../viewer/model.js").GamePanels}
 */
export function tankPanels(shared, dialog) {
  /** @type {Tabs | null} */
  let tabs = null;
  const why = (/** @type {number} */ id) => showWhy(shared, tabs, id);
  const card = new ResultsCard(shared, why);
  const start = new StartDialog(shared, dialog);
  return {
    ranking: new Ranking(shared).element,
    tabs: [
      tab("bot", "Bot", new BotPanel(shared)),
      tab("why", "Why?", new WhyPanel(shared)),
      tab("sight", "Bot's view", new BotViewPanel(shared)),
      tab("charts", "Charts", new ChartsPanel(shared)),
      tab("log", "Events", new LogPanel(shared, LOG_WORDS)),
    ],
    announce: (frame) => sentencesOf(frame, (id) => shared.nameOf(id)),
    results: () => showResults(shared, dialog, why),
    close: () => card.close(),
    over: [card.element],
    room: tankRoom(shared),
    newBattle: () => start.show(),
    ready: (made) => {
      tabs = made;
    },
    help: "Why did a bot lose? Select it in the table, then open Why?. Each line there leads to its turn.",
    keys: [
      { keys: "V, C, W", text: "open a tab: bot's view, charts, why it lost" },
      { keys: "D", text: "bots' debug graphics on or off" },
      { keys: "F", text: "follow the selected bot" },
      { keys: "I, O, Z", text: "zoom in, zoom out, whole arena" },
      { keys: "S, X", text: "radar sweeps; trails: of all bots, of the selected bot, none" },
    ],
    words: { death: "death", hits: "hits" },
    marks: [
      ["✕", "a bot died"],
      ["▮", "bullet hits (taller: more hits)"],
    ],
  };
}

/**
 * @param {string} name
 * @param {string} label
 * @param {{ element: HTMLElement, refresh: () => void }} panel
 * @returns {import("../../../../viewer/widgets/tabs.js").Tab}
 */
function tab(name, label, panel) {
  return { name, label, element: panel.element, refresh: () => panel.refresh() };
}

/**
 * Sentences for screen readers: deaths, or the results of a round.
 * @param {Frame} frame
 * @param {(id: number) => string} nameOf
 * @returns {string[]}
 */
function sentencesOf(frame, nameOf) {
  if (frame.roundResults) {
    return [roundText(frame.roundNumber, frame.roundResults, (row) => shortName(row.name))];
  }
  const died = frame.events.flatMap((event) => (event.type === "BotDeathEvent" ? [nameOf(event.victimId)] : []));
  return died.length > 0 ? [`${died.join(" and ")} died.`] : [];
}

/**
 * Select a bot, go to its death in the round shown, and open the reasons.
 * @param {PanelContext} shared
 * @param {Tabs | null} tabs
 * @param {number} id
 */
function showWhy(shared, tabs, id) {
  const { player } = shared;
  player.select(id);
  showEnd(shared, id, player.frame?.roundNumber ?? 0);
  tabs?.choose("why");
}
