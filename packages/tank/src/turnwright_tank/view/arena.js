/**
 * The tank's arena on the page: canvases, camera and the buttons over them.
 */
import { ArenaCanvas } from "./draw/arena_canvas.js";
import { ViewButtons } from "./panels/view_buttons.js";

/** @typedef {import("./model.js").Frame} Frame */

/**
 * @param {import("../../../viewer/time/player.js").Player} player
 * @param {import("../../../viewer/model.js").ArenaPlaces} places
 * @param {(message: string) => void} say
 * @returns {import("../../../viewer/model.js").Arena}
 */
export function tankArena(player, { place, ground, haze, arena, buttons }, say) {
  const stage = new ArenaCanvas(player, place, { ground, haze, arena });
  const view = new ViewButtons(stage, buttons, say);
  return {
    setTheme: (name) => stage.setTheme(name),
    setStill: (still) => stage.setStill(still),
    setOverlay: () => {
      stage.setLook({ scans: "none", trails: "none", debug: false });
      stage.setOverlay(true);
    },
    follow: () => stage.follow(true),
    toggleDebug: () => view.toggle("debug"),
    keys: {
      f: () => view.toggleFollow(),
      z: () => view.fit(),
      i: () => view.zoom(1),
      o: () => view.zoom(-1),
      s: () => view.cycle("scans"),
      x: () => view.cycle("trails"),
    },
    describe: (/** @type {Frame} */ frame) =>
      `Energy: ${frame.botStates.map((bot) => `${bot.name} ${Math.max(0, bot.energy).toFixed(0)}`).join(", ")}`,
  };
}
