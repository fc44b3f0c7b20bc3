/**
 * The server of this page as a source.
 *
 * This module finds the server's address, the one-time code in the page's address, and the place for a token.
 */
import { LiveSource } from "../sources/source_live.js";
import { Analysis, askServer } from "../sources/analysis.js";
import { codeIn } from "./links.js";

/**
 * Return the server that this page came from as a source. A one-time code is removed from the page's address.
 * @param {import("../sources/source_live.js").Protocol} protocol
 * @param {boolean} analysed whether the server can explain why participants won or lost
 */
export function watchLive(protocol, analysed) {
  const code = codeIn(location.hash);
  if (code !== null) {
    history.replaceState(null, "", location.pathname + location.search);
  }
  const url = `${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}${location.pathname}`;
  const source = new LiveSource({ url, code, storage: storageOrNull() }, protocol);
  if (!analysed) {
    return source;
  }
  const analysis = new Analysis(askServer("analysis", () => source.secret));
  source.analysis = analysis;
  source.on("battle", () => (source.battle?.results ? void analysis.settle() : analysis.forget()));
  return source;
}

/** @returns {Storage | null} null: the browser refuses it */
function storageOrNull() {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}
