/** Errors of the scripts that follow in a page, such as a game's own view. */
globalThis.turnwrightErrors = [];
globalThis.addEventListener("error", ({ message, filename, lineno }) => {
  globalThis.turnwrightErrors.push({ message, filename, lineno });
});
