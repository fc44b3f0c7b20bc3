/** The server of this page as a source: its address, the code that its address bar may hold, where a token is kept. */
import { LiveSource } from "../source_live.js";
import { codeIn } from "./links.js";

/** Watch the server that this page came from. */
export function watchLive() {
  const code = codeIn(location.hash);
  if (code !== null) {
    history.replaceState(null, "", location.pathname + location.search);
  }
  const url = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/`;
  return new LiveSource({ url, code, storage: storageOrNull() });
}

/** @returns {Storage | null} null where the browser refuses one */
function storageOrNull() {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}
