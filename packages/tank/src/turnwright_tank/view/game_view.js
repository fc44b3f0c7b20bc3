/** The tank's view for the page. See `GameView` in `viewer/model.js`. */
import { watchLive } from "../../../viewer/page/live.js";
import { tankArena } from "./arena.js";
import { ROYALE } from "./live/royale.js";
import { TankHistory } from "./panels/history.js";
import { tankPanels } from "./panels/tank_panels.js";
import { openFile } from "./files/open_file.js";

/** @type {import("../../../viewer/model.js").GameView} */
export const TANK = {
  arena: tankArena,
  history: (seats, first) => new TankHistory(seats, first),
  panels: tankPanels,
  file: openFile,
  live: () => watchLive(ROYALE, true),
  files: "A .twr record of turnwright, or a .battle.gz of Tank Royale.",
  accept: ".twr,.battle,.gz",
  analysed: true,
};
