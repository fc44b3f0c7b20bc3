/** The page of the text world: everything put together. */
import { WorldPage } from "./page.js";

new WorldPage();
