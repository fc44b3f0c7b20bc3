/** All panels and controls, put into their places. */
import { Announcer } from "./announcer.js";
import { BotPanel } from "./bot_panel.js";
import { ChartsPanel } from "./charts_panel.js";
import { Desk } from "./desk.js";
import { DialogBox } from "./dialog.js";
import { h } from "./dom.js";
import { showHelp } from "./help_dialog.js";
import { listenToKeys } from "./keyboard.js";
import { LogPanel } from "./log_panel.js";
import { OperatorBar } from "./operator.js";
import { Ranking } from "./ranking.js";
import { ResultsCard, showResults } from "./results_card.js";
import { SightPanel } from "./sight_panel.js";
import { StartDialog } from "./start_dialog.js";
import { StatusBar } from "./status_bar.js";
import { Tabs } from "./tabs.js";
import { Timeline } from "./timeline.js";
import { Transport } from "./transport.js";
import { WhyPanel } from "./why_panel.js";

/** @typedef {import("../player.js").Player} Player */
/** @typedef {import("../model.js").Places} Places */
/** @typedef {import("../model.js").Page} Page */

/**
 * Fill the places of the page with the panels, and listen to keys.
 * @param {Player} player
 * @param {Places} places
 * @param {Page} page
 */
export function mountUi(player, places, page) {
  const desk = new Desk(player, places);
  const dialog = new DialogBox(places.dialog);
  const tabs = mountSide(desk);
  const why = (/** @type {number} */ id) => showWhy(desk, tabs, id);
  const results = () => showResults(desk, dialog, why);
  const help = () => showHelp(dialog);
  const card = mountTop(desk, dialog, why);
  const timeline = new Timeline(desk);
  const transport = new Transport(desk, timeline, { help, results });
  places.bottom.append(timeline.element, transport.element, new Announcer(desk).element);
  listenToKeys(desk, {
    results,
    help,
    stepRound: (way) => transport.stepRound(way),
    stepRate: (way) => transport.stepRate(way),
    tab: (name) => tabs.choose(name),
    theme: () => page.toggleTheme(),
    debug: () => page.toggleDebug(),
    link: () => void transport.copyLink(),
    search: () => {
      tabs.choose("log");
      /** @type {HTMLElement | null} */ (places.side.querySelector(".log-panel input"))?.focus();
    },
    nobody: () => {
      if (!card.close()) {
        player.select(null);
      }
    },
  });
}

/**
 * @param {Desk} desk
 * @returns {Tabs}
 */
function mountSide(desk) {
  const tabs = new Tabs("Details", [
    tab("bot", "Bot", new BotPanel(desk)),
    tab("why", "Why?", new WhyPanel(desk)),
    tab("sight", "Saw", new SightPanel(desk)),
    tab("charts", "Charts", new ChartsPanel(desk)),
    tab("log", "Events", new LogPanel(desk)),
  ]);
  tabs.open("log");
  desk.places.side.append(h("div", { class: "side-panels" }, [new Ranking(desk).element, tabs.element]));
  desk.onRefresh(() => tabs.refresh());
  desk.onReset(() => tabs.refresh());
  desk.player.on("state", () => {
    if (desk.player.selected !== null && !tabs.chosen) {
      tabs.open("bot"); // the table in which it was selected stays in sight
      tabs.chosen = true;
    }
  });
  return tabs;
}

/**
 * @param {string} name
 * @param {string} label
 * @param {{ element: HTMLElement, refresh: () => void }} panel
 * @returns {import("./tabs.js").Tab}
 */
function tab(name, label, panel) {
  return { name, label, element: panel.element, refresh: () => panel.refresh() };
}

/**
 * @param {Desk} desk
 * @param {DialogBox} dialog
 * @param {(id: number) => void} why
 * @returns {ResultsCard}
 */
function mountTop(desk, dialog, why) {
  const start = new StartDialog(desk, dialog);
  const bar = new OperatorBar(desk, dialog, () => start.show());
  const card = new ResultsCard(desk, why);
  desk.places.top.append(h("div", { class: "top-row" }, [new StatusBar(desk).element, bar.element]));
  (document.getElementById("stage") ?? document.body).append(card.element);
  return card;
}

/**
 * Select a bot, go to the turn of its death in the round shown, and say why.
 * @param {Desk} desk
 * @param {Tabs} tabs
 * @param {number} id
 */
function showWhy(desk, tabs, id) {
  const { player } = desk;
  player.select(id);
  const tally = desk.chronicle?.round(player.frame?.roundNumber ?? 0);
  const bot = tally?.bots.get(id);
  if (tally && bot) {
    desk.show(bot.diedIndex ?? tally.last);
  }
  tabs.choose("why");
}
