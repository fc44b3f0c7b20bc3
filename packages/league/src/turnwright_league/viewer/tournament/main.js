/** Shows the tournament in the page, or asks the server for it again and again. */
import { TournamentPage } from "./page.js";

const EMBEDDED = "embedded-tournament";
const ASK_MS = 2000;
/** A page from disk of a tournament that is being played loads itself again after this time. */
const RELOAD_MS = 15_000;

const page = new TournamentPage();
const embedded = document.getElementById(EMBEDDED);

if (embedded !== null) {
  const data = JSON.parse(embedded.textContent ?? "");
  page.show(data);
  if (data.progress !== null) {
    setInterval(() => page.dialog.open || location.reload(), RELOAD_MS);
  }
} else {
  ask();
}

async function ask() {
  try {
    const answer = await fetch("standings.json", { cache: "no-cache" });
    if (!answer.ok) throw new Error(String(answer.status));
    page.show(await answer.json());
    page.complain("");
  } catch {
    page.complain("The tournament's server does not answer. The page shows the last known state.");
  }
  setTimeout(ask, ASK_MS);
}
