"""Finds the rules and content of a world's record, and shows the record as text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from turnwright.app.game.records import GameRecords
from turnwright.app.game.results import GameResults
from turnwright.errors import RecordError
from turnwright.kernel.game import Outcome
from turnwright.kernel.record import Record
from turnwright.kernel.replay import replay
from turnwright.net.files.reader import OnProgress, no_progress, read_record
from turnwright_world.game import WorldGame, WorldState
from turnwright_world.host import text as rendering
from turnwright_world.host.text import Look
from turnwright_world.net.content_files import DEMO, kept_content, load_content


class WorldResults(GameResults):
    """The results of a world. There are none."""

    def recorded(self, record: Record, outcome: Outcome) -> None:
        """Return None, because a world has no results to compare."""


class WorldRecords(GameRecords):
    """Rules of world records, and their story as text.

    Methods raise RecordError for a record that cannot be read or played.
    """

    def rules(self, record: Record, contents: Path | None = None) -> WorldGame:
        """Return the rules of a record with the contents that it needs. See `world_of`."""
        return world_of(record, contents)

    def page(self, record: Record) -> bytes | None:
        """Raise RecordError, because no page shows the record of a world."""
        raise RecordError("this is the record of a world, which has no page: use `turnwright replay --text`")

    def story(
        self,
        path: Path,
        columns: int,
        *,
        colours: bool,
        contents: Path | None = None,
        on_progress: OnProgress = no_progress,
    ) -> Iterator[str]:
        """Return a record as lines of text for a terminal of `columns` characters. See `retell`."""
        record = read_record(path, on_progress=on_progress)
        return retell(record, world_of(record, contents), Look(columns, colours))


def retell(record: Record, game: WorldGame, look: rendering.Look) -> Iterator[str]:
    """Yield a record as lines of text: for each turn, the players' commands and the messages to players.

    Raises:
        RecordError: the record cannot be played.
    """
    places: dict[int, str] = {}
    for entry, _closed, battle in replay(record, game):
        state: WorldState = battle.state
        lines: list[str] = []
        for body in state.world.index.driven():
            view = game.observe(state, body)
            intent = entry.intents.get(body)
            name = rendering.clean(view["me"]["name"])
            if intent is not None and intent.verb:
                lines.append(look.paint("dim", f"{name}> {rendering.clean(f'{intent.verb} {intent.text}')}"))
            lines += rendering.heard_lines(view["heard"], view, look, f"{name}: ")
            if places.get(body) != view["place"]["id"]:
                places[body] = view["place"]["id"]
                lines.append(f"{name} is in: {rendering.clean(view['place']['name'])}")
        if lines:
            yield look.paint("title", f"-- turn {state.world.turn}, {state.world.now_us / 1e6:.2f} s")
            yield from lines


def world_of(record: Record, contents: Path | None = None) -> WorldGame:
    """Return the rules for a record of a world.

    The verbs of the content are run, so the caller has to trust the folder.

    Args:
        contents: a folder in which a server has stored contents by their hash.

    Raises:
        RecordError: a content that the record needs is missing.
    """
    needed = _needed(record)
    game = WorldGame()
    if needed - game.library.keys():
        shipped = load_content(DEMO)
        game.library[shipped.hash] = shipped.rules
    for hash_ in sorted(needed - game.library.keys()):
        content = None if contents is None else kept_content(contents, hash_)
        if content is not None:
            game.library[hash_] = content.rules
    missing = sorted(needed - game.library.keys())
    if missing:
        raise RecordError(
            f"the record needs content {missing[0]}, which is missing: name the folder with it, next to the"
            " world's data, e.g. --contents world-data/contents"
        )
    return game


def _needed(record: Record) -> set[str]:
    """Return the hashes of all contents that a record needs."""
    needed = {str(record.header.setup.get("content", ""))}
    for entry in record.turns:
        for event in getattr(entry.intents.get(0), "gate", ()):
            if event.kind == "reload":
                needed.add(str(event.data.get("hash", "")))
    return needed
