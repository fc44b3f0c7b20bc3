"""Messages of the Royale protocol for spectators, made by replaying a record.

They are byte for byte the messages that the server sent to observers during the battle.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import msgspec

from turnwright.errors import MismatchError, RecordError, VoidBattleError
from turnwright.kernel.game import Game, Seat, SeatInfo
from turnwright.kernel.printed import TurnPrints
from turnwright.kernel.record import Header, Record
from turnwright.kernel.replay import replay
from turnwright.kernel.units import NS_PER_US
from turnwright_tank import observe
from turnwright_tank.game_types import GAME_TYPES, values_of
from turnwright_tank.settings import SETTINGS
from turnwright_tank.wire.royale import messages as m
from turnwright_tank.wire.royale.message_parts import GameSetup, Participant
from turnwright_tank.wire.royale.results import results_for_observers

_NOTHING: Mapping[Seat, TurnPrints] = MappingProxyType({})


def announced(
    setup: GameSetup, participants: Sequence[Participant], seats: Sequence[SeatInfo] = ()
) -> dict[str, Any]:
    """Return the announcement of a game to spectators, as JSON values for a record's header.

    A value that spectators did not get is null.

    Args:
        seats: the seats of the same header. Values that are equal in a seat are left out.
    """
    value = m.GameStartedEventForObserver(game_setup=setup, participants=tuple(participants))
    data: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(value))
    del data["type"]
    rows = data["participants"]
    rows[: len(seats)] = [
        _rest(row, _told_by(seat, seats[seat])) for seat, row in enumerate(rows[: len(seats)])
    ]
    return data


def opening_of(header: Header) -> m.GameStartedEventForObserver:
    """Return the message that announced the battle to spectators.

    If the record has no announcement (another program wrote it), the message is made from its header.

    Raises:
        RecordError: the record is of another game, or the announcement cannot be read.
    """
    if header.game != "tank":
        raise RecordError(f"the record is of the game {header.game!r}: only those of 'tank' can be shown")
    data = dict(header.announced) or announced(_setup_of(header), _participants_of(header.seats))
    rows, seats = data.get("participants"), header.seats
    if isinstance(rows, list):
        told = [_told_by(seat, info) for seat, info in enumerate(seats)]
        told += [{}] * (len(rows) - len(seats))
        data["participants"] = [_whole(row, one) for row, one in zip(rows, told, strict=False)]
    try:
        return msgspec.convert(data, m.GameStartedEventForObserver)
    except (msgspec.ValidationError, TypeError) as error:
        raise RecordError(f"the header does not say who played: {error}") from error


def messages_of(record: Record, game: Game) -> Iterator[object]:
    """Yield the messages to spectators in order, from the start of the game to its end.

    A truncated record has no end.

    Raises:
        RecordError: the record cannot be replayed.
        MismatchError: the replay differs from the record.
    """
    yield opening_of(record.header)
    try:
        for entry, closed, battle in replay(record, game):
            if not closed.entry.digest.startswith(entry.digest):
                raise MismatchError(
                    f"turn {entry.turn} differs when replayed: `turnwright verify` says what differs"
                )
            battle.state.debugging = battle.debugged
            yield from turn_messages(battle.state, entry.printed)
    except VoidBattleError as error:
        if record.turns[-1].digest:
            raise MismatchError(f"the replay fails: {error}") from error
    if record.footer is not None and record.footer.ending != "over":
        yield m.GameAbortedEvent()


def turn_messages(state: Any, printed: Mapping[Seat, TurnPrints] = _NOTHING) -> Iterator[object]:
    """Yield the messages for spectators for the last turn.

    Args:
        printed: the output of bots in the turn.
    """
    yield observe.with_prints(observe.frame(state), printed)
    if state.round_over:
        results = results_for_observers(state.results)
        yield m.RoundEndedEventForObserver(state.round_number, state.turn_number, results)
        if state.game_over:
            yield m.GameEndedEventForObserver(state.round_number, results)


def _setup_of(header: Header) -> GameSetup:
    """Return the setup of a header: the preset of its game type with the header's differences."""
    said: Mapping[str, Any] = header.setup
    game_type = said.get("game_type", "")
    values = values_of(game_type if game_type in GAME_TYPES else "custom")
    values |= {one.name: said.get(one.name, values[one.name]) for one in SETTINGS if one.name != "game_type"}
    return GameSetup(**values | {"turn_timeout": header.rules.timeout_ns // NS_PER_US})


def _rest(row: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    """Return the values of a participant that differ from its seat, and null for values that it lacks."""
    said = dict.fromkeys(told) | row
    return {key: value for key, value in said.items() if key not in told or value != told[key]}


def _whole(row: Any, told: dict[str, Any]) -> Any:
    """Return all known values of a participant in a header.

    The first records have all values of a participant and its id. Later records have only the values that
    differ from the seat.
    """
    return told | row if isinstance(row, dict) and "id" not in row else row


def _told_by(seat: int, info: SeatInfo) -> dict[str, Any]:
    """Return the known values of a seat's participant, under the names of a Participant."""
    told = {
        "id": seat + 1,
        "sessionId": info.options.get("session_id"),
        "name": info.name,
        "version": info.version,
        "authors": list(info.authors),
        "platform": info.platform,
        "programmingLang": info.programming_lang,
        "teamId": info.team,
    }
    return {key: value for key, value in told.items() if value is not None}


def _participants_of(seats: tuple[SeatInfo, ...]) -> tuple[Participant, ...]:
    return tuple(
        Participant(
            id=seat + 1,
            session_id=str(info.options.get("session_id", "")),
            name=info.name,
            version=info.version,
            authors=info.authors,
            country_codes=(),
            game_types=(),
            platform=info.platform,
            programming_lang=info.programming_lang,
            team_id=info.team,
            team_name=info.options.get("team_name"),
            team_version=info.options.get("team_version"),
            is_droid=bool(info.options.get("droid")),
        )
        for seat, info in enumerate(seats)
    )
