/** Starts the page of the text world. */
import { WorldPage } from "./page.js";

new WorldPage();
