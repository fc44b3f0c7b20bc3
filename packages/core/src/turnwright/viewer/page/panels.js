/**
 * The panels and controls of the page in their places.
 *
 * Some belong to the page, others to the game.
 */
import { Announcer } from "../widgets/announcer.js";
import { DialogBox } from "../widgets/dialog.js";
import { h } from "../widgets/dom.js";
import { showHelp } from "../widgets/help_dialog.js";
import { listenToKeys } from "../widgets/keyboard.js";
import { StatusBar } from "../widgets/status_bar.js";
import { Tabs } from "../widgets/tabs.js";
import { Timeline } from "../time/timeline.js";
import { Transport } from "../time/transport.js";
import { Overlay } from "../room/overlay.js";
import { Sound } from "../room/sound.js";
import { ShareDialog } from "../share/share_dialog.js";
import { OperatorBar } from "./operator_bar.js";
import { PanelContext } from "./panel_context.js";

/** @typedef {import("../time/player.js").Player} Player */
/** @typedef {import("../model.js").GamePanels} GamePanels */
/** @typedef {import("../model.js").GameView} GameView */
/** @typedef {import("../model.js").Places} Places */
/** @typedef {import("../model.js").Page} Page */

/**
 * Fill the places of the page with the panels, and listen to keys.
 * @param {Player} player
 * @param {Places} places
 * @param {Page} page
 * @param {NonNullable<GameView["panels"]>} panelsOf
 * @param {GameView["history"]} history
 */
export function mountPanels(player, places, page, panelsOf, history) {
  const shared = new PanelContext(player, places, history);
  const dialog = new DialogBox(places.dialog);
  const panels = panelsOf(shared, dialog);
  const tabs = mountSide(shared, panels);
  const help = () => showHelp(dialog, panels);
  mountTop(shared, dialog, panels);
  const timeline = new Timeline(shared);
  const share = () => new ShareDialog(shared, dialog, panels.room, () => transport.copyLink()).show();
  const transport = new Transport(shared, timeline, { help, share, results: panels.results, words: panels.words });
  const sound = new Sound(shared, panels.room.sounds);
  page.offerSound(() => sound.toggle());
  places.bottom.append(timeline.element, transport.element, new Announcer(shared, panels.announce).element);
  if (page.board) {
    const overlay = new Overlay(shared, panels.room, document.getElementById("stage") ?? document.body);
    (document.getElementById("main") ?? document.body).append(overlay.board);
  }
  panels.ready?.(tabs);
  listenToKeys(shared, {
    results: panels.results,
    help,
    stepRound: (way) => transport.stepRound(way),
    stepRate: (way) => transport.stepRate(way),
    tab: (name) => tabs.choose(name),
    theme: () => page.toggleTheme(),
    debug: () => page.toggleDebug(),
    link: () => void transport.copyLink(),
    share,
    sound: () => page.toggleSound(),
    search: () => {
      tabs.choose("log");
      /** @type {HTMLElement | null} */ (places.side.querySelector(".log-panel input"))?.focus();
    },
    nobody: () => {
      if (!panels.close()) {
        player.select(null);
      }
    },
  });
}

/**
 * @param {PanelContext} shared
 * @param {GamePanels} panels
 * @returns {Tabs}
 */
function mountSide(shared, panels) {
  const tabs = new Tabs("Details", panels.tabs);
  tabs.open("log");
  shared.places.side.append(h("div", { class: "side-panels" }, [panels.ranking, tabs.element]));
  shared.onRefresh(() => tabs.refresh());
  shared.onReset(() => tabs.refresh());
  shared.player.on("state", () => {
    if (shared.player.selected !== null && !tabs.chosen) {
      tabs.open("bot"); // the table in which it was selected stays visible
      tabs.chosen = true;
    }
  });
  return tabs;
}

/**
 * @param {PanelContext} shared
 * @param {DialogBox} dialog
 * @param {GamePanels} panels
 */
function mountTop(shared, dialog, panels) {
  const bar = new OperatorBar(shared, dialog, panels.newBattle);
  const status = new StatusBar(shared);
  shared.places.top.append(h("div", { class: "top-row" }, [status.element, bar.element, status.message]));
  (document.getElementById("stage") ?? document.body).append(...panels.over);
}
