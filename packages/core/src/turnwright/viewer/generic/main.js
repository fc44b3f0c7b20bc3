/** Starts the page of a game with a simple view. */
import { start } from "../main.js";
import { genericGameView } from "./game_view.js";
import { Mistakes, viewOf } from "./own_view.js";

/** Start the page with the view that the script before has stored. */
export function startOwn() {
  const mistakes = new Mistakes();
  return start(genericGameView(viewOf(/** @type {any} */ (globalThis), mistakes), mistakes));
}
