"""A world's record as a story: what those who were played were told, turn by turn, as text."""

from __future__ import annotations

from collections.abc import Iterator

from turnwright.games.world.game import WorldGame, WorldState
from turnwright.host.world import rendering
from turnwright.kernel.record import Record
from turnwright.kernel.replay import replay

__all__ = ["retell"]


def retell(record: Record, game: WorldGame, look: rendering.Look) -> Iterator[str]:
    """Yield lines of text: for each turn in which something was told, by whom it was heard, and what.

    Raises: RecordError when the record cannot be played.
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
