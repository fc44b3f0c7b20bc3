/** Errors of the scripts that follow in a page, such as a game's own view. */
/** @type {any} */ (globalThis).turnwrightErrors = [];
globalThis.addEventListener("error", ({ message, filename, lineno }) => {
  /** @type {any} */ (globalThis).turnwrightErrors.push({ message, filename, lineno });
});
