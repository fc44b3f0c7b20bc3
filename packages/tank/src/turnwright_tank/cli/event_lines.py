"""The events of a turn as short lines."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from turnwright.cli.terminal import clean, cut
from turnwright_tank.analysis.turns import Setting
from turnwright_tank.structs import (
    BotDeathEvent,
    BotHitBotEvent,
    BotHitWallEvent,
    BulletHitBotEvent,
    BulletHitBulletEvent,
    Frame,
)

_KEPT = 200
_NAME_COLUMNS = 12


def event_lines(setting: Setting, frame: Frame, skipped: Sequence[int] = ()) -> Iterator[str]:
    """Yield one line for each missed turn, hit, death, contact with a wall, ram and collision of bullets.

    Args:
        skipped: the ids of the bots that missed the turn.
    """

    def name(bot: int) -> str:
        return cut(clean(setting.fighter(bot).name), _NAME_COLUMNS)

    for bot in skipped:
        yield f"{frame.turn_number} {name(bot)} missed the turn"
    for event in frame.events:
        if isinstance(event, BulletHitBotEvent):
            who, whom = name(event.bullet.owner_id), name(event.victim_id)
            yield f"{frame.turn_number} {whom} -{event.damage:.1f} by {who}"
        elif isinstance(event, BotDeathEvent):
            yield f"{frame.turn_number} {name(event.victim_id)} died"
        elif isinstance(event, BotHitWallEvent):
            yield f"{frame.turn_number} {name(event.victim_id)} hit a wall"
        elif isinstance(event, BotHitBotEvent) and event.rammed:
            yield f"{frame.turn_number} {name(event.bot_id)} rams {name(event.victim_id)}"
        elif isinstance(event, BulletHitBulletEvent):
            yield f"{frame.turn_number} two bullets collided"


class EventLines:
    """The lines of the last turns of one round, newest last.

    An event that continues is not repeated in each turn.
    """

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._lines: deque[str] = deque(maxlen=_KEPT)
        self._said: dict[str, int] = {}
        self._at = (0, 0)

    def take(self, frame: Frame, skipped: Sequence[int] = ()) -> None:
        """Store the lines of a turn. An earlier turn, or a turn of another round, first clears the lines."""
        at = frame.round_number, frame.turn_number
        if at == self._at:
            return
        if frame.round_number != self._at[0] or at < self._at:
            self._lines.clear()
            self._said.clear()
        self._at = at
        for line in event_lines(self._setting, frame, skipped):
            what = line.partition(" ")[2]
            again = frame.turn_number - self._said.get(what, -10) <= 3 and "-" not in what
            self._said[what] = frame.turn_number
            if not again:
                self._lines.append(line)

    def last(self, count: int) -> list[str]:
        """Return at most `count` of the last lines, newest first."""
        return list(self._lines)[: -count - 1 : -1] if count > 0 else []
