/** The page: puts player, arena and panels together. */
import { Player } from "./player.js";

const player = new Player((callback) => requestAnimationFrame(callback));
player.start();
