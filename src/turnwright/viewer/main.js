/** The page: everything put together, with the sources that it can show. */
import { openFile } from "./open_file.js";
import { App } from "./shell/app.js";
import { watchLive } from "./shell/live.js";
import { mountUi } from "./ui/mount.js";

new App({ file: openFile, live: watchLive }, mountUi);
