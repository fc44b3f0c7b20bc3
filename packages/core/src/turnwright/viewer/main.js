/** Starts the page with a game's view. */
import { App } from "./page/app.js";

/** @param {import("./model.js").GameView} game */
export function start(game) {
  return new App(game);
}
