/** Collects errors of the scripts that come later in a page, such as a game's own view. */
/** @type {any} */ (globalThis).turnwrightErrors = [];
globalThis.addEventListener("error", (error) => {
  const { message } = error;
  let { filename, lineno } = error;
  for (const one of document.querySelectorAll("script[data-file]")) {
    // In a page of one file, scripts are part of the page. Lines are counted from the first line of the script.
    const first = Number(one.getAttribute("data-line"));
    const lines = (one.textContent ?? "").split("\n").length;
    if (filename === location.href.split("#")[0] && lineno >= first && lineno < first + lines) {
      [filename, lineno] = [one.getAttribute("data-file") ?? "", lineno - first + 1];
      break;
    }
  }
  /** @type {any} */ (globalThis).turnwrightErrors.push({ message, filename, lineno });
});
