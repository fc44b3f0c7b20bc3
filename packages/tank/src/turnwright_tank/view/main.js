/** Starts the page of the tank. */
import { start } from "../../../viewer/main.js";
import { TANK } from "./game_view.js";

start(TANK);
