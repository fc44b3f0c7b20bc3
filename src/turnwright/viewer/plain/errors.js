// Keeps the errors of scripts that follow it in a page: a game's own view is one, and may not even be readable.
globalThis.turnwrightErrors = [];
globalThis.addEventListener("error", ({ message, filename, lineno }) => {
  globalThis.turnwrightErrors.push({ message, filename, lineno });
});
