/** Starts the page of a game with a simple view. */
import { start } from "../main.js";
import { plainGameView } from "./game_view.js";

/** @param {import("./game_view.js").SimpleView} view */
export function startPlain(view) {
  return start(plainGameView(view));
}
